"""Groups that were asked through channels of their own counted together, as of one sample."""

from collections.abc import Mapping
from typing import Any

import numpy as np

from askance.channels.channel import Channel
from askance.channels.grouped_tally import GroupedTally
from askance.channels.tally import Tally, of_arrays
from askance.engines.tallies import tally
from askance.inference.sampling_columns import SamplingColumns
from askance.inference.sampling_design import AbstractSamplingDesign
from askance.results import is_missing
from askance.typing import Integers
from askance_collect.arguments import checked
from askance_collect.errors import InputError, refuse_unknown


@checked
def tally_groups(
    channels: Mapping[str, Channel],
    reports: Any,
    group: Any,
    *,
    data: Any = None,
    weights: Any = None,
    sampling: AbstractSamplingDesign | SamplingColumns | None = None,
) -> GroupedTally:
    """Tally the reports of groups that were asked differently, also of one complex sample.

    Who was asked in which way is left to chance, so that shares are the same in each group. Groups
    that share strata and clusters vary together: their tallies cannot be put together afterwards.

    Parameters
    ----------
    channels : mapping of str to Channel
        Of each group, by its name: all of one frame.
    reports : column, or str
        What each person reported; what is missing is a blank.
    group : column, or str
        The name of each person's group.
    data : data frame or mapping, optional
        Where texts name columns.
    weights : column, or str, optional
        Sampling weights, of people drawn with replacement.
    sampling : SamplingDesign, ReplicateWeights or SamplingColumns, optional
        How people were drawn, in place of weights. Rows of weight 0 are outside the domain.

    Raises
    ------
    InputError
        If columns differ in length, a group has no channel, or a report is not its channel's.

    >>> import askance as ak
    >>> yn, chances = ak.Frame(["yes", "no"]), {"few": "1/5", "many": "4/5"}
    >>> sided = ak.mechanisms.OneSided
    >>> channels = {name: sided(forced_yes=p).channel(yn) for name, p in chances.items()}
    >>> table = {"said": ["no", "yes", "yes", None], "way": ["few", "few", "many", "many"]}
    >>> towns = ak.inference.SamplingDesign(clusters=["a", "a", "b", "c"])
    >>> grouped = tally_groups(channels, "said", "way", data=table, sampling=towns)
    >>> grouped
    reports received
    group  report  reports  weights  squares
    few    yes           1        1        1
    few    no            1        1        1
    many   yes           1        1        1
    many   no            0        0        0
    3 reports of 2 groups, 1 blank
    >>> grouped.sample.df
    1.0
    """
    columns = data.values() if isinstance(data, Mapping) else ()
    if data is not None and not (columns or hasattr(data, "columns")):
        raise InputError("data", got=data, allowed="a data frame, or a mapping of columns")
    for column in columns:
        _read_column(column, None, "data")
    stacked = GroupedTally(
        {name: Tally(channel, {}) for name, channel in channels.items()}
    ).stacked.channel
    reported, members = _read_column(reports, data, "reports"), _read_column(group, data, "group")
    if len(reported) != len(members):
        raise InputError(
            "group", got=f"{len(members):,} rows", allowed=f"{len(reported):,}: one a report"
        )
    first, places = 0, dict[str, dict[Any, int]]()
    for name, channel in channels.items():
        places[name] = {report: first + i for i, report in enumerate(channel.reports)}
        first += len(channel.reports)
    names = _name_reports(reported, members, places, stacked)
    weighing = None if weights is None else _read_column(weights, data, "weights")
    if isinstance(sampling, SamplingColumns):
        sampling = sampling.of(data)
    total = tally(stacked, names, weights=weighing, sampling=sampling)
    assert isinstance(total, Tally)
    counted = np.ones(len(reported)) if sampling is None else sampling.weights
    blanks = [report is None and w > 0 for report, w in zip(names, counted, strict=True)]
    parts = dict[str, Tally]()
    for name, own in places.items():
        silent = sum(blank and label == name for blank, label in zip(blanks, members, strict=True))
        parts[name] = _slice_tally(channels[name], total, np.array(list(own.values())), silent)
    return GroupedTally(parts, sample=total.sample)


def _name_reports(
    reported: list[Any],
    members: list[Any],
    places: Mapping[str, Mapping[Any, int]],
    stacked: Channel,
) -> list[str | None]:
    """What each person reported, by the names of the reports of all groups."""
    names_by_group = {
        name: {report: stacked.reports[position] for report, position in own.items()}
        for name, own in places.items()
    }
    names: list[str | None] = []
    for row, (report, name) in enumerate(zip(reported, members, strict=True)):
        try:
            names.append(names_by_group[name][report])
        except (KeyError, TypeError):  # blank, or nothing that anybody could say
            refuse_unknown(f"group[{row}]", name, places)
            if not is_missing(report):
                refuse_unknown(f"reports[{row}]", report, places[name])
            names.append(None)
    return names


def _slice_tally(channel: Channel, stacked_tally: Tally, positions: Integers, blanks: int) -> Tally:
    sums = None
    if stacked_tally.weights is not None and stacked_tally.squares is not None:
        sums = stacked_tally.weights[positions], stacked_tally.squares[positions]
    return of_arrays(channel, stacked_tally.counts[positions], sums, blanks)


def _read_column(column: Any, data: Any, where: str) -> list[Any]:
    if isinstance(column, str):
        if data is None:
            raise InputError(where, got=column, allowed="a column, or its name beside data")
        try:
            column = data[column]
        except (KeyError, TypeError, ValueError) as error:
            raise InputError(where, got=column, allowed="the name of a column") from error
    converters = (getattr(column, name, None) for name in ("to_pylist", "tolist", "to_list"))
    try:
        return list(next((convert() for convert in converters if convert is not None), column))
    except TypeError as error:
        raise InputError(where, got=type(column).__name__, allowed="a column") from error
