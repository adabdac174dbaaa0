//! The common part of the libraries' rows of BLS12-381.

use crate::inputs::{SplitMix, bytes_of};

/// Stream of the secret key and of messages.
const STREAM_KEYS: u64 = 7;

/// The domain separation tags of signatures in G1 and in G2.
pub const TAG_G1: &[u8] = b"BLS_SIG_BLS12381G1_XMD:SHA-256_SSWU_RO_POP_";
pub const TAG_G2: &[u8] = b"BLS_SIG_BLS12381G2_XMD:SHA-256_SSWU_RO_POP_";

/// A secret key, most significant byte first, and messages of 32 bytes, the same for every library.
pub fn messages(n: usize) -> ([u8; 32], Vec<[u8; 32]>) {
    let mut source = SplitMix::new(STREAM_KEYS);
    let mut key = bytes_of(source.integer());
    key.reverse();
    (key, (0..n).map(|_| source.bytes()).collect())
}
