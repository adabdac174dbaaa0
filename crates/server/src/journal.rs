//! The durable truth about jobs: SQLite, with a write-ahead log that is on the disk before anyone is told.
//!
//! One thread writes. It takes all changes that wait, makes one transaction of them, and tells their senders. So many
//! clients share one wait for the disk. Readers have a connection of their own, and wait for no writer.
//!
//! States that are final never change: a trigger in the database refuses it, whoever asks.

mod changes;
mod record;
mod reserve;
mod schema;
mod writable;
mod writer;

use std::fs::{File, Metadata};
use std::io::Read;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::mpsc::{Sender, channel};
use std::sync::{Mutex, PoisonError};
use std::thread::JoinHandle;

use frumious_app::failure::{About, Code, Failure};
use rusqlite::{Connection, OptionalExtension, params};

use crate::clock::Millis;
pub use record::{JobId, Kind, NewJob, Outcome, Record, State};
use reserve::Reserve;
pub use writable::refuse_unmakable;
use writer::Writer;

/// A change of the journal.
pub enum Change {
    /// A job was accepted.
    Accept(Box<NewJob>),
    /// A job was begun, once more.
    Start(JobId, Millis),
    /// A job that was begun is left to the next server, in good order: that beginning does not count.
    Leave(JobId),
    /// A job has ended.
    Finish(JobId, Millis, Box<Outcome>),
    /// Final jobs that ended before are forgotten, up to a number of them.
    Forget(Millis),
}

/// A job that is not final, with its sealed input.
pub type Unfinished = (Record, Option<Vec<u8>>);

/// The effect of a change.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Applied {
    /// It was made.
    Made,
    /// The owner has a job under the idempotency key already: that one.
    Known(JobId),
    /// The job was final before, or is not there.
    Nothing,
}

/// Told when a change is durable, or why it cannot be.
pub type Told = Box<dyn FnOnce(Result<Applied, Failure>) + Send>;

/// The journal of one server. Dropped, it writes what waits, and closes.
pub struct Journal {
    changes: Option<Sender<(Change, Told)>>,
    writer: Option<JoinHandle<()>>,
    reader: Mutex<Connection>,
    healthy: std::sync::Arc<AtomicBool>,
    /// Held for as long as this process has the journal, and its path.
    lock: (File, PathBuf),
    /// True once the folder is no longer the one that was opened.
    is_gone: AtomicBool,
}

impl Journal {
    /// Opens the journal in `folder`, which another server must not have open.
    ///
    /// # Errors
    /// A [`Failure`] of exit code 2 or 3: another server has it, or the disk or the database is at fault.
    pub fn open(folder: &Path) -> Result<Self, Failure> {
        refuse_other_kinds(folder)?;
        refuse_unwritable(folder)?;
        let path = folder.join(DATABASE);
        let lock_path = folder.join(LOCK);
        let lock = lock(&lock_path)?;
        let sql = |error: rusqlite::Error| failure(&error).about(&path);
        let mut reserve = Reserve::new(folder);
        let connection = schema::open(&path).or_else(|error| {
            let is_full = failure(&error).code() == Code::NoSpace;
            match is_full && reserve.give_up() {
                true => schema::open(&path),
                false => Err(error),
            }
        });
        let connection = connection.map_err(sql)?;
        let reader = schema::open_to_read(&path).map_err(sql)?;
        let healthy = std::sync::Arc::new(AtomicBool::new(true));
        let (changes, waiting) = channel();
        let writer = std::thread::Builder::new()
            .name("journal".into())
            .spawn({
                let healthy = std::sync::Arc::clone(&healthy);
                let writer = Writer::new(connection, reserve, healthy);
                move || writer.write(&waiting)
            })
            .map_err(|error| Failure::of_system("cannot start a thread", &error))?;
        Ok(Self {
            changes: Some(changes),
            writer: Some(writer),
            reader: Mutex::new(reader),
            healthy,
            lock: (lock, lock_path),
            is_gone: AtomicBool::new(false),
        })
    }

