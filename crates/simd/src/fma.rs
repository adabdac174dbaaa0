//! AVX2 and FMA: eight lanes in two registers of four, products by doubles.
//!
//! A product of limbs below 2^52 is below 2^104. Added to 2^104 it is rounded to a multiple of 2^52: its high part,
//! which stands in the low bits of the double. What is left, from -2^51 to 2^51, is exact by a second FMA. That one
//! adds it to -1.5·2^52, so that it stands in the low bits, too, negated. Both are then summed up as integers, with the
//! exponents' bits, which [`Vector::LOW_EXPONENT`] and [`Vector::HIGH_EXPONENT`] tell.
//!
//! Rounding is to the nearest, as Rust requires, so the low part has a sign. Operands are integers below 2^52, so no
//! double is subnormal, and the time does not depend on them. A thread of a host that rounds otherwise gets no token,
//! as its parts would be wrong. Source: Emmart, Zheng, Weems, "Faster modular exponentiation using double precision
//! floating point arithmetic on the GPU", ARITH 2018.

#![allow(unsafe_code)]

mod products;
mod rounding;
mod rows;

use crate::modulus::MASK_52;
use crate::vector::{Apart, Kernel, LANES, Line, Mask, Vector};
use core::arch::x86_64::*;
use core::fmt;
use products::{HIGH, LOW, add_product, low_product, to_double};
use rows::{load_four, load_two, store_fours, store_twos, transpose};

/// Proof that this CPU has AVX2 and FMA: only detection makes one.
#[derive(Clone, Copy, Debug)]
pub struct Fma(());

impl Fma {
    /// The proof, if this CPU (and the operating system) has both and this thread rounds to the nearest.
    pub fn detect() -> Option<Self> {
        (crate::cpu::has_fma() && rounding::is_to_nearest()).then_some(Self(()))
    }

    /// Does the work of `kernel` with the instructions: one call of a function compiled for them. It is worth it for
    /// batches of some hundred products, not for one.
    ///
    /// # Panics
    /// If this thread does not round to the nearest, where the one that asked for the token did.
    #[inline(always)]
    pub fn run<K: Kernel>(self, kernel: K) -> K::Output {
        assert!(rounding::is_to_nearest(), "{NOT_TO_NEAREST}");
        // SAFETY: `self` proves the features that the shell enables.
        unsafe { shell(self, kernel) }
    }
}

const NOT_TO_NEAREST: &str = "products by doubles on a thread that does not round to the nearest";

/// The one function compiled with the instructions, as that of [`Ifma`](crate::Ifma).
#[inline(never)]
#[target_feature(enable = "avx2,fma,bmi2")]
fn shell<K: Kernel>(cpu: Fma, kernel: K) -> K::Output {
    core::hint::black_box(&mut Line(0));
    kernel.run::<Ymms>(cpu)
}

/// Two registers of four numbers. Holding one proves the instructions.
#[derive(Clone, Copy)]
pub struct Ymms([__m256i; 2], Fma);

impl fmt::Debug for Ymms {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut values = [0; LANES];
        self.store(&mut values);
        f.debug_tuple("Ymms").field(&values).finish()
    }
}

/// Eight numbers below 2^52.
#[derive(Clone, Copy)]
pub struct Doubles([__m256d; 2], Fma);

/// A method that is one intrinsic for each register.
macro_rules! instruction {
    ($name:ident($operand:ident) = $intrinsic:ident) => {
        #[inline(always)]
        fn $name(self, $operand: Self) -> Self {
            let (a, b) = (self.0, $operand.0);
            // SAFETY: `self.1` proves AVX2.
            let result = unsafe { [$intrinsic(a[0], b[0]), $intrinsic(a[1], b[1])] };
            Self(result, self.1)
        }
    };
}

/// A shift by the same number of bits in every lane; with a constant the compiler takes the form with an immediate.
macro_rules! shift {
    ($name:ident = $intrinsic:ident) => {
        #[inline(always)]
        fn $name(self, bits: u32) -> Self {
            // SAFETY: `self.1` proves AVX2.
            let result = unsafe {
                let bits = _mm_cvtsi32_si128(bits.cast_signed());
                [$intrinsic(self.0[0], bits), $intrinsic(self.0[1], bits)]
            };
            Self(result, self.1)
        }
    };
}

