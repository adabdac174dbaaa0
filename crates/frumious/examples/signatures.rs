//! ECDSA and BIP-340 over secp256k1, and BLS signatures with an aggregate.
//!
//! Run it with `cargo run --release -p frumious --example signatures`. ECDSA signs a digest: hash with a crate of your
//! choice, here `sha2`.

use frumious::bls::{self, ProvenKey, fast_aggregate_verify};
use frumious::signatures::{self, ecdsa};
use sha2::{Digest, Sha256};
use std::error::Error;

fn main() -> Result<(), Box<dyn Error>> {
    let message = b"pay Bob 5";

    // secp256k1: nonces by RFC 6979, constant time in the key, which is wiped when it is dropped.
    let key = signatures::SecretKey::random()?;
    let digest: [u8; 32] = Sha256::digest(message).into();
    let (signature, recovery) = key.sign_ecdsa_recoverable(&digest);
    assert!(key.public_key().verify_ecdsa(&digest, &signature));
    assert_eq!(
        ecdsa::recover(&digest, &signature, recovery)?,
        key.public_key()
    );

    let decoded = ecdsa::Signature::from_bytes(&signature.to_bytes())?;
    let other: [u8; 32] = Sha256::digest(b"pay Bob 500").into();
    assert!(!key.public_key().verify_ecdsa(&other, &decoded));

    let schnorr = key.sign_schnorr(message, &[0; 32])?;
    assert!(key.public_key().x_only().verify_schnorr(message, &schnorr));

    // BLS: many signers, one message, one signature of 96 bytes. A key enters an aggregate with a proof that its
    // owner has the secret.
    let signers = [(); 4].map(|()| bls::SecretKey::random());
    let signers: Vec<bls::SecretKey> = signers.into_iter().collect::<Result<_, _>>()?;
    let keys: Vec<ProvenKey> = (signers.iter())
        .map(|signer| ProvenKey::new(signer.public_key(), &signer.prove_possession()))
        .collect::<Option<_>>()
        .ok_or("a proof of possession does not verify")?;
    let block: Vec<bls::Signature> = signers
        .iter()
        .map(|signer| signer.sign(b"block 7"))
        .collect();
    let aggregate = bls::Signature::aggregate(&block)?;
    assert!(fast_aggregate_verify(&keys, b"block 7", &aggregate));
    assert!(!fast_aggregate_verify(&keys, b"block 8", &aggregate));
    assert!(!fast_aggregate_verify(&keys[..3], b"block 7", &aggregate));

    println!(
        "ECDSA {} bytes, BIP-340 {}",
        signature.to_bytes().len(),
        schnorr.to_bytes().len()
    );
    println!(
        "BLS {} bytes for {} signers",
        aggregate.to_bytes().len(),
        keys.len()
    );
    Ok(())
}
