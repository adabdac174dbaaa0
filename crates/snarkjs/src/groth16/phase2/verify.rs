//! Verification of a chain of contributions, and of the key at its end.
//!
//! From a key without contributions, δ = 1, each contribution multiplies δ. Checked are, in this order:
//!
//! 1. the chain: transcripts, proofs of knowledge, δ after each, beacons ([`verify_chain`]);
//! 2. the header and the sections that contributions leave as they are, byte for byte;
//! 3. parts C and H, which are those of the first key divided by δ ([`verify_key`]). Of H the last power of τ may be
//!    missing, as in keys that were imported from bellman's files.
//!
//! Of a file that breaks a rule of its format an error tells the place. Anything else that is wrong is a [`Fault`].

use super::transcript::{Transcript, contribution_hash, hash_to_g2};
use super::{BEACON_EXPONENTS, BEACON_HASH_BYTES};
use crate::generic::{Contribution, Contributions, Points, Ptau, PublicKey, Zkey};
use crate::groth16::source::check_in_ranges;
use crate::random::Random;
use frumious_circom::{Error as FileError, FileKind, Problem};
use frumious_curves::Group;
use frumious_curves::engine::MontgomeryEncoding;
use frumious_groth16::{Error, Powers, ProvingEngine, same_multiples, same_quotient, same_ratio};
use frumious_msm::{Encoded, PointList};
use std::fmt;

/// The verdict on a key.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verdict<T> {
    /// Everything that was checked is right.
    Valid(T),
    /// Something is not.
    Invalid(Fault),
}

/// A contribution whose proof of knowledge is right.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Verified {
    /// Its hash.
    pub hash: [u8; 64],
    /// The name that it was given.
    pub name: Option<String>,
    /// The beacon's hash and the logarithm of its iterations, of a beacon's contribution.
    pub beacon: Option<(Vec<u8>, u8)>,
}

/// The first thing that is wrong with a key, or with its contributions, numbered from 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Fault {
    /// A contribution's transcript is not the hash of the contributions before it and its own point: it was altered,
    /// moved or replayed.
    Transcript(usize),
    /// The two halves of a contribution's public key have different factors.
    PublicKey(usize),
    /// δ after a contribution is not δ before it times the contribution's factor.
    DeltaAfter(usize),
    /// A beacon's contribution is not the one that its hash and its iterations give.
    Beacon(usize),
    /// The key is of a circuit of another size.
    Sizes,
    /// A point of the header, which contributions leave as it is.
    Header(&'static str),
    /// δ in G1 is not that of the last contribution.
    DeltaG1,
    /// δ in G2 is not δ in G1.
    DeltaG2,
    /// The circuit's hash is another.
    CircuitHash,
    /// A section that contributions leave as it is.
    Section(u32),
    /// A section of points that are not those of the first key divided by δ.
    Divided(u32),
    /// The first key is not of these powers of tau.
    Powers(&'static str),
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Transcript(number) => write!(
                f,
                "contribution {number}: its transcript is not the hash of what is before it"
            ),
            Self::PublicKey(number) => write!(
                f,
                "contribution {number}: the halves of its public key have different factors"
            ),
            Self::DeltaAfter(number) => write!(
                f,
                "contribution {number}: delta after it is not delta before it times its factor"
            ),
            Self::Beacon(number) => write!(
                f,
                "contribution {number}: its public key is not the one that its beacon gives"
            ),
            Self::Sizes => f.write_str("section 2: the circuit has another size"),
            Self::Header(point) => write!(f, "section 2: {point} is another point"),
            Self::DeltaG1 => {
                f.write_str("section 2: delta in G1 is not that of the last contribution")
            }
            Self::DeltaG2 => f.write_str("section 2: delta in G2 is not delta in G1"),
            Self::CircuitHash => f.write_str("section 10: the hash of the circuit is another"),
            Self::Section(id) => write!(f, "section {id}: it differs from the circuit's"),
            Self::Divided(id) => {
                write!(
                    f,
                    "section {id}: its points are not the circuit's divided by delta"
                )
            }
            Self::Powers(what) => {
                write!(f, "the initial key is not of these powers of tau: {what}")
            }
        }
    }
}

