//! The basis of the commitments: 256 elements without known relations, from a published seed.

use frumious_curves::bandersnatch::{AffineElement, Fq};
use sha2::{Digest, Sha256};
use std::sync::OnceLock;

use crate::DOMAIN;

/// The seed in use on Ethereum.
const SEED: &[u8] = b"eth_verkle_oct_2021";

/// The elements that commitments and proofs are made of.
#[derive(Debug)]
pub struct Crs {
    basis: Vec<AffineElement>,
}

impl Crs {
    /// The one in use on Ethereum, derived from its seed at the first call (about 10 ms).
    pub fn standard() -> &'static Self {
        // Not a `LazyLock`, which a panic by cancellation poisons.
        static STANDARD: OnceLock<Crs> = OnceLock::new();
        STANDARD.get_or_init(|| Crs::from_seed(SEED))
    }

    /// The first 256 elements whose x coordinate is `SHA-256(seed || i) mod p` for `i = 0, 1, …` as eight bytes,
    /// big-endian.
    ///
    /// Source: go-ipa `ipa/ipa.go`, `GenerateRandomPoints`; spec section 3.
    fn from_seed(seed: &[u8]) -> Self {
        let basis = (0u64..)
            .filter_map(|i| {
                let hash = Sha256::new_with_prefix(seed).chain_update(i.to_be_bytes());
                let digest: [u8; 32] = hash.finalize().into();
                let mut wide = [0; 64];
                wide[..32].copy_from_slice(&digest);
                wide[..32].reverse();
                let x = Fq::from_uniform_bytes(&wide); // least significant byte first
                AffineElement::from_bytes_vartime(&x.to_be_bytes()).ok()
            })
            .take(DOMAIN)
            .collect();
        Self { basis }
    }

    /// The 256 elements that values are committed with.
    pub fn basis(&self) -> &[AffineElement] {
        &self.basis
    }

    /// `Q`, which inner products are committed with: the generator.
    pub const fn q(&self) -> AffineElement {
        AffineElement::GENERATOR
    }
}
