//! Hashes over contributions.
//!
//! H is BLAKE2b-512, points are uncompressed (as in `circuit_hash`), and the public key of a contribution is `δ after
//! it ‖ S ‖ d·S ‖ d·T ‖ transcript`:
//!
//! ```text
//! transcript        = H(circuit hash ‖ public keys of the contributions before ‖ S ‖ d·S)
//! T                 = the point of G2 that the generator draws, seeded by the transcript
//! contribution hash = H(public key)
//! ```
//! Source: observed of snarkjs 0.7.6.

use crate::generic::{Contribution, PublicKey};
use crate::random::Random;
use blake2::{Blake2b512, Digest};
use frumious_curves::PairingEngine;
use frumious_curves::engine::PairingGroup;
use std::marker::PhantomData;

/// The hash over a circuit and the contributions so far.
#[derive(Clone)]
pub(super) struct Transcript<E> {
    hash: Blake2b512,
    engine: PhantomData<E>,
}

impl<E: PairingEngine> Transcript<E> {
    pub(super) fn new(circuit_hash: &[u8; 64]) -> Self {
        Self {
            hash: Blake2b512::new_with_prefix(circuit_hash),
            engine: PhantomData,
        }
    }

    /// A contribution more.
    pub(super) fn append(&mut self, contribution: &Contribution<E>) {
        update_public_key(&mut self.hash, contribution);
    }

    /// The transcript of the next contribution, which has drawn S.
    pub(super) fn next(&self, g1_s: &E::G1, g1_sx: &E::G1) -> [u8; 64] {
        let mut hash = self.hash.clone();
        update(&mut hash, g1_s);
        update(&mut hash, g1_sx);
        hash.finalize().into()
    }
}

/// T.
pub(super) fn hash_to_g2<E: PairingEngine>(transcript: &[u8; 64]) -> E::G2 {
    Random::from_hash(transcript).point()
}

/// The hash that a contributor publishes.
pub(in crate::groth16) fn contribution_hash<E: PairingEngine>(
    contribution: &Contribution<E>,
) -> [u8; 64] {
    let mut hash = Blake2b512::new();
    update_public_key(&mut hash, contribution);
    hash.finalize().into()
}

fn update_public_key<E: PairingEngine>(hash: &mut Blake2b512, contribution: &Contribution<E>) {
    let PublicKey {
        g1_s,
        g1_sx,
        g2_spx,
    } = &contribution.public_key;
    update(hash, &contribution.delta_after);
    update(hash, g1_s);
    update(hash, g1_sx);
    update(hash, g2_spx);
    hash.update(contribution.transcript);
}

fn update(hash: &mut Blake2b512, point: &impl PairingGroup) {
    hash.update(point.to_big_endian_bytes());
}

/// A hash as snarkjs prints it: four lines of four words, each after two tabs.
pub fn hash_lines(hash: &[u8; 64]) -> String {
    let lines = hash.as_chunks::<16>().0.iter().map(|line| {
        let words = line.as_chunks::<4>().0.iter();
        let words: Vec<String> = words
            .map(|word| format!("{:08x}", u32::from_be_bytes(*word)))
            .collect();
        format!("\t\t{}", words.join(" "))
    });
    lines.collect::<Vec<_>>().join("\n")
}
