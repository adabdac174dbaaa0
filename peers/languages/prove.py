"""prove.py KEY WITNESS PROOFS: seconds of each proof under a key that stays open, a line each."""

import sys
import time

import frumious

key = frumious.Key(sys.argv[1])
for _ in range(int(sys.argv[3])):
    start = time.monotonic()
    frumious.prove(key, sys.argv[2])
    print(time.monotonic() - start)
