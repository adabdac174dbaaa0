//! Where a key is written, and how far it is.

use std::fs::File;
use std::io::{Cursor, Read, Result, Seek, Write};

/// Where a setup from a ceremony writes its key, and reads it again for the hash; or one from a seed.
///
/// An output that keeps what it was told by [`checkpoint`](Self::checkpoint), with the bytes up to then, can be given again to a setup of the same
/// circuit under the same ceremony or with the same seed, positioned behind them: then it tells by [`start`](Self::start) where to go on, and the key is the
/// same to the byte.
pub trait KeyOutput: Read + Write + Seek {
    /// What is there already; nothing, if the key is to be begun.
    fn start(&self) -> Option<Position> {
        None
    }

    /// All entries before `position` have been written to this output, which may now make sure of them.
    ///
    /// Errors: those of writing.
    fn checkpoint(&mut self, _position: Position) -> Result<()> {
        Ok(())
    }
}

impl KeyOutput for Cursor<Vec<u8>> {}
impl KeyOutput for Cursor<&mut Vec<u8>> {}
impl KeyOutput for File {}

impl<T: KeyOutput + ?Sized> KeyOutput for &mut T {
    fn start(&self) -> Option<Position> {
        (**self).start()
    }

    fn checkpoint(&mut self, position: Position) -> Result<()> {
        (**self).checkpoint(position)
    }
}

/// A place in a key between two entries of its sections 3 to 9.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Position {
    /// The section.
    pub section: u32,
    /// Its entries before this place.
    pub entries: u64,
}

impl Position {
    /// Before all entries.
    pub(super) const FIRST: Self = Self {
        section: 3,
        entries: 0,
    };

    /// How many of the `n` entries of `section` are before this place.
    pub(super) fn entries_before(&self, section: u32, n: usize) -> usize {
        match section.cmp(&self.section) {
            std::cmp::Ordering::Less => n,
            std::cmp::Ordering::Equal => n.min(self.entries as usize),
            std::cmp::Ordering::Greater => 0,
        }
    }
}
