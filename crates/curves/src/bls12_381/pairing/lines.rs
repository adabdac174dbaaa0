//! The lines through multiples of a point `Q` of G2 that the Miller loop evaluates, computed once for each `Q`.
//!
//! `Q = (x', y')` on the twist is the point `(x'/w², y'/w³)` over Fq12. A line through it, of slope `λ` on the twist,
//! is at `P = (x, y)`, divided by `y·w³`:
//!
//! ```text
//! ℓ(P)/(y·w³) = 1 + (λ·x' - y')/ξ·(1/y)·w³ - (λ/ξ)·(x/y)·w⁵
//! ```
//! The final exponentiation sends both divisors to one: `y` as an element of Fq, `w³` because its square `ξ` is in Fq2.
//! So the power of `w³` by `p⁶ - 1` is `±1`, and `p² + 1` is even. So two coefficients in Fq2 describe a line: its
//! slope and its negated intercept over `ξ`. The running point is kept in homogeneous projective coordinates and all
//! slopes share one inversion. That takes about 5 products a line, of which a leading coefficient one saves 3 each time
//! it is used.

use crate::EncodingError;
use crate::affine_lines::{AffineLine, Multiples};
use crate::batch_invert::batch_invert;
use crate::bls12_381::constants::X;
use crate::bls12_381::{Fq2, G2Affine, G2Projective};
use frumious_field::{Choice, ConditionallySelectable};

/// Number of lines: one for each bit of `|x|` below the highest, and one for each of these that is set.
pub(super) const LINES: usize = (X.ilog2() + X.count_ones() - 1) as usize;

/// A point of G2 made ready for pairings: the coefficients of its 68 lines. 13 KiB.
///
/// Make it once for a point that is paired more than once, as those of a verification key.
#[derive(Clone, Debug)]
pub struct G2Prepared {
    /// In the order in which the Miller loop takes them. All zero for the point at infinity: such lines are one.
    pub(super) lines: [Line; LINES],
}

/// A line `1 + intercept·(1/y)·w³ - slope·(x/y)·w⁵` in the coordinates of `P`.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Line {
    /// `λ/ξ`, with the slope `λ` on the twist.
    pub slope: Fq2,
    /// `(λ·x' - y')/ξ` for any point `(x', y')` of the line.
    pub intercept: Fq2,
}

impl From<&G2Affine> for G2Prepared {
    fn from(q: &G2Affine) -> Self {
        Self::with_end(q).0
    }
}

impl G2Prepared {
    /// The lines, and the multiple of `q` at which they end.
    fn with_end(q: &G2Affine) -> (Self, Running) {
        let mut running = Running {
            x: q.x,
            y: q.y,
            z: Fq2::ONE,
        };
        let mut fractions = [LineFraction::default(); LINES];
        let mut slots = fractions.iter_mut();
        let mut put = |fraction| *slots.next().expect("the number of lines was counted") = fraction;
        for bit in (0..X.ilog2()).rev() {
            put(running.double());
            if X >> bit & 1 == 1 {
                put(running.add(&q.x, &q.y)); // public: the bit
            }
        }
        let lines = normalise(&fractions, q.is_identity());
        (Self { lines }, running)
    }

    /// [`Self::batch_checked_vartime`] of one point, by lines that share one inversion.
    fn checked_vartime(q: &G2Affine) -> Result<Self, EncodingError> {
        if !bool::from(q.is_on_curve()) {
            return Err(EncodingError::NotOnCurve);
        }
        let (prepared, end) = Self::with_end(q);
        let image = G2Projective::from(*q).psi();
        match q.is_identity_vartime() || end.is_vartime([image.x, -image.y]) {
            true => Ok(prepared),
            false => Err(EncodingError::NotInSubgroup),
        }
    }

    /// Prepares many points that may be none of the group, each for half of what one by itself takes. Their membership
    /// costs little more: the lines end at `[|x|]Q`, which is `-ψ(Q)` just if `Q` is in G2. Refused are points with
    /// [`EncodingError::NotOnCurve`] or [`EncodingError::NotInSubgroup`].
    ///
    /// No point of G2 meets an exception of the formulas. Source: as [`G2Affine::is_in_subgroup`].
    pub fn batch_checked_vartime(points: &[G2Affine]) -> Vec<Result<Self, EncodingError>> {
        if let [q] = points {
            return vec![Self::checked_vartime(q)];
        }
        let lines = [Line::default(); LINES];
        let mut prepared = vec![Self { lines }; points.len()];
        let mut multiples = Multiples::new(points.iter().map(|q| [q.x, q.y]).collect());
        let mut number = 0;
        let mut put = |number: usize, index: usize, line: AffineLine<Fq2>| {
            let all: &mut Self = &mut prepared[index];
            all.lines[number] = Line {
                slope: over_nonresidue(&line.slope),
                intercept: over_nonresidue(&line.intercept),
            };
        };
        for bit in (0..X.ilog2()).rev() {
            multiples.double_vartime(|index, line| put(number, index, line));
            number += 1;
            if X >> bit & 1 == 1 {
                let addend = |index: usize| [points[index].x, points[index].y];
                multiples.add_vartime(addend, |index, line| put(number, index, line));
                number += 1;
            }
        }
        let checked = prepared.into_iter().zip(points).enumerate();
        let checked = checked.map(|(index, (prepared, q))| {
            let image = G2Projective::from(*q).psi();
            match q.is_identity_vartime() || multiples.is_vartime(index, [image.x, -image.y]) {
                _ if !bool::from(q.is_on_curve()) => Err(EncodingError::NotOnCurve),
                true => Ok(prepared),
                false => Err(EncodingError::NotInSubgroup),
            }
        });
        checked.collect()
    }
}

/// `value/ξ` with `ξ = 1 + u`: times `(1 - u)/2`.
fn over_nonresidue(value: &Fq2) -> Fq2 {
    Fq2::new(value.c0 + value.c1, value.c1 - value.c0).halve()
}

/// Divides by the denominators and by `ξ`; zero lines if `is_identity`.
fn normalise(fractions: &[LineFraction; LINES], is_identity: Choice) -> [Line; LINES] {
    let mut inverses = fractions.map(|fraction| fraction.denominator.mul_by_nonresidue());
    batch_invert(&mut inverses);
    core::array::from_fn(|i| {
        let inverse = Fq2::conditional_select(&inverses[i], &Fq2::ZERO, is_identity);
        Line {
            slope: Fq2::mul(&fractions[i].slope, &inverse),
            intercept: Fq2::mul(&fractions[i].intercept, &inverse),
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
    /// True if it is the affine point `(x, y)`. An exception of the formulas leaves `z = 0`, as every step after it.
    fn is_vartime(&self, [x, y]: [Fq2; 2]) -> bool {
        self.z != Fq2::ZERO && self.x == Fq2::mul(&x, &self.z) && self.y == Fq2::mul(&y, &self.z)
    }

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
        let e = G2Projective::mul_3b(zz);
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
        self.y = Fq2::difference_of_two_products([&rise, &run3], [&(x_run2 - h), &self.y]);
        self.z = Fq2::mul(&self.z, &run3);
        LineFraction {
            slope: rise,
            intercept: Fq2::difference_of_two_products([&rise, &run], [x, y]),
            denominator: run,
        }
    }
}
