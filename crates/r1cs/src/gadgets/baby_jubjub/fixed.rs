//! Multiples of the base point in circuits.
//!
//! With `B = BASE8`, `H = B/2` and `s = Σ 8^w·t_w + 2^249·top` the multiple is
//! `Σ d_w·8^w·H + (2^249 - 1)·H + top·2^249·B`, where each `d_w = 2·t_w - 7` is odd, from -7 to
//! 7. The sum comes from the Montgomery curve, from the low window to the high one, the rest in complete Edwards form.
//!
//! No addition of the sum is exceptional. Before window `w` the sum is an odd multiple of `H`, by less than `8^w` in
//! absolute value, and `d_w·8^w` is at least that. Their sum and their difference are therefore not zero, and below
//! `8^(w+1) ≤ 2^249 < l`.
//!
//! A window's table is symmetric: with signs `σ = 2·bit - 1` the opposite digit has all three opposite. So `u` has only
//! the terms of even degree, `c + α·σ₀σ₁ + β·σ₀σ₂ + γ·σ₁σ₂ = c - αγ/β + (σ₀ + (γ/β)·σ₁)(α·σ₁ + β·σ₂)`: one constraint.
//! `v` has the odd ones, `σ₀`, `σ₁`, `σ₂` and `σ₀σ₁σ₂`, of which the last is in `u·σ₀`: one more.

use frumious_curves::bn254::Fr;

use super::edwards::CircuitPoint;
use super::montgomery::{Montgomery, add, to_edwards};
use super::point::{Extended, ORDER_BITS, Point};
use super::scalar::Scalar;
use crate::{Component, LinearCombination, Signal};

type Sum = LinearCombination<Fr>;

/// Windows of three bits, below the two highest bits.
const WINDOWS: usize = 83;

/// `s·BASE8` for the integer `s` of 251 boolean `bits`, the least significant first: any, also those not below `l`. 421
/// constraints.
///
/// # Panics
/// For another number of bits.
#[track_caller]
pub fn mul_base8(c: &mut Component<'_, Fr>, bits: &[Signal]) -> CircuitPoint {
    let n_bits = bits.len();
    assert!(
        n_bits == ORDER_BITS,
        "`bits` has {n_bits} signals, and needs {ORDER_BITS}"
    );
    let (windows, top) = bits.split_at(3 * WINDOWS);
    let half = Extended::from(Point::BASE8.mul(&half()));
    let mut step = half;
    let mut sum: Option<Montgomery> = None;
    for bits in windows.chunks(3) {
        let window = look_up(c, &Table::new(&step), bits);
        sum = Some(sum.map_or(window, |sum| add(c, sum, window)));
        step = step.double().double().double();
    }
    let sum = to_edwards(c, sum.expect("there are windows"));
    // The step is now 2^249·H.
    let rest = step.add(&half.neg());
    let top = look_up_top(c, rest, step.double(), top);
    sum.add(c, &top)
}

/// `1/2` modulo `l`.
fn half() -> Scalar {
    Scalar::from_u64(2).invert().unwrap_or(Scalar::ZERO)
}

/// The coordinates of a window, by the products of signs.
struct Table {
    /// Coefficients of 1, `σ₀σ₁`, `σ₀σ₂`, `σ₁σ₂` in `u`.
    even: [Fr; 4],
    /// Coefficients of `σ₀`, `σ₁`, `σ₂`, `σ₀σ₁σ₂` in `v`.
    odd: [Fr; 4],
}

impl Table {
    /// That of odd multiples of `step`.
    fn new(step: &Extended) -> Self {
        let two = step.double();
        let mut points = vec![*step];
        for i in 0..3 {
            points.push(points[i].add(&two));
        }
        // Entries 4 to 7, of digits 1, 3, 5, 7: the sign of bit 2 is 1, those of the lower bits are (-, -), (+, -), (-, +), (+, +).
        let points = Extended::to_montgomery_vartime(&points);
        let quarter = Fr::from_u64(4).invert().unwrap_or(Fr::ZERO);
        let combine = |values: [Fr; 4], signs: [i32; 4]| {
            let terms = values.iter().zip(signs);
            let sum = terms.fold(Fr::ZERO, |sum, (value, sign)| match sign {
                1 => sum + *value,
                _ => sum - *value,
            });
            sum * quarter
        };
        let all = [1, 1, 1, 1];
        let [first, second, both] = [[-1, 1, -1, 1], [-1, -1, 1, 1], [1, -1, -1, 1]];
        let u = [0, 1, 2, 3].map(|i| points[i].0);
        let v = [0, 1, 2, 3].map(|i| points[i].1);
        Self {
            even: [all, both, first, second].map(|signs| combine(u, signs)),
            odd: [first, second, all, both].map(|signs| combine(v, signs)),
        }
    }
}

/// The entry of a window's three bits. 2 constraints.
fn look_up(c: &mut Component<'_, Fr>, table: &Table, bits: &[Signal]) -> Montgomery {
    let one = Sum::from(Signal::ONE);
    let sign = |i: usize| Sum::from(bits[i]) + bits[i] - &one;
    let [constant, alpha, beta, gamma] = table.even;
    let ratio = gamma * beta.invert_vartime().expect("no table has a zero there");
    let product = (sign(0) + sign(1) * ratio, sign(1) * alpha + sign(2) * beta);
    let offset = constant - alpha * ratio;
    let inputs = [product.0.clone(), product.1.clone()];
    let u = c.native(&inputs, 1, move |inputs, outputs| {
        outputs[0] = inputs[0] * inputs[1] + offset;
    })[0];
    c.constrain(product.0, product.1, Sum::from(u) - Sum::constant(offset));

    // u·σ₀ = c·σ₀ + α·σ₁ + β·σ₂ + γ·σ₀σ₁σ₂
    let [first, second, third, all] = table.odd;
    let factor = all * gamma.invert_vartime().expect("no table has a zero there");
    let linear = sign(0) * (first - factor * constant)
        + sign(1) * (second - factor * alpha)
        + sign(2) * (third - factor * beta);
    let inputs = [u.into(), sign(0) * factor, linear.clone()];
    let v = c.native(&inputs, 1, |inputs, outputs| {
        outputs[0] = inputs[0] * inputs[1] + inputs[2];
    })[0];
    c.constrain(u, sign(0) * factor, Sum::from(v) - linear);
    Montgomery { u, v }
}

/// `first + (bits)·step` in Edwards form. 1 constraint.
fn look_up_top(
    c: &mut Component<'_, Fr>,
    first: Extended,
    step: Extended,
    bits: &[Signal],
) -> CircuitPoint {
    let mut points = vec![first];
    for i in 0..3 {
        points.push(points[i].add(&step));
    }
    let points: Vec<Point> = points.into_iter().map(Extended::to_affine).collect();
    let both = c.product(bits[0], bits[1]);
    let coordinate = |of: fn(&Point) -> Fr| {
        let [zero, one, two, three] = [0, 1, 2, 3].map(|i| of(&points[i]));
        Sum::constant(zero)
            + Sum::term(bits[0], one - zero)
            + Sum::term(bits[1], two - zero)
            + Sum::term(both, three - two - one + zero)
    };
    CircuitPoint::new(coordinate(|p| p.x), coordinate(|p| p.y))
}
