"""After the end nothing is left of the reports, and a document says so that names nobody."""

import json
import random
import signal
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from datetime import date, datetime
from pathlib import Path
from urllib.error import HTTPError
from urllib.request import urlopen

import pytest

from askance_collect.collect import (
    Accepted,
    Deletion,
    Environment,
    Outcome,
    create_app,
    delete_reports,
    export_receipts,
    open_store,
    serving,
)
from askance_collect.errors import DocumentError, InputError
from askance_collect.wire import Form, to_base64url


def _reports(number: int) -> list[Accepted]:
    dice = random.Random(21)
    return [
        Accepted(
            dice.randbytes(16),
            f'{{"age":[0,{dice.randrange(1, 53)}],"any_affair":{dice.randrange(3)},'
            f'"children":{dice.randrange(3)},"years":{dice.randrange(80)}}}',
        )
        for _ in range(number)
    ]


REPORTS = _reports(3000)


def _store(where: str, form: Form, *, closed: bool = False) -> None:
    store = open_store(where, form)
    for index in range(0, len(REPORTS), 60):
        store.append(REPORTS[index : index + 60])
    if closed:
        store.close_survey()
    store.close()


def _bytes_of(folder: Path) -> bytes:
    return b"".join(path.read_bytes() for path in folder.iterdir() if path.is_file())


@pytest.mark.parametrize("closed", [False, True])
def test_nothing_is_left_but_an_empty_store_that_is_closed(
    closed: bool, place: Callable[[], str], affairs_form: Form, tmp_path: Path
) -> None:
    _store(where := place(), affairs_form, closed=closed)
    store = open_store(where, read_only=True)
    root = export_receipts(store, tmp_path / "receipts.txt")
    store.close()
    (tmp_path / "receipts.txt").unlink()
    done = delete_reports(where, tmp_path / "proof.json")
    in_file = where.endswith(".db")
    assert done == Deletion(
        day=date.today().isoformat(),
        form=affairs_form.fingerprint,
        reports=3000,
        tokens=0,
        receipts=root,
        searched=1000 if in_file else 0,
    )
    document = json.loads((tmp_path / "proof.json").read_text())
    assert document == {"askance": "deletion-1", **done.to_dict()}
    store = open_store(where, affairs_form)
    store.check()
    assert (store.count(), store.closed, list(store.reports())) == (0, True, [])
    assert store.append(REPORTS[:1]) == [Outcome.CLOSED]
    store.close()
    left_bytes = _bytes_of(tmp_path)
    for item in REPORTS:
        assert item.id not in left_bytes
        assert item.id.hex().encode() not in left_bytes
        assert item.answers.encode() not in left_bytes
    assert b'"any_affair":' not in left_bytes.replace(affairs_form.bytes, b"")
    assert list(tmp_path.glob("*.part")) == []


def test_the_search_would_find_what_is_left(affairs_form: Form, tmp_path: Path) -> None:
    """A twin that deletes as databases do leaves bytes behind, in the file and in its log."""
    where = tmp_path / "survey.db"
    _store(str(where), affairs_form)
    connection = sqlite3.connect(where)
    connection.execute("PRAGMA secure_delete = OFF")
    connection.execute("DELETE FROM reports")
    connection.commit()
    connection.close()
    left_bytes = _bytes_of(tmp_path)
    assert sum(item.id in left_bytes for item in REPORTS) > 2000


def test_zeros_are_written_over_the_log_before_it_goes(affairs_form: Form, tmp_path: Path) -> None:
    """The log's own blocks, held open from before, hold nothing when it is gone."""
    where = tmp_path / "survey.db"
    store = open_store(where, affairs_form)
    store.append(REPORTS[:200])
    log = (tmp_path / "survey.db-wal").open("rb")
    assert REPORTS[0].id in log.read()
    store.delete_all()
    assert not (tmp_path / "survey.db-wal").exists()
    log.seek(0)
    assert log.read().strip(b"\0") == b""
    log.close()
    store.close()


def test_what_somebody_reads_is_not_deleted_yet(affairs_form: Form, tmp_path: Path) -> None:
    where = tmp_path / "survey.db"
    _store(str(where), affairs_form)
    reader = open_store(where, read_only=True)
    reading = reader.reports()
    next(reading)
    with pytest.raises(DocumentError, match="nobody else who uses it"):
        delete_reports(where, tmp_path / "proof.json")
    assert not (tmp_path / "proof.json").exists()
    reading.close()  # type: ignore[attr-defined]
    reader.close()
    done = delete_reports(where, tmp_path / "proof.json")
    assert (done.reports, (tmp_path / "proof.json").exists()) == (3000, True)
    left_bytes = _bytes_of(tmp_path)
    assert not any(item.id in left_bytes for item in REPORTS)


def test_who_is_killed_between_deletes_again_and_says_what_there_was(
    affairs_form: Form, tmp_path: Path
) -> None:
    where = tmp_path / "survey.db"
    _store(str(where), affairs_form)
    code = (
        "import os; from askance_collect.collect import delete_reports, sqlite\n"
        "sqlite.SqliteStore._rewrite = lambda store: os.kill(os.getpid(), 9)\n"
        f"delete_reports({str(where)!r}, {str(tmp_path / 'proof.json')!r})"
    )
    ran = subprocess.run([sys.executable, "-c", code], check=False)
    assert ran.returncode == -signal.SIGKILL
    assert not (tmp_path / "proof.json").exists()
    assert delete_reports(where, tmp_path / "proof.json").reports == 3000
    left_bytes = _bytes_of(tmp_path)
    assert not any(item.id in left_bytes for item in REPORTS)


