//! Folders that cannot be written: of another user, of a file system that is mounted to read, or made immutable.
//!
//! SQLite tells of such a one as of a faulty disk. The system is asked, and nothing is written: root, too, learns so of
//! what nobody may write.

use std::io::Error;
use std::path::Path;

use frumious_app::failure::{About, Failure};
use rustix::fs::{Access, AtFlags, CWD, accessat};

/// Refuses a folder in which this process cannot write these files, or make them.
///
/// # Errors
/// A [`Failure`] that names the folder, or the file.
pub fn refuse_unwritable(folder: &Path, files: &[&str]) -> Result<(), Failure> {
    may(folder, Access::WRITE_OK | Access::EXEC_OK)?;
    let files = files.iter().map(|name| folder.join(name));
    let mut there = files.filter(|path| path.exists());
    there.try_for_each(|path| may(&path, Access::READ_OK | Access::WRITE_OK))
}

/// Refuses the place of a folder that is not there, if it cannot be made.
///
/// # Errors
/// A [`Failure`] that names the folder.
pub fn refuse_unmakable(folder: &Path) -> Result<(), Failure> {
    let above = folder.ancestors().skip(1).map(|above| match above {
        above if above.as_os_str().is_empty() => Path::new("."),
        above => above,
    });
    let nearest = above.into_iter().find(|above| above.exists());
    let asked = asked(
        nearest.unwrap_or(Path::new(".")),
        Access::WRITE_OK | Access::EXEC_OK,
    );
    asked
        .map_err(|error| Failure::of_system("cannot be made", &error))
        .about(folder)
}

fn may(path: &Path, access: Access) -> Result<(), Failure> {
    asked(path, access)
        .map_err(|error| Failure::of_system("cannot be written", &error))
        .about(path)
}

fn asked(path: &Path, access: Access) -> Result<(), Error> {
    accessat(CWD, path, access, AtFlags::EACCESS).map_err(Error::from)
}
