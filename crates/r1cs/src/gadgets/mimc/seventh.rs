//! MiMC with seventh powers, and the hash made of it.

use std::sync::LazyLock;

use frumious_curves::bn254::Fr;

use super::round_constants;
use crate::{Component, LinearCombination, Signal};

type Sum = LinearCombination<Fr>;

const ROUNDS: usize = 91;

static CONSTANTS: LazyLock<Vec<Fr>> = LazyLock::new(|| round_constants("mimc", ROUNDS));

/// `x` enciphered with `key`: circomlib's `MiMC7(91)`.
pub fn mimc7_native(x: Fr, key: Fr) -> Fr {
    last_power(x, key, |_| {}) + key
}

/// The hash of any number of elements: circomlib's `MultiMiMC7(n, 91)`.
pub fn multi_mimc7_native(inputs: &[Fr], key: Fr) -> Fr {
    inputs.iter().fold(key, |r, x| r + *x + mimc7_native(*x, r))
}

/// As [`mimc7_native`]. 364 constraints.
pub fn mimc7(component: &mut Component<'_, Fr>, x: impl Into<Sum>, key: impl Into<Sum>) -> Signal {
    let (x, key) = (x.into(), key.into());
    let summand = key.clone();
    raise(component, x, key, summand)
}

/// As [`multi_mimc7_native`]. 364 constraints for each input.
pub fn multi_mimc7(component: &mut Component<'_, Fr>, inputs: &[Sum], key: impl Into<Sum>) -> Sum {
    inputs.iter().fold(key.into(), |r, x| {
        let summand = r.clone() * Fr::from_u64(2) + x;
        raise(component, x.clone(), r, summand).into()
    })
}

/// The seventh power of the last round, plus `summand`.
fn raise(component: &mut Component<'_, Fr>, x: Sum, key: Sum, summand: Sum) -> Signal {
    let mut wires = Vec::with_capacity(4 * ROUNDS);
    let mut new = || {
        wires.push(component.new_signal());
        wires[wires.len() - 1]
    };
    let powers: Vec<[Signal; 3]> = (0..ROUNDS).map(|_| [new(), new(), new()]).collect();
    // Of all rounds but the first, where it is a sum.
    let bases: Vec<Signal> = (1..ROUNDS).map(|_| new()).collect();
    let out = new();

    let base = |round: usize| match round {
        0 => x.clone() + &key,
        _ => bases[round - 1].into(),
    };
    for (round, [square, fourth, sixth]) in powers.into_iter().enumerate() {
        let seventh = match bases.get(round) {
            Some(next) => Sum::from(next) - &key - Sum::constant(CONSTANTS[round + 1]),
            None => Sum::from(out) - &summand,
        };
        component.constrain(base(round), base(round), square);
        component.constrain(square, square, fourth);
        component.constrain(fourth, square, sixth);
        component.constrain(sixth, base(round), seventh);
    }
    component.define_native(&wires, &[x, key, summand], |inputs, values| {
        let (powers, rest) = values.split_at_mut(3 * ROUNDS);
        let (bases, out) = rest.split_at_mut(ROUNDS - 1);
        let mut round = 0;
        let last = last_power(inputs[0], inputs[1], |[base, square, fourth, sixth]| {
            powers[3 * round..3 * round + 3].copy_from_slice(&[square, fourth, sixth]);
            if round > 0 {
                bases[round - 1] = base;
            }
            round += 1;
        });
        out[0] = last + inputs[2];
    });
    out
}

/// The seventh power of the last round; `trace` is told the base of each round, its square, its fourth and its sixth
/// power.
fn last_power(x: Fr, key: Fr, mut trace: impl FnMut([Fr; 4])) -> Fr {
    CONSTANTS.iter().fold(x, |x, constant| {
        let base = x + key + *constant;
        let square = base.square();
        let fourth = square.square();
        let sixth = fourth * square;
        trace([base, square, fourth, sixth]);
        sixth * base
    })
}
