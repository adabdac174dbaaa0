//! One pass over the input before any addition: which pairs matter, and how long their scalars are.
//!
//! Witnesses are mostly zeros, ones and bits, and keys have points at infinity. A pair with either is dropped
//! here. The others are ordered by the length of the scalar, so that each window visits just the pairs that
//! can have a digit in it. Small scalars, of either sign, then cost what their bits cost, with no case of their own.
//!
//! The order is kept for chunks of 2^12 pairs, two bytes a pair. A chunk of points (256 KB in G1) stays in the
//! level-two cache while its classes are walked one after another.

use crate::group::order;
use crate::points::Weighed;
use crate::recode::{Centring, covered_bits, signed_bits};
use crate::{BucketPoint, PointList};
use core::ops::Range;
use frumious_field::Integer;
use frumious_parallel::trace;

/// The pairs that matter, in chunks, each of which is of one list.
pub(crate) struct Census {
    /// Those of the first list, then those of the next.
    chunks: Vec<Chunk>,
    /// For each list the number of chunks up to its end.
    ends: Vec<usize>,
    /// Entry `β`: the number of pairs whose scalar has at least `β` [`signed_bits`]. From [`LONG`] on all are as long.
    at_least: [usize; CLASSES],
    /// The most [`signed_bits`] of any scalar.
    longest: u32,
}

impl Census {
    /// Looks at every pair of the lists once.
    pub(crate) fn take<A: BucketPoint>(lists: &[Weighed<'_, A>]) -> Self {
        let centring = Centring::new(order::<A>());
        let mut ends = Vec::with_capacity(lists.len());
        for list in lists {
            let before = ends.last().copied().unwrap_or(0);
            ends.push(before + list.scalars.len().div_ceil(CHUNK));
        }
        let chunk_count = ends.last().copied().unwrap_or(0);
        let chunks = frumious_parallel::map_indices(chunk_count, |index| {
            let number = ends.partition_point(|end| *end <= index);
            let before = number.checked_sub(1).map_or(0, |before| ends[before]);
            let Weighed { points, scalars } = lists[number];
            let start = (index - before) * CHUNK;
            let end = scalars.len().min(start + CHUNK);
            trace::moves(|| ((end - start) * (A::ENCODED_BYTES + SCALAR_BYTES)) as u64);
            Chunk::take(start, &scalars[start..end], &centring, points)
        });
        let mut at_least = [0; CLASSES];
        let mut longest = 0;
        for chunk in &chunks {
            for (total, count) in at_least.iter_mut().zip(&chunk.at_least) {
                *total += usize::from(*count);
            }
            longest = longest.max(u32::from(chunk.longest));
        }
        Self {
            chunks,
            ends,
            at_least,
            longest,
        }
    }

    /// Of no pairs.
    pub(crate) fn empty() -> Self {
        Self {
            chunks: Vec::new(),
            ends: Vec::new(),
            at_least: [0; CLASSES],
            longest: 0,
        }
    }

    /// Of `points` pairs that matter, all with scalars as long as they may be.
    pub(crate) fn of_full_length(points: usize, order: &[u64; 4]) -> Self {
        let bits = covered_bits(order, u32::MAX - 1) as usize;
        let chunk = |index: usize| {
            let count = CHUNK.min(points - index * CHUNK);
            let mut at_least = [0; CLASSES];
            at_least[..=bits].fill(count as u16);
            Chunk {
                start: index * CHUNK,
                order: Vec::new(),
                at_least,
                longest: bits as u8,
            }
        };
        let mut at_least = [0; CLASSES];
        at_least[..=bits].fill(points);
        Self {
            chunks: (0..points.div_ceil(CHUNK)).map(chunk).collect(),
            ends: vec![points.div_ceil(CHUNK)],
            at_least,
            longest: bits as u32,
        }
    }

    /// The memory of a census of `points` pairs.
    pub(crate) fn bytes(points: usize) -> usize {
        points.div_ceil(CHUNK) * size_of::<Chunk>() + points * size_of::<u16>()
    }

    /// Number of pairs that matter.
    pub(crate) fn total(&self) -> usize {
        self.at_least[1]
    }

    /// Number of pairs whose scalar has at least `bits` signed bits, or [`LONG`]; `bits` is 1 to 255.
    pub(crate) fn at_least(&self, bits: u32) -> usize {
        self.at_least[bits as usize]
    }

    /// The most [`signed_bits`] of any scalar, 0 if there are none.
    pub(crate) fn longest(&self) -> u32 {
        self.longest
    }

    /// Number of chunks.
    pub(crate) fn chunks(&self) -> usize {
        self.chunks.len()
    }

    /// Those of some chunks that are of a list.
    pub(crate) fn of_list(&self, number: usize, chunks: &Range<usize>) -> Range<usize> {
        let before = number.checked_sub(1).map_or(0, |before| self.ends[before]);
        let start = chunks.start.max(before);
        start..chunks.end.min(self.ends[number]).max(start)
    }

    /// As [`at_least`](Census::at_least), in one chunk.
    pub(crate) fn at_least_in(&self, chunk: usize, bits: u32) -> usize {
        usize::from(self.chunks[chunk].at_least[bits as usize])
    }

    /// The first index of a chunk in its list, and offsets from it. They are of the pairs whose scalar has at least
    /// `bits` signed bits, or [`LONG`].
    pub(crate) fn offsets(&self, chunk: usize, bits: u32) -> (usize, &[u16]) {
        let count = self.at_least_in(chunk, bits);
        let chunk = &self.chunks[chunk];
        (chunk.start, &chunk.order[..count])
    }

    /// Indices of the pairs of a list that matter.
    pub(crate) fn indices(&self, number: usize) -> impl Iterator<Item = usize> + '_ {
        let chunks = self.of_list(number, &(0..self.chunks()));
        chunks.flat_map(move |chunk| {
            let (first, offsets) = self.offsets(chunk, 1);
            offsets
                .iter()
                .map(move |offset| first + usize::from(*offset))
        })
    }
}

