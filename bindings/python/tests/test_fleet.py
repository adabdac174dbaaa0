"""The parts of a fleet that need no Ray."""

import errno
import json
import os
import resource
import sqlite3
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from circuits import squarings, witness_of_squarings
from fixtures import DATA, circuit, read_json
from frumious import BadInput, TryAgain, setup_dev
from frumious._native import VERSION
from frumious.fleet import care, journal
from frumious.fleet.__main__ import main
from frumious.fleet.attend import public_of
from frumious.fleet.driver import Order
from frumious.fleet.jobs import Job, read_jobs
from frumious.fleet.journal import Entry, Journal
from frumious.fleet.node import Prover, packed, purpose, unpacked
from frumious.fleet.schedule import Circuit, Limits, Queue
from frumious.fleet.store import Store, digest_of, pieces
from frumious.fleet.supervise import supervise


def test_a_journal_keeps_what_is_final(tmp_path: Path) -> None:
    path = tmp_path / "fleet.sqlite"
    with Journal(path) as one:
        one.accept([Entry("a", "key", "1"), Entry("b", "key", "2"), Entry("c", "key", "3")])
        one.begin(["a", "b"])
        one.succeed([("a", "proof", "[]")])
        one.fail("b", "unsatisfied", "no")
        with pytest.raises(TryAgain):
            Journal(path)
    assert oct(path.stat().st_mode & 0o777) == "0o600"
    with Journal(path) as again:
        assert again.unfinished(["c", "b", "a"]) == ["c"]
        again.accept([Entry("a", "key", "1"), Entry("c", "key", "3")])
        with pytest.raises(sqlite3.IntegrityError):
            again.fail("a", "x", "x")
        with pytest.raises(sqlite3.IntegrityError):
            again.succeed([("b", "proof", "[]")])
        for other in (Entry("c", "key", "4"), Entry("a", "other key", "1")):
            with pytest.raises(BadInput) as raised:
                again.accept([Entry("new", "key", "9"), other])
            assert raised.value.code == "conflict"
        states = [(record.id, record.state, record.attempts) for record in again.records()]
        assert states == [("a", "succeeded", 1), ("b", "failed", 1), ("c", "queued", 0)]
    assert journal.read(path)[0].proof == "proof"
    assert journal.read(tmp_path / "none") == []


def _refused_for_room(work: Callable[[], object]) -> None:
    with pytest.raises(TryAgain) as raised:
        work()
    assert (raised.value.code, raised.value.exit_code) == ("no_space", 3)


@contextmanager
def _files_of_at_most(size: int) -> Iterator[None]:
    """To SQLite it is as if the disk did not write."""
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, limits[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)


def test_a_full_disk_is_no_fault_of_the_journal(tmp_path: Path) -> None:
    path = tmp_path / "fleet.sqlite"
    with _files_of_at_most(0):
        _refused_for_room(lambda: Journal(path))
    large = "x" * 100_000
    with Journal(path) as one:  # the lock was let go
        one.accept([Entry("a", "key", "1"), Entry("b", "key", "2")])
        [pages] = one._database.execute("PRAGMA page_count").fetchone()
        writes: list[Callable[[], None]] = [
            lambda: one.accept([Entry("c", "key", "3"), Entry("d", large, "4")]),
            lambda: one.succeed([("a", large, "[]")]),
            lambda: one.fail("b", "unsatisfied", large),
        ]
        # SQLite says of its own limit what it says of a full disk.
        one._database.execute(f"PRAGMA max_page_count = {pages}")
        for write in writes:
            _refused_for_room(write)
        one._database.execute("PRAGMA max_page_count = 1000000")
        with _files_of_at_most((tmp_path / "fleet.sqlite-wal").stat().st_size):
            for write in [*writes, lambda: one.begin(["a"])]:
                _refused_for_room(write)
        assert one.unfinished(["a", "b", "c", "d"]) == ["a", "b", "c", "d"]
        assert one.attempts("a") == 0 and len(one.records()) == 2
        for write in writes:
            write()
        assert one.unfinished(["a", "b", "c"]) == ["c"]
    bad = tmp_path / "bad.sqlite"
    bad.write_bytes(b"no database at all" * 100)
    with pytest.raises(BadInput):
        Journal(bad)


