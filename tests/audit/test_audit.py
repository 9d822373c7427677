"""An auditor finds each planted fault, says which, and leaves the right mechanism alone."""

import json
import math
from dataclasses import replace

import matplotlib.pyplot as plt
import numpy as np
import pytest
from planted import FAULTY, RIGHT, WARNER, YES_NO, batches, coin, planted
from scipy import stats

from askance import Abstain, AskanceError, Channel, Frame, KAry, local_loss
from askance.audit import ChannelSubject, FunctionSubject, ProgramSubject, audit
from askance.mechanisms import (
    HadamardResponse,
    LocalHashing,
    ProjectiveGeometry,
    SubsetSelection,
    UnaryEncoding,
)
from askance.privacy import View, belief_loss, plausibility_loss, shafer_loss, tradeoff, walley_loss

ABSTAIN = Abstain(truth="3/5", lie="1/10").channel(YES_NO)
BLAMED = {
    "coin biased by 1 %": "each chance",
    "coin biased by 1 %, by its ε": "local privacy",
    "p and q swapped": "each chance",
    "a byte modulo ten": "each chance",
    "noise in doubles": "local privacy",
    "retry until it agrees": "each chance",
    "retry until it agrees, by its ε": "local privacy",
    "a leak by length": "length in bytes",
    "a leak by time": "seconds",
    "a leak by order": "each chance",
    "a leak by order, by its ε": "place",
    "the answer before": "answer before",
    "a blank at the end": "possible reports",
    "a tab at the end, by its ε": "local privacy",
    "a carriage return": "local privacy",
    "the error output": "error output",
    "an error for one answer": "possible reports",
    "an error for one answer, by its ε": "local privacy",
    "noise in singles": "local privacy",
    "one coin for two": "reports together",
    "one lie in each four": "reports together",
    "the answer two before": "reports together",
    "digests of the answer": "equal reports",
    "another question": "other questions",
    "the number of a message": "message",
    "one step of ten": "each chance",
    "cuts for one step of ten": "each chance",
}


def blamed(result):
    losses = {loss.notion for loss in result.losses if loss.is_violated}
    return losses | {check.name for check in result.checks if check.is_violated}


@pytest.mark.parametrize("name", FAULTY)
@pytest.mark.long
def test_a_planted_fault_is_found_and_named(name):
    *_, claim, draws = FAULTY[name]
    result = audit(planted(name), draws=draws, rng=1, **claim)
    assert not result.passed
    assert BLAMED[name] in blamed(result)
    assert ": FAULT: " in result.verdict
    assert result.verdict.startswith(name) or isinstance(planted(name), ProgramSubject)
    assert "\n" not in result.verdict


@pytest.mark.parametrize("name", RIGHT)
def test_a_right_mechanism_is_left_alone(name):
    *_, claim = RIGHT[name]
    result = audit(planted(name), draws=10_000, rng=1, **claim)
    assert result.passed
    assert result.verdict == f"{name}: nothing wrong in 10,000 reports"
    assert result.faults == ()


def test_bounds_stand_beside_what_is_stated_and_come_near():
    result = audit(ChannelSubject(ABSTAIN, rng=1), draws=100_000, rng=1)
    assert result.passed
    by_notion = {loss.notion: loss for loss in result.losses}
    judges = {
        "local privacy": local_loss,
        "Shafer's loss": shafer_loss,
        "Walley's loss": walley_loss,
        "loss of belief": belief_loss,
        "loss of plausibility": plausibility_loss,
    }
    for notion, judge in judges.items():
        item = by_notion[notion]
        assert item.stated == judge(ABSTAIN).epsilon_nearest
        assert 0.93 * item.stated < item.lower < item.stated
    assert by_notion["guessing chance"].stated == pytest.approx((0.6 + 0.6 + 0.3) / 2)
    assert by_notion["advantage over guessing"].stated == pytest.approx(0.5)
    power = by_notion["power of a test"]
    curve = tradeoff(ABSTAIN, power.answers[1], power.answers[0], view=View.REPORTS)
    assert power.stated == pytest.approx(1 - curve.beta(power.type_one_error))
    assert 0.9 * power.stated < power.lower < power.stated


def test_every_pair_of_answers_has_a_bound_of_its_own():
    channel = Channel(
        Frame(["a", "b", "c"]),
        {"a": ["a"], "b": ["b"], "c": ["c"]},
        [[0.8, 0.1, 0.1], [0.4, 0.5, 0.1], [0.3, 0.3, 0.4]],
    )
    result = audit(ChannelSubject(channel, rng=1), draws=60_000, rng=2)
    pairs = {loss.answers: loss for loss in result.losses if loss.notion == "local privacy"}
    assert len(pairs) == 6
    stated = local_loss(channel).pair_epsilons
    for (x, y), value in pairs.items():
        expected = stated[channel.frame.index(x), channel.frame.index(y)]
        assert value.stated == pytest.approx(expected)
        assert 0.75 * expected < value.lower < expected


