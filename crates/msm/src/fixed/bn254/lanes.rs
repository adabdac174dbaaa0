//! Eight sums of BN254's G1 side by side.
//!
//! The complete formulas of the scalar code (Renes, Costello, Batina, eprint 2015/1060), with bounds for lanes.
//! Coordinates are below `2p` between operations, and the modulus has a headroom of 84. The products that are added or
//! subtracted in pairs share their reduction, so that an addition costs 9.5 products.

use super::Bn254G1;
use crate::fixed::group::LaneSum;
use frumious_curves::bn254::{Fq, G1Projective};
use frumious_field::lanes::{self, Lanes5};
use frumious_simd::{Block, LANES, Lanes, Mask, Sum, Vector};

/// Eight points in homogeneous projective coordinates, below `2p`.
#[derive(Clone, Copy, Debug)]
pub struct Sums<V> {
    x: Lanes5<Fq, V>,
    y: Lanes5<Fq, V>,
    z: Lanes5<Fq, V>,
}

impl<V: Vector> LaneSum<V> for Sums<V> {
    type Group = Bn254G1;

    #[inline(always)]
    fn start(cpu: V::Cpu, entries: [&[[u64; 4]; 2]; LANES], negative: Mask) -> Self {
        let (x, y, finite) = load(cpu, entries, negative);
        let one = Lanes5::one(cpu);
        Self {
            x: x.reduce_weakly(),
            y: one.select(y.reduce_weakly(), finite),
            z: Lanes5::zero(cpu).select(one, finite),
        }
    }

    /// Algorithm 8: complete but for an entry at infinity, where the sum stays.
    #[inline(always)]
    fn add(self, entries: [&[[u64; 4]; 2]; LANES], negative: Mask) -> Self {
        let (x, y, finite) = load(self.x.cpu(), entries, negative);
        let xx = product(self.x, x); // 2·16
        let yy = product(self.y, y); // 2·17
        let all = product(self.x + self.y, (x.sum() + y).carry_weakly::<0>());
        let xy = (all - xx - yy).carry::<4>(); // below 6p
        let yz = (product(y, self.z) + self.y).carry::<0>(); // below 4p
        let xz = product(x, self.z) + self.x;
        let sum = Self::from_terms(xx, yy, nine_times(self.z.sum()), xy, yz, nine_times(xz));
        Self {
            x: self.x.select(sum.x, finite),
            y: self.y.select(sum.y, finite),
            z: self.z.select(sum.z, finite),
        }
    }

    /// Algorithm 9.
    #[inline(always)]
    fn double(self) -> Self {
        let yy = self.y.square_uncarried();
        let zz = self.z.square_uncarried();
        let yy8 = yy.double().double().double().carry::<0>(); // below 16p
        let b3zz = nine_times(zz).carry_weakly::<0>();
        let difference = (yy - b3zz - b3zz - b3zz).carry_weakly::<6>();
        Self {
            x: difference.double() * (self.x * self.y),
            y: Lanes::sum_of_products([b3zz, difference], [yy8, (yy + b3zz).carry::<0>()]), // 2·16 + 2·4
            z: self.y * self.z * yy8,                                                       // 2·16
        }
    }

    /// Algorithm 7.
    #[inline(always)]
    fn join(self, other: Self) -> Self {
        let xx = product(self.x, other.x);
        let yy = product(self.y, other.y);
        let zz = product(self.z, other.z);
        let xy = cross(self.x, self.y, other.x, other.y, xx, yy).carry::<4>();
        let yz = cross(self.y, self.z, other.y, other.z, yy, zz).carry::<4>();
        let xz = cross(self.x, self.z, other.x, other.z, xx, zz).carry::<4>();
        Self::from_terms(xx, yy, nine_times(zz), xy, yz, nine_times(xz.sum()))
    }

    #[inline(always)]
    fn rotate(self, by: usize) -> Self {
        Self {
            x: self.x.rotate(by),
            y: self.y.rotate(by),
            z: self.z.rotate(by),
        }
    }

