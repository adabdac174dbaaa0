//! Denominators and what is inverted in their place.
//!
//! A slope `n/d` over a quadratic extension is `n·d'/(d·d')` with the conjugate `d'`. The norm `d·d'` is in the base
//! field, where products and the inversion cost a third. Over a prime field an element is its own norm.

use super::Exact;
use frumious_curves::{bls12_381, bn254};
use frumious_field::kernel::Multiplier;
use frumious_field::{Field, KernelField, Lazy, Reduced, WordField};

/// A field whose elements are inverted by their norms.
pub trait Denominator: Field {
    /// The field of the norms.
    type Norm: Field;

    /// The norm, zero only for zero.
    fn norm(&self) -> Self::Norm;
    /// `self·norm(denominator)/denominator`.
    fn above_norm(&self, denominator: &Self) -> Self;
    /// The product.
    fn scaled(&self, by: &Self::Norm) -> Self;
}

/// The same of elements as kernels compute with them.
pub trait Norms: KernelField {
    /// A norm.
    type Norm: KernelField<Cpu = Self::Cpu>;
    /// True if each product chooses the backend itself: code is the same for any `Cpu` then.
    const CHOOSES_IN_PRODUCTS: bool = false;

    /// The norm, zero only for zero.
    fn norm(self) -> Self::Norm;
    /// `self·norm(denominator)/denominator`.
    fn above_norm(self, denominator: Self) -> Self;
    /// The product.
    fn scaled(self, by: Self::Norm) -> Self;
}

/// An element is its own norm.
macro_rules! impl_norms {
    ($($kernel:ident),*) => {$(
        impl<F: WordField, T: Multiplier> Norms for $kernel<F, T> {
            type Norm = Self;

            #[inline(always)]
            fn norm(self) -> Self {
                self
            }

            #[inline(always)]
            fn above_norm(self, _: Self) -> Self {
                self
            }

            #[inline(always)]
            fn scaled(self, by: Self) -> Self {
                self * by
            }
        }
    )*};
}

impl_norms!(Lazy, Reduced);

impl<F: Denominator, T: Multiplier> Norms for Exact<F, T> {
    type Norm = Exact<F::Norm, T>;
    const CHOOSES_IN_PRODUCTS: bool = true;

    #[inline(always)]
    fn norm(self) -> Self::Norm {
        Exact::new(self.store().norm())
    }

    #[inline(always)]
    fn above_norm(self, denominator: Self) -> Self {
        Self::new(self.store().above_norm(&denominator.store()))
    }

    #[inline(always)]
    fn scaled(self, by: Self::Norm) -> Self {
        Self::new(self.store().scaled(&by.store()))
    }
}

impl Denominator for bls12_381::Fq {
    type Norm = Self;

    #[inline(always)]
    fn norm(&self) -> Self {
        *self
    }

    #[inline(always)]
    fn above_norm(&self, _: &Self) -> Self {
        *self
    }

    #[inline(always)]
    fn scaled(&self, by: &Self) -> Self {
        *self * *by
    }
}

macro_rules! impl_denominator {
    ($($curve:ident),*) => {$(
        impl Denominator for $curve::Fq2 {
            type Norm = $curve::Fq;

            #[inline(always)]
            fn norm(&self) -> $curve::Fq {
                $curve::Fq2::norm(self)
            }

            #[inline(always)]
            fn above_norm(&self, denominator: &Self) -> Self {
                self.mul(&denominator.conjugate())
            }

            #[inline(always)]
            fn scaled(&self, by: &$curve::Fq) -> Self {
                self.mul_by_fq(by)
            }
        }
    )*};
}

impl_denominator!(bn254, bls12_381);