def test_the_command_ends_with_the_reason_of_its_driver(monkeypatch: pytest.MonkeyPatch) -> None:
    stopped = {"event": "stopped", "code": "no_space", "exit_code": 3, "message": "full"}
    for told, code in ((json.dumps(stopped), "no_space"), ("", "unreachable")):
        words = [sys.executable, "-c", f"import sys; sys.stdin.readline(); print({told!r})"]

        def begun(_: object, words: list[str] = words) -> "subprocess.Popen[str]":
            return subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

        monkeypatch.setattr("frumious.fleet.supervise._begun", begun)
        with pytest.raises(TryAgain) as raised:
            supervise(Order("a:1", "jobs", "journal"), lambda _: None, patience=-1)
        assert raised.value.code == code


@pytest.mark.parametrize(("number", "code"), [(errno.ENOSPC, "no_space"), (errno.EDQUOT, "no_space"), (errno.EIO, None)])
def test_a_journal_without_room_for_its_files(
    number: int, code: str | None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def opened(*_: object) -> int:
        raise OSError(number, os.strerror(number))

    monkeypatch.setattr("frumious.fleet.journal.os.open", opened)
    with pytest.raises(TryAgain if code else OSError) as raised:
        Journal(tmp_path / "fleet.sqlite")
    assert getattr(raised.value, "code", None) == code


def test_jobs_of_a_file(tmp_path: Path) -> None:
    lines = [
        {"id": "a", "key": "k.zkey", "witness": "w.wtns"},
        {"id": "b", "key": "k.zkey", "generator": "g.wasm", "inputs": {"x": "39916801"}},
    ]
    path = tmp_path / "jobs.jsonl"
    path.write_text("\n".join(map(json.dumps, lines)) + "\n\n")
    given, made = read_jobs(path)
    assert (given.key, given.secret) == (tmp_path / "k.zkey", tmp_path / "w.wtns")
    assert made.read_secret() == b'{"x": "39916801"}'
    assert "39916801" not in repr(made)
    bad: list[object] = [
        lines + lines[:1],
        [{"id": "a", "key": "k"}],
        [{"id": "a", "key": "k", "witness": "w", "inputs": {}}],
        [{"id": 7, "key": "k", "witness": "w"}],
        [{"id": "a\n", "key": "k", "witness": "w"}],
        [[]],
    ]
    for wrong in bad:
        assert isinstance(wrong, list)
        path.write_text("\n".join(map(json.dumps, wrong)))
        with pytest.raises(BadInput):
            read_jobs(path)
    path.write_text('{"id": "a", "inputs": {"x": 39916801}')
    with pytest.raises(BadInput) as raised:
        read_jobs(path)
    assert "39916801" not in str(raised.value) and raised.value.__cause__ is None


def _queue(counts: list[int], most: int = 16) -> Queue:
    circuits = [Circuit(Path("key"), f"key {place}", None, None, "", 1, 100 * (place + 1)) for place in range(len(counts))]
    jobs = [
        (circuit, Job(f"{circuit.key_digest} {job}", Path("key"), None, b""))
        for circuit, count in zip(circuits, counts, strict=True)
        for job in range(count)
    ]
    return Queue(jobs, most)


def test_batches_are_of_one_circuit_and_fit() -> None:
    queue = _queue([40, 100])
    queue.enter()
    first = queue.take(1000, set(), wait=False)
    assert first is not None and first.circuit.key_digest == "key 1" and len(first.jobs) == 16
    placed = queue.take(1000, {("key 0", None, Limits())}, wait=False)
    assert placed is not None and placed.circuit.key_digest == "key 0"
    small = queue.take(150, set(), wait=False)
    assert small is not None and small.circuit.key_digest == "key 0"
    assert queue.take(99, set(), wait=False) is None


def test_a_batch_has_one_limit() -> None:
    circuits = [Circuit(Path("k"), "k", Path("g"), "g", "", 1, 10, Limits(None, seconds)) for seconds in (1.0, 2.0)]
    queue = Queue([], 16, circuits)
    for number in range(40):
        queue.add(circuits[number % 2], Job(str(number), Path("k"), Path("g"), b""))
    taken = 0
    while batch := queue.take(10, set(), wait=False):
        seconds = batch.circuit.limits.seconds
        assert all(int(job.id) % 2 == (seconds == 2.0) for job in batch.jobs)
        taken += len(batch.jobs)
    assert taken == 40


def test_an_open_queue_takes_more_jobs_and_lets_go_of_them() -> None:
    circuits = [Circuit(Path("k"), digest, None, None, "", 1, 10) for digest in ("a", "b")]
    jobs = [Job(str(number), Path("k"), None, b"") for number in range(4)]
    queue = Queue([], 16, circuits)
    queue.enter()
    assert queue.memory() == [10] and queue.takers == 1
    assert queue.take(10, set(), wait=False) is None
    taken: list[str] = []

    def node() -> None:
        batch = queue.take(10, set(), wait=True)
        assert batch is not None
        taken.extend(job.id for job in batch.jobs)

    waiting = threading.Thread(target=node)
    waiting.start()
    queue.add(circuits[0], jobs[0])
    waiting.join(60)
    assert taken == ["0"] and queue.left == 1
    for job in jobs[1:]:
        queue.add(circuits[1], job)
    assert queue.drop("2") and not queue.drop("2") and not queue.drop("x")
    batch = queue.take(10, set(), wait=False)
    assert batch is not None and [job.id for job in batch.jobs] == ["1"] and queue.left == 3
    # A node has it: it has to be ended by who gives it back, and goes to no other node.
    assert queue.wants("1") and not queue.drop("1") and not queue.wants("1")
    assert queue.give_back(batch, 5) == [] and queue.left == 2 and queue.wants("1")
    batch = queue.take(10, set(), wait=False)
    assert batch is not None and [job.id for job in batch.jobs] == ["3"]
    assert not queue.drop("3")
    queue.let_go("3")
    assert queue.wants("3") and queue.left == 1
    # What was not there is forgotten once nothing is left.
    assert not queue.wants("x")
    queue.end(1)
    assert queue.left == 0 and queue.wants("x")


def test_a_node_stops_what_nobody_wants(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("cryptography", reason="cryptography is of the extra frumious[ray]")
    from frumious.fleet.seal import VARIABLE, Seal

    r1cs, wtns = squarings(tmp_path, 30_000)
    setup_dev(r1cs, tmp_path / "circuit.zkey")
    care.make_secret(tmp_path / "key")
    monkeypatch.setenv(VARIABLE, str(tmp_path / "key"))
    monkeypatch.setenv("FRUMIOUS_FLEET_STORE", str(tmp_path / "store"))
    monkeypatch.setenv("RAYON_NUM_THREADS", "1")
    prover, seal = Prover(1), Seal.of_environment()
    assert "refused" not in prover.hello("challenge")
    digest = digest_of(tmp_path / "circuit.zkey")
    for offset, piece in pieces(tmp_path / "circuit.zkey"):
        assert prover.write(digest, offset, piece) is None
    assert prover.finish(digest)

    def proves(jobs: list[str]) -> list[str | None]:
        message = seal.seal(purpose(digest, None, jobs), packed([wtns.read_bytes()] * len(jobs)))
        outcomes = prover.prove(digest, None, jobs, message, (None, None))
        assert [outcome.job for outcome in outcomes] == jobs
        assert all(outcome.proof is not None or outcome.exit_code == 3 for outcome in outcomes)
        return [outcome.code for outcome in outcomes]

    begun = time.monotonic()
    assert proves(["whole"]) == [None]
    a_quarter = (time.monotonic() - begun) / 4  # in the midst of a proof, as fast as this machine may be
    prover.stop("early")
    timer = threading.Timer(a_quarter, prover.stop, ["running"])
    timer.start()
    assert proves(["early", "running", "wanted"]) == ["interrupted", "interrupted", None]
    timer.join()
    prover.stop("whole")  # it ended long ago


def test_generators_keep_to_their_limits(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("cryptography", reason="cryptography is of the extra frumious[ray]")
    from frumious.fleet.seal import VARIABLE, Seal

    r1cs, module, inputs = circuit("sha256_512")
    setup_dev(r1cs, tmp_path / "circuit.zkey")
    care.make_secret(tmp_path / "key")
    monkeypatch.setenv(VARIABLE, str(tmp_path / "key"))
    monkeypatch.setenv("FRUMIOUS_FLEET_STORE", str(tmp_path / "store"))
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    prover, seal = Prover(1), Seal.of_environment()
    assert "refused" not in prover.hello("challenge")
    key, generator = digest_of(tmp_path / "circuit.zkey"), digest_of(module)
    for file, digest in ((tmp_path / "circuit.zkey", key), (module, generator)):
        for offset, piece in pieces(file):
            assert prover.write(digest, offset, piece) is None
        assert prover.finish(digest)
    message = seal.seal(purpose(key, generator, ["job"]), packed([json.dumps(inputs).encode()]))
    for limits, code in (((1 << 20, None), "memory_limit"), ((None, 1e-3), "bad_input"), ((1 << 30, 60.0), None)):
        [outcome] = prover.prove(key, generator, ["job"], message, limits)
        assert outcome.code == code


def test_the_command_tells_its_version(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as raised:
        main(["--version"])
    assert raised.value.code == 0
    assert capsys.readouterr().out == f"frumious-fleet {VERSION}\n"


@pytest.mark.parametrize(
    ("port", "reason"),
    [
        ("10002", "Ray's own processes"),
        ("19999", "Ray's own processes"),
        ("0", "from 1 to 65535"),
        ("65536", "from 1 to 65535"),
        ("-1", "from 1 to 65535"),
        ("http", "from 1 to 65535"),
    ],
)
def test_a_port_that_ray_refuses_is_refused_before_it_begins(
    port: str, reason: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as ended:
        main(["--state", str(tmp_path / "state"), "up", f"--port={port}"])
    assert ended.value.code == 2
    assert reason in capsys.readouterr().err
    assert not (tmp_path / "state").exists()


def test_lost_jobs_come_back_alone_and_not_for_ever() -> None:
    queue = _queue([4])
    queue.enter()
    whole = queue.take(1000, set(), wait=False)
    assert whole is not None and len(whole.jobs) == 2
    assert queue.give_back(whole, 3) == []
    for loss in (2, 3):
        alone = [queue.take(1000, set(), wait=False) for _ in range(2)]
        assert all(batch is not None and len(batch.jobs) == 1 for batch in alone)
        hopeless = [job.id for batch in alone if batch is not None for job in queue.give_back(batch, 3)]
        assert len(hopeless) == (2 if loss == 3 else 0)


def test_every_job_is_done_once_by_threads_that_lose_some() -> None:
    queue = _queue([100, 100], most=4)
    done: list[str] = []
    lock = threading.Lock()

    def node(number: int) -> None:
        queue.enter()
        for turn in range(10**6):
            batch = queue.take(1000, set(), wait=True)
            if batch is None:
                break
            if (turn + number) % 3 == 0:
                queue.give_back(batch, 10**6)
                continue
            with lock:
                done.extend(job.id for job in batch.jobs)
            queue.end(len(batch.jobs))
        queue.leave()

    threads = [threading.Thread(target=node, args=(number,)) for number in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    assert len(done) == 200 == len(set(done)) and queue.left == 0


def test_files_have_the_names_of_their_content(tmp_path: Path) -> None:
    store = Store(tmp_path / "store")
    digest = digest_of(DATA / "mul.zkey")
    assert not store.has(digest)
    for offset, piece in pieces(DATA / "mul.zkey"):
        store.write(digest, offset, piece)
    assert not store.has(digest)
    assert store.finish(digest) and store.has(digest)
    assert store.path(digest).read_bytes() == (DATA / "mul.zkey").read_bytes()
    other = "0" * 64
    store.write(other, 0, b"something else")
    assert not store.finish(other) and not store.has(other)
    store.path(digest).chmod(0o600)
    store.path(digest).write_bytes(b"corrupt")
    assert not Store(tmp_path / "store").has(digest)
    for name in ("../" + digest[3:], digest.upper() + "A", ""):
        with pytest.raises(BadInput):
            store.path(name)


def test_machines_that_share_a_store_do_not_write_one_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """With one home folder, and by chance the same number of a process."""
    source = tmp_path / "source"
    source.write_bytes(b"of a key")
    digest = digest_of(source)
    machine, machines = "", ["node-1", "node-2"]
    stores = [Store(tmp_path / "store") for _ in machines]
    monkeypatch.setattr("platform.node", lambda: machine)
    for machine, store in zip(machines, stores, strict=True):
        store.write(digest, 0, b"of a key")
    for machine, store in zip(machines, stores, strict=True):
        assert store.finish(digest)
    assert [path.name for path in (tmp_path / "store").iterdir()] == [digest]


def test_messages_open_for_their_purpose_and_key_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("cryptography", reason="cryptography is of the extra frumious[ray]")
    from frumious.fleet.seal import VARIABLE, Seal

    seal, secret = Seal(bytes(32)), packed([b"39916801", b"", b"7"])
    message = seal.seal("prove", secret)
    assert b"39916801" not in message and seal.seal("prove", secret) != message
    assert unpacked(seal.open("prove", message)) == [b"39916801", b"", b"7"]
    changed = [message[:place] + bytes([message[place] ^ 1]) + message[place + 1 :] for place in range(len(message))]
    cut = [message[:length] for length in range(len(message))]
    for wrong in changed + cut:
        with pytest.raises(BadInput):
            seal.open("prove", wrong)
    for other, purpose in ((Seal(bytes(31) + b"1"), "prove"), (seal, "other")):
        with pytest.raises(BadInput):
            other.open(purpose, message)
    assert seal.fingerprint(b"1") != Seal(bytes(31) + b"1").fingerprint(b"1")
    path = tmp_path / "key"
    care.make_secret(path)
    monkeypatch.setenv(VARIABLE, str(path))
    assert Seal.of_environment().open("x", Seal.of_environment().seal("x", b"1")) == b"1"
    path.chmod(0o640)
    with pytest.raises(BadInput) as raised:
        Seal.of_environment()
    assert raised.value.code == "permission"


def test_a_fleet_without_a_token_is_refused(tmp_path: Path) -> None:
    token = tmp_path / "token"
    named = {"RAY_AUTH_MODE": "token", "RAY_AUTH_TOKEN_PATH": str(token)}
    for environment in ({}, {"RAY_AUTH_MODE": "disabled"}, named):
        with pytest.raises(BadInput) as raised:
            care.refuse_open_doors(environment)
        assert raised.value.code == "permission"
    care.make_secret(token)
    care.refuse_open_doors(named)
    assert oct(os.stat(token).st_mode & 0o777) == "0o600"


def test_versions_are_compared() -> None:
    ours = {"frumious": "1", "sources": "a"}
    assert care.difference(ours, dict(ours)) is None
    assert care.difference(ours, {"frumious": "1", "sources": "b"}) == "sources b instead of a"
    assert care.difference(ours, {}) is not None


def test_public_signals_are_those_of_the_witness() -> None:
    assert public_of((DATA / "mul.wtns").read_bytes(), 1) == read_json(DATA / "public.json")
    witness = witness_of_squarings(3, 2)
    assert public_of(witness, 1) == ["256"]
    for cut in (witness[:length] for length in range(len(witness))):
        with pytest.raises(BadInput):
            public_of(cut, 1)
    with pytest.raises(BadInput):
        public_of(witness, 100)
