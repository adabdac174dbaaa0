//! Keys, proofs and verdicts.

use std::path::{Path, PathBuf};

use frumious_app::contribution;
use frumious_app::failure::Failure;
use frumious_app::key::AnyKey;
use frumious_app::observer::{Observer, Silent};
use frumious_app::prove::{Request, prove};
use frumious_app::verify::verify_bytes;
use frumious_app::witness::AnyWitness;
use frumious_curves::PairingCurve;
use frumious_mapping::FileBytes;
use pyo3::prelude::*;

use crate::source::Source;
use crate::task::{Cancellation, run};
use crate::witnesses::Generating;

/// A proving key that stays open, for any number of proofs at once.
#[pyclass(frozen, module = "frumious")]
pub struct Key(pub(crate) AnyKey);

#[pymethods]
impl Key {
    /// Opens a key: checked and prepared.
    #[new]
    fn new(py: Python<'_>, key: Source) -> PyResult<Self> {
        run(py, None, None, |_| key.key().map(Self))
    }

    /// `bn128` or `bls12381`, as in snarkjs's files.
    #[getter]
    fn curve(&self) -> &'static str {
        match self.0.curve() {
            PairingCurve::Bn254 => "bn128",
            PairingCurve::Bls12_381 => "bls12381",
        }
    }

    /// Number of wires, the constant one included.
    #[getter]
    fn n_wires(&self) -> usize {
        self.0.n_wires()
    }

    /// Number of public signals.
    #[getter]
    fn n_public(&self) -> usize {
        self.0.n_public()
    }

    /// Size of the evaluation domain.
    #[getter]
    fn domain_size(&self) -> usize {
        self.0.domain_size()
    }

    /// Private memory in bytes that a proof is predicted to take.
    #[getter]
    fn predicted_memory(&self) -> u64 {
        self.0.predicted_memory()
    }

    /// True if both phases of the key's ceremony have a contribution.
    #[getter]
    fn contributed(&self) -> bool {
        self.0.missing_contribution().is_none()
    }
}

/// Options of a proof.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
pub struct ProofOptions {
    /// Verify the proof before it is given.
    verify: bool,
    /// Most bytes of private memory.
    max_memory: Option<u64>,
    /// A folder for an encrypted file that takes part of the vectors.
    spill: Option<PathBuf>,
}

/// Proves: the proof and the public signals, each as JSON.
#[pyfunction]
pub fn prove_witness(
    py: Python<'_>,
    key: &Bound<'_, Key>,
    witness: Source,
    options: ProofOptions,
    cancellation: Option<&Cancellation>,
    progress: Option<&Bound<'_, PyAny>>,
) -> PyResult<(String, String)> {
    let key = &key.get().0;
    run(py, cancellation, progress, |observer| {
        let values = witness.witness(key.curve())?;
        proved(key, &values, &options, witness.name("witness"), observer)
    })
}

/// Calculates a witness, which is never written, and proves.
#[pyfunction]
pub fn prove_inputs(
    py: Python<'_>,
    key: &Bound<'_, Key>,
    generating: Generating,
    options: ProofOptions,
    cancellation: Option<&Cancellation>,
    progress: Option<&Bound<'_, PyAny>>,
) -> PyResult<(String, String)> {
    let key = &key.get().0;
    run(py, cancellation, progress, |observer| {
        let witness = generating.given().calculate(observer)?;
        proved(key, &witness, &options, Path::new("inputs"), observer)
    })
}

/// The verdict on a proof, all JSON. A key that nobody contributed to is refused but with `uncontributed`.
#[pyfunction]
pub fn verify(
    py: Python<'_>,
    key: String,
    public_signals: String,
    proof: String,
    uncontributed: bool,
) -> PyResult<bool> {
    run(py, None, None, |_| {
        let bytes = |text: String| FileBytes::from(text.into_bytes());
        let name = Path::new("verification key");
        let how = "set allow_uncontributed in a test";
        let accept = |missing| contribution::refuse(missing, name, uncontributed, how, &Silent);
        let signals = || Ok((bytes(public_signals), Path::new("public signals")));
        let proof = || Ok((bytes(proof), Path::new("proof")));
        Ok(verify_bytes((bytes(key), name), signals, proof, accept)?.valid)
    })
}

fn proved(
    key: &AnyKey,
    witness: &AnyWitness,
    options: &ProofOptions,
    witness_from: &Path,
    observer: &dyn Observer,
) -> Result<(String, String), Failure> {
    let request = Request {
        zero_knowledge: true,
        verify: options.verify,
        check: false,
        max_memory: options.max_memory,
        spill: options.spill.as_deref(),
        witness_from,
    };
    let proved = prove(key, witness, &request, observer)?;
    Ok((proved.proof, proved.public))
}
