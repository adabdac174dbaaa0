//! Keys, proofs and verdicts.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use frumious_app::contribution;
use frumious_app::failure::Failure;
use frumious_app::key::AnyKey;
use frumious_app::observer::{Observer, Silent};
use frumious_app::prove::{Request, prove};
use frumious_app::verify::verify_bytes;
use frumious_app::witness::AnyWitness;
use frumious_mapping::FileBytes;
use napi::bindgen_prelude::{AsyncTask, Either};
use napi_derive::napi;

use crate::source::{Given, Source};
use crate::task::{Canceller, Progress, Work, promise};
use crate::witnesses::Generating;

/// A proving key that stays open, for any number of proofs at once.
#[napi]
pub struct Key(Arc<AnyKey>);

#[napi]
impl Key {
    /// `bn128` or `bls12381`, as in snarkjs's files.
    #[napi(getter)]
    pub fn curve(&self) -> String {
        match self.0.curve() {
            frumious_curves::PairingCurve::Bn254 => "bn128".into(),
            frumious_curves::PairingCurve::Bls12_381 => "bls12381".into(),
        }
    }

    /// Number of wires, the constant one included.
    #[napi(getter)]
    pub fn n_wires(&self) -> i64 {
        self.0.n_wires() as i64
    }

    /// Number of public signals.
    #[napi(getter)]
    pub fn n_public(&self) -> i64 {
        self.0.n_public() as i64
    }
}

/// Options of a proof.
#[napi(object)]
#[derive(Default)]
pub struct ProofOptions {
    /// Verify the proof before it is given; the default.
    pub verify: Option<bool>,
    /// At most so many bytes of private memory.
    pub max_memory: Option<i64>,
    /// A folder for an encrypted file that takes part of the vectors.
    pub spill: Option<String>,
}

/// Opens a key: checked and prepared.
#[napi]
pub fn open_key(key: Given) -> AsyncTask<Work<Key>> {
    let key = Source::of(key, "key");
    promise(None, None, move |_| Ok(Key(Arc::new(key.key()?))))
}

/// Proves: `{"proof": ..., "publicSignals": ...}` as JSON.
#[napi]
pub fn prove_witness(
    key: Either<&Key, Given>,
    witness: Given,
    options: ProofOptions,
    canceller: Option<&Canceller>,
    progress: Option<Progress>,
) -> AsyncTask<Work<String>> {
    let key = Opened::of(key);
    let witness = Source::of(witness, "witness");
    promise(canceller, progress, move |observer| {
        let key = key.open()?;
        let values = witness.witness(key.curve())?;
        proved(&key, &values, &options, witness.name(), observer)
    })
}

/// Calculates a witness, which is never written, and proves.
#[napi]
pub fn prove_inputs(
    key: Either<&Key, Given>,
    generating: Generating,
    options: ProofOptions,
    canceller: Option<&Canceller>,
    progress: Option<Progress>,
) -> AsyncTask<Work<String>> {
    let key = Opened::of(key);
    promise(canceller, progress, move |observer| {
        let key = key.open()?;
        let witness = generating.given()?.calculate(observer)?;
        proved(&key, &witness, &options, Path::new("inputs"), observer)
    })
}

/// The verdict on a proof, all JSON. A key that nobody contributed to is refused but with `uncontributed`.
#[napi]
pub fn verify(
    key: String,
    public_signals: String,
    proof: String,
    uncontributed: bool,
) -> AsyncTask<Work<bool>> {
    promise(None, None, move |_| {
        let bytes = |text: String| FileBytes::from(text.into_bytes());
        let name = Path::new("verification key");
        let how = "set allowUncontributed in a test";
        let accept = |missing| contribution::refuse(missing, name, uncontributed, how, &Silent);
        let signals = || Ok((bytes(public_signals), Path::new("public signals")));
        let proof = || Ok((bytes(proof), Path::new("proof")));
        Ok(verify_bytes((bytes(key), name), signals, proof, accept)?.valid)
    })
}

/// A key that is open, or is to be opened.
enum Opened {
    Open(Arc<AnyKey>),
    Given(Source),
}

impl Opened {
    fn of(key: Either<&Key, Given>) -> Self {
        match key {
            Either::A(key) => Self::Open(Arc::clone(&key.0)),
            Either::B(given) => Self::Given(Source::of(given, "key")),
        }
    }

    fn open(self) -> Result<Arc<AnyKey>, Failure> {
        match self {
            Self::Open(key) => Ok(key),
            Self::Given(source) => Ok(Arc::new(source.key()?)),
        }
    }
}

fn proved(
    key: &AnyKey,
    witness: &AnyWitness,
    options: &ProofOptions,
    witness_from: &Path,
    observer: &dyn Observer,
) -> Result<String, Failure> {
    let max_memory = options.max_memory.map(u64::try_from).transpose();
    let spill = options.spill.as_ref().map(PathBuf::from);
    let request = Request {
        zero_knowledge: true,
        verify: options.verify.unwrap_or(true),
        check: false,
        max_memory: max_memory.map_err(|_| Failure::bad_input("maxMemory is negative"))?,
        spill: spill.as_deref(),
        witness_from,
    };
    let proved = prove(key, witness, &request, observer)?;
    Ok(format!(
        r#"{{"proof":{},"publicSignals":{}}}"#,
        proved.proof, proved.public
    ))
}
