//! A run of a module on inputs that are made up, for its tape.
//!
//! A [`Recording`](frumious_tape::Recording) needs values for its guards only: what a module computes is the same for
//! all inputs that lead to the same decisions. Made-up inputs fail most circuits' assertions, so these are assumed to
//! hold, and the tape demands that they do. Inputs that lead elsewhere at another decision miss the tape, as with any
//! other. Then the module runs.

use frumious_curves::PairingEngine;
use frumious_field::{Field, PrimeField};
use frumious_tape::{Tape, TapeField};

use super::WitnessCalculator;
use super::recorded::is_replayed;
use crate::error::Error;
use crate::signal_hash::SignalHash;
use crate::tapes::RecordedRun;
use crate::variant::Variant;

impl WitnessCalculator {
    /// A tape without inputs. Of the inputs `2, 3, 4, …` or of ones, whichever the module can be recorded on. None if
    /// it is on neither, if its routines are not known, or if its table of inputs is not where circom writes it. None,
    /// too, for more inputs than the memory that it may have is for.
    ///
    /// # Errors
    /// [`Error::Stopped`] at a limit.
    pub fn rehearse_over<E: PairingEngine>(&self) -> Result<Option<RecordedRun<E::Fr>>, Error> {
        let total = self.input_size();
        let is_too_much = u64::from(total) * INPUT_BYTES > self.limits.memory_bytes;
        if is_too_much || !self.is_recognised::<E>() {
            return Ok(None);
        }
        let Some(layout) = self.layout(total) else {
            return Ok(None);
        };
        let counted = |k: u32| E::Fr::from_u64(u64::from(k) + 2);
        let of = [counted, |_| E::Fr::ONE];
        for value in of {
            let values: Vec<E::Fr> = (0..total).map(value).collect();
            match self.rehearsed(&layout, &values) {
                Ok(run) => return Ok(Some(run)),
                Err(Error::Stopped(limit)) => return Err(Error::Stopped(limit)),
                Err(_) => {} // these inputs lead nowhere
            }
        }
        Ok(None)
    }

    /// The input signals by hash, in the order in which [`RecordedRun`] has them.
    fn layout(&self, total: u32) -> Option<Vec<(u64, u32)>> {
        if total == 0 {
            return Some(Vec::new());
        }
        let table = self.compiled.inputs(total.into())?;
        let signals = table.signals().filter(|(_, count)| *count > 0);
        let signals = signals.map(|(hash, count)| (hash, count as u32)); // at most `total`
        let mut layout: Vec<(u64, u32)> = signals.collect();
        layout.sort_unstable();
        Some(layout)
    }

    fn rehearsed<F: TapeField>(
        &self,
        layout: &[(u64, u32)],
        values: &[F],
    ) -> Result<RecordedRun<F>, Error> {
        let mut instance = self.recorder(Variant::Rehearsed, values, None)?;
        instance.init(true)?;
        for (hash, count) in layout {
            if instance.signal_size(SignalHash(*hash))? != *count {
                return Err(Error::Unnatural);
            }
        }
        let (recording, wires) = self.record(instance, layout)?;
        let tape = Tape::new(&recording, &wires).map_err(|_| Error::Unnatural)?;
        // These values need not meet its guards.
        if !is_replayed(&tape.without_guards(), &recording, &wires, values) {
            return Err(Error::Unnatural);
        }
        Ok(RecordedRun::new(layout.to_vec(), tape))
    }
}

/// Memory for an input while it is recorded: its value, twice, its node, and what the module has of it.
const INPUT_BYTES: u64 = 200;
