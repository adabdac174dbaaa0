//! A witness generator that stays loaded, for many inputs.
//!
//! Its file is read once. Its recorded runs are in memory, and a new one serves the next inputs at once.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::{PoisonError, RwLock};

use frumious_curves::{PairingCurve, PairingEngine};
use frumious_mapping::FileBytes;
use frumious_witness::isolated::{Blame, Refusal, Running, Wanted};
use frumious_witness::{Inputs, Limits, RecordedRun, Tapes, parse_inputs};

use crate::cache::{ModuleId, TapeCache};
use crate::curve::{Bls12_381, Bn254};
use crate::failure::{Code, Failure};
use crate::files::streams;
use crate::inputs;
use crate::source::{self, Source};
use crate::witness::{AnyWitness, Way};

/// A generator, read and ready. Any number of threads may use it at once.
pub struct PreparedGenerator<'c> {
    path: PathBuf,
    module: FileBytes,
    source: Source,
    limits: Limits,
    kept: Option<(&'c TapeCache, ModuleId)>,
    bn254: RwLock<Tapes<Bn254>>,
    bls12_381: RwLock<Tapes<Bls12_381>>,
}

impl<'c> PreparedGenerator<'c> {
    /// Reads the generator at `path`, and its recorded runs in `cache`. Nothing of it runs.
    ///
    /// # Errors
    /// A [`Failure`] of exit code 2 or 3 for a file that cannot be read, a graph or a program that cannot be run.
    pub fn open(
        path: &Path,
        limits: Limits,
        cache: Option<&'c TapeCache>,
    ) -> Result<Self, Failure> {
        let module = streams::read(path)?;
        let source = Source::of(path, &module, limits)
            .map_err(|refusal| Failure::new(Code::BadInput, refusal.message).about(path))?;
        let kept = cache.map(|cache| (cache, cache.id(&module)));
        let (mut bn254, mut bls12_381) = (Tapes::default(), Tapes::default());
        if let Some((cache, id)) = &kept {
            bn254 = cache.load(id);
            bls12_381 = cache.load(id);
        }
        Ok(Self {
            path: path.to_owned(),
            module,
            source,
            limits,
            kept,
            bn254: RwLock::new(bn254),
            bls12_381: RwLock::new(bls12_381),
        })
    }

    /// True if it is a program of this machine's system.
    pub fn is_program(&self) -> bool {
        matches!(self.source, Source::Program(_))
    }

    /// The witness for the text of the inputs: replayed if a recorded run applies, else by the generator itself.
    ///
    /// `child` is called if a process is needed: a command that runs
    /// [`serve_child`](crate::witness::serve_child) at once.
    ///
    /// # Errors
    /// A [`Refusal`], which has no value of an input.
    pub fn calculate(
        &self,
        inputs: &[u8],
        child: impl FnOnce() -> Result<Command, Failure>,
    ) -> Result<(AnyWitness, Way), Refusal> {
        // Whoever parses them, a process of its own included, would take a multiple of their length.
        if let Some(expected) = self.most_inputs() {
            source::check_number(inputs, expected as u64)?;
        }
        if let Some(witness) = self.replay(inputs) {
            return Ok((witness, Way::Replayed));
        }
        let child = || child().map_err(no_child);
        let (witness, recorded) = match &self.source {
            Source::Module => self.run(child()?, inputs)?,
            Source::Program(program) => match program.curve() {
                PairingCurve::Bn254 => {
                    let witness = program.calculate(child()?, inputs, self.limits, |_| {})?;
                    (AnyWitness::Bn254(witness), false)
                }
                PairingCurve::Bls12_381 => {
                    let witness = program.calculate(child()?, inputs, self.limits, |_| {})?;
                    (AnyWitness::Bls12_381(witness), false)
                }
            },
            Source::Graph(graph) => match graph.curve() {
                PairingCurve::Bn254 => {
                    let (witness, run) = source::record::<Bn254>(graph, inputs, self.limits)?;
                    let kept = self.keep(Some(run), &self.bn254).unwrap_or(false);
                    (AnyWitness::Bn254(witness), kept)
                }
                PairingCurve::Bls12_381 => {
                    let (witness, run) = source::record::<Bls12_381>(graph, inputs, self.limits)?;
                    let kept = self.keep(Some(run), &self.bls12_381).unwrap_or(false);
                    (AnyWitness::Bls12_381(witness), kept)
                }
            },
        };
        let way = if recorded { Way::Recorded } else { Way::Ran };
        Ok((witness, way))
    }

