//! Multiples of any point of order `l` in circuits.
//!
//! The scalar `h` is a field element, its integer below the field's modulus `p`. A prover gives `k` in `2^250 ≤ k <
//! 3·2^250` and `j` from -1 to 7 with `h = k + j·l`, so that `h·P = k·P`. Every `h` has at least one such pair. Some
//! have more, which does no harm.
//!
//! **The integers are equal**, not only congruent modulo `p`: `k + j·l` is no less than zero for `j ≥ 0` and below `p`
//! for `j ≤ 6`, as `3·2^250 + 6·l < p`. And two comparisons constrain `k ≥ l` for `j = -1` and `k < p - 7·l` for
//! `j = 7`.
//!
//! **No addition is exceptional.** Write `a_i` for the odd one of `⌊k/2^i⌋` and its successor. `a_249` is 3 or 5, and
//! `a_{i-1} = 2·a_i ± 1`, plus if bit `i` of `k` is one. From `A = a_i·P` a step finds `(A ± P) + A`. As `3 ≤ a_i <
//! 3·2^249 < l - 1` for `i ≥ 1` and `a_i` is odd, it is none of `0`, `1` and `-1` modulo `l`: `A ≠ ±P`. And `A ± P =
//! ±A` would mean that `P` or `a_{i-1}·P` is zero.
//!
//! Steps down to `a_1·P` are therefore incomplete additions on the Montgomery curve, and no wire holds `v` of `A ± P`.
//! With the slopes `λ` of the line through `A` and `±P`, and `μ` of that through `A` and `A ± P`, `(λ + μ)·(u_A -
//! u_{A±P}) = 2·v_A`. Sources: Zcash Protocol Specification, section 5.4.9.8; The halo2 Book, "Variable-base scalar
//! multiplication".
//!
//! The complete law then adds `k·P = 2·a_1·P + e·P` with `e` from -2 to 1. Any scalar has its result, zero and `l` too.
//!
//! **Bits are scaled.** `±P` has the coordinate `q = ±v_P`, constrained by `q² = v_P²`. That costs as much as a
//! boolean, and spares the product of a boolean with `v_P`. Their sum is compared with `v_P·h`.
//!
//! A step is six constraints: `λ·(u_A - u_P) = v_A - q`, `λ² = …`, `(λ + μ)·(u_A - u_R) = 2·v_A`, `μ² = …`,
//! `μ·(u_A - u') = v' + v_A` and `q²`.

mod trace;

use frumious_curves::bn254::Fr;

use super::edwards::CircuitPoint;
use super::montgomery::{A, Montgomery, PrimeOrderPoint, add, double, to_edwards};
use super::scalar::Scalar;
use crate::gadgets::bits::assert_boolean;
use crate::gadgets::compare::Comparison;
use crate::{Component, LinearCombination, Signal};
use trace::N_VALUES;

type Sum = LinearCombination<Fr>;

/// `scalar·point`, the scalar's integer being the one below the field's modulus. 1673 constraints.
pub fn mul(
    c: &mut Component<'_, Fr>,
    point: &PrimeOrderPoint,
    scalar: impl Into<Sum>,
) -> CircuitPoint {
    let scalar = scalar.into();
    let p = point.0;
    let wires = Wires::new(c, p, &scalar);
    wires.constrain_scalar(c, p, scalar);

    let twice = double(c, p);
    let three_times = add(c, twice, p);
    let five_times = add(c, three_times, twice);
    let mut chosen = |three: Signal, five: Signal| {
        let moved = c.product(wires.starts_at_five, Sum::from(five) - three);
        Sum::from(three) + moved
    };
    let u = chosen(three_times.u, five_times.u);
    let v = chosen(three_times.v, five_times.v);
    let mut at = (u, v);
    for step in &wires.steps {
        at = step.constrain(c, p, at);
    }
    let [u, v] = [c.signal(at.0), c.signal(at.1)]; // of the last step: signals already
    let doubled = double(c, Montgomery { u, v });
    let doubled = to_edwards(c, doubled);
    let last = wires.last_multiple(c, p, twice);
    doubled.add(c, &last)
}

