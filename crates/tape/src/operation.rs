//! The operations, and the meaning of each. Source: circom's documentation ("Basic operators"), and the routines `Fr_*`
//! of the modules that circom 2.0 to 2.2 writes.
//!
//! Comparisons take the integers of `-(p-1)/2 ..= (p-1)/2`; all else that is not field arithmetic takes `0 .. p`.

use crate::integer;
use frumious_field::{Integer, PrimeField, WordField, sqrt_tonelli_shanks};
use zeroize::Zeroize;

/// A prime field that tapes are over.
pub trait TapeField: PrimeField + WordField + Zeroize {}

impl<F: PrimeField + WordField + Zeroize> TapeField for F {}

/// The work of a node on one or two operands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(u8)]
pub enum Operation {
    /// `a + b`.
    Add,
    /// `a - b`.
    Sub,
    /// `a·b`.
    Mul,
    /// `-a`.
    Neg,
    /// `1/a`, and zero for zero.
    Inverse,
    /// `a` to the power of the integer `b`.
    Pow,
    /// The quotient of two integers, rounded down.
    IntDiv,
    /// The remainder of two integers.
    Mod,
    /// 1 if equal.
    Eq,
    /// 1 if not equal.
    Neq,
    /// 1 if less.
    Lt,
    /// 1 if greater.
    Gt,
    /// 1 if less or equal.
    Leq,
    /// 1 if greater or equal.
    Geq,
    /// 1 if neither is zero.
    And,
    /// 1 if not both are zero.
    Or,
    /// 1 if zero.
    Not,
    /// The bits that both integers have, modulo `p`.
    BitAnd,
    /// The bits that either has, modulo `p`.
    BitOr,
    /// The bits that one of both has, modulo `p`.
    BitXor,
    /// The other bits, of as many as `p` has, modulo `p`.
    BitNot,
    /// The integer shifted to the left by `b` bits, cut to as many as `p` has, modulo `p`. To the right if `b` is
    /// negative.
    Shl,
    /// The integer shifted to the right by `b` bits; to the left, as `Shl` does, if `b` is negative.
    Shr,
    /// Bit number `b` of an integer; `b` is a constant below 256.
    Bit,
    /// The square root that is at most `(p-1)/2`, and zero if there is none.
    Sqrt,
}

impl Operation {
    /// All, in the order of their numbers.
    pub const ALL: [Self; 25] = [
        Self::Add,
        Self::Sub,
        Self::Mul,
        Self::Neg,
        Self::Inverse,
        Self::Pow,
        Self::IntDiv,
        Self::Mod,
        Self::Eq,
        Self::Neq,
        Self::Lt,
        Self::Gt,
        Self::Leq,
        Self::Geq,
        Self::And,
        Self::Or,
        Self::Not,
        Self::BitAnd,
        Self::BitOr,
        Self::BitXor,
        Self::BitNot,
        Self::Shl,
        Self::Shr,
        Self::Bit,
        Self::Sqrt,
    ];

    /// True if there is no second operand.
    pub fn is_unary(self) -> bool {
        matches!(
            self,
            Self::Neg | Self::Inverse | Self::Not | Self::BitNot | Self::Sqrt
        )
    }

    /// The time it takes, in steps of a replay, most of which take less than 90 ns (Zen 4). Here a power takes 5.9 µs,
    /// a root 13 to 15, and an inversion alone 1.1.
    pub const fn cost(self) -> usize {
        match self {
            Self::Inverse => 25,
            Self::Pow => 150,
            Self::Sqrt => 400,
            _ => 1,
        }
    }

    /// True if the result is 0 or 1.
    pub(crate) fn is_boolean(self) -> bool {
        matches!(
            self,
            Self::Eq
                | Self::Neq
                | Self::Lt
                | Self::Gt
                | Self::Leq
                | Self::Geq
                | Self::And
                | Self::Or
                | Self::Not
                | Self::Bit
        )
    }

    /// True if operands may change places.
    pub(crate) fn is_commutative(self) -> bool {
        matches!(
            self,
            Self::Add
                | Self::Mul
                | Self::Eq
                | Self::Neq
                | Self::And
                | Self::Or
                | Self::BitAnd
                | Self::BitOr
                | Self::BitXor
        )
    }

