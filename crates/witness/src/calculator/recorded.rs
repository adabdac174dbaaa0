//! A run of a module that is recorded.

use frumious_circom::generic::Wtns;
use frumious_curves::PairingEngine;
use frumious_field::Integer;
use frumious_tape::{Recording, Replayer, Tape, TapeField, Value as Node};

use super::WitnessCalculator;
use crate::error::Error;
use crate::host::{LogSink, Mode};
use crate::input::{self, Signal};
use crate::instance::Instance;
use crate::recorder::Recorder;
use crate::signal_hash::SignalHash;
use crate::tapes::{RecordedRun, layout};
use crate::variant::Variant;

impl WitnessCalculator {
    pub(super) fn recorded<E: PairingEngine>(
        &self,
        signals: &[Signal],
        log: Option<LogSink>,
    ) -> Result<(Wtns<E>, RecordedRun<E::Fr>), Error> {
        let values = input::elements::<E::Fr>(signals);
        let mut instance = self.recorder(Variant::Recorded, &values, log)?;
        self.begin(&mut instance, signals)?;
        let layout = layout(signals);
        let (recording, wires) = self.record(instance, &layout)?;
        let tape = Tape::new(&recording, &wires).map_err(|_| Error::Unnatural)?;
        if !is_replayed(&tape, &recording, &wires, &values) {
            return Err(Error::Unnatural);
        }
        let witness = wires.iter().map(|wire| recording.value(*wire).into());
        let witness = Wtns::new(witness.collect()).map_err(Error::Result)?;
        Ok((witness, RecordedRun::new(layout, tape)))
    }

    /// The module, started to be recorded on these values of its inputs.
    pub(super) fn recorder<F: TapeField>(
        &self,
        variant: Variant,
        values: &[F],
        log: Option<LogSink>,
    ) -> Result<Instance<F>, Error> {
        let shared = self.compiled.recognised().ok_or(Error::Unnatural)?.shared;
        let recorder = Recorder::new(values, shared).map_err(|_| Error::Unnatural)?;
        let mode = Mode::Recording(Box::new(recorder));
        Instance::start(&self.compiled, variant, mode, self.limits, log)
    }

    /// Sets the inputs of a module whose run is recorded. The recording, with the nodes of the wires.
    pub(super) fn record<F: TapeField>(
        &self,
        mut instance: Instance<F>,
        layout: &[(u64, u32)],
    ) -> Result<(Recording<F>, Vec<Node>), Error> {
        let mut index = 0;
        for (hash, count) in layout {
            for position in 0..*count {
                instance.set_recorded_input(SignalHash(*hash), position, index)?;
                index += 1;
            }
        }
        let mut wires = Vec::with_capacity(self.witness_size as usize);
        for wire in 0..self.witness_size {
            wires.push(instance.recorded_witness(wire)?);
        }
        let recording = instance.into_recording().ok_or(Error::Unnatural)?;
        Ok((recording, wires))
    }
}

/// True if the replay of a tape gives what was recorded.
pub(super) fn is_replayed<F: TapeField>(
    tape: &Tape<F>,
    recording: &Recording<F>,
    wires: &[Node],
    inputs: &[F],
) -> bool {
    let value = |wire: &Node| Integer::from(recording.value(*wire));
    let replayed = Replayer::new().replay(tape, inputs);
    replayed.is_ok_and(|replayed| replayed.iter().copied().eq(wires.iter().map(value)))
}
