//! Lagrange bases evaluated at a point, in blocks.

use frumious_curves::engine::ScalarField;
use frumious_field::batch_invert_vartime;
use std::ops::Range;
use zeroize::{Zeroize, ZeroizeOnDrop, Zeroizing};

/// `factor · x_i/(τ − x_i)` for the points x_i = shift·root^i of a coset.
///
/// With `root` of order n, the i-th Lagrange polynomial of the coset is
/// `((X/shift)^n − 1)/n · x_i/(X − x_i)`. The caller puts the first part, and whatever else is common, into `factor`.
/// τ must not be one of the points (the caller compares (τ/shift)^n with 1): there the result would be zero.
/// Secret: τ, the factor and the results.
#[derive(Zeroize, ZeroizeOnDrop)]
pub(super) struct BasisAt<F: ScalarField> {
    pub(super) tau: F,
    pub(super) root: F,
    pub(super) shift: F,
    pub(super) factor: F,
}

impl<F: ScalarField> BasisAt<F> {
    /// The values for i in `range`, with one inversion.
    pub(super) fn values(&self, range: Range<usize>) -> Zeroizing<Vec<F>> {
        let first = self.shift * self.root.pow_vartime(&[range.start as u64]);
        let mut x = first;
        let mut values = Zeroizing::new(Vec::with_capacity(range.len()));
        for _ in range {
            values.push(self.tau - x);
            x *= self.root;
        }
        let mut scratch = Vec::new();
        batch_invert_vartime(&mut values, &mut scratch); // no zeros: as good as constant time
        scratch.zeroize();
        let mut scaled = first * self.factor;
        for value in values.iter_mut() {
            *value *= scaled;
            scaled *= self.root;
        }
        values
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use super::*;
    use frumious_curves::bn254::Fr;
    use frumious_fft::Domain;

    /// A polynomial's value at τ from its values on a coset equals its value from the coefficients, in whatever blocks.
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
                let basis = BasisAt {
                    tau,
                    root: domain.root(),
                    shift,
                    factor,
                };
                for block in [n, 700] {
                    let sum = (0..n)
                        .step_by(block)
                        .flat_map(|i| basis.values(i..n.min(i + block)).to_vec())
                        .zip(&evaluations)
                        .fold(Fr::ZERO, |sum, (l, v)| sum + l * *v);
                    assert_eq!(sum, expected, "2^{log_n}");
                }
            }
        }
    }
}
