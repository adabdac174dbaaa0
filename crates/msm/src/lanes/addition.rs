//! The batch addition in lanes: eight additions side by side, five products and a square.
//!
//! ```text
//! λ = (y2 - y1)/(x2 - x1)     or  (3·x1² + a)/(2·y1)  for equal points
//! x3 = λ² - x1 - x2           y3 = λ·(x1 - x3) - y1
//! ```
//!
//! The denominators of a batch are inverted together (Montgomery 1987, section 10.3.1). Groups of eight additions go in pairs, each
//! with a running product of its own, so that the products of one fill the waiting times of the other. Between the passes each group
//! leaves what the second one needs in a [`Step`]; slots are read in both passes, points only in the first.
//!
//! Equal and opposite points make the product of all denominators zero. The first pass over a batch does not look
//! for them; if the inverse turns out not to exist, it is run again as the variant that does.

use super::coordinate::{Coordinate, LaneField};
use super::entries::Entry;
use super::inversion;
use super::slots::{self, Slot};
use crate::{MsmPoint, Points};
use core::marker::PhantomData;
use frumious_field::Field;
use frumious_field::limbs::prefetch;
use frumious_simd::{Kernel, LANES, Mask, Vector};

/// Additions of a pair of groups: batches have a multiple of this length.
pub(super) const PAIR: usize = 2 * LANES;

/// Where second summands come from, and what the source of an [`Entry`] therefore is.
pub(super) trait Sources<A: MsmPoint>: Copy {
    /// The coordinates of eight summands, loaded or settled.
    fn load<V: Vector>(
        self,
        cpu: V::Cpu,
        slots: &[Slot<A::Base>],
        entries: &[Entry; LANES],
    ) -> (Lane<A, V>, Lane<A, V>);

    /// A hint that a summand will soon be asked for.
    fn prefetch(self, slots: &[Slot<A::Base>], entry: Entry);
}

pub(super) type Lane<A, V> = <<A as MsmPoint>::Base as Coordinate>::Lanes<V>;

/// Points of the key.
pub(super) struct FromPoints<'p, P: ?Sized>(pub(super) &'p P);

impl<P: ?Sized> Clone for FromPoints<'_, P> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<P: ?Sized> Copy for FromPoints<'_, P> {}

impl<A: MsmPoint, P: Points<A> + ?Sized> Sources<A> for FromPoints<'_, P> {
    #[inline(always)]
    fn load<V: Vector>(
        self,
        cpu: V::Cpu,
        _: &[Slot<A::Base>],
        entries: &[Entry; LANES],
    ) -> (Lane<A, V>, Lane<A, V>) {
        let mut x = [A::Base::ZERO; LANES];
        let mut y = [A::Base::ZERO; LANES];
        let mut opposite = 0;
        for k in 0..LANES {
            (x[k], y[k]) = self.0.get(entries[k].point()).coordinates();
            opposite |= u8::from(entries[k].is_negative()) << k;
        }
        let y = Lane::<A, V>::load_y(cpu, &y, Mask(opposite));
        (Lane::<A, V>::load_x(cpu, &x), y)
    }

    #[inline(always)]
    fn prefetch(self, _: &[Slot<A::Base>], entry: Entry) {
        self.0.prefetch(entry.point());
    }
}

/// Other slots.
#[derive(Clone, Copy)]
pub(super) struct FromSlots;

impl<A: MsmPoint> Sources<A> for FromSlots {
    #[inline(always)]
    fn load<V: Vector>(
        self,
        cpu: V::Cpu,
        slots: &[Slot<A::Base>],
        entries: &[Entry; LANES],
    ) -> (Lane<A, V>, Lane<A, V>) {
        slots::load(cpu, slots, slots::sources(entries))
    }

    #[inline(always)]
    fn prefetch(self, slots: &[Slot<A::Base>], entry: Entry) {
        prefetch(&slots[entry.source as usize]);
    }
}

