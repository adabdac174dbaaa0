//! Contributions: a key from another, with δ multiplied.

use super::transcript::{Transcript, contribution_hash, hash_to_g2};
use crate::generic::{Contribution, Contributions, Points, PublicKey, Zkey};
use crate::groth16::source::check_in_ranges;
use crate::groth16::zkey::header;
use crate::parameters::cut;
use crate::random::{self, Beacon, Random};
use frumious_circom::{Error as FileError, FileKind, Problem, container};
use frumious_curves::engine::MontgomeryEncoding;
use frumious_groth16::{DeltaShare, Error, ProvingEngine};
use frumious_msm::{Encoded, PointList};
use frumious_parallel::check_cancelled;
use std::io::Write;
use zeroize::Zeroizing;

/// A contribution that was made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Contributed {
    /// The hash of the circuit.
    pub circuit_hash: [u8; 64],
    /// The hash to publish.
    pub contribution_hash: [u8; 64],
    /// Number of contributions, with this one.
    pub number: usize,
    /// Number of points that were divided.
    pub points: usize,
}

/// Writes `old` with a contribution of a secret that is drawn here, from the operating system's randomness and from
/// `entropy`, and wiped. A name of more than 64 UTF-16 units is cut, as snarkjs does.
///
/// `progress` is told how much is done, from 0 to 1. Every point that is multiplied is checked to be in its group:
/// others would tell something of the secret.
///
/// # Errors
/// [`Error::Source`] for a key that is malformed, has no section 10, or has a point outside its group, and when writing
/// fails; [`Error::Randomness`].
pub fn contribute<E: ProvingEngine>(
    old: &Zkey<E>,
    name: Option<&str>,
    entropy: &[u8],
    out: impl Write,
    progress: &dyn Fn(f64),
) -> Result<Contributed, Error> {
    let random = random::seed(entropy)?;
    write(old, name, None, random, out, progress)
}

/// Writes `old` with the contribution of a beacon: the bytes that `snarkjs zkey beacon` writes.
///
/// # Errors
/// As [`contribute`].
///
/// # Panics
/// For a beacon outside its bounds.
pub fn contribute_beacon<E: ProvingEngine>(
    old: &Zkey<E>,
    name: Option<&str>,
    beacon: &Beacon,
    out: impl Write,
    progress: &dyn Fn(f64),
) -> Result<Contributed, Error> {
    write(old, name, Some(beacon), beacon.random(), out, progress)
}

fn write<E: ProvingEngine>(
    old: &Zkey<E>,
    name: Option<&str>,
    beacon: Option<&Beacon>,
    mut random: Random,
    mut out: impl Write,
    progress: &dyn Fn(f64),
) -> Result<Contributed, Error> {
    let source = |error: FileError| Error::Source(error.in_file_of(old.bytes()).into());
    let before = recorded(old).map_err(source)?;
    let delta = &old.header().delta_g1;
    let (contribution, share) = next(delta, &before, name, beacon, &mut random);
    let record = contribution.to_bytes();

    let mut header = *old.header();
    header.delta_g1 = share.multiply(&header.delta_g1);
    header.delta_g2 = share.multiply(&header.delta_g2);
    let points = old.c().len() + old.h().len();
    let mut done = 0;
    let mut tell = |more: usize| {
        done += more;
        progress(done as f64 / points as f64);
    };
    let mut written = || -> Result<(), FileError> {
        container::write_preamble(&mut out, b"zkey", 1, 10).map_err(write_error)?;
        section(&mut out, 1, &header::GROTH16.to_le_bytes())?;
        section(&mut out, 2, &header::to_bytes(&header))?;
        for id in 3..=7 {
            section(&mut out, id, old.section_bytes(id))?;
        }
        divided(&mut out, 8, old.c(), &share, &mut tell)?;
        divided(&mut out, 9, old.h(), &share, &mut tell)?;
        let records = old.contributions_bytes().unwrap_or_default();
        let count = before.contributions.len() as u32 + 1;
        let records = [
            &records[..64],
            &count.to_le_bytes(),
            &records[68..],
            &record,
        ]
        .concat();
        section(&mut out, 10, &records)?;
        out.flush().map_err(write_error)
    };
    written().map_err(source)?;
    Ok(Contributed {
        circuit_hash: before.circuit_hash,
        contribution_hash: contribution_hash(&contribution),
        number: before.contributions.len() + 1,
        points,
    })
}

