//! Section 4, the coefficients of A and B, in few bytes: reading.

use super::table::Entry;
use crate::groth16::zkey::COEFFICIENT_BYTES;
use frumious_circom::container::Section;
use frumious_circom::words;
use frumious_circom::{Error, Problem};
use frumious_curves::PairingEngine;
use frumious_field::TwiceMontgomery;
use frumious_groth16::{Coefficient, KeyHeader, Matrix};
use std::marker::PhantomData;
use std::ops::Range;

/// The coefficients by row, as they lie in the file; checked when read.
#[derive(Clone, Copy, Debug)]
pub struct CompactRows<'a, E: PairingEngine> {
    rows: usize,
    coefficients: u64,
    code: Section<'a>,
    index: Section<'a>,
    values: Section<'a>,
    n_wires: u32,
    engine: PhantomData<E>,
}

impl<'a, E: PairingEngine> CompactRows<'a, E> {
    pub(super) fn new(
        stored: Section<'a>,
        entry: &Entry,
        header: &KeyHeader<E>,
    ) -> Result<Self, Error> {
        let (rows, values) = (entry.n, entry.m);
        let coefficients = coefficients_in_zkey(stored, entry)?;
        let below = |what, value: u64, bound: u64| match value < bound {
            true => Ok(()),
            false => Err(stored.error(0, Problem::OutOfRange { what, value, bound })),
        };
        below("number of rows", rows, u64::from(header.domain_size) + 1)?;
        below("number of values", values, coefficients + 1)?;
        // Both below 2^32: no product overflows.
        let index_bytes = 8 * rows.div_ceil(ROWS_PER_BLOCK as u64);
        let values_bytes = 32 * values;
        let length = stored.bytes.len() as u64;
        let Some(code_bytes) = length.checked_sub(index_bytes + values_bytes) else {
            let problem = Problem::SectionLength {
                expected: index_bytes + values_bytes,
                actual: length,
            };
            return Err(stored.error(0, problem));
        };
        let part = |range: Range<u64>| Section {
            offset: stored.offset + range.start,
            bytes: &stored.bytes[range.start as usize..range.end as usize],
            ..stored
        };
        let index_end = code_bytes + index_bytes;
        Ok(Self {
            rows: rows as usize,
            coefficients,
            code: part(0..code_bytes),
            index: part(code_bytes..index_end),
            values: part(index_end..length),
            n_wires: header.n_wires,
            engine: PhantomData,
        })
    }

    /// Number of coefficients, as the table has it; compare [`CompactRows::count`].
    pub fn len(&self) -> usize {
        self.coefficients as usize // below 2^32
    }

    /// True if there are none.
    pub fn is_empty(&self) -> bool {
        self.coefficients == 0
    }

    /// Number of rows; those behind have no coefficient.
    pub fn rows(&self) -> usize {
        self.rows
    }

    /// Bytes of the whole section in the file.
    pub fn stored_length(&self) -> usize {
        self.code.bytes.len() + self.index.bytes.len() + self.values.bytes.len()
    }

