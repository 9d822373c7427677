"""Tallies of one frame by several channels, one for each group of people assigned at random.

Two-group designs, a group that is asked directly beside one that is asked with chance, a channel of
its own for each person: the shares are the same in every group, since who is in which was left to
chance. Groups stacked are one channel, whose report says the group too, so that whatever reads a
tally reads these. Protection is each group's own: judge `channels` one by one.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any, final

import numpy as np

from askance.channels.channel import Channel, fresh
from askance.channels.frame import Frame
from askance.channels.sampled_counts import SampledCounts, side_by_side
from askance.channels.sampled_counts import read as read_sums
from askance.channels.sampled_counts import written as written_sums
from askance.channels.tally import Tally, of_arrays, sums_of
from askance.results import (
    Listing,
    group_count,
    group_estimate,
    group_items,
    group_names,
    kept_mapping,
    listed,
    number,
    result_frame,
    result_stream,
)
from askance.typing import Floats, Integers, Json
from askance_collect.arguments import checked
from askance_collect.errors import DocumentError, InputError

VERSION = "grouped-tally-1"
"""What a written tally of groups says that it is."""


@final
@listed
@dataclass(frozen=True, slots=True, init=False, eq=False, repr=False)
class GroupedTally:
    r"""Reports of randomly assigned groups, each through a channel of its own, counted.

    Report j of group g comes with chance

    .. math:: P(g, j) = w_g \sum_i \pi_i\, q^{(g)}_{ij}, \qquad w_g = n_g / n

    The sizes n_g say nothing of the shares π (they are ancillary), so that what is estimated is
    conditional on them: w_g is the part of all reports that came from group g, or of all weights.
    It is iterable as a mapping of groups to their tallies is.

    Parameters
    ----------
    tallies : mapping of str to Tally
        Of each group, by its name: all of one frame, with reports about one frame, and all with
        sampling weights or none. A group may be empty. Groups that were drawn apart may each have
        a complex sample of its own.
    sample : SampledCounts, optional
        Of groups of one complex sample, how the sums of weights of all reports vary together, in
        the order of the stacked ones: `askance.engines.tally_groups` makes it.

    Attributes
    ----------
    stacked : Tally
        All reports through the stacked channel. They are named such as "first: yes".
    group : array of int, shape (m,)
        The position of the group that each stacked report is of.

    Raises
    ------
    InputError
        If there is no group, frames differ, only some tallies have weights or a sampling design, or
        two are of one sample whose covariance is not given.

    References
    ----------
    Greenberg, Abul-Ela, Simmons & Horvitz (1969), for two groups told apart by their chances.

    >>> import askance as ak
    >>> yn = ak.Frame(["yes", "no"])
    >>> groups = ak.channels.GroupedTally({
    ...     "coin": ak.Tally(ak.Warner(truth="3/4").channel(yn), {"yes": 80, "no": 120}),
    ...     "plainly": ak.Tally(ak.KAry(truth="1").channel(yn), {"yes": 20, "no": 80}),
    ... })
    >>> groups
    reports received
    group    report  reports
    coin     yes          80
    coin     no          120
    plainly  yes          20
    plainly  no           80
    300 reports of 2 groups
    >>> ak.maximum_likelihood(groups).value.round(4).tolist()
    [0.2275, 0.7725]
    """

    tallies: Mapping[str, Tally]
    stacked: Tally
    group: Integers
    sample: SampledCounts | None

    @checked
    def __init__(
        self, tallies: Mapping[str, Tally], *, sample: SampledCounts | None = None
    ) -> None:
        _refuse_unlike(tallies, sample)
        parts = tuple(tallies.values())
        group = np.repeat(np.arange(len(parts)), [len(tally.counts) for tally in parts])
        group.setflags(write=False)
        attributes = (
            ("tallies", kept_mapping(tallies)),
            ("stacked", _stack_tallies(tallies, sample)),
            ("group", group),
            ("sample", sample),
        )
        for name, value in attributes:
            object.__setattr__(self, name, value)

    @property
    def frame(self) -> Frame:
        """The answers, which are the same in all groups."""
        return self.stacked.channel.frame

    @property
    def channels(self) -> Mapping[str, Channel]:
        """The channel of each group."""
        return kept_mapping({name: tally.channel for name, tally in self.tallies.items()})

    @property
    def parts(self) -> Mapping[str, Tally]:
        """The tally of each group, with its own part of what is known of one sample."""
        if self.sample is None:
            return self.tallies
        parts = {}
        for name, tally in self.tallies.items():
            own = self._places(name)
            sums = self.sample.of(own)
            parts[name] = of_arrays(tally.channel, tally.counts, sums_of(tally), tally.blanks, sums)
        return kept_mapping(parts)

    @property
    def total(self) -> int:
        """How many reports were received, blanks left out."""
        return self.stacked.total

    @property
    def blanks(self) -> int:
        """How many sent nothing."""
        return self.stacked.blanks

    @property
    def weighted(self) -> bool:
        """Whether sums of sampling weights are kept."""
        return self.stacked.weighted

    def __add__(self, other: "GroupedTally") -> "GroupedTally":
        """Put reports of the same groups together that were counted in two places."""
        if not isinstance(other, GroupedTally):
            return NotImplemented
        if set(other.tallies) != set(self.tallies):
            raise InputError(
                "GroupedTally.__add__",
                got=f"groups {', '.join(other.tallies)}",
                allowed=f"the same groups: {', '.join(self.tallies)}",
            )
        merged = {name: tally + other.tallies[name] for name, tally in self.tallies.items()}
        if self.sample is None or other.sample is None:
            _refuse_one_sample(self.sample, other.sample)
            return GroupedTally(merged)
        order = np.concatenate([other._places(name) for name in self.tallies])
        return GroupedTally(merged, sample=self.sample + other.sample.of(order))

    def _places(self, name: str) -> Integers:
        """Where the stacked reports of a group are."""
        return np.flatnonzero(self.group == list(self.tallies).index(name))

    def __radd__(self, other: object) -> "GroupedTally":
        """Let `sum` put many together, which begins at 0."""
        return self if type(other) is int and other == 0 else NotImplemented

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, GroupedTally):
            return NotImplemented
        same = list(self.tallies.items()) == list(other.tallies.items())
        return same and self.sample == other.sample

    def __hash__(self) -> int:
        return hash((*self.tallies.items(), self.sample))

    def __reduce__(self) -> tuple[Any, ...]:
        """Let tallies cross processes."""
        return partial(GroupedTally, sample=self.sample), (dict(self.tallies),)

    def to_dict(self) -> Json:
        """Write the tally of each group for JSON."""
        groups = {name: tally.to_dict() for name, tally in self.tallies.items()}
        document: Json = {"askance": VERSION, "groups": groups}
        if self.sample is not None:
            stacked = self.stacked
            received = np.flatnonzero(stacked.counts).tolist()
            document["design"] = written_sums(self.sample, stacked.channel.reports, received)
        return document

    @classmethod
    @checked
    def from_dict(cls, written: Any, channels: Mapping[str, Channel]) -> "GroupedTally":
        """Read what `to_dict` wrote, of exactly these groups and channels.

        Raises
        ------
        DocumentError
            If it is no tally of groups, or one of other groups or channels.
        """
        document = written if isinstance(written, dict) else {}
        groups = document.get("groups")
        parts = set(document) - {"design"}
        if parts != {"askance", "groups"} or document["askance"] != VERSION:
            raise DocumentError(
                "tally", got=sorted(map(str, document)), allowed=f"{VERSION}, groups"
            )
        if not isinstance(groups, dict) or set(groups) != set(channels):
            raise DocumentError(
                "tally.groups", got=groups, allowed=f"a tally of each of {', '.join(channels)}"
            )
        tallies = {
            name: Tally.from_dict(groups[name], channel) for name, channel in channels.items()
        }
        if "design" not in document:
            return cls(tallies)
        names = _stack_tallies(tallies, None).channel.reports
        return cls(tallies, sample=read_sums(document["design"], names))

    def _name_rows(self) -> list[tuple[str, str]]:
        """Name each report with its group."""
        return [
            (name, report) for name, part in self.tallies.items() for report in part.channel.reports
        ]

    def _list_sums(self) -> dict[str, Any]:
        """List the counts of all groups' reports, and the sums of their weights where these are."""
        stacked = self.stacked
        columns = {
            "reports": stacked.counts,
            "weights": stacked.weights,
            "squares": stacked.squares,
        }
        return {name: column for name, column in columns.items() if column is not None}

    def _frame(self) -> dict[str, Any]:
        groups, reports = zip(*self._name_rows(), strict=True)
        return {"group": groups, "report": reports} | self._list_sums()

    def _table(self) -> Listing:
        named, present = self._name_rows(), self._list_sums()
        rows = [
            [*names, *(number(float(column[row_index]), 6) for column in present.values())]
            for row_index, names in enumerate(named[:_TABLE_ROWS])
        ]
        more = [f"… {len(named) - _TABLE_ROWS:,} more"] if len(named) > _TABLE_ROWS else []
        blanks = f", {self.blanks:,} blank" if self.blanks else ""
        notes = [*more, f"{self.total:,} reports of {len(self.tallies):,} groups{blanks}"]
        return "reports received", ["group", "report", *present], rows, notes

    def _by_group(self) -> Mapping[str, Tally]:
        return self.tallies

    __iter__ = group_names
    __len__ = group_count
    __getitem__ = group_estimate
    items = group_items
    to_frame = result_frame
    __arrow_c_stream__ = result_stream


