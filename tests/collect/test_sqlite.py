"""What a stolen file tells: ids and values, and nothing about who came when."""

import json
import os
import random
import sqlite3
import stat
import subprocess
import sys
from collections.abc import Callable
from hashlib import sha256
from pathlib import Path

import pytest

from askance_collect.collect import Accepted, Outcome, open_store, sqlite
from askance_collect.errors import DocumentError, InputError
from askance_collect.wire import Form, Report

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
            ("sums", "sums"),
        }
        with pytest.raises(sqlite3.OperationalError, match="rowid"):
            connection.execute("SELECT rowid FROM reports")
    connection.close()


def _arrived(path: Path, form: Form, ids: list[bytes], at_once: int, closed: bool) -> bytes:
    store = open_store(path, form)
    for index in range(0, len(ids), at_once):
        store.append([Accepted(id, ANSWERS) for id in ids[index : index + at_once]])
    if closed:
        store.close_survey()
    store.close()
    return path.read_bytes()


@pytest.mark.long
def test_after_closing_the_file_is_the_same_whoever_came_first(
    tmp_path: Path, affairs_form: Form
) -> None:
    ids = [random.randbytes(16) for _ in range(1500)]
    arrived_result = _arrived(tmp_path / "one.db", affairs_form, ids, 1, closed=True)
    other = _arrived(tmp_path / "other.db", affairs_form, sorted(ids)[::-1], 40, closed=True)
    assert arrived_result == other


@pytest.mark.long
def test_before_closing_it_is_not(tmp_path: Path, affairs_form: Form) -> None:
    ids = [random.randbytes(16) for _ in range(1500)]
    arrived_result = _arrived(tmp_path / "one.db", affairs_form, ids, 1, closed=False)
    other = _arrived(tmp_path / "other.db", affairs_form, sorted(ids)[::-1], 40, closed=False)
    assert arrived_result != other


@pytest.mark.long
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
    arrived_result = _arrived(tmp_path / "whole.db", affairs_form, ids, 20, closed=True)
    assert path.read_bytes()[100:] == arrived_result[100:]


def test_nothing_else_is_left_beside_it(tmp_path: Path, affairs_form: Form) -> None:
    path = tmp_path / "survey.db"
    _arrived(path, affairs_form, [random.randbytes(16)], 1, closed=True)
    assert {file.name for file in tmp_path.iterdir()} == {"survey.db", "survey.db-lock"}
    assert (tmp_path / "survey.db-lock").stat().st_size == 0
    assert stat.S_IMODE(path.stat().st_mode) == 0o600


