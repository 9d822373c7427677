"""Named designs at equal protection: the bound is kept and used up, the figures are exact."""

import math
from fractions import Fraction

import numpy as np
import pytest

from askance import Frame, local_loss
from askance.design import compare_mechanisms
from askance.mechanisms import answer_mechanism
from askance.privacy import advantage
from askance_collect.errors import InputError

YN = Frame(["yes", "no"])
ONE_SIDED = ("mangat", "one_sided", "triangular")
PAIRS, HIDDEN = "unrelated_pairs", "hidden"
ALL = 13
FREE = {
    "warner": "truth",
    "crosswise": "harmless",
    "unrelated": "asked",
    "mangat": "truth_if_no",
    "one_sided": "forced_yes",
    "triangular": "harmless",
}
"""The one number of a family that has a step of a thousandth, or of half of one."""


def odds(channel):
    yes, no = channel.table.rows
    return max(Fraction(a, b) if b else math.inf for a, b in zip(yes, no, strict=True) if a)


def held(channel, bound):
    judges = {"ratio": local_loss, "advantage": advantage}
    return odds(channel) if bound == "odds" else judges[bound](channel).value


BOUNDS = {"ratio": 3, "odds": Fraction(5, 2), "advantage": Fraction(1, 3)}


@pytest.mark.parametrize("bound", BOUNDS)
def test_every_design_keeps_the_bound_and_the_next_thousandth_would_not(bound):
    most = BOUNDS[bound]
    found = compare_mechanisms(**{bound: most})
    out = {"ratio": (*ONE_SIDED, PAIRS, HIDDEN)}
    assert found.left_out == out.get(bound, (HIDDEN,))  # whose odds are 3 at the least
    assert len(found.mechanisms) + len(found.left_out) == ALL
    for one in found.mechanisms:
        assert held(one.channel, bound) <= most
        told = one.mechanism.parameters()
        if one.mechanism.name in FREE:
            value, key = Fraction(told[FREE[one.mechanism.name]]), FREE[one.mechanism.name]
            step = Fraction(1, 2000) if one.mechanism.name in ("warner", "crosswise") else None
            step = step or Fraction(1, 1000)
            further = value + (-step if key in ("harmless", "forced_yes") else step)
            twin = answer_mechanism(one.mechanism.name, {**told, key: further}, YN)
            assert held(twin.channel(YN), bound) > most


@pytest.mark.parametrize("pi", [Fraction(1, 100), Fraction(1, 10), Fraction(1, 2)])
def test_figures_are_those_of_the_information_in_fractions(pi):
    found = compare_mechanisms(odds=3, prevalence=float(pi), people=500)
    variances = [one.variance for one in found.mechanisms]
    assert variances == sorted(variances)
    for one in found.mechanisms:
        if one.description.startswith(PAIRS):
            continue
        rows = [one.channel.table.row(at) for at in (0, 1)]
        told = [(yes - no) ** 2 / (pi * yes + (1 - pi) * no) for yes, no in zip(*rows, strict=True)]
        exact = 1 / sum(told)
        assert one.variance == pytest.approx(float(exact), rel=1e-9)
        worth = 500 * pi * (1 - pi) / exact
        assert one.effective_sample_size == pytest.approx(float(worth), rel=1e-9)
        assert one.odds == odds(one.channel)
        assert one.guess_probability == (1 + advantage(one.channel).value) / 2
        loss = local_loss(one.channel)
        assert one.epsilon == (loss.epsilon if loss.value != math.inf else math.inf)


def named(found, name):
    return next(one for one in found.mechanisms if one.description.startswith(name))


