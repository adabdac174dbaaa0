//! Powers without a contribution: all secrets are 1.

use super::transcript::first_challenge;
use super::write::{SECTIONS, counts, head, section, section_start, window, write_error};
use frumious_circom::Error;
use frumious_curves::engine::MontgomeryEncoding;
use frumious_curves::{Group, PairingEngine};
use frumious_field::PrimeField;
use std::io::Write;
use std::ops::RangeInclusive;

/// The powers of a new ceremony, as binary logarithms.
pub const POWERS: RangeInclusive<u32> = 1..=28;

/// Writes powers of `2^power` without a contribution: the bytes that `snarkjs powersoftau new` writes. Returns the
/// challenge of the first contributor.
///
/// # Errors
/// [`Error::Write`].
///
/// # Panics
/// For a power outside [`POWERS`].
#[track_caller]
pub fn create<E: PairingEngine>(
    power: u32,
    mut out: impl Write,
    progress: &dyn Fn(f64),
) -> Result<[u8; 64], Error> {
    assert!(
        POWERS.contains(&power) && power <= E::Fr::TWO_ADICITY,
        "power"
    );
    head::<E>(&mut out, 7, power, power)?;
    let generators = [
        E::G1::GENERATOR.to_montgomery_bytes().as_ref().to_vec(),
        E::G2::GENERATOR.to_montgomery_bytes().as_ref().to_vec(),
    ];
    let mut done = 0;
    for ((id, is_g2, _), count) in SECTIONS.into_iter().zip(counts(power)) {
        let point = &generators[usize::from(is_g2)];
        section_start(&mut out, id, count * point.len() as u64)?;
        let many = point.repeat(count.min(window(point.len()) as u64) as usize);
        let mut left = count;
        while left > 0 {
            let now = left.min(window(point.len()) as u64);
            out.write_all(&many[..now as usize * point.len()])
                .map_err(write_error)?;
            left -= now;
            done += now;
            progress(0.5 * done as f64 / (5 << power) as f64);
        }
    }
    section(&mut out, 7, &0_u32.to_le_bytes())?;
    out.flush().map_err(write_error)?;
    Ok(first_challenge::<E>(power, &|done| {
        progress(0.5 + 0.5 * done);
    }))
}
