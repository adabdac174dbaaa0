//! The imports that the routines of a rewritten module call.

use frumious_tape::{Operation, TapeField};
use wasmi::{Caller, Error as WasmError, Linker};

use super::{Host, Mode};
use crate::native::{self, Halt};
use crate::recorder::{Choice, Division, Recorder};
use crate::rewrite::{CHOOSE, CHOOSE_QUOTIENT, CHOSEN, HOLDS, HOST, LOAD, import_name};
use crate::routines::{ROUTINES, Routine};

/// The routines that a rewritten module calls.
pub(crate) fn add_routines<F: TapeField>(linker: &mut Linker<Host<F>>) -> Result<(), WasmError> {
    linker.func_wrap(
        HOST,
        LOAD,
        |mut caller: Caller<'_, Host<F>>, address: i32, offset: i32, width: i32| {
            let [address, offset, width] = [address, offset, width].map(i32::cast_unsigned);
            routine_of(&mut caller, |mode, memory| match mode {
                Mode::Recording(recorder) => recorder.load(memory, address, offset, width),
                _ => native::load(memory, address, offset, width),
            })
        },
    )?;
    linker.func_wrap(HOST, HOLDS, |mut caller: Caller<'_, Host<F>>, a: i32| {
        routine_of(&mut caller, |mode, memory| match mode {
            Mode::Recording(recorder) => recorder.holds(memory, a.cast_unsigned()),
            _ => native::is_true::<F>(memory, a.cast_unsigned()),
        })
        .map(i32::from)
    })?;
    linker.func_wrap(
        HOST,
        CHOOSE,
        |mut caller: Caller<'_, Host<F>>, condition: i32, to: i32, then: i32, otherwise: i32| {
            let places = [to, then, otherwise].map(i32::cast_unsigned);
            let condition = condition.cast_unsigned();
            chosen(&mut caller, |recorder, memory| {
                recorder.choose(memory, condition, places)
            })
        },
    )?;
    linker.func_wrap(
        HOST,
        CHOOSE_QUOTIENT,
        |mut caller: Caller<'_, Host<F>>,
         condition: i32,
         to: i32,
         dividend: i32,
         divisor: i32,
         quotient: i32,
         other: i32,
         is_of_true: i32| {
            let division = Division {
                to: to.cast_unsigned(),
                dividend: dividend.cast_unsigned(),
                divisor: divisor.cast_unsigned(),
                quotient: quotient.cast_unsigned(),
                other: other.cast_unsigned(),
                is_of_true: is_of_true != 0,
            };
            chosen(&mut caller, |recorder, memory| {
                recorder.choose_quotient(memory, condition.cast_unsigned(), &division)
            })
        },
    )?;
    for (number, routine) in ROUTINES {
        let name = import_name(number);
        match routine {
            Routine::Apply(operation) if operation.is_unary() => linker.func_wrap(
                HOST,
                &name,
                move |mut caller: Caller<'_, Host<F>>, to: i32, a: i32| {
                    apply(&mut caller, operation, [to, a, a])
                },
            )?,
            Routine::Apply(operation) => linker.func_wrap(
                HOST,
                &name,
                move |mut caller: Caller<'_, Host<F>>, to: i32, a: i32, b: i32| {
                    apply(&mut caller, operation, [to, a, b])
                },
            )?,
            Routine::Divide => linker.func_wrap(
                HOST,
                &name,
                |mut caller: Caller<'_, Host<F>>, to: i32, a: i32, b: i32| {
                    let places = [to, a, b].map(i32::cast_unsigned);
                    routine_of(&mut caller, |mode, memory| match mode {
                        Mode::Recording(recorder) => recorder.divide(memory, places),
                        _ => native::divide::<F>(memory, places),
                    })?;
                    pay(&mut caller, Operation::Inverse)
                },
            )?,
            Routine::IsTrue => {
                linker.func_wrap(HOST, &name, |mut caller: Caller<'_, Host<F>>, a: i32| {
                    routine_of(&mut caller, |mode, memory| match mode {
                        Mode::Recording(recorder) => recorder.is_true(memory, a.cast_unsigned()),
                        _ => native::is_true::<F>(memory, a.cast_unsigned()),
                    })
                    .map(i32::from)
                })?
            }
            Routine::ToIndex => {
                linker.func_wrap(HOST, &name, |mut caller: Caller<'_, Host<F>>, a: i32| {
                    routine_of(&mut caller, |mode, memory| match mode {
                        Mode::Recording(recorder) => recorder.index(memory, a.cast_unsigned()),
                        _ => native::to_index::<F>(memory, a.cast_unsigned()),
                    })
                    .map(u32::cast_signed)
                })?
            }
            Routine::Equal => linker.func_wrap(
                HOST,
                &name,
                |mut caller: Caller<'_, Host<F>>, a: i32, b: i32| {
                    let (a, b) = (a.cast_unsigned(), b.cast_unsigned());
                    routine_of(&mut caller, |mode, memory| match mode {
                        Mode::Recording(recorder) => recorder.equal(memory, a, b),
                        _ => native::equal::<F>(memory, a, b),
                    })
                    .map(i32::from)
                },
            )?,
            Routine::ToLong => {
                linker.func_wrap(HOST, &name, |mut caller: Caller<'_, Host<F>>, a: i32| {
                    routine_of(&mut caller, |mode, memory| match mode {
                        Mode::Recording(recorder) => recorder.ready(a.cast_unsigned()),
                        _ => native::to_long::<F>(memory, a.cast_unsigned()),
                    })
                })?
            }
        };
    }
    Ok(())
}

