//! Several files that belong together, and take their places together.
//!
//! Two processes may write the same names. The files of one of them are then in all the places or in none. Names change
//! while the folders are locked. That takes some microseconds, as everything is on the disk before. No system changes
//! several names at once, so who looks in between may see one file of the one and another of the other. A proof is put
//! in its place last. Where there was none, who finds it finds its signals. Where there was one, it is a proof for a
//! moment of signals that are not its own, and does not verify.

use std::fs::{File, TryLockError};
use std::path::Path;
use std::time::{Duration, Instant};

use super::paths::folder_of;

/// Folders in which this process alone changes names, as far as other processes ask: until it is dropped.
pub struct LockedFolders(#[expect(dead_code, reason = "dropped, it gives up the locks")] Vec<File>);

impl LockedFolders {
    /// Locks the folders of some files, one after the other in an order that all processes have in common.
    ///
    /// A folder stays unlocked if it cannot be opened, or if its file system has no locks. So it does if another
    /// process keeps it locked for a second. Anybody who can read a folder can lock it, and a caller may hold the lock
    /// itself (`flock DIR frumious prove …`). A result is worth more than a pair that nobody sees half.
    pub fn of(targets: &[&Path]) -> Self {
        let mut folders: Vec<_> = targets
            .iter()
            .filter_map(|target| {
                let folder = File::open(folder_of(target)).ok()?;
                Some((identity(&folder)?, folder))
            })
            .collect();
        folders.sort_by_key(|(identity, _)| *identity);
        folders.dedup_by_key(|(identity, _)| *identity);
        let start = Instant::now();
        let mut locked = Vec::new();
        for (_, folder) in folders {
            while let Err(TryLockError::WouldBlock) = folder.try_lock() {
                if start.elapsed() > LONGEST_WAIT {
                    break;
                }
                std::thread::sleep(BETWEEN_ATTEMPTS);
            }
            locked.push(folder);
        }
        Self(locked)
    }
}

/// Device and number of a folder, which tell two folders apart.
#[cfg(unix)]
fn identity(folder: &File) -> Option<(u64, u64)> {
    use std::os::unix::fs::MetadataExt;
    let metadata = folder.metadata().ok()?;
    Some((metadata.dev(), metadata.ino()))
}

#[cfg(not(unix))]
fn identity(_folder: &File) -> Option<(u64, u64)> {
    None // folders cannot be locked there
}

/// Together, for all folders. Frumious itself holds a lock for microseconds.
const LONGEST_WAIT: Duration = Duration::from_secs(1);
const BETWEEN_ATTEMPTS: Duration = Duration::from_millis(2);

#[cfg(all(test, unix))]
mod tests {
    use super::*;
    use crate::files::write_all;

    #[test]
    fn a_folder_that_somebody_keeps_locked_is_written_to() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let names = ["signals", "proof"].map(|name| folder.path().join(name));
        let held = File::open(folder.path()).expect("it is there");
        held.lock().expect("it is free");
        let start = Instant::now();
        write_all(&[(&*names[0], "1"), (&*names[1], "2")]).expect("they are written");
        assert!(start.elapsed() >= LONGEST_WAIT && start.elapsed() < 5 * LONGEST_WAIT);
        for (name, text) in names.iter().zip(["1", "2"]) {
            assert_eq!(std::fs::read_to_string(name).expect("it is there"), text);
        }
    }
}
