//! Recorded runs of witness generators, graphs of others, and modules that are run.

use std::time::Duration;

use frumious_circom::generic::Wtns;
use frumious_curves::bn254::Fr;
use frumious_curves::{Bn254, PairingCurve};
use frumious_tape::Replayer;
use frumious_witness::{
    CompiledModule, Graph, Limits, RecordedRun, Tapes, WitnessCalculator, parse_inputs,
    signal_names,
};
use serde_json::{Map, Value};

/// A recorded run that is read is written the same, and replayed on zeros: to values or to a miss.
pub fn tape(bytes: &[u8]) {
    let Ok(run) = RecordedRun::<Fr>::from_bytes(bytes) else {
        return;
    };
    assert_eq!(run.to_bytes(), bytes);
    let tape = run.tape();
    // A file of some bytes may ask for as many inputs as it likes: whoever replays it has them.
    if tape.inputs() > MOST_INPUTS {
        return;
    }
    let inputs = vec![Fr::ZERO; tape.inputs()];
    let mut replayer = Replayer::new();
    let first = replayer.replay(tape, &inputs);
    assert_eq!(replayer.replay(tape, &inputs), first);
    if let Ok(values) = first {
        assert_eq!(values.len(), tape.results());
        drop(Wtns::<Bn254>::new(values.to_vec()));
    }
}

/// Any bytes as a graph: an error, or a graph whose tape gives what the graph gives.
pub fn graph(bytes: &[u8]) {
    let Ok(graph) = Graph::from_bytes(bytes, MOST_DECOMPRESSED) else {
        return;
    };
    let mut inputs = Map::new();
    for (value, name) in (3..).zip(["a", "b", "by", "in", "values", "p.x", "p[0].x"]) {
        if let Some(count) = graph.input_size(name)
            && count as usize <= MOST_INPUTS
        {
            inputs.insert(name.to_owned(), vec![value; count as usize].into());
        }
    }
    let inputs = parse_inputs(&Value::from(inputs).to_string()).expect("it is JSON");
    let limits = Limits {
        memory_bytes: 64 << 20,
        time: Duration::from_secs(1),
    };
    match graph.curve() {
        PairingCurve::Bn254 => {
            if let Ok((witness, run)) = graph.record_over::<Bn254>(&inputs, limits) {
                assert_eq!(witness.len(), graph.witness_size());
                let mut tapes = Tapes::<Bn254>::default();
                tapes.add(run);
                let replayed = tapes.replay(&inputs, &mut |_| {}).expect("a witness");
                let replayed = replayed.expect("the same inputs");
                assert!(witness.to_values().iter().eq(replayed.to_values().iter()));
            }
        }
        PairingCurve::Bls12_381 => {
            drop(graph.record_over::<frumious_curves::Bls12_381>(&inputs, limits));
        }
    }
}

/// Any text as inputs: read wherever serde_json reads it, and refused wherever it does but for numbers of any size.
pub fn inputs_json(bytes: &[u8]) {
    let Ok(text) = str::from_utf8(bytes) else {
        return;
    };
    let ours = parse_inputs(text);
    match serde_json::from_str::<Value>(text) {
        Ok(_) => assert!(ours.is_ok(), "{text}"),
        Err(error) if error.to_string().starts_with("number out of range") => {}
        Err(_) => assert!(ours.is_err(), "{text}"),
    }
    if let Ok(inputs) = ours {
        drop(signal_names(&inputs));
    }
}

/// Any bytes as a module: an error, or a witness, in the time and memory that it was given.
pub fn module(bytes: &[u8]) {
    let Ok(compiled) = CompiledModule::new(bytes) else {
        return;
    };
    let limits = Limits {
        memory_bytes: 4 << 20,
        time: Duration::from_millis(100),
    };
    let Ok(calculator) = WitnessCalculator::new(compiled, limits) else {
        return;
    };
    let inputs = parse_inputs(r#"{"a": 1, "b": [2, 3]}"#).expect("it is JSON");
    match calculator.curve() {
        PairingCurve::Bn254 => {
            let alone = calculator.calculate(&inputs);
            let recorded = calculator.record_over::<Bn254>(&inputs, None);
            if let (Ok(alone), Ok((recorded, _))) = (alone, recorded) {
                assert!(alone.to_values().iter().eq(recorded.to_values().iter()));
            }
        }
        PairingCurve::Bls12_381 => drop(calculator.calculate(&inputs)),
    }
}

const MOST_INPUTS: usize = 1 << 12;

const MOST_DECOMPRESSED: u64 = 1 << 20;
