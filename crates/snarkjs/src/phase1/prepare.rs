//! Lagrange bases for the circuits' own phase, behind the powers.

use super::write::{copied, head, section, section_start, write_error};
use crate::generic::{Points, Ptau};
use crate::groth16::{KeyOutput, Position, check_in_ranges};
use frumious_circom::{Error as FileError, FileKind, Problem};
use frumious_curves::Group;
use frumious_curves::engine::{PairingGroup, ScalarField};
use frumious_field::PrimeField;
use frumious_groth16::{Error, ProvingEngine, lagrange_bases, lagrange_bytes};
use frumious_msm::{Encoded, EncodedPoint, PointList, ScaledPoint};

/// Writes `old` with the sections 12 to 15: the bytes that `snarkjs powersoftau prepare phase2` writes. Sections that
/// `old` has already are made anew.
///
/// `progress` is told how much is done, from 0 to 1. Memory: [`prepare_bytes`]. After each basis `out` is told of a
/// checkpoint, where it may go on later: at most one basis is then made again.
///
/// # Errors
/// - [`Error::Source`] for powers with a point outside its group, and when writing fails
/// - [`Error::CircuitTooLarge`] for powers of which there is no domain of twice the size
pub fn prepare<E: ProvingEngine>(
    old: &Ptau<E>,
    mut out: impl KeyOutput,
    progress: &dyn Fn(f64),
) -> Result<(), Error> {
    let source = |error: FileError| Error::Source(error.in_file_of(old.bytes()).into());
    let power = old.power();
    if power >= E::Fr::TWO_ADICITY {
        return Err(Error::CircuitTooLarge {
            needed: power + 1,
            available: E::Fr::TWO_ADICITY,
        });
    }
    let start = out.start();
    let mut copy = || -> Result<(), FileError> {
        head::<E>(&mut out, 11, power, old.ceremony_power())?;
        for id in 2..=7 {
            let payload = old.section_bytes(id).ok_or_else(|| {
                let end = old.bytes().len() as u64;
                FileError::section(FileKind::Ptau, id, end, Problem::MissingSection)
            })?;
            section(&mut out, id, payload)?;
        }
        let begun = Position {
            section: 12,
            entries: 0,
        };
        out.checkpoint(begun).map_err(write_error)
    };
    if start.is_none() {
        copy().map_err(source)?;
    }
    let mut bases = Bases {
        out: &mut out,
        progress,
        before: 0.0,
        start,
    };
    // Shares of the time: a product in G2 takes three times as long as in G1.
    bases.section(12, old.tau_g1(), power + 1, 0.3)?;
    bases.section(13, old.tau_g2(), power, 0.4)?;
    bases.section(14, old.alpha_tau_g1(), power, 0.15)?;
    bases.section(15, old.beta_tau_g1(), power, 0.15)?;
    out.flush().map_err(write_error).map_err(source)
}

/// Memory that [`prepare`] takes beside mapped files, with this number of threads.
pub fn prepare_bytes<E: ProvingEngine>(power: u32, threads: usize) -> u64 {
    let in_g1 = lagrange_bytes::<E::G1>(power + 1, threads);
    in_g1.max(lagrange_bytes::<E::G2>(power, threads))
}

struct Bases<'a, W> {
    out: &'a mut W,
    progress: &'a dyn Fn(f64),
    /// The part of all that is done.
    before: f64,
    /// The place before which everything was there.
    start: Option<Position>,
}

impl<W: KeyOutput> Bases<'_, W> {
    /// The bases of all domains up to `2^log_n` elements. `share`: of the whole time.
    fn section<P>(
        &mut self,
        id: u32,
        powers: Points<'_, P>,
        log_n: u32,
        share: f64,
    ) -> Result<(), Error>
    where
        P: EncodedPoint + ScaledPoint + PairingGroup + Group<Scalar: ScalarField>,
    {
        let source = |error: FileError| Error::Source(error.into());
        let here = self.start.filter(|start| start.section == id);
        let before = self.before;
        self.before += share;
        if self.start.is_some_and(|start| start.section > id) {
            return Ok(());
        }
        let mut written = here.map_or(0, |start| start.entries);
        if written == 0 {
            let points = (2_u64 << log_n) - 1;
            section_start(self.out, id, points * P::BYTES as u64).map_err(source)?;
        }
        // A basis of 2^k points is behind 2^k - 1 of others.
        let first = (written + 1).ilog2();
        check_in_ranges(powers.len(), |range| powers.check(range)).map_err(source)?;
        let list = PointList::Encoded(Encoded::new(powers.as_bytes()));
        let progress = self.progress;
        let progress = |done: f64| progress(before + share * done);
        let out = &mut *self.out;
        lagrange_bases(list, first..=log_n, &progress, &mut |basis: &[P]| {
            let mut bytes = Vec::new();
            for points in basis.chunks(POINTS) {
                bytes.clear();
                for point in points {
                    bytes.extend(point.to_montgomery_bytes().as_ref());
                }
                copied(out, &bytes).map_err(source)?;
            }
            written += basis.len() as u64;
            let position = match written == (2 << log_n) - 1 {
                true => Position {
                    section: id + 1,
                    entries: 0,
                },
                false => Position {
                    section: id,
                    entries: written,
                },
            };
            out.checkpoint(position)
                .map_err(write_error)
                .map_err(source)
        })
    }
}

/// Points encoded at a time.
const POINTS: usize = 1 << 14;

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use super::*;
    use crate::phase1::create;
    use frumious_curves::engine::Bn254;
    use std::io::Cursor;

    /// The sections 12 to 15 are the last ones, so the last block of section 12 is at a known place.
    #[test]
    fn bases_without_their_last_block_are_made_anew() {
        let mut new = Vec::new();
        create::<Bn254>(2, &mut new, &|_| {}).unwrap();
        let prepared = |old: &Ptau<Bn254>| {
            let mut out = Cursor::new(Vec::new());
            prepare(old, &mut out, &|_| {}).unwrap();
            out.into_inner()
        };
        let expected = prepared(&Ptau::from_bytes(new.clone()).unwrap());
        let header = new.len();
        let kept = 7 * 64; // blocks of 1, 2 and 4 points
        let mut early = expected[..header + 4].to_vec();
        early.extend((kept as u64).to_le_bytes());
        early.extend(&expected[header + 12..header + 12 + kept]);
        early.extend(&expected[header + 12 + 15 * 64..]);

        assert!(Ptau::<Bn254>::from_bytes(early.clone()).is_err());
        let opened = Ptau::without_bases(early).unwrap();
        assert!(!opened.is_prepared());
        assert_eq!(prepared(&opened), expected);
    }
}
