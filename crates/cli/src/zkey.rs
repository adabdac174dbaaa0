//! `frumious zkey`: the circuit's own phase of a ceremony.

use std::path::Path;

use frumious_app::contribution::warn;
use frumious_app::failure::Failure;
use frumious_app::phase2::{
    self, CONTRIBUTION, Circuit, Contributed, Origin, Request, VERIFICATION, hash_lines,
};
use frumious_app::places::Role;
use frumious_app::quantities::{duration, seconds};
use serde_json::json;

use crate::arguments::zkey::{Beacon, Bellman, Contribute, Export, Import, Verify, Zkey};
use crate::bellman;
use crate::entropy::entropy;
use crate::export;
use crate::output::Output;
use crate::progress::Progress;

/// Runs a command.
pub fn run(command: &Zkey, output: &Output) -> Result<(), Failure> {
    match command {
        Zkey::Contribute(arguments) => contribute(arguments, output),
        Zkey::Beacon(arguments) => beacon(arguments, output),
        Zkey::Verify(arguments) => verify(arguments, output),
        Zkey::Export(Export::Json { key, out }) => export::key(key, out, output),
        Zkey::Export(Export::Bellman { key, out }) => bellman::export(key, out, output),
        Zkey::Bellman(Bellman::Contribute(arguments)) => bellman::contribute(arguments, output),
        Zkey::Import(Import::Json { old, key }) => export::import_key(old, key, output),
        Zkey::Import(Import::Bellman {
            old,
            params,
            new,
            name,
        }) => bellman::import((old, params, new), name.as_deref(), output),
    }
}

fn contribute(arguments: &Contribute, output: &Output) -> Result<(), Failure> {
    let Contribute { old, new, person } = arguments;
    check(old, new, output)?;
    let entropy = entropy(person, output)?;
    let origin = Origin::Secret(&entropy);
    make(old, new, person.name.as_deref(), origin, output)
}

fn beacon(arguments: &Beacon, output: &Output) -> Result<(), Failure> {
    let Beacon { old, new, beacon } = arguments;
    check(old, new, output)?;
    let origin = beacon.origin();
    make(
        old,
        new,
        beacon.name.as_deref(),
        Origin::Beacon(&origin),
        output,
    )
}

fn check(old: &Path, new: &Path, output: &Output) -> Result<(), Failure> {
    let places = output.places().input("OLD", Role::Key, old);
    output.check(&places.output("NEW", Role::Key, new))
}

/// Makes a contribution, and tells its hash.
fn make(
    old: &Path,
    new: &Path,
    name: Option<&str>,
    origin: Origin<'_>,
    output: &Output,
) -> Result<(), Failure> {
    let progress = Progress::weighted(output, CONTRIBUTION);
    let request = Request {
        old,
        new,
        name,
        origin,
    };
    let made = phase2::contribute(&request, &progress)?;
    told(made, "zkey", new, progress, output)
}

/// Tells of a contribution that was made, in a file of this kind.
pub fn told(
    made: Contributed,
    kind: &str,
    new: &Path,
    progress: Progress,
    output: &Output,
) -> Result<(), Failure> {
    let Contributed {
        circuit_hash,
        contribution_hash,
        number,
        points,
    } = made;
    let time = progress.finish().total();
    output.result(
        &format!(
            "Circuit Hash: \n{}\nContribution Hash: \n{}\nContribution {number} written to {} ({})",
            hash_lines(&circuit_hash),
            hash_lines(&contribution_hash),
            new.display(),
            duration(time),
        ),
        json!({
            kind: new.display().to_string(),
            "circuit_hash": hex(&circuit_hash),
            "contribution_hash": hex(&contribution_hash),
            "contributions": number,
            "points": points,
            "threads": frumious_parallel::current_num_threads(),
            "seconds": seconds(time),
        }),
    )
}

fn verify(arguments: &Verify, output: &Output) -> Result<(), Failure> {
    let (r1cs, powers, key) = arguments.files()?;
    let mut places = output.places();
    let circuit = match (r1cs, &arguments.from) {
        (Some(r1cs), _) => {
            places = places.input("R1CS", Role::Circuit, r1cs);
            Circuit::Constraints(r1cs)
        }
        (None, from) => {
            let initial = from.as_deref().unwrap_or(Path::new(""));
            places = places.input("--from", Role::Key, initial);
            Circuit::Initial(initial)
        }
    };
    let places = places.input("PTAU", Role::Powers, powers);
    output.check(&places.input("KEY", Role::Key, key))?;
    let progress = Progress::weighted(output, VERIFICATION);
    let chain = phase2::verify(
        &circuit,
        powers,
        key,
        arguments.max_iterations_exp,
        &progress,
    )?;
    warn(chain.missing, key, &progress);
    let time = progress.finish().total();

    let mut text = format!("Circuit Hash: \n{}\n", hash_lines(&chain.circuit_hash));
    for (index, contribution) in chain.contributions.iter().enumerate().rev() {
        let name = shown(contribution.name.as_deref());
        text += &format!(
            "-------------------------\ncontribution #{} {name}:\n",
            index + 1
        );
        text += &format!("{}\n", hash_lines(&contribution.hash));
        if let Some((hash, exponent)) = &contribution.beacon {
            text += &format!("Beacon generator: {}\n", hex(hash));
            text += &format!("Beacon iterations Exp: {exponent}\n");
        }
    }
    text += &format!("-------------------------\nZKey Ok! ({})", duration(time));
    let contributions: Vec<_> = chain
        .contributions
        .iter()
        .map(|contribution| {
            let beacon = contribution.beacon.as_ref();
            json!({
                "hash": hex(&contribution.hash),
                "name": contribution.name,
                "beacon": beacon.map(|(hash, exponent)| json!({
                    "hash": hex(hash),
                    "iterations_exp": exponent,
                })),
            })
        })
        .collect();
    output.result(
        &text,
        json!({
            "valid": true,
            "circuit_hash": hex(&chain.circuit_hash),
            "contributed": chain.missing.is_none(),
            "contributions": contributions,
            "seconds": seconds(time),
        }),
    )
}

/// A contributor's name without control characters. Names are in no hash: whoever passes a file on may alter them.
pub fn shown(name: Option<&str>) -> String {
    let name = name.unwrap_or_default();
    name.replace(char::is_control, "\u{fffd}")
}

/// Bytes in hexadecimal.
pub fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}
