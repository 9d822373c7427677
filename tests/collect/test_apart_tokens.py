"""Invitations beside answers kept apart: no token, id, order or time joins the two parts."""

import csv
import random
import sqlite3
from collections.abc import Callable, Iterator
from itertools import combinations
from pathlib import Path

import pytest

import askance as ak
from askance_collect.collect import Outcome, accept, export_csv, export_jsonl, open_store
from askance_collect.collect.apart import ApartStore, path_of_part
from askance_collect.errors import ReportRefused
from askance_collect.respond import blind, respond
from askance_collect.tokens import Issuer, create_issuer
from askance_collect.wire import Form, to_base64url
from askance_collect.wire.parts import FormPart, form_of_part, id_of_part

CROWD, CROWDS = 12, 5
GROUPS = "north", "south"
ENDS = "", "-wal", "-journal", "-shm"


@pytest.fixture(autouse=True)
def small_crowd(monkeypatch: pytest.MonkeyPatch) -> None:
    """Part fewer at once: tokens take a while to make."""
    monkeypatch.setattr("askance_collect.collect.apart.PARTING_CROWD", CROWD)


@pytest.fixture(scope="module")
def issuer(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Issuer]:
    opened = create_issuer(tmp_path_factory.mktemp("issuer") / "campus.issuer", GROUPS)
    yield opened
    opened.close()


@pytest.fixture(scope="module")
def form(issuer: Issuer) -> Form:
    keys = [
        {"name": key.name, "n": to_base64url(key.modulus.to_bytes(key.length, "big"))}
        for key in issuer.public_keys
    ]
    document = ak.publish(ak.load_survey("examples/apart.toml")).document
    return Form.read(document | {"tokens": {"issuer": "https://issuer.example/", "keys": keys}})


def sent(form: Form, issuer: Issuer, group: str, code: str, number: int) -> bytes:
    """What a device posts: it exchanges a code, and answers with the token."""
    drawn = blind(form, GROUPS.index(group))
    token = drawn.token(issuer.sign(code, drawn.message))
    chosen: dict[str, object] = {
        "faculty": random.randrange(4),
        "year": random.randrange(3),
        "city": random.randrange(2),
        "cheated": random.randrange(2),
        "cannabis": random.randrange(2),
        "drinks": random.randrange(8),
        "more": f"text of report {number:05}",
    }
    return respond(form, chosen).body(form.size) + token.text.encode("ascii")


