//! `frumious powersoftau`: the phase of a ceremony that all circuits share.

use std::path::Path;

use frumious_app::failure::Failure;
use frumious_app::phase1::{
    self, CONTRIBUTION, CREATION, Contributed, Origin, PREPARATION, Request, VERIFICATION,
};
use frumious_app::phase2::{self, hash_lines};
use frumious_app::places::Role;
use frumious_app::quantities::{duration, seconds};
use serde_json::json;
use zeroize::Zeroizing;

use crate::arguments::powersoftau::{
    Beacon, Contribute, New, Phase2, PowersOfTau, Prepare, Verify,
};
use crate::output::Output;
use crate::progress::Progress;
use crate::zkey::{hex, line, shown};

/// Runs a command.
pub fn run(command: &PowersOfTau, output: &Output) -> Result<(), Failure> {
    match command {
        PowersOfTau::New(arguments) => new(arguments, output),
        PowersOfTau::Contribute(arguments) => contribute(arguments, output),
        PowersOfTau::Beacon(arguments) => beacon(arguments, output),
        PowersOfTau::Verify(arguments) => verify(arguments, output),
        PowersOfTau::Prepare(Prepare::Phase2(arguments)) => prepare(arguments, output),
    }
}

fn new(arguments: &New, output: &Output) -> Result<(), Failure> {
    let path = arguments.output();
    output.check(&output.places().output("NEW", Role::Powers, &path))?;
    let progress = Progress::weighted(output, CREATION);
    let challenge = phase1::create(arguments.curve, arguments.power, &path, &progress)?;
    let time = progress.finish().total();
    output.result(
        &format!(
            "First Contribution Hash:\n{}\nPowers of tau without a contribution written to {} ({})",
            hash_lines(&challenge),
            path.display(),
            duration(time),
        ),
        json!({
            "ptau": path.display().to_string(),
            "power": arguments.power,
            "challenge": hex(&challenge),
            "seconds": seconds(time),
        }),
    )
}

fn contribute(arguments: &Contribute, output: &Output) -> Result<(), Failure> {
    let Contribute { old, new, name, .. } = arguments;
    check(old, new, output)?;
    let entropy = match arguments.entropy.as_deref() {
        Some("") => line(output)?,
        given => Zeroizing::new(given.unwrap_or_default().to_owned()),
    };
    let origin = Origin::Secret(entropy.as_bytes());
    make(old, new, name.as_deref(), origin, output)
}

fn beacon(arguments: &Beacon, output: &Output) -> Result<(), Failure> {
    let Beacon { old, new, name, .. } = arguments;
    check(old, new, output)?;
    let beacon = phase2::Beacon {
        hash: arguments.hash.0.clone(),
        exponent: arguments.exponent,
    };
    make(old, new, name.as_deref(), Origin::Beacon(&beacon), output)
}

fn check(old: &Path, new: &Path, output: &Output) -> Result<(), Failure> {
    let places = output.places().input("OLD", Role::Powers, old);
    output.check(&places.output("NEW", Role::Powers, new))
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
    let Contributed {
        response_hash,
        next_challenge,
        number,
        points,
    } = phase1::contribute(&request, &progress)?;
    let time = progress.finish().total();
    output.result(
        &format!(
            "Contribution Response Hash imported: \n{}\nNext Challenge Hash: \n{}\nContribution {number} written to \
             {} ({})",
            hash_lines(&response_hash),
            hash_lines(&next_challenge),
            new.display(),
            duration(time),
        ),
        json!({
            "ptau": new.display().to_string(),
            "response_hash": hex(&response_hash),
            "next_challenge": hex(&next_challenge),
            "contributions": number,
            "points": points,
            "threads": frumious_parallel::current_num_threads(),
            "seconds": seconds(time),
        }),
    )
}

fn verify(arguments: &Verify, output: &Output) -> Result<(), Failure> {
    let path = &arguments.powers;
    output.check(&output.places().input("PTAU", Role::Powers, path))?;
    let progress = Progress::weighted(output, VERIFICATION);
    let powers = phase1::verify(path, arguments.max_iterations_exp, &progress)?;
    let time = progress.finish().total();

    let mut text = String::new();
    if let Some(last) = powers.contributions.last() {
        text += &format!(
            "Next challenge hash: \n{}\n",
            hash_lines(&last.next_challenge)
        );
    }
    for (index, contribution) in powers.contributions.iter().enumerate().rev() {
        text += &format!(
            "-----------------------------------------------------\nContribution #{}: {}\n",
            index + 1,
            shown(contribution.name.as_deref()),
        );
        for (title, hash) in [
            ("Next Challenge", &contribution.next_challenge),
            ("Response Hash", &contribution.response_hash),
            ("Challenge", &contribution.challenge),
        ] {
            text += &format!("{title}: \n{}\n", hash_lines(hash));
        }
        if let Some((hash, exponent)) = &contribution.beacon {
            text += &format!("Beacon generator: {}\n", hex(hash));
            text += &format!("Beacon iterations Exp: {exponent}\n");
        }
    }
    text += "-----------------------------------------------------\n";
    if powers.power < powers.ceremony_power {
        text += &format!(
            "These are 2^{} powers of a ceremony of 2^{}: the hashes of the last contribution are of all of them, and \
             were not checked.\n",
            powers.power, powers.ceremony_power
        );
    }
    if !powers.is_prepared {
        text += "They are not prepared for phase 2. Next: frumious powersoftau prepare phase2\n";
    }
    text += &format!("Powers of Tau Ok! ({})", duration(time));
    let contributions: Vec<_> = powers
        .contributions
        .iter()
        .map(|contribution| {
            let beacon = contribution.beacon.as_ref();
            json!({
                "challenge": hex(&contribution.challenge),
                "response_hash": hex(&contribution.response_hash),
                "next_challenge": hex(&contribution.next_challenge),
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
            "power": powers.power,
            "ceremony_power": powers.ceremony_power,
            "prepared": powers.is_prepared,
            "contributions": contributions,
            "seconds": seconds(time),
        }),
    )
}

fn prepare(arguments: &Phase2, output: &Output) -> Result<(), Failure> {
    let Phase2 {
        old,
        new,
        max_memory,
    } = arguments;
    check(old, new, output)?;
    let progress = Progress::weighted(output, PREPARATION);
    phase1::prepare(old, new, *max_memory, &progress)?;
    let time = progress.finish().total();
    output.result(
        &format!(
            "Powers of tau prepared for phase 2 written to {} ({})",
            new.display(),
            duration(time)
        ),
        json!({
            "ptau": new.display().to_string(),
            "threads": frumious_parallel::current_num_threads(),
            "seconds": seconds(time),
        }),
    )
}
