"""A store that is damaged takes no further report, and nobody estimates from it unawares."""

import json
import os
import random
import shutil
import sqlite3
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from askance.engines import count_reports
from askance_collect.collect import Accepted, Outcome, Repair, Store, open_store, repair, sqlite
from askance_collect.errors import AskanceError, DocumentError
from askance_collect.wire import Form

PAGE = 4096


def _reports(number: int) -> list[Accepted]:
    return [
        Accepted(
            random.randbytes(16),
            f'{{"age":[0,{random.randrange(1, 53)}],"any_affair":{random.randrange(3)},'
            f'"children":{random.randrange(3)},"years":{random.randrange(80)}}}',
        )
        for _ in range(number)
    ]


@contextmanager
def _other_program(path: Path) -> Iterator[sqlite3.Connection]:
    connection = sqlite3.connect(path, isolation_level=None)
    try:
        yield connection
    finally:
        connection.close()


@pytest.fixture
def store(tmp_path: Path, affairs_form: Form) -> Path:
    """A store of 3,000 reports that came in many batches; no process uses it."""
    path = tmp_path / "survey.db"
    kept_store, came = open_store(path, affairs_form), _reports(3000)
    for index in range(0, 3000, 60):
        kept_store.append(came[index : index + 60])
    kept_store.close()
    return path


def _zeros(page: bytes, _: bytes) -> bytes:
    return bytes(len(page))


def _noise(page: bytes, _: bytes) -> bytes:
    return random.randbytes(len(page))


def _one_bit(page: bytes, _: bytes) -> bytes:
    number = random.randrange(len(page))
    return page[:number] + bytes([page[number] ^ 1 << random.randrange(8)]) + page[number + 1 :]


def _another(_: bytes, other: bytes) -> bytes:
    return other


DAMAGES: tuple[Callable[[bytes, bytes], bytes], ...] = (_zeros, _noise, _one_bit, _another)


def _damaged(entire: bytes) -> Iterator[bytes]:
    """Damage each page in each way."""
    for index in range(0, len(entire), PAGE):
        for damage in DAMAGES:
            other = random.randrange(0, len(entire), PAGE)
            page = damage(entire[index : index + PAGE], entire[other : other + PAGE])
            yield entire[:index] + page + entire[index + PAGE :]


def _taken_unawares(path: Path, form: Form) -> list[int]:
    """Damage a store in every way; count the cases, the refusals, and what went unnoticed."""
    content = path.read_bytes()
    rows_result = _rows(path)
    cases = refused = unnoticed = 0
    for damaged in _damaged(content):
        cases += 1
        for file in path.parent.glob(f"{path.name}-*"):
            file.unlink()
        path.write_bytes(damaged)
        try:
            store = open_store(path, form)
            try:
                store.append(_reports(1))
            finally:
                store.close()
        except (DocumentError, sqlite3.DatabaseError):
            refused += 1
            continue
        try:
            unnoticed += not set(rows_result.items()) < set(_rows(path).items())
        except sqlite3.DatabaseError:
            unnoticed += 1
    return [cases, refused, unnoticed]


def _opened(path: Path) -> None:
    """Open a store to add to it."""
    store = open_store(path)
    try:
        store.check()
    finally:
        store.close()


def _rows(path: Path) -> dict[bytes, str]:
    with _other_program(path) as connection:
        return dict(connection.execute("SELECT id, answers FROM reports").fetchall())


@pytest.mark.long
def test_no_damaged_page_is_built_upon(store: Path, affairs_form: Form) -> None:
    cases, refused, unnoticed = _taken_unawares(store, affairs_form)
    assert cases > 250
    assert refused > 0.9 * cases
    assert unnoticed == 0


@pytest.mark.long
def test_without_the_check_many_are(
    store: Path, affairs_form: Form, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sqlite, "_check", lambda connection, once: None)
    _, _, unnoticed = _taken_unawares(store, affairs_form)
    assert unnoticed > 100


