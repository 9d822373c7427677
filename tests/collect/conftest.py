"""Reports to collect, made as a respondent's device makes them."""

import itertools
import random
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from askance.respond import respond
from askance.wire import Choice, CutsQuestion, Form, Number, Report, TableQuestion


@pytest.fixture(scope="session")
def make_report(affairs_form: Form) -> Callable[[], Report]:
    def make() -> Report:
        answers = {}
        for question in affairs_form.questions:
            match question:
                case TableQuestion() | Choice():
                    answers[question.name] = random.randrange(len(question.answers))
                case CutsQuestion() | Number():
                    answers[question.name] = random.randrange(question.line.ticks)
        return respond(affairs_form, answers)

    return make


@pytest.fixture
def make_body(affairs_form: Form, make_report: Callable[[], Report]) -> Callable[[], bytes]:
    return lambda: make_report().body(affairs_form.size)


@pytest.fixture(params=["sqlite", pytest.param("postgres", marks=pytest.mark.postgres)])
def place(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Callable[[], str]]:
    """Where a new and empty store can be made, as often as asked."""
    if request.param == "sqlite":
        numbers = itertools.count()
        yield lambda: str(tmp_path / f"survey{next(numbers)}.db")
        return
    import psycopg

    url = request.getfixturevalue("postgres_url")

    def emptied() -> str:
        with psycopg.connect(url, autocommit=True) as connection:
            connection.execute("DROP SCHEMA IF EXISTS askance CASCADE")
        return url

    yield emptied