/// The wires whose values [`trace`] finds, in its order.
struct Wires {
    /// Bits of `j + 1`, which is the sum of 1, 2, 4 and 1 times them.
    multiple: [Signal; 4],
    /// True if `k ≥ 2^251`.
    starts_at_five: Signal,
    /// The two lowest bits of `k`.
    low: [Signal; 2],
    /// From bit 249 of `k` to bit 2.
    steps: Vec<Step>,
}

/// From `A` to `2·A ± P`.
struct Step {
    q: Signal,
    slope: Signal,
    between: Signal,
    second_slope: Signal,
    next: Montgomery,
}

impl Wires {
    fn new(c: &mut Component<'_, Fr>, p: Montgomery, scalar: &Sum) -> Self {
        let inputs = [p.u.into(), p.v.into(), scalar.clone()];
        let all = c.native(&inputs, N_VALUES, |inputs, outputs| {
            trace::values(inputs[0], inputs[1], inputs[2], outputs);
        });
        let (head, steps) = all.split_at(7);
        let step = |wires: &[Signal]| Step {
            q: wires[0],
            slope: wires[1],
            between: wires[2],
            second_slope: wires[3],
            next: Montgomery {
                u: wires[4],
                v: wires[5],
            },
        };
        Self {
            multiple: [head[0], head[1], head[2], head[3]],
            starts_at_five: head[4],
            low: [head[5], head[6]],
            steps: steps.chunks(6).map(step).collect(),
        }
    }

    /// That the bits are bits, `h = k + j·l`, and the integers are equal.
    fn constrain_scalar(&self, c: &mut Component<'_, Fr>, p: Montgomery, scalar: Sum) {
        let booleans = self.multiple.iter().chain(&self.low);
        for bit in booleans.chain([&self.starts_at_five]) {
            assert_boolean(c, bit);
        }
        let square = c.product(p.v, p.v);
        for step in &self.steps {
            c.constrain(step.q, step.q, square);
        }

        // Bits of k in units of 2v.
        let unit = Sum::from(p.v) + p.v;
        let mut scaled = |value: Sum| Sum::from(c.product(unit.clone(), value));
        let top = scaled(self.starts_at_five.into());
        let mut bits = vec![scaled(self.low[0].into()), scaled(self.low[1].into())];
        let [one, two, four, other] = self.multiple.map(Sum::from);
        let multiple = one + two * Fr::from_u64(2) + four * Fr::from_u64(4) + other;
        let slack = scaled(multiple.clone());
        let steps = self.steps.iter().rev();
        bits.extend(steps.map(|step| Sum::from(step.q) + p.v));
        bits.extend([unit.clone() - &top, top]);

        let mut sum = Sum::ZERO;
        let mut power = Fr::ONE;
        for bit in &bits {
            sum += bit.clone() * power;
            power = power.double();
        }
        let order = Fr::from_words_reduced(Scalar::MODULUS);
        let k = scalar - multiple * order + Sum::constant(order);
        c.constrain(unit.clone(), k, sum);

        let mut comparison = Comparison {
            bits: &bits,
            unit: unit.clone(),
            slack: slack.clone(),
        };
        comparison.assert_at_least(c, &Scalar::MODULUS);
        comparison.slack = unit * Fr::from_u64(8) - slack;
        let above = Fr::ZERO - order * Fr::from_u64(7); // p - 7·l
        comparison.assert_at_most(c, &(above - Fr::ONE).to_canonical_limbs());
    }

