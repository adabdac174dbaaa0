//! The fuzz targets' properties over mutated seeds, on stable Rust, the same on every run.
//!
//! The seeds in `data/` are what this crate writes; a test compares them. With `FRUMIOUS_WRITE_SEEDS=1` it writes them
//! instead.

use frumious_properties::signatures as properties;
use frumious_signatures::SecretKey;
use frumious_testing::mutate::{Generator, mutate};
use std::path::PathBuf;

fn seeds() -> [(&'static str, Vec<u8>); 7] {
    let secret = SecretKey::from_bytes(&[7; 32]).expect("in range");
    let key = secret.public_key();
    let signature = secret.sign_ecdsa(&[8; 32]);
    let schnorr = secret.sign_schnorr(b"seed", &[9; 32]).expect("a nonce");
    [
        ("secret_key.bin", secret.to_bytes().to_vec()),
        ("public_key.bin", key.to_compressed().to_vec()),
        (
            "public_key_uncompressed.bin",
            key.to_uncompressed().to_vec(),
        ),
        ("x_only_public_key.bin", key.x_only().to_bytes().to_vec()),
        ("ecdsa_compact.bin", signature.to_bytes().to_vec()),
        ("ecdsa_der.bin", signature.to_der()),
        ("schnorr.bin", schnorr.to_bytes().to_vec()),
    ]
}

#[test]
fn seeds_are_what_is_written() {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../signatures/tests/data");
    for (name, written) in seeds() {
        if std::env::var_os("FRUMIOUS_WRITE_SEEDS").is_some() {
            std::fs::create_dir_all(&folder).expect("a folder");
            std::fs::write(folder.join(name), written).expect("written");
        } else {
            let found = std::fs::read(folder.join(name)).expect("a seed");
            assert!(found == written, "{name} is not what is written now");
        }
    }
}

#[test]
fn properties_hold_for_mutated_seeds() {
    let mut generator = Generator::new(11);
    for (_, seed) in seeds() {
        for _ in 0..300 {
            let bytes = mutate(&seed, &mut generator);
            properties::keys(&bytes);
            properties::signatures(&bytes);
        }
        // every byte by itself, tags and lengths among them
        for i in 0..seed.len() {
            for flipped in [1, 2, 4, 0x20, 0x80] {
                let mut bytes = seed.clone();
                bytes[i] ^= flipped;
                properties::keys(&bytes);
                properties::signatures(&bytes);
            }
        }
    }
}
