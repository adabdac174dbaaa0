//! The order of the calls: init, check the inputs, set them, read the wires.

mod recorded;
mod rehearsed;

use crate::input::Inputs;
use frumious_circom::generic::Wtns;
use frumious_curves::{Bn254, PairingCurve, PairingEngine, bn254};
use frumious_field::Integer;
use frumious_tape::TapeField;
use std::sync::{Arc, Mutex, PoisonError};
use zeroize::Zeroizing;

use crate::compiled::CompiledModule;
use crate::error::{Error, InputProblem, Limit};
use crate::host::{Limits, LogSink, Mode};
use crate::input::{self, Signal};
use crate::instance::Instance;
use crate::signal_hash::SignalHash;
use crate::tapes::RecordedRun;
use crate::variant::Variant;

/// A witness, and the run that gave it if it could be recorded.
pub type Recorded<E> = (Wtns<E>, Option<RecordedRun<<E as PairingEngine>::Fr>>);

/// The arithmetic of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Arithmetic {
    /// The module's own.
    Modules,
    /// Ours, in place of circom's routines.
    Ours,
}

/// A witness generator, read, checked and ready to run any number of times, from several threads at once.
pub struct WitnessCalculator {
    compiled: CompiledModule,
    limits: Limits,
    curve: PairingCurve,
    input_size: u32,
    witness_size: u32,
}

impl WitnessCalculator {
    /// Compiles a `.wasm` that circom 2 wrote, with the default [`Limits`].
    ///
    /// # Errors
    /// As [`WitnessCalculator::with_limits`].
    pub fn from_wasm(bytes: &[u8]) -> Result<Self, Error> {
        Self::with_limits(bytes, Limits::default())
    }

    /// Compiles a `.wasm` that circom 2 wrote. The limits are for what it does when it runs, not for
    /// [compiling](CompiledModule::new) it.
    ///
    /// # Errors
    /// As [`CompiledModule::new`] and [`WitnessCalculator::new`].
    pub fn with_limits(bytes: &[u8], limits: Limits) -> Result<Self, Error> {
        Self::new(CompiledModule::new(bytes)?, limits)
    }

    /// Asks a module what it is, for which it runs under `limits`.
    ///
    /// # Errors
    /// [`Error::Interface`] for a module of something else, of circom 1, or for another prime than BN254's and
    /// BLS12-381's. [`Error::Stopped`] and [`Error::Crashed`] for one that does not even start.
    pub fn new(compiled: CompiledModule, limits: Limits) -> Result<Self, Error> {
        let variant = compiled.translated();
        let mut instance =
            Instance::<bn254::Fr>::start(&compiled, variant, Mode::AsItIs, limits, None)?;
        let curve = instance.curve();
        let input_size = instance.input_size()?;
        let witness_size = instance.witness_size()?;
        if u64::from(witness_size) * VALUE_BYTES > limits.memory_bytes {
            return Err(Error::Stopped(Limit::Memory {
                bytes: limits.memory_bytes,
            }));
        }
        Ok(Self {
            compiled,
            limits,
            curve,
            input_size,
            witness_size,
        })
    }

    /// The curve whose scalar field the circuit is over.
    pub fn curve(&self) -> PairingCurve {
        self.curve
    }

    /// Number of values that the circuit's inputs take together.
    pub fn input_size(&self) -> u32 {
        self.input_size
    }

    /// Number of wires, the constant one included.
    pub fn witness_size(&self) -> u32 {
        self.witness_size
    }

    /// The witness for `inputs`, the same as snarkjs calculates, of a circuit over BN254.
    ///
    /// `inputs` is an object of signal names. A value is an integer of any size and sign, taken modulo r. It is a JSON
    /// number, a string with a decimal, `0x`, `0o` or `0b` number, or a boolean. A signal is a value, or an array of
    /// values, nested as you like, which is read in order. A bus is an object of its fields (in arrays too).
    ///
    /// # Errors
    /// [`Error::Interface`] when the circuit is over another curve: see [`WitnessCalculator::calculate_over`].
    /// [`Error::Unsatisfied`] when an assertion of the circuit fails. [`Error::Input`] and [`Error::MissingInputs`]
    /// when the inputs are not the circuit's; [`Error::Exception`], [`Error::Stopped`], [`Error::Crashed`] and
    /// [`Error::Result`] when the module misbehaves.
    pub fn calculate(&self, inputs: &Inputs) -> Result<Wtns<Bn254>, Error> {
        self.run(inputs, None, None)
    }

