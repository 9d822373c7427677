"""The top of a list experiment's likelihood, chances kept in [0, 1], and how it falls away from it.

Chances of misreports are often most likely exactly 0 or 1, where their logits have no end. So they
are climbed in as chances, between bounds. What else is estimated leans on them: intervals let them,
and everything else, take their most likely values again wherever a share is held.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from typing import Protocol, final

import numpy as np
from scipy.special import expit, logit

from askance.inference.climb import LastEvaluation, Optimum, Within, maximise
from askance.inference.list_experiments.item_count_model import (
    ItemCountLikelihood,
    ItemCountModel,
    Moments,
)
from askance.typing import Floats, Integers

_EDGE = 0.02  # how near 0 or 1 it is asked whether a chance is just as likely there
_AS_LIKELY = 1e-6  # log-likelihoods that are as good
_BOUND = 1e-8  # of a chance: what of 0 and 1 its logit can tell
_STIFF = 30.0  # how much more than the likelihood what holds a value bends
_CLOSE = 1e-3  # of a standard error; what is left is straight
_WIDEN = 1.5
_MOST = 40  # refits for an end
_FARTHEST = 60.0  # standard errors, beyond which a likelihood that has not fallen never will
_LOG_ODDS = 14.0  # of a share that may as well be 0 or 1
_SAFE = 1e-8  # the least curvature, in units of the parameters, that is surely one
_LEAST = 1e-16  # of a share whose log-odds are told


@final
@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class OnChances:
    """A likelihood in coefficients and, in place of logits, chances between bounds.

    Attributes
    ----------
    likelihood : ItemCountLikelihood

    >>> from askance.inference.list_experiments.item_tally import answers_of
    >>> answers = answers_of([0, 1, 1], [0, 0, 1], items=1, control=0, data=None, weights=None)
    >>> model = ItemCountModel(
    ...     items=1,
    ...     sensitive=("a",),
    ...     terms=(),
    ...     constrained=True,
    ...     overdispersed=False,
    ...     misreport="ceiling",
    ... )
    >>> likelihood = ItemCountLikelihood(
    ...     model=model, answers=answers, model_matrix=np.ones((3, 1)), weights=np.ones(3)
    ... )
    >>> float(np.exp(OnChances(likelihood=likelihood).total(np.array([0.0, 0.0, 0.5]))).round(6))
    0.15625
    """

    likelihood: ItemCountLikelihood
    last: LastEvaluation = field(default_factory=LastEvaluation, init=False, repr=False)

    @property
    def within(self) -> Within:
        """The bounds of coefficients, which have none, and of chances."""
        size, first = self._size()
        low, high = np.full(size, -np.inf), np.full(size, np.inf)
        low[first:], high[first:] = _BOUND, 1 - _BOUND
        return low, high

    def logits(self, parameters: Floats) -> Floats:
        """The same with logits in place of chances."""
        first = self._size()[1]
        return np.append(parameters[:first], logit(parameters[first:]))

    def chances(self, parameters: Floats) -> Floats:
        """What has logits, with chances in their place."""
        first = self._size()[1]
        return np.append(parameters[:first], expit(parameters[first:]).clip(_BOUND, 1 - _BOUND))

    def turn(self, parameters: Floats) -> Floats:
        """By how much logits rise with chances, after ones for the coefficients."""
        first = self._size()[1]
        return np.append(np.ones(first), 1 / (parameters[first:] * (1 - parameters[first:])))

    @property
    def weights(self) -> Floats:
        """How often each row counts."""
        return self.likelihood.weights

    def weighed(self, weights: Floats) -> "OnChances":
        """The same with other weights."""
        return OnChances(likelihood=self.likelihood.weighed(weights))

    def total(self, parameters: Floats) -> float:
        """The log-likelihood."""
        return self.likelihood.total(self.logits(parameters))

    def slope(self, parameters: Floats) -> Floats:
        """The gradient, shape (parameters,)."""
        slope: Floats = self.weights @ self.scores(parameters)
        return slope

    def scores(self, parameters: Floats) -> Floats:
        """Each row's gradient, not weighted, shape (n, parameters)."""
        logits = self.logits(parameters)
        scores: Floats = self.likelihood.scores(logits, self._moments(logits)) * self.turn(
            parameters
        )
        return scores

    def informations(self, parameters: Floats) -> Iterator[Callable[[], Floats]]:
        """The observed information, and that of the complete data."""
        logits, turn = self.logits(parameters), self.turn(parameters)
        moments = self._moments(logits)
        observed, complete = self.likelihood.informations(logits, moments)

        def in_chances() -> Floats:
            first = self._size()[1]
            slope = self.weights @ self.likelihood.scores(logits, moments)
            bend = slope[first:] * (1 - 2 * parameters[first:])
            return (observed() + np.diag(np.append(np.zeros(first), bend))) * np.outer(turn, turn)

        yield in_chances
        yield lambda: complete() * np.outer(turn, turn)

    def observed(self, parameters: Floats) -> Floats:
        """The negative second derivatives."""
        return next(self.informations(parameters))()

    def complete(self, parameters: Floats) -> Floats:
        """The information that would be held if everybody's kind were known."""
        return list(self.informations(parameters))[1]()

    def among(self, model: ItemCountModel) -> Integers:
        """Where the parameters are that a model has in which some chances are held."""
        first, fixed = self._size()[1], dict(model.fixed)
        free = [
            index for index, name in enumerate(self.likelihood.model.chances) if name not in fixed
        ]
        return np.append(np.arange(first), first + np.array(free, dtype=np.int64))

    def _moments(self, logits: Floats) -> Moments:
        return self.last.once("moments", logits, self.likelihood.moments)

    def _size(self) -> tuple[int, int]:
        size = len(self.likelihood.model.names)
        return size, size - len(self.likelihood.model.chances)


