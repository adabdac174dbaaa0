//! `caller KEY WITNESS VKEY PROOF PUBLIC`: proves and verifies by the crate rust-rapidsnark, and writes the proof.
//! It says `valid`, then `invalid` of other public signals, then what the crate makes of a witness cut short.

use std::error::Error;
use std::{env, fs};

use rust_rapidsnark::{
    groth16_prover_zkey_file_wrapper as prove, groth16_verify_wrapper as verify,
};

fn main() -> Result<(), Box<dyn Error>> {
    let paths: Vec<String> = env::args().skip(1).collect();
    let [key, witness, vkey, proof, public] = &paths[..] else {
        return Err(
            "five paths: a key, a witness, a verification key, a proof, public signals".into(),
        );
    };
    let witness = fs::read(witness)?;
    let vkey = fs::read_to_string(vkey)?;
    let made = prove(key, witness.clone())?;
    let verdict = |signals: &str| match verify(&made.proof, signals, &vkey) {
        Ok(true) => "valid".to_owned(),
        Ok(false) => "invalid".to_owned(),
        Err(error) => error.to_string(),
    };
    println!("{}", verdict(&made.public_signals));
    let mut others = made.public_signals.clone();
    others.remove(2); // a digit behind `["`
    println!("{}", verdict(&others));
    match prove(key, witness[..witness.len() - 32].to_vec()) {
        Ok(_) => println!("a proof"),
        Err(error) => println!("{error}"),
    }
    fs::write(proof, made.proof)?;
    fs::write(public, made.public_signals)?;
    Ok(())
}
