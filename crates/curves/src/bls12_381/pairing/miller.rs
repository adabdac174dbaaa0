//! The Miller loop over many pairs at once: the squarings are shared, each pair adds only its lines.

use super::lines::{G2Prepared, Line};
use crate::batch_invert::batch_invert;
use crate::bls12_381::constants::X;
use crate::bls12_381::{Fq, Fq12, G1Affine};

/// The product over all pairs of `f_{x,Q}(P)`, up to factors that [`super::final_exponentiation()`] removes; one for no
/// pairs. Only its final exponentiation has a meaning.
///
/// Cost for `n` pairs: 62 squares in Fq12, `68·n` products with a line, one inversion in Fq.
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
    for bit in (0..X.ilog2()).rev() {
        if bit < X.ilog2() - 1 {
            f.square_in_place(); // at first f is one
        }
        multiply_lines(&mut f);
        if X >> bit & 1 == 1 {
            multiply_lines(&mut f); // public: the bit
        }
    }
    f.conjugate() // x is negative, and the conjugate of f as good as its inverse
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
            &line.intercept.mul_by_fq(&self.one_over_y),
            &line.slope.mul_by_fq(&self.minus_x_over_y),
        );
    }
}
