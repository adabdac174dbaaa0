//! Files that are taken apart and made wrong.

pub mod binfile;
pub mod twist;
