"""Groups asked through different channels: stacked, estimated by hand in fractions, refused."""

import pickle
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.optimize import minimize_scalar
from scipy.special import xlogy

import askance as ak
from askance.channels import GroupedTally
from askance_collect.errors import DocumentError, InputError, NotIdentified

YN = ak.Frame(["yes", "no"])
WARNER = ak.Warner(truth="3/4").channel(YN)
OTHER = ak.Warner(truth="1/5").channel(YN)
PLAIN = ak.KAry(truth="1").channel(YN)
SILENT = ak.Channel(YN, {"hm": ["yes", "no"]}, [[1], [1]])
ABSTAIN = ak.Abstain(truth="3/5", lie="1/10").channel(YN)
COUNT = st.integers(0, 400)


def of(**groups):
    return GroupedTally(
        {name: ak.Tally(q, dict(zip(q.reports, n, strict=True))) for name, (q, n) in groups.items()}
    )


def log_likelihood(grouped, share):
    content = 0.0
    for tally in grouped.tallies.values():
        chance = share * tally.channel.matrix[0] + (1 - share) * tally.channel.matrix[1]
        content += float(xlogy(tally.counts, chance).sum())
    return content


@given(COUNT, COUNT, COUNT, COUNT)
def test_the_share_is_the_most_likely_one_of_all_groups_together(a, b, c, d):
    questions = of(first=(WARNER, (a + 1, b + 1)), second=(OTHER, (c, d)))
    best = minimize_scalar(
        lambda share: -log_likelihood(questions, share), bounds=(0, 1), options={"xatol": 1e-12}
    )
    result = ak.estimate(questions)
    assert log_likelihood(questions, result.value[0]) >= -best.fun - 1e-7
    assert result.lower[0] <= result.value[0] <= result.upper[0]
    assert result.reports == a + b + c + d + 2


@given(COUNT, COUNT, COUNT, COUNT, st.fractions(0, 1, max_denominator=20))
def test_moments_are_unbiased_with_the_variance_of_two_binomials(a, b, c, d, share):
    """Enumerated in fractions: the estimator is linear, so that means and variances are exact."""
    questions = of(first=(WARNER, (a + 1, b + 1)), second=(ABSTAIN, (c, d, 7)))
    sizes = {"first": a + b + 2, "second": c + d}  # of those that say anything
    truths = {"first": (Fraction(3, 4), Fraction(1, 4)), "second": (Fraction(6, 7), Fraction(1, 7))}
    if c + d == 0:
        assert ak.inference.moment_estimate(questions).value == pytest.approx(
            ak.inference.moment_estimate(questions.tallies["first"]).value
        )
        return
    slope = {name: 2 * truth - 1 for name, (truth, _) in truths.items()}
    worth = {name: 4 * slope[name] ** 2 * sizes[name] for name in sizes}  # at equal shares
    part = {name: item / sum(worth.values()) for name, item in worth.items()}
    observed = {"first": Fraction(a + 1, a + b + 2), "second": Fraction(c, c + d)}
    value = sum(part[g] * (observed[g] - truths[g][1]) / slope[g] for g in observed)
    spread = sum(
        part[g] ** 2 * observed[g] * (1 - observed[g]) / sizes[g] / slope[g] ** 2 for g in observed
    )
    estimate = ak.inference.moment_estimate(questions)
    assert estimate.value[0] == pytest.approx(float(value), abs=1e-10)
    assert estimate.covariance[0, 0] == pytest.approx(float(spread), abs=1e-12)
    mean = sum(
        part[g] * ((share * slope[g] + truths[g][1]) - truths[g][1]) / slope[g] for g in observed
    )
    assert mean == share


def test_one_group_is_its_tally():
    alone = ak.Tally(ABSTAIN, {"yes": 310, "no": 520, "don't know": 170})
    grouped, plain = ak.maximum_likelihood(GroupedTally({"a": alone})), ak.maximum_likelihood(alone)
    assert grouped.value == pytest.approx(plain.value, abs=1e-9)
    assert grouped.covariance == pytest.approx(plain.covariance, rel=1e-6)
    assert grouped.lower == pytest.approx(plain.lower, abs=1e-9)


def test_a_group_split_at_random_changes_nothing():
    split = of(one=(WARNER, (30, 50)), two=(WARNER, (50, 70)))
    fit = ak.maximum_likelihood(ak.Tally(WARNER, {"yes": 80, "no": 120}))
    result = ak.maximum_likelihood(split)
    for name in ("value", "covariance", "lower", "upper"):
        assert getattr(result, name) == pytest.approx(getattr(fit, name), abs=1e-9)
    assert ak.inference.moment_estimate(split).value == pytest.approx(fit.value, abs=1e-9)


def test_equal_weights_change_nothing_but_one_degree_of_freedom():
    plain = of(first=(WARNER, (80, 120)), second=(PLAIN, (20, 80)))
    weighted = GroupedTally(
        {
            name: ak.Tally(
                item.channel,
                counts := dict(zip(item.channel.reports, item.counts.tolist(), strict=True)),
                weights={report: 2.0 * n for report, n in counts.items()},
                squares={report: 4.0 * n for report, n in counts.items()},
            )
            for name, item in plain.tallies.items()
        }
    )
    result, fit = ak.estimate(weighted), ak.maximum_likelihood(plain)
    assert result.value == pytest.approx(fit.value)
    assert result.se == pytest.approx(fit.se, rel=0.05)
    result, fit = ak.inference.moment_estimate(weighted), ak.inference.moment_estimate(plain)
    assert result.value == pytest.approx(fit.value)
    assert result.se == pytest.approx(fit.se, rel=0.05)


