"""The attendant of a node judges witnesses, failures and time. Ray, nodes and clocks are stubs."""

import dataclasses
import json
import struct
import threading
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pytest
from circuits import witness_of_squarings
from fixtures import DATA
from frumious import BadInput, TryAgain
from frumious._native import VERSION
from frumious.fleet import attend, attendance, shards
from frumious.fleet.attend import STOP_SECONDS, Attendant, Office, public_of
from frumious.fleet.driver import Registry
from frumious.fleet.engine import Fleet, Late, Lost, Node
from frumious.fleet.jobs import Job
from frumious.fleet.node import SMALL_LANES, Outcome, Prover, packed, unpacked
from frumious.fleet.pace import BATCH_SECONDS, Pace
from frumious.fleet.packs import wires_of
from frumious.fleet.schedule import Circuit, Queue
from frumious.fleet.seal import Seal

WITNESS = witness_of_squarings(3, 2)
PUBLIC = ["256"]
GIVEN = Circuit(Path("key"), "key", None, None, "{}", 1, 10)
GENERATED = Circuit(Path("key"), "key", Path("generator"), "generator", "{}", 1, 10)


class Clock:
    """In place of the module `time`."""

    def __init__(self) -> None:
        self.now = 1000.0

    def monotonic(self) -> float:
        return self.now

    def sleep(self, seconds: float) -> None:
        self.now += seconds


@dataclass
class Book:
    """A journal that remembers."""

    proved: list[str] = field(default_factory=list)
    failed: dict[str, tuple[str, str]] = field(default_factory=dict)

    def begin(self, ids: Iterable[str]) -> None:
        pass

    def succeed(self, proofs: Iterable[tuple[str, str, str]]) -> None:
        self.proved += [job for job, _, _ in proofs]

    def fail(self, job: str, code: str, message: str) -> None:
        self.failed[job] = code, message


class StubFleet:
    """Ray in this thread: a reference is called when its result is wanted."""

    def put(self, content: bytes) -> bytes:
        return content

    def result(self, reference: Any, seconds: float | None = None) -> Any:
        return reference(seconds) if callable(reference) else reference

    def beside(self, method: Any) -> Any:
        return method

    def end(self, actor: object) -> None:
        pass


class Stage:
    """Jobs of one circuit, and nodes that prove by a function. It remembers their batches."""

    def __init__(
        self,
        monkeypatch: pytest.MonkeyPatch,
        prove: Callable[[str], Outcome],
        jobs: dict[str, bytes],
        circuit: Circuit = GIVEN,
        most_seconds: float | None = 3600.0,
    ) -> None:
        self.clock, self.book, self.prove = Clock(), Book(), prove
        self.batches: list[list[str]] = []
        self.stopped: list[str] = []
        asked = [Job(job, circuit.key, circuit.generator, secret) for job, secret in jobs.items()]
        self.queue = Queue([(circuit, job) for job in asked])
        seal = SimpleNamespace(seal=lambda words, secret: secret)
        fleet = cast(Fleet, StubFleet())
        self.office = Office(fleet, self.book, cast(Seal, seal), self.tell, most_seconds, True, threading.Lock())
        monkeypatch.setattr(attend, "time", self.clock)
        monkeypatch.setattr(attend, "greet", lambda *_: (self.actor(), 1e9))
        monkeypatch.setattr(attend, "_native", SimpleNamespace(verify=lambda *_: True))

    def tell(self, event: dict[str, object]) -> None:
        pass

    def actor(self) -> Any:
        def prove(key: str, generator: str | None, ids: list[str], message: bytes, limits: object) -> object:
            assert len(unpacked(message)) == len(ids)
            self.batches.append(ids)
            return lambda seconds: [self.prove(job) for job in ids]

        methods: dict[str, Any] = {"missing": lambda digests: [], "prove": prove, "stop": self.stopped.append}
        return SimpleNamespace(**{name: SimpleNamespace(remote=method) for name, method in methods.items()})

    def attend(self, cores: float = 1) -> str | None:
        """By a node that was never there before."""
        return Attendant(self.office, self.queue, Node("node", "address", cores, 1e9), 5).attend()


