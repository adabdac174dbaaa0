"""The actor of a node that works on pieces of one proof. Scalars and vectors come sealed, and results go sealed."""

from __future__ import annotations

import json

from .. import _native
from .node import Outcome, Prover, failed, words
from .packs import VALUE_BYTES, Pack, SparseKey


class ShardProver(Prover):
    """Has ranges of keys, and computes what they are needed for."""

    def __init__(self, cores: int) -> None:
        super().__init__(cores)
        self._sparse: dict[str, SparseKey] = {}

    def take(self, key: str, size: int, offset: int, content: bytes) -> str | None:
        """Takes a piece of a pack, of a key of that size; the reason if it cannot."""
        try:
            if key not in self._sparse:
                # One key at a time: a node that has another needs its room.
                while self._sparse:
                    self._sparse.popitem()[1].close()
                self._sparse[key] = SparseKey(self._files().folder, size)
            self._sparse[key].write(offset, content)
        except Exception as error:
            return words(error)
        return None

    def check(self, key: str, packs: list[Pack]) -> bool:
        """True if the packs are there, by their digests."""
        return key in self._sparse and all(self._sparse[key].check(pack) for pack in packs)

    def sum(self, proof: str, key: str, part: str, first: int, message: bytes) -> bytes | Outcome:
        """The sum over entries of a part from `first` on, sealed."""
        try:
            scalars = self._open(scalars_purpose(proof, key, part, first), message)
            return self._summed(proof, key, part, first, scalars)
        except Exception as error:
            return failed(part, error)

    def vector(self, proof: str, key: str, name: str, ranges: list[tuple[int, int]], message: bytes) -> list[object]:
        """A vector of the quotient in ranges, each sealed. In front is what went wrong, or none."""
        try:
            witness = self._open(witness_purpose(proof, key), message)
            values = _native.quotient_vector(self._sparse[key].key(), witness, name, None)
            pieces = [values[VALUE_BYTES * first : VALUE_BYTES * (first + count)] for first, count in ranges]
            return [None, *(self._sealed(vector_purpose(proof, key, name, first), piece) for (first, _), piece in zip(ranges, pieces, strict=True))]
        except Exception as error:
            return [failed(name, error), *(b"" for _ in ranges)]

    def sum_of_h(self, proof: str, key: str, first: int, a: bytes, b: bytes, c: bytes) -> bytes | Outcome:
        """The sum over entries of part H from `first` on, sealed: of the same range of the three vectors."""
        try:
            opened = [self._open(vector_purpose(proof, key, name, first), part) for name, part in zip("abc", (a, b, c), strict=True)]
            curve = self._sparse[key].key().curve
            scalars = _native.scalars_of_h(curve, (opened[0], opened[1], opened[2]), None)
            return self._summed(proof, key, "h", first, scalars)
        except Exception as error:
            return failed("h", error)

    def _summed(self, proof: str, key: str, part: str, first: int, scalars: bytes) -> bytes:
        point = _native.partial_sum(self._sparse[key].key(), part, first, scalars, None)
        return self._sealed(point_purpose(proof, key, part, first), point)


def witness_purpose(proof: str, key: str) -> str:
    """What a whole witness is sealed for."""
    return json.dumps(["witness", proof, key])


def scalars_purpose(proof: str, key: str, part: str, first: int) -> str:
    """What a range of a witness is sealed for."""
    return json.dumps(["scalars", proof, key, part, first])


def vector_purpose(proof: str, key: str, name: str, first: int) -> str:
    """What a range of a vector is sealed for."""
    return json.dumps(["vector", proof, key, name, first])


def point_purpose(proof: str, key: str, part: str, first: int) -> str:
    """What a sum is sealed for: it tells of the witness."""
    return json.dumps(["sum", proof, key, part, first])
