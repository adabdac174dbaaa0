//! Products of coefficients with integers, many at once.

use crate::{Integer, TwiceMontgomery, WordField};
use zeroize::{Zeroize, Zeroizing};

/// Up to `N` coefficients, whose products with integers are made together. Wiped on drop.
pub struct IntegerProducts<F: WordField + Zeroize, const N: usize> {
    len: usize,
    /// The elements whose Montgomery forms the coefficients are; in the end the products.
    coefficients: Zeroizing<[F; N]>,
    /// The elements whose Montgomery forms the integers are: `x·R` times `y/R` is `x·y`.
    integers: Zeroizing<[F; N]>,
}

impl<F: WordField + Zeroize, const N: usize> IntegerProducts<F, N> {
    /// No coefficients.
    #[expect(clippy::new_without_default, reason = "room is made by name")]
    pub fn new() -> Self {
        Self {
            len: 0,
            coefficients: Zeroizing::new([F::ZERO; N]),
            integers: Zeroizing::new([F::ZERO; N]),
        }
    }

    /// Number of coefficients.
    #[inline(always)]
    pub fn len(&self) -> usize {
        self.len
    }

    /// True if there are none.
    #[inline(always)]
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Adds a coefficient.
    ///
    /// # Panics
    /// If there are `N` already.
    #[inline(always)]
    pub fn push(&mut self, coefficient: TwiceMontgomery<F>) {
        self.coefficients[self.len] = coefficient.to_element_of_form();
        self.len += 1;
    }

    /// The products of the k-th coefficient with `integer(k)`, for all k. Afterwards there are no coefficients.
    #[inline(always)]
    pub fn times(&mut self, integer: impl Fn(usize) -> Integer<F>) -> &[F] {
        let products = &mut self.coefficients[..self.len];
        let integers = &mut self.integers[..self.len];
        for (k, element) in integers.iter_mut().enumerate() {
            *element = integer(k).to_element_of_form();
        }
        super::multiply_assign(products, integers);
        self.len = 0;
        products
    }
}
