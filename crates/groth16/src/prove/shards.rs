//! One proof in shards: pieces that machines compute apart, and the proof that one of them puts together.
//!
//! | piece | of | what it needs of the key |
//! |---|---|---|
//! | [`ProvingKey::partial_sum_vartime`] | a range of a part's entries, times scalars | the points of those entries |
//! | [`ProvingKey::quotient_vector`] | one of three vectors on the odd roots | the coefficients |
//! | [`quotient_scalars`] | a range of the three | nothing |
//! | [`ProvingKey::assemble`] | the sums of all ranges | the head |
//!
//! No piece exchanges values with another of its kind. The proof is the one of [`prove()`](crate::prove()) for the same
//! randomness, whatever the ranges are. It is verified before it is given, so that a wrong piece makes no proof.

use super::quotient::{extend, numerator_scalars};
use super::rows::{self, Evaluations, Side};
use super::sums::{Sums, part_of_b2_vartime, part_of_g1_vartime};
use super::{Blind, ProveOptions, finish};
use crate::engine::Projective;
use crate::key::Part;
use crate::prove::blinding::{self, Blinding};
use crate::prove::rerandomise::Rerandomisation;
use crate::{Error, Proof, ProvingEngine, ProvingKey, Witness};
use frumious_curves::Group;
use frumious_curves::engine::ScalarField;
use frumious_field::Integer;
use zeroize::Zeroizing;

/// The sum of a range of a part. It tells of the witness, and is not printable.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum PartialSum<E: ProvingEngine> {
    /// Of a part in G1.
    G1(E::G1),
    /// Of part B2.
    G2(E::G2),
}

/// Sums of ranges that make up each part, in any order. They tell of the witness, and are not printable.
#[derive(Clone)]
pub struct ShardSums<E: ProvingEngine> {
    /// Of part A.
    pub a: Vec<E::G1>,
    /// Of part B1. Only blinding by given r and s needs them.
    pub b1: Vec<E::G1>,
    /// Of part B2.
    pub b2: Vec<E::G2>,
    /// Of part C.
    pub c: Vec<E::G1>,
    /// Of part H.
    pub h: Vec<E::G1>,
}

impl<E: ProvingEngine> Default for ShardSums<E> {
    fn default() -> Self {
        Self {
            a: Vec::new(),
            b1: Vec::new(),
            b2: Vec::new(),
            c: Vec::new(),
            h: Vec::new(),
        }
    }
}

impl<E: ProvingEngine> ProvingKey<E> {
    /// Number of entries of a part that is summed; none for other parts.
    pub fn entries(&self, part: Part) -> Option<usize> {
        match part {
            Part::A | Part::B1 | Part::B2 => Some(self.n_wires()),
            Part::C => Some(self.n_wires() - self.n_public() - 1),
            Part::H => Some(self.domain_size()),
            Part::Ic | Part::Coefficients => None,
        }
    }

    /// `Σ scalars[i]·P[first + i]` over entries P of a part. Scalars have 32 bytes, the least significant first; one
    /// that is not below r counts as zero.
    ///
    /// Entry i of A, B1 and B2 is for wire i. That of C is for wire `n_public + 1 + i`, that of H for element i of the
    /// domain.
    ///
    /// # Errors
    /// [`Error::NoSuchEntries`] for other parts, or more entries than the part has; those of the source.
    pub fn partial_sum_vartime(
        &self,
        part: Part,
        first: usize,
        scalars: &[[u8; 32]],
    ) -> Result<PartialSum<E>, Error> {
        let entries = self.entries(part).unwrap_or(0);
        let end = first.checked_add(scalars.len());
        if end.is_none_or(|end| end > entries) {
            let part = name_of(part);
            return Err(Error::NoSuchEntries { part, entries });
        }
        let scalars = Witness::from_le_bytes(scalars);
        let sum = match part {
            Part::B2 => PartialSum::G2(part_of_b2_vartime(self, first, &scalars).into()),
            _ => PartialSum::G1(part_of_g1_vartime(self, part, first, &scalars)?.into()),
        };
        self.source().check_unchanged().map_err(Error::Source)?;
        Ok(sum)
    }

    /// One of the vectors that make the quotient: the values of a side on the odd roots of the doubled domain.
    ///
    /// # Errors
    /// [`Error::WitnessLength`]; those of the source.
    pub fn quotient_vector(
        &self,
        witness: &Witness<'_, E::Fr>,
        side: Side,
    ) -> Result<Evaluations<E::Fr>, Error> {
        super::check_length(self, witness)?;
        let mut values = rows::zeros(self.domain_size());
        rows::evaluate_one(self, witness, side, &mut values)?;
        extend(self.domain(), &mut values);
        self.source().check_unchanged().map_err(Error::Source)?;
        Ok(values)
    }

    /// The proof of these sums, blinded anew, and verified.
    ///
    /// # Errors
    /// [`Error::Unsatisfied`] if a sum is wrong or the witness does not satisfy the circuit: nothing tells them apart.
    /// [`Error::KeyOutsideGroup`], [`Error::Randomness`], [`Error::PublicInputs`].
    pub fn assemble(&self, public: &[E::Fr], sums: &ShardSums<E>) -> Result<Proof<E>, Error> {
        let drawn = Blind::Anew(Rerandomisation::random()?);
        assemble_with(self, public, sums, &drawn)
    }
}

/// [`ProvingKey::assemble`] with r and s given: for comparing proofs. Such proofs are not zero-knowledge.
#[doc(hidden)]
pub fn assemble_with_randomness_for_tests<E: ProvingEngine>(
    key: &ProvingKey<E>,
    public: &[E::Fr],
    sums: &ShardSums<E>,
    r: E::Fr,
    s: E::Fr,
) -> Result<Proof<E>, Error> {
    assemble_with(key, public, sums, &Blind::By(Blinding::fixed(r, s)))
}

fn assemble_with<E: ProvingEngine>(
    key: &ProvingKey<E>,
    public: &[E::Fr],
    sums: &ShardSums<E>,
    blind: &Blind<E::Fr>,
) -> Result<Proof<E>, Error> {
    let proof = blinding::unblinded(
        key.source().header(),
        &Sums {
            a: total(&sums.a),
            b2: total(&sums.b2),
            c: total(&sums.c) + total(&sums.h),
        },
    );
    let options = ProveOptions::default(); // which verify
    finish(key, public, &proof, &options, blind, || Ok(total(&sums.b1)))
}

/// Of partial sums.
fn total<A: Group>(sums: &[A]) -> Projective<A> {
    let none: Projective<A> = A::default().into();
    sums.iter().fold(none, |total, sum| sum.plus(&total))
}

/// For people.
fn name_of(part: Part) -> &'static str {
    match part {
        Part::Ic => "IC",
        Part::Coefficients => "of coefficients",
        Part::A => "A",
        Part::B1 => "B1",
        Part::B2 => "B2",
        Part::C => "C",
        Part::H => "H",
    }
}

/// The scalars of entries of part H: `a·b − c` of the same range of the three vectors.
///
/// # Panics
/// For ranges of different lengths.
#[track_caller]
pub fn quotient_scalars<F: ScalarField>(
    a: Evaluations<F>,
    b: &[F],
    c: &[F],
) -> Zeroizing<Vec<Integer<F>>> {
    assert!(
        a.len() == b.len() && b.len() == c.len(),
        "ranges of one length"
    );
    numerator_scalars(a, b, c)
}

#[cfg(test)]
mod tests;
