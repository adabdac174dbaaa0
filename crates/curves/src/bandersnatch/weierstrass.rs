//! Bandersnatch as a short Weierstrass curve `y² = x³ + A·x + B`, for batches of affine additions.
//!
//! With a shared inversion an affine addition costs five products and a square here, fewer than any addition on the
//! Edwards side. Both forms are the same curve in other coordinates. With `k = (a - d)/4` and `s = (a + d)/6`:
//!
//! ```text
//! (x, y) on  a·x² + y² = 1 + d·x²·y²    ->    X = k·(1 + y)/(1 - y),   Y = X/x
//! (X, Y) on  Y² = X³ + 3s·X² + k²·X     ->    x = X/Y,                 y = (X - k)/(X + k)
//! (X + s, Y) on the short form with A = k² - 3s², B = s·(2s² - k²)
//! ```
//!
//! Source: Bernstein, Birkner, Joye, Lange, Peters, "Twisted Edwards curves", eprint 2008/013, section 3, with their
//! Montgomery curve `B·v² = u³ + A·u² + u` scaled by `u = X/k`, `v = Y/k`. The curve: eprint 2021/1152.
//!
//! Where the maps are not defined: `(0, 1)` is the point at infinity, and `(0, -1)`, of order two, is `(s, 0)`. Both
//! are the neutral element of Banderwagon. No other of its points has `x = 0`, `Y = 0`, `X = 0` or `X = -k`. Those are
//! the other points of order two and the points of order four, outside of the subgroup and its sum with `(0, -1)`.

mod lanes;

use super::{AffineElement, Element, Fq};
use crate::edwards::Extended;
use frumious_field::kernel::Dispatched;
use frumious_field::lanes::active;
use frumious_field::{ConditionallySelectable, Field, KernelField, Reduced, dispatch_kernel};

/// An element of Banderwagon by either representative in the short Weierstrass form; 64 bytes.
///
/// `(0, 0)`, which is not on the curve, stands for the point at infinity. For sums with one inversion for many:
/// `frumious_msm` is the user. Equality is that of coordinates.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WeierstrassAffine {
    x: Fq,
    y: Fq,
}

impl WeierstrassAffine {
    /// The coefficient `A` of the curve.
    pub const A: Fq = times(3, S.mul_const(&S)).neg_const().add_const(&K_SQUARED);

    /// The coefficient `B` of the curve.
    pub const B: Fq = times(2, S.mul_const(&S))
        .add_const(&K_SQUARED.neg_const())
        .mul_const(&S);

    /// The point at infinity.
    pub const IDENTITY: Self = Self {
        x: Fq::ZERO,
        y: Fq::ZERO,
    };

    /// The x coordinate of the short form.
    #[inline(always)]
    pub const fn x(&self) -> Fq {
        self.x
    }

    /// The y coordinate of the short form.
    #[inline(always)]
    pub const fn y(&self) -> Fq {
        self.y
    }

    /// The caller answers for `(x, y)` being `(0, 0)` or a sum of points of this type by the group law.
    #[doc(hidden)]
    #[inline(always)]
    pub const fn from_coordinates_unchecked(x: Fq, y: Fq) -> Self {
        Self { x, y }
    }

    /// `out[i]` from `points[i]`; both representatives of the neutral element become the point at infinity.
    ///
    /// Cost: one inversion, and six products a point (eight in lanes). Time: depends on where the neutral elements are.
    ///
    /// # Panics
    /// If the lengths differ.
    #[track_caller]
    pub fn batch_from_affine_vartime(points: &[AffineElement], out: &mut [Self]) {
        assert!(
            points.len() == out.len(),
            "{} points but `out` has {} places",
            points.len(),
            out.len()
        );
        match active() {
            Some(cpu) => lanes::convert_vartime(cpu, points, out),
            None => {
                dispatch_kernel!(cpu => convert_vartime::<Reduced<Fq, _>>(cpu, points, out))
            }
        }
    }

    /// The same point in extended Edwards coordinates, without an inversion; 4 M.
    ///
    /// Both the point at infinity and the one of order two, the only ones with `y = 0`, give `(0, 1)`.
    #[inline]
    pub fn to_element(&self) -> Element {
        let point = Element::from_extended(self.to_kernel(Dispatched));
        Element::conditional_select(&point, &Element::IDENTITY, self.y.is_zero())
    }

    /// As [`to_element`](Self::to_element) in a kernel, for a point with `y` not zero: `(XX₊ : YX₋ : YX₊ : XX₋)` where
    /// `X₊ = X + k`, `X₋ = X - k`.
    #[inline(always)]
    pub fn to_kernel<V: KernelField<Scalar = Fq>>(&self, cpu: V::Cpu) -> Extended<V> {
        let [x, y, s, k] = [self.x, self.y, S, K].map(|value| V::load(cpu, value));
        let x = x - s;
        let (above, below) = (x + k, x - k);
        Extended {
            x: x * above,
            y: y * below,
            z: y * above,
            t: x * below,
        }
    }
}

impl From<WeierstrassAffine> for Element {
    fn from(point: WeierstrassAffine) -> Self {
        point.to_element()
    }
}

/// Montgomery's trick (see `frumious_field::batch_invert_vartime`) over `x·(1 - y)`, with `k` put into the one inverse.
#[inline(always)]
fn convert_vartime<V: KernelField<Scalar = Fq>>(
    cpu: V::Cpu,
    points: &[AffineElement],
    out: &mut [WeierstrassAffine],
) {
    let one = V::load(cpu, Fq::ONE);
    let s = V::load(cpu, S);
    let coordinates = |point: &AffineElement| [point.x(), point.y()].map(|c| V::load(cpu, c));
    let mut product = one;
    for (point, place) in points.iter().zip(out.iter_mut()) {
        place.x = product.store(); // of the denominators before this one, until the second pass
        if !point.x().is_zero_vartime() {
            let [x, y] = coordinates(point);
            product = product * (x * (one - y));
        }
    }
    let inverse = product.store().invert_vartime();
    let inverse = inverse.expect("x is not zero, and y is 1 only where x is zero");
    let mut inverse = V::load(cpu, inverse) * V::load(cpu, K); // k over the product
    for (point, place) in points.iter().zip(out).rev() {
        if point.x().is_zero_vartime() {
            *place = WeierstrassAffine::IDENTITY;
            continue;
        }
        let [x, y] = coordinates(point);
        let own = inverse * V::load(cpu, place.x); // k / (x·(1 - y))
        inverse = inverse * (x * (one - y));
        let v = own * (one + y); // Y = X/x
        *place = WeierstrassAffine {
            x: (v * x + s).store(),
            y: v.store(),
        };
    }
}

/// `a` of the Edwards form.
const EDWARDS_A: Fq = Fq::from_u64(5).neg_const();

/// `k = (a - d)/4`.
const K: Fq = times(3, TWELFTH).mul_const(&EDWARDS_A.add_const(&AffineElement::D.neg_const()));

const K_SQUARED: Fq = K.mul_const(&K);

/// `s = (a + d)/6`.
const S: Fq = times(2, TWELFTH).mul_const(&EDWARDS_A.add_const(&AffineElement::D));

/// `1/12`.
const TWELFTH: Fq = Fq::from_words_reduced([
    0x6aaa_aaa9_c000_0001,
    0x376d_d658_1553_d454,
    0xd99f_b0b2_08d4_5b5a,
    0x6a44_840c_3b7b_082c,
]);

const fn times(factor: u64, value: Fq) -> Fq {
    Fq::from_u64(factor).mul_const(&value)
}

#[cfg(test)]
mod tests;
