//! Many witnesses of one circuit: inputs line by line, replayed eight at a time.

use std::path::Path;
use std::process::Command;

use frumious_circom::generic::Wtns;
use frumious_curves::{PairingCurve, PairingEngine};
use frumious_witness::isolated::{Refusal, Running, Wanted};
use frumious_witness::{RecordedRun, Tapes, parse_inputs};
use serde_json::Value;

use crate::cache::ModuleId;
use crate::curve::{Bls12_381, Bn254};
use crate::failure::Failure;
use crate::files::{self, OutputFile, Readers, streams};
use crate::observer::Observer;
use crate::source::{self, Source};
use crate::witness::{AnyWitness, Generator};

/// The outcome of a batch.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Batch {
    /// Number of witnesses that a tape gave.
    pub replayed: usize,
    /// Number of witnesses that the generator gave itself.
    pub ran: usize,
    /// Lines without a witness, with the reason.
    pub failed: Vec<(usize, String)>,
}

impl Generator<'_> {
    /// The witness of each line of the inputs, as `LINE.wtns` in `folder`; lines count from 1, empty ones are left out.
    /// A line that gives none does not stop the others.
    ///
    /// # Errors
    /// A [`Failure`] of exit code 2 or 3 for files that cannot be read or written, a child that cannot be started.
    pub fn batch(
        &self,
        folder: &Path,
        child: impl Fn() -> Result<Command, Failure>,
        observer: &dyn Observer,
    ) -> Result<Batch, Failure> {
        observer.begin("read inputs");
        files::check_outputs(&[&folder.join("1.wtns")], &[])?;
        let inputs = files::read_secret(self.input)?;
        let lines: Vec<(usize, &[u8])> = (1..)
            .zip(inputs.split(|byte| *byte == b'\n'))
            .filter(|(_, line)| !line.trim_ascii().is_empty())
            .collect();
        let module = streams::read(self.wasm)?;
        let id = self.cache.map(|cache| cache.id(&module));
        let source = Source::of(self.wasm, &module, self.limits);
        let mut work = Work {
            generator: self,
            module: &module,
            source: source.map_err(|refusal| self.failure(refusal))?,
            id,
            bn254: Tapes::default(),
            bls12_381: Tapes::default(),
            folder,
            done: Batch::default(),
        };
        work.load();
        let total = lines.len();
        for (index, lines) in lines.chunks(AT_ONCE).enumerate() {
            observer.within("witness", (index * AT_ONCE) as f64 / total as f64);
            let missed = work.replay(lines)?;
            for (number, line) in missed {
                work.run(number, line, &child)?;
            }
        }
        Ok(work.done)
    }
}

struct Work<'a> {
    generator: &'a Generator<'a>,
    module: &'a [u8],
    source: Source,
    id: Option<ModuleId>,
    bn254: Tapes<Bn254>,
    bls12_381: Tapes<Bls12_381>,
    folder: &'a Path,
    done: Batch,
}

