//! The coefficients of a key by row.
//!
//! Section 4 lists the non-zero coefficients of A and B, each with its row and wire. snarkjs writes them by row, so the
//! records of a range of rows are a range of records, found by bisection. Other writers may use any order: then a
//! permutation that sorts them is kept, four bytes for each record. An fkey has them by row, with an index, in a code
//! that is read in order, or as templates, which are in memory.

use super::windows::Windows;
use crate::generic::{Coefficients, CompactRows, KeyCoefficients};
use crate::groth16::COEFFICIENT_BYTES;
use frumious_circom::Error;
use frumious_groth16::{Coefficient, ProvingEngine, RowBatch, RowWindow, RowWindowVisitor};
use frumious_mapping::FileBytes;
use frumious_parallel::map_indices;
use frumious_r1cs::SourceError;
use std::ops::Range;

/// A key's coefficients with the order in which to read them.
pub(super) struct KeyRows<'a, E: ProvingEngine> {
    pub(super) file: &'a FileBytes,
    pub(super) coefficients: KeyCoefficients<'a, E>,
    pub(super) order: &'a Order,
    pub(super) domain_size: usize,
    /// Rows of a window.
    pub(super) window_rows: usize,
}

impl<'a, E: ProvingEngine> KeyRows<'a, E> {
    /// Calls `visit` for windows of rows that make up the domain. The next window's coefficients are read ahead.
    ///
    /// The pages of the last one are given up, if there are several.
    pub(super) fn visit_windows(
        &self,
        visit: &mut RowWindowVisitor<'_, E::Fr>,
    ) -> Result<(), SourceError> {
        self.read_ahead(0)?;
        for (index, start) in (0..self.domain_size).step_by(self.window_rows).enumerate() {
            self.read_ahead(index + 1)?;
            visit(RowWindow {
                rows: start..self.domain_size.min(start + self.window_rows),
                read: &|rows, batch| Ok(self.read(rows, batch)?),
            })?;
            self.release(index)?;
        }
        Ok(())
    }

    /// Bytes of mapped files that one window needs, and private memory for all.
    pub(super) fn footprint(&self) -> (u64, u64) {
        let windows = (self.domain_size / self.window_rows).max(1) as u64;
        let order = match self.order {
            Order::Sorted => 0,
            Order::Permuted(order) => 4 * order.len() as u64,
        };
        match &self.coefficients {
            KeyCoefficients::Records(records) => {
                let bytes = (COEFFICIENT_BYTES * records.len()) as u64;
                (bytes / windows, order)
            }
            KeyCoefficients::Rows(rows) => (rows.stored_length() as u64 / windows, order),
            KeyCoefficients::Templates(rows) => (0, order + rows.memory() as u64),
        }
    }

    fn read_ahead(&self, index: usize) -> Result<(), Error> {
        if let Some(bytes) = self.window(index)? {
            self.file.read_ahead(bytes);
        }
        Ok(())
    }

    fn release(&self, index: usize) -> Result<(), Error> {
        if self.domain_size > self.window_rows
            && let Some(bytes) = self.window(index)?
        {
            self.file.release(bytes);
        }
        Ok(())
    }

