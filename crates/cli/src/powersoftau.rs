//! `frumious powersoftau`: the phase of a ceremony that all circuits share.

use std::path::Path;

use frumious_app::failure::Failure;
use frumious_app::phase1::{
    self, CONTRIBUTION, COPYING, CREATION, Contributed, Origin, PREPARATION, Request, VERIFICATION,
};
use frumious_app::phase2::hash_lines;
use frumious_app::places::Role;
use frumious_app::quantities::{duration, seconds};
use serde_json::json;

use crate::arguments::contribution::Person;
use crate::arguments::powersoftau::{
    Answer, Beacon, Challenge, Contribute, Export, Import, New, OfChallenge, Phase2, PowersOfTau,
    Prepare, Response, Truncate, Verify,
};
use crate::entropy::entropy;
use crate::export;
use crate::output::Output;
use crate::progress::Progress;
use crate::zkey::{hex, shown};

/// Runs a command.
pub fn run(command: &PowersOfTau, output: &Output) -> Result<(), Failure> {
    match command {
        PowersOfTau::New(arguments) => new(arguments, output),
        PowersOfTau::Contribute(arguments) => contribute(arguments, output),
        PowersOfTau::Beacon(arguments) => beacon(arguments, output),
        PowersOfTau::Verify(arguments) => verify(arguments, output),
        PowersOfTau::Truncate(arguments) => truncate(arguments, output),
        PowersOfTau::Challenge(OfChallenge::Contribute(arguments)) => answer(arguments, output),
        PowersOfTau::Export(Export::Challenge(arguments)) => challenge(arguments, output),
        PowersOfTau::Export(Export::Json { powers, out }) => export::powers(powers, out, output),
        PowersOfTau::Import(Import::Response(arguments)) => response(arguments, output),
        PowersOfTau::Prepare(Prepare::Phase2(arguments)) | PowersOfTau::Convert(arguments) => {
            prepare(arguments, output)
        }
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
    let made = phase1::contribute(&request, &progress)?;
    told(made, new, progress, output)
}

/// Tells of a contribution that was made.
fn told(made: Contributed, new: &Path, progress: Progress, output: &Output) -> Result<(), Failure> {
    let Contributed {
        response_hash,
        next_challenge,
        number,
        points,
    } = made;
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

fn truncate(arguments: &Truncate, output: &Output) -> Result<(), Failure> {
    let path = &arguments.powers;
    output.check(&output.places().input("PTAU", Role::Powers, path))?;
    let news = phase1::reduced_paths(path)?;
    let places = output.places().input("PTAU", Role::Powers, path);
    let places = news.iter().fold(places, |places, new| {
        places.output("NEW", Role::Powers, new)
    });
    output.check(&places)?;
    let progress = Progress::weighted(output, COPYING);
    let written = phase1::truncate(path, &progress)?;
    let time = progress.finish().total();
    let names: Vec<String> = written
        .iter()
        .map(|path| path.display().to_string())
        .collect();
    output.result(
        &format!("{} ({})", names.join("\n"), duration(time)),
        json!({
            "ptau": names,
            "seconds": seconds(time),
        }),
    )
}

fn challenge(arguments: &Challenge, output: &Output) -> Result<(), Failure> {
    let Challenge { powers, challenge } = arguments;
    let places = output.places().input("PTAU", Role::Powers, powers);
    output.check(&places.output("CHALLENGE", Role::Challenge, challenge))?;
    let progress = Progress::weighted(output, COPYING);
    let made = phase1::export_challenge(powers, challenge, &progress)?;
    let time = progress.finish().total();
    output.result(
        &format!(
            "Last Response Hash: \n{}\nNew Challenge Hash: \n{}\nChallenge written to {} ({})",
            hash_lines(&made.response_hash),
            hash_lines(&made.challenge),
            challenge.display(),
            duration(time),
        ),
        json!({
            "file": challenge.display().to_string(),
            "response_hash": hex(&made.response_hash),
            "challenge": hex(&made.challenge),
            "seconds": seconds(time),
        }),
    )
}

fn answer(arguments: &Answer, output: &Output) -> Result<(), Failure> {
    let (challenge, response) = (&arguments.challenge, &arguments.output());
    let places = output
        .places()
        .input("CHALLENGE", Role::Challenge, challenge);
    output.check(&places.output("RESPONSE", Role::Challenge, response))?;
    let person = Person {
        name: None,
        entropy: arguments.entropy.clone(),
    };
    let entropy = entropy(&person, output)?;
    let progress = Progress::weighted(output, CONTRIBUTION);
    let files = (challenge.as_path(), response.as_path());
    let made = phase1::answer(arguments.curve, files, &entropy, &progress)?;
    let time = progress.finish().total();
    output.result(
        &format!(
            "Claimed Challenge Hash: \n{}\nContribution Response Hash: \n{}\nResponse written to {} ({})",
            hash_lines(&made.challenge),
            hash_lines(&made.response_hash),
            response.display(),
            duration(time),
        ),
        json!({
            "file": response.display().to_string(),
            "challenge": hex(&made.challenge),
            "response_hash": hex(&made.response_hash),
            "points": made.points,
            "threads": frumious_parallel::current_num_threads(),
            "seconds": seconds(time),
        }),
    )
}

fn response(arguments: &Response, output: &Output) -> Result<(), Failure> {
    let Response {
        old,
        response,
        new,
        name,
    } = arguments;
    let places = output.places().input("OLD", Role::Powers, old);
    let places = places.input("RESPONSE", Role::Challenge, response);
    output.check(&places.output("NEW", Role::Powers, new))?;
    let progress = Progress::weighted(output, CONTRIBUTION);
    let made = phase1::import_response((old, response, new), name.as_deref(), &progress)?;
    told(made, new, progress, output)
}
