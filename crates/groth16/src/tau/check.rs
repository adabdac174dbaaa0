//! Verification of powers, and of the bases made of them.

use crate::domain::domain;
use crate::weights::random_weights;
use crate::{Error, ProvingEngine};
use frumious_curves::Group;
use frumious_curves::engine::ScalarField;
use frumious_field::Integer;
use frumious_msm::{MsmPoint, PointList, msm_vartime};
use std::ops::Neg;

/// True if each of the points, in G2, is τ times the one before it, for the τ of `tau` in G1.
///
/// Checked is one combination with random weights of 128 bits, as in [`same_multiples`](crate::same_multiples), which
/// does the same for G1. All points are in their groups.
///
/// # Errors
/// [`Error::Randomness`] if the operating system gives no random bytes for the weights.
pub fn successive<E: ProvingEngine>(
    points: PointList<'_, E::G2>,
    tau: &E::G1,
) -> Result<bool, Error> {
    let pairs = points.len().saturating_sub(1);
    let mut sums = [<E::G2 as Group>::Projective::default(); 2];
    for start in (0..pairs).step_by(GROUP) {
        frumious_parallel::check_cancelled();
        let end = pairs.min(start + GROUP);
        let weights: Vec<Integer<E::Fr>> = random_weights(end - start)?;
        for (sum, shift) in sums.iter_mut().zip([0, 1]) {
            *sum += sum_of(points.slice(start + shift..end + shift), &weights);
        }
    }
    let [before, after] = sums.map(E::G2::from);
    let pairs = [
        (*tau, &E::prepare(&before)),
        (E::G1::GENERATOR.neg(), &E::prepare(&after)),
    ];
    Ok(E::multi_pairing(&pairs) == E::GT_IDENTITY)
}

/// True if `basis` is the Lagrange basis of a domain of as many elements at the τ of `powers`.
///
/// `powers` are τⁱ times any one factor, as for [`lagrange_bases`](crate::lagrange_bases). Checked is one combination
/// with random weights of 128 bits: bases for which it is false pass with probability at most 2^-128. All points are in
/// their groups. Memory: 32 bytes for each element, and 10 MB.
///
/// # Errors
/// [`Error::Randomness`]; [`Error::CircuitTooLarge`] for a domain without a root of unity.
///
/// # Panics
/// For a number of elements that is no power of two, or powers that are fewer by two or more.
pub fn is_lagrange_basis<A>(
    powers: PointList<'_, A>,
    basis: PointList<'_, A>,
) -> Result<bool, Error>
where
    A: MsmPoint + Group<Scalar: ScalarField>,
{
    Ok(difference(powers, basis)?.0 == A::Projective::default())
}

/// As [`is_lagrange_basis`], of a domain that has one element more than there are powers. The last power may be
/// infinity, or the true one: of powers that were cut from more, bases are those of all. `tau` is τ in G2.
///
/// # Errors
/// As [`is_lagrange_basis`].
///
/// # Panics
/// For another number of elements, or no powers.
#[track_caller]
pub fn is_lagrange_basis_of_more<E: ProvingEngine>(
    powers: PointList<'_, E::G1>,
    basis: PointList<'_, E::G1>,
    tau: &E::G2,
) -> Result<bool, Error> {
    assert!(
        powers.len() + 1 == basis.len() && !powers.is_empty(),
        "sizes"
    );
    let last = powers.get(powers.len() - 1);
    let (difference, coefficients) = difference(powers, basis)?;
    if difference == Default::default() {
        return Ok(true);
    }
    // The true power is τ times the last one.
    let [coefficient] = coefficients[..] else {
        unreachable!("one power is missing")
    };
    let last = E::G1::multiply_vartime(&last.into(), &coefficient);
    let pairs = [
        (E::G1::from(difference), &E::prepare(&E::G2::GENERATOR)),
        (E::G1::from(last).neg(), &E::prepare(tau)),
    ];
    Ok(E::multi_pairing(&pairs) == E::GT_IDENTITY)
}

