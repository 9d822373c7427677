"""Which answers are common for sure, and intervals that hold for all answers together."""

from dataclasses import dataclass, replace
from typing import Any, ClassVar, final

import numpy as np

from askance.chart import (
    Axis,
    Chart,
    MarkKind,
    Series,
    chart_frame,
    draw_result,
    rows_chart,
    zero_line,
)
from askance.inference.binomial_limits import clopper_pearson
from askance.inference.fit_result import GoodnessOfFit
from askance.inference.provenance import Computation
from askance.inference.shares.frequencies import Dependence, FrequencyEstimate, adjust_p_values
from askance.inference.shares.support_law import compute_by_count, counted_oftener
from askance.results import (
    Listing,
    counted,
    figure_rows,
    json_of,
    listed,
    normal_quantile,
    number,
    result_frame,
    result_stream,
)
from askance.typing import Booleans, Floats, Integers, Json
from askance_collect.arguments import checked
from askance_collect.errors import InputError

_ROWS_LISTED = 20


@final
@listed
@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class HeavyHitters:
    """The answers whose share is above a bar, at a false-discovery rate.

    Attributes
    ----------
    estimate : FrequencyEstimate
    threshold : float
        The bar: the share that is refused.
    false_discovery_rate : float
        What share of the answers found may be wrong on average.
    dependence : str
        What is assumed of the counts of different answers: ``"any"`` or ``"positive"``.
    p_values : array, shape (k,)
        How often a share at the bar would be named so often, or oftener.
    q_values : array, shape (k,)
        The least rate at which each answer is found.

    >>> from askance.inference import SupportLaw, find_heavy_hitters, estimate_supports
    >>> unary = SupportLaw(true_positive_rate="1/2", false_positive_rate="1/4")
    >>> estimate = estimate_supports([2600, 3400, 2490, 2740], 10_000, unary, labels=list("abcd"))
    >>> find_heavy_hitters(estimate).labels, find_heavy_hitters(estimate, threshold=0.2).labels
    (('b', 'd', 'a'), ('b',))
    """

    computation: ClassVar[Computation] = Computation.HEAVY_HITTERS
    estimate: FrequencyEstimate
    threshold: float
    false_discovery_rate: float
    dependence: Dependence
    p_values: Floats
    q_values: Floats

    @property
    def selected(self) -> Booleans:
        """Whether each answer's share is above the bar, shape (k,)."""
        return self.q_values <= self.false_discovery_rate

    @property
    def places(self) -> Integers:
        """The positions of the answers found, the most frequent first."""
        order = self.estimate.order()
        return order[self.selected[order]]

    @property
    def labels(self) -> tuple[str, ...]:
        """The answers found, the most frequent first."""
        return tuple(self.estimate.label(position) for position in self.places.tolist())

    @property
    def goodness_of_fit(self) -> GoodnessOfFit:
        """Whether the oracle can have sent these reports at all."""
        return self.estimate.goodness_of_fit

    def to_dict(self) -> Json:
        """Write the answers found for JSON, with their shares, and how they were found."""
        places = self.places
        document = {"value": self.estimate.value[places].tolist()}
        document |= {
            name: getattr(self, name)[places].tolist() for name in ("p_values", "q_values")
        }
        names = "labels threshold false_discovery_rate dependence"
        return json_of(self, names) | document | json_of(self, "goodness_of_fit")

    def _frame(self) -> dict[str, Any]:
        columns = (self.estimate.value, self.estimate.lower, self.estimate.upper)
        names = ("value", "lower", "upper")
        answers = [self.estimate.label(position) for position in range(len(self.estimate))]
        own = {"q_value": self.q_values, "found": self.selected}
        return {"answer": answers} | dict(zip(names, columns, strict=True)) | own

    def _table(self) -> Listing:
        head = ["answer", "share", "lower", "upper", "q-value", "found"]
        order, is_found = self.estimate.order()[:_ROWS_LISTED], self.selected
        columns = (self.estimate.value, self.estimate.lower, self.estimate.upper, self.q_values)
        rows = [
            [
                self.estimate.label(position),
                *(number(float(column[position])) for column in columns),
                "yes" if is_found[position] else "below the noise",
            ]
            for position in order.tolist()
        ]
        total, some = len(self.estimate), int(is_found.sum())
        assumed = {"any": "however counts depend", "positive": "if counts depend positively"}
        notes = [
            f"found: {some:,} of {total:,} answers; on average at most "
            f"{100 * self.false_discovery_rate:g} % of these are wrong, {assumed[self.dependence]}",
            f"below the noise: {counted(total - some, 'answer')}",
            *self.goodness_of_fit.misfit,
        ]
        return f"answers with a share above {self.threshold:g}", head, rows, notes

    def _chart(self) -> Chart:
        """Describe the 20 most frequent answers, the bar, and which of them are above it."""
        chart = self.estimate._chart()
        intervals = chart.series[0]
        is_selected = self.selected[self.estimate.order()[:_ROWS_LISTED]]
        selected = Series(
            mark=MarkKind.POINT,
            label="selected",
            names=tuple(np.array(intervals.names, dtype=object)[is_selected]),
            value=intervals.value[is_selected],
            continues=True,
        )
        bar = Series(
            mark=MarkKind.RULE, label="threshold", x=np.array([self.threshold]), is_reference=True
        )
        return replace(chart, series=(intervals, selected, bar))

    plot = draw_result
    plot_data = chart_frame
    to_frame = result_frame
    __arrow_c_stream__ = result_stream


