//! Bit reversal in place.
//!
//! An index is `(a, m, b)`: its top `q` bits, the middle, its low `q` bits. Bit reversal takes it to
//! `(rev b, rev m, rev a)`. So it exchanges the tile of all `(·, m, ·)` with the tile of all `(·, rev m, ·)`, turning
//! each over on the way. A tile is `2^q` runs of `2^q` adjacent elements. Memory is read and written a run at a time.
//! The turning happens in cache, while the next pair of tiles is fetched. Source: Carter and Gatlin 1998, "Towards an
//! optimal bit-reversal permutation program" (COBRA).

use frumious_field::PrimeField;
use frumious_field::prefetch;
use frumious_parallel::for_each_chunk_mut;

/// Moves each element from index `i` to the index with the bits of `i` reversed.
///
/// `values`: `2^log_size` elements. Large vectors allocate pointers, one for each run: 1/32 of their memory.
pub(crate) fn bit_reverse<F: PrimeField>(values: &mut [F], log_size: u32) {
    debug_assert_eq!(values.len(), 1 << log_size);
    if log_size < LOG_TILED {
        swap_all(values, log_size);
    } else {
        swap_tiles(values, log_size - 2 * LOG_RUN);
    }
}

/// The low `bits` bits of `index` in reverse order.
pub(crate) fn reverse_bits(index: usize, bits: u32) -> usize {
    if bits == 0 {
        0
    } else {
        index.reverse_bits() >> (usize::BITS - bits)
    }
}

fn swap_all<F>(values: &mut [F], log_size: u32) {
    for i in 0..values.len() {
        let j = reverse_bits(i, log_size);
        if i < j {
            values.swap(i, j);
        }
    }
}

fn swap_tiles<F: PrimeField>(values: &mut [F], middle_bits: u32) {
    // Each tile's place among the runs of all pairs, which come in the order of their exchange.
    let mut slots = vec![0; 1 << middle_bits];
    let mut pairs = 0;
    for number in 0..slots.len() {
        let m = tile_in_order(number, middle_bits);
        let partner = reverse_bits(m, middle_bits);
        if m <= partner {
            slots[partner] = (2 * pairs + 1) * RUN;
            slots[m] = 2 * pairs * RUN; // a tile that is its own partner has no second
            pairs += 1;
        }
    }
    let mut runs: Vec<Option<&mut [F; RUN]>> = Vec::new();
    runs.resize_with(2 * pairs * RUN, || None);
    for (index, run) in values.as_chunks_mut().0.iter_mut().enumerate() {
        let (a, m) = (index >> middle_bits, index % slots.len());
        runs[slots[m] + a] = Some(run);
    }
    for_each_chunk_mut(&mut runs, PAIRS_IN_TASK * 2 * RUN, |_, task| {
        let mut rest = task;
        while let Some((pair, next)) = rest.split_at_mut_checked(2 * RUN) {
            next.iter().take(2 * RUN).flatten().for_each(prefetch);
            let (first, second) = pair.split_at_mut(RUN);
            let turned = turn(first);
            if second[0].is_some() {
                let turned_back = turn(second);
                write(second, &turned); // read just now, so still close
                write(first, &turned_back);
            } else {
                write(first, &turned);
            }
            rest = next;
        }
    });
}

/// The tile that comes `number`-th: such that 64 tiles in sequence lie on the same pages, and their partners too.
///
/// A page holds eight runs, of tiles that differ in their low three bits; the pages of their partners differ with them.
/// So the low and the high bits go first.
fn tile_in_order(number: usize, middle_bits: u32) -> usize {
    let low_bits = LOG_PAGE_RUNS.min(middle_bits / 2);
    let between_bits = middle_bits - 2 * low_bits;
    let low = number % (1 << low_bits);
    let high = (number >> low_bits) % (1 << low_bits);
    let between = number >> (2 * low_bits);
    (high << between_bits | between) << low_bits | low
}

type Tile<F> = [[F; RUN]; RUN];

/// A copy of the tile with element `(a, b)` at `(rev b, rev a)`.
fn turn<F: PrimeField>(runs: &[Option<&mut [F; RUN]>]) -> Tile<F> {
    let mut tile = [[F::ZERO; RUN]; RUN];
    for (a, run) in runs.iter().flatten().enumerate() {
        let column = reverse_bits(a, LOG_RUN);
        for (b, value) in run.iter().enumerate() {
            tile[reverse_bits(b, LOG_RUN)][column] = *value;
        }
    }
    tile
}

fn write<F: PrimeField>(runs: &mut [Option<&mut [F; RUN]>], tile: &Tile<F>) {
    for (run, values) in runs.iter_mut().flatten().zip(tile) {
        **run = *values;
    }
}

/// A run of 16 elements of 32 bytes is eight cache lines; two tiles are 16 KiB.
const LOG_RUN: u32 = 4;
const RUN: usize = 1 << LOG_RUN;

/// Smaller vectors are in cache anyway.
const LOG_TILED: u32 = 13;

/// A page of 4 KiB holds eight runs.
const LOG_PAGE_RUNS: u32 = 3;

/// Those of the same pages.
const PAIRS_IN_TASK: usize = 64;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::naive;
    use crate::tests::small_field::BabyBear;

    #[test]
    fn every_element_goes_where_its_reversed_index_says() {
        for log_size in 0..16 {
            let n = 1usize << log_size;
            let mut plain: Vec<_> = (0..n as u64).map(BabyBear::from_u64).collect();
            let mut tiled = plain.clone();
            swap_all(&mut plain, log_size);
            for (i, value) in plain.iter().enumerate() {
                let origin = naive::reverse_bits(i, log_size) as u64;
                assert_eq!(*value, BabyBear::from_u64(origin));
            }
            if log_size >= 2 * LOG_RUN {
                swap_tiles(&mut tiled, log_size - 2 * LOG_RUN);
                assert!(plain == tiled, "tiles of 2^{log_size}");
            }
            bit_reverse(&mut plain, log_size);
            assert!(
                plain
                    .iter()
                    .zip(0..)
                    .all(|(v, i)| *v == BabyBear::from_u64(i))
            );
        }
    }
}
