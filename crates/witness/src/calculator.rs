//! The order of the calls: init, check the inputs, set them, read the wires.

use frumious_circom::generic::Wtns;
use frumious_curves::{Bn254, PairingCurve, PairingEngine};
use serde_json::Value;
use zeroize::Zeroizing;

use crate::compiled::CompiledModule;
use crate::error::{Error, InputProblem, Limit};
use crate::host::{Limits, LogSink};
use crate::input::{self, Signal};
use crate::instance::{Instance, SignalHash};

/// A witness generator, compiled and ready to run any number of times, from several threads at once.
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
    /// [`Error::Interface`] for a module of something else, of circom 1 or for a prime of neither BN254 nor BLS12-381,
    /// [`Error::Stopped`] and [`Error::Crashed`] for one that does not even start.
    pub fn new(compiled: CompiledModule, limits: Limits) -> Result<Self, Error> {
        let mut instance = Instance::start(&compiled, limits, None)?;
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
    /// `inputs` is an object of signal names. A value is an integer of any size and sign, taken modulo r: a JSON
    /// number, a string with a decimal, `0x`, `0o` or `0b` number, or a boolean. Or an array of values, nested as you
    /// like, which is read in order. Or, for a bus, an object of its fields (in arrays too).
    ///
    /// # Errors
    /// [`Error::Interface`] when the circuit is over another curve: see [`WitnessCalculator::calculate_over`].
    /// [`Error::Unsatisfied`] when an assertion of the circuit fails. [`Error::Input`] and [`Error::MissingInputs`]
    /// when the inputs are not the circuit's; [`Error::Exception`], [`Error::Stopped`], [`Error::Crashed`] and
    /// [`Error::Result`] when the module misbehaves.
    pub fn calculate(&self, inputs: &Value) -> Result<Wtns<Bn254>, Error> {
        self.run(inputs, None)
    }

    /// As [`WitnessCalculator::calculate`], of a circuit over the curve of `E`.
    ///
    /// # Errors
    /// As [`WitnessCalculator::calculate`].
    pub fn calculate_over<E: PairingEngine>(&self, inputs: &Value) -> Result<Wtns<E>, Error> {
        self.run(inputs, None)
    }

    /// As [`WitnessCalculator::calculate`], with the lines that the circuit's `log()` writes. They may tell secrets.
    ///
    /// # Errors
    /// As [`WitnessCalculator::calculate`].
    pub fn calculate_with_log(
        &self,
        inputs: &Value,
        log: impl FnMut(&str) + Send + 'static,
    ) -> Result<Wtns<Bn254>, Error> {
        self.run(inputs, Some(Box::new(log)))
    }

    /// As [`WitnessCalculator::calculate_with_log`], of a circuit over the curve of `E`.
    ///
    /// # Errors
    /// As [`WitnessCalculator::calculate`].
    pub fn calculate_over_with_log<E: PairingEngine>(
        &self,
        inputs: &Value,
        log: impl FnMut(&str) + Send + 'static,
    ) -> Result<Wtns<E>, Error> {
        self.run(inputs, Some(Box::new(log)))
    }

    fn run<E: PairingEngine>(
        &self,
        inputs: &Value,
        log: Option<LogSink>,
    ) -> Result<Wtns<E>, Error> {
        let signals = input::flatten::<E::Fr>(inputs)?;
        let mut instance = Instance::start(&self.compiled, self.limits, log)?;
        if instance.curve() != E::CURVE {
            return Err(Error::Interface {
                problem: format!("its prime is {}'s, not {}'s", instance.curve(), E::CURVE),
            });
        }
        // circom's own script turns the sanity check on, snarkjs does not; modules of circom 2.2 check in both cases.
        instance.init(true)?;
        self.check_counts(&mut instance, &signals)?;
        for signal in &signals {
            set_signal(&mut instance, signal)?;
        }
        self.read_witness(&mut instance)
    }

    /// Before any value is set, as the last one makes the circuit run.
    fn check_counts(&self, instance: &mut Instance, signals: &[Signal]) -> Result<(), Error> {
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

    fn read_witness<E: PairingEngine>(&self, instance: &mut Instance) -> Result<Wtns<E>, Error> {
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

fn set_signal(instance: &mut Instance, signal: &Signal) -> Result<(), Error> {
    let hash = SignalHash::of(&signal.name);
    for (position, value) in (0..).zip(signal.values.iter()) {
        instance.set_input(hash, position, value)?;
    }
    Ok(())
}

const VALUE_BYTES: u64 = 32;
