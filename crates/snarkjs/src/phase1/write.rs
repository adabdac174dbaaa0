//! Sections of points, written, hashed and read back a window at a time.

use crate::generic::Points;
use frumious_circom::curve::{Modulus, modulus_bytes};
use frumious_circom::{Error, FileKind, container};
use frumious_curves::PairingEngine;
use frumious_curves::engine::PairingGroup;
use frumious_groth16::TauSecret;
use frumious_parallel::check_cancelled;
use std::io::{Read, Seek, SeekFrom, Write};

/// A place for powers of tau, which are read back to be hashed.
pub trait PowersOutput: Write + Read + Seek {}

impl<W: Write + Read + Seek> PowersOutput for W {}

/// The sections of powers, with the group and the secret of each.
pub(super) const SECTIONS: [(u32, bool, Option<TauSecret>); 5] = [
    (2, false, None),
    (3, true, None),
    (4, false, Some(TauSecret::Alpha)),
    (5, false, Some(TauSecret::Beta)),
    (6, true, Some(TauSecret::Beta)),
];

/// Number of points of each of the sections 2 to 6.
pub(super) fn counts(power: u32) -> [u64; 5] {
    let n = 1 << power;
    [2 * n - 1, n, n, n, 1]
}

/// Points that are hashed at once. The hash's state depends on it: that of snarkjs has a window of 2^20 bytes.
pub(super) const fn window(point_bytes: usize) -> usize {
    (1 << 20) / point_bytes
}

/// Writes the frame and the header.
pub(super) fn head<E: PairingEngine>(
    out: &mut impl Write,
    sections: u32,
    power: u32,
    ceremony_power: u32,
) -> Result<(), Error> {
    let modulus = modulus_bytes::<E>(Modulus::Base);
    let header = [
        &(modulus.len() as u32).to_le_bytes()[..],
        &modulus,
        &power.to_le_bytes(),
        &ceremony_power.to_le_bytes(),
    ]
    .concat();
    container::write_preamble(out, b"ptau", 1, sections).map_err(write_error)?;
    section(out, 1, &header)
}

/// Writes a section that is there already.
pub(super) fn section(out: &mut impl Write, id: u32, payload: &[u8]) -> Result<(), Error> {
    section_start(out, id, payload.len() as u64)?;
    copied(out, payload)
}

/// Writes bytes that are there already.
pub(super) fn copied(out: &mut impl Write, bytes: &[u8]) -> Result<(), Error> {
    bytes.chunks(1 << 20).try_for_each(|part| {
        check_cancelled();
        out.write_all(part).map_err(write_error)
    })
}

/// Writes the frame of a section.
pub(super) fn section_start(out: &mut impl Write, id: u32, length: u64) -> Result<(), Error> {
    container::write_section_start(out, id, length).map_err(write_error)
}

/// Calls `visit` for each window of points.
pub(super) fn windows<P: PairingGroup>(
    points: Points<'_, P>,
    mut visit: impl FnMut(u64, Points<'_, P>) -> Result<(), Error>,
) -> Result<(), Error> {
    let window = window(P::BYTES);
    for start in (0..points.len()).step_by(window) {
        check_cancelled();
        let end = points.len().min(start + window);
        visit(start as u64, points.slice(start..end))?;
    }
    Ok(())
}

/// Reads the sections 2 to 6 back from `out`, which has them from byte `start` on. `visit` is given each window, with
/// its group: true for G2. `out` is at its end again afterwards.
pub(super) fn read_back(
    out: &mut (impl Write + Read + Seek),
    start: u64,
    (power, sizes): (u32, [usize; 2]),
    mut visit: impl FnMut(bool, &[u8]),
) -> Result<(), Error> {
    out.flush().map_err(write_error)?;
    let mut at = start;
    let mut bytes = Vec::new();
    for ((_, is_g2, _), count) in SECTIONS.into_iter().zip(counts(power)) {
        at += FRAME_BYTES;
        out.seek(SeekFrom::Start(at)).map_err(write_error)?;
        let size = sizes[usize::from(is_g2)];
        let mut left = count;
        while left > 0 {
            check_cancelled();
            let now = left.min(window(size) as u64);
            bytes.resize(now as usize * size, 0);
            out.read_exact(&mut bytes).map_err(write_error)?;
            visit(is_g2, &bytes);
            left -= now;
        }
        at += count * size as u64;
    }
    out.seek(SeekFrom::End(0)).map_err(write_error)?;
    Ok(())
}

pub(super) fn write_error(source: std::io::Error) -> Error {
    Error::Write {
        file: FileKind::Ptau,
        source,
    }
}

/// Number and length of a section.
const FRAME_BYTES: u64 = 12;
