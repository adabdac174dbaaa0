//! Parameters with one contribution more, for a contributor who has no key.

use super::export::{header_bytes, record_bytes};
use super::file::MpcParams;
use super::points::{GROUP, Part, write_bytes, write_count, write_error, write_points};
use crate::groth16::phase2::{Contributed, contribution_hash, next};
use crate::random;
use frumious_circom::Error as FileError;
use frumious_curves::engine::{PairingGroup, ResidueField};
use frumious_groth16::{DeltaShare, Error, ProvingEngine};
use frumious_parallel::check_cancelled;
use std::io::Write;

/// Writes `old` with a contribution of a secret that is drawn here, from the operating system's randomness and from
/// `entropy`, and wiped. It is as that of `snarkjs zkey bellman contribute`.
///
/// `progress` is told how much is done, from 0 to 1. Every point that is multiplied is checked to be in its group:
/// others would tell something of the secret. The contributions before are not verified: who imports the file does.
///
/// # Errors
/// [`Error::Source`] for a point outside its group, and when writing fails; [`Error::Randomness`].
pub fn contribute<E: ProvingEngine>(
    old: &MpcParams<E>,
    entropy: &[u8],
    mut out: impl Write,
    progress: &dyn Fn(f64),
) -> Result<Contributed, Error> {
    let source = |error: FileError| Error::Source(error.in_file_of(old.bytes()).into());
    let before = old.contributions();
    let mut random = random::seed(entropy)?;
    let (contribution, share) = next::<E>(&old.header().delta_g1, before, None, None, &mut random);
    drop(random);

    let mut header = *old.header();
    header.delta_g1 = share.multiply(&header.delta_g1);
    header.delta_g2 = share.multiply(&header.delta_g2);
    let (h, l) = (old.in_g1(9), old.in_g1(8));
    let points = h.len() + l.len();
    let number = before.contributions.len() + 1;
    let mut done = 0;
    let mut tell = |more: usize| {
        done += more;
        progress(done as f64 / points as f64);
    };
    let mut written = || -> Result<(), FileError> {
        write_bytes(&mut out, &header_bytes(&header))?;
        copied(&mut out, &old.in_g1(3))?;
        divided(&mut out, &h, &share, &mut tell)?;
        divided(&mut out, &l, &share, &mut tell)?;
        copied(&mut out, &old.in_g1(5))?;
        copied(&mut out, &old.in_g1(6))?;
        copied(&mut out, &old.in_g2())?;
        write_bytes(&mut out, &before.circuit_hash)?;
        write_count(&mut out, number)?;
        write_bytes(&mut out, old.records())?;
        write_bytes(&mut out, &record_bytes(&contribution))?;
        out.flush().map_err(write_error)
    };
    written().map_err(source)?;
    Ok(Contributed {
        circuit_hash: before.circuit_hash,
        contribution_hash: contribution_hash(&contribution),
        number,
        points,
    })
}

/// A part as it is.
fn copied<P: PairingGroup<Base: ResidueField>>(
    out: &mut impl Write,
    part: &Part<'_, P>,
) -> Result<(), FileError> {
    write_count(out, part.len())?;
    write_bytes(out, part.as_bytes())
}

/// A part, each point of it divided.
fn divided<E: ProvingEngine>(
    out: &mut impl Write,
    part: &Part<'_, E::G1>,
    share: &DeltaShare<E>,
    tell: &mut dyn FnMut(usize),
) -> Result<(), FileError> {
    write_count(out, part.len())?;
    for start in (0..part.len()).step_by(GROUP) {
        check_cancelled();
        let points = part.decode(start..part.len().min(start + GROUP))?;
        write_points(out, &share.divide_vartime((&points).into()))?;
        tell(points.len());
    }
    Ok(())
}
