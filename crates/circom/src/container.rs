//! The frame common to the binary formats: a magic, a version, and sections one after another in any order.
//!
//! `magic[4] | version u32 | nSections u32 | nSections × (type u32 | length u64 | payload[length])`, little-endian. The
//! payloads follow one another, so sections cannot overlap. A length that lies runs past the end of the file, makes the
//! next frame nonsense, or disagrees with the header's counts. Each of these is an error. Sections of unknown type and
//! bytes after the last section are ignored, as snarkjs and rapidsnark do.

use std::ops::Range;

use crate::curve::{self, Modulus};
use crate::error::{Error, FileKind, Problem};
use frumious_curves::{PairingCurve, PairingEngine};

/// Where the known sections of a file are.
///
/// Its size does not depend on the file: a file of a million empty sections costs no memory.
#[derive(Clone, Debug)]
pub struct Container {
    file: FileKind,
    /// Byte range of the payload of each section by its type.
    ranges: [Option<Range<usize>>; SECTION_TYPES],
}

/// The payload of one section, with its place in the file.
#[derive(Clone, Copy, Debug)]
pub struct Section<'a> {
    /// The kind of file.
    pub file: FileKind,
    /// Type of the section.
    pub id: u32,
    /// Bytes from the start of the file to the payload.
    pub offset: u64,
    /// The payload.
    pub bytes: &'a [u8],
}

/// Reads a section's fields in order; every read is checked against its end.
#[derive(Clone, Debug)]
pub struct Cursor<'a> {
    section: Section<'a>,
    position: usize,
}

impl Container {
    /// Indexes the sections of `bytes`, whose types are below 16.
    ///
    /// Every known section must be unique. Time: one step for each section; memory: constant.
    ///
    /// # Errors
    /// [`Error::Malformed`] for another magic, a version above the known ones, a section beyond the end of the file, or
    /// a repeated section.
    pub fn parse(bytes: &[u8], file: FileKind) -> Result<Self, Error> {
        let (magic, max_version): (&[u8; 4], u32) = match file {
            FileKind::R1cs => (b"r1cs", 1),
            FileKind::Wtns => (b"wtns", 2),
            FileKind::Zkey => (b"zkey", 1),
            _ => (b"ptau", 1),
        };
        let mut frame = Cursor::new(Section {
            file,
            id: FRAME,
            offset: 0,
            bytes,
        });
        let found = frame.array::<4>()?;
        if found != magic {
            return Err(Error::frame(file, 0, Problem::Magic(*found)));
        }
        let version = frame.u32()?;
        if version == 0 || version > max_version {
            return Err(Error::frame(file, 4, Problem::Version(version)));
        }
        let n_sections = frame.u32()?;
        let mut ranges = [const { None }; SECTION_TYPES];
        for _ in 0..n_sections {
            let start = frame.offset();
            let id = frame.u32()?;
            let length = frame.u64()?;
            let payload = frame.position;
            frame.take(length)?;
            if let Some(slot) = ranges.get_mut(id as usize) {
                if slot.is_some() {
                    return Err(Error::section(file, id, start, Problem::DuplicateSection));
                }
                *slot = Some(payload..frame.position);
            }
        }
        Ok(Self { file, ranges })
    }

    /// A container of sections that were found in another way: those of types below 16, every one unique.
    ///
    /// # Errors
    /// [`Error::Malformed`] for a section that occurs twice.
    pub fn of_ranges(
        file: FileKind,
        sections: impl Iterator<Item = (u32, Range<usize>)>,
    ) -> Result<Self, Error> {
        let mut ranges = [const { None }; SECTION_TYPES];
        for (id, range) in sections {
            if let Some(slot) = ranges.get_mut(id as usize) {
                if slot.is_some() {
                    let start = range.start as u64;
                    return Err(Error::section(file, id, start, Problem::DuplicateSection));
                }
                *slot = Some(range);
            }
        }
        Ok(Self { file, ranges })
    }

