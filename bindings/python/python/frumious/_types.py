"""Types of arguments."""

from __future__ import annotations

from collections.abc import Callable
from os import PathLike
from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    import typing_extensions

    class Array(Protocol):
        """An array of NumPy: before Python 3.12 its types do not say that it is a buffer."""

        @property
        def __array_interface__(self) -> dict[str, Any]: ...

    Buffer = typing_extensions.Buffer | Array

Path = str | PathLike[str]
File = str | PathLike[str] | bytes
"""A file by its path, or its content."""
Progress = Callable[[str, float], object]
"""Called with a phase and the part of it that is done, 0 to 1."""
Found = tuple[bytes, str | None, tuple[bytes, int] | None]
"""A contribution that was verified: hash, name, and a beacon."""


def as_bytes(buffer: Buffer) -> memoryview:
    """The bytes of a contiguous buffer of any type, where they are."""
    view = memoryview(buffer)  # type: ignore[arg-type]  # an array is one
    if view.nbytes == 0:
        return memoryview(b"")
    return view if view.format == "B" and view.ndim == 1 else view.cast("B")
