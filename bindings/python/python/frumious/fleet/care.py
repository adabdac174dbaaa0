"""What is refused before any work: open doors, and nodes of another version."""

from __future__ import annotations

import functools
import hashlib
import os
import platform
import resource
import secrets
from collections.abc import Mapping
from importlib import metadata
from pathlib import Path

from .. import _native
from ..errors import BadInput
from . import seal


def refuse_open_doors(environment: Mapping[str, str] = os.environ) -> None:
    """Ray must ask for a token: whoever reaches it may run any program.

    That holds on loopback, too: Ray 2.60 listens on every address of a machine, also if it is told 127.0.0.1.
    """
    if environment.get("RAY_AUTH_MODE") != "token":
        message = "Ray would let anyone in. Next: set RAY_AUTH_MODE=token on every machine, or begin with up"
        raise BadInput(message, "permission", 2)
    named = environment.get(TOKEN_VARIABLE)
    path = Path(named) if named else Path.home() / ".ray/auth_token"
    if not environment.get("RAY_AUTH_TOKEN") and not path.is_file():
        message = f"{path}: the fleet's token is not there. Next: copy it from the machine of the head"
        raise BadInput(message, "permission", 2)


def make_identity(folder: Path) -> None:
    """Draws the token and the key of a new fleet, unless the environment names others."""
    if "RAY_AUTH_MODE" not in os.environ:
        make_secret(folder / TOKEN)
    if seal.VARIABLE not in os.environ:
        make_secret(folder / KEY)


def take_identity(folder: Path) -> None:
    """Has the environment name the token and the key in a folder, unless it names others."""
    if "RAY_AUTH_MODE" not in os.environ and (folder / TOKEN).is_file():
        os.environ["RAY_AUTH_MODE"] = "token"
        os.environ[TOKEN_VARIABLE] = str(folder / TOKEN)
    if seal.VARIABLE not in os.environ and (folder / KEY).is_file():
        os.environ[seal.VARIABLE] = str(folder / KEY)


def make_secret(path: Path) -> None:
    """Draws 32 bytes into a file for its owner alone, unless it is there."""
    try:
        file = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    except FileExistsError:
        return
    with os.fdopen(file, "w") as out:
        out.write(secrets.token_hex(32))


def check_address(address: str) -> str:
    """As it is, if it is `host:port`."""
    host, colon, port = address.rpartition(":")
    if not colon or not host or not port.isdigit():
        raise BadInput(f"{address}: host:port is expected", "bad_input", 2)
    return address


@functools.cache
def library_digest() -> str:
    """Of the native module's file."""
    with Path(str(_native.__file__)).open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()[:16]


def version() -> dict[str, str]:
    """The version of this node. Nodes work together only if all of it is the same."""
    package = Path(__file__).resolve().parents[1]
    digest = hashlib.sha256()
    for path in sorted(package.rglob("*.py")):
        name, content = path.relative_to(package).as_posix(), path.read_bytes()
        digest.update(f"{name} {len(content)}\n".encode() + content)
    return {
        "frumious": _native.VERSION,
        "sources": digest.hexdigest()[:16],
        "library": library_digest(),
        "ray": metadata.version("ray"),
        "python": ".".join(platform.python_version_tuple()[:2]),
    }


def difference(ours: Mapping[str, str], theirs: Mapping[str, str]) -> str | None:
    """In words, if there is one."""
    names = [name for name in ours if ours[name] != theirs.get(name)]
    told = [f"{name} {theirs.get(name, 'unknown')} instead of {ours[name]}" for name in names]
    return ", ".join(told) or None


def keep_from_others() -> None:
    """No core dump of this process."""
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


TOKEN_VARIABLE = "RAY_AUTH_TOKEN_PATH"
TOKEN = "fleet.token"
KEY = "fleet.key"
