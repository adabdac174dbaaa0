"""The measuring programs: building, starting, pinning, and the line protocol (its words are in rust/src/main.rs)."""

import contextlib
import os
import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path

PEERS = Path(__file__).resolve().parent.parent
RUST = PEERS / "rust"
GO = PEERS / "go"
RUST_TARGET = Path(os.environ.get("CARGO_TARGET_DIR", RUST / "target"))
RUST_PROGRAM = RUST_TARGET / "release" / "frumious-peers"
GO_PROGRAM = PEERS / "target" / "peers-go"
GO_VERKLE = PEERS / "go-verkle"
# Slowest first; a program told to use what its CPU has not uses another and says so.
BACKENDS = ["portable", "adx", "avx2fma", "avx512ifma"]
# The same source with the gnark-crypto that go-verkle's release names, and with a newer one (go-verkle/latest.mod).
GO_VERKLE_PROGRAMS = {"released": PEERS / "target" / "peers-go-verkle", "latest": PEERS / "target" / "peers-go-verkle-latest"}


class Failure(Exception):
    """Something that ends the run, told in one line."""


@dataclass(frozen=True)
class Column:
    """One library in one program: a column of the table."""

    label: str
    side: str  # as the protocol names it
    program: "Program"
    threads: int
    is_ours: bool
    domain: str = ""  # of which rows it has figures, where not of all: "verkle", "bn254", "bls12", "bander" or "secp"
    against: str = ""  # the column it is compared with, where not the last of ours

    def has(self, row) -> bool:
        return self.domain in ("", row.domain)


class Program:
    """A running measuring program, pinned to as many cores as it has threads."""

    def __init__(self, path: Path, threads: int, backend: str = "auto", tables: str = "full"):
        cores = sorted(os.sched_getaffinity(0))[:threads]
        if len(cores) < threads:
            raise Failure(f"{threads} threads asked for, {len(cores)} cores at hand")
        environment = dict(os.environ, RAYON_NUM_THREADS=str(threads), GOMAXPROCS=str(threads), FRUMIOUS_PEERS_TABLES=tables)
        environment.pop("FRUMIOUS_BACKEND", None)
        if backend != "auto":
            environment["FRUMIOUS_BACKEND"] = backend
        command = ["taskset", "-c", ",".join(map(str, cores)), str(path)]
        self.name = path.name
        self.process = subprocess.Popen(command, env=environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1)

    def ask(self, request: str) -> str:
        """The answer without its leading word `ok`; "none" where the library has no such operation."""
        try:
            self.process.stdin.write(request + "\n")
            answer = self.process.stdout.readline()
        except BrokenPipeError:
            answer = ""
        if not answer:
            raise Failure(f"{self.name} ended during: {request[:80]} (exit code {self.process.wait()})")
        answer = answer.strip()
        if answer.startswith("err"):
            raise ValueError(f"{self.name}: {request[:80]}: {answer[4:]}")
        return answer.removeprefix("ok").strip()

    def close(self):
        self.process.stdin.close()
        self.process.wait()


def build():
    """Builds all programs, optimised."""
    for tool in ("cargo", "go", "taskset"):
        if shutil.which(tool) is None:
            raise Failure(f"{tool} is needed and was not found")
    run(["cargo", "build", "--release"], RUST)
    GO_PROGRAM.parent.mkdir(exist_ok=True)
    run(["go", "build", "-o", str(GO_PROGRAM), "."], GO)
    run(["go", "build", "-o", str(GO_VERKLE_PROGRAMS["released"]), "."], GO_VERKLE)
    run(["go", "build", "-modfile=latest.mod", "-o", str(GO_VERKLE_PROGRAMS["latest"]), "."], GO_VERKLE)


def run(command: list[str], directory: Path, environment=None):
    if subprocess.run(command, cwd=directory, env=environment, check=False).returncode != 0:
        raise Failure(f"failed: {' '.join(command)} in {directory}")


