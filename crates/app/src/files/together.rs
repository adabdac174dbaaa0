//! Several files that belong together, and take their places together.
//!
//! Two processes may write the same names. The files of one of them are then in all the places or in none. Names change
//! while the folders are locked. That takes some microseconds, as everything is on the disk before. No system changes
//! several names at once, so who looks in between may see one file of the one and another of the other. A proof is put
//! in its place last. Where there was none, who finds it finds its signals. Where there was one, it is a proof for a
//! moment of signals that are not its own, and does not verify.

use std::fs::{File, TryLockError};
use std::io;
use std::path::Path;
use std::time::{Duration, Instant};

use super::temporary::folder_of;

/// Folders in which this process alone changes names, as far as other processes ask: until it is dropped.
pub struct LockedFolders(#[expect(dead_code, reason = "dropped, it gives up the locks")] Vec<File>);

impl LockedFolders {
    /// Locks the folders of some files, one after the other in an order that all processes have in common.
    ///
    /// A folder that cannot be opened, or a file system without locks, stays unlocked. Fails if a folder is not free
    /// within ten seconds.
    pub fn of(targets: &[&Path]) -> io::Result<Self> {
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
            loop {
                match folder.try_lock() {
                    Ok(()) => break,
                    Err(TryLockError::Error(_)) => break,
                    Err(TryLockError::WouldBlock) if start.elapsed() > LONGEST_WAIT => {
                        let message = "another process keeps the folder locked";
                        return Err(io::Error::new(io::ErrorKind::TimedOut, message));
                    }
                    Err(TryLockError::WouldBlock) => std::thread::sleep(BETWEEN_ATTEMPTS),
                }
            }
            locked.push(folder);
        }
        Ok(Self(locked))
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

const LONGEST_WAIT: Duration = Duration::from_secs(10);
const BETWEEN_ATTEMPTS: Duration = Duration::from_millis(2);
