"""The driver of a prover server: `frumious-fleet serve-driver`, a child of `frumious serve` with `executor = "ray"`.

The server has the journal: nothing is kept here. Jobs come on stdin, a line of JSON each, with the bytes of the input
behind it. Events go to stdout, a line of JSON each. The process ends with its stdin. The other side is
`crates/server/src/executor/fleet/lines.rs`.
"""

from __future__ import annotations

import json
import os
import sys
import threading
import traceback
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path
from typing import Any, BinaryIO

from .. import _native
from ..errors import BadInput, FrumiousError, TryAgain
from . import care
from .attend import Attendant, Office
from .crew import Crew, Tell
from .driver import Registry
from .engine import Fleet
from .jobs import Job
from .schedule import Circuit, Limits, Queue
from .seal import Seal


class Messenger:
    """Tells the server of results at once, and keeps nothing."""

    def __init__(self, tell: Tell) -> None:
        self._tell = tell

    def begin(self, ids: Iterable[str]) -> None:
        """A node has these jobs."""
        for job in ids:
            self._tell({"event": "begun", "job": job})

    def succeed(self, proofs: Iterable[tuple[str, str, str]]) -> None:
        """Jobs have proofs and public signals, which were verified; the server does so, too."""
        for job, proof, public in proofs:
            self._tell({"event": "proved", "job": job, "proof": proof, "public": public})

    def fail(self, job: str, code: str, message: str) -> None:
        """A job has no proof, and will not have one."""
        self._tell({"event": "failed", "job": job, "code": code, "message": message})


class Attendance:
    """Serves one server."""

    def __init__(self, orders: BinaryIO, tell: Tell) -> None:
        self._orders, self._tell = orders, tell
        self._circuits: dict[str, Circuit | FrumiousError] = {}
        self._queue: Queue | None = None
        self._crew: Crew | None = None
        self._read = 0

    def serve(self) -> None:
        """Until stdin ends."""
        self._tell({"event": "hello", "version": _native.VERSION})
        threading.Thread(target=self._beat, daemon=True).start()
        begin = self._order()
        if begin.get("version") != _native.VERSION:
            raise BadInput("the server has another version", "bad_input", 2)
        care.refuse_open_doors()
        address, seal = care.check_address(begin["address"]), Seal.of_environment()
        self._learn()
        circuits = [circuit for circuit in self._circuits.values() if isinstance(circuit, Circuit)]
        queue = Queue([], begin["batch"], circuits + [_for_witnesses(circuit) for circuit in circuits])
        fleet = Fleet(address)
        # Keys that nobody contributed to are the server's to refuse.
        # A batch has no time-out of its own: at its deadline the server cancels a job.
        office = Office(fleet, Messenger(self._tell), seal, _note, None, True, threading.Lock())
        crew = Crew(fleet, _note, float("inf"), lambda node: Attendant(office, queue, node, MOST_LOSSES).attend())
        threading.Thread(target=self._work, args=(crew,), daemon=True).start()
        self._queue, self._crew = queue, crew
        while order := self._order():
            self._obey(order, queue, office)
            self._read += 1

    def _order(self) -> dict[str, Any]:
        line = self._orders.readline()
        order: dict[str, Any] = json.loads(line) if line else {}
        return order

    def _learn(self) -> None:
        """Looks at the files of all circuits."""
        registry = Registry(allow_uncontributed=True)
        while (order := self._order()).get("do") == "circuit":
            generator = order["generator"]
            try:
                circuit = registry.of(Path(order["key"]), None if generator is None else Path(generator))
                if json.loads(circuit.vkey) != json.loads(order["vkey"]):
                    raise TryAgain("the key was replaced after the server had read it", "changed", 3)
                limits = Limits(order["generator_memory"], order["generator_seconds"])
                self._circuits[order["circuit"]] = replace(circuit, limits=limits)
            except FrumiousError as error:
                self._circuits[order["circuit"]] = error

    def _obey(self, order: dict[str, Any], queue: Queue, office: Office) -> None:
        if order["do"] == "cancel":
            if not queue.drop(order["job"]):
                office.stop(order["job"])
            return
        secret = self._orders.read(order["bytes"])
        if len(secret) != order["bytes"]:
            return  # the server is gone
        circuit = self._circuits[order["circuit"]]
        if isinstance(circuit, FrumiousError):
            office.journal.fail(order["job"], circuit.code, circuit.message)
            return
        if order["input"] == "witness":
            circuit = _for_witnesses(circuit)
        queue.add(circuit, Job(order["job"], circuit.key, circuit.generator, secret))

    def _work(self, crew: Crew) -> None:
        _ending(self._tell, lambda: crew.work(lambda: 1))

    def _beat(self) -> None:
        while True:
            queue, crew = self._queue, self._crew
            # A node that dies while it has nothing to do is missed by Ray first.
            nodes = 0 if queue is None or crew is None else min(queue.takers, crew.alive)
            self._tell({"event": "beat", "nodes": nodes, "read": self._read})
            threading.Event().wait(BEAT_SECONDS)


def _for_witnesses(circuit: Circuit) -> Circuit:
    return replace(circuit, generator=None, generator_digest=None, limits=Limits())


def _note(event: dict[str, object]) -> None:
    """For the server's log. Of results the messenger tells."""
    if event["event"] == "node":
        node, state, message = str(event["node"])[:12], event["state"], event.get("message", "")
        print(f"fleet: node {node}: {state} {message}".rstrip(), file=sys.stderr, flush=True)


def _ending(tell: Tell, work: Any) -> None:
    """Works, and ends the process; a fault is told by its place, as its message may hold a value."""
    code = 0
    try:
        work()
    except FrumiousError as error:
        tell({"event": "stopped", "code": error.code, "message": error.message})
        code = error.exit_code
    except BaseException as error:
        place = "; ".join(f"{Path(frame.filename).name}:{frame.lineno}" for frame in traceback.extract_tb(error.__traceback__))
        tell({"event": "stopped", "code": "internal", "message": f"{type(error).__name__} at {place}"})
        code = 3
    os._exit(code)  # threads that wait for a lost node would keep the process


def main() -> None:
    """Serves on the streams of the process. What libraries print goes to stderr."""
    care.keep_from_others()
    # Seconds after which Ray ends a driver whose head is gone; Ray's own default is 60.
    os.environ.setdefault("RAY_gcs_rpc_server_reconnect_timeout_s", "20")
    lock = threading.Lock()
    events = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)

    def tell(event: dict[str, object]) -> None:
        with lock:
            print(json.dumps(event), file=events, flush=True)

    _ending(tell, Attendance(sys.stdin.buffer, tell).serve)


BEAT_SECONDS = 1.0
MOST_LOSSES = 5

if __name__ == "__main__":
    main()