Climbed = tuple[ItemCountLikelihood, Optimum]


def climbed(problem: ItemCountLikelihood) -> Climbed:
    """Climb from differences in means, and from the top of the model that asks for less.

    Chances that are as likely 0 or 1 are then held there.
    """
    model, starts = problem.model, [problem.start()]
    if not model.constrained:
        simple = replace(problem, model=replace(model, constrained=True, overdispersed=False))
        top = _maximise_logits(simple, simple.start())
        starts.append(_start_unconstrained(simple.model, model, top.parameters, starts[0]))
    if model.levels:
        simple = replace(problem, model=replace(model, condition="none"))
        top = _maximise_logits(simple, simple.start())
        starts.append(np.append(top.parameters, np.zeros(len(model.levels))))
    best = max((_maximise_logits(problem, start) for start in starts), key=lambda top: top.total)
    return _fix_at_edges(problem, best)


def _maximise_logits(problem: ItemCountLikelihood, start: Floats) -> Optimum:
    """Climb from logits to logits."""
    if not problem.model.chances:
        return maximise(problem, start)
    inside = OnChances(likelihood=problem)
    top = maximise(inside, inside.chances(start), inside.within)
    return replace(top, parameters=inside.logits(top.parameters))


def _start_unconstrained(
    smaller: ItemCountModel, larger: ItemCountModel, parameters: Floats, start: Floats
) -> Floats:
    """Where the constrained model's top lies in the larger one."""
    width = 1 + len(larger.terms)
    blocks = {
        name: parameters[i * width : (i + 1) * width] for i, name in enumerate(smaller.blocks)
    }
    coefficients = [blocks.get(name, blocks["control"]) for name in larger.blocks]
    chances = dict(zip(smaller.chances, parameters[width * len(smaller.blocks) :], strict=True))
    last = dict(zip(larger.chances, start[width * len(larger.blocks) :], strict=True))
    return np.concatenate(
        [*coefficients, [chances.get(name, last[name]) for name in larger.chances]]
    )


