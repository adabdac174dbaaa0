//! A commitment as a list of operations: which entries are added, and where the sum is doubled.
//!
//! Strategies turn scalars into such lists; a kernel, or a counter, carries them out. So a kernel knows nothing of
//! scalars, and it sees which entries come next, to have them fetched.

/// One step: add an entry (or its opposite, or nothing), then perhaps double the sum.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Operation(u32);

impl Operation {
    /// Doubles the sum and adds nothing.
    pub(super) const DOUBLE: Self = Self(DOUBLE);

    /// `±entries[index]`; `index` is below [`MAX_ENTRIES`].
    #[inline(always)]
    pub(super) fn add(index: usize, negative: bool) -> Self {
        debug_assert!(index < MAX_ENTRIES);
        Self((index as u32 + 1) | (u32::from(negative) << 31))
    }

    /// The same, and the sum doubled afterwards.
    #[inline(always)]
    pub(super) fn and_double(self) -> Self {
        Self(self.0 | DOUBLE)
    }

    /// Which entry, none for a doubling alone.
    #[inline(always)]
    pub(super) fn entry(self) -> Option<usize> {
        (self.0 & INDEX).checked_sub(1).map(|index| index as usize)
    }

    /// True if the opposite of the entry is meant.
    #[inline(always)]
    pub(super) fn is_negative(self) -> bool {
        self.0 >> 31 == 1
    }

    /// True if the sum is doubled afterwards.
    #[inline(always)]
    pub(super) fn doubles(self) -> bool {
        self.0 & DOUBLE != 0
    }
}

const DOUBLE: u32 = 1 << 30;
const INDEX: u32 = DOUBLE - 1;

/// Entries that operations can name: `2^30 − 1`, or 96 GiB of Banderwagon's.
pub(super) const MAX_ENTRIES: usize = INDEX as usize;

/// Carries out operations, in the order in which they come.
pub(super) trait Sink {
    /// The next few.
    fn run(&mut self, operations: &[Operation]);
}

/// Collects operations into batches for a sink, which gets the last one by [`flush`](Queue::flush).
pub(super) struct Queue<'a> {
    operations: [Operation; BATCH],
    length: usize,
    sink: &'a mut dyn Sink,
}

impl<'a> Queue<'a> {
    /// An empty queue.
    pub(super) fn new(sink: &'a mut dyn Sink) -> Self {
        Self {
            operations: [Operation(0); BATCH],
            length: 0,
            sink,
        }
    }

    /// One more.
    #[inline(always)]
    pub(super) fn push(&mut self, operation: Operation) {
        self.operations[self.length] = operation;
        self.length += 1;
        if self.length == BATCH {
            self.flush();
        }
    }

    /// Hands on what waits.
    pub(super) fn flush(&mut self) {
        self.sink.run(&self.operations[..self.length]);
        self.length = 0;
    }
}

/// Operations in a batch: enough that its start, where nothing was fetched ahead, is rare; 2 KiB.
pub(super) const BATCH: usize = 512;

/// Group operations of a commitment, counted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Operations {
    /// Entries added, the first one included, although it is only copied.
    pub additions: usize,
    /// Doublings of the sum.
    pub doublings: usize,
}

impl Operations {
    /// Additions and doublings.
    pub fn total(&self) -> usize {
        self.additions + self.doublings
    }
}

impl Sink for Operations {
    fn run(&mut self, operations: &[Operation]) {
        for operation in operations {
            self.additions += usize::from(operation.entry().is_some());
            self.doublings += usize::from(operation.doubles());
        }
    }
}
