"""Regressions of a list experiment whose mean shares are fixed at the differences in means.

A difference in means needs no model of shares by covariates, nor of counts. Where such a model is
wrong, the mean of what it predicts is not the share of all people; fixed there, it cannot be far
off. Held are the intercepts: each is what its slopes make of it, by least squares and by maximum
likelihood.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import final

import numpy as np
from scipy.special import expit, logit

from askance.inference.list_experiments.item_count_model import (
    ItemCountLikelihood,
    Moments,
    maximise_item_counts,
)
from askance.inference.list_experiments.item_tally import ListAnswers
from askance.inference.maximisation import Optimum, maximise
from askance.inference.regression.answer_model import AnswerLink, answer_link
from askance.inference.regression.covariates import gram
from askance.typing import Booleans, Floats
from askance_collect.errors import NotIdentified

_RARE = 0.05  # shares between which and its opposite the maximisation begins
_IDENTITY = AnswerLink(
    "identity", lambda eta: (eta, np.ones_like(eta), np.zeros_like(eta)), lambda share: share
)


def item_link(name: str) -> AnswerLink:
    """Find a link of shares by its name: "logit", or "identity".

    >>> [part.tolist() for part in item_link("identity").chances(np.array([0.3]))]
    [[0.3], [1.0], [0.0]]
    """
    return _IDENTITY if name == "identity" else answer_link(name)


@final
@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class LeastSquares:
    """The mean counts of a list experiment, and the equations that least squares solve.

    Attributes
    ----------
    answers : ListAnswers
    model_matrix : array, shape (n, c + 1)
        Covariates, after a column of ones.
    weights : array, shape (n,)
    link : str

    >>> from askance.inference.list_experiments.item_tally import answers_of
    >>> lists = {"items": 2, "control": 0, "data": None, "weights": None}
    >>> answers = answers_of([0, 2, 1, 2], [0, 0, 1, 1], **lists)
    >>> ones = np.ones((4, 1))
    >>> weights = np.ones(4)
    >>> means = LeastSquares(answers=answers, model_matrix=ones, weights=weights, link="identity")
    >>> means.scores(np.array([0.5, 1.0])).sum(axis=0).tolist()
    [0.0, 0.0]
    """

    answers: ListAnswers
    model_matrix: Floats
    weights: Floats
    link: str

    def weighed(self, weights: Floats) -> "LeastSquares":
        """The same with other weights."""
        return replace(self, weights=weights)

    def means(self, parameters: Floats) -> tuple[Floats, Floats, Floats]:
        """The mean count of each row, and its slopes by both predictors, shape (n,) each."""
        k, arm = self.model_matrix.shape[1], self.answers.arm
        linear = self.model_matrix @ parameters.reshape(-1, k).T
        control, own = linear[:, -1], linear[np.arange(len(arm)), arm - 1]
        if self.link == "identity":
            ones = np.ones(len(arm))
            return control + np.where(arm > 0, own, 0.0), ones * (arm > 0), ones
        chances, items = answer_link(self.link).chances, self.answers.items
        (share, slope, _), (control_share, rise, _) = chances(own), chances(control)
        treated = arm > 0
        return items * control_share + np.where(treated, share, 0.0), slope * treated, items * rise

    def scores(self, parameters: Floats) -> Floats:
        """What each row adds to the equations, not weighted, shape (n, parameters).

        Of the control group the residual times the slope of the mean by the control items'
        coefficients; of others by those of their sensitive item.
        """
        mean, own, control = self.means(parameters)
        residual = self.answers.count - mean
        blocks = [
            (residual * self._slope(block, own, control))[:, None] * self.model_matrix
            for block in self.blocks()
        ]
        return np.hstack(blocks)

    def slopes(self, parameters: Floats) -> Floats:
        """The derivatives of the equations, turned round, residuals taken as 0 on average."""
        _, own, control = self.means(parameters)
        blocks = self.blocks()
        k, last = self.model_matrix.shape[1], len(blocks) - 1
        matrix = np.zeros((len(blocks), k, len(blocks), k))
        for at_block, block in enumerate(blocks):
            slope = self._slope(block, own, control) * self.weights
            for other, by in ((at_block, own if block else control), (last, control)):
                matrix[at_block, :, other] = self.model_matrix.T @ (
                    self.model_matrix * (slope * by)[:, None]
                )
        return matrix.reshape(len(blocks) * k, -1)

    def blocks(self) -> list[int]:
        """Whose rows each block of equations sums: those of the items, then the control group."""
        return [*range(1, len(self.answers.sensitive) + 1), 0]

    def _slope(self, block: int, own: Floats, control: Floats) -> Floats:
        return np.where(self.answers.arm == block, own if block else control, 0.0)


@final
@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class GroupStep:
    """The coefficients of one group, all else fixed, by which half the sum of squares falls.

    Attributes
    ----------
    squares : LeastSquares
    parameters : array, shape (parameters,)
        All coefficients, those of the group to be replaced.
    block : int
        Whose, in the order of the coefficients: an item's, or the last, the control group's.
    """

    squares: LeastSquares
    parameters: Floats
    block: int

    @property
    def own(self) -> slice:
        """Where the coefficients of the group stand."""
        k = self.squares.model_matrix.shape[1]
        return slice(self.block * k, (self.block + 1) * k)

    def placed(self, part: Floats) -> Floats:
        """All coefficients, with these in their place."""
        parameters = self.parameters.copy()
        parameters[self.own] = part
        return parameters

    def residuals(self, part: Floats) -> Floats:
        """What the mean counts leave of each count."""
        return np.asarray(self.squares.answers.count - self.squares.means(self.placed(part))[0])

    def total(self, part: Floats) -> float:
        """Half the sum of squares, turned round."""
        return -float(self.weights() @ self.residuals(part) ** 2) / 2

    def slope(self, part: Floats) -> Floats:
        """Its gradient."""
        return self.squares.weights @ self.squares.scores(self.placed(part))[:, self.own]

    def informations(self, part: Floats) -> Iterator[Callable[[], Floats]]:
        """Its curvature, turned round; and what Gauss and Newton take for it, residuals as 0."""
        yield lambda: self.curvature(part)
        yield lambda: self.squares.slopes(self.placed(part))[self.own, self.own]

    def curvature(self, part: Floats) -> Floats:
        """The second derivatives of half the sum of squares."""
        squares, control = self.squares, self.own.stop == len(self.parameters)
        many = squares.answers.items if control and squares.link != "identity" else 1
        _, rise, bend = item_link(squares.link).chances(squares.model_matrix @ part)
        curve = (many * rise) ** 2 - self.residuals(part) * many * bend
        return gram(squares.model_matrix, self.weights() * curve)

    def weights(self) -> Floats:
        """Those of the people of the group; 0 for the others."""
        group = self.squares.answers.arm == self.squares.blocks()[self.block]
        return np.where(group, self.squares.weights, 0.0)

    def starts(self) -> list[Floats]:
        """Where maximisations begin: straight lines, a mean without slopes, and 0.

        Sums of squares may have several low points, unlike those of straight lines.
        """
        squares, flat = self.squares, np.zeros(self.own.stop - self.own.start)
        if squares.link == "identity":
            return [flat]
        X, rows = squares.model_matrix, self.weights()
        lines = np.linalg.solve(
            gram(X, rows), X.T @ (rows * self.residuals(flat))
        )  # shares even there
        if self.own.stop == len(self.parameters):
            lines /= squares.answers.items
        share = float(np.clip(0.5 + lines[0], _RARE, 1 - _RARE))
        lines /= share * (1 - share)
        lines[0] = logit(share)
        return [lines, np.append(lines[0], flat[1:]), flat][: 3 if len(flat) > 1 else 1]

    def lowest(self, near: Floats | None = None) -> Optimum:
        """The best of all maximisations, or that from some coefficients."""
        starts = self.starts() if near is None else [near]
        return max((maximise(self, start) for start in starts), key=lambda top: top.total)


_NEAR = 1e-12  # of an intercept, before its last step
_FARTHEST = 4.0  # log-odds of where a maximisation begins


def difference(answers: ListAnswers, weights: Floats, item: int) -> float:
    """The mean count of those who saw an item, less that of the control group, as weighted.

    >>> from askance.inference.list_experiments.item_tally import answers_of
    >>> lists = {"items": 2, "control": 0, "data": None, "weights": None}
    >>> difference(answers_of([0, 2, 1, 2], [0, 0, 1, 1], **lists), np.ones(4), 0)
    0.5
    """
    rows = (np.where(answers.arm == arm, weights, 0.0) for arm in (item + 1, 0))
    treated, control = (float(np.average(answers.count, weights=row)) for row in rows)
    return treated - control


def _anchor_share(answers: ListAnswers, weights: Floats, item: int, where: str) -> float:
    """The difference in means of an item, refused if log-odds cannot have it for a mean share."""
    mean = difference(answers, weights, item)
    if not 0 < mean < 1:
        raise NotIdentified(
            where,
            got=f"a difference in means of {mean:.4g} for {answers.sensitive[item]}",
            allowed="one between 0 and 1, for log-odds held there",
            remedy='leave anchored out, or ask for least squares with link="identity"',
        )
    return mean


def _intercept(mean: float, rest: Floats, weights: Floats) -> float:
    """The intercept of log-odds at which the mean share is what it must be."""
    from scipy.optimize import brentq

    def beyond(intercept: float) -> float:
        return float(np.average(expit(intercept + rest), weights=weights)) - mean

    odds, counted = float(logit(mean)), rest[weights > 0]
    low, high = odds - float(counted.max()), odds - float(counted.min())
    if not low < high:
        return low
    intercept = float(brentq(beyond, low - _NEAR, high + _NEAR, xtol=_NEAR))
    share = expit(intercept + rest)
    return intercept - beyond(intercept) / float(np.average(share * (1 - share), weights=weights))


def _intercept_rates(X: Floats, by: Floats) -> Floats:
    """How much an intercept moves with each slope, by what shares gain with their predictors."""
    rates: Floats = -(by @ X[:, 1:]) / by.sum()
    return rates


@final
@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class AnchoredStep:
    """The slopes of one item, by which half the sum of squares falls, its mean share fixed.

    Attributes
    ----------
    step : GroupStep
        The same without that.
    mean : float
        The mean share of all people, as weighted.
    """

    step: GroupStep
    mean: float

    def placed(self, slopes: Floats) -> Floats:
        """The intercept at which the mean share is what it must be, and the slopes."""
        rest = self.step.squares.model_matrix[:, 1:] @ slopes
        return np.append(self._intercept(rest), slopes)

    def total(self, slopes: Floats) -> float:
        """Half the sum of squares, turned round."""
        return self.step.total(self.placed(slopes))

    def slope(self, slopes: Floats) -> Floats:
        """Its gradient, the intercept moving as it must."""
        part = self.placed(slopes)
        return self.turn(part).T @ self.step.slope(part)

    def informations(self, slopes: Floats) -> Iterator[Callable[[], Floats]]:
        """What Gauss and Newton take for its curvature."""
        part = self.placed(slopes)
        turn, (_, information) = self.turn(part), self.step.informations(part)
        yield lambda: turn.T @ information() @ turn

    def turn(self, part: Floats) -> Floats:
        """By how much the intercept and the slopes move with the slopes, shape (c + 1, c)."""
        X = self.step.squares.model_matrix
        by = self.step.squares.weights * self._chances(X @ part)[1]
        return np.vstack([_intercept_rates(X, by), np.eye(len(part) - 1)])

    def lowest(self, near: Floats | None = None) -> Optimum:
        """The best of all maximisations, or that from some coefficients, intercept first."""
        starts = [start[1:] for start in (self.step.starts()[:2] if near is None else [near])]
        if not len(starts[0]):
            parameters = self.placed(starts[0])
            return Optimum(
                parameters=parameters, total=self.step.total(parameters), gap=0.0, settled=True
            )
        best = max((maximise(self, start) for start in starts), key=lambda top: top.total)
        return Optimum(
            parameters=self.placed(best.parameters),
            total=best.total,
            gap=best.gap,
            settled=best.settled,
        )

    def _chances(self, eta: Floats) -> tuple[Floats, Floats, Floats]:
        return item_link(self.step.squares.link).chances(eta)

    def _intercept(self, rest: Floats) -> float:
        w = self.step.squares.weights
        if self.step.squares.link == "identity":
            return self.mean - float(np.average(rest, weights=w))
        return _intercept(self.mean, rest, w)


def anchored_step(squares: LeastSquares, parameters: Floats, item: int) -> AnchoredStep:
    """Hold the mean share of an item at its difference in means.

    Raises
    ------
    NotIdentified
        If that is no share that log-odds could have.
    """
    answers, w, where = squares.answers, squares.weights, "item_count_least_squares"
    free = squares.link == "identity"
    mean = difference(answers, w, item) if free else _anchor_share(answers, w, item, where)
    return AnchoredStep(
        step=GroupStep(squares=squares, parameters=parameters, block=item), mean=mean
    )


def anchored_influence(squares: LeastSquares, parameters: Floats) -> Floats:
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
    >>> lists = {"items": 2, "control": 0, "data": None, "weights": None}
    >>> answers = answers_of([0, 2, 1, 2], [0, 0, 1, 1], **lists)
    >>> lines = {"model_matrix": np.ones((4, 1)), "weights": np.ones(4), "link": "identity"}
    >>> squares = LeastSquares(answers=answers, **lines)
    >>> anchored_influence(squares, np.array([0.5, 1.0]))[:, 0].tolist()
    [0.5, -0.5, -0.25, 0.25]
    """
    control = _control_influence(squares, parameters)
    items = range(len(squares.answers.sensitive))
    return np.hstack(
        [*(_own_influence(squares, parameters, item, control) for item in items), control]
    )


