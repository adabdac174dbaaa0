//! Our side of the module's interface: the four imports, and the limits.
//!
//! | import | what circom's modules say by it |
//! |---|---|
//! | `exceptionHandler(code)` | the run has failed |
//! | `printErrorMessage()` | a line of the account of where, behind `getMessageChar` |
//! | `writeBufferMessage()` | a part of a `log()` line, behind `getMessageChar`; a lone newline ends the line |
//! | `showSharedRWMemory()` | a value of a `log()` line, in the shared memory |
//!
//! Source: circom 2.2.3, `code_producers/src/wasm_elements`, and the script it writes beside each module.

mod calls;

pub(crate) use calls::add_routines;

use std::time::Duration;

use frumious_curves::bls12_381;
use frumious_tape::{Event, TapeField};
use wasmi::errors::HostError;
use wasmi::{Caller, Engine, Error as WasmError, Linker, Memory, ResourceLimiter};
use wasmi_core::LimiterError;

use crate::deadline::within_call;
use crate::error::Limit;
use crate::native::Halt;
use crate::recorder::Recorder;

/// The resources that a module may use. A module that asks for more is stopped with
/// [`Error::Stopped`](crate::Error::Stopped).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Size of its memory, in bytes. Default: 4 GiB, all that a 32-bit module can address; pages that it never touches
    /// cost nothing. A run is not recorded if the recording takes more, and is stopped if the lines that it logs do.
    pub memory_bytes: u64,
    /// Time of one run. Default: one hour. Noticed at most a tenth of a second late.
    pub time: Duration,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            memory_bytes: 4 << 30,
            time: Duration::from_secs(3600),
        }
    }
}

/// Receives the lines that the circuit's `log()` writes.
pub type LogSink = Box<dyn FnMut(&str) + Send>;

/// State of one run.
pub(crate) struct Host<F: TapeField> {
    limits: Limits,
    /// True once the module was refused memory.
    pub(crate) is_over_memory: bool,
    pub(crate) mode: Mode<F>,
    /// The module's memory, once it has started.
    pub(crate) memory: Option<Memory>,
    /// True while we call the module from within a call of its own.
    is_called_back: bool,
    log: Option<LogSink>,
    /// Bytes of the lines that were handed on, which are kept until the run is over.
    logged_bytes: u64,
    line: String,
    trace: String,
}

/// Who computes in the field.
pub(crate) enum Mode<F: TapeField> {
    /// The module.
    AsItIs,
    /// We, in the module's memory.
    Native,
    /// We, on what is recorded.
    Recording(Box<Recorder<F>>),
}

/// The module's own report that it has failed.
#[derive(Clone, Copy, Debug, thiserror::Error)]
#[error("exception {0}")]
pub(crate) struct Exception(pub(crate) i32);

impl HostError for Exception {}

impl<F: TapeField> Host<F> {
    pub(crate) fn new(limits: Limits, log: Option<LogSink>, mode: Mode<F>) -> Self {
        Self {
            limits,
            is_over_memory: false,
            mode,
            memory: None,
            is_called_back: false,
            log,
            logged_bytes: 0,
            line: String::new(),
            trace: String::new(),
        }
    }

    /// The account of where the run failed, one line a template.
    pub(crate) fn trace(&self) -> &str {
        &self.trace
    }

    /// Takes what the module writes by `log()`: a part of a line, or its end.
    fn take_text(&mut self, text: String) -> Result<(), Limit> {
        match text.as_str() {
            NEWLINE_MESSAGE => self.end_line()?,
            part => self.add_to_line(part),
        }
        if let Mode::Recording(recorder) = &mut self.mode {
            recorder.tell(Event::Text(text));
        }
        Ok(())
    }

    /// Adds a part to the current `log()` line; parts are separated by a blank.
    fn add_to_line(&mut self, part: &str) {
        add_to_line(&mut self.line, part);
    }

    /// Hands the current `log()` line on, if there is memory for it.
    fn end_line(&mut self) -> Result<(), Limit> {
        if let Some(log) = &mut self.log {
            self.logged_bytes += self.line.len() as u64 + LINE_BYTES;
            if self.logged_bytes > self.limits.memory_bytes {
                return Err(self.memory_limit());
            }
            log(&self.line);
        }
        self.line.clear();
        Ok(())
    }
}

