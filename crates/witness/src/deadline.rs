//! The clock under which a module runs.
//!
//! wasmtime compiles a test of the engine's epoch into every loop and call. A thread of ours advances the epoch ten
//! times a second while a module runs, and each time the store's callback asks whether its own deadline has passed. An
//! engine may run several modules at once, each with its deadline.
//!
//! The road not taken: fuel, which counts instructions. It would be the same on every machine, but costs more at each
//! basic block, and nobody knows how many instructions an hour has.

use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use wasmtime::{Engine, Store, UpdateDeadline};

use crate::error::Limit;
use crate::host::Host;

/// Advances the engine's epoch until it is dropped.
pub(crate) struct Ticker {
    stop: Option<Sender<()>>,
    thread: Option<JoinHandle<()>>,
}

impl Ticker {
    /// Starts the clock, and stops `store` with [`Limit::Time`] once `time` is over.
    pub(crate) fn start(
        engine: &Engine,
        store: &mut Store<Host>,
        time: Duration,
    ) -> std::io::Result<Self> {
        let start = Instant::now();
        store.set_epoch_deadline(1);
        store.epoch_deadline_callback(move |_| match start.elapsed() < time {
            true => Ok(UpdateDeadline::Continue(1)),
            false => Err(wasmtime::Error::new(Limit::Time {
                seconds: time.as_secs(),
            })),
        });
        let (stop, stopped) = channel();
        let engine = engine.clone();
        let thread = std::thread::Builder::new()
            .name("witness-clock".into())
            .spawn(move || {
                while stopped.recv_timeout(TICK) == Err(RecvTimeoutError::Timeout) {
                    engine.increment_epoch();
                }
            })?;
        Ok(Self {
            stop: Some(stop),
            thread: Some(thread),
        })
    }
}

impl Drop for Ticker {
    fn drop(&mut self) {
        drop(self.stop.take()); // ends the thread's wait at once
        if let Some(thread) = self.thread.take() {
            // The thread cannot panic: it only waits and increments.
            let _ = thread.join();
        }
    }
}

const TICK: Duration = Duration::from_millis(100);
