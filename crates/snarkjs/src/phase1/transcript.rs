//! Hashes of challenges and responses.
//!
//! H is BLAKE2b-512. The challenge of the first contributor is a hash of the generators:
//!
//! ```text
//! challenge = H(H(response before, or nothing) ‖ powers, uncompressed)
//! response  = H(challenge ‖ powers, compressed ‖ public key, uncompressed)
//! T         = the point of G2 that the generator draws, seeded by H(0, 1 or 2 ‖ challenge ‖ S ‖ s·S)
//! ```
//! Powers are those of sections 2 to 6, in this order. The public key has its points as in section 7. Source: observed
//! of snarkjs 0.7.6.

use super::resumable::ResumableHash;
use crate::encoding::uncompressed;
use crate::generic::{TauContribution, TauPublicKey};
use crate::random::Random;
use blake2::{Blake2b512, Digest};
use frumious_curves::Group;
use frumious_curves::PairingEngine;
use frumious_curves::engine::{BigEndianEncoding, PairingGroup};
use frumious_groth16::TauSecret;

/// The hash of no response.
pub(super) fn blank() -> [u8; 64] {
    Blake2b512::digest([]).into()
}

/// The challenge of powers of `2^power` without a contribution. `progress` is told how much is done.
pub fn first_challenge<E: PairingEngine>(power: u32, progress: &dyn Fn(f64)) -> [u8; 64] {
    let mut hash = Blake2b512::new_with_prefix(blank());
    let n = 1_u64 << power;
    let (g1, g2) = (E::G1::GENERATOR, E::G2::GENERATOR);
    let (in_g1, in_g2) = (g1.to_big_endian_bytes(), g2.to_big_endian_bytes());
    let mut done = 0;
    for (bytes, count) in [
        (&in_g1, 2 * n - 1),
        (&in_g2, n),
        (&in_g1, n),
        (&in_g1, n),
        (&in_g2, 1),
    ] {
        let many = bytes.repeat(REPEATED.min(count) as usize);
        let mut left = count;
        while left > 0 {
            frumious_parallel::check_cancelled();
            let now = left.min(REPEATED);
            hash.update(&many[..now as usize * bytes.len()]);
            left -= now;
            done += now;
            progress(done as f64 / (5 * n) as f64);
        }
    }
    hash.finalize().into()
}

/// The hash of a challenge, of which the response before is given, and points are given window by window.
pub(super) struct ChallengeHash(Blake2b512);

impl ChallengeHash {
    pub fn new(response: &[u8; 64]) -> Self {
        Self(Blake2b512::new_with_prefix(response))
    }

    /// Points in Montgomery form.
    pub fn update<P: PairingGroup>(&mut self, points: &[u8]) {
        self.update_uncompressed(&uncompressed::<P>(points));
    }

    /// Points with all coordinates.
    pub fn update_uncompressed(&mut self, points: &[u8]) {
        self.0.update(points);
    }

    pub fn finalize(self) -> [u8; 64] {
        self.0.finalize().into()
    }
}

/// T, for the public key with S and s·S.
pub(super) fn hash_to_g2<E: PairingEngine>(
    secret: TauSecret,
    challenge: &[u8; 64],
    g1_s: &E::G1,
    g1_sx: &E::G1,
) -> E::G2 {
    let personalisation = match secret {
        TauSecret::Tau => 0,
        TauSecret::Alpha => 1,
        TauSecret::Beta => 2,
    };
    let mut hash = Blake2b512::new_with_prefix([personalisation]);
    hash.update(challenge);
    hash.update(g1_s.to_big_endian_bytes());
    hash.update(g1_sx.to_big_endian_bytes());
    Random::from_hash(&hash.finalize()).point()
}

/// The response's hash, from its state before the public key.
pub(super) fn response_hash<E: PairingEngine>(
    mut state: ResumableHash,
    key: &TauPublicKey<E>,
) -> [u8; 64] {
    state.update(&key_bytes(key));
    state.finalize()
}

/// The response's hash of a contribution; none if its state is none that a hash can have.
pub(crate) fn response_hash_of<E: PairingEngine>(
    contribution: &TauContribution<E>,
) -> Option<[u8; 64]> {
    let state = ResumableHash::from_bytes(&contribution.response_state)?;
    Some(response_hash(state, &contribution.public_key))
}

/// A public key as responses have it.
pub(super) fn key_bytes<E: PairingEngine>(key: &TauPublicKey<E>) -> Vec<u8> {
    let keys = key.all();
    let in_g1 = keys.iter().flat_map(|key| [key.g1_s, key.g1_sx]);
    let in_g2 = keys.iter().map(|key| key.g2_spx);
    in_g1
        .flat_map(|point| point.to_big_endian_bytes())
        .chain(in_g2.flat_map(|point| point.to_big_endian_bytes()))
        .collect()
}

/// Generators hashed at a time.
const REPEATED: u64 = 1 << 14;
