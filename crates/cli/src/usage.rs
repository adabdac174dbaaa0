//! Arguments that are none of any command: in words, and as an object for programs.

use std::process::ExitCode;

use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{CommandFactory, Error};
use frumious_app::failure::{Code, Failure};

use crate::arguments::{Arguments, Global};
use crate::output::Output;

/// The end of a program whose arguments clap refuses, or answers itself.
pub fn end(error: &Error) -> ExitCode {
    let is_answer = matches!(
        error.kind(),
        ErrorKind::DisplayHelp | ErrorKind::DisplayVersion
    );
    // A reader that has gone away is no failure.
    if is_answer {
        let _ = error.print();
        return ExitCode::SUCCESS;
    }
    if error.kind() == ErrorKind::InvalidSubcommand
        && let Some(ContextValue::String(word)) = error.get(ContextKind::InvalidSubcommand)
        && let Some(ours) = of_snarkjs(word)
    {
        let message = format!("{word} is a word of snarkjs. {ours}");
        return finish(&Failure::new(Code::Usage, message), true);
    }
    let _ = error.print();
    finish(&Failure::new(Code::Usage, message(error)), false)
}

/// The end of a failure, which is told here unless clap has told it.
fn finish(failure: &Failure, is_untold: bool) -> ExitCode {
    let words: Vec<String> = std::env::args_os()
        .skip(1)
        .map(|word| word.to_string_lossy().into_owned())
        .take_while(|word| word != "--")
        .collect();
    let global = Global {
        json: words.iter().any(|word| word == "--json"),
        ..Global::default()
    };
    let output = Output::new(&command_of(&words), &global);
    match is_untold {
        true => output.failure(failure),
        false => output.failure_object(failure),
    }
    ExitCode::from(failure.exit_code())
}

/// Our command for the first word of one of snarkjs.
fn of_snarkjs(word: &str) -> Option<&'static str> {
    Some(match word {
        "groth16" => {
            "Leave it out: frumious setup, prove, fullprove, verify. Or: frumious snarkjs groth16 …"
        }
        "wtns" => {
            "Next: frumious witness for wtns calculate, frumious check for wtns check. Or: frumious \
             snarkjs wtns …"
        }
        "r1cs" => "Next: frumious inspect for r1cs info. Or: frumious snarkjs r1cs …",
        "plonk" | "fflonk" => "Frumious proves Groth16 only.",
        _ => return None,
    })
}

/// The fault in clap's words, without the usage.
fn message(error: &Error) -> String {
    if error.kind() == ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand {
        return "a command or an argument is missing".into();
    }
    let text = error.render().to_string();
    let fault = text.split("Usage:").next().unwrap_or_default();
    let fault = fault
        .split("For more information")
        .next()
        .unwrap_or_default();
    let fault = fault.strip_prefix("error: ").unwrap_or(fault);
    let words: Vec<&str> = fault.split_whitespace().collect();
    words.join(" ")
}

/// The command that the words name, as far as there is one.
fn command_of(words: &[String]) -> String {
    let root = Arguments::command();
    let mut command = &root;
    let mut names: Vec<&str> = Vec::new();
    for word in words {
        if let Some(found) = command.find_subcommand(word) {
            names.push(found.get_name());
            command = found;
        }
    }
    names.join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_command_is_named_as_far_as_it_is_known() {
        for (line, expected) in [
            ("", ""),
            ("--json nonsense", ""),
            ("--json prove --nonsense", "prove"),
            ("export --json", "export"),
            ("export vkey a b c", "export vkey"),
        ] {
            let words: Vec<String> = line.split_whitespace().map(str::to_owned).collect();
            assert_eq!(command_of(&words), expected, "{line}");
        }
    }
}
