"""Groups that were asked through channels of their own counted together, as of one sample."""

from collections.abc import Mapping
from typing import Any

import numpy as np

from askance.arguments import checked
from askance.channels.channel import Channel
from askance.channels.grouped_tally import GroupedTally
from askance.channels.tally import Tally, of_arrays
from askance.engines.tallies import tally
from askance.errors import InputError, refuse_unknown
from askance.inference.design_columns import DesignColumns
from askance.inference.sampling_design import AbstractDesign
from askance.results import is_missing
from askance.typing import Integers


@checked
def tally_groups(
    channels: Mapping[str, Channel],
    reports: Any,
    group: Any,
    *,
    data: Any = None,
    weights: Any = None,
    design: AbstractDesign | DesignColumns | None = None,
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
    design : SamplingDesign, ReplicateWeights or DesignColumns, optional
        How people were drawn, in place of weights. Rows of weight 0 are outside the domain.

    Raises
    ------
    InputError
        If columns differ in length, a group has no channel, or a report is not its channel's.

    >>> import askance as ak
    >>> yn, chances = ak.Frame(["yes", "no"]), {"few": "1/5", "many": "4/5"}
    >>> sided = ak.mechanisms.OneSided
    >>> asked = {way: sided(forced_yes=p).channel(yn) for way, p in chances.items()}
    >>> sent = {"said": ["no", "yes", "yes", None], "way": ["few", "few", "many", "many"]}
    >>> towns = ak.inference.SamplingDesign(clusters=["a", "a", "b", "c"])
    >>> told = tally_groups(asked, "said", "way", data=sent, design=towns)
    >>> told
    reports received
    group  report  reports  weights  squares
    few    yes           1        1        1
    few    no            1        1        1
    many   yes           1        1        1
    many   no            0        0        0
    3 reports of 2 groups, 1 blank
    >>> told.design.freedom
    1.0
    """
    columns = data.values() if isinstance(data, Mapping) else ()
    if data is not None and not (columns or hasattr(data, "columns")):
        raise InputError("data", got=data, allowed="a data frame, or a mapping of columns")
    for one in columns:
        _column(one, None, "data")
    whole = GroupedTally({name: Tally(one, {}) for name, one in channels.items()}).stacked.channel
    said, of = _column(reports, data, "reports"), _column(group, data, "group")
    if len(said) != len(of):
        raise InputError("group", got=f"{len(of):,} rows", allowed=f"{len(said):,}: one a report")
    first, places = 0, dict[str, dict[Any, int]]()
    for name, one in channels.items():
        places[name] = {report: first + at for at, report in enumerate(one.reports)}
        first += len(one.reports)
    names = _names(said, of, places, whole)
    weighing = None if weights is None else _column(weights, data, "weights")
    if isinstance(design, DesignColumns):
        design = design.of(data)
    told = tally(whole, names, weights=weighing, design=design)
    assert isinstance(told, Tally)
    counted = np.ones(len(said)) if design is None else design.weights
    parts, blanks = {}, [one is None and w > 0 for one, w in zip(names, counted, strict=True)]
    for name, own in places.items():
        silent = sum(blank and one == name for blank, one in zip(blanks, of, strict=True))
        parts[name] = _part(channels[name], told, np.array(list(own.values())), silent)
    return GroupedTally(parts, design=told.design)


def _names(
    said: list[Any], of: list[Any], places: Mapping[str, Mapping[Any, int]], whole: Channel
) -> list[str | None]:
    """What each person reported, by the names of the reports of all groups."""
    known = {
        name: {report: whole.reports[at] for report, at in own.items()}
        for name, own in places.items()
    }
    names: list[str | None] = []
    for at, (report, name) in enumerate(zip(said, of, strict=True)):
        try:
            names.append(known[name][report])
        except (KeyError, TypeError):  # blank, or nothing that anybody could say
            refuse_unknown(f"group[{at}]", name, places)
            if not is_missing(report):
                refuse_unknown(f"reports[{at}]", report, places[name])
            names.append(None)
    return names


def _part(channel: Channel, told: Tally, at: Integers, blanks: int) -> Tally:
    sums = None
    if told.weights is not None and told.squares is not None:
        sums = told.weights[at], told.squares[at]
    return of_arrays(channel, told.counts[at], sums, blanks)


def _column(given: Any, data: Any, where: str) -> list[Any]:
    if isinstance(given, str):
        if data is None:
            raise InputError(where, got=given, allowed="a column, or its name beside data")
        try:
            given = data[given]
        except (KeyError, TypeError, ValueError) as error:
            raise InputError(where, got=given, allowed="the name of a column") from error
    ways = (getattr(given, name, None) for name in ("to_pylist", "tolist", "to_list"))
    try:
        return list(next((way() for way in ways if way is not None), given))
    except TypeError as error:
        raise InputError(where, got=type(given).__name__, allowed="a column") from error
