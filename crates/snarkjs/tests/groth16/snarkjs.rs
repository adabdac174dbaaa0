//! Keys, witnesses and proofs that snarkjs made.

use crate::circuits::checked;
use frumious_circom::Wtns;
use frumious_curves::bn254::Fr;
use frumious_groth16::{Proof, VerifyingKey};
use frumious_groth16::{ProveOptions, verify};
use frumious_snarkjs::groth16::prove;
use frumious_snarkjs::{Zkey, public_from_json};
use frumious_snarkjs::{proof_from_json, verifying_key_from_json};
use frumious_testing::shared;
use std::fs::read_to_string;

/// One folder of `shared/fixtures/groth16`.
pub struct Fixture {
    pub zkey: Zkey,
    pub witness: Wtns,
    pub verifying_key: VerifyingKey,
    pub proof: Proof,
    pub public: Vec<Fr>,
}

impl Fixture {
    /// None, with a message, if the shared folder is not there.
    pub fn open(name: &str) -> Option<Self> {
        let folder = shared(format!("fixtures/groth16/{name}"))?;
        let json = |file: &str| read_to_string(folder.join(file)).unwrap();
        Some(Self {
            zkey: Zkey::open(folder.join(format!("{name}.zkey"))).unwrap(),
            witness: Wtns::open(folder.join(format!("{name}.wtns"))).unwrap(),
            verifying_key: verifying_key_from_json(json("verification_key.json")).unwrap(),
            proof: proof_from_json(json("proof.json")).unwrap(),
            public: public_from_json(json("public.json")).unwrap(),
        })
    }
}

#[test]
fn our_proofs_under_its_keys_are_valid() {
    for name in ["mul", "mulpub"] {
        let Some(fixture) = Fixture::open(name) else {
            return;
        };
        let key = checked(fixture.zkey);
        assert_eq!(key.verifying_key(), &fixture.verifying_key);
        let (proof, public) = prove(&key, &fixture.witness, &ProveOptions::default()).unwrap();
        assert_eq!(public, fixture.public);
        assert!(verify(&fixture.verifying_key, &public, &proof).unwrap());
    }
}
