//! Part H in two forms: on the odd roots, as a key has it, and as powers of τ, as bellman's files have it.
//!
//! A domain has n elements and the root ω. With ψ² = ω, the odd roots are `ψ^(2i+1)`. Part H of a key is
//! `L_(2i+1)(τ)/δ` for the Lagrange basis of the doubled domain. Its powers are `p_j = τʲ·(τⁿ − 1)/δ`. As ψⁿ = −1,
//!
//! ```text
//! L_(2i+1) = 1/2n·Σ_(j<2n) ψ^(−(2i+1)j)·Xʲ = −1/2n·Σ_(j<n) ω^(−ij)·ψ^(−j)·Xʲ·(Xⁿ − 1)
//! Hᵢ  = Σ_(j<n) ω^(−ij)·(−1/2n·ψ^(−j)·p_j)
//! p_j = −2·ψʲ·Σ_(i<n) ω^(ij)·Hᵢ
//! ```
//!
//! A quotient has a degree of at most n − 2. So no proof depends on the last power, `p_(n−1)`: bellman's files leave it
//! out, and a key made of one has infinity in its place.

use super::ratio::{GROUP, products_agree, same_multiples};
use crate::domain::{coset_shift, domain};
use crate::tau::transform::{POINTS_PER_TASK, digits_of_powers, multiply_all, transform};
use crate::weights::short_weights;
use crate::{Error, ProvingEngine};
use frumious_curves::Group;
use frumious_curves::engine::ScalarField;
use frumious_field::{Field, Integer, PrimeField};
use frumious_msm::{PointList, ScaledPoint, msm_vartime, scale_each_vartime};
use frumious_parallel::{check_cancelled, for_each_chunk_mut};

/// The powers `p_j` of part H, without the last one. In parallel. Memory: twice the points.
///
/// `progress` is told how much is done, from 0 to 1.
///
/// # Errors
/// [`Error::CircuitTooLarge`] if the doubled domain has no root of unity.
///
/// # Panics
/// If the number of points is no power of two.
pub fn quotient_powers_vartime<A>(
    h: PointList<'_, A>,
    progress: &dyn Fn(f64),
) -> Result<Vec<A>, Error>
where
    A: ScaledPoint + Group<Scalar: ScalarField>,
{
    let (root, shift) = roots::<A::Scalar>(h.len())?;
    let mut sums = vec![A::default(); h.len()];
    multiply_all(h, &A::Scalar::ONE, &mut sums);
    transform(&mut sums, &root, &mut layers(h.len(), progress));
    sums.pop();
    let two = A::Scalar::ONE.double();
    let mut powers = vec![A::default(); sums.len()];
    multiply_each((&sums).into(), -two, &shift, &mut powers);
    progress(1.0);
    Ok(powers)
}

/// The part H that has these powers, and infinity as the last one. In parallel. Memory: twice the points.
///
/// `progress` is told how much is done, from 0 to 1.
///
/// # Errors
/// As [`quotient_powers_vartime`].
///
/// # Panics
/// If the number of points is no power of two, less one.
pub fn quotient_from_powers_vartime<A>(
    powers: PointList<'_, A>,
    progress: &dyn Fn(f64),
) -> Result<Vec<A>, Error>
where
    A: ScaledPoint + Group<Scalar: ScalarField>,
{
    let n = powers.len() + 1;
    let (root, shift) = roots::<A::Scalar>(n)?;
    let inverse = |x: A::Scalar| x.invert().into_option().unwrap_or(A::Scalar::ONE); // none of them is zero
    let factor = -inverse(A::Scalar::from_u64(2 * n as u64));
    let mut h = vec![A::default(); n];
    multiply_each(powers, factor, &inverse(shift), &mut h[..n - 1]);
    transform(&mut h, &inverse(root), &mut layers(n, progress));
    progress(1.0);
    Ok(h)
}

