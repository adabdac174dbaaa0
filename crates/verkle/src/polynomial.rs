//! Polynomials of degree below 256 by their values on the domain 0, 1, …, 255.
//!
//! Source: Feist, "PCS multiproofs using random evaluation" (2021), for division inside the domain; Berrut and Trefethen,
//! "Barycentric Lagrange interpolation" (SIAM Review 2004), section 3, for evaluation outside.

#[cfg(test)]
mod tests;
mod weights;

use frumious_curves::bandersnatch::Fr;
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
    inner_product(values, &lagrange_coefficients(point))
}

/// Adds to `sum` the values of `(f - f(point))/(X - point)` for a point of the domain.
///
/// Outside of the point it is `(f[i] - f[point])/(i - point)`; at the point, `-Σ A'(point)/A'(i)·q[i]` over the other
/// values `q[i]`, as the degree is below 255.
pub(crate) fn add_quotient(sum: &mut Values, values: &Values, point: u8) {
    let weights = Weights::get();
    let point = usize::from(point);
    let value = values[point];
    let mut quotient = [Fr::ZERO; DOMAIN];
    for (i, (quotient, inverse)) in quotient
        .iter_mut()
        .zip(weights.inverse_differences(point))
        .enumerate()
    {
        *quotient = (values[i] - value) * *inverse; // at the point itself: 0·0
    }
    let others = inner_product(&quotient, &weights.inverse_derivatives);
    quotient[point] = -(others * weights.derivatives[point]);
    for (sum, quotient) in sum.iter_mut().zip(&quotient) {
        *sum += *quotient;
    }
}

/// `a[0]·b[0] + …` of vectors of one length, with one reduction for four products.
pub(crate) fn inner_product(a: &[Fr], b: &[Fr]) -> Fr {
    const AT_ONCE: usize = 4;
    debug_assert_eq!(a.len(), b.len());
    let (a_blocks, b_blocks) = (a.chunks_exact(AT_ONCE), b.chunks_exact(AT_ONCE));
    let rest = a_blocks.remainder().iter().zip(b_blocks.remainder());
    let mut sum = rest.fold(Fr::ZERO, |sum, (a, b)| sum + *a * *b);
    for (a, b) in a.chunks_exact(AT_ONCE).zip(b.chunks_exact(AT_ONCE)) {
        let (a, b): (&[Fr; AT_ONCE], &[Fr; AT_ONCE]) = (
            a.try_into().expect("a whole block"),
            b.try_into().expect("a whole block"),
        );
        sum += Fr::sum_of_products(a.each_ref(), b.each_ref());
    }
    sum
}
