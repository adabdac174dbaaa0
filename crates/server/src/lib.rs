#![forbid(unsafe_code)]
//! A prover server: circuits are loaded and checked once, and requests for proofs are durable jobs over HTTP.
//!
//! `docs/server.md` is for its users. What it promises has a test, named there.
//!
//! | chapter | holds |
//! |---|---|
//! | [`config`] | `frumious.toml`: what an operator decides, and what is refused |
//! | `circuits` | the registry: requests name ids, never files |
//! | `journal` | the durable truth about jobs, in SQLite |
//! | `jobs` | from request to proof: queue, workers, cancellation, deadlines, recovery |
//! | `executor` | where proofs are made: this process, or a fleet by a supervised driver |
//! | `http` | the interface: routes, answers, events, the page |
//! | `fronts` | listeners that speak as other servers do |
//! | `listener`, `unix`, `stall`, `linger` | connections within a number and a time |
//! | `tls` | certificate and key, which SIGHUP has read again |
//! | [`tokens`], `seal`, `secret_files` | who may ask; inputs on disk; files that nobody else reads |
//! | [`client`] | the other side of the interface |
//!
//! Threads: requests are served by a few of tokio's, proofs are made by as many of their own. One writes the journal.

mod circuits;
pub mod client;
mod clock;
pub mod config;
mod executor;
mod fronts;
mod http;
mod jobs;
mod journal;
mod linger;
mod listener;
mod metrics;
mod seal;
mod secret_files;
mod stall;
mod tls;
pub mod tokens;
mod unix;

use std::io::Write;
use std::path::Path;
use std::sync::Arc;
use std::thread;
use std::time::Duration;

use frumious_app::failure::{About, Failure};
use frumious_app::limits;
use frumious_app::memory::total;
use tokio::runtime::{Builder, Runtime};
use tokio::signal::unix::{SignalKind, signal};
use tokio::sync::watch;
use tokio_rustls::TlsAcceptor;

use circuits::Circuits;
use clock::Clock;
use config::{Address, Config, ExecutorKind, SealKey};
use executor::{Executor, FleetExecutor, LocalExecutor};
use http::Site;
pub use jobs::Child;
use jobs::recovery::Parts;
use jobs::watchman::Crew;
use jobs::{Jobs, Machine};
use journal::Journal;
use listener::Listener;
use seal::Seal;
use tls::Certificates;
use tokens::Tokens;

/// The program that the server is a part of.
pub struct Program {
    /// The command for a process that computes a witness, and runs `frumious_app::witness::serve_child` at once.
    pub child: Child,
    /// Name of the CPU, for people.
    pub cpu: String,
    /// Name of the backend, for people.
    pub backend: String,
}

/// Serves until the process is asked to end (SIGTERM, SIGINT), then drains. SIGHUP has the certificate read again.
/// `tell` is called with the address of each listener when everything is ready.
///
/// # Errors
/// A [`Failure`] of exit code 2 or 3 if a circuit, the journal or a listener cannot be had.
pub fn serve(config: &Config, program: Program, tell: impl Fn(&str)) -> Result<(), Failure> {
    keep_panics_short();
    check_open_files(config)?;
    let runtime = runtime()?;
    // From the first moment: a certificate may be renewed while circuits are loaded.
    let hangup = runtime.block_on(async { signal(SignalKind::hangup()) });
    // Before the circuits, too: whatever is wrong is told at once.
    let certificates = config.tls.as_ref().map(Certificates::open).transpose()?;
    warn(certificates.as_deref());
    make_private(&config.data)?;
    // Before the circuits, which take long: a second server is told at once.
    let journal = Journal::open(&config.data)?;
    let threads = config.limits.threads;
    let machine = Machine {
        threads: threads
            .unwrap_or_else(frumious_parallel::current_num_threads)
            .max(1),
        memory: config
            .limits
            .memory
            .map_or_else(memory_to_prove, |bytes| bytes.0),
        cpu: program.cpu,
        backend: program.backend,
    };
    let tapes = config.data.join("tapes");
    let circuits = Circuits::load(config, machine.threads, machine.memory, &tapes)?;
    let executor: Box<dyn Executor> = match (config.executor, &config.fleet) {
        (ExecutorKind::Ray, Some(fleet)) => {
            Box::new(FleetExecutor::start(fleet, config, &circuits)?)
        }
        _ => Box::new(LocalExecutor::new(&machine, program.child)),
    };
    let workers = executor.most_jobs();
    let jobs = Jobs::recover(Parts {
        circuits,
        journal,
        seal: seal(config.seal.as_ref())?,
        limits: config.limits.clone(),
        clock: Clock::default(),
        child: program.child,
        executor,
        machine,
    })?;
    // Beside the first jobs, which run their modules as long as it is not done.
    let rehearsing = Arc::clone(&jobs);
    thread::Builder::new()
        .name("rehearse".into())
        .spawn(move || rehearsing.rehearse())
        .map_err(|error| Failure::of_system("cannot start threads", &error))?;
    let (close, closing) = watch::channel(false);
    let site = Site::new(
        jobs.clone(),
        Tokens::new(&config.tokens),
        config.tokens.is_empty(),
    );
    runtime.block_on(async {
        let mut stop = [SignalKind::terminate(), SignalKind::interrupt()].map(signal);
        let tls = certificates.as_ref().map(Certificates::acceptor);
        for (address, tls, router) in listeners(config, tls.transpose()?, &site) {
            let limits = &config.limits;
            let listener = Listener::bind(&address, tls, router, limits, jobs.longest_body());
            let listener = listener.await?;
            tell(&listener.address());
            tokio::spawn(listener.serve(closing.clone()));
        }
        let crew = Crew::start(&jobs, workers)
            .map_err(|error| Failure::of_system("cannot start threads", &error))?;
        let ([Ok(terminate), Ok(interrupt)], Ok(mut hangup)) = (&mut stop, hangup) else {
            return Err(Failure::bad_input("the system gives no signals"));
        };
        loop {
            tokio::select! {
                _ = terminate.recv() => break,
                _ = interrupt.recv() => break,
                _ = hangup.recv() => renew(certificates.as_deref()),
            }
        }
        let time = config.limits.drain_seconds.duration();
        let drained = tokio::task::spawn_blocking(move || crew.drain(time));
        // A second request is for at once.
        tokio::select! {
            _ = drained => {}
            _ = terminate.recv() => {}
            _ = interrupt.recv() => {}
        }
        let _ = close.send(true);
        tokio::time::sleep(LAST_ANSWERS).await;
        Ok(())
    })?;
    runtime.shutdown_background();
    Ok(())
}