    /// As [`WitnessCalculator::calculate`], of a circuit over the curve of `E`.
    ///
    /// # Errors
    /// As [`WitnessCalculator::calculate`].
    pub fn calculate_over<E: PairingEngine>(&self, inputs: &Inputs) -> Result<Wtns<E>, Error> {
        self.run(inputs, None, None)
    }

    /// As [`WitnessCalculator::calculate`], with the lines that the circuit's `log()` writes. They may tell secrets.
    ///
    /// # Errors
    /// As [`WitnessCalculator::calculate`].
    pub fn calculate_with_log(
        &self,
        inputs: &Inputs,
        log: impl FnMut(&str) + Send + 'static,
    ) -> Result<Wtns<Bn254>, Error> {
        self.run(inputs, Some(Box::new(log)), None)
    }

    /// As [`WitnessCalculator::calculate_with_log`], of a circuit over the curve of `E`.
    ///
    /// # Errors
    /// As [`WitnessCalculator::calculate`].
    pub fn calculate_over_with_log<E: PairingEngine>(
        &self,
        inputs: &Inputs,
        log: impl FnMut(&str) + Send + 'static,
    ) -> Result<Wtns<E>, Error> {
        self.run(inputs, Some(Box::new(log)), None)
    }

    /// As [`WitnessCalculator::calculate_over`], with the run as a tape if it can be recorded. Then other inputs need
    /// no module. `log` gets the lines that the circuit's `log()` writes.
    ///
    /// # Errors
    /// As [`WitnessCalculator::calculate`].
    pub fn record_over<E: PairingEngine>(
        &self,
        inputs: &Inputs,
        log: Option<LogSink>,
    ) -> Result<Recorded<E>, Error> {
        let signals = self.signals::<E>(inputs)?;
        let lines = Lines::new(log);
        if self.is_recognised::<E>() {
            match self.recorded::<E>(&signals, lines.sink()) {
                Err(Error::Unnatural) => lines.forget(),
                Ok((witness, run)) => {
                    lines.hand_on();
                    return Ok((witness, Some(run)));
                }
                Err(other) => {
                    lines.hand_on();
                    return Err(other);
                }
            }
        }
        let witness = self.unrecorded(&signals, &lines, None);
        lines.hand_on();
        witness.map(|witness| (witness, None))
    }

    /// As [`WitnessCalculator::calculate_over`], by one way only: to compare them.
    ///
    /// # Errors
    /// As [`WitnessCalculator::calculate`]; [`Error::Interface`] for our arithmetic in a module whose routines are not
    /// known.
    pub fn calculate_with<E: PairingEngine>(
        &self,
        inputs: &Inputs,
        arithmetic: Arithmetic,
    ) -> Result<Wtns<E>, Error> {
        let signals = self.signals::<E>(inputs)?;
        match arithmetic {
            Arithmetic::Modules => {
                self.by_module(&signals, Variant::AsItIs, Mode::AsItIs, None, None)
            }
            Arithmetic::Ours if self.is_recognised::<E>() => {
                self.by_module(&signals, Variant::Native, Mode::Native, None, None)
            }
            Arithmetic::Ours => Err(Error::Interface {
                problem: "its field routines are not known".into(),
            }),
        }
    }

    /// When an assertion fails, `unfinished` gets the wires as they are then: those not computed yet are zero.
    pub(crate) fn run<E: PairingEngine>(
        &self,
        inputs: &Inputs,
        log: Option<LogSink>,
        unfinished: Option<&mut Option<Wtns<E>>>,
    ) -> Result<Wtns<E>, Error> {
        let signals = self.signals::<E>(inputs)?;
        let lines = Lines::new(log);
        let witness = self.unrecorded(&signals, &lines, unfinished);
        lines.hand_on();
        witness
    }

    fn signals<E: PairingEngine>(&self, inputs: &Inputs) -> Result<Vec<Signal>, Error> {
        let signals = input::flatten::<E::Fr>(inputs)?;
        match self.curve == E::CURVE {
            true => Ok(signals),
            false => Err(Error::Interface {
                problem: format!("its prime is {}'s, not {}'s", self.curve, E::CURVE),
            }),
        }
    }

    fn is_recognised<E: PairingEngine>(&self) -> bool {
        let recognised = self.compiled.recognised();
        recognised.is_some_and(|recognised| recognised.curve == E::CURVE)
    }

