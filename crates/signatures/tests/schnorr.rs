//! BIP-340: its vectors, libsecp256k1, edges.

use frumious_signatures::schnorr::{Signature, XOnlyPublicKey};
use frumious_signatures::{Error, SecretKey};
use frumious_testing::field_suite::TestRng;
use frumious_testing::hex;
use secp256k1::Keypair;
use serde_json::Value;

#[test]
fn vectors_of_bip_340() {
    let vectors: Value = serde_json::from_str(include_str!("data/bip340.json")).expect("JSON");
    let (mut signed, mut verified) = (0, 0);
    for test in vectors["tests"].as_array().expect("tests") {
        let text = |name: &str| test[name].as_str().map(hex::bytes);
        let key_bytes = text("public_key").expect("a key");
        let message = text("message").expect("a message");
        let signature = text("signature").expect("a signature");
        if let Some(secret) = text("secret_key") {
            let key = SecretKey::from_bytes(&secret).expect("in range");
            let auxiliary = text("auxiliary")
                .expect("randomness")
                .try_into()
                .expect("32 bytes");
            assert_eq!(key.public_key().x_only().to_bytes(), key_bytes[..]);
            let ours = key.sign_schnorr(&message, &auxiliary).expect("a nonce");
            assert_eq!(ours.to_bytes(), signature[..], "{}", test["index"]);
            signed += 1;
        }
        let accepted = XOnlyPublicKey::from_bytes(&key_bytes).is_ok_and(|key| {
            Signature::from_bytes(&signature)
                .is_ok_and(|signature| key.verify_schnorr(&message, &signature))
        });
        assert_eq!(accepted, test["valid"] == true, "{}", test["index"]);
        verified += 1;
    }
    assert_eq!((signed, verified), (8, 19));
}

#[test]
fn equal_libsecp256k1() {
    let mut rng = TestRng::new(31);
    for length in 0..150 {
        let mut random = || core::array::from_fn::<u8, 32, _>(|_| rng.next_u64() as u8);
        let (secret, auxiliary) = (random(), random());
        let message = vec![random()[0]; length];
        let key = SecretKey::from_bytes(&secret).expect("in range");
        let pair = Keypair::from_secret_bytes(secret).expect("in range");
        let theirs = secp256k1::schnorr::sign_with_aux_rand(&message, &pair, &auxiliary);
        let ours = key.sign_schnorr(&message, &auxiliary).expect("a nonce");
        assert_eq!(ours.to_bytes(), theirs.to_byte_array());
        let public = key.public_key().x_only();
        assert_eq!(
            public.to_bytes(),
            pair.x_only_public_key().0.to_byte_array()
        );
        assert!(public.verify_schnorr(&message, &ours));
        let mut other = message.clone();
        other.push(0);
        assert!(!public.verify_schnorr(&other, &ours));
        let mut bytes = ours.to_bytes();
        bytes[63] ^= 1;
        if let Ok(other) = Signature::from_bytes(&bytes) {
            assert!(!public.verify_schnorr(&message, &other));
        }
    }
}

#[test]
fn broken_encodings_are_named() {
    assert_eq!(
        Signature::from_bytes(&[0; 63]),
        Err(Error::Length {
            found: 63,
            expected: 64
        })
    );
    assert_eq!(
        Signature::from_bytes(&[0xff; 64]),
        Err(Error::SignatureRange)
    );
    assert!(Signature::from_bytes(&[0; 64]).is_ok());
    assert!(matches!(
        XOnlyPublicKey::from_bytes(&[0xff; 32]),
        Err(Error::PublicKey(_))
    ));
    // 5³ + 7 is no square
    let mut bytes = [0; 32];
    bytes[31] = 5;
    assert!(matches!(
        XOnlyPublicKey::from_bytes(&bytes),
        Err(Error::PublicKey(_))
    ));
}
