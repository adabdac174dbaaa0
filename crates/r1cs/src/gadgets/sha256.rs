//! SHA-256 (FIPS 180-4) of messages whose number of bits is known when the circuit is made.
//!
//! Bits are in the order of the standard, the most significant of a word first, as circomlib's `Sha256` has them. A
//! block is an instance of one template. Its ports are the 256 bits before it, its 512 bits and the 256 bits after it:
//! a kilobyte for 17,625 constraints. Its witness is computed with words of 32 bits.
//!
//! | module | idea |
//! |---|---|
//! | `compression` | the compression function, said once for both of the others |
//! | `constraints` | it as constraints |
//! | `values` | it as words, whose bits become wires |

mod compression;
mod constraints;
mod values;

use frumious_curves::engine::ScalarField;

use crate::{Component, Label, LinearCombination, Signal, Template};
use compression::{INITIAL, compress};
use constraints::Constraints;
use values::Values;

/// Bits of a block.
const BLOCK_BITS: usize = 512;
/// Bits of a hash, and of the state between blocks.
const STATE_BITS: usize = 256;
/// Bits of the number of bits, at the end of a padded message.
const LENGTH_BITS: usize = 64;

/// The 256 bits of the hash of `message`, whose signals are boolean, which is taken for granted.
///
/// Constraints: those of [`block`] for each block, of which a message of `n` bits has `⌈(n + 65)/512⌉`, and one.
pub fn hash<F: ScalarField>(component: &mut Component<'_, F>, message: &[Signal]) -> Vec<Signal> {
    let outputs: Vec<Signal> = (0..STATE_BITS).map(|_| component.new_signal()).collect();
    define_hash(component, &outputs, message);
    outputs
}

/// As [`hash`], for 256 signals that have no value yet.
///
/// # Panics
/// For another number of outputs, or when one of them has a value already.
pub fn define_hash<F: ScalarField>(
    component: &mut Component<'_, F>,
    outputs: &[Signal],
    message: &[Signal],
) {
    let zero = component.signal(LinearCombination::ZERO);
    let bit = |one: bool| if one { Signal::ONE } else { zero };
    let mut state: Vec<Signal> = INITIAL
        .iter()
        .flat_map(|word| bits_of(*word))
        .map(bit)
        .collect();

    let blocks = (message.len() + 1 + LENGTH_BITS).div_ceil(BLOCK_BITS);
    let length = message.len() as u64;
    let mut padded = message.to_vec();
    padded.push(Signal::ONE);
    padded.resize(blocks * BLOCK_BITS - LENGTH_BITS, zero);
    padded.extend((0..LENGTH_BITS).rev().map(|i| bit(length >> i & 1 == 1)));

    let template = block(component);
    for (bits, index) in padded.chunks_exact(BLOCK_BITS).zip(1..) {
        let next = if index == blocks {
            outputs.to_vec()
        } else {
            (0..STATE_BITS).map(|_| component.new_signal()).collect()
        };
        let label = Label::indexed("sha256", index as u32 - 1);
        component.define_instance(&template, label, &[&state, bits].concat(), &next);
        state = next;
    }
}

/// The template of a block. Inputs are 256 bits of state and 512 bits of a block, which must be boolean: it does not
/// constrain them. Outputs are the 256 bits of the next state, which it makes boolean.
pub fn block<F: ScalarField>(component: &mut Component<'_, F>) -> Template {
    let n_inputs = (STATE_BITS + BLOCK_BITS) as u32;
    component.template(
        "sha256_block",
        n_inputs,
        STATE_BITS as u32,
        |t, inputs, outputs| {
            let mut constraints = Constraints::new(t, outputs);
            let words: Vec<_> = inputs
                .chunks_exact(32)
                .map(|bits| constraints.word(bits))
                .collect();
            compress(&mut constraints, &words);
            let wires = constraints.into_wires();
            let bits: Vec<LinearCombination<F>> =
                inputs.iter().map(LinearCombination::from).collect();
            t.define_native(&wires, &bits, |bits, wires| {
                let mut values = Values::new(wires);
                let words: [u32; 24] =
                    core::array::from_fn(|i| values::word(&bits[32 * i..][..32]));
                compress(&mut values, &words);
            });
        },
    )
}

/// Bits of a word, the most significant first.
fn bits_of(word: u32) -> impl Iterator<Item = bool> {
    (0..32).rev().map(move |i| word >> i & 1 == 1)
}
