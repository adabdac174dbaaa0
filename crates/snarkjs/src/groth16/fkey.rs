//! The proving key in a container of our own, `.fkey`: the content of a `.zkey`, smaller, aligned and checksummed, and
//! back to the same bytes.
//!
//! The gain: points at infinity take a bit and no work of a prover; half of B is at infinity in most circuits. A
//! coefficient takes some four bytes instead of 44. Points lie at multiples of their size. A byte that changed on the
//! disk is found and named.
//!
//! All integers are little-endian. Written from its beginning to its end, without going back:
//!
//! | part | holds |
//! |---|---|
//! | header, 4096 bytes | `"fkey" \| version u32 = 1`, zeros |
//! | stored sections | each at the next multiple of 4096, zeros between them |
//! | table | an entry for each, 48 bytes; then a digest for each block, 32 bytes |
//! | footer, 64 bytes | `offset of the table u64 \| number of entries u64 \| 0 u64 \| digest \| "fkey-end"` |
//!
//! An entry is `section u32 | encoding u32 | length in the zkey u64 | offset u64 | stored length u64 | n u64 | m u64`;
//! entries are in the order of the zkey's sections, whatever that is. Block k is the bytes from `4096 + k·2^20` on,
//! 2^20 of them or up to the table. Digests are BLAKE2b-256; that of the footer is of the header, the table and the
//! footer before it.
//!
//! | encoding | of | stored | n | m |
//! |---|---|---|---|---|
//! | 0 plain | any other | the bytes themselves | 0 | 0 |
//! | 1 points | sections 5 to 8 | the points that are not at infinity; then, if there are others, a bit for each of all points, set for the first, the lowest of a byte first, in `⌈points/64⌉` words of eight bytes | points stored | 0 |
//! | 2 rows | section 4 in the order in which snarkjs writes it; in any other it is plain | see below | rows | values |
//! | 3 tail | bytes after the zkey's last section | the bytes themselves | 0 | 0 |
//! | 4 templates | section 4 in the order in which snarkjs writes it, where code of templates takes at most half of the bytes that code and index of rows do | see below | rows | values |
//!
//! IC and H are plain, as no honest key has points at infinity there. A small file can therefore not announce a large
//! domain or many public signals.
//!
//! Rows are `code | index | values × [32]`. The code has an entry for each row, from 0 to the last that has a
//! coefficient. It begins with the numbers of coefficients of A and of B. Then each coefficient follows, A's first: the
//! number of its value, and the step of its wire. A step is from the wire before it in row and matrix. The first one's
//! is from the first wire of the last row that had any in this matrix. Integers are LEB128, steps with the sign in the
//! lowest bit. The index has for each 1024 rows where their code begins, u64. The steps of the first ones of it are
//! from wire 0, so that rows can be read from there.
//!
//! Templates are `code | values × [32]`. The code has the number of templates, then each of them, and last the whole.
//! Each has its number of ports (none of the whole), its number of items, the items. An item is one of
//!
//! | item | integers |
//! |---|---|
//! | a row with a coefficients of A and b of B, not both zero | `2·a + 1 \| b`, then for each of them, A's first, the number of its value and its wire |
//! | n rows without coefficients, one at least | `1 \| 0 \| n` |
//! | an instance of template t, which is one of those before | `2·t`, the wire that is the first of its own, if t has wires of its own, a wire for each of its ports |
//!
//! Wires in a template are 0, the constant one, then its ports from 1 on, then its own. In an instance its own follow
//! each other from the first one on. Those of the whole are the key's. A wire is written as the step from the one
//! written before it in the template, the first from 0. Rows are from 0 to the last that has a coefficient. A template
//! has a row at least, and each of its ports is named in it. Templates are nested at most 64 deep. There are at most 64
//! times as many coefficients as the domain has rows. Who reads this keeps it in memory of their own, some ten bytes
//! for each of code at most.
//!
//! Opening checks the table's digest, lengths, counts and bitmaps, and all of templates. The digests of the blocks are
//! checked by [`Fkey::check_blocks`] alone, which reads the file: a prover need not, as it verifies its proof.
//! Conversions and full checks of keys should.

