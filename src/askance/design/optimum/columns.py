"""Extremal columns: of all chances that a report may have, those no mixture makes.

Information is convex in a column and grows in proportion to it, so that nothing is lost by
splitting every column into extremal ones of the cone that the ratios allow, or, where distances
between rows are bounded too, of the cells into which the kinks |(1 − w) q_x − w q_x′| cut it.
"""

import math
from collections.abc import Iterator
from fractions import Fraction

import numpy as np

from askance.design.optimum.limits import Limits
from askance.errors import InputError
from askance.typing import Floats

MOST_ANSWERS = 12
_MOST_UNEVEN = 8  # answers, where columns are grown one by one
_MOST_STATES = 400_000
_DIGITS = 11  # of a logarithm, below which columns are the same


def extremal_columns(limits: Limits) -> Floats:
    r"""List the extremal columns, each with mean one.

    With one ratio e^ε for all pairs these are the staircase columns, 1 or e^ε for each answer; with
    bounded advantages at w = ½, the column of ones as well. In general a column is extremal where
    the pairs of answers at a bound or a kink hang together as a graph.

    Returns
    -------
    array, shape (n, k)

    Raises
    ------
    InputError
        If there are too many answers to list them.

    References
    ----------
    Kairouz, Oh & Viswanath (2016), on staircase mechanisms, for one ratio.

    >>> from fractions import Fraction
    >>> from askance.channels.frame import Frame
    >>> alike = ((1, Fraction(3)), (Fraction(3), 1))
    >>> extremal_columns(Limits.free(Frame(["yes", "no"])).bounded(alike)).tolist()
    [[1.5, 0.5], [0.5, 1.5]]
    """
    k = len(limits.frame)
    even = all(2 * cap.first_weight == 1 for cap in limits.caps)
    most = MOST_ANSWERS if limits.common_ratio is not None and even else _MOST_UNEVEN
    if k > most:
        raise InputError(
            "frame",
            got=f"{k} answers",
            allowed=f"at most {most} answers for constraints that "
            + ("treat pairs differently" if most < MOST_ANSWERS else "have no symmetry"),
        )
    if limits.common_ratio is not None and even:
        columns = _staircase(k, float(limits.common_ratio), ones=bool(limits.caps))
    else:
        columns = np.array(list(_hanging_together(limits)))
    scaled: Floats = columns / columns.mean(axis=1, keepdims=True)
    return scaled


def _staircase(k: int, ratio: float, *, ones: bool) -> Floats:
    masks = np.arange(1, (1 << k) - (0 if ones else 1))
    high = (masks[:, None] >> np.arange(k)) & 1
    if math.isinf(ratio):
        return high.astype(float)
    return np.where(high == 1, ratio, 1.0)


def _hanging_together(limits: Limits) -> Iterator[list[float]]:
    """Grow columns from one answer along bounds and kinks; what is out of reach is zero."""
    k = len(limits.frame)
    bounds = [[_log(limits.ratios[x][y]) for y in range(k)] for x in range(k)]
    steps = _steps(limits, bounds)
    found: set[tuple[float, ...]] = set()
    for start in range(k):
        seed = tuple(0.0 if at == start else -math.inf for at in range(k))
        seen, waiting = {seed}, [seed]
        while waiting:
            state = waiting.pop()
            if _complete(state, bounds):
                top = max(state)
                found.add(tuple(round(value - top, _DIGITS) + 0.0 for value in state))
            for longer in _grown(state, steps, bounds, start):
                if longer not in seen:
                    seen.add(longer)
                    waiting.append(longer)
            if len(seen) > _MOST_STATES:
                raise InputError(
                    "constraints",
                    got=f"more than {_MOST_STATES:,} columns to look at",
                    allowed="fewer answers, or fewer different bounds",
                )
    return ([math.exp(value) for value in column] for column in sorted(found))


def _steps(limits: Limits, bounds: list[list[float]]) -> list[list[tuple[float, ...]]]:
    """Give the differences of logarithms, y less x, that are at a bound or a kink."""
    k = len(bounds)
    steps: list[list[set[float]]] = [[set() for _ in range(k)] for _ in range(k)]
    for x in range(k):
        for y in range(k):
            if x != y and math.isfinite(bounds[x][y]):
                steps[x][y].add(-bounds[x][y])
                steps[y][x].add(bounds[x][y])
    for cap in limits.caps:
        x, y = cap.pair
        kink = _log(cap.first_weight / (1 - cap.first_weight))
        steps[x][y].add(kink)
        steps[y][x].add(-kink)
    return [[tuple(sorted(one)) for one in row] for row in steps]


def _grown(
    state: tuple[float, ...],
    steps: list[list[tuple[float, ...]]],
    bounds: list[list[float]],
    start: int,
) -> Iterator[tuple[float, ...]]:
    """Add one answer to a column, at a bound or a kink with one that is there.

    Answers before the start are left out: a column without them was grown from them already.
    """
    there = [at for at, value in enumerate(state) if value > -math.inf]
    for y in range(start + 1, len(state)):
        if state[y] == -math.inf:
            values = {round(state[x] + step, _DIGITS) for x in there for step in steps[x][y]}
            for value in values:
                if all(
                    -bounds[x][y] - 1e-9 <= value - state[x] <= bounds[y][x] + 1e-9 for x in there
                ):
                    yield (*state[:y], value, *state[y + 1 :])


def _complete(state: tuple[float, ...], bounds: list[list[float]]) -> bool:
    """Say whether the answers left out may be zero beside those that are there."""
    inside = [at for at, value in enumerate(state) if value > -math.inf]
    outside = [at for at, value in enumerate(state) if value == -math.inf]
    return all(math.isinf(bounds[x][y]) for x in inside for y in outside)


def _log(ratio: float | Fraction) -> float:
    return math.inf if ratio == math.inf else math.log(float(ratio))
