"""A family of distributions fitted to ranges by maximum likelihood."""

from collections.abc import Mapping
from typing import Any

import numpy as np

from askance.arguments import checked
from askance.channels.ranges import Ranges
from askance.errors import InputError, NotIdentified, refuse_unknown
from askance.estimators.families.family_fit import FamilyFit
from askance.estimators.families.family_likelihood import FamilyLikelihood
from askance.estimators.families.neyman import smooth_test
from askance.estimators.outcome import Outcome
from askance.estimators.ranges.npmle import npmle
from askance.results import doubles
from askance.typing import Floats

_MOST_STEPS = 60
_SETTLED = 1e-14
"""The fit has converged when a Newton step would gain less than this per range."""

_FLAT = 1e-7  # curvature a range, below which a change is not seen


@checked
def fit_family(
    ranges: Ranges,
    family: Any,
    *,
    fixed: Mapping[str, float] | None = None,
    start: Mapping[str, float] | None = None,
) -> FamilyFit:
    r"""Fit a family of distributions to a number of which only ranges were seen.

    .. math:: \hat\theta = \arg\max_\theta \sum_i w_i \log P_\theta(Y \in R_i)

    Exact numbers count with their density. Standard errors come from the observed information. The
    goodness of fit is Neyman's smooth test for ranges (`FamilyFit.chi2`), which needs neither bins
    nor a bootstrap.

    Parameters
    ----------
    ranges : Ranges
    family : scipy.stats continuous distribution
        Such as ``scipy.stats.norm`` or ``scipy.stats.weibull_min``.
    fixed : mapping of str to float, optional
        Parameters that are known, such as ``{"loc": 0}`` for a number that cannot be negative.
    start : mapping of str to float, optional
        Where to begin; shapes at 1, location and scale from the quartiles of `npmle` if left out.

    Raises
    ------
    InputError
        If there is no range, a parameter's name is unknown, all are fixed, or the ranges are
        impossible where the search begins.
    NotIdentified
        If some change of the parameters hardly changes the likelihood.

    References
    ----------
    Turnbull (1976) for the likelihood of ranges; Neyman (1937) for the test.

    >>> from scipy.stats import norm
    >>> fit = fit_family(Ranges([-np.inf, -1, 1], [-1, 1, np.inf], weights=[20, 60, 20]), norm)
    >>> round(abs(float(fit.value[0])), 6), round(float(fit.value[1]), 6)  # 1 / Φ⁻¹(0.8)
    (0.0, 1.188183)
    """
    if not ranges.total > 0:
        raise InputError("Ranges", got="no range", allowed="at least one with a positive weight")
    _refuse_family(family)
    names = (*(family.shapes.replace(" ", "").split(",") if family.shapes else ()), "loc", "scale")
    given, begun = _known("fixed", fixed, names), _known("start", start, names)
    if len(given) == len(names):
        raise InputError("fit_family.fixed", got=given, allowed="at least one parameter left free")
    first = _first(ranges, family, names, given, begun)
    free = tuple(at for at, name in enumerate(names) if name not in given)
    problem = FamilyLikelihood(ranges=ranges, family=family, first=first, free=free)
    if not np.isfinite(problem.total(problem.origin)):
        raise InputError(
            "fit_family",
            got=dict(zip(names, first.tolist(), strict=True)),
            allowed="parameters under which every range is possible",
            remedy="give start, or fix a parameter such as loc",
        )
    at, settled = _climb(problem)
    values, slope = problem.values(at), problem.stretch(at)
    information = -problem.curvature(at)
    _refuse_flat(information, at, ranges.total)
    return FamilyFit(
        family=family,
        names=names,
        value=values,
        covariance=slope @ np.linalg.pinv(information, hermitian=True) @ slope.T,
        log_likelihood=problem.total(at),
        free=len(problem.origin),
        n=ranges.total,
        chi2=smooth_test(problem, at),
        outcome=Outcome.CONVERGED if settled else Outcome.STOPPED,
    )


