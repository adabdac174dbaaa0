//! The file of a machine's settings: `frumious.tune.toml`.
//!
//! Everything in it is checked: names, and values against the ranges of their settings. A hostile file can make proofs
//! slower, or use more memory within these ranges, and nothing else.

use super::{Parameter, THREADS, Values, settings};
use crate::failure::Failure;
use frumious_mapping::open_regular_file;
use std::io::Read;
use std::path::Path;
use toml::{Table, Value};

/// The name under which `prove` looks for the file in its folder, and `serve` beside its configuration.
pub const USUAL_FILE: &str = "frumious.tune.toml";

/// The machine that values were measured on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Machine {
    /// The name of the CPU.
    pub cpu: String,
    /// The backend in use.
    pub backend: String,
    /// CPUs that the process may run on.
    pub cpus: usize,
}

/// A file that was read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Loaded {
    /// Values for this machine.
    Values(Values),
    /// Values that another machine is fastest with.
    OfAnotherMachine(Machine),
}

/// Reads a file of settings, and tells whether it was made on `machine`.
///
/// # Errors
/// A [`Failure`] with path, section and name, if it cannot be read or is no TOML. So too for an unknown name, and for a
/// value that is not possible.
pub fn read(path: &Path, machine: &Machine) -> Result<Loaded, Failure> {
    let refuse = |error: &dyn std::fmt::Display| Failure::bad_input(error.to_string()).about(path);
    let (file, _) = open_regular_file(path).map_err(frumious_circom::Error::from)?;
    let mut text = String::new();
    let length = file.take(MOST_BYTES + 1).read_to_string(&mut text);
    if length.map_err(|error| refuse(&error))? as u64 > MOST_BYTES {
        return Err(refuse(&format!("longer than {MOST_BYTES} bytes")));
    }
    parse(&text, machine).map_err(|error| refuse(&error))
}

/// As [`read`], of a text.
pub fn parse(text: &str, machine: &Machine) -> Result<Loaded, String> {
    let table: Table = text
        .parse()
        .map_err(|error: toml::de::Error| error.to_string())?;
    let mut values = Values::usual();
    let mut made_on = None;
    for (section, entries) in &table {
        let entries = entries
            .as_table()
            .ok_or(format!("{section} is no section"))?;
        if section == MACHINE {
            made_on = Some(of_table(entries)?);
            continue;
        }
        for (name, value) in entries {
            let name = format!("{section}.{name}");
            let value = value
                .as_integer()
                .and_then(|value| usize::try_from(value).ok());
            let value = value.ok_or(format!("{name}: a number is wanted"))?;
            let parameter =
                parameter(&name, machine.cpus).ok_or(format!("{name}: no such setting"))?;
            match parameter {
                Parameter::Setting(setting) if !setting.range().contains(&value) => {
                    let (least, most) = (
                        setting.range().start().to_owned(),
                        setting.range().end().to_owned(),
                    );
                    return Err(format!(
                        "{name} = {value}: from {least} to {most} is possible"
                    ));
                }
                Parameter::Threads(_) if !(1..=MOST_THREADS).contains(&value) => {
                    return Err(format!(
                        "{name} = {value}: from 1 to {MOST_THREADS} is possible"
                    ));
                }
                _ => values = values.with(&parameter, value),
            }
        }
    }
    let made_on = made_on.ok_or(format!("there is no section [{MACHINE}]"))?;
    Ok(match made_on == *machine {
        true => Loaded::Values(values),
        false => Loaded::OfAnotherMachine(made_on),
    })
}

/// The file's text. `heading`: lines for people, which become comments.
pub fn to_toml(values: &Values, machine: &Machine, heading: &str) -> String {
    let mut table = Table::new();
    let mut about = Table::new();
    about.insert("cpu".into(), machine.cpu.clone().into());
    about.insert("backend".into(), machine.backend.clone().into());
    about.insert("cpus".into(), Value::Integer(machine.cpus as i64));
    table.insert(MACHINE.into(), about.into());
    for (name, value) in values.iter() {
        let (section, name) = name.split_once('.').unwrap_or(("", name));
        let entry = table.entry(section).or_insert_with(|| Table::new().into());
        if let Some(section) = entry.as_table_mut() {
            section.insert(name.into(), Value::Integer(value as i64));
        }
    }
    let comments = heading.lines().map(|line| format!("# {line}\n"));
    comments.collect::<String>() + &table.to_string()
}

fn of_table(table: &Table) -> Result<Machine, String> {
    let word = |name: &str| {
        let value = table.get(name).and_then(Value::as_str);
        value
            .map(str::to_owned)
            .ok_or(format!("{MACHINE}.{name}: a string is wanted"))
    };
    let cpus = table.get("cpus").and_then(Value::as_integer);
    let cpus = cpus.and_then(|cpus| usize::try_from(cpus).ok());
    if let Some(other) = table
        .keys()
        .find(|name| !["cpu", "backend", "cpus"].contains(&name.as_str()))
    {
        return Err(format!("{MACHINE}.{other}: no such name"));
    }
    Ok(Machine {
        cpu: word("cpu")?,
        backend: word("backend")?,
        cpus: cpus.ok_or(format!("{MACHINE}.cpus: a number is wanted"))?,
    })
}

fn parameter(name: &str, cpus: usize) -> Option<Parameter> {
    if name == THREADS {
        return Some(Parameter::Threads(cpus));
    }
    settings()
        .find(|setting| setting.name() == name)
        .map(Parameter::Setting)
}

const MACHINE: &str = "machine";

/// The longest file that is read.
const MOST_BYTES: u64 = 1 << 16;

/// Threads that a file may ask for.
const MOST_THREADS: usize = 1024;
