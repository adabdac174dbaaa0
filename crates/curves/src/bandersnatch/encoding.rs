//! Bytes of elements: the canonical 32 bytes, and two forms of 64 bytes that spare the square root.

use super::{AffineElement, Element, Fq};
use crate::EncodingError;
use frumious_field::{ConditionallySelectable, ConstantTimeEq};
use frumious_limbs::words;

impl AffineElement {
    /// The canonical encoding: x of the representative with the lexicographically larger y, most significant byte
    /// first. The neutral element is all zeros. Time: constant.
    pub fn to_bytes(&self) -> [u8; 32] {
        let largest = self.y.is_lexicographically_largest();
        Fq::conditional_select(&-self.x, &self.x, largest).to_be_bytes()
    }

    /// The inverse of [`to_bytes`](Self::to_bytes), in constant time.
    ///
    /// # Errors
    /// An x not below the modulus, no point with this x, a point outside of the prime subgroup.
    pub fn from_bytes(bytes: &[u8; 32]) -> Result<Self, EncodingError> {
        let x = canonical(bytes)?;
        let ratio = YSquared::new(x);
        let inverse = ratio
            .denominator
            .invert()
            .expect("1 - d·x² is not zero: d is no square");
        let y = (ratio.numerator * inverse).sqrt().into_option();
        let y = y.ok_or(EncodingError::NotOnCurve)?; // public: whether the bytes are an element
        if bool::from(!ratio.numerator.is_square()) {
            return Err(EncodingError::NotInSubgroup);
        }
        Ok(Self::with_largest(x, y))
    }

    /// As [`from_bytes`](Self::from_bytes), many times faster; time depends on the bytes.
    ///
    /// One inverse square root by tables and one Legendre symbol; no inversion.
    ///
    /// # Errors
    /// [`EncodingError`] for bytes that are no such encoding.
    pub fn from_bytes_vartime(bytes: &[u8; 32]) -> Result<Self, EncodingError> {
        let x = canonical(bytes)?;
        let ratio = YSquared::new(x);
        if !ratio.numerator.is_square_vartime() {
            return Err(ratio.fault_of_non_square_vartime());
        }
        let y = Fq::sqrt_ratio_vartime(&ratio.numerator, &ratio.denominator);
        Ok(Self::with_largest(x, y.ok_or(EncodingError::NotOnCurve)?))
    }

    /// x and y of the representative at hand, 32 bytes each, most significant byte first: go-ipa's uncompressed form.
    pub fn to_uncompressed(&self) -> [u8; 64] {
        joined(self.x.to_be_bytes(), self.y.to_be_bytes())
    }

    /// The inverse of [`to_uncompressed`](Self::to_uncompressed), for either representative.
    ///
    /// # Errors
    /// A coordinate not below the modulus, not on the curve, not in the prime subgroup.
    pub fn from_uncompressed(bytes: &[u8; 64]) -> Result<Self, EncodingError> {
        let (x, y) = halves(bytes);
        Self::checked(canonical(x)?, canonical(y)?)
    }

    /// As [`from_uncompressed`](Self::from_uncompressed), and y must be the lexicographically larger one: what go-ipa
    /// asks of untrusted bytes. So each element has one encoding.
    ///
    /// # Errors
    /// Those, and [`EncodingError::NonCanonical`] for the other representative.
    pub fn from_uncompressed_canonical(bytes: &[u8; 64]) -> Result<Self, EncodingError> {
        let point = Self::from_uncompressed(bytes)?;
        if bool::from(!point.y.is_lexicographically_largest()) {
            return Err(EncodingError::NonCanonical);
        }
        Ok(point)
    }

    /// x and y of the representative at hand, least significant byte first: the form of rust-verkle's foreign
    /// interfaces.
    pub fn to_uncompressed_le(&self) -> [u8; 64] {
        joined(self.x.to_le_bytes(), self.y.to_le_bytes())
    }

    /// The inverse of [`to_uncompressed_le`](Self::to_uncompressed_le), for either representative; checked, unlike
    /// there.
    ///
    /// # Errors
    /// A coordinate not below the modulus, not on the curve, not in the prime subgroup.
    pub fn from_uncompressed_le(bytes: &[u8; 64]) -> Result<Self, EncodingError> {
        let (x, y) = halves(bytes);
        let canonical = |bytes| {
            Fq::from_le_bytes(bytes)
                .into_option()
                .ok_or(EncodingError::NonCanonical)
        };
        Self::checked(canonical(x)?, canonical(y)?)
    }