def build_baseline(checkout: Path):
    """Builds our program of another commit, in a folder of its own."""
    folder = checkout / "peers" / "rust"
    if not folder.is_dir():
        raise Failure(f"{checkout} is no checkout of Frumious: it has no peers/rust")
    run(["cargo", "build", "--release"], folder, dict(os.environ, CARGO_TARGET_DIR=str(folder / "target")))


def baseline_program(checkout: Path) -> Path:
    return checkout / "peers" / "rust" / "target" / "release" / RUST_PROGRAM.name


@contextlib.contextmanager
def start(options, domains: set[str]):
    """Starts what the options and the rows' domains ask for and gives the columns, ours first."""
    started = []

    def program(path: Path, threads: int, backend: str = "auto") -> Program:
        if not path.exists():
            raise Failure(f"{path} is not built")
        started.append(Program(path, threads, backend, options.tables))
        return started[-1]

    def ours(threads: int) -> list[tuple[str, Program]]:
        """Our program with each backend that was asked for and that this CPU has."""
        wanted = BACKENDS if options.backend == "each" else [options.backend]
        both = [(backend, program(RUST_PROGRAM, threads, backend)) for backend in wanted]
        having = [(backend, one) for backend, one in both if backend == "auto" or f"backend={backend} " in one.ask("info")]
        if not having:
            raise Failure(f"this CPU has no {options.backend}")
        return having

    columns = []
    try:
        if options.baseline:
            before = baseline_program(options.baseline)
            for backend in ["portable", "adx"] if options.backend == "each" else [options.backend]:
                label = f"ours {backend}"
                columns.append(Column(f"{label} before", "ours", program(before, options.threads, backend), options.threads, False, against=f"{label} now"))
                columns.append(Column(f"{label} now", "ours", program(RUST_PROGRAM, options.threads, backend), options.threads, True))
            yield columns
            return
        for threads in [1, options.threads] if options.scaling else [options.threads]:
            mark = f" {threads}t" if options.scaling else ""
            rust = ours(threads)
            for backend, one in rust:
                label = f"ours {backend}" if len(rust) > 1 else "ours"
                columns.append(Column(label + mark, "ours", one, threads, True))
            if domains & {"bn254", "bls12"}:
                go = program(GO_PROGRAM, threads)
            if "bn254" in domains:
                columns.append(Column("arkworks" + mark, "ark", rust[-1][1], threads, False, "bn254"))
                columns.append(Column("halo2curves" + mark, "halo2", rust[-1][1], threads, False, "bn254"))
                columns.append(Column("gnark" + mark, "gnark", go, threads, False, "bn254"))
            if "bls12" in domains:
                columns.append(Column("blst" + mark, "blst", rust[-1][1], threads, False, "bls12"))
                columns.append(Column("arkworks" + mark, "ark", rust[-1][1], threads, False, "bls12"))
                columns.append(Column("gnark" + mark, "gnark", go, threads, False, "bls12"))
            if "secp" in domains:
                for label, side in (("libsecp256k1", "libsecp"), ("k256", "k256"), ("arkworks", "ark")):
                    columns.append(Column(label + mark, side, rust[-1][1], threads, False, "secp"))
            if "bander" in domains:
                columns.append(Column("arkworks" + mark, "ark", rust[-1][1], threads, False, "bander"))
            if domains & {"verkle", "bander"}:
                for which in ["released", "latest"] if options.go_ipa == "both" else [options.go_ipa]:
                    label = "go-ipa" if which == "released" else "go-ipa latest"
                    go_ipa = program(GO_VERKLE_PROGRAMS[which], threads)
                    for domain in ("verkle", "bander"):
                        columns.append(Column(label + mark, "go-ipa", go_ipa, threads, False, domain))
        yield columns
    finally:
        for one in started:
            one.close()


def info(columns) -> str:
    """Versions, one entry a program."""
    asked = {id(column.program): column.program for column in columns}
    return "; ".join(program.ask("info") for program in asked.values())
