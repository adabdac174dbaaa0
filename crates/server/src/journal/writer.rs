//! The thread that writes.

use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::mpsc::{Receiver, RecvTimeoutError, TryRecvError};
use std::time::Duration;

use frumious_app::failure::{Code, Failure};
use rusqlite::{Connection, OptionalExtension, params};

use super::{Applied, Change, JobId, NewJob, Outcome, State, Told, failure};
use crate::clock::Millis;

/// Writes all changes that come, as many as wait in one transaction, until no sender is left.
pub fn write(mut connection: Connection, waiting: &Receiver<(Change, Told)>, healthy: &AtomicBool) {
    // Ends of jobs that the disk did not take. They come first, as others may rest on them.
    let mut again: Vec<(Change, Told)> = Vec::new();
    loop {
        let (mut batch, is_last) = collect(waiting, std::mem::take(&mut again));
        if batch.is_empty() && is_last {
            return;
        }
        match apply(&mut connection, &batch) {
            Ok(applied) => {
                healthy.store(true, Relaxed);
                for ((_, told), applied) in batch.into_iter().zip(applied) {
                    told(Ok(applied));
                }
            }
            // One change that the database refuses is not to stop the others.
            Err(error) if !may_pass(&error) => {
                let mut is_sound = true;
                for (change, told) in batch {
                    let one = [(change, told)];
                    let applied = apply(&mut connection, &one);
                    let [(_, told)] = one;
                    told(match applied {
                        Ok(applied) => applied.into_iter().next().ok_or_else(nothing),
                        Err(error) => {
                            is_sound &= failure(&error).code() != Code::Changed;
                            Err(failure(&error))
                        }
                    });
                }
                healthy.store(is_sound, Relaxed);
            }
            Err(error) => {
                healthy.store(false, Relaxed);
                let ends = |change: &Change| matches!(change, Change::Finish(..));
                for (change, told) in batch.drain(..) {
                    match ends(&change) && !is_last {
                        true => again.push((change, told)),
                        false => told(Err(failure(&error))),
                    }
                }
            }
        }
        if is_last {
            return;
        }
    }
}

/// True for what the disk or another process is to blame for.
fn may_pass(error: &rusqlite::Error) -> bool {
    let code = failure(error).code();
    matches!(
        code,
        Code::NoSpace | Code::Permission | Code::Busy | Code::MemoryLimit
    )
}

fn nothing() -> Failure {
    Failure::bad_input("the journal: no answer")
}

/// All changes that wait, behind those that are tried again; true if there will be no others.
fn collect(
    waiting: &Receiver<(Change, Told)>,
    mut batch: Vec<(Change, Told)>,
) -> (Vec<(Change, Told)>, bool) {
    let first = match batch.is_empty() {
        true => waiting.recv().map_err(|_| RecvTimeoutError::Disconnected),
        false => waiting.recv_timeout(BETWEEN_TRIES),
    };
    match first {
        Ok(first) => batch.push(first),
        Err(RecvTimeoutError::Timeout) => return (batch, false),
        Err(RecvTimeoutError::Disconnected) => return (batch, true),
    }
    while batch.len() < MOST_AT_ONCE {
        match waiting.try_recv() {
            Ok(change) => batch.push(change),
            Err(TryRecvError::Empty) => break,
            Err(TryRecvError::Disconnected) => return (batch, true),
        }
    }
    (batch, false)
}

fn apply(connection: &mut Connection, batch: &[(Change, Told)]) -> rusqlite::Result<Vec<Applied>> {
    let transaction = connection.transaction()?;
    let applied = batch.iter().map(|(change, _)| match change {
        Change::Accept(job) => accept(&transaction, job),
        Change::Start(id, now) => start(&transaction, id, *now),
        Change::Finish(id, now, outcome) => finish(&transaction, id, *now, outcome),
        Change::Forget(before) => forget(&transaction, *before),
    });
    let applied: Vec<Applied> = applied.collect::<rusqlite::Result<_>>()?;
    transaction.commit()?;
    Ok(applied)
}

fn accept(connection: &Connection, job: &NewJob) -> rusqlite::Result<Applied> {
    if let Some(key) = &job.idempotency_key {
        let sql = "SELECT id FROM jobs WHERE owner = ?1 AND idempotency_key = ?2";
        let mut statement = connection.prepare_cached(sql)?;
        let known: Option<String> = statement
            .query_row([&job.owner, key], |row| row.get(0))
            .optional()?;
        if let Some(known) = known.as_deref().and_then(JobId::parse) {
            return Ok(Applied::Known(known));
        }
    }
    let mut statement = connection.prepare_cached(
        "INSERT INTO jobs (id, circuit, key_digest, owner, idempotency_key, kind, state, created, deadline, sealed)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10)",
    )?;
    statement.execute(params![
        job.id.as_str(),
        job.circuit,
        job.key_digest,
        job.owner,
        job.idempotency_key,
        job.kind.name(),
        State::Queued.name(),
        job.created,
        job.deadline,
        job.sealed,
    ])?;
    Ok(Applied::Made)
}

fn start(connection: &Connection, id: &JobId, now: Millis) -> rusqlite::Result<Applied> {
    let mut statement = connection.prepare_cached(
        "UPDATE jobs SET state = 'running', started = ?2, attempts = attempts + 1
         WHERE id = ?1 AND state IN ('queued', 'running')",
    )?;
    Ok(made(statement.execute(params![id.as_str(), now])?))
}

fn finish(
    connection: &Connection,
    id: &JobId,
    now: Millis,
    outcome: &Outcome,
) -> rusqlite::Result<Applied> {
    let (mut proof, mut public, mut code, mut message) = (None, None, None, None);
    match outcome {
        Outcome::Succeeded {
            proof: made,
            public: signals,
        } => (proof, public) = (Some(made), Some(signals)),
        Outcome::Failed {
            code: word,
            message: line,
        } => (code, message) = (Some(word), Some(line)),
        Outcome::Cancelled | Outcome::Expired => {}
    }
    let mut statement = connection.prepare_cached(
        "UPDATE jobs SET state = ?2, finished = ?3, proof = ?4, public = ?5, code = ?6, message = ?7, sealed = NULL
         WHERE id = ?1 AND state IN ('queued', 'running')",
    )?;
    let state = outcome.state().name();
    let changed = statement.execute(params![
        id.as_str(),
        state,
        now,
        proof,
        public,
        code,
        message
    ])?;
    Ok(made(changed))
}

fn forget(connection: &Connection, before: Millis) -> rusqlite::Result<Applied> {
    let mut statement = connection.prepare_cached(
        "DELETE FROM jobs WHERE number IN
         (SELECT number FROM jobs WHERE finished IS NOT NULL AND finished < ?1 LIMIT ?2)",
    )?;
    Ok(made(statement.execute([before, MOST_FORGOTTEN])?))
}

fn made(rows: usize) -> Applied {
    match rows {
        0 => Applied::Nothing,
        _ => Applied::Made,
    }
}

/// Jobs that one change forgets.
const MOST_FORGOTTEN: i64 = 1000;

/// Changes in one transaction.
const MOST_AT_ONCE: usize = 256;

/// While the disk is full.
const BETWEEN_TRIES: Duration = Duration::from_millis(200);
