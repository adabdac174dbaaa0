//! Points of the key as the MSM reads them, and the checks of whole sections.
//!
//! A point is so many bytes at any alignment: coordinates as little-endian Montgomery integers, infinity all zeros. Decoding is a copy, so
//! the key is never held twice.

use super::Windows;
use crate::{Error, ProvingEngine};
use frumious_circom::FileBytes;
use frumious_circom::generic::{KeyFile, Points};
use frumious_curves::engine::{PairingGroup, ResidueField};
use frumious_msm::{Encoded, EncodedPoint};
use frumious_parallel::map_indices;
use std::ops::Range;

/// A section of points, or the tail of one, as operand of an MSM.
pub(crate) fn encoded<'a, P: EncodedPoint>(points: Points<'a, P>) -> Encoded<'a, P> {
    Encoded::new(points.as_bytes())
}

/// Checks that all coordinates of all points are below the modulus of Fq. About a nanosecond a point, plus reading.
pub(super) fn check_canonical<E: ProvingEngine>(key: &KeyFile<E>) -> Result<(), Error> {
    for section in in_g1(key) {
        check_section::<E, _>(key.bytes(), section, 2)?;
    }
    check_section::<E, _>(key.bytes(), key.b2().present(), 4)
}

/// The points of G1 that are in the file, section by section.
fn in_g1<E: ProvingEngine>(key: &KeyFile<E>) -> [Points<'_, E::G1>; 5] {
    let [a, b1, c] = [key.a(), key.b1(), key.c()].map(|section| section.present());
    [key.ic(), a, b1, c, key.h()]
}

fn check_section<E: ProvingEngine, P: PairingGroup>(
    file: &FileBytes,
    points: Points<'_, P>,
    coordinates: usize,
) -> Result<(), Error> {
    for window in Windows::new(file, points.as_bytes(), P::BYTES) {
        let points = points.slice(window);
        if let Some(coordinate) = first_noncanonical::<E::Fq>(points.as_bytes()) {
            points.get(coordinate / coordinates)?; // has the words for what is wrong there
        }
    }
    Ok(())
}

/// Checks that all points are in their groups and that B1 and B2 are at infinity for the same wires.
pub(super) fn check_groups<E: ProvingEngine>(key: &KeyFile<E>) -> Result<(), Error> {
    for section in in_g1(key) {
        check_in_ranges(section.len(), |range| section.check(range))?;
    }
    let b2 = key.b2().present();
    check_in_ranges(b2.len(), |range| b2.check(range))?;
    let wires = key.header().n_vars as usize;
    check_in_ranges(wires, |range| key.check_infinities(range))
}

/// Checks the digests of an fkey, in parallel; a zkey has none. Reads the whole file, a second a gigabyte and thread.
///
/// Errors: [`Error::Format`] with section and offset of the first wrong block of 2^20 bytes.
pub fn check_digests<E: ProvingEngine>(key: &KeyFile<E>) -> Result<(), Error> {
    let KeyFile::Fkey(key) = key else {
        return Ok(());
    };
    let results = map_indices(key.blocks(), |block| key.check_blocks(block..block + 1));
    for result in results {
        result?;
    }
    Ok(())
}

/// Runs `check` on ranges that make up `0..n`, possibly at once; the first range's error counts.
pub(crate) fn check_in_ranges(
    n: usize,
    check: impl Fn(Range<usize>) -> Result<(), frumious_circom::Error> + Send + Sync,
) -> Result<(), Error> {
    let results = map_indices(n.div_ceil(POINTS_PER_TASK), |task| {
        let start = task * POINTS_PER_TASK;
        check(start..n.min(start + POINTS_PER_TASK))
    });
    for result in results {
        result?;
    }
    Ok(())
}

/// Position, in coordinates of the modulus' length, of the first one that is not below the modulus.
fn first_noncanonical<F: ResidueField>(bytes: &[u8]) -> Option<usize> {
    let length = 8 * F::MODULUS_WORDS.len();
    let tasks = (bytes.len() / length).div_ceil(COORDINATES_PER_TASK);
    let found = map_indices(tasks, |task| {
        let start = task * COORDINATES_PER_TASK;
        let end = bytes.len().min((start + COORDINATES_PER_TASK) * length);
        let offset = bytes[start * length..end]
            .chunks_exact(length)
            .position(|coordinate| !is_below_modulus_vartime::<F>(coordinate))?;
        Some(start + offset)
    });
    found.into_iter().flatten().next()
}

/// Whether little-endian bytes are an integer below the modulus, of the same length. The top word alone nearly always decides.
#[inline(always)]
fn is_below_modulus_vartime<F: ResidueField>(bytes: &[u8]) -> bool {
    let (words, _) = bytes.as_chunks::<8>();
    for (word, modulus) in words.iter().zip(F::MODULUS_WORDS).rev() {
        let word = u64::from_le_bytes(*word);
        if word != *modulus {
            return word < *modulus;
        }
    }
    false
}

/// Large enough that a task outweighs its start, small enough that the tasks of one section occupy many threads.
const POINTS_PER_TASK: usize = 1 << 10;
const COORDINATES_PER_TASK: usize = 1 << 16;

#[cfg(test)]
mod tests {
    use super::*;
    use bn254::Fq;
    use frumious_curves::{bls12_381, bn254};

    fn bytes_of(limbs: [u64; 4]) -> [u8; 32] {
        let mut bytes = [0; 32];
        for (chunk, limb) in bytes.chunks_exact_mut(8).zip(limbs) {
            chunk.copy_from_slice(&limb.to_le_bytes());
        }
        bytes
    }

    #[test]
    fn modulus_is_the_boundary() {
        let q = Fq::MODULUS;
        let cases = [
            ([0; 4], true),
            ([q[0] - 1, q[1], q[2], q[3]], true),
            (q, false),
            ([q[0] + 1, q[1], q[2], q[3]], false),
            ([u64::MAX, q[1], q[2], q[3] - 1], true),
            ([0, q[1] + 1, q[2], q[3]], false),
            ([u64::MAX; 4], false),
        ];
        for (limbs, expected) in cases {
            assert_eq!(
                is_below_modulus_vartime::<Fq>(&bytes_of(limbs)),
                expected,
                "{limbs:x?}"
            );
        }
    }

    #[test]
    fn first_fault_is_found_in_any_task() {
        for fault in [
            0,
            1,
            COORDINATES_PER_TASK - 1,
            COORDINATES_PER_TASK,
            2 * COORDINATES_PER_TASK + 3,
        ] {
            let mut bytes = vec![0; 32 * (2 * COORDINATES_PER_TASK + 4)];
            assert_eq!(first_noncanonical::<Fq>(&bytes), None);
            bytes[32 * fault..][..32].fill(0xff);
            assert_eq!(first_noncanonical::<Fq>(&bytes), Some(fault));
            let mut bytes = vec![0; 48 * (2 * COORDINATES_PER_TASK + 4)];
            assert_eq!(first_noncanonical::<bls12_381::Fq>(&bytes), None);
            bytes[48 * fault..][..48].fill(0x1b);
            assert_eq!(first_noncanonical::<bls12_381::Fq>(&bytes), Some(fault));
        }
    }
}
