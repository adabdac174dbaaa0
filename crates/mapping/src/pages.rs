//! Which pages of a mapped file are in memory: hints to the operating system, without effect on the bytes.

use crate::{FileBytes, MappedFile, Storage};

impl FileBytes {
    /// Asks that `part`, which is some of these bytes, be read from its file soon. Returns at once.
    pub fn read_ahead(&self, part: &[u8]) {
        if let Some((mapped, start)) = self.mapped_part(part) {
            // A system that does not read ahead refuses the hint, and nothing is lost.
            #[cfg(unix)]
            let _ = mapped
                .map
                .advise_range(memmap2::Advice::WillNeed, start, part.len());
            #[cfg(not(unix))]
            let _ = (mapped, start);
        }
    }

    /// Gives up the pages of `part`, which is some of these bytes. They are no longer resident in this process; when
    /// they are read again, they come back from the page cache or the file.
    pub fn release(&self, part: &[u8]) {
        if let Some((mapped, start)) = self.mapped_part(part) {
            #[cfg(unix)]
            {
                // SAFETY: the mapping is of a file and is never written to, so that pages given up are read again from the same file with the same
                // bytes; that nobody changes the file is required by `FileBytes::map`. The range lies within the mapping.
                #[allow(unsafe_code)]
                let _ = unsafe {
                    mapped.map.unchecked_advise_range(
                        memmap2::UncheckedAdvice::DontNeed,
                        start,
                        part.len(),
                    )
                };
            }
            #[cfg(not(unix))]
            let _ = (mapped, start);
        }
    }

    /// The mapping with the place of `part` in it; none for owned bytes, and for bytes that are not some of these.
    fn mapped_part(&self, part: &[u8]) -> Option<(&MappedFile, usize)> {
        let Storage::Mapped(mapped) = &*self.0 else {
            return None;
        };
        let start = part
            .as_ptr()
            .addr()
            .checked_sub(mapped.map.as_ptr().addr())?;
        let end = start.checked_add(part.len())?;
        (end <= mapped.map.len() && !part.is_empty()).then_some((mapped, start))
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)] // in a test, a failed unwrap is the failure
    use super::*;
    use std::io::Write;

    #[test]
    fn bytes_are_the_same_after_any_hint() {
        let mut file = tempfile::NamedTempFile::new().unwrap();
        let content: Vec<u8> = (0..100_000u32)
            .map(|i| (i.wrapping_mul(i) >> 7) as u8)
            .collect();
        file.write_all(&content).unwrap();
        let mapped = FileBytes::map(file.path()).unwrap();
        let owned = FileBytes::from(content.clone());
        for bytes in [&mapped, &owned] {
            for part in [
                0..0,
                0..1,
                0..content.len(),
                4095..4097,
                5000..90_000,
                99_999..100_000,
            ] {
                bytes.read_ahead(&bytes[part.clone()]);
                bytes.release(&bytes[part]);
                assert_eq!(**bytes, *content);
            }
            // Not a part of these bytes.
            bytes.release(&content);
            bytes.release(&owned);
            bytes.read_ahead(&mapped);
        }
        assert_eq!(*mapped, *content);
    }

    /// What `/proc` says of the process's memory that is resident and of files, in KiB.
    #[cfg(target_os = "linux")]
    fn resident_of(path: &std::path::Path) -> u64 {
        let maps = std::fs::read_to_string("/proc/self/smaps").unwrap();
        let name = path.to_str().unwrap();
        let mut lines = maps.lines().skip_while(|line| !line.ends_with(name));
        let line = lines.find(|line| line.starts_with("Rss:")).unwrap();
        line.split_whitespace().nth(1).unwrap().parse().unwrap()
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn released_pages_are_no_longer_resident() {
        let mut file = tempfile::NamedTempFile::new().unwrap();
        file.write_all(&vec![7; 8 << 20]).unwrap();
        let bytes = FileBytes::map(file.path()).unwrap();
        assert_eq!(
            bytes.iter().map(|byte| u64::from(*byte)).sum::<u64>(),
            7 * (8 << 20)
        );
        assert_eq!(resident_of(file.path()), 8 << 10);
        bytes.release(&bytes[2 << 20..6 << 20]);
        assert_eq!(resident_of(file.path()), 4 << 10);
        assert_eq!(bytes[3 << 20], 7);
    }
}
