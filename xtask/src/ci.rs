//! CI by steps that run alone: `cargo xtask ci fuzz clippy`.
//!
//! Each step builds and installs what it needs, and uses what other steps have built. `.ci/run` runs those of every
//! change side by side, in the order of [`STEPS`]. The others take long, and are due before a release.

mod passed;
mod place;
mod side_by_side;
mod steps;

use std::env;
use std::fs;
use std::io;
use std::process::{Command, ExitCode};
use std::time::Instant;

pub use place::Place;
use steps::{BEFORE_RELEASE, STEPS, Step};

/// Runs the named steps one after the other; for the name `all` those of every change that are not `skipped`, [side by
/// side](side_by_side). Lists them for no name.
///
/// A step that fails ends it, with 1; a name that no step has, with 2.
pub fn run(names: &[String], skipped: &[String]) -> ExitCode {
    let every_step = || STEPS.iter().chain(&BEFORE_RELEASE);
    let known = |name: &String| every_step().any(|step| step.name == name);
    let is_all = |name: &String| name == "all";
    if let Some(unknown) = (names.iter().filter(|name| !is_all(name)))
        .chain(skipped)
        .find(|name| !known(name))
    {
        eprintln!("ci: no step {unknown}; `cargo xtask ci` lists them");
        return ExitCode::from(2);
    }
    if names.is_empty() {
        let line = |step: &Step| println!("{:12} {}", step.name, step.about);
        STEPS.iter().for_each(line);
        println!("\nbefore a release:");
        BEFORE_RELEASE.iter().for_each(line);
        return ExitCode::SUCCESS;
    }
    let is_named = |names: &[String], step: &Step| names.iter().any(|name| name == step.name);
    let (place, start) = (Place::find(), Instant::now());
    if names.iter().any(is_all) {
        let chosen = STEPS.iter().filter(|step| !is_named(skipped, step));
        let told = |text: &str| println!("=== {} {text}", times(start));
        let process = |step: &Step| {
            let mut process = Command::new(env::current_exe()?);
            process.args(["ci", step.name]);
            Ok(process)
        };
        let chosen: Vec<&Step> = chosen.collect();
        if let Err(failed) = side_by_side::run(&chosen, &process, &told, &mut io::stdout()) {
            eprintln!("ci: failed: {failed}");
            return ExitCode::from(1);
        }
        println!("\n=== done ({})", times(start));
        return ExitCode::SUCCESS;
    }
    for step in every_step().filter(|step| is_named(names, step)) {
        println!("\n=== {} ({}): {}", step.name, times(start), step.about);
        if let Err(reason) = (step.run)(&place) {
            eprintln!("ci: {} failed: {reason}", step.name);
            return ExitCode::from(1);
        }
    }
    println!("\n=== done ({})", times(start));
    ExitCode::SUCCESS
}

/// Seconds since `start`, and of CPU time of all steps that ended; CPU time on Linux only.
fn times(start: Instant) -> String {
    let wall = start.elapsed().as_secs();
    let Ok(stat) = fs::read_to_string("/proc/self/stat") else {
        return format!("{wall} s");
    };
    // `proc_pid_stat(5)`: fields 16 and 17, of children waited for, in hundredths; field 2 ends with the last `)`.
    let fields = stat.rsplit(')').next().unwrap_or_default();
    let ticks = fields.split_whitespace().skip(13).take(2);
    let cpu: u64 = ticks.filter_map(|field| field.parse::<u64>().ok()).sum();
    format!("{wall} s, {} s of CPU", cpu / 100)
}
