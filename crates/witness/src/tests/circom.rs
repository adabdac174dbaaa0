//! Modules that circom wrote: recognised, recorded and replayed; and such with something changed, which must give what
//! they give as they are.

use frumious_curves::{Bls12_381, Bn254, PairingEngine};
use frumious_testing::mutate::Generator;
use serde_json::{Value, json};
use wasm_encoder::{Instruction, MemArg};

use super::edited::{counts, example, exported, module, places, run_body, with_code, with_section};
use super::worked;
use crate::Inputs;
use crate::routines::{BLOCK, CONSTANTS_END, CONSTANTS_START, DIVIDE, ROUTINES, recognise};
use crate::tests::given;
use crate::{CompiledModule, Error, Limits, RecordedRun, Tapes, WitnessCalculator};

mod bounds;
mod rehearsal;

type Words = Vec<[u64; 4]>;

fn words<E: PairingEngine>(witness: &frumious_circom::generic::Wtns<E>) -> Words {
    let values = witness.to_values();
    values.iter().map(|value| *value.words()).collect()
}

fn calculated<E: PairingEngine>(wasm: &[u8], inputs: &Inputs) -> Result<Words, String> {
    let calculator = WitnessCalculator::from_wasm(wasm).map_err(|error| error.to_string())?;
    let witness = calculator.calculate_over::<E>(inputs);
    witness
        .map(|witness| words(&witness))
        .map_err(|error| error.to_string())
}

type Recorded<E> = (Words, Option<RecordedRun<<E as PairingEngine>::Fr>>);

fn recorded<E: PairingEngine>(wasm: &[u8], inputs: &Inputs) -> Result<Recorded<E>, Error> {
    let (witness, run) = WitnessCalculator::from_wasm(wasm)?.record_over::<E>(inputs, None)?;
    Ok((words(&witness), run))
}

/// The module with routines that are not known, though they do the same.
fn unknown(wasm: &[u8]) -> Vec<u8> {
    let changed = with_code(wasm, 0, &[Instruction::Nop], false);
    assert_eq!(recognise(&changed), None);
    changed
}

fn follow<E: PairingEngine>(name: &str, curve: &str, runs: &[Value]) {
    let Some(wasm) = module(name, curve) else {
        return;
    };
    let recognised = recognise(&wasm).expect("circom wrote it");
    assert_eq!(recognised.curve, E::CURVE);
    let as_it_is = unknown(&wasm);
    let mut tapes = Tapes::<E>::default();
    for json in runs {
        let inputs = &given(json);
        let expected = calculated::<E>(&as_it_is, inputs);
        assert_eq!(calculated::<E>(&wasm, inputs), expected, "{json}");
        let replayed = tapes.replay(inputs, &mut |_| {}).expect("a witness");
        let Ok(expected) = expected else {
            assert!(replayed.is_none(), "{json}: {expected:?}");
            assert!(recorded::<E>(&wasm, inputs).is_err());
            continue;
        };
        if let Some(witness) = replayed {
            assert_eq!(words(&witness), expected, "{json}");
            continue;
        }
        let (witness, run) = recorded::<E>(&wasm, inputs).expect("it runs");
        assert_eq!(witness, expected);
        let run = run.expect("it is recorded");
        assert_eq!(RecordedRun::from_bytes(&run.to_bytes()).as_ref(), Ok(&run));
        let bytes = run.to_bytes();
        for length in (0..bytes.len().min(300)).chain([bytes.len() - 1]) {
            assert!(RecordedRun::<E::Fr>::from_bytes(&bytes[..length]).is_err());
        }
        tapes.add(run);
    }
    assert_eq!(tapes.len(), 1, "{name} has one path");
}

