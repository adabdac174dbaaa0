//! Proofs one after the other with a key that stays loaded, for `peers/server/run`: `repeat KEY WITNESS SECONDS`.
//!
//! Prints the number of proofs and the time that they took, in seconds.

use std::path::Path;
use std::process::ExitCode;
use std::time::{Duration, Instant};

use frumious_app::circuit::{LoadedCircuit, ProofInput};
use frumious_app::failure::Failure;
use frumious_app::observer::Silent;

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [key, witness, seconds] = &arguments[..] else {
        eprintln!("repeat KEY WITNESS SECONDS");
        return ExitCode::from(2);
    };
    match repeat(
        Path::new(key),
        Path::new(witness),
        seconds.parse().unwrap_or(1.0),
    ) {
        Ok((count, time)) => {
            println!("{count} {}", time.as_secs_f64());
            ExitCode::SUCCESS
        }
        Err(failure) => {
            eprintln!("{}", failure.message());
            ExitCode::from(failure.exit_code())
        }
    }
}

fn repeat(key: &Path, witness: &Path, seconds: f64) -> Result<(u32, Duration), Failure> {
    let circuit = LoadedCircuit::load(key, false)?;
    let witness = frumious_app::files::read_secret(witness)?;
    let no_child = || Err(Failure::bad_input("a witness needs no process"));
    let prove = || circuit.prove(&ProofInput::Witness(&witness), None, no_child, &Silent);
    prove()?; // touches everything once
    let (start, mut count) = (Instant::now(), 0);
    while start.elapsed().as_secs_f64() < seconds {
        prove()?;
        count += 1;
    }
    Ok((count, start.elapsed()))
}
