"""The floor with which rings on the ticks of a line have a promised coverage."""

from fractions import Fraction
from typing import Any

import numpy as np

from askance.arguments import no_less, no_more
from askance.channels.tick_weights import step_sizes, tick_weights
from askance.design.cuts.reach import ROUND_OFF, reach
from askance.errors import InputError
from askance.exact.line import Line
from askance.exact.ratio import ratio
from askance.mechanisms.ring import Ring
from askance.typing import Floats, Integers


def ring_on_line(line: Line, coverage: object, law: Any = "even", sizes: Any = "even") -> Ring:
    r"""Find the ring with the highest floor that still has at least a coverage.

    Where both ends fall among the answers, and steps are fine,

    .. math:: \tau = \tfrac23 (1 - \delta + \delta^2):

    the higher the floor δ, the nearer to halves are the two sides, and the lower the coverage τ.
    The floor is found on the line itself, with the whole numbers that are deployed.

    Parameters
    ----------
    line : Line
    coverage : number
        τ, under the declared sizes.
    law, sizes : as for `Ring`

    Raises
    ------
    InputError
        If no ring on this line has this coverage; the message says which coverages they can have.

    References
    ----------
    Ding & Ding (2022), Example 3.

    >>> ring_on_line(Line(0, 40, 1), "3/5").floor  # on a fine line δ = .1127
    Fraction(1, 8)
    """
    tau = ratio(coverage, "Ring.coverage")
    counted = np.array(step_sizes(line, sizes, "Ring.sizes"), dtype=np.int64)
    drawn = np.array(tick_weights(line, law, "Ring.law"), dtype=float)
    floors, held = _coverages(counted, drawn)
    if not len(floors):
        raise InputError(
            "Ring.coverage",
            got="no pair of ticks with people on both sides",
            allowed="a law and sizes that have one on this line",
            remedy="take a smaller step",
        )
    least, most = reach(held)
    if not least <= tau <= held.max() + ROUND_OFF:
        raise InputError(
            "Ring.coverage",
            got=str(coverage),
            allowed=f"a coverage from {no_less(least)} to {no_more(most)} for a ring on this line",
            remedy="for less or more ask by cuts instead",
        )
    highest = int(floors[held >= float(tau) - ROUND_OFF][-1])
    return Ring(floor=Fraction(highest, int(counted.sum())), law=law, sizes=sizes)


def _coverages(counted: Integers, drawn: Floats) -> tuple[Integers, Floats]:
    """List every floor that some pair just keeps, ascending, with the coverage of its ring."""
    total, upto = counted.sum(), np.cumsum(counted)[:-1]
    first, last = np.triu_indices(len(drawn), 1)
    inside = upto[last] - upto[first]
    side, units = np.minimum(inside, total - inside), drawn[first] * drawn[last]
    able = (side > 0) & (units > 0)
    floors, at = np.unique(side[able], return_inverse=True)
    share = floors / total
    chances = np.bincount(at, units[able], len(floors))[::-1].cumsum()[::-1]
    wide = share**2 + (1 - share) ** 2
    held = (np.bincount(at, units[able], len(floors)) * wide)[::-1].cumsum()[::-1]
    return floors, held / chances
