"""Several attributes against every record and every report, written out in fractions."""

import math
from fractions import Fraction
from itertools import combinations, product
from types import SimpleNamespace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import askance as ak
from askance.mechanisms import SeveralAttributes, Sharing
from askance_collect.errors import InputError

ways = st.sampled_from(Sharing)
levels = st.fractions(Fraction(5, 4), 9, max_denominator=8)
sizes = st.lists(st.integers(2, 4), min_size=2, max_size=3).filter(lambda k: math.prod(k) <= 24)


def frames_of(result):
    return {f"q{j}": ak.Frame([f"x{index}" for index in range(k)]) for j, k in enumerate(result)}


def law(created, record):
    """Give the chance of every report of a record; None stands for what is not sent."""
    result = {}
    frames = list(created.frames.values())
    d, level = len(frames), created.column_ratio

    def told(j, report):
        k = len(frames[j])
        return (level if report == record[j] else Fraction(1)) / (level + k - 1)

    if created.sharing is Sharing.SPLIT:
        for report in product(*(range(len(frame)) for frame in frames)):
            result[report] = math.prod(
                (told(*pair) for pair in enumerate(report)), start=Fraction(1)
            )
    elif created.sharing is Sharing.SAMPLE:
        for j, frame in enumerate(frames):
            result |= {(j, index): told(j, index) / d for index in range(len(frame))}
    else:
        for report in product(*(range(len(frame)) for frame in frames)):
            fakes = math.prod((Fraction(1, len(frame)) for frame in frames), start=Fraction(1))
            parts = (told(j, item) * fakes * len(frames[j]) for j, item in enumerate(report))
            result[report] = sum(parts) / d
    return result


@given(sizes, ways, levels, st.booleans())
@pytest.mark.long
def test_losses_are_those_of_every_record_and_report(found, sharing, level, per_attribute):
    frames = frames_of(found)
    attributes = SeveralAttributes(frames, sharing, ratio=level, per_attribute=per_attribute)
    laws = {record: law(attributes, record) for record in product(*(range(k) for k in found))}
    assert all(sum(item.values()) == 1 for item in laws.values())
    for many in range(1, len(found) + 1):
        for chosen in combinations(range(len(found)), many):
            expected = max(
                laws[x][report] / laws[z][report]
                for x, z in product(laws, repeat=2)
                if {
                    index for index, pair in enumerate(zip(x, z, strict=True)) if pair[0] != pair[1]
                }
                == set(chosen)
                for report in laws[x]
            )
            assert attributes.ratio([f"q{index}" for index in chosen]) == expected
    highest = (
        max(attributes.ratio([name]) for name in frames) if per_attribute else attributes.ratio()
    )
    assert highest <= level
    assert float(highest) == pytest.approx(float(level), rel=1e-5)


@given(st.integers(2, 5), st.integers(2, 6), levels)
def test_fakes_of_equal_attributes_amplify_as_published_for_one_and_for_a_record_not(d, k, level):
    attributes = SeveralAttributes(
        frames_of([k] * d), Sharing.FAKE, ratio=level, per_attribute=True
    )
    assert attributes.column_ratio == d * (level - 1) + 1
    assert attributes.ratio(["q0"]) == level
    assert attributes.ratio() == attributes.column_ratio > level


def test_of_unequal_attributes_the_published_level_costs_the_largest_more():
    frames = frames_of([2, 4])
    published = 2 * (Fraction(3) - 1) + 1
    attributes = SeveralAttributes(frames, Sharing.FAKE, ratio=published)
    assert attributes.column_ratio == published
    assert attributes.ratio(["q1"]) > 3 > attributes.ratio(["q0"])
    assert SeveralAttributes(frames, Sharing.FAKE, ratio=3, per_attribute=True).ratio(["q1"]) <= 3


