"""Jobs as a file has them: a line of JSON each.

    {"id": "payment-17", "key": "payment.zkey", "witness": "17.wtns"}
    {"id": "payment-18", "key": "payment.zkey", "generator": "payment.wasm", "inputs": "18.json"}

Paths are relative to the file. `inputs` may be the inputs themselves.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ..errors import BadInput


@dataclass(frozen=True)
class Job:
    """A proof that is wanted."""

    id: str
    key: Path
    generator: Path | None
    """Calculates the witness; without one the witness is given."""
    secret: Path | bytes
    """The witness, or the inputs of the generator: where they are, or they themselves."""

    def __repr__(self) -> str:
        return f"Job({self.id})"

    def read_secret(self) -> bytes:
        """The witness or the inputs."""
        if isinstance(self.secret, bytes):
            return self.secret
        try:
            return self.secret.read_bytes()
        except OSError as error:
            raise BadInput(f"{self.secret}: {error.strerror}", "not_found", 2) from error


def read_jobs(path: Path) -> list[Job]:
    """All jobs of a file."""
    try:
        lines = path.read_text("utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise BadInput(f"{path}: cannot be read", "not_found", 2) from error
    jobs: dict[str, Job] = {}
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        job = _job(line, path.parent, f"{path}: line {number}")
        if job.id in jobs:
            raise BadInput(f"{path}: line {number}: job {job.id} is there twice", "bad_input", 2)
        jobs[job.id] = job
    return list(jobs.values())


def _job(line: str, folder: Path, place: str) -> Job:
    try:
        fields: Any = json.loads(line)
    except ValueError:
        raise BadInput(f"{place}: no JSON", "bad_input", 2) from None  # its error has the line, which may be secret
    names = set(fields) if isinstance(fields, dict) else set()
    if names not in ({"id", "key", "witness"}, {"id", "key", "generator", "inputs"}):
        raise BadInput(f"{place}: id, key, and witness or generator and inputs are expected", "bad_input", 2)
    for name in names - {"inputs"}:
        if not isinstance(fields[name], str) or not fields[name]:
            raise BadInput(f"{place}: {name}: a string is expected", "bad_input", 2)
    if len(fields["id"]) > MOST_ID or not fields["id"].isprintable():
        raise BadInput(f"{place}: an id has at most {MOST_ID} printable characters", "bad_input", 2)
    generator = folder / fields["generator"] if "generator" in fields else None
    given = fields["witness"] if generator is None else fields["inputs"]
    secret = folder / given if isinstance(given, str) else json.dumps(given).encode()
    return Job(fields["id"], folder / fields["key"], generator, secret)


MOST_ID = 200
