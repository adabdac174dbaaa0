//! The powers of tau, `.ptau`, version 1.
//!
//! Section 1: `n8 u32 | q[n8] | power u32 | ceremonyPower u32`. N = 2^power. In monomial form section 2 has `τⁱ` in G1
//! (2N−1 points), 3 has `τⁱ` in G2 (N), 4 has `α·τⁱ` (N). Section 5 has `β·τⁱ` (N), 6 has `β` in G2 (1). Section 7
//! has the contributions. "Prepared for phase 2", the file also has these in Lagrange form, in
//! sections 12 to
//! 15. Each has a block of 2^p points for each p = 0 … power, the block of p after (2^p − 1) points. Section 12 has one
//! block more, p = power + 1, where the missing last power is taken as infinity.

mod contributions;

use std::marker::PhantomData;
use std::path::Path;

pub use contributions::{TauContribution, TauPublicKey};

use frumious_curves::PairingEngine;
use frumious_curves::engine::PairingGroup;
use frumious_field::PrimeField;

use crate::points::Points;
use frumious_circom::container::{Container, Cursor};
use frumious_circom::curve::Modulus;
use frumious_circom::{Error, FileKind, Problem, parse_file};
use frumious_groth16::Uncontributed;
use frumious_mapping::FileBytes;

/// Powers of tau over their bytes. Cloning shares them.
///
/// Opening checks the frame, the header and the length of each section, in time independent of the file's size. Points
/// are checked when read with [`Points::get`]. That the points are powers of one τ is verified by
/// [`phase1`](crate::phase1).
#[derive(Clone, Debug)]
pub struct Ptau<E: PairingEngine> {
    bytes: FileBytes,
    container: Container,
    power: u32,
    ceremony_power: u32,
    engine: PhantomData<E>,
}

impl<E: PairingEngine> Ptau<E> {
    /// Maps and opens the powers of tau at `path`.
    ///
    /// # Errors
    /// As [`FileBytes::map`] and [`Ptau::from_bytes`].
    pub fn open(path: impl AsRef<Path>) -> Result<Self, Error> {
        Self::from_bytes(FileBytes::map(path)?)
    }

    /// Opens powers of tau over their bytes.
    ///
    /// # Errors
    /// [`Error::Malformed`] for
    /// - a bad frame or another curve;
    /// - a power above the two-adicity of the scalar field;
    /// - a section that is missing, repeated or not of the length the power needs.
    pub fn from_bytes(bytes: impl Into<FileBytes>) -> Result<Self, Error> {
        Self::with_sections(bytes.into(), |_| true)
    }

    /// Opens powers of tau, of which only the sections that are `kept` count.
    fn with_sections(bytes: FileBytes, kept: impl Fn(u32) -> bool) -> Result<Self, Error> {
        let (container, power, ceremony_power) = parse_file(&bytes, |bytes| {
            let all = Container::parse(bytes, FileKind::Ptau)?;
            let ids = (1..=15).filter(|id| kept(*id));
            let ranges = ids.filter_map(|id| Some((id, all.range(id)?)));
            let container = Container::of_ranges(FileKind::Ptau, ranges)?;
            let mut header = Cursor::new(container.section(bytes, 1)?);
            header.expect_prime::<E>(Modulus::Base)?;
            let power = header.u32()?;
            // There are roots of unity of no higher power of two.
            let max_power = E::Fr::TWO_ADICITY;
            if power > max_power {
                let problem = Problem::OutOfRange {
                    what: "power",
                    value: power.into(),
                    bound: u64::from(max_power) + 1,
                };
                return Err(header.error_before(4, problem));
            }
            let ceremony_power = header.u32()?;
            header.expect_end()?;
            Ok((container, power, ceremony_power))
        })?;
        let ptau = Self {
            bytes,
            container,
            power,
            ceremony_power,
            engine: PhantomData,
        };
        ptau.check_lengths()
            .map_err(|error| error.in_file_of(&ptau.bytes))?;
        Ok(ptau)
    }