    #[inline(always)]
    fn load(cpu: V::Cpu, [x, y, z]: &[Block<5>; 3]) -> Self {
        Self {
            x: Lanes5::load_block::<2>(cpu, x),
            y: Lanes5::load_block::<2>(cpu, y),
            z: Lanes5::load_block::<2>(cpu, z),
        }
    }

    #[inline(always)]
    fn store(self, [x, y, z]: &mut [Block<5>; 3]) {
        self.x.store_block(x);
        self.y.store_block(y);
        self.z.store_block(z);
    }

    #[inline(always)]
    fn elements(self) -> [G1Projective; LANES] {
        let mut coordinates = [[Fq::ZERO; LANES]; 3];
        let [x, y, z] = &mut coordinates;
        lanes::store(self.x, x);
        lanes::store(self.y, y);
        lanes::store(self.z, z);
        let mut elements = [G1Projective::IDENTITY; LANES];
        for k in 0..LANES {
            elements[k] = G1Projective {
                x: x[k],
                y: y[k],
                z: z[k],
            };
        }
        elements
    }
}

impl<V: Vector> Sums<V> {
    /// The end of both additions: `xx`, `yy` below `2p`, `9zz` below `18p`, `xy`, `yz` below `6p`, `9xz` below `54p`.
    #[inline(always)]
    fn from_terms(
        xx: Sum5<V>,
        yy: Sum5<V>,
        b3zz: Sum5<V>,
        xy: Lanes5<Fq, V>,
        yz: Lanes5<Fq, V>,
        b3xz: Sum5<V>,
    ) -> Self {
        let xx3 = (xx.double() + xx).carry::<0>(); // below 6p
        let sum = (yy + b3zz).carry_weakly::<0>();
        let difference = (yy - b3zz).carry_weakly::<18>();
        let b3xz = b3xz.carry_weakly::<0>();
        Self {
            x: Lanes::sum_of_products([xy, yz.negate::<6>()], [difference, b3xz]), // 6·2 + 7·2
            y: Lanes::sum_of_products([b3xz, difference], [xx3, sum]),             // 2·6 + 2·2
            z: Lanes::sum_of_products([sum, xx3], [yz, xy]),                       // 2·6 + 6·6
        }
    }
}

/// A product that others are added to.
type Sum5<V> = Sum<Fq, V, 5>;

#[inline(always)]
fn product<V: Vector>(a: Lanes5<Fq, V>, b: Lanes5<Fq, V>) -> Sum5<V> {
    Lanes::sum_of_products_uncarried([a], [b])
}

/// `a₁b₂ + b₁a₂` for values below `2p`, given `a₁a₂` and `b₁b₂`. The terms subtracted are below `4p`.
#[inline(always)]
fn cross<V: Vector>(
    a1: Lanes5<Fq, V>,
    b1: Lanes5<Fq, V>,
    a2: Lanes5<Fq, V>,
    b2: Lanes5<Fq, V>,
    aa: Sum5<V>,
    bb: Sum5<V>,
) -> Sum5<V> {
    product(a1 + b1, a2 + b2) - aa - bb // 4·4
}

/// `3b·value`, where `b = 3`.
#[inline(always)]
fn nine_times<V: Vector>(value: Sum5<V>) -> Sum5<V> {
    value.double().double().double() + value
}

/// The coordinates of the entries below `16p` and `17p`, of their opposites in the lanes of `negative`; and which are
/// not infinity, `(0, 0)`.
#[inline(always)]
fn load<V: Vector>(
    cpu: V::Cpu,
    [r0, r1, r2, r3, r4, r5, r6, r7]: [&[[u64; 4]; 2]; LANES],
    negative: Mask,
) -> (Lanes5<Fq, V>, Lanes5<Fq, V>, Mask) {
    let x = [
        &r0[0], &r1[0], &r2[0], &r3[0], &r4[0], &r5[0], &r6[0], &r7[0],
    ];
    let y = [
        &r0[1], &r1[1], &r2[1], &r3[1], &r4[1], &r5[1], &r6[1], &r7[1],
    ];
    let x = Lanes5::load_packed(cpu, x);
    let y = Lanes5::load_packed(cpu, y);
    let finite = !y.is_number_zero(); // y = 0 is infinity's alone: the order is odd
    (x, y.negate_where::<16>(negative), finite)
}
