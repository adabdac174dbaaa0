"""A fleet of a head and local nodes: killed, spoiled, and searched. Needs Ray: `.ci/fleet`."""

import json
import os
import secrets
import shutil
import signal
import subprocess
import sys
import threading
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import frumious
import pytest
from circuits import squarings, witness_of_squarings
from fixtures import DATA, GRAPHS
from frumious.fleet import care, journal
from frumious.fleet.driver import Order
from frumious.fleet.supervise import End, supervise

pytest.importorskip("ray", reason="Ray is not installed: .ci/fleet runs these tests")
from clusters import Cluster, cluster, found_in, stored_files

pytestmark = pytest.mark.ray


def write_jobs(folder: Path, sizes: list[int], each: int, name: str = "jobs") -> Path:
    """So many jobs for each of some circuits, every one with a witness of its own."""
    lines = []
    for size in sizes:
        place = folder / f"squarings-{size}"
        if not place.is_dir():
            place.mkdir()
            r1cs, _ = squarings(place, size)
            frumious.setup_dev(r1cs, place / "circuit.zkey")
        for number in range(each):
            witness = place / f"{number}.wtns"
            witness.write_bytes(witness_of_squarings(size, number + 2))
            lines.append({"id": f"{size}/{number}", "key": str(place / "circuit.zkey"), "witness": str(witness)})
    path = folder / f"{name}.jsonl"
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))
    return path


class Watcher:
    """Keeps events, and acts in turn: each when so many more proofs are there, and an event says so if it must."""

    def __init__(self, *acts: tuple[int, str | None, Callable[[], None]]) -> None:
        self.events: list[dict[str, Any]] = []
        self.acts = list(acts)
        self.since = 0

    def __call__(self, event: dict[str, object]) -> None:
        self.events.append(event)
        if self.acts:
            more, state, act = self.acts[0]
            proved = sum(event["event"] == "proved" for event in self.events[self.since :])
            seen = state is None or any(event.get("state") == state for event in self.events[self.since :])
            if proved >= more and seen:
                self.acts.pop(0)
                self.since = len(self.events)
                act()

    def count(self, name: str) -> int:
        return sum(event["event"] == name for event in self.events)

    def last(self, name: str) -> dict[str, Any]:
        return [event for event in self.events if event["event"] == name][-1]

    def refusals(self) -> list[str]:
        return [event["message"] for event in self.events if event.get("state") == "refused"]


def prove(fleet: Cluster, jobs: Path, watcher: Watcher, batch: int = 4) -> End:
    order = Order(fleet.address, str(jobs), str(fleet.folder / "fleet.sqlite"), allow_uncontributed=True, batch=batch)
    environment = dict(os.environ) | {"RAY_gcs_rpc_server_reconnect_timeout_s": "5"}
    return supervise(order, watcher, patience=120, environment=environment)


def check_journal(fleet: Cluster, jobs: Path) -> None:
    """Each job has one proof, that of its own witness."""
    records = {record.id: record for record in journal.read(fleet.folder / "fleet.sqlite")}
    asked = [json.loads(line) for line in jobs.read_text().splitlines()]
    assert [*records] == [job["id"] for job in asked]
    vkeys = {job["key"]: frumious.verification_key(job["key"]) for job in asked}
    for job in asked:
        record = records[job["id"]]
        assert record.state == "succeeded" and record.proof and record.public_signals
        size, number = map(int, job["id"].split("/"))
        witness = witness_of_squarings(size, number + 2)
        signal_of = int.from_bytes(witness[-32 * (size + 1) :][:32], "little")
        signals = json.loads(record.public_signals)
        assert signals == [str(signal_of)]
        assert frumious.verify(vkeys[job["key"]], signals, json.loads(record.proof), allow_uncontributed=True)


def test_nothing_is_lost_when_a_node_the_driver_and_the_head_are_killed(tmp_path: Path) -> None:
    jobs = write_jobs(tmp_path, [200, 500], 100)
    with cluster(2) as fleet:

        def kill_a_node() -> None:
            fleet.kill(fleet.machine.members()[1])

        def kill_the_driver() -> None:
            os.kill(watcher.last("driver")["process"], signal.SIGKILL)

        def kill_the_head() -> None:
            # The machine of the head restarts, and nodes with it: they end without their head.
            fleet.kill(*fleet.machine.members())
            threading.Timer(3, begin_again).start()

        def begin_again() -> None:
            fleet.begin_head()
            fleet.begin_node()

        watcher = Watcher((30, None, kill_a_node), (10, "lost", kill_the_driver), (20, None, kill_the_head))
        end = prove(fleet, jobs, watcher)
        assert (end.succeeded, end.failed) == (200, 0)
        assert not watcher.acts, "everything was killed"
        assert end.restarts >= 2, "for the driver, and for the head"
        told = Counter(event["job"] for event in watcher.events if event["event"] == "proved")
        assert set(told.values()) == {1} and len(told) >= 190, "those of a killed driver may not have been told"
        check_journal(fleet, jobs)
        placed = Counter((event["node"], event["digest"]) for event in watcher.events if event["event"] == "placed")
        assert set(placed.values()) == {1}, "a node keeps its files, also for another driver"

        again = Watcher()
        assert prove(fleet, jobs, again) == End(200, 0, 0)
        assert again.last("accepted")["left"] == 0 and again.count("proved") == 0


