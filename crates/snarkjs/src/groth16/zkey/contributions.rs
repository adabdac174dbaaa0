//! Section 10: what the ceremony of phase 2 left in the key. Not needed to prove; ceremonies go on from it.
//!
//! `csHash[64] | nContributions u32`, then for each: `deltaAfter G1 | g1_s G1 | g1_sx G1 | g2_spx G2 | transcript[64] |
//! type u32 | length u32 | params[length]`, where params are records `1 | length u8 | name`, `2 | iterationsExp u8`,
//! `3 | length u8 | beacon hash`, their tags ascending.

use frumious_curves::PairingEngine;
use frumious_curves::engine::MontgomeryEncoding;

use crate::parameters::{Parameters, point};
use frumious_circom::Error;
use frumious_circom::container::Cursor;

/// The circuit's hash and the ceremony's contributions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Contributions<E: PairingEngine> {
    /// BLAKE2b-512 hash of the circuit's key before any contribution.
    pub circuit_hash: [u8; 64],
    /// In the order they were made.
    pub contributions: Vec<Contribution<E>>,
}

/// One contribution. Its points are in their groups; its proof of knowledge is not verified here.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Contribution<E: PairingEngine> {
    /// δ in G1 after this contribution.
    pub delta_after: E::G1,
    /// Its public key, which proves knowledge of its factor.
    pub public_key: PublicKey<E>,
    /// Hash of the transcript up to this contribution.
    pub transcript: [u8; 64],
    /// True if the contribution says that it is a random beacon's.
    pub is_beacon: bool,
    /// Name the contributor gave, if any.
    pub name: Option<String>,
    /// For a contribution by a random beacon: its hash, and the base-two logarithm of the number of iterations.
    pub beacon: Option<(Vec<u8>, u8)>,
}

/// The public key of a contribution with the factor d, for points S of G1 and T of G2. T is hashed from the transcript.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PublicKey<E: PairingEngine> {
    /// S, drawn by the contributor.
    pub g1_s: E::G1,
    /// `d·S`.
    pub g1_sx: E::G1,
    /// `d·T`.
    pub g2_spx: E::G2,
}

impl<E: PairingEngine> Contributions<E> {
    pub(crate) fn read(mut cursor: Cursor<'_>) -> Result<Self, Error> {
        let circuit_hash = *cursor.array()?;
        let count = cursor.u32()?;
        // Grows as contributions are found: `count` is not to be trusted with an allocation.
        let mut contributions = Vec::new();
        for _ in 0..count {
            contributions.push(Contribution::read(&mut cursor)?);
        }
        cursor.expect_end()?;
        Ok(Self {
            circuit_hash,
            contributions,
        })
    }
}

impl<E: PairingEngine> Contribution<E> {
    fn read(cursor: &mut Cursor<'_>) -> Result<Self, Error> {
        let delta_after = point(cursor)?;
        let public_key = PublicKey {
            g1_s: point(cursor)?,
            g1_sx: point(cursor)?,
            g2_spx: point(cursor)?,
        };
        let transcript = *cursor.array()?;
        let Parameters {
            is_beacon,
            name,
            beacon,
        } = Parameters::read(cursor)?;
        Ok(Self {
            delta_after,
            public_key,
            transcript,
            is_beacon,
            name,
            beacon,
        })
    }
}

impl<E: PairingEngine> Contribution<E> {
    /// The record in section 10.
    pub(crate) fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = Vec::new();
        let PublicKey {
            g1_s,
            g1_sx,
            g2_spx,
        } = self.public_key;
        for point in [self.delta_after, g1_s, g1_sx] {
            bytes.extend(point.to_montgomery_bytes().as_ref());
        }
        bytes.extend(g2_spx.to_montgomery_bytes().as_ref());
        bytes.extend(self.transcript);
        let parameters = Parameters {
            is_beacon: self.is_beacon,
            name: self.name.clone(),
            beacon: self.beacon.clone(),
        };
        parameters.append_to(&mut bytes);
        bytes
    }
}
