"""Surveys without a screen: which forms allow it, and the sentences that respondents read.

`on_paper` gives a form as it is asked: in one language, by one device, ticked on a sheet or said
at the telephone. What stands where on a sheet, or in a script, is for those who write these.
"""

import math
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from importlib.resources import files
from itertools import islice
from types import MappingProxyType
from typing import Any, Literal, final

from askance_collect.errors import InputError
from askance_collect.exact.ratio import read_integer, written
from askance_collect.respond.by_hand import DevicePlan, Step, odds_of, plan_by_hand, plan_of_blank
from askance_collect.respond.encode import draw, list_cells
from askance_collect.wire.form import Form
from askance_collect.wire.form_schema import Label
from askance_collect.wire.proof import (
    ProofKind,
    find_innocent,
    find_proof,
    list_proofs,
    read_about,
)
from askance_collect.wire.question import (
    Choice,
    CutsQuestion,
    Number,
    Question,
    RangeQuestion,
    RingQuestion,
    TableQuestion,
    count_in_unit,
)

ReportMode = Literal["tick", "say"]
"""How somebody reports: on a sheet, or at the telephone."""

_MOST_COPIES = 10_000
_FOLDER = files("askance_collect.respond") / "paper"


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class OnPaper:
    """A form as it is asked without a screen.

    Attributes
    ----------
    form : Form
    language : str
        One of the form's that there are words of.
    plans : Mapping[str, DevicePlan]
        By question what is left to chance: named answers, and blanks in the place of ranges.
    numbers : range
        Of the copies that are written.
    """

    form: Form
    mode: ReportMode
    language: str
    plans: Mapping[str, DevicePlan]
    numbers: range

    @property
    def direction(self) -> str:
        """In which direction the language is written, as HTML says it."""
        return str(_file(self.language).get("direction", "ltr"))

    @property
    def questions(self) -> Iterator[tuple[int, Question]]:
        """The questions in the order in which they are asked, numbered from 1."""
        return enumerate(self.form.questions, start=1)

    def say(self, name: str, **blanks: object) -> str:
        """Give one sentence of the language, with its blanks filled in."""
        return str(_words(self.language)[name]).format(**blanks)

    def lines(self, name: str) -> Sequence[str]:
        """The sentences of a key, with their placeholders unfilled."""
        lines: Sequence[str] = _words(self.language)[name]
        return lines

    def text(self, part: str) -> str:
        """Give the form's title, consent or contact."""
        wording: Mapping[str, str] = self.form.document[part]
        return wording[self.language].strip()

    def named(self, label: Label) -> str:
        """Give a label's wording, in one line."""
        return " ".join(label.wording[self.language].split())

    def does(self, question: Question, step: Step) -> list[str]:
        """Say what is to be reported where these faces came, a sentence for each case."""
        if set(step.reports) == {None}:
            return [self._of_way("nothing")]
        if not isinstance(question, TableQuestion):
            return [self._of_way("range")]
        if len(set(step.reports)) == 1 and step.reports[0] is not None:
            report = self.named(question.reports[step.reports[0]])
            return [self._of_way("report", report=report)]
        if _is_truth(question, step):
            return [self._of_way("truth")]
        pairs = zip(question.answers, step.reports, strict=True)
        return [self._if(question, self.named(own), report) for own, report in pairs]

    def _if(self, question: TableQuestion, answer: str, report: int | None) -> str:
        if report is None:
            return self._of_way("nothing_if", answer=answer)
        return self._of_way("if", answer=answer, report=self.named(question.reports[report]))

    def _of_way(self, name: str, **blanks: object) -> str:
        return self.say(f"{self.mode}_{name}", **blanks)

    def protects(self, question: Question) -> Iterator[str]:
        """Describe the protection of a reply, where there is any, and what a reply reveals."""
        judged = question.underlying_question if isinstance(question, Choice) else question
        if not isinstance(judged, TableQuestion):
            return
        if isinstance(question, Choice) and question.coin is not None:
            yield self._of_way("coin", coin=question.coin.text[self.language].strip())
        ratio, possible = odds_of(judged)
        if ratio is not None:
            tenths = written(Fraction(math.ceil(ratio * 10), 10))
            yield self._of_way("protects", ratio=tenths.replace(".", self.say("decimal")))
            return
        if any(len(answers) > 1 for answers in possible):
            yield self._of_way("rules_out")
        proofs = list(self._list_proofs(question, judged))
        yield from proofs or [self._of_way("open")]

    def _list_proofs(self, question: Question, judged: TableQuestion) -> Iterator[str]:
        """Say of each report that proves something of the answer what that is."""
        for column, entries in enumerate(zip(*judged.table.rows, strict=True)):
            senders = [answer for answer, units in enumerate(entries) if units]
            kind = find_proof(question, column)
            report = self.named(judged.reports[column])
            if kind is ProofKind.NOT_INNOCENT:
                innocent = find_innocent(question)
                assert innocent is not None  # a report that excludes it was found
                yield self._of_way(
                    "not", report=report, answer=self.named(judged.answers[innocent])
                )
            elif kind is ProofKind.PART:
                yield self._of_way("part", report=report)
            elif len(senders) == 1:
                yield self._of_way(
                    "tells", report=report, answer=self.named(judged.answers[senders[0]])
                )
            elif kind is ProofKind.ANSWER:
                proved = next(label for label, own in judged.sets if {*senders} <= {*own})
                yield self._of_way("tells", report=report, answer=self.named(proved))

    def explains_ranges(self, question: RangeQuestion) -> Iterator[str]:
        """Describe what a tick at a range gives away, and what chance chose."""
        yield self.say("by_range")
        proofs = list_proofs(question)
        if not proofs:
            yield self.say("range_only")
        if ProofKind.ANSWER in proofs:
            yield self.say("range_answer")
        if ProofKind.NOT_INNOCENT in proofs:
            yield self.say("range_not", innocent=str(read_about(question)["innocent"]))
        yield self.say("range_same" if _is_fixed(question) else "range_drawn")

    def replies(self, question: TableQuestion | Choice) -> list[tuple[str, str]]:
        """List what can be replied: as it is read, and as it is typed in."""
        labels = question.answers if isinstance(question, Choice) else _sent_reports(question)
        return [(self.named(label), label.name) for label in labels]

    def ranges(self, question: RangeQuestion) -> list[str]:
        """Draw ranges afresh, and write each in words."""
        return [self._range(question, cell) for cell in list_cells(question, draw(question))]

    def _range(self, question: RangeQuestion, cell: tuple[int, int]) -> str:
        """Write one range; the survey's own words stand for its lowest and highest answer."""
        (low, high), line, names = cell, question.line, question.wordings
        if low == 0 and high == line.ticks:
            return self.say("any")
        if high == line.ticks and high - low == 1 and "highest" in names:
            return names["highest"][self.language]
        name = "outside" if low > high else "upto" if low == 0 else "between"
        if high == line.ticks:
            name = "above"
        last = "upper" if name in {"upto", "between"} else "lower"
        ends = {"lower": written(line.value_at(low)), "upper": written(line.value_at(high))}

        def word(unit: str) -> str:
            return self.say(name, **ends | {last: f"{ends[last]} {unit}".strip()})

        counted = line.value_at(high if last == "upper" else low)
        interval = count_in_unit(counted, question.unit, names, self.language, word)
        if 0 < low < high or "lowest" not in names:
            return interval
        return self.say("beside", lowest=names["lowest"][self.language], range=interval)

    def number(self, question: Number) -> str:
        """Say which numbers a plain question takes."""
        line = question.line
        first = line.value_at(1) if line.integer else line.value_at(0)
        name = "write_number" if self.mode == "tick" else "say_number"
        ends = {"least": first, "most": line.value_at(line.ticks), "step": line.step}
        return self.say(name, **{end: written(bound) for end, bound in ends.items()})


