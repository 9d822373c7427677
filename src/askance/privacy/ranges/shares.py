"""How common the answers are thought to be, for averages over them."""

from collections.abc import Sequence
from fractions import Fraction

from askance.errors import InputError
from askance.exact.ratio import chance

_SLACK = Fraction(1, 10**9)


def shares_of(given: Sequence[object] | None, k: int, where: str) -> list[Fraction]:
    """Read one share for each of k answers; equal ones where nothing is said.

    Raises
    ------
    InputError
        If there are not k shares or they do not sum to one, up to rounding.

    >>> shares_of(None, 2, "shares")
    [Fraction(1, 2), Fraction(1, 2)]
    """
    read = [Fraction(1, k)] * k if given is None else [chance(one, where) for one in given]
    whole = sum(read, Fraction(0))
    if len(read) != k or abs(whole - 1) > _SLACK:
        raise InputError(
            where,
            got=f"{len(read)} shares that sum to {float(whole)}",
            allowed=f"{k} shares that sum to one",
        )
    return [one / whole for one in read]
