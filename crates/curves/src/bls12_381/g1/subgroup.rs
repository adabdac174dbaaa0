//! Membership in G1, and the way into it.

use super::{G1Affine, G1Projective};
use crate::bls12_381::constants::X;
use frumious_field::{Choice, ConstantTimeEq};

impl G1Affine {
    /// Whether a point that satisfies the curve's equation has order dividing `r`. Infinity is in G1.
    ///
    /// Time: constant. Cost: 126 doublings and 10 additions.
    /// Source: Scott, "A note on group membership tests for G1, G2 and GT on BLS pairing-friendly curves", eprint
    /// 2021/1130, section 6 (with a proof for this curve): `P` is in G1 just if its image under the endomorphism is `[x² - 1]P`.
    pub fn is_in_subgroup(&self) -> Choice {
        let point = G1Projective::from(*self);
        let image = G1Projective {
            x: point.x * G1Projective::BETA,
            ..point
        };
        point.mul_by_x().mul_by_x().ct_eq(&(image + point))
    }
}

impl G1Projective {
    /// `[1 - x]·self`, which is in G1 for every point of the curve. Time: constant.
    ///
    /// Source: Wahby and Boneh, "Fast and simple constant-time hashing to the BLS12-381 elliptic curve", eprint 2019/403,
    /// section 5; the effective cofactor of RFC 9380, section 8.8.1.
    pub fn clear_cofactor(&self) -> Self {
        *self - self.mul_by_x()
    }

    /// `[x]·self` for any point of the curve. Time: constant, as `x` is public. Cost: 63 doublings and 5 additions.
    pub(super) fn mul_by_x(&self) -> Self {
        let mut multiple = *self;
        for bit in (0..X.ilog2()).rev() {
            multiple = multiple.double();
            if X >> bit & 1 == 1 {
                multiple += *self;
            }
        }
        -multiple // x is negative
    }
}
