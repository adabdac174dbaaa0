"""Time and money of a fleet, from measured rates: `frumious-fleet plan`.

The model is of one formula for each way of working. It takes every node as equal, and knows no waiting but that of the
steps below. `simulate` plays the same fleet event by event, with delays that vary and nodes that fail.

| way | time of N nodes |
|---|---|
| whole proofs | key to each node once, then waves of proofs; a proof waits for its witness only if the line is too slow |
| one proof in shards | vectors a, b, c on three nodes at most, their exchange, four sums over N ranges each, the end |
"""

from __future__ import annotations

import json
import math
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from ..errors import BadInput


@dataclass(frozen=True)
class Circuit:
    """Sizes of a circuit, and its times on one node."""

    key_bytes: int
    witness_bytes: int
    domain_size: int
    vector_seconds: float
    """One of a, b and c: rows and transform."""
    sum_seconds: float
    """All sums over the key."""
    end_seconds: float = 0.01
    """Blinding and verification."""

    @property
    def proof_seconds(self) -> float:
        """A whole proof on one node."""
        return 3 * self.vector_seconds + self.sum_seconds + self.end_seconds

    @property
    def vector_bytes(self) -> int:
        """Of a, b or c."""
        return 32 * self.domain_size


@dataclass(frozen=True)
class Machines:
    """Equal nodes, and the lines between them."""

    bytes_per_second: float
    """Of a node's line; the submitter's is one of them."""
    overhead_seconds: float
    """Of the fleet for a task: scheduling, sealing, transfer of what is small."""
    price_per_hour: float
    """Of a node."""
    failures_per_hour: float = 0.0
    """Of a node."""
    recovery_seconds: float = 60.0
    """Until a failure is noticed, and another node is there with the key."""
    begin_seconds: float = 10.0
    """Of a node, before its first task."""


@dataclass(frozen=True)
class Estimate:
    """Of a fleet of so many nodes."""

    nodes: int
    seconds: float
    money: float
    speed_up: float
    """Against one node."""


def whole_proofs(circuit: Circuit, machines: Machines, nodes: int, proofs: int) -> Estimate:
    """Many proofs, each on one node."""
    placing = nodes * circuit.key_bytes / machines.bytes_per_second  # the submitter's line has all copies
    compute = circuit.proof_seconds + machines.overhead_seconds
    waves = math.ceil(proofs / nodes)
    # The next witness travels while a proof is made: only a line that is slower than all nodes together counts.
    sending = proofs * circuit.witness_bytes / machines.bytes_per_second
    working = max(waves * compute, sending)
    working += circuit.witness_bytes / machines.bytes_per_second
    one = machines.begin_seconds + circuit.key_bytes / machines.bytes_per_second
    one += proofs * (circuit.proof_seconds + machines.overhead_seconds)
    return _estimate(machines, nodes, machines.begin_seconds + placing + working, compute / 2, one)


def one_proof(circuit: Circuit, machines: Machines, nodes: int, with_key: bool = False) -> Estimate:
    """One proof by all nodes. `with_key`: the ranges of the key are not there yet."""
    line, overhead = machines.bytes_per_second, machines.overhead_seconds
    vector, part = circuit.vector_seconds + overhead, circuit.sum_seconds / (KINDS * nodes) + overhead
    # A node fetches its range of three vectors, from at most three others whose lines all share.
    exchange = 3 * circuit.vector_bytes / min(nodes, 3) / line if nodes > 1 else 0.0
    # The submitter sends a witness for each vector, and its ranges for A, B2 and C, one after the other.
    witness = circuit.witness_bytes / line
    sending = (3 + KINDS - 1) * witness
    # Pieces are taken by whoever is free: all work shared out, or the longest of two chains if that is longer.
    shared = (sending + 3 * vector + KINDS * nodes * part + nodes * exchange) / nodes
    by_vectors = 3 * witness + math.ceil(3 / min(nodes, 3)) * vector + exchange + part
    # A node that is not free just then takes a piece later: half of one on average.
    uneven = part / 2 if nodes > 1 else 0.0
    seconds = max(shared, by_vectors, sending + part) + uneven + circuit.end_seconds
    if with_key:
        seconds += machines.begin_seconds + circuit.key_bytes / line
    lost = (circuit.vector_seconds + circuit.sum_seconds / nodes) / 2
    return _estimate(machines, nodes, seconds, lost, circuit.proof_seconds + overhead)


def _estimate(machines: Machines, nodes: int, seconds: float, lost: float, alone: float) -> Estimate:
    # A failure costs what was half done, and one node for the time of its recovery.
    rate = nodes * machines.failures_per_hour / HOUR
    share = rate * (machines.recovery_seconds + lost) / nodes
    if share >= 1:
        raise BadInput("nodes fail faster than they recover", "bad_input", 2)
    seconds /= 1 - share
    money = nodes * machines.price_per_hour * seconds / HOUR
    return Estimate(nodes, seconds, money, alone / seconds)


def read_plan(path: Path) -> tuple[Circuit, Machines]:
    """A file of JSON with the fields of both: `{"circuit": {...}, "machines": {...}}`."""
    try:
        fields: Any = json.loads(path.read_text("utf-8"))
        circuit, machines = Circuit(**fields["circuit"]), Machines(**fields["machines"])
        numbers = [*asdict(circuit).values(), *asdict(machines).values()]
        fine = all(isinstance(number, int | float) and 0 <= number < math.inf for number in numbers)
    except (OSError, ValueError, TypeError, KeyError) as error:
        raise BadInput(f"{path}: no plan: {type(error).__name__}", "bad_input", 2) from error
    if not fine or not machines.bytes_per_second or not circuit.proof_seconds:
        raise BadInput(f"{path}: numbers that are not negative are expected", "bad_input", 2)
    return circuit, machines


def told(circuit: Circuit, machines: Machines, most_nodes: int, proofs: int) -> str:
    """Both ways for 1, 2, 3, 4, 6, 8, 12 … nodes, as tables, and where each way stops to pay."""
    counts = [nodes for power in range(20) for nodes in (1 << power, 3 << power) if nodes <= most_nodes]
    many = [whole_proofs(circuit, machines, nodes, proofs) for nodes in sorted(set(counts))]
    one = [one_proof(circuit, machines, nodes) for nodes in sorted(set(counts))]
    best = max(one, key=lambda estimate: estimate.speed_up)
    lines = [f"{proofs} proofs, each on one node", *_table(many), "", "one proof in shards, keys in place", *_table(one), ""]
    if best.nodes == 1:
        lines.append("one proof in shards does not pay: one node is faster, unless the key does not fit it")
    else:
        lines.append(f"one proof in shards is fastest on {best.nodes} nodes: {best.speed_up:.2f} times one node")
    return "\n".join(lines) + "\n"


def _table(estimates: list[Estimate]) -> list[str]:
    rows = [f"{'nodes':>6} {'seconds':>12} {'money':>10} {'speed-up':>9}"]
    return rows + [f"{e.nodes:6} {e.seconds:12.2f} {e.money:10.4f} {e.speed_up:9.2f}" for e in estimates]


HOUR = 3600.0
KINDS = 4
"""Parts that are summed: A, B2, C, H."""
