//! Disks that are full. Some of these tests need a small disk, which only root makes.

use std::path::Path;
use std::process::Command;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::sync::mpsc::{self, Receiver};
use std::time::{Duration, Instant};

use super::tests::{accepted, done, job, success};
use super::*;

/// A file system of some megabytes; gone when dropped. None for who is not root.
struct SmallDisk<'a>(&'a Path);

impl<'a> SmallDisk<'a> {
    fn mount(folder: &'a Path, size: &str) -> Option<Self> {
        let mounted = Command::new("mount")
            .args(["-t", "tmpfs", "-o", size, "tmpfs"])
            .arg(folder)
            .output();
        if mounted.is_ok_and(|output| output.status.success()) {
            return Some(Self(folder));
        }
        eprintln!("skipped: only root makes a small disk");
        None
    }

    /// Another program takes what is left, to the last byte.
    fn fill(&self, name: &str) {
        let _ = std::fs::write(self.0.join(name), vec![1; 64 << 20]);
    }

    fn remove(&self, name: &str) {
        std::fs::remove_file(self.0.join(name)).expect("it is there");
    }
}

impl Drop for SmallDisk<'_> {
    fn drop(&mut self) {
        let _ = Command::new("umount").arg("-l").arg(self.0).output();
    }
}

fn hand_in(journal: &Journal, change: Change) -> Receiver<Result<Applied, Failure>> {
    let (sender, receiver) = mpsc::channel();
    let told = move |result| {
        let _ = sender.send(result);
    };
    journal.hand_in(change, Box::new(told));
    receiver
}

fn request(journal: &Journal) -> Result<Applied, Failure> {
    let told = hand_in(journal, Change::Accept(Box::new(job(None))));
    let told = told.recv_timeout(Duration::from_secs(5));
    told.expect("a request is answered soon")
}

/// With a proof of some length.
fn end(id: &JobId, length: usize) -> Change {
    let outcome = Outcome::Succeeded {
        proof: "p".repeat(length),
        public: "[]".into(),
    };
    Change::Finish(id.clone(), 7, Box::new(outcome))
}

fn wait_until_taken(journal: &Journal) {
    let start = Instant::now();
    while request(journal).is_err() {
        assert!(start.elapsed() < Duration::from_secs(30));
        std::thread::sleep(Duration::from_millis(50));
    }
    assert!(journal.is_healthy());
}

#[test]
fn a_request_is_told_at_once_that_the_disk_is_full_however_many_ends_wait() {
    let folder = tempfile::tempdir().expect("a folder");
    let Some(disk) = SmallDisk::mount(folder.path(), "size=48m") else {
        return;
    };
    let journal = Journal::open(folder.path()).expect("it opens");
    let ids: Vec<JobId> = (0..3000).map(|_| accepted(&journal)).collect();
    disk.fill("fill");
    let ends: Vec<_> = ids
        .iter()
        .map(|id| hand_in(&journal, end(id, 5000)))
        .collect();
    for _ in 0..3 {
        let failure = request(&journal).expect_err("it is full");
        assert_eq!(failure.code(), Code::NoSpace);
        assert!(!journal.is_healthy());
    }
    // What the journal gave up, others may take.
    disk.fill("more");
    let waiting = |ends: &[Receiver<_>]| ends.iter().filter(|end| end.try_recv().is_err()).count();
    assert!(waiting(&ends) > 0);
    disk.remove("fill");
    disk.remove("more");
    wait_until_taken(&journal);
    drop(journal);
    let journal = Journal::open(folder.path()).expect("it opens");
    for id in &ids {
        let record = journal.job(id).expect("it reads").expect("it is there");
        assert_eq!(record.state, State::Succeeded);
    }
}

#[test]
fn a_disk_that_results_fill_has_room_when_they_are_forgotten() {
    let folder = tempfile::tempdir().expect("a folder");
    let Some(disk) = SmallDisk::mount(folder.path(), "size=24m") else {
        return;
    };
    let journal = Journal::open(folder.path()).expect("it opens");
    let mut refused_since: Option<Instant> = None;
    while refused_since.is_none_or(|since| since.elapsed() < Duration::from_secs(3)) {
        let new = job(None);
        let id = new.id.clone();
        let accepted = hand_in(&journal, Change::Accept(Box::new(new)));
        if accepted.recv().expect("it is told").is_ok() {
            refused_since = None;
            let _ = hand_in(&journal, end(&id, 40_000)).recv_timeout(Duration::from_secs(5));
        } else {
            refused_since.get_or_insert_with(Instant::now);
            std::thread::sleep(Duration::from_millis(20));
        }
    }
    // And nobody else leaves a byte.
    disk.fill("fill");
    while done(&journal, Change::Forget(i64::MAX)) == Applied::Made {}
    let left = journal.list(None, None, 10).expect("it reads");
    assert!(left.iter().all(|record| !record.state.is_final()));
    wait_until_taken(&journal);
}

