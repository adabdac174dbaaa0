//! Large sections a window at a time, so that few pages of the key are resident at once.

use frumious_mapping::FileBytes;
use std::ops::Range;

/// Goes over the records of a section.
///
/// A section may have more than [`RECORDS`] of them. Then the pages of the next window are read ahead, and those of the
/// last one given up. Smaller ones are a single window, and stay resident for the next proof.
pub(super) struct Windows<'a> {
    file: &'a FileBytes,
    section: &'a [u8],
    record_bytes: usize,
    next: usize,
}

impl<'a> Windows<'a> {
    /// `section`: bytes of `file`, a multiple of `record_bytes`.
    pub(super) fn new(file: &'a FileBytes, section: &'a [u8], record_bytes: usize) -> Self {
        Self {
            file,
            section,
            record_bytes,
            next: 0,
        }
    }

    fn len(&self) -> usize {
        self.section.len() / self.record_bytes
    }

    fn bytes(&self, window: Range<usize>) -> &'a [u8] {
        &self.section[window.start * self.record_bytes..window.end * self.record_bytes]
    }

    /// The window that begins at a record.
    fn from(&self, start: usize) -> Range<usize> {
        start..self.len().min(start.saturating_add(RECORDS))
    }

    /// Gives up the window before the next one.
    fn release_last(&self) {
        if self.len() > RECORDS && self.next > 0 {
            let start = (self.next - 1) / RECORDS * RECORDS;
            self.file.release(self.bytes(start..self.next));
        }
    }
}

impl Iterator for Windows<'_> {
    /// Numbers of records.
    type Item = Range<usize>;

    fn next(&mut self) -> Option<Range<usize>> {
        self.release_last();
        let window = self.from(self.next);
        if window.is_empty() {
            self.next = 0; // nothing is left to give up
            self.section = &[];
            return None;
        }
        self.next = window.end;
        let ahead = self.from(window.end);
        if !ahead.is_empty() {
            self.file.read_ahead(self.bytes(ahead));
        }
        Some(window)
    }
}

impl Drop for Windows<'_> {
    fn drop(&mut self) {
        self.release_last();
    }
}

/// The first window of a section.
pub(super) fn first_window(section: &[u8], record_bytes: usize) -> &[u8] {
    &section[..section.len().min(RECORDS * record_bytes)]
}

/// Records of a window: as points 128 MiB and more, so that sums by windows cost a hundredth more than one over all.
/// Few in the tests of this crate, whose circuits shall have several windows.
pub(super) const RECORDS: usize = if cfg!(test) { 1 << 6 } else { 1 << 21 };

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn windows_make_up_the_section() {
        for (len, ends) in [
            (0, vec![]),
            (1, vec![1]),
            (RECORDS, vec![RECORDS]),
            (RECORDS + 1, vec![RECORDS, RECORDS + 1]),
            (3 * RECORDS, vec![RECORDS, 2 * RECORDS, 3 * RECORDS]),
        ] {
            let file = FileBytes::from(vec![0; 2 * len]);
            let windows: Vec<_> = Windows::new(&file, &file, 2).collect();
            assert_eq!(
                windows.iter().map(|window| window.end).collect::<Vec<_>>(),
                ends
            );
            let starts = windows.iter().map(|window| window.start);
            assert!(starts.eq([0].iter().chain(&ends).copied().take(ends.len())));
        }
    }
}
