//! Combs: see [`Strategy::Comb`](super::Strategy::Comb).
//!
//! The bits of a round are *places* `0, 1, …`: the point at place `q / s` in the order of the table gives its bit
//! `i + t·(q mod s)`. Blocks are runs of places.
//!
//! Digits −1 and 1 of `k` come from `k' = (k + 2^n − 1)/2` modulo the order, `n = s·t`: for its bits `k'_i`,
//! `Σ (2·k'_i − 1)·2^i = 2k' − (2^n − 1) ≡ k`. So a scalar that is zero has digits too, which cancel over all its
//! blocks. Therefore blocks are skipped in *clusters* only, which share no point with others.

use super::Error;
use super::build::{Run, SignedPower};
use super::group::FixedGroup;
use super::operations::{MAX_ENTRIES, Operation, Queue};
use super::scratch::with_scratch;
use super::signed::{all_ones, half_of_sum};
use super::strategy::{Digits, MAX_BITS, Order, order_bits};
use super::terms::PointScalar;
use super::transpose::{bits_from, transpose};
use core::marker::PhantomData;
use core::ops::Range;
use frumious_field::WordField;

/// The shape of the table.
pub(super) struct CombTable<G: FixedGroup> {
    points: usize,
    /// `t`.
    rounds: usize,
    /// `s`, bits that a scalar gives in a round.
    bits_per_point: usize,
    blocks: Vec<Block>,
    clusters: Vec<Cluster>,
    /// Which point is where in the order of the table, and the inverse.
    place_of: Vec<u32>,
    cluster_of: Vec<u32>,
    /// `2^n − 1` modulo the order, if digits are signed.
    signed: Option<[u64; 4]>,
    entries: usize,
    group: PhantomData<G>,
}

/// Some bits of each round, with a table of what they can mean.
struct Block {
    places: Range<usize>,
    first_entry: usize,
    /// Where the bits start: in which word of a round's places, and at which bit of it.
    word: usize,
    shift: u32,
    /// The highest place as a bit of the digit.
    half: usize,
}

impl Block {
    /// Entries have digit 1 in the highest place: for −1 there, the opposite of the entry with all digits changed.
    #[inline(always)]
    fn signed(&self, digit: usize) -> Operation {
        let negative = digit & self.half == 0;
        let index = (digit ^ usize::from(negative).wrapping_neg()) & (self.half - 1);
        Operation::add(self.first_entry + index, negative)
    }

    /// Nothing for the digit zero.
    #[inline(always)]
    fn unsigned(&self, digit: usize) -> Option<Operation> {
        (digit > 0).then(|| Operation::add(self.first_entry + digit - 1, false))
    }
}

/// Blocks that share points with each other and with no other block.
pub(super) struct Cluster {
    /// Which places in the order of the points.
    points: Range<usize>,
    blocks: Range<usize>,
}

impl Cluster {
    /// Additions in a round.
    pub(super) fn blocks(&self) -> usize {
        self.blocks.len()
    }
}

impl<G: FixedGroup> CombTable<G> {
    /// For `points` points; `rounds` is `t`, `bits` is `b`.
    ///
    /// Errors: parameters out of bounds, or too many entries.
    pub(super) fn new(
        points: usize,
        rounds: usize,
        bits: usize,
        digits: Digits,
        first_entry: usize,
    ) -> Result<Self, Error> {
        let order = order_bits::<G>();
        if !(1..=order).contains(&rounds) {
            return Err(Error::Parameters {
                what: "number of rounds",
                value: rounds,
            });
        }
        if !(1..=MAX_BITS).contains(&bits) {
            return Err(Error::Parameters {
                what: "bits in a block",
                value: bits,
            });
        }
        let bits_per_point = order.div_ceil(rounds);
        let places = points.checked_mul(bits_per_point).ok_or(Error::TooLarge)?;
        let (cuts, clusters, place_of) = match digits {
            Digits::Unsigned => {
                let cuts = (0..places).step_by(bits).chain([places]).collect();
                let clusters = vec![Cluster {
                    points: 0..points,
                    blocks: 0..places.div_ceil(bits),
                }];
                (cuts, clusters, (0..points as u32).collect())
            }
            Digits::Signed { order } => aligned(points, bits_per_point, bits, order),
        };
        let mut end = first_entry;
        let blocks: Vec<Block> = cuts
            .windows(2)
            .map(|cut| {
                let first_entry = end;
                let width = cut[1] - cut[0];
                end = end.saturating_add(match digits {
                    Digits::Unsigned => (1 << width) - 1,
                    Digits::Signed { .. } => 1 << (width - 1),
                });
                Block {
                    places: cut[0]..cut[1],
                    first_entry,
                    word: cut[0] / 64,
                    shift: (cut[0] % 64) as u32,
                    half: 1 << (width - 1),
                }
            })
            .collect();
        if end > MAX_ENTRIES {
            return Err(Error::TooLarge);
        }
        let mut cluster_of = vec![0; points];
        for (index, cluster) in clusters.iter().enumerate() {
            cluster_of[cluster.points.clone()].fill(index as u32);
        }
        let cluster_of = place_of
            .iter()
            .map(|place| cluster_of[*place as usize])
            .collect();
        let signed =
            matches!(digits, Digits::Signed { .. }).then(|| all_ones::<G>(bits_per_point * rounds));
        Ok(Self {
            points,
            rounds,
            bits_per_point,
            blocks,
            clusters,
            place_of,
            cluster_of,
            signed,
            entries: end - first_entry,
            group: PhantomData,
        })
    }