def test_who_has_not_the_token_is_refused() -> None:
    with cluster(1) as fleet:
        fleet.wait_for_nodes(1)
        other = fleet.folder / "other"
        care.make_secret(other)
        wrong = fleet.run("status", "--address", fleet.address, RAY_AUTH_TOKEN_PATH=str(other))
        assert wrong.returncode != 0 and "cores" not in wrong.stdout
        for mode in ("", "disabled"):
            none = fleet.run("status", "--address", fleet.address, RAY_AUTH_MODE=mode)
            assert none.returncode == 2 and "let anyone in" in none.stderr


def test_nodes_of_another_version_or_key_do_not_work(tmp_path: Path) -> None:
    jobs = write_jobs(tmp_path, [200], 6)
    package = Path(frumious.__file__).parent
    shutil.copytree(package, tmp_path / "other/frumious")
    with (tmp_path / "other/frumious/fleet/node.py").open("a") as source:
        source.write("# of another version\n")
    # The same sources, and a library that was built of something else.
    shutil.copytree(package, tmp_path / "built/frumious")
    with (tmp_path / "built/frumious/_native.abi3.so").open("ab") as library:
        library.write(b"of another build")
    care.make_secret(tmp_path / "key")
    with cluster(0) as fleet:
        other = fleet.begin_node(1, PYTHONPATH=str(tmp_path / "other"))
        stranger = fleet.begin_node(1, FRUMIOUS_FLEET_KEY=str(tmp_path / "key"))
        built = fleet.begin_node(1, PYTHONPATH=str(tmp_path / "built"))
        fleet.wait_for_nodes(3)
        watcher = Watcher()
        with pytest.raises(frumious.TryAgain):
            order = Order(fleet.address, str(jobs), str(fleet.folder / "fleet.sqlite"), True, patience=10)
            supervise(order, watcher, patience=1)
        assert watcher.count("proved") == 0
        refusals = sorted(watcher.refusals())
        assert refusals[0] == "another key of the fleet" and refusals[1].startswith("another version: library ")
        assert refusals[2].startswith("another version: sources ") and "library" not in refusals[2]
        fleet.begin_node()
        assert prove(fleet, jobs, Watcher()) == End(6, 0, 0)
        assert {other.process, stranger.process, built.process} <= {member.process for member in fleet.machine.members()}
        check_journal(fleet, jobs)


def test_no_witness_is_in_the_store_or_on_disk_in_the_clear(tmp_path: Path) -> None:
    needle = secrets.token_bytes(31)
    first = int.from_bytes(needle, "little")
    place = tmp_path / "circuit"
    place.mkdir()
    r1cs, _ = squarings(place, 8000)
    frumious.setup_dev(r1cs, place / "circuit.zkey")
    witness = witness_of_squarings(8000, first)
    (place / "secret.wtns").write_bytes(witness)
    assert needle in witness and len(witness) > 250_000
    jobs = tmp_path / "jobs.jsonl"
    bad = b'{"id": "bad", "key": "circuit/circuit.zkey", "witness": "circuit/bad.wtns"}\n'
    (place / "bad.wtns").write_bytes(witness[:-1])
    made: dict[str, object] = {"id": "made", "key": str(DATA / "mul.zkey"), "generator": str(GRAPHS / "multiplier.wtns2")}
    made |= {"inputs": {"a": str(first), "b": "7"}}
    good = b'{"id": "good", "key": "circuit/circuit.zkey", "witness": "circuit/secret.wtns"}\n'
    jobs.write_bytes(good + bad + json.dumps(made).encode())
    with cluster(1, f"--object-store-memory={80 << 20}") as fleet:
        watcher = Watcher()
        end = prove(fleet, jobs, watcher)
        assert (end.succeeded, end.failed) == (2, 1)
        assert needle.hex() not in json.dumps(watcher.events) and str(first) not in json.dumps(watcher.events)
        files = stored_files(fleet)
        assert any(name.startswith("/dev/shm/") for name in files) and any("/logs/" in name for name in files)
        for form in (needle, str(first).encode()):
            assert found_in(form, files) == []

        # Sealed objects that do not fit are spilled, as ciphertext.
        command = [sys.executable, str(Path(__file__).with_name("fill_store.py")), fleet.address]
        with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as filler:
            assert filler.stdin is not None and filler.stdout is not None
            filler.stdin.write(needle.hex() + "\n")
            filler.stdin.flush()
            assert filler.stdout.readline() == "sealed\n"
            files = stored_files(fleet)
            assert any("spill" in name for name in files)
            assert found_in(needle, files) == []

            # The same search finds what is not sealed, in the store and on disk.
            filler.stdin.write("go on\n")
            filler.stdin.flush()
            assert filler.stdout.readline() == "clear\n"
            found = found_in(needle, stored_files(fleet))
            assert any(name.startswith("/dev/shm/") for name in found)
            assert any("spill" in name for name in found)
            filler.stdin.close()
