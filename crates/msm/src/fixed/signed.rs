//! Integers for digits −1 and 1: halves modulo the order, see `comb`.

use super::group::FixedGroup;
use frumious_field::{Field, Integer};

/// `2^n − 1` modulo the order.
pub(super) fn all_ones<G: FixedGroup>(n: usize) -> [u64; 4] {
    let power = (0..n).fold(G::Scalar::ONE, |power, _| power.double());
    *Integer::from(power - G::Scalar::ONE).words()
}

/// `(a + b)/2` modulo the odd number `order`, for numbers below it.
#[inline]
pub(super) fn half_of_sum(a: &[u64; 4], b: &[u64; 4], order: &[u64; 4]) -> [u64; 4] {
    // The sum less `order` if there is so much, else as it is; then plus `order` if it is odd: below `order` after halving.
    let (sum, over) = add(a, b);
    let (less, under) = subtract(&sum, order);
    let reduced = if over || !under { less } else { sum };
    let odd = (reduced[0] & 1).wrapping_neg();
    let (even, carry) = add(&reduced, &order.map(|word| word & odd));
    core::array::from_fn(|k| {
        let next = even.get(k + 1).copied().unwrap_or(u64::from(carry));
        even[k] >> 1 | next << 63
    })
}

#[inline(always)]
fn add(a: &[u64; 4], b: &[u64; 4]) -> ([u64; 4], bool) {
    let (mut sum, mut carry) = ([0; 4], false);
    for k in 0..4 {
        (sum[k], carry) = a[k].carrying_add(b[k], carry);
    }
    (sum, carry)
}

#[inline(always)]
fn subtract(a: &[u64; 4], b: &[u64; 4]) -> ([u64; 4], bool) {
    let (mut difference, mut borrow) = ([0; 4], false);
    for k in 0..4 {
        (difference[k], borrow) = a[k].borrowing_sub(b[k], borrow);
    }
    (difference, borrow)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)] // in a test, a failed unwrap is the failure
    use super::*;
    use crate::fixed::{Banderwagon, Bn254G1};
    use frumious_field::WordField;

    fn halves<G: FixedGroup>() {
        let half = (G::Scalar::ONE.double()).invert_vartime().unwrap();
        let mut values = vec![
            G::Scalar::ZERO,
            G::Scalar::ONE,
            -G::Scalar::ONE,
            half,
            -half,
        ];
        for _ in 0..6 {
            let last = *values.last().unwrap();
            values.push(last.square() + G::Scalar::ONE);
        }
        for a in &values {
            for b in &values {
                let expected = *Integer::from((*a + *b) * half).words();
                let [a, b] = [*a, *b].map(|value| *Integer::from(value).words());
                assert_eq!(
                    half_of_sum(&a, &b, &G::Scalar::MODULUS_64.p),
                    expected,
                    "{a:x?} {b:x?}"
                );
            }
        }
    }

    #[test]
    fn halves_are_those_of_the_field() {
        halves::<Banderwagon>();
        halves::<Bn254G1>();
    }
}
