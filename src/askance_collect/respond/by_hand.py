"""A form's chances by hand: which throw, card, letter or digit gives which report, exactly.

The chances of a question are laid out once for all its answers. What every answer may report as
often as any other comes last, the same for all; the rest comes first, the true answer before
others. So most mechanisms read as people know them: so often the truth, else what chance says.
"""

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import accumulate, combinations, pairwise
from types import MappingProxyType
from typing import final

from askance_collect.errors import InputError
from askance_collect.wire.question import TableQuestion

_SIX, _TEN = "123456", "0123456789"
THROWS = tuple((digits, times) for times in (1, 2, 3) for digits in (_SIX, _TEN))
"""What is thrown, and how often: a die of six or of ten sides."""

MOST_CARDS = 100
LEAST_SECTOR = Fraction(1, 100)
_LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"

DEVICES = "dice", "cards", "spinner"
"""What decides on paper."""

DIGITS = "digits"
"""What decides at the telephone: digits of a banknote."""

_KINDS: Mapping[str, str] = MappingProxyType(
    {
        "dice": "parts that divide 6, 36, 216, 10, 100 or 1000: up to three throws of a die",
        "cards": f"at most {MOST_CARDS} equal parts, a card for each",
        "spinner": f"at most {len(_LETTERS)} sectors, none below 1/{LEAST_SECTOR.denominator}",
        DIGITS: "parts that divide 10, 100 or 1000: up to three digits",
    }
)


@final
@dataclass(frozen=True, slots=True)
class Step:
    """Faces that stand together, and what each answer then reports.

    Attributes
    ----------
    first, last : str
        The faces as they are read; the same one where there is one.
    share : Fraction
        How probable they are.
    reports : tuple of int or None
        For each answer the report's position; None is a blank.
    """

    first: str
    last: str
    share: Fraction
    reports: tuple[int | None, ...]


@final
@dataclass(frozen=True, slots=True)
class DevicePlan:
    """How a question is answered by hand.

    Attributes
    ----------
    device : str
        One of the `DEVICES`, or `DIGITS`.
    sides : int
        Of the die, or how many cards; 0 of a spinner.
    times : int
        How often it is thrown, or how many digits are read.
    steps : tuple of Step
        In the order of their faces, which they share out.
    """

    device: str
    sides: int
    times: int
    steps: tuple[Step, ...]


def plan_by_hand(question: TableQuestion, device: str) -> DevicePlan:
    """Lay the chances of a question out on the faces of a device, exactly.

    Raises
    ------
    InputError
        If no such device has these chances; the message names one that has, and a near mechanism.

    >>> from askance_collect.exact.ratio import Table
    >>> from askance_collect.wire import Label, TableQuestion
    >>> yn = Label("yes", {}), Label("no", {})
    >>> table = Table(6, ((5, 1), (1, 5)))
    >>> warner = TableQuestion("q", {}, yn, yn, ((0,), (1,)), table, (0, 1), {})
    >>> [(step.first, step.last, step.reports) for step in plan_by_hand(warner, "dice").steps]
    [('1', '4', (0, 1)), ('5', '5', (0, 0)), ('6', '6', (1, 1))]
    """
    rows = _with_blank(question)
    widths = list(_split_total(rows, _reports_of_same_name(question)))
    plan = _put_on_faces(device, sum(rows[0]), widths)
    if plan is None:
        raise _refusal(question, device, rows, widths)
    return plan


def plan_of_blank(name: str, blank: tuple[int, int], device: str) -> DevicePlan:
    """Lay out the chance that nothing is reported, whatever the answer: to a range on paper.

    Raises
    ------
    InputError
        If no such device has this chance.

    >>> [(step.first, step.last, step.reports) for step in plan_of_blank("q", (1, 6), "dice").steps]
    [('1', '5', (0,)), ('6', '6', (None,))]
    """
    chance = Fraction(*blank)
    units, total = chance.as_integer_ratio()
    widths: list[tuple[int, tuple[int | None, ...]]] = [(total - units, (0,)), (units, (None,))]
    plan = _put_on_faces(device, total, widths)
    if plan is None:
        chances = {Fraction(max(round(chance * n), 1), n) for n in _NEAR_PARTS[device]}
        nearest = min(chances, key=lambda candidate: (abs(candidate - chance), candidate))
        raise InputError(
            name,
            got=f"a blank with chance {chance}",
            allowed=f"by {device} {_KINDS[device]}",
            remedy=f'the nearest: blank = "{nearest}"',
        )
    return plan


