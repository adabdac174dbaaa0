//! `Endomorphism`: a map that is cheap to compute and multiplies by a known scalar, for multiples of affine points.

use crate::Group;

/// A group with a cheap endomorphism, by which a scalar becomes two of half its length.
///
/// [`Group`] multiplies one point and tells nothing of the way. Who multiplies many points by one scalar needs the
/// digits of its halves.
pub trait Endomorphism: Group {
    /// `λ·self` for the group's `λ`. Time: constant.
    fn endomorphism(&self) -> Self;

    /// `λ`. For `a` and `b` below 2^64, [`Group::multiply_vartime`] by `a + b·λ` takes half the doublings that others
    /// take.
    fn lambda() -> Self::Scalar;

    /// Digits `d` and `e` with `scalar = Σ (d_i + e_i·λ)·2^i`, in non-adjacent forms of `width`, 2 to 14. A digit is
    /// zero, or odd between `-2^(width - 1)` and `2^(width - 1)`. Of `width` neighbours at most one is not zero.
    fn digits_vartime(scalar: &Self::Scalar, width: u32) -> [[i16; DIGITS]; 2];
}

/// Number of digits of half a scalar.
pub const DIGITS: usize = 130;

/// Gives an affine type [`Endomorphism`]; its projective type has `BETA`.
macro_rules! impl_endomorphism {
    ($affine:ident, $projective:ident, $scalar:ident) => {
        impl crate::endomorphism::Endomorphism for $affine {
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

            fn digits_vartime(
                scalar: &$scalar,
                width: u32,
            ) -> [[i16; crate::endomorphism::DIGITS]; 2] {
                glv::digits_vartime::<$projective>(&scalar.to_canonical_limbs(), width)
            }
        }
    };
}
pub(crate) use impl_endomorphism;
