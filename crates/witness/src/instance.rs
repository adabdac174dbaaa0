//! The module's side of the interface: one method for each export, each failure turned into an [`Error`].
//!
//! Values pass through a shared buffer of eight 32-bit words, the least significant first.

use frumious_curves::{PairingCurve, bls12_381, bn254};
use frumious_field::Integer;
use frumious_tape::{Recording, TapeField, Value};
use wasmi::{Error as WasmError, Store, TypedFunc, WasmParams, WasmResults};

use crate::compiled::CompiledModule;
use crate::deadline::Deadline;
use crate::error::{Error, Limit, Place};
use crate::host::{self, Exception, Host, Limits, LogSink, Mode};
use crate::native::Halt;
use crate::signal_hash::SignalHash;
use crate::variant::Variant;

/// A module in the middle of one run.
pub(crate) struct Instance<F: TapeField> {
    store: Store<Host<F>>,
    exports: Exports,
    curve: PairingCurve,
    deadline: Deadline,
    /// Where the shared buffer is, if the module is known to have it where circom has.
    shared: Option<u32>,
}

/// The exports that every circom 2 module has.
struct Exports {
    init: TypedFunc<i32, ()>,
    get_input_size: TypedFunc<(), i32>,
    get_input_signal_size: TypedFunc<(i32, i32), i32>,
    get_witness_size: TypedFunc<(), i32>,
    set_input_signal: TypedFunc<(i32, i32, i32), ()>,
    get_witness: TypedFunc<i32, ()>,
    read_shared: TypedFunc<i32, i32>,
    write_shared: TypedFunc<(i32, i32), ()>,
}

impl<F: TapeField> Instance<F> {
    /// Starts a fresh instance, and checks that it is of circom 2 and for a known curve.
    pub(crate) fn start(
        compiled: &CompiledModule,
        variant: Variant,
        mode: Mode<F>,
        limits: Limits,
        log: Option<LogSink>,
    ) -> Result<Self, Error> {
        let module = compiled
            .variant(variant)
            .ok_or_else(|| interface("it cannot be run so".into()))?;
        if module.imports().any(|import| import.name() == CIRCOM_1) {
            return Err(interface(
                "circom 1 has compiled it; compile the circuit with circom 2".into(),
            ));
        }
        let mut store = Store::new(&compiled.engine, Host::new(limits, log, mode));
        store.limiter(|host| host);
        let deadline = Deadline::start(limits.time);
        let instance = deadline
            .refuel(&mut store)
            .and_then(|()| {
                let mut linker = host::linker(&compiled.engine)?;
                if variant != Variant::AsItIs {
                    host::add_routines(&mut linker)?;
                }
                linker.instantiate_and_start(&mut store, module)
            })
            .map_err(|error| match failure(&error, &store) {
                // What is neither a limit nor a trap is an import that we do not offer.
                Error::Crashed { reason } if error.as_trap_code().is_none() => {
                    Error::Interface { problem: reason }
                }
                other => other,
            })?;
        store.data_mut().memory = instance.get_memory(&store, "memory");
        let mut lookup = Lookup {
            instance,
            store: &mut store,
        };
        let version = lookup.typed::<(), i32>("getVersion")?;
        let words = lookup.typed::<(), i32>("getFieldNumLen32")?;
        let get_raw_prime = lookup.typed::<(), ()>("getRawPrime")?;
        let exports = Exports {
            init: lookup.typed("init")?,
            get_input_size: lookup.typed("getInputSize")?,
            get_input_signal_size: lookup.typed("getInputSignalSize")?,
            get_witness_size: lookup.typed("getWitnessSize")?,
            set_input_signal: lookup.typed("setInputSignal")?,
            get_witness: lookup.typed("getWitness")?,
            read_shared: lookup.typed("readSharedRWMemory")?,
            write_shared: lookup.typed("writeSharedRWMemory")?,
        };
        let mut started = Self {
            store,
            exports,
            curve: PairingCurve::Bn254, // until it has told its prime
            deadline,
            shared: match variant {
                Variant::AsItIs => None,
                _ => compiled.recognised().map(|recognised| recognised.shared),
            },
        };
        match started.call(&version, ())? {
            2 => {}
            other => return Err(interface(format!("it is of version {other}, not 2"))),
        }
        let words = started.call(&words, ())?;
        started.call(&get_raw_prime, ())?;
        started.curve = match started.read_shared()? {
            _ if words != 8 => return Err(interface("its prime is another one".into())),
            bn254::Fr::MODULUS => PairingCurve::Bn254,
            bls12_381::Fr::MODULUS => PairingCurve::Bls12_381,
            _ => return Err(interface("its prime is another one".into())),
        };
        Ok(started)
    }

