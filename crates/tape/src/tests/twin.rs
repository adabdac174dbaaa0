//! The meaning of the operations, on big integers.

use crate::Operation;
use crate::operation::TapeField;
use frumious_field::Integer;
use frumious_testing::field_suite::TestRng;
use num_bigint::{BigInt, BigUint};

/// The prime.
pub(super) fn modulus<F: TapeField>() -> BigUint {
    from_words(&F::MODULUS_64.p)
}

pub(super) fn from_words(words: &[u64; 4]) -> BigUint {
    let bytes: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
    BigUint::from_bytes_le(&bytes)
}

pub(super) fn to_words(value: &BigUint) -> [u64; 4] {
    let digits = value.to_u64_digits();
    assert!(digits.len() <= 4, "it has more than 256 bits");
    core::array::from_fn(|i| digits.get(i).copied().unwrap_or(0))
}

pub(super) fn element<F: TapeField>(value: &BigUint) -> F {
    let reduced = value % modulus::<F>();
    let integer = Integer::new_vartime(to_words(&reduced));
    integer.expect("it is reduced").to_element()
}

pub(super) fn number<F: TapeField>(value: F) -> BigUint {
    from_words(Integer::from(value).words())
}

/// The integer of `-(p-1)/2 ..= (p-1)/2`.
pub(super) fn signed(value: &BigUint, p: &BigUint) -> BigInt {
    let whole = BigInt::from(value.clone());
    match value > &(p >> 1u32) {
        true => whole - BigInt::from(p.clone()),
        false => whole,
    }
}

/// The result; none for a division of integers by zero.
pub(super) fn apply(
    operation: Operation,
    a: &BigUint,
    b: &BigUint,
    p: &BigUint,
) -> Option<BigUint> {
    let zero = BigUint::ZERO;
    let is = |truth: bool| BigUint::from(u8::from(truth));
    let order = || signed(a, p).cmp(&signed(b, p));
    Some(match operation {
        Operation::Add => (a + b) % p,
        Operation::Sub => (a + p - b) % p,
        Operation::Mul => (a * b) % p,
        Operation::Neg => (p - a) % p,
        // Fermat; zero stays.
        Operation::Inverse => a.modpow(&(p - 2u8), p),
        Operation::Pow => a.modpow(b, p),
        Operation::IntDiv | Operation::Mod if *b == zero => return None,
        Operation::IntDiv => a / b,
        Operation::Mod => a % b,
        Operation::Eq => is(a == b),
        Operation::Neq => is(a != b),
        Operation::Lt => is(order().is_lt()),
        Operation::Gt => is(order().is_gt()),
        Operation::Leq => is(order().is_le()),
        Operation::Geq => is(order().is_ge()),
        Operation::And => is(*a != zero && *b != zero),
        Operation::Or => is(*a != zero || *b != zero),
        Operation::Not => is(*a == zero),
        Operation::BitAnd => cut(a & b, p),
        Operation::BitOr => cut(a | b, p),
        Operation::BitXor => cut(a ^ b, p),
        Operation::BitNot => cut(((BigUint::from(1u8) << 256u32) - 1u8) ^ a, p),
        Operation::Shl => shifted(a, b, true, p),
        Operation::Shr => shifted(a, b, false, p),
        Operation::Bit => is(a.bit(u64::try_from(b).expect("a constant"))),
        Operation::Sqrt => square_root(a, p),
    })
}

/// By Cipolla's algorithm: `(x + √w)^((p+1)/2)` for `w = x² - a` that has no root.
fn square_root(a: &BigUint, p: &BigUint) -> BigUint {
    let half = p >> 1u32;
    let is_square = |value: &BigUint| value.modpow(&half, p) == BigUint::from(1u8);
    if !is_square(a) {
        return BigUint::ZERO;
    }
    let mut x = BigUint::from(1u8);
    let mut w = (p + 1u8 - a) % p;
    while w == BigUint::ZERO || is_square(&w) {
        x += 1u8;
        w = (&x * &x + p - a) % p;
    }
    let product = |(a, b): &(BigUint, BigUint), (c, d): &(BigUint, BigUint)| {
        ((a * c + b * d % p * &w) % p, (a * d + b * c) % p)
    };
    let mut root = (BigUint::from(1u8), BigUint::ZERO);
    let base = (x.clone(), BigUint::from(1u8));
    let exponent = &half + 1u8;
    for bit in (0..exponent.bits()).rev() {
        root = product(&root, &root);
        if exponent.bit(bit) {
            root = product(&root, &base);
        }
    }
    root.0.clone().min(p - root.0)
}

fn shifted(a: &BigUint, by: &BigUint, to_the_left: bool, p: &BigUint) -> BigUint {
    let is_negative = by > &(p >> 1u32);
    let distance = if is_negative { p - by } else { by.clone() };
    match u32::try_from(&distance) {
        Ok(distance) if u64::from(distance) >= p.bits() => BigUint::ZERO,
        Ok(distance) if to_the_left != is_negative => cut(a << distance, p),
        Ok(distance) => a >> distance,
        Err(_) => BigUint::ZERO,
    }
}

/// The low bits, as many as `p` has, modulo `p`.
fn cut(value: BigUint, p: &BigUint) -> BigUint {
    (value % (BigUint::from(1u8) << p.bits())) % p
}

/// Elements at the borders of something.
pub(super) fn edges<F: TapeField>() -> Vec<BigUint> {
    let p = modulus::<F>();
    let one = || BigUint::from(1u8);
    let near_half = &p >> 1u32;
    let mut edges = vec![near_half.clone(), &near_half + 1u8, near_half - 1u8];
    for bits in [31u32, 32, 63, 64, 128, 252, 253, 254] {
        let power = one() << bits;
        edges.extend([&power - 1u8, power.clone(), power + 1u8]);
    }
    for distance in [
        0u32,
        1,
        2,
        3,
        7,
        31,
        64,
        252,
        253,
        254,
        255,
        256,
        257,
        1 << 16,
    ] {
        edges.extend([BigUint::from(distance), (&p - distance) % &p]);
    }
    let mut edges: Vec<BigUint> = edges.into_iter().map(|edge| edge % &p).collect();
    edges.sort();
    edges.dedup();
    edges
}

/// An element: small, near the prime, of some bits, or any.
pub(super) fn random(rng: &mut TestRng, p: &BigUint) -> BigUint {
    let any = from_words(&core::array::from_fn(|_| rng.next_u64()));
    match rng.below(6) {
        0 => BigUint::from(rng.below(300)),
        1 => p - 1u8 - rng.below(300),
        2 => any >> (rng.below(250) + 6),
        _ => any % p,
    }
}
