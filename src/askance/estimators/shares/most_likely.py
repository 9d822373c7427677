"""The most likely shares alone, with their certificate and without errors."""

from dataclasses import dataclass
from typing import final

import numpy as np

from askance.arguments import checked
from askance.channels.channel import Tally
from askance.estimators.outcome import Outcome
from askance.estimators.shares.informative import Informative, informative
from askance.estimators.shares.simplex import climb, mixture
from askance.results import Listing, json_of, keep_read_only, listed, number
from askance.typing import Floats, Json

TOLERANCE = 1e-12
"""The gap, per report, at which a maximum counts as certified."""


@final
@listed
@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class MostLikely:
    """The maximum of the likelihood over shares that sum to one.

    Attributes
    ----------
    labels : tuple of str
        The k answers.
    value : array, shape (k,)
        Shares; not a number without an informative report.
    gap : float
        At most this much mean log-likelihood per report is missing to the maximum.
    reports : int
        Reports that say anything.
    outcome : Outcome
    """

    labels: tuple[str, ...]
    value: Floats
    gap: float
    reports: int
    outcome: Outcome

    def __post_init__(self) -> None:
        keep_read_only(self, "value")

    def to_dict(self) -> Json:
        """Write the shares for JSON."""
        return json_of(self, "labels value gap reports") | self.outcome.to_dict()

    def _table(self) -> Listing:
        rows = [
            [label, number(share)] for label, share in zip(self.labels, self.value, strict=True)
        ]
        notes = [f"{self.reports:,} reports; gap {self.gap:.1g}; {self.outcome.value}"]
        return "most likely share of each answer", ["answer", "share"], rows, notes


@checked
def most_likely(tally: Tally) -> MostLikely:
    """Find the most likely shares, certified, without intervals: milliseconds for many answers.

    What `maximum_likelihood` starts from; intervals for a hundred answers take a thousand times as
    long as their shares.

    Raises
    ------
    NotIdentified
        If the reports cannot tell some answers apart.
    InputError
        If a report was received that no answer can send.

    >>> from askance.channels.channel import Channel
    >>> from askance.channels.frame import Frame
    >>> q = Channel(Frame(["yes", "no"]), {"yes": ["yes"], "no": ["no"]}, [[.75, .25], [.25, .75]])
    >>> most_likely(Tally(q, {"yes": 40, "no": 60})).value.round(9).tolist()
    [0.3, 0.7]
    """
    return fitted(informative(tally))


def fitted(data: Informative) -> MostLikely:
    """Climb the likelihood of the informative reports.

    Maximises Σ_j n_j log Σ_i π_i q_ij by Newton steps on the active set with EM (Dempster, Laird &
    Rubin, 1977) where a step would descend. The gap, max_i (Σ_j n_j q_ij / P_j)/n − 1, bounds what
    is missing to the maximum (Kuhn–Tucker).
    """
    k = len(data.labels)
    if not data.total:
        return MostLikely(
            labels=data.labels,
            value=np.full(k, np.nan),
            gap=float("nan"),
            reports=0,
            outcome=Outcome.NO_REPORTS,
        )
    seen = data.counts > 0
    shares, gap = climb(mixture(data.rows[seen], data.counts[seen]), np.full(k, 1 / k), TOLERANCE)
    outcome = Outcome.CONVERGED if gap <= TOLERANCE else Outcome.STOPPED
    if gap <= TOLERANCE and shares.min() <= 0:
        outcome = Outcome.ON_BOUNDARY
    return MostLikely(
        labels=data.labels, value=shares, gap=gap, reports=int(data.total), outcome=outcome
    )
