//! Modules that are recorded without inputs.

use super::*;

/// A tape of no inputs serves `runs` as the module does, all of which the interpreter runs.
fn rehearse<E: PairingEngine>(name: &str, curve: &str, runs: &[Value]) {
    if let Some(wasm) = module(name, curve) {
        rehearse_beside::<E>(name, &wasm, &unknown(&wasm), runs);
    }
}

/// A tape of no inputs serves `runs` as the other module does.
fn rehearse_beside<E: PairingEngine>(name: &str, wasm: &[u8], other: &[u8], runs: &[Value]) {
    let compiled = CompiledModule::to_rehearse(wasm).expect("circom wrote it");
    let calculator = WitnessCalculator::new(compiled, Limits::default()).expect("it starts");
    let run = calculator.rehearse_over::<E>().expect("within its limits");
    let mut tapes = Tapes::<E>::default();
    tapes.add(run.unwrap_or_else(|| panic!("{name} is not recorded")));
    for json in runs {
        let inputs = &given(json);
        let replayed = tapes.replay(inputs, &mut |_| {}).expect("a witness");
        let expected = calculated::<E>(other, inputs).ok();
        assert_eq!(replayed.map(|witness| words(&witness)), expected, "{json}");
    }
    // A run on inputs is the same tape: one file of the cache for both.
    let (_, run) = recorded::<E>(wasm, &given(&runs[0])).expect("it runs");
    tapes.add(run.expect("it is recorded"));
    assert_eq!(tapes.len(), 1, "{name}");
}

#[test]
fn modules_of_circom_are_recorded_without_inputs() {
    let products = [[3, 11], [0, 0], [-1, 7]].map(|[a, b]: [i64; 2]| json!({"a": a, "b": b}));
    rehearse::<Bn254>("multiplier", "", &products);
    rehearse::<Bls12_381>("multiplier", "_bls12381", &products);
    let factors = [["274177", "67280421310721"], ["3", "5"]];
    let factors = factors.map(|[p, q]| json!({"p": p, "q": q}));
    rehearse::<Bn254>("no_public", "", &factors);
    rehearse::<Bls12_381>("no_public", "_bls12381", &factors);
    // Long ones beside the calculator, which interop/ holds against circom's own runtime.
    for name in ["eddsa_poseidon", "rollup1"] {
        if let (Some(wasm), Some(inputs)) = (module(name, ""), example(name, "")) {
            rehearse_beside::<Bn254>(name, &wasm, &wasm, &[inputs]);
        }
    }
    rehearse::<Bn254>("tapes_no_inputs", "", &[json!({})]);
    let point = |x: i64| json!({"x": x, "y": -x});
    let segment = |x: i64| json!({"ends": [point(x), point(7)], "weight": x});
    let buses =
        [[0, 1], [5, -5]].map(|[a, b]| json!({"segments": [segment(a), segment(b)], "scale": a}));
    rehearse::<Bn254>("tapes_buses", "", &buses);
}

/// Routines that are not known are not recorded, with inputs or without.
#[test]
fn an_unknown_module_has_no_rehearsal() {
    let Some(wasm) = module("multiplier", "") else {
        return;
    };
    let compiled = CompiledModule::to_rehearse(&unknown(&wasm)).expect("it is a module");
    let calculator = WitnessCalculator::new(compiled, Limits::default()).expect("it starts");
    assert!(matches!(calculator.rehearse_over::<Bn254>(), Ok(None)));
}
