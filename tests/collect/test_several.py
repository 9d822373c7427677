"""Several surveys in one process: each keeps to its path, its store and its troubles."""

import http.client
import json
import logging
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from errno import ENOSPC
from pathlib import Path
from types import SimpleNamespace
from typing import Any
from urllib.parse import urlsplit

import pytest
from prometheus_client.openmetrics.parser import text_string_to_metric_families

import askance as ak
from askance_collect.collect import (
    Outcome,
    Store,
    create_app,
    mount,
    open_store,
    page_origins,
    serving,
)
from askance_collect.errors import DocumentError, InputError
from askance_collect.respond import respond
from askance_collect.wire import Form

SURVEY = """
askance = "survey-1"
title = "{title}"
consent = "Say it or leave."
[[question]]
name = "cheated"
text = "Have you ever cheated in an exam?"
answers = ["yes", "no"]
"""
NAMES = ("north", "south")
OPENMETRICS = "application/openmetrics-text"


@pytest.fixture(scope="module")
def forms() -> dict[str, Form]:
    created = {name: SURVEY.format(title=name).encode() for name in NAMES}
    return {name: ak.publish(ak.parse_survey(text)) for name, text in created.items()}


def body(form: Form) -> bytes:
    return respond(form, {"cheated": 0}).body(form.size)


class Line:
    """A client on one connection each time."""

    def __init__(self, address: str) -> None:
        self.place = urlsplit(address).netloc

    def say(self, method: str, path: str, reports: bytes | None = None, **headers: str) -> Any:
        line = http.client.HTTPConnection(self.place, timeout=30)
        line.request(method, path, reports, headers)
        reply = line.getresponse()
        read_result, head = reply.read(), dict(reply.getheaders())
        line.close()
        return reply.status, read_result, head

    def post(self, path: str, reports: bytes, **headers: str) -> tuple[int, str]:
        status, result, _ = self.say("POST", path, reports, **headers)
        return status, json.loads(result).get("error", {}).get("code", "")


def collector(
    form: Form, store: Store, origins: frozenset[str] | None = None
) -> Callable[[], tuple[Any, Callable[[], None]]]:
    page = b"<!doctype html>" + form.fingerprint.encode()
    return lambda: (create_app(form, page, {}, "ab" * 32, store, origins), store.check)


@contextmanager
def asked(forms: dict[str, Form], folder: Path) -> Iterator[Line]:
    stores = {name: open_store(folder / f"{name}.db", form) for name, form in forms.items()}
    app, check = mount({name: collector(forms[name], value) for name, value in stores.items()})
    check()
    with serving(app) as address:
        yield Line(address)
    for store in stores.values():
        store.close()


def test_each_has_its_page_its_form_and_its_store(forms: dict[str, Form], tmp_path: Path) -> None:
    with asked(forms, tmp_path) as line:
        for index, (name, form) in enumerate(forms.items(), start=1):
            assert line.say("GET", f"/{name}/")[1].endswith(form.fingerprint.encode())
            assert line.say("GET", f"/{name}/form.json")[1] == form.bytes
            for _ in range(index):
                assert line.post(f"/{name}/report", body(form)) == (201, "")
            document = json.loads(line.say("GET", f"/{name}/report")[1])
            assert document == {"form": form.fingerprint, "open": True}
    for index, name in enumerate(NAMES, start=1):
        store = open_store(tmp_path / f"{name}.db", read_only=True)
        assert store.count() == index
        store.close()


def test_a_wrong_path_is_refused_and_nothing_is_kept(
    forms: dict[str, Form], tmp_path: Path
) -> None:
    with asked(forms, tmp_path) as line:
        body_result = body(forms["north"])
        for path in ("/", "/report", "/form.json", "/east/", "/east/report", "/north/north/report"):
            assert line.say("GET", path)[0] == 404
            assert line.post(path, body_result)[0] in (404, 405)
        assert line.post("/north", body_result) == (404, "not-found")
        assert line.post("//north/report", body_result) == (404, "not-found")
        assert line.post("/north/../north/report", body_result) == (404, "not-found")
        assert line.post("/south/report", body_result) == (409, "wrong-form")
        status, _, head = line.say("GET", "/north")
        assert (status, head["location"]) == (308, "north/")
    for name in NAMES:
        store = open_store(tmp_path / f"{name}.db", read_only=True)
        assert store.count() == 0
        store.close()


