"""A law of numbers in whole units: on the inner ticks of a line, or on its steps."""

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from askance.channels.continuous import continuous_law
from askance.errors import InputError
from askance.exact.line import Line
from askance.exact.ratio import ratio
from askance.exact.table import LARGEST_TOTAL
from askance.typing import Floats

EVEN = "even"
"""The law that treats every tick, or every step, alike."""

UNITS = 1_000_000
"""What the units of a continuous law sum to."""

_LEAST_MASS = 1e-12  # less on the whole line is no more than rounding of a cumulative function


def tick_weights(line: Line, law: Any, where: str = "law", total: int = UNITS) -> tuple[int, ...]:
    """Write the law of one cut as whole weights of the inner ticks, shape (ticks − 1,).

    Each tick takes what a distribution has within half a step of it; cuts beyond the inner ticks
    are drawn anew.

    Parameters
    ----------
    line : Line
    law : "even", distribution, callable, or sequence of number of shape (ticks − 1,)
    where : str
        What an error calls the law.
    total : int
        What the weights of a distribution sum to.

    Raises
    ------
    InputError
        If the law has no mass between the ends of the line, or is none.

    >>> from scipy import stats
    >>> tick_weights(Line(0, 80, 20), stats.logistic(50, 10), total=100)
    (12, 44, 44)
    """
    if isinstance(law, str | Sequence):
        return _listed(law, line.ticks - 1, "inner ticks", where)
    ends = float(line.lower) + (np.arange(line.ticks) + 0.5) * float(line.step)
    upto = np.asarray(continuous_law(law, where).cdf(ends), dtype=float)
    if not upto[-1] - upto[0] > _LEAST_MASS:
        raise _empty(line, where)
    return _rounded((upto - upto[0]) / (upto[-1] - upto[0]), total)


def step_sizes(line: Line, law: Any, where: str = "sizes") -> tuple[int, ...]:
    """Write a law of answers as whole sizes of the steps of a line, shape (ticks,).

    The outer steps are open-ended: they take what lies beyond the ends.

    Raises
    ------
    InputError
        If the law has no mass between the ends of the line, or is none.

    >>> from scipy import stats
    >>> step_sizes(Line(0, 4, 1), stats.uniform(-1, 4))
    (500000, 250000, 250000, 0)
    """
    if isinstance(law, str | Sequence):
        return _listed(law, line.ticks, "steps", where)
    read = continuous_law(law, where)
    whole = np.asarray(read.cdf(np.array([float(line.lower), float(line.upper)])), dtype=float)
    if not whole[1] - whole[0] > _LEAST_MASS:
        raise _empty(line, where)
    inner = read.cdf(float(line.lower) + np.arange(1, line.ticks) * float(line.step))
    return _rounded(np.concatenate([[0.0], np.asarray(inner, dtype=float), [1.0]]), UNITS)


def _rounded(upto: Floats, total: int) -> tuple[int, ...]:
    return tuple(np.diff(np.rint(upto * total).astype(np.int64)).tolist())


def _listed(law: Any, count: int, of: str, where: str) -> tuple[int, ...]:
    """Read one number for each tick or step; fractions become whole in the same proportions."""
    if law == EVEN:
        return (1,) * count
    read = [] if isinstance(law, str) else [ratio(one, where) for one in law]
    if len(read) != count or not sum(read) or min(read) < 0:
        raise InputError(
            where,
            got=law if isinstance(law, str) else f"{len(read)} numbers",
            allowed=f'"{EVEN}", a distribution, or {count} non-negative numbers, '
            f"one for each of the {of}, not all zero",
        )
    whole = math.lcm(*(one.denominator for one in read))
    units = tuple(int(one * whole) for one in read)
    if sum(units) > LARGEST_TOTAL:
        raise InputError(where, got="too fine chances", allowed="whole units of at most 2^-48")
    return units


def _empty(line: Line, where: str) -> InputError:
    return InputError(
        where,
        got=f"a law with nothing between {line.lower} and {line.upper}",
        allowed="a law with mass on the line",
        remedy="check its location, scale and unit",
    )
