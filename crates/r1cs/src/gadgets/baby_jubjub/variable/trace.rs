//! The prover's computation of a multiple of a point: in Edwards form, with one inversion for all points and one for
//! all slopes.

use frumious_curves::bn254::Fr;
use frumious_field::batch_invert_vartime;
use zeroize::Zeroizing;

use super::super::point::{Extended, Point};
use super::super::scalar::Scalar;

/// The bits of `k` that have steps, from the highest to the lowest.
const HIGH_STEP: usize = 249;
const LOW_STEP: usize = 2;
const N_STEPS: usize = HIGH_STEP + 1 - LOW_STEP;

/// Seven bits, and six values a step.
pub(super) const N_VALUES: usize = 7 + 6 * N_STEPS;

/// Those of `super::Wires` for the point `(u, v)`. For one that is not of order `l` they are anything.
pub(super) fn values(u: Fr, v: Fr, scalar: Fr, outputs: &mut [Fr]) {
    let (k, multiple) = split(scalar);
    #[cfg(test)]
    let (k, multiple) = SPLIT.get().unwrap_or((k, multiple));
    let bit = |i: usize| k[i / 64] >> (i % 64) & 1 == 1;
    let (head, steps) = outputs.split_at_mut(7);
    let five = bit(251);
    // j + 1 from 0 to 8: the fourth bit counts for one more.
    let other = multiple / 8;
    let bits = [
        multiple - other,
        (multiple - other) >> 1,
        (multiple - other) >> 2,
    ];
    for (out, value) in head.iter_mut().zip(bits) {
        *out = Fr::from_u64(value & 1);
    }
    let others = [other, five.into(), bit(0).into(), bit(1).into()];
    for (out, value) in head[3..].iter_mut().zip(others) {
        *out = Fr::from_u64(value);
    }

    // x = u/v, y = (u - 1)/(u + 1)
    let above = u + Fr::ONE;
    let inverse = (v * above).invert().unwrap_or(Fr::ZERO);
    let point = Extended::from(Point {
        x: u * inverse * above,
        y: (u - Fr::ONE) * inverse * v,
    });
    let opposite = point.neg();
    let three = point.double().add(&point);
    let mut at = match five {
        true => three.add(&point.double()),
        false => three,
    };
    // A, then A ± P and 2A ± P of each step.
    let mut points = Zeroizing::new(Vec::with_capacity(2 * N_STEPS + 1));
    points.push(at);
    for i in (LOW_STEP..=HIGH_STEP).rev() {
        let between = at.add(if bit(i) { &point } else { &opposite });
        at = between.add(&at);
        points.extend([between, at]);
    }
    let points = Extended::to_montgomery_vartime(&points);
    let step = |i: usize| (points[2 * i], points[2 * i + 1], points[2 * i + 2]);

    // With capacity: a vector that grows frees its old memory as it is.
    let [mut inverses, mut scratch] =
        [(); 2].map(|()| Zeroizing::new(Vec::with_capacity(2 * N_STEPS)));
    for i in 0..N_STEPS {
        let (from, between, _) = step(i);
        inverses.extend([from.0 - u, from.0 - between.0]);
    }
    batch_invert_vartime(&mut inverses, &mut scratch);
    for (i, out) in steps.chunks_exact_mut(6).enumerate() {
        let (from, between, to) = step(i);
        let q = if bit(HIGH_STEP - i) { v } else { -v };
        let slope = (from.1 - q) * inverses[2 * i];
        let second = from.1.double() * inverses[2 * i + 1] - slope;
        out.copy_from_slice(&[q, slope, between.0, second, to.0, to.1]);
    }
}

/// `k` and `j + 1` with `scalar = k + j·l` and `2^250 ≤ k < 2^250 + l`.
fn split(scalar: Fr) -> ([u64; 4], u64) {
    let mut k = scalar;
    let order = Fr::from_words_reduced(Scalar::MODULUS);
    let below = |value: Fr, bound: &[u64; 4]| {
        frumious_limbs::words::less_than_vartime(&value.to_canonical_limbs(), bound)
    };
    let mut multiple = 1;
    if below(k, &[0, 0, 0, 1 << 58]) {
        k += order;
        multiple -= 1;
    }
    let mut end = Scalar::MODULUS;
    end[3] += 1 << 58;
    while !below(k, &end) {
        k -= order;
        multiple += 1;
    }
    (k.to_canonical_limbs(), multiple)
}

#[cfg(test)]
thread_local! {
    /// The values that a dishonest prover takes for `k` and `j + 1`.
    pub(super) static SPLIT: core::cell::Cell<Option<([u64; 4], u64)>> = const { core::cell::Cell::new(None) };
}
