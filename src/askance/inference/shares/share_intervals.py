"""Intervals for shares inside [0, 1] that are never empty: score, profile, Wilson's, Walley's."""

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import ClassVar, final

import numpy as np
from scipy.special import ndtr

from askance.channels.channel import Channel
from askance.channels.tally import Tally
from askance.chart import SHARE, Chart, chart_frame, draw_result, sets_chart
from askance.inference.fit_result import GoodnessOfFit, Untested
from askance.inference.provenance import Computation
from askance.inference.shares.information import Informative, identifying, speaking
from askance.inference.shares.ratio_profile import RatioProfile
from askance.inference.shares.sampled_law import SampledLaw
from askance.inference.shares.share_profiles import ends_together, symmetric
from askance.results import (
    Listing,
    counted,
    json_of,
    listed,
    normal_quantile,
    number,
    result_frame,
    result_stream,
    wilson,
)
from askance.typing import Booleans, Floats, Integers, Json
from askance_collect.arguments import checked
from askance_collect.errors import InputError, NotIdentified

_SAME = 1e-9  # of all reports: frequencies that are equal but for rounding

MOST_PROFILED = 200
"""The most answers whose likelihood is profiled one by one."""


def informative(tally: Tally, *, group: Integers | None = None) -> Informative:
    """Select the informative reports; refuse impossible reports and unidentified channels.

    Parameters
    ----------
    tally : Tally
        Of one with sampling weights the counts are those of as many reports that say something, at
        their weighted frequencies.
    group : array of int, shape (m,), optional
        Of stacked groups: the position of the group that each report is of.

    Raises
    ------
    InputError
        If a report was received that no answer can send.
    NotIdentified
        If some change of the shares would not change the chance of any report.
    """
    refuse_impossible(tally)
    counts, speaks = frequent(tally), speaking(tally.channel)
    spoken = float(counts[speaks].sum())
    if spoken:
        counts = counts * (tally.counts[speaks].sum() / spoken)
    return identifying(tally.channel, counts, group)


def refuse_impossible(tally: Tally) -> None:
    """Refuse a tally of reports that no answer can send.

    Raises
    ------
    InputError
        Naming the first of them.
    """
    possible = tally.channel.matrix.max(axis=0) > 0
    for report in np.flatnonzero(~possible & (tally.counts > 0)):
        raise InputError(
            f"Tally.counts[{tally.channel.reports[report]!r}]",
            got=int(tally.counts[report]),
            allowed="0, since no answer can send this report",
            remedy="check that the reports belong to this form",
        )


def frequent(tally: Tally) -> Floats:
    """Counts of the reports, scaled to the weighted frequencies if there are weights.

    >>> from askance.channels.frame import Frame
    >>> q = Channel(Frame(["yes", "no"]), {"yes": ["yes"], "no": ["no"]}, [[1, 0], [0, 1]])
    >>> sums = {"yes": 3.0, "no": 1.0}
    >>> frequent(Tally(q, {"yes": 1, "no": 1}, weights=sums, squares=sums)).tolist()
    [1.5, 0.5]
    """
    counts = tally.counts.astype(float)
    if tally.weights is None:
        return counts
    total = float(tally.weights.sum())
    return tally.weights * (counts.sum() / total) if total else np.zeros(len(counts))


def intervals(
    data: Informative, shares: Floats, se: Floats, level: float, which: Integers | None = None
) -> tuple[Floats, Floats]:
    """An interval for each share.

    Two answers: the score test inverted through the channel, as in `score_interval`. More: profile
    likelihood, as in `profile_intervals`, in closed form where the channel protects all answers
    alike, as in `Symmetric.intervals`. More than 200, where profiling can take minutes: the normal
    interval cut to [0, 1], nowhere inside the one that as many plain answers would give. A share
    that is estimated as exactly 0 or 1 has at least the interval that reports at the nearest
    frequencies which shares can send would give it: those further out do not feign certainty.

    Parameters
    ----------
    data : Informative
        With at least one informative report.
    shares, se : array, shape (k,)
        The most likely shares and their standard errors.
    level : float
    which : array of int, optional
        The answers whose intervals are wanted, where more than two are profiled; all if left out.

    Returns
    -------
    lower, upper : array, shape (k,)
    """
    z = normal_quantile(level)
    which = np.arange(len(shares)) if which is None else which
    lower, upper = _compute_intervals(data, shares, se, z, which)
    edge = which[(shares[which] <= 0) | (shares[which] >= 1)]
    nearest = data.total / data.share * (data.rows @ shares)
    if len(edge) and np.abs(nearest - data.counts).max() > _SAME * data.total:
        low, high = _compute_intervals(replace(data, counts=nearest), shares, se, z, edge)
        lower[edge] = np.minimum(lower[edge], low[edge])
        upper[edge] = np.maximum(upper[edge], high[edge])
    return lower, upper


