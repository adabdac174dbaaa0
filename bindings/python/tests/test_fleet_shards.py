"""One proof over several nodes: the same bytes as on one machine, also when a node is killed. The last needs Ray."""

import json
import os
import threading
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import frumious
import pytest
from circuits import squarings
from fixtures import BLS, DATA
from frumious import _native
from frumious.fleet import journal
from frumious.fleet import shards as sharding
from frumious.fleet.driver import Order
from frumious.fleet.node import Outcome
from frumious.fleet.packs import VALUE_BYTES, KeyFile, Pack, SparseKey, wires_of
from frumious.fleet.shards import MOST_FAILURES, MOST_LOSSES, ShardAttendant, Work, pieces_of, ranges_of
from frumious.fleet.store import digest_of
from frumious.fleet.supervise import End, supervise
from frumious.fleet.yard import Piece, Yard

RANDOMNESS = (7).to_bytes(32, "little") + (8).to_bytes(32, "little")


def on_a_node(folder: Path, file: KeyFile, packs: list[Pack]) -> SparseKey:
    sparse = SparseKey(folder, file.size)
    for pack in [*file.frame(), *packs]:
        for offset, content in file.content(pack):
            sparse.write(offset, content)
        assert sparse.check(pack)
    return sparse


def in_shards(folder: Path, file: KeyFile, witness: bytes, shards: int) -> dict[str, bytes]:
    """Every piece on a node of its own, which has nothing but what the piece needs."""
    wires, n_public = wires_of(witness), file.key.n_public
    coefficients = file.range("coefficients", 0, file.parts["coefficients"].entries)
    vectors = [
        _native.quotient_vector(on_a_node(folder, file, [coefficients]).key(), witness, name, None) for name in "abc"
    ]
    sums = dict.fromkeys(("a", "b1", "b2", "c", "h"), b"")
    for piece in pieces_of(file, shards, True)[3:]:
        key = on_a_node(folder, file, [file.range(piece.part, piece.first, piece.entries)]).key()
        start = piece.first + (n_public + 1 if piece.part == "c" else 0)
        cut = slice(VALUE_BYTES * start, VALUE_BYTES * (start + piece.entries))
        scalars = wires[cut]
        if piece.part == "h":
            a, b, c = (vector[cut] for vector in vectors)
            scalars = _native.scalars_of_h(key.curve, (a, b, c), None)
        sums[piece.part] += _native.partial_sum(key, piece.part, piece.first, scalars, None)
    return sums


FIXTURES = [(DATA / "mul.zkey", DATA / "mul.wtns"), (BLS / "contributed.zkey", BLS / "mul.wtns")]


@pytest.mark.parametrize("place", [*FIXTURES, None])
def test_pieces_make_the_proof_of_one_machine(tmp_path: Path, place: tuple[Path, Path] | None) -> None:
    if place is None:
        r1cs, wtns = squarings(tmp_path, 700)
        frumious.setup_dev(r1cs, tmp_path / "circuit.zkey")
        place = tmp_path / "circuit.zkey", wtns
    file, witness = KeyFile(place[0], digest_of(place[0])), place[1].read_bytes()
    alone = _native.prove_alone_for_tests(file.key, witness, RANDOMNESS)
    public = wires_of(witness)[VALUE_BYTES : VALUE_BYTES * (1 + file.key.n_public)]
    for shards in (1, 2, 3, 5):
        sums = in_shards(tmp_path, file, witness, shards)
        assert _native.assemble(file.key, sums, public, RANDOMNESS, None)[0] == alone
    drawn = [_native.assemble(file.key, sums, public, None, None)[0] for _ in range(2)]
    assert len({alone, *drawn}) == 3


def test_wrong_sums_make_no_proof(tmp_path: Path) -> None:
    r1cs, wtns = squarings(tmp_path, 700)
    frumious.setup_dev(r1cs, tmp_path / "circuit.zkey")
    file, witness = KeyFile(tmp_path / "circuit.zkey", ""), wtns.read_bytes()
    public, sums = wires_of(witness)[VALUE_BYTES : 2 * VALUE_BYTES], in_shards(tmp_path, file, witness, 3)
    _native.assemble(file.key, sums, public, None, None)
    for part in ("a", "b2", "c", "h"):
        # A point too many, a point that is on no curve, half a point, none.
        right, size = sums[part], file.parts[part].entry_bytes
        off_the_curve = right[:-size] + bytes([right[-size] ^ 1]) + right[1 - size :]
        for wrong in (right + right[-size:], off_the_curve, right[:-1], b""):
            with pytest.raises(frumious.FrumiousError) as raised:
                _native.assemble(file.key, sums | {part: wrong}, public, None, None)
            assert raised.value.exit_code in (1, 2)


