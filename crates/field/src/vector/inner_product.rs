//! Sums over a vector, in lanes: eight sums side by side, added up at the end.

use super::each::{copy, numbers, store};
use crate::WordField;
use crate::lanes::{self, Lanes5};
use frumious_simd::{Kernel, LANES, Vector, Wide};

/// `Σ a[i]·b[i]` of vectors of one length.
pub(super) struct InnerProduct<'a, F> {
    pub(super) a: &'a [F],
    pub(super) b: &'a [F],
}

/// Blocks of eight products that one reduction serves. With bounds `16p` and `p` of the factors, the sum is below
/// `(16·62/headroom + 3)p`. That is 32p where the headroom is least, 35.
const AT_ONCE: usize = 62;

impl<F: WordField> Kernel for InnerProduct<'_, F> {
    type Output = F;

    #[inline(always)]
    fn run<V: Vector>(self, cpu: V::Cpu) -> F {
        let (a, a_rest) = self.a.as_chunks::<LANES>();
        let (b, b_rest) = self.b.as_chunks::<LANES>();
        let (mut a_last, mut b_last) = ([F::ZERO; LANES], [F::ZERO; LANES]);
        copy(&mut a_last, a_rest);
        copy(&mut b_last, b_rest);
        let mut total = lanes::load::<F, V>(cpu, &a_last) * numbers(cpu, &b_last);
        for (a, b) in a.chunks(AT_ONCE).zip(b.chunks(AT_ONCE)) {
            let mut sum = Wide::zero(cpu);
            sum.add_reduced(total);
            for (a, b) in a.iter().zip(b) {
                sum.add_product(lanes::load::<F, V>(cpu, a), numbers(cpu, b));
            }
            total = sum.reduce().reduce_weakly();
        }
        across(total)
    }
}

/// `Σ a[i]`.
pub(super) struct Sum<'a, F> {
    pub(super) a: &'a [F],
}

/// Blocks of eight summands between two reductions, for a sum below `35p`.
const SUMMANDS: usize = 33;

impl<F: WordField> Kernel for Sum<'_, F> {
    type Output = F;

    #[inline(always)]
    fn run<V: Vector>(self, cpu: V::Cpu) -> F {
        let (a, rest) = self.a.as_chunks::<LANES>();
        let mut last = [F::ZERO; LANES];
        copy(&mut last, rest);
        let mut total = numbers::<F, V>(cpu, &last).assume_below::<2>();
        for a in a.chunks(SUMMANDS) {
            let mut sum = total.sum();
            for a in a {
                sum = sum + numbers(cpu, a);
            }
            total = sum.carry::<0>().reduce_weakly();
        }
        across(total)
    }
}

/// The sum of the eight packed numbers, below `2p` each.
#[inline(always)]
fn across<F: WordField, V: Vector>(total: Lanes5<F, V>) -> F {
    let mut sums = [F::ZERO; LANES];
    store(total, &mut sums);
    let [s0, s1, s2, s3, s4, s5, s6, s7] = sums;
    ((s0 + s1) + (s2 + s3)) + ((s4 + s5) + (s6 + s7))
}
