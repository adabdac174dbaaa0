//! The file of settings that commands read: `--tuning FILE`, or `frumious.tune.toml` in the folder they run in.

use std::path::{Path, PathBuf};

use frumious_app::failure::Failure;
use frumious_app::tuning::{Loaded, Machine, USUAL_FILE, Values, read};
use frumious_limbs::backend;

use crate::arguments::bench::Bench;
use crate::arguments::{Command, Global};
use crate::doctor;
use crate::output::Output;

/// This machine, as files of settings name it.
pub fn machine() -> Machine {
    Machine {
        cpu: doctor::Machine::look().model.unwrap_or_default(),
        backend: backend::active().name().to_owned(),
        cpus: std::thread::available_parallelism().map_or(1, usize::from),
    }
}

/// Makes the settings for a command those of the process. The number of threads that they ask for.
pub fn apply(
    command: &Command,
    global: &Global,
    output: &Output,
) -> Result<Option<usize>, Failure> {
    let proves = matches!(
        command,
        Command::Prove(_)
            | Command::Fullprove(_)
            | Command::Bench(Bench::Cost(_) | Bench::Prove(_) | Bench::Trace(_))
    );
    match proves.then(|| file(global.tuning.as_deref(), Path::new(""))) {
        Some(Some(path)) => apply_file(&path, output),
        _ => Ok(None),
    }
}

/// The file to read: the one that was named, or the usual one if it is in `folder`.
pub fn file(named: Option<&Path>, folder: &Path) -> Option<PathBuf> {
    match named {
        Some(named) if named == Path::new(NONE) => None,
        Some(named) => Some(named.to_owned()),
        None => {
            let usual = folder.join(USUAL_FILE);
            usual.exists().then_some(usual)
        }
    }
}

/// Makes the settings of a file those of the process, unless another machine is meant: that is a warning. The number of
/// threads that they ask for.
pub fn apply_file(path: &Path, output: &Output) -> Result<Option<usize>, Failure> {
    let values = match read(path, &machine())? {
        Loaded::Values(values) => values,
        Loaded::OfAnotherMachine(other) => {
            output.warning(&format!(
                "warning: {} is of another machine ({}, {}, {} CPUs) and not used: make one here by frumious tune",
                path.display(),
                other.cpu,
                other.backend,
                other.cpus
            ));
            Values::usual()
        }
    };
    values.apply();
    if output.is_verbose() {
        output.note(&format!("{}: {}", path.display(), values.describe()));
    }
    Ok(values.threads())
}

/// The word for no file.
const NONE: &str = "none";
