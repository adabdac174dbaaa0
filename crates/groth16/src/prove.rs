//! The prover, step by step.
//!
//! | step | what | where |
//! |---|---|---|
//! | rows | a_i = ⟨A_i, w⟩ and b_i = ⟨B_i, w⟩ for each row i | [`rows`] |
//! | quotient | c = a∘b on the domain; a·b − c on the odd roots of the doubled domain | [`quotient`] |
//! | sums | Σ h_i·H_i + Σ w_i·C_i, Σ w_i·A_i, Σ w_i·B_i in G2 | [`sums`], [`together`] |
//! | blinding | (A, B, C) = (α + ΣA, β + ΣB, ΣH + ΣC) becomes (ρ⁻¹·A, ρ·(B + η·δ), C + η·A) | [`rerandomise`] |
//!
//! Groth's paper and snarkjs blind by r and s instead, which takes a fifth sum, over part B1: [`blinding`].
//!
//! The key has no matrix C. c = a∘b is right for a witness that satisfies the circuit; any other makes a false proof.
//! That is why every proof is verified before it is returned.
//!
//! Time depends on the witness by decision. Transforms do not; but the rows, and above all the sums, skip zeros and
//! treat small values apart. A constant-time sum over a million points costs many times more. Whoever can time a prover
//! may learn how many wires are zero. The blinding factors ρ and η, or r and s, are handled in constant time.

mod blinding;
mod memory;
mod quotient;
mod rerandomise;
mod rows;
mod shards;
mod spill;
mod sums;
mod together;
mod wipe;

use crate::engine::Projective;
use crate::key::Part;
use crate::membership::check_proof;
use crate::{Error, Proof, ProvingEngine, ProvingKey, Witness};
use blinding::Blinding;
#[doc(hidden)]
pub use blinding::blind_for_tests;
use frumious_curves::engine::ScalarField;
use frumious_parallel::trace;
pub use memory::ProvingMemory;
use memory::{AtOnce, Vectors, Way};
use rerandomise::Rerandomisation;
#[doc(hidden)]
pub use rerandomise::rerandomise_for_tests;
pub use rows::Side as QuotientSide;
use rows::{Evaluations, Side};
#[doc(hidden)]
pub use shards::assemble_with_randomness_for_tests;
pub use shards::{PartialSum, ShardSums, quotient_scalars};
use spill::SpilledVector;
use std::path::Path;
use wipe::wipe;

/// Options of a proof.
#[derive(Clone, Copy)]
pub struct ProveOptions<'a> {
    /// Blind the proof, so that it tells nothing of the witness. Without it the proof is the one with r = s = 0.
    /// Default: true.
    pub zero_knowledge: bool,
    /// Verify the proof before returning it: the only way an unsatisfied witness is noticed. Default: true.
    pub verify: bool,
    /// Bytes of memory that the proof may take for itself, as [`ProvingKey::memory`] counts them. Default: any number.
    pub max_memory: Option<u64>,
    /// A folder, on a disk rather than in memory, for a temporary file. It holds one vector of the domain, 32 bytes an
    /// element and a little more. It is made if two vectors do not fit [`max_memory`](Self::max_memory). It has no
    /// name, and is encrypted under a key that never leaves this process's memory. Default: none; then such a proof is
    /// refused.
    pub spill: Option<&'a Path>,
    /// Called with each phase as it begins; it ends when the next begins, or when [`prove()`] returns. Default: none.
    pub observer: Option<&'a (dyn Fn(Phase) + Sync)>,
}

impl Default for ProveOptions<'_> {
    fn default() -> Self {
        Self {
            zero_knowledge: true,
            verify: true,
            max_memory: None,
            spill: None,
            observer: None,
        }
    }
}

impl ProveOptions<'_> {
    fn enter(&self, phase: Phase) {
        trace::phase(phase.name());
        if let Some(observer) = self.observer {
            observer(phase);
        }
    }
}

/// A part of the prover's work, in the order in which they come. No proof has all.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Phase {
    /// The rows of A and B times the witness.
    Rows,
    /// The transforms to the odd roots, and the quotient's numerator there.
    Quotient,
    /// The sum over part H.
    SumH,
    /// The sum over part C.
    SumC,
    /// The sums over parts H and C as one, in place of the two before it. On one thread, or where memory does not
    /// suffice for [`Sums`](Self::Sums); the key is not too large.
    SumHAndC,
    /// The sum over part A.
    SumA,
    /// The sum over part B2.
    SumB2,
    /// The sums over parts H and C, A, and B2 side by side, in place of those before it. On several threads, where the
    /// key is not too large and memory suffices.
    Sums,
    /// The sum over part B1: for blinding by r and s, and for proofs that cannot be blinded otherwise.
    SumB1,
    /// Blinding, and the proof in affine form.
    Blinding,
    /// Verification of the proof.
    Verify,
}

