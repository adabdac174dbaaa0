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
import traceback
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, TextIO

from .. import _native
from ..errors import BadInput, FrumiousError
from . import care
from .attend import Attendant, Office
from .crew import Crew, Tell
from .engine import Fleet
from .jobs import Job, read_jobs
from .journal import Entry, Journal
from .node import SMALL_DOMAIN, SMALL_LANES
from .schedule import Circuit, Queue
from .seal import Seal
from .shards import prove_in_shards
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
    shards: int = 0
    """Ranges of a key that nodes work on at once for one proof; none: a proof is one node's."""
    randomness_for_tests: str = ""
    """r and s, to compare sharded proofs: such proofs are not zero-knowledge."""
    patience: float = 60.0
    """Seconds without any node that may work."""

    def text(self) -> str:
        """As a line."""
        return json.dumps(asdict(self))


def drive(order: Order, tell: Tell) -> None:
    """Proves all jobs of an order that the journal has no result of."""
    care.refuse_open_doors()
    care.check_address(order.address)
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
            tasks = [(circuits[job.id], job) for job in jobs if job.id in left]
            fleet = Fleet(order.address)
            office = Office(fleet, journal, seal, tell, order.seconds, order.allow_uncontributed, threading.Lock())
            if order.shards:
                randomness = bytes.fromhex(order.randomness_for_tests) or None
                prove_in_shards(office, tasks, order.shards, order.patience, randomness)
            else:
                prove_in_batches(office, tasks, order)
            fleet.close()
        states = [record.state for record in journal.records(job.id for job in jobs)]
    tell({"event": "end", "succeeded": states.count("succeeded"), "failed": states.count("failed")})


def prove_in_batches(office: Office, tasks: list[tuple[Circuit, Job]], order: Order) -> None:
    """Proves many jobs, each on one node."""
    queue = Queue(tasks, order.batch)
    crew = Crew(office.fleet, office.tell, order.patience, lambda node: Attendant(office, queue, node, order.attempts).attend())
    crew.work(lambda: queue.left)


class Registry:
    """Circuits by their files, each looked at once."""

    def __init__(self, allow_uncontributed: bool) -> None:
        self._allow_uncontributed = allow_uncontributed
        self._keys: dict[Path, tuple[str, _native.Key, str]] = {}
        self._generators: dict[Path, str] = {}

    def circuit(self, job: Job) -> Circuit:
        """Of a job."""
        return self.of(job.key, job.generator)

    def of(self, path: Path, generator: Path | None) -> Circuit:
        """Of files."""
        if path not in self._keys:
            key = _native.Key(path)
            if not key.contributed and not self._allow_uncontributed:
                message = f"{path}: nobody contributed to the key, so that anyone can forge proofs"
                raise BadInput(message, "uncontributed", 2)
            self._keys[path] = digest_of(path), key, _native.verification_key(path)[0]
        digest, key, vkey = self._keys[path]
        generator_digest = None
        if generator is not None:
            if generator not in self._generators:
                self._generators[generator] = digest_of(generator)
            generator_digest = self._generators[generator]
        lanes = SMALL_LANES if key.domain_size <= SMALL_DOMAIN else 1
        memory = key.predicted_memory * lanes + PROCESS_BYTES
        return Circuit(path, digest, generator, generator_digest, vkey, key.n_public, memory, lanes=lanes)


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

if __name__ == "__main__":
    code = main()
    sys.stdout.flush()
    os._exit(code)  # threads that wait for a lost node would keep the process
