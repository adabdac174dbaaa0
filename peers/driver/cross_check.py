"""Cross-checks: random cases computed by both sides and compared; what one side proves, the other verifies; corrupted proofs go to both.

The cases are drawn from a seed by each program itself, by the same rules (go-verkle/cross.go); corruptions are made here, on bytes.
"""

import collections
import json
import pathlib
import random

FORGERIES = pathlib.Path(__file__).resolve().parents[2] / "crates/verkle/tests/data"
ELEMENT, POINT, SCALAR, PROOF = 32, 1, 32, 576
OPENING = ELEMENT + POINT + SCALAR
GENERATOR = bytes.fromhex("4a2c7486fd924882bf02c6908de395122843e3e05264d7991e18e7985dad51e9")
REFUSALS = ("refused", "malformed")
ORDER = 0x1CFB69D4CA675F520CCE760202687600FF8F87007419047174FD06B52876E7E1
MODULUS = 0x73EDA753299D7D483339D80809A1D80553BDA402FFFE5BFEFFFFFFFF00000001


class Tally:
    """What was seen, how often; and the faults."""

    def __init__(self):
        self.seen = collections.Counter()
        self.faults = []

    def expect(self, what: str, holds: bool, case: str):
        self.seen[what] += holds
        if not holds:
            self.faults.append(f"{case}: not so: {what}")


class Side:
    """One library, asked by its name in the protocol."""

    def __init__(self, column):
        self.name, self.column = column.label, column

    def cross(self, what: str, *words) -> str:
        return self.column.program.ask(" ".join(["cross", self.column.side, what, *map(str, words)]))


def verkle(columns, count: int) -> int:
    """Runs all, prints what was seen, gives the exit code."""
    ours = Side(next(column for column in columns if column.is_ours))
    peers = [Side(column) for column in columns if column.side == "go-ipa"]
    failed = False
    for check in (group, decode, multiproof, tree):
        for theirs in peers:
            tally = Tally()
            for seed in range(count):
                try:
                    check(ours, theirs, seed, tally)
                except ValueError as error:
                    tally.faults.append(f"{check.__name__} {seed}: {error}")
            print(f"{check.__name__}, ours and {theirs.name}, {count} cases", flush=True)
            for what, times in tally.seen.items():
                print(f"    {times:7,}  {what}")
            for fault in tally.faults[:20]:
                print("    !", fault)
            if len(tally.faults) > 20:
                print(f"    ! and {len(tally.faults) - 20} more")
            failed = failed or bool(tally.faults)
    return 1 if failed else 0


def group(ours: Side, theirs: Side, seed: int, tally: Tally):
    """Commitment, multiple, sum: encodings and maps to scalars; Legendre symbol and square root."""
    tally.expect("commitments, encodings, maps to scalars, square roots equal", ours.cross("verkle.group", seed) == theirs.cross("verkle.group", seed), f"group {seed}")


def decode(ours: Side, theirs: Side, seed: int, tally: Tally):
    """Random and damaged encodings, compressed and uncompressed: accepted by both, with the same point, or refused by both."""
    source = random.Random(seed)
    good = bytes.fromhex(theirs.cross("verkle.group", seed).split(":")[0])
    x = int.from_bytes(good, "big")
    tries = [good, damaged(good, source), source.randrange(MODULUS).to_bytes(32, "big"), source.randbytes(32), (MODULUS - x).to_bytes(32, "big")]
    tries += [(x + MODULUS).to_bytes(32, "big")] if x + MODULUS < 1 << 256 else []
    y = largest_root(x)
    tries += [good + y.to_bytes(32, "big"), good + (MODULUS - y).to_bytes(32, "big"), good + damaged(y.to_bytes(32, "big"), source)]
    for raw in tries:
        mine, his = ours.cross("verkle.decode", raw.hex()), theirs.cross("verkle.decode", raw.hex())
        verdict = "refused" if mine == "refused" else "decoded"
        tally.expect(f"{len(raw)} bytes {verdict} by both, equally", mine == his, f"decode {seed} {raw.hex()}: {mine} {his}")
    tally.expect("a good encoding is decoded", ours.cross("verkle.decode", good.hex()) == good.hex(), f"decode {seed}")