def _fix_at_edges(problem: ItemCountLikelihood, top: Optimum) -> Climbed:
    """Hold chances, one by one, at 0 or 1 where that is as likely."""
    model = problem.model
    first = len(top.parameters) - len(model.chances)
    for index, name in enumerate(model.chances, start=first):
        share = float(expit(top.parameters[index]))
        if min(share, 1 - share) < _EDGE:
            smaller = replace(model, fixed=(*model.fixed, (name, round(share))))
            optimum = _maximise_logits(
                replace(problem, model=smaller), np.delete(top.parameters, index)
            )
            if optimum.total >= top.total - _AS_LIKELY:
                return _fix_at_edges(replace(problem, model=smaller), optimum)
    return problem, top


def freed(problem: ItemCountLikelihood, parameters: Floats) -> tuple[OnChances, Floats]:
    """The same likelihood and place with no chance held, chances at 0 or 1 next to it.

    >>> from askance.inference import item_count_regression
    >>> counts = [0, 1, 1, 2, 1, 2] * 10 + [0, 1, 2, 2, 3, 2, 1, 1] * 10
    >>> fit = item_count_regression(counts, [0] * 60 + [1] * 80, items=2)
    >>> freed(fit.likelihood, fit.value)[1].shape
    (2,)
    """
    model = problem.model
    free_model = replace(model, fixed=())
    first = len(parameters) - len(model.chances)
    by_name = dict(zip(model.chances, expit(parameters[first:]), strict=True))
    by_name |= {name: float(edge) for name, edge in model.fixed}
    chances = np.array([by_name[name] for name in free_model.chances]).clip(_BOUND, 1 - _BOUND)
    return OnChances(likelihood=replace(problem, model=free_model)), np.append(
        parameters[:first], chances
    )


def curvature(inside: OnChances, parameters: Floats) -> Floats:
    """The information observed; where some chance is held, and none is, that of the rows' slopes.

    At a chance that is held the likelihood may still rise, so what it bends there may be no
    information.

    >>> from askance.inference import item_count_regression
    >>> counts = [0, 1, 1, 2, 1, 2] * 10 + [0, 1, 2, 2, 3, 2, 1, 1] * 10
    >>> fit = item_count_regression(counts, [0] * 60 + [1] * 80, items=2)
    >>> curvature(*freed(fit.likelihood, fit.value)).shape
    (2, 2)
    """
    observed = inside.observed(parameters)
    on_bound = (parameters <= inside.within[0]) | (parameters >= inside.within[1])
    size = np.sqrt(np.abs(np.diag(observed)).clip(np.finfo(float).tiny))
    if not on_bound.any() or np.linalg.eigvalsh(observed / np.outer(size, size))[0] > _SAFE:
        return observed
    scores = inside.scores(parameters)
    products: Floats = scores.T @ (scores * inside.weights[:, None])
    return products


def group_identical_rows(problem: ItemCountLikelihood) -> ItemCountLikelihood:
    """The same likelihood with a row for all people who said the same and have equal covariates.

    >>> from askance.inference import item_count_regression
    >>> counts = [0, 1, 1, 2, 1, 2] * 10 + [0, 1, 2, 2, 3, 2, 1, 1] * 10
    >>> fit = item_count_regression(counts, [0] * 60 + [1] * 80, items=2)
    >>> group_identical_rows(fit.likelihood).weights.tolist()
    [10.0, 30.0, 20.0, 10.0, 30.0, 30.0, 10.0]
    """
    observed = problem.answers
    rows = np.column_stack([observed.arm, observed.count, problem.model_matrix])
    _, first, group = np.unique(rows, axis=0, return_index=True, return_inverse=True)
    weights = np.bincount(group.ravel(), problem.weights).astype(np.float64)
    answers = replace(
        observed, arm=observed.arm[first], count=observed.count[first], weights=weights
    )
    return replace(
        problem, answers=answers, model_matrix=problem.model_matrix[first], weights=weights
    )


class Target(Protocol):
    """A number that the parameters give."""

    @property
    def ends(self) -> tuple[float, float]:
        """Between which it lies, or may as well."""
        ...

    def value(self, parameters: Floats) -> float:
        """The number."""
        ...

    def bends(self, parameters: Floats) -> tuple[Floats, Floats]:
        """Its slope and its curvature by the parameters."""
        ...


