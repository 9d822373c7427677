"""Reports of a channel counted: the sufficient statistic of its shares, added and written.

Reports that are counted one by one are a `Tally`; of those of an oracle that name sets a
`SupportTally` keeps how many leave each answer possible.
"""

import json
import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, final

import numpy as np
import numpy.typing as npt

from askance.channels.abstract_oracle import AbstractOracle
from askance.channels.channel import Channel
from askance.channels.sampled_counts import SampledCounts, SampledSupports
from askance.channels.sampled_counts import read as read_sums
from askance.channels.sampled_counts import written as written_sums
from askance.results import Listing, figure_rows, listed, result_frame, result_stream
from askance.typing import Floats, Integers, Json
from askance_collect.arguments import checked
from askance_collect.errors import DocumentError, InputError, refuse_unknown, restate
from askance_collect.exact.ratio import read_integer
from askance_collect.wire.canonical_json import canonical, fingerprint, read_json

VERSION = "tally-1"
"""What a written tally says that it is."""

_COUNT, _MOST = "a whole number in [0, 2^53]", 2**53
_WEIGHT = "a finite weight in [0, ∞)"


@final
@listed
@dataclass(frozen=True, slots=True, init=False, eq=False, repr=False)
class Tally:
    """How often each report of a channel was received, and with what sampling weights.

    Parameters
    ----------
    channel : Channel
    counts : mapping of str to int
        Reports left out were not received.
    weights, squares : mapping of str to float, optional
        Of each report Σ w and Σ w² over those who sent it, with w the sampling weight: both or
        neither.
    blanks : int
        How many sent nothing. They are counted apart and enter no estimate.
    sample : SampledCounts, optional
        Of a complex sample, how the sums of weights vary: with weights alone.

    Attributes
    ----------
    counts : array of int, shape (m,)
        In the order of the channel's reports.
    weights, squares : array of float, shape (m,), or None

    Raises
    ------
    InputError
        If a report is not the channel's, a count is not a whole, non-negative number, or a weight
        is negative, not finite, or of a report that nobody sent.

    >>> from askance.channels import Channel, Frame, Tally
    >>> q = Channel(Frame(["yes", "no"]), {"yes": ["yes"], "no": ["no"]}, [[1, 0], [0, 1]])
    >>> Tally(q, {"no": 4}).counts.tolist()
    [0, 4]
    >>> (Tally(q, {"no": 4}) + Tally(q, {"yes": 1})).counts.tolist()
    [1, 4]
    >>> Tally(q, {"no": 2}, weights={"no": 3.0}, squares={"no": 5.0}, blanks=1)
    reports received
    report  reports  weights  squares
    yes           0        0        0
    no            2        3        5
    2 reports, 1 blank
    """

    channel: Channel
    counts: Integers
    weights: Floats | None
    squares: Floats | None
    blanks: int
    sample: SampledCounts | None

    @checked
    def __init__(
        self,
        channel: Channel,
        counts: Mapping[str, int],
        *,
        weights: Mapping[str, float] | None = None,
        squares: Mapping[str, float] | None = None,
        blanks: int = 0,
        sample: SampledCounts | None = None,
    ) -> None:
        if (weights is None) != (squares is None):
            raise InputError(
                "Tally.weights",
                got="sums of weights without squares" if squares is None else "squares alone",
                allowed="both sums of weights and sums of their squares, or neither",
            )
        places = {report: position for position, report in enumerate(channel.reports)}
        column = np.zeros(len(places), dtype=np.int64)
        for report, count in counts.items():
            where = f"Tally.counts[{report!r}]"
            refuse_unknown(where, report, places)
            column[places[report]] = read_integer(count, where, _COUNT, 0, _MOST)
        sums = [
            None if values is None else _read_sums(values, places, f"Tally.{name}")
            for name, values in (("weights", weights), ("squares", squares))
        ]
        blank = read_integer(blanks, "Tally.blanks", _COUNT, 0, _MOST)
        _set_attributes(self, channel, column, (sums[0], sums[1]), blank, sample)

    def __add__(self, other: "Tally") -> "Tally":
        """Put reports of one channel together that were counted in two places."""
        if isinstance(other, Tally | SupportTally):
            _refuse_other_channel(self.channel, other.channel, "Tally.__add__")
        if not isinstance(other, Tally):
            return NotImplemented
        _refuse_unlike(self, other)
        sums = None
        if self.weights is not None and self.squares is not None:
            assert other.weights is not None
            assert other.squares is not None
            sums = self.weights + other.weights, self.squares + other.squares
        sample = self.sample
        if sample is not None and other.sample is not None:
            sample = sample + other.sample
        blanks = self.blanks + other.blanks
        return of_arrays(self.channel, self.counts + other.counts, sums, blanks, sample)

    def __radd__(self, other: object) -> "Tally":
        """Let `sum` put many together, which begins at 0."""
        return self if type(other) is int and other == 0 else NotImplemented

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Tally):
            return NotImplemented
        own, others = ((tally.blanks, tally.weighted, tally.sample) for tally in (self, other))
        return (
            own == others
            and self.channel == other.channel
            and _array_bytes(self) == _array_bytes(other)
        )

    def __reduce__(self) -> tuple[Any, ...]:
        """Let tallies cross processes."""
        sums = None if self.weights is None else (self.weights, self.squares)
        return of_arrays, (self.channel, self.counts, sums, self.blanks, self.sample)

    def __hash__(self) -> int:
        return hash((self.blanks, _array_bytes(self)))

    @property
    def total(self) -> int:
        """How many reports were received, blanks left out."""
        return int(self.counts.sum())

    @property
    def weighted(self) -> bool:
        """Whether sums of sampling weights are kept."""
        return self.weights is not None

    @property
    def fingerprint(self) -> str:
        """The SHA-256 of the channel's canonical JSON: whose reports these are."""
        return fingerprint_of(self.channel)

    def to_dict(self) -> Json:
        """Write the tally for JSON: the channel's fingerprint, and reports that were received."""
        document: Json = {"askance": VERSION, "channel": self.fingerprint, "blanks": self.blanks}
        columns = {"counts": self.counts, "weights": self.weights, "squares": self.squares}
        received = np.flatnonzero(self.counts).tolist()
        if self.sample is not None:
            document |= {"design": written_sums(self.sample, self.channel.reports, received)}
        return document | {
            name: {self.channel.reports[position]: column[position].item() for position in received}
            for name, column in columns.items()
            if column is not None
        }

    def to_json(self) -> str:
        """Write the tally as JSON text, as in `to_dict`."""
        return json.dumps(self.to_dict(), ensure_ascii=False, indent=1)

    @classmethod
    @checked
    def from_dict(cls, written: Any, channel: Channel) -> "Tally":
        """Read what `to_dict` wrote, of exactly this channel.

        Raises
        ------
        DocumentError
            If it is no tally, or the tally of another channel.
        """
        parts = {"askance", "channel", "blanks", "counts"}
        keys = set(written) if isinstance(written, dict) else set()
        if (
            not parts <= keys <= parts | {"weights", "squares", "design"}
            or written["askance"] != VERSION
        ):
            raise DocumentError(
                "tally",
                got=_describe_document(written),
                allowed=f'"askance": "{VERSION}", channel, blanks, counts, and sums of weights',
            )
        _refuse_fingerprint(written["channel"], channel)
        for name in keys & {"counts", "weights", "squares"}:
            if not isinstance(written[name], dict):
                raise DocumentError(f"tally.{name}", allowed="an object of numbers by report")
        sums = {name: written[name] for name in keys & {"weights", "squares"}}
        try:
            if "design" in keys:
                sums["sample"] = read_sums(written["design"], channel.reports)
            return cls(channel, written["counts"], blanks=written["blanks"], **sums)
        except InputError as error:
            raise _as_document_error(error, "Tally") from error

    @classmethod
    @checked
    def from_json(cls, text: str, channel: Channel) -> "Tally":
        """Read what `to_json` wrote, of exactly this channel.

        Raises
        ------
        DocumentError
            If it is no JSON, or as in `from_dict`.

        >>> from askance.channels import Channel, Frame, Tally
        >>> q = Channel(Frame(["yes", "no"]), {"yes": ["yes"], "no": ["no"]}, [[1, 0], [0, 1]])
        >>> Tally.from_json(Tally(q, {"no": 4}).to_json(), q).counts.tolist()
        [0, 4]
        """
        written = _parse_json(text)
        return cls.from_dict(written, channel)

    def _frame(self) -> dict[str, Any]:
        columns = {"reports": self.counts, "weights": self.weights, "squares": self.squares}
        present = {name: column for name, column in columns.items() if column is not None}
        return {"report": self.channel.reports} | present

    def _table(self) -> Listing:
        columns = {"reports": self.counts, "weights": self.weights, "squares": self.squares}
        present = {name: column for name, column in columns.items() if column is not None}
        listed = self.channel.reports[:_TABLE_ROWS]
        columns_listed = (column[: len(listed)] for column in present.values())
        more = len(self.channel.reports) - len(listed)
        notes = [f"… {more:,} more"] if more else []
        return (
            "reports received",
            ["report", *present],
            figure_rows(listed, *columns_listed, digits=6),
            [*notes, *self._sample_notes(), _describe_total(self.total, self.blanks)],
        )

    def _sample_notes(self) -> list[str]:
        if self.sample is None:
            return []
        return [self.sample.description]

    to_frame = result_frame
    __arrow_c_stream__ = result_stream


