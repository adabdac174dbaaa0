"""Ray's processes of this machine: begun by `up`, ended by `down`. Only those that `up` began are ended."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from ..errors import BadInput, TryAgain
from . import care, seal
from .engine import answers, required


@dataclass(frozen=True)
class Member:
    """A process of Ray's, with its children, in a session of its own."""

    name: str
    process: int
    started: str
    """As the operating system counts it: a number that is used again belongs to another process."""
    address: str
    """Of the head."""


class Machine:
    """The members of a fleet on this machine, as a folder has them."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        self._file = folder / "members.json"

    def members(self) -> list[Member]:
        """Those that are alive."""
        try:
            found = json.loads(self._file.read_text())
        except FileNotFoundError:
            return []
        members = [Member(**fields) for fields in found]
        return [member for member in members if _started(member.process) == member.started]

    def head(self, host: str, port: int, options: Sequence[str] = ()) -> Member:
        """Begins a head, which has no cores to prove with."""
        care.refuse_open_doors()
        if answers(host, port):
            raise BadInput(f"something listens on {host}:{port} already", "busy", 2)
        arguments = ["--head", f"--node-ip-address={host}", f"--port={port}", "--num-cpus=0"]
        arguments += ["--include-dashboard=false", *options]
        return self._begin("head", f"{host}:{port}", arguments, {})

    def worker(
        self, address: str, cores: int, options: Sequence[str] = (), settings: Mapping[str, str] | None = None
    ) -> Member:
        """Begins a node of the fleet whose head is at the address. `settings` are of its environment."""
        care.refuse_open_doors()
        arguments = [f"--address={address}", f"--num-cpus={cores}", *options]
        names = {member.name for member in self.members()}
        name = next(name for count in range(len(names) + 1) if (name := f"node-{count}") not in names)
        return self._begin(name, address, arguments, settings or {})

    def down(self) -> int:
        """Ends all members; how many there were."""
        members = self.members()
        for ending in (signal.SIGTERM, signal.SIGKILL):
            for member in members[::-1]:
                _signal(member, ending)
            until = time.monotonic() + END_SECONDS
            while any(_group_lives(member) for member in members) and time.monotonic() < until:
                time.sleep(0.1)
        self._write([])
        return len(members)

    def _begin(self, name: str, address: str, arguments: list[str], settings: Mapping[str, str]) -> Member:
        required("ray")
        environment = dict(os.environ) | {"RAY_USAGE_STATS_ENABLED": "0"} | dict(settings)
        seal.Seal.of_environment()
        path = self.folder / f"{name}.log"
        log = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
        try:
            process = subprocess.Popen(
                [sys.executable, "-P", "-m", "ray.scripts.scripts", "start", *arguments, "--block"],
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                env=environment,
                cwd=self.folder,
                start_new_session=True,
            )
        finally:
            os.close(log)
        member = Member(name, process.pid, _started(process.pid) or "", address)
        self._write([*self.members(), member])
        _wait_for_start(member, path)
        return member

    def _write(self, members: list[Member]) -> None:
        partial = self._file.with_suffix(".partial")
        partial.write_text(json.dumps([asdict(member) for member in members]))
        partial.rename(self._file)


def _started(process: int) -> str | None:
    try:
        status = Path(f"/proc/{process}/stat").read_text()
    except OSError:
        return None
    fields = status.rpartition(")")[2].split()
    return None if fields[0] == "Z" else fields[19]


def _signal(member: Member, number: int) -> None:
    try:
        os.killpg(member.process, number)
    except ProcessLookupError:
        pass


def _group_lives(member: Member) -> bool:
    for status in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = status.read_text().rpartition(")")[2].split()
        except OSError:
            continue
        if fields[0] != "Z" and fields[2] == str(member.process):
            return True
    return False


def _wait_for_start(member: Member, log: Path) -> None:
    """Two that begin at once on one machine may wait for each other for ever, in Ray 2.60: so each is waited for."""
    until = time.monotonic() + START_SECONDS
    while STARTED not in log.read_bytes():
        if _started(member.process) != member.started:
            raise TryAgain(f"a process of Ray has ended: see {log}", "unreachable", 3)
        if time.monotonic() > until:
            raise TryAgain(f"a process of Ray has not begun within {START_SECONDS:.0f} s: see {log}", "unreachable", 3)
        time.sleep(0.1)


START_SECONDS = 120.0
STARTED = b"Ray runtime started."
END_SECONDS = 10.0
