//! Errors of tables.

use std::path::PathBuf;

/// The reason that there is no table, or no commitment.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// More scalars than the table has points.
    #[error("{scalars} scalars, but the table has {points} points")]
    TooManyScalars {
        /// Scalars given.
        scalars: usize,
        /// Points of the table.
        points: usize,
    },
    /// A term names a point that the table does not have.
    #[error("point {index} of a table of {points}")]
    IndexOutOfRange {
        /// Place of the point, from 0.
        index: usize,
        /// Points of the table.
        points: usize,
    },
    /// A table for no points.
    #[error("a table needs at least one point")]
    NoPoints,
    /// No table at all, or none for some point.
    #[error("no strategy covers point {index}")]
    NotCovered {
        /// The first such point.
        index: usize,
    },
    /// A strategy's parameter is outside of its bounds.
    #[error("the {what} cannot be {value}")]
    Parameters {
        /// Which one.
        what: &'static str,
        /// Its value.
        value: usize,
    },
    /// More entries than can be numbered.
    #[error("the table would have 2^30 entries or more")]
    TooLarge,
    /// No table for so many points fits the budget.
    #[error("no table for {points} points fits into {mib} MiB")]
    Budget {
        /// Points to be covered.
        points: usize,
        /// The budget.
        mib: usize,
    },
    /// The operating system has not that much memory.
    #[error("{bytes} bytes for a table: {source}")]
    Memory {
        /// Size of the table.
        bytes: usize,
        /// The operating system's reason.
        source: std::io::Error,
    },
    /// The table file cannot be opened or mapped.
    #[error(transparent)]
    File(#[from] frumious_mapping::Error),
    /// The table file cannot be written.
    #[error("{}: {source}", path.display())]
    Write {
        /// The file.
        path: PathBuf,
        /// The operating system's reason.
        source: std::io::Error,
    },
    /// The table file is not what it should be.
    #[error("{}: table file, section {section}, byte {offset}: {problem}", path.display())]
    Malformed {
        /// The file.
        path: PathBuf,
        /// Name of the section.
        section: &'static str,
        /// Bytes from the start of the file.
        offset: u64,
        /// The fault there.
        problem: Problem,
    },
}

/// A fault of a table file.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Problem {
    /// The first bytes are those of another kind of file.
    #[error("this is no table file")]
    Magic,
    /// A format that this version does not know.
    #[error("version {0} is not supported")]
    Version(u32),
    /// The table is for another group.
    #[error("the table is for group {0:?}")]
    Group(String),
    /// The table is for another number of points.
    #[error("the table is for {actual} points, not for {expected}")]
    Points {
        /// As given by the caller.
        expected: u64,
        /// As in the file.
        actual: u64,
    },
    /// The table is for other points.
    #[error("the table is for other points")]
    Basis,
    /// The file is shorter or longer than its header says.
    #[error("the file has {actual} bytes where {expected} are expected")]
    Length {
        /// Bytes that the header announces.
        expected: u64,
        /// Bytes that are there.
        actual: u64,
    },
    /// A parameter that no table has.
    #[error("{0}")]
    Parameters(String),
    /// The bytes are not those that were written.
    #[error("the checksum does not match")]
    Checksum,
    /// An entry is not what it should be.
    #[error("the entry is not the one for these points")]
    Entry,
}
