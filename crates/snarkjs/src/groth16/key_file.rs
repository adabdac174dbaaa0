//! A proving key in either container: what a prover, and whoever looks into a key, need not tell apart.

use std::ops::Range;
use std::path::Path;

use frumious_curves::PairingEngine;

use crate::groth16::fkey::{Fkey, KeyCoefficients, StoredPoints};
use crate::groth16::zkey::{Contributions, Zkey};
use crate::points::Points;
use frumious_circom::container::Cursor;
use frumious_circom::{Error, FileKind, Problem};
use frumious_groth16::{KeyHeader, VerifyingKey};
use frumious_mapping::FileBytes;

/// A Groth16 proving key in a `.zkey` or an `.fkey` file. Cloning shares its bytes.
#[derive(Clone, Debug)]
pub enum KeyFile<E: PairingEngine> {
    /// As snarkjs has it.
    Zkey(Zkey<E>),
    /// In the container of our own.
    Fkey(Fkey<E>),
}

impl<E: PairingEngine> KeyFile<E> {
    /// Maps and opens the key at `path`.
    ///
    /// # Errors
    /// As [`FileBytes::map`], [`Zkey::from_bytes`] and [`Fkey::from_bytes`].
    pub fn open(path: impl AsRef<Path>) -> Result<Self, Error> {
        Self::from_bytes(FileBytes::map(path)?)
    }

    /// Opens a key over its bytes, of the kind that the first four tell.
    ///
    /// # Errors
    /// As [`Zkey::from_bytes`] and [`Fkey::from_bytes`].
    pub fn from_bytes(bytes: impl Into<FileBytes>) -> Result<Self, Error> {
        let bytes = bytes.into();
        match key_kind(&bytes) {
            FileKind::Fkey => Fkey::from_bytes(bytes).map(Self::Fkey),
            _ => Zkey::from_bytes(bytes).map(Self::Zkey),
        }
    }

    /// The zkey, if it is one.
    pub fn as_zkey(&self) -> Option<&Zkey<E>> {
        match self {
            Self::Zkey(key) => Some(key),
            Self::Fkey(_) => None,
        }
    }

    /// Counts and the points of the header.
    pub fn header(&self) -> &KeyHeader<E> {
        match self {
            Self::Zkey(key) => key.header(),
            Self::Fkey(key) => key.header(),
        }
    }

    /// The whole file.
    pub fn bytes(&self) -> &FileBytes {
        match self {
            Self::Zkey(key) => key.bytes(),
            Self::Fkey(key) => key.bytes(),
        }
    }

    /// Section 3, see [`Zkey::ic`].
    pub fn ic(&self) -> Points<'_, E::G1> {
        match self {
            Self::Zkey(key) => key.ic(),
            Self::Fkey(key) => key.ic(),
        }
    }

    /// Section 4.
    pub fn coefficients(&self) -> KeyCoefficients<'_, E> {
        match self {
            Self::Zkey(key) => KeyCoefficients::Records(key.coefficients()),
            Self::Fkey(key) => key.coefficients(),
        }
    }

    /// Section 5, see [`Zkey::a`].
    pub fn a(&self) -> StoredPoints<'_, E::G1> {
        match self {
            Self::Zkey(key) => StoredPoints::whole(key.a()),
            Self::Fkey(key) => key.a(),
        }
    }

    /// Section 6, see [`Zkey::b1`].
    pub fn b1(&self) -> StoredPoints<'_, E::G1> {
        match self {
            Self::Zkey(key) => StoredPoints::whole(key.b1()),
            Self::Fkey(key) => key.b1(),
        }
    }

    /// Section 7, see [`Zkey::b2`].
    pub fn b2(&self) -> StoredPoints<'_, E::G2> {
        match self {
            Self::Zkey(key) => StoredPoints::whole(key.b2()),
            Self::Fkey(key) => key.b2(),
        }
    }

    /// Section 8, see [`Zkey::c`].
    pub fn c(&self) -> StoredPoints<'_, E::G1> {
        match self {
            Self::Zkey(key) => StoredPoints::whole(key.c()),
            Self::Fkey(key) => key.c(),
        }
    }

    /// Section 9, see [`Zkey::h`].
    pub fn h(&self) -> Points<'_, E::G1> {
        match self {
            Self::Zkey(key) => key.h(),
            Self::Fkey(key) => key.h(),
        }
    }

    /// Section 10: the circuit's hash and the contributions of the ceremony; `None` when the key has none.
    ///
    /// # Errors
    /// [`Error::Malformed`] when the section does not parse.
    pub fn contributions(&self) -> Result<Option<Contributions<E>>, Error> {
        match self {
            Self::Zkey(key) => key.contributions(),
            Self::Fkey(key) => match key.contributions_section() {
                None => Ok(None),
                Some(section) => Contributions::read(Cursor::new(section))
                    .map(Some)
                    .map_err(|error| error.in_file_of(key.bytes())),
            },
        }
    }

    /// The verification key within this key.
    ///
    /// # Errors
    /// [`Error::Malformed`] for a point of IC that is not on the curve, or of a public signal at infinity.
    pub fn verifying_key(&self) -> Result<VerifyingKey<E>, Error> {
        let header = self.header();
        let ic = self.ic();
        let point = |i| match i {
            0 => ic.get(0), // of the constant 1, which needs no point
            _ => ic.get_finite(i),
        };
        let ic: Result<Vec<E::G1>, Error> = (0..ic.len()).map(point).collect();
        Ok(VerifyingKey {
            alpha_g1: header.alpha_g1,
            beta_g2: header.beta_g2,
            gamma_g2: header.gamma_g2,
            delta_g2: header.delta_g2,
            ic: ic.map_err(|error| error.in_file_of(self.bytes()))?,
        })
    }

    /// Checks that B1 and B2 are at infinity for the same wires of `range`.
    ///
    /// # Errors
    /// [`Error::Malformed`] with the first wire for which they are not.
    ///
    /// # Panics
    /// When `range` is not within `0..n_wires`.
    pub fn check_infinities(&self, range: Range<usize>) -> Result<(), Error> {
        let key = match self {
            Self::Zkey(key) => return key.check_infinities(range),
            Self::Fkey(key) => key,
        };
        let (b1, b2) = (key.b1(), key.b2());
        for wire in range {
            if b1.is_infinity(wire) != b2.is_infinity(wire) {
                let wire = wire as u64;
                let offset = key.section_offset(7);
                let problem = Problem::InfinityMismatch { wire };
                let error = Error::section(FileKind::Fkey, 7, offset, problem);
                return Err(error.in_file_of(key.bytes()));
            }
        }
        Ok(())
    }
}

/// Which of the two kinds of key the bytes are, if they are one: [`FileKind::Fkey`] for its first four bytes,
/// [`FileKind::Zkey`] for any others.
pub fn key_kind(bytes: &[u8]) -> FileKind {
    match bytes.starts_with(b"fkey") {
        true => FileKind::Fkey,
        false => FileKind::Zkey,
    }
}

impl<E: PairingEngine> From<Zkey<E>> for KeyFile<E> {
    fn from(key: Zkey<E>) -> Self {
        Self::Zkey(key)
    }
}

impl<E: PairingEngine> From<Fkey<E>> for KeyFile<E> {
    fn from(key: Fkey<E>) -> Self {
        Self::Fkey(key)
    }
}
