"""A circuit of any size with its witness, without a compiler: `x[i+1] = x[i]·x[i]`, of which the last is public."""

import struct
from pathlib import Path

R = 21888242871839275222246405745257275088548364400416034343698204186575808495617


def _section(number: int, content: bytes) -> bytes:
    return struct.pack("<IQ", number, len(content)) + content


def _term(wire: int, coefficient: int) -> bytes:
    return struct.pack("<II", 1, wire) + coefficient.to_bytes(32, "little")


def _file(magic: bytes, version: int, sections: list[bytes]) -> bytes:
    return magic + struct.pack("<II", version, len(sections)) + b"".join(sections)


def squarings(folder: Path, count: int) -> tuple[Path, Path]:
    """Writes the circuit and a witness. Wires: one, x[count], x[0], x[1] and so on."""
    wires = [2 + place for place in range(count)] + [1]
    constraints = b"".join(
        _term(wires[place], 1) * 2 + _term(wires[place + 1], 1) for place in range(count)
    )
    prime = struct.pack("<I", 32) + R.to_bytes(32, "little")
    numbers = struct.pack("<IIIIQI", count + 2, 1, 0, 1, count + 2, count)
    labels = b"".join(struct.pack("<Q", wire) for wire in range(count + 2))
    sections = [_section(1, prime + numbers), _section(2, constraints), _section(3, labels)]
    r1cs = folder / "squarings.r1cs"
    r1cs.write_bytes(_file(b"r1cs", 1, sections))

    witness = folder / "squarings.wtns"
    witness.write_bytes(witness_of_squarings(count, 3))
    return r1cs, witness


def witness_of_squarings(count: int, first: int) -> bytes:
    """The witness whose x[0] is given."""
    values = [first]
    for _ in range(count):
        values.append(values[-1] * values[-1] % R)
    by_wire = [1, values[-1], *values[:-1]]
    content = b"".join(value.to_bytes(32, "little") for value in by_wire)
    prime = struct.pack("<I", 32) + R.to_bytes(32, "little")
    sections = [_section(1, prime + struct.pack("<I", len(by_wire))), _section(2, content)]
    return _file(b"wtns", 2, sections)
