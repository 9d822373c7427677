"""Quotas by plain answers: counted by the collector, told at the door, the same to everybody."""

import json
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from http.client import HTTPConnection
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest

import askance as ak
from askance_collect.collect import create_app, open_store, serving
from askance_collect.errors import SurveyError
from askance_collect.respond import respond
from askance_collect.wire import Form

SURVEY = """
askance = "survey-1"
title = "Study"
consent = "Say it or leave."
[[quota]]
question = "sex"
answer = "female"
most = 2
[[quota]]
question = "sex"
answer = "male"
most = 3
[[question]]
name = "sex"
text = "Are you …?"
answers = ["female", "male"]
[[question]]
name = "used"
text = "Have you ever used it?"
answers = ["yes", "no"]
mechanism = { name = "warner", truth = "3/4" }
"""
FEMALE, MALE = 0, 1


def form_of(text: str = SURVEY) -> Form:
    return ak.publish(ak.parse_survey(text.encode()))


@pytest.fixture(params=["sqlite", pytest.param("postgres", marks=pytest.mark.postgres)])
def store_path(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[str]:
    if request.param == "sqlite":
        yield str(tmp_path / "survey.db")
        return
    import psycopg

    url = request.getfixturevalue("postgres_url")
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute("DROP SCHEMA IF EXISTS askance CASCADE")
    yield url


class Door:
    """Whoever hands reports in, and asks at the door."""

    def __init__(self, url: str, form: Form) -> None:
        self.host, self.form = urlsplit(url).netloc, form

    def _say(self, method: str, body: bytes | None = None) -> tuple[int, Any]:
        line = HTTPConnection(self.host, timeout=20)
        line.request(method, "/report", body, {"content-type": "text/plain"})
        reply = line.getresponse()
        result = reply.status, json.loads(reply.read())
        line.close()
        return result

    def send(self, sex: int | None, body: bytes | None = None) -> bytes:
        body = body or respond(self.form, {"sex": sex, "used": 1}).body(self.form.size)
        assert self._say("POST", body)[0] in (200, 201)
        return body

    def told(self) -> Any:
        return self._say("GET")[1]


@pytest.fixture
def serve(store_path: str) -> Callable[[Form, Callable[[Door], None]], None]:
    def run(form: Form, do: Callable[[Door], None]) -> None:
        store = open_store(store_path, form)
        try:
            with serving(create_app(form, b"", {}, "ab" * 32, store)) as url:
                do(Door(url, form))
        finally:
            store.close()

    return run


def test_what_is_full_is_told_and_survives_a_restart(serve: Any) -> None:
    form = form_of()

    def first(door: Door) -> None:
        assert door.told() == {"form": form.fingerprint, "full": [], "open": True}
        once = door.send(FEMALE)
        door.send(FEMALE, once)
        door.send(None)
        door.send(MALE)
        assert door.told()["full"] == []
        door.send(FEMALE)
        assert door.told() == {"form": form.fingerprint, "full": [[0, FEMALE]], "open": True}

    def second(door: Door) -> None:
        assert door.told()["full"] == [[0, FEMALE]]
        door.send(MALE)
        door.send(MALE)
        assert door.told() == {
            "form": form.fingerprint,
            "full": [[0, FEMALE], [0, MALE]],
            "open": False,
        }
        door.send(FEMALE)

    serve(form, first)
    serve(form, second)


def test_those_who_began_in_time_are_kept_though_there_is_one_too_many(serve: Any) -> None:
    form = form_of()

    def race(door: Door) -> None:
        bodies = [respond(form, {"sex": FEMALE, "used": 0}).body(form.size) for _ in range(12)]
        with ThreadPoolExecutor(6) as people:
            list(people.map(lambda body: door.send(None, body), bodies))
        assert door.told()["full"] == [[0, FEMALE]]

    serve(form, race)


def test_a_form_without_quotas_is_answered_as_before(serve: Any) -> None:
    form = form_of(SURVEY[: SURVEY.index("[[quota]]")] + SURVEY[SURVEY.index("[[question]]") :])
    assert form.document["askance"] == "form-1"
    serve(form, lambda door: _same(door.told(), {"form": form.fingerprint, "open": True}))


def _same(result: Any, expected: Any) -> None:
    assert result == expected


def test_quotas_are_written_by_positions_and_told() -> None:
    form = form_of()
    assert form.document["quotas"] == [
        {"question": 0, "answer": 0, "most": 2},
        {"question": 0, "answer": 1, "most": 3},
    ]
    assert [quota.maximum for quota in Form.read(form.bytes).quotas] == [2, 3]
    text = " ".join(ak.check(form).questions[0].sentences)
    assert "Once 2 reports say “female”, people with this answer are turned away" in text


@pytest.mark.parametrize(
    ("old", "new", "where", "message"),
    [
        ('question = "sex"', 'question = "used"', "quota[0].question", "count by another question"),
        ('question = "sex"', 'question = "sexe"', "quota[0].question", "sex"),
        ('answer = "female"', 'answer = "femal"', "quota[0].answer", "female"),
        ('answer = "male"', 'answer = "female"', "quota[1]", "one quota each"),
        ("most = 2", "most = -2", "quota[0].most", "a number of people"),
        ("most = 2", 'most = "many"', "quota[0].most", "a whole number"),
        ("most = 2", "mots = 2", "quota", "most"),
    ],
)
def test_a_quota_that_reports_cannot_count_is_refused(
    old: str, new: str, where: str, message: str
) -> None:
    with pytest.raises(SurveyError) as error:
        form_of(SURVEY.replace(old, new, 1))
    assert error.value.where.startswith(where)
    assert message in str(error.value)