/// The answer to a condition that decides a value, in a run that is recorded.
fn chosen<F: TapeField>(
    caller: &mut Caller<'_, Host<F>>,
    choose: impl FnOnce(&mut Recorder<F>, &mut [u8]) -> Result<Choice, Halt>,
) -> Result<i32, WasmError> {
    routine_of(caller, |mode, memory| match mode {
        Mode::Recording(recorder) => choose(recorder, memory),
        _ => Err(Halt::RawAccess), // only modules that are recorded call it
    })
    .map(|choice| match choice {
        Choice::Written => CHOSEN,
        Choice::Decided(truth) => i32::from(truth),
    })
}

fn apply<F: TapeField>(
    caller: &mut Caller<'_, Host<F>>,
    operation: Operation,
    places: [i32; 3],
) -> Result<(), WasmError> {
    let places = places.map(i32::cast_unsigned);
    routine_of(caller, |mode, memory| match mode {
        Mode::Recording(recorder) => recorder.apply(memory, operation, places),
        _ => native::apply::<F>(memory, operation, places),
    })?;
    pay(caller, operation)
}

/// Takes the fuel for a slow operation, so that the clock is looked at as soon as after instructions of the same time.
/// For others the module's own instructions around the call are enough.
#[inline]
fn pay<H>(caller: &mut Caller<'_, H>, operation: Operation) -> Result<(), WasmError> {
    if operation.cost() == 1 {
        return Ok(());
    }
    let left = caller.get_fuel()?;
    caller.set_fuel(left.saturating_sub(operation.cost() as u64 * STEP))
}

/// A routine, on the module's memory.
#[inline]
fn routine_of<F: TapeField, T>(
    caller: &mut Caller<'_, Host<F>>,
    routine: impl FnOnce(&mut Mode<F>, &mut [u8]) -> Result<T, Halt>,
) -> Result<T, WasmError> {
    let memory = caller.data().memory;
    let memory = memory.ok_or_else(|| WasmError::host(Halt::Address))?;
    let (bytes, host) = memory.data_and_store_mut(&mut *caller);
    let result = routine(&mut host.mode, bytes);
    result
        .and_then(|result| host.within_memory().map(|()| result))
        .map_err(WasmError::host)
}

/// Fuel of a step of a replay, about: some 40 ns, of two an instruction.
const STEP: u64 = 20;
