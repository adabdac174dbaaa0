//! The bytes of a file: mapped into memory or owned, shared by reference counting. The only crate that maps memory.
//!
//! Proving keys and tables are mapped, so that pages come from the page cache on demand and are shared between
//! processes. The price is that somebody may change the file meanwhile. Three defences, in order of strength:
//!
//! * Readers check what they read when they read it, where that is affordable (`frumious_circom` does). Other bytes
//!   then give an error, or a proof that does not verify, and the prover verifies each proof.
//! * [`FileBytes::check_unchanged_length`] at the boundary of a phase turns a truncation into an ordinary error.
//! * [`FileBytes::check_unchanged`] before a result is given away turns any change that left a trace into an error.
//! * Reading a page that no longer has a file behind it raises SIGBUS, which by default kills the process without a
//!   word. A program may opt in to [`exit_on_truncated_mapping`], which says which file it was.

mod allocator;
mod code;
#[cfg(target_os = "linux")]
mod descriptors;
mod error;
mod heap;
mod memory;
mod opening;
mod pages;
mod settings;
mod truncation;
mod words;

use std::fs::{File, Metadata};
use std::ops::Deref;
use std::path::Path;
use std::sync::Arc;

pub use allocator::HugePages;
pub use code::can_make_code;
#[cfg(target_os = "linux")]
pub use descriptors::keep_files_from_programs;
pub use error::Error;
pub use heap::begin_heap_on_huge_pages;
pub use memory::Memory;
pub use opening::open_regular_file;
use opening::{Stamp, io_error};
pub use settings::SETTINGS;
pub use truncation::exit_on_truncated_mapping;
pub use words::words;

/// The bytes of a file; dereferences to `[u8]`. Cloning shares them.
#[derive(Clone)]
pub struct FileBytes(Arc<Storage>);

enum Storage {
    Owned(Vec<u8>),
    Borrowed(&'static [u8]),
    Memory(memmap2::Mmap),
    Mapped(MappedFile),
}

/// A mapping with the file it shows. The registration is declared first, hence dropped before what it points to.
struct MappedFile {
    _registration: truncation::Registration,
    map: memmap2::Mmap,
    file: File,
    /// The file when it was opened.
    stamp: Stamp,
    path: Box<Path>,
}

impl FileBytes {
    /// Maps the file at `path` for reading; the contents are not read yet.
    ///
    /// The file must not be modified while it is mapped; see the module's text for what happens if it is.
    ///
    /// # Errors
    /// [`Error::NotAFile`] for a directory, device or pipe, [`Error::Empty`] for an empty file, [`Error::Io`] when the
    /// operating system refuses.
    pub fn map(path: impl AsRef<Path>) -> Result<Self, Error> {
        let path = path.as_ref();
        let (file, metadata) = open_regular_file(path)?;
        Self::map_file(file, &metadata, path)
    }

    /// As [`FileBytes::map`], of a file that is open for reading. `name` is for messages.
    ///
    /// # Errors
    /// As [`FileBytes::map`].
    pub fn map_open(file: File, name: &Path) -> Result<Self, Error> {
        let metadata = opening::metadata_of(&file, name)?;
        Self::map_file(file, &metadata, name)
    }

    fn map_file(file: File, metadata: &Metadata, path: &Path) -> Result<Self, Error> {
        // SAFETY: the mapping is read-only, and `MappedFile` keeps it alive as long as the slice. That no other process
        // changes the file cannot be had from the operating system; it is required in this function's documentation.
        // The readers hold no Rust type with invalid values in the mapping, only plain bytes, and check what they copy.
        #[allow(unsafe_code)]
        let map = unsafe { memmap2::Mmap::map(&file) }.map_err(io_error(path))?;
        let path: Box<Path> = path.into();
        Ok(Self(Arc::new(Storage::Mapped(MappedFile {
            _registration: truncation::Registration::new(&map, &path),
            map,
            file,
            stamp: Stamp::of(metadata),
            path,
        }))))
    }

