"""Fleets of a head and nodes on this machine, for tests, and what is needed to spoil them."""

import os
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from frumious.fleet import care
from frumious.fleet.cluster import Machine, Member


@dataclass
class Cluster:
    """Ray's processes, with a token and a key of their own."""

    folder: Path
    machine: Machine
    port: int

    @property
    def address(self) -> str:
        return f"127.0.0.1:{self.port}"

    def begin_head(self, *options: str) -> Member:
        return self.machine.head("127.0.0.1", self.port, [f"--temp-dir={self.folder / 'ray'}", *options])

    def begin_node(self, cores: int = 1, *options: str, **settings: str) -> Member:
        store = {"FRUMIOUS_FLEET_STORE": str(self.folder / "stores" / str(time.monotonic_ns()))}
        # Not all of the machine's: two nodes are on it.
        memory = f"--memory={2 << 30}"
        return self.machine.worker(self.address, cores, [memory, *options], store | settings)

    def wait_for_nodes(self, count: int) -> None:
        """Until so many have joined."""
        for _ in range(20):
            told = self.run("status", "--address", self.address)
            if told.returncode == 0 and told.stdout.count("1 cores") == count:
                return
        logs = "".join(path.read_text()[-2000:] for path in self.machine.folder.glob("*.log"))
        raise TimeoutError(told.stdout + told.stderr + logs)

    def kill(self, *members: Member) -> None:
        """As a machine loses its power."""
        for member in members:
            os.killpg(member.process, signal.SIGKILL)

    def run(self, *words: str, **settings: str) -> subprocess.CompletedProcess[str]:
        """The command of a fleet."""
        command = [sys.executable, "-m", "frumious.fleet", "--state", str(self.folder / "state"), *words]
        environment = dict(os.environ) | settings
        return subprocess.run(command, capture_output=True, text=True, timeout=120, env=environment)


@contextmanager
def cluster(nodes: int, *options: str) -> Iterator[Cluster]:
    """A head and so many nodes of one core. Sockets have short names, so that the folder is beside other temporary."""
    before = dict(os.environ)
    with tempfile.TemporaryDirectory(prefix="fr", dir="/tmp", ignore_cleanup_errors=True) as name:
        folder = Path(name)
        for variable in ("RAY_AUTH_MODE", care.TOKEN_VARIABLE, "FRUMIOUS_FLEET_KEY"):
            os.environ.pop(variable, None)
        machine = Machine(folder / "state")
        care.make_identity(machine.folder)
        care.take_identity(machine.folder)
        # A node that is gone is missed after some seconds, not after half a minute.
        os.environ |= {"RAY_health_check_period_ms": "1000", "RAY_health_check_failure_threshold": "3"}
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            port = free.getsockname()[1]
        made = Cluster(folder, machine, port)
        try:
            made.begin_head(*options)
            for _ in range(nodes):
                made.begin_node(1, *options)
            yield made
        finally:
            machine.down()
            os.environ.clear()
            os.environ.update(before)


def found_in(needle: bytes, files: Mapping[str, Path]) -> list[str]:
    """The names of files that have these bytes."""
    found = []
    for name, path in files.items():
        try:
            with path.open("rb") as file:
                rest = b""
                while part := file.read(1 << 22):
                    if needle in rest + part:
                        found.append(name)
                        break
                    rest = part[-len(needle) :]
        except OSError:
            continue
    return found


def stored_files(cluster: Cluster) -> dict[str, Path]:
    """Object stores, which have no name any more but in their processes; spilled objects; Ray's logs."""
    files = {str(path): path for path in (cluster.folder / "ray").rglob("*") if path.is_file()}
    groups = {str(member.process) for member in cluster.machine.members()}
    for status in Path("/proc").glob("[0-9]*/stat"):
        try:
            if status.read_text().rpartition(")")[2].split()[2] not in groups:
                continue
            for link in (status.parent / "fd").iterdir():
                target = os.readlink(link)
                if target.startswith("/dev/shm/"):
                    files[target] = link
        except OSError:
            continue
    return files
