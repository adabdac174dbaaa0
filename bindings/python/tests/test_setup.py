"""Setups, verification keys, facts about files."""

from pathlib import Path

import frumious
import pytest
from circuits import squarings
from fixtures import BLS, DATA, read_json


def test_a_development_key_proves(tmp_path: Path) -> None:
    key = tmp_path / "new.zkey"
    made = frumious.setup_dev(DATA / "mul.r1cs", key)
    assert (made.constraints, made.wires, made.public_signals, made.missing) == (1, 4, 1, None)
    proof = frumious.prove(key, DATA / "mul.wtns")
    vkey = frumious.verification_key(key)
    assert frumious.verify(vkey, proof.public_signals, proof.proof)
    assert not frumious.verify(vkey, ["1"], proof.proof)


def test_a_seed_gives_the_same_key(tmp_path: Path) -> None:
    seed = tmp_path / "seed"
    seed.write_bytes(bytes(range(32)))
    keys = [tmp_path / name for name in ("one.zkey", "two.zkey")]
    for key in keys:
        frumious.setup_dev(DATA / "mul.r1cs", key, seed=seed)
    assert keys[0].read_bytes() == keys[1].read_bytes()


@pytest.mark.parametrize("data", [DATA, BLS])
def test_a_key_of_a_ceremony_is_unfinished(tmp_path: Path, data: Path) -> None:
    key = tmp_path / "new.zkey"
    told: list[str] = []
    made = frumious.setup(data / "mul.r1cs", data / "pot2.ptau", key, progress=lambda phase, _: told.append(phase))
    assert made.missing is not None and told
    proof = frumious.prove(key, data / "mul.wtns")
    vkey = frumious.verification_key(key)
    with pytest.raises(frumious.FrumiousError) as raised:
        frumious.verify(vkey, proof.public_signals, proof.proof)
    assert raised.value.code == "uncontributed"
    assert frumious.verify(vkey, proof.public_signals, proof.proof, allow_uncontributed=True)


def test_a_key_is_not_replaced(tmp_path: Path) -> None:
    key = tmp_path / "key.zkey"
    frumious.setup_dev(DATA / "mul.r1cs", key)
    before = key.read_bytes()
    with pytest.raises(frumious.BadInput) as raised:
        frumious.setup_dev(DATA / "mul.r1cs", key)
    assert raised.value.code == "would_replace" and key.read_bytes() == before
    frumious.setup_dev(DATA / "mul.r1cs", key, replace=True)
    assert key.read_bytes() != before


def test_a_setup_is_cancelled_and_leaves_nothing(tmp_path: Path) -> None:
    r1cs, _ = squarings(tmp_path, 1 << 10)
    cancellation = frumious.Cancellation()
    with pytest.raises(frumious.Interrupted):
        frumious.setup_dev(
            r1cs,
            tmp_path / "key.zkey",
            cancellation=cancellation,
            progress=lambda phase, _: cancellation.cancel() if phase != "read circuit" else None,
        )
    assert sorted(path.name for path in tmp_path.iterdir()) == ["squarings.r1cs", "squarings.wtns"]


def test_a_limit_of_memory_is_kept(tmp_path: Path) -> None:
    with pytest.raises(frumious.TryAgain) as raised:
        frumious.setup_dev(DATA / "mul.r1cs", tmp_path / "key.zkey", max_memory=1)
    assert raised.value.code == "memory_limit"


def test_the_verification_key_is_that_of_snarkjs() -> None:
    expected = read_json(DATA / "verification_key.json")
    assert frumious.verification_key(DATA / "mul.zkey") == expected
    assert frumious.verification_key((DATA / "mul.zkey").read_bytes()) == expected
    with pytest.raises(frumious.BadInput) as raised:
        frumious.verification_key(DATA / "mul.wtns")
    assert raised.value.code == "wrong_kind"


def test_files_are_described() -> None:
    facts = frumious.inspect(DATA / "mul.r1cs")
    assert (facts["kind"], facts["curve"], facts["constraints"]) == ("constraint system (r1cs)", "bn128", 1)
    assert frumious.inspect(DATA / "contributed.zkey")["contributions"] == ["beacon for tests (beacon)", "second"]
    assert frumious.inspect(BLS / "pot2.ptau")["curve"] == "bls12381"
    with pytest.raises(frumious.BadInput) as raised:
        frumious.inspect("none")
    assert raised.value.code == "not_found"


def test_a_witness_is_described_without_its_values() -> None:
    facts = frumious.inspect(DATA / "mul.wtns")
    assert facts == {"kind": "witness (wtns)", "curve": "bn128", "wires": 4}


def test_cut_files_are_refused(tmp_path: Path) -> None:
    cut = tmp_path / "cut"
    for name in ("mul.r1cs", "mul.zkey", "pot2.ptau", "mul.fkey"):
        whole = (DATA / name).read_bytes()
        for length in (5, 13, len(whole) // 2, len(whole) - 1):
            cut.write_bytes(whole[:length])
            with pytest.raises(frumious.BadInput):
                frumious.inspect(cut)
                frumious.Key(cut)  # a header may be whole
