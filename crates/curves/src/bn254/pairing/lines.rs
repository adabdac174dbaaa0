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
use crate::EncodingError;
use crate::affine_lines::{AffineLine, Multiples};
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
        let lines = normalise(&fractions, q.is_identity());
        (Self { lines }, running)
    }

    /// [`Self::batch_checked_vartime`] of one point, by lines that share one inversion.
    fn checked_vartime(q: &G2Affine) -> Result<Self, EncodingError> {
        if !bool::from(q.is_on_curve()) {
            return Err(EncodingError::NotOnCurve);
        }
        let (prepared, end) = Self::with_end(q);
        let [x, y] = image(q, 3);
        match q.is_identity_vartime() || end.is_vartime([x, -y]) {
            true => Ok(prepared),
            false => Err(EncodingError::NotInSubgroup),
        }
    }

    /// Prepares many points that may be none of the group, each for half of what one by itself takes. Their membership
    /// costs little more: the lines end at `[6x + 2]Q + ψ(Q) - ψ²(Q)`, which is `-ψ³(Q)` just if `Q` is in G2. Refused
    /// are points with [`EncodingError::NotOnCurve`] or [`EncodingError::NotInSubgroup`].
    ///
    /// Sound for this reason: the polynomial `6x + 2 + ψ - ψ² + ψ³` is `a + b·ψ` modulo `ψ² - t·ψ + p`. Its norm
    /// `a² + a·b·t + b²·p` has with the order `r·(2p - r)` of the twist the greatest common divisor `r`. No point of
    /// G2 meets an exception of the formulas. Source: as [`G2Affine::is_in_subgroup`].
    pub fn batch_checked_vartime(points: &[G2Affine]) -> Vec<Result<Self, EncodingError>> {
        if let [q] = points {
            return vec![Self::checked_vartime(q)];
        }
        let lines = [Line::default(); LINES];
        let mut prepared = vec![Self { lines }; points.len()];
        let mut multiples = Multiples::new(points.iter().map(|q| [q.x, q.y]).collect());
        for (number, step) in steps().into_iter().enumerate() {
            let put = |index: usize, AffineLine { slope, intercept }: AffineLine<Fq2>| {
                let all: &mut Self = &mut prepared[index];
                all.lines[number] = Line { slope, intercept };
            };
            match step {
                Step::Double => multiples.double_vartime(put),
                Step::Add(addend) => multiples.add_vartime(|index| addend(&points[index]), put),
            }
        }
        let checked = prepared.into_iter().zip(points).enumerate();
        let checked = checked.map(|(index, (prepared, q))| {
            let [x, y] = image(q, 3);
            match q.is_identity_vartime() || multiples.is_vartime(index, [x, -y]) {
                _ if !bool::from(q.is_on_curve()) => Err(EncodingError::NotOnCurve),
                true => Ok(prepared),
                false => Err(EncodingError::NotInSubgroup),
            }
        });
        checked.collect()
    }
}

/// A step of the Miller loop.
enum Step {
    Double,
    /// Adds a point that is made of `Q`.
    Add(fn(&G2Affine) -> [Fq2; 2]),
}

/// The steps in their order.
fn steps() -> Vec<Step> {
    let mut steps = Vec::with_capacity(LINES);
    for &digit in LOOP_DIGITS.iter().rev() {
        steps.push(Step::Double);
        match digit {
            0 => {}
            1 => steps.push(Step::Add(|q| [q.x, q.y])),
            _ => steps.push(Step::Add(|q| [q.x, -q.y])),
        }
    }
    steps.push(Step::Add(|q| image(q, 1)));
    steps.push(Step::Add(|q| {
        let [x, y] = image(q, 2);
        [x, -y]
    }));
    steps
}

/// `ψ^k(q)`, for `k` from 1 to 3.
fn image(q: &G2Affine, k: usize) -> [Fq2; 2] {
    let factors = &FROBENIUS_FACTORS[k - 1];
    let [x, y] = match k {
        2 => [q.x, q.y],
        _ => [q.x.conjugate(), q.y.conjugate()],
    };
    [x * factors[2], y * factors[3]]
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
    /// True if it is the affine point `(x, y)`. An exception of the formulas leaves `z = 0`, as every step after it.
    fn is_vartime(&self, [x, y]: [Fq2; 2]) -> bool {
        self.z != Fq2::ZERO && self.x == x * self.z && self.y == y * self.z
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
