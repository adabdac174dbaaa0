//! The lane backend as the methods see it.

use super::buckets::{LaneBuckets, MAX_CROWD};
use super::digits::{Codes, Digits};
use super::scratch::Scratch;
use super::slots::Slot;
use crate::plan::Costs;
use crate::recode::Window;
use crate::sums::{Backend, Pairs, Sizes};
use crate::{BucketPoint, PointList};
use frumious_simd::{LANES, Runner};

/// The lane backend. It takes fewer than [`MAX_POINTS`].
#[derive(Clone, Copy)]
pub(crate) struct InLanes<R>(pub(crate) R);

impl<A: BucketPoint, R: Runner> Backend<A> for InLanes<R> {
    type Buckets<'a> = LaneBuckets<'a, A, R>;

    /// Fitted to times of G1 at 2^7 to 2^18: what this picks takes at most 3% longer than the best of its neighbours.
    const COSTS: Costs = Costs {
        entry: 1.0,
        bucket: 1.8,
        far_bucket: 2.4,
        window: 150.0,
        task: 400.0,
    };
    const SIZES: Sizes = Sizes {
        slot_bytes: size_of::<Slot<A::Base>>(),
        straus: 48,
        spare: 1024,
        crowd: MAX_CROWD,
        columns: 512,
    };

    fn batch_bytes() -> usize {
        // What crowds take comes to as much again.
        2 * Scratch::<A::Base>::BYTES + CODES * size_of::<Codes>()
    }

    fn buckets(
        self,
        points: PointList<'_, A>,
        count: usize,
        spare: usize,
    ) -> LaneBuckets<'_, A, R> {
        LaneBuckets::new(self.0, points, count, spare)
    }

    fn turn_to<'a>(buckets: &mut LaneBuckets<'a, A, R>, points: PointList<'a, A>) {
        buckets.turn_to(points);
    }

    /// Digits are found for some hundred scalars at a time. Then turns are taken: some scalars in every window, the
    /// next ones in every window. As many to a turn as buckets have room for: points that meet a target of their batch
    /// are few, for any width.
    fn add_pairs(self, buckets: &mut LaneBuckets<'_, A, R>, pairs: &Pairs<'_, A::ScalarField>) {
        let windows = pairs.windows();
        let narrowest = windows.iter().map(Window::buckets).min().unwrap_or(1);
        let turn = (narrowest / LOAD).clamp(LANES, PIECE);
        let piece = (CODES / windows.len() * LANES).clamp(LANES, PIECE);
        let turn = turn.min(piece);
        let mut codes = vec![Codes::default(); windows.len() * (piece / LANES)];
        for (first, offsets) in pairs.chunks() {
            for start in (0..offsets.len()).step_by(piece) {
                let offsets = &offsets[start..];
                let count = offsets.len().min(piece);
                let groups = count.div_ceil(LANES);
                self.0.run(Digits {
                    scalars: pairs.scalars,
                    first,
                    offsets,
                    count,
                    centring: pairs.digits.centring(),
                    windows,
                    codes: &mut codes,
                });
                for (index, offsets) in offsets[..count].chunks(turn).enumerate() {
                    let own = index * turn / LANES;
                    for (first_bucket, codes) in
                        pairs.first_buckets.iter().zip(codes.chunks(groups))
                    {
                        buckets.add_digits(*first_bucket, first, offsets, &codes[own..]);
                    }
                }
            }
        }
    }
}

/// Buckets of a window for each scalar of a turn. With 1 to 16 times differ by less than a twentieth.
const LOAD: usize = 4;

/// The most scalars whose digits are found together: 4 KB of digits a window.
const PIECE: usize = 512;

/// Groups of eight digits that are found together, in all windows: 64 KB.
const CODES: usize = 1024;

/// Points are named by 31 bits in a batch.
pub(crate) const MAX_POINTS: usize = 1 << 31;