impl Vector for Ymms {
    type Cpu = Fma;
    type Factor = Doubles;
    const APART: Apart = if cfg!(debug_assertions) {
        Apart::WithFma
    } else {
        Apart::Inlined
    };
    const PRODUCTS: Apart = Apart::WithFma;
    const PAIRED: bool = true;
    const LOW_EXPONENT: u64 = LOW.to_bits().wrapping_neg();
    const HIGH_EXPONENT: u64 = HIGH.to_bits();

    #[inline(always)]
    fn cpu(self) -> Fma {
        self.1
    }

    #[inline(always)]
    fn splat(cpu: Fma, value: u64) -> Self {
        // SAFETY: `cpu` proves AVX2.
        let four = unsafe { _mm256_set1_epi64x(value.cast_signed()) };
        Self([four, four], cpu)
    }

    #[inline(always)]
    fn load(cpu: Fma, values: &[u64; LANES]) -> Self {
        // SAFETY: `cpu` proves AVX2; the reference is to 64 readable bytes, of any alignment.
        let result = unsafe {
            let four = values.as_ptr().cast::<__m256i>();
            [_mm256_loadu_si256(four), _mm256_loadu_si256(four.add(1))]
        };
        Self(result, cpu)
    }

    #[inline(always)]
    fn store(self, values: &mut [u64; LANES]) {
        // SAFETY: `self.1` proves AVX2; the reference is to 64 writable bytes, of any alignment.
        unsafe {
            let four = values.as_mut_ptr().cast::<__m256i>();
            _mm256_storeu_si256(four, self.0[0]);
            _mm256_storeu_si256(four.add(1), self.0[1]);
        }
    }

    #[inline(always)]
    fn madd52lo(self, a: Self, b: Self) -> Self {
        let (low, _) = parts(a, b);
        self.add(low.and(Self::splat(self.1, MASK_52)))
    }

    #[inline(always)]
    fn madd52hi(self, a: Self, b: Self) -> Self {
        let (low, high) = parts(a, b);
        self.add(high).sub(low.shr(63)) // rounded up where the low part is negative
    }

    #[inline(always)]
    fn add_product(low: Self, high: Self, a: Doubles, b: Doubles) -> (Self, Self) {
        let cpu = low.1;
        // SAFETY: `cpu` proves AVX2 and FMA.
        let (low, high) = unsafe { add_product(low.0, high.0, a.0, b.0) };
        (Self(low, cpu), Self(high, cpu))
    }

    #[inline(always)]
    fn low_product(a: Doubles, b: Doubles) -> Doubles {
        let cpu = a.1;
        // SAFETY: `cpu` proves AVX2 and FMA.
        let doubles = unsafe { [low_product(a.0[0], b.0[0]), low_product(a.0[1], b.0[1])] };
        Doubles(doubles, cpu)
    }

    #[inline(always)]
    fn to_factor(self) -> Doubles {
        // SAFETY: `self.1` proves AVX2.
        let doubles = unsafe { [to_double(self.0[0]), to_double(self.0[1])] };
        Doubles(doubles, self.1)
    }

    instruction!(add(other) = _mm256_add_epi64);
    instruction!(sub(other) = _mm256_sub_epi64);
    instruction!(and(other) = _mm256_and_si256);
    instruction!(or(other) = _mm256_or_si256);
    instruction!(xor(other) = _mm256_xor_si256);
    shift!(shl = _mm256_sll_epi64);
    shift!(shr = _mm256_srl_epi64);

    /// By an unsigned shift of the number plus 2^63: AVX2 has no signed one of 64 bits.
    #[inline(always)]
    fn sar(self, bits: u32) -> Self {
        let offset = Self::splat(self.1, 1 << 63);
        self.add(offset).shr(bits).sub(offset.shr(bits))
    }

    #[inline(always)]
    fn is_zero(self) -> Mask {
        // SAFETY: `self.1` proves AVX2.
        let zero = unsafe {
            let zero = _mm256_setzero_si256();
            [
                _mm256_cmpeq_epi64(self.0[0], zero),
                _mm256_cmpeq_epi64(self.0[1], zero),
            ]
        };
        Self(zero, self.1).is_negative()
    }