_TABLE_ROWS = 20


def fingerprint_of(channel: Channel) -> str:
    """Give the SHA-256 of a channel's canonical JSON.

    >>> from askance.channels import Frame
    >>> from askance.mechanisms import KAry
    >>> fingerprint_of(KAry(truth="1/2").channel(Frame(["yes", "no"])))[:8]
    'dec74022'
    """
    return fingerprint(canonical(channel.to_dict()))


def _refuse_fingerprint(fingerprint: Any, channel: Channel) -> None:
    expected = fingerprint_of(channel)
    if fingerprint != expected:
        raise DocumentError(
            "tally.channel",
            got=f"a tally of the channel {str(fingerprint)[:16]}…",
            allowed=f"a tally of the channel {expected[:16]}…",
            remedy="read it with the channel whose reports were counted",
        )


def _refuse_other_channel(channel: Channel, other: Channel, where: str) -> None:
    if other != channel:
        raise InputError(
            where,
            got="tallies of two channels",
            allowed="tallies of one channel",
            remedy="estimate from each by itself",
        )


def _parse_json(text: str) -> Any:
    return read_json(text, "tally", "JSON")


def _describe_document(written: Any) -> str:
    """Describe a document that is not a tally."""
    if not isinstance(written, dict):
        return "no object"
    names, kind = ", ".join(sorted(written)) or "nothing in it", written.get("askance")
    return f"an object with {names}" + (f", of {kind!r}" if isinstance(kind, str) else "")


