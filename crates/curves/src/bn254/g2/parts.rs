//! Scalars in four parts: `ψ` multiplies by `6x²`, whose powers are a quarter of the order apart.
//!
//! `k = k₀ + k₁·λ + k₂·λ² + k₃·λ³` modulo `r` for `λ = 6x²` and parts below 2^66. The parts are what is left of
//! `(k, 0, 0, 0)` when the nearest vector of a lattice is taken away. Source of the vectors: Galbraith and Scott 2008,
//! "Exponentiation in pairing-friendly groups using homomorphisms", eprint 2008/117, section 4 (BN curves).

use super::subgroup::X;
use super::{Fr, G2Affine};
use crate::bn254::Fq;
use crate::bn254::fq12::FROBENIUS_FACTORS;
use crate::endomorphism::{Endomorphism, ScalarDigits, digits_of_parts_vartime};
use crate::glv::low_words;
use frumious_limbs::primitives::mac;
use frumious_limbs::words;

impl Endomorphism for G2Affine {
    const PARTS: usize = 4;

    fn endomorphism(&self) -> Self {
        self.psi()
    }

    /// `ψ²(x, y) = (x·ξ^((p²-1)/3), -y)`, of which the factor is in Fq.
    fn endomorphism_twice(&self) -> Self {
        Self {
            x: self.x.mul_by_fq(&PSI_SQUARED_X),
            y: -self.y,
        }
    }

    fn lambda() -> Fr {
        let x = Fr::from_u64(X);
        Fr::from_u64(6) * x * x
    }

    fn digits_vartime(scalar: &Fr, width: u32) -> ScalarDigits {
        digits_of_parts_vartime(&parts_vartime(scalar), width)
    }
}

/// `ξ^((p²-1)/3)`.
const PSI_SQUARED_X: Fq = FROBENIUS_FACTORS[1][2].c0;

/// The parts, with their signs.
fn parts_vartime(scalar: &Fr) -> [i128; 4] {
    let scalar = scalar.to_canonical_limbs();
    let mut parts = [scalar, [0; 4], [0; 4], [0; 4]];
    for (vector, reciprocal) in VECTORS.iter().zip(&RECIPROCALS) {
        let multiple = rounded_high_half(&scalar, reciprocal);
        for (part, entry) in parts.iter_mut().zip(vector) {
            *part = words::sub(part, &low_words(&multiple, &extended(*entry))).0;
        }
    }
    // Two's complement of 256 bits, of which the lower 128 hold each part.
    parts.map(|[low, high, ..]| (u128::from(high) << 64 | u128::from(low)) as i128)
}

/// Four vectors with `a₀ + a₁·λ + a₂·λ² + a₃·λ³ = 0 mod r`. The last is negated, so that its reciprocal is positive.
const VECTORS: [[i128; 4]; 4] = {
    let x = X as i128;
    [
        [x + 1, x, x, -2 * x],
        [2 * x + 1, -x, -x - 1, -x],
        [2 * x, 2 * x + 1, 2 * x + 1, 2 * x + 1],
        [1 - x, -4 * x - 2, 2 * x - 1, 1 - x],
    ]
};

/// 2^256 times the coordinates of `(1, 0, 0, 0)` in these vectors, rounded to nearest.
const RECIPROCALS: [[u64; 4]; 4] = [
    [0xd0cb_46fd_5190_6254, 0xc444_fab1_8d26_9b9d, 0, 0],
    [
        0x0013_78f5_ee78_976e,
        0x22df_9f94_2d7d_77c7,
        0x3d00_6315_61b2_5729,
        1,
    ],
    [
        0x3651_0546_a934_78ab,
        0x916f_cfca_16be_bbe4,
        0x9e80_318a_b0d9_2b94,
        0,
    ],
    [0xf7ae_23ce_89af_ae7d, 0xc444_fab1_8d26_9b9a, 0, 0],
];

/// A number with sign as 256 bits in two's complement.
fn extended(number: i128) -> [u64; 4] {
    let sign = (number >> 127) as u64;
    [number as u64, (number >> 64) as u64, sign, sign]
}

/// `a·b / 2^256`, rounded to nearest, where that is below 2^256.
fn rounded_high_half(a: &[u64; 4], b: &[u64; 4]) -> [u64; 4] {
    let mut product = [0; 8];
    for i in 0..4 {
        let mut carry = 0;
        for j in 0..4 {
            (product[i + j], carry) = mac(a[i], b[j], product[i + j], carry);
        }
        product[i + 4] = carry;
    }
    let half = product[3] >> 63;
    let high = [product[4], product[5], product[6], product[7]];
    words::add(&high, &[half, 0, 0, 0]).0
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `part` of the field, with its sign.
    fn element(part: i128) -> Fr {
        let magnitude = part.unsigned_abs();
        let words = [magnitude as u64, (magnitude >> 64) as u64];
        let value =
            Fr::from_u64(words[1]) * Fr::from_u64(1 << 32).square() + Fr::from_u64(words[0]);
        if part < 0 { -value } else { value }
    }

    #[test]
    fn parts_make_the_scalar_and_are_short() {
        let lambda = G2Affine::lambda();
        let x = Fr::from_u64(X);
        let mut scalars = vec![Fr::ZERO, Fr::ONE, -Fr::ONE, x, -x];
        for power in [lambda, lambda.square(), lambda.square() * lambda] {
            scalars.extend([power, -power, power + Fr::ONE, power - x, power * x]);
        }
        let mut scalar = Fr::from_u64(5);
        for _ in 0..2000 {
            scalar = scalar.square() + x;
            scalars.push(scalar);
        }
        for scalar in scalars {
            let parts = parts_vartime(&scalar);
            assert!(parts.iter().all(|part| part.unsigned_abs() < 1 << 66));
            let sum =
                (parts.iter().rev()).fold(Fr::ZERO, |sum, part| sum * lambda + element(*part));
            assert_eq!(sum, scalar);
        }
    }

    #[test]
    fn each_vector_vanishes() {
        let lambda = G2Affine::lambda();
        for vector in VECTORS {
            let sum =
                (vector.iter().rev()).fold(Fr::ZERO, |sum, entry| sum * lambda + element(*entry));
            assert_eq!(sum, Fr::ZERO);
        }
    }
}
