"""Distributions on the whole line: those of SciPy, and cumulative functions of your own."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Protocol, final

import numpy as np
import numpy.typing as npt

from askance.channels.readonly import doubles
from askance.errors import InputError
from askance.typing import Floats

_PROBES = np.concatenate([-np.logspace(300, -300, 601), [0.0], np.logspace(-300, 300, 601)])
_ROUNDING = 1e-9  # by so much may a function of the user's miss 0, 1 or a rise


class ContinuousLaw(Protocol):
    """What is asked of a distribution; SciPy's frozen distributions have it."""

    def cdf(self, x: Any, /) -> Any:
        """Give the chance of a number up to here."""

    def ppf(self, q: Any, /) -> Any:
        """Give the number that is not exceeded with this chance."""


@final
@dataclass(frozen=True, slots=True)
class CumulativeLaw:
    """A distribution known by its cumulative function alone.

    Attributes
    ----------
    upto : callable
        Takes an array of numbers, gives the chance of a number up to each.

    >>> float(CumulativeLaw(lambda x: np.clip(x / 4, 0, 1)).ppf(0.5))
    2.0
    """

    upto: Callable[[Any], Any]

    def cdf(self, x: npt.ArrayLike) -> Floats:
        """Give the chance of a number up to here."""
        with np.errstate(all="ignore"):
            return doubles(self.upto(np.asarray(x, dtype=float)), "cumulative function")

    def ppf(self, q: npt.ArrayLike) -> Floats:
        """Give the least number whose chance is reached, by halving between powers of ten."""
        asked = np.asarray(q, dtype=float)
        upto = np.maximum.accumulate(self.cdf(_PROBES))
        above = np.clip(np.searchsorted(upto, asked), 1, len(_PROBES) - 1)
        low, high = _PROBES[above - 1], _PROBES[above]
        for _ in range(64):
            middle = low + (high - low) / 2
            short = self.cdf(middle) < asked
            low, high = np.where(short, middle, low), np.where(short, high, middle)
        return np.where(asked <= 0, -np.inf, np.where(asked > upto[-1], np.inf, high))


def continuous_law(given: Any, where: str) -> ContinuousLaw:
    """Take a distribution with `cdf` and `ppf`, or a cumulative function.

    Raises
    ------
    InputError
        If it is neither, the distribution has no median, as where its scale is not positive, or the
        function does not rise from 0 to 1.

    >>> from scipy import stats
    >>> float(continuous_law(stats.norm(2, 1), "prior").cdf(2))
    0.5
    """
    if hasattr(given, "cdf") and hasattr(given, "ppf"):
        law: ContinuousLaw = given
        with np.errstate(all="ignore"):
            middle = law.ppf(0.5)
        if not np.isfinite(middle):
            raise InputError(
                where,
                got="a distribution without a median",
                allowed="one whose parameters are finite and whose scale is above 0",
            )
        return law
    if not callable(given):
        raise InputError(
            where,
            got=type(given).__name__,
            allowed="a distribution with cdf and ppf, such as scipy.stats.norm(0, 1), or a "
            "cumulative function",
        )
    found = CumulativeLaw(given)
    upto = found.cdf(_PROBES)
    rises = upto.shape == _PROBES.shape and bool((upto[1:] >= upto[:-1] - _ROUNDING).all())
    if not rises or abs(upto[0]) > _ROUNDING or abs(upto[-1] - 1) > _ROUNDING:
        raise InputError(
            where,
            got="a function that is not cumulative",
            allowed="a function of an array that never falls, from 0 far below to 1 far above",
        )
    return found
