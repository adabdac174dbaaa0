//! One task: a thread that works, while the one that called it delivers progress and watches for signals.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::thread;
use std::time::Duration;

use frumious_app::cancellable;
use frumious_app::failure::{Code, Failure};
use frumious_app::observer::Observer;
use pyo3::prelude::*;

/// Longest time between two looks for a signal.
const WATCH: Duration = Duration::from_millis(50);

/// Stops the tasks that it was given to.
#[pyclass(frozen, module = "frumious")]
#[derive(Default)]
pub struct Cancellation(frumious_parallel::Cancellation);

#[pymethods]
impl Cancellation {
    #[new]
    fn new() -> Self {
        Self::default()
    }

    /// The task ends within 0.2 s with the code `interrupted`, unless it is done before.
    fn cancel(&self) {
        self.0.cancel();
    }
}

/// `(code, exit code)` of every kind of failure.
#[pyfunction]
pub fn codes() -> Vec<(&'static str, u8)> {
    let kinds = Code::ALL.iter();
    kinds.map(|code| (code.name(), code.exit_code())).collect()
}

/// News of a task.
enum News<T> {
    Progress(&'static str, f64),
    Ended(thread::Result<Result<T, Failure>>),
}

/// Runs a task with Python's lock released.
///
/// `progress` is called as `(phase, fraction)` on the calling thread. An exception of it, and a signal such as Ctrl-C,
/// stop the task and are raised.
///
/// # Errors
/// That exception; a `FrumiousError` for a failure of the task.
pub fn run<T: Send>(
    py: Python<'_>,
    cancellation: Option<&Cancellation>,
    progress: Option<&Bound<'_, PyAny>>,
    work: impl FnOnce(&dyn Observer) -> Result<T, Failure> + Send,
) -> PyResult<T> {
    let cancellation = cancellation
        .map(|given| given.0.clone())
        .unwrap_or_default();
    let (sender, receiver) = channel();
    let reporter = Reporter {
        sender: sender.clone(),
        is_heard: progress.is_some(),
    };
    thread::scope(|scope| {
        let cancelled = &cancellation;
        let worker = move || {
            let task = AssertUnwindSafe(|| cancellable(cancelled, || work(&reporter)));
            let _ = sender.send(News::Ended(catch_unwind(task))); // received until the end
        };
        if let Err(error) = thread::Builder::new().spawn_scoped(scope, worker) {
            return Err(raised(
                py,
                &Failure::of_system("cannot start a thread", &error),
            ));
        }
        let (outcome, interruption) = attend(py, receiver, cancelled, progress);
        match (interruption, outcome) {
            (Some(exception), _) => Err(exception),
            (None, Ok(Ok(done))) => Ok(done),
            (None, Ok(Err(failure))) => Err(raised(py, &failure)),
            (None, Err(_)) => Err(exception(py, "internal", 3, "internal error")),
        }
    })
}

/// Waits for the end of a task, and for the exception that stopped it, if one did.
fn attend<T: Send>(
    py: Python<'_>,
    mut receiver: Receiver<News<T>>,
    cancellation: &frumious_parallel::Cancellation,
    progress: Option<&Bound<'_, PyAny>>,
) -> (thread::Result<Result<T, Failure>>, Option<PyErr>) {
    let mut stopped: Option<PyErr> = None;
    loop {
        let news;
        (receiver, news) = py.detach(move || {
            let news = receiver.recv_timeout(WATCH);
            (receiver, news)
        });
        let heard = match news {
            Ok(News::Ended(outcome)) => return (outcome, stopped),
            Ok(News::Progress(phase, done)) if stopped.is_none() => progress
                .map_or(Ok(()), |call| call.call1((phase, done)).map(drop))
                .and_then(|()| py.check_signals()),
            Ok(News::Progress(..)) => Ok(()),
            Err(RecvTimeoutError::Timeout) => py.check_signals(),
            Err(RecvTimeoutError::Disconnected) => {
                return (Ok(Err(Failure::interrupted())), stopped);
            }
        };
        if let Err(exception) = heard {
            cancellation.cancel();
            stopped.get_or_insert(exception);
        }
    }
}

/// The exception of a failure.
pub fn raised(py: Python<'_>, failure: &Failure) -> PyErr {
    let code = failure.code();
    exception(py, code.name(), code.exit_code(), &failure.message())
}

/// An instance of the class that `frumious.errors` has for a code.
fn exception(py: Python<'_>, code: &str, exit_code: u8, message: &str) -> PyErr {
    let made = (py.import("frumious.errors"))
        .and_then(|errors| errors.call_method1("of_code", (code, exit_code, message)));
    made.map_or_else(|error| error, PyErr::from_value)
}

/// Sends progress; nothing else, as notes and warnings are for people.
struct Reporter<T> {
    sender: Sender<News<T>>,
    is_heard: bool,
}

impl<T: Send> Observer for Reporter<T> {
    fn begin(&self, phase: &'static str) {
        self.within(phase, 0.0);
    }

    fn within(&self, phase: &'static str, done: f64) {
        if self.is_heard {
            let _ = self.sender.send(News::Progress(phase, done)); // received until the end
        }
    }

    fn note(&self, _: &str) {}

    fn warning(&self, _: &str) {}
}
