//! Section 7: the contributions to the powers.
//!
//! `nContributions u32`, then for each: `τ G1 | τ G2 | α G1 | β G1 | β G2`, the values after it. Then its public key,
//! `S, s·S` in G1 for each of τ, α and β, and `s·T` in G2 for each. Then `state[216] | nextChallenge[64]` and the
//! parameters. The state is that of the response's hash before the public key (`phase1::resumable`).

use crate::generic::PublicKey;
use crate::parameters::{Parameters, point};
use frumious_circom::Error;
use frumious_circom::container::Cursor;
use frumious_curves::PairingEngine;
use frumious_curves::engine::MontgomeryEncoding;

/// One contribution to powers of tau. Its points are in their groups; its proofs of knowledge are not verified here.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TauContribution<E: PairingEngine> {
    /// τ in G1 after it.
    pub tau_g1: E::G1,
    /// τ in G2 after it.
    pub tau_g2: E::G2,
    /// α in G1 after it.
    pub alpha_g1: E::G1,
    /// β in G1 after it.
    pub beta_g1: E::G1,
    /// β in G2 after it.
    pub beta_g2: E::G2,
    /// The proofs that its secrets were known.
    pub public_key: TauPublicKey<E>,
    /// State of the response's hash before the public key.
    pub response_state: [u8; 216],
    /// The hash of the powers after it: the challenge of the next contribution.
    pub next_challenge: [u8; 64],
    /// True if the contribution says that it is a random beacon's.
    pub is_beacon: bool,
    /// Name the contributor gave, if any.
    pub name: Option<String>,
    /// For a contribution by a random beacon: its hash, and the base-two logarithm of the number of iterations.
    pub beacon: Option<(Vec<u8>, u8)>,
}

/// The public keys of a contribution, one for each secret.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TauPublicKey<E: PairingEngine> {
    /// Of the factor of τ.
    pub tau: PublicKey<E>,
    /// Of the factor of α.
    pub alpha: PublicKey<E>,
    /// Of the factor of β.
    pub beta: PublicKey<E>,
}

pub(super) fn read<E: PairingEngine>(
    mut cursor: Cursor<'_>,
) -> Result<Vec<TauContribution<E>>, Error> {
    let count = cursor.u32()?;
    // Grows as contributions are found: `count` is not to be trusted with an allocation.
    let mut contributions = Vec::new();
    for _ in 0..count {
        contributions.push(TauContribution::read(&mut cursor)?);
    }
    cursor.expect_end()?;
    Ok(contributions)
}

impl<E: PairingEngine> TauContribution<E> {
    fn read(cursor: &mut Cursor<'_>) -> Result<Self, Error> {
        let (tau_g1, tau_g2) = (point(cursor)?, point(cursor)?);
        let (alpha_g1, beta_g1, beta_g2) = (point(cursor)?, point(cursor)?, point(cursor)?);
        let mut in_g1 = [E::G1::default(); 6];
        for element in &mut in_g1 {
            *element = point(cursor)?;
        }
        let mut key = |at: usize| -> Result<PublicKey<E>, Error> {
            Ok(PublicKey {
                g1_s: in_g1[2 * at],
                g1_sx: in_g1[2 * at + 1],
                g2_spx: point(cursor)?,
            })
        };
        let public_key = TauPublicKey {
            tau: key(0)?,
            alpha: key(1)?,
            beta: key(2)?,
        };
        let response_state = *cursor.array()?;
        let next_challenge = *cursor.array()?;
        let Parameters {
            is_beacon,
            name,
            beacon,
        } = Parameters::read(cursor)?;
        Ok(Self {
            tau_g1,
            tau_g2,
            alpha_g1,
            beta_g1,
            beta_g2,
            public_key,
            response_state,
            next_challenge,
            is_beacon,
            name,
            beacon,
        })
    }

    /// The record in section 7.
    pub(crate) fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = Vec::new();
        let keys = self.public_key.all();
        bytes.extend(self.tau_g1.to_montgomery_bytes().as_ref());
        bytes.extend(self.tau_g2.to_montgomery_bytes().as_ref());
        bytes.extend(self.alpha_g1.to_montgomery_bytes().as_ref());
        bytes.extend(self.beta_g1.to_montgomery_bytes().as_ref());
        bytes.extend(self.beta_g2.to_montgomery_bytes().as_ref());
        for key in keys {
            bytes.extend(key.g1_s.to_montgomery_bytes().as_ref());
            bytes.extend(key.g1_sx.to_montgomery_bytes().as_ref());
        }
        for key in keys {
            bytes.extend(key.g2_spx.to_montgomery_bytes().as_ref());
        }
        bytes.extend(self.response_state);
        bytes.extend(self.next_challenge);
        let parameters = Parameters {
            is_beacon: self.is_beacon,
            name: self.name.clone(),
            beacon: self.beacon.clone(),
        };
        parameters.append_to(&mut bytes);
        bytes
    }
}

impl<E: PairingEngine> TauPublicKey<E> {
    /// Those of τ, α and β.
    pub fn all(&self) -> [&PublicKey<E>; 3] {
        [&self.tau, &self.alpha, &self.beta]
    }
}
