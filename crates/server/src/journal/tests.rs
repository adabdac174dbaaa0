use std::sync::mpsc;

use super::*;

pub(super) fn job(key: Option<&str>) -> NewJob {
    NewJob {
        id: JobId::draw().expect("random bytes"),
        circuit: "mul".into(),
        key_digest: "00".into(),
        owner: "a".into(),
        idempotency_key: key.map(str::to_owned),
        kind: Kind::Inputs,
        created: 1,
        deadline: 100,
        sealed: Some(vec![1, 2, 3]),
    }
}

pub(super) fn done(journal: &Journal, change: Change) -> Applied {
    let (sender, receiver) = mpsc::channel();
    let told = move |result| {
        let _ = sender.send(result);
    };
    journal.hand_in(change, Box::new(told));
    receiver.recv().expect("it is told").expect("it is durable")
}

pub(super) fn accepted(journal: &Journal) -> JobId {
    let job = job(None);
    let id = job.id.clone();
    assert_eq!(done(journal, Change::Accept(Box::new(job))), Applied::Made);
    id
}

pub(super) fn success() -> Outcome {
    Outcome::Succeeded {
        proof: "{}".into(),
        public: "[]".into(),
    }
}

fn outcomes() -> [Outcome; 4] {
    let failed = Outcome::Failed {
        code: "unsatisfied".into(),
        message: "no".into(),
    };
    [success(), failed, Outcome::Cancelled, Outcome::Expired]
}

/// Three restarts in good order are no reason to give a job up.
#[test]
fn a_job_that_is_left_has_not_begun() {
    let folder = tempfile::tempdir().expect("a folder");
    let journal = Journal::open(folder.path()).expect("it opens");
    let id = accepted(&journal);
    let attempts = || {
        let record = journal.job(&id).expect("it reads").expect("it is there");
        record.attempts
    };
    for _ in 0..4 {
        assert_eq!(done(&journal, Change::Start(id.clone(), 5)), Applied::Made);
        assert_eq!(attempts(), 1);
        assert_eq!(done(&journal, Change::Leave(id.clone())), Applied::Made);
        assert_eq!(attempts(), 0);
    }
    assert_eq!(done(&journal, Change::Leave(id.clone())), Applied::Nothing);
    assert_eq!(journal.unfinished().expect("it reads").len(), 1);
    let end = Change::Finish(id.clone(), 7, Box::new(success()));
    assert_eq!(done(&journal, end), Applied::Made);
    assert_eq!(done(&journal, Change::Leave(id.clone())), Applied::Nothing);
}

#[test]
fn a_job_goes_from_state_to_state_and_stays_in_the_last() {
    let folder = tempfile::tempdir().expect("a folder");
    let journal = Journal::open(folder.path()).expect("it opens");
    for outcome in outcomes() {
        let id = accepted(&journal);
        assert_eq!(done(&journal, Change::Start(id.clone(), 5)), Applied::Made);
        let record = journal.job(&id).expect("it reads").expect("it is there");
        assert_eq!((record.state, record.attempts), (State::Running, 1));
        let end = |outcome: &Outcome| Change::Finish(id.clone(), 7, Box::new(outcome.clone()));
        assert_eq!(done(&journal, end(&outcome)), Applied::Made);
        let record = journal.job(&id).expect("it reads").expect("it is there");
        assert_eq!((record.state, record.finished), (outcome.state(), Some(7)));
        for other in outcomes() {
            assert_eq!(done(&journal, end(&other)), Applied::Nothing);
        }
        assert_eq!(
            done(&journal, Change::Start(id.clone(), 9)),
            Applied::Nothing
        );
        assert_eq!(journal.job(&id).expect("it reads"), Some(record));
    }
    assert!(journal.unfinished().expect("it reads").is_empty());
}

/// Whoever writes to the database, by whatever statement.
#[test]
fn the_database_itself_refuses_to_change_a_final_state() {
    let folder = tempfile::tempdir().expect("a folder");
    let journal = Journal::open(folder.path()).expect("it opens");
    let final_id = accepted(&journal);
    done(
        &journal,
        Change::Finish(final_id.clone(), 7, Box::new(success())),
    );
    let waiting = accepted(&journal);
    drop(journal);
    let connection = schema::open(&folder.path().join("jobs.sqlite")).expect("it opens");
    let run = |sql: &str, id: &JobId| connection.execute(sql, [id.as_str()]);
    for change in [
        "state = 'running', finished = NULL",
        "proof = 'x'",
        "state = 'failed'",
        "owner = 'b'",
    ] {
        let sql = format!("UPDATE jobs SET {change} WHERE id = ?1");
        let error = run(&sql, &final_id).expect_err("it is final").to_string();
        assert!(
            error.contains("a final state never changes"),
            "{change}: {error}"
        );
    }
    for change in [
        "state = 'succeeded'",
        "state = 'succeeded', proof = '', public = ''",
        "state = 'nowhere'",
    ] {
        let sql = format!("UPDATE jobs SET {change} WHERE id = ?1");
        assert!(run(&sql, &waiting).is_err(), "{change}");
    }
    assert!(run("DELETE FROM jobs WHERE id = ?1", &waiting).is_err());
    assert!(run("DELETE FROM jobs WHERE id = ?1", &final_id).is_ok());
}

