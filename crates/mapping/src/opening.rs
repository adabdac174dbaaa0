//! Opening a regular file without waiting, and telling later whether it was changed.

use crate::Error;
use std::fs::{File, Metadata, OpenOptions};
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

/// Opens the regular file at `path` for reading; returns it with what is known of it, its length in bytes above all.
///
/// Never waits: a path that is swapped for a pipe or a device, at whatever moment, is refused.
///
/// # Errors
/// [`Error::NotAFile`] for a directory, device or pipe, [`Error::Empty`] for an empty file, [`Error::Io`] when the
/// operating system refuses.
pub fn open_regular_file(path: impl AsRef<Path>) -> Result<(File, Metadata), Error> {
    let path = path.as_ref();
    let io_error = io_error(path);
    // Looked at before it is opened, as opening a device may have effects; and again what was opened.
    let metadata = std::fs::metadata(path).map_err(&io_error)?;
    require_file(path, &metadata)?;
    let file = without_waiting().open(path).map_err(&io_error)?;
    let metadata = metadata_of(&file, path)?;
    Ok((file, metadata))
}

/// The properties of an open file, which is regular and not empty.
pub(crate) fn metadata_of(file: &File, path: &Path) -> Result<Metadata, Error> {
    let metadata = file.metadata().map_err(io_error(path))?;
    require_file(path, &metadata)?;
    match metadata.len() {
        0 => Err(Error::Empty { path: path.into() }),
        _ => Ok(metadata),
    }
}

fn require_file(path: &Path, metadata: &Metadata) -> Result<(), Error> {
    match metadata.is_file() {
        true => Ok(()),
        false => Err(Error::NotAFile { path: path.into() }),
    }
}

/// For reading; a pipe without a writer is opened at once.
fn without_waiting() -> OpenOptions {
    let mut options = OpenOptions::new();
    options.read(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::custom_flags(&mut options, libc::O_NONBLOCK);
    options
}

pub(crate) fn io_error(path: &Path) -> impl Fn(std::io::Error) -> Error {
    let path = PathBuf::from(path);
    move |source| Error::Io {
        path: path.clone(),
        source,
    }
}

/// The properties of a file that change when its contents do.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Stamp {
    length: u64,
    modified: Option<SystemTime>,
    /// Seconds and nanoseconds of the last change of contents or of anything else about the file, and its number of
    /// names.
    #[cfg(unix)]
    changed: ((i64, i64), u64),
}

impl Stamp {
    pub(crate) fn of(metadata: &Metadata) -> Self {
        #[cfg(unix)]
        use std::os::unix::fs::MetadataExt;
        Self {
            length: metadata.len(),
            modified: metadata.modified().ok(),
            #[cfg(unix)]
            changed: ((metadata.ctime(), metadata.ctime_nsec()), metadata.nlink()),
        }
    }

    /// True if the contents may have changed between the two.
    ///
    /// A file that lost its name, as another took its place, is the same file: then its time of change alone says
    /// nothing.
    pub(crate) fn may_differ(&self, later: &Self) -> bool {
        let same_times = self.modified == later.modified;
        #[cfg(unix)]
        let same_times =
            same_times && (self.changed.0 == later.changed.0 || self.changed.1 != later.changed.1);
        self.length != later.length || !same_times
    }

    /// The time until a change is certain to show: times of files may be no finer than the system's clock tick.
    pub(crate) fn unsettled_for(&self) -> Duration {
        let age = self
            .modified
            .and_then(|modified| SystemTime::now().duration_since(modified).ok());
        match age {
            Some(age) => COARSEST_TICK.saturating_sub(age),
            // Without a clock in common nothing is gained by waiting.
            None => Duration::ZERO,
        }
    }
}

/// Twice the tick of a kernel with 100 of them a second.
const COARSEST_TICK: Duration = Duration::from_millis(20);

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)] // in a test, a failed unwrap is the failure
    use super::*;

    #[cfg(unix)]
    #[test]
    fn pipes_are_refused_and_not_waited_for() {
        let folder = tempfile::tempdir().unwrap();
        let pipe = folder.path().join("pipe");
        let name = std::ffi::CString::new(pipe.to_str().unwrap()).unwrap();
        // SAFETY: the name ends with a zero byte and outlives the call.
        #[allow(unsafe_code)]
        let made = unsafe { libc::mkfifo(name.as_ptr(), 0o600) };
        assert_eq!(made, 0);
        assert!(matches!(
            open_regular_file(&pipe),
            Err(Error::NotAFile { .. })
        ));
        // As after a swap between the first look and the opening.
        let opened = without_waiting().open(&pipe).unwrap().metadata().unwrap();
        assert!(require_file(&pipe, &opened).is_err());
    }
}
