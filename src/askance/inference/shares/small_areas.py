"""Small area estimation: shares of many small groups by a hierarchical model.

A share of few protected reports is a poor guide to its group: 0 % and 100 % are usual. Groups are
taken as drawn from a population of groups, whose spread the reports of all tell. That spread is not
known but estimated, and what is said of each group allows for it.

Two integrals of this Dirichlet-multinomial have no closed form through a channel: over the shares
of a group, and over the mean and the likeness of groups. Both are sums over fixed points, without
chance. Shares are placed once for all groups and all priors, so that a posterior is a product of
two matrices: how likely each group's reports are at each point, and how dense each prior is there.
"""

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar, final

import numpy as np

from askance.channels.grouped_tally import refuse_unnamed_groups
from askance.channels.tally import Tally
from askance.chart import Axis, Chart, MarkKind, Series, chart_frame, draw_result, rows_chart
from askance.inference.fit_result import GoodnessOfFit, joined_fits
from askance.inference.goodness_of_fit import goodness_of_fit
from askance.inference.maximisation import maximise_mixture, mixture
from askance.inference.provenance import Computation
from askance.inference.shares.information import speaking
from askance.inference.shares.share_intervals import informative
from askance.inference.shares.share_likelihood import ShareLikelihood, received_of
from askance.results import (
    Cell,
    Cells,
    Listing,
    cells_of,
    counted,
    group_count,
    group_estimate,
    group_items,
    group_names,
    json_of,
    keep_read_only,
    listed,
    normal_quantile,
    number,
    result_frame,
    result_stream,
)
from askance.typing import Booleans, Floats, Integers, Json
from askance_collect.arguments import checked
from askance_collect.errors import InputError

_KEYS = {"effective_sample_size": "effective", "between_sd": "between"}
"""Attributes that JSON has under another key."""


@final
@listed
@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class AreaShares:
    """The share of each answer in one group of `SmallAreaEstimates`.

    Attributes
    ----------
    group : str
    labels : tuple of str
        The k answers.
    value, se, lower, upper, direct : array, shape (k,)
        As those of `SmallAreaEstimates`.
    reports : int
    effective_sample_size : float
    level : float

    >>> import askance as ak
    >>> q = ak.Warner(truth="3/4").channel(ak.Frame(["yes", "no"]))
    >>> yes = {"a": 1, "b": 5, "c": 6}
    >>> few = {name: ak.Tally(q, {"yes": count, "no": 12 - count}) for name, count in yes.items()}
    >>> ak.inference.estimate_small_areas(few)["a"].value.round(2).tolist()
    [0.1, 0.9]
    """

    group: str
    labels: tuple[str, ...]
    value: Floats
    se: Floats
    lower: Floats
    upper: Floats
    direct: Floats
    reports: int
    effective_sample_size: float
    level: float

    def columns(self) -> Cells:
        """The head of a table, and its rows, numbers as they are."""
        columns = (self.value, self.se, self.lower, self.upper, self.direct)
        return ["answer", "share", "se", "lower", "upper", "direct"], cells_of(
            self.labels, *columns
        )

    def to_dict(self) -> Json:
        """Write the shares for JSON; None for a direct share of a group without a report."""
        return json_of(self, keys=_KEYS)

    def _table(self) -> Listing:
        head, rows = self.columns()
        cells = [[str(label), *(number(float(cell or 0)) for cell in row)] for label, *row in rows]
        title = f"share of each answer in {self.group}, partially pooled"
        return title, head, cells, [counted(self.reports, "report")]

    def _chart(self) -> Chart:
        """Describe a row for each answer; a cross is the share of the group by itself."""
        return rows_chart(
            self.labels,
            self.value,
            (self.lower, self.upper),
            level=self.level,
            x=Axis(name="share", label=f"share in {self.group}", limits=(0, 1)),
            y="answer",
            label="partially pooled",
            after=(_by_itself(self.labels, self.direct),),
        )

    plot = draw_result
    plot_data = chart_frame
    to_frame = result_frame
    __arrow_c_stream__ = result_stream