    /// Looks whether there is a database in `folder`, or none yet, and whether it can be written. It takes no lock, and
    /// leaves no file.
    ///
    /// # Errors
    /// A [`Failure`] for a file that is no database, and for a folder, a pipe or a device in place of a file. Also for
    /// what cannot be written.
    pub fn check(folder: &Path) -> Result<(), Failure> {
        refuse_other_kinds(folder)?;
        refuse_unwritable(folder)?;
        let path = folder.join(DATABASE);
        let mut begin = Vec::new();
        let read = File::open(&path).and_then(|file| file.take(16).read_to_end(&mut begin));
        match read {
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(()),
            Err(error) => Err(Failure::of_system("cannot be read", &error).about(&path)),
            Ok(_) if begin.is_empty() || begin == SQLITE => Ok(()),
            Ok(_) => {
                let reason = "the journal: file is not a database";
                Err(Failure::new(Code::Changed, reason).about(&path))
            }
        }
    }

    /// Hands a change in. `told` is called by the writer's thread, and must not wait.
    ///
    /// The end of a job is tried again until the disk takes it; other changes fail at once. While the disk is full no
    /// job is accepted: what room there is belongs to ends, and to what makes room.
    pub fn hand_in(&self, change: Change, told: Told) {
        if matches!(change, Change::Accept(_)) && self.look_for_folder().is_err() {
            return told(Err(gone()));
        }
        let sent = self
            .changes
            .as_ref()
            .map(|changes| changes.send((change, told)));
        if let Some(Err(unsent)) = sent {
            let (_, told) = unsent.0;
            told(Err(Failure::new(Code::NoSpace, "the journal is closed")));
        }
    }

    /// Its folder.
    pub fn folder(&self) -> &Path {
        self.lock.1.parent().unwrap_or(Path::new("."))
    }

    /// False while the disk refuses to take changes, once the database is damaged, and while its folder is away.
    pub fn is_healthy(&self) -> bool {
        self.healthy.load(Relaxed) && !self.is_gone.load(Relaxed)
    }

    /// Looks whether the folder is the one that was opened. What is written to a removed one is lost at the end.
    ///
    /// # Errors
    /// A [`Failure`] if it is not.
    pub fn look_for_folder(&self) -> Result<(), Failure> {
        use std::os::unix::fs::MetadataExt;
        let (lock, path) = &self.lock;
        let of = |found: Metadata| (found.dev(), found.ino());
        let (ours, found) = (lock.metadata().map(of), std::fs::metadata(path).map(of));
        let is_there = ours.is_ok_and(|ours| found.is_ok_and(|found| found == ours));
        self.is_gone.store(!is_there, Relaxed);
        match is_there {
            true => Ok(()),
            false => Err(gone()),
        }
    }

    /// The job, if there is one of that name.
    ///
    /// # Errors
    /// A [`Failure`] if the database cannot be read.
    pub fn job(&self, id: &JobId) -> Result<Option<Record>, Failure> {
        self.read(|connection| {
            let sql = format!("SELECT {} FROM jobs WHERE id = ?1", record::COLUMNS);
            let mut statement = connection.prepare_cached(&sql)?;
            statement
                .query_row([id.as_str()], Record::of_row)
                .optional()
        })
    }

    /// The owner's job under an idempotency key.
    ///
    /// # Errors
    /// As [`Journal::job`].
    pub fn known(&self, owner: &str, key: &str) -> Result<Option<JobId>, Failure> {
        self.read(|connection| {
            let sql = "SELECT id FROM jobs WHERE owner = ?1 AND idempotency_key = ?2";
            let mut statement = connection.prepare_cached(sql)?;
            let id = |row: &rusqlite::Row<'_>| row.get(0);
            let found = statement.query_row([owner, key], id).optional()?;
            Ok(found.and_then(|id: String| JobId::parse(&id)))
        })
    }

    /// The `most` latest jobs below number `below`, those of `owner` if one is given.
    ///
    /// # Errors
    /// As [`Journal::job`].
    pub fn list(
        &self,
        owner: Option<&str>,
        below: Option<i64>,
        most: usize,
    ) -> Result<Vec<Record>, Failure> {
        self.read(|connection| {
            // Of an owner by the index: others' jobs cost nothing.
            let of_owner = owner.map_or("", |_| "AND owner = ?3");
            let sql = format!(
                "SELECT {} FROM jobs WHERE number < ?1 {of_owner} ORDER BY number DESC LIMIT ?2",
                record::WITHOUT_PROOFS
            );
            let mut statement = connection.prepare_cached(&sql)?;
            let most = i64::try_from(most).unwrap_or(i64::MAX);
            let below = below.unwrap_or(i64::MAX);
            let rows = match owner {
                Some(owner) => statement.query_map(params![below, most, owner], Record::of_row)?,
                None => statement.query_map(params![below, most], Record::of_row)?,
            };
            rows.collect()
        })
    }