def test_a_group_that_says_nothing_is_left_out():
    questions = of(first=(WARNER, (80, 120)), second=(SILENT, (900,)))
    alone = ak.maximum_likelihood(ak.Tally(WARNER, {"yes": 80, "no": 120}))
    result = ak.estimate(questions)
    assert result.value == pytest.approx(alone.value, abs=1e-9)
    assert result.covariance == pytest.approx(alone.covariance, rel=1e-6)
    assert result.reports == 200
    moments = ak.inference.moment_estimate(questions)
    assert moments.value == pytest.approx(alone.value)
    assert moments.covariance == pytest.approx(alone.covariance)


def test_groups_of_which_none_can_tell_are_refused():
    with pytest.raises(NotIdentified, match="cannot tell"):
        ak.estimate(of(a=(SILENT, (5,)), b=(WARNER, (0, 0))))
    unheard = of(a=(SILENT, (5,)), b=(ABSTAIN, (0, 0, 9)))
    assert np.isnan(ak.estimate(unheard).value).all()


def test_nobody_asked_tells_nothing():
    result = ak.estimate(of(a=(WARNER, (0, 0)), b=(PLAIN, (0, 0))))
    assert result.reports == 0
    assert result.lower.tolist() == [0, 0]


def test_groups_that_each_leave_a_contrast_open_tell_it_together():
    three = ak.Frame(["a", "b", "c"])
    first = ak.Channel(three, {"a": ["a"], "else": ["b", "c"]}, [[1, 0], [0, 1], [0, 1]])
    second = ak.Channel(three, {"c": ["c"], "else": ["a", "b"]}, [[0, 1], [0, 1], [1, 0]])
    questions = of(one=(first, (20, 80)), two=(second, (30, 70)))
    assert ak.estimate(questions).value == pytest.approx([0.2, 0.5, 0.3], abs=1e-6)
    assert ak.inference.moment_estimate(questions).value == pytest.approx([0.2, 0.5, 0.3])
    with pytest.raises(NotIdentified):
        ak.estimate(questions.tallies["one"])


def test_written_read_added_and_carried():
    questions = of(first=(WARNER, (8, 12)), deuxième=(PLAIN, (2, 8)))
    assert GroupedTally.from_dict(questions.to_dict(), questions.channels) == questions
    assert pickle.loads(pickle.dumps(questions)) == questions
    assert hash(pickle.loads(pickle.dumps(questions))) == hash(questions)
    assert sum([questions, questions]).stacked.counts.tolist() == [16, 24, 4, 16]
    assert (questions.total, questions.blanks, questions.weighted) == (30, 0, False)
    assert questions.group.tolist() == [0, 0, 1, 1]
    for wrong in ({}, {"askance": "grouped-tally-1", "groups": {"first": {}}}, None):
        with pytest.raises(DocumentError):
            GroupedTally.from_dict(wrong, questions.channels)


def test_names_that_would_run_together_are_told_apart():
    odd = ak.Channel(YN, {"b: yes": ["yes"], "no": ["no"]}, [[0.75, 0.25], [0.25, 0.75]])
    even = ak.Channel(YN, {"yes": ["yes"], "no": ["no"]}, [[0.75, 0.25], [0.25, 0.75]])
    questions = of(**{"a": (odd, (3, 2)), "a: b": (even, (1, 4))})
    assert len(set(questions.stacked.channel.reports)) == 4


@pytest.mark.parametrize(
    ("tallies", "message"),
    [
        ({}, "no group"),
        ({"a": ak.Tally(WARNER, {}), "b": 3}, "Tally"),
        (
            {
                "a": ak.Tally(WARNER, {}),
                "b": ak.Tally(ak.Warner(truth="3/4").channel(ak.Frame(["no", "yes"])), {}),
            },
            "those of 'a'",
        ),
        (
            {
                "a": ak.Tally(WARNER, {"yes": 1}),
                "b": ak.Tally(WARNER, {"yes": 1}, weights={"yes": 1}, squares={"yes": 1}),
            },
            "weights",
        ),
    ],
)
def test_what_does_not_go_together_is_refused(tallies, message):
    with pytest.raises(InputError, match=message):
        GroupedTally(tallies)


def test_other_groups_cannot_be_added():
    with pytest.raises(InputError, match="same groups"):
        of(a=(WARNER, (1, 2))) + of(b=(WARNER, (1, 2)))


@pytest.mark.parametrize("group", [None, 1.5, True, ("a", 1), float("nan")])
def test_groups_that_are_no_texts_are_refused(group: Any) -> None:
    tally = ak.Tally(ak.Warner(truth="3/4").channel(ak.Frame(["yes", "no"])), {"yes": 3, "no": 4})
    tallies = {group: tally, "b": tally, "c": tally, "d": tally, "e": tally}
    for take in (ak.channels.GroupedTally, ak.inference.estimate_small_areas):
        with pytest.raises(ak.errors.InputError, match="named by texts"):
            take(tallies)
