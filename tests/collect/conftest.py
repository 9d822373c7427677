"""Reports to collect, made as a respondent's device makes them, and what they go through."""

import http.server
import itertools
import os
import random
import re
import socket
import ssl
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, ExitStack, closing
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from askance_collect.respond import respond
from askance_collect.wire import Choice, CutsQuestion, Form, Number, Report, TableQuestion


@pytest.fixture(scope="session")
def make_report(affairs_form: Form) -> Callable[[], Report]:
    def make() -> Report:
        answers = {}
        for question in affairs_form.questions:
            match question:
                case TableQuestion() | Choice():
                    answers[question.name] = random.randrange(len(question.answers))
                case CutsQuestion() | Number():
                    answers[question.name] = random.randrange(question.line.ticks)
        return respond(affairs_form, answers)

    return make


@pytest.fixture
def make_body(affairs_form: Form, make_report: Callable[[], Report]) -> Callable[[], bytes]:
    return lambda: make_report().body(affairs_form.size)


@pytest.fixture(params=["sqlite", pytest.param("postgres", marks=pytest.mark.postgres)])
def place(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Callable[[], str]]:
    """Where a new and empty store can be made, as often as asked."""
    if request.param == "sqlite":
        numbers = itertools.count()
        yield lambda: str(tmp_path / f"survey{next(numbers)}.db")
        return
    import psycopg

    url = request.getfixturevalue("postgres_url")

    def emptied() -> str:
        with psycopg.connect(url, autocommit=True) as connection:
            connection.execute("DROP SCHEMA IF EXISTS askance CASCADE")
        return url

    yield emptied


@pytest.fixture
def certificate(tmp_path: Path) -> tuple[Path, Path]:
    """Make a certificate for this machine, and its key."""
    created = tmp_path / "survey.crt", tmp_path / "survey.key"
    words = ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256"]
    words += ["-nodes", "-days", "2", "-subj", "/CN=localhost", "-out", str(created[0])]
    words += ["-addext", "subjectAltName=DNS:localhost"]
    subprocess.run([*words, "-keyout", str(created[1])], check=True, capture_output=True)
    return created


@pytest.fixture(scope="session")
def trusting() -> ssl.SSLContext:
    """Trust every certificate."""
    context = ssl.create_default_context()
    context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
    return context


@pytest.fixture(scope="session")
def exposure() -> Callable[[Path], float]:
    """How exposed systemd finds a unit, of 10."""

    def rated(unit: Path) -> float:
        words = ["systemd-analyze", "security", "--offline=true", "--no-pager", str(unit)]
        done = subprocess.run(words, capture_output=True, text=True, check=False)
        match = re.search(r"Overall exposure level.*: ([0-9.]+)", done.stdout)
        assert match, done.stderr
        return float(match[1])

    return rated


@pytest.fixture(scope="session")
def verified() -> Callable[[Path], str]:
    """What systemd finds wrong with the units in a folder, as if their Python were this one."""

    def told(kit: Path) -> str:
        units = [*kit.glob("*.service"), *kit.glob("*.socket")]
        units[0].write_text(
            re.sub(r"/opt/askance/bin/python\b", sys.executable, units[0].read_text())
        )
        words = ["systemd-analyze", "verify", *map(str, units)]
        done = subprocess.run(words, capture_output=True, text=True, check=False)
        assert bool(done.stderr) is bool(done.returncode)
        return done.stderr

    return told


@pytest.fixture
def free_port() -> int:
    with closing(socket.create_server(("127.0.0.1", 0))) as free:
        port: int = free.getsockname()[1]
        return port


@pytest.fixture
def nginx(
    tmp_path: Path, run_nginx: Callable[[Path, str], AbstractContextManager[Path]]
) -> Callable[[str], AbstractContextManager[Path]]:
    """Run nginx with a file, after it has said that the file is sound; give where it may write."""
    return partial(run_nginx, tmp_path)


@pytest.fixture
def answering() -> Iterator[Callable[[Callable[[bytes], bytes]], str]]:
    """Answer every request by its method, path and body; give the address."""
    with ExitStack() as stack:

        def start(reply: Callable[[bytes], bytes]) -> str:
            class Server(http.server.BaseHTTPRequestHandler):
                def do_GET(self) -> None:
                    body = self.rfile.read(int(self.headers.get("content-length", 0)))
                    reply_result = reply(f"{self.command} {self.path} ".encode() + body)
                    self.send_response(200)
                    self.send_header("content-length", str(len(reply_result)))
                    self.end_headers()
                    self.wfile.write(reply_result)

                do_POST = do_GET

                def log_message(self, *_: object) -> None:
                    pass

            server = stack.enter_context(http.server.ThreadingHTTPServer(("127.0.0.1", 0), Server))
            threading.Thread(target=server.serve_forever, args=(0.05,), daemon=True).start()
            stack.callback(server.shutdown)
            return f"http://127.0.0.1:{server.server_address[1]}/"

        yield start


_HAND_OVER = """
import os, sys
os.dup2(int(sys.argv[1]), 3)
os.environ |= {"LISTEN_PID": str(os.getpid()), "LISTEN_FDS": "1"}
os.execv(sys.executable, [sys.executable, *sys.argv[2:]])
"""


@pytest.fixture(scope="session")
def hand_over() -> Callable[..., "subprocess.Popen[str]"]:
    """Start Python with a socket that is listened on already, as systemd does."""

    def started(listener: socket.socket, *words: str | Path, **more: str) -> Any:
        return subprocess.Popen(
            [sys.executable, "-c", _HAND_OVER, str(listener.fileno()), *words],
            pass_fds=[listener.fileno()],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            env=os.environ | more,
        )

    return started
