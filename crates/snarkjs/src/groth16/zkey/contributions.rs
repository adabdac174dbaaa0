//! Section 10: what the ceremony of phase 2 left in the key. Not needed to prove; kept for inspection.
//!
//! `csHash[64] | nContributions u32`, then for each: `deltaAfter G1 | g1_s G1 | g1_sx G1 | g2_spx G2 | transcript[64] |
//! type u32 | length u32 | params[length]`, where params are records `1 | length u8 | name`, `2 | iterationsExp u8`,
//! `3 | length u8 | beacon hash`.

use frumious_curves::PairingEngine;
use frumious_curves::engine::MontgomeryEncoding;

use frumious_circom::container::{Cursor, Section};
use frumious_circom::{Error, Problem};

/// The circuit's hash and the ceremony's contributions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Contributions<E: PairingEngine> {
    /// BLAKE2b-512 hash of the circuit's key before any contribution.
    pub circuit_hash: [u8; 64],
    /// In the order they were made.
    pub contributions: Vec<Contribution<E>>,
}

/// One contribution, as far as it can be shown to a person. Its proof of knowledge is not verified here.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Contribution<E: PairingEngine> {
    /// δ in G1 after this contribution.
    pub delta_after: E::G1,
    /// Hash of the transcript up to this contribution.
    pub transcript: [u8; 64],
    /// Name the contributor gave, if any.
    pub name: Option<String>,
    /// For a contribution by a random beacon: its hash, and the base-two logarithm of the number of iterations.
    pub beacon: Option<(Vec<u8>, u8)>,
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
        let (g1, g2) = (E::G1::BYTES as u64, E::G2::BYTES as u64);
        let delta_after = E::G1::from_montgomery_bytes(cursor.take(g1)?)
            .map_err(|reason| cursor.error_before(g1, Problem::Point(reason)))?;
        cursor.take(2 * g1 + g2)?; // the proof of knowledge: `g1_s`, `g1_sx` and `g2_spx`
        let transcript = *cursor.array()?;
        let _kind = cursor.u32()?;
        let length = cursor.u32()?;
        let start = cursor.offset();
        let params = cursor.take(length.into())?;
        let mut contribution = Self {
            delta_after,
            transcript,
            name: None,
            beacon: None,
        };
        contribution.read_params(Cursor::new(Section {
            offset: start,
            bytes: params,
            ..*cursor.section()
        }))?;
        Ok(contribution)
    }

    fn read_params(&mut self, mut params: Cursor<'_>) -> Result<(), Error> {
        let mut iterations = 0;
        while !params.is_at_end() {
            let tag = params.u8()?;
            match tag {
                1 => {
                    let length = params.u8()?;
                    let name = params.take(length.into())?;
                    self.name = Some(String::from_utf8_lossy(name).into_owned());
                }
                2 => iterations = params.u8()?,
                3 => {
                    let length = params.u8()?;
                    self.beacon = Some((params.take(length.into())?.to_vec(), iterations));
                }
                other => {
                    let problem = Problem::OutOfRange {
                        what: "parameter type",
                        value: other.into(),
                        bound: 4,
                    };
                    return Err(params.error_before(1, problem));
                }
            }
        }
        Ok(())
    }
}