    /// The curve whose scalar field the circuit is over.
    pub(crate) fn curve(&self) -> PairingCurve {
        self.curve
    }

    /// Resets the module; with `sanity_check` it also checks what its constraints say. A circuit without inputs runs
    /// here.
    pub(crate) fn init(&mut self, sanity_check: bool) -> Result<(), Error> {
        let init = self.exports.init;
        self.call(&init, sanity_check.into())
    }

    /// Number of values that all inputs together take.
    pub(crate) fn input_size(&mut self) -> Result<u32, Error> {
        let get_input_size = self.exports.get_input_size;
        self.call(&get_input_size, ()).map(i32::cast_unsigned)
    }

    /// Number of values of one input signal; zero or nonsense for a signal that does not exist.
    pub(crate) fn signal_size(&mut self, hash: SignalHash) -> Result<u32, Error> {
        let get_input_signal_size = self.exports.get_input_signal_size;
        self.call(&get_input_signal_size, hash.halves())
            .map(i32::cast_unsigned)
    }

    /// Gives value `position` of an input signal; the last one that was missing makes the circuit run.
    pub(crate) fn set_input(
        &mut self,
        hash: SignalHash,
        position: u32,
        value: &Integer<F>,
    ) -> Result<(), Error> {
        let write_shared = self.exports.write_shared;
        for (j, word) in (0..).zip(words(value.words())) {
            self.call(&write_shared, (j, word.cast_signed()))?;
        }
        self.set_shared_input(hash, position)
    }

    /// As [`set_input`](Self::set_input), while the run is recorded: `index` is the input's number.
    pub(crate) fn set_recorded_input(
        &mut self,
        hash: SignalHash,
        position: u32,
        index: usize,
    ) -> Result<(), Error> {
        self.recorder(|recorder, memory| recorder.set_input(memory, index))?;
        self.set_shared_input(hash, position)
    }

    fn set_shared_input(&mut self, hash: SignalHash, position: u32) -> Result<(), Error> {
        let (high, low) = hash.halves();
        let set_input_signal = self.exports.set_input_signal;
        self.call(&set_input_signal, (high, low, position.cast_signed()))
    }

    /// Number of wires.
    pub(crate) fn witness_size(&mut self) -> Result<u32, Error> {
        let get_witness_size = self.exports.get_witness_size;
        self.call(&get_witness_size, ()).map(i32::cast_unsigned)
    }

    /// The value of a wire: plain words, the least significant first; not checked.
    pub(crate) fn witness(&mut self, wire: u32) -> Result<[u64; 4], Error> {
        let get_witness = self.exports.get_witness;
        self.call(&get_witness, wire.cast_signed())?;
        self.read_shared()
    }

    /// The node of a wire, while the run is recorded.
    pub(crate) fn recorded_witness(&mut self, wire: u32) -> Result<Value, Error> {
        let get_witness = self.exports.get_witness;
        self.call(&get_witness, wire.cast_signed())?;
        self.recorder(|recorder, memory| recorder.shared(memory))
    }

