//! Eight sums of Banderwagon side by side.
//!
//! The law of `frumious_curves::edwards` with its sources and its completeness, with bounds for lanes. Coordinates are
//! below `2p` between operations, and the modulus has a headroom of 35. Entries come in below `16p`, since a change of
//! radix by a shift costs nothing, and are factors as they are. Two values in an addition and three in a doubling are
//! reduced weakly, at an eighth of a product each.

use super::Banderwagon;
use crate::fixed::group::LaneSum;
use frumious_curves::bandersnatch::{AffineElement, Element, Fq};
use frumious_curves::edwards::Extended;
use frumious_field::kernel::Dispatched;
use frumious_field::lanes::{self, Lanes5};
use frumious_field::{KernelField, Reduced};
use frumious_simd::{Block, LANES, Mask, Prime, Sum, Vector};

/// Eight points in extended coordinates, below `2p`.
#[derive(Clone, Copy, Debug)]
pub struct Sums<V> {
    x: Lanes5<Fq, V>,
    y: Lanes5<Fq, V>,
    z: Lanes5<Fq, V>,
    t: Lanes5<Fq, V>,
}

/// Eight entries `(x, y, d·x·y)`: below `17p`, `16p`, `17p`.
struct Entries<V> {
    x: Lanes5<Fq, V>,
    y: Lanes5<Fq, V>,
    dxy: Lanes5<Fq, V>,
}

impl<V: Vector> LaneSum<V> for Sums<V> {
    type Group = Banderwagon;

    #[inline(always)]
    fn start(cpu: V::Cpu, entries: [&[[u64; 4]; 3]; LANES], negative: Mask) -> Self {
        let entries = load(cpu, entries, negative);
        let (x, y) = (entries.x.reduce_weakly(), entries.y.reduce_weakly());
        Self {
            x,
            y,
            z: Lanes5::one(cpu),
            t: x * y,
        }
    }

    /// 8 M.
    #[inline(always)]
    fn add(self, entries: [&[[u64; 4]; 3]; LANES], negative: Mask) -> Self {
        let entries = load(self.x.cpu(), entries, negative);
        let all = (entries.x.sum() + entries.y).carry_weakly::<0>();
        let [a, b] = Lanes5::multiply_each_uncarried([self.x, self.y], [entries.x, entries.y]); // 2·17
        let h = five_times_and(a, b);
        let [c, all] =
            Lanes5::multiply_each_uncarried([self.t, self.x + self.y], [entries.dxy, all]); // 2·17, 4·2
        Self::from_terms(a, b, c, self.z.sum(), all, h)
    }

    /// 8 M: a square of `X + Y` instead of the product `XY` would have to be brought below `4p`.
    #[inline(always)]
    fn double(self) -> Self {
        let [a, b] = Lanes5::multiply_each_uncarried([self.x, self.y], [self.x, self.y]);
        let h = five_times_and(a, b);
        let g = (b - a.double().double() - a).carry_weakly::<10>();
        let [c, e] = Lanes5::multiply_each_uncarried([self.z, self.x], [self.z, self.y]);
        let e = e.double().carry::<0>(); // below 4p
        let f = (c.double() - g).carry::<2>(); // below 6p
        let [x, y] = Lanes5::multiply_each([e, g], [f, h]); // 4·6
        let [z, t] = Lanes5::multiply_each([f, e], [g, h]);
        Self { x, y, z, t }
    }

    /// 10 M, one of them by `d`.
    #[inline(always)]
    fn join(self, other: Self) -> Self {
        let cpu = self.x.cpu();
        let d =
            const { <Fq as Prime<5>>::MODULUS.lane_form(&AffineElement::D.to_montgomery_limbs()) };
        let d = Lanes5::splat(cpu, &d);
        let c = self.t * d;
        let [a, b] = Lanes5::multiply_each_uncarried([self.x, self.y], [other.x, other.y]);
        let h = five_times_and(a, b);
        let all = (self.x + self.y, other.x + other.y);
        let [all, c] = Lanes5::multiply_each_uncarried([all.0, c], [all.1, other.t]); // 4·4
        let [z] = Lanes5::multiply_each_uncarried([self.z], [other.z]);
        Self::from_terms(a, b, c, z, all, h)
    }