    /// A window's coefficients, if there are any and they lie together.
    fn window(&self, index: usize) -> Result<Option<&'a [u8]>, Error> {
        let start = index * self.window_rows;
        let rows = start..start + self.window_rows;
        if start >= self.domain_size {
            return Ok(None);
        }
        match (&self.coefficients, self.order) {
            (KeyCoefficients::Records(records), Order::Sorted) => {
                let [start, end] =
                    [rows.start, rows.end].map(|row| self.order.first_of_row(records, row));
                let (start, end) = (start?, end?);
                // In this order unless the file changes under the mapping.
                Ok((start < end).then(|| records.bytes(start..end)))
            }
            (KeyCoefficients::Records(_), Order::Permuted(_)) => Ok(None),
            (KeyCoefficients::Rows(code), _) => Ok(Some(code.code_of(rows))),
            (KeyCoefficients::Templates(_), _) => Ok(None), // not in the file any more
        }
    }

    /// Gives the coefficients of some rows to `batch`.
    fn read(&self, rows: Range<usize>, batch: &mut RowBatch<'_, E::Fr>) -> Result<(), Error> {
        let mut take = |record: Coefficient<E::Fr>| {
            batch.push(&record);
            Ok(())
        };
        match &self.coefficients {
            KeyCoefficients::Records(records) => {
                let first = self.order.first_of_row(records, rows.start)?;
                for k in first..records.len() {
                    let record = self.order.record(records, k)?;
                    // Below the first row only if the file changes under the mapping after the bisection.
                    if !rows.contains(&(record.row as usize)) {
                        break;
                    }
                    batch.push(&record);
                }
                Ok(())
            }
            KeyCoefficients::Rows(code) => code.for_each(rows, &mut take),
            KeyCoefficients::Templates(templates) => templates.for_each(rows, &mut take),
        }
    }
}

/// The order in which to read section 4 to see it by row.
pub(super) enum Order {
    /// The file's own order.
    Sorted,
    /// `order[k]` is the position in the file of the k-th record by row; records of one row keep the file's order.
    Permuted(Vec<u32>),
}

impl Order {
    /// Reads and checks every record; in parallel unless they have to be sorted.
    pub(super) fn index<E: ProvingEngine>(
        file: &FileBytes,
        coefficients: &KeyCoefficients<'_, E>,
    ) -> Result<Self, Error> {
        match coefficients {
            KeyCoefficients::Records(records) => Self::index_records(file, records),
            KeyCoefficients::Rows(rows) => check_rows(file, rows).map(|()| Self::Sorted),
            KeyCoefficients::Templates(_) => Ok(Self::Sorted), // checked when the file was opened
        }
    }

    fn index_records<E: ProvingEngine>(
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
                let first = coefficients.get(start)?.row;
                let (mut sorted, mut previous) = (true, first);
                for k in start + 1..window.end.min(start + RECORDS_PER_TASK) {
                    let row = coefficients.get(k)?.row;
                    sorted &= previous <= row;
                    previous = row;
                }
                Ok::<_, Error>((first, previous, sorted))
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
            order.push((coefficients.get(k)?.row, position));
        }
        order.sort_unstable();
        Ok(Self::Permuted(
            order.into_iter().map(|(_, position)| position).collect(),
        ))
    }

    /// The k-th record by row.
    #[inline(always)]
    pub(super) fn record<E: ProvingEngine>(
        &self,
        coefficients: &Coefficients<E>,
        k: usize,
    ) -> Result<Coefficient<E::Fr>, Error> {
        match self {
            Self::Sorted => coefficients.get(k),
            Self::Permuted(order) => coefficients.get(order[k] as usize),
        }
    }

    /// Number of records in rows before `row`, by bisection.
    pub(super) fn first_of_row<E: ProvingEngine>(
        &self,
        coefficients: &Coefficients<E>,
        row: usize,
    ) -> Result<usize, Error> {
        let (mut low, mut high) = (0, coefficients.len());
        while low < high {
            let middle = low + (high - low) / 2;
            if (self.record(coefficients, middle)?.row as usize) < row {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        Ok(low)
    }
}

/// Checks and counts all coefficients of rows that come in order, whose code may be released from memory as it was
/// read.
fn check_rows<E: ProvingEngine>(file: &FileBytes, rows: &CompactRows<'_, E>) -> Result<(), Error> {
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
    rows.expect_count(count)
}

const RECORDS_PER_TASK: usize = 1 << 15;

/// Multiples of the rows that the code is indexed by.
const ROWS_PER_TASK: usize = 1 << 12;
const ROWS_PER_BLOCK: usize = 1 << 20;
