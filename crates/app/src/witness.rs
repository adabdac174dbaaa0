//! A witness of either curve, from a file or from a generator.
//!
//! A run that was recorded before is replayed in this process. Otherwise a module runs in a process of its own
//! ([`isolated`]), whose limits hold while it is translated, too. So does a program of circom's C++. The front end
//! gives the command for it, which runs [`serve_child`] and nothing else. A graph is run here, and recorded by that.

use std::io;
use std::path::Path;
use std::process::Command;

use frumious_circom::generic::Wtns;
use frumious_curves::{PairingCurve, PairingEngine};
use frumious_field::{Field, Integer, PrimeField};
use frumious_witness::isolated::{self, Blame, Refusal, Running, Wanted};
use frumious_witness::{Graph, Limits, Program, RecordedRun, Tapes, become_program, parse_inputs};
use zeroize::Zeroizing;

use crate::cache::{ModuleId, TapeCache};
use crate::curve::{Bls12_381, Bn254};
use crate::failure::{About, Code, Failure};
use crate::files::{self, streams};
use crate::inputs;
use crate::observer::Observer;
use crate::source::{self, Source};

/// The values of all wires.
pub enum AnyWitness {
    /// Over BN254.
    Bn254(Wtns<Bn254>),
    /// Over BLS12-381.
    Bls12_381(Wtns<Bls12_381>),
}

impl AnyWitness {
    /// Maps and checks the witness at `path`, over the curve of the key.
    ///
    /// # Errors
    /// A [`Failure`] of exit code 2 or 3 with the place of the first fault.
    pub fn open(path: &Path, curve: PairingCurve) -> Result<Self, Failure> {
        if files::is_stream(path) {
            return Self::of(&files::read_secret(path)?, curve, path);
        }
        Ok(match curve {
            PairingCurve::Bn254 => Self::Bn254(Wtns::open(path).about(path)?),
            PairingCurve::Bls12_381 => Self::Bls12_381(Wtns::open(path).about(path)?),
        })
    }

    /// Copies and checks the witness that these bytes are, over the curve of the key. `name` is for messages.
    ///
    /// # Errors
    /// A [`Failure`] of exit code 2 with the place of the first fault.
    pub fn of(bytes: &[u8], curve: PairingCurve, name: &Path) -> Result<Self, Failure> {
        Ok(match curve {
            PairingCurve::Bn254 => Self::Bn254(Wtns::from_bytes(bytes).about(name)?),
            PairingCurve::Bls12_381 => Self::Bls12_381(Wtns::from_bytes(bytes).about(name)?),
        })
    }

    /// Values of full length that belong to no circuit, for measurements.
    ///
    /// # Errors
    /// A [`Failure`] for no value.
    pub fn made_up(curve: PairingCurve, n_wires: usize) -> Result<Self, Failure> {
        Ok(match curve {
            PairingCurve::Bn254 => Self::Bn254(made_up(n_wires)?),
            PairingCurve::Bls12_381 => Self::Bls12_381(made_up(n_wires)?),
        })
    }

    /// The curve.
    pub fn curve(&self) -> PairingCurve {
        match self {
            Self::Bn254(_) => PairingCurve::Bn254,
            Self::Bls12_381(_) => PairingCurve::Bls12_381,
        }
    }

    /// Number of values.
    pub fn n_wires(&self) -> usize {
        match self {
            Self::Bn254(witness) => witness.len(),
            Self::Bls12_381(witness) => witness.len(),
        }
    }

    /// Makes sure that any later change of the file is noticed, if there is one: `FileBytes::settle`.
    pub fn settle(&self) {
        let mapped = match self {
            Self::Bn254(witness) => witness.mapped(),
            Self::Bls12_381(witness) => witness.mapped(),
        };
        if let Some(file) = mapped {
            file.settle();
        }
    }

    /// Writes a `.wtns` file.
    ///
    /// # Errors
    /// A [`Failure`] of exit code 2 or 3 when `out` fails.
    pub fn write(&self, out: impl io::Write) -> Result<(), Failure> {
        Ok(match self {
            Self::Bn254(witness) => witness.write(out),
            Self::Bls12_381(witness) => witness.write(out),
        }?)
    }
}

