//! Points of order `l` in circuits, on the Montgomery curve `v² = u³ + A·u² + u`, `A = 168698`, by incomplete formulas.
//!
//! An addition of points with the same `u` would leave its slope free, so that a prover could choose the sum. Whoever
//! adds so proves that it cannot be.

use frumious_curves::bn254::Fr;

use super::edwards::CircuitPoint;
use crate::{Component, LinearCombination, Signal};

type Sum = LinearCombination<Fr>;

/// `A` of the Montgomery curve: `2(a + d)/(a - d)`, where `a - d` is 4.
pub(super) const A: Fr = Fr::from_u64(168_698);

/// A point `(u, v)` of the Montgomery curve.
#[derive(Clone, Copy, Debug)]
pub(super) struct Montgomery {
    pub(super) u: Signal,
    pub(super) v: Signal,
}

/// A point of order `l` in a circuit: of the large subgroup, and not its neutral element. Whoever has one has the
/// constraints that say so.
#[derive(Clone, Copy, Debug)]
pub struct PrimeOrderPoint(pub(super) Montgomery);

impl PrimeOrderPoint {
    /// `8·point`. 16 constraints, which no witness satisfies when `point` is off the curve or `8·point` is the neutral
    /// element.
    ///
    /// Proof. `u·(1 - y) = 1 + y` has no `u` for `y = 1`. Then `v·x = u`.
    ///
    /// - For `x ≠ 0` these are the coordinates of the map to the Montgomery curve, which takes one equation to the
    ///   other, but for `y = -1`, where `u = v = 0`.
    /// - For `x = 0` the point is `(0, -1)` or off both curves, `u = 0`, and the equation leaves `v = 0`.
    ///
    /// The point `(u, v)` is therefore on the Montgomery curve and not at infinity. If the order of `point` is 2 or
    /// `point` is off the curve, it is `(0, 0)`. That is the only point with `v = 0`: `u² + A·u + 1` has no roots, as
    /// `A² - 4 = a·d` is no square.
    ///
    /// Doubling asks for `λ·2v = 3u² + 2A·u + 1`, which at `(0, 0)` is `0 = 1`. Points of order 2, 4 and 8 end there at
    /// the first, second and third doubling, and no other one does. The remaining points have order `l`.
    pub fn eight_times(c: &mut Component<'_, Fr>, point: &CircuitPoint) -> Self {
        let one = Sum::from(Signal::ONE);
        let [above, below] = [one.clone() + &point.y, one.clone() - &point.y];
        let inputs = [above.clone(), below.clone(), point.x.clone()];
        let mapped = c.native(&inputs, 2, |inputs, outputs| {
            let (under, x) = (inputs[1], inputs[2]);
            let inverse = (under * x).invert().unwrap_or(Fr::ZERO);
            outputs[0] = inputs[0] * inverse * x;
            outputs[1] = inputs[0] * inverse;
        });
        let (u, v) = (mapped[0], mapped[1]);
        c.constrain(u, below, above);
        c.constrain(v, point.x.clone(), u);
        let uu = c.product(u, u);
        let vv = c.product(v, v);
        c.constrain(u, Sum::from(uu) + Sum::term(u, A) + Signal::ONE, vv);
        let twice = double_with_square(c, Montgomery { u, v }, uu);
        let four_times = double(c, twice);
        Self(double(c, four_times))
    }

    /// The point in Edwards form. 2 constraints.
    pub fn to_edwards(&self, c: &mut Component<'_, Fr>) -> CircuitPoint {
        to_edwards(c, self.0)
    }
}

/// `2·p`, for a point that is not of order 2: else there is no witness. 4 constraints.
pub(super) fn double(c: &mut Component<'_, Fr>, p: Montgomery) -> Montgomery {
    let uu = c.product(p.u, p.u);
    double_with_square(c, p, uu)
}

/// The same with `u²` at hand. 3 constraints.
fn double_with_square(c: &mut Component<'_, Fr>, p: Montgomery, uu: Signal) -> Montgomery {
    let rise = Sum::term(uu, Fr::from_u64(3)) + Sum::term(p.u, A.double()) + Signal::ONE;
    let run = Sum::term(p.v, Fr::from_u64(2));
    chord(c, p.into(), &p.u.into(), rise, run)
}

/// `p + q` for points with different `u`, which is the caller's to prove. 3 constraints.
pub(super) fn add(c: &mut Component<'_, Fr>, p: Montgomery, q: Montgomery) -> Montgomery {
    let (rise, run) = (Sum::from(p.v) - q.v, Sum::from(p.u) - q.u);
    chord(c, p.into(), &q.u.into(), rise, run)
}

/// The third point of the line through `p` of slope `rise/run`, whose second has the coordinate `other`, reflected.
fn chord(c: &mut Component<'_, Fr>, p: (Sum, Sum), other: &Sum, rise: Sum, run: Sum) -> Montgomery {
    let (u, v) = p;
    let inputs = [
        u.clone(),
        v.clone(),
        other.clone(),
        rise.clone(),
        run.clone(),
    ];
    let outputs = c.native(&inputs, 3, |inputs, outputs| {
        let [u, v, other, rise, run] = [0, 1, 2, 3, 4].map(|i| inputs[i]);
        let slope = rise * run.invert().unwrap_or(Fr::ZERO);
        let sum = slope.square() - A - u - other;
        outputs.copy_from_slice(&[slope, sum, slope * (u - sum) - v]);
    });
    let [slope, sum_u, sum_v] = [0, 1, 2].map(|i| outputs[i]);
    c.constrain(slope, run, rise);
    c.constrain(slope, slope, u.clone() + other + sum_u + Sum::constant(A));
    c.constrain(slope, u - sum_u, v + sum_v);
    Montgomery { u: sum_u, v: sum_v }
}

/// The point in Edwards form, for one that is not of order 2. 2 constraints.
///
/// `u = -1` is on no point: there `v²` would be `A - 2 = d`, no square.
pub(super) fn to_edwards(c: &mut Component<'_, Fr>, p: Montgomery) -> CircuitPoint {
    let outputs = c.native(&[p.u.into(), p.v.into()], 2, |inputs, outputs| {
        let (u, v) = (inputs[0], inputs[1]);
        let above = u + Fr::ONE;
        let inverse = (v * above).invert().unwrap_or(Fr::ZERO);
        outputs[0] = u * inverse * above;
        outputs[1] = (u - Fr::ONE) * inverse * v;
    });
    let (x, y) = (outputs[0], outputs[1]);
    c.constrain(x, p.v, p.u);
    c.constrain(
        y,
        Sum::from(p.u) + Signal::ONE,
        Sum::from(p.u) - Signal::ONE,
    );
    CircuitPoint::new(x, y)
}

impl From<Montgomery> for (Sum, Sum) {
    fn from(p: Montgomery) -> Self {
        (p.u.into(), p.v.into())
    }
}
