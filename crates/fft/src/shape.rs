//! The cut of a vector into rows.

use crate::settings::LOG_ONE_ROW;

/// The cut of a vector of `2^(log_rows + log_columns)` elements.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Shape {
    pub log_rows: u32,
    pub log_columns: u32,
    /// True if rows are multiplied by powers, for want of a full table of twiddles.
    pub twisted: bool,
}

impl Shape {
    /// One row up to [`LOG_ONE_ROW`], about square above; twisted above 2^16.
    pub fn of(log_size: u32) -> Self {
        let log_rows = if log_size <= LOG_ONE_ROW.get() as u32 {
            0
        } else {
            log_size / 2
        };
        Self {
            log_rows,
            log_columns: log_size - log_rows,
            twisted: log_size > LOG_FULL_TABLE,
        }
    }

    /// Binary logarithm of the number of elements.
    pub fn log_size(self) -> u32 {
        self.log_rows + self.log_columns
    }

    pub fn rows(self) -> usize {
        1 << self.log_rows
    }

    pub fn columns(self) -> usize {
        1 << self.log_columns
    }
}

/// Up to here `n/2` twiddles are a table of at most 1 MiB for each direction, and spare two products for each element.
const LOG_FULL_TABLE: u32 = 16;
