//! The tables, and what the database itself refuses.

use std::path::Path;
use std::time::Duration;

use rusqlite::{Connection, OpenFlags, Result};

/// Opens the database to write, and makes it if it is not there.
pub fn open(path: &Path) -> Result<Connection> {
    make_private(path);
    let connection = Connection::open(path)?;
    connection.busy_timeout(BUSY)?;
    // Set before the first page is written: pages that results leave can go back to the disk.
    connection.pragma_update(None, "auto_vacuum", "INCREMENTAL")?;
    // The log and what is in it stay valid through kill -9; FULL waits for the disk, so through a loss of power too.
    connection.pragma_update(None, "journal_mode", "WAL")?;
    connection.pragma_update(None, "synchronous", "FULL")?;
    connection.pragma_update(None, "journal_size_limit", LARGEST_LOG)?;
    connection.pragma_update(None, "secure_delete", true)?;
    connection.pragma_update(None, "trusted_schema", false)?;
    connection.execute_batch(TABLES)?;
    let gives_back: i64 = connection.query_row("PRAGMA auto_vacuum", [], |row| row.get(0))?;
    if gives_back == 0 {
        // An earlier version's, which is written anew once. It works as well if there is no room for that.
        let _ = connection.execute_batch("VACUUM");
        empty_log(&connection);
    }
    Ok(connection)
}

/// Opens the database to read.
pub fn open_to_read(path: &Path) -> Result<Connection> {
    let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let connection = Connection::open_with_flags(path, flags)?;
    connection.busy_timeout(BUSY)?;
    Ok(connection)
}

/// Copies the log to the database and begins it anew, if there is room and nobody reads. Its file stays as long as it
/// is: that room no other program takes.
pub fn empty_log(connection: &Connection) {
    let _ = connection.busy_timeout(BUSY_WHEN_FULL);
    // Its row says whether it was done. If it was not, it is tried again later.
    let _ = connection.query_row("PRAGMA wal_checkpoint(RESTART)", [], |_| Ok(()));
    let _ = connection.busy_timeout(BUSY);
}

/// Gives pages that hold nothing back to the disk, in steps that need little room; not more than 16 MiB at once.
pub fn shrink(connection: &Connection) {
    for _ in 0..STEPS {
        let free = connection.query_row("PRAGMA freelist_count", [], |row| row.get::<_, i64>(0));
        if !free.is_ok_and(|free| free > 0) || vacuum(connection).is_err() {
            return;
        }
        empty_log(connection);
    }
}

/// One step. SQLite tells of each page by a row, and goes on only when it is asked for the next.
fn vacuum(connection: &Connection) -> Result<()> {
    let mut statement = connection.prepare("PRAGMA incremental_vacuum(128)")?;
    let mut rows = statement.query([])?;
    while rows.next()?.is_some() {}
    Ok(())
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

/// When the disk is full others wait for the answer that it is.
const BUSY_WHEN_FULL: Duration = Duration::from_millis(100);

/// Bytes that the file of the log keeps when it is begun anew: as many as it has before it is copied.
const LARGEST_LOG: i64 = 4 << 20;

const STEPS: usize = 32;

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