    /// Number of entries.
    pub(super) fn entries(&self) -> usize {
        self.entries
    }

    /// `t`.
    pub(super) fn rounds(&self) -> usize {
        self.rounds
    }

    /// Blocks that share no points with others.
    pub(super) fn clusters(&self) -> &[Cluster] {
        &self.clusters
    }

    /// The cluster of a point.
    pub(super) fn cluster_of(&self, point: usize) -> usize {
        self.cluster_of[point] as usize
    }

    /// True if blocks of a cluster are skipped one by one, when their own bits are zero.
    pub(super) fn skips_blocks(&self) -> bool {
        self.signed.is_none()
    }

    fn blocks_of_place(&self, place: usize) -> Range<usize> {
        let place = place * self.bits_per_point;
        let width = self.blocks[0].places.len().max(1);
        place / width..(place + self.bits_per_point).div_ceil(width)
    }

    /// Number of blocks that have bits of these scalars, in the order of their points. Of the only cluster, if blocks
    /// are skipped one by one.
    pub(super) fn count_blocks(&self, terms: &[PointScalar]) -> usize {
        let (mut count, mut end) = (0, 0);
        for term in terms {
            let own = self.blocks_of_place(self.place_of[term.point] as usize);
            count += own.end - end.clamp(own.start, own.end);
            end = own.end;
        }
        count
    }

    /// The operations for all scalars whose points are in `chosen` clusters.
    pub(super) fn emit(&self, terms: &[PointScalar], chosen: &[bool], queue: &mut Queue<'_>) {
        // On the stack up to 257 points, the basis of Verkle trees and Q (8 KiB), and 16 bits of each in a round (32 KiB).
        // The number whose bits are looked at, by place in the order; for zero scalars too, as signed digits need it.
        let number = |value| match &self.signed {
            None => value,
            Some(ones) => half_of_sum(&value, ones, &G::Scalar::MODULUS_64.p),
        };
        with_scratch::<16, 257, [u64; 4], _>(self.points, number([0; 4]), |numbers| {
            for term in terms {
                if chosen[self.cluster_of(term.point)] {
                    numbers[self.place_of[term.point] as usize] = number(term.value);
                }
            }
            // One word more than there are, so that blocks may be read as if they reached into the next.
            let words = (self.points * self.bits_per_point).div_ceil(64) + 1;
            with_scratch::<8, 66, [u64; 64], _>(words, [0; 64], |slab| {
                with_scratch::<32, 520, u32, _>(self.blocks.len(), 0, |active| {
                    let count = self.activate(numbers, chosen, active);
                    let active = &active[..count];
                    for first_round in (0..self.rounds).step_by(64).rev() {
                        self.fill(numbers, first_round, active, slab);
                        for round in (first_round..self.rounds.min(first_round + 64)).rev() {
                            self.emit_round(slab, round - first_round, active, round > 0, queue);
                        }
                    }
                });
            });
        });
    }

    /// Lists the blocks that may have something to add, in order, in the front of `active`; how many they are.
    fn activate(&self, numbers: &[[u64; 4]], chosen: &[bool], active: &mut [u32]) -> usize {
        let mut count = 0;
        let mut next = 0;
        let mut list = |blocks: Range<usize>| {
            for block in blocks.start.max(next)..blocks.end {
                active[count] = block as u32;
                count += 1;
                next = block + 1;
            }
        };
        if self.skips_blocks() {
            for (place, number) in numbers.iter().enumerate() {
                if *number != [0; 4] {
                    list(self.blocks_of_place(place));
                }
            }
        } else {
            for (cluster, chosen) in self.clusters.iter().zip(chosen) {
                if *chosen {
                    list(cluster.blocks.clone());
                }
            }
        }
        count
    }

    /// Bit `q mod 64` of `slab[q / 64][i]` becomes that of place `q` in round `first_round + i`, for places in `active`
    /// blocks.
    fn fill(
        &self,
        numbers: &[[u64; 4]],
        first_round: usize,
        active: &[u32],
        slab: &mut [[u64; 64]],
    ) {
        let mut next = 0;
        for block in active {
            let places = &self.blocks[*block as usize].places;
            let end = places.end.div_ceil(64);
            for word in next.max(places.start / 64)..end {
                let mut point = 64 * word / self.bits_per_point;
                let mut bit = 64 * word % self.bits_per_point;
                slab[word] = core::array::from_fn(|_| {
                    let Some(number) = numbers.get(point) else {
                        return 0;
                    };
                    let row = bits_from(number, first_round + self.rounds * bit);
                    bit += 1;
                    if bit == self.bits_per_point {
                        (point, bit) = (point + 1, 0);
                    }
                    row
                });
                transpose(&mut slab[word]);
            }
            next = end;
        }
    }

