"""A real process: what was acknowledged outlives it, however it ends."""

import http.client
import json
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest

from askance_collect.collect import open_store, serve
from askance_collect.errors import InputError
from askance_collect.wire import Form, Report

SERVER = Path(__file__).with_name("server.py")
Make = Callable[[], Report]


@pytest.fixture(params=["sqlite", pytest.param("postgres", marks=pytest.mark.postgres)])
def store_path(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    if request.param == "sqlite":
        return str(tmp_path / "survey.db")
    return str(request.getfixturevalue("postgres_url"))


@contextmanager
def _served(form: Form, position: str, folder: Path) -> Iterator[tuple[subprocess.Popen[str], str]]:
    (folder / "form.json").write_bytes(form.bytes)
    with subprocess.Popen(
        [sys.executable, "-W", "error", SERVER, folder / "form.json", position],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as process:
        assert process.stdout is not None
        try:
            yield process, process.stdout.readline().strip()
        finally:
            process.kill()


def _post_until_gone(url: str, form: Form, make: Make, acknowledged: set[str]) -> None:
    line = http.client.HTTPConnection(urlsplit(url).netloc, timeout=60)
    try:
        while True:
            report = make()
            line.request("POST", "/report", report.body(form.size))
            reply = line.getresponse()
            body = json.loads(reply.read())
            if reply.status == 503:
                continue
            assert reply.status == 201
            acknowledged.add(body["id"])
    except (OSError, http.client.HTTPException):
        line.close()


@pytest.mark.parametrize("end", [signal.SIGKILL, signal.SIGTERM, signal.SIGINT])
@pytest.mark.long
def test_nothing_acknowledged_is_lost(
    end: signal.Signals, store_path: str, affairs_form: Form, make_report: Make, tmp_path: Path
) -> None:
    acknowledged: set[str] = set()
    for _ in range(3 if end is signal.SIGKILL else 1):
        before = len(acknowledged)
        with _served(affairs_form, store_path, tmp_path) as (process, url):
            posting = [
                threading.Thread(
                    target=_post_until_gone, args=(url, affairs_form, make_report, acknowledged)
                )
                for _ in range(8)
            ]
            for thread in posting:
                thread.start()
            deadline = time.monotonic() + 120
            while len(acknowledged) < before + 200 and time.monotonic() < deadline:
                time.sleep(0.05)
            process.send_signal(end)
            for thread in posting:
                thread.join()
            replies, complained = process.communicate(timeout=120)
        assert len(acknowledged) >= before + 200
        assert complained == ""
        if end is not signal.SIGKILL:
            assert (process.returncode, replies) == (0, "stopped\n")
    store = open_store(store_path, affairs_form)
    ids = {Report(affairs_form.fingerprint, id, {}).id for id in _ids(store)}
    assert acknowledged <= ids
    assert len(ids) <= len(acknowledged) + 8 * 3
    store.close()


def _ids(store: object) -> list[str]:
    connection = getattr(store, "connection", None) or store._connection  # type: ignore[attr-defined]
    table = "reports" if hasattr(store, "connection") else "askance.reports"
    return [id.hex() for (id,) in connection.execute(f"SELECT id FROM {table}").fetchall()]


def test_a_taken_port_is_an_error_that_says_so() -> None:
    items = list[str]()

    def make() -> Any:
        items.append("an app")
        raise AssertionError("the address was taken, or is none")

    with socket.socket() as socket_result:
        socket_result.bind(("127.0.0.1", 0))
        socket_result.listen()
        port = socket_result.getsockname()[1]
        with pytest.raises(InputError, match="port 0 takes any free one"):
            serve(make, print, "127.0.0.1", port)
    for host, port in [("no such host", 0), ("127.0.0.1", 70_000)]:
        with pytest.raises(InputError, match="an address of this machine"):
            serve(make, print, host, port, behind_proxy=True)
    assert items == []


@pytest.mark.long
def test_the_database_of_a_running_server_holds_neither_address_nor_time(
    affairs_form: Form, make_report: Make, tmp_path: Path
) -> None:
    """Every byte of every file: no loopback address, agent, date or content of another header."""
    path = tmp_path / "survey.db"
    year = time.strftime("%Y")
    with _served(affairs_form, str(path), tmp_path) as (process, url):
        line = http.client.HTTPConnection(urlsplit(url).netloc, timeout=60)
        for _ in range(20):
            headers = {"user-agent": "Telltale/1.0", "x-forwarded-for": "203.0.113.9"}
            line.request("POST", "/report?from=me", make_report().body(affairs_form.size), headers)
            assert line.getresponse().read()
        text = b"".join(file.read_bytes() for file in tmp_path.glob("survey.db*"))
        process.send_signal(signal.SIGTERM)
        assert process.communicate(timeout=120) == ("stopped\n", "")
        line.close()
    assert b"any_affair" in text
    for trace in (b"Telltale", b"203.0.113", b"127.0.0.1", b"from=me", year.encode() + b"-"):
        assert trace not in text
