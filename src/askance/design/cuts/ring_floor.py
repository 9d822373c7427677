"""Rings among the answers, every report of which keeps a promised coverage."""

from typing import Any

import numpy as np

from askance.arguments import checked
from askance.channels.ring_channel import RingChannel
from askance.errors import InputError
from askance.exact.floor import Floor
from askance.exact.line import Line
from askance.exact.ratio import ratio
from askance.privacy.coverage import step_chances

_UNITS = 1_000_000  # whole parts of the prior


@checked
def ring_with_floor(line: Line, prior: Any, floor: object) -> RingChannel:
    r"""Find a ring whose every report holds at least a promised share of the answers.

    .. math:: \tau = \tfrac23 (1 - \delta + \delta^2)

    Both ends of the ring are drawn among the answers, from the pairs alone that leave the share δ
    inside and outside. On a fine line the coverage is the one above; on a coarse one, see
    `coverage`.

    Parameters
    ----------
    line : Line
    prior : distribution, callable, or sequence of float of shape (ticks,)
        F, what is thought of the answers: declared and fixed beforehand.
    floor : number
        δ, the least individual coverage, in (0, 1/2].

    Raises
    ------
    InputError
        If the floor is not in (0, 1/2], or the line has no pair of ticks that keeps it.

    References
    ----------
    Ding & Ding (2022), Example 3. The coverage: given its bounds, the share s inside has a density
    in proportion to 1 − s, and s² + (1 − s)² is the same on both sides of 1/2.

    >>> from scipy import stats
    >>> from askance.privacy.coverage import coverage
    >>> ring = ring_with_floor(Line(0, 100, 1), stats.uniform(0, 100), "1/5")
    >>> round(float(coverage(ring).value), 2)
    0.56
    """
    least = ratio(floor, "floor")
    if not 0 < least * 2 <= 1:
        raise InputError(
            "floor",
            got=str(floor),
            allowed="a share in (0, 1/2]",
            remedy="inside and outside cannot both hold more than half" if least > 0 else "",
        )
    p = step_chances(line, prior, "ring_with_floor.prior")
    upto = np.concatenate([[0.0], np.cumsum(p)])
    sizes = np.diff(np.rint(upto * _UNITS).astype(np.int64))
    weights = np.diff(np.rint((upto[:-1] + upto[1:]) / 2 * _UNITS).astype(np.int64))
    return RingChannel(line, weights.tolist(), Floor(sizes.tolist(), -(-least * _UNITS // 1)))
