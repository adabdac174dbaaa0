//! The form of transforms: elements below `3p`, whose factors are prepared.

use super::{KernelField, Multiplier, TransformField, WordField};
use core::marker::PhantomData;
use core::ops::{Add, Mul, Sub};
use frumious_limbs::{Prepared, modular, words};

/// An element of `F` below `3p`, multiplied by `T`. For fields with `(4 + 3p/2^256)·p < 2^256`: a product with a
/// prepared factor is below that, and one subtraction of `2p` takes it below `3p` again.
#[derive(Clone, Copy, Debug)]
pub struct Loose<F, T> {
    words: [u64; 4],
    cpu: T,
    field: PhantomData<F>,
}

impl<F: WordField, T: Multiplier> Loose<F, T> {
    const TWICE: [u64; 4] = words::double(&F::MODULUS_64.p);

    const THRICE: [u64; 4] = {
        // 0.215 is below the positive root of 3x² + 4x = 1; as a fraction of 2^64, for the top word.
        let limit = (u64::MAX as u128 * 215 / 1000) as u64;
        assert!(F::MODULUS_64.p[3] < limit, "p < 0.215·2^256");
        words::add(&Self::TWICE, &F::MODULUS_64.p).0
    };

    #[inline(always)]
    fn with(self, words: [u64; 4]) -> Self {
        debug_assert!(
            words::less_than_vartime(&words, &Self::THRICE),
            "values of transforms stay below 3p"
        );
        Self { words, ..self }
    }
}

impl<F: WordField, T: Multiplier> KernelField for Loose<F, T> {
    type Scalar = F;
    type Cpu = T;

    #[inline(always)]
    fn load(cpu: T, value: F) -> Self {
        Self {
            words: value.to_words(),
            cpu,
            field: PhantomData,
        }
    }

    #[inline(always)]
    fn store(self) -> F {
        let below_twice = modular::reduce_once(&self.words, &Self::TWICE);
        F::from_words(modular::reduce_once(&below_twice, &F::MODULUS_64.p))
    }
}

impl<F: WordField, T: Multiplier> TransformField for Loose<F, T> {
    type Factor = Prepared<4>;

    #[inline(always)]
    fn factor(_: T, value: F) -> Prepared<4> {
        Prepared::new(&value.to_words(), F::MODULUS_64)
    }

    #[inline(always)]
    fn times(self, factor: &Prepared<4>) -> Self {
        let product = (self.cpu).mul_prepared(&self.words, factor, F::MODULUS_64);
        self.with(modular::reduce_once(&product, &Self::TWICE))
    }
}

impl<F: WordField, T: Multiplier> Add for Loose<F, T> {
    type Output = Self;

    #[inline(always)]
    fn add(self, other: Self) -> Self {
        self.with(modular::add_wide(&self.words, &other.words, &Self::THRICE))
    }
}

impl<F: WordField, T: Multiplier> Sub for Loose<F, T> {
    type Output = Self;

    #[inline(always)]
    fn sub(self, other: Self) -> Self {
        self.with(modular::sub(&self.words, &other.words, &Self::THRICE))
    }
}

impl<F: WordField, T: Multiplier> Mul for Loose<F, T> {
    type Output = Self;

    #[inline(always)]
    fn mul(self, other: Self) -> Self {
        self.with(self.cpu.mul_loose(&self.words, &other.words, F::MODULUS_64))
    }
}