/// The contributions so far.
pub(in crate::groth16) fn recorded<E: ProvingEngine>(
    old: &Zkey<E>,
) -> Result<Contributions<E>, FileError> {
    let record = old.contributions()?.ok_or_else(|| {
        let end = old.bytes().len() as u64;
        FileError::section(FileKind::Zkey, 10, end, Problem::MissingSection)
    })?;
    let count = record.contributions.len();
    match u32::try_from(count + 1) {
        Ok(_) => Ok(record),
        Err(_) => unreachable!("each takes hundreds of bytes"),
    }
}

/// The next contribution to a key with this δ, and its secret.
pub(in crate::groth16) fn next<E: ProvingEngine>(
    delta: &E::G1,
    before: &Contributions<E>,
    name: Option<&str>,
    beacon: Option<&Beacon>,
    random: &mut Random,
) -> (Contribution<E>, DeltaShare<E>) {
    let share = loop {
        let factor = Zeroizing::new(random.element::<E::Fr>());
        // Zero comes once in 2^254 times; snarkjs would write a key of no use.
        if let Some(share) = DeltaShare::new(*factor) {
            break share;
        }
    };
    let g1_s: E::G1 = random.point();
    let g1_sx = share.multiply(&g1_s);
    let mut transcript = Transcript::<E>::new(&before.circuit_hash);
    for contribution in &before.contributions {
        transcript.append(contribution);
    }
    let transcript = transcript.next(&g1_s, &g1_sx);
    let public_key = PublicKey {
        g1_s,
        g1_sx,
        g2_spx: share.multiply(&hash_to_g2::<E>(&transcript)),
    };
    let contribution = Contribution {
        delta_after: share.multiply(delta),
        public_key,
        transcript,
        is_beacon: beacon.is_some(),
        name: name.map(cut).filter(|name| !name.is_empty()),
        beacon: beacon.map(|beacon| (beacon.hash.clone(), beacon.exponent)),
    };
    (contribution, share)
}

/// A section of points, each divided.
fn divided<E: ProvingEngine>(
    out: &mut impl Write,
    id: u32,
    points: Points<'_, E::G1>,
    share: &DeltaShare<E>,
    tell: &mut dyn FnMut(usize),
) -> Result<(), FileError> {
    let length = points.as_bytes().len() as u64;
    container::write_section_start(out, id, length).map_err(write_error)?;
    let mut bytes = Vec::new();
    for start in (0..points.len()).step_by(GROUP) {
        check_cancelled();
        let group = points.slice(start..points.len().min(start + GROUP));
        check_in_ranges(group.len(), |range| group.check(range))?;
        let list = PointList::Encoded(Encoded::new(group.as_bytes()));
        bytes.clear();
        for point in share.divide_vartime(list) {
            bytes.extend(point.to_montgomery_bytes().as_ref());
        }
        out.write_all(&bytes).map_err(write_error)?;
        tell(group.len());
    }
    Ok(())
}

/// A section that is there already.
pub(in crate::groth16) fn section(
    out: &mut impl Write,
    id: u32,
    payload: &[u8],
) -> Result<(), FileError> {
    container::write_section_start(out, id, payload.len() as u64)
        .and_then(|()| {
            payload.chunks(COPIED).try_for_each(|part| {
                check_cancelled();
                out.write_all(part)
            })
        })
        .map_err(write_error)
}

pub(in crate::groth16) fn write_error(source: std::io::Error) -> FileError {
    FileError::Write {
        file: FileKind::Zkey,
        source,
    }
}

/// Points at a time: 8 MB as points and as bytes, 12 over BLS12-381.
const GROUP: usize = 1 << 16;

/// Bytes copied at a time.
const COPIED: usize = 1 << 20;
