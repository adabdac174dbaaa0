//! The prover against its naive twin, and its errors.

use crate::circuits::{self, Circuit, Sequence, checked, witness_of};
use crate::{naive, snarkjs};
use frumious_circom::Wtns;
use frumious_curves::bn254::{Fr, G1Affine};
use frumious_groth16::{
    Error, Phase, ProveOptions, ProvingKey, prove_with_randomness_for_tests, verify,
};
use frumious_limbs::backend::{self, Backend};
use frumious_parallel::with_threads;
use frumious_snarkjs::generic::write_fkey;
use frumious_snarkjs::groth16::{check_key, proof_to_json, prove, proving_key, values};
use frumious_snarkjs::{Fkey, KeyFile, Zkey};
use std::sync::Mutex;

/// Runs `test` for each backend this machine has and for 1, 2 and 7 threads.
fn on_all_machines(test: impl Fn() + Send + Sync) {
    static BACKEND: Mutex<()> = Mutex::new(()); // one setting for the whole process
    let _guard = BACKEND
        .lock()
        .unwrap_or_else(|poisoned| poisoned.into_inner());
    let before = backend::active();
    for backend in Backend::ALL {
        if !backend.is_supported() {
            eprintln!("SKIP: this CPU has no {}", backend.name());
            continue;
        }
        backend::set(backend).unwrap();
        for threads in [1, 2, 7] {
            with_threads(threads, &test).unwrap();
        }
    }
    backend::set(before).unwrap();
}

/// Asserts that the prover's points are the naive prover's for several r and s, from either container.
fn assert_equals_naive(zkey: &Zkey, witness: &Wtns, blindings: &[(Fr, Fr)]) {
    let key = checked(zkey.clone());
    let mut compact = Vec::new();
    write_fkey(zkey, &mut compact).unwrap();
    let compact = Fkey::from_bytes(compact).unwrap();
    assert_eq!(compact.coefficients().len(), zkey.coefficients().len());
    let compact = checked(compact);
    let witness_values = values(witness);
    for (r, s) in blindings {
        let expected = naive::prove(zkey, &witness.to_values(), *r, *s);
        on_all_machines(|| {
            let options = ProveOptions::default();
            let (proof, public) =
                prove_with_randomness_for_tests(&key, &witness_values, &options, *r, *s).unwrap();
            assert_eq!(proof, expected);
            assert_eq!(proof_to_json(&proof), proof_to_json(&expected));
            assert_eq!(public, witness.public(key.n_public() as u32).unwrap());
            let (proof, _) =
                prove_with_randomness_for_tests(&compact, &witness_values, &options, *r, *s)
                    .unwrap();
            assert_eq!(proof, expected);
        });
    }
}

fn blindings() -> Vec<(Fr, Fr)> {
    let mut sequence = Sequence::new(77);
    vec![
        (sequence.element(), sequence.element()),
        (Fr::ZERO, Fr::ONE.neg()),
        (Fr::ONE, Fr::ZERO),
    ]
}

#[test]
fn equals_the_naive_prover_on_small_circuits() {
    for circuit in circuits::small() {
        assert_equals_naive(&circuit.dev_zkey(), &circuit.witness(), &blindings());
    }
}

#[test]
fn equals_the_naive_prover_on_keys_of_snarkjs() {
    for name in ["mul", "mulpub"] {
        let Some(fixture) = snarkjs::Fixture::open(name) else {
            return;
        };
        assert_equals_naive(&fixture.zkey, &fixture.witness, &blindings()[..1]);
    }
}

#[test]
fn coefficients_may_come_in_any_order() {
    for circuit in circuits::small() {
        let zkey = circuits::with_unsorted_coefficients(&circuit.dev_zkey());
        assert_equals_naive(&zkey, &circuit.witness(), &blindings()[..1]);
    }
}

/// One that still has valid points is only seen when the proof does not verify, or when asked for.
#[test]
fn a_corrupt_container_is_told_from_a_wrong_witness() {
    let circuit = circuits::random(15, [1, 1, 2], 60);
    let zkey = circuit.dev_zkey();
    let mut bytes = Vec::new();
    write_fkey(&zkey, &mut bytes).unwrap();
    // The first point of H, as that of another key.
    let stored = zkey.h().as_bytes()[..64].to_vec();
    let position = bytes.windows(64).position(|window| window == stored);
    let other = G1Affine::GENERATOR.to_montgomery_bytes();
    bytes[position.unwrap()..][..64].copy_from_slice(&other);
    let file = KeyFile::from_bytes(bytes).unwrap();
    let key = proving_key(file.clone()).unwrap();
    let proved = prove(&key, &circuit.witness(), &ProveOptions::default());
    let checked_whole = check_key(&file).unwrap_err().to_string();
    for error in [proved.unwrap_err().to_string(), checked_whole] {
        assert!(error.contains("the file is corrupt"), "{error}");
    }
    // A key as it was written is not blamed for the witness.
    let mut bytes = Vec::new();
    write_fkey(&zkey, &mut bytes).unwrap();
    let key = checked(KeyFile::from_bytes(bytes).unwrap());
    let mut values = circuit.values.clone();
    values[1] += Fr::ONE;
    let result = prove(&key, &witness_of(&values), &ProveOptions::default());
    assert!(matches!(result, Err(Error::Unsatisfied)));
}

