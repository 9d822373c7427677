"""The likelihood that forgets that reports were selected, for comparison."""

from dataclasses import replace

from askance.arguments import checked
from askance.channels.ranges import Ranges
from askance.estimators.ranges.distribution import Distribution
from askance.estimators.ranges.npmle import npmle


@checked
def naive_npmle(
    ranges: Ranges, support: tuple[float, float] | None = None, tol: float = 1e-10
) -> Distribution:
    """Fit selected ranges as though all had been sent: inconsistent, kept to compare with.

    Maximises Σ w_i log P(range_i) over the ranges that were sent. However many there are it misses
    the distribution, unless every number is equally likely to be heard of. Use `npmle` with its
    ``selection``, or with the ``eligible`` sets.

    Parameters
    ----------
    ranges : Ranges
    support : (float, float), optional
        Declared bounds of the number.
    tol : float
        Stop when the gap is at most this.

    Raises
    ------
    InputError
        If there is no range, or one reaches beyond the support.

    References
    ----------
    Ding & Ding (2022), equation (46), whose proof of consistency (their Proposition 4) leaves out
    that a range is sent by those whose number lies in a wide one.

    >>> wide = Ranges([0, 0, 1, 0], [2, 3, 3, 1], weights=[1, 1, 1, 0])  # the middle is in all
    >>> naive_npmle(wide).quantile(0.5)
    (1.0, 2.0)
    """
    fit = npmle(ranges, support, tol)
    return replace(fit, method="naive: as though nothing had been withheld")
