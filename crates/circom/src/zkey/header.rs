//! Sections 1 and 2: protocol, primes, counts, and the six points every proof uses.

use frumious_curves::EncodingError;
use frumious_curves::bn254::{G1Affine, G2Affine};

use crate::container::{Container, Cursor};
use crate::error::{Error, Problem};
use crate::points::StoredPoint;
use crate::words;

/// The header of a proving key; every point is on its curve, of order `r`, and not at infinity.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ZkeyHeader {
    /// Number of wires, the constant one included; more than `n_public`.
    pub n_vars: u32,
    /// Number of public wires (outputs, then inputs), the constant one not included.
    pub n_public: u32,
    /// Size of the evaluation domain: a power of two up to 2^28, more than `n_public`.
    pub domain_size: u32,
    /// α in G1.
    pub alpha_g1: G1Affine,
    /// β in G1.
    pub beta_g1: G1Affine,
    /// β in G2.
    pub beta_g2: G2Affine,
    /// γ in G2.
    pub gamma_g2: G2Affine,
    /// δ in G1.
    pub delta_g1: G1Affine,
    /// δ in G2.
    pub delta_g2: G2Affine,
}

impl ZkeyHeader {
    /// Base-two logarithm of the domain's size.
    pub fn log_domain_size(&self) -> u32 {
        self.domain_size.trailing_zeros()
    }

    pub(super) fn read(container: &Container, bytes: &[u8]) -> Result<Self, Error> {
        let mut cursor = Cursor::new(container.section(bytes, 1)?);
        let protocol = cursor.u32()?;
        if protocol != GROTH16 {
            return Err(cursor.error_before(4, Problem::Protocol(protocol)));
        }
        cursor.expect_end()?;

        let mut cursor = Cursor::new(container.section(bytes, 2)?);
        cursor.expect_prime(&words::base_modulus_bytes(), "base field q")?;
        cursor.expect_prime(&words::scalar_modulus_bytes(), "scalar field r")?;
        let n_vars = cursor.u32()?;
        let n_public = cursor.u32()?;
        if n_public >= n_vars {
            return Err(cursor.error_before(4, out_of_range("nPublic", n_public, n_vars)));
        }
        let domain_size = cursor.u32()?;
        if !domain_size.is_power_of_two() || domain_size > MAX_DOMAIN_SIZE {
            return Err(cursor.error_before(4, Problem::DomainSize(domain_size)));
        }
        // Besides the constraints there is a row for the constant and one for each public wire.
        if n_public >= domain_size {
            return Err(cursor.error_before(8, out_of_range("nPublic", n_public, domain_size)));
        }
        let header = Self {
            n_vars,
            n_public,
            domain_size,
            alpha_g1: read_point(&mut cursor)?,
            beta_g1: read_point(&mut cursor)?,
            beta_g2: read_point(&mut cursor)?,
            gamma_g2: read_point(&mut cursor)?,
            delta_g1: read_point(&mut cursor)?,
            delta_g2: read_point(&mut cursor)?,
        };
        cursor.expect_end()?;
        Ok(header)
    }

    /// The payload of section 2.
    pub(super) fn to_bytes(self) -> Vec<u8> {
        let mut bytes = Vec::with_capacity(HEADER_BYTES);
        for prime in [words::base_modulus_bytes(), words::scalar_modulus_bytes()] {
            bytes.extend(32u32.to_le_bytes());
            bytes.extend(prime);
        }
        for count in [self.n_vars, self.n_public, self.domain_size] {
            bytes.extend(count.to_le_bytes());
        }
        bytes.extend(self.alpha_g1.to_montgomery_bytes());
        bytes.extend(self.beta_g1.to_montgomery_bytes());
        bytes.extend(self.beta_g2.to_montgomery_bytes());
        bytes.extend(self.gamma_g2.to_montgomery_bytes());
        bytes.extend(self.delta_g1.to_montgomery_bytes());
        bytes.extend(self.delta_g2.to_montgomery_bytes());
        debug_assert_eq!(bytes.len(), HEADER_BYTES);
        bytes
    }

    /// Points of section 3.
    pub(super) fn ic_points(&self) -> u64 {
        u64::from(self.n_public) + 1
    }

    /// Points of section 8.
    pub(super) fn c_points(&self) -> u64 {
        u64::from(self.n_vars).saturating_sub(self.ic_points())
    }
}

/// A point of the header: with α, β, γ or δ at infinity the proof system is not sound.
fn read_point<P: StoredPoint>(cursor: &mut Cursor<'_>) -> Result<P, Error> {
    let size = P::BYTES as u64;
    let bytes = cursor.take(size)?;
    if bytes.iter().all(|&byte| byte == 0) {
        return Err(cursor.error_before(size, Problem::Infinity));
    }
    P::decode(bytes)
        .map_err(|reason: EncodingError| cursor.error_before(size, Problem::Point(reason)))
}

fn out_of_range(what: &'static str, value: u32, bound: u32) -> Problem {
    Problem::OutOfRange {
        what,
        value: value.into(),
        bound: bound.into(),
    }
}

/// Protocol number in section 1.
pub(super) const GROTH16: u32 = 1;

/// The scalar field has roots of unity of order 2^28 and no higher power of two.
const MAX_DOMAIN_SIZE: u32 = 1 << 28;

/// Two primes with their widths, three counts, three points in each group.
const HEADER_BYTES: usize = 2 * 36 + 12 + 3 * 64 + 3 * 128;
