"""Tests of how often reports come, against the chances that a channel gives them.

Each is exact or conservative, whoever the people are; `goodness_of_fit` puts them together for
tallies, ranges and support counts.
"""

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import final

import numpy as np

from askance.inference.fit_result import (
    FitClaim,
    FitTest,
    GoodnessOfFit,
    Untested,
    joined_fits,
)
from askance.inference.maximisation import maximise_mixture, mixture
from askance.typing import Floats, Integers

_ROUNDING = 1e-9  # of a chance
_CLOSE = 1e-12  # of the gap per report


@final
@dataclass(frozen=True, slots=True)
class ReportEvent:
    """A set of reports with its count and bounds of its probability."""

    label: str
    count: float
    least: float
    most: float


def fit_of_rows(
    rows: Floats,
    counts: Floats,
    reports: Sequence[str],
    shares: Floats | None = None,
    gap: float = 0.0,
) -> GoodnessOfFit:
    """Test the goodness of fit of counts to mixtures of the rows of a channel.

    Parameters
    ----------
    rows : array, shape (k, m)
        Chance of each report given each answer.
    counts : array, shape (m,)
        None of a report that cannot be sent.
    reports : sequence of str, length m
    shares : array, shape (k,), optional
        The most likely shares of the counts; computed if left out.
    gap : float
        At most this much mean log-likelihood is missing to them.

    >>> round(fit_of_rows(np.array([[0.75, 0.25], [0.25, 0.75]]), np.array([3, 1]), "yn").p_value)
    1
    """
    possible = rows.max(axis=0) > 0
    rows, counts = rows[:, possible], counts[possible].astype(float)
    if not counts.sum():
        return GoodnessOfFit(untested=Untested.NO_REPORTS)
    if len(counts) == 1:
        return GoodnessOfFit()
    names = [f"“{name}”" for name, can in zip(reports, possible, strict=True) if can]
    single = _test_single_reports(rows, counts, names)
    if len(counts) == 2:
        return GoodnessOfFit(tests=(single,))
    if shares is None:
        is_observed, k = counts > 0, len(rows)
        shares, gap = maximise_mixture(
            mixture(rows.T[is_observed], counts[is_observed]), np.full(k, 1 / k), _CLOSE
        )
    return GoodnessOfFit(tests=(single, mixture_test(counts, shares @ rows, gap, names)))


def fit_of_groups(
    groups: Mapping[str, tuple[Floats, Floats, Sequence[str]]],
    shares: Floats | None = None,
    gap: float = 0.0,
) -> GoodnessOfFit:
    """Test the fit of each group's counts to its own channel; "" names the only group.

    Parameters
    ----------
    groups : mapping of str to (array, array, sequence of str)
        As `counts_by_group` gives them.
    shares, gap
        As in `fit_of_rows`, of the only group.
    """
    if "" in groups:
        return fit_of_rows(*groups[""], shares, gap)
    return joined_fits({name: fit_of_rows(*group) for name, group in groups.items()})


def mixture_test(counts: Floats, chance: Floats, gap: float, events: Sequence[str]) -> FitTest:
    """Test all frequencies against the nearest mixture of the rows of a channel.

    Parameters
    ----------
    counts : array, shape (m,)
        Of each report that can be sent.
    chance : array, shape (m,)
        Of each at the most likely shares.
    gap : float
        At most this much mean log-likelihood is missing to these.
    events : sequence of str, length m
        What each report is called.

    >>> kary = mixture_test(np.array([450, 450, 100]), np.array([0.375, 0.375, 0.25]), 0.0, "abc")
    >>> kary.event, round(kary.statistic, 1), kary.expected
    ('c', 144.9, (250.0, 250.0))
    """
    is_observed, n, m = counts > 0, float(counts.sum()), len(counts)
    frequency = counts / n
    far = float(frequency[is_observed] @ np.log(frequency[is_observed] / chance[is_observed]))
    t, df = n * max(far - gap - _CLOSE, 0.0), m - 1
    p_value = math.exp(df - t + df * math.log(t / df)) if t > df else 1.0
    possible = chance > 0
    residual = np.zeros(m)
    residual[possible] = np.abs(frequency - chance)[possible] / np.sqrt(chance[possible])
    residual[residual < _ROUNDING] = 0.0
    i = int(np.argmax(residual))
    return FitTest(
        claim=FitClaim.MIXTURE,
        event=events[i],
        observed=float(counts[i]),
        expected=(n * float(chance[i]), n * float(chance[i])),
        reports=n,
        statistic=2 * t,
        df=float(df),
        p_value=p_value,
    )