/// 1, 3, 3² + 1, (3² + 1)² + 1, …
pub(crate) fn made_up<E: PairingEngine>(n_wires: usize) -> Result<Wtns<E>, Failure> {
    let mut value = E::Fr::from_u64(3);
    let mut values = vec![Integer::from(E::Fr::ONE)];
    values.resize_with(n_wires.max(1), || {
        let this = Integer::from(value);
        value = value.square() + E::Fr::ONE;
        this
    });
    Ok(Wtns::new(values)?)
}

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
                let has_place = runs.is_some_and(|runs| runs < Tapes::<Bn254>::MOST);
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

/// Of values that are wanted, and that only modules tell.
const NO_VALUES: &str = "No values: of generators only modules (.wasm) tell them.";

/// Of values that are wanted.
const NO_SYMBOLS: &str =
    "Without the circuit's .sym beside the generator no value has a name, so none is shown.";

/// Of a program that crashed. circom's assembly asks for executable stacks, which threads do not get there.
const NO_CODE: &str = "\
Memory may not become executable here (systemd's MemoryDenyWriteExecute=yes, or the like), so a program with executable \
stacks starts no threads. Link it with -z noexecstack, or take the circuit's .wasm.";

/// The recorded runs of a module, over its curve.
enum Loaded {
    Bn254(Tapes<Bn254>),
    Bls12_381(Tapes<Bls12_381>),
}

impl Loaded {
    fn of((cache, id): (&TapeCache, &ModuleId)) -> Self {
        let tapes = cache.load::<Bn254>(id);
        match tapes.is_empty() {
            false => Self::Bn254(tapes),
            true => Self::Bls12_381(cache.load(id)),
        }
    }

    /// None if there are no runs.
    fn curve(&self) -> Option<PairingCurve> {
        (!self.is_empty()).then_some(match self {
            Self::Bn254(_) => PairingCurve::Bn254,
            Self::Bls12_381(_) => PairingCurve::Bls12_381,
        })
    }

    fn len(&self) -> usize {
        match self {
            Self::Bn254(tapes) => tapes.len(),
            Self::Bls12_381(tapes) => tapes.len(),
        }
    }

    fn cost_more_than(&self, steps: usize) -> bool {
        match self {
            Self::Bn254(tapes) => tapes.cost_more_than(steps),
            Self::Bls12_381(tapes) => tapes.cost_more_than(steps),
        }
    }

    fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

/// A witness generator that is ready to run, or a witness that needed none.
pub struct Started<'a> {
    generator: &'a Generator<'a>,
    id: Option<ModuleId>,
    state: State,
}

enum State {
    /// With the number of recorded runs.
    Replayed(AnyWitness, usize),
    /// With the number of recorded runs, if they are kept.
    Running(Running, Option<usize>),
    /// With the inputs, and the number of recorded runs.
    Graph(Graph, Zeroizing<Vec<u8>>, Option<usize>),
    /// With the process for it, and the inputs.
    Program(Program, Command, Zeroizing<Vec<u8>>),
}

