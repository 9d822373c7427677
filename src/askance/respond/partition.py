"""How a question's draws part its line: known before, and without, any answer."""

from collections.abc import Iterator

from askance.exact.table import pick
from askance.wire.cuts import CutsQuestion
from askance.wire.ring import RingQuestion

Draws = tuple[int, ...]
"""The integers a question's randomness consists of, one below each of its bounds."""

Cell = tuple[int, int]
"""Above the first tick, up to the second; the ring's outside where the first is the larger."""


def next_cut(question: CutsQuestion, draws: Draws, cell: Cell) -> int | None:
    """Give the first candidate that narrows a range, or None if none does.

    A candidate counts if it lies strictly inside and, where cuts are passed over, leaves both sides
    large enough. The side on which the answer is plays no part.
    """
    low, high = cell
    floor = None if question.withhold else question.floor
    for at in draws[1:]:
        tick = pick(question.weights, at) + 1
        if low < tick < high and (floor is None or floor.divides(low, tick, high)):
            return tick
    return None


def cells(question: CutsQuestion | RingQuestion, draws: Draws) -> tuple[Cell, ...]:
    """List the ranges into which the draws part the line, lowest first; a ring's inside first."""
    if isinstance(question, RingQuestion):
        low, high = question.law.at(draws[1])
        return (low, high), (high, low)
    return tuple(_parted(question, draws, (0, question.line.ticks)))


def _parted(question: CutsQuestion, draws: Draws, cell: Cell) -> Iterator[Cell]:
    tick = next_cut(question, draws, cell)
    if tick is None:
        yield cell
    else:
        yield from _parted(question, draws, (cell[0], tick))
        yield from _parted(question, draws, (tick, cell[1]))


def cell_of(
    question: CutsQuestion | RingQuestion, step: int, draws: Draws, steps: int | None
) -> Cell | None:
    """Give what an answer in a step of the line sends, or None where its cell is withheld."""
    if isinstance(question, RingQuestion):
        inside, outside = cells(question, draws)
        return inside if inside[0] <= step < inside[1] else outside
    if question.accepts(step):
        return step, step + 1
    cell = _narrowed(question, step, draws, steps)
    sent = not question.withhold or question.floor is None or question.floor.keeps(*cell)
    return cell if sent else None


def _narrowed(question: CutsQuestion, step: int, draws: Draws, steps: int | None) -> Cell:
    low, high = 0, question.line.ticks
    for _ in range(question.number if steps is None else steps):
        tick = next_cut(question, draws, (low, high))
        if tick is None:
            break
        low, high = (tick, high) if tick <= step else (low, tick)
    return low, high
