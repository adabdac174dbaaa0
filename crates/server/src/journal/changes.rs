//! Changes as statements of SQL.

use rusqlite::{Connection, OptionalExtension, params};

use super::{Applied, Change, JobId, NewJob, Outcome, State, Told};
use crate::clock::Millis;

/// A change, and who is told of it.
pub type Handed = (Change, Told);

/// Makes changes in one transaction. A [`Change::Forget`] forgets `most` jobs.
///
/// # Errors
/// Of SQLite: then none of them is made.
pub fn apply(
    connection: &mut Connection,
    batch: &[Handed],
    most: i64,
) -> rusqlite::Result<Vec<Applied>> {
    let transaction = connection.transaction()?;
    let applied = batch.iter().map(|(change, _)| match change {
        Change::Accept(job) => accept(&transaction, job),
        Change::Start(id, now) => start(&transaction, id, *now),
        Change::Leave(id) => leave(&transaction, id),
        Change::Finish(id, now, outcome) => finish(&transaction, id, *now, outcome),
        Change::Forget(before) => forget(&transaction, *before, most),
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

fn leave(connection: &Connection, id: &JobId) -> rusqlite::Result<Applied> {
    let mut statement = connection.prepare_cached(
        "UPDATE jobs SET attempts = attempts - 1 WHERE id = ?1 AND state = 'running' AND attempts > 0",
    )?;
    Ok(made(statement.execute(params![id.as_str()])?))
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

fn forget(connection: &Connection, before: Millis, most: i64) -> rusqlite::Result<Applied> {
    let mut statement = connection.prepare_cached(
        "DELETE FROM jobs WHERE number IN
         (SELECT number FROM jobs WHERE finished IS NOT NULL AND finished < ?1 LIMIT ?2)",
    )?;
    Ok(made(statement.execute([before, most])?))
}

fn made(rows: usize) -> Applied {
    match rows {
        0 => Applied::Nothing,
        _ => Applied::Made,
    }
}
