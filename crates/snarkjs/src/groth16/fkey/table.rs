//! Places in the file, and digests.

use super::{KIND, Section};
use blake2::digest::consts::U32;
use blake2::{Blake2b, Digest};
use frumious_circom::container::{Container, Cursor, FRAME};
use frumious_circom::{Error, Problem};
use std::ops::Range;

/// The table, checked against the file.
#[derive(Clone, Debug)]
pub(super) struct Table {
    /// In the order of the zkey's sections.
    pub(super) entries: Vec<Entry>,
    /// Where the stored sections end.
    end: usize,
    /// Where the blocks' digests are.
    digests: Range<usize>,
}

/// A stored section's place and counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Entry {
    /// Its type in the zkey.
    pub(super) section: u32,
    pub(super) encoding: Encoding,
    /// Bytes of the payload in the zkey.
    pub(super) zkey_length: u64,
    /// Where it is stored.
    pub(super) offset: u64,
    pub(super) length: u64,
    pub(super) n: u64,
    pub(super) m: u64,
}

/// The encoding of a stored section.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Encoding {
    Plain = 0,
    Points = 1,
    Rows = 2,
    Tail = 3,
    Templates = 4,
}

impl Table {
    /// Reads the table of a whole file.
    pub(super) fn parse(bytes: &[u8]) -> Result<Self, Error> {
        let mut header = Cursor::new(part(bytes, 0..bytes.len()));
        let magic = header.array::<4>()?;
        if magic != MAGIC {
            return Err(header.error_before(4, Problem::Magic(*magic)));
        }
        let version = header.u32()?;
        if version != VERSION {
            return Err(header.error_before(4, Problem::Version(version)));
        }
        header.take(HEADER_BYTES as u64 - 8)?;
        let Some(footer_start) = bytes.len().checked_sub(FOOTER_BYTES) else {
            return Err(frame_error(bytes.len(), Problem::CutOff));
        };
        let mut footer = Cursor::new(part(bytes, footer_start..bytes.len()));
        let table_offset = footer.u64()?;
        let n_entries = footer.u64()?;
        footer.u64()?;
        let signed = footer.offset() as usize;
        let expected_digest: &[u8; 32] = footer.array()?;
        if footer.array::<8>()? != END {
            return Err(frame_error(bytes.len(), Problem::CutOff));
        }
        let table_start = usize::try_from(table_offset)
            .ok()
            .filter(|start| (HEADER_BYTES..=footer_start).contains(start));
        let Some(table_start) = table_start else {
            let problem = Problem::OutOfRange {
                what: "offset of the table",
                value: table_offset,
                bound: footer_start as u64 + 1,
            };
            return Err(frame_error(footer_start, problem));
        };
        let blocks = (table_start - HEADER_BYTES).div_ceil(BLOCK) as u64;
        // Blocks are fewer than the file's bytes by 2^20: only the entries' product may overflow.
        let expected = n_entries
            .checked_mul(ENTRY_BYTES as u64)
            .and_then(|entries| entries.checked_add(blocks * DIGEST_BYTES as u64))
            .unwrap_or(u64::MAX);
        let actual = (footer_start - table_start) as u64;
        if expected != actual {
            let problem = Problem::SectionLength { expected, actual };
            return Err(frame_error(table_start, problem));
        }
        let digest = digest(&[&bytes[..HEADER_BYTES], &bytes[table_start..signed]]);
        if digest != *expected_digest {
            return Err(frame_error(table_start, Problem::Checksum));
        }
        let digests_start = table_start + n_entries as usize * ENTRY_BYTES; // at most the footer's start
        Ok(Self {
            entries: read_entries(bytes, table_start..digests_start)?,
            end: table_start,
            digests: digests_start..footer_start,
        })
    }

    /// The stored sections by type; tail and unknown types left out.
    pub(super) fn container(&self) -> Result<Container, Error> {
        let sections = self
            .entries
            .iter()
            .filter(|entry| entry.encoding != Encoding::Tail);
        Container::of_ranges(KIND, sections.map(|entry| (entry.section, entry.range())))
    }

    pub(super) fn blocks(&self) -> usize {
        self.digests.len() / DIGEST_BYTES
    }

    pub(super) fn check_blocks(&self, bytes: &[u8], blocks: Range<usize>) -> Result<(), Error> {
        let (digests, _) = bytes[self.digests.clone()].as_chunks::<DIGEST_BYTES>();
        for block in blocks {
            let start = HEADER_BYTES + block * BLOCK;
            let end = self.end.min(start + BLOCK);
            if digest(&[&bytes[start..end]]) != digests[block] {
                let mut entries = self.entries.iter();
                // The first that reaches into the block, or lies in it.
                let section = entries.find(|entry| entry.range().end > start);
                return Err(match section {
                    Some(entry) => {
                        Error::section(KIND, entry.section, start as u64, Problem::Checksum)
                    }
                    None => frame_error(start, Problem::Checksum),
                });
            }
        }
        Ok(())
    }
}

impl Entry {
    /// Where it is stored: within the file.
    pub(super) fn range(&self) -> Range<usize> {
        let start = self.offset as usize;
        start..start + self.length as usize
    }

    /// A broken rule at the beginning of the stored section.
    pub(super) fn error(&self, problem: Problem) -> Error {
        Error::section(KIND, self.section, self.offset, problem)
    }

