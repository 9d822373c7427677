"""The way through a questionnaire: sections, who skips what, who sees what is sent, the ending."""

from collections.abc import Sequence
from typing import Any
from urllib.parse import urlsplit

from askance.errors import SurveyError, nearest
from askance.survey.specs import Place, QuestionSpec, SkipSpec, Survey
from askance.survey.wording import wording_of
from askance.wire.form import ORDERS, REVIEWS, may_be_untrue
from askance.wire.question import Question


def sections_of(
    specs: Sequence[QuestionSpec], places: Sequence[Place], languages: Sequence[str]
) -> list[dict[str, Any]]:
    """Write the sections of a form, each with the position of the question at which it begins.

    >>> from askance.survey.specs import SectionSpec
    >>> tea = QuestionSpec("tea", "Tea?", section=SectionSpec("Drinks", order="random"))
    >>> sections_of([tea], [("question[0]", "")], ["en"])
    [{'at': 0, 'title': {'en': 'Drinks'}, 'text': {'en': ''}, 'order': 'random'}]
    """
    written = []
    for at, (spec, (place, _)) in enumerate(zip(specs, places, strict=True)):
        if (begun := spec.section) is None:
            continue
        where = f"{place}.section"
        if begun.order not in ORDERS:
            remedy = nearest(begun.order, ORDERS)
            allowed = " or ".join(f'"{one}"' for one in ORDERS)
            raise SurveyError(f"{where}.order", got=begun.order, allowed=allowed, remedy=remedy)
        title = wording_of(begun.title, languages, f"{where}.title")
        text = wording_of(begun.text, languages, f"{where}.text", empty=True)
        order = {"order": begun.order} if begun.order != ORDERS[0] else {}
        written.append({"at": at, "title": title, "text": text, **order})
    return written


def skips_of(specs: Sequence[QuestionSpec], places: Sequence[Place]) -> list[dict[str, Any]]:
    """Write who skips what, by positions of questions and answers.

    >>> tea = QuestionSpec("tea", "Tea?", answers=["yes", "no"])
    >>> milk = QuestionSpec("milk", "With milk?", ["yes", "no"], skip=SkipSpec("tea", ["no"]))
    >>> skips_of([tea, milk], [("question[0]", ""), ("question[1]", "")])
    [{'question': 1, 'after': 0, 'answered': [1], 'send': None}]
    """
    written = []
    for at, (spec, (place, _)) in enumerate(zip(specs, places, strict=True)):
        if (skip := spec.skip) is None:
            continue
        where = f"{place}.skip"
        after = _before(specs, at, skip.after, where)
        _keep_hidden(spec, specs[after], skip, where)
        answered = [_answer(specs[after], one, f"{where}.answered") for one in skip.answered]
        if not answered or len(set(answered)) != len(answered):
            allowed = f"at least one answer to {skip.after}, each once"
            raise SurveyError(f"{where}.answered", got=skip.answered, allowed=allowed)
        send = None if skip.send is None else _answer(spec, skip.send, f"{where}.send")
        written.append({"question": at, "after": after, "answered": answered, "send": send})
    return written


def _before(specs: Sequence[QuestionSpec], at: int, name: str, where: str) -> int:
    """Find the question that a rule is on: one that is asked before, with answers of its own."""
    names = [spec.name for spec in specs[:at]]
    if name not in names:
        later = any(spec.name == name for spec in specs)
        remedy = "move this question below that one" if later else nearest(name, names)
        allowed = f"a question above this one: {', '.join(names) or 'none is'}"
        raise SurveyError(f"{where}.after", got=name, allowed=allowed, remedy=remedy)
    after = names.index(name)
    begun = [at for at, spec in enumerate(specs[: at + 1]) if spec.section is not None]
    section = specs[begun[-1]].section if begun else None
    if section is not None and section.order != ORDERS[0] and begun[-1] <= after:
        allowed = "a question that is always asked before: here chance makes the order"
        raise SurveyError(f"{where}.after", got=name, allowed=allowed)
    return after


def _keep_hidden(spec: QuestionSpec, after: QuestionSpec, skip: SkipSpec, where: str) -> None:
    """Refuse a skip that would tell a protected answer, or for which nothing can be sent."""
    if after.answers is None or after.coin is not None or spec.coin is not None:
        allowed = "a question with answers, and no coin in the world"
        raise SurveyError(f"{where}.after", got=skip.after, allowed=allowed)
    if spec.plain and not after.plain:
        raise SurveyError(
            f"{where}.after",
            got=f"{skip.after}, which is protected",
            allowed="an answer that is given plainly, where the question that is skipped is plain",
            remedy="what is sent would tell that answer: protect this question too",
        )
    if spec.line is not None and (skip.send is not None or not spec.plain):
        allowed = "beside a protected question answers; beside a plain line no send"
        raise SurveyError(where, got="a line", allowed=allowed)
    if skip.send is None and not spec.plain:
        raise SurveyError(
            f"{where}.send",
            got="nothing",
            allowed="the answer that is so of whoever skips this question",
            remedy="a protected question sends a report for everybody",
        )


def _answer(spec: QuestionSpec, name: str, where: str) -> int:
    """Find an answer of a question by its name."""
    given = spec.answers or []
    names = [one.strip() if isinstance(one, str) else one.get("name", "") for one in given]
    if name not in names:
        remedy = nearest(name, names)
        raise SurveyError(where, got=name, allowed=", ".join(names), remedy=remedy)
    return names.index(name)


def ending_of(survey: Survey, languages: Sequence[str]) -> dict[str, Any] | None:
    """Write what the last screen says: whom a panel sent is sent back past the collector.

    >>> from askance.survey.survey_file import load_survey
    >>> survey = load_survey("examples/affairs.toml")
    >>> ending_of(survey, ["en"]) is None
    True
    """
    if (given := survey.ending) is None:
        return None
    said: dict[str, Any] = {"code": given.code, "url": given.url}
    if given.thanks is not None:
        said["thanks"] = wording_of(given.thanks, languages, "ending.thanks")
    host = _host(survey.collector)
    if host and host == _host(given.url or ""):
        remedy = "the collector would learn who sent a report: lead to another host"
        raise SurveyError(
            "ending.url", got=given.url, allowed="an address elsewhere", remedy=remedy
        )
    return {key: part for key, part in said.items() if part is not None}


def review_of(review: str | None, questions: Sequence[Question]) -> str | None:
    """Write whether everybody is shown what is sent: to say so is needed where it may be untrue.

    >>> review_of("open", []) is None
    True
    """
    if review is None:
        return None
    if review not in REVIEWS:
        allowed = " or ".join(f'"{one}"' for one in REVIEWS)
        remedy = nearest(review, REVIEWS)
        raise SurveyError("review", got=review, allowed=allowed, remedy=remedy)
    on_request, _ = REVIEWS
    if may_be_untrue(questions):
        return None if review == on_request else review
    if review == on_request:
        raise SurveyError(
            "review",
            got=review,
            allowed='"open": all that is sent is true here, and everybody is shown it',
            remedy="leave review out",
        )
    return None


def _host(url: str) -> str | None:
    """The host of an address; of one that is none, nothing: it is refused where it is read."""
    try:
        return (urlsplit(url).hostname or "").rstrip(".")
    except ValueError:
        return None
