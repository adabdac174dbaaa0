//! Words as values, whose bits become those of wires.

use frumious_curves::engine::ScalarField;
use frumious_field::Integer;

use super::compression::{Machine, Sum, Turn};

/// The wires of a block while they get their values, in order.
pub struct Values<'w, F> {
    wires: core::slice::IterMut<'w, F>,
}

/// The word of 32 bits, the most significant first.
pub fn word<F: ScalarField>(bits: &[F]) -> u32 {
    bits.iter().fold(0, |word, bit| {
        let [lowest, ..] = *Integer::from(*bit).words();
        word << 1 | (lowest & 1) as u32
    })
}

impl<'w, F: ScalarField> Values<'w, F> {
    pub fn new(wires: &'w mut [F]) -> Self {
        Self {
            wires: wires.iter_mut(),
        }
    }

    /// Gives the next `count` wires a bit of `ones` and twice one of `twos`, the least significant first.
    fn put(&mut self, ones: u32, twos: u32, count: usize) {
        for (i, wire) in self.wires.by_ref().take(count).enumerate() {
            let [one, two] = [(F::ONE, ones), (F::ONE.double(), twos)].map(|(value, bits)| {
                let mask = u64::from(bits >> i & 1).wrapping_neg();
                F::from_words(value.to_words().map(|word| word & mask))
            });
            *wire = one + two;
        }
    }
}

/// Parity and majority of three bits, for each place.
fn parity_and_majority([a, b, c]: [u32; 3]) -> [u32; 2] {
    [a ^ b ^ c, a & b | a & c | b & c]
}

impl<F: ScalarField> Machine for Values<'_, F> {
    type Word = u32;
    type Integer = i64;

    fn constant(value: u32) -> i64 {
        value.into()
    }

    fn integer(word: &u32) -> i64 {
        (*word).into()
    }

    fn parity(&mut self, word: &u32, turns: [Turn; 3]) -> i64 {
        let mut of_three = u32::MAX;
        let turned = turns.map(|turn| match turn {
            Turn::Rotate(by) => word.rotate_right(by as u32),
            Turn::Shift(by) => {
                of_three >>= by;
                word >> by
            }
        });
        let [parity, majority] = parity_and_majority(turned);
        let ones = parity & of_three | majority & !of_three;
        self.put(ones, !majority & of_three, 32);
        parity.into()
    }

    fn choice(&mut self, bits: &u32, if_one: &u32, if_zero: &u32) -> i64 {
        let chosen = bits & if_one | !bits & if_zero;
        self.put(chosen, 0, 32);
        chosen.into()
    }

    fn majority(&mut self, words: [&u32; 3]) -> i64 {
        let [parity, majority] = parity_and_majority(words.map(|word| *word));
        self.put(parity, !majority, 32);
        majority.into()
    }

    fn reduce(&mut self, sum: Sum<i64>, _output: Option<usize>) -> u32 {
        let word = sum.value as u32; // modulo 2^32, for negative sums too
        self.put(word, 0, 32);
        let carry = (sum.value >> 32) + i64::from(sum.subtracted);
        self.put(carry as u32, 0, sum.carry_bits());
        word
    }
}