def _alter(path: Path) -> None:
    with _other_program(path) as connection:
        done = connection.execute(
            """UPDATE reports SET answers = replace(answers, '"any_affair":1', '"any_affair":0')"""
        )
        assert done.rowcount == 3000
        assert connection.execute("PRAGMA integrity_check").fetchone() == ("ok",)


@pytest.mark.long
def test_altered_answers_are_found_by_whoever_reads_them(store: Path, affairs_form: Form) -> None:
    before = count_reports(store, affairs_form).values["any_affair"]
    _alter(store)
    reader = open_store(store, read_only=True)
    for look in (
        lambda: reader.counts(["any_affair"]),
        lambda: list(reader.reports()),
        lambda: count_reports(store, affairs_form),
        lambda: _opened(store),
    ):
        with pytest.raises(DocumentError, match="3000 reports that are not all as they were kept"):
            look()
    reader.close()
    with _other_program(store) as connection:
        connection.execute("DROP TABLE sums")
        connection.execute("PRAGMA user_version = 0")
    after = count_reports(store, affairs_form).values["any_affair"]
    assert after[0] == before[0] + before[1]  # a store without sums is counted as it is


@pytest.mark.long
@pytest.mark.parametrize(
    "change",
    [
        "DELETE FROM reports WHERE id IN (SELECT id FROM reports LIMIT 1)",
        "UPDATE reports SET id = randomblob(16) WHERE id IN (SELECT id FROM reports LIMIT 1)",
        "INSERT INTO reports SELECT randomblob(16), answers FROM reports LIMIT 1",
        "UPDATE reports SET answers = (SELECT max(answers) FROM reports)"
        " WHERE answers = (SELECT min(answers) FROM reports)",
        "UPDATE survey SET form = replace(form, 'Marriage', 'Carriage')",
        "UPDATE sums SET sums = zeroblob(72)",
        "UPDATE sums SET sums = 'text'",
        "DELETE FROM sums",
        "INSERT INTO sums SELECT * FROM sums",
        "INSERT INTO survey SELECT * FROM survey",
        "UPDATE survey SET closed = 'maybe'",
        "ALTER TABLE survey ADD COLUMN more",
        "DROP TABLE sums",
        "CREATE INDEX more ON reports (answers)",
        "PRAGMA user_version = 0",
        "PRAGMA user_version = 9",
    ],
)
def test_every_change_from_outside_is_found(store: Path, change: str) -> None:
    with _other_program(store) as connection:
        connection.execute(change)
    with pytest.raises(AskanceError):
        _opened(store)


def test_a_closed_survey_is_not_opened_by_a_flipped_bit(store: Path) -> None:
    kept_store = open_store(store)
    kept_store.close_survey()
    kept_store.close()
    with _other_program(store) as connection:
        connection.execute("UPDATE survey SET closed = 0")
    with pytest.raises(DocumentError, match="not all as they were kept"):
        _opened(store)


def test_damage_while_it_is_open_is_not_made_good_by_closing(store: Path) -> None:
    kept_store = open_store(store)
    _alter(store)
    with pytest.raises(DocumentError, match="not all as they were kept"):
        kept_store.close_survey()
    assert not kept_store.closed
    kept_store.close()


def _first_version(path: Path, form: Form, came: list[Accepted], closed: bool) -> None:
    """Write a store as the first version did."""
    with _other_program(path) as connection:
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("CREATE TABLE survey (form BLOB NOT NULL, closed INTEGER NOT NULL)")
        connection.execute(
            "CREATE TABLE reports (id BLOB PRIMARY KEY, answers TEXT NOT NULL) WITHOUT ROWID"
        )
        connection.execute("INSERT INTO survey VALUES (?, ?)", (form.bytes, closed))
        rows = [(item.id, item.answers) for item in came]
        connection.executemany("INSERT INTO reports VALUES (?, ?)", rows)
        if closed:
            connection.execute("PRAGMA journal_mode = DELETE")