    /// Byte range of section `id`'s payload in the file, if there is one.
    pub fn range(&self, id: u32) -> Option<Range<usize>> {
        self.ranges.get(id as usize)?.clone()
    }

    /// Section `id` of `bytes`, which must be the bytes that were indexed.
    ///
    /// # Errors
    /// [`Error::Malformed`] if the file has no such section.
    pub fn section<'a>(&self, bytes: &'a [u8], id: u32) -> Result<Section<'a>, Error> {
        self.optional_section(bytes, id).ok_or_else(|| {
            let end = bytes.len() as u64;
            Error::section(self.file, id, end, Problem::MissingSection)
        })
    }

    /// Section `id` of `bytes`, or `None` when the file has none.
    pub fn optional_section<'a>(&self, bytes: &'a [u8], id: u32) -> Option<Section<'a>> {
        let range = self.range(id)?;
        Some(Section {
            file: self.file,
            id,
            offset: range.start as u64,
            bytes: &bytes[range],
        })
    }
}

impl<'a> Section<'a> {
    /// A broken rule at byte `position` of the payload.
    pub fn error(&self, position: u64, problem: Problem) -> Error {
        let offset = self.offset + position;
        if self.id == FRAME {
            Error::frame(self.file, offset, problem)
        } else {
            Error::section(self.file, self.id, offset, problem)
        }
    }

    /// Requires that the payload is `count` records of `size` bytes after `before` other bytes, no more and no less.
    ///
    /// # Errors
    /// [`Error::Malformed`] if the payload has another length.
    pub fn expect_records(&self, before: u64, count: u64, size: u64) -> Result<(), Error> {
        let expected = count
            .checked_mul(size)
            .and_then(|records| records.checked_add(before))
            .unwrap_or(u64::MAX);
        let actual = self.bytes.len() as u64;
        if expected == actual {
            Ok(())
        } else {
            let end = expected.min(actual);
            Err(self.error(end, Problem::SectionLength { expected, actual }))
        }
    }
}

impl<'a> Cursor<'a> {
    /// Starts at the first byte of the payload.
    pub fn new(section: Section<'a>) -> Self {
        Self {
            section,
            position: 0,
        }
    }

