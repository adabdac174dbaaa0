//! The work that a thread is at: who may stop it, who measures it, who records it. Every task of it inherits all three.

mod cancellation;
mod meter;
pub mod trace;

pub use cancellation::{Cancellation, Cancelled, check_cancelled};
pub use meter::{Meter, advance, expect_units, part};
use std::cell::RefCell;

/// The part of its work's state that a task inherits.
#[derive(Clone, Default)]
pub(crate) struct Context {
    pub(crate) cancellation: Option<Cancellation>,
    pub(crate) meter: Option<Meter>,
    pub(crate) recording: Option<trace::Recording>,
}

/// That of this thread's work, to be handed to a task.
pub(crate) fn current() -> Context {
    CURRENT.with_borrow(Clone::clone)
}

/// Looks at that of this thread's work.
#[inline]
pub(crate) fn with_current<T>(look: impl FnOnce(&Context) -> T) -> T {
    CURRENT.with_borrow(look)
}

/// Runs a task in a context. It stops before it begins if its work was asked to.
pub(crate) fn task(context: &Context, task: &mut dyn FnMut()) {
    let before = CURRENT.replace(context.clone());
    let _restored = Restored(before);
    check_cancelled();
    task();
}

/// A thread's work before this task: it takes tasks of others while it waits.
struct Restored(Context);

impl Drop for Restored {
    fn drop(&mut self) {
        CURRENT.set(std::mem::take(&mut self.0));
    }
}

thread_local! {
    static CURRENT: RefCell<Context> = const {
        RefCell::new(Context {
            cancellation: None,
            meter: None,
            recording: None,
        })
    };
}
