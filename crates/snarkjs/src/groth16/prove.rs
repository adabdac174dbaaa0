//! Proofs from a witness file.

use frumious_circom::generic::Wtns;
use frumious_groth16::{Error, Proof, ProveOptions, ProvingEngine, ProvingKey, Witness};

/// [`frumious_groth16::prove()`] with a `.wtns` witness, which may be mapped.
///
/// # Errors
/// As [`frumious_groth16::prove()`]; [`Error::Source`] if the witness file was changed meanwhile.
pub fn prove<E: ProvingEngine>(
    key: &ProvingKey<E>,
    witness: &Wtns<E>,
    options: &ProveOptions<'_>,
) -> Result<(Proof<E>, Vec<E::Fr>), Error> {
    let proved = frumious_groth16::prove(key, values(witness), options);
    // Of two reasons the one that explains the other.
    witness
        .check_unchanged()
        .map_err(|error| Error::Source(error.into()))?;
    proved
}

/// The values of a witness, for a prover.
pub fn values<E: ProvingEngine>(witness: &Wtns<E>) -> Witness<'_, E::Fr> {
    match witness.encoded() {
        Some(bytes) => Witness::from_le_bytes(bytes),
        None => Witness::new(witness.integers().unwrap_or(&[])),
    }
}
