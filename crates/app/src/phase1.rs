//! The phase of a ceremony that all circuits share: powers of tau in files.
//!
//! A contribution's secrets are drawn, used and wiped within [`contribute`]. They are in no file and in no message.

use std::path::{Path, PathBuf};

use frumious_circom::FileKind;
use frumious_curves::PairingCurve;
use frumious_groth16::{Error, ProvingEngine};
use frumious_mapping::FileBytes;
use frumious_snarkjs::generic::Ptau;
use frumious_snarkjs::groth16::KeyOutput;
use frumious_snarkjs::phase1::{
    self, Answered, Fault, Imported, Verdict, check_bases_power, verify_bases, verify_bases_bytes,
    verify_chain, verify_powers,
};
pub use phase1::{Contributed, POWERS, Verified};

use crate::curve;
use crate::failure::{About, Code, Failure};
use crate::files::{self, OutputFile, Readers, streams};
use crate::limits::{self, Allowance};
use crate::observer::Observer;
use crate::over_curve;
use crate::partial::{PartialFile, digest_of};
pub use crate::phase2::{Origin, Request};
use crate::phase2::{blamed, within_exponent};
use crate::quantities::{bytes, count};
use crate::setup::refused;

/// Writes powers of `2^power` without a contribution; the challenge of the first contributor.
///
/// # Errors
/// A [`Failure`] of exit code 2 or 3, with the file that is at fault.
///
/// # Panics
/// For a power outside [`POWERS`].
pub fn create(
    curve: PairingCurve,
    power: u32,
    new: &Path,
    observer: &dyn Observer,
) -> Result<[u8; 64], Failure> {
    observer.begin(CREATE);
    let mut file = OutputFile::create(new, Readers::Anyone)?;
    let progress = |done| observer.within(CREATE, done);
    let made = over_curve!(curve, E => phase1::create::<E>(power, &mut file, &progress));
    let challenge = made.about(new)?;
    observer.begin(WRITE);
    file.commit()?;
    Ok(challenge)
}

/// Writes powers with one contribution more.
///
/// # Errors
/// A [`Failure`] of exit code 2 or 3, with the file that is at fault.
pub fn contribute(request: &Request<'_>, observer: &dyn Observer) -> Result<Contributed, Failure> {
    observer.begin(READ);
    let bytes = ptau_bytes(request.old)?;
    over_curve!(curve::of(FileKind::Ptau, &bytes, request.old)?, E => {
        contribute_over::<E>(bytes, request, observer)
    })
}

fn contribute_over<E: ProvingEngine>(
    bytes: FileBytes,
    request: &Request<'_>,
    observer: &dyn Observer,
) -> Result<Contributed, Failure> {
    let Request { old, new, name, .. } = *request;
    let powers = Ptau::<E>::from_bytes(bytes).about(old)?;
    let mut file = OutputFile::create_to_read(new)?;
    let progress = |done| observer.within(CONTRIBUTE, done);
    observer.begin(CONTRIBUTE);
    let made = match &request.origin {
        Origin::Secret(entropy) => phase1::contribute(&powers, name, entropy, &mut file, &progress),
        Origin::Beacon(beacon) => {
            phase1::contribute_beacon(&powers, name, beacon, &mut file, &progress)
        }
    };
    let about = blamed(made.as_ref().err(), old, new);
    let made = made.about(about)?;
    observer.begin(WRITE);
    powers.bytes().check_unchanged().about(old)?;
    file.commit()?;
    Ok(made)
}

/// Powers that were verified.
#[derive(Debug)]
pub struct Powers {
    /// Their number, as a binary logarithm.
    pub power: u32,
    /// The same for the ceremony that they were cut from.
    pub ceremony_power: u32,
    /// True if they have Lagrange bases, which are verified, too.
    pub is_prepared: bool,
    /// The contributions, in the order in which they were made.
    pub contributions: Vec<Verified>,
}

/// Verifies the powers at `path`: the contributions, every point, the Lagrange bases if there are any.
///
/// # Errors
/// A [`Failure`] of exit code 1 for powers that are not valid, which names the contribution or the section that is
/// wrong. Of exit code 2 or 3 for malformed files. [`Code::TimeLimit`] for a beacon of more than `2^max_exponent`
/// iterations, as a file that nobody vouches for may ask for years of work.
pub fn verify(path: &Path, max_exponent: u8, observer: &dyn Observer) -> Result<Powers, Failure> {
    observer.begin(READ);
    let bytes = ptau_bytes(path)?;
    over_curve!(curve::of(FileKind::Ptau, &bytes, path)?, E => {
        verify_over::<E>(bytes, path, max_exponent, observer)
    })
}