def _as_document_error(error: InputError, name: str) -> DocumentError:
    """Make a document's error of a tally's: the same fault, by its path in the document."""
    where = error.where.replace(name, "tally", 1)
    return restate(error, where, DocumentError)


def _describe_total(total: int, blanks: int) -> str:
    text = f"{total:,} report{'' if total == 1 else 's'}"
    return text + (f", {blanks:,} blank{'' if blanks == 1 else 's'}" if blanks else "")


def of_arrays(
    channel: Channel,
    counts: Integers,
    sums: tuple[Floats, Floats] | None,
    blanks: int,
    sample: SampledCounts | None = None,
) -> Tally:
    """Make a tally of counts in the order of the channel's reports; nothing is looked up.

    >>> from askance.channels import Channel, Frame
    >>> q = Channel(Frame(["yes", "no"]), {"yes": ["yes"], "no": ["no"]}, [[1, 0], [0, 1]])
    >>> of_arrays(q, np.array([1, 4]), None, 0).total
    5
    """
    tally = object.__new__(Tally)
    _set_attributes(tally, channel, counts, sums or (None, None), blanks, sample)
    return tally


def sums_of(tally: Tally) -> tuple[Floats, Floats] | None:
    """The sums of weights and of their squares, if there are any.

    >>> from askance.channels import Channel, Frame
    >>> q = Channel(Frame(["yes", "no"]), {"yes": ["yes"], "no": ["no"]}, [[1, 0], [0, 1]])
    >>> sums_of(Tally(q, {"no": 4})) is None
    True
    """
    if tally.weights is None or tally.squares is None:
        return None
    return tally.weights, tally.squares


def _refuse_unlike(tally: Tally, other: Tally) -> None:
    """Refuse to add what was weighed to what was not, and a complex sample to another kind."""
    if tally.weighted != other.weighted:
        raise InputError(
            "Tally.__add__",
            got="a weighted tally and one without weights",
            allowed="both with weights, or both without",
            remedy="count both with weights=, 1 where there are none",
        )
    if (tally.sample is None) != (other.sample is None):
        raise InputError(
            "Tally.__add__",
            got="a complex sample and one without a sampling design",
            allowed="both with a sampling design, or both without",
            remedy="count both with sampling=",
        )


