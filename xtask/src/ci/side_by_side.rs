//! Steps side by side. Each is a process of its own, whose output is shown in one piece when it ends.
//!
//! Half of what a step does keeps one CPU busy: linking, valgrind, tests in node. Two steps at a time take two thirds
//! of the time of one after the other.

use std::fs::File;
use std::io::{self, Read, Seek};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::thread;
use std::time::Duration;

use super::Step;

/// Steps at a time: each needs up to 3 GB of memory when it links.
const MOST: usize = 2;

/// Runs steps, each after those that it needs, as long as none fails. `told` is called when one begins or ends.
///
/// # Errors
/// The names of those that failed; a process that cannot be started.
pub fn run(steps: &[&Step], told: &dyn Fn(&str)) -> Result<(), String> {
    let at_once = thread::available_parallelism().map_or(1, |cpus| cpus.get().min(MOST));
    let mut waiting = steps.to_vec();
    let mut running: Vec<Running> = Vec::new();
    let mut failed = Vec::new();
    loop {
        while failed.is_empty() && running.len() < at_once {
            let names: Vec<&str> = running.iter().map(|running| running.step.name).collect();
            let Some(next) = next(&waiting, &names) else {
                break;
            };
            let step = waiting.remove(next);
            told(&format!("{} begins: {}", step.name, step.about));
            running.push(Running::start(step).map_err(|error| format!("{}: {error}", step.name))?);
        }
        if running.is_empty() {
            break;
        }
        thread::sleep(Duration::from_millis(100));
        let mut k = 0;
        while k < running.len() {
            let Some(status) = running[k].ended().map_err(|error| error.to_string())? else {
                k += 1;
                continue;
            };
            let ended = running.remove(k);
            let name = ended.step.name;
            ended.show().map_err(|error| format!("{name}: {error}"))?;
            told(&format!("{name} ended with {status}"));
            if !status.success() {
                failed.push(name);
            }
        }
    }
    match failed.is_empty() {
        true => Ok(()),
        false => Err(failed.join(", ")),
    }
}

/// The first of the waiting steps that needs none of those that wait or run.
fn next(waiting: &[&Step], running: &[&str]) -> Option<usize> {
    let is_open =
        |name: &&str| running.contains(name) || waiting.iter().any(|waiting| waiting.name == *name);
    waiting
        .iter()
        .position(|step| !step.needs.iter().any(is_open))
}

struct Running<'a> {
    step: &'a Step,
    process: Child,
    output: File,
}

/// A step whose output nobody will see does not go on.
impl Drop for Running<'_> {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

impl<'a> Running<'a> {
    fn start(step: &'a Step) -> io::Result<Self> {
        let output = tempfile::tempfile()?;
        let process = Command::new(std::env::current_exe()?)
            .args(["ci", step.name])
            .stdin(Stdio::null())
            .stdout(output.try_clone()?)
            .stderr(output.try_clone()?)
            .spawn()?;
        Ok(Self {
            step,
            process,
            output,
        })
    }

    fn ended(&mut self) -> io::Result<Option<ExitStatus>> {
        self.process.try_wait()
    }

    fn show(mut self) -> io::Result<()> {
        self.output.rewind()?;
        let mut text = Vec::new();
        self.output.read_to_end(&mut text)?;
        io::Write::write_all(&mut io::stdout(), &text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ci::STEPS;

    fn step(name: &'static str, needs: &'static [&'static str]) -> Step {
        Step {
            name,
            about: "",
            needs,
            run: |_| Ok(()),
        }
    }

    #[test]
    fn steps_wait_for_those_that_they_need() {
        let (a, b, c) = (step("a", &["b"]), step("b", &[]), step("c", &["a", "b"]));
        let all = [&a, &b, &c];
        assert_eq!(next(&all, &[]), Some(1));
        assert_eq!(next(&[&a, &c], &["b"]), None);
        assert_eq!(next(&[&a, &c], &[]), Some(0));
        assert_eq!(next(&[&c], &["a"]), None);
        assert_eq!(next(&[&c], &[]), Some(0));
        assert_eq!(next(&[], &["c"]), None);
    }

    /// Otherwise the last ones would never run.
    #[test]
    fn all_steps_come_to_run() {
        let mut waiting: Vec<&Step> = STEPS.iter().collect();
        while !waiting.is_empty() {
            let Some(first) = next(&waiting, &[]) else {
                panic!("{} steps wait for one another", waiting.len());
            };
            waiting.remove(first);
        }
        for needed in STEPS.iter().flat_map(|step| step.needs) {
            assert!(STEPS.iter().any(|step| step.name == *needed), "{needed}");
        }
    }
}
