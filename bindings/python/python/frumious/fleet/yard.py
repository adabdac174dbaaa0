"""Pieces of one proof: which can be worked on, and what they gave. Nothing here knows of Ray."""

from __future__ import annotations

import threading
from dataclasses import dataclass
from typing import Any

from .node import Outcome


@dataclass(frozen=True)
class Piece:
    """A vector of the quotient, or the sum of a range of a part."""

    kind: str
    """`vector` or `sum`; `h` is a sum that needs all three vectors."""
    part: str
    first: int
    entries: int

    @property
    def name(self) -> str:
        """For people, and as a key."""
        return f"{self.kind} {self.part} {self.first}"


class Yard:
    """Where nodes fetch pieces. One proof at a time."""

    def __init__(self, jobs: int) -> None:
        self.left = jobs
        self._changed = threading.Condition()
        self._waiting: dict[str, Piece] = {}
        self._all: dict[str, Piece] = {}
        self._results: dict[str, Any] = {}
        self._holders: dict[str, str] = {}
        """The nodes that have vectors."""
        self._losses: dict[str, list[str | None]] = {}
        """For each attempt at a piece that failed the node that told so, or none for one that was lost."""
        self._failure: Outcome | None = None
        self._over = False
        self.work: Any = None

    def make(self, work: Any, pieces: list[Piece]) -> dict[str, Any] | Outcome:
        """Has all pieces computed: their results by name, or what went wrong."""
        with self._changed:
            self.work, self._failure = work, None
            self._all = {piece.name: piece for piece in pieces}
            self._waiting, self._results, self._holders, self._losses = dict(self._all), {}, {}, {}
            self._changed.notify_all()
            while self._failure is None and len(self._results) < len(self._all):
                self._changed.wait(1)
            self._waiting = {}
            return self._failure or dict(self._results)

    def close(self) -> None:
        """There are no more proofs."""
        with self._changed:
            self.left, self._over = 0, True
            self._changed.notify_all()

    def take(self, known: set[str]) -> tuple[Any, Piece, dict[str, Any]] | None:
        """The work, a piece and the vectors so far. Rather one that the node has the range for. None at the end."""
        with self._changed:
            while not self._over:
                ready = [piece for piece in self._waiting.values() if piece.kind != "h" or self._vectors() is not None]
                if ready:
                    piece = min(ready, key=lambda piece: (ORDER.index(piece.kind), piece.name not in known))
                    del self._waiting[piece.name]
                    return self.work, piece, self._vectors() or {}
                self._changed.wait(1)
            return None

    def finish(self, work: Any, piece: Piece, result: Any, node: str) -> None:
        """A piece has a result."""
        with self._changed:
            if work is self.work:
                self._results[piece.name] = result
                if piece.kind == "vector":
                    self._holders[piece.name] = node
                self._changed.notify_all()

    def fail(self, work: Any, outcome: Outcome) -> None:
        """A piece cannot have a result: so there is no proof."""
        with self._changed:
            if work is self.work:
                self._failure = outcome
                self._changed.notify_all()

    def give_back(
        self, work: Any, piece: Piece, most_losses: int, node: str | None = None, told: Outcome | None = None
    ) -> None:
        """A piece is tried again, but not for ever.

        A `node` that is not lost counts once: it may be asked again, and others may be able to. `told` is what it says,
        and at last what is said of the piece.
        """
        with self._changed:
            if work is not self.work:
                return
            losses = self._losses.setdefault(piece.name, [])
            if node is None or node not in losses:
                losses.append(node)
            if len(losses) >= most_losses:
                message = f"no node could compute a piece of the proof in {most_losses} attempts"
                self._failure = told or Outcome(piece.name, code="retries", exit_code=3, message=message)
            self._waiting[piece.name] = piece
            self._changed.notify_all()

    def lose(self, nodes: set[str]) -> None:
        """The vectors that these nodes had are computed again, if they are still wanted."""
        with self._changed:
            lost = [name for name, holder in self._holders.items() if holder in nodes]
            wanted = any(piece.kind == "h" and name not in self._results for name, piece in self._all.items())
            for name in lost if wanted else []:
                del self._holders[name], self._results[name]
                self._waiting[name] = self._all[name]
            self._changed.notify_all()

    def holders(self) -> set[str]:
        """Nodes that have vectors."""
        with self._changed:
            return set(self._holders.values())

    def _vectors(self) -> dict[str, Any] | None:
        found = {piece.part: self._results.get(name) for name, piece in self._all.items() if piece.kind == "vector"}
        return None if None in found.values() else found


ORDER = ["vector", "h", "sum"]
"""Vectors first, as others wait for them."""
