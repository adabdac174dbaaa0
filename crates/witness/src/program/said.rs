//! From what a program says to a reason. A hostile one may say anything, so only known shapes without values go on.

use super::inputs::Given;
use super::process::Ended;
use super::sandbox::STAGE;
use crate::error::{Error, Limit, Place, beginning};
use crate::host::Limits;
use crate::isolated::{Blame, Refusal, module_refusal};
use rustix::process::Signal;
use std::os::unix::process::ExitStatusExt;

/// The lines of the circuit's `log()`: all but those about a failed assertion.
pub(super) fn log_lines(stdout: &[u8]) -> impl Iterator<Item = &str> {
    let lines = stdout.split_inclusive(|byte| *byte == b'\n');
    lines
        .filter_map(|line| str::from_utf8(line).ok())
        .map(|line| line.trim_end_matches('\n'))
        .filter(|line| assertion(line).is_none())
}

/// The reason for which a program has failed.
pub(super) fn reason(ended: &Ended, given: &Given, limits: Limits) -> Refusal {
    let stdout = str::from_utf8(&ended.stdout).unwrap_or_default();
    let stderr = String::from_utf8_lossy(&ended.stderr);
    if let Some((trace, component)) = stdout.lines().rev().find_map(assertion) {
        let place = Some(Place::Component(component));
        return Error::Unsatisfied { trace, place }.into();
    }
    let signal = ended.status.signal();
    let is = |known: Signal| signal == Some(known.as_raw());
    if let Some(line) = stderr.lines().find_map(|line| line.strip_prefix(STAGE)) {
        return module_refusal(format!("the program cannot be started: {}", plain(line)));
    }
    if is(Signal::XCPU) {
        let seconds = limits.time.as_secs();
        return Error::Stopped(Limit::Time { seconds }).into();
    }
    if is(Signal::XFSZ) || stderr.contains("std::bad_alloc") {
        let bytes = limits.memory_bytes;
        return Error::Stopped(Limit::Memory { bytes }).into();
    }
    for line in stderr.lines() {
        if let Some(refusal) = of_inputs(line, given) {
            return refusal;
        }
    }
    match (signal, ended.status.code()) {
        (Some(signal), _) => Refusal {
            blame: Blame::Crash,
            message: format!("the witness generator crashed: signal {signal}"),
        },
        (None, Some(code)) => module_refusal(format!(
            "the witness generator gave up with exit code {code}"
        )),
        (None, None) => module_refusal("the witness generator gave up".into()),
    }
}

/// The fault of the inputs, by a line that circom's runtime writes.
fn of_inputs(line: &str, given: &Given) -> Option<Refusal> {
    let inputs = |message: String| Refusal {
        blame: Blame::Inputs,
        message,
    };
    if line == "Signal not found" || line == "Signals not found" {
        let names = beginning(&given.names.join(", "));
        return Some(inputs(format!(
            "the circuit does not have all of the inputs {names}"
        )));
    }
    if let Some((_, counts)) = line.split_once("Not all inputs have been set. Only ") {
        let (_, expected) = counts.split_once(" out of ")?;
        let expected = expected.trim().parse().ok()?;
        let given = given.total;
        return Some(Error::MissingInputs { given, expected }.into());
    }
    let (_, rest) = line.split_once("Error loading signal ")?;
    let (name, problem) = rest.rsplit_once(": ")?;
    let name = beginning(given.names.iter().find(|known| *known == name)?);
    let problem = match problem {
        "Not enough values" => "takes more values than were given",
        "Too many values" => "takes fewer values than were given",
        _ => return None,
    };
    Some(inputs(format!("input signal {name:?}: {problem}")))
}

/// The place that a line about a failed assertion names: in words, and its component.
fn assertion(line: &str) -> Option<(String, String)> {
    let (template, rest) = line.strip_prefix(FAILED)?.split_once(" line ")?;
    let (number, trace) = rest.split_once(". Followed trace of components: ")?;
    let is_name = |text: &str| {
        let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || b"_$.[]".contains(&byte);
        !text.is_empty() && text.len() <= LONGEST_NAME && text.bytes().all(is_plain)
    };
    let is_number = number.len() <= 9 && number.bytes().all(|byte| byte.is_ascii_digit());
    let component = trace.trim_end();
    (is_name(template) && is_number && is_name(component)).then(|| {
        let words = format!("template {template} line {number}, component {component}");
        (words, component.to_owned())
    })
}

/// Printable characters of a line, and not too many.
fn plain(line: &str) -> String {
    let printable = |character: &char| !character.is_control();
    line.chars().filter(printable).take(LONGEST_NAME).collect()
}

const FAILED: &str = "Failed assert in template/function ";

const LONGEST_NAME: usize = 1000;

#[cfg(test)]
mod tests {
    use super::*;
    use frumious_curves::bn254::Fr;

    #[test]
    fn names_of_inputs_are_cut() {
        let told = |names: &[String], line: &str| {
            let fields: Vec<String> = names.iter().map(|name| format!("{name:?}: 1")).collect();
            let json = format!("{{{}}}", fields.join(", "));
            let given = Given::read::<Fr>(json.as_bytes()).expect("they are inputs");
            of_inputs(line, &given).expect("it is known").message
        };
        let few = ["a", "b"].map(String::from);
        assert!(told(&few, "Signal not found").ends_with("the inputs a, b"));
        let many: Vec<String> = (0..10_000).map(|number| format!("x{number}")).collect();
        let message = told(&many, "Signals not found");
        assert!(
            message.ends_with('…') && message.len() < 300,
            "{}",
            message.len()
        );
        let long = "x".repeat(1000);
        let line = format!("Error loading signal {long}: Too many values");
        let message = told(&[long], &line);
        assert!(
            message.contains('…') && message.len() < 300,
            "{}",
            message.len()
        );
    }
}
