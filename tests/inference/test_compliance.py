"""People who do not comply: shares beside closed forms in fractions, bounds, tests, refusals."""

from fractions import Fraction as F

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import chi2

import askance as ak
from askance.channels import GroupedTally, two_questions, two_reports
from askance.inference import (
    Noncompliers,
    cheating_detection,
    estimate_compliance,
    known_answer,
    overidentification_test,
    random_answerers,
    self_protective,
    stochastic_lie_detector,
    with_noncompliers,
)
from askance_collect.errors import InputError, NotIdentified

YN = ak.Frame(["yes", "no"])
MEANINGS = {"yes": ["yes"], "no": ["no"]}


def forced(yes, no=F(0)):
    """Say "yes" or "no" by order with these chances, else the truth."""
    return ak.Channel(YN, MEANINGS, [[1 - no, no], [yes, 1 - yes]])


def warner(truth):
    return forced(1 - truth, 1 - truth)


def groups(people, **channels):
    """So many of each class that every expected count is whole, and those counts."""
    tallies = {}
    for name, (channel, kinds) in channels.items():
        rows = with_noncompliers(channel, kinds).table
        counts = [
            sum(n * rows.rows[index][column] for index, n in enumerate(people))
            for column in range(len(channel.reports))
        ]
        tallies[name] = ak.Tally(channel, dict(zip(channel.reports, counts, strict=True)))
    return GroupedTally(tallies)


CHANCE = st.fractions(F(1, 20), F(9, 20), max_denominator=20)
PEOPLE = st.integers(1, 60)


@pytest.mark.long
@settings(max_examples=15)
@given(CHANCE, CHANCE, PEOPLE, PEOPLE, PEOPLE)
def test_cheaters_are_counted_as_by_hand(p1, more, honest, other, cheat):
    """Clark and Desharnais' estimators, in fractions, give back the shares that sent the counts."""
    kind, p2 = cheating_detection(), p1 + more
    groups_result = groups((honest, other, cheat), a=(forced(p1), kind), b=(forced(p2), kind))
    fs = [F(int(tally.counts[0]), tally.total) for tally in groups_result.tallies.values()]
    total = honest + other + cheat
    yes = (p2 * fs[0] - p1 * fs[1]) / (p2 - p1)
    no = (fs[1] - fs[0]) / (p2 - p1)
    assert (yes, no) == (F(honest, total), F(other, total))
    estimate = estimate_compliance(groups_result, kind)
    assert estimate.classes.low == pytest.approx([float(yes), float(no), cheat / total], abs=1e-6)
    assert estimate.classes.is_identified.all()
    assert estimate.answers.low == pytest.approx([float(yes), float(no)], abs=1e-6)
    assert estimate.answers.high == pytest.approx([float(1 - no), float(1 - yes)], abs=1e-6)


@pytest.mark.long
@settings(max_examples=15)
@given(CHANCE, CHANCE, PEOPLE, PEOPLE, PEOPLE)
def test_liars_are_counted_as_by_hand(p1, more, honest, other, deny):
    kind, p2 = stochastic_lie_detector(), p1 + more
    groups_result = groups((honest, other, deny), a=(forced(p1), kind), b=(forced(p2), kind))
    fs = [F(int(tally.counts[0]), tally.total) for tally in groups_result.tallies.values()]
    carriers = 1 - (fs[1] - fs[0]) / (p2 - p1)
    total = honest + other + deny
    assert carriers == F(honest + deny, total)
    estimate = estimate_compliance(groups_result, kind)
    assert estimate.answers.low == pytest.approx([float(carriers), other / total], abs=1e-6)
    assert estimate.answers.is_identified.all()
    truth = estimate.classes.low[0] / estimate.answers.low[0]
    assert truth == pytest.approx(honest / (honest + deny), abs=1e-5)


def test_the_symmetric_model_is_another_channel_not_another_kind():
    kind = cheating_detection()
    groups_result = groups(
        (30, 60, 10), a=(forced(F(1, 5), F(1, 10)), kind), b=(forced(F(1, 10), F(2, 5)), kind)
    )
    assert estimate_compliance(groups_result, kind).classes.low == pytest.approx(
        [0.3, 0.6, 0.1], abs=1e-6
    )


@pytest.mark.long
@settings(max_examples=15)
@given(st.fractions(F(1, 20), F(9, 20), max_denominator=20), PEOPLE, PEOPLE, PEOPLE)
def test_an_anchor_counts_random_answers(p, carriers, others, random):
    """By the corrected estimator: attention γ from the anchor, then the prevalence from λ."""
    kind, warner_result = random_answerers(), warner(1 - p)
    anchor = known_answer(warner_result, "no")
    counted = groups(
        (carriers, others, random), question=(warner_result, kind), anchor=(anchor, kind)
    )
    fs = [F(int(tally.counts[0]), tally.total) for tally in counted.tallies.values()]
    attentive = (F(1, 2) - fs[1]) / (F(1, 2) - p)
    share = ((fs[0] - (1 - attentive) / 2) / attentive - p) / (1 - 2 * p)
    assert share == F(carriers, carriers + others)
    estimate = estimate_compliance(counted, kind)
    assert estimate.answers.low[0] == pytest.approx(float(share), abs=1e-5)
    assert estimate.classes.low[2] == pytest.approx(float(1 - attentive), abs=1e-6)


