//! `Domain`: a subgroup of order 2^k with what its transforms need.

use crate::Error;
use crate::lanes::Tables;
use crate::shape::Shape;
use crate::twiddles::{Twiddles, square_times};
use frumious_field::PrimeField;
use std::sync::OnceLock;

/// The subgroup `H` of order `n = 2^log_size` of a prime field's multiplicative group, and its transforms.
///
/// Its generator is `ROOT_OF_UNITY^(2^(TWO_ADICITY - log_size))`, or the same power of another root; for BN254 Fr these
/// are the roots of snarkjs. Tables are computed once, about `3·√n` elements (`n` up to `n = 2^16`), and shared: a
/// `&Domain` serves any number of threads.
///
/// Transforms are in place, natural order in and out, in constant time in the values, and spread over the threads of
/// `frumious-parallel`. The result does not depend on their number. Each returns an error, with the values untouched,
/// if their number is not `n`.
#[derive(Clone, Debug)]
pub struct Domain<F: PrimeField> {
    pub(crate) shape: Shape,
    root: F,
    root_inverse: F,
    size_inverse: F,
    pub(crate) forward: Twiddles<F>,
    pub(crate) inverse: Twiddles<F>,
    /// Made by the first transform in lanes.
    pub(crate) lanes: OnceLock<Tables<F>>,
}

impl<F: PrimeField> Domain<F> {
    /// The domain of `2^log_size` elements. Cost: a product for each element of the tables.
    ///
    /// # Errors
    /// [`Error::DomainTooLarge`] above the field's two-adicity (28 for BN254 Fr) or the address space.
    pub fn new(log_size: u32) -> Result<Self, Error> {
        Self::with_root_of_unity(F::ROOT_OF_UNITY, log_size)
    }

    /// The domain of `2^log_size` elements whose generator is a power of `root_of_unity`, of order 2^`TWO_ADICITY`,
    /// instead of the field's own: formats differ in it.
    ///
    /// # Errors
    /// As [`new`](Self::new); [`Error::NotARootOfUnity`] for an element of another order.
    pub fn with_root_of_unity(root_of_unity: F, log_size: u32) -> Result<Self, Error> {
        let maximum = F::TWO_ADICITY.min(max_log_len::<F>());
        if log_size > maximum {
            return Err(Error::DomainTooLarge { log_size, maximum });
        }
        if square_times(root_of_unity, F::TWO_ADICITY - 1) != -F::ONE {
            return Err(Error::NotARootOfUnity);
        }
        Ok(Self::with_root_and_shape(
            root_of_unity,
            Shape::of(log_size),
        ))
    }

    /// The domain whose transforms are cut as `shape` says; at most 2^`TWO_ADICITY` elements.
    #[cfg(test)]
    pub(crate) fn with_shape(shape: Shape) -> Self {
        Self::with_root_and_shape(F::ROOT_OF_UNITY, shape)
    }

    #[inline(never)]
    fn with_root_and_shape(root_of_unity: F, shape: Shape) -> Self {
        let log_size = shape.log_size();
        let root = square_times(root_of_unity, F::TWO_ADICITY - log_size);
        let root_inverse = root
            .invert_vartime()
            .expect("a root of unity is invertible");
        let size_inverse = F::from_u64(1 << log_size)
            .invert_vartime()
            .expect("a power of two is not zero modulo an odd prime");
        Self {
            shape,
            root,
            root_inverse,
            size_inverse,
            forward: Twiddles::new(root, shape),
            inverse: Twiddles::new(root_inverse, shape),
            lanes: OnceLock::new(),
        }
    }

    /// Binary logarithm of the number of elements.
    pub fn log_size(&self) -> u32 {
        self.shape.log_size()
    }

    /// Number of elements, `n`.
    pub fn size(&self) -> usize {
        1 << self.log_size()
    }

    /// The generator: `H` is its powers, in this order. Its order is exactly `n`.
    pub fn root(&self) -> F {
        self.root
    }

    /// `1/root`.
    pub fn root_inverse(&self) -> F {
        self.root_inverse
    }

    /// `1/n`.
    pub fn size_inverse(&self) -> F {
        self.size_inverse
    }

    pub(crate) fn check_len(&self, values: &[F]) -> Result<(), Error> {
        if values.len() == self.size() {
            Ok(())
        } else {
            Err(Error::LengthMismatch {
                expected: self.size(),
                actual: values.len(),
            })
        }
    }
}

/// Largest `k` for which 2^k elements can be addressed, a slice being at most `isize::MAX` bytes.
fn max_log_len<F>() -> u32 {
    (isize::MAX as usize / size_of::<F>()).ilog2()
}
