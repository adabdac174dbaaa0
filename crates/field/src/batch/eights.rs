//! Slices in blocks of eight, the last one completed: what kernels over lanes run through.

use frumious_simd::LANES;

/// A slice in blocks of eight, where the last block is completed by a filler.
#[derive(Clone, Copy, Debug)]
pub struct Eights<'a, T> {
    blocks: &'a [[T; LANES]],
    last: [T; LANES],
    rest: usize,
}

impl<'a, T: Copy> Eights<'a, T> {
    /// The blocks of `values`, completed by copies of `filler`.
    #[inline(always)]
    pub fn new(values: &'a [T], filler: T) -> Self {
        let (blocks, rest) = values.as_chunks();
        let mut last = [filler; LANES];
        copy(&mut last, rest);
        Self {
            blocks,
            last,
            rest: rest.len(),
        }
    }

    /// Number of blocks.
    #[inline(always)]
    pub const fn blocks(&self) -> usize {
        self.blocks.len() + (self.rest > 0) as usize
    }

    /// Block i; from the last full one on, the one that is completed.
    #[inline(always)]
    pub fn get(&self, i: usize) -> &[T; LANES] {
        self.blocks.get(i).unwrap_or(&self.last)
    }
}

/// As [`Eights`], to be written; [`EightsMut::finish`] brings what was written to the last block home.
#[derive(Debug)]
pub struct EightsMut<'a, T> {
    blocks: &'a mut [[T; LANES]],
    rest: &'a mut [T],
    last: [T; LANES],
}

impl<'a, T: Copy> EightsMut<'a, T> {
    /// The blocks of `values`, completed by copies of `filler`.
    #[inline(always)]
    pub fn new(values: &'a mut [T], filler: T) -> Self {
        let (blocks, rest) = values.as_chunks_mut();
        let mut last = [filler; LANES];
        copy(&mut last, rest);
        Self { blocks, rest, last }
    }

    /// Number of blocks.
    #[inline(always)]
    pub const fn blocks(&self) -> usize {
        self.blocks.len() + !self.rest.is_empty() as usize
    }

    /// Block i; from the last full one on, the one that is completed.
    #[inline(always)]
    pub fn get(&self, i: usize) -> &[T; LANES] {
        self.blocks.get(i).unwrap_or(&self.last)
    }

    /// Block i, to be written.
    #[inline(always)]
    pub fn get_mut(&mut self, i: usize) -> &mut [T; LANES] {
        self.blocks.get_mut(i).unwrap_or(&mut self.last)
    }

    /// Copies the last block home, without what it was completed by.
    #[inline(always)]
    pub fn finish(self) {
        copy(self.rest, &self.last);
    }
}

/// As much of `source` as both have.
#[inline(always)]
fn copy<T: Copy>(target: &mut [T], source: &[T]) {
    for (target, source) in target.iter_mut().zip(source) {
        *target = *source;
    }
}
