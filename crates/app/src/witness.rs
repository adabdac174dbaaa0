//! A witness of either curve, from a file or from a generator.
//!
//! A run that was recorded before is replayed in this process. Otherwise a module runs in a process of its own
//! ([`isolated`]), whose limits hold while it is translated, too. So does a program of circom's C++. The front end
//! gives the command for it, which runs [`serve_child`] and nothing else. A graph is run here, and recorded by that.

mod any;
mod loaded;
mod started;

use std::io;
use std::path::Path;
use std::process::Command;

use frumious_curves::PairingCurve;
use frumious_witness::isolated::{self, Blame, Refusal, Running, Wanted};
use frumious_witness::{Limits, become_program, parse_inputs};

use crate::cache::{ModuleId, TapeCache};
use crate::failure::{Code, Failure};
use crate::files::{self, streams};
use crate::inputs;
use crate::observer::Observer;
use crate::source::Source;

pub use any::AnyWitness;
pub(crate) use any::made_up;
use loaded::Loaded;
use started::State;
pub use started::{Calculated, Started, Way};

/// A witness generator with its inputs.
pub struct Generator<'a> {
    /// The module that circom wrote, its C++ program, or a graph.
    pub wasm: &'a Path,
    /// The inputs, as JSON.
    pub input: &'a Path,
    /// Bounds on the module.
    pub limits: Limits,
    /// Show the lines that the circuit logs.
    pub log: bool,
    /// When an assertion fails, show the values of its component's signals. Of modules only; they are not recorded.
    pub values: bool,
    /// Where recorded runs are kept. Without it every run is the module's.
    pub cache: Option<&'a TapeCache>,
    /// Called before anything that may take longer than a tenth of a second: a command that can be stopped from then
    /// on starts to listen. Not called for a witness that is there sooner.
    pub before_long: fn(),
}

/// Steps that are replayed in about a tenth of a second. A rollup of 17 has at most 2.25 million, as its tape is of
/// 27 MB and each takes 12 bytes. It takes 0.08 to 0.10 s (Zen 4, one thread; `peers/witness`).
const BRIEF: usize = 1 << 21;

impl<'a> Generator<'a> {
    /// Number of phases that [`Generator::start`] and [`Started::run`] begin.
    pub const STEPS: usize = 2;

