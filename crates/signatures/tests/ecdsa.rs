//! ECDSA: Wycheproof, known signatures, libsecp256k1, recovery, edges.

use frumious_signatures::ecdsa::{RecoveryId, Signature, recover};
use frumious_signatures::{Error, PublicKey, SecretKey};
use frumious_testing::field_suite::TestRng;
use frumious_testing::hex;
use frumious_testing::shared;
use secp256k1::Message;
use secp256k1::ecdsa::RecoverableSignature;
use serde_json::Value;
use sha2::{Digest, Sha256};

/// The group's order, and half of it rounded down (SEC 2, section 2.4.1).
const ORDER: &str = "fffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141";
const HALF: &str = "7fffffffffffffffffffffffffffffff5d576e7357a4501ddfe92f46681b20a0";

fn random(rng: &mut TestRng) -> [u8; 32] {
    core::array::from_fn(|_| rng.next_u64() as u8)
}

#[test]
fn wycheproof() {
    let Some(path) = shared("vectors/ecdsa/ecdsa_secp256k1_sha256_bitcoin_test.json") else {
        return;
    };
    let text = std::fs::read_to_string(path).expect("readable");
    let vectors: Value = serde_json::from_str(&text).expect("JSON");
    let text = |value: &Value| hex::bytes(value.as_str().expect("text"));
    let (mut valid, mut invalid) = (0, 0);
    for group in vectors["testGroups"].as_array().expect("groups") {
        let key = PublicKey::from_sec1(&text(&group["publicKey"]["uncompressed"])).expect("a key");
        for test in group["tests"].as_array().expect("tests") {
            let digest = Sha256::digest(text(&test["msg"])).into();
            let accepted = Signature::from_der(&text(&test["sig"]))
                .is_ok_and(|signature| key.verify_ecdsa(&digest, &signature));
            let expected = test["result"] == "valid";
            assert_eq!(
                accepted, expected,
                "test {}: {}",
                test["tcId"], test["comment"]
            );
            *(if expected { &mut valid } else { &mut invalid }) += 1;
        }
    }
    assert_eq!((valid, invalid), (162, 301));
}

#[test]
fn known_signatures() {
    // widely published for RFC 6979 over secp256k1 with SHA-256 (the suite of trezor-crypto, among others)
    let largest = "fffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364140";
    let one = "0000000000000000000000000000000000000000000000000000000000000001";
    for (key, message, expected) in [
        (
            one,
            "Satoshi Nakamoto",
            "934b1ea10a4b3c1757e2b0c017d0b6143ce3c9a7e6a4a49860d7a6ab210ee3d8\
             2442ce9d2b916064108014783e923ec36b49743e2ffa1c4496f01a512aafd9e5",
        ),
        (
            largest,
            "Satoshi Nakamoto",
            "fd567d121db66e382991534ada77a6bd3106f0a1098c231e47993447cd6af2d0\
             6b39cd0eb1bc8603e159ef5c20a5c8ad685a45b06ce9bebed3f153d10d93bed5",
        ),
    ] {
        let key = SecretKey::from_bytes(&hex::bytes(key)).expect("a key");
        let digest = Sha256::digest(message).into();
        let signature = key.sign_ecdsa(&digest);
        assert_eq!(signature.to_bytes(), hex::array(expected), "{message}");
        assert!(key.public_key().verify_ecdsa(&digest, &signature));
    }
}

#[test]
fn equal_libsecp256k1() {
    let mut rng = TestRng::new(21);
    for _ in 0..200 {
        let (secret, digest) = (random(&mut rng), random(&mut rng));
        let key = SecretKey::from_bytes(&secret).expect("in range");
        let theirs = secp256k1::SecretKey::from_secret_bytes(secret).expect("in range");
        let message = Message::from_digest(digest);
        let (signature, id) = key.sign_ecdsa_recoverable(&digest);
        let expected = RecoverableSignature::sign_ecdsa_recoverable(message, &theirs);
        let (expected_id, bytes) = expected.serialize_compact();
        assert_eq!(signature.to_bytes(), bytes);
        assert_eq!(id.to_u8(), expected_id.to_u8());
        let der = expected.to_standard().serialize_der();
        assert_eq!(signature.to_der(), &der[..]);

        let public = key.public_key();
        assert!(public.verify_ecdsa(&digest, &signature));
        assert_eq!(recover(&digest, &signature, id), Ok(public));
        assert_eq!(signature.normalize(), signature);
        let mut other = digest;
        other[31] ^= 1;
        assert!(!public.verify_ecdsa(&other, &signature));
    }
}

#[test]
fn recovery_agrees_with_libsecp256k1_for_any_numbers() {
    let mut rng = TestRng::new(22);
    let mut found = 0;
    for case in 0..200u64 {
        let (mut r, s, digest) = (random(&mut rng), random(&mut rng), random(&mut rng));
        if case % 2 == 0 {
            // small enough that r + n may be below p
            r[..16].fill(0);
            r[15] = (case % 4 == 0).into();
        }
        for id in 0..4 {
            let signature = Signature::from_scalars(&r, &s).expect("in range");
            let ours = recover(&digest, &signature, RecoveryId::new(id).expect("below 4"));
            let their_id = secp256k1::ecdsa::RecoveryId::from_u8_masked(id);
            let theirs = RecoverableSignature::from_compact(&signature.to_bytes(), their_id)
                .and_then(|signature| signature.recover_ecdsa(Message::from_digest(digest)));
            assert_eq!(
                ours.map(|key| key.to_compressed()).ok(),
                theirs.map(|key| key.serialize()).ok()
            );
            if let Ok(key) = ours {
                found += 1;
                assert!(key.verify_ecdsa(&digest, &signature.normalize()));
                assert_eq!(key.verify_ecdsa(&digest, &signature), !signature.is_high());
            }
        }
    }
    assert!(found > 200);
}

