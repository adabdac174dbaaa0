//! `frumious tune`: the settings that are fastest on this machine.

mod chart;
mod report;
mod subject;

use std::path::Path;
use std::time::{Duration, Instant};

use frumious_app::failure::{Code, Failure};
use frumious_app::files;
use frumious_app::observer::Observer;
use frumious_app::places::Role;
use frumious_app::tuning::{self, Parameter, Plan, Values, grid, parameters, search};

use crate::arguments::tune::Tune;
use crate::output::Output;
use crate::progress::Progress;
use crate::tuning::machine;
use report::Report;
use subject::Subject;

/// Searches, and writes the settings.
pub fn tune(arguments: &Tune, output: &Output) -> Result<(), Failure> {
    check_files(arguments, output)?;
    let progress = Progress::new(output, 2 + usize::from(arguments.grid));
    progress.begin("circuits");
    let subjects = subjects(arguments)?;
    let threads = frumious_parallel::current_num_threads();
    let rows = subjects.iter().map(Subject::rows).max().unwrap_or(0);
    let plan = Plan {
        parameters: chosen(parameters(threads, rows), &arguments.only)?,
        steps: arguments.steps,
        turns: arguments.turns as usize,
        budget: Duration::from_secs(arguments.seconds.into()),
    };
    let begin = Instant::now();
    let measured = |phase: &'static str| {
        let (progress, subjects) = (&progress, &subjects);
        move |values: &Values| {
            let done = begin.elapsed().as_secs_f64() / plan_seconds(arguments);
            progress.within(phase, done.min(1.0));
            seconds(values, threads, subjects)
        }
    };
    progress.begin("search");
    let found = search(&plan, &mut measured("search"));
    let all = found.and_then(|found| {
        let all = match arguments.grid {
            false => None,
            true => {
                progress.begin("grid");
                Some(grid(&plan, &mut measured("grid"))?)
            }
        };
        Ok((found, all))
    });
    // The command ends with the process; until then nothing is to depend on what was measured last.
    Values::usual().apply();
    let (found, all) = all?;
    let timings = progress.finish();
    let report = Report {
        machine: machine(),
        subjects: subjects.iter().map(Subject::name).collect(),
        threads,
        found,
        grid: all,
        timings,
    };
    let settings = tuning::to_toml(&report.settings(), &report.machine, &report.heading());
    let mut written: Vec<(&Path, String)> = vec![(&arguments.out, settings)];
    if let Some(csv) = &arguments.csv {
        written.push((csv, report.to_csv()));
    }
    if let Some(svg) = &arguments.svg {
        written.push((svg, chart::draw(&report)?));
    }
    let contents: Vec<(&Path, &str)> = written
        .iter()
        .map(|(path, text)| (*path, text.as_str()))
        .collect();
    files::write_all(&contents)?;
    output.result(&report.for_people(&arguments.out), report.for_programs())
}

/// All that the search, and then the grid, may take: for the part that is done.
fn plan_seconds(arguments: &Tune) -> f64 {
    f64::from(arguments.seconds) * if arguments.grid { 2.0 } else { 1.0 }
}

fn check_files(arguments: &Tune, output: &Output) -> Result<(), Failure> {
    let mut places = output.places();
    if !arguments.files.len().is_multiple_of(2) {
        return Err(Failure::new(
            Code::Usage,
            "each key needs a witness after it: KEY WITNESS",
        ));
    }
    for pair in arguments.files.chunks(2) {
        places = places.input("KEY", Role::Key, &pair[0]);
        places = places.input("WITNESS", Role::Witness, &pair[1]);
    }
    places = places.output("--out", Role::Report, &arguments.out);
    for (word, path) in [("--csv", &arguments.csv), ("--svg", &arguments.svg)] {
        if let Some(path) = path {
            places = places.output(word, Role::Report, path);
        }
    }
    output.check(&places)
}

/// The circuits of the command line; the demonstration's if there is none.
fn subjects(arguments: &Tune) -> Result<Vec<Subject>, Failure> {
    let pairs = arguments.files.chunks_exact(2);
    let mut subjects = pairs
        .map(|pair| Subject::of_files(&pair[0], &pair[1]))
        .collect::<Result<Vec<_>, _>>()?;
    for constraints in &arguments.constraints {
        subjects.push(Subject::of_size(*constraints)?);
    }
    if subjects.is_empty() {
        subjects.push(Subject::of_size(USUAL_SIZE)?);
    }
    Ok(subjects)
}

/// The parameters of these names; all if there are none.
fn chosen(all: Vec<Parameter>, names: &[String]) -> Result<Vec<Parameter>, Failure> {
    let known: Vec<&str> = all.iter().map(Parameter::name).collect();
    if let Some(other) = names.iter().find(|name| !known.contains(&name.as_str())) {
        return Err(Failure::new(
            Code::Usage,
            format!(
                "--only {other}: no parameter that matters for this CPU and circuit; those are {}",
                known.join(", ")
            ),
        ));
    }
    let is_chosen = |parameter: &Parameter| {
        names.is_empty() || names.iter().any(|name| name == parameter.name())
    };
    Ok(all.into_iter().filter(is_chosen).collect())
}

/// The time of a verified proof with these values: the geometric mean over the circuits.
fn seconds(values: &Values, most: usize, subjects: &[Subject]) -> Result<f64, Failure> {
    values.apply();
    let threads = values.threads().unwrap_or(most);
    let sum = || {
        let times = subjects.iter().map(|subject| Ok(subject.prove()?.ln()));
        times.sum::<Result<f64, Failure>>()
    };
    let sum = match threads == most {
        true => sum()?,
        false => frumious_parallel::with_threads(threads, sum)
            .map_err(|error| Failure::bad_input(format!("cannot start threads: {error}")))??,
    };
    Ok((sum / subjects.len() as f64).exp())
}

/// Constraints of the demonstration's circuit if no circuit is named: 2^16 rows.
const USUAL_SIZE: u32 = 65_000;
