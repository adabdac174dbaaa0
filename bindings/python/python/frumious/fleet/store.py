"""Files of a node by their content: keys and generators, which are public. A name is the SHA-256 of what it names.

A file comes in pieces, and has its name once all of it has the digest. So it is there whole, or not at all.
"""

from __future__ import annotations

import hashlib
import os
import platform
import re
import time
from collections.abc import Iterator
from pathlib import Path

from ..errors import BadInput, TryAgain

VARIABLE = "FRUMIOUS_FLEET_STORE"
PIECE_BYTES = 32 << 20
DAY = 86400


class Store:
    """The files of a node: in the folder that the variable names, or in the user's cache."""

    def __init__(self, folder: Path | None = None) -> None:
        given = os.environ.get(VARIABLE)
        cache = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
        self.folder = folder or (Path(given) if given else cache / "frumious/fleet")
        self.folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        self._known: set[str] = set()
        for partial in self.folder.glob("*.partial"):
            # Of a process that was killed: no file takes a day.
            if time.time() - partial.stat().st_mtime > DAY:
                partial.unlink(missing_ok=True)

    def path(self, digest: str) -> Path:
        """The place of a file."""
        if not re.fullmatch("[0-9a-f]{64}", digest):
            raise BadInput("a digest is expected", "bad_input", 2)
        return self.folder / digest

    def has(self, digest: str) -> bool:
        """True if the file is there; its content is looked at the first time."""
        path = self.path(digest)
        if digest not in self._known and path.is_file():
            if digest_of(path) == digest:
                self._known.add(digest)
            else:
                path.unlink()
        return digest in self._known

    def write(self, digest: str, offset: int, content: bytes) -> None:
        """Takes a piece. Pieces come in order; the first begins anew."""
        path = self._partial(digest)
        try:
            with path.open("wb" if offset == 0 else "r+b") as out:
                out.seek(offset)
                out.write(content)
        except OSError as error:
            raise TryAgain(f"the store of a node: {error.strerror}", "no_space", 3) from error

    def finish(self, digest: str) -> bool:
        """Gives the file its name, if it has the digest."""
        path = self._partial(digest)
        if digest_of(path) != digest:
            path.unlink()
            return False
        path.chmod(0o400)
        path.rename(self.path(digest))
        self._known.add(digest)
        return True

    def _partial(self, digest: str) -> Path:
        # Nodes of one machine may share a folder, and so may machines that share a home.
        return self.path(digest).with_suffix(f".{platform.node()}.{os.getpid()}.partial")


def digest_of(path: Path) -> str:
    """The SHA-256 of a file."""
    try:
        with path.open("rb") as file:
            return hashlib.file_digest(file, "sha256").hexdigest()
    except OSError as error:
        raise BadInput(f"{path}: {error.strerror}", "not_found", 2) from error


def pieces(path: Path) -> Iterator[tuple[int, bytes]]:
    """Offset and content of each piece of a file; at least one."""
    offset = 0
    with path.open("rb") as file:
        while (content := file.read(PIECE_BYTES)) or offset == 0:
            yield offset, content
            offset += max(len(content), 1)
