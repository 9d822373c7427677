"""What PostgreSQL remembers beside the rows is made to tell nothing, and closing holds for all."""

import random
import threading
from pathlib import Path

import psycopg
import pytest

from askance_collect.collect import Accepted, Outcome, open_store
from askance_collect.errors import DocumentError
from askance_collect.wire import Form

pytestmark = pytest.mark.postgres

ANSWERS = '{"age":[0,12],"any_affair":2,"children":null,"years":7}'


def _new() -> Accepted:
    return Accepted(random.randbytes(16), ANSWERS)


def test_after_closing_xmin_and_ctid_tell_nothing(postgres_url: str, affairs_form: Form) -> None:
    store = open_store(postgres_url, affairs_form)
    ids = []
    for _ in range(50):
        batch = [_new() for _ in range(10)]
        ids += [item.id for item in batch]
        store.append(batch)
    query = "SELECT id, xmin::text, cmin::text FROM askance.reports ORDER BY ctid"
    with psycopg.connect(postgres_url) as connection:
        assert len({xmin for _, xmin, _ in connection.execute(query)}) == 50
        connection.rollback()
        store.close_survey()
        rows = connection.execute(query).fetchall()
    assert [id for id, _, _ in rows] == sorted(ids) != ids
    assert len({(xmin, cmin) for _, xmin, cmin in rows}) == 1
    store.close()


def test_a_table_has_an_id_and_the_values_and_no_more(
    postgres_url: str, affairs_form: Form
) -> None:
    open_store(postgres_url, affairs_form).close()
    with psycopg.connect(postgres_url) as connection:
        columns = connection.execute(
            "SELECT table_name, column_name FROM information_schema.columns"
            " WHERE table_schema = 'askance'"
        ).fetchall()
    assert set(columns) == {
        ("survey", "form"),
        ("survey", "closed"),
        ("reports", "id"),
        ("reports", "answers"),
        ("sums", "version"),
        ("sums", "reports"),
        ("sums", "of_values"),
        ("sums", "of_reports"),
    }


