//! Variables in place of options: set to nothing they are unset, as other programs and `${X:-}` of Docker Compose have
//! it. clap alone takes nothing for a value.

use std::env;
use std::ffi::{OsStr, OsString};

use clap::{Arg, Command, Error, Parser};

/// As [`Parser::try_parse_from`], without variables that are empty.
pub fn parse<P: Parser>(line: impl Iterator<Item = OsString>) -> Result<P, Error> {
    let is_empty = |(name, value): (OsString, OsString)| {
        value.is_empty() && name.as_encoded_bytes().starts_with(OURS)
    };
    if !env::vars_os().any(is_empty) {
        return P::try_parse_from(line);
    }
    let mut matches = without_empty(P::command()).try_get_matches_from(line)?;
    let parsed = P::from_arg_matches_mut(&mut matches);
    parsed.map_err(|error| error.format(&mut P::command()))
}

/// The command, whose options have no empty variable.
fn without_empty(command: Command) -> Command {
    let is_empty = |name: &OsStr| env::var_os(name).is_some_and(|value| value.is_empty());
    let without = |argument: Arg| match argument.get_env().is_some_and(is_empty) {
        true => argument.env(None::<&'static str>),
        false => argument,
    };
    command.mut_args(without).mut_subcommands(without_empty)
}

const OURS: &[u8] = b"FRUMIOUS_";
