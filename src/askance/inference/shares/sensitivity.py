"""How an estimate depends on how many people do not comply: the strip of a sensitivity analysis."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import ClassVar, final

import numpy as np

from askance.channels.grouped_tally import GroupedTally, counts_by_group
from askance.channels.tally import Tally, of_arrays, sums_of
from askance.chart import (
    SHARE,
    Axis,
    Chart,
    MarkKind,
    Series,
    chart_frame,
    draw_result,
    sets_chart,
)
from askance.inference.fit_result import GoodnessOfFit, Untested
from askance.inference.frequency_tests import fit_of_groups
from askance.inference.goodness_of_fit import goodness_of_fit
from askance.inference.maximisation import maximise_mixture, mixture
from askance.inference.provenance import Computation
from askance.inference.shares.compliance import Noncompliers, dilute_channel
from askance.inference.shares.partial import TallyMaximum, Wanted, given_speaking, partial_estimates
from askance.inference.shares.sampled_law import SampledLaw
from askance.inference.shares.share_intervals import frequent, informative
from askance.results import (
    Cell,
    Cells,
    Listing,
    cells_of,
    counted,
    figure_rows,
    json_of,
    listed,
    normal_quantile,
    number,
    result_frame,
    result_stream,
)
from askance.typing import Floats, Json
from askance_collect.arguments import checked
from askance_collect.errors import InputError
from askance_collect.exact.ratio import chance, read_integer, read_ratio

_TOLERANCE = 1e-12  # the gap, per report, at which a maximum counts as certified

_SLACK = 1e-7  # of a frequency: what linear programmes round


@final
@listed
@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class ContaminationBounds:
    """Bounds on each share when up to a stated share of the reports is false.

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
        rows = figure_rows(self.labels, self.low, self.high, self.lower, self.upper)
        title = f"share of each answer if up to {100 * self.false_share:g} % of reports are false"
        least = f"{100 * self.min_false_share:.3g} %"
        notes = [f"{counted(self.reports, 'report')}; at least {least} seem to be false"]
        return title, ["answer", "from", "to", f"{percent} from", "to"], rows, notes

    def _chart(self) -> Chart:
        """Describe the identified sets as boxes, and the intervals around them as lines."""
        label = f"share, if up to {100 * self.false_share:g} % of reports are false"
        x = Axis(name="share", label=label, limits=(0, 1))
        fitting, ends = (self.low, self.high), (self.lower, self.upper)
        return sets_chart(self.labels, fitting, ends, level=self.level, x=x)

    plot = draw_result
    plot_data = chart_frame
    to_frame = result_frame
    __arrow_c_stream__ = result_stream


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

    >>> from askance.channels.channel import Channel
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

    >>> from askance.channels.channel import Channel
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