    pub(super) fn to_bytes(self) -> [u8; ENTRY_BYTES] {
        let mut bytes = [0; ENTRY_BYTES];
        bytes[..4].copy_from_slice(&self.section.to_le_bytes());
        bytes[4..8].copy_from_slice(&(self.encoding as u32).to_le_bytes());
        let words = [self.zkey_length, self.offset, self.length, self.n, self.m];
        for (bytes, word) in bytes[8..].chunks_exact_mut(8).zip(words) {
            bytes.copy_from_slice(&word.to_le_bytes());
        }
        bytes
    }

    fn read(cursor: &mut Cursor<'_>) -> Result<Self, Error> {
        let section = cursor.u32()?;
        let encoding = match cursor.u32()? {
            0 => Encoding::Plain,
            1 => Encoding::Points,
            2 => Encoding::Rows,
            3 => Encoding::Tail,
            4 => Encoding::Templates,
            other => {
                let problem = Problem::OutOfRange {
                    what: "encoding",
                    value: other.into(),
                    bound: 5,
                };
                return Err(cursor.error_before(4, problem));
            }
        };
        Ok(Self {
            section,
            encoding,
            zkey_length: cursor.u64()?,
            offset: cursor.u64()?,
            length: cursor.u64()?,
            n: cursor.u64()?,
            m: cursor.u64()?,
        })
    }
}

/// The entries, each stored behind the one before it and before the table, of which only the last may be a tail.
fn read_entries(bytes: &[u8], range: Range<usize>) -> Result<Vec<Entry>, Error> {
    let table_start = range.start as u64;
    let mut cursor = Cursor::new(part(bytes, range.clone()));
    let mut entries: Vec<Entry> = Vec::with_capacity(range.len() / ENTRY_BYTES);
    let mut before = HEADER_BYTES as u64;
    while !cursor.is_at_end() {
        let entry = Entry::read(&mut cursor)?;
        let after = entry.offset.checked_add(entry.length);
        let is_aligned = entry.offset.is_multiple_of(ALIGNMENT as u64);
        let is_last = cursor.is_at_end() || entry.encoding != Encoding::Tail;
        match after {
            Some(after)
                if entry.offset >= before && is_aligned && after <= table_start && is_last =>
            {
                before = after;
                entries.push(entry);
            }
            _ => {
                let problem = Problem::OutOfRange {
                    what: "place of a stored section",
                    value: entry.offset,
                    bound: table_start,
                };
                return Err(cursor.error_before(ENTRY_BYTES as u64, problem));
            }
        }
    }
    Ok(entries)
}

/// The footer, for what is written before it.
pub(super) fn footer(header: &[u8], table: &[u8], table_offset: u64, n_entries: u64) -> Vec<u8> {
    let mut footer = Vec::with_capacity(FOOTER_BYTES);
    for word in [table_offset, n_entries, 0] {
        footer.extend(word.to_le_bytes());
    }
    let digest = digest(&[header, table, &footer]);
    footer.extend(digest);
    footer.extend(END);
    footer
}

pub(super) fn header() -> [u8; HEADER_BYTES] {
    let mut header = [0; HEADER_BYTES];
    header[..4].copy_from_slice(MAGIC);
    header[4..8].copy_from_slice(&VERSION.to_le_bytes());
    header
}

/// The footer of changed bytes as it were if they had been written so, for tests of what lies behind the digest.
#[doc(hidden)]
pub fn sign_fkey_for_tests(bytes: &mut [u8]) {
    let Some(footer) = bytes.len().checked_sub(FOOTER_BYTES) else {
        return;
    };
    let (signed, end) = bytes.split_at_mut(footer + 24);
    let table = signed[footer..].first_chunk().copied();
    let table = table.map_or(0, u64::from_le_bytes);
    if let (Some(header), Ok(table)) = (signed.get(..HEADER_BYTES), usize::try_from(table))
        && let Some(table) = signed.get(table..)
    {
        end[..DIGEST_BYTES].copy_from_slice(&digest(&[header, table]));
    }
}

fn part(bytes: &[u8], range: Range<usize>) -> Section<'_> {
    Section {
        file: KIND,
        id: FRAME,
        offset: range.start as u64,
        bytes: &bytes[range],
    }
}

fn frame_error(offset: usize, problem: Problem) -> Error {
    Error::frame(KIND, offset as u64, problem)
}

fn digest(parts: &[&[u8]]) -> [u8; DIGEST_BYTES] {
    let mut hasher = Hasher::new();
    for part in parts {
        hasher.update(part);
    }
    hasher.finalize().into()
}

pub(super) type Hasher = Blake2b<U32>;

const MAGIC: &[u8; 4] = b"fkey";
const END: &[u8; 8] = b"fkey-end";
const VERSION: u32 = 1;
pub(super) const HEADER_BYTES: usize = 4096;
pub(super) const ENTRY_BYTES: usize = 48;
pub(super) const DIGEST_BYTES: usize = 32;
const FOOTER_BYTES: usize = 64;
/// Stored sections begin at multiples of this: a page.
pub(super) const ALIGNMENT: usize = 4096;
/// Bytes under one digest.
pub(super) const BLOCK: usize = 1 << 20;
