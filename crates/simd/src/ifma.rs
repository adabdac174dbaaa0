//! AVX-512 IFMA: the token, the register, and the shell that kernels are compiled in.

#![allow(unsafe_code)]

use crate::vector::{Apart, Kernel, LANES, Line, Mask, Vector};
use core::arch::x86_64::*;
use core::fmt;

/// Proof that this CPU has AVX-512 F, DQ, BW, VL and IFMA: only detection makes one.
#[derive(Clone, Copy, Debug)]
pub struct Ifma(());

impl Ifma {
    /// The proof, if this CPU (and the operating system) has all of them.
    pub fn detect() -> Option<Self> {
        crate::cpu::has_ifma().then_some(Self(()))
    }

    /// Does the work of `kernel` with the instructions: one call of a function compiled for them. It is worth it for
    /// batches of some hundred products, not for one.
    #[inline(always)]
    pub fn run<K: Kernel>(self, kernel: K) -> K::Output {
        // SAFETY: `self` proves the features that the shell enables.
        unsafe { shell(self, kernel) }
    }
}

/// The one function compiled with the instructions; everything in a kernel is inlined into it. Its name, with that of
/// the kernel, is what to look for in a disassembly.
#[inline(never)]
#[target_feature(enable = "avx512f,avx512dq,avx512bw,avx512vl,avx512ifma")]
fn shell<K: Kernel>(cpu: Ifma, kernel: K) -> K::Output {
    core::hint::black_box(&mut Line(0));
    kernel.run::<Zmm>(cpu)
}

/// A register of eight numbers. Holding one proves the instructions.
#[derive(Clone, Copy)]
#[repr(transparent)]
pub struct Zmm(__m512i, Ifma);

impl fmt::Debug for Zmm {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut values = [0; LANES];
        self.store(&mut values);
        f.debug_tuple("Zmm").field(&values).finish()
    }
}

/// A method that is one intrinsic.
macro_rules! instruction {
    ($name:ident($($operand:ident),*) = $intrinsic:ident($($argument:expr),*)) => {
        #[inline(always)]
        fn $name(self $(, $operand: Self)*) -> Self {
            // SAFETY: `self.1` proves the instruction.
            let result = unsafe { $intrinsic(self.0, $($argument),*) };
            Self(result, self.1)
        }
    };
}

/// A shift by the same number of bits in every lane; with a constant the compiler takes the form with an immediate.
macro_rules! shift {
    ($name:ident = $intrinsic:ident) => {
        #[inline(always)]
        fn $name(self, bits: u32) -> Self {
            // SAFETY: `self.1` proves the instructions.
            let result = unsafe { $intrinsic(self.0, _mm_cvtsi32_si128(bits.cast_signed())) };
            Self(result, self.1)
        }
    };
}

impl Vector for Zmm {
    type Cpu = Ifma;
    type Factor = Self;
    const APART: Apart = if cfg!(debug_assertions) {
        Apart::WithIfma
    } else {
        Apart::Inlined
    };

    #[inline(always)]
    fn cpu(self) -> Ifma {
        self.1
    }

    #[inline(always)]
    fn splat(cpu: Ifma, value: u64) -> Self {
        // SAFETY: `cpu` proves AVX-512 F.
        Self(unsafe { _mm512_set1_epi64(value.cast_signed()) }, cpu)
    }

    #[inline(always)]
    fn load(cpu: Ifma, values: &[u64; LANES]) -> Self {
        // SAFETY: `cpu` proves AVX-512 F; the reference is to 64 readable bytes, of any alignment.
        Self(unsafe { _mm512_loadu_si512(values.as_ptr().cast()) }, cpu)
    }

    #[inline(always)]
    fn store(self, values: &mut [u64; LANES]) {
        // SAFETY: `self.1` proves AVX-512 F; the reference is to 64 writable bytes, of any alignment.
        unsafe { _mm512_storeu_si512(values.as_mut_ptr().cast(), self.0) };
    }

    instruction!(madd52lo(a, b) = _mm512_madd52lo_epu64(a.0, b.0));
    instruction!(madd52hi(a, b) = _mm512_madd52hi_epu64(a.0, b.0));

    #[inline(always)]
    fn add_product(low: Self, high: Self, a: Self, b: Self) -> (Self, Self) {
        (low.madd52lo(a, b), high.madd52hi(a, b))
    }

    #[inline(always)]
    fn low_product(a: Self, b: Self) -> Self {
        Self::splat(a.cpu(), 0).madd52lo(a, b)
    }

    #[inline(always)]
    fn to_factor(self) -> Self {
        self
    }