    /// Opens powers of tau as if they had no Lagrange bases, whatever their lengths. Early versions of snarkjs wrote
    /// bases without the last block of section 12, which [`Ptau::from_bytes`] refuses.
    ///
    /// # Errors
    /// As [`Ptau::from_bytes`], but for the sections 12 to 15.
    pub fn without_bases(bytes: impl Into<FileBytes>) -> Result<Self, Error> {
        Self::with_sections(bytes.into(), |id| !LAGRANGE_SECTIONS.contains(&id))
    }

    /// Base-two logarithm of the number of powers, at most 28 for BN254 and 32 for BLS12-381.
    pub fn power(&self) -> u32 {
        self.power
    }

    /// The same for the ceremony the file was cut from.
    pub fn ceremony_power(&self) -> u32 {
        self.ceremony_power
    }

    /// True if the file has all four Lagrange sections. Some of them count as none.
    pub fn is_prepared(&self) -> bool {
        self.missing_lagrange().is_none()
    }

    /// The first of the Lagrange sections that the file does not have.
    fn missing_lagrange(&self) -> Option<u32> {
        let mut sections = LAGRANGE_SECTIONS.into_iter();
        sections.find(|&id| self.container.range(id).is_none())
    }

    /// The contributions, in the order in which they were made.
    ///
    /// # Errors
    /// [`Error::Malformed`] for a file without section 7, or one that does not parse, with points outside their groups
    /// included.
    pub fn contributions(&self) -> Result<Vec<TauContribution<E>>, Error> {
        let section = self.container.section(&self.bytes, 7);
        section
            .and_then(|section| contributions::read(Cursor::new(section)))
            .map_err(|error| error.in_file_of(&self.bytes))
    }

    /// The payload of section `id`, none if the file has no such section.
    pub(crate) fn section_bytes(&self, id: u32) -> Option<&[u8]> {
        Some(&self.bytes[self.container.range(id)?])
    }

    /// The whole file.
    pub fn bytes(&self) -> &FileBytes {
        &self.bytes
    }

