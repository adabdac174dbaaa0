//! A service: one proving key from a file, and eight threads that prove with it at once.
//!
//! Run it with `cargo run --release -p frumious --example threads`. The statement is "I know a number whose Poseidon
//! hash is the public one".

use frumious::curves::bn254::Fr;
use frumious::groth16::{ProveOptions, SetupOptions, prove};
use frumious::r1cs::gadgets::poseidon;
use frumious::r1cs::{Circuit, Inputs, Names};
use frumious::snarkjs::{groth16::setup_dev, open_proving_key};
use std::error::Error;
use std::fs::{File, remove_file};
use std::io::BufWriter;
use std::thread;

fn main() -> Result<(), Box<dyn Error>> {
    let names = Names::new()
        .public_output("hash", 1)
        .private_input("preimage", 1);
    let circuit = Circuit::<Fr>::define(&names, |main, io| {
        poseidon::define_hash(main, io["hash"][0], &[io["preimage"][0].into()]);
    });

    // A key without a ceremony, for demonstrations only: whoever made it can forge.
    let path = std::env::temp_dir().join(format!("frumious-threads-{}.zkey", std::process::id()));
    let file = BufWriter::new(File::create(&path)?);
    setup_dev(circuit.system(), file, &SetupOptions::default())?;

    // Once: the file is mapped, checked and prepared. A `ProvingKey` is `Sync`.
    let key = open_proving_key(&path)?;
    let options = ProveOptions::default();

    let proofs = thread::scope(|scope| {
        let (circuit, key, options) = (&circuit, &key, &options);
        let workers = (0..8).map(|worker| {
            scope.spawn(move || -> Result<_, String> {
                let mut inputs = Inputs::new();
                inputs.set("preimage", &[Fr::from(1000 + worker)]);
                let witness = circuit
                    .witness(&inputs)
                    .map_err(|error| error.to_string())?;
                prove(key, &witness, options).map_err(|error| error.to_string())
            })
        });
        let workers: Vec<_> = workers.collect(); // all of them are started before the first is waited for
        let proofs = workers
            .into_iter()
            .map(|worker| worker.join().expect("no panic"));
        proofs.collect::<Result<Vec<_>, _>>()
    })?;

    // All at once, for little more than the price of one.
    let verifier = key.prepared_verifying_key();
    let statements: Vec<_> = (proofs.iter().map(|(proof, public)| (&public[..], proof))).collect();
    assert!(verifier.verify_batch(&statements)?);
    for (worker, (proof, public)) in proofs.iter().enumerate() {
        assert_eq!(public[0], poseidon::hash_native(&[Fr::from(1000 + worker)]));
        assert!(verifier.verify(public, proof)?);
        assert!(!verifier.verify(&[public[0] + Fr::ONE], proof)?);
        println!("thread {worker}: the hash {} has a preimage", public[0]);
    }
    remove_file(&path)?;
    Ok(())
}
