//! The proving key, `.zkey`, as snarkjs writes it for Groth16.
//!
//! | section | holds | size |
//! |---|---|---|
//! | 1 | protocol, 1 = Groth16 | u32 |
//! | 2 | primes, counts, α₁ β₁ β₂ γ₂ δ₁ δ₂ | 660 bytes, for BLS12-381 964 |
//! | 3 | IC | (nPublic+1) G1 |
//! | 4 | coefficients of A and B | u32, then 44 bytes each |
//! | 5, 6, 7 | A, B1, B2 | nVars G1, G1, G2 |
//! | 8 | C | (nVars−nPublic−1) G1, from wire nPublic+1 |
//! | 9 | H | domainSize G1 |
//! | 10 | hash of the circuit, contributions; may be absent | 64 bytes, u32, records |
//!
//! Opening checks in constant time the frame, the whole header with its points, and the sections' lengths, which the
//! header's counts determine. A coefficient cannot be read without being checked. The points of the large sections are
//! checked when read with [`Points::get`], or all at once with [`Zkey::check`].

pub(crate) mod coefficients;
mod contributions;
pub(crate) mod header;
mod writer;

use std::ops::Range;
use std::path::Path;

use frumious_curves::PairingEngine;
use frumious_curves::engine::{MontgomeryEncoding, PairingGroup};

pub use coefficients::{COEFFICIENT_BYTES, Coefficients};
pub use contributions::{Contribution, Contributions, PublicKey};
pub use writer::ZkeyWriter;

use crate::points::Points;
use frumious_circom::container::{Container, Cursor};
use frumious_circom::{Error, FileKind, Problem, parse_file};
use frumious_groth16::{KeyHeader, ProvingEngine, VerifyingKey};
use frumious_mapping::FileBytes;

/// A Groth16 proving key over its bytes. Cloning shares them.
#[derive(Clone, Debug)]
pub struct Zkey<E: PairingEngine> {
    bytes: FileBytes,
    container: Container,
    header: KeyHeader<E>,
}

impl<E: PairingEngine> Zkey<E> {
    /// Maps and opens the key at `path`. Time independent of the key's size.
    ///
    /// # Errors
    /// As [`FileBytes::map`] and [`Zkey::from_bytes`].
    pub fn open(path: impl AsRef<Path>) -> Result<Self, Error> {
        Self::from_bytes(FileBytes::map(path)?)
    }

    /// Opens a key over its bytes. Time independent of the key's size.
    ///
    /// # Errors
    /// [`Error::Malformed`] for
    /// - a bad frame, another protocol or curve;
    /// - counts that contradict each other;
    /// - a section that is missing, repeated or not of the length the counts need;
    /// - a bad or infinite point in the header.
    pub fn from_bytes(bytes: impl Into<FileBytes>) -> Result<Self, Error> {
        let bytes = bytes.into();
        let (container, header) = parse_file(&bytes, |bytes| {
            let container = Container::parse(bytes, FileKind::Zkey)?;
            let header = header::read(&container, bytes)?;
            Ok((container, header))
        })?;
        let zkey = Self {
            bytes,
            container,
            header,
        };
        zkey.check_lengths()
            .map_err(|error| error.in_file_of(&zkey.bytes))?;
        Ok(zkey)
    }

    /// Counts and the points of the header.
    pub fn header(&self) -> &KeyHeader<E> {
        &self.header
    }

    /// The whole file.
    pub fn bytes(&self) -> &FileBytes {
        &self.bytes
    }

