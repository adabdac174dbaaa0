//! The compression function over anything that can do the operations of its words.
//!
//! Source: FIPS 180-4, sections 4.1.2 (functions), 4.2.2 (constants), 5.3.3 (initial value), 6.2.2 (the computation).

use core::ops::{Add, Sub};

/// The state before the first block.
pub const INITIAL: [u32; 8] = [
    0x6a09_e667,
    0xbb67_ae85,
    0x3c6e_f372,
    0xa54f_f53a,
    0x510e_527f,
    0x9b05_688c,
    0x1f83_d9ab,
    0x5be0_cd19,
];

/// One bit of another place of a word for each of its own.
#[derive(Clone, Copy)]
pub enum Turn {
    /// Each bit comes from so many places above it, beyond the top from the bottom.
    Rotate(usize),
    /// As [`Turn::Rotate`], but beyond the top there is nothing.
    Shift(usize),
}

use Turn::{Rotate, Shift};

const LARGE_0: [Turn; 3] = [Rotate(2), Rotate(13), Rotate(22)];
const LARGE_1: [Turn; 3] = [Rotate(6), Rotate(11), Rotate(25)];
const SMALL_0: [Turn; 3] = [Rotate(7), Rotate(18), Shift(3)];
const SMALL_1: [Turn; 3] = [Rotate(17), Rotate(19), Shift(10)];

impl Turn {
    /// The place from which bit `i` comes.
    pub fn source(self, i: usize) -> Option<usize> {
        match self {
            Rotate(by) => Some((i + by) % 32),
            Shift(by) => Some(i + by).filter(|place| *place < 32),
        }
    }
}

/// A computation with words, in constraints or in values. Each implementation makes the same wires in the same order.
pub trait Machine {
    /// An integer below 2^32 of which each bit is at hand.
    type Word: Clone;
    /// An integer.
    type Integer: Clone + Add<Output = Self::Integer> + Sub<Output = Self::Integer>;

    fn constant(value: u32) -> Self::Integer;

    fn integer(word: &Self::Word) -> Self::Integer;

    /// The integer of the parities of three bits, or two, for each place: 32 wires.
    fn parity(&mut self, word: &Self::Word, turns: [Turn; 3]) -> Self::Integer;

    /// The integer of the bits of `if_one` or `if_zero`, as those of `bits` say: 32 wires.
    fn choice(
        &mut self,
        bits: &Self::Word,
        if_one: &Self::Word,
        if_zero: &Self::Word,
    ) -> Self::Integer;

    /// The integer of the bits that at least two words have: 32 wires.
    fn majority(&mut self, words: [&Self::Word; 3]) -> Self::Integer;

    /// A sum modulo 2^32: 32 wires and those of the carry. With `output`, they are those of that word of the result.
    fn reduce(&mut self, sum: Sum<Self::Integer>, output: Option<usize>) -> Self::Word;
}

/// A sum of words, some taken away: between `-subtracted·2^32` and `added·2^32`, these excluded.
#[derive(Clone)]
pub struct Sum<I> {
    pub value: I,
    added: u32,
    pub subtracted: u32,
}

impl<I> Sum<I> {
    fn of(value: I) -> Self {
        Self {
            value,
            added: 1,
            subtracted: 0,
        }
    }

    /// Bits of `⌊value/2^32⌋ + subtracted`, which is at least 0 and below `added + subtracted`.
    pub fn carry_bits(&self) -> usize {
        let largest = self.added + self.subtracted - 1;
        (u32::BITS - largest.leading_zeros()) as usize
    }
}

impl<I: Add<Output = I>> Add for Sum<I> {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        Self {
            value: self.value + other.value,
            added: self.added + other.added,
            subtracted: self.subtracted + other.subtracted,
        }
    }
}

impl<I: Sub<Output = I>> Sub for Sum<I> {
    type Output = Self;

    fn sub(self, other: Self) -> Self {
        Self {
            value: self.value - other.value,
            added: self.added + other.subtracted,
            subtracted: self.subtracted + other.added,
        }
    }
}