def test_an_anchor_answered_by_the_same_people_can_fail():
    """Reports in pairs: three classes in four cells leave a degree of freedom."""
    warner_result = warner(F(4, 5))
    pair, kind = two_reports(warner_result, known_answer(warner_result, "no")), random_answerers()
    rows = with_noncompliers(pair, kind).matrix
    counts = np.round(1000 * np.array([0.2, 0.6, 0.2]) @ rows).astype(int).tolist()
    estimate = estimate_compliance(
        ak.Tally(pair, dict(zip(pair.reports, counts, strict=True))), kind
    )
    assert estimate.test.df == 1
    assert estimate.test.p_value > 0.5
    assert estimate.classes.low == pytest.approx([0.2, 0.6, 0.2], abs=2e-3)
    assert estimate.answers.low[0] == pytest.approx(0.25, abs=3e-3)


def test_one_group_bounds_what_two_would_tell():
    """Without a second group the cheaters are 0 to all who may be, by fractions."""
    kind = cheating_detection()
    estimate = estimate_compliance(ak.Tally(forced(F(1, 5)), {"yes": 360, "no": 640}), kind)
    # yes = π + β/5 is 9/25: with no cheaters π is 1/5; at most γ = 16/25 where β is 0
    assert estimate.classes.low == pytest.approx([0.2, 0.0, 0.0], abs=1e-6)
    assert estimate.classes.high == pytest.approx([9 / 25, 4 / 5, 16 / 25], abs=1e-6)
    assert estimate.answers.low == pytest.approx([0.2, 0.0], abs=1e-6)
    assert estimate.answers.high == pytest.approx([1.0, 0.8], abs=1e-6)


def test_even_picks_cannot_be_told_from_honest_reports_by_turned_round_groups():
    kind = random_answerers()
    tallies = {
        name: ak.Tally(warner(truth), {"yes": yes, "no": 100 - yes})
        for name, truth, yes in (("one", F(3, 4), 40), ("other", F(1, 4), 60))
    }
    estimate = estimate_compliance(GroupedTally(tallies), kind)
    assert not estimate.classes.is_identified.any()
    assert estimate.test.df == 1
    with_noncompliers_result = with_noncompliers(GroupedTally(tallies).stacked.channel, kind)
    assert ak.identified(with_noncompliers_result).rank == 2


def test_several_questions_bound_who_protects_themselves():
    joint = two_questions(warner(F(3, 4)), warner(F(3, 4)))
    kind = self_protective(joint.reports[-1])
    people = np.array([0.1, 0.2, 0.2, 0.4, 0.1])
    counts = np.round(4000 * people @ with_noncompliers(joint, kind).matrix).astype(int)
    tally = ak.Tally(joint, dict(zip(joint.reports, counts.tolist(), strict=True)))
    estimate = estimate_compliance(tally, kind)
    assert (estimate.classes.low - 1e-3 <= people).all()
    assert (people <= estimate.classes.high + 1e-3).all()
    assert estimate.test.df == 0


def test_several_kinds_at_once():
    kinds = [stochastic_lie_detector(), Noncompliers(name="agree", says="yes", answers=["no"])]
    groups_result = groups(
        (20, 50, 20, 10),
        a=(forced(F(1, 5)), kinds),
        b=(forced(F(1, 2), F(1, 5)), kinds),
        c=(forced(F(1, 10), F(3, 5)), kinds),
    )
    estimate = estimate_compliance(groups_result, kinds)
    assert estimate.classes.low.sum() <= 1 + 1e-6
    assert (estimate.classes.low - 1e-6 <= [0.2, 0.5, 0.2, 0.1]).all()
    assert (estimate.classes.high + 1e-6 >= [0.2, 0.5, 0.2, 0.1]).all()


def test_three_answers_and_a_kind_of_whom_two_may_be_true():
    frame = ak.Frame(["never", "once", "often"])
    channel = ak.KAry(truth="3/5").channel(frame)
    kind = Noncompliers(name="play down", says="never", answers=["once", "often"])
    tally = ak.Tally(channel, {"never": 500, "once": 300, "often": 200})
    estimate = estimate_compliance(tally, kind)
    honest = estimate_compliance(tally, ())
    assert estimate.answers.high[0] == pytest.approx(honest.answers.high[0], abs=1e-6)
    assert estimate.answers.low[0] < honest.answers.low[0]
    assert (estimate.answers.high[1:] > honest.answers.high[1:]).all()