@pytest.fixture(scope="module")
def bodies(form: Form, issuer: Issuer) -> list[bytes]:
    codes = {group: issuer.invite(CROWDS * CROWD // 2, group) for group in GROUPS}
    pairs = [(group, code) for group in GROUPS for code in codes[group]]
    random.shuffle(pairs)
    return [sent(form, issuer, *pair, number) for number, pair in enumerate(pairs)]


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "campus.db"


@pytest.fixture
def store(path: Path, form: Form) -> Iterator[ApartStore]:
    opened = open_store(path, form)
    assert isinstance(opened, ApartStore)
    yield opened
    opened.close()


def append(store: ApartStore, form: Form, bodies: list[bytes], at_once: int = 7) -> list[Outcome]:
    outcomes = []
    for index in range(0, len(bodies), at_once):
        outcomes += store.append([accept(body, form) for body in bodies[index : index + at_once]])
    return outcomes


def bytes_of(path: Path) -> bytes:
    files = [path.with_name(f"{path.name}{end}") for end in ENDS]
    return b"".join(file.read_bytes() for file in files if file.exists())


def test_a_token_counts_once_before_and_after_its_report_is_parted(
    store: ApartStore, form: Form, bodies: list[bytes]
) -> None:
    assert set(append(store, form, bodies)) == {Outcome.NEW}
    assert store.spent_tokens() == {0: len(bodies) // 2, 1: len(bodies) // 2}
    assert store.count_waiting() < CROWD
    assert append(store, form, bodies[:5] + bodies[-5:]) == [Outcome.REPEATED] * 10
    for body in (bodies[0], bodies[-1]):
        other = respond(form, {"more": "another"}).body(form.size) + body[form.size :]
        assert append(store, form, [other]) == [Outcome.SPENT]
    with pytest.raises(ReportRefused):
        accept(bodies[0][: form.size], form)
    store.close_survey()
    assert store.count_waiting() == 0
    assert store.count() == len(bodies)
    assert sum(store.spent_tokens().values()) == len(bodies)


@pytest.mark.parametrize("closed", [False, True])
def test_neither_part_nor_its_export_has_a_token_or_an_id_of_the_whole(
    store: ApartStore, path: Path, form: Form, bodies: list[bytes], *, closed: bool
) -> None:
    append(store, form, bodies)
    if closed:
        store.close_survey()
    whole = [accept(body, form) for body in bodies]
    for part in FormPart:
        other = next(each for each in FormPart if each is not part)
        content = bytes_of(path_of_part(path, part))
        assert b"issuer.example" not in content
        assert not any(report.token in content or report.id in content for report in whole)
        assert not any(id_of_part(report.id, other) in content for report in whole)
        opened = open_store(path_of_part(path, part), read_only=True)
        own = form_of_part(form, part)
        assert (own.tokens, opened.spent_tokens()) == (None, {})
        table, lines = path.with_name(f"{part.value}.csv"), path.with_name(f"{part.value}.jsonl")
        export_csv(opened, own, table)
        export_jsonl(opened, own, lines)
        opened.close()
        with table.open(encoding="utf-8", newline="") as file:
            names = {
                name.removesuffix("_above").removesuffix("_upto") for name in next(csv.reader(file))
            }
        assert names - {"respondent"} == {question.name for question in own.questions}
        exported = table.read_bytes() + lines.read_bytes()
        for report in whole:
            for word in (report.token, report.id, id_of_part(report.id, part)):
                assert word.hex().encode() not in exported


def places(content: bytes, words: list[bytes], order: Callable[[bytes, bytes], int]) -> list[int]:
    """The numbers of those words that are there, in an order of the file."""
    there = [number for number, word in enumerate(words) if word in content]
    return sorted(there, key=lambda number: order(content, words[number]))


ORDERS: dict[str, Callable[[bytes, bytes], int]] = {
    "first": bytes.find,
    "last": bytes.rfind,
    "copies": lambda content, word: content.count(word) * 1_000_000 + content.find(word),
    "value": lambda _, word: int.from_bytes(word[:8], "big"),
}


def joined(
    path: Path, form: Form, bodies: list[bytes], order: Callable[[bytes, bytes], int]
) -> int:
    """Match parts with each other and with tokens by how they lie in the files; count the most."""
    whole = [accept(body, form) for body in bodies]
    sources = [(bytes_of(path), [report.token for report in whole])]
    for part in FormPart:
        words = [id_of_part(report.id, part) for report in whole]
        sources.append((bytes_of(path_of_part(path, part)), words))
    ranked = [places(content, words, order) for content, words in sources]
    return max(
        sum(first == second for first, second in zip(*pair, strict=False))
        for pair in combinations(ranked, 2)
    )


@pytest.mark.parametrize("closed", [False, True])
def test_nothing_joins_a_token_or_the_other_part_better_than_chance(
    store: ApartStore, path: Path, form: Form, bodies: list[bytes], *, closed: bool
) -> None:
    append(store, form, bodies)
    if closed:
        store.close_survey()
    for name, order in ORDERS.items():
        # Of a Poisson variable of mean 5, 30 or more come with chance 1e-13.
        assert joined(path, form, bodies, order) < 30, name


def test_a_twin_that_parts_in_the_order_of_tokens_is_seen(
    path: Path, form: Form, bodies: list[bytes], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The twin derives ids of parts from the tokens."""
    tokens = {accept(body, form).id: accept(body, form).token for body in bodies}

    def numbered(id: bytes, part: FormPart) -> bytes:
        return tokens[id][:15] + bytes([part is FormPart.PLAIN])

    monkeypatch.setattr("askance_collect.collect.apart.id_of_part", numbered)
    monkeypatch.setitem(globals(), "id_of_part", numbered)
    opened = open_store(path, form)
    assert isinstance(opened, ApartStore)
    append(opened, form, bodies)
    opened.close_survey()
    assert max(joined(path, form, bodies, order) for order in ORDERS.values()) > 30
    opened.close()


def test_no_file_has_a_time_or_a_number_of_arrival(
    store: ApartStore, path: Path, form: Form, bodies: list[bytes]
) -> None:
    append(store, form, bodies)
    parts = {"survey": ["form", "closed"], "reports": ["id", "answers"], "sums": ["sums"]}
    expected = {path: parts | {"spent": ["token", "key"]}}
    expected |= {path_of_part(path, part): parts for part in FormPart}
    for file, columns in expected.items():
        with sqlite3.connect(file) as database:
            query = "SELECT name FROM sqlite_schema WHERE type = 'table'"
            tables = [name for (name,) in database.execute(query)]
            kept = {
                name: [column for _, column, *_ in database.execute(f"PRAGMA table_info({name})")]
                for name in tables
            }
        database.close()
        assert kept == columns
