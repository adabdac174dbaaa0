//! Encodings of affine points in lanes.

use super::super::{AffineElement, Fq};
use crate::rows::words;
use frumious_field::PackedWords;
use frumious_field::batch::{Eights, EightsMut};
use frumious_field::lanes::Lanes5;
use frumious_simd::{Kernel, LANES, Lanes, Vector};

/// The canonical encoding of each point.
pub(super) struct EncodeAffine<'a> {
    points: Eights<'a, AffineElement>,
    encodings: EightsMut<'a, [u8; 32]>,
}

impl<'a> EncodeAffine<'a> {
    /// Two slices of one length.
    pub(super) fn new(points: &'a [AffineElement], encodings: &'a mut [[u8; 32]]) -> Self {
        Self {
            points: Eights::new(points, AffineElement::IDENTITY),
            encodings: EightsMut::new(encodings, [0; 32]),
        }
    }
}

impl Kernel for EncodeAffine<'_> {
    type Output = ();

    #[inline(always)]
    fn run<V: Vector>(mut self, cpu: V::Cpu) {
        for i in 0..self.points.blocks() {
            let points = self.points.get(i);
            let x = Lanes::load_packed(cpu, words!(points.x)).to_numbers();
            let y = Lanes::load_packed(cpu, words!(points.y)).to_numbers();
            store::<V>(encoded(x, y), self.encodings.get_mut(i));
        }
        self.encodings.finish();
    }
}

/// x of the representative whose y is the larger one, which it is where twice the number, less p, is odd. All numbers
/// below `p`.
#[inline(always)]
pub(super) fn encoded<V: Vector>(x: Lanes5<Fq, V>, y: Lanes5<Fq, V>) -> Lanes5<Fq, V> {
    let larger = y.double().reduce().is_odd();
    x.negate_where::<1>(!larger).reduce()
}

/// The numbers' bytes, most significant first.
#[inline(always)]
fn store<V: Vector>(numbers: Lanes5<Fq, V>, encodings: &mut [[u8; 32]; LANES]) {
    let mut rows = [[0; 4]; LANES];
    numbers.store_words(rows.each_mut());
    for (bytes, words) in encodings.iter_mut().zip(rows) {
        for (bytes, word) in bytes.as_chunks_mut().0.iter_mut().rev().zip(words) {
            *bytes = word.to_be_bytes();
        }
    }
}
