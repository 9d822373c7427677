"""Durable reports a second, closed loop on loopback: group commit against commit per request.

The server is the real one in a process of its own; the rival differs in nothing but the writer.
Passes alternate, so that a busy neighbour hurts both. The load comes from the same machine.
"""

import argparse
import asyncio
import os
import secrets
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from statistics import median
from typing import Any
from urllib.parse import urlsplit

import uvloop

from askance_collect.collect import app
from askance_collect.collect.accept import Accepted, Outcome, Store
from askance_collect.collect.serve import serve
from askance_collect.collect.store import open_store
from askance_collect.respond.encode import respond
from askance_collect.wire.form import Form, body_size
from askance_collect.wire.question import read_question

sys.path.append(str(Path(__file__).parents[2] / "tools"))
from cluster import cluster


class CommitPerRequest:
    """The rival: every report has a flush of its own, in the event loop."""

    closed = False

    def __init__(self, store: Store) -> None:
        self.store = store

    @classmethod
    def start(cls, store: Store, **_: object) -> "CommitPerRequest":
        return cls(store)

    async def write(self, report: Accepted) -> Outcome:
        return self.store.append([report])[0]

    async def try_out(self) -> None:
        pass

    def stop(self) -> None:
        pass


class NoStore(CommitPerRequest):
    """What the rest of the server costs: every report is checked, answered and forgotten."""

    async def write(self, _: Accepted) -> Outcome:
        return Outcome.NEW


def example_form() -> Form:
    """Five questions, such as a short survey has."""
    labels = [{"name": name, "label": {"en": name}} for name in ("yes", "no")]
    reports = [label | {"means": [i]} for i, label in enumerate(labels)]
    questions = [
        {
            "kind": "table",
            "name": f"question_{i}",
            "text": {"en": "?"},
            "answers": labels,
            "reports": reports,
            "table": {"total": 4, "rows": [[3, 1], [1, 3]]},
            "blank": [0, 1],
            "about": {},
        }
        for i in range(4)
    ]
    questions.append(
        {
            "kind": "cuts",
            "name": "age",
            "text": {"en": "?"},
            "line": {"lower": "17", "step": "1", "ticks": 53, "unit": {"en": "years"}},
            "cuts": {"number": 1, "weights": [1] * 52, "floor": None, "open": []},
            "ask": "cells",
            "typed": False,
            "blank": [0, 1],
            "about": {},
        }
    )
    wording = {part: {"en": part} for part in ("title", "consent", "contact")}
    size = body_size(tuple(read_question(document, ("en",), "") for document in questions))
    fixed = {"askance": "form-1", "languages": ["en"], "collector": "", "about": {}}
    return Form.read(fixed | wording | {"size": size, "questions": questions})


class Respondent(asyncio.Protocol):
    """One connection that posts a fresh report as soon as the last one is acknowledged."""

    def __init__(self, form: Form, delays: list[float], refused: list[bytes]) -> None:
        body = respond(form, {"age": 20} | {f"question_{i}": 1 for i in range(4)}).body(form.size)
        self.start, self.end = body.split(b'"id":"')[0] + b'"id":"', body.split(b'"id":"')[1][32:]
        head = f"POST /report HTTP/1.1\r\nHost: bench\r\nContent-Length: {form.size}\r\n\r\n"
        self.head, self.delays, self.refused = head.encode(), delays, refused

    def connection_made(self, transport: Any) -> None:
        self.line = transport
        self.post()

    def post(self) -> None:
        self.reply = b""
        self.sent_at = time.perf_counter()
        self.line.write(self.head + self.start + secrets.token_hex(16).encode() + self.end)

    def data_received(self, data: bytes) -> None:
        self.reply += data
        if not self.reply.endswith(b"}"):
            return
        if not self.reply.startswith(b"HTTP/1.1 201"):
            self.refused.append(self.reply)
        self.delays.append(time.perf_counter() - self.sent_at)
        self.post()


async def load(
    url: str, pid: int, form: Form, connections: int, seconds: float
) -> tuple[list[float], float]:
    """Give the delay of each acknowledged report and the server's processor time."""
    delays: list[float] = []
    refused: list[bytes] = []
    loop, address = asyncio.get_running_loop(), urlsplit(url)
    lines = [
        await loop.create_connection(
            lambda: Respondent(form, delays, refused), address.hostname, address.port
        )
        for _ in range(connections)
    ]
    await asyncio.sleep(0.5)
    delays.clear()
    before = cpu_seconds(pid)
    await asyncio.sleep(seconds)
    measured, cpu = list(delays), cpu_seconds(pid) - before
    for transport, _ in lines:
        transport.abort()
    if refused or not measured:
        raise RuntimeError(f"{len(refused)} of {len(measured)} refused")
    return measured, cpu


@contextmanager
def server(writer: str, store: str) -> Iterator[tuple[str, int]]:
    command = [sys.executable, __file__, "--serve", writer, "--place", store]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        try:
            yield process.stdout.readline().strip(), process.pid
        finally:
            process.terminate()


def cpu_seconds(pid: int) -> float:
    """Give the processor time of a process, which neighbours disturb less than its speed."""
    ticks = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[11:13]
    return sum(map(int, ticks)) / os.sysconf("SC_CLK_TCK")


def measure(store: str, passes: int, connections: int, seconds: float) -> dict[str, list[float]]:
    """Give for each writer the reports a second of each pass; print them with the delays."""
    rates: dict[str, list[float]] = {"group": [], "each": []}
    for _ in range(passes):
        for writer, measured in rates.items():
            with server(writer, store) as (url, pid):
                work = load(url, pid, example_form(), connections, seconds)
                delays, cpu = asyncio.Runner(loop_factory=uvloop.new_event_loop).run(work)
            measured.append(len(delays) / seconds)
            p50, p99 = (1000 * sorted(delays)[int(len(delays) * q)] for q in (0.5, 0.99))
            print(
                f"  {writer:5} {measured[-1]:8,.0f}/s   p50 {p50:6.1f} ms   p99 {p99:6.1f} ms"
                f"   server {1e6 * cpu / len(delays):4.0f} µs each"
            )
    return rates


def report(name: str, store: str, arguments: argparse.Namespace) -> None:
    print(f"{name}, {arguments.connections} connections")
    rates = measure(store, arguments.passes, arguments.connections, arguments.seconds)
    group, single = median(rates["group"]), median(rates["each"])
    print(f"  group commit / commit per request = {group / single:.1f}")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--passes", type=int, default=3)
    parser.add_argument("--seconds", type=float, default=2)
    parser.add_argument("--connections", type=int, default=64)
    parser.add_argument("--serve", choices=["group", "each", "none"], help=argparse.SUPPRESS)
    parser.add_argument("--place", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.serve:
        if options.serve != "group":
            rival = {"each": CommitPerRequest, "none": NoStore}[options.serve]
            app.Writer = rival  # type: ignore[assignment,misc]
        form = example_form()
        store = open_store(options.place, form)
        store.check()  # so that the first reports of a large store need not wait for it
        collector = app.create_app(form, b"", {}, "", store)
        serve(lambda: (collector, store.check), partial(print, flush=True))
        store.close()
    else:
        with tempfile.TemporaryDirectory() as folder:
            report("SQLite", str(Path(folder, "survey.db")), options)
        with cluster() as url:
            report("PostgreSQL", url, options)
