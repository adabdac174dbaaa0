//! A witness of either curve, from a file or from a generator.
//!
//! A run that was recorded before is replayed in this process. Otherwise the generator runs in a process of its own
//! ([`isolated`]), whose limits hold while it is translated, too. The front end gives the program; it runs
//! [`serve_child`] and nothing else.

use std::io;
use std::path::Path;
use std::process::Command;

use frumious_circom::generic::Wtns;
use frumious_curves::{PairingCurve, PairingEngine};
use frumious_mapping::FileBytes;
use frumious_witness::isolated::{self, Blame, Refusal, Running};
use frumious_witness::{Limits, Tapes, parse_inputs};

use crate::cache::{ModuleId, TapeCache};
use crate::curve::{Bls12_381, Bn254};
use crate::failure::{About, Failure};
use crate::files;
use crate::observer::Observer;

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
    /// [`Failure::BadInput`] with the place of the first fault.
    pub fn open(path: &Path, curve: PairingCurve) -> Result<Self, Failure> {
        Ok(match curve {
            PairingCurve::Bn254 => Self::Bn254(Wtns::open(path).about(path)?),
            PairingCurve::Bls12_381 => Self::Bls12_381(Wtns::open(path).about(path)?),
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

    /// Makes sure that any later change of the file is noticed, if there is one: [`FileBytes::settle`].
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
    /// [`Failure::BadInput`] when `out` fails.
    pub fn write(&self, out: impl io::Write) -> Result<(), Failure> {
        Ok(match self {
            Self::Bn254(witness) => witness.write(out),
            Self::Bls12_381(witness) => witness.write(out),
        }?)
    }
}

/// A witness generator with its inputs.
pub struct Generator<'a> {
    /// The module that circom wrote.
    pub wasm: &'a Path,
    /// The inputs, as JSON.
    pub input: &'a Path,
    /// Bounds on the module.
    pub limits: Limits,
    /// Show the lines that the circuit logs.
    pub log: bool,
    /// Where recorded runs are kept. Without it every run is the module's.
    pub cache: Option<&'a TapeCache>,
}

impl<'a> Generator<'a> {
    /// Number of phases that [`Generator::start`] and [`Started::run`] begin.
    pub const STEPS: usize = 2;

    /// Reads the inputs. If no recorded run applies to them, has the module started by `child`: a program that runs
    /// [`serve_child`] at once.
    ///
    /// # Errors
    /// [`Failure::BadInput`] for files that cannot be read, inputs that are no numbers, a child that cannot be started,
    /// and a bad module.
    pub fn start(
        &self,
        child: impl FnOnce() -> Result<Command, Failure>,
        observer: &dyn Observer,
    ) -> Result<Started<'_>, Failure> {
        observer.begin("start generator");
        let inputs = files::read_secret(self.input)?;
        let module = FileBytes::read(self.wasm).about(self.wasm)?;
        let id = self.cache.map(|cache| cache.id(&module));
        let tapes = self.cache.zip(id.as_ref()).map(Loaded::of);
        if let Some(tapes) = tapes.as_ref().filter(|tapes| !tapes.is_empty())
            && let Some(witness) = self.replayed(tapes, &inputs, observer)?
        {
            let runs = tapes.len();
            return Ok(Started {
                generator: self,
                id,
                state: State::Replayed(witness, runs),
            });
        }
        let runs = tapes.map(|tapes| tapes.len());
        let record = runs.is_some_and(|runs| runs < Tapes::<Bn254>::MOST);
        let running = Running::start(child()?, &module, &inputs, self.limits, self.log, record);
        let running = running.map_err(|refusal| self.failure(refusal))?;
        Ok(Started {
            generator: self,
            id,
            state: State::Running(running, runs),
        })
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

    fn failure(&self, refusal: Refusal) -> Failure {
        let (path, failure) = match refusal.blame {
            Blame::Inputs => (self.input, Failure::BadInput(refusal.message)),
            Blame::Unsatisfied => (self.input, Failure::Rejected(refusal.message)),
            Blame::Module => (self.wasm, Failure::BadInput(refusal.message)),
        };
        failure.about(path)
    }
}

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

    fn len(&self) -> usize {
        match self {
            Self::Bn254(tapes) => tapes.len(),
            Self::Bls12_381(tapes) => tapes.len(),
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
}

impl Started<'_> {
    /// The curve that the circuit is over.
    pub fn curve(&self) -> PairingCurve {
        match &self.state {
            State::Replayed(witness, _) => witness.curve(),
            State::Running(running, _) => running.curve(),
        }
    }

    /// Refuses a module that is over another curve than the key, before it calculates anything.
    ///
    /// # Errors
    /// [`Failure::BadInput`] if it is.
    pub fn expect_curve(&self, expected: PairingCurve) -> Result<(), Failure> {
        match self.curve() {
            curve if curve == expected => Ok(()),
            curve => Err(Failure::BadInput(format!(
                "{}: its prime is {curve}'s, not {expected}'s",
                self.generator.wasm.display()
            ))),
        }
    }

    /// Waits for the witness, and keeps the run if it was recorded.
    ///
    /// # Errors
    /// [`Failure::Rejected`] for inputs that do not satisfy the circuit; [`Failure::BadInput`] for bad inputs and a bad
    /// module.
    pub fn run(self, observer: &dyn Observer) -> Result<Calculated, Failure> {
        observer.begin("witness");
        let (generator, id) = (self.generator, self.id);
        match self.state {
            State::Replayed(witness, runs) => Ok(Calculated {
                witness,
                way: Way::Replayed,
                runs,
            }),
            State::Running(running, runs) => {
                let runs = runs.unwrap_or(0);
                match running.curve() {
                    PairingCurve::Bn254 => generator
                        .finish::<Bn254>(running, id, observer)
                        .map(|(witness, way)| (AnyWitness::Bn254(witness), way)),
                    PairingCurve::Bls12_381 => generator
                        .finish::<Bls12_381>(running, id, observer)
                        .map(|(witness, way)| (AnyWitness::Bls12_381(witness), way)),
                }
                .map(|(witness, way)| Calculated { witness, way, runs })
            }
        }
    }
}

impl Generator<'_> {
    fn finish<E: PairingEngine>(
        &self,
        running: Running,
        id: Option<ModuleId>,
        observer: &dyn Observer,
    ) -> Result<(Wtns<E>, Way), Failure> {
        let log = |line: &str| observer.warning(&format!("log: {line}"));
        let (witness, run) = running
            .finish::<E>(log)
            .map_err(|refusal| self.failure(refusal))?;
        let mut way = Way::Ran;
        if let (Some(run), Some(cache), Some(id)) = (run, self.cache, id) {
            match cache.store::<E>(&id, &run) {
                Ok(true) => way = Way::Recorded,
                Ok(false) => {}
                Err(failure) => observer.warning(&failure.message()),
            }
        }
        Ok((witness, way))
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

/// Calculates a witness for the parent process, over stdin and stdout.
///
/// # Errors
/// A pipe that is broken.
pub fn serve_child() -> io::Result<()> {
    crate::secrecy::keep_from_others();
    isolated::serve(io::stdin().lock(), io::stdout())
}
