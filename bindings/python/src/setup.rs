//! Keys of circuits, verification keys of keys, and facts about files.

use std::path::PathBuf;

use frumious_app::export::verification_key as export;
use frumious_app::inspect;
use frumious_app::key::KeyBytes;
use frumious_app::places::{Places, Role};
use frumious_app::setup::{Made, Request, Seed, Source as Secrets, setup as make};
use frumious_groth16::Uncontributed;
use pyo3::prelude::*;
use serde_json::Value;

use crate::source::Source;
use crate::task::{Cancellation, run};

/// Files and options of a setup.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
pub struct SetupOptions {
    /// The circuit.
    r1cs: PathBuf,
    /// The powers of tau; none for a development key.
    powers: Option<PathBuf>,
    /// The file with the seed of a development key; without it the secrets are drawn.
    seed: Option<PathBuf>,
    /// The key to be written.
    key: PathBuf,
    /// Replace whatever is there.
    replace: bool,
    /// Most bytes of private memory.
    max_memory: Option<u64>,
}

/// A key that was made: its constraints, wires and public signals, and the phase without a contribution.
pub type MadeKey = (u32, u32, u32, Option<&'static str>);

/// Makes a proving key.
#[pyfunction]
pub fn setup(
    py: Python<'_>,
    options: SetupOptions,
    cancellation: Option<&Cancellation>,
    progress: Option<&Bound<'_, PyAny>>,
) -> PyResult<MadeKey> {
    run(py, cancellation, progress, |observer| {
        let SetupOptions { r1cs, key, .. } = &options;
        let mut places = Places::new(options.replace).input("r1cs", Role::Circuit, r1cs);
        if let Some(powers) = &options.powers {
            places = places.input("powers", Role::Powers, powers);
        }
        if let Some(seed) = &options.seed {
            places = places.input("seed", Role::Seed, seed);
        }
        places.output("key", Role::Key, key).check()?;
        let source = match (&options.powers, &options.seed) {
            (Some(powers), _) => Secrets::Ceremony(powers),
            (None, Some(seed)) => Secrets::Seed(Seed::read(seed)?),
            (None, None) => Secrets::Drawn,
        };
        let request = Request {
            r1cs,
            source,
            key,
            max_memory: options.max_memory,
        };
        let Made {
            n_constraints,
            n_wires,
            n_public,
            missing,
            ..
        } = make(&request, observer)?;
        Ok((n_constraints, n_wires, n_public, missing.map(phase)))
    })
}

/// The verification key of a proving key, as JSON, and the phase of the ceremony without a contribution.
#[pyfunction]
pub fn verification_key(py: Python<'_>, key: Source) -> PyResult<(String, Option<&'static str>)> {
    run(py, None, None, |_| {
        let (bytes, name) = key.bytes("key")?;
        KeyBytes::of(bytes.clone(), &name)?; // another kind of file is named
        let exported = export(bytes, &name)?;
        Ok((exported.text, exported.missing.map(phase)))
    })
}

/// Facts about a file, as JSON. Never the values of a witness or of inputs.
#[pyfunction]
pub fn inspect_file(py: Python<'_>, path: PathBuf) -> PyResult<String> {
    run(py, None, None, |_| {
        Places::new(false).input("file", Role::Any, &path).check()?;
        let (kind, bytes) = inspect::open(&path)?;
        let description = inspect::describe(kind, bytes, &path)?;
        Ok(Value::Object(description.for_programs()).to_string())
    })
}

/// The phase in a word.
fn phase(missing: Uncontributed) -> &'static str {
    match missing {
        Uncontributed::PowersOfTau => "powers",
        Uncontributed::Key => "key",
    }
}
