"""What a question as deployed does to an answer, in plain sentences."""

import math
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from typing import final

import numpy as np

from askance.channels.range_channel import RangeChannel, left_over, within
from askance.errors import NotIdentified
from askance.exact.ratio import percent
from askance.inference.line.line_estimate import MOST_TICKS
from askance.inference.line.line_information import Law
from askance.inference.line.manipulated import mean_manipulation, moved_fit
from askance.inference.shares.manipulation import manipulation
from askance.privacy.guarantee import EVENLY, Guarantee, Notion, cautious
from askance.survey.deployed import (
    BY_SIZES,
    channel_of,
    is_protected,
    range_channel_of,
    spread_of,
    step_shares,
)
from askance.typing import Floats, Json
from askance.wire.question import (
    Choice,
    CutsQuestion,
    Number,
    Question,
    RangeQuestion,
    RingQuestion,
    TableQuestion,
)

_FEW = 3
_GIVEN = "Sent as it is given: this question is not protected."
_TOLD = "Every report tells the answer: this question is not protected."


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class Moved:
    """How far false reports move what is published of a question, at most.

    Attributes
    ----------
    false, reports : int
        How many are false, of how many.
    at_most, plain : float
        How far they move a share, or the mean; and would, had the question been asked plainly.
    unit : str
        Points of a share, or the unit of the number.
    what, far, plainly : str
        What is moved, how far, and how far it would be, rounded upwards; a plain question says it
        once.
    people : str
        Whose answers this is for; empty where it holds for anybody's.
    thinned : bool
        Whether it is near the bound, found on some numbers of a long line, and none itself.
    """

    false: int
    reports: int
    at_most: float
    plain: float
    unit: str
    what: str
    far: str
    plainly: str
    people: str = ""
    thinned: bool = False

    @property
    def told(self) -> str:
        """The bound in a sentence."""
        among = f"{self.false:,} false report{'s' * (self.false != 1)} among {self.reports:,}"
        plainly = f"; asked plainly, by {self.plainly}" if self.plainly else ""
        people = f", {self.people}" * bool(self.people)
        most = "about" if self.thinned else "at most"
        return f"{among} can move {self.what} by {most} {self.far}{people}{plainly}."

    def to_dict(self) -> Json:
        """Write the bound for JSON."""
        return {
            "false": self.false,
            "reports": self.reports,
            "at_most": self.at_most,
            "plain": self.plain,
            "unit": self.unit,
            "people": self.people,
            "thinned": self.thinned,
        }


def moved(
    question: Question,
    false: int,
    reports: int,
    shares: Floats | None = None,
    law: Law | None = None,
) -> Moved | None:
    """Say how far false reports move a share or a mean; None where nothing bounds it.

    The mean of ranges of several cuts, of rings and of what is withheld is bounded for certain
    people: with these `shares` in the steps of the line, or as the form supposes. Their ranges have
    the form's law, or this one.

    >>> from askance.wire.question import Choice, Label
    >>> plain = Choice("q", {}, (Label("a", {}), Label("b", {})))
    >>> moved(plain, 100, 1_000).told
    '100 false reports among 1,000 can move this by at most 10.0 points.'
    """
    if isinstance(question, Choice | TableQuestion):
        try:
            found = manipulation(channel_of(question), false, reports)
        except NotIdentified:
            return None
        bounds = [100 * float(found.cut.max()), 100 * false / reports]
        people, thinned = "", False
        what, unit = "this" if found.linear else "an unbiased share", "points"
    else:
        number = _mean_moved(question, false, reports) or _these_moved(
            question, false, reports, shares, law
        )
        if number is None:
            return None
        *bounds, people, thinned = number
        what, unit = "the mean", next(iter(question.unit.values()))
    plainly = not isinstance(question, Choice | Number)
    return Moved(
        false=false,
        reports=reports,
        what=what,
        far=f"{_up(bounds[0])} {unit}".rstrip(),
        plainly=_up(bounds[1]) if plainly else "",
        at_most=bounds[0],
        plain=bounds[1],
        unit=unit,
        people=people,
        thinned=thinned,
    )


