//! MiMC beside circomlib's results and its own definition.

#![allow(clippy::unwrap_used)] // in a test, a failed unwrap is the failure

use frumious_curves::bn254::Fr;
use frumious_r1cs::gadgets::mimc;
use frumious_r1cs::{Circuit, Component, Inputs, LinearCombination, Names, Signal};

type Sum = LinearCombination<Fr>;

fn numbers(values: &[u64]) -> Vec<Fr> {
    values.iter().map(|value| Fr::from_u64(*value)).collect()
}

/// A circuit of `n` inputs and a key.
fn circuit(
    n: usize,
    n_outputs: usize,
    define: impl FnOnce(&mut Component<'_, Fr>, &[Signal], &[Sum], Signal),
) -> Circuit<Fr> {
    let names = Names::new()
        .public_output("out", n_outputs as u32)
        .private_input("in", n as u32)
        .private_input("key", 1);
    Circuit::define(&names, |c, io| {
        let inputs: Vec<Sum> = io["in"].iter().map(Sum::from).collect();
        define(c, &io["out"], &inputs, io["key"][0]);
    })
}

/// The value that the circuit finds satisfies it; no wire may be another value.
fn run(circuit: &Circuit<Fr>, values: &[Fr], key: Fr) -> Vec<Fr> {
    let mut inputs = Inputs::new();
    inputs.set("in", values);
    inputs.set("key", &[key]);
    let mut witness = circuit.witness(&inputs).unwrap().to_vec();
    circuit.check(&witness).unwrap();
    for wire in (1..witness.len()).step_by(13).chain([witness.len() - 1]) {
        witness[wire] += Fr::ONE;
        assert!(circuit.check(&witness).is_err(), "wire {wire}");
        witness[wire] -= Fr::ONE;
    }
    let out = circuit.wires("out").unwrap();
    witness[out.start as usize..out.end as usize].to_vec()
}

/// Made with circomlibjs 0.1.7: `mimc7.hash(1, 2)` (also in circomlib 2.0.5, test/mimccircuit.js),
/// `mimc7.multiHash([1, 2], 3)`, `mimcsponge.multiHash([1, 2], 3, 3)`.
#[test]
fn results_are_circomlibs() {
    let expected = |text: &str| Fr::from_decimal_vartime(text).unwrap();
    let [one, two, key] = [1, 2, 3].map(Fr::from_u64);
    assert_eq!(
        mimc::mimc7_native(one, two),
        expected("10594780656576967754230020536574539122676596303354946869887184401991294982664")
    );
    assert_eq!(
        mimc::multi_mimc7_native(&[one, two], key),
        expected("17329984131213137979775604535386537857769132808822099620141614340583238653337")
    );
    let outputs = [
        "20225509322021146255705869525264566735642015554514977326536820959638320229084",
        "13871743498877225461925335509899475799121918157213219438898506786048812913771",
        "21633608428713573518356618235457250173701815120501233429160399974209848779097",
    ];
    assert_eq!(
        mimc::sponge_native(&[one, two], key, 3),
        outputs.map(expected)
    );
}

#[test]
fn circuits_find_the_native_results() {
    let mut edges = numbers(&[0, 1, 2]);
    edges.push(-Fr::ONE);
    let single = circuit(1, 1, |c, out, inputs, key| {
        let hash = mimc::mimc7(c, inputs[0].clone(), key);
        c.define_linear(out[0], hash);
    });
    assert_eq!(single.system().n_constraints(), 364 + 1);
    for x in &edges {
        for key in &edges {
            assert_eq!(run(&single, &[*x], *key), [mimc::mimc7_native(*x, *key)]);
        }
    }
    for n in 0..4 {
        let multi = circuit(n, 1, |c, out, inputs, key| {
            let hash = mimc::multi_mimc7(c, inputs, key);
            c.define_linear(out[0], hash);
        });
        assert_eq!(multi.system().n_constraints(), 364 * n as u64 + 1);
        let expected = mimc::multi_mimc7_native(&edges[..n], edges[3]);
        assert_eq!(run(&multi, &edges[..n], edges[3]), [expected]);
    }
    for (n, n_outputs) in [(1, 1), (2, 1), (1, 3), (3, 2)] {
        let sponge = circuit(n, n_outputs, |c, out, inputs, key| {
            mimc::define_sponge(c, out, inputs, key);
        });
        assert_eq!(
            sponge.system().n_constraints() as usize,
            660 * (n + n_outputs - 1) - 3
        );
        for values in [&edges[..n], &edges[4 - n..]] {
            for key in &edges {
                let expected = mimc::sponge_native(values, *key, n_outputs);
                assert_eq!(run(&sponge, values, *key), expected);
            }
        }
    }
}

#[test]
#[should_panic(expected = "a sponge without")]
fn a_sponge_absorbs_something() {
    mimc::sponge_native(&[], Fr::ZERO, 1);
}
