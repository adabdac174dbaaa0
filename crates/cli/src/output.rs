//! The only door to stdout, and to stderr but for progress.
//!
//! Without `--json`, a summary for people on stdout; with it, one object:
//!
//! | field | value |
//! |---|---|
//! | `command` | `"prove"`, `"export vkey"`, … |
//! | `status` | `"ok"`, `"rejected"` (exit code 1), `"bad input"` (2) or `"try again"` (3) |
//! | `code`, `exit_code`, `error` | only if the status is not `"ok"` |
//! | others | by command: `docs/json.md` |

use std::io::Write;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

use serde_json::{Map, Value};

use crate::arguments::{Arguments, Global};
use frumious_app::failure::{Code, Failure};
use frumious_app::observer::Observer;
use frumious_app::places::Places;

/// The form of results: words, JSON, or nothing.
pub struct Output {
    command: String,
    json: bool,
    quiet: bool,
    force: bool,
    verbose: bool,
    /// True once an output of the command goes to stdout.
    is_stdout_taken: AtomicBool,
}

impl Output {
    pub fn new(command: &str, global: &Global) -> Self {
        Self {
            command: command.to_owned(),
            json: global.json,
            quiet: global.quiet,
            force: global.force,
            verbose: global.verbose,
            is_stdout_taken: AtomicBool::new(false),
        }
    }

    /// As the arguments ask for it.
    pub fn of(arguments: &Arguments) -> Self {
        let output = Self::new(arguments.command.name(), &arguments.global);
        let json = output.json || arguments.command.passes_on_json();
        Self { json, ..output }
    }

    /// True if phases are to be told one by one.
    pub fn is_verbose(&self) -> bool {
        self.verbose
    }

    /// The check of a command's files.
    pub fn places<'a>(&self) -> Places<'a> {
        Places::new(self.force)
    }

    /// Checks a command's files. From now on stdout is for the one of them that is `-`, if there is one.
    pub fn check(&self, places: &Places<'_>) -> Result<(), Failure> {
        places.check()?;
        match places.dashes() {
            0 => Ok(()),
            1 if !self.json => {
                self.is_stdout_taken.store(true, Relaxed);
                Ok(())
            }
            1 => Err(Failure::new(
                Code::Usage,
                "--json prints to stdout, where an output would go, too: give it a name",
            )),
            _ => Err(Failure::new(
                Code::Usage,
                "more than one output would go to stdout: give names to all but one",
            )),
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
            (false, false) if self.is_stdout_taken.load(Relaxed) => {
                complain(summary);
                Ok(())
            }
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
            Err(error) if error.kind() != std::io::ErrorKind::BrokenPipe => {
                Err(Failure::of_system("cannot write to stdout", &error))
            }
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
        self.failure_object(failure);
    }

    /// With `--json` an object on stdout.
    pub fn failure_object(&self, failure: &Failure) {
        if self.json {
            let message = failure.message();
            let mut fields = serde_json::json!({
                "code": failure.code().name(),
                "exit_code": failure.exit_code(),
                "error": message,
            });
            if failure.code() == Code::InvalidProof {
                fields["valid"] = false.into();
            }
            if !failure.lines().is_empty() {
                fields["lines"] = failure.lines().into();
            }
            // Nobody is left to tell if stdout is closed as well.
            let _ = self.verbatim(&self.object(failure.status(), fields));
        }
    }

    fn object(&self, status: &str, fields: Value) -> String {
        let mut object = Map::new();
        object.insert("command".into(), self.command.clone().into());
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

/// Lines on stdout; not `println!`, which panics when stdout is closed.
pub fn answer(text: &str) {
    let _ = writeln!(std::io::stdout(), "{}", harmless(text));
}

/// Lines on stderr; not `eprintln!`, which panics when stderr is closed.
pub fn complain(text: &str) {
    let _ = writeln!(std::io::stderr(), "{}", harmless(text));
}

/// `text` without characters that could steer a terminal or turn the direction of its lines: names and messages come
/// out of files.
pub fn harmless(text: &str) -> String {
    let steers = |character: char| match character {
        '\n' | '\t' => false,
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
