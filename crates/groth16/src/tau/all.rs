//! Verification of all powers, and of all bases, by one list of weights.
//!
//! A ceremony has the same list several times, in both groups and times α and β. So the weighed sum over the list in G2
//! stands in one pairing equation for each of the other lists. The lists are compared with each other, and with the
//! powers only once. That is half of the additions that a check of each list by itself takes.
//!
//! Bound: the weights are independent, and uniform below 2^128. Each equation is a linear one in them. If some list is
//! false, one of the equations has a coefficient that is not zero. Whatever the other weights are, at most one value of
//! its weight solves it. So false lists pass with probability at most 2^-128, all equations together. Points of G2
//! outside of their group pass as improbably, see [`sum_in_group_vartime`].

use crate::contribution::products_agree;
use crate::domain::domain;
use crate::weights::random_weights;
use crate::{Error, ProvingEngine};
use frumious_curves::Group;
use frumious_curves::engine::ScalarField;
use frumious_field::Integer;
use frumious_msm::{MsmPoint, PointList, ScaledPoint, msm_vartime, sum_in_group_vartime};
use std::ops::{AddAssign, Neg, Range};

/// The lists of a ceremony: powers of τ or Lagrange bases, in both groups, and in G1 times α and β.
#[expect(missing_debug_implementations, reason = "points of a mapped file")]
pub struct TauLists<'a, E: ProvingEngine> {
    /// In G1: as the others, and some more.
    pub tau_g1: PointList<'a, E::G1>,
    /// In G2.
    pub tau_g2: PointList<'a, E::G2>,
    /// Times α.
    pub alpha_tau_g1: PointList<'a, E::G1>,
    /// Times β.
    pub beta_tau_g1: PointList<'a, E::G1>,
}

impl<E: ProvingEngine> TauLists<'_, E> {
    /// Points of each list but that of G1, which has `more` besides; none if the lengths are others.
    fn length(&self, more: usize) -> Option<usize> {
        let length = self.tau_g2.len();
        let as_long = [self.alpha_tau_g1, self.beta_tau_g1].map(|list| list.len() == length);
        (as_long == [true; 2] && self.tau_g1.len() == length + more).then_some(length)
    }
}

/// True if `powers` are those of one τ: τⁱ in G1 for `i < 2n - 1`, and for `i < n` τⁱ in G2, α·τⁱ and β·τⁱ. τ, α and β
/// are those of `tau_g1[1]`, `alpha_tau_g1[0]` and `beta_tau_g1[0]`, for n of at least 2. Then all of `tau_g2` are in
/// their group, too.
///
/// All points are on their curves, those of G1 in their group. None of the points just named is at infinity. Powers for
/// which it is false pass with probability at most 2^-128. Memory: 13 MB.
///
/// `Pᵢ` is in G1, `Qᵢ` in G2, `Aᵢ` times α, and sums go over `i < n`. The equations:
///
/// - `P₀ = g1` and `e(Σ wᵢ·Pᵢ, g2) = e(g1, Σ wᵢ·Qᵢ)`: both have the same logarithms.
/// - `e(Σ wᵢ·Pᵢ₊₁, g2) = e(P₁, Σ wᵢ·Qᵢ)`: the next power is τ times each.
/// - `e(Σ wᵢ·Pₙ₋₁₊ᵢ, g2) = e(Pₙ₋₁, Σ wᵢ·Qᵢ)`: the upper half is the lower one times a power.
/// - `e(Σ wᵢ·Aᵢ, g2) = e(A₀, Σ wᵢ·Qᵢ)`: the others are α times each, and so for β.
///
/// # Errors
/// [`Error::Randomness`] if the operating system gives no random bytes for the weights.
pub fn are_powers<E: ProvingEngine>(powers: &TauLists<'_, E>) -> Result<bool, Error> {
    let Some(n) = length_of_powers(powers) else {
        return Ok(false);
    };
    let tau_g1 = powers.tau_g1;
    if tau_g1.get(0) != E::G1::GENERATOR {
        return Ok(false);
    }
    let lists = [
        (tau_g1.slice(0..n), E::G1::GENERATOR),
        (tau_g1.slice(1..n + 1), tau_g1.get(1)),
        (tau_g1.slice(n - 1..2 * n - 1), tau_g1.get(n - 1)),
        (powers.alpha_tau_g1, powers.alpha_tau_g1.get(0)),
        (powers.beta_tau_g1, powers.beta_tau_g1.get(0)),
    ];
    let mut sums = [Default::default(); 5];
    let mut in_g2 = <E::G2 as Group>::Projective::default();
    for range in groups(n) {
        let weights: Vec<Integer<E::Fr>> = random_weights(range.len())?;
        if !add_if_in_group(&mut in_g2, powers.tau_g2.slice(range.clone()), &weights) {
            return Ok(false);
        }
        for (sum, (list, _)) in sums.iter_mut().zip(&lists) {
            *sum += sum_of(list.slice(range.clone()), &weights);
        }
    }
    let factors = lists.map(|(_, factor)| factor);
    Ok(are_multiples::<E>(&sums, &factors, in_g2))
}