def test_a_hole_is_no_proof(tmp_path: Path) -> None:
    r1cs, wtns = squarings(tmp_path, 700)
    frumious.setup_dev(r1cs, tmp_path / "circuit.zkey")
    file = KeyFile(tmp_path / "circuit.zkey", digest_of(tmp_path / "circuit.zkey"))
    sparse = on_a_node(tmp_path, file, [])
    pack = file.range("a", 0, 10)
    assert not sparse.check(pack)
    with pytest.raises(frumious.Rejected):
        frumious.prove(sparse.key(), wtns)


def test_ranges_make_up_all() -> None:
    for entries in (0, 1, 4, 7, 700):
        for shards in (1, 2, 3, 5, 9):
            ranges = ranges_of(entries, shards)
            assert [entry for first, count in ranges for entry in range(first, first + count)] == [*range(entries)]
            assert len(ranges) == min(shards, entries)


def test_lost_vectors_are_computed_again_while_they_are_wanted() -> None:
    yard, work = Yard(1), object()
    vectors = [Piece("vector", name, 0, 4) for name in "abc"]
    pieces = [*vectors, Piece("sum", "a", 0, 4), Piece("h", "h", 0, 4)]
    made: list[Any] = []
    thread = threading.Thread(target=lambda: made.append(yard.make(work, pieces)))
    thread.start()

    def take() -> Piece:
        taken = yard.take(set())
        assert taken is not None and taken[0] is work
        return taken[1]

    for node, vector in zip(("x", "y", "y"), vectors, strict=True):
        assert take() == vector
        yard.finish(work, vector, [vector.part], node)
    h = take()
    assert h.kind == "h"
    yard.lose({"y"})
    yard.give_back(work, h, 5)
    again = [take(), take()]
    assert again == vectors[1:]
    assert take().kind == "sum", "the vectors are not there"
    yard.finish(object(), h, b"of another proof", "x")
    for vector in again:
        yard.finish(work, vector, [vector.part], "x")
    assert take() == h
    yard.finish(work, h, b"h", "x")
    yard.lose({"x"})
    yard.finish(work, pieces[3], b"a", "x")
    thread.join(10)
    assert made[0]["h h 0"] == b"h" and len(made[0]) == 5

    thread = threading.Thread(target=lambda: made.append(yard.make(work, pieces[3:4])))
    thread.start()
    for _ in range(2):
        yard.give_back(work, take(), 2)
    thread.join(10)
    assert isinstance(made[1], Outcome) and made[1].code == "retries"
    yard.close()
    assert yard.take(set()) is None


def test_a_node_that_cannot_now_is_asked_again_and_not_for_ever(monkeypatch: pytest.MonkeyPatch) -> None:
    """As with too little memory for a moment. What a node never can is left to others."""
    monkeypatch.setattr(sharding, "RETRY_SECONDS", 0.0)
    yard, work = Yard(1), SimpleNamespace(id="w", file=SimpleNamespace(digest="k"))
    office, node = SimpleNamespace(tell=lambda event: None), SimpleNamespace(id="x")
    attendant = ShardAttendant(cast(Any, office), yard, cast(Any, node), [])
    made: list[Any] = []

    def begin(pieces: list[Piece]) -> threading.Thread:
        thread = threading.Thread(target=lambda: made.append(yard.make(work, pieces)))
        thread.start()
        return thread

    def judge(outcome: Outcome) -> str | None:
        taken = yard.take(set())
        assert taken is not None
        return attendant._judge(cast(Any, work), taken[1], outcome)

    full = Outcome("w", code="memory_limit", exit_code=3, message="no memory")
    first, second = Piece("sum", "a", 0, 4), Piece("sum", "a", 4, 4)
    thread = begin([first, second])
    for _ in range(2):
        assert [judge(full), judge(full)] == [None, None]
        taken = yard.take(set())
        assert taken is not None
        attendant._done(cast(Any, work), taken[1], b"sum")
    thread.join(10)
    assert made == [{first.name: b"sum", second.name: b"sum"}]
    thread = begin([first])
    assert [judge(full), judge(full), judge(full)] == [None, None, "no memory"]
    # Where no node can, the reason is told.
    for other in range(MOST_LOSSES - 1):
        yard.give_back(work, first, MOST_LOSSES, f"node {other}", full)
    thread.join(10)
    assert made[1] is full
    # What is wrong stays wrong.
    wrong = Outcome("w", code="bad_input", exit_code=2, message="no point")
    thread = begin([first])
    assert judge(wrong) is None
    thread.join(10)
    assert made[2] is wrong


