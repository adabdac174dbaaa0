//! Files that are taken apart and made wrong.

#![allow(clippy::unwrap_used)] // in a test, a failed unwrap is the failure

pub mod binfile;
pub mod twist;
