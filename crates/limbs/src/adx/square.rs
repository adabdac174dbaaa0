//! Repeated Montgomery squaring of four words in x86-64 assembly, for chains of squarings, where only latency counts.
//!
//! The value stays in registers from one squaring to the next and is not reduced in between: it is kept as a signed number
//! between `-p` and `p`, which costs nothing on the way from one squaring to the next, whereas a last subtraction does.

use super::Adx;
use crate::Modulus;
use core::arch::asm;
use core::mem::offset_of;

impl Adx {
    /// `a^(2^count)` in Montgomery form, reduced, for a residue `a` of four words; see
    /// [`Modulus::square_repeated`]. `N` must be 4 (a parameter so that generic callers need no cast).
    ///
    /// Time: depends on `count` only.
    #[inline]
    pub fn square_repeated<const N: usize>(
        self,
        a: &[u64; N],
        count: u32,
        modulus: &Modulus<N>,
    ) -> [u64; N] {
        assert!(N == 4, "the assembly is for four words"); // decided at compile time
        if count == 0 {
            return *a;
        }
        // SAFETY: `self` proves BMI2 and ADX; the pointer is to a modulus of four words; `count` is not zero.
        let words = unsafe { square_4([a[0], a[1], a[2], a[3]], u64::from(count), modulus) };
        core::array::from_fn(|i| words[i])
    }
}

