"""Shares in many small groups, each of which borrows from all: small area estimation.

A share of few protected reports is a poor guide to its group: 0 % and 100 % are usual. Groups are
taken as drawn from a population of groups, whose spread the reports of all tell. That spread is not
known but estimated, and what is said of each group allows for it.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, final

import numpy as np

from askance.arguments import checked
from askance.channels.tally import Tally, refuse_weights
from askance.errors import InputError
from askance.inference.shares.group_population import Population, most_likely
from askance.inference.shares.share_intervals import informative
from askance.inference.shares.share_likelihood import ShareLikelihood
from askance.results import (
    Listing,
    axes,
    json_of,
    keep_read_only,
    listed,
    normal_quantile,
    number,
)
from askance.typing import Floats, Integers, Json


@final
@listed
@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class SmallAreaEstimates:
    """The share of each answer in each group, partially pooled.

    Attributes
    ----------
    groups : tuple of str
    labels : tuple of str
        The k answers.
    value : array, shape (groups, k)
        Posterior means, never 0 or 1.
    se : array, shape (groups, k)
        Posterior standard deviations, of both kinds: what the reports leave open, and what they
        leave open of the spread between groups.
    lower, upper : array, shape (groups, k)
        Ends of the interval with equal tails.
    direct : array, shape (groups, k)
        The most likely shares of each group by itself, for comparison; not a number of a group
        without a report.
    reports : array of int, shape (groups,)
    mean : array, shape (k,)
        The estimated mean of the population of groups.
    between : array, shape (k,)
        The estimated standard deviation of the true shares between groups.
    level : float

    >>> import askance as ak
    >>> q = ak.Warner(truth="3/4").channel(ak.Frame(["yes", "no"]))
    >>> yes = {"a": 1, "b": 5, "c": 6}
    >>> few = {name: ak.Tally(q, {"yes": one, "no": 12 - one}) for name, one in yes.items()}
    >>> found = ak.inference.estimate_small_areas(few)
    >>> found.direct[0].tolist(), found.value[0].round(2).tolist()
    ([0.0, 1.0], [0.1, 0.9])
    """

    groups: tuple[str, ...]
    labels: tuple[str, ...]
    value: Floats
    se: Floats
    lower: Floats
    upper: Floats
    direct: Floats
    reports: Integers
    mean: Floats
    between: Floats
    level: float

    def __post_init__(self) -> None:
        keep_read_only(self, "value se lower upper direct reports mean between")

    def to_dict(self) -> Json:
        """Write the shares for JSON; None for a direct share of a group without a report."""
        return json_of(self)

    def _table(self) -> Listing:
        percent = f"{100 * self.level:g} %"
        answers = range(1 if len(self.labels) == 2 else len(self.labels))
        columns = (self.value, self.se, self.lower, self.upper, self.direct)
        rows = [
            [
                name,
                self.labels[of],
                *(number(float(column[at, of])) for column in columns),
                f"{int(self.reports[at]):,}",
            ]
            for at, name in enumerate(self.groups)
            for of in answers
        ]
        head = ["group", "answer", "share", "se", f"{percent} from", "to", "by itself", "reports"]
        notes = [
            f"“{self.labels[of]}” between groups: mean {number(float(self.mean[of]))}, "
            f"standard deviation {number(float(self.between[of]))}"
            for of in answers
        ]
        return "share of each answer, partially pooled", head, rows, notes

    def plot(self, ax: Any = None) -> Any:
        """Draw a dot plot of the first answer: a row a group, with its interval.

        A cross is the share of the group by itself, the dotted line the mean of the groups.

        Raises
        ------
        MissingExtra
            If no axes are given and matplotlib is not installed.
        """
        ax = axes(ax)
        at = np.arange(len(self.groups))
        (dots,) = ax.plot(self.value[:, 0], at, "o", markersize=5, label="partially pooled")
        ax.hlines(at, self.lower[:, 0], self.upper[:, 0], color=dots.get_color(), linewidth=2)
        ax.plot(self.direct[:, 0], at, "x", markersize=5, label="by itself")
        ax.axvline(self.mean[0], linewidth=0.8, linestyle=":", color=dots.get_color())
        ax.set_yticks(at, self.groups)
        ax.set_ylim(len(at) - 0.5, -0.5)
        ax.set_xlim(0, 1)
        ax.set_xlabel(f"share of “{self.labels[0]}”, {100 * self.level:g} % interval")
        ax.legend(frameon=False)
        return ax


_MOST_ANSWERS = 6
_FEWEST = 3


@checked
def estimate_small_areas(tallies: Mapping[str, Tally], level: float = 0.95) -> SmallAreaEstimates:
    r"""Small area estimation: the shares of each group, partially pooled by a hierarchical model.

    Shares of groups are drawn from a Dirichlet distribution (a beta for two answers), and reports
    from the shares through the channel of the group:

    .. math::
        \pi_g \sim \mathrm{Dirichlet}(s\,m), \qquad
        n_g \sim \mathrm{Multinomial}(\pi_g\, q^{(g)})

    with m the mean of the groups and s how alike they are: a share varies between them with
    standard deviation :math:`\sqrt{m_i(1-m_i)/(s+1)}`. Both are integrated out, under an even prior
    of m and of :math:`s/(s+\bar n)`, the part that a group of the usual size borrows, so that
    intervals allow for not knowing them: empirical Bayes that puts estimates in their place would
    not. All integrals are sums over fixed points: no chance enters, and the same reports give the
    same digits.

    Groups must be alike as far as is known before they are asked: of groups with covariates use
    `response_regression`. A group without a report gets what the others say of it. Interval and
    share hold on average over groups, not for a group that is known to be unlike the others.

    Parameters
    ----------
    tallies : mapping of str to Tally
        Of each group, by its name: all of one frame with at most six answers, by channels that tell
        these apart; channels may differ.
    level : float

    Raises
    ------
    InputError
        If there are fewer than three groups, more than six answers, no report at all, sampling
        weights, a report that no answer can send, or the level is not in (0, 1); or if some group
        has so many reports (millions of two answers, thousands in each of hundreds of groups of
        more) that nothing is left to borrow.
    NotIdentified
        If the reports of some group cannot tell some answers apart.

    References
    ----------
    Rao & Molina (2015), on small area estimation; Tak, Kelly & Morris (2017), on intervals for
    plain answers (beta-binomial) that allow for the estimated population.

    >>> import askance as ak
    >>> q = ak.Warner(truth="4/5").channel(ak.Frame(["yes", "no"]))
    >>> yes = {"north": 9, "east": 4, "south": 11, "west": 6}
    >>> tallies = {name: ak.Tally(q, {"yes": one, "no": 20 - one}) for name, one in yes.items()}
    >>> estimate_small_areas(tallies)
    share of each answer, partially pooled
    group  answer   share      se  95 % from      to  by itself  reports
    north     yes  0.3438  0.1505    0.05933  0.6613     0.4167       20
    east      yes  0.1762  0.1224  0.0002536  0.4352          0       20
    south     yes  0.4349   0.167     0.1434  0.7919     0.5833       20
    west      yes  0.2268  0.1336   0.001257  0.5012     0.1667       20
    “yes” between groups: mean 0.3126, standard deviation 0.1621
    """
    normal_quantile(level)
    _refuse_few(tallies)
    likelihood = ShareLikelihood(tallies)
    asked = [one for one in tallies.values() if one.total]
    population = Population.of(likelihood, asked)
    weights, resolved = population.posterior()
    if not resolved.all():
        large = likelihood.groups[int(np.argmin(resolved))]
        raise InputError(
            f"estimate_small_areas.tallies[{large!r}]",
            got=f"{tallies[large].total:,} reports, which tell its shares too closely",
            allowed="groups that are small enough to borrow",
            remedy="such groups have nothing to borrow: estimate them by themselves",
        )
    value, se, lower, upper = population.shares(weights, level)
    means, between = population.mean_and_spread()
    return SmallAreaEstimates(
        groups=likelihood.groups,
        labels=likelihood.labels,
        value=value,
        se=se,
        lower=lower,
        upper=upper,
        direct=np.array([most_likely(one) for one in tallies.values()]),
        reports=np.array([one.total for one in tallies.values()], dtype=np.int64),
        mean=means,
        between=between,
        level=level,
    )


def _refuse_few(tallies: Mapping[str, Tally]) -> None:
    if len(tallies) < _FEWEST or not any(one.total for one in tallies.values()):
        raise InputError(
            "estimate_small_areas.tallies",
            got=f"{len(tallies)} groups, {sum(one.total for one in tallies.values())} reports",
            allowed="reports, and three groups or more: fewer do not tell how alike groups are",
            remedy="estimate each by itself, or all as one",
        )
    k = len(next(iter(tallies.values())).channel.frame)
    if k > _MOST_ANSWERS:
        raise InputError(
            "estimate_small_areas.tallies",
            got=f"{k} answers",
            allowed=f"at most {_MOST_ANSWERS}",
            remedy="put rare answers together, with ak.channels.relabel",
        )
    for one in tallies.values():
        refuse_weights(one)
        informative(one)
