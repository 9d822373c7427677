"""What the reports of a channel can tell apart, and the part of a tally that says anything."""

from dataclasses import dataclass
from typing import final

import numpy as np

from askance.arguments import checked
from askance.channels.channel import Channel
from askance.channels.tally import Tally, refuse_weights
from askance.errors import InputError, NotIdentified
from askance.results import Listing, json_of, keep_read_only, listed, number
from askance.typing import Booleans, Floats, Json

RANK = 1e-11
"""A singular value this much smaller than the largest counts as zero."""

_ROUNDING = 1e-9  # an answer's part in a contrast that is none


@final
@listed
@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class Identification:
    """Which shares, and which contrasts of shares, a channel's reports determine.

    Attributes
    ----------
    answers : tuple of str
        The k answers.
    rank : int
        How many combinations of the shares the reports determine; k if all.
    condition : float
        Largest over smallest singular value of the channel: how much inversion can magnify chance
        error; infinite if the rank is short.
    unseen : array, shape (k − rank, k)
        Contrasts wᵀQ = 0: changes of the shares that change the chance of no report.
    faintest : array, shape (k,)
        Of the changes of length one that the reports do see, the one they see least.
    """

    answers: tuple[str, ...]
    rank: int
    condition: float
    unseen: Floats
    faintest: Floats

    def __post_init__(self) -> None:
        keep_read_only(self, "unseen faintest")

    @property
    def complete(self) -> bool:
        """Whether every share is determined."""
        return self.rank == len(self.answers)

    @property
    def known(self) -> tuple[str, ...]:
        """The answers whose own share is determined."""
        still = np.abs(self.unseen).max(axis=0, initial=0.0) <= _ROUNDING
        return tuple(np.array(self.answers)[still].tolist())

    @property
    def confused(self) -> tuple[str, ...]:
        """Say for each unseen contrast which answers it cannot tell from which."""
        return tuple(self._told(contrast) for contrast in self.unseen)

    def to_dict(self) -> Json:
        """Write the diagnosis for JSON."""
        return json_of(self, "answers rank condition unseen faintest complete known confused")

    def _told(self, contrast: Floats) -> str:
        sides = [
            " and ".join(np.array(self.answers)[sign * contrast > _ROUNDING].tolist())
            for sign in (1, -1)
        ]
        return f"{sides[0]} from {sides[1]}"

    def _table(self) -> Listing:
        rows = [
            [answer, "yes" if answer in self.known else "no", number(float(faint))]
            for answer, faint in zip(self.answers, self.faintest, strict=True)
        ]
        notes = [f"rank {self.rank} of {len(self.answers)}; condition {self.condition:.4g}"]
        notes += [f"the reports cannot tell {one}" for one in self.confused]
        head = ["answer", "share identified", "faintest change"]
        return "what the reports can tell apart", head, rows, notes


@checked
def identified(channel: Channel) -> Identification:
    """Identifiability: which shares a channel's reports determine, and which changes they miss.

    The shares are determined exactly if the channel's rows are linearly independent. Otherwise the
    left null space is given in reduced form, so that each contrast names as few answers as it can.

    Parameters
    ----------
    channel : Channel

    >>> from askance.channels.frame import Frame
    >>> reports = {"a": ["a"], "b or c": ["b", "c"]}
    >>> q = Channel(Frame(["a", "b", "c"]), reports, [[0.9, 0.1], [0.2, 0.8], [0.2, 0.8]])
    >>> identified(q)
    what the reports can tell apart
    answer  share identified  faintest change
    a                    yes           0.8165
    b                     no          -0.4082
    c                     no          -0.4082
    rank 2 of 3; condition inf
    the reports cannot tell b from c
    """
    k = len(channel.frame)
    triangle = np.linalg.qr(channel.matrix.T, mode="r")
    _, sizes, right = np.linalg.svd(triangle)
    rank = int(np.sum(sizes > RANK * sizes.max()))
    changes = np.linalg.svd(np.ones((1, k)))[2][1:]
    seen = np.linalg.svd(triangle @ changes.T)[2] if rank > 1 else np.zeros((0, k - 1))
    return Identification(
        answers=channel.frame.answers,
        rank=rank,
        condition=float(sizes[0] / sizes[-1]) if rank == k else float("inf"),
        unseen=_reduced(right[rank:]),
        faintest=_upright(seen[rank - 2] @ changes) if rank > 1 else np.zeros(k),
    )