/// They are wiped at the end of their jobs, which goes through the log too.
#[test]
fn jobs_end_on_a_disk_that_their_sealed_inputs_fill() {
    let folder = tempfile::tempdir().expect("a folder");
    let Some(disk) = SmallDisk::mount(folder.path(), "size=128m") else {
        return;
    };
    let journal = Journal::open(folder.path()).expect("it opens");
    let mut ids = Vec::new();
    loop {
        let mut new = job(None);
        new.sealed = Some(vec![1; 12 << 20]);
        let id = new.id.clone();
        let told = hand_in(&journal, Change::Accept(Box::new(new)));
        match told.recv().expect("it is told") {
            Ok(_) => ids.push(id),
            Err(_) if !journal.is_healthy() => break,
            Err(failure) => assert_eq!(failure.code(), Code::NoSpace),
        }
        // The reserve covers an input of this size, and the disk has room for it but not for the job.
        if ids.len() > 3 {
            disk.fill("fill");
        }
    }
    let ends: Vec<_> = ids
        .iter()
        .map(|id| hand_in(&journal, end(id, 100)))
        .collect();
    for end in ends {
        let told = end.recv_timeout(Duration::from_secs(20));
        assert_eq!(told.expect("it fits").expect("it is made"), Applied::Made);
    }
    wait_until_taken(&journal);
}

/// Without a small disk: SQLite itself takes no more pages.
#[test]
fn the_work_of_an_attempt_is_bounded() {
    let folder = tempfile::tempdir().expect("a folder");
    let journal = Journal::open(folder.path()).expect("it opens");
    let told: Vec<_> = (0..2000)
        .map(|_| {
            let job = job(None);
            let id = job.id.clone();
            (id, hand_in(&journal, Change::Accept(Box::new(job))))
        })
        .collect();
    drop(journal);
    let connection = schema::open(&folder.path().join("jobs.sqlite")).expect("it opens");
    let pages: i64 = connection
        .query_row("PRAGMA page_count", [], |row| row.get(0))
        .expect("it counts");
    let most = format!("PRAGMA max_page_count = {pages}");
    connection
        .query_row(&most, [], |_| Ok(()))
        .expect("it is set");
    let healthy = Arc::new(AtomicBool::new(true));
    let mut writer = Writer::new(connection, Reserve::new(folder.path()), healthy);
    let (changes, waiting) = channel();
    let ends: Vec<_> = told
        .iter()
        .map(|(id, _)| {
            let (sender, told) = mpsc::channel();
            let send = move |result: Result<Applied, Failure>| {
                sender.send(result.is_ok()).expect("it waits")
            };
            let handed: (Change, Told) = (end(id, 50_000), Box::new(send));
            changes.send(handed).expect("it is open");
            told
        })
        .collect();
    let (sender, told) = mpsc::channel();
    for _ in 0..1000 {
        let sender = sender.clone();
        let send = move |result: Result<Applied, Failure>| {
            let code = result.expect_err("it is full").code();
            sender.send(code).expect("it waits");
        };
        let handed: (Change, Told) = (Change::Accept(Box::new(job(None))), Box::new(send));
        changes.send(handed).expect("it is open");
    }
    // 3,000 changes are seen in rounds of 256.
    for _ in 0..12 {
        assert!(!writer.round(&waiting));
    }
    let codes: Vec<Code> = told.try_iter().collect();
    assert_eq!(codes, [Code::NoSpace; 1000]);
    assert!(ends.iter().all(|end| end.try_recv().is_err()));
    // At the end of the server they are given up.
    drop(changes);
    writer.write(&waiting);
    assert!(ends.iter().all(|end| end.try_recv() == Ok(false)));
}

#[test]
fn a_journal_of_an_earlier_version_gives_room_back_too() {
    let folder = tempfile::tempdir().expect("a folder");
    let journal = Journal::open(folder.path()).expect("it opens");
    let id = accepted(&journal);
    done(&journal, Change::Finish(id.clone(), 7, Box::new(success())));
    drop(journal);
    let path = folder.path().join("jobs.sqlite");
    let mode = |connection: &Connection| {
        connection.query_row("PRAGMA auto_vacuum", [], |row| row.get::<_, i64>(0))
    };
    let old = Connection::open(&path).expect("it opens");
    old.execute_batch("PRAGMA auto_vacuum = 0; VACUUM")
        .expect("it is written anew");
    assert_eq!(mode(&old).expect("it says"), 0);
    drop(old);
    let journal = Journal::open(folder.path()).expect("it opens");
    assert!(journal.job(&id).expect("it reads").is_some());
    let other = Connection::open(&path).expect("it opens");
    assert_eq!(mode(&other).expect("it says"), 2);
}

/// A file that root cannot change stands for a disk that was mounted anew to read.
#[test]
fn what_cannot_be_written_is_no_full_disk() {
    let folder = tempfile::tempdir().expect("a folder");
    let journal = Journal::open(folder.path()).expect("it opens");
    let reserve = folder.path().join(reserve::FILE);
    let change = |how| {
        let changed = Command::new("chattr").arg(how).arg(&reserve).output();
        changed.is_ok_and(|said| said.status.success())
    };
    if !change("+i") {
        eprintln!("skipped: only root makes files that nobody changes");
        return;
    }
    let larger = NewJob {
        sealed: Some(vec![0; 64]),
        ..job(None)
    };
    let told = hand_in(&journal, Change::Accept(Box::new(larger)));
    let told = told.recv().expect("it is told");
    assert!(change("-i"));
    let failure = told.expect_err("its reserve does not grow");
    assert_eq!(failure.code(), Code::Permission);
    assert!(failure.message().contains("reserve: cannot be written"));
    accepted(&journal);
}
