"""Reports that prove something of the answer behind them, by the integers of a form."""

from collections.abc import Iterator, Mapping, Sequence, Set
from enum import Enum
from functools import reduce
from operator import and_, or_
from typing import Any, final

from askance_collect.arguments import checked
from askance_collect.errors import InputError
from askance_collect.exact.ratio import read_ratio
from askance_collect.wire.form_schema import is_index
from askance_collect.wire.question import (
    WRITTEN_NUMBER,
    Choice,
    CutsQuestion,
    Question,
    RangeQuestion,
    RingQuestion,
    TableQuestion,
    Value,
)


@final
class ProofKind(Enum):
    """What a report to a protected question proves of the answer behind it.

    >>> from askance_collect.wire import ProofKind
    >>> ProofKind.PART.value
    'what of a list is ticked, or is not'
    """

    ANSWER = "the answer, or in which set it is"
    PART = "what of a list is ticked, or is not"
    NOT_INNOCENT = "that the answer is not the innocent one"


@checked
def find_proof(question: Question, value: Value) -> ProofKind | None:
    """Find what a report to a protected question proves of the answer, if it proves anything.

    It proves the answer where no other one can send it, by the table. Of whole numbers in steps of
    1 a range proves a number if it holds no other: the outer ranges are open, so that the highest
    may hold more than the line does, and the lowest holds one number only where nothing is below
    it, because it is 0. Of a list to tick it proves a part where all answers that can send it have
    an item ticked, or have it not. Where the form declares an innocent answer that cannot send it,
    it proves that the answer is another one. What is sent exactly, as the form says, is no proof.

    Parameters
    ----------
    question : Question
    value : Value
        What a report holds of it.

    >>> from askance_collect.exact import Line
    >>> from askance_collect.wire import find_proof
    >>> drinks, about = Line(0, 4, integer=True), {"innocent": "0"}
    >>> cups = CutsQuestion("cups", {}, drinks, {}, 2, (1, 1, 1, 1), False, (0, 1), about)
    >>> [getattr(find_proof(cups, cell), "name", "") for cell in ((0, 1), (0, 2), (2, 3), (2, 4))]
    ['ANSWER', '', 'ANSWER', 'NOT_INNOCENT']
    """
    judged = question.underlying_question if isinstance(question, Choice) else question
    if isinstance(judged, TableQuestion):
        return _find_in_table(question, judged, value)
    if isinstance(judged, CutsQuestion | RingQuestion) and isinstance(value, tuple):
        if _holds_one_number(judged, value):
            return ProofKind.ANSWER
        innocent = find_innocent(judged)
        convicts = innocent is not None and _are_without(_list_steps(judged, value), innocent)
        return ProofKind.NOT_INNOCENT if convicts else None
    return None


@checked
def list_proofs(question: Question) -> tuple[ProofKind, ...]:
    """List what the reports to a protected question can prove, each kind once.

    Where every report proves the answer, the question is not protected, and its page says so: there
    are none then.

    Parameters
    ----------
    question : Question

    >>> from askance_collect.exact.ratio import Table
    >>> from askance_collect.wire import Label, list_proofs
    >>> yn = Label("yes", {}), Label("no", {})
    >>> forced = Table(6, ((6, 0), (1, 5)))  # "no" comes from nobody else
    >>> list_proofs(TableQuestion("q", {}, yn, yn, ((0,), (1,)), forced, (0, 1), {}))
    (<ProofKind.ANSWER: 'the answer, or in which set it is'>,)
    """
    judged = question.underlying_question if isinstance(question, Choice) else question
    kinds: Set[ProofKind | None] = frozenset()
    if isinstance(judged, TableQuestion):
        columns = range(len(judged.reports))
        if any(len(_list_senders(judged, column)) > 1 for column in columns):
            kinds = {_find_in_table(question, judged, column) for column in columns}
    elif isinstance(judged, CutsQuestion | RingQuestion):
        answers = (ProofKind.ANSWER for _ in list_proving_cells(judged))
        innocent = find_innocent(judged)
        convicts = innocent is not None and find_cell_without(judged, innocent) is not None
        kinds = {next(answers, None), ProofKind.NOT_INNOCENT if convicts else None}
    return tuple(kind for kind in ProofKind if kind in kinds)


@checked
def can_prove(question: Question) -> bool:
    """Say whether some report that a protected question can send proves something of the answer.

    Parameters
    ----------
    question : Question

    >>> from askance_collect.exact.ratio import Table
    >>> from askance_collect.wire import Label
    >>> yn = Label("yes", {}), Label("no", {})
    >>> forced = Table(6, ((6, 0), (1, 5)))
    >>> can_prove(TableQuestion("q", {}, yn, yn, ((0,), (1,)), forced, (0, 1), {}))
    True
    """
    return bool(list_proofs(question))


def find_innocent(question: Question) -> int | None:
    """Find the answer that a form declares to harm nobody: its position, or that of its set.

    None where it declares none, or one that is no answer of the question.
    """
    written = read_about(question).get("innocent")
    if not isinstance(written, str):
        return None
    if isinstance(question, CutsQuestion | RingQuestion):
        return _find_step(question, written)
    names = name_events(question)
    return names.index(written) if written in names else None


def read_about(question: Question) -> Mapping[str, Any]:
    """Read what a form declares of a question, such as its innocent answer."""
    about: object = {}
    if isinstance(question, Choice):
        about = question.coin.about if question.coin is not None else {}
    elif isinstance(question, TableQuestion | CutsQuestion | RingQuestion):
        about = question.about
    return about if isinstance(about, Mapping) else {}