    /// With our arithmetic if that can be, else as the module is.
    fn unrecorded<E: PairingEngine>(
        &self,
        signals: &[Signal],
        lines: &Lines,
        mut unfinished: Option<&mut Option<Wtns<E>>>,
    ) -> Result<Wtns<E>, Error> {
        if self.is_recognised::<E>() {
            let log = lines.sink();
            let kept = unfinished.as_deref_mut();
            match self.by_module(signals, Variant::Native, Mode::Native, log, kept) {
                Err(Error::Unnatural | Error::Crashed { .. }) => lines.forget(),
                other => return other,
            }
        }
        let log = lines.sink();
        self.by_module(signals, Variant::AsItIs, Mode::AsItIs, log, unfinished)
    }

    fn by_module<E: PairingEngine>(
        &self,
        signals: &[Signal],
        variant: Variant,
        mode: Mode<E::Fr>,
        log: Option<LogSink>,
        unfinished: Option<&mut Option<Wtns<E>>>,
    ) -> Result<Wtns<E>, Error> {
        let mut instance = Instance::start(&self.compiled, variant, mode, self.limits, log)?;
        let ended = self
            .begin(&mut instance, signals)
            .and_then(|()| set_inputs(&mut instance, signals));
        match ended {
            Ok(()) => self.read_witness(&mut instance),
            Err(error) => {
                if let (Error::Unsatisfied { .. }, Some(kept)) = (&error, unfinished) {
                    *kept = self.read_witness(&mut instance).ok();
                }
                Err(error)
            }
        }
    }

    fn begin<F: TapeField>(
        &self,
        instance: &mut Instance<F>,
        signals: &[Signal],
    ) -> Result<(), Error> {
        // circom's own script turns the sanity check on, snarkjs does not; modules of circom 2.2 check in both cases.
        instance.init(true)?;
        self.check_counts(instance, signals)
    }

    /// Before any value is set, as the last one makes the circuit run.
    fn check_counts<F: TapeField>(
        &self,
        instance: &mut Instance<F>,
        signals: &[Signal],
    ) -> Result<(), Error> {
        let mut total = 0;
        for signal in signals {
            let expected = instance.signal_size(SignalHash::of(&signal.name))?.into();
            let given = signal.values.len() as u64;
            total += given;
            if given != expected {
                return Err(Error::Input {
                    signal: signal.name.clone(),
                    problem: match expected {
                        0 => InputProblem::Unknown,
                        _ => InputProblem::Count { expected, given },
                    },
                });
            }
        }
        let expected = self.input_size.into();
        match total < expected {
            true => Err(Error::MissingInputs {
                given: total,
                expected,
            }),
            false => Ok(()),
        }
    }

    fn read_witness<E: PairingEngine>(
        &self,
        instance: &mut Instance<E::Fr>,
    ) -> Result<Wtns<E>, Error> {
        // At most `memory_bytes` bytes: checked when the module was loaded. Reserved at once, so that no copy of the values
        // is left behind by a reallocation.
        let mut values = Zeroizing::new(Vec::new());
        values
            .try_reserve_exact(self.witness_size as usize)
            .map_err(|_| {
                Error::Stopped(Limit::Memory {
                    bytes: self.limits.memory_bytes,
                })
            })?;
        for wire in 0..self.witness_size {
            values.push(instance.witness(wire)?);
        }
        Wtns::from_words(std::mem::take(&mut *values)).map_err(Error::Result)
    }
}

fn set_inputs<F: TapeField>(instance: &mut Instance<F>, signals: &[Signal]) -> Result<(), Error> {
    for signal in signals {
        let hash = SignalHash::of(&signal.name);
        for (position, value) in (0..).zip(signal.values.iter()) {
            // Reduced by `flatten`.
            let value = Integer::from_words_unchecked(*value);
            instance.set_input(hash, position, &value)?;
        }
    }
    Ok(())
}

/// The lines that a circuit logs, kept until it is known that the run counts.
struct Lines {
    log: Option<Mutex<LogSink>>,
    kept: Arc<Mutex<Vec<String>>>,
}

impl Lines {
    fn new(log: Option<LogSink>) -> Self {
        Self {
            log: log.map(Mutex::new),
            kept: Arc::default(),
        }
    }

    fn sink(&self) -> Option<LogSink> {
        self.log.as_ref()?;
        let kept = Arc::clone(&self.kept);
        Some(Box::new(move |line: &str| {
            let mut kept = kept.lock().unwrap_or_else(PoisonError::into_inner);
            kept.push(line.to_owned());
        }))
    }

    fn forget(&self) {
        let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        kept.clear();
    }

    fn hand_on(self) {
        let kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(log) = self.log {
            let mut log = log.into_inner().unwrap_or_else(PoisonError::into_inner);
            kept.iter().for_each(|line| log(line));
        }
    }
}

const VALUE_BYTES: u64 = 32;
