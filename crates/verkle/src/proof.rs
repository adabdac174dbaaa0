//! Proofs and their bytes.
//!
//! A multiproof is `D || L[0..8] || R[0..8] || a`: 17 elements of 32 bytes each and a scalar, least significant byte
//! first. The argument alone is the same without `D`. Source: go-ipa `multiproof.go` and `ipa/prover.go`, `Write` and
//! `Read`.

use crate::error::{Error, Part};
use crate::polynomial::DOMAIN;
use frumious_curves::bandersnatch::{AffineElement, BatchError, Fr, batch_from_bytes_vartime};

/// Rounds of the inner product argument: `2^8` values.
pub const ROUNDS: usize = DOMAIN.ilog2() as usize;

/// An inner product argument: the value of a committed polynomial at a point.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct IpaProof {
    /// Left cross terms, first round first.
    pub l: [AffineElement; ROUNDS],
    /// Right cross terms.
    pub r: [AffineElement; ROUNDS],
    /// The polynomial folded to a single value.
    pub a: Fr,
}

/// A proof of any number of openings.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Multiproof {
    /// The commitment to the sum of the quotients.
    pub d: AffineElement,
    /// The argument for all of it.
    pub ipa: IpaProof,
}

impl IpaProof {
    /// Bytes of a proof.
    pub const BYTES: usize = 32 * (2 * ROUNDS + 1);

    /// The bytes.
    pub fn to_bytes(&self) -> [u8; Self::BYTES] {
        let mut bytes = [0; Self::BYTES];
        let encodings = self.l.iter().chain(&self.r).map(AffineElement::to_bytes);
        for (target, encoding) in bytes
            .chunks_exact_mut(32)
            .zip(encodings.chain([self.a.to_bytes()]))
        {
            target.copy_from_slice(&encoding);
        }
        bytes
    }

    /// The proof with these bytes.
    ///
    /// # Errors
    /// A wrong length, bytes that encode no element, a scalar not below the modulus.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, Error> {
        let (encodings, a) = split::<{ 2 * ROUNDS }>(bytes)?;
        let elements = decode(&encodings, ipa_part)?;
        Ok(Self::from_parts(&elements, a))
    }

    /// From `L` and `R` behind each other.
    fn from_parts(elements: &[AffineElement], a: Fr) -> Self {
        Self {
            l: core::array::from_fn(|i| elements[i]),
            r: core::array::from_fn(|i| elements[ROUNDS + i]),
            a,
        }
    }
}

impl Multiproof {
    /// Bytes of a proof.
    pub const BYTES: usize = 32 + IpaProof::BYTES;

    /// The bytes.
    pub fn to_bytes(&self) -> [u8; Self::BYTES] {
        let mut bytes = [0; Self::BYTES];
        bytes[..32].copy_from_slice(&self.d.to_bytes());
        bytes[32..].copy_from_slice(&self.ipa.to_bytes());
        bytes
    }

    /// The proof with these bytes.
    ///
    /// # Errors
    /// A wrong length, bytes that encode no element, a scalar not below the modulus.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, Error> {
        let (encodings, a) = split::<{ 2 * ROUNDS + 1 }>(bytes)?;
        let elements = decode(&encodings, |index| match index {
            0 => Part::D,
            _ => ipa_part(index - 1),
        })?;
        Ok(Self {
            d: elements[0],
            ipa: IpaProof::from_parts(&elements[1..], a),
        })
    }
}

fn ipa_part(index: usize) -> Part {
    if index < ROUNDS {
        Part::L(index)
    } else {
        Part::R(index - ROUNDS)
    }
}

/// The encodings of `N` elements, and the scalar behind them.
fn split<const N: usize>(bytes: &[u8]) -> Result<([[u8; 32]; N], Fr), Error> {
    if bytes.len() != 32 * (N + 1) {
        return Err(Error::ProofLength {
            found: bytes.len(),
            expected: 32 * (N + 1),
        });
    }
    let word = |i: usize| -> [u8; 32] { core::array::from_fn(|j| bytes[32 * i + j]) };
    let scalar = Fr::from_bytes(&word(N)).into_option();
    let scalar = scalar.ok_or(Error::ProofScalar { offset: 32 * N })?;
    Ok((core::array::from_fn(word), scalar))
}

fn decode(
    encodings: &[[u8; 32]],
    part: impl Fn(usize) -> Part,
) -> Result<Vec<AffineElement>, Error> {
    batch_from_bytes_vartime(encodings).map_err(|BatchError { index, error }| Error::ProofElement {
        part: part(index),
        offset: 32 * index,
        error,
    })
}
