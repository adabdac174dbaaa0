"""Ranges of a key on a node: packs. A node has a file of the key's length, in which other ranges are holes.

Each pack is named by what it is of and by the SHA-256 of its bytes, which the node compares.
"""

from __future__ import annotations

import hashlib
import os
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from .. import _native
from ..errors import BadInput, TryAgain
from .store import PIECE_BYTES


@dataclass(frozen=True)
class Pack:
    """A range of a key's file."""

    offset: int
    size: int
    digest: str


@dataclass(frozen=True)
class Part:
    """A part of a key whose entries are placed in ranges."""

    name: str
    offset: int
    entries: int
    entry_bytes: int


class KeyFile:
    """A key of the submitter, which has all of it."""

    def __init__(self, path: Path, digest: str) -> None:
        self.path, self.digest = path, digest
        self.key = _native.Key(path)
        self.parts = {name: Part(name, *place) for name, *place in _native.key_layout(self.key)}
        self.size = path.stat().st_size
        self._digests: dict[tuple[int, int], str] = {}

    def frame(self) -> list[Pack]:
        """What every node needs: all that is of no part."""
        packs, end = [], 0
        for part in sorted(self.parts.values(), key=lambda part: part.offset):
            packs.append(self._pack(end, part.offset - end))
            end = part.offset + part.entries * part.entry_bytes
        packs.append(self._pack(end, self.size - end))
        return [pack for pack in packs if pack.size > 0]

    def range(self, name: str, first: int, entries: int) -> Pack:
        """Some entries of a part."""
        part = self.parts[name]
        return self._pack(part.offset + first * part.entry_bytes, entries * part.entry_bytes)

    def content(self, pack: Pack) -> Iterator[tuple[int, bytes]]:
        """Offset in the file and content of each piece of a pack."""
        with self.path.open("rb") as file:
            file.seek(pack.offset)
            at, end = pack.offset, pack.offset + pack.size
            while at < end:
                content = file.read(min(PIECE_BYTES, end - at))
                if not content:
                    raise TryAgain(f"{self.path}: it was cut off while it was sent", "changed", 3)
                yield at, content
                at += len(content)

    def _pack(self, offset: int, size: int) -> Pack:
        if (offset, size) not in self._digests:
            digest = hashlib.sha256()
            for _, content in self.content(Pack(offset, size, "")):
                digest.update(content)
            self._digests[offset, size] = digest.hexdigest()
        return Pack(offset, size, self._digests[offset, size])


class SparseKey:
    """A key on a node, of which some packs are there. The file has no name, so that it is gone with its process."""

    def __init__(self, folder: Path, size: int) -> None:
        handle, name = tempfile.mkstemp(prefix="key-", suffix=".sparse", dir=folder)
        self._file = os.fdopen(handle, "r+b", buffering=0)
        os.unlink(name)
        os.truncate(handle, size)
        self._path = Path(f"/proc/self/fd/{handle}")
        self._opened: _native.Key | None = None

    def write(self, offset: int, content: bytes) -> None:
        """Takes a piece of a pack."""
        self._opened = None  # a mapped file must not change
        view = memoryview(content)
        try:
            while view:
                written = os.pwrite(self._file.fileno(), view, offset)
                view, offset = view[written:], offset + written
        except OSError as error:
            raise TryAgain(f"the store of a node: {error.strerror}", "no_space", 3) from error

    def check(self, pack: Pack) -> bool:
        """True if the pack is there."""
        digest, at, end = hashlib.sha256(), pack.offset, pack.offset + pack.size
        while at < end and (content := os.pread(self._file.fileno(), min(PIECE_BYTES, end - at), at)):
            digest.update(content)
            at += len(content)
        return digest.hexdigest() == pack.digest

    def key(self) -> _native.Key:
        """The key. What needs a pack that is not there gets a wrong result, which is noticed in the end."""
        if self._opened is None:
            self._opened = _native.Key(self._path)
        return self._opened

    def close(self) -> None:
        """Gives up the file."""
        self._opened = None
        self._file.close()


def wires_of(witness: bytes) -> bytes:
    """The values of a `.wtns`. Raises `BadInput` for a file that has more than one reading.

    Two readers that find other values would take an honest proof for a wrong one.
    """
    sections = _sections(witness)
    if HEADER not in sections or VALUES not in sections:
        raise _malformed("a section is missing")
    header, values = witness[sections[HEADER]], sections[VALUES]
    # Size of a value, the prime, and the number of values.
    if len(header) != HEADER_BYTES or _number(header[:4]) != VALUE_BYTES:
        raise _malformed("its header has another length")
    if values.stop - values.start != VALUE_BYTES * _number(header[-4:]):
        raise _malformed("it has another number of values than it says")
    return witness[values]


def _sections(witness: bytes) -> dict[int, slice]:
    """Where the known sections are. The counterpart in Rust is `Container::parse`."""
    if witness[:4] != b"wtns" or _number(witness[4:8]) not in (1, 2) or len(witness) < FRAME_BYTES:
        raise _malformed("it does not begin as one")
    found: dict[int, slice] = {}
    at = FRAME_BYTES
    for _ in range(_number(witness[8:FRAME_BYTES])):
        kind, start = _number(witness[at : at + 4]), at + FRAME_BYTES
        at = start + _number(witness[at + 4 : start])
        # Of a cut frame, too: it starts beyond the end, then.
        if at > len(witness):
            raise _malformed("a section goes beyond its end")
        if kind in found:
            raise _malformed("a section is there twice")
        # Others may be many: they take no memory.
        if kind < SECTION_TYPES:
            found[kind] = slice(start, at)
    if at != len(witness):
        raise _malformed("something follows the last section")
    return found


def _number(content: bytes) -> int:
    return int.from_bytes(content, "little")


def _malformed(reason: str) -> BadInput:
    return BadInput(f"the witness is malformed: {reason}", "bad_input", 2)


VALUE_BYTES = 32
FRAME_BYTES = 12
"""In front of a file: magic, version and number of sections. In front of a section: its type and length."""
HEADER, VALUES = 1, 2
SECTION_TYPES = 16
"""Sections of types from here on are unknown, and are ignored."""
HEADER_BYTES = 40
