//! The simplified SWU map for curves `y² = x³ + b` (where `a = 0` rules it out directly), through an isogenous curve.
//!
//! A field element goes to a point of `E': y² = x³ + a'·x + b'`, points are added there, and one isogeny takes the sum
//! to the curve. It is a homomorphism. Points of `E'` are homogeneous projective, so nothing is inverted. Source: RFC
//! 9380, sections 6.6.2 and 6.6.3, appendix F.2; Wahby and Boneh, eprint 2019/403, section 4. Time: constant.

use crate::weierstrass::Coordinate;
use frumious_field::Choice;

/// A field with a curve `E'` of odd order, and an isogeny of degree `2·D + 1` from it.
pub trait SwuField<const D: usize>: Coordinate {
    /// `a'`, not zero.
    const A: Self;
    /// `b'`, not zero.
    const B: Self;
    /// `Z`, a non-square as RFC 9380 section 6.6.2 demands it.
    const Z: Self;
    /// `h(x) = x^D + …`, least significant coefficient first and without the leading one: its roots are the `x` of the
    /// kernel.
    const KERNEL: [Self; D];
    /// True if the isogeny's change of variables is by `-(2·D + 1)` rather than `2·D + 1`, which negates `y`.
    const NEGATIVE: bool;

    /// The sign of RFC 9380, section 4.1.
    fn sgn0(&self) -> Choice;

    /// `(1, sqrt(numerator/denominator))`, or `(0, sqrt(Z·numerator/denominator))` of a non-square; which of the two
    /// roots is not specified. The denominator is not zero.
    fn sqrt_ratio(numerator: &Self, denominator: &Self) -> (Choice, Self);
}

/// The point `(X : Y : Z)` of `E'` that belongs to `u`. Never infinity.
///
/// Source: RFC 9380, appendix F.2, steps 1-24, with the names there.
pub fn map<F: SwuField<D>, const D: usize>(u: &F) -> [F; 3] {
    let zu2 = F::Z * u.square(); // tv1
    let sum = zu2.square() + zu2;
    let x_num = F::B * (sum + F::ONE); // tv3: x = -b'/a'·(1 + 1/(Z²u⁴ + Zu²))
    let x_den = F::A * F::conditional_select(&-sum, &F::Z, sum.is_zero()); // tv4
    let den2 = x_den.square();
    let den3 = den2 * x_den;
    // g(x) = x³ + a'·x + b' over den3
    let gx_num = (x_num.square() + F::A * den2) * x_num + F::B * den3;
    let (is_square, root) = F::sqrt_ratio(&gx_num, &den3);
    let x = F::conditional_select(&(zu2 * x_num), &x_num, is_square);
    let y = F::conditional_select(&(zu2 * *u * root), &root, is_square);
    let y = F::conditional_select(&-y, &y, !(u.sgn0() ^ y.sgn0()));
    [x, y * x_den, x_den]
}

/// `P + Q` on `E'` for any two points, as its order is odd. Cost: 17 products and 3 by `3b'`.
///
/// Source: Renes, Costello, Batina, eprint 2015/1060, section 3.1, equation (1) with `b3 = 3·b'`.
pub fn add<F: SwuField<D>, const D: usize>([x1, y1, z1]: [F; 3], [x2, y2, z2]: [F; 3]) -> [F; 3] {
    let b3 = times(F::B, 3);
    let (xx, yy, zz) = (x1 * x2, y1 * y2, z1 * z2);
    let xy = F::sum_of_two_products([&x1, &x2], [&y2, &y1]);
    let xz = F::sum_of_two_products([&x1, &x2], [&z2, &z1]);
    let yz = F::sum_of_two_products([&y1, &y2], [&z2, &z1]);
    let a_zz = F::A * zz;
    let mixed = F::sum_of_two_products([&F::A, &b3], [&xz, &zz]);
    let (sum, difference) = (yy + mixed, yy - mixed);
    let slope = times(xx, 3) + a_zz;
    let other = F::sum_of_two_products([&F::A, &b3], [&(xx - a_zz), &xz]);
    [
        F::difference_of_two_products([&xy, &yz], [&difference, &other]),
        F::sum_of_two_products([&sum, &slope], [&difference, &other]),
        F::sum_of_two_products([&yz, &xy], [&sum, &slope]),
    ]
}

/// The image of a point of `E'`, homogeneous projective too.
///
/// The isogeny with the kernel polynomial `h` is `x → φ(x)`, `y → y·φ'(x)` with, for `L = h'/h`, `f = x³ + a'·x + b'`
/// and `c` the second coefficient of `h`, `φ = (2D + 1)·x + 2c - 2f'·L - 4f·L'`. A change of variables divides the
/// coordinates by `w²` and `w³` for `w = ±(2D + 1)`. With `f = y²`, four polynomials (`h` and its derivatives) say
/// everything, where the rational maps of RFC 9380, appendix E, have degree `6D`. Source: Kohel 1996 ("Endomorphism
/// rings of elliptic curves over finite fields"), section 2.4.
pub fn isogeny<F: SwuField<D>, const D: usize>([x, y, z]: [F; 3]) -> [F; 3] {
    let degree = 2 * D as u32 + 1;
    let [h, h1, h2, h3] = kernel_polynomial(x, z); // h, h', h''/2, h'''/6
    let slope = times(x.square(), 3) + F::A * z.square(); // f'
    let yyz = y.square() * z; // f·z³
    let (hh, h1_h) = (h.square(), h1 * h);
    let m = (h2 * h).double() - h1.square(); // h''·h - h'²
    // φ = numerator/(z·h²)
    let linear = times(x, degree) + (F::KERNEL[D - 1] * z).double();
    let numerator = linear * hh - (slope * h1_h).double() - times(yyz * m, 4);
    // h'''·h² - 3·h''·h'·h + 2·h'³
    let q = times(h3 * hh - h2 * h1_h, 6) + (h1.square() * h1).double();
    // φ' = derivative/h³
    let derivative =
        (times(h, degree) - times(x * h1, 12)) * hh - times(slope * m, 6) * h - times(yyz * q, 4);
    let y = if F::NEGATIVE { -y } else { y };
    let image = [
        times(numerator * h, degree),
        y * derivative,
        times(z * hh * h, degree * degree * degree),
    ];
    // infinity would become (0 : 0 : 0)
    let infinity = [F::ZERO, F::ONE, F::ZERO];
    let is_infinity = z.is_zero();
    core::array::from_fn(|i| F::conditional_select(&image[i], &infinity[i], is_infinity))
}

/// `h` and its first three Taylor coefficients at `x/z`, times `z^D`, `z^(D-1)`, …: Horner's rule for all four at once.
fn kernel_polynomial<F: SwuField<D>, const D: usize>(x: F, z: F) -> [F; 4] {
    let mut values = [F::ONE, F::ZERO, F::ZERO, F::ZERO];
    let mut power = F::ONE;
    for coefficient in F::KERNEL.iter().rev() {
        power *= z;
        for i in (1..4).rev() {
            values[i] = values[i] * x + values[i - 1];
        }
        values[0] = F::sum_of_two_products([&values[0], coefficient], [&x, &power]);
    }
    values
}

/// `factor·x` by doublings; time depends on the factor, a constant.
#[inline(always)]
fn times<F: Coordinate>(x: F, factor: u32) -> F {
    let mut multiple = x;
    for bit in (0..factor.ilog2()).rev() {
        multiple = multiple.double();
        if factor >> bit & 1 == 1 {
            multiple += x;
        }
    }
    multiple
}
