//! Times 64 proofs verified one by one and as a batch, and a batch with one false proof, over both curves.
//!
//! `cargo run --release -p frumious-groth16 --example batch [PROOFS [SIGNALS]]`; `RAYON_NUM_THREADS=1` for one thread.

use std::hint::black_box;
use std::time::{Duration, Instant};

use frumious_curves::{Bls12_381, Bn254, PairingEngine};
use frumious_field::{Field, Integer, PrimeField};
use frumious_groth16::{
    KeyVectors, Proof, ProveOptions, ProvingEngine, ProvingKey, SetupOptions, Witness, prove,
    setup_dev,
};
use frumious_r1cs::{BodyBuilder, Interface, SystemBuilder};

/// Proofs with their public signals.
type Proved<E> = Vec<(Proof<E>, Vec<<E as PairingEngine>::Fr>)>;

type Outcome<T> = Result<T, Box<dyn std::error::Error>>;

fn main() -> Outcome<()> {
    let mut numbers = std::env::args().skip(1).map(|text| text.parse::<u32>());
    let n = numbers.next().unwrap_or(Ok(64))?;
    let signals = numbers.next().unwrap_or(Ok(1))?;
    println!(
        "| curve | proofs | signals | one by one, µs each | batch, µs each | ratio | one false, found, µs each |"
    );
    println!("|---|---|---|---|---|---|---|");
    run::<Bn254>(n, signals)?;
    run::<Bls12_381>(n, signals)
}

fn run<E: ProvingEngine>(n: u32, signals: u32) -> Outcome<()> {
    let proved = proofs::<E>(n, signals)?;
    let verifier = proved.0.prepared_verifying_key();
    let batch: Vec<(&[E::Fr], &Proof<E>)> = proved.1.iter().map(|(p, s)| (&s[..], p)).collect();
    let mut with_a_false_one = batch.clone();
    let other = (n as usize / 3, n as usize / 2);
    with_a_false_one[other.0].1 = batch[other.1].1;

    let one_by_one = || {
        batch
            .iter()
            .all(|(s, proof)| verifier.verify(s, proof).is_ok_and(|valid| valid))
    };
    let at_once = || verifier.verify_batch(&batch).is_ok_and(|valid| valid);
    let search = || {
        let bad = verifier.find_invalid(&with_a_false_one);
        bad.is_ok_and(|bad| bad.len() == 1 && bad[0].0 == other.0)
    };
    let [single, whole, found] = best([&one_by_one, &at_once, &search]);
    let each = |time: Duration| time.as_secs_f64() * 1e6 / f64::from(n);
    println!(
        "| {} | {n} | {signals} | {:.0} | {:.0} | {:.2} | {:.0} |",
        <E as PairingEngine>::CURVE,
        each(single),
        each(whole),
        each(single) / each(whole),
        each(found),
    );
    Ok(())
}

/// The shortest of some runs of each in turn, all of which must succeed.
fn best(runs: [&dyn Fn() -> bool; 3]) -> [Duration; 3] {
    let mut best = [Duration::MAX; 3];
    for _ in 0..RUNS {
        for (best, run) in best.iter_mut().zip(runs) {
            let start = Instant::now();
            assert!(black_box(run()));
            *best = start.elapsed().min(*best);
        }
    }
    best
}

const RUNS: usize = 25;

/// Products of a and k+1 for k below the number of public signals: a key, and a proof for each a.
fn proofs<E: ProvingEngine>(n: u32, signals: u32) -> Outcome<(ProvingKey<E>, Proved<E>)> {
    let one = E::Fr::ONE;
    let mut builder = SystemBuilder::<E::Fr>::new();
    let mut main = BodyBuilder::main();
    let products: Vec<_> = (0..signals).map(|_| main.own_wire()).collect();
    let a = main.own_wire();
    for (k, product) in (1..).zip(products) {
        let constant = main.wire(0);
        let factor = [(constant, E::Fr::from_u64(k))];
        builder.constrain(&mut main, &[(a, one)], &factor, &[(product, one)]);
    }
    let interface = Interface {
        public_outputs: signals,
        public_inputs: 0,
        private_inputs: 1,
    };
    let mut key = KeyVectors::<E>::new();
    let circuit = builder.finish(main, interface);
    setup_dev(&circuit, &mut key, &SetupOptions::default())?;
    let key = ProvingKey::new(Box::new(key))?;
    let proved = (0..u64::from(n)).map(|a| {
        let a = a + 3;
        let products = (1..=u64::from(signals)).map(|k| a * k);
        let wires: Vec<Integer<E::Fr>> = [1]
            .into_iter()
            .chain(products)
            .chain([a])
            .map(Integer::from_u64)
            .collect();
        prove(&key, Witness::new(&wires), &ProveOptions::default())
    });
    let proved = proved.collect::<Result<Vec<_>, _>>()?;
    Ok((key, proved))
}
