"""One proof over several nodes: `prove JOBS --shards N`.

The vectors a, b and c of the quotient are a piece each. Sums over ranges of the key's parts are pieces, too. A node has
the ranges that its pieces need, and keeps them for the next proof. Vectors go from node to node, sealed, in ranges. The
submitter checks each sum, puts the proof together, blinds it and verifies it.
"""

from __future__ import annotations

import json
import secrets
import threading
import time
from dataclasses import dataclass
from typing import Any

from .. import _native
from .._groth16 import calculate_witness
from ..errors import BadInput, FrumiousError, Rejected, of_code
from .attend import RETRY_SECONDS, Office
from .crew import Crew
from .engine import Lost, Node
from .greet import Refused, greet
from .jobs import Job
from .node import Outcome, is_final, text_of
from .packs import VALUE_BYTES, KeyFile, Pack, wires_of
from .schedule import Circuit
from .shard_node import ShardProver, point_purpose, scalars_purpose, witness_purpose
from .yard import Piece, Yard


@dataclass
class Work:
    """A proof that is being made."""

    id: str
    file: KeyFile
    wires: bytes
    witness: Any
    """The sealed witness, in the object store."""
    shards: int

    @property
    def n_public(self) -> int:
        """Public signals."""
        return self.file.key.n_public

    def ranges(self) -> list[tuple[int, int]]:
        """Of the domain."""
        return ranges_of(self.file.key.domain_size, self.shards)


def prove_in_shards(
    office: Office,
    tasks: list[tuple[Circuit, Job]],
    shards: int,
    patience: float,
    randomness: bytes | None = None,
) -> None:
    """Proves jobs, one after the other, each by all nodes. `randomness` is for tests that compare proofs."""
    yard = Yard(len(tasks))
    broken: list[BaseException] = []

    def prove_all() -> None:
        files: dict[str, KeyFile] = {}
        try:
            for circuit, job in tasks:
                if circuit.key_digest not in files:
                    files = {circuit.key_digest: KeyFile(circuit.key, circuit.key_digest)}
                _prove(office, yard, files[circuit.key_digest], circuit, job, shards, randomness)
        except BaseException as error:
            broken.append(error)
        finally:
            yard.close()

    threading.Thread(target=prove_all, daemon=True).start()
    memory = [max(circuit.memory for circuit, _ in tasks)]
    crew = Crew(office.fleet, office.tell, patience, lambda node: ShardAttendant(office, yard, node, memory).attend())
    crew.work(lambda: yard.left)
    if broken:
        raise broken[0]


def pieces_of(file: KeyFile, shards: int, with_b1: bool) -> list[Piece]:
    """All pieces of a proof."""
    pieces = [Piece("vector", name, 0, file.key.domain_size) for name in "abc"]
    for part in ("a", "b1", "b2", "c", "h"):
        if part == "b1" and not with_b1:
            continue
        kind = "h" if part == "h" else "sum"
        pieces += [Piece(kind, part, first, count) for first, count in ranges_of(file.parts[part].entries, shards)]
    return pieces


