//! The batch addition in lanes: eight additions side by side, five products and a square.
//!
//! ```text
//! λ = (y2 - y1)/(x2 - x1)     or  (3·x1² + a)/(2·y1)  for equal points
//! x3 = λ² - x1 - x2           y3 = λ·(x1 - x3) - y1
//! ```
//!
//! The denominators of a batch are inverted together (Montgomery 1987, section 10.3.1), in G2 by their norms. Groups
//! of eight additions go in pairs, each with a running product of its own. So the products of one fill the waiting
//! times of the other. Between the passes each group leaves what the second one needs in a [`Step`]; slots are read in
//! both passes, points only in the first.
//!
//! Equal and opposite points make the product of all denominators zero. The first pass over a batch does not look
//! for them; if the inverse turns out not to exist, it is run again and does. A batch that doubles takes tangents only.

use super::coordinate::{Coordinate, LaneField, Norm};
use super::entries::Entry;
use super::inversion;
use super::slots::{self, Slot};
use crate::{BucketPoint, PointList};
use frumious_field::Field;
use frumious_field::prefetch;
use frumious_simd::{Kernel, LANES, Mask, Vector};

/// Additions of a pair of groups: batches have a multiple of this length.
pub(super) const PAIR: usize = 2 * LANES;

pub(super) type Lane<A, V> = <<A as BucketPoint>::Base as Coordinate>::Lanes<V>;
type NormLane<A, V> = Norm<<A as BucketPoint>::Base, V>;

/// Where second summands come from, and what the source of an [`Entry`] therefore is. A value and not a type: the
/// kernel is compiled once a group, and which of the three it is never changes within a batch.
#[derive(Clone, Copy)]
pub(super) enum Summands<'p, A> {
    /// Points of the key.
    Points(PointList<'p, A>),
    /// Other slots.
    Slots,
}

impl<'p, A> From<PointList<'p, A>> for Summands<'p, A> {
    fn from(points: PointList<'p, A>) -> Self {
        Self::Points(points)
    }
}

impl<A: BucketPoint> Summands<'_, A> {
    /// The coordinates of eight summands, loaded or settled.
    #[inline(always)]
    fn load<V: Vector>(
        self,
        cpu: V::Cpu,
        slots: &[Slot<A::Base>],
        entries: &[Entry; LANES],
    ) -> (Lane<A, V>, Lane<A, V>) {
        match self {
            Self::Points(points) => load_points::<A, V>(cpu, points, entries),
            Self::Slots => slots::load(cpu, slots, slots::sources(entries)),
        }
    }

    /// A hint that a summand will soon be asked for.
    #[inline(always)]
    fn prefetch(self, slots: &[Slot<A::Base>], entry: Entry) {
        match self {
            Self::Points(points) => points.prefetch(entry.point()),
            Self::Slots => prefetch(&slots[entry.source as usize]),
        }
    }
}

/// The coordinates of eight points with the signs of their entries.
#[inline(always)]
pub(super) fn load_points<A: BucketPoint, V: Vector>(
    cpu: V::Cpu,
    points: PointList<'_, A>,
    entries: &[Entry; LANES],
) -> (Lane<A, V>, Lane<A, V>) {
    let mut x = [A::Base::ZERO; LANES];
    let mut y = [A::Base::ZERO; LANES];
    let mut opposite = 0;
    for k in 0..LANES {
        opposite |= u8::from(entries[k].is_negative()) << k;
    }
    // The form is looked at once for all eight.
    match points {
        PointList::Slice(points) => {
            for k in 0..LANES {
                (x[k], y[k]) = points[entries[k].point()].coordinates();
            }
        }
        PointList::Encoded(points) => {
            for k in 0..LANES {
                (x[k], y[k]) = points.get(entries[k].point()).coordinates();
            }
        }
    }
    let y = Lane::<A, V>::load_y(cpu, &y, Mask(opposite));
    (Lane::<A, V>::load_x(cpu, &x), y)
}

