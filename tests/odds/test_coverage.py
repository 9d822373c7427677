"""95 % intervals cover at their level: not too rarely, and inside the frame not too often."""

import pytest
from budget import alarm, judge
from designs import NARROWED, TARGETS, WIDENED, hits

pytestmark = [pytest.mark.odds, pytest.mark.timeout(600)]

INSIDE = [name for name, (_, _, null) in TARGETS.items() if null[1] < 1]


@pytest.mark.parametrize("name", TARGETS)
def test_intervals_cover_at_their_level(name):
    assert judge(*hits(name), TARGETS[name][2], alarm(name)) == "holds"


@pytest.mark.parametrize("name", TARGETS)
def test_narrowed_intervals_are_refused(name):
    assert judge(*hits(name, NARROWED), TARGETS[name][2], alarm(name)) == "too low"


@pytest.mark.parametrize("name", INSIDE)
def test_widened_intervals_are_refused(name):
    assert judge(*hits(name, WIDENED), TARGETS[name][2], alarm(name)) == "too high"
