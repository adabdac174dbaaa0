//! The file that an output is written to before it is whole.
//!
//! | where | until it is whole |
//! |---|---|
//! | the system has files without a name | such a file: it ends with the process, however that ends |
//! | elsewhere | `.NAME.PROCESS-K.tmp` beside the target, made anew and locked |
//!
//! A file without a name takes the second kind of name for a moment before it takes the target's. What killed
//! processes leave under such names, the next that writes NAME removes, in folders of some hundred files.

use std::ffi::{OsStr, OsString};
use std::fs::{self, File, OpenOptions};
use std::io;
use std::path::{Path, PathBuf};

use blake2::digest::consts::U8;
use blake2::{Blake2b, Digest};

use super::opening::open_existing;
use super::paths::folder_of;
use super::replacing::{Replacing, put};
use super::{Readers, cannot_write};
use crate::failure::Failure;

/// A new file beside a target. Dropped before [`Temporary::rename`], it leaves nothing behind.
pub struct Temporary {
    pub file: File,
    /// None while it has no name.
    path: Option<PathBuf>,
    readers: Readers,
}

impl Temporary {
    /// For the file `name` in the folder of `target`.
    pub fn beside(target: &Path, name: &OsStr, readers: Readers) -> io::Result<Self> {
        if let Some(file) = unnamed(folder_of(target), readers) {
            lock(&file);
            return Ok(Self {
                file,
                path: None,
                readers,
            });
        }
        let create = |path: &Path| new_file(path, readers);
        let (path, file) = first_free(target, name, create)?;
        lock(&file);
        let path = Some(path);
        Ok(Self {
            file,
            path,
            readers,
        })
    }

    /// Where it is found meanwhile.
    pub fn path(&self) -> PathBuf {
        match &self.path {
            Some(path) => path.clone(),
            None => of_open(&self.file),
        }
    }

    /// True if it holds a witness.
    pub fn is_for_owner(&self) -> bool {
        self.readers == Readers::Owner
    }

    /// Gives it the target's name.
    pub fn rename(
        &mut self,
        target: &Path,
        name: &OsStr,
        replacing: Replacing,
    ) -> Result<(), Failure> {
        let path = self.named(target, name);
        let path = path.map_err(|error| cannot_write(target, &error))?;
        put(&path, target, replacing)?;
        self.path = None;
        Ok(())
    }

    /// The name that it has until it has the target's.
    fn named(&mut self, target: &Path, name: &OsStr) -> io::Result<PathBuf> {
        let path = match self.path.take() {
            Some(path) => path,
            // What has no name cannot take one that is taken: a name for a moment, then the target's.
            None => first_free(target, name, |path| give_name(&self.file, path))?.0,
        };
        self.path = Some(path.clone());
        keep_mode(&self.file, target, self.readers)?;
        Ok(path)
    }
}

impl Drop for Temporary {
    fn drop(&mut self) {
        if let Some(path) = &self.path {
            // If even this fails there is nothing left to try.
            let _ = fs::remove_file(path);
        }
    }
}

/// Gives a file the permissions of the one that it is about to replace. A file for its owner gets the owner's alone.
#[cfg(unix)]
pub fn keep_mode(file: &File, target: &Path, readers: Readers) -> io::Result<()> {
    use std::os::unix::fs::PermissionsExt;
    let Ok(replaced) = fs::metadata(target) else {
        return Ok(());
    };
    let allowed = match readers {
        Readers::Anyone => 0o777,
        Readers::Owner => 0o700,
    };
    let mode = replaced.permissions().mode() & allowed;
    file.set_permissions(fs::Permissions::from_mode(mode))
}

#[cfg(not(unix))]
pub fn keep_mode(_file: &File, _target: &Path, _readers: Readers) -> io::Result<()> {
    Ok(())
}

/// So that others see that somebody is writing it; where there are no locks, they look at the process.
fn lock(file: &File) {
    let _ = file.try_lock();
}

/// Tries `make` with names that may be taken.
fn first_free<T>(
    target: &Path,
    name: &OsStr,
    make: impl Fn(&Path) -> io::Result<T>,
) -> io::Result<(PathBuf, T)> {
    let prefix = prefix(name);
    for attempt in 0..ATTEMPTS {
        let mut temporary = prefix.clone();
        temporary.push(format!("{}-{attempt}.tmp", std::process::id()));
        let temporary = target.with_file_name(temporary);
        match make(&temporary) {
            Ok(made) => return Ok((temporary, made)),
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
            Err(error) => return Err(error),
        }
    }
    Err(io::ErrorKind::AlreadyExists.into())
}

/// `.NAME.`; of a name that leaves no room for what comes behind, its beginning and a digest.
fn prefix(name: &OsStr) -> OsString {
    let mut prefix = OsString::from(".");
    match name.len() {
        ..=LONGEST_WHOLE => prefix.push(name),
        _ => {
            let digest = Blake2b::<U8>::digest(name.as_encoded_bytes());
            let text = name.to_string_lossy();
            let begin = &text[..text.floor_char_boundary(SHOWN)];
            prefix.push(format!(
                "{begin}~{:016x}",
                u64::from_be_bytes(digest.into())
            ));
        }
    }
    prefix.push(".");
    prefix
}