/// The pairs `start .. start + 2^12` of a list that matter.
struct Chunk {
    start: usize,
    /// Offsets from `start`, the longest scalars first, of equal length in order.
    order: Vec<u16>,
    at_least: [u16; CLASSES],
    longest: u8,
}

impl Chunk {
    fn take<A: BucketPoint>(
        start: usize,
        scalars: &[Integer<A::ScalarField>],
        centring: &Centring,
        points: PointList<'_, A>,
    ) -> Self {
        // Of most witnesses nearly all scalars are zero or one, in no order: such are told apart without a branch.
        let mut classes = [0u8; CHUNK];
        let mut candidates = [0u16; CHUNK];
        let mut count = 0;
        for (offset, scalar) in scalars.iter().map(Integer::words).enumerate() {
            let class = if scalar[1] | scalar[2] | scalar[3] == 0 && scalar[0] <= 1 {
                2 * scalar[0] as u8 // 1 has two signed bits
            } else {
                // |v| ≤ r/2 + 10·2^192 < 2^254 for orders up to 255 bits, hence at most 255 signed bits.
                signed_bits(&centring.apply(scalar)) as u8
            };
            classes[offset] = class;
            candidates[count] = offset as u16;
            count += usize::from(class != 0);
        }
        let mut at_least = [0u16; CLASSES];
        let (mut finite, mut longest) = (0, 0);
        for i in 0..count {
            let offset = candidates[i];
            if i + AHEAD < count {
                points.prefetch(start + usize::from(candidates[i + AHEAD]));
            }
            let counts = !points
                .get(start + usize::from(offset))
                .is_infinity_vartime();
            candidates[finite] = offset;
            finite += usize::from(counts);
            let class = &mut classes[usize::from(offset)];
            longest = longest.max(*class * u8::from(counts));
            if *class >= LONG {
                *class = u8::MAX;
            }
            at_least[usize::from(*class)] += u16::from(counts);
        }
        for bits in (1..CLASSES - 1).rev() {
            at_least[bits] += at_least[bits + 1];
        }
        let candidates = &candidates[..finite];
        // Counting sort: the class β fills the places from at_least[β + 1] on.
        let mut order = vec![0; finite];
        let mut next = at_least;
        for offset in candidates {
            let place = &mut next[usize::from(classes[usize::from(*offset)]) + 1];
            order[usize::from(*place)] = *offset;
            *place += 1;
        }
        Self {
            start,
            order,
            at_least,
            longest,
        }
    }
}

/// Bytes of a scalar.
pub(crate) const SCALAR_BYTES: usize = 32;

/// Pairs in a chunk; offsets and counts fit 16 bits.
const CHUNK: usize = 1 << 12;

/// Pairs ahead at which a point is asked for.
const AHEAD: usize = 16;

/// Scalars of so many signed bits are ordered as equally long. Random ones then stay in their order, and are read one
/// after another. A digit of theirs that is zero costs little.
const LONG: u8 = 240;

/// Lengths 0 to 255, and one more so that every length has a next.
const CLASSES: usize = 257;

#[cfg(test)]
mod tests {
    use super::*;
    use frumious_curves::bn254::G1Affine;

    /// Scalars that are ordered as equally long are covered by as many bits as they have, and each is in every prefix.
    #[test]
    fn lengths_are_told_to_the_bit() {
        for bit in [0, 1, 63, 64, 200, 237, 238, 239, 240, 251] {
            let mut scalar = [0; 4];
            scalar[bit / 64] = 1 << (bit % 64);
            let scalars = vec![Integer::from_words_unchecked(scalar); 3];
            let points = [G1Affine::GENERATOR; 3];
            let list = Weighed {
                points: (&points[..]).into(),
                scalars: &scalars,
            };
            let census = Census::take(&[list]);
            let bits = bit as u32 + 2; // the number of a one at that bit, and the sign
            assert_eq!(census.longest(), bits);
            assert_eq!(census.at_least(bits), 3);
            assert_eq!(census.offsets(0, bits), (0, &[0, 1, 2][..]));
        }
    }
}
