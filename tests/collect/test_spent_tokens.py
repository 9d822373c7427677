"""A token counts once: in both stores, over HTTP, after a withdrawal, a repair and a restart."""

import itertools
import json
import sqlite3
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from http.client import HTTPConnection
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
from click.testing import CliRunner
from cryptography.hazmat.primitives.asymmetric import padding, rsa
from cryptography.hazmat.primitives.hashes import SHA384
from hypothesis import given, settings
from hypothesis import strategies as st

import askance as ak
from askance.cli import verbs
from askance_collect.collect import (
    Accepted,
    Outcome,
    Store,
    accept,
    create_app,
    export_receipts,
    open_store,
    repair,
    serving,
)
from askance_collect.errors import DocumentError, ReportRefused
from askance_collect.respond import respond
from askance_collect.wire import Form, Token, to_base64url, token_message

SURVEY = """
askance = "survey-1"
title = "Exams"
consent = "Say it or leave."
[[question]]
name = "cheated"
text = "Have you ever cheated in an exam?"
answers = ["yes", "no"]
"""
NEW, REPEATED, CONFLICTING, CLOSED, SPENT = (
    Outcome.NEW,
    Outcome.REPEATED,
    Outcome.CONFLICTING,
    Outcome.CLOSED,
    Outcome.SPENT,
)


@pytest.fixture(scope="module")
def keys() -> list[rsa.RSAPrivateKey]:
    return [rsa.generate_private_key(65537, 2048) for _ in range(2)]


@pytest.fixture(scope="module")
def form(keys: list[rsa.RSAPrivateKey]) -> Form:
    listed = [
        {"name": name, "n": to_base64url(key.public_key().public_numbers().n.to_bytes(256, "big"))}
        for name, key in zip(["north", "south"], keys, strict=True)
    ]
    tokens = {"issuer": "https://issuer.example/", "keys": listed}
    document = ak.publish(ak.parse_survey(SURVEY.encode())).document
    return Form.read(document | {"askance": "form-2", "tokens": tokens})


@pytest.fixture(scope="module")
def make_token(keys: list[rsa.RSAPrivateKey], form: Form) -> Callable[..., Token]:
    numbers = itertools.count()
    pss = padding.PSS(padding.MGF1(SHA384()), 48)

    def make(key: int = 0, of: str | None = None) -> Token:
        prefix = next(numbers).to_bytes(32, "big")
        message = token_message(of or form.fingerprint, prefix)
        return Token(key, prefix, keys[key].sign(message, pss, SHA384()))

    return make


def report(id: int, value: int = 0, token: int = 0, key: int = 0) -> Accepted:
    answers = f'{{"cheated":{value}}}'
    return Accepted(id.to_bytes(16, "big"), answers, token.to_bytes(32, "big"), key)


def test_a_token_brings_one_report(place: Callable[[], str], form: Form) -> None:
    store = open_store(place(), form)
    assert store.append([report(1, token=1), report(2, token=2, key=1)]) == [NEW, NEW]
    assert store.append([report(3, token=1)]) == [SPENT]
    assert store.append([report(1, token=1)]) == [REPEATED]
    assert store.append([report(1, 1, token=1)]) == [CONFLICTING]
    batch = [report(3, token=3), report(4, token=3), report(1, token=4), report(5, token=2)]
    assert store.append(batch) == [NEW, SPENT, REPEATED, SPENT]
    assert store.append([report(6, token=4)]) == [NEW]
    assert store.count() == 4
    assert dict(store.spent_tokens()) == {0: 3, 1: 1}
    store.close()


