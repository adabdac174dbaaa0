//! Tables on disk: written once, then mapped.
//!
//! | section | bytes | what |
//! |---|---|---|
//! | header | 128 | see `header` |
//! | parameters | 32 a table | the strategies, in the order of their entries |
//! | checksums | 32 a block | SHA-256 of each MiB of the entries (the last may be shorter) |
//! | padding | to a multiple of 4096 | zeros |
//! | entries | | as in memory |
//!
//! Numbers are little-endian. The header has two digests: of the points that the table is for, and of everything
//! before the entries with that field left out. A file of other points, of another group or cut short is refused, and
//! so is one with any changed byte before the entries.
//!
//! Digests have no key, so who can write the file can make right ones for wrong entries. Therefore every entry is
//! compared with the points when a file is opened (`check`): whoever made the file, its commitments are right. Only
//! where an entry is wrong are the checksums computed, to tell a damaged block from a file that was made wrong. Opening
//! 318 MiB takes 0.6 s of one core of Zen 5 with lanes, 0.9 s with ADX, where building takes 1.2 s
//! (`cargo run --release -p frumious-verkle --example tables`). The digests alone, which were all before, took 0.2 s.
//!
//! The file must not be changed while it is mapped: keep it where nobody else can write. Saving replaces it as a
//! whole, which leaves those who have mapped it their own.

mod check;
mod header;

use super::group::EntryForm;
use super::{Error, FixedBase, FixedGroup, Inner, Problem, planner};
use frumious_mapping::FileBytes;
use frumious_parallel::map_indices;
use header::{Header, PAGE};
use sha2::{Digest, Sha256};
use std::fs::File;
use std::io::{ErrorKind, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;

impl<G: FixedGroup> FixedBase<G> {
    /// Writes the tables to the file at `path`, for [`open`](Self::open). An older file there is replaced when all is
    /// written.
    ///
    /// # Errors
    /// The operating system's.
    pub fn save(&self, path: impl AsRef<Path>) -> Result<(), Error> {
        let path = path.as_ref();
        self.write(path).map_err(|source| Error::Write {
            path: path.to_owned(),
            source,
        })
    }

    fn write(&self, path: &Path) -> std::io::Result<()> {
        let entries = &self.entries()[..self.memory_bytes()];
        let header = Header {
            group: G::NAME,
            points: self.points().len() as u64,
            basis: basis_digest::<G>(self.points()),
            strategies: self.strategies().to_vec(),
            checksums: checksums(entries),
        };
        let (unfinished, mut file) = new_file(path)?;
        let written = file
            .write_all(&header.to_bytes())
            .and_then(|()| file.write_all(entries))
            .and_then(|()| file.sync_all())
            .and_then(|()| std::fs::rename(&unfinished, path));
        if written.is_err() {
            // Whatever was wrong, no part of a file is left; that there may be none is no news.
            let _ = std::fs::remove_file(&unfinished);
        }
        written
    }

    /// Maps the tables in the file at `path`, which [`save`](Self::save) wrote for the same `points`.
    ///
    /// Reads the whole file once to verify every entry, in parallel; from then on its pages are shared with other
    /// processes.
    ///
    /// # Errors
    /// [`Error::File`]; [`Error::Malformed`] for any other file than one that was saved for these points.
    pub fn open(path: impl AsRef<Path>, points: &[G]) -> Result<Self, Error> {
        let path = path.as_ref();
        let bytes = FileBytes::map(path)?;
        Self::from_bytes(bytes, points).map_err(|mistake| Error::Malformed {
            path: path.to_owned(),
            section: mistake.section,
            offset: mistake.offset,
            problem: mistake.problem,
        })
    }

    fn from_bytes(bytes: FileBytes, points: &[G]) -> Result<Self, Mistake> {
        let header = Header::parse::<G>(&bytes, points.len() as u64)?;
        if header.basis != basis_digest::<G>(points) {
            return Err(Mistake::new("header", header::BASIS_AT, Problem::Basis));
        }
        let parameters = |error: Error| {
            let problem = Problem::Parameters(error.to_string());
            Mistake::new("parameters", header::PARAMETERS_AT, problem)
        };
        let planner = planner(points.len(), &header.strategies).map_err(parameters)?;
        let first_byte = header.length();
        let length = planner.entries() * G::Entry::BYTES;
        let expected = first_byte as u64 + length as u64;
        if bytes.len() as u64 != expected {
            let problem = Problem::Length {
                expected,
                actual: bytes.len() as u64,
            };
            return Err(Mistake::new("entries", bytes.len(), problem));
        }
        let entries = &bytes[first_byte..];
        check::check_vartime::<G>(planner.tables(), points, entries).map_err(|offset| {
            // Damaged, or made like that?
            let checksums = checksums(entries);
            let mut pairs = checksums.iter().zip(&header.checksums);
            match pairs.position(|(actual, expected)| actual != expected) {
                Some(block) => {
                    Mistake::new("entries", first_byte + block * BLOCK, Problem::Checksum)
                }
                None => Mistake::new("entries", first_byte + offset, Problem::Entry),
            }
        })?;
        Ok(Self(Arc::new(Inner {
            points: points.to_vec(),
            strategies: header.strategies,
            planner,
            bytes,
            first_byte,
        })))
    }
}

/// A file beside `path` that did not exist: never what a link points to, nor what somebody else put there.
fn new_file(path: &Path) -> std::io::Result<(PathBuf, File)> {
    let mut attempts = 0..100;
    loop {
        let mut name = path.as_os_str().to_owned();
        let attempt = attempts.next();
        name.push(format!(
            ".{}-{}.tmp",
            std::process::id(),
            attempt.unwrap_or(100)
        ));
        match File::create_new(&name) {
            Err(error) if error.kind() == ErrorKind::AlreadyExists && attempt.is_some() => {}
            made => return Ok((PathBuf::from(name), made?)),
        }
    }
}

/// Where in a file a rule is broken, and which.
#[derive(Debug)]
struct Mistake {
    section: &'static str,
    offset: u64,
    problem: Problem,
}

impl Mistake {
    fn new(section: &'static str, offset: usize, problem: Problem) -> Self {
        Self {
            section,
            offset: offset as u64,
            problem,
        }
    }
}

/// One for each block.
fn checksums(entries: &[u8]) -> Vec<[u8; 32]> {
    map_indices(entries.len().div_ceil(BLOCK), |block| {
        let start = block * BLOCK;
        let end = entries.len().min(start + BLOCK);
        Sha256::digest(&entries[start..end]).into()
    })
}

/// A digest that tells one list of points from any other.
fn basis_digest<G: FixedGroup>(points: &[G]) -> [u8; 32] {
    let mut hasher = Sha256::new();
    hasher.update(G::NAME);
    hasher.update((points.len() as u64).to_le_bytes());
    for encoding in map_indices(points.len(), |index| G::encode(&points[index])) {
        hasher.update(encoding);
    }
    hasher.finalize().into()
}

/// Bytes of entries for each checksum.
const BLOCK: usize = 1 << 20;

const _: () = assert!(BLOCK.is_multiple_of(PAGE));

#[cfg(test)]
mod forgeries;
#[cfg(test)]
mod tests;
