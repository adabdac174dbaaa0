//! Files that come into being whole or not at all.
//!
//! An output is written to a new file beside its target, flushed to the disk, and renamed over it: whoever looks sees the
//! old file or the new one. A target that is no regular file (`/dev/stdout`, a pipe) is written to directly.

use std::fs::{self, File, OpenOptions};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use frumious_circom::FileBytes;

use crate::failure::{About, Failure};

/// Who may read an output.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Readers {
    /// Whoever the process's umask lets.
    Anyone,
    /// Its owner: the file holds a witness.
    Owner,
}

/// A file being written. Dropped before [`OutputFile::commit`], it leaves nothing behind.
pub struct OutputFile {
    target: PathBuf,
    /// None for a target that is written to directly, and after the rename.
    temporary: Option<PathBuf>,
    file: BufWriter<File>,
}

impl OutputFile {
    /// Begins a file that will be at `target`.
    pub fn create(target: &Path, readers: Readers) -> Result<Self, Failure> {
        match begin(target, readers) {
            Ok((target, temporary, file)) => Ok(Self {
                target,
                temporary,
                file: BufWriter::with_capacity(BUFFER_BYTES, file),
            }),
            Err(error) => Err(cannot_write(target, &error)),
        }
    }

    /// Where it is written meanwhile.
    pub fn path(&self) -> &Path {
        self.temporary.as_deref().unwrap_or(&self.target)
    }

    /// Puts the file in its place.
    pub fn commit(mut self) -> Result<(), Failure> {
        let result = self.file.flush().and_then(|()| match &self.temporary {
            Some(temporary) => {
                self.file.get_ref().sync_data()?;
                fs::rename(temporary, &self.target)
            }
            None => Ok(()),
        });
        if result.is_ok() {
            self.temporary = None;
        }
        result.map_err(|error| cannot_write(&self.target, &error))
    }
}

impl Write for OutputFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.file.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}

impl Drop for OutputFile {
    fn drop(&mut self) {
        if let Some(temporary) = &self.temporary {
            // If even this fails there is nothing left to try.
            let _ = fs::remove_file(temporary);
        }
    }
}

/// Writes a whole file.
pub fn write(target: &Path, contents: &str) -> Result<(), Failure> {
    write_all(&[(target, contents)])
}

/// Writes several files; none is put in its place before all are on the disk.
pub fn write_all(contents: &[(&Path, &str)]) -> Result<(), Failure> {
    let mut files = Vec::new();
    for (target, text) in contents {
        let mut file = OutputFile::create(target, Readers::Anyone)?;
        file.write_all(text.as_bytes())
            .and_then(|()| file.flush())
            .map_err(|error| cannot_write(target, &error))?;
        files.push(file);
    }
    files.into_iter().try_for_each(OutputFile::commit)
}

/// Makes sure, before the long work, that `outputs` can be written, and that none of them is another output or an input.
pub fn check_outputs(outputs: &[&Path], inputs: &[&Path]) -> Result<(), Failure> {
    for (i, output) in outputs.iter().enumerate() {
        // A device or a pipe is not tried: opening it may wait for its other end.
        if is_replaced(output) || output.is_dir() {
            drop(OutputFile::create(output, Readers::Anyone)?);
        }
        // Two names for one device or pipe are allowed: nothing is overwritten there.
        let others = outputs[..i].iter().chain(inputs);
        for other in others.filter(|other| is_replaced(other)) {
            if same_file(output, other) {
                return Err(Failure::BadInput(format!(
                    "{}: the output would overwrite {}",
                    output.display(),
                    other.display()
                )));
            }
        }
    }
    Ok(())
}

/// Reads a text file.
pub fn read_text(path: &Path) -> Result<String, Failure> {
    let bytes = FileBytes::read(path).about(path)?;
    std::str::from_utf8(&bytes)
        .map(str::to_owned)
        .map_err(|error| {
            let offset = error.valid_up_to();
            Failure::BadInput(format!("{}: not UTF-8 (byte {offset})", path.display()))
        })
}

