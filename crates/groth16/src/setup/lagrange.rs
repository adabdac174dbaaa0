//! Lagrange bases evaluated at a point.

use frumious_curves::engine::ScalarField;
use frumious_field::batch_invert_vartime;
use frumious_parallel::for_each_chunk_mut;
use zeroize::{Zeroize, Zeroizing};

/// `factor · x_i/(τ − x_i)` for the points x_i = shift·root^i of a coset, i below `size`.
///
/// With `root` of order `size` = n, the i-th Lagrange polynomial of the coset is
/// `((X/shift)^n − 1)/n · x_i/(X − x_i)`; the caller puts the first part, and whatever else is common, into `factor`.
/// τ must not be one of the points (the caller compares (τ/shift)^n with 1): there the result would be zero.
/// Secret: τ and the result.
pub(super) fn basis_at<F: ScalarField>(
    tau: &F,
    size: usize,
    root: F,
    shift: F,
    factor: F,
) -> Zeroizing<Vec<F>> {
    let mut values = Zeroizing::new(vec![F::ZERO; size]);
    for_each_chunk_mut(&mut values, CHUNK, |index, chunk| {
        let first = shift * root.pow_vartime(&[(index * CHUNK) as u64]);
        let mut x = first;
        for value in chunk.iter_mut() {
            *value = *tau - x;
            x *= root;
        }
        let mut scratch = Vec::new();
        batch_invert_vartime(chunk, &mut scratch); // no zeros: as good as constant time
        scratch.zeroize();
        let mut scaled = first * factor;
        for value in chunk.iter_mut() {
            *value *= scaled;
            scaled *= root;
        }
    });
    values
}

const CHUNK: usize = 1 << 11;

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use super::*;
    use frumious_curves::bn254::Fr;
    use frumious_fft::Domain;

    /// A polynomial's value at τ from its values on a coset equals its value from the coefficients.
    #[test]
    fn interpolates_on_the_domain_and_on_a_coset() {
        for log_n in [0, 1, 5, 12] {
            let domain = Domain::<Fr>::new(log_n).unwrap();
            let n = domain.size();
            let polynomial: Vec<Fr> = (0..n)
                .map(|i| Fr::from_u64(i as u64 * i as u64 + 3))
                .collect();
            let tau = Fr::from_u64(0x1234_5678_9abc);
            let expected = polynomial
                .iter()
                .rev()
                .fold(Fr::ZERO, |sum, c| sum * tau + *c);
            for shift in [Fr::ONE, Fr::from_u64(25)] {
                let mut evaluations = polynomial.clone();
                domain.coset_fft(&mut evaluations, shift).unwrap();
                let scaled = tau * shift.invert_vartime().unwrap();
                let factor = (scaled.pow_vartime(&[n as u64]) - Fr::ONE) * domain.size_inverse();
                let basis = basis_at(&tau, n, domain.root(), shift, factor);
                let sum = basis
                    .iter()
                    .zip(&evaluations)
                    .fold(Fr::ZERO, |sum, (l, v)| sum + *l * *v);
                assert_eq!(sum, expected, "2^{log_n}");
            }
        }
    }
}
