"""Jobs that wait, in batches of one circuit. Nodes take from here, and give back what they lost.

Nothing here knows of Ray: tests drive it with threads.
"""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from pathlib import Path

from .jobs import Job


@dataclass(frozen=True)
class Limits:
    """Limits of a generator; those of the package if there are none."""

    memory: int | None = None
    """Most bytes."""
    seconds: float | None = None


Name = tuple[str, str | None, Limits]
"""Of a circuit."""


@dataclass(frozen=True)
class Circuit:
    """A key, with its generator if the jobs have inputs."""

    key: Path
    key_digest: str
    generator: Path | None
    generator_digest: str | None
    vkey: str
    n_public: int
    memory: int
    """Bytes that a proof is predicted to take."""
    limits: Limits = Limits()
    """Of the generator."""
    lanes: int = 1
    """Most proofs that a node makes at once."""

    @property
    def name(self) -> Name:
        """By content, and by limits: jobs of one batch have the same."""
        return self.key_digest, self.generator_digest, self.limits

    def files(self) -> dict[str, Path]:
        """Files that a node needs, by content."""
        found = {self.key_digest: self.key}
        if self.generator is not None and self.generator_digest is not None:
            found[self.generator_digest] = self.generator
        return found


@dataclass(frozen=True)
class Batch:
    """Jobs of one circuit."""

    circuit: Circuit
    jobs: list[Job]


@dataclass
class _Line:
    circuit: Circuit
    jobs: deque[Job] = field(default_factory=deque)


class Queue:
    """Jobs that have no result yet. With `circuits` it is open for more jobs of these, until the process ends."""

    def __init__(
        self, jobs: list[tuple[Circuit, Job]], most_jobs: int = 16, circuits: Iterable[Circuit] | None = None
    ) -> None:
        self._changed = threading.Condition()
        self._lines: dict[Name, _Line] = {}
        self._most = most_jobs
        self._left = len(jobs)
        self._takers = 0
        self._losses: dict[str, int] = {}
        self._told: dict[str, tuple[str, str]] = {}
        """Codes and messages of the last failures that were not final."""
        self._unwanted: set[str] = set()
        self._is_open = circuits is not None
        for circuit in circuits or ():
            self._lines.setdefault(circuit.name, _Line(circuit))
        for circuit, job in jobs:
            self._lines.setdefault(circuit.name, _Line(circuit)).jobs.append(job)

    @property
    def left(self) -> int:
        """Jobs without a result."""
        return self._left

    @property
    def takers(self) -> int:
        """Nodes that are there to take."""
        return self._takers

    def add(self, circuit: Circuit, job: Job) -> None:
        """One more, of a circuit that it is open for."""
        with self._changed:
            self._lines[circuit.name].jobs.append(job)
            self._left += 1
            self._changed.notify_all()

    def drop(self, job: str) -> bool:
        """Nobody wants this result any more; false if the job does not wait: then who has it ends it."""
        with self._changed:
            for line in self._lines.values():
                for waiting in line.jobs:
                    if waiting.id == job:
                        line.jobs.remove(waiting)
                        self._end(1)
                        return True
            self._unwanted.add(job)
            return False

    def wants(self, job: str) -> bool:
        """False for a job that was dropped."""
        return job not in self._unwanted

    def let_go(self, job: str) -> None:
        """A job that was dropped is nowhere any more."""
        with self._changed:
            self._let_go(job)

    def _let_go(self, job: str) -> None:
        self._unwanted.discard(job)
        self._end(1)

    def memory(self) -> list[int]:
        """Predicted memory of each circuit, rising."""
        return sorted({line.circuit.memory for line in self._lines.values()})

    def enter(self) -> None:
        """A node is there to take."""
        with self._changed:
            self._takers += 1

    def leave(self) -> None:
        """A node takes no more."""
        with self._changed:
            self._takers -= 1

    def take(
        self, memory: float, placed: set[Name], wait: bool, most: Callable[[Circuit], int] | None = None
    ) -> Batch | None:
        """A batch for a node: of a circuit that it has, or else of the longest line.

        With `wait` none means that nothing is left to do; without, that nothing waits now. `most` bounds the jobs.
        """
        with self._changed:
            while self._left > 0 or self._is_open:
                fitting = [line for line in self._lines.values() if line.jobs and line.circuit.memory <= memory]
                if fitting:
                    known = [line for line in fitting if line.circuit.name in placed]
                    line = max(known or fitting, key=lambda line: len(line.jobs))
                    return self._batch(line, self._most if most is None else min(self._most, most(line.circuit)))
                if not wait:
                    return None
                self._changed.wait(0.5)
            return None

    def _batch(self, line: _Line, most: int) -> Batch:
        # A node gets two batches at once: what is left is shared out.
        most = max(1, min(most, len(line.jobs) // (2 * max(self._takers, 1))))
        jobs = [line.jobs.popleft()]
        while len(jobs) < most and line.jobs and not (self._is_suspect(jobs[0]) or self._is_suspect(line.jobs[0])):
            jobs.append(line.jobs.popleft())
        return Batch(line.circuit, jobs)

    def _is_suspect(self, job: Job) -> bool:
        # One that a node was lost with goes alone: it may be at fault.
        return job.id in self._losses

    def give_back(self, batch: Batch, most_losses: int) -> list[Job]:
        """Jobs whose node is lost are tried again, but for those that were lost too often: these are returned."""
        with self._changed:
            hopeless = []
            for job in reversed(batch.jobs):
                if not self.wants(job.id):
                    self._let_go(job.id)
                    continue
                self._losses[job.id] = self._losses.get(job.id, 0) + 1
                if self._losses[job.id] >= most_losses:
                    hopeless.append(job)
                else:
                    self._lines[batch.circuit.name].jobs.appendleft(job)
            self._changed.notify_all()
            return hopeless

    def tell(self, job: str, code: str, message: str) -> None:
        """An attempt failed, and another one may not."""
        with self._changed:
            self._told[job] = code, message

    def told(self, job: str) -> tuple[str, str] | None:
        """Code and message of the last attempt that told one. A lost node tells none."""
        return self._told.get(job)

    def end(self, jobs: int) -> None:
        """So many jobs have a result."""
        with self._changed:
            self._end(jobs)

    def _end(self, jobs: int) -> None:
        self._left -= jobs
        if self._left == 0:
            self._losses.clear()
            self._told.clear()
            self._unwanted.clear()
        self._changed.notify_all()
