//! snarkjs's command line: `frumious snarkjs groth16 prove …`, or this program by a link named `snarkjs`.
//!
//! Commands, shortcuts, options and default names of files are those of snarkjs 0.7.6. So are exit codes: 0, 1 for
//! whatever goes wrong, 99 for a command line that is none. `docs/snarkjs.md` has the table, and what differs.
//!
//! Source: the output of `snarkjs --help`, and of each command with `--help`.

mod commands;

use std::ffi::{OsStr, OsString};
use std::path::Path;
use std::process::ExitCode;

use clap::CommandFactory;

use crate::arguments::{Arguments, environment};
use crate::{interrupt, output};
use commands::{COMMANDS, File, Known, Ours};

/// The words behind snarkjs's name, if the program was started by it.
pub fn words(mut given: impl Iterator<Item = OsString>) -> Option<Vec<OsString>> {
    let program = given.next()?;
    let by_name = Path::new(&program).file_name()? == NAME;
    let mut given = given.peekable();
    let is_called = by_name || given.next_if(|word| word == NAME).is_some();
    is_called.then(|| given.collect())
}

/// Does what snarkjs does for these words; `execute` runs a command of ours, and returns its exit code.
pub fn run(words: Vec<OsString>, execute: impl Fn(&Arguments) -> u8) -> ExitCode {
    let (arguments, known) = match translated(words) {
        Ok(Translated::Help(text)) => {
            output::answer(&text);
            return ExitCode::SUCCESS;
        }
        Ok(Translated::Version) => {
            output::answer(&list());
            return ExitCode::from(NO_COMMAND);
        }
        Ok(Translated::Command {
            arguments,
            known,
            ignored,
        }) => {
            for option in ignored {
                output::complain(&format!("{option}: no option of this command, ignored"));
            }
            (arguments, known)
        }
        Err((code, message)) => {
            output::complain(&message);
            return ExitCode::from(code);
        }
    };
    interrupt::fail_with(FAILED);
    let code = execute(&arguments);
    if let (Some((good, bad)), false) = (known.verdict(), arguments.global.json) {
        match (code, bad) {
            (0, _) => output::answer(good),
            // Files that cannot be read say nothing of what would be in them.
            (JUDGED, Some(bad)) => output::answer(bad),
            _ => {}
        }
    }
    ExitCode::from(if code == 0 { 0 } else { FAILED })
}

enum Translated {
    Help(String),
    /// The version, which snarkjs prints before its list of commands, with an exit code as for no command.
    Version,
    Command {
        arguments: Box<Arguments>,
        known: &'static Known,
        /// Options that are none of the command.
        ignored: Vec<String>,
    },
}

/// The command of ours, or an exit code with what to say.
fn translated(words: Vec<OsString>) -> Result<Translated, (u8, String)> {
    let Words {
        plain,
        options,
        mut ignored,
    } = Words::of(words);
    let is_help = options.iter().any(|option| option == HELP);
    let Some((known, files)) = find(&plain) else {
        return match (is_help, &*ignored) {
            (true, _) => Ok(Translated::Help(list())),
            (false, [only]) if plain.is_empty() && only.trim_start_matches('-') == VERSION => {
                Ok(Translated::Version)
            }
            (false, _) => Err((NO_COMMAND, list())),
        };
    };
    if is_help {
        return Ok(Translated::Help(usage(known)));
    }
    let ours = match known.ours {
        Ours::Words(ours) => ours,
        Ours::Missing(reason) => return Err((FAILED, format!("{}: {reason}", known.words))),
    };
    let files = known
        .with_defaults(files)
        .ok_or_else(|| (NO_COMMAND, usage(known)))?;
    let (files, present) = known.divided(files);
    if let Some(absent) = present.iter().find(|name| !Path::new(name).exists()) {
        let absent = Path::new(absent).display();
        return Err((FAILED, format!("{absent} is not there")));
    }
    let (options, others): (Vec<_>, Vec<_>) = options
        .into_iter()
        .partition(|option| name_of_some(option).is_none_or(|name| takes(ours, name)));
    // Without their values: one may be the entropy of a contribution.
    ignored.extend(
        others
            .iter()
            .filter_map(|other| name_of_some(other))
            .map(|name| format!("--{name}")),
    );
    let line = ["frumious"].into_iter().chain(ours.split(' '));
    let line = line.map(OsString::from).chain(files).chain(options);
    match environment::parse::<Arguments>(line) {
        Ok(arguments) => Ok(Translated::Command {
            arguments: Box::new(arguments),
            known,
            ignored,
        }),
        Err(error) => Err((NO_COMMAND, error.to_string())),
    }
}

