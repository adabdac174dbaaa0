//! Slices of elements, inverted in lanes.

use super::eights::EightsMut;
use super::fractions::{Fractions, InvertAll};
use super::{AT_ONCE, batch_invert_scalar_vartime};
use crate::WordField;
use crate::lanes::{self, Lanes5};
use frumious_simd::{LANES, Lanes, Vector};

/// Batches as long as this go into lanes. Below it the inversion is nearly all there is, and twenty products around it
/// cost as much as the batch saves.
const LANES_FROM: usize = 16;

/// [`batch_invert_vartime`](super::batch_invert_vartime) for fields of four words.
pub fn batch_invert_words_vartime<F: WordField>(values: &mut [F], scratch: &mut Vec<F>) {
    match lanes::active() {
        Some(cpu) if values.len() >= LANES_FROM => {
            let room = values.len().min(AT_ONCE).next_multiple_of(LANES);
            if scratch.len() < room {
                scratch.resize(room, F::ZERO);
            }
            for values in values.chunks_mut(AT_ONCE) {
                let mut inverses = Inverses::new(values, scratch);
                cpu.run(InvertAll(&mut inverses));
                inverses.values.finish();
            }
        }
        _ => batch_invert_scalar_vartime(values, scratch),
    }
}

/// Elements to be replaced by their inverses, zeros by zeros.
pub(super) struct Inverses<'a, F> {
    pub(super) values: EightsMut<'a, F>,
    before: EightsMut<'a, F>,
}

impl<'a, F: WordField> Inverses<'a, F> {
    /// `room` is as long as `values`, rounded up to eights, or longer.
    pub(super) fn new(values: &'a mut [F], room: &'a mut [F]) -> Self {
        Self {
            values: EightsMut::new(values, F::ONE),
            before: EightsMut::new(room, F::ZERO),
        }
    }
}

impl<F: WordField> Fractions for Inverses<'_, F> {
    type Denominator = F;

    #[inline(always)]
    fn blocks(&self) -> usize {
        self.values.blocks()
    }

    #[inline(always)]
    fn denominators<V: Vector>(&self, cpu: V::Cpu, i: usize) -> Lanes5<F, V> {
        let values = lanes::load(cpu, self.values.get(i));
        values.select(Lanes::one(cpu), values.is_number_zero())
    }

    #[inline(always)]
    fn room(&mut self, i: usize) -> [&mut [u64; 4]; LANES] {
        lanes::rows_mut(self.before.get_mut(i))
    }

    #[inline(always)]
    fn kept(&self, i: usize) -> [&[u64; 4]; LANES] {
        lanes::rows(self.before.get(i))
    }

    #[inline(always)]
    fn finish<V: Vector>(&mut self, cpu: V::Cpu, i: usize, inverses: Lanes5<F, V>) {
        let values = self.values.get_mut(i);
        let zero = lanes::load::<F, V>(cpu, values).is_number_zero();
        let inverses = inverses.reduce().select(Lanes::zero(cpu), zero);
        inverses.store_words(lanes::rows_mut(values));
    }
}
