//! A record of work: its tasks, how long each took, and what waited for what.
//!
//! Work is a tree. A task is a sequence of steps: a stretch of work on one thread, or a fork into tasks that it waits
//! for. Every task passes a door of this crate, which notes it. So a program elsewhere can tell how long the same work
//! would take on any number of threads.
//!
//! The way in which work is cut depends on the number of threads. A trace has a *planned width*: the number that
//! [`current_num_threads`](crate::current_num_threads) tells under it. Work can so be cut for 64 threads, and run and
//! measured on one.
//!
//! A trace has names that the program gives, numbers of units and bytes, and times. No value of the work gets there.

use super::{Context, current, task, with_current};
use crate::pool::Once;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// Records work. Clones record the same.
#[derive(Clone, Debug)]
pub struct Trace(Arc<Shared>);

#[derive(Debug)]
struct Shared {
    width: usize,
    clock: fn() -> Duration,
    state: Mutex<State>,
}

#[derive(Debug)]
struct State {
    began: Instant,
    phase: &'static str,
    tasks: Vec<Task>,
    /// For each task the stretch of work that lasts.
    open: Vec<Option<Open>>,
}

/// A stretch of work under way.
#[derive(Clone, Copy, Debug)]
struct Open {
    since: Duration,
    work: Work,
}

/// A piece of work that one thread does, in the order of its steps.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Task {
    /// Its parts, one after the other.
    pub steps: Vec<Step>,
}

/// A part of a task.
#[derive(Clone, Debug, PartialEq)]
pub enum Step {
    /// On this thread, without a stop.
    Work(Work),
    /// Tasks that it waits for.
    Fork(Fork),
}

/// A stretch of work.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Work {
    /// The phase that the work as a whole was in.
    pub phase: &'static str,
    /// Which kind of work; empty if it was not told.
    pub kind: &'static str,
    /// When it began, since the whole did.
    pub start: Duration,
    /// The time of the thread's that it took.
    pub duration: Duration,
    /// Units done, as [`advance`](super::advance) counts them.
    pub units: u64,
    /// Bytes read from memory and written to it, as [`moves`] was told.
    pub bytes: u64,
}

/// Tasks that begin at once.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fork {
    /// Number of the first task; the others follow.
    pub first: usize,
    /// Number of tasks.
    pub count: usize,
    /// Who takes which.
    pub order: Order,
}

/// Who takes which task of a fork.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Order {
    /// A thread works on the lower half, and leaves the upper one to whoever comes; and so on with its half.
    Halves,
    /// Every thread that is free takes the next.
    Queue,
}

impl Trace {
    /// Of work that is cut for `width` threads (at least one). `clock` tells the time that the calling thread has
    /// worked.
    pub fn new(width: usize, clock: fn() -> Duration) -> Self {
        let state = State {
            began: Instant::now(),
            phase: "",
            tasks: Vec::new(),
            open: Vec::new(),
        };
        Self(Arc::new(Shared {
            width: width.max(1),
            clock,
            state: Mutex::new(state),
        }))
    }

    /// Runs `work` and records it, and all that it starts in parallel. Of several calls the last counts.
    pub fn record<T>(&self, work: impl FnOnce() -> T) -> T {
        {
            let mut state = self.lock();
            state.began = Instant::now();
            state.phase = "";
            state.tasks = vec![Task::default()];
            state.open = vec![None];
        }
        let mut context = current();
        context.recording = Some(Recording {
            trace: self.clone(),
            task: 0,
        });
        let mut work = Once::new(work);
        run_recorded(&context, "", &mut || work.run());
        work.result()
    }

    /// The tasks of the last record, the whole first.
    pub fn take(&self) -> Vec<Task> {
        std::mem::take(&mut self.lock().tasks)
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.0.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The place of a thread's work in a trace.
#[derive(Clone, Debug)]
pub(crate) struct Recording {
    trace: Trace,
    task: usize,
}

impl Recording {
    /// The number of threads that the work is cut for.
    pub(crate) fn width(&self) -> usize {
        self.trace.0.width
    }

    /// A stretch of work begins.
    fn open(&self, kind: &'static str) {
        let mut state = self.trace.lock();
        let work = Work {
            phase: state.phase,
            kind,
            start: state.began.elapsed(),
            ..Work::default()
        };
        let since = (self.trace.0.clock)();
        if let Some(open) = state.open.get_mut(self.task) {
            *open = Some(Open { since, work });
        }
    }

    /// It ends; returns its kind.
    fn close(&self) -> &'static str {
        let now = (self.trace.0.clock)();
        let mut state = self.trace.lock();
        let Some(Open { since, mut work }) = state.open.get_mut(self.task).and_then(Option::take)
        else {
            return "";
        };
        work.duration = now.saturating_sub(since);
        state.tasks[self.task].steps.push(Step::Work(work));
        work.kind
    }

    /// Appends a fork of `count` tasks to this one's steps; the number of the first.
    fn append(&self, count: usize, order: Order) -> usize {
        let mut state = self.trace.lock();
        let first = state.tasks.len();
        state.tasks.resize(first + count, Task::default());
        state.open.resize(first + count, None);
        let fork = Fork {
            first,
            count,
            order,
        };
        if let Some(task) = state.tasks.get_mut(self.task) {
            task.steps.push(Step::Fork(fork));
        }
        first
    }

    /// Changes what is known of the stretch under way.
    fn note(&self, change: impl FnOnce(&mut Work)) {
        if let Some(Some(open)) = self.trace.lock().open.get_mut(self.task) {
            change(&mut open.work);
        }
    }
}

/// A fork under way, recorded if its work is. What forks goes on when it is dropped.
pub(crate) struct Forked {
    work: Context,
    first: usize,
    kind: &'static str,
}

impl Forked {
    /// The work of this thread forks into `count` tasks.
    pub(crate) fn new(count: usize, order: Order) -> Self {
        let work = current();
        let (mut first, mut kind) = (0, "");
        if let Some(recording) = &work.recording {
            kind = recording.close();
            first = recording.append(count, order);
        }
        Self { work, first, kind }
    }

