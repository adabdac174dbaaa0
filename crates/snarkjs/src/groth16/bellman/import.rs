//! A key of parameters that others contributed to.

use super::file::MpcParams;
use super::points::{GROUP, Part};
use crate::encoding::uncompressed;
use crate::generic::{Contribution, Contributions, Points, Zkey};
use crate::groth16::check_in_ranges;
use crate::groth16::phase2::{
    Contributed, Fault, Verdict, contribution_hash, recorded, section, verify_further, write_error,
};
use crate::groth16::zkey::header;
use crate::parameters::cut;
use frumious_circom::{Error as FileError, container};
use frumious_curves::engine::{PairingGroup, ResidueField};
use frumious_groth16::{
    Error, KeyHeader, ProvingEngine, quotient_from_powers_vartime, same_multiples, same_quotient,
};
use frumious_msm::{Encoded, PointList};
use frumious_parallel::check_cancelled;
use std::fmt;
use std::io::Write;

/// The outcome of an import.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ImportedKey {
    /// The key was written. The hash is that of the last contribution, the points are those that were compared.
    Key(Contributed),
    /// Something is wrong with the parameters, and nothing was written.
    Invalid(MpcFault),
}

/// The first thing that is wrong with parameters, beside the key that they were made of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum MpcFault {
    /// A part has another number of points than the key's.
    Count(&'static str),
    /// A point of the header, which contributions leave as it is.
    Header(&'static str),
    /// A part that contributions leave as it is.
    Part(&'static str),
    /// The hash of the circuit.
    CircuitHash,
    /// The contribution of the key with this number, from 1 on, is another one here, or missing.
    Earlier(usize),
    /// There is no new contribution.
    NothingNew,
    /// Something of the new contributions.
    Chain(Fault),
    /// A part whose points are not the key's, divided by the new factors of δ.
    Divided(&'static str),
}

impl fmt::Display for MpcFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Count(part) => write!(f, "{part}: the key has another number of points"),
            Self::Header(point) => write!(f, "header: {point} is not the key's"),
            Self::Part(part) => write!(f, "{part}: its points are not the key's"),
            Self::CircuitHash => f.write_str("contributions: the hash of the circuit is another"),
            Self::Earlier(number) => write!(f, "contribution {number}: it is not the key's"),
            Self::NothingNew => f.write_str("contributions: there is none that the key has not"),
            Self::Chain(Fault::DeltaG1) => {
                f.write_str("header: delta in G1 is not that of the last contribution")
            }
            Self::Chain(Fault::DeltaG2) => f.write_str("header: delta in G2 is not delta in G1"),
            Self::Chain(fault) => fault.fmt(f),
            Self::Divided(part) => {
                write!(
                    f,
                    "{part}: its points are not the key's divided by the new factors of delta"
                )
            }
        }
    }
}

/// Writes the key that parameters lead to, if they are `old` with more contributions: the bytes that
/// `snarkjs zkey import bellman` writes. New contributions are given the name, which is cut as snarkjs does.
///
/// Verified are the new contributions, and that everything else is the key's, in parts H and L divided by the new
/// factors. snarkjs verifies neither. The last power of H is not in the file: the key has infinity there, and makes the
/// same proofs. `progress` is told how much is done, from 0 to 1. Memory: twice the points of part H, and part L.
///
/// # Errors
/// - [`Error::Source`] for a key that is malformed or has no section 10, for a point outside its group in either file,
///   and when writing fails
/// - [`Error::CircuitTooLarge`] for a domain of which there is none of twice the size; [`Error::Randomness`]
pub fn import<E: ProvingEngine>(
    old: &Zkey<E>,
    params: &MpcParams<E>,
    name: Option<&str>,
    out: impl Write,
    progress: &dyn Fn(f64),
) -> Result<ImportedKey, Error> {
    let of_old = |error: FileError| Error::Source(error.in_file_of(old.bytes()).into());
    let of_new = |error: FileError| Error::Source(error.in_file_of(params.bytes()).into());
    let before = recorded(old).map_err(of_old)?;
    let fault = head_fault(old, &before, params).or_else(|| chain_fault(old, &before, params));
    if let Some(fault) = fault {
        return Ok(ImportedKey::Invalid(fault));
    }
    progress(0.05);

    let (h, l) = (params.in_g1(9), params.in_g1(8));
    let powers = h.decode(0..h.len()).map_err(of_new)?;
    let of_h = |done: f64| progress(0.05 + 0.5 * done);
    let h = quotient_from_powers_vartime((&powers).into(), &of_h)?;
    drop(powers);
    let l = l.decode(0..l.len()).map_err(of_new)?;
    for part in [old.c(), old.h()] {
        check_in_ranges(part.len(), |range| part.check(range)).map_err(of_old)?;
    }
    let (first, last) = (&old.header().delta_g2, &params.header().delta_g2);
    if !same_multiples::<E>((list(old.c()), first), ((&l).into(), last))? {
        return Ok(ImportedKey::Invalid(MpcFault::Divided("L")));
    }
    if !same_quotient::<E>((list(old.h()), first), ((&h).into(), last))? {
        return Ok(ImportedKey::Invalid(MpcFault::Divided("H")));
    }
    progress(0.9);

    let all = &params.contributions().contributions;
    let new = named(&all[before.contributions.len()..], name);
    write(old, params, (&h, &l), &new, out).map_err(of_old)?;
    progress(1.0);
    Ok(ImportedKey::Key(Contributed {
        circuit_hash: before.circuit_hash,
        contribution_hash: all.last().map_or([0; 64], contribution_hash),
        number: all.len(),
        points: h.len() + l.len(),
    }))
}

