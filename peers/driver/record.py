"""Records of a run: one CSV, with the machine, the versions and the conditions above the figures."""

import csv
import datetime
import os
import platform

from . import programs


def write(rows, columns, options):
    """Writes peers/record/<date>-<what>.csv and gives its path."""
    directory = programs.PEERS / "record"
    directory.mkdir(exist_ok=True)
    path = directory / f"{datetime.date.today().isoformat()}-{options.record}.csv"
    with path.open("w", newline="") as file:
        for line in conditions(columns, options):
            file.write(f"# {line}\n")
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(["operation", "size", "library", "threads", "nanoseconds", "peer_over_ours", "allocated_bytes", "allocations", "held_bytes"])
        ours = {column.threads: column.label for column in columns if column.is_ours}
        for row in rows:
            for column in columns:
                figure = row.figures.get(column.label)
                reference = row.figures.get(column.against or ours[column.threads])
                if figure is not None:
                    ratio = "" if column.is_ours or reference is None else f"{figure / reference:.3f}"
                    writer.writerow([row.id, row.size, column.label, column.threads, f"{figure:.2f}", ratio, *row.memory.get(column.label, ("", "", ""))])
    return path


def conditions(columns, options) -> list[str]:
    statistic = "median" if options.median else "minimum"
    return [
        machine(),
        f"{programs.info(columns)}",
        f"{statistic} of at most {options.rounds} interleaved rounds of {options.milliseconds} ms, {options.clock} time; load at the end {os.getloadavg()[0]:.1f}",
        "sizes: elements (fields, groups), pairs (pairing), log2 (fft, msm, groth16); elements, scalars, openings, values (verkle)",
        f"our tables (verkle): {options.tables}",
    ]


def machine() -> str:
    """When and on what this runs: family and model tell apart CPUs that a virtual machine gives one name."""
    about = {}
    with open("/proc/cpuinfo") as lines:
        for line in lines:
            name, _, value = line.partition(":")
            about.setdefault(name.strip(), value.strip())  # of the first CPU
    cpu = about.get("model name", platform.machine())
    if "cpu family" in about:
        cpu += f" (family {about['cpu family']}, model {about['model']}, stepping {about['stepping']})"
    return f"{datetime.datetime.now(datetime.timezone.utc):%Y-%m-%d %H:%M} UTC; {cpu}, {os.cpu_count()} cores; Linux {platform.release()}"