@pytest.mark.parametrize("pi", [0.02, 0.1, 0.5])
def test_two_samples_are_as_precise_as_their_joint_information(pi):
    """Of the share and the harmless one: two samples of half the people each."""
    found = named(compare_mechanisms(odds=4, prevalence=pi), PAIRS)
    p, h = float(found.mechanism.sensitive_chance), float(found.mechanism.harmless)

    def variance(*asked):
        told = [(one * pi + (1 - one) * h, np.array([one, 1 - one])) for one in asked]
        return np.linalg.inv(sum(np.outer(g, g) / (2 * s * (1 - s)) for s, g in told))[0, 0]

    assert found.variance == pytest.approx(variance(p, 0))
    assert found.variance < min(variance(p, p * at / 10) for at in range(1, 10))
    assert (found.epsilon, found.guess_probability) == (
        math.inf,
        (1 + found.mechanism.sensitive_chance) / 2,
    )
    assert float(found.odds) == pytest.approx((p + (1 - p) * h) / ((1 - p) * h))


@pytest.mark.parametrize("pi", [Fraction(1, 50), Fraction(1, 4)])
def test_hidden_sensitivity_is_as_precise_as_its_counts(pi):
    """The share of one of two traits is a sum of shares of reports, whose variance is known."""
    found = named(compare_mechanisms(odds=5, prevalence=float(pi)), HIDDEN)
    h = found.mechanism.harmless
    assert found.odds == max(1 / one for one in h[:3]) <= 5
    assert (found.epsilon, found.guess_probability) == (math.inf, 1)
    behind = [pi * pi, pi * (1 - pi), pi * (1 - pi), (1 - pi) ** 2]
    seen = [share + behind[3] * one for share, one in zip(behind[:3], h[:3], strict=True)]
    seen.append(behind[3] * h[3])
    weights = [1, 1, 0, -(h[0] + h[1]) / h[3]]
    told = [(w, share) for w, share in zip(weights, seen, strict=True)]
    assert sum(w * share for w, share in told) == pi
    exact = sum(w * w * share for w, share in told) - pi * pi
    assert found.variance == pytest.approx(float(exact), rel=1e-9)


def test_the_classical_orders_hold():
    by_risk = [one.mechanism.name for one in compare_mechanisms(odds=3).mechanisms]
    assert set(by_risk[:3]) == set(ONE_SIDED)
    by_loss = compare_mechanisms(epsilon=1).mechanisms
    assert by_loss[0].variance == by_loss[1].variance == by_loss[2].variance
    assert {one.mechanism.name for one in by_loss[:3]} == {"warner", "crosswise", "forced"}


@pytest.mark.long
def test_it_is_told_as_a_table_a_frame_and_a_picture():
    found = compare_mechanisms(ratio=3, people=2_000)
    assert str(found).splitlines()[0] == "local ε ≤ ln 3; 2,000 people, 10 % of whom say yes"
    assert "cannot keep it: mangat" in str(found)
    frame = found.to_frame()
    assert frame["effective_sample_size"].tolist() == [
        one.effective_sample_size for one in found.mechanisms
    ]
    ax = found.plot()
    assert len(ax.patches) == len(found.mechanisms)
    written = compare_mechanisms(odds=2).to_dict()
    assert written["designs"][0]["epsilon"] is None
    assert written["designs"][0]["mechanism"]["name"] == "mangat"


@pytest.mark.parametrize(
    "asked",
    [
        {},
        {"epsilon": 0},
        {"epsilon": 1, "ratio": 3},
        {"advantage": 1},
        {"odds": 1},
        {"odds": float("nan")},
        {"odds": "many"},
        {"ratio": 3, "prevalence": 0.0},
        {"ratio": 3, "prevalence": 1.0},
        {"ratio": 3, "prevalence": float("nan")},
        {"ratio": 3, "people": 0},
        {"ratio": 3, "people": 1.5},
    ],
)
def test_what_means_nothing_is_refused(asked):
    with pytest.raises(InputError):
        compare_mechanisms(**asked)


def test_a_bound_that_is_nearly_nothing_is_kept_and_used_up():
    most = Fraction("1.0005")
    found = compare_mechanisms(odds=most)
    assert found.left_out == (HIDDEN,)
    for one in found.mechanisms:
        assert 0.99 * (most - 1) < one.odds - 1 <= most - 1


def test_a_bound_below_every_step_leaves_all_out():
    found = compare_mechanisms(odds="1.0000000001")
    assert found.mechanisms == ()
    assert len(found.left_out) == ALL
    assert "cannot keep it: warner, crosswise" in str(found)
