//! Shared libraries as their tests find them: where they are, and the symbols that they export.

use std::path::{Path, PathBuf};
use std::process::Command;

/// A library that was built with the running test, by its file name.
///
/// # Panics
/// If the running program has no path.
pub fn library(name: &str) -> PathBuf {
    let this = std::env::current_exe().expect("this program");
    this.with_file_name(name)
}

/// The symbols that a shared library exports but for Rust's own, sorted.
///
/// # Panics
/// If `nm` cannot read it, or there is no `nm`.
pub fn exported(library: &Path) -> Vec<String> {
    let listing = Command::new("nm")
        .args(["-D", "--defined-only"])
        .arg(library)
        .output();
    let listing = listing.expect("nm, of binutils");
    let told = String::from_utf8_lossy(&listing.stderr);
    assert!(listing.status.success(), "{told}");
    let text = String::from_utf8_lossy(&listing.stdout);
    let names = text.lines().filter_map(|line| line.split(' ').nth(2));
    let is_rusts =
        |name: &str| name.starts_with("rust_eh_personality") || name.starts_with("__rust");
    let own = names.filter(|name| !is_rusts(name));
    let mut symbols: Vec<String> = own.map(str::to_owned).collect();
    symbols.sort();
    symbols
}