    #[inline(always)]
    fn rotate(self, by: usize) -> Self {
        Self {
            x: self.x.rotate(by),
            y: self.y.rotate(by),
            z: self.z.rotate(by),
            t: self.t.rotate(by),
        }
    }

    #[inline(always)]
    fn load(cpu: V::Cpu, [x, y, z, t]: &[Block<5>; 4]) -> Self {
        Self {
            x: Lanes5::load_block::<2>(cpu, x),
            y: Lanes5::load_block::<2>(cpu, y),
            z: Lanes5::load_block::<2>(cpu, z),
            t: Lanes5::load_block::<2>(cpu, t),
        }
    }

    #[inline(always)]
    fn store(self, [x, y, z, t]: &mut [Block<5>; 4]) {
        self.x.store_block(x);
        self.y.store_block(y);
        self.z.store_block(z);
        self.t.store_block(t);
    }

    #[inline(always)]
    fn elements(self) -> [Element; LANES] {
        let mut coordinates = [[Fq::ZERO; LANES]; 4];
        let [x, y, z, t] = &mut coordinates;
        lanes::store(self.x, x);
        lanes::store(self.y, y);
        lanes::store(self.z, z);
        lanes::store(self.t, t);
        let mut elements = [Element::IDENTITY; LANES];
        for k in 0..LANES {
            elements[k] = Element::from_kernel_unchecked(Extended {
                x: Reduced::load(Dispatched, x[k]),
                y: Reduced::load(Dispatched, y[k]),
                z: Reduced::load(Dispatched, z[k]),
                t: Reduced::load(Dispatched, t[k]),
            });
        }
        elements
    }
}

impl<V: Vector> Sums<V> {
    /// From `A = X₁X₂`, `B = Y₁Y₂`, `C = d·T₁T₂`, `D = Z₁Z₂`, `(X₁ + Y₁)(X₂ + Y₂)` and `H = B + 5A`, all below `2p`:
    /// what both additions end in.
    #[inline(always)]
    fn from_terms(
        a: Sum5<V>,
        b: Sum5<V>,
        c: Sum5<V>,
        d: Sum5<V>,
        all: Sum5<V>,
        h: Lanes5<Fq, V>,
    ) -> Self {
        let e = (all - a - b).carry::<4>(); // below 6p
        let f = (d - c).carry::<2>(); // below 4p
        let g = (d + c).carry::<0>();
        // X and Y first: the next addition starts with them.
        let [x, y] = Lanes5::multiply_each([e, g], [f, h]); // 6·4
        let [z, t] = Lanes5::multiply_each([f, e], [g, h]); // 4·4
        Self { x, y, z, t }
    }
}

/// A product that others are added to.
type Sum5<V> = Sum<Fq, V, 5>;

/// `5a + b`, below `2p`.
#[inline(always)]
fn five_times_and<V: Vector>(a: Sum5<V>, b: Sum5<V>) -> Lanes5<Fq, V> {
    (a.double().double() + a + b).carry_weakly::<0>()
}

/// The entries, or their opposites in the lanes of `negative`.
#[inline(always)]
fn load<V: Vector>(
    cpu: V::Cpu,
    [r0, r1, r2, r3, r4, r5, r6, r7]: [&[[u64; 4]; 3]; LANES],
    negative: Mask,
) -> Entries<V> {
    let x = [
        &r0[0], &r1[0], &r2[0], &r3[0], &r4[0], &r5[0], &r6[0], &r7[0],
    ];
    let y = [
        &r0[1], &r1[1], &r2[1], &r3[1], &r4[1], &r5[1], &r6[1], &r7[1],
    ];
    let dxy = [
        &r0[2], &r1[2], &r2[2], &r3[2], &r4[2], &r5[2], &r6[2], &r7[2],
    ];
    Entries {
        x: Lanes5::load_packed(cpu, x).negate_where::<16>(negative),
        y: Lanes5::load_packed(cpu, y),
        dxy: Lanes5::load_packed(cpu, dxy).negate_where::<16>(negative),
    }
}
