//! The circuit's own phase of a ceremony: contributions to keys in files, and their verification.
//!
//! A contribution's secret is drawn, used and wiped within [`contribute`]. It is in no file and in no message.

use std::path::Path;

use frumious_circom::FileKind;
use frumious_circom::generic::R1cs;
use frumious_groth16::{
    Error, ProvingEngine, SetupOptions, SetupPhase, Uncontributed, plan_ceremony,
};
use frumious_mapping::FileBytes;
use frumious_snarkjs::generic::{Ptau, Zkey};
use frumious_snarkjs::groth16::{self, key_kind, phase2};
pub use phase2::{BEACON_EXPONENTS, BEACON_HASH_BYTES, Beacon, Contributed, Verified, hash_lines};
use phase2::{Verdict, verify_chain, verify_initial, verify_key};

use crate::failure::{About, Code, Failure};
use crate::files::unnamed::Unnamed;
use crate::files::{OutputFile, Readers, streams};
use crate::limits::Allowance;
use crate::observer::Observer;
use crate::setup::{about_ceremony, refused};
use crate::{curve, over_curve};

/// A contribution to be made, in either phase of a ceremony.
pub struct Request<'a> {
    /// The key to contribute to, a `.zkey`; in the first phase powers of tau.
    pub old: &'a Path,
    /// The file with the contribution, to be written.
    pub new: &'a Path,
    /// The contributor's name.
    pub name: Option<&'a str>,
    /// Where the contribution's factor comes from.
    pub origin: Origin<'a>,
}

