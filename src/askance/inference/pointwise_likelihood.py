"""The log-likelihood of each report by itself, as programs for Bayesian models compare models.

A sampler hands in draws of its parameters; what comes back has a number for each draw and report,
from which ArviZ computes leave-one-out cross-validation (LOO) and WAIC.
"""

from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt

from askance.channels.channel import Channel, report_columns
from askance.channels.ranges import Ranges
from askance.results import doubles, read_only
from askance.typing import Floats
from askance_collect.arguments import checked
from askance_collect.errors import InputError

_ABOVE = 1e-9  # what rounding may add to shares that sum to one, or to a distribution function


@checked
def report_log_likelihood(channel: Channel, reports: Any, shares: npt.ArrayLike) -> Floats:
    r"""Pointwise log-likelihood of reports, for draws of the answers' probabilities.

    .. math:: \ell_{si} = \log \sum_x \pi_{six}\, Q(y_i \mid x)

    where s : draw; i : report; π : probability of answer x for whoever sent it, the same for all or
    by a regression; Q : the channel; :math:`y_i` : the report. The sum over i is the log-likelihood
    that `maximum_likelihood` maximises.

    Parameters
    ----------
    channel : Channel
    reports : sequence, array or column of a data frame, length n
        By name, none missing.
    shares : array, shape (…, n, k) or (…, 1, k)
        Draws of the probabilities of the k answers, of each respondent or of all alike. Leading
        axes are chains and draws.

    Returns
    -------
    array, shape (…, n)
        −∞ where a report has no chance.

    Raises
    ------
    InputError
        If a report is missing or unknown, the shape is another one, or a row is no distribution.

    References
    ----------
    Vehtari, Gelman & Gabry (2017), who compute LOO and WAIC from it.

    >>> import askance as ak
    >>> q = ak.Warner(truth="3/4").channel(ak.Frame(["yes", "no"]))
    >>> draws = [[[0.3, 0.7]], [[0.5, 0.5]]]  # two draws of shares, the same for everybody
    >>> logs = ak.inference.report_log_likelihood(q, ["yes", "no", "no"], draws)
    >>> np.exp(logs).round(4).tolist()
    [[0.4, 0.6, 0.6], [0.5, 0.5, 0.5]]
    """
    columns = report_columns(channel, reports, "report_log_likelihood.reports")
    if len(columns) == 0 or columns.min() < 0:
        row = int(np.argmin(columns)) if len(columns) else 0
        raise InputError(
            f"report_log_likelihood.reports[{row}]",
            got="no report",
            allowed="one report or more, none missing",
            remedy="leave out who sent none, in the shares too",
        )
    probabilities = _read_probabilities(shares, len(columns), len(channel.frame))
    chances: Floats = channel.matrix[:, columns].T
    return _logarithm((probabilities * chances).sum(axis=-1))


@checked
def range_log_likelihood(ranges: Ranges, cdf: Callable[[Floats], Any]) -> Floats:
    r"""Pointwise log-likelihood of ranges (interval censoring), for draws of a distribution.

    .. math:: \ell_{si} = \log \sum_j \bigl(F_s(u_{ij}) - F_s(l_{ij})\bigr)

    where s : draw; i : range; :math:`(l_{ij}, u_{ij}]` : its pieces, one unless it is a union;
    F : the distribution function at draw s. Ranges that a mechanism drew whatever the number need
    no more: how probable the cuts were does not depend on the parameters. Of a truncated range that
    of its window is taken off.

    Parameters
    ----------
    ranges : Ranges
        n of them. A weight does not count here: the value is of one such range.
    cdf : callable
        Takes the ends, shape (m,), infinite ones among them, and gives the distribution function
        there for each draw, shape (…, m).

    Returns
    -------
    array, shape (…, n)
        −∞ where a range has no chance.

    Raises
    ------
    InputError
        If what the function gives has another shape, or is no distribution function.

    References
    ----------
    Turnbull (1976), on the likelihood of ranges; Vehtari, Gelman & Gabry (2017), who compute LOO
    and WAIC from it.

    >>> import askance as ak
    >>> from scipy.stats import norm
    >>> ranges = ak.Ranges([-np.inf, 30, 30], [30, np.inf, 40])
    >>> means = np.array([[30.0], [35.0]])  # two draws
    >>> logs = ak.inference.range_log_likelihood(ranges, lambda x: norm.cdf(x, means, 10))
    >>> np.exp(logs).round(4).tolist()
    [[0.5, 0.5, 0.3413], [0.3085, 0.6915, 0.3829]]
    """
    windows = ranges.windows
    if windows is not None:
        window_term = range_log_likelihood(windows, cdf)
        return range_log_likelihood(ranges.untruncated(), cdf) - window_term
    low, high = (_read_cdf_values(cdf, ends) for ends in (ranges.lower, ranges.upper))
    pieces = high - low
    if (pieces < -_ABOVE).any():
        raise InputError(
            "range_log_likelihood.cdf",
            got=float(pieces.min()),
            allowed="a function that does not fall: F(upper) − F(lower) of 0 or more",
        )
    return _logarithm(np.add.reduceat(np.maximum(pieces, 0), ranges.starts[:-1], axis=-1))


def _read_probabilities(shares: npt.ArrayLike, n: int, k: int) -> Floats:
    where = "report_log_likelihood.shares"
    probabilities = doubles(shares, where)
    if (
        probabilities.ndim < 2
        or probabilities.shape[-1] != k
        or probabilities.shape[-2] not in (1, n)
    ):
        allowed = f"shape (…, {n}, {k}), or (…, 1, {k}) where all are alike"
        raise InputError(where, got=f"shape {probabilities.shape}", allowed=allowed)
    right = (probabilities >= 0).all(axis=-1) & (
        np.abs(probabilities.sum(axis=-1) - 1) <= _ABOVE * k
    )
    if not right.all():
        index = tuple(np.argwhere(~right)[0].tolist())
        raise InputError(
            f"{where}{list(index)}",
            got=probabilities[index].tolist(),
            allowed="probabilities that sum to one",
        )
    return probabilities


def _read_cdf_values(cdf: Callable[[Floats], Any], ends: Floats) -> Floats:
    where = "range_log_likelihood.cdf"
    values = doubles(cdf(ends), where)
    if values.ndim < 1 or values.shape[-1] != len(ends):
        raise InputError(where, got=f"shape {values.shape}", allowed=f"shape (…, {len(ends)})")
    if not ((values >= 0) & (values <= 1 + _ABOVE)).all():
        wrong = float(values[~((values >= 0) & (values <= 1 + _ABOVE))][0])
        raise InputError(where, got=wrong, allowed="values from 0 to 1")
    return values


def _logarithm(chances: Floats) -> Floats:
    with np.errstate(divide="ignore"):
        return read_only(np.log(chances))
