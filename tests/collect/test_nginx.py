"""The documented proxy: nginx takes its file, and half-open connections keep nobody out."""

import http.client
import re
import shutil
import socket
import ssl
import subprocess
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing, contextmanager
from functools import cache
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from askance.collect import create_app, open_store, serving
from askance.wire import Form

NGINX = shutil.which("nginx") or "/usr/sbin/nginx"
HALF_OPEN = 1_000
PAGE = Path(__file__).parents[2] / "docs" / "how-to" / "run-a-collector.md"


@pytest.fixture
def settled(tmp_path: Path, affairs_form: Form) -> Iterator[tuple[str, Path, int]]:
    """Give the documented file with a certificate, this test's ports and a collector behind it."""
    subject = ["-subj", "/CN=localhost", "-keyout", "survey.key", "-out", "survey.crt"]
    made = [
        "openssl",
        "req",
        "-x509",
        "-newkey",
        "ec",
        "-pkeyopt",
        "ec_paramgen_curve:P-256",
        "-nodes",
        "-days",
        "2",
        *subject,
    ]
    subprocess.run(made, cwd=tmp_path, check=True, capture_output=True)
    with closing(socket.create_server(("127.0.0.1", 0))) as free:
        port = free.getsockname()[1]
    store = open_store(tmp_path / "survey.db", affairs_form)
    with serving(create_app(affairs_form, b"<!doctype html>", {}, "ab" * 32, store)) as url:
        documented = PAGE.read_text(encoding="utf-8").split("```nginx\n")[1].split("```")[0]
        text = documented.replace("443 ssl", f"127.0.0.1:{port} ssl").replace(
            "127.0.0.1:8102", urlsplit(url).netloc
        )
        assert text.count(str(port)) == text.count(urlsplit(url).netloc) == 1
        yield text, tmp_path, port
    store.close()


@contextmanager
def _proxy(text: str, folder: Path) -> Iterator[None]:
    """Run nginx with this file, after it has said that the file is sound."""
    kept = "".join(
        f"{kind}_temp_path {folder / kind};\n"
        for kind in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
    )
    file = folder / "nginx.conf"
    file.write_text(text.replace("http {\n", "http {\n" + kept, 1), encoding="utf-8")
    run = [NGINX, "-p", str(folder), "-c", str(file), "-e", str(folder / "errors")]
    run += ["-g", f"daemon off; pid {folder / 'pid'};"]
    tried = subprocess.run([*run, "-t"], capture_output=True, text=True, check=False)
    assert tried.returncode == 0, tried.stderr
    proxy = subprocess.Popen(run)
    try:
        yield
    finally:
        proxy.terminate()
        proxy.wait(20)


def _post(port: int, body: bytes, patience: float) -> int:
    """Send a report through the proxy; 0 if nobody answers in time."""
    line = http.client.HTTPSConnection("127.0.0.1", port, timeout=patience, context=_trusting())
    try:
        line.request("POST", "/report", body)
        return line.getresponse().status
    except OSError:
        return 0
    finally:
        line.close()


def _first_post(port: int, body: bytes) -> int:
    """Send a report as soon as the proxy listens."""
    end = time.monotonic() + 20
    while not (status := _post(port, body, 5)) and time.monotonic() < end:
        time.sleep(0.05)
    return status


def _hold(port: int, held: ExitStack) -> int:
    """Greet from many addresses and begin to ask; give how many were let in."""
    for at in range(HALF_OPEN):
        line = socket.create_connection(("127.0.0.1", port), 20, (f"127.0.1.{at % 250 + 1}", 0))
        held.enter_context(closing(line))
        try:
            greeted = _trusting().wrap_socket(line)
        except OSError:
            return at
        held.enter_context(closing(greeted))
        greeted.sendall(b"POST /report HTTP/1.1\r\nHost: ")
    return HALF_OPEN


@cache
def _trusting() -> ssl.SSLContext:
    trusting = ssl.create_default_context()
    trusting.check_hostname, trusting.verify_mode = False, ssl.CERT_NONE
    return trusting


@pytest.mark.parametrize(("room", "served"), [(None, True), (512, False)], ids=["", "too little"])
@pytest.mark.long
def test_half_open_connections_keep_nobody_out(
    room: int | None,
    served: bool,
    settled: tuple[str, Path, int],
    make_body: Callable[[], bytes],
) -> None:
    text, folder, port = settled
    if room is not None:
        text = re.sub(r"worker_connections \d+", f"worker_connections {room}", text)
    with _proxy(text, folder), ExitStack() as held:
        assert _first_post(port, make_body()) == 201
        assert (_hold(port, held) == HALF_OPEN) == served
        assert (_post(port, make_body(), 5) == 201) == served
