"""Cuts that part the answers into random shares with a Dirichlet law."""

from dataclasses import dataclass
from fractions import Fraction
from typing import Any, final

import numpy as np

from askance.arguments import checked
from askance.channels.continuous import ContinuousLaw, continuous_law
from askance.errors import InputError
from askance.exact.ratio import ratio, whole
from askance.typing import Floats

_MOST = 10_000_000  # people that fit in memory


@final
@dataclass(frozen=True, slots=True, init=False)
class DirichletCuts:
    r"""Ranges whose shares of the population are Dirichlet(a, …, a): any coverage above 1 / m.

    .. math:: \tau = \frac{a + 1}{m a + 1}

    Parameters
    ----------
    prior : distribution or callable
        F, of the answers.
    ranges : int
        m, into how many ranges the line is cut.
    concentration : number
        a. Small a leaves one range that holds nearly everybody; large a gives equal shares.

    Raises
    ------
    InputError
        If there are fewer than two ranges or a is not positive.

    References
    ----------
    Ding & Ding (2022), Theorem 1, made constructive.

    >>> from scipy import stats
    >>> DirichletCuts(stats.norm(), 3, 1).coverage
    Fraction(1, 2)
    """

    prior: ContinuousLaw
    ranges: int
    concentration: Fraction

    def __init__(self, prior: Any, ranges: int, concentration: object) -> None:
        shape = ratio(concentration, "DirichletCuts.concentration")
        count = whole(ranges, "DirichletCuts.ranges", "an integer in [2, ∞)", 2)
        if shape <= 0:
            raise InputError(
                "DirichletCuts.concentration", got=str(shape), allowed="a number in (0, ∞)"
            )
        object.__setattr__(self, "prior", continuous_law(prior, "DirichletCuts.prior"))
        object.__setattr__(self, "ranges", count)
        object.__setattr__(self, "concentration", shape)

    @classmethod
    @checked
    def at_coverage(cls, coverage: object, prior: Any, ranges: int = 2) -> "DirichletCuts":
        """Choose the concentration with a given coverage: a = (1 − τ) / (mτ − 1).

        Raises
        ------
        InputError
            If the coverage is not between 1 / m and 1: m ranges cannot have it.

        >>> from scipy import stats
        >>> DirichletCuts.at_coverage("3/5", stats.norm(), 2).concentration
        Fraction(2, 1)
        """
        tau = ratio(coverage, "coverage")
        count = whole(ranges, "DirichletCuts.ranges", "an integer in [2, ∞)", 2)
        if not Fraction(1, count) < tau < 1:
            raise InputError(
                "coverage",
                got=str(coverage),
                allowed=f"a coverage strictly between 1/{count} and 1 for {count} ranges",
                remedy="1 tells nothing; for less, cut the line into more ranges",
            )
        return cls(prior, count, (1 - tau) / (count * tau - 1))

    @property
    def coverage(self) -> Fraction:
        """τ, whatever the continuous prior."""
        a = self.concentration
        return (a + 1) / (self.ranges * a + 1)

    @checked
    def draw(self, n: int, *, rng: Any = None) -> Floats:
        """Draw the cuts of n people, ascending; shape (n, ranges − 1).

        Parameters
        ----------
        n : int
        rng : seed or numpy Generator, optional

        Raises
        ------
        InputError
            If n is no whole number of people.
        """
        count = whole(n, "n", f"a number of people from 0 to {_MOST:,}", 0, _MOST)
        shares = np.random.default_rng(rng).dirichlet(
            np.full(self.ranges, float(self.concentration)), count
        )
        cuts: Floats = self.prior.ppf(np.clip(np.cumsum(shares, axis=1)[:, :-1], 0, 1))
        return cuts
