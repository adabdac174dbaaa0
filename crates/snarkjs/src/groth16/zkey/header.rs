//! Sections 1 and 2: protocol, primes, counts, and the six points every proof uses.

use frumious_curves::engine::{MontgomeryEncoding, PairingGroup};
use frumious_curves::{EncodingError, PairingEngine};
use frumious_field::PrimeField;

use frumious_circom::container::{Container, Cursor};
use frumious_circom::curve::{Modulus, modulus_bytes};
use frumious_circom::{Error, Problem};
use frumious_groth16::KeyHeader;

/// Reads and checks the header: every point is on its curve, of order r, and not at infinity.
pub(crate) fn read<E: PairingEngine>(
    container: &Container,
    bytes: &[u8],
) -> Result<KeyHeader<E>, Error> {
    let mut cursor = Cursor::new(container.section(bytes, 1)?);
    let protocol = cursor.u32()?;
    if protocol != GROTH16 {
        return Err(cursor.error_before(4, Problem::Protocol(protocol)));
    }
    cursor.expect_end()?;

    let mut cursor = Cursor::new(container.section(bytes, 2)?);
    cursor.expect_prime::<E>(Modulus::Base)?;
    cursor.expect_prime::<E>(Modulus::Scalar)?;
    let n_wires = cursor.u32()?;
    let n_public = cursor.u32()?;
    if n_public >= n_wires {
        return Err(cursor.error_before(4, out_of_range("nPublic", n_public, n_wires)));
    }
    let domain_size = cursor.u32()?;
    // The scalar field has roots of unity of no higher power of two; and 2^32 does not fit here.
    let max_log = E::Fr::TWO_ADICITY.min(31);
    if !domain_size.is_power_of_two() || domain_size > 1 << max_log {
        let size = domain_size;
        return Err(cursor.error_before(4, Problem::DomainSize { size, max_log }));
    }
    // Besides the constraints there is a row for the constant and one for each public wire.
    if n_public >= domain_size {
        return Err(cursor.error_before(8, out_of_range("nPublic", n_public, domain_size)));
    }
    let header = KeyHeader {
        n_wires,
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
pub(crate) fn to_bytes<E: PairingEngine>(header: &KeyHeader<E>) -> Vec<u8> {
    let mut bytes = Vec::new();
    for modulus in [Modulus::Base, Modulus::Scalar] {
        let prime = modulus_bytes::<E>(modulus);
        bytes.extend((prime.len() as u32).to_le_bytes());
        bytes.extend(prime);
    }
    for count in [header.n_wires, header.n_public, header.domain_size] {
        bytes.extend(count.to_le_bytes());
    }
    bytes.extend(header.alpha_g1.to_montgomery_bytes().as_ref());
    bytes.extend(header.beta_g1.to_montgomery_bytes().as_ref());
    bytes.extend(header.beta_g2.to_montgomery_bytes().as_ref());
    bytes.extend(header.gamma_g2.to_montgomery_bytes().as_ref());
    bytes.extend(header.delta_g1.to_montgomery_bytes().as_ref());
    bytes.extend(header.delta_g2.to_montgomery_bytes().as_ref());
    bytes
}

/// Points of section 3.
pub(crate) fn ic_points<E: PairingEngine>(header: &KeyHeader<E>) -> u64 {
    u64::from(header.n_public) + 1
}

/// Points of section 8.
pub(crate) fn c_points<E: PairingEngine>(header: &KeyHeader<E>) -> u64 {
    u64::from(header.n_wires).saturating_sub(ic_points(header))
}

/// A point of the header: with α, β, γ or δ at infinity the proof system is not sound.
fn read_point<P: PairingGroup>(cursor: &mut Cursor<'_>) -> Result<P, Error> {
    let size = P::BYTES as u64;
    let bytes = cursor.take(size)?;
    if bytes.iter().all(|&byte| byte == 0) {
        return Err(cursor.error_before(size, Problem::Infinity));
    }
    P::from_montgomery_bytes(bytes)
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
pub(crate) const GROTH16: u32 = 1;
