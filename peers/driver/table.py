"""The rows, their measurement in interleaved rounds, and the printed table."""

import os
import statistics
import time
from dataclasses import dataclass, field

from . import programs


NAME = 30  # columns of the rows' names
MULTIPROOF = ("verkle.prove", "verkle.verify")


@dataclass
class Row:
    """One operation at one size, with the figures of each column: nanoseconds an operation."""

    id: str
    size: int
    check_size: int  # at which the libraries' results are compared first; 0: not compared
    figures: dict = field(default_factory=dict)
    memory: dict = field(default_factory=dict)  # of some rows: bytes and allocations of an operation, bytes that its result holds, by column
    faults: list = field(default_factory=list)

    @property
    def name(self) -> str:
        return f"{self.id}/{self.size}"

    @property
    def domain(self) -> str:
        """Which libraries have it."""
        first = self.id.split(".")[0]
        return first if first in ("verkle", "bls12", "bander", "secp") else "bn254"

    @property
    def counts_memory(self) -> bool:
        return self.domain == "verkle" and not self.id.startswith("verkle.fq")

    @property
    def family(self) -> tuple:
        """Rows of one family share inputs, which are dropped after its last row."""
        if self.id in MULTIPROOF:
            return ("verkle.multiproof",)  # the openings of a size are those of the smaller ones and more
        return (self.id.split(".")[0], self.size) if self.id.startswith("groth16") else (self.id, self.size)


def catalogue(quick: bool) -> list[Row]:
    """All rows, in the table's order. Sizes are elements for fields, groups and Verkle, pairs for pairings, log2 for the rest."""
    rows = []
    for name in ("fq", "fr"):
        rows += field_rows(name)
        rows += [Row(f"{name}.mul.lanes", 256, 256)]
        rows += [Row(f"{name}.{operation}", 1024, 1024) for operation in ("mul.array", "invert.array")]
    rows += [Row("bls12.fq.mul.lanes", 256, 256), Row("bls12.fq.mul.array", 1024, 1024)]
    for operation in ("fft", "fft.any_order", "fft.coset", "fft.extend"):
        rows += [Row(operation, log_size, 10) for log_size in (14, 16, 18, 20, 22)]
    rows += [Row("msm.g1", log_size, 10) for log_size in (10, 12, 14, 16, 18, 20)]
    rows += [Row(f"msm.g1.{witness}", log_size, 10) for witness in ("bits", "mixed") for log_size in (16, 18, 20)]
    rows += [Row("msm.g2", log_size, 10) for log_size in (10, 12, 14, 16)]
    rows += [Row(f"{group}.{operation}", 16, 16) for group in ("g1", "g2") for operation in ("mul", "mul_vartime")]
    rows += [Row("g2.in_subgroup", 16, 0), Row("pairing", 1, 0), Row("pairing", 4, 0), Row("pairing.prepared", 1, 0), Row("pairing.prepared", 4, 0)]
    logs = range(1, 17) if quick else range(1, 29)
    rows = [row for row in rows if not row.id.startswith(("fft", "msm")) or row.size in logs]
    rows += [Row(f"groth16.{operation}", log_size, 0) for log_size in ([12] if quick else [16, 18]) for operation in ("setup", "prove", "verify")]
    return rows + secp256k1() + bls12_381(quick) + verkle(quick)


def field_rows(name: str) -> list[Row]:
    rows = []
    for operation in ("add", "sub", "mul", "square"):
        rows += [Row(f"{name}.{operation}", 256, 256), Row(f"{name}.{operation}.latency", 256, 256)]
    return rows + [Row(f"{name}.{operation}", 256, 256) for operation in ("neg", "invert", "invert_vartime", "sqrt")]


def bls12_381(quick: bool) -> list[Row]:
    """Sizes: elements, scalars, points, messages; pairs of a pairing; log2 of an MSM's points. And the scalar field of Bandersnatch, whose base field is `bls12.fr`."""
    rows = field_rows("bls12.fq") + field_rows("bls12.fq2") + field_rows("bls12.fr") + [Row("bls12.fr.sqrt_vartime", 256, 0)] + field_rows("bander.fr")
    for group in ("bls12.g1", "bls12.g2"):
        rows += [Row(f"{group}.mul", 16, 16), Row(f"{group}.mul_vartime", 16, 16), Row(f"{group}.in_subgroup", 16, 0)]
    rows += [Row("bls12.msm.g1", log_size, 10) for log_size in (10, 12, 14, 16, 18, 20) if not quick or log_size <= 16]
    rows += [Row("bls12.msm.g2", log_size, 10) for log_size in (10, 12, 14, 16)]
    rows += [Row("bls12.pairing", 1, 0), Row("bls12.pairing", 4, 0)]
    rows += [Row(f"bls12.{operation}", 16, 16) for operation in ("hash_to_g1", "hash_to_g2", "sign")]
    return rows + [Row("bls12.verify", 16, 0)]


