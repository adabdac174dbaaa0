//! The secrets of one contributor, and what is done with them.

use crate::ProvingEngine;
use frumious_curves::{Group, ScalarDigits};
use frumious_field::Field;
use frumious_msm::{PointList, ScaledPoint, scalar_digits_vartime, scale_each_vartime};
use frumious_parallel::for_each_chunk_mut;
use zeroize::{Zeroize, ZeroizeOnDrop, Zeroizing};

/// A contributor's factors of τ, α and β. Wiped when dropped.
#[derive(Zeroize, ZeroizeOnDrop)]
pub struct TauShare<E: ProvingEngine> {
    tau: E::Fr,
    alpha: E::Fr,
    beta: E::Fr,
}

/// One of the secrets of a ceremony.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum TauSecret {
    /// τ.
    Tau,
    /// α.
    Alpha,
    /// β.
    Beta,
}

impl<E: ProvingEngine> TauShare<E> {
    /// The share with these factors; none if one of them is zero.
    pub fn new(tau: E::Fr, alpha: E::Fr, beta: E::Fr) -> Option<Self> {
        let is_none_zero = ![tau, alpha, beta].contains(&E::Fr::ZERO);
        is_none_zero.then_some(Self { tau, alpha, beta })
    }

    /// The point times the factor of a secret. Constant time.
    pub fn multiply<A: Group<Scalar = E::Fr>>(&self, secret: TauSecret, point: &A) -> A {
        A::from(A::multiply(&(*point).into(), self.factor(secret)))
    }

    fn factor(&self, secret: TauSecret) -> &E::Fr {
        match secret {
            TauSecret::Tau => &self.tau,
            TauSecret::Alpha => &self.alpha,
            TauSecret::Beta => &self.beta,
        }
    }

    /// `f·tⁱ·points[k]` for each k, with `i = first + k`, t the factor of τ, and f that of `secret`, or 1 without one.
    /// The points are in the group or at infinity. In parallel.
    ///
    /// Points outside the group would tell something of the secrets: the caller has checked them.
    ///
    /// Time: variable in the secrets, by decision (SECURITY.md).
    pub fn raise_vartime<A: ScaledPoint + Group<Scalar = E::Fr>>(
        &self,
        secret: Option<TauSecret>,
        first: u64,
        points: PointList<'_, A>,
    ) -> Vec<A> {
        let mut products = vec![A::default(); points.len()];
        for_each_chunk_mut(&mut products, POINTS_PER_TASK, |index, products| {
            let start = index * POINTS_PER_TASK;
            let points = points.slice(start..start + products.len());
            let mut scalar = Zeroizing::new(self.tau.pow_vartime(&[first + start as u64]));
            if let Some(secret) = secret {
                *scalar *= *self.factor(secret);
            }
            let digits: Vec<ScalarDigits> = (0..products.len())
                .map(|_| {
                    let digits = scalar_digits_vartime::<A>(&scalar);
                    *scalar *= self.tau;
                    digits
                })
                .collect();
            scale_each_vartime(points, &Zeroizing::new(digits), products);
        });
        products
    }
}

/// Points of a task: a batch. Their scalars' digits take 0.5 MB.
const POINTS_PER_TASK: usize = 1 << 10;

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use super::*;
    use frumious_curves::{Bls12_381, Bn254};
    use frumious_field::PrimeField;

    /// More than a task, some at infinity: each product is the point times its own scalar.
    fn check<E: ProvingEngine, A: ScaledPoint + Group<Scalar = E::Fr>>(n: usize) {
        let one = E::Fr::ONE;
        for zero in 0..3 {
            let [tau, alpha, beta] =
                core::array::from_fn(|k| if k == zero { E::Fr::ZERO } else { one });
            assert!(TauShare::<E>::new(tau, alpha, beta).is_none());
        }
        let [tau, alpha, beta] = [5, 7, 11].map(|k| E::Fr::from_u64(k).pow_vartime(&[123]));
        let share = TauShare::<E>::new(tau, alpha, beta).unwrap();
        let mut point = A::GENERATOR.into();
        let points: Vec<_> = (0..n)
            .map(|k| {
                point = A::double(&point);
                if k % 5 == 3 {
                    Default::default()
                } else {
                    point
                }
            })
            .collect();
        let points = A::normalise_vartime(&points);
        for (secret, factor) in [
            (None, one),
            (Some(TauSecret::Alpha), alpha),
            (Some(TauSecret::Beta), beta),
        ] {
            for first in [0, 1, 1 << 20] {
                let raised = share.raise_vartime(secret, first, (&points).into());
                assert_eq!(raised.len(), n);
                for k in (0..n).step_by(41) {
                    let scalar = factor * tau.pow_vartime(&[first + k as u64]);
                    let expected = A::from(A::multiply(&points[k].into(), &scalar));
                    assert_eq!(raised[k], expected, "{k}");
                }
            }
        }
        assert_eq!(
            share.multiply(TauSecret::Tau, &points[0]),
            share.raise_vartime(None, 1, (&points[..1]).into())[0]
        );
    }

    #[test]
    fn each_point_has_its_own_power() {
        check::<Bn254, <Bn254 as frumious_curves::PairingEngine>::G1>(POINTS_PER_TASK + 3);
        check::<Bn254, <Bn254 as frumious_curves::PairingEngine>::G2>(42);
        check::<Bls12_381, <Bls12_381 as frumious_curves::PairingEngine>::G1>(42);
        check::<Bls12_381, <Bls12_381 as frumious_curves::PairingEngine>::G2>(42);
    }
}
