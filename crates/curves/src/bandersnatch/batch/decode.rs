//! Decoding in lanes: sixteen encodings at a time, so that two chains of squares go by turns.
//!
//! Bytes are compared with the modulus and turned one by one; all products, the square root among them, are in lanes.
//! What one bad encoding is missing is found out by decoding it alone.

use super::super::encoding::canonical_words_vartime;
use super::super::{AffineElement, Fq};
use crate::rows::words_mut;
use frumious_field::PackedWords;
use frumious_field::batch::{Eights, EightsMut};
use frumious_field::lanes::{self, Lanes5};
use frumious_field::sqrt_dlog::LaneTables;
use frumious_simd::{Kernel, LANES, Lanes, Mask, Prime, Vector};

/// Decodes all of `encodings` into `points`, two slices of one length. Returns the place of the first that is no
/// element, and then what is in `points` is of no use.
pub(super) struct Decode<'a> {
    encodings: Eights<'a, [u8; 32]>,
    points: EightsMut<'a, AffineElement>,
    tables: &'static LaneTables<Fq>,
}

impl<'a> Decode<'a> {
    pub(super) fn new(encodings: &'a [[u8; 32]], points: &'a mut [AffineElement]) -> Self {
        Self {
            encodings: Eights::new(encodings, [0; 32]),
            points: EightsMut::new(points, AffineElement::IDENTITY),
            tables: LaneTables::of_field(),
        }
    }

    /// Decodes `G` blocks from block `first` on; returns which encodings are elements.
    #[inline(always)]
    fn take<V: Vector, const G: usize>(&mut self, cpu: V::Cpu, first: usize) -> [Mask; G] {
        let zero = Lanes5::<Fq, V>::zero(cpu);
        let mut good = [Mask::NONE; G];
        let [mut x, mut numerators, mut values] = [[zero; G]; 3];
        for g in 0..G {
            let mut words = [[0; 4]; LANES];
            for (k, bytes) in self.encodings.get(first + g).iter().enumerate() {
                if let Some(canonical) = canonical_words_vartime(bytes) {
                    words[k] = canonical;
                    good[g].0 |= 1 << k;
                }
            }
            x[g] = Lanes::load_words::<4, 1>(cpu, words.each_ref()).from_numbers();
            let square = x[g].square();
            // 1 + 5·x², below 11p, and 1 - d·x², below 3p
            let four = square.sum().double().double();
            numerators[g] = (four + square + Lanes::one(cpu)).carry::<0>();
            let d = Lanes::splat(cpu, const { &D });
            values[g] = numerators[g] * Lanes::one(cpu).minus::<2>(d * square);
        }
        let (inverse_roots, squares) = self.tables.inverse_sqrt(values);
        for g in 0..G {
            good[g] = good[g] & squares[g] & are_squares(numerators[g]);
            let root = inverse_roots[g] * numerators[g];
            // the root is the larger one if twice it, less p, is odd
            let larger = root.double().to_numbers().is_odd();
            let y = root.negate_where::<2>(!larger);
            store(x[g], y, self.points.get_mut(first + g));
        }
        good
    }
}

impl Kernel for Decode<'_> {
    type Output = Result<(), usize>;

    #[inline(always)]
    fn run<V: Vector>(mut self, cpu: V::Cpu) -> Self::Output {
        let blocks = self.encodings.blocks();
        for first in (0..blocks).step_by(2) {
            let good = if first + 1 < blocks {
                self.take::<V, 2>(cpu, first)
            } else {
                let [good] = self.take::<V, 1>(cpu, first);
                [good, Mask::ALL]
            };
            for g in 0..2 {
                if good[g] != Mask::ALL {
                    return Err(LANES * (first + g) + good[g].0.trailing_ones() as usize);
                }
            }
        }
        self.points.finish();
        Ok(())
    }
}

/// `d` in lane form.
const D: [u64; 5] = {
    let modulus = <Fq as Prime<5>>::MODULUS;
    modulus.lane_form(&AffineElement::D.to_montgomery_limbs())
};

/// The lanes whose value is a square.
#[inline(always)]
fn are_squares<V: Vector>(values: Lanes5<Fq, V>) -> Mask {
    let mut elements = [Fq::ZERO; LANES];
    lanes::store(values, &mut elements);
    squares_vartime(&elements)
}

/// A function of its own, as scalar code beside lanes has no registers.
#[inline(never)]
fn squares_vartime(values: &[Fq; LANES]) -> Mask {
    let squares = values.iter().map(Fq::is_square_vartime);
    Mask(squares.rfold(0, |mask, square| mask << 1 | square as u8))
}

#[inline(always)]
fn store<V: Vector>(x: Lanes5<Fq, V>, y: Lanes5<Fq, V>, points: &mut [AffineElement; LANES]) {
    x.store_packed(words_mut!(points.x));
    y.store_packed(words_mut!(points.y));
}
