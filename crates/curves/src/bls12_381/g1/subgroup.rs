//! Membership in G1, and the way into it.

use super::{G1Affine, G1Projective};
use crate::Membership;
use crate::bls12_381::Fq;
use crate::bls12_381::constants::X;
use crate::weierstrass::{self, jacobian::Jacobian};
use frumious_field::Choice;

impl G1Affine {
    /// True if a point that satisfies the curve's equation has order dividing `r`. Infinity is in G1.
    ///
    /// `P` is in G1 just if its image under the endomorphism is `[x² - 1]P`. Source: Scott, eprint 2021/1130, section 6
    /// (with a proof for this curve).
    ///
    /// Time: constant. Cost: 126 doublings and 10 additions, in Jacobian coordinates. Their exceptions are met by
    /// points of small order only, and `Z = 0` at the end tells.
    pub fn is_in_subgroup(&self) -> Choice {
        let point = Jacobian {
            x: self.x,
            y: self.y,
            z: Fq::ONE,
        };
        let multiple = point
            .multiply_by_sparse_incomplete(X)
            .multiply_by_sparse_incomplete(X);
        // [x²]P = φ(P) + P = -φ²(P)
        multiple.is_affine([self.x * BETA_SQUARED, -self.y]) | self.is_identity()
    }
}

/// The relation of [`G1Affine::is_in_subgroup`].
impl Membership for G1Affine {
    const FACTOR: u128 = (X as u128) * (X as u128);
    const DIGIT_BITS: u32 = 1; // the least prime is 3

    fn relation(&self, multiple: &Self) -> [Self; 6] {
        let image = Self {
            x: self.x * BETA_SQUARED,
            y: self.y,
        };
        let none = Self::IDENTITY;
        [*multiple, image, none, none, none, none]
    }
}

impl G1Projective {
    /// `[1 - x]·self`, which is in G1 for every point of the curve. Time: constant.
    ///
    /// Source: Wahby and Boneh, "Fast and simple constant-time hashing to the BLS12-381 elliptic curve", eprint
    /// 2019/403, section 5. The effective cofactor of RFC 9380, section 8.8.1.
    pub fn clear_cofactor(&self) -> Self {
        *self - self.mul_by_x()
    }

    /// `[x]·self` for any point of the curve. Time: constant, as `x` is public. Cost: 63 doublings and 5 additions.
    pub(super) fn mul_by_x(&self) -> Self {
        let multiple = weierstrass::multiply_by_sparse(self.coordinates(), X, Self::mul_3b);
        -Self::from_coordinates(multiple) // x is negative
    }
}

/// `β²`.
const BETA_SQUARED: Fq = G1Projective::BETA.mul_const(&G1Projective::BETA);
