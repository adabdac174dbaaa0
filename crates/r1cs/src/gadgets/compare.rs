//! Bits against a constant bound, at a constraint for each run of zeros of the bound.
//!
//! Read from the top of the bound, the integer is equal to it so far or already below. A zero bit where the bound has a
//! one makes it below. The number of these bits so far is the *slack*. A one where the bound has a zero makes it above,
//! if there is no slack.
//!
//! Take a run of zeros of the bound after slack `d`, over which the integer's bits sum to `z`. A wire `w` with `d·w =
//! z` exists if and only if `d ≠ 0` or `z = 0`. Both are counts, too small to wrap around.
//!
//! Bits may be scaled: each is zero or one and the same non-zero `unit`. Counts then are scaled as well, and nothing
//! else changes.

use core::ops::Range;
use frumious_curves::engine::ScalarField;
use frumious_field::Field;

use crate::{Component, LinearCombination, Signal};

type Sum<F> = LinearCombination<F>;

/// The slack becomes a wire of its own after so many bits: the side A of constraints stays short.
const BITS_PER_WIRE: usize = 12;

/// The largest slack to begin with, in units.
pub(crate) const MAX_SLACK: usize = 15;

/// The integer of some bits, the least significant first and each zero or `unit`. The constraints hold without more if
/// `slack`, from 0 to [`MAX_SLACK`] times `unit`, is not zero.
pub(crate) struct Comparison<'b, F> {
    pub(crate) bits: &'b [Sum<F>],
    pub(crate) unit: Sum<F>,
    pub(crate) slack: Sum<F>,
}

/// Equal bits of the bound.
#[derive(Clone)]
struct Run {
    ones: bool,
    places: Range<usize>,
    /// True if the slack becomes a wire before it.
    wire: bool,
}

impl<F: ScalarField> Comparison<'_, F> {
    /// Constrains the integer to at most `bound`: a constraint for each run of zeros in it, and one more for every
    /// twelve ones.
    pub(crate) fn assert_at_most(&self, component: &mut Component<'_, F>, bound: &[u64]) {
        let runs = runs(self.bits.len(), bound);
        let (wires, quotients) = self.values(component, &runs);
        let (mut wires, mut quotients) = (wires.into_iter(), quotients.into_iter());
        let mut slack = self.slack.clone();
        for run in &runs {
            let bits = &self.bits[run.places.clone()];
            let sum = bits.iter().fold(Sum::ZERO, |sum, bit| sum + bit);
            if run.ones {
                slack += self.unit.clone() * F::from_u64(bits.len() as u64) - sum;
                continue;
            }
            if run.wire {
                let wire = wires.next().expect("a wire for each mark");
                component.constrain(Sum::ZERO, Sum::ZERO, slack - wire);
                slack = wire.into();
            }
            let quotient = quotients.next().expect("one for each run of zeros");
            component.constrain(slack.clone(), quotient, sum);
        }
    }

    /// Constrains the integer to at least `bound`: its complement is at most that of the bound.
    pub(crate) fn assert_at_least(&self, component: &mut Component<'_, F>, bound: &[u64]) {
        let bits: Vec<Sum<F>> = self
            .bits
            .iter()
            .map(|bit| self.unit.clone() - bit)
            .collect();
        let mut complement: Vec<u64> = bound.iter().map(|word| !word).collect();
        for (i, word) in complement.iter_mut().enumerate() {
            let used = bits.len().saturating_sub(64 * i).min(64) as u32;
            *word &= u64::MAX.checked_shr(64 - used).unwrap_or(0);
        }
        let complemented = Comparison {
            bits: &bits,
            unit: self.unit.clone(),
            slack: self.slack.clone(),
        };
        complemented.assert_at_most(component, &complement);
    }

    /// The wires that slacks become, and the quotients.
    fn values(&self, component: &mut Component<'_, F>, runs: &[Run]) -> (Vec<Signal>, Vec<Signal>) {
        let n_wires = runs.iter().filter(|run| run.wire).count();
        let n_quotients = runs.iter().filter(|run| !run.ones).count();
        let mut inputs = vec![self.unit.clone(), self.slack.clone()];
        inputs.extend(self.bits.iter().cloned());
        let inverses = inverses::<F>(MAX_SLACK + self.bits.len());
        let runs = runs.to_vec();
        let mut outputs =
            component.native(&inputs, n_wires + n_quotients, move |inputs, outputs| {
                let (head, bits) = inputs.split_at(2);
                let (wires, quotients) = outputs.split_at_mut(n_wires);
                let (mut wires, mut quotients) = (wires.iter_mut(), quotients.iter_mut());
                // In units. A slack that is no such multiple belongs to a witness that does not satisfy.
                let is_slack = |n: &usize| head[0] * F::from_u64(*n as u64) == head[1];
                let mut slack = (0..=MAX_SLACK).find(is_slack).unwrap_or(0);
                for run in &runs {
                    let bits = &bits[run.places.clone()];
                    let set = bits.iter().filter(|bit| **bit != F::ZERO).count();
                    if run.ones {
                        slack += bits.len() - set;
                        continue;
                    }
                    if run.wire {
                        let wire = wires.next().expect("a wire for each mark");
                        *wire = head[0] * F::from_u64(slack as u64);
                    }
                    let quotient = quotients.next().expect("one for each run of zeros");
                    *quotient = inverses[slack] * F::from_u64(set as u64);
                }
            });
        let quotients = outputs.split_off(n_wires);
        (outputs, quotients)
    }
}

/// Those of `bound` in `n_bits` bits, from the top.
///
/// # Panics
/// When `bound` has more bits.
fn runs(n_bits: usize, bound: &[u64]) -> Vec<Run> {
    let is_one = |i: usize| {
        let word = bound.get(i / 64);
        word.is_some_and(|word| word >> (i % 64) & 1 == 1)
    };
    assert!(
        (n_bits..64 * bound.len()).all(|i| !is_one(i)),
        "the bound has more bits than the {n_bits} of the value"
    );
    let mut runs = Vec::new();
    let mut high = n_bits;
    let mut ones_since_wire = 0;
    while high > 0 {
        let ones = is_one(high - 1);
        let other = (0..high).rev().find(|i| is_one(*i) != ones);
        let low = other.map_or(0, |i| i + 1);
        let wire = !ones && ones_since_wire >= BITS_PER_WIRE;
        if ones {
            ones_since_wire += high - low;
        } else if wire {
            ones_since_wire = 0;
        }
        runs.push(Run {
            ones,
            places: low..high,
            wire,
        });
        high = low;
    }
    runs
}

/// `1/i` at place `i`, for `1` to `last`; zero at the first.
fn inverses<F: Field>(last: usize) -> Vec<F> {
    let mut values: Vec<F> = Vec::with_capacity(last + 1);
    let mut value = F::ZERO;
    for _ in 0..=last {
        values.push(value);
        value += F::ONE;
    }
    F::batch_invert_vartime(&mut values, &mut Vec::new());
    values
}