def _control_influence(squares: LeastSquares, parameters: Floats) -> Floats:
    """That on the control items' coefficients, by the control group alone."""
    X, k = squares.model_matrix, squares.model_matrix.shape[1]
    free = squares.answers.arm == 0
    many = 1 if squares.link == "identity" else squares.answers.items
    share, rise, bend = item_link(squares.link).chances(X @ parameters[-k:])
    residual = np.where(free, squares.answers.count - many * share, 0.0)
    curve = free * (many * rise) ** 2 - residual * many * bend
    inner = X.T @ (X * (squares.weights * curve)[:, None])
    return np.linalg.solve(inner, (X * (residual * many * rise)[:, None]).T).T


def _own_influence(squares: LeastSquares, parameters: Floats, item: int, control: Floats) -> Floats:
    """That on the coefficients of one item."""
    X, w, answers = squares.model_matrix, squares.weights, squares.answers
    k, treated = X.shape[1], answers.arm == item + 1
    share, f, bend = item_link(squares.link).chances(X @ parameters[item * k : (item + 1) * k])
    mean, _, rise = squares.means(parameters)
    residual = np.where(treated, answers.count - mean, 0.0)
    pull = float(w @ (residual * f)) / float(w @ f)  # λ: the intercept's equation is solved by it
    H = X.T @ (X * (w * (treated * f**2 - residual * bend + pull * bend))[:, None])
    K = X.T @ (X * (w * treated * f * rise)[:, None])
    c = (w * f) @ X
    first = X * ((residual - pull) * f)[:, None] - control @ K.T
    second = (
        difference(answers, w, item) - share + w.sum() * _difference_influence(answers, w, item)
    )
    return _solve_bordered(H, c[:, None], first, second[:, None])