def proved(job: str) -> Outcome:
    return Outcome(job, "{}", json.dumps(PUBLIC))


def section(kind: int, content: bytes) -> bytes:
    return struct.pack("<IQ", kind, len(content)) + content


def numbered(witness: bytes, sections: int) -> bytes:
    return witness[:8] + struct.pack("<I", sections) + witness[12:]


OTHER_VALUES = section(2, b"".join(value.to_bytes(32, "little") for value in (1, 999, 3, 9, 81)))
MALFORMED = {
    "follows": WITNESS + OTHER_VALUES,
    "repeated": numbered(WITNESS, 3) + OTHER_VALUES,
    "repeated, of a type that is not read": numbered(WITNESS, 4) + section(3, b"") * 2,
    "repeated header": numbered(WITNESS, 3) + WITNESS[12:64],
    "no values": numbered(WITNESS[:64], 1),
    "no sections": numbered(WITNESS, 0),
    "more sections than there are": numbered(WITNESS, 3),
    "endless sections": numbered(WITNESS, 2**32 - 1),
    "an endless section": WITNESS[:68] + b"\xff" * 8 + WITNESS[76:],
    "a value too many": WITNESS[:60] + struct.pack("<I", 4) + WITNESS[64:],
    "other sizes of values": WITNESS[:24] + struct.pack("<I", 16) + WITNESS[28:],
    "another format": b"zkey" + WITNESS[4:],
    "another version": WITNESS[:4] + struct.pack("<I", 3) + WITNESS[8:],
    "one value": numbered(WITNESS[:12], 2)
    + section(1, WITNESS[24:60] + struct.pack("<I", 1))
    + section(2, (1).to_bytes(32, "little")),
}


