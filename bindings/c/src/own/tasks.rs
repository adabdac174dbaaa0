//! Progress and cancellation of a task.

#![allow(unsafe_code)] // the foreign interface

use std::ffi::{CString, c_char, c_int, c_void};
use std::path::PathBuf;
use std::ptr;

use frumious_app::cancellable;
use frumious_app::failure::Failure;
use frumious_app::observer::{Observer, Silent};
use frumious_parallel::Cancellation;

use super::{INTERNAL, OK, argument, failed};
use crate::buffers::{Refusal, answer, place, text};
use crate::handles::Handles;

static CANCELLERS: Handles<Cancellation> = Handles::new();

/// `frumious_task` of the header.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct Task {
    progress: Option<unsafe extern "C" fn(user: *mut c_void, phase: *const c_char, done: f64)>,
    user: *mut c_void,
    canceller: usize,
    max_memory: u64,
    cache: *const c_char,
}

/// The folder of recorded runs that a task has.
///
/// # Errors
/// One that is not UTF-8.
///
/// # Safety
/// Unless null, `task` is as the header says.
pub unsafe fn cache(task: *const Task) -> Result<Option<PathBuf>, Refusal> {
    // SAFETY: this function's contract.
    let cache = unsafe { task.as_ref() }.map_or(ptr::null(), |task| task.cache);
    if cache.is_null() {
        return Ok(None);
    }
    // SAFETY: this function's contract.
    let folder = unsafe { text(cache, "cache") }.map_err(argument)?;
    let folder = folder.to_str().map_err(|_| argument("cache: not UTF-8"))?;
    Ok((!folder.is_empty()).then(|| folder.into()))
}

/// Runs a task with the caller's progress, cancellation and limit on memory; null for none of them.
///
/// # Errors
/// A canceller that is none; those of `work`.
///
/// # Safety
/// Unless null, `task` is as the header says.
pub unsafe fn run<T>(
    task: *const Task,
    work: impl FnOnce(&dyn Observer, Option<u64>) -> Result<T, Failure>,
) -> Result<T, Refusal> {
    // SAFETY: this function's contract.
    let Some(task) = (unsafe { task.as_ref() }) else {
        return work(&Silent, None).map_err(failed);
    };
    let cancellation = match task.canceller {
        0 => Cancellation::new(),
        number => {
            let canceller = CANCELLERS.get(number);
            let canceller = canceller.ok_or_else(|| argument("canceller: freed, or none"))?;
            Cancellation::clone(&canceller)
        }
    };
    let max_memory = (task.max_memory > 0).then_some(task.max_memory);
    cancellable(&cancellation, || work(&Caller(*task), max_memory)).map_err(failed)
}

/// The caller's function as an observer.
struct Caller(Task);

// SAFETY: the header asks for a function that any thread may call, with the caller's pointer.
unsafe impl Sync for Caller {}

impl Observer for Caller {
    fn begin(&self, phase: &'static str) {
        self.within(phase, 0.0);
    }

    fn within(&self, phase: &'static str, done: f64) {
        let (Some(call), Ok(phase)) = (self.0.progress, CString::new(phase)) else {
            return;
        };
        // SAFETY: the header asks for a function that may be called with a text and the caller's pointer.
        unsafe { call(self.0.user, phase.as_ptr(), done) };
    }

    fn note(&self, _: &str) {}

    fn warning(&self, _: &str) {}
}

/// Makes a canceller for one task.
///
/// # Safety
/// Each pointer is null or as `include/frumious.h` says.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn frumious_canceller_new(
    canceller: *mut usize,
    message: *mut c_char,
    message_size: u64,
) -> c_int {
    // SAFETY: this function's contract.
    unsafe {
        answer(INTERNAL, message, message_size, || {
            *place(canceller, "canceller").map_err(argument)? =
                CANCELLERS.keep(Cancellation::new());
            Ok(OK)
        })
    }
}

/// Asks the task to stop.
///
/// # Safety
/// None: a number that is no canceller's is ignored.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn frumious_canceller_cancel(canceller: usize) {
    if let Some(canceller) = CANCELLERS.get(canceller) {
        canceller.cancel();
    }
}

/// Frees a canceller. A task that runs with it goes on.
///
/// # Safety
/// None: a number that is no canceller's is ignored.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn frumious_canceller_free(canceller: usize) {
    CANCELLERS.close(canceller);
}
