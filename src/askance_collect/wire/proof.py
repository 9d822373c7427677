"""Reports that can come from one answer only, and so prove it."""

from collections.abc import Iterator

from askance_collect.arguments import checked
from askance_collect.wire.answer_question import Choice, TableQuestion
from askance_collect.wire.label import is_index
from askance_collect.wire.question import CutsQuestion, Question, RingQuestion, Value


@checked
def is_proof(question: Question, value: Value) -> bool:
    """Say whether a report to a protected question can come from one answer only.

    Of named answers it is so by the table. Of whole numbers in steps of 1 a range proves a number
    if it holds no other: the outer ranges are open, so that the highest may hold more than the line
    does, and the lowest holds one number only where nothing is below it, because it is 0.

    Parameters
    ----------
    question : Question
    value : Value
        What a report holds of it.

    >>> from askance_collect.exact import Line
    >>> drinks = Line(0, 4, integer=True)
    >>> cups = CutsQuestion("cups", {}, drinks, {}, 2, (1, 1, 1, 1), False, (0, 1), {})
    >>> [is_proof(cups, cell) for cell in ((0, 1), (2, 3), (2, 4), (4, 5))]
    [True, True, False, False]
    """
    judged = question.underlying_question if isinstance(question, Choice) else question
    if isinstance(judged, TableQuestion):
        if not is_index(value, len(judged.reports)):
            return False
        return sum(row[value] > 0 for row in judged.table.rows) == 1
    if isinstance(judged, CutsQuestion | RingQuestion) and isinstance(value, tuple):
        return _holds_one_number(judged, value)
    return False


@checked
def can_prove(question: Question) -> bool:
    """Say whether some report that a protected question can send proves an answer.

    Where every report does, the question is not protected, and its page says so. What is said
    beforehand to be sent exactly does not count.

    Parameters
    ----------
    question : Question

    >>> from askance_collect.exact.ratio import Table
    >>> from askance_collect.wire import Label
    >>> yn = Label("yes", {}), Label("no", {})
    >>> forced = Table(6, ((6, 0), (1, 5)))  # "no" comes from nobody else
    >>> can_prove(TableQuestion("q", {}, yn, yn, ((0,), (1,)), forced, (0, 1), {}))
    True
    """
    judged = question.underlying_question if isinstance(question, Choice) else question
    if isinstance(judged, TableQuestion):
        possible = [
            sum(entry > 0 for entry in column) for column in zip(*judged.table.rows, strict=True)
        ]
        return 1 in possible and max(possible) > 1
    if isinstance(judged, CutsQuestion | RingQuestion):
        return next(list_proving_cells(judged), None) is not None
    return False


def list_proving_cells(question: CutsQuestion | RingQuestion) -> Iterator[tuple[int, int]]:
    """List the ranges that can be sent and hold one whole number, for each number the narrowest.

    Parameters
    ----------
    question : CutsQuestion or RingQuestion

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
        if is_proof(question, cell) and _can_be_left(question, cell):
            yield cell


def _counts_by_one(question: CutsQuestion | RingQuestion) -> bool:
    return question.line.integer and question.line.step == 1


def _holds_one_number(question: CutsQuestion | RingQuestion, cell: tuple[int, int]) -> bool:
    low, high = cell
    if not _counts_by_one(question) or low > high:
        return False
    exact = question.open if isinstance(question, CutsQuestion) else ()
    ends = [
        low,
        *(end for above, upto in exact if low < upto and above < high for end in (above, upto)),
        high,
    ]
    parts = [(start, end) for start, end in zip(ends[::2], ends[1::2], strict=True) if start < end]
    if len(parts) != 1:
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