_TABLE_ROWS = 40


def _refuse_one_sample(sample: SampledCounts | None, other: SampledCounts | None) -> None:
    if (sample is None) != (other is None):
        raise InputError(
            "GroupedTally.__add__",
            got="a complex sample and one without a sampling design",
            allowed="both with a sampling design, or both without",
        )


def _refuse_samples(tallies: Mapping[str, Tally], sample: SampledCounts | None) -> None:
    """Refuse groups that are parts of one sample, unless their joint covariance is known."""
    earlier: set[str] = set()
    for name, tally in tallies.items():
        marks = set() if tally.sample is None else set(tally.sample.samples)
        if marks & earlier or (marks and sample is not None):
            raise InputError(
                f"GroupedTally.tallies[{name!r}]",
                got="groups that are parts of one complex sample",
                allowed="groups that were drawn apart",
                remedy="tally_groups counts the groups of one sample together",
            )
        earlier |= marks
    some = {tally.sample is not None for tally in tallies.values()}
    cells = sum(len(tally.counts) for tally in tallies.values())
    weighted = all(tally.weighted for tally in tallies.values())
    if len(some) > 1 or (
        sample is not None and not (weighted and len(sample.fpc_squares) == cells)
    ):
        raise InputError(
            "GroupedTally.sample",
            got="that of some groups, or of other reports",
            allowed=f"one of all {cells} reports of groups with weights, or one in every group",
        )


