//! Errors of a file, before anybody looks at its contents.

use std::path::PathBuf;

/// A file that cannot be opened, mapped or read.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The operating system refused to open, map or read the file.
    #[error("{}: {source}", path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// The operating system's reason.
        source: std::io::Error,
    },
    /// The path names a directory, a device or a pipe.
    #[error("{}: is not a regular file", path.display())]
    NotAFile {
        /// The path.
        path: PathBuf,
    },
    /// The file has no bytes at all.
    #[error("{}: the file is empty (byte 0)", path.display())]
    Empty {
        /// The file.
        path: PathBuf,
    },
    /// The file changed its length while it was in use.
    #[error("{}: the file had {expected} bytes when it was opened and has {actual} now", path.display())]
    ChangedInUse {
        /// The file.
        path: PathBuf,
        /// Length when it was opened, in bytes.
        expected: u64,
        /// Length now, in bytes.
        actual: u64,
    },
    /// The file was written to while it was in use.
    #[error("{}: the file was changed while it was in use", path.display())]
    WrittenInUse {
        /// The file.
        path: PathBuf,
    },
}
