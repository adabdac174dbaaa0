//! The fuzz targets' properties over mutated seeds, on stable Rust, the same on every run: no panic, bounded memory.
//!
//! The seeds in `data/` are what this crate writes for the tree of `support/properties.rs`; a test compares them. With
//! `FRUMIOUS_WRITE_SEEDS=1` it writes them instead.

#![allow(clippy::unwrap_used)] // in a test, a failed unwrap is the failure

use frumious_curves::bandersnatch::AffineElement;
use frumious_properties::verkle as properties;
use frumious_testing::mutate::{Generator, mutate};
use frumious_verkle::Prover;
use frumious_verkle::tree::{ExecutionWitness, VerkleProof};
use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;
use std::path::PathBuf;

const ELEMENT: &[u8] = include_bytes!("../../verkle/tests/data/element.bin");
const MULTIPROOF: &[u8] = include_bytes!("../../verkle/tests/data/multiproof.bin");
const TREE_PROOF: &[u8] = include_bytes!("../../verkle/tests/data/tree_proof.bin");
const WITNESS: &[u8] = include_bytes!("../../verkle/tests/data/witness.json");

#[test]
fn seeds_are_what_is_written() {
    let committer = &properties::COMMITTER;
    let mut prover = Prover::new(committer);
    let accesses: Vec<_> = properties::keys()
        .into_iter()
        .map(|key| (key, (key[31] == 1).then_some([5; 32])))
        .collect();
    let witness = ExecutionWitness::new(&mut prover, properties::tree(), &accesses).unwrap();
    let proof: &VerkleProof = &witness.proof;
    let seeds: [(&str, &[u8], Vec<u8>); 4] = [
        (
            "element.bin",
            ELEMENT,
            AffineElement::GENERATOR.to_uncompressed().to_vec(),
        ),
        (
            "multiproof.bin",
            MULTIPROOF,
            proof.multiproof.to_bytes().to_vec(),
        ),
        ("tree_proof.bin", TREE_PROOF, proof.to_bytes()),
        ("witness.json", WITNESS, witness.to_json().into_bytes()),
    ];
    for (name, found, written) in seeds {
        if std::env::var_os("FRUMIOUS_WRITE_SEEDS").is_some() {
            let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../verkle/tests/data");
            std::fs::create_dir_all(&folder).unwrap();
            std::fs::write(folder.join(name), written).unwrap();
        } else {
            assert!(found == written, "{name} is not what is written now");
        }
    }
}

#[test]
fn mutated_elements() {
    check(ELEMENT, 20_000, 1 << 10, properties::elements);
}

#[test]
fn mutated_multiproofs() {
    check(MULTIPROOF, 2_000, SCRATCH, properties::multiproof);
}

#[test]
fn mutated_tree_proofs() {
    check(TREE_PROOF, 2_000, SCRATCH, properties::tree_proof);
}

#[test]
fn mutated_witnesses() {
    check(WITNESS, 5_000, SCRATCH, properties::witness_json);
}

/// Memory that a verifier allocates once, for any input: the scratch of its sums.
const SCRATCH: usize = 1 << 20;

/// Runs `property` on the seed and on `count` mutations, and watches the memory it takes.
fn check(seed: &[u8], count: usize, scratch: usize, property: fn(&[u8])) {
    let mut random = Generator::new(0x9e37_79b9_7f4a_7c15);
    property(seed);
    for round in 0..count {
        let bytes = mutate(seed, &mut random);
        let before = ALLOCATED.get();
        PEAK.set(before);
        property(&bytes);
        let used = PEAK.get() - before;
        // What is written, what is read back, the partial tree: all in proportion to the input.
        let bound = 64 * bytes.len() + scratch;
        assert!(
            used <= bound,
            "round {round}: {used} bytes for {}",
            bytes.len()
        );
    }
}

thread_local! {
    static ALLOCATED: Cell<usize> = const { Cell::new(0) };
    static PEAK: Cell<usize> = const { Cell::new(0) };
}

/// Counts what the current thread has allocated.
struct Counting;

#[global_allocator]
static COUNTING: Counting = Counting;

// SAFETY: every call goes to the system's allocator unchanged; counting uses thread-locals without destructors, which
// need no allocation.
#[allow(unsafe_code)]
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        let allocated = ALLOCATED.get().wrapping_add(layout.size());
        ALLOCATED.set(allocated);
        PEAK.set(PEAK.get().max(allocated));
        // SAFETY: the caller's promise is passed on.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        ALLOCATED.set(ALLOCATED.get().wrapping_sub(layout.size()));
        // SAFETY: the caller's promise is passed on.
        unsafe { System.dealloc(pointer, layout) }
    }
}