#[test]
fn nothing_is_recovered_at_infinity() {
    // R = s⁻¹·z·G with r its x: the key would be infinity
    let digest = {
        let mut digest = [0; 32];
        digest[31] = 1;
        digest
    };
    let r = "79be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798";
    let signature = Signature::from_scalars(&hex::array(r), &digest).expect("in range");
    let id = |id| RecoveryId::new(id).expect("below 4");
    assert_eq!(
        recover(&digest, &signature, id(0)),
        Err(Error::NotRecoverable)
    );
    assert!(recover(&digest, &signature, id(1)).is_ok());
    assert_eq!(
        recover(&digest, &signature, id(2)),
        Err(Error::NotRecoverable)
    );
}

#[test]
fn high_signatures_are_refused_until_normalised() {
    let key = SecretKey::from_bytes(&[3; 32]).expect("in range");
    let (signature, id) = key.sign_ecdsa_recoverable(&[4; 32]);
    // s at (n - 1)/2 is low, the next is high
    let mut half: [u8; 32] = hex::array(HALF);
    let low = Signature::from_scalars(&half, &half).expect("in range");
    half[31] += 1;
    let high = Signature::from_scalars(&half, &half).expect("in range");
    assert!(!low.is_high() && high.is_high());
    // n - s by hand
    let mut bytes = signature.to_bytes();
    let mut borrow = 0i16;
    let order: [u8; 32] = hex::array(ORDER);
    for i in (0..32).rev() {
        let digit = i16::from(order[i]) - i16::from(bytes[32 + i]) - borrow;
        borrow = (digit < 0).into();
        bytes[32 + i] = digit as u8;
    }
    let high = Signature::from_bytes(&bytes).expect("in range");
    assert!(high.is_high());
    assert_eq!(high.normalize(), signature);
    let public = key.public_key();
    assert!(public.verify_ecdsa(&[4; 32], &signature));
    assert!(!public.verify_ecdsa(&[4; 32], &high));
    let opposite = RecoveryId::new(id.to_u8() ^ 1).expect("below 4");
    assert_eq!(recover(&[4; 32], &high, opposite), Ok(public));
}

#[test]
fn digests_are_reduced() {
    // any digest signs; z and z + n are the same scalar, but only one of them has 32 bytes unless z is small
    let key = SecretKey::from_bytes(&[5; 32]).expect("in range");
    for digest in [[0; 32], [0xff; 32], hex::array(ORDER)] {
        let (signature, id) = key.sign_ecdsa_recoverable(&digest);
        assert!(key.public_key().verify_ecdsa(&digest, &signature));
        assert_eq!(recover(&digest, &signature, id), Ok(key.public_key()));
    }
    let signature = key.sign_ecdsa(&[0; 32]);
    assert!(
        key.public_key()
            .verify_ecdsa(&hex::array(ORDER), &signature)
    );
}

#[test]
fn numbers_out_of_range_are_named() {
    let (one, order) = (
        {
            let mut one = [0; 32];
            one[31] = 1;
            one
        },
        hex::array(ORDER),
    );
    for (r, s) in [
        ([0; 32], one),
        (one, [0; 32]),
        (order, one),
        (one, order),
        ([0xff; 32], one),
    ] {
        assert_eq!(Signature::from_scalars(&r, &s), Err(Error::SignatureRange));
    }
    assert!(Signature::from_scalars(&one, &one).is_ok());
    assert_eq!(RecoveryId::new(4), Err(Error::RecoveryId));
    for bytes in [[0; 32], order, [0xff; 32]] {
        assert_eq!(
            SecretKey::from_bytes(&bytes).err(),
            Some(Error::SecretKeyRange)
        );
    }
    let key = SecretKey::from_bytes(&one).expect("in range");
    assert_eq!(format!("{key:?}"), "SecretKey(..)");
    assert!(SecretKey::random().expect("randomness") != SecretKey::random().expect("randomness"));
}

#[test]
fn der_is_strict() {
    let good = hex::bytes("3006020101020101");
    assert!(Signature::from_der(&good).is_ok());
    for bad in [
        "",
        "30",
        "3006",
        "300602010102010100",     // after the end
        "30060201010201",         // before it
        "3007020101020101",       // a length too large
        "308106020101020101",     // a length in two bytes
        "3106020101020101",       // no sequence
        "3006030101020101",       // no integer
        "300702020001020101",     // a zero too many
        "3006020181020101",       // negative
        "30050200020101",         // of no bytes
        "3008020101020101020101", // a third
        "30800201010201010000",   // without a length
    ] {
        assert_eq!(
            Signature::from_der(&hex::bytes(bad)),
            Err(Error::SignatureDer),
            "{bad}"
        );
    }
    // 33 digits, and 32 with a zero in front that are above the order
    let long = format!("3026022101{}020101", "00".repeat(32));
    assert_eq!(
        Signature::from_der(&hex::bytes(&long)),
        Err(Error::SignatureDer)
    );
    let above = format!("3026022100{}020101", "ff".repeat(32));
    assert_eq!(
        Signature::from_der(&hex::bytes(&above)),
        Err(Error::SignatureRange)
    );
    let zero = hex::bytes("3006020100020101");
    assert_eq!(Signature::from_der(&zero), Err(Error::SignatureRange));
}