/// What the second pass needs of the first, for eight additions.
#[derive(Clone, Copy)]
pub(super) struct Step<C: Coordinate> {
    /// `x2 - x1`.
    dx: C::Block,
    /// The numerator of the slope.
    dy: C::Block,
    /// Product of the denominators before this one.
    before: C::Block,
    /// If there are equal or opposite points, the denominators: `2·y1` of equal ones, one of opposite ones, else `dx`.
    exceptional: C::Block,
    /// Lanes with equal points.
    doubled: u8,
    /// Lanes with opposite points.
    cancelled: u8,
}

impl<C: Coordinate> Step<C> {
    pub(super) const EMPTY: Self = Self {
        dx: C::ZERO_BLOCK,
        dy: C::ZERO_BLOCK,
        before: C::ZERO_BLOCK,
        exceptional: C::ZERO_BLOCK,
        doubled: 0,
        cancelled: 0,
    };

    #[inline(always)]
    fn denominator<const EXCEPTIONAL: bool>(&self) -> &C::Block {
        if EXCEPTIONAL {
            &self.exceptional
        } else {
            &self.dx
        }
    }
}

/// Makes a batch of additions, a multiple of [`PAIR`]: true if it did, false if a denominator is zero and `EXCEPTIONAL` is not set, and then nothing is changed.
///
/// Targets are distinct and no source is a target, but the last entry may be repeated to fill up the last pair; no summand is at infinity. With `EXCEPTIONAL` equal points are doubled,
/// and the targets of opposite ones are pushed to `cancelled`, their values of no meaning.
pub(super) struct Add<'k, A: MsmPoint, S: Sources<A>, const EXCEPTIONAL: bool> {
    pub(super) slots: &'k mut [Slot<A::Base>],
    pub(super) entries: &'k [Entry],
    /// What comes after this batch, to be brought close meanwhile.
    pub(super) next: &'k [Entry],
    pub(super) sources: S,
    /// As many as groups in a batch at least.
    pub(super) steps: &'k mut [Step<A::Base>],
    pub(super) cancelled: &'k mut Vec<u32>,
    pub(super) point: PhantomData<A>,
}

impl<A: MsmPoint, S: Sources<A>, const EXCEPTIONAL: bool> Kernel for Add<'_, A, S, EXCEPTIONAL> {
    type Output = bool;

    #[inline(always)]
    fn run<V: Vector>(self, cpu: V::Cpu) -> bool {
        let (entries, _) = self.entries.as_chunks::<PAIR>();
        let (steps, _) = self.steps.as_chunks_mut::<2>();
        let steps = &mut steps[..entries.len()];
        let mut next = self.next.chunks(PAIR);

        // Both groups of a pair are written out: the compiler leaves a loop over two with its values in memory.
        let one = Lane::<A, V>::one(cpu);
        let (mut product0, mut product1) = (one, one);
        for (entries, steps) in entries.iter().zip(steps.iter_mut()) {
            let [entries0, entries1] = halves(entries);
            let [step0, step1] = steps;
            let (slots, from) = (&*self.slots, self.sources);
            let first =
                prepare::<A, V, S, EXCEPTIONAL>(cpu, slots, from, entries0, step0, product0);
            let second =
                prepare::<A, V, S, EXCEPTIONAL>(cpu, slots, from, entries1, step1, product1);
            product0 = product0.times(first);
            product1 = product1.times(second);
        }

        let Some(inverse) = inversion::invert::<A::Base, V>(cpu, product0.times(product1)) else {
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
            let (begins, ends) = (steps.get(own), steps.get(last).zip(entries.get(last)));
            for entry in next.next().unwrap_or_default() {
                prefetch(&self.slots[entry.target as usize]);
                self.sources.prefetch(self.slots, *entry);
            }
            let (mut part0, mut part1) = (one, one);
            if let Some([step0, step1]) = begins {
                part0 = inverse0.times(load::<A, V>(cpu, &step0.before));
                part1 = inverse1.times(load::<A, V>(cpu, &step1.before));
            }
            let (mut third0, mut third1) = (one, one);
            if let Some(([step0, step1], entries)) = ends {
                let [entries0, entries1] = halves(entries);
                let (targets0, targets1) = (slots::targets(entries0), slots::targets(entries1));
                let x0 = slots::load_x::<A::Base, V>(cpu, self.slots, targets0);
                let x1 = slots::load_x::<A::Base, V>(cpu, self.slots, targets1);
                let (dx0, dx1) = (load::<A, V>(cpu, &step0.dx), load::<A, V>(cpu, &step1.dx));
                third0 = Lane::<A, V>::third_x(slope0.squared(), dx0, x0);
                third1 = Lane::<A, V>::third_x(slope1.squared(), dx1, x1);
            }
            if let Some([step0, step1]) = begins {
                inverse0 = inverse0.times(load::<A, V>(cpu, step0.denominator::<EXCEPTIONAL>()));
                inverse1 = inverse1.times(load::<A, V>(cpu, step1.denominator::<EXCEPTIONAL>()));
            }
            if let Some((_, entries)) = ends {
                let [entries0, entries1] = halves(entries);
                let (targets0, targets1) = (slots::targets(entries0), slots::targets(entries1));
                let (x0, y0) = slots::load::<A::Base, V>(cpu, self.slots, targets0);
                let (x1, y1) = slots::load::<A::Base, V>(cpu, self.slots, targets1);
                let product0 = slope0.times(x0.difference(third0));
                let product1 = slope1.times(x1.difference(third1));
                let y0 = Lane::<A, V>::third_y(product0, y0);
                let y1 = Lane::<A, V>::third_y(product1, y1);
                slots::store::<A::Base, V>(self.slots, entries0, third0, y0);
                slots::store::<A::Base, V>(self.slots, entries1, third1, y1);
            }
            if let Some([step0, step1]) = begins {
                slope0 = part0.times(load::<A, V>(cpu, &step0.dy));
                slope1 = part1.times(load::<A, V>(cpu, &step1.dy));
            }
        }
        if EXCEPTIONAL {
            for (entries, steps) in entries.iter().zip(steps.iter()) {
                for (i, entry) in entries.iter().enumerate() {
                    let cancelled = Mask(steps[i / LANES].cancelled);
                    if cancelled.contains(i % LANES) {
                        self.cancelled.push(entry.target);
                    }
                }
            }
        }
        true
    }
}

