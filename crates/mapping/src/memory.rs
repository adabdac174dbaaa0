//! Memory of one's own for large tables: page-aligned, in huge pages where the system has them.
//!
//! Tables that are read at random in pages of 4 KiB miss the translation buffers at every access. A table of 334 MiB
//! has 85,000 such pages, and a Zen 5 core remembers some 4,000. In pages of 2 MiB it has 167.

#[cfg(target_os = "linux")]
use crate::settings::HUGE_PAGES;
use crate::{FileBytes, Storage};
use std::ops::{Deref, DerefMut};
use std::sync::Arc;

/// Bytes to be written once and then shared, as [`FileBytes`]: zeros at first, aligned to a page.
pub struct Memory(memmap2::MmapMut);

impl Memory {
    /// `length` zero bytes; at least one page is taken.
    ///
    /// # Errors
    /// The operating system's, when it has not that much memory.
    pub fn zeroed(length: usize) -> std::io::Result<Self> {
        let map = memmap2::MmapMut::map_anon(length.max(1))?;
        // Only a hint: a system without huge pages refuses it, and nothing is lost.
        #[cfg(target_os = "linux")]
        if HUGE_PAGES.get() == 1 {
            let _ = map.advise(memmap2::Advice::HugePage);
        }
        Ok(Self(map))
    }

    /// The bytes, from now on read-only and shared.
    ///
    /// # Errors
    /// The operating system's, when it refuses to protect the pages.
    pub fn freeze(self) -> std::io::Result<FileBytes> {
        let map = self.0.make_read_only()?;
        Ok(FileBytes(Arc::new(Storage::Memory(map))))
    }
}

impl Deref for Memory {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        &self.0
    }
}

impl DerefMut for Memory {
    fn deref_mut(&mut self) -> &mut [u8] {
        &mut self.0
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)] // in a test, a failed unwrap is the failure
    use super::*;

    #[test]
    fn memory_is_zero_then_what_was_written() {
        let mut memory = Memory::zeroed(5_000_000).unwrap();
        assert!(memory.iter().all(|byte| *byte == 0));
        assert_eq!(memory.as_ptr() as usize % 4096, 0);
        memory[4_999_999] = 7;
        let bytes = memory.freeze().unwrap();
        assert_eq!((bytes.len(), bytes[4_999_999]), (5_000_000, 7));
        assert!(!bytes.is_mapped() && bytes.path().is_none());
        bytes.check_unchanged_length().unwrap();
        assert_eq!(Memory::zeroed(0).unwrap().freeze().unwrap().len(), 1);
    }
}
