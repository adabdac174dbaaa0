//! A witness generator in WebAssembly text, any function of which a test may replace.
//!
//! The circuit: inputs `a` (one value) and `b` (two), wires `1, a, b[0], b[1]`. When all are given it logs `a` and
//! asserts that the lowest word of `a` is not 7.
//!
//! Memory: 0 shared buffer, 32 count of values given, 36 and 40 message and its end. The prime is at 64, wire i at
//! 128 + 32·i, the messages at 512 and 600.

use std::collections::BTreeMap;

use frumious_curves::bn254::Fr;

use crate::signal_hash::SignalHash;

/// The parts of a module, by the name that each function is exported under.
pub(super) struct Generator {
    imports: String,
    memory: String,
    prime: [u64; 4],
    functions: BTreeMap<&'static str, String>,
}

impl Generator {
    /// The one that behaves.
    pub(super) fn new() -> Self {
        let constant = |value: i32| format!("(result i32) (i32.const {value})");
        let functions = [
            ("getVersion", constant(2)),
            ("getFieldNumLen32", constant(8)),
            ("getInputSize", constant(3)),
            ("getWitnessSize", constant(4)),
            (
                "getRawPrime",
                "(call $copy (i32.const 64) (i32.const 0))".into(),
            ),
            ("readSharedRWMemory", READ_SHARED.into()),
            ("writeSharedRWMemory", WRITE_SHARED.into()),
            ("getMessageChar", GET_MESSAGE_CHAR.into()),
            ("init", INIT.into()),
            ("getInputSignalSize", GET_INPUT_SIGNAL_SIZE.into()),
            ("setInputSignal", SET_INPUT_SIGNAL.into()),
            ("getWitness", GET_WITNESS.into()),
        ];
        Self {
            imports: IMPORTS.into(),
            memory: "(memory (export \"memory\") 1)".into(),
            prime: Fr::MODULUS,
            functions: BTreeMap::from(functions),
        }
    }

    /// The same with another body (parameters, results, instructions) for one function.
    pub(super) fn with(mut self, name: &'static str, body: &str) -> Self {
        self.functions.insert(name, body.into());
        self
    }

    /// The same over the field of another prime.
    pub(super) fn over(mut self, prime: [u64; 4]) -> Self {
        self.prime = prime;
        self
    }

    /// The same without one function.
    pub(super) fn without(mut self, name: &'static str) -> Self {
        self.functions.remove(name).expect("the function is there");
        self
    }

    /// The same with one more import.
    pub(super) fn importing(mut self, import: &str) -> Self {
        self.imports.push_str(import);
        self
    }

    /// The same with another memory.
    pub(super) fn with_memory(mut self, memory: &str) -> Self {
        self.memory = memory.into();
        self
    }

    /// The module's bytes.
    pub(super) fn wasm(&self) -> Vec<u8> {
        let functions: String = self
            .functions
            .iter()
            .map(|(name, body)| format!("(func ${name} (export \"{name}\") {body})\n"))
            .collect();
        let hash = |name: &str| {
            let (high, low) = SignalHash::of(name).halves();
            (high.to_string(), low.to_string())
        };
        let ((a_high, a_low), (b_high, b_low)) = (hash("a"), hash("b"));
        let text = format!(
            "(module {} {} {DATA} {COMMON} {functions})",
            self.imports, self.memory
        )
        .replace("PRIME", &escaped(&self.prime))
        .replace("A_HIGH", &a_high)
        .replace("A_LOW", &a_low)
        .replace("B_HIGH", &b_high)
        .replace("B_LOW", &b_low);
        wat::parse_str(&text).unwrap_or_else(|error| panic!("{error}\n{text}"))
    }
}

/// The bytes of a number as a string of WebAssembly text.
fn escaped(limbs: &[u64; 4]) -> String {
    let bytes = limbs.iter().flat_map(|limb| limb.to_le_bytes());
    bytes.map(|byte| format!("\\{byte:02x}")).collect()
}