fn verify_over<E: ProvingEngine>(
    bytes: FileBytes,
    path: &Path,
    max_exponent: u8,
    observer: &dyn Observer,
) -> Result<Powers, Failure> {
    let ptau = Ptau::<E>::from_bytes(bytes).about(path)?;
    let contributions = ptau.contributions().about(path)?.into_iter();
    let beacons = contributions.map(|it| it.beacon.filter(|_| it.is_beacon));
    within_exponent(beacons, path, max_exponent)?;
    if ptau.is_prepared() {
        check_bases_power(&ptau).about(path)?;
        limits::require(verify_bases_bytes(ptau.power()))?;
    }

    let within = |phase: &'static str| move |done: f64| observer.within(phase, done);
    observer.begin(CONTRIBUTIONS);
    let chain = verify_chain(&ptau, &within(CONTRIBUTIONS)).about(path)?;
    let contributions = accepted(chain, path)?;
    observer.begin(POINTS);
    let verdict = verify_powers(&ptau, &contributions, &within(POINTS)).about(path)?;
    let powers = accepted(verdict, path)?;
    if ptau.is_prepared() {
        observer.begin(BASES);
        accepted(verify_bases(powers, &within(BASES)).about(path)?, path)?;
    }
    ptau.bytes().check_unchanged().about(path)?;
    Ok(Powers {
        power: ptau.power(),
        ceremony_power: ptau.ceremony_power(),
        is_prepared: ptau.is_prepared(),
        contributions,
    })
}

/// The content of a valid verdict; a failure for any other.
fn accepted<T>(verdict: Verdict<T>, path: &Path) -> Result<T, Failure> {
    let fault: Fault = match verdict {
        Verdict::Valid(found) => return Ok(found),
        Verdict::Invalid(fault) => fault,
    };
    let message = format!("{}: INVALID powers of tau: {fault}", path.display());
    Err(Failure::new(Code::Rejected, message))
}

/// Writes the powers at `old` with Lagrange bases. If it is interrupted, the next one goes on where it was.
///
/// Bases that are there are made anew. Those of early versions of snarkjs lack the last block of section 12.
///
/// # Errors
/// A [`Failure`] of exit code 2 or 3, with the file that is at fault; for less memory than it takes.
pub fn prepare(
    old: &Path,
    new: &Path,
    max_memory: Option<u64>,
    observer: &dyn Observer,
) -> Result<(), Failure> {
    observer.begin(READ);
    let bytes = ptau_bytes(old)?;
    over_curve!(curve::of(FileKind::Ptau, &bytes, old)?, E => {
        prepare_over::<E>(bytes, (old, new), max_memory, observer)
    })
}

fn prepare_over<E: ProvingEngine>(
    file: FileBytes,
    (old, new): (&Path, &Path),
    max_memory: Option<u64>,
    observer: &dyn Observer,
) -> Result<(), Failure> {
    let powers = Ptau::<E>::without_bases(file).about(old)?;
    let allowance = Allowance::of(max_memory, observer);
    let threads = frumious_parallel::current_num_threads();
    let needed = phase1::prepare_bytes::<E>(powers.power(), threads);
    observer.note(&format!(
        "memory: at most {} beside the program and mapped files",
        bytes(needed)
    ));
    if let Some(limit) = allowance.limit.filter(|limit| *limit < needed) {
        let error = Error::MemoryLimit { needed, limit };
        return Err(refused(error, &allowance)).about(old);
    }
    let progress = |done| observer.within(PREPARE, done);
    let make = |file: &mut dyn KeyOutput| {
        observer.begin(PREPARE);
        let made = phase1::prepare(&powers, file, &progress);
        let about = blamed(made.as_ref().err(), old, new);
        made.about(about)?;
        observer.begin(WRITE);
        powers.bytes().check_unchanged().about(old)
    };
    if !files::is_replaced(new) {
        let mut file = OutputFile::create(new, Readers::Anyone)?;
        make(&mut file)?;
        return file.commit();
    }
    observer.begin(HASH);
    let inputs = digest_of(&[b"powersoftau prepare phase2", powers.bytes()]);
    let mut file = PartialFile::open(new, &inputs)?;
    let resumed = file.resumed_bytes();
    if resumed > 0 {
        observer.note(&format!(
            "going on with {}, of which {} bytes are there",
            file.path().display(),
            count(resumed)
        ));
    }
    match make(&mut file) {
        Ok(()) => file.commit(),
        Err(failure) => Err(file.keep_or_remove(failure)),
    }
}

