//! secp256k1 in the peers: libsecp256k1 (fields through [`internals`], which its API does not show), k256, arkworks.

mod internals;
mod k256;
mod libsecp;

pub use self::k256::table as k256;
pub use libsecp::table as libsecp;

use crate::inputs::{SplitMix, bytes_of};

/// Stream of secret keys and of digests.
const STREAM_KEYS: u64 = 7;

/// A secret key and digests, the same for every library.
pub fn messages(n: usize) -> ([u8; 32], Vec<[u8; 32]>) {
    let mut source = SplitMix::new(STREAM_KEYS);
    let key = bytes_of(source.integer());
    (key, (0..n).map(|_| source.bytes()).collect())
}

/// Scalars, most significant byte first.
pub fn scalars(n: usize) -> Vec<[u8; 32]> {
    let words = crate::inputs::integers(crate::inputs::STREAM_A, n);
    words
        .into_iter()
        .map(|words| {
            let mut bytes = bytes_of(words);
            bytes.reverse();
            bytes
        })
        .collect()
}
