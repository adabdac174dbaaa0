//! Clocks that are set, with jobs of a real circuit: the multiplier of `frumious-snarkjs`'s tests.

#![allow(clippy::unwrap_used)] // in a test, a failed unwrap is the failure

use std::path::Path;
use std::time::{Duration, Instant};

use super::recovery::Parts;
use super::retention::Retention;
use super::watchman::Crew;
use super::*;
use crate::config::Config;
use crate::executor::LocalExecutor;
use crate::journal::State;

const HOUR: i64 = 3_600_000;
const YEAR: i64 = 365 * 24 * HOUR;

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
        circuits: Circuits::load(&config, 1, 1 << 30, Some(&folder.join("tapes"))).unwrap(),
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
    try_submit(jobs, within, None, &witness()).unwrap()
}

fn witness() -> Vec<u8> {
    std::fs::read(data().join("mul.wtns")).unwrap()
}

fn try_submit(
    jobs: &Arc<Jobs>,
    within: Duration,
    key: Option<&str>,
    input: &[u8],
) -> Result<JobId, Refused> {
    let input = Zeroizing::new(input.to_vec());
    let request = Request {
        owner: Owner::nobody(),
        circuit: Arc::clone(jobs.circuits.get("mul").unwrap()),
        kind: Kind::Witness,
        hold: jobs.hold(&Owner::nobody(), input.len() as u64).unwrap(),
        input,
        idempotency_key: key.map(str::to_owned),
        within: Some(within),
    };
    let runtime = tokio::runtime::Builder::new_current_thread()
        .build()
        .unwrap();
    let submitted = runtime.block_on(jobs.submit(request));
    submitted.map(|submitted| submitted.id)
}

