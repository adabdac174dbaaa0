"""The only door to Ray, and to the other packages of the extra `frumious[ray]`.

They are imported when they are wanted, so that the package and its types stand without them.
"""

from __future__ import annotations

import importlib
import os
import socket
from dataclasses import dataclass
from typing import Any

from ..errors import BadInput, TryAgain


def required(name: str) -> Any:
    """A module of the extra."""
    try:
        return importlib.import_module(name)
    except ModuleNotFoundError as error:
        message = f"the module {name} is missing. Next: pip install 'frumious[ray]'"
        raise BadInput(message, "not_found", 2) from error


@dataclass(frozen=True)
class Node:
    """A node that has cores to prove with."""

    id: str
    address: str
    cores: float
    memory: float
    """Bytes that Ray may give away."""


class Fleet:
    """A connection to Ray."""

    def __init__(self, address: str) -> None:
        # Nothing that workers print comes here, and Ray tells nobody of its use.
        os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")
        self.ray = required("ray")
        host, _, port = address.rpartition(":")
        if not answers(host.strip("[]"), int(port)):
            # Ray itself would try for two minutes.
            raise TryAgain(f"no fleet answers at {address}", "unreachable", 3)
        try:
            self.ray.init(
                address=address,
                namespace=NAMESPACE,
                log_to_driver=False,
                logging_level="ERROR",
                configure_logging=True,
            )
        except (ConnectionError, RuntimeError, ValueError) as error:
            message = f"no fleet answers at {address}: {type(error).__name__}"
            raise TryAgain(message, "unreachable", 3) from error

    def nodes(self) -> list[Node]:
        """Those that are alive and have cores."""
        found = []
        for node in self.ray.nodes():
            resources = node["Resources"]
            if node["Alive"] and resources.get("CPU", 0) >= 1:
                cores, memory = resources["CPU"], resources.get("memory", 0.0)
                found.append(Node(node["NodeID"], node["NodeManagerAddress"], cores, memory))
        return found

    def actor(self, kind: type, node: Node, memory: float, *arguments: object) -> Any:
        """An actor that owns all cores of a node, and so much memory. It dies with this process.

        Its calls run one after another, but for those of [`beside`](Fleet.beside).
        """
        strategies = importlib.import_module("ray.util.scheduling_strategies")
        strategy = strategies.NodeAffinitySchedulingStrategy(node.id, soft=False)
        remote = self.ray.remote(
            num_cpus=node.cores,
            memory=int(memory),
            max_restarts=0,
            max_task_retries=0,
            max_concurrency=1,
            concurrency_groups={BESIDE: 1},
            scheduling_strategy=strategy,
        )(kind)
        return remote.remote(*arguments)

    def beside(self, method: Any) -> Any:
        """A method of an actor, to be called while another one of it runs."""
        return method.options(concurrency_group=BESIDE)

    def put(self, content: bytes) -> Any:
        """A reference to an object in the store. The content is public, or sealed. Raises `Lost` if it has no room."""
        try:
            return self.ray.put(content)
        except self.ray.exceptions.RayError as error:
            raise Lost(type(error).__name__) from error

    def result(self, reference: Any, seconds: float | None = None) -> Any:
        """The result of what ended. Raises `Lost` if its node is gone, and `Late` if it is not there in time."""
        try:
            return self.ray.get(reference, timeout=seconds)
        except self.ray.exceptions.GetTimeoutError as error:
            raise Late(type(error).__name__) from error
        except self.ray.exceptions.RayError as error:
            raise Lost(type(error).__name__) from error

    def end(self, actor: Any) -> None:
        """Ends an actor."""
        self.ray.kill(actor)

    def close(self) -> None:
        """Ends the connection, and all actors."""
        self.ray.shutdown()


def answers(host: str, port: int) -> bool:
    """True if something listens there."""
    try:
        with socket.create_connection((host, port), timeout=CONNECT_SECONDS):
            return True
    except OSError:
        return False


class Lost(Exception):
    """A node, its actor, or an object is gone."""

    has_worked = False
    """The node has returned results before."""


class Late(Lost):
    """No result is there in time. Whoever does not wait for longer has lost the node."""


NAMESPACE = "frumious"
BESIDE = "beside"
CONNECT_SECONDS = 5.0
