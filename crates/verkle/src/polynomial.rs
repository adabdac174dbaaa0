//! Polynomials of degree below 256 by their values on the domain 0, 1, …, 255.
//!
//! Source: Feist, "PCS multiproofs using random evaluation" (2021), for division inside the domain. Berrut and
//! Trefethen, "Barycentric Lagrange interpolation" (SIAM Review 2004), sections 3 and 4, for evaluation outside.

#[cfg(test)]
mod tests;
mod weights;

use frumious_curves::bandersnatch::Fr;
use frumious_field::{batch_invert_vartime, vector};
pub(crate) use weights::Weights;

/// The number of points of the domain, and of values of a polynomial.
pub const DOMAIN: usize = 256;

const DOMAIN_WORD: u64 = DOMAIN as u64;

/// The values of a polynomial at 0, 1, …, 255.
pub type Values = [Fr; DOMAIN];

/// The `b` with `f(point) = <f, b>` for every polynomial: `b[i] = A(point)/(A'(i)·(point - i))`,
/// `A = (X - 0)···(X - 255)`.
///
/// For points of the domain `b` is a unit vector.
pub fn lagrange_coefficients(point: &Fr) -> Values {
    let mut inverses = distances(point);
    batch_invert_vartime(&mut inverses, &mut Vec::with_capacity(DOMAIN));
    lagrange_from_inverses(point, inverses)
}

/// As [`lagrange_coefficients`], from `1/(point - i)`, zero where the distance is.
///
/// As the coefficients add up to one, `1/A(point)` is the sum of `1/(A'(i)·(point - i))`.
pub(crate) fn lagrange_from_inverses(point: &Fr, inverses: Values) -> Values {
    let mut coefficients = inverses;
    if let [index @ 0..DOMAIN_WORD, 0, 0, 0] = point.to_canonical_limbs() {
        coefficients = [Fr::ZERO; DOMAIN];
        coefficients[index as usize] = Fr::ONE;
        return coefficients;
    }
    vector::multiply_assign(&mut coefficients, &Weights::get().inverse_derivatives);
    let sum = vector::sum(&coefficients).invert_vartime();
    let product = sum.expect("1/A(point) is not zero");
    vector::scale(&mut coefficients, &product);
    coefficients
}

/// `point - i` for each `i` of the domain.
pub(crate) fn distances(point: &Fr) -> Values {
    let mut distance = *point;
    let mut distances = [Fr::ZERO; DOMAIN];
    for target in &mut distances {
        *target = distance;
        distance -= Fr::ONE;
    }
    distances
}

/// `f(point)`, for any point.
pub fn evaluate(values: &Values, point: &Fr) -> Fr {
    vector::inner_product(values, &lagrange_coefficients(point))
}

/// Adds to `sum` the values of `(f - f(point))/(X - point)` for a point of the domain.
///
/// Outside of the point it is `(f[i] - f[point])/(i - point)`; at the point, `-Σ A'(point)/A'(i)·q[i]` over the other
/// values `q[i]`, as the degree is below 255.
pub(crate) fn add_quotient(sum: &mut Values, values: &Values, point: u8) {
    let weights = Weights::get();
    let point = usize::from(point);
    let value = values[point];
    let mut quotient = *values;
    quotient.iter_mut().for_each(|quotient| *quotient -= value);
    // at the point itself: 0·0
    vector::multiply_assign(&mut quotient, weights.inverse_differences(point));
    let others = vector::inner_product(&quotient, &weights.inverse_derivatives);
    quotient[point] = -(others * weights.derivatives[point]);
    vector::add_assign(sum, &quotient);
}