impl Work<'_> {
    fn load(&mut self) {
        if let (Some(cache), Some(id)) = (self.generator.cache, &self.id) {
            self.bn254 = cache.load(id);
            self.bls12_381 = cache.load(id);
        }
    }

    /// Writes the witnesses of the lines that a tape applies to; the others are left.
    fn replay<'l>(
        &mut self,
        lines: &[(usize, &'l [u8])],
    ) -> Result<Vec<(usize, &'l [u8])>, Failure> {
        let parse = |line: &[u8]| {
            let text = str::from_utf8(line).ok()?;
            parse_inputs(text).ok()
        };
        // What cannot be parsed the module refuses, in the same words as ever.
        let inputs: Vec<Value> = lines
            .iter()
            .map(|(_, line)| parse(line).unwrap_or_default())
            .collect();
        let witnesses: Vec<Option<AnyWitness>> = match self.bn254.is_empty() {
            false => any(self.bn254.replay_batch(&inputs), AnyWitness::Bn254),
            true => any(self.bls12_381.replay_batch(&inputs), AnyWitness::Bls12_381),
        };
        let mut missed = Vec::new();
        for ((number, line), witness) in lines.iter().zip(witnesses) {
            match witness {
                Some(witness) => {
                    self.write(*number, &witness)?;
                    self.done.replayed += 1;
                }
                None => missed.push((*number, *line)),
            }
        }
        Ok(missed)
    }

    /// Has the module calculate the witness of one line, and keeps its run.
    fn run(
        &mut self,
        number: usize,
        line: &[u8],
        child: impl Fn() -> Result<Command, Failure>,
    ) -> Result<(), Failure> {
        // A line before this one may have been recorded.
        if self.replay(&[(number, line)])?.is_empty() {
            return Ok(());
        }
        let child = match self.source {
            Source::Graph(_) => None,
            _ => Some(child()?),
        };
        match self.calculate(line, child) {
            Ok(witness) => {
                self.write(number, &witness)?;
                self.done.ran += 1;
            }
            Err(refusal) => self.done.failed.push((number, refusal.message)),
        }
        Ok(())
    }

    /// By the generator itself; `child` is for those that need a process.
    fn calculate(&mut self, line: &[u8], child: Option<Command>) -> Result<AnyWitness, Refusal> {
        let limits = self.generator.limits;
        match (&self.source, child) {
            (Source::Module, Some(child)) => {
                let kept = self.bn254.len().max(self.bls12_381.len());
                let record = self.id.is_some() && kept < Tapes::<Bn254>::MOST;
                let wanted = Wanted {
                    record,
                    ..Wanted::default()
                };
                let running = Running::start(child, self.module, line, limits, wanted)?;
                match running.curve() {
                    PairingCurve::Bn254 => {
                        let (witness, run) = running.finish::<Bn254>(|_| {}, &mut None)?;
                        self.keep::<Bn254>(run, |work| &mut work.bn254);
                        Ok(AnyWitness::Bn254(witness))
                    }
                    PairingCurve::Bls12_381 => {
                        let (witness, run) = running.finish::<Bls12_381>(|_| {}, &mut None)?;
                        self.keep::<Bls12_381>(run, |work| &mut work.bls12_381);
                        Ok(AnyWitness::Bls12_381(witness))
                    }
                }
            }
            (Source::Program(program), Some(child)) => match program.curve() {
                PairingCurve::Bn254 => program
                    .calculate(child, line, limits, |_| {})
                    .map(AnyWitness::Bn254),
                PairingCurve::Bls12_381 => program
                    .calculate(child, line, limits, |_| {})
                    .map(AnyWitness::Bls12_381),
            },
            (Source::Graph(graph), _) => match graph.curve() {
                PairingCurve::Bn254 => {
                    let (witness, run) = source::record::<Bn254>(graph, line, limits)?;
                    self.keep::<Bn254>(Some(run), |work| &mut work.bn254);
                    Ok(AnyWitness::Bn254(witness))
                }
                PairingCurve::Bls12_381 => {
                    let (witness, run) = source::record::<Bls12_381>(graph, line, limits)?;
                    self.keep::<Bls12_381>(Some(run), |work| &mut work.bls12_381);
                    Ok(AnyWitness::Bls12_381(witness))
                }
            },
            (Source::Module | Source::Program(_), None) => unreachable!("it was given a process"),
        }
    }

    /// Keeps a run for this batch, and for the next ones if there is a cache.
    fn keep<E: PairingEngine>(
        &mut self,
        run: Option<RecordedRun<E::Fr>>,
        tapes: impl Fn(&mut Self) -> &mut Tapes<E>,
    ) {
        let Some(run) = run else { return };
        if let (Some(cache), Some(id)) = (self.generator.cache, &self.id) {
            // It serves this batch even if it cannot be kept.
            let _ = cache.store::<E>(id, &run);
        }
        tapes(self).add(run);
    }

    fn write(&self, number: usize, witness: &AnyWitness) -> Result<(), Failure> {
        let path = self.folder.join(format!("{number}.wtns"));
        let mut file = OutputFile::create(&path, Readers::Owner)?;
        witness
            .write(&mut file)
            .map_err(|failure| failure.about(&path))?;
        file.commit()
    }
}

fn any<E: PairingEngine>(
    witnesses: Vec<Result<Option<Wtns<E>>, frumious_witness::Error>>,
    any: impl Fn(Wtns<E>) -> AnyWitness,
) -> Vec<Option<AnyWitness>> {
    let witnesses = witnesses.into_iter();
    witnesses.map(|witness| witness.ok()?.map(&any)).collect()
}

/// Lines that are in memory with their witnesses at a time.
const AT_ONCE: usize = 64;