def _refuse_family(family: Any) -> None:
    asked = ("shapes", "cdf", "ppf", "logpdf", "logcdf")
    if not all(hasattr(family, name) for name in asked):
        got = family if isinstance(family, str) else type(family).__name__
        discrete = hasattr(family, "pmf")
        fixed = hasattr(family, "dist")
        raise InputError(
            "fit_family.family",
            got=got,
            allowed="a continuous distribution of scipy.stats, such as scipy.stats.norm",
            remedy="a discrete one has no density"
            if discrete
            else "give its family, without parameters; fixed={…} holds some"
            if fixed
            else "",
        )


def _refuse_flat(information: Floats, at: Floats, n: float) -> None:
    size = np.maximum(1.0, np.abs(at))
    least = float(np.linalg.eigvalsh(information * np.outer(size, size))[0])
    if not least > _FLAT * n:
        raise NotIdentified(
            "fit_family",
            got=f"a change of the parameters worth {least / n:.1e} a range",
            allowed="ranges that tell the parameters apart",
            remedy="fix a parameter, or choose a family with fewer",
        )


def _known(
    what: str, given: Mapping[str, float] | None, names: tuple[str, ...]
) -> dict[str, float]:
    for name, value in (given or {}).items():
        refuse_unknown(f"fit_family.{what}", name, names)
        if not np.isfinite(doubles(value, f"fit_family.{what}[{name!r}]")).all():
            raise InputError(f"fit_family.{what}[{name!r}]", got=value, allowed="a finite number")
    return {name: float(value) for name, value in (given or {}).items()}


def _first(
    ranges: Ranges,
    family: Any,
    names: tuple[str, ...],
    given: Mapping[str, float],
    begun: Mapping[str, float],
) -> Floats:
    """Match quartiles of the family to those of the most likely distribution."""
    known = {**begun, **given}
    shapes = [float(known.get(name, 1.0)) for name in names[:-2]]
    fit = npmle(ranges)
    seen = np.array([_middle(*fit.quantile(share)) for share in (0.25, 0.5, 0.75)])
    told = np.asarray(family.ppf([0.25, 0.5, 0.75], *shapes), dtype=float)
    spread = (seen[2] - seen[0]) / (told[2] - told[0])
    if "loc" in known and told[0] > 0:
        spread = max((seen[1] - known["loc"]) / told[1], spread)
    finite = np.concatenate([ranges.lower, ranges.upper])
    finite = finite[np.isfinite(finite)]
    spread = spread if spread > 0 else max(float(np.ptp(finite)) / 4 if len(finite) else 0.0, 1.0)
    scale = float(known.get("scale", spread))
    return np.array([*shapes, float(known.get("loc", seen[1] - scale * told[1])), scale])


def _middle(low: float, high: float) -> float:
    if np.isfinite(low) and np.isfinite(high):
        return (low + high) / 2
    return low if np.isfinite(low) else high if np.isfinite(high) else 0.0


def _climb(problem: FamilyLikelihood) -> tuple[Floats, bool]:
    """Search without derivatives, then step by Newton until a step gains nothing."""
    from scipy.optimize import minimize

    def loss(at: Floats) -> float:
        return -problem.total(at)

    at = minimize(loss, problem.origin, method="Nelder-Mead", tol=1e-6).x
    for _ in range(_MOST_STEPS):
        slope = problem.weights @ problem.scores(at)
        step = np.linalg.pinv(-problem.curvature(at)) @ slope
        if not np.isfinite(step).all() or slope @ step < 0:
            return at, False
        if slope @ step <= _SETTLED * problem.ranges.total:
            return at, True
        now, length = problem.total(at), 1.0
        while length > 1e-6 and not problem.total(at + length * step) > now:
            length /= 2
        if length <= 1e-6:
            return at, False
        at = at + length * step
    return at, False
