//! Operations on each element by itself, in lanes.

use crate::lanes::{self, Lanes5};
use crate::{Integer, WordField};
use frumious_simd::{Kernel, LANES, Vector};

/// Replaces each element of a vector by what an operation makes of it and of those at its place in `N` others.
pub(super) struct Each<'a, F, T, O, const N: usize> {
    operation: O,
    target: &'a mut [T],
    sources: [&'a [F]; N],
}

/// Work on eight elements of the target and of each source.
pub(super) trait Operation<F, T, const N: usize> {
    fn apply<V: Vector>(&self, cpu: V::Cpu, target: &mut [T; LANES], sources: [&[F; LANES]; N]);
}

impl<'a, F, T, O, const N: usize> Each<'a, F, T, O, N> {
    /// The operation on vectors of one length.
    pub(super) fn new(operation: O, target: &'a mut [T], sources: [&'a [F]; N]) -> Self {
        Self {
            operation,
            target,
            sources,
        }
    }
}

impl<F, T, O, const N: usize> Kernel for Each<'_, F, T, O, N>
where
    F: WordField,
    T: Copy + Default,
    O: Operation<F, T, N>,
{
    type Output = ();

    #[inline(always)]
    fn run<V: Vector>(self, cpu: V::Cpu) {
        let zeros = [F::ZERO; LANES];
        let (blocks, rest) = self.target.as_chunks_mut::<LANES>();
        let mut sources: [&[[F; LANES]]; N] = [&[]; N];
        let mut rests: [&[F]; N] = [&[]; N];
        for n in 0..N {
            (sources[n], rests[n]) = self.sources[n].as_chunks();
        }
        for (i, block) in blocks.iter_mut().enumerate() {
            let mut eights = [&zeros; N];
            for n in 0..N {
                // always some, as the lengths are one; `if let` leaves no panic in the loop
                if let Some(eight) = sources[n].get(i) {
                    eights[n] = eight;
                }
            }
            self.operation.apply::<V>(cpu, block, eights);
        }
        if rest.is_empty() {
            return;
        }
        let mut padded = [zeros; N];
        for n in 0..N {
            copy(&mut padded[n], rests[n]);
        }
        let mut eights = [&zeros; N];
        for n in 0..N {
            eights[n] = &padded[n];
        }
        let mut target = [T::default(); LANES];
        copy(&mut target, rest);
        self.operation.apply::<V>(cpu, &mut target, eights);
        copy(rest, &target);
    }
}

/// As much of `source` as both have.
#[inline(always)]
pub(super) fn copy<T: Copy>(target: &mut [T], source: &[T]) {
    for (target, source) in target.iter_mut().zip(source) {
        *target = *source;
    }
}

/// The packed numbers as they are. Below `p`.
#[inline(always)]
pub(super) fn numbers<F: WordField, V: Vector>(cpu: V::Cpu, elements: &[F; LANES]) -> Lanes5<F, V> {
    Lanes5::load_words::<4, 1>(cpu, lanes::rows(elements))
}

/// The packed numbers out again, for values below `2p`.
#[inline(always)]
pub(super) fn store<F: WordField, V: Vector>(numbers: Lanes5<F, V>, elements: &mut [F; LANES]) {
    numbers.reduce().store_words(lanes::rows_mut(elements));
}

/// The same element in every lane, in lane form. Below `2p`.
#[inline(always)]
pub(super) fn broadcast<F: WordField, V: Vector>(cpu: V::Cpu, element: &F) -> Lanes5<F, V> {
    lanes::load(cpu, &[*element; LANES]).reduce_weakly()
}

/// The packed product. Below `2p`: the bounds of the factors are `16p` and `p`.
#[inline(always)]
fn product<F: WordField, V: Vector>(cpu: V::Cpu, a: &[F; LANES], b: &[F; LANES]) -> Lanes5<F, V> {
    lanes::load(cpu, a) * numbers(cpu, b)
}

pub(super) struct MultiplyBy;

impl<F: WordField> Operation<F, F, 1> for MultiplyBy {
    #[inline(always)]
    fn apply<V: Vector>(&self, cpu: V::Cpu, a: &mut [F; LANES], [b]: [&[F; LANES]; 1]) {
        store(product::<F, V>(cpu, a, b), a);
    }
}

pub(super) struct Product;

impl<F: WordField> Operation<F, F, 2> for Product {
    #[inline(always)]
    fn apply<V: Vector>(&self, cpu: V::Cpu, out: &mut [F; LANES], [a, b]: [&[F; LANES]; 2]) {
        store(product::<F, V>(cpu, a, b), out);
    }
}

pub(super) struct ProductMinus;

impl<F: WordField> Operation<F, F, 2> for ProductMinus {
    #[inline(always)]
    fn apply<V: Vector>(&self, cpu: V::Cpu, c: &mut [F; LANES], [a, b]: [&[F; LANES]; 2]) {
        let difference = product::<F, V>(cpu, a, b).minus::<1>(numbers(cpu, c)); // below 3p
        store(difference.subtract_once::<2>(), c);
    }
}

pub(super) struct ProductMinusToInteger;

impl<F: WordField> Operation<F, Integer<F>, 3> for ProductMinusToInteger {
    #[inline(always)]
    fn apply<V: Vector>(
        &self,
        cpu: V::Cpu,
        out: &mut [Integer<F>; LANES],
        [a, b, c]: [&[F; LANES]; 3],
    ) {
        // lane forms: a·2^260 and b·2^260 below 16p, the second brought below 2p
        let product = lanes::load::<F, V>(cpu, a) * lanes::load(cpu, b).reduce_weakly();
        let difference = product.minus::<16>(lanes::load(cpu, c));
        difference
            .to_numbers()
            .store_words(lanes::integers_mut(out));
    }
}

pub(super) struct ToInteger;

impl<F: WordField> Operation<F, Integer<F>, 1> for ToInteger {
    #[inline(always)]
    fn apply<V: Vector>(
        &self,
        cpu: V::Cpu,
        out: &mut [Integer<F>; LANES],
        [values]: [&[F; LANES]; 1],
    ) {
        let values = lanes::load::<F, V>(cpu, values);
        values.to_numbers().store_words(lanes::integers_mut(out));
    }
}

pub(super) struct Scale<F>(pub(super) F);

impl<F: WordField> Operation<F, F, 0> for Scale<F> {
    #[inline(always)]
    fn apply<V: Vector>(&self, cpu: V::Cpu, a: &mut [F; LANES], []: [&[F; LANES]; 0]) {
        store(broadcast::<F, V>(cpu, &self.0) * numbers(cpu, a), a);
    }
}

pub(super) struct AddScaled<F>(pub(super) F);

impl<F: WordField> Operation<F, F, 1> for AddScaled<F> {
    #[inline(always)]
    fn apply<V: Vector>(&self, cpu: V::Cpu, sum: &mut [F; LANES], [a]: [&[F; LANES]; 1]) {
        let scaled = broadcast::<F, V>(cpu, &self.0) * numbers(cpu, a);
        let sum_of_both = scaled + numbers(cpu, sum); // below 3p
        store(sum_of_both.subtract_once::<2>(), sum);
    }
}