const IMPORTS: &str = r#"
(import "runtime" "exceptionHandler" (func $exception (param i32)))
(import "runtime" "printErrorMessage" (func $print_error))
(import "runtime" "writeBufferMessage" (func $write_buffer))
(import "runtime" "showSharedRWMemory" (func $show))
"#;

const DATA: &str = r#"
(data (i32.const 64) "PRIME")
(data (i32.const 128) "\01")
(data (i32.const 512) "Error in template T_0 line: 3\00")
(data (i32.const 600) "a is\00")
(data (i32.const 608) "\0a\00")
"#;

const COMMON: &str = r#"
(func $copy (param $from i32) (param $to i32)
  (i64.store (local.get $to) (i64.load (local.get $from)))
  (i64.store offset=8 (local.get $to) (i64.load offset=8 (local.get $from)))
  (i64.store offset=16 (local.get $to) (i64.load offset=16 (local.get $from)))
  (i64.store offset=24 (local.get $to) (i64.load offset=24 (local.get $from))))
(func $say (param $message i32)
  (i32.store (i32.const 36) (local.get $message)))
;; The first wire of a signal, or 0; and its number of values.
(func $find (param $high i32) (param $low i32) (result i32 i32)
  (if (i32.and (i32.eq (local.get $high) (i32.const A_HIGH)) (i32.eq (local.get $low) (i32.const A_LOW)))
    (then (return (i32.const 1) (i32.const 1))))
  (if (i32.and (i32.eq (local.get $high) (i32.const B_HIGH)) (i32.eq (local.get $low) (i32.const B_LOW)))
    (then (return (i32.const 2) (i32.const 2))))
  (i32.const 0) (i32.const 0))
(func $run
  (call $say (i32.const 600)) (call $write_buffer)
  (call $copy (i32.const 160) (i32.const 0)) (call $show)
  (call $say (i32.const 608)) (call $write_buffer)
  (if (i32.eq (i32.load (i32.const 160)) (i32.const 7))
    (then (call $say (i32.const 512)) (call $print_error) (call $exception (i32.const 4)))))
"#;

const READ_SHARED: &str =
    "(param $j i32) (result i32) (i32.load (i32.mul (local.get $j) (i32.const 4)))";

const WRITE_SHARED: &str = "(param $j i32) (param $word i32)
    (i32.store (i32.mul (local.get $j) (i32.const 4)) (local.get $word))";

const GET_MESSAGE_CHAR: &str = "(result i32)
    (i32.load8_u (i32.load (i32.const 36)))
    (i32.store (i32.const 36) (i32.add (i32.load (i32.const 36)) (i32.const 1)))";

const INIT: &str = "(param $sanity i32) (i32.store (i32.const 32) (i32.const 0))";

const GET_INPUT_SIGNAL_SIZE: &str =
    "(param $high i32) (param $low i32) (result i32) (local $size i32)
    (call $find (local.get $high) (local.get $low)) (local.set $size) drop (local.get $size)";

const SET_INPUT_SIGNAL: &str = "(param $high i32) (param $low i32) (param $position i32) (local $wire i32)
    (call $find (local.get $high) (local.get $low)) drop (local.set $wire)
    (if (i32.eqz (local.get $wire)) (then (call $exception (i32.const 1))))
    (call $copy (i32.const 0)
      (i32.add (i32.const 128) (i32.mul (i32.const 32) (i32.add (local.get $wire) (local.get $position)))))
    (i32.store (i32.const 32) (i32.add (i32.load (i32.const 32)) (i32.const 1)))
    (if (i32.eq (i32.load (i32.const 32)) (i32.const 3)) (then (call $run)))";

const GET_WITNESS: &str = "(param $wire i32)
    (call $copy (i32.add (i32.const 128) (i32.mul (i32.const 32) (local.get $wire))) (i32.const 0))";
