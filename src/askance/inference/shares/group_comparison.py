"""Randomly assigned groups compared: whether one set of shares fits all, and how far they differ.

A direct question beside a protected one tells how many deny when asked plainly; the same question
through two designs, whether either moves answers.
"""

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar, final

import numpy as np
from scipy.special import chdtrc, xlogy

from askance.channels.grouped_tally import GroupedTally
from askance.channels.tally import Tally
from askance.chart import Axis, Chart, chart_frame, draw_result, rows_chart
from askance.inference.fit_result import GoodnessOfFit
from askance.inference.provenance import Computation
from askance.inference.shares.estimate import estimate, influence
from askance.inference.shares.information import Estimate
from askance.inference.shares.overidentification import rao_scott_p_value
from askance.inference.shares.partial import TallyMaximum, given_speaking
from askance.inference.shares.sampled_law import tangent
from askance.results import (
    Cell,
    Cells,
    Listing,
    cells_of,
    group_count,
    group_estimate,
    group_items,
    group_names,
    json_of,
    kept_mapping,
    listed,
    normal_quantile,
    number,
    result_frame,
    result_stream,
)
from askance.typing import Floats, Json
from askance_collect.arguments import checked
from askance_collect.errors import InputError


@final
@listed
@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class GroupComparison:
    """Shares of randomly assigned groups, their differences, and the shares of all together.

    It is iterable as a mapping of groups to their estimates is.

    Attributes
    ----------
    groups : mapping of str to Estimate
        Of each group by itself.
    pooled : Estimate
        Of all groups, if shares are the same in each.
    labels : tuple of str
        The k answers.
    difference : array, shape (groups − 1, k)
        The share in each later group less that in the first.
    se, lower, upper : array, shape (groups − 1, k)
        Standard errors and ends of intervals of the differences.
    deviance : float
        Twice the log of the likelihood ratio of shares of their own against the same shares.
    df : int
        Its degrees of freedom, (groups − 1)(k − 1).
    level : float
    effects : array, shape (df,), or None
        Of a sample with weights or a sampling design: the design effects that the deviance is a
        mixture of.
    denominator_df : float
        Degrees of freedom of a complex sample; infinite otherwise.

    >>> import askance as ak
    >>> yn = ak.Frame(["yes", "no"])
    >>> tally = ak.channels.GroupedTally({
    ...     "plainly": ak.Tally(ak.KAry(truth="1").channel(yn), {"yes": 20, "no": 180}),
    ...     "coin": ak.Tally(ak.Warner(truth="3/4").channel(yn), {"yes": 400, "no": 600}),
    ... })
    >>> ak.inference.compare_groups(tally).pooled.value.round(3).tolist()
    [0.192, 0.808]
    """

    computation: ClassVar[Computation] = Computation.GROUP_COMPARISON
    groups: Mapping[str, Estimate]
    pooled: Estimate
    labels: tuple[str, ...]
    difference: Floats
    se: Floats
    lower: Floats
    upper: Floats
    deviance: float
    df: int
    level: float
    effects: Floats | None = None
    denominator_df: float = math.inf

    def __post_init__(self) -> None:
        object.__setattr__(self, "groups", kept_mapping(self.groups))

    @property
    def p_value(self) -> float:
        """The p-value of equal shares in all groups, by the deviance."""
        if self.effects is not None:
            return rao_scott_p_value(self.deviance, self.effects, self.denominator_df)
        return float(chdtrc(self.df, self.deviance))

    @property
    def goodness_of_fit(self) -> GoodnessOfFit:
        """Whether each group's channel can have sent its reports at all, as one family."""
        return self.pooled.goodness_of_fit

    def columns(self) -> Cells:
        """The head of a table, and its rows, numbers as they are."""
        first, *others = self.groups
        rows: list[list[Cell]] = []
        for name, fit in self._named_fits().items():
            rows += [[name, *row] for row in cells_of(self.labels, *_columns(fit))]
        columns = (self.difference, self.se, self.lower, self.upper)
        for i, name in enumerate(others):
            differences = cells_of(self.labels, *(column[i] for column in columns))
            rows += [[f"{name} − {first}", *row] for row in differences]
        return ["group", "answer", "share", "se", "lower", "upper"], rows

    def to_dict(self) -> Json:
        """Write the comparison for JSON."""
        names = "labels difference se lower upper deviance df p_value level"
        if self.effects is not None:
            names += " effects" + ("" if math.isinf(self.denominator_df) else " denominator_df")
        return json_of(self, f"groups pooled {names}")

    def _table(self) -> Listing:
        percent, (first, *others) = f"{100 * self.level:g} %", self.groups
        answers = range(1 if len(self.labels) == 2 else len(self.labels))
        rows = [
            [name, self.labels[of], *(number(float(column[of])) for column in _columns(fit))]
            for name, fit in self._named_fits().items()
            for of in answers
        ]
        columns = (self.difference, self.se, self.lower, self.upper)
        rows += [
            [
                f"{name} − {first}",
                self.labels[of],
                *(number(float(column[i, of])) for column in columns),
            ]
            for i, name in enumerate(others)
            for of in answers
        ]
        plural = "" if self.df == 1 else "s"
        notes = [
            f"the same shares in all groups: G² {number(self.deviance)} "
            f"(p {self.p_value:.3g}), {self.df} degree{plural} of freedom"
        ]
        if self.effects is not None:
            notes.append("weighted; p by F, for the design effects (Rao and Scott)")
        notes += self.goodness_of_fit.misfit
        head = ["group", "answer", "share", "se", f"{percent} from", "to"]
        return "share of each answer by group", head, rows, notes

    def _chart(self) -> Chart:
        """Describe the share of the first answer: a row for each group, and all at the foot."""
        fits = self._named_fits()
        value, _, lower, upper = np.array(
            [[column[0] for column in _columns(fit)] for fit in fits.values()]
        ).T
        axis = Axis(name="share", label=f"share of “{self.labels[0]}”", limits=(0, 1))
        return rows_chart(list(fits), value, (lower, upper), level=self.level, x=axis, y="group")

    def _named_fits(self) -> dict[str, Estimate]:
        """The estimates of all groups by their names, and of all together by another name."""
        pooled = "all"
        while pooled in self.groups:
            pooled += " groups"
        return {**self.groups, pooled: self.pooled}

    def _by_group(self) -> Mapping[str, Estimate]:
        return self.groups

    __iter__ = group_names
    __len__ = group_count
    __getitem__ = group_estimate
    items = group_items
    plot = draw_result
    plot_data = chart_frame
    to_frame = result_frame
    __arrow_c_stream__ = result_stream


