"""Many reports about one person: the exact law of their loss together, or a certified one."""

import math
from collections import Counter
from collections.abc import Sequence
from functools import reduce

import numpy as np

from askance.errors import InputError
from askance.privacy.composition.grid import on_grid
from askance.privacy.composition.lattice import lattice_losses, power
from askance.privacy.composition.law import LossLaw
from askance.privacy.composition.multinomial import count_of_cells, every_cell, likely_cells
from askance.privacy.losses.pair import Pair
from askance.typing import Floats

MOST = 10_000
"""The most reports about one person that are accounted for together."""

_CELLS = 1 << 20
_LATTICE = 60_000  # points, which are convolved in about a second


def kfold(spent: Sequence[tuple[Pair, int]]) -> LossLaw:
    """Compose independent reports: the law of the sum of their losses.

    It is exact to rounding where the losses of each pair lie on a lattice (every mechanism with
    ratios r, 1, 1/r), where there are up to three of them, or where all compositions number at most
    a million; otherwise certified from both sides on a fine grid.

    Parameters
    ----------
    spent : sequence of (Pair, int)
        Pairs of rows and how many reports were sent by each.

    Raises
    ------
    InputError
        If a number of reports is not in [1, 10000] or there are more in all.

    References
    ----------
    Li, Zhou, Qin & Xu (2022), Lemma 3 and Corollary 6, on messages; Dong, Roth & Su (2022),
    Definition 3.1.

    >>> from fractions import Fraction
    >>> rows = ([Fraction(n, 10) for n in row] for row in ([6, 1, 3], [1, 6, 3]))
    >>> round(kfold([(Pair.of(*rows), 50)]).epsilon(1e-6), 6)
    78.748848
    """
    counts: Counter[Pair] = Counter()
    for pair, times in spent:
        counts[pair] += times
    total = sum(counts.values())
    if not counts or min(counts.values()) < 1 or total > MOST:
        raise InputError("kfold.spent", got=f"{total} reports", allowed=f"1 to {MOST} reports")
    if any(not pair.ratios for pair in counts):
        return LossLaw([], [], [], only_first=1.0, only_second=1.0)
    parts = [_exactly(pair, k) for pair, k in counts.items()]
    exact = [part for part in parts if part is not None]
    cells = math.prod(len(part.losses) for part in exact)
    if len(exact) < len(parts) or (len(parts) > 1 and cells > _CELLS):
        return on_grid(counts)
    return reduce(_product, exact)


def _exactly(pair: Pair, k: int) -> LossLaw | None:
    """Give the exact law of k reports by one pair, where a few million points hold it."""
    found = _points(pair, k)
    if found is None:
        return None
    losses, one, two, missing = found
    one = one * (1 - float(pair.only_first)) ** k
    two = two * (1 - float(pair.only_second)) ** k
    only_first, only_second = pair.proven(k)
    rarer = np.exp(-np.abs(losses))  # a chance flushed to zero is the other times e^±loss
    return LossLaw(
        losses,
        np.where(losses > 0, two * rarer, one),
        np.where(losses < 0, one * rarer, two),
        only_first=only_first,
        only_second=only_second,
        greatest=k * pair.losses[0],
        missing=missing,
    )


def _points(pair: Pair, k: int) -> tuple[Floats, Floats, Floats, float] | None:
    """List losses and their chances given that no report is decisive."""
    first, second = pair.undecided
    losses, steps = np.array(pair.losses), pair.lattice()
    if steps is not None and k * steps[0] <= _LATTICE:
        one, missing = power(np.array(steps), first, k)
        two, beside = power(np.array(steps), second, k)
        return lattice_losses(pair, np.array(steps), k), one, two, missing + beside
    if count_of_cells(k, len(losses)) <= _CELLS:
        cells, missing = every_cell(k, losses, first, second), 0.0
    elif len(losses) == 3:
        cells, missing = likely_cells(k, losses, first, second)
    else:
        return None
    return cells[0], np.exp(cells[1]), np.exp(cells[2]), missing


def _product(one: LossLaw, two: LossLaw) -> LossLaw:
    """Add independent losses."""
    return LossLaw(
        np.add.outer(one.losses, two.losses).ravel(),
        np.outer(one.first, two.first).ravel(),
        np.outer(one.second, two.second).ravel(),
        only_first=one.only_first + two.only_first - one.only_first * two.only_first,
        only_second=one.only_second + two.only_second - one.only_second * two.only_second,
        greatest=one.greatest + two.greatest,
        missing=one.missing + two.missing,
    )