@final
@listed
@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class Sensitivity:
    """The share of each answer among all people, by how many of them do not comply.

    Attributes
    ----------
    labels : tuple of str
        The k answers.
    kind : str
        What those who do not comply do.
    noncompliant_share : array, shape (s,)
        The share of people who do not comply, from 0.
    low, high : array, shape (s, k)
        The identified set of each share, estimated; of the most likely frequencies where those
        received are further out than any people could send them.
    lower, upper : array, shape (s, k)
        Ends of the interval that holds the whole identified set.
    level : float
    reports : int
    goodness_of_fit : GoodnessOfFit
        Whether the channel can have sent these reports at all, if everybody complies.

    >>> import askance as ak
    >>> q = ak.Warner(truth="3/4").channel(ak.Frame(["yes", "no"]))
    >>> t = ak.Tally(q, {"yes": 400, "no": 600})
    >>> strip = ak.inference.sensitivity(t, most="1/10", steps=1)  # whatever they report
    >>> strip.low[:, 0].round(3).tolist(), strip.high[:, 0].round(3).tolist()
    ([0.3, 0.15], [0.3, 0.45])
    """

    computation: ClassVar[Computation] = Computation.SENSITIVITY
    labels: tuple[str, ...]
    kind: str
    noncompliant_share: Floats
    low: Floats
    high: Floats
    lower: Floats
    upper: Floats
    level: float
    reports: int
    goodness_of_fit: GoodnessOfFit

    def columns(self) -> Cells:
        """The head of a table, and its rows, numbers as they are."""
        head = ["noncompliant", "answer", "low", "high", "lower", "upper"]
        rows: list[list[Cell]] = []
        for of, label in enumerate(self.labels):
            ends = (bound[:, of] for bound in (self.low, self.high, self.lower, self.upper))
            cells = cells_of([label] * len(self.noncompliant_share), *ends)
            rows += [
                [float(c), *row] for c, row in zip(self.noncompliant_share, cells, strict=True)
            ]
        return head, rows

    def to_dict(self) -> Json:
        """Write the strip for JSON."""
        return json_of(self, keys={"noncompliant_share": "noncompliant"}) | {
            "goodness_of_fit": self.goodness_of_fit.to_dict()
        }

    def _table(self) -> Listing:
        percent = f"{100 * self.level:g} %"
        columns = self.low, self.high, self.lower, self.upper
        answers = range(1 if len(self.labels) == 2 else len(self.labels))
        rows = [
            [
                f"{100 * share:.4g} %",
                self.labels[of],
                *(number(float(column[i, of])) for column in columns),
            ]
            for of in answers
            for i, share in enumerate(self.noncompliant_share)
        ]
        title = f"share of each answer, by how many {self.kind}"
        head = ["do not comply", "answer", "from", "to", f"{percent} from", "to"]
        return (
            title,
            head,
            rows,
            [counted(self.reports, "report"), *self.goodness_of_fit.misfit],
        )

    def _chart(self) -> Chart:
        """Describe each answer's share, or its bounds, as a strip with its interval around it.

        Of two answers the first alone is drawn. Between steps lines are straight: take many.
        """
        series: list[Series] = []
        for of in range(1 if len(self.labels) == 2 else len(self.labels)):
            low, high = self.low[:, of], self.high[:, of]
            is_point = np.allclose(low, high, equal_nan=True)
            share = Series(
                mark=MarkKind.LINE if is_point else MarkKind.BAND,
                label=self.labels[of] if is_point else f"{self.labels[of]}, all that fits",
                x=self.noncompliant_share,
                value=low if is_point else np.zeros(0),
                low=np.zeros(0) if is_point else low,
                high=np.zeros(0) if is_point else high,
            )
            series.append(share)
            series.append(
                Series(
                    mark=MarkKind.BAND,
                    label=f"{100 * self.level:g} % interval" if not of else "",
                    x=self.noncompliant_share,
                    low=self.lower[:, of],
                    high=self.upper[:, of],
                    continues=True,
                )
            )
        x = Axis(name="noncompliant share", label=f"share of people who {self.kind}")
        return Chart(series=tuple(series), x=x, y=SHARE)

    plot = draw_result
    plot_data = chart_frame
    to_frame = result_frame
    __arrow_c_stream__ = result_stream


_ANYTHING = "report anything"
_STEPS = "a whole number in [1, 200]"


