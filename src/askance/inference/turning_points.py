"""Where a function turns from rising to falling or back, or jumps: found by evaluation."""

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from askance.results import function_values
from askance.typing import Booleans, Floats, Integers
from askance_collect.errors import InputError

_NODES, _ROUNDS = 4096, 6  # evaluations of the first round, each twice as many as before
_GOLDEN = (5**0.5 - 1) / 2  # multiples of it, less whole numbers, lie evenly and resonate with none
_MOST_INTEGERS = 2**16  # whole numbers on a line that are all evaluated
_NOISE = 1e-13  # of a value: a difference that is rounding
_NEGLIGIBLE = 1e-9  # of the range of values: what a missed turn may be worth
_PARTS, _CUTS = 8, 20  # into which a bracket is parted, so often
_STEEPEST, _HALVINGS, _JUMP = 8, 64, 1e-6


def turning_points(
    phi: Callable[[Any], Any],
    line: tuple[float, float],
    cells: Floats,
    declared: Sequence[float],
    where: str,
) -> Floats:
    """Numbers at which a function of one variable has local extremes, declared ones among them.

    The function is evaluated at 4,096 numbers that are spread evenly over the line and over its
    cells, at the ends of cells and, on a line shorter than 65,536, at all whole numbers. Twice as
    many others must then lie between their neighbours' values, but beside a turn; where some do
    not, they are added, up to 258,048 in all. Each turn is refined in its bracket. A spike is seen
    if it is wider than about 1/10,000 of the line; no number of evaluations rules out a narrower
    one, which must be declared.

    Parameters
    ----------
    phi : callable
        Takes arrays.
    line : (float, float)
    cells : array
        Ends that part the line into cells inside which nothing is learnt.
    declared : sequence of float
    where : str
        Whose argument the function is.

    Raises
    ------
    InputError
        If it has no value between the ends of the line, or turns too often to be followed.

    >>> turns = turning_points(lambda y: (y - 1) ** 2, (0, 4), np.array([2.0]), (), "phi")
    >>> turns.round(6).tolist()
    [1.0]
    """
    knots = _knots(line, cells, declared)
    points = np.unique(np.concatenate([knots, _whole_numbers(line), _nodes(line, knots, 0)]))
    values = _evaluate(phi, points, line, where)
    for number in range(1, _ROUNDS):
        more = np.setdiff1d(_nodes(line, knots, number), points)
        more_values = _evaluate(phi, more, line, where)
        missed = _find_missed(points, values, more, more_values)
        points, order = np.unique(np.concatenate([points, more]), return_index=True)
        values = np.concatenate([values, more_values])[order]
        if not missed.any():
            return np.union1d(_refine_turns(phi, points, values, (line, where)), declared)
    raise InputError(
        where,
        got=f"a function that turns more often than {len(points):,} evaluations show, as near "
        f"{more[np.argmax(missed)]:.6g}",
        allowed="a function that rises and falls in stretches that can be found",
        remedy="declare every turn with turns=, or average out the oscillation",
    )


def refuse_jumps(
    phi: Callable[[Any], Any], line: tuple[float, float], cells: Floats, where: str
) -> None:
    """Refuse a function that jumps: its average is not learnt with the square root of people.

    Raises
    ------
    InputError
        If one of its eight steepest rises or falls stays, however near the two numbers are.
    """
    knots = _knots(line, cells, ())
    points = np.unique(np.concatenate([knots, _whole_numbers(line), _nodes(line, knots, 0)]))
    values = _evaluate(phi, points, line, where)
    rise = np.abs(np.diff(values))
    steep = (
        np.argpartition(rise, -_STEEPEST)[-_STEEPEST:]
        if len(rise) > _STEEPEST
        else np.arange(len(rise))
    )
    low, high, below, above = points[steep], points[steep + 1], values[steep], values[steep + 1]
    for _ in range(_HALVINGS):
        middle = low + (high - low) / 2
        middle_values = _evaluate(phi, middle, line, where)
        first = np.abs(middle_values - below) >= np.abs(above - middle_values)
        high, above = np.where(first, middle, high), np.where(first, middle_values, above)
        low, below = np.where(first, low, middle), np.where(first, below, middle_values)
    height = np.abs(above - below)
    if len(height) and height.max() > _JUMP * np.ptp(values):
        raise InputError(
            where,
            got=f"a function that jumps by {height.max():.4g} at {high[height.argmax()]:.6g}",
            allowed="a continuous function",
            remedy="for a share up to a number use cdf_intervals; bounds without an error are "
            "those of functional_bounds",
        )