    /// Reads the inputs. If no recorded run applies to them, has the module started by `child`: a command that runs
    /// [`serve_child`] at once.
    ///
    /// # Errors
    /// A [`Failure`] for files that cannot be read, inputs that are no numbers, a child that cannot be started, and a
    /// bad generator.
    pub fn start(
        &self,
        child: impl FnOnce() -> Result<Command, Failure>,
        observer: &dyn Observer,
    ) -> Result<Started<'_>, Failure> {
        observer.begin("start generator");
        let inputs = files::read_secret(self.input)?;
        let stream = match files::is_stream(self.wasm) {
            true => Some(streams::read(self.wasm)?),
            false => None,
        };
        let tapes = self.recorded_runs(stream.as_deref());
        if let Some((id, tapes)) = &tapes {
            warn(&inputs, tapes.curve(), observer);
            if tapes.cost_more_than(BRIEF) {
                (self.before_long)();
            }
            if let Some(witness) = self.replayed(tapes, &inputs, observer)? {
                return Ok(Started {
                    generator: self,
                    id: Some(id.clone()),
                    state: State::Replayed(witness, tapes.len()),
                });
            }
        }
        (self.before_long)();
        let module = match stream {
            Some(module) => module,
            None => streams::read(self.wasm)?,
        };
        if tapes.is_none() {
            let described = frumious_wasm::describe(&module).ok();
            warn(&inputs, described.and_then(|module| module.curve), observer);
        }
        // Of what will run, whatever the file was before.
        let id = self.cache.map(|cache| cache.id(&module));
        let runs = self
            .cache
            .map(|_| tapes.map_or(0, |(_, tapes)| tapes.len()));
        let source = Source::of(self.wasm, &module, self.limits);
        let state = match source.map_err(|refusal| self.failure(refusal))? {
            Source::Graph(graph) => State::Graph(graph, inputs, runs),
            Source::Program(program) => State::Program(program, child()?, inputs),
            Source::Module => {
                let has_place = runs.is_some_and(|runs| runs < Loaded::MOST);
                let wanted = Wanted {
                    log: self.log,
                    record: has_place && !self.values,
                    values: self.values,
                    rehearse: false,
                };
                let running = Running::start(child()?, &module, &inputs, self.limits, wanted);
                State::Running(running.map_err(|refusal| self.failure(refusal))?, runs)
            }
        };
        Ok(Started {
            generator: self,
            id,
            state,
        })
    }

    /// The recorded runs of the module, if any. A file is digested by pieces, as a replay needs no more of it.
    fn recorded_runs(&self, stream: Option<&[u8]>) -> Option<(ModuleId, Loaded)> {
        let cache = self.cache?;
        let id = match stream {
            Some(module) => cache.id(module),
            None => cache.id_of_file(self.wasm)?,
        };
        let tapes = Loaded::of((cache, &id));
        (!tapes.is_empty()).then_some((id, tapes))
    }

    fn replayed(
        &self,
        tapes: &Loaded,
        inputs: &[u8],
        observer: &dyn Observer,
    ) -> Result<Option<AnyWitness>, Failure> {
        // What is wrong with them the module says, in the same words as ever.
        let Some(inputs) = str::from_utf8(inputs)
            .ok()
            .and_then(|text| parse_inputs(text).ok())
        else {
            return Ok(None);
        };
        let mut log = |line: &str| {
            if self.log {
                observer.warning(&format!("log: {line}"));
            }
        };
        let witness = match tapes {
            Loaded::Bn254(tapes) => tapes
                .replay(&inputs, &mut log)
                .map(|witness| witness.map(AnyWitness::Bn254)),
            Loaded::Bls12_381(tapes) => tapes
                .replay(&inputs, &mut log)
                .map(|witness| witness.map(AnyWitness::Bls12_381)),
        };
        Ok(witness.unwrap_or(None))
    }

    pub(crate) fn failure(&self, refusal: Refusal) -> Failure {
        let (path, code) = match refusal.blame {
            Blame::Inputs | Blame::Missing { .. } => (self.input, Code::BadInput),
            Blame::Unsatisfied(_) => (self.input, Code::Unsatisfied),
            Blame::Module | Blame::Crash => (self.wasm, Code::BadInput),
            Blame::Time => (self.wasm, Code::TimeLimit),
            Blame::Memory => (self.wasm, Code::MemoryLimit),
            Blame::System => (self.wasm, Code::Busy),
        };
        let failure = Failure::new(code, refusal.message).about(path);
        match self.hint(&refusal.blame) {
            Some(hint) => failure.hinting(&hint),
            None => failure,
        }
    }
}

impl Generator<'_> {
    /// A sentence more about a refusal: the names in the circuit's `.sym`, or what to change.
    fn hint(&self, blame: &Blame) -> Option<String> {
        match blame {
            Blame::Missing { expected } if !files::is_stream(self.input) => {
                let inputs = files::read_secret(self.input).ok()?;
                inputs::missing(str::from_utf8(&inputs).ok()?, self.wasm, *expected)
            }
            Blame::Unsatisfied(Some(place)) => inputs::signals_of(place, self.wasm),
            Blame::Crash if !frumious_mapping::can_make_code() => Some(NO_CODE.into()),
            _ => None,
        }
    }
}

/// Warns of inputs that are probably not meant so.
fn warn(inputs: &[u8], curve: Option<PairingCurve>, observer: &dyn Observer) {
    let text = str::from_utf8(inputs).unwrap_or_default();
    // Of an unknown one the larger, so that nothing is warned of in vain.
    for warning in inputs::warnings(text, curve.unwrap_or(PairingCurve::Bls12_381)) {
        observer.warning(&warning);
    }
}

/// Of a program that crashed. circom's assembly asks for executable stacks, which threads do not get there.
const NO_CODE: &str = "\
Memory may not become executable here (systemd's MemoryDenyWriteExecute=yes, or the like), so a program with executable \
stacks starts no threads. Link it with -z noexecstack, or take the circuit's .wasm.";

/// The argument at which the program `frumious` runs [`serve_child`]. Not for people, so not among its commands.
pub const CHILD: &str = "__calculate-witness";

/// Calculates a witness for the parent process, over stdin and stdout; or becomes the program that does.
///
/// # Errors
/// A pipe that is broken; a program that cannot be started.
pub fn serve_child() -> io::Result<()> {
    crate::secrecy::keep_from_others();
    if let Some(error) = become_program(std::env::args_os()) {
        return Err(error);
    }
    isolated::serve(io::stdin().lock(), io::stdout())
}
