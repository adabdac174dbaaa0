//! Witnesses. A module runs in a process of its own: Python again, with `frumious._child`, which calls [`serve_child`].

use std::path::PathBuf;

use frumious_app::generating::{self, Recorded};
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
        generating.given().calculate(observer)?.write(&mut *file)?;
        Ok(file)
    })?;
    Ok(PyBytes::new(py, &file))
}

/// Serves one witness to the process that started this one, over stdin and stdout.
#[pyfunction]
pub fn serve_child(py: Python<'_>) -> PyResult<()> {
    Ok(py.detach(frumious_app::witness::serve_child)?)
}

impl Generating {
    /// As the application library has it. Its inputs are wiped in time.
    pub fn given(self) -> generating::Generating {
        generating::Generating {
            generator: self.generator,
            inputs: Zeroizing::new(self.inputs.into_bytes()),
            child: self.child.into_iter().map(Into::into).collect(),
            recorded: match self.cached {
                true => Recorded::In(self.cache),
                false => Recorded::No,
            },
            max_memory: self.max_memory,
            max_seconds: self.max_seconds,
        }
    }
}
