//! The words of numbers of double length.

/// A number of `2N` words, modulo `2^(128N)`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(C)]
pub struct Wide<const N: usize> {
    pub(super) low: [u64; N],
    pub(super) high: [u64; N],
}

impl<const N: usize> Wide<N> {
    /// Zero.
    pub const ZERO: Self = Self {
        low: [0; N],
        high: [0; N],
    };

    /// `high·2^(64N) + low`.
    pub const fn from_words(low: [u64; N], high: [u64; N]) -> Self {
        Self { low, high }
    }

    /// All words, least significant first.
    pub fn to_words(&self) -> Vec<u64> {
        [self.low, self.high].concat()
    }

    #[cfg(target_arch = "x86_64")]
    #[inline(always)]
    pub(crate) fn as_ptr(&self) -> *const u64 {
        core::ptr::from_ref(self).cast()
    }

    #[cfg(target_arch = "x86_64")]
    #[inline(always)]
    pub(crate) fn as_mut_ptr(&mut self) -> *mut u64 {
        core::ptr::from_mut(self).cast()
    }

    #[inline(always)]
    pub(super) const fn word(&self, i: usize) -> u64 {
        if i < N { self.low[i] } else { self.high[i - N] }
    }

    #[inline(always)]
    pub(super) const fn set_word(&mut self, i: usize, word: u64) {
        if i < N {
            self.low[i] = word;
        } else {
            self.high[i - N] = word;
        }
    }
}