@final
@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class LinearTarget:
    """A linear combination of parameters.

    Attributes
    ----------
    factors : array, shape (parameters,)
    ends : (float, float)

    >>> LinearTarget(factors=np.array([1.0, 2.0])).value(np.array([3.0, 1.0]))
    5.0
    """

    factors: Floats
    ends: tuple[float, float] = (-np.inf, np.inf)

    def value(self, parameters: Floats) -> float:
        """The number."""
        return float(self.factors @ parameters)

    def bends(self, parameters: Floats) -> tuple[Floats, Floats]:
        """Its slope, and its curvature of 0."""
        return self.factors, np.zeros((len(parameters),) * 2)


@final
@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class LogOddsOfMean:
    """The log-odds of the mean prevalence of an item.

    Attributes
    ----------
    model_matrix : array, shape (people, c + 1)
    weights : array, shape (people,)
    first : int
        Where the item's coefficients begin.

    >>> two = np.array([[1.0, -1.0], [1.0, 1.0]])
    >>> target = LogOddsOfMean(model_matrix=two, weights=np.ones(2), first=0)
    >>> target.value(np.array([0.0, 1.0])), target.bends(np.array([0.0, 1.0]))[0].round(6).tolist()
    (0.0, [0.786448, 0.0])
    """

    model_matrix: Floats
    weights: Floats
    first: int

    @property
    def ends(self) -> tuple[float, float]:
        """Between which it lies, or may as well."""
        return -_LOG_ODDS, _LOG_ODDS

    def value(self, parameters: Floats) -> float:
        """The number."""
        mean = np.clip(self._part() @ self._shares(parameters), _LEAST, 1 - _LEAST)
        return float(np.log(mean / (1 - mean)))

    def bends(self, parameters: Floats) -> tuple[Floats, Floats]:
        """Its slope and its curvature by the parameters."""
        own, share, part = self._own(), self._shares(parameters), self._part()
        mean, bend = float(part @ share), part * share * (1 - share)
        spread = max(mean * (1 - mean), _LEAST)
        slope, curve = np.zeros(len(parameters)), np.zeros((len(parameters),) * 2)
        slope[own] = bend @ self.model_matrix / spread
        second = (
            self.model_matrix.T @ (self.model_matrix * (bend * (1 - 2 * share))[:, None]) / spread
        )
        curve[own, own] = second - (1 - 2 * mean) * np.outer(slope[own], slope[own])
        return slope, curve

    def _own(self) -> slice:
        return slice(self.first, self.first + self.model_matrix.shape[1])

    def _shares(self, parameters: Floats) -> Floats:
        shares: Floats = expit(self.model_matrix @ parameters[self._own()])
        return shares

    def _part(self) -> Floats:
        part: Floats = self.weights / self.weights.sum()
        return part


@final
@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class _PenalisedLikelihood:
    """A likelihood less what it costs to leave a number: its top lies on the profile.

    Wherever the top is, nothing that gives the same number is more likely.
    """

    inside: OnChances
    target: Target
    value: float
    stiffness: float

    def total(self, parameters: Floats) -> float:
        away = self.target.value(parameters) - self.value
        return self.inside.total(parameters) - self.stiffness * away**2 / 2

    def slope(self, parameters: Floats) -> Floats:
        away, slope = self.target.value(parameters) - self.value, self.target.bends(parameters)[0]
        gradient: Floats = self.inside.slope(parameters) - self.stiffness * away * slope
        return gradient

    def informations(self, parameters: Floats) -> Iterator[Callable[[], Floats]]:
        away, (slope, curve) = (
            self.target.value(parameters) - self.value,
            self.target.bends(parameters),
        )
        bend = np.outer(slope, slope) * self.stiffness
        observed, complete = self.inside.informations(parameters)
        yield lambda: observed() + bend + self.stiffness * away * curve
        yield lambda: observed() + bend
        yield lambda: complete() + bend


