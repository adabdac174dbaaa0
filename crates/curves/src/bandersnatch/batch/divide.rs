//! Division by a coordinate in lanes, one inversion for all: affine coordinates, encodings, scalars.

use super::super::{AffineElement, Element, Fq, Fr};
use crate::rows::words;
use crate::to_affine::Homogeneous;
use frumious_field::PackedWords;
use frumious_field::batch::{Eights, EightsMut, Fractions};
use frumious_field::lanes::{self, Lanes5};
use frumious_simd::{Block, LANES, Lanes, Prime, Vector};

/// Z is never zero.
impl Homogeneous for Element {
    type Base = Fq;
    type Affine = AffineElement;

    const FILLER: Self = Self::IDENTITY;
    const AFFINE_FILLER: AffineElement = AffineElement::IDENTITY;
    const HAS_INFINITY: bool = false;

    #[inline(always)]
    fn xyz(&self) -> [&Fq; 3] {
        [&self.x, &self.y, &self.z]
    }

    #[inline(always)]
    fn x(affine: &AffineElement) -> &Fq {
        &affine.x
    }

    #[inline(always)]
    fn xy_mut(affine: &mut AffineElement) -> [&mut Fq; 2] {
        [&mut affine.x, &mut affine.y]
    }
}

/// The canonical encoding.
pub(super) struct Encode<'a> {
    elements: Eights<'a, Element>,
    pub(super) encodings: EightsMut<'a, [u8; 32]>,
    room: EightsMut<'a, [u64; 4]>,
}

impl<'a> Encode<'a> {
    /// Two slices of one length, and room for as many elements, rounded up to eights.
    pub(super) fn new(
        elements: &'a [Element],
        encodings: &'a mut [[u8; 32]],
        room: &'a mut [[u64; 4]],
    ) -> Self {
        Self {
            elements: Eights::new(elements, Element::IDENTITY),
            encodings: EightsMut::new(encodings, [0; 32]),
            room: EightsMut::new(room, [0; 4]),
        }
    }
}

impl Fractions for Encode<'_> {
    type Denominator = Fq;
    const PLAIN: bool = true;

    #[inline(always)]
    fn blocks(&self) -> usize {
        self.elements.blocks()
    }

    #[inline(always)]
    fn denominators<V: Vector>(&self, cpu: V::Cpu, i: usize) -> Lanes5<Fq, V> {
        let elements = self.elements.get(i);
        Lanes::load_packed(cpu, words!(elements.z))
    }

    #[inline(always)]
    fn room(&mut self, i: usize) -> [&mut [u64; 4]; LANES] {
        let [r0, r1, r2, r3, r4, r5, r6, r7] = self.room.get_mut(i);
        [r0, r1, r2, r3, r4, r5, r6, r7]
    }

    #[inline(always)]
    fn kept(&self, i: usize) -> [&[u64; 4]; LANES] {
        let [r0, r1, r2, r3, r4, r5, r6, r7] = self.room.get(i);
        [r0, r1, r2, r3, r4, r5, r6, r7]
    }

    /// x of the representative whose y is the larger one: where twice the number, less p, is odd.
    #[inline(always)]
    fn finish<V: Vector>(&mut self, cpu: V::Cpu, i: usize, inverses: Lanes5<Fq, V>) {
        let elements = self.elements.get(i);
        let x = inverses * Lanes::load_packed(cpu, words!(elements.x));
        let y = inverses * Lanes::load_packed(cpu, words!(elements.y));
        let larger = y.reduce().double().reduce().is_odd();
        let x = x.reduce().negate_where::<1>(!larger).reduce();
        let rows = self.room.get_mut(i);
        {
            let [r0, r1, r2, r3, r4, r5, r6, r7] = &mut *rows;
            x.store_words([r0, r1, r2, r3, r4, r5, r6, r7]);
        }
        for (bytes, words) in self.encodings.get_mut(i).iter_mut().zip(rows) {
            for (bytes, word) in bytes.as_chunks_mut().0.iter_mut().rev().zip(words) {
                *bytes = word.to_be_bytes();
            }
        }
    }
}

/// The integer `x/y` modulo `r`.
pub(super) struct ToScalars<'a> {
    elements: Eights<'a, Element>,
    pub(super) scalars: EightsMut<'a, Fr>,
}

impl<'a> ToScalars<'a> {
    /// Two slices of one length.
    pub(super) fn new(elements: &'a [Element], scalars: &'a mut [Fr]) -> Self {
        Self {
            elements: Eights::new(elements, Element::IDENTITY),
            scalars: EightsMut::new(scalars, Fr::ZERO),
        }
    }
}

impl Fractions for ToScalars<'_> {
    type Denominator = Fq;
    const PLAIN: bool = true;

    #[inline(always)]
    fn blocks(&self) -> usize {
        self.elements.blocks()
    }

    #[inline(always)]
    fn denominators<V: Vector>(&self, cpu: V::Cpu, i: usize) -> Lanes5<Fq, V> {
        let elements = self.elements.get(i);
        Lanes::load_packed(cpu, words!(elements.y))
    }

    #[inline(always)]
    fn room(&mut self, i: usize) -> [&mut [u64; 4]; LANES] {
        lanes::rows_mut(self.scalars.get_mut(i))
    }

    #[inline(always)]
    fn kept(&self, i: usize) -> [&[u64; 4]; LANES] {
        lanes::rows(self.scalars.get(i))
    }

    #[inline(always)]
    fn finish<V: Vector>(&mut self, cpu: V::Cpu, i: usize, inverses: Lanes5<Fq, V>) {
        let elements = self.elements.get(i);
        let quotients = inverses * Lanes::load_packed(cpu, words!(elements.x));
        let mut numbers = Block::ZERO;
        quotients.reduce().store_block(&mut numbers);
        // below 5r, as r is about a fourth of p
        let residues = Lanes::<Fr, V, 5>::load_block::<5>(cpu, &numbers);
        let packed = residues * Lanes::splat(cpu, const { &PACKING });
        packed
            .reduce()
            .store_words(lanes::rows_mut(self.scalars.get_mut(i)));
    }
}

/// `2^256` in lane form: a number times it is packed.
const PACKING: [u64; 5] = {
    let power = Fr::from_words_reduced(Fr::ONE.to_montgomery_limbs());
    <Fr as Prime<5>>::MODULUS.lane_form(&power.to_montgomery_limbs())
};

const _: () = assert!(Fq::MODULUS[3] < 5 * Fr::MODULUS[3], "p is below 5r");
