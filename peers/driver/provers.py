"""Groth16 of one circuit by three provers: the processes that prove, what is measured of them, and the check of every proof."""

import contextlib
import hashlib
import json
import os
import platform
import shutil
import struct
import subprocess
import time
from dataclasses import dataclass
from pathlib import Path

from .programs import GO, GO_PROGRAM, PEERS, RUST_TARGET, Failure, run

ROOT = PEERS.parent
OUTPUT = PEERS / "target"
TARGET = RUST_TARGET if "CARGO_TARGET_DIR" in os.environ else ROOT / "target"
TRIPLE = f"{platform.machine()}-unknown-linux-gnu"
FRUMIOUS = TARGET / TRIPLE / "release" / "frumious"
RAPIDSNARK = PEERS / "rapidsnark"
RAPIDSNARK_PACKAGE = RAPIDSNARK / "node_modules/@iden3/react-native-rapidsnark"
RAPIDSNARK_PROGRAM = OUTPUT / "peers-rapidsnark"
RAPIDSNARK_LIBRARY = OUTPUT / "librapidsnark.so"


@dataclass(frozen=True)
class Figure:
    """One proof: seconds by the wall clock and of CPU time, and the most memory that was resident, in bytes (None where nobody knows yet)."""

    wall: float
    cpu: float
    resident: int | None = None


def build():
    """Builds ours, gnark's and rapidsnark's program."""
    for tool in ("cargo", "go", "npm", "cc"):
        if shutil.which(tool) is None:
            raise Failure(f"{tool} is needed and was not found")
    OUTPUT.mkdir(exist_ok=True)
    # As it is distributed, with the C library linked in (xtask/src/dist/build.rs): a process starts sooner.
    flags = os.environ | {"RUSTFLAGS": "-Ctarget-feature=+crt-static"}
    run(["cargo", "build", "--release", "--locked", "-p", "frumious-cli", "--target", TRIPLE], ROOT, flags)
    run(["go", "build", "-o", str(GO_PROGRAM), "."], GO)
    run(["npm", "ci", "--silent"], RAPIDSNARK)
    run(["cc", "-O2", "-rdynamic", "-o", str(RAPIDSNARK_PROGRAM), "prove.c", "android.c", "-ldl", "-lpthread"], RAPIDSNARK)
    library = RAPIDSNARK_PACKAGE / "android/src/jniLibs/x86_64/librapidsnark.so"
    RAPIDSNARK_LIBRARY.write_bytes(without_android(library.read_bytes()))


def without_android(library: bytes) -> bytes:
    """An ELF library whose names are looked up anywhere and in any version, instead of in Android's libc.so: rapidsnark/android.c and glibc give them."""
    needed, versym, verneed, verneednum, ignored, dynamic = 1, 0x6FFFFFF0, 0x6FFFFFFE, 0x6FFFFFFF, 21, 2
    patched = bytearray(library)
    (headers,), (count,) = struct.unpack_from("<Q", library, 0x20), struct.unpack_from("<H", library, 0x38)
    for header in range(headers, headers + 56 * count, 56):
        kind, _, offset, _, _, size = struct.unpack_from("<IIQQQQ", library, header)
        for entry in range(offset, offset + size, 16) if kind == dynamic else ():
            if struct.unpack_from("<Q", library, entry)[0] in (needed, versym, verneed, verneednum):
                struct.pack_into("<Q", patched, entry, ignored)
    return bytes(patched)


class Circuit:
    """BASE.r1cs and BASE.wtns, with keys of its own in peers/target/provers."""

    def __init__(self, base: str):
        self.name = Path(base).name
        self.r1cs, self.wtns = Path(f"{base}.r1cs"), Path(f"{base}.wtns")
        for path in (self.r1cs, self.wtns):
            if not path.is_file():
                raise Failure(f"{path} is missing")
        with self.r1cs.open("rb") as file:
            digest = hashlib.file_digest(file, "sha256").hexdigest()[:16]
        keys = OUTPUT / "provers"
        keys.mkdir(parents=True, exist_ok=True)
        self.zkey, self.vkey, self.gnark_key = (keys / f"{digest}.{kind}" for kind in ("zkey", "vkey.json", "gnark"))
        self.proof, self.public = keys / f"{digest}.proof.json", keys / f"{digest}.public.json"
        self.constraints = json.loads(output([FRUMIOUS, "inspect", "--json", self.r1cs]))["constraints"]

    def make_keys(self):
        """The key of ours and rapidsnark, by our setup without a ceremony, and gnark's by its own; kept for the next run."""
        self.make_key_of_ours()
        if not self.gnark_key.exists():
            print(f"{self.name}: gnark's setup, some minutes", flush=True)
            output([GO_PROGRAM, "prove", self.r1cs, self.wtns, self.gnark_key])

    def make_key_of_ours(self):
        """The key of ours and rapidsnark alone."""
        if not self.vkey.exists():
            output([FRUMIOUS, "setup", "--force", "--dev", "--quiet", self.r1cs, self.zkey])
            output([FRUMIOUS, "export", "vkey", "--quiet", self.zkey, self.vkey])

    def verify(self):
        output([FRUMIOUS, "verify", "--quiet", self.vkey, self.public, self.proof])