/// First pass over a group: all of its step, of which `before` is given. Returns the denominators.
#[inline(always)]
fn prepare<A: MsmPoint, V: Vector, S: Sources<A>, const EXCEPTIONAL: bool>(
    cpu: V::Cpu,
    slots: &[Slot<A::Base>],
    from: S,
    entries: &[Entry; LANES],
    step: &mut Step<A::Base>,
    before: Lane<A, V>,
) -> Lane<A, V> {
    before.store_block(&mut step.before);
    let (x1, y1) = slots::load::<A::Base, V>(cpu, slots, slots::targets(entries));
    let (x2, y2) = from.load::<V>(cpu, slots, entries);
    let dx = x2.difference(x1);
    let mut dy = y2.difference(y1);
    if EXCEPTIONAL {
        let equal_x = dx.zeros();
        let vertical = y1.zeros() | !dy.zeros();
        step.doubled = (equal_x & !vertical).0;
        step.cancelled = (equal_x & vertical).0;
        let a = Lane::<A, V>::load_coefficient(cpu, &A::COEFFICIENT_A);
        dy = dy.choose(Lane::<A, V>::tangent_numerator(x1, a), Mask(step.doubled));
    }
    dx.store_block(&mut step.dx);
    dy.store_block(&mut step.dy);
    if !EXCEPTIONAL {
        return dx;
    }
    let tangent = Lane::<A, V>::tangent_denominator(y1);
    let denominator = dx
        .choose(tangent, Mask(step.doubled))
        .choose(Lane::<A, V>::one(cpu), Mask(step.cancelled));
    denominator.store_block(&mut step.exceptional);
    denominator
}

#[inline(always)]
fn load<A: MsmPoint, V: Vector>(cpu: V::Cpu, block: &<A::Base as Coordinate>::Block) -> Lane<A, V> {
    Lane::<A, V>::load_block(cpu, block)
}

#[inline(always)]
fn halves(pair: &[Entry; PAIR]) -> [&[Entry; LANES]; 2] {
    let (halves, _) = pair.as_chunks::<LANES>();
    [&halves[0], &halves[1]]
}
