"""Python's lock, progress, cancellation and signals in the middle of long tasks."""

import ctypes
import multiprocessing
import signal
import threading
import time
from collections.abc import Callable
from pathlib import Path

import frumious
import numpy as np
import pytest
from circuits import squarings
from fixtures import DATA
from frumious import algebra, ceremony

COUNT = 1 << 13


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> tuple[frumious.Key, Path, Path]:
    folder = tmp_path_factory.mktemp("squarings")
    r1cs, witness = squarings(folder, COUNT)
    seed = folder / "seed"
    seed.write_bytes(bytes(32))
    frumious.setup_dev(r1cs, folder / "key.zkey", seed=seed)
    return frumious.Key(folder / "key.zkey"), witness, r1cs


def released(task: Callable[[], object]) -> int:
    """How often another thread of Python ran while the task did: not once if the task keeps the lock."""
    ticks, stop = [0], threading.Event()

    def tick() -> None:
        while not stop.is_set():
            time.sleep(0.001)
            ticks[0] += 1

    ticker = threading.Thread(target=tick)
    ticker.start()
    before = ticks[0]
    task()
    during = ticks[0] - before
    stop.set()
    ticker.join()
    return during


def test_the_lock_is_released(made: tuple[frumious.Key, Path, Path], tmp_path: Path) -> None:
    key, witness, r1cs = made
    points = ((1).to_bytes(32, "little") + (2).to_bytes(32, "little")) * COUNT
    scalars = np.random.default_rng(1).integers(0, 1 << 60, (COUNT, 4), np.uint64)
    values = np.zeros((1 << 17, 4), np.uint64)
    ceremony.create_powers(tmp_path / "powers", 9)
    tasks: dict[str, Callable[[], object]] = {
        "prove": lambda: frumious.prove(key, witness),
        "setup": lambda: frumious.setup_dev(r1cs, tmp_path / "new.zkey"),
        "contribute": lambda: ceremony.contribute_powers(tmp_path / "powers", tmp_path / "more"),
        "msm": lambda: algebra.msm("bn128.g1", points, scalars, byteorder="little"),
        "fft": lambda: algebra.fft("bn128", values, byteorder="little"),
    }
    ticks = {name: released(task) for name, task in tasks.items()}
    assert all(count >= 3 for count in ticks.values()), ticks
    assert released(lambda: ctypes.PyDLL(None).usleep(200_000)) < 3  # a call that keeps the lock


@pytest.mark.parametrize("at", ["wires", "bases"])
def test_a_proof_is_cancelled_in_the_middle(made: tuple[frumious.Key, Path, Path], at: str) -> None:
    key, witness, _ = made
    phases: list[str] = []
    frumious.prove(key, witness, progress=lambda phase, _: phases.append(phase))
    order = list(dict.fromkeys(phases))
    assert len(order) >= 3, order
    stop_at = order[1] if at == "wires" else order[len(order) // 2]
    cancellation = frumious.Cancellation()
    asked: list[float] = []

    def stop(phase: str, _done: float) -> None:
        if phase == stop_at and not asked:
            asked.append(time.perf_counter())
            cancellation.cancel()

    with pytest.raises(frumious.Interrupted) as raised:
        frumious.prove(key, witness, cancellation=cancellation, progress=stop)
    assert raised.value.code == "interrupted" and asked
    assert time.perf_counter() - asked[0] < 5  # 0.2 s on an idle machine
    frumious.prove(key, witness)  # the key is as good as before


def test_another_thread_cancels(made: tuple[frumious.Key, Path, Path]) -> None:
    key, witness, _ = made
    cancellation = frumious.Cancellation()
    timer = threading.Timer(0.1, cancellation.cancel)
    timer.start()
    with pytest.raises(frumious.Interrupted):
        for _ in range(1000):
            frumious.prove(key, witness, cancellation=cancellation)
    timer.join()


def test_control_c_stops_a_proof(made: tuple[frumious.Key, Path, Path]) -> None:
    key, witness, _ = made
    # A process in a shell's background begins with this signal ignored, and then Python sets no handler.
    usual = signal.signal(signal.SIGINT, signal.default_int_handler)
    timer = threading.Timer(0.1, signal.raise_signal, [signal.SIGINT])
    timer.start()
    try:
        with pytest.raises(KeyboardInterrupt):
            for _ in range(1000):
                frumious.prove(key, witness)
    finally:
        timer.join()
        signal.signal(signal.SIGINT, usual)


def test_progress_grows_within_a_phase(made: tuple[frumious.Key, Path, Path]) -> None:
    key, witness, _ = made
    told: list[tuple[str, float]] = []
    frumious.prove(key, witness, progress=lambda *news: told.append(news))
    for phase in dict.fromkeys(name for name, _ in told):
        done = [part for name, part in told if name == phase]
        assert done == sorted(done) and all(0 <= part <= 1 for part in done)


def test_nothing_secret_is_in_words() -> None:
    key = frumious.Key(DATA / "mul.zkey")
    spoiled = bytearray((DATA / "mul.wtns").read_bytes())
    secret = int.from_bytes(spoiled[-32:], "little")
    spoiled[-1] ^= 1
    with pytest.raises(frumious.FrumiousError) as raised:
        frumious.prove(key, bytes(spoiled))
    said = f"{raised.value!r} {raised.value} {key!r} {frumious.Cancellation()!r}"
    for number in (secret, int.from_bytes(spoiled[-32:], "little")):
        assert len(str(number)) < 4 or str(number) not in said


@pytest.mark.filterwarnings("ignore::DeprecationWarning")  # Python's own, of forks beside threads
def test_a_forked_process_proves(made: tuple[frumious.Key, Path, Path]) -> None:
    key, witness, _ = made
    frumious.prove(key, witness)
    forked = multiprocessing.get_context("fork").Process(target=frumious.prove, args=(key, witness))
    forked.start()
    forked.join(120)
    assert forked.exitcode == 0, forked
