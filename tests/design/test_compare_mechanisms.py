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


def keeps_bound(channel, bound):
    judges = {"ratio": local_loss, "advantage": advantage}
    return odds(channel) if bound == "odds" else judges[bound](channel).value


BOUNDS = {"ratio": 3, "odds": Fraction(5, 2), "advantage": Fraction(1, 3)}


@pytest.mark.parametrize("bound", BOUNDS)
def test_every_design_keeps_the_bound_and_the_next_thousandth_would_not(bound):
    most = BOUNDS[bound]
    result = compare_mechanisms(**{bound: most})
    out = {"ratio": (*ONE_SIDED, PAIRS, HIDDEN)}
    assert result.left_out == out.get(bound, (HIDDEN,))  # whose odds are 3 at the least
    assert len(result.mechanisms) + len(result.left_out) == ALL
    for item in result.mechanisms:
        assert keeps_bound(item.channel, bound) <= most
        parameters_result = item.mechanism.parameters()
        if item.mechanism.name in FREE:
            value, key = (
                Fraction(parameters_result[FREE[item.mechanism.name]]),
                FREE[item.mechanism.name],
            )
            step = Fraction(1, 2000) if item.mechanism.name in ("warner", "crosswise") else None
            step = step or Fraction(1, 1000)
            further = value + (-step if key in ("harmless", "forced_yes") else step)
            twin = answer_mechanism(item.mechanism.name, {**parameters_result, key: further}, YN)
            assert keeps_bound(twin.channel(YN), bound) > most


@pytest.mark.parametrize("pi", [Fraction(1, 100), Fraction(1, 10), Fraction(1, 2)])
def test_figures_are_those_of_the_information_in_fractions(pi):
    result = compare_mechanisms(odds=3, prevalence=float(pi), people=500)
    variances = [item.variance for item in result.mechanisms]
    assert variances == sorted(variances)
    for mechanism in result.mechanisms:
        if mechanism.description.startswith(PAIRS):
            continue
        rows = [mechanism.channel.table.row(number) for number in (0, 1)]
        output = [
            (yes - no) ** 2 / (pi * yes + (1 - pi) * no) for yes, no in zip(*rows, strict=True)
        ]
        exact = 1 / sum(output)
        assert mechanism.variance == pytest.approx(float(exact), rel=1e-9)
        worth = 500 * pi * (1 - pi) / exact
        assert mechanism.effective_sample_size == pytest.approx(float(worth), rel=1e-9)
        assert mechanism.odds == odds(mechanism.channel)
        assert mechanism.guess_probability == (1 + advantage(mechanism.channel).value) / 2
        loss = local_loss(mechanism.channel)
        assert mechanism.epsilon == (loss.epsilon if loss.value != math.inf else math.inf)


def named(result, name):
    return next(
        mechanism for mechanism in result.mechanisms if mechanism.description.startswith(name)
    )


@pytest.mark.parametrize("pi", [0.02, 0.1, 0.5])
def test_two_samples_are_as_precise_as_their_joint_information(pi):
    """Of the share and the harmless one: two samples of half the people each."""
    named_result = named(compare_mechanisms(odds=4, prevalence=pi), PAIRS)
    p, h = float(named_result.mechanism.sensitive_chance), float(named_result.mechanism.harmless)

    def variance(*questions):
        result = [
            (question * pi + (1 - question) * h, np.array([question, 1 - question]))
            for question in questions
        ]
        return np.linalg.inv(sum(np.outer(g, g) / (2 * s * (1 - s)) for s, g in result))[0, 0]

    assert named_result.variance == pytest.approx(variance(p, 0))
    assert named_result.variance < min(variance(p, p * index / 10) for index in range(1, 10))
    assert (named_result.epsilon, named_result.guess_probability) == (
        math.inf,
        (1 + named_result.mechanism.sensitive_chance) / 2,
    )
    assert float(named_result.odds) == pytest.approx((p + (1 - p) * h) / ((1 - p) * h))


@pytest.mark.parametrize("pi", [Fraction(1, 50), Fraction(1, 4)])
def test_hidden_sensitivity_is_as_precise_as_its_counts(pi):
    """The share of one of two traits is a sum of shares of reports, whose variance is known."""
    named_result = named(compare_mechanisms(odds=5, prevalence=float(pi)), HIDDEN)
    h = named_result.mechanism.harmless
    assert named_result.odds == max(1 / item for item in h[:3]) <= 5
    assert (named_result.epsilon, named_result.guess_probability) == (math.inf, 1)
    behind = [pi * pi, pi * (1 - pi), pi * (1 - pi), (1 - pi) ** 2]
    observed = [
        share + behind[3] * element for share, element in zip(behind[:3], h[:3], strict=True)
    ]
    observed.append(behind[3] * h[3])
    weights = [1, 1, 0, -(h[0] + h[1]) / h[3]]
    result = [(w, share) for w, share in zip(weights, observed, strict=True)]
    assert sum(w * share for w, share in result) == pi
    exact = sum(w * w * share for w, share in result) - pi * pi
    assert named_result.variance == pytest.approx(float(exact), rel=1e-9)


def test_the_classical_orders_hold():
    by_risk = [item.mechanism.name for item in compare_mechanisms(odds=3).mechanisms]
    assert set(by_risk[:3]) == set(ONE_SIDED)
    by_loss = compare_mechanisms(epsilon=1).mechanisms
    assert by_loss[0].variance == by_loss[1].variance == by_loss[2].variance
    assert {item.mechanism.name for item in by_loss[:3]} == {"warner", "crosswise", "forced"}


@pytest.mark.long
def test_it_is_told_as_a_table_a_frame_and_a_picture():
    result = compare_mechanisms(ratio=3, people=2_000)
    assert str(result).splitlines()[0] == "local ε ≤ ln 3; 2,000 people, 10 % of them say yes"
    assert "cannot keep it: mangat" in str(result)
    frame = result.to_frame()
    assert frame["effective_sample_size"].tolist() == [
        mechanism.effective_sample_size for mechanism in result.mechanisms
    ]
    ax = result.plot()
    assert len(ax.patches) == len(result.mechanisms)
    written = compare_mechanisms(odds=2).to_dict()
    assert written["designs"][0]["epsilon"] is None
    assert written["designs"][0]["mechanism"]["name"] == "mangat"


@pytest.mark.parametrize(
    "questions",
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
def test_what_means_nothing_is_refused(questions):
    with pytest.raises(InputError):
        compare_mechanisms(**questions)


def test_a_bound_that_is_nearly_nothing_is_kept_and_used_up():
    most = Fraction("1.0005")
    result = compare_mechanisms(odds=most)
    assert result.left_out == (HIDDEN,)
    for mechanism in result.mechanisms:
        assert 0.99 * (most - 1) < mechanism.odds - 1 <= most - 1


def test_a_bound_below_every_step_leaves_all_out():
    result = compare_mechanisms(odds="1.0000000001")
    assert result.mechanisms == ()
    assert len(result.left_out) == ALL
    assert "cannot keep it: warner, crosswise" in str(result)
