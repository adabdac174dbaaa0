//! Powers of eight bases at once: what the elements of eight rows are multiplied by between columns and rows.

use frumious_field::lanes::Lanes5;
use frumious_field::{WordField, lanes};
use frumious_simd::{LANES, LaneFactor, Lanes, Vector};

/// For each of eight rows, where its powers start and what each is multiplied by to get the next.
#[derive(Clone, Copy)]
pub(super) struct Progressions<F> {
    pub start: [F; LANES],
    pub step: [F; LANES],
}

/// `start·step^j` for `j = 0, 1, 2 …` in lane form, as four interleaved chains: one would run at the latency of a
/// product.
pub(super) struct Powers<F, V> {
    next: [Lanes5<F, V>; 4],
    stride: LaneFactor<5>,
}

impl<F: WordField, V: Vector> Powers<F, V> {
    #[inline(always)]
    pub fn new(cpu: V::Cpu, progressions: &Progressions<F>) -> Self {
        let start = lanes::load::<F, V>(cpu, &progressions.start).reduce_weakly();
        let step = lanes::load::<F, V>(cpu, &progressions.step).reduce_weakly();
        let square = step.square();
        let second = start * step;
        Self {
            next: [start, second, start * square, second * square],
            stride: square.square().to_factor(),
        }
    }

    /// The next four. Below `6p`.
    #[inline(always)]
    pub fn next_four(&mut self) -> [Lanes5<F, V>; 4] {
        let four = self.next;
        let [p0, p1, p2, p3] = four;
        let stride = &self.stride;
        let [q0, q1] = Lanes::times_each([p0, p1], [stride, stride]);
        let [q2, q3] = Lanes::times_each([p2, p3], [stride, stride]);
        self.next = [
            q0.carry::<3>(),
            q1.carry::<3>(),
            q2.carry::<3>(),
            q3.carry::<3>(),
        ];
        four
    }
}