/// The part of the first pass that the second needs, for eight additions.
#[derive(Clone, Copy)]
pub(super) struct Step<C: Coordinate> {
    /// The numerator of the slope (`y2 - y1`; `3·x1² + a` for equal points), as that of a fraction over the norm of its
    /// denominator.
    numerator: C::Block,
    /// The denominator of the slope: `x2 - x1`; `2·y1` for equal points, one for opposite ones.
    denominator: C::Block,
    /// The norm of the denominator, if that is another number.
    norm: C::KeptNorm,
    /// Product of the norms before this one.
    before: <C::Norm as Coordinate>::Block,
    /// The first summand: taking it from its slot again would cost a second transposition.
    x1: C::Block,
    y1: C::Block,
}

impl<C: Coordinate> Step<C> {
    pub(super) const EMPTY: Self = Self {
        numerator: C::ZERO_BLOCK,
        denominator: C::ZERO_BLOCK,
        norm: C::ZERO_NORM,
        before: <C::Norm as Coordinate>::ZERO_BLOCK,
        x1: C::ZERO_BLOCK,
        y1: C::ZERO_BLOCK,
    };
}

/// Which of eight additions are exceptional.
#[derive(Clone, Copy)]
pub(super) struct Marks {
    /// Of equal points.
    doubled: Mask,
    /// Of opposite points.
    cancelled: Mask,
}

impl Marks {
    pub(super) const NONE: Self = Self {
        doubled: Mask::NONE,
        cancelled: Mask::NONE,
    };
}

/// The lines that a batch draws.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Lines {
    /// Through two points with different x.
    Chords,
    /// At the targets, which are doubled: sources do not matter, and no y is zero.
    Tangents,
    /// Each as its two points ask for.
    Any,
}

/// Makes a batch of additions, a multiple of [`PAIR`]; true if it did. It does not, and changes nothing, if a
/// denominator is zero and lines are not [`Lines::Any`].
///
/// Targets are distinct and no source is another's target, but the last entry may be repeated to fill up the last pair.
/// With [`Lines::Any`] a source may be its own target. No summand is at infinity. With [`Lines::Any`] equal points are
/// doubled, and the targets of opposite ones are pushed to `cancelled`, their values of no meaning.
pub(super) struct Add<'k, A: BucketPoint> {
    pub(super) slots: &'k mut [Slot<A::Base>],
    pub(super) entries: &'k [Entry],
    /// Not a parameter of the type: a branch that is always the same costs nothing here, and a second copy of the text
    /// would.
    pub(super) lines: Lines,
    /// Pairs ahead that are asked for: a setting, read outside of the kernel.
    pub(super) ahead: usize,
    pub(super) summands: Summands<'k, A>,
    /// As many as groups in a batch at least.
    pub(super) steps: &'k mut [Step<A::Base>],
    /// As many; used with [`Lines::Any`] only.
    pub(super) marks: &'k mut [Marks],
    pub(super) cancelled: &'k mut Vec<u32>,
}