/// True if `bases` are the Lagrange bases at the τ of `powers`, those of domains of 1, 2, 4, … elements one after the
/// other. In G1 they go up to 2n elements, in the other lists up to n. Then all points of G2 are in their group, too.
///
/// `powers` are [powers](are_powers). Points of the bases are on their curves, those of G1 in their group. One power is
/// missing for the largest domain: it is infinity, or where powers `are_cut` from more it may be the true one. Bases
/// for which it is false pass with probability at most 2^-128, of cut powers twice that. Memory: [`bases_bytes`].
///
/// The bases in G1 are compared with the powers, in one equation for all domains: `Σ wᵢ·Lᵢ = Σ cᵢ·Pᵢ`. Of each domain
/// there is a polynomial whose values there are the `wᵢ`; c is the sum of these polynomials.
///
/// The other bases are compared with those in G1 as in [`are_powers`].
///
/// # Errors
/// [`Error::Randomness`]; [`Error::CircuitTooLarge`] for a domain without a root of unity.
pub fn are_lagrange_bases<E: ProvingEngine>(
    powers: &TauLists<'_, E>,
    bases: &TauLists<'_, E>,
    are_cut: bool,
) -> Result<bool, Error> {
    let Some(n) = length_of_powers(powers).filter(|n| n.is_power_of_two()) else {
        return Ok(false);
    };
    let Some(common) = bases.length(2 * n).filter(|common| *common == 2 * n - 1) else {
        return Ok(false);
    };
    let mut coefficients: Vec<E::Fr> = Vec::with_capacity(n);
    let lists = [
        (bases.tau_g1.slice(0..common), E::G1::GENERATOR),
        (bases.alpha_tau_g1, powers.alpha_tau_g1.get(0)),
        (bases.beta_tau_g1, powers.beta_tau_g1.get(0)),
    ];
    let mut sums = [Default::default(); 3];
    let mut in_g2 = <E::G2 as Group>::Projective::default();
    let mut values: Vec<E::Fr> = Vec::with_capacity(common.min(n + GROUP));
    for range in groups(common) {
        let weights: Vec<Integer<E::Fr>> = random_weights(range.len())?;
        if !add_if_in_group(&mut in_g2, bases.tau_g2.slice(range.clone()), &weights) {
            return Ok(false);
        }
        for (sum, (list, _)) in sums.iter_mut().zip(&lists) {
            *sum += sum_of(list.slice(range.clone()), &weights);
        }
        values.extend(weights.iter().map(|weight| weight.to_element()));
        take_domains(&mut values, &mut coefficients)?;
    }
    drop(values); // or a third list of the domain's length stays
    let mut difference = sums[0];
    let mut values: Vec<E::Fr> = Vec::with_capacity(2 * n);
    for range in groups(2 * n) {
        let weights: Vec<Integer<E::Fr>> = random_weights(range.len())?;
        let list = bases.tau_g1.slice(common + range.start..common + range.end);
        difference += sum_of(list, &weights);
        values.extend(weights.iter().map(|weight| weight.to_element()));
    }
    add_polynomial_of(&mut values, &coefficients)?;
    let coefficients = values;
    for range in groups(common) {
        let coefficients = coefficients[range.clone()].iter();
        let coefficients: Vec<_> = coefficients.map(|value| Integer::from(-*value)).collect();
        difference += sum_of(powers.tau_g1.slice(range), &coefficients);
    }
    if difference != Default::default() {
        // The true power is τ times the last one.
        let last =
            E::G1::multiply_vartime(&powers.tau_g1.get(common - 1).into(), &coefficients[common]);
        let (last, tau) = (E::G1::from(last), powers.tau_g2.get(1));
        let difference = E::G1::from(difference);
        if !are_cut || !products_agree::<E>((&difference, &E::G2::GENERATOR), (&last, &tau)) {
            return Ok(false);
        }
    }
    let factors = lists.map(|(_, factor)| factor);
    Ok(are_multiples::<E>(&sums, &factors, in_g2))
}

