//! A file of parameters, read and checked.

use super::points::Part;
use crate::big_endian::Decoder;
use crate::encoding::checked_uncompressed;
use crate::generic::{Contribution, Contributions, PublicKey};
use frumious_circom::container::{Cursor, Section};
use frumious_circom::{Error, FileKind, Problem, parse_file};
use frumious_curves::PairingEngine;
use frumious_curves::engine::{MontgomeryEncoding, PairingGroup, ResidueField};
use frumious_field::PrimeField;
use frumious_groth16::{KeyHeader, ProvingEngine};
use frumious_mapping::FileBytes;
use frumious_parallel::check_cancelled;
use std::ops::Range;
use std::path::Path;

/// The parameters of a circuit's ceremony, over their bytes.
///
/// The header and the contributions were read and checked, the counts of the other parts, too. Points of the large
/// parts are checked when they are used.
pub struct MpcParams<E: PairingEngine> {
    bytes: FileBytes,
    header: KeyHeader<E>,
    /// The points of IC, H, L, A, B1 and B2, without their numbers.
    parts: [Range<usize>; 6],
    record: Contributions<E>,
}

impl<E: ProvingEngine> MpcParams<E> {
    /// Maps and opens the file at `path`.
    ///
    /// # Errors
    /// As [`FileBytes::map`] and [`MpcParams::from_bytes`].
    pub fn open(path: impl AsRef<Path>) -> Result<Self, Error> {
        Self::from_bytes(FileBytes::map(path)?)
    }

    /// Opens parameters over their bytes. Time and memory are those of the contributions.
    ///
    /// # Errors
    /// [`Error::Malformed`] for
    /// - a part that is cut off, or bytes behind the last one;
    /// - counts that contradict each other;
    /// - a bad or infinite point in the header, a bad one in a contribution.
    pub fn from_bytes(bytes: impl Into<FileBytes>) -> Result<Self, Error> {
        let bytes = bytes.into();
        let (header, parts, record) = parse_file(&bytes, |bytes| {
            let mut file = Reader { bytes, at: 0 };
            let points = file.header::<E>()?;
            let parts = file.parts::<E>()?;
            let header = counted(points, &parts)?;
            let record = contributions(&file.rest(CONTRIBUTIONS))?;
            Ok((header, parts, record))
        })?;
        Ok(Self {
            bytes,
            header,
            parts,
            record,
        })
    }

    /// Counts, and the points of the header.
    pub fn header(&self) -> &KeyHeader<E> {
        &self.header
    }

    /// The circuit's hash, and the contributions: without names, and without beacons.
    pub fn contributions(&self) -> &Contributions<E> {
        &self.record
    }

    /// The whole file.
    pub fn bytes(&self) -> &FileBytes {
        &self.bytes
    }

    /// Checks the points of all parts to be in their groups, or at infinity.
    ///
    /// # Errors
    /// [`Error::Malformed`] with the first one that is not.
    pub fn check(&self) -> Result<(), Error> {
        let checked = || -> Result<(), Error> {
            for id in [3, 9, 8, 5, 6] {
                let part = self.in_g1(id);
                part.decode(0..part.len())?;
            }
            let part = self.in_g2();
            part.decode(0..part.len()).map(|_| ())
        };
        checked().map_err(|error| error.in_file_of(&self.bytes))
    }

    /// A part of points of G1, by the number of its section in a `.zkey`.
    pub(super) fn in_g1(&self, id: u32) -> Part<'_, E::G1> {
        Part::new(self.section(id))
    }

    /// Part B2.
    pub(super) fn in_g2(&self) -> Part<'_, E::G2> {
        Part::new(self.section(7))
    }

    fn section(&self, id: u32) -> Section<'_> {
        let place = PARTS.iter().position(|(part, _)| *part == id);
        let range = self.parts[place.expect("a part of points")].clone();
        Section {
            file: FileKind::MpcParams,
            id,
            offset: range.start as u64,
            bytes: &self.bytes[range],
        }
    }

    /// The records of the contributions, as they are in the file.
    pub(super) fn records(&self) -> &[u8] {
        &self.bytes[self.parts[5].end + HASH_BYTES + 4..]
    }
}