class Ours:
    """The program `frumious prove`, from its start to its end: key opened, witness read, proof made, verified and written."""

    def __init__(self, circuit: Circuit, threads: int, backend: str):
        self.circuit, self.threads, self.backend = circuit, threads, backend
        self.name = "ours" if backend == "auto" else f"ours {backend}"

    def prove(self) -> Figure:
        c = self.circuit
        environment = {} if self.backend == "auto" else {"FRUMIOUS_BACKEND": self.backend}
        command = [FRUMIOUS, "prove", "--quiet", "--threads", str(self.threads), c.zkey, c.wtns, c.proof, c.public]
        figure = process(command, self.threads, environment)
        c.verify()
        return figure

    def close(self):
        pass


class Rapidsnark:
    """rapidsnark's library in a program that does nothing else, from its start to its end. It starts as many threads as it has cores."""

    name = "rapidsnark"

    def __init__(self, circuit: Circuit, threads: int):
        self.circuit, self.threads = circuit, threads

    def prove(self) -> Figure:
        c = self.circuit
        figure = process([RAPIDSNARK_PROGRAM, RAPIDSNARK_LIBRARY, c.zkey, c.wtns, c.proof, c.public], self.threads, {})
        c.verify()
        return figure

    def close(self):
        pass


class Snarkjs:
    """snarkjs, or snarkrs on the CPU, as the command `NAME groth16 prove`, from its start to its end."""

    def __init__(self, circuit: Circuit, threads: int, program: str):
        self.circuit, self.threads, self.program = circuit, threads, program
        self.name = Path(program).name

    def prove(self) -> Figure:
        c = self.circuit
        environment = {"RAYON_NUM_THREADS": str(self.threads)}  # of snarkrs; snarkjs has a worker for each core it may use
        figure = process([self.program, "groth16", "prove", c.zkey, c.wtns, c.proof, c.public], self.threads, environment)
        c.verify()
        return figure

    def close(self):
        pass


class Gnark:
    """gnark in one process that keeps circuit, witness and key in memory; only its function `Prove` is timed. Its memory is known when it ends."""

    name = "gnark"

    def __init__(self, circuit: Circuit, threads: int):
        command = list(map(str, [GO_PROGRAM, "prove", circuit.r1cs, circuit.wtns, circuit.gnark_key]))
        environment = dict(os.environ, GOMAXPROCS=str(threads))
        with on_cores(threads):
            self.process = subprocess.Popen(command, env=environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1)
        self.answer()

    def prove(self) -> Figure:
        return self.timed("prove")

    def solve(self) -> Figure:
        return self.timed("solve")

    def timed(self, what: str) -> Figure:
        self.process.stdin.write(what + "\n")
        wall, cpu = self.answer()
        return Figure(int(wall) / 1e9, int(cpu) / 1e9)

    def answer(self) -> list[str]:
        line = self.process.stdout.readline()
        if not line.startswith("ok"):
            raise Failure(f"gnark ended (exit code {self.process.wait()})")
        return line.split()[1:]

    def close(self) -> int:
        self.process.stdin.close()
        _, _, usage = os.wait4(self.process.pid, 0)
        self.process.returncode = 0
        return usage.ru_maxrss * 1024


@contextlib.contextmanager
def on_cores(threads: int):
    """What is started inside has as many cores as threads. By a program such as taskset each figure would hold its start, too."""
    cores = os.sched_getaffinity(0)
    if len(cores) < threads:
        raise Failure(f"{threads} threads asked for, {len(cores)} cores at hand")
    os.sched_setaffinity(0, sorted(cores)[:threads])
    try:
        yield
    finally:
        os.sched_setaffinity(0, cores)


def process(command: list, threads: int, environment: dict[str, str]) -> Figure:
    """Runs a program to its end; what it prints is not shown."""
    words, environment = list(map(str, command)), dict(os.environ, **environment)
    start = time.perf_counter()
    with on_cores(threads):
        child = subprocess.Popen(words, env=environment, stdout=subprocess.DEVNULL)
    _, status, usage = os.wait4(child.pid, 0)
    wall = time.perf_counter() - start
    child.returncode = os.waitstatus_to_exitcode(status)
    if child.returncode != 0:
        raise Failure(f"failed: {' '.join(map(str, command))}")
    return Figure(wall, usage.ru_utime + usage.ru_stime, usage.ru_maxrss * 1024)


def output(command: list) -> str:
    done = subprocess.run([str(word) for word in command], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, text=True, check=False)
    if done.returncode != 0:
        raise Failure(f"failed: {' '.join(map(str, command))}")
    return done.stdout