def _compute_intervals(
    data: Informative, shares: Floats, se: Floats, z: float, which: Integers
) -> tuple[Floats, Floats]:
    k = len(shares)
    if k == 2:
        first, last = score_interval(data, float(shares[0]), z)
        return np.array([first, 1 - last]), np.array([last, 1 - first])
    symmetric_reports = symmetric(data.rows, data.counts) if k <= MOST_PROFILED else None
    if symmetric_reports is not None:
        lower, upper = np.zeros(k), np.ones(k)
        lower[which], upper[which] = symmetric_reports.intervals(shares, se, z, which)
        return lower, upper
    if k > MOST_PROFILED:
        low, high = wilson(shares, np.full(k, data.total), z)
        return np.clip(shares - z * se, 0, low), np.clip(shares + z * se, high, 1)
    lower, upper = profile_intervals(data, shares, z, which)
    return lower, upper


_TINY = 1e-200  # a share beside which 0 makes no difference
_SCORE_CLOSE = 1e-13  # relative
_PARTS = np.arange(1, 256) / 256  # of the way between two shares


@final
@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class _TwoAnswerReports:
    """Informative reports, read towards one of the two answers."""

    own: Floats
    other: Floats
    counts: Floats
    share: float

    def chance(self, share: Floats) -> Floats:
        """The chance of each report by each of s shares, shape (s, m)."""
        return np.outer(share, self.own) + np.outer(1 - share, self.other)

    def excess(self, share: Floats, z: float) -> Floats:
        """How far the score exceeds z of its standard deviations, given the report count."""
        chance, slope, is_observed = self.chance(share), self.own - self.other, self.counts > 0
        score = (self.counts[is_observed] * slope[is_observed] / chance[:, is_observed]).sum(axis=1)
        with np.errstate(divide="ignore", over="ignore"):
            information = self.counts.sum() / self.share * (slope**2 / chance).sum(axis=1)
        excess: Floats = score - z * np.sqrt(information)
        return excess

    def deviance(self, share: Floats) -> Floats:
        """Twice the log-likelihood lost at each share against a share of one."""
        is_observed = self.counts > 0
        best, chance = self.own[is_observed], self.chance(share)[:, is_observed]
        return -2 * np.log1p((chance - best) / best) @ self.counts[is_observed]


def score_interval(data: Informative, share: float, z: float) -> tuple[float, float]:
    """The shares of the first answer that the score test does not reject.

    All π with |S(π)| ≤ z √I(π), where S is the slope of the log-likelihood and I the information
    expected of as many informative reports. For a binomial report this is Wilson's (1927) interval
    of the report's frequency, mapped through the channel and cut to [0, 1]. Where the estimate is 0
    or 1 the shares that the likelihood ratio does not reject are added, so that the interval is
    never empty, however far outside the frame the frequencies lie.

    Parameters
    ----------
    data : Informative
        With two answers.
    share : float
        The most likely share of the first.
    z : float
        Normal quantile of the level.

    >>> data = Informative(
    ...     labels=("a", "b"),
    ...     rows=np.eye(2),
    ...     counts=np.array([0, 10.0]),
    ...     share=1.0,
    ...     columns=np.arange(2),
    ... )
    >>> low, high = score_interval(data, 0.0, 1.959964)  # Wilson: z²/(n + z²)
    >>> low, round(high, 6)
    (0.0, 0.277533)
    """
    first, second = data.rows[:, 0], data.rows[:, 1]
    low = _find_lower_end(
        _TwoAnswerReports(own=first, other=second, counts=data.counts, share=data.share), share, z
    )
    mirrored = _TwoAnswerReports(own=second, other=first, counts=data.counts, share=data.share)
    return low, 1 - _find_lower_end(mirrored, 1 - share, z)