/// True if the part H `new` is `old` times `c/d`, or that with infinity as last power. Either makes the same proofs.
///
/// Another last power is refused. Whoever chose it would be given that point divided by the factors of all who
/// contribute later, and that may break the proof system. Points are as for [`same_multiples`]. So is the probability
/// of a wrong answer, twice.
///
/// # Errors
/// [`Error::Randomness`]; [`Error::CircuitTooLarge`] if the domain has no root of unity.
#[expect(
    clippy::missing_panics_doc,
    reason = "there is one weight for each point"
)]
pub fn same_quotient<E: ProvingEngine>(
    (old, c): (PointList<'_, E::G1>, &E::G2),
    (new, d): (PointList<'_, E::G1>, &E::G2),
) -> Result<bool, Error> {
    if same_multiples::<E>((old, c), (new, d))? {
        return Ok(true);
    }
    if old.len() != new.len() || !old.len().is_power_of_two() {
        return Ok(false);
    }
    // With T = Σ ω^(−i)·Hᵢ, which is the last power times a constant, Hᵢ without it is Hᵢ − ωⁱ·T/n.
    let n = E::Fr::from_u64(old.len() as u64);
    let domain = domain::<E::Fr>(old.len().ilog2())?;
    let mut sums = [E::G1::default().into(); 2];
    let mut lasts = sums;
    let mut weight_of_last = E::Fr::ZERO;
    for start in (0..old.len()).step_by(GROUP) {
        check_cancelled();
        let range = start..old.len().min(start + GROUP);
        let weights = short_weights::<E::G1>(range.len())?;
        let mut root = domain.root().pow_vartime(&[start as u64]);
        for weight in &weights {
            weight_of_last += *weight * root;
            root *= domain.root();
        }
        let mut inverse = domain.root_inverse().pow_vartime(&[start as u64]);
        let inverses: Vec<Integer<E::Fr>> = range
            .clone()
            .map(|_| {
                let here = inverse.into();
                inverse *= domain.root_inverse();
                here
            })
            .collect();
        let weights: Vec<Integer<E::Fr>> = weights.into_iter().map(Integer::from).collect();
        for (k, points) in [old, new].into_iter().enumerate() {
            let points = points.slice(range.clone());
            let sum =
                |weights: &[_]| msm_vartime(points, weights).expect("one weight for each point");
            sums[k] += sum(&weights);
            lasts[k] += sum(&inverses);
        }
    }
    let [last_of_old, last_of_new] = lasts.map(E::G1::from);
    let inverse = n.invert().into_option().unwrap_or(E::Fr::ONE); // n is a power of two, and the order odd
    let cut = E::G1::multiply_vartime(&last_of_old.into(), &(weight_of_last * inverse));
    let [old, new] = [sums[0] + (-cut), sums[1]].map(E::G1::from);
    Ok(last_of_new == E::G1::default() && products_agree::<E>((&old, c), (&new, d)))
}

/// ω and ψ.
fn roots<F: ScalarField>(n: usize) -> Result<(F, F), Error> {
    assert!(n.is_power_of_two(), "{n} points");
    let log_n = n.ilog2();
    if log_n >= F::TWO_ADICITY {
        return Err(Error::CircuitTooLarge {
            needed: log_n + 1,
            available: F::TWO_ADICITY,
        });
    }
    Ok((domain::<F>(log_n)?.root(), coset_shift(log_n)))
}

/// `first·stepʲ·points[j]` for each j, in parallel.
fn multiply_each<A: ScaledPoint>(
    points: PointList<'_, A>,
    first: <A as Group>::Scalar,
    step: &<A as Group>::Scalar,
    products: &mut [A],
) {
    for_each_chunk_mut(products, POINTS_PER_TASK, |index, products| {
        check_cancelled();
        let start = index * POINTS_PER_TASK;
        let first = first * step.pow_vartime(&[start as u64]);
        let digits = digits_of_powers::<A>(first, step, products.len());
        let points = points.slice(start..start + products.len());
        scale_each_vartime(points, &digits, products);
    });
}

/// Tells of the layers of a transform: almost all of the work.
fn layers(n: usize, progress: &dyn Fn(f64)) -> impl FnMut(f64) {
    let all = n as f64 / 2.0 * f64::from(n.ilog2() + 2);
    let mut done = n as f64 / 2.0;
    move |more| {
        done += more;
        progress((done / all).min(1.0));
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use super::*;
    use frumious_curves::{Bls12_381, Bn254};

    fn times<A: Group>(point: A, scalar: A::Scalar) -> A {
        A::from(A::multiply(&point.into(), &scalar))
    }

    /// Part H of n elements for some τ and 1/δ, by the definition of the Lagrange basis, and its powers with the last.
    fn parts<E: ProvingEngine>(log_n: u32, over_delta: u64) -> (Vec<E::G1>, Vec<E::G1>) {
        let n = 1_u64 << log_n;
        let tau = E::Fr::from_u64(0x1234_5678_9abc_def1).square();
        let over_delta = E::Fr::from_u64(over_delta);
        let psi = domain::<E::Fr>(log_n + 1).unwrap().root();
        let vanishing = tau.pow_vartime(&[2 * n]) - E::Fr::ONE;
        let h = (0..n).map(|i| {
            // L_k(τ) = ψᵏ/2n·(τ²ⁿ − 1)/(τ − ψᵏ)
            let root = psi.pow_vartime(&[2 * i + 1]);
            let below = (E::Fr::from_u64(2 * n) * (tau - root))
                .invert()
                .into_option()
                .unwrap();
            times(E::G1::GENERATOR, over_delta * root * vanishing * below)
        });
        let vanishing = tau.pow_vartime(&[n]) - E::Fr::ONE;
        let powers = (0..n).map(|j| {
            times(
                E::G1::GENERATOR,
                over_delta * vanishing * tau.pow_vartime(&[j]),
            )
        });
        (h.collect(), powers.collect())
    }

    fn check<E: ProvingEngine>(log_n: u32) {
        let (h, mut powers) = parts::<E>(log_n, 3);
        let last = powers.pop().unwrap();
        assert!(quotient_powers_vartime((&h).into(), &|_| ()).unwrap() == powers);
        let without = quotient_from_powers_vartime((&powers).into(), &|_| ()).unwrap();
        assert_eq!(without.len(), h.len());
        assert!(without != h);
        assert!(quotient_powers_vartime((&without).into(), &|_| ()).unwrap() == powers);

        // δ goes from 5 to 15, so points are divided by 3.
        let (generator, divided) = (E::G2::GENERATOR, parts::<E>(log_n, 1));
        let (c, d) = [5, 15].map(|k| times(generator, E::Fr::from_u64(k))).into();
        let is_same = |old: &Vec<E::G1>, new: &Vec<E::G1>| {
            same_quotient::<E>((old.into(), &c), (new.into(), &d)).unwrap()
        };
        let new_without =
            quotient_from_powers_vartime((&divided.1[..divided.1.len() - 1]).into(), &|_| ());
        let new_without = new_without.unwrap();
        for old in [&h, &without] {
            assert!(is_same(old, &new_without));
        }
        assert!(is_same(&h, &divided.0));
        // A last power is not to be put in where there was none, nor to be another.
        assert!(!is_same(&without, &divided.0));
        let n = E::Fr::from_u64(h.len() as u64)
            .invert()
            .into_option()
            .unwrap();
        let root = domain::<E::Fr>(log_n).unwrap().root();
        for chosen in [E::G1::GENERATOR, last] {
            let mut other = new_without.clone();
            for (i, point) in other.iter_mut().enumerate() {
                let part = times(chosen, n * root.pow_vartime(&[i as u64]));
                let sum: <E::G1 as Group>::Projective = (*point).into();
                *point = E::G1::from(sum + <E::G1 as Group>::Projective::from(part));
            }
            assert!(
                quotient_powers_vartime((&other).into(), &|_| ()).unwrap()
                    == divided.1[..divided.1.len() - 1]
            );
            assert!(!is_same(&h, &other) && !is_same(&without, &other));
        }
        // Any other fault.
        for i in 0..h.len() {
            let mut other = new_without.clone();
            other[i] = E::G1::GENERATOR;
            assert!(!is_same(&h, &other));
        }
        assert!(!is_same(&h, &h) && !is_same(&h, &h[1..].to_vec()));
    }

    #[test]
    fn both_forms_are_those_of_the_definition() {
        for log_n in 0..4 {
            check::<Bn254>(log_n);
        }
        check::<Bls12_381>(2);
    }

    #[test]
    fn domains_without_a_double_are_refused() {
        let points = vec![<Bn254 as frumious_curves::PairingEngine>::G1::default(); 1];
        assert!(quotient_powers_vartime((&points).into(), &|_| ()).is_ok());
        let most = roots::<<Bn254 as frumious_curves::PairingEngine>::Fr>(1 << 28);
        assert!(matches!(
            most,
            Err(Error::CircuitTooLarge {
                needed: 29,
                available: 28
            })
        ));
    }
}
