"""Fills the object store of a fleet: with sealed objects, then as clear ones. Told by lines of stdin.

A process of its own, as Ray reads its token once.
"""

import sys

from frumious.fleet.engine import Fleet
from frumious.fleet.seal import Seal


def main(address: str) -> None:
    needle = bytes.fromhex(sys.stdin.readline())
    large = needle * ((30 << 20) // len(needle))
    fleet, seal = Fleet(address), Seal.of_environment()
    kept = [fleet.put(seal.seal("test", large)) for _ in range(6)]
    print("sealed", flush=True)
    sys.stdin.readline()
    kept += [fleet.put(large) for _ in range(6)]
    print("clear", flush=True)
    sys.stdin.readline()
    fleet.close()


if __name__ == "__main__":
    main(sys.argv[1])