    /// `e·P` for `e = 2·low₁ + low₀ - 2`, in Edwards form.
    fn last_multiple(
        &self,
        c: &mut Component<'_, Fr>,
        p: Montgomery,
        twice: Montgomery,
    ) -> CircuitPoint {
        let (p, twice) = (to_edwards(c, p), to_edwards(c, twice));
        let one = Sum::from(Signal::ONE);
        let [low, high] = self.low.map(Sum::from);
        let both = Sum::from(c.product(low.clone(), high.clone()));
        let neither = one.clone() - &low - high + &both; // e = -2
        // x is -2P's, -P's, 0 or P's; y is that of 2P, P, 1 or that of P.
        let x_once = c.product(both.clone() + &both - &low, p.x);
        let x_twice = c.product(neither.clone(), twice.x);
        let y_once = c.product(low, p.y - &one);
        let y_twice = c.product(neither, twice.y - &one);
        CircuitPoint::new(Sum::from(x_once) - x_twice, one + y_once + y_twice)
    }
}

impl Step {
    /// 5 constraints: from `at` and `±P` to `next`.
    fn constrain(&self, c: &mut Component<'_, Fr>, p: Montgomery, at: (Sum, Sum)) -> (Sum, Sum) {
        let (u, v) = at;
        let (slope, second_slope) = (self.slope, self.second_slope);
        let [between, next_u, next_v] = [self.between, self.next.u, self.next.v].map(Sum::from);
        let from_u = u.clone() + Sum::constant(A);
        c.constrain(slope, u.clone() - p.u, v.clone() - self.q);
        c.constrain(slope, slope, from_u.clone() + p.u + &between);
        c.constrain(
            Sum::from(slope) + second_slope,
            u.clone() - &between,
            v.clone() + &v,
        );
        c.constrain(second_slope, second_slope, from_u + &between + &next_u);
        c.constrain(second_slope, u - &next_u, next_v + v);
        self.next.into()
    }
}

#[cfg(test)]
mod tests {
    use super::trace::SPLIT;
    use super::*;
    use crate::gadgets::baby_jubjub::Point;
    use crate::{Circuit, Inputs, Names};

    /// True if the circuit for `h·8·GENERATOR` takes `k` and `j` for `h`, everything else being computed from them.
    fn accepts(h: Fr, k: Fr, j: i64) -> bool {
        let names = Names::new().private_input("h", 1);
        let circuit = Circuit::define(&names, |c, io| {
            let point = CircuitPoint::constant(&Point::GENERATOR);
            let point = PrimeOrderPoint::eight_times(c, &point);
            mul(c, &point, io["h"][0]);
        });
        let mut inputs = Inputs::new();
        inputs.set("h", &[h]);
        SPLIT.set(Some((k.to_canonical_limbs(), (j + 1) as u64)));
        let witness = circuit.witness(&inputs);
        SPLIT.set(None);
        let witness = witness.expect("all inputs are there");
        circuit.check(&witness).is_ok()
    }

    #[test]
    fn scalars_have_no_other_integer() {
        let order = Fr::from_words_reduced(Scalar::MODULUS);
        let least = Fr::from_canonical_limbs([0, 0, 0, 1 << 58]);
        let least = least.into_option().expect("2^250 is below the modulus");
        let times = |j: u64| order * Fr::from_u64(j);
        let two = Fr::from_u64(2);

        // Some have two that are right.
        assert!(accepts(order + least, order + least, 0));
        assert!(accepts(order + least, least, 1));
        // h + p = k + 7·l, and h - p = k - l.
        for h in [0, 1, 1000].map(Fr::from_u64) {
            assert!(accepts(h, h + order, -1));
            assert!(!accepts(h, h - times(7), 7));
            assert!(accepts(-h - Fr::ONE, -h - Fr::ONE - times(7), 7));
            assert!(!accepts(-h - Fr::ONE, order - h - Fr::ONE, -1));
        }
        // The first k of all.
        assert!(accepts(least, least, 0));
        // Not congruent, or k beyond its bits.
        assert!(!accepts(two, two + order + Fr::ONE, -1));
        assert!(!accepts(two, two, 0));
        assert!(!accepts(
            two + least * two * two,
            two + least * two * two,
            0
        ));
    }
}