def refuse_unnamed_groups(groups: Iterable[Any], where: str) -> None:
    """Refuse groups that are not named by texts, as those of a column of numbers.

    Raises
    ------
    InputError
        With the first.

    >>> refuse_unnamed_groups(["north", "south"], "tallies")
    """
    for group in groups:
        if not isinstance(group, str):
            raise InputError(
                where,
                got=f"the group {group!r}",
                allowed="groups named by texts",
                remedy="name them: {str(group): tally for group, tally in groups.items()}",
            )


def _refuse_unlike(tallies: Mapping[str, Tally], sample: SampledCounts | None) -> None:
    if not tallies:
        raise InputError("GroupedTally.tallies", got="no group", allowed="one or more by name")
    refuse_unnamed_groups(tallies, "GroupedTally.tallies")
    _refuse_samples(tallies, sample)
    (first, tally), *others = tallies.items()
    for name, other in others:
        where = f"GroupedTally.tallies[{name!r}]"
        frames = (other.channel.frame, other.channel.output)
        if frames != (tally.channel.frame, tally.channel.output):
            raise InputError(
                where,
                got=f"answers {', '.join(other.channel.frame.answers)}",
                allowed=f"those of {first!r}: {', '.join(tally.channel.frame.answers)}",
                remedy="write the channels of all groups on one frame, in one order",
            )
        if other.weighted != tally.weighted:
            raise InputError(
                where,
                got=f"{'weights' if other.weighted else 'no weights'}, unlike {first!r}",
                allowed="sampling weights in every group, or in none",
            )


def _stack_tallies(tallies: Mapping[str, Tally], sample: SampledCounts | None) -> Tally:
    """Make one tally of all groups, through the channel whose report says the group too."""
    parts = tuple(tallies.values())
    meanings: dict[str, int] = {}
    for name, part in tallies.items():
        for report, meaning in zip(part.channel.reports, part.channel.meanings, strict=True):
            meanings[fresh(f"{name}: {report}", meanings)] = meaning
    share = _group_shares(parts)
    matrix = np.concatenate(
        [part.channel.matrix * size for part, size in zip(parts, share, strict=True)], axis=1
    )
    first_channel = parts[0].channel
    channel = Channel(first_channel.frame, meanings, matrix, output=first_channel.output)
    weights = [part.weights for part in parts if part.weights is not None]
    squares = [part.squares for part in parts if part.squares is not None]
    return of_arrays(
        channel,
        np.concatenate([part.counts for part in parts]),
        (np.concatenate(weights), np.concatenate(squares)) if weights else None,
        sum(part.blanks for part in parts),
        sample or side_by_side([part.sample for part in parts if part.sample is not None]),
    )


def _group_shares(parts: tuple[Tally, ...]) -> Floats:
    """The part of all reports, or of all weights, that came from each group."""
    sizes = np.array(
        [tally.counts.sum() if tally.weights is None else tally.weights.sum() for tally in parts],
        dtype=np.float64,
    )
    return sizes / sizes.sum() if sizes.sum() else np.full(len(parts), 1 / len(parts))


def counts_by_group(
    tally: Tally | GroupedTally,
) -> dict[str, tuple[Floats, Floats, tuple[str, ...]]]:
    """Give the matrix, the counts and the reports of each group's channel; "" where there is one.

    >>> from askance.channels.frame import Frame
    >>> plain = Channel(Frame(["yes", "no"]), {"yes": ["yes"], "no": ["no"]}, np.eye(2))
    >>> counts_by_group(Tally(plain, {"yes": 2}))[""][1:]
    (array([2., 0.]), ('yes', 'no'))
    """
    parts = tally.tallies if isinstance(tally, GroupedTally) else {"": tally}
    return {
        name: (part.channel.matrix, part.counts.astype(float), part.channel.reports)
        for name, part in parts.items()
    }
