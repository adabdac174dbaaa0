#![forbid(unsafe_code)]
//! Tapes: straight-line programs over a prime field. One is recorded from a run of a larger program, and replayed on
//! other inputs many times as fast.
//!
//! A program whose only data are field elements computes the same operations on all inputs, but for its decisions:
//! branches, indices, assertions. A [`Recording`] takes the operations of one run as a graph, and each decision as a
//! *guard*: a node and the answer that was seen. [`Tape::new`] drops what neither results nor guards need, groups
//! inversions and numbers slots by lifetime. A [`Replayer`] gives the results for other inputs if all guards hold. If
//! one does not, the inputs take another path through the program, and the tape says so.
//!
//! Operations are those of circom: [`Operation`] defines each once, for recorders, for folding of constants and for
//! replays.
//!
//! | module | idea |
//! |---|---|
//! | `operation` | the operations and their meaning |
//! | `integer` | division and shifts of integers of four words |
//! | `recording` | the graph while it grows: constants folded, equal nodes near each other merged |
//! | `schedule` | from a graph to a tape: dead nodes, inversions together, slots by lifetime |
//! | `tape` | the program, and the checks that make one from untrusted bytes safe to run |
//! | `replay` | running it on one vector of inputs |
//! | `batch` | running it on eight at once, in lanes |
//! | `file` | the bytes of a `.ftape` |
//!
//! Time depends on the values: comparisons, divisions and guards are branches. Slots are wiped after a replay.

mod batch;
mod file;
mod integer;
mod operation;
mod recording;
mod replay;
mod schedule;
mod tape;
#[cfg(test)]
mod tests;

pub use batch::replay_batch;
pub use operation::{Operation, TapeField, to_index_vartime};
pub use recording::{Recording, TooLong, Value};
pub use replay::{Missed, Replayer};
pub use tape::{BadTape, Event, Tape};
