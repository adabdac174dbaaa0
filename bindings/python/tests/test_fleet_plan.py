"""The model of a fleet, against a simulation and against what must hold."""

import json
from dataclasses import replace
from pathlib import Path
from statistics import mean

import pytest
from frumious import BadInput
from frumious.fleet import plan
from frumious.fleet.__main__ import main

SMALL = plan.Circuit(10**7, 10**6, 1 << 14, 0.02, 0.3)
LARGE = plan.Circuit(60 * 10**9, 2 * 10**9, 1 << 26, 60.0, 1500.0)
LAN = plan.Machines(1.25e9, 0.01, 2.0)
WAN = plan.Machines(1.25e7, 0.05, 2.0)
FRAIL = replace(LAN, failures_per_hour=2.0)
SLOW = plan.Machines(1.0e6, 0.01, 2.0)


@pytest.mark.parametrize("nodes", [1, 2, 3, 8, 32])
@pytest.mark.parametrize("machines", [LAN, WAN, FRAIL, SLOW])
def test_whole_proofs_take_as_long_as_in_a_simulation(machines: plan.Machines, nodes: int) -> None:
    pytest.importorskip("simpy", reason="SimPy is of the extra frumious[plan]")
    from frumious.fleet import simulate

    modelled = plan.whole_proofs(SMALL, machines, nodes, 2000).seconds
    simulated = mean(simulate.whole_proofs(SMALL, machines, nodes, 2000, seed) for seed in range(5))
    assert modelled == pytest.approx(simulated, rel=0.15)


@pytest.mark.parametrize("nodes", [1, 2, 3, 4, 8, 16, 64])
@pytest.mark.parametrize("machines", [LAN, replace(LAN, bytes_per_second=1.25e8), replace(LAN, failures_per_hour=0.2)])
def test_one_proof_takes_as_long_as_in_a_simulation(machines: plan.Machines, nodes: int) -> None:
    pytest.importorskip("simpy", reason="SimPy is of the extra frumious[plan]")
    from frumious.fleet import simulate

    modelled = plan.one_proof(LARGE, machines, nodes).seconds
    simulated = mean(simulate.one_proof(LARGE, machines, nodes, seed) for seed in range(40))
    assert modelled == pytest.approx(simulated, rel=0.2)


def test_what_must_hold_of_a_fleet() -> None:
    one = plan.whole_proofs(SMALL, LAN, 1, 1000)
    assert one.speed_up == pytest.approx(1, rel=0.01)
    assert one.money == pytest.approx(2.0 * one.seconds / 3600)
    # More nodes are faster, but never by more than their number.
    for nodes in (2, 4, 16):
        more = plan.whole_proofs(SMALL, LAN, nodes, 100_000)
        assert 0.9 * nodes < more.speed_up <= nodes
        assert plan.one_proof(LARGE, LAN, nodes).speed_up <= nodes
    # A line that is full does not get faster by nodes.
    slow = [plan.whole_proofs(SMALL, SLOW, nodes, 2000).seconds for nodes in (8, 32)]
    assert slow[1] >= slow[0]
    # A small circuit is not worth its shards; a large one is.
    assert plan.one_proof(SMALL, WAN, 8).speed_up < 1 < plan.one_proof(LARGE, LAN, 8).speed_up
    # Failures cost.
    assert plan.one_proof(LARGE, FRAIL, 8).seconds > plan.one_proof(LARGE, LAN, 8).seconds
    with pytest.raises(BadInput):
        plan.one_proof(LARGE, replace(LAN, failures_per_hour=1000), 8)


def test_the_command(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "rates.json"
    circuit = {"key_bytes": 10**7, "witness_bytes": 10**6, "domain_size": 16384}
    circuit |= {"vector_seconds": 0.02, "sum_seconds": 0.3}  # type: ignore[dict-item]
    machines = {"bytes_per_second": 1e9, "overhead_seconds": 0.01, "price_per_hour": 2}
    path.write_text(json.dumps({"circuit": circuit, "machines": machines}))
    assert main(["plan", str(path), "--nodes", "8"]) == 0
    told = capsys.readouterr().out
    assert "100000 proofs" in told and "does not pay" not in told.splitlines()[0]
    for wrong in ("{}", "[", json.dumps({"circuit": circuit, "machines": machines | {"bytes_per_second": -1}})):
        path.write_text(wrong)
        assert main(["plan", str(path)]) == 2
