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


class Program:
    """A running measuring program, pinned to as many cores as it has threads."""

    def __init__(self, path: Path, threads: int, backend: str = "auto"):
        cores = sorted(os.sched_getaffinity(0))[:threads]
        if len(cores) < threads:
            raise Failure(f"{threads} threads asked for, {len(cores)} cores at hand")
        environment = dict(os.environ, RAYON_NUM_THREADS=str(threads), GOMAXPROCS=str(threads))
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
            raise Failure(f"{self.name} ended during: {request} (exit code {self.process.wait()})")
        answer = answer.strip()
        if answer.startswith("err"):
            raise ValueError(f"{self.name}: {request}: {answer[4:]}")
        return answer.removeprefix("ok").strip()

    def close(self):
        self.process.stdin.close()
        self.process.wait()


def build():
    """Builds both programs, optimised."""
    for tool in ("cargo", "go", "taskset"):
        if shutil.which(tool) is None:
            raise Failure(f"{tool} is needed and was not found")
    run(["cargo", "build", "--release"], RUST)
    GO_PROGRAM.parent.mkdir(exist_ok=True)
    run(["go", "build", "-o", str(GO_PROGRAM), "."], GO)


def run(command: list[str], directory: Path):
    if subprocess.run(command, cwd=directory, check=False).returncode != 0:
        raise Failure(f"failed: {' '.join(command)} in {directory}")


@contextlib.contextmanager
def start(options):
    """Starts what the options ask for and gives the columns, ours first."""
    started = []

    def program(path: Path, threads: int, backend: str = "auto") -> Program:
        if not path.exists():
            raise Failure(f"{path} is not built")
        started.append(Program(path, threads, backend))
        return started[-1]

    columns = []
    try:
        for threads in [1, options.threads] if options.scaling else [options.threads]:
            mark = f" {threads}t" if options.scaling else ""
            backends = ["portable", "adx"] if options.backend == "both" else [options.backend]
            rust = [program(RUST_PROGRAM, threads, backend) for backend in backends]
            go = program(GO_PROGRAM, threads)
            for backend, one in zip(backends, rust):
                label = f"ours {backend}" if len(backends) > 1 else "ours"
                columns.append(Column(label + mark, "ours", one, threads, True))
            columns.append(Column("arkworks" + mark, "ark", rust[-1], threads, False))
            columns.append(Column("halo2curves" + mark, "halo2", rust[-1], threads, False))
            columns.append(Column("gnark" + mark, "gnark", go, threads, False))
        yield columns
    finally:
        for one in started:
            one.close()


def info(columns) -> str:
    """Versions, one entry a program."""
    asked = {id(column.program): column.program for column in columns}
    return "; ".join(program.ask("info") for program in asked.values())