@checked
def sensitivity(
    tally: Tally | GroupedTally,
    noncompliers: Noncompliers | None = None,
    *,
    most: object = "1/5",
    steps: int = 4,
    level: float = 0.95,
) -> Sensitivity:
    r"""Sensitivity analysis: shares of the answers as a function of how many do not comply.

    If a share c of the people are of a kind with reports r, reports come with the chances

    .. math:: (1 - c) \sum_i \rho_i\, q_{ij} + c\, r_j

    with ρ the shares of the answers among those who comply, estimated as by `estimate_sets`. Among
    all people the share of an answer is (1 − c)ρ and what it is among the others: none or all of
    them where their true answers are open, ρ where they are alike. Without a kind others report
    whatever they like, and c is the share of false reports in `contamination_bounds`.

    Parameters
    ----------
    tally : Tally or GroupedTally
        Also with sampling weights, or of a complex sample; of one group where no kind is given.
    noncompliers : Noncompliers, optional
        What those who do not comply do.
    most : chance
        The largest share, below 1.
    steps : int
        How many equal steps lead to it from 0.
    level : float
        Of the interval at each share by itself.

    Raises
    ------
    InputError
        If the largest share is not in (0, 1), the steps are no whole number in [1, 200], groups are
        given without a kind, or as in `estimate_compliance`.
    NotIdentified
        Without a kind, if the reports cannot tell some answers apart.

    >>> import askance as ak
    >>> q = ak.Warner(truth="3/4").channel(ak.Frame(["yes", "no"]))
    >>> t = ak.Tally(q, {"yes": 400, "no": 600})
    >>> sensitivity(t, ak.inference.stochastic_lie_detector(), most="1/10", steps=2)
    share of each answer, by how many deny
    do not comply  answer   from     to  95 % from      to
    0 %               yes    0.3    0.3     0.2398  0.3612
    5 %               yes  0.375  0.375     0.3148  0.4362
    10 %              yes   0.45   0.45     0.3898  0.5112
    1,000 reports
    """
    last = chance(most, "sensitivity.most")
    count = read_integer(steps, "sensitivity.steps", _STEPS, 1, 200)
    if not 0 < last < 1:
        raise InputError("sensitivity.most", got=most, allowed="a share in (0, 1)")
    shares = [last * step / count for step in range(count + 1)]
    if noncompliers is None:
        if isinstance(tally, GroupedTally):
            raise InputError(
                "sensitivity.noncompliers",
                got="none, for groups",
                allowed="a kind of people, or the tally of one group",
            )
        strip = [_bound_any_reports(tally, share, level) for share in shares]
    else:
        strip = [_bound_by_kind(tally, noncompliers, float(share), level) for share in shares]
    low, high, lower, upper = np.array(strip).transpose(1, 0, 2)
    frame = tally.frame if isinstance(tally, GroupedTally) else tally.channel.frame
    return Sensitivity(
        labels=frame.answers,
        kind=_ANYTHING if noncompliers is None else noncompliers.name,
        noncompliant_share=np.array([float(share) for share in shares]),
        low=low,
        high=high,
        lower=lower,
        upper=upper,
        level=level,
        reports=tally.total,
        goodness_of_fit=goodness_of_fit(tally),
    )


def _bound_any_reports(tally: Tally, share: Fraction, level: float) -> Floats:
    """The share of each answer among all, if others report whatever they like."""
    if not share or not tally.total:
        return _bound_compliers(tally, level)
    bounds = contamination_bounds(tally, share, level)
    c = float(share)
    honest = (bounds.low, bounds.high, bounds.lower, bounds.upper)
    if np.isnan(bounds.low).any():
        sharp, safe = nearest_bounds(tally, c, level)
        honest = (*sharp, *safe)
    return np.array([(1 - c) * bound + c * (i % 2) for i, bound in enumerate(honest)])


def _bound_by_kind(
    tally: Tally | GroupedTally, kind: Noncompliers, share: float, level: float
) -> Floats:
    """The share of each answer among all, if others do what their kind does."""
    if isinstance(tally, GroupedTally):
        parts = {name: _dilute_tally(part, kind, share) for name, part in tally.tallies.items()}
        diluted_tally = GroupedTally(parts, sample=tally.sample)
        honest, answers = _bound_compliers(diluted_tally, level), tally.frame.answers
    else:
        honest = _bound_compliers(_dilute_tally(tally, kind, share), level)
        answers = tally.channel.frame.answers
    if kind.independent_of_answer:
        return honest
    may = kind.answers or answers
    most = np.array([float(answer in may) for answer in answers])
    least = most if len(may) == 1 else np.zeros(len(answers))
    return (1 - share) * honest + share * np.array([least, most, least, most])


def _dilute_tally(tally: Tally, kind: Noncompliers, share: float) -> Tally:
    channel, sums = dilute_channel(tally.channel, kind, share), sums_of(tally)
    return of_arrays(channel, tally.counts, sums, tally.blanks, tally.sample)


def _bound_compliers(tally: Tally | GroupedTally, level: float) -> Floats:
    """The share of each answer among those who comply: identified sets and their intervals."""
    top = TallyMaximum.of(given_speaking(tally))
    k = len(top.shares)
    wanted = {
        str(i): Wanted(least=indicator, most=indicator, among=np.ones(k))
        for i, indicator in enumerate(np.eye(k))
    }
    untested = GoodnessOfFit(untested=Untested.NO_TEST)  # the strip has the test of all together
    (estimate,) = partial_estimates(top, {"share of each answer": wanted}, level, untested)
    return np.array([estimate.low, estimate.high, estimate.lower, estimate.upper])