def largest_root(x: int) -> int:
    """The larger y of the curve's point with this x."""
    a, d = -5, 0x6389C12633C267CBC66E3BF86BE3B6D8CB66677177E54F92B369F2F5188D58E7
    y = square_root((a * x * x - 1) * pow(d * x * x - 1, -1, MODULUS) % MODULUS)
    return max(y, MODULUS - y)


def square_root(a: int) -> int:
    """Tonelli-Shanks in a field whose order less one is an odd number times 2^32, of which 7 generates a subgroup."""
    odd, order = (MODULUS - 1) >> 32, 32
    root, rest, generator = pow(a, (odd + 1) // 2, MODULUS), pow(a, odd, MODULUS), pow(7, odd, MODULUS)
    while rest != 1:
        power, exponent = rest, 0
        while power != 1:
            power, exponent = power * power % MODULUS, exponent + 1
        step = pow(generator, 1 << (order - exponent - 1), MODULUS)
        root, generator, order = root * step % MODULUS, step * step % MODULUS, exponent
        rest = rest * generator % MODULUS
    return root


def damaged(raw: bytes, source: random.Random) -> bytes:
    """One bit changed."""
    bit = source.randrange(8 * len(raw))
    return raw[: bit // 8] + bytes([raw[bit // 8] ^ 1 << bit % 8]) + raw[bit // 8 + 1 :]


def multiproof(ours: Side, theirs: Side, seed: int, tally: Tally):
    """Random openings, with commitments, points and whole openings that repeat."""
    case = f"multiproof {seed}"
    mine, his = ours.cross("verkle.prove", seed), theirs.cross("verkle.prove", seed)
    tally.expect("proofs equal, byte for byte", mine == his, case)
    tally.expect("our proof accepted by them", theirs.cross("verkle.verify", mine) == "accepted", case)
    tally.expect("their proof accepted by us", ours.cross("verkle.verify", his) == "accepted", case)
    source = random.Random(seed)
    for name, raw in corrupted(bytes.fromhex(his), source):
        verdicts = [side.cross("verkle.verify", raw.hex()) for side in (ours, theirs)]
        tally.expect(f"{name}: refused by both", all(verdict in REFUSALS for verdict in verdicts), f"{case} {name}: {verdicts}")
        tally.expect("refused for the same kind of reason", verdicts[0] == verdicts[1], f"{case} {name}: {verdicts}")


def corrupted(raw: bytes, source: random.Random):
    """The statement and proof with one thing wrong in each, whatever the case has room for."""
    count = int.from_bytes(raw[:4], "little")
    openings = [raw[4 + OPENING * i : 4 + OPENING * (i + 1)] for i in range(count)]
    proof = raw[4 + OPENING * count :]

    def with_openings(changed):
        return len(changed).to_bytes(4, "little") + b"".join(changed) + proof

    yield "a bit of the proof", with_openings(openings)[:-PROOF] + damaged(proof, source)
    yield "last scalar plus the order", with_openings(openings)[:-SCALAR] + (int.from_bytes(proof[-SCALAR:], "little") + ORDER).to_bytes(32, "little")
    i = source.randrange(count)
    chosen = openings[i]
    yield "a bit of a value", with_openings(openings[:i] + [chosen[: ELEMENT + POINT] + damaged(chosen[ELEMENT + POINT :], source)] + openings[i + 1 :])
    other = GENERATOR if chosen[:ELEMENT] != GENERATOR else bytes(ELEMENT)
    yield "a commitment replaced", with_openings(openings[:i] + [other + chosen[ELEMENT:]] + openings[i + 1 :])
    if not any(any(opening[:ELEMENT]) for opening in openings):
        return  # openings of the zero polynomial alone: one proof shows all of them, whatever the challenges
    yield "a point moved", with_openings(openings[:i] + [chosen[:ELEMENT] + damaged(chosen[ELEMENT : ELEMENT + POINT], source) + chosen[ELEMENT + POINT :]] + openings[i + 1 :])
    yield "an opening added", with_openings(openings + [chosen])
    if count > 1:
        yield "an opening left out", with_openings(openings[:i] + openings[i + 1 :])
        j = source.randrange(count)
        if i != j:
            delta = source.randrange(1, ORDER)
            wrong = list(openings)
            wrong[i], wrong[j] = shifted(openings[i], delta), shifted(openings[j], ORDER - delta)
            yield "two values with opposite errors", with_openings(wrong)
        if openings[i] != openings[j]:
            swapped = list(openings)
            swapped[i], swapped[j] = openings[j], openings[i]
            yield "two openings swapped", with_openings(swapped)


def shifted(opening: bytes, delta: int) -> bytes:
    """The opening with delta added to its value."""
    value = (int.from_bytes(opening[ELEMENT + POINT :], "little") + delta) % ORDER
    return opening[: ELEMENT + POINT] + value.to_bytes(SCALAR, "little")


def tree(ours: Side, theirs: Side, seed: int, tally: Tally):
    """Random trees, reads and writes: roots before and after; execution witnesses in JSON."""
    case = f"tree {seed}"
    mine, his = ours.cross("verkle.tree.witness", seed), theirs.cross("verkle.tree.witness", seed)
    my_pre, my_post, _ = mine.split()
    pre, post, witness = his.split()
    tally.expect("roots equal before the block", my_pre == pre, case)
    tally.expect("roots equal after the block", my_post == post, case)
    tally.expect("witnesses equal as JSON values", decoded(mine.split()[2]) == decoded(witness), case)
    tally.expect("our witness accepted by them", theirs.cross("verkle.tree.verify", mine) == "accepted", case)
    tally.expect("their witness accepted by us", ours.cross("verkle.tree.verify", his) == "accepted", case)
    source = random.Random(seed)
    for name, words in corrupted_witness(pre, post, witness, source):
        verdicts = [side.cross("verkle.tree.verify", *words) for side in (ours, theirs)]
        tally.expect(f"{name}: refused by us", verdicts[0] in REFUSALS, f"{case} {name}: {verdicts}")
        tally.seen[f"{name}: {verdicts[1]} by them"] += 1  # go-verkle takes some damaged statuses, and panics at others


    if seed == 0:
        forged(ours, theirs, tally)


def forged(ours: Side, theirs: Side, tally: Tally):
    """Forgeries that the format takes where keys are not hashes (frumious_verkle::tree): both sides do, each knowing no better."""
    for name in ("value", "absence"):
        forgery = json.loads((FORGERIES / f"forged_{name}.json").read_text())
        root = forgery["pre_state_root"].removeprefix("0x")
        witness = json.dumps(forgery["executionWitness"]).encode().hex()
        for side in (ours, theirs):
            verdict = side.cross("verkle.tree.verify", root, root, witness)
            tally.expect(f"forged {name} accepted by {side.name}, as if keys were hashes", verdict == "accepted", f"forged {name}: {verdict}")


def decoded(witness: str):
    return json.loads(bytes.fromhex(witness))


def corrupted_witness(pre: str, post: str, witness: str, source: random.Random):
    """Roots and witness with one thing wrong in each."""
    yield "another root before", (post if post != pre else "00" * 32, post, witness)
    yield "another root after", (pre, damaged(bytes.fromhex(post), source).hex(), witness)

    def changed(change):
        value = decoded(witness)
        change(value)
        return pre, post, json.dumps(value).encode().hex()

    def flip(text: str) -> str:
        return "0x" + damaged(bytes.fromhex(text.removeprefix("0x")), source).hex()

    def proof_part(value):
        ipa = value["verkleProof"]["ipaProof"]
        ipa["cl"][source.randrange(8)] = value["verkleProof"]["d"]

    def current_value(value):
        diffs = [diff for stem in value["stateDiff"] for diff in stem["suffixDiffs"]]
        diff = source.choice(diffs)
        diff["currentValue"] = flip(diff["currentValue"]) if diff["currentValue"] else "0x" + "11" * 32

    def commitment(value):
        listed = value["verkleProof"]["commitmentsByPath"]
        if listed:
            listed[source.randrange(len(listed))] = value["verkleProof"]["d"]
        else:
            listed.append(value["verkleProof"]["d"])

    def status(value):
        value["verkleProof"]["depthExtensionPresent"] = flip(value["verkleProof"]["depthExtensionPresent"])

    yield "a part of the proof", changed(proof_part)
    yield "a value read", changed(current_value)
    yield "a commitment", changed(commitment)
    yield "a status", changed(status)
