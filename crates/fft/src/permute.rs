//! Bit reversal in place.
//!
//! An index is `(a, m, b)`: its top `q` bits, the middle, its low `q` bits. Bit reversal takes it to
//! `(rev b, rev m, rev a)`, so it exchanges the tile of all `(·, m, ·)` with the tile of all `(·, rev m, ·)`, turning
//! each over on the way. A tile is `2^q` runs of `2^q` adjacent elements: memory is read and written a run at a
//! time and the turning happens in cache. Source: Carter and Gatlin 1998, "Towards an optimal bit-reversal
//! permutation program" (COBRA).

use frumious_field::PrimeField;
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
    // Runs come in the order of (a, m): each tile receives its runs by ascending a.
    let mut tiles: Vec<Vec<&mut [F]>> = Vec::new();
    tiles.resize_with(1 << middle_bits, || Vec::with_capacity(RUN));
    for (index, run) in values.chunks_exact_mut(RUN).enumerate() {
        tiles[index % (1 << middle_bits)].push(run);
    }
    let mut pairs = Vec::with_capacity(tiles.len() / 2 + 1);
    for m in 0..tiles.len() {
        let partner = reverse_bits(m, middle_bits);
        if m <= partner {
            let first = core::mem::take(&mut tiles[m]);
            // Empty for a tile that is its own partner.
            let second = core::mem::take(&mut tiles[partner]);
            pairs.push((first, second));
        }
    }
    for_each_chunk_mut(&mut pairs, PAIRS_IN_TASK, |_, pairs| {
        for (first, second) in pairs {
            let turned = turn(first);
            if second.is_empty() {
                write(first, &turned);
            } else {
                write(first, &turn(second));
                write(second, &turned);
            }
        }
    });
}

type Tile<F> = [[F; RUN]; RUN];

/// A copy of the tile with element `(a, b)` at `(rev b, rev a)`.
fn turn<F: PrimeField>(runs: &[&mut [F]]) -> Tile<F> {
    let mut tile = [[F::ZERO; RUN]; RUN];
    for (a, run) in runs.iter().enumerate() {
        let column = reverse_bits(a, LOG_RUN);
        for (b, value) in run.iter().enumerate() {
            tile[reverse_bits(b, LOG_RUN)][column] = *value;
        }
    }
    tile
}

fn write<F: PrimeField>(runs: &mut [&mut [F]], tile: &Tile<F>) {
    for (run, values) in runs.iter_mut().zip(tile) {
        run.copy_from_slice(values);
    }
}

/// A run of 16 elements of 32 bytes is eight cache lines; two tiles are 16 KiB.
const LOG_RUN: u32 = 4;
const RUN: usize = 1 << LOG_RUN;

/// Smaller vectors are in cache anyway.
const LOG_TILED: u32 = 13;

const PAIRS_IN_TASK: usize = 16;

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