    /// Records a run without inputs, unless one is recorded already. So the first inputs are replayed.
    ///
    /// `child` is as for [`PreparedGenerator::calculate`].
    ///
    /// # Errors
    /// A [`Refusal`] of the generator.
    pub fn rehearse(
        &self,
        child: impl FnOnce() -> Result<Command, Failure>,
    ) -> Result<Rehearsal, Refusal> {
        if self.runs() > 0 {
            return Ok(Rehearsal::Before);
        }
        let kept = match &self.source {
            Source::Module => {
                let child = child().map_err(no_child)?;
                let wanted = Wanted {
                    rehearse: true,
                    ..Wanted::default()
                };
                let running = Running::start(child, &self.module, &[], self.limits, wanted)?;
                match running.curve() {
                    PairingCurve::Bn254 => {
                        self.keep(running.finish_rehearsal::<Bn254>()?, &self.bn254)
                    }
                    PairingCurve::Bls12_381 => {
                        self.keep(running.finish_rehearsal::<Bls12_381>()?, &self.bls12_381)
                    }
                }
            }
            Source::Program(_) => return Ok(Rehearsal::Needless),
            Source::Graph(graph) => match graph.curve() {
                PairingCurve::Bn254 => {
                    let run = graph.rehearse_over::<Bn254>(self.limits)?;
                    self.keep(Some(run), &self.bn254)
                }
                PairingCurve::Bls12_381 => {
                    let run = graph.rehearse_over::<Bls12_381>(self.limits)?;
                    self.keep(Some(run), &self.bls12_381)
                }
            },
        };
        Ok(match kept {
            Ok(_) if self.runs() == 0 => Rehearsal::Refused,
            Ok(_) => Rehearsal::Recorded,
            Err(failure) => Rehearsal::NotKept(failure),
        })
    }

    /// Writes the witnesses of many inputs, eight at a time, each to its output. None for those that no recorded run
    /// applies to: nothing is written to their outputs.
    pub fn replay_batch<W: Write + Send>(
        &self,
        inputs: &[Inputs],
        outputs: Vec<W>,
    ) -> Vec<Option<Result<(), frumious_circom::Error>>> {
        let bn254 = self.bn254.read().unwrap_or_else(PoisonError::into_inner);
        let replayed = if bn254.is_empty() {
            let bls12_381 = self.bls12_381.read();
            let bls12_381 = bls12_381.unwrap_or_else(PoisonError::into_inner);
            bls12_381.replay_batch(inputs, outputs)
        } else {
            bn254.replay_batch(inputs, outputs)
        };
        let written = replayed.into_iter().map(|written| match written {
            Ok(true) => Some(Ok(())),
            Err(frumious_witness::Error::Result(error @ frumious_circom::Error::Write { .. })) => {
                Some(Err(error))
            }
            Ok(false) | Err(_) => None,
        });
        written.collect()
    }

    /// A refusal as a failure that names neither the server's files nor a value. `inputs` are those that were refused.
    pub fn failure(&self, refusal: Refusal, inputs: &[u8]) -> Failure {
        let code = match refusal.blame {
            Blame::Unsatisfied(_) => Code::Unsatisfied,
            Blame::Time => Code::TimeLimit,
            Blame::Memory => Code::MemoryLimit,
            Blame::System => Code::Busy,
            _ => Code::BadInput,
        };
        let hint = match &refusal.blame {
            Blame::Missing { expected } => str::from_utf8(inputs)
                .ok()
                .filter(|_| source::check_number(inputs, *expected).is_ok())
                .and_then(|text| inputs::missing(text, &self.path, *expected)),
            Blame::Unsatisfied(Some(place)) => inputs::signals_of(place, &self.path),
            _ => None,
        };
        let failure = Failure::new(code, refusal.message);
        match hint {
            Some(hint) => failure.hinting(&hint),
            None => failure,
        }
    }

