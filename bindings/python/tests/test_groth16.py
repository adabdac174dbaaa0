"""Proofs of the shared fixtures."""

import importlib.metadata
import json
import tomllib
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import frumious
import pytest
from fixtures import BLS, DATA, read_json
from frumious import _native


@pytest.mark.parametrize(("data", "name", "curve"), [(DATA, "mul", "bn128"), (BLS, "contributed", "bls12381")])
def test_proofs_verify(data: Path, name: str, curve: str) -> None:
    key = frumious.Key(data / f"{name}.zkey")
    assert (key.curve, key.n_wires, key.n_public, key.domain_size) == (curve, 4, 1, 4)
    proof = frumious.prove(key, data / "mul.wtns")
    vkey = read_json(data / "verification_key.json")
    assert proof.public_signals == read_json(data / "public.json")
    assert frumious.verify(vkey, proof.public_signals, proof.proof, allow_uncontributed=True)
    assert frumious.verify(vkey, proof.public_signals, read_json(data / "proof.json"), allow_uncontributed=True)
    other = [str(int(proof.public_signals[0]) + 1)]
    assert not frumious.verify(vkey, other, proof.proof, allow_uncontributed=True)


def test_content_will_do_for_paths() -> None:
    proof = frumious.prove((DATA / "mul.zkey").read_bytes(), (DATA / "mul.wtns").read_bytes())
    vkey = read_json(DATA / "verification_key.json")
    assert frumious.verify(vkey, proof.public_signals, proof.proof, allow_uncontributed=True)


def test_eight_threads_share_a_key() -> None:
    key = frumious.Key(DATA / "mul.zkey")
    with ThreadPoolExecutor(8) as threads:
        proofs = list(threads.map(lambda _: frumious.prove(key, DATA / "mul.wtns"), range(40)))
    assert len({json.dumps(proof.proof) for proof in proofs}) == 40


def test_the_package_tells_its_version() -> None:
    manifest = tomllib.loads((DATA.parents[3] / "Cargo.toml").read_text())
    assert frumious.__version__ == manifest["workspace"]["package"]["version"]


def test_the_wheel_has_its_licences() -> None:
    try:
        files = importlib.metadata.files("frumious") or []
    except importlib.metadata.PackageNotFoundError:
        pytest.skip("installed without a wheel")
    assert {"LICENSE-APACHE", "LICENSE-MIT"} <= {file.name for file in files}


def test_progress_is_told_and_its_exception_is_raised() -> None:
    told: list[tuple[str, float]] = []
    frumious.prove(DATA / "mul.zkey", DATA / "mul.wtns", progress=lambda *news: told.append(news))
    assert told and all(0 <= done <= 1 for _, done in told)

    def stop(_phase: str, _done: float) -> None:
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        frumious.prove(DATA / "mul.zkey", DATA / "mul.wtns", progress=stop)


def test_cancelled_tasks_are_interrupted() -> None:
    cancellation = frumious.Cancellation()
    cancellation.cancel()
    with pytest.raises(frumious.Interrupted) as raised:
        frumious.prove(frumious.Key(DATA / "mul.zkey"), DATA / "mul.wtns", cancellation=cancellation)
    assert raised.value.code == "interrupted"


def test_failures_have_kinds() -> None:
    with pytest.raises(frumious.BadInput) as raised:
        frumious.Key("none.zkey")
    assert (raised.value.code, raised.value.exit_code) == ("not_found", 2)
    with pytest.raises(frumious.BadInput) as raised:
        frumious.Key("-")  # a name: standard input is the program's
    assert raised.value.code == "not_found"
    with pytest.raises(frumious.BadInput) as raised:
        frumious.Key(DATA / "mul.r1cs")
    assert raised.value.code == "wrong_kind"


def test_every_code_has_a_class() -> None:
    for code, exit_code in _native.codes():
        error = frumious.errors.of_code(code, exit_code, "words")
        assert type(error) is not frumious.FrumiousError and str(error) == "words"