_Bounds = tuple[float, float, str, bool]
"""How far a mean is moved, how far a plain one would be, for whom, and whether thinned."""


def _mean_moved(question: Number | RangeQuestion, false: int, reports: int) -> _Bounds | None:
    """Bound the mean of a plain number, or of one cut that is always drawn and sent."""
    plain = float(question.line.upper - question.line.lower) * false / reports
    if isinstance(question, Number):
        return plain, plain, "", False
    channel = range_channel_of(question)
    one_cut = isinstance(channel, RangeChannel) and channel.number == 1 and channel.complete
    if not one_cut or channel.floor is not None:
        return None
    return mean_manipulation(channel, false, reports), plain, "", False


def _these_moved(
    question: Question, false: int, reports: int, shares: Floats | None, law: Law | None
) -> _Bounds | None:
    """Bound the mean of ranges of any other law, for certain people."""
    if not isinstance(question, RangeQuestion) or false >= reports:
        return None
    channel, people = range_channel_of(question), "if people are as estimated"
    if channel.line.ticks > MOST_TICKS:
        return None
    if shares is None:
        supposed, people = step_shares(question), spread_of(question)
        shares = np.ones(channel.line.ticks) if supposed is None else supposed
        narrow = isinstance(question, CutsQuestion) and question.narrow
        people += ", with every step taken" * narrow
    try:
        found = moved_fit(channel, shares, false, reports, (), law)
    except NotIdentified:
        return None
    return found.mean, found.plain, people, found.thinned


def _up(value: float) -> str:
    """Round upwards: to a whole number where it is large, below 1 to two digits.

    >>> _up(0.08991), _up(16.44), _up(123.2)
    ('0.090', '16.5', '124')
    """
    if value >= 100:
        return f"{math.ceil(value * (1 - 1e-12)):,}"
    places = 1 if value >= 1 or value <= 0 else 1 - math.floor(math.log10(value))
    return f"{math.ceil(10**places * value * (1 - 1e-12)) / 10**places:,.{places}f}"


def sentences(question: Question) -> tuple[str, ...]:
    """Say what is sent, in counts of 100 people or as the ranges that can be sent.

    >>> from askance.wire.question import Choice, Label
    >>> sentences(Choice("q", {}, (Label("a", {}), Label("b", {}))))
    ('Sent as it is given: this question is not protected.',)
    """
    match question:
        case TableQuestion() if not is_protected(question):
            return (_GIVEN if never_lies(question) else _TOLD, *_blank(question))
        case TableQuestion():
            return (
                _sets(question)
                or _alike(question)
                or tuple(map(partial(_row, question), range(len(question.answers))))
            )
        case CutsQuestion() | RingQuestion():
            return ranged(question)
        case Choice() | Number():
            return (_GIVEN,)


def figure(guarantee: Guarantee) -> str:
    """Print a guarantee as its figure, rounded towards caution.

    >>> figure(Guarantee(Notion.LOCAL, Fraction(6), ""))
    'ε = 1.791760 (ratio 6)'
    """
    if not guarantee.notion.is_loss:
        return guarantee.printed(4)
    if guarantee.notion is Notion.FLATNESS:
        return f"ratio {guarantee.printed(4)}"
    if math.isinf(guarantee.value):
        return "ε = ∞"
    return f"ε = {guarantee.epsilon:.6f} (ratio {guarantee.printed(4)})"


def never_lies(question: TableQuestion) -> bool:
    """Say whether every report that an answer can send is true of it."""
    return all(
        at in means
        for at, row in enumerate(question.table.rows)
        for units, means in zip(row, question.means, strict=True)
        if units
    )


def _row(question: TableQuestion, at: int) -> str:
    blank = Fraction(*question.blank)
    shares = [
        f"{percent(chance * (1 - blank))} send “{report.name}”"
        for chance, report in zip(question.table.row(at), question.reports, strict=True)
        if chance
    ]
    sent = ", ".join(shares + nothing(blank))
    return f"Of 100 people whose answer is “{question.answers[at].name}”, {sent}."