def on_paper(
    form: Form, mode: ReportMode, *, device: str, copies: int, first: int, language: str | None
) -> OnPaper:
    """Give a form as it is asked without a screen, in so many copies numbered from ``first`` on.

    Raises
    ------
    InputError
        If something of the form only a device can ask, this one does not have its chances, there
        are no words of the language, or a number means nothing.
    """
    number = read_integer(
        copies, "copies", f"a number of copies in [1, {_MOST_COPIES}]", maximum=_MOST_COPIES
    )
    start = read_integer(first, "first", "the number of the first copy in [1, 10^6]", maximum=10**6)
    refuse_unaskable(form)
    return OnPaper(
        form=form,
        mode=mode,
        language=_choose_language(form, language),
        plans=MappingProxyType(_plans(form, device)),
        numbers=range(start, start + number),
    )


def unchecked_language(form: Form, language: str | None) -> str | None:
    """Name the language in which a form is asked, if no native speaker has read its words."""
    chosen = _choose_language(form, language)
    return None if _file(chosen)["checked"] else chosen


def _choose_language(form: Form, language: str | None) -> str:
    """Choose one of the form's languages: the first that there are words of, if none is asked for.

    Raises
    ------
    InputError
        If the form does not have it, or there are no words of it.
    """
    spoken = sorted(file.name.removesuffix(".toml") for file in _FOLDER.iterdir())
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
def _file(language: str) -> Mapping[str, Any]:
    """Read the file of a language that there are words of."""
    file = _FOLDER / f"{language.partition('-')[0]}.toml"
    return MappingProxyType(tomllib.loads(file.read_text(encoding="utf-8")))


