"""Mechanisms asked with several chances: each person's own.

A die that differs by version of the questionnaire, a harmless trait that differs by region: the
mechanism is the same, its numbers are columns of the table.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, final

import numpy as np

from askance.channels.channel import Channel
from askance.channels.frame import Frame
from askance.channels.grouped_tally import GroupedTally
from askance.channels.tally import Tally
from askance.mechanisms.catalogue import answer_mechanism, flat_numbers, nested_numbers
from askance.results import is_missing
from askance.typing import Integers
from askance_collect.arguments import checked
from askance_collect.errors import InputError, refuse_unknown
from askance_collect.exact.ratio import read_ratio


@final
@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class IndividualChannels:
    """The channels through which people were asked, and which one each person was.

    Attributes
    ----------
    channels : tuple of Channel
        Each that occurs, once, in the order of its first person.
    group : array of int, shape (n,)
        For each person the position of their channel: as ``group`` of
        `askance.inference.response_regression`, beside ``channels``.

    Raises
    ------
    InputError
        If a position is that of no channel.

    >>> import askance as ak
    >>> yn = ak.Frame(["yes", "no"])
    >>> people = ak.mechanisms.individual_channels("crosswise", {"harmless": [0.25, 0.2, 0.25]}, yn)
    >>> len(people.channels), people.group.tolist()
    (2, [0, 1, 0])
    >>> people.tally(["just one", "just one", "both or neither"]).total
    3
    """

    channels: tuple[Channel, ...]
    group: Integers

    def __post_init__(self) -> None:
        group, many = np.array(self.group), len(self.channels)
        if group.ndim != 1 or group.dtype.kind not in "iu" or not np.isin(group, range(many)).all():
            raise InputError(
                "IndividualChannels.group",
                got=self.group,
                allowed=f"a position in [0, {many - 1}] for each person",
            )
        group = group.astype(np.intp)
        group.setflags(write=False)
        object.__setattr__(self, "group", group)

    @checked
    def tally(self, reports: Sequence[str | None]) -> GroupedTally:
        """Count what people reported, by the channel that each was asked through.

        Who was asked through which is taken as left to chance: shares are the same in each group.
        Estimate from it as from any tally.

        Parameters
        ----------
        reports : sequence of str
            One for each person; a missing one is a blank.

        Raises
        ------
        InputError
            If there are not as many as people, or one is no report of their channel.
        """
        column = np.asarray(reports, dtype=object)
        if column.shape != self.group.shape:
            raise InputError(
                "IndividualChannels.tally",
                got=f"{column.size} reports",
                allowed=f"{self.group.size}, one for each person",
            )
        counts: list[dict[str, int]] = [{} for _ in self.channels]
        blanks = [0] * len(self.channels)
        for channel_index, report in zip(self.group.tolist(), column.tolist(), strict=True):
            if is_missing(report):
                blanks[channel_index] += 1
                continue
            refuse_unknown("IndividualChannels.tally", report, self.channels[channel_index].reports)
            counts[channel_index][report] = counts[channel_index].get(report, 0) + 1
        samples = zip(self.channels, counts, blanks, strict=True)
        tallies = [
            Tally(channel, report_counts, blanks=blank) for channel, report_counts, blank in samples
        ]
        return GroupedTally({f"{number}": tally for number, tally in enumerate(tallies, 1)})


@checked
def individual_channels(
    name: str, parameters: Mapping[str, Any], frame: Frame
) -> IndividualChannels:
    """Channels of a randomised response mechanism whose chances differ from person to person.

    Parameters
    ----------
    name : str
        The recipe, as in a survey file, such as ``"crosswise"``.
    parameters : mapping of str to (number, or column of numbers)
        Those of `answer_mechanism`; a column has a number for each person, a single number is
        everybody's. At least one is a column, also inside a mapping, such as that of `forced`.
        Numbers are read as they are written: 0.25 is ¼.
    frame : Frame

    Raises
    ------
    InputError
        If columns are of different lengths, there is none, or a number is none of the mechanism's.

    >>> import askance as ak
    >>> yn = ak.Frame(["yes", "no"])
    >>> people = ak.mechanisms.individual_channels(
    ...     "unrelated", {"asked": 0.7, "harmless": [0.49, 0.5, 0.49]}, yn
    ... )
    >>> ak.estimate(people.tally(["yes", "no", "no"])).reports
    3
    >>> forced = {"forced": {"yes": [0.2, 0.1, 0.2], "no": 0.1}}
    >>> len(ak.mechanisms.individual_channels("forced", forced, yn).channels)
    2
    """
    flat = dict(flat_numbers(parameters))
    columns = {key: _read_column(parameter, key[-1]) for key, parameter in flat.items()}
    lengths = {len(column) for column in columns.values() if column is not None}
    if len(lengths) != 1 or not min(lengths):
        raise InputError(
            "individual_channels.parameters",
            got="no column" if not lengths else f"columns of {sorted(lengths)} numbers",
            allowed="columns with a number for each person, all of one length",
            remedy="where everybody was asked alike, use answer_mechanism" if not lengths else "",
        )
    (people,) = lengths
    cells = [columns[key] or [parameter] * people for key, parameter in flat.items()]
    places: dict[tuple[Any, ...], int] = {}
    group = [places.setdefault(row, len(places)) for row in zip(*cells, strict=True)]
    channels = [
        answer_mechanism(name, nested_numbers(zip(flat, row, strict=True)), frame).channel(frame)
        for row in places
    ]
    return IndividualChannels(channels=tuple(channels), group=np.array(group))


def _read_column(parameter: Any, key: str) -> list[Fraction] | None:
    """The numbers of a column; None for a single one."""
    cells = parameter.tolist() if hasattr(parameter, "tolist") else parameter
    if isinstance(cells, str | Mapping) or not isinstance(cells, Iterable):
        return None
    return [read_ratio(cell, f"individual_channels.{key}") for cell in cells]
