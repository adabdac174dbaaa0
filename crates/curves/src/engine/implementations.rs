//! The engines, by the methods of the concrete types.

use super::{
    BigEndianEncoding, Bls12_381, Bn254, Coordinates, MontgomeryEncoding, PairingCurve,
    PairingEngine, PointFromX, ResidueField, ScalarField,
};
use crate::group::impl_group;
use crate::{EncodingError, RandomError, bls12_381, bn254};
use frumious_limbs::words;

macro_rules! impl_engine {
    ($engine:ident, $curve:ident, $big_endian:ident, $cofactors:ident) => {
        impl PairingEngine for $engine {
            const CURVE: PairingCurve = PairingCurve::$engine;
            const GT_IDENTITY: $curve::pairing::Gt = $curve::pairing::Gt::IDENTITY;

            type Fr = $curve::Fr;
            type Fq = $curve::Fq;
            type G1 = $curve::G1Affine;
            type G2 = $curve::G2Affine;
            type G2Prepared = $curve::pairing::G2Prepared;
            type MillerValue = $curve::Fq12;
            type Gt = $curve::pairing::Gt;

            fn prepare(point: &Self::G2) -> Self::G2Prepared {
                Self::G2Prepared::from(point)
            }

            fn prepare_checked_vartime(
                points: &[Self::G2],
            ) -> Vec<Result<Self::G2Prepared, EncodingError>> {
                Self::G2Prepared::batch_checked_vartime(points)
            }

            fn multi_pairing(pairs: &[(Self::G1, &Self::G2Prepared)]) -> Self::Gt {
                $curve::pairing::multi_pairing(pairs)
            }

            fn miller_loop(pairs: &[(Self::G1, &Self::G2Prepared)]) -> Self::MillerValue {
                $curve::pairing::miller_loop(pairs)
            }

            fn final_exponentiation(product: &Self::MillerValue) -> Self::Gt {
                $curve::pairing::final_exponentiation(product)
            }

            fn gt_coefficients(value: &Self::Gt) -> [Self::Fq; 12] {
                let value = value.as_fq12();
                let [low, high] = [value.c0, value.c1].map(|half| {
                    let [a, b, c] = [half.c0, half.c1, half.c2];
                    [a.c0, a.c1, b.c0, b.c1, c.c0, c.c1]
                });
                core::array::from_fn(|i| if i < 6 { low[i] } else { high[i - 6] })
            }
        }

        impl_residue_field!($curve::Fq);
        impl_residue_field!($curve::Fr);

        impl ScalarField for $curve::Fr {
            type Engine = $engine;

            const NONRESIDUE_ROOT: Self = $curve::Fr::NONRESIDUE_ROOT;

            fn from_uniform_bytes(bytes: &[u8; 64]) -> Self {
                Self::from_uniform_bytes(bytes)
            }

            fn random() -> Result<Self, RandomError> {
                Self::random()
            }
        }

        impl_pairing_group!($curve, G1Affine, G1Projective, $big_endian, &$cofactors.0,
            point => [point.x, point.y],
            [x, y] => $curve::G1Affine { x, y });
        impl_pairing_group!($curve, G2Affine, G2Projective, $big_endian, &$cofactors.1,
            point => [point.x.c0, point.x.c1, point.y.c0, point.y.c1],
            [x0, x1, y0, y1] => $curve::G2Affine {
                x: $curve::Fq2::new(x0, x1),
                y: $curve::Fq2::new(y0, y1),
            });
    };
}

macro_rules! impl_residue_field {
    ($field:ty) => {
        impl ResidueField for $field {
            const MODULUS_WORDS: &'static [u64] = &<$field>::MODULUS;

            fn from_decimal_vartime(text: &str) -> Option<Self> {
                Self::from_decimal_vartime(text)
            }

            fn to_decimal_vartime(&self) -> String {
                self.to_decimal_vartime()
            }

            fn to_be_bytes(&self) -> Vec<u8> {
                self.to_be_bytes().to_vec()
            }

            fn from_montgomery_words_unchecked(words: &[u64]) -> Self {
                let words = words.try_into().expect("as many words as the modulus has");
                Self::from_montgomery_limbs_unchecked(words)
            }
        }
    };
}

