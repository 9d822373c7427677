"""Asked without a screen: which forms can be, and what is said to those who are asked."""

import math
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from functools import cache
from importlib.resources import files
from types import MappingProxyType

from askance.errors import InputError
from askance.exact.ratio import written
from askance.respond.by_hand import Plan, Step, odds_of, plan_by_hand, plan_of_blank
from askance.respond.encode import cells, draw
from askance.wire.answer_question import Choice, TableQuestion
from askance.wire.form import Form
from askance.wire.label import Label
from askance.wire.question import CutsQuestion, Number, Question, RangeQuestion

Words = Mapping[str, str | Sequence[str]]
"""What is said, by its name: a sentence or several."""

MOST_COPIES = 10_000
"""How many sheets, or calls, are written at once."""

_FOLDER = files("askance.respond") / "paper"


def language_on_paper(form: Form, language: str | None) -> str:
    """Choose one of the form's languages: the first that there are words of, if none is asked for.

    Raises
    ------
    InputError
        If the form does not have it, or there are no words of it.
    """
    spoken = sorted(one.name.removesuffix(".toml") for one in _FOLDER.iterdir())
    usable = [tag for tag in form.languages if tag.partition("-")[0] in spoken]
    chosen = next(iter(usable), None) if language is None else language
    if chosen is None or chosen not in usable:
        raise InputError(
            "language",
            got=language or ", ".join(form.languages),
            allowed=f"a language of the form that paper speaks: {', '.join(usable) or 'none'}",
            remedy=f"there are words in {', '.join(spoken)}: publish the form in one of these",
        )
    return chosen


@cache
def words_on_paper(language: str) -> Words:
    """Give what is said in a language that there are words of."""
    file = _FOLDER / f"{language.partition('-')[0]}.toml"
    return MappingProxyType(tomllib.loads(file.read_text(encoding="utf-8")))


def said(words: Words, name: str, **blanks: object) -> str:
    """Give one sentence with its blanks filled in."""
    return str(words[name]).format(**blanks)


def refuse_unaskable(form: Form) -> None:
    """Refuse a form that only a device can ask as it is published.

    Raises
    ------
    InputError
        With every reason, each by the name of its question.

    >>> import askance as ak
    >>> survey = ak.parse_survey(b'''
    ... askance = "survey-1"
    ... title = "Tea"
    ... consent = "Say it or leave."
    ... [[question]]
    ... name = "cups"
    ... text = "How many cups a day?"
    ... line = { lower = 0, upper = 9 }
    ... mechanism = { name = "progressive", number = 2, floor = "1/5" }
    ... ''')
    >>> refuse_unaskable(ak.publish(survey))
    Traceback (most recent call last):
    askance.errors.InputError: form: got 'cups: its range is narrowed step by step'; allowed: ...
    """
    if reasons := [*_by_form(form), *_by_question(form)]:
        raise InputError(
            "form",
            got="; ".join(reasons),
            allowed="what can be asked as published without a device",
            remedy="publish a survey without these for whoever uses no screen, and join the "
            "estimates",
        )


def _by_form(form: Form) -> Iterator[str]:
    names = [one.name for one in form.questions]
    document = form.document
    for skip in form.skips:
        yield f"{names[skip.question]}: skipped after {names[skip.after]}, which a device decides"
    for quota in form.quotas:
        yield f"{names[quota.question]}: a quota, which the collector keeps"
    for at in sorted({one.question for one in form.images if one.answer is not None}):
        yield f"{names[at]}: images beside its answers"
    mixed = [at for at, one in enumerate(document.get("sections", ())) if "order" in one]
    yield from (f"sections[{at}]: its questions come in an order that chance draws" for at in mixed)
    piped = [one["name"] for one in document["questions"] if "piped" in one]
    yield from (f"{name}: its text takes up an earlier answer" for name in piped)


def _by_question(form: Form) -> Iterator[str]:
    for question in form.questions:
        if isinstance(question, CutsQuestion):
            if question.narrow:
                yield f"{question.name}: its range is narrowed step by step"
            if question.withhold:
                yield f"{question.name}: which range is withheld would stand on its sheet"
            if question.open:
                yield f"{question.name}: some answers are sent exactly, and others as ranges"
        if isinstance(question, TableQuestion) and question.invited:
            yield f"{question.name}: an invitation chooses its group"


