//! Opening files that nobody else is to have a hand in: never through a link, never waiting for a pipe.

use std::fs::{self, File, Metadata, OpenOptions, TryLockError};
use std::io;
use std::path::Path;

/// Opens the file at `path` for reading and writing, and makes it if there is none. A link, a pipe, a device, and a
/// file that has another name are refused: bytes would land where nobody asked for them.
///
/// # Errors
/// Those of the operating system, and one for what is refused.
pub fn open_own(path: &Path) -> io::Result<File> {
    let mut options = OpenOptions::new();
    options.read(true).write(true).create(true).truncate(false);
    let file = without_following(&mut options, path)?.open(path)?;
    let metadata = file.metadata()?;
    if names(&metadata) > 1 {
        let message = "it is known by another name, too, and is not written to";
        return Err(io::Error::new(io::ErrorKind::InvalidInput, message));
    }
    match metadata.is_file() {
        true => Ok(file),
        false => Err(not_a_file()),
    }
}

/// As [`open_own`], locked: while it is open nobody else can have it so.
///
/// # Errors
/// As [`open_own`]; [`io::ErrorKind::ResourceBusy`] with `message` if somebody has it.
pub fn open_locked(path: &Path, message: &'static str) -> io::Result<File> {
    for _ in 0..ATTEMPTS {
        let file = open_own(path)?;
        match file.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => break,
            Err(TryLockError::Error(error)) => return Err(error),
        }
        // Who had it may have removed it between the opening and the lock: then the lock is of a file that nobody else
        // will find.
        if is_at(&file, path) {
            return Ok(file);
        }
    }
    Err(io::Error::new(io::ErrorKind::ResourceBusy, message))
}

/// Opens a regular file for reading, if there is one under this very name.
///
/// # Errors
/// Those of the operating system, and one for what is not a regular file.
pub fn open_existing(path: &Path) -> io::Result<File> {
    let mut options = OpenOptions::new();
    let file = without_following(options.read(true), path)?.open(path)?;
    match file.metadata()?.is_file() {
        true => Ok(file),
        false => Err(not_a_file()),
    }
}

fn not_a_file() -> io::Error {
    io::Error::new(io::ErrorKind::InvalidInput, "it is not a regular file")
}

/// True if `path` is this open file's name.
#[cfg(unix)]
pub fn is_at(file: &File, path: &Path) -> bool {
    use std::os::unix::fs::MetadataExt;
    let identity = |metadata: Metadata| (metadata.dev(), metadata.ino());
    match (file.metadata(), fs::symlink_metadata(path)) {
        (Ok(open), Ok(named)) => identity(open) == identity(named),
        _ => false,
    }
}

#[cfg(not(unix))]
pub fn is_at(_file: &File, path: &Path) -> bool {
    fs::symlink_metadata(path).is_ok() // an open file keeps its name there
}

#[cfg(unix)]
fn names(metadata: &Metadata) -> u64 {
    std::os::unix::fs::MetadataExt::nlink(metadata)
}

#[cfg(not(unix))]
fn names(_metadata: &Metadata) -> u64 {
    1
}

/// The options, so that a link at the end of the path is an error and a pipe is not waited for.
#[cfg(unix)]
fn without_following<'o>(
    options: &'o mut OpenOptions,
    _path: &Path,
) -> io::Result<&'o mut OpenOptions> {
    use rustix::fs::OFlags;
    use std::os::unix::fs::OpenOptionsExt;
    let flags = OFlags::NOFOLLOW | OFlags::NONBLOCK;
    Ok(options.custom_flags(flags.bits().cast_signed()))
}

#[cfg(not(unix))]
fn without_following<'o>(
    options: &'o mut OpenOptions,
    path: &Path,
) -> io::Result<&'o mut OpenOptions> {
    match fs::symlink_metadata(path) {
        Ok(metadata) if metadata.is_symlink() => Err(not_a_file()),
        _ => Ok(options),
    }
}

/// Attempts to open a file that others finish with meanwhile.
const ATTEMPTS: usize = 100;

#[cfg(all(test, unix))]
mod tests {
    use super::*;
    use std::os::unix::fs::symlink;

    #[test]
    fn links_and_second_names_are_refused() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let [victim, link, name, absent] =
            ["victim", "link", "name", "absent"].map(|name| folder.path().join(name));
        fs::write(&victim, "precious").expect("it can be written");
        symlink(&victim, &link).expect("it can be linked");
        assert!(open_own(&link).is_err() && open_existing(&link).is_err());
        symlink(&absent, folder.path().join("dangling")).expect("it can be linked");
        assert!(open_own(&folder.path().join("dangling")).is_err() && !absent.exists());
        fs::hard_link(&victim, &name).expect("it can be linked");
        assert!(open_own(&name).is_err());
        assert_eq!(fs::read(&victim).expect("it is there"), b"precious");
    }

    #[test]
    fn a_lock_is_of_the_file_that_has_the_name() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let path = folder.path().join("file");
        let first = open_locked(&path, "taken").expect("it is free");
        let error = open_locked(&path, "taken").expect_err("it is taken");
        assert_eq!(error.kind(), io::ErrorKind::ResourceBusy);
        assert!(is_at(&first, &path));
        fs::remove_file(&path).expect("it can be removed");
        let second = open_locked(&path, "taken").expect("it is another file");
        assert!(is_at(&second, &path) && !is_at(&first, &path));
    }
}