@pytest.mark.long
@given(sizes, ways, levels)
def test_channels_are_the_laws_of_each_column(found, sharing, level):
    attributes = SeveralAttributes(frames_of(found), sharing, ratio=level)
    for record in list(product(*(range(k) for k in found)))[:6]:
        chances = law(attributes, record)
        for j, (name, channel) in enumerate(attributes.channels.items()):
            expected = [Fraction(0)] * found[j]
            for report, chance in chances.items():
                if sharing is not Sharing.SAMPLE:
                    expected[report[j]] += chance
                elif report[0] == j:
                    expected[report[1]] += chance * len(found)
            exact = [Fraction(item, channel.table.total) for item in channel.table.rows[record[j]]]
            assert exact == expected, name


@pytest.mark.parametrize("sharing", Sharing)
@pytest.mark.parametrize("coin", [False, True], ids=["dice", "coin"])
def test_shares_come_back(sharing, coin, monkeypatch):
    feed = np.random.default_rng(5)
    fed = SimpleNamespace(draw=lambda count, _: feed.bytes(count))
    monkeypatch.setattr("askance.channels.bulk_draws.SYSTEM_BYTES", fed)
    n = 40_000
    attributes = SeveralAttributes(frames_of([2, 3]), sharing, ratio=20)
    columns = {
        "q0": np.repeat(["x0", "x1"], [n // 4, 3 * n // 4]),
        "q1": np.tile(["x0", "x1", "x2", "x2"], n // 4),
    }
    reports = attributes.privatise(columns, **({"coin": True} if coin else {"rng": 7}))
    for name, shares in (("q0", [0.25, 0.75]), ("q1", [0.25, 0.25, 0.5])):
        channel = attributes.channels[name]
        ones = [item for item in reports[name] if item is not None]
        assert len(ones) == n or sharing is Sharing.SAMPLE
        assert abs(len(ones) - n / 2) < 5 * math.sqrt(n / 4) or sharing is not Sharing.SAMPLE
        result = np.array([ones.count(answer) for answer in channel.frame.answers]) / len(ones)
        expected = np.array(shares) @ channel.matrix
        assert np.abs(result - expected).max() < 5 * 0.5 / math.sqrt(len(ones))
        fit = ak.estimate(ak.tally(channel, reports[name]))
        assert np.abs(np.asarray(fit.value) - shares).max() < 0.05


def test_which_attribute_is_drawn_does_not_depend_on_answers():
    attributes = SeveralAttributes(frames_of([2, 2]), Sharing.SAMPLE, ratio=3)
    item, other = (
        attributes.privatise({"q0": [answer] * 50, "q1": ["x1"] * 50}, rng=3)
        for answer in ("x0", "x1")
    )
    assert [x is None for x in item["q0"]] == [x is None for x in other["q0"]]


def test_bad_records_are_refused():
    attributes = SeveralAttributes(frames_of([2, 2]), Sharing.FAKE, ratio=3)
    for columns, message in [
        ({"q0": ["x0"]}, "q0, q1"),
        ({"q0": ["x0"], "q1": ["x0", "x1"]}, "one length"),
        ({"q0": ["x0"], "q1": [None]}, r"\['q1'\]\[0\]"),
        ({"q0": ["x0"], "q1": ["x9"]}, r"\['q1'\]\[0\]"),
    ]:
        with pytest.raises(InputError, match=message):
            attributes.privatise(columns, rng=1)
    with pytest.raises(InputError) as secret:
        attributes.privatise({"q0": ["x0"], "q1": ["x9"]}, coin=True)
    assert "x9" not in str(secret.value)
    with pytest.raises(InputError, match="one of them"):
        attributes.privatise({"q0": ["x0"], "q1": ["x1"]}, rng=1, coin=True)
    with pytest.raises(InputError, match="two attributes"):
        SeveralAttributes(frames_of([2]), Sharing.FAKE, ratio=3)
    with pytest.raises(InputError, match="q0, q1"):
        attributes.ratio(["q7"])
    with pytest.raises(InputError, match="ten-millionth"):
        SeveralAttributes(frames_of([2, 2]), Sharing.SPLIT, epsilon="1/1000000000")
