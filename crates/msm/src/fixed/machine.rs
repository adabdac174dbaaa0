//! The machine that a commitment runs on, as the cost model sees it.

use frumious_simd::LANES;

/// Which kernel carries out the operations.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Machine {
    /// One sum, on words.
    Scalar,
    /// Eight sums, in lanes.
    Lanes,
}

impl Machine {
    /// The one of the backend in use.
    #[inline]
    pub(super) fn active() -> Self {
        match frumious_field::lanes::active() {
            Some(_) => Self::Lanes,
            None => Self::Scalar,
        }
    }

    pub(super) const fn prices(self) -> &'static Prices {
        match self {
            Self::Scalar => &SCALAR,
            Self::Lanes => &IN_LANES,
        }
    }
}

/// Nanoseconds.
pub(super) struct Prices {
    /// An addition from a table in the caches.
    pub(super) addition: f32,
    /// More for an addition each time that the table gets twice as large.
    pub(super) addition_for_each_doubling: f32,
    /// A doubling after an addition.
    pub(super) doubling: f32,
    /// Additions between two doublings are made so many at a time.
    pub(super) width: usize,
    /// The cost of every commitment before its additions and after them.
    pub(super) sum: f32,
}

/// For Banderwagon on a Zen 5 core under a hypervisor, tables in huge pages, entries fetched ahead, fresh scalars each
/// time. An addition takes 107 ns at 3.4 MiB, 110 at 7, 113 at 96, 118 at 216, 123 at 384.
const SCALAR: Prices = Prices {
    addition: 106.0,
    addition_for_each_doubling: 2.0,
    doubling: 110.0,
    width: 1,
    sum: 0.0,
};

/// The same in lanes, for each of eight additions: 18 ns at 1 MiB, 22 at 48, 26 at 330.
const IN_LANES: Prices = Prices {
    addition: 18.0,
    addition_for_each_doubling: 1.0,
    doubling: 125.0,
    width: LANES,
    sum: 700.0,
};

impl Prices {
    /// An addition from a table of that many bytes.
    pub(super) fn addition(&self, bytes: usize) -> f32 {
        let beyond = (bytes as f32 / CACHED_BYTES).max(1.0).log2();
        self.addition + self.addition_for_each_doubling * beyond
    }

    /// All doublings of a comb.
    pub(super) fn doublings(&self, rounds: usize) -> f32 {
        (rounds - 1) as f32 * self.doubling
    }

    /// As how many additions so many count when nothing else comes along with them.
    pub(super) fn padded(&self, additions: usize) -> usize {
        additions.next_multiple_of(self.width)
    }
}

/// Up to that size a table is in the caches, after some use.
const CACHED_BYTES: f32 = 2.0 * 1024.0 * 1024.0;