/// The name of an option that some commands take and others do not.
fn name_of_some(option: &OsStr) -> Option<&'static str> {
    let text = option.to_str()?.strip_prefix("--")?;
    let name = text.split('=').next()?;
    OF_SOME.iter().copied().find(|some| *some == name)
}

/// True if the command of ours takes the option.
fn takes(ours: &str, option: &str) -> bool {
    let mut command = &Arguments::command();
    for word in ours.split(' ').filter(|word| !word.starts_with('-')) {
        let Some(found) = command.find_subcommand(word) else {
            return false;
        };
        command = found;
    }
    let mut options = command.get_arguments();
    options.any(|argument| argument.get_long() == Some(option))
}

/// The command that the words begin with, in letters of any case, and the words behind it. Of several the one with the
/// most words.
fn find(words: &[OsString]) -> Option<(&'static Known, &[OsString])> {
    let names = COMMANDS
        .iter()
        .flat_map(|known| known.names().map(move |name| (known, name)));
    let found = names.filter_map(|(known, name)| {
        let count = name.split(' ').count();
        let start = words.get(..count)?;
        let mut pairs = name.split(' ').zip(start);
        let is_it = pairs.all(|(name, word)| word.eq_ignore_ascii_case(name));
        is_it.then_some((known, count))
    });
    let (known, count) = found.max_by_key(|(_, count)| *count)?;
    Some((known, &words[count..]))
}

/// Words that are none of an option, and options as ours have them.
struct Words {
    plain: Vec<OsString>,
    options: Vec<OsString>,
    /// Options that are neither snarkjs's nor ours; snarkjs ignores such.
    ignored: Vec<String>,
}

impl Words {
    /// An option's value is behind `=`; that of `--threads`, which is ours, may be the next word.
    fn of(words: Vec<OsString>) -> Self {
        let (mut plain, mut options, mut ignored) = (Vec::new(), Vec::new(), Vec::new());
        let mut words = words.into_iter();
        while let Some(word) = words.next() {
            let text = word.to_string_lossy();
            let Some(option) = text.strip_prefix('-').filter(|rest| !rest.is_empty()) else {
                plain.push(word);
                continue;
            };
            let option = option.trim_start_matches('-');
            let (name, value) = match option.split_once('=') {
                Some((name, value)) => (name, Some(value)),
                None => (option, None),
            };
            let ours = match name {
                "verbose" | "v" => "--verbose",
                "name" | "n" => "--name",
                "entropy" | "e" => "--entropy",
                "protocol" => continue, // Groth16 anyway
                // Of `wtns debug`: snarkjs 0.7.6 logs nothing of the modules that circom 2 writes.
                "get" | "g" | "set" | "s" | "trigger" | "t" => continue,
                // Of `powersoftau import response`: points are imported and checked anyway.
                "nopoints" | "nocheck" => continue,
                "help" | "h" => HELP,
                "force" => "--force",
                "allow-uncontributed" => "--allow-uncontributed",
                "threads" => "--threads",
                "json" => "--json",
                _ => {
                    ignored.push(text.into_owned());
                    continue;
                }
            };
            options.push(match value {
                Some(value) => format!("{ours}={value}").into(),
                None => ours.into(),
            });
            if name == "threads" && value.is_none() {
                options.extend(words.next());
            }
        }
        Self {
            plain,
            options,
            ignored,
        }
    }
}

fn usage(known: &Known) -> String {
    let files = known.files.iter().map(File::shown);
    let files: String = files.map(|file| format!(" {file}")).collect();
    format!("Usage: snarkjs {}{files}", known.words)
}

fn list() -> String {
    let lines = COMMANDS.iter().map(|known| {
        let Known { words, short, .. } = known;
        format!("\n  {:30} {}", words, short.join(", "))
    });
    let lines: String = lines.collect();
    format!(
        "snarkjs@0.7.6\nfrumious takes its commands and their shortcuts; with --help, the files of one:{lines}\n\
         Options: -v, -n=NAME, -e=TEXT, and of Frumious: --force, --allow-uncontributed, --threads=N, --json"
    )
}

/// Options of some commands; the others are of all.
const OF_SOME: &[&str] = &["name", "entropy", "allow-uncontributed"];

const NAME: &str = "snarkjs";
const HELP: &str = "--help";

const VERSION: &str = "version";

/// The exit code of ours for what was read and is false: the contract of `docs/json.md`.
const JUDGED: u8 = 1;

/// The exit code of a failure.
const FAILED: u8 = 1;

/// The exit code of words that are no command.
const NO_COMMAND: u8 = 99;

#[cfg(test)]
mod tests;
