//! The endomorphism of the twist, membership in G2, and the way into it.

use super::multiply::digits;
use super::{G2Affine, G2Projective};
use crate::Membership;
use crate::bls12_381::constants::{ROOT_OF_FROBENIUS, X, mul_const};
use crate::bls12_381::{Fq2, Fr};
use crate::endomorphism::{Endomorphism, ScalarDigits, digits_of_parts_vartime};
use crate::weierstrass::{self, jacobian::Jacobian};
use frumious_field::Choice;

impl G2Affine {
    /// True if a point that satisfies the twist's equation has order dividing `r`. Infinity is in G2.
    ///
    /// Time: constant. Cost: 63 doublings and 5 additions, in Jacobian coordinates. Their exceptions are met by points
    /// of small order only, and `Z = 0` at the end tells. Source: Scott, eprint 2021/1130, section 4: `P` is in G2 just
    /// if `ψ(P) = [x]P`.
    pub fn is_in_subgroup(&self) -> Choice {
        let point = Jacobian {
            x: self.x,
            y: self.y,
            z: Fq2::ONE,
        };
        let image = G2Projective::from_coordinates([self.x, self.y, Fq2::ONE]).psi();
        // x is negative
        let multiple = point.multiply_by_sparse_incomplete(X);
        multiple.is_affine([image.x, -image.y]) | self.is_identity()
    }
}

/// The relation of [`G2Affine::is_in_subgroup`].
impl Membership for G2Affine {
    const FACTOR: u128 = X as u128;
    const DIGIT_BITS: u32 = 3; // the least prime is 13

    fn relation(&self, multiple: &Self) -> [Self; 6] {
        let image = self.endomorphism();
        let none = Self::IDENTITY;
        [*multiple, image, none, none, none, none]
    }
}

impl G2Projective {
    /// The untwist-Frobenius-twist endomorphism `ψ(x, y) = (x̄/ξ^((p-1)/3), ȳ/ξ^((p-1)/2))` with `ξ = 1 + u`.
    /// On G2 it is multiplication by `p`, which is `x` modulo `r`.
    pub fn psi(&self) -> Self {
        Self {
            x: Fq2::mul(&self.x.conjugate(), &PSI_X),
            y: Fq2::mul(&self.y.conjugate(), &PSI_Y),
            z: self.z.conjugate(),
        }
    }

    /// `ψ²(x, y) = (x/ξ^((p²-1)/3), -y)`, of which the first factor is in Fq. On G2 it is multiplication by `x²`.
    pub fn psi_squared(&self) -> Self {
        Self {
            x: self.x.mul_by_fq(&PSI_SQUARED_X.c0),
            y: -self.y,
            z: self.z,
        }
    }

    /// `[x² - x - 1]·self + [x - 1]·ψ(self) + ψ²(2·self)`, which is in G2 for every point of the twist. Time: constant.
    ///
    /// Source: Budroni and Pintore, "Efficient hash maps to G2 on BLS curves", eprint 2017/419. The effective cofactor
    /// and the method of RFC 9380, section 8.8.2 and appendix G.3.
    pub fn clear_cofactor(&self) -> Self {
        let x_times = self.mul_by_x();
        let image = self.psi();
        let sum = (x_times + image).mul_by_x(); // x²·self + x·ψ(self)
        self.double().psi_squared() - image + sum - x_times - *self
    }

    /// `[x]·self` for any point of the twist. Time: constant, as `x` is public. Cost: 63 doublings and 5 additions.
    pub(super) fn mul_by_x(&self) -> Self {
        let multiple = weierstrass::multiply_by_sparse(self.coordinates(), X, Self::mul_3b);
        -Self::from_coordinates(multiple) // x is negative
    }
}

impl Endomorphism for G2Affine {
    const PARTS: usize = 4;

    fn endomorphism(&self) -> Self {
        Self {
            x: Fq2::mul(&self.x.conjugate(), &PSI_X),
            y: Fq2::mul(&self.y.conjugate(), &PSI_Y),
        }
    }

    /// As [`G2Projective::psi_squared`].
    fn endomorphism_twice(&self) -> Self {
        Self {
            x: self.x.mul_by_fq(&PSI_SQUARED_X.c0),
            y: -self.y,
        }
    }

    /// `x`, which is negative.
    fn lambda() -> Fr {
        -Fr::from_u64(X)
    }

    fn digits_vartime(scalar: &Fr, width: u32) -> ScalarDigits {
        let [d0, d1, d2, d3] = digits(scalar).map(i128::from);
        digits_of_parts_vartime(&[d0, -d1, d2, -d3], width)
    }
}

/// `1/g` for `g = ξ^((p-1)/6)`. The norm of `g` is `ξ^((p²-1)/6)`, of order six, so `1/g = ḡ·norm⁵`.
const ROOT: Fq2 = {
    let g = ROOT_OF_FROBENIUS;
    let conjugate = Fq2::new(g.c0, g.c1.neg_const());
    let norm = mul_const(&g, &conjugate);
    let square = mul_const(&norm, &norm);
    mul_const(&conjugate, &mul_const(&mul_const(&square, &square), &norm))
};
/// `1/ξ^((p-1)/3)`.
const PSI_X: Fq2 = mul_const(&ROOT, &ROOT);
/// `1/ξ^((p-1)/2)`.
const PSI_Y: Fq2 = mul_const(&PSI_X, &ROOT);
/// `1/ξ^((p²-1)/3)`, the norm of the former.
const PSI_SQUARED_X: Fq2 = mul_const(&PSI_X, &Fq2::new(PSI_X.c0, PSI_X.c1.neg_const()));