def _solve_bordered(H: Floats, c: Floats, first: Floats, second: Floats) -> Floats:
    """Solve the bordered equations of constraints with derivatives c, for each row."""
    border = np.block([[H, c], [c.T, np.zeros((c.shape[1],) * 2)]])
    sides = np.column_stack([first, second])
    return np.linalg.solve(border, sides.T).T[:, : len(H)]


def _difference_influence(answers: ListAnswers, w: Floats, item: int) -> Floats:
    """How much each row moves the difference in means, not weighted."""
    influence = np.zeros(len(w))
    for arm, sign in ((item + 1, 1.0), (0, -1.0)):
        rows = answers.arm == arm
        mean = float(np.average(answers.count[rows], weights=w[rows]))
        influence[rows] = sign * (answers.count[rows] - mean) / w[rows].sum()
    return influence


@final
@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class AnchoredLikelihood:
    """A likelihood without its items' intercepts, which are as mean shares must have them.

    Attributes
    ----------
    likelihood : ItemCountLikelihood
        Without chances that no covariate moves.
    means : tuple of float
        The mean share of each item among all people, as weighted.

    >>> from askance.inference import item_count_regression
    >>> counts = [0, 1, 1, 2, 1, 2] * 10 + [0, 1, 2, 2, 3, 2, 1, 1] * 10
    >>> fit = item_count_regression(counts, [0] * 60 + [1] * 80, items=2)
    >>> AnchoredLikelihood(likelihood=fit.likelihood, means=(0.25,)).placed(np.zeros(1)).round(4)
    array([-1.0986,  0.    ])
    """

    likelihood: ItemCountLikelihood
    means: tuple[float, ...]

    @property
    def free(self) -> Booleans:
        """Which coefficients are not the intercepts of items."""
        free: Booleans = np.ones(len(self.likelihood.model.names), dtype=bool)
        free[[own.start for own in self._blocks()]] = False
        return free

    @property
    def names(self) -> list[str]:
        """What the others multiply."""
        return [
            name for name, free in zip(self.likelihood.model.names, self.free, strict=True) if free
        ]

    def without_intercepts(self, parameters: Floats) -> Floats:
        """All but the intercepts."""
        return parameters[self.free]

    def placed(self, free: Floats) -> Floats:
        """All coefficients, with the intercepts in their places."""
        parameters = np.zeros(len(self.free))
        parameters[self.free] = free
        X, w = self.likelihood.model_matrix, self.likelihood.weights
        for mean, own in zip(self.means, self._blocks(), strict=True):
            parameters[own.start] = _intercept(mean, X[:, 1:] @ parameters[own][1:], w)
        return parameters

    def total(self, free: Floats) -> float:
        """The log-likelihood."""
        return self.likelihood.total(self.placed(free))

    def slope(self, free: Floats) -> Floats:
        """Its gradient, the intercepts moving as they must."""
        parameters = self.placed(free)
        return self.turn(parameters).T @ self.likelihood.slope(parameters)

    def informations(self, free: Floats) -> Iterator[Callable[[], Floats]]:
        """The observed information, intercepts bending as they must, and that of complete data."""
        parameters = self.placed(free)
        turn, moments = self.turn(parameters), self.likelihood.moments(parameters)
        _, complete = self.likelihood.informations(parameters, moments)
        yield lambda: turn.T @ self.bent(parameters, moments) @ turn
        yield lambda: turn.T @ complete() @ turn

    def observed(self, parameters: Floats) -> Floats:
        """The information of those that are free, at all coefficients."""
        turn = self.turn(parameters)
        return turn.T @ self.bent(parameters, self.likelihood.moments(parameters)) @ turn

    def turn(self, parameters: Floats) -> Floats:
        """By how much all coefficients move with those that are free."""
        turn: Floats = np.eye(len(parameters))[:, self.free]
        for own in self._blocks():
            slopes = turn[own][1:]
            turn[own.start] = (
                _intercept_rates(self.likelihood.model_matrix, self.gains(parameters, own)[0])
                @ slopes
            )
        return turn

    def bent(self, parameters: Floats, moments: Moments) -> Floats:
        """The information observed with what fixed shares cost, by their multipliers.

        λ is the slope by an intercept as a part of what the sum of shares gains by it.
        """
        X = self.likelihood.model_matrix
        bent = next(self.likelihood.informations(parameters, moments))()
        slope = self.likelihood.weights @ self.likelihood.scores(parameters, moments)
        for own in self._blocks():
            by, curve = self.gains(parameters, own)
            bent[own, own] += slope[own.start] / by.sum() * (X * curve[:, None]).T @ X
        return bent

    def gains(self, parameters: Floats, own: slice) -> tuple[Floats, Floats]:
        """The first two derivatives of each weighted share by its predictor."""
        share = expit(self.likelihood.model_matrix @ parameters[own])
        first: Floats = self.likelihood.weights * share * (1 - share)
        return first, first * (1 - 2 * share)

    def influence(self, parameters: Floats) -> Floats:
        """How much each row moves each coefficient, not weighted, shape (n, parameters).

        The equations are those of `anchored_influence`, with the likelihood's slopes.
        """
        X = self.likelihood.model_matrix
        w = self.likelihood.weights
        answers = self.likelihood.answers
        moments = self.likelihood.moments(parameters)
        first = self.likelihood.scores(parameters, moments)
        slope = w @ first
        c = np.zeros((len(parameters), len(self.means)))
        second = np.empty((len(w), len(self.means)))
        for item, own in enumerate(self._blocks()):
            by, share = self.gains(parameters, own)[0], expit(X @ parameters[own])
            first[:, own] -= X * (slope[own.start] / by.sum() * share * (1 - share))[:, None]
            c[own, item] = by @ X
            second[:, item] = (
                self.means[item] - share + w.sum() * _difference_influence(answers, w, item)
            )
        return _solve_bordered(self.bent(parameters, moments), c, first, second)

    def _blocks(self) -> list[slice]:
        """Where the coefficients of each item stand."""
        k = self.likelihood.model_matrix.shape[1]
        return [slice(item * k, (item + 1) * k) for item in range(len(self.means))]


def anchored_likelihood(
    likelihood: ItemCountLikelihood, near: Floats | None = None
) -> tuple[AnchoredLikelihood, Optimum]:
    """Hold the mean share of every item at its difference in means, and maximise, or from near by.

    Raises
    ------
    NotIdentified
        If that is no share that log-odds could have.
    """
    answers, w, where = likelihood.answers, likelihood.weights, "item_count_regression"
    items = range(len(answers.sensitive))
    means = tuple(_anchor_share(answers, w, item, where) for item in items)
    anchored = AnchoredLikelihood(likelihood=likelihood, means=means)
    start = (
        maximise_item_counts(likelihood)[1].parameters.clip(-_FARTHEST, _FARTHEST)
        if near is None
        else near
    )
    return anchored, maximise(anchored, anchored.without_intercepts(start))
