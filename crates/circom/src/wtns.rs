//! The witness, `.wtns`, versions 1 and 2, over a curve's scalar field.
//!
//! Section 1: `n8 u32 | prime[n8] | nWitness u32`. Section 2: the values of the wires, plain little-endian integers below
//! r, 32 bytes each; the first is the constant one.
//!
//! The values are a secret. They are copied once, into memory that is wiped on drop; neither errors nor `Debug` show one.

use std::io::Write;
use std::marker::PhantomData;
use std::path::Path;

use frumious_curves::PairingEngine;
use frumious_curves::engine::ScalarField;
use frumious_field::WordField;
use zeroize::Zeroize;

use crate::container::{self, Container, Cursor, Section};
use crate::curve::{Modulus, modulus_bytes};
use crate::error::{Error, FileKind, Problem, parse_file};
use crate::words;
use frumious_mapping::FileBytes;

/// The values of all wires. Wiped on drop.
pub struct Wtns<E: PairingEngine> {
    values: Vec<[u64; 4]>,
    engine: PhantomData<E>,
}

impl<E: PairingEngine> Wtns<E> {
    /// Reads and checks the witness at `path`.
    ///
    /// # Errors
    /// As [`FileBytes::map`] and [`Wtns::from_bytes`].
    pub fn open(path: impl AsRef<Path>) -> Result<Self, Error> {
        // Mapped, so that the only copy this process makes is the one that is wiped.
        parse_file(&FileBytes::map(path)?, Self::from_bytes)
    }

    /// Reads and checks a witness.
    ///
    /// # Errors
    /// [`Error::Malformed`] for a bad frame, another field, a missing or repeated section, a section 2 of another length
    /// than the count needs, a value that is not below r, a first value that is not 1, or no value.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, Error> {
        let container = Container::parse(bytes, FileKind::Wtns)?;
        let mut header = Cursor::new(container.section(bytes, 1)?);
        header.expect_prime::<E>(Modulus::Scalar)?;
        let count = header.u32()?;
        header.expect_end()?;
        let section = container.section(bytes, 2)?;
        section.expect_records(0, count.into(), VALUE_BYTES as u64)?;
        let (records, _) = section.bytes.as_chunks::<VALUE_BYTES>();
        let witness = Self {
            values: records.iter().map(words::from_le_bytes).collect(),
            engine: PhantomData,
        };
        witness.check(section)?;
        Ok(witness)
    }

    /// A witness from its values: plain integers, words with the least significant first.
    ///
    /// # Errors
    /// [`Error::Malformed`] for a value that is not below r, a first value that is not 1, or no value. The offset is the
    /// one in the file these values would make. The values are wiped.
    pub fn new(values: Vec<[u64; 4]>) -> Result<Self, Error> {
        let witness = Self {
            values,
            engine: PhantomData,
        };
        witness.check(Section {
            file: FileKind::Wtns,
            id: 2,
            offset: VALUES_OFFSET,
            bytes: &[],
        })?;
        Ok(witness)
    }

    /// The values: plain integers below r, words with the least significant first; the first is 1.
    pub fn values(&self) -> &[[u64; 4]] {
        &self.values
    }

    /// Number of values; at least 1.
    #[expect(clippy::len_without_is_empty, reason = "a witness is never empty")]
    pub fn len(&self) -> usize {
        self.values.len()
    }

    /// The public signals: values 1 to `n_public`. `None` when the witness has too few values.
    pub fn public(&self, n_public: u32) -> Option<Vec<E::Fr>> {
        let end = usize::try_from(n_public).ok()?.checked_add(1)?;
        Some(self.values.get(1..end)?.iter().map(to_fr).collect())
    }

    /// All values as field elements. The caller wipes them.
    pub fn to_fr(&self) -> Vec<E::Fr> {
        self.values.iter().map(to_fr).collect()
    }

    /// Writes the witness as a `.wtns` file, version 2.
    ///
    /// # Errors
    /// [`Error::Write`] when `out` fails.
    pub fn write(&self, mut out: impl Write) -> Result<(), Error> {
        self.write_sections(&mut out)
            .map_err(|source| Error::Write {
                file: FileKind::Wtns,
                source,
            })
    }

    fn write_sections(&self, out: &mut impl Write) -> std::io::Result<()> {
        let count = u32::try_from(self.values.len()).map_err(std::io::Error::other)?;
        container::write_preamble(out, b"wtns", 2, 2)?;
        container::write_section_start(out, 1, 40)?;
        out.write_all(&32u32.to_le_bytes())?;
        out.write_all(&modulus_bytes::<E>(Modulus::Scalar))?;
        out.write_all(&count.to_le_bytes())?;
        container::write_section_start(out, 2, u64::from(count) * VALUE_BYTES as u64)?;
        for value in &self.values {
            out.write_all(&words::to_le_bytes(value))?;
        }
        out.flush()
    }

    /// Checks the values; `section` is where they come from.
    fn check(&self, section: Section<'_>) -> Result<(), Error> {
        let bad = |value: &[u64; 4]| !words::is_below(value, &E::Fr::MODULUS_64.p);
        if let Some(index) = self.values.iter().position(bad) {
            let position = index as u64 * VALUE_BYTES as u64;
            return Err(section.error(position, Problem::NotCanonical));
        }
        match self.values.first() {
            Some([1, 0, 0, 0]) => Ok(()),
            _ => Err(section.error(0, Problem::FirstValueNotOne)),
        }
    }
}

impl<E: PairingEngine> Drop for Wtns<E> {
    fn drop(&mut self) {
        self.values.zeroize();
    }
}

impl<E: PairingEngine> std::fmt::Debug for Wtns<E> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Wtns({} values)", self.values.len())
    }
}

fn to_fr<F: ScalarField>(value: &[u64; 4]) -> F {
    F::from_canonical_limbs(*value)
        .into_option()
        .expect("values were checked to be below r")
}

/// Size of a value.
const VALUE_BYTES: usize = 32;

/// Where the values start in a file as [`Wtns::write`] makes it: preamble, section 1 of 40 bytes, two frames.
const VALUES_OFFSET: u64 = 12 + 12 + 40 + 12;
