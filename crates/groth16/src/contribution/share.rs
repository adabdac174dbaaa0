//! The secret of one contributor, and what is done with it.

use crate::ProvingEngine;
use frumious_curves::{Group, ScalarDigits};
use frumious_field::Field;
use frumious_msm::{PointList, scalar_digits_vartime, scale_vartime};
use frumious_parallel::for_each_chunk_mut;
use zeroize::{Zeroize, ZeroizeOnDrop};

/// A contributor's factor d of δ, with what divisions by it need. Wiped when dropped.
#[derive(Zeroize, ZeroizeOnDrop)]
pub struct DeltaShare<E: ProvingEngine> {
    factor: E::Fr,
    /// The digits of 1/d.
    inverse: ScalarDigits,
}

impl<E: ProvingEngine> DeltaShare<E> {
    /// The share with this d; none if it is zero.
    ///
    /// The digits of 1/d are found in variable time, as divisions by it take variable time.
    pub fn new(factor: E::Fr) -> Option<Self> {
        let mut inverse = factor.invert().into_option()?;
        let digits = scalar_digits_vartime::<E::G1>(&inverse);
        inverse.zeroize();
        Some(Self {
            factor,
            inverse: digits,
        })
    }

    /// `d·point`: for δ in both groups, and for the proof of knowledge. Constant time.
    pub fn multiply<A: Group<Scalar = E::Fr>>(&self, point: &A) -> A {
        A::from(A::multiply(&(*point).into(), &self.factor))
    }

    /// `point/d` for each of the points, which are in the group or at infinity: for parts C and H. In parallel.
    ///
    /// Points outside the group would tell something of d: the caller has checked them.
    ///
    /// Time: variable in d, by decision (SECURITY.md).
    pub fn divide_vartime(&self, points: PointList<'_, E::G1>) -> Vec<E::G1> {
        let mut quotients = vec![E::G1::default(); points.len()];
        for_each_chunk_mut(&mut quotients, POINTS_PER_TASK, |index, quotients| {
            let start = index * POINTS_PER_TASK;
            let points = points.slice(start..start + quotients.len());
            scale_vartime(points, &self.inverse, quotients);
        });
        quotients
    }
}

/// Points of a task: some batches.
const POINTS_PER_TASK: usize = 1 << 12;

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use super::*;
    use frumious_curves::{Bls12_381, Bn254};
    use frumious_field::PrimeField;

    /// Any number of points, some at infinity: each quotient times d is the point.
    fn check<E: ProvingEngine>() {
        assert!(DeltaShare::<E>::new(E::Fr::ZERO).is_none());
        let big = E::Fr::from_u64(7).pow_vartime(&[321]);
        for factor in [E::Fr::ONE, -E::Fr::ONE, big] {
            let share = DeltaShare::<E>::new(factor).unwrap();
            for n in [0, 1, POINTS_PER_TASK + 3] {
                let mut point = E::G1::GENERATOR.into();
                let points: Vec<_> = (0..n)
                    .map(|k| {
                        point = E::G1::double(&point);
                        if k % 3 == 1 {
                            Default::default()
                        } else {
                            point
                        }
                    })
                    .collect();
                let points = E::G1::normalise_vartime(&points);
                let quotients = share.divide_vartime((&points).into());
                assert_eq!(quotients.len(), n);
                for k in (0..n).step_by(97) {
                    assert_eq!(share.multiply(&quotients[k]), points[k]);
                }
            }
        }
    }

    #[test]
    fn quotients_times_the_share_are_the_points() {
        check::<Bn254>();
        check::<Bls12_381>();
    }
}