/// Nothing of it is kept, so that it never goes on.
impl KeyOutput for OutputFile {}

/// Writes the first powers of those at `path`, beside it: `2^1` powers, and so on below its own number. Returns their
/// paths, which are those of [`reduced_paths`].
///
/// # Errors
/// A [`Failure`] of exit code 2 or 3, with the file that is at fault.
pub fn truncate(path: &Path, observer: &dyn Observer) -> Result<Vec<PathBuf>, Failure> {
    observer.begin(READ);
    let bytes = ptau_bytes(path)?;
    over_curve!(curve::of(FileKind::Ptau, &bytes, path)?, E => {
        let powers = Ptau::<E>::from_bytes(bytes).about(path)?;
        let written = reduced_names(path, powers.power());
        for (power, new) in (1..).zip(&written) {
            observer.within(WRITE, f64::from(power) / written.len() as f64);
            let mut file = OutputFile::create(new, Readers::Anyone)?;
            phase1::reduce(&powers, power, &mut file).about(new)?;
            powers.bytes().check_unchanged().about(path)?;
            file.commit()?;
        }
        Ok(written)
    })
}

/// The paths that [`truncate`] writes to.
///
/// # Errors
/// A [`Failure`] of exit code 2 or 3 if the file at `path` is no powers of tau.
pub fn reduced_paths(path: &Path) -> Result<Vec<PathBuf>, Failure> {
    let bytes = ptau_bytes(path)?;
    over_curve!(curve::of(FileKind::Ptau, &bytes, path)?, E => {
        Ok(reduced_names(path, Ptau::<E>::from_bytes(bytes).about(path)?.power()))
    })
}

/// `NAME_01.ptau` and so on, for the powers below `power`.
fn reduced_names(path: &Path, power: u32) -> Vec<PathBuf> {
    let stem = match path
        .extension()
        .is_some_and(|extension| extension == "ptau")
    {
        true => path.with_extension(""),
        false => path.to_owned(),
    };
    let name = |power: u32| {
        let mut name = stem.clone().into_os_string();
        name.push(format!("_{power:02}.ptau"));
        PathBuf::from(name)
    };
    (1..power).map(name).collect()
}

/// A challenge that was written.
#[derive(Debug)]
pub struct Challenge {
    /// The hash of the response before.
    pub response_hash: [u8; 64],
    /// The hash of the challenge.
    pub challenge: [u8; 64],
}

/// Writes the challenge of the next contributor to the powers at `path`.
///
/// # Errors
/// A [`Failure`] of exit code 1 for powers that are not those of their last contribution. Others are of exit code 2 or
/// 3, with the file that is at fault.
pub fn export_challenge(
    path: &Path,
    new: &Path,
    observer: &dyn Observer,
) -> Result<Challenge, Failure> {
    observer.begin(READ);
    let bytes = ptau_bytes(path)?;
    over_curve!(curve::of(FileKind::Ptau, &bytes, path)?, E => {
        let powers = Ptau::<E>::from_bytes(bytes).about(path)?;
        let mut file = OutputFile::create(new, Readers::Anyone)?;
        observer.begin(WRITE);
        let made = phase1::export_challenge(&powers, &mut file);
        let about = match &made {
            Err(frumious_circom::Error::Write { .. }) => new,
            _ => path,
        };
        let [response_hash, challenge] = accepted(made.about(about)?, path)?;
        powers.bytes().check_unchanged().about(path)?;
        file.commit()?;
        Ok(Challenge { response_hash, challenge })
    })
}

/// Writes the powers at `old` with the contribution of a response at `response`.
///
/// # Errors
/// A [`Failure`] of exit code 1 for a response to another challenge, or whose proofs of knowledge are wrong. Others are
/// of exit code 2 or 3, with the file that is at fault.
pub fn import_response(
    (old, response, new): (&Path, &Path, &Path),
    name: Option<&str>,
    observer: &dyn Observer,
) -> Result<Contributed, Failure> {
    observer.begin(READ);
    let (bytes, answer) = (ptau_bytes(old)?, ptau_bytes(response)?);
    over_curve!(curve::of(FileKind::Ptau, &bytes, old)?, E => {
        let powers = Ptau::<E>::from_bytes(bytes).about(old)?;
        let mut file = OutputFile::create_to_read(new)?;
        observer.begin(CONTRIBUTE);
        let progress = |done| observer.within(CONTRIBUTE, done);
        let made = phase1::import_response(&powers, &answer, name, &mut file, &progress);
        let about = match &made {
            Err(frumious_circom::Error::Write { .. }) => new,
            _ => old,
        };
        let made = imported(made.about(about)?, response)?;
        observer.begin(WRITE);
        for (file, path) in [(powers.bytes(), old), (&answer, response)] {
            file.check_unchanged().about(path)?;
        }
        file.commit()?;
        Ok(made)
    })
}

