//! Modules that are no witness generators, or bad ones: each must end in its error, soon.

use std::time::{Duration, Instant};

use serde_json::json;

use super::generator::Generator;
use crate::{Error, Limit, Limits, WitnessCalculator};

fn load(generator: &Generator) -> Result<WitnessCalculator, Error> {
    WitnessCalculator::with_limits(&generator.wasm(), LIMITS)
}

fn calculate(generator: &Generator) -> Error {
    let calculator = load(generator).expect("the module loads");
    let result = calculator.calculate(&json!({"a": 1, "b": [2, 3]}));
    result.expect_err("the module misbehaves")
}

fn refused(generator: &Generator) -> Error {
    match load(generator) {
        Ok(_) => panic!("the module was accepted"),
        Err(error) => error,
    }
}

#[test]
fn bytes_that_are_no_module_are_refused() {
    let wasm = Generator::new().wasm();
    let text = b"(module)";
    for bytes in [&[][..], &wasm[..7], &wasm[..wasm.len() / 2], &text[..]] {
        let result = WitnessCalculator::from_wasm(bytes);
        assert!(matches!(result, Err(Error::Module { .. })));
    }
}

#[test]
fn every_single_byte_change_ends_in_an_answer() {
    let wasm = Generator::new().wasm();
    let limits = Limits {
        memory_bytes: 1 << 20,
        time: Duration::from_millis(200),
    };
    // Every third byte, to keep the test short: each takes a compilation.
    for position in (0..wasm.len()).step_by(3) {
        let mut changed = wasm.clone();
        changed[position] ^= 0x41;
        if let Ok(calculator) = WitnessCalculator::with_limits(&changed, limits) {
            // Any answer will do, as long as there is one.
            let _ = calculator.calculate(&json!({"a": 1, "b": [2, 3]}));
        }
    }
}

#[test]
fn modules_of_something_else_are_refused() {
    let generators = [
        (
            "no function getVersion",
            Generator::new().without("getVersion"),
        ),
        (
            "no function setInputSignal",
            Generator::new().without("setInputSignal"),
        ),
        (
            "no function getInputSignalSize",
            Generator::new().without("getInputSignalSize"),
        ),
        (
            "version 1",
            Generator::new().with("getVersion", "(result i32) (i32.const 1)"),
        ),
        (
            "prime",
            Generator::new().with("getFieldNumLen32", "(result i32) (i32.const 2)"),
        ),
        (
            "prime",
            Generator::new().with("getRawPrime", "(i32.store (i32.const 0) (i32.const 5))"),
        ),
        (
            "another type",
            Generator::new().with("getWitness", "(param i64)"),
        ),
        (
            "unknown import",
            Generator::new().importing(r#"(import "wasi_snapshot_preview1" "fd_write" (func))"#),
        ),
    ];
    for (expected, generator) in generators {
        match refused(&generator) {
            Error::Interface { problem } => {
                assert!(problem.contains(expected), "{expected}: {problem}");
            }
            other => panic!("{expected}: {other:?}"),
        }
    }
}

#[test]
fn endless_loops_are_stopped_wherever_they_are() {
    let forever = "(loop $again (br $again))";
    let time = Limit::Time {
        seconds: LIMITS.time.as_secs(),
    };
    let start = Instant::now();
    let result = refused(&Generator::new().with(
        "getVersion",
        &format!("(result i32) {forever} (i32.const 2)"),
    ));
    assert!(matches!(result, Error::Stopped(limit) if limit == time));
    for (name, parameters) in [("init", "(param i32)"), ("getWitness", "(param i32)")] {
        let error = calculate(&Generator::new().with(name, &format!("{parameters} {forever}")));
        assert!(
            matches!(error, Error::Stopped(limit) if limit == time),
            "{name}: {error:?}"
        );
    }
    assert!(start.elapsed() < 20 * LIMITS.time);
}

#[test]
fn memory_is_limited() {
    let memory = Limit::Memory {
        bytes: LIMITS.memory_bytes,
    };
    let at_once = Generator::new().with_memory("(memory (export \"memory\") 65536)");
    assert!(matches!(refused(&at_once), Error::Stopped(limit) if limit == memory));
    let growing = "(param i32) (loop $again (drop (memory.grow (i32.const 1))) (br $again))";
    let error = calculate(&Generator::new().with("init", growing));
    assert!(
        matches!(error, Error::Stopped(limit) if limit == memory),
        "{error:?}"
    );
    let table =
        Generator::new().with_memory("(memory (export \"memory\") 1) (table 4294967295 funcref)");
    assert!(matches!(refused(&table), Error::Stopped(limit) if limit == memory));
    let huge_witness = Generator::new().with("getWitnessSize", "(result i32) (i32.const -1)");
    assert!(matches!(refused(&huge_witness), Error::Stopped(limit) if limit == memory));
}

#[test]
fn crashes_are_errors() {
    for (name, body) in [
        ("init", "(param i32) unreachable"),
        ("init", "(param i32) (call $init (i32.const 1))"),
        ("getWitness", "(param i32) (drop (i32.load (i32.const -8)))"),
    ] {
        let error = calculate(&Generator::new().with(name, body));
        assert!(matches!(error, Error::Crashed { .. }), "{error:?}");
    }
}

#[test]
fn exceptions_are_told_apart() {
    for (code, expected) in [
        (1, "not found"),
        (5, "not enough memory"),
        (7, "out of bounds"),
        (-1, "unknown"),
    ] {
        let body = format!("(param i32) (call $exception (i32.const {code}))");
        match calculate(&Generator::new().with("init", &body)) {
            Error::Exception { reason, .. } => assert!(reason.contains(expected), "{reason}"),
            other => panic!("{code}: {other:?}"),
        }
    }
}

#[test]
fn messages_are_bounded_and_cannot_steer_the_terminal() {
    let endless = Generator::new()
        .with("getMessageChar", "(result i32) (i32.const 27)")
        .with(
            "init",
            "(param i32) (local $i i32)
             (loop $again (call $print_error)
               (br_if $again (i32.ne (i32.const 100) (local.tee $i (i32.add (local.get $i) (i32.const 1))))))
             (call $exception (i32.const 4))",
        );
    match calculate(&endless) {
        Error::Unsatisfied { trace } => {
            assert!(!trace.is_empty() && trace.len() < 1 << 17);
            assert!(
                trace
                    .chars()
                    .all(|character| character == '\n' || !character.is_control())
            );
        }
        other => panic!("{other:?}"),
    }
}

#[test]
fn a_result_that_is_no_witness_is_refused() {
    let not_one = Generator::new().with(
        "getWitness",
        "(param i32) (i32.store (i32.const 0) (i32.const 2))",
    );
    assert!(matches!(calculate(&not_one), Error::Result(_)));
    let not_reduced = Generator::new().with(
        "getWitness",
        "(param $wire i32) (call $copy (select (i32.const 64) (i32.const 128) (local.get $wire)) (i32.const 0))",
    );
    assert!(matches!(calculate(&not_reduced), Error::Result(_)));
    let empty = Generator::new().with("getWitnessSize", "(result i32) (i32.const 0)");
    assert!(matches!(calculate(&empty), Error::Result(_)));
}

const LIMITS: Limits = Limits {
    memory_bytes: 16 << 20,
    time: Duration::from_secs(1),
};
