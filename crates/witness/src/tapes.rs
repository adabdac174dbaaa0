//! Runs that were recorded: what takes the place of a module, for inputs that lead to the same decisions.

use crate::input::Inputs;
use frumious_circom::generic::{Wtns, WtnsWriter};
use frumious_curves::PairingEngine;
use frumious_tape::{BadTape, Replayer, Tape, TapeField, replay_batch};
use std::io::{Read, Write};
use std::sync::{Mutex, PoisonError};
use zeroize::{Zeroize, Zeroizing};

use crate::error::Error;
use crate::host::replayed_log;
use crate::input::{self, Signal};
use crate::signal_hash::SignalHash;

/// A run of a module as a tape, with the input signals that it takes.
#[derive(Clone, Debug, PartialEq)]
pub struct RecordedRun<F> {
    /// The hash of each signal's name and the number of its values, in the order of the tape's inputs.
    signals: Vec<(u64, u32)>,
    tape: Tape<F>,
}

impl<F: TapeField> RecordedRun<F> {
    pub(crate) fn new(signals: Vec<(u64, u32)>, tape: Tape<F>) -> Self {
        Self { signals, tape }
    }

    /// The tape.
    pub fn tape(&self) -> &Tape<F> {
        &self.tape
    }

    /// The bytes of a `.ftape` file: the number of signals, 12 bytes for each, then the tape.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = (self.signals.len() as u32).to_le_bytes().to_vec();
        for (hash, count) in &self.signals {
            bytes.extend(hash.to_le_bytes());
            bytes.extend(count.to_le_bytes());
        }
        bytes.extend(self.tape.to_bytes());
        bytes
    }

    /// The run in untrusted bytes.
    ///
    /// # Errors
    /// [`BadTape`] for other bytes than [`RecordedRun::to_bytes`] may write.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, BadTape> {
        Self::read(bytes, bytes.len() as u64)
    }

    /// As [`RecordedRun::from_bytes`], from a source of `length` bytes, which is read once through and not kept.
    ///
    /// # Errors
    /// As [`RecordedRun::from_bytes`]; [`BadTape`] too for a source that fails.
    pub fn read(mut source: impl Read, length: u64) -> Result<Self, BadTape> {
        let bad = |problem| BadTape { problem, index: 0 };
        let mut count = [0; 4];
        let counted = source.read_exact(&mut count);
        counted.map_err(|_| bad("it ends early"))?;
        let count = u32::from_le_bytes(count);
        let size = 4 + 12 * u64::from(count);
        let rest = length.checked_sub(size);
        let rest = rest.ok_or_else(|| bad("it ends early"))?; // so there are bytes for all of them
        let mut signals = Vec::with_capacity(count as usize);
        let mut values = 0;
        for _ in 0..count {
            let mut bytes = [0; 12];
            let filled = source.read_exact(&mut bytes);
            filled.map_err(|_| bad("it cannot be read"))?;
            let [h0, h1, h2, h3, h4, h5, h6, h7, count @ ..] = bytes;
            let count = u32::from_le_bytes(count);
            signals.push((u64::from_le_bytes([h0, h1, h2, h3, h4, h5, h6, h7]), count));
            values += u64::from(count);
        }
        let tape = Tape::<F>::read(source, rest)?;
        match values == tape.inputs() as u64 {
            true => Ok(Self { signals, tape }),
            false => Err(bad("its signals are not its inputs")),
        }
    }
}

/// The recorded runs of one module.
pub struct Tapes<E: PairingEngine> {
    runs: Vec<RecordedRun<E::Fr>>,
}

impl<E: PairingEngine> Default for Tapes<E> {
    fn default() -> Self {
        Self { runs: Vec::new() }
    }
}

impl<E: PairingEngine> Tapes<E> {
    /// The most runs that are kept: a circuit with more paths than that is for its module.
    pub const MOST: usize = 8;

    /// Adds a run, unless there are [`Tapes::MOST`] or it is there.
    pub fn add(&mut self, run: RecordedRun<E::Fr>) {
        if self.runs.len() < Self::MOST && !self.runs.contains(&run) {
            self.runs.push(run);
        }
    }

    /// Number of runs.
    pub fn len(&self) -> usize {
        self.runs.len()
    }

    /// The most inputs that a run has; none without a run.
    pub fn most_inputs(&self) -> Option<usize> {
        let inputs = self.runs.iter().map(|run| run.tape().inputs());
        inputs.max()
    }

    /// True if replays of all runs may take longer than `steps` of tens of nanoseconds: see `frumious_tape`'s
    /// [`Tape::cost`](frumious_tape::Tape::cost).
    pub fn cost_more_than(&self, steps: usize) -> bool {
        let tapes = || self.runs.iter().map(RecordedRun::tape);
        let is_more = |costs: usize| costs > steps;
        is_more(tapes().map(Tape::len).sum()) || is_more(tapes().map(Tape::cost).sum())
    }

