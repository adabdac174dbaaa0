//! Words as constraints: one for each wire, and one for each sum.
//!
//! Three bits of sum `s`, parity `x` and majority `m`, with `s = x + 2m`, take one constraint and one wire. The wire is
//! their *digit* `u = x - 2m + 2`, the constraint `u·s = 3/2·(u + s - 2)`. For each of the four values of `s` this is
//! linear in `u`, with the solution 2, 3, 0, 1. Parity and majority are sums of wires: `x = (u + s)/2 - 1`, `m = (s - u
//! + 2)/4`.
//!
//! The cost of a prover is in the terms of A and B, and most of all the wires in B. A is one wire, or two; B has bits
//! of words alone, neither digits nor choices. The terms of sums of words are all in C.

use frumious_curves::engine::ScalarField;

use super::compression::{Machine, Sum, Turn};
use crate::{Component, LinearCombination, Signal};

type Combination<F> = LinearCombination<F>;

/// A component while the constraints of a block are added.
pub struct Constraints<'m, 's, F> {
    component: &'m mut Component<'s, F>,
    /// The bits of eight words, the most significant first.
    outputs: &'m [Signal],
    /// All that have no value yet, in order.
    wires: Vec<Signal>,
    half: F,
}

/// 32 boolean signals.
#[derive(Clone)]
pub struct Word<F> {
    /// The least significant first.
    bits: [Signal; 32],
    integer: Combination<F>,
}

impl<'m, 's, F: ScalarField> Constraints<'m, 's, F> {
    pub fn new(component: &'m mut Component<'s, F>, outputs: &'m [Signal]) -> Self {
        Self {
            component,
            outputs,
            wires: Vec::new(),
            half: F::from_u64(2).invert().unwrap_or(F::ZERO), // the modulus is odd
        }
    }

    /// The word of 32 bits, the most significant first.
    pub fn word(&self, bits: &[Signal]) -> Word<F> {
        let bits: [Signal; 32] = core::array::from_fn(|i| bits[31 - i]);
        let integer = weighted_sum(&bits);
        Word { bits, integer }
    }

    /// The signals whose values are to be found: those of all operations in order.
    pub fn into_wires(self) -> Vec<Signal> {
        self.wires
    }

    fn wire(&mut self) -> Signal {
        let wire = self.component.new_signal();
        self.wires.push(wire);
        wire
    }

    fn wires(&mut self) -> [Signal; 32] {
        core::array::from_fn(|_| self.wire())
    }

    /// Constrains `digit` to that of three bits of sum `s`.
    fn constrain_digit(&mut self, digit: Signal, s: &Combination<F>) {
        let two = Combination::constant(F::from_u64(2));
        let sum = Combination::from(digit) + s - two;
        let three_halves = F::from_u64(3) * self.half;
        self.component
            .constrain(digit, s.clone(), sum * three_halves);
    }
}

impl<F: ScalarField> Machine for Constraints<'_, '_, F> {
    type Word = Word<F>;
    type Integer = Combination<F>;

    fn constant(value: u32) -> Combination<F> {
        Combination::constant(F::from_u64(value.into()))
    }

    fn integer(word: &Word<F>) -> Combination<F> {
        word.integer.clone()
    }

    fn parity(&mut self, word: &Word<F>, turns: [Turn; 3]) -> Combination<F> {
        let wires = self.wires();
        integer(core::array::from_fn(|i| {
            let sources = turns.iter().filter_map(|turn| turn.source(i));
            let bits: Vec<Signal> = sources.map(|place| word.bits[place]).collect();
            let s = bits.iter().fold(Combination::ZERO, |s, bit| s + bit);
            match bits[..] {
                // Of two bits a and b the wire is m = ab, and the parity s - 2m.
                [a, b] => {
                    self.component.constrain(a, b, wires[i]);
                    s - Combination::term(wires[i], F::from_u64(2))
                }
                _ => {
                    self.constrain_digit(wires[i], &s);
                    (s + wires[i]) * self.half - Signal::ONE
                }
            }
        }))
    }

    fn choice(&mut self, bits: &Word<F>, if_one: &Word<F>, if_zero: &Word<F>) -> Combination<F> {
        let wires = self.wires();
        for (i, chosen) in wires.iter().enumerate() {
            let [one, zero] = [if_one, if_zero].map(|word| Combination::from(word.bits[i]));
            let difference = one - &zero;
            self.component
                .constrain(difference, bits.bits[i], Combination::from(chosen) - zero);
        }
        weighted_sum(&wires)
    }

    fn majority(&mut self, words: [&Word<F>; 3]) -> Combination<F> {
        let wires = self.wires();
        integer(core::array::from_fn(|i| {
            let [a, b, c] = words.map(|word| word.bits[i]);
            let s = Combination::from(a) + b + c;
            self.constrain_digit(wires[i], &s);
            let two = Combination::constant(F::from_u64(2));
            (s - wires[i] + two) * self.half * self.half
        }))
    }

    fn reduce(&mut self, sum: Sum<Combination<F>>, output: Option<usize>) -> Word<F> {
        let bits: [Signal; 32] = match output {
            None => core::array::from_fn(|_| self.wire()),
            Some(word) => {
                let bits = core::array::from_fn(|i| self.outputs[32 * word + 31 - i]);
                self.wires.extend(bits);
                bits
            }
        };
        let carry: Vec<Signal> = (0..sum.carry_bits()).map(|_| self.wire()).collect();
        for bit in bits.iter().chain(&carry) {
            self.component.constrain(bit, bit, bit);
        }
        // Both sides are integers of fewer than 40 bits, far below the modulus: they are equal as integers.
        let integer = weighted_sum(&bits);
        let carry = weighted_sum(&carry) - Self::constant(sum.subtracted);
        let difference = sum.value - &integer - carry * F::from_u64(1 << 32);
        self.component
            .constrain(Combination::ZERO, Combination::ZERO, difference);
        Word { bits, integer }
    }
}

fn weighted_sum<F: ScalarField>(bits: &[Signal]) -> Combination<F> {
    super::super::bits::from_bits(bits)
}

/// The integer of bits that are sums, the least significant first.
fn integer<F: ScalarField>(bits: [Combination<F>; 32]) -> Combination<F> {
    let highest_first = bits.into_iter().rev();
    highest_first.fold(Combination::ZERO, |sum, bit| sum * F::from_u64(2) + bit)
}