def secp256k1() -> list[Row]:
    """Sizes: elements, scalars, digests. Verification has no result to compare; it asserts."""
    rows = field_rows("secp.fq") + field_rows("secp.fr")
    rows += [Row(f"secp.{operation}", 16, 16) for operation in ("mul", "mul_vartime", "keygen", "ecdsa.sign", "ecdsa.recover", "schnorr.sign")]
    return rows + [Row(f"secp.{operation}", 16, 0) for operation in ("ecdsa.verify", "schnorr.verify")]


def verkle(quick: bool) -> list[Row]:
    """Sizes: elements; scalars of a commitment; openings of a multiproof; values of a tree."""
    rows = [Row(f"verkle.fq.{operation}", 256, 256) for operation in ("sqrt", "invert", "legendre")]
    rows += [Row("verkle.decode", 256, 256), Row("verkle.decode.batch", 256, 256), Row("verkle.decode.batch", 4096, 256)]
    rows += [Row("verkle.encode.batch", 256, 256), Row("verkle.map.batch", 256, 256)]
    rows += [Row("verkle.msm", size, 1024) for size in (256, 1024, 16384, 131072) if not quick or size <= 16384]
    for warmth in ("", ".warm"):
        rows += [Row(f"verkle.commit.first{warmth}", size, size) for size in (1, 2, 4, 5)]
        rows += [Row(f"verkle.commit.spread{warmth}", size, size) for size in (1, 4, 16, 64, 128, 256)]
    rows += [Row("verkle.commit.mib64", size, size) for size in (5, 256)]
    rows += [Row("verkle.tables", 256, 0)]
    sizes = (1, 2000, 16000) if quick else (1, 2000, 16000, 32000, 64000, 128000)
    rows += [Row(operation, size, size) for size in sizes for operation in MULTIPROOF]
    return rows + [Row("verkle.tree.root", size, size) for size in (1000, 10000)]


def chosen(prefixes: list[str], quick: bool) -> list[Row]:
    return [row for row in catalogue(quick) if not prefixes or any(row.name.startswith(prefix) for prefix in prefixes)]


def measure(rows: list[Row], columns, options) -> list[Row]:
    """Measures and prints row by row, so that an interrupted run has shown what it knows."""
    print(heading(columns, options), flush=True)
    domain = None
    for row, following in zip(rows, rows[1:] + [None]):
        if row.domain != domain:
            domain, having = row.domain, [column for column in columns if column.has(row)]
            layout = layout_of(having, options)
            print(layout.head(), flush=True)
        check(row, having)
        rounds(row, having, options)
        print(layout.line(row), flush=True)
        if row.counts_memory:
            count_memory(row, having)
            print("    allocates", "; ".join(f"{label} {amounts(*memory)}" for label, memory in row.memory.items()), flush=True)
        for fault in row.faults:
            print("    !", fault, flush=True)
        if following is None or following.family != row.family:
            for column in columns:
                column.program.ask("drop")
    return rows


def check(row: Row, columns):
    """Compares the libraries' results, so that ratios are between like and like."""
    results = {}
    if not row.check_size:
        return
    for column in columns:
        try:
            answer = column.program.ask(f"check {column.side} {row.id} {row.check_size}")
        except ValueError as error:
            row.faults.append(str(error))
            continue
        if answer != "none":
            results.setdefault(answer, []).append(column.label)
    if len(results) > 1:
        row.faults.append("results differ: " + " | ".join(f"{' '.join(labels)}: {value[:16]}…" for value, labels in results.items()))


def rounds(row: Row, columns, options):
    """Interleaves the libraries: whatever else the machine does, it does to all of them."""
    samples = {column.label: [] for column in columns}
    began = time.monotonic()
    for _ in range(options.rounds):
        for column in columns:
            try:
                answer = column.program.ask(f"bench {column.side} {row.id} {row.size} {options.milliseconds}")
            except ValueError as error:
                if str(error) not in row.faults:
                    row.faults.append(str(error))
                continue
            if answer != "none":
                wall, cpu = map(float, answer.split())
                samples[column.label].append(cpu if options.clock == "cpu" else wall)
        if time.monotonic() - began > options.row_seconds:
            break
    summary = statistics.median if options.median else min
    row.figures = {label: summary(values) for label, values in samples.items() if values}


