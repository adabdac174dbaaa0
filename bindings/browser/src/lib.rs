//! The module of WebAssembly that a page calls: proofs and verdicts, all in memory.
//!
//! | module | holds |
//! |---|---|
//! | `page` | the functions that the page calls, and the one that it offers |
//! | `session` | buffers that the page fills, keys that stay open, the last answer |
//! | `groth16` | keys, proofs and verdicts over either curve |
//! | `refusal` | errors as the page gets them |
//!
//! A page fills buffers, names them by their addresses, and reads an answer in JSON. So there is no glue to generate:
//! `index.js` is all of it. A panic ends the instance, as an `unreachable` instruction; the page then takes a new one.

mod groth16;
mod page;
mod refusal;
mod session;
