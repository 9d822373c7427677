"""Reports one by one, each with the chance that every answer had of sending it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, final

import numpy as np

from askance.channels.channel import Channel, listed_column, report_columns
from askance.errors import InputError, NotIdentified, refuse_unknown
from askance.estimators.shares.informative import identify
from askance.typing import Booleans, Floats, Integers


@final
@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Received:
    """One report for each row, under the channel of that row.

    Attributes
    ----------
    answers : tuple of str
        The k answers.
    matrices : tuple of array, each of shape (k, m)
        The channels.
    chances : array, shape (columns, k)
        Every report of every channel, a row each; the last says nothing, and stands for a blank.
    at : array of int, shape (n,)
        Which row of ``chances`` each report is.
    group : array of int, shape (n,)
        Which channel each report came through.
    """

    answers: tuple[str, ...]
    matrices: tuple[Floats, ...]
    chances: Floats
    at: Integers
    group: Integers

    def __post_init__(self) -> None:
        for array in (self.chances, self.at, self.group):
            array.setflags(write=False)

    def __len__(self) -> int:
        return len(self.at)

    @property
    def sent(self) -> Booleans:
        """Which rows are no blanks."""
        return self.at < len(self.chances) - 1


def received(
    reports: Any,
    channel: Channel | Sequence[Channel],
    group: Any = None,
    *,
    codes: Mapping[Any, str | None] | None = None,
    where: str = "reports",
) -> Received:
    """Read reports by name; what is missing is a blank, sent with a chance that told nothing.

    Raises
    ------
    InputError
        If a report is not the channel's, or no answer can send it; the message names the row.
    NotIdentified
        If the channels together cannot tell some answers apart.

    >>> from askance.channels.frame import Frame
    >>> q = Channel(Frame(["yes", "no"]), {"yes": ["yes"], "no": ["no"]}, [[.75, .25], [.25, .75]])
    >>> received(["no", "yes", None], q).at.tolist()
    [1, 0, 2]
    """
    channels = [channel] if isinstance(channel, Channel) else list(channel)
    if not channels or len({one.frame for one in channels}) != 1:
        raise InputError(
            "channel", got=f"{len(channels)} channels", allowed="one or more on one frame"
        )
    _refuse_codes(channels, codes)
    given = listed_column(reports, where)
    groups = _groups(group, len(given), len(channels))
    _identify(channels)
    chances = np.concatenate(
        [one.matrix.T for one in channels] + [np.ones((1, len(channels[0].frame)))]
    )
    blank = len(chances) - 1
    first = np.cumsum([0] + [len(one.reports) for one in channels])
    at = np.full(len(given), blank)
    for one, of in enumerate(channels):
        rows = np.flatnonzero(groups == one)
        known = codes and {code: to for code, to in codes.items() if to is None or to in of.reports}
        found = report_columns(of, given, where, known, rows=rows if len(channels) > 1 else None)
        at[rows] = np.where(found < 0, blank, found + first[one])
    _refuse_impossible(chances, at, where)
    return Received(
        answers=channels[0].frame.answers,
        matrices=tuple(one.matrix for one in channels),
        chances=chances,
        at=at.astype(np.int64),
        group=groups,
    )


def _refuse_impossible(chances: Floats, at: Integers, where: str) -> None:
    possible = chances.max(axis=1) > 0
    if not possible[at].all():
        row = int(np.argmin(possible[at]))
        raise InputError(
            f"{where}[{row}]",
            got="a report that no answer can send",
            allowed="what the channel sends",
            remedy="check that the reports belong to this channel",
        )


def _groups(group: Any, n: int, channels: int) -> Integers:
    if group is None:
        if channels > 1:
            raise InputError("group", got="none", allowed="the number of its channel for each row")
        return np.zeros(n, dtype=np.int64)
    listed = listed_column(group, "group")
    try:
        groups = np.array(listed)
    except ValueError as error:
        raise InputError("group", got=str(error), allowed=f"{n} whole numbers") from error
    if groups.shape != (n,) or groups.dtype.kind not in "iu":
        raise InputError(
            "group", got=f"{groups.dtype} of shape {groups.shape}", allowed=f"{n} whole numbers"
        )
    wrong = (groups < 0) | (groups >= channels)
    if wrong.any():
        row = int(np.argmax(wrong))
        raise InputError(
            f"group[{row}]",
            got=int(groups[row]),
            allowed=f"0 to {channels - 1}: one of the channels",
        )
    return groups.astype(np.int64)


def _identify(channels: Sequence[Channel]) -> None:
    if len(channels) == 1:
        return identify(channels[0])
    k = len(channels[0].frame)
    if np.linalg.matrix_rank(np.concatenate([one.matrix for one in channels], axis=1)) < k:
        raise NotIdentified(
            "channel",
            got=f"{len(channels)} channels whose reports cannot tell some answers apart",
            allowed="rows that are linearly independent, all channels side by side",
        )
    return None


def _refuse_codes(channels: Sequence[Channel], codes: Any) -> None:
    if codes is not None and not isinstance(codes, Mapping):
        raise InputError("codes", got=codes, allowed='a mapping such as {1: "yes", 0: "no"}')
    names = tuple(dict.fromkeys(name for one in channels for name in one.reports))
    for code, report in (codes or {}).items():
        if report is not None:
            refuse_unknown(f"codes[{code!r}]", report, names)