impl<A: BucketPoint> Kernel for Add<'_, A> {
    type Output = bool;

    #[inline(always)]
    fn run<V: Vector>(self, cpu: V::Cpu) -> bool {
        let lines = self.lines;
        let (entries, _) = self.entries.as_chunks::<PAIR>();
        let (steps, _) = self.steps.as_chunks_mut::<2>();
        let steps = &mut steps[..entries.len()];
        let (marks, _) = self.marks.as_chunks_mut::<2>();
        let marks = &mut marks[..entries.len()];

        // Both groups of a pair are written out: the compiler leaves a loop over two with its values in memory.
        let one = Lane::<A, V>::one(cpu);
        let unit = NormLane::<A, V>::one(cpu);
        let (mut product0, mut product1) = (unit, unit);
        for (i, steps) in steps.iter_mut().enumerate() {
            let [entries0, entries1] = halves(&entries[i]);
            let [step0, step1] = steps;
            let (slots, from) = (&*self.slots, self.summands);
            for entry in entries.get(i + self.ahead).into_iter().flatten() {
                prefetch(&slots[entry.target as usize]);
                from.prefetch(slots, *entry);
            }
            let [marks0, marks1] = &mut marks[i];
            let from = (slots, from);
            let first = prepare::<A, V>(cpu, lines, from, entries0, step0, marks0);
            let second = prepare::<A, V>(cpu, lines, from, entries1, step1, marks1);
            product0.store_block(&mut step0.before);
            product1.store_block(&mut step1.before);
            product0 = product0.times(first);
            product1 = product1.times(second);
        }

        let Some(inverse) =
            inversion::invert::<<A::Base as Coordinate>::Norm, V>(cpu, product0.times(product1))
        else {
            return false;
        };
        // Each turn finishes the pair of the turn before while it begins its own, so that no product waits for the one just
        // before it.
        let (mut inverse0, mut inverse1) = (inverse.times(product1), inverse.times(product0));
        let (mut slope0, mut slope1) = (one, one);
        let pairs = entries.len();
        for turn in 0..=pairs {
            let own = pairs.wrapping_sub(1).wrapping_sub(turn); // past the end in the last turn
            let last = pairs - turn; // past the end in the first turn
            let (begins, ends) = (steps.get(own), steps.get(last));
            let (mut part0, mut part1) = (unit, unit);
            if let Some([step0, step1]) = begins {
                part0 = inverse0.times(NormLane::<A, V>::load_settled(cpu, &step0.before));
                part1 = inverse1.times(NormLane::<A, V>::load_settled(cpu, &step1.before));
            }
            let (mut third0, mut third1) = (one, one);
            if let Some([step0, step1]) = ends {
                let [marks0, marks1] = &marks[last];
                let dx0 = dx::<A, V>(cpu, lines, step0, marks0);
                let dx1 = dx::<A, V>(cpu, lines, step1, marks1);
                let (x0, x1) = (
                    settled::<A, V>(cpu, &step0.x1),
                    settled::<A, V>(cpu, &step1.x1),
                );
                third0 = Lane::<A, V>::third_x(slope0, dx0, x0);
                third1 = Lane::<A, V>::third_x(slope1, dx1, x1);
            }
            if let Some([step0, step1]) = begins {
                inverse0 = inverse0.times(norm::<A, V>(cpu, step0));
                inverse1 = inverse1.times(norm::<A, V>(cpu, step1));
            }
            if let Some([step0, step1]) = ends {
                let (x0, x1) = (
                    settled::<A, V>(cpu, &step0.x1),
                    settled::<A, V>(cpu, &step1.x1),
                );
                let (y0, y1) = (
                    settled::<A, V>(cpu, &step0.y1),
                    settled::<A, V>(cpu, &step1.y1),
                );
                let y0 = Lane::<A, V>::third_y(slope0, x0.difference(third0), y0);
                let y1 = Lane::<A, V>::third_y(slope1, x1.difference(third1), y1);
                let [entries0, entries1] = halves(&entries[last]);
                slots::store::<A::Base, V>(self.slots, entries0, third0, y0);
                slots::store::<A::Base, V>(self.slots, entries1, third1, y1);
            }
            if let Some([step0, step1]) = begins {
                slope0 = load::<A, V>(cpu, &step0.numerator).scaled(part0);
                slope1 = load::<A, V>(cpu, &step1.numerator).scaled(part1);
            }
        }
        if lines == Lines::Any {
            for (entries, marks) in entries.iter().zip(marks.iter()) {
                for (i, entry) in entries.iter().enumerate() {
                    if marks[i / LANES].cancelled.contains(i % LANES) {
                        self.cancelled.push(entry.target);
                    }
                }
            }
        }
        true
    }
}

