//! secp256k1 against arkworks and libsecp256k1, which share no code with ours.

use ark_ec::{AffineRepr, CurveGroup, PrimeGroup};
use ark_ff::{BigInteger, Field as _, PrimeField as _};
use frumious_curves::secp256k1::{Affine, Fq, Fr, Projective};
use frumious_testing::field_suite::TestRng;
use secp256k1::{PublicKey, Scalar, SecretKey};

macro_rules! field_differential {
    ($name:ident, $ours:ty, $ark:ty) => {
        mod $name {
            use super::*;

            pub fn to_ark(a: &$ours) -> $ark {
                <$ark>::from_le_bytes_mod_order(&a.to_le_bytes())
            }

            pub fn from_ark(a: &$ark) -> $ours {
                let bytes = a.into_bigint().to_bytes_le();
                <$ours>::from_le_bytes(&bytes.try_into().expect("32 bytes")).expect("canonical")
            }

            #[test]
            fn equal_arkworks() {
                let mut rng = TestRng::new(3);
                for _ in 0..300 {
                    let (a, b) = (
                        <$ours>::from_uniform_bytes(&uniform(&mut rng)),
                        <$ours>::from_uniform_bytes(&uniform(&mut rng)),
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
                }
            }
        }
    };
}

field_differential!(fq, Fq, ark_secp256k1::Fq);
field_differential!(fr, Fr, ark_secp256k1::Fr);

fn uniform(rng: &mut TestRng) -> [u8; 64] {
    core::array::from_fn(|_| rng.next_u64() as u8)
}

#[test]
fn multiples_equal_arkworks_and_libsecp256k1() {
    let mut rng = TestRng::new(5);
    for _ in 0..50 {
        let (a, b) = (
            Fr::from_uniform_bytes(&uniform(&mut rng)),
            Fr::from_uniform_bytes(&uniform(&mut rng)),
        );
        let point = Projective::mul_generator(&a);
        let product = point.mul(&b);
        let sum = point.mul_add_generator_vartime(&b, &a);

        let ark = ark_secp256k1::Projective::generator() * fr::to_ark(&a);
        let equal = |ours: &Projective, ark: &ark_secp256k1::Projective| {
            let ark = ark.into_affine();
            let (x, y) = ark.xy().expect("finite");
            let expected = Affine {
                x: fq::from_ark(&x),
                y: fq::from_ark(&y),
            };
            assert_eq!(ours.to_affine(), expected);
        };
        equal(&point, &ark);
        equal(&product, &(ark * fr::to_ark(&b)));
        equal(
            &sum,
            &(ark * fr::to_ark(&b) + ark_secp256k1::Projective::generator() * fr::to_ark(&a)),
        );

        let secret = SecretKey::from_secret_bytes(a.to_be_bytes()).expect("not zero");
        let public = PublicKey::from_secret_key(&secret);
        assert_eq!(point.to_affine().to_sec1_compressed(), public.serialize());
        assert_eq!(
            point.to_affine().to_sec1_uncompressed(),
            public.serialize_uncompressed()
        );
        let scalar = Scalar::from_be_bytes(b.to_be_bytes()).expect("below the order");
        let theirs = public.mul_tweak(&scalar).expect("finite");
        assert_eq!(product.to_affine().to_sec1_compressed(), theirs.serialize());
        let theirs = theirs.combine(&public).expect("finite");
        assert_eq!(sum.to_affine().to_sec1_compressed(), theirs.serialize());
    }
}

#[test]
fn decoding_agrees_with_libsecp256k1() {
    let mut rng = TestRng::new(9);
    let mut points = 0;
    for case in 0..400 {
        let mut bytes: [u8; 33] = core::array::from_fn(|_| rng.next_u64() as u8);
        bytes[0] = 1 + (case % 4) as u8;
        if case % 5 == 0 {
            bytes[1..28].fill(0xff); // at the modulus
        }
        let theirs = PublicKey::from_slice(&bytes);
        let ours = Affine::from_sec1(&bytes);
        assert_eq!(ours.is_ok(), theirs.is_ok(), "{bytes:x?}");
        if let (Ok(ours), Ok(theirs)) = (ours, theirs) {
            points += 1;
            assert_eq!(ours.to_sec1_uncompressed(), theirs.serialize_uncompressed());
        }
    }
    assert!(points > 50);
}
