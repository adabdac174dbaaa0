"""`frumious serve` with `executor = "ray"`: a server in front of a fleet of this machine. Needs Ray: `.ci/fleet`."""

import json
import os
import signal
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import frumious
import pytest
from circuits import squarings, witness_of_squarings
from fixtures import DATA, GRAPHS
from frumious.fleet import care

pytest.importorskip("ray", reason="Ray is not installed: .ci/fleet runs these tests")
from clusters import Cluster, cluster, found_in, stored_files

pytestmark = pytest.mark.ray

SIZES = [200, 500]


@dataclass
class Server:
    """A server that runs."""

    process: subprocess.Popen[str]
    url: str
    folder: Path

    def ask(self, path: str, body: bytes | None = None, kind: str = "application/octet-stream") -> Any:
        request = urllib.request.Request(self.url + path, data=body, headers={"content-type": kind})
        with urllib.request.urlopen(request, timeout=90) as answer:
            text = answer.read()
        return json.loads(text) if text.startswith(b"{") else text.decode()

    def submit(self, circuit: str, witness: bytes) -> str:
        return str(self.ask(f"/v1/proofs?circuit={circuit}", witness)["id"])

    def cancel(self, job: str) -> None:
        request = urllib.request.Request(self.url + f"/v1/proofs/{job}", method="DELETE")
        urllib.request.urlopen(request, timeout=90).close()

    def ended(self, job: str) -> Any:
        until = time.monotonic() + 240
        while time.monotonic() < until:
            told = self.ask(f"/v1/proofs/{job}?wait=20")
            if told["state"] not in ("queued", "running"):
                return told
        raise TimeoutError(f"{told} {self.ask('/v1/status')} {self.log()}")

    def fleet(self) -> Any:
        return self.ask("/v1/status")["fleet"]

    def log(self) -> str:
        return (self.folder / "log").read_text()

    def driver(self) -> int:
        """The process of the driver."""
        for status in Path("/proc").glob("[0-9]*/stat"):
            try:
                name, _, fields = status.read_text().rpartition(")")
                words = (status.parent / "cmdline").read_bytes()
            except OSError:
                continue
            if fields.split()[1] == str(self.process.pid) and b"frumious.fleet.attendance" in words:
                return int(name.split(" ")[0])
        raise LookupError("no driver")


@contextmanager
def serve(
    fleet: Cluster, folder: Path, address: str | None = None, sizes: list[int] = SIZES
) -> Iterator[Server]:
    """A server of the circuits in a folder, which are made there if they are not."""
    for size in sizes:
        if not (folder / f"squarings-{size}").is_dir():
            make_circuit(folder, size)
    command = os.environ.get("FRUMIOUS_COMMAND")
    if command is None:
        assert "CI" not in os.environ, "FRUMIOUS_COMMAND names no command"
        pytest.skip("FRUMIOUS_COMMAND names no command")
    program = folder / "frumious-fleet"
    program.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m frumious.fleet "$@"\n')
    program.chmod(0o755)
    config = 'listen = "127.0.0.1:0"\ndata = "data"\nexecutor = "ray"\n'
    config += f'[fleet]\naddress = "{address or fleet.address}"\nprogram = "frumious-fleet"\njobs = 32\nbatch = 4\n'
    config += '[limits]\nthreads = 1\nmemory = "1G"\n'
    for size in sizes:
        config += f'[[circuits]]\nid = "s{size}"\nkey = "squarings-{size}/circuit.zkey"\nallow_uncontributed = true\n'
    graph = GRAPHS / "multiplier.wtns2"
    config += f'[[circuits]]\nid = "mul"\nkey = "{DATA / "mul.zkey"}"\ngenerator = "{graph}"\n'
    (folder / "frumious.toml").write_text(config)
    environment = dict(os.environ) | {"RAY_gcs_rpc_server_reconnect_timeout_s": "5"}
    with (folder / "log").open("w") as log:
        process = subprocess.Popen(
            [command, "serve", "--config", str(folder / "frumious.toml")], stderr=log, text=True, env=environment
        )
    try:
        server = Server(process, "", folder)
        wait_for(lambda: "listening at " in server.log() or process.poll() is not None)
        assert process.poll() is None, server.log()
        server.url = server.log().split("listening at ")[1].split()[0]
        yield server
    finally:
        process.kill()
        process.wait()


def wait_for(so: Callable[[], bool], seconds: float = 90) -> None:
    until = time.monotonic() + seconds
    while not so():
        if time.monotonic() > until:
            raise TimeoutError
        time.sleep(0.1)


def make_circuits(folder: Path) -> None:
    for size in SIZES:
        make_circuit(folder, size)


def make_circuit(folder: Path, size: int) -> None:
    place = folder / f"squarings-{size}"
    place.mkdir()
    r1cs, _ = squarings(place, size)
    frumious.setup_dev(r1cs, place / "circuit.zkey")


def check(folder: Path, size: int, number: int, job: Any) -> None:
    """The job has a proof, that of its own witness."""
    assert job["state"] == "succeeded", job
    witness = witness_of_squarings(size, number)
    signal_of = int.from_bytes(witness[-32 * (size + 1) :][:32], "little")
    assert job["public"] == [str(signal_of)]
    vkey = frumious.verification_key(folder / f"squarings-{size}/circuit.zkey")
    assert frumious.verify(vkey, job["public"], job["proof"], allow_uncontributed=True)


