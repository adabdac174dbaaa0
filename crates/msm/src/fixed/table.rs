//! A table by its strategy: its shape, and its entries in terms of the points.

use super::Error;
use super::build::Run;
use super::comb::CombTable;
use super::group::FixedGroup;
use super::strategy::Strategy;
use super::windows::WindowTable;

impl Strategy {
    /// Number of entries for `points` points of a group whose order has `bits` bits.
    ///
    /// # Errors
    /// Parameters outside of their bounds, or more entries than can be counted.
    pub fn entries<G: FixedGroup>(&self, points: usize) -> Result<usize, Error> {
        Ok(self.table::<G>(points, 0)?.entries())
    }

    /// The table's shape, with its entries from `first_entry` on.
    pub(super) fn table<G: FixedGroup>(
        &self,
        points: usize,
        first_entry: usize,
    ) -> Result<Table<G>, Error> {
        match *self {
            Self::Windows {
                points: covered,
                count,
            } => {
                let covered = covered.min(points);
                WindowTable::new::<G>(covered, count, first_entry)
                    .map(|table| Table::Windows(Box::new(table)))
            }
            Self::Comb {
                rounds,
                bits,
                digits,
            } => CombTable::new(points, rounds, bits, digits, first_entry).map(Table::Comb),
        }
    }
}

/// The shape of a table.
pub(super) enum Table<G: FixedGroup> {
    /// See [`Strategy::Windows`].
    Windows(Box<WindowTable>),
    /// See [`Strategy::Comb`].
    Comb(CombTable<G>),
}

impl<G: FixedGroup> Table<G> {
    /// Number of entries.
    pub(super) fn entries(&self) -> usize {
        match self {
            Self::Windows(table) => table.entries(),
            Self::Comb(table) => table.entries(),
        }
    }

    /// The entries, in terms of the points.
    pub(super) fn runs(&self) -> Vec<Run> {
        match self {
            Self::Windows(table) => table.runs(),
            Self::Comb(table) => table.runs(),
        }
    }
}
