//! The hash functions of the cipher MiMC over BN254's scalar field, with circomlib's constants and results.
//!
//! | here | circomlib | cipher | hash |
//! |---|---|---|---|
//! | [`mimc7`] | `MiMC7(91)` | 91 rounds `x ↦ (x + key + constant)^7` | |
//! | [`multi_mimc7`] | `MultiMiMC7(n, 91)` | the same | Miyaguchi and Preneel's |
//! | [`sponge`] | `MiMCSponge(n, 220, m)` | 220 rounds of Feistel's form, `(l, r) ↦ (r + (l + key + constant)^5, l)` | a sponge |
//!
//! The base of each power and its powers are wires. The result of a round is a difference of two of these, and stands
//! on the side C alone. A and B are single wires but for the first round. Source of the ciphers: eprint 2016/492.

mod feistel;
mod seventh;

use frumious_curves::bn254::Fr;
use sha3::{Digest, Keccak256};

pub use feistel::{define_sponge, sponge, sponge_native};
pub use seventh::{mimc7, mimc7_native, multi_mimc7, multi_mimc7_native};

/// A constant for each round as circomlib chooses them: zero, then Keccak-256 of the seed again and again from the
/// second time on, modulo r.
fn round_constants(seed: &str, rounds: usize) -> Vec<Fr> {
    let mut hash = Keccak256::digest(seed);
    let mut constants = vec![Fr::ZERO];
    constants.resize_with(rounds, || {
        hash = Keccak256::digest(hash);
        let mut wide = [0; 64]; // the least significant byte first
        for (to, from) in wide.iter_mut().zip(hash.iter().rev()) {
            *to = *from;
        }
        Fr::from_uniform_bytes(&wide)
    });
    constants
}