    /// The jobs that are not final, in the order of their requests, with their sealed inputs.
    ///
    /// # Errors
    /// As [`Journal::job`].
    pub fn unfinished(&self) -> Result<Vec<Unfinished>, Failure> {
        self.read(|connection| {
            let sql = format!(
                "SELECT {}, sealed FROM jobs WHERE state IN ('queued', 'running') ORDER BY number",
                record::COLUMNS
            );
            let mut statement = connection.prepare(&sql)?;
            let row = |row: &rusqlite::Row<'_>| Ok((Record::of_row(row)?, row.get("sealed")?));
            statement.query_map([], row)?.collect()
        })
    }

    fn read<T>(
        &self,
        query: impl FnOnce(&Connection) -> rusqlite::Result<T>,
    ) -> Result<T, Failure> {
        let reader = self.reader.lock().unwrap_or_else(PoisonError::into_inner);
        query(&reader).map_err(|error| {
            let failure = failure(&error);
            if failure.code() == Code::Changed {
                self.healthy.store(false, Relaxed);
            }
            failure
        })
    }
}

impl Drop for Journal {
    fn drop(&mut self) {
        self.changes = None;
        // The writer's thread drops it if it has the last job's end to tell.
        let is_other =
            |writer: &JoinHandle<()>| writer.thread().id() != std::thread::current().id();
        if let Some(writer) = self.writer.take().filter(is_other) {
            let _ = writer.join(); // its failures were told one by one
        }
    }
}

fn gone() -> Failure {
    Failure::new(
        Code::Changed,
        "the journal: its folder was removed or replaced",
    )
}

/// An error of SQLite, without the values of the statement.
fn failure(error: &rusqlite::Error) -> Failure {
    use rusqlite::ErrorCode;
    let code = match error.sqlite_error_code() {
        Some(ErrorCode::DiskFull | ErrorCode::SystemIoFailure) => Code::NoSpace,
        Some(ErrorCode::PermissionDenied | ErrorCode::ReadOnly | ErrorCode::CannotOpen) => {
            Code::Permission
        }
        Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked) => Code::Busy,
        Some(ErrorCode::OutOfMemory) => Code::MemoryLimit,
        // By another program, or the disk.
        Some(ErrorCode::DatabaseCorrupt | ErrorCode::NotADatabase) => Code::Changed,
        _ => Code::BadInput,
    };
    Failure::new(code, format!("the journal: {error}"))
}

/// A pipe would hold the start until somebody writes to it. Of a folder SQLite tells only that it cannot open it.
fn refuse_other_kinds(folder: &Path) -> Result<(), Failure> {
    for name in FILES {
        let path = folder.join(name);
        if std::fs::metadata(&path).is_ok_and(|found| !found.is_file()) {
            return Err(Failure::bad_input("not a regular file").about(&path));
        }
    }
    Ok(())
}

fn refuse_unwritable(folder: &Path) -> Result<(), Failure> {
    writable::refuse_unwritable(folder, &FILES)
}

fn lock(path: &Path) -> Result<File, Failure> {
    let file = File::options()
        .create(true)
        .truncate(false)
        .write(true)
        .open(path)
        .map_err(|error| Failure::of_system("cannot be opened", &error))
        .about(path)?;
    match file.try_lock() {
        Ok(()) => Ok(file),
        Err(_) => Err(Failure::new(Code::Busy, "another server has this data folder").about(path)),
    }
}

const DATABASE: &str = "jobs.sqlite";
const LOCK: &str = "lock";

/// All files of a journal.
const FILES: [&str; 5] = [
    DATABASE,
    "jobs.sqlite-wal",
    "jobs.sqlite-shm",
    LOCK,
    reserve::FILE,
];

/// The beginning of each database.
const SQLITE: &[u8] = b"SQLite format 3\0";

#[cfg(test)]
mod full;
#[cfg(test)]
mod tests;
