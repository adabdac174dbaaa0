//! Banderwagon: the group of prime order `r` that protocols use.

use super::{AffineElement, Fq, Fr, TableEntry};
use crate::edwards::{Extended, Projective};
use frumious_field::kernel::Dispatched;
use frumious_field::{
    Choice, ConditionallySelectable, ConstantTimeEq, KernelField, Reduced, impl_group_operators,
    impl_operator,
};
use zeroize::Zeroize;

/// Coordinates outside of kernels: the backend is chosen at each product.
pub(super) type Coordinate = Reduced<Fq, Dispatched>;

/// An element of Banderwagon: a point of the prime subgroup of Bandersnatch, up to adding `(0, -1)`.
///
/// `(x, y)` and `(-x, -y)` are the same element, so the cofactor 4 is gone and the order is the prime `r`. Every value
/// of this type is an element: all constructors check. Equality is that of elements, not of coordinates.
///
/// Source: the Banderwagon note of the Ethereum Foundation (hackmd "banderwagon", 2021); Hamburg, "Decaf", eprint
/// 2015/673.
#[derive(Clone, Copy, Zeroize)]
pub struct Element {
    // Extended coordinates of either representative; see `edwards`. Z is never zero.
    pub(super) x: Fq,
    pub(super) y: Fq,
    pub(super) z: Fq,
    t: Fq,
}

impl Element {
    /// The neutral element.
    pub const IDENTITY: Self = Self {
        x: Fq::ZERO,
        y: Fq::ONE,
        z: Fq::ONE,
        t: Fq::ZERO,
    };

    /// The generator of Bandersnatch's subgroup, also the point `Q` of the inner product argument.
    pub const GENERATOR: Self = Self::from_affine(&AffineElement::GENERATOR);

    /// True if it is the neutral element.
    pub fn is_identity(&self) -> Choice {
        self.x.ct_eq(&Fq::ZERO)
    }

    /// `self + other`.
    pub fn add(&self, other: &Self) -> Self {
        let d = load(AffineElement::D);
        Self::from_extended(self.extended().add(other.extended(), d))
    }

    /// `self + other` for an affine element.
    pub fn add_affine(&self, other: &AffineElement) -> Self {
        let entry = TableEntry::from(*other).to_kernel(Dispatched);
        Self::from_extended(self.extended().add_entry(entry))
    }

    /// `self - other`.
    #[inline]
    pub fn sub(&self, other: &Self) -> Self {
        self.add(&other.neg())
    }

    /// `-self`.
    #[inline]
    pub fn neg(&self) -> Self {
        Self {
            x: -self.x,
            y: self.y,
            z: self.z,
            t: -self.t,
        }
    }

    /// `2·self`.
    pub fn double(&self) -> Self {
        Self::from_extended(self.extended().double())
    }

    /// The affine form. Cost: one inversion. Time: constant.
    pub fn to_affine(&self) -> AffineElement {
        let inverse = self.z.invert().unwrap_or(Fq::ZERO); // Z is never zero; `expect` would branch
        AffineElement::from_coordinates(self.x * inverse, self.y * inverse)
    }

    /// The coordinates as kernels compute with them.
    #[inline(always)]
    pub fn to_kernel<V: KernelField<Scalar = Fq>>(&self, cpu: V::Cpu) -> Extended<V> {
        Extended {
            x: V::load(cpu, self.x),
            y: V::load(cpu, self.y),
            z: V::load(cpu, self.z),
            t: V::load(cpu, self.t),
        }
    }

    /// The element that a kernel computed.
    ///
    /// The caller answers for it: the coordinates must come from elements by the formulas of
    /// [`edwards`](crate::edwards).
    #[doc(hidden)]
    #[inline(always)]
    pub fn from_kernel_unchecked<V: KernelField<Scalar = Fq>>(point: Extended<V>) -> Self {
        Self {
            x: point.x.store(),
            y: point.y.store(),
            z: point.z.store(),
            t: point.t.store(),
        }
    }

