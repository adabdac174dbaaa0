#!/usr/bin/env python3
"""A driver of a fleet that is none, for the tests of `serve`: it proves by the command, or spoils things.

`--state DIR` is its folder: `modes` has a word for each start, of which the last holds for all later; `starts`
and `orders` tell what happened; `command` names the command that proves.
"""

import json
import os
import subprocess
import sys
import tempfile
import threading
from pathlib import Path

if sys.argv[1:] == ["--version"]:
    print((Path(sys.argv[0]).parent / "version").read_text())
    sys.exit()
folder = Path(sys.argv[sys.argv.index("--state") + 1])
with (folder / "starts").open("a") as starts:
    starts.write(f"{os.getpid()} {json.dumps(sorted(os.environ))}\n")
number = len((folder / "starts").read_text().splitlines())
modes = (folder / "modes").read_text().split()
mode = modes[min(number, len(modes)) - 1]
lock = threading.Lock()
circuits = {}


def tell(**event):
    with lock:
        print(json.dumps(event), flush=True)


def note(order):
    with (folder / "orders").open("a") as orders:
        orders.write(f"{number} {order['do']} {order.get('job', '')}\n")


def beat():
    while True:
        tell(event="beat", nodes=2, **({"read": 0} if mode == "deaf" else {}))
        threading.Event().wait(0.2)


def proved(order, secret):
    circuit = circuits[order["circuit"]]
    with tempfile.TemporaryDirectory() as place:
        (Path(place) / "in").write_bytes(secret)
        words = ["prove", circuit["key"], "in"]
        if order["input"] == "inputs":
            words = ["fullprove", "in", circuit["generator"], circuit["key"]]
        command = [(folder / "command").read_text(), *words, "proof.json", "public.json", "--threads", "1"]
        done = subprocess.run(command, cwd=place, capture_output=True)
        if done.returncode == 1:
            return {"event": "failed", "code": "unsatisfied", "message": "no \x1b[2J proof" + 1000 * "!"}
        if done.returncode:
            return {"event": "failed", "code": "of this test", "message": done.stderr.decode()}
        read = lambda name: (Path(place) / name).read_text()
        return {"event": "proved", "proof": read("proof.json"), "public": read("public.json")}


def spoiled(answer):
    if mode == "forged":
        proof = json.loads(answer["proof"])
        proof["pi_a"] = proof["pi_c"]
        answer["proof"] = json.dumps(proof)
    if mode == "other":  # a right proof, of other signals
        answer["proof"] = (folder / "proof.json").read_text()
        answer["public"] = (folder / "public.json").read_text()
    if mode == "empty":
        answer["proof"], answer["public"] = "", "[" * 10000
    return answer


def answer(order, secret):
    tell(**spoiled(proved(order, secret)), job=order["job"])


last = None
if mode == "stranger":
    tell(event="hello", version="0.0.0")
elif mode != "silent":
    tell(event="hello", version=(Path(sys.argv[0]).parent / "version").read_text().split()[1])
    threading.Thread(target=beat, daemon=True).start()
if mode == "garbage":
    sys.stdout.buffer.write(b'\xff\xfe\n{}\n[1]\nnull\n"x"\n{"event": "beat", "nodes": -1}\n{"event": 7}\n\n' + b"[" * 5000 + b"\n")
    for job in ("", "../x", "0" * 32, "é" * 16):
        tell(event="proved", job=job, proof="{}", public="[]")
        tell(event="failed", job=job, code="x", message="y")
        tell(event="begun", job=job)
if mode == "deaf":
    threading.Event().wait()
received = 0
while line := sys.stdin.buffer.readline():
    order = json.loads(line)
    note(order)
    if order["do"] == "circuit":
        circuits[order["circuit"]] = order
    if order["do"] == "cancel" and mode == "late":
        answer(*last)
    if order["do"] != "prove":
        continue
    secret = sys.stdin.buffer.read(order["bytes"])
    last = order, secret
    received += 1
    tell(event="begun", job=order["job"])
    if mode == "endless":
        while True:
            sys.stdout.write("x" * 65536)
    if mode == "flood":
        for _ in range(100_000):
            tell(event="begun", job=order["job"])
    if mode == "chatter":
        while True:
            print("no answer", flush=True)
    if mode == "dies" and received == 3:
        os._exit(1)
    if mode in ("slow", "late", "silent", "dies"):
        continue
    if mode == "twice":
        answer(order, secret)
        tell(event="failed", job=order["job"], code="unsatisfied", message="after all")
    answer(order, secret)