def _by_itself(names: Sequence[str], direct: Floats) -> Series:
    return Series(
        mark=MarkKind.POINT, label="by itself", names=tuple(names), value=direct, continues=True
    )


@final
@listed
@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class SmallAreaEstimates:
    """The share of each answer in each group, partially pooled: a mapping to `AreaShares`.

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
        How many say something of the answer.
    effective_sample_size : array, shape (groups,)
        As how many people drawn alike they count: fewer of a sample with weights or a sampling
        design.
    mean : array, shape (k,)
        The estimated mean of the population of groups.
    between_sd : array, shape (k,)
        The estimated standard deviation of the true shares between groups.
    level : float
    goodness_of_fit : GoodnessOfFit
        Whether the channel can have sent each group's reports at all, as one family.

    >>> import askance as ak
    >>> q = ak.Warner(truth="3/4").channel(ak.Frame(["yes", "no"]))
    >>> yes = {"a": 1, "b": 5, "c": 6}
    >>> few = {name: ak.Tally(q, {"yes": count, "no": 12 - count}) for name, count in yes.items()}
    >>> fit = ak.inference.estimate_small_areas(few)
    >>> fit.direct[0].tolist(), fit.value[0].round(2).tolist()
    ([0.0, 1.0], [0.1, 0.9])
    """

    computation: ClassVar[Computation] = Computation.SMALL_AREAS
    groups: tuple[str, ...]
    labels: tuple[str, ...]
    value: Floats
    se: Floats
    lower: Floats
    upper: Floats
    direct: Floats
    reports: Integers
    effective_sample_size: Floats
    mean: Floats
    between_sd: Floats
    level: float
    goodness_of_fit: GoodnessOfFit

    def __post_init__(self) -> None:
        keep_read_only(self, "reports")

    def columns(self) -> Cells:
        """The head of a table, and its rows, numbers as they are."""
        rows: list[list[Cell]] = []
        columns = (self.value, self.se, self.lower, self.upper, self.direct)
        for group, name in enumerate(self.groups):
            cells = cells_of(self.labels, *(column[group] for column in columns))
            counts = int(self.reports[group]), float(self.effective_sample_size[group])
            rows += [[name, *row, *counts] for row in cells]
        head = ["group", "answer", "share", "se", "lower", "upper", "direct", "reports"]
        return [*head, "effective"], rows

    def to_dict(self) -> Json:
        """Write the shares for JSON; None for a direct share of a group without a report."""
        return json_of(self, keys=_KEYS) | {"goodness_of_fit": self.goodness_of_fit.to_dict()}

    def _table(self) -> Listing:
        percent = f"{100 * self.level:g} %"
        answers = range(1 if len(self.labels) == 2 else len(self.labels))
        columns = (self.value, self.se, self.lower, self.upper, self.direct)
        fewer = bool((self.effective_sample_size < self.reports - 0.5).any())
        rows = [
            [
                name,
                self.labels[of],
                *(number(float(column[group, of])) for column in columns),
                f"{int(self.reports[group]):,}",
                *([number(float(self.effective_sample_size[group]), 3)] if fewer else []),
            ]
            for group, name in enumerate(self.groups)
            for of in answers
        ]
        head = ["group", "answer", "share", "se", f"{percent} from", "to", "by itself", "reports"]
        head += ["effective"] if fewer else []
        notes = [
            f"“{self.labels[of]}” between groups: mean {number(float(self.mean[of]))}, "
            f"standard deviation {number(float(self.between_sd[of]))}"
            for of in answers
        ]
        notes += self.goodness_of_fit.misfit
        return "share of each answer, partially pooled", head, rows, notes

    def _chart(self) -> Chart:
        """Describe the share of the first answer, a row for each group.

        A cross is the share of the group by itself, the dotted line the mean of the groups.
        """
        alone = _by_itself(self.groups, self.direct[:, 0])
        mean = Series(
            mark=MarkKind.RULE, label="mean of groups", x=self.mean[:1], is_reference=True
        )
        return rows_chart(
            self.groups,
            self.value[:, 0],
            (self.lower[:, 0], self.upper[:, 0]),
            level=self.level,
            x=Axis(name="share", label=f"share of “{self.labels[0]}”", limits=(0, 1)),
            y="group",
            label="partially pooled",
            after=(alone, mean),
        )

    def _by_group(self) -> Mapping[str, AreaShares]:
        return {group: self._area(i) for i, group in enumerate(self.groups)}

    def _area(self, i: int) -> AreaShares:
        return AreaShares(
            group=self.groups[i],
            labels=self.labels,
            value=self.value[i],
            se=self.se[i],
            lower=self.lower[i],
            upper=self.upper[i],
            direct=self.direct[i],
            reports=int(self.reports[i]),
            effective_sample_size=float(self.effective_sample_size[i]),
            level=self.level,
        )

    __iter__ = group_names
    __len__ = group_count
    __getitem__ = group_estimate
    items = group_items
    plot = draw_result
    plot_data = chart_frame
    to_frame = result_frame
    __arrow_c_stream__ = result_stream


