//! secp256k1 against arkworks and libsecp256k1, which share no code with ours.

use ark_ec::{AffineRepr, CurveGroup, PrimeGroup};
use frumious_curves::secp256k1::{Affine, Fq, Fr, Projective};
use frumious_testing::field_suite::TestRng;
use frumious_testing::{arkworks_field_suite, arkworks_group_suite};
use secp256k1::{PublicKey, Scalar, SecretKey};

arkworks_field_suite!(fq, Fq, ark_secp256k1::Fq);
arkworks_field_suite!(fr, Fr, ark_secp256k1::Fr);

arkworks_group_suite!(
    group_equals_arkworks, scalars: fr, points: Projective, ark_secp256k1::Projective, from_ark
);

fn from_ark(point: ark_secp256k1::Affine) -> Affine {
    let (x, y) = point.xy().expect("finite");
    Affine {
        x: fq::from_ark(&x),
        y: fq::from_ark(&y),
    }
}

#[test]
fn multiples_equal_arkworks_and_libsecp256k1() {
    let mut rng = TestRng::new(5);
    for _ in 0..50 {
        let (a, b) = (fr::uniform(&mut rng), fr::uniform(&mut rng));
        let point = Projective::mul_generator(&a);
        let product = point.mul(&b);
        let sum = point.mul_add_generator_vartime(&b, &a);

        let ark = ark_secp256k1::Projective::generator() * fr::to_ark(&a);
        let equal = |ours: &Projective, ark: &ark_secp256k1::Projective| {
            assert_eq!(ours.to_affine(), from_ark(ark.into_affine()));
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
    let (mut points, mut not_below_p) = (0, 0);
    for case in 0..400 {
        let mut bytes: [u8; 33] = core::array::from_fn(|_| rng.next_u64() as u8);
        bytes[0] = 1 + (case % 4) as u8;
        if case % 5 == 0 {
            // x on both sides of p, whose last five bytes are fe ff ff fc 2f
            bytes[1..28].fill(0xff);
            bytes[28..32].copy_from_slice(&[0xfe, 0xff, 0xff, 0xfc]);
            bytes[32] = 0x2f_u8.wrapping_add((case / 5 % 32) as u8).wrapping_sub(16);
            not_below_p += u32::from(bytes[32] >= 0x2f && matches!(bytes[0], 2 | 3));
        }
        let theirs = PublicKey::from_slice(&bytes);
        let ours = Affine::from_sec1(&bytes);
        assert_eq!(ours.is_ok(), theirs.is_ok(), "{bytes:x?}");
        if let (Ok(ours), Ok(theirs)) = (ours, theirs) {
            points += 1;
            let mut bytes = ours.to_sec1_uncompressed();
            assert_eq!(bytes, theirs.serialize_uncompressed());
            bytes[1 + 32 * (case % 2)..][..32].fill(0xff); // a coordinate above p
            assert!(PublicKey::from_slice(&bytes).is_err() && Affine::from_sec1(&bytes).is_err());
        }
    }
    assert!(points > 50 && not_below_p > 15, "{points}, {not_below_p}");
}
