//! The meaning of each operation's number, and the places of inputs.

use frumious_curves::{Bls12_381, Bn254, PairingCurve, bls12_381, bn254};
use frumious_field::{Integer, WordField};
use serde_json::{Value, json};

use super::writer::{File, constant, node, wires};
use crate::tests::given;
use crate::{Error, Graph, InputProblem, Limits};

/// The last wire of a graph of two inputs, as an integer of `-(p-1)/2 ..= (p-1)/2`.
fn last(file: &File, a: i64, b: i64) -> i64 {
    let wires = wires::<Bn254>(&file.bytes(), &json!({"a": a, "b": b})).expect("a good graph");
    let value = wires.last().expect("wires").to_element();
    let small = |value: bn254::Fr| match *Integer::from(value).words() {
        [word, 0, 0, 0] => i64::try_from(word).ok(),
        _ => None,
    };
    small(value)
        .or_else(|| small(-value).map(|value| -value))
        .expect("a small number")
}

#[test]
fn operations_with_two_operands() {
    for (number, a, b, result) in [
        (0, 6, 7, 42),
        (1, 42, 7, 6),
        (1, 42, 0, 0),
        (2, -3, 5, 2),
        (3, 3, 5, -2),
        (4, 3, 4, 81),
        (5, 17, 5, 3),
        (5, 17, 0, 0),
        (6, 17, 5, 2),
        (6, 17, 0, 0),
        (7, 4, 4, 1),
        (8, 4, 4, 0),
        (9, -1, 0, 1),
        (10, -1, 0, 0),
        (11, 5, 5, 1),
        (12, -6, -5, 0),
        (13, 2, 0, 0),
        (13, 2, 3, 1),
        (14, 2, 0, 1),
        (15, 3, 4, 48),
        (15, 48, -4, 3),
        (16, 48, 4, 3),
        (16, 3, 300, 0),
        (17, 12, 10, 14),
        (18, 12, 10, 8),
        (19, 12, 10, 6),
    ] {
        let file = File::of_two().with(node(4, &[number, 1, 2]));
        assert_eq!(
            last(&file, a, b),
            result,
            "operation {number} of {a} and {b}"
        );
    }
}

#[test]
fn operations_with_one_operand_and_with_three() {
    for (number, a, result) in [
        (0, 5, -5),
        (1, 5, 5),
        (2, 5, 0),
        (2, 0, 1),
        (4, 49, 7),
        (4, 0, 0),
        (4, 5, 0), // five generates the field
    ] {
        let file = File::of_two().with(node(3, &[number, 1]));
        assert_eq!(last(&file, a, 0), result, "operation {number} of {a}");
    }
    for (condition, result) in [(0, 11), (1, 7), (-1, 7), (1 << 40, 7)] {
        let file = File::of_two()
            .with(constant(&[11]))
            .with(node(5, &[0, 1, 2, 3]));
        assert_eq!(last(&file, condition, 7), result, "condition {condition}");
    }
    // The other bits, twice, are the same.
    let file = File::of_two().with(node(3, &[3, 1])).with(node(3, &[3, 3]));
    assert_eq!(last(&file, 12345, 0), 12345);
}

/// A quotient in a branch that is not taken does not end the run.
#[test]
fn both_branches_are_computed() {
    let file = File::of_two()
        .with(node(4, &[5, 1, 2]))
        .with(node(5, &[0, 2, 3, 1]));
    assert_eq!(last(&file, 9, 0), 9);
    assert_eq!(last(&file, 9, 2), 4);
}

#[test]
fn inputs_go_where_their_names_are() {
    let mut file = File::of_two();
    file.nodes.push(node(1, &[3]));
    file.nodes.push(node(1, &[4]));
    file.wires = vec![0, 4, 3, 2, 1];
    file.inputs = vec![("z", 1, 1), ("list", 2, 3), ("none", 5, 0)];
    let found = wires::<Bn254>(
        &file.bytes(),
        &json!({"z": 5, "list": [[6], [7, 8]], "none": []}),
    );
    let expected = [1, 8, 7, 6, 5].map(Integer::from_u64);
    assert_eq!(found.expect("a good graph"), expected);
}

