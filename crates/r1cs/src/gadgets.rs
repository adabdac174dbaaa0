//! Parts of circuits: functions that take a [`Component`](crate::Component) and combinations of its signals, and become part of it.
//!
//! | module | what |
//! |---|---|
//! | [`bits`] | booleans, binary representations, ranges, comparisons, choices |
//! | [`poseidon`] | the hash function Poseidon, as circomlib has it |

pub mod bits;
pub mod poseidon;
