//! Keys, proofs and verdicts over either curve.

use frumious_circom::FileKind;
use frumious_circom::generic::Wtns;
use frumious_curves::{Bls12_381, Bn254, PairingCurve};
use frumious_groth16::{PreparedVerifyingKey, ProveOptions, ProvingEngine, ProvingKey};
use frumious_snarkjs::curve_of;
use frumious_snarkjs::generic::{KeyFile, public_from_json, public_to_json};
use frumious_snarkjs::groth16::{
    NoVerdict, key_kind, proof_to_json, prove, proving_key, verify_json, verifying_key_from_json,
    verifying_key_to_json,
};

use crate::refusal::Refusal;

/// A value of each curve.
pub enum Either<A, B> {
    Bn254(A),
    Bls12_381(B),
}

/// A proving key.
pub type Key = Either<ProvingKey<Bn254>, ProvingKey<Bls12_381>>;

/// The same in `$body` for the value of either curve.
macro_rules! over {
    ($either:expr, $value:ident => $body:expr) => {
        match $either {
            Either::Bn254($value) => $body,
            Either::Bls12_381($value) => $body,
        }
    };
}

impl Key {
    /// From the bytes of a `.zkey` or an `.fkey`, which are checked.
    pub fn open(bytes: Vec<u8>) -> Result<Self, Refusal> {
        Ok(match curve_of(key_kind(&bytes), &bytes)? {
            PairingCurve::Bn254 => Self::Bn254(opened(bytes)?),
            PairingCurve::Bls12_381 => Self::Bls12_381(opened(bytes)?),
        })
    }

    /// `{"proof", "publicSignals"}`.
    pub fn prove(&self, witness: &[u8], verify: bool) -> Result<String, Refusal> {
        over!(self, key => proved(key, witness, verify))
    }

    /// As snarkjs's `verification_key.json`.
    pub fn verification_key(&self) -> String {
        over!(self, key => verifying_key_to_json(key.verifying_key()))
    }
}

fn opened<E: ProvingEngine>(bytes: Vec<u8>) -> Result<ProvingKey<E>, Refusal> {
    Ok(proving_key(KeyFile::<E>::from_bytes(bytes)?)?)
}

fn proved<E: ProvingEngine>(
    key: &ProvingKey<E>,
    witness: &[u8],
    verify: bool,
) -> Result<String, Refusal> {
    let witness = Wtns::<E>::from_bytes(witness)?;
    let options = ProveOptions {
        verify,
        ..ProveOptions::default()
    };
    let (proof, public) = prove(key, &witness, &options)?;
    let (proof, public) = (proof_to_json(&proof), public_to_json(&public));
    Ok(format!(r#"{{"proof":{proof},"publicSignals":{public}}}"#))
}

/// A verification key, checked and prepared.
pub struct Verifier {
    prepared: Either<PreparedVerifyingKey<Bn254>, PreparedVerifyingKey<Bls12_381>>,
    lacks_contribution: bool,
}

impl Verifier {
    /// From `verification_key.json`.
    pub fn new(json: &[u8]) -> Result<Self, Refusal> {
        Ok(match curve_of(FileKind::VerifyingKeyJson, json)? {
            PairingCurve::Bn254 => {
                let (prepared, lacks_contribution) = prepared(json)?;
                Self {
                    prepared: Either::Bn254(prepared),
                    lacks_contribution,
                }
            }
            PairingCurve::Bls12_381 => {
                let (prepared, lacks_contribution) = prepared(json)?;
                Self {
                    prepared: Either::Bls12_381(prepared),
                    lacks_contribution,
                }
            }
        })
    }

    /// The verdict on a proof. A key that anyone can forge proofs under is refused, unless `uncontributed`.
    pub fn verify(
        &self,
        public: &[u8],
        proof: &[u8],
        uncontributed: bool,
    ) -> Result<bool, Refusal> {
        if self.lacks_contribution && !uncontributed {
            return Err(Refusal::uncontributed());
        }
        over!(&self.prepared, key => verdict(key, public, proof))
    }
}

fn prepared<E: ProvingEngine>(json: &[u8]) -> Result<(PreparedVerifyingKey<E>, bool), Refusal> {
    let key = verifying_key_from_json::<E>(json)?;
    Ok((PreparedVerifyingKey::new(&key)?, key.lacks_contribution()))
}

fn verdict<E: ProvingEngine>(
    key: &PreparedVerifyingKey<E>,
    public: &[u8],
    proof: &[u8],
) -> Result<bool, Refusal> {
    match verify_json(key, &public_from_json(public)?, proof) {
        Ok(judged) => Ok(judged.is_valid),
        Err(NoVerdict::Proof(error)) => Err(error.into()),
        Err(NoVerdict::Verification(error)) => Err(error.into()),
    }
}
