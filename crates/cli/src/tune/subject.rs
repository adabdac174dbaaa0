//! The circuits that proofs are timed for.

use std::path::{Path, PathBuf};
use std::time::Instant;

use frumious_app::failure::Failure;
use frumious_app::key::{AnyKey, KeyBytes};
use frumious_app::limits;
use frumious_app::observer::Silent;
use frumious_app::prove::{Request, prove};
use frumious_app::witness::AnyWitness;
use frumious_curves::bn254::Fr;
use frumious_groth16::SetupOptions;
use frumious_mapping::FileBytes;
use frumious_snarkjs::groth16::setup_dev;

use crate::demo::BYTES_PER_CONSTRAINT;
use crate::demo::circuit::Chain;

/// A key and a witness of its circuit.
pub struct Subject {
    name: String,
    key: KeyFrom,
    witness: AnyWitness,
    rows: usize,
}

/// The place of a key, which is opened anew for each proof: some settings are read then.
enum KeyFrom {
    File(PathBuf),
    Memory(FileBytes),
}

impl Subject {
    /// A circuit of files.
    pub fn of_files(key: &Path, witness: &Path) -> Result<Self, Failure> {
        let opened = AnyKey::open(key)?;
        Ok(Self {
            name: format!("{}, 2^{} rows", key.display(), opened.domain_size().ilog2()),
            witness: AnyWitness::open(witness, opened.curve())?,
            rows: opened.domain_size(),
            key: KeyFrom::File(key.to_owned()),
        })
    }

    /// The demonstration's circuit with at most `constraints` constraints, and a development key for it.
    pub fn of_size(constraints: u32) -> Result<Self, Failure> {
        let chain = Chain::of_constraints(constraints);
        limits::require(BYTES_PER_CONSTRAINT * u64::from(chain.n_constraints()))?;
        let secret = Fr::random().map_err(|error| Failure::bad_input(error.to_string()))?;
        let witness = chain.witness(secret, Fr::from_u64(chain.hashes().into()))?;
        let mut zkey = Vec::new();
        setup_dev(&chain.constraints(), &mut zkey, &SetupOptions::default())?;
        let key = FileBytes::from(zkey);
        let opened = KeyBytes::of(key.clone(), Path::new(MADE))?.open()?;
        Ok(Self {
            name: format!(
                "{} constraints, 2^{} rows",
                chain.n_constraints(),
                opened.domain_size().ilog2()
            ),
            witness: AnyWitness::Bn254(witness),
            rows: opened.domain_size(),
            key: KeyFrom::Memory(key),
        })
    }

    /// For people.
    pub fn name(&self) -> String {
        self.name.clone()
    }

    /// Rows of the domain.
    pub fn rows(&self) -> usize {
        self.rows
    }

    /// Makes a proof and verifies it. The seconds that it takes, once the key is open.
    pub fn prove(&self) -> Result<f64, Failure> {
        let key = match &self.key {
            KeyFrom::File(path) => AnyKey::open(path)?,
            KeyFrom::Memory(bytes) => KeyBytes::of(bytes.clone(), Path::new(MADE))?.open()?,
        };
        let request = Request {
            zero_knowledge: true,
            verify: true,
            check: false,
            max_memory: None,
            spill: None,
            witness_from: Path::new(MADE),
        };
        let start = Instant::now();
        // Whoever proves with the key is warned of what it lacks.
        prove(&key, &self.witness, &request, &Silent)?;
        Ok(start.elapsed().as_secs_f64())
    }
}

/// The name of a key that is in no file.
const MADE: &str = "the demonstration's circuit";
