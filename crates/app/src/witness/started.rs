//! A generator that was started, up to its witness.

use std::process::Command;

use frumious_circom::generic::Wtns;
use frumious_curves::{PairingCurve, PairingEngine};
use frumious_witness::isolated::{Blame, Running};
use frumious_witness::{Graph, Program, RecordedRun};
use zeroize::Zeroizing;

use super::{AnyWitness, Generator};
use crate::cache::ModuleId;
use crate::curve::{Bls12_381, Bn254};
use crate::failure::Failure;
use crate::inputs;
use crate::observer::Observer;
use crate::source;

/// A witness generator that is ready to run, or a witness that needed none.
pub struct Started<'a> {
    pub(super) generator: &'a Generator<'a>,
    pub(super) id: Option<ModuleId>,
    pub(super) state: State,
}

pub(super) enum State {
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

/// Of values that are wanted, and that only modules tell.
const NO_VALUES: &str = "No values: of generators only modules (.wasm) tell them.";

/// Of values that are wanted.
const NO_SYMBOLS: &str =
    "Without the circuit's .sym beside the generator no value has a name, so none is shown.";