#[test]
fn modules_of_circom_are_recorded_and_replayed() {
    let pairs = [[3, 11], [0, 0], [-1, 7], [1 << 40, -(1 << 40)]];
    let products = pairs.map(|[a, b]: [i64; 2]| json!({"a": a, "b": b}));
    follow::<Bn254>("multiplier", "", &products);
    follow::<Bls12_381>("multiplier", "_bls12381", &products);
    let wrong = [
        json!({"a": 1}),
        json!({"a": 1, "b": [1, 2]}),
        json!({"a": 1, "c": 1}),
    ];
    follow::<Bn254>("multiplier", "", &[&products[..1], &wrong].concat());
    let factors = [["274177", "67280421310721"], ["3", "5"]];
    let factors = factors.map(|[p, q]| json!({"p": p, "q": q}));
    follow::<Bn254>("no_public", "", &factors);
    follow::<Bls12_381>("no_public", "_bls12381", &factors);
    let chains = [0, 1, -5].map(|x: i64| json!({"x": x, "salt": [x, 7, 8, 9]}));
    follow::<Bn254>("poseidon_chain", "", &chains);
    follow::<Bls12_381>("poseidon_chain", "_bls12381", &chains);
}

fn inputs() -> Inputs {
    given(&json!({"a": 3, "b": 11}))
}

/// A module that is not known gives what it gives, and is not recorded.
fn expect_unknown(wasm: &[u8], expected: &Words, what: &str) {
    assert_eq!(recognise(wasm), None, "{what}");
    let (witness, run) = recorded::<Bn254>(wasm, &inputs()).expect(what);
    assert_eq!(&witness, expected, "{what}");
    assert!(run.is_none(), "{what}");
    assert_eq!(
        calculated::<Bn254>(wasm, &inputs()).as_ref(),
        Ok(expected),
        "{what}"
    );
}

#[test]
fn routines_that_are_changed_are_not_known() {
    let Some(wasm) = module("multiplier", "") else {
        return;
    };
    let expected = calculated::<Bn254>(&unknown(&wasm), &inputs()).expect("it runs");
    for body in 0..BLOCK {
        let changed = with_code(&wasm, body, &[Instruction::Nop], false);
        expect_unknown(&changed, &expected, &format!("body {body}"));
    }
    // Any byte of them, whatever the module then does.
    let (bodies, data) = places(&wasm);
    let mut random = Generator::new(7);
    for _ in 0..300 {
        let body = &bodies[random.below(BLOCK as usize)];
        let mut changed = wasm.clone();
        changed[body.start + random.below(body.len())] ^= 1 << random.below(8);
        assert_eq!(recognise(&changed), None);
    }
    for (address, start, length) in data {
        let is_constant =
            |byte: &usize| (CONSTANTS_START..CONSTANTS_END).contains(&(address as usize + byte));
        for byte in (0..length).filter(is_constant) {
            let mut changed = wasm.clone();
            changed[start + byte] ^= 0x10;
            assert_eq!(recognise(&changed), None, "data at {address}");
        }
    }
}

/// A function that looks like `Fr_mul` adds.
#[test]
fn a_product_that_is_a_sum_stays_one() {
    let Some(wasm) = module("multiplier", "") else {
        return;
    };
    let (imports, _) = counts(&wasm);
    let number = |operation| {
        let is = |known: &&(u32, _)| known.1 == crate::routines::Routine::Apply(operation);
        ROUTINES.iter().find(is).expect("it is one").0
    };
    let (add, mul) = (
        number(frumious_tape::Operation::Add),
        number(frumious_tape::Operation::Mul),
    );
    let code = [
        Instruction::LocalGet(0),
        Instruction::LocalGet(1),
        Instruction::LocalGet(2),
        Instruction::Call(imports + add),
        Instruction::End,
    ];
    let changed = with_code(&wasm, mul, &code, true);
    assert_eq!(recognise(&changed), None);
    let (witness, run) = recorded::<Bn254>(&changed, &inputs()).expect("it runs");
    assert!(run.is_none() && witness.contains(&[14, 0, 0, 0]) && !witness.contains(&[33, 0, 0, 0]));
}