@pytest.mark.parametrize("closed", [False, True])
def test_a_store_of_the_first_version_is_read_and_upgraded(
    closed: bool, tmp_path: Path, affairs_form: Form
) -> None:
    old, came = tmp_path / "old.db", _reports(200)
    _first_version(old, affairs_form, came, closed)
    reader = open_store(old, affairs_form, read_only=True)
    expected = [
        (element.id.hex(), element.answers) for element in sorted(came, key=lambda item: item.id)
    ]
    assert list(reader.reports()) == expected
    assert reader.closed is closed
    reader.close()
    late = _reports(1)
    upgraded = open_store(old, affairs_form)
    assert upgraded.append(late) == [Outcome.CLOSED if closed else Outcome.NEW]
    upgraded.close_survey()
    upgraded.close()
    new = open_store(tmp_path / "new.db", affairs_form)
    new.append(came if closed else [*came, *late])
    new.close_survey()
    new.close()
    assert old.read_bytes()[100:] == (tmp_path / "new.db").read_bytes()[100:]


class Interrupted:
    """A connection after so many statements of which the process is gone."""

    def __init__(self, connection: sqlite3.Connection, left: int) -> None:
        self.connection, self.left = connection, left

    def execute(self, *words: Any) -> Any:
        if self.left == 0:
            os._exit(9)
        self.left -= 1
        return self.connection.execute(*words)

    def __getattr__(self, name: str) -> Any:
        return getattr(self.connection, name)


def _die_closing(path: Path, statements: int) -> int:
    """Close a survey in a process that ends after so many statements."""
    child = os.fork()
    if child == 0:
        try:
            kept_store: Any = open_store(path)
            replace(
                kept_store, connection=Interrupted(kept_store.connection, statements)
            ).close_survey()
        finally:
            os._exit(0)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])


@pytest.mark.long
def test_a_closing_can_be_interrupted_anywhere(tmp_path: Path, affairs_form: Form) -> None:
    came, ends = _reports(100), Counter[int]()
    closed_result = _closed(tmp_path / "whole.db", affairs_form, came)
    for statements in range(40):
        path = tmp_path / f"{statements}.db"
        kept_store = open_store(path, affairs_form)
        kept_store.append(came)
        kept_store.close()
        ends[_die_closing(path, statements)] += 1
        store = open_store(path, affairs_form)
        assert len(list(store.reports())) == 100
        store.close_survey()
        assert store.append(_reports(1)) == [Outcome.CLOSED]
        store.close()
        assert path.read_bytes()[100:] == closed_result[100:]
    assert ends[9] > 8
    assert ends[0] > 2


def _closed(path: Path, form: Form, came: list[Accepted]) -> bytes:
    store: Store = open_store(path, form)
    store.append(came)
    store.close_survey()
    store.close()
    return path.read_bytes()


def test_closing_beside_a_reader_says_so_and_can_be_finished(store: Path) -> None:
    reader, writer = open_store(store, read_only=True), open_store(store)
    reading = reader.reports()
    next(reading)
    writer.connection.execute("PRAGMA busy_timeout = 50")  # type: ignore[attr-defined]
    with pytest.raises(DocumentError, match="end what reads or writes it"):
        writer.close_survey()
    assert writer.append(_reports(1)) == [Outcome.CLOSED]
    reading.close()  # type: ignore[attr-defined]
    reader.close()
    writer.close_survey()
    writer.close()


@pytest.fixture
def long_form(affairs_form: Form) -> Form:
    """A form whose reports take more than a page of the file."""
    number = affairs_form.document["questions"][3]
    names = [f"a_number_with_a_long_name_{index}" for index in range(150)]
    questions = [number | {"name": name} for name in names]
    return Form.read(affairs_form.document | {"questions": questions, "size": 5632})