/// Verifies the contributions of a key. Each is by somebody who knew its factor, and builds on those before it.
/// Together they give the key's δ.
///
/// A beacon of 2^k iterations takes as many hashes of SHA-256.
///
/// # Errors
/// [`FileError::Malformed`] for a key without section 10, or one that does not parse, with points outside their groups
/// included.
pub fn verify_chain<E: ProvingEngine>(key: &Zkey<E>) -> Result<Verdict<Vec<Verified>>, FileError> {
    let record = key.contributions()?.ok_or_else(|| {
        let end = key.bytes().len() as u64;
        FileError::section(FileKind::Zkey, 10, end, Problem::MissingSection)
    })?;
    let header = key.header();
    let begun = (0, E::G1::GENERATOR);
    Ok(verify_further(
        &record,
        begun,
        (&header.delta_g1, &header.delta_g2),
    ))
}

/// Verifies the contributions from number `known` on, from the δ before them to the key's.
pub(in crate::groth16) fn verify_further<E: ProvingEngine>(
    record: &Contributions<E>,
    (known, mut delta): (usize, E::G1),
    (delta_g1, delta_g2): (&E::G1, &E::G2),
) -> Verdict<Vec<Verified>> {
    let mut transcript = Transcript::<E>::new(&record.circuit_hash);
    let mut verified = Vec::new();
    for (index, contribution) in record.contributions.iter().enumerate() {
        if index < known {
            transcript.append(contribution);
            continue;
        }
        frumious_parallel::check_cancelled();
        if let Some(fault) = fault_of(contribution, &transcript, &delta, index + 1) {
            return Verdict::Invalid(fault);
        }
        transcript.append(contribution);
        delta = contribution.delta_after;
        verified.push(Verified {
            hash: contribution_hash(contribution),
            name: contribution.name.clone(),
            beacon: contribution
                .beacon
                .clone()
                .filter(|_| contribution.is_beacon),
        });
    }
    if *delta_g1 != delta {
        return Verdict::Invalid(Fault::DeltaG1);
    }
    let generators = (E::G1::GENERATOR, E::G2::GENERATOR);
    if !same_ratio::<E>((&generators.0, &delta), (&generators.1, delta_g2)) {
        return Verdict::Invalid(Fault::DeltaG2);
    }
    Verdict::Valid(verified)
}

/// The first thing that is wrong with a contribution.
fn fault_of<E: ProvingEngine>(
    contribution: &Contribution<E>,
    before: &Transcript<E>,
    delta: &E::G1,
    number: usize,
) -> Option<Fault> {
    let PublicKey {
        g1_s,
        g1_sx,
        g2_spx,
    } = &contribution.public_key;
    if before.next(g1_s, g1_sx) != contribution.transcript {
        return Some(Fault::Transcript(number));
    }
    let g2_sp = hash_to_g2::<E>(&contribution.transcript);
    if !same_ratio::<E>((g1_s, g1_sx), (&g2_sp, g2_spx)) {
        return Some(Fault::PublicKey(number));
    }
    if !same_ratio::<E>((delta, &contribution.delta_after), (&g2_sp, g2_spx)) {
        return Some(Fault::DeltaAfter(number));
    }
    if contribution.is_beacon {
        let Some((hash, exponent)) = &contribution.beacon else {
            return Some(Fault::Beacon(number));
        };
        if !BEACON_EXPONENTS.contains(exponent) || !BEACON_HASH_BYTES.contains(&hash.len()) {
            return Some(Fault::Beacon(number));
        }
        let mut random = Random::from_beacon(hash, *exponent);
        let factor = random.element::<E::Fr>(); // public, as the beacon is
        let expected: E::G1 = random.point();
        let product = E::G1::from(E::G1::multiply_vartime(&expected.into(), &factor));
        if (expected, product) != (*g1_s, *g1_sx) {
            return Some(Fault::Beacon(number));
        }
    }
    None
}

