"""The driver: `python -m frumious.fleet.driver`, a child of `supervise`, which tells it what to do on stdin.

When Ray's head is gone, Ray ends this process with code 1 and without an exception. So whatever must not be lost is in
the journal, and whoever waits for the driver begins it anew. It tells events on stdout, a line of JSON each; the last
is `end`. Its stdin stays open for as long as its parent lives.
"""

from __future__ import annotations

import json
import os
import sys
import threading
import time
import traceback
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, TextIO

from .. import _native
from ..errors import BadInput, FrumiousError, TryAgain
from . import care
from .attend import Attendant, Office, Tell
from .engine import Fleet, Lost, Node
from .jobs import Job, read_jobs
from .journal import Entry, Journal
from .node import SMALL_DOMAIN, SMALL_LANES
from .schedule import Circuit, Queue
from .seal import Seal
from .store import digest_of


@dataclass(frozen=True)
class Order:
    """What is wanted."""

    address: str
    jobs: str
    journal: str
    allow_uncontributed: bool = False
    batch: int = 16
    attempts: int = 5
    seconds: float = 3600.0
    """For a batch, before its node counts as lost."""
    patience: float = 60.0
    """Seconds without any node that may work."""

    def text(self) -> str:
        """As a line."""
        return json.dumps(asdict(self))


def drive(order: Order, tell: Tell) -> None:
    """Proves all jobs of an order that the journal has no result of."""
    care.refuse_open_doors()
    seal = Seal.of_environment()
    jobs = read_jobs(Path(order.jobs))
    with Journal(Path(order.journal)) as journal:
        registry = Registry(order.allow_uncontributed)
        circuits = {job.id: registry.circuit(job) for job in jobs}
        journal.accept(
            Entry(job.id, circuits[job.id].key_digest, seal.fingerprint(_inputs(job, circuits[job.id]))) for job in jobs
        )
        left = set(journal.unfinished(job.id for job in jobs))
        tell({"event": "accepted", "jobs": len(jobs), "left": len(left)})
        if left:
            queue = Queue([(circuits[job.id], job) for job in jobs if job.id in left], order.batch)
            fleet = Fleet(order.address)
            version = care.version()
            office = Office(
                fleet,
                queue,
                journal,
                seal,
                tell,
                order.attempts,
                order.seconds,
                order.allow_uncontributed,
                threading.Lock(),
                version,
            )
            Crew(office, order.patience).work()
            fleet.close()
        states = [record.state for record in journal.records(job.id for job in jobs)]
    tell({"event": "end", "succeeded": states.count("succeeded"), "failed": states.count("failed")})


class Registry:
    """Circuits by their files, each looked at once."""

    def __init__(self, allow_uncontributed: bool) -> None:
        self._allow_uncontributed = allow_uncontributed
        self._keys: dict[Path, tuple[str, _native.Key, str]] = {}
        self._generators: dict[Path, str] = {}

    def circuit(self, job: Job) -> Circuit:
        """Of a job."""
        if job.key not in self._keys:
            key = _native.Key(job.key)
            if not key.contributed and not self._allow_uncontributed:
                message = f"{job.key}: nobody contributed to the key, so that anyone can forge proofs"
                raise BadInput(message, "uncontributed", 2)
            self._keys[job.key] = digest_of(job.key), key, _native.verification_key(job.key)[0]
        digest, key, vkey = self._keys[job.key]
        generator = None
        if job.generator is not None:
            if job.generator not in self._generators:
                self._generators[job.generator] = digest_of(job.generator)
            generator = self._generators[job.generator]
        lanes = SMALL_LANES if key.domain_size <= SMALL_DOMAIN else 1
        memory = key.predicted_memory * lanes + PROCESS_BYTES
        return Circuit(job.key, digest, job.generator, generator, vkey, key.n_public, memory)


class Crew:
    """An attendant for each node, also for those that come later."""

    def __init__(self, office: Office, patience: float) -> None:
        self._office = office
        self._patience = patience
        self._at_work: dict[str, threading.Thread] = {}
        self._refused: set[str] = set()
        self._losses: dict[str, int] = {}
        self._broken: BaseException | None = None

    def work(self) -> None:
        """Until nothing is left. Raises `TryAgain` if no node may work for too long."""
        alone_since = time.monotonic()
        while self._office.queue.left and self._broken is None:
            for node in self._office.fleet.nodes():
                if node.id not in self._at_work and node.id not in self._refused:
                    thread = threading.Thread(target=self._attend, args=(node,), daemon=True)
                    self._at_work[node.id] = thread
                    thread.start()
            if self._at_work:
                alone_since = time.monotonic()
            elif time.monotonic() - alone_since > self._patience:
                message = f"{self._office.queue.left} jobs are left, and no node may work on them"
                raise TryAgain(message, "unreachable", 3)
            time.sleep(LOOK_SECONDS)
        if self._broken is not None:
            raise self._broken
        for thread in list(self._at_work.values()):
            thread.join(JOIN_SECONDS)

    def _attend(self, node: Node) -> None:
        tell = self._office.tell
        tell({"event": "node", "node": node.id, "state": "met", "cores": node.cores})
        try:
            refusal = Attendant(self._office, node).attend()
            if refusal is not None:
                self._refused.add(node.id)
                tell({"event": "node", "node": node.id, "state": "refused", "message": refusal})
        except Lost as lost:
            self._losses[node.id] = self._losses.get(node.id, 0) + 1
            if self._losses[node.id] >= MOST_LOSSES:
                self._refused.add(node.id)
            tell({"event": "node", "node": node.id, "state": "lost", "message": str(lost)})
            time.sleep(LOOK_SECONDS)
        except BaseException as error:
            self._broken = error
        finally:
            self._at_work.pop(node.id, None)


def _inputs(job: Job, circuit: Circuit) -> bytes:
    """What tells the inputs of a job from others."""
    return (circuit.generator_digest or "").encode() + b"\n" + job.read_secret()


def main(stdin: TextIO = sys.stdin, stdout: TextIO = sys.stdout) -> int:
    """Drives, as its parent says. Ends with its parent."""
    care.keep_from_others()
    line = stdin.readline()
    lock = threading.Lock()

    def tell(event: dict[str, object]) -> None:
        with lock:
            print(json.dumps(event), file=stdout, flush=True)

    def end_with_parent() -> None:
        while stdin.readline():
            pass
        os._exit(3)

    threading.Thread(target=end_with_parent, daemon=True).start()
    try:
        fields: dict[str, Any] = json.loads(line)
        drive(Order(**fields), tell)
    except FrumiousError as error:
        tell({"event": "stopped", "code": error.code, "exit_code": error.exit_code, "message": error.message})
        return error.exit_code
    except Exception as error:
        place = "; ".join(f"{Path(frame.filename).name}:{frame.lineno}" for frame in traceback.extract_tb(error.__traceback__))
        message = f"{type(error).__name__} at {place}"
        tell({"event": "stopped", "code": "internal", "exit_code": 3, "message": message})
        return 3
    return 0


PROCESS_BYTES = 256 << 20
"""Of Python, Ray and the library."""
LOOK_SECONDS = 1.0
JOIN_SECONDS = 10.0
MOST_LOSSES = 5

if __name__ == "__main__":
    code = main()
    sys.stdout.flush()
    os._exit(code)  # threads that wait for a lost node would keep the process