def count_memory(row: Row, columns):
    """One run of each library, counted apart from the timing."""
    for column in columns:
        try:
            answer = column.program.ask(f"memory {column.side} {row.id} {row.size}")
        except ValueError as error:
            row.faults.append(str(error))
            continue
        if answer != "none":
            row.memory[column.label] = tuple(map(float, answer.split()))


def amounts(allocated: float, count: float, held: float) -> str:
    return f"{size(allocated)} in {f'{count:,.0f}' if count >= 10 or count == 0 else f'{count:.2g}'}" + (f" (holds {size(held)})" if held else "")


def size(count: float) -> str:
    """Three significant digits with a binary unit."""
    for unit, scale in (("B", 1), ("KiB", 1 << 10), ("MiB", 1 << 20)):
        if count < 999.5 * scale:
            return f"{count / scale:.3g} {unit}"
    return f"{count / (1 << 30):.3g} GiB"


def heading(columns, options) -> str:
    statistic = "median" if options.median else "minimum"
    threads = f"1 and {options.threads}" if options.scaling else options.threads
    load = os.getloadavg()[0]
    busy = "" if load < 1 else ": BUSY, take ratios only"
    return (
        f"{programs.info(columns)}\n{threads} thread(s), {statistic} of {options.rounds} interleaved rounds, {options.clock} time, "
        f"load {load:.1f}{busy}\nSizes: elements (fields, groups), pairs (pairing), log2 (fft, msm, groth16); elements, scalars, openings, values (verkle)."
    )


def layout_of(columns, options):
    """Scaling: each library with one thread and with many. Baseline: each backend before and now."""
    half = len(columns) // 2
    if options.scaling:
        return Pairs(zip(columns[:half], columns[half:]))
    return Pairs(zip(columns[::2], columns[1::2])) if options.baseline else Ratios(columns)


def slower(rows: list[Row], columns) -> list[str]:
    """The rows that take more than 3% longer than before, by column."""
    pairs = [(column.label, column.against) for column in columns if column.against]
    both = [(row, now, row.figures.get(before), row.figures.get(now)) for row in rows for before, now in pairs]
    return [f"{row.name}, {label}: ×{old / new:.2f}" for row, label, old, new in both if old and new and old / new < 0.97]


class Ratios:
    """Each column's figure; each peer's in proportion to ours; the best peer's in proportion to each of ours."""

    def __init__(self, columns):
        self.ours = [column.label for column in columns if column.is_ours]
        self.peers = [column.label for column in columns if not column.is_ours]

    def head(self) -> str:
        cells = [f"{label:>14}" for label in self.ours] + [f"{label:>20}" for label in self.peers]
        return f"{'':{NAME}}" + "".join(cells) + "   best peer / " + ", ".join(self.ours)

    def line(self, row: Row) -> str:
        ours = [row.figures.get(label) for label in self.ours]
        cells = [f"{duration(figure):>14}" for figure in ours]
        for label in self.peers:
            figure = row.figures.get(label)
            ratio = f" ×{figure / ours[-1]:.2f}" if figure and ours[-1] else ""
            cells.append(f"{duration(figure) + ratio:>20}")
        at_hand = [(row.figures[label], label) for label in self.peers if label in row.figures]
        last = ""
        if at_hand and any(ours):
            best, label = min(at_hand)
            last = "   " + ", ".join(f"{best / figure:.2f}" if figure else "-" for figure in ours) + f"  ({label})"
        return f"{row.name:{NAME}}" + "".join(cells) + last


class Pairs:
    """Of each pair of columns both figures, and the first divided by the second."""

    def __init__(self, pairs):
        self.pairs = [(one.label, other.label) for one, other in pairs]

    def head(self) -> str:
        return f"{'':{NAME}}" + "".join(f"{one + ', ' + many.rsplit(' ', 1)[1]:>32}" for one, many in self.pairs)

    def line(self, row: Row) -> str:
        cells = []
        for one, many in self.pairs:
            one, many = row.figures.get(one), row.figures.get(many)
            quotient = f" ×{one / many:.2f}" if one and many else ""
            cells.append(f"{duration(one) + ' ' + duration(many) + quotient:>32}")
        return f"{row.name:{NAME}}" + "".join(cells)


def duration(nanoseconds) -> str:
    """Three significant digits with a unit."""
    if nanoseconds is None:
        return "-"
    for unit, scale in (("ns", 1), ("µs", 1e3), ("ms", 1e6)):
        if nanoseconds < 999.5 * scale:
            return f"{nanoseconds / scale:#.3g} {unit}"
    return f"{nanoseconds / 1e9:#.3g} s".replace(". ", " ")
