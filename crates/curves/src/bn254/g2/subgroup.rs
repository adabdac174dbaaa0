//! Membership in G2 by one multiplication with the 63-bit curve parameter instead of the 254-bit order.

use super::{G2Affine, G2Projective};
use crate::bn254::{Fq, Fq2};
use frumious_field::Choice;
use frumious_limbs::words;

/// The curve's parameter `x` (Barreto and Naehrig's `u`).
const X: u64 = 4_965_661_367_192_848_881;

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

/// `p - 1` divided by six.
const SIXTH: [u64; 4] = divide_by_small(&words::sub(&Fq::MODULUS, &[1, 0, 0, 0]).0, 6);
/// `ξ^((p-1)/3)`.
const PSI_X: Fq2 = power_of_xi(&words::double(&SIXTH));
/// `ξ^((p-1)/2)`.
const PSI_Y: Fq2 = power_of_xi(&words::add(&words::double(&SIXTH), &SIXTH).0);

/// `(9 + u)^exponent`, at compile time.
const fn power_of_xi(exponent: &[u64; 4]) -> Fq2 {
    let mut power = Fq2 {
        c0: Fq::ONE,
        c1: Fq::ZERO,
    };
    let mut bit = words::bit_length_vartime(exponent);
    while bit > 0 {
        bit -= 1;
        power = mul_const(&power, &power);
        if exponent[(bit / 64) as usize] >> (bit % 64) & 1 == 1 {
            power = mul_const(
                &power,
                &Fq2 {
                    c0: Fq::from_u64(9),
                    c1: Fq::ONE,
                },
            );
        }
    }
    power
}

const fn mul_const(a: &Fq2, b: &Fq2) -> Fq2 {
    Fq2 {
        c0: a
            .c0
            .mul_const(&b.c0)
            .add_const(&a.c1.mul_const(&b.c1).neg_const()),
        c1: a.c0.mul_const(&b.c1).add_const(&a.c1.mul_const(&b.c0)),
    }
}

/// `⌊words/divisor⌋`, by long division of 32-bit digits.
const fn divide_by_small(words: &[u64; 4], divisor: u64) -> [u64; 4] {
    let mut quotient = [0; 4];
    let mut remainder = 0u128;
    let mut i = 4;
    while i > 0 {
        i -= 1;
        let wide = remainder << 64 | words[i] as u128;
        quotient[i] = (wide / divisor as u128) as u64;
        remainder = wide % divisor as u128;
    }
    quotient
}