/// The failure to write to `target`.
pub fn cannot_write(target: &Path, error: &io::Error) -> Failure {
    Failure::BadInput(format!("cannot write {}: {error}", target.display()))
}

/// The target with links resolved, the temporary file's name, and the file to write to.
fn begin(target: &Path, readers: Readers) -> io::Result<(PathBuf, Option<PathBuf>, File)> {
    // Through a link, so that the rename replaces the file and not the link.
    let target = match fs::canonicalize(target) {
        Ok(resolved) => resolved,
        Err(error) if error.kind() == io::ErrorKind::NotFound => target.to_owned(),
        Err(error) => return Err(error),
    };
    if target.is_dir() {
        return Err(io::ErrorKind::IsADirectory.into());
    }
    if !is_replaced(&target) {
        let file = OpenOptions::new().write(true).open(&target)?;
        return Ok((target, None, file));
    }
    let name = target.file_name().ok_or(io::ErrorKind::InvalidFilename)?;
    remove_abandoned(&target, name);
    for attempt in 0..ATTEMPTS {
        let mut temporary = std::ffi::OsString::from(".");
        temporary.push(name);
        temporary.push(format!(".{}-{attempt}.tmp", std::process::id()));
        let temporary = target.with_file_name(temporary);
        match new_file(&temporary, readers) {
            Ok(file) => {
                // So that others see that somebody is writing it; where there are no locks, they look at the process.
                let _ = file.try_lock();
                return Ok((target, Some(temporary), file));
            }
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
            Err(error) => return Err(error),
        }
    }
    Err(io::ErrorKind::AlreadyExists.into())
}

/// Removes temporary files for `target` that processes left which were killed: nobody holds their lock, and on this machine there is no process of
/// the number in their name.
fn remove_abandoned(target: &Path, name: &std::ffi::OsStr) {
    let (Some(name), Some(folder)) = (name.to_str(), target.parent()) else {
        return;
    };
    let folder = match folder.as_os_str().is_empty() {
        true => Path::new("."),
        false => folder,
    };
    let (Ok(entries), true) = (fs::read_dir(folder), Path::new("/proc/self").exists()) else {
        return;
    };
    let prefix = format!(".{name}.");
    for entry in entries.flatten() {
        let file_name = entry.file_name();
        let process = file_name
            .to_str()
            .and_then(|text| text.strip_prefix(&prefix)?.strip_suffix(".tmp"))
            .and_then(|numbers| numbers.split_once('-')?.0.parse::<u32>().ok());
        let is_dead = |process: u32| !Path::new(&format!("/proc/{process}")).exists();
        if process.is_some_and(is_dead)
            && File::open(entry.path()).is_ok_and(|file| file.try_lock().is_ok())
        {
            // Whoever else did it, or forbids it: it is only in the way.
            let _ = fs::remove_file(entry.path());
        }
    }
}

#[cfg(unix)]
fn new_file(path: &Path, readers: Readers) -> io::Result<File> {
    use std::os::unix::fs::OpenOptionsExt;
    let mode = match readers {
        Readers::Anyone => 0o666,
        Readers::Owner => 0o600,
    };
    OpenOptions::new()
        .write(true)
        .create_new(true)
        .mode(mode)
        .open(path)
}

#[cfg(not(unix))]
fn new_file(path: &Path, _readers: Readers) -> io::Result<File> {
    OpenOptions::new().write(true).create_new(true).open(path)
}

/// Whether writing to `path` replaces a regular file or makes one.
pub fn is_replaced(path: &Path) -> bool {
    fs::metadata(path).map_or(true, |metadata| metadata.is_file())
}

/// Whether two paths name one file; neither need exist.
fn same_file(a: &Path, b: &Path) -> bool {
    let resolved = |path: &Path| {
        fs::canonicalize(path).ok().or_else(|| {
            let folder = match path.parent() {
                Some(parent) if !parent.as_os_str().is_empty() => parent,
                _ => Path::new("."),
            };
            Some(fs::canonicalize(folder).ok()?.join(path.file_name()?))
        })
    };
    resolved(a).is_some() && resolved(a) == resolved(b)
}

