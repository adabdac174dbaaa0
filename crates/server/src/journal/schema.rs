//! The tables, and what the database itself refuses.

use std::path::Path;
use std::time::Duration;

use rusqlite::{Connection, OpenFlags, Result};

/// Opens the database to write, and makes it if it is not there.
pub fn open(path: &Path) -> Result<Connection> {
    make_private(path);
    let connection = Connection::open(path)?;
    connection.busy_timeout(BUSY)?;
    // The log and what is in it stay valid through kill -9; FULL waits for the disk, so through a loss of power too.
    connection.pragma_update(None, "journal_mode", "WAL")?;
    connection.pragma_update(None, "synchronous", "FULL")?;
    connection.pragma_update(None, "secure_delete", true)?;
    connection.pragma_update(None, "trusted_schema", false)?;
    connection.execute_batch(TABLES)?;
    Ok(connection)
}

/// Opens the database to read.
pub fn open_to_read(path: &Path) -> Result<Connection> {
    let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let connection = Connection::open_with_flags(path, flags)?;
    connection.busy_timeout(BUSY)?;
    Ok(connection)
}

/// Proofs are their owners': the file is for the server's user alone.
fn make_private(path: &Path) {
    let mut options = std::fs::File::options();
    options.create_new(true).write(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    let _ = options.open(path); // it may be there
}

/// Readers and the writer are of one process, and wait for each other only while the log is begun anew.
const BUSY: Duration = Duration::from_secs(5);

/// `number` is the order of requests. AUTOINCREMENT never gives a number twice, so that a cursor stays right.
const TABLES: &str = "
CREATE TABLE IF NOT EXISTS jobs (
    number INTEGER PRIMARY KEY AUTOINCREMENT,
    id TEXT NOT NULL UNIQUE,
    circuit TEXT NOT NULL,
    key_digest TEXT NOT NULL,
    owner TEXT NOT NULL,
    idempotency_key TEXT,
    kind TEXT NOT NULL CHECK (kind IN ('witness', 'inputs')),
    state TEXT NOT NULL CHECK (state IN ('queued', 'running', 'succeeded', 'failed', 'cancelled', 'expired')),
    attempts INTEGER NOT NULL DEFAULT 0,
    created INTEGER NOT NULL,
    started INTEGER,
    finished INTEGER,
    deadline INTEGER NOT NULL,
    sealed BLOB,
    proof TEXT,
    public TEXT,
    code TEXT,
    message TEXT,
    CHECK ((state = 'succeeded') = (proof IS NOT NULL AND public IS NOT NULL)),
    CHECK ((state IN ('queued', 'running')) = (finished IS NULL)),
    CHECK (finished IS NULL OR sealed IS NULL)
) STRICT;
CREATE UNIQUE INDEX IF NOT EXISTS by_idempotency_key ON jobs (owner, idempotency_key)
    WHERE idempotency_key IS NOT NULL;
CREATE INDEX IF NOT EXISTS by_owner ON jobs (owner, number);
CREATE INDEX IF NOT EXISTS unfinished ON jobs (number) WHERE finished IS NULL;
CREATE INDEX IF NOT EXISTS by_end ON jobs (finished) WHERE finished IS NOT NULL;
CREATE TRIGGER IF NOT EXISTS a_final_state_never_changes BEFORE UPDATE ON jobs
    WHEN OLD.state NOT IN ('queued', 'running')
    BEGIN SELECT RAISE(ABORT, 'a final state never changes'); END;
CREATE TRIGGER IF NOT EXISTS only_a_final_job_is_forgotten BEFORE DELETE ON jobs
    WHEN OLD.state IN ('queued', 'running')
    BEGIN SELECT RAISE(ABORT, 'a job that is not final is not forgotten'); END;
";