    instruction!(add(other) = _mm512_add_epi64(other.0));
    instruction!(sub(other) = _mm512_sub_epi64(other.0));
    instruction!(and(other) = _mm512_and_si512(other.0));
    instruction!(or(other) = _mm512_or_si512(other.0));
    instruction!(xor(other) = _mm512_xor_si512(other.0));
    shift!(shl = _mm512_sll_epi64);
    shift!(shr = _mm512_srl_epi64);
    shift!(sar = _mm512_sra_epi64);

    #[inline(always)]
    fn is_zero(self) -> Mask {
        // SAFETY: `self.1` proves AVX-512 F.
        Mask(unsafe { _mm512_testn_epi64_mask(self.0, self.0) })
    }

    #[inline(always)]
    fn is_negative(self) -> Mask {
        // SAFETY: `self.1` proves AVX-512 DQ.
        Mask(unsafe { _mm512_movepi64_mask(self.0) })
    }

    #[inline(always)]
    fn select(self, other: Self, mask: Mask) -> Self {
        // SAFETY: `self.1` proves AVX-512 F.
        let result = unsafe { _mm512_mask_mov_epi64(self.0, mask.0, other.0) };
        Self(result, self.1)
    }

    #[inline(always)]
    fn rotate(self, by: usize) -> Self {
        // SAFETY: `self.1` proves AVX-512 F. Of the indices only the low three bits are read.
        let result = unsafe {
            let indices = _mm512_setr_epi64(0, 1, 2, 3, 4, 5, 6, 7);
            let indices = _mm512_add_epi64(indices, _mm512_set1_epi64((by as u64).cast_signed()));
            _mm512_permutexvar_epi64(indices, self.0)
        };
        Self(result, self.1)
    }

    #[inline(always)]
    fn load_rows_4(cpu: Ifma, rows: [&[u64; 4]; LANES]) -> [Self; 4] {
        let [r0, r1, r2, r3, r4, r5, r6, r7] = rows;
        // SAFETY: `cpu` proves AVX-512 F.
        let [c0, c1, c2, c3] = unsafe {
            let (z0, z1) = (load_pair(r0, r4), load_pair(r1, r5));
            let (z2, z3) = (load_pair(r2, r6), load_pair(r3, r7));
            let (low0, low1) = (_mm512_unpacklo_epi64(z0, z1), _mm512_unpacklo_epi64(z2, z3)); // words 0 and 2
            let (high0, high1) = (_mm512_unpackhi_epi64(z0, z1), _mm512_unpackhi_epi64(z2, z3)); // words 1 and 3
            [
                even_blocks(low0, low1),
                even_blocks(high0, high1),
                odd_blocks(low0, low1),
                odd_blocks(high0, high1),
            ]
        };
        [Self(c0, cpu), Self(c1, cpu), Self(c2, cpu), Self(c3, cpu)]
    }

    #[inline(always)]
    fn load_rows_2(cpu: Ifma, rows: [&[u64; 2]; LANES]) -> [Self; 2] {
        let [r0, r1, r2, r3, r4, r5, r6, r7] = rows;
        // SAFETY: `cpu` proves AVX-512 F and DQ.
        let [c0, c1] = unsafe {
            let (low, high) = (load_four(r0, r1, r2, r3), load_four(r4, r5, r6, r7));
            let even = _mm512_setr_epi64(0, 2, 4, 6, 8, 10, 12, 14);
            let odd = _mm512_setr_epi64(1, 3, 5, 7, 9, 11, 13, 15);
            [
                _mm512_permutex2var_epi64(low, even, high),
                _mm512_permutex2var_epi64(low, odd, high),
            ]
        };
        [Self(c0, cpu), Self(c1, cpu)]
    }

    #[inline(always)]
    fn store_rows_4(columns: [Self; 4], rows: [&mut [u64; 4]; LANES]) {
        let [Self(c0, _), Self(c1, _), Self(c2, _), Self(c3, _)] = columns;
        let [r0, r1, r2, r3, r4, r5, r6, r7] = rows;
        // SAFETY: the columns prove AVX-512 F.
        unsafe {
            let (low0, low1) = (_mm512_unpacklo_epi64(c0, c1), _mm512_unpacklo_epi64(c2, c3)); // rows 0, 2, 4, 6
            let (high0, high1) = (_mm512_unpackhi_epi64(c0, c1), _mm512_unpackhi_epi64(c2, c3)); // rows 1, 3, 5, 7
            store_pair(even_blocks(low0, low1), r0, r4);
            store_pair(even_blocks(high0, high1), r1, r5);
            store_pair(odd_blocks(low0, low1), r2, r6);
            store_pair(odd_blocks(high0, high1), r3, r7);
        }
    }