def _words(language: str) -> Mapping[str, Any]:
    words: Mapping[str, Any] = _file(language)["words"]
    return words


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
    askance_collect.errors.InputError: form: got 'cups: its range is narrowed step by step'; allo...
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
    names = [question.name for question in form.questions]
    document = form.document
    for skip in form.skips:
        yield f"{names[skip.question]}: skipped after {names[skip.after]}, which a device decides"
    if form.explanations is not None:
        yield f"{names[form.explanations.question]}: groups that read something else, by a device"
    for quota in form.quotas:
        yield f"{names[quota.question]}: a quota, which the collector keeps"
    for position in sorted({image.question for image in form.images if image.answer is not None}):
        yield f"{names[position]}: images beside its answers"
    mixed = [
        position
        for position, section in enumerate(document.get("sections", ()))
        if "order" in section
    ]
    yield from (
        f"sections[{position}]: its questions come in an order that chance draws"
        for position in mixed
    )
    piped = [question["name"] for question in document["questions"] if "piped" in question]
    yield from (f"{name}: its text takes up an earlier answer" for name in piped)
    sealed = [
        question["name"] for question in document["questions"] if question["kind"] == "sealed"
    ]
    yield from (f"{name}: what is written is sealed, by a device" for name in sealed)


def _by_question(form: Form) -> Iterator[str]:
    for question in form.questions:
        if isinstance(question, CutsQuestion):
            if question.progressive:
                yield f"{question.name}: its range is narrowed step by step"
            if question.withhold:
                yield f"{question.name}: which range is withheld would stand on its sheet"
            if question.open:
                yield f"{question.name}: some answers are sent exactly, and others as ranges"
        if isinstance(question, TableQuestion):
            yield from _by_table(question)


def _by_table(question: TableQuestion) -> Iterator[str]:
    if question.invited:
        yield f"{question.name}: an invitation chooses its group"
    if question.item_count is not None:
        yield f"{question.name}: a device draws which list is counted"
    if question.underlying_question is not question:
        yield f"{question.name}: its sheet would show which answer is right"


def _is_fixed(question: RangeQuestion) -> bool:
    """Say whether chance has one way alone to cut the line: every sheet has the same ranges."""
    if isinstance(question, RingQuestion):
        pairs = (
            (low, high)
            for low, first, last, _ in question.law.rows()
            for high in range(first, last + 1)
            if question.law.weight(low, high)
        )
        return sum(1 for _ in islice(pairs, 2)) == 1
    return sum(weight > 0 for weight in question.weights) == 1


def _plans(form: Form, device: str) -> dict[str, DevicePlan]:
    """Lay out by hand what is left to chance."""
    plans = {}
    for question in form.questions:
        if isinstance(question, TableQuestion):
            plans[question.name] = plan_by_hand(question, device)
        elif question.blank[0]:
            name = f"question {question.name!r}"
            plans[question.name] = plan_of_blank(name, question.blank, device)
    return plans


def _sent_reports(question: TableQuestion) -> list[Label]:
    """Give the reports that some answer can send."""
    columns = zip(*question.table.rows, strict=True)
    pairs = zip(question.reports, columns, strict=True)
    return [report for report, column in pairs if any(column)]


def _is_truth(question: TableQuestion, step: Step) -> bool:
    pairs = zip(question.answers, step.reports, strict=True)
    return all(
        report is not None and question.reports[report].name == own.name for own, report in pairs
    )
