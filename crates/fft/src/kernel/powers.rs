//! In and out of kernel form, each element multiplied by a power on the way.

use frumious_field::{Field, TransformField};

/// `to[j] ← start·step^j·from[j]`; equal lengths. Cost: two products for each element.
pub(crate) fn load_by_powers<V: TransformField>(
    cpu: V::Cpu,
    from: &[V::Scalar],
    to: &mut [V],
    start: V::Scalar,
    step: V::Scalar,
) {
    debug_assert_eq!(from.len(), to.len());
    let mut powers = Powers::<V>::new(cpu, start, step);
    for (from, to) in from.chunks(4).zip(to.chunks_mut(4)) {
        for ((from, to), power) in from.iter().zip(to).zip(powers.next_four()) {
            *to = V::load(cpu, *from) * power;
        }
    }
}

/// `to[j] ← start·step^j·from[j]`; equal lengths. Cost: two products for each element.
pub(crate) fn store_by_powers<V: TransformField>(
    cpu: V::Cpu,
    from: &[V],
    to: &mut [V::Scalar],
    start: V::Scalar,
    step: V::Scalar,
) {
    debug_assert_eq!(from.len(), to.len());
    let mut powers = Powers::<V>::new(cpu, start, step);
    for (from, to) in from.chunks(4).zip(to.chunks_mut(4)) {
        for ((from, to), power) in from.iter().zip(to).zip(powers.next_four()) {
            *to = (*from * power).store();
        }
    }
}

/// `start·step^j` for `j = 0, 1, 2 …`, as four interleaved chains: one would run at the latency of a product.
struct Powers<V: TransformField> {
    next: [V; 4],
    stride: V::Factor,
}

impl<V: TransformField> Powers<V> {
    fn new(cpu: V::Cpu, start: V::Scalar, step: V::Scalar) -> Self {
        let square = step.square();
        let second = start * step;
        let next = [start, second, start * square, second * square];
        Self {
            next: next.map(|power| V::load(cpu, power)),
            stride: V::factor(cpu, square.square()),
        }
    }

    #[inline(always)]
    fn next_four(&mut self) -> [V; 4] {
        let four = self.next;
        self.next = four.map(|power| power.times(&self.stride));
        four
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tests::small_field::BabyBear;
    use frumious_field::PrimeField;

    #[test]
    fn each_element_gets_its_power() {
        let (start, step) = (BabyBear::from_u64(17), BabyBear::from_u64(31));
        for len in [0, 1, 2, 3, 4, 5, 8, 31, 32] {
            let from: Vec<_> = (1..=len as u64).map(BabyBear::from_u64).collect();
            let expected: Vec<_> = from
                .iter()
                .zip(0..)
                .map(|(value, j)| *value * start * step.pow_vartime(&[j]))
                .collect();
            let mut to = vec![BabyBear::default(); len];
            load_by_powers((), &from, &mut to, start, step);
            assert_eq!(to, expected);
            to.fill(BabyBear::default());
            store_by_powers((), &from, &mut to, start, step);
            assert_eq!(to, expected);
        }
    }
}