def _find_lower_end(reports: _TwoAnswerReports, share: float, z: float) -> float:
    ends = reports.excess(np.array([_TINY, share]), z) if share > 0 else None
    if ends is None or ends[0] <= 0:
        return 0.0
    low = share
    if ends[1] < 0:
        low = _find_crossing(lambda point: reports.excess(point, z) > 0, _TINY, share)
    if share >= 1:
        low = min(low, _find_crossing(lambda point: reports.deviance(point) > z * z, _TINY, 1.0))
    return low if low > 2 * _TINY else 0.0


def _find_crossing(rejected: Callable[[Floats], Booleans], low: float, high: float) -> float:
    """Find where rejection ends, from a rejected low to a kept high; None rejected gives low.

    Each look is at many places at once.
    """
    while high - low > _SCORE_CLOSE * high:
        places = low + (high - low) * _PARTS
        ends, first_kept = np.append(places, high), int(np.append(~rejected(places), True).argmax())
        low, high = float(ends[first_kept - 1]) if first_kept else low, float(ends[first_kept])
    return high


_TOGETHER = 8  # answers whose profiles are worth one matrix for all


def profile_intervals(data: Informative, shares: Floats, z: float, which: Integers) -> Floats:
    """Give, for each answer, the shares that the likelihood ratio does not reject.

    All u with 2 (max l − max {l : π_i = u}) ≤ z² (Venzon & Moolgavkar, 1988); the interval holds
    the most likely share and stays in [0, 1]. Of eight answers or more all ends are walked to
    together, as in `ends_together`; what does not settle there is found by itself.

    Parameters
    ----------
    data : Informative
    shares : array, shape (k,)
        The most likely shares.
    z : float
        Normal quantile of the level.
    which : array of int
        The answers to profile.

    Returns
    -------
    array, shape (2, k)
        Lower and upper ends; 0 and 1 for answers that are not profiled.
    """
    is_observed = data.counts > 0
    rows, counts = data.rows[is_observed], data.counts[is_observed]
    best = rows @ shares
    ends = np.stack([np.zeros(len(shares)), np.ones(len(shares))])
    if len(shares) >= _TOGETHER:
        ends[:, which] = ends_together(rows, counts, shares, z, which)
        which = which[np.isnan(ends[:, which]).any(axis=0)]
    every = np.ones(len(shares))
    for answer in which.tolist():
        itself = np.zeros(len(shares))
        itself[answer] = 1.0
        lower, upper = (
            RatioProfile(
                rows=rows, counts=counts, best=best, numerator=some, among=every
            ).lower_end(float(some @ shares), z)
            for some in (itself, every - itself)
        )
        ends[:, answer] = lower, 1 - upper
    return ends