def test_a_server_loses_nothing_when_a_node_and_its_driver_are_killed(tmp_path: Path) -> None:
    make_circuits(tmp_path)
    with cluster(2) as fleet, serve(fleet, tmp_path) as server:
        wait_for(lambda: server.fleet()["nodes"] == 2)
        assert server.ask("/readyz") == "ready\n"
        asked = [(size, number + 2) for number in range(60) for size in SIZES]
        ids = [server.submit(f"s{size}", witness_of_squarings(size, number)) for size, number in asked]
        server.ended(ids[20])
        fleet.kill(fleet.machine.members()[1])
        server.ended(ids[50])
        os.kill(server.driver(), signal.SIGKILL)
        for job, (size, number) in zip(ids, asked, strict=True):
            check(tmp_path, size, number, server.ended(job))
        # Each once, as each has one id and one end; and the driver was begun anew.
        told = server.ask("/v1/proofs?limit=100")
        assert {job["state"] for job in told["proofs"]} == {"succeeded"}
        assert len(set(ids)) == 120 and server.fleet()["restarts"] >= 1
        wait_for(lambda: server.fleet()["nodes"] == 1)
        # Inputs for a generator, and a witness that satisfies nothing.
        made = server.ask("/v1/proofs?circuit=mul", b'{"a": "3", "b": "13"}', "application/json")
        assert server.ended(made["id"])["public"] == ["39"]
        wrong = bytearray(witness_of_squarings(200, 2))
        wrong[-1] ^= 1
        assert server.ended(server.submit("s200", bytes(wrong)))["code"] == "unsatisfied"
        # The witness was at fault, and not the node.
        check(tmp_path, 200, 2, server.ended(server.submit("s200", witness_of_squarings(200, 2))))
        server.process.terminate()
        assert server.process.wait(60) == 0, server.log()
        with pytest.raises(LookupError):
            server.driver()


def test_a_node_stops_what_is_cancelled(tmp_path: Path) -> None:
    make_circuits(tmp_path)
    size = 60_000
    with cluster(1) as fleet, serve(fleet, tmp_path, sizes=[*SIZES, size]) as server:
        long = witness_of_squarings(size, 2)
        wait_for(lambda: server.fleet()["nodes"] == 1)
        assert server.ended(server.submit(f"s{size}", long))["state"] == "succeeded"  # the key is there now
        start = time.monotonic()
        assert server.ended(server.submit(f"s{size}", long))["state"] == "succeeded"
        alone = time.monotonic() - start
        job = server.submit(f"s{size}", long)
        wait_for(lambda: server.ask(f"/v1/proofs/{job}").get("phase") == "node")
        start = time.monotonic()
        server.cancel(job)
        assert server.ended(job)["state"] == "cancelled"
        check(tmp_path, 200, 2, server.ended(server.submit("s200", witness_of_squarings(200, 2))))
        assert time.monotonic() - start < alone / 2
        assert server.fleet()["nodes"] == 1 and server.fleet()["restarts"] == 0


def test_a_server_waits_for_a_fleet_and_survives_its_head(tmp_path: Path) -> None:
    make_circuits(tmp_path)
    with cluster(1) as fleet, serve(fleet, tmp_path) as server:
        wait_for(lambda: server.fleet()["nodes"] == 1)
        check(tmp_path, 200, 2, server.ended(server.submit("s200", witness_of_squarings(200, 2))))
        fleet.kill(*fleet.machine.members())
        ids = [server.submit("s200", witness_of_squarings(200, number)) for number in range(3, 9)]
        wait_for(lambda: server.fleet()["nodes"] == 0)
        with pytest.raises(urllib.error.HTTPError) as raised:
            server.ask("/readyz")
        assert raised.value.code == 503
        time.sleep(3)  # as a machine restarts
        fleet.begin_head()
        fleet.begin_node()
        for number, job in enumerate(ids, 3):
            check(tmp_path, 200, number, server.ended(job))


def test_witnesses_of_a_server_are_nowhere_in_the_clear(tmp_path: Path) -> None:
    make_circuits(tmp_path)
    first = int.from_bytes(os.urandom(31), "little")
    witness = witness_of_squarings(500, first)
    needle = first.to_bytes(31, "little")
    assert needle in witness
    with cluster(1, f"--object-store-memory={80 << 20}") as fleet, serve(fleet, tmp_path) as server:
        check(tmp_path, 500, first, server.ended(server.submit("s500", witness)))
        files = stored_files(fleet) | {str(path): path for path in (tmp_path / "data").rglob("*") if path.is_file()}
        files["log"] = tmp_path / "log"
        assert len(files) > 10
        for form in (needle, str(first).encode(), needle.hex().encode()):
            assert found_in(form, files) == []


def test_a_fleet_with_another_key_gets_no_job(tmp_path: Path) -> None:
    make_circuits(tmp_path)
    care.make_secret(tmp_path / "key")
    with cluster(0) as fleet, serve(fleet, tmp_path) as server:
        fleet.begin_node(1, FRUMIOUS_FLEET_KEY=str(tmp_path / "key"))
        job = server.submit("s200", witness_of_squarings(200, 2))
        wait_for(lambda: "another key of the fleet" in server.log())
        assert server.fleet()["nodes"] == 0
        assert server.ask(f"/v1/proofs/{job}")["state"] == "running"
        fleet.begin_node()
        check(tmp_path, 200, 2, server.ended(job))
