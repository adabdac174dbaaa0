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

use serde_json::{Map, Value};

use frumious_app::failure::Failure;
use frumious_app::observer::Observer;

/// The form of results: words, JSON, or nothing.
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

    /// True if progress may be shown.
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

/// For what has no phases.
impl Observer for Output {
    fn begin(&self, _phase: &'static str) {}

    fn within(&self, _phase: &'static str, _done: f64) {}

    fn note(&self, text: &str) {
        Output::note(self, text);
    }

    fn warning(&self, text: &str) {
        Output::warning(self, text);
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_from_files_cannot_steer_a_terminal() {
        let text = "a\u{1b}[2Jb\r\u{7}c\u{9b}d\u{202e}e\nf";
        let expected = "a\u{fffd}[2Jb\u{fffd}\u{fffd}c\u{fffd}d\u{fffd}e\nf";
        assert_eq!(harmless(text), expected);
    }
}