    /// As [`from_kernel_unchecked`](Self::from_kernel_unchecked), of a point without `T`: 1 S and 3 M more, for
    /// `(XZ : YZ : Z² : XY)`.
    #[doc(hidden)]
    #[inline(always)]
    pub fn from_kernel_projective_unchecked<V: KernelField<Scalar = Fq>>(
        point: Projective<V>,
    ) -> Self {
        Self::from_kernel_unchecked(Extended {
            x: point.x * point.z,
            y: point.y * point.z,
            z: point.z.square(),
            t: point.x * point.y,
        })
    }

    /// An affine element with its product; usable in constants.
    pub const fn from_affine(point: &AffineElement) -> Self {
        Self {
            x: point.x(),
            y: point.y(),
            z: Fq::ONE,
            t: point.x().mul_const(&point.y()),
        }
    }

    /// `X`, `Y` and `Z` of the representative at hand.
    pub(super) fn coordinates(&self) -> [Fq; 3] {
        [self.x, self.y, self.z]
    }

    /// `table[index]`, all of which is read. Time: depends on the table's length only.
    pub(super) fn select_entry(table: &[Self], index: u64) -> Self {
        Self {
            x: Fq::select_entry(table.iter().map(|entry| &entry.x), index),
            y: Fq::select_entry(table.iter().map(|entry| &entry.y), index),
            z: Fq::select_entry(table.iter().map(|entry| &entry.z), index),
            t: Fq::select_entry(table.iter().map(|entry| &entry.t), index),
        }
    }

    /// From `X`, `Y`, `Z` and `T`, for which the caller answers.
    pub(super) fn from_coordinates([x, y, z, t]: [Fq; 4]) -> Self {
        Self { x, y, z, t }
    }

    #[inline(always)]
    pub(super) fn extended(&self) -> Extended<Coordinate> {
        self.to_kernel(Dispatched)
    }

    #[inline(always)]
    pub(super) fn from_extended(point: Extended<Coordinate>) -> Self {
        Self::from_kernel_unchecked(point)
    }
}

/// A field element as [`Coordinate`].
#[inline(always)]
pub(super) fn load(value: Fq) -> Coordinate {
    Coordinate::load(Dispatched, value)
}

impl_group_operators!(Element);

impl_operator!(Add add AddAssign add_assign, Element, AffineElement, Element::add_affine);
impl_operator!(Mul mul MulAssign mul_assign, Element, Fr, Element::mul);

impl core::hash::Hash for Element {
    /// That of `x/y`, which tells elements apart. Cost: one inversion. Time: the hasher's; of a map it depends on the
    /// element.
    fn hash<H: core::hash::Hasher>(&self, state: &mut H) {
        let inverse = self.y.invert().unwrap_or(Fq::ZERO); // y is never zero; `expect` would branch
        (self.x * inverse).hash(state);
    }
}

impl core::fmt::Display for Element {
    /// As `Debug`: the canonical encoding in hexadecimal.
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        core::fmt::Debug::fmt(self, f)
    }
}

impl From<AffineElement> for Element {
    fn from(point: AffineElement) -> Self {
        Self {
            x: point.x(),
            y: point.y(),
            z: Fq::ONE,
            t: point.x() * point.y(),
        }
    }
}

impl Default for Element {
    fn default() -> Self {
        Self::IDENTITY
    }
}

impl ConstantTimeEq for Element {
    /// `x₁·y₂ = x₂·y₁`, in which Z and the representative drop out: `x/y` is one-to-one on the classes.
    fn ct_eq(&self, other: &Self) -> Choice {
        (self.x * other.y).ct_eq(&(other.x * self.y))
    }
}

impl PartialEq for Element {
    /// In constant time; the result is public.
    fn eq(&self, other: &Self) -> bool {
        self.ct_eq(other).into()
    }
}

impl Eq for Element {}

impl ConditionallySelectable for Element {
    fn conditional_select(a: &Self, b: &Self, choice: Choice) -> Self {
        Self {
            x: Fq::conditional_select(&a.x, &b.x, choice),
            y: Fq::conditional_select(&a.y, &b.y, choice),
            z: Fq::conditional_select(&a.z, &b.z, choice),
            t: Fq::conditional_select(&a.t, &b.t, choice),
        }
    }
}

impl core::fmt::Debug for Element {
    /// The canonical encoding in hexadecimal.
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        write!(f, "{:?}", self.to_affine())
    }
}
