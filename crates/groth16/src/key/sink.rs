//! `KeySink`: where a setup puts the key that it makes.

use super::{KeyHeader, Part};
use crate::{Coefficient, ProvingEngine};
use frumious_r1cs::SourceError;

/// A proving key to write, its parts in the order of [`Part::ALL`], each in as many pieces as the setup likes.
///
/// A sink may keep the last [`checkpoint`](Self::checkpoint) and all entries before it. Then it can be given again to a
/// setup of the same circuit with the same powers or seed. It tells by [`begin`](Self::begin) where to go on, and the
/// key is the same.
pub trait KeySink<E: ProvingEngine> {
    /// Begins a key, or goes on with one: returns the position before which everything is there.
    ///
    /// # Errors
    /// Those of writing.
    fn begin(
        &mut self,
        header: &KeyHeader<E>,
        n_coefficients: u32,
    ) -> Result<Position, SourceError>;

    /// More points of a part in G1.
    ///
    /// # Errors
    /// Those of writing.
    fn g1(&mut self, part: Part, points: &[E::G1]) -> Result<(), SourceError>;

    /// More points of B2.
    ///
    /// # Errors
    /// Those of writing.
    fn b2(&mut self, points: &[E::G2]) -> Result<(), SourceError>;

    /// More coefficients, by row; of a row those of A first.
    ///
    /// # Errors
    /// Those of writing.
    fn coefficients(&mut self, coefficients: &[Coefficient<E::Fr>]) -> Result<(), SourceError>;

    /// All entries before `position` were given to this sink, which may now make sure of them.
    ///
    /// # Errors
    /// Those of writing.
    fn checkpoint(&mut self, _position: Position) -> Result<(), SourceError> {
        Ok(())
    }
}

/// A place in a key between two entries.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Position {
    /// The part.
    pub part: Part,
    /// Its entries before this place.
    pub entries: u64,
}

impl Position {
    /// Before all entries.
    pub const START: Self = Self {
        part: Part::Ic,
        entries: 0,
    };

    /// The number of the `n` entries of `part` before this place.
    pub(crate) fn entries_before(&self, part: Part, n: usize) -> usize {
        match part.cmp(&self.part) {
            std::cmp::Ordering::Less => n,
            std::cmp::Ordering::Equal => n.min(self.entries as usize),
            std::cmp::Ordering::Greater => 0,
        }
    }
}
