//! The properties of these parsers.
//!
//! Reading returns; a value that was read writes the same bytes, for encodings are unique.

use frumious_signatures::{Error, PublicKey, SecretKey, ecdsa, schnorr};

/// Any bytes as keys: public ones of both schemes, secret ones.
pub fn keys(bytes: &[u8]) {
    match PublicKey::from_sec1(bytes) {
        Ok(key) if bytes.len() == PublicKey::BYTES => {
            assert_eq!(key.to_compressed(), bytes);
            assert_eq!(PublicKey::from_sec1(&key.to_uncompressed()), Ok(key));
        }
        Ok(key) => {
            assert_eq!(key.to_uncompressed(), bytes);
            assert_eq!(PublicKey::from_sec1(&key.to_compressed()), Ok(key));
        }
        Err(error) => assert!(matches!(error, Error::PublicKey(_))),
    }
    let key = schnorr::XOnlyPublicKey::from_bytes(bytes);
    length_decides(bytes, schnorr::XOnlyPublicKey::BYTES, key.err());
    if let Ok(key) = key {
        assert_eq!(key.to_bytes(), bytes);
    }
    let key = SecretKey::from_bytes(bytes);
    length_decides(bytes, SecretKey::BYTES, key.as_ref().err().copied());
    if let Ok(key) = key {
        assert_eq!(key.to_bytes()[..], *bytes);
    }
}

/// Any bytes as signatures of both schemes.
pub fn signatures(bytes: &[u8]) {
    let compact = ecdsa::Signature::from_bytes(bytes);
    length_decides(bytes, ecdsa::Signature::BYTES, compact.err());
    if let Ok(signature) = compact {
        assert_eq!(signature.to_bytes(), bytes);
        assert_eq!(
            ecdsa::Signature::from_der(&signature.to_der()),
            Ok(signature)
        );
        assert!(!signature.normalize().is_high());
        for id in 0..4 {
            let id = ecdsa::RecoveryId::new(id).expect("below 4");
            if let Ok(key) = ecdsa::recover(&[7; 32], &signature, id) {
                let accepted = key.verify_ecdsa(&[7; 32], &signature.normalize());
                assert!(accepted, "what is recovered verifies");
            }
        }
    }
    if let Ok(signature) = ecdsa::Signature::from_der(bytes) {
        assert_eq!(signature.to_der(), bytes);
        assert_eq!(
            ecdsa::Signature::from_bytes(&signature.to_bytes()),
            Ok(signature)
        );
    }
    let signature = schnorr::Signature::from_bytes(bytes);
    length_decides(bytes, schnorr::Signature::BYTES, signature.err());
    if let Ok(signature) = signature {
        assert_eq!(signature.to_bytes(), bytes);
    }
}

/// The error is of the length just if the length is wrong.
fn length_decides(bytes: &[u8], expected: usize, error: Option<Error>) {
    let found = bytes.len();
    assert_eq!(
        error == Some(Error::Length { found, expected }),
        found != expected
    );
}
