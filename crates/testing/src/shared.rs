//! Fixtures and vectors kept outside the repository.
//!
//! They lie in the folder `shared` beside the workspace, or wherever the environment variable `FRUMIOUS_SHARED` says.
//! Its folders `vectors` and `fixtures` may be elsewhere by `FRUMIOUS_VECTORS` and `FRUMIOUS_FIXTURES`.

use std::path::{Path, PathBuf};

/// The file or folder `path`, relative to the shared folder (`"fixtures/groth16/mul/mul.zkey"`).
///
/// `None`, with a message on stderr, when it is not there. The calling test returns early, so that a user without the
/// shared folder can still run the suite.
///
/// # Panics
/// When it is not there and the environment variable `CI` is `true`: a skipped test must not pass for a run one there.
pub fn shared(path: impl AsRef<Path>) -> Option<PathBuf> {
    let full = locate(path.as_ref());
    if full.exists() {
        return Some(full);
    }
    assert!(
        !std::env::var("CI").is_ok_and(|ci| ci == "true"),
        "{} is missing, and in CI no test may be skipped",
        full.display()
    );
    eprintln!("SKIP: {} is missing (set FRUMIOUS_SHARED)", full.display());
    None
}

/// Where `path` is to be, whether or not it exists.
fn locate(path: &Path) -> PathBuf {
    for (folder, variable) in [
        ("vectors", "FRUMIOUS_VECTORS"),
        ("fixtures", "FRUMIOUS_FIXTURES"),
    ] {
        if let (Ok(rest), Some(root)) = (path.strip_prefix(folder), std::env::var_os(variable)) {
            return PathBuf::from(root).join(rest);
        }
    }
    match std::env::var_os("FRUMIOUS_SHARED") {
        Some(root) => PathBuf::from(root).join(path),
        None => Path::new(env!("CARGO_MANIFEST_DIR"))
            .join("../../../shared")
            .join(path),
    }
}
