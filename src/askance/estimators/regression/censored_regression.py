"""Linear regression of numbers seen as ranges, by maximum likelihood."""

from collections.abc import Sequence
from typing import Any, Literal

import numpy as np

from askance.arguments import checked, same_rows
from askance.channels.ranges import Ranges, single_numbers
from askance.errors import InputError, NotIdentified, refuse_unknown
from askance.estimators.noise.catalogue import noise_of
from askance.estimators.noise.fit import first_guess
from askance.estimators.noise.law import AbstractNoise
from askance.estimators.outcome import Outcome
from askance.estimators.regression.ascent import Top, ascend
from askance.estimators.regression.censored_fit import CensoredRegression
from askance.estimators.regression.censored_likelihood import CensoredLikelihood
from askance.estimators.regression.covariance import inverse, runs_away, sandwich
from askance.estimators.regression.covariates import Covariates, covariates_of
from askance.estimators.shares.uncertainty import normal_quantile
from askance.typing import Floats

ERRORS = ("observed", "scores", "robust")
_CONCAVE = ("normal", "logistic", "gumbel")  # in the logarithm of their density
_FEW = 2000
"""At least so many rows are climbed first, where there are many more; else one of fifty."""

_MOST_NEARBY = 6  # steps, before all is climbed instead
_SHORT = 3e-5
"""A step that gains no more log-likelihood than this ends within its square of the top."""

_LEAST_SCALE = 1e-9
"""Of the spread of the numbers: noise smaller than that is none."""


@checked
def censored_regression(
    ranges: Ranges,
    covariates: Any = None,
    noise: str | AbstractNoise = "normal",
    *,
    log: bool = False,
    terms: Sequence[str] | None = None,
    errors: Literal["observed", "scores", "robust"] = "observed",
    clusters: Any = None,
    level: float = 0.95,
) -> CensoredRegression:
    r"""Regress numbers seen as ranges on covariates.

    .. math:: (\hat\beta, \hat\sigma) = \arg\max
        \sum_i w_i \log P(\beta_0 + x_i \beta + \sigma \varepsilon_i \in D_i)

    A range that is an exact number counts by its density. The likelihood is climbed by Newton's
    method with exact derivatives, and never descends; for normal, logistic and extreme-value noise
    and ranges of one piece its top is the only one (Burridge, 1981).

    Parameters
    ----------
    ranges : Ranges, n rows
        The sets D_i, unions included; their weights say how often each row counts.
    covariates : array_like or data frame, shape (n, c), optional
        Numbers, without a column of ones: an intercept is always there, and alone if they are left
        out. One covariate may have shape (n,).
    noise : {"normal", "logistic", "student", "gumbel", "laplace"} or a noise
        The law of ε, or ``StudentNoise(3)`` and the like. With ``log``, gumbel is Weibull
        regression, logistic log-logistic and normal log-normal.
    log : bool
        Regress the logarithm of the number, which is then positive: an accelerated failure time.
        The log-likelihood stays that of the number.
    terms : sequence of str, optional
        Names of the covariates; those of the data frame's columns, or x1, x2, … if left out.
    errors : {"observed", "scores", "robust"}
        What the standard errors come from: the information observed; the products of scores, which
        estimate the expected one (Berndt, Hall, Hall & Hausman, 1974); or the sandwich (Huber,
        1967), right whatever the noise is.
    clusters : array_like, shape (n,), optional
        Rows that bear the same label may depend on each other; errors are then robust by cluster.
    level : float
        Of the intervals.

    Returns
    -------
    CensoredRegression

    Raises
    ------
    InputError
        If lengths differ, a covariate is missing or constant, a logarithm is asked of numbers that
        are not positive, or Laplace noise of exact numbers, whose likelihood has kinks.
    NotIdentified
        If covariates determine each other, no range says anything, all leave the same side open, or
        the likelihood has no top.

    References
    ----------
    Tobin (1958); Kalbfleisch & Prentice (2002), chapter 3.

    >>> low, high = [-np.inf, 1, -np.inf, 3], [1, np.inf, 3, np.inf]
    >>> low, high = low + [-np.inf, 3, -np.inf, 5], high + [3, np.inf, 5, np.inf]
    >>> told = Ranges(low, high, weights=[1, 3, 3, 1, 1, 3, 3, 1])
    >>> fit = censored_regression(told, [[0]] * 4 + [[1]] * 4, "logistic")
    >>> fit.value[:2].round(6).tolist(), round(1 / fit.scale, 6)  # σ = 1/log 3
    ([2.0, 2.0], 1.098612)
    """
    same_rows(covariates=covariates, clusters=clusters)
    normal_quantile(level)
    refuse_unknown("errors", errors, ERRORS)
    law, names = noise_of(noise), _names(covariates, terms)
    outcome, stretch = logarithms(ranges) if log else (ranges, 0.0)
    given = covariates_of(covariates, len(ranges), names, ranges.weights)
    _refuse_kinks(law, ranges)
    problem = CensoredLikelihood(noise=law, ranges=outcome, design=given.standard())
    start = first_guess(law, outcome)
    top, information = _climbed(problem, law, start)
    _refuse_runaway(information, top, given, start[1])
    bread = inverse(information)
    covariance, told = _covariance(problem, top.at, bread, errors, clusters)
    back = _back(given)
    concave = law.name in _CONCAVE and ranges.plain
    settled = Outcome.CONVERGED if concave else Outcome.STATIONARY
    return CensoredRegression(
        noise=law,
        log=log,
        terms=given.terms,
        value=back @ top.at,
        covariance=back @ covariance @ back.T,
        errors=told,
        log_likelihood=top.total - stretch,
        gap=top.gap,
        outcome=settled if top.settled else Outcome.STOPPED,
        level=level,
        likelihood=problem.of(given.design),
    )


