//! Verdicts on proofs in JSON, whose points are checked for their groups once: by the verification.

use frumious_circom::Error;
use frumious_groth16::{PreparedVerifyingKey, Proof, ProvingEngine, Refused};

use super::json::{
    proof_from_json, proof_on_curves_from_json, statement_from_json, statement_on_curves_from_json,
};

/// A verdict, and the proof that it is about.
#[derive(Clone, Copy, Debug)]
pub struct Judged<E: ProvingEngine> {
    /// True if the proof is valid.
    pub is_valid: bool,
    /// The proof.
    pub proof: Proof<E>,
}

/// The reason for which there is no verdict.
#[derive(Debug)]
pub enum NoVerdict {
    /// The JSON is of no proof: what [`proof_from_json`] answers.
    Proof(Error),
    /// What [`PreparedVerifyingKey::verify`] answers of another kind.
    Verification(frumious_groth16::Error),
}

/// Verifies the proof in `json` for the public signals `public`. Takes less time than [`proof_from_json`] and
/// [`PreparedVerifyingKey::verify`], which both check that points are in their groups.
///
/// # Errors
/// [`NoVerdict`]. A false proof is one.
pub fn verify_json<E: ProvingEngine>(
    key: &PreparedVerifyingKey<E>,
    public: &[E::Fr],
    json: &[u8],
) -> Result<Judged<E>, NoVerdict> {
    let proof = proof_on_curves_from_json(json).map_err(NoVerdict::Proof)?;
    match key.verify(public, &proof) {
        Ok(is_valid) => Ok(Judged { is_valid, proof }),
        Err(error) => Err(match proof_from_json::<E>(json) {
            // It says where the point is that is outside of its group.
            Err(error) => NoVerdict::Proof(error),
            Ok(_) => NoVerdict::Verification(error),
        }),
    }
}

/// The reason for which one statement of many is refused.
#[derive(Debug)]
pub enum Rejected {
    /// The JSON is of no statement: what [`statement_from_json`] answers.
    Malformed(Error),
    /// As verification tells.
    Refused(Refused),
}

/// The statements, each of one line `{"proof": …, "publicSignals": […]}`, that are not valid, by their indices,
/// ascending.
///
/// # Errors
/// Those of [`PreparedVerifyingKey::find_invalid`].
pub fn find_invalid_json<E: ProvingEngine>(
    key: &PreparedVerifyingKey<E>,
    lines: &[&[u8]],
) -> Result<Vec<(usize, Rejected)>, frumious_groth16::Error> {
    let read = frumious_parallel::map_indices(lines.len(), |index| {
        statement_on_curves_from_json::<E>(lines[index])
    });
    let mut faults = Vec::new();
    let mut statements = Vec::with_capacity(lines.len());
    for (index, read) in read.into_iter().enumerate() {
        match read {
            Ok((proof, signals)) => statements.push((index, proof, signals)),
            Err(error) => faults.push((index, Rejected::Malformed(error))),
        }
    }
    let batch: Vec<(&[E::Fr], &Proof<E>)> = statements
        .iter()
        .map(|(_, proof, signals)| (signals.as_slice(), proof))
        .collect();
    for (number, refused) in key.find_invalid(&batch)? {
        let index = statements[number].0;
        let said = match refused {
            Refused::False => None,
            Refused::Malformed(_) => statement_from_json::<E>(lines[index]).err(),
        };
        faults.push((
            index,
            said.map_or(Rejected::Refused(refused), Rejected::Malformed),
        ));
    }
    faults.sort_by_key(|(index, _)| *index);
    Ok(faults)
}
