"""The groups that rows are counted by: their columns, their values, and their order."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from types import MappingProxyType
from typing import Any, TypeVar

import numpy as np

from askance.channels.channel import Channel
from askance.engines.sources import Grouping, find_columns_of
from askance.errors import InputError
from askance.results import is_missing
from askance.typing import Integers

_Counted = TypeVar("_Counted")


def columns_by(by: Any) -> tuple[str, ...]:
    """Read the names of columns, one or several."""
    named = (by,) if isinstance(by, str) else () if by is None else by
    listed = isinstance(named, list | tuple) and all(isinstance(one, str) for one in named)
    if not listed or len(set(named)) != len(named) or (by is not None and not named):
        raise InputError(
            "by",
            got=by if isinstance(by, str | list | tuple) else type(by).__name__,
            allowed="the name of a column, or a list of different names",
        )
    return tuple(named)


def grouping(
    channel: Channel,
    names: Sequence[str],
    column: str | None,
    by: tuple[str, ...],
    weights: str | None,
    where: str,
) -> Grouping:
    """Say what is counted; the column of reports is the only one left, where none is named."""
    if column is None:
        left = [name for name in names if name not in (*by, weights)]
        if len(left) != 1:
            find_columns_of(names, [*by, *([weights] if weights else [])], where)
            raise InputError(
                where,
                got=f"a table with the columns {', '.join(names[:20])}",
                allowed="the name of the column that holds the reports",
                remedy=f'say which: column="{left[0] if left else "report"}"; '
                "or pick one of its columns",
            )
        column = left[0]
    named = channel.oracle is None or channel.oracle.coded == "names"
    most = None if by or not named else 2 * len(channel.reports) + 4  # guarded or not, and blanks
    return Grouping(keys=(*by, column), weights=weights, first=len(by), most=most, where=where)


def is_listed(library: Any) -> bool:
    """Say whether columns of a library are read here, row by row, so that a message names one."""
    return bool(library.is_pandas() or library.is_polars() or library.is_pyarrow())


def by_group(groups: Iterable[Any], of: Callable[[Any], _Counted]) -> Mapping[Any, _Counted]:
    """Give what was counted by group, in their order; a group of one column is its value."""
    ordered = sorted(groups, key=lambda group: [_rank(one) for one in group])
    return MappingProxyType({group if len(group) > 1 else group[0]: of(group) for group in ordered})


def plain(value: Any) -> Any:
    """Write a group as a plain value, so that it is the same group from every engine."""
    value = value.item() if isinstance(value, np.generic) else value
    return value.to_pydatetime() if hasattr(value, "to_pydatetime") else value


def _rank(value: Any) -> tuple[bool, str, Any]:
    number = isinstance(value, int | float)
    return value is None, "" if number else type(value).__name__, 0 if value is None else value


def codes_of(columns: Sequence[Any], n: int) -> tuple[list[tuple[Any, ...]], Integers]:
    """Number the groups of n rows by columns of groups; without one all are of one group."""
    if not columns:
        return [()], np.zeros(n, dtype=np.int64)
    rows = zip(*(beside(one, n, "tally.by") for one in columns), strict=True)
    known: dict[Any, int] = {}
    try:
        found = [known.setdefault(row, len(known)) for row in rows]
    except TypeError as error:
        raise InputError("tally.by", got="lists", allowed="texts, numbers or dates") from error
    return list(known), np.array(found, dtype=np.int64)


def beside(values: Any, n: int, where: str) -> list[Any]:
    """List a column that stands beside the reports."""
    methods = (getattr(values, name, None) for name in ("tolist", "to_list", "to_pylist"))
    listed = next(filter(callable, methods), None)
    told = listed() if listed else list(values) if isinstance(values, list | tuple) else None
    if isinstance(values, str) or not isinstance(told, list):
        raise InputError(
            where,
            got=values if isinstance(values, str) else type(values).__name__,
            allowed="a column as long as that of the reports",
            remedy="the name of a column goes with a table" if isinstance(values, str) else "",
        )
    if len(told) != n:
        raise InputError(where, got=f"{len(told):,} values", allowed=f"one for each of {n:,} rows")
    return [None if is_missing(one) else plain(one) for one in told]
