//! The fuzz targets' properties over mutated seeds, on stable Rust, the same on every run: no panic, bounded memory.

#![allow(clippy::unwrap_used)] // in a test, a failed unwrap is the failure

use frumious_properties::snarkjs as properties;
use frumious_testing::mutate::{Generator, mutate};
use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

const MUL_R1CS: &[u8] = include_bytes!("../../snarkjs/tests/data/mul.r1cs");
const MUL_WTNS: &[u8] = include_bytes!("../../snarkjs/tests/data/mul.wtns");
const MUL_ZKEY: &[u8] = include_bytes!("../../snarkjs/tests/data/mul.zkey");
const CONTRIBUTED_ZKEY: &[u8] = include_bytes!("../../snarkjs/tests/data/contributed.zkey");
const MUL_FKEY: &[u8] = include_bytes!("../../snarkjs/tests/data/mul.fkey");
const TEMPLATES_FKEY: &[u8] = include_bytes!("../../snarkjs/tests/data/templates.fkey");
const POT2_PTAU: &[u8] = include_bytes!("../../snarkjs/tests/data/pot2.ptau");
const PROOF_JSON: &[u8] = include_bytes!("../../snarkjs/tests/data/proof.json");
const VKEY_JSON: &[u8] = include_bytes!("../../snarkjs/tests/data/verification_key.json");
const BLS12_381_R1CS: &[u8] = include_bytes!("../../snarkjs/tests/data/bls12_381/mul.r1cs");
const BLS12_381_WTNS: &[u8] = include_bytes!("../../snarkjs/tests/data/bls12_381/mul.wtns");
const BLS12_381_ZKEY: &[u8] = include_bytes!("../../snarkjs/tests/data/bls12_381/contributed.zkey");
const BLS12_381_PTAU: &[u8] = include_bytes!("../../snarkjs/tests/data/bls12_381/pot2.ptau");
const BLS12_381_PROOF_JSON: &[u8] = include_bytes!("../../snarkjs/tests/data/bls12_381/proof.json");
const BLS12_381_VKEY_JSON: &[u8] =
    include_bytes!("../../snarkjs/tests/data/bls12_381/verification_key.json");

#[test]
fn mutated_constraint_systems() {
    check(&[MUL_R1CS, BLS12_381_R1CS], 20_000, properties::r1cs);
}

#[test]
fn mutated_witnesses() {
    check(&[MUL_WTNS, BLS12_381_WTNS], 20_000, properties::wtns);
}

#[test]
fn mutated_proving_keys() {
    let seeds = [MUL_ZKEY, CONTRIBUTED_ZKEY, BLS12_381_ZKEY];
    check(&seeds, 10_000, properties::zkey);
}

#[test]
fn mutated_proving_keys_in_json() {
    use frumious_curves::{Bls12_381, Bn254, PairingEngine};
    use frumious_snarkjs::generic::{Zkey, write_zkey_json};

    fn json_of<E: PairingEngine>(key: &[u8]) -> Vec<u8> {
        let mut json = Vec::new();
        let key = Zkey::<E>::from_bytes(key.to_vec()).unwrap();
        write_zkey_json(&key, &mut json).unwrap();
        json
    }
    let seeds = [
        json_of::<Bn254>(MUL_ZKEY),
        json_of::<Bls12_381>(BLS12_381_ZKEY),
    ];
    check(
        &seeds.each_ref().map(Vec::as_slice),
        2_000,
        properties::zkey_json,
    );
}

#[test]
fn mutated_keys_in_our_container() {
    check(&[MUL_FKEY, TEMPLATES_FKEY], 3_000, properties::fkey);
}

#[test]
fn mutated_powers_of_tau() {
    check(&[POT2_PTAU, BLS12_381_PTAU], 800, properties::ptau);
}