    /// Runs its task number `index`.
    pub(crate) fn task(&self, index: usize, run: &mut dyn FnMut()) {
        let Some(recording) = &self.work.recording else {
            return task(&self.work, run);
        };
        let recording = Recording {
            trace: recording.trace.clone(),
            task: self.first + index,
        };
        let context = Context {
            recording: Some(recording),
            ..self.work.clone()
        };
        run_recorded(&context, self.kind, run);
    }
}

impl Drop for Forked {
    fn drop(&mut self) {
        if let Some(recording) = &self.work.recording {
            recording.open(self.kind);
        }
    }
}

fn run_recorded(context: &Context, kind: &'static str, run: &mut dyn FnMut()) {
    task(context, &mut || {
        if let Some(recording) = &context.recording {
            recording.open(kind);
        }
        run();
        if let Some(recording) = &context.recording {
            recording.close();
        }
    });
}

/// Runs `work`, which the pool cuts into `count` equal tasks by itself. They are recorded as if each had taken the same
/// time.
pub(crate) fn in_equal_tasks<T>(count: usize, bytes: u64, work: impl FnOnce() -> T) -> T {
    let stretch = Stretch::begin(None);
    let result = work();
    if let Some(stretch) = stretch {
        stretch.cut(count, bytes);
    }
    result
}

/// The work as a whole enters a phase. For the thread that leads it.
pub fn phase(name: &'static str) {
    with_recording(|recording| {
        let kind = recording.close();
        recording.trace.lock().phase = name;
        recording.open(kind);
    });
}

/// Runs `work`, which is of that kind, as is what it forks into.
pub fn kind<T>(name: &'static str, work: impl FnOnce() -> T) -> T {
    let _stretch = Stretch::begin(Some(name));
    work()
}

/// A stretch of recorded work apart from the one around it, which goes on when this is dropped.
struct Stretch {
    recording: Recording,
    outer: &'static str,
}

impl Stretch {
    /// Of that kind, or of the kind of the work around it. Nothing where nothing is recorded.
    fn begin(kind: Option<&'static str>) -> Option<Self> {
        let recording = with_current(|context| context.recording.clone())?;
        let outer = recording.close();
        recording.open(kind.unwrap_or(outer));
        Some(Self { recording, outer })
    }

    /// Ends it and records it as `count` equal tasks that have moved so many bytes together.
    fn cut(self, count: usize, bytes: u64) {
        let recording = &self.recording;
        recording.note(|work| work.bytes = bytes);
        recording.close();
        let whole = recording.trace.lock().tasks[recording.task].steps.pop();
        if let Some(Step::Work(whole)) = whole {
            let count = count.max(1);
            let first = recording.append(count, Order::Halves);
            let part = Work {
                duration: whole.duration / count as u32,
                bytes: whole.bytes / count as u64,
                ..whole
            };
            for task in &mut recording.trace.lock().tasks[first..first + count] {
                task.steps.push(Step::Work(part));
            }
        }
    }
}

impl Drop for Stretch {
    fn drop(&mut self) {
        self.recording.close();
        self.recording.open(self.outer);
    }
}

/// The work of this thread reads and writes so many bytes of memory that are not in a cache. Where nothing is recorded
/// they are not counted.
#[inline]
pub fn moves(bytes: impl FnOnce() -> u64) {
    with_recording(|recording| recording.note(|work| work.bytes += bytes()));
}

pub(super) fn count_units(context: &Context, units: u64) {
    if let Some(recording) = &context.recording {
        recording.note(|work| work.units += units);
    }
}

fn with_recording(look: impl FnOnce(&Recording)) {
    with_current(|context| {
        if let Some(recording) = &context.recording {
            look(recording);
        }
    });
}

#[cfg(test)]
mod tests;