/// Removes temporary files for `target` that killed processes left. Nobody holds their lock, and no process of this
/// machine has the number in their name. Of a folder with very many files it looks at some.
pub fn remove_abandoned(target: &Path, name: &OsStr) {
    let prefix = prefix(name);
    let Some(prefix) = prefix.to_str() else {
        return;
    };
    let (Ok(entries), true) = (
        fs::read_dir(folder_of(target)),
        Path::new("/proc/self").exists(),
    ) else {
        return;
    };
    for entry in entries.flatten().take(ENTRIES) {
        let file_name = entry.file_name();
        let process = file_name
            .to_str()
            .and_then(|text| text.strip_prefix(prefix)?.strip_suffix(".tmp"))
            .and_then(|numbers| numbers.split_once('-')?.0.parse::<u32>().ok());
        let is_dead = |process: u32| !Path::new(&format!("/proc/{process}")).exists();
        if process.is_some_and(is_dead)
            && open_existing(&entry.path()).is_ok_and(|file| file.try_lock().is_ok())
        {
            // Whoever else did it, or forbids it: it is only in the way.
            let _ = fs::remove_file(entry.path());
        }
    }
}

/// A file that did not exist, whatever else has the name; never through a link.
fn new_file(path: &Path, readers: Readers) -> io::Result<File> {
    options(readers).create_new(true).open(path)
}

/// To write what these may read, and to read it back, as some outputs are.
fn options(readers: Readers) -> OpenOptions {
    let mut options = OpenOptions::new();
    options.read(true).write(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(
        &mut options,
        match readers {
            Readers::Anyone => 0o666,
            Readers::Owner => 0o600,
        },
    );
    #[cfg(not(unix))]
    let _ = readers;
    options
}

/// A file without a name; none where the file system has no such.
#[cfg(target_os = "linux")]
fn unnamed(folder: &Path, readers: Readers) -> Option<File> {
    use std::os::unix::fs::OpenOptionsExt;
    let flags = rustix::fs::OFlags::TMPFILE.bits().cast_signed();
    let mut options = options(readers);
    options.custom_flags(flags);
    // It will need a name, which is found through this folder.
    let can_be_named = Path::new("/proc/self/fd").exists();
    options.open(folder).ok().filter(|_| can_be_named)
}

#[cfg(not(target_os = "linux"))]
fn unnamed(_folder: &Path, _readers: Readers) -> Option<File> {
    None
}

/// Gives a file without a name one that is free.
#[cfg(target_os = "linux")]
fn give_name(file: &File, path: &Path) -> io::Result<()> {
    use rustix::fs::{AtFlags, CWD, linkat};
    let open = of_open(file);
    Ok(linkat(CWD, open, CWD, path, AtFlags::SYMLINK_FOLLOW)?)
}

/// Where the system shows an open file.
#[cfg(target_os = "linux")]
fn of_open(file: &File) -> PathBuf {
    use std::os::fd::AsRawFd;
    format!("/proc/self/fd/{}", file.as_raw_fd()).into()
}

#[cfg(not(target_os = "linux"))]
fn give_name(_file: &File, _path: &Path) -> io::Result<()> {
    Err(io::ErrorKind::Unsupported.into())
}

#[cfg(not(target_os = "linux"))]
fn of_open(_file: &File) -> PathBuf {
    unreachable!("every file has a name here")
}

/// Bytes of a name that is a part of the temporary one. Folders take 255, and 24 are for what is around it.
const LONGEST_WHOLE: usize = 230;

/// Bytes of a longer one.
const SHOWN: usize = 200;

/// Names tried for the temporary file; one that is taken was left by a process of the same number that was killed.
const ATTEMPTS: usize = 100;

/// Entries of a folder that are looked at before a file is written to it: half a millisecond.
const ENTRIES: usize = 1024;

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;
    use std::io::Write;

    #[test]
    fn an_output_has_no_name_until_it_is_whole() {
        use std::os::unix::fs::PermissionsExt;
        for (readers, allowed) in [(Readers::Owner, 0o600), (Readers::Anyone, 0o666)] {
            let folder = tempfile::tempdir().expect("a temporary folder");
            let (target, name) = (folder.path().join("out"), OsStr::new("out"));
            let names = || fs::read_dir(folder.path()).expect("it is there").count();
            for content in ["new", "newer"] {
                let before = names();
                let mut temporary =
                    Temporary::beside(&target, name, readers).expect("it can be made");
                temporary
                    .file
                    .write_all(content.as_bytes())
                    .expect("it can be written");
                assert!(temporary.path.is_some() || names() == before);
                let renamed = temporary.rename(&target, name, Replacing::Anything);
                renamed.expect("it can be renamed");
                drop(temporary);
                assert_eq!(fs::read_to_string(&target).expect("it is there"), content);
                assert_eq!(names(), 1);
                // As the system makes a file with those permissions.
                let plain = folder.path().join("plain");
                new_file(&plain, readers).expect("it can be made");
                let mode = |path: &Path| {
                    let metadata = fs::metadata(path).expect("it is there");
                    metadata.permissions().mode() & 0o777
                };
                assert_eq!(mode(&target), mode(&plain));
                assert_eq!(mode(&target) & !allowed, 0);
                fs::remove_file(plain).expect("it is there");
            }
        }
    }
}
