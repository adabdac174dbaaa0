//! A circuit that is proved again and again: its key and its witness generator, loaded and checked once.
//!
//! The key is copied into memory. Its file may be replaced, cut or removed while the circuit is in use: it is not read
//! again.

use std::path::Path;
use std::process::Command;

use frumious_circom::generic::Wtns;
use frumious_groth16::{Error, ProveOptions, ProvingEngine};
use frumious_mapping::FileBytes;
use frumious_snarkjs::generic::{public_from_json, public_to_json};
use frumious_snarkjs::groth16::{
    NoVerdict, proof_to_json, values, verify_json, verifying_key_to_json,
};
use frumious_witness::Limits;

use crate::cache::TapeCache;
use crate::failure::{About, Code, Failure};
use crate::key::{AnyKey, Key, KeyBytes};
use crate::observer::Observer;
use crate::prepared::{PreparedGenerator, Rehearsal};
use crate::prove::{Proved, Request, prove};
use crate::witness::{AnyWitness, made_up};

/// A key with its generator, if it has one. Any number of threads may prove with it at once.
pub struct LoadedCircuit {
    key: AnyKey,
    generator: Option<PreparedGenerator<'static>>,
    digest: String,
    key_bytes: u64,
    memory: u64,
}

/// The source of a proof's witness.
pub enum ProofInput<'a> {
    /// The bytes of a `.wtns` file.
    Witness(&'a [u8]),
    /// The text of `input.json`, for the generator.
    Inputs(&'a [u8]),
}

impl LoadedCircuit {
    /// Copies the key at `path` into memory. With `check`, checks every point of it, which takes some 1.5 times as long
    /// as a proof.
    ///
    /// # Errors
    /// A [`Failure`] of exit code 2 or 3 for a file that cannot be read, or is no proving key.
    pub fn load(path: &Path, check: bool) -> Result<Self, Failure> {
        let bytes = FileBytes::read(path).about(path)?;
        let digest = blake3::hash(&bytes).to_hex().to_string();
        let key_bytes = bytes.len() as u64;
        let key = KeyBytes::of(bytes, Path::new("key"))
            .and_then(KeyBytes::open)
            .about(path)?;
        if check {
            key.check_whole().about(path)?;
        }
        let memory = match &key {
            AnyKey::Bn254(key) => most_memory(key)?,
            AnyKey::Bls12_381(key) => most_memory(key)?,
        };
        Ok(Self {
            key,
            generator: None,
            digest,
            key_bytes,
            memory,
        })
    }

    /// Reads the generator at `path`, whose runs are kept in `cache`.
    ///
    /// # Errors
    /// As [`PreparedGenerator::open`].
    pub fn with_generator(
        mut self,
        path: &Path,
        limits: Limits,
        cache: Option<&'static TapeCache>,
    ) -> Result<Self, Failure> {
        self.generator = Some(PreparedGenerator::open(path, limits, cache)?);
        Ok(self)
    }

    /// Records a run of the generator without inputs, if it has one: [`PreparedGenerator::rehearse`].
    ///
    /// # Errors
    /// A [`Failure`] that names no file of this machine.
    pub fn rehearse(
        &self,
        child: impl FnOnce() -> Result<Command, Failure>,
    ) -> Result<Rehearsal, Failure> {
        let Some(generator) = &self.generator else {
            return Ok(Rehearsal::Needless);
        };
        let rehearsed = generator.rehearse(child);
        rehearsed.map_err(|refusal| generator.failure(refusal, &[]))
    }

    /// The key.
    pub fn key(&self) -> &AnyKey {
        &self.key
    }

    /// True if it has a witness generator.
    pub fn has_generator(&self) -> bool {
        self.generator.is_some()
    }

    /// BLAKE3 of the key's bytes, in hexadecimal.
    pub fn digest(&self) -> &str {
        &self.digest
    }

    /// Size of the key in bytes.
    pub fn key_bytes(&self) -> u64 {
        self.key_bytes
    }

    /// Private memory in bytes that a proof takes at most: that of a witness whose values are all of full length.
    pub fn memory(&self) -> u64 {
        self.memory
    }

    /// Size of a witness in bytes, as a `.wtns` file.
    pub fn witness_bytes(&self) -> u64 {
        const VALUE_BYTES: u64 = 32;
        const HEADER_BYTES: u64 = 76;
        self.key.n_wires() as u64 * VALUE_BYTES + HEADER_BYTES
    }

    /// The verification key, as snarkjs writes it.
    pub fn verifying_key(&self) -> String {
        match &self.key {
            AnyKey::Bn254(key) => verifying_key_to_json(key.proving().verifying_key()),
            AnyKey::Bls12_381(key) => verifying_key_to_json(key.proving().verifying_key()),
        }
    }

    /// Proves in at most `max_memory` bytes of private memory, and verifies the proof.
    ///
    /// `child` is called if the generator needs a process: a command that runs
    /// [`serve_child`](crate::witness::serve_child) at once.
    ///
    /// # Errors
    /// A [`Failure`] that names no file of this machine and no value. Its exit code is 1 if the inputs do not satisfy
    /// the circuit.
    pub fn prove(
        &self,
        input: &ProofInput<'_>,
        max_memory: Option<u64>,
        child: impl FnOnce() -> Result<Command, Failure>,
        observer: &dyn Observer,
    ) -> Result<Proved, Failure> {
        let witness = match *input {
            ProofInput::Witness(bytes) => {
                observer.begin(READ);
                AnyWitness::of(bytes, self.key.curve(), Path::new("witness"))?
            }
            ProofInput::Inputs(text) => {
                observer.begin(WITNESS);
                self.calculate(text, child)?
            }
        };
        let request = Request {
            zero_knowledge: true,
            verify: true,
            check: false,
            max_memory,
            spill: None,
            witness_from: Path::new("witness"),
        };
        prove(&self.key, &witness, &request, observer)
    }

    fn calculate(
        &self,
        inputs: &[u8],
        child: impl FnOnce() -> Result<Command, Failure>,
    ) -> Result<AnyWitness, Failure> {
        let Some(generator) = &self.generator else {
            return Err(Failure::new(
                Code::WrongKind,
                "the circuit has no witness generator: send a witness (.wtns)",
            ));
        };
        let calculated = generator.calculate(inputs, child);
        let (witness, _) = calculated.map_err(|refusal| generator.failure(refusal, inputs))?;
        match (witness.curve(), self.key.curve()) {
            (curve, expected) if curve == expected => Ok(witness),
            (curve, expected) => Err(Failure::bad_input(format!(
                "the generator's prime is {curve}'s, not {expected}'s"
            ))),
        }
    }

    /// True if the proof is valid for the public signals; both as JSON.
    ///
    /// # Errors
    /// A [`Failure`] of exit code 2 for what is no proof or no signals of this circuit.
    pub fn verify(&self, proof: &[u8], public: &[u8]) -> Result<bool, Failure> {
        match &self.key {
            AnyKey::Bn254(key) => verified(key, proof, public).map(|valid| valid.is_some()),
            AnyKey::Bls12_381(key) => verified(key, proof, public).map(|valid| valid.is_some()),
        }
    }

    /// The public signals of a witness (the bytes of a `.wtns` file), as snarkjs writes them.
    ///
    /// # Errors
    /// A [`Failure`] of exit code 2 for what is no witness of this circuit.
    pub fn public_of(&self, witness: &[u8]) -> Result<String, Failure> {
        let name = Path::new("witness");
        let witness = AnyWitness::of(witness, self.key.curve(), name)?;
        let (actual, expected) = (witness.n_wires(), self.key.n_wires());
        if actual != expected {
            return Err(Error::WitnessLength { expected, actual }.into());
        }
        let n_public = u32::try_from(self.key.n_public()).unwrap_or(u32::MAX);
        let public = match &witness {
            AnyWitness::Bn254(witness) => witness
                .public(n_public)
                .map(|public| public_to_json(&public)),
            AnyWitness::Bls12_381(witness) => witness
                .public(n_public)
                .map(|public| public_to_json(&public)),
        };
        public.ok_or_else(|| Failure::bad_input("the witness has too few values"))
    }

    /// The proof and the public signals that another machine made, as snarkjs writes them; none unless they are valid.
    ///
    /// Whatever else their JSON has is dropped. `expected`: the only public signals to accept, from
    /// [`LoadedCircuit::public_of`].
    pub fn accept(
        &self,
        proof: &[u8],
        public: &[u8],
        expected: Option<&str>,
    ) -> Option<(String, String)> {
        let valid = match &self.key {
            AnyKey::Bn254(key) => verified(key, proof, public),
            AnyKey::Bls12_381(key) => verified(key, proof, public),
        };
        let (proof, public) = valid.ok()??;
        let is_expected = expected.is_none_or(|expected| expected == public);
        is_expected.then_some((proof, public))
    }

    /// True if the generator is a program of this machine's system, as circom's C++ makes.
    pub fn runs_a_program(&self) -> bool {
        self.generator
            .as_ref()
            .is_some_and(PreparedGenerator::is_program)
    }

    /// The phases that [`LoadedCircuit::prove`] begins, and their shares of its time.
    pub fn phases(&self, with_generator: bool) -> Vec<(&'static str, f64)> {
        let first = match with_generator {
            true => (WITNESS, WITNESS_SHARE),
            false => (READ, READ_SHARE),
        };
        let request = Request {
            zero_knowledge: true,
            verify: true,
            check: false,
            max_memory: None,
            spill: None,
            witness_from: Path::new(""),
        };
        [first].into_iter().chain(request.phases()).collect()
    }
}

/// Proof and public signals as snarkjs writes them; none unless they are valid.
fn verified<E: ProvingEngine>(
    key: &Key<E>,
    proof: &[u8],
    public: &[u8],
) -> Result<Option<(String, String)>, Failure> {
    let signals = public_from_json(public).about(Path::new("public"))?;
    let verifier = key.proving().prepared_verifying_key();
    let judged = match verify_json(verifier, &signals, proof) {
        Ok(judged) => judged,
        Err(NoVerdict::Proof(error)) => return Err(error).about(Path::new("proof")),
        Err(NoVerdict::Verification(error)) => return Err(error).about(Path::new("public")),
    };
    let texts = || (proof_to_json(&judged.proof), public_to_json(&signals));
    Ok(judged.is_valid.then(texts))
}

fn most_memory<E: ProvingEngine>(key: &Key<E>) -> Result<u64, Failure> {
    let key = key.proving();
    let widest: Wtns<E> = made_up(key.n_wires())?;
    let memory = key.memory(&values(&widest), &ProveOptions::default())?;
    Ok(memory.private)
}

const READ: &str = "read witness";
const WITNESS: &str = "witness";

/// Of a witness that is replayed, beside the shares of the proof (`frumious fullprove --json`, rollup of 17).
const WITNESS_SHARE: f64 = 30.0;
const READ_SHARE: f64 = 1.0;
