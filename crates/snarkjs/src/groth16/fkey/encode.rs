//! Section 4 in few bytes: writing.

use super::rows::ROWS_PER_BLOCK;
use crate::groth16::zkey::Coefficients;
use frumious_circom::Error;
use frumious_circom::words;
use frumious_curves::PairingEngine;
use frumious_groth16::{Coefficient, Matrix};
use std::collections::HashMap;
use std::io::{self, Write};

/// True if the coefficients can be stored by row: valid, rows rising, in each A before B.
pub(super) fn are_in_rows<E: PairingEngine>(coefficients: &Coefficients<'_, E>) -> bool {
    let mut last = (0, false);
    coefficients.iter().all(|coefficient| match coefficient {
        Ok(Coefficient { row, matrix, .. }) => {
            let next = (row, matrix == Matrix::B);
            let is_in_order = last <= next;
            last = next;
            is_in_order
        }
        Err(_) => false,
    })
}

/// Writes coefficients that are in rows; returns the numbers of rows and of values.
///
/// Memory: the distinct values, and eight bytes for each 1024 rows.
pub(super) fn encode<E: PairingEngine>(
    coefficients: &Coefficients<'_, E>,
    out: &mut impl Write,
) -> io::Result<Result<(u64, u64), Error>> {
    let mut encoder = Encoder::default();
    let mut row = Vec::new();
    for coefficient in coefficients.iter() {
        let coefficient = match coefficient {
            Ok(coefficient) => coefficient,
            Err(error) => return Ok(Err(error)),
        };
        let last: Option<&Coefficient<_>> = row.last();
        if last.is_some_and(|last| last.row != coefficient.row) {
            encoder.row(&row, out)?;
            row.clear();
        }
        row.push(coefficient);
    }
    if !row.is_empty() {
        encoder.row(&row, out)?;
    }
    encoder.finish(out).map(Ok)
}

#[derive(Default)]
struct Encoder {
    rows: u64,
    index: Vec<u64>,
    values: Values,
    first_wires: [u32; 2],
    /// Bytes that are written.
    written: u64,
    /// Bytes that are not yet.
    code: Vec<u8>,
}

impl Encoder {
    /// The next row that has coefficients; those before it have none.
    fn row<F>(&mut self, row: &[Coefficient<F>], out: &mut impl Write) -> io::Result<()> {
        while self.rows < row[0].row.into() {
            self.begin_row([0, 0], out)?;
        }
        let of_a = row.partition_point(|coefficient| coefficient.matrix == Matrix::A);
        let (a, b) = row.split_at(of_a);
        self.begin_row([a.len(), b.len()], out)?;
        for (matrix, terms) in [a, b].into_iter().enumerate() {
            let mut wire = self.first_wires[matrix];
            for term in terms {
                push(&mut self.code, self.values.number(term.value.words()));
                push_step(&mut self.code, wire, term.wire);
                wire = term.wire;
            }
            if let Some(first) = terms.first() {
                self.first_wires[matrix] = first.wire;
            }
        }
        Ok(())
    }

    fn begin_row(&mut self, counts: [usize; 2], out: &mut impl Write) -> io::Result<()> {
        if self.rows.is_multiple_of(ROWS_PER_BLOCK as u64) {
            self.write_code(out)?;
            self.index.push(self.written);
            self.first_wires = [0; 2];
        }
        self.rows += 1;
        for count in counts {
            push(&mut self.code, count as u32); // at most one for each coefficient
        }
        Ok(())
    }

    fn write_code(&mut self, out: &mut impl Write) -> io::Result<()> {
        out.write_all(&self.code)?;
        self.written += self.code.len() as u64;
        self.code.clear();
        Ok(())
    }

    fn finish(mut self, out: &mut impl Write) -> io::Result<(u64, u64)> {
        self.write_code(out)?;
        for place in &self.index {
            out.write_all(&place.to_le_bytes())?;
        }
        for value in self.values.all() {
            out.write_all(&words::to_le_bytes(value))?;
        }
        Ok((self.rows, self.values.all().len() as u64))
    }
}

/// Distinct values, numbered in the order in which they come.
#[derive(Default)]
pub(super) struct Values {
    values: Vec<[u64; 4]>,
    numbers: HashMap<[u64; 4], u32>,
}

impl Values {
    pub(super) fn number(&mut self, value: &[u64; 4]) -> u32 {
        let next = self.values.len() as u32; // at most one for each coefficient
        let number = *self.numbers.entry(*value).or_insert(next);
        if number == next {
            self.values.push(*value);
        }
        number
    }

    pub(super) fn all(&self) -> &[[u64; 4]] {
        &self.values
    }
}

/// LEB128: seven bits a byte, the least significant first, the top bit set where more follow.
pub(super) fn push(code: &mut Vec<u8>, mut number: u32) {
    while number >= 0x80 {
        code.push(number as u8 | 0x80);
        number >>= 7;
    }
    code.push(number as u8);
}

/// The way from a wire to another, modulo 2^32, its sign in the lowest bit.
pub(super) fn push_step(code: &mut Vec<u8>, from: u32, to: u32) {
    let step = to.wrapping_sub(from).cast_signed();
    push(code, (step << 1 ^ step >> 31).cast_unsigned());
}
