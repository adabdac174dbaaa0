//! `frumious bench`: measurements of parts, for those who choose parameters.

mod cost;
pub mod grid;
mod measure;
mod plot;
mod prove;
mod report;
mod trace;
mod witness;

use std::path::Path;

use crate::arguments::bench::{Bench, MsmFixed};
use crate::output::Output;
use crate::progress::Progress;
use frumious_app::failure::Failure;
use frumious_app::files;
use frumious_app::limits;
use frumious_app::places::Role;
use measure::Scalars;
use report::Report;

/// Runs a measurement.
pub fn run(command: &Bench, output: &Output) -> Result<(), Failure> {
    match command {
        Bench::Cost(arguments) => cost::cost(arguments, output),
        Bench::MsmFixed(arguments) => msm_fixed(arguments, output),
        Bench::Prove(arguments) => prove::prove(arguments, output),
        Bench::Trace(arguments) => trace::trace(arguments, output),
        Bench::Witness(arguments) => witness::witness(arguments, output),
    }
}

/// Builds each set of tables in turn, and commits through it.
fn msm_fixed(arguments: &MsmFixed, output: &Output) -> Result<(), Failure> {
    let MsmFixed { csv, svg, .. } = arguments;
    let mut places = output.places();
    for (word, path) in [("--csv", csv), ("--svg", svg)] {
        if let Some(path) = path {
            places = places.output(word, Role::Report, path);
        }
    }
    output.check(&places)?;
    let candidates = grid::candidates(arguments)?;
    if candidates.is_empty() {
        return Err(Failure::bad_input(format!(
            "no table takes {} MiB or less",
            arguments.max_mib
        )));
    }
    let largest = candidates.iter().map(|candidate| candidate.bytes).max();
    let largest = largest.unwrap_or(0) as u64;
    limits::require(largest + largest / 4)?; // with what building them takes
    let progress = Progress::new(output, candidates.len());
    let scalars = Scalars::new();
    let mut tables = Vec::with_capacity(candidates.len());
    for candidate in candidates {
        progress.begin("tables");
        tables.push(measure::measure(candidate, &scalars, arguments.quick)?);
    }
    let timings = progress.finish();
    let report = Report { tables, timings };
    let mut written: Vec<(&Path, String)> = Vec::new();
    if let Some(csv) = csv {
        written.push((csv, report.to_csv()));
    }
    if let Some(svg) = svg {
        written.push((svg, plot::draw(&report.tables)?));
    }
    let contents: Vec<(&Path, &str)> = written
        .iter()
        .map(|(path, text)| (*path, text.as_str()))
        .collect();
    files::write_all(&contents)?;
    output.result(&report.for_people(), report.for_programs())
}