/// Hands on what a tape tells, as the module would have.
pub(crate) fn replayed_log<F: TapeField>(
    log: &mut dyn FnMut(&str),
) -> impl FnMut(Event<frumious_field::Integer<F>>) {
    let mut line = String::new();
    move |event| match event {
        Event::Text(text) if text == NEWLINE_MESSAGE => {
            log(&line);
            line.clear();
        }
        Event::Text(text) => add_to_line(&mut line, &text),
        Event::Value(value) => add_to_line(&mut line, &decimal(*value.words())),
    }
}

fn add_to_line(line: &mut String, part: &str) {
    if line.len() + part.len() >= MAX_LINE_BYTES {
        return;
    }
    if !line.is_empty() {
        line.push(' ');
    }
    line.push_str(part);
}

impl<F: TapeField> ResourceLimiter for Host<F> {
    fn memory_growing(
        &mut self,
        _current: usize,
        desired: usize,
        _maximum: Option<usize>,
    ) -> Result<bool, LimiterError> {
        match desired as u64 <= self.limits.memory_bytes {
            true => Ok(true),
            false => Err(self.over_memory()),
        }
    }

    fn table_growing(
        &mut self,
        _current: usize,
        desired: usize,
        _maximum: Option<usize>,
    ) -> Result<bool, LimiterError> {
        // circom's one table has an entry for each template; an entry takes 8 bytes here.
        match desired <= MAX_TABLE_ENTRIES && desired as u64 <= self.limits.memory_bytes / 8 {
            true => Ok(true),
            false => Err(self.over_memory()),
        }
    }

    fn instances(&self) -> usize {
        1
    }

    fn tables(&self) -> usize {
        1
    }

    fn memories(&self) -> usize {
        1
    }
}

impl<F: TapeField> Host<F> {
    fn over_memory(&mut self) -> LimiterError {
        self.is_over_memory = true;
        LimiterError::ResourceLimiterDeniedAllocation
    }

    /// Makes sure that what is recorded takes no more memory than the module may.
    #[inline]
    pub(crate) fn within_memory(&self) -> Result<(), Halt> {
        match &self.mode {
            Mode::Recording(recorder) if recorder.bytes() > self.limits.memory_bytes => {
                Err(Halt::TooLong)
            }
            _ => Ok(()),
        }
    }

    /// The limit that the module ran into when it was refused memory.
    pub(crate) fn memory_limit(&self) -> Limit {
        Limit::Memory {
            bytes: self.limits.memory_bytes,
        }
    }
}

/// The four imports.
pub(crate) fn linker<F: TapeField>(engine: &Engine) -> Result<Linker<Host<F>>, WasmError> {
    let mut linker = Linker::new(engine);
    linker.func_wrap(
        "runtime",
        "exceptionHandler",
        |_: Caller<'_, Host<F>>, code: i32| -> Result<(), WasmError> {
            Err(WasmError::host(Exception(code)))
        },
    )?;
    linker.func_wrap(
        "runtime",
        "printErrorMessage",
        |mut caller: Caller<'_, Host<F>>| -> Result<(), WasmError> {
            let message = call_back(&mut caller, read_message)?;
            let trace = &mut caller.data_mut().trace;
            if trace.len() + message.len() < MAX_TRACE_BYTES {
                trace.push_str(&message);
                trace.push('\n');
            }
            Ok(())
        },
    )?;
    linker.func_wrap(
        "runtime",
        "writeBufferMessage",
        |mut caller: Caller<'_, Host<F>>| -> Result<(), WasmError> {
            call_back(&mut caller, |caller| {
                let message = read_message(caller)?;
                let taken = caller.data_mut().take_text(message);
                taken.map_err(WasmError::host)?;
                caller.data().within_memory().map_err(WasmError::host)
            })
        },
    )?;
    linker.func_wrap(
        "runtime",
        "showSharedRWMemory",
        |mut caller: Caller<'_, Host<F>>| -> Result<(), WasmError> {
            let value = call_back(&mut caller, read_shared_value)?;
            caller.data_mut().add_to_line(&value);
            caller.data().within_memory().map_err(WasmError::host)
        },
    )?;
    Ok(linker)
}

