"""A socket that the system listens on: nobody is turned away while one process follows another."""

import http.client
import json
import os
import shutil
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

from askance_collect.collect import open_store, serve
from askance_collect.errors import InputError
from askance_collect.wire import Form

serve_module = import_module("askance_collect.collect.serve")
SERVER = Path(__file__).with_name("server.py")
Make = Callable[[], bytes]
Start = Callable[..., Any]


@pytest.fixture(params=["unix", "loopback"])
def listener(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[socket.socket]:
    """What systemd does for a socket unit."""
    if request.param == "unix":
        listening = socket.socket(socket.AF_UNIX)
        listening.bind(str(tmp_path / "http.sock"))
        listening.listen(4096)
    else:
        listening = socket.create_server(("127.0.0.1", 0), backlog=4096)
    with listening:
        yield listening


@pytest.fixture
def collector(hand_over: Start, tmp_path: Path) -> Callable[[socket.socket], Any]:
    @contextmanager
    def running(listener: socket.socket) -> Iterator["subprocess.Popen[str]"]:
        words = ["-W", "error", SERVER, tmp_path / "form.json", tmp_path / "survey.db"]
        with hand_over(listener, *words) as process:
            try:
                yield process
            finally:
                process.kill()

    return running


def _connected(position: str | tuple[str, int]) -> socket.socket:
    line = socket.socket(socket.AF_UNIX if isinstance(position, str) else socket.AF_INET)
    line.settimeout(30)
    line.connect(position)
    return line


def _ask(line: socket.socket, body: bytes) -> http.client.HTTPResponse:
    head = f"POST /report HTTP/1.1\r\nHost: x\r\nContent-Length: {len(body)}\r\n\r\n"
    line.sendall(head.encode() + body)
    reply = http.client.HTTPResponse(line)
    reply.begin()
    return reply


def _post(position: str | tuple[str, int], body: bytes) -> str:
    """Send a report as a proxy does, on a connection of its own; give the receipt's number."""
    with closing(_connected(position)) as line:
        reply = _ask(line, body)
        document = json.loads(reply.read())
        assert reply.status == 201, document
        return str(document["id"])


def _end(process: "subprocess.Popen[str]") -> None:
    process.send_signal(signal.SIGTERM)
    replies, complained = process.communicate(timeout=60)
    assert (process.returncode, replies.splitlines()[-1:], complained) == (0, ["stopped"], "")


def _keep_posting(
    position: str | tuple[str, int],
    make: Make,
    over: threading.Event,
    acknowledged: set[str],
    failed: list[Exception],
) -> None:
    while not over.is_set():
        try:
            acknowledged.add(_post(position, make()))
        except Exception as error:
            failed.append(error)


@pytest.mark.long
def test_restarting_under_load_turns_nobody_away_and_loses_nothing(
    listener: socket.socket,
    affairs_form: Form,
    make_body: Make,
    collector: Start,
    tmp_path: Path,
) -> None:
    (tmp_path / "form.json").write_bytes(affairs_form.bytes)
    getsockname_result, over = listener.getsockname(), threading.Event()
    acknowledged, failed = set[str](), list[Exception]()
    work = (getsockname_result, make_body, over, acknowledged, failed)
    posting = [threading.Thread(target=_keep_posting, args=work) for _ in range(4)]
    for thread in posting:
        thread.start()
    for again in (1, 2, 3):
        before = len(acknowledged)
        with collector(listener) as process:
            end = time.monotonic() + 60
            while len(acknowledged) < before + 50 and time.monotonic() < end:
                time.sleep(0.01)
            if again == 3:
                over.set()
                [thread.join() for thread in posting]
            _end(process)
        assert len(acknowledged) >= before + 50
    assert failed == []
    store = open_store(tmp_path / "survey.db", affairs_form)
    assert {id for id, _ in store.reports()} == acknowledged
    store.close()


@pytest.mark.long
def test_a_connection_made_before_the_end_is_answered_and_an_unused_one_is_not_waited_for(
    affairs_form: Form, make_body: Make, collector: Start, tmp_path: Path
) -> None:
    (tmp_path / "form.json").write_bytes(affairs_form.bytes)
    body = make_body()
    with socket.create_server(("127.0.0.1", 0)) as listener:
        getsockname_result = listener.getsockname()
        with collector(listener) as process:
            _post(getsockname_result, make_body())
            half, fresh, unused = (_connected(getsockname_result) for _ in range(3))
            half.sendall(b"POST /report HTTP/1.1\r\nHost: x\r\n")
            time.sleep(0.2)  # all three are let in
            process.send_signal(signal.SIGTERM)
            time.sleep(0.3)  # it has begun to end
            assert (result := _ask(fresh, body)).status == 201
            assert result.getheader("connection") == "close"
            half.sendall(f"Content-Length: {len(body)}\r\n\r\n".encode() + body)
            reply = http.client.HTTPResponse(half)
            reply.begin()
            assert reply.status == 200  # the same bytes as before
            assert unused.recv(1) == b""
            assert process.wait(30) == 0
            for line in (half, fresh, unused):
                line.close()


@pytest.mark.long
def test_systemd_hands_its_socket_over_and_hears_when_reports_are_taken(
    affairs_form: Form, make_body: Make, tmp_path: Path
) -> None:
    tool = shutil.which("systemd-socket-activate")
    assert tool, "install systemd"
    (tmp_path / "form.json").write_bytes(affairs_form.bytes)
    text, received = str(tmp_path / "http.sock"), str(tmp_path / "notify.sock")
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as ear:
        ear.bind(received)
        ear.settimeout(30)
        arguments = [f"--setenv=NOTIFY_SOCKET={received}", "--setenv=WATCHDOG_USEC=200000"]
        words = [sys.executable, SERVER, tmp_path / "form.json", tmp_path / "survey.db"]
        process = subprocess.Popen(
            [tool, "-l", text, *arguments, *words],
            stderr=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
        )
        try:
            end = time.monotonic() + 30
            while not Path(text).exists() and time.monotonic() < end:
                time.sleep(0.01)
            assert _post(text, make_body())
            assert [ear.recv(99), ear.recv(99)] == [b"READY=1", b"WATCHDOG=1"]
            process.send_signal(signal.SIGTERM)
            replies = process.communicate(timeout=30)[0].decode()
            assert replies == f"unix:{text}\nstopped\n"
            while (last := ear.recv(99)) == b"WATCHDOG=1":
                pass
            assert last == b"STOPPING=1"
        finally:
            process.kill()


@pytest.mark.parametrize(
    ("count", "complaint"), [("2", "one socket"), ("1", "a socket that listens")]
)
def test_anything_else_handed_over_is_refused(
    count: str, complaint: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("LISTEN_PID", str(os.getpid()))
    monkeypatch.setenv("LISTEN_FDS", count)
    with (tmp_path / "file").open("w") as file:
        monkeypatch.setattr(serve_module, "_HANDED_OVER", file.fileno())
        with pytest.raises(InputError, match=complaint):
            serve(lambda: pytest.fail("nothing is made"), print)
    assert "LISTEN_FDS" not in os.environ  # and it is not handed on


def test_what_was_handed_to_another_process_is_left_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LISTEN_PID", "1")
    monkeypatch.setenv("LISTEN_FDS", "1")
    with pytest.raises(InputError, match="a free port"):
        serve(lambda: pytest.fail("nothing is made"), print, "127.0.0.1", 70_000)


def test_a_socket_open_to_others_wants_a_proxy(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LISTEN_PID", str(os.getpid()))
    monkeypatch.setenv("LISTEN_FDS", "1")
    server = socket.create_server(("0.0.0.0", 0))
    monkeypatch.setattr(serve_module, "_HANDED_OVER", server.detach())
    with pytest.raises(InputError, match="behind-proxy"):
        serve(lambda: pytest.fail("nothing is made"), print)
