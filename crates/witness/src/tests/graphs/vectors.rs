//! Graphs as their own programs have written them, with witnesses by circom's own runtime: `interop/src/vectors.js`.

use std::path::{Path, PathBuf};

use frumious_circom::generic::Wtns;
use frumious_curves::Bn254;
use serde_json::Value;

use crate::Inputs;
use crate::tests::given;
use crate::{Graph, Limits, Tapes};

fn data(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/graphs");
    folder.join(name)
}

#[test]
fn graphs_of_all_formats_give_the_witnesses_of_circom() {
    let mut graphs = 0;
    for circuit in ["multiplier", "bitwise", "powers"] {
        let cases = std::fs::read_to_string(data(&format!("{circuit}.jsonl")));
        let cases = cases.expect("it is there");
        for format in ["wtns1", "wtns2", "rs3", "rs5"] {
            let Ok(bytes) = std::fs::read(data(&format!("{circuit}.{format}"))) else {
                continue; // not every format has every operation
            };
            graphs += 1;
            let graph = Graph::from_bytes(&bytes, 1 << 20).expect("a good graph");
            compare(&graph, &cases);
        }
    }
    assert_eq!(graphs, 11);
}

/// By the graph, by its tape, and by its tape eight at a time.
fn compare(graph: &Graph, cases: &str) {
    let cases = cases
        .lines()
        .map(|line| serde_json::from_str::<Value>(line).expect("JSON"));
    let (inputs, expected): (Vec<Inputs>, Vec<Wtns<Bn254>>) = cases
        .map(|case| {
            let text = case["wtns"].as_str().expect("a text");
            let byte = |at| u8::from_str_radix(&text[at..at + 2], 16).expect("hexadecimal");
            let bytes: Vec<u8> = (0..text.len()).step_by(2).map(byte).collect();
            let witness = Wtns::from_bytes(&bytes).expect("a witness");
            (given(&case["inputs"]), witness)
        })
        .unzip();
    let same = |found: &Wtns<Bn254>, expected: &Wtns<Bn254>| {
        assert!(found.to_values().iter().eq(expected.to_values().iter()));
    };
    let mut tapes = Tapes::default();
    for (inputs, expected) in inputs.iter().zip(&expected) {
        let recorded = graph.record_over::<Bn254>(inputs, Limits::default());
        let (witness, run) = recorded.expect("good inputs");
        same(&witness, expected);
        tapes.add(run);
    }
    assert_eq!(tapes.len(), 1, "a graph has one path");
    for (inputs, expected) in inputs.iter().zip(&expected) {
        let replayed = tapes.replay(inputs, &mut |_| {}).expect("a witness");
        same(&replayed.expect("the only path"), expected);
    }
    let mut files = vec![Vec::new(); inputs.len()];
    let replayed = tapes.replay_batch(&inputs, files.iter_mut().collect());
    for ((replayed, file), expected) in replayed.into_iter().zip(files).zip(&expected) {
        assert!(replayed.expect("a witness"), "the only path");
        same(&Wtns::from_bytes(&file).expect("a witness"), expected);
    }
}