_MOST_ANSWERS = 8  # with more, points over which shares are summed lie too far apart
_FEWEST_GROUPS = 3


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
    same digits. In trials those of eight answers were within an eighth of a standard error of what
    finer points give, those of six within a twelfth; of more they are not reckoned.

    Groups must be alike as far as is known before they are asked: of groups with covariates use
    `fay_herriot`, which takes weighted shares and any number of answers. A group without a report
    gets what the others say of it. Interval and share hold on average over groups, not for a group
    that is known to be unlike the others.

    Parameters
    ----------
    tallies : mapping of str to Tally
        Of each group, by its name: all of one frame with at most eight answers, by channels that
        tell these apart; channels may differ. With weights or of a complex sample they count as
        many people drawn alike, as in `ShareLikelihood`.
    level : float

    Raises
    ------
    InputError
        If there are fewer than three groups, more than eight answers, no report at all, a report
        that no answer can send, or the level is not in (0, 1); or if some group has so many reports
        (millions of two answers, thousands in each of hundreds of groups of more) that nothing is
        left to borrow.
    NotIdentified
        If the reports of some group cannot tell some answers apart.

    References
    ----------
    Rao & Molina (2015), on small area estimation; Tak, Kelly & Morris (2017), on intervals for
    plain answers (beta-binomial) that allow for the estimated population.

    >>> import askance as ak
    >>> q = ak.Warner(truth="4/5").channel(ak.Frame(["yes", "no"]))
    >>> yes = {"north": 9, "east": 4, "south": 11, "west": 6}
    >>> tallies = {name: ak.Tally(q, {"yes": n, "no": 20 - n}) for name, n in yes.items()}
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
    sizes = likelihood.counts.sum(axis=1)
    observed = [
        (tally, float(n)) for tally, n in zip(tallies.values(), sizes, strict=True) if n > 0
    ]
    population = Population.of(likelihood, observed)
    weights, resolved = population.posterior()
    if not resolved.all():
        large = likelihood.groups[int(np.argmin(resolved))]
        raise InputError(
            f"estimate_small_areas.tallies[{large!r}]",
            got=f"{tallies[large].total:,} reports, which determine its shares too precisely",
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
        direct=np.array([most_likely(tally) for tally in tallies.values()]),
        reports=np.array(
            [int(tally.counts[speaking(tally.channel)].sum()) for tally in tallies.values()],
            dtype=np.int64,
        ),
        effective_sample_size=sizes,
        mean=means,
        between_sd=between,
        level=level,
        goodness_of_fit=joined_fits(
            {name: goodness_of_fit(tally) for name, tally in tallies.items()}
        ),
    )


