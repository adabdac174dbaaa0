//! The module's side of the interface: one method for each export, each failure turned into an [`Error`].
//!
//! Values pass through a shared buffer of eight 32-bit words, the least significant first.

use frumious_curves::{PairingCurve, bls12_381, bn254};
use wasmtime::{Store, Trap, TypedFunc, WasmParams, WasmResults};

use crate::compiled::CompiledModule;
use crate::deadline::Ticker;
use crate::error::{Error, Limit};
use crate::host::{self, Exception, Host, Limits, LogSink};

/// The name of a signal as the module knows it: FNV-1a of 64 bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct SignalHash(pub(crate) u64);

impl SignalHash {
    /// Source: Fowler, Noll, Vo; offset basis and prime as in RFC 9923. circom's script hashes the UTF-16
    /// units of the name, which for circom's identifiers are its bytes.
    pub(crate) fn of(name: &str) -> Self {
        Self(
            name.encode_utf16()
                .fold(0xcbf2_9ce4_8422_2325, |hash: u64, unit| {
                    (hash ^ u64::from(unit)).wrapping_mul(0x0100_0000_01b3)
                }),
        )
    }

    pub(crate) fn halves(self) -> (i32, i32) {
        let high = (self.0 >> 32) as u32;
        let low = self.0 as u32;
        (high.cast_signed(), low.cast_signed())
    }
}

/// A module in the middle of one run.
pub(crate) struct Instance {
    store: Store<Host>,
    exports: Exports,
    curve: PairingCurve,
    _clock: Ticker,
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

impl Instance {
    /// Starts a fresh instance, and checks that it is of circom 2 and for a known curve.
    pub(crate) fn start(
        compiled: &CompiledModule,
        limits: Limits,
        log: Option<LogSink>,
    ) -> Result<Self, Error> {
        let CompiledModule { engine, module } = compiled;
        let mut store = Store::new(engine, Host::new(limits, log));
        store.limiter(|host| host);
        let clock =
            Ticker::start(engine, &mut store, limits.time).map_err(|source| Error::Crashed {
                reason: format!("cannot start the clock: {source}"),
            })?;
        let instance = host::linker(engine)
            .and_then(|linker| linker.instantiate(&mut store, module))
            .map_err(|error| match failure(&error, &store) {
                // What is neither a limit nor a trap is an import that we do not offer.
                Error::Crashed { reason } if !error.is::<Trap>() => {
                    Error::Interface { problem: reason }
                }
                other => other,
            })?;
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
            _clock: clock,
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
        let init = self.exports.init.clone();
        self.call(&init, sanity_check.into())
    }

    /// Number of values that all inputs together take.
    pub(crate) fn input_size(&mut self) -> Result<u32, Error> {
        let get_input_size = self.exports.get_input_size.clone();
        self.call(&get_input_size, ()).map(i32::cast_unsigned)
    }

    /// Number of values of one input signal; zero or nonsense for a signal that does not exist.
    pub(crate) fn signal_size(&mut self, hash: SignalHash) -> Result<u32, Error> {
        let get_input_signal_size = self.exports.get_input_signal_size.clone();
        self.call(&get_input_signal_size, hash.halves())
            .map(i32::cast_unsigned)
    }

    /// Gives value `position` of an input signal; the last one that was missing makes the circuit run.
    pub(crate) fn set_input(
        &mut self,
        hash: SignalHash,
        position: u32,
        value: &[u64; 4],
    ) -> Result<(), Error> {
        let write_shared = self.exports.write_shared.clone();
        for (j, word) in (0..).zip(words(value)) {
            self.call(&write_shared, (j, word.cast_signed()))?;
        }
        let (high, low) = hash.halves();
        let set_input_signal = self.exports.set_input_signal.clone();
        self.call(&set_input_signal, (high, low, position.cast_signed()))
    }

    /// Number of wires.
    pub(crate) fn witness_size(&mut self) -> Result<u32, Error> {
        let get_witness_size = self.exports.get_witness_size.clone();
        self.call(&get_witness_size, ()).map(i32::cast_unsigned)
    }

    /// The value of a wire: plain words, the least significant first; not checked.
    pub(crate) fn witness(&mut self, wire: u32) -> Result<[u64; 4], Error> {
        let get_witness = self.exports.get_witness.clone();
        self.call(&get_witness, wire.cast_signed())?;
        self.read_shared()
    }

    fn read_shared(&mut self) -> Result<[u64; 4], Error> {
        let read_shared = self.exports.read_shared.clone();
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
        function
            .call(&mut self.store, arguments)
            .map_err(|error| failure(&error, &self.store))
    }
}

/// Finds exports by name and type.
struct Lookup<'a> {
    instance: wasmtime::Instance,
    store: &'a mut Store<Host>,
}

impl Lookup<'_> {
    fn typed<P: WasmParams, R: WasmResults>(
        &mut self,
        name: &str,
    ) -> Result<TypedFunc<P, R>, Error> {
        let function = self
            .instance
            .get_func(&mut *self.store, name)
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
fn failure(error: &wasmtime::Error, store: &Store<Host>) -> Error {
    let trace = || store.data().trace().to_owned();
    if let Some(limit) = error.downcast_ref::<Limit>() {
        return Error::Stopped(*limit);
    }
    if let Some(Exception(code)) = error.downcast_ref() {
        let reason = match code {
            1 => "an input signal was not found",
            2 => "too many input values were given",
            3 => "an input value was given twice",
            4 => return Error::Unsatisfied { trace: trace() },
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
        reason: error.root_cause().to_string(),
    }
}

/// The eight 32-bit words of a value, the least significant first.
fn words(value: &[u64; 4]) -> impl Iterator<Item = u32> {
    value
        .iter()
        .flat_map(|limb| [*limb as u32, (limb >> 32) as u32])
}
