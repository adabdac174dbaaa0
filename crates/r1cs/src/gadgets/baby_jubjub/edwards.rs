//! Points in circuits, by the complete addition law: right for any two points of the curve.

use frumious_curves::bn254::Fr;

use super::point::{A, D, Point};
use crate::{Component, LinearCombination, Signal};

type Sum = LinearCombination<Fr>;

/// A point by sums of signals. The type does not constrain it to the curve; the function that makes it may.
#[derive(Clone, Debug)]
pub struct CircuitPoint {
    /// x.
    pub x: Sum,
    /// y.
    pub y: Sum,
}

impl CircuitPoint {
    /// The point of two signals, nothing being said about them.
    pub fn new(x: impl Into<Sum>, y: impl Into<Sum>) -> Self {
        let (x, y) = (x.into(), y.into());
        Self { x, y }
    }

    /// A constant.
    pub fn constant(point: &Point) -> Self {
        Self::new(Sum::constant(point.x), Sum::constant(point.y))
    }

    /// `-self`.
    pub fn neg(&self) -> Self {
        Self::new(-self.x.clone(), self.y.clone())
    }

    /// Constrains it to the curve. 3 constraints.
    pub fn assert_on_curve(&self, c: &mut Component<'_, Fr>) {
        let xx = c.product(self.x.clone(), self.x.clone());
        let yy = c.product(self.y.clone(), self.y.clone());
        // x²·(a - d·y²) = 1 - y²
        c.constrain(
            xx,
            Sum::constant(A) - Sum::term(yy, D),
            Sum::from(Signal::ONE) - yy,
        );
    }

    /// `self + other`, for points of the curve. 6 constraints.
    ///
    /// Off the curve a denominator may be zero, and then there is no witness or many.
    pub fn add(&self, c: &mut Component<'_, Fr>, other: &Self) -> Self {
        let law = Law::new(c, self, other);
        let [x, y] = law.divide(c);
        let sum = Self::new(x, y);
        law.constrain(c, &sum);
        sum
    }

    /// Constrains `self + other` to `sum`, for points of the curve. 6 constraints.
    pub fn assert_sum(&self, c: &mut Component<'_, Fr>, other: &Self, sum: &Self) {
        Law::new(c, self, other).constrain(c, sum);
    }

    /// `2·self`, for a point of the curve. 5 constraints.
    pub fn double(&self, c: &mut Component<'_, Fr>) -> Self {
        let xy = c.product(self.x.clone(), self.y.clone());
        let xx = c.product(self.x.clone(), self.x.clone());
        let yy = c.product(self.y.clone(), self.y.clone());
        // The equation of the curve gives 1 + d·x²·y² as a·x² + y².
        let law = Law {
            x_numerator: Sum::from(xy) + xy,
            x_denominator: Sum::term(xx, A) + yy,
            y_numerator: Sum::from(yy) - Sum::term(xx, A),
            y_denominator: Sum::constant(Fr::from_u64(2)) - Sum::term(xx, A) - yy,
        };
        let [x, y] = law.divide(c);
        let double = Self::new(x, y);
        law.constrain(c, &double);
        double
    }
}

/// The coordinates of a sum: `x = (x₁y₂ + y₁x₂)/(1 + d·x₁x₂y₁y₂)`, `y = (y₁y₂ - a·x₁x₂)/(1 - d·x₁x₂y₁y₂)`.
struct Law {
    x_numerator: Sum,
    x_denominator: Sum,
    y_numerator: Sum,
    y_denominator: Sum,
}

impl Law {
    /// 4 constraints: `y₁y₂ - a·x₁x₂` is `(y₁ - a·x₁)(x₂ + y₂) + a·x₁y₂ - y₁x₂`.
    fn new(c: &mut Component<'_, Fr>, p: &CircuitPoint, q: &CircuitPoint) -> Self {
        let one = Sum::from(Signal::ONE);
        let beta = c.product(p.x.clone(), q.y.clone());
        let gamma = c.product(p.y.clone(), q.x.clone());
        let delta = c.product(p.y.clone() - p.x.clone() * A, q.x.clone() + &q.y);
        let tau = c.product(beta, gamma);
        Self {
            x_numerator: Sum::from(beta) + gamma,
            x_denominator: one.clone() + Sum::term(tau, D),
            y_numerator: Sum::from(delta) + Sum::term(beta, A) - gamma,
            y_denominator: one - Sum::term(tau, D),
        }
    }

    /// The coordinates, not constrained yet.
    fn divide(&self, c: &mut Component<'_, Fr>) -> [Signal; 2] {
        let inputs = [
            self.x_numerator.clone(),
            self.x_denominator.clone(),
            self.y_numerator.clone(),
            self.y_denominator.clone(),
        ];
        let outputs = c.native(&inputs, 2, |inputs, outputs| {
            let [x, x_under, y, y_under] = [0, 1, 2, 3].map(|i| inputs[i]);
            let inverse = (x_under * y_under).invert().unwrap_or(Fr::ZERO);
            outputs[0] = x * inverse * y_under;
            outputs[1] = y * inverse * x_under;
        });
        [outputs[0], outputs[1]]
    }

    /// 2 constraints.
    fn constrain(self, c: &mut Component<'_, Fr>, sum: &CircuitPoint) {
        c.constrain(sum.x.clone(), self.x_denominator, self.x_numerator);
        c.constrain(sum.y.clone(), self.y_denominator, self.y_numerator);
    }
}