def test_full_compliance_is_the_estimate_of_the_shares():
    tally = GroupedTally(
        {
            "one": ak.Tally(warner(F(3, 4)), {"yes": 400, "no": 600}),
            "two": ak.Tally(forced(F(1, 5)), {"yes": 450, "no": 550}),
        }
    )
    estimate, fit = estimate_compliance(tally, ()), ak.maximum_likelihood(tally)
    assert estimate.classes.labels == estimate.answers.labels == fit.labels
    assert estimate.answers.low == pytest.approx(fit.value, abs=1e-8)
    assert estimate.answers.lower == pytest.approx(fit.lower, abs=2e-3)


def test_the_deviance_and_pearsons_are_those_of_two_binomials():
    tally = GroupedTally(
        {
            "one": ak.Tally(warner(F(3, 4)), {"yes": 400, "no": 600}),
            "other": ak.Tally(warner(F(1, 4)), {"yes": 540, "no": 460}),
        }
    )
    test = overidentification_test(tally)
    # turned round, the other group says 460 of 1000 where the first says 400
    pooled = F(860, 2000)
    expected = np.array([pooled, 1 - pooled, 1 - pooled, pooled], dtype=float) * 1000
    values = np.array([400, 600, 540, 460])
    assert test.expected == pytest.approx(expected, abs=1e-4)
    assert test.deviance == pytest.approx(2 * float(values @ np.log(values / expected)), abs=1e-6)
    assert test.pearson == pytest.approx(float(((values - expected) ** 2 / expected).sum()))
    assert (test.df, test.p_value) == (1, pytest.approx(chi2.sf(test.deviance, 1)))
    assert "degree of freedom" in repr(test)
    assert set(test.to_dict()) >= {"deviance", "pearson", "df", "p_value"}


def test_a_boundary_adds_a_degree_of_freedom():
    """Fewer who would say "no" than none: the fit stops at no cheaters."""
    kind = stochastic_lie_detector()
    tally = GroupedTally(
        {
            "a": ak.Tally(forced(F(1, 5)), {"yes": 420, "no": 580}),
            "b": ak.Tally(forced(F(4, 5)), {"yes": 900, "no": 100}),
        }
    )
    inside = groups((20, 60, 20), a=(forced(F(1, 5)), kind), b=(forced(F(4, 5)), kind))
    assert overidentification_test(inside, kind).df == 0
    assert np.isnan(overidentification_test(inside, kind).p_value)
    estimate = estimate_compliance(tally, kind)
    assert estimate.classes.low[2] == pytest.approx(0, abs=1e-9)
    assert estimate.test.df == 1
    assert estimate.test.deviance == pytest.approx(
        overidentification_test(tally).deviance, abs=1e-6
    )
    assert estimate.likelihood_ratio(estimate_compliance(tally, ())) == (0.0, 1, 1.0)


def test_ignoring_liars_is_refused_and_the_likelihood_ratio_is_the_deviance():
    kind = stochastic_lie_detector()
    groups_result = groups((200, 600, 200), a=(forced(F(1, 5)), kind), b=(forced(F(4, 5)), kind))
    honest, estimate = (
        estimate_compliance(groups_result, ()),
        estimate_compliance(groups_result, kind),
    )
    assert honest.test.p_value < 1e-9
    statistic, df, chance = estimate.likelihood_ratio(honest)
    assert statistic == pytest.approx(honest.test.deviance, rel=1e-6)
    assert (df, chance) == (1, pytest.approx(honest.test.p_value / 2))
    for wrong in (estimate, estimate_compliance(groups_result, cheating_detection())):
        with pytest.raises(InputError, match="likelihood_ratio"):
            estimate.likelihood_ratio(wrong)
    with pytest.raises(InputError, match="likelihood_ratio"):
        estimate.likelihood_ratio(estimate_compliance(groups_result + groups_result, ()))


def test_the_log_likelihood_is_that_of_two_binomials():
    tally = GroupedTally(
        {
            "one": ak.Tally(warner(F(3, 4)), {"yes": 40, "no": 60}),
            "two": ak.Tally(forced(F(1, 5)), {"yes": 90, "no": 110}),
        }
    )
    estimate = estimate_compliance(tally, ())
    share = estimate.answers.low[0]
    chances = [0.25 + share / 2, share + (1 - share) / 5]
    result = 40 * np.log(chances[0]) + 60 * np.log(1 - chances[0])
    result += 90 * np.log(chances[1]) + 110 * np.log(1 - chances[1])
    assert estimate.log_likelihood == pytest.approx(result, abs=1e-7)