def test_each_has_its_own_origins(forms: dict[str, Form], tmp_path: Path) -> None:
    stores = {name: open_store(tmp_path / f"{name}.db", forms[name]) for name in NAMES}
    theirs = {name: page_origins([f"https://{name}.example.org"]) for name in NAMES}
    app, _ = mount({n: collector(forms[n], stores[n], theirs[n]) for n in NAMES})
    with serving(app) as address:
        line = Line(address)
        for name in NAMES:
            for origin in NAMES:
                came = {"Origin": f"https://{origin}.example.org"}
                response = line.post(f"/{name}/report", body(forms[name]), **came)
                assert response == ((201, "") if name == origin else (403, "origin"))
    for store in stores.values():
        store.close()


KEY = "k" * 32


def _told(line: Line, path: str) -> tuple[int, dict[str, Any]]:
    status, result, head = line.say("GET", path)
    assert head["cache-control"] == "no-store, no-transform"
    return status, json.loads(result)


def test_all_are_healthy_only_if_each_is(forms: dict[str, Form], tmp_path: Path) -> None:
    stores = {name: open_store(tmp_path / f"{name}.db", form) for name, form in forms.items()}

    def wrong() -> None:
        raise DocumentError("north.db", got="Page 7", allowed="a store as it was written")

    app, _ = mount({name: collector(forms[name], item) for name, item in stores.items()})
    with serving(app) as address:
        assert _told(Line(address), "/health") == (200, {"healthy": True})
        assert Line(address).say("GET", "/metrics")[0] == 404
    broken: Any = SimpleNamespace(closed=False, check_writable=wrong, check=wrong)
    makers = {name: collector(forms[name], item) for name, item in stores.items()}
    app, _ = mount(makers | {"east": collector(forms["north"], broken)}, operator_key=KEY)
    with serving(app) as address:
        line = Line(address)
        assert _told(line, "/health") == (503, {"healthy": False, "unhealthy": ["east"]})
        assert line.say("HEAD", "/health")[:2] == (503, b"")
        assert line.say("POST", "/health", b"")[0] == 404
        assert _told(line, "/north/health") == (200, {"healthy": True})
        for wrong_key in ({}, {"Authorization": "Bearer x"}):
            assert line.say("GET", "/metrics", **wrong_key)[0] == 404
        status, text, head = line.say("GET", "/metrics", Authorization=f"Bearer {KEY}")
        assert (status, head["content-type"].partition(";")[0]) == (200, OPENMETRICS)
        families = {item.name: item for item in text_string_to_metric_families(text.decode())}
        able = {
            sample.labels["survey"]: sample.value
            for sample in families["askance_store_able"].samples
        }
        assert able == {"north": 1, "south": 1, "east": 0}
        ones = [sample for sample in families["askance_reports"].samples if sample.value == 0]
        assert {tuple(item.labels) for item in ones} == {("survey", "outcome")}
        assert len(ones) == 2 * 3
    app, check = mount(
        {
            "north": lambda: (collector(forms["north"], stores["north"])()[0], wrong),
            "health": collector(forms["south"], stores["south"]),
        },
        operator_key=KEY,
    )
    check()
    with serving(app) as address:
        line = Line(address)
        assert _told(line, "/health") == (503, {"healthy": False, "unhealthy": ["north"]})
        assert line.say("GET", "/health/form.json")[1] == forms["south"].bytes
        text = line.say("GET", "/metrics", Authorization=f"Bearer {KEY}")[1]
        assert b'askance_store_able{survey="north"} 0\n' in text
        assert b'askance_pages_total{survey="health"} 0\n' in text
        assert b'askance_pages_total{survey="north"}' not in text
    for store in stores.values():
        store.close()
    with pytest.raises(InputError, match="32 or more"):
        mount({"north": makers["north"]}, operator_key="guess")


