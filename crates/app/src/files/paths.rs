//! Paths of outputs: whether writing there replaces a file, and whether two paths name one file.

use std::fs::{self, Metadata};
use std::io;
use std::path::{Path, PathBuf};

use super::streams::is_descriptor;
use super::{is_dash, is_stream};

/// True if writing to `path` replaces a regular file or makes one.
pub fn is_replaced(path: &Path) -> bool {
    !is_dash(path)
        && !leads_to_descriptor(path)
        && fs::metadata(path).map_or(true, |metadata| metadata.is_file())
}

/// True for a name of an open descriptor, and for a link to one.
pub fn leads_to_descriptor(path: &Path) -> bool {
    let is_link = || fs::read_link(path).is_ok(); // others are not followed, which costs calls of the system
    is_descriptor(path) || (is_link() && followed(path).is_ok_and(|path| is_descriptor(&path)))
}

/// True if the error says that nothing has the name.
pub fn is_absent(error: &io::Error) -> bool {
    matches!(
        error.kind(),
        io::ErrorKind::NotFound | io::ErrorKind::NotADirectory
    )
}

/// The path of the file that is written through `path`. Links are followed, also those whose target is not there yet.
/// An open descriptor keeps its name. Linux has it link to a text such as `pipe:[7]`, which is no path, or to a file
/// that somebody has open.
///
/// # Errors
/// Those of the operating system, but for a file that is not there; and one for too many links.
pub fn followed(path: &Path) -> io::Result<PathBuf> {
    let mut path = path.to_owned();
    for _ in 0..MOST_LINKS {
        if is_stream(&path) || is_descriptor(&path) {
            return Ok(path);
        }
        // Link by link, as one of them may be a descriptor's name.
        if let Ok(link) = fs::read_link(&path) {
            path = folder_of(&path).join(link);
            continue;
        }
        return match fs::canonicalize(&path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(path), // the file that is to be
            resolved => resolved,
        };
    }
    Err(io::Error::other("too many symbolic links"))
}

/// The one path that all names of a file through links and folders have in common; none if its folder is not there.
pub fn full(path: &Path) -> Option<PathBuf> {
    let path = followed(path).ok()?;
    fs::canonicalize(&path).ok().or_else(|| {
        let folder = fs::canonicalize(folder_of(&path)).ok()?;
        Some(folder.join(path.file_name()?))
    })
}

/// True if two paths name one file; neither need exist.
pub fn same_file(a: &Path, b: &Path) -> bool {
    if are_apart(a, b) {
        return false;
    }
    let a = full(a);
    a.is_some() && a == full(b)
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

/// Links that are followed from one path, as many as Linux follows.
const MOST_LINKS: usize = 40;

/// True if the path ends with the name of a file: not with `/` nor `/.`, which only a folder may have behind it.
pub fn ends_with_name(path: &Path) -> bool {
    let whole = path.as_os_str().as_encoded_bytes();
    let name = path.file_name();
    name.is_some_and(|name| whole.ends_with(name.as_encoded_bytes()))
}

/// The folder that a file is in.
pub fn folder_of(target: &Path) -> &Path {
    match target.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    }
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
        std::os::unix::fs::symlink("sub/relative", at("chain")).expect("there is room");
        std::os::unix::fs::symlink("none", at("sub/relative")).expect("there is room");
        fs::hard_link(at("one"), at("second name")).expect("there is room");
        for (a, b, is_same) in [
            ("one", "one", true),
            ("one", "link", true),
            ("one", "sub/../one", true),
            ("none", "sub/../none", true),
            ("one", "two", false),
            ("one", "none", false),
            ("one", "dangling", false),
            ("none", "dangling", true),
            ("sub/none", "chain", true),
            ("none", "other", false),
            ("none", "absent/../none", false),
            ("one", "second name", false), // an output replaces a name, not what else has it
        ] {
            assert_eq!(same_file(&at(a), &at(b)), is_same, "{a} {b}");
            assert_eq!(same_file(&at(b), &at(a)), is_same, "{b} {a}");
        }
    }
}
