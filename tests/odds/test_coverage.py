"""95 % intervals cover at their level: not too rarely, and inside the frame not too often."""

import pytest
from budget import Watch, alarm, dice, settle
from designs import DESIGNS, NARROW_COVERS, NARROWED, TARGETS, WIDE_COVERS, WIDENED

pytestmark = [pytest.mark.odds, pytest.mark.timeout(600)]

VERDICTS = {1.0: "holds", NARROWED: "too low", WIDENED: "too high"}


def watched(name):
    """Watch a target as it is, narrowed, and widened where the truth is inside."""
    _, target, null = TARGETS[name]
    inside = null[1] < 1
    defects = (NARROW_COVERS, WIDE_COVERS) if inside else (NARROW_COVERS,)
    return {
        (name, stretch): (
            Watch(null, defects, alarm(name)),
            lambda readings, stretch=stretch: readings[target].covers(stretch),
        )
        for stretch in VERDICTS
        if inside or stretch <= 1
    }


@pytest.mark.parametrize("design", DESIGNS)
def test_intervals_cover_at_their_level(design):
    """Narrowed ones are refused, and widened ones where the truth is inside.

    One test for each design: whatever is read of its surveys, they are drawn once.
    """
    rng, watches = dice(design), {}
    for name, (own, _, _) in TARGETS.items():
        if own == design:
            watches |= watched(name)
    found = settle(lambda: DESIGNS[design].draw(rng), watches)
    assert found == {key: VERDICTS[key[1]] for key in watches}
