"""A ceremony of both phases, and what is not one."""

from pathlib import Path

import frumious
import pytest
from fixtures import BLS, DATA
from frumious import ceremony

BEACON = ceremony.Beacon(bytes(range(32)), 10)


@pytest.mark.parametrize(("curve", "data"), [("bn128", DATA), ("bls12381", BLS)])
def test_a_ceremony_from_nothing_to_a_proof(tmp_path: Path, curve: str, data: Path) -> None:
    powers = [tmp_path / f"{place}.ptau" for place in range(4)]
    ceremony.create_powers(powers[0], 3, curve=curve)
    first = ceremony.contribute_powers(powers[0], powers[1], name="first", entropy=b"typed")
    last = ceremony.beacon_powers(powers[1], powers[2], BEACON, name="last")
    ceremony.prepare_powers(powers[2], powers[3])
    verified = ceremony.verify_powers(powers[3])
    assert (verified.power, verified.ceremony_power, verified.prepared) == (3, 3, True)
    assert [it.hash for it in verified.contributions] == [first.hash, last.hash]
    assert [it.name for it in verified.contributions] == ["first", "last"]
    assert [it.beacon for it in verified.contributions] == [None, BEACON]

    keys = [tmp_path / f"{place}.zkey" for place in range(3)]
    r1cs = data / "mul.r1cs"
    assert frumious.setup(r1cs, powers[3], keys[0]).missing == "key"
    one = ceremony.contribute(keys[0], keys[1], name="one")
    two = ceremony.beacon(keys[1], keys[2], BEACON)
    assert (one.number, two.number, two.points > 0) == (1, 2, True)
    for chain in (
        ceremony.verify(keys[2], powers[3], r1cs=r1cs),
        ceremony.verify(keys[2], powers[3], initial=keys[0]),
    ):
        assert [it.hash for it in chain.contributions] == [one.hash, two.hash]
        assert len(bytes.fromhex(chain.circuit_hash)) == 64

    proof = frumious.prove(keys[2], data / "mul.wtns")
    assert frumious.verify(frumious.verification_key(keys[2]), proof.public_signals, proof.proof)


def test_another_circuits_key_is_rejected() -> None:
    with pytest.raises(frumious.Rejected) as raised:
        ceremony.verify(DATA / "contributed.zkey", DATA / "pot2.ptau", initial=DATA / "contributed.zkey")
    assert raised.value.code == "rejected" and "contributed.zkey" in str(raised.value)
    assert len(ceremony.verify(DATA / "contributed.zkey", DATA / "pot2.ptau", r1cs=DATA / "mul.r1cs").contributions) == 2


def test_changed_powers_are_not_valid(tmp_path: Path) -> None:
    changed = bytearray((DATA / "pot2.ptau").read_bytes())
    changed[-1] ^= 1  # of a contribution
    path = tmp_path / "changed.ptau"
    path.write_bytes(changed)
    with pytest.raises((frumious.Rejected, frumious.BadInput)):
        ceremony.verify_powers(path)


def test_two_contributions_differ(tmp_path: Path) -> None:
    made = [
        ceremony.contribute(DATA / "mul.zkey", tmp_path / f"{place}.zkey", entropy=b"the same")
        for place in range(2)
    ]
    assert made[0].hash != made[1].hash


def test_files_are_not_replaced(tmp_path: Path) -> None:
    new = tmp_path / "new.zkey"
    ceremony.contribute(DATA / "mul.zkey", new)
    with pytest.raises(frumious.BadInput) as raised:
        ceremony.contribute(DATA / "mul.zkey", new)
    assert raised.value.code == "would_replace"
    ceremony.contribute(DATA / "mul.zkey", new, replace=True)


def test_arguments_are_checked(tmp_path: Path) -> None:
    new, key = tmp_path / "new", DATA / "mul.zkey"
    for value in (ceremony.Beacon(b"", 10), ceremony.Beacon(b"1" * 256, 10), ceremony.Beacon(b"1", 9)):
        with pytest.raises(frumious.BadInput):
            ceremony.beacon(key, new, value)
    for power, curve in ((0, "bn128"), (29, "bn128"), (3, "other")):
        with pytest.raises(frumious.BadInput):
            ceremony.create_powers(new, power, curve=curve)
    with pytest.raises(frumious.BadInput):
        ceremony.verify(key, DATA / "pot2.ptau")
    with pytest.raises(frumious.BadInput) as raised:
        ceremony.contribute_powers(key, new)
    assert raised.value.code == "wrong_kind"
    assert not new.exists()


def test_long_beacons_are_refused() -> None:
    with pytest.raises(frumious.TryAgain) as raised:
        ceremony.verify(DATA / "contributed.zkey", DATA / "pot2.ptau", r1cs=DATA / "mul.r1cs", max_iterations_exp=9)
    assert raised.value.code == "time_limit"


def test_a_contribution_is_cancelled_and_leaves_nothing(tmp_path: Path) -> None:
    cancellation = frumious.Cancellation()
    powers = tmp_path / "powers.ptau"
    ceremony.create_powers(powers, 8)
    with pytest.raises(frumious.Interrupted):
        ceremony.contribute_powers(
            powers,
            tmp_path / "new.ptau",
            cancellation=cancellation,
            progress=lambda phase, _: cancellation.cancel() if phase == "contribute" else None,
        )
    assert [path.name for path in tmp_path.iterdir()] == ["powers.ptau"]