def name_events(question: Question) -> list[str]:
    """Name the answers that reports are judged by: sets of answers, where only these are learnt."""
    judged = question.underlying_question if isinstance(question, Choice) else question
    assert isinstance(judged, Choice | TableQuestion)
    if isinstance(judged, TableQuestion) and judged.sets:
        return [label.name for label, _ in judged.sets]
    return [answer.name for answer in judged.answers]


def _find_step(question: RangeQuestion, written: str) -> int | None:
    if not WRITTEN_NUMBER.fullmatch(written):
        return None
    try:
        return question.line.cell(read_ratio(written))
    except InputError:
        return None


def _list_senders(question: TableQuestion, column: int) -> list[int]:
    return [answer for answer, row in enumerate(question.table.rows) if row[column]]


def _find_in_table(question: Question, judged: TableQuestion, value: Any) -> ProofKind | None:
    senders = _list_senders(judged, value) if is_index(value, len(judged.reports)) else []
    if not senders:
        return None
    if judged.sets:
        is_one = any(set(senders) <= set(members) for _, members in judged.sets)
        return ProofKind.ANSWER if is_one else None
    if len(senders) == 1:
        return ProofKind.ANSWER
    everything = (1 << judged.checkbox_count) - 1
    if reduce(and_, senders, everything) or reduce(or_, senders) & everything != everything:
        return ProofKind.PART
    innocent = find_innocent(question)
    return None if innocent is None or innocent in senders else ProofKind.NOT_INNOCENT


def list_proving_cells(question: RangeQuestion) -> Iterator[tuple[int, int]]:
    """List the ranges that can be sent and hold one whole number, for each number the narrowest.

    >>> from askance_collect.exact import Line
    >>> drinks = Line(0, 4, integer=True)
    >>> cups = CutsQuestion("cups", {}, drinks, {}, 1, (1, 0, 1, 1), False, (0, 1), {})
    >>> list(list_proving_cells(cups))  # a single cut leaves a single number at the end alone
    [(0, 1)]
    """
    if not _counts_by_one(question):
        return
    if isinstance(question, RingQuestion):
        pairs = ((tick, tick + 1) for tick in range(1, question.line.ticks - 1))
        yield from (pair for pair in pairs if question.law.weight(*pair))
        return
    for cell in _narrowest(question):
        if _holds_one_number(question, cell) and _can_be_left(question, cell):
            yield cell


def find_cell_without(question: RangeQuestion, innocent: int) -> tuple[int, int] | None:
    """Find a range that excludes the innocent number: of those at an end of the line the widest.

    If any range excludes it, one at an end does, whose only cut is there: it is no smaller.
    """
    ticks = question.line.ticks
    if isinstance(question, RingQuestion):
        pairs = (
            (a, b) for a, first, last, _ in question.law.rows() for b in range(first, last + 1)
        )
        low, high = next(pair for pair in pairs if question.law.weight(*pair))
        return (high, low) if low <= innocent < high else (low, high)
    above, below = ((tick, ticks) for tick in range(ticks)), ((0, tick) for tick in range(1, ticks))
    cells = (
        cell
        for cell in (*above, *below)
        if question.allows(cell) and _are_without(_list_steps(question, cell), innocent)
    )
    return max(cells, key=lambda cell: cell[1] - cell[0], default=None)


def _counts_by_one(question: RangeQuestion) -> bool:
    return question.line.integer and question.line.step == 1


def _list_steps(question: RangeQuestion, cell: tuple[int, int]) -> list[tuple[int, int]]:
    """List the steps that a range holds, without those that are sent exactly, as stretches."""
    low, high = cell
    if low > high:
        return [(0, high), (low, question.line.ticks)]
    exact = question.open if isinstance(question, CutsQuestion) else ()
    ends = [
        low,
        *(end for above, upto in exact if low < upto and above < high for end in (above, upto)),
        high,
    ]
    return [(start, end) for start, end in zip(ends[::2], ends[1::2], strict=True) if start < end]


def _are_without(parts: Sequence[tuple[int, int]], innocent: int) -> bool:
    return bool(parts) and not any(low <= innocent < high for low, high in parts)


def _holds_one_number(question: RangeQuestion, cell: tuple[int, int]) -> bool:
    parts = _list_steps(question, cell)
    if not _counts_by_one(question) or len(parts) != 1:
        return False
    ((start, end),) = parts
    is_lowest = start > 0 or question.line.lower == 0
    return end - start == 1 and end < question.line.ticks and is_lowest


def _narrowest(question: CutsQuestion) -> Iterator[tuple[int, int]]:
    """Give for each step that is not sent exactly the least range that cuts can leave around it.

    What is sent exactly beside it does not count to the range. Where none needs to be cut off, as
    at an end of the line, none is.
    """
    ticks = question.line.ticks
    is_exact = bytearray(ticks)
    for above, upto in question.open:
        is_exact[above:upto] = b"\1" * (upto - above)
    ends = {0, ticks} | {tick for tick, weight in enumerate(question.weights, 1) if weight}
    for step in range(ticks):
        if is_exact[step]:
            continue
        low, high = step, step + 1
        while low > 0 and is_exact[low - 1]:
            low -= 1
        while high < ticks and is_exact[high]:
            high += 1
        lower = next((tick for tick in range(low, step + 1) if tick in ends), None)
        upper = next((tick for tick in range(high, step, -1) if tick in ends), None)
        if lower is not None and upper is not None:
            yield lower, upper


def _can_be_left(question: CutsQuestion, cell: tuple[int, int]) -> bool:
    """Say whether there are cuts enough for a range, and no floor keeps it from being sent."""
    low, high = cell
    sides = [side for side in ((0, low), (high, question.line.ticks)) if side[0] < side[1]]
    if len(sides) > question.number:
        return False
    if question.floor is None:
        return True
    sized = [cell] if question.withhold else [cell, *sides]
    return all(question.floor.allows_range(*part) for part in sized)
