//! A witness that is wanted once, for a binding: a generator with its inputs, and the limits of its run.

use std::ffi::OsString;
use std::path::PathBuf;
use std::process::Command;
use std::time::Duration;

use frumious_witness::Limits;
use zeroize::Zeroizing;

use crate::cache::TapeCache;
use crate::failure::Failure;
use crate::observer::Observer;
use crate::prepared::PreparedGenerator;
use crate::witness::AnyWitness;

/// A generator with its inputs, which are wiped when it is dropped.
pub struct Generating {
    /// Path of circom's module, its C++ program, or a graph.
    pub generator: PathBuf,
    /// The inputs, as JSON.
    pub inputs: Zeroizing<Vec<u8>>,
    /// A program and its arguments, which runs [`serve_child`](crate::witness::serve_child) at once.
    pub child: Vec<OsString>,
    /// Recorded runs of the generator.
    pub recorded: Recorded,
    /// Most bytes of the generator's memory, if not those of [`Limits::default`].
    pub max_memory: Option<u64>,
    /// Most seconds of its run, if not those of [`Limits::default`].
    pub max_seconds: Option<f64>,
}

/// Recorded runs of a generator.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Recorded {
    /// None is used, and none is kept.
    No,
    /// They are used and kept in this folder, or in the user's own. Without a folder that opens, the generator runs.
    In(Option<PathBuf>),
}

impl Generating {
    /// The witness.
    ///
    /// # Errors
    /// [`Failure::bad_input`] for seconds that are no duration, and for no program. As [`PreparedGenerator::open`]; a
    /// refusal of the generator.
    pub fn calculate(&self, observer: &dyn Observer) -> Result<AnyWitness, Failure> {
        observer.begin("witness");
        let cache = match &self.recorded {
            Recorded::In(folder) => TapeCache::open(folder.as_deref()).ok(),
            Recorded::No => None,
        };
        let generator = PreparedGenerator::open(&self.generator, self.limits()?, cache.as_ref())?;
        let child = || {
            let (program, arguments) = (self.child.split_first())
                .ok_or_else(|| Failure::bad_input("no command for the process of the generator"))?;
            let mut command = Command::new(program);
            command.args(arguments);
            Ok(command)
        };
        let calculated = generator.calculate(&self.inputs, child);
        let (witness, _) =
            calculated.map_err(|refusal| generator.failure(refusal, &self.inputs))?;
        Ok(witness)
    }

    fn limits(&self) -> Result<Limits, Failure> {
        let mut limits = Limits::default();
        if let Some(bytes) = self.max_memory {
            limits.memory_bytes = bytes;
        }
        if let Some(seconds) = self.max_seconds {
            let time = Duration::try_from_secs_f64(seconds);
            limits.time = time.map_err(|_| Failure::bad_input("the seconds are no duration"))?;
        }
        Ok(limits)
    }
}
