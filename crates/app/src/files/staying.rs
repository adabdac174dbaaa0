//! Files whose name no other file can take, which a rename would tell only after the work.
//!
//! | file | the rename's error |
//! |---|---|
//! | with a name that is too long for its folder | `ENAMETOOLONG` |
//! | that is mounted, as by `docker run -v FILE:FILE` | `EBUSY` |
//! | of another user, in a folder where each user renames their own (the sticky bit) | `EPERM` |

use std::io;
use std::path::Path;

/// Refuses a target that cannot be replaced. One that is not there is fine.
///
/// # Errors
/// That of the rename, in words.
pub fn refuse_to_stay(target: &Path) -> io::Result<()> {
    match std::fs::symlink_metadata(target) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
        Err(error) => Err(error),
        #[cfg(target_os = "linux")]
        Ok(found) => linux::look(target, &found),
        #[cfg(not(target_os = "linux"))]
        Ok(_) => Ok(()),
    }
}

#[cfg(target_os = "linux")]
mod linux {
    use std::fs::Metadata;
    use std::io;
    use std::os::unix::fs::MetadataExt;
    use std::path::Path;

    use rustix::fs::{AtFlags, CWD, StatxAttributes, StatxFlags, statx};
    use rustix::process::geteuid;

    use super::super::paths::folder_of;

    pub fn look(target: &Path, found: &Metadata) -> io::Result<()> {
        if is_mounted(target) {
            let message = "a file is mounted there, and cannot be replaced: mount its folder";
            return Err(io::Error::new(io::ErrorKind::InvalidInput, message));
        }
        let us = geteuid();
        let folder = std::fs::metadata(folder_of(target))?;
        let is_of_others = [found.uid(), folder.uid()]
            .iter()
            .all(|owner| *owner != us.as_raw());
        if folder.mode() & STICKY != 0 && is_of_others && !us.is_root() {
            let message =
                "it is another user's, who alone can replace it in this folder (the sticky bit)";
            return Err(io::Error::new(io::ErrorKind::PermissionDenied, message));
        }
        Ok(())
    }

    /// False also where the kernel does not tell: Linux does since 5.8.
    fn is_mounted(target: &Path) -> bool {
        let told = statx(CWD, target, AtFlags::SYMLINK_NOFOLLOW, StatxFlags::empty());
        told.is_ok_and(|told| {
            let attributes = told.stx_attributes & told.stx_attributes_mask;
            attributes.contains(StatxAttributes::MOUNT_ROOT)
        })
    }

    const STICKY: u32 = 0o1000;
}