def plainly_identified(channel: Channel) -> bool:
    """Say quickly that the rows are independent; if not, a closer look is needed."""
    sizes = np.linalg.eigvalsh(channel.matrix @ channel.matrix.T)
    return bool(sizes[0] > 1e-12 * sizes[-1])


def _reduced(basis: Floats) -> Floats:
    """Bring a basis to reduced echelon form, largest pivots first, and scale it to ±1."""
    rows = np.array(basis)
    for at in range(len(rows)):
        row, column = divmod(int(np.argmax(np.abs(rows[at:]))), rows.shape[1])
        rows[[at, at + row]] = rows[[at + row, at]]
        rows[at] /= rows[at, column]
        for other in range(len(rows)):
            if other != at:
                rows[other] -= rows[other, column] * rows[at]
    rows[np.abs(rows) < _ROUNDING] = 0.0
    return np.array([_upright(row) for row in rows]).reshape(rows.shape)


def _upright(contrast: Floats) -> Floats:
    """Let the first answer that takes part gain."""
    first = contrast[np.argmax(np.abs(contrast) > _ROUNDING)]
    return contrast * (-1 if first < 0 else 1)


_SAME = 1e-12  # chances of a report that are equal but for rounding


@final
@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Informative:
    """Reports whose chance depends on the answer, with how often each was received.

    Attributes
    ----------
    labels : tuple of str
        The k answers.
    rows : array, shape (m, k)
        Chance of each informative report given each answer.
    counts : array, shape (m,)
    share : float
        Chance that a report is informative; it is the same for every answer.
    received : int
        All reports, the others included.
    """

    labels: tuple[str, ...]
    rows: Floats
    counts: Floats
    share: float
    received: int

    @property
    def total(self) -> float:
        """How many informative reports were received."""
        return float(self.counts.sum())


def informative(tally: Tally, *, weighted: bool = False) -> Informative:
    """Set aside the reports that say nothing, and refuse what cannot be or cannot be known.

    Parameters
    ----------
    tally : Tally
    weighted : bool
        Whether the caller deals with sampling weights. The counts are then those of as many
        reports at the weighted frequencies.

    Raises
    ------
    InputError
        If a report was received that no answer can send, or there are weights that nobody deals
        with.
    NotIdentified
        If some change of the shares would not change the chance of any report.
    """
    if not weighted:
        refuse_weights(tally)
    channel = tally.channel
    possible = channel.matrix.max(axis=0) > 0
    for report in np.flatnonzero(~possible & (tally.counts > 0)):
        raise InputError(
            f"Tally.counts[{channel.reports[report]!r}]",
            got=int(tally.counts[report]),
            allowed="0, since no answer can send this report",
            remedy="check that the reports belong to this form",
        )
    identify(channel)
    speaks = speaking(channel)
    return Informative(
        labels=channel.frame.answers,
        rows=channel.matrix[:, speaks].T,
        counts=_frequent(tally)[speaks],
        share=min(float(channel.matrix[0, speaks].sum()), 1.0),
        received=tally.total,
    )


def speaking(channel: Channel) -> Booleans:
    """Say of each report whether its chance depends on the answer."""
    return np.asarray(np.ptp(channel.matrix, axis=0) > _SAME * channel.matrix.max(axis=0))


def _frequent(tally: Tally) -> Floats:
    """As many reports as were received, at the weighted frequencies where there are weights."""
    counts = tally.counts.astype(float)
    if tally.weights is None:
        return counts
    total = float(tally.weights.sum())
    return tally.weights * (counts.sum() / total) if total else np.zeros(len(counts))


def identify(channel: Channel) -> None:
    """Make sure that different shares give different chances of the reports.

    Raises
    ------
    NotIdentified
        Naming the answers that the reports cannot tell apart.
    """
    if plainly_identified(channel):
        return
    found = identified(channel)
    if found.complete:
        return
    raise NotIdentified(
        "channel",
        got=f"{len(found.unseen)} contrast(s) that change no report",
        allowed="rows that are linearly independent",
        remedy="; ".join(f"the reports cannot tell {one}" for one in found.confused[:3]),
    )
