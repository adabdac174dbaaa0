//! Witnesses. A module runs in a process of its own: Python again, with `frumious._child`, which calls [`serve_child`].

use std::path::PathBuf;
use std::process::Command;
use std::time::Duration;

use frumious_app::cache::TapeCache;
use frumious_app::failure::Failure;
use frumious_app::observer::Observer;
use frumious_app::prepared::PreparedGenerator;
use frumious_app::witness::AnyWitness;
use frumious_witness::Limits;
use pyo3::prelude::*;
use pyo3::types::PyBytes;
use zeroize::Zeroizing;

use crate::task::{Cancellation, run};

/// A generator with its inputs, and limits of its run.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
pub struct Generating {
    /// Path of circom's module, its C++ program, or a graph.
    generator: PathBuf,
    /// The inputs, as JSON.
    inputs: String,
    /// The command of the process: Python and the module.
    child: Vec<String>,
    /// Keep recorded runs, and use them.
    cached: bool,
    /// Their folder; by default the user's own.
    cache: Option<PathBuf>,
    /// Most bytes of memory.
    max_memory: Option<u64>,
    /// Most seconds.
    max_seconds: Option<f64>,
}

/// The `.wtns` file of a witness.
#[pyfunction]
pub fn calculate_witness<'py>(
    py: Python<'py>,
    generating: Generating,
    cancellation: Option<&Cancellation>,
    progress: Option<&Bound<'py, PyAny>>,
) -> PyResult<Bound<'py, PyBytes>> {
    let file = run(py, cancellation, progress, |observer| {
        let mut file = Zeroizing::new(Vec::new());
        calculate(generating, observer)?.write(&mut *file)?;
        Ok(file)
    })?;
    Ok(PyBytes::new(py, &file))
}

/// Serves one witness to the process that started this one, over stdin and stdout.
#[pyfunction]
pub fn serve_child(py: Python<'_>) -> PyResult<()> {
    Ok(py.detach(frumious_app::witness::serve_child)?)
}

/// The witness.
///
/// # Errors
/// As `PreparedGenerator::open`; a refusal of the generator.
pub fn calculate(generating: Generating, observer: &dyn Observer) -> Result<AnyWitness, Failure> {
    observer.begin("witness");
    let inputs = Zeroizing::new(generating.inputs);
    let mut limits = Limits::default();
    if let Some(bytes) = generating.max_memory {
        limits.memory_bytes = bytes;
    }
    if let Some(seconds) = generating.max_seconds {
        let time = Duration::try_from_secs_f64(seconds);
        limits.time = time.map_err(|_| Failure::bad_input("max_seconds is no duration"))?;
    }
    let cache = match generating.cached {
        true => TapeCache::open(generating.cache.as_deref()).ok(), // without it the module runs
        false => None,
    };
    let generator = PreparedGenerator::open(&generating.generator, limits, cache.as_ref())?;
    let child = || {
        let (program, arguments) = (generating.child.split_first())
            .ok_or_else(|| Failure::bad_input("no command for the process of the generator"))?;
        let mut command = Command::new(program);
        command.args(arguments);
        Ok(command)
    };
    let calculated = generator.calculate(inputs.as_bytes(), child);
    let (witness, _) =
        calculated.map_err(|refusal| generator.failure(refusal, inputs.as_bytes()))?;
    Ok(witness)
}