def _refuse_few(tallies: Mapping[str, Tally]) -> None:
    refuse_unnamed_groups(tallies, "estimate_small_areas.tallies")
    few = len(tallies)
    n = sum(int(tally.counts[speaking(tally.channel)].sum()) for tally in tallies.values())
    if few < _FEWEST_GROUPS or not n:
        raise InputError(
            "estimate_small_areas.tallies",
            got=f"{few} group{'s' * (few != 1)}, {n:,} report{'s' * (n != 1)}",
            allowed="reports, and three groups or more: fewer do not show how similar groups are",
            remedy="estimate each by itself, or all as one",
        )
    k = len(next(iter(tallies.values())).channel.frame)
    if k > _MOST_ANSWERS:
        raise InputError(
            "estimate_small_areas.tallies",
            got=f"{k} answers",
            allowed=f"at most {_MOST_ANSWERS}",
            remedy="put rare answers together, with ak.channels.relabel, or use fay_herriot",
        )
    for tally in tallies.values():
        informative(tally)


_HYPER_POINTS = 512
_HYPER_FREEDOM = 5.0
_ROUNDS = 3
_STEPS = 40
_SPACING = 0.15  # log-odds, and log s, between points of a difference
_FLATTEST = 0.15  # a second derivative
_ENOUGH = 1e-3  # a gain in log-likelihood that is worth another step
_NOTHING = 1e-9  # a share to which the maximisation comes from inside
_FEWEST_OF_GRID, _FEWEST_SCATTERED = 2.5, 20.0  # points, over which a group's shares are spread
_FAINT = 1e-6  # of the weight of the likeliest spread
_LEAST = -700.0  # the log of a share
_FAINTEST = 1e-280  # evidence, which is lost where a prior has next to nothing at a group's top
_FINEST, _COARSEST = 1e-3, 0.02  # steps of the grid of two answers, in log-odds about even shares
_FREEDOM = 4.0  # of the points about the top of a group
_SCATTERED = 8_192  # points in all, as many about the top of each group as for each likeness
_FEWEST, _MOST = 64, 1_024  # of one kind
_OF_FEW, _OFTENER = 6, 4  # answers beyond which there are so many times more
_MOST_GROUPS = 128  # that have points of their own
_LIKENESSES = 4.0 ** np.arange(-4, 5)  # times the usual size