    /// The result, none for a division of integers by zero. An operation with one operand does not look at `b`. Time
    /// depends on the operands.
    #[inline]
    pub fn apply_vartime<F: TapeField>(self, a: F, b: F) -> Option<F> {
        let flag = |truth: bool| if truth { F::ONE } else { F::ZERO };
        let order = || signed_vartime(a).cmp(&signed_vartime(b));
        Some(match self {
            Self::Add => a + b,
            Self::Sub => a - b,
            Self::Mul => a * b,
            Self::Neg => -a,
            Self::Inverse => a.invert_vartime().unwrap_or(F::ZERO),
            Self::Pow => a.pow_vartime(Integer::from(b).words()),
            Self::IntDiv => element(integer::div_rem_vartime(&words(a), &words(b))?.0),
            Self::Mod => element(integer::div_rem_vartime(&words(a), &words(b))?.1),
            Self::Eq => flag(a == b),
            Self::Neq => flag(a != b),
            Self::Lt => flag(order().is_lt()),
            Self::Gt => flag(order().is_gt()),
            Self::Leq => flag(order().is_le()),
            Self::Geq => flag(order().is_ge()),
            Self::And => flag(!a.is_zero_vartime() && !b.is_zero_vartime()),
            Self::Or => flag(!a.is_zero_vartime() || !b.is_zero_vartime()),
            Self::Not => flag(a.is_zero_vartime()),
            Self::BitAnd => cut(bits(a, b, |a, b| a & b)),
            Self::BitOr => cut(bits(a, b, |a, b| a | b)),
            Self::BitXor => cut(bits(a, b, |a, b| a ^ b)),
            Self::BitNot => cut(words(a).map(|word| !word)),
            Self::Shl => shift(a, b, false),
            Self::Shr => shift(a, b, true),
            Self::Bit => flag(integer::bit(&words(a), words(b)[0] as u8)),
            Self::Sqrt => square_root_vartime(a),
        })
    }
}

/// The number that a program takes for an index: the low 32 bits of an integer. Of a negative one they are those of its
/// absolute value, negated. Time depends on the value.
pub fn to_index_vartime<F: TapeField>(value: F) -> u32 {
    let (is_positive, _) = signed_vartime(value);
    if is_positive {
        words(value)[0] as u32
    } else {
        (words(-value)[0] as u32).wrapping_neg()
    }
}

/// The key that comparisons order by: negative numbers first, then the integer.
fn signed_vartime<F: TapeField>(value: F) -> (bool, [u64; 4]) {
    let words = words(value);
    let is_positive = !integer::less_than_vartime(&integer::shr(&F::MODULUS_64.p, 1), &words);
    let [w0, w1, w2, w3] = words;
    (is_positive, [w3, w2, w1, w0]) // arrays compare by the first first
}

/// The smaller of two roots, as circomlib's `sqrt` gives it (`pointbits.circom`).
fn square_root_vartime<F: TapeField>(value: F) -> F {
    // p = t·2^s + 1 for an odd t, so these are the bits of (t - 1)/2.
    let exponent = integer::shr(&F::MODULUS_64.p, F::TWO_ADICITY + 1);
    let root = sqrt_tonelli_shanks(&value, &exponent).into_option();
    let root = root.unwrap_or(F::ZERO);
    match signed_vartime(root) {
        (true, _) => root,
        (false, _) => -root,
    }
}

fn shift<F: TapeField>(a: F, by: F, to_the_right: bool) -> F {
    let (is_positive, _) = signed_vartime(by);
    let distance = words(if is_positive { by } else { -by });
    let [distance, rest @ ..] = distance;
    if rest != [0; 3] || distance >= u64::from(F::MODULUS_64.bits) {
        return F::ZERO;
    }
    match is_positive == to_the_right {
        true => element(integer::shr(&words(a), distance as u32)),
        false => cut(integer::shl(&words(a), distance as u32)),
    }
}

fn bits<F: TapeField>(a: F, b: F, of: impl Fn(u64, u64) -> u64) -> [u64; 4] {
    let (a, b) = (words(a), words(b));
    core::array::from_fn(|i| of(a[i], b[i]))
}

/// The low bits, as many as `p` has, less `p` if they are not below: `Fr_adjustBinResult`.
fn cut<F: TapeField>(mut words: [u64; 4]) -> F {
    words[3] &= u64::MAX >> (256 - F::MODULUS_64.bits);
    if !integer::less_than_vartime(&words, &F::MODULUS_64.p) {
        words = integer::sub(&words, &F::MODULUS_64.p);
    }
    element(words)
}

#[inline]
fn words<F: TapeField>(value: F) -> [u64; 4] {
    *Integer::from(value).words()
}

/// The element of an integer below `p`.
#[inline]
fn element<F: TapeField>(words: [u64; 4]) -> F {
    Integer::from_words_unchecked(words).to_element()
}
