"""Reports of a frequency oracle counted: how many of them leave each answer possible."""

import json
from dataclasses import dataclass
from typing import final

import numpy as np
import numpy.typing as npt

from askance.arguments import checked
from askance.channels.channel import Channel
from askance.channels.oracles import AbstractOracle
from askance.errors import DocumentError, InputError
from askance.exact.ratio import whole
from askance.results import Listing, listed
from askance.typing import Integers, Json
from askance.wire.canonical import canonical, fingerprint, members

VERSION = "support-tally-1"
"""What a written tally of an oracle says that it is."""

_COUNT, _MOST = "a whole number in [0, 2^53]", 2**53
_SHOWN = 20


@final
@listed
@dataclass(frozen=True, slots=True, init=False, eq=False, repr=False)
class SupportTally:
    """Support counts of a frequency oracle's reports: how many leave each answer possible.

    Parameters
    ----------
    channel : Channel
        Of an oracle.
    counts : array_like of int
        Of each report, shape (m,), where the oracle's reports are counted one by one; else, shape
        (k,), of those that leave each answer possible.
    total : int
        n, how many reports were received.
    blanks : int
        How many sent nothing. They are counted apart and enter no estimate.

    Raises
    ------
    InputError
        If the channel is of no oracle, there are more or fewer counts than it has, a count is not a
        whole, non-negative number up to n, or counts of single reports do not sum to n.

    References
    ----------
    Wang, Blocki, Li & Jha (2017), the support of a report of a pure protocol.

    >>> from askance.channels import Channel, Frame
    >>> from askance.channels.oracles import UnaryOracle
    >>> q = Channel.from_oracle(
    ...     Frame(["a", "b", "c"]), UnaryOracle(answers=3, truth="1/2", lie="1/4")
    ... )
    >>> SupportTally(q, [50, 30, 20], total=80)
    reports that leave an answer possible
    answer  reports
    a            50
    b            30
    c            20
    80 reports
    """

    channel: Channel
    counts: Integers
    total: int
    blanks: int

    @checked
    def __init__(
        self, channel: Channel, counts: npt.ArrayLike, *, total: int, blanks: int = 0
    ) -> None:
        oracle = oracle_of(channel)
        size = oracle.reports if oracle.by_report else oracle.answers
        try:
            held = np.array(counts)
        except ValueError as error:
            raise InputError("SupportTally.counts", got=str(error), allowed="a list") from error
        total = whole(total, "SupportTally.total", _COUNT, 0, _MOST)
        if held.shape != (size,) or held.dtype.kind not in "iu":
            raise InputError(
                "SupportTally.counts",
                got=f"shape {held.shape} of {held.dtype}",
                allowed=f"{size} whole numbers",
            )
        wrong = (held < 0) | (held > total)
        if wrong.any():
            at = int(np.argmax(wrong))
            allowed = f"a whole number in [0, {total}], which are all"
            raise InputError(f"SupportTally.counts[{at}]", got=held[at], allowed=allowed)
        if oracle.by_report and held.sum() != total:
            raise InputError(
                "SupportTally.counts", got=f"a sum of {held.sum()}", allowed=f"{total}, the total"
            )
        blanks = whole(blanks, "SupportTally.blanks", _COUNT, 0, _MOST)
        held = held.astype(np.int64)
        held.setflags(write=False)
        for name, value in zip(self.__slots__, (channel, held, total, blanks), strict=True):
            object.__setattr__(self, name, value)

    @property
    def supports(self) -> Integers:
        """How many reports leave each answer possible, shape (k,)."""
        return oracle_of(self.channel).supports(self.counts)

    def __add__(self, other: "SupportTally") -> "SupportTally":
        """Put reports of one channel together that were counted in two places."""
        if not isinstance(other, SupportTally):
            return NotImplemented
        if other.channel != self.channel:
            raise InputError(
                "SupportTally.__add__",
                got="tallies of two channels",
                allowed="tallies of one channel",
                remedy="estimate from each by itself",
            )
        return SupportTally(
            self.channel,
            self.counts + other.counts,
            total=self.total + other.total,
            blanks=self.blanks + other.blanks,
        )

    def __radd__(self, other: object) -> "SupportTally":
        """Let `sum` put many together, which begins at 0."""
        return self if type(other) is int and other == 0 else NotImplemented

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, SupportTally):
            return NotImplemented
        same = (self.total, self.blanks) == (other.total, other.blanks)
        return same and self.channel == other.channel and np.array_equal(self.counts, other.counts)

    def __hash__(self) -> int:
        return hash((self.total, self.blanks, self.counts.tobytes()))

    @property
    def fingerprint(self) -> str:
        """The SHA-256 of the channel's canonical JSON: whose reports these are."""
        return fingerprint(canonical(self.channel.to_dict()))

    def to_dict(self) -> Json:
        """Write the tally for JSON, with the channel's fingerprint."""
        told = {"askance": VERSION, "channel": self.fingerprint}
        return told | {
            "total": self.total,
            "blanks": self.blanks,
            "counts": self.counts.tolist(),
        }

    def to_json(self) -> str:
        """Write the tally as JSON text, as in `to_dict`."""
        return json.dumps(self.to_dict())

    @classmethod
    @checked
    def from_json(cls, text: str, channel: Channel) -> "SupportTally":
        """Read what `to_json` wrote, of exactly this channel.

        Raises
        ------
        DocumentError
            If it is no JSON, no such tally, or the tally of another channel.

        >>> from askance.channels import Channel, Frame
        >>> from askance.channels.projective_oracles import HadamardOracle
        >>> q = Channel.from_oracle(Frame(["a", "b"]), HadamardOracle(answers=2, truth="3/4"))
        >>> t = SupportTally(q, [3, 1, 0, 2], total=6)
        >>> SupportTally.from_json(t.to_json(), q) == t
        True
        """
        try:
            written = json.loads(text, object_pairs_hook=members)
        except (ValueError, RecursionError) as error:
            raise DocumentError("tally", got=str(error), allowed="JSON") from error
        parts = {"askance", "channel", "total", "blanks", "counts"}
        if not isinstance(written, dict) or set(written) != parts or written["askance"] != VERSION:
            got = ", ".join(sorted(written)) if isinstance(written, dict) else "no object"
            raise DocumentError("tally", got=got, allowed=f'"askance": "{VERSION}" and its parts')
        expected = fingerprint(canonical(channel.to_dict()))
        if written["channel"] != expected:
            raise DocumentError(
                "tally.channel",
                got=f"a tally of the channel {str(written['channel'])[:16]}…",
                allowed=f"a tally of the channel {expected[:16]}…",
                remedy="read it with the channel whose reports were counted",
            )
        try:
            return cls(channel, written["counts"], total=written["total"], blanks=written["blanks"])
        except InputError as error:
            where = error.where.replace("SupportTally", "tally", 1)
            raise DocumentError(
                where, got=error.got, allowed=error.allowed, remedy=error.remedy
            ) from error

    def _table(self) -> Listing:
        answers = self.channel.frame.answers
        rows = [
            [answer, str(count)]
            for answer, count in zip(answers[:_SHOWN], self.supports.tolist(), strict=False)
        ]
        more = [f"… {len(answers) - _SHOWN:,} more"] if len(answers) > _SHOWN else []
        blanks = f", {self.blanks:,} blank{'' if self.blanks == 1 else 's'}" if self.blanks else ""
        told = f"{self.total:,} report{'' if self.total == 1 else 's'}"
        title = "reports that leave an answer possible"
        return title, ["answer", "reports"], rows, [*more, told + blanks]


def oracle_of(channel: Channel) -> AbstractOracle:
    """The oracle of a channel whose reports are numbers or bits.

    Raises
    ------
    InputError
        If its reports have names.
    """
    if channel.oracle is None or channel.oracle.coded == "names":
        raise InputError(
            "channel",
            got="a channel whose reports have names",
            allowed="one of a frequency oracle",
            remedy="count its reports with Tally",
        )
    return channel.oracle