def test_what_is_stated_by_epsilon_replaces_the_channel():
    result = audit(ChannelSubject(WARNER, rng=1), epsilon=0.5, draws=5_000, rng=1)
    assert {"local privacy"} <= blamed(result)
    stated = [loss.stated for loss in result.losses if loss.notion == "local privacy"]
    assert stated == pytest.approx([0.5, 0.5])


def test_nothing_stated_gives_bounds_alone():
    result = audit(batches("unknown", coin(0.75)), draws=5_000, rng=1)
    assert result.passed
    assert result.detectable_difference is None
    assert {loss.stated for loss in result.losses} == {None}


def test_the_chance_of_each_report_is_tested_exactly():
    observed = []

    def counted(places, dice):
        coin_result = coin(0.72)(places, dice)
        observed.extend(zip(places.tolist(), coin_result.reports, strict=True))
        return coin_result

    result = audit(batches("counted", counted, WARNER), draws=400, rng=1)
    cells = [
        stats.binom.cdf(observed.count((index, name)), 200, chance)
        for index, row in enumerate(WARNER.matrix)
        for name, chance in zip(WARNER.reports, row, strict=True)
    ]
    over = [
        stats.binom.sf(observed.count((index, name)) - 1, 200, chance)
        for index, row in enumerate(WARNER.matrix)
        for name, chance in zip(WARNER.reports, row, strict=True)
    ]
    (check,) = (item for item in result.checks if item.name == "each chance")
    assert check.p_value == pytest.approx(min(1, 4 * 2 * min(*cells, *over)))


def test_hits_of_answers_that_are_not_alike_keep_the_limit_of_those_that_are():
    """The law of hits, by convolution: the lower limit fails no oftener than it may."""
    chances, draws, tail = (0.95, 0.3), 40, 0.05
    law = np.convolve(*(stats.binom.pmf(np.arange(draws + 1), draws, chance) for chance in chances))
    hits = np.arange(len(law))
    low = np.where(hits > 0, stats.beta.ppf(tail, hits, 2 * draws - hits + 1), 0)
    low = np.minimum(low, np.maximum(0, (hits - 1) / (2 * draws)))
    assert 0 < law[low > np.mean(chances)].sum() <= tail


@pytest.mark.parametrize("truth", [0.68, 0.65, 0.6])
def test_checks_fail_by_holms_step_down(truth):
    result = audit(batches("lying", coin(truth), WARNER), draws=4_000, rng=1)
    order = sorted(result.checks, key=lambda item: item.p_value)
    limits = [result.alpha / 2 / (len(order) - index) for index in range(len(order))]
    first = next(index for index, element in enumerate(order) if element.p_value > limits[index])
    assert [element.is_violated for element in order] == [
        index < first for index in range(len(order))
    ]
    assert order[0].is_violated


def test_an_audit_is_told_as_text_json_and_picture():
    result = audit(planted("coin biased by 1 %, by its ε"), draws=200_000, rng=1, ratio=3)
    text = repr(result)
    assert text.splitlines()[0] == result.verdict
    assert " !" in text
    assert "at most one in 1,000 audits" in text
    written = json.loads(json.dumps(result.to_dict()))
    assert written["passed"] is False
    assert written["losses"][0]["broken"] is result.losses[0].is_violated
    assert {*written["losses"][0]} >= {"notion", "between", "event", "lower", "stated", "at"}
    assert [*written["checks"][0]] == ["name", "asked", "told", "p_value", "broken"]
    assert list(result.to_frame().columns[:2]) == ["notion", "between"]
    ax = result.plot()
    labels = result.plot_data()["loss"]
    assert any(label.endswith("– more than is stated") for label in labels)
    assert len(ax.get_yticks()) == labels.nunique() == 2
    plt.close(ax.figure)


def test_a_fault_is_told_once_for_each_kind_by_its_worst_pair():
    channel = KAry(truth="1/2").channel(Frame(["a", "b", "c"]))
    bare = FunctionSubject(["a", "b", "c"], lambda answer: answer, stated_channel=channel)
    result = audit(bare, draws=3_000, rng=1)
    kinds = [fault.partition(" ε ≥ ")[0] for fault in result.faults if " ε ≥ " in fault]
    assert len(kinds) == len(set(kinds)) == 5


