//! The witness, `.wtns`, versions 1 and 2, over a curve's scalar field.
//!
//! Section 1: `n8 u32 | prime[n8] | nWitness u32`. Section 2: the values of the wires, plain little-endian integers
//! below r, 32 bytes each; the first is the constant one.
//!
//! The values are a secret. Those of a mapped file stay where they are; others lie in memory that is wiped on drop.
//! Neither errors nor `Debug` show one.

mod writer;

pub use writer::WtnsWriter;

use std::io::Write;
use std::marker::PhantomData;
use std::ops::Range;
use std::path::Path;

use frumious_curves::PairingEngine;
use frumious_field::{Integer, WordField};
use zeroize::Zeroizing;

use crate::container::{Container, Cursor, Section};
use crate::curve::Modulus;
use crate::error::{Error, FileKind, Problem, parse_file};
use crate::words;
use frumious_mapping::FileBytes;

/// The values of all wires.
pub struct Wtns<E: PairingEngine> {
    values: Values<E::Fr>,
    engine: PhantomData<E>,
}

/// Where the values are.
enum Values<F> {
    /// In memory of our own, wiped on drop.
    Owned(Zeroizing<Vec<Integer<F>>>),
    /// In a file, as little-endian bytes at any alignment.
    Mapped(FileBytes, Range<usize>),
}

impl<E: PairingEngine> Wtns<E> {
    /// Maps and checks the witness at `path`, of which no copy is made. The file is read once through, and must not be
    /// changed while it is in use ([`FileBytes::map`]).
    ///
    /// # Errors
    /// As [`FileBytes::map`] and [`Wtns::from_bytes`].
    pub fn open(path: impl AsRef<Path>) -> Result<Self, Error> {
        let bytes = FileBytes::map(path)?;
        let range = parse_file(&bytes, |bytes| {
            let section = values_section::<E>(bytes)?;
            let (records, _) = section.bytes.as_chunks::<VALUE_BYTES>();
            check::<E>(records.iter().map(words::from_le_bytes), section)?;
            let start = section.offset as usize; // within bytes that are in memory
            Ok(start..start + section.bytes.len())
        })?;
        Ok(Self {
            values: Values::Mapped(bytes, range),
            engine: PhantomData,
        })
    }

    /// Reads and checks a witness.
    ///
    /// # Errors
    /// [`Error::Malformed`] for
    /// - a bad frame, another field, a missing or repeated section;
    /// - a section 2 of another length than the count needs;
    /// - a value that is not below r;
    /// - a first value that is not 1;
    /// - no value.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, Error> {
        let section = values_section::<E>(bytes)?;
        let (records, _) = section.bytes.as_chunks::<VALUE_BYTES>();
        let values = records.iter().map(words::from_le_bytes).collect();
        Self::checked(values, section)
    }

    /// A witness from its values.
    ///
    /// # Errors
    /// [`Error::Malformed`] for a first value that is not 1, or no value. The offset is the one in the file these
    /// values would make. The values are wiped.
    pub fn new(values: Vec<Integer<E::Fr>>) -> Result<Self, Error> {
        let values = Zeroizing::new(values);
        check_first(values.first().map(Integer::words), SECTION)?;
        Ok(Self {
            values: Values::Owned(values),
            engine: PhantomData,
        })
    }

    /// A witness from the words of its values, the least significant first, of which nothing is known.
    ///
    /// # Errors
    /// As [`Wtns::new`], and for a value that is not below r.
    pub fn from_words(values: Vec<[u64; 4]>) -> Result<Self, Error> {
        Self::checked(values, SECTION)
    }

    /// `section` is where the values come from.
    fn checked(values: Vec<[u64; 4]>, section: Section<'_>) -> Result<Self, Error> {
        let mut values = Zeroizing::new(values);
        check::<E>(values.iter().copied(), section)?;
        // In the same memory, as both are of one size.
        let values = std::mem::take(&mut *values).into_iter();
        Ok(Self {
            values: Values::Owned(Zeroizing::new(
                values.map(Integer::from_words_unchecked).collect(),
            )),
            engine: PhantomData,
        })
    }

    /// Value `index`. The first is 1.
    ///
    /// # Panics
    /// When `index >= len`.
    #[inline]
    pub fn get(&self, index: usize) -> Integer<E::Fr> {
        match &self.values {
            Values::Owned(values) => values[index],
            Values::Mapped(bytes, range) => {
                let (records, _) = bytes[range.clone()].as_chunks();
                value::<E>(&records[index])
            }
        }
    }

    /// The values `range`, copied into `buffer` if they are not in memory of our own; whoever owns `buffer` wipes it.
    ///
    /// # Panics
    /// When `range` is not within `0..len`.
    #[track_caller]
    pub fn chunk<'b>(
        &'b self,
        range: Range<usize>,
        buffer: &'b mut Vec<Integer<E::Fr>>,
    ) -> &'b [Integer<E::Fr>] {
        match &self.values {
            Values::Owned(values) => &values[range],
            Values::Mapped(bytes, whole) => {
                let (records, _) = bytes[whole.clone()].as_chunks();
                buffer.clear();
                buffer.extend(records[range].iter().map(value::<E>));
                buffer
            }
        }
    }

    /// The values as bytes of a mapped file, 32 each, the least significant first; none if they are in memory.
    pub fn encoded(&self) -> Option<&[[u8; VALUE_BYTES]]> {
        match &self.values {
            Values::Owned(_) => None,
            Values::Mapped(bytes, range) => Some(bytes[range.clone()].as_chunks().0),
        }
    }

    /// The values in memory; none if they are in a mapped file.
    pub fn integers(&self) -> Option<&[Integer<E::Fr>]> {
        match &self.values {
            Values::Owned(values) => Some(values),
            Values::Mapped(..) => None,
        }
    }

    /// Copies of all values, wiped on drop.
    pub fn to_values(&self) -> Zeroizing<Vec<Integer<E::Fr>>> {
        Zeroizing::new((0..self.len()).map(|index| self.get(index)).collect())
    }

    /// The file that the values are read from, if they were not copied.
    pub fn mapped(&self) -> Option<&FileBytes> {
        match &self.values {
            Values::Owned(_) => None,
            Values::Mapped(bytes, _) => Some(bytes),
        }
    }

    /// Notices that the file was changed since it was checked; to be asked before what was made from it is given away.
    /// Values in memory pass.
    ///
    /// # Errors
    /// As [`FileBytes::check_unchanged`].
    pub fn check_unchanged(&self) -> Result<(), Error> {
        match self.mapped() {
            Some(bytes) => Ok(bytes.check_unchanged()?),
            None => Ok(()),
        }
    }

    /// Number of values; at least 1.
    #[expect(clippy::len_without_is_empty, reason = "a witness is never empty")]
    pub fn len(&self) -> usize {
        match &self.values {
            Values::Owned(values) => values.len(),
            Values::Mapped(_, range) => range.len() / VALUE_BYTES,
        }
    }

    /// The public signals: values 1 to `n_public`. `None` when the witness has too few values.
    pub fn public(&self, n_public: u32) -> Option<Vec<E::Fr>> {
        let end = usize::try_from(n_public).ok()?.checked_add(1)?;
        (end <= self.len()).then(|| (1..end).map(|index| self.get(index).to_element()).collect())
    }

    /// All values as field elements. The caller wipes them.
    pub fn to_fr(&self) -> Vec<E::Fr> {
        (0..self.len())
            .map(|index| self.get(index).to_element())
            .collect()
    }

    /// Writes the witness as a `.wtns` file, version 2.
    ///
    /// # Errors
    /// [`Error::Write`] when `out` fails.
    pub fn write(&self, out: impl Write) -> Result<(), Error> {
        let mut writer = WtnsWriter::<E, _>::new(out, self.len());
        let mut buffer = Zeroizing::new(Vec::with_capacity(AT_ONCE.min(self.len())));
        for start in (0..self.len()).step_by(AT_ONCE) {
            let end = self.len().min(start + AT_ONCE);
            writer.write(self.chunk(start..end, &mut buffer))?;
        }
        writer.finish()
    }
}

