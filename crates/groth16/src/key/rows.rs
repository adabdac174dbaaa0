//! Finding the coefficients of a row.
//!
//! Section 4 lists the non-zero coefficients of A and B, each with its row and wire. snarkjs writes them by row, so the
//! records of a range of rows are a range of records, found by bisection. Other writers may use any order: then a
//! permutation that sorts them is kept, four bytes for each record. An fkey has them by row, with an index, in a code
//! that is read in order, or as templates, which are in memory.

use super::Windows;
use crate::Error;
use frumious_circom::generic::{Coefficients, CompactRows, KeyCoefficients};
use frumious_circom::{COEFFICIENT_BYTES, Coefficient, FileBytes};
use frumious_curves::PairingEngine;
use frumious_parallel::map_indices;

/// The order in which to read section 4 to see it by row.
pub(crate) enum Rows {
    /// The file's own order.
    Sorted,
    /// `order[k]` is the position in the file of the k-th record by row; records of one row keep the file's order.
    Permuted(Vec<u32>),
}

impl Rows {
    /// Reads and checks every record; in parallel unless they have to be sorted.
    pub(super) fn index<E: PairingEngine>(
        file: &FileBytes,
        coefficients: &KeyCoefficients<'_, E>,
    ) -> Result<Self, Error> {
        match coefficients {
            KeyCoefficients::Records(records) => Self::index_records(file, records),
            KeyCoefficients::Rows(rows) => check_rows(file, rows).map(|()| Self::Sorted),
            KeyCoefficients::Templates(_) => Ok(Self::Sorted), // checked when the file was opened
        }
    }

    fn index_records<E: PairingEngine>(
        file: &FileBytes,
        coefficients: &Coefficients<'_, E>,
    ) -> Result<Self, Error> {
        let n = coefficients.len();
        let mut all_sorted = true;
        let mut last = 0; // the row of the record before
        for window in Windows::new(file, coefficients.bytes(0..n), COEFFICIENT_BYTES) {
            let records = window.len();
            // The first and the last row of each task, and whether it is sorted in itself.
            let tasks = map_indices(records.div_ceil(RECORDS_PER_TASK), |task| {
                let start = window.start + task * RECORDS_PER_TASK;
                let first = coefficients.get(start)?.constraint;
                let (mut sorted, mut previous) = (true, first);
                for k in start + 1..window.end.min(start + RECORDS_PER_TASK) {
                    let row = coefficients.get(k)?.constraint;
                    sorted &= previous <= row;
                    previous = row;
                }
                Ok::<_, frumious_circom::Error>((first, previous, sorted))
            });
            for task in tasks {
                let (first, end, sorted) = task?;
                all_sorted &= sorted && last <= first;
                last = end;
            }
        }
        if all_sorted {
            return Ok(Self::Sorted);
        }
        let mut order: Vec<(u32, u32)> = Vec::with_capacity(n);
        for k in 0..n {
            let position = u32::try_from(k).expect("section 4 counts its records in 32 bits");
            order.push((coefficients.get(k)?.constraint, position));
        }
        order.sort_unstable();
        Ok(Self::Permuted(
            order.into_iter().map(|(_, position)| position).collect(),
        ))
    }

    /// The k-th record by row.
    #[inline(always)]
    pub(crate) fn record<E: PairingEngine>(
        &self,
        coefficients: &Coefficients<E>,
        k: usize,
    ) -> Result<Coefficient, frumious_circom::Error> {
        match self {
            Self::Sorted => coefficients.get(k),
            Self::Permuted(order) => coefficients.get(order[k] as usize),
        }
    }

    /// Number of records in rows before `row`, by bisection.
    pub(crate) fn first_of_row<E: PairingEngine>(
        &self,
        coefficients: &Coefficients<E>,
        row: usize,
    ) -> Result<usize, frumious_circom::Error> {
        let (mut low, mut high) = (0, coefficients.len());
        while low < high {
            let middle = low + (high - low) / 2;
            if (self.record(coefficients, middle)?.constraint as usize) < row {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        Ok(low)
    }
}

/// Checks and counts all coefficients of rows that come in order, whose code may be released from memory as it was read.
fn check_rows<E: PairingEngine>(file: &FileBytes, rows: &CompactRows<'_, E>) -> Result<(), Error> {
    let mut count = 0;
    for start in (0..rows.rows()).step_by(ROWS_PER_BLOCK) {
        let end = rows.rows().min(start + ROWS_PER_BLOCK);
        let counts = map_indices((end - start).div_ceil(ROWS_PER_TASK), |task| {
            let start = start + task * ROWS_PER_TASK;
            rows.count(start..end.min(start + ROWS_PER_TASK))
        });
        for of_task in counts {
            count += of_task?;
        }
        if rows.rows() > ROWS_PER_BLOCK {
            file.release(rows.code_of(start..end));
        }
    }
    Ok(rows.expect_count(count)?)
}

const RECORDS_PER_TASK: usize = 1 << 15;

/// Multiples of the rows that the code is indexed by.
const ROWS_PER_TASK: usize = 1 << 12;
const ROWS_PER_BLOCK: usize = 1 << 20;
