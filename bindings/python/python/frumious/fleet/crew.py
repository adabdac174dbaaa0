"""A thread for each node that proves, also for nodes that come later."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable

from ..errors import TryAgain
from .engine import Fleet, Lost, Node

Tell = Callable[[dict[str, object]], None]


class Crew:
    """Attends to all nodes until nothing is left.

    `attend` works with a node to the end; it returns the reason for which the node must not work any more, if there is
    one, and raises `Lost` if it is gone.
    """

    def __init__(self, fleet: Fleet, tell: Tell, patience: float, attend: Callable[[Node], str | None]) -> None:
        self._fleet, self._tell, self._patience, self._attend = fleet, tell, patience, attend
        self._at_work: dict[str, threading.Thread] = {}
        self._refused: set[str] = set()
        self._losses: dict[str, int] = {}
        self._broken: BaseException | None = None
        self.alive = 0
        """Nodes of the fleet at the last look."""

    def work(self, left: Callable[[], int]) -> None:
        """Until nothing is left. Raises `TryAgain` if no node may work for too long."""
        alone_since = time.monotonic()
        while left() and self._broken is None:
            nodes = self._fleet.nodes()
            self.alive = len(nodes)
            for node in nodes:
                if node.id not in self._at_work and node.id not in self._refused:
                    thread = threading.Thread(target=self._work_with, args=(node,), daemon=True)
                    self._at_work[node.id] = thread
                    thread.start()
            if self._at_work:
                alone_since = time.monotonic()
            elif time.monotonic() - alone_since > self._patience:
                raise TryAgain(f"{left()} jobs are left, and no node may work on them", "unreachable", 3)
            time.sleep(LOOK_SECONDS)
        if self._broken is not None:
            raise self._broken
        for thread in list(self._at_work.values()):
            thread.join(JOIN_SECONDS)

    def _work_with(self, node: Node) -> None:
        self._tell({"event": "node", "node": node.id, "state": "met", "cores": node.cores})
        try:
            refusal = self._attend(node)
            if refusal is not None:
                self._refused.add(node.id)
                self._tell({"event": "node", "node": node.id, "state": "refused", "message": refusal})
        except Lost as lost:
            # One that works between its losses is no reason to do without it.
            self._losses[node.id] = 1 if lost.has_worked else self._losses.get(node.id, 0) + 1
            if self._losses[node.id] >= MOST_LOSSES:
                self._refused.add(node.id)
            self._tell({"event": "node", "node": node.id, "state": "lost", "message": str(lost)})
            time.sleep(LOOK_SECONDS)
        except BaseException as error:
            self._broken = error
        finally:
            self._at_work.pop(node.id, None)


LOOK_SECONDS = 1.0
JOIN_SECONDS = 10.0
MOST_LOSSES = 5
