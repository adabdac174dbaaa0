"""Sums and transforms against plain arithmetic of Python."""

import threading
import time
from typing import Any

import frumious
import numpy as np
import pytest
from circuits import R
from frumious.algebra import fft, msm

Q = 21888242871839275222246405745257275088696311157297823662689037894645226208583
R_BLS = 52435875175126190479447740508185965837690552500527637822603658699938581184513
Point = tuple[int, int] | None
GENERATOR: Point = (1, 2)


def add(p: Point, q: Point) -> Point:
    if p is None or q is None:
        return q if p is None else p
    if p[0] == q[0] and (p[1] + q[1]) % Q == 0:
        return None
    slope = 3 * p[0] * p[0] * pow(2 * p[1], -1, Q) if p == q else (q[1] - p[1]) * pow(q[0] - p[0], -1, Q)
    x = (slope * slope - p[0] - q[0]) % Q
    return x, (slope * (p[0] - x) - p[1]) % Q


def multiple(p: Point, scalar: int) -> Point:
    total: Point = None
    for bit in bin(scalar)[2:]:
        total = add(total, total)
        total = add(total, p) if bit == "1" else total
    return total


def numbers(values: list[int], order: Any) -> bytes:
    return b"".join(value.to_bytes(32, order) for value in values)


def encoded(points: list[Point], order: Any) -> bytes:
    return b"".join(numbers(list(point or (0, 0)), order) for point in points)


SCALARS = [0, 1, 2, R - 1, 12345, 1 << 200, R // 3]
POINTS = [multiple(GENERATOR, k) for k in (1, 2, 3, 4, 5, 6)] + [None]


@pytest.mark.parametrize("order", ["big", "little"])
def test_sums_are_those_of_the_formulas(order: Any) -> None:
    expected: Point = None
    for point, scalar in zip(POINTS, SCALARS, strict=True):
        expected = add(expected, multiple(point, scalar) if point else None)
    points, scalars = encoded(POINTS, order), numbers(SCALARS, order)
    assert msm("bn128.g1", points, scalars, byteorder=order) == encoded([expected], order)
    words = np.frombuffer(points, np.uint64).reshape(-1, 8), np.frombuffer(scalars, np.uint64)
    given: Any
    for given in (bytearray(points), memoryview(points), words[0]):
        assert msm("bn128.g1", given, words[1], byteorder=order) == encoded([expected], order)
    assert msm("bn128.g1", b"", np.empty(0, np.uint64), byteorder=order) == bytes(64)


@pytest.mark.parametrize(
    ("group", "size"), [("bn128.g1", 64), ("bn128.g2", 128), ("bls12381.g1", 96), ("bls12381.g2", 192)]
)
def test_infinity_of_each_group(group: Any, size: int) -> None:
    assert msm(group, bytes(3 * size), numbers([1, 2, 3], "big"), byteorder="big") == bytes(size)


def test_bad_numbers_and_points_are_refused() -> None:
    one, point = numbers([1], "little"), encoded([GENERATOR], "little")
    off = encoded([(1, 3)], "little")
    large = numbers([Q, 2], "little")
    cases = [
        (point, numbers([R], "little")),
        (off, one),
        (large, one),
        (point[:-1], one),
        (point, one[:-1]),
        (point, one + one),
    ]
    for points, scalars in cases:
        with pytest.raises(frumious.BadInput):
            msm("bn128.g1", points, scalars, byteorder="little")
    with pytest.raises(frumious.BadInput) as raised:
        msm("bn128.g1", point + off, one + one, byteorder="little")
    assert str(raised.value).startswith("point 1: ")
    unknown: Any = "other"
    with pytest.raises(frumious.BadInput):
        msm(unknown, point, one, byteorder="little")
    with pytest.raises(frumious.BadInput):
        msm("bn128.g1", point, one, byteorder=unknown)
    with pytest.raises(TypeError):
        msm("bn128.g1", np.zeros((4, 64), np.uint8)[:, ::2], one, byteorder="little")


@pytest.mark.parametrize(("curve", "prime", "generator"), [("bn128", R, 5), ("bls12381", R_BLS, 7)])
def test_transforms_evaluate(curve: Any, prime: int, generator: int) -> None:
    coefficients = [3, 1, prime - 1, 7 << 240, 0, 5, 6, 1 << 100]
    root = pow(generator, (prime - 1) // 8, prime)
    expected = [
        sum(c * pow(root, place * power, prime) for power, c in enumerate(coefficients)) % prime for place in range(8)
    ]
    values = np.frombuffer(numbers(coefficients, "little"), np.uint64).reshape(8, 4).copy()
    before = values.copy()
    fft(curve, values, byteorder="little")
    assert values.tobytes() == numbers(expected, "little")
    fft(curve, values, byteorder="little", inverse=True)
    assert (values == before).all()
    turned = bytearray(numbers(coefficients, "big"))
    fft(curve, turned, byteorder="big")
    assert turned == numbers(expected, "big")


def test_buffers_of_a_failed_transform_stay_as_they_are() -> None:
    for values in ([1, 2, 3], [R], []):
        buffer = bytearray(numbers(values, "little"))
        with pytest.raises(frumious.BadInput):
            fft("bn128", buffer, byteorder="little")
        assert buffer == numbers(values, "little")
    with pytest.raises(frumious.BadInput):
        fft("bn128", numbers([1, 2], "little"), byteorder="little")


def test_a_sum_is_cancelled_in_the_middle() -> None:
    count = 1 << 14
    points = encoded([GENERATOR], "little") * count
    scalars = np.random.default_rng(1).integers(0, 1 << 60, (count, 4), np.uint64)
    cancellation = frumious.Cancellation()
    timer = threading.Timer(0.1, cancellation.cancel)
    timer.start()
    with pytest.raises(frumious.Interrupted):
        for _ in range(100):
            msm("bn128.g1", points, scalars, byteorder="little", cancellation=cancellation)
    timer.join()


def test_a_buffer_that_is_written_to_meanwhile_harms_nothing() -> None:
    values = np.zeros((1 << 10, 4), np.uint64)
    stop = threading.Event()

    def write() -> None:
        while not stop.is_set():
            values[:, 3] ^= np.uint64(1 << 60)
            time.sleep(0)

    writer = threading.Thread(target=write)
    writer.start()
    try:
        for _ in range(20):
            fft("bn128", values, byteorder="little")
    except frumious.BadInput:
        pass  # a number that was not below the modulus
    finally:
        stop.set()
        writer.join()
