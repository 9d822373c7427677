"""Regressions of a list experiment whose mean shares are held at the differences in means.

A difference in means needs no model of shares by covariates, nor of counts. Where such a model is
wrong, the mean of what it predicts is not the share of all people; held there, it cannot be far
off. Held are the intercepts: each is what its slopes make of it, by least squares and by maximum
likelihood.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import final

import numpy as np
from scipy.special import expit, logit

from askance.errors import NotIdentified
from askance.inference.climb import Optimum, maximise
from askance.inference.list_experiments.item_count_model import (
    ItemCountLikelihood,
    Moments,
)
from askance.inference.list_experiments.item_count_profile import climbed
from askance.inference.list_experiments.item_count_squares import LeastSquares, Step, item_link
from askance.inference.list_experiments.item_tally import ListAnswers
from askance.typing import Booleans, Floats

_NEAR = 1e-12  # of an intercept, before its last step
_FARTHEST = 4.0  # log-odds of where a climb begins


def difference(said: ListAnswers, weights: Floats, item: int) -> float:
    """The mean count of those who saw an item, less that of the control group, as weighted.

    >>> from askance.inference.list_experiments.item_tally import answers_of
    >>> said = answers_of([0, 2, 1, 2], [0, 0, 1, 1], items=2, control=0, data=None, weights=None)
    >>> difference(said, np.ones(4), 0)
    0.5
    """
    rows = (np.where(said.arm == arm, weights, 0.0) for arm in (item + 1, 0))
    seen, control = (float(np.average(said.count, weights=row)) for row in rows)
    return seen - control


def _share_of_all(said: ListAnswers, weights: Floats, item: int, where: str) -> float:
    """The difference in means of an item, refused if log-odds cannot have it for a mean share."""
    mean = difference(said, weights, item)
    if not 0 < mean < 1:
        raise NotIdentified(
            where,
            got=f"a difference in means of {mean:.4g} for {said.sensitive[item]}",
            allowed="one between 0 and 1, for log-odds held there",
            remedy='leave anchored out, or ask for least squares with link="identity"',
        )
    return mean


def _intercept(mean: float, rest: Floats, weights: Floats) -> float:
    """The intercept of log-odds at which the mean share is what it must be."""
    from scipy.optimize import brentq

    def beyond(at: float) -> float:
        return float(np.average(expit(at + rest), weights=weights)) - mean

    odds, kept = float(logit(mean)), rest[weights > 0]
    low, high = odds - float(kept.max()), odds - float(kept.min())
    if not low < high:
        return low
    at = float(brentq(beyond, low - _NEAR, high + _NEAR, xtol=_NEAR))
    share = expit(at + rest)
    return at - beyond(at) / float(np.average(share * (1 - share), weights=weights))


def _along(X: Floats, by: Floats) -> Floats:
    """How much an intercept moves with each slope, by what shares gain with their predictors."""
    moved: Floats = -(by @ X[:, 1:]) / by.sum()
    return moved


@final
@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class AnchoredStep:
    """The slopes of one item, by which half the sum of squares falls, its mean share held.

    Attributes
    ----------
    step : Step
        The same without that.
    mean : float
        The mean share of all people, as weighted.
    """

    step: Step
    mean: float

    def placed(self, slopes: Floats) -> Floats:
        """The intercept at which the mean share is what it must be, and the slopes."""
        rest = self.step.whole.design[:, 1:] @ slopes
        return np.append(self._intercept(rest), slopes)

    def total(self, slopes: Floats) -> float:
        """Half the sum of squares, turned round."""
        return self.step.total(self.placed(slopes))

    def slope(self, slopes: Floats) -> Floats:
        """Its gradient, the intercept moving as it must."""
        part = self.placed(slopes)
        held: Floats = self.turn(part).T @ self.step.slope(part)
        return held

    def informations(self, slopes: Floats) -> Iterator[Callable[[], Floats]]:
        """What Gauss and Newton take for its curvature."""
        part = self.placed(slopes)
        turn, (_, information) = self.turn(part), self.step.informations(part)
        yield lambda: turn.T @ information() @ turn

    def turn(self, part: Floats) -> Floats:
        """By how much the intercept and the slopes move with the slopes, shape (c + 1, c)."""
        X = self.step.whole.design
        by = self.step.whole.weights * self._chances(X @ part)[1]
        return np.vstack([_along(X, by), np.eye(len(part) - 1)])

    def lowest(self, near: Floats | None = None) -> Optimum:
        """The best of all climbs, or that from some coefficients; the intercept is the first."""
        starts = [one[1:] for one in (self.step.starts()[:2] if near is None else [near])]
        if not len(starts[0]):
            at = self.placed(starts[0])
            return Optimum(parameters=at, total=self.step.total(at), gap=0.0, settled=True)
        best = max((maximise(self, one) for one in starts), key=lambda top: top.total)
        return Optimum(
            parameters=self.placed(best.parameters),
            total=best.total,
            gap=best.gap,
            settled=best.settled,
        )

    def _chances(self, eta: Floats) -> tuple[Floats, Floats, Floats]:
        return item_link(self.step.whole.link).chances(eta)

    def _intercept(self, rest: Floats) -> float:
        w = self.step.whole.weights
        if self.step.whole.link == "identity":
            return self.mean - float(np.average(rest, weights=w))
        return _intercept(self.mean, rest, w)


def anchored_step(squares: LeastSquares, at: Floats, item: int) -> AnchoredStep:
    """Hold the mean share of an item at its difference in means.

    Raises
    ------
    NotIdentified
        If that is no share that log-odds could have.
    """
    said, w, where = squares.answers, squares.weights, "item_count_least_squares"
    free = squares.link == "identity"
    mean = difference(said, w, item) if free else _share_of_all(said, w, item, where)
    return AnchoredStep(step=Step(whole=squares, at=at, block=item), mean=mean)


def anchored_influence(squares: LeastSquares, at: Floats) -> Floats:
    r"""How much each row moves each coefficient, not weighted, shape (n, parameters).

    .. math:: \begin{pmatrix} H & c \\ c^T & 0 \end{pmatrix}
              \begin{pmatrix} d\delta \\ d\lambda \end{pmatrix} =
              \begin{pmatrix} (t r - \lambda) f x - K \, d\gamma \\
              \hat\tau - F + W d\tau \end{pmatrix}

    with λ Lagrange's multiplier of the constraint, r the residual, F the share, f its derivative,
    H and c the derivatives of both equations, K that of the first by the control items'
    coefficients γ, τ the difference in means and W the sum of weights: the equations of Huber
    (1967), solved for each row. Residuals are not taken as 0 on average, as only those of a right
    model are.

    >>> from askance.inference.list_experiments.item_tally import answers_of
    >>> said = answers_of([0, 2, 1, 2], [0, 0, 1, 1], items=2, control=0, data=None, weights=None)
    >>> lines = {"design": np.ones((4, 1)), "weights": np.ones(4), "link": "identity"}
    >>> anchored_influence(LeastSquares(answers=said, **lines), np.array([0.5, 1.0]))[:, 0].tolist()
    [0.5, -0.5, -0.25, 0.25]
    """
    control = _control_influence(squares, at)
    items = range(len(squares.answers.sensitive))
    return np.hstack([*(_own_influence(squares, at, item, control) for item in items), control])


def _control_influence(squares: LeastSquares, at: Floats) -> Floats:
    """That on the control items' coefficients, by the control group alone."""
    X, k = squares.design, squares.design.shape[1]
    free = squares.answers.arm == 0
    many = 1 if squares.link == "identity" else squares.answers.items
    held, rise, bend = item_link(squares.link).chances(X @ at[-k:])
    left = np.where(free, squares.answers.count - many * held, 0.0)
    curve = free * (many * rise) ** 2 - left * many * bend
    inner = X.T @ (X * (squares.weights * curve)[:, None])
    influence: Floats = np.linalg.solve(inner, (X * (left * many * rise)[:, None]).T).T
    return influence


