//! The files that an output may replace when it is whole.
//!
//! A command's check (`places`) refuses to replace a key, powers of tau and other people's files, unless forced to.
//! The work that follows takes minutes. Another process may put a key there meanwhile. So the check leaves a note for
//! each output here, and the end of the work acts on it:
//!
//! | at the check | at the end |
//! |---|---|
//! | no file, or one that any output replaces | [`Replacing::Results`]: a key that came meanwhile stays |
//! | a file that only `--force` replaces | [`Replacing::Anything`]: the check was told so |
//!
//! A file without a check counts as checked when it is begun.

use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

use super::cannot_write;
use super::paths::full;
use super::together::LockedFolders;
use crate::failure::{Code, Failure};
use crate::kind::Kind;

/// The files that an output may replace.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Replacing {
    /// Any file.
    Anything,
    /// Results that can be made again, of the same kind, and files of no known kind.
    Results,
}

/// Outputs that were checked and are not in their places yet.
static CHECKED: Mutex<BTreeMap<PathBuf, Replacing>> = Mutex::new(BTreeMap::new());

impl Replacing {
    /// The note of the last check of `target`, or what a check would say now.
    pub fn noted(target: &Path) -> Self {
        let noted = full(target).and_then(|target| checked().get(&target).copied());
        noted.unwrap_or_else(|| Self::now(target))
    }

    /// A dear file that is there now has passed the check, so the check was forced to.
    fn now(target: &Path) -> Self {
        match is_dear(target, None) {
            true => Self::Anything,
            false => Self::Results,
        }
    }
}

/// Leaves a note of what `output` may replace.
pub fn note(output: &Path) {
    if let Some(target) = full(output) {
        checked().insert(target, Replacing::now(output));
    }
}

/// Notes that each of `outputs` may replace any file, as `--force` says. It holds until the output is in its place.
pub fn allow_replacing(outputs: &[&Path]) {
    for target in outputs.iter().filter_map(|output| full(output)) {
        checked().insert(target, Replacing::Anything);
    }
}

/// Gives the file at `path` the name `target`, in the same folder.
///
/// # Errors
/// [`Code::WouldReplace`] for a file that may not be replaced; a failure with the target's path for any other error.
/// The file at `path` is then where it was.
pub fn put(path: &Path, target: &Path, replacing: Replacing) -> Result<(), Failure> {
    let renamed = match replacing {
        Replacing::Anything => fs::rename(path, target),
        Replacing::Results => match rename_to_free(path, target) {
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {
                // Of several processes that find a file to replace, each sees what the one before put there.
                let _locked = LockedFolders::of(&[target]);
                if is_dear(target, Kind::of_file(path)) {
                    return Err(would_replace(target));
                }
                fs::rename(path, target)
            }
            renamed => renamed,
        },
    };
    renamed.map_err(|error| cannot_write(target, &error))?;
    // What is made under this name later is another file.
    if let Some(target) = full(target) {
        checked().remove(&target);
    }
    Ok(())
}

fn checked() -> MutexGuard<'static, BTreeMap<PathBuf, Replacing>> {
    CHECKED.lock().unwrap_or_else(PoisonError::into_inner)
}

/// True for a file that only `--force` replaces by one of kind `by`.
fn is_dear(target: &Path, by: Option<Kind>) -> bool {
    let Some(kind) = Kind::of_file(target) else {
        return false;
    };
    if kind == Kind::Empty {
        return false;
    }
    let is_unique = kind.is_key() || kind == Kind::Ptau;
    let is_common = kind.is_unknown() || kind.is_product() || by == Some(kind);
    let is_read_only = fs::metadata(target).is_ok_and(|it| it.permissions().readonly());
    is_unique || is_read_only || !is_common
}

fn would_replace(target: &Path) -> Failure {
    let kind = Kind::of_file(target).map_or("a file", Kind::name);
    let message = format!(
        "{} is there already, {kind}: another process made it meanwhile",
        target.display()
    );
    Failure::new(Code::WouldReplace, message)
        .hinting("Give another name, or --force to replace it.")
}

/// Renames, and fails with [`io::ErrorKind::AlreadyExists`] if the name is taken.
#[cfg(target_os = "linux")]
fn rename_to_free(path: &Path, target: &Path) -> io::Result<()> {
    use rustix::fs::{CWD, RenameFlags, renameat_with};
    use rustix::io::Errno;
    match renameat_with(CWD, path, CWD, target, RenameFlags::NOREPLACE) {
        // The file system or the kernel does not know the flag.
        Err(Errno::INVAL | Errno::NOSYS | Errno::OPNOTSUPP | Errno::PERM) => {
            link_to_free(path, target)
        }
        renamed => Ok(renamed?),
    }
}