def _columns(fit: Estimate) -> tuple[Floats, Floats, Floats, Floats]:
    return fit.value, fit.se, fit.lower, fit.upper


@checked
def compare_groups(tally: GroupedTally, level: float = 0.95) -> GroupComparison:
    r"""Compare shares between randomly assigned groups, and pool them: a direct arm, two designs.

    Shares that are the same in all groups are tested by the likelihood ratio

    .. math:: G^2 = 2 \Bigl(\sum_g \max_\pi \ell_g(\pi) - \max_\pi \sum_g \ell_g(\pi)\Bigr)

    with (groups − 1)(k − 1) degrees of freedom; where shares are estimated as 0 or 1 it is
    cautious. The interval of a difference :math:`\hat\pi_2 - \hat\pi_1` squares and adds the arms
    of the two intervals, so that it behaves near 0 as they do:

    .. math:: \text{lower} = \hat\pi_2 - \hat\pi_1
        - \sqrt{(\hat\pi_2 - l_2)^2 + (u_1 - \hat\pi_1)^2}

    and the upper end likewise. To pool only where a test finds nothing makes intervals too short:
    decide before.

    With sampling weights the likelihood is that of the weighted frequencies, and G² a mixture of
    χ², whose weights are its design effects: F takes the place of χ² (Rao & Scott, 1984). Groups of
    one complex sample share clusters, so that their shares go together, with correlation r say; its
    interval is less the product of both arms,

    .. math:: \sqrt{a_2^2 + a_1^2 - 2 r\, a_2 a_1}

    with the arms of the intervals of `estimate`, Student's of the sample (Zou & Donner, 2008).

    Parameters
    ----------
    tally : GroupedTally
        Of two groups or more with reports. Also with sampling weights, or of a complex sample
        (`tally_groups`).
    level : float

    Raises
    ------
    InputError
        If there is one group, or one without a report that counts.
    NotIdentified
        If the reports of some group cannot tell some answers apart.

    References
    ----------
    Newcombe (1998), method 10, for plain answers; Zou & Donner (2008) for those that go together;
    Rao & Scott (1984).

    >>> import askance as ak
    >>> yn = ak.Frame(["yes", "no"])
    >>> tally = ak.channels.GroupedTally({
    ...     "plainly": ak.Tally(ak.KAry(truth="1").channel(yn), {"yes": 20, "no": 180}),
    ...     "coin": ak.Tally(ak.Warner(truth="3/4").channel(yn), {"yes": 400, "no": 600}),
    ... })
    >>> compare_groups(tally)
    share of each answer by group
    group           answer   share       se  95 % from      to
    plainly            yes     0.1  0.02121    0.06567  0.1494
    coin               yes     0.3  0.03098     0.2401  0.3614
    all                yes  0.1924  0.02235     0.1458  0.2412
    coin − plainly     yes     0.2  0.03755     0.1224  0.2703
    the same shares in all groups: G² 25.33 (p 4.82e-07), 1 degree of freedom
    """
    normal_quantile(level)
    parts = tally.parts
    empty = [name for name, part in parts.items() if not _has_reports(part)]
    if len(parts) < 2 or empty:
        raise InputError(
            "compare_groups.tally",
            got=f"no report of {empty[0]!r}" if empty else "one group",
            allowed="two groups or more, each with reports",
        )
    spoken = given_speaking(tally)
    top = TallyMaximum.of(spoken)
    groups = {name: estimate(part, level) for name, part in parts.items()}
    first, *others = groups.values()
    shared = _shared_covariance(tally, parts, groups)
    value = np.array([other.value - first.value for other in others])
    variance = np.array([other.se**2 + first.se**2 for other in others]) - 2 * shared
    below, above = _interval_arms(first, others, shared)
    return GroupComparison(
        groups=groups,
        pooled=estimate(tally, level),
        labels=tally.frame.answers,
        difference=value,
        se=np.sqrt(variance.clip(0)),
        lower=np.maximum(value - below, -1.0),
        upper=np.minimum(value + above, 1.0),
        deviance=_deviance(spoken, top),
        df=(len(parts) - 1) * (len(tally.frame) - 1),
        level=level,
        effects=None if top.law is None else _design_effects(spoken, top),
        denominator_df=math.inf if top.law is None else top.law.df,
    )


