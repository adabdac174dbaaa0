//! Many multiples of one point: `s_i·P` for each `i`, through a table of `d·2^(o_w)·P` for every window `w` and every
//! digit `d` in it.
//!
//! A multiple is one addition for each digit that is not zero, without a doubling; the signs of digits halve the table.
//! The additions are those of the sums over many points. Each scalar of a block has a bucket of its own, whose points
//! are entries of the table. So they come in batches that share an inversion, in lanes where there are such. In each
//! batch no bucket occurs twice. Sources: Brickell, Gordon, McCurley, Wilson, "Fast exponentiation with precomputation"
//! (Eurocrypt 1992), for the table; batches as in the rest of the crate.

use crate::BucketPoint;
use crate::buckets::Scalar;
use crate::group::order;
use crate::kernel::{Portable, Signed};
use crate::lanes::InLanes;
use crate::recode::{MIN_WIDTH, Window, Windows, covered_bits};
use crate::sums::{Backend, Sums};
use frumious_field::Integer;

/// A table for multiples of one point.
pub struct Multiples<A> {
    windows: Windows,
    /// Where each window's entries begin.
    starts: Vec<usize>,
    /// `d·2^(o_w)·P` for `d = 1, 2, …, 2^(c_w - 1)`, window after window.
    pub(crate) entries: Vec<A>,
}

impl<A: BucketPoint> Multiples<A> {
    /// The width with which about `count` multiples are fastest.
    pub fn best_width(count: usize) -> u32 {
        best_width(count)
    }

    /// Additions for each multiple by a table of windows of about `width` bits.
    pub fn additions(width: u32) -> usize {
        windows::<A>(width.clamp(MIN_WIDTH, MAX_WIDTH)).all().len()
    }

    /// Memory of such a table: with 16 bits 32 MB for G1 of BN254 and 64 for G2, about half for each bit less.
    pub fn bytes(width: u32) -> usize {
        let windows = windows::<A>(width.clamp(MIN_WIDTH, MAX_WIDTH));
        let entries = windows.all().iter().map(Window::buckets);
        size_of::<A>() * entries.sum::<usize>()
    }

    /// Memory that a thread takes, at most, for `count` multiples at a time, or while it makes a window of that many
    /// entries. It is a slot with its stamp for each, and the memory of batches.
    pub fn bytes_in_work(count: usize) -> usize {
        // Whole cache lines in lanes, else a point and its flag; then the stamp.
        count * (size_of::<A>().next_multiple_of(64) + 12) + (1 << 20)
    }

    /// With windows of about `width` bits.
    pub(crate) fn with_width_vartime(point: &A, width: u32) -> Self {
        let windows = windows::<A>(width);
        let entries = match frumious_field::lanes::active() {
            Some(cpu) => table_vartime(InLanes(cpu), point, windows.all()),
            None => table_vartime(Scalar::<Portable<A>>::NEW, point, windows.all()),
        };
        let mut end = 0;
        let starts = windows.all().iter().map(|window| {
            let start = end;
            end += window.buckets();
            start
        });
        let starts = starts.collect();
        Self {
            windows,
            starts,
            entries,
        }
    }

    /// As [`multiply_vartime`](Self::multiply_vartime), compiled where it is called.
    pub(crate) fn dispatch_vartime(
        &self,
        scalars: &[Integer<A::ScalarField>],
        multiples: &mut [A],
    ) {
        match frumious_field::lanes::active() {
            Some(cpu) => self.multiply_with_vartime(InLanes(cpu), scalars, multiples),
            None => self.multiply_with_vartime(Scalar::<Portable<A>>::NEW, scalars, multiples),
        }
    }

    /// As [`multiply_vartime`](Self::multiply_vartime) on one backend.
    pub(crate) fn multiply_with_vartime<B: Backend<A>>(
        &self,
        backend: B,
        scalars: &[Integer<A::ScalarField>],
        multiples: &mut [A],
    ) {
        let mut sums = backend.buckets((&self.entries[..]).into(), scalars.len(), B::SIZES.spare);
        // Window by window, so that a part of the table at a time is in the caches and no bucket occurs twice in a batch.
        for (window, start) in self.windows.all().iter().zip(&self.starts) {
            for (bucket, scalar) in scalars.iter().enumerate() {
                let digit = self.windows.digits(scalar.words()).of(window);
                if digit != 0 {
                    let entry = start + digit.unsigned_abs() as usize - 1;
                    sums.add_point(bucket, Signed::new(entry, digit < 0));
                }
            }
        }
        sums.settle();
        read_out(&sums, multiples);
        sums.release();
    }
}

