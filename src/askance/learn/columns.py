"""Data frames of any library as named columns, with nothing missing where nothing may be."""

import datetime as dt
from collections.abc import Mapping, Sequence
from typing import Any

import narwhals as nw
import numpy as np

from askance.channels.readonly import is_missing
from askance.channels.tally import listed_column
from askance.errors import InputError, nearest

Columns = dict[str, list[Any]]
"""Values by the name of their column."""

_LISTED = 5  # rows in a message
_DATES = (dt.date, dt.timedelta, np.datetime64, np.timedelta64)


def columns_of(data: Any) -> Columns:
    """Take a data frame of any library, or a mapping of columns, apart.

    Raises
    ------
    InputError
        If it is neither.

    >>> columns_of({"age": (30, 40)})
    {'age': [30, 40]}
    """
    if isinstance(data, Mapping):
        return {
            str(name): list(listed_column(values, f"data[{name!r}]"))
            for name, values in data.items()
        }
    try:
        frame = nw.from_native(data, eager_only=True)
    except TypeError as error:
        raise InputError(
            "data", got=type(data).__name__, allowed="a data frame or a mapping of columns"
        ) from error
    return {str(name): frame[name].to_list() for name in frame.columns}


def picked(columns: Columns, names: Sequence[str]) -> Columns:
    """Pick columns by name.

    Raises
    ------
    InputError
        If one is not there, or they differ in length.

    >>> picked({"age": [30, 40], "town": ["a", "b"]}, ["age"])
    {'age': [30, 40]}
    """
    for name in names:
        if name not in columns:
            raise InputError(
                "data",
                got=f"no column {name!r}",
                allowed=", ".join(list(columns)[:20]) or "a column of this name",
                remedy=nearest(name, list(columns)),
            )
    chosen = {name: columns[name] for name in names}
    if len({len(values) for values in chosen.values()}) > 1:
        lengths = ", ".join(f"{name} {len(values)}" for name, values in chosen.items())
        raise InputError("data", got=f"rows: {lengths}", allowed="columns of one length")
    return chosen


def column_or_values(columns: Columns, given: Any) -> Any:
    """Give the column that a text names; anything else as it is.

    Raises
    ------
    InputError
        If there is no such column.

    >>> column_or_values({"town": ["a", "b"]}, "town").tolist()
    ['a', 'b']
    """
    return np.asarray(picked(columns, [given])[given]) if isinstance(given, str) else given


def refuse_holes(columns: Columns) -> None:
    """Make sure that every value is there.

    Raises
    ------
    InputError
        If something is missing or a date, naming the column and the rows.
    """
    for name, values in columns.items():
        holes = [at for at, value in enumerate(values) if is_missing(value)]
        dates = [at for at, value in enumerate(values) if isinstance(value, _DATES)]
        if dates:
            raise InputError(
                f"data[{name!r}]",
                got=f"a date in row {dates[0]}",
                allowed="numbers, or text for groups",
                remedy="turn dates into numbers, such as years since one of them",
            )
        if holes:
            more = " …" if len(holes) > _LISTED else ""
            raise InputError(
                f"data[{name!r}]",
                got=f"nothing in row {', '.join(map(str, holes[:_LISTED]))}{more}",
                allowed="covariates without holes",
                remedy="leave these rows out, or fill them in",
            )