    #[inline(always)]
    fn is_negative(self) -> Mask {
        // SAFETY: `self.1` proves AVX.
        let [low, high] = unsafe {
            [
                _mm256_movemask_pd(_mm256_castsi256_pd(self.0[0])),
                _mm256_movemask_pd(_mm256_castsi256_pd(self.0[1])),
            ]
        };
        Mask((low | high << 4) as u8)
    }

    #[inline(always)]
    fn select(self, other: Self, mask: Mask) -> Self {
        // SAFETY: `self.1` proves AVX2.
        let result = unsafe {
            let mask = _mm256_set1_epi64x(i64::from(mask.0));
            let bits = [
                _mm256_setr_epi64x(1, 2, 4, 8),
                _mm256_setr_epi64x(16, 32, 64, 128),
            ];
            let chosen = [
                _mm256_cmpeq_epi64(_mm256_and_si256(mask, bits[0]), bits[0]),
                _mm256_cmpeq_epi64(_mm256_and_si256(mask, bits[1]), bits[1]),
            ];
            [
                _mm256_blendv_epi8(self.0[0], other.0[0], chosen[0]),
                _mm256_blendv_epi8(self.0[1], other.0[1], chosen[1]),
            ]
        };
        Self(result, self.1)
    }

    #[inline(always)]
    fn rotate(self, by: usize) -> Self {
        let mut values = [0; LANES];
        self.store(&mut values);
        values.rotate_left(by % LANES);
        Self::load(self.1, &values)
    }

    #[inline(always)]
    fn load_rows_4(cpu: Fma, rows: [&[u64; 4]; LANES]) -> [Self; 4] {
        let [r0, r1, r2, r3, r4, r5, r6, r7] = rows;
        // SAFETY: `cpu` proves AVX2.
        let [[a0, a1, a2, a3], [b0, b1, b2, b3]] = unsafe {
            [
                transpose([load_four(r0), load_four(r1), load_four(r2), load_four(r3)]),
                transpose([load_four(r4), load_four(r5), load_four(r6), load_four(r7)]),
            ]
        };
        [
            Self([a0, b0], cpu),
            Self([a1, b1], cpu),
            Self([a2, b2], cpu),
            Self([a3, b3], cpu),
        ]
    }

    #[inline(always)]
    fn load_rows_2(cpu: Fma, rows: [&[u64; 2]; LANES]) -> [Self; 2] {
        let [r0, r1, r2, r3, r4, r5, r6, r7] = rows;
        // SAFETY: `cpu` proves AVX2.
        let [[a0, a1], [b0, b1]] = unsafe { [load_two(r0, r1, r2, r3), load_two(r4, r5, r6, r7)] };
        [Self([a0, b0], cpu), Self([a1, b1], cpu)]
    }

    #[inline(always)]
    fn store_rows_4(columns: [Self; 4], rows: [&mut [u64; 4]; LANES]) {
        let [
            Self([a0, b0], _),
            Self([a1, b1], _),
            Self([a2, b2], _),
            Self([a3, b3], _),
        ] = columns;
        let [r0, r1, r2, r3, r4, r5, r6, r7] = rows;
        // SAFETY: the columns prove AVX2.
        unsafe {
            store_fours(transpose([a0, a1, a2, a3]), [r0, r1, r2, r3]);
            store_fours(transpose([b0, b1, b2, b3]), [r4, r5, r6, r7]);
        }
    }

    #[inline(always)]
    fn store_rows_2(columns: [Self; 2], rows: [&mut [u64; 2]; LANES]) {
        let [Self([a0, b0], _), Self([a1, b1], _)] = columns;
        let [r0, r1, r2, r3, r4, r5, r6, r7] = rows;
        // SAFETY: the columns prove AVX2.
        unsafe {
            store_twos(a0, a1, [r0, r1, r2, r3]);
            store_twos(b0, b1, [r4, r5, r6, r7]);
        }
    }
}

/// The low part, with its sign, and the high part of the product of the low 52 bits.
#[inline(always)]
fn parts(a: Ymms, b: Ymms) -> (Ymms, Ymms) {
    let mask = Ymms::splat(a.1, MASK_52);
    let low = Ymms::splat(a.1, LOW.to_bits());
    let high = Ymms::splat(a.1, HIGH.to_bits().wrapping_neg());
    Ymms::add_product(low, high, a.and(mask).to_factor(), b.and(mask).to_factor())
}
