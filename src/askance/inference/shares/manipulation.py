"""False reports: how far they move an estimate, and what is known in spite of them.

How many reports are false is seldom known. If it were (`contamination_bounds`) shares lie in
bounds, whatever the false ones say.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import ClassVar, final

import numpy as np

from askance.channels.channel import Channel
from askance.channels.grouped_tally import GroupedTally
from askance.channels.tally import Tally
from askance.inference.fit_result import GoodnessOfFit
from askance.inference.frequency_tests import counts_by_group, fit_of_groups
from askance.inference.maximisation import maximise_mixture, mixture
from askance.inference.provenance import Computation
from askance.inference.shares.information import right_inverse
from askance.inference.shares.sampled_law import SampledLaw
from askance.inference.shares.share_intervals import frequent, informative
from askance.results import (
    Cells,
    Listing,
    cells_of,
    json_of,
    keep_read_only,
    listed,
    normal_quantile,
    number,
)
from askance.typing import Floats, Json
from askance_collect.arguments import checked
from askance_collect.errors import InputError
from askance_collect.exact.ratio import read_ratio

_TOLERANCE = 1e-12  # the gap, per report, at which a maximum counts as certified
_SLACK = 1e-7  # of a frequency: what linear programmes round


@final
@listed
@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class Manipulation:
    """How far false reports move the estimated share of each answer, at most.

    Attributes
    ----------
    labels : tuple of str
    unbiased : array, shape (k,)
        The unbiased estimate, wherever chance put the honest one.
    clipped : array, shape (k,)
        The estimate cut to [0, 1].
    false_reports, reports : int
        How many reports are false, and how many there are.
    linear : bool
        Whether the most likely shares are the unbiased ones, cut: of two answers told by two
        reports, and of plain answers.

    >>> from askance.channels.channel import Channel
    >>> from askance.channels.frame import Frame
    >>> plain = Channel(Frame(["yes", "no"]), {"yes": ["yes"], "no": ["no"]}, np.eye(2))
    >>> manipulation(plain, 100, 1_000)
    how far 100 false reports among 1,000 move a share
    answer  cut to [0, 1]  unbiased
    yes               0.1       0.1
    no                0.1       0.1
    """

    computation: ClassVar[Computation] = Computation.POISONING_BOUND
    labels: tuple[str, ...]
    unbiased: Floats
    clipped: Floats
    false_reports: int
    reports: int
    linear: bool

    def __post_init__(self) -> None:
        keep_read_only(self, "unbiased clipped")

    def to_dict(self) -> Json:
        """Write the bounds for JSON."""
        return json_of(self, keys={"clipped": "cut", "false_reports": "false"})

    def _table(self) -> Listing:
        rows = [
            [label, number(cut), number(far)]
            for label, cut, far in zip(self.labels, self.clipped, self.unbiased, strict=True)
        ]
        title = f"how far {self.false_reports:,} false reports among {self.reports:,} move a share"
        return title, ["answer", "cut to [0, 1]", "unbiased"], rows, []


@checked
def manipulation(channel: Channel, false_reports: int, reports: int) -> Manipulation:
    r"""Bound how far a manipulation attack moves each estimated share, exactly.

    The unbiased estimate is the mean of :math:`G_{ij}` over the reports j that say anything, with G
    the right inverse of the channel. Honest reports say something with chance s; m false ones among
    n all do, and make up :math:`\gamma = m/(m + (n - m) s)` of those that count. They move it from
    the honest reports' own estimate by at most

    .. math:: \gamma (\max_j G_{ij} - \min_j G_{ij})

    and if both are cut to [0, 1] by at most
    :math:`\min(1, \gamma \max(\max_j G_{ij}, 1 - \min_j G_{ij}))`. Both are attained, by sending
    one report again and again. A plain question has γ = m/n for both. Where the most likely shares
    are not `linear` in the reports these bounds do not cover them.

    Parameters
    ----------
    channel : Channel
    false_reports, reports : int
        m and n; honest reports are counted as often as they are expected to say something.

    Raises
    ------
    InputError
        Unless 0 ≤ false ≤ reports, with at least one report.
    NotIdentified
        If the reports cannot tell some answers apart.

    References
    ----------
    Cheu, Smith & Ullman (2021): any non-interactive locally private protocol is moved further than
    plain answers are.

    >>> from askance.channels.frame import Frame
    >>> q = Channel(Frame(["yes", "no"]), {"yes": ["yes"], "no": ["no"]}, [[.75, .25], [.25, .75]])
    >>> manipulation(q, 100, 1_000).clipped.round(9).tolist()  # a tenth of (1 − ¼)/½
    [0.15, 0.15]
    """
    if not 0 <= false_reports <= reports or reports < 1:
        raise InputError(
            "manipulation.false_reports",
            got=f"{false_reports} of {reports}",
            allowed="a number of reports from 0 to all of them, of which there is at least one",
        )
    data = informative(Tally(channel, {}))
    inverse = right_inverse(data.rows.T / data.share)
    weight = false_reports / (false_reports + (reports - false_reports) * data.share)
    most, least = inverse.max(axis=0), inverse.min(axis=0)
    return Manipulation(
        labels=data.labels,
        unbiased=weight * (most - least),
        clipped=np.minimum(1.0, weight * np.maximum(most, 1 - least)),
        false_reports=false_reports,
        reports=reports,
        linear=len(data.counts) == 2 or bool(((data.rows > 0).sum(axis=1) == 1).all()),
    )


@final
@listed
@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class ContaminationBounds:
    """What is known of each share when up to a stated share of the reports is false.

    Attributes
    ----------
    labels : tuple of str
    low, high : array, shape (k,)
        The identified set of each share: more reports do not make it narrower. Not a number where
        no shares fit.
    lower, upper : array, shape (k,)
        Hold all true shares of the honest people at least this often.
    level : float
    false_share : float
        The share of reports that may be false.
    min_false_share : float
        The least share of false reports with which the frequencies fit at all.
    reports : int
    goodness_of_fit : GoodnessOfFit
        Whether the channel can have sent these reports at all, if none is false: what
        ``min_false_share`` is for is not said twice.

    >>> from askance.channels.channel import Channel
    >>> from askance.channels.frame import Frame
    >>> plain = Channel(Frame(["yes", "no"]), {"yes": ["yes"], "no": ["no"]}, np.eye(2))
    >>> contamination_bounds(Tally(plain, {"yes": 400, "no": 600}), "1/5")
    share of each answer if up to 20 % of reports are false
    answer  from    to  95 % from      to
    yes     0.25   0.5     0.2203  0.5352
    no       0.5  0.75     0.4648  0.7797
    1,000 reports; at least 0 % seem to be false
    """

    computation: ClassVar[Computation] = Computation.CONTAMINATION
    labels: tuple[str, ...]
    low: Floats
    high: Floats
    lower: Floats
    upper: Floats
    level: float
    false_share: float
    min_false_share: float
    reports: int
    goodness_of_fit: GoodnessOfFit

    def __post_init__(self) -> None:
        keep_read_only(self, "low high lower upper")

    def columns(self) -> Cells:
        """The head of a table, and its rows, numbers as they are."""
        ends = (self.low, self.high, self.lower, self.upper)
        return ["what", "low", "high", "lower", "upper"], cells_of(self.labels, *ends)

    def to_dict(self) -> Json:
        """Write the bounds for JSON; None where no shares fit."""
        return json_of(self, keys={"min_false_share": "least_false"}) | {
            "goodness_of_fit": self.goodness_of_fit.to_dict()
        }

    def _table(self) -> Listing:
        percent = f"{100 * self.level:g} %"
        columns = self.low, self.high, self.lower, self.upper
        rows = [
            [label, *(number(float(column[i])) for column in columns)]
            for i, label in enumerate(self.labels)
        ]
        title = f"share of each answer if up to {100 * self.false_share:g} % of reports are false"
        least = f"{100 * self.min_false_share:.3g} %"
        notes = [f"{self.reports:,} reports; at least {least} seem to be false"]
        return title, ["answer", "from", "to", f"{percent} from", "to"], rows, notes


@checked
def contamination_bounds(
    tally: Tally | GroupedTally, false_share: object, level: float = 0.95
) -> ContaminationBounds:
    r"""Bound each share when up to a stated share c of the reports is false: the identified set.

    Whatever false reports say, honest ones are no more of each kind than were received. So the
    shares π of the honest people keep

    .. math:: (1 - c) \sum_i \pi_i q_{ij} \le f_j \quad \text{for every report } j

    and every π that does is possible: the bounds are sharp. With n reports of which at least
    h = ⌈(1 − c) n⌉ are honest, f_j/(1 − c) gives way to Clopper and Pearson's upper limit from n_j
    of h, all of them together at the stated level, which is conservative. Each bound is a linear
    programme. With sampling weights c is the share of false reports by weight, f_j the weighted
    frequency, and n the number of equally weighted reports that would tell f_j as precisely, with
    Student's law in place of the normal one where the sampling design says its degrees of freedom.

    In groups that were asked in different ways honest people are alike, since who is in which was
    left to chance, if who is false would be so in any. Their shares keep the limits of all groups
    at once, with up to c of the reports of each false.

    Parameters
    ----------
    tally : Tally or GroupedTally
    false_share : probability
        c in [0, 1), as a number, a fraction or text such as "1/10"; of groups that of each.
    level : float

    Raises
    ------
    InputError
        If the share is not in [0, 1), there is no report, or the level is not in (0, 1).
    NotIdentified
        If the reports cannot tell some answers apart.

    References
    ----------
    Horowitz & Manski (1995), on contaminated samples; Clopper & Pearson (1934); Korn & Graubard
    (1998), for such limits in complex samples.

    >>> from askance.channels.frame import Frame
    >>> q = Channel(Frame(["yes", "no"]), {"yes": ["yes"], "no": ["no"]}, [[.75, .25], [.25, .75]])
    >>> bounds = contamination_bounds(Tally(q, {"yes": 4_000, "no": 6_000}), "1/10")
    >>> bounds.low.round(4).tolist(), bounds.high.round(4).tolist()  # .4/.9 = ¼ + ½ π at most
    ([0.1667, 0.6111], [0.3889, 0.8333])
    """
    normal_quantile(level)
    share = float(read_ratio(false_share, "contamination_bounds.false_share"))
    n = tally.total
    if not 0 <= share < 1 or not n:
        problem = f"{false_share} of {n} reports"
        allowed = "a share in [0, 1) of at least one report"
        raise InputError("contamination_bounds.false_share", got=problem, allowed=allowed)
    if isinstance(tally, GroupedTally):
        stacked, group, parts = tally.stacked, tally.group, list(tally.parts.values())
    else:
        stacked, group, parts = tally, None, [tally]
    informative(stacked, group=group)
    received = (_Received.of(part) for part in parts)
    groups = [sample for sample in received if sample.counts.any()]
    sharp, safe = _bound_shares(groups, share, level)
    return ContaminationBounds(
        labels=stacked.channel.frame.answers,
        low=sharp[0],
        high=sharp[1],
        lower=safe[0],
        upper=safe[1],
        level=level,
        false_share=share,
        min_false_share=_minimum_false_share(groups),
        reports=n,
        goodness_of_fit=fit_of_groups(counts_by_group(tally)),
    )


def nearest_bounds(tally: Tally, share: float, level: float) -> tuple["Ends", "Ends"]:
    r"""The identified sets and their intervals, where frequencies are further out than any shares.

    Of all frequencies :math:`(1 - c) \sum_i \pi_i q_{ij} + c\, r_j`, for whatever false reports r,
    those most likely to have sent what was received take its place. Intervals hold what these leave
    open beside what the frequencies received do, so that a strange sample feigns no certainty.

    Parameters
    ----------
    tally : Tally
        Of a channel whose reports tell answers apart, with at least one report.
    share : float
        c in (0, 1).
    level : float

    >>> from askance.channels.frame import Frame
    >>> q = Channel(Frame(["yes", "no"]), {"yes": ["yes"], "no": ["no"]}, [[.75, .25], [.25, .75]])
    >>> (low, high), _ = nearest_bounds(Tally(q, {"yes": 100, "no": 900}), .1, .95)
    >>> low.round(4).tolist(), high.round(4).tolist()
    ([0.0, 1.0], [0.0, 1.0])
    """
    received = _Received.of(tally)
    rows, counts = received.rows, received.counts
    m, k = rows.shape
    classes = ((1 - share) * rows[:, :, None] + share * np.eye(m)[:, None, :]).reshape(m, k * m)
    is_observed = counts > 0
    top, _ = maximise_mixture(
        mixture(classes[is_observed], counts[is_observed]), np.full(k * m, 1 / (k * m)), _TOLERANCE
    )
    expected = counts.sum() * (classes @ top) * (1 + _SLACK)
    sharp, safe = _bound_shares([replace(received, counts=expected)], share, level)
    _, strange = _bound_shares([received], share, level)
    return sharp, (np.fmin(safe[0], strange[0]), np.fmax(safe[1], strange[1]))


Ends = tuple[Floats, Floats]


@final
@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class _Received:
    """Reports through one channel: chances by answer, shape (m, k), and counts."""

    rows: Floats
    counts: Floats
    law: SampledLaw | None

    @classmethod
    def of(cls, tally: Tally) -> "_Received":
        rows, counts = tally.channel.matrix.T, frequent(tally)
        return cls(rows=rows, counts=counts, law=SampledLaw.of(tally))

    @property
    def n(self) -> int:
        return int(np.rint(self.counts.sum()))

    def limits(self, share: float, spend: float) -> Floats:
        """Upper confidence limits of the chances, each missed with this probability."""
        from scipy.special import betaincinv

        n, counts = self.n, self.counts
        honest = np.full(len(counts), n - int(np.floor(share * n * (1 + 1e-12))))
        if self.law is not None:
            worth = self.law.worth(1 - 2 * spend)
            counts, honest = counts * (worth / n), (1 - share) * worth
        counts = np.minimum(counts, honest)
        limits = np.ones(len(counts))
        some = counts < honest
        limits[some] = betaincinv(counts[some] + 1, honest[some] - counts[some], 1 - spend)
        return limits


def _bound_shares(groups: Sequence[_Received], share: float, level: float) -> tuple[Ends, Ends]:
    """Ends of each share for these frequencies, and for the upper limits of their chances."""
    rows = np.concatenate([group.rows for group in groups])
    spend = (1 - level) / len(rows)
    sharp = np.concatenate([group.counts / group.n / (1 - share) for group in groups])
    safe = np.concatenate([group.limits(share, spend) for group in groups])
    return _extreme_shares(rows, sharp), _extreme_shares(rows, safe)


def _extreme_shares(rows: Floats, limits: Floats) -> tuple[Floats, Floats]:
    """Minimum and maximum of each share subject to the limits."""
    from scipy.optimize import linprog

    k = rows.shape[1]
    ends = np.full((2, k), np.nan)
    for answer in range(k):
        for side, sign in enumerate((1, -1)):
            aim = np.zeros(k)
            aim[answer] = sign
            solution = linprog(aim, rows, limits, np.ones((1, k)), [1.0], (0, 1), method="highs")
            if solution.x is None:
                return ends[0], ends[1]
            ends[side, answer] = min(max(float(solution.x[answer]), 0.0), 1.0) + 0.0  # -0 is 0
    return ends[0], ends[1]


def _minimum_false_share(groups: Sequence[_Received]) -> float:
    """Smallest share of false reports that can explain the frequencies."""
    from scipy.optimize import linprog

    rows = np.concatenate([group.rows for group in groups])
    frequency = np.concatenate([group.counts / group.counts.sum() for group in groups])
    k = rows.shape[1]
    solution = linprog(-np.ones(k), rows, frequency, bounds=(0, 1), method="highs")
    false_reports = 1.0 if solution.x is None else 1 - float(solution.x.sum())
    return min(false_reports, 1.0) if false_reports > _SLACK else 0.0
