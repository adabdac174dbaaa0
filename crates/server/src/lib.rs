#![forbid(unsafe_code)]
//! A prover server: circuits are loaded and checked once, and requests for proofs are durable jobs over HTTP.
//!
//! `docs/server.md` is for its users. What it promises has a test, named there.
//!
//! | chapter | holds |
//! |---|---|
//! | [`config`] | `frumious.toml`: what an operator decides, and what is refused |
//! | `opening` | a start without the serving: `serve --check` |
//! | `circuits` | the registry: requests name ids, never files |
//! | `journal` | the durable truth about jobs, in SQLite |
//! | `jobs` | from request to proof: queue, workers, cancellation, deadlines, recovery |
//! | `executor` | where proofs are made: this process, or a fleet by a supervised driver |
//! | `http` | the interface: routes, answers, events, the page |
//! | `fronts` | listeners that speak as other servers do |
//! | `listener`, `unix`, `stall`, `linger` | connections within a number and a time |
//! | `tls` | certificate and key, which SIGHUP has read again |
//! | [`tokens`], `seal`, `secret_files` | who may ask; inputs on disk; files that nobody else reads |
//! | [`certificates`] | what certificates and keys say, as bytes |
//! | [`client`] | the other side of the interface |
//! | `plain` | JSON of servers and nodes that need not be friends |
//!
//! Threads: requests are served by a few of tokio's, proofs are made by as many of their own. One writes the journal.

#[cfg(panic = "abort")]
compile_error!(
    "jobs are cancelled by unwinding: a server needs a profile that unwinds, as `release` does"
);

pub mod certificates;
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
mod opening;
mod plain;
mod seal;
mod secret_files;
mod stall;
mod tls;
pub mod tokens;
mod unix;

use std::io::Write;
use std::sync::Arc;
use std::thread;
use std::time::Duration;

use frumious_app::failure::Failure;
use tokio::runtime::{Builder, Runtime};
use tokio::signal::unix::{SignalKind, signal};
use tokio::sync::watch;
use tokio_rustls::TlsAcceptor;

use circuits::Circuits;
use clock::Clock;
use config::{Address, Config, ExecutorKind};
use executor::{Executor, FleetExecutor, LocalExecutor};
use http::Site;
pub use jobs::Child;
use jobs::recovery::Parts;
use jobs::watchman::Crew;
use jobs::{Jobs, Machine};
use journal::Journal;
use listener::Listener;
pub use opening::check;
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
    opening::check_open_files(config)?;
    let runtime = runtime()?;
    // From the first moment: a certificate may be renewed while circuits are loaded.
    let hangup = runtime.block_on(async { signal(SignalKind::hangup()) });
    // Before the circuits, too: whatever is wrong is told at once.
    let certificates = config.tls.as_ref().map(Certificates::open).transpose()?;
    warn(certificates.as_deref());
    let seal = opening::seal(config.seal.as_ref())?;
    opening::make_private(&config.data)?;
    // Before the circuits, which take long: a second server is told at once.
    let journal = Journal::open(&config.data)?;
    let (threads, memory) = opening::room(config);
    let machine = Machine {
        threads,
        memory,
        cpu: program.cpu,
        backend: program.backend,
    };
    let tapes = opening::tapes(&config.data);
    let circuits = Circuits::load(config, threads, memory, Some(&tapes))?;
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
        seal,
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
            let longest = jobs.circuits.longest_body();
            let listener = Listener::bind(&address, tls, router, limits, longest).await?;
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
        log(&format!("a fault at {}", place.unwrap_or_default()));
    }));
}

/// For answers that are on their way when the server ends.
const LAST_ANSWERS: Duration = Duration::from_millis(200);
