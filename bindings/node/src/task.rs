//! One task: a promise in JavaScript, a thread here.

use std::panic::{AssertUnwindSafe, catch_unwind};

use frumious_app::cancellable;
use frumious_app::failure::Failure;
use frumious_app::observer::Observer;
use frumious_parallel::Cancellation;
use napi::bindgen_prelude::{AsyncTask, FnArgs, ToNapiValue, TypeName, Unknown};
use napi::threadsafe_function::{ThreadsafeFunction, ThreadsafeFunctionCallMode};
use napi::{Env, Error, Result, Status, Task};
use napi_derive::napi;

/// `(phase, fraction)`, called while a task runs; `("", 1)` follows the last one, when the task has ended.
///
/// Node delivers these calls and the end of a task in either order. It keeps the process alive until all are delivered.
pub type Progress = ThreadsafeFunction<
    FnArgs<(String, f64)>,
    Unknown<'static>,
    FnArgs<(String, f64)>,
    Status,
    false,
    false,
>;

/// The phase of the call that follows the last one.
const ENDED: &str = "";

/// Stops a task.
#[napi]
#[derive(Default)]
pub struct Canceller(Cancellation);

#[napi]
impl Canceller {
    /// A canceller for one task.
    #[napi(constructor)]
    pub fn new() -> Self {
        Self::default()
    }

    /// The task ends within 0.2 s with the code `interrupted`, unless it is done before.
    #[napi]
    pub fn cancel(&self) {
        self.0.cancel();
    }
}

type Run<T> = Box<dyn FnOnce(&dyn Observer) -> std::result::Result<T, Failure> + Send>;

/// A task whose result is a `T`.
pub struct Work<T> {
    run: Option<Run<T>>,
    cancellation: Cancellation,
    progress: Reporter,
}

/// The promise of a task.
pub fn promise<T: ToNapiValue + TypeName + Send + 'static>(
    canceller: Option<&Canceller>,
    progress: Option<Progress>,
    run: impl FnOnce(&dyn Observer) -> std::result::Result<T, Failure> + Send + 'static,
) -> AsyncTask<Work<T>> {
    AsyncTask::new(Work {
        run: Some(Box::new(run)),
        cancellation: canceller
            .map(|canceller| canceller.0.clone())
            .unwrap_or_default(),
        progress: Reporter(progress),
    })
}

impl<T: ToNapiValue + TypeName + Send + 'static> Task for Work<T> {
    type Output = T;
    type JsValue = T;

    fn compute(&mut self) -> Result<T> {
        let run = self.run.take().expect("Node computes a task once");
        let progress = &self.progress;
        let work = AssertUnwindSafe(|| cancellable(&self.cancellation, || run(progress)));
        let outcome = catch_unwind(work);
        progress.within(ENDED, 1.0);
        match outcome {
            Ok(Ok(done)) => Ok(done),
            Ok(Err(failure)) => Err(error(failure.code().name(), &failure.message())),
            Err(_) => Err(error("internal", "internal error")),
        }
    }

    fn resolve(&mut self, _: Env, done: T) -> Result<T> {
        Ok(done)
    }
}

/// An error whose reason is `CODE: WORDS`, which `index.js` takes apart.
pub fn error(code: &str, words: &str) -> Error {
    Error::new(Status::GenericFailure, format!("{code}: {words}"))
}

/// Tells JavaScript of progress; of nothing else, as notes and warnings are for people.
struct Reporter(Option<Progress>);

impl Observer for Reporter {
    fn begin(&self, phase: &'static str) {
        self.within(phase, 0.0);
    }

    fn within(&self, phase: &'static str, done: f64) {
        if let Some(call) = &self.0 {
            call.call(
                (phase.to_owned(), done).into(),
                ThreadsafeFunctionCallMode::NonBlocking,
            );
        }
    }

    fn note(&self, _: &str) {}

    fn warning(&self, _: &str) {}
}
