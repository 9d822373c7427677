"""No command takes the password of a database as one of its words."""

from collections.abc import Iterator
from pathlib import Path

import psycopg
import pytest
from click.testing import CliRunner

from askance.cli import verbs
from askance_collect.collect import open_store
from askance_collect.errors import DocumentError, InputError
from askance_collect.wire import Form

WITH = (
    "postgresql://ann:hunter2@host/club",
    "postgres://ann:hunter2@/club?host=/run",
    "postgresql://ann@host/club?sslmode=require&password=hunter2",
    "postgresql://host/club?sslpassword=hunter2",
    "sqlite:///exam.db,postgresql://:hunter2@host",
)
WITHOUT = (
    "postgresql://ann@host:5432/club",
    "postgresql://host:5432/club?user=ann",
    "postgresql:///club?passfile=/etc/askance/club.pass",
    "postgresql://host/club?application_name=password",
    "exam.db",
)
COMMANDS = (
    ("collect", "status", "{}"),
    ("collect", "backup", "{}", "copy"),
    ("collect", "restore", "copy", "{}"),
    ("collect", "delete", "{}", "proof", "--yes"),
    ("serve", "exam.toml", "--store", "{}"),
    ("serve", "exam.toml", "--store={}"),
    ("estimate", "exam.form.json", "{}"),
    ("count", "exam.form.json", "{}", "--out", "counts.json"),
    ("regress", "exam.form.json", "{}", "--formula", "a ~ b"),
)


@pytest.mark.parametrize("words", COMMANDS)
def test_a_password_is_refused_before_anything_is_done(words: tuple[str, ...]) -> None:
    for url in WITH:
        result = CliRunner().invoke(verbs, [word.format(url) for word in words])
        assert isinstance(result.exception, InputError)
        assert "PGPASSFILE, or PGPASSWORD" in str(result.exception)
        assert "hunter2" not in str(result.exception) + result.output


def test_an_address_without_one_is_not() -> None:
    for url in WITHOUT:
        result = CliRunner().invoke(verbs, ["collect", "close", url, "too", "many"])
        assert "unexpected extra arguments" in result.output


@pytest.fixture
def guarded(postgres_url: str) -> Iterator[str]:
    """A database that asks one of its users for a password."""
    name = postgres_url.partition("?")[0].rpartition("/")[2]
    with psycopg.connect(postgres_url, autocommit=True) as connection:
        connection.execute("CREATE ROLE asker LOGIN PASSWORD 'hunter2'")
        connection.execute(f"GRANT CREATE ON DATABASE {name} TO asker".encode())
        (rules,) = connection.execute("SHOW hba_file").fetchone() or ("",)
        before = Path(rules).read_bytes()
        Path(rules).write_bytes(b"local all asker scram-sha-256\n" + before)
        connection.execute("SELECT pg_reload_conf()")
        try:
            yield f"postgresql://asker{postgres_url[postgres_url.index('@') :]}"
        finally:
            Path(rules).write_bytes(before)
            connection.execute("SELECT pg_reload_conf()")
            connection.execute("DROP SCHEMA IF EXISTS askance CASCADE; DROP OWNED BY asker")
            connection.execute("DROP ROLE asker")


@pytest.mark.postgres
def test_a_password_comes_from_a_file_or_the_environment(
    guarded: str, affairs_form: Form, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    secret = tmp_path / "secret"
    secret.write_text("*:*:*:asker:hunter2\n")
    secret.chmod(0o600)
    monkeypatch.setenv("PGPASSFILE", "/dev/null")
    with pytest.raises(DocumentError, match=r"\?passfile=, PGPASSFILE or PGPASSWORD"):
        open_store(guarded, affairs_form)
    open_store(f"{guarded}&passfile={secret}", affairs_form).close()
    monkeypatch.setenv("PGPASSFILE", str(secret))
    open_store(guarded, affairs_form).close()
    monkeypatch.setenv("PGPASSFILE", "/dev/null")
    monkeypatch.setenv("PGPASSWORD", "hunter2")
    open_store(guarded, affairs_form).close()