    /// Reads the whole file at `path` into memory.
    ///
    /// # Errors
    /// As [`FileBytes::map`].
    pub fn read(path: impl AsRef<Path>) -> Result<Self, Error> {
        let path = path.as_ref();
        let (mut file, metadata) = open_regular_file(path)?;
        // A file with holes can be longer than all memory.
        let mut bytes = Vec::new();
        let length = usize::try_from(metadata.len()).unwrap_or(usize::MAX);
        bytes
            .try_reserve_exact(length)
            .map_err(|_| io_error(path)(std::io::ErrorKind::OutOfMemory.into()))?;
        std::io::Read::read_to_end(&mut file, &mut bytes).map_err(io_error(path))?;
        Ok(Self::from(bytes))
    }

    /// Bytes that stay where they are. They are not copied.
    pub fn from_static(bytes: &'static [u8]) -> Self {
        Self(Arc::new(Storage::Borrowed(bytes)))
    }

    /// The file behind a mapping; `None` for bytes in memory.
    pub fn path(&self) -> Option<&Path> {
        match &*self.0 {
            Storage::Owned(_) | Storage::Borrowed(_) | Storage::Memory(_) => None,
            Storage::Mapped(mapped) => Some(&mapped.path),
        }
    }

    /// True if the bytes are those of a mapped file, so that they are not private memory of the process.
    pub fn is_mapped(&self) -> bool {
        matches!(&*self.0, Storage::Mapped(_))
    }

    /// Notices a file that was truncated or extended since it was mapped. One system call; owned bytes always pass.
    ///
    /// # Errors
    /// [`Error::ChangedInUse`] when the length differs, [`Error::Io`] when it cannot be had.
    pub fn check_unchanged_length(&self) -> Result<(), Error> {
        let Storage::Mapped(mapped) = &*self.0 else {
            return Ok(());
        };
        let metadata = mapped.file.metadata().map_err(io_error(&mapped.path))?;
        let (expected, actual) = (mapped.map.len() as u64, metadata.len());
        if expected == actual {
            Ok(())
        } else {
            Err(Error::ChangedInUse {
                path: mapped.path.to_path_buf(),
                expected,
                actual,
            })
        }
    }

    /// Notices a file that was written to since it was mapped, by its length and the times that the file system keeps.
    /// One system call; owned bytes always pass. That the file was renamed, or another put in its place, is no change
    /// of it.
    ///
    /// Two writes leave no trace:
    /// - one through a mapping for writing that had changed the same page before, until the system has written that
    ///   page to the disk
    /// - one before [`FileBytes::settle`], so soon after another that the clock did not tick between
    ///
    /// # Errors
    /// As [`FileBytes::check_unchanged_length`], and [`Error::WrittenInUse`].
    pub fn check_unchanged(&self) -> Result<(), Error> {
        self.check_unchanged_length()?;
        let Storage::Mapped(mapped) = &*self.0 else {
            return Ok(());
        };
        let metadata = mapped.file.metadata().map_err(io_error(&mapped.path))?;
        match mapped.stamp.may_differ(&Stamp::of(&metadata)) {
            false => Ok(()),
            true => Err(Error::WrittenInUse {
                path: mapped.path.to_path_buf(),
            }),
        }
    }

    /// Waits, if the file was written to just before it was mapped, until the clock of its file system has ticked: at
    /// most 20 ms. From then on [`FileBytes::check_unchanged`] notices the next write. To be called before the bytes
    /// are read.
    pub fn settle(&self) {
        if let Storage::Mapped(mapped) = &*self.0 {
            std::thread::sleep(mapped.stamp.unsettled_for());
        }
    }
}

impl Deref for FileBytes {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        match &*self.0 {
            Storage::Owned(bytes) => bytes,
            Storage::Borrowed(bytes) => bytes,
            Storage::Memory(map) => map,
            Storage::Mapped(mapped) => &mapped.map,
        }
    }
}

impl AsRef<[u8]> for FileBytes {
    fn as_ref(&self) -> &[u8] {
        self
    }
}