@pytest.mark.parametrize("name", MALFORMED)
def test_a_witness_with_two_readings_costs_no_node(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(BadInput) as raised:
        public_of(MALFORMED[name], 1)
    assert raised.value.code == "bad_input"
    # A node that reads the first values makes an honest proof of them.
    stage = Stage(monkeypatch, proved, {"crafted": MALFORMED[name], "honest": WITNESS})
    assert stage.attend() is None
    assert stage.batches == [["honest"]]
    assert stage.book.proved == ["honest"]
    assert stage.book.failed["crafted"][0] == "bad_input"


def test_sections_may_be_in_any_order_and_unknown() -> None:
    values = wires_of(WITNESS)
    assert values == WITNESS[76:]
    unknown = section(16, b"1") + section(16, b"") + section(2**32 - 1, b"12")
    for sections in (WITNESS[12:] + unknown, unknown + WITNESS[12:], WITNESS[64:] + unknown + WITNESS[12:64]):
        assert wires_of(numbered(WITNESS[:12], 5) + sections) == values


@pytest.mark.parametrize("code", ["time_limit", "memory_limit"])
def test_a_generator_over_its_limits_runs_once(code: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def prove(job: str) -> Outcome:
        return Outcome(job, code=code, exit_code=3, message="too much")

    stage = Stage(monkeypatch, prove, {"job": b"{}"}, GENERATED)
    assert stage.attend() is None
    assert stage.batches == [["job"]] and stage.book.failed == {"job": (code, "too much")}
    # Without a generator the limit is the node's: another one may have more.
    stage = Stage(monkeypatch, prove, {"job": WITNESS})
    assert stage.attend() is None
    assert stage.batches == [["job"]] * 5 and stage.book.failed == {"job": (code, "too much")}


def test_the_last_failure_is_told_unless_every_node_was_lost(monkeypatch: pytest.MonkeyPatch) -> None:
    failures = [Outcome("job", code=code, exit_code=3, message=f"of {code}") for code in ("no_space", "busy")]
    lost_later, lost_before = ["busy", "no_space", "", "", ""], ["", "", "", "", "busy"]
    for codes, told in ((lost_later, "no_space"), (lost_before, "busy"), ([""] * 5, "")):
        attempts = list(codes)

        def prove(job: str, attempts: list[str] = attempts) -> Outcome:
            code = attempts.pop(0)
            if not code:
                raise Lost("gone")
            return next(failure for failure in failures if failure.code == code)

        stage = Stage(monkeypatch, prove, {"job": WITNESS})
        while stage.queue.left:
            try:
                assert stage.attend() is None
            except Lost:
                continue
        expected = (told, f"of {told}") if told else ("retries", "no node could prove it in 5 attempts")
        assert attempts == [] and stage.book.failed == {"job": expected}


def test_inputs_that_are_no_text_are_bad_input(monkeypatch: pytest.MonkeyPatch) -> None:
    prover = Prover(1)
    opened = SimpleNamespace(domain_size=8)
    files = SimpleNamespace(path=lambda digest: Path("module"))
    monkeypatch.setattr(prover, "_open", lambda words, message: message)
    monkeypatch.setattr(prover, "_key", lambda digest: opened)
    monkeypatch.setattr(prover, "_files", lambda: files)
    [outcome] = prover.prove("key", "generator", ["job"], packed([b"\xff39916801"]), (None, None))
    assert (outcome.code, outcome.exit_code) == ("bad_input", 2)
    assert "39916801" not in outcome.message

    stage = Stage(monkeypatch, lambda job: outcome, {"job": b"\xff39916801"}, GENERATED)
    assert stage.attend() is None
    assert stage.batches == [["job"]] and stage.book.failed == {"job": (outcome.code, outcome.message)}


def test_shards_end_a_job_whose_generator_fails(monkeypatch: pytest.MonkeyPatch) -> None:
    def over(*_: object) -> bytes:
        raise TryAgain("too long", "time_limit", 3)

    def prove(secret: bytes) -> Book:
        stage = Stage(monkeypatch, proved, {})
        job = Job("job", GENERATED.key, GENERATED.generator, secret)
        shards._prove(stage.office, cast(Any, None), cast(Any, None), GENERATED, job, 2, None)
        return stage.book

    monkeypatch.setattr(shards, "calculate_witness", over)
    assert prove(b"{}").failed == {"job": ("time_limit", "too long")}
    assert prove(b"\xff").failed == {"job": ("bad_input", "the inputs are not UTF-8")}
    # The same code of the submitter's own work is another matter: there may be more memory later.
    monkeypatch.setattr(shards, "calculate_witness", lambda *_: WITNESS)
    monkeypatch.setattr(shards, "_attempted", over)
    with pytest.raises(TryAgain):
        prove(b"{}")


@pytest.mark.parametrize("seconds", [0.1, 25.0, 59.0, 300.0])
def test_a_batch_is_of_a_minute_or_one_proof(seconds: float, monkeypatch: pytest.MonkeyPatch) -> None:
    def prove(job: str) -> Outcome:
        stage.clock.now += seconds
        return proved(job)

    stage = Stage(monkeypatch, prove, {f"job {number}": WITNESS for number in range(200)})
    assert stage.attend() is None
    assert len(stage.book.proved) == 200
    sizes = [len(batch) for batch in stage.batches]
    assert sizes[:2] == [1, 1], "the first is a measurement, and the second is sent with it"
    assert max(sizes) == min(16, max(1, int(BATCH_SECONDS / seconds)))


def test_a_batch_of_something_unknown_has_a_job_for_each_lane() -> None:
    pace, circuit = Pace(4), dataclasses.replace(GIVEN, lanes=16)
    other = dataclasses.replace(GIVEN, key_digest="other")
    assert (pace.most(other), pace.most(circuit)) == (1, 4)
    assert Registry(allow_uncontributed=True).of(DATA / "mul.zkey", None).lanes == SMALL_LANES
    pace.learn(circuit, 25.0, 4)
    assert pace.most(circuit) == 8, "two rounds of four"
    pace.learn(circuit, 0.001, 0)
    assert pace.most(circuit) == 8, "jobs that fail at once say nothing"
    pace.learn(circuit, 600.0, 8)
    assert pace.most(circuit) == 4
    for _ in range(10):
        pace.learn(circuit, 0.0, 4)
    assert pace.most(circuit) > 100 and pace.most(other) == 1


def test_a_batch_has_time_until_the_deadlines_of_its_jobs(monkeypatch: pytest.MonkeyPatch) -> None:
    """A server cancels at the deadline. `Late` is what Ray says until then."""
    waits = 0

    def hangs(job: str) -> Outcome:
        nonlocal waits
        waits += 1
        stage.clock.now += 5.0
        if waits == 3000:
            assert not stage.queue.drop("job")
            stage.office.stop("job")
        assert waits < 6000
        raise Late("not yet")

    stage = Stage(monkeypatch, hangs, {"job": WITNESS}, most_seconds=None)
    start = stage.clock.now
    with pytest.raises(Lost):
        stage.attend()
    # The hour that was the limit before is over while the job is wanted.
    assert stage.clock.now - start == pytest.approx(3000 * 5 + STOP_SECONDS, abs=15)
    assert stage.stopped == ["job"] and stage.batches == [["job"]]
    assert stage.queue.left == 0 and stage.book == Book()

    # A driver without deadlines has a limit.
    waits = 0
    stage = Stage(monkeypatch, hangs, {"job": WITNESS})
    with pytest.raises(Late):
        stage.attend()
    assert waits == 1 and stage.queue.left == 1


def test_a_proof_of_two_hours_is_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    def prove(job: str) -> Outcome:
        stage.clock.now += 5.0
        if stage.clock.now < 1000.0 + 7200.0:
            raise Late("not yet")
        return proved(job)

    stage = Stage(monkeypatch, prove, {"job": WITNESS}, most_seconds=None)
    assert stage.attend() is None
    assert stage.book.proved == ["job"]


def test_a_server_sets_no_other_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    offices: list[Office] = []

    def office(*given: Any) -> Office:
        offices.append(Office(*given))
        return offices[-1]

    lines = [{"do": "begin", "version": VERSION, "address": "a:1", "batch": 16}, {"do": "serve"}]
    orders = iter([*(json.dumps(line).encode() + b"\n" for line in lines), b""])
    monkeypatch.setattr(attendance, "Office", office)
    monkeypatch.setattr(attendance, "Fleet", lambda address: StubFleet())
    monkeypatch.setattr(attendance, "Seal", SimpleNamespace(of_environment=lambda: None))
    monkeypatch.setattr("frumious.fleet.care.refuse_open_doors", lambda: None)
    monkeypatch.setattr(attendance, "Registry", lambda **_: None)
    crew = SimpleNamespace(alive=0, work=lambda left: threading.Event().wait())
    monkeypatch.setattr(attendance, "Crew", lambda *_: crew)
    attendance.Attendance(cast(Any, SimpleNamespace(readline=lambda: next(orders))), lambda event: None).serve()
    assert [office.most_seconds for office in offices] == [None]


def test_late_is_told_from_lost() -> None:
    class RayError(Exception):
        pass

    class GetTimeoutError(RayError):
        pass

    def get(reference: Exception, timeout: float | None) -> None:
        raise reference

    fleet = Fleet.__new__(Fleet)
    fleet.ray = SimpleNamespace(get=get, exceptions=SimpleNamespace(RayError=RayError, GetTimeoutError=GetTimeoutError))
    with pytest.raises(Late):
        fleet.result(GetTimeoutError())
    with pytest.raises(Lost) as raised:
        fleet.result(RayError())
    assert not isinstance(raised.value, Late)