def test_one_that_cannot_be_opened_stops_no_other(
    forms: dict[str, Form], tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    (tmp_path / "north.db").write_bytes(b"no store at all " * 999)
    store = open_store(tmp_path / "south.db", forms["south"])

    def damaged() -> Any:
        return collector(forms["north"], open_store(tmp_path / "north.db", forms["north"]))()

    with caplog.at_level(logging.ERROR):
        app, check = mount({"north": damaged, "south": collector(forms["south"], store)})
    assert "north is not asked any more: " in caplog.text
    assert "a store of reports" in caplog.text
    check()
    with serving(app) as address:
        line = Line(address)
        assert line.post("/north/report", body(forms["north"])) == (503, "disk-error")
        assert line.say("GET", "/north/")[0] == 503
        assert line.post("/south/report", body(forms["south"])) == (201, "")
    store.close()
    with pytest.raises(DocumentError, match="a store of reports"):
        mount({"north": damaged})


def test_one_that_turns_out_to_be_damaged_stops_no_other(
    forms: dict[str, Form], tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    stores = {name: open_store(tmp_path / f"{name}.db", forms[name]) for name in NAMES}
    error = DocumentError("north.db", got="Page 7: something", allowed="a store as it was written")

    def complain() -> None:
        raise error

    app, check = mount(
        {
            "north": lambda: (collector(forms["north"], stores["north"])()[0], complain),
            "south": collector(forms["south"], stores["south"]),
        }
    )
    with serving(app) as address:
        line = Line(address)
        assert line.post("/north/report", body(forms["north"])) == (201, "")
        check()
        assert "north is not asked any more: north.db: got 'Page 7" in caplog.text
        assert line.post("/north/report", body(forms["north"])) == (503, "disk-error")
        assert line.post("/south/report", body(forms["south"])) == (201, "")
    for store in stores.values():
        store.close()
    _, alone = mount({"north": lambda: (app, complain)})
    with pytest.raises(DocumentError, match="Page 7"):
        alone()


class Full:
    """A store on a full disk."""

    closed = False

    def append(self, batch: Any) -> list[Outcome]:
        raise OSError(ENOSPC, "no space left on device")

    def counts(self, names: Any) -> dict[str, Any]:
        return {}

    def check(self) -> None:
        pass


def test_a_full_disk_under_one_does_not_stop_another(
    forms: dict[str, Form], tmp_path: Path
) -> None:
    store, full = open_store(tmp_path / "south.db", forms["south"]), Full()
    full_one: Any = full
    app, _ = mount(
        {"north": collector(forms["north"], full_one), "south": collector(forms["south"], store)}
    )
    with serving(app) as address:
        line = Line(address)
        for _ in range(3):
            assert line.post("/north/report", body(forms["north"])) == (503, "disk-full")
            assert line.post("/south/report", body(forms["south"])) == (201, "")
    assert store.count() == 3
    store.close()


def test_one_whose_app_does_not_start_stops_no_other(
    forms: dict[str, Form], tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    async def broken(scope: Any, receive: Any, send: Any) -> None:
        raise RuntimeError("a secret")

    store = open_store(tmp_path / "south.db", forms["south"])
    app, _ = mount(
        {"north": lambda: (broken, lambda: None), "south": collector(forms["south"], store)}
    )
    with serving(app) as address:
        line = Line(address)
        assert line.post("/north/report", body(forms["north"])) == (503, "disk-error")
        assert line.post("/south/report", body(forms["south"])) == (201, "")
    assert "north is not asked any more: RuntimeError at" in caplog.text
    assert "secret" not in caplog.text
    store.close()


@pytest.mark.parametrize("name", ["", "Exam", "a b", "../x", "ä", "x" * 41, "-x"])
def test_a_name_that_cannot_stand_in_an_address_is_refused(name: str) -> None:
    with pytest.raises(InputError, match="a name of small letters"):
        mount({name: lambda: (None, None)})  # type: ignore[arg-type, return-value]


def _end(server: subprocess.Popen[str]) -> str:
    server.send_signal(signal.SIGTERM)
    result, _ = server.communicate(timeout=60)
    assert server.returncode == 0
    return result


@pytest.mark.long
def test_a_folder_of_surveys_is_asked_by_the_names_of_its_files(tmp_path: Path) -> None:
    (tmp_path / "asked").mkdir()
    for name in NAMES:
        text = SURVEY.format(title=name)
        (tmp_path / "asked" / f"{name}.toml").write_text(text, encoding="utf-8")
    (tmp_path / "north.db").write_bytes(b"no store at all")
    words = [sys.executable, "-m", "askance", "serve", "asked", "--port=0"]
    words.append("--page-origin=south=https://www.example.org")
    server = subprocess.Popen(
        words, cwd=tmp_path, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
    )
    try:
        assert server.stdout is not None
        lines = [server.stdout.readline() for _ in range(8)]
        assert "north is not asked any more: north.db: got " in "".join(lines)
        address = next(item.split()[-1] for item in lines if item.startswith("asking at"))
        line, path = Line(address), urlsplit(address).path
        assert path == "/north/"
        form = Form.read(line.say("GET", "/south/form.json")[1])
        came = {"Origin": "https://www.example.org"}
        assert line.post("/south/report", body(form), **came) == (201, "")
        assert line.post("/north/report", body(form))[0] == 503
    finally:
        _end(server)
    store = open_store(tmp_path / "south.db", read_only=True)
    assert (store.count(), store.form()) == (1, form.bytes)
    store.close()
