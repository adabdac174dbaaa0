//! Multiplication of one element by one scalar, through the endomorphism of degree 2.

use super::{Element, Fq, Fr};
use crate::glv::{self, GlvPoint, Lattice};
use frumious_field::{Choice, ConditionallySelectable, Field};

impl Element {
    /// `scalar·self` in constant time: 130 doublings and 52 additions, through the endomorphism.
    pub fn mul(&self, scalar: &Fr) -> Self {
        glv::multiply(self, &scalar.to_canonical_limbs())
    }

    /// `scalar·self`; time depends on the scalar.
    pub fn mul_vartime(&self, scalar: &Fr) -> Self {
        glv::multiply_vartime(self, &scalar.to_canonical_limbs())
    }
}

impl GlvPoint for Element {
    const IDENTITY: Self = Self::IDENTITY;

    /// For `λ = 8913659658109529928382530854484400854125314752504019737736543920008458395397`, `λ² = -2 mod r`; reduced
    /// by Gauss's algorithm, checked in the tests.
    const LATTICE: Lattice = Lattice {
        v1: (
            [0x4b02_f94a_9789_181f, 0x555f_e200_4be6_928e, 0, 0],
            [0xf8e2_591a_23d6_1f44, 0x0814_b3ee_e55e_8f5d, 0, 0],
        ),
        v2: (
            [0xf1c4_b234_47ac_3e88, 0x1029_67dd_cabd_1ebb, 0, 0],
            [
                0xb4fd_06b5_6876_e7e1,
                0xaaa0_1dff_b419_6d71,
                u64::MAX,
                u64::MAX,
            ],
        ),
        reciprocals: [
            [
                0xb896_e190_4deb_a64f,
                0xdeba_c77a_3f47_47c1,
                0xf21d_f5b0_541c_f632,
                2,
            ],
            [
                0xbcb6_9f85_2dca_bf60,
                0x993b_75e7_5477_68aa,
                0x4760_f127_d876_7bde,
                0,
            ],
        ],
    };

    fn add(&self, other: &Self) -> Self {
        self.add(other)
    }

    fn double(&self) -> Self {
        self.double()
    }

    fn negate_if(&self, choice: Choice) -> Self {
        Self::conditional_select(self, &self.neg(), choice)
    }

    /// `X' = f·h`, `Y' = g·XY`, `Z' = h·XY`, `T' = f·g` with `f = c·(Z² - Y²)`, `g = b·(Y² + b·Z²)`, `h = Y² - b·Z²`;
    /// both representatives have the same image. The neutral element, for which all this is zero, is its own.
    ///
    /// Source: Masson, Sanso, Zhang, eprint 2021/1152, section 4.
    fn endomorphism(&self) -> Self {
        const B: Fq = Fq::from_words_reduced([
            0xee0f_014d_1725_10b4,
            0x2ea7_1277_0d9a_f4d6,
            0x61f0_0d3a_6351_1a88,
            0x52c9_f28b_8284_26a5,
        ]);
        const C: Fq = Fq::from_words_reduced([
            0x515c_806c_df65_0b3d,
            0x8456_abcf_ff36_f4e9,
            0xa97c_6efd_6c17_d107,
            0x6cc6_24cf_8654_57c3,
        ]);
        let [x, y, z] = self.coordinates();
        let (xy, yy, zz) = (x * y, y.square(), z.square());
        let bzz = B * zz;
        let (f, g, h) = (C * (zz - yy), B * (yy + bzz), yy - bzz);
        let image = Self::from_coordinates([f * h, g * xy, h * xy, f * g]);
        Self::conditional_select(&image, &Self::IDENTITY, xy.is_zero())
    }

    fn lookup(table: &[Self], index: u64) -> Self {
        Self::select_entry(table, index)
    }

    /// Only the last doubling needs T.
    fn double_window(&self) -> Self {
        let mut point = self.extended().projective();
        for _ in 1..glv::WINDOW {
            point = point.double();
        }
        Self::from_extended(point.double_extended())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `λ`, from gnark-crypto `ecc/bls12-381/bandersnatch`.
    const LAMBDA: &str =
        "8913659658109529928382530854484400854125314752504019737736543920008458395397";

    fn element(words: &[u64; 4]) -> Fr {
        let negative = words[3] >> 63 == 1;
        let magnitude = if negative {
            frumious_limbs::words::sub(&[0; 4], words).0
        } else {
            *words
        };
        let value = Fr::from_canonical_limbs(magnitude).expect("short");
        if negative { -value } else { value }
    }

    #[test]
    fn lattice_belongs_to_the_endomorphism() {
        let lambda = Fr::from_decimal_vartime(LAMBDA).expect("a scalar");
        assert_eq!(lambda.square(), -Fr::from_u64(2));
        let Lattice { v1, v2, .. } = <Element as GlvPoint>::LATTICE;
        for (a, b) in [v1, v2] {
            assert_eq!(element(&a) + element(&b) * lambda, Fr::ZERO);
        }
        let mut point = Element::GENERATOR;
        for _ in 0..8 {
            // by additions only
            let mut expected = Element::IDENTITY;
            for byte in lambda.to_bytes().iter().rev() {
                for bit in (0..8).rev() {
                    expected = expected.double();
                    if byte >> bit & 1 == 1 {
                        expected += point;
                    }
                }
            }
            assert_eq!(point.endomorphism(), expected);
            assert_eq!(point.double_window(), (0..5).fold(point, |p, _| p.double()));
            point = point.double() + Element::GENERATOR;
        }
        assert_eq!(Element::IDENTITY.endomorphism(), Element::IDENTITY);
    }
}
