"""The operator's page: nothing without the key, no person with it, and two things to do."""

import base64
import hashlib
import http.client
import json
import random
import re
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import date
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest

from askance_collect.collect import (
    Accepted,
    BackupPlace,
    Environment,
    back_up,
    check_backup,
    create_app,
    create_backup_key,
    open_store,
    serving,
)
from askance_collect.wire import Form

KEY = "an-operator-key-that-nobody-can-guess"
ADDRESSES = ("/operator", "/operator.json")
Ask = Callable[..., tuple[int, Any, dict[str, str]]]


def _reports(number: int) -> list[Accepted]:
    dice = random.Random(22)
    text = '{"age":[0,7],"any_affair":1,"children":0,"years":3}'
    return [Accepted(dice.randbytes(16), text) for _ in range(number)]


def _backups(folder: Path, path: Path, keys: tuple[str, ...] = ()) -> BackupPlace:
    def make() -> None:
        store = open_store(folder / "survey.db", read_only=True)
        try:
            back_up(store, path, keys)
        finally:
            store.close()

    return BackupPlace(path, make, bool(keys))


@contextmanager
def asked(form: Form, folder: Path, key: str = KEY, **named: Any) -> Iterator[Ask]:
    store = open_store(folder / "survey.db", form)
    if not store.count():
        store.append(_reports(117))
    page = b"<!doctype html>"
    app = create_app(form, page, {}, "ab" * 32, store, operator_key=key, **named)
    with serving(app) as address:

        def ask(method: str, path: str, body: str = "", **headers: str) -> Any:
            line = http.client.HTTPConnection(urlsplit(address).netloc, timeout=30)
            line.request(method, path, body or None, headers)
            reply = line.getresponse()
            read_result, head = reply.read(), dict(reply.getheaders())
            line.close()
            return reply.status, read_result, head

        yield ask
    store.close()


def _state(ask: Ask, method: str = "GET", body: str = "") -> tuple[int, dict[str, Any]]:
    status, result, _ = ask(method, "/operator.json", body, authorization=f"Bearer {KEY}")
    return status, json.loads(result)


def test_without_the_key_there_is_nothing(affairs_form: Form, tmp_path: Path) -> None:
    with asked(affairs_form, tmp_path) as ask:
        for document in ({}, {"authorization": "Bearer "}, {"authorization": f"Bearer {KEY}x"}):
            for method in ("GET", "POST"):
                status, result, _ = ask(
                    method, "/operator.json", "close" if method == "POST" else "", **document
                )
                assert (status, json.loads(result)["error"]["code"]) == (404, "not-found")
        assert ask("GET", f"/operator.json?key={KEY}", cookie=f"key={KEY}")[0] == 404
        assert _state(ask)[1]["closed"] is False
    with asked(affairs_form, tmp_path, key="") as ask:
        for path in ADDRESSES:
            assert ask("GET", path, authorization="Bearer ")[0] == 404


def test_no_person_is_in_what_it_tells(affairs_form: Form, tmp_path: Path) -> None:
    with asked(affairs_form, tmp_path) as ask:
        for _ in range(12):
            ask("POST", "/report", "{}")
        status, result = _state(ask)
    assert status == 200
    assert result.pop("free") > 0
    assert result.pop("version")
    assert result == {
        "title": affairs_form.document["title"]["en"],
        "form": affairs_form.fingerprint,
        "page": "ab" * 32,
        "able": True,
        "closed": False,
        "open": True,
        "until": None,
        "reports": 110,
        "pages": 0,
        "kept": 0,
        "refused": {},
        "failures": {},
        "backup": None,
    }


def test_counts_are_told_late_and_in_tens(affairs_form: Form, tmp_path: Path) -> None:
    ahead = 0.0
    environment = Environment(monotonic=lambda: time.monotonic() + ahead)
    with asked(affairs_form, tmp_path, environment=environment) as ask:
        assert _state(ask)[1]["refused"] == {}
        for _ in range(19):
            ask("POST", "/report", "{}")
        ahead = 1000.0
        assert _state(ask)[1]["refused"] == {"size": 10}


def test_no_other_site_can_press_a_button(affairs_form: Form, tmp_path: Path) -> None:
    """A browser asks first whether a key may be sent along, and is told no."""
    with asked(affairs_form, tmp_path) as ask:
        came = {"origin": "https://evil.example", "access-control-request-method": "POST"}
        came["access-control-request-headers"] = "authorization"
        status, _, head = ask("OPTIONS", "/operator.json", **came)
        assert status == 405
        assert "access-control-allow-headers" not in head
        for path in ADDRESSES:
            _, _, head = ask("GET", path, authorization=f"Bearer {KEY}")
            assert not [name for name in head if name.startswith("access-control")]
            assert head["cache-control"] == "no-store, no-transform"


def test_the_page_is_the_same_for_all_and_lets_nothing_else_run(
    affairs_form: Form, tmp_path: Path
) -> None:
    with asked(affairs_form, tmp_path) as ask:
        status, page, head = ask("GET", "/operator")
    assert status == 200
    policy = head["content-security-policy"]
    for kind in ("script", "style"):
        (own,) = re.findall(rf"<{kind}>(.*?)</{kind}>".encode(), page, re.DOTALL)
        digest = base64.b64encode(hashlib.sha256(own).digest()).decode()
        assert f"{kind}-src 'sha256-{digest}'" in policy
    assert policy.startswith("default-src 'none'; ")
    assert "unsafe" not in policy
    assert not re.search(rb"https?://|localStorage|sessionStorage|document\.cookie|innerHTML", page)
    assert "set-cookie" not in {name.lower() for name in head}


def test_it_closes_the_survey(affairs_form: Form, tmp_path: Path) -> None:
    with asked(affairs_form, tmp_path) as ask:
        assert ask("POST", "/operator.json", "open", authorization=f"Bearer {KEY}")[0] == 400
        assert ask("POST", "/operator.json", "x" * 99, authorization=f"Bearer {KEY}")[0] == 400
        status, result = _state(ask, "POST", "close")
        assert (status, result["closed"], result["open"]) == (200, True, False)
        assert json.loads(ask("GET", "/report")[1])["open"] is False
    store = open_store(tmp_path / "survey.db", affairs_form)
    store.check()
    assert (store.closed, store.count()) == (True, 117)
    store.close()


@pytest.mark.parametrize("sealed", [False, True])
def test_it_makes_a_backup_while_it_serves(
    sealed: bool, affairs_form: Form, tmp_path: Path
) -> None:
    keys = (create_backup_key(tmp_path / "key"),) if sealed else ()
    backups_result = _backups(tmp_path, tmp_path / "copy", keys)
    with asked(affairs_form, tmp_path, backups=backups_result) as ask:
        assert _state(ask)[1]["backup"] == {"name": "copy", "encrypted": sealed, "day": None}
        status, result = _state(ask, "POST", "back up")
        today = date.today().isoformat()
        assert (status, result["backup"]["day"]) == (200, today)
    own = [tmp_path / "key"] if sealed else []
    assert check_backup(tmp_path / "copy", own).reports == 117


def test_what_cannot_be_backed_up_is_told(affairs_form: Form, tmp_path: Path) -> None:
    backups_result = _backups(tmp_path, tmp_path / "nowhere" / "copy")
    with asked(affairs_form, tmp_path, backups=backups_result) as ask:
        status, result = _state(ask, "POST", "back up")
        assert status == 409
        assert "No such file or directory" in result["error"]["message"]
    with asked(affairs_form, tmp_path) as ask:
        assert ask("POST", "/operator.json", "back up", authorization=f"Bearer {KEY}")[0] == 400
