"""The time that one node needs for proofs of each circuit, for batches that end soon.

Results come when a batch ends. The longer it is, the more of them wait while their deadlines pass.
"""

from __future__ import annotations

from .schedule import Circuit, Name


class Pace:
    """Learns from each batch of a node."""

    def __init__(self, cores: int) -> None:
        self._cores = cores
        self._seconds: dict[Name, float] = {}
        """Of a round: one proof in each lane."""

    def most(self, circuit: Circuit) -> int:
        """Jobs that take about `BATCH_SECONDS`: one for each lane until a proof has been seen, and never fewer."""
        seconds = self._seconds.get(circuit.name, BATCH_SECONDS)
        return self._lanes(circuit) * max(1, int(BATCH_SECONDS / max(seconds, LEAST_SECONDS)))

    def learn(self, circuit: Circuit, seconds: float, proofs: int) -> None:
        """A batch took so long. Only its proofs count, as jobs may fail at once."""
        if proofs == 0:
            return
        rounds = -(-proofs // self._lanes(circuit))
        # It rises at once. It falls by halves, as one fast batch says little of the next.
        self._seconds[circuit.name] = max(seconds / rounds, self._seconds.get(circuit.name, 0.0) / 2)

    def _lanes(self, circuit: Circuit) -> int:
        return max(1, min(self._cores, circuit.lanes))


BATCH_SECONDS = 60.0
LEAST_SECONDS = 1e-3
