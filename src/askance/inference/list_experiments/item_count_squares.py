"""Sums of squares of the mean counts of a list experiment, and where they are least."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import final

import numpy as np
from scipy.special import logit

from askance.inference.climb import Optimum, maximise
from askance.inference.list_experiments.item_tally import ListAnswers
from askance.inference.regression.answer_model import AnswerLink, answer_link
from askance.inference.regression.covariates import gram
from askance.typing import Floats

_RARE = 0.05  # shares between which and its opposite the climb begins
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
        flat: Floats = matrix.reshape(len(blocks) * k, -1)
        return flat

    def blocks(self) -> list[int]:
        """Whose rows each block of equations sums: those of the items, then the control group."""
        return [*range(1, len(self.answers.sensitive) + 1), 0]

    def _slope(self, block: int, own: Floats, control: Floats) -> Floats:
        return np.where(self.answers.arm == block, own if block else control, 0.0)


@final
@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class GroupStep:
    """The coefficients of one group, all else held, by which half the sum of squares falls.

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
        gradient: Floats = (
            self.squares.weights @ self.squares.scores(self.placed(part))[:, self.own]
        )
        return gradient

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
        """Where climbs begin: straight lines, a mean without slopes, and 0.

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
        """The best of all climbs, or that from some coefficients."""
        starts = self.starts() if near is None else [near]
        return max((maximise(self, start) for start in starts), key=lambda top: top.total)
