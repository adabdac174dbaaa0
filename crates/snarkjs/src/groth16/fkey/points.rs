//! Points with those at infinity left out.

use crate::points::Points;
use frumious_circom::container::Section;
use frumious_circom::{Error, Problem};
use frumious_curves::engine::PairingGroup;
use std::slice;

/// The points of a section of a key, one for each of its entries (wires, or elements of the domain). Some may be left
/// out because they are at infinity. Copying it copies no points.
#[derive(Clone, Copy, Debug)]
pub struct StoredPoints<'a, P> {
    len: usize,
    points: Points<'a, P>,
    /// A bit for each entry, if any is left out.
    bitmap: Option<Section<'a>>,
}

impl<'a, P: PairingGroup> StoredPoints<'a, P> {
    /// All points of a section that leaves none out.
    pub fn whole(points: Points<'a, P>) -> Self {
        Self {
            len: points.len(),
            points,
            bitmap: None,
        }
    }

    /// A stored section with `present` of `len` points.
    pub(super) fn new(stored: Section<'a>, len: u64, present: u64) -> Result<Self, Error> {
        if present > len {
            let problem = Problem::OutOfRange {
                what: "number of points",
                value: present,
                bound: len.saturating_add(1),
            };
            return Err(stored.error(0, problem));
        }
        let bitmap_bytes = match present == len {
            true => 0,
            false => 8 * len.div_ceil(64),
        };
        stored.expect_records(bitmap_bytes, present, P::BYTES as u64)?;
        // The bitmap is within bytes that are in memory.
        let points_bytes = stored.bytes.len() - bitmap_bytes as usize;
        let (points, bitmap) = stored.bytes.split_at(points_bytes);
        let points = Section {
            bytes: points,
            ..stored
        };
        let bitmap = Section {
            bytes: bitmap,
            offset: stored.offset + points_bytes as u64,
            ..stored
        };
        Ok(Self {
            len: len as usize, // at most 64 times the bytes of the bitmap
            points: Points::new(points, present)?,
            bitmap: (bitmap_bytes > 0).then_some(bitmap),
        })
    }

    /// Checks that as many bits are set as there are points, and none behind the last entry.
    pub(super) fn check_bitmap(&self) -> Result<(), Error> {
        let Some(bitmap) = self.bitmap else {
            return Ok(());
        };
        let ones = bitmap.bytes.iter().map(|byte| byte.count_ones() as usize);
        let ones: usize = ones.sum();
        let behind = (self.len..8 * bitmap.bytes.len()).any(|entry| is_set(bitmap.bytes, entry));
        if ones == self.points.len() && !behind {
            return Ok(());
        }
        let problem = Problem::Bitmap {
            expected: self.points.len() as u64,
            actual: ones as u64,
        };
        Err(bitmap.error(0, problem))
    }

    /// Number of entries.
    pub fn len(&self) -> usize {
        self.len
    }

    /// True if there are no entries.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// The points that are there, in the order of their entries.
    pub fn present(&self) -> Points<'a, P> {
        self.points
    }

    /// The entries of the points that are there, rising; `None` if all are.
    pub fn entries(&self) -> Option<PresentEntries<'a>> {
        let (words, _) = self.bitmap?.bytes.as_chunks();
        Some(PresentEntries {
            words: words.iter(),
            word: 0,
            next_base: 0,
        })
    }

    /// True if entry `entry` is at infinity.
    ///
    /// # Panics
    /// When `entry >= len`.
    pub fn is_infinity(&self, entry: usize) -> bool {
        match self.bitmap {
            Some(bitmap) => !is_set(bitmap.bytes, entry),
            None => self.points.is_infinity(entry),
        }
    }
}

/// Numbers of entries whose points are there.
#[derive(Clone, Debug)]
pub struct PresentEntries<'a> {
    words: slice::Iter<'a, [u8; 8]>,
    /// The bits of the current word that are still to come.
    word: u64,
    /// The first entry of the next word.
    next_base: usize,
}

impl Iterator for PresentEntries<'_> {
    type Item = usize;

    #[inline]
    fn next(&mut self) -> Option<usize> {
        while self.word == 0 {
            self.word = u64::from_le_bytes(*self.words.next()?);
            self.next_base += 64;
        }
        let bit = self.word.trailing_zeros() as usize;
        self.word &= self.word - 1;
        Some(self.next_base - 64 + bit)
    }
}

fn is_set(bitmap: &[u8], entry: usize) -> bool {
    bitmap[entry / 8] >> (entry % 8) & 1 == 1
}
