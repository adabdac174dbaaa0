"""The command: `python -m frumious.fleet up | status | prove JOBS | down`. Exit codes are those of `frumious`."""

from __future__ import annotations

import argparse
import json
import os
import sys
import time
from pathlib import Path

from .. import _native
from ..errors import FrumiousError, TryAgain
from . import care, journal
from .cluster import Machine
from .driver import Order
from .engine import Fleet
from .plan import read_plan, told
from .supervise import supervise


def main(words: list[str] | None = None) -> int:
    """Does what the words say; the exit code."""
    arguments = _parser().parse_args(words)
    try:
        return int(arguments.run(arguments))
    except FrumiousError as error:
        print(f"frumious-fleet: {error.message}", file=sys.stderr)
        return error.exit_code
    except KeyboardInterrupt:
        print("frumious-fleet: interrupted; what is done is in the journal", file=sys.stderr)
        return 130


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="frumious-fleet", description="Proofs on many machines, by Ray.")
    parser.add_argument("--version", action="version", version=f"frumious-fleet {_native.VERSION}")
    parser.add_argument("--state", type=_path, default=_state(), help="folder of the journal and of what runs here")
    commands = parser.add_subparsers(required=True)

    up = commands.add_parser("up", help="begin a head with a node here, or join a fleet")
    up.add_argument("--join", metavar="HOST:PORT", help="begin a node of the fleet whose head is there")
    up.add_argument("--listen", default="127.0.0.1", help="the address of this machine that others reach")
    up.add_argument("--port", type=_port, default=6379, help="of the head")
    up.add_argument("--cores", type=int, default=len(os.sched_getaffinity(0)), help="of the node; 0: it submits jobs, and proves none")
    up.set_defaults(run=_up)

    status = commands.add_parser("status", help="nodes, and jobs by state")
    _add_address(status)
    status.set_defaults(run=_status)

    prove = commands.add_parser("prove", help="prove all jobs of a file, a line of JSON each")
    prove.add_argument("jobs", type=Path)
    prove.add_argument("--out", type=Path, help="proofs, a line of JSON each; without it stdout")
    prove.add_argument("--journal", type=Path, help="default: fleet.sqlite in the folder of --state")
    prove.add_argument("--batch", type=int, default=16, help="most jobs that a node gets at once")
    prove.add_argument("--attempts", type=int, default=5, help="after which a job whose nodes are lost has failed")
    prove.add_argument("--shards", type=int, default=0, help="all nodes work on one proof, on so many ranges of its key")
    prove.add_argument("--patience", type=float, default=600, help="seconds without any result until it gives up")
    prove.add_argument("--allow-uncontributed", action="store_true", help="for tests: keys that anyone can forge with")
    _add_address(prove)
    prove.set_defaults(run=_prove)

    plan = commands.add_parser("plan", help="time and money of 1, 2, 3 … nodes, from measured rates")
    plan.add_argument("rates", type=Path, help="JSON: sizes and times of a circuit, and machines; see docs/fleet.md")
    plan.add_argument("--nodes", type=int, default=64, help="the most")
    plan.add_argument("--proofs", type=int, default=100_000)
    plan.set_defaults(run=_plan)

    serve = commands.add_parser("serve-driver", help="of frumious serve, which begins it: jobs from stdin, no journal")
    serve.set_defaults(run=_serve_driver)

    down = commands.add_parser("down", help="end what `up` began on this machine")
    down.set_defaults(run=_down)
    return parser


