//! A zkey as the sink of a setup, which may be interrupted and go on.

use std::fs::File;
use std::io::{self, Cursor, Read, Seek, Write};

use frumious_circom::{Error, FileKind};
use frumious_groth16::{Coefficient, KeyHeader, KeySink, Part, ProvingEngine};
use frumious_r1cs::SourceError;

use crate::generic::ZkeyWriter;

/// Where a setup writes its key, and a setup from a ceremony reads it again for the hash.
///
/// An output may keep the last [`checkpoint`](Self::checkpoint) and the bytes up to then. Positioned behind them, it
/// can be given again to a setup of the same circuit under the same ceremony or with the same seed. It tells by
/// [`start`](Self::start) where to go on, and the key is the same to the byte.
pub trait KeyOutput: Read + Write + Seek {
    /// The position before which everything is there; none, if the key is to be begun.
    fn start(&self) -> Option<Position> {
        None
    }

    /// All entries before `position` have been written to this output, which may now make sure of them.
    ///
    /// # Errors
    /// Those of writing.
    fn checkpoint(&mut self, _position: Position) -> io::Result<()> {
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

    fn checkpoint(&mut self, position: Position) -> io::Result<()> {
        (**self).checkpoint(position)
    }
}

/// A place in a zkey between two entries of its sections 3 to 9.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Position {
    /// The section.
    pub section: u32,
    /// Its entries before this place.
    pub entries: u64,
}

/// Writes the key of a setup as a zkey.
pub struct ZkeySink<'a, E: ProvingEngine, W: Write> {
    /// The output, until the key is begun.
    out: Option<W>,
    writer: Option<ZkeyWriter<E, W>>,
    start: Option<Position>,
    tell: fn(&mut W, Position) -> io::Result<()>,
    /// Fails once a file that the key is made from is not what it was.
    unchanged: Option<&'a dyn Fn() -> Result<(), Error>>,
}

impl<'a, E: ProvingEngine, W: Write> ZkeySink<'a, E, W> {
    /// Writes to `out`, which should be buffered, from its beginning. `out` is told of no checkpoint.
    pub fn new(out: W) -> Self {
        Self {
            out: Some(out),
            writer: None,
            start: None,
            tell: |_, _| Ok(()),
            unchanged: None,
        }
    }

    /// Goes on with what `out` has, and tells it of checkpoints: for setups that give the same key again.
    pub fn resumable(out: W) -> Self
    where
        W: KeyOutput,
    {
        Self {
            start: out.start(),
            tell: |out, position| out.checkpoint(position),
            ..Self::new(out)
        }
    }

    /// Asks `unchanged` before it tells the output of a checkpoint.
    pub(super) fn guarded_by(self, unchanged: &'a dyn Fn() -> Result<(), Error>) -> Self {
        Self {
            unchanged: Some(unchanged),
            ..self
        }
    }

    /// The writer of the key, once a setup has filled it.
    pub(super) fn into_writer(self) -> Option<ZkeyWriter<E, W>> {
        self.writer
    }

    /// Completes the key with a circuit hash of zeros and no contribution, and returns the output.
    ///
    /// # Errors
    /// [`Error::WrongCount`] unless a setup has filled the key; [`Error::Write`].
    pub fn finish(self) -> Result<W, Error> {
        let not_begun = Error::WrongCount {
            file: FileKind::Zkey,
            section: 3,
            expected: 1,
            actual: 0,
        };
        self.writer.ok_or(not_begun)?.finish(&[0; 64])
    }

    fn writer(&mut self) -> &mut ZkeyWriter<E, W> {
        self.writer.as_mut().expect("a setup begins its key first")
    }
}

impl<E: ProvingEngine, W: Write> KeySink<E> for ZkeySink<'_, E, W> {
    fn begin(
        &mut self,
        header: &KeyHeader<E>,
        n_coefficients: u32,
    ) -> Result<frumious_groth16::Position, SourceError> {
        let out = self.out.take().expect("a key is begun once");
        let (writer, position) = match self.start {
            None => (
                ZkeyWriter::new(out, header, n_coefficients)?,
                frumious_groth16::Position::START,
            ),
            Some(Position { section, entries }) => (
                ZkeyWriter::resume(out, header, n_coefficients, section, entries)?,
                frumious_groth16::Position {
                    part: part_of(section),
                    entries,
                },
            ),
        };
        self.writer = Some(writer);
        Ok(position)
    }

    fn g1(&mut self, part: Part, points: &[E::G1]) -> Result<(), SourceError> {
        let writer = self.writer();
        Ok(match part {
            Part::Ic => writer.write_ic(points),
            Part::A => writer.write_a(points),
            Part::B1 => writer.write_b1(points),
            Part::C => writer.write_c(points),
            Part::H => writer.write_h(points),
            Part::Coefficients | Part::B2 => unreachable!("no points of G1"),
        }?)
    }

    fn b2(&mut self, points: &[E::G2]) -> Result<(), SourceError> {
        Ok(self.writer().write_b2(points)?)
    }

    fn coefficients(&mut self, coefficients: &[Coefficient<E::Fr>]) -> Result<(), SourceError> {
        Ok(self.writer().write_coefficients(coefficients)?)
    }

    fn checkpoint(&mut self, position: frumious_groth16::Position) -> Result<(), SourceError> {
        if let Some(unchanged) = self.unchanged {
            unchanged()?;
        }
        let position = Position {
            section: section_of(position.part),
            entries: position.entries,
        };
        let tell = self.tell;
        tell(self.writer().output(), position).map_err(|source| Error::Write {
            file: FileKind::Zkey,
            source,
        })?;
        Ok(())
    }
}

/// The section of a part in a zkey.
fn section_of(part: Part) -> u32 {
    match part {
        Part::Ic => 3,
        Part::Coefficients => 4,
        Part::A => 5,
        Part::B1 => 6,
        Part::B2 => 7,
        Part::C => 8,
        Part::H => 9,
    }
}

/// The part of a section of a zkey, 3 to 9; of any other one that [`ZkeyWriter::resume`] refuses.
fn part_of(section: u32) -> Part {
    let mut parts = Part::ALL.into_iter();
    let part = parts.find(|part| section_of(*part) == section);
    part.unwrap_or(Part::H)
}