#[cfg(not(target_os = "linux"))]
fn rename_to_free(path: &Path, target: &Path) -> io::Result<()> {
    link_to_free(path, target)
}

/// As [`rename_to_free`]: a second name is made only if it is free.
fn link_to_free(path: &Path, target: &Path) -> io::Result<()> {
    match fs::hard_link(path, target) {
        Ok(()) => fs::remove_file(path),
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => Err(error),
        // Without second names there is nothing better than to look first.
        Err(_) if fs::symlink_metadata(target).is_ok() => Err(io::ErrorKind::AlreadyExists.into()),
        Err(_) => fs::rename(path, target),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::files::{OutputFile, Readers, check_outputs, write};
    use std::io::Write;

    const OTHERS: &[u8] = b"fkey of somebody else";

    fn begun(target: &Path) -> OutputFile {
        let mut file = OutputFile::create(target, Readers::Anyone).expect("it can be created");
        file.write_all(b"fkey of ours").expect("it can be written");
        file
    }

    fn is_refused(file: OutputFile, target: &Path) {
        let failure = file.commit().expect_err("a key is there");
        assert_eq!(failure.code(), Code::WouldReplace);
        let message = failure.message();
        assert!(message.contains(&*target.to_string_lossy()), "{message}");
        assert_eq!(fs::read(target).expect("it is there"), OTHERS);
        let folder = target.parent().expect("a folder");
        assert_eq!(fs::read_dir(folder).expect("it is there").count(), 1);
    }

    #[test]
    fn a_key_that_came_meanwhile_stays() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let target = folder.path().join("key");
        let file = begun(&target);
        fs::write(&target, OTHERS).expect("it can be written");
        is_refused(file, &target);

        // It comes between the check and the first byte; or in place of an empty file, or of one that says nothing.
        for before in [None, Some(""), Some("text")] {
            let _ = fs::remove_file(&target);
            if let Some(before) = before {
                fs::write(&target, before).expect("it can be written");
            }
            check_outputs(&[&target], &[]).expect("it can be written");
            fs::write(&target, OTHERS).expect("it can be written");
            is_refused(begun(&target), &target);
        }
    }

    #[test]
    fn what_was_checked_or_is_a_result_is_replaced() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let target = folder.path().join("key");
        // A key that was there at the check: that was forced.
        fs::write(&target, OTHERS).expect("it can be written");
        check_outputs(&[&target], &[]).expect("it can be written");
        begun(&target).commit().expect("it can be renamed");
        assert_eq!(fs::read(&target).expect("it is there"), b"fkey of ours");

        for meanwhile in ["", "text", "[\"1\"]"] {
            fs::remove_file(&target).expect("it is there");
            let file = begun(&target);
            fs::write(&target, meanwhile).expect("it can be written");
            file.commit().expect("it can be renamed");
            assert_eq!(fs::read(&target).expect("it is there"), b"fkey of ours");
        }

        // With --force, and what is replaced by design.
        fs::remove_file(&target).expect("it is there");
        check_outputs(&[&target], &[]).expect("it can be written");
        allow_replacing(&[&target]);
        let file = begun(&target);
        fs::write(&target, OTHERS).expect("it can be written");
        file.commit().expect("it can be renamed");
        assert_eq!(fs::read(&target).expect("it is there"), b"fkey of ours");
        write(&target, "proof").expect("it can be written");
        assert_eq!(fs::read(&target).expect("it is there"), b"proof");
    }

    #[test]
    fn a_second_name_is_made_only_if_it_is_free() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let [path, target] = ["path", "target"].map(|name| folder.path().join(name));
        for rename in [rename_to_free, link_to_free] {
            fs::write(&path, "new").expect("it can be written");
            fs::write(&target, "old").expect("it can be written");
            let error = rename(&path, &target).expect_err("it is taken");
            assert_eq!(error.kind(), io::ErrorKind::AlreadyExists);
            fs::remove_file(&target).expect("it is there");
            rename(&path, &target).expect("it is free");
            assert_eq!(fs::read(&target).expect("it is there"), b"new");
            assert!(!path.exists());
        }
    }
}
