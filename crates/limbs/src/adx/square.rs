//! Montgomery squaring of four words in x86-64 assembly, once or over and over.
//!
//! In chains of squarings only latency counts. There the value stays in registers from one squaring to the next and is
//! not reduced in between. It is kept as a signed number between `-p` and `p`. That takes as many instructions as a
//! last correction would, but none of them is on the way from one squaring to the next.

use super::Adx;
use crate::Modulus;
use crate::x86_64::four_words;
use core::arch::asm;
use core::mem::offset_of;

impl Adx {
    /// Montgomery square `a²·2^(-256) mod p` of a residue of four words, reduced. Where `4p < 2^256`, `a` below `2p` is
    /// allowed too. `N` must be 4 (a parameter so that generic callers need no cast). Time: constant.
    ///
    /// # Panics
    /// Unless `N` is 4, at compile time.
    #[inline(always)]
    pub fn square<const N: usize>(self, a: &[u64; N], modulus: &Modulus<N>) -> [u64; N] {
        assert!(N == 4, "the assembly is for four words"); // decided at compile time
        // SAFETY: `self` proves BMI2 and ADX; the pointer is to a modulus of four words.
        let product = unsafe { square_4([a[0], a[1], a[2], a[3]], modulus) };
        four_words(product)
    }

    /// `a^(2^count)` in Montgomery form, reduced, for a residue `a` of four words; see
    /// [`Modulus::square_repeated`]. `N` must be 4 (a parameter so that generic callers need no cast).
    ///
    /// Time: depends on `count` only.
    ///
    /// # Panics
    /// Unless `N` is 4, at compile time.
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
        let product =
            unsafe { square_4_repeated([a[0], a[1], a[2], a[3]], u64::from(count), modulus) };
        four_words(product)
    }
}