@pytest.mark.parametrize(
    ("given", "told"),
    [
        ({"draws": 150}, "audit.draws: got 150; allowed: 200 or more, of 2 answers"),
        ({"alpha": 0.0}, "audit.alpha: got 0.0; allowed: a chance in (0, 0.5]"),
        ({"alpha": math.nan}, "alpha"),
        ({"epsilon": 1, "ratio": 3}, "epsilon"),
        ({"epsilon": -1}, "epsilon"),
    ],
)
def test_what_means_nothing_is_refused(given, told):
    with pytest.raises(AskanceError) as refused:
        audit(ChannelSubject(WARNER, rng=1), **{"draws": 1_000, "rng": 1} | given)
    assert told in str(refused.value)


def test_a_check_needs_no_more_than_a_handful_of_each_kind():
    """So few draws of a report that nothing can be compared raise no alarm, and no error."""
    result = audit(
        ChannelSubject(KAry(truth="1/2").channel(Frame(list("abcdefgh"))), rng=1), draws=800, rng=1
    )
    assert all(check.p_value > 0 for check in result.checks)


ORACLES = {
    "unary encoding": UnaryEncoding,
    "subset selection": SubsetSelection,
    "local hashing": LocalHashing,
    "Hadamard response": HadamardResponse,
    "projective geometry": ProjectiveGeometry,
}


@pytest.mark.parametrize("name", ORACLES)
@pytest.mark.long
def test_a_frequency_oracle_is_audited_by_what_its_reports_leave_possible(name):
    channel = ORACLES[name].at_epsilon(1).channel(Frame([f"w{index}" for index in range(10)]))
    result = audit(ChannelSubject(channel, rng=1), draws=60_000, rng=1)
    assert result.passed
    local = [loss for loss in result.losses if loss.notion == "local privacy"]
    assert local[0].stated == pytest.approx(1, abs=0.03)
    assert max(item.lower for item in local) > 0.7 * local[0].stated


def test_an_oracle_that_gives_away_more_than_is_asked_for_is_found():
    channel = UnaryEncoding.at_epsilon(2).channel(Frame([f"w{index}" for index in range(10)]))
    assert not audit(ChannelSubject(channel, rng=1), draws=20_000, rng=1, epsilon=1).passed


def test_the_same_dice_find_the_same():
    def once():
        return audit(planted("right"), draws=2_000, rng=3).to_dict()

    assert once() == once()


def test_a_report_that_cannot_be_is_a_fault_at_once():
    odd = FunctionSubject(["yes", "no"], lambda answer: "maybe", stated_channel=WARNER)
    result = audit(odd, draws=200, rng=1)
    (output,) = (fault for fault in result.faults if "cannot" in fault)
    assert "any other report" in output
    assert replace(result, losses=()).passed is False


def test_rows_of_bits_are_read_where_they_tell_most():
    result = audit(planted("bits"), draws=40_000, rng=1, ratio=9)
    (first, *_) = result.losses
    assert 0.85 * math.log(9) < first.lower < first.stated
    assert "at 1" in first.event or "at 6" in first.event


@pytest.mark.parametrize("odd", ["nan", "inf", "-inf", "1e999"])
def test_numbers_may_be_none_or_endless(odd):
    """Numbers of which every second is no finite one."""
    dice = np.random.default_rng(1)
    subject = FunctionSubject(["a", "b"], lambda answer: odd if answer == "b" else dice.normal())
    result = audit(subject, draws=600, rng=1, epsilon=1)
    assert not result.passed


def test_many_answers_that_tell_nothing_and_names_in_any_script():
    """Of many answers only such pairs are looked at as differ; where none does, one is."""
    names = [f"答 {index}" for index in range(20)]
    result = audit(FunctionSubject(names, lambda answer: "да"), draws=2_000, rng=1, epsilon=0)
    assert result.passed
    assert [loss.lower for loss in result.losses if loss.is_loss] == [0.0]


def test_one_answer_of_many_that_is_told_is_found():
    dice = np.random.default_rng(1)
    names = [f"w{index}" for index in range(20)]

    def send(answer):
        return answer if answer == "w7" else names[int(dice.integers(20))]

    result = audit(FunctionSubject(names, send), draws=4_000, rng=1, ratio=5)
    assert result.faults[0].startswith("local privacy")
    assert "w7" in result.faults[0]


def test_lengths_are_compared_of_equal_reports_alone():
    """How long a noisy number is written depends on the number, and so on the answer."""
    dice = np.random.default_rng(1)

    def send(answer):
        return repr(float(np.round(dice.laplace(int(answer)), 3))).encode()

    result = audit(FunctionSubject(["0", "1"], send), draws=20_000, rng=1, epsilon=1)
    assert result.passed
    by_name = {check.name: check for check in result.checks}
    assert by_name["length in bytes"].observed == "too few draws alike to compare"
    assert "--: length in bytes reveals no more" in repr(result)
