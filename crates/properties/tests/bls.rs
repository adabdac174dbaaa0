//! The fuzz targets' properties over mutated seeds, on stable Rust, the same on every run.
//!
//! The seeds in `data/` are what this crate writes; a test compares them. With `FRUMIOUS_WRITE_SEEDS=1` it writes them
//! instead.

use frumious_bls::SecretKey;
use frumious_properties::bls as properties;
use frumious_testing::mutate::{Generator, mutate};
use std::path::PathBuf;

fn seeds() -> [(&'static str, Vec<u8>); 5] {
    let secret = SecretKey::generate(&[7; 32], b"seeds").expect("enough bytes");
    let (key, signature) = (secret.public_key(), secret.sign(b"seed"));
    [
        ("secret_key.bin", secret.to_bytes().to_vec()),
        ("public_key.bin", key.to_bytes().to_vec()),
        (
            "public_key_uncompressed.bin",
            key.to_uncompressed().to_vec(),
        ),
        ("signature.bin", signature.to_bytes().to_vec()),
        (
            "signature_uncompressed.bin",
            signature.to_uncompressed().to_vec(),
        ),
    ]
}

#[test]
fn seeds_are_what_is_written() {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../bls/tests/data");
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
            properties::public_key(&bytes);
            properties::signature(&bytes);
            properties::secret_key(&bytes);
        }
        // every byte by itself, the flags among them
        for i in 0..seed.len() {
            for flipped in [0x20, 0x40, 0x80, 1] {
                let mut bytes = seed.clone();
                bytes[i] ^= flipped;
                properties::public_key(&bytes);
                properties::signature(&bytes);
                properties::secret_key(&bytes);
            }
        }
    }
}
