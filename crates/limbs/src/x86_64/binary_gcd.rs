//! The inner loops of the binary GCD with conditional moves, which any x86-64 has, instead of masks or jumps.

use core::arch::asm;

/// `STEPS` steps from `a` and an odd `b`, with `row0`, `row1` the rows of [`crate::binary_gcd::Factors`] before them.
/// Returns the rows after them, and the changes of sign in bit 1 if `SIGNS`; see [`crate::binary_gcd::steps`], its
/// twin. Time: constant. A step is four instructions deep, where masks take eight.
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

/// As [`steps`] with signs, skipping all trailing zeros of `a` at once, in time that depends on `a` and `b`.
#[inline(always)]
#[rustfmt::skip]
pub(crate) fn steps_vartime<const STEPS: u32>(a: u64, b: u64, rows: (u64, u64)) -> (u64, u64, u64) {
    let (row0, row1, flips): (u64, u64, u64);
    // SAFETY: registers only.
    unsafe {
        asm!(
            "2:",
            // never more zeros than steps that are left, for each of which `left` has one; and so never zero (of which
            // TZCNT is BSF on old CPUs)
            "mov {negative}, {a}", "or {negative}, {left}", "tzcnt rcx, {negative}",
            "shr {a}, cl", "shl {row1}, cl", "shr {left}, cl",
            // an odd number of zeros counts if b is 3 or 5 modulo 8
            "mov {flip}, {b}", "shr {flip}, 1", "xor {flip}, {b}",
            "lea {negative}, [rcx + rcx]", "and {flip}, {negative}", "xor {flips}, {flip}",
            "cmp {left}, 1",
            "je 3f",
            "mov {flip}, {a}", "and {flip}, {b}", // both 3 modulo 4: counts if they are swapped
            "mov {negative}, {b}", "sub {negative}, {a}",
            "mov {difference}, {a}", "sub {difference}, {b}",
            "cmovc {b}, {a}",
            "mov {a}, {difference}", "cmovc {a}, {negative}",
            "mov {next0}, {row0}", "cmovc {next0}, {row1}", "cmovc {row1}, {row0}",
            "cmovnc {flip}, {zero}",
            "mov {row0}, {next0}", "sub {row0}, {row1}",
            "xor {flips}, {flip}",
            "jmp 2b",
            "3:",
            a = inout(reg) a => _, b = inout(reg) b => _, left = inout(reg) 1u64 << STEPS => _,
            row0 = inout(reg) rows.0 => row0, row1 = inout(reg) rows.1 => row1, flips = inout(reg) 0u64 => flips,
            negative = out(reg) _, difference = out(reg) _, next0 = out(reg) _, out("rcx") _,
            flip = out(reg) _, zero = in(reg) 0u64,
            options(pure, nomem, nostack),
        );
    }
    (row0, row1, flips)
}