#[test]
fn other_ways_to_the_routines_are_not_known() {
    let Some(wasm) = module("multiplier", "") else {
        return;
    };
    let expected = calculated::<Bn254>(&unknown(&wasm), &inputs()).expect("it runs");
    let (imports, _) = counts(&wasm);
    let (reader, reader_body) = exported(&wasm, "readSharedRWMemory");
    assert!(reader > imports);
    let changed = with_code(&wasm, reader_body, &[Instruction::Nop], false);
    expect_unknown(&changed, &expected, "readSharedRWMemory");
    let (prime, _) = exported(&wasm, "getRawPrime");
    let start = [prime as u8 | 0x80, (prime >> 7) as u8];
    expect_unknown(
        &with_section(&wasm, 8, &start),
        &expected,
        "a start function",
    );
    let run = run_body(&wasm);
    // A routine that is only for the routines, called by a template: it sets zero to zero.
    let inner = [
        Instruction::I32Const(8),
        Instruction::I32Const(8),
        Instruction::Call(imports),
    ];
    expect_unknown(
        &with_code(&wasm, run, &inner, false),
        &expected,
        "an inner routine",
    );
    // An element that is a routine, in a table that nobody reads there.
    let bytes = with_section(&wasm, 9, &[1, 0, 0x41, 0, 0x0b, 1, 44]);
    assert_eq!(recognise(&bytes), None);
}

fn at(offset: u64) -> MemArg {
    MemArg {
        offset,
        align: 0,
        memory_index: 0,
    }
}

/// The address of a wire's value: the signals lie one after another from the constant one on, whose 40 bytes a piece of
/// data has.
fn signals(wasm: &[u8]) -> i32 {
    let (_, data) = places(wasm);
    let is_one = |&&(address, start, length): &&(u32, usize, usize)| {
        address as usize >= CONSTANTS_END && length == 40 && wasm[start + 8] == 1
    };
    let (address, ..) = data.iter().find(is_one).expect("the constant one");
    address.cast_signed()
}

/// The template's own code looks at bytes of a value, and goes by them.
#[test]
fn code_that_looks_at_values_gives_its_own_result() {
    let Some(wasm) = module("multiplier", "") else {
        return;
    };
    let run = run_body(&wasm);
    let first = signals(&wasm);
    let mut raw = 0;
    // Each signal's short value and its type, words of its integer, and a load across two values.
    for signal in 1..4 {
        for offset in [0, 1, 4, 7, 8, 16, 36, 38] {
            // Before the template: is it odd? If so, the other input is one more.
            let address = first + 40 * signal;
            let looks = [
                Instruction::I32Const(first + 40 * 2),
                Instruction::I32Const(first + 40 * 2),
                Instruction::I32Load(at(0)),
                Instruction::I32Const(address),
                Instruction::I32Load(at(offset)),
                Instruction::I32Const(1),
                Instruction::I32And,
                Instruction::I32Add,
                Instruction::I32Store(at(0)),
            ];
            let changed = with_code(&wasm, run, &looks, false);
            assert!(
                recognise(&changed).is_some(),
                "the routines are as they were"
            );
            let expected = calculated::<Bn254>(&unknown(&changed), &inputs()).expect("it runs");
            let (witness, run) = recorded::<Bn254>(&changed, &inputs()).expect("it runs");
            assert_eq!(witness, expected, "signal {signal}, offset {offset}");
            assert_eq!(calculated::<Bn254>(&changed, &inputs()), Ok(expected));
            raw += usize::from(run.is_none());
        }
    }
    assert!(raw >= 8, "{raw}");
}

/// A product's bytes are another's than circom's routine writes: who looks at them must not see ours.
#[test]
fn code_that_looks_at_results_gives_its_own_result() {
    let Some(wasm) = module("multiplier", "") else {
        return;
    };
    let (_, body) = exported(&wasm, "getWitness");
    let first = signals(&wasm);
    for signal in 1..4 {
        for offset in [0, 4, 8, 12, 36] {
            for narrow in [true, false] {
                let address = Instruction::I32Const(first + 40 * signal);
                let load = match narrow {
                    true => [Instruction::I32Load8U(at(offset)), Instruction::Nop],
                    false => [Instruction::I64Load(at(offset)), Instruction::I32WrapI64],
                };
                // getWitness gives the wire after, where a bit of the value is set.
                let [load, wrap] = load;
                let looks = [
                    Instruction::LocalGet(0),
                    Instruction::LocalGet(0),
                    address,
                    load,
                    wrap,
                    Instruction::I32Const(1),
                    Instruction::I32And,
                    Instruction::I32Const(0),
                    Instruction::LocalGet(0),
                    Instruction::Select,
                    Instruction::I32Add,
                    Instruction::I32Const(3),
                    Instruction::I32And,
                    Instruction::LocalSet(0),
                    Instruction::Drop,
                ];
                let changed = with_code(&wasm, body, &looks, false);
                assert!(recognise(&changed).is_some());
                let expected = calculated::<Bn254>(&unknown(&changed), &inputs());
                let found = calculated::<Bn254>(&changed, &inputs());
                assert_eq!(found, expected, "signal {signal}, offset {offset}");
                if let Ok((witness, _)) = recorded::<Bn254>(&changed, &inputs()) {
                    assert_eq!(Ok(witness), expected);
                }
            }
        }
    }
}

