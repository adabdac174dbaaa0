//! Forgers: each test attacks one promise of SECURITY.md or SOUNDNESS.md, and must fail at it.
//!
//! The table in SOUNDNESS.md names for each promise its attack and its test.

#[path = "../cli/support.rs"]
mod support;
