"""Witnesses, of graphs and of circom's modules."""

import json
import threading
from pathlib import Path

import frumious
import pytest
from fixtures import GRAPHS, circuit

CASES = [json.loads(line) for line in (GRAPHS / "multiplier.jsonl").read_text().splitlines()]


def test_a_graph_gives_the_witness_of_circom() -> None:
    for case in CASES:
        witness = frumious.calculate_witness(GRAPHS / "multiplier.wtns2", case["inputs"])
        assert witness == bytes.fromhex(case["wtns"])
        assert witness == frumious.calculate_witness(GRAPHS / "multiplier.wtns2", json.dumps(case["inputs"]))


def test_bad_inputs_are_refused_without_their_values() -> None:
    graph = GRAPHS / "multiplier.wtns2"
    for inputs in ({"a": "7654321"}, {"a": "7654321", "b": "1", "c": "2"}, '{"a": 7654321', {"a": ["7654321"], "b": "x"}):
        with pytest.raises(frumious.BadInput) as raised:
            frumious.calculate_witness(graph, inputs)
        assert "7654321" not in repr(raised.value)
    with pytest.raises(frumious.BadInput) as raised:
        frumious.calculate_witness("none.wasm", {})
    assert raised.value.code == "not_found"


@pytest.mark.parametrize("name", ["multiplier", "multiplier_bls12381", "poseidon_chain"])
def test_modules_of_circom_prove(tmp_path: Path, name: str) -> None:
    r1cs, module, inputs = circuit(name)
    frumious.setup_dev(r1cs, tmp_path / "key.zkey")
    key = frumious.Key(tmp_path / "key.zkey")
    vkey = frumious.verification_key(tmp_path / "key.zkey")
    told: list[str] = []
    proofs = [
        frumious.full_prove(key, module, inputs, progress=lambda phase, _: told.append(phase)),
        frumious.prove(key, frumious.calculate_witness(module, inputs)),
        frumious.full_prove(key, module, inputs, cached=True, cache=tmp_path / "cache"),
        frumious.full_prove(key, module, inputs, cached=True, cache=tmp_path / "cache"),
    ]
    assert told[0] == "witness"
    for proof in proofs:
        assert frumious.verify(vkey, proof.public_signals, proof.proof)
        assert proof.public_signals == proofs[0].public_signals


def test_a_module_is_cancelled() -> None:
    _, module, inputs = circuit("sha256_512")
    cancellation = frumious.Cancellation()
    timer = threading.Timer(0.1, cancellation.cancel)
    timer.start()
    with pytest.raises(frumious.Interrupted):
        for _ in range(1000):
            frumious.calculate_witness(module, inputs, cancellation=cancellation)
    timer.join()


def test_limits_of_a_module_are_kept() -> None:
    _, module, inputs = circuit("sha256_512")
    with pytest.raises(frumious.TryAgain) as raised:
        frumious.calculate_witness(module, inputs, max_witness_memory=1 << 20)
    assert raised.value.code == "memory_limit"
    with pytest.raises(frumious.FrumiousError, match="0.001 seconds"):
        frumious.calculate_witness(module, inputs, max_witness_seconds=1e-3)
    with pytest.raises(frumious.BadInput):
        frumious.calculate_witness(module, inputs, max_witness_seconds=-1)


def test_inputs_that_break_an_assertion_are_rejected() -> None:
    _, module, inputs = circuit("no_public")
    assert frumious.calculate_witness(module, inputs).startswith(b"wtns")
    with pytest.raises(frumious.Rejected) as raised:
        frumious.calculate_witness(module, {"p": "7654321", "q": "3"})
    assert raised.value.code == "unsatisfied" and "7654321" not in repr(raised.value)


def test_the_process_of_a_module_has_this_package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever may write to the folder where a program starts gives it no code and gets no inputs."""
    foreign = tmp_path / "frumious"
    foreign.mkdir()
    for name in ("__init__.py", "_child.py", "_native.py", "../json.py"):
        (foreign / name).write_text("open('ran', 'w')\n")
    module = tmp_path / "empty.wasm"
    module.write_bytes(b"\0asm\x01\0\0\0")
    monkeypatch.chdir(tmp_path)
    with pytest.raises(frumious.BadInput) as raised:
        frumious.calculate_witness(module, {"a": 1})
    assert "getVersion" in str(raised.value), raised.value
    assert not (tmp_path / "ran").exists()
    monkeypatch.setattr("sys.executable", None)
    with pytest.raises(RuntimeError, match=r"sys\.executable"):
        frumious.calculate_witness(module, {"a": 1})
