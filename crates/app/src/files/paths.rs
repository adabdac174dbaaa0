//! Paths of outputs: whether writing there replaces a file, and whether two paths name one file.

use std::fs::{self, Metadata};
use std::io;
use std::path::Path;

use super::is_dash;
use super::temporary::folder_of;

/// True if writing to `path` replaces a regular file or makes one.
pub fn is_replaced(path: &Path) -> bool {
    !is_dash(path) && fs::metadata(path).map_or(true, |metadata| metadata.is_file())
}

/// True if the error says that nothing has the name.
pub fn is_absent(error: &io::Error) -> bool {
    matches!(
        error.kind(),
        io::ErrorKind::NotFound | io::ErrorKind::NotADirectory
    )
}

/// True if two paths name one file; neither need exist.
pub fn same_file(a: &Path, b: &Path) -> bool {
    let resolved = |path: &Path| {
        fs::canonicalize(path).ok().or_else(|| {
            let folder = fs::canonicalize(folder_of(path)).ok()?;
            Some(folder.join(path.file_name()?))
        })
    };
    if are_apart(a, b) {
        return false;
    }
    let a = resolved(a);
    a.is_some() && a == resolved(b)
}

/// True if two paths clearly name two files: one is there and the other is not, or both are and differ. Costs two
/// system calls; to follow a path costs one for each folder.
fn are_apart(a: &Path, b: &Path) -> bool {
    match (fs::metadata(a), fs::metadata(b)) {
        (Ok(a), Ok(b)) => differ(&a, &b),
        (Ok(_), Err(error)) | (Err(error), Ok(_)) => is_absent(&error),
        (Err(_), Err(_)) => false,
    }
}

#[cfg(unix)]
fn differ(a: &Metadata, b: &Metadata) -> bool {
    use std::os::unix::fs::MetadataExt;
    (a.dev(), a.ino()) != (b.dev(), b.ino())
}

#[cfg(not(unix))]
fn differ(_: &Metadata, _: &Metadata) -> bool {
    false
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Names of one file, of others, and of none.
    #[cfg(unix)]
    #[test]
    fn one_file_is_known_by_all_its_paths() {
        let folder = tempfile::tempdir().expect("there is room");
        let at = |name: &str| folder.path().join(name);
        fs::write(at("one"), "1").expect("there is room");
        fs::write(at("two"), "1").expect("there is room");
        fs::create_dir(at("sub")).expect("there is room");
        std::os::unix::fs::symlink(at("one"), at("link")).expect("there is room");
        std::os::unix::fs::symlink(at("none"), at("dangling")).expect("there is room");
        fs::hard_link(at("one"), at("second name")).expect("there is room");
        for (a, b, is_same) in [
            ("one", "one", true),
            ("one", "link", true),
            ("one", "sub/../one", true),
            ("none", "sub/../none", true),
            ("one", "two", false),
            ("one", "none", false),
            ("one", "dangling", false),
            ("none", "other", false),
            ("none", "absent/../none", false),
            ("one", "second name", false), // an output replaces a name, not what else has it
        ] {
            assert_eq!(same_file(&at(a), &at(b)), is_same, "{a} {b}");
            assert_eq!(same_file(&at(b), &at(a)), is_same, "{b} {a}");
        }
    }
}
