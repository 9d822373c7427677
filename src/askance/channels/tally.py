"""Reports by name: found in their channel, and counted, which is all that an estimate needs."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, final

import numpy as np

from askance.arguments import checked
from askance.channels.channel import Channel
from askance.channels.readonly import is_missing
from askance.errors import InputError, nearest
from askance.exact.ratio import whole
from askance.typing import Integers


@final
@dataclass(frozen=True, slots=True, init=False, eq=False)
class Tally:
    """How often each report of a channel was received.

    Parameters
    ----------
    channel : Channel
    counts : mapping of str to int
        Reports left out were not received.

    Raises
    ------
    InputError
        If a report is not the channel's or a count is not a whole, non-negative number.

    >>> from askance.channels.frame import Frame
    >>> q = Channel(Frame(["yes", "no"]), {"yes": ["yes"], "no": ["no"]}, [[1, 0], [0, 1]])
    >>> Tally(q, {"no": 4}).counts.tolist()
    [0, 4]
    """

    channel: Channel
    counts: Integers

    @checked
    def __init__(self, channel: Channel, counts: Mapping[str, int]) -> None:
        column = np.zeros(len(channel.reports), dtype=np.int64)
        for report, count in counts.items():
            where = f"Tally.counts[{report!r}]"
            column[channel.column(report)] = whole(count, where, "a whole number in [0, ∞)", 0)
        column.setflags(write=False)
        object.__setattr__(self, "channel", channel)
        object.__setattr__(self, "counts", column)

    @property
    def total(self) -> int:
        """How many reports were received."""
        return int(self.counts.sum())


BLANK = -1
"""Where a report is missing."""

_UNKNOWN = -2
_LISTED = 20  # names in a message


def report_columns(
    channel: Channel,
    reports: Any,
    where: str = "reports",
    codes: Mapping[Any, str | None] | None = None,
    *,
    rows: Integers | None = None,
) -> Integers:
    """Find the column of each report by its name; a missing one (None, NaN, NA) is a `BLANK`.

    Numbers and truth values are never taken for positions: 1 may be "yes" where the first report
    is "no". What they stand for is said by ``codes``.

    Parameters
    ----------
    channel : Channel
    reports : sequence, array or column of a data frame, length n
    where : str
        For messages.
    codes : mapping to str or None, optional
        What values stand for that are no names of reports: ``{1: "yes", 0: "no", 9: None}``.
    rows : array of int, optional
        Read these only.

    Raises
    ------
    InputError
        If a value is no report of the channel; the message names the row.

    >>> from askance.channels.frame import Frame
    >>> q = Channel(Frame(["yes", "no"]), {"yes": ["yes"], "no": ["no"]}, [[1, 0], [0, 1]])
    >>> report_columns(q, ["no", "yes", None]).tolist()
    [1, 0, -1]
    >>> report_columns(q, [1, 0, 1], codes={1: "yes", 0: "no"}).tolist()
    [0, 1, 0]
    >>> report_columns(q, [1, 0])
    Traceback (most recent call last):
    askance.errors.InputError: reports[0]: got 1; allowed: yes, no, or None for a blank; say what...
    """
    known: dict[Any, int] = {name: at for at, name in enumerate(channel.reports)}
    known |= {None: BLANK} | _coded(channel, codes)
    given = listed_column(reports, where)
    given = given if rows is None else [given[row] for row in rows.tolist()]
    try:
        found = np.array([known.get(one, _UNKNOWN) for one in given], dtype=np.int64)
    except TypeError:  # what cannot be looked up
        found = np.array([_looked_up(known, one) for one in given], dtype=np.int64)
    for at in np.flatnonzero(found == _UNKNOWN).tolist():
        if not is_missing(given[at]):
            row = at if rows is None else rows[at]
            raise _no_report(f"{where}[{row}]", given[at], channel.reports, codes)
        found[at] = BLANK
    return found


def listed_column(values: Any, where: str) -> Sequence[Any]:
    """List a column of values as plain Python values, whatever holds it.

    Raises
    ------
    InputError
        If it is a single value, a mapping, a table, or in no order.

    >>> listed_column(np.array(["yes", "no"]), "reports")
    ['yes', 'no']
    """
    single = isinstance(values, str | bytes | Mapping | set | frozenset)
    for name in ("tolist", "to_list", "to_pylist"):
        method = getattr(values, name, None)
        if callable(method) and not single and getattr(values, "ndim", 1) == 1:
            return list(method())
    if single or hasattr(values, "shape") or not hasattr(values, "__iter__"):
        shape = getattr(values, "shape", None)
        raise InputError(
            where,
            got=f"{type(values).__name__}{f' of shape {shape}' if shape is not None else ''}",
            allowed="one column: a list, a one-dimensional array, or a column of a data frame",
        )
    return values if isinstance(values, list | tuple) else list(values)


def _coded(channel: Channel, codes: Any) -> dict[Any, int]:
    if codes is None:
        return {}
    if not isinstance(codes, Mapping):
        raise InputError("codes", got=codes, allowed='a mapping such as {1: "yes", 0: "no"}')
    return {
        code: BLANK if report is None else channel.column(report) for code, report in codes.items()
    }


def _looked_up(known: Mapping[Any, int], value: Any) -> int:
    try:
        return known.get(value, _UNKNOWN)
    except TypeError:
        return _UNKNOWN


def _no_report(
    where: str, value: Any, names: Sequence[str], codes: Mapping[Any, Any] | None
) -> InputError:
    remedy = nearest(value, tuple(names)) if isinstance(value, str) else ""
    if not remedy and not isinstance(value, str):
        remedy = f"say what each value stands for, by the name of a report: codes={{{value!r}: …}}"
    others = f"; by codes: {', '.join(map(repr, list(codes)[:_LISTED]))}" if codes else ""
    allowed = f"{', '.join(names[:_LISTED])}, or None for a blank{others}"
    return InputError(where, got=value, allowed=allowed, remedy=remedy)
