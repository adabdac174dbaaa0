//! Witnesses. A module runs in a process of its own: Node again, with the script that calls [`serve_child`].

use std::path::Path;

use frumious_app::failure::{About, Failure};
use frumious_app::files::{OutputFile, Readers};
use frumious_app::generating::{self, Recorded};
use frumious_app::places::{Places, Role};
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
        let witness = generating.given()?.calculate(observer)?;
        // At its full size at once, so that no copy is left of what it was when it grew.
        let mut file = Vec::with_capacity(FRAME_BYTES + 32 * witness.n_wires());
        witness.write(&mut file)?;
        Ok(file.into())
    })
}

/// Writes the witness to a file, which its owner alone may read. As snarkjs's function it replaces one.
#[napi]
pub fn write_witness(
    generating: Generating,
    wtns: String,
    canceller: Option<&Canceller>,
    progress: Option<Progress>,
) -> AsyncTask<Work<()>> {
    promise(canceller, progress, move |observer| {
        let wtns = Path::new(&wtns);
        let generating = generating.given()?;
        let places = Places::new(true).input("wasm", Role::Generator, &generating.generator);
        places.output("wtns", Role::Witness, wtns).check()?;
        let witness = generating.calculate(observer)?;
        let mut file = OutputFile::create(wtns, Readers::Owner)?;
        witness.write(&mut file).about(wtns)?;
        file.commit()
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

impl Generating {
    /// As the application library has it. Its inputs are wiped in time.
    ///
    /// # Errors
    /// [`Failure::bad_input`] for a limit that is negative.
    pub fn given(self) -> Result<generating::Generating, Failure> {
        let inputs = Zeroizing::new(self.inputs.into_bytes());
        let max_memory = self.max_memory.map(u64::try_from).transpose();
        Ok(generating::Generating {
            generator: self.generator.into(),
            inputs,
            child: self.child.into_iter().map(Into::into).collect(),
            recorded: match self.cached {
                true => Recorded::In(self.cache.map(Into::into)),
                false => Recorded::No,
            },
            max_memory: max_memory.map_err(|_| Failure::bad_input("maxMemory is negative"))?,
            max_seconds: self.max_seconds,
        })
    }
}

/// More than a `.wtns` has beside its values.
const FRAME_BYTES: usize = 128;