def _set_attributes(
    tally: Tally,
    channel: Channel,
    counts: Integers,
    sums: tuple[Floats | None, Floats | None],
    blanks: int,
    sample: SampledCounts | None,
) -> None:
    weights, squares = sums
    if sample is not None and (weights is None or len(sample.fpc_squares) != len(counts)):
        raise InputError(
            "Tally.sample",
            got="no weights" if weights is None else f"{len(sample.fpc_squares)} reports",
            allowed=f"a sampling design of {len(counts)} reports, beside sums of weights",
        )
    for name, column in (("weights", weights), ("squares", squares)):
        _refuse_sums(channel, counts, column, f"Tally.{name}")
    attributes = {"channel": channel, "counts": counts, "weights": weights, "squares": squares}
    for name, value in attributes.items():
        if isinstance(value, np.ndarray):
            value.setflags(write=False)
        object.__setattr__(tally, name, value)
    object.__setattr__(tally, "blanks", blanks)
    object.__setattr__(tally, "sample", sample)


def _refuse_sums(channel: Channel, counts: Integers, column: Floats | None, where: str) -> None:
    if column is None:
        return
    wrong = ~(np.isfinite(column) & (column >= 0) & ((column == 0) | (counts > 0)))
    if wrong.any():
        position = int(np.argmax(wrong))
        raise InputError(
            f"{where}[{channel.reports[position]!r}]",
            got=f"{column[position].item()} of {counts[position].item():,} reports",
            allowed=_WEIGHT,
        )


def _read_sums(values: Mapping[str, float], places: Mapping[str, int], where: str) -> Floats:
    column = np.zeros(len(places))
    for report, value in values.items():
        refuse_unknown(f"{where}[{report!r}]", report, places)
        column[places[report]] = _read_weight(value, f"{where}[{report!r}]")
    return column


def _read_weight(value: Any, where: str) -> float:
    try:
        amount = math.nan if isinstance(value, bool | str) else float(value)
    except (TypeError, ValueError, OverflowError):
        amount = math.nan
    if not math.isfinite(amount) or amount < 0:
        raise InputError(where, got=value, allowed=_WEIGHT)
    return amount


def _array_bytes(tally: Tally) -> tuple[bytes, ...]:
    columns = (tally.counts, tally.weights, tally.squares)
    return tuple(b"" if column is None else column.tobytes() for column in columns)