@final
@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Population:
    """Hyperposterior of the population of groups: priors of a group, with weights.

    Attributes
    ----------
    placed : SharePoints
        Points of shares, and how likely they make the reports of each group.
    priors : array, shape (h, k)
        Each the parameters a = s m of a Dirichlet distribution.
    weights : array, shape (h,)
    """

    placed: "SharePoints"
    priors: Floats
    weights: Floats

    @classmethod
    def of(
        cls, likelihood: ShareLikelihood, observed: Sequence[tuple[Tally, float]]
    ) -> "Population":
        """Integrate over mean and likeness, about the top of their posterior.

        Points are placed about the top, and again about the mean with the spread that these find.

        Parameters
        ----------
        likelihood : ShareLikelihood
        observed : sequence of (Tally, float)
            Of the groups with a report, and how many people drawn alike each is worth.
        """
        usual, pooled = _median_size(observed)
        placed = SharePoints.of(likelihood, usual, pooled)

        def log_posterior(points: Floats) -> Floats:
            priors, log_even = _build_priors(points, usual, placed.most)
            logs: Floats = placed.evidence(priors).sum(axis=0) + log_even
            return logs

        start = np.append(np.log(pooled[:-1] / pooled[-1]), np.log(usual))
        while start[-1] > 0 and not placed.is_resolved(
            _build_priors(start[None], usual, placed.most)[0]
        ):
            start[-1] -= 1.0  # groups are less alike than that
        center, root = _maximise(log_posterior, start)
        z = t_points(len(start), _HYPER_POINTS, _HYPER_FREEDOM)
        for _ in range(_ROUNDS):
            spread = center + z @ root.T
            logs = log_posterior(spread) - log_t(z, _HYPER_FREEDOM)
            weights = np.exp(logs - logs.max())
            weights /= weights.sum()
            center = weights @ spread
            away = spread - center
            root = np.linalg.cholesky(away.T @ (weights[:, None] * away))
        is_kept = weights > _FAINT * weights.max()
        priors, _ = _build_priors(spread[is_kept], usual, placed.most)
        return cls(placed=placed, priors=priors, weights=weights[is_kept] / weights[is_kept].sum())

    def mean_and_spread(self) -> tuple[Floats, Floats]:
        """Posterior means of the mean share of groups, and of its deviation between them."""
        s = self.priors.sum(axis=1, keepdims=True)
        m = self.priors / s
        return self.weights @ m, self.weights @ np.sqrt(m * (1 - m) / (s + 1))

    def posterior(self) -> tuple[Floats, Booleans]:
        """The weight of each point in each group, and whether that is spread over enough points."""
        weights = self.placed.posterior(self.priors, self.weights)
        fewest = _FEWEST_OF_GRID if self.placed.log_weights is None else _FEWEST_SCATTERED
        return weights, (weights**2).sum(axis=1) <= 1 / fewest

    def shares(self, weights: Floats, level: float) -> tuple[Floats, Floats, Floats, Floats]:
        """Posterior means, standard deviations and ends of the intervals, each (groups, k)."""
        points = np.exp(self.placed.logs)
        value = weights @ points
        se = np.sqrt(np.maximum(weights @ points**2 - value**2, 0.0))
        tail = (1 - level) / 2
        ends = np.empty((2, *value.shape))
        for of in range(points.shape[1]):
            order = np.argsort(points[:, of], kind="stable")
            sorted_weights = weights[:, order]
            below = np.cumsum(sorted_weights, axis=1) - sorted_weights / 2
            for group, row in enumerate(below):
                ends[:, group, of] = np.interp((tail, 1 - tail), row, points[order, of])
        return value, se, ends[0], ends[1]


def most_likely(tally: Tally) -> Floats:
    """The most likely shares of one group, by itself; not numbers without a report."""
    k = len(tally.channel.frame)
    weighed = tally.counts.astype(float) if tally.weights is None else tally.weights
    counts, matrix = received_of(tally, weighed)
    if not len(counts):
        return np.full(k, np.nan)
    shares, _ = maximise_mixture(mixture(matrix.T, counts), np.full(k, 1 / k))
    return np.where(shares < _NOTHING, 0.0, shares)


def _median_size(observed: Sequence[tuple[Tally, float]]) -> tuple[float, Floats]:
    """Compute the median effective sample size of the groups, and the pooled shares.

    It is the trace of the covariance of direct answers over that of protected ones.
    """
    k = len(observed[0][0].channel.frame)
    n = np.array([size for _, size in observed])
    pooled = n @ np.array([most_likely(tally) for tally, _ in observed]) / n.sum()
    pooled = (pooled * n.sum() + 1) / (n.sum() + k)
    plain, worth = float((pooled * (1 - pooled)).sum()), {}
    for channel in {tally.channel for tally, _ in observed}:
        q = channel.matrix[:, speaking(channel)]
        q = q / q[0].sum()  # given that a report says something
        information = (q / (pooled @ q)) @ q.T
        worth[channel] = plain / (float(np.trace(np.linalg.inv(information))) - 1 + plain)
    sizes = [size * min(worth[tally.channel], 1.0) for tally, size in observed]
    return max(float(np.median(sizes)), 1.0), pooled


def _build_priors(points: Floats, usual: float, most: float) -> tuple[Floats, Floats]:
    """The priors of a group, and the log density of each point under even priors of m and s.

    Even in m, and in s/(s + usual), each times what the change to log-odds and log s takes.
    """
    logs, log_s = log_shares(points[:, :-1]), points[:, -1]
    even = log_s + np.log(usual) - 2 * np.logaddexp(log_s, np.log(usual))
    log_size = np.minimum(log_s, np.log(most))
    return np.exp(np.maximum(log_size[:, None] + logs, -20.0)), logs.sum(axis=1) + even


