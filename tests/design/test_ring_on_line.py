"""Rings with a promised coverage, against every floor tried by hand and the closed form."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from askance.channels import RingChannel
from askance.design import ring_on_line
from askance.privacy import coverage
from askance_collect.errors import InputError
from askance_collect.exact import Floor, Line

sizes = st.lists(st.integers(0, 5), min_size=4, max_size=8).filter(lambda s: s[0] and s[-1])


@pytest.mark.long
@given(sizes, st.floats(0.501, 0.9))
def test_of_all_floors_that_keep_it_the_highest_is_found(given_sizes, target):
    line, n = Line(0, len(given_sizes), 1), len(given_sizes)
    prior = [size / sum(given_sizes) for size in given_sizes]
    content = {}
    for least in range(1, sum(given_sizes) // 2 + 1):
        try:
            ring = RingChannel(line, [1] * (n - 1), Floor(given_sizes, least))
        except InputError:
            break
        content[least] = float(coverage(ring, prior).value) + 1e-8
    if content and min(content.values()) <= target <= max(content.values()):
        on_line = ring_on_line(line, target, sizes=given_sizes)
        leasts = [least for least, wide in content.items() if wide >= target]
        assert float(on_line.floor) * sum(given_sizes) == pytest.approx(leasts[-1])
    elif not content or not min(content.values()) - 2e-4 < target < max(content.values()):
        with pytest.raises(InputError, match=r"by cuts instead|smaller step"):
            ring_on_line(line, target, sizes=given_sizes)


def test_a_fine_line_has_the_closed_form():
    line = ring_on_line(Line(0, 1000, 1), 0.6)
    floor = float(line.floor)
    assert 2 / 3 * (1 - floor + floor**2) == pytest.approx(0.6, abs=1e-3)


def test_a_line_without_a_pair_of_cuts_is_refused():
    with pytest.raises(InputError, match="smaller step"):
        ring_on_line(Line(0, 2, 1), 0.6)