#[test]
fn mutated_challenges() {
    let seeds = [
        include_bytes!("../../../fuzz/corpus/challenge/bn254").as_slice(),
        include_bytes!("../../../fuzz/corpus/challenge/bls12_381"),
    ];
    // Points are multiplied in batches, whose room does not depend on the input.
    check_within(1 << 20, &seeds, 300, properties::challenge);
}

#[test]
fn mutated_parameters_of_ceremonies() {
    let seeds = [
        include_bytes!("../../snarkjs/tests/data/contributed.mpcparams").as_slice(),
        include_bytes!("../../snarkjs/tests/data/bls12_381/contributed.mpcparams"),
    ];
    // Points are divided in batches, whose room does not depend on the input.
    check_within(8 << 20, &seeds, 300, properties::mpc_params);
}

#[test]
fn mutated_proofs() {
    check(
        &[PROOF_JSON, BLS12_381_PROOF_JSON],
        20_000,
        properties::proof_json,
    );
}

#[test]
fn mutated_lines_of_batches() {
    let line = |proof: &[u8], signals: &[u8]| {
        let parts = [b"{\"proof\":", proof, b",\"publicSignals\":", signals, b"}"];
        parts.concat()
    };
    let seeds = [
        line(PROOF_JSON, br#"["33"]"#),
        line(BLS12_381_PROOF_JSON, br#"["1","0"]"#),
    ];
    check(
        &seeds.each_ref().map(|seed| &seed[..]),
        20_000,
        properties::statement_json,
    );
}

#[test]
fn mutated_bytes_of_other_libraries() {
    use frumious_curves::{Bls12_381, Bn254, PairingEngine};
    use frumious_snarkjs::groth16 as files;

    fn seeds<E: PairingEngine>(key: &[u8], proof: &[u8], seeds: &mut Vec<Vec<u8>>) {
        let key = files::verifying_key_from_json::<E>(key).unwrap();
        let proof = files::proof_from_json::<E>(proof).unwrap();
        for layout in [files::ByteLayout::Arkworks, files::ByteLayout::Gnark] {
            seeds.push(files::verifying_key_to_bytes(&key, None, layout));
            seeds.push(files::proof_to_bytes(&proof, layout));
            seeds.push(files::public_to_bytes(&[E::Fr::default(); 2], layout));
        }
    }
    let mut all = Vec::new();
    seeds::<Bn254>(VKEY_JSON, PROOF_JSON, &mut all);
    seeds::<Bls12_381>(BLS12_381_VKEY_JSON, BLS12_381_PROOF_JSON, &mut all);
    let all: Vec<&[u8]> = all.iter().map(Vec::as_slice).collect();
    check(&all, 3_000, properties::layouts);
}

#[test]
fn mutated_verification_keys() {
    check(
        &[VKEY_JSON, BLS12_381_VKEY_JSON],
        5_000,
        properties::vkey_json,
    );
}

#[test]
fn mutated_public_signals() {
    check(
        &[b"[]", b"[\n \"33\"\n]", br#"["1","2","0"]"#],
        20_000,
        properties::public_json,
    );
}

/// Runs `property` on the seeds and on `count` mutations, and watches the memory it takes.
fn check(seeds: &[&[u8]], count: usize, property: fn(&[u8])) {
    check_within(1 << 17, seeds, count, property);
}

/// As [`check`], where `room` bytes are allowed whatever the input is.
fn check_within(room: usize, seeds: &[&[u8]], count: usize, property: fn(&[u8])) {
    let mut random = Generator::new(0x9e37_79b9_7f4a_7c15);
    for seed in seeds {
        property(seed);
    }
    for round in 0..count {
        let bytes = mutate(seeds[round % seeds.len()], &mut random);
        let before = ALLOCATED.get();
        PEAK.set(before);
        property(&bytes);
        let used = PEAK.get() - before;
        // The copy, what is written, what is read back, JSON's tree: all in proportion to the input.
        let bound = 64 * bytes.len() + room;
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
