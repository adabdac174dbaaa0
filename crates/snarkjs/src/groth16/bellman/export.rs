//! Parameters of a key.

use super::points::{GROUP, write_bytes, write_count, write_error, write_points};
use crate::encoding::uncompressed;
use crate::generic::{Contribution, Points, PublicKey, Zkey};
use crate::groth16::check_in_ranges;
use crate::groth16::phase2::recorded;
use frumious_circom::Error as FileError;
use frumious_curves::engine::{BigEndianEncoding, PairingGroup};
use frumious_groth16::{Error, KeyHeader, ProvingEngine, quotient_powers_vartime};
use frumious_msm::{Encoded, PointList};
use frumious_parallel::check_cancelled;
use std::io::Write;

/// Writes the parameters of a key: the bytes that `snarkjs zkey export bellman` writes. Every point is checked.
///
/// `progress` is told how much is done, from 0 to 1. Memory: twice the points of part H.
///
/// # Errors
/// - [`Error::Source`] for a key that is malformed, has no section 10, or has a point outside its group, and when
///   writing fails
/// - [`Error::CircuitTooLarge`] for a domain of which there is none of twice the size
pub fn export<E: ProvingEngine>(
    key: &Zkey<E>,
    mut out: impl Write,
    progress: &dyn Fn(f64),
) -> Result<(), Error> {
    let source = |error: FileError| Error::Source(error.in_file_of(key.bytes()).into());
    let record = recorded(key).map_err(source)?;
    for part in [key.ic(), key.a(), key.b1(), key.c(), key.h()] {
        check_in_ranges(part.len(), |range| part.check(range)).map_err(source)?;
    }
    let b2 = key.b2();
    check_in_ranges(b2.len(), |range| b2.check(range)).map_err(source)?;
    progress(0.1);
    let of_h = |done: f64| progress(0.1 + 0.8 * done);
    let h = PointList::Encoded(Encoded::new(key.h().as_bytes()));
    let h: Vec<E::G1> = quotient_powers_vartime(h, &of_h)?;
    let mut written = || -> Result<(), FileError> {
        write_bytes(&mut out, &header_bytes(key.header()))?;
        converted(&mut out, key.ic())?;
        write_count(&mut out, h.len())?;
        write_points(&mut out, &h)?;
        converted(&mut out, key.c())?;
        converted(&mut out, key.a())?;
        converted(&mut out, key.b1())?;
        converted(&mut out, key.b2())?;
        write_bytes(&mut out, &record.circuit_hash)?;
        write_count(&mut out, record.contributions.len())?;
        for contribution in &record.contributions {
            write_bytes(&mut out, &record_bytes(contribution))?;
        }
        out.flush().map_err(write_error)
    };
    written().map_err(source)?;
    progress(1.0);
    Ok(())
}

/// The points of the header.
pub(super) fn header_bytes<E: ProvingEngine>(header: &KeyHeader<E>) -> Vec<u8> {
    [
        header.alpha_g1.to_big_endian_bytes(),
        header.beta_g1.to_big_endian_bytes(),
        header.beta_g2.to_big_endian_bytes(),
        header.gamma_g2.to_big_endian_bytes(),
        header.delta_g1.to_big_endian_bytes(),
        header.delta_g2.to_big_endian_bytes(),
    ]
    .concat()
}

/// The record of a contribution.
pub(super) fn record_bytes<E: ProvingEngine>(contribution: &Contribution<E>) -> Vec<u8> {
    let PublicKey {
        g1_s,
        g1_sx,
        g2_spx,
    } = &contribution.public_key;
    [
        contribution.delta_after.to_big_endian_bytes(),
        g1_s.to_big_endian_bytes(),
        g1_sx.to_big_endian_bytes(),
        g2_spx.to_big_endian_bytes(),
        contribution.transcript.to_vec(),
    ]
    .concat()
}

/// Writes a part whose points the key has as they are.
fn converted<P: PairingGroup>(
    out: &mut impl Write,
    points: Points<'_, P>,
) -> Result<(), FileError> {
    write_count(out, points.len())?;
    for bytes in points.as_bytes().chunks(GROUP * P::BYTES) {
        check_cancelled();
        write_bytes(out, &uncompressed::<P>(bytes))?;
    }
    Ok(())
}