/// Calls of the module from within a call of its own. There are none within these: each takes some of our own stack, of
/// which the interpreter knows nothing.
fn call_back<F: TapeField, T>(
    caller: &mut Caller<'_, Host<F>>,
    act: impl FnOnce(&mut Caller<'_, Host<F>>) -> Result<T, WasmError>,
) -> Result<T, WasmError> {
    if std::mem::replace(&mut caller.data_mut().is_called_back, true) {
        return Err(WasmError::new("it calls itself through an import"));
    }
    let result = within_call(caller, act);
    caller.data_mut().is_called_back = false;
    result
}

/// The message behind `getMessageChar`, which gives one character a call and 0 at the end. Characters that could steer
/// a terminal are replaced.
fn read_message<F: TapeField>(caller: &mut Caller<'_, Host<F>>) -> Result<String, WasmError> {
    let next = caller
        .get_export("getMessageChar")
        .and_then(|export| export.into_func())
        .ok_or_else(|| WasmError::new("it has a message but no getMessageChar"))?
        .typed::<(), i32>(&*caller)?;
    let mut message = String::new();
    for _ in 0..MAX_MESSAGE_CHARS {
        let code = next.call(&mut *caller, ())?;
        if code == 0 {
            break;
        }
        let character = u32::try_from(code).ok().and_then(char::from_u32);
        message.push(match character {
            Some('\n') => '\n',
            Some(printable) if !printable.is_control() => printable,
            _ => char::REPLACEMENT_CHARACTER,
        });
    }
    Ok(match message.as_str() {
        NEWLINE_MESSAGE => message,
        _ => message.replace('\n', " "),
    })
}

/// The value in the shared memory, in decimal.
fn read_shared_value<F: TapeField>(caller: &mut Caller<'_, Host<F>>) -> Result<String, WasmError> {
    if let (Some(memory), Mode::Recording(_)) = (caller.data().memory, &caller.data().mode) {
        let (bytes, host) = memory.data_and_store_mut(&mut *caller);
        let Mode::Recording(recorder) = &mut host.mode else {
            return Ok(String::new());
        };
        let value = recorder.shared(bytes).map_err(WasmError::host)?;
        recorder.tell(Event::Value(value));
        return Ok(decimal(*recorder.value(value).words()));
    }
    if caller.data().log.is_none() {
        return Ok(String::new());
    }
    let read = caller
        .get_export("readSharedRWMemory")
        .and_then(|export| export.into_func())
        .ok_or_else(|| WasmError::new("it logs a value but has no readSharedRWMemory"))?
        .typed::<i32, i32>(&*caller)?;
    let mut limbs = [0; 4];
    for position in 0..8 {
        let word = read.call(&mut *caller, position)?.cast_unsigned();
        limbs[position as usize / 2] |= u64::from(word) << (32 * (position % 2));
    }
    Ok(decimal(limbs))
}

/// In decimal; a value that is not below the larger of the two curves' r, BLS12-381's, as `"(not a field element)"`.
fn decimal(limbs: [u64; 4]) -> String {
    bls12_381::Fr::from_canonical_limbs(limbs)
        .into_option()
        .map_or_else(
            || "(not a field element)".into(),
            |value| value.to_decimal_vartime(),
        )
}

/// What `writeBufferMessage` says at the end of a line.
const NEWLINE_MESSAGE: &str = "\n";

/// Longest message read; circom's buffer holds 240 characters.
const MAX_MESSAGE_CHARS: usize = 4096;

/// Longest `log()` line kept.
const MAX_LINE_BYTES: usize = 1 << 20;

/// Memory for a line that is kept, beside its text.
const LINE_BYTES: u64 = 64;

/// Longest account of a failure kept; circom writes a line for each template around the one that failed.
const MAX_TRACE_BYTES: usize = 1 << 16;

/// Largest table.
const MAX_TABLE_ENTRIES: usize = 1 << 24;