    /// Section 3, `n_public + 1` points: `(β·Aᵢ + α·Bᵢ + Cᵢ)(τ)/γ` of the constant and the public wires.
    pub fn ic(&self) -> Points<'_, E::G1> {
        self.opened(3, header::ic_points(&self.header))
    }

    /// Section 4: the coefficients of the matrices A and B, with the rows of the public inputs.
    #[expect(
        clippy::missing_panics_doc,
        reason = "the section was found when the key was opened"
    )]
    pub fn coefficients(&self) -> Coefficients<'_, E> {
        let section = self.container.section(&self.bytes, 4);
        let section = section.expect("it was found when the key was opened");
        Coefficients::opened(section, &self.header)
    }

    /// Section 5, `n_wires` points: `Aᵢ(τ)` of each wire.
    pub fn a(&self) -> Points<'_, E::G1> {
        self.opened(5, self.header.n_wires.into())
    }

    /// Section 6, `n_wires` points: `Bᵢ(τ)` of each wire, in G1.
    pub fn b1(&self) -> Points<'_, E::G1> {
        self.opened(6, self.header.n_wires.into())
    }

    /// Section 7, `n_wires` points: `Bᵢ(τ)` of each wire, in G2.
    pub fn b2(&self) -> Points<'_, E::G2> {
        self.opened(7, self.header.n_wires.into())
    }

    /// Section 8, `n_wires - n_public - 1` points: `(β·Aᵢ + α·Bᵢ + Cᵢ)(τ)/δ`; entry 0 is for wire `n_public + 1`.
    pub fn c(&self) -> Points<'_, E::G1> {
        self.opened(8, header::c_points(&self.header))
    }

    /// Section 9, `domain_size` points: `L_{2i+1}(τ)/δ` with `L` the Lagrange basis of the domain of twice the size.
    pub fn h(&self) -> Points<'_, E::G1> {
        self.opened(9, self.header.domain_size.into())
    }

    /// Section 10: the circuit's hash and the contributions of the ceremony; `None` when the key has none.
    ///
    /// # Errors
    /// [`Error::Malformed`] when the section does not parse.
    pub fn contributions(&self) -> Result<Option<Contributions<E>>, Error> {
        match self.container.optional_section(&self.bytes, 10) {
            None => Ok(None),
            Some(section) => Contributions::read(Cursor::new(section))
                .map(Some)
                .map_err(|error| error.in_file_of(&self.bytes)),
        }
    }

    /// The payload of a section that the key has, as it is.
    pub(crate) fn section_bytes(&self, id: u32) -> &[u8] {
        let section = self.container.section(&self.bytes, id);
        section.expect("it was found when the key was opened").bytes
    }

    /// The payload of section 10 as it is, if there is one.
    pub fn contributions_bytes(&self) -> Option<&[u8]> {
        let section = self.container.optional_section(&self.bytes, 10)?;
        Some(section.bytes)
    }

    /// The verification key within this key.
    ///
    /// # Errors
    /// [`Error::Malformed`] for a point of IC that is not on the curve, or of a public signal at infinity.
    pub fn verifying_key(&self) -> Result<VerifyingKey<E>, Error> {
        let ic = self.ic();
        let point = |i| match i {
            0 => ic.get(0), // of the constant 1, which needs no point
            _ => ic.get_finite(i),
        };
        let ic: Result<Vec<E::G1>, Error> = (0..ic.len()).map(point).collect();
        Ok(VerifyingKey {
            alpha_g1: self.header.alpha_g1,
            beta_g2: self.header.beta_g2,
            gamma_g2: self.header.gamma_g2,
            delta_g2: self.header.delta_g2,
            ic: ic.map_err(|error| error.in_file_of(&self.bytes))?,
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
        let (b1, b2) = (self.b1(), self.b2());
        for wire in range {
            if b1.is_infinity(wire) != b2.is_infinity(wire) {
                let start = self.container.range(7).map_or(0, |range| range.start);
                let offset = start + wire * E::G2::BYTES;
                let problem = Problem::InfinityMismatch { wire: wire as u64 };
                let error = Error::section(FileKind::Zkey, 7, offset as u64, problem);
                return Err(error.in_file_of(&self.bytes));
            }
        }
        Ok(())
    }

    /// Checks that every needed section is there and has the length the header's counts need.
    fn check_lengths(&self) -> Result<(), Error> {
        let header = &self.header;
        self.points::<E::G1>(3, header::ic_points(header))?;
        Coefficients::<E>::new(self.container.section(&self.bytes, 4)?, header)?;
        self.points::<E::G1>(5, header.n_wires.into())?;
        self.points::<E::G1>(6, header.n_wires.into())?;
        self.points::<E::G2>(7, header.n_wires.into())?;
        self.points::<E::G1>(8, header::c_points(header))?;
        self.points::<E::G1>(9, header.domain_size.into())?;
        Ok(())
    }

    fn points<P: PairingGroup>(&self, section: u32, count: u64) -> Result<Points<'_, P>, Error> {
        Points::new(self.container.section(&self.bytes, section)?, count)
    }

    fn opened<P: PairingGroup>(&self, section: u32, count: u64) -> Points<'_, P> {
        self.points(section, count)
            .expect("the length was checked when the key was opened")
    }
}

impl<E: ProvingEngine> Zkey<E> {
    /// Checks everything in the key, one thing after another: every coefficient, every point, the contributions.
    ///
    /// It costs a few microseconds for each wire, most of it for the subgroup check of B2. A caller with many threads
    /// divides the ranges of [`Points::check`], [`Coefficients::check`] and [`Zkey::check_infinities`] among them.
    ///
    /// # Errors
    /// [`Error::Malformed`] with the first offence.
    pub fn check(&self) -> Result<(), Error> {
        let coefficients = self.coefficients();
        coefficients
            .check(0..coefficients.len())
            .and_then(|()| {
                for points in [self.ic(), self.a(), self.b1(), self.c(), self.h()] {
                    points.check(0..points.len())?;
                }
                self.b2().check(0..self.b2().len())
            })
            .map_err(|error| error.in_file_of(&self.bytes))?;
        self.check_infinities(0..self.header.n_wires as usize)?;
        self.contributions().map(|_| ())
    }
}
