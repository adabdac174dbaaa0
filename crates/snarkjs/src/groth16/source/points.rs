//! Points of a key: handed out by windows, and checked by whole sections.

use super::windows::{Windows, first_window};
use crate::generic::{KeyFile, Points, PresentEntries, StoredPoints};
use crate::settings::window_points;
use frumious_circom::Error;
use frumious_curves::engine::{MontgomeryEncoding, PairingGroup, ResidueField};
use frumious_groth16::{Entries, Footprint, PointWindow, ProvingEngine};
use frumious_mapping::FileBytes;
use frumious_msm::{Encoded, EncodedPoint, PointList};
use frumious_parallel::{current_num_threads, map_indices};
use std::ops::Range;

/// Calls `visit` for the points of a section, window by window.
pub(super) fn visit_windows<P: EncodedPoint>(
    file: &FileBytes,
    stored: StoredPoints<'_, P>,
    visit: &mut dyn FnMut(PointWindow<'_, P>),
) {
    let points = stored.present();
    let mut present = stored.entries();
    let mut listed = Vec::new();
    for window in Windows::new(file, points.as_bytes(), P::BYTES) {
        let entries = match &mut present {
            None => Entries::All(window.clone()),
            Some(present) => {
                list(present, window.len(), stored.len(), &mut listed);
                Entries::Listed(&listed)
            }
        };
        visit(PointWindow {
            is_last: window.end == points.len(),
            points: PointList::Encoded(Encoded::new(points.slice(window).as_bytes())),
            entries,
        });
    }
}

/// The next `n` entries that have points, all below `bound`.
fn list(present: &mut PresentEntries<'_>, n: usize, bound: usize, listed: &mut Vec<u32>) {
    listed.clear();
    let numbers = present.take(n).filter(|entry| *entry < bound);
    listed.extend(numbers.map(|entry| entry as u32)); // counts of a key have 32 bits
    // As many as there are, unless the file changes under the mapping.
    listed.resize(n, 0);
}

/// Has the first window of a section read ahead.
pub(super) fn expect<P: PairingGroup>(file: &FileBytes, stored: StoredPoints<'_, P>) {
    file.read_ahead(first_window(stored.present().as_bytes(), P::BYTES));
}

/// Memory that reading a key takes, but for its coefficients.
///
/// Sections that fit a window stay resident; of others one window does. B1 is not read, unless a proof is blinded by r
/// and s.
pub(super) fn footprint<E: ProvingEngine>(key: &KeyFile<E>) -> Footprint {
    let most = window_points();
    let window = |records: usize| records.min(most) as u64;
    let [a, b1, c] = [key.a(), key.b1(), key.c()];
    let b2 = key.b2();
    let lengths = [a.present(), c.present(), key.h()].map(|points| points.len());
    let in_g1 = lengths.map(window);
    let in_g2 = window(b2.present().len());
    let lengths = [lengths[0], lengths[1], lengths[2], b2.present().len()];
    let leaves_out = [a, b1, c].map(|section| section.entries().is_some());
    let leaves_out_entries = leaves_out.contains(&true) || b2.entries().is_some();
    let for_b1 = window(b1.present().len());
    let window_points = in_g1.into_iter().fold(in_g2.max(for_b1), u64::max);
    let mapped = in_g1.iter().sum::<u64>() * E::G1::BYTES as u64 + in_g2 * E::G2::BYTES as u64;
    Footprint {
        private: if leaves_out_entries {
            4 * window_points
        } else {
            0
        },
        mapped: if key.bytes().is_mapped() { mapped } else { 0 },
        window_points,
        leaves_out_entries,
        in_one_window: lengths.iter().all(|length| (1..=most).contains(length)),
    }
}

/// Checks that all coordinates of all points but B1's are below the modulus of Fq. About a nanosecond a point, plus
/// reading.
pub(super) fn check_canonical<E: ProvingEngine>(key: &KeyFile<E>) -> Result<(), Error> {
    let [ic, a, _, c, h] = in_g1(key);
    for section in [ic, a, c, h] {
        check_section::<E, _>(key.bytes(), section, 2)?;
    }
    check_section::<E, _>(key.bytes(), key.b2().present(), 4)
}

/// As [`check_canonical`], for the points of part B1.
pub(super) fn check_b1<E: ProvingEngine>(
    file: &FileBytes,
    points: Points<'_, E::G1>,
) -> Result<(), Error> {
    check_section::<E, _>(file, points, 2)
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
    let wires = key.header().n_wires as usize;
    check_in_ranges(wires, |range| key.check_infinities(range))
}

/// Runs `check` on ranges that make up `0..n`, possibly at once; the first range's error counts.
pub(crate) fn check_in_ranges(
    n: usize,
    check: impl Fn(Range<usize>) -> Result<(), Error> + Send + Sync,
) -> Result<(), Error> {
    let per_task = n.div_ceil(2 * current_num_threads());
    let per_task = per_task.clamp(POINTS_PER_TASK, MOST_POINTS_PER_TASK);
    let results = map_indices(n.div_ceil(per_task), |task| {
        let start = task * per_task;
        check(start..n.min(start + per_task))
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

/// True if little-endian bytes are an integer below the modulus, of the same length. The top word alone nearly always
/// decides.
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
/// Where there are points enough: as many as are checked at once.
const MOST_POINTS_PER_TASK: usize = 1 << 14;
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
