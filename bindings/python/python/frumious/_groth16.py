"""Typed functions over the native module."""

import json
import pathlib
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from . import _native
from ._types import File, Path, Progress


@dataclass(frozen=True)
class Proof:
    """A proof and its public signals, as snarkjs has them."""

    proof: dict[str, Any]
    public_signals: list[str]


def prove(
    key: _native.Key | File,
    witness: File,
    *,
    verify: bool = True,
    max_memory: int | None = None,
    spill: Path | None = None,
    cancellation: _native.Cancellation | None = None,
    progress: Progress | None = None,
) -> Proof:
    """Proves, and verifies the proof before it is given unless `verify` is false."""
    options = {"verify": verify, "max_memory": max_memory, "spill": spill}
    return _proof(_native.prove_witness(_opened(key), witness, options, cancellation, progress))


def full_prove(
    key: _native.Key | File,
    generator: Path,
    inputs: Mapping[str, Any] | str,
    *,
    verify: bool = True,
    max_memory: int | None = None,
    spill: Path | None = None,
    cached: bool = False,
    cache: Path | None = None,
    max_witness_memory: int | None = None,
    max_witness_seconds: float | None = None,
    cancellation: _native.Cancellation | None = None,
    progress: Progress | None = None,
) -> Proof:
    """Calculates a witness, which is never written, and proves.

    `cached` keeps recorded runs of the generator and replays them: in the folder `cache`, or in the user's own.
    """
    options = {"verify": verify, "max_memory": max_memory, "spill": spill}
    limits = (max_witness_memory, max_witness_seconds)
    generating = _generating(generator, inputs, cached, cache, limits)
    return _proof(_native.prove_inputs(_opened(key), generating, options, cancellation, progress))


def calculate_witness(
    generator: Path,
    inputs: Mapping[str, Any] | str,
    *,
    cached: bool = False,
    cache: Path | None = None,
    max_witness_memory: int | None = None,
    max_witness_seconds: float | None = None,
    cancellation: _native.Cancellation | None = None,
    progress: Progress | None = None,
) -> bytes:
    """The `.wtns` file of a witness. It is secret, and Python does not overwrite it."""
    limits = (max_witness_memory, max_witness_seconds)
    generating = _generating(generator, inputs, cached, cache, limits)
    return _native.calculate_witness(generating, cancellation, progress)


def verify(
    vkey: Mapping[str, Any],
    public_signals: Sequence[str],
    proof: Mapping[str, Any],
    *,
    allow_uncontributed: bool = False,
) -> bool:
    """The verdict on a proof. A key that nobody contributed to is refused, as anyone can forge proofs under it."""
    key, signals, candidate = json.dumps(vkey), json.dumps(public_signals), json.dumps(proof)
    return _native.verify(key, signals, candidate, allow_uncontributed)


def _opened(key: _native.Key | File) -> _native.Key:
    return key if isinstance(key, _native.Key) else _native.Key(key)


def _proof(pair: tuple[str, str]) -> Proof:
    return Proof(json.loads(pair[0]), json.loads(pair[1]))


def _generating(
    generator: Path,
    inputs: Mapping[str, Any] | str,
    cached: bool,
    cache: Path | None,
    limits: tuple[int | None, float | None],
) -> dict[str, Any]:
    return {
        "generator": generator,
        "inputs": inputs if isinstance(inputs, str) else json.dumps(inputs),
        "child": _child(),
        "cached": cached,
        "cache": cache,
        "max_memory": limits[0],
        "max_seconds": limits[1],
    }


def _child() -> list[str]:
    """The command of the process that runs a generator. The folder where it starts is no place of modules."""
    if not sys.executable:
        raise RuntimeError("sys.executable is not set: there is no Python to start")
    return [sys.executable, "-P", str(pathlib.Path(__file__).resolve().with_name("_child.py"))]