def _knots(line: tuple[float, float], cells: Floats, declared: Sequence[float]) -> Floats:
    candidates = np.concatenate(
        [np.asarray(line, dtype=float), cells, np.asarray(declared, dtype=float)]
    )
    inside = np.unique(
        candidates[np.isfinite(candidates) & (candidates >= line[0]) & (candidates <= line[1])]
    )
    return inside if len(inside) else np.zeros(1)


def _whole_numbers(line: tuple[float, float]) -> Floats:
    if not line[1] - line[0] < _MOST_INTEGERS:
        return np.zeros(0)
    return np.arange(np.ceil(line[0]), np.floor(line[1]) + 1)


def _nodes(line: tuple[float, float], knots: Floats, number: int) -> Floats:
    """The numbers of one round: over the line, over cells, and beyond where a side is open."""
    start = _NODES * (2**number - 1)
    part = np.arange(start + 1, start + 1 + _NODES * 2**number) * _GOLDEN % 1
    low, high = knots[0], knots[-1]
    cell = np.interp(part, np.linspace(0, 1, len(knots)), knots)
    beyond = max(float(high - low), 1.0) * (part / (1 - part)) ** 2
    pieces = [low + (high - low) * part, cell]
    pieces += [high + beyond] * (line[1] == np.inf) + [low - beyond] * (line[0] == -np.inf)
    nodes = np.concatenate(pieces)
    return nodes[(nodes >= line[0]) & (nodes <= line[1])]


def _evaluate(
    phi: Callable[[Any], Any], points: Floats, line: tuple[float, float], where: str
) -> Floats:
    """The values at some numbers, each finite if it is between the ends of the line."""
    values = function_values(phi, points, where)
    bad = ~np.isfinite(values) & (points > line[0]) & (points < line[1])
    if bad.any():
        raise InputError(
            where,
            got=f"no finite value at {points[np.argmax(bad)]:.6g}",
            allowed="a number everywhere between the ends of the line",
            remedy="declare the support",
        )
    return values


def _find_turns(values: Floats) -> tuple[Integers, Integers, Booleans]:
    """The last value before each turn, the first after it, and whether it is a top."""
    with np.errstate(invalid="ignore"):
        step = np.diff(values)
        noise = _NOISE * np.maximum(np.abs(values[1:]), np.abs(values[:-1]))
    moves = np.flatnonzero(~(np.abs(step) <= noise) & ~np.isnan(step))
    rising = step[moves] > 0
    turn = np.flatnonzero(rising[1:] != rising[:-1])
    return moves[turn], moves[turn + 1] + 1, rising[turn]


def _find_missed(points: Floats, values: Floats, more: Floats, more_values: Floats) -> Booleans:
    """Whether each new value lies beyond both neighbours', away from any known turn."""
    before, after, _ = _find_turns(values)
    change = np.zeros(len(points) + 1)
    np.add.at(change, before, 1)
    np.add.at(change, after, -1)
    turning = np.cumsum(change)[:-1] > 0  # from this number to the next
    finite = values[np.isfinite(values)]
    tolerance = _NEGLIGIBLE * (np.ptp(finite) if len(finite) else 0.0)
    position = np.searchsorted(points, more)
    inside = (position > 0) & (position < len(points))
    left_neighbour, right_neighbour = (position - 1).clip(0), position.clip(0, len(points) - 1)
    low = np.minimum(values[left_neighbour], values[right_neighbour]) - tolerance
    high = np.maximum(values[left_neighbour], values[right_neighbour]) + tolerance
    missed: Booleans = (
        inside & ~turning[left_neighbour] & ((more_values < low) | (more_values > high))
    )
    return missed


def _refine_turns(
    phi: Callable[[Any], Any],
    points: Floats,
    values: Floats,
    context: tuple[tuple[float, float], str],
) -> Floats:
    """Refine each bracketed turn by repeated grid search around the best point."""
    before, after, top = _find_turns(values)
    if not len(before):
        return np.zeros(0)
    low, high, sign = points[before], points[after], np.where(top, 1.0, -1.0)
    rows = np.arange(len(low))
    best = np.zeros(0)
    for _ in range(_CUTS):
        some = low[:, None] + (high - low)[:, None] * np.linspace(0, 1, _PARTS + 1)
        signed = _evaluate(phi, some.ravel(), *context).reshape(some.shape) * sign[:, None]
        position = np.argmax(np.where(np.isnan(signed), -np.inf, signed), axis=1)
        best = some[rows, position]
        low, high = some[rows, (position - 1).clip(0)], some[rows, (position + 1).clip(0, _PARTS)]
    inner = [points[at_top] for at_top in (before + 1, after - 1)]  # what was seen is kept
    return np.unique(np.concatenate([best, *inner]))
