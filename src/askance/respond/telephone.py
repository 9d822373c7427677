"""A script for the telephone: the respondent's own banknote decides, and nobody hears its digits.

The digits are noted before the question is asked. The last digit of a serial number is left out:
on euro notes it is a check digit, and never 0.
"""

import textwrap
from collections.abc import Iterator
from dataclasses import dataclass
from typing import final

from askance.arguments import checked
from askance.exact.ratio import whole
from askance.respond.by_hand import DIGITS, Plan, Step
from askance.respond.on_paper import (
    MOST_COPIES,
    Words,
    coin_told,
    ends_of,
    in_turn,
    language_on_paper,
    named,
    plans_of,
    ranges_told,
    refuse_unaskable,
    said,
    sent_reports,
    tells,
    told_by,
    words_on_paper,
)
from askance.wire.answer_question import Choice, TableQuestion
from askance.wire.form import Form
from askance.wire.question import Number, Question
from askance.wire.text_question import FreeText

_WIDTH = 79


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class _Call:
    """What all calls have in common."""

    form: Form
    words: Words
    language: str
    plans: dict[str, Plan]


@checked
def telephone_script(
    form: Form, *, copies: int = 1, first: int = 1, language: str | None = None
) -> str:
    """Write a form as a script for interviewers, with the chances of the form.

    Up to three digits of a banknote that the respondent alone sees decide what is said; the
    interviewer learns the report and nothing else. If all digits are equally likely, each answer's
    reports have exactly the chances of the form's table. The ranges of a number are drawn afresh
    for each copy, before the call.

    Parameters
    ----------
    form : Form
    copies : int
        1 to 10,000 calls; a form without ranges needs one script for all.
    first : int
        The number of the first, 1 or more.
    language : str, optional
        One of the form's; its first that there are words of, if left out.

    Returns
    -------
    str
        Plain text, in lines of 79 characters at most; a form feed between copies.

    Raises
    ------
    InputError
        If something of the form cannot be asked so as it is published, digits do not have its
        chances, or an argument means nothing.

    >>> import askance as ak
    >>> form = ak.publish(ak.parse_survey(b'''
    ... askance = "survey-1"
    ... title = "Tea"
    ... consent = "Say it or leave."
    ... [[question]]
    ... name = "tea"
    ... text = "Do you drink tea?"
    ... answers = ["yes", "no"]
    ... mechanism = { name = "warner", truth = "4/5" }
    ... '''))
    >>> from askance.respond import telephone_script
    >>> script = telephone_script(form)
    >>> [line.strip() for line in script.splitlines() if "If it" in line]
    ['If it is 0 to 5, say your true answer.', 'If it is 6 to 7, ...', 'If it is 8 to 9, ...']
    """
    number = whole(copies, "copies", f"a number of calls in [1, {MOST_COPIES}]", most=MOST_COPIES)
    at = whole(first, "first", "the number of the first call in [1, 10^6]", most=10**6)
    refuse_unaskable(form)
    spoken = language_on_paper(form, language)
    call = _Call(
        form=form,
        words=words_on_paper(spoken),
        language=spoken,
        plans=plans_of(form, DIGITS),
    )
    return "\n\f\n".join(_script(call, one) for one in range(at, at + number))


def _script(call: _Call, number: int) -> str:
    document, words = call.form.document, call.words
    lines = [
        document["title"][call.language],
        said(words, "sheet", number=number),
        "",
        *_wrapped("", said(words, "for_interviewer")),
        "",
    ]
    for part in ("consent", "contact"):
        if text := document[part][call.language].strip():
            lines += [*_wrapped(said(words, "say"), text), ""]
    used = 0
    for at, question in in_turn(call.form):
        lines += [f"{at}.", *_asked(call, question, used), ""]
        used += question.name in call.plans
    if used:
        lines += _wrapped(said(words, "say"), said(words, "end"))
    return "\n".join(lines).rstrip() + "\n"


def _asked(call: _Call, question: Question, used: int) -> Iterator[str]:
    """Write one question: digits are noted first, then it is asked, then the rule is read."""
    words, plan = call.words, call.plans.get(question.name)
    say, ask = said(words, "say"), said(words, "ask")
    if plan is not None:
        times = said(words, f"digits_{plan.times}")
        yield from _wrapped(say, words["telephone"][used > 0].format(times=times))
    yield from _wrapped(ask, question.text[call.language].strip())
    for text in _offered(call, question):
        yield from _wrapped("", f"- {text}", indent=len(ask) + 2)
    if plan is not None:
        yield from _wrapped(say, said(words, "your_digits"))
        for step in plan.steps:
            yield from _wrapped("", _rule(call, question, plan, step), indent=len(say) + 2)
    told = " ".join(_why(call, question))
    if told:
        yield from _wrapped(said(words, "if_asked"), told)
    yield from _wrapped(said(words, "note"), _noted(call, question))


def _why(call: _Call, question: Question) -> Iterator[str]:
    """Say what protects who replies, where something does."""
    if isinstance(question, TableQuestion):
        yield from tells("say", question, call.words, call.language)
    elif isinstance(question, Choice):
        yield from coin_told("say", question, call.words, call.language)


def _offered(call: _Call, question: Question) -> list[str]:
    """List what is read out to choose from."""
    match question:
        case Choice() | TableQuestion():
            return [named(answer, call.language) for answer in question.answers]
        case FreeText():
            return []
        case Number():
            return [said(call.words, "say_number", **ends_of(question))]
    return ranges_told(question, call.words, call.language)


def _rule(call: _Call, question: Question, plan: Plan, step: Step) -> str:
    faces = step.first
    if step.first != step.last:
        faces = f"{step.first} {said(call.words, 'to')} {step.last}"
    what = "; ".join(told_by("say", question, step, call.words, call.language))
    return said(call.words, "if_one" if plan.times == 1 else "if_digits", faces=faces, what=what)


def _noted(call: _Call, question: Question) -> str:
    """Say what the interviewer writes down."""
    match question:
        case TableQuestion():
            labels = sent_reports(question)
        case Choice():
            labels = list(question.answers)
        case _:
            return said(call.words, "only_said")
    spelt = [(named(one, call.language), one.name) for one in labels]
    reports = ", ".join(text if text == name else f"{text} [{name}]" for text, name in spelt)
    hidden = isinstance(question, TableQuestion)
    return said(call.words, "only_report" if hidden else "only_answer", reports=reports)


def _wrapped(who: str, text: str, indent: int = 0) -> list[str]:
    """Write what somebody says beside who says it, or further in."""
    begin = f"{who}: " if who else " " * indent
    lines = []
    for at, part in enumerate(text.splitlines()):
        lead = begin if at == 0 else " " * len(begin)
        lines += textwrap.wrap(
            part,
            _WIDTH,
            initial_indent=lead,
            subsequent_indent=" " * (len(begin) + (2 if part.startswith("- ") else 0)),
        )
    return lines