/// Windows of about `width` bits for all bits of the order.
fn windows<A: BucketPoint>(width: u32) -> Windows {
    let bits = covered_bits(order::<A>(), u32::MAX - 1);
    let count = bits.div_ceil(width).min(bits / MIN_WIDTH); // 255 bits: 64 windows of 4 would leave one of 3
    Windows::new(order::<A>(), bits, count as usize)
}

/// The entries of all windows, each made where it stays.
fn table_vartime<A: BucketPoint, B: Backend<A>>(
    backend: B,
    point: &A,
    windows: &[Window],
) -> Vec<A> {
    let bases = bases_vartime(backend, point, windows);
    let n_entries = windows.iter().map(Window::buckets).sum();
    let mut entries = frumious_parallel::filled(infinity::<A>(), n_entries);
    let mut rest = &mut entries[..];
    let mut parts = Vec::with_capacity(windows.len());
    for (window, base) in windows.iter().zip(&bases) {
        let (part, behind) = rest.split_at_mut(window.buckets());
        parts.push((window, base, part));
        rest = behind;
    }
    frumious_parallel::for_each_chunk_mut(&mut parts, 1, |_, part| {
        for (window, base, entries) in part {
            window_entries_vartime(backend, base, window, entries);
        }
    });
    entries
}

/// `base`, `2·base`, … for one window.
fn window_entries_vartime<A: BucketPoint, B: Backend<A>>(
    backend: B,
    base: &A,
    window: &Window,
    entries: &mut [A],
) {
    let mut slots = backend.buckets(core::slice::from_ref(base).into(), entries.len(), 0);
    slots.add_point(0, Signed::new(0, false));
    slots.settle();
    for known in (0..window.width - 1).map(|power| 1 << power) {
        for slot in 0..known {
            slots.add_slot(known + slot, known - 1); // a copy, as the slot is empty
            slots.add_slot(known + slot, slot);
        }
        slots.flush_slots();
    }
    read_out(&slots, entries); // none is at infinity, as digits are below the order
    slots.release();
}

/// The points in the first slots, some at a time, so that there are not all of them once more between.
fn read_out<A: BucketPoint>(sums: &impl Sums<A>, points: &mut [A]) {
    let mut slots = [0; READ_AT_ONCE];
    for (index, part) in points.chunks_mut(READ_AT_ONCE).enumerate() {
        let slots = &mut slots[..part.len()];
        for (k, slot) in slots.iter_mut().enumerate() {
            *slot = index * READ_AT_ONCE + k;
        }
        for (point, found) in part.iter_mut().zip(sums.points(slots)) {
            *point = found.unwrap_or(infinity());
        }
    }
}

/// `2^(o_w)·P` for each window.
fn bases_vartime<A: BucketPoint, B: Backend<A>>(
    backend: B,
    point: &A,
    windows: &[Window],
) -> Vec<A> {
    let starts: Vec<usize> = windows.iter().map(|window| window.start as usize).collect();
    let last = starts.last().map_or(0, |start| *start);
    let mut powers = backend.buckets(core::slice::from_ref(point).into(), last + 1, 0);
    powers.add_point(0, Signed::new(0, false));
    powers.settle();
    for power in 0..last {
        powers.add_slot(power + 1, power); // a copy, as the slot is empty
        powers.add_slot(power + 1, power);
        powers.flush_slots();
    }
    let bases = powers.points(&starts);
    powers.release();
    let bases = bases.into_iter();
    bases.map(|base| base.unwrap_or(infinity())).collect()
}

/// The width that takes the fewest additions for `count` multiples, entries of the table counted like additions.
pub(crate) fn best_width(count: usize) -> u32 {
    let additions = |width: &u32| {
        let windows = 256_u64.div_ceil(u64::from(*width));
        windows * (count as u64 + (1 << (width - 1)))
    };
    (MIN_WIDTH..=MAX_WIDTH)
        .min_by_key(additions)
        .unwrap_or(MIN_WIDTH)
}

fn infinity<A: BucketPoint>() -> A {
    A::from_coordinates(Default::default(), Default::default())
}

pub(crate) const MAX_WIDTH: u32 = 16;

/// A multiple of the lanes.
const READ_AT_ONCE: usize = 256;