def _own_influence(squares: LeastSquares, at: Floats, item: int, control: Floats) -> Floats:
    """That on the coefficients of one item."""
    X, w, said = squares.design, squares.weights, squares.answers
    k, seen = X.shape[1], said.arm == item + 1
    share, f, bend = item_link(squares.link).chances(X @ at[item * k : (item + 1) * k])
    mean, _, rise = squares.means(at)
    left = np.where(seen, said.count - mean, 0.0)
    pull = float(w @ (left * f)) / float(w @ f)  # λ: the intercept's equation is solved by it
    H = X.T @ (X * (w * (seen * f**2 - left * bend + pull * bend))[:, None])
    K = X.T @ (X * (w * seen * f * rise)[:, None])
    c = (w * f) @ X
    first = X * ((left - pull) * f)[:, None] - control @ K.T
    second = difference(said, w, item) - share + w.sum() * _of_means(said, w, item)
    return _bordered(H, c[:, None], first, second[:, None])


def _bordered(H: Floats, c: Floats, first: Floats, second: Floats) -> Floats:
    """Solve the equations of what is held, of which c are the derivatives, for each row."""
    border = np.block([[H, c], [c.T, np.zeros((c.shape[1],) * 2)]])
    sides = np.column_stack([first, second])
    influence: Floats = np.linalg.solve(border, sides.T).T[:, : len(H)]
    return influence