/// Has the certificate read again. One that cannot be served leaves the one before.
fn renew(certificates: Option<&Certificates>) {
    match certificates.map(Certificates::renew) {
        None => log("SIGHUP: there is no certificate to read again"),
        Some(Ok(())) => log("SIGHUP: certificate and key were read again"),
        Some(Err(failure)) => log(&format!(
            "SIGHUP: the certificate stays as it was: {}",
            failure.message()
        )),
    }
    warn(certificates);
}

fn warn(certificates: Option<&Certificates>) {
    if let Some(line) = certificates.and_then(Certificates::warning) {
        log(&format!("warning: {line}"));
    }
}

/// A line for the operator. `eprintln!` panics when stderr is closed.
fn log(line: &str) {
    let _ = writeln!(std::io::stderr(), "{line}");
}

/// Each listener: its address, its TLS, and what it answers.
fn listeners(
    config: &Config,
    tls: Option<TlsAcceptor>,
    site: &Site,
) -> Vec<(Address, Option<TlsAcceptor>, axum::Router)> {
    let mut all = vec![(config.listen.clone(), tls, http::router(site.clone()))];
    if let Some(address) = &config.metrics {
        let router = http::metrics_router(site.jobs.clone(), address.is_local());
        all.push((address.clone(), None, router));
    }
    let fronts = fronts::all(&config.fronts, &site.jobs).into_iter();
    all.extend(fronts.map(|(address, router)| (address, None, router)));
    all
}

/// Makes sure that connections leave files for jobs: their journal, modules and processes.
///
/// # Errors
/// A [`Failure`] of exit code 2 if they might not.
fn check_open_files(config: &Config) -> Result<(), Failure> {
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

fn runtime() -> Result<Runtime, Failure> {
    Builder::new_multi_thread()
        .worker_threads(2)
        .max_blocking_threads(32)
        .thread_name("http")
        .enable_io()
        .enable_time()
        .build()
        .map_err(|error| Failure::of_system("cannot start threads", &error))
}

/// A panic says where it was, and not what it was about: that may be a secret.
fn keep_panics_short() {
    std::panic::set_hook(Box::new(|panic| {
        let place = panic.location().map(ToString::to_string);
        eprintln!("a fault at {}", place.unwrap_or_default());
    }));
}

/// The memory that the container leaves, or half of the machine's.
fn memory_to_prove() -> u64 {
    let group = limits::Limits::now().memory.map(limits::GroupMemory::room);
    group
        .or_else(|| total().map(|bytes| bytes / 2))
        .unwrap_or(u64::MAX)
}

fn seal(key: Option<&SealKey>) -> Result<Option<Seal>, Failure> {
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
fn make_private(folder: &Path) -> Result<(), Failure> {
    use std::os::unix::fs::{DirBuilderExt, PermissionsExt};
    let failed = |error| Failure::of_system("cannot be made", &error).about(folder);
    if !folder.is_dir() {
        let mut builder = std::fs::DirBuilder::new();
        builder
            .mode(0o700)
            .recursive(true)
            .create(folder)
            .map_err(failed)?;
    }
    let mode = std::fs::metadata(folder)
        .map_err(failed)?
        .permissions()
        .mode();
    match mode & 0o077 {
        0 => Ok(()),
        _ => Err(Failure::bad_input("others may enter it: chmod 700")).about(folder),
    }
}

/// A proof has few files; a server with 64 workers has some hundred.
const FILES_OF_JOBS: u64 = 256;

/// For answers that are on their way when the server ends.
const LAST_ANSWERS: Duration = Duration::from_millis(200);
