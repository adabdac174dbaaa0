//! A file that holds room on the disk for the day on which the disk is full.
//!
//! To forget results takes room at first: the log grows before the database shrinks. So does the end of a job. Without
//! room of its own, a journal that has filled its disk would stay full for ever.
//!
//! A look at the free space would not do: another program may take it a moment later. A file that is written in full
//! holds its room on tmpfs and ext4 alike. When it is given up, the log is copied to the database first. From then on
//! the log's own file is room that nobody else takes, and results are forgotten in it.
//!
//! No request is taken before the file fits again.

use std::fs::File;
use std::io::{Error, Write};
use std::path::{Path, PathBuf};

use frumious_app::failure::{Code, Failure};

/// The file's name in a data folder.
pub const FILE: &str = "reserve";

/// The reserve of a data folder.
pub struct Reserve {
    path: PathBuf,
    /// Its length when it is there.
    bytes: u64,
    is_there: bool,
}

impl Reserve {
    /// The one in `folder`, made if it is not there and fits.
    pub fn new(folder: &Path) -> Self {
        let path = folder.join(FILE);
        let found = std::fs::metadata(&path).map_or(0, |found| found.len());
        let mut reserve = Self {
            path,
            bytes: found.max(LEAST),
            is_there: found >= LEAST,
        };
        reserve.make();
        reserve
    }

    /// False from the moment it is given up until it is made again.
    pub fn is_there(&self) -> bool {
        self.is_there
    }

    /// Gives its room to whoever writes next; true if it had any.
    pub fn give_up(&mut self) -> bool {
        // A file that cannot be removed is emptied by the next try to make it.
        let _ = std::fs::remove_file(&self.path);
        std::mem::take(&mut self.is_there)
    }

    /// Makes it, if it fits. True if it is there.
    pub fn make(&mut self) -> bool {
        if !self.is_there {
            let made = create(&self.path).and_then(|file| fill(file, self.bytes));
            match made {
                Ok(()) => self.is_there = true,
                // Others need the room meanwhile.
                Err(_) => drop(std::fs::remove_file(&self.path)),
            }
        }
        self.is_there
    }

    /// The reason for which it is not there, or does not grow.
    pub fn reason(&self) -> Failure {
        let folder = self.path.parent().unwrap_or(Path::new("."));
        let full = || Failure::new(Code::NoSpace, "the journal: the disk is full");
        super::refuse_unwritable(folder).err().unwrap_or_else(full)
    }

    /// Grows with the largest sealed input, which goes through the log. True if it is large enough.
    pub fn covers(&mut self, input: usize) -> bool {
        let wanted = LEAST.saturating_add(input as u64);
        if self.is_there && wanted > self.bytes {
            return self.grow(wanted).is_ok();
        }
        self.is_there
    }

    fn grow(&mut self, wanted: u64) -> Result<(), Error> {
        let file = File::options().append(true).open(&self.path)?;
        let shrunk = file.try_clone()?;
        fill(file, wanted - self.bytes).inspect_err(|_| drop(shrunk.set_len(self.bytes)))?;
        self.bytes = wanted;
        Ok(())
    }
}

/// For the server's user alone, as all files of the folder are.
fn create(path: &Path) -> Result<File, Error> {
    let mut options = File::options();
    options.create(true).write(true).truncate(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options.open(path)
}

/// Writes random bytes: zeros take no room where the file system compresses.
fn fill(mut file: File, bytes: u64) -> Result<(), Error> {
    let mut chunk = vec![0; CHUNK];
    let mut left = usize::try_from(bytes).map_err(Error::other)?;
    while left > 0 {
        let part = &mut chunk[..left.min(CHUNK)];
        getrandom::fill(part).map_err(Error::other)?;
        file.write_all(part)?;
        left -= part.len();
    }
    // Some disks are found full only then.
    file.sync_all()
}

/// Bytes: of the log before SQLite copies it to the database, 4 MiB, and of one transaction that comes on top.
pub const LEAST: u64 = 8 << 20;

const CHUNK: usize = 1 << 20;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_is_written_in_full_and_made_again() {
        let folder = tempfile::tempdir().expect("a folder");
        let length = || std::fs::metadata(folder.path().join("reserve")).map(|found| found.len());
        let mut reserve = Reserve::new(folder.path());
        assert!(reserve.is_there() && reserve.covers(0));
        assert_eq!(length().expect("it is there"), LEAST);
        assert!(reserve.covers(5));
        assert_eq!(length().expect("it is there"), LEAST + 5);
        assert!(reserve.give_up() && !reserve.give_up());
        assert!(!reserve.covers(0) && length().is_err());
        assert!(reserve.make());
        assert_eq!(length().expect("it is there"), LEAST + 5);
        // As a process that was killed may leave it: half written.
        std::fs::write(folder.path().join("reserve"), [1; 100]).expect("it writes");
        assert!(Reserve::new(folder.path()).is_there());
        assert_eq!(length().expect("it is there"), LEAST);
    }
}