    /// One addition for each of some blocks, then a doubling if `doubles`.
    #[inline]
    fn emit_round(
        &self,
        slab: &[[u64; 64]],
        round: usize,
        active: &[u32],
        doubles: bool,
        queue: &mut Queue<'_>,
    ) {
        let digit = |block: &Block| {
            // Bits of the next word stand above the block's own if it does not reach into that.
            let low = slab[block.word][round] >> block.shift;
            let high = slab[block.word + 1][round] << 1 << (63 - block.shift);
            (low | high) as usize & (2 * block.half - 1)
        };
        let block = |index: &u32| &self.blocks[*index as usize];
        let Some((last, others)) = active.split_last() else {
            return;
        };
        if self.signed.is_some() {
            for index in others {
                let block = block(index);
                queue.push(block.signed(digit(block)));
            }
            let block = block(last);
            let operation = block.signed(digit(block));
            queue.push(if doubles {
                operation.and_double()
            } else {
                operation
            });
            return;
        }
        let mut waiting = None;
        for index in active {
            let block = block(index);
            if let Some(operation) = block.unsigned(digit(block))
                && let Some(operation) = waiting.replace(operation)
            {
                queue.push(operation);
            }
        }
        match waiting {
            Some(operation) if doubles => queue.push(operation.and_double()),
            Some(operation) => queue.push(operation),
            None if doubles => queue.push(Operation::DOUBLE),
            None => {}
        }
    }

    /// The entries, in terms of the points.
    pub(super) fn runs(&self) -> Vec<Run> {
        let mut point_at = vec![0; self.points];
        for (point, place) in self.place_of.iter().enumerate() {
            point_at[*place as usize] = point;
        }
        let run = |block: &Block| {
            let term = |place: usize, doubled: usize| {
                let exponent = self.rounds * (place % self.bits_per_point) + doubled;
                SignedPower::power(point_at[place / self.bits_per_point], exponent)
            };
            if self.signed.is_none() {
                return Run {
                    start: Vec::new(),
                    increments: block.places.clone().map(|place| term(place, 0)).collect(),
                    skips_first: true,
                };
            }
            // All lower digits −1; changing one to 1 adds twice its point.
            let lower = block.places.start..block.places.end - 1;
            let highest = term(block.places.end - 1, 0);
            let opposites = lower.clone().map(|place| term(place, 0).negated());
            Run {
                start: [highest].into_iter().chain(opposites).collect(),
                increments: lower.map(|place| term(place, 1)).collect(),
                skips_first: false,
            }
        };
        self.blocks.iter().map(run).collect()
    }
}

/// Where blocks of whole points, or points of whole blocks, begin and end; the clusters; the places of points.
fn aligned(
    points: usize,
    bits_per_point: usize,
    bits: usize,
    order: Order,
) -> (Vec<usize>, Vec<Cluster>, Vec<u32>) {
    let sizes = group_sizes(points, (bits / bits_per_point).max(1));
    // The last group may be smaller than all others: its points then come after those that are strided.
    let last_is_apart = sizes.len() > 1 && sizes[sizes.len() - 1] + 1 < sizes[0];
    let strided = sizes.len() - usize::from(last_is_apart);
    let blocks_per_group = bits_per_point.div_ceil(bits);
    let mut cuts = vec![0];
    let mut clusters = Vec::with_capacity(sizes.len());
    let mut place_of = vec![0; points];
    let mut start = 0;
    for (group, size) in sizes.iter().enumerate() {
        let first_block = cuts.len() - 1;
        for block in 1..=blocks_per_group {
            cuts.push(start * bits_per_point + size * bits_per_point * block / blocks_per_group);
        }
        clusters.push(Cluster {
            points: start..start + size,
            blocks: first_block..cuts.len() - 1,
        });
        for member in 0..*size {
            let point = match order {
                Order::Strided if group < strided => group + member * strided,
                _ => start + member,
            };
            place_of[point] = (start + member) as u32;
        }
        start += size;
    }
    (cuts, clusters, place_of)
}

/// Number of points that share a block, `most` at most. If `most` is a power of two, all blocks but the last have that
/// number. They then fit the halves that inner product arguments take. Otherwise numbers differ by one at most, which
/// saves memory.
fn group_sizes(points: usize, most: usize) -> Vec<usize> {
    let groups = points.div_ceil(most);
    let size = |group: usize| match most.is_power_of_two() {
        true => most.min(points - group * most),
        false => points / groups + usize::from(group < points % groups),
    };
    (0..groups).map(size).collect()
}
