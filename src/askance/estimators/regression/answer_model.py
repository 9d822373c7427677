"""How the shares of the true answers depend on covariates."""

from dataclasses import dataclass
from itertools import pairwise
from typing import final

import numpy as np
from scipy.special import softmax

from askance.errors import InputError
from askance.estimators.regression.answer_link import AnswerLink, answer_link
from askance.results import keep_read_only
from askance.typing import Floats

Pulled = tuple[Floats, Floats, Floats]
"""A chance, shape (n,), with its derivatives by the predictors, (n, r) and (n, r, r)."""


@final
@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class AnswerModel:
    r"""Shares of k answers as a function of r linear predictors.

    The predictors are η = (1, X) B with vec B = Rθ: a restriction R makes one answer model of
    another. Several predictors through a distribution function F are cumulative, P(answer ≤ j) =
    F(η_j); otherwise they are the log-odds of each answer against the last.

    Attributes
    ----------
    answers : tuple of str
    link : AnswerLink or None
        None for log-odds of several answers.
    restriction : array, shape (r (c + 1), parameters)
        R, for c covariates; each predictor's intercept comes first.
    names : tuple of str
        What each parameter multiplies.
    told : str
        The model in words.
    """

    answers: tuple[str, ...]
    link: AnswerLink | None
    restriction: Floats
    names: tuple[str, ...]
    told: str

    def __post_init__(self) -> None:
        keep_read_only(self, "restriction")

    @property
    def predictors(self) -> int:
        """How many linear predictors there are."""
        return len(self.answers) - 1

    @property
    def slopes(self) -> tuple[bool, ...]:
        """Which parameters multiply a covariate."""
        blocks = self.restriction.reshape(self.predictors, -1, len(self.names))
        return tuple(bool(one) for one in (blocks[:, 1:] != 0).any(axis=(0, 1)))

    def weights(self, parameters: Floats) -> Floats:
        """Give B, shape (c + 1, r): what each predictor takes of each covariate."""
        return (self.restriction @ parameters).reshape(self.predictors, -1).T

    def pull(self, eta: Floats, chances: Floats) -> Pulled:
        r"""Give Σ_x p_x(η) q_x and its derivatives.

        Parameters
        ----------
        eta : array, shape (n, r)
        chances : array, shape (n, k)
            q, the chance of what was reported given each answer; a unit vector gives a share.
        """
        return self._odds(eta, chances) if self.link is None else self._cumulative(eta, chances)

    def _odds(self, eta: Floats, chances: Floats) -> Pulled:
        share = softmax(np.append(eta, np.zeros((len(eta), 1)), axis=1), axis=1)
        chance = np.einsum("nk,nk->n", share, chances)
        share, given = share[:, :-1], chances[:, :-1] - chance[:, None]
        slope = share * given
        pairs = given[:, :, None] + given[:, None, :]
        bend = -share[:, :, None] * share[:, None, :] * pairs
        at = np.arange(eta.shape[1])
        bend[:, at, at] += slope
        return chance, slope, bend

    def _cumulative(self, eta: Floats, chances: Floats) -> Pulled:
        assert self.link is not None
        upto, slope, bend = self.link.chances(eta)
        gain = chances[:, :-1] - chances[:, 1:]
        chance = chances[:, -1] + np.einsum("nr,nr->n", gain, upto)
        if eta.shape[1] > 1:
            chance = np.where((np.diff(eta, axis=1) > 0).all(axis=1), chance, 0.0)
        curve = np.zeros((*eta.shape, eta.shape[1]))
        at = np.arange(eta.shape[1])
        curve[:, at, at] = gain * bend
        return chance, gain * slope, curve

    def shares(self, eta: Floats) -> Floats:
        """Give the share of each answer at each predictor, shape (n, k)."""
        k = len(self.answers)
        held = [self.pull(eta, np.broadcast_to(np.eye(k)[at], (len(eta), k)))[0] for at in range(k)]
        return np.stack(held, axis=1)

    def start(self, shares: Floats | None = None) -> Floats:
        """Give parameters under which the answers have these shares, whatever the covariates.

        All are equally common if left out.
        """
        k = len(self.answers)
        share = np.full(k, 1 / k) if shares is None else shares
        if self.link is None:
            inverse = np.log(share[:-1] / share[-1])
        else:
            inverse = self.link.inverse(np.cumsum(share)[:-1])
        width = len(self.restriction) // (k - 1)
        wanted = np.zeros((k - 1, width))
        wanted[:, 0] = inverse
        return np.linalg.pinv(self.restriction) @ wanted.ravel()


def answer_model(
    answers: tuple[str, ...], terms: tuple[str, ...], link: str = "logit", *, ordered: bool = False
) -> AnswerModel:
    """Make the model of answers given covariates.

    Two answers: the chance of the first one is F(β₀ + xβ). More: log-odds of each answer against
    the last, or, where the answers have an order, P(answer ≤ j) = F(ζ_j − xβ) (McCullagh, 1980).

    Raises
    ------
    InputError
        If the link is unknown, or is no logit where several answers have no order.

    >>> answer_model(("a", "b", "c"), ("age",), ordered=True).names
    ('a | b', 'b | c', 'age')
    >>> answer_model(("a", "b", "c"), ("age",)).names
    ('a: intercept', 'a: age', 'b: intercept', 'b: age')
    """
    k, c = len(answers), len(terms)
    chosen = answer_link(link)
    if k == 2 and not ordered:
        return AnswerModel(
            answers=answers,
            link=chosen,
            restriction=np.eye(c + 1),
            names=("intercept", *terms),
            told=f"{link} of the share of {answers[0]}",
        )
    if ordered:
        cuts = tuple(f"{low} | {high}" for low, high in pairwise(answers))
        return AnswerModel(
            answers=answers,
            link=chosen,
            restriction=_parallel(k - 1, c),
            names=(*cuts, *terms),
            told=f"ordered {link}: a larger value makes for later answers",
        )
    if link != "logit":
        raise InputError(
            "link",
            got=link,
            allowed="logit, for more than two answers without an order",
            remedy="say ordered=True if the answers have one",
        )
    names = tuple(f"{answer}: {one}" for answer in answers[:-1] for one in ("intercept", *terms))
    return AnswerModel(
        answers=answers,
        link=None,
        restriction=np.eye(len(names)),
        names=names,
        told=f"log-odds of each answer against {answers[-1]}",
    )


def _parallel(r: int, c: int) -> Floats:
    """Give each predictor its own intercept and all of them the same slopes, with a minus."""
    full = np.zeros((r, c + 1, r + c))
    for at in range(r):
        full[at, 0, at] = 1
        full[at, 1:, r:] = -np.eye(c)
    return full.reshape(r * (c + 1), r + c)
