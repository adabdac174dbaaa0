//! `Endomorphism`: a map that is cheap to compute and multiplies by a known scalar, for multiples of affine points.

use crate::Group;
use crate::glv;

/// A group with a cheap endomorphism, by which a scalar becomes some of a part of its length.
///
/// [`Group`] multiplies one point and tells nothing of the way. Who multiplies many points by one scalar needs the
/// digits of its parts.
pub trait Endomorphism: Group {
    /// Number of parts of a scalar: 2 or 4.
    const PARTS: usize;

    /// `λ·self` for the group's `λ`. Time: constant.
    fn endomorphism(&self) -> Self;

    /// `λ²·self`. Time: constant.
    fn endomorphism_twice(&self) -> Self {
        self.endomorphism().endomorphism()
    }

    /// `λ`.
    fn lambda() -> Self::Scalar;

    /// Digits of parts with `scalar = Σ part_k·λ^k`, in non-adjacent forms of `width`, 2 to 8. A digit is zero, or odd
    /// between `-2^(width - 1)` and `2^(width - 1)`. Of `width` neighbours at most one is not zero.
    fn digits_vartime(scalar: &Self::Scalar, width: u32) -> ScalarDigits;

    /// The digits of one part, from the lowest.
    fn part(digits: &ScalarDigits, part: usize) -> &[i8] {
        let length = digits.len() / Self::PARTS;
        &digits[part * length..][..length]
    }
}

/// The digits of all parts of a scalar, one after another. Secret if the scalar is.
pub type ScalarDigits = [i8; 272];

/// The digits of parts that are shorter than `ScalarDigits` by `P` allows: below 2^129 for two, 2^66 for four.
pub(crate) fn digits_of_parts_vartime<const P: usize>(
    parts: &[i128; P],
    width: u32,
) -> ScalarDigits {
    let mut digits = [0; size_of::<ScalarDigits>()];
    for (part, digits) in parts.iter().zip(digits.chunks_exact_mut(272 / P)) {
        let magnitude = part.unsigned_abs();
        let words = [magnitude as u64, (magnitude >> 64) as u64];
        let form = glv::non_adjacent_form_vartime(&words, width);
        for (digit, of_form) in digits.iter_mut().zip(form) {
            *digit = if *part < 0 { -of_form } else { of_form } as i8;
        }
    }
    digits
}

/// Gives an affine type [`Endomorphism`] in two parts; its projective type has `BETA`.
macro_rules! impl_endomorphism {
    ($affine:ident, $projective:ident, $scalar:ident) => {
        impl crate::endomorphism::Endomorphism for $affine {
            const PARTS: usize = 2;

            fn endomorphism(&self) -> Self {
                Self {
                    x: self.x * $projective::BETA,
                    y: self.y,
                }
            }

            fn lambda() -> $scalar {
                let (a, b) = LATTICE.v1; // a + b·λ = 0
                let [a, b] = [a, b].map(|words| {
                    let element = <$scalar>::from_canonical_limbs(words);
                    element.unwrap_or($scalar::ZERO)
                });
                -a * b.invert().unwrap_or($scalar::ZERO)
            }

            fn digits_vartime(scalar: &$scalar, width: u32) -> crate::endomorphism::ScalarDigits {
                glv::digits_vartime::<$projective>(&scalar.to_canonical_limbs(), width)
            }
        }
    };
}
pub(crate) use impl_endomorphism;
