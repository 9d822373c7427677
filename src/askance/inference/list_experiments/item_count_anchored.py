"""Least squares of a list experiment whose mean shares are held at the differences in means.

A difference in means needs no model of shares by covariates. Where that model is wrong, the mean
of what it predicts is not the share of all people; held there, it cannot be far off.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import final

import numpy as np
from scipy.special import logit

from askance.errors import NotIdentified
from askance.inference.climb import Top, ascend
from askance.inference.list_experiments.item_count_squares import LeastSquares, Step, item_link
from askance.typing import Floats

_NEAR = 1e-12  # of an intercept, before its last step


def difference(squares: LeastSquares, item: int) -> float:
    """The mean count of those who saw an item, less that of the control group, as weighted.

    >>> from askance.inference.list_experiments.item_tally import answers_of
    >>> said = answers_of([0, 2, 1, 2], [0, 0, 1, 1], items=2, control=0, data=None, weights=None)
    >>> ones = np.ones((4, 1))
    >>> difference(LeastSquares(answers=said, design=ones, weights=np.ones(4), link="logit"), 0)
    0.5
    """
    said = squares.answers
    rows = (np.where(said.arm == arm, squares.weights, 0.0) for arm in (item + 1, 0))
    seen, control = (float(np.average(said.count, weights=row)) for row in rows)
    return seen - control


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
        return np.vstack([-(by @ X[:, 1:]) / by.sum(), np.eye(len(part) - 1)])

    def lowest(self, near: Floats | None = None) -> Top:
        """The best of all climbs, or that from some coefficients; the intercept is the first."""
        starts = [one[1:] for one in (self.step.starts()[:2] if near is None else [near])]
        if not len(starts[0]):
            at = self.placed(starts[0])
            return Top(at=at, total=self.step.total(at), gap=0.0, settled=True)
        best = max((ascend(self, one) for one in starts), key=lambda top: top.total)
        return Top(at=self.placed(best.at), total=best.total, gap=best.gap, settled=best.settled)

    def _chances(self, eta: Floats) -> tuple[Floats, Floats, Floats]:
        return item_link(self.step.whole.link).chances(eta)

    def _intercept(self, rest: Floats) -> float:
        from scipy.optimize import brentq

        w = self.step.whole.weights
        if self.step.whole.link == "identity":
            return self.mean - float(np.average(rest, weights=w))

        def beyond(at: float) -> float:
            return float(np.average(self._chances(at + rest)[0], weights=w)) - self.mean

        odds, kept = float(logit(self.mean)), rest[w > 0]
        low, high = odds - float(kept.max()), odds - float(kept.min())
        if not low < high:
            return low
        at = float(brentq(beyond, low - _NEAR, high + _NEAR, xtol=_NEAR))
        return at - beyond(at) / float(np.average(self._chances(at + rest)[1], weights=w))


def anchored_step(squares: LeastSquares, at: Floats, item: int) -> AnchoredStep:
    """Hold the mean share of an item at its difference in means.

    Raises
    ------
    NotIdentified
        If that is no share that log-odds could have.
    """
    mean = difference(squares, item)
    if squares.link != "identity" and not 0 < mean < 1:
        raise NotIdentified(
            "item_count_least_squares",
            got=f"a difference in means of {mean:.4g} for {squares.answers.sensitive[item]}",
            allowed="one between 0 and 1, for log-odds held there",
            remedy='leave anchored out, or ask for link="identity"',
        )
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
    border = np.block([[H, c[:, None]], [c[None, :], np.zeros((1, 1))]])
    first = X * ((left - pull) * f)[:, None] - control @ K.T
    second = difference(squares, item) - share + w.sum() * _of_means(squares, item)
    sides = np.column_stack([first, second])
    influence: Floats = np.linalg.solve(border, sides.T).T[:, :k]
    return influence


def _of_means(squares: LeastSquares, item: int) -> Floats:
    """How much each row moves the difference in means, not weighted."""
    said, w, told = squares.answers, squares.weights, np.zeros(len(squares.weights))
    for arm, sign in ((item + 1, 1.0), (0, -1.0)):
        rows = said.arm == arm
        mean = float(np.average(said.count[rows], weights=w[rows]))
        told[rows] = sign * (said.count[rows] - mean) / w[rows].sum()
    return told