def test_several_servers_write_and_one_closes_for_all(
    postgres_url: str, affairs_form: Form
) -> None:
    stores = [open_store(postgres_url, affairs_form) for _ in range(3)]
    shared = [_new() for _ in range(300)]
    result: list[list[Outcome]] = []

    def work(store: object, order: list[Accepted]) -> None:
        for index in range(0, 300, 20):
            result.append(store.append(order[index : index + 20]))  # type: ignore[attr-defined]

    threads = [
        threading.Thread(target=work, args=(stores[0], shared)),
        threading.Thread(target=work, args=(stores[1], shared[::-1])),
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    outcomes = [item for batch in result for item in batch]
    assert outcomes.count(Outcome.NEW) == 300
    assert outcomes.count(Outcome.REPEATED) == 300
    stores[2].close_survey()
    assert stores[0].append([_new(), shared[0]]) == [Outcome.CLOSED, Outcome.REPEATED]
    assert stores[1].count() == 300
    assert len(list(stores[1].reports())) == 300  # and the sums agree
    for store in stores:
        store.close()


def test_withdrawing_while_others_write_keeps_the_sums(
    postgres_url: str, affairs_form: Form
) -> None:
    """A writer that waited for the row of sums must find it again."""
    first, other, aside = (open_store(postgres_url, affairs_form) for _ in range(3))
    leaving = [_new() for _ in range(60)]
    first.append(leaving)

    def work(store: object) -> None:
        for _ in range(60):
            store.append([_new() for _ in range(3)])  # type: ignore[attr-defined]

    threads = [threading.Thread(target=work, args=(store,)) for store in (first, other)]
    for thread in threads:
        thread.start()
    for item in leaving:
        aside.withdraw(item.id)
    for thread in threads:
        thread.join()
    assert len(list(aside.reports())) == aside.count() == 360
    for store in (first, other, aside):
        store.close()


def test_what_comes_after_closing_is_in_no_log_of_the_database(
    postgres_url: str, affairs_form: Form
) -> None:
    store = open_store(postgres_url, affairs_form)
    store.append([_new()])
    store.close_survey()
    late = _new()
    assert store.append([late]) == [Outcome.CLOSED]
    store.close()
    with psycopg.connect(postgres_url) as connection:
        folder = connection.execute("SHOW data_directory").fetchone()
        assert folder is not None
        connection.execute("DO 'BEGIN RAISE LOG ''the log is read''; END'")
    logged = (Path(folder[0]).parent / "log").read_text()
    assert "the log is read" in logged
    assert late.id.hex() not in logged
    assert ANSWERS not in logged


def test_a_lost_connection_fails_one_batch_and_is_made_again(
    postgres_url: str, affairs_form: Form
) -> None:
    store = open_store(postgres_url, affairs_form)
    store.append([_new()])
    with psycopg.connect(postgres_url, autocommit=True) as connection:
        connection.execute(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
            " WHERE datname = current_database() AND pid <> pg_backend_pid()"
        )
    batch = [_new()]
    with pytest.raises(psycopg.OperationalError):
        store.append(batch)
    assert store.append(batch) == [Outcome.NEW]
    assert store.count() == 2
    store.close()


@pytest.mark.parametrize(
    "change",
    [
        "DELETE FROM askance.reports",
        "UPDATE askance.reports SET id = '\\x00'",
        """UPDATE askance.reports SET answers = '{"any_affair":0}'""",
        "UPDATE askance.sums SET of_reports = 0",
        "UPDATE askance.sums SET version = 3",
        "DELETE FROM askance.sums",
        "UPDATE askance.survey SET form = '{}'",
    ],
)
def test_every_change_from_outside_is_found(
    change: str, postgres_url: str, affairs_form: Form
) -> None:
    store = open_store(postgres_url, affairs_form)
    store.append([_new()])
    with psycopg.connect(postgres_url, autocommit=True) as connection:
        connection.execute(change.encode())
    later = open_store(postgres_url)
    for look in (lambda: list(store.reports()), later.check, lambda: later.append([_new()])):
        with pytest.raises(DocumentError):
            look()
    for item in (store, later):
        item.close()
    open_store(postgres_url, read_only=True).close()


def test_values_that_were_changed_are_not_counted(postgres_url: str, affairs_form: Form) -> None:
    store = open_store(postgres_url, affairs_form)
    store.append([_new() for _ in range(9)])
    assert store.counts(["children"]) == {"children": [("null", 9)]}
    with psycopg.connect(postgres_url, autocommit=True) as connection:
        connection.execute("""UPDATE askance.reports SET answers = '{"children":1}'""")
    with pytest.raises(DocumentError, match="9 reports that are not all as they were kept"):
        store.counts(["children"])
    store.close()


@pytest.mark.parametrize("closed", [False, True])
def test_a_store_of_the_first_version_is_read_and_upgraded(
    closed: bool, postgres_url: str, affairs_form: Form
) -> None:
    store, came = open_store(postgres_url, affairs_form), [_new() for _ in range(20)]
    store.append(came)
    if closed:
        store.close_survey()
    store.close()
    with psycopg.connect(postgres_url, autocommit=True) as connection:
        connection.execute("DROP TABLE askance.sums")
    reader = open_store(postgres_url, affairs_form, read_only=True)
    assert {id for id, _ in reader.reports()} == {item.id.hex() for item in came}
    reader.close()
    store = open_store(postgres_url, affairs_form)
    assert store.append([_new()]) == [Outcome.CLOSED if closed else Outcome.NEW]
    assert len(list(store.reports())) == 21 - closed
    with psycopg.connect(postgres_url, autocommit=True) as connection:
        connection.execute("UPDATE askance.survey SET closed = false")
    if closed:
        with pytest.raises(DocumentError, match="not all as they were kept"):
            list(store.reports())
    store.close()


def test_every_commit_is_flushed_whatever_the_database_prefers(
    postgres_url: str, affairs_form: Form
) -> None:
    with psycopg.connect(postgres_url, autocommit=True) as connection:
        connection.execute("ALTER ROLE CURRENT_USER SET synchronous_commit TO off")
        try:
            store = open_store(postgres_url, affairs_form)
            session = store._connection  # type: ignore[attr-defined]
            assert session.execute("SHOW synchronous_commit").fetchone() == ("on",)
            store.close()
        finally:
            connection.execute("ALTER ROLE CURRENT_USER RESET synchronous_commit")


def test_an_unreachable_database_is_named_without_its_password() -> None:
    with pytest.raises(DocumentError) as caught:
        open_store("postgresql://someone:hunter2@127.0.0.1:1/nowhere")
    assert "hunter2" not in str(caught.value)
    assert "can be reached" in str(caught.value)