def ranges_of(entries: int, shards: int) -> list[tuple[int, int]]:
    """First entry and number of each range; none is empty."""
    bounds = [entries * shard // shards for shard in range(shards + 1)]
    return [(first, end - first) for first, end in zip(bounds, bounds[1:], strict=False) if end > first]


def _prove(
    office: Office, yard: Yard, file: KeyFile, circuit: Circuit, job: Job, shards: int, randomness: bytes | None
) -> None:
    generates = circuit.generator is not None
    try:
        witness = job.read_secret()
        if circuit.generator is not None:
            witness = calculate_witness(circuit.generator, text_of(witness))
        generates = False
        proof, public = _attempted(office, yard, file, witness, shards, randomness)
    except FrumiousError as error:
        if not is_final(error.code, error.exit_code, generates):
            raise
        office.fail(job, error.code, error.message)
    else:
        with office.writing:
            office.journal.begin([job.id])
            office.journal.succeed([(job.id, proof, public)])
        office.tell({"event": "proved", "job": job.id, "node": None})


def _attempted(
    office: Office, yard: Yard, file: KeyFile, witness: bytes, shards: int, randomness: bytes | None
) -> tuple[str, str]:
    wires = wires_of(witness)
    if len(wires) != VALUE_BYTES * file.key.n_wires:
        raise BadInput("the witness has another number of values than the key", "bad_input", 2)
    pieces = pieces_of(file, shards, randomness is not None)
    for attempt in range(MOST_PROOFS):
        name = secrets.token_hex(16)
        sealed = office.fleet.put(office.seal.seal(witness_purpose(name, file.digest), witness))
        work = Work(name, file, wires, sealed, shards)
        results = yard.make(work, pieces)
        if isinstance(results, Outcome):
            raise _raised(results)
        sums: dict[str, bytes] = dict.fromkeys(("a", "b1", "b2", "c", "h"), b"")
        for piece in pieces:
            if piece.kind != "vector":
                sums[piece.part] += results[piece.name]
        public = wires[VALUE_BYTES : VALUE_BYTES * (1 + work.n_public)]
        try:
            proof, signals = _native.assemble(file.key, sums, public, randomness, None)
        except Rejected:
            # The witness is wrong, or a node is: the second time it is said to be the witness.
            if attempt + 1 == MOST_PROOFS:
                raise
            continue
        return json.dumps(json.loads(proof)), json.dumps(json.loads(signals))
    raise AssertionError("the last attempt returns or raises")


def _raised(outcome: Outcome) -> FrumiousError:
    return of_code(outcome.code or "internal", outcome.exit_code, outcome.message)


class ShardAttendant:
    """Attends one node."""

    def __init__(self, office: Office, yard: Yard, node: Node, memory: list[int]) -> None:
        self._office, self._yard, self._node, self._memory = office, yard, node, memory
        self._actor: Any = None
        self._key: str | None = None
        self._placed: set[Pack] = set()
        self._known: set[str] = set()
        """Names of pieces whose ranges are there."""
        self._failures = 0
        """Pieces in a row that the node could not compute."""

    def attend(self) -> str | None:
        """Works until nothing is left; the reason for which the node must not work any more, if there is one."""
        fleet = self._office.fleet
        try:
            self._actor, _ = greet(fleet, self._office.seal, self._node, ShardProver, self._memory)
        except Refused as refused:
            return str(refused)
        try:
            while (taken := self._yard.take(self._known)) is not None:
                if (refusal := self._attempt(*taken)) is not None:
                    return refusal
        except Lost:
            alive = {node.id for node in fleet.nodes()} - {self._node.id}
            self._yard.lose(self._yard.holders() - alive)
            raise
        finally:
            fleet.end(self._actor)
        return None

    def _attempt(self, work: Work, piece: Piece, vectors: dict[str, Any]) -> str | None:
        try:
            refusal = self._work_on(work, piece, vectors)
        except Lost:
            self._yard.give_back(work, piece, MOST_LOSSES)
            raise
        if refusal is not None:
            self._yard.give_back(work, piece, MOST_LOSSES, self._node.id)
        return refusal

    def _work_on(self, work: Work, piece: Piece, vectors: dict[str, Any]) -> str | None:
        fleet, digest = self._office.fleet, work.file.digest
        self._place(work.file, piece)
        if piece.kind == "vector":
            return self._vector(work, piece)
        if piece.kind == "h":
            place = [first for first, _ in work.ranges()].index(piece.first)
            given = [vectors[name][place] for name in "abc"]
            reference = self._actor.sum_of_h.remote(work.id, digest, piece.first, *given)
        else:
            wire = piece.first + (work.n_public + 1 if piece.part == "c" else 0)
            scalars = work.wires[VALUE_BYTES * wire : VALUE_BYTES * (wire + piece.entries)]
            words = scalars_purpose(work.id, digest, piece.part, piece.first)
            message = fleet.put(self._office.seal.seal(words, scalars))
            reference = self._actor.sum.remote(work.id, digest, piece.part, piece.first, message)
        found: bytes | Outcome = fleet.result(reference, self._office.most_seconds)
        if isinstance(found, Outcome):
            return self._judge(work, piece, found)
        try:
            point = self._office.seal.open(point_purpose(work.id, digest, piece.part, piece.first), found)
        except BadInput:
            return "a sum that is not sealed"
        if len(point) != work.file.parts[piece.part].entry_bytes:
            return "a sum that is no point"
        self._done(work, piece, point)
        return None

    def _vector(self, work: Work, piece: Piece) -> str | None:
        ranges = work.ranges()
        method = self._actor.vector.options(num_returns=1 + len(ranges))
        told, *parts = method.remote(work.id, work.file.digest, piece.part, ranges, work.witness)
        wrong: Outcome | None = self._office.fleet.result(told, self._office.most_seconds)
        if wrong is not None:
            return self._judge(work, piece, wrong)
        self._done(work, piece, parts)
        return None

    def _judge(self, work: Work, piece: Piece, outcome: Outcome) -> str | None:
        if outcome.exit_code in (1, 2):
            self._yard.fail(work, outcome)
            return None
        # It may work later, as when memory or a disk is free again. A node that never can leaves it to others.
        self._failures += 1
        if self._failures >= MOST_FAILURES:
            return outcome.message
        self._yard.give_back(work, piece, MOST_LOSSES, self._node.id, outcome)
        time.sleep(RETRY_SECONDS)
        return None

    def _done(self, work: Work, piece: Piece, result: Any) -> None:
        self._failures = 0
        self._yard.finish(work, piece, result, self._node.id)
        self._office.tell({"event": "piece", "piece": piece.name, "node": self._node.id})

    def _place(self, file: KeyFile, piece: Piece) -> None:
        """Has the node keep the ranges that a piece needs."""
        if self._key != file.digest:
            self._key, self._placed, self._known = file.digest, set(), set()
        wanted = file.frame()
        if piece.kind == "vector":
            wanted.append(file.range("coefficients", 0, file.parts["coefficients"].entries))
        else:
            wanted.append(file.range(piece.part, piece.first, piece.entries))
        missing = [pack for pack in wanted if pack not in self._placed]
        fleet = self._office.fleet
        for pack in missing:
            for offset, content in file.content(pack):
                sent = self._actor.take.remote(file.digest, file.size, offset, fleet.put(content))
                refusal: str | None = fleet.result(sent, self._office.most_seconds)
                if refusal is not None:
                    raise Lost(refusal)
        if missing and not fleet.result(self._actor.check.remote(file.digest, missing), self._office.most_seconds):
            raise Lost("a range of the key is not what was sent")
        self._placed.update(missing)
        self._known.add(piece.name)


MOST_PROOFS = 2
MOST_LOSSES = 5
MOST_FAILURES = 3
"""In a row, before a node gets no more work."""
