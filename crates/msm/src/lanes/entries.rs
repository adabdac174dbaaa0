//! Additions that wait to be made together.

/// `slots[target]` plus a summand: a slot, or a point with a sign.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Entry {
    pub(super) target: u32,
    pub(super) source: u32,
}

impl Entry {
    /// `slots[target] += ±points[index]`, `index` below 2^31.
    #[inline(always)]
    pub(super) fn of_point(target: u32, index: usize, negative: bool) -> Self {
        Self {
            target,
            source: (index as u32) << 1 | u32::from(negative),
        }
    }

    /// Which point the source is.
    #[inline(always)]
    pub(super) fn point(self) -> usize {
        (self.source >> 1) as usize
    }

    /// True if the opposite of the point is meant.
    #[inline(always)]
    pub(super) fn is_negative(self) -> bool {
        self.source & 1 == 1
    }
}

/// A list of at most `N` entries in one piece of memory, which also takes entries that do not count.
pub(super) struct Entries<const N: usize> {
    entries: Box<[Entry; N]>,
    len: usize,
}

impl<const N: usize> Entries<N> {
    pub(super) fn new() -> Self {
        let none = Entry {
            target: 0,
            source: 0,
        };
        let entries = vec![none; N].into_boxed_slice();
        Self {
            entries: entries.try_into().expect("N entries"),
            len: 0,
        }
    }

    #[inline(always)]
    pub(super) fn len(&self) -> usize {
        self.len
    }

    /// Appends `entry` if it `counts`, without a branch; there must be room for it in both cases.
    #[inline(always)]
    pub(super) fn push_if(&mut self, entry: Entry, counts: bool) {
        self.entries[self.len] = entry;
        self.len += usize::from(counts);
    }

    #[inline(always)]
    pub(super) fn push(&mut self, entry: Entry) {
        self.push_if(entry, true);
    }

    pub(super) fn clear(&mut self) {
        self.len = 0;
    }

    /// Removes the first `count`.
    pub(super) fn remove_first(&mut self, count: usize) {
        self.entries.copy_within(count..self.len, 0);
        self.len -= count;
    }

    /// All, and as many repetitions of the last one as make the number a multiple of `multiple`.
    pub(super) fn filled_up(&mut self, multiple: usize) -> &[Entry] {
        let filled = self.len.next_multiple_of(multiple);
        if self.len > 0 {
            let last = self.entries[self.len - 1];
            self.entries[self.len..filled].fill(last);
        }
        &self.entries[..filled]
    }

    #[inline(always)]
    pub(super) fn as_slice(&self) -> &[Entry] {
        &self.entries[..self.len]
    }
}