/// `a` squared `count` times.
///
/// A squaring is `T = a²` of eight words in ten products, then two reductions of two words each, 27 + 2 products in all:
///
/// 1. `U = floor(T/2^128) + T[0]·f[0] + T[1]·f[1]` with the residues `f[0] = 2^(-128)`, `f[1] = 2^(-64)`: no multiple of `p` has
///    to be found first, which would stand in the way. `U < T/2^128 + 2^65·p`, so it still has six words.
/// 2. `a' = (U - m·p)/2^128` with `m = U·p^(-1) mod 2^128`, the usual way. The low words of `U` and `m·p` are equal, so only
///    the carries out of the latter count: `U[1] < h` tells whether adding the last low product, which is not even
///    formed, to the sum `h` of the others carries.
///
/// Bound: if `|a| < p` then `-p < a' < p²/2^256 + 2^(-63)·p < p` as `p < 2^255`. Only the top word of `a` has a sign then:
/// its products with the other words are corrected by subtracting them at the place of the word above, and it is
/// squared as an absolute value.
///
/// # Safety
/// BMI2 and ADX must be present; `modulus` must point to a modulus of four words; `count` must not be zero.
#[inline]
#[rustfmt::skip]
unsafe fn square_4<const N: usize>(a: [u64; 4], count: u64, modulus: *const Modulus<N>) -> [u64; 4] {
    let (r0, r1, r2, r3): (u64, u64, u64, u64);
    // The four words at `$at` times rdx; the words 1 to 4 of the product in h0..h3, where word 0 is of no use.
    macro_rules! high_product {
        ($at:literal, $h0:literal, $h1:literal, $h2:literal, $h3:literal) => {
            concat!(
                "mulx {", $h0, "}, {low}, [{m} + ", $at, "]\n",
                "mulx {", $h1, "}, {low}, [{m} + ", $at, " + 8]\n add {", $h0, "}, {low}\n",
                "mulx {", $h2, "}, {low}, [{m} + ", $at, " + 16]\n adc {", $h1, "}, {low}\n",
                "mulx {", $h3, "}, {low}, [{m} + ", $at, " + 24]\n adc {", $h2, "}, {low}\n adc {", $h3, "}, 0\n",
            )
        };
    }
    // SAFETY: reads the modulus, writes registers and 24 bytes of stack below the pointer that it moves and moves back; the
    // caller vouches for the CPU.
    unsafe {
        asm!(
            "sub rsp, 24",
            "mov [rsp], {c6}", // how many are left
            "2:",
            // c1..c6: the products of different words
            "mov rdx, {a0}",
            "mulx {c2}, {c1}, {a1}",
            "mulx {c3}, {x}, {a2}", "add {c2}, {x}",
            "mulx {c4}, {x}, {a3}", "adc {c3}, {x}", "adc {c4}, 0",
            "mov rdx, {a1}",
            "mulx {low}, {x}, {a2}",
            "mulx {c5}, {c6}, {a3}", "add {low}, {c6}", "adc {c5}, 0",
            "add {c3}, {x}", "adc {c4}, {low}", "adc {c5}, 0",
            "mov rdx, {a2}",
            "mulx {c6}, {x}, {a3}", "add {c5}, {x}", "adc {c6}, 0",
            // a[3] as an absolute value; where it was negative, minus a[0], a[1], a[2] at the words above their products
            "mov {x}, {a3}", "sar {x}, 63", "xor {a3}, {x}", "sub {a3}, {x}",
            "mov {low}, {x}", "and {low}, {a0}",
            "mov rdx, {x}", "and rdx, {a1}",
            "and {x}, {a2}",
            "sub {c4}, {low}", "sbb {c5}, rdx", "sbb {c6}, {x}",
            // twice that, plus the squares: T in a0, c1..c6, x
            "mov rdx, {a0}", "mulx {low}, {a0}, rdx",
            "add {c1}, {c1}", "adc {c2}, {c2}", "adc {c3}, {c3}", "adc {c4}, {c4}", "adc {c5}, {c5}", "adc {c6}, {c6}",
            "sbb {x}, {x}", // the sign of what was doubled goes on
            "add {c1}, {low}",
            "mov rdx, {a1}", "mulx {low}, {a1}, rdx", "adc {c2}, {a1}", "adc {c3}, {low}",
            "mov rdx, {a2}", "mulx {low}, {a2}, rdx", "adc {c4}, {a2}", "adc {c5}, {low}",
            "mov rdx, {a3}", "mulx {low}, {a3}, rdx", "adc {c6}, {a3}", "adc {x}, {low}",
            "mov [rsp + 8], {c6}", "mov [rsp + 16], {x}",
            // T[0]·f[0] + T[1]·f[1] in x, c6, a0, a1, a2
            "mov rdx, {a0}",
            "mulx {c6}, {x}, [{m} + {fold}]",
            "mulx {a0}, {low}, [{m} + {fold} + 8]", "add {c6}, {low}",
            "mulx {a1}, {low}, [{m} + {fold} + 16]", "adc {a0}, {low}",
            "mulx {a2}, {low}, [{m} + {fold} + 24]", "adc {a1}, {low}", "adc {a2}, 0",
            "mov rdx, {c1}", "xor {c1:e}, {c1:e}", // both carry flags are clear
            "mulx {a3}, {low}, [{m} + {fold} + 32]", "adcx {x}, {low}", "adox {c6}, {a3}",
            "mulx {a3}, {low}, [{m} + {fold} + 40]", "adcx {c6}, {low}", "adox {a0}, {a3}",
            "mulx {a3}, {low}, [{m} + {fold} + 48]", "adcx {a0}, {low}", "adox {a1}, {a3}",
            "mulx {a3}, {low}, [{m} + {fold} + 56]", "adcx {a1}, {low}", "adox {a2}, {a3}", "adc {a2}, 0",
            // U in x, c6, a0, a1, a2, a3
            "add {x}, {c2}", "adc {c6}, {c3}", "adc {a0}, {c4}", "adc {a1}, {c5}", "adc {a2}, [rsp + 8]",
            "mov {a3}, [rsp + 16]", "adc {a3}, 0",
            // m in low, c1
            "mov rdx, [{m} + {inv}]",
            "mov {c1}, {x}", "imul {c1}, [{m} + {inv} + 8]",
            "mulx {c2}, {low}, {x}",
            "imul rdx, {c6}", "add {c1}, rdx", "add {c1}, {c2}",
            // minus m·p
            "mov rdx, {low}",
            high_product!("{p}", "c2", "c3", "c4", "x"),
            "cmp {c6}, {c2}", "sbb {a0}, {c3}", "sbb {a1}, {c4}", "sbb {a2}, {x}", "sbb {a3}, 0",
            "mov rdx, {c1}",
            high_product!("{p}", "c2", "c3", "c4", "x"),
            "sub {a0}, {c2}", "sbb {a1}, {c3}", "sbb {a2}, {c4}", "sbb {a3}, {x}",
            "dec qword ptr [rsp]",
            "jnz 2b",
            "add rsp, 24",
            // p is added where the sign is set
            "mov rdx, {a3}", "sar rdx, 63",
            "mov {c1}, [{m} + {p}]", "and {c1}, rdx",
            "mov {c2}, [{m} + {p} + 8]", "and {c2}, rdx",
            "mov {c3}, [{m} + {p} + 16]", "and {c3}, rdx",
            "and rdx, [{m} + {p} + 24]",
            "add {a0}, {c1}", "adc {a1}, {c2}", "adc {a2}, {c3}", "adc {a3}, rdx",
            a0 = inout(reg) a[0] => r0, a1 = inout(reg) a[1] => r1,
            a2 = inout(reg) a[2] => r2, a3 = inout(reg) a[3] => r3,
            m = in(reg) modulus, p = const offset_of!(Modulus<N>, p),
            inv = const offset_of!(Modulus<N>, p_inv), fold = const offset_of!(Modulus<N>, fold),
            c1 = out(reg) _, c2 = out(reg) _, c3 = out(reg) _, c4 = out(reg) _, c5 = out(reg) _,
            c6 = inout(reg) count => _, x = out(reg) _, low = out(reg) _, out("rdx") _,
            options(pure, readonly),
        );
    }
    [r0, r1, r2, r3]
}