def _sets(question: TableQuestion) -> tuple[str, ...]:
    """Say in one sentence what is sent of many sets, each of which always holds the answer."""
    rows = question.table.rows
    sent = [sum(units > 0 for units in column) for column in zip(*rows, strict=True)]
    if not never_lies(question) or max(sum(units > 0 for units in row) for row in rows) <= _FEW:
        return ()
    alone = [
        sum(units for units, means in zip(row, question.means, strict=True) if len(means) == 1)
        for row in rows
    ]
    spoken = 1 - Fraction(*question.blank)
    least, most = (
        percent(Fraction(units, question.table.total) * spoken)
        for units in (min(alone), max(alone))
    )
    share = least if least == most else f"{least} to {most}"
    count = sum(units > 0 for units in sent)
    return (
        f"What is sent is one of {count} sets of answers, always one that holds the answer.",
        f"Of 100 people with one answer, {share} send that answer alone.",
        *_blank(question),
        "What is sent is always true.",
    )


def _blank(question: TableQuestion) -> tuple[str, ...]:
    silent = nothing(Fraction(*question.blank))
    return tuple(f"Of 100 people, whatever their answer, {one}." for one in silent)


def _alike(question: TableQuestion) -> tuple[str, ...]:
    """Say in one sentence what more than two answers that are treated alike send."""
    k, rows = len(question.answers), question.table.rows
    truth, other = rows[0][0], rows[0][1]
    alike = all(
        row[:k] == tuple(truth if y == x else other for y in range(k)) and row[k:] == rows[0][k:]
        for x, row in enumerate(rows)
    )
    if k == 2 or not alike:
        return ()
    spoken = 1 - Fraction(*question.blank)
    own, another, *rest = (chance * spoken for chance in question.table.row(0))
    silent = [
        f"{percent(chance)} send “{report.name}”"
        for chance, report in zip(rest[k - 2 :], question.reports[k:], strict=True)
    ]
    others = f"{percent(another)} send each of the {k - 1} other answers"
    sent = ", ".join([f"{percent(own)} send it", others, *silent, *nothing(1 - spoken)])
    return (f"Of 100 people, whatever their answer, {sent}.",)


def nothing(blank: Fraction) -> list[str]:
    """Say how many of 100 people send nothing; no sentence if nobody does.

    >>> nothing(Fraction(1, 20)), nothing(Fraction(0))
    (['5 send nothing'], [])
    """
    return [f"{percent(blank)} send nothing"] if blank else []


def ranged(question: RangeQuestion) -> tuple[str, ...]:
    """Say what the device draws, what is sent and what the most telling report is."""
    told = _ring(question) if isinstance(question, RingQuestion) else _cut(question)
    blank = nothing(Fraction(*question.blank))
    silent = tuple(f"Of 100 people, whatever their answer, {one}." for one in blank)
    return (*told, *silent, "What is sent is always true.")


def in_words(question: RangeQuestion, cell: tuple[int, int], language: str) -> str:
    """Say a reported range: above its lower end and up to its upper one.

    >>> from askance.wire.question import read_question
    >>> raw = {"kind": "ring", "name": "q", "text": {"en": ""}, "ask": "cells", "about": {}}
    >>> raw |= {"line": {"lower": "0", "step": "500", "ticks": 4, "unit": {"en": "euros"}}}
    >>> ring = {"weights": [1, 1, 1], "sizes": [1, 1, 1, 1], "least": 1}
    >>> question = read_question(raw | {"ring": ring, "typed": False, "blank": [0, 1]}, ["en"], "q")
    >>> [in_words(question, cell, "en") for cell in [(1, 3), (3, 1)]]
    ['between 500 and 1,500 euros', '500 euros or less, or more than 1,500 euros']
    """
    low, high = cell
    unit = question.unit[language]
    if isinstance(question, CutsQuestion) and question.accepts(low) and high == low + 1:
        return f"{plain(question.line.at(high))} {unit}".rstrip()
    if low > high:
        outer = (0, high), (low, question.line.ticks)
        return ", or ".join(in_words(question, end, language) for end in outer)
    if left_over(question.open, *cell) != (cell,):
        return f"{_run(question, cell, unit)}, but not what is sent exactly"
    return _run(question, cell, unit)