    /// The most inputs that a recorded run has; none without a run.
    fn most_inputs(&self) -> Option<usize> {
        let bn254 = self.bn254.read().unwrap_or_else(PoisonError::into_inner);
        let bls12_381 = self.bls12_381.read();
        let bls12_381 = bls12_381.unwrap_or_else(PoisonError::into_inner);
        bn254.most_inputs().max(bls12_381.most_inputs())
    }

    fn replay(&self, inputs: &[u8]) -> Option<AnyWitness> {
        // What cannot be parsed the generator refuses, in the same words as ever.
        let inputs = parse_inputs(str::from_utf8(inputs).ok()?).ok()?;
        let bn254 = self.bn254.read().unwrap_or_else(PoisonError::into_inner);
        if !bn254.is_empty() {
            let witness = bn254.replay(&inputs, &mut |_| {}).ok()??;
            return Some(AnyWitness::Bn254(witness));
        }
        let bls12_381 = self.bls12_381.read();
        let bls12_381 = bls12_381.unwrap_or_else(PoisonError::into_inner);
        let witness = bls12_381.replay(&inputs, &mut |_| {}).ok()??;
        Some(AnyWitness::Bls12_381(witness))
    }

    /// Has the module calculate the witness, and keeps its run; true if that is kept.
    fn run(&self, child: Command, inputs: &[u8]) -> Result<(AnyWitness, bool), Refusal> {
        let wanted = Wanted {
            record: self.kept.is_some() && self.runs() < Tapes::<Bn254>::MOST,
            ..Wanted::default()
        };
        let running = Running::start(child, &self.module, inputs, self.limits, wanted)?;
        Ok(match running.curve() {
            PairingCurve::Bn254 => {
                let (witness, run) = running.finish::<Bn254>(|_| {}, &mut None)?;
                let kept = self.keep(run, &self.bn254).unwrap_or(false);
                (AnyWitness::Bn254(witness), kept)
            }
            PairingCurve::Bls12_381 => {
                let (witness, run) = running.finish::<Bls12_381>(|_| {}, &mut None)?;
                let kept = self.keep(run, &self.bls12_381).unwrap_or(false);
                (AnyWitness::Bls12_381(witness), kept)
            }
        })
    }

    /// Number of recorded runs.
    pub fn runs(&self) -> usize {
        let bn254 = self.bn254.read().unwrap_or_else(PoisonError::into_inner);
        let bls12_381 = self.bls12_381.read();
        let bls12_381 = bls12_381.unwrap_or_else(PoisonError::into_inner);
        bn254.len().max(bls12_381.len())
    }

    /// Keeps a run for the next inputs, and for other processes if there is a cache; true if they will find it. It
    /// serves this process even if it cannot be stored.
    ///
    /// # Errors
    /// As [`TapeCache::store`].
    fn keep<E: PairingEngine>(
        &self,
        run: Option<RecordedRun<E::Fr>>,
        tapes: &RwLock<Tapes<E>>,
    ) -> Result<bool, Failure> {
        let Some(run) = run else { return Ok(false) };
        let stored = self.kept.as_ref();
        let stored = stored.map(|(cache, id)| cache.store::<E>(id, &run));
        let mut tapes = tapes.write().unwrap_or_else(PoisonError::into_inner);
        tapes.add(run);
        stored.unwrap_or(Ok(false))
    }
}

/// The outcome of [`PreparedGenerator::rehearse`].
#[derive(Debug)]
pub enum Rehearsal {
    /// A run was recorded before.
    Before,
    /// A run is recorded now.
    Recorded,
    /// A run is recorded, and serves this process, but the cache cannot keep it.
    NotKept(Failure),
    /// No run can be recorded without inputs.
    Refused,
    /// It is machine code already.
    Needless,
}

fn no_child(failure: Failure) -> Refusal {
    Refusal {
        blame: Blame::System,
        message: failure.message(),
    }
}