def supports_fit(
    counts: Integers | Floats,
    reports: Integers | Floats,
    law: tuple[float, float],
    labels: Sequence[str] | None,
    size: tuple[float, float, float] | None = None,
) -> GoodnessOfFit:
    r"""Test support counts against the law of a frequency oracle's reports.

    Each count is between two binomial ones, of the chances to be named by a report of another and
    of this answer. Of sets whose size has a known mean μ and variance σ² whatever the answer, the
    sum T of all n sizes is tested too, by Bernstein's inequality:

    .. math:: p = 2 \exp\Bigl(-\frac{(T - n\mu)^2}{2 (n\sigma^2 + b\,|T - n\mu| / 3)}\Bigr)

    with b the most that a size lies from μ.

    Parameters
    ----------
    counts : array, shape (k,)
        How many reports leave each answer possible.
    reports : array, shape (k,) or ()
        Of how many.
    law : tuple of float
        The chance that a report leaves another answer than the true one possible, and the true one.
    labels : sequence of str, optional
    size : tuple of float, optional
        Mean, variance and farthest distance from the mean of the size of a report's set.

    References
    ----------
    Bernstein (1946).

    >>> fit = supports_fit(np.array([300, 20]), np.array(400), (0.25, 0.5), ["a", "b"])
    >>> print(*fit.misfit)
    misfit (p ...): “b” came 20 times where 100 to 200 are due; these reports do not fit ...
    """
    n = np.broadcast_to(np.asarray(reports, dtype=float), counts.shape)
    if not n.max(initial=0.0):
        return GoodnessOfFit(untested=Untested.NO_REPORTS)
    observed = np.asarray(counts, dtype=float)
    p_values = _support_tails(observed, n, law)
    i = int(np.argmin(p_values))
    single = FitTest(
        claim=FitClaim.SUPPORT,
        event=f"“{i if labels is None else labels[i]}”",
        observed=float(counts[i]),
        expected=(float(n[i]) * law[0], float(n[i]) * law[1]),
        reports=float(n[i]),
        statistic=float(counts[i]),
        p_value=min(1.0, len(counts) * float(p_values[i])),
    )
    if size is None:
        return GoodnessOfFit(tests=(single,))
    (mean, variance, farthest), total, everyone = size, float(counts.sum()), float(n[0])
    away = abs(total - everyone * mean)
    spread = everyone * variance + farthest * away / 3
    settled = away <= _ROUNDING * total
    together = FitTest(
        claim=FitClaim.TOTAL,
        event="Any answer",
        observed=total,
        expected=(everyone * mean, everyone * mean),
        reports=everyone,
        statistic=total,
        p_value=1.0 if settled else min(1.0, 2 * math.exp(-(away**2) / (2 * spread))),
    )
    return GoodnessOfFit(tests=(single, together))


def _support_tails(counts: Floats, n: Floats, law: tuple[float, float]) -> Floats:
    """Two-sided p-values of support counts, each computed once for equal counts."""
    distinct, places = counts, np.arange(len(counts))
    if (n == n[0]).all():
        distinct, places = np.unique(counts, return_inverse=True)
    low, high = (np.full(len(distinct), chance) for chance in law)
    return np.asarray(_two_sided_tails(distinct, n[: len(distinct)], low, high)[places])


def blanks_fit(blank: int, total: int, chance: float) -> FitTest:
    """Test that chance left reports blank as often as the form says; people may leave more.

    Exact: the count of blanks is at least a binomial one. Invented reports carry no blanks.

    Parameters
    ----------
    blank, total : int
        Blank reports, and all.
    chance : float
        Of a blank, whatever the answer.

    >>> round(blanks_fit(0, 100, 0.05).p_value / 0.95**100, 6)
    1.0
    >>> [round(blanks_fit(blank, 100, 0.05).p_value, 6) for blank in (60, 100)]  # too many are none
    [1.0, 1.0]
    """
    event = ReportEvent("Blank", blank, chance, 1.0)
    return worst_event(FitClaim.BLANK, [event], total)


def _test_single_reports(rows: Floats, counts: Floats, names: Sequence[str]) -> FitTest:
    """Test the frequency of each report, and of all uninformative reports together."""
    lowest, highest, n = rows.min(axis=0), rows.max(axis=0), float(counts.sum())
    if len(counts) == 2:
        names, counts, lowest, highest = names[:1], counts[:1], lowest[:1], highest[:1]
    events = [
        ReportEvent(name, count, low, high)
        for name, count, low, high in zip(
            names, counts.tolist(), lowest.tolist(), highest.tolist(), strict=True
        )
    ]
    silent = highest - lowest <= _ROUNDING * highest
    if 1 < silent.sum() < len(counts):
        chance = float(lowest[silent].sum())
        events.append(
            ReportEvent("A report that says nothing", float(counts[silent].sum()), chance, chance)
        )
    return worst_event(FitClaim.FREQUENCY, events, n)


def _lower_tail(count: Floats, n: Floats, chance: Floats) -> Floats:
    """P(Binomial(n, chance) ≤ count), of arrays."""
    from scipy.special import betainc

    inner = (count < n) & (chance > 0)
    failures = np.where(inner, n - count, 1.0)
    tail = betainc(failures, np.where(inner, count, 0.0) + 1, 1 - np.where(inner, chance, 0.5))
    return np.asarray(np.where(inner, tail, 1.0))


def _two_sided_tails(count: Floats, n: Floats | float, lowest: Floats, highest: Floats) -> Floats:
    """Two-sided binomial p-values under bounded chances: twice the smaller tail."""
    count, lowest, highest = (
        np.asarray(column, dtype=float) for column in (count, lowest, highest)
    )
    n = np.broadcast_to(np.asarray(n, dtype=float), count.shape)
    few = _lower_tail(count, n, lowest * (1 - _ROUNDING))
    many = _lower_tail(n - count, n, 1 - np.minimum(highest * (1 + _ROUNDING), 1.0))
    sides = (lowest > 0).astype(int) + (highest < 1)
    return np.asarray(np.where(sides, np.minimum(1.0, sides * np.minimum(few, many)), 1.0))


def worst_event(claim: FitClaim, events: Iterable[ReportEvent], n: float, many: int = 0) -> FitTest:
    """Test each event of a family, of so many members, and give the one that fits worst."""
    listed = list(events)
    count, lowest, highest = np.array([(e.count, e.least, e.most) for e in listed]).T
    p_values = _two_sided_tails(count, n, lowest, highest)
    i = int(np.argmin(p_values))
    worst = listed[i]
    return FitTest(
        claim=claim,
        event=worst.label,
        observed=worst.count,
        expected=(n * worst.least, n * worst.most),
        reports=n,
        statistic=worst.count,
        p_value=min(1.0, max(many, len(listed)) * float(p_values[i])),
    )