/// Where the factor of a contribution comes from.
pub enum Origin<'a> {
    /// The operating system's randomness, mixed with these bytes.
    Secret(&'a [u8]),
    /// A public beacon.
    Beacon(&'a Beacon),
}

/// Writes a key with one contribution more.
///
/// # Errors
/// A [`Failure`] of exit code 2 or 3, with the file that is at fault.
pub fn contribute(request: &Request<'_>, observer: &dyn Observer) -> Result<Contributed, Failure> {
    observer.begin(READ);
    let bytes = zkey_bytes(request.old)?;
    over_curve!(curve::of(FileKind::Zkey, &bytes, request.old)?, E => {
        contribute_over::<E>(bytes, request, observer)
    })
}

fn contribute_over<E: ProvingEngine>(
    bytes: FileBytes,
    request: &Request<'_>,
    observer: &dyn Observer,
) -> Result<Contributed, Failure> {
    let Request { old, new, name, .. } = *request;
    let key = Zkey::<E>::from_bytes(bytes).about(old)?;
    let mut file = OutputFile::create(new, Readers::Anyone)?;
    let progress = |done| observer.within(CONTRIBUTE, done);
    observer.begin(CONTRIBUTE);
    let made = match &request.origin {
        Origin::Secret(entropy) => phase2::contribute(&key, name, entropy, &mut file, &progress),
        Origin::Beacon(beacon) => {
            phase2::contribute_beacon(&key, name, beacon, &mut file, &progress)
        }
    };
    let about = blamed(made.as_ref().err(), old, new);
    let made = made.about(about)?;
    observer.begin(WRITE);
    key.bytes().check_unchanged().about(old)?;
    file.commit()?;
    Ok(made)
}

/// The hash of the circuit that the key at `path` is for.
///
/// # Errors
/// A [`Failure`] of exit code 2 or 3 for a malformed file, an `.fkey`, and a key without a record of contributions.
pub fn circuit_hash(path: &Path) -> Result<[u8; 64], Failure> {
    let bytes = zkey_bytes(path)?;
    over_curve!(curve::of(FileKind::Zkey, &bytes, path)?, E => {
        let record = Zkey::<E>::from_bytes(bytes).about(path)?.contributions().about(path)?;
        record.map(|record| record.circuit_hash).ok_or_else(|| {
            Failure::bad_input(format!("{}: it has no record of contributions", path.display()))
        })
    })
}

/// The file that an error is about.
pub(crate) fn blamed<'a>(error: Option<&Error>, old: &'a Path, new: &'a Path) -> &'a Path {
    match error.and_then(|error| error.source_as()) {
        Some(frumious_circom::Error::Write { .. }) => new,
        _ => old,
    }
}

/// The circuit of a key to be verified.
pub enum Circuit<'a> {
    /// Its constraints.
    Constraints(&'a Path),
    /// A key without contributions. Its parts IC, A, B and C are trusted to be the circuit's.
    Initial(&'a Path),
}

/// Beacons of keys to be verified have at most 2^32 iterations by default: some minutes.
pub const MAX_BEACON_EXPONENT: u8 = 32;

/// A key that was verified.
#[derive(Debug)]
pub struct Chain {
    /// The hash of the circuit.
    pub circuit_hash: [u8; 64],
    /// The contributions, in the order in which they were made.
    pub contributions: Vec<Verified>,
    /// The contribution for want of which anyone can forge proofs. The key is the circuit's all the same.
    pub missing: Option<Uncontributed>,
}

/// Verifies the key at `key`: its contributions, and that it is the circuit's key under the powers of tau.
///
/// # Errors
/// A [`Failure`] of exit code 1 for a key that is not, which names the contribution or the section that is wrong. Of
/// exit code 2 or 3 for malformed files. [`Code::TimeLimit`] for a beacon of more than `2^max_exponent` iterations, as
/// a key that nobody vouches for may ask for years of work.
pub fn verify(
    circuit: &Circuit<'_>,
    powers: &Path,
    key: &Path,
    max_exponent: u8,
    observer: &dyn Observer,
) -> Result<Chain, Failure> {
    observer.begin(READ);
    let bytes = zkey_bytes(key)?;
    over_curve!(curve::of(FileKind::Zkey, &bytes, key)?, E => {
        verify_over::<E>(bytes, circuit, powers, (key, max_exponent), observer)
    })
}

fn verify_over<E: ProvingEngine>(
    bytes: FileBytes,
    circuit: &Circuit<'_>,
    powers: &Path,
    (path, max_exponent): (&Path, u8),
    observer: &dyn Observer,
) -> Result<Chain, Failure> {
    let key = Zkey::<E>::from_bytes(bytes).about(path)?;
    refuse_long_beacons(&key, path, max_exponent)?;
    let powers_bytes = streams::map(powers)?;
    powers_bytes.settle();
    let ptau = Ptau::<E>::from_bytes(powers_bytes)
        .map_err(|error| error.in_file(powers))
        .about(powers)?;

    observer.begin(CONTRIBUTIONS);
    let contributions = accepted(verify_chain(&key).about(path)?, path)?;

    let initial = match circuit {
        Circuit::Constraints(r1cs) => made_initial::<E>(r1cs, &ptau, powers, observer)?,
        Circuit::Initial(initial) => {
            let key = Zkey::<E>::from_bytes(zkey_bytes(initial)?)
                .map_err(|error| error.in_file(initial))
                .about(initial)?;
            accepted(verify_initial(&key, &ptau).about(powers)?, initial)?;
            key
        }
    };
    observer.begin(COMPARE);
    let progress = |done| observer.within(COMPARE, done);
    accepted(verify_key(&initial, &key, &progress).about(path)?, path)?;
    for (file, name) in [(key.bytes(), path), (ptau.bytes(), powers)] {
        file.check_unchanged().about(name)?;
    }
    if let Circuit::Initial(name) = circuit {
        initial.bytes().check_unchanged().about(name)?;
    }
    let record = key.contributions().about(path)?;
    Ok(Chain {
        circuit_hash: record.map_or([0; 64], |record| record.circuit_hash),
        contributions,
        missing: key.header().missing_contribution(),
    })
}

/// Refuses beacons of more than `2^max_exponent` iterations.
fn refuse_long_beacons<E: ProvingEngine>(
    key: &Zkey<E>,
    path: &Path,
    max_exponent: u8,
) -> Result<(), Failure> {
    let record = key.contributions().about(path)?;
    let contributions = record.into_iter().flat_map(|record| record.contributions);
    let beacons = contributions.map(|it| it.beacon.filter(|_| it.is_beacon));
    within_exponent(beacons, path, max_exponent)
}

/// Refuses beacons of more than `2^max_exponent` iterations, one or all together, among those of each contribution.
pub(crate) fn within_exponent(
    beacons: impl Iterator<Item = Option<(Vec<u8>, u8)>>,
    path: &Path,
    max_exponent: u8,
) -> Result<(), Failure> {
    let mut iterations = 0_u128;
    for (index, beacon) in beacons.enumerate() {
        let Some((_, exponent)) = beacon else {
            continue;
        };
        let (path, number) = (path.display(), index + 1);
        let refused = |has: &str, needed: u32| {
            let text = format!(
                "{path}: contribution {number}: {has}, above the limit of 2^{max_exponent}. To compute them give \
                 --max-iterations-exp {needed}."
            );
            Err(Failure::new(Code::TimeLimit, text))
        };
        if exponent > max_exponent {
            let has = format!("its beacon has 2^{exponent} iterations");
            return refused(&has, exponent.into());
        }
        iterations += 1 << exponent; // below 2^64 each, and a file has fewer than 2^64
        if iterations > 1 << max_exponent {
            let has = format!("the beacons up to it have {iterations} iterations");
            return refused(&has, iterations.next_power_of_two().ilog2());
        }
    }
    Ok(())
}

/// The key before any contribution.
fn made_initial<E: ProvingEngine>(
    r1cs: &Path,
    ptau: &Ptau<E>,
    powers: &Path,
    observer: &dyn Observer,
) -> Result<Zkey<E>, Failure> {
    let circuit = streams::map(r1cs)?;
    circuit.settle();
    let circuit = R1cs::<E>::from_bytes(circuit)
        .map_err(|error| error.in_file(r1cs))
        .about(r1cs)?;
    let within = |phase: SetupPhase, done: f64| observer.within(phase.name(), done);
    let allowance = Allowance::of(None, observer);
    let options = SetupOptions {
        max_memory: allowance.limit,
        observer: Some(&within),
    };
    plan_ceremony::<E>(&circuit, options.max_memory)
        .map_err(|error| refused(error, &allowance))
        .about(r1cs)?;
    let mut file = Unnamed::new()?;
    let made = groth16::setup(&circuit, ptau, &mut file, &options);
    let folder = file.folder().to_owned();
    about_ceremony(made, r1cs, powers, &folder)?;
    Zkey::from_bytes(file.into_bytes()?).about(&folder)
}

/// The content of a valid verdict; a failure for any other.
fn accepted<T>(verdict: Verdict<T>, path: &Path) -> Result<T, Failure> {
    match verdict {
        Verdict::Valid(found) => Ok(found),
        Verdict::Invalid(fault) => {
            let message = format!("{}: INVALID key: {fault}", path.display());
            Err(Failure::new(Code::Rejected, message))
        }
    }
}

/// The bytes of a zkey; an fkey is refused.
pub(crate) fn zkey_bytes(path: &Path) -> Result<FileBytes, Failure> {
    let bytes = streams::map(path)?;
    bytes.settle();
    match key_kind(&bytes) {
        FileKind::Fkey => Err(Failure::new(
            Code::WrongKind,
            format!(
                "{}: it is an .fkey, and ceremonies go on with a .zkey. Next: frumious convert {0} KEY.zkey",
                path.display()
            ),
        )),
        _ => Ok(bytes),
    }
}

/// The phases of a contribution and their shares of its time.
pub const CONTRIBUTION: &[(&str, f64)] = &[(READ, 1.0), (CONTRIBUTE, 97.0), (WRITE, 2.0)];

/// The phases of a verification with constraints and their shares of its time, guessed.
pub const VERIFICATION: &[(&str, f64)] = &[
    (READ, 1.0),
    (CONTRIBUTIONS, 4.0),
    (SetupPhase::Check.name(), 35.0),
    (SetupPhase::Columns.name(), 1.0),
    (SetupPhase::PointsIc.name(), 1.0),
    (SetupPhase::Coefficients.name(), 1.0),
    (SetupPhase::PointsA.name(), 6.0),
    (SetupPhase::PointsB1.name(), 6.0),
    (SetupPhase::PointsB2.name(), 12.0),
    (SetupPhase::PointsC.name(), 14.0),
    (SetupPhase::PointsH.name(), 5.0),
    (SetupPhase::Hash.name(), 4.0),
    (COMPARE, 10.0),
];

const READ: &str = "read key";
const CONTRIBUTE: &str = "contribute";
const WRITE: &str = "write";
const CONTRIBUTIONS: &str = "check contributions";
const COMPARE: &str = "compare keys";
