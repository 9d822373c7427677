"""The kit's proxy: nginx takes its file, and half-open connections keep nobody out."""

import http.client
import re
import socket
import ssl
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, ExitStack, closing
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from askance_collect.collect import create_app, open_store, serving, write_kit
from askance_collect.wire import Form

HALF_OPEN = 1_000


@pytest.fixture
def settled(
    tmp_path: Path, affairs_form: Form, certificate: tuple[Path, Path], free_port: int
) -> Iterator[tuple[str, int]]:
    """Give the kit's file with a certificate, this test's port and a collector behind it."""
    write_kit(affairs_form, tmp_path / "kit", "exam", "exam.example.org", container=True)
    text = (tmp_path / "kit" / "nginx.conf").read_text("utf-8")
    text = re.sub(r"(ssl_certificate(_key)?) \S+;", _certified(certificate), text)
    text = text.replace("listen 80;", f"listen 127.0.0.2:{free_port};")
    text = text.replace("listen 443 ssl;", f"listen 127.0.0.1:{free_port} ssl;")
    store = open_store(tmp_path / "survey.db", affairs_form)
    with serving(create_app(affairs_form, b"<!doctype html>", {}, "ab" * 32, store)) as url:
        yield text.replace("127.0.0.1:8102", urlsplit(url).netloc), free_port
    store.close()


def _certified(files: tuple[Path, Path]) -> Callable[[re.Match[str]], str]:
    return lambda result: f"{result[1]} {files[1 if result[2] else 0]};"


def _post(port: int, body: bytes, trusting: ssl.SSLContext) -> int:
    """Send a report through the proxy; 0 if nobody answers in time."""
    line = http.client.HTTPSConnection("127.0.0.1", port, timeout=5, context=trusting)
    try:
        line.request("POST", "/report", body)
        return line.getresponse().status
    except OSError:
        return 0
    finally:
        line.close()


def _first_post(port: int, body: bytes, trusting: ssl.SSLContext) -> int:
    """Send a report as soon as the proxy listens."""
    end = time.monotonic() + 20
    while not (status := _post(port, body, trusting)) and time.monotonic() < end:
        time.sleep(0.05)
    return status


def _hold(port: int, stack: ExitStack, trusting: ssl.SSLContext) -> int:
    """Greet from many addresses and begin to ask; give how many were let in."""
    for index in range(HALF_OPEN):
        line = socket.create_connection(("127.0.0.1", port), 20, (f"127.0.1.{index % 250 + 1}", 0))
        stack.enter_context(closing(line))
        try:
            greeted = trusting.wrap_socket(line)
        except OSError:
            return index
        stack.enter_context(closing(greeted))
        greeted.sendall(b"POST /report HTTP/1.1\r\nHost: ")
    return HALF_OPEN


@pytest.mark.parametrize(("room", "served"), [(None, True), (512, False)], ids=["", "too little"])
@pytest.mark.long
def test_half_open_connections_keep_nobody_out(
    room: int | None,
    served: bool,
    settled: tuple[str, int],
    make_body: Callable[[], bytes],
    nginx: Callable[[str], AbstractContextManager[Path]],
    trusting: ssl.SSLContext,
) -> None:
    text, port = settled
    if room is not None:
        text = re.sub(r"worker_connections \d+", f"worker_connections {room}", text)
        text = text.replace("worker_processes auto", "worker_processes 1")
    with nginx(text), ExitStack() as stack:
        assert _first_post(port, make_body(), trusting) == 201
        assert (_hold(port, stack, trusting) == HALF_OPEN) == served
        assert (_post(port, make_body(), trusting) == 201) == served
