"""Keys of circuits, and facts about files."""

import json
from dataclasses import dataclass
from typing import Any

from . import _native
from ._types import File, Path, Progress


@dataclass(frozen=True)
class MadeKey:
    """A key that was made."""

    constraints: int
    wires: int
    public_signals: int
    missing: str | None
    """The phase of the ceremony without a contribution, `powers` or `key`: then anyone can forge proofs."""


def setup(
    r1cs: Path,
    powers: Path,
    key: Path,
    *,
    replace: bool = False,
    max_memory: int | None = None,
    cancellation: _native.Cancellation | None = None,
    progress: Progress | None = None,
) -> MadeKey:
    """Makes a key from a ceremony's powers of tau. It is for use after a contribution: see `frumious.ceremony`.

    A name that ends in `.fkey` asks for our own container. An interrupted setup goes on where it was.
    """
    options = _options(r1cs, powers, None, key, replace, max_memory)
    return MadeKey(*_native.setup(options, cancellation, progress))


def setup_dev(
    r1cs: Path,
    key: Path,
    *,
    seed: Path | None = None,
    replace: bool = False,
    max_memory: int | None = None,
    cancellation: _native.Cancellation | None = None,
    progress: Progress | None = None,
) -> MadeKey:
    """Makes an UNSAFE key, for tests: its secrets are drawn here, or follow from the bytes of the file `seed`."""
    options = _options(r1cs, None, seed, key, replace, max_memory)
    return MadeKey(*_native.setup(options, cancellation, progress))


def verification_key(key: File) -> dict[str, Any]:
    """The verification key of a proving key, as snarkjs has it."""
    made: dict[str, Any] = json.loads(_native.verification_key(key)[0])
    return made


def inspect(path: Path) -> dict[str, Any]:
    """Facts about a file of any kind, as `frumious inspect --json` has them. Never the values of a witness."""
    facts: dict[str, Any] = json.loads(_native.inspect_file(path))
    return facts


def _options(
    r1cs: Path,
    powers: Path | None,
    seed: Path | None,
    key: Path,
    replace: bool,
    max_memory: int | None,
) -> dict[str, Any]:
    return {
        "r1cs": r1cs,
        "powers": powers,
        "seed": seed,
        "key": key,
        "replace": replace,
        "max_memory": max_memory,
    }
