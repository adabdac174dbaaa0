//! Multiples of a table's point, some at a time and in order.

use crate::{Error, KeySink, ProvingEngine};
use frumious_curves::engine::ScalarField;
use frumious_field::Integer;
use frumious_msm::{EncodedPoint, Multiples};
use frumious_parallel::{for_each_chunk_mut, pipeline};
use std::ops::Range;
use std::sync::Mutex;
use zeroize::Zeroizing;

/// Hands `scalars(i)` times the table's point for each i of a range to `write`, a group at a time and in order. While a
/// group is written the next is computed: two are in memory.
pub(super) fn write_multiples<E, A, F>(
    range: Range<usize>,
    scalars: &(impl Fn(Range<usize>) -> Zeroizing<Vec<F>> + Sync),
    table: &Multiples<A>,
    groups: &Groups<A>,
    out: &mut dyn KeySink<E>,
    mut write: impl FnMut(&mut dyn KeySink<E>, &[A], usize) -> Result<(), Error>,
) -> Result<(), Error>
where
    E: ProvingEngine,
    A: EncodedPoint<Scalar = F>,
    F: ScalarField,
{
    let compute = |start: usize| {
        let mut points = groups.take(range.end - start);
        for_each_chunk_mut(&mut points, BLOCK, |index, points| {
            let first = start + index * BLOCK;
            let elements = scalars(first..first + points.len());
            let words: Vec<Integer<F>> = elements.iter().copied().map(Integer::from).collect();
            table.multiply_vartime(&Zeroizing::new(words), points);
        });
        points
    };
    pipeline(
        range.clone().step_by(groups.most),
        compute,
        |start, points| -> Result<(), Error> {
            write(out, &points, start + points.len())?;
            groups.give_back(points);
            Ok(())
        },
    )
}

/// Memory for two groups of points, which is used again from section to section: so there is nothing that the allocator
/// could keep.
pub(super) struct Groups<A> {
    /// Points of a group.
    most: usize,
    points: Mutex<Vec<Vec<A>>>,
}

impl<A: EncodedPoint> Groups<A> {
    /// Of `most` points each, if sections have no fewer than `section` of them.
    pub(super) fn new(most: usize, section: usize) -> Self {
        let most = most.max(1);
        let room = || Vec::with_capacity(most.min(section));
        Self {
            most,
            points: Mutex::new(vec![room(), room()]),
        }
    }

    /// A group of points that mean nothing: as many as there are, at most so many.
    fn take(&self, len: usize) -> Vec<A> {
        let kept = self.points.lock().expect("no holder panics").pop();
        let mut points = kept.unwrap_or_default();
        points.resize(len.min(self.most), A::GENERATOR);
        points
    }

    fn give_back(&self, points: Vec<A>) {
        self.points.lock().expect("no holder panics").push(points);
    }
}

/// Memory of two groups.
pub(super) fn bytes_of_groups<A>(most: usize, section: usize) -> u64 {
    (2 * most.min(section) * size_of::<A>()) as u64
}

/// Memory of the threads at work.
pub(super) fn bytes_in_work<A: EncodedPoint>(threads: usize) -> u64 {
    // Twice as elements, as a basis has them with their inverses, and as words.
    let scalars = 4 * 32 * BLOCK;
    (threads * (Multiples::<A>::bytes_in_work(BLOCK) + scalars)) as u64
}

/// Scalars of one task, whose sums take 256 KB in G1 of BN254 beside a window of the table of 2 MB. Other sizes were
/// not tried.
pub(super) const BLOCK: usize = 1 << 12;
