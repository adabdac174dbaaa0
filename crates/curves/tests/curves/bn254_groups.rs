//! G1 and G2 of BN254.

use frumious_curves::EncodingError;
use frumious_curves::bn254::{Fq, Fq2, Fr, G1Affine, G1Projective, G2Affine, G2Projective};
use frumious_testing::{encoding_suite, group_suite, subgroup_suite};

/// The endomorphism of G1 multiplies by it.
const LAMBDA: [u64; 4] = [
    0x8b17_ea66_b99c_90dd,
    0x5bfc_4108_8d8d_aaa7,
    0xb3c4_d79d_41a9_1758,
    0,
];

group_suite!(
    g1, scalars: Fr, points: G1Projective, affine: G1Affine,
    special: [Fr::from_words_reduced(LAMBDA)]
);
group_suite!(
    g2, scalars: Fr, points: G2Projective, affine: G2Affine,
    special: [Fr::from_words_reduced(LAMBDA)]
);

encoding_suite!(
    g1_encodings_round_trip, g1, G1Affine,
    [
        to_eip197_bytes => from_eip197_bytes,
        to_montgomery_bytes => from_montgomery_bytes,
        to_compressed => from_compressed,
    ]
);
encoding_suite!(
    g2_encodings_round_trip, g2, G2Affine,
    [
        to_eip197_bytes => from_eip197_bytes,
        to_montgomery_bytes => from_montgomery_bytes,
        to_compressed => from_compressed,
    ]
);

subgroup_suite!(
    subgroup_g2, g2, scalars: Fr, points: G2Projective, affine: G2Affine,
    x: |k| Fq2::new(Fq::from_u64(k), Fq::ONE),
    encodings: [
        to_eip197_bytes => from_eip197_bytes,
        to_montgomery_bytes => from_montgomery_bytes,
        to_compressed => from_compressed,
    ]
);

macro_rules! broken_encodings {
    ($name:ident, $affine:ident) => {
        mod $name {
            use super::*;

            #[test]
            fn broken_encodings_are_named() {
                let good = $affine::GENERATOR;
                let mut bytes = good.to_eip197_bytes();
                let last = bytes.len() - 1;
                bytes[last] ^= 1;
                assert_eq!(
                    $affine::from_eip197_bytes(&bytes),
                    Err(EncodingError::NotOnCurve)
                );
                let mut bytes = good.to_eip197_bytes();
                bytes[..32].fill(0xff);
                assert_eq!(
                    $affine::from_eip197_bytes(&bytes),
                    Err(EncodingError::NonCanonical)
                );
                let mut bytes = good.to_montgomery_bytes();
                bytes[..32].fill(0xff);
                assert_eq!(
                    $affine::from_montgomery_bytes(&bytes),
                    Err(EncodingError::NonCanonical)
                );
                let mut bytes = good.to_montgomery_bytes();
                bytes[0] ^= 1;
                assert_eq!(
                    $affine::from_montgomery_bytes(&bytes),
                    Err(EncodingError::NotOnCurve)
                );
                let mut bytes = good.to_compressed();
                bytes[0] &= 0x3f;
                assert_eq!(
                    $affine::from_compressed(&bytes),
                    Err(EncodingError::InvalidFlags)
                );
                bytes[0] |= 0x40;
                assert_eq!(
                    $affine::from_compressed(&bytes),
                    Err(EncodingError::InvalidFlags)
                );
            }
        }
    };
}

broken_encodings!(g1_broken, G1Affine);
broken_encodings!(g2_broken, G2Affine);