/// Reads a file from its start on.
struct Reader<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl<'a> Reader<'a> {
    /// All that was not read, as the part with this number.
    fn rest(&self, id: u32) -> Section<'a> {
        Section {
            file: FileKind::MpcParams,
            id,
            offset: self.at as u64,
            bytes: &self.bytes[self.at..],
        }
    }

    /// The points of the header, with no counts yet.
    fn header<E: ProvingEngine>(&mut self) -> Result<KeyHeader<E>, Error> {
        let mut cursor = Cursor::new(self.rest(HEADER));
        let header = KeyHeader {
            n_wires: 0,
            n_public: 0,
            domain_size: 0,
            alpha_g1: finite(&mut cursor)?,
            beta_g1: finite(&mut cursor)?,
            beta_g2: finite(&mut cursor)?,
            gamma_g2: finite(&mut cursor)?,
            delta_g1: finite(&mut cursor)?,
            delta_g2: finite(&mut cursor)?,
        };
        self.at = cursor.offset() as usize;
        Ok(header)
    }

    /// The places of the points. The counts are not trusted: a part that does not fit into the file is refused.
    fn parts<E: PairingEngine>(&mut self) -> Result<[Range<usize>; 6], Error> {
        let mut parts = [const { 0..0 }; 6];
        for (part, (id, is_g2)) in parts.iter_mut().zip(PARTS) {
            let size = match is_g2 {
                false => E::G1::BYTES,
                true => E::G2::BYTES,
            };
            let mut cursor = Cursor::new(self.rest(id));
            let count = u32::from_be_bytes(*cursor.array()?);
            let start = cursor.offset() as usize;
            cursor.take(u64::from(count) * size as u64)?;
            self.at = cursor.offset() as usize;
            *part = start..self.at;
        }
        Ok(parts)
    }
}

/// The header with the counts of the parts, which are those of a key.
fn counted<E: PairingEngine>(
    header: KeyHeader<E>,
    parts: &[Range<usize>; 6],
) -> Result<KeyHeader<E>, Error> {
    let count = |k: usize| {
        let size = if PARTS[k].1 {
            E::G2::BYTES
        } else {
            E::G1::BYTES
        };
        (parts[k].len() / size) as u64
    };
    let fault = |k: usize, problem| {
        let place = parts[k].start as u64 - 4;
        Error::section(FileKind::MpcParams, PARTS[k].0, place, problem)
    };
    let expect = |k: usize, expected: u64| match count(k) {
        actual if actual == expected => Ok(()),
        actual => {
            let what = "points";
            let problem = Problem::Count {
                what,
                expected,
                actual,
            };
            Err(fault(k, problem))
        }
    };
    let (ic, h, wires) = (count(0), count(1), count(3));
    let max_log = E::Fr::TWO_ADICITY.min(31);
    if !(h + 1).is_power_of_two() || h + 1 > 1 << max_log {
        let size = u32::try_from(h + 1).unwrap_or(u32::MAX);
        return Err(fault(1, Problem::DomainSize { size, max_log }));
    }
    let most = wires.min(h + 1);
    if ic == 0 {
        return Err(fault(0, Problem::Expected("a point for the constant")));
    }
    if ic > most {
        let problem = Problem::OutOfRange {
            what: "nPublic",
            value: ic - 1,
            bound: most,
        };
        return Err(fault(0, problem));
    }
    expect(2, wires - ic)?;
    expect(4, wires)?;
    expect(5, wires)?;
    Ok(KeyHeader {
        n_wires: wires as u32,
        n_public: ic as u32 - 1,
        domain_size: h as u32 + 1,
        ..header
    })
}

/// The contributions, to the end of the file.
fn contributions<E: ProvingEngine>(section: &Section<'_>) -> Result<Contributions<E>, Error> {
    let mut cursor = Cursor::new(*section);
    let circuit_hash = *cursor.array()?;
    let count = u32::from_be_bytes(*cursor.array()?);
    let size = (3 * E::G1::BYTES + E::G2::BYTES + HASH_BYTES) as u64;
    section.expect_records(HASH_BYTES as u64 + 4, count.into(), size)?;
    let mut contributions = Vec::new();
    for _ in 0..count {
        check_cancelled();
        contributions.push(Contribution {
            delta_after: point(&mut cursor)?,
            public_key: PublicKey {
                g1_s: point(&mut cursor)?,
                g1_sx: point(&mut cursor)?,
                g2_spx: point(&mut cursor)?,
            },
            transcript: *cursor.array()?,
            is_beacon: false,
            name: None,
            beacon: None,
        });
    }
    Ok(Contributions {
        circuit_hash,
        contributions,
    })
}

/// The next point, checked to be in its group or at infinity.
fn point<P: PairingGroup<Base: ResidueField>>(cursor: &mut Cursor<'_>) -> Result<P, Error> {
    let size = P::BYTES as u64;
    let bytes = cursor.take(size)?;
    checked_uncompressed(&Decoder::new(), bytes)
        .map_err(|reason| cursor.error_before(size, Problem::Point(reason)))
}

/// The next point, which is not at infinity.
fn finite<P: PairingGroup<Base: ResidueField>>(cursor: &mut Cursor<'_>) -> Result<P, Error> {
    match point::<P>(cursor)? {
        found if found == P::default() => {
            Err(cursor.error_before(P::BYTES as u64, Problem::Infinity))
        }
        found => Ok(found),
    }
}

/// The parts of points in the file's order: the section of a `.zkey`, and true for points of G2.
pub(super) const PARTS: [(u32, bool); 6] = [
    (3, false),
    (9, false),
    (8, false),
    (5, false),
    (6, false),
    (7, true),
];

const HEADER: u32 = 1;
const CONTRIBUTIONS: u32 = 10;

/// The hash of a circuit, and a transcript.
const HASH_BYTES: usize = 64;
