//! Large sections a window at a time, so that few pages of the key are resident at once.

use crate::settings::window_points;
use frumious_mapping::FileBytes;
use std::ops::Range;

/// Goes over the records of a section.
///
/// A section may have more of them than a window, [`window_points`]. Then the pages of the next window are read ahead,
/// and those of the last one given up. Smaller ones are a single window, and stay resident for the next proof.
pub(super) struct Windows<'a> {
    file: &'a FileBytes,
    section: &'a [u8],
    record_bytes: usize,
    /// Records of a window.
    records: usize,
    next: usize,
}

impl<'a> Windows<'a> {
    /// `section`: bytes of `file`, a multiple of `record_bytes`.
    pub(super) fn new(file: &'a FileBytes, section: &'a [u8], record_bytes: usize) -> Self {
        Self {
            file,
            section,
            record_bytes,
            records: window_points(),
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
        start..self.len().min(start.saturating_add(self.records))
    }

    /// Gives up the window before the next one.
    fn release_last(&self) {
        if self.len() > self.records && self.next > 0 {
            let start = (self.next - 1) / self.records * self.records;
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
    &section[..section.len().min(window_points() * record_bytes)]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn windows_make_up_the_section() {
        let records = window_points();
        for (len, ends) in [
            (0, vec![]),
            (1, vec![1]),
            (records, vec![records]),
            (records + 1, vec![records, records + 1]),
            (3 * records, vec![records, 2 * records, 3 * records]),
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
