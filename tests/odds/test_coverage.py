"""95 % intervals cover at their level: not too rarely, and inside the frame not too often."""

from operator import itemgetter

import pytest
from budget import dice, each, settle
from designs import DESIGNS, TARGETS, expected, stretched

pytestmark = [pytest.mark.odds, pytest.mark.timeout(600)]


@pytest.mark.parametrize("design", each(DESIGNS))
def test_intervals_cover_at_their_level(design):
    """Narrowed ones are refused, and widened ones where the truth is inside.

    One test for each design: whatever is read of its surveys, they are drawn once.
    """
    rng, watches = dice(design), {}
    for name, (own, target, null) in TARGETS.items():
        if own == design:
            watches |= stretched(name, itemgetter(target), null)
    outcome = settle(lambda: DESIGNS[design].draw(rng), watches)
    assert outcome == expected(watches)
