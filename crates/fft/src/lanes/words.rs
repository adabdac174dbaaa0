//! Elements of the vector, eight to a step, as words: one of each of eight columns, or one of each of eight rows.

use frumious_field::WordField;
use frumious_field::lanes;
use frumious_field::prefetch;
use frumious_simd::LANES;

/// Steps of eight elements each.
pub(super) trait Eights {
    /// The eight elements of step `i`.
    fn words(&self, i: usize) -> [&[u64; 4]; LANES];
    /// The same, to be written.
    fn words_mut(&mut self, i: usize) -> [&mut [u64; 4]; LANES];
    /// Says that step `i` comes soon, if there is one.
    fn prefetch(&self, i: usize);
}

/// Eight adjacent columns: step `i` is at `first` in the piece of row `i`.
pub(super) struct Columns<'a, 'b, F> {
    pub pieces: &'a mut [&'b mut [F]],
    pub first: usize,
}

impl<F: WordField> Eights for Columns<'_, '_, F> {
    #[inline(always)]
    fn words(&self, i: usize) -> [&[u64; 4]; LANES] {
        let eight = self.pieces[i][self.first..].first_chunk();
        lanes::rows(eight.expect("columns come in eights"))
    }

    #[inline(always)]
    fn words_mut(&mut self, i: usize) -> [&mut [u64; 4]; LANES] {
        let eight = self.pieces[i][self.first..].first_chunk_mut();
        lanes::rows_mut(eight.expect("columns come in eights"))
    }

    #[inline(always)]
    fn prefetch(&self, i: usize) {
        if let Some(piece) = self.pieces.get(i) {
            prefetch(&piece[self.first..][..LANES]);
        }
    }
}

/// Eight rows of one length: step `i` is element `i` of each.
pub(super) struct EightRows<'a, F>(pub [&'a mut [F]; LANES]);

impl<'a, F> EightRows<'a, F> {
    /// The rows in `values`, one after the other. Their number is eight.
    pub fn new(values: &'a mut [F]) -> Self {
        let mut rows = values.chunks_exact_mut(values.len() / LANES);
        Self([(); LANES].map(|()| rows.next().expect("eight rows")))
    }
}

impl<F: WordField> Eights for EightRows<'_, F> {
    #[inline(always)]
    fn words(&self, i: usize) -> [&[u64; 4]; LANES] {
        let [r0, r1, r2, r3, r4, r5, r6, r7] = &self.0; // by name: `array::map` leaves a call
        [
            r0[i].as_words(),
            r1[i].as_words(),
            r2[i].as_words(),
            r3[i].as_words(),
            r4[i].as_words(),
            r5[i].as_words(),
            r6[i].as_words(),
            r7[i].as_words(),
        ]
    }

    #[inline(always)]
    fn words_mut(&mut self, i: usize) -> [&mut [u64; 4]; LANES] {
        let [r0, r1, r2, r3, r4, r5, r6, r7] = &mut self.0;
        [
            r0[i].as_words_mut(),
            r1[i].as_words_mut(),
            r2[i].as_words_mut(),
            r3[i].as_words_mut(),
            r4[i].as_words_mut(),
            r5[i].as_words_mut(),
            r6[i].as_words_mut(),
            r7[i].as_words_mut(),
        ]
    }

    /// Nothing: the CPU sees for itself that rows go on.
    #[inline(always)]
    fn prefetch(&self, _: usize) {}
}
