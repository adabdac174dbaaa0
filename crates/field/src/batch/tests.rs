//! Inverses in batches against single ones: over the model, and in every backend that this CPU has.

#![allow(dead_code, clippy::wrong_self_convention)] // most methods of the fields, in the form of public ones

use super::inverses::Inverses;
use super::*;
use crate::{WordField, impl_montgomery_field, impl_word_field};
use frumious_limbs::{Backend, Modulus, backend};
use frumious_simd::{LANES, Model};
use std::sync::Mutex;

/// A field of the tests, by its modulus.
macro_rules! field {
    ($name:ident, $p:expr) => {
        #[derive(Clone, Copy, Default)]
        struct $name([u64; 4]);

        impl $name {
            const M: Modulus<4> = Modulus::new($p);
            const TWO_ADICITY: u32 = 1;
            const ROOT_OF_UNITY: Self = Self::ONE.neg_const();
        }

        impl_montgomery_field!($name, 4, 32, batch_invert_words_vartime);
        impl_word_field!($name);
    };
}

field!(
    Bits254, // the base field of BN254
    [
        0x3c20_8c16_d87c_fd47,
        0x9781_6a91_6871_ca8d,
        0xb850_45b6_8181_585d,
        0x3064_4e72_e131_a029,
    ]
);
field!(
    Bits255, // the base field of Bandersnatch: the least headroom
    [
        0xffff_ffff_0000_0001,
        0x53bd_a402_fffe_5bfe,
        0x3339_d808_09a1_d805,
        0x73ed_a753_299d_7d48,
    ]
);

/// Elements of which every `zeros`-th is zero: 1, -1, the form of all ones, and others without pattern.
fn elements<F: WordField>(length: usize, zeros: usize) -> Vec<F> {
    let mut power = F::ONE.double().double() + F::ONE;
    let factor = power;
    (0..length)
        .map(|i| {
            power = power.square() * factor;
            match i {
                _ if i % zeros == zeros - 1 => F::ZERO,
                1 => F::ONE,
                2 => -F::ONE,
                3 => F::from_words([1, 0, 0, 0]),
                4 => -F::from_words([1, 0, 0, 0]),
                _ => power,
            }
        })
        .collect()
}

/// Lengths around blocks and around pairs of blocks, without zeros, with some, and with nothing else.
fn cases<F: WordField>() -> impl Iterator<Item = (Vec<F>, Vec<F>)> {
    [0, 1, 7, 8, 9, 15, 16, 17, 23, 24, 25, 32, 33, 57]
        .into_iter()
        .flat_map(|length| [1, 2, 9, usize::MAX].map(|zeros| elements::<F>(length, zeros)))
        .map(|values| {
            let inverse = |value: &F| value.invert_vartime().unwrap_or(F::ZERO);
            let expected = values.iter().map(inverse).collect();
            (values, expected)
        })
}

fn model_inverts<F: WordField>() {
    for (mut values, expected) in cases::<F>() {
        let mut room = vec![F::ZERO; values.len().next_multiple_of(LANES)];
        let mut inverses = Inverses::new(&mut values, &mut room);
        Model::run(InvertAll(&mut inverses));
        inverses.values.finish();
        assert_eq!(values, expected);
    }
}

fn backends_invert<F: WordField>() {
    static LOCK: Mutex<()> = Mutex::new(());
    let _guard = LOCK.lock();
    let before = backend::active();
    for backend in Backend::ALL {
        if !backend.is_supported() {
            println!("SKIP: no {backend:?} on this CPU");
            continue;
        }
        backend::set(backend).expect("supported");
        let mut scratch = Vec::new();
        for (mut values, expected) in cases::<F>() {
            batch_invert_vartime(&mut values, &mut scratch);
            assert_eq!(values, expected, "{backend:?}");
        }
        let before = elements::<F>(2 * AT_ONCE + 11, 100);
        let mut values = before.clone();
        batch_invert_vartime(&mut values, &mut Vec::new());
        for (value, inverse) in before.iter().zip(&values) {
            let expected = if *value == F::ZERO { F::ZERO } else { F::ONE };
            assert_eq!(*value * *inverse, expected, "{backend:?}");
        }
    }
    backend::set(before).expect("it was in use");
}

#[test]
fn model_inverts_254_bits() {
    model_inverts::<Bits254>();
}

#[test]
fn model_inverts_255_bits() {
    model_inverts::<Bits255>();
}

#[test]
fn backends_invert_254_bits() {
    backends_invert::<Bits254>();
}

#[test]
fn backends_invert_255_bits() {
    backends_invert::<Bits255>();
}
