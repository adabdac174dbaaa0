//! Booleans, ranges and comparisons beside integers.

#![allow(clippy::unwrap_used)] // in a test, a failed unwrap is the failure

use frumious_curves::bls12_381;
use frumious_curves::bn254::Fr;
use frumious_r1cs::gadgets::bits;
use frumious_r1cs::{
    Circuit, Component, Inputs, InputsAndOutputs, LinearCombination, Names, Signal,
};

type Sum = LinearCombination<Fr>;

/// A circuit with inputs `x`.
fn circuit(
    n_inputs: u32,
    define: impl FnOnce(&mut Component<'_, Fr>, &InputsAndOutputs),
) -> Circuit<Fr> {
    let names = Names::new().private_input("x", n_inputs);
    Circuit::define(&names, define)
}

/// The witness of a circuit for some inputs, and whether it satisfies it.
fn run(circuit: &Circuit<Fr>, x: &[Fr]) -> (Vec<Fr>, bool) {
    let mut inputs = Inputs::new();
    inputs.set("x", x);
    let witness = circuit.witness(&inputs).unwrap();
    let satisfied = circuit.check(&witness).is_ok();
    (witness.to_vec(), satisfied)
}

#[test]
fn bits_are_those_of_the_integer() {
    for count in [0, 1, 5, 64, 65, 253] {
        let circuit = circuit(1, |c, io| {
            let bits = bits::to_bits(c, io["x"][0], count);
            assert_eq!(bits.len(), count);
        });
        assert_eq!(circuit.system().n_constraints(), count as u64 + 1);
        let power = (0..count).fold(Fr::ONE, |power, _| power.double());
        for (value, fits) in [
            (Fr::ZERO, true),
            (power - Fr::ONE, true),
            (power, false),
            (-Fr::ONE, false),
        ] {
            let (mut witness, satisfied) = run(&circuit, &[value]);
            assert_eq!(satisfied, fits, "{count} bits");
            for place in 2..2 + count * usize::from(fits) {
                witness[place] += Fr::ONE;
                assert!(circuit.check(&witness).is_err(), "bit {}", place - 2);
                witness[place] -= Fr::ONE;
            }
        }
    }
}

#[test]
fn strict_bits_have_one_representation() {
    let circuit = circuit(1, |c, io| {
        assert_eq!(bits::to_bits_strict(c, io["x"][0]).len(), 254);
    });
    for value in [Fr::ZERO, Fr::ONE, -Fr::ONE, Fr::from_u64(1 << 63)] {
        let (witness, satisfied) = run(&circuit, &[value]);
        assert!(satisfied);
        let sum = witness[2..256]
            .iter()
            .rev()
            .fold(Fr::ZERO, |sum, bit| sum.double() + *bit);
        assert_eq!(sum, value);
    }
    // The other representation of 5, with 254 bits as well: 5 + r. Its bits are boolean and have the right sum; the wires of the comparison are what
    // its own products make of them.
    let mut other = Fr::MODULUS;
    other[0] += 5;
    let (mut witness, _) = run(&circuit, &[Fr::from_u64(5)]);
    for i in 0..254 {
        witness[2 + i] = Fr::from_u64(other[i / 64] >> (i % 64) & 1);
    }
    // What the comparison's own wires may be is tested with all small bounds; here they are as for the right bits.
    let error = circuit.check(&witness).unwrap_err();
    assert!(error.row > 254, "the bits themselves are right: {error}");
}

#[test]
fn bounds_hold_for_all_small_integers() {
    for n_bits in 1..=5u32 {
        for bound in 0..1u64 << n_bits {
            let circuit = circuit(1, |c, io| {
                let bits = bits::to_bits(c, io["x"][0], n_bits as usize);
                bits::assert_at_most(c, &bits, &[bound]);
            });
            for value in 0..1 << n_bits {
                let (_, satisfied) = run(&circuit, &[Fr::from_u64(value)]);
                assert_eq!(
                    satisfied,
                    value <= bound,
                    "{value} of {n_bits} bits, at most {bound}"
                );
            }
        }
    }
}

#[test]
fn zero_is_told_from_others() {
    let circuit = circuit(2, |c, io| {
        let x = Sum::from(io["x"][0]) - io["x"][1];
        let zero = bits::is_zero(c, x);
        assert_eq!(c.n_constraints(), 2);
        c.assert_equal(zero, zero);
    });
    let place = 4; // after the one, two inputs and the inverse
    for (a, b) in [(0, 0), (7, 7), (7, 0), (0, 7)] {
        let (mut witness, satisfied) = run(&circuit, &[Fr::from_u64(a), Fr::from_u64(b)]);
        assert!(satisfied);
        assert_eq!(witness[place], Fr::from_u64((a == b).into()));
        witness[place] = Fr::ONE - witness[place];
        assert!(circuit.check(&witness).is_err());
    }
    let circuit = self::circuit(1, |c, io| bits::assert_nonzero(c, io["x"][0]));
    for x in [0, 1, 5] {
        assert_eq!(run(&circuit, &[Fr::from_u64(x)]).1, x != 0);
    }
}

#[test]
fn choices_and_comparisons() {
    const BITS: usize = 4;
    let circuit = circuit(3, |c, io| {
        let [bit, a, b] = [0, 1, 2].map(|i| io["x"][i]);
        bits::assert_boolean(c, bit);
        let chosen = bits::select(c, bit, a, b);
        let [first, second] = bits::switch(c, bit, a, b);
        let less = bits::is_less_than(c, a, b, BITS);
        for value in [chosen, first, second, less] {
            let fresh: Signal = c.new_signal();
            c.define_linear(fresh, value);
        }
    });
    for bit in 0..2 {
        for a in 0..1 << BITS {
            for b in 0..1 << BITS {
                let inputs = [bit, a, b].map(Fr::from_u64);
                let (witness, satisfied) = run(&circuit, &inputs);
                assert!(satisfied);
                let expected = match bit {
                    0 => [b, a, b, u64::from(a < b)],
                    _ => [a, b, a, u64::from(a < b)],
                };
                assert_eq!(witness[witness.len() - 4..], expected.map(Fr::from_u64));
            }
        }
    }
    let (_, satisfied) = run(&circuit, &[2, 1, 1].map(Fr::from_u64));
    assert!(!satisfied, "two is no bit");
}

#[test]
fn other_fields_have_other_bits() {
    let names = Names::new().private_input("x", 1);
    let circuit = Circuit::<bls12_381::Fr>::define(&names, |c, io| {
        assert_eq!(bits::to_bits_strict(c, io["x"][0]).len(), 255);
    });
    let mut inputs = Inputs::new();
    inputs.set("x", &[-bls12_381::Fr::ONE]);
    circuit.check(&circuit.witness(&inputs).unwrap()).unwrap();
}

/// 2^253 is below the modulus, and 2^254 is not.
#[test]
fn the_widest_comparison() {
    let circuit = circuit(2, |c, io| {
        let less = bits::is_less_than(c, io["x"][0], io["x"][1], 252);
        c.signal(less + Signal::ONE);
    });
    let largest = Fr::from_u64(2).pow_vartime(&[252]) - Fr::ONE;
    for (a, b, less) in [(Fr::ZERO, largest, 2), (largest, Fr::ZERO, 1)] {
        let (witness, satisfied) = run(&circuit, &[a, b]);
        assert!(satisfied);
        assert_eq!(witness[witness.len() - 1], Fr::from_u64(less));
    }
}

#[test]
#[should_panic(expected = "`count` is 253, and must be at most 252")]
fn wider_comparisons_are_refused() {
    circuit(2, |c, io| {
        bits::is_less_than(c, io["x"][0], io["x"][1], 253);
    });
}
