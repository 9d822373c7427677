"""Ten thousand connections held open on loopback: does an honest one get in, and at what cost?

The server is the real one in a process of its own. Strangers connect, send the beginning of a head
and stop; then one sends a head without an end. Told as ratios to the same server left alone.
"""

import argparse
import http.client
import resource
import secrets
import socket
import tempfile
import time
from contextlib import ExitStack, suppress
from pathlib import Path
from statistics import median
from urllib.parse import urlsplit

from post import example_form, server

from askance_collect.respond.encode import respond
from askance_collect.wire.form import Form

ANSWERS = {"age": 20} | {f"question_{i}": 1 for i in range(4)}


def honest(url: str, form: Form) -> float:
    """Post a fresh report over a connection of its own and give the milliseconds it took."""
    body = respond(form, ANSWERS).body(form.size)
    began = time.perf_counter()
    line = http.client.HTTPConnection(urlsplit(url).netloc, timeout=20)
    line.request("POST", "/report", body)
    status = line.getresponse().status
    line.close()
    if status != 201:
        raise RuntimeError(f"refused: {status}")
    return 1000 * (time.perf_counter() - began)


def memory(pid: int) -> float:
    """Give the memory of a process in MB."""
    pages = int(Path(f"/proc/{pid}/statm").read_text().split()[1])
    return pages * resource.getpagesize() / 1e6


def hold_connections(url: str, pid: int, form: Form, many: int) -> None:
    address = urlsplit(url)
    alone = [honest(url, form) for _ in range(200)]
    before, most, among = memory(pid), 0.0, []
    with ExitStack() as lines:
        for connection in range(many):
            line = socket.create_connection((address.hostname or "", address.port or 0), timeout=20)
            lines.enter_context(line)
            line.sendall(b"GET / HTTP/1.1\r\nX: " + secrets.token_hex(connection % 2000).encode())
            if connection % (many // 200) == 0:
                among.append(honest(url, form))
                most = max(most, memory(pid))
    print(f"  {many:,} held: {len(among)} honest reports among them, {len(among)} taken in")
    print(f"  median delay among them / alone = {median(among) / median(alone):.2f}")
    print(f"  memory {before:.0f} MB, at most {most:.0f} MB")


def endless(url: str, pid: int, size: int) -> None:
    address, before, count = urlsplit(url), memory(pid), 0
    with socket.create_connection((address.hostname or "", address.port or 0), timeout=20) as line:
        line.sendall(b"GET / HTTP/1.1\r\nCookie: ")
        with suppress(OSError):
            while count < size:
                count += line.send(b"x" * 100_000)
    print(f"  a head of {size / 1e6:.0f} MB: cut off after {count / 1e6:.1f} MB;", end=" ")
    print(f"memory grew by {memory(pid) - before:.1f} MB")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--held", type=int, default=10_000)
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
    held_count = min(parser.parse_args().held, most - 200)
    with (
        tempfile.TemporaryDirectory() as folder,
        server("group", str(Path(folder, "survey.db"))) as (url, pid),
    ):
        hold_connections(url, pid, example_form(), held_count)
        endless(url, pid, 130_000_000)
