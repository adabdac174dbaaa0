"""The attendant of one node: a thread that greets it, gives it batches, and judges what it returns.

At most two batches are on their way to a node, so that the object store holds little. Results come when a batch ends,
so that a batch is short. Every proof is verified here before it is in the journal. A node that returns a wrong one gets
no more work.
"""

from __future__ import annotations

import json
import math
import time
from collections import deque
from collections.abc import Iterable
from dataclasses import dataclass, field
from threading import Lock
from typing import Any, Protocol

from .. import _native
from ..errors import BadInput, FrumiousError
from .crew import Tell
from .engine import Fleet, Late, Lost, Node
from .greet import Refused, greet
from .jobs import Job
from .node import Outcome, Prover, is_final, packed, purpose
from .pace import Pace
from .packs import VALUE_BYTES, wires_of
from .schedule import Batch, Circuit, Name, Queue
from .seal import Seal
from .store import pieces


class Book(Protocol):
    """Where results go: the journal, or whoever has one."""

    def begin(self, ids: Iterable[str]) -> None:
        """A node has these jobs."""

    def succeed(self, proofs: Iterable[tuple[str, str, str]]) -> None:
        """Jobs have proofs and public signals, which were verified."""

    def fail(self, job: str, code: str, message: str) -> None:
        """A job has no proof, and will not have one."""


@dataclass
class Office:
    """What all attendants share."""

    fleet: Fleet
    journal: Book
    seal: Seal
    tell: Tell
    most_seconds: float | None
    """For a batch, before its node counts as lost. Without it a batch has time while a job of it is wanted."""
    allow_uncontributed: bool
    writing: Lock
    provers: dict[str, Any] = field(default_factory=dict)
    """Actors by the jobs that they have."""

    def stop(self, job: str) -> None:
        """Nobody wants this job's proof any more: its node stops it, if one has it."""
        prover = self.provers.get(job)
        if prover is not None:
            self.fleet.beside(prover.stop).remote(job)

    def fail(self, job: Job, code: str, message: str) -> None:
        """A job has no proof, and will not have one."""
        with self.writing:
            self.journal.fail(job.id, code, message)
        self.tell({"event": "failed", "job": job.id, "code": code, "message": message})


@dataclass
class Flight:
    """A batch on its way."""

    batch: Batch
    signals: list[list[str] | None]
    """Public signals of each witness that is given."""
    result: Any
    sent: float = 0.0
    """By the monotonic clock."""


