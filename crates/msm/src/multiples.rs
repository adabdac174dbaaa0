//! Many multiples of one point: `s_i·P` for each `i`, through a table of `d·2^(o_w)·P` for every window `w` and every digit `d` in it.
//!
//! A multiple is one addition for each digit that is not zero, without a doubling; the signs of digits halve the table. The additions are
//! those of the sums over many points: each scalar of a block has a bucket of its own, whose points are entries of the table, so they
//! come in batches that share an inversion, in lanes where there are such. In each batch no bucket occurs twice.
//! Sources: Brickell, Gordon, McCurley, Wilson, "Fast exponentiation with precomputation" (Eurocrypt 1992), for the table; batches as in
//! the rest of the crate.

use crate::buckets::Scalar;
use crate::kernel::{Portable, Signed};
use crate::lanes::InLanes;
use crate::recode::{MIN_WIDTH, Window, Windows, covered_bits};
use crate::sums::{Backend, Sums};
use crate::{EncodedPoint, MsmPoint};

/// A table for multiples of one point.
pub struct Multiples<A> {
    windows: Windows,
    /// Where each window's entries begin.
    starts: Vec<usize>,
    /// `d·2^(o_w)·P` for `d = 1, 2, …, 2^(c_w - 1)`, window after window.
    entries: Vec<A>,
}

impl<A: EncodedPoint> Multiples<A> {
    /// A table for about `count` multiples of `point`, which is of the group's order. In parallel.
    ///
    /// Memory: at most `b/16·2^15` points for orders of `b` bits, 32 MB for G1 of BN254 and 64 for G2; less for fewer multiples.
    /// Time: variable.
    pub fn new_vartime(point: &A, count: usize) -> Self {
        point.multiples_vartime(best_width(count))
    }

    /// `scalars[i]·P` for each `i`, infinity as `(0, 0)`. A scalar is a plain integer in little-endian words, taken modulo the order.
    ///
    /// On one thread: give some thousands at a time, at most 2^31, and share them among threads. Memory: 70 bytes a scalar in G1 of BN254,
    /// at most three times as much in the other groups, and what they are. Time: variable; zeros cost next to nothing, and a digit
    /// that is zero no addition.
    pub fn multiply_vartime(&self, scalars: &[[u64; 4]]) -> Vec<A> {
        A::multiply_all_vartime(self, scalars)
    }
}

impl<A: MsmPoint> Multiples<A> {
    /// Memory of the table for about `count` multiples.
    pub fn bytes(count: usize) -> usize {
        let windows = windows::<A>(best_width(count));
        let entries = windows.all().iter().map(Window::buckets);
        size_of::<A>() * entries.sum::<usize>()
    }

    /// With windows of about `width` bits.
    pub(crate) fn with_width_vartime(point: &A, width: u32) -> Self {
        let windows = windows::<A>(width);
        let entries = match frumious_field::lanes::ifma() {
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
    pub(crate) fn dispatch_vartime(&self, scalars: &[[u64; 4]]) -> Vec<A> {
        match frumious_field::lanes::ifma() {
            Some(cpu) => self.multiply_with_vartime(InLanes(cpu), scalars),
            None => self.multiply_with_vartime(Scalar::<Portable<A>>::NEW, scalars),
        }
    }

    /// As [`multiply_vartime`](Self::multiply_vartime) on one backend.
    pub(crate) fn multiply_with_vartime<B: Backend<A>>(
        &self,
        backend: B,
        scalars: &[[u64; 4]],
    ) -> Vec<A> {
        let mut sums = backend.buckets(&self.entries[..], scalars.len(), B::SPARE);
        // Window by window, so that a part of the table at a time is in the caches and no bucket occurs twice in a batch.
        for (window, start) in self.windows.all().iter().zip(&self.starts) {
            for (bucket, scalar) in scalars.iter().enumerate() {
                let digit = self.windows.digits(scalar).of(window);
                if digit != 0 {
                    let entry = start + digit.unsigned_abs() as usize - 1;
                    sums.add_point(bucket, Signed::new(entry, digit < 0));
                }
            }
        }
        sums.settle();
        let all: Vec<usize> = (0..scalars.len()).collect();
        let multiples = sums.points(&all);
        sums.release();
        let infinity = infinity();
        let multiples = multiples.into_iter();
        multiples.map(|point| point.unwrap_or(infinity)).collect()
    }
}

/// Windows of about `width` bits for all bits of the order.
fn windows<A: MsmPoint>(width: u32) -> Windows {
    let bits = covered_bits(&A::ORDER, u32::MAX - 1);
    let count = bits.div_ceil(width).min(bits / MIN_WIDTH); // 255 bits: 64 windows of 4 would leave one of 3
    Windows::new(&A::ORDER, bits, count as usize)
}

/// The entries of all windows.
fn table_vartime<A: MsmPoint, B: Backend<A>>(backend: B, point: &A, windows: &[Window]) -> Vec<A> {
    let bases = bases_vartime(backend, point, windows);
    let mut entries = Vec::with_capacity(windows.iter().map(Window::buckets).sum());
    // As many windows at a time as there are threads, so that only those are in memory twice.
    let threads = frumious_parallel::current_num_threads();
    for (windows, bases) in windows.chunks(threads).zip(bases.chunks(threads)) {
        let parts = frumious_parallel::map_indices(windows.len(), |index| {
            window_entries_vartime(backend, &bases[index], &windows[index])
        });
        // None is at infinity, as digits are below the order.
        let parts = parts.into_iter().flatten();
        entries.extend(parts.map(|entry| entry.unwrap_or(infinity())));
    }
    entries
}

/// `base`, `2·base`, … for one window.
fn window_entries_vartime<A: MsmPoint, B: Backend<A>>(
    backend: B,
    base: &A,
    window: &Window,
) -> Vec<Option<A>> {
    let count = window.buckets();
    let mut slots = backend.buckets(core::slice::from_ref(base), count, 0);
    slots.add_point(0, Signed::new(0, false));
    slots.settle();
    for known in (0..window.width - 1).map(|power| 1 << power) {
        for slot in 0..known {
            slots.add_slot(known + slot, known - 1); // a copy, as the slot is empty
            slots.add_slot(known + slot, slot);
        }
        slots.flush_slots();
    }
    let all: Vec<usize> = (0..count).collect();
    let entries = slots.points(&all);
    slots.release();
    entries
}

/// `2^(o_w)·P` for each window.
fn bases_vartime<A: MsmPoint, B: Backend<A>>(backend: B, point: &A, windows: &[Window]) -> Vec<A> {
    let starts: Vec<usize> = windows.iter().map(|window| window.start as usize).collect();
    let last = starts.last().map_or(0, |start| *start);
    let mut powers = backend.buckets(core::slice::from_ref(point), last + 1, 0);
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

fn infinity<A: MsmPoint>() -> A {
    A::from_coordinates(Default::default(), Default::default())
}

const MAX_WIDTH: u32 = 16;