def _run(question: RangeQuestion, cell: tuple[int, int], unit: str) -> str:
    low, high = cell
    above, upto = (f"{plain(question.line.at(tick))} {unit}".rstrip() for tick in cell)
    if (low, high) == (0, question.line.ticks):
        return "any answer"
    if not low:
        return f"{upto} or less"
    if high == question.line.ticks:
        return f"more than {above}"
    return f"between {plain(question.line.at(low))} and {upto}"


def _cut(question: CutsQuestion) -> tuple[str, ...]:
    between = _between(question)
    if question.number == 1:
        drawn = f"The device draws a number {between}"
        sent = "what is sent is whether the answer is above it."
    else:
        drawn = f"The device draws {question.number} numbers {between}"
        sent = "what is sent is the range between them that holds the answer."
    if question.narrow:
        sent = "each narrows the range that is sent, for as long as the person agrees."
    return (f"{drawn}; {sent}", *_rules(question), _most_telling(question))


def _most_telling(question: CutsQuestion) -> str:
    cuts = _cuts(question)
    if question.number == 1 and question.floor is None and not question.open:
        ends = f"“{plain(cuts[0])} or less” and “more than {plain(cuts[-1])}”"
        return f"The most telling reports are {ends}."
    return _narrowest(question)


def _rules(question: CutsQuestion) -> tuple[str, ...]:
    told = []
    if question.floor is not None and question.withhold:
        told.append(f"{_size(question)} is not sent; that nothing was sent then tells something.")
    elif question.floor is not None:
        told.append(f"A number that would leave {_size(question, 'a side')} is passed over.")
    for low, high in question.open:
        ends = f"above {plain(question.line.at(low))} up to {plain(question.line.at(high))}"
        told.append(f"An answer {ends} {_unit(question)}".rstrip() + " is sent exactly.")
    return tuple(told)


def _size(question: CutsQuestion, what: str = "A range") -> str:
    floor = question.floor
    assert floor is not None
    share = cautious(Fraction(floor.least, floor.total), math.floor)
    exact = {step for low, high in question.open for step in range(low, high)}
    counted = {size for step, size in enumerate(floor.sizes) if step not in exact}
    spread = EVENLY if len(counted) == 1 else BY_SIZES
    some = " whose answer is not sent exactly" if question.open else ""
    return f"{what} with less than {share} of 100 people{some}, {spread},"


def _ring(question: RingQuestion) -> tuple[str, ...]:
    share = cautious(Fraction(question.floor.least, question.floor.total), math.floor)
    spread = spread_of(question)
    return (
        f"The device draws two numbers {_between(question)}; what is sent is whether the answer is "
        "above the lower and up to the higher one, or not.",
        f"{spread[0].upper()}{spread[1:]}, either holds at least {share} of 100 people.",
        _narrowest(question),
    )


def _cuts(question: RangeQuestion) -> list[Fraction]:
    return [question.line.at(at) for at, weight in enumerate(question.weights, start=1) if weight]


def _between(question: RangeQuestion) -> str:
    cuts = _cuts(question)
    return f"between {plain(cuts[0])} and {plain(cuts[-1])} {_unit(question)}".rstrip()


def _narrowest(question: RangeQuestion) -> str:
    """Say how wide the narrowest range is, beside what is sent exactly."""
    channel = range_channel_of(question)
    ends = channel.cells()[0]
    wide = channel.inside(ends, [1] * channel.line.ticks)[~within(channel.open, ends)]
    told = int(wide[wide > 0].min()) * channel.line.step
    unit = _unit(question)
    size = f"1 wide (unit: {unit})" if unit and told == 1 else f"{plain(told)} {unit}".rstrip()
    end = "." if unit and told == 1 else " wide."
    return f"The most telling report is a range that is {size}{end}"


def _unit(question: RangeQuestion) -> str:
    return next(iter(question.unit.values()))


def plain(number: Fraction) -> str:
    """Write a number for reading."""
    return f"{number.numerator:,}" if number.denominator == 1 else f"{float(number):,g}"
