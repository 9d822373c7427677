"""From a Survey to a Form: build the channels, round them to integers, judge the integers."""

import math
import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeVar

from askance.arguments import checked
from askance.errors import FormError, SurveyError
from askance.exact.level import loss_within
from askance.privacy.guarantee import Guarantee, Notion
from askance.privacy.ledger import compose
from askance.survey.deployed import guarantees_of
from askance.survey.deployment import all_different, deploy, languages_of, wording_of
from askance.survey.outlook import outlook
from askance.survey.survey_file import Survey
from askance.wire.form import VERSION, Form, body_size
from askance.wire.question import Question, read_question

MOST_QUESTIONS = 200
_LEVELS = "epsilon", "ratio"
_PRIVATE = re.compile(r"https://|http://(127\.0\.0\.1|localhost)([:/]|$)")

Read = TypeVar("Read")


@checked
def publish(survey: Survey) -> Form:
    """Turn a survey into the form that is deployed.

    Raises
    ------
    SurveyError
        With the path in the survey file of the first thing that cannot be deployed as written.

    >>> from askance.survey.survey_file import parse_survey
    >>> form = publish(parse_survey(b'''
    ... askance = "survey-1"
    ... title = "Example"
    ... consent = "Taking part is voluntary."
    ... [[question]]
    ... name = "affair"
    ... text = "Have you ever had an affair?"
    ... answers = ["yes", "no"]
    ... mechanism = { name = "abstain", truth = "3/5", lie = "1/10" }
    ... '''))
    >>> form.questions[0].table.rows
    ((6, 1, 3), (1, 6, 3))
    """
    languages = languages_of(survey.languages)
    specs = survey.question
    if not 1 <= len(specs) <= MOST_QUESTIONS:
        raise SurveyError("question", got=len(specs), allowed=f"1 to {MOST_QUESTIONS} questions")
    all_different([spec.name for spec in specs], "question")
    raw = [deploy(spec, languages, f"question[{at}]") for at, spec in enumerate(specs)]
    read = _as_deployed(
        lambda: tuple(
            read_question({"about": {}} | one, languages, f"questions[{at}]")
            for at, one in enumerate(raw)
        )
    )
    judged = {question.name: guarantees_of(question) for question in read}
    for document in raw:
        if "about" in document:
            document["about"]["guarantees"] = _recorded(judged[document["name"]])
    _foresee(raw, read, languages[0])
    _keep_promises(survey, judged)
    document = {
        "askance": VERSION,
        "title": wording_of(survey.title, languages, "title"),
        "consent": wording_of(survey.consent, languages, "consent"),
        "contact": wording_of(survey.contact, languages, "contact", empty=True),
        "languages": list(languages),
        "collector": _collector(survey.collector),
        "questions": raw,
        "size": body_size(read),
        "about": {"minimum": _minimum(survey.minimum), "traits": _traits(survey, judged)},
    }
    return _as_deployed(lambda: Form.read(document))


def _foresee(raw: Sequence[dict[str, Any]], read: Sequence[Question], language: str) -> None:
    """Write what a report will look like, for people, beside the guarantees."""
    for document, question in zip(raw, read, strict=True):
        if expected := outlook(question, language):
            document["about"]["expected"] = expected.to_dict()


def _as_deployed(read: Callable[[], Read]) -> Read:
    """Read what was written, so that a refusal names its place in the survey file."""
    try:
        return read()
    except FormError as error:
        where = error.where.replace("questions[", "question[")
        raise SurveyError(where, got=error.got, allowed=error.allowed) from error


def _recorded(guarantees: Sequence[Guarantee]) -> dict[str, dict[str, str]]:
    return {guarantee.notion.name.lower(): _figures(guarantee) for guarantee in guarantees}


def _figures(guarantee: Guarantee) -> dict[str, str]:
    figures = {"value": guarantee.printed(6), "attained": guarantee.attained}
    if guarantee.notion.is_loss:
        loss = guarantee.epsilon
        figures["epsilon"] = f"{loss:.6f}" if math.isfinite(loss) else "∞"
    if guarantee.spread:
        figures["spread"] = guarantee.spread
    return figures


def _keep_promises(survey: Survey, judged: Mapping[str, Sequence[Guarantee]]) -> None:
    """Refuse a form whose integers guarantee less than the survey file asks for."""
    for at, spec in enumerate(survey.question):
        asked = {name: value for name, value in (spec.mechanism or {}).items() if name in _LEVELS}
        loss = next((one for one in judged[spec.name] if one.notion is Notion.LOCAL), None)
        if asked and loss is not None and not loss_within(loss.value, **asked):
            raise SurveyError(
                f"question[{at}].mechanism.{next(iter(asked))}",
                got=", ".join(map(str, asked.values())),
                allowed=f"at least ε = {loss.epsilon}, which is what whole numbers can keep",
            )


def _traits(survey: Survey, judged: Mapping[str, Sequence[Guarantee]]) -> list[dict[str, Any]]:
    """Compose the guarantees of questions that are declared to be about one trait."""
    groups: dict[str, list[str]] = {}
    for spec in survey.question:
        if spec.mechanism is not None:
            groups.setdefault(spec.trait or spec.name, []).append(spec.name)
    return [
        {
            "name": trait,
            "questions": names,
            "guarantees": _recorded(together([judged[name] for name in names])),
        }
        for trait, names in groups.items()
        if len(names) > 1
    ]


def together(judged: Sequence[Sequence[Guarantee]]) -> tuple[Guarantee, ...]:
    """Compose the guarantees of several questions, notion by notion.

    A question without a notion breaks it: next to a range, which rules answers out, no local loss
    of the group is finite.
    """
    found = [{one.notion: one for one in guarantees} for guarantees in judged]
    notions = [Notion.LOCAL, Notion.SHAFER, Notion.WALLEY, Notion.COVERAGE]
    return tuple(
        compose([guarantees[notion] for guarantees in found])
        for notion in notions
        if all(notion in guarantees for guarantees in found)
    )


def _collector(url: str) -> str:
    """Give the collector's folder, with the slash that a folder ends in."""
    if url and not _PRIVATE.match(url):
        raise SurveyError(
            "collector", got=url, allowed="an https:// address, or nothing for the page's own"
        )
    return f"{url.rstrip('/')}/" if url else ""


def _minimum(count: int) -> int:
    if not 1 <= count <= 1_000_000:
        raise SurveyError("minimum", got=count, allowed="a number of reports in [1, 1000000]")
    return count
