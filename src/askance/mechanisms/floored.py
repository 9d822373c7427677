"""What recipes with a floor declare: how many cuts, and the least share that a range holds."""

from fractions import Fraction
from typing import Any

from askance.channels.exact_stretches import Stretches
from askance.channels.tick_weights import step_sizes
from askance.errors import InputError
from askance.exact.floor import Floor
from askance.exact.line import Line
from askance.exact.ratio import ratio, whole
from askance.wire.cuts import MOST_CUTS


def cut_count(number: object, where: str) -> int:
    """Read how many cuts are drawn.

    >>> cut_count(2, "Cuts.number")
    2
    """
    return whole(number, where, f"an integer in [1, {MOST_CUTS}]", most=MOST_CUTS)


def least_share(floor: object, where: str, *, ranges: int = 1) -> Fraction:
    """Check the least share of people that a range must hold.

    Raises
    ------
    InputError
        If it is not in (0, 1), or not in (0, 1/m] where each of m ranges must hold it.

    >>> least_share("1/5", "Ring.floor", ranges=2)
    Fraction(1, 5)
    """
    read = ratio(floor, where)
    if not 0 < read < 1 or read * ranges > 1:
        many = "two sides cannot both hold more than half"
        if ranges > 2:
            many = f"{ranges} ranges cannot each hold more than 1/{ranges}"
        raise InputError(
            where,
            got=str(floor),
            allowed=f"a share in {f'(0, 1/{ranges}]' if ranges > 1 else '(0, 1)'}",
            remedy=many if ranges > 1 else "",
        )
    return read


def floor_on(line: Line, sizes: Any, share: Fraction, opened: Stretches, where: str) -> Floor:
    """Count the floor in whole units: a share of the sizes of the steps that are not open.

    >>> floor_on(Line(0, 4, 1), "even", Fraction(2, 5), (), "Ring")
    Floor(least=2)
    """
    counted = list(step_sizes(line, sizes, f"{where}.sizes"))
    for low, high in opened:
        counted[low:high] = [0] * (high - low)
    return Floor(counted, max(-(-share * sum(counted) // 1), 1))
