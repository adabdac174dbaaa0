//! Montgomery's trick: many inversions for the price of one and three products each.
//!
//! [`batch_invert_vartime`] is for slices of elements. Where inverses are only needed to multiply by, as for points
//! with a denominator, kernels implement [`Fractions`] and never write the inverses to memory.
//!
//! Source: Montgomery 1987, "Speeding the Pollard and elliptic curve methods", section 10.3.1.

mod eights;
mod fractions;
mod inverses;
#[cfg(test)]
mod tests;

use crate::Field;
pub use eights::{Eights, EightsMut};
pub use fractions::{Fractions, InvertAll};
#[doc(hidden)]
pub use inverses::batch_invert_words_vartime;

/// Values of one inversion, for those who cut long batches for [`InvertAll`]: what belongs to so many stays in the
/// second-level cache. The inversion is 0.4 ns for each of them.
pub const AT_ONCE: usize = 4096;

/// Replaces each non-zero element of `values` by its inverse; zeros stay zero.
///
/// `scratch` is overwritten, is left with nothing of use, and grows to `values.len()` at most; keep it between calls to
/// avoid allocation. Cost: one inversion and `3·(n - 1)` products; in lanes one inversion for each [`AT_ONCE`]
/// elements. Time depends on where the zeros are and on the product.
pub fn batch_invert_vartime<F: Field>(values: &mut [F], scratch: &mut Vec<F>) {
    F::batch_invert_vartime(values, scratch);
}

/// The same one by one, for any field.
#[doc(hidden)]
pub fn batch_invert_scalar_vartime<F: Field>(values: &mut [F], scratch: &mut Vec<F>) {
    scratch.clear();
    scratch.reserve(values.len());
    let mut product = F::ONE;
    for value in values.iter() {
        scratch.push(product);
        if !value.is_zero_vartime() {
            product *= *value;
        }
    }
    let mut inverse = product
        .invert_vartime()
        .expect("a product of non-zero elements is non-zero");
    for (value, before) in values.iter_mut().zip(scratch.iter()).rev() {
        if !value.is_zero_vartime() {
            let own = inverse * *before;
            inverse *= *value;
            *value = own;
        }
    }
}
