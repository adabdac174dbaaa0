//! Modules that are no witness generators, or bad ones: each must end in its error, soon.

use std::time::{Duration, Instant};

use serde_json::json;

use super::generator::Generator;
use super::worked;
use crate::tests::given;
use crate::{Error, Limit, Limits, WitnessCalculator};

fn load(generator: &Generator) -> Result<WitnessCalculator, Error> {
    WitnessCalculator::with_limits(&generator.wasm(), LIMITS)
}

fn calculate(generator: &Generator) -> Error {
    let calculator = load(generator).expect("the module loads");
    let result = calculator.calculate(&given(&json!({"a": 1, "b": [2, 3]})));
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
            let _ = calculator.calculate(&given(&json!({"a": 1, "b": [2, 3]})));
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
            "cannot find definition for import",
            Generator::new().importing(r#"(import "wasi_snapshot_preview1" "fd_write" (func))"#),
        ),
        (
            "circom 1 has compiled it",
            Generator::new()
                .importing(r#"(import "runtime" "logSetSignal" (func (param i32 i32)))"#),
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
    let start = worked();
    let result = refused(&Generator::new().with(
        "getVersion",
        &format!("(result i32) {forever} (i32.const 2)"),
    ));
    assert!(matches!(result, Error::Stopped(limit) if limit == time));
    let start_function = format!("(start $spin) (func $spin {forever})");
    let result = refused(&Generator::new().importing(&start_function));
    // circom's modules have no start function; one gets a fraction of the time.
    assert!(matches!(result, Error::Crashed { .. }), "{result:?}");
    for (name, parameters) in [("init", "(param i32)"), ("getWitness", "(param i32)")] {
        let error = calculate(&Generator::new().with(name, &format!("{parameters} {forever}")));
        assert!(
            matches!(error, Error::Stopped(limit) if limit == time),
            "{name}: {error:?}"
        );
    }
    assert!(worked() - start < 20 * LIMITS.time);
}

/// Steps that each take as long as a million others.
#[test]
fn loops_of_large_steps_are_stopped_in_time() {
    let start = worked();
    let fill = "(param i32) (loop $again
        (memory.fill (i32.const 0) (i32.const 0) (i32.const 8388608)) (br $again))";
    let generator = Generator::new()
        .with_memory("(memory (export \"memory\") 128)")
        .with("init", fill);
    assert!(matches!(
        calculate(&generator),
        Error::Stopped(Limit::Time { .. })
    ));
    assert!(worked() - start < 5 * LIMITS.time, "{:?}", worked() - start);
}

#[test]
fn recursion_ends_in_a_crash_and_calculators_go_on() {
    // Wide frames, and calls through a table: neither reaches our own stack.
    let locals = "(local i64 i64 i64 i64 i64 i64 i64 i64)".repeat(100);
    let deep = format!("(param i32) {locals} (call $init (i32.const 1))");
    let through = "(param i32) (call_indirect (param i32) (i32.const 1) (i32.const 0))";
    let table = "(memory (export \"memory\") 1) (table 1 funcref) (elem (i32.const 0) $init)";
    for generator in [
        Generator::new().with("init", &deep),
        Generator::new().with_memory(table).with("init", through),
    ] {
        let calculator = load(&generator).expect("the module loads");
        for _ in 0..3 {
            let error = calculator.calculate(&given(&json!({"a": 1, "b": [2, 3]})));
            let error = error.expect_err("there is no end of it");
            assert!(matches!(error, Error::Crashed { .. }), "{error:?}");
        }
    }
}

/// Each import that reads from the module calls it back. If the module calls that import again, this is deep on our own
/// stack.
#[test]
fn recursion_through_imports_ends_in_a_crash() {
    let calls = |import: &str| format!("(result i32) (call {import}) (i32.const 0)");
    let inputs = given(&json!({"a": 1, "b": [2, 3]}));
    for import in ["$write_buffer", "$print_error"] {
        let init = format!("(param i32) (call {import})");
        let generator = Generator::new()
            .with("getMessageChar", &calls(import))
            .with("init", &init);
        let error = calculate(&generator);
        assert!(
            matches!(&error, Error::Crashed { reason } if reason.contains("import")),
            "{error:?}"
        );
    }
    let reads = "(param $j i32) (result i32) (call $show)
        (i32.load (i32.mul (local.get $j) (i32.const 4)))";
    let calculator = load(&Generator::new().with("readSharedRWMemory", reads));
    let calculator = calculator.expect("nothing is read without a log");
    let result = calculator.calculate_with_log(&inputs, |_| {});
    assert!(matches!(result, Err(Error::Crashed { .. })));
}

/// A function of a megabyte, blocks within blocks, and more locals than there is stack: soon done with.
#[test]
fn huge_functions_are_read_in_time() {
    let start = Instant::now();
    let long = "(drop (i32.add (i32.const 1) (i32.const 2)))".repeat(150_000);
    let deep = format!("{}{}", "(block ".repeat(1000), ")".repeat(1000));
    for body in [long, deep] {
        let generator = Generator::new().importing(&format!("(start $long) (func $long {body})"));
        let calculator = load(&generator).expect("nothing is wrong with it");
        assert!(
            calculator
                .calculate(&given(&json!({"a": 1, "b": [2, 3]})))
                .is_ok()
        );
    }
    let locals = "(local i64 i64 i64 i64 i64 i64 i64 i64 i64 i64)".repeat(4000);
    let generator = Generator::new().importing(&format!("(start $wide) (func $wide {locals})"));
    drop(load(&generator)); // any answer
    assert!(
        start.elapsed() < Duration::from_secs(60),
        "{:?}",
        start.elapsed()
    );
}

/// `i32.const 0` after a function's last `end`: wasmi's translator is not to see it.
#[test]
fn code_after_the_end_of_a_function_is_refused() {
    let header = b"\0asm\x01\0\0\0\x01\x04\x01\x60\0\0\x03\x02\x01\0";
    for code in [
        &[0x0b, 0x41, 0, 0x0b][..],
        &[0x0b, 0x01],
        &[0x0b, 0x02, 0x40, 0x0b],
    ] {
        let length = code.len() as u8;
        let section = [0x0a, length + 3, 1, length + 1, 0];
        let wasm = [&header[..], &section, code].concat();
        let result = WitnessCalculator::from_wasm(&wasm).map(drop);
        assert!(
            matches!(&result, Err(Error::Module { reason }) if reason.contains("after its end")),
            "{result:?}"
        );
    }
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
        Error::Unsatisfied { trace, .. } => {
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

/// Most of the time is spent in `getMessageChar`, which we call: its steps count, and do not end the run.
#[test]
fn messages_may_take_most_of_the_time() {
    let slow = "(result i32) (local $i i32)
        (loop $again (br_if $again
          (i32.ne (i32.const 1000) (local.tee $i (i32.add (local.get $i) (i32.const 1))))))
        (i32.load8_u (i32.load (i32.const 36)))
        (i32.store (i32.const 36) (i32.add (i32.load (i32.const 36)) (i32.const 1)))";
    let many = "(param i32) (local $i i32)
        (loop $again (call $say (i32.const 600)) (call $write_buffer)
          (call $say (i32.const 608)) (call $write_buffer)
          (br_if $again
            (i32.ne (i32.const COUNT) (local.tee $i (i32.add (local.get $i) (i32.const 1))))))
        (i32.store (i32.const 32) (i32.const 0))";
    let generator = |count: &str| {
        let init = many.replace("COUNT", count);
        Generator::new()
            .with("getMessageChar", slow)
            .with("init", &init)
    };
    let limits = Limits {
        time: Duration::from_secs(60),
        ..LIMITS
    };
    let calculator = WitnessCalculator::with_limits(&generator("3000").wasm(), limits);
    let witness =
        calculator.map(|calculator| calculator.calculate(&given(&json!({"a": 1, "b": [2, 3]}))));
    assert!(matches!(witness, Ok(Ok(_))), "{:?}", witness.map(drop));
    // And they are stopped as others are.
    let start = worked();
    assert!(matches!(
        calculate(&generator("-1")),
        Error::Stopped(Limit::Time { .. })
    ));
    assert!(worked() - start < 5 * LIMITS.time);
    let endless = Generator::new()
        .with(
            "getMessageChar",
            "(result i32) (loop $again (br $again)) (i32.const 0)",
        )
        .with("init", &many.replace("COUNT", "9"));
    assert!(matches!(calculate(&endless), Error::Crashed { .. }));
}

/// Most of the time is ours: we read a value and write it in decimal.
#[test]
fn logged_values_count_as_the_time_that_they_take() {
    let start = worked();
    let shows = "(param i32) (loop $again (call $show) (br $again))";
    let calculator = load(&Generator::new().with("init", shows)).expect("the module loads");
    let stopped = calculator.calculate_with_log(&given(&json!({"a": 1, "b": [2, 3]})), |_| {});
    assert!(matches!(stopped, Err(Error::Stopped(Limit::Time { .. }))));
    assert!(worked() - start < 3 * LIMITS.time, "{:?}", worked() - start);
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
