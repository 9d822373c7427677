"""Ranges counted by their distinct ends, where they lie."""

from collections.abc import Iterable
from pathlib import Path
from typing import Any

import numpy as np

from askance.arguments import checked
from askance.channels.ranges import Closed, Ranges
from askance.engines.sources import (
    Group,
    Grouping,
    file_groups,
    files_at,
    frame_groups,
    parts_of,
    table_of,
)
from askance.errors import InputError

_WHERE = "count_ranges.source"


@checked
def count_ranges(
    source: Any,
    lower: str = "lower",
    upper: str = "upper",
    *,
    weights: str | None = None,
    closed: Closed = "right",
) -> Ranges:
    r"""Count ranges by their distinct ends: the sufficient statistic of interval-censored numbers.

        n(a, b) = #{i : lower_i = a, upper_i = b}

    Rows are counted by whatever holds them, and each distinct range comes here once, with how often
    it was observed. `askance.npmle` and every interval of it start from there: what they need grows
    with the distinct ranges, not with the rows.

    Parameters
    ----------
    source : table, path, or iterator of tables
        As in `askance.tally`.
    lower, upper : str
        The columns of the ends, ``-inf`` and ``inf`` where there is none. A row without both is a
        blank and is left out.
    weights : str, optional
        A column of weights: each range then has their sum. For the distribution itself that is
        right; intervals take weights for so many people.
    closed : {"right", "left", "both", "neither", "survival"}
        Which ends are inside, as in `askance.Ranges`; with "survival" one missing end is open.

    Raises
    ------
    InputError
        If a column is missing or holds no numbers, a range is empty or reversed, or there is none.
    DocumentError
        If a file cannot be read.

    >>> import askance as ak
    >>> from askance.engines import count_ranges
    >>> import pandas as pd
    >>> sent = pd.DataFrame({"lower": [-np.inf, 30, 30, 30], "upper": [30, np.inf, 50, np.inf]})
    >>> ranges = count_ranges(sent)
    >>> ranges, ranges.weights.tolist()
    (Ranges((-inf, 30], (30, 50], (30, inf]), [1.0, 1.0, 2.0])
    >>> float(ak.npmle(ranges).cdf(30))
    0.25
    """
    asked = Grouping(keys=(lower, upper), weights=weights, numbers=True, where=_WHERE)
    found: dict[tuple[float | None, float | None], float] = {}
    for one in _groups(source, asked):
        low, high = (None if end is None else float(end) for end in one.cells)
        if low is not None or high is not None:
            counted = one.rows if weights is None else one.weight
            found[low, high] = found.get((low, high), 0.0) + counted
    if not found:
        raise InputError(_WHERE, got="no range", allowed="at least one range")
    distinct = sorted(found, key=lambda ends: [(end is not None, end or 0.0) for end in ends])
    ends = np.array(distinct, dtype=np.float64)
    try:
        return Ranges(ends, weights=[found[one] for one in distinct], closed=closed)
    except InputError as error:  # which speaks of a row that nobody sees
        raise InputError(
            _WHERE, got=error.got, allowed=error.allowed, remedy=error.remedy
        ) from error


def _groups(source: Any, asked: Grouping) -> Iterable[Group]:
    """Count where the ranges lie."""
    if isinstance(source, str | Path):
        return file_groups(*files_at(source), asked)
    parts = parts_of(source)
    return (
        one for part in ([source] if parts is None else parts) for one in _of_table(part, asked)
    )


def _of_table(part: Any, asked: Grouping) -> Iterable[Group]:
    frame = table_of(part)
    if frame is None:
        raise InputError(
            _WHERE,
            got=type(part).__name__,
            allowed="a table, a path, or an iterator of tables",
            remedy="askance.Ranges takes two columns at hand",
        )
    return frame_groups(frame, asked)
