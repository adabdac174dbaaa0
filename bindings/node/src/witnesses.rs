//! Witnesses. A module runs in a process of its own: Node again, with the script that calls [`serve_child`].

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use frumious_app::cache::TapeCache;
use frumious_app::failure::Failure;
use frumious_app::observer::Observer;
use frumious_app::prepared::PreparedGenerator;
use frumious_app::witness::AnyWitness;
use frumious_witness::Limits;
use napi::bindgen_prelude::{AsyncTask, Buffer};
use napi_derive::napi;
use zeroize::Zeroizing;

use crate::task::{Canceller, Progress, Work, promise};

/// A generator with its inputs, and how it is run.
#[napi(object)]
pub struct Generating {
    /// Path of circom's module, its C++ program, or a graph.
    pub generator: String,
    /// The inputs, as JSON.
    pub inputs: String,
    /// The command of the process: Node and the script.
    pub child: Vec<String>,
    /// Keep recorded runs, and use them.
    pub cached: bool,
    /// Their folder; by default the user's own.
    pub cache: Option<String>,
    /// At most so many bytes of memory.
    pub max_memory: Option<i64>,
    /// At most so many seconds.
    pub max_seconds: Option<f64>,
}

/// The `.wtns` file of a witness.
#[napi]
pub fn calculate_witness(
    generating: Generating,
    canceller: Option<&Canceller>,
    progress: Option<Progress>,
) -> AsyncTask<Work<Buffer>> {
    promise(canceller, progress, move |observer| {
        let mut file = Vec::new();
        calculate(generating, observer)?.write(&mut file)?;
        Ok(file.into())
    })
}

/// Serves one witness to the process that started this one, over stdin and stdout.
///
/// # Errors
/// A pipe that is broken; a program that cannot be started.
#[napi]
pub fn serve_child() -> napi::Result<()> {
    frumious_app::witness::serve_child().map_err(napi::Error::from)
}

/// The witness.
///
/// # Errors
/// As `PreparedGenerator::open`; a refusal of the generator.
pub fn calculate(generating: Generating, observer: &dyn Observer) -> Result<AnyWitness, Failure> {
    observer.begin("witness");
    let inputs = Zeroizing::new(generating.inputs);
    let folder = generating.cache.map(PathBuf::from);
    let cache = match generating.cached {
        true => TapeCache::open(folder.as_deref()).ok(), // without it the module runs
        false => None,
    };
    let limits = limits(generating.max_memory, generating.max_seconds)?;
    let path = Path::new(&generating.generator);
    let generator = PreparedGenerator::open(path, limits, cache.as_ref())?;
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

/// The bounds that are given, and the defaults.
fn limits(memory: Option<i64>, seconds: Option<f64>) -> Result<Limits, Failure> {
    let mut limits = Limits::default();
    if let Some(bytes) = memory {
        let bytes = u64::try_from(bytes);
        limits.memory_bytes = bytes.map_err(|_| Failure::bad_input("maxMemory is negative"))?;
    }
    if let Some(seconds) = seconds {
        let time = Duration::try_from_secs_f64(seconds);
        limits.time = time.map_err(|_| Failure::bad_input("maxSeconds is no duration"))?;
    }
    Ok(limits)
}
