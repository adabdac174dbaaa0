//! Forgers: each test attacks one promise of SECURITY.md or SOUNDNESS.md, and must fail at it.
//!
//! The table in SOUNDNESS.md names for each promise its attack and its test.

#[allow(dead_code)] // what `cli` uses of it, and the tests here do not
#[path = "../cli/support.rs"]
mod support;

mod ceremony;
mod contributions;
mod files;
mod modules;
mod powers;
mod secrets;
mod sections;
mod tables;
mod torsion;
mod verkle;