#[test]
fn without_zero_knowledge_r_and_s_are_zero() {
    let circuit = circuits::random(9, [1, 2, 3], 40);
    let zkey = circuit.dev_zkey();
    let expected = naive::prove(&zkey, &circuit.witness().to_values(), Fr::ZERO, Fr::ZERO);
    let key = proving_key(zkey).unwrap();
    let phases = Mutex::new(Vec::new());
    let observer = |phase| phases.lock().unwrap().push(phase);
    let options = ProveOptions {
        zero_knowledge: false,
        observer: Some(&observer),
        ..ProveOptions::default()
    };
    let (proof, _) = prove(&key, &circuit.witness(), &options).unwrap();
    assert_eq!(proof, expected);
    assert_eq!(*phases.lock().unwrap(), usual_phases());
}

#[test]
fn every_phase_is_announced_once_and_in_order() {
    let circuit = circuits::random(10, [1, 0, 1], 5);
    let phases = Mutex::new(Vec::new());
    let observer = |phase| phases.lock().unwrap().push(phase);
    let options = ProveOptions {
        observer: Some(&observer),
        ..ProveOptions::default()
    };
    prove(&circuit.dev_key(), &circuit.witness(), &options).unwrap();
    assert_eq!(*phases.lock().unwrap(), usual_phases());
    phases.lock().unwrap().clear();
    let (key, values) = (circuit.dev_key(), circuit.witness());
    let values = frumious_snarkjs::groth16::values(&values);
    prove_with_randomness_for_tests(&key, &values, &options, Fr::ONE, Fr::ONE).unwrap();
    let mut expected = usual_phases();
    expected.insert(expected.len() - 2, Phase::SumB1);
    assert_eq!(*phases.lock().unwrap(), expected);
}

/// Those of a proof that needs no sum over part B1. On several threads the sums are one phase, else those over H and C.
fn usual_phases() -> Vec<Phase> {
    let is_alone = frumious_parallel::current_num_threads() == 1;
    let sums = [Phase::SumHAndC, Phase::SumA, Phase::SumB2];
    let mut phases = Phase::ALL.to_vec();
    phases.retain(|phase| match phase {
        Phase::SumB1 | Phase::SumH | Phase::SumC => false,
        Phase::Sums => !is_alone,
        phase => is_alone || !sums.contains(phase),
    });
    phases
}

#[test]
fn proofs_are_blinded() {
    let circuit = circuits::random(11, [1, 1, 1], 10);
    let key = circuit.dev_key();
    let options = ProveOptions::default();
    let (first, _) = prove(&key, &circuit.witness(), &options).unwrap();
    let (second, _) = prove(&key, &circuit.witness(), &options).unwrap();
    assert_ne!(first.a, second.a);
    assert_ne!(first.b, second.b);
    assert_ne!(first.c, second.c);
}

#[test]
fn an_unsatisfied_witness_is_an_error() {
    let circuit = circuits::random(12, [2, 1, 2], 50);
    let key = circuit.dev_key();
    for wire in [1, 3, 4, 20, circuit.values.len() - 1] {
        let mut values = circuit.values.clone();
        values[wire] += Fr::ONE;
        if circuit.r1cs.first_unsatisfied(&values).is_none() {
            continue; // a wire that no constraint looks at
        }
        let result = prove(&key, &witness_of(&values), &ProveOptions::default());
        assert!(matches!(result, Err(Error::Unsatisfied)), "wire {wire}");
        let unverified = ProveOptions {
            verify: false,
            ..ProveOptions::default()
        };
        let (proof, public) = prove(&key, &witness_of(&values), &unverified).unwrap();
        assert!(!verify(key.verifying_key(), &public, &proof).unwrap());
    }
}

#[test]
fn a_witness_of_another_length_is_an_error() {
    let circuit = circuits::random(13, [1, 1, 1], 20);
    let key = circuit.dev_key();
    let expected = circuit.values.len();
    for actual in [1, expected - 1, expected + 1] {
        let mut values = circuit.values.clone();
        values.resize(actual, Fr::ONE);
        let error = prove(&key, &witness_of(&values), &ProveOptions::default()).unwrap_err();
        assert!(
            matches!(error, Error::WitnessLength { expected: e, actual: a } if (e, a) == (expected, actual))
        );
    }
}

#[test]
fn one_key_serves_four_threads() {
    let circuit = circuits::random(14, [1, 1, 3], 200);
    let zkey = circuit.dev_zkey();
    let key = proving_key(zkey.clone()).unwrap();
    std::thread::scope(|scope| {
        for thread in 0..4 {
            let (key, circuit, zkey): (&ProvingKey, &Circuit, &Zkey) = (&key, &circuit, &zkey);
            scope.spawn(move || {
                for round in 0..5 {
                    let mut sequence = Sequence::new(10 * thread + round);
                    let (r, s) = (sequence.element(), sequence.element());
                    let witness = circuit.witness();
                    let options = ProveOptions::default();
                    let (proof, public) =
                        prove_with_randomness_for_tests(key, &values(&witness), &options, r, s)
                            .unwrap();
                    assert_eq!(proof, naive::prove(zkey, &witness.to_values(), r, s));
                    assert_eq!(public, circuit.public());
                }
            });
        }
    });
}
