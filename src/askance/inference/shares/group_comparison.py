"""Randomly assigned groups compared: whether one set of shares fits all, and how far they differ.

A direct question beside a protected one tells how many deny when asked plainly; the same question
through two designs, whether either moves answers.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, final

import numpy as np
from scipy.special import chdtrc, xlogy

from askance.arguments import checked
from askance.channels.grouped_tally import GroupedTally
from askance.channels.tally import refuse_weights
from askance.errors import InputError
from askance.inference.shares.estimate import estimate
from askance.inference.shares.information import Estimate
from askance.inference.shares.partial import Top
from askance.results import (
    Listing,
    interval_rows,
    json_of,
    keep_read_only,
    kept_mapping,
    listed,
    normal_quantile,
    number,
)
from askance.typing import Floats, Json


@final
@listed
@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class GroupComparison:
    """Shares of randomly assigned groups, their differences, and the shares of all together.

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
    freedom : int
        Its degrees of freedom, (groups − 1)(k − 1).
    level : float

    >>> import askance as ak
    >>> yn = ak.Frame(["yes", "no"])
    >>> asked = ak.channels.GroupedTally({
    ...     "plainly": ak.Tally(ak.KAry(truth="1").channel(yn), {"yes": 20, "no": 180}),
    ...     "coin": ak.Tally(ak.Warner(truth="3/4").channel(yn), {"yes": 400, "no": 600}),
    ... })
    >>> ak.inference.compare_groups(asked).pooled.value.round(3).tolist()
    [0.192, 0.808]
    """

    groups: Mapping[str, Estimate]
    pooled: Estimate
    labels: tuple[str, ...]
    difference: Floats
    se: Floats
    lower: Floats
    upper: Floats
    deviance: float
    freedom: int
    level: float

    def __post_init__(self) -> None:
        object.__setattr__(self, "groups", kept_mapping(self.groups))
        keep_read_only(self, "difference se lower upper")

    @property
    def p_value(self) -> float:
        """How often the deviance would be as large if shares were the same in all groups."""
        return float(chdtrc(self.freedom, self.deviance))

    def to_dict(self) -> Json:
        """Write the comparison for JSON."""
        told = json_of(self, "labels difference se lower upper deviance freedom p_value level")
        groups = {name: one.to_dict() for name, one in self.groups.items()}
        return {"groups": groups, "pooled": self.pooled.to_dict()} | told

    def _table(self) -> Listing:
        percent, (first, *others) = f"{100 * self.level:g} %", self.groups
        answers = range(1 if len(self.labels) == 2 else len(self.labels))
        named = {**self.groups, "all": self.pooled}
        rows = [
            [name, self.labels[of], *(number(float(one[of])) for one in _columns(told))]
            for name, told in named.items()
            for of in answers
        ]
        columns = (self.difference, self.se, self.lower, self.upper)
        rows += [
            [f"{name} − {first}", self.labels[of], *(number(float(one[at, of])) for one in columns)]
            for at, name in enumerate(others)
            for of in answers
        ]
        plural = "" if self.freedom == 1 else "s"
        notes = [
            f"the same shares in all groups: G² {number(self.deviance)} "
            f"(p {self.p_value:.3g}), {self.freedom} degree{plural} of freedom"
        ]
        head = ["group", "answer", "share", "se", f"{percent} from", "to"]
        return "share of each answer by group", head, rows, notes

    def plot(self, ax: Any = None) -> Any:
        """Draw a dot plot of the first answer: a row a group, and all together at the foot.

        Raises
        ------
        MissingExtra
            If no axes are given and matplotlib is not installed.
        """
        told = [*self.groups.values(), self.pooled]
        value, _, lower, upper = np.array([[each[0] for each in _columns(one)] for one in told]).T
        xlabel = f"share of “{self.labels[0]}”, {100 * self.level:g} % interval"
        ax, _ = interval_rows(ax, [*self.groups, "all"], value, (lower, upper), xlabel)
        ax.set_ylim(len(told) - 0.5, -0.5)
        ax.set_xlim(0, 1)
        return ax


def _columns(told: Estimate) -> tuple[Floats, Floats, Floats, Floats]:
    return told.value, told.se, told.lower, told.upper


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

    Parameters
    ----------
    tally : GroupedTally
        Of two groups or more with reports, without sampling weights.
    level : float

    Raises
    ------
    InputError
        If there is one group, one without a report, or there are sampling weights.
    NotIdentified
        If the reports of some group cannot tell some answers apart.

    References
    ----------
    Newcombe (1998), method 10, for plain answers.

    >>> import askance as ak
    >>> yn = ak.Frame(["yes", "no"])
    >>> asked = ak.channels.GroupedTally({
    ...     "plainly": ak.Tally(ak.KAry(truth="1").channel(yn), {"yes": 20, "no": 180}),
    ...     "coin": ak.Tally(ak.Warner(truth="3/4").channel(yn), {"yes": 400, "no": 600}),
    ... })
    >>> compare_groups(asked)
    share of each answer by group
    group           answer   share       se  95 % from      to
    plainly            yes     0.1  0.02121    0.06567  0.1494
    coin               yes     0.3  0.03098     0.2401  0.3614
    all                yes  0.1924  0.02045     0.1458  0.2412
    coin − plainly     yes     0.2  0.03755     0.1224  0.2703
    the same shares in all groups: G² 25.33 (p 4.82e-07), 1 degree of freedom
    """
    normal_quantile(level)
    refuse_weights(tally.stacked)
    parts = tally.tallies
    empty = [name for name, one in parts.items() if not one.total]
    if len(parts) < 2 or empty:
        raise InputError(
            "compare_groups.tally",
            got=f"no report of {empty[0]!r}" if empty else "one group",
            allowed="two groups or more, each with reports",
        )
    deviance = 2 * (sum(map(_log_likelihood, map(Top.of, parts.values()))) - _joint(tally))
    groups = {name: estimate(one, level) for name, one in parts.items()}
    first, *others = groups.values()
    value = np.array([one.value - first.value for one in others])
    below = [np.hypot(one.value - one.lower, first.upper - first.value) for one in others]
    above = [np.hypot(one.upper - one.value, first.value - first.lower) for one in others]
    return GroupComparison(
        groups=groups,
        pooled=estimate(tally, level),
        labels=tally.frame.answers,
        difference=value,
        se=np.array([np.hypot(one.se, first.se) for one in others]),
        lower=np.maximum(value - np.array(below), -1.0),
        upper=np.minimum(value + np.array(above), 1.0),
        deviance=max(float(deviance), 0.0),
        freedom=(len(parts) - 1) * (len(tally.frame) - 1),
        level=level,
    )


def _log_likelihood(top: Top) -> float:
    return float(xlogy(top.counts, top.chance).sum())


def _joint(tally: GroupedTally) -> float:
    """The log-likelihood of the same shares in all groups, given how many are in each."""
    sizes = np.array([one.total for one in tally.tallies.values()], dtype=np.float64)
    return _log_likelihood(Top.of(tally)) - float(xlogy(sizes, sizes / sizes.sum()).sum())