mod encode;
mod points;
mod rows;
mod table;
mod templates;
mod write;

use std::ops::Range;
use std::path::Path;
use std::sync::Arc;

use frumious_curves::PairingEngine;
use frumious_curves::engine::PairingGroup;

pub use points::{PresentEntries, StoredPoints};
pub use rows::CompactRows;
pub use table::sign_fkey_for_tests;
pub use templates::TemplateRows;
pub use write::write_fkey;

use crate::groth16::zkey::{COEFFICIENT_BYTES, Coefficients, header};
use crate::points::Points;
use frumious_circom::container::{Container, Section};
use frumious_circom::{Error, FileKind, Problem, parse_file};
use frumious_groth16::KeyHeader;
use frumious_mapping::FileBytes;
use table::{Encoding, Entry, Table};

/// A Groth16 proving key in an `.fkey` file, over its bytes. Cloning shares them.
#[derive(Clone, Debug)]
pub struct Fkey<E: PairingEngine> {
    bytes: FileBytes,
    table: Table,
    container: Container,
    header: KeyHeader<E>,
    /// Section 4, if it is stored so.
    templates: Option<Arc<TemplateRows<E>>>,
}

/// Section 4 of a key.
#[derive(Clone, Copy, Debug)]
pub enum KeyCoefficients<'a, E: PairingEngine> {
    /// As in a `.zkey`: records in any order.
    Records(Coefficients<'a, E>),
    /// By row, in few bytes.
    Rows(CompactRows<'a, E>),
    /// By row, in fewer: what repeats is there once. In private memory.
    Templates(&'a TemplateRows<E>),
}

impl<E: PairingEngine> KeyCoefficients<'_, E> {
    /// Number of coefficients.
    pub fn len(&self) -> usize {
        match self {
            Self::Records(records) => records.len(),
            Self::Rows(rows) => rows.len(),
            Self::Templates(rows) => rows.len(),
        }
    }

    /// True if there are none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Bytes of the section in the file.
    pub fn stored_length(&self) -> usize {
        match self {
            Self::Records(records) => 4 + COEFFICIENT_BYTES * records.len(),
            Self::Rows(rows) => rows.stored_length(),
            Self::Templates(rows) => rows.stored_length(),
        }
    }
}

impl<E: PairingEngine> Fkey<E> {
    /// Maps and opens the key at `path`. Reads the table, 32 bytes for each 2^20 of the file, and the bitmaps, a bit
    /// for each point. Of templates it reads section 4.
    ///
    /// # Errors
    /// As [`FileBytes::map`] and [`Fkey::from_bytes`].
    pub fn open(path: impl AsRef<Path>) -> Result<Self, Error> {
        Self::from_bytes(FileBytes::map(path)?)
    }

    /// Opens a key over its bytes.
    ///
    /// # Errors
    /// [`Error::Malformed`] for
    /// - a file that was cut off, a wrong digest of the table, another protocol or curve;
    /// - counts that contradict each other;
    /// - a section that is missing, repeated or not of the length the counts need;
    /// - a bad or infinite point in the header;
    /// - bad templates.
    pub fn from_bytes(bytes: impl Into<FileBytes>) -> Result<Self, Error> {
        let bytes = bytes.into();
        let (table, container, header) = parse_file(&bytes, |bytes| {
            let table = Table::parse(bytes)?;
            let container = table.container()?;
            let header = header::read(&container, bytes)?;
            Ok((table, container, header))
        })?;
        let mut fkey = Self {
            bytes,
            table,
            container,
            header,
            templates: None,
        };
        match fkey.check_sections() {
            Ok(templates) => fkey.templates = templates.map(Arc::new),
            Err(error) => return Err(error.in_file_of(&fkey.bytes)),
        }
        Ok(fkey)
    }

    /// Counts and the points of the header.
    pub fn header(&self) -> &KeyHeader<E> {
        &self.header
    }

    /// The whole file.
    pub fn bytes(&self) -> &FileBytes {
        &self.bytes
    }

    /// Length of the zkey that this is made of, in bytes.
    pub fn zkey_length(&self) -> u64 {
        let sections = self.table.entries.iter().map(|entry| {
            let frame = match entry.encoding {
                Encoding::Tail => 0,
                _ => 12,
            };
            entry.zkey_length.saturating_add(frame)
        });
        sections.fold(12, u64::saturating_add)
    }

    /// Section 3, see [`Zkey::ic`](crate::generic::Zkey::ic).
    #[expect(
        clippy::missing_panics_doc,
        reason = "lengths were checked when the key was opened"
    )]
    pub fn ic(&self) -> Points<'_, E::G1> {
        self.plain_points(3, header::ic_points(&self.header))
            .expect("the length was checked when the key was opened")
    }

    /// Section 4: the coefficients of the matrices A and B, with the rows of the public inputs.
    #[expect(
        clippy::missing_panics_doc,
        reason = "lengths were checked when the key was opened"
    )]
    pub fn coefficients(&self) -> KeyCoefficients<'_, E> {
        match &self.templates {
            Some(templates) => KeyCoefficients::Templates(templates),
            None => self
                .coefficients_in_file(|section, header| Ok(Coefficients::opened(section, header)))
                .expect("lengths were checked when the key was opened"),
        }
    }

    /// Section 5, `n_wires` points.
    pub fn a(&self) -> StoredPoints<'_, E::G1> {
        self.opened(5, self.header.n_wires.into())
    }

    /// Section 6, `n_wires` points.
    pub fn b1(&self) -> StoredPoints<'_, E::G1> {
        self.opened(6, self.header.n_wires.into())
    }

    /// Section 7, `n_wires` points.
    pub fn b2(&self) -> StoredPoints<'_, E::G2> {
        self.opened(7, self.header.n_wires.into())
    }

    /// Section 8, `n_wires - n_public - 1` points; entry 0 is for wire `n_public + 1`.
    pub fn c(&self) -> StoredPoints<'_, E::G1> {
        self.opened(8, header::c_points(&self.header))
    }

    /// Section 9, `domain_size` points.
    #[expect(
        clippy::missing_panics_doc,
        reason = "lengths were checked when the key was opened"
    )]
    pub fn h(&self) -> Points<'_, E::G1> {
        self.plain_points(9, self.header.domain_size.into())
            .expect("the length was checked when the key was opened")
    }

    /// The payload of section 10 with its place in the file, if there is one.
    pub(crate) fn contributions_section(&self) -> Option<Section<'_>> {
        self.container.optional_section(&self.bytes, 10)
    }

    /// Where a section is stored, in bytes from the start of the file; 0 if there is none.
    pub(crate) fn section_offset(&self, section: u32) -> u64 {
        let range = self.container.range(section);
        range.map_or(0, |range| range.start as u64)
    }

    /// Number of blocks with a digest each.
    pub fn blocks(&self) -> usize {
        self.table.blocks()
    }

    /// Checks the digests of some blocks, whose bytes it reads: a second a gigabyte.
    ///
    /// # Errors
    /// [`Error::Malformed`] with section and offset of the first wrong block, which has 2^20 bytes from there on.
    ///
    /// # Panics
    /// For blocks that there are not.
    pub fn check_blocks(&self, blocks: Range<usize>) -> Result<(), Error> {
        self.table
            .check_blocks(&self.bytes, blocks)
            .map_err(|error| error.in_file_of(&self.bytes))
    }

    /// Checks that every section is there, encoded as its type is, and of the length and counts that the header needs.
    /// Reads section 4 if it is stored as templates.
    fn check_sections(&self) -> Result<Option<TemplateRows<E>>, Error> {
        let header = &self.header;
        self.plain_points(3, header::ic_points(header))?;
        for section in [5, 6] {
            self.points::<E::G1>(section, header.n_wires.into())?
                .check_bitmap()?;
        }
        let b2 = self.points::<E::G2>(7, header.n_wires.into())?;
        b2.check_bitmap()?;
        self.points::<E::G1>(8, header::c_points(header))?
            .check_bitmap()?;
        self.plain_points(9, header.domain_size.into())?;
        let (coefficients, stored) = self.section(4)?;
        let templates = match coefficients.encoding {
            Encoding::Templates => Some(TemplateRows::read(stored, coefficients, header)?),
            _ => self.coefficients_in_file(Coefficients::new).map(|_| None)?,
        };
        for entry in &self.table.entries {
            let is_plain = matches!(entry.encoding, Encoding::Plain | Encoding::Tail);
            if is_plain && entry.length != entry.zkey_length {
                return Err(entry.error(wrong_length(entry.zkey_length, entry.length)));
            }
            if !is_plain && !(4..=8).contains(&entry.section) {
                return Err(entry.error(wrong_encoding(entry.encoding)));
            }
        }
        Ok(templates)
    }

    fn section(&self, section: u32) -> Result<(&Entry, Section<'_>), Error> {
        let stored = self.container.section(&self.bytes, section)?;
        let mut entries = self.table.entries.iter();
        let entry = entries.find(|entry| entry.section == section);
        Ok((
            entry.expect("the container was made of the entries"),
            stored,
        ))
    }

    fn points<P: PairingGroup>(
        &self,
        section: u32,
        count: u64,
    ) -> Result<StoredPoints<'_, P>, Error> {
        let (entry, stored) = self.section(section)?;
        if entry.encoding != Encoding::Points {
            return Err(entry.error(wrong_encoding(entry.encoding)));
        }
        let expected = count.saturating_mul(P::BYTES as u64);
        if entry.zkey_length != expected {
            return Err(entry.error(wrong_length(expected, entry.zkey_length)));
        }
        StoredPoints::new(stored, count, entry.n)
    }

    fn plain_points(&self, section: u32, count: u64) -> Result<Points<'_, E::G1>, Error> {
        let (entry, stored) = self.section(section)?;
        match entry.encoding {
            Encoding::Plain => Points::new(stored, count),
            other => Err(entry.error(wrong_encoding(other))),
        }
    }

    fn opened<P: PairingGroup>(&self, section: u32, count: u64) -> StoredPoints<'_, P> {
        self.points(section, count)
            .expect("lengths were checked when the key was opened")
    }

    /// Section 4, unless it is stored as templates; `plain` views what is stored as in a `.zkey`.
    fn coefficients_in_file<'a>(
        &'a self,
        plain: impl FnOnce(Section<'a>, &KeyHeader<E>) -> Result<Coefficients<'a, E>, Error>,
    ) -> Result<KeyCoefficients<'a, E>, Error> {
        let (entry, stored) = self.section(4)?;
        match entry.encoding {
            Encoding::Plain => plain(stored, &self.header).map(KeyCoefficients::Records),
            Encoding::Rows => {
                CompactRows::new(stored, entry, &self.header).map(KeyCoefficients::Rows)
            }
            other => Err(entry.error(wrong_encoding(other))),
        }
    }
}

/// The stored sections of a whole file.
pub(crate) fn container(bytes: &[u8]) -> Result<Container, Error> {
    Table::parse(bytes)?.container()
}

fn wrong_length(expected: u64, actual: u64) -> Problem {
    Problem::SectionLength { expected, actual }
}

fn wrong_encoding(encoding: Encoding) -> Problem {
    Problem::OutOfRange {
        what: "encoding, for this section,",
        value: encoding as u64,
        bound: 0,
    }
}

const KIND: FileKind = FileKind::Fkey;

#[cfg(test)]
mod tests;
