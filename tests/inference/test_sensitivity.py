"""Shares by how many do not comply: beside formulas, the models and the bounds that it joins."""

import numpy as np
import pytest

import askance as ak
from askance.inference import (
    cheating_detection,
    contamination_bounds,
    estimate_compliance,
    random_answerers,
    sensitivity,
    stochastic_lie_detector,
)
from askance_collect.errors import InputError

YN = ak.Frame(["yes", "no"])
WARNER = ak.Warner(truth="3/4").channel(YN)
TALLY = ak.Tally(WARNER, {"yes": 400, "no": 600})
C = np.array([0.0, 0.05, 0.1, 0.15, 0.2])


def test_deniers_are_added_to_what_is_estimated_of_the_others():
    analysis = sensitivity(TALLY, stochastic_lie_detector())
    honest = (0.4 - 0.25 * (1 - C)) / 0.5 / (1 - C)  # .4 of all is (1 − c)(¼ + ½ ρ)
    assert analysis.noncompliant_share == pytest.approx(C)
    assert analysis.low[:, 0] == pytest.approx((1 - C) * honest + C, abs=1e-6)
    assert analysis.high == pytest.approx(analysis.low)
    assert analysis.low.sum(axis=1) == pytest.approx(1)


def test_whom_nothing_is_known_of_they_widen_the_set_by_as_many():
    analysis = sensitivity(TALLY, cheating_detection())
    known_analysis = sensitivity(TALLY, stochastic_lie_detector())
    assert analysis.high[:, 0] == pytest.approx(known_analysis.low[:, 0], abs=1e-9)
    assert analysis.high - analysis.low == pytest.approx(np.stack([C, C], axis=1), abs=1e-6)
    assert analysis.upper[:, 0] == pytest.approx(known_analysis.upper[:, 0], abs=1e-6)


def test_random_answerers_who_are_alike_leave_a_point():
    analysis = sensitivity(TALLY, random_answerers())
    assert analysis.low[:, 0] == pytest.approx(((0.4 - C / 2) / (1 - C) - 0.25) / 0.5, abs=1e-6)
    assert analysis.high == pytest.approx(analysis.low)


@pytest.mark.long
def test_whatever_they_report_it_is_the_bounds_of_contamination():
    analysis = sensitivity(TALLY)
    for index, share in enumerate(C[1:], start=1):
        honest = contamination_bounds(TALLY, float(share.round(2)))
        assert analysis.low[index] == pytest.approx((1 - share) * honest.low)
        assert analysis.upper[index] == pytest.approx((1 - share) * honest.upper + share)
    for kind in (stochastic_lie_detector(), cheating_detection(), random_answerers()):
        own = sensitivity(TALLY, kind)
        assert (own.low >= analysis.low - 1e-6).all()
        assert (own.high <= analysis.high + 1e-6).all()


def test_where_the_share_is_estimated_the_strip_passes_through_the_estimate():
    kind = stochastic_lie_detector()
    forced = [
        ak.Channel(YN, {"yes": ["yes"], "no": ["no"]}, [[1, 0], [p, 1 - p]]) for p in (0.2, 0.8)
    ]
    groups = ak.channels.GroupedTally(
        {
            "few": ak.Tally(forced[0], {"yes": 320, "no": 680}),
            "many": ak.Tally(forced[1], {"yes": 680, "no": 320}),
        }
    )
    strip = sensitivity(groups, kind)
    assert strip.low[-1] == pytest.approx(estimate_compliance(groups, kind).answers.low, abs=1e-6)


def test_none_who_do_not_comply_is_the_estimate():
    known_answers = estimate_compliance(TALLY, ()).answers
    for kind in (None, cheating_detection()):
        analysis = sensitivity(TALLY, kind, most="1/10", steps=1)
        assert analysis.low[0] == pytest.approx(known_answers.low)
        assert analysis.upper[0] == pytest.approx(known_answers.upper)