def _of_means(said: ListAnswers, w: Floats, item: int) -> Floats:
    """How much each row moves the difference in means, not weighted."""
    told = np.zeros(len(w))
    for arm, sign in ((item + 1, 1.0), (0, -1.0)):
        rows = said.arm == arm
        mean = float(np.average(said.count[rows], weights=w[rows]))
        told[rows] = sign * (said.count[rows] - mean) / w[rows].sum()
    return told


@final
@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class AnchoredLikelihood:
    """A likelihood without its items' intercepts, which are as mean shares must have them.

    Attributes
    ----------
    whole : ItemCountLikelihood
        Without chances that no covariate moves.
    means : tuple of float
        The mean share of each item among all people, as weighted.

    >>> from askance.inference import item_count_regression
    >>> said = [0, 1, 1, 2, 1, 2] * 10 + [0, 1, 2, 2, 3, 2, 1, 1] * 10
    >>> fit = item_count_regression(said, [0] * 60 + [1] * 80, items=2)
    >>> AnchoredLikelihood(whole=fit.likelihood, means=(0.25,)).placed(np.zeros(1)).round(4)
    array([-1.0986,  0.    ])
    """

    whole: ItemCountLikelihood
    means: tuple[float, ...]

    @property
    def free(self) -> Booleans:
        """Which coefficients are not the intercepts of items."""
        free: Booleans = np.ones(len(self.whole.model.names), dtype=bool)
        free[[own.start for own in self._blocks()]] = False
        return free

    @property
    def names(self) -> list[str]:
        """What the others multiply."""
        return [one for one, free in zip(self.whole.model.names, self.free, strict=True) if free]

    def kept(self, at: Floats) -> Floats:
        """All but the intercepts."""
        return at[self.free]

    def placed(self, free: Floats) -> Floats:
        """All coefficients, with the intercepts in their places."""
        at = np.zeros(len(self.free))
        at[self.free] = free
        X, w = self.whole.design, self.whole.weights
        for mean, own in zip(self.means, self._blocks(), strict=True):
            at[own.start] = _intercept(mean, X[:, 1:] @ at[own][1:], w)
        return at

    def total(self, free: Floats) -> float:
        """The log-likelihood."""
        return self.whole.total(self.placed(free))

    def slope(self, free: Floats) -> Floats:
        """Its gradient, the intercepts moving as they must."""
        at = self.placed(free)
        slope: Floats = self.turn(at).T @ self.whole.slope(at)
        return slope

    def informations(self, free: Floats) -> Iterator[Callable[[], Floats]]:
        """The observed information, intercepts bending as they must, and that of complete data."""
        at = self.placed(free)
        turn, seen = self.turn(at), self.whole.moments(at)
        _, complete = self.whole.informations(at, seen)
        yield lambda: turn.T @ self.bent(at, seen) @ turn
        yield lambda: turn.T @ complete() @ turn

    def observed(self, at: Floats) -> Floats:
        """The information of those that are free, at all coefficients."""
        turn = self.turn(at)
        held: Floats = turn.T @ self.bent(at, self.whole.moments(at)) @ turn
        return held

    def turn(self, at: Floats) -> Floats:
        """By how much all coefficients move with those that are free."""
        turn: Floats = np.eye(len(at))[:, self.free]
        for own in self._blocks():
            slopes = turn[own][1:]
            turn[own.start] = _along(self.whole.design, self.gains(at, own)[0]) @ slopes
        return turn

    def bent(self, at: Floats, seen: Moments) -> Floats:
        """The information observed with what it costs that shares are held, by their multipliers.

        λ is the slope by an intercept as a part of what the sum of shares gains by it.
        """
        X, bent = self.whole.design, next(self.whole.informations(at, seen))()
        slope = self.whole.weights @ self.whole.scores(at, seen)
        for own in self._blocks():
            by, curve = self.gains(at, own)
            bent[own, own] += slope[own.start] / by.sum() * (X * curve[:, None]).T @ X
        return bent

    def gains(self, at: Floats, own: slice) -> tuple[Floats, Floats]:
        """The first two derivatives of each weighted share by its predictor."""
        share = expit(self.whole.design @ at[own])
        first: Floats = self.whole.weights * share * (1 - share)
        return first, first * (1 - 2 * share)

    def influence(self, at: Floats) -> Floats:
        """How much each row moves each coefficient, not weighted, shape (n, parameters).

        The equations are those of `anchored_influence`, with the likelihood's slopes.
        """
        X, w, said = self.whole.design, self.whole.weights, self.whole.answers
        seen = self.whole.moments(at)
        first = self.whole.scores(at, seen)
        slope = w @ first
        c, second = np.zeros((len(at), len(self.means))), np.empty((len(w), len(self.means)))
        for item, own in enumerate(self._blocks()):
            by, share = self.gains(at, own)[0], expit(X @ at[own])
            first[:, own] -= X * (slope[own.start] / by.sum() * share * (1 - share))[:, None]
            c[own, item] = by @ X
            second[:, item] = self.means[item] - share + w.sum() * _of_means(said, w, item)
        return _bordered(self.bent(at, seen), c, first, second)

    def _blocks(self) -> list[slice]:
        """Where the coefficients of each item stand."""
        k = self.whole.design.shape[1]
        return [slice(item * k, (item + 1) * k) for item in range(len(self.means))]


def anchored_likelihood(
    whole: ItemCountLikelihood, near: Floats | None = None
) -> tuple[AnchoredLikelihood, Optimum]:
    """Hold the mean share of every item at its difference in means, and climb, or from near by.

    Raises
    ------
    NotIdentified
        If that is no share that log-odds could have.
    """
    said, w, where = whole.answers, whole.weights, "item_count_regression"
    items = range(len(said.sensitive))
    means = tuple(_share_of_all(said, w, item, where) for item in items)
    held = AnchoredLikelihood(whole=whole, means=means)
    start = climbed(whole)[1].parameters.clip(-_FARTHEST, _FARTHEST) if near is None else near
    return held, maximise(held, held.kept(start))