/// A response that was written.
#[derive(Debug)]
pub struct Answer {
    /// The hash of the challenge.
    pub challenge: [u8; 64],
    /// The hash to publish.
    pub response_hash: [u8; 64],
    /// Number of points that were multiplied.
    pub points: u64,
}

/// Writes the response to the challenge at `challenge`: a contribution of whoever has no more of the powers.
///
/// # Errors
/// A [`Failure`] of exit code 2 or 3, with the file that is at fault.
pub fn answer(
    curve: PairingCurve,
    (challenge, response): (&Path, &Path),
    entropy: &[u8],
    observer: &dyn Observer,
) -> Result<Answer, Failure> {
    observer.begin(READ);
    let bytes = ptau_bytes(challenge)?;
    let mut file = OutputFile::create(response, Readers::Anyone)?;
    observer.begin(CONTRIBUTE);
    let progress = |done| observer.within(CONTRIBUTE, done);
    let made = over_curve!(curve, E => {
        phase1::answer_challenge::<E>(&bytes, entropy, &mut file, &progress)
    });
    let path = challenge.display();
    let (challenge_hash, response_hash, points) = match made.about(response)? {
        Answered::Response {
            challenge,
            response_hash,
            points,
        } => (challenge, response_hash, points),
        Answered::Length(length) => {
            return Err(Failure::bad_input(format!(
                "{path}: no challenge over {curve} has {length} bytes"
            )));
        }
        Answered::Point(place) => {
            return Err(Failure::bad_input(format!(
                "{path}: no finite point of the group (byte {place})"
            )));
        }
    };
    observer.begin(WRITE);
    bytes.check_unchanged().about(challenge)?;
    file.commit()?;
    Ok(Answer {
        challenge: challenge_hash,
        response_hash,
        points,
    })
}

/// The contribution of a response; a failure for anything else.
fn imported(made: Imported, response: &Path) -> Result<Contributed, Failure> {
    let path = response.display();
    Err(match made {
        Imported::Contribution(made) => return Ok(made),
        Imported::Length { expected, actual } => Failure::bad_input(format!(
            "{path}: a response to these powers has {expected} bytes, and this file has {actual}"
        )),
        Imported::OtherChallenge => Failure::new(
            Code::Rejected,
            format!("{path}: INVALID response: it answers another challenge (its first 64 bytes)"),
        ),
        Imported::Point(place) => Failure::bad_input(format!(
            "{path}: no point of the group (byte {place}, or soon after)"
        )),
        Imported::Invalid(fault) => {
            Failure::new(Code::Rejected, format!("{path}: INVALID response: {fault}"))
        }
    })
}

fn ptau_bytes(path: &Path) -> Result<FileBytes, Failure> {
    let bytes = streams::map(path)?;
    bytes.settle();
    Ok(bytes)
}

/// The phases of [`create`] and their shares of its time.
pub const CREATION: &[(&str, f64)] = &[(CREATE, 95.0), (WRITE, 5.0)];

/// The phases of a contribution and their shares of its time.
pub const CONTRIBUTION: &[(&str, f64)] = &[(READ, 1.0), (CONTRIBUTE, 97.0), (WRITE, 2.0)];

/// The phases of a verification and their shares of its time, guessed.
pub const VERIFICATION: &[(&str, f64)] = &[
    (READ, 1.0),
    (CONTRIBUTIONS, 9.0),
    (POINTS, 50.0),
    (BASES, 40.0),
];

/// The phases of [`prepare`] and their shares of its time.
pub const PREPARATION: &[(&str, f64)] = &[(READ, 1.0), (HASH, 1.0), (PREPARE, 96.0), (WRITE, 2.0)];

/// The phases of [`truncate`] and [`export_challenge`] and their shares of their time.
pub const COPYING: &[(&str, f64)] = &[(READ, 5.0), (WRITE, 95.0)];

const READ: &str = "read powers";
const HASH: &str = "hash powers";
const CREATE: &str = "make powers";
const CONTRIBUTE: &str = "contribute";
const WRITE: &str = "write";
const CONTRIBUTIONS: &str = "check contributions";
const POINTS: &str = "check powers";
const BASES: &str = "check bases";
const PREPARE: &str = "make bases";
