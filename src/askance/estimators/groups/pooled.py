"""Several groups' ranges together, over the places of their one most likely distribution."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Literal, final

import numpy as np

from askance.channels.ranges import Ranges
from askance.errors import InputError
from askance.estimators.ranges.npmle import npmle
from askance.typing import Floats, Integers

_FEW = 10_000_000  # ranges that are dealt one by one
_MOST_DEALS = 10_000_000
_MOST = 1_000_000_000  # what NumPy deals


@final
@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Pooled:
    """The ranges of all groups, fitted as if there were one.

    Attributes
    ----------
    labels : tuple of str
    counts : array of int, shape (groups, n)
        How often each group observed each range.
    mass : array, shape (m,)
        The most likely distribution of all numbers, ascending.
    first, past : array of int, one for each piece
        The places that it holds.
    starts : array of int, shape (n,)
        The first piece of each range.
    chance : array, shape (n,)
        The mass of each range.
    """

    labels: tuple[str, ...]
    counts: Integers
    mass: Floats
    first: Integers
    past: Integers
    starts: Integers
    chance: Floats

    @property
    def sizes(self) -> Integers:
        """How many numbers each group has."""
        sizes: Integers = self.counts.sum(axis=1)
        return sizes

    def expected(self, values: Floats) -> Floats:
        """Average a value of each place over each range, as likely as the fit has it."""
        upto = np.concatenate([[0.0], np.cumsum(self.mass * values)])
        inside: Floats = np.add.reduceat(upto[self.past] - upto[self.first], self.starts)
        return inside / self.chance

    def shuffled(self, times: int, rng: np.random.Generator) -> Iterator[Integers]:
        """Deal the ranges out to the groups again, sizes as they are, every deal alike."""
        total = self.counts.sum(axis=0)
        if times > _MOST_DEALS:
            allowed = f"at most {_MOST_DEALS:,}"
            raise InputError("permutations", got=times, allowed=allowed)
        if times and total.sum() >= _MOST:
            raise InputError(
                "permutations",
                got=f"{times} of {total.sum():,} ranges",
                allowed=f"fewer than {_MOST:,} ranges",
                remedy="permutations=0 with log_rank_test, whose asymptotic p-value needs none",
            )
        method: Literal["count", "marginals"] = "count" if total.sum() <= _FEW else "marginals"
        for _ in range(times):
            left, dealt = total.copy(), np.empty_like(self.counts)
            for at, size in enumerate(self.sizes[:-1]):
                dealt[at] = rng.multivariate_hypergeometric(left, size, method=method)
                left -= dealt[at]
            dealt[-1] = left
            yield dealt


def pooled(samples: Mapping[str, Ranges]) -> Pooled:
    """Fit one distribution to all groups.

    Raises
    ------
    InputError
        If there are fewer than two groups, one is empty, or a weight is not a whole number.

    >>> both = pooled({"a": Ranges([0, 0], [1, 2]), "b": Ranges([1], [2], [2])})
    >>> both.counts.tolist(), both.mass.round(9).tolist(), both.chance.round(9).tolist()
    ([[1, 1, 0], [0, 0, 2]], [0.333333333, 0.666666667], [0.333333333, 1.0, 0.666666667])
    """
    if len(samples) < 2:
        raise InputError("samples", got=f"{len(samples)} group", allowed="two groups or more")
    kept = [_counted(label, ranges) for label, ranges in samples.items()]
    together = Ranges(
        np.concatenate([ranges.lower for ranges in kept]),
        np.concatenate([ranges.upper for ranges in kept]),
        np.concatenate([ranges.weights for ranges in kept]),
        pieces=np.concatenate([np.diff(ranges.starts) for ranges in kept]),
    )
    fit = npmle(together)
    first = np.searchsorted(fit.lower, together.lower, side="left")
    past = np.searchsorted(fit.upper, together.upper, side="right")
    upto = np.concatenate([[0.0], np.cumsum(fit.mass)])
    starts = together.starts[:-1]
    counts = np.zeros((len(kept), len(together)), dtype=np.int64)
    ends = np.cumsum([0, *(len(ranges) for ranges in kept)])
    for at, ranges in enumerate(kept):
        counts[at, ends[at] : ends[at + 1]] = ranges.weights
    return Pooled(
        labels=tuple(str(label) for label in samples),
        counts=counts,
        mass=fit.mass,
        first=first,
        past=past,
        starts=starts,
        chance=np.add.reduceat(upto[past] - upto[first], starts),
    )


def _counted(label: str, ranges: Ranges) -> Ranges:
    """Keep the ranges that were observed, each a whole number of times."""
    if not ranges.total > 0:
        raise InputError(
            f"samples[{label!r}]", got="no range", allowed="at least one with a positive weight"
        )
    if np.any(ranges.weights != np.floor(ranges.weights)):
        raise InputError(
            f"samples[{label!r}]",
            got="weights that are not whole",
            allowed="how often each range was observed: whole numbers",
        )
    return ranges[ranges.weights > 0]
