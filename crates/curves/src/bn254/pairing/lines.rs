//! The lines through multiples of a point `Q` of G2 that the Miller loop evaluates, computed once for each `Q`.
//!
//! `Q = (x', y')` on the twist is the point `(x'·w², y'·w³)` over Fq12. A line through it, of slope `λ` on the twist,
//! is divided by `y`, a factor in Fq that the final exponentiation sends to one. At `P = (x, y)` it is
//!
//! ```text
//! ℓ(P)/y = 1 - λ·(x/y)·w + (λ·x' - y')·(1/y)·w³
//! ```
//! So two coefficients in Fq2 describe a line: its slope and its negated intercept. The running point is kept in
//! homogeneous projective coordinates and all slopes share one inversion. That takes about 5 products a line. A line
//! with leading coefficient one saves them the second time it is used: multiplying by it takes 10 products instead of
//! 13.

use super::parameter::{LINES, LOOP_DIGITS};
use crate::batch_invert::batch_invert;
use crate::bn254::fq12::FROBENIUS_FACTORS;
use crate::bn254::{Fq2, G2Affine};
use frumious_field::{Choice, ConditionallySelectable};

/// A point of G2 made ready for pairings: the coefficients of its 87 lines. 11 KiB.
///
/// Make it once for a point that is paired more than once, as those of a verification key.
#[derive(Clone, Debug)]
pub struct G2Prepared {
    /// In the order in which the Miller loop takes them. All zero for the point at infinity: such lines are one.
    pub(super) lines: [Line; LINES],
}

/// A line `1 - slope·(x/y)·w + intercept·(1/y)·w³` in the coordinates of `P`.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Line {
    /// The slope `λ` on the twist.
    pub slope: Fq2,
    /// `λ·x' - y'` for any point `(x', y')` of the line.
    pub intercept: Fq2,
}

impl From<&G2Affine> for G2Prepared {
    fn from(q: &G2Affine) -> Self {
        let mut running = Running {
            x: q.x,
            y: q.y,
            z: Fq2::ONE,
        };
        let mut fractions = [LineFraction::default(); LINES];
        let mut slots = fractions.iter_mut();
        let mut put = |fraction| *slots.next().expect("the number of lines was counted") = fraction;
        for &digit in LOOP_DIGITS.iter().rev() {
            put(running.double());
            if digit != 0 {
                let y = if digit > 0 { q.y } else { -q.y }; // public: the digit
                put(running.add(&q.x, &y));
            }
        }
        // π(Q), and -π²(Q), in which the factor of y is w^(3(p²-1)) = ξ^((p²-1)/2) = -1.
        let [first, second, _] = &FROBENIUS_FACTORS;
        put(running.add(&(q.x.conjugate() * first[2]), &(q.y.conjugate() * first[3])));
        put(running.add(&q.x.mul_by_fq(&second[2].c0), &q.y));
        Self {
            lines: normalise(&fractions, q.is_identity()),
        }
    }
}

/// Divides by the denominators; zero lines if `is_identity`.
fn normalise(fractions: &[LineFraction; LINES], is_identity: Choice) -> [Line; LINES] {
    let mut inverses = fractions.map(|fraction| fraction.denominator);
    batch_invert(&mut inverses);
    core::array::from_fn(|i| {
        let inverse = Fq2::conditional_select(&inverses[i], &Fq2::ZERO, is_identity);
        Line {
            slope: fractions[i].slope * inverse,
            intercept: fractions[i].intercept * inverse,
        }
    })
}

/// A [`Line`] with a common denominator.
#[derive(Clone, Copy, Default)]
struct LineFraction {
    slope: Fq2,
    intercept: Fq2,
    denominator: Fq2,
}

/// The running multiple of `Q`, `(x/z, y/z)`.
struct Running {
    x: Fq2,
    y: Fq2,
    z: Fq2,
}

impl Running {
    /// Doubles the point; returns its tangent. Cost: 4 products and 6 squares of Fq2.
    ///
    /// Source: Costello, Lange and Naehrig 2010 (eprint 2009/615), with the halves of Aranha, Karabina, Longa, Gebotys
    /// and López 2011 (eprint 2010/526, section 4).
    fn double(&mut self) -> LineFraction {
        let half_xy = Fq2::mul(&self.x, &self.y).halve();
        let xx = self.x.square();
        let yy = self.y.square();
        let zz = self.z.square();
        let yz2 = (self.y + self.z).square() - yy - zz;
        let e = Fq2::mul(&zz, &TWIST_3B);
        let e3 = e.double() + e;
        let ee = e.square();

        self.x = Fq2::mul(&half_xy, &(yy - e3));
        self.y = (yy + e3).halve().square() - (ee.double() + ee);
        self.z = Fq2::mul(&yy, &yz2);
        // λ = 3x²/2y; λ·x - y = (3x³ - 2y²)/2y = (y² - 3b')/2y
        LineFraction {
            slope: xx.double() + xx,
            intercept: yy - e,
            denominator: yz2,
        }
    }

    /// Adds `(x, y)`; returns the chord. Cost: 11 products and 2 squares of Fq2.
    ///
    /// Source: as [`Running::double`].
    fn add(&mut self, x: &Fq2, y: &Fq2) -> LineFraction {
        let rise = self.y - Fq2::mul(&self.z, y);
        let run = self.x - Fq2::mul(&self.z, x);
        let run2 = run.square();
        let run3 = Fq2::mul(&run, &run2);
        let x_run2 = Fq2::mul(&self.x, &run2);
        let h = run3 + Fq2::mul(&self.z, &rise.square()) - x_run2.double();

        self.x = Fq2::mul(&run, &h);
        self.y = Fq2::sum_of_two_products([&rise, &run3], [&(x_run2 - h), &-self.y]);
        self.z = Fq2::mul(&self.z, &run3);
        LineFraction {
            slope: rise,
            intercept: Fq2::sum_of_two_products([&rise, &run], [x, &-*y]),
            denominator: run,
        }
    }
}

/// Three times the constant of the twist.
const TWIST_3B: Fq2 = Fq2::new(
    G2Affine::B
        .c0
        .add_const(&G2Affine::B.c0)
        .add_const(&G2Affine::B.c0),
    G2Affine::B
        .c1
        .add_const(&G2Affine::B.c1)
        .add_const(&G2Affine::B.c1),
);
