"""Ceremonies: contributions to powers of tau, which all circuits share, and to keys; their verification.

No file is replaced unless `replace` is true or it is a result that can be made again.
"""

from dataclasses import dataclass

from . import _native
from ._types import Found, Path, Progress


@dataclass(frozen=True)
class Contribution:
    """A contribution that was made."""

    hash: str
    """The hash to publish, in hexadecimal."""
    number: int
    """Contributions so far, with this one."""
    points: int
    """Points that were multiplied."""


@dataclass(frozen=True)
class Beacon:
    """A public beacon: SHA-256 is applied to its bytes 2^`iterations_exp` times."""

    value: bytes
    iterations_exp: int


@dataclass(frozen=True)
class Verified:
    """A contribution that was verified."""

    hash: str
    name: str | None
    """As its file has it: names are in no hash, and whoever passes a file on may alter them."""
    beacon: Beacon | None


@dataclass(frozen=True)
class Chain:
    """A key that was verified."""

    circuit_hash: str
    contributions: list[Verified]


@dataclass(frozen=True)
class Powers:
    """Powers of tau that were verified."""

    power: int
    ceremony_power: int
    prepared: bool
    contributions: list[Verified]


def contribute(
    old: Path,
    new: Path,
    *,
    name: str | None = None,
    entropy: bytes = b"",
    replace: bool = False,
    cancellation: _native.Cancellation | None = None,
    progress: Progress | None = None,
) -> Contribution:
    """Writes a key with one contribution more. Its secret is drawn, mixed with `entropy`, and wiped."""
    return _contributed(old, new, False, name, entropy, None, replace, cancellation, progress)


def beacon(
    old: Path,
    new: Path,
    value: Beacon,
    *,
    name: str | None = None,
    replace: bool = False,
    cancellation: _native.Cancellation | None = None,
    progress: Progress | None = None,
) -> Contribution:
    """Writes a key with the contribution of a beacon, which is the last one."""
    return _contributed(old, new, False, name, b"", value, replace, cancellation, progress)


def verify(
    key: Path,
    powers: Path,
    *,
    r1cs: Path | None = None,
    initial: Path | None = None,
    max_iterations_exp: int = 32,
    cancellation: _native.Cancellation | None = None,
    progress: Progress | None = None,
) -> Chain:
    """Verifies a key against the powers of tau and its circuit, or its `initial` key, which is trusted.

    Raises `Rejected` for a key that is not valid. Beacons of more iterations raise `TryAgain`.
    """
    files = (r1cs, initial, powers, key)
    circuit, found = _native.verify_key(files, max_iterations_exp, cancellation, progress)
    return Chain(circuit.hex(), _verified(found))


def create_powers(
    new: Path,
    power: int,
    *,
    curve: str = "bn128",
    replace: bool = False,
    cancellation: _native.Cancellation | None = None,
    progress: Progress | None = None,
) -> None:
    """Writes 2^`power` powers of tau without a contribution."""
    _native.create_powers(new, power, curve, replace, cancellation, progress)


def contribute_powers(
    old: Path,
    new: Path,
    *,
    name: str | None = None,
    entropy: bytes = b"",
    replace: bool = False,
    cancellation: _native.Cancellation | None = None,
    progress: Progress | None = None,
) -> Contribution:
    """Writes powers of tau with one contribution more. Its secrets are drawn, mixed with `entropy`, and wiped."""
    return _contributed(old, new, True, name, entropy, None, replace, cancellation, progress)


def beacon_powers(
    old: Path,
    new: Path,
    value: Beacon,
    *,
    name: str | None = None,
    replace: bool = False,
    cancellation: _native.Cancellation | None = None,
    progress: Progress | None = None,
) -> Contribution:
    """Writes powers of tau with the contribution of a beacon."""
    return _contributed(old, new, True, name, b"", value, replace, cancellation, progress)


def prepare_powers(
    old: Path,
    new: Path,
    *,
    max_memory: int | None = None,
    replace: bool = False,
    cancellation: _native.Cancellation | None = None,
    progress: Progress | None = None,
) -> None:
    """Writes powers of tau with what setups need. An interrupted one goes on where it was."""
    _native.prepare_powers((old, new), max_memory, replace, cancellation, progress)


def verify_powers(
    powers: Path,
    *,
    max_iterations_exp: int = 32,
    cancellation: _native.Cancellation | None = None,
    progress: Progress | None = None,
) -> Powers:
    """Verifies powers of tau: contributions, points, and what setups need. Raises `Rejected` if they are not valid."""
    found = _native.verify_powers(powers, max_iterations_exp, cancellation, progress)
    power, ceremony_power, prepared, contributions = found
    return Powers(power, ceremony_power, prepared, _verified(contributions))


def _contributed(
    old: Path,
    new: Path,
    powers: bool,
    name: str | None,
    entropy: bytes,
    value: Beacon | None,
    replace: bool,
    cancellation: _native.Cancellation | None,
    progress: Progress | None,
) -> Contribution:
    contributing = {
        "old": old,
        "new": new,
        "powers": powers,
        "name": name,
        "entropy": entropy,
        "beacon": None if value is None else (value.value, value.iterations_exp),
        "replace": replace,
    }
    digest, number, points = _native.contribute(contributing, cancellation, progress)
    return Contribution(digest.hex(), number, points)


def _verified(found: list[Found]) -> list[Verified]:
    return [
        Verified(digest.hex(), name, None if value is None else Beacon(*value))
        for digest, name, value in found
    ]