/// First pass over a group: all of its step but `before`. Returns the norms of the denominators.
#[inline(always)]
fn prepare<A: BucketPoint, V: Vector>(
    cpu: V::Cpu,
    lines: Lines,
    (slots, from): (&[Slot<A::Base>], Summands<'_, A>),
    entries: &[Entry; LANES],
    step: &mut Step<A::Base>,
    marks: &mut Marks,
) -> NormLane<A, V> {
    let (x1, y1) = slots::load::<A::Base, V>(cpu, slots, slots::targets(entries));
    x1.store_block(&mut step.x1);
    y1.store_block(&mut step.y1);
    let (numerator, denominator) = if lines == Lines::Tangents {
        tangent::<A, V>(cpu, x1, y1)
    } else {
        let (x2, y2) = from.load::<V>(cpu, slots, entries);
        let (mut numerator, mut denominator) = (y2.difference(y1), x2.difference(x1));
        if lines == Lines::Any {
            let equal_x = denominator.zeros();
            let vertical = y1.zeros() | !numerator.zeros();
            marks.doubled = equal_x & !vertical;
            marks.cancelled = equal_x & vertical;
            let (above, below) = tangent::<A, V>(cpu, x1, y1);
            numerator = numerator.choose(above, marks.doubled);
            denominator = denominator
                .choose(below, marks.doubled)
                .choose(Lane::<A, V>::one(cpu), marks.cancelled);
        }
        (numerator, denominator)
    };
    let norm = denominator.norm();
    Lane::<A, V>::keep_norm(norm, &mut step.norm);
    denominator.store_block(&mut step.denominator);
    numerator
        .above_norm(denominator)
        .store_block(&mut step.numerator);
    norm
}

/// The slope of the tangent as numerator and denominator.
#[inline(always)]
fn tangent<A: BucketPoint, V: Vector>(
    cpu: V::Cpu,
    x: Lane<A, V>,
    y: Lane<A, V>,
) -> (Lane<A, V>, Lane<A, V>) {
    let a = Lane::<A, V>::load_coefficient(cpu, &A::COEFFICIENT_A);
    (
        Lane::<A, V>::tangent_numerator(x, a),
        Lane::<A, V>::tangent_denominator(y),
    )
}

/// `x2 - x1`, but of no meaning for opposite points: the denominator of the slope or, if it is that of a tangent, zero.
#[inline(always)]
fn dx<A: BucketPoint, V: Vector>(
    cpu: V::Cpu,
    lines: Lines,
    step: &Step<A::Base>,
    marks: &Marks,
) -> Lane<A, V> {
    let denominator = load::<A, V>(cpu, &step.denominator);
    let one = Lane::<A, V>::one(cpu);
    match lines {
        Lines::Chords => denominator,
        Lines::Tangents => one.difference(one),
        Lines::Any => denominator.choose(one.difference(one), marks.doubled),
    }
}

#[inline(always)]
fn norm<A: BucketPoint, V: Vector>(cpu: V::Cpu, step: &Step<A::Base>) -> NormLane<A, V> {
    Lane::<A, V>::kept_norm(cpu, &step.norm, &step.denominator)
}

#[inline(always)]
fn load<A: BucketPoint, V: Vector>(
    cpu: V::Cpu,
    block: &<A::Base as Coordinate>::Block,
) -> Lane<A, V> {
    Lane::<A, V>::load_block(cpu, block)
}

#[inline(always)]
fn settled<A: BucketPoint, V: Vector>(
    cpu: V::Cpu,
    block: &<A::Base as Coordinate>::Block,
) -> Lane<A, V> {
    Lane::<A, V>::load_settled(cpu, block)
}

#[inline(always)]
fn halves(pair: &[Entry; PAIR]) -> [&[Entry; LANES]; 2] {
    let (halves, _) = pair.as_chunks::<LANES>();
    [&halves[0], &halves[1]]
}
