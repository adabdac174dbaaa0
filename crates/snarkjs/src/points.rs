//! Arrays of curve points as they lie in a file, decoded when asked for.
//!
//! A point is affine, `x` then `y`, each coordinate little-endian in Montgomery form. R is 2^256, for BLS12-381 2^384.
//! In G2 a coordinate has two coefficients, `c0` first. All zeros is the point at infinity. 64 bytes in G1 and 128 in
//! G2, for BLS12-381 96 and 192. Nothing is aligned.

use std::marker::PhantomData;
use std::ops::Range;

use frumious_curves::engine::PairingGroup;

use frumious_circom::container::Section;
use frumious_circom::{Error, Problem};

/// An array of points in a file. Copying it copies no points.
#[derive(Clone, Copy, Debug)]
pub struct Points<'a, P> {
    /// Exactly the points: a multiple of their size.
    section: Section<'a>,
    point: PhantomData<P>,
}

impl<'a, P: PairingGroup> Points<'a, P> {
    /// Views a section that holds exactly `count` points.
    pub(crate) fn new(section: Section<'a>, count: u64) -> Result<Self, Error> {
        section.expect_records(0, count, P::BYTES as u64)?;
        Ok(Self {
            section,
            point: PhantomData,
        })
    }

    /// The points `range` of these.
    ///
    /// # Panics
    /// When `range` is not within `0..len`.
    pub fn slice(&self, range: Range<usize>) -> Self {
        let start = range.start * P::BYTES;
        Self {
            section: Section {
                offset: self.section.offset + start as u64,
                bytes: &self.section.bytes[start..range.end * P::BYTES],
                ..self.section
            },
            point: PhantomData,
        }
    }

    /// Number of points.
    pub fn len(&self) -> usize {
        self.section.bytes.len() / P::BYTES
    }

    /// True if there are none.
    pub fn is_empty(&self) -> bool {
        self.section.bytes.is_empty()
    }

    /// The encoded points, `len · BYTES` bytes.
    pub fn as_bytes(&self) -> &'a [u8] {
        self.section.bytes
    }

    /// Point `index`, checked: coordinates below `q`, on the curve, in G2 of order `r` (which costs a scalar
    /// multiplication).
    ///
    /// # Errors
    /// [`Error::Malformed`] with the place of the point.
    ///
    /// # Panics
    /// When `index >= len`.
    pub fn get(&self, index: usize) -> Result<P, Error> {
        P::from_montgomery_bytes(self.encoded(index)).map_err(|reason| {
            let position = index as u64 * P::BYTES as u64;
            self.section.error(position, Problem::Point(reason))
        })
    }

    /// Point `index`, checked as [`Points::get`] does, and not at infinity.
    ///
    /// # Errors
    /// [`Error::Malformed`] with the place of the point.
    ///
    /// # Panics
    /// When `index >= len`.
    pub fn get_finite(&self, index: usize) -> Result<P, Error> {
        let point = self.get(index)?;
        if point == P::default() {
            let position = index as u64 * P::BYTES as u64;
            return Err(self.section.error(position, Problem::Infinity));
        }
        Ok(point)
    }

    /// Point `index`, not checked: for the inner loops of a prover whose key has been checked, or who verifies its
    /// proof. Another encoding gives some wrong point.
    ///
    /// # Panics
    /// When `index >= len`.
    pub fn get_unchecked_encoding(&self, index: usize) -> P {
        P::from_montgomery_bytes_unchecked(self.encoded(index))
    }

    /// True if point `index` is encoded as the point at infinity.
    ///
    /// # Panics
    /// When `index >= len`.
    pub fn is_infinity(&self, index: usize) -> bool {
        self.encoded(index).iter().all(|&byte| byte == 0)
    }

    /// Checks the points `range` one after another, as [`Points::get`] does.
    ///
    /// # Errors
    /// [`Error::Malformed`] with the place of the first bad point.
    ///
    /// # Panics
    /// When `range` is not within `0..len`.
    pub fn check(&self, range: Range<usize>) -> Result<(), Error> {
        let points = self.slice(range);
        (0..points.len()).try_for_each(|index| points.get(index).map(|_| ()))
    }

    fn encoded(&self, index: usize) -> &'a [u8] {
        let start = index * P::BYTES;
        &self.section.bytes[start..start + P::BYTES]
    }
}
