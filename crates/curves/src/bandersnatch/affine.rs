//! Elements by affine coordinates, and the entries of tables.

use super::Fq;
use crate::edwards::Entry;
use frumious_field::{Choice, ConditionallySelectable, ConstantTimeEq, KernelField};
use zeroize::Zeroize;

/// An element of Banderwagon by the affine coordinates of either representative; 64 bytes.
#[derive(Clone, Copy, Zeroize)]
pub struct AffineElement {
    pub(super) x: Fq,
    pub(super) y: Fq,
}

impl AffineElement {
    /// `d = 138827208126141220649022263972958607803/171449701953573178309673572579671231137` (eprint 2021/1152).
    pub const D: Fq = Fq::from_words_reduced([
        0xb369_f2f5_188d_58e7,
        0xcb66_6771_77e5_4f92,
        0xc66e_3bf8_6be3_b6d8,
        0x6389_c126_33c2_67cb,
    ]);

    /// The neutral element, `(0, 1)`.
    pub const IDENTITY: Self = Self {
        x: Fq::ZERO,
        y: Fq::ONE,
    };

    /// The generator in use: gnark-crypto `ecc/bls12-381/bandersnatch`, arkworks `ed-on-bls12-381-bandersnatch`.
    pub const GENERATOR: Self = Self {
        x: Fq::from_words_reduced([
            0xe1e7_1866_a252_ae18,
            0x2b79_c022_ad99_8465,
            0x7437_1177_7bbe_42f3,
            0x29c1_32cc_2c0b_34c5,
        ]),
        y: Fq::from_words_reduced([
            0x5e31_67b6_cc97_4166,
            0x358c_ad81_eee4_6460,
            0x157d_8b50_badc_d586,
            0x2a6c_669e_da12_3e0f,
        ]),
    };

    /// The x coordinate of the representative at hand.
    #[inline(always)]
    pub const fn x(&self) -> Fq {
        self.x
    }

    /// The y coordinate of the representative at hand.
    #[inline(always)]
    pub const fn y(&self) -> Fq {
        self.y
    }

    /// True if it is the neutral element.
    pub fn is_identity(&self) -> Choice {
        self.x.ct_eq(&Fq::ZERO)
    }

    /// `-self`.
    #[inline(always)]
    pub fn neg(&self) -> Self {
        Self {
            x: -self.x,
            y: self.y,
        }
    }

    /// The caller answers for the coordinates being those of an element.
    #[inline(always)]
    pub(crate) const fn from_coordinates(x: Fq, y: Fq) -> Self {
        Self { x, y }
    }
}

impl core::ops::Neg for AffineElement {
    type Output = Self;
    #[inline(always)]
    fn neg(self) -> Self {
        AffineElement::neg(&self)
    }
}

impl core::ops::Neg for &AffineElement {
    type Output = AffineElement;
    #[inline(always)]
    fn neg(self) -> AffineElement {
        AffineElement::neg(self)
    }
}

impl core::fmt::Display for AffineElement {
    /// As `Debug`: the canonical encoding in hexadecimal.
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        core::fmt::Debug::fmt(self, f)
    }
}

impl Default for AffineElement {
    fn default() -> Self {
        Self::IDENTITY
    }
}

impl ConstantTimeEq for AffineElement {
    fn ct_eq(&self, other: &Self) -> Choice {
        (self.x * other.y).ct_eq(&(other.x * self.y))
    }
}

impl PartialEq for AffineElement {
    /// Of elements, not of coordinates. In constant time; the result is public.
    fn eq(&self, other: &Self) -> bool {
        self.ct_eq(other).into()
    }
}

impl Eq for AffineElement {}

impl ConditionallySelectable for AffineElement {
    fn conditional_select(a: &Self, b: &Self, choice: Choice) -> Self {
        Self {
            x: Fq::conditional_select(&a.x, &b.x, choice),
            y: Fq::conditional_select(&a.y, &b.y, choice),
        }
    }
}

impl core::fmt::Debug for AffineElement {
    /// The canonical encoding in hexadecimal.
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str("0x")?;
        self.to_bytes()
            .iter()
            .try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

/// An entry of a table for fixed bases: an element with `d·x·y`, 96 bytes. It saves an addition two products of ten.
#[derive(Clone, Copy, Debug)]
pub struct TableEntry {
    /// x.
    pub x: Fq,
    /// y.
    pub y: Fq,
    /// `d·x·y`.
    pub dxy: Fq,
}

impl TableEntry {
    /// The entry of the neutral element.
    pub const IDENTITY: Self = Self {
        x: Fq::ZERO,
        y: Fq::ONE,
        dxy: Fq::ZERO,
    };

    /// `-self`.
    #[inline(always)]
    pub fn neg(&self) -> Self {
        Self {
            x: -self.x,
            y: self.y,
            dxy: -self.dxy,
        }
    }

    /// The coordinates as kernels compute with them.
    #[inline(always)]
    pub fn to_kernel<V: KernelField<Scalar = Fq>>(&self, cpu: V::Cpu) -> Entry<V> {
        Entry {
            x: V::load(cpu, self.x),
            y: V::load(cpu, self.y),
            dxy: V::load(cpu, self.dxy),
        }
    }
}

impl From<AffineElement> for TableEntry {
    fn from(point: AffineElement) -> Self {
        Self {
            x: point.x,
            y: point.y,
            dxy: AffineElement::D * point.x * point.y,
        }
    }
}
