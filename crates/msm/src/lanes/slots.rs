//! Points in lane form in memory.

use super::coordinate::{Coordinate, LaneField};
use super::entries::Entry;
use frumious_simd::{LANES, Vector};

/// An affine point on the isomorphic curve, in lane form below `2p`. It takes one cache line in G1 and two in G2. With
/// coordinates of six words it takes two, a quarter of them empty, and three.
#[derive(Clone, Copy, Debug)]
#[repr(align(64))]
pub(crate) struct Slot<C: Coordinate> {
    x: C::Words,
    y: C::Words,
}

impl<C: Coordinate> Slot<C> {
    /// Zeros, which are no point.
    pub(crate) const FILLER: Self = Self {
        x: C::ZERO_WORDS,
        y: C::ZERO_WORDS,
    };
}

/// The coordinates of eight slots, settled.
#[inline(always)]
pub(super) fn load<C: Coordinate, V: Vector>(
    cpu: V::Cpu,
    slots: &[Slot<C>],
    indices: [u32; LANES],
) -> (C::Lanes<V>, C::Lanes<V>) {
    let [s0, s1, s2, s3, s4, s5, s6, s7] = eight(slots, indices);
    let y = [&s0.y, &s1.y, &s2.y, &s3.y, &s4.y, &s5.y, &s6.y, &s7.y];
    (
        load_x(cpu, slots, indices),
        C::Lanes::<V>::load_words(cpu, y),
    )
}

/// The `x` of eight slots, settled.
#[inline(always)]
pub(super) fn load_x<C: Coordinate, V: Vector>(
    cpu: V::Cpu,
    slots: &[Slot<C>],
    indices: [u32; LANES],
) -> C::Lanes<V> {
    let [s0, s1, s2, s3, s4, s5, s6, s7] = eight(slots, indices);
    let x = [&s0.x, &s1.x, &s2.x, &s3.x, &s4.x, &s5.x, &s6.x, &s7.x];
    C::Lanes::<V>::load_words(cpu, x)
}

/// The targets of eight entries.
#[inline(always)]
pub(super) fn targets(entries: &[Entry; LANES]) -> [u32; LANES] {
    let [e0, e1, e2, e3, e4, e5, e6, e7] = entries; // by name: `array::map` leaves a call
    [
        e0.target, e1.target, e2.target, e3.target, e4.target, e5.target, e6.target, e7.target,
    ]
}

/// The sources of eight entries.
#[inline(always)]
pub(super) fn sources(entries: &[Entry; LANES]) -> [u32; LANES] {
    let [e0, e1, e2, e3, e4, e5, e6, e7] = entries;
    [
        e0.source, e1.source, e2.source, e3.source, e4.source, e5.source, e6.source, e7.source,
    ]
}

#[inline(always)]
fn eight<C: Coordinate>(slots: &[Slot<C>], indices: [u32; LANES]) -> [&Slot<C>; LANES] {
    let [i0, i1, i2, i3, i4, i5, i6, i7] = indices;
    [
        &slots[i0 as usize],
        &slots[i1 as usize],
        &slots[i2 as usize],
        &slots[i3 as usize],
        &slots[i4 as usize],
        &slots[i5 as usize],
        &slots[i6 as usize],
        &slots[i7 as usize],
    ]
}

/// Writes settled coordinates to the targets, in order: of equal ones the last counts.
#[inline(always)]
pub(super) fn store<C: Coordinate, V: Vector>(
    slots: &mut [Slot<C>],
    entries: &[Entry; LANES],
    x: C::Lanes<V>,
    y: C::Lanes<V>,
) {
    let mut eight = [Slot::<C>::FILLER; LANES];
    let [s0, s1, s2, s3, s4, s5, s6, s7] = &mut eight;
    x.store_words([
        &mut s0.x, &mut s1.x, &mut s2.x, &mut s3.x, &mut s4.x, &mut s5.x, &mut s6.x, &mut s7.x,
    ]);
    y.store_words([
        &mut s0.y, &mut s1.y, &mut s2.y, &mut s3.y, &mut s4.y, &mut s5.y, &mut s6.y, &mut s7.y,
    ]);
    for k in 0..LANES {
        slots[entries[k].target as usize] = eight[k];
    }
}
