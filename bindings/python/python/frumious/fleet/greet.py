"""A node is greeted: an actor that owns its cores is begun there, and asked who it is."""

from __future__ import annotations

import hmac
import secrets
from typing import Any

from . import care
from .engine import Fleet, Lost, Node
from .seal import Seal


class Refused(Exception):
    """A node that must not work."""


def greet(fleet: Fleet, seal: Seal, node: Node, kind: type, memory: list[int]) -> tuple[Any, float]:
    """The actor, and the most of these amounts of memory that the node has.

    Raises `Refused` for a node of another version or with another key, and `Lost`.
    """
    fitting = [amount for amount in memory if amount <= node.memory]
    if not fitting:
        raise Refused(f"{int(node.memory)} bytes of memory are too few for any circuit")
    actor = fleet.actor(kind, node, max(fitting), int(node.cores))
    try:
        challenge = secrets.token_hex(16)
        found: dict[str, str] = fleet.result(actor.hello.remote(challenge), GREETING_SECONDS)
        if "refused" in found:
            raise Refused(found["refused"])
        other = care.difference(care.version(), found)
        if other is not None:
            raise Refused(f"another version: {other}")
        if not hmac.compare_digest(found.get("key", ""), seal.fingerprint(challenge.encode())):
            raise Refused("another key of the fleet")
    except (Refused, Lost):
        fleet.end(actor)
        raise
    return actor, float(max(fitting))


GREETING_SECONDS = 120.0