// One squaring, of a3:a2:a1:a0 into itself, up to a last correction.
//
// `T = a²` of eight words is ten products, then come two reductions of two words each, 27 + 2 products in all:
//
// 1. `U = floor(T/2^128) + T[0]·f[0] + T[1]·f[1]` with the residues `f[0] = 2^(-128)`, `f[1] = 2^(-64)`: no multiple of `p` has to
//    be found first, which would stand in the way. `U < T/2^128 + 2^65·p`, so it still has six words.
// 2. `a' = (U - m·p)/2^128` with `m = U·p^(-1) mod 2^128`, the usual way. The low words of `U` and `m·p` are equal, so only the
//    carries out of the latter count: `U[1] < h` tells whether adding the last low product, which is not even formed,
//    to the sum `h` of the others carries.
//
// Bound: `-p < a' < a²/2^256 + 2^(-63)·p`, which is below `p` if `|a| < p` (as `p < 2^255`), or if `|a| < 2p` and `4p <= 2^256·(1 - 2^(-60))`.
// If `a` is signed, only its top word has the sign; `signed` accounts for that. Two words have no register and are put
// aside.
#[rustfmt::skip]
macro_rules! square {
    (signed: $signed:expr, put_aside: $put_aside:literal, add_fourth: $add_fourth:literal, get_fifth: $get_fifth:literal) => {
        concat!(
            // c1..c6: the products of different words
            "mov rdx, {a0}\n",
            "mulx {c2}, {c1}, {a1}\n",
            "mulx {c3}, {x}, {a2}\n add {c2}, {x}\n",
            "mulx {c4}, {x}, {a3}\n adc {c3}, {x}\n adc {c4}, 0\n",
            "mov rdx, {a1}\n",
            "mulx {low}, {x}, {a2}\n",
            "mulx {c5}, {c6}, {a3}\n add {low}, {c6}\n adc {c5}, 0\n",
            "add {c3}, {x}\n adc {c4}, {low}\n adc {c5}, 0\n",
            "mov rdx, {a2}\n",
            "mulx {c6}, {x}, {a3}\n add {c5}, {x}\n adc {c6}, 0\n",
            $signed,
            // twice that, plus the squares: T in a0, c1..c6, x
            "mov rdx, {a0}\n mulx {low}, {a0}, rdx\n",
            "add {c1}, {c1}\n adc {c2}, {c2}\n adc {c3}, {c3}\n adc {c4}, {c4}\n adc {c5}, {c5}\n adc {c6}, {c6}\n",
            "sbb {x}, {x}\n", // the sign of what was doubled goes on
            "add {c1}, {low}\n",
            "mov rdx, {a1}\n mulx {low}, {a1}, rdx\n adc {c2}, {a1}\n adc {c3}, {low}\n",
            "mov rdx, {a2}\n mulx {low}, {a2}, rdx\n adc {c4}, {a2}\n adc {c5}, {low}\n",
            "mov rdx, {a3}\n mulx {low}, {a3}, rdx\n adc {c6}, {a3}\n adc {x}, {low}\n",
            $put_aside,
            // T[0]·f[0] + T[1]·f[1] in x, c6, a0, a1, a2
            "mov rdx, {a0}\n",
            "mulx {c6}, {x}, [{m} + {fold}]\n",
            "mulx {a0}, {low}, [{m} + {fold} + 8]\n add {c6}, {low}\n",
            "mulx {a1}, {low}, [{m} + {fold} + 16]\n adc {a0}, {low}\n",
            "mulx {a2}, {low}, [{m} + {fold} + 24]\n adc {a1}, {low}\n adc {a2}, 0\n",
            "mov rdx, {c1}\n xor {c1:e}, {c1:e}\n", // both carry flags are clear
            "mulx {a3}, {low}, [{m} + {fold} + 32]\n adcx {x}, {low}\n adox {c6}, {a3}\n",
            "mulx {a3}, {low}, [{m} + {fold} + 40]\n adcx {c6}, {low}\n adox {a0}, {a3}\n",
            "mulx {a3}, {low}, [{m} + {fold} + 48]\n adcx {a0}, {low}\n adox {a1}, {a3}\n",
            "mulx {a3}, {low}, [{m} + {fold} + 56]\n adcx {a1}, {low}\n adox {a2}, {a3}\n adc {a2}, 0\n",
            // U in x, c6, a0, a1, a2, a3
            "add {x}, {c2}\n adc {c6}, {c3}\n adc {a0}, {c4}\n adc {a1}, {c5}\n", $add_fourth,
            $get_fifth, "adc {a3}, 0\n",
            // m in low, c1
            "mov rdx, [{m} + {inv}]\n",
            "mov {c1}, {x}\n imul {c1}, [{m} + {inv} + 8]\n",
            "mulx {c2}, {low}, {x}\n",
            "imul rdx, {c6}\n add {c1}, rdx\n add {c1}, {c2}\n",
            // minus m·p
            "mov rdx, {low}\n",
            multiple!(),
            "cmp {c6}, {c2}\n sbb {a0}, {c3}\n sbb {a1}, {c4}\n sbb {a2}, {x}\n sbb {a3}, 0\n",
            "mov rdx, {c1}\n",
            multiple!(),
            "sub {a0}, {c2}\n sbb {a1}, {c3}\n sbb {a2}, {c4}\n sbb {a3}, {x}\n",
        )
    };
}

// The words 1 to 4 of rdx·p in c2, c3, c4, x.
#[rustfmt::skip]
macro_rules! multiple {
    () => {
        concat!(
            "mulx {c2}, {low}, [{m} + {p}]\n",
            "mulx {c3}, {low}, [{m} + {p} + 8]\n add {c2}, {low}\n",
            "mulx {c4}, {low}, [{m} + {p} + 16]\n adc {c3}, {low}\n",
            "mulx {x}, {low}, [{m} + {p} + 24]\n adc {c4}, {low}\n adc {x}, 0\n",
        )
    };
}

