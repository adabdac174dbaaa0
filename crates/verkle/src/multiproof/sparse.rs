//! Polynomials that are mostly zero, as most nodes of a tree are: only what is there is multiplied.

use crate::Values;
use frumious_curves::bandersnatch::Fr;
use frumious_field::Field;

/// Up to so many values are multiplied one by one: a product alone costs about two and a half times its share of a sum.
const FEW: usize = 96;

/// Every so many values is looked at first, so that dense polynomials cost next to nothing here.
const STRIDE: usize = 16;

/// Adds `weight·values` to `sum` if few values are not zero; else does nothing and answers false.
pub(super) fn add_if_sparse(sum: &mut Values, values: &Values, weight: &Fr) -> bool {
    let sampled = values.iter().step_by(STRIDE);
    if sampled.filter(|value| !value.is_zero_vartime()).count() * STRIDE > values.len() / 2 {
        return false;
    }
    if values
        .iter()
        .filter(|value| !value.is_zero_vartime())
        .count()
        > FEW
    {
        return false;
    }
    for (sum, value) in sum.iter_mut().zip(values) {
        if !value.is_zero_vartime() {
            *sum += *value * *weight;
        }
    }
    true
}
