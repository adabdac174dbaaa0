//! Points of `y² = x³ + b` in Jacobian coordinates in lanes: twice eight at a time.
//!
//! The point `(x, y, z)` is `(x/z², y/z³)`, and infinity if z is zero. Neither formula knows b, so they hold on the
//! isomorphic curve of `coordinate`, too. A doubling takes 7 products, an addition of an affine point 11. In both the
//! last two products that make y are reduced as one.
//!
//! Sources: Cohen, Miyaji, Ono, ASIACRYPT 1998; the Explicit-Formulas Database, short Weierstrass curves with `a = 0`,
//! "dbl-2009-l" and "madd".

use frumious_simd::{Lanes, Mask, Prime, Vector};

/// The same coordinate of two groups of eight points. Operations alternate between them, so that the products of one
/// fill the waiting times of the other.
#[derive(Clone, Copy)]
pub(super) struct Two<P, V, const L: usize>(pub(super) [Lanes<P, V, L>; 2]);

/// Twice eight points. Coordinates are below `2p`.
#[derive(Clone, Copy)]
pub(super) struct Jacobian<P, V, const L: usize> {
    pub(super) x: Two<P, V, L>,
    pub(super) y: Two<P, V, L>,
    pub(super) z: Two<P, V, L>,
}

/// Twice eight affine points, none at infinity. Their bounds are those of loaded coordinates.
#[derive(Clone, Copy)]
pub(super) struct Affine<P, V, const L: usize> {
    pub(super) x: Two<P, V, L>,
    pub(super) y: Two<P, V, L>,
}

impl<P: Prime<L>, V: Vector, const L: usize> Jacobian<P, V, L> {
    /// Points at infinity.
    #[inline(always)]
    pub(super) fn infinity(cpu: V::Cpu) -> Self {
        let (one, zero) = (Lanes::one(cpu), Lanes::zero(cpu));
        Self {
            x: Two([one, one]),
            y: Two([one, one]),
            z: Two([zero, zero]),
        }
    }

    /// `2·self`. Infinity stays infinity.
    #[inline(always)]
    pub(super) fn doubled(self) -> Self {
        let xx = self.x.squared();
        let yy = self.y.squared();
        let slope = xx.tripled(); // below 6p
        let below = yy.eightfold_opposite();
        let d = self.x.times(yy).quadrupled();
        let x = slope.square_less_twice(d);
        // In the time in which x becomes ready for y.
        let z = self.y.doubled().times(self.z);
        // λ·(d - x) - 8·y⁴: bounds 6·4 + 17·2, where the headroom is 84.
        let y = Two::sum_of_products([slope, below], [d.less_settled(x), yy]);
        Self { x, y, z }
    }

    /// `self + point`, of no meaning where `self` is infinity. Where both are one point, or opposite ones, z becomes
    /// zero and stays so.
    #[inline(always)]
    pub(super) fn plus(self, point: Affine<P, V, L>) -> Self {
        let zz = self.z.squared();
        let across = zz.times(point.x);
        let zzz = self.z.times(zz);
        let dx = across.less_settled(self.x); // below 4p, as the next
        let up = zzz.times(point.y);
        let dxx = dx.squared();
        let dy = up.less_settled(self.y);
        let v = self.x.times(dxx);
        let dxxx = dxx.times(dx);
        let x = dy.square_less_twice_and(v, dxxx);
        // In the time in which x becomes ready for y.
        let z = self.z.times(dx);
        // dy·(v - x) - y·dx³: bounds 4·4 + 3·2.
        let y = Two::sum_of_products([dy, self.y.opposite()], [v.less_settled(x), dxxx]);
        Self { x, y, z }
    }

    /// Those of `other` in the lanes of `masks`.
    #[inline(always)]
    pub(super) fn select(self, other: Self, masks: [Mask; 2]) -> Self {
        Self {
            x: self.x.select(other.x, masks),
            y: self.y.select(other.y, masks),
            z: self.z.select(other.z, masks),
        }
    }
}

