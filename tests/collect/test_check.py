"""A page is served while its store is checked, and no report is acknowledged before."""

import http.client
import itertools
import os
import shutil
import sqlite3
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import closing, contextmanager
from importlib import import_module
from pathlib import Path
from queue import SimpleQueue
from typing import Any
from urllib.parse import urlsplit

import pytest

from askance_collect.collect import Accepted, create_app, open_store, serve, sqlite
from askance_collect.errors import DocumentError
from askance_collect.wire import Form

serve_module = import_module("askance_collect.collect.serve")

ANSWERS = '{"age":[0,12],"any_affair":1,"children":null,"years":7}'
ALTERED = 50_000
MANY = 60_000
Make = Callable[[], bytes]


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory, affairs_form: Form) -> Path:
    """A store of 60,000 reports."""
    path = tmp_path_factory.mktemp("model") / "survey.db"
    store = open_store(path, affairs_form)
    for _ in range(3):
        store.append([Accepted(os.urandom(16), ANSWERS) for _ in range(MANY // 3)])
    store.close()
    return path


@pytest.fixture
def path(tmp_path: Path, model: Path) -> Path:
    """A copy of it."""
    return Path(shutil.copy(model, tmp_path / "survey.db"))


@pytest.fixture
def going(monkeypatch: pytest.MonkeyPatch) -> Iterator[threading.Event]:
    """Let the check of a large store take as long as the test wants, from now on or later."""
    go, check = threading.Event(), sqlite._check

    def slow(connection: sqlite3.Connection, once: Any) -> None:
        assert go.wait(120)
        check(connection, once)

    monkeypatch.setattr(sqlite, "_check", slow)
    monkeypatch.setattr(serve_module, "_START", 0.01)
    yield go
    go.set()


@contextmanager
def _served(
    path: Path, form: Form, monkeypatch: pytest.MonkeyPatch
) -> Iterator[tuple[str, "Future[None]", ThreadPoolExecutor]]:
    """Serve as the command does; give the address, the end, and somebody to wait with."""
    store, queue, made__server = open_store(path, form), SimpleQueue[str](), serve_module._server
    servers: list[Any] = []

    def kept(app: Any) -> Any:
        servers.append(made__server(app))
        return servers[-1]

    monkeypatch.setattr(serve_module, "_server", kept)
    app = create_app(form, b"<!doctype html>", {}, "ab" * 32, store)
    with closing(store), ThreadPoolExecutor() as pool:
        end = pool.submit(serve, lambda: (app, store.check), queue.put)
        try:
            yield queue.get(timeout=120), end, pool
        finally:
            servers[0].should_exit = True
            end.exception(timeout=120)


def _post(url: str, method: str, text: str, body: bytes | None = None) -> int:
    line = http.client.HTTPConnection(urlsplit(url).netloc, timeout=120)
    with closing(line):
        line.request(method, text, body)
        return line.getresponse().status


def _sent_in_time(url: str, body: bytes) -> int | None:
    """Send a report; None if the collector has ended before."""
    try:
        return _post(url, "POST", "/report", body)
    except ConnectionError:
        return None


def _altered(path: Path) -> None:
    """Turn 50,000 answers into others, as a program would that knows SQLite and not the sums."""
    with closing(sqlite3.connect(path)) as connection:
        done = connection.execute(
            f"""UPDATE reports SET answers = replace(answers, '"any_affair":1', '"any_affair":0')
            WHERE id IN (SELECT id FROM reports LIMIT {ALTERED})"""
        )
        assert done.rowcount == ALTERED
        connection.commit()
        assert connection.execute("PRAGMA integrity_check").fetchone() == ("ok",)


def _flipped(path: Path) -> None:
    """Damage one page in the middle of the file."""
    with path.open("r+b") as file:
        file.seek(path.stat().st_size // 8192 * 4096)
        file.write(bytes(4096))


def _rows(path: Path) -> int:
    with closing(sqlite3.connect(path)) as connection:
        return int(connection.execute("SELECT count(*) FROM reports").fetchone()[0])


@pytest.mark.long
def test_while_the_store_is_checked_the_page_is_served_and_reports_wait(
    path: Path,
    affairs_form: Form,
    make_body: Make,
    going: threading.Event,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    with _served(path, affairs_form, monkeypatch) as (url, end, pool):
        assert _post(url, "GET", "/") == 200
        submit_results = [pool.submit(_post, url, "POST", "/report", make_body()) for _ in range(3)]
        with pytest.raises(TimeoutError):
            submit_results[0].result(timeout=0.3)
        assert not end.done()
        going.set()
        assert [submit_result.result(timeout=120) for submit_result in submit_results] == [
            201,
            201,
            201,
        ]
    assert _rows(path) == MANY + 3


@pytest.mark.parametrize("damage", [_altered, _flipped])
@pytest.mark.long
def test_a_damaged_store_acknowledges_nothing_and_ends_the_collector(
    damage: Callable[[Path], None],
    path: Path,
    affairs_form: Form,
    make_body: Make,
    going: threading.Event,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    damage(path)
    before = path.read_bytes()
    with _served(path, affairs_form, monkeypatch) as (url, end, pool):
        assert _post(url, "GET", "/") == 200
        submit_results = [pool.submit(_sent_in_time, url, make_body()) for _ in range(3)]
        going.set()
        result_results = {submit_result.result(timeout=120) for submit_result in submit_results}
        assert 503 in result_results
        assert result_results <= {503, None}
        with pytest.raises(DocumentError, match="askance-collect repair STORE NEW"):
            end.result(timeout=120)
    assert path.read_bytes() == before


@pytest.mark.long
@pytest.mark.parametrize("damage", [_altered, _flipped])
def test_a_collector_that_checks_later_takes_reports_into_damage(
    damage: Callable[[Path], None],
    path: Path,
    affairs_form: Form,
    make_body: Make,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The twin of the test before: without the check they are acknowledged."""
    monkeypatch.setattr(sqlite, "_check", lambda connection, once: None)
    damage(path)
    with _served(path, affairs_form, monkeypatch) as (url, _, _):
        result = {_post(url, "POST", "/report", make_body()) for _ in range(3)}
    assert 201 in result


@pytest.mark.long
def test_a_small_damaged_store_is_never_served(
    path: Path, affairs_form: Form, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(serve_module, "_START", 300.0)
    _altered(path)
    with closing(open_store(path, affairs_form)) as store:
        replies: list[str] = []
        app = create_app(affairs_form, b"<!doctype html>", {}, "ab" * 32, store)
        with pytest.raises(DocumentError, match="60000 reports that are not all as they were kept"):
            serve(lambda: (app, store.check), replies.append)
    assert replies == []


@pytest.fixture
def small(tmp_path: Path, affairs_form: Form) -> Path:
    """A store of 20 reports."""
    store = open_store(tmp_path / "small.db", affairs_form)
    store.append([Accepted(os.urandom(16), ANSWERS) for _ in range(20)])
    store.close()
    return tmp_path / "small.db"


def _replace(path: Path, old: str, new: str) -> None:
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("UPDATE reports SET answers = replace(answers, ?, ?)", (old, new))
        connection.commit()


def test_damage_that_was_found_is_not_looked_for_again(small: Path) -> None:
    """It stays found, even if somebody takes it back meanwhile; a store opened anew is whole."""
    with closing(open_store(small)) as store:
        for old, new in [("12", "13"), ("13", "12")]:
            _replace(small, old, new)
            with pytest.raises(DocumentError, match="not all as they were kept"):
                store.check()
    with closing(open_store(small)) as store:
        store.check()


def test_what_is_whole_is_looked_at_once(small: Path) -> None:
    with closing(open_store(small)) as store:
        store.check()
        _replace(small, "12", "13")
        store.check()


def test_what_may_pass_is_looked_at_again(small: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    fates, check = iter([OSError(5, "no"), None]), sqlite._check

    def failing(connection: sqlite3.Connection, once: Any) -> None:
        if (fate := next(fates)) is not None:
            raise fate
        check(connection, once)

    monkeypatch.setattr(sqlite, "_check", failing)
    with closing(open_store(small)) as store:
        with pytest.raises(OSError, match="no"):
            store.check()
        store.check()
        store.check()  # and no third time
    assert next(fates, "none is left") == "none is left"


def test_a_check_is_broken_off_by_closing(small: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    begun = threading.Event()

    def endless(_: sqlite3.Connection, once: Any) -> None:
        begun.set()
        for _ in once.watched(itertools.count()):
            pass

    monkeypatch.setattr(sqlite, "_check", endless)
    store = open_store(small)
    with ThreadPoolExecutor() as pool:
        check = pool.submit(store.check)
        assert begun.wait(20)
        store.close()
        with pytest.raises(InterruptedError):
            check.result(timeout=120)
