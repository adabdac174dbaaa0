//! Recorded runs, graphs and modules, mutated.

use frumious_curves::bn254::Fr;
use frumious_properties::witness;
use frumious_tape::{Event, Operation, Recording, Tape};
use frumious_testing::mutate::{Generator, mutate};
use std::path::Path;

/// Recorded runs: none of anything, and one with each kind of part.
fn runs() -> [Vec<u8>; 2] {
    let mut recording = Recording::<Fr>::new();
    let nothing = Tape::new(&recording, &[]).expect("short").to_bytes();
    let [a, b, c] = [6, 7, 0].map(|value| recording.input(Fr::from_u64(value)).expect("short"));
    let [one, three] = [1, 3].map(|value| recording.constant(Fr::from_u64(value)).expect("short"));
    let mut apply = |operation, a, b| {
        let result = recording.apply(operation, a, b).expect("short");
        result.expect("no division")
    };
    let sum = apply(Operation::Add, a, three);
    let inverse = apply(Operation::Inverse, sum, sum);
    let other = apply(Operation::Inverse, b, b);
    let product = apply(Operation::Mul, inverse, other);
    let bit = apply(Operation::Bit, b, three);
    let less = apply(Operation::Lt, a, b);
    let power = apply(Operation::Pow, sum, b);
    let shifted = apply(Operation::Shl, power, three);
    recording.truth(c);
    recording.index(c);
    recording.event(Event::Text("sum".into()));
    recording.event(Event::Value(sum));
    let results = [one, product, bit, less, shifted, a];
    let tape = Tape::new(&recording, &results).expect("short").to_bytes();
    let signals = |signals: &[(u64, u32)]| {
        let mut bytes = (signals.len() as u32).to_le_bytes().to_vec();
        for (hash, count) in signals {
            bytes.extend(hash.to_le_bytes());
            bytes.extend(count.to_le_bytes());
        }
        bytes
    };
    [
        [signals(&[]), nothing].concat(),
        [signals(&[(1, 1), (2, 2)]), tape].concat(),
    ]
}

#[test]
fn inputs() {
    let mut random = Generator::new(13);
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fuzz/corpus/inputs_json");
    let files = std::fs::read_dir(folder).expect("it is in the repository");
    let mut mutated = 0;
    for file in files {
        let text = std::fs::read(file.expect("an entry").path()).expect("a file");
        for length in 0..text.len() {
            witness::inputs_json(&text[..length]);
        }
        for _ in 0..5_000 {
            witness::inputs_json(&mutate(&text, &mut random));
        }
        mutated += 1;
    }
    assert!(mutated > 5);
}

#[test]
fn tapes() {
    let mut random = Generator::new(11);
    for run in runs() {
        assert!(frumious_witness::RecordedRun::<Fr>::from_bytes(&run).is_ok());
        witness::tape(&run);
        for length in 0..run.len() {
            witness::tape(&run[..length]);
        }
        for _ in 0..20_000 {
            witness::tape(&mutate(&run, &mut random));
        }
    }
}

#[test]
fn modules() {
    let corpus = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fuzz/corpus");
    let seed = std::fs::read(corpus.join("wasm_description/multiplier.wasm"));
    let seed = seed.expect("it is in the repository");
    witness::module(&seed);
    let mut random = Generator::new(12);
    for _ in 0..1500 {
        witness::module(&mutate(&seed, &mut random));
    }
}

/// Writes the seeds of the fuzz target: `cargo test -p frumious-properties --test witness -- --ignored`.
#[test]
#[ignore = "writes files"]
fn write_seeds() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fuzz/corpus/tape");
    std::fs::create_dir_all(&folder).expect("a folder");
    for (name, run) in ["nothing", "every_part"].into_iter().zip(runs()) {
        std::fs::write(folder.join(format!("{name}.ftape")), run).expect("a file");
    }
}

/// Graphs as other programs have written them: `interop/src/vectors.js`.
#[test]
fn graphs() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../witness/tests/data/graphs");
    let mut random = Generator::new(13);
    let mut seeds = 0;
    for entry in std::fs::read_dir(folder).expect("the folder is there") {
        let path = entry.expect("it can be read").path();
        let is_graph = path.extension().is_some_and(|kind| {
            ["wtns1", "wtns2", "rs3", "rs5"]
                .iter()
                .any(|known| kind == *known)
        });
        if !is_graph {
            continue;
        }
        seeds += 1;
        let graph = std::fs::read(path).expect("it can be read");
        assert!(frumious_witness::Graph::from_bytes(&graph, 1 << 20).is_ok());
        witness::graph(&graph);
        for at in 0..graph.len() {
            witness::graph(&graph[..at]);
            for byte in [0, 1, 0x7f, 0x80, 0xff] {
                let mut changed = graph.clone();
                changed[at] = byte;
                witness::graph(&changed);
            }
        }
        for _ in 0..5_000 {
            witness::graph(&mutate(&graph, &mut random));
        }
    }
    assert!(seeds >= 6, "{seeds} graphs");
}