@final
@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Profile:
    """How far the log-likelihood falls at least where a number is held away from its top.

    Attributes
    ----------
    inside : OnChances
        No chance held.
    top : array, shape (parameters,)
    plain : array, shape (parameters, parameters)
        The covariance by the curvature.
    covariance : array, shape (parameters, parameters)
        What it is thought to be. Where it is larger a fall counts less (Rao & Scott, 1984).
    critical : float
        The root of the fall in twice the log-likelihood that is no longer believed.
    """

    inside: OnChances
    top: Floats
    plain: Floats
    covariance: Floats
    critical: float

    def chance(self, index: int) -> tuple[float, float]:
        """All values of a chance that are not refused."""
        factors = np.eye(len(self.top))[index]
        low, high = self.interval(LinearTarget(factors=factors, ends=(2 * _BOUND, 1 - 2 * _BOUND)))
        return low if low > 2 * _BOUND else 0.0, high if high < 1 - 2 * _BOUND else 1.0

    def interval(self, target: Target) -> tuple[float, float]:
        """All values of a number that are not refused."""
        slope = target.bends(self.top)[0]
        along = self.plain @ slope
        se = float(np.sqrt(slope @ along))
        critical = self.critical * float(np.sqrt(slope @ self.covariance @ slope)) / se
        low, high = (
            _Search(
                inside=self.inside,
                target=target,
                top=self.top,
                most=self.inside.total(self.top),
                along=sign * along / se,
                se=sign * se,
                critical=critical,
            ).end()
            for sign in (-1, 1)
        )
        return low, high


@final
@dataclass(frozen=True, slots=True, eq=False)
class _Point:
    """A number held so many standard errors away: what is too much of the fall, and where."""

    steps: float
    excess: float
    value: float
    parameters: Floats


@final
@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class _Search:
    """Where the likelihood has fallen far enough, on one side."""

    inside: OnChances
    target: Target
    top: Floats
    most: float
    along: Floats
    se: float
    critical: float

    def end(self) -> float:
        """Go outward until the likelihood has fallen far enough, then look between (Illinois)."""
        end = self.target.ends[int(self.se > 0)]
        near = _Point(0.0, -self.critical, self.target.value(self.top), self.top)
        far, start = None, self.top + self.critical * self.along
        while far is None:
            steps = _WIDEN * near.steps or self.critical
            if steps > _FARTHEST or (near.value - end) * self.se >= 0:
                return end
            reached = self._refit(steps, start)
            near, far = (near, reached) if reached.excess >= 0 else (reached, None)
            start = reached.parameters
        return self._search_between(near, far)

    def _search_between(self, near: _Point, far: _Point) -> float:
        low, high, last = near.excess, far.excess, far
        for _ in range(_MOST):
            if abs(last.excess) < _CLOSE or far.steps - near.steps < _CLOSE:
                break
            part = low / (low - high)
            start = near.parameters + part * (far.parameters - near.parameters)
            again, last = last, self._refit(near.steps + part * (far.steps - near.steps), start)
            same_sign = (again.excess < 0) == (last.excess < 0)
            if last.excess < 0:
                near, low, high = last, last.excess, high / 2 if same_sign else high
            else:
                far, low, high = last, low / 2 if same_sign else low, last.excess
        other = far if last is near else near
        part = last.excess / (last.excess - other.excess)
        return last.value + part * (other.value - last.value)

    def _refit(self, steps: float, start: Floats) -> _Point:
        value = self.target.value(self.top) + steps * self.se
        penalised = _PenalisedLikelihood(
            inside=self.inside, target=self.target, value=value, stiffness=_STIFF / self.se**2
        )
        parameters = maximise(
            penalised, start.clip(*self.inside.within), self.inside.within
        ).parameters
        fall = self.most - self.inside.total(parameters)
        excess = float(np.sqrt(2 * max(fall, 0.0))) - self.critical
        return _Point(steps, excess, self.target.value(parameters), parameters)