    /// `τⁱ` in G1, `2^(power+1) − 1` points.
    pub fn tau_g1(&self) -> Points<'_, E::G1> {
        self.opened(2)
    }

    /// `τⁱ` in G2, `2^power` points.
    pub fn tau_g2(&self) -> Points<'_, E::G2> {
        self.opened(3)
    }

    /// `α·τⁱ` in G1, `2^power` points.
    pub fn alpha_tau_g1(&self) -> Points<'_, E::G1> {
        self.opened(4)
    }

    /// `β·τⁱ` in G1, `2^power` points.
    pub fn beta_tau_g1(&self) -> Points<'_, E::G1> {
        self.opened(5)
    }

    /// `β` in G2.
    ///
    /// # Errors
    /// [`Error::Malformed`] when it is not a point of the group.
    pub fn beta_g2(&self) -> Result<E::G2, Error> {
        let points = self.points_of_beta_g2();
        points.get(0).map_err(|error| error.in_file_of(&self.bytes))
    }

    /// `β` in G2, as the only point of its section.
    pub(crate) fn points_of_beta_g2(&self) -> Points<'_, E::G2> {
        self.opened(6)
    }

    /// True if nobody has contributed: α or β is ±1, as in a new file. A key made from it lets anyone forge proofs.
    ///
    /// # Errors
    /// [`Error::Malformed`] when α in G1 or β in G2 is not a point of its group.
    pub fn lacks_contribution(&self) -> Result<bool, Error> {
        let alpha = self.alpha_tau_g1().get(0);
        let alpha = alpha.map_err(|error| error.in_file_of(&self.bytes))?;
        let beta = self.beta_g2()?;
        Ok(Uncontributed::powers_lack_contribution::<E>(&alpha, &beta))
    }

    /// `L_i(τ)` in G1 for the domain of size `2^log_n`, `2^log_n` points; `log_n` at most `power + 1`.
    ///
    /// # Errors
    /// [`Error::Malformed`] when the file is not prepared for phase 2 or `log_n` is too large for it.
    pub fn lagrange_tau_g1(&self, log_n: u32) -> Result<Points<'_, E::G1>, Error> {
        self.lagrange(12, log_n)
    }

    /// `L_i(τ)` in G2 for the domain of size `2^log_n`, `2^log_n` points; `log_n` at most `power`.
    ///
    /// # Errors
    /// As [`Ptau::lagrange_tau_g1`].
    pub fn lagrange_tau_g2(&self, log_n: u32) -> Result<Points<'_, E::G2>, Error> {
        self.lagrange(13, log_n)
    }

    /// `α·L_i(τ)` in G1 for the domain of size `2^log_n`, `2^log_n` points; `log_n` at most `power`.
    ///
    /// # Errors
    /// As [`Ptau::lagrange_tau_g1`].
    pub fn lagrange_alpha_tau_g1(&self, log_n: u32) -> Result<Points<'_, E::G1>, Error> {
        self.lagrange(14, log_n)
    }

    /// `β·L_i(τ)` in G1 for the domain of size `2^log_n`, `2^log_n` points; `log_n` at most `power`.
    ///
    /// # Errors
    /// As [`Ptau::lagrange_tau_g1`].
    pub fn lagrange_beta_tau_g1(&self, log_n: u32) -> Result<Points<'_, E::G1>, Error> {
        self.lagrange(15, log_n)
    }

    /// The points of section `id`, from 12 to 15, of all domains one after the other; none if the file is not prepared.
    pub(crate) fn all_lagrange<P: PairingGroup>(&self, id: u32) -> Option<Points<'_, P>> {
        self.container.range(id).map(|_| self.opened(id))
    }

    fn lagrange<P: PairingGroup>(&self, id: u32, log_n: u32) -> Result<Points<'_, P>, Error> {
        let end = self.bytes.len() as u64;
        let fail = |id, offset, problem| {
            let error = Error::section(FileKind::Ptau, id, offset, problem);
            Err(error.in_file_of(&self.bytes))
        };
        // Bases without the others are not verified (`phase1::verify_bases`), so none of them is used.
        let missing = self.missing_lagrange();
        let (None, Some(range)) = (missing, self.container.range(id)) else {
            return fail(missing.unwrap_or(id), end, Problem::NotPrepared);
        };
        let blocks = self.power + if id == 12 { 2 } else { 1 };
        if log_n >= blocks {
            let problem = Problem::OutOfRange {
                what: "logarithm of the domain's size",
                value: log_n.into(),
                bound: blocks.into(),
            };
            return fail(id, range.start as u64, problem);
        }
        let size = 1 << log_n;
        Ok(self.opened(id).slice(size - 1..2 * size - 1))
    }

    /// Checks that every needed section, and every Lagrange section there is, has the length the power needs.
    fn check_lengths(&self) -> Result<(), Error> {
        for id in [2, 4, 5] {
            self.points::<E::G1>(id)?;
        }
        for id in [3, 6] {
            self.points::<E::G2>(id)?;
        }
        for id in LAGRANGE_SECTIONS {
            if self.container.range(id).is_none() {
                continue;
            }
            if id == 13 {
                self.points::<E::G2>(id)?;
            } else {
                self.points::<E::G1>(id)?;
            }
        }
        Ok(())
    }

    fn points<P: PairingGroup>(&self, id: u32) -> Result<Points<'_, P>, Error> {
        let section = self.container.section(&self.bytes, id)?;
        Points::new(section, self.count(id))
    }

    fn opened<P: PairingGroup>(&self, id: u32) -> Points<'_, P> {
        self.points(id)
            .expect("the length was checked when the file was opened")
    }

    /// Points of section `id`; below 2^35, as the power is at most 32.
    fn count(&self, id: u32) -> u64 {
        match id {
            6 => 1,
            3..=5 => 1 << self.power,
            12 => (1 << (self.power + 2)) - 1,
            _ => (1 << (self.power + 1)) - 1,
        }
    }
}

const LAGRANGE_SECTIONS: [u32; 4] = [12, 13, 14, 15];