#[test]
fn an_idempotency_key_names_one_job_of_its_owner() {
    let folder = tempfile::tempdir().expect("a folder");
    let journal = Journal::open(folder.path()).expect("it opens");
    let first = job(Some("k"));
    let id = first.id.clone();
    assert_eq!(
        done(&journal, Change::Accept(Box::new(first))),
        Applied::Made
    );
    let again = done(&journal, Change::Accept(Box::new(job(Some("k")))));
    assert_eq!(again, Applied::Known(id.clone()));
    assert_eq!(journal.known("a", "k").expect("it reads"), Some(id));
    let mut other = job(Some("k"));
    other.owner = "b".into();
    assert_eq!(
        done(&journal, Change::Accept(Box::new(other))),
        Applied::Made
    );
    assert_eq!(journal.list(None, None, 10).expect("it reads").len(), 2);
}

#[test]
fn lists_go_on_at_their_cursor_though_jobs_come_and_go() {
    let folder = tempfile::tempdir().expect("a folder");
    let journal = Journal::open(folder.path()).expect("it opens");
    let ids: Vec<JobId> = (0..7).map(|_| accepted(&journal)).collect();
    let page = |below| journal.list(Some("a"), below, 3).expect("it reads");
    let first = page(None);
    let expected: Vec<&JobId> = ids.iter().rev().take(3).collect();
    assert_eq!(
        first.iter().map(|record| &record.id).collect::<Vec<_>>(),
        expected
    );
    accepted(&journal);
    done(
        &journal,
        Change::Finish(ids[6].clone(), 7, Box::new(success())),
    );
    assert!(matches!(page(None)[1].state, State::Succeeded));
    assert_eq!(
        (&page(None)[1].proof, &page(None)[1].public),
        (&None, &None)
    );
    assert_eq!(done(&journal, Change::Forget(8)), Applied::Made);
    let second = page(Some(first[2].number));
    let expected: Vec<&JobId> = ids.iter().rev().skip(3).take(3).collect();
    assert_eq!(
        second.iter().map(|record| &record.id).collect::<Vec<_>>(),
        expected
    );
    assert!(
        journal
            .list(Some("b"), None, 3)
            .expect("it reads")
            .is_empty()
    );
}

#[test]
fn only_final_jobs_are_forgotten_when_their_time_is_over() {
    let folder = tempfile::tempdir().expect("a folder");
    let journal = Journal::open(folder.path()).expect("it opens");
    let (early, late, waiting) = (accepted(&journal), accepted(&journal), accepted(&journal));
    done(
        &journal,
        Change::Finish(early.clone(), 10, Box::new(success())),
    );
    done(
        &journal,
        Change::Finish(late.clone(), 20, Box::new(success())),
    );
    done(&journal, Change::Forget(15));
    let is_there = |id| journal.job(id).expect("it reads").is_some();
    assert_eq!([&early, &late, &waiting].map(is_there), [false, true, true]);
}

#[test]
fn a_folder_has_one_server() {
    let folder = tempfile::tempdir().expect("a folder");
    let journal = Journal::open(folder.path()).expect("it opens");
    let Err(failure) = Journal::open(folder.path()) else {
        panic!("two servers have one journal");
    };
    assert_eq!(failure.code(), Code::Busy);
    drop(journal);
    Journal::open(folder.path()).expect("it is free again");
}

#[test]
fn many_changes_share_a_transaction_and_each_is_told() {
    let folder = tempfile::tempdir().expect("a folder");
    let journal = Journal::open(folder.path()).expect("it opens");
    let (sender, receiver) = mpsc::channel();
    for _ in 0..1000 {
        let sender = sender.clone();
        let told = move |result: Result<Applied, Failure>| {
            let _ = sender.send(result.is_ok());
        };
        journal.hand_in(Change::Accept(Box::new(job(None))), Box::new(told));
    }
    drop(sender);
    assert_eq!(
        receiver.iter().filter(|is_durable| *is_durable).count(),
        1000
    );
    assert_eq!(journal.unfinished().expect("it reads").len(), 1000);
}

#[test]
fn some_are_forgotten_in_each_change() {
    let folder = tempfile::tempdir().expect("a folder");
    let journal = Journal::open(folder.path()).expect("it opens");
    for _ in 0..1001 {
        let id = accepted(&journal);
        let end = Change::Finish(id, 10, Box::new(success()));
        journal.hand_in(end, Box::new(|_| {}));
    }
    let left = || journal.list(None, None, 2000).expect("it reads").len();
    for (expected, rest) in [
        (Applied::Made, 1),
        (Applied::Made, 0),
        (Applied::Nothing, 0),
    ] {
        assert_eq!(done(&journal, Change::Forget(11)), expected);
        assert_eq!(left(), rest);
    }
}

#[test]
fn a_damaged_database_is_no_fault_of_a_request() {
    let folder = tempfile::tempdir().expect("a folder");
    let journal = Journal::open(folder.path()).expect("it opens");
    for _ in 0..300 {
        accepted(&journal);
    }
    let path = folder.path().join("jobs.sqlite");
    let other = Connection::open(&path).expect("it opens");
    let emptied = other.pragma_update(None, "wal_checkpoint", "truncate");
    drop((emptied, other));
    let length = std::fs::metadata(&path).expect("it is there").len() as usize;
    let mut bytes = std::fs::read(&path).expect("it reads");
    bytes[100..length].fill(0xff);
    std::fs::write(&path, bytes).expect("it writes");
    let failure = journal.list(None, None, 1000).expect_err("it is damaged");
    assert_eq!(failure.code(), Code::Changed);
    assert!(!journal.is_healthy());
}
