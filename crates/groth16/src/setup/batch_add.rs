//! Additions of affine points, many at once, with one shared inversion: six products each.
//!
//! Source: Montgomery 1987, "Speeding the Pollard and elliptic curve methods of factorization", section 10.3.1, for the
//! shared inversion. The MSM has its own, made for buckets; this one adds two sequences.

use frumious_field::{Field, batch_invert_vartime};
use frumious_msm::MsmPoint;

/// Buffers for batches of affine additions of up to some length.
pub(super) struct BatchAdder<F> {
    /// Positions whose addition needs a slope, and its numerator.
    slopes: Vec<(usize, F)>,
    denominators: Vec<F>,
    scratch: Vec<F>,
}

impl<F: Field> BatchAdder<F> {
    pub(super) fn new(len: usize) -> Self {
        Self {
            slopes: Vec::with_capacity(len),
            denominators: Vec::with_capacity(len),
            scratch: Vec::with_capacity(len),
        }
    }

    /// `sums[i] += addends[i]`, all cases included. Both of one length.
    pub(super) fn add_vartime<A: MsmPoint<Base = F>>(&mut self, sums: &mut [A], addends: &[A]) {
        self.slopes.clear();
        self.denominators.clear();
        for (i, (sum, addend)) in sums.iter_mut().zip(addends).enumerate() {
            if addend.is_infinity_vartime() {
                continue;
            }
            if sum.is_infinity_vartime() {
                *sum = *addend;
                continue;
            }
            let (x1, y1) = sum.coordinates();
            let (x2, y2) = addend.coordinates();
            if x1 != x2 {
                self.slopes.push((i, y2 - y1)); // λ = (y2 − y1)/(x2 − x1)
                self.denominators.push(x2 - x1);
            } else if y1 == y2 {
                let xx = x1.square();
                self.slopes.push((i, xx.double() + xx)); // λ = 3·x²/(2·y), y ≠ 0 as the order is odd
                self.denominators.push(y1.double());
            } else {
                *sum = infinity();
            }
        }
        batch_invert_vartime(&mut self.denominators, &mut self.scratch);
        for ((i, numerator), inverse) in self.slopes.iter().zip(&self.denominators) {
            let (x1, y1) = sums[*i].coordinates();
            let (x2, _) = addends[*i].coordinates(); // = x1 when doubling
            let slope = *numerator * *inverse;
            let x3 = slope.square() - x1 - x2;
            sums[*i] = A::from_coordinates(x3, slope * (x1 - x3) - y1);
        }
    }
}

/// The point at infinity in its affine encoding.
pub(super) fn infinity<A: MsmPoint>() -> A {
    A::from_coordinates(A::Base::ZERO, A::Base::ZERO)
}

#[cfg(test)]
mod tests {
    use super::*;
    use frumious_curves::bn254::{G1Affine, G1Projective};

    #[test]
    fn batch_addition_has_no_exceptions() {
        let p = G1Affine::GENERATOR;
        let two_p = G1Projective::GENERATOR.double().to_affine();
        let o = G1Affine::IDENTITY;
        let cases = [
            (p, two_p),
            (p, p),
            (p, p.neg()),
            (o, p),
            (p, o),
            (o, o),
            (two_p, p.neg()),
        ];
        let mut sums: Vec<G1Affine> = cases.iter().map(|(sum, _)| *sum).collect();
        let addends: Vec<G1Affine> = cases.iter().map(|(_, addend)| *addend).collect();
        BatchAdder::new(0).add_vartime(&mut sums, &addends);
        for ((a, b), sum) in cases.iter().zip(sums) {
            let expected = G1Projective::from(*a) + G1Projective::from(*b);
            assert_eq!(sum, expected.to_affine());
        }
    }
}
