//! A field whose products are already made for sums of products: no lazy form of it is faster.

use core::marker::PhantomData;
use core::ops::{Add, Mul, Sub};
use frumious_field::kernel::Multiplier;
use frumious_field::{Field, KernelField};

/// An element of `F`, always reduced. In Fq2 the backend is chosen inside the product, once for its four.
#[derive(Clone, Copy, Debug)]
pub struct Exact<F, T> {
    value: F,
    cpu: PhantomData<T>,
}

impl<F, T> Exact<F, T> {
    #[inline(always)]
    pub(super) fn new(value: F) -> Self {
        Self {
            value,
            cpu: PhantomData,
        }
    }
}

impl<F: Field, T: Multiplier> KernelField for Exact<F, T> {
    type Scalar = F;
    type Cpu = T;

    #[inline(always)]
    fn load(_: T, value: F) -> Self {
        Self::new(value)
    }

    #[inline(always)]
    fn store(self) -> F {
        self.value
    }

    #[inline(always)]
    fn square(self) -> Self {
        Self {
            value: self.value.square(),
            ..self
        }
    }
}

impl<F: Field, T: Multiplier> Add for Exact<F, T> {
    type Output = Self;

    #[inline(always)]
    fn add(self, other: Self) -> Self {
        Self {
            value: self.value + other.value,
            ..self
        }
    }
}

impl<F: Field, T: Multiplier> Sub for Exact<F, T> {
    type Output = Self;

    #[inline(always)]
    fn sub(self, other: Self) -> Self {
        Self {
            value: self.value - other.value,
            ..self
        }
    }
}

impl<F: Field, T: Multiplier> Mul for Exact<F, T> {
    type Output = Self;

    #[inline(always)]
    fn mul(self, other: Self) -> Self {
        Self {
            value: self.value * other.value,
            ..self
        }
    }
}