impl Started<'_> {
    /// The curve that the circuit is over.
    pub fn curve(&self) -> PairingCurve {
        match &self.state {
            State::Replayed(witness, _) => witness.curve(),
            State::Running(running, _) => running.curve(),
            State::Graph(graph, ..) => graph.curve(),
            State::Program(program, ..) => program.curve(),
        }
    }

    /// Refuses a module that is over another curve than the key, before it calculates anything.
    ///
    /// # Errors
    /// A [`Failure`] of exit code 2 or 3 if it is.
    pub fn expect_curve(&self, expected: PairingCurve) -> Result<(), Failure> {
        match self.curve() {
            curve if curve == expected => Ok(()),
            curve => Err(Failure::bad_input(format!(
                "{}: its prime is {curve}'s, not {expected}'s",
                self.generator.wasm.display()
            ))),
        }
    }

    /// Waits for the witness, and keeps the run if it was recorded.
    ///
    /// # Errors
    /// A [`Failure`] of exit code 1 for inputs that do not satisfy the circuit; another for bad inputs and a bad
    /// module.
    pub fn run(self, observer: &dyn Observer) -> Result<Calculated, Failure> {
        observer.begin("witness");
        match self.curve() {
            PairingCurve::Bn254 => self.run_over::<Bn254>(observer, AnyWitness::Bn254),
            PairingCurve::Bls12_381 => self.run_over::<Bls12_381>(observer, AnyWitness::Bls12_381),
        }
    }

    fn run_over<E: PairingEngine>(
        self,
        observer: &dyn Observer,
        any: fn(Wtns<E>) -> AnyWitness,
    ) -> Result<Calculated, Failure> {
        let (generator, id) = (self.generator, self.id);
        let failed = |refusal| generator.failure(refusal);
        let log = |line: &str| {
            if generator.log {
                observer.warning(&format!("log: {line}"));
            }
        };
        let (witness, run, runs) = match self.state {
            State::Replayed(witness, runs) => {
                return Ok(Calculated {
                    witness,
                    way: Way::Replayed,
                    runs,
                });
            }
            State::Running(running, runs) => {
                let mut unfinished = None;
                let finished = running.finish::<E>(log, &mut unfinished);
                let (witness, run) = finished.map_err(|refusal| {
                    generator.tell_values(&refusal.blame, unfinished.as_ref(), observer);
                    failed(refusal)
                })?;
                (witness, run, runs)
            }
            State::Graph(graph, inputs, runs) => {
                let recorded = source::record::<E>(&graph, &inputs, generator.limits);
                let (witness, run) = recorded.map_err(failed)?;
                (witness, Some(run), runs)
            }
            State::Program(program, child, inputs) => {
                let witness = program.calculate::<E>(child, &inputs, generator.limits, log);
                let witness = witness.map_err(|refusal| {
                    generator.tell_values::<E>(&refusal.blame, None, observer);
                    failed(refusal)
                });
                (witness?, None, None)
            }
        };
        let way = generator.keep::<E>(run, id, observer);
        Ok(Calculated {
            witness: any(witness),
            way,
            runs: runs.unwrap_or(0),
        })
    }
}

impl Generator<'_> {
    /// Shows the values of the signals around an assertion that failed.
    fn tell_values<E: PairingEngine>(
        &self,
        blame: &Blame,
        wires: Option<&Wtns<E>>,
        observer: &dyn Observer,
    ) {
        let Blame::Unsatisfied(place) = blame else {
            return;
        };
        let lines = match (place, wires) {
            _ if !self.values => return,
            (_, None) => return observer.warning(NO_VALUES),
            (None, _) => None,
            (Some(place), Some(wires)) => inputs::values_at(place, self.wasm, wires),
        };
        match lines {
            Some(lines) => lines.iter().for_each(|line| observer.warning(line)),
            None => observer.warning(NO_SYMBOLS),
        }
    }

    /// Keeps a run, if there is one and a place for it.
    fn keep<E: PairingEngine>(
        &self,
        run: Option<RecordedRun<E::Fr>>,
        id: Option<ModuleId>,
        observer: &dyn Observer,
    ) -> Way {
        if let (Some(run), Some(cache), Some(id)) = (run, self.cache, id) {
            match cache.store::<E>(&id, &run) {
                Ok(true) => return Way::Recorded,
                Ok(false) => {}
                Err(failure) => observer.warning(&failure.message()),
            }
        }
        Way::Ran
    }
}

/// A witness, and how it came about.
pub struct Calculated {
    /// The witness.
    pub witness: AnyWitness,
    /// The way it was come by.
    pub way: Way,
    /// Number of recorded runs of the module that there were.
    pub runs: usize,
}

/// The way a witness was come by.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Way {
    /// A recorded run was replayed.
    Replayed,
    /// The module ran, and its run was recorded.
    Recorded,
    /// The module ran.
    Ran,
}

impl Way {
    /// In one word, for people and programs.
    pub fn name(self) -> &'static str {
        match self {
            Self::Replayed => "replayed",
            Self::Recorded => "recorded",
            Self::Ran => "ran",
        }
    }
}

/// The argument at which the program `frumious` runs [`serve_child`]. Not for people, so not among its commands.
pub const CHILD: &str = "__calculate-witness";

/// Calculates a witness for the parent process, over stdin and stdout; or becomes the program that does.
///
/// # Errors
/// A pipe that is broken; a program that cannot be started.
pub fn serve_child() -> io::Result<()> {
    crate::secrecy::keep_from_others();
    // Behind its own name, and the word by which the front end knows it.
    if let Some(error) = become_program(std::env::args_os().skip(2)) {
        return Err(error);
    }
    isolated::serve(io::stdin().lock(), io::stdout())
}
