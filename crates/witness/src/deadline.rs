//! The clock under which a module runs.
//!
//! The interpreter counts what it does, its *fuel*, and stops when there is none left. It gets enough for some
//! hundredths of a second at a time. Each time the clock is looked at, and a cancellation is obeyed.

use std::time::{Duration, Instant};

use wasmi::{
    Caller, Error as WasmError, Store, TypedFunc, TypedResumableCall, WasmParams, WasmResults,
};

use crate::error::{Error, Limit};

/// The time that a module has, from now on.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Deadline {
    start: Instant,
    time: Duration,
}

impl Deadline {
    pub(crate) fn start(time: Duration) -> Self {
        Self {
            start: Instant::now(),
            time,
        }
    }

    /// Gives fuel for a while, or stops with [`Limit::Time`].
    pub(crate) fn refuel<H>(&self, store: &mut Store<H>) -> Result<(), WasmError> {
        frumious_parallel::check_cancelled();
        if self.start.elapsed() >= self.time {
            return Err(WasmError::host(Limit::Time {
                seconds: self.time.as_secs(),
            }));
        }
        store.set_fuel(FUEL)
    }

    /// Calls a function until it has returned or the time is over. `meaning` is that of an error.
    pub(crate) fn call<H, P: WasmParams, R: WasmResults>(
        &self,
        store: &mut Store<H>,
        function: &TypedFunc<P, R>,
        arguments: P,
        meaning: impl Fn(&WasmError, &Store<H>) -> Error,
    ) -> Result<R, Error> {
        if store.get_fuel().is_ok_and(|fuel| fuel < FUEL / 2) {
            self.refuel(store).map_err(|error| meaning(&error, store))?;
        }
        let mut call = function.call_resumable(&mut *store, arguments);
        loop {
            call = match call {
                Ok(TypedResumableCall::Finished(result)) => return Ok(result),
                Ok(TypedResumableCall::HostTrap(trap)) => {
                    return Err(meaning(trap.host_error(), store));
                }
                Ok(TypedResumableCall::OutOfFuel(paused)) => {
                    let needed = paused.required_fuel();
                    self.refuel(store)
                        .and_then(|()| store.set_fuel(needed.max(FUEL))) // a step may be larger: to fill a memory
                        .map_err(|error| meaning(&error, store))?;
                    paused.resume(&mut *store)
                }
                Err(error) => return Err(meaning(&error, store)),
            };
        }
    }
}

/// Calls of the module from within a call of ours: these cannot be paused. They get fuel of their own. What they took
/// is taken from the module's afterwards, and fuel for the time of our own work, too. So the clock is looked at soon.
pub(crate) fn within_call<H, T>(
    caller: &mut Caller<'_, H>,
    act: impl FnOnce(&mut Caller<'_, H>) -> Result<T, WasmError>,
) -> Result<T, WasmError> {
    let (own, start) = (caller.get_fuel()?, Instant::now());
    caller.set_fuel(own + FUEL)?;
    let result = act(caller);
    let left = caller.get_fuel()?;
    let taken = FUEL + start.elapsed().as_nanos() as u64; // an instruction takes one or two
    caller.set_fuel(left.saturating_sub(taken))?;
    result
}

/// Some hundredths of a second.
const FUEL: u64 = 20_000_000;