def _has_reports(tally: Tally) -> bool:
    """Whether there is a report that counts."""
    return bool(tally.total) and (tally.weights is None or bool(tally.weights.any()))


def _shared_covariance(
    tally: GroupedTally, parts: Mapping[str, Tally], groups: Mapping[str, Estimate]
) -> Floats:
    """Covariance of each later group's shares with the first one's, shape (groups − 1, k)."""
    covariance, sample = np.zeros((len(parts) - 1, len(tally.frame))), tally.sample
    if sample is None:
        return covariance
    own = [np.flatnonzero(tally.group == group) for group in range(len(parts))]
    first, *slopes = [influence(part, groups[name].value) for name, part in parts.items()]
    for group, slope in enumerate(slopes):
        between = sample.covariance[np.ix_(own[group + 1], own[0])]
        covariance[group] = np.einsum("ja,jl,la->a", slope, between, first)
    return covariance


def _interval_arms(
    first: Estimate, others: list[Estimate], shared: Floats
) -> tuple[Floats, Floats]:
    """How far the interval of each difference reaches below and above it."""
    size = np.array([other.se * first.se for other in others])
    is_known = np.isfinite(size) & (size > 0)
    together = np.divide(shared, size, out=np.zeros_like(shared), where=is_known).clip(-1, 1)

    def squared(own: list[Floats], other: Floats) -> Floats:
        arms = np.array(own)
        squares = arms**2 + other**2 - 2 * together * arms * other
        return np.asarray(np.sqrt(squares.clip(0)), dtype=np.float64)

    below = squared([other.value - other.lower for other in others], first.upper - first.value)
    above = squared([other.upper - other.value for other in others], first.value - first.lower)
    return below, above


def _deviance(tally: GroupedTally, top: TallyMaximum) -> float:
    """Twice the log of the likelihood ratio, given how many are in each group."""
    sizes = np.bincount(tally.group, top.counts)
    same = xlogy(top.counts, top.chance).sum() - xlogy(sizes, sizes / sizes.sum()).sum()
    own = 0.0
    for group, part in enumerate(tally.tallies.values()):
        own += float(xlogy(top.counts[tally.group == group], TallyMaximum.of(part).chance).sum())
    return max(2 * (own - float(same)), 0.0)


def _design_effects(tally: GroupedTally, top: TallyMaximum) -> Floats:
    """Design effects for the test of equal shares in all groups."""
    assert top.law is not None
    inside = tally.group[:, None] == np.arange(len(tally.tallies))
    sizes = np.where(inside, top.chance[:, None], 0.0)
    wide = [
        tangent(np.where(inside[:, [group]], top.rows, 0.0)) for group in range(inside.shape[1])
    ]
    fitted = np.concatenate([tangent(top.rows), sizes], axis=1)
    often = top.law.spoken(top.chance, top.speaks, tally.group)
    scaled = (part * often[:, None] for part in (fitted, np.concatenate(wide, axis=1)))
    return top.law.effects(top.chance * often, *scaled)
