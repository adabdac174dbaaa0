//! The properties of these parsers.
//!
//! Reading returns; a value that was read writes the same bytes, for encodings are unique.

use frumious_bls::{Error, ProofOfPossession, PublicKey, SecretKey, Signature};

/// Any bytes as a public key, in both encodings.
pub fn public_key(bytes: &[u8]) {
    let compressed = PublicKey::from_bytes(bytes);
    length_decides(bytes, PublicKey::BYTES, compressed.err());
    if let Ok(key) = compressed {
        assert_eq!(key.to_bytes(), bytes);
        let uncompressed = PublicKey::from_uncompressed(&key.to_uncompressed());
        assert_eq!(uncompressed, Ok(key));
    }
    let uncompressed = PublicKey::from_uncompressed(bytes);
    length_decides(bytes, PublicKey::UNCOMPRESSED_BYTES, uncompressed.err());
    if let Ok(key) = uncompressed {
        assert_eq!(key.to_uncompressed(), bytes);
        assert_eq!(PublicKey::from_bytes(&key.to_bytes()), Ok(key));
    }
}

/// Any bytes as a signature, in both encodings, and as a proof of possession.
pub fn signature(bytes: &[u8]) {
    let compressed = Signature::from_bytes(bytes);
    length_decides(bytes, Signature::BYTES, compressed.err());
    let proof = ProofOfPossession::from_bytes(bytes);
    assert_eq!(proof.err(), compressed.err());
    if let (Ok(signature), Ok(proof)) = (compressed, proof) {
        assert_eq!(signature.to_bytes(), bytes);
        assert_eq!(proof.to_bytes(), bytes);
        let uncompressed = Signature::from_uncompressed(&signature.to_uncompressed());
        assert_eq!(uncompressed, Ok(signature));
        assert_eq!(Signature::aggregate(&[signature]), Ok(signature));
    }
    let uncompressed = Signature::from_uncompressed(bytes);
    length_decides(bytes, Signature::UNCOMPRESSED_BYTES, uncompressed.err());
    if let Ok(signature) = uncompressed {
        assert_eq!(signature.to_uncompressed(), bytes);
        assert_eq!(Signature::from_bytes(&signature.to_bytes()), Ok(signature));
    }
}

/// Any bytes as a secret key.
pub fn secret_key(bytes: &[u8]) {
    let key = SecretKey::from_bytes(bytes);
    length_decides(bytes, SecretKey::BYTES, key.as_ref().err().copied());
    if let Ok(key) = key {
        assert_eq!(key.to_bytes()[..], *bytes);
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