#[test]
fn buses_are_taken_apart_as_inputs_are() {
    let text = |out: &mut Vec<u8>, text: &str| {
        out.extend((text.len() as u32).to_le_bytes());
        out.extend(text.as_bytes());
    };
    let words = |out: &mut Vec<u8>, words: &[u32]| {
        out.extend((words.len() as u32).to_le_bytes());
        words.iter().for_each(|word| out.extend(word.to_le_bytes()));
    };
    let mut described = Vec::new();
    described.extend(2u32.to_le_bytes());
    text(&mut described, "k");
    described.extend(7u32.to_le_bytes());
    words(&mut described, &[]);
    described.push(0);
    text(&mut described, "p");
    described.extend(8u32.to_le_bytes());
    words(&mut described, &[2]);
    described.push(1);
    text(&mut described, "Point");
    described.extend(2u32.to_le_bytes());
    text(&mut described, "Pair");
    described.extend(1u32.to_le_bytes());
    text(&mut described, "of");
    described.push(0);
    described.extend([0; 8]);
    words(&mut described, &[2]);
    text(&mut described, "Point");
    described.extend(2u32.to_le_bytes());
    text(&mut described, "x");
    described.push(0);
    described.extend([0; 8]);
    words(&mut described, &[]);
    text(&mut described, "y");
    described.push(1);
    described.extend(0u32.to_le_bytes());
    described.extend([0; 8]);
    words(&mut described, &[]);
    let mut file = File::of_two();
    file.second = true;
    file.inputs.clear();
    file.described = described;
    file.nodes = (0..8).map(|place| node(1, &[place])).collect();
    file.wires = (0..8).collect();
    let inputs = json!({
        "k": 2,
        "p": [{"x": 3, "y": {"of": [4, 5]}}, {"y": {"of": [7, 8]}, "x": 6}],
    });
    let expected = [1, 2, 3, 4, 5, 6, 7, 8].map(Integer::from_u64);
    let found = wires::<Bn254>(&file.bytes(), &inputs);
    assert_eq!(found.expect("a good graph"), expected);
}

#[test]
fn a_graph_is_over_the_field_of_its_prime() {
    let prime =
        |words: [u64; 4]| -> Vec<u8> { words.iter().flat_map(|word| word.to_le_bytes()).collect() };
    let mut file = File::of_two().with(node(4, &[1, 0, 1]));
    file.prime = prime(bls12_381::Fr::MODULUS_64.p);
    let graph = Graph::from_bytes(&file.bytes(), 0).expect("a good graph");
    assert_eq!(graph.curve(), PairingCurve::Bls12_381);
    let inputs = json!({"a": 3, "b": 0});
    let third = wires::<Bls12_381>(&file.bytes(), &inputs).expect("a good graph")[3];
    assert_eq!(
        third.to_element() * bls12_381::Fr::from_u64(3),
        bls12_381::Fr::ONE
    );
    let over = graph.record_over::<Bn254>(&given(&inputs), Limits::default());
    assert!(matches!(over, Err(Error::Interface { .. })));
    file.prime = prime([0xffff_ffff_0000_0001, 0, 0, 0]);
    let error = Graph::from_bytes(&file.bytes(), 0).expect_err("Goldilocks");
    assert!(error.to_string().contains("prime"), "{error}");
}

#[test]
fn other_inputs_are_refused() {
    let file = File::of_two();
    let refused = |inputs: Value| wires::<Bn254>(&file.bytes(), &inputs).expect_err("refused");
    assert!(matches!(
        refused(json!({"a": 1})),
        Error::MissingInputs {
            given: 1,
            expected: 2
        }
    ));
    let problem = |inputs| match refused(inputs) {
        Error::Input { signal, problem } => (signal, problem),
        other => panic!("{other}"),
    };
    let unknown = ("c".to_owned(), InputProblem::Unknown);
    assert_eq!(problem(json!({"a": 1, "b": 2, "c": 3})), unknown);
    let count = InputProblem::Count {
        expected: 1,
        given: 2,
    };
    assert_eq!(
        problem(json!({"a": [1, 2], "b": 2})),
        ("a".to_owned(), count)
    );
}

#[test]
fn limits_hold() {
    let file = File::of_two().with(node(4, &[2, 1, 2]));
    let graph = Graph::from_bytes(&file.bytes(), 0).expect("a good graph");
    let inputs = given(&json!({"a": 1, "b": 2}));
    let limited = |memory_bytes, time| {
        let limits = Limits { memory_bytes, time };
        graph.record_over::<Bn254>(&inputs, limits).map(|_| ())
    };
    let Limits { memory_bytes, time } = Limits::default();
    assert!(matches!(limited(500, time), Err(Error::Stopped(_))));
    assert!(matches!(
        limited(memory_bytes, std::time::Duration::ZERO),
        Err(Error::Stopped(_))
    ));
    assert!(limited(memory_bytes, time).is_ok());
}