SUPPORT_VERSION = "support-tally-1"
"""What a written tally of an oracle says that it is."""


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
        (k,), of those that leave each answer possible; where a report asks about some answers alone
        (dBitFlip), shape (2k,), followed by how many asked about each.
    total : int
        n, how many reports were received.
    blanks : int
        How many sent nothing. They are counted apart and enter no estimate.
    sample : SampledSupports, optional
        Of people with weights, or of a complex sample: how often they leave each answer possible,
        weighted, and how that varies.

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
    sample: SampledSupports | None

    @checked
    def __init__(
        self,
        channel: Channel,
        counts: npt.ArrayLike,
        *,
        total: int,
        blanks: int = 0,
        sample: SampledSupports | None = None,
    ) -> None:
        oracle = oracle_of(channel)
        size = oracle.counted
        try:
            column = np.array(counts)
        except ValueError as error:
            raise InputError("SupportTally.counts", got=str(error), allowed="a list") from error
        total = read_integer(total, "SupportTally.total", _COUNT, 0, _MOST)
        if column.shape != (size,) or column.dtype.kind not in "iu":
            raise InputError(
                "SupportTally.counts",
                got=f"shape {column.shape} of {column.dtype}",
                allowed=f"{size} whole numbers",
            )
        wrong = (column < 0) | (column > total)
        if wrong.any():
            answer = int(np.argmax(wrong))
            allowed = f"a whole number in [0, {total}], which are all"
            raise InputError(f"SupportTally.counts[{answer}]", got=column[answer], allowed=allowed)
        if oracle.by_report and column.sum() != total:
            raise InputError(
                "SupportTally.counts", got=f"a sum of {column.sum()}", allowed=f"{total}, the total"
            )
        blanks = read_integer(blanks, "SupportTally.blanks", _COUNT, 0, _MOST)
        _refuse_others(sample, oracle.answers)
        column = column.astype(np.int64)
        column.setflags(write=False)
        values = channel, column, total, blanks, sample
        for name, value in zip(self.__slots__, values, strict=True):
            object.__setattr__(self, name, value)

    @property
    def supports(self) -> Integers:
        """How many reports leave each answer possible, shape (k,)."""
        return oracle_of(self.channel).supports(self.counts)

    @property
    def informative_counts(self) -> Integers:
        """How many reports are informative about each answer, shape (k,)."""
        return oracle_of(self.channel).count_informative(self.counts, self.total)

    def __add__(self, other: "SupportTally") -> "SupportTally":
        """Put reports of one channel together that were counted in two places."""
        if isinstance(other, Tally | SupportTally):
            _refuse_other_channel(self.channel, other.channel, "SupportTally.__add__")
        if not isinstance(other, SupportTally):
            return NotImplemented
        if (self.sample is None) != (other.sample is None):
            raise InputError(
                "SupportTally.__add__",
                got="a sample with weights, and reports without",
                allowed="both with weights or a sampling design, or both without",
            )
        sample = self.sample
        if sample is not None and other.sample is not None:
            sample = sample + other.sample
        return SupportTally(
            self.channel,
            self.counts + other.counts,
            total=self.total + other.total,
            blanks=self.blanks + other.blanks,
            sample=sample,
        )

    def __radd__(self, other: object) -> "SupportTally":
        """Let `sum` put many together, which begins at 0."""
        return self if type(other) is int and other == 0 else NotImplemented

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, SupportTally):
            return NotImplemented
        own, others = ((tally.total, tally.blanks, tally.sample) for tally in (self, other))
        same = own == others
        return same and self.channel == other.channel and np.array_equal(self.counts, other.counts)

    def __hash__(self) -> int:
        return hash((self.total, self.blanks, self.counts.tobytes()))

    @property
    def fingerprint(self) -> str:
        """The SHA-256 of the channel's canonical JSON: whose reports these are."""
        return fingerprint_of(self.channel)

    def to_dict(self) -> Json:
        """Write the tally for JSON, with the channel's fingerprint."""
        document: Json = {"askance": SUPPORT_VERSION, "channel": self.fingerprint}
        if self.sample is not None:
            document |= {"sample": self.sample.to_dict()}
        return document | {
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
        written = _parse_json(text)
        parts = {"askance", "channel", "total", "blanks", "counts"}
        if (
            not isinstance(written, dict)
            or set(written) - {"sample"} != parts
            or written["askance"] != SUPPORT_VERSION
        ):
            raise DocumentError(
                "tally",
                got=_describe_document(written),
                allowed=f'"askance": "{SUPPORT_VERSION}", channel, total, blanks, counts',
            )
        _refuse_fingerprint(written["channel"], channel)
        attributes = {name: written[name] for name in ("total", "blanks")}
        if "sample" in written:
            attributes["sample"] = SampledSupports.from_dict(written["sample"])
        try:
            return cls(channel, written["counts"], **attributes)
        except InputError as error:
            raise _as_document_error(error, "SupportTally") from error

    def _frame(self) -> dict[str, Any]:
        return {"answer": self.channel.frame.answers, "reports": self.supports}

    def _table(self) -> Listing:
        answers = self.channel.frame.answers
        rows = [
            [answer, str(count)]
            for answer, count in zip(answers[:_TABLE_ROWS], self.supports.tolist(), strict=False)
        ]
        more = [f"… {len(answers) - _TABLE_ROWS:,} more"] if len(answers) > _TABLE_ROWS else []
        if self.sample is not None:
            df = self.sample.df
            freedom_text = "" if math.isinf(df) else f", {df:g} degrees of freedom"
            more.append(f"a sample with weights{freedom_text}")
        title = "reports that leave an answer possible"
        return title, ["answer", "reports"], rows, [*more, _describe_total(self.total, self.blanks)]

    to_frame = result_frame
    __arrow_c_stream__ = result_stream


def _refuse_others(sample: SampledSupports | None, answers: int) -> None:
    """Refuse a sample of more or fewer answers."""
    if sample is not None and len(sample.support_weights) != answers:
        raise InputError(
            "SupportTally.sample",
            got=f"sums of {len(sample.support_weights):,} answers",
            allowed=f"of {answers:,}",
        )


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
