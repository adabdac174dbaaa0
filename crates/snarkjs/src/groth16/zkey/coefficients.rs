//! Section 4: the non-zero coefficients of the matrices A and B.
//!
//! `nCoefs u32`, then 44 bytes each: `matrix u32 (0 = A, 1 = B) | constraint u32 | signal u32 | value[32]`. The value
//! is the coefficient times R² mod r, R = 2^256: its Montgomery form, taken twice. So one Montgomery product with a
//! plain witness value gives the product in Montgomery form. Writers sort by constraint, readers must not rely on it.
//! After the circuit's own rows come `n_public + 1` with a single coefficient 1 in A: row `n_constraints + s`, signal
//! `s`.

use std::marker::PhantomData;
use std::ops::Range;

use frumious_curves::PairingEngine;
use frumious_field::TwiceMontgomery;

use frumious_circom::container::{Cursor, Section};
use frumious_circom::words;
use frumious_circom::{Error, Problem};
use frumious_groth16::{Coefficient, KeyHeader, Matrix};

/// The coefficients as they lie in the file: `len` records, checked when read.
#[derive(Clone, Copy, Debug)]
pub struct Coefficients<'a, E: PairingEngine> {
    /// The records without the count before them.
    records: Section<'a>,
    domain_size: u32,
    n_wires: u32,
    engine: PhantomData<E>,
}

impl<'a, E: PairingEngine> Coefficients<'a, E> {
    /// Checks the section's length by the count that it begins with.
    pub(crate) fn new(section: Section<'a>, header: &KeyHeader<E>) -> Result<Self, Error> {
        let count = Cursor::new(section).u32()?;
        section.expect_records(4, count.into(), COEFFICIENT_BYTES as u64)?;
        Ok(Self::opened(section, header))
    }

    /// Of a section whose length was checked. The count is not read again: the file may have changed since.
    pub(crate) fn opened(section: Section<'a>, header: &KeyHeader<E>) -> Self {
        Self {
            records: Section {
                offset: section.offset + 4,
                bytes: &section.bytes[4..],
                ..section
            },
            domain_size: header.domain_size,
            n_wires: header.n_wires,
            engine: PhantomData,
        }
    }

    /// Number of coefficients.
    pub fn len(&self) -> usize {
        self.records.bytes.len() / COEFFICIENT_BYTES
    }

    /// True if there are none.
    pub fn is_empty(&self) -> bool {
        self.records.bytes.is_empty()
    }

    /// The records `range` as they lie in the file.
    ///
    /// # Panics
    /// When `range` is not within `0..len`.
    #[track_caller]
    pub fn bytes(&self, range: Range<usize>) -> &'a [u8] {
        &self.records.bytes[range.start * COEFFICIENT_BYTES..range.end * COEFFICIENT_BYTES]
    }

    /// Coefficient `index`, checked: the matrix is A or B, the row below the domain's size, the wire below `n_wires`,
    /// the value below r.
    ///
    /// # Errors
    /// [`Error::Malformed`] with the place of the record's field.
    ///
    /// # Panics
    /// When `index >= len`.
    pub fn get(&self, index: usize) -> Result<Coefficient<E::Fr>, Error> {
        let start = index * COEFFICIENT_BYTES;
        let record = &self.records.bytes[start..start + COEFFICIENT_BYTES];
        let ([matrix, row, wire], value) = split_record(record);
        let fail = |field: usize, problem| Err(self.records.error((start + field) as u64, problem));
        let bounded = |what, value: u32, bound: u32| Problem::OutOfRange {
            what,
            value: value.into(),
            bound: bound.into(),
        };
        let matrix = match matrix {
            0 => Matrix::A,
            1 => Matrix::B,
            other => return fail(0, bounded("matrix", other, 2)),
        };
        if row >= self.domain_size {
            return fail(4, bounded("row", row, self.domain_size));
        }
        if wire >= self.n_wires {
            return fail(8, bounded("wire", wire, self.n_wires));
        }
        let Some(value) = TwiceMontgomery::new(value).into_option() else {
            return fail(12, Problem::NotCanonical);
        };
        Ok(Coefficient {
            matrix,
            row,
            wire,
            value,
        })
    }

    /// All coefficients in the file's order, each checked as by [`Coefficients::get`].
    pub fn iter(
        &self,
    ) -> impl ExactSizeIterator<Item = Result<Coefficient<E::Fr>, Error>> + use<'a, E> {
        let coefficients = *self;
        (0..self.len()).map(move |index| coefficients.get(index))
    }

    /// Checks the coefficients `range`.
    ///
    /// # Errors
    /// [`Error::Malformed`] with the place of the first bad one.
    ///
    /// # Panics
    /// When `range` is not within `0..len`.
    pub fn check(&self, mut range: Range<usize>) -> Result<(), Error> {
        range.try_for_each(|index| self.get(index).map(|_| ()))
    }
}

/// The record of a coefficient as the file stores it.
pub(crate) fn to_bytes<F>(coefficient: &Coefficient<F>) -> [u8; COEFFICIENT_BYTES] {
    let matrix: u32 = match coefficient.matrix {
        Matrix::A => 0,
        Matrix::B => 1,
    };
    let mut record = [0; COEFFICIENT_BYTES];
    record[..4].copy_from_slice(&matrix.to_le_bytes());
    record[4..8].copy_from_slice(&coefficient.row.to_le_bytes());
    record[8..12].copy_from_slice(&coefficient.wire.to_le_bytes());
    record[12..].copy_from_slice(&words::to_le_bytes(coefficient.value.words()));
    record
}

/// The three integers and the value of a record of 44 bytes.
fn split_record(record: &[u8]) -> ([u32; 3], [u64; 4]) {
    let record: &[u8; COEFFICIENT_BYTES] = record.try_into().expect("the caller slices a record");
    let (fields, value) = record.split_at(12);
    let (fields, _) = fields.as_chunks::<4>();
    let value: &[u8; 32] = value.try_into().expect("44 - 12 bytes");
    (
        [fields[0], fields[1], fields[2]].map(u32::from_le_bytes),
        words::from_le_bytes(value),
    )
}

/// Size of a record: three u32 and a 32-byte value.
pub const COEFFICIENT_BYTES: usize = 44;
