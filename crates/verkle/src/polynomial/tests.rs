//! Against polynomials by their coefficients, evaluated by Horner's rule.

use super::*;
use crate::polynomial::Weights;

fn node(i: usize) -> Fr {
    Fr::from_u64(i as u64)
}

/// Residues without a pattern.
fn scalars(seed: u64) -> impl Iterator<Item = Fr> {
    let mut state = Fr::from_u64(seed);
    core::iter::repeat_with(move || {
        state = state.square() + Fr::from_u64(5);
        state.square() + state
    })
}

fn horner(coefficients: &[Fr], point: &Fr) -> Fr {
    let downwards = coefficients.iter().rev();
    downwards.fold(Fr::ZERO, |sum, coefficient| sum * *point + *coefficient)
}

/// Coefficients: none, few, all; and the values on the domain.
fn cases() -> Vec<(Vec<Fr>, Values)> {
    [0, 1, 2, 255, 256]
        .iter()
        .map(|count| {
            let coefficients: Vec<Fr> = scalars(3 + *count as u64).take(*count).collect();
            let values = core::array::from_fn(|i| horner(&coefficients, &node(i)));
            (coefficients, values)
        })
        .collect()
}

#[test]
fn weights_are_what_they_are_called() {
    let weights = Weights::get();
    for i in 0..DOMAIN {
        let others = (0..DOMAIN).filter(|j| *j != i);
        let derivative = others.fold(Fr::ONE, |product, j| product * (node(i) - node(j)));
        assert_eq!(weights.derivatives[i], derivative);
        assert_eq!(weights.inverse_derivatives[i] * derivative, Fr::ONE);
        for j in 0..DOMAIN {
            let product = weights.inverse_differences(j)[i] * (node(i) - node(j));
            assert_eq!(product, if i == j { Fr::ZERO } else { Fr::ONE });
        }
    }
}

#[test]
fn evaluation_outside_and_inside() {
    let outside = [node(256), -Fr::ONE, node(2101), Fr::ONE.halve()];
    for (coefficients, values) in cases() {
        for point in outside.into_iter().chain(scalars(7).take(20)) {
            assert_eq!(evaluate(&values, &point), horner(&coefficients, &point));
        }
        for (i, value) in values.iter().enumerate() {
            assert_eq!(evaluate(&values, &node(i)), *value);
        }
    }
    for i in [0, 1, 128, 255] {
        let unit = lagrange_coefficients(&node(i));
        for (j, coefficient) in unit.iter().enumerate() {
            assert_eq!(*coefficient, if i == j { Fr::ONE } else { Fr::ZERO });
        }
    }
}

#[test]
fn division() {
    for (_, values) in cases() {
        for point in [0, 1, 77, 254, 255] {
            let mut quotient = [Fr::ZERO; DOMAIN];
            add_quotient(&mut quotient, &values, point);
            let value = values[usize::from(point)];
            // outside of the domain too: so the quotient has the right degree, and the right value at the point
            for x in scalars(9).take(5).chain((0..DOMAIN).map(node)) {
                let product = evaluate(&quotient, &x) * (x - node(point.into()));
                assert_eq!(product, evaluate(&values, &x) - value);
            }
            // and it is added
            let mut twice = quotient;
            add_quotient(&mut twice, &values, point);
            assert!(
                twice
                    .iter()
                    .zip(&quotient)
                    .all(|(twice, once)| *twice == once.double())
            );
        }
    }
}