    /// The element `(x, y)`, if it is one. Time: constant.
    pub(super) fn checked(x: Fq, y: Fq) -> Result<Self, EncodingError> {
        let ratio = YSquared::new(x);
        if bool::from(!(y.square() * ratio.denominator).ct_eq(&ratio.numerator)) {
            return Err(EncodingError::NotOnCurve);
        }
        if bool::from(!ratio.numerator.is_square()) {
            return Err(EncodingError::NotInSubgroup);
        }
        Ok(Self::from_coordinates(x, y))
    }

    fn with_largest(x: Fq, root: Fq) -> Self {
        let largest = root.is_lexicographically_largest();
        Self::from_coordinates(x, Fq::conditional_select(&-root, &root, largest))
    }
}

impl Element {
    /// The canonical encoding, 32 bytes; see [`AffineElement::to_bytes`]. Cost: one inversion. Time: constant.
    pub fn to_bytes(&self) -> [u8; 32] {
        self.to_affine().to_bytes()
    }

    /// From the canonical encoding, in constant time; see [`AffineElement::from_bytes`].
    ///
    /// # Errors
    /// [`EncodingError`] for bytes that are no such encoding.
    pub fn from_bytes(bytes: &[u8; 32]) -> Result<Self, EncodingError> {
        AffineElement::from_bytes(bytes).map(Self::from)
    }

    /// From the canonical encoding, fast; see [`AffineElement::from_bytes_vartime`].
    ///
    /// # Errors
    /// [`EncodingError`] for bytes that are no such encoding.
    pub fn from_bytes_vartime(bytes: &[u8; 32]) -> Result<Self, EncodingError> {
        AffineElement::from_bytes_vartime(bytes).map(Self::from)
    }

    /// go-ipa's 64 bytes; see [`AffineElement::to_uncompressed`]. Cost: one inversion.
    pub fn to_uncompressed(&self) -> [u8; 64] {
        self.to_affine().to_uncompressed()
    }

    /// From go-ipa's 64 bytes; see [`AffineElement::from_uncompressed`].
    ///
    /// # Errors
    /// [`EncodingError`] for bytes that are no such encoding.
    pub fn from_uncompressed(bytes: &[u8; 64]) -> Result<Self, EncodingError> {
        AffineElement::from_uncompressed(bytes).map(Self::from)
    }

    /// rust-verkle's 64 bytes; see [`AffineElement::to_uncompressed_le`]. Cost: one inversion.
    pub fn to_uncompressed_le(&self) -> [u8; 64] {
        self.to_affine().to_uncompressed_le()
    }

    /// From rust-verkle's 64 bytes; see [`AffineElement::from_uncompressed_le`].
    ///
    /// # Errors
    /// [`EncodingError`] for bytes that are no such encoding.
    pub fn from_uncompressed_le(bytes: &[u8; 64]) -> Result<Self, EncodingError> {
        AffineElement::from_uncompressed_le(bytes).map(Self::from)
    }
}

/// `y² = numerator/denominator = (1 + 5·x²)/(1 - d·x²)` for a given x. Neither is ever zero, as -5 and d are no
/// squares.
///
/// The point is in the prime subgroup or its sum with `(0, -1)` if and only if `1 - a·x² = 1 + 5·x²` is a square
/// (Banderwagon note).
struct YSquared {
    numerator: Fq,
    denominator: Fq,
}

impl YSquared {
    fn new(x: Fq) -> Self {
        let square = x.square();
        Self {
            numerator: Fq::ONE + square.double().double() + square,
            denominator: Fq::ONE - AffineElement::D * square,
        }
    }

    /// The fault of an x whose numerator is no square: the quotient is one if the denominator is none either.
    #[cold]
    fn fault_of_non_square_vartime(&self) -> EncodingError {
        if self.denominator.is_square_vartime() {
            EncodingError::NotOnCurve
        } else {
            EncodingError::NotInSubgroup
        }
    }
}

fn canonical(bytes: &[u8; 32]) -> Result<Fq, EncodingError> {
    Fq::from_be_bytes(bytes)
        .into_option()
        .ok_or(EncodingError::NonCanonical)
}

/// The words of a coordinate, least significant first; none unless below the modulus.
#[inline(always)]
pub(super) fn canonical_words_vartime(bytes: &[u8; 32]) -> Option<[u64; 4]> {
    let words = words::from_be_bytes(bytes);
    words::less_than_vartime(&words, &Fq::MODULUS).then_some(words)
}

fn joined(x: [u8; 32], y: [u8; 32]) -> [u8; 64] {
    core::array::from_fn(|i| if i < 32 { x[i] } else { y[i - 32] })
}

fn halves(bytes: &[u8; 64]) -> (&[u8; 32], &[u8; 32]) {
    let (x, rest) = bytes.split_first_chunk().expect("32 of 64 bytes");
    (x, rest.first_chunk().expect("32 of 32 bytes"))
}