def test_more_tokens_than_codes_are_told_of(tmp_path: Path, form: Form) -> None:
    """What an issuer cannot hide: more spent under a key than the form says that it has codes."""
    document = form.document
    for key, codes in zip(document["tokens"]["keys"], (2, 1200), strict=True):
        key["codes"] = codes
    store = open_store(tmp_path / "a.db", Form.read(document | {"about": {"minimum": 2}}))
    store.append([report(1, token=1), report(2, token=2), report(3, token=3, key=1)])

    def told() -> str:
        return CliRunner().invoke(verbs, ["collect", "status", str(tmp_path / "a.db")]).output

    first, second = (key["name"] for key in document["tokens"]["keys"])
    assert f"tokens spent: 2 of 2 {first}, 1 of 1,200 {second}\n" in told()
    assert "more tokens" not in told()
    store.append([report(4, token=4)])
    assert f"more tokens than codes under {first}: its issuer has signed for more people" in told()
    store.close()


def test_a_report_that_is_taken_out_does_not_give_its_token_back(
    place: Callable[[], str], form: Form
) -> None:
    where = place()
    store = open_store(where, form)
    store.append([report(1, token=1), report(2, token=2)])
    store.withdraw((1).to_bytes(16, "big"))
    assert store.append([report(1, token=1), report(3, token=1)]) == [SPENT, SPENT]
    store.close()
    store = open_store(where, form)
    store.check()
    assert store.append([report(4, token=1)]) == [SPENT]
    assert (store.count(), dict(store.spent_tokens())) == (1, {0: 2})
    store.close_survey()
    assert store.append([report(5, token=5)]) == [CLOSED]
    assert store.append([report(2, token=2)]) == [REPEATED]
    assert dict(store.spent_tokens()) == {0: 2}
    assert len(list(store.reports())) == 1
    store.close()


def test_both_stores_do_as_a_dictionary_does(place: Callable[[], str], form: Form) -> None:
    builds_result = st.builds(
        report, st.integers(1, 5), st.integers(0, 1), st.integers(1, 4), st.integers(0, 1)
    )

    @settings(max_examples=12, deadline=None)
    @given(st.lists(st.lists(builds_result, max_size=4), max_size=6))
    def as_a_dictionary(batches: list[list[Accepted]]) -> None:
        store = open_store(place(), form)
        remaining: dict[bytes, str] = {}
        spent: set[bytes] = set()
        try:
            for batch in batches:
                expected = {}
                for pair in sorted({item.id: item for item in reversed(batch)}.items()):
                    id, first = pair
                    if id not in remaining and first.token not in spent:
                        remaining[id] = first.answers
                        spent.add(first.token)
                        expected[id] = NEW
                outcomes = store.append(batch)
                for messages, outcome in zip(batch, outcomes, strict=True):
                    if messages.id not in remaining:
                        assert outcome is SPENT
                    elif remaining[messages.id] != messages.answers:
                        assert outcome is CONFLICTING
                    else:
                        assert outcome is expected.pop(messages.id, REPEATED)
            assert dict(store.reports()) == {id.hex(): value for id, value in remaining.items()}
            assert sum(store.spent_tokens().values()) == len(spent)
            store.check()
        finally:
            store.close()

    as_a_dictionary()


def test_of_many_with_one_token_one_is_kept(place: Callable[[], str], form: Form) -> None:
    """Several servers write to one database at once; a file has one writer."""
    where = place()
    open_store(where, form).close()
    several = 4 if where.startswith("postgres") else 1
    stores = [open_store(where, form) for _ in range(several)]

    def send(server: int) -> list[Outcome]:
        result = []
        for index in range(server, 8, several):
            batch = [
                report(100 * index + position, token=1 + position % 5) for position in range(10)
            ]
            result += stores[server].append(batch)
        return result

    with ThreadPoolExecutor(several) as servers:
        ones = [element for item in servers.map(send, range(several)) for element in item]
    assert ones.count(NEW) == 5
    assert ones.count(SPENT) == 75
    assert stores[0].count() == 5 == sum(stores[0].spent_tokens().values())
    for store in stores:
        store.close()
    whole_store = open_store(where, form)
    whole_store.check()
    whole_store.close()