def in_turn(form: Form) -> Iterator[tuple[int, Question]]:
    """Give the questions in the order in which they are asked, numbered from 1."""
    return enumerate(form.questions, start=1)


def named(label: Label, language: str) -> str:
    """Give a label's wording, in one line."""
    return " ".join(label.wording[language].split())


def ends_of(question: Number) -> dict[str, str]:
    """Give the least and the largest number of a plain question, and how far they lie apart."""
    line = question.line
    first = line.at(1) if line.whole else line.at(0)
    return {
        "least": written(first),
        "most": written(line.at(line.ticks)),
        "step": written(line.step),
    }


def plans_of(form: Form, device: str) -> dict[str, Plan]:
    """Lay out by hand what is left to chance: named answers, and blanks in the place of ranges."""
    plans = {}
    for question in form.questions:
        if isinstance(question, TableQuestion):
            plans[question.name] = plan_by_hand(question, device)
        elif question.blank[0]:
            name = f"question {question.name!r}"
            plans[question.name] = plan_of_blank(name, question.blank, device)
    return plans


def sent_reports(question: TableQuestion) -> list[Label]:
    """Give the reports that some answer can send."""
    columns = zip(*question.table.rows, strict=True)
    pairs = zip(question.reports, columns, strict=True)
    return [report for report, column in pairs if any(column)]


def told_by(way: str, question: Question, step: Step, words: Words, language: str) -> Iterator[str]:
    """Say what is to be reported where these faces came: to tick it, or to say it."""
    if set(step.reports) == {None}:
        yield said(words, f"{way}_nothing")
    elif not isinstance(question, TableQuestion):
        yield said(words, f"{way}_range")
    elif len(set(step.reports)) == 1 and step.reports[0] is not None:
        report = named(question.reports[step.reports[0]], language)
        yield said(words, f"{way}_report", report=report)
    elif _is_truth(question, step):
        yield said(words, f"{way}_truth")
    else:
        for own, at in zip(question.answers, step.reports, strict=True):
            answer = named(own, language)
            if at is None:
                yield said(words, f"{way}_nothing_if", answer=answer)
            else:
                report = named(question.reports[at], language)
                yield said(words, f"{way}_if", answer=answer, report=report)


def _is_truth(question: TableQuestion, step: Step) -> bool:
    pairs = zip(question.answers, step.reports, strict=True)
    return all(at is not None and question.reports[at].name == own.name for own, at in pairs)


def tells(way: str, question: TableQuestion, words: Words, language: str) -> Iterator[str]:
    """Say what a tick, or what is said, tells of who did it, and what it does not."""
    ratio, possible = odds_of(question)
    if ratio is not None:
        tenths = written(Fraction(math.ceil(ratio * 10), 10))
        yield said(words, f"{way}_protects", ratio=tenths.replace(".", said(words, "decimal")))
        return
    if any(len(answers) > 1 for answers in possible):
        yield said(words, f"{way}_rules_out")
    for report, answers in zip(sent_reports(question), possible, strict=True):
        if len(answers) == 1:
            answer = named(question.answers[answers[0]], language)
            yield said(words, f"{way}_tells", report=named(report, language), answer=answer)


def coin_told(way: str, question: Choice, words: Words, language: str) -> Iterator[str]:
    """Say by what a coin in the world protects a reply, and what the reply tells."""
    judged = question.judged
    if question.coin is not None and isinstance(judged, TableQuestion):
        coin = question.coin.text[language].strip()
        yield said(words, f"{way}_coin", coin=coin)
        yield from tells(way, judged, words, language)


def ranges_told(question: RangeQuestion, words: Words, language: str) -> list[str]:
    """Draw ranges afresh, and write each in words."""
    line, unit = question.line, question.unit[language]
    told = []
    for low, high in cells(question, draw(question)):
        lower, upper = written(line.at(low)), written(line.at(high))
        if low > high:
            ends = said(words, "outside", lower=lower, upper=upper)
        elif low == 0 and high == line.ticks:
            ends = said(words, "any")
        elif low == 0:
            ends = said(words, "upto", upper=upper)
        elif high == line.ticks:
            ends = said(words, "above", lower=lower)
        else:
            ends = said(words, "between", lower=lower, upper=upper)
        told.append(f"{ends} {unit}".strip())
    return told