Function = Callable[[Floats], Floats]


def _maximise(function: Function, start: Floats) -> tuple[Floats, Floats]:
    """Maximise by Newton steps of differences; the root of the inverse curvature there."""
    top, value = start, float(function(start[None])[0])
    for _ in range(_STEPS):
        slope, inverse = _difference_quotients(function, top)
        step = inverse @ slope
        step /= max(1.0, float(np.abs(step).max()))
        lengths = 0.5 ** np.arange(6)
        tried = function(top + lengths[:, None] * step)
        best = int(np.argmax(tried))
        gained = float(tried[best]) - value
        if gained > 0:
            top, value = top + lengths[best] * step, float(tried[best])
        if gained < _ENOUGH:
            break
    return top, np.asarray(
        np.linalg.cholesky(_difference_quotients(function, top)[1]), dtype=np.float64
    )


def _difference_quotients(function: Function, point: Floats) -> tuple[Floats, Floats]:
    """The slope, and the inverse of minus the second derivative: wide where it is nearly flat."""
    k = len(point)
    moves = _SPACING * np.eye(k)
    pairs = [(i, j) for i in range(k) for j in range(i + 1)]
    corners = [
        point + a * moves[i] + b * moves[j] for i, j in pairs for a in (1, -1) for b in (1, -1)
    ]
    ends = [point + sign * move for move in moves for sign in (1, -1)]
    values = function(np.array([*ends, *corners]))
    slope = (values[: 2 * k : 2] - values[1 : 2 * k : 2]) / (2 * _SPACING)
    curved = np.empty((k, k))
    for (i, j), (pp, pm, mp, mm) in zip(pairs, values[2 * k :].reshape(-1, 4), strict=True):
        curved[i, j] = curved[j, i] = -(pp - pm - mp + mm) / (4 * _SPACING**2)
    sizes, vectors = np.linalg.eigh(curved)
    inverse: Floats = (vectors / np.maximum(sizes, _FLATTEST)) @ vectors.T
    return slope, inverse


@final
@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class SharePoints:
    """Points of shares with their weights, and the likelihood of every group there.

    Attributes
    ----------
    logs : array, shape (points, k)
        Logs of the shares.
    likelihood : array, shape (groups, points)
        Of each group, as a part of its largest; of a grid times what the point stands for.
    most : float
        The largest s whose prior the points are close enough for: groups are all alike there.
    log_weights : array, shape (points,), or None
        What scattered points stand for. A sharp prior lies on few of these, so that its density is
        made to sum to one over them: it would else make up evidence where points are dense.
    """

    logs: Floats
    likelihood: Floats
    most: float
    log_weights: Floats | None = None

    @classmethod
    def of(cls, share_likelihood: ShareLikelihood, usual: float, pooled: Floats) -> "SharePoints":
        """Place points: a grid of two answers, about every group's top and likeness of more."""
        if len(pooled) == 2:
            logs, steps, most = _build_grid(float(share_likelihood.counts.sum(axis=1).max()))
            likelihood, log_weights = _log_likelihood(share_likelihood, logs) + steps, None
        else:
            logs, log_weights = _scatter_points(share_likelihood, usual, pooled)
            likelihood = _log_likelihood(share_likelihood, logs)
            most = usual * float(_LIKENESSES[-1])
        likelihood -= likelihood.max(axis=1, keepdims=True)
        return cls(logs=logs, likelihood=np.exp(likelihood), most=most, log_weights=log_weights)

    def evidence(self, priors: Floats) -> Floats:
        """Log of the integral of likelihood times each prior, up to a constant, (groups, h)."""
        return np.log(np.maximum(self.likelihood @ self._dense(priors), _FAINTEST))

    def is_resolved(self, priors: Floats) -> bool:
        """Whether the evidence of every group exceeds what rounding leaves of it."""
        return bool((self.likelihood @ self._dense(priors) > _FAINTEST).all())

    def posterior(self, priors: Floats, weights: Floats) -> Floats:
        """The weight of each point in each group, the prior integrated out, (groups, points)."""
        dense = self._dense(priors)
        posterior: Floats = self.likelihood * ((weights / (self.likelihood @ dense)) @ dense.T)
        posterior /= posterior.sum(axis=1, keepdims=True)
        return posterior

    def _dense(self, priors: Floats) -> Floats:
        """The density of each prior at each point, in log-odds, shape (points, h)."""
        log_density = self.logs @ priors.T + log_beta(priors)
        if self.log_weights is None:
            return np.asarray(np.exp(log_density))
        log_density += self.log_weights[:, None]
        dense = np.exp(log_density - log_density.max(axis=0))
        density: Floats = dense / dense.sum(axis=0)
        return density


