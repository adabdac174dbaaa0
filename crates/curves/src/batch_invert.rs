//! Inversion of many elements at once in constant time.

use frumious_field::Field;

/// Replaces each non-zero element by its inverse; zeros stay zero. Time depends on the length only.
///
/// Cost: one inversion, three products an element. Zeros take part as ones, which is where it differs from
/// [`frumious_field::batch_invert_vartime`]. Source: Montgomery 1987, section 10.3.1.
pub(crate) fn batch_invert<F: Field>(values: &mut [F]) {
    let mut product = F::ONE;
    let before: Vec<F> = values
        .iter()
        .map(|value| {
            let before = product;
            product *= one_for_zero(value);
            before
        })
        .collect();
    let mut inverse = product.invert().unwrap_or(F::ZERO); // a product of what is not zero; `expect` would branch
    for (value, before) in values.iter_mut().zip(before).rev() {
        let own = inverse * before;
        inverse *= one_for_zero(value);
        value.conditional_assign(&own, !value.is_zero());
    }
}

/// The value, or one if it is zero.
fn one_for_zero<F: Field>(value: &F) -> F {
    F::conditional_select(value, &F::ONE, value.is_zero())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bn254::Fq;

    #[test]
    fn inverts_all_but_zeros() {
        let values: Vec<Fq> = [3, 0, 1, 7, 0].map(Fq::from_u64).to_vec();
        let mut inverses = values.clone();
        batch_invert(&mut inverses);
        for (value, inverse) in values.iter().zip(inverses) {
            assert_eq!(inverse, value.invert().unwrap_or(Fq::ZERO));
        }
        batch_invert::<Fq>(&mut []);
    }
}
