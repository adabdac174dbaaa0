//! The Miller loop over many pairs at once: the squarings are shared, each pair adds only its lines.

use super::lines::{G2Prepared, Line};
use super::parameter::LOOP_DIGITS;
use crate::batch_invert::batch_invert;
use crate::bn254::{Fq, Fq12, G1Affine};

/// The product over all pairs of `f_{6x+2,Q}(P)` and the two Frobenius lines, up to factors that
/// [`super::final_exponentiation()`] removes; one for no pairs. Only its final exponentiation has a meaning.
///
/// Cost for `n` pairs: 63 squares in Fq12, `87·n` products with a line, one inversion in Fq.
pub fn miller_loop(pairs: &[(G1Affine, &G2Prepared)]) -> Fq12 {
    let points = EvaluationPoint::batch(pairs);
    let mut f = Fq12::ONE;
    let mut line_index = 0;
    let mut multiply_lines = |f: &mut Fq12| {
        for (point, (_, prepared)) in points.iter().zip(pairs) {
            point.multiply(f, &prepared.lines[line_index]);
        }
        line_index += 1;
    };
    for (i, &digit) in LOOP_DIGITS.iter().rev().enumerate() {
        if i > 0 {
            f = f.square(); // at first f is one
        }
        multiply_lines(&mut f);
        if digit != 0 {
            multiply_lines(&mut f); // public: the digit
        }
    }
    multiply_lines(&mut f);
    multiply_lines(&mut f);
    f
}

/// A point `P = (x, y)` in the form that a line needs; zeros for the point at infinity, where all lines become one.
struct EvaluationPoint {
    minus_x_over_y: Fq,
    one_over_y: Fq,
}

impl EvaluationPoint {
    /// Of the first points of all pairs, with one inversion. `y` is zero at infinity only: the order is odd.
    fn batch(pairs: &[(G1Affine, &G2Prepared)]) -> Vec<Self> {
        let mut inverses: Vec<Fq> = pairs.iter().map(|(p, _)| p.y).collect();
        batch_invert(&mut inverses);
        let of_pair = |((p, _), one_over_y): (&(G1Affine, &G2Prepared), Fq)| Self {
            minus_x_over_y: -(p.x * one_over_y),
            one_over_y,
        };
        pairs.iter().zip(inverses).map(of_pair).collect()
    }

    /// Multiplies `f` by the line at this point.
    #[inline]
    fn multiply(&self, f: &mut Fq12, line: &Line) {
        f.mul_by_line_in_place(
            &line.slope.mul_by_fq(&self.minus_x_over_y),
            &line.intercept.mul_by_fq(&self.one_over_y),
        );
    }
}
