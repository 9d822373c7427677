"""Reports to collect, made as a respondent's device makes them."""

import random
from collections.abc import Callable

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
