"""Intervals from complex samples cover at their level; a design passed over is found out."""

from functools import cache

import pytest
from budget import Watch, alarm, dice, settle
from complex_samples import TARGETS, asked, designs
from designs import INTERIOR, NARROW_COVERS, NARROWED, WIDE_COVERS, WIDENED

pytestmark = [pytest.mark.odds, pytest.mark.timeout(600)]

SURVEYS = {
    "complex sample, share of 200": ("share", 200),
    "complex sample, share of 1,000": ("share", 1000),
    "complex sample, share of 5,000": ("share", 5000),
    "complex sample, slope of 200": ("slope", 200),
    "complex sample, slope of 1,000": ("slope", 1000),
}
STRETCHED = {1.0: "holds", NARROWED: "too low", WIDENED: "too high"}


@pytest.mark.parametrize("name", SURVEYS)
def test_intervals_know_how_people_were_drawn(name):
    """Intervals too narrow and too wide are refused, and so are those that pass over clusters."""
    (target, n), rng = SURVEYS[name], dice(name)
    read = TARGETS[target]
    verdicts = {("as drawn", stretch): told for stretch, told in STRETCHED.items()}
    verdicts["clusters ignored", 1.0] = "too low"
    if target == "share":
        verdicts["weights ignored", 1.0] = "too low"

    def survey():
        sample = asked(rng, n)
        held = designs(sample)
        return cache(lambda way: read(sample, held[way]))

    watches = {
        (way, stretch): (
            Watch(INTERIOR, (NARROW_COVERS, WIDE_COVERS), alarm(name)),
            lambda told, way=way, stretch=stretch: told(way).covers(stretch),
        )
        for way, stretch in verdicts
    }
    assert settle(survey, watches) == verdicts
