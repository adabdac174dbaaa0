//! Valgrind's memcheck, which this program asks in a build for it alone; any other has none to ask.

#[cfg(frumious_under_valgrind)]
pub use frumious_limbs::valgrind::{errors, is_running, secret};

#[cfg(not(frumious_under_valgrind))]
mod without {
    /// Not under valgrind.
    pub fn is_running() -> bool {
        false
    }

    /// Nothing is seen.
    pub fn errors() -> usize {
        0
    }

    /// The value.
    pub fn secret<T>(value: T) -> T {
        value
    }
}
#[cfg(not(frumious_under_valgrind))]
pub use without::{errors, is_running, secret};