@pytest.mark.long
def test_a_second_writer_is_refused_until_the_first_is_gone(
    tmp_path: Path, affairs_form: Form
) -> None:
    path = tmp_path / "survey.db"
    first = open_store(path, affairs_form)
    program = (
        "import sys\nfrom askance_collect.collect import open_store\n"
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


WRITING = (
    "import sys\nfrom askance_collect.collect import open_store\n"
    "try:\n    open_store(sys.argv[1])\nexcept Exception as error:\n    sys.exit(str(error))\n"
)


def _second_writer(path: Path) -> str:
    """Open a store for writing in another process; say what it complained of."""
    done = subprocess.run(
        [sys.executable, "-c", WRITING, str(path)], capture_output=True, text=True, check=False
    )
    return done.stderr


def _linked(path: Path) -> Path:
    (path.parent / "linked.db").symlink_to(path)
    return path.parent / "linked.db"


def _in_linked_folder(path: Path) -> Path:
    (path.parent.parent / "folder").symlink_to(path.parent, target_is_directory=True)
    return path.parent.parent / "folder" / path.name


def _the_long_way(path: Path) -> Path:
    (path.parent / "deeper").mkdir()
    return path.parent / "deeper" / ".." / path.name


def _hard_linked(path: Path) -> Path:
    (path.parent / "hard.db").hardlink_to(path)
    return path.parent / "hard.db"


def _renamed(path: Path) -> Path:
    return path.rename(path.parent / "renamed.db")


SPELLINGS = (_linked, _in_linked_folder, _the_long_way, _hard_linked, _renamed)


@pytest.mark.parametrize("spelling", SPELLINGS)
def test_there_is_one_writer_however_the_path_is_spelt(
    spelling: Callable[[Path], Path], tmp_path: Path, affairs_form: Form
) -> None:
    path = tmp_path / "here" / "survey.db"
    path.parent.mkdir()
    first = open_store(path, affairs_form)
    first.append([Accepted(b"0" * 16, ANSWERS)])
    other = spelling(path)
    elsewhere = [_second_writer(other)] if spelling is _renamed else []
    for result in (*elsewhere, _complaint(other)):
        assert "one process that writes" in result or "a file with one name" in result
    first.close()


def _complaint(path: Path) -> str:
    with pytest.raises(DocumentError) as caught:
        open_store(path)
    return str(caught.value)


def test_a_failed_second_writer_takes_no_lock_from_the_first(
    tmp_path: Path, affairs_form: Form
) -> None:
    """In one process: closing a descriptor would let go of all that SQLite has locked."""
    path = tmp_path / "survey.db"
    first = open_store(path, affairs_form)
    reader = open_store(path, read_only=True)
    _complaint(_renamed(path))
    (tmp_path / "renamed.db").rename(path)
    assert _locked(path)
    first.append([Accepted(b"0" * 16, ANSWERS)])
    first.close()
    assert _locked(path)
    assert reader.count() == 1
    reader.close()
    assert not _locked(path)


def _locked(path: Path) -> bool:
    """Say whether some process shares the file through SQLite, as another process sees it."""
    program = (
        "import fcntl, sys\nwith open(sys.argv[1], 'r+b') as file:\n"
        "    fcntl.lockf(file, fcntl.LOCK_EX | fcntl.LOCK_NB, 510, 0x40000002)\n"
    )
    command = [sys.executable, "-c", program, str(path)]
    return subprocess.run(command, capture_output=True, check=False).returncode != 0


def test_a_name_beside_which_the_log_does_not_lie_is_refused(
    tmp_path: Path, affairs_form: Form
) -> None:
    path = tmp_path / "survey.db"
    open_store(path, affairs_form).close()
    hard = _hard_linked(path)
    for read_only in (True, False):
        with pytest.raises(DocumentError, match=r"hard links.*a file with one name"):
            open_store(hard, read_only=read_only)
    hard.unlink()
    store = open_store(path)
    store.close_survey()
    store.close()
    kept_store = open_store(_hard_linked(path), read_only=True)
    assert kept_store.closed
    kept_store.close()


def _system_says(monkeypatch: pytest.MonkeyPatch, path: Path, instead: Path) -> None:
    """Let what a file of the system says stand in another one."""
    read = Path.read_bytes
    monkeypatch.setattr(Path, "read_bytes", lambda self: read(instead if self == path else self))


def test_a_file_that_is_mounted_by_itself_is_refused(
    tmp_path: Path, affairs_form: Form, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "my survey.db"
    open_store(path, affairs_form).close()
    mounts = tmp_path / "mountinfo"
    _system_says(monkeypatch, Path("/proc/self/mountinfo"), mounts)
    line = "36 35 98:0 /data/survey.db {} rw,noatime master:1 - ext3 /dev/root rw\n"
    mounts.write_text(line.format(str(tmp_path).replace(" ", "\\040")))
    open_store(path).close()
    mounts.write_text(line.format(str(path).replace(" ", "\\040")))
    for read_only in (True, False):
        with pytest.raises(DocumentError, match="mount its folder"):
            open_store(path, read_only=read_only)


def test_nothing_is_kept_in_a_file_that_was_moved(tmp_path: Path, affairs_form: Form) -> None:
    path = tmp_path / "survey.db"
    store = open_store(path, affairs_form)
    store.append([Accepted(b"0" * 16, ANSWERS)])
    renamed_result = _renamed(path)
    with pytest.raises(DocumentError, match="moved or replaced"):
        store.append([Accepted(b"1" * 16, ANSWERS)])
    path.write_bytes(renamed_result.read_bytes())
    with pytest.raises(DocumentError, match="moved or replaced"):
        store.append([Accepted(b"1" * 16, ANSWERS)])
    renamed_result.rename(path)
    assert store.append([Accepted(b"1" * 16, ANSWERS)]) == [Outcome.NEW]
    store.close()


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
    assert connection.execute("PRAGMA synchronous").fetchone() == (3,)
    assert connection.execute("PRAGMA journal_mode").fetchone() == ("wal",)
    store.close()


@pytest.mark.long
def test_what_is_withdrawn_leaves_no_byte(tmp_path: Path, affairs_form: Form) -> None:
    ids = [random.randbytes(16) for _ in range(300)]
    for closed in (False, True):
        path = tmp_path / f"{closed}.db"
        _arrived(path, affairs_form, ids[1:], 7, closed=False)
        store = open_store(path, affairs_form)
        telling = ANSWERS.replace("0,12", "31,32")
        store.append([Accepted(ids[0], telling)])
        if closed:
            store.close_survey()
        report = Report(affairs_form.fingerprint, ids[0].hex(), json.loads(telling))
        receipt = sha256(report.body(affairs_form.size)).hexdigest()
        store.withdraw(ids[0], receipt.upper())
        text = b"".join(file.read_bytes() for file in tmp_path.glob(f"{closed}.db*"))
        assert ids[0] not in text
        assert b"[31,32]" not in text
        assert ids[1] in text
        assert sorted(id for id, _ in store.reports()) == sorted(id.hex() for id in ids[1:])
        with pytest.raises(DocumentError, match="no such report"):
            store.withdraw(ids[0])
        store.close_survey()
        store.close()
    arrived_result = _arrived(tmp_path / "whole.db", affairs_form, ids[1:], 20, closed=True)
    assert (tmp_path / "False.db").read_bytes()[100:] == arrived_result[100:]
    assert (tmp_path / "True.db").read_bytes()[100:] == arrived_result[100:]


def test_a_withdrawal_beside_a_reader_says_what_is_left_to_do(
    tmp_path: Path, affairs_form: Form
) -> None:
    path = tmp_path / "survey.db"
    writer = open_store(path, affairs_form)
    writer.append([Accepted(b"0" * 16, ANSWERS), Accepted(b"1" * 16, ANSWERS)])
    reader = open_store(path, read_only=True)
    reading = reader.reports()
    next(reading)
    writer.connection.execute("PRAGMA busy_timeout = 50")  # type: ignore[attr-defined]
    with pytest.raises(DocumentError, match=r"withdrawn, but still in the log.*end what reads"):
        writer.withdraw(b"0" * 16)
    assert writer.count() == 1
    reading.close()  # type: ignore[attr-defined]
    reader.close()
    writer.close()
    assert b"0" * 16 not in b"".join(file.read_bytes() for file in tmp_path.iterdir())


def test_a_batch_takes_few_statements_however_large(tmp_path: Path, affairs_form: Form) -> None:
    """Each goes back and forth between this thread and the one that serves."""
    store = open_store(tmp_path / "survey.db", affairs_form)
    connection = store.connection  # type: ignore[attr-defined]
    store.check()
    replies: list[str] = []
    connection.set_trace_callback(replies.append)
    for many in (1, 500):
        replies.clear()
        batch = [Accepted(os.urandom(16), '{"children":1}') for _ in range(many)]
        assert store.append(batch) == [Outcome.NEW] * many
        assert len(replies) <= 6
    connection.set_trace_callback(None)
    again = [*batch[:3], Accepted(os.urandom(16), '{"children":2}')]
    assert store.append(again) == [Outcome.REPEATED] * 3 + [Outcome.NEW]
    assert store.count() == 502
    assert len(list(store.reports())) == 502
    store.close()


def _temporary(connection: sqlite3.Connection, work: Callable[[], object]) -> bool:
    """Say whether SQLite holds a temporary file open at some moment of a work."""
    distinct: set[str] = set()

    def look() -> None:
        places = (os.path.realpath(file) for file in Path("/proc/self/fd").iterdir())
        distinct.update(position for position in places if "etilqs" in position)

    connection.set_progress_handler(look, 1000)
    work()
    connection.set_progress_handler(None, 0)
    return bool(distinct)


@pytest.mark.long
def test_no_page_goes_to_a_temporary_file_but_where_all_are_rewritten(
    tmp_path: Path, affairs_form: Form
) -> None:
    store = open_store(tmp_path / "survey.db", affairs_form)
    connection = store.connection  # type: ignore[attr-defined]
    connection.execute("PRAGMA cache_size = -100")

    def append() -> object:
        return store.append([Accepted(os.urandom(16), ANSWERS) for _ in range(15_000)])

    append()
    assert not _temporary(connection, append)
    assert _temporary(connection, lambda: list(store.shuffled_values()))
    assert _temporary(connection, append)  # as it would be always
    connection.execute("PRAGMA temp_store = MEMORY")
    assert not _temporary(connection, append)
    assert _temporary(connection, store.close_survey)
    store.close()


@pytest.mark.long
def test_the_log_holds_the_order_of_few_reports(
    tmp_path: Path, affairs_form: Form, monkeypatch: pytest.MonkeyPatch
) -> None:
    grown = []
    for often in (sqlite._OFTEN, 1000):
        monkeypatch.setattr(sqlite, "_OFTEN", often)
        path = tmp_path / f"{often}.db"
        store = open_store(path, affairs_form)
        for _ in range(100):
            store.append([Accepted(os.urandom(16), ANSWERS) for _ in range(30)])
        grown.append(Path(f"{path}-wal").stat().st_size)
        store.close()
    assert grown[0] < 300 * 4096 < grown[1]


@pytest.mark.parametrize("id", [b"", b"0" * 15, b"0" * 17])
def test_an_id_of_another_length_is_refused(tmp_path: Path, affairs_form: Form, id: bytes) -> None:
    store = open_store(tmp_path / "survey.db", affairs_form)
    with pytest.raises(InputError, match="16 bytes"):
        store.append([Accepted(id, '{"children":1}'), Accepted(b"1" * 16, '{"children":1}')])
    assert store.count() == 0
    store.close()