    /// The recording of the run that is over; none if it was not recorded.
    pub(crate) fn into_recording(self) -> Option<Recording<F>> {
        match self.store.into_data().mode {
            Mode::Recording(recorder) => Some(recorder.finish()),
            _ => None,
        }
    }

    fn recorder<T>(
        &mut self,
        act: impl FnOnce(&mut crate::recorder::Recorder<F>, &mut [u8]) -> Result<T, Halt>,
    ) -> Result<T, Error> {
        let memory = self.store.data().memory.ok_or(Error::Unnatural)?;
        let (bytes, host) = memory.data_and_store_mut(&mut self.store);
        match &mut host.mode {
            Mode::Recording(recorder) => act(recorder, bytes).map_err(|_| Error::Unnatural),
            _ => Err(Error::Unnatural),
        }
    }

    fn read_shared(&mut self) -> Result<[u64; 4], Error> {
        if let (Some(shared), Some(memory)) = (self.shared, self.store.data().memory) {
            let start = shared as usize + 8;
            let bytes = memory.data(&self.store).get(start..start + 32);
            let (words, _) = bytes.ok_or(Error::Unnatural)?.as_chunks::<8>();
            return Ok(core::array::from_fn(|i| u64::from_le_bytes(words[i])));
        }
        let read_shared = self.exports.read_shared;
        let mut limbs = [0; 4];
        for j in 0..8 {
            let word = self.call(&read_shared, j)?.cast_unsigned();
            limbs[j as usize / 2] |= u64::from(word) << (32 * (j % 2));
        }
        Ok(limbs)
    }

    fn call<P: WasmParams, R: WasmResults>(
        &mut self,
        function: &TypedFunc<P, R>,
        arguments: P,
    ) -> Result<R, Error> {
        let store = &mut self.store;
        self.deadline.call(store, function, arguments, failure)
    }
}

/// Finds exports by name and type.
struct Lookup<'a, F: TapeField> {
    instance: wasmi::Instance,
    store: &'a mut Store<Host<F>>,
}

impl<F: TapeField> Lookup<'_, F> {
    fn typed<P: WasmParams, R: WasmResults>(
        &mut self,
        name: &str,
    ) -> Result<TypedFunc<P, R>, Error> {
        let function = self
            .instance
            .get_func(&*self.store, name)
            .ok_or_else(|| interface(format!("it has no function {name}")))?;
        function
            .typed(&*self.store)
            .map_err(|_| interface(format!("its function {name} has another type")))
    }
}

fn interface(problem: String) -> Error {
    Error::Interface { problem }
}

/// The meaning of a failed call.
fn failure<F: TapeField>(error: &WasmError, store: &Store<Host<F>>) -> Error {
    let trace = || store.data().trace().to_owned();
    if store.data().is_over_memory {
        return Error::Stopped(store.data().memory_limit());
    }
    if let Some(limit) = error.downcast_ref::<Limit>() {
        return Error::Stopped(*limit);
    }
    if error.downcast_ref::<Halt>().is_some() {
        return Error::Unnatural;
    }
    if let Some(Exception(code)) = error.downcast_ref() {
        let reason = match code {
            1 => "an input signal was not found",
            2 => "too many input values were given",
            3 => "an input value was given twice",
            4 => {
                let trace = trace();
                let place = Place::in_trace(&trace);
                return Error::Unsatisfied { trace, place };
            }
            5 => "not enough memory",
            6 => "an input value lies beyond the end of its signal",
            7 => "an array was accessed out of bounds",
            _ => "unknown exception",
        };
        return Error::Exception {
            reason,
            trace: trace(),
        };
    }
    Error::Crashed {
        reason: error.to_string(),
    }
}

/// The eight 32-bit words of a value, the least significant first.
fn words(value: &[u64; 4]) -> impl Iterator<Item = u32> {
    value
        .iter()
        .flat_map(|limb| [*limb as u32, (limb >> 32) as u32])
}

/// An import that modules of circom 0.5 and 1 have, and no others.
const CIRCOM_1: &str = "logSetSignal";
