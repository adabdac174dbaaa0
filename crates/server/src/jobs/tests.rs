//! Clocks that are set, with jobs of a real circuit: the multiplier of `frumious-snarkjs`'s tests.

#![allow(clippy::unwrap_used)] // in a test, a failed unwrap is the failure

use std::path::Path;
use std::time::{Duration, Instant};

use super::recovery::Parts;
use super::watchman::Crew;
use super::*;
use crate::config::Config;
use crate::executor::LocalExecutor;
use crate::journal::State;

const HOUR: i64 = 3_600_000;

fn data() -> std::path::PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../snarkjs/tests/data")
}

/// The jobs of a folder, sealed, at a time of day.
fn open(folder: &Path, clock: &Clock) -> Arc<Jobs> {
    let text = format!(
        "data = \"d\"\n[[circuits]]\nid = \"mul\"\nkey = {:?}\n",
        data().join("mul.zkey")
    );
    let config = Config::parse(&text, folder).unwrap();
    let machine = Machine {
        threads: 1,
        memory: 1 << 30,
        ..Machine::default()
    };
    let child = || Err(Failure::bad_input("no generator here"));
    Jobs::recover(Parts {
        circuits: Circuits::load(&config, 1, 1 << 30, &folder.join("tapes")).unwrap(),
        journal: Journal::open(folder).unwrap(),
        seal: Some(Seal::from_text("1".repeat(64).as_bytes()).unwrap()),
        limits: config.limits,
        clock: clock.clone(),
        child,
        executor: Box::new(LocalExecutor::new(&machine, child)),
        machine,
    })
    .unwrap()
}

fn submit(jobs: &Arc<Jobs>, within: Duration) -> JobId {
    let input = Zeroizing::new(std::fs::read(data().join("mul.wtns")).unwrap());
    let request = Request {
        owner: Owner::nobody(),
        circuit: Arc::clone(jobs.circuits.get("mul").unwrap()),
        kind: Kind::Witness,
        hold: jobs.hold(input.len() as u64).unwrap(),
        input,
        idempotency_key: None,
        within: Some(within),
    };
    let runtime = tokio::runtime::Builder::new_current_thread()
        .build()
        .unwrap();
    runtime.block_on(jobs.submit(request)).unwrap().id
}

fn state(jobs: &Jobs, id: &JobId) -> Option<State> {
    let found = jobs.find(&Owner::nobody(), id).unwrap();
    found.map(|(record, _)| record.state)
}

fn wait_for(jobs: &Jobs, id: &JobId, expected: State) {
    let start = Instant::now();
    while state(jobs, id) != Some(expected) {
        assert!(
            start.elapsed() < Duration::from_secs(30),
            "{:?}",
            state(jobs, id)
        );
        std::thread::sleep(Duration::from_millis(5));
    }
}

#[test]
fn a_clock_that_is_set_changes_no_deadline_while_the_server_runs() {
    let folder = tempfile::tempdir().unwrap();
    let clock = Clock::default();
    let jobs = open(folder.path(), &clock);
    // Nobody works yet: the job waits.
    let late = submit(&jobs, Duration::from_millis(300));
    let early = submit(&jobs, Duration::from_secs(3000));
    clock.turn(-24 * HOUR);
    let crew = Crew::start(&jobs, 0).unwrap();
    wait_for(&jobs, &late, State::Expired);
    clock.turn(48 * HOUR);
    std::thread::sleep(Duration::from_millis(200));
    assert_eq!(state(&jobs, &early), Some(State::Queued));
    crew.drain(Duration::ZERO);
}

#[test]
fn after_a_restart_a_job_has_no_more_time_than_it_was_given() {
    let folder = tempfile::tempdir().unwrap();
    let clock = Clock::default();
    let jobs = open(folder.path(), &clock);
    let id = submit(&jobs, Duration::from_secs(100));
    drop(jobs);
    clock.turn(-24 * HOUR);
    let jobs = open(folder.path(), &clock);
    let live = Arc::clone(jobs.board().live.get(&id).unwrap());
    assert!(live.deadline <= Instant::now() + Duration::from_secs(100));
    drop((live, jobs));
    // Set forward, its time is over.
    clock.turn(48 * HOUR);
    let jobs = open(folder.path(), &clock);
    assert_eq!(state(&jobs, &id), Some(State::Expired));
}

#[test]
fn a_clock_that_is_set_back_loses_no_result() {
    let folder = tempfile::tempdir().unwrap();
    let clock = Clock::default();
    let jobs = open(folder.path(), &clock);
    let crew = Crew::start(&jobs, 1).unwrap();
    let id = submit(&jobs, Duration::from_secs(100));
    wait_for(&jobs, &id, State::Succeeded);
    clock.turn(-24 * HOUR);
    let other = submit(&jobs, Duration::from_secs(100));
    wait_for(&jobs, &other, State::Succeeded);
    crew.drain(Duration::from_secs(10));
    drop(jobs);
    let jobs = open(folder.path(), &clock);
    let crew = Crew::start(&jobs, 0).unwrap(); // which sweeps at its start
    crew.drain(Duration::ZERO);
    for id in [&id, &other] {
        assert_eq!(state(&jobs, id), Some(State::Succeeded));
    }
    // The later request stands first, whatever the clock said.
    let list = jobs.list(&Owner::nobody(), None, 10).unwrap();
    let ids: Vec<&JobId> = list.iter().map(|(record, _)| &record.id).collect();
    assert_eq!(ids, [&other, &id]);
}