    /// True if there are none.
    pub fn is_empty(&self) -> bool {
        self.runs.is_empty()
    }

    /// The witness for `inputs`. None if no run applies to them: they lead to other decisions, or are not the
    /// circuit's. `log` gets the lines that the circuit's `log()` writes.
    ///
    /// # Errors
    /// [`Error::Input`] for inputs that are no numbers. [`Error::Result`] for a tape whose results are no witness.
    pub fn replay(
        &self,
        inputs: &Inputs,
        log: &mut dyn FnMut(&str),
    ) -> Result<Option<Wtns<E>>, Error> {
        let signals = input::flatten::<E::Fr>(inputs)?;
        let layout = layout(&signals);
        let values = input::elements::<E::Fr>(&signals);
        let mut replayer = Replayer::new();
        for run in &self.runs {
            if run.signals != layout {
                continue;
            }
            let told = replayed_log(log);
            if let Ok(mut witness) = replayer.replay_telling(&run.tape, &values, told) {
                let witness = Wtns::new(std::mem::take(&mut *witness)).map_err(Error::Result)?;
                return Ok(Some(witness));
            }
        }
        Ok(None)
    }
}

impl<E: PairingEngine> Tapes<E> {
    /// As [`Tapes::replay`] for many inputs at once, without their logs. Eight run in the lanes of the CPU; the eights
    /// share the threads of the caller's pool. The witness of `inputs[i]` is written to `outputs[i]` as a `.wtns` file.
    /// True if it was; nothing is written for inputs that no run applies to.
    ///
    /// # Panics
    /// For another number of outputs than of inputs.
    #[track_caller]
    pub fn replay_batch<W: Write + Send>(
        &self,
        inputs: &[Inputs],
        outputs: Vec<W>,
    ) -> Vec<Result<bool, Error>> {
        assert_eq!(inputs.len(), outputs.len(), "an output for each inputs");
        let mut outcomes: Vec<Result<bool, Error>> = Vec::new();
        let mut waiting = Vec::new(); // those that no run has applied to so far
        for (index, (inputs, output)) in inputs.iter().zip(outputs).enumerate() {
            let signals = input::flatten::<E::Fr>(inputs);
            outcomes.push(signals.map(|signals| {
                waiting.push(Waiting {
                    index,
                    values: input::elements::<E::Fr>(&signals),
                    layout: layout(&signals),
                    output,
                });
                false
            }));
        }
        for run in &self.runs {
            let (mut fit, others): (Vec<_>, Vec<_>) = waiting
                .into_iter()
                .partition(|waiting| waiting.layout == run.signals);
            waiting = others;
            let replayed = write_batch::<E, W>(&run.tape, &mut fit);
            for (fit, replayed) in fit.into_iter().zip(replayed) {
                match replayed {
                    Some(written) => outcomes[fit.index] = written.map(|()| true),
                    None => waiting.push(fit),
                }
            }
        }
        outcomes
    }
}

/// Inputs of a batch that no run has applied to so far.
struct Waiting<F: Zeroize, W> {
    index: usize,
    layout: Vec<(u64, u32)>,
    values: Zeroizing<Vec<F>>,
    output: W,
}

/// Writes the witnesses of those that the tape applies to; none for the others.
fn write_batch<E: PairingEngine, W: Write + Send>(
    tape: &Tape<E::Fr>,
    waiting: &mut [Waiting<E::Fr, W>],
) -> Vec<Option<Result<(), Error>>> {
    let (values, writers): (Vec<_>, Vec<_>) = waiting
        .iter_mut()
        .map(|waiting| {
            let writer = WtnsWriter::<E, _>::new(&mut waiting.output, tape.results());
            (&waiting.values[..], Mutex::new((writer, Ok(()))))
        })
        .unzip();
    let replayed = replay_batch(tape, &values, |run, results| {
        let mut writing = writers[run].lock().unwrap_or_else(PoisonError::into_inner);
        let (writer, written) = &mut *writing;
        if written.is_ok() {
            *written = writer.write(results);
        }
    });
    let outcomes = replayed
        .into_iter()
        .zip(writers)
        .map(|(replayed, writing)| {
            let (writer, written) = writing.into_inner().unwrap_or_else(PoisonError::into_inner);
            let written = replayed
                .ok()
                .map(|()| written.and_then(|()| writer.finish()));
            Some(written?.map_err(Error::Result))
        });
    outcomes.collect()
}

/// The hash of each signal's name and the number of its values, of those that have any.
pub(crate) fn layout(signals: &[Signal]) -> Vec<(u64, u32)> {
    let entry = |signal: &Signal| (SignalHash::of(&signal.name).0, signal.values.len() as u32);
    let entries = signals.iter().map(entry);
    entries.filter(|(_, count)| *count > 0).collect()
}
