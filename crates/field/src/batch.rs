//! Montgomery's trick: many inversions for the price of one and three products each.

use crate::Field;

/// Replaces each non-zero element of `values` by its inverse; zeros stay zero.
///
/// `scratch` is overwritten and grows to `values.len()`; keep it between calls to avoid allocation.
/// Cost: one inversion and `3·(n - 1)` products. Time depends on where the zeros are and on the product.
/// Source: Montgomery 1987, "Speeding the Pollard and elliptic curve methods", section 10.3.1.
pub fn batch_invert_vartime<F: Field>(values: &mut [F], scratch: &mut Vec<F>) {
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
