"""The collector under load, as shares of the same server without a store in the same run.

Closed loop at 1 to 1,000 connections; open loop at 500, 1,000 and 2,000 reports a second, where a
delay counts from the moment at which the report was due; stores that hold reports already. Servers
and generator are on one machine, over loopback; passes alternate. The delays of the open loop are
told beside the server's without a store at half that rate.
"""

import argparse
import asyncio
import os
import random
import secrets
import tempfile
import time
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from itertools import product
from pathlib import Path
from statistics import median
from typing import Any
from urllib.parse import urlsplit

import uvloop
from post import Respondent, example_form, load, server

from askance_collect.collect.store import open_store
from askance_collect.wire.form import Form

RUN = asyncio.Runner(loop_factory=uvloop.new_event_loop)


class Sender(Respondent):
    """One connection of many that share what is due, one report at a time."""

    def __init__(self, form: Form, delays: list[float], refused: list[bytes], crowd: Any) -> None:
        super().__init__(form, delays, refused)
        self.crowd = crowd

    def post(self) -> None:
        if self.crowd.due:
            self.send(self.crowd.due.popleft())
        else:
            self.crowd.free.append(self)

    def send(self, due: float) -> None:
        self.reply = b""
        self.sent_at = due
        self.line.write(self.head + self.start + secrets.token_hex(16).encode() + self.end)


class Crowd:
    """Reports fall due by chance, whether or not those before were answered."""

    def __init__(self) -> None:
        self.due: deque[float] = deque()
        self.free: deque[Sender] = deque()

    def call(self, due: float) -> None:
        if self.free:
            self.free.popleft().send(due)
        else:
            self.due.append(due)


async def open_loop(url: str, form: Form, rate: float, seconds: float) -> list[float]:
    delays: list[float] = []
    refused: list[bytes] = []
    crowd, address = Crowd(), urlsplit(url)
    loop, chance = asyncio.get_running_loop(), random.Random(1)
    lines = [
        await loop.create_connection(
            lambda: Sender(form, delays, refused, crowd), address.hostname, address.port
        )
        for _ in range(64)
    ]
    due = time.perf_counter() + 0.2
    end = due + seconds
    while due < end:
        await asyncio.sleep(max(0.0, due - time.perf_counter()))
        while due <= time.perf_counter() and due < end:
            crowd.call(due)
            due += chance.expovariate(rate)
    deadline = time.perf_counter() + 5
    while (crowd.due or len(crowd.free) < len(lines)) and time.perf_counter() < deadline:
        await asyncio.sleep(0.01)
    waiting = len(lines) - len(crowd.free) + len(crowd.due)
    for transport, _ in lines:
        transport.abort()
    if refused or waiting:
        raise RuntimeError(f"{len(refused)} refused, {waiting} unanswered")
    return delays


def fill(
    store_path: str, form: Form, rows: int, make: Callable[[int], Sequence[str]] | None = None
) -> None:
    """Put reports into a store by its own door, in large batches.

    They come in a few rounds, each in the order of the ids, so that the pages are as full as those
    of reports that came by chance, and no page is fetched for a single report.
    """
    from askance_collect.collect.accept import Accepted

    store = open_store(store_path, form)
    rounds, batch = 4, 20_000
    slices = max(1, rows // rounds // batch)
    many = rows // rounds // slices
    for part in (*range(slices),) * rounds:
        values, tails = (make or answers)(many), os.urandom(8 * many)
        heads = ((part << 64 | random.getrandbits(64)) // slices for _ in range(many))
        store.append(
            [
                Accepted(head.to_bytes(8, "big") + tails[8 * body : 8 * body + 8], values[body])
                for body, head in enumerate(heads)
            ]
        )
    store.close()


def answers(many: int) -> Sequence[str]:
    return random.choices(_spellings(), k=many)


@cache
def _spellings() -> Sequence[str]:
    """Spell every report that the example form allows."""
    cells = [cell for tick in range(1, 53) for cell in (f"[0,{tick}]", f"[{tick},53]")]
    rests = product("01", repeat=4)
    answers = [
        ",".join(f'"question_{i}":{value}' for i, value in enumerate(rest)) for rest in rests
    ]
    return [f'{{"age":{cell},{rest}}}' for cell in cells for rest in answers]


def closed(rivals: Mapping[str, tuple[str, str]], connections: int, options: Any) -> None:
    """Print rates and processor times of passes in turn, as shares of the first rival's."""
    rates: dict[str, list[float]] = {name: [] for name in rivals}
    costs: dict[str, list[float]] = {name: [] for name in rivals}
    for _ in range(options.passes):
        for name, (writer, store) in rivals.items():
            with server(writer, store) as (url, pid):
                delays, cpu = RUN.run(load(url, pid, example_form(), connections, options.seconds))
            rates[name].append(len(delays) / options.seconds)
            costs[name].append(1e6 * cpu / len(delays))
    first = next(iter(rivals))
    for name in rivals:
        rate, cost = median(rates[name]), median(costs[name])
        shares = rate / median(rates[first]), median(costs[first]) / cost
        print(
            f"  {connections:5} connections, {name:18} {rate:7,.0f}/s = {shares[0]:.2f}"
            f"   {cost:4.0f} µs of processor time each = {shares[1]:.2f}",
            flush=True,
        )


def rated(store: str, rate: float, options: argparse.Namespace) -> None:
    rates: dict[str, list[float]] = {"group": [], "none": []}
    for _ in range(options.passes):
        for writer, many in rates.items():
            with server(writer, store) as (url, _):
                share = rate if writer == "group" else rate / 2
                delays = sorted(RUN.run(open_loop(url, example_form(), share, options.seconds)))
            many.append(1000 * delays[int(len(delays) * 0.99)])
    joint, bare = median(rates["group"]), median(rates["none"])
    print(
        f"  {rate:5,.0f} a second: p99 {joint:.1f} ms, without a store at half of it {bare:.1f} ms"
        f" = {joint / bare:.1f} times"
    )


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--passes", type=int, default=3)
    parser.add_argument("--seconds", type=float, default=2)
    parser.add_argument("--connections", type=int, nargs="*", default=[1, 64, 1000])
    parser.add_argument("--rates", type=float, nargs="*", default=[500, 1000, 2000])
    parser.add_argument("--rows", type=int, nargs="*", default=[1_000_000, 10_000_000])
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        store = str(Path(folder, "survey.db"))
        for connections in options.connections:
            closed(
                {"without a store": ("none", store), "a store": ("group", store)},
                connections,
                options,
            )
        for rate in options.rates:
            rated(store, rate, options)
        stores = {"an empty store": ("group", str(Path(folder, "empty.db")))}
        for rows in options.rows:
            full = str(Path(folder, f"{rows}.db"))
            fill(full, example_form(), rows)
            stores[f"{rows:,} reports"] = ("group", full)
        if options.rows:
            closed(stores, 64, options)
    RUN.close()