    /// The code of rows, rounded down and up to multiples of 1024, as it lies in the file; empty if the index
    /// contradicts itself.
    pub fn code_of(&self, rows: Range<usize>) -> &'a [u8] {
        let blocks = rows.start / ROWS_PER_BLOCK..rows.end.div_ceil(ROWS_PER_BLOCK);
        let range = self.start_of(blocks.start)..self.start_of(blocks.end);
        self.code.bytes.get(range).unwrap_or(&[])
    }

    /// Gives the coefficients of some rows, in the order of the zkey, each checked as by
    /// [`Coefficients::get`](crate::generic::Coefficients::get). Ends with the first error, of the file or of `take`.
    ///
    /// Rows behind the last are empty. Begins to read at a multiple of 1024 rows.
    ///
    /// # Errors
    /// [`Error::Malformed`] with the place in the file; those of `take`.
    #[inline]
    pub fn for_each(
        &self,
        rows: Range<usize>,
        mut take: impl FnMut(Coefficient<E::Fr>) -> Result<(), Error>,
    ) -> Result<(), Error> {
        let rows = rows.start..rows.end.min(self.rows);
        let mut block = rows.start / ROWS_PER_BLOCK;
        while block * ROWS_PER_BLOCK < rows.end {
            self.read_block(block, &rows, &mut take)?;
            block += 1;
        }
        Ok(())
    }

    /// Checks the coefficients of some rows, and counts them.
    ///
    /// # Errors
    /// [`Error::Malformed`] with the place of the first bad one.
    pub fn count(&self, rows: Range<usize>) -> Result<u64, Error> {
        let mut count = 0;
        self.for_each(rows, |_| {
            count += 1;
            Ok(())
        })?;
        Ok(count)
    }

    /// Checks the number of coefficients that all rows have together.
    ///
    /// # Errors
    /// [`Error::Malformed`] if it is not that of the table.
    pub fn expect_count(&self, count: u64) -> Result<(), Error> {
        let lengths = [self.coefficients, count].map(|count| 4 + COEFFICIENT_BYTES as u64 * count);
        match lengths {
            [expected, actual] if expected != actual => Err(self
                .code
                .error(0, Problem::SectionLength { expected, actual })),
            _ => Ok(()),
        }
    }

    /// Gives those of a block's rows that are in `rows`.
    #[inline(always)]
    fn read_block(
        &self,
        block: usize,
        rows: &Range<usize>,
        take: &mut impl FnMut(Coefficient<E::Fr>) -> Result<(), Error>,
    ) -> Result<(), Error> {
        let (start, end) = (self.start_of(block), self.start_of(block + 1));
        let Some(code) = self.code.bytes.get(start..end) else {
            let problem = Problem::OutOfRange {
                what: "place of rows",
                value: start as u64,
                bound: (end as u64).min(self.code.bytes.len() as u64 + 1),
            };
            return Err(self.index.error(8 * block as u64, problem));
        };
        let mut reader = Reader {
            code: Section {
                offset: self.code.offset + start as u64,
                bytes: code,
                ..self.code
            },
            place: 0,
        };
        let first_row = block * ROWS_PER_BLOCK;
        let all = first_row..self.rows.min(first_row + ROWS_PER_BLOCK);
        let mut first_wires = [0; 2];
        for row in all.start..all.end.min(rows.end) {
            let counts = [reader.number()?, reader.number()?];
            let matrices = [Matrix::A, Matrix::B];
            for ((matrix, count), first_wire) in
                matrices.into_iter().zip(counts).zip(&mut first_wires)
            {
                let mut wire = *first_wire;
                for k in 0..count {
                    let place = reader.place;
                    let number = reader.number()?;
                    wire = reader.step(wire)?;
                    if k == 0 {
                        *first_wire = wire;
                    }
                    if row < rows.start {
                        continue;
                    }
                    let value = self.value(number).ok_or_else(|| {
                        let bound = self.values.bytes.len() as u64 / 32;
                        reader.out_of_range(place, "number of a value", number, bound)
                    })?;
                    if wire >= self.n_wires {
                        let bound = self.n_wires.into();
                        return Err(reader.out_of_range(place, "wire", wire, bound));
                    }
                    let Some(value) = TwiceMontgomery::new(value).into_option() else {
                        let position = 32 * u64::from(number);
                        return Err(self.values.error(position, Problem::NotCanonical));
                    };
                    take(Coefficient {
                        matrix,
                        row: row as u32,
                        wire,
                        value,
                    })?;
                }
            }
        }
        if all.end <= rows.end && reader.place != code.len() {
            let (expected, actual) = (reader.place as u64, code.len() as u64);
            let problem = Problem::SectionLength { expected, actual };
            return Err(reader.code.error(expected, problem));
        }
        Ok(())
    }

    /// Where the code of a block begins, as the index has it.
    fn start_of(&self, block: usize) -> usize {
        let (index, _) = self.index.bytes.as_chunks();
        match index.get(block) {
            Some(start) => u64::from_le_bytes(*start).try_into().unwrap_or(usize::MAX),
            None => self.code.bytes.len(),
        }
    }

    #[inline(always)]
    fn value(&self, number: u32) -> Option<[u64; 4]> {
        let (values, _) = self.values.bytes.as_chunks();
        values.get(number as usize).map(words::from_le_bytes)
    }
}

/// Number of coefficients that the zkey's section has, by its length; below 2^32.
pub(super) fn coefficients_in_zkey(stored: Section<'_>, entry: &Entry) -> Result<u64, Error> {
    let record = COEFFICIENT_BYTES as u64;
    let records = entry.zkey_length.checked_sub(4);
    let coefficients = records
        .filter(|bytes| bytes.is_multiple_of(record) && bytes / record <= u32::MAX.into())
        .map(|bytes| bytes / record);
    coefficients.ok_or_else(|| {
        let problem = Problem::OutOfRange {
            what: "length in the zkey",
            value: entry.zkey_length,
            bound: 4 + record * u64::from(u32::MAX) + 1,
        };
        stored.error(0, problem)
    })
}

/// Reads code.
pub(super) struct Reader<'a> {
    pub(super) code: Section<'a>,
    pub(super) place: usize,
}

impl Reader<'_> {
    #[inline(always)]
    pub(super) fn number(&mut self) -> Result<u32, Error> {
        match self.code.bytes.get(self.place) {
            Some(&byte) if byte < 0x80 => {
                self.place += 1;
                Ok(byte.into())
            }
            _ => self.long_number(),
        }
    }

    fn long_number(&mut self) -> Result<u32, Error> {
        let start = self.place;
        let mut number = 0_u64;
        for shift in (0..35).step_by(7) {
            let Some(&byte) = self.code.bytes.get(self.place) else {
                let problem = Problem::Truncated {
                    needed: 1,
                    available: 0,
                };
                return Err(self.code.error(self.place as u64, problem));
            };
            self.place += 1;
            number |= u64::from(byte & 0x7f) << shift;
            if byte < 0x80 {
                break;
            }
        }
        u32::try_from(number).map_err(|_| {
            let problem = Problem::OutOfRange {
                what: "integer",
                value: number,
                bound: 1 << 32,
            };
            self.code.error(start as u64, problem)
        })
    }

    /// Where a step from `from` leads, modulo 2^32.
    #[inline(always)]
    pub(super) fn step(&mut self, from: u32) -> Result<u32, Error> {
        let folded = self.number()?;
        Ok(from.wrapping_add(folded >> 1 ^ (folded & 1).wrapping_neg()))
    }

    #[cold]
    pub(super) fn out_of_range(
        &self,
        place: usize,
        what: &'static str,
        value: u32,
        bound: u64,
    ) -> Error {
        let value = value.into();
        let problem = Problem::OutOfRange { what, value, bound };
        self.code.error(place as u64, problem)
    }
}

/// Rows between two places of the index.
pub(super) const ROWS_PER_BLOCK: usize = 1 << 10;
