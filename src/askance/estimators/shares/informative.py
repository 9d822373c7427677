"""The part of a tally that says anything, once it is known to be possible and to identify."""

from dataclasses import dataclass
from typing import final

import numpy as np

from askance.channels.channel import Channel, Tally
from askance.errors import InputError, NotIdentified
from askance.estimators.shares.identified import identified, plainly_identified
from askance.typing import Floats

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


def informative(tally: Tally) -> Informative:
    """Set aside the reports that say nothing, and refuse what cannot be or cannot be known.

    Raises
    ------
    InputError
        If a report was received that no answer can send.
    NotIdentified
        If some change of the shares would not change the chance of any report.
    """
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
    speaks = np.ptp(channel.matrix, axis=0) > _SAME * channel.matrix.max(axis=0)
    return Informative(
        labels=channel.frame.answers,
        rows=channel.matrix[:, speaks].T,
        counts=tally.counts[speaks].astype(float),
        share=min(float(channel.matrix[0, speaks].sum()), 1.0),
        received=tally.total,
    )


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
