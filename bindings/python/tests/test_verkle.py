"""Commitments and multiproofs."""

from collections.abc import Callable

import frumious
import numpy as np
import pytest
from fixtures import vector
from frumious import verkle

VALUES = np.zeros((2, 256, 32), np.uint8)
VALUES[0, :, 0] = np.arange(256)
VALUES[1, :, 1] = np.arange(256)[::-1]
PLACES = bytes([7, 255])
SHOWN = VALUES[0, 7].tobytes() + VALUES[1, 255].tobytes()


def commitments() -> bytes:
    return b"".join(verkle.commit(values) for values in VALUES)


def test_openings_are_proven() -> None:
    proof = verkle.prove(b"test", commitments(), VALUES, PLACES)
    assert len(proof) == 576
    assert verkle.verify(b"test", commitments(), SHOWN, PLACES, proof)
    assert not verkle.verify(b"other", commitments(), SHOWN, PLACES, proof)
    assert not verkle.verify(b"test", commitments(), bytes([9]) + SHOWN[1:], PLACES, proof)


def test_the_basis_is_go_ipas() -> None:
    units = [bytes(32 * i) + (1).to_bytes(32, "little") for i in range(256)]
    assert [verkle.commit(unit).hex() for unit in units] == vector("04_crs")["compressed"]


def test_a_proof_is_go_ipas() -> None:
    given = vector("07_multiproof_consistency")
    assert (given["poly_a"], given["poly_b"]) == ("f[i] = (i mod 32)+1", "f[i] = 32-(i mod 32)")
    values = np.zeros((2, 256, 32), np.uint8)
    values[0, :, 0] = np.arange(256) % 32 + 1
    values[1, :, 0] = 32 - np.arange(256) % 32
    places = bytes(opening["z"] for opening in given["openings"])
    committed = b"".join(verkle.commit(each) for each in values)
    label = given["transcript_label"].encode()
    assert verkle.prove(label, committed, values, places).hex() == given["proof"]


def test_an_update_is_the_commitment_to_the_new_values() -> None:
    fresh = VALUES[0].copy()
    fresh[7] = 0
    fresh[7, 3] = 9
    updated = verkle.update(verkle.commit(VALUES[0]), PLACES[:1], SHOWN[:32], fresh[7])
    assert updated == verkle.commit(fresh) != verkle.commit(VALUES[0])


def test_malformed_bytes_are_refused() -> None:
    given, proof = commitments(), bytes(576)
    cases: list[Callable[[], object]] = [
        lambda: verkle.commit(bytes(257 * 32)),
        lambda: verkle.commit(bytes(31)),
        lambda: verkle.commit(b"\xff" * 32),
        lambda: verkle.update(given[:32], PLACES, SHOWN, SHOWN[:32]),
        lambda: verkle.update(b"\xff" * 32, PLACES, SHOWN, SHOWN),
        lambda: verkle.prove(b"", given, VALUES, PLACES[:1]),
        lambda: verkle.prove(b"", b"", b"", b""),
        lambda: verkle.verify(b"", given, SHOWN, b"", proof),
        lambda: verkle.verify(b"", given[:-1], SHOWN, PLACES, proof),
        lambda: verkle.verify(b"", given, SHOWN, PLACES, b"\xff" * 576),
        lambda: verkle.verify(b"", given, SHOWN, PLACES, proof[:-1]),
    ]
    for wrong in cases:
        with pytest.raises(frumious.BadInput):
            wrong()


def test_a_proof_is_cancelled() -> None:
    cancellation = frumious.Cancellation()
    cancellation.cancel()
    with pytest.raises(frumious.Interrupted):
        verkle.prove(b"test", commitments(), VALUES, PLACES, cancellation=cancellation)
