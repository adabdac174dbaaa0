//! Results of a module that behaves, and errors of wrong inputs.

use std::sync::{Arc, Mutex};

use frumious_circom::generic::Wtns;
use frumious_curves::bn254::Fr;
use frumious_curves::{Bls12_381, Bn254, PairingCurve, PairingEngine, bls12_381};
use serde_json::{Value, json};

use super::generator::Generator;
use crate::tests::given;
use crate::{Error, InputProblem, WitnessCalculator, parse_inputs};

fn calculator() -> WitnessCalculator {
    WitnessCalculator::from_wasm(&Generator::new().wasm()).expect("the module behaves")
}

fn words<E: PairingEngine>(witness: &Wtns<E>) -> Vec<[u64; 4]> {
    witness
        .to_values()
        .iter()
        .map(|value| *value.words())
        .collect()
}

#[test]
fn wires_are_the_inputs_in_the_circuits_order() {
    let calculator = calculator();
    assert_eq!(calculator.input_size(), 3);
    assert_eq!(calculator.witness_size(), 4);
    let inputs =
        parse_inputs(r#"{"b": ["0x10", [-1]], "a": "340282366920938463463374607431768211456"}"#)
            .expect("it is JSON");
    let witness = calculator.calculate(&inputs).expect("the inputs are right");
    let minus_one = (-Fr::ONE).to_canonical_limbs();
    assert_eq!(
        words(&witness),
        [[1, 0, 0, 0], [0, 0, 1, 0], [16, 0, 0, 0], minus_one]
    );
}

#[test]
fn circuits_are_over_the_curve_of_their_prime() {
    let wasm = Generator::new().over(bls12_381::Fr::MODULUS).wasm();
    let calculator = WitnessCalculator::from_wasm(&wasm).expect("the module behaves");
    assert_eq!(calculator.curve(), PairingCurve::Bls12_381);
    let r = "52435875175126190479447740508185965837690552500527637822603658699938581184513";
    let above = "52435875175126190479447740508185965837690552500527637822603658699938581184518";
    let inputs = given(&json!({"a": above, "b": [-1, r]}));
    let witness = calculator
        .calculate_over::<Bls12_381>(&inputs)
        .expect("the inputs are right");
    let minus_one = (-bls12_381::Fr::ONE).to_canonical_limbs();
    assert_eq!(
        words(&witness),
        [[1, 0, 0, 0], [5, 0, 0, 0], minus_one, [0; 4]]
    );
    for refused in [
        calculator.calculate(&inputs).map(drop),
        calculator
            .calculate_over_with_log::<Bn254>(&inputs, |_| {})
            .map(drop),
    ] {
        let message = refused.expect_err("it is of another curve").to_string();
        assert!(
            message.ends_with("its prime is BLS12-381's, not BN254's"),
            "{message}"
        );
    }
    assert_eq!(self::calculator().curve(), PairingCurve::Bn254);
    let mut other = Fr::MODULUS;
    other[0] += 2;
    let unknown = Generator::new().over(other).wasm();
    assert!(matches!(
        WitnessCalculator::from_wasm(&unknown),
        Err(Error::Interface { .. })
    ));
}

#[test]
fn what_a_module_says_of_itself_is_read_without_running_it() {
    let wasm = Generator::new().wasm();
    let found = frumious_wasm::describe(&wasm).expect("it is a module");
    assert_eq!((found.version, found.minor_and_patch), (Some(2), None));
    assert_eq!((found.input_size, found.witness_size), (Some(3), Some(4)));
    assert_eq!(found.curve, Some(PairingCurve::Bn254));
    assert_eq!((found.imports, found.memory_pages), (4, Some((1, None))));
    let other = Generator::new().over(bls12_381::Fr::MODULUS).wasm();
    let found = frumious_wasm::describe(&other).expect("it is a module");
    assert_eq!(found.curve, Some(PairingCurve::Bls12_381));
    // Nothing is believed that is computed, and every cut or changed module is an answer or an error.
    let computed = "(result i32) (i32.add (i32.const 1) (i32.const 1))";
    let computed = Generator::new().with("getVersion", computed).wasm();
    let found = frumious_wasm::describe(&computed).expect("it is a module");
    assert_eq!(found.version, None);
    for position in 0..wasm.len() {
        let _ = frumious_wasm::describe(&wasm[..position]);
        let mut changed = wasm.clone();
        changed[position] ^= 0x41;
        let _ = frumious_wasm::describe(&changed);
    }
}

#[test]
fn runs_are_independent_of_each_other() {
    let calculator = calculator();
    std::thread::scope(|scope| {
        for a in 8..12_u64 {
            let calculator = &calculator;
            scope.spawn(move || {
                for b in 0..4_u64 {
                    let witness = calculator.calculate(&given(&json!({"a": a, "b": [b, 0]})));
                    let witness = witness.expect("the inputs are right");
                    assert_eq!(words(&witness)[1..3], [[a, 0, 0, 0], [b, 0, 0, 0]]);
                }
            });
        }
    });
}

#[test]
fn a_failed_assertion_is_unsatisfied_and_says_where() {
    let error = calculator().calculate(&given(&json!({"a": 7, "b": [0, 0]})));
    let error = error.expect_err("a = 7 is asserted against");
    assert!(
        matches!(&error, Error::Unsatisfied { trace, .. } if trace == "Error in template T_0 line: 3\n")
    );
    assert_eq!(
        error.to_string(),
        "the inputs do not satisfy the circuit: an assertion failed: Error in template T_0 line: 3"
    );
    // And the next run is not affected.
    assert!(
        calculator()
            .calculate(&given(&json!({"a": 8, "b": [0, 0]})))
            .is_ok()
    );
}

#[test]
fn log_lines_are_handed_on_when_asked_for() {
    let lines = Arc::new(Mutex::new(Vec::new()));
    let sink = Arc::clone(&lines);
    calculator()
        .calculate_with_log(&given(&json!({"a": -5, "b": [0, 0]})), move |line| {
            sink.lock().expect("no thread panics").push(line.to_owned());
        })
        .expect("the inputs are right");
    let minus_five = (-Fr::from_u64(5)).to_decimal_vartime();
    assert_eq!(
        *lines.lock().expect("no thread panics"),
        [format!("a is {minus_five}")]
    );
}

/// Inputs, and what is wrong with which signal.
fn wrong_inputs() -> Vec<(Value, &'static str, InputProblem)> {
    let count = |expected, given| InputProblem::Count { expected, given };
    vec![
        (json!([]), "", InputProblem::NotAnObject),
        (
            json!({"a": 1, "b": [1, 2], "c": 3}),
            "c",
            InputProblem::Unknown,
        ),
        (json!({"a": 1, "b": [1]}), "b", count(2, 1)),
        (json!({"a": 1, "b": [1, 2, 3]}), "b", count(2, 3)),
        (json!({"a": [], "b": [1, 2]}), "a", count(1, 0)),
        (
            json!({"a": {"x": 1}, "b": [1, 2]}),
            "a.x",
            InputProblem::Unknown,
        ),
    ]
}

#[test]
fn wrong_inputs_are_named() {
    let calculator = calculator();
    for (inputs, signal, problem) in wrong_inputs() {
        match calculator.calculate(&given(&inputs)) {
            Err(Error::Input {
                signal: found,
                problem: why,
            }) => assert_eq!((found.as_str(), why), (signal, problem), "{inputs}"),
            other => panic!("{inputs}: {other:?}"),
        }
    }
    assert!(matches!(
        calculator.calculate(&given(&json!({"b": [1, 2]}))),
        Err(Error::MissingInputs {
            given: 2,
            expected: 3
        })
    ));
}
