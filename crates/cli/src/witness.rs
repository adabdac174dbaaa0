//! `frumious witness`, and the witness of `frumious fullprove`.
//!
//! It is calculated by a process of its own ([`isolated`]): this program, started with the argument [`CHILD`].

use std::path::Path;
use std::process::{Command, ExitCode};
use std::time::Duration;

use frumious_circom::generic::Wtns;
use frumious_curves::{PairingCurve, PairingEngine};
use frumious_mapping::FileBytes;
use frumious_witness::Limits;
use frumious_witness::isolated::{self, Blame, Refusal, Running};
use serde_json::json;

use crate::arguments::{GeneratorOptions, Witness};
use crate::curve::over_curve;
use crate::failure::{About, Failure};
use crate::files::{self, OutputFile, Readers};
use crate::output::{Output, count, duration, seconds};
use crate::progress::Progress;

/// Calculates a witness and writes it.
pub fn witness(arguments: &Witness, output: &Output) -> Result<(), Failure> {
    let Witness {
        wasm,
        input,
        wtns,
        generator,
    } = arguments;
    files::check_outputs(&[wtns], &[wasm, input])?;
    let progress = Progress::new(output, Generator::STEPS + 1);
    let generator = Generator {
        wasm,
        input,
        options: generator,
    };
    let compiled = generator.compile(&progress)?;
    over_curve!(compiled.curve(), E => {
        write(&compiled.run::<E>(&progress)?, wtns, progress, output)
    })
}

fn write<E: PairingEngine>(
    witness: &Wtns<E>,
    wtns: &Path,
    progress: Progress,
    output: &Output,
) -> Result<(), Failure> {
    progress.begin("write");
    let mut file = OutputFile::create(wtns, Readers::Owner)?;
    witness.write(&mut file).about(wtns)?;
    file.commit()?;
    let timings = progress.finish();
    output.result(
        &format!(
            "Witness of {} wires written to {}: {}",
            count(witness.len() as u64),
            wtns.display(),
            duration(timings.total())
        ),
        json!({
            "witness": wtns.display().to_string(),
            "wires": witness.len(),
            "seconds": seconds(timings.total()),
            "phases": timings.to_json(),
        }),
    )
}

/// A witness generator with its inputs.
pub struct Generator<'a> {
    pub wasm: &'a Path,
    pub input: &'a Path,
    pub options: &'a GeneratorOptions,
}

impl Generator<'_> {
    /// Number of phases that [`Generator::compile`] and [`Compiled::run`] begin.
    pub const STEPS: usize = 2;

    /// Reads the inputs, and has the module compiled.
    pub fn compile(&self, progress: &Progress) -> Result<Compiled<'_>, Failure> {
        progress.begin("compile generator");
        let inputs = files::read_secret(self.input)?;
        let module = FileBytes::read(self.wasm).about(self.wasm)?;
        let limits = self.limits();
        let program = program().map_err(|error| {
            Failure::BadInput(format!("cannot find this program's own file: {error}"))
        })?;
        let running = Running::start(program, &module, &inputs, limits, self.options.log)
            .map_err(|refusal| self.failure(refusal))?;
        Ok(Compiled {
            generator: self,
            running,
        })
    }

    fn limits(&self) -> Limits {
        Limits {
            memory_bytes: self.options.wasm_memory << 20,
            time: Duration::from_secs(self.options.wasm_time.into()),
        }
    }

    fn failure(&self, refusal: Refusal) -> Failure {
        let (path, failure) = match refusal.blame {
            Blame::Inputs => (self.input, Failure::BadInput(refusal.message)),
            Blame::Unsatisfied => (self.input, Failure::Rejected(refusal.message)),
            Blame::Module => (self.wasm, Failure::BadInput(refusal.message)),
        };
        failure.about(path)
    }
}

/// A witness generator that is ready to run.
pub struct Compiled<'a> {
    generator: &'a Generator<'a>,
    running: Running,
}

impl Compiled<'_> {
    /// The curve that the circuit is over.
    pub fn curve(&self) -> PairingCurve {
        self.running.curve()
    }

    /// Waits for the witness; the module must be over the curve of `E`.
    pub fn run<E: PairingEngine>(self, progress: &Progress) -> Result<Wtns<E>, Failure> {
        progress.begin("witness");
        let log = |line: &str| {
            use std::io::Write;
            // Nobody is left to tell if stderr is closed.
            let _ = writeln!(std::io::stderr(), "log: {line}");
        };
        let generator = self.generator;
        let witness = self.running.finish(log);
        witness.map_err(|refusal| generator.failure(refusal))
    }
}

/// This program, to be the child.
fn program() -> std::io::Result<Command> {
    // The file that runs, whatever has its name by now.
    let path = match cfg!(target_os = "linux") {
        true => "/proc/self/exe".into(),
        false => std::env::current_exe()?,
    };
    let mut program = Command::new(path);
    program.arg(CHILD);
    Ok(program)
}

/// Whether this process was started to calculate a witness.
pub fn is_child() -> bool {
    std::env::args_os()
        .nth(1)
        .is_some_and(|argument| argument == CHILD)
}

/// Calculates a witness for the parent process.
pub fn child() -> ExitCode {
    match isolated::serve(std::io::stdin().lock(), std::io::stdout()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(_) => ExitCode::from(2), // nobody is left to tell
    }
}

/// Not for people, so not among the commands.
const CHILD: &str = "__calculate-witness";
