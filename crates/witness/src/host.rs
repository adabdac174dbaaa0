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

use std::time::Duration;

use frumious_curves::bls12_381;
use wasmtime::{Caller, Engine, Linker, ResourceLimiter};

use crate::error::Limit;

/// The resources that a module may use. A module that asks for more is stopped with
/// [`Error::Stopped`](crate::Error::Stopped).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Size of its memory, in bytes. Default: 4 GiB, all that a 32-bit module can address; pages that it never touches
    /// cost nothing.
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
pub(crate) type LogSink = Box<dyn FnMut(&str) + Send>;

/// State of one run.
pub(crate) struct Host {
    limits: Limits,
    log: Option<LogSink>,
    line: String,
    trace: String,
}

/// The module's own report that it has failed.
#[derive(Clone, Copy, Debug, thiserror::Error)]
#[error("exception {0}")]
pub(crate) struct Exception(pub(crate) i32);

impl Host {
    pub(crate) fn new(limits: Limits, log: Option<LogSink>) -> Self {
        Self {
            limits,
            log,
            line: String::new(),
            trace: String::new(),
        }
    }

    /// The account of where the run failed, one line a template.
    pub(crate) fn trace(&self) -> &str {
        &self.trace
    }

    /// Adds a part to the current `log()` line; parts are separated by a blank.
    fn add_to_line(&mut self, part: &str) {
        if self.log.is_none() || self.line.len() + part.len() >= MAX_LINE_BYTES {
            return;
        }
        if !self.line.is_empty() {
            self.line.push(' ');
        }
        self.line.push_str(part);
    }

    /// Hands the current `log()` line on.
    fn end_line(&mut self) {
        if let Some(log) = &mut self.log {
            log(&self.line);
        }
        self.line.clear();
    }
}

impl ResourceLimiter for Host {
    fn memory_growing(
        &mut self,
        _current: usize,
        desired: usize,
        _maximum: Option<usize>,
    ) -> wasmtime::Result<bool> {
        let bytes = self.limits.memory_bytes;
        match desired as u64 <= bytes {
            true => Ok(true),
            false => Err(wasmtime::Error::new(Limit::Memory { bytes })),
        }
    }

    fn table_growing(
        &mut self,
        _current: usize,
        desired: usize,
        _maximum: Option<usize>,
    ) -> wasmtime::Result<bool> {
        // circom's one table has an entry for each template; an entry takes 8 bytes here.
        let bytes = self.limits.memory_bytes;
        match desired <= MAX_TABLE_ENTRIES && desired as u64 <= bytes / 8 {
            true => Ok(true),
            false => Err(wasmtime::Error::new(Limit::Memory { bytes })),
        }
    }
}

/// The four imports.
pub(crate) fn linker(engine: &Engine) -> wasmtime::Result<Linker<Host>> {
    let mut linker = Linker::new(engine);
    linker.func_wrap(
        "runtime",
        "exceptionHandler",
        |code: i32| -> wasmtime::Result<()> { Err(wasmtime::Error::new(Exception(code))) },
    )?;
    linker.func_wrap(
        "runtime",
        "printErrorMessage",
        |mut caller: Caller<'_, Host>| -> wasmtime::Result<()> {
            let message = read_message(&mut caller)?;
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
        |mut caller: Caller<'_, Host>| -> wasmtime::Result<()> {
            let message = read_message(&mut caller)?;
            match message.as_str() {
                NEWLINE_MESSAGE => caller.data_mut().end_line(),
                part => caller.data_mut().add_to_line(part),
            }
            Ok(())
        },
    )?;
    linker.func_wrap(
        "runtime",
        "showSharedRWMemory",
        |mut caller: Caller<'_, Host>| -> wasmtime::Result<()> {
            if caller.data().log.is_none() {
                return Ok(());
            }
            let value = read_shared_value(&mut caller)?;
            caller.data_mut().add_to_line(&value);
            Ok(())
        },
    )?;
    Ok(linker)
}

/// The message behind `getMessageChar`, which gives one character a call and 0 at the end. Characters that could steer
/// a terminal are replaced.
fn read_message(caller: &mut Caller<'_, Host>) -> wasmtime::Result<String> {
    let next = caller
        .get_export("getMessageChar")
        .and_then(|export| export.into_func())
        .ok_or_else(|| wasmtime::Error::msg("it has a message but no getMessageChar"))?
        .typed::<(), i32>(&caller)?;
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

/// The value in the shared memory, in decimal; a value that is not below the larger of the two curves' r, BLS12-381's,
/// as `"(not a field element)"`.
fn read_shared_value(caller: &mut Caller<'_, Host>) -> wasmtime::Result<String> {
    let read = caller
        .get_export("readSharedRWMemory")
        .and_then(|export| export.into_func())
        .ok_or_else(|| wasmtime::Error::msg("it logs a value but has no readSharedRWMemory"))?
        .typed::<i32, i32>(&caller)?;
    let mut limbs = [0; 4];
    for position in 0..8 {
        let word = read.call(&mut *caller, position)?.cast_unsigned();
        limbs[position as usize / 2] |= u64::from(word) << (32 * (position % 2));
    }
    Ok(bls12_381::Fr::from_canonical_limbs(limbs)
        .into_option()
        .map_or_else(
            || "(not a field element)".into(),
            |value| value.to_decimal_vartime(),
        ))
}

/// What `writeBufferMessage` says at the end of a line.
const NEWLINE_MESSAGE: &str = "\n";

/// Longest message read; circom's buffer holds 240 characters.
const MAX_MESSAGE_CHARS: usize = 4096;

/// Longest `log()` line kept.
const MAX_LINE_BYTES: usize = 1 << 20;

/// Longest account of a failure kept; circom writes a line for each template around the one that failed.
const MAX_TRACE_BYTES: usize = 1 << 16;

/// Largest table.
const MAX_TABLE_ENTRIES: usize = 1 << 24;
