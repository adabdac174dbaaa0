//! The properties over mutated seeds, the same on every run; the fuzz target `verkle_forms_json` goes on from there.

use frumious_properties::verkle_json as properties;
use frumious_testing::mutate::{Generator, mutate};
use frumious_verkle_json as formats;

/// A document of each form, small, so that mutations hit what matters. Its element is the generator.
const SEEDS: [&str; 10] = [
    VECTOR, SPARSE, VECTORS, OPENINGS, CLAIMS, PROOF, PAIRS, ENTRIES, BLOCK, ROOT,
];
const VECTOR: &str = include_str!("../../verkle-json/tests/data/vector.json");
const SPARSE: &str = include_str!("../../verkle-json/tests/data/sparse.json");
const VECTORS: &str = include_str!("../../verkle-json/tests/data/vectors.json");
const OPENINGS: &str = include_str!("../../verkle-json/tests/data/openings.json");
const CLAIMS: &str = include_str!("../../verkle-json/tests/data/claims.json");
const PROOF: &str = include_str!("../../verkle-json/tests/data/proof.json");
const PAIRS: &str = include_str!("../../verkle-json/tests/data/pairs.json");
const ENTRIES: &str = include_str!("../../verkle-json/tests/data/entries.json");
const BLOCK: &str = include_str!("../../verkle-json/tests/data/block.json");
const ROOT: &str = include_str!("../../verkle-json/tests/data/root.txt");

#[test]
fn seeds_are_read() {
    assert_eq!(formats::vectors(VECTOR).expect("a vector")[0].len(), 3);
    assert_eq!(formats::vectors(SPARSE).expect("a vector")[0].len(), 2);
    assert_eq!(formats::vectors(VECTORS).expect("vectors").len(), 4);
    let openings = formats::openings(OPENINGS).expect("openings");
    assert_eq!(openings[0].points, [5]);
    assert_eq!(openings[1].points, [1, 255, 1]);
    assert_eq!(formats::claims(CLAIMS).expect("a claim").len(), 1);
    assert!(formats::proof(PROOF).is_ok());
    let entries = formats::entries(PAIRS).expect("entries");
    assert_eq!(formats::entries(ENTRIES).expect("entries"), entries);
    let witness = formats::execution_witness(BLOCK).expect("one");
    assert_eq!(witness, r#"{"stateDiff":[]}"#);
    assert!(formats::element_bytes(ROOT).is_ok());
}

#[test]
fn mutated_seeds() {
    let mut random = Generator::new(0x9e37_79b9_7f4a_7c15);
    for seed in SEEDS {
        properties::all(seed.as_bytes());
        for _ in 0..2_000 {
            properties::all(&mutate(seed.as_bytes(), &mut random));
        }
    }
}
