"""A fleet played event by event, to check the formulas of `plan`: by SimPy, of the extra `frumious[plan]`.

Times of tasks vary, the submitter's line is shared, and nodes fail at random: then the task is begun again elsewhere.
"""

from __future__ import annotations

import random
from collections.abc import Generator
from typing import Any

from .engine import required
from .plan import HOUR, Circuit, Machines


def whole_proofs(circuit: Circuit, machines: Machines, nodes: int, proofs: int, seed: int) -> float:
    """Seconds until all proofs are there."""
    fleet = _Fleet(machines, seed)
    waiting = [circuit.proof_seconds] * proofs

    def node() -> Generator[Any, Any, None]:
        yield from fleet.begin(circuit.key_bytes)
        coming = fleet.environment.process(fleet.send(circuit.witness_bytes))
        while waiting:
            seconds = waiting.pop()
            yield coming
            # The next witness travels while a proof is made.
            coming = fleet.environment.process(fleet.send(circuit.witness_bytes))
            done = yield from fleet.work(seconds)
            if not done:
                waiting.append(seconds)
                yield fleet.environment.timeout(machines.recovery_seconds)

    return fleet.run([node() for _ in range(nodes)], lambda: bool(waiting), node)


def one_proof(circuit: Circuit, machines: Machines, nodes: int, seed: int) -> float:
    """Seconds until the proof is there, of a fleet that has the ranges of the key."""
    fleet = _Fleet(machines, seed)
    environment, line = fleet.environment, machines.bytes_per_second
    waiting = ["vector"] * 3 + ["sum"] * (3 * nodes)
    vectors = {"left": 3}
    there = environment.event()

    def node() -> Generator[Any, Any, None]:
        while True:
            if not waiting:
                if vectors["left"] == 0:
                    return
                yield there
                continue
            task = waiting.pop(0)
            witness = circuit.witness_bytes if task == "vector" else circuit.witness_bytes / nodes
            if task == "h":
                # From at most three others, whose lines are shared.
                yield environment.timeout(3 * circuit.vector_bytes / min(nodes, 3) / line if nodes > 1 else 0)
            else:
                yield from fleet.send(witness)
            seconds = circuit.vector_seconds if task == "vector" else circuit.sum_seconds / (4 * nodes)
            done = yield from fleet.work(seconds)
            if not done:
                waiting.insert(0, task)
                yield environment.timeout(machines.recovery_seconds)
            elif task == "vector":
                vectors["left"] -= 1
                if vectors["left"] == 0:
                    waiting[:0] = ["h"] * nodes
                    there.succeed()

    return fleet.run([node() for _ in range(nodes)], lambda: bool(waiting), node) + circuit.end_seconds


class _Fleet:
    def __init__(self, machines: Machines, seed: int) -> None:
        simpy = required("simpy")
        self._machines, self._random = machines, random.Random(seed)
        self.environment: Any = simpy.Environment()
        self._finished = 0.0
        self._line: Any = simpy.Resource(self.environment, 1)

    def begin(self, size: float) -> Generator[Any, Any, None]:
        """A node begins, and gets its key."""
        yield self.environment.timeout(self._machines.begin_seconds)
        yield from self.send(size)

    def send(self, size: float) -> Generator[Any, Any, None]:
        """The submitter sends, one thing after the other."""
        with self._line.request() as turn:
            yield turn
            yield self.environment.timeout(size / self._machines.bytes_per_second)

    def work(self, seconds: float) -> Generator[Any, Any, bool]:
        """A task, which takes a tenth more or less; false if its node fails before the end."""
        seconds = seconds * self._random.uniform(0.9, 1.1) + self._machines.overhead_seconds
        rate = self._machines.failures_per_hour / HOUR
        failure = self._random.expovariate(rate) if rate > 0 else float("inf")
        yield self.environment.timeout(min(seconds, failure))
        if seconds <= failure:
            self._finished = float(self.environment.now)
        return seconds <= failure

    def run(self, nodes: list[Any], left: Any, again: Any) -> float:
        """Until all nodes have nothing to do; a task that comes back last is done by another."""
        while True:
            self.environment.run(self.environment.all_of([self.environment.process(node) for node in nodes]))
            if not left():
                return self._finished
            nodes = [again()]
