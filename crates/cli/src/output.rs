//! The only door to stdout, and to stderr but for progress.
//!
//! Without `--json`, a summary for people on stdout; with it, one object:
//!
//! | field | value |
//! |---|---|
//! | `command` | `"prove"`, `"export vkey"`, … |
//! | `status` | `"ok"`, `"rejected"` (exit code 1) or `"bad input"` (exit code 2) |
//! | `error` | only if the status is not `"ok"`: the line that is on stderr too |
//! | others | by command |

use std::io::Write;
use std::time::Duration;

use serde_json::{Map, Value};

use crate::failure::Failure;

/// How the user wants to be told.
pub struct Output {
    command: &'static str,
    json: bool,
    quiet: bool,
}

impl Output {
    pub fn new(command: &'static str, json: bool, quiet: bool) -> Self {
        Self {
            command,
            json,
            quiet,
        }
    }

    /// Whether progress may be shown.
    pub fn wants_progress(&self) -> bool {
        !self.quiet
    }

    /// The end of a command that worked: `summary` for people, `fields` (an object) for programs.
    pub fn result(&self, summary: &str, fields: Value) -> Result<(), Failure> {
        match (self.json, self.quiet) {
            (true, _) => self.verbatim(&self.object("ok", fields)),
            (false, true) => Ok(()),
            (false, false) => self.verbatim(&format!("{}\n", harmless(summary))),
        }
    }

    /// As [`Output::result`], for what people asked to have printed: `--quiet` does not silence it.
    pub fn answer(&self, text: &str, fields: Value) -> Result<(), Failure> {
        match self.json {
            true => self.verbatim(&self.object("ok", fields)),
            false => self.verbatim(&format!("{}\n", harmless(text))),
        }
    }

    /// Text to stdout as it is. A reader that has gone away is no failure.
    pub fn verbatim(&self, text: &str) -> Result<(), Failure> {
        let mut stdout = std::io::stdout().lock();
        match stdout
            .write_all(text.as_bytes())
            .and_then(|()| stdout.flush())
        {
            Err(error) if error.kind() != std::io::ErrorKind::BrokenPipe => Err(Failure::BadInput(
                format!("cannot write to stdout: {error}"),
            )),
            _ => Ok(()),
        }
    }

    /// A warning on stderr, also with `--quiet`.
    pub fn warning(&self, text: &str) {
        complain(text);
    }

    /// A line on stderr, unless `--quiet`.
    pub fn note(&self, text: &str) {
        if !self.quiet {
            complain(text);
        }
    }

    /// One line on stderr; with `--json` an object on stdout too.
    pub fn failure(&self, failure: &Failure) {
        let message = failure.message();
        complain(&format!("error: {message}"));
        if self.json {
            let fields = serde_json::json!({ "error": message });
            // Nobody is left to tell if stdout is closed as well.
            let _ = self.verbatim(&self.object(failure.status(), fields));
        }
    }

    fn object(&self, status: &str, fields: Value) -> String {
        let mut object = Map::new();
        object.insert("command".into(), self.command.into());
        object.insert("status".into(), status.into());
        if let Value::Object(fields) = fields {
            object.extend(fields);
        }
        format!("{}\n", Value::Object(object))
    }
}

/// Lines on stderr; not `eprintln!`, which panics when stderr is closed.
fn complain(text: &str) {
    let _ = writeln!(std::io::stderr(), "{}", harmless(text));
}

/// `text` without characters that could steer a terminal or turn the direction of its lines: names and messages come
/// out of files.
pub fn harmless(text: &str) -> String {
    let steers = |character: char| match character {
        '\n' => false,
        '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' => true,
        other => other.is_control(),
    };
    text.replace(steers, "\u{fffd}")
}

/// A duration for people: three digits.
pub fn duration(duration: Duration) -> String {
    let milliseconds = duration.as_secs_f64() * 1e3;
    match milliseconds {
        ..0.9995 => format!("{:.0} µs", milliseconds * 1e3),
        ..9.995 => format!("{milliseconds:.2} ms"),
        ..99.95 => format!("{milliseconds:.1} ms"),
        ..999.5 => format!("{milliseconds:.0} ms"),
        ..99_950.0 => format!("{:.2} s", milliseconds / 1e3),
        _ => format!("{:.0} s", milliseconds / 1e3),
    }
}

/// A number of bytes for people: three digits.
pub fn bytes(bytes: u64) -> String {
    let mut value = bytes as f64;
    for unit in ["bytes", "kB", "MB", "GB"] {
        if value < 999.5 {
            let digits = if value < 9.995 && unit != "bytes" {
                2
            } else {
                0
            };
            return format!("{value:.digits$} {unit}");
        }
        value /= 1e3;
    }
    format!("{value:.2} TB")
}

/// A count for people: `65,336`.
pub fn count(value: u64) -> String {
    let digits = value.to_string();
    let mut grouped = String::new();
    for (i, digit) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            grouped.push(',');
        }
        grouped.push(digit);
    }
    grouped
}

/// Seconds for programs.
pub fn seconds(duration: Duration) -> Value {
    // To the microsecond: more would be noise.
    let micros = duration.as_secs_f64() * 1e6;
    Value::from(micros.round() / 1e6)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn durations_have_three_digits() {
        let texts = [
            (0, "0 µs"),
            (999_400, "999 µs"),
            (1_000_000, "1.00 ms"),
            (12_340_000, "12.3 ms"),
            (999_400_000, "999 ms"),
            (1_234_000_000, "1.23 s"),
            (99_940_000_000, "99.94 s"),
            (120_000_000_000, "120 s"),
        ];
        for (nanoseconds, text) in texts {
            assert_eq!(duration(Duration::from_nanos(nanoseconds)), text);
        }
    }

    #[test]
    fn text_from_files_cannot_steer_a_terminal() {
        let text = "a\u{1b}[2Jb\r\u{7}c\u{9b}d\u{202e}e\nf";
        let expected = "a\u{fffd}[2Jb\u{fffd}\u{fffd}c\u{fffd}d\u{fffd}e\nf";
        assert_eq!(harmless(text), expected);
    }

    #[test]
    fn bytes_have_a_unit() {
        for (value, text) in [
            (0, "0 bytes"),
            (999, "999 bytes"),
            (1000, "1.00 kB"),
            (123_456_789, "123 MB"),
            (1_610_000_000, "1.61 GB"),
            (5_000_000_000_000, "5.00 TB"),
        ] {
            assert_eq!(bytes(value), text);
        }
    }

    #[test]
    fn counts_are_grouped_by_three() {
        for (value, text) in [
            (0, "0"),
            (999, "999"),
            (1000, "1,000"),
            (65_336, "65,336"),
            (1_234_567, "1,234,567"),
        ] {
            assert_eq!(count(value), text);
        }
    }
}
