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


def frames_of(found):
    return {f"q{j}": ak.Frame([f"x{at}" for at in range(k)]) for j, k in enumerate(found)}


def law(made, record):
    """Give the chance of every report of a record; None stands for what is not sent."""
    found = {}
    frames = list(made.frames.values())
    d, level = len(frames), made.column_ratio

    def told(j, report):
        k = len(frames[j])
        return (level if report == record[j] else Fraction(1)) / (level + k - 1)

    if made.sharing is Sharing.SPLIT:
        for report in product(*(range(len(frame)) for frame in frames)):
            found[report] = math.prod((told(*at) for at in enumerate(report)), start=Fraction(1))
    elif made.sharing is Sharing.SAMPLE:
        for j, frame in enumerate(frames):
            found |= {(j, one): told(j, one) / d for one in range(len(frame))}
    else:
        for report in product(*(range(len(frame)) for frame in frames)):
            fakes = math.prod((Fraction(1, len(frame)) for frame in frames), start=Fraction(1))
            parts = (told(j, one) * fakes * len(frames[j]) for j, one in enumerate(report))
            found[report] = sum(parts) / d
    return found


@given(sizes, ways, levels, st.booleans())
@pytest.mark.long
def test_losses_are_those_of_every_record_and_report(found, sharing, level, per_attribute):
    frames = frames_of(found)
    made = SeveralAttributes(frames, sharing, ratio=level, per_attribute=per_attribute)
    laws = {record: law(made, record) for record in product(*(range(k) for k in found))}
    assert all(sum(one.values()) == 1 for one in laws.values())
    for many in range(1, len(found) + 1):
        for chosen in combinations(range(len(found)), many):
            expected = max(
                laws[x][report] / laws[z][report]
                for x, z in product(laws, repeat=2)
                if {at for at, pair in enumerate(zip(x, z, strict=True)) if pair[0] != pair[1]}
                == set(chosen)
                for report in laws[x]
            )
            assert made.ratio([f"q{at}" for at in chosen]) == expected
    asked = max(made.ratio([name]) for name in frames) if per_attribute else made.ratio()
    assert asked <= level
    assert float(asked) == pytest.approx(float(level), rel=1e-5)


@given(st.integers(2, 5), st.integers(2, 6), levels)
def test_fakes_of_equal_attributes_amplify_as_published_for_one_and_for_a_record_not(d, k, level):
    made = SeveralAttributes(frames_of([k] * d), Sharing.FAKE, ratio=level, per_attribute=True)
    assert made.column_ratio == d * (level - 1) + 1
    assert made.ratio(["q0"]) == level
    assert made.ratio() == made.column_ratio > level


def test_of_unequal_attributes_the_published_level_costs_the_largest_more():
    frames = frames_of([2, 4])
    published = 2 * (Fraction(3) - 1) + 1
    made = SeveralAttributes(frames, Sharing.FAKE, ratio=published)
    assert made.column_ratio == published
    assert made.ratio(["q1"]) > 3 > made.ratio(["q0"])
    assert SeveralAttributes(frames, Sharing.FAKE, ratio=3, per_attribute=True).ratio(["q1"]) <= 3


@pytest.mark.long
@given(sizes, ways, levels)
def test_channels_are_the_laws_of_each_column(found, sharing, level):
    made = SeveralAttributes(frames_of(found), sharing, ratio=level)
    for record in list(product(*(range(k) for k in found)))[:6]:
        chances = law(made, record)
        for j, (name, channel) in enumerate(made.channels.items()):
            expected = [Fraction(0)] * found[j]
            for report, chance in chances.items():
                if sharing is not Sharing.SAMPLE:
                    expected[report[j]] += chance
                elif report[0] == j:
                    expected[report[1]] += chance * len(found)
            exact = [Fraction(one, channel.table.total) for one in channel.table.rows[record[j]]]
            assert exact == expected, name


@pytest.mark.parametrize("sharing", Sharing)
@pytest.mark.parametrize("coin", [False, True], ids=["dice", "coin"])
def test_shares_come_back(sharing, coin, monkeypatch):
    feed = np.random.default_rng(5)
    fed = SimpleNamespace(draw=lambda count, _: feed.bytes(count))
    monkeypatch.setattr("askance.channels.bulk_draws.SYSTEM_BYTES", fed)
    n = 40_000
    made = SeveralAttributes(frames_of([2, 3]), sharing, ratio=20)
    columns = {
        "q0": np.repeat(["x0", "x1"], [n // 4, 3 * n // 4]),
        "q1": np.tile(["x0", "x1", "x2", "x2"], n // 4),
    }
    sent = made.privatise(columns, **({"coin": True} if coin else {"rng": 7}))
    for name, shares in (("q0", [0.25, 0.75]), ("q1", [0.25, 0.25, 0.5])):
        channel = made.channels[name]
        told = [one for one in sent[name] if one is not None]
        assert len(told) == n or sharing is Sharing.SAMPLE
        assert abs(len(told) - n / 2) < 5 * math.sqrt(n / 4) or sharing is not Sharing.SAMPLE
        found = np.array([told.count(at) for at in channel.frame.answers]) / len(told)
        expected = np.array(shares) @ channel.matrix
        assert np.abs(found - expected).max() < 5 * 0.5 / math.sqrt(len(told))
        fit = ak.estimate(ak.tally(channel, sent[name]))
        assert np.abs(np.asarray(fit.value) - shares).max() < 0.05


def test_which_attribute_is_drawn_does_not_depend_on_answers():
    made = SeveralAttributes(frames_of([2, 2]), Sharing.SAMPLE, ratio=3)
    one, other = (
        made.privatise({"q0": [answer] * 50, "q1": ["x1"] * 50}, rng=3) for answer in ("x0", "x1")
    )
    assert [x is None for x in one["q0"]] == [x is None for x in other["q0"]]


def test_bad_records_are_refused():
    made = SeveralAttributes(frames_of([2, 2]), Sharing.FAKE, ratio=3)
    for columns, told in [
        ({"q0": ["x0"]}, "q0, q1"),
        ({"q0": ["x0"], "q1": ["x0", "x1"]}, "one length"),
        ({"q0": ["x0"], "q1": [None]}, r"\['q1'\]\[0\]"),
        ({"q0": ["x0"], "q1": ["x9"]}, r"\['q1'\]\[0\]"),
    ]:
        with pytest.raises(InputError, match=told):
            made.privatise(columns, rng=1)
    with pytest.raises(InputError) as secret:
        made.privatise({"q0": ["x0"], "q1": ["x9"]}, coin=True)
    assert "x9" not in str(secret.value)
    with pytest.raises(InputError, match="one of them"):
        made.privatise({"q0": ["x0"], "q1": ["x1"]}, rng=1, coin=True)
    with pytest.raises(InputError, match="two attributes"):
        SeveralAttributes(frames_of([2]), Sharing.FAKE, ratio=3)
    with pytest.raises(InputError, match="q0, q1"):
        made.ratio(["q7"])
    with pytest.raises(InputError, match="ten-millionth"):
        SeveralAttributes(frames_of([2, 2]), Sharing.SPLIT, epsilon="1/1000000000")
