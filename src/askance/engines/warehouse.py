"""Reports tallied by a warehouse: the group-by as text of SQL, and its result read as a tally."""

from collections.abc import Sequence
from decimal import Decimal
from typing import Any, Literal

from askance.arguments import checked
from askance.channels.channel import Channel
from askance.channels.tally import Tally
from askance.engines.sources import Group, fetched, find_columns_of, table_of
from askance.engines.tally import Sums, Tallies, columns_by
from askance.errors import InputError
from askance.exact.ratio import whole
from askance.results import is_missing, numbers

NAMES = ("report", "reports", "weight", "square")
"""What the columns of the result are called, after those of the groups."""

_WHERE = "tally_from_sql.result"


@checked
def tally_sql(
    channel: Channel,
    table: str | Sequence[str],
    column: str,
    *,
    by: Any = None,
    weights: str | None = None,
    quote: Literal['"', "`"] = '"',
) -> str:
    """Write the group-by of `askance.tally` as SQL, for a warehouse that only a query reaches.

    The result has one row for each report of each group. `tally_from_sql` reads it: only counts,
    and sums of weights, leave the warehouse.

    Parameters
    ----------
    channel : Channel
        Whose reports they are; a remark in the text says it by its fingerprint.
    table : str or sequence of str
        The name of the table, or its parts: ``["shop", "public", "reports"]``.
    column : str
        The column of the reports.
    by : str or list of str, optional
        Columns that say which group a row belongs to.
    weights : str, optional
        The column of sampling weights.
    quote : str
        How the warehouse quotes a name: ``"`` by the standard, a backtick in MySQL, BigQuery and
        Spark.

    Raises
    ------
    InputError
        If a name is empty, or a group is called like a column of the result.

    >>> import askance as ak
    >>> from askance.engines import tally_from_sql, tally_sql
    >>> q = ak.Warner(truth="3/4").channel(ak.Frame(["yes", "no"]))
    >>> print(tally_sql(q, "reports", "drinks", by="town", weights="w"))
    -- reports of the channel ...
    SELECT "town", "drinks" AS "report", COUNT(*) AS "reports",
      SUM(("w" * 1e0)) AS "weight", SUM(("w" * 1e0) * ("w" * 1e0)) AS "square"
    FROM "reports"
    GROUP BY "town", "drinks"
    >>> tally_from_sql(q, [("yes", 3), ("no", 5), (None, 1)])
    reports received
    report  reports
    yes           3
    no            5
    8 reports, 1 blank
    """
    groups = columns_by(by)
    taken = [name for name in groups if name in NAMES]
    if taken:
        raise InputError(
            "tally_sql.by",
            got=taken[0],
            allowed=f"another name than {', '.join(NAMES)}",
            remedy="rename the column in a view",
        )
    parts: list[Any] = [table] if isinstance(table, str) else list(table)
    for name in (*parts, column, *groups, *([] if weights is None else [weights])):
        if not isinstance(name, str) or not name or "\0" in name:
            raise InputError("tally_sql", got=name, allowed="names of a table and its columns")
    report, reports, weight, square = (_quoted(name, quote) for name in NAMES)
    keys = [_quoted(name, quote) for name in (*groups, column)]
    told = [*keys[:-1], f"{keys[-1]} AS {report}", f"COUNT(*) AS {reports}"]
    if weights is not None:
        number = f"({_quoted(weights, quote)} * 1e0)"  # as a double, in every dialect
        told += [f"SUM({number}) AS {weight}", f"SUM({number} * {number}) AS {square}"]
    mark = Tally(channel, {}).fingerprint[:16]
    lines = (
        f"-- reports of the channel {mark}",
        f"SELECT {', '.join(told)}",
        f"FROM {'.'.join(_quoted(part, quote) for part in parts)}",
        f"GROUP BY {', '.join(keys)}",
    )
    return "\n".join(lines)


def _quoted(name: str, quote: str) -> str:
    return quote + name.replace(quote, quote * 2) + quote


@checked
def tally_from_sql(channel: Channel, result: Any, *, by: Any = None) -> Tally | Tallies:
    """Read the result of the query that `tally_sql` writes as a tally, or as tallies by group.

    Parameters
    ----------
    channel : Channel
        Whose reports they are.
    result : table or list of tuples
        A data frame of any library with the columns of the query, or its rows as a driver fetches
        them, in the order of the query's columns.
    by : str or list of str, optional
        As in the query.

    Returns
    -------
    Tally, or with ``by`` a mapping of groups to tallies
        As from `askance.tally`.

    Raises
    ------
    InputError
        If a column is missing, a report is not the channel's, or a count is none.
    """
    groups = columns_by(by)
    rows = _rows(result, groups)
    widths = {len(row) for row in rows}
    if len(widths) != 1 or widths - {len(groups) + 2, len(groups) + 4}:
        raise InputError(
            _WHERE,
            got=f"rows of {', '.join(map(str, sorted(widths)))} columns" if rows else "no row",
            allowed=f"rows of {', '.join((*groups, *NAMES[:2]))}, and {' and '.join(NAMES[2:])}",
        )
    found = Sums(channel, weighted=widths == {len(groups) + 4})
    found.add_groups((_group(row, len(groups), at) for at, row in enumerate(rows)), _WHERE)
    return found.told(by, _WHERE)


def _rows(result: Any, groups: Sequence[str]) -> list[tuple[Any, ...]]:
    """List the rows of a result in the order of the query's columns."""
    if isinstance(result, list | tuple):
        if not all(isinstance(row, list | tuple) for row in result):
            raise InputError(_WHERE, got="a list", allowed="a table, or rows as tuples")
        return [tuple(row) for row in result]
    frame = None if isinstance(result, str | bytes) else table_of(result)
    if frame is None:
        raise InputError(_WHERE, got=type(result).__name__, allowed="a table, or rows as tuples")
    names = list(frame.collect_schema().names())
    wanted = [*groups, *NAMES[: 4 if NAMES[2] in names else 2]]
    find_columns_of(names, wanted, _WHERE)
    return [tuple(row) for row in fetched(frame.select(*wanted))]


def _group(row: Sequence[Any], groups: int, at: int) -> Group:
    """Read one row of a result, whose numbers may be decimals."""
    cells = tuple(None if is_missing(cell) else cell for cell in row[: groups + 1])
    told = [float(one) if isinstance(one, Decimal) else one for one in row[groups + 1 :]]
    where = f"{_WHERE}[{at}]"
    count = whole(told[0], f"{where}.{NAMES[1]}", "a whole number in [0, 2^53]", 0, 2**53)
    sums = [numbers(one, f"{where}.{name}") for one, name in zip(told[1:], NAMES[2:], strict=False)]
    weight, square = (float(one) for one in sums or (0.0, 0.0))
    return Group(cells, count, weight, square)
