"""Several surveys in one process beside one alone: processor time of a report, and memory.

The same server, with one collector at its address or some at paths of their own. Passes alternate;
all connections send to one survey, or to all of them in turn.
"""

import argparse
import asyncio
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from itertools import cycle
from pathlib import Path
from statistics import median
from typing import Any
from urllib.parse import urlsplit

import uvloop
from post import Respondent, cpu_seconds, example_form

from askance_collect.collect import create_app, mount, open_store, serve
from askance_collect.wire.form import Form


def collector(store_path: str, form: Form) -> Any:
    store = open_store(store_path, form)
    return create_app(form, b"", {}, "", store), store.check


def served(surveys: int, folder: str) -> None:
    form = example_form()
    places = [str(Path(folder, f"{surveys}-{i}.db")) for i in range(max(surveys, 1))]
    if surveys:
        makes = {f"s{i}": partial(collector, path, form) for i, path in enumerate(places)}
        serve(partial(mount, makes), partial(print, flush=True))
    else:
        serve(partial(collector, places[0], form), partial(print, flush=True))


@contextmanager
def server(surveys: int, folder: str) -> Iterator[tuple[str, int]]:
    command = [sys.executable, __file__, "--serve", str(surveys), "--folder", folder]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        try:
            yield process.stdout.readline().strip(), process.pid
        finally:
            process.terminate()


class Visitor(Respondent):
    """One connection that posts to one of several surveys."""

    def __init__(self, form: Form, delays: list[float], refused: list[bytes], path: str) -> None:
        super().__init__(form, delays, refused)
        self.head = self.head.replace(b"POST /report", f"POST {path}report".encode())


async def load(url: str, pid: int, paths: list[str], seconds: float) -> tuple[int, float]:
    """Give the number of acknowledged reports and the server's processor time."""
    form, delays, refused = example_form(), list[float](), list[bytes]()
    loop, address, path = asyncio.get_running_loop(), urlsplit(url), cycle(paths)
    lines = [
        await loop.create_connection(
            lambda: Visitor(form, delays, refused, next(path)), address.hostname, address.port
        )
        for _ in range(64)
    ]
    await asyncio.sleep(0.5)
    delays.clear()
    before = cpu_seconds(pid)
    await asyncio.sleep(seconds)
    many, cpu = len(delays), cpu_seconds(pid) - before
    for transport, _ in lines:
        transport.abort()
    if refused or not many:
        raise RuntimeError(f"{len(refused)} of {many} refused")
    return many, cpu


def resident(pid: int) -> float:
    pages = Path(f"/proc/{pid}/statm").read_text().split()[1]
    return int(pages) * os.sysconf("SC_PAGE_SIZE") / 1e6


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--passes", type=int, default=3)
    parser.add_argument("--seconds", type=float, default=2)
    parser.add_argument("--serve", type=int, help=argparse.SUPPRESS)
    parser.add_argument("--folder", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.serve is not None:
        served(options.serve, options.folder)
        sys.exit()
    rivals = {
        "one alone": (0, ["/"]),
        "one of 1": (1, ["/s0/"]),
        "one of 16": (16, ["/s0/"]),
        "all of 16": (16, [f"/s{i}/" for i in range(16)]),
    }
    costs: dict[str, list[float]] = {name: [] for name in rivals}
    sizes: dict[str, list[float]] = {name: [] for name in rivals}
    with tempfile.TemporaryDirectory() as folder:
        for _ in range(options.passes):
            for name, (surveys, paths) in rivals.items():
                with server(surveys, folder) as (url, pid):
                    sizes[name].append(resident(pid))
                    runner = asyncio.Runner(loop_factory=uvloop.new_event_loop)
                    many, cpu = runner.run(load(url, pid, paths, options.seconds))
                costs[name].append(1e6 * cpu / many)
    first = next(iter(rivals))
    for name in rivals:
        cost, size = median(costs[name]), median(sizes[name])
        print(
            f"  {name:10} {cost:4.0f} µs of processor time a report"
            f" = {cost / median(costs[first]):.2f}   {size:4.0f} MB at the start"
        )
