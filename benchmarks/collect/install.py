"""The collector alone beside all of Askance: packages, disk, memory of the process, time to start.

Both are installed from their own wheel, with what that asks for and nothing else. Each serves the
same form, takes a report, and is measured; starts are timed in turn, from the command to the
address.
"""

import argparse
import os
import signal
import subprocess
import sys
import tempfile
import time
from importlib.metadata import Distribution
from pathlib import Path
from statistics import median
from urllib.request import Request, urlopen

from post import example_form

from askance_collect.respond.encode import respond

sys.path.append(str(Path(__file__).parents[2] / "tools"))
from alone import WHEELS, asked_for, closure, environment


def size(distribution: Distribution) -> int:
    """Bytes of a package's files, without what Python compiles of them."""
    places = [Path(str(distribution.locate_file(file))) for file in distribution.files or ()]
    return sum(file.stat().st_size for file in places if file.exists() and file.suffix != ".pyc")


def own_size(python: Path) -> int:
    (site,) = python.parents[1].glob("lib/python*/site-packages")
    files = (file for file in site.glob("askance*/**/*") if file.suffix != ".pyc")
    return sum(file.stat().st_size for file in files if file.is_file())


def memory(pid: int) -> int:
    """Bytes of a process that no other shares (`Private_*`), and its part of those that do."""
    lines = Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines()
    return 1024 * next(int(line.split()[1]) for line in lines if line.startswith("Pss:"))


def started(python: Path, form: Path, store: Path) -> tuple[float, int]:
    """Start a collector, hand in a report, end it; give seconds to the address, and its memory."""
    words = [python.with_name("askance-collect"), "serve", form, "--store", store, "--port", "0"]
    begun = time.perf_counter()
    with subprocess.Popen(words, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        url = process.stdout.readline().split()[-1]
        took = time.perf_counter() - begun
        answers = {"age": 20} | {f"question_{i}": 1 for i in range(4)}
        body = respond(example_form(), answers).body(example_form().size)
        with urlopen(Request(f"{url}report", body)) as reply:
            assert reply.status == 201
        memory_used = memory(process.pid)
        process.send_signal(signal.SIGTERM)
        process.communicate()
    return took, memory_used


def run(passes: int, folder: Path) -> None:
    form = folder / "exam.form.json"
    form.write_bytes(example_form().bytes)
    pythons = {name: environment(name, folder / str(i)) for i, name in enumerate(WHEELS)}
    measurements = {name: [] for name in WHEELS}
    for turn in range(passes + 1):
        for name, python in pythons.items():
            measured = started(python, form, folder / f"{turn}.{len(name)}.db")
            if turn:  # the first compiles
                measurements[name].append(measured)
    print(f"{'':20}{'packages':>10}{'MB on disk':>12}{'MB of memory':>14}{'s to start':>12}")
    for name, python in pythons.items():
        others = closure(asked_for(name)).values()
        disk = (own_size(python) + sum(map(size, others))) / 1e6
        seconds, memory_used = (median(column) for column in zip(*measurements[name], strict=True))
        packages = len(others) + len(WHEELS[name])
        print(f"{name:20}{packages:10}{disk:12.1f}{memory_used / 1e6:14.1f}{seconds:12.2f}")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--passes", type=int, default=5)
    options = parser.parse_args()
    os.environ["PYTHONDONTWRITEBYTECODE"] = ""
    with tempfile.TemporaryDirectory() as scratch:
        run(options.passes, Path(scratch))