/// A job that the journal is about to take.
fn on_its_way(jobs: &Arc<Jobs>, owner: &Owner) -> Result<Promise, Refused> {
    let circuit = Arc::clone(jobs.circuits.get("mul").unwrap());
    let input = (Zeroizing::new(Vec::new()), jobs.hold(owner, 1).unwrap());
    let deadline = Instant::now() + Duration::from_secs(100);
    let id = JobId::draw().unwrap();
    let owner_name = Arc::clone(&owner.name);
    let live = Live::new(id, circuit, owner_name, Kind::Witness, input, deadline);
    jobs.promise(owner, Arc::new(live))
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

#[test]
fn a_clock_that_is_set_forward_loses_no_fresh_result() {
    let folder = tempfile::tempdir().unwrap();
    let clock = Clock::default();
    clock.turn(-26 * YEAR);
    let jobs = open(folder.path(), &clock);
    let keep = jobs.limits.keep_seconds.duration();
    let mut retention = Retention::new(keep, clock.now(), Instant::now());
    let crew = Crew::start(&jobs, 1).unwrap();
    let early = submit(&jobs, Duration::from_secs(100));
    wait_for(&jobs, &early, State::Succeeded);
    clock.turn(26 * YEAR);
    let late = submit(&jobs, Duration::from_secs(100));
    wait_for(&jobs, &late, State::Succeeded);
    let mut sweep_after = |wait: Duration| {
        let wall = clock.now() + i64::try_from(wait.as_millis()).unwrap();
        let before = retention.before(wall, Instant::now() + wait);
        watchman::sweep(Arc::clone(&jobs), before);
        jobs.flush();
        [&early, &late].map(|id| state(&jobs, id).is_some())
    };
    assert_eq!(sweep_after(Duration::ZERO), [true, true]);
    assert_eq!(sweep_after(keep / 2), [true, true]);
    // Each is forgotten when its own time is over.
    clock.turn(-HOUR);
    assert_eq!(sweep_after(keep), [false, true]);
    clock.turn(HOUR);
    crew.drain(Duration::from_secs(10));
}

/// A server saw the jump and ended, or was away when it came.
#[test]
fn a_clock_that_is_set_forward_loses_no_fresh_result_of_an_earlier_server() {
    for is_seen in [true, false] {
        let folder = tempfile::tempdir().unwrap();
        let clock = Clock::default();
        clock.turn(-26 * YEAR);
        let jobs = open(folder.path(), &clock);
        let keep = jobs.limits.keep_seconds.duration();
        let crew = Crew::start(&jobs, 1).unwrap();
        let id = submit(&jobs, Duration::from_secs(100));
        wait_for(&jobs, &id, State::Succeeded);
        crew.drain(Duration::from_secs(10));
        drop(jobs);
        let begin = |wait: Duration| {
            let jobs = open(folder.path(), &clock);
            let (time, now) = (clock.now(), Instant::now());
            let mut retention = Retention::of_folder(folder.path(), keep, time, now);
            let later = time + i64::try_from(wait.as_millis()).unwrap();
            let before = retention.before(later, now + wait);
            watchman::sweep(Arc::clone(&jobs), before);
            jobs.flush();
            state(&jobs, &id).is_some()
        };
        if is_seen {
            let mut seeing = Retention::of_folder(folder.path(), keep, clock.now(), Instant::now());
            clock.turn(26 * YEAR);
            seeing.before(clock.now(), Instant::now());
        } else {
            clock.turn(26 * YEAR);
        }
        assert!(begin(Duration::ZERO) && begin(keep / 2), "{is_seen}");
        assert!(!begin(keep + Duration::from_secs(60)), "{is_seen}");
    }
}

#[test]
fn results_are_kept_for_their_time_through_jumps_of_the_clock() {
    let start = Instant::now();
    let second = |count: u64| start + Duration::from_secs(count);
    let mut retention = Retention::new(Duration::from_secs(100), 0, start);
    // Milliseconds of the time of day, seconds of the other clock.
    for (time, now, expected) in [
        (30_000, 30, -70_000),
        (60_900, 60, -39_100),   // corrected slowly
        (1_090_900, 90, -9_100), // set forward by 1,000 seconds
        (1_120_900, 120, 20_900),
        (120_900, 150, -979_100),    // and back by more
        (2_150_900, 180, -949_100),  // forward by 2,000
        (2_160_900, 190, 60_900),    // the first jump was 100 seconds ago
        (2_250_900, 280, 2_150_900), // the second
    ] {
        assert_eq!(retention.before(time, second(now)), expected, "at {now}");
    }
}

#[test]
fn a_refused_request_leaves_nothing_behind() {
    let folder = tempfile::tempdir().unwrap();
    let jobs = open(folder.path(), &Clock::default());
    let long = Duration::from_secs(100);
    let ask = |key: &str| try_submit(&jobs, long, Some(key), &witness());
    let id = ask("k").unwrap();
    assert_eq!(jobs.fingerprints.len(), 1);
    // The journal knows the key, as if both had asked at once.
    assert_eq!(ask("k").unwrap(), id);
    assert_eq!(jobs.fingerprints.len(), 1);
    assert!(matches!(
        try_submit(&jobs, long, Some("k"), b"other"),
        Err(Refused::Conflict)
    ));
    assert_eq!(jobs.fingerprints.len(), 1);
    jobs.board().is_draining = true;
    assert!(matches!(ask("drained"), Err(Refused::Draining)));
    jobs.board().is_draining = false;
    assert_eq!(jobs.fingerprints.len(), 1);
    let other = rusqlite::Connection::open(folder.path().join("jobs.sqlite")).unwrap();
    other
        .execute_batch("ALTER TABLE jobs RENAME TO gone")
        .unwrap();
    assert!(matches!(ask("refused"), Err(Refused::Journal(_))));
    assert_eq!(jobs.fingerprints.len(), 1);
}

#[test]
fn a_key_names_one_request_after_a_restart_too() {
    let folder = tempfile::tempdir().unwrap();
    let clock = Clock::default();
    let long = Duration::from_secs(100);
    let jobs = open(folder.path(), &clock);
    let id = try_submit(&jobs, long, Some("k"), &witness()).unwrap();
    drop(jobs);
    // It waits again, and its input is known.
    let jobs = open(folder.path(), &clock);
    let again = |jobs: &Arc<Jobs>, input: &[u8]| try_submit(jobs, long, Some("k"), input);
    assert_eq!(again(&jobs, &witness()).unwrap(), id);
    assert!(matches!(again(&jobs, b"other"), Err(Refused::Conflict)));
    let crew = Crew::start(&jobs, 1).unwrap();
    wait_for(&jobs, &id, State::Succeeded);
    crew.drain(Duration::from_secs(10));
    drop(jobs);
    // It has ended, and its input is gone: the circuit and the form are compared.
    let jobs = open(folder.path(), &clock);
    assert_eq!(again(&jobs, &witness()).unwrap(), id);
    let circuit = jobs.circuits.get("mul").unwrap();
    let asked = jobs.asked(circuit, Kind::Inputs, b"{}");
    let runtime = tokio::runtime::Builder::new_current_thread()
        .build()
        .unwrap();
    let compared = runtime.block_on(jobs.is_same(&id, asked));
    assert!(matches!(compared, Err(Refused::Conflict)));
}

/// The result of a job stays longer than it would, if the clock is set back: its name is of the same input meanwhile.
#[test]
fn a_key_names_one_request_while_the_journal_knows_it() {
    let folder = tempfile::tempdir().unwrap();
    let jobs = open(folder.path(), &Clock::default());
    let long = Duration::from_secs(100);
    let id = try_submit(&jobs, long, Some("k"), &witness()).unwrap();
    // Its time is over.
    let asked = |input: &[u8]| jobs.asked(jobs.circuits.get("mul").unwrap(), Kind::Witness, input);
    let digest = asked(&witness()).fingerprint;
    jobs.fingerprints.keep(&id, digest, Instant::now());
    super::watchman::sweep(Arc::clone(&jobs), 0);
    assert_eq!(jobs.fingerprints.len(), 1);
    let other = try_submit(&jobs, long, Some("k"), b"other");
    assert!(matches!(other, Err(Refused::Conflict)));
    // That of a job that nobody knows is dropped.
    let unknown = JobId::draw().unwrap();
    jobs.fingerprints.keep(&unknown, digest, Instant::now());
    super::watchman::sweep(Arc::clone(&jobs), 0);
    assert_eq!(jobs.fingerprints.len(), 1);
}

#[test]
fn a_verification_waits_for_another() {
    let folder = tempfile::tempdir().unwrap();
    let jobs = open(folder.path(), &Clock::default()); // one thread
    let mut building = tokio::runtime::Builder::new_current_thread();
    let runtime = building.enable_time().build().unwrap();
    let verify = || {
        let parts = ["{}", "[]"].map(str::to_owned);
        jobs.verify(Arc::clone(jobs.circuits.get("mul").unwrap()), parts)
    };
    runtime.block_on(async {
        let other = Arc::clone(&jobs.verifying).acquire_owned().await.unwrap();
        let waited = tokio::time::timeout(Duration::from_millis(100), verify()).await;
        assert!(waited.is_err());
        drop(other);
        // It is no proof, and judged.
        assert!(matches!(verify().await, Some(Err(_))));
    });
}

#[test]
fn promised_places_are_the_owners_too() {
    let folder = tempfile::tempdir().unwrap();
    let jobs = open(folder.path(), &Clock::default());
    let mut bounded = Owner::nobody();
    bounded.queue = Some(2);
    let promises = [(); 2].map(|()| on_its_way(&jobs, &bounded).unwrap());
    assert!(matches!(on_its_way(&jobs, &bounded), Err(Refused::Full(_))));
    let mut other = bounded.clone();
    other.name = "other".into();
    on_its_way(&jobs, &other).unwrap();
    for promise in promises {
        let refused = promise.settle(Err(Failure::bad_input("no disk")));
        assert!(matches!(refused, Err(Refused::Journal(_))));
    }
    on_its_way(&jobs, &bounded).unwrap();
}

#[test]
fn a_job_that_is_stopped_on_its_way_to_the_queue_ends() {
    for (reason, expected) in [
        (Stop::Cancelled, State::Cancelled),
        (Stop::Expired, State::Expired),
    ] {
        let folder = tempfile::tempdir().unwrap();
        let jobs = open(folder.path(), &Clock::default());
        let promise = on_its_way(&jobs, &Owner::nobody()).unwrap();
        let live = Arc::clone(&promise.live);
        let job = NewJob {
            id: live.id.clone(),
            circuit: "mul".into(),
            key_digest: live.circuit.circuit.digest().to_owned(),
            owner: live.owner.to_string(),
            idempotency_key: None,
            kind: live.kind,
            created: 0,
            deadline: i64::MAX,
            sealed: None,
        };
        jobs.journal
            .hand_in(Change::Accept(Box::new(job)), Box::new(|_| {}));
        jobs.stop(&live, reason);
        promise.settle(Ok(crate::journal::Applied::Made)).unwrap();
        wait_for(&jobs, &live.id, expected);
        assert_eq!(jobs.counts(), (0, 0));
    }
}

#[test]
fn what_is_left_to_the_next_server_is_cancelled_by_this_one() {
    let folder = tempfile::tempdir().unwrap();
    let clock = Clock::default();
    let jobs = open(folder.path(), &clock);
    let [stopped, left] = [(); 2].map(|()| submit(&jobs, Duration::from_secs(100)));
    let live = [&stopped, &left].map(|id| Arc::clone(jobs.board().live.get(id).unwrap()));
    let crew = Crew::start(&jobs, 0).unwrap();
    jobs.board().running = 1; // so that the server waits
    let draining = std::thread::spawn(move || crew.drain(Duration::from_secs(30)));
    let start = Instant::now();
    while jobs.board().queue.len() > 0 {
        assert!(start.elapsed() < Duration::from_secs(30));
        std::thread::sleep(Duration::from_millis(1));
    }
    jobs.stop(&live[0], Stop::Cancelled);
    wait_for(&jobs, &stopped, State::Cancelled);
    jobs.board().running = 0;
    jobs.changed.notify_all();
    draining.join().unwrap();
    // Whoever waits for the other is told that this server will not end it.
    assert_eq!(live.map(|live| live.view().is_left), [false, true]);
    drop(jobs);
    let jobs = open(folder.path(), &clock);
    assert_eq!(state(&jobs, &stopped), Some(State::Cancelled));
    assert_eq!(state(&jobs, &left), Some(State::Queued));
}

#[test]
fn a_job_whose_time_is_over_is_not_begun() {
    let folder = tempfile::tempdir().unwrap();
    let jobs = open(folder.path(), &Clock::default());
    let id = submit(&jobs, Duration::ZERO);
    let crew = Crew::start(&jobs, 1).unwrap();
    wait_for(&jobs, &id, State::Expired);
    crew.drain(Duration::from_secs(10));
}

#[test]
fn long_messages_are_cut() {
    for (length, expected) in [(0, 0), (2000, 2000), (2001, 2000), (1_000_000, 2000)] {
        let failure = Failure::bad_input("é".repeat(length));
        let Outcome::Failed { message, .. } = worker::failed(&failure) else {
            panic!("it failed");
        };
        assert_eq!(message.chars().count(), expected);
    }
}