@checked
def find_heavy_hitters(
    estimate: FrequencyEstimate,
    *,
    threshold: float = 0.0,
    false_discovery_rate: float = 0.05,
    dependence: Dependence = "any",
) -> HeavyHitters:
    r"""Heavy hitters at a false-discovery rate: the answers whose share is above a bar.

    The p-value of an answer is the binomial chance of c reports or more that name it, where its
    share is at the bar; it is exact. Sorted, the p-values up to the last with

    .. math:: p_{(i)} \le \frac{i}{k\,h} \, \alpha, \qquad h = 1 + \tfrac12 + \ldots + \tfrac1k
              \text{ under any dependence, } 1 \text{ under positive regression dependence}

    are found, and of what is found at most α is wrong on average. Answers that keep each other out
    of a report, as those of k-ary response do, depend negatively, for which h = 1 is not proven:
    only reports that name each answer by a toss of its own come near it.

    Parameters
    ----------
    estimate : FrequencyEstimate
        By any method: tested are the counts; of a sample those of as many people drawn alike.
    threshold : float
        The bar, in [0, 1).
    false_discovery_rate : float
        α, in (0, 1).
    dependence : str

    Raises
    ------
    InputError
        If there is no report, or the bar or the rate are outside their range.

    References
    ----------
    Benjamini & Hochberg (1995), equation (1), for positive dependence; Benjamini & Yekutieli
    (2001), Theorem 1.3, for any.

    >>> from askance.inference import SupportLaw, estimate_supports
    >>> unary = SupportLaw(true_positive_rate="1/2", false_positive_rate="1/4")
    >>> estimate = estimate_supports([2600, 3400, 2490, 2740], 10_000, unary, labels=list("abcd"))
    >>> find_heavy_hitters(estimate)
    answers with a share above 0
    answer   share     lower    upper    q-value            found
    b         0.36    0.3231   0.3974  4.783e-89              yes
    d        0.096   0.06139   0.1313  9.021e-08              yes
    a         0.04  0.005985  0.07475     0.0306              yes
    c       -0.004         0  0.03433          1  below the noise
    found: 3 of 4 answers; on average at most 5 % of these are wrong, however counts depend
    below the noise: 1 answer
    """
    if not 0 <= threshold < 1:
        raise InputError("threshold", got=threshold, allowed="a share in [0, 1)")
    if not 0 < false_discovery_rate < 1:
        raise InputError(
            "false_discovery_rate",
            got=false_discovery_rate,
            allowed="a number strictly between 0 and 1",
        )
    if not estimate.reports:
        raise InputError("estimate", got="no report", allowed="one report or more")
    p_values = counted_oftener(*estimate.counted(), float(estimate.law.named(threshold)))
    return HeavyHitters(
        estimate=estimate,
        threshold=threshold,
        false_discovery_rate=false_discovery_rate,
        dependence=dependence,
        p_values=p_values,
        q_values=adjust_p_values(p_values, dependence),
    )