/// The eight words of the next state, as outputs of `m`; `words`: those of the state, then the sixteen of the block.
///
/// A sum is reduced modulo 2^32 only if a later step takes it bit by bit. The last two words of the schedule and the
/// last two of the state are added as the sums they are.
pub fn compress<M: Machine>(m: &mut M, words: &[M::Word]) {
    let (state, block) = words.split_at(8);
    let word = |word: &M::Word| Sum::of(M::integer(word));
    let [mut a, mut b, mut c, mut d, mut e, mut f, mut g, mut h]: [M::Word; 8] =
        core::array::from_fn(|i| state[i].clone());
    // Beyond the block's words to be filled in. An array, as a vector that grows leaves copies of them behind.
    let mut schedule: [M::Word; 62] = core::array::from_fn(|t| block[t.min(15)].clone());
    for (t, constant) in CONSTANTS.into_iter().enumerate() {
        let scheduled = if t < 16 {
            word(&schedule[t])
        } else {
            let sum = Sum::of(m.parity(&schedule[t - 2], SMALL_1))
                + word(&schedule[t - 7])
                + Sum::of(m.parity(&schedule[t - 15], SMALL_0))
                + word(&schedule[t - 16]);
            if t + 2 < 64 {
                schedule[t] = m.reduce(sum, None);
                word(&schedule[t])
            } else {
                sum
            }
        };
        let sum = word(&d)
            + word(&h)
            + Sum::of(m.parity(&e, LARGE_1))
            + Sum::of(m.choice(&e, &f, &g))
            + Sum::of(M::constant(constant))
            + scheduled;
        // What is added to `a` is what is added to `e`, but for d, and two functions more: with the reduced word of `e`, five words in place of seven.
        let functions = Sum::of(m.parity(&a, LARGE_0)) + Sum::of(m.majority([&a, &b, &c]));
        if t == 63 {
            let fifth = m.reduce(sum + word(&state[4]), Some(4));
            m.reduce(
                word(&fifth) - word(&state[4]) - word(&d) + functions + word(&state[0]),
                Some(0),
            );
            break;
        }
        let next_e = m.reduce(sum, None);
        let next_a = m.reduce(word(&next_e) - word(&d) + functions, None);
        [a, b, c, d, e, f, g, h] = [next_a, a, b, c, next_e, e, f, g];
    }
    for (before, i) in [(a, 1), (b, 2), (c, 3), (e, 5), (f, 6), (g, 7)] {
        m.reduce(word(&before) + word(&state[i]), Some(i));
    }
}

/// The first 32 bits of the fractional parts of the cube roots of the first 64 primes.
#[rustfmt::skip]
const CONSTANTS: [u32; 64] = [
    0x428a_2f98, 0x7137_4491, 0xb5c0_fbcf, 0xe9b5_dba5, 0x3956_c25b, 0x59f1_11f1, 0x923f_82a4, 0xab1c_5ed5,
    0xd807_aa98, 0x1283_5b01, 0x2431_85be, 0x550c_7dc3, 0x72be_5d74, 0x80de_b1fe, 0x9bdc_06a7, 0xc19b_f174,
    0xe49b_69c1, 0xefbe_4786, 0x0fc1_9dc6, 0x240c_a1cc, 0x2de9_2c6f, 0x4a74_84aa, 0x5cb0_a9dc, 0x76f9_88da,
    0x983e_5152, 0xa831_c66d, 0xb003_27c8, 0xbf59_7fc7, 0xc6e0_0bf3, 0xd5a7_9147, 0x06ca_6351, 0x1429_2967,
    0x27b7_0a85, 0x2e1b_2138, 0x4d2c_6dfc, 0x5338_0d13, 0x650a_7354, 0x766a_0abb, 0x81c2_c92e, 0x9272_2c85,
    0xa2bf_e8a1, 0xa81a_664b, 0xc24b_8b70, 0xc76c_51a3, 0xd192_e819, 0xd699_0624, 0xf40e_3585, 0x106a_a070,
    0x19a4_c116, 0x1e37_6c08, 0x2748_774c, 0x34b0_bcb5, 0x391c_0cb3, 0x4ed8_aa4a, 0x5b9c_ca4f, 0x682e_6ff3,
    0x748f_82ee, 0x78a5_636f, 0x84c8_7814, 0x8cc7_0208, 0x90be_fffa, 0xa450_6ceb, 0xbef9_a3f7, 0xc671_78f2,
];
