//! Short sums of points of a ceremony.

use crate::engine::Projective;
use crate::setup::columns::ColumnTerm;
use frumious_curves::Group;
use frumious_curves::engine::ScalarField;
use frumious_field::Integer;
use frumious_msm::{EncodedPoint, msm_vartime};

/// `sum + Σ coefficient·base(row)` over the terms; none is a sum of no terms. In real circuits a coefficient is often
/// 1, −1 or small, of either sign; the constant's column can be as long as the circuit.
///
/// Most columns have a term or two, so the first one is no addition.
pub(super) fn combine_vartime<A: CeremonyPoint>(
    mut sum: Option<Projective<A>>,
    terms: &[ColumnTerm],
    coefficients: &[[u64; 4]],
    base: impl Fn(usize) -> A,
) -> Option<Projective<A>> {
    let mut points = Vec::new();
    let mut factors = Vec::new();
    for term in terms {
        let (point, factor) = with_small_factor(
            base(term.row as usize),
            &coefficients[term.coefficient as usize],
        );
        if factor == [1, 0, 0, 0] {
            sum = Some(sum.map_or_else(|| point.into(), |sum| point.plus(&sum)));
        } else {
            points.push(point);
            factors.push(Integer::from_words_unchecked(factor));
        }
    }
    let mut add = |more| sum = Some(sum.map_or(more, |sum| sum + more));
    if points.len() < TERMS_FOR_MSM {
        for (point, factor) in points.iter().zip(&factors) {
            add(multiply_vartime(*point, factor.words()));
        }
    } else {
        add(msm_vartime(points.as_slice(), &factors).expect("a factor was pushed with each point"));
    }
    sum
}

/// The same product as `(−point, −coefficient)` if −coefficient is the one that is small.
fn with_small_factor<A: CeremonyPoint>(point: A, coefficient: &[u64; 4]) -> (A, [u64; 4]) {
    if as_small(coefficient).is_some() {
        return (point, *coefficient);
    }
    let opposite = *Integer::from(-element::<A::Scalar>(coefficient)).words();
    match as_small(&opposite) {
        Some(_) => (-point, opposite),
        None => (point, *coefficient),
    }
}

fn multiply_vartime<A: CeremonyPoint>(point: A, factor: &[u64; 4]) -> Projective<A> {
    match as_small(factor) {
        Some(small) => multiply_small_vartime(point, small),
        None => A::multiply_vartime(&point.into(), &element(factor)),
    }
}

fn element<F: ScalarField>(coefficient: &[u64; 4]) -> F {
    Integer::from_words_unchecked(*coefficient).to_element()
}

/// Double and add, from the highest bit on.
fn multiply_small_vartime<A: CeremonyPoint>(point: A, factor: u32) -> Projective<A> {
    let Some(highest) = factor.checked_ilog2() else {
        return Projective::<A>::default();
    };
    let mut product = point.into();
    for bit in (0..highest).rev() {
        product = A::double(&product);
        if factor >> bit & 1 == 1 {
            product = point.plus(&product);
        }
    }
    product
}

fn as_small(coefficient: &[u64; 4]) -> Option<u32> {
    match coefficient {
        [low, 0, 0, 0] => u32::try_from(*low).ok(),
        _ => None,
    }
}

/// A group with sums of many points.
pub(super) trait CeremonyPoint: Group<Scalar: ScalarField> + EncodedPoint {}

impl<A: Group<Scalar: ScalarField> + EncodedPoint> CeremonyPoint for A {}

/// From here on a sum with shared doublings beats one product with half as many (by the endomorphism) for each term.
const TERMS_FOR_MSM: usize = 3;
#[cfg(test)]
mod tests {
    use super::*;
    use frumious_curves::bn254::{Fr, G1Projective};

    #[test]
    fn combinations_of_any_coefficients_are_right() {
        let big = Fr::from_u64(3).pow_vartime(&[200]);
        let word = Fr::from_u64(1 << 32);
        let one = Fr::ONE;
        let mut coefficients = vec![Fr::ZERO, one, one + one, word - one, word, big];
        coefficients.extend(coefficients.clone().iter().map(Fr::neg));
        coefficients.push(big.square());
        let base = |row: usize| {
            G1Projective::GENERATOR
                .mul(&Fr::from_u64(row as u64 * 7 + 1))
                .to_affine()
        };
        let pool: Vec<[u64; 4]> = coefficients.iter().map(Fr::to_canonical_limbs).collect();
        for count in 0..=3 * pool.len() {
            // a stride, so that runs of a few terms differ in kind
            let terms: Vec<ColumnTerm> = (0..count)
                .map(|i| ColumnTerm {
                    row: i as u32,
                    coefficient: (i * 5 % pool.len()) as u32,
                })
                .collect();
            let scalar = terms.iter().fold(Fr::ZERO, |sum, term| {
                sum + coefficients[term.coefficient as usize]
                    * Fr::from_u64(u64::from(term.row) * 7 + 1)
            });
            let expected = G1Projective::GENERATOR.mul(&scalar);
            let found = combine_vartime(None, &terms, &pool, base);
            assert_eq!(found.unwrap_or_default(), expected, "{count} terms");
            assert_eq!(found.is_none(), terms.is_empty());
            let more = combine_vartime(found, &terms, &pool, base);
            assert_eq!(more.unwrap_or_default(), expected.double(), "{count} terms");
        }
    }
}