def test_what_no_people_could_send_counts_as_the_nearest_that_they_could():
    plain = ak.Tally(ak.KAry(truth="9/10").channel(YN), {"yes": 0, "no": 1000})
    analysis = sensitivity(plain, most="1/100", steps=1)
    assert analysis.low[1] == pytest.approx([0, 0.99], abs=1e-6)
    assert analysis.high[1] == pytest.approx([0.01, 1], abs=1e-6)
    assert None not in analysis.to_dict()["low"][1]


@pytest.mark.long
def test_at_edges_with_four_answers_every_share_has_its_bounds():
    """A report is rarer than any people could send it: its answer's share is 0 among the honest."""
    q = ak.KAry(truth="3/5").channel(ak.Frame(["a", "b", "c", "d"]))
    tally = ak.Tally(q, {"a": 400, "b": 300, "c": 200, "d": 100})
    analysis = sensitivity(tally, most="1/5", steps=2)
    assert "\N{EN DASH}" not in repr(analysis)
    assert (analysis.lower <= analysis.low).all()
    assert (analysis.low <= analysis.high).all()
    assert (analysis.high <= analysis.upper).all()
    widths = analysis.high - analysis.low
    assert (np.diff(widths, axis=0) > 0).all()
    assert analysis.high[:, 3] == pytest.approx([0, 0.1, 0.2], abs=1e-5)
    assert analysis.high[1, 0] == pytest.approx(0.1 + _most_of_first(tally, 0.1), abs=1e-3)


def _most_of_first(tally, c):
    """The largest (1 − c)π of the first answer among grids of the most likely (π, r), by hand."""
    q, counts = tally.channel.matrix, tally.counts
    expected = _likeliest(q, counts, c)
    best = 0.0
    for first in np.linspace(0, 1, 1001):  # others share the rest so that none is sent too often
        spare = expected / (1 - c) - first * q[0]
        rest = 1 - first
        low = rest * q[1, 0]
        if (spare - low >= -1e-6).all() and spare.sum() >= rest - 1e-9:
            room = np.clip((spare - low)[1:] / (q[1, 1] - q[1, 0]), 0, None).sum()
            best = first if room >= rest - 1e-9 else best
    return (1 - c) * best


def _likeliest(q, counts, c):
    """Fill from below: the most likely chances, each at least what honest people send at least."""
    least, f = (1 - c) * q.min(axis=0), counts / counts.sum()
    is_held = f < least
    scaled = np.where(is_held, least, f * (1 - least[is_held].sum()) / f[~is_held].sum())
    assert (scaled >= least - 1e-12).all()
    return scaled


def test_it_is_drawn_and_told():
    analysis = sensitivity(TALLY, cheating_detection(), steps=2)
    ax = analysis.plot()
    assert len(ax.collections) == 2
    assert ax.get_xlabel() == "share of people who cheat"
    assert "10 %" in repr(analysis)


@pytest.mark.parametrize(
    ("given", "told"),
    [
        ({"most": 0}, "most"),
        ({"most": 1}, "most"),
        ({"most": float("nan")}, "most"),
        ({"steps": 0}, "steps"),
        ({"steps": 10**6}, "steps"),
        ({"level": 1.0}, "level"),
        ({"noncompliers": cheating_detection("nope")}, "nope"),
    ],
)
def test_what_means_nothing_is_refused(given, told):
    with pytest.raises(InputError, match=told):
        sensitivity(TALLY, **given)


def test_groups_need_a_kind():
    with pytest.raises(InputError, match="groups"):
        sensitivity(ak.channels.GroupedTally({"a": TALLY}))


@pytest.mark.parametrize("kind", [None, cheating_detection()])
def test_nobody_asked_leaves_everything_open(kind):
    analysis = sensitivity(ak.Tally(WARNER, {}), kind, steps=2)
    assert analysis.low.tolist() == analysis.lower.tolist() == [[0, 0]] * 3
    assert analysis.high.tolist() == analysis.upper.tolist() == [[1, 1]] * 3
