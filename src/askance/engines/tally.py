"""Reports in a column counted, whatever holds it, whole or in parts."""

from collections.abc import Iterator
from typing import Any

import numpy as np

from askance.arguments import checked
from askance.channels.channel import Channel
from askance.channels.named_columns import Asked, named_column, record_columns
from askance.channels.tally import Tally
from askance.errors import InputError
from askance.typing import Integers


@checked
def tally(channel: Channel, column: Any) -> Tally:
    """Tally a column of reports: counts by name, the sufficient statistic of a channel's reports.

        c[j] = #{i : report_i = j}

    Parameters
    ----------
    channel : Channel
        Whose reports they are.
    column : column of names, or iterator of such
        A list, a NumPy array, or a column of pandas, polars or pyarrow, as text or as categories,
        as `askance.privatise` gives it; or an iterator of columns or a pyarrow record-batch reader
        of one column, which is counted part by part. What is missing is not counted.

    Raises
    ------
    InputError
        If a value is no report of the channel (numbers and truth values are never positions), or
        there is no report at all.

    >>> import askance as ak
    >>> from askance.engines import tally
    >>> q = ak.Warner(truth="3/4").channel(ak.Frame(["yes", "no"]))
    >>> tally(q, ["no", "yes", None, "no"]).counts.tolist()
    [1, 2]
    >>> tally(q, iter([["no"], ["yes", "no"]])).total
    3
    """
    parts = record_columns(column, "tally.column")
    if parts is None and isinstance(column, Iterator):
        parts = column
    if parts is None:
        counts = _counted(channel, column, "tally.column")
    else:
        counts = np.zeros(len(channel.reports), dtype=np.int64)
        for at, part in enumerate(parts):
            counts += _counted(channel, part, f"tally.column, part {at}")
    if not counts.any():
        raise InputError("tally.column", got="no report", allowed="at least one report")
    return Tally(channel, dict(zip(channel.reports, counts.tolist(), strict=True)))


def _counted(channel: Channel, column: Any, where: str) -> Integers:
    """Count by position; a blank is −1, which is counted first and left out."""
    places = named_column(column, Asked(channel.reports, where)).places
    counts = np.zeros(len(channel.reports) + 1, dtype=np.int64)
    for start in range(0, len(places), _PART):
        part = places[start : start + _PART].astype(np.int64)
        counts += np.bincount(part + 1, minlength=len(counts))
    return counts[1:]


_PART = 1 << 16  # rows that are counted at a time