def _add_address(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--address", metavar="HOST:PORT", help="of the head; default: that of this machine's fleet")


def _up(arguments: argparse.Namespace) -> int:
    machine = Machine(arguments.state)
    if arguments.join is None:
        care.make_identity(arguments.state)
    care.take_identity(arguments.state)
    address = care.check_address(arguments.join) if arguments.join else f"{arguments.listen}:{arguments.port}"
    if arguments.join is None:
        machine.head(arguments.listen, arguments.port)
    if arguments.cores > 0 or arguments.join:
        machine.worker(address, arguments.cores)
    if arguments.cores > 0:
        _wait_for_node(address)
    print(f"the fleet is at {address}")
    print(f"other machines join with copies of {care.TOKEN} and {care.KEY} of {arguments.state}")
    return 0


def _wait_for_node(address: str) -> None:
    fleet = Fleet(address)
    try:
        until = time.monotonic() + NODE_SECONDS
        while not fleet.nodes():
            if time.monotonic() > until:
                raise TryAgain(f"no node has joined within {NODE_SECONDS:.0f} s", "unreachable", 3)
            time.sleep(0.2)
    finally:
        fleet.close()


def _status(arguments: argparse.Namespace) -> int:
    for member in Machine(arguments.state).members():
        print(f"here: {member.name}, process {member.process}")
    states = [record.state for record in journal.read(arguments.state / JOURNAL)]
    for state in sorted(set(states)):
        print(f"jobs {state}: {states.count(state)}")
    care.take_identity(arguments.state)
    care.refuse_open_doors()
    fleet = Fleet(_address(arguments))
    try:
        for node in fleet.nodes():
            memory = node.memory / (1 << 30)
            print(f"node {node.id[:12]} at {node.address}: {node.cores:.0f} cores, {memory:.1f} GiB")
    finally:
        fleet.close()
    return 0


def _prove(arguments: argparse.Namespace) -> int:
    care.take_identity(arguments.state)
    path = arguments.journal or arguments.state / JOURNAL
    order = Order(
        _address(arguments),
        str(arguments.jobs.resolve()),
        str(path.resolve()),
        arguments.allow_uncontributed,
        arguments.batch,
        arguments.attempts,
        shards=arguments.shards,
    )
    ids: set[str] = set()

    def tell(event: dict[str, object]) -> None:
        if event["event"] != "proved":
            print(json.dumps(event), file=sys.stderr)

    end = supervise(order, tell, patience=arguments.patience)
    ids.update(json.loads(line)["id"] for line in arguments.jobs.read_text("utf-8").splitlines() if line.strip())
    _write(path, ids, arguments.out)
    return 1 if end.failed else 0


def _write(path: Path, ids: set[str], out: Path | None) -> None:
    lines = []
    for record in journal.read(path):
        if record.id not in ids:
            continue
        result: dict[str, object] = {"id": record.id, "state": record.state}
        if record.proof is not None and record.public_signals is not None:
            result |= {"proof": json.loads(record.proof), "publicSignals": json.loads(record.public_signals)}
        else:
            result |= {"code": record.code, "message": record.message}
        lines.append(json.dumps(result) + "\n")
    if out is None:
        sys.stdout.writelines(lines)
        return
    partial = out.with_name(out.name + ".partial")
    partial.write_text("".join(lines), "utf-8")
    partial.replace(out)


def _plan(arguments: argparse.Namespace) -> int:
    circuit, machines = read_plan(arguments.rates)
    sys.stdout.write(told(circuit, machines, arguments.nodes, arguments.proofs))
    return 0


def _serve_driver(arguments: argparse.Namespace) -> int:
    care.take_identity(arguments.state)
    os.chdir("/")
    # As `supervise` begins its driver: workers would look for modules in the folder of this program, too.
    os.execv(sys.executable, [sys.executable, "-P", "-m", "frumious.fleet.attendance"])


def _down(arguments: argparse.Namespace) -> int:
    count = Machine(arguments.state).down()
    print(f"{count} processes ended")
    return 0


def _address(arguments: argparse.Namespace) -> str:
    if arguments.address is not None:
        return care.check_address(arguments.address)
    members = Machine(arguments.state).members()
    return members[0].address if members else DEFAULT_ADDRESS


def _path(text: str) -> Path:
    """Absolute, as Ray's processes work in other folders."""
    return Path(text).expanduser().absolute()


def _port(text: str) -> int:
    """A port for the head, of which Ray keeps some for its own processes."""
    port = int(text) if text.isdecimal() else 0
    if not 1 <= port <= 65535:
        raise argparse.ArgumentTypeError("a number from 1 to 65535 is expected")
    if port in WORKER_PORTS:
        first, last = WORKER_PORTS.start, WORKER_PORTS.stop - 1
        raise argparse.ArgumentTypeError(f"ports {first} to {last} are for Ray's own processes: choose another")
    return port


def _state() -> Path:
    base = Path(os.environ.get("XDG_STATE_HOME") or Path.home() / ".local/state")
    return base / "frumious-fleet"


JOURNAL = "fleet.sqlite"
# Of Ray's processes on each node, unless `ray start` is told others (--min-worker-port, --max-worker-port).
WORKER_PORTS = range(10002, 20000)
DEFAULT_ADDRESS = "127.0.0.1:6379"
NODE_SECONDS = 60.0

if __name__ == "__main__":
    sys.exit(main())