impl Phase {
    /// All phases in their order.
    pub const ALL: [Self; 11] = [
        Self::Rows,
        Self::Quotient,
        Self::SumH,
        Self::SumC,
        Self::SumHAndC,
        Self::SumA,
        Self::SumB2,
        Self::Sums,
        Self::SumB1,
        Self::Blinding,
        Self::Verify,
    ];

    /// A short name for people.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Rows => "rows",
            Self::Quotient => "quotient",
            Self::SumH => "sum H",
            Self::SumC => "sum C",
            Self::SumHAndC => "sum H+C",
            Self::SumA => "sum A",
            Self::SumB1 => "sum B1",
            Self::SumB2 => "sum B2",
            Self::Sums => "sums",
            Self::Blinding => "blinding",
            Self::Verify => "verify",
        }
    }
}

/// Proves knowledge of `witness` for the circuit of `key`; returns the proof and the public signals.
///
/// `witness` has one value for each wire of the key. It is a [`Witness`], or a slice, array or vector of elements or
/// integers by reference. The blinding factors are drawn from the operating system. Besides
/// key and witness it takes three vectors of the domain (32 bytes an element), or one of them and the buckets of an
/// MSM. On several threads the sums may run side by side, and take copies of their scalars. If
/// [`ProveOptions::max_memory`] asks for less, it takes two vectors, or one with [`ProveOptions::spill`]. Large
/// sections of a mapped key are resident a window at a time. The vectors are zeroised before they are given back. Runs
/// on the thread pool it is called in.
///
/// # Errors
/// - [`Error::WitnessLength`] unless the witness has one value for each wire
/// - [`Error::MemoryLimit`] if [`ProveOptions::max_memory`] is too little
/// - [`Error::KeyOutsideGroup`] if the key has points outside their groups that the witness meets
/// - [`Error::Unsatisfied`] if the proof does not verify
/// - [`Error::Randomness`] if the operating system gives no random bytes
/// - [`Error::Spill`] if a vector cannot be written to or read from its file
/// - [`Error::Source`] if the key's source has changed, or has a wrong digest
pub fn prove<'w, E: ProvingEngine>(
    key: &ProvingKey<E>,
    witness: impl Into<Witness<'w, E::Fr>>,
    options: &ProveOptions,
) -> Result<(Proof<E>, Vec<E::Fr>), Error> {
    prove_blinded(key, &witness.into(), options)
}

#[inline(never)]
pub(crate) fn prove_blinded<E: ProvingEngine>(
    key: &ProvingKey<E>,
    witness: &Witness<'_, E::Fr>,
    options: &ProveOptions,
) -> Result<(Proof<E>, Vec<E::Fr>), Error> {
    let blind = match options.zero_knowledge {
        true => Blind::Anew(Rerandomisation::random()?),
        false => Blind::Not,
    };
    prove_with(key, witness, options, &blind)
}

/// [`prove()`] with r and s given: for comparing a proof with another implementation's. Proofs made with known, or with
/// repeated, r and s are not zero-knowledge.
#[doc(hidden)]
#[inline(never)]
pub fn prove_with_randomness_for_tests<E: ProvingEngine>(
    key: &ProvingKey<E>,
    witness: &Witness<'_, E::Fr>,
    options: &ProveOptions,
    r: E::Fr,
    s: E::Fr,
) -> Result<(Proof<E>, Vec<E::Fr>), Error> {
    prove_with(key, witness, options, &Blind::By(Blinding::fixed(r, s)))
}

/// The way in which a proof is blinded.
enum Blind<F: ScalarField> {
    /// Not at all.
    Not,
    /// The proof with r = s = 0 is made a uniform one.
    Anew(Rerandomisation<F>),
    /// With these r and s.
    By(Blinding<F>),
}

fn prove_with<E: ProvingEngine>(
    key: &ProvingKey<E>,
    witness: &Witness<'_, E::Fr>,
    options: &ProveOptions,
    blind: &Blind<E::Fr>,
) -> Result<(Proof<E>, Vec<E::Fr>), Error> {
    check_length(key, witness)?;
    let way = memory::choose(key, witness, options)?;
    prove_in(way, key, witness, options, blind)
}

fn check_length<E: ProvingEngine>(
    key: &ProvingKey<E>,
    witness: &Witness<'_, E::Fr>,
) -> Result<(), Error> {
    match witness.len() == key.n_wires() {
        true => Ok(()),
        false => Err(Error::WitnessLength {
            expected: key.n_wires(),
            actual: witness.len(),
        }),
    }
}

