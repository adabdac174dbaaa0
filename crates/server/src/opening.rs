//! Everything that a start opens before it serves: files, keys, generators, the certificate, the seal.

use std::path::{Path, PathBuf};

use frumious_app::cache::TapeCache;
use frumious_app::failure::{About, Failure};
use frumious_app::limits;
use frumious_app::memory::total;

use crate::circuits::Circuits;
use crate::config::{Address, Config, ExecutorKind, SealKey, addresses};
use crate::executor::FleetExecutor;
use crate::journal::{Journal, refuse_unmakable};
use crate::seal::Seal;
use crate::tls::Certificates;
use crate::unix::check_unix;

/// Opens what a start would, and closes it again. It makes no folder and binds no address: a server may run there.
///
/// # Errors
/// The [`Failure`] that a start would end with.
pub fn check(config: &Config) -> Result<(), Failure> {
    check_open_files(config)?;
    if let Some(files) = &config.tls {
        Certificates::open(files)?.acceptor()?;
    }
    seal(config.seal.as_ref())?;
    // A link that leads nowhere is no folder, and none can be made there.
    if std::fs::symlink_metadata(&config.data).is_ok() {
        refuse_if_others_enter(&config.data)?;
        Journal::check(&config.data)?;
        check_tapes(&config.data)?;
    } else {
        refuse_unmakable(&config.data)?;
    }
    for address in addresses(config) {
        if let Address::Unix(path) = address {
            let checked = check_unix(path);
            checked.map_err(|error| cannot_listen(address, &error))?;
        }
    }
    let (threads, memory) = room(config);
    let circuits = Circuits::load(config, threads, memory, None)?;
    if let (ExecutorKind::Ray, Some(fleet)) = (config.executor, &config.fleet) {
        FleetExecutor::check(fleet, config, &circuits)?;
    }
    Ok(())
}

/// The folder of tapes in that of the data. A start makes it.
pub fn tapes(data: &Path) -> PathBuf {
    data.join("tapes")
}

/// Refuses as a start does what is no folder; in a folder an open might make files.
fn check_tapes(data: &Path) -> Result<(), Failure> {
    let tapes = tapes(data);
    match std::fs::metadata(&tapes) {
        Ok(found) if !found.is_dir() => TapeCache::open(Some(&tapes)).map(drop),
        _ => Ok(()),
    }
}

/// The failure to bind an address.
pub fn cannot_listen(address: &Address, error: &std::io::Error) -> Failure {
    Failure::of_system(&format!("cannot listen at {address}"), error)
}

/// Threads and memory of all proofs.
pub fn room(config: &Config) -> (usize, u64) {
    let threads = config.limits.threads;
    let threads = threads.unwrap_or_else(frumious_parallel::current_num_threads);
    let memory = config.limits.memory.map(|bytes| bytes.0);
    (threads.max(1), memory.unwrap_or_else(memory_to_prove))
}

/// Makes sure that connections leave files for jobs: their journal, modules and processes.
///
/// # Errors
/// A [`Failure`] of exit code 2 if they might not.
pub fn check_open_files(config: &Config) -> Result<(), Failure> {
    let fronts = &config.fronts;
    let listeners = [
        true,
        config.metrics.is_some(),
        fronts.rapidsnark.is_some(),
        fronts.zklogin.is_some(),
        fronts.prover_server.is_some(),
    ];
    let listeners = listeners.into_iter().filter(|is_there| *is_there).count();
    let needed = (listeners * config.limits.connections) as u64 + FILES_OF_JOBS;
    match limits::raise_open_files() {
        Some(most) if most < needed => Err(Failure::bad_input(format!(
            "limits.connections: {needed} files may be open, of which the system allows {most} (ulimit -n)"
        ))),
        _ => Ok(()),
    }
}

/// The memory that the container leaves, or half of the machine's.
fn memory_to_prove() -> u64 {
    let group = limits::Limits::now().memory.map(limits::GroupMemory::room);
    group
        .or_else(|| total().map(|bytes| bytes / 2))
        .unwrap_or(u64::MAX)
}

/// The seal of the configuration's key.
///
/// # Errors
/// As [`Seal::from_file`] and [`Seal::from_text`].
pub fn seal(key: Option<&SealKey>) -> Result<Option<Seal>, Failure> {
    match key {
        None => Ok(None),
        Some(SealKey {
            file: Some(path), ..
        }) => Seal::from_file(path).map(Some),
        Some(SealKey { env, .. }) => {
            let name = env.as_deref().unwrap_or_default();
            let text = zeroize::Zeroizing::new(std::env::var(name).unwrap_or_default());
            let seal = Seal::from_text(text.as_bytes());
            seal.map(Some).map_err(|failure| {
                failure.hinting(&format!("It is taken from the variable {name}."))
            })
        }
    }
}

/// Makes the folder of the server's data, for its user alone.
///
/// # Errors
/// A [`Failure`] if it cannot be made, or if others may enter it.
pub fn make_private(folder: &Path) -> Result<(), Failure> {
    use std::os::unix::fs::DirBuilderExt;
    let failed = |error| Failure::of_system("cannot be made", &error).about(folder);
    if !folder.is_dir() {
        let mut builder = std::fs::DirBuilder::new();
        builder
            .mode(0o700)
            .recursive(true)
            .create(folder)
            .map_err(failed)?;
    }
    refuse_if_others_enter(folder)
}

fn refuse_if_others_enter(folder: &Path) -> Result<(), Failure> {
    use std::os::unix::fs::PermissionsExt;
    let found = std::fs::metadata(folder)
        .map_err(|error| Failure::of_system("cannot be looked at", &error))
        .about(folder)?;
    if !found.is_dir() {
        return Err(Failure::bad_input("not a folder").about(folder));
    }
    match found.permissions().mode() & 0o077 {
        0 => Ok(()),
        _ => Err(Failure::bad_input("others may enter it: chmod 700").about(folder)),
    }
}

/// A proof has few files; a server with 64 workers has some hundred.
const FILES_OF_JOBS: u64 = 256;
