"""What a stolen file tells: ids and values, and nothing about who came when."""

import random
import sqlite3
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from askance.collect.accept import Accepted
from askance.collect.store import open_store
from askance.errors import DocumentError
from askance.wire.form import Form

ANSWERS = '{"age":[0,12],"any_affair":2,"children":null,"years":7}'


def test_the_file_has_an_id_and_the_values_and_no_more(tmp_path: Path, affairs_form: Form) -> None:
    path = tmp_path / "survey.db"
    _arrived(path, affairs_form, [random.randbytes(16)], 1, closed=True)
    with sqlite3.connect(path) as connection:
        columns = connection.execute(
            "SELECT m.name, c.name FROM sqlite_schema m JOIN pragma_table_info(m.name) c"
        ).fetchall()
        assert set(columns) == {
            ("survey", "form"),
            ("survey", "closed"),
            ("reports", "id"),
            ("reports", "answers"),
        }
        with pytest.raises(sqlite3.OperationalError, match="rowid"):
            connection.execute("SELECT rowid FROM reports")
    connection.close()


def _arrived(path: Path, form: Form, ids: list[bytes], at_once: int, closed: bool) -> bytes:
    store = open_store(path, form)
    for at in range(0, len(ids), at_once):
        store.append([Accepted(id, ANSWERS) for id in ids[at : at + at_once]])
    if closed:
        store.close_survey()
    store.close()
    return path.read_bytes()


def test_after_closing_the_file_is_the_same_whoever_came_first(
    tmp_path: Path, affairs_form: Form
) -> None:
    ids = [random.randbytes(16) for _ in range(1500)]
    one = _arrived(tmp_path / "one.db", affairs_form, ids, 1, closed=True)
    other = _arrived(tmp_path / "other.db", affairs_form, sorted(ids)[::-1], 40, closed=True)
    assert one == other


def test_before_closing_it_is_not(tmp_path: Path, affairs_form: Form) -> None:
    ids = [random.randbytes(16) for _ in range(1500)]
    one = _arrived(tmp_path / "one.db", affairs_form, ids, 1, closed=False)
    other = _arrived(tmp_path / "other.db", affairs_form, sorted(ids)[::-1], 40, closed=False)
    assert one != other


def test_a_closing_that_was_interrupted_can_be_finished(tmp_path: Path, affairs_form: Form) -> None:
    ids = [random.randbytes(16) for _ in range(500)]
    path = tmp_path / "cut short.db"
    _arrived(path, affairs_form, ids, 1, closed=False)
    with sqlite3.connect(path) as connection:
        connection.execute("UPDATE survey SET closed = 1")
    connection.close()
    store = open_store(path, affairs_form)
    assert store.closed
    store.close_survey()
    store.close()
    whole = _arrived(tmp_path / "whole.db", affairs_form, ids, 20, closed=True)
    assert path.read_bytes()[100:] == whole[100:]


def test_nothing_else_is_left_beside_it(tmp_path: Path, affairs_form: Form) -> None:
    path = tmp_path / "survey.db"
    _arrived(path, affairs_form, [random.randbytes(16)], 1, closed=True)
    assert {one.name for one in tmp_path.iterdir()} == {"survey.db", "survey.db-lock"}
    assert (tmp_path / "survey.db-lock").stat().st_size == 0
    assert stat.S_IMODE(path.stat().st_mode) == 0o600


def test_a_second_writer_is_refused_until_the_first_is_gone(
    tmp_path: Path, affairs_form: Form
) -> None:
    path = tmp_path / "survey.db"
    first = open_store(path, affairs_form)
    program = (
        "import sys\nfrom askance.collect.store import open_store\n"
        "try:\n    open_store(sys.argv[1])\nexcept Exception as error:\n    sys.exit(str(error))\n"
    )
    command = [sys.executable, "-c", program, str(path)]
    second = subprocess.run(command, capture_output=True, text=True, check=False)
    assert second.returncode == 1
    assert "stop the server that uses this store first" in second.stderr
    with pytest.raises(DocumentError, match="one process that writes"):
        open_store(path, affairs_form)
    first.append([Accepted(b"0" * 16, ANSWERS)])
    first.close()
    assert subprocess.run(command, check=False).returncode == 0


def test_a_folder_that_is_not_there_is_named(tmp_path: Path, affairs_form: Form) -> None:
    with pytest.raises(DocumentError, match="a folder that can be written to") as caught:
        open_store(tmp_path / "nowhere" / "survey.db", affairs_form)
    assert caught.value.remedy == ""
    (tmp_path / "folder.db").mkdir()
    with pytest.raises(DocumentError, match="a store of reports"):
        open_store(tmp_path / "folder.db", affairs_form)


@pytest.mark.parametrize("content", [b"", b"binary junk" * 500, bytes(range(256)) * 20])
def test_a_file_that_is_no_store_is_refused_and_left_alone(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "photo.jpg"
    path.write_bytes(content)
    for read_only in (True, False):
        with pytest.raises(DocumentError, match="a store of reports"):
            open_store(path, read_only=read_only)
    assert path.read_bytes() == content


def test_another_programs_database_is_refused(tmp_path: Path, affairs_form: Form) -> None:
    path = tmp_path / "other.db"
    with sqlite3.connect(path) as connection:
        connection.execute("CREATE TABLE people (name TEXT)")
    connection.close()
    with pytest.raises(DocumentError, match="a database without reports"):
        open_store(path, affairs_form)


def test_a_full_disk_loses_nothing_that_was_kept(tmp_path: Path, affairs_form: Form) -> None:
    store = open_store(tmp_path / "survey.db", affairs_form)
    connection = store.connection  # type: ignore[attr-defined]
    pages = connection.execute("PRAGMA page_count").fetchone()[0]
    connection.execute(f"PRAGMA max_page_count = {pages}").fetchall()
    big = [Accepted(random.randbytes(16), ANSWERS) for _ in range(200)]
    with pytest.raises(sqlite3.OperationalError, match="full"):
        store.append(big)
    assert store.count() == 0
    store.append(big[:3])
    connection.execute("PRAGMA max_page_count = 100000").fetchall()
    store.append(big)
    assert store.count() == 200
    store.close()


def test_every_commit_is_flushed(tmp_path: Path, affairs_form: Form) -> None:
    store = open_store(tmp_path / "survey.db", affairs_form)
    connection = store.connection  # type: ignore[attr-defined]
    assert connection.execute("PRAGMA synchronous").fetchone() == (2,)
    assert connection.execute("PRAGMA journal_mode").fetchone() == ("wal",)
    store.close()
