//! Polynomials of degree below 256 by their values on the domain 0, 1, …, 255.
//!
//! Source: Feist, "PCS multiproofs using random evaluation" (2021), for division inside the domain; Berrut and Trefethen,
//! "Barycentric Lagrange interpolation" (SIAM Review 2004), section 3, for evaluation outside.

#[cfg(test)]
mod tests;
mod weights;

use frumious_curves::bandersnatch::Fr;
use frumious_field::vector;
pub(crate) use weights::Weights;

/// The number of points of the domain, and of values of a polynomial.
pub const DOMAIN: usize = 256;

/// The values of a polynomial at 0, 1, …, 255.
pub type Values = [Fr; DOMAIN];

/// The `b` with `f(point) = <f, b>` for every polynomial: `b[i] = A(point)/(A'(i)·(point - i))`, `A = (X - 0)···(X - 255)`.
///
/// `A(point)/(point - i)` is computed as the product of the other factors, from products of all before and of all after
/// `i`: four products an element, no inversion, and right for points of the domain too, where `b` is a unit vector.
pub fn lagrange_coefficients(point: &Fr) -> Values {
    let weights = Weights::get();
    let mut coefficients = weights.inverse_derivatives;
    let mut before = Fr::ONE;
    let mut factor = *point;
    for coefficient in &mut coefficients {
        *coefficient *= before;
        before *= factor;
        factor -= Fr::ONE;
    }
    let mut after = Fr::ONE;
    for coefficient in coefficients.iter_mut().rev() {
        factor += Fr::ONE;
        *coefficient *= after;
        after *= factor;
    }
    coefficients
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