/// A value of a mapped file. One that has changed since it was checked may be r or above: then it is zero.
#[inline]
fn value<E: PairingEngine>(record: &[u8; VALUE_BYTES]) -> Integer<E::Fr> {
    Integer::new_vartime(words::from_le_bytes(record)).unwrap_or(Integer::ZERO)
}

/// Section 2, of the length that section 1 says.
fn values_section<E: PairingEngine>(bytes: &[u8]) -> Result<Section<'_>, Error> {
    let container = Container::parse(bytes, FileKind::Wtns)?;
    let mut header = Cursor::new(container.section(bytes, 1)?);
    header.expect_prime::<E>(Modulus::Scalar)?;
    let count = header.u32()?;
    header.expect_end()?;
    let section = container.section(bytes, 2)?;
    section.expect_records(0, count.into(), VALUE_BYTES as u64)?;
    Ok(section)
}

/// Checks values that come from `section`.
fn check<E: PairingEngine>(
    values: impl Iterator<Item = [u64; 4]> + Clone,
    section: Section<'_>,
) -> Result<(), Error> {
    let bad = |value: [u64; 4]| !words::is_below(&value, &E::Fr::MODULUS_64.p);
    if let Some(index) = values.clone().position(bad) {
        let position = index as u64 * VALUE_BYTES as u64;
        return Err(section.error(position, Problem::NotCanonical));
    }
    check_first(values.clone().next().as_ref(), section)
}

fn check_first(first: Option<&[u64; 4]>, section: Section<'_>) -> Result<(), Error> {
    match first {
        Some([1, 0, 0, 0]) => Ok(()),
        _ => Err(section.error(0, Problem::FirstValueNotOne)),
    }
}

impl<E: PairingEngine> std::fmt::Debug for Wtns<E> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Wtns({} values)", self.len())
    }
}

/// Values that are written at once.
const AT_ONCE: usize = 1 << 11;

/// Size of a value.
const VALUE_BYTES: usize = 32;

/// Where the values start in a file as [`Wtns::write`] makes it: preamble, section 1 of 40 bytes, two frames.
const VALUES_OFFSET: u64 = 12 + 12 + 40 + 12;

/// The section that values would make, as far as errors tell of it.
const SECTION: Section<'static> = Section {
    file: FileKind::Wtns,
    id: 2,
    offset: VALUES_OFFSET,
    bytes: &[],
};
