//! Ratios of points, compared by pairings.

use crate::weights::random_weights;
use crate::{Error, ProvingEngine};
use frumious_field::Integer;
use frumious_msm::{PointList, msm_vartime};
use std::ops::Neg;

/// True if `b = x·a` and `d = x·c` for one x, and none of the four points is at infinity. All are in their groups: `a`
/// and `b` in G1, `c` and `d` in G2.
pub fn same_ratio<E: ProvingEngine>((a, b): (&E::G1, &E::G1), (c, d): (&E::G2, &E::G2)) -> bool {
    let infinity = E::G1::default();
    let is_finite = ![a, b].contains(&&infinity) && ![c, d].contains(&&E::G2::default());
    is_finite && products_agree::<E>((a, d), (b, c))
}

/// True if `c·old[i] = d·new[i]` for the logarithms of `c` and `d` and every i: so `new` is `old` times `c/d`.
///
/// Checked is one combination with random weights of 128 bits: lists for which it is false pass with probability at
/// most 2^-128. All points are in their groups, or at infinity; `c` and `d` are not. Lists of two lengths differ.
///
/// # Errors
/// [`Error::Randomness`] if the operating system gives no random bytes for the weights.
#[expect(
    clippy::missing_panics_doc,
    reason = "there is one weight for each point"
)]
pub fn same_multiples<E: ProvingEngine>(
    (old, c): (PointList<'_, E::G1>, &E::G2),
    (new, d): (PointList<'_, E::G1>, &E::G2),
) -> Result<bool, Error> {
    if old.len() != new.len() {
        return Ok(false);
    }
    let mut sums = [E::G1::default().into(); 2];
    for start in (0..old.len()).step_by(GROUP) {
        frumious_parallel::check_cancelled();
        let range = start..old.len().min(start + GROUP);
        let weights: Vec<Integer<E::Fr>> = random_weights(range.len())?;
        for (sum, points) in sums.iter_mut().zip([old, new]) {
            let points = points.slice(range.clone());
            *sum += msm_vartime(points, &weights).expect("one weight for each point");
        }
    }
    let [old, new] = sums.map(E::G1::from);
    Ok(products_agree::<E>((&old, c), (&new, d)))
}

/// `e(a, b) = e(c, d)`.
pub(crate) fn products_agree<E: ProvingEngine>(
    (a, b): (&E::G1, &E::G2),
    (c, d): (&E::G1, &E::G2),
) -> bool {
    let (b, d) = (E::prepare(b), E::prepare(d));
    E::multi_pairing(&[(*a, &b), (c.neg(), &d)]) == E::GT_IDENTITY
}

/// Points of a sum: their weights take 8 MB.
pub(super) const GROUP: usize = 1 << 18;

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use super::*;
    use frumious_curves::{Bls12_381, Bn254, Group};
    use frumious_field::PrimeField;

    fn times<A: Group>(point: A, k: u64) -> A {
        A::from(A::multiply(&point.into(), &A::Scalar::from_u64(k)))
    }

    fn check<E: ProvingEngine>() {
        let (g, h) = (E::G1::GENERATOR, E::G2::GENERATOR);
        let ratio = |a, b, c, d| {
            let (a, b) = (times(g, a), times(g, b));
            same_ratio::<E>((&a, &b), (&times(h, c), &times(h, d)))
        };
        assert!(ratio(2, 6, 5, 15) && ratio(1, 1, 1, 1));
        assert!(!ratio(2, 6, 5, 16) && !ratio(6, 2, 5, 15));
        for infinite in [
            [0, 6, 5, 15],
            [2, 0, 5, 15],
            [2, 6, 0, 15],
            [2, 6, 5, 0],
            [0; 4],
        ] {
            let [a, b, c, d] = infinite;
            assert!(!ratio(a, b, c, d), "{infinite:?}");
        }

        // δ goes from 5 to 15, so points are divided by 3.
        let multiples = |old: &[u64], new: &[u64]| {
            let points = |numbers: &[u64]| -> Vec<E::G1> {
                numbers.iter().map(|number| times(g, *number)).collect()
            };
            let (old, new) = (points(old), points(new));
            let (c, d) = (times(h, 5), times(h, 15));
            same_multiples::<E>(((&old).into(), &c), ((&new).into(), &d)).unwrap()
        };
        assert!(multiples(&[], &[]) && multiples(&[3], &[1]) && multiples(&[0], &[0]));
        assert!(multiples(&[3, 0, 12, 33], &[1, 0, 4, 11]));
        assert!(!multiples(&[3], &[2]) && !multiples(&[0], &[1]) && !multiples(&[3], &[0]));
        // Faults that would cancel without weights; another order; another length.
        assert!(!multiples(&[3, 12], &[2, 3]) && !multiples(&[3, 12], &[4, 1]));
        assert!(!multiples(&[3, 12], &[1]) && !multiples(&[], &[1]));
    }

    #[test]
    fn ratios_are_told() {
        check::<Bn254>();
        check::<Bls12_381>();
    }
}
