//! SHA-256 beside the crate `sha2` and the standard's examples; what it costs.

#![allow(clippy::unwrap_used)] // in a test, a failed unwrap is the failure

use frumious_curves::engine::ScalarField;
use frumious_curves::{bls12_381, bn254};
use frumious_r1cs::gadgets::sha256;
use frumious_r1cs::{Circuit, Inputs, Names};
use sha2::{Digest, Sha256};

/// Constraints of a block.
const BLOCK: u64 = 17_625;

/// The hash of a message of `n` bits, which are boolean as they are given.
fn circuit<F: ScalarField>(n: u32) -> Circuit<F> {
    let names = Names::new()
        .public_output("hash", 256)
        .private_input("message", n);
    Circuit::define(&names, |c, io| {
        sha256::define_hash(c, &io["hash"], &io["message"])
    })
}

/// The first `n` bits of some bytes, the most significant first.
fn bits<F: ScalarField>(bytes: &[u8], n: usize) -> Vec<F> {
    let bit = |i: usize| F::from_u64((bytes[i / 8] >> (7 - i % 8) & 1).into());
    (0..n).map(bit).collect()
}

fn inputs<F: ScalarField>(message: &[F]) -> Inputs<F> {
    let mut inputs = Inputs::new();
    inputs.set("message", message);
    inputs
}

/// That the circuit finds this hash of a message's first `n` bits, and is satisfied.
fn assert_hash<F: ScalarField>(circuit: &Circuit<F>, message: &[u8], n: usize, expected: &[u8]) {
    let witness = circuit.witness(&inputs(&bits::<F>(message, n))).unwrap();
    circuit.check(&witness).unwrap();
    assert_eq!(witness[1..257], bits::<F>(expected, 256), "{n} bits");
}

fn message(length: usize, seed: u8) -> Vec<u8> {
    Sha256::digest([seed])
        .iter()
        .copied()
        .cycle()
        .take(length)
        .collect()
}

#[test]
fn hashes_are_those_of_sha2() {
    for length in [0, 1, 55, 56, 63, 64, 65, 119, 120, 200] {
        let circuit = circuit::<bn254::Fr>(8 * length as u32);
        let blocks = (length as u64 + 9).div_ceil(64);
        assert_eq!(
            circuit.system().n_constraints(),
            blocks * BLOCK + 1,
            "{length} bytes"
        );
        for message in [
            message(length, 1),
            message(length, 2),
            vec![0; length],
            vec![0xff; length],
        ] {
            assert_hash(&circuit, &message, 8 * length, &Sha256::digest(&message));
        }
    }
    let circuit = circuit::<bls12_381::Fr>(24);
    assert_hash(&circuit, b"abc", 24, &Sha256::digest(b"abc"));
}

/// FIPS 180-4's examples (NIST, "Examples with intermediate values", SHA256.pdf), and messages that are no bytes (NIST,
/// SHAVS, bit-oriented SHA256ShortMsg.rsp).
#[test]
fn hashes_are_the_standards() {
    let two_blocks = b"abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq";
    let examples: [(&[u8], usize, &str); 4] = [
        (
            b"abc",
            24,
            "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad",
        ),
        (
            two_blocks,
            448,
            "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1",
        ),
        (
            &[0x00],
            1,
            "bd4f9e98beb68c6ead3243b1b4c7fed75fa4feaab1f84795cbd8a98676a2a375",
        ),
        (
            &[0x80],
            2,
            "18f331f626210ff9bad6995d8cff6e891adba50eb2fdbddcaa921221cdc333ae",
        ),
    ];
    for (message, n, expected) in examples {
        let byte = |i| u8::from_str_radix(&expected[i..i + 2], 16).unwrap();
        let expected: Vec<u8> = (0..64).step_by(2).map(byte).collect();
        assert_hash(&circuit::<bn254::Fr>(n as u32), message, n, &expected);
    }
}

#[test]
fn every_wire_counts() {
    let circuit = circuit::<bn254::Fr>(55 * 8);
    let message: Vec<bn254::Fr> = bits(&message(55, 3), 55 * 8);
    let mut witness = circuit.witness(&inputs(&message)).unwrap().to_vec();
    let one = bn254::Fr::ONE;
    // A step that meets each kind of wire at many places; inputs and outputs come first.
    let end = witness.len();
    for wire in (1..end).step_by(127).chain(end - 12..end) {
        let right = witness[wire];
        for wrong in [one - right, right + one + one] {
            witness[wire] = wrong;
            assert!(circuit.check(&witness).is_err(), "wire {wire}");
        }
        witness[wire] = right;
    }
    circuit.check(&witness).unwrap();
}

/// A prover pays for constraints, for the terms of A and B, and keeps the bytes in memory.
#[test]
fn many_blocks_take_little_memory() {
    let blocks = 128;
    let circuit = circuit::<bn254::Fr>(512 * blocks - 72);
    let system = circuit.system();
    let rows = system.n_constraints();
    assert_eq!(rows, u64::from(blocks) * BLOCK + 1);
    let bytes = system.bytes() as f64 / rows as f64;
    let terms = system.n_terms().map(|terms| terms as f64 / rows as f64);
    println!("{rows} constraints: {bytes:.3} bytes each, terms of A, B, C {terms:.2?}");
    assert!(bytes < 0.5, "{bytes} bytes for a constraint");
    assert!(terms[0] + terms[1] < 3.5, "{terms:?}");

    let message = message(64 * blocks as usize - 9, 4);
    assert_hash(
        &circuit,
        &message[..],
        512 * blocks as usize - 72,
        &Sha256::digest(&message),
    );
}