def odds_of(question: TableQuestion) -> tuple[Fraction | None, tuple[tuple[int, ...], ...]]:
    """Compute what a report reveals: its largest likelihood ratio, and its possible answers.

    Returns
    -------
    ratio : Fraction or None
        How many times as probable a report is from one answer as from another, at most; None where
        some report rules an answer out.
    possible : tuple of tuple of int
        For each report the answers that can send it.

    >>> from askance_collect.exact.ratio import Table
    >>> from askance_collect.wire import Label, TableQuestion
    >>> yn = Label("yes", {}), Label("no", {})
    >>> table = Table(6, ((5, 1), (1, 5)))
    >>> odds_of(TableQuestion("q", {}, yn, yn, ((0,), (1,)), table, (0, 1), {}))
    (Fraction(5, 1), ((0, 1), (0, 1)))
    """
    columns = list(zip(*question.table.rows, strict=True))
    possible = tuple(
        tuple(answer for answer, entry in enumerate(column) if entry)
        for column in columns
        if any(column)
    )
    live = [column for column in columns if any(column)]
    ratios = [Fraction(max(column), min(column)) for column in live if all(column)]
    return (max(ratios) if len(ratios) == len(live) else None), possible


def _with_blank(question: TableQuestion) -> list[list[int]]:
    """Write the chances of the reports, and last of the blank, over the least common total."""
    units, total = question.blank
    rows = [
        [*(entry * (total - units) for entry in row), units * question.table.total]
        for row in question.table.rows
    ]
    common = math.gcd(*(entry for row in rows for entry in row))
    return [[entry // common for entry in row] for row in rows]


def _reports_of_same_name(question: TableQuestion) -> list[int | None]:
    """For each answer the report of the same name."""
    names = [report.name for report in question.reports]
    return [
        names.index(answer.name) if answer.name in names else None for answer in question.answers
    ]


def _split_total(
    rows: Sequence[Sequence[int]], own: Sequence[int | None]
) -> Iterator[tuple[int, tuple[int | None, ...]]]:
    """Share the total out: so many parts, and what each answer then reports."""
    least = [min(column) for column in zip(*rows, strict=True)]
    blank = len(least) - 1
    runs = []
    for row, first in zip(rows, own, strict=True):
        order = sorted(range(len(row)), key=lambda report, first=first: report != first)  # type: ignore[misc]
        ends = accumulate((row[report] - least[report] for report in order), initial=0)
        spans = zip(order, pairwise(ends), strict=True)
        runs.append([(begin, end, report) for report, (begin, end) in spans if begin < end])
    ticks = sorted({0, *(end for run in runs for _, end, _ in run)})
    for begin, end in pairwise(ticks):
        reports = [next(report for low, high, report in run if low <= begin < high) for run in runs]
        yield end - begin, tuple(None if report == blank else report for report in reports)
    for report, width in enumerate(least):
        if width:
            yield width, (None if report == blank else report,) * len(rows)


def _put_on_faces(
    device: str, total: int, widths: Sequence[tuple[int, tuple[int | None, ...]]]
) -> DevicePlan | None:
    """Put the parts on a device's faces; None where it has no such faces."""
    if device == "spinner":
        if len(widths) > len(_LETTERS) or min(width for width, _ in widths) < total * LEAST_SECTOR:
            return None
        shares = [Fraction(width, total) for width, _ in widths]
        parts = zip(_LETTERS, shares, widths, strict=False)
        steps = tuple(Step(letter, letter, share, reports) for letter, share, (_, reports) in parts)
        return DevicePlan(device, 0, 1, steps)
    if device == "cards":
        if total > MOST_CARDS:
            return None
        faces = [str(card + 1) for card in range(total)]
        return DevicePlan(device, total, 1, _steps(faces, total, widths))
    for digits, times in THROWS:
        usable = digits == _TEN or device == "dice"
        if usable and len(digits) ** times % total == 0:
            faces = [_face(outcome, digits, times) for outcome in range(len(digits) ** times)]
            return DevicePlan(device, len(digits), times, _steps(faces, total, widths))
    return None


def _steps(
    faces: Sequence[str], total: int, widths: Sequence[tuple[int, tuple[int | None, ...]]]
) -> tuple[Step, ...]:
    unit = len(faces) // total
    ends = pairwise(accumulate((width * unit for width, _ in widths), initial=0))
    return tuple(
        Step(faces[low], faces[high - 1], Fraction(high - low, len(faces)), reports)
        for (low, high), (_, reports) in zip(ends, widths, strict=True)
    )


def _face(outcome: int, digits: str, times: int) -> str:
    base = len(digits)
    return "".join(digits[outcome // base**position % base] for position in reversed(range(times)))


def _refusal(
    question: TableQuestion,
    device: str,
    rows: Sequence[Sequence[int]],
    widths: Sequence[tuple[int, tuple[int | None, ...]]],
) -> InputError:
    total = sum(rows[0])
    others = [other for other in DEVICES if other != device and _put_on_faces(other, total, widths)]
    remedies = [f"--device {' or '.join(others)} has them"] if others and device != DIGITS else []
    near = next(
        filter(None, (_nearest_mechanism(question, parts) for parts in _NEAR_PARTS[device])), None
    )
    if near is not None:
        bare = ", and no blank" if question.blank[0] else ""
        remedies.append(f"the nearest in few parts that tells no more: {near}{bare}")
    return InputError(
        f"question {question.name!r}",
        got=f"chances in {total} parts",
        allowed=f"by {device} {_KINDS[device]}",
        remedy="; ".join(remedies)
        or "ask it by a mechanism whose chances are written in few parts",
    )


_MIXED = 50
"""In so many steps a mechanism is mixed with one that tells nothing, to find whole parts for it."""
_FAR = Fraction(1, 50)
_NEAR_PARTS: Mapping[str, Sequence[int]] = MappingProxyType(
    {"dice": (10, 36, 100, 216, 1000), "cards": (10, 20, 50, 100)}
    | dict.fromkeys(("spinner", DIGITS), (10, 100, 1000))
)
"""Over which totals a mechanism near by is looked for."""


def _nearest_mechanism(question: TableQuestion, parts: int) -> str | None:
    """Write a mechanism near by in so many parts that reveals no more, if there is one."""
    rows = question.table.rows
    columns = list(zip(*rows, strict=True))
    mean = [Fraction(sum(column), len(rows) * question.table.total) for column in columns]
    limit = _largest_ratio(rows)
    mixes = range(_MIXED) if all(map(all, columns)) else range(1)
    for mix in mixes:
        part = Fraction(mix, 4 * _MIXED)
        exact = [
            [
                (1 - part) * Fraction(entry, question.table.total) + part * average
                for entry, average in pairs
            ]
            for pairs in (zip(row, mean, strict=True) for row in rows)
        ]
        rounded = [_rounded(row, parts) for row in exact]
        is_kept = [list(map(bool, row)) for row in rounded] == [
            list(map(bool, row)) for row in rows
        ]
        if is_kept and _largest_ratio(rounded) <= limit and _gap(rounded, rows, parts) <= _FAR:
            lists = ", ".join(
                "[" + ", ".join(f'"{entry}/{parts}"' for entry in row) + "]" for row in rounded
            )
            return f'mechanism.name = "table" with rows = [{lists}]'
    return None


def _gap(rounded: Sequence[Sequence[int]], rows: Sequence[Sequence[int]], parts: int) -> Fraction:
    pairs = zip(rounded, rows, strict=True)
    return max(
        abs(Fraction(ours, parts) - Fraction(theirs, sum(row)))
        for rounded_row, row in pairs
        for ours, theirs in zip(rounded_row, row, strict=True)
    )


def _rounded(row: Sequence[Fraction], parts: int) -> list[int]:
    """Share whole parts out by the largest remainders."""
    floors = [math.floor(share * parts) for share in row]
    ranked = sorted(range(len(row)), key=lambda column: floors[column] - row[column] * parts)
    for column in ranked[: parts - sum(floors)]:
        floors[column] += 1
    return floors


def _largest_ratio(rows: Sequence[Sequence[int]]) -> Fraction:
    """The largest ratio of two chances of one report, of those that are not 0."""
    pairs = ((x, y) for column in zip(*rows, strict=True) for x, y in combinations(column, 2))
    return max((Fraction(max(x, y), min(x, y)) for x, y in pairs if x and y), default=Fraction(1))