/// `witness` has a value for each wire.
fn prove_in<E: ProvingEngine>(
    way: Way,
    key: &ProvingKey<E>,
    witness: &Witness<'_, E::Fr>,
    options: &ProveOptions,
    blind: &Blind<E::Fr>,
) -> Result<(Proof<E>, Vec<E::Fr>), Error> {
    let public = witness
        .public(key.n_public())
        .expect("a key has more wires than public signals");

    let h = quotient::to_scalars(quotient(way.vectors, key, witness, options)?);
    let enter = |phase| options.enter(phase);
    let together = match way.sums {
        AtOnce::All => together::compute_vartime(key, witness, &h, enter)?,
        AtOnce::HAndC | AtOnce::One => None,
    };
    let sums = match together {
        Some(sums) => {
            wipe(h);
            sums
        }
        None => sums::compute_vartime(key, witness, h, way.sums, enter)?,
    };
    let proof = blinding::unblinded(key.source().header(), &sums);
    let b1 = || {
        options.enter(Phase::SumB1);
        sums::b1_vartime(key, witness)
    };
    let proof = finish(key, &public, &proof, options, blind, b1)?;
    Ok((proof, public))
}

/// The proof to give: blinded, and verified. `proof` is the one with r = s = 0; `b1` gives ΣB in G1.
fn finish<E: ProvingEngine>(
    key: &ProvingKey<E>,
    public: &[E::Fr],
    proof: &Proof<E>,
    options: &ProveOptions,
    blind: &Blind<E::Fr>,
    b1: impl FnOnce() -> Result<Projective<E::G1>, Error>,
) -> Result<Proof<E>, Error> {
    // Bytes of a mapped file that changed under the proof would only make it false; say so in words.
    let unchanged_key = || key.source().check_unchanged().map_err(Error::Source);
    // Of a corrupt or changed key, if that can be told, rather than of a hostile one or of the witness.
    let sound_key = || {
        unchanged_key()?;
        key.source().check_digests().map_err(Error::Source)
    };
    // The pairing does not see points of small order, which would tell something of the witness: `membership`. Blinding
    // does not hide them either, so that A and B are looked at before it, and C with it.
    let in_groups = |proof: &Proof<E>| match check_proof(proof) {
        Ok(()) => Ok(()),
        Err((point, reason)) => {
            sound_key()?;
            Err(Error::KeyOutsideGroup { point, reason })
        }
    };
    in_groups(proof)?;
    let proof = blinded(key, options, proof, blind, b1)?;
    in_groups(&proof)?;
    if !options.verify {
        unchanged_key()?;
        return Ok(proof);
    }
    options.enter(Phase::Verify);
    let verifier = key.prepared_verifying_key();
    if !verifier.verify_in_groups(public, &proof)? {
        sound_key()?;
        return Err(Error::Unsatisfied);
    }
    Ok(proof)
}

/// The proof, blinded. `proof` is the one with r = s = 0, whose points are in their groups; `b1` gives ΣB in G1.
fn blinded<E: ProvingEngine>(
    key: &ProvingKey<E>,
    options: &ProveOptions,
    proof: &Proof<E>,
    blind: &Blind<E::Fr>,
    b1: impl FnOnce() -> Result<Projective<E::G1>, Error>,
) -> Result<Proof<E>, Error> {
    let header = key.source().header();
    let with = |blinding: &Blinding<E::Fr>| {
        let b1 = b1()?;
        options.enter(Phase::Blinding);
        Ok(blinding::blinded(header, proof, &b1, blinding))
    };
    match blind {
        Blind::By(blinding) => with(blinding),
        // A multiple of infinity is infinity: it is blinded by a sum. So unlikely for an honest key that nobody sees it.
        Blind::Anew(_) if proof.a == E::G1::default() => with(&Blinding::random()?),
        Blind::Anew(drawn) => {
            options.enter(Phase::Blinding);
            Ok(drawn.apply(header, proof))
        }
        Blind::Not => {
            options.enter(Phase::Blinding);
            Ok(*proof)
        }
    }
}

/// The scalars of the sum over H, on the way that takes so many vectors.
fn quotient<E: ProvingEngine>(
    vectors: Vectors,
    key: &ProvingKey<E>,
    witness: &Witness<'_, E::Fr>,
    options: &ProveOptions,
) -> Result<Evaluations<E::Fr>, Error> {
    let domain = key.domain();
    options.enter(Phase::Rows);
    let one = |out: &mut [E::Fr], side| rows::evaluate_one(key, witness, side, out);
    if let (Vectors::One, Some(dir)) = (vectors, options.spill) {
        let mut spilled = SpilledVector::new(dir, domain.size())?;
        let mut values = rows::zeros(domain.size());
        one(&mut values, Side::A)?;
        options.enter(Phase::Quotient);
        key.source().expect(Part::H);
        quotient::numerator_in_one_vector(domain, &mut values, &mut spilled, one)?;
        return Ok(values);
    }
    let [a, b] = rows::evaluate(key, witness)?;
    options.enter(Phase::Quotient);
    key.source().expect(Part::H);
    match vectors {
        Vectors::Three => Ok(quotient::numerator(domain, a, b)),
        Vectors::One | Vectors::Two => quotient::numerator_in_two_vectors(domain, a, b, one),
    }
}

#[cfg(test)]
mod tests;
