//! The group of secp256k1; its encodings.

use frumious_curves::EncodingError;
use frumious_curves::secp256k1::{Affine, Fq, Fr, Projective};
use frumious_field::Choice;

const LAMBDA: [u64; 4] = [
    0xdf02_967c_1b23_bd72,
    0x122e_22ea_2081_6678,
    0xa526_1c02_8812_645a,
    0x5363_ad4c_c05c_30e0,
];

frumious_testing::group_suite!(
    group, scalars: Fr, points: Projective, affine: Affine,
    special: [Fr::from_words_reduced(LAMBDA)]
);

#[test]
fn multiples_of_the_generator_equal_double_and_add() {
    let lambda = Fr::from_words_reduced(LAMBDA);
    for scalar in group::scalars() {
        let expected = group::naive_mul(&Projective::GENERATOR, &scalar);
        assert_eq!(Projective::mul_generator(&scalar), expected, "{scalar:?}");
        assert_eq!(
            Projective::IDENTITY.mul_add_generator_vartime(&lambda, &scalar),
            expected,
            "{scalar:?}"
        );
    }
}

#[test]
fn sums_of_two_multiples_meet_every_exception() {
    // points that are multiples of the generator, so that partial sums are equal, opposite and infinite
    let lambda = Fr::from_words_reduced(LAMBDA);
    let mut factors: Vec<Fr> = (0..4).map(Fr::from_u64).collect();
    factors.extend([
        -Fr::ONE,
        lambda,
        -lambda,
        Fr::from_u64(2).pow_vartime(&[128]),
        Fr::ONE.halve(),
    ]);
    let some: Vec<Fr> = group::scalars().into_iter().step_by(67).collect();
    for factor in &factors {
        let point = group::naive_mul(&Projective::GENERATOR, factor);
        for a in factors.iter().chain(&some) {
            for b in factors.iter().chain(&some).chain([&-(*a * *factor)]) {
                let expected = Projective::mul_generator(&(*a * *factor + *b));
                let sum = point.mul_add_generator_vartime(a, b);
                assert_eq!(sum, expected, "{factor:?} {a:?} {b:?}");
                let affine = expected.to_affine();
                let finite = affine != Affine::IDENTITY;
                assert_eq!(sum.to_affine_vartime(), affine);
                assert_eq!(sum.has_x_vartime(&affine.x), finite);
                assert!(!sum.has_x_vartime(&(affine.x + Fq::ONE)));
            }
        }
    }
}

#[test]
fn the_endomorphism_multiplies_by_lambda() {
    let lambda = Fr::from_words_reduced(LAMBDA);
    assert_eq!(lambda.square() + lambda + Fr::ONE, Fr::ZERO);
    // x of λ·G is β·x of G; β is a cube root of one
    let image = group::naive_mul(&Projective::GENERATOR, &lambda).to_affine();
    let beta = image.x * Affine::GENERATOR.x.invert().expect("not zero");
    assert_eq!(image.y, Affine::GENERATOR.y);
    assert_eq!(
        format!("{beta:?}"),
        "0x7ae96a2b657c07106e64479eac3434e99cf0497512f58995c1396c28719501ee"
    );
}

#[test]
fn encodings_round_trip() {
    for scalar in group::scalars().into_iter().step_by(15) {
        let point = Projective::mul_generator(&scalar).to_affine();
        let (short, long) = (point.to_sec1_compressed(), point.to_sec1_uncompressed());
        if point == Affine::IDENTITY {
            assert_eq!((short, long), ([0; 33], [0; 65]));
            assert_eq!(Affine::from_sec1(&short), Err(EncodingError::InvalidFlags));
            assert_eq!(Affine::from_sec1(&long), Err(EncodingError::InvalidFlags));
            continue;
        }
        assert_eq!(Affine::from_sec1(&short), Ok(point));
        assert_eq!(Affine::from_sec1(&long), Ok(point));
        let mut opposite = short;
        opposite[0] ^= 1;
        assert_eq!(Affine::from_sec1(&opposite), Ok(-point));
        for odd in [0u8, 1] {
            let found = Affine::from_x(&point.x, Choice::from(odd)).expect("a point");
            assert_eq!(found.x, point.x);
            assert_eq!(found.y.is_odd().unwrap_u8(), odd);
        }
    }
}

#[test]
fn known_encodings() {
    // SEC 2 version 2, section 2.4.1: the generator
    let hex = |bytes: &[u8]| {
        bytes
            .iter()
            .map(|byte| format!("{byte:02x}"))
            .collect::<String>()
    };
    let generator = Affine::GENERATOR;
    assert_eq!(
        hex(&generator.to_sec1_compressed()),
        "0279be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798"
    );
    assert_eq!(
        hex(&generator.to_sec1_uncompressed()),
        "0479be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798\
         483ada7726a3c4655da4fbfc0e1108a8fd17b448a68554199c47d08ffb10d4b8"
    );
}

#[test]
fn broken_encodings_are_named() {
    let good = Affine::GENERATOR;
    for length in (0..100).filter(|length| *length != 33 && *length != 65) {
        let bytes = vec![2; length];
        assert_eq!(Affine::from_sec1(&bytes), Err(EncodingError::InvalidLength));
    }
    for tag in 0..=255u8 {
        let mut bytes = good.to_sec1_compressed();
        bytes[0] = tag;
        let expected = if tag == 2 || tag == 3 {
            Ok(())
        } else {
            Err(EncodingError::InvalidFlags)
        };
        assert_eq!(Affine::from_sec1(&bytes).map(drop), expected);
        let mut bytes = good.to_sec1_uncompressed();
        bytes[0] = tag;
        let expected = if tag == 4 {
            Ok(good)
        } else {
            Err(EncodingError::InvalidFlags)
        };
        assert_eq!(Affine::from_sec1(&bytes), expected);
    }
    let mut bytes = good.to_sec1_uncompressed();
    bytes[64] ^= 1;
    assert_eq!(Affine::from_sec1(&bytes), Err(EncodingError::NotOnCurve));
    bytes[1..].fill(0);
    assert_eq!(Affine::from_sec1(&bytes), Err(EncodingError::NotOnCurve));
    for at in [1, 33] {
        let mut bytes = good.to_sec1_uncompressed();
        bytes[at..at + 32].fill(0xff);
        assert_eq!(Affine::from_sec1(&bytes), Err(EncodingError::NonCanonical));
    }
    let mut bytes = good.to_sec1_compressed();
    bytes[1..].copy_from_slice(&(-Fq::ONE).to_be_bytes());
    bytes[32] += 1; // p itself
    assert_eq!(Affine::from_sec1(&bytes), Err(EncodingError::NonCanonical));
    // x = 5 has no y: 5³ + 7 is no square
    assert!(Fq::from_u64(132).sqrt().into_option().is_none());
    let mut bytes = [0; 33];
    (bytes[0], bytes[32]) = (2, 5);
    assert_eq!(Affine::from_sec1(&bytes), Err(EncodingError::NotOnCurve));
}