def log_beta(priors: Floats) -> Floats:
    """Minus the log of the beta function of each row: the constant of a Dirichlet density."""
    from scipy.special import gammaln

    return np.asarray(gammaln(priors.sum(axis=-1)) - gammaln(priors).sum(axis=-1))


def log_shares(theta: Floats) -> Floats:
    """Log shares of log-odds against the last answer, floored where a share underflows.

    >>> np.exp(log_shares(np.log([[3.0]]))).round(9).tolist()
    [[0.75, 0.25]]
    """
    log_total = np.zeros(theta.shape[:-1])
    for column in range(theta.shape[-1]):
        log_total = np.logaddexp(log_total, theta[..., column])
    logs: Floats = np.concatenate([theta - log_total[..., None], -log_total[..., None]], axis=-1)
    return np.maximum(logs, _LEAST)


def _log_likelihood(share_likelihood: ShareLikelihood, logs: Floats) -> Floats:
    """Of every group at every point, shape (groups, points)."""
    shares, values = np.exp(logs), np.zeros((len(share_likelihood.groups), len(logs)))
    for group, (counts, chances) in enumerate(
        zip(share_likelihood.counts, share_likelihood.chances, strict=True)
    ):
        is_observed = counts > 0
        values[group] = (
            np.log(np.maximum(shares @ chances[:, is_observed], 1e-300)) @ counts[is_observed]
        )
    return values


def _build_grid(largest: float) -> tuple[Floats, Floats, float]:
    """A grid of two answers, even in the arsinh of log-odds, and the log of each step."""
    step = min(max(0.25 / math.sqrt(largest), _FINEST), _COARSEST)
    points = np.arange(-np.arcsinh(-_LEAST), np.arcsinh(-_LEAST), step)
    return log_shares(np.sinh(points)[:, None]), np.log(step * np.cosh(points)), 1 / step**2


