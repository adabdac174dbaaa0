"""The durable truth about jobs: SQLite, with a write-ahead log that is on the disk before anyone is told.

States that are final never change: a trigger in the database refuses it, whoever asks. Witnesses and inputs are not in
here. One process at a time has the journal.
"""

from __future__ import annotations

import errno
import fcntl
import os
import sqlite3
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Self

from ..errors import BadInput, TryAgain


@dataclass(frozen=True)
class Entry:
    """A job as it is asked for."""

    id: str
    key_digest: str
    fingerprint: str
    """Of its inputs, under the key of the fleet."""


@dataclass(frozen=True)
class Record:
    """A job as it is known."""

    id: str
    state: str
    attempts: int
    proof: str | None
    public_signals: str | None
    code: str | None
    message: str | None


class Journal:
    """The journal of one submitter."""

    def __init__(self, path: Path) -> None:
        self._path = path
        with _telling_of_room(path):
            path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
            self._lock = os.open(path.with_name(path.name + ".lock"), os.O_RDWR | os.O_CREAT, 0o600)
        try:
            fcntl.flock(self._lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as error:
            os.close(self._lock)
            raise TryAgain(f"{path}: another process has this journal", "busy", 3) from error
        try:
            self._database = _opened(path)
        except BaseException:
            os.close(self._lock)  # so that the same process may try again
            raise

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self._database.close()
        os.close(self._lock)

    def accept(self, entries: Iterable[Entry]) -> None:
        """Adds jobs that are not known, all or none. The id of another job raises `BadInput`."""
        now = time.time()
        with self._transaction():
            for entry in entries:
                self._database.execute(
                    "INSERT OR IGNORE INTO jobs (id, key_digest, fingerprint, state, created) VALUES (?, ?, ?, 'queued', ?)",
                    (entry.id, entry.key_digest, entry.fingerprint, now),
                )
                row = self._database.execute("SELECT key_digest, fingerprint FROM jobs WHERE id = ?", (entry.id,))
                if row.fetchone() != (entry.key_digest, entry.fingerprint):
                    message = f"job {entry.id} is known with another key or other inputs, or of another key of the fleet"
                    raise BadInput(message, "conflict", 2)

    def unfinished(self, ids: Iterable[str]) -> list[str]:
        """Those of the jobs that have no final state, in their order."""
        final = {row[0] for row in self._database.execute("SELECT id FROM jobs WHERE state != 'queued'")}
        return [job for job in ids if job not in final]

    def begin(self, ids: Iterable[str]) -> None:
        """Counts an attempt at each."""
        with self._transaction():
            self._database.executemany("UPDATE jobs SET attempts = attempts + 1 WHERE id = ?", [(job,) for job in ids])

    def attempts(self, job: str) -> int:
        """Attempts at a job so far."""
        [count] = self._database.execute("SELECT attempts FROM jobs WHERE id = ?", (job,)).fetchone()
        return int(count)

    def succeed(self, proofs: Iterable[tuple[str, str, str]]) -> None:
        """Jobs have proofs and public signals, which were verified."""
        now = time.time()
        with self._transaction():
            self._database.executemany(
                "UPDATE jobs SET state = 'succeeded', proof = ?, public = ?, finished = ? WHERE id = ?",
                [(proof, public, now, job) for job, proof, public in proofs],
            )

    def fail(self, job: str, code: str, message: str) -> None:
        """A job has no proof, and will not have one."""
        with self._transaction():
            self._database.execute(
                "UPDATE jobs SET state = 'failed', code = ?, message = ?, finished = ? WHERE id = ?",
                (code, message, time.time(), job),
            )

    def records(self, ids: Iterable[str] | None = None) -> list[Record]:
        """Jobs, all of them or these, in the order of their acceptance."""
        return _records(self._database, ids)

    @contextmanager
    def _transaction(self) -> Iterator[None]:
        """All is written, or nothing. Raises `TryAgain` if there is no room for it."""
        with _telling_of_room(self._path), self._database:
            yield


def read(path: Path) -> list[Record]:
    """All jobs, also of a journal that another process has open."""
    if not path.is_file():
        return []
    database = sqlite3.connect(f"{path.resolve().as_uri()}?mode=ro", uri=True, timeout=BUSY_SECONDS)
    try:
        # Even a reader needs a file beside the journal.
        with _telling_of_room(path):
            return _records(database, None)
    finally:
        database.close()


def _records(database: sqlite3.Connection, ids: Iterable[str] | None) -> list[Record]:
    wanted = None if ids is None else set(ids)
    rows = database.execute("SELECT id, state, attempts, proof, public, code, message FROM jobs ORDER BY number")
    return [Record(*row) for row in rows if wanted is None or row[0] in wanted]


def _opened(path: Path) -> sqlite3.Connection:
    with _telling_of_room(path):
        os.close(os.open(path, os.O_RDWR | os.O_CREAT, 0o600))
    # Threads take turns: whoever writes holds a lock of the driver's.
    database = sqlite3.connect(path, timeout=BUSY_SECONDS, check_same_thread=False)
    try:
        with _telling_of_room(path):
            database.execute("PRAGMA journal_mode = WAL")
            database.execute("PRAGMA synchronous = FULL")
            database.execute("PRAGMA trusted_schema = OFF")
            database.executescript(TABLES)
    except TryAgain:
        database.close()
        raise
    except sqlite3.DatabaseError as error:
        database.close()
        raise BadInput(f"{path}: {error}", "bad_input", 2) from error
    return database


@contextmanager
def _telling_of_room(path: Path) -> Iterator[None]:
    """A full disk is no fault of the file: `TryAgain` for what says that the disk is full, or does not write."""
    try:
        yield
    except sqlite3.OperationalError as error:
        # The lowest byte is the kind of an extended code.
        if getattr(error, "sqlite_errorcode", 0) & 0xFF in (sqlite3.SQLITE_FULL, sqlite3.SQLITE_IOERR):
            raise TryAgain(f"{path}: {error}", "no_space", 3) from error
        raise
    except OSError as error:
        if error.errno in (errno.ENOSPC, errno.EDQUOT):
            raise TryAgain(f"{path}: {error.strerror}", "no_space", 3) from error
        raise


BUSY_SECONDS = 5.0

TABLES = """
CREATE TABLE IF NOT EXISTS jobs (
    number INTEGER PRIMARY KEY AUTOINCREMENT,
    id TEXT NOT NULL UNIQUE,
    key_digest TEXT NOT NULL,
    fingerprint TEXT NOT NULL,
    state TEXT NOT NULL CHECK (state IN ('queued', 'succeeded', 'failed')),
    attempts INTEGER NOT NULL DEFAULT 0,
    created REAL NOT NULL,
    finished REAL,
    proof TEXT,
    public TEXT,
    code TEXT,
    message TEXT,
    CHECK ((state = 'succeeded') = (proof IS NOT NULL AND public IS NOT NULL)),
    CHECK ((state = 'failed') = (code IS NOT NULL))
);
CREATE TRIGGER IF NOT EXISTS final_states_stay BEFORE UPDATE ON jobs WHEN OLD.state != 'queued'
BEGIN SELECT RAISE(ABORT, 'a job that has ended does not change'); END;
"""