impl<P: Prime<L>, V: Vector, const L: usize> Affine<P, V, L> {
    /// The points with `z = 1`.
    #[inline(always)]
    pub(super) fn to_jacobian(self) -> Jacobian<P, V, L> {
        let [x0, x1] = self.x.0;
        let [y0, y1] = self.y.0;
        let one = Lanes::one(x0.cpu());
        Jacobian {
            x: Two([x0.reduce_weakly(), x1.reduce_weakly()]),
            y: Two([y0.reduce_weakly(), y1.reduce_weakly()]),
            z: Two([one, one]),
        }
    }
}

/// Values below `2p` unless another bound is given.
impl<P: Prime<L>, V: Vector, const L: usize> Two<P, V, L> {
    /// For factors whose bounds have a product up to the headroom.
    #[inline(always)]
    pub(super) fn times(self, other: Self) -> Self {
        let ([a0, a1], [b0, b1]) = (self.0, other.0);
        Self([a0 * b0, a1 * b1])
    }

    #[inline(always)]
    pub(super) fn squared(self) -> Self {
        let [a0, a1] = self.0;
        Self([a0.square(), a1.square()])
    }

    /// `a[0]·b[0] + a[1]·b[1]`.
    #[inline(always)]
    fn sum_of_products(a: [Self; 2], b: [Self; 2]) -> Self {
        let [Two([a0, a1]), Two([c0, c1])] = a;
        let [Two([b0, b1]), Two([d0, d1])] = b;
        Self([
            Lanes::sum_of_products([a0, c0], [b0, d0]),
            Lanes::sum_of_products([a1, c1], [b1, d1]),
        ])
    }

    /// Below `4p`.
    #[inline(always)]
    fn doubled(self) -> Self {
        let [a0, a1] = self.0;
        Self([a0.double(), a1.double()])
    }

    /// Below `6p`.
    #[inline(always)]
    fn tripled(self) -> Self {
        let [a0, a1] = self.0;
        Self([
            (a0.sum() + a0 + a0).carry::<0>(),
            (a1.sum() + a1 + a1).carry::<0>(),
        ])
    }

    #[inline(always)]
    fn quadrupled(self) -> Self {
        let [a0, a1] = self.0;
        Self([
            a0.sum().double().double().carry_weakly::<0>(),
            a1.sum().double().double().carry_weakly::<0>(),
        ])
    }

    /// `-8·self`, below `17p`.
    #[inline(always)]
    fn eightfold_opposite(self) -> Self {
        let [a0, a1] = self.0;
        let zero = Lanes::zero(a0.cpu()).sum();
        Self([
            (zero - a0.sum().double().double().double()).carry::<16>(),
            (zero - a1.sum().double().double().double()).carry::<16>(),
        ])
    }

    /// `-self`, below `3p`.
    #[inline(always)]
    fn opposite(self) -> Self {
        let [a0, a1] = self.0;
        Self([a0.negate::<2>(), a1.negate::<2>()])
    }

    /// `self - other`, below `4p`.
    #[inline(always)]
    fn less_settled(self, other: Self) -> Self {
        let ([a0, a1], [b0, b1]) = (self.0, other.0);
        Self([a0.minus::<2>(b0), a1.minus::<2>(b1)])
    }

    /// `self² - 2·b`, for a factor below `6p`.
    #[inline(always)]
    fn square_less_twice(self, b: Self) -> Self {
        let ([a0, a1], [b0, b1]) = (self.0, b.0);
        Self([
            (a0.square_uncarried() - b0 - b0).carry_weakly::<4>(),
            (a1.square_uncarried() - b1 - b1).carry_weakly::<4>(),
        ])
    }

    /// `self² - 2·b - c`, for a factor below `6p`.
    #[inline(always)]
    fn square_less_twice_and(self, b: Self, c: Self) -> Self {
        let ([a0, a1], [b0, b1], [c0, c1]) = (self.0, b.0, c.0);
        Self([
            (a0.square_uncarried() - b0 - b0 - c0).carry_weakly::<6>(),
            (a1.square_uncarried() - b1 - b1 - c1).carry_weakly::<6>(),
        ])
    }

    #[inline(always)]
    fn select(self, other: Self, masks: [Mask; 2]) -> Self {
        let ([a0, a1], [b0, b1]) = (self.0, other.0);
        Self([a0.select(b0, masks[0]), a1.select(b1, masks[1])])
    }
}
