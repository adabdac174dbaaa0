//! A job that is not final: its input, its progress, and the hand that stops it.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use frumious_app::observer::Observer;
use frumious_parallel::Cancellation;
use tokio::sync::watch;
use zeroize::Zeroizing;

use super::held::Hold;
use crate::circuits::Registered;
use crate::journal::{JobId, Kind, State};

/// The part of a job that its watchers see.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct View {
    /// Its state.
    pub state: State,
    /// The phase that lasts, or an empty word.
    pub phase: &'static str,
    /// The part of everything that is done, from 0 to 1.
    pub done: f64,
    /// True when this server will not bring it to its end.
    pub is_left: bool,
}

/// An input, and the memory that was set aside for it.
pub type HeldInput = (Zeroizing<Vec<u8>>, Hold);

/// The reason for which a job was stopped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stop {
    /// Its owner asked for it.
    Cancelled,
    /// Its deadline passed.
    Expired,
    /// The server ends: after a restart the job is begun again.
    Shutdown,
}

/// A job in memory.
pub struct Live {
    /// Its name.
    pub id: JobId,
    /// Its circuit.
    pub circuit: Arc<Registered>,
    /// Name of its token.
    pub owner: Arc<str>,
    /// Form of its input.
    pub kind: Kind,
    /// When it expires.
    pub deadline: Instant,
    /// True if the journal has its input, sealed.
    pub is_sealed: bool,
    /// Stops its proof.
    pub cancellation: Cancellation,
    born: Instant,
    input: Mutex<Option<HeldInput>>,
    stop: Mutex<Option<Stop>>,
    view: watch::Sender<View>,
}

impl Live {
    /// A job that waits.
    pub fn new(
        id: JobId,
        circuit: Arc<Registered>,
        owner: Arc<str>,
        kind: Kind,
        input: HeldInput,
        deadline: Instant,
    ) -> Self {
        let (view, _) = watch::channel(View {
            state: State::Queued,
            phase: "",
            done: 0.0,
            is_left: false,
        });
        Self {
            id,
            circuit,
            owner,
            kind,
            deadline,
            is_sealed: false,
            cancellation: Cancellation::new(),
            born: Instant::now(),
            input: Mutex::new(Some(input)),
            stop: Mutex::new(None),
            view,
        }
    }

    /// The same, of which the journal has the input, or has not.
    pub fn sealed(self, is_sealed: bool) -> Self {
        Self { is_sealed, ..self }
    }

    /// The time since it was accepted, or found again after a restart.
    pub fn age(&self) -> Duration {
        self.born.elapsed()
    }

    /// Its progress from now on.
    pub fn watch(&self) -> watch::Receiver<View> {
        self.view.subscribe()
    }

    /// Its progress now.
    pub fn view(&self) -> View {
        *self.view.borrow()
    }

    /// Takes the input out; it is wiped when the taker is done.
    pub fn take_input(&self) -> Option<HeldInput> {
        let mut input = self.input.lock().unwrap_or_else(PoisonError::into_inner);
        input.take()
    }

    /// Asks it to stop. The first reason counts; false if there was one.
    pub fn stop(&self, reason: Stop) -> bool {
        let mut stop = self.stop.lock().unwrap_or_else(PoisonError::into_inner);
        let is_first = stop.is_none();
        stop.get_or_insert(reason);
        self.cancellation.cancel();
        if reason == Stop::Shutdown {
            self.view.send_modify(|view| view.is_left = true);
        }
        is_first
    }

    /// The reason for which it was stopped, if it was.
    pub fn stopped(&self) -> Option<Stop> {
        *self.stop.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// It was begun.
    pub fn begin(&self) {
        self.show(State::Running, "start", 0.0);
    }

    /// Tells the watchers that it has ended so.
    pub fn end(&self, state: State) {
        let phase = self.view().phase;
        let done = match state {
            State::Succeeded => 1.0,
            _ => self.view().done,
        };
        self.show(state, phase, done);
    }

    fn show(&self, state: State, phase: &'static str, done: f64) {
        self.view.send_modify(|view| {
            *view = View {
                state,
                phase,
                // Progress never goes back: shares of phases are a guess.
                done: done.max(view.done),
                ..*view
            };
        });
    }
}

/// A proof's own account of its progress. Notes and warnings are about the key, and were told when it was loaded.
impl Observer for Live {
    fn begin(&self, phase: &'static str) {
        self.within(phase, 0.0);
    }

    fn within(&self, phase: &'static str, done: f64) {
        let whole = self.circuit.shares(self.kind).done(phase, 0, done);
        self.show(State::Running, phase, whole);
    }

    fn note(&self, _: &str) {}

    fn warning(&self, _: &str) {}
}