/// The first fault of what contributions leave as it is.
fn head_fault<E: ProvingEngine>(
    old: &Zkey<E>,
    before: &Contributions<E>,
    params: &MpcParams<E>,
) -> Option<MpcFault> {
    let (key, here) = (old.header(), params.header());
    let points = [
        ("alpha in G1", key.alpha_g1 == here.alpha_g1),
        ("beta in G1", key.beta_g1 == here.beta_g1),
        ("beta in G2", key.beta_g2 == here.beta_g2),
        ("gamma in G2", key.gamma_g2 == here.gamma_g2),
    ];
    if let Some((name, _)) = points.iter().find(|(_, same)| !same) {
        return Some(MpcFault::Header(name));
    }
    let counts = [
        ("IC", key.n_public == here.n_public),
        ("H", key.domain_size == here.domain_size),
        ("A", key.n_wires == here.n_wires),
    ];
    if let Some((name, _)) = counts.iter().find(|(_, same)| !same) {
        return Some(MpcFault::Count(name));
    }
    let in_g1 = [("IC", 3, old.ic()), ("A", 5, old.a()), ("B1", 6, old.b1())];
    let is_other = in_g1
        .iter()
        .find(|(_, id, points)| !is_same(points, &params.in_g1(*id)));
    if let Some((name, ..)) = is_other {
        return Some(MpcFault::Part(name));
    }
    if !is_same(&old.b2(), &params.in_g2()) {
        return Some(MpcFault::Part("B2"));
    }
    (before.circuit_hash != params.contributions().circuit_hash).then_some(MpcFault::CircuitHash)
}

/// The first fault of the contributions.
fn chain_fault<E: ProvingEngine>(
    old: &Zkey<E>,
    before: &Contributions<E>,
    params: &MpcParams<E>,
) -> Option<MpcFault> {
    let record = params.contributions();
    let known = &before.contributions;
    let same = |(number, theirs): (usize, &Contribution<E>)| {
        let here = record.contributions.get(number);
        here.is_some_and(|here| {
            (here.delta_after, here.public_key, here.transcript)
                == (theirs.delta_after, theirs.public_key, theirs.transcript)
        })
    };
    if let Some(number) = known.iter().enumerate().position(|it| !same(it)) {
        return Some(MpcFault::Earlier(number + 1));
    }
    let header = params.header();
    let begun = (known.len(), old.header().delta_g1);
    match verify_further(record, begun, (&header.delta_g1, &header.delta_g2)) {
        Verdict::Invalid(fault) => Some(MpcFault::Chain(fault)),
        Verdict::Valid(_) if record.contributions.len() == known.len() => {
            Some(MpcFault::NothingNew)
        }
        Verdict::Valid(_) => None,
    }
}

/// True if the points of the key are those of the file.
fn is_same<P: PairingGroup<Base: ResidueField>>(key: &Points<'_, P>, part: &Part<'_, P>) -> bool {
    let size = GROUP * P::BYTES;
    let windows = key
        .as_bytes()
        .chunks(size)
        .zip(part.as_bytes().chunks(size));
    key.len() == part.len()
        && windows.into_iter().all(|(key, here)| {
            check_cancelled();
            uncompressed::<P>(key) == here
        })
}

/// Contributions with a name.
fn named<E: ProvingEngine>(new: &[Contribution<E>], name: Option<&str>) -> Vec<Contribution<E>> {
    let name = name.map(cut).filter(|name| !name.is_empty());
    let named = new.iter().map(|contribution| Contribution {
        name: name.clone(),
        ..contribution.clone()
    });
    named.collect()
}

/// The key, its sections in the order of snarkjs.
fn write<E: ProvingEngine>(
    old: &Zkey<E>,
    params: &MpcParams<E>,
    (h, l): (&[E::G1], &[E::G1]),
    new: &[Contribution<E>],
    mut out: impl Write,
) -> Result<(), FileError> {
    let header = KeyHeader {
        delta_g1: params.header().delta_g1,
        delta_g2: params.header().delta_g2,
        ..*old.header()
    };
    container::write_preamble(&mut out, b"zkey", 1, 10).map_err(write_error)?;
    section(&mut out, 1, &header::GROTH16.to_le_bytes())?;
    section(&mut out, 2, &header::to_bytes(&header))?;
    for id in [3, 4] {
        section(&mut out, id, old.section_bytes(id))?;
    }
    points(&mut out, 9, h)?;
    points(&mut out, 8, l)?;
    for id in 5..=7 {
        section(&mut out, id, old.section_bytes(id))?;
    }
    let records = old.contributions_bytes().unwrap_or_default();
    let count = params.contributions().contributions.len() as u32;
    let mut bytes = [&records[..64], &count.to_le_bytes(), &records[68..]].concat();
    for contribution in new {
        bytes.extend(contribution.to_bytes());
    }
    section(&mut out, 10, &bytes)?;
    out.flush().map_err(write_error)
}

/// A section of points.
fn points<P: PairingGroup>(out: &mut impl Write, id: u32, points: &[P]) -> Result<(), FileError> {
    let length = points.len() as u64 * P::BYTES as u64;
    container::write_section_start(out, id, length).map_err(write_error)?;
    for points in points.chunks(GROUP) {
        check_cancelled();
        let encoded = points.iter().map(|point| point.to_montgomery_bytes());
        let mut bytes = Vec::with_capacity(points.len() * P::BYTES);
        encoded.for_each(|point| bytes.extend(point.as_ref()));
        out.write_all(&bytes).map_err(write_error)?;
    }
    Ok(())
}

fn list<P: frumious_msm::EncodedPoint>(points: Points<'_, P>) -> PointList<'_, P> {
    PointList::Encoded(Encoded::new(points.as_bytes()))
}
