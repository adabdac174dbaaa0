//! The commands of every day, parsed by themselves.
//!
//! To make the options of all commands takes time that counts beside a small witness. A line that this parser refuses
//! goes to the whole one, which tells the fault.

use std::ffi::OsString;

use clap::{Parser, Subcommand};

use super::prove::{Fullprove, Prove, Verify};
use super::witness::Witness;
use super::{Arguments, Command, Global, environment};

#[derive(Parser)]
struct Frequent {
    #[command(flatten)]
    global: Global,
    #[command(subcommand)]
    command: FrequentCommand,
}

/// As in [`Command`].
#[derive(Subcommand)]
enum FrequentCommand {
    Prove(Prove),
    Fullprove(Fullprove),
    Verify(Verify),
    Witness(Witness),
}

/// The arguments, if the line is one of these commands and has no fault.
pub fn parse(line: impl Iterator<Item = OsString>) -> Option<Arguments> {
    let Frequent { global, command } = environment::parse::<Frequent>(line).ok()?;
    let command = match command {
        FrequentCommand::Prove(arguments) => Command::Prove(arguments),
        FrequentCommand::Fullprove(arguments) => Command::Fullprove(arguments),
        FrequentCommand::Verify(arguments) => Command::Verify(arguments),
        FrequentCommand::Witness(arguments) => Command::Witness(arguments),
    };
    Some(Arguments { global, command })
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    use super::*;

    /// Each command has the same arguments in both parsers: names, values, what is required and what excludes what.
    #[test]
    fn arguments_are_those_of_the_whole_parser() {
        let (mut frequent, mut whole) = (Frequent::command(), Arguments::command());
        frequent.build();
        whole.build();
        let told = |command: &clap::Command| {
            let arguments = command.get_arguments();
            let told = arguments.map(|argument| format!("{argument:?}"));
            let mut told: Vec<String> = told.collect();
            told.sort();
            told
        };
        let names = ["prove", "fullprove", "verify", "witness"];
        for name in names {
            let find = |parser: &clap::Command| parser.find_subcommand(name).map(told);
            assert_eq!(find(&frequent), find(&whole), "{name}");
            assert!(find(&frequent).is_some_and(|told| told.len() > 8), "{name}");
        }
    }

    #[test]
    fn other_lines_are_for_the_whole_parser() {
        for (line, is_frequent) in [
            ("frumious witness a b c", true),
            ("frumious --json witness --threads 1 a b c", true),
            ("frumious prove a b", true),
            ("frumious prove a b --threads x", false),
            ("frumious prove --help", false),
            ("frumious help prove", false),
            ("frumious --version", false),
            ("frumious setup a b", false),
            ("frumious", false),
        ] {
            let parsed = parse(line.split(' ').map(OsString::from));
            assert_eq!(parsed.is_some(), is_frequent, "{line}");
        }
    }
}
