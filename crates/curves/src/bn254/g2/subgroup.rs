//! Membership in G2 by one multiplication with the 63-bit curve parameter instead of the 254-bit order.

use super::{G2Affine, G2Projective};
use crate::Membership;
use crate::bn254::Fq2;
use crate::bn254::fq12::FROBENIUS_FACTORS;
use frumious_field::Choice;

/// The curve's parameter `x` (Barreto and Naehrig's `u`).
pub(super) const X: u64 = 4_965_661_367_192_848_881;

impl G2Affine {
    /// True if a point that satisfies the twist's equation has order dividing `r`. Infinity is in G2.
    ///
    /// Time: constant in the point. Cost: 63 doublings and 28 additions.
    /// Source: Dai, Lin, Zhao, Zhou, "Fast subgroup membership testings for G1, G2 and GT on pairing-friendly
    /// curves", eprint 2022/348. `P` is in G2 just if `[x + 1]P + ψ([x]P) + ψ²([x]P) = ψ³([2x]P)`.
    pub fn is_in_subgroup(&self) -> Choice {
        use frumious_field::ConstantTimeEq;
        let point = G2Projective::from(*self);
        let mut multiple = point; // [x]P by double-and-add: x is public
        for bit in (0..X.ilog2()).rev() {
            multiple = multiple.double();
            if X >> bit & 1 == 1 {
                multiple = multiple.add_affine(self);
            }
        }
        let psi1 = multiple.psi();
        let psi2 = psi1.psi();
        let psi3 = psi2.psi();
        (multiple + point + psi1 + psi2).ct_eq(&psi3.double())
    }
}

/// The relation of [`G2Affine::is_in_subgroup`].
impl Membership for G2Affine {
    const FACTOR: u128 = X as u128;
    const DIGIT_BITS: u32 = 13; // the least prime is 10069

    fn relation(&self, multiple: &Self) -> [Self; 6] {
        let psi1 = multiple.psi();
        let psi2 = psi1.psi();
        let psi3 = -psi2.psi();
        [*self, *multiple, psi1, psi2, psi3, psi3]
    }
}

impl G2Affine {
    /// As [`G2Projective::psi`].
    pub(super) fn psi(&self) -> Self {
        Self {
            x: self.x.conjugate() * PSI_X,
            y: self.y.conjugate() * PSI_Y,
        }
    }
}

impl G2Projective {
    /// The untwist-Frobenius-twist endomorphism `ψ(x, y) = (x̄·ξ^((p-1)/3), ȳ·ξ^((p-1)/2))` with `ξ = 9 + u`.
    /// On G2 it is multiplication by `p`.
    pub fn psi(&self) -> Self {
        Self {
            x: self.x.conjugate() * PSI_X,
            y: self.y.conjugate() * PSI_Y,
            z: self.z.conjugate(),
        }
    }
}

/// `ξ^((p-1)/3)`.
const PSI_X: Fq2 = FROBENIUS_FACTORS[0][2];
/// `ξ^((p-1)/2)`.
const PSI_Y: Fq2 = FROBENIUS_FACTORS[0][3];
