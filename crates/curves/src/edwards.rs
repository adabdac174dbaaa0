//! Group law of the twisted Edwards curve `-5·x² + y² = 1 + d·x²·y²`, in extended coordinates, over kernel fields.
//!
//! `(X : Y : Z : T)` stands for `x = X/Z`, `y = Y/Z`, with `T = XY/Z`. The formulas are generic over [`KernelField`],
//! so that one text serves single operations and the kernels of every backend.
//!
//! Completeness: with `a = -5` and `d` both non-squares the law has exceptions on the curve. There are none among the
//! points of odd order and their sums with `(0, -1)`. These are all the representatives of Banderwagon. Sources:
//! (Masson, Sanso, Zhang, eprint 2021/1152; Bernstein, Lange, "A complete set of addition laws for incomplete Edwards
//! curves", eprint 2009/580). So nothing here branches.
//!
//! Source of the formulas: Hisil, Wong, Carter, Dawson, "Twisted Edwards curves revisited", eprint 2008/522, sections
//! 3.1 and 3.3. Costs are given as products M and squares S; `5·x` is two doublings and an addition.

use frumious_field::{Field, KernelField};

/// A point in extended coordinates.
#[derive(Clone, Copy, Debug)]
pub struct Extended<V> {
    /// X.
    pub x: V,
    /// Y.
    pub y: V,
    /// Z, never zero.
    pub z: V,
    /// `T = X·Y/Z`.
    pub t: V,
}

/// A point without `T`, enough to double it.
#[derive(Clone, Copy, Debug)]
pub struct Projective<V> {
    /// X.
    pub x: V,
    /// Y.
    pub y: V,
    /// Z, never zero.
    pub z: V,
}

/// An affine point prepared for additions: `(x, y, d·x·y)`.
#[derive(Clone, Copy, Debug)]
pub struct Entry<V> {
    /// x.
    pub x: V,
    /// y.
    pub y: V,
    /// `d·x·y`.
    pub dxy: V,
}

impl<V: KernelField> Extended<V> {
    /// The neutral element `(0, 1)`.
    #[inline(always)]
    pub fn identity(cpu: V::Cpu) -> Self {
        let [zero, one] = [V::Scalar::ZERO, V::Scalar::ONE].map(|value| V::load(cpu, value));
        Self {
            x: zero,
            y: one,
            z: one,
            t: zero,
        }
    }

    /// The affine point `(x, y)`; 1 M.
    #[inline(always)]
    pub fn from_affine(cpu: V::Cpu, x: V, y: V) -> Self {
        Self {
            x,
            y,
            z: V::load(cpu, V::Scalar::ONE),
            t: x * y,
        }
    }

    /// `self + other`; 10 M, one of them by the curve's `d`.
    #[inline(always)]
    pub fn add(self, other: Self, d: V) -> Self {
        let a = self.x * other.x;
        let b = self.y * other.y;
        let c = self.t * other.t * d;
        let e = (self.x + self.y) * (other.x + other.y) - a - b;
        Sum::new(a, b, c, self.z * other.z, e).extended()
    }

    /// `self + entry`; 8 M.
    #[inline(always)]
    pub fn add_entry(self, entry: Entry<V>) -> Self {
        self.sum_with(entry).extended()
    }

    /// `self + entry` without `T`; 7 M. For the last addition before a doubling or a comparison.
    #[inline(always)]
    pub fn add_entry_last(self, entry: Entry<V>) -> Projective<V> {
        self.sum_with(entry).projective()
    }

    /// `2·self`; 4 M + 4 S.
    #[inline(always)]
    pub fn double(self) -> Self {
        self.projective().double_extended()
    }

    /// The point without `T`.
    #[inline(always)]
    pub fn projective(self) -> Projective<V> {
        Projective {
            x: self.x,
            y: self.y,
            z: self.z,
        }
    }

    #[inline(always)]
    fn sum_with(self, entry: Entry<V>) -> Sum<V> {
        let a = self.x * entry.x;
        let b = self.y * entry.y;
        let c = self.t * entry.dxy;
        let e = (self.x + self.y) * (entry.x + entry.y) - a - b;
        Sum::new(a, b, c, self.z, e)
    }
}

impl<V: KernelField> Projective<V> {
    /// `2·self`; 3 M + 4 S.
    #[inline(always)]
    pub fn double(self) -> Self {
        self.doubled().projective()
    }

    /// `2·self` with `T`, to be added to; 4 M + 4 S.
    #[inline(always)]
    pub fn double_extended(self) -> Extended<V> {
        self.doubled().extended()
    }

    /// All four coordinates of the published doubling, times -1, which is the same point: `-a·X² = 5·X²` then needs no
    /// negation.
    #[inline(always)]
    fn doubled(self) -> Sum<V> {
        let a = self.x.square();
        let b = self.y.square();
        let a5 = five_times(a);
        let e = (self.x + self.y).square() - a - b;
        let c = self.z.square().double();
        let g = b - a5;
        Sum {
            e,
            f: c - g,
            g,
            h: a5 + b,
        }
    }
}

/// The end of both laws: `X = EF`, `Y = GH`, `Z = FG`, `T = EH`.
struct Sum<V> {
    e: V,
    f: V,
    g: V,
    h: V,
}

impl<V: KernelField> Sum<V> {
    /// From `A = X₁X₂`, `B = Y₁Y₂`, `C = d·T₁T₂`, `D = Z₁Z₂`, `E = X₁Y₂ + Y₁X₂`.
    #[inline(always)]
    fn new(a: V, b: V, c: V, d: V, e: V) -> Self {
        Self {
            e,
            f: d - c,
            g: d + c,
            h: b + five_times(a), // B - a·A
        }
    }

    #[inline(always)]
    fn extended(self) -> Extended<V> {
        Extended {
            x: self.e * self.f,
            y: self.g * self.h,
            z: self.f * self.g,
            t: self.e * self.h,
        }
    }

    #[inline(always)]
    fn projective(self) -> Projective<V> {
        Projective {
            x: self.e * self.f,
            y: self.g * self.h,
            z: self.f * self.g,
        }
    }
}

#[inline(always)]
fn five_times<V: KernelField>(value: V) -> V {
    value.double().double() + value
}
