//! MiMC in Feistel's form with fifth powers, and the sponge made of it.

use std::sync::LazyLock;

use frumious_curves::bn254::Fr;

use super::round_constants;
use crate::{Component, LinearCombination, Signal};

type Sum = LinearCombination<Fr>;

const ROUNDS: usize = 220;

/// The last is zero as well as the first.
static CONSTANTS: LazyLock<Vec<Fr>> = LazyLock::new(|| {
    let mut constants = round_constants("mimcsponge", ROUNDS);
    constants[ROUNDS - 1] = Fr::ZERO;
    constants
});

/// `n_outputs` elements from one input or more: circomlib's `MiMCSponge(n, 220, n_outputs)`.
///
/// # Panics
/// For no input or no output.
pub fn sponge_native(inputs: &[Fr], key: Fr, n_outputs: usize) -> Vec<Fr> {
    assert_sizes(inputs.len(), n_outputs);
    let mut state = [Fr::ZERO; 2];
    let mut outputs = Vec::with_capacity(n_outputs);
    for step in 0..inputs.len() + n_outputs - 1 {
        if let Some(input) = inputs.get(step) {
            state[0] += *input;
        }
        state = permute(state, key, |_| {});
        if step + 1 >= inputs.len() {
            outputs.push(state[0]);
        }
    }
    outputs
}

/// As [`sponge_native`]. 660 constraints for each input and each output but one, less three.
///
/// # Panics
/// As [`sponge_native`].
pub fn sponge(
    component: &mut Component<'_, Fr>,
    inputs: &[Sum],
    key: impl Into<Sum>,
    n_outputs: usize,
) -> Vec<Signal> {
    let outputs: Vec<Signal> = (0..n_outputs).map(|_| component.new_signal()).collect();
    define_sponge(component, &outputs, inputs, key);
    outputs
}

/// As [`sponge`], for signals that have no value yet.
///
/// # Panics
/// As [`sponge_native`], or when one of `outputs` has a value already.
pub fn define_sponge(
    component: &mut Component<'_, Fr>,
    outputs: &[Signal],
    inputs: &[Sum],
    key: impl Into<Sum>,
) {
    assert_sizes(inputs.len(), outputs.len());
    let key = key.into();
    let steps = inputs.len() + outputs.len() - 1;
    let mut state = [Sum::ZERO; 2];
    for step in 0..steps {
        if let Some(input) = inputs.get(step) {
            state[0] += input;
        }
        let left = match (step + 1).checked_sub(inputs.len()) {
            Some(output) => outputs[output],
            None => component.new_signal(),
        };
        // Nobody asks for the right half of the last state, and the last round makes nothing else.
        let right = (step + 1 < steps).then(|| component.new_signal());
        constrain(component, &state, &key, left, right);
        state = [left.into(), right.map_or(Sum::ZERO, Sum::from)];
    }
}

#[track_caller]
fn assert_sizes(n_inputs: usize, n_outputs: usize) {
    assert!(n_inputs > 0, "a sponge without inputs");
    assert!(n_outputs > 0, "a sponge without outputs");
}

/// Makes `left` and `right` the halves of the next state.
fn constrain(
    component: &mut Component<'_, Fr>,
    state: &[Sum; 2],
    key: &Sum,
    left: Signal,
    right: Option<Signal>,
) {
    let rounds = if right.is_some() { ROUNDS } else { ROUNDS - 1 };
    let powers: Vec<[Signal; 2]> = (0..rounds)
        .map(|_| [(); 2].map(|()| component.new_signal()))
        .collect();
    // Of all rounds but the first and the last, where it is a sum.
    let bases: Vec<Signal> = (1..ROUNDS - 1).map(|_| component.new_signal()).collect();

    // Left halves before each round, and after the last but one; the right half before a round is the left one before the round before.
    let left_half = |round: usize| match round {
        0 => state[0].clone(),
        _ if round == ROUNDS - 1 => left.into(),
        _ => Sum::from(bases[round - 1]) - key - Sum::constant(CONSTANTS[round]),
    };
    for (round, [square, fourth]) in powers.iter().enumerate() {
        let base = match bases.get(round.wrapping_sub(1)) {
            Some(wire) => wire.into(),
            None => left_half(round) + key + Sum::constant(CONSTANTS[round]),
        };
        let before = if round == 0 {
            state[1].clone()
        } else {
            left_half(round - 1)
        };
        let after = match right {
            Some(right) if round == ROUNDS - 1 => right.into(),
            _ => left_half(round + 1),
        };
        component.constrain(base.clone(), base.clone(), *square);
        component.constrain(*square, *square, *fourth);
        component.constrain(*fourth, base, after - before);
    }

    let mut wires: Vec<Signal> = powers.into_iter().flatten().collect();
    wires.extend(bases);
    wires.push(left);
    wires.extend(right);
    let [l, r] = state.clone();
    component.define_native(&wires, &[l, r, key.clone()], move |inputs, values| {
        let (powers, rest) = values.split_at_mut(2 * rounds);
        let (bases, halves) = rest.split_at_mut(ROUNDS - 2);
        let mut round = 0;
        let state = permute(
            [inputs[0], inputs[1]],
            inputs[2],
            |[base, square, fourth]| {
                if let Some(wires) = powers.get_mut(2 * round..2 * round + 2) {
                    wires.copy_from_slice(&[square, fourth]);
                }
                if let Some(wire) = round.checked_sub(1).and_then(|place| bases.get_mut(place)) {
                    *wire = base;
                }
                round += 1;
            },
        );
        halves.copy_from_slice(&state[..halves.len()]);
    });
}

/// The next state; `trace` is told the base of each round, its square and its fourth power. The last round does not
/// change sides.
fn permute([mut left, mut right]: [Fr; 2], key: Fr, mut trace: impl FnMut([Fr; 3])) -> [Fr; 2] {
    for constant in CONSTANTS.iter() {
        let base = left + key + *constant;
        let square = base.square();
        let fourth = square.square();
        trace([base, square, fourth]);
        (left, right) = (right + fourth * base, left);
    }
    [right, left]
}
