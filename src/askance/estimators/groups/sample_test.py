"""What a test says of whether several groups have one distribution."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, final

import numpy as np

from askance.errors import InputError
from askance.estimators.groups.pooled import Pooled
from askance.results import Listing, json_of, keep_read_only, listed, number
from askance.typing import Floats, Integers, Json

_ROUNDING = 1e-9  # relative; deals so near the true one count as extreme


@final
@listed
@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class SampleTest:
    """A test of the claim that every group's numbers have the same distribution.

    Attributes
    ----------
    method : str
    labels : tuple of str
    n : array, shape (k,)
        How many numbers each group has.
    score : array, shape (k,)
        How far each group is from all together: see the test.
    statistic : float
    freedom : int
        Degrees of freedom of its χ² limit; 0 if it has none.
    p_asymptotic : float
        How often χ² is at least the statistic; not a number if it has no such limit.
    p_permutation : float
        How often dealing the ranges out again makes the statistic as large; not a number if none
        were dealt out.
    permutations : int

    >>> from askance.channels.ranges import Ranges
    >>> from askance.estimators.groups.log_rank import log_rank_test
    >>> first, second = Ranges([0, 2], [2, 4], weights=[9, 1]), Ranges([2], [4], weights=[10])
    >>> found = log_rank_test({"first": first, "second": second}, rng=1)
    >>> found.p_value, found.score.tolist()
    (0.001, [4.5, -4.5])
    """

    method: str
    labels: tuple[str, ...]
    n: Floats
    score: Floats
    statistic: float
    freedom: int
    p_asymptotic: float
    p_permutation: float
    permutations: int

    def __post_init__(self) -> None:
        keep_read_only(self, "n score")

    @property
    def p_value(self) -> float:
        """The p-value of the permutations, or the asymptotic one if there were none."""
        return self.p_permutation if self.permutations else self.p_asymptotic

    def to_dict(self) -> Json:
        """Write the test for JSON; None is a number that was not computed."""
        return json_of(self)

    def _table(self) -> Listing:
        rows = [
            [label, f"{n:,.0f}", number(float(score))]
            for label, n, score in zip(self.labels, self.n, self.score, strict=True)
        ]
        notes = [f"statistic {number(self.statistic)}"]
        if self.freedom:
            notes = [f"χ² {number(self.statistic)} on {self.freedom}, p {self.p_asymptotic:.3g}"]
        if self.permutations:
            notes.append(f"p {self.p_permutation:.3g} from {self.permutations:,} permutations")
        return f"{self.method} test of one distribution", ["group", "n", "score"], rows, notes


def dealt_out(
    pool: Pooled,
    statistic: Callable[[Integers], float],
    permutations: int,
    rng: Any,
) -> float:
    """Say how often a statistic is as large when the ranges are dealt out to the groups again.

    The share of deals, the true one among them, so that the test never rejects too often (Phipson &
    Smyth, 2010).

    Raises
    ------
    InputError
        If the number of permutations is not a whole number of at least 0.
    """
    if permutations < 0 or permutations != int(permutations):
        raise InputError("permutations", got=permutations, allowed="a whole number in [0, ∞)")
    if not permutations:
        return float("nan")
    least = statistic(pool.counts) * (1 - _ROUNDING)
    dice = np.random.default_rng(rng)
    beyond = sum(statistic(deal) >= least for deal in pool.shuffled(int(permutations), dice))
    return (1 + beyond) / (1 + int(permutations))
