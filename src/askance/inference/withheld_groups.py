"""Which groups of few are withheld, and which others, by which they would be found; their names."""

from collections.abc import Sequence
from itertools import combinations
from typing import Any, NamedTuple, final

import numpy as np

from askance.results import plain_json
from askance.typing import Booleans, Integers, Json

Cell = str | float | None
"""What stands in a table: a name, a number that is still whole, or nothing."""

_Sum = tuple[Integers, Booleans]  # of each cell in which sum it is; of each sum whether it is shown
_LEFT = 1e-6  # of a row of 0 and 1: less is rounding


@final
class _Table(NamedTuple):
    """A table that may be shown: people told apart by some of the columns.

    Attributes
    ----------
    columns : frozenset of int
    cell : Integers
        Its cell in which each group lies.
    shown : Booleans
        Which of its cells are not withheld.
    """

    columns: frozenset[int]
    cell: Integers
    shown: Booleans


def withheld_groups(
    groups: Sequence[tuple[Any, ...]],
    reports: Sequence[int],
    minimum: int,
    by: Sequence[str] = (),
) -> Booleans:
    """Say which groups are withheld: those of few reports, and others by which these were found.

    Where everybody's estimate is shown, and those of all groups but one, that one is found by
    subtraction. So the next smallest groups are withheld too, of those alike in size the first by
    name, until those withheld hold ``minimum`` reports together: of everybody and, by several
    columns, of each cell that a table by fewer of them shows; and until no sums and differences of
    all these leave a group of few reports alone (complementary cell suppression: Cox, 1980).
    Neither the order of groups nor that of the columns ``by`` matters: of two tables that withhold
    differently, each would show what the other withholds.

    >>> withheld_groups([("a",), ("b",), ("c",)], [12, 400, 60], 50).tolist()
    [True, False, True]
    >>> withheld_groups([()], [12], 50).tolist()  # of everybody
    [True]
    """
    n, wide = np.array(reports, dtype=np.int64), len(groups[0])
    order = sorted(range(wide), key=lambda at: [*by[at : at + 1]])
    tables: list[_Table] = []
    for size in range(wide + 1):
        for columns in combinations(order, size):
            cell = _cells([tuple(group[at] for at in columns) for group in groups])
            within = [one for one in tables if one.columns < set(columns)]
            held = _held_back(_of_cells(cell, n), minimum, cell, within)
            tables.append(_Table(frozenset(columns), cell, ~held & (_of_cells(cell, n) > 0)))
    return (~tables[-1].shown & (_of_cells(tables[-1].cell, n) > 0))[tables[-1].cell]


def why_withheld(reports: int, minimum: int) -> tuple[str, str]:
    """How a group of so many reports is marked that is not shown, and why it is not.

    >>> why_withheld(12, 50)
    ('withheld', 'fewer than 50 reports')
    """
    if not reports:
        return "no reports", "no reports"
    if reports < minimum:
        return "withheld", f"fewer than {minimum} reports"
    return "withheld too", "else a group with fewer could be found by subtraction"


def _cells(groups: Sequence[tuple[Any, ...]]) -> Integers:
    """Number the different groups, in the order of their names."""
    apart = sorted(dict.fromkeys(groups), key=lambda group: [*map(group_name, group)])
    number = {group: at for at, group in enumerate(apart)}
    return np.array([number[group] for group in groups])


def _of_cells(cell: Integers, n: Integers) -> Integers:
    """Sum over the groups of each cell."""
    return np.bincount(cell, weights=n).astype(np.int64)


def _held_back(n: Integers, minimum: int, cell: Integers, within: Sequence[_Table]) -> Booleans:
    """Say which cells of a table are withheld, beside tables by fewer columns."""
    sums: list[_Sum] = []
    for one in within:
        of = np.zeros(len(n), dtype=np.int64)
        of[cell] = one.cell
        sums.append((of, one.shown))
    out = (n > 0) & (n < minimum)
    while (near := _lacking(n, minimum, sums, out)) is not None:
        left = near & ~out & (n > 0)
        if not left.any():  # of the whole
            left = ~out & (n > 0)
        if not left.any():
            break
        out[np.flatnonzero(left)[np.argmin(n[left])]] = True
    return out


def _lacking(n: Integers, minimum: int, sums: Sequence[_Sum], out: Booleans) -> Booleans | None:
    """Find cells of which one more has to be withheld; None where no small group can be found."""
    for of, shown in sums:
        held = np.bincount(of, weights=np.where(out, n, 0), minlength=len(shown))
        short = np.flatnonzero(shown & (held > 0) & (held < minimum))
        if len(short):
            lacking: Booleans = of == short[0]
            return lacking
    if len(sums) < 2 or not out.any():
        return None  # one sum leaves one difference, and of everybody alone there is none
    found = _found_out(n, minimum, sums, out)
    if found is None:
        return None
    near: Booleans = np.any([np.isin(of, of[found]) for of, _ in sums[1:]], axis=0)
    return near


def _found_out(n: Integers, minimum: int, sums: Sequence[_Sum], out: Booleans) -> Integers | None:
    """Find the cells of a small group, of any of the tables, that shown sums combine to.

    It is found out if which withheld cells it has, as a row of 0 and 1, is a combination of such
    rows of the sums that are shown.
    """
    at = np.flatnonzero(out)
    rows = np.vstack([of[at] == np.flatnonzero(shown)[:, None] for of, shown in sums])
    rows = rows[rows.any(axis=1)].astype(np.float64)
    inverse = np.linalg.pinv(rows @ rows.T, hermitian=True)
    for of in (np.arange(len(n)), *(of for of, _ in sums[1:])):
        size, inside = _of_cells(of, n), np.bincount(of[at], minlength=of.max() + 1)
        told = np.zeros((len(size), len(rows)))
        np.add.at(told, of[at], rows.T)
        left = inside - ((told @ inverse) * told).sum(axis=1)
        found = np.flatnonzero((size > 0) & (size < minimum) & (left < _LEFT))
        if len(found):
            return np.flatnonzero(of == found[0])
    return None


def group_name(value: Any) -> str:
    """Name a group by its value.

    >>> group_name("north"), group_name(2.0), group_name(20230101.0), group_name(None)
    ('north', '2', '20230101', 'missing')
    """
    if value is None:
        return "missing"
    return f"{value:.15g}" if isinstance(value, float) else str(value)


def group_json(by: Sequence[str], group: Sequence[Any]) -> Json:
    """Write the values of a group for JSON, a date as text.

    >>> from datetime import date
    >>> group_json(["town", "asked"], ["a", date(2026, 1, 2)])
    {'town': 'a', 'asked': '2026-01-02'}
    """
    told = map(plain_json, group)
    return {
        name: one if one is None or isinstance(one, str | int | float) else str(one)
        for name, one in zip(by, told, strict=True)
    }