/// Memory that [`are_lagrange_bases`] takes for n of `2^power`, beside sums of points.
pub fn bases_bytes(power: u32) -> u64 {
    (96 << power) + (30 << 20)
}

/// Takes from `values` those over each whole domain, the first of which has twice as many elements as there are
/// coefficients. The coefficients of the polynomials with these values are added.
fn take_domains<F: ScalarField>(
    values: &mut Vec<F>,
    coefficients: &mut Vec<F>,
) -> Result<(), Error> {
    let mut start = 0;
    loop {
        let size = (2 * coefficients.len()).max(1);
        let Some(values) = values.get_mut(start..start + size) else {
            break;
        };
        add_polynomial_of(values, coefficients)?;
        coefficients.clear();
        coefficients.extend_from_slice(values);
        start += size;
    }
    values.drain(..start);
    Ok(())
}

/// In the place of values over a domain the coefficients of their polynomial, plus `coefficients`.
fn add_polynomial_of<F: ScalarField>(values: &mut [F], coefficients: &[F]) -> Result<(), Error> {
    frumious_parallel::check_cancelled();
    domain::<F>(values.len().ilog2())?
        .ifft(values)
        .unwrap_or_else(|error| unreachable!("as many values as elements: {error}"));
    for (value, coefficient) in values.iter_mut().zip(coefficients) {
        *value += *coefficient;
    }
    Ok(())
}

/// n of [`are_powers`], if the lists have such lengths.
fn length_of_powers<E: ProvingEngine>(powers: &TauLists<'_, E>) -> Option<usize> {
    let n = powers.tau_g2.len();
    powers.length(n.checked_sub(1)?).filter(|n| *n >= 2)
}

/// `e(sums[k], g2) = e(factors[k], in_g2)` for each k.
fn are_multiples<E: ProvingEngine>(
    sums: &[<E::G1 as Group>::Projective],
    factors: &[E::G1],
    in_g2: <E::G2 as Group>::Projective,
) -> bool {
    let (generator, in_g2) = (E::prepare(&E::G2::GENERATOR), E::prepare(&in_g2.into()));
    sums.iter().zip(factors).all(|(sum, factor)| {
        let pairs = [(E::G1::from(*sum), &generator), (factor.neg(), &in_g2)];
        E::multi_pairing(&pairs) == E::GT_IDENTITY
    })
}

/// Adds the weighed sum, unless a point is outside of its group: then false.
fn add_if_in_group<A: MsmPoint + ScaledPoint>(
    sum: &mut <A as Group>::Projective,
    points: PointList<'_, A>,
    weights: &[Integer<<A as Group>::Scalar>],
) -> bool {
    let found = sum_in_group_vartime(points, weights).expect("one weight for each point");
    found.map(|found| sum.add_assign(found)).is_some()
}

fn sum_of<A: MsmPoint>(
    points: PointList<'_, A>,
    weights: &[Integer<<A as Group>::Scalar>],
) -> <A as Group>::Projective {
    msm_vartime(points, weights).expect("one scalar for each point")
}

/// Ranges of [`GROUP`] points.
fn groups(n: usize) -> impl Iterator<Item = Range<usize>> {
    (0..n).step_by(GROUP).map(move |start| {
        frumious_parallel::check_cancelled();
        start..n.min(start + GROUP)
    })
}

/// Points of a sum: their scalars take 8 MB. Few in tests, which look at the border of two groups.
const GROUP: usize = if cfg!(test) { 6 } else { 1 << 18 };

#[cfg(test)]
mod tests;