macro_rules! impl_pairing_group {
    ($curve:ident, $affine:ident, $projective:ident, $big_endian:ident, $cofactor:expr,
     $point:ident => $coefficients:expr, $names:pat => $from_names:expr) => {
        impl_group!(
            $curve::$affine,
            $curve::$projective,
            $curve::Fr,
            $curve::$projective::batch_to_affine_vartime
        );

        impl Coordinates for $curve::$affine {
            type Base = $curve::Fq;
            const DEGREE: usize = size_of::<$curve::$affine>() / (2 * size_of::<$curve::Fq>());

            fn coefficients(&self) -> Vec<$curve::Fq> {
                let $point = self;
                $coefficients.to_vec()
            }

            fn from_coefficients(coefficients: &[$curve::Fq]) -> Result<Self, EncodingError> {
                let point = Self::from_coefficients_on_curve(coefficients)?;
                Self::from_montgomery_bytes(&point.to_montgomery_bytes())
            }

            fn from_coefficients_on_curve(
                coefficients: &[$curve::Fq],
            ) -> Result<Self, EncodingError> {
                let $names = *coefficients else {
                    let (needed, given) = (2 * Self::DEGREE, coefficients.len());
                    panic!("a point has {needed} coefficients, and {given} were given")
                };
                let point = $from_names;
                Self::from_montgomery_bytes_on_curve(&point.to_montgomery_bytes())
            }
        }

        impl PointFromX for $curve::$affine {
            fn lift_x_vartime(x: &[$curve::Fq], larger: bool) -> Option<Self> {
                assert!(
                    x.len() == Self::DEGREE,
                    "x has {} coefficients",
                    Self::DEGREE
                );
                let mut coefficients = x.to_vec();
                coefficients.resize(2 * Self::DEGREE, $curve::Fq::ZERO);
                let $names = coefficients[..] else {
                    unreachable!("it was resized")
                };
                let Self { x, .. } = $from_names;
                let root = (x.square() * x + Self::B).sqrt().into_option()?;
                let y = match bool::from(root.is_lexicographically_largest()) == larger {
                    true => root,
                    false => -root,
                };
                Some(Self { x, y })
            }

            fn from_x_vartime(x: &[$curve::Fq], larger: bool) -> Option<Self> {
                let point = Self::lift_x_vartime(x, larger)?;
                let bits = $cofactor
                    .iter()
                    .rev()
                    .flat_map(|word: &u64| (0..64).rev().map(move |bit| word >> bit & 1 == 1));
                let product = bits.fold($curve::$projective::IDENTITY, |product, bit| {
                    let twice = product.double();
                    if bit { twice.add_affine(&point) } else { twice }
                });
                Some(product.to_affine())
            }
        }

        impl MontgomeryEncoding for $curve::$affine {
            type Bytes = [u8; size_of::<$curve::$affine>()];
            const BYTES: usize = size_of::<$curve::$affine>();

            fn to_montgomery_bytes(&self) -> Self::Bytes {
                self.to_montgomery_bytes()
            }

            fn from_montgomery_bytes(bytes: &[u8]) -> Result<Self, EncodingError> {
                Self::from_montgomery_bytes(sized(bytes))
            }

            fn from_montgomery_bytes_on_curve(bytes: &[u8]) -> Result<Self, EncodingError> {
                Self::from_montgomery_bytes_on_curve(sized(bytes))
            }

            fn from_montgomery_bytes_reduced_vartime(bytes: &[u8]) -> Option<Self> {
                let bytes = sized::<{ Self::BYTES }>(bytes);
                let (numbers, _) = bytes.as_chunks::<{ size_of::<$curve::Fq>() }>();
                let is_below = |number: &[u8; _]| {
                    words::less_than_vartime(&words::from_le_bytes(number), &$curve::Fq::MODULUS)
                };
                let are_below = numbers.iter().all(is_below);
                are_below.then(|| Self::from_montgomery_bytes_unchecked(bytes))
            }

            #[inline]
            fn from_montgomery_bytes_unchecked(bytes: &[u8]) -> Self {
                Self::from_montgomery_bytes_unchecked(sized(bytes))
            }
        }

        impl BigEndianEncoding for $curve::$affine {
            fn to_big_endian_bytes(&self) -> Vec<u8> {
                self.$big_endian().to_vec()
            }
        }
    };
}

impl_engine!(Bn254, bn254, to_eip197_bytes, BN254_COFACTORS);
impl_engine!(
    Bls12_381,
    bls12_381,
    to_big_endian_bytes,
    BLS12_381_COFACTORS
);

/// Cofactors of G1 and G2, words from the lowest: 1 and `2q - r`.
const BN254_COFACTORS: ([u64; 1], [u64; 4]) = (
    [1],
    [
        0x345f_2299_c0f9_fa8d,
        0x06ce_ecda_572a_2489,
        0xb850_45b6_8181_585e,
        0x3064_4e72_e131_a029,
    ],
);

/// Cofactors of G1 and G2, words from the lowest. Source: draft-irtf-cfrg-pairing-friendly-curves-11, section 4.2.1.
const BLS12_381_COFACTORS: ([u64; 2], [u64; 8]) = (
    [0x8c00_aaab_0000_aaab, 0x396c_8c00_5555_e156],
    [
        0xcf1c_38e3_1c72_38e5,
        0x1616_ec6e_786f_0c70,
        0x2153_7e29_3a66_91ae,
        0xa628_f1cb_4d9e_82ef,
        0xa68a_205b_2e5a_7ddf,
        0xcd91_de45_4708_5aba,
        0x091d_5079_2876_a202,
        0x05d5_43a9_5414_e7f1,
    ],
);

fn sized<const N: usize>(bytes: &[u8]) -> &[u8; N] {
    bytes.try_into().expect("as many bytes as a point has")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Membership;

    /// No prime of the cofactor is below `2^DIGIT_BITS`.
    fn check<P: Membership>(cofactor: &[u64]) {
        if cofactor == [1] {
            assert_eq!((P::FACTOR, P::DIGIT_BITS), (0, u32::MAX));
            return;
        }
        let divides = |number: u64| {
            let number = u128::from(number);
            let rest = cofactor
                .iter()
                .rev()
                .fold(0, |rest, word| (rest << 64 | u128::from(*word)) % number);
            rest == 0
        };
        assert!((2..1 << P::DIGIT_BITS).all(|number| !divides(number)));
        assert!(
            (2..2 << P::DIGIT_BITS).any(divides),
            "one bit more is too many"
        );
    }

    #[test]
    fn digits_are_below_the_primes_of_the_cofactors() {
        check::<bn254::G1Affine>(&BN254_COFACTORS.0);
        check::<bn254::G2Affine>(&BN254_COFACTORS.1);
        check::<bls12_381::G1Affine>(&BLS12_381_COFACTORS.0);
        check::<bls12_381::G2Affine>(&BLS12_381_COFACTORS.1);
    }
}