@pytest.mark.long
def test_a_regression_of_classes_is_the_estimate_in_each_cell_of_its_covariate():
    """With one covariate of two values the model is saturated: log-odds are those of the shares."""
    kind = stochastic_lie_detector()
    questions = {"a": (forced(F(1, 5)), kind), "b": (forced(F(4, 5)), kind)}
    cells = [groups((200, 600, 200), **questions), groups((300, 650, 50), **questions)]
    rows = [
        (report, x, arm)
        for x, cell in enumerate(cells)
        for arm, tally in enumerate(cell.tallies.values())
        for report, count in zip(tally.channel.reports, tally.counts, strict=True)
        for _ in range(count)
    ]
    replies, x, arm = zip(*rows, strict=True)
    channels = [with_noncompliers(*question) for question in questions.values()]
    fit = ak.response_regression(replies, np.array(x)[:, None], channels, group=arm)
    shares = np.array([[0.2, 0.6, 0.2], [0.3, 0.65, 0.05]])
    assert fit.predict([[0], [1]]) == pytest.approx(shares, abs=1e-6)
    estimates = [estimate_compliance(cell, kind) for cell in cells]
    assert fit.log_likelihood == pytest.approx(
        sum(estimate.log_likelihood for estimate in estimates), abs=1e-6
    )
    odds = np.log(shares[:, :2] / shares[:, 2:])
    assert fit.value.reshape(2, 2) == pytest.approx(np.array([odds[0], odds[1] - odds[0]]).T)
    with pytest.raises(NotIdentified):
        ak.response_regression(replies, np.array(x)[:, None], channels[0])


def test_an_empty_class_is_none_and_endless_reports_are_read():
    few = ak.Tally(forced(F(1, 4)), {"no": 30})
    assert estimate_compliance(few, ()).answers.low.tolist() == [0, 1]
    many = ak.Tally(forced(F(1, 4)), {"yes": 10**15, "no": 10**15})
    estimate = estimate_compliance(many, cheating_detection())
    assert estimate.answers.lower[0] == pytest.approx(1 / 3, abs=1e-6)
    assert (estimate.answers.lower <= estimate.answers.low).all()


def test_nobody_asked_leaves_everything_open():
    estimate = estimate_compliance(ak.Tally(warner(F(3, 4)), {}), cheating_detection())
    assert estimate.answers.low.tolist() == [0, 0]
    assert estimate.answers.high.tolist() == [1, 1]
    assert (estimate.test.deviance, estimate.test.df) == (0, 0)


def test_exact_channels_stay_exact():
    channel = with_noncompliers(forced(F(1, 3)), random_answerers({"yes": "1/7", "no": "6/7"}))
    assert channel.table.row(2) == (F(1, 7), F(6, 7))
    floats = ak.Channel(YN, MEANINGS, [[0.75, 0.25], [0.25, 0.75]])
    assert with_noncompliers(floats, cheating_detection()).table is None
    assert known_answer(floats, "yes").matrix.tolist() == [[0.75, 0.25]] * 2


def test_names_may_be_of_any_letters():
    kind = Noncompliers(name="лгут 🤥", says="no")
    estimate = estimate_compliance(ak.Tally(warner(F(3, 4)), {"yes": 4, "no": 6}), kind)
    assert "лгут 🤥" in estimate.classes.labels
    assert "лгут 🤥" in repr(estimate)
    assert estimate.to_dict()["classes"]["labels"][-1] == "лгут 🤥"
    assert estimate.plot().get_xlim() == (0, 1)


@pytest.mark.parametrize(
    ("given", "told"),
    [
        ({"name": ""}, "name"),
        ({"name": "a", "says": {"yes": "1/2"}}, "sum to exactly one"),
        ({"name": "a", "says": {"yes": 2, "no": -1}}, "sum to exactly one"),
        ({"name": "a", "says": {"yes": float("nan")}}, "says"),
        ({"name": "a", "answers": []}, "no answer"),
        ({"name": "a", "answers": ["yes"], "independent_of_answer": True}, "none if independent"),
    ],
)
def test_kinds_that_mean_nothing_are_refused(given, told):
    with pytest.raises(InputError, match=told):
        Noncompliers(**given)


@pytest.mark.parametrize(
    ("kinds", "message"),
    [
        (cheating_detection("nope"), "nope"),
        (stochastic_lie_detector("maybe"), "maybe"),
        ([cheating_detection(), cheating_detection()], "different name"),
        ("cheat", "Noncompliers"),
        (None, "None"),
    ],
)
def test_kinds_that_do_not_go_with_the_channel_are_refused(kinds, message):
    with pytest.raises(InputError, match=message):
        with_noncompliers(warner(F(3, 4)), kinds)
    with pytest.raises(InputError, match=message):
        estimate_compliance(ak.Tally(warner(F(3, 4)), {"yes": 1}), kinds)