@final
@listed
@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class SimultaneousIntervals:
    """Intervals that hold the shares of all answers together.

    Attributes
    ----------
    estimate : FrequencyEstimate
    lower, upper : array, shape (k,)
        Inside [0, 1] and never empty.
    level : float
        How often all k intervals hold their shares, at least.

    >>> from askance.inference import SupportLaw, estimate_supports, simultaneous_frequencies
    >>> plain = SupportLaw(true_positive_rate=1, false_positive_rate=0)
    >>> ends = simultaneous_frequencies(estimate_supports([0, 10], 10, plain), 0.9)
    >>> ends.upper.round(6).tolist()  # 1 − .025^.1, where one share alone has 1 − .05^.1
    [0.308497, 1.0]
    """

    computation: ClassVar[Computation] = Computation.SIMULTANEOUS_INTERVALS
    estimate: FrequencyEstimate
    lower: Floats
    upper: Floats
    level: float

    @property
    def goodness_of_fit(self) -> GoodnessOfFit:
        """Whether the oracle can have sent these reports at all."""
        return self.estimate.goodness_of_fit

    def to_dict(self) -> Json:
        """Write the intervals for JSON."""
        labels = {"labels": self.estimate.to_dict()["labels"]}
        return labels | json_of(self, "lower upper level goodness_of_fit")

    def _frame(self) -> dict[str, Any]:
        answers = [self.estimate.label(position) for position in range(len(self.estimate))]
        columns = {"value": self.estimate.value, "lower": self.lower, "upper": self.upper}
        return {"answer": answers} | columns

    def _table(self) -> Listing:
        head = ["answer", "share", f"{100 * self.level:g} % from", "to"]
        order = self.estimate.order()[:_ROWS_LISTED]
        labels = [self.estimate.label(position) for position in order.tolist()]
        rows = figure_rows(labels, self.estimate.value[order], self.lower[order], self.upper[order])
        total = len(self.estimate)
        notes = [f"all {total:,} intervals hold together, at least {100 * self.level:g} % of times"]
        if total > _ROWS_LISTED:
            notes.append(f"the commonest {_ROWS_LISTED} are shown")
        notes += self.goodness_of_fit.misfit
        return "share of each answer, all together", head, rows, notes

    def _chart(self) -> Chart:
        """Describe the 20 most frequent answers with their intervals, the commonest on top."""
        order = self.estimate.order()[:_ROWS_LISTED]
        return rows_chart(
            [self.estimate.label(position) for position in order.tolist()],
            self.estimate.value[order],
            (self.lower[order], self.upper[order]),
            level=self.level,
            x=Axis(name="share", label="share of each answer, all together"),
            y="answer",
            after=(zero_line(),),
        )

    plot = draw_result
    plot_data = chart_frame
    to_frame = result_frame
    __arrow_c_stream__ = result_stream


@checked
def simultaneous_frequencies(
    estimate: FrequencyEstimate, level: float = 0.95
) -> SimultaneousIntervals:
    r"""Simultaneous confidence intervals for all shares: exact binomial ones, by Bonferroni.

    .. math:: P(\text{any of } k \text{ misses}) \le \sum_a \frac{\alpha}{k} = \alpha

    with Clopper & Pearson's (1934) interval of each support count at 1 − α/k, mapped to shares.
    They hold for any number of reports and however the counts depend: no normal law is used, which
    so far out in the tails would not do. Where c/n lies outside [q, p] they also hold what the
    nearest of these would give.

    Parameters
    ----------
    estimate : FrequencyEstimate
        By any method: the intervals are those of the counts; of a sample those of as many people
        drawn alike.
    level : float

    Raises
    ------
    InputError
        If the level is not in (0, 1).

    >>> from askance.inference import SupportLaw, estimate_supports
    >>> unary = SupportLaw(true_positive_rate="1/2", false_positive_rate="1/4")
    >>> estimate = estimate_supports([2600, 3400, 2490, 2740], 10_000, unary, labels=list("abcd"))
    >>> simultaneous_frequencies(estimate)
    share of each answer, all together
    answer   share  95 % from       to
    b         0.36     0.3128   0.4078
    d        0.096    0.05166   0.1412
    a         0.04          0  0.08445
    c       -0.004          0  0.04391
    all 4 intervals hold together, at least 95 % of times
    """
    normal_quantile(level)
    law, (counts, n), k = estimate.law, estimate.counted(), len(estimate)
    tail = (1 - level) / (2 * k)
    low, high = compute_by_count(counts, n, lambda count, size: clopper_pearson(count, size, tail))
    true_positive_rate = float(law.true_positive_rate)
    false_positive_rate = float(law.false_positive_rate)
    frequency = counts / np.where(n > 0, n, 1)
    trials = n[:1] if (n == n[0]).all() else n
    nearest = [
        clopper_pearson(trials * edge, trials, tail)
        for edge in (false_positive_rate, true_positive_rate)
    ]
    low = np.where(frequency > true_positive_rate, np.minimum(low, nearest[1][0]), low)
    high = np.where(frequency < false_positive_rate, np.maximum(high, nearest[0][1]), high)
    return SimultaneousIntervals(
        estimate=estimate,
        lower=law.share(low).clip(0, 1),
        upper=law.share(high).clip(0, 1),
        level=level,
    )