class Attendant:
    """Attends one node."""

    def __init__(self, office: Office, queue: Queue, node: Node, most_losses: int) -> None:
        self._office, self._queue, self._node, self._most_losses = office, queue, node, most_losses
        self._placed: set[Name] = set()
        self._actor: Any = None
        self._pace = Pace(int(node.cores))

    def attend(self) -> str | None:
        """Works until nothing is left; the reason for which the node must not work any more, if there is one.

        Raises `Lost` if the node is gone: its jobs are given back before.
        """
        queue, fleet = self._queue, self._office.fleet
        try:
            self._actor, memory = greet(fleet, self._office.seal, self._node, Prover, queue.memory())
        except Refused as refused:
            return str(refused)
        flights: deque[Flight] = deque()
        free_since, has_worked = 0.0, False
        queue.enter()
        try:
            while True:
                while len(flights) < MOST_FLIGHTS:
                    batch = queue.take(memory, self._placed, not flights, self._pace.most)
                    if batch is None:
                        break
                    flight = self._send(batch)
                    if flight is not None:
                        flights.append(flight)
                if not flights:
                    return None
                results = self._results(flights[0])
                flight, now = flights.popleft(), time.monotonic()
                try:
                    proofs = self._judge(flight, results)
                except Refused as refused:
                    self._give_back(flights)
                    return str(refused)
                # A second batch waits at the node until the first has ended.
                has_worked = True
                self._pace.learn(flight.batch.circuit, now - max(flight.sent, free_since), proofs)
                free_since = now
        except Lost as lost:
            self._give_back(flights)
            lost.has_worked = has_worked
            raise
        finally:
            queue.leave()
            fleet.end(self._actor)

    def _results(self, flight: Flight) -> list[Outcome]:
        """What became of a batch. Raises `Lost` if the node takes too long."""
        office, until = self._office, math.inf
        while True:
            try:
                found: list[Outcome] = office.fleet.result(flight.result, office.most_seconds or LOOK_SECONDS)
                return found
            except Late:
                if office.most_seconds is not None:
                    raise
            if any(self._queue.wants(job.id) for job in flight.batch.jobs):
                continue
            # All were cancelled, or their deadlines have passed: the node was told to stop.
            until = min(until, time.monotonic() + STOP_SECONDS)
            if time.monotonic() >= until:
                raise Lost("it does not stop what nobody wants")

    def _send(self, batch: Batch) -> Flight | None:
        """None if no job of it can be sent."""
        office, circuit = self._office, batch.circuit
        jobs, given, signals = [], [], []
        for job in batch.jobs:
            if not self._queue.wants(job.id):
                self._queue.let_go(job.id)
                continue
            try:
                secret = job.read_secret()
                # Whatever is malformed goes to no node, which might read it in another way.
                public = None if circuit.generator else public_of(secret, circuit.n_public)
            except FrumiousError as error:
                self._fail(job, error.code, error.message)
                continue
            jobs.append(job)
            given.append(secret)
            signals.append(public)
        if not jobs:
            return None
        batch = Batch(circuit, jobs)
        ids = [job.id for job in jobs]
        try:
            self._place(circuit)
            with office.writing:
                office.journal.begin(ids)
            words = purpose(circuit.key_digest, circuit.generator_digest, ids)
            message = office.fleet.put(office.seal.seal(words, packed(given)))
            limits = circuit.limits.memory, circuit.limits.seconds
            office.provers.update(dict.fromkeys(ids, self._actor))
            sent = time.monotonic()
            result = self._actor.prove.remote(circuit.key_digest, circuit.generator_digest, ids, message, limits)
            for job_id in ids:
                if not self._queue.wants(job_id):  # since it was read
                    office.stop(job_id)
        except Lost:
            self._give_back([Flight(batch, signals, None)])
            raise
        return Flight(batch, signals, result, sent)

    def _place(self, circuit: Circuit) -> None:
        """Has the node keep the files of a circuit."""
        if circuit.name in self._placed:
            return
        fleet, actor = self._office.fleet, self._actor
        files = circuit.files()
        missing: list[str] = fleet.result(actor.missing.remote(list(files)), FILE_SECONDS)
        for digest in missing:
            for offset, piece in pieces(files[digest]):
                refusal: str | None = fleet.result(actor.write.remote(digest, offset, fleet.put(piece)), PIECE_SECONDS)
                if refusal is not None:
                    raise Lost(refusal)
            if not fleet.result(actor.finish.remote(digest), FILE_SECONDS):
                raise Lost("a file changed while it was sent")
            self._office.tell({"event": "placed", "node": self._node.id, "digest": digest})
        self._placed.add(circuit.name)

    def _judge(self, flight: Flight, results: list[Outcome]) -> int:
        """The number of proofs, which are told."""
        office, circuit = self._office, flight.batch.circuit
        if [result.job for result in results] != [job.id for job in flight.batch.jobs]:
            self._give_back([flight])
            raise Refused("results of other jobs")
        proofs, again, wrong = [], [], False
        for job, signals, result in zip(flight.batch.jobs, flight.signals, results, strict=True):
            office.provers.pop(job.id, None)
            if not self._queue.wants(job.id):
                self._queue.let_go(job.id)
            elif result.code is not None and is_final(result.code, result.exit_code, circuit.generator is not None):
                self._fail(job, result.code, result.message)
            elif result.code is not None:
                self._queue.tell(job.id, result.code, result.message)
                again.append(job)
            elif self._is_right(circuit, signals, result):
                proofs.append((job.id, str(result.proof), str(result.public_signals)))
            else:
                wrong = True
                again.append(job)
        if proofs:
            with office.writing:
                office.journal.succeed(proofs)
            for job_id, _, _ in proofs:
                office.tell({"event": "proved", "job": job_id, "node": self._node.id})
            self._queue.end(len(proofs))
        if again:
            self._give_back([Flight(Batch(circuit, again), [], None)])
        if wrong:
            raise Refused("a wrong proof")
        if again:
            time.sleep(RETRY_SECONDS)
        return len(proofs)

    def _is_right(self, circuit: Circuit, signals: list[str] | None, result: Outcome) -> bool:
        if result.proof is None or result.public_signals is None:
            return False
        try:
            if signals is not None and json.loads(result.public_signals) != signals:
                return False
            vkey, uncontributed = circuit.vkey, self._office.allow_uncontributed
            return _native.verify(vkey, result.public_signals, result.proof, uncontributed)
        except (FrumiousError, ValueError):
            return False

    def _give_back(self, flights: deque[Flight] | list[Flight]) -> None:
        for flight in flights:
            for job in flight.batch.jobs:
                self._office.provers.pop(job.id, None)
            for job in self._queue.give_back(flight.batch, self._most_losses):
                lost = "retries", f"no node could prove it in {self._most_losses} attempts"
                self._fail(job, *(self._queue.told(job.id) or lost))

    def _fail(self, job: Job, code: str, message: str) -> None:
        self._office.fail(job, code, message)
        self._queue.end(1)


def public_of(witness: bytes, n_public: int) -> list[str]:
    """The public signals of a `.wtns`. Raises `BadInput` if it is malformed."""
    wires = wires_of(witness)
    if len(wires) < VALUE_BYTES * (n_public + 1):
        raise BadInput("the witness has too few values for the key", "bad_input", 2)
    values = (wires[VALUE_BYTES * wire : VALUE_BYTES * (wire + 1)] for wire in range(1, n_public + 1))
    return [str(int.from_bytes(value, "little")) for value in values]


MOST_FLIGHTS = 2
PIECE_SECONDS = 600.0
FILE_SECONDS = 3600.0
"""For a node that reads whole files, before it counts as lost."""
LOOK_SECONDS = 5.0
STOP_SECONDS = 600.0
"""For a node that is to stop, before it counts as lost. Some steps of a large proof do not look at cancellations."""
RETRY_SECONDS = 0.5