class SmallNode(ShardAttendant):
    """The attendant of a node that has too little memory for any piece."""

    def _work_on(self, work: Work, piece: Piece, vectors: dict[str, Any]) -> str | None:
        return self._judge(work, piece, Outcome("w", code="memory_limit", exit_code=3, message="no memory"))


def test_nodes_that_cannot_leave_a_piece_to_one_that_can(monkeypatch: pytest.MonkeyPatch) -> None:
    """Two small nodes ask for the same piece in turns, while a large one is at another."""
    monkeypatch.setattr(sharding, "RETRY_SECONDS", 0.0)
    yard, work = Yard(1), SimpleNamespace(id="w", file=SimpleNamespace(digest="k"))
    small = [SmallNode(cast(Any, None), yard, cast(Any, SimpleNamespace(id=name)), []) for name in "xy"]
    piece = Piece("vector", "a", 0, 4)
    made: list[Any] = []
    thread = threading.Thread(target=lambda: made.append(yard.make(work, [piece])))
    thread.start()
    refusals = []
    for attendant in small * MOST_FAILURES:
        taken = yard.take(set())
        assert taken is not None
        refusals.append(attendant._attempt(*taken))
    assert refusals == [None] * (2 * MOST_FAILURES - 2) + ["no memory"] * 2
    taken = yard.take(set())
    assert taken is not None
    yard.finish(work, taken[1], b"vector", "z")
    thread.join(10)
    assert made == [{piece.name: b"vector"}]


@pytest.mark.ray
def test_nodes_make_the_proof_of_one_machine(tmp_path: Path) -> None:
    pytest.importorskip("ray", reason="Ray is not installed: .ci/fleet runs this test")
    from clusters import cluster

    r1cs, wtns = squarings(tmp_path, 3000)
    frumious.setup_dev(r1cs, tmp_path / "circuit.zkey")
    places = [*FIXTURES, (tmp_path / "circuit.zkey", wtns)]
    with cluster(2) as made:

        def prove(name: str, places: list[tuple[Path, Path]], shards: int, kill: bool = False) -> list[str]:
            jobs = tmp_path / f"{name}.jsonl"
            lines = [
                {"id": f"{name}-{number}", "key": str(key), "witness": str(witness)}
                for number, (key, witness) in enumerate(places)
            ]
            jobs.write_text("".join(json.dumps(line) + "\n" for line in lines))
            path = tmp_path / f"{name}.sqlite"
            order = Order(
                made.address, str(jobs), str(path), True, shards=shards, randomness_for_tests=RANDOMNESS.hex()
            )
            pieces: list[dict[str, object]] = []
            killed: list[int] = []

            def tell(event: dict[str, object]) -> None:
                if event["event"] == "piece":
                    pieces.append(event)
                # In the middle: the vectors are there, and not all of the sums that need them.
                if kill and not killed and sum("vector" in str(event["piece"]) for event in pieces) == 3:
                    member = made.machine.members()[1]
                    killed.append(member.process)
                    made.kill(member)

            end = supervise(order, tell, patience=120, environment=os.environ)
            assert (end.succeeded, end.failed) == (len(places), 0)
            assert bool(killed) == kill
            assert end == End(len(places), 0, 0)
            return [str(record.proof) for record in journal.read(path)]

        alone = [
            json.loads(_native.prove_alone_for_tests(_native.Key(key), witness.read_bytes(), RANDOMNESS))
            for key, witness in places
        ]
        for shards in (1, 2, 3, 5):
            assert [json.loads(proof) for proof in prove(f"s{shards}", places, shards)] == alone
        killed = prove("killed", places[2:], 5, kill=True)
        assert [json.loads(proof) for proof in killed] == alone[2:]

        (tmp_path / "wrong.wtns").write_bytes(wtns.read_bytes()[:-1] + b"\1")
        jobs = tmp_path / "wrong.jsonl"
        jobs.write_text(json.dumps({"id": "wrong", "key": str(places[2][0]), "witness": str(tmp_path / "wrong.wtns")}))
        order = Order(made.address, str(jobs), str(tmp_path / "wrong.sqlite"), True, shards=3)
        assert supervise(order, lambda _: None, patience=120, environment=os.environ) == End(0, 1, 0)
        assert journal.read(tmp_path / "wrong.sqlite")[0].code == "unsatisfied"