/// A recorder answers what circom's `setInputSignal` asks of an input's form, and nobody else's.
#[test]
fn inputs_are_looked_at_by_circoms_code_only() {
    let Some(wasm) = module("multiplier", "") else {
        return;
    };
    let (imports, _) = counts(&wasm);
    let shared = CONSTANTS_END as i32;
    // Both add the last input to the last word of what is counted: by the number, and by whether it is short.
    let (to_int, equal) = (43, 46);
    let asks = |routine: &[Instruction<'static>]| {
        let mut code = vec![Instruction::I32Const(shared)];
        code.extend_from_slice(routine);
        code.extend([
            Instruction::I32Const(11),
            Instruction::I32Eq,
            Instruction::If(wasm_encoder::BlockType::Empty),
            Instruction::I32Const(4),
            Instruction::Call(0), // exceptionHandler
            Instruction::End,
        ]);
        code
    };
    let number = asks(&[Instruction::Call(imports + to_int)]);
    let form = asks(&[
        Instruction::I32Const(shared),
        Instruction::Call(imports + equal),
        Instruction::I32Const(11),
        Instruction::I32Mul,
    ]);
    let (_, setter) = exported(&wasm, "setInputSignal");
    for body in [setter, run_body(&wasm)] {
        for code in [&number, &form] {
            let changed = with_code(&wasm, body, code, false);
            let expected = calculated::<Bn254>(&unknown(&changed), &inputs());
            assert_eq!(calculated::<Bn254>(&changed, &inputs()), expected, "{body}");
            let recorded = recorded::<Bn254>(&changed, &inputs());
            let recorded = recorded.map(|(witness, _)| witness);
            assert_eq!(
                recorded.map_err(|error| error.to_string()),
                expected,
                "{body}"
            );
        }
    }
}

/// `cargo test -p frumious-witness --lib print_digests -- --ignored --nocapture`, with `FRUMIOUS_MODULES` a list of
/// files.
#[test]
#[ignore = "prints"]
fn print_digests() {
    let files = std::env::var("FRUMIOUS_MODULES").expect("files, separated by blanks");
    for file in files.split_whitespace() {
        let wasm = std::fs::read(file).expect("it is there");
        println!("{file}: {:02x?}", crate::routines::digests(&wasm));
    }
}

/// A field of a bus that inputs leave out is found by its own name, and not by the bus's.
#[test]
fn fields_of_buses_that_are_missing_are_known() {
    let Some(wasm) = module("tapes_buses", "") else {
        return;
    };
    let table = crate::InputTable::in_module(&wasm, 11).expect("it is circom's");
    let fields = ["ends[0].x", "ends[0].y", "ends[1].x", "ends[1].y", "weight"];
    let names = (0..2).flat_map(|k| fields.map(|field| format!("segments[{k}].{field}")));
    let names: Vec<String> = names.chain(["scale".to_owned()]).collect();
    for left_out in &names {
        let given = names.iter().filter(|name| *name != left_out);
        let missing = table.without(&given.map(|name| crate::name_hash(name)).collect());
        let [missing] = &missing[..] else {
            panic!("{left_out}: {missing:?}");
        };
        assert!(missing.hashes.contains(&crate::name_hash(left_out)));
        assert_eq!(missing.count, 1);
    }
}
