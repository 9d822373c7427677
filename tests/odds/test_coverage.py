"""95 % intervals cover at their level: not too rarely, and inside the frame not too often."""

import pytest
from budget import alarm, judge
from designs import DESIGNS, NARROWED, TARGETS, WIDENED, hits

pytestmark = [pytest.mark.odds, pytest.mark.timeout(600)]

VERDICTS = {1.0: "holds", NARROWED: "too low", WIDENED: "too high"}


@pytest.mark.parametrize("design", DESIGNS)
def test_intervals_cover_at_their_level(design):
    """Narrowed ones are refused, and widened ones where the truth is inside.

    One test for each design: whatever is read of its surveys, they are drawn once.
    """
    for name, (own, _, null) in TARGETS.items():
        if own == design:
            expected = {
                stretch: told for stretch, told in VERDICTS.items() if stretch <= 1 or null[1] < 1
            }
            found = {
                stretch: judge(*hits(name, stretch), null, alarm(name)) for stretch in expected
            }
            assert found == expected, name