/// Verifies that `key` is `initial`, a key without contributions, with another δ. `progress` is told how much is done.
///
/// # Errors
/// [`Error::Source`] for a point of parts C or H outside its group; [`Error::Randomness`].
pub fn verify_key<E: ProvingEngine>(
    initial: &Zkey<E>,
    key: &Zkey<E>,
    progress: &dyn Fn(f64),
) -> Result<Verdict<()>, Error> {
    let (first, header) = (initial.header(), key.header());
    let sizes = |key: &Zkey<E>| {
        let header = key.header();
        (header.n_wires, header.n_public, header.domain_size)
    };
    if sizes(initial) != sizes(key) {
        return Ok(Verdict::Invalid(Fault::Sizes));
    }
    let points = [
        ("alpha in G1", first.alpha_g1 == header.alpha_g1),
        ("beta in G1", first.beta_g1 == header.beta_g1),
        ("beta in G2", first.beta_g2 == header.beta_g2),
        ("gamma in G2", first.gamma_g2 == header.gamma_g2),
    ];
    if let Some((name, _)) = points.iter().find(|(_, same)| !same) {
        return Ok(Verdict::Invalid(Fault::Header(name)));
    }
    let hash = |key: &Zkey<E>| {
        key.contributions_bytes()
            .and_then(|bytes| bytes.first_chunk::<64>().copied())
    };
    if hash(initial) != hash(key) {
        return Ok(Verdict::Invalid(Fault::CircuitHash));
    }
    for id in 3..=7 {
        frumious_parallel::check_cancelled();
        if initial.section_bytes(id) != key.section_bytes(id) {
            return Ok(Verdict::Invalid(Fault::Section(id)));
        }
    }
    progress(0.1);
    for (id, old, new) in [(8, initial.c(), key.c()), (9, initial.h(), key.h())] {
        for (file, points) in [(initial, &old), (key, &new)] {
            check_in_ranges(points.len(), |range| points.check(range))
                .map_err(|error| Error::Source(error.in_file_of(file.bytes()).into()))?;
        }
        let (old, new) = ((list(old), &first.delta_g2), (list(new), &header.delta_g2));
        let is_same = match id {
            8 => same_multiples::<E>(old, new)?,
            _ => same_quotient::<E>(old, new)?,
        };
        if !is_same {
            return Ok(Verdict::Invalid(Fault::Divided(id)));
        }
        progress(if id == 8 { 0.5 } else { 1.0 });
    }
    Ok(Verdict::Valid(()))
}

/// Verifies the parts of an initial key that do not depend on the circuit. α, β and part H are those of the powers of
/// tau; γ and δ are 1. Its other parts are trusted: [`verify_key`] compares a key with them.
///
/// # Errors
/// [`FileError::Malformed`] for powers of tau that are not prepared, or too few.
pub fn verify_initial<E: ProvingEngine>(
    initial: &Zkey<E>,
    ptau: &Ptau<E>,
) -> Result<Verdict<()>, FileError> {
    let header = initial.header();
    let in_ptau = |error: FileError| error.in_file_of(ptau.bytes());
    let points = [
        (
            "delta is not 1",
            header.delta_g1 == E::G1::GENERATOR && header.delta_g2 == E::G2::GENERATOR,
        ),
        ("gamma is not 1", header.gamma_g2 == E::G2::GENERATOR),
        (
            "alpha in G1",
            header.alpha_g1 == ptau.alpha_tau_g1().get(0).map_err(in_ptau)?,
        ),
        (
            "beta in G1",
            header.beta_g1 == ptau.beta_tau_g1().get(0).map_err(in_ptau)?,
        ),
        ("beta in G2", header.beta_g2 == ptau.beta_g2()?),
    ];
    if let Some((what, _)) = points.iter().find(|(_, right)| !right) {
        return Ok(Verdict::Invalid(Fault::Powers(what)));
    }
    let log_n = header.domain_size.ilog2();
    let doubled = ptau.lagrange_tau_g1(log_n + 1)?;
    let (h, size) = (initial.h(), E::G1::BYTES);
    let is_same = |i: usize| {
        let place = Powers::<E>::place_of_h(log_n, i) * size;
        doubled.as_bytes()[place..place + size] == h.as_bytes()[i * size..(i + 1) * size]
    };
    Ok(match (0..h.len()).all(is_same) {
        true => Verdict::Valid(()),
        false => Verdict::Invalid(Fault::Powers("section 9")),
    })
}

fn list<P: frumious_msm::EncodedPoint>(points: Points<'_, P>) -> PointList<'_, P> {
    PointList::Encoded(Encoded::new(points.as_bytes()))
}
