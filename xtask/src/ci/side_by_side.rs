//! Steps side by side. Each is a process of its own, whose output is shown in one piece when it ends. The output of a
//! step that failed comes last, so that the end of a log tells why.
//!
//! Half of what a step does keeps one CPU busy: linking, valgrind, tests in node. So there is one step more at a time
//! than there are CPUs.

use std::fs::File;
use std::io::{self, Seek, Write};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::thread;
use std::time::Duration;

use super::Step;

/// Steps at a time: each needs up to 3 GB of memory when it links.
const MOST: usize = 3;

/// Runs steps, each as what `process` makes of it and after those that it needs, as long as none fails. `told` is
/// called with a line when one begins or ends; `out` gets their output.
///
/// # Errors
/// The names of those that failed; a process that cannot be started.
pub fn run(
    steps: &[&Step],
    process: &dyn Fn(&Step) -> io::Result<Command>,
    told: &dyn Fn(&str),
    out: &mut dyn Write,
) -> Result<(), String> {
    let at_once = thread::available_parallelism().map_or(1, |cpus| MOST.min(cpus.get() + 1));
    let mut waiting = steps.to_vec();
    let mut running: Vec<Running> = Vec::new();
    let mut failed: Vec<Running> = Vec::new();
    loop {
        while failed.is_empty() && running.len() < at_once {
            let names: Vec<&str> = running.iter().map(|running| running.step.name).collect();
            let Some(next) = next(&waiting, &names) else {
                break;
            };
            let step = waiting.remove(next);
            told(&format!("{} begins: {}", step.name, step.about));
            let started = process(step).and_then(|process| Running::start(step, process));
            running.push(started.map_err(|error| format!("{}: {error}", step.name))?);
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
            let mut ended = running.remove(k);
            if status.success() {
                ended.show(out)?;
            }
            told(&format!("{} ended with {status}", ended.step.name));
            if !status.success() {
                failed.push(ended);
            }
        }
    }
    for failed in &mut failed {
        told(&format!("{} failed:", failed.step.name));
        failed.show(out)?;
    }
    let names: Vec<&str> = failed.iter().map(|failed| failed.step.name).collect();
    match names.is_empty() {
        true => Ok(()),
        false => Err(names.join(", ")),
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
    fn start(step: &'a Step, mut process: Command) -> io::Result<Self> {
        let output = tempfile::tempfile()?;
        let process = process
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

    fn show(&mut self, out: &mut dyn Write) -> Result<(), String> {
        let mut copy = || {
            self.output.rewind()?;
            io::copy(&mut self.output, out)
        };
        match copy() {
            Ok(_) => Ok(()),
            Err(error) => Err(format!("{}: {error}", self.step.name)),
        }
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

    /// A log that is cut at its beginning still tells why; no step begins after one that failed.
    #[test]
    fn what_failed_is_shown_last() {
        let (bad, good, never) = (
            step("bad", &[]),
            step("good", &[]),
            step("never", &["good"]),
        );
        let process = |step: &Step| {
            let mut process = Command::new("sh");
            process.arg("-c").arg(match step.name {
                "bad" => "echo why >&2; exit 3",
                "good" => "sleep 0.5; echo fine",
                _ => "echo too late",
            });
            Ok(process)
        };
        let mut out = Vec::new();
        let result = run(&[&good, &bad, &never], &process, &|_| (), &mut out);
        assert_eq!(result, Err("bad".into()));
        assert_eq!(String::from_utf8_lossy(&out), "fine\nwhy\n");
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