impl From<Vec<u8>> for FileBytes {
    fn from(bytes: Vec<u8>) -> Self {
        Self(Arc::new(Storage::Owned(bytes)))
    }
}

impl std::fmt::Debug for FileBytes {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self.path() {
            Some(path) => write!(f, "FileBytes({}, {} bytes)", path.display(), self.len()),
            None => write!(f, "FileBytes({} bytes)", self.len()),
        }
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)] // in a test, a failed unwrap is the failure
    use super::*;

    #[test]
    fn directories_and_empty_files_are_refused() {
        let folder = tempfile::tempdir().unwrap();
        let empty = folder.path().join("empty.zkey");
        std::fs::write(&empty, []).unwrap();
        let absent = folder.path().join("absent.zkey");
        type Opener = fn(&Path) -> Result<FileBytes, Error>;
        let openers: [Opener; 2] = [|path| FileBytes::map(path), |path| FileBytes::read(path)];
        for open in openers {
            assert!(matches!(open(folder.path()), Err(Error::NotAFile { .. })));
            assert!(matches!(open(&empty), Err(Error::Empty { .. })));
            assert!(matches!(open(&absent), Err(Error::Io { .. })));
            let message = open(&empty).unwrap_err().to_string();
            assert!(message.contains("empty.zkey"), "{message}");
        }
    }

    #[test]
    fn mapped_and_read_bytes_agree() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("bytes");
        let bytes: Vec<u8> = (0..10_000u32).map(|i| i as u8).collect();
        std::fs::write(&path, &bytes).unwrap();
        let mapped = FileBytes::map(&path).unwrap();
        assert_eq!(*mapped, *bytes);
        assert_eq!(*mapped.clone(), *FileBytes::read(&path).unwrap());
        assert!(mapped.is_mapped() && !FileBytes::from(bytes).is_mapped());
        static STAYS: [u8; 3] = [1, 2, 3];
        let borrowed = FileBytes::from_static(&STAYS);
        assert!(std::ptr::eq(&raw const borrowed[0], &raw const STAYS[0]) && !borrowed.is_mapped());
    }

    #[test]
    fn a_changed_length_is_noticed() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("bytes");
        std::fs::write(&path, [7; 100]).unwrap();
        let mapped = FileBytes::map(&path).unwrap();
        mapped.check_unchanged_length().unwrap();
        File::options()
            .write(true)
            .open(&path)
            .unwrap()
            .set_len(99)
            .unwrap();
        let error = mapped.check_unchanged_length().unwrap_err();
        assert!(matches!(
            error,
            Error::ChangedInUse {
                expected: 100,
                actual: 99,
                ..
            }
        ));
        let owned = FileBytes::from(vec![1, 2, 3]);
        owned.check_unchanged_length().unwrap();
    }

    #[test]
    fn a_write_is_noticed_and_a_replacement_is_none() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("bytes");
        std::fs::write(&path, [7; 100]).unwrap();
        let mapped = FileBytes::map(&path).unwrap();
        mapped.settle();
        mapped.check_unchanged().unwrap();
        let other = folder.path().join("other");
        std::fs::write(&other, [8; 100]).unwrap();
        std::fs::rename(&other, &path).unwrap();
        mapped.check_unchanged().unwrap();

        let mapped = FileBytes::map(&path).unwrap();
        mapped.settle();
        // The same bytes again: nobody can know.
        std::io::Write::write_all(
            &mut File::options().write(true).open(&path).unwrap(),
            &[8; 100],
        )
        .unwrap();
        mapped.check_unchanged_length().unwrap();
        let error = mapped.check_unchanged().unwrap_err();
        assert!(matches!(error, Error::WrittenInUse { .. }), "{error}");
        FileBytes::from(vec![1]).check_unchanged().unwrap();
    }

    /// Compile-time: a proving key that owns its bytes must be shareable between threads.
    #[test]
    fn bytes_are_send_and_sync() {
        fn require<T: Send + Sync + 'static>() {}
        require::<FileBytes>();
    }
}