const BUFFER_BYTES: usize = 1 << 20;

/// Names tried for the temporary file; one that is taken was left by a process of the same number that was killed.
const ATTEMPTS: usize = 100;

#[cfg(test)]
mod tests {
    use super::*;

    fn names(folder: &Path) -> Vec<String> {
        let entries = fs::read_dir(folder).expect("the folder is there");
        let names = entries.map(|entry| entry.expect("it can be read").file_name());
        let mut names: Vec<String> = names.map(|name| name.to_string_lossy().into()).collect();
        names.sort();
        names
    }

    #[test]
    fn an_output_is_there_whole_or_not_at_all() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let target = folder.path().join("out.json");
        fs::write(&target, "old").expect("it can be written");
        let mut file = OutputFile::create(&target, Readers::Anyone).expect("it can be created");
        file.write_all(b"new").expect("it can be written");
        assert_eq!(fs::read(&target).expect("it is there"), b"old");
        drop(file);
        assert_eq!(names(folder.path()), ["out.json"]);
        assert_eq!(fs::read(&target).expect("it is there"), b"old");
        write(&target, "new").expect("it can be written");
        assert_eq!(names(folder.path()), ["out.json"]);
        assert_eq!(fs::read(&target).expect("it is there"), b"new");
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn what_killed_processes_left_is_removed() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let target = folder.path().join("out");
        let living = format!(".out.{}-7.tmp", std::process::id());
        // Process numbers are below 2^22.
        let left = [".out.4999999-0.tmp", ".out.x-0.tmp", ".other.4999999-0.tmp"];
        for name in left.iter().copied().chain([living.as_str()]) {
            fs::write(folder.path().join(name), "half").expect("it can be written");
        }
        write(&target, "whole").expect("it can be written");
        let mut expected = vec![left[1], left[2], living.as_str(), "out"];
        expected.sort_unstable();
        assert_eq!(names(folder.path()), expected);
    }

    #[test]
    fn of_several_files_none_is_replaced_if_one_cannot_be_written() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let (good, bad) = (folder.path().join("good"), folder.path().join("none/bad"));
        assert!(write_all(&[(&good, "1"), (&bad, "2")]).is_err());
        assert!(names(folder.path()).is_empty());
    }

    #[cfg(unix)]
    #[test]
    fn links_are_followed_and_witnesses_are_private() {
        use std::os::unix::fs::{PermissionsExt, symlink};
        let folder = tempfile::tempdir().expect("a temporary folder");
        let (target, link) = (folder.path().join("target"), folder.path().join("link"));
        fs::write(&target, "old").expect("it can be written");
        symlink(&target, &link).expect("it can be linked");
        let mut file = OutputFile::create(&link, Readers::Owner).expect("it can be created");
        file.write_all(b"new").expect("it can be written");
        file.commit().expect("it can be renamed");
        assert!(
            fs::symlink_metadata(&link)
                .expect("it is there")
                .is_symlink()
        );
        assert_eq!(fs::read(&target).expect("it is there"), b"new");
        let mode = fs::metadata(&target)
            .expect("it is there")
            .permissions()
            .mode();
        assert_eq!(mode & 0o777, 0o600);
        // A device stays a device.
        write(Path::new("/dev/null"), "nothing").expect("it can be written");
        assert!(!fs::metadata("/dev/null").expect("it is there").is_file());
    }

    #[test]
    fn outputs_must_differ_from_each_other_and_from_inputs() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let (a, b) = (folder.path().join("a"), folder.path().join("b"));
        let a_again = folder.path().join("./a");
        assert!(check_outputs(&[&a, &b], &[]).is_ok());
        assert!(check_outputs(&[&a, &a_again], &[]).is_err());
        fs::write(&a, "input").expect("it can be written");
        assert!(check_outputs(&[&a_again], &[&a]).is_err());
        assert!(check_outputs(&[folder.path()], &[]).is_err());
        assert!(check_outputs(&[Path::new("/dev/null"), Path::new("/dev/null")], &[]).is_ok());
    }
}
