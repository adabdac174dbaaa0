"""Sums over groups and transforms, on buffers: bytes, memory views, arrays of NumPy.

Numbers have 32 bytes, or 48 in coordinates of BLS12-381, in the `byteorder` that is named, and are below their modulus.
Points are x and y; infinity is all zeros. A coordinate of G2 has its imaginary part first in the order `big`, as in the
C library and EIP-197, and its real part first in the order `little`. Points outside their group are refused.

A buffer is read in place, without a copy. Nothing is wiped, and a sum's time tells of its numbers: not for secrets.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from . import _native
from ._types import as_bytes

if TYPE_CHECKING:
    from ._types import Buffer

Group = Literal["bn128.g1", "bn128.g2", "bls12381.g1", "bls12381.g2"]
Curve = Literal["bn128", "bls12381"]
ByteOrder = Literal["big", "little"]


def msm(
    group: Group,
    points: Buffer,
    scalars: Buffer,
    *,
    byteorder: ByteOrder,
    cancellation: _native.Cancellation | None = None,
) -> bytes:
    """The sum of the multiples `scalars[i]·points[i]`: one point."""
    return _native.msm((group, byteorder), as_bytes(points), as_bytes(scalars), cancellation)


def fft(
    curve: Curve,
    values: Buffer,
    *,
    byteorder: ByteOrder,
    inverse: bool = False,
    cancellation: _native.Cancellation | None = None,
) -> None:
    """Coefficients become values at the powers of a root of unity, in natural order; back with `inverse`.

    The buffer, a power of two of numbers below the order of the curve's groups, is changed in place.
    """
    _native.fft((curve, byteorder), as_bytes(values), inverse, cancellation)
