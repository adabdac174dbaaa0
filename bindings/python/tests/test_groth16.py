"""Proofs of the shared fixtures."""

import json
import os
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import frumious
import pytest
from frumious import _native

SHARED = Path(__file__).resolve().parents[4] / "shared/fixtures/groth16"
CIRCUITS = ["mul", "mulpub"]


def folder(name: str) -> Path:
    found = SHARED / name
    if not found.is_dir():
        if os.environ.get("CI") == "true":
            pytest.fail(f"{found} is missing")
        pytest.skip(f"{found} is missing")
    return found


def vkey(of: Path) -> Any:
    return json.loads((of / "verification_key.json").read_text())


@pytest.mark.parametrize("name", CIRCUITS)
def test_proofs_verify(name: str) -> None:
    of = folder(name)
    key = frumious.Key(of / f"{name}.zkey")
    assert key.curve == "bn128"
    proof = frumious.prove(key, of / f"{name}.wtns")
    assert proof.public_signals == json.loads((of / "public.json").read_text())
    assert len(proof.public_signals) == key.n_public
    assert frumious.verify(vkey(of), proof.public_signals, proof.proof, allow_uncontributed=True)
    other = [str(int(proof.public_signals[0]) + 1), *proof.public_signals[1:]]
    assert not frumious.verify(vkey(of), other, proof.proof, allow_uncontributed=True)


def test_content_will_do_for_paths() -> None:
    of = folder("mul")
    proof = frumious.prove((of / "mul.zkey").read_bytes(), (of / "mul.wtns").read_bytes())
    assert frumious.verify(vkey(of), proof.public_signals, proof.proof, allow_uncontributed=True)


def test_eight_threads_share_a_key() -> None:
    of = folder("mul")
    key = frumious.Key(of / "mul.zkey")
    with ThreadPoolExecutor(8) as threads:
        proofs = list(threads.map(lambda _: frumious.prove(key, of / "mul.wtns"), range(40)))
    assert len({json.dumps(proof.proof) for proof in proofs}) == 40


def test_progress_is_told_and_its_exception_is_raised() -> None:
    of = folder("mul")
    told: list[tuple[str, float]] = []
    frumious.prove(of / "mul.zkey", of / "mul.wtns", progress=lambda *news: told.append(news))
    assert told and all(0 <= done <= 1 for _, done in told)

    def stop(_phase: str, _done: float) -> None:
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        frumious.prove(of / "mul.zkey", of / "mul.wtns", progress=stop)


def test_cancelled_tasks_are_interrupted() -> None:
    of = folder("mul")
    cancellation = frumious.Cancellation()
    cancellation.cancel()
    with pytest.raises(frumious.Interrupted) as raised:
        frumious.prove(frumious.Key(of / "mul.zkey"), of / "mul.wtns", cancellation=cancellation)
    assert raised.value.code == "interrupted"


def test_failures_have_kinds() -> None:
    of = folder("mul")
    with pytest.raises(frumious.BadInput) as raised:
        frumious.Key("none.zkey")
    assert (raised.value.code, raised.value.exit_code) == ("not_found", 2)
    with pytest.raises(frumious.BadInput) as raised:
        frumious.Key(of / "mul.r1cs")
    assert raised.value.code == "wrong_kind"


def test_every_code_has_a_class() -> None:
    for code, exit_code in _native.codes():
        error = frumious.errors.of_code(code, exit_code, "words")
        assert type(error) is not frumious.FrumiousError and str(error) == "words"
