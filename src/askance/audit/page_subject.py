"""A respondent's page, audited from outside: driven in a browser, read by what it posts."""

import hashlib
import json
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, field
from importlib.resources import files
from pathlib import Path
from typing import Any, ClassVar, final

import numpy as np

from askance.audit.other_questions import choose_answer, describe_exchange, other_questions
from askance.audit.subject import LENGTH, NOTHING, AbstractSubject, Responses, table_law
from askance.channels.channel import Channel
from askance.study.chromium import open_chromium
from askance.typing import Integers
from askance_collect.errors import InputError
from askance_collect.respond.encode import follow_skips
from askance_collect.respond.page import render_page
from askance_collect.wire.form import Form
from askance_collect.wire.question import Choice, Question, TableQuestion
from askance_collect.wire.report import read_report

_HOME = "http://localhost/audit/"
_PATIENCE = 10_000
_ANSWER = (files("askance.audit") / "answer.js").read_text("utf-8")


@final
@dataclass(frozen=True, slots=True)
class PageSubject(AbstractSubject):
    """A question on a respondent's page, answered in a real browser, to be audited.

    The page is opened anew for each answer, and the report is what the page posts: nothing inside
    it is looked at. That takes a tenth of a second or so each. Other questions of which one answer
    is pressed are answered by chance, so that it is seen whether a report depends on them; where
    they would have the question skipped, and where numbers or texts are asked, the last answer is
    pressed or none.

    Attributes
    ----------
    form : Form
    question : str
        The name of a protected question with named answers and one choice.
    browser : Path or None
        A Chromium, if not the one on the command path.
    page : bytes or None
        The page that is driven, if not the one that Askance makes of the form.

    Raises
    ------
    InputError
        If the question is of another kind, or the page begins with an interviewer or a code.

    >>> import askance as ak
    >>> form = ak.publish(ak.load_survey("examples/affairs.toml"))
    >>> PageSubject(form, "religious").answers
    ('not at all', 'a little', 'fairly', 'strongly')
    """

    form: Form = field(repr=False)
    question: str
    browser: Path | None = None
    page: bytes | None = field(default=None, repr=False)
    name: str = field(init=False, repr=False)
    answers: tuple[str, ...] = field(init=False, repr=False)
    stated_channel: Channel = field(init=False, repr=False)
    constant: ClassVar[tuple[str, ...]] = (LENGTH,)
    at_a_time: ClassVar[int] = 100

    def __post_init__(self) -> None:
        question = self.form.question(self.question)
        where = f"PageSubject.{self.question}"
        if not isinstance(question, TableQuestion) or question.checkbox_count:
            allowed = "a protected question with named answers and one choice"
            raise InputError(where, got="another kind of question", allowed=allowed)
        if self.form.for_tablet or self.form.tokens is not None:
            allowed = "a page that anybody may answer on a device of their own"
            remedy = (
                "audit the survey without tablet = true and [tokens]: the questions are the same"
            )
            problem = "a page with an interviewer or a code"
            raise InputError(where, got=problem, allowed=allowed, remedy=remedy)
        object.__setattr__(self, "name", f"{self.question} on the page")
        object.__setattr__(self, "stated_channel", table_law(question))
        object.__setattr__(self, "answers", self.stated_channel.frame.answers)

    def respond(self, places: Integers) -> Responses:
        """Take the survey once for each answer, in a browser that is opened for all of them."""
        # In a thread of its own: the driver refuses to run where an event loop does.
        with ThreadPoolExecutor(1) as thread:
            chosen = [self._answer_others(position) for position in places.tolist()]
            bodies = thread.submit(self._collect_bodies, places.tolist(), chosen).result()
        names, values_sent = (
            self.stated_channel.reports,
            [read_report(body, self.form).values for body in bodies],
        )
        own_values = [values[self.question] for values in values_sent]
        reports = tuple(names[value] if isinstance(value, int) else NOTHING for value in own_values)
        lengths = np.array([len(body) for body in bodies], float)
        others = {
            question.name: tuple(
                describe_exchange(question, answers.get(question.name), values[question.name])
                for answers, values in zip(chosen, values_sent, strict=True)
            )
            for question in self._choice_questions
        }
        traces = {LENGTH: lengths}
        return Responses(
            reports=reports, traces=traces, other_answers=others, messages=tuple(bodies)
        )

    @property
    def _choice_questions(self) -> tuple[Question, ...]:
        """The other questions with one answer to choose."""
        others = other_questions(self.form, self.question)
        listed = (question for question in others if isinstance(question, TableQuestion | Choice))
        return tuple(
            question
            for question in listed
            if not (isinstance(question, TableQuestion) and question.checkbox_count)
        )

    def _answer_others(self, position: int) -> dict[str, int]:
        """Answer the other questions by chance; none where this one would then be skipped."""
        chosen = {question.name: choose_answer(question) for question in self._choice_questions}
        answers = follow_skips(self.form, chosen | {self.question: position})
        return chosen if answers[self.question] == position else {}

    def respond_twice(self) -> None:
        """Nothing: a browser draws from its operating system each time it is opened."""

    def _collect_bodies(
        self, places: list[int], chosen: Sequence[Mapping[str, int]]
    ) -> list[bytes]:
        bodies: list[bytes] = []
        language = self.form.languages[0]
        titles = {
            question.name: " ".join(question.text[language].split())
            for question in self.form.questions
        }
        wanted = titles[self.question]
        with open_chromium(self.browser) as opened, self._open_tab(opened, bodies) as tab:
            for visits, (position, answers) in enumerate(zip(places, chosen, strict=True), 1):
                tab.goto(_HOME)
                others = {titles[name]: answer for name, answer in answers.items()}
                complaint = tab.evaluate(_ANSWER, [wanted, position, others])
                if complaint or len(bodies) != visits:
                    problem = complaint or f"{len(bodies)} messages after {visits} visits"
                    allowed = "a page that goes from consent to receipt, and sends one report"
                    raise InputError(self.name, got=problem, allowed=allowed)
                tab.evaluate("() => sessionStorage.clear()")
        return bodies

    @contextmanager
    def _open_tab(self, opened: Any, bodies: list[bytes]) -> Iterator[Any]:
        """Open a browser window that reaches the page and its collector, and no other address."""
        rendered = render_page(self.form)
        page = rendered.bytes if self.page is None else self.page

        def answer(route: Any) -> None:
            request = route.request
            if request.method == "POST":
                body = request.post_data_buffer or b""
                bodies.append(body)
                receipt = {"accepted": True, "id": json.loads(body)["id"], "page": rendered.sha256}
                digest = hashlib.sha256(body).hexdigest()
                route.fulfill(json=receipt | {"digest": digest})
            elif request.url == _HOME:
                route.fulfill(body=page, headers={"Content-Type": "text/html; charset=utf-8"})
            else:
                route.fulfill(json={"form": self.form.fingerprint, "open": True})

        context = opened.new_context(locale=self.form.languages[0], reduced_motion="reduce")
        try:
            context.route("**/*", answer)
            tab = context.new_page()
            tab.set_default_timeout(_PATIENCE)
            yield tab
        finally:
            context.close()