    /// The section that is read.
    pub fn section(&self) -> &Section<'a> {
        &self.section
    }

    /// True if every byte has been read.
    pub fn is_at_end(&self) -> bool {
        self.position == self.section.bytes.len()
    }

    /// Bytes from the start of the file.
    pub fn offset(&self) -> u64 {
        self.section.offset + self.position as u64
    }

    /// A broken rule at the item of `size` bytes just read.
    pub fn error_before(&self, size: u64, problem: Problem) -> Error {
        self.section.error(self.position as u64 - size, problem)
    }

    /// The next `length` bytes.
    ///
    /// # Errors
    /// [`Error::Malformed`] if the section ends before.
    pub fn take(&mut self, length: u64) -> Result<&'a [u8], Error> {
        let rest = &self.section.bytes[self.position..];
        match usize::try_from(length).ok().and_then(|n| rest.get(..n)) {
            Some(taken) => {
                self.position += taken.len();
                Ok(taken)
            }
            None => Err(self.section.error(
                self.position as u64,
                Problem::Truncated {
                    needed: length,
                    available: rest.len() as u64,
                },
            )),
        }
    }

    /// The next `N` bytes.
    ///
    /// # Errors
    /// [`Error::Malformed`] if the section ends before.
    #[expect(clippy::missing_panics_doc, reason = "`take` gave N bytes")]
    pub fn array<const N: usize>(&mut self) -> Result<&'a [u8; N], Error> {
        let bytes = self.take(N as u64)?;
        Ok(bytes.try_into().expect("take returned N bytes"))
    }

    /// The next byte.
    ///
    /// # Errors
    /// [`Error::Malformed`] if the section ends before.
    pub fn u8(&mut self) -> Result<u8, Error> {
        Ok(self.array::<1>()?[0])
    }

    /// The next four bytes as a little-endian integer.
    ///
    /// # Errors
    /// [`Error::Malformed`] if the section ends before.
    pub fn u32(&mut self) -> Result<u32, Error> {
        Ok(u32::from_le_bytes(*self.array()?))
    }

    /// The next eight bytes as a little-endian integer.
    ///
    /// # Errors
    /// [`Error::Malformed`] if the section ends before.
    pub fn u64(&mut self) -> Result<u64, Error> {
        Ok(u64::from_le_bytes(*self.array()?))
    }

    /// A field's description, its width `n8 u32` and its `prime[n8]`: must be a modulus of `E`.
    ///
    /// # Errors
    /// [`Error::Malformed`] for another width or prime, or if the section ends before.
    pub fn expect_prime<E: PairingEngine>(&mut self, modulus: Modulus) -> Result<(), Error> {
        let found = self.curve();
        let problem = Problem::Prime {
            curve: E::CURVE,
            field: modulus.name(),
            found,
        };
        let prime = curve::modulus_bytes::<E>(modulus);
        if self.u32()? as usize != prime.len() {
            return Err(self.error_before(4, problem));
        }
        let length = prime.len() as u64;
        if self.take(length)? != prime {
            return Err(self.error_before(length, problem));
        }
        Ok(())
    }

    /// The curve that the field's description ahead belongs to, if it is a known one. Takes nothing.
    pub fn curve(&self) -> Option<PairingCurve> {
        curve::of_prime(&self.section.bytes[self.position..])
    }

    /// Requires that the payload ends here.
    ///
    /// # Errors
    /// [`Error::Malformed`] if there are more bytes.
    pub fn expect_end(&self) -> Result<(), Error> {
        self.section.expect_records(self.position as u64, 0, 1)
    }
}

/// Type of a section, and where its payload is.
pub type Frame = (u32, Range<usize>);

/// Every section, those of unknown type too, in the file's order, and where the last ends.
///
/// # Errors
/// [`Error::Malformed`] if a section's frame or payload passes the end of the file.
pub fn frames(bytes: &[u8], file: FileKind) -> Result<(Vec<Frame>, usize), Error> {
    let mut frame = Cursor::new(Section {
        file,
        id: FRAME,
        offset: 0,
        bytes,
    });
    frame.take(8)?; // magic and version
    let n_sections = frame.u32()?;
    // Grows as sections are found: `n_sections` is not to be trusted with an allocation.
    let mut sections = Vec::new();
    for _ in 0..n_sections {
        let id = frame.u32()?;
        let length = frame.u64()?;
        let start = frame.position;
        frame.take(length)?;
        sections.push((id, start..frame.position));
    }
    Ok((sections, frame.position))
}

/// Writes magic, version and number of sections.
///
/// # Errors
/// Those of `out`.
pub fn write_preamble(
    out: &mut impl std::io::Write,
    magic: &[u8; 4],
    version: u32,
    n_sections: u32,
) -> std::io::Result<()> {
    out.write_all(magic)?;
    out.write_all(&version.to_le_bytes())?;
    out.write_all(&n_sections.to_le_bytes())
}

/// Writes the frame of a section whose payload of `length` bytes follows.
///
/// # Errors
/// Those of `out`.
pub fn write_section_start(
    out: &mut impl std::io::Write,
    id: u32,
    length: u64,
) -> std::io::Result<()> {
    out.write_all(&id.to_le_bytes())?;
    out.write_all(&length.to_le_bytes())
}

/// Section types below this are indexed; the formats use 1 to 15.
const SECTION_TYPES: usize = 16;

/// Stands for "not in a section"; as a real type it is beyond those indexed.
pub const FRAME: u32 = u32::MAX;
