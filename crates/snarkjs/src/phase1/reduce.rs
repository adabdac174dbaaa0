//! Fewer powers of more: what a small circuit needs of a large ceremony.

use super::write::{counts, head, section, write_error};
use crate::generic::Ptau;
use frumious_circom::Error;
use frumious_curves::PairingEngine;
use frumious_curves::engine::MontgomeryEncoding;
use std::io::Write;

/// Writes the first `2^power` powers of `old`: the bytes that `snarkjs powersoftau truncate` writes of prepared powers.
/// Of others it writes the powers without bases.
///
/// # Errors
/// [`Error::Write`].
///
/// # Panics
/// For more powers than there are.
#[track_caller]
pub fn reduce<E: PairingEngine>(
    old: &Ptau<E>,
    power: u32,
    mut out: impl Write,
) -> Result<(), Error> {
    assert!(power <= old.power(), "there are fewer powers");
    let is_prepared = old.is_prepared();
    let sections = if is_prepared { 11 } else { 7 };
    head::<E>(&mut out, sections, power, old.ceremony_power())?;
    let part = |id: u32, count: u64| {
        let size = match id {
            3 | 6 | 13 => E::G2::BYTES,
            _ => E::G1::BYTES,
        };
        let payload = old.section_bytes(id).unwrap_or_default();
        &payload[..count as usize * size]
    };
    for (id, count) in (2..).zip(counts(power)) {
        section(&mut out, id, part(id, count))?;
    }
    section(&mut out, 7, old.section_bytes(7).unwrap_or(&[0; 4]))?; // without one: no contribution
    if is_prepared {
        let bases = (2 << power) - 1;
        for (id, count) in [(12, 2 * bases + 1), (13, bases), (14, bases), (15, bases)] {
            section(&mut out, id, part(id, count))?;
        }
    }
    out.flush().map_err(write_error)
}
