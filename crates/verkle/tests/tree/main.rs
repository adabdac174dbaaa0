//! The tree: keys, roots, proofs and witnesses, against published vectors, a naive twin and mutations.

mod binary;
mod forgeries;
mod keccak;
mod keys;
mod naive;
mod proofs;
mod roots;
mod soundness;
mod vectors;
mod witnesses;

use frumious_verkle::tree::{Key, Value};
use frumious_verkle::{Committer, Preset};
use std::sync::OnceLock;

/// The tables that all tests share.
fn committer() -> &'static Committer {
    static COMMITTER: OnceLock<Committer> = OnceLock::new();
    COMMITTER.get_or_init(|| Committer::new(Preset::Verifier).expect("tables of a preset"))
}

/// A small generator of repeatable test data (SplitMix64).
struct Random(u64);

impl Random {
    fn word(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let z = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    fn below(&mut self, bound: usize) -> usize {
        (self.word() % bound as u64) as usize
    }

    fn value(&mut self) -> Value {
        match self.below(8) {
            0 => [0; 32],
            1 => [0xff; 32],
            _ => core::array::from_fn(|_| self.word() as u8),
        }
    }

    /// A key whose first bytes are few, so that paths are long and stems are shared.
    fn key(&mut self) -> Key {
        let random: Key = core::array::from_fn(|_| self.word() as u8);
        let shared = self.below(8);
        let alike: Key = core::array::from_fn(|i| if i < shared { 3 } else { random[i] });
        match self.below(6) {
            // One of a few stems, which differ late.
            0 | 1 => core::array::from_fn(|i| match i {
                29 => alike[0] % 2,
                31 => random[i],
                _ => 3,
            }),
            _ => alike,
        }
    }

    fn entries(&mut self, n: usize) -> Vec<(Key, Value)> {
        (0..n).map(|_| (self.key(), self.value())).collect()
    }
}