def logarithms(ranges: Ranges) -> tuple[Ranges, float]:
    """Give the ranges of the logarithm, and Σ w log y over the exact numbers.

    Raises
    ------
    InputError
        If a range holds no positive number, or numbers below zero.

    >>> logarithms(Ranges([0, 1], [1, np.inf]))
    (Ranges((-inf, 0], (0, inf]), 0.0)
    """
    wrong = (ranges.upper <= 0) | ((ranges.lower < 0) & np.isfinite(ranges.lower))
    exact = single_numbers(ranges.lower, ranges.upper)
    wrong &= ~(exact & (ranges.upper > 0))
    if wrong.any():
        at = int(np.argmax(wrong))
        raise InputError(
            f"ranges[{int(np.searchsorted(ranges.starts, at, side='right')) - 1}]",
            got=f"ends {ranges.lower[at]} and {ranges.upper[at]}",
            allowed="positive numbers, whose lower end may be 0 or -inf",
            remedy="leave log=False for numbers that can be negative",
        )
    with np.errstate(divide="ignore"):
        lower, upper = np.log(np.maximum(ranges.lower, 0)), np.log(ranges.upper)
    lower = np.where(exact, np.nextafter(upper, -np.inf), lower)
    row = np.repeat(np.arange(len(ranges)), np.diff(ranges.starts))
    stretch = float(ranges.weights[row[exact]] @ upper[exact])
    return Ranges(lower, upper, ranges.weights, pieces=np.diff(ranges.starts)), stretch


def _names(covariates: Any, terms: Sequence[str] | None) -> tuple[str, ...] | None:
    if terms is not None:
        return tuple(terms)
    columns = getattr(covariates, "columns", None)
    if columns is None and isinstance(getattr(covariates, "name", None), str):
        return (covariates.name,) if covariates.name else None
    return None if columns is None else tuple(str(name) for name in columns)


def _refuse_kinks(noise: AbstractNoise, ranges: Ranges) -> None:
    if noise.kink and single_numbers(ranges.lower, ranges.upper).any():
        raise InputError(
            "noise",
            got=f"{noise.name}, and exact numbers among the ranges",
            allowed="noise without a kink in its density, or ranges alone",
            remedy='"logistic" or "student" noise resists outliers as well',
        )


def _climbed(
    problem: CensoredLikelihood, noise: AbstractNoise, start: tuple[float, float]
) -> tuple[Top, Floats]:
    """Climb, of very many rows some first; give the information at the last place looked at."""
    n, width = problem.design.shape
    at = np.zeros(width + 1)
    at[0], at[-1] = start[0] - start[1] * noise.mean, np.log(start[1])
    few = max(_FEW, n // 50)
    if n > 4 * few:
        some = ascend(problem.some(slice(None, None, n // few)), at)
        found = _nearby(problem, some.at) if some.settled else None
        if found is not None:
            return found
    top = ascend(problem, at)
    return top, problem.observed(top.at)


def _nearby(problem: CensoredLikelihood, at: Floats) -> tuple[Top, Floats] | None:
    """Take Newton's steps near the top; the last is so short that nobody need look again."""
    total = -np.inf
    for _ in range(_MOST_NEARBY):
        reached, slope = problem.total(at), problem.slope(at)
        information = problem.observed(at)
        if not reached > total or not np.linalg.eigvalsh(information)[0] > 0:
            return None
        step = np.linalg.solve(information, slope)
        gap = float(slope @ step) / 2
        at, total = at + step, reached
        if gap <= _SHORT:
            return Top(at=at, total=total + gap, gap=gap, settled=True), information
    return None


def _refuse_runaway(information: Floats, top: Top, given: Covariates, spread: float) -> None:
    """Say along what a likelihood without a top runs away."""
    scale = np.exp(top.at[-1])
    names = ("intercept", *given.terms, "log scale")
    size = np.append(np.full(len(names) - 1, 1 / scale), 1.0) * np.sqrt(given.weights.sum())
    noiseless = scale < _LEAST_SCALE * spread
    along = ["log scale"] if noiseless else runs_away(names, information, size)
    if not along:
        return
    raise NotIdentified(
        "censored_regression",
        got=f"a likelihood that rises without end along {', '.join(along)}",
        allowed="ranges that no line passes through all of, and ends on both sides at every level",
        remedy="leave the covariate out or join its levels; a line that explains everything leaves "
        "no noise to estimate",
    )


def _covariance(
    problem: CensoredLikelihood, at: Floats, bread: Floats, errors: str, clusters: Any
) -> tuple[Floats, str]:
    if clusters is not None or errors == "robust":
        return sandwich(problem, at, bread, clusters)
    if errors == "scores":
        return inverse(problem.products(at)), "products of scores"
    return bread, "observed information"


def _back(given: Covariates) -> Floats:
    """Give what turns values of standardised covariates into those of the covariates."""
    back = np.diag(np.concatenate([[1.0], 1 / given.spread, [1.0]]))
    back[0, 1:-1] = -given.mean / given.spread
    return back
