//! The kernel: carries out operations on one sum. The part that another processor's kernel replaces.
//!
//! Tables do not fit caches, so that the entry of an operation is asked for [`AHEAD`] operations before it is needed.
//! An addition takes some 100 ns and memory up to 150 ns, more when many wait for it.

use super::group::{Accumulator, EntryForm, FixedGroup};
use super::operations::{Operation, Sink};
use frumious_field::kernel::Multiplier;
use frumious_field::prefetch;

/// One sum over one table, on one backend.
pub(super) struct Kernel<'a, G: FixedGroup, T: Multiplier> {
    cpu: T,
    /// Entries, each [`FixedGroup::ENTRY_BYTES`].
    entries: &'a [u8],
    /// None as long as nothing was added.
    sum: Option<G::Accumulator<T>>,
}

impl<'a, G: FixedGroup, T: Multiplier> Kernel<'a, G, T> {
    /// The empty sum.
    #[inline(always)]
    pub(super) fn new(cpu: T, entries: &'a [u8]) -> Self {
        Self {
            cpu,
            entries,
            sum: None,
        }
    }

    /// The sum.
    #[inline(always)]
    pub(super) fn finish(self) -> G::Projective {
        match self.sum {
            Some(sum) => sum.finish(),
            None => G::Projective::default(),
        }
    }

    #[inline(always)]
    fn bytes(&self, index: usize) -> &'a [u8] {
        let start = index * G::Entry::BYTES;
        &self.entries[start..start + G::Entry::BYTES]
    }

    #[inline(always)]
    fn fetch(&self, operation: Option<&Operation>) {
        if let Some(index) = operation.and_then(|operation| operation.entry()) {
            prefetch(self.bytes(index));
        }
    }
}

impl<G: FixedGroup, T: Multiplier> Sink for Kernel<'_, G, T> {
    #[inline(never)]
    fn run(&mut self, operations: &[Operation]) {
        for operation in operations.iter().take(AHEAD) {
            self.fetch(Some(operation));
        }
        let mut rest = operations.iter().enumerate();
        let mut sum = match self.sum {
            Some(sum) => sum,
            None => {
                // Doublings of nothing are skipped, the first entry is copied.
                let Some((_, first)) = rest.find(|(_, operation)| operation.entry().is_some())
                else {
                    return;
                };
                let entry = G::Entry::read(self.bytes(first.entry().expect("just found")));
                let sum = G::Accumulator::<T>::start(self.cpu, &entry, first.is_negative());
                if first.doubles() { sum.double() } else { sum }
            }
        };
        for (place, operation) in rest {
            self.fetch(operations.get(place + AHEAD));
            sum = match operation.entry() {
                None => sum.double(),
                Some(index) => {
                    let entry = G::Entry::read(self.bytes(index));
                    if operation.doubles() {
                        sum.add_and_double(self.cpu, &entry, operation.is_negative())
                    } else {
                        sum.add(self.cpu, &entry, operation.is_negative())
                    }
                }
            };
        }
        self.sum = Some(sum);
    }
}

/// Operations ahead at which an entry is asked for.
const AHEAD: usize = 16;