@pytest.mark.long
def test_all_is_saved_of_a_whole_store(tmp_path: Path, store: Path, long_form: Form) -> None:
    done = repair(store, tmp_path / "new.db")
    assert done == Repair("ok", 3000, 3000, complete=True, closed=False)
    assert _rows(tmp_path / "new.db") == _rows(store)
    names = sorted(question.name for question in long_form.questions)
    came = [
        Accepted(
            random.randbytes(16),
            json.dumps({name: random.randrange(80) for name in names}, separators=(",", ":")),
        )
        for _ in range(20)
    ]
    assert len(came[0].answers) > PAGE
    kept_store = open_store(tmp_path / "long.db", long_form)
    kept_store.append(came)
    kept_store.close_survey()
    kept_store.close()
    done = repair(tmp_path / "long.db", tmp_path / "again.db")
    assert done == Repair("ok", 20, 20, complete=True, closed=True)
    assert _rows(tmp_path / "again.db") == {item.id: item.answers for item in came}
    assert open_store(tmp_path / "again.db", read_only=True).closed


@pytest.mark.long
def test_what_is_good_of_a_damaged_store_is_saved(
    store: Path, tmp_path: Path, affairs_form: Form
) -> None:
    content, rows_result = store.read_bytes(), _rows(store)
    pages = len(content) // PAGE
    for index, page in enumerate(range(0, len(content), 6 * PAGE)):
        damage = DAMAGES[index % 2]
        store.write_bytes(content[:page] + damage(bytes(PAGE), b"") + content[page + PAGE :])
        for path in tmp_path.glob("survey.db-*"):
            path.unlink()
        new = tmp_path / f"new{index}.db"
        done = repair(store, new, affairs_form)
        saved = _rows(new)
        assert set(saved.items()) <= set(rows_result.items())
        assert len(saved) == done.saved >= 3000 * (1 - 2.5 / pages)
        assert done.complete is (done.saved == 3000 == done.expected)
        assert store.read_bytes()[page + PAGE :] == content[page + PAGE :]
        _opened(new)


@pytest.mark.long
def test_altered_reports_are_not_called_complete(store: Path, tmp_path: Path) -> None:
    _alter(store)
    done = repair(store, tmp_path / "new.db")
    assert (done.damage, done.saved, done.expected, done.complete) == ("ok", 3000, 3000, False)


@pytest.mark.long
def test_a_repair_that_cannot_be_is_refused(
    store: Path, tmp_path: Path, affairs_form: Form, long_form: Form
) -> None:
    new = tmp_path / "new.db"
    for words, message in [
        ((tmp_path / "gone.db", new), "a store in a file"),
        ((store, store), "allowed: a new file"),
        ((store, new, long_form), "a store for the form"),
        ((store, tmp_path / "nowhere" / "new.db"), "a folder with room"),
    ]:
        with pytest.raises(DocumentError, match=message):
            repair(*words)
    kept_store = open_store(store)
    with pytest.raises(DocumentError, match="stop the server"):
        repair(store, new)
    kept_store.close()
    store.write_bytes(bytes(PAGE) + store.read_bytes()[PAGE:])
    with pytest.raises(DocumentError, match="--form FORM"):
        repair(store, new)
    assert repair(store, new, affairs_form).saved == 3000


def test_a_repair_that_fails_leaves_nothing(
    store: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fails(*_: object) -> None:
        raise sqlite3.OperationalError("database or disk is full")

    kept_store = open_store(store)
    kept_store.close()
    before = {path.name for path in tmp_path.iterdir()}
    monkeypatch.setattr(type(kept_store), "append", fails)
    with pytest.raises(sqlite3.OperationalError):
        repair(store, tmp_path / "new.db")
    assert {path.name for path in tmp_path.iterdir()} == before


def test_what_waits_in_the_log_is_saved_too(tmp_path: Path, affairs_form: Form) -> None:
    running = open_store(tmp_path / "survey.db", affairs_form)
    came = _reports(50)
    running.append(came)
    crashed = tmp_path / "crashed.db"
    for end in ("", "-wal"):
        shutil.copyfile(f"{tmp_path / 'survey.db'}{end}", f"{crashed}{end}")
    running.close()
    assert repair(crashed, tmp_path / "new.db").complete
    assert _rows(tmp_path / "new.db") == {item.id: item.answers for item in came}