// Plus p, taken if that carries, which is if the number was negative.
#[rustfmt::skip]
macro_rules! correct {
    () => {
        concat!(
            "mov {c1}, {a0}\n add {c1}, [{m} + {p}]\n",
            "mov {c2}, {a1}\n adc {c2}, [{m} + {p} + 8]\n",
            "mov {c3}, {a2}\n adc {c3}, [{m} + {p} + 16]\n",
            "mov {c4}, {a3}\n adc {c4}, [{m} + {p} + 24]\n",
            "cmovc {a0}, {c1}\n cmovc {a1}, {c2}\n cmovc {a2}, {c3}\n cmovc {a3}, {c4}\n",
        )
    };
}

/// `a` squared, for `a < 2^255` within the bounds above.
///
/// # Safety
/// BMI2 and ADX must be present; `modulus` must point to a modulus of four words.
#[inline(always)]
#[rustfmt::skip]
unsafe fn square_4<const N: usize>(a: [u64; 4], modulus: *const Modulus<N>) -> [u64; 4] {
    let (r0, r1, r2, r3): (u64, u64, u64, u64);
    // SAFETY: reads the modulus and writes registers only; the caller vouches for the CPU.
    unsafe {
        asm!(
            square!(
                signed: "",
                put_aside: "movq {aside6}, {c6}\n movq {aside7}, {x}\n",
                add_fourth: "movq {a3}, {aside6}\n adc {a2}, {a3}\n",
                get_fifth: "movq {a3}, {aside7}\n"
            ),
            correct!(),
            a0 = inout(reg) a[0] => r0, a1 = inout(reg) a[1] => r1,
            a2 = inout(reg) a[2] => r2, a3 = inout(reg) a[3] => r3,
            m = in(reg) modulus, p = const offset_of!(Modulus<N>, p),
            inv = const offset_of!(Modulus<N>, p_inv), fold = const offset_of!(Modulus<N>, fold),
            c1 = out(reg) _, c2 = out(reg) _, c3 = out(reg) _, c4 = out(reg) _, c5 = out(reg) _, c6 = out(reg) _,
            x = out(reg) _, low = out(reg) _, out("rdx") _, aside6 = out(xmm_reg) _, aside7 = out(xmm_reg) _,
            options(pure, readonly, nostack),
        );
    }
    [r0, r1, r2, r3]
}

/// `a` squared `count` times, for a residue `a`. What is put aside, and the count, are on the stack.
///
/// # Safety
/// BMI2 and ADX must be present; `modulus` must point to a modulus of four words; `count` must not be zero.
#[inline]
#[rustfmt::skip]
unsafe fn square_4_repeated<const N: usize>(a: [u64; 4], count: u64, modulus: *const Modulus<N>) -> [u64; 4] {
    let (r0, r1, r2, r3): (u64, u64, u64, u64);
    // SAFETY: reads the modulus, writes registers and 24 bytes of stack below the pointer that it moves and moves back; the
    // caller vouches for the CPU.
    unsafe {
        asm!(
            "sub rsp, 24",
            "mov [rsp], {c6}", // how many are left
            "2:",
            square!(
                // a[3] becomes its absolute value; where it was negative, its products with a[0], a[1], a[2] were too large by
                // these at the words above
                signed: concat!(
                    "mov {x}, {a3}\n sar {x}, 63\n xor {a3}, {x}\n sub {a3}, {x}\n",
                    "mov {low}, {x}\n and {low}, {a0}\n",
                    "mov rdx, {x}\n and rdx, {a1}\n",
                    "and {x}, {a2}\n",
                    "sub {c4}, {low}\n sbb {c5}, rdx\n sbb {c6}, {x}\n",
                ),
                put_aside: "mov [rsp + 8], {c6}\n mov [rsp + 16], {x}\n",
                add_fourth: "adc {a2}, [rsp + 8]\n",
                get_fifth: "mov {a3}, [rsp + 16]\n"
            ),
            "dec qword ptr [rsp]",
            "jnz 2b",
            "add rsp, 24",
            correct!(),
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
