"""Commitments and multiproofs of Verkle trees, bit for bit go-ipa's and rust-verkle's.

Scalars have 32 bytes, the least significant first; commitments 32, as go-ipa writes them; a proof 576. Nothing is
secret: time depends on everything. The first call takes a second, and makes tables of 128 MiB. The
environment variable FRUMIOUS_VERKLE_MIB sets another number, from 1 on.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from . import _native
from ._types import as_bytes

if TYPE_CHECKING:
    from ._types import Buffer


def commit(values: Buffer) -> bytes:
    """The commitment to at most 256 values."""
    return _native.verkle_commit(as_bytes(values))


def update(commitment: Buffer, places: Buffer, old: Buffer, new: Buffer) -> bytes:
    """The commitment after a change: the value at `places[i]`, a byte, was `old[i]` and is `new[i]`."""
    changes = (as_bytes(places), as_bytes(old), as_bytes(new))
    return _native.verkle_update(as_bytes(commitment), *changes)


def prove(
    label: bytes,
    commitments: Buffer,
    values: Buffer,
    places: Buffer,
    *,
    cancellation: _native.Cancellation | None = None,
) -> bytes:
    """The proof of openings. Opening i shows the value at `places[i]` of the 256 values of commitment i."""
    openings = (as_bytes(commitments), as_bytes(values), as_bytes(places))
    return _native.verkle_prove(label, *openings, cancellation)


def verify(label: bytes, commitments: Buffer, values: Buffer, places: Buffer, proof: Buffer) -> bool:
    """The verdict on a proof that commitment i has `values[i]` at `places[i]`."""
    claims = (as_bytes(commitments), as_bytes(values), as_bytes(places))
    return _native.verkle_verify(label, *claims, as_bytes(proof))