/// A combination of the basis, less the combination of the powers that it should be. Behind it the coefficients of the
/// powers that are missing.
fn difference<A>(
    powers: PointList<'_, A>,
    basis: PointList<'_, A>,
) -> Result<(A::Projective, Vec<A::Scalar>), Error>
where
    A: MsmPoint + Group<Scalar: ScalarField>,
{
    let n = basis.len();
    assert!(n.is_power_of_two() && powers.len() + 1 >= n, "sizes");
    // Σ wᵢ·Lᵢ(τ) is the polynomial with the values wᵢ, at τ.
    let mut values: Vec<A::Scalar> = Vec::with_capacity(n);
    let mut difference = A::Projective::default();
    for start in (0..n).step_by(GROUP) {
        frumious_parallel::check_cancelled();
        let end = n.min(start + GROUP);
        let weights: Vec<Integer<A::Scalar>> = random_weights(end - start)?;
        difference += sum_of(basis.slice(start..end), &weights);
        values.extend(weights.iter().map(|weight| weight.to_element()));
    }
    domain::<A::Scalar>(n.ilog2())?
        .ifft(&mut values)
        .unwrap_or_else(|error| unreachable!("as many values as elements: {error}"));
    let missing = values.split_off(powers.len().min(n));
    for (group, values) in values.chunks(GROUP).enumerate() {
        frumious_parallel::check_cancelled();
        let coefficients: Vec<_> = values.iter().map(|value| Integer::from(-*value)).collect();
        let start = group * GROUP;
        difference += sum_of(powers.slice(start..start + values.len()), &coefficients);
    }
    Ok((difference, missing))
}

fn sum_of<A: MsmPoint>(
    points: PointList<'_, A>,
    scalars: &[Integer<<A as Group>::Scalar>],
) -> <A as Group>::Projective {
    msm_vartime(points, scalars).expect("one scalar for each point")
}

/// Points of a sum: their scalars take 8 MB.
const GROUP: usize = 1 << 18;

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use super::*;
    use crate::tau::lagrange_bases;
    use frumious_curves::{Bls12_381, Bn254};
    use frumious_field::{Field, PrimeField};

    /// `first·τⁱ` for each `i < n`, with τ = 1234567.
    fn powers<A: Group>(first: u64, n: usize) -> Vec<A> {
        let tau = A::Scalar::from_u64(1_234_567);
        let power = |i: usize| A::Scalar::from_u64(first) * tau.pow_vartime(&[i as u64]);
        (0..n)
            .map(|i| A::from(A::multiply_vartime(&A::GENERATOR.into(), &power(i))))
            .collect()
    }

    fn check<E: ProvingEngine>() {
        let tau = powers::<E::G1>(1, 2)[1];
        let good = powers::<E::G2>(3, 9);
        let is_good = |points: &[E::G2]| successive::<E>(points.into(), &tau).unwrap();
        assert!(is_good(&good) && is_good(&good[..1]) && is_good(&[]));
        assert!(!successive::<E>((&good).into(), &E::G1::GENERATOR).unwrap());
        for k in 0..9 {
            let mut bad = good.clone();
            bad[k] = E::G2::default();
            assert!(!is_good(&bad), "{k} is at infinity");
            bad[k] = -good[k];
            assert!(!is_good(&bad), "{k} is negated");
            bad = good.clone();
            bad.swap(k, (k + 1) % 9);
            assert!(!is_good(&bad), "{k} is moved");
        }
        bases::<E::G1>();
        bases::<E::G2>();

        // Of eight powers seven are left: the basis is that of the eight, or of seven and infinity.
        let (all, tau) = (powers::<E::G1>(5, 8), powers::<E::G2>(1, 2)[1]);
        for given in [8, 7] {
            let mut basis = Vec::new();
            let mut visit = |points: &[E::G1]| {
                basis = points.to_vec();
                Ok(())
            };
            lagrange_bases((&all[..given]).into(), 0..=3, &|_| (), &mut visit).unwrap();
            let is_basis = |basis: &[E::G1], tau: &E::G2| {
                is_lagrange_basis_of_more::<E>((&all[..7]).into(), basis.into(), tau).unwrap()
            };
            assert!(is_basis(&basis, &tau));
            assert_eq!(is_basis(&basis, &E::G2::GENERATOR), given == 7);
            basis[3] = -basis[3];
            assert!(!is_basis(&basis, &tau));
        }
    }

    fn bases<A: MsmPoint + frumious_msm::ScaledPoint + Group<Scalar: ScalarField>>() {
        for missing in [0, 1] {
            let powers = powers::<A>(5, 8 - missing);
            let mut bases = Vec::new();
            let mut visit = |basis: &[A]| {
                bases.push(basis.to_vec());
                Ok(())
            };
            lagrange_bases((&powers).into(), 0..=3, &|_| (), &mut visit).unwrap();
            let is_basis = |basis: &[A]| is_lagrange_basis((&powers).into(), basis.into()).unwrap();
            for basis in &bases {
                assert!(is_basis(basis));
                for k in 0..basis.len() {
                    let mut bad = basis.clone();
                    bad[k] = -bad[k];
                    assert!(!is_basis(&bad), "{k} is negated");
                    if k > 0 {
                        bad = basis.clone();
                        bad.swap(k, k - 1);
                        assert!(!is_basis(&bad), "{k} is moved");
                    }
                }
            }
        }
    }

    #[test]
    fn powers_and_bases_are_told_from_others() {
        check::<Bn254>();
        check::<Bls12_381>();
    }
}
