"""The process that a user starts: it begins the driver, and begins it anew whenever it dies.

The journal has what is done, so that a new driver goes on where the old one was.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import IO

from ..errors import FrumiousError, TryAgain, of_code
from .driver import Order

Event = dict[str, object]


@dataclass(frozen=True)
class End:
    """What became of all jobs."""

    succeeded: int
    failed: int
    restarts: int
    """Of the driver."""


def supervise(
    order: Order,
    tell: Callable[[Event], None],
    *,
    patience: float = 600.0,
    environment: Mapping[str, str] | None = None,
) -> End:
    """Has the driver work until all jobs have a result.

    Raises what the driver refuses. Raises `TryAgain` if no job gets a result for so many seconds, however often it
    restarts. Its code is that of the last driver, if that told one.
    """
    restarts, crashes, wait = -1, 0, FIRST_WAIT
    last_progress = time.monotonic()
    while True:
        restarts += 1
        last: Event = {}
        error: FrumiousError | None = None
        with _begun(environment) as driver:
            assert driver.stdin is not None and driver.stdout is not None
            tell({"event": "driver", "process": driver.pid, "restarts": restarts})
            _ask(driver.stdin, order)
            for line in driver.stdout:
                event = _event(line)
                if event.get("event") in ("proved", "failed", "piece"):
                    last_progress, wait = time.monotonic(), FIRST_WAIT
                if event:
                    last = event
                    tell(event)
            driver.wait()
        if last.get("event") == "end":
            return End(int(str(last["succeeded"])), int(str(last["failed"])), restarts)
        if last.get("event") == "stopped":
            error = _error(last)
            crashes += error.code == "internal"
            if not isinstance(error, TryAgain) or crashes >= MOST_CRASHES:
                raise error
        if time.monotonic() - last_progress > patience:
            if error is not None:
                raise error  # such as a full disk: the reason, rather than what came of it
            message = f"no job has got a result for {patience:.0f} s; those that have one are in the journal"
            raise TryAgain(message, "unreachable", 3)
        tell({"event": "driver", "process": None, "exit_code": driver.returncode, "wait": wait})
        time.sleep(wait)
        wait = min(wait * 2, MOST_WAIT)


def _begun(environment: Mapping[str, str] | None) -> subprocess.Popen[str]:
    given = dict(os.environ if environment is None else environment)
    # Seconds after which Ray ends a driver whose head is gone; Ray's own default is 60.
    given.setdefault("RAY_gcs_rpc_server_reconnect_timeout_s", "20")
    # `-P`: workers would look for modules in the working folder, too.
    command = [sys.executable, "-P", "-m", "frumious.fleet.driver"]
    return subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env=given, cwd=Path.home()
    )


def _ask(stdin: IO[str], order: Order) -> None:
    try:
        stdin.write(order.text() + "\n")
        stdin.flush()  # and it stays open: the driver ends with it
    except BrokenPipeError:
        pass  # it died: so it is begun anew


def _event(line: str) -> Event:
    """Ray may print, too."""
    try:
        event: object = json.loads(line)
    except ValueError:
        return {}
    return event if isinstance(event, dict) and "event" in event else {}


def _error(stopped: Event) -> FrumiousError:
    return of_code(str(stopped["code"]), int(str(stopped["exit_code"])), str(stopped["message"]))


MOST_CRASHES = 3
"""Of the driver by faults of its own."""
FIRST_WAIT = 1.0
MOST_WAIT = 30.0