def test_a_store_notices_a_token_that_was_taken_out_or_put_in(tmp_path: Path, form: Form) -> None:
    for index, change in enumerate(
        [
            "DELETE FROM spent WHERE key = 1",
            "UPDATE spent SET key = 1",
            "INSERT INTO spent VALUES (x'00', 0)",
        ]
    ):
        path = tmp_path / f"{index}.db"
        store = open_store(path, form)
        store.append([report(1, token=1), report(2, token=2, key=1)])
        store.close()
        with sqlite3.connect(path) as file:
            file.execute(change)
        file.close()
        store = open_store(path, form)
        with pytest.raises(DocumentError, match="not all as they were kept"):
            store.append([report(3, token=3)])
        store.close()


def test_a_repair_keeps_what_is_spent(tmp_path: Path, form: Form) -> None:
    store = open_store(tmp_path / "old.db", form)
    store.append([report(1, token=1), report(2, token=2, key=1)])
    store.withdraw((1).to_bytes(16, "big"))
    store.close()
    done = repair(tmp_path / "old.db", tmp_path / "new.db")
    assert (done.saved, done.complete, done.spent) == (1, True, 2)
    store = open_store(tmp_path / "new.db", form)
    assert store.append([report(3, token=1), report(4, token=4)]) == [SPENT, NEW]
    store.close()


def body_of(form: Form, token: str) -> bytes:
    return respond(form, {"cheated": 0}).body(form.size) + token.encode("ascii")


def test_a_report_without_a_token_that_its_issuer_signed_is_refused(
    form: Form, make_token: Callable[..., Token]
) -> None:
    good = make_token(1)
    accept_result = accept(body_of(form, good.text), form)
    assert (accept_result.token, accept_result.key) == (good.digest, 1)
    assert good.digest.hex() not in repr(accept_result)
    for wrong, code in [
        ("", "size"),
        (good.text[:-1], "size"),
        (good.text + "A", "size"),
        ("A" * len(good.text), "token"),
        (make_token(of="ab" * 32).text, "token"),
        ("é" * (len(good.text) // 2), "token"),
    ]:
        with pytest.raises(ReportRefused) as refused:
            accept(respond(form, {"cheated": 0}).body(form.size) + wrong.encode(), form)
        assert refused.value.code == code


def post(url: str, body: bytes) -> tuple[int, Any]:
    home = urlsplit(url)
    line = HTTPConnection(home.netloc, timeout=20)
    try:
        line.request("POST", "/report", body, {"content-type": "text/plain"})
        reply = line.getresponse()
        return reply.status, json.loads(reply.read())
    finally:
        line.close()


def test_over_http_each_refusal_has_its_status_and_receipts_are_of_reports(
    tmp_path: Path, form: Form, make_token: Callable[..., Token]
) -> None:
    store: Store = open_store(tmp_path / "survey.db", form)
    with serving(create_app(form, b"<!DOCTYPE html>", {}, "00" * 32, store)) as url:
        token = make_token().text
        first = body_of(form, token)
        status, replies = post(url, first)
        assert status == 201
        assert post(url, first) == (200, replies)
        status, refused = post(url, body_of(form, token))
        assert (status, refused["error"]["code"]) == (409, "spent")
        status, refused = post(url, body_of(form, "A" * len(token)))
        assert (status, refused["error"]["code"]) == (403, "token")
        status, refused = post(url, first[: form.size])
        assert (status, refused["error"]["code"]) == (400, "size")
    export_receipts(store, tmp_path / "receipts")
    assert (tmp_path / "receipts").read_text().split() == [replies["digest"]]
    store.close()


def test_stores_of_other_forms_are_as_they_were(tmp_path: Path) -> None:
    plain = ak.publish(ak.parse_survey(SURVEY.encode()))
    store = open_store(tmp_path / "plain.db", plain)
    assert store.append([accept(respond(plain, {"cheated": 0}).body(plain.size), plain)]) == [NEW]
    assert dict(store.spent_tokens()) == {}
    store.close()
    with sqlite3.connect(tmp_path / "plain.db") as file:
        tables = {name for (name,) in file.execute("SELECT name FROM sqlite_schema")}
        assert file.execute("PRAGMA user_version").fetchone() == (2,)
    file.close()
    assert "spent" not in tables