    #[inline(always)]
    fn store_rows_2(columns: [Self; 2], rows: [&mut [u64; 2]; LANES]) {
        let [Self(c0, _), Self(c1, _)] = columns;
        let [r0, r1, r2, r3, r4, r5, r6, r7] = rows;
        // SAFETY: the columns prove AVX-512 F and DQ.
        unsafe {
            let low =
                _mm512_permutex2var_epi64(c0, _mm512_setr_epi64(0, 8, 1, 9, 2, 10, 3, 11), c1);
            let high =
                _mm512_permutex2var_epi64(c0, _mm512_setr_epi64(4, 12, 5, 13, 6, 14, 7, 15), c1);
            store_four(low, r0, r1, r2, r3);
            store_four(high, r4, r5, r6, r7);
        }
    }
}

/// Of vectors of four blocks of two words: `a0 b0 a2 b2`.
///
/// # Safety
/// The CPU must have AVX-512 F.
#[inline(always)]
unsafe fn even_blocks(a: __m512i, b: __m512i) -> __m512i {
    // SAFETY: AVX-512 F by the caller.
    unsafe { _mm512_permutex2var_epi64(a, _mm512_setr_epi64(0, 1, 8, 9, 4, 5, 12, 13), b) }
}

/// Of vectors of four blocks of two words: `a1 b1 a3 b3`.
///
/// # Safety
/// The CPU must have AVX-512 F.
#[inline(always)]
unsafe fn odd_blocks(a: __m512i, b: __m512i) -> __m512i {
    // SAFETY: AVX-512 F by the caller.
    unsafe { _mm512_permutex2var_epi64(a, _mm512_setr_epi64(2, 3, 10, 11, 6, 7, 14, 15), b) }
}

/// `low` in the lower half, `high` in the upper.
///
/// # Safety
/// The CPU must have AVX-512 F.
#[inline(always)]
unsafe fn load_pair(low: &[u64; 4], high: &[u64; 4]) -> __m512i {
    // SAFETY: AVX-512 F, and with it AVX, by the caller; each reference is to 32 readable bytes, of any alignment.
    unsafe {
        let low = _mm512_castsi256_si512(_mm256_loadu_si256(low.as_ptr().cast()));
        _mm512_inserti64x4::<1>(low, _mm256_loadu_si256(high.as_ptr().cast()))
    }
}

/// The inverse of [`load_pair`].
///
/// # Safety
/// The CPU must have AVX-512 F.
#[inline(always)]
unsafe fn store_pair(pair: __m512i, low: &mut [u64; 4], high: &mut [u64; 4]) {
    // SAFETY: AVX-512 F, and with it AVX, by the caller; each reference is to 32 writable bytes, of any alignment.
    unsafe {
        _mm256_storeu_si256(low.as_mut_ptr().cast(), _mm512_castsi512_si256(pair));
        _mm256_storeu_si256(
            high.as_mut_ptr().cast(),
            _mm512_extracti64x4_epi64::<1>(pair),
        );
    }
}

/// Four rows of two words, one after the other.
///
/// # Safety
/// The CPU must have AVX-512 F and DQ.
#[inline(always)]
unsafe fn load_four(r0: &[u64; 2], r1: &[u64; 2], r2: &[u64; 2], r3: &[u64; 2]) -> __m512i {
    // SAFETY: the features by the caller; each reference is to 16 readable bytes, of any alignment.
    unsafe {
        let four = _mm512_castsi128_si512(_mm_loadu_si128(r0.as_ptr().cast()));
        let four = _mm512_inserti64x2::<1>(four, _mm_loadu_si128(r1.as_ptr().cast()));
        let four = _mm512_inserti64x2::<2>(four, _mm_loadu_si128(r2.as_ptr().cast()));
        _mm512_inserti64x2::<3>(four, _mm_loadu_si128(r3.as_ptr().cast()))
    }
}

/// The inverse of [`load_four`].
///
/// # Safety
/// The CPU must have AVX-512 F and DQ.
#[inline(always)]
unsafe fn store_four(
    four: __m512i,
    r0: &mut [u64; 2],
    r1: &mut [u64; 2],
    r2: &mut [u64; 2],
    r3: &mut [u64; 2],
) {
    // SAFETY: the features by the caller; each reference is to 16 writable bytes, of any alignment.
    unsafe {
        _mm_storeu_si128(r0.as_mut_ptr().cast(), _mm512_castsi512_si128(four));
        _mm_storeu_si128(r1.as_mut_ptr().cast(), _mm512_extracti64x2_epi64::<1>(four));
        _mm_storeu_si128(r2.as_mut_ptr().cast(), _mm512_extracti64x2_epi64::<2>(four));
        _mm_storeu_si128(r3.as_mut_ptr().cast(), _mm512_extracti64x2_epi64::<3>(four));
    }
}