def test_what_cannot_be_written_down_is_not_deleted(affairs_form: Form, tmp_path: Path) -> None:
    where = tmp_path / "survey.db"
    _store(str(where), affairs_form)
    with pytest.raises(DocumentError, match="No such file"):
        delete_reports(where, tmp_path / "nowhere" / "proof.json")
    (tmp_path / "proof.json").write_text("one of another year")
    with pytest.raises(DocumentError, match="a new file"):
        delete_reports(where, tmp_path / "proof.json")
    store = open_store(where)
    assert (store.count(), store.closed) == (3000, False)
    store.close()


def test_a_damaged_store_is_deleted_all_the_same(affairs_form: Form, tmp_path: Path) -> None:
    where = tmp_path / "survey.db"
    _store(str(where), affairs_form)
    where.write_bytes(where.read_bytes().replace(b'"any_affair":1', b'"any_affair":2'))
    done = delete_reports(where, tmp_path / "proof.json")
    assert (done.reports, done.receipts, done.searched) == (3000, "", 0)
    left_bytes = _bytes_of(tmp_path)
    assert not any(item.id in left_bytes for item in REPORTS)


def test_tokens_go_too(affairs_form: Form, tmp_path: Path) -> None:
    numbers = {"north": (1 << 2047) + 1}
    listed = [
        {"name": name, "n": to_base64url(n.to_bytes(256, "big"))} for name, n in numbers.items()
    ]
    tokens = {"issuer": "https://issuer.example/", "keys": listed}
    form = Form.read(dict(affairs_form.document) | {"askance": "form-2", "tokens": tokens})
    store = open_store(tmp_path / "survey.db", form)
    spent = [(random.Random(index).randbytes(32), 0) for index in range(40)]
    store.append(REPORTS[:50])
    store.add_spent_tokens(spent)
    store.close()
    done = delete_reports(tmp_path / "survey.db", tmp_path / "proof.json")
    assert (done.reports, done.tokens) == (50, 40)
    left_bytes = _bytes_of(tmp_path)
    assert not any(token in left_bytes for token, _ in spent)
    store = open_store(tmp_path / "survey.db", form)
    store.check()
    assert dict(store.spent_tokens()) == {}
    store.close()


def _posted(url: str, body: bytes) -> str:
    """Post a report, and give the code with which it is refused."""
    try:
        with urlopen(url, body, timeout=30):
            return ""
    except HTTPError as refusal:
        with refusal:
            return str(json.load(refusal)["error"]["code"])


def test_who_sends_again_long_after_the_last_day_is_told_the_same_as_before(
    place: Callable[[], str], affairs_form: Form, make_body: Callable[[], bytes]
) -> None:
    store, day = open_store(place(), affairs_form), date(2027, 3, 31)
    end = datetime(2027, 4, 1).timestamp()
    now = end - 86400
    machine = Environment(wall_clock=lambda: now)
    app = create_app(
        affairs_form, b"<!doctype html>", {}, "ab" * 32, store, last_day=day, environment=machine
    )
    kept_body, other = make_body(), make_body()
    twin = json.loads(kept_body)
    twin["answers"]["any_affair"] = 1 if twin["answers"]["any_affair"] != 1 else 0  # may be blank
    spelt = json.dumps(twin, separators=(",", ":"), sort_keys=True)
    body = spelt.encode().ljust(affairs_form.size)
    with serving(app) as address:
        with urlopen(f"{address}report", kept_body, timeout=30) as reply:
            assert reply.status == 201
            read_result = reply.read()
        for days in (1, 2, 1000):
            now = end + days * 86400
            with urlopen(f"{address}report", kept_body, timeout=30) as reply:
                assert (reply.status, reply.read()) == (200, read_result)
            assert _posted(f"{address}report", body) == "conflict"  # as on any day before
            assert _posted(f"{address}report", other) == "closed"
    assert (store.count(), store.closed) == (1, False)
    store.withdraw(bytes.fromhex(twin["id"]))
    with serving(app) as address:
        assert {_posted(f"{address}report", item) for item in (kept_body, body, other)} == {
            "closed"
        }
    store.close()


def test_after_the_last_day_nothing_is_taken_and_who_is_at_it_has_an_hour(
    affairs_form: Form, make_body: Callable[[], bytes], tmp_path: Path
) -> None:
    store, day = open_store(tmp_path / "survey.db", affairs_form), date(2027, 3, 31)
    now = end = datetime(2027, 4, 1).timestamp()
    machine = Environment(wall_clock=lambda: now)
    app = create_app(
        affairs_form, b"<!doctype html>", {}, "ab" * 32, store, last_day=day, environment=machine
    )
    result = []
    with serving(app) as address:
        for moment in (end - 1, end, end + 3599, end + 3600, end + 1e9, end - 86400):
            now = moment
            with urlopen(f"{address}report", timeout=30) as reply:
                is_open = json.load(reply)["open"]
            result.append((is_open, _posted(f"{address}report", make_body())))
    assert [is_open for is_open, _ in result] == [True, False, False, False, False, True]
    assert [code for _, code in result] == ["", "", "", "closed", "closed", ""]
    assert (store.count(), store.closed) == (4, False)
    store.close()
    with pytest.raises(InputError, match="a day of some calendar"):
        create_app(affairs_form, b"", {}, "", store, last_day=date.max)
