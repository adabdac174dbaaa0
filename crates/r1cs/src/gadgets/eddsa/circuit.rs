//! The verification in circuits.

use frumious_curves::bn254::Fr;

use crate::gadgets::baby_jubjub::fixed::mul_base8;
use crate::gadgets::baby_jubjub::point::ORDER_BITS;
use crate::gadgets::baby_jubjub::{CircuitPoint, Point, PrimeOrderPoint, Scalar, variable};
use crate::gadgets::bits::{assert_at_most, assert_boolean, select, to_bits};
use crate::gadgets::poseidon;
use crate::{Component, LinearCombination, Signal, Template};

type Sum = LinearCombination<Fr>;

/// The template `eddsa_poseidon`, with inputs `Ax`, `Ay`, `R8x`, `R8y`, `S` and `M` and no output: see [`verify`].
pub fn template(c: &mut Component<'_, Fr>) -> Template {
    c.template("eddsa_poseidon", 6, 0, |c, inputs, _| {
        let [ax, ay, rx, ry, s, message] = [0, 1, 2, 3, 4, 5].map(|i| Sum::from(inputs[i]));
        let (key, r) = (CircuitPoint::new(ax, ay), CircuitPoint::new(rx, ry));
        verify(c, &key, &r, s, message);
    })
}

/// The template `eddsa_poseidon_if`, with a seventh input `enabled`, a bit: if it is zero, the others may be anything.
/// 16 constraints more.
///
/// When it is zero, a valid key replaces the key, and a signature that need not be valid replaces `R` and `S`. The last
/// equation is then not asked for.
pub fn template_if(c: &mut Component<'_, Fr>) -> Template {
    c.template("eddsa_poseidon_if", 7, 0, |c, inputs, _| {
        let [ax, ay, rx, ry, s, message, enabled] =
            [0, 1, 2, 3, 4, 5, 6].map(|i| Sum::from(inputs[i]));
        assert_boolean(c, enabled.clone());
        let mut or = |value: Sum, other: Fr| {
            let chosen = select(c, enabled.clone(), value, Sum::constant(other));
            Sum::from(c.signal(chosen))
        };
        let base = Point::BASE8;
        let key = CircuitPoint::new(or(ax, base.x), or(ay, base.y));
        let r = CircuitPoint::new(or(rx, base.x), or(ry, base.y));
        let s = or(s, Fr::ZERO);
        let [left, h_key] = sides(c, &key, &r, s, message);
        let right = r.add(c, &h_key);
        c.constrain(enabled.clone(), left.x - right.x, Sum::ZERO);
        c.constrain(enabled, left.y - right.y, Sum::ZERO);
    })
}

/// Constrains `(r, s)` to a valid signature on `message` by `key`, as [the module](super) says.
pub fn verify(
    c: &mut Component<'_, Fr>,
    key: &CircuitPoint,
    r: &CircuitPoint,
    s: impl Into<Sum>,
    message: impl Into<Sum>,
) {
    let [left, h_key] = sides(c, key, r, s.into(), message.into());
    // S·BASE8 - h·8·A is R, which so is on the curve.
    left.assert_sum(c, &h_key.neg(), r);
}

/// `S·BASE8` and `h·8·A`, with the constraints that `S < l`, `A` is on the curve and `8·A` not neutral.
fn sides(
    c: &mut Component<'_, Fr>,
    key: &CircuitPoint,
    r: &CircuitPoint,
    s: Sum,
    message: Sum,
) -> [CircuitPoint; 2] {
    let bits = to_bits(c, s, ORDER_BITS);
    let mut largest = Scalar::MODULUS;
    largest[0] -= 1; // l is odd
    assert_at_most(c, &bits, &largest);
    let left = mul_base8(c, &bits);
    let hashed = [&r.x, &r.y, &key.x, &key.y, &message].map(Sum::clone);
    let h: Signal = poseidon::hash(c, &hashed);
    let key = PrimeOrderPoint::eight_times(c, key);
    [left, variable::mul(c, &key, h)]
}
