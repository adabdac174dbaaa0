//! Fields and groups of BLS12-381 against arkworks, which shares no code with ours.

use ark_ec::{AffineRepr, CurveGroup};
use ark_ff::{BigInteger, Field as _, PrimeField as _};
use frumious_curves::bls12_381::{Fq, Fr, G1Affine, G1Projective, G2Affine, G2Projective};
use frumious_testing::field_suite::TestRng;

macro_rules! field_differential {
    ($name:ident, $ours:ty, $ark:ty) => {
        mod $name {
            use super::*;

            pub fn to_ark(a: &$ours) -> $ark {
                <$ark>::from_le_bytes_mod_order(&a.to_le_bytes())
            }

            pub fn from_ark(a: &$ark) -> $ours {
                let bytes = a.into_bigint().to_bytes_le();
                <$ours>::from_le_bytes(&bytes.try_into().expect("the length")).expect("canonical")
            }

            #[test]
            fn equal_arkworks() {
                let mut rng = TestRng::new(3);
                for _ in 0..300 {
                    let wide = |rng: &mut TestRng| core::array::from_fn(|_| rng.next_u64() as u8);
                    let (a, b) = (
                        <$ours>::from_uniform_bytes(&wide(&mut rng)),
                        <$ours>::from_uniform_bytes(&wide(&mut rng)),
                    );
                    let (x, y) = (to_ark(&a), to_ark(&b));
                    assert_eq!(from_ark(&(x + y)), a + b);
                    assert_eq!(from_ark(&(x - y)), a - b);
                    assert_eq!(from_ark(&(x * y)), a * b);
                    assert_eq!(from_ark(&x.square()), a.square());
                    assert_eq!(from_ark(&-x), -a);
                    assert_eq!(x.inverse().map(|x| from_ark(&x)), a.invert().into_option());
                    assert_eq!(x.sqrt().is_some(), a.sqrt().into_option().is_some());
                    let exponent = rng.next_u64();
                    assert_eq!(from_ark(&x.pow([exponent])), a.pow_vartime(&[exponent]));
                    // the Montgomery form is the same too
                    assert_eq!(x.0.0, a.to_montgomery_limbs());
                }
            }
        }
    };
}

field_differential!(fq, Fq, ark_bls12_381::Fq);
field_differential!(fr, Fr, ark_bls12_381::Fr);

macro_rules! group_differential {
    ($name:ident, $affine:ident, $projective:ident, $ark:ty, $coordinates:expr) => {
        #[test]
        fn $name() {
            let equal = |ours: &$projective, ark: &$ark| {
                let ark = ark.into_affine();
                let coordinates: fn(_) -> $affine = $coordinates;
                assert_eq!(
                    ours.to_affine(),
                    if ark.is_zero() {
                        $affine::IDENTITY
                    } else {
                        coordinates(ark)
                    }
                );
            };
            let mut rng = TestRng::new(5);
            let generator = <$ark as CurveGroup>::Affine::generator();
            for _ in 0..40 {
                let wide = |rng: &mut TestRng| core::array::from_fn(|_| rng.next_u64() as u8);
                let (a, b) = (
                    Fr::from_uniform_bytes(&wide(&mut rng)),
                    Fr::from_uniform_bytes(&wide(&mut rng)),
                );
                let (x, y) = (generator * fr::to_ark(&a), generator * fr::to_ark(&b));
                let (p, q) = (
                    $projective::GENERATOR.mul(&a),
                    $projective::GENERATOR.mul_vartime(&b),
                );
                equal(&p, &x);
                equal(&q, &y);
                equal(&(p + q), &(x + y));
                equal(&(p - q), &(x - y));
                equal(&p.double(), &(x + x));
                equal(&p.mul(&b), &(x * fr::to_ark(&b)));
                equal(&(p - p), &(x - x));
            }
        }
    };
}

group_differential!(
    g1_equals_arkworks,
    G1Affine,
    G1Projective,
    ark_bls12_381::G1Projective,
    |point: ark_bls12_381::G1Affine| G1Affine {
        x: fq::from_ark(&point.x),
        y: fq::from_ark(&point.y),
    }
);
group_differential!(
    g2_equals_arkworks,
    G2Affine,
    G2Projective,
    ark_bls12_381::G2Projective,
    |point: ark_bls12_381::G2Affine| {
        let fq2 = |a: &ark_bls12_381::Fq2| frumious_curves::bls12_381::Fq2 {
            c0: fq::from_ark(&a.c0),
            c1: fq::from_ark(&a.c1),
        };
        G2Affine {
            x: fq2(&point.x),
            y: fq2(&point.y),
        }
    }
);