@final
@listed
@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class WalleyInterval:
    """All shares of one answer that fit the reports, with what chance adds at either end.

    Attributes
    ----------
    label : str
        The answer.
    low, high : float
        The identified set, estimated: more reports do not make it narrower.
    lower, upper : float
        Holds the true share this often, wherever in the set it lies.
    outer_lower, outer_upper : float
        Holds the whole set this often.
    level : float
    reports : int
    effective_sample_size : float or None
        Of a sample with weights or a sampling design: how many equally weighted reports of people
        drawn at random would tell the frequency as precisely.
    """

    computation: ClassVar[Computation] = Computation.WALLEY_INTERVAL
    label: str
    low: float
    high: float
    lower: float
    upper: float
    outer_lower: float
    outer_upper: float
    level: float
    reports: int
    effective_sample_size: float | None = None

    @property
    def goodness_of_fit(self) -> GoodnessOfFit:
        """Not tested: how vague reports were resolved has no known law."""
        return GoodnessOfFit(untested=Untested.UNKNOWN_LAW)

    def to_dict(self) -> Json:
        """Write the interval for JSON."""
        names = "label low high lower upper outer_lower outer_upper level reports"
        return json_of(
            self,
            names if self.effective_sample_size is None else f"{names} worth=effective_sample_size",
        )

    def _table(self) -> Listing:
        percent = f"{100 * self.level:g} %"
        ends = {
            "what fits the reports": (self.low, self.high),
            f"share, {percent}": (self.lower, self.upper),
            f"whole set, {percent}": (self.outer_lower, self.outer_upper),
        }
        rows = [[name, number(low), number(high)] for name, (low, high) in ends.items()]
        notes = [f"{counted(self.reports, 'report')}; how vague ones were resolved is not known"]
        if self.effective_sample_size is not None:
            notes.append(
                f"weighted; worth {number(self.effective_sample_size)} equally weighted reports"
            )
        return f"share of {self.label}", ["", "from", "to"], rows, notes

    def _chart(self) -> Chart:
        """Describe the identified set as a box and the interval for the share as a line."""
        ends = np.array([[self.low, self.high], [self.lower, self.upper]])[:, :, None]
        return sets_chart([self.label], (*ends[0],), (*ends[1],), level=self.level, x=SHARE)

    plot = draw_result
    plot_data = chart_frame
    to_frame = result_frame
    __arrow_c_stream__ = result_stream


@final
@dataclass(frozen=True, slots=True)
class _Lines:
    """Least and greatest chance of a report that names the answer, linear in its share."""

    belief: tuple[float, float]
    plausibility: tuple[float, float]

    def low(self, frequency: float) -> float:
        """The least share that fits: every vague report was resolved towards the answer."""
        without, with_answer = self.plausibility
        return (frequency - without) / (with_answer - without)

    def high(self, frequency: float) -> float:
        """The greatest share that fits: every one was resolved away from it."""
        without, with_answer = self.belief
        return (frequency - without) / (with_answer - without)

    @property
    def slope(self) -> float:
        """The slope of the flatter of the two lines."""
        return min(self.belief[1] - self.belief[0], self.plausibility[1] - self.plausibility[0])


@checked
def walley_interval(tally: Tally, level: float = 0.95) -> WalleyInterval:
    r"""Identification interval of a share: all that fit resolved reports, and their interval.

    .. math:: \frac{f - q - r}{p - q} \le \pi \le \frac{f - q}{p - q}, \qquad r = 1 - p - q

    cut to [0, 1], for truth p, lie q and f the frequency of reports that name the answer, where
    every "don't know" was resolved to one of the answers and nobody knows how. In general f lies
    between the beliefs' and the plausibilities' average. The interval for the share takes the
    quantile of Imbens & Manski (2004), between one-sided and two-sided as the set is wide or
    narrow, with Wilson's interval of f. Both ends move with the same f, so that their order is
    certain and the quantile holds uniformly (Stoye 2009).

    With sampling weights f is the weighted frequency, and Wilson's interval that of as many equally
    weighted reports as would tell f as precisely, fewer by as much as Student's law is wider than
    the normal one where the sampling design says its degrees of freedom (Korn & Graubard, 1998).

    Parameters
    ----------
    tally : Tally
        Of the vague channel, with every report resolved: only those that name one answer. Also with
        sampling weights, or of a complex sample.
    level : float

    Raises
    ------
    InputError
        If there are not two answers, a vague report was left, or the level is not in (0, 1).
    NotIdentified
        If even knowing how vague reports were resolved would not tell the answers apart.

    References
    ----------
    Li, Zhou, Qin & Xu (2022), the last section, for Walley's reading of their mechanism; Imbens &
    Manski (2004); Korn & Graubard (1998).

    >>> from askance.channels.frame import Frame
    >>> reports = {"yes": ["yes"], "no": ["no"], "don't know": ["yes", "no"]}
    >>> q = Channel(Frame(["yes", "no"]), reports, [[0.6, 0.1, 0.3], [0.1, 0.6, 0.3]])
    >>> walley_interval(Tally(q, {"yes": 500, "no": 500}))
    share of yes
                             from      to
    what fits the reports     0.2     0.8
    share, 95 %            0.1481  0.8519
    whole set, 95 %        0.1381  0.8619
    1,000 reports; how vague ones were resolved is not known
    """
    z = normal_quantile(level)
    named = _naming_reports(tally)
    lines, mirrored = _read_lines(tally.channel)
    law, counts = SampledLaw.of(tally), frequent(tally)
    n = float(counts.sum())
    worth = n if law is None else float(law.worth(level, named[None])[0])
    identified = inner = outer = 0.0, 1.0
    if n:
        observed = float(named @ counts) / n
        frequency = 1 - observed if mirrored else observed
        frequency = min(max(frequency, lines.belief[0]), lines.plausibility[1])
        identified = _clip_share(lines.low(frequency)), _clip_share(lines.high(frequency))
        if worth:
            inner = _wilson_ends(
                lines, frequency, worth, _imbens_manski_quantile(lines, frequency, worth, level)
            )
            outer = _wilson_ends(lines, frequency, worth, z)
    return WalleyInterval(
        label=tally.channel.frame.answers[0],
        low=identified[0],
        high=identified[1],
        lower=inner[0],
        upper=inner[1],
        outer_lower=outer[0],
        outer_upper=outer[1],
        level=level,
        reports=tally.total,
        effective_sample_size=worth if tally.weighted else None,
    )


