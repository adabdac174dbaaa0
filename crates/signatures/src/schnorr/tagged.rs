//! Tagged hashes: SHA-256 that starts with a block of the tag's own.

use sha2::{Digest, Sha256};
use std::sync::LazyLock;

/// The purpose of a hash.
#[derive(Clone, Copy)]
pub enum Tag {
    /// The hash that masks the secret key.
    Auxiliary,
    /// The nonce.
    Nonce,
    /// The challenge.
    Challenge,
}

impl Tag {
    /// `SHA-256(SHA-256(tag) ‖ SHA-256(tag) ‖ parts)`; the first block is hashed once.
    pub fn hash(self, parts: &[&[u8]]) -> [u8; 32] {
        static STARTS: LazyLock<[Sha256; 3]> = LazyLock::new(|| {
            ["BIP0340/aux", "BIP0340/nonce", "BIP0340/challenge"].map(|tag| {
                let tag = Sha256::digest(tag);
                Sha256::new().chain_update(tag).chain_update(tag)
            })
        });
        let mut hash = STARTS[self as usize].clone();
        parts.iter().for_each(|part| hash.update(part));
        hash.finalize().into()
    }
}