def _scatter_points(
    share_likelihood: ShareLikelihood, usual: float, pooled: Floats
) -> tuple[Floats, Floats]:
    """Points about the top of each group, and spread as priors of all likenesses; log weights.

    The weight of a point is one over the density of all kinds of points there: it matters not
    from which of them a point came.
    """
    k = len(pooled)
    weak = _find_maxima(
        share_likelihood, min(usual, k) * pooled
    )  # of large groups that are unlike the others
    top, root = (
        np.concatenate(pair)
        for pair in zip(_find_maxima(share_likelihood, usual * pooled), weak, strict=True)
    )
    times = 1 if k <= _OF_FEW else _OFTENER
    count = times * min(max(_SCATTERED // (len(top) + len(_LIKENESSES)), _FEWEST), _MOST)
    z = t_points(len(pooled) - 1, count, _FREEDOM)
    priors = usual * _LIKENESSES[:, None] * pooled
    theta = np.concatenate(
        [
            (top[:, None] + z @ root.swapaxes(-1, -2)).reshape(-1, z.shape[1]),
            _spread_by_prior(priors, count),
        ]
    )
    logs = log_shares(theta)
    density = np.logaddexp.reduce(logs @ priors.T + log_beta(priors), axis=1)
    for middle, wide in zip(top, root, strict=True):
        away = (theta - middle) @ np.linalg.inv(wide).T
        log_nearby = log_t(away, _FREEDOM) - np.log(np.diag(wide)).sum()
        density = np.logaddexp(density, log_nearby)
    return logs, -density - np.log(len(z))


def _find_maxima(share_likelihood: ShareLikelihood, prior: Floats) -> tuple[Floats, Floats]:
    """The top of likelihood times prior of some groups, in log-odds, and the root of its width.

    By steps of EM, which need no care; they need not come close, since points are only spread
    about it.
    """
    every = -(-len(share_likelihood.groups) // _MOST_GROUPS)
    counts, chances = share_likelihood.counts[::every], share_likelihood.chances[::every]
    shares = np.tile(prior / prior.sum(), (len(counts), 1))
    for _ in range(_STEPS):
        chance = (shares[:, None, :] @ chances)[:, 0, :]
        weights = shares * (chances @ (counts / chance)[:, :, None])[..., 0] + prior
        shares = weights / weights.sum(axis=1, keepdims=True)
    chance = (shares[:, None, :] @ chances)[:, 0, :]
    turned = shares[:, :, None] * (chances - chance[:, None, :])
    information = (turned * (counts / chance**2)[:, None, :]) @ turned.swapaxes(-1, -2)
    prior_information = (
        np.eye(len(prior)) * shares[:, None, :] - shares[:, :, None] * shares[:, None, :]
    )
    information += prior.sum() * prior_information
    theta = np.log(shares[:, :-1] / shares[:, -1:])
    return theta, np.linalg.cholesky(np.linalg.inv(information[:, :-1, :-1]))


def _spread_by_prior(priors: Floats, points: int) -> Floats:
    """Log-odds spread as Dirichlet priors are, shape (priors · points, k − 1).

    From logs of gamma variables: of index a, that of a + 1 plus log(u)/a, which never underflows.
    """
    from scipy.special import gammaincinv

    k = priors.shape[1]
    even = even_points(2 * k, points)
    shapes = priors[:, None, :]
    log_gammas = np.log(gammaincinv(shapes + 1, even[:, :k])) + np.log(even[:, k:]) / shapes
    odds: Floats = log_gammas[..., :-1] - log_gammas[..., -1:]
    return odds.reshape(-1, k - 1)


def t_points(dimension: int, points: int, df: float) -> Floats:
    """Quantiles of independent t variables, spread evenly.

    >>> t_points(1, 3, 5.0).ravel().round(3).tolist()
    [-1.07, 0.0, 1.07]
    """
    from scipy.special import stdtrit

    return np.asarray(stdtrit(df, even_points(dimension, points)))


def log_t(z: Floats, df: float) -> Floats:
    """The log density of independent t variables, summed over the last axis.

    >>> log_t(np.zeros((1, 2)), 1.0).round(4).tolist()  # 1/π twice
    [-2.2895]
    """
    from scipy.special import gammaln

    half = (df + 1) / 2
    constant = float(gammaln(half) - gammaln(df / 2)) - np.log(df * np.pi) / 2
    log_density: Floats = (constant - half * np.log1p(z * z / df)).sum(axis=-1)
    return log_density


def even_points(dimension: int, points: int) -> Floats:
    """Points spread evenly over a cube, without chance: a grid in one dimension.

    In more, the additive recurrence by the powers of 1/φ, where φ to the dimension + 1 is φ + 1.

    >>> even_points(1, 2).tolist(), even_points(2, 2).round(3).tolist()
    ([[0.25], [0.75]], [[0.255, 0.07], [0.01, 0.64]])
    """
    index = np.arange(points)[:, None]
    if dimension == 1:
        return np.asarray((index + 0.5) / points)
    phi = 2.0
    for _ in range(60):
        phi = (1 + phi) ** (1 / (dimension + 1))
    placed: Floats = (0.5 + (index + 1) * phi ** -np.arange(1.0, dimension + 1)) % 1
    return np.clip(placed, 1e-9, 1 - 1e-9)