def _naming_reports(tally: Tally) -> Floats:
    """Ones for the reports that name the first answer, shape (m,)."""
    channel = tally.channel
    if len(channel.frame) != 2 or channel.output != channel.frame:
        raise InputError(
            "walley_interval",
            got=f"{len(channel.frame)} answers, reports about {len(channel.output)}",
            allowed="two answers and reports about them",
        )
    meanings = np.array(channel.meanings)
    vague = int(tally.counts[meanings == channel.frame.full_mask].sum())
    if vague:
        raise InputError(
            "walley_interval",
            got=f"{vague} vague reports",
            allowed="reports that were resolved to one answer each",
            remedy="where vague reports arrive as such, use estimate: it loses nothing",
        )
    return np.asarray(meanings == 1, dtype=np.float64)


def _read_lines(channel: Channel) -> tuple[_Lines, bool]:
    """Read belief and plausibility of the first answer; if lies prevail, of the second."""
    meanings = np.array(channel.meanings)
    belief = channel.matrix[:, meanings == 1].sum(axis=1)[::-1]
    plausibility = channel.matrix[:, (meanings & 1) == 1].sum(axis=1)[::-1]
    lines = _Lines(tuple(belief.tolist()), tuple(plausibility.tolist()))
    if lines.slope > 0:
        return lines, False
    mirrored = _Lines(tuple((1 - plausibility).tolist()), tuple((1 - belief).tolist()))
    if mirrored.slope > 0:
        return mirrored, True
    first, second = channel.frame.answers
    raise NotIdentified(
        "walley_interval",
        got="a vague report can make up for every difference between the answers",
        allowed="belief and plausibility that both rise, or both fall, with the answer",
        remedy=f"the reports cannot tell {first} from {second}",
    )


def _imbens_manski_quantile(lines: _Lines, frequency: float, n: float, level: float) -> float:
    """Solve Φ(c + Δ/σ) − Φ(−c) = level (Imbens & Manski, 2004, equation 7)."""
    z = normal_quantile(level)
    centre = (n * frequency + z * z / 2) / (n + z * z)
    width = lines.high(frequency) - lines.low(frequency)
    ratio = width * lines.slope / math.sqrt(centre * (1 - centre) / n)
    low, high = 0.0, z
    for _ in range(60):
        middle = (low + high) / 2
        covered = ndtr(middle + ratio) - ndtr(-middle)
        low, high = (middle, high) if covered < level else (low, middle)
    return high


def _wilson_ends(lines: _Lines, frequency: float, n: float, z: float) -> tuple[float, float]:
    low, high = wilson(np.array([frequency]), np.array([n]), z)
    return _clip_share(lines.low(float(low[0]))), _clip_share(lines.high(float(high[0])))


def _clip_share(share: float) -> float:
    return min(max(share, 0.0), 1.0)
