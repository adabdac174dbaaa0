//! Poseidon: known answers, the circuit beside the function, every wire bound.

#![allow(clippy::unwrap_used)] // in a test, a failed unwrap is the failure

use frumious_curves::bn254::Fr;
use frumious_r1cs::gadgets::poseidon::{MAX_INPUTS, define_hash, hash_native};
use frumious_r1cs::{Circuit, Inputs, LinearCombination, Names};
use frumious_testing::field_suite::TestRng;

fn decimal(digits: &str) -> Fr {
    let ten = Fr::from_u64(10);
    digits.bytes().fold(Fr::ZERO, |value, digit| {
        value * ten + Fr::from_u64((digit - b'0').into())
    })
}

/// Source: circomlibjs 0.1.7, `test/poseidon.js`.
#[test]
fn known_answers() {
    let answers = [
        (
            2,
            "7853200120776062878684798364095072458815029376092732009249414926327459813530",
        ),
        (
            4,
            "18821383157269793795438455681495246036402687001665670618754263018637548127333",
        ),
    ];
    for (n, expected) in answers {
        let inputs: Vec<Fr> = (1..=n).map(Fr::from_u64).collect();
        assert_eq!(hash_native(&inputs), decimal(expected), "of {n}");
    }
}

fn circuit(n: u32) -> Circuit<Fr> {
    let names = Names::new().public_output("hash", 1).private_input("x", n);
    Circuit::define(&names, |c, io| {
        let inputs: Vec<_> = io["x"].iter().map(LinearCombination::from).collect();
        define_hash(c, io["hash"][0], &inputs);
    })
}

fn witness(circuit: &Circuit<Fr>, x: &[Fr]) -> Vec<Fr> {
    let mut inputs = Inputs::new();
    inputs.set("x", x);
    circuit.witness(&inputs).unwrap().to_vec()
}

#[test]
fn the_circuit_computes_the_function() {
    let mut rng = TestRng::new(7);
    for n in 1..=MAX_INPUTS {
        let circuit = circuit(n as u32);
        let mut cases = vec![vec![Fr::ZERO; n], vec![-Fr::ONE; n]];
        cases.push(
            (0..n)
                .map(|_| Fr::from_u64(rng.next_u64()).square())
                .collect(),
        );
        for x in cases {
            let witness = witness(&circuit, &x);
            assert_eq!(witness[1], hash_native(&x), "{n} inputs");
            circuit.check(&witness).unwrap();
        }
    }
}

#[test]
fn every_wire_is_bound() {
    for n in [1, 2, 5] {
        let circuit = circuit(n);
        let x: Vec<Fr> = (5..).take(n as usize).map(Fr::from_u64).collect();
        let mut witness = witness(&circuit, &x);
        for wire in 1..witness.len() {
            witness[wire] += Fr::ONE;
            assert!(
                circuit.check(&witness).is_err(),
                "wire {wire} of {n} inputs"
            );
            witness[wire] -= Fr::ONE;
        }
    }
}

/// circomlib's takes 243 constraints for two inputs after circom's simplification, and some five terms of A and B in
/// each.
#[test]
fn few_constraints_of_few_terms() {
    for (n, rows) in [(1, 213), (2, 240), (5, 321)] {
        let circuit = circuit(n);
        assert_eq!(circuit.system().n_constraints(), rows, "{n} inputs");
        let [a, b, _] = circuit.system().n_terms();
        // But for the first round, where inputs meet constants, and one sum of the second.
        assert!(
            a + b <= 2 * rows + 8 * u64::from(n),
            "{n} inputs: {a} and {b} terms"
        );
    }
}
