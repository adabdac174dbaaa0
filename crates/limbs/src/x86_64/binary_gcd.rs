//! The inner loop of the binary GCD in constant time: conditional moves, which any x86-64 has.
//!
//! Four instructions deep a step, where masks take eight.

use core::arch::asm;

/// `STEPS` steps from `a` and an odd `b`, with `row0`, `row1` the rows of [`crate::binary_gcd::Factors`] before them. Returns the
/// rows after them, and the changes of sign in bit 1 if `SIGNS`; see [`crate::binary_gcd::steps`], its twin. Time: constant.
#[inline(always)]
#[rustfmt::skip]
pub(crate) fn steps<const STEPS: u32, const SIGNS: bool>(a: u64, b: u64, rows: (u64, u64)) -> (u64, u64, u64) {
    let (row0, row1): (u64, u64);
    let mut flips = 0u64;
    // Optional parts: first of all, where a < b is known, where the parity of a is known, and at the end.
    macro_rules! steps {
        ([$($first:literal),*], [$($less:literal),*], [$($odd:literal),*], [$($last:literal),*], $($operands:tt)*) => {
            asm!(
                "2:",
                $($first,)*
                // both differences, and what follows from an odd a
                "mov {negative}, {b}", "sub {negative}, {a}",
                "mov {difference}, {a}", "sub {difference}, {b}",
                "mov {next_b}, {b}", "cmovc {next_b}, {a}",
                "cmovc {difference}, {negative}",
                "mov {next0}, {row0}", "cmovc {next0}, {row1}",
                "mov {next1}, {row1}", "cmovc {next1}, {row0}",
                $($less,)*
                "sub {next0}, {next1}",
                // if it is odd
                "test {a}, 1",
                "cmovnz {a}, {difference}", "cmovnz {b}, {next_b}",
                "cmovnz {row0}, {next0}", "cmovnz {row1}, {next1}",
                $($odd,)*
                "shr {a}, 1",
                "add {row1}, {row1}",
                $($last,)*
                "dec {left:e}",
                "jnz 2b",
                a = inout(reg) a => _, b = inout(reg) b => _, left = inout(reg) STEPS => _,
                row0 = inout(reg) rows.0 => row0, row1 = inout(reg) rows.1 => row1,
                negative = out(reg) _, difference = out(reg) _, next_b = out(reg) _,
                next0 = out(reg) _, next1 = out(reg) _,
                $($operands)*
                options(pure, nomem, nostack),
            )
        };
    }
    // SAFETY: registers only.
    unsafe {
        if SIGNS {
            steps!(
                ["mov {flip}, {a}", "and {flip}, {b}"], // both 3 modulo 4: of weight if they are swapped
                ["cmovnc {flip}, {zero}"],
                ["cmovz {flip}, {zero}", "xor {flips}, {flip}"],
                ["mov {flip}, {b}", "shr {flip}, 1", "xor {flip}, {b}", "xor {flips}, {flip}"], // b is 3 or 5 modulo 8
                flip = out(reg) _, flips = inout(reg) flips, zero = in(reg) 0u64,
            );
        } else {
            steps!([], [], [], [],);
        }
    }
    (row0, row1, flips)
}
