//! `frumious zkey export bellman | bellman contribute | import bellman`: contributors with bellman's programs.

use std::path::{Path, PathBuf};

use frumious_app::bellman::{self, CONTRIBUTING, EXPORTING, IMPORTING};
use frumious_app::failure::Failure;
use frumious_app::places::Role;
use frumious_app::quantities::{duration, seconds};
use serde_json::json;

use crate::arguments::contribution::Person;
use crate::arguments::zkey::Answer;
use crate::entropy::entropy;
use crate::output::Output;
use crate::progress::Progress;
use crate::zkey::told;

/// Writes the parameters of a key.
pub fn export(key: &Path, out: &Path, output: &Output) -> Result<(), Failure> {
    let places = output.places().input("KEY", Role::Key, key);
    output.check(&places.output("PARAMS", Role::Parameters, out))?;
    let progress = Progress::weighted(output, EXPORTING);
    let contributions = bellman::export(key, out, &progress)?;
    let time = progress.finish().total();
    output.result(
        &format!(
            "Parameters written to {} ({})",
            out.display(),
            duration(time)
        ),
        json!({
            "file": out.display().to_string(),
            "contributions": contributions,
            "threads": frumious_parallel::current_num_threads(),
            "seconds": seconds(time),
        }),
    )
}

/// Contributes to parameters.
pub fn contribute(arguments: &Answer, output: &Output) -> Result<(), Failure> {
    let (old, new) = (arguments.old.as_path(), &arguments.output());
    let places = output.places().input("OLD", Role::Parameters, old);
    output.check(&places.output("NEW", Role::Parameters, new))?;
    let person = Person {
        name: None,
        entropy: arguments.entropy.clone(),
    };
    let entropy = entropy(&person, output)?;
    let progress = Progress::weighted(output, CONTRIBUTING);
    let made = bellman::contribute(arguments.curve, (old, new), &entropy, &progress)?;
    told(made, "file", new, progress, output)
}

/// Makes a key of parameters.
pub fn import(
    (old, params, new): (&PathBuf, &PathBuf, &PathBuf),
    name: Option<&str>,
    output: &Output,
) -> Result<(), Failure> {
    let places = output.places().input("OLD", Role::Key, old);
    let places = places.input("PARAMS", Role::Parameters, params);
    output.check(&places.output("NEW", Role::Key, new))?;
    let progress = Progress::weighted(output, IMPORTING);
    let made = bellman::import((old, params, new), name, &progress)?;
    told(made, "zkey", new, progress, output)
}
