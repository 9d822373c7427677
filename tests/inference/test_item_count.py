"""List experiments: differences in means, types of people, tests, direct questions."""

import json
from fractions import Fraction as F
from itertools import product
from math import log
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import askance as ak
from askance.inference import (
    CombinedShares,
    Convergence,
    ItemCounts,
    SamplingColumns,
    SamplingDesign,
    count_items,
    design_effect_test,
    double_item_count,
    item_count,
    item_count_with_direct,
    jackknife,
    replicated,
)

CONTROL = [8, 132, 222, 227]
RACE = ItemCounts(CONTROL, {"neighbours": [19, 123, 229, 219, 34]})
"""The 1991 National Race and Politics Survey, as Blair and Imai (2012) count it."""
AFFIRM = ItemCounts(CONTROL, {"action": [9, 78, 172, 184, 139]})

groups = st.integers(1, 4).flatmap(
    lambda J: st.tuples(
        st.lists(st.integers(1, 40), min_size=J + 1, max_size=J + 1),
        st.lists(st.integers(1, 40), min_size=J + 2, max_size=J + 2),
    )
)


def rows(tally: ItemCounts) -> tuple[list[int], list[int]]:
    """Write a tally out, one row per respondent."""
    places = [
        (arm, count)
        for arm, row in enumerate(tally.counts)
        for count, people in enumerate(row)
        for _ in range(int(people))
    ]
    return [count for _, count in places], [arm for arm, _ in places]


def test_the_published_difference_in_means() -> None:
    """R's list 9.2.6 finds it too; its errors are HC3, with n − 1 for n."""
    estimate = item_count(RACE)
    assert estimate.value[0] == pytest.approx(0.0677974402508, abs=1e-12)
    people = [np.repeat(np.arange(5), row.astype(int)) for row in RACE.counts]
    wider = [person.var(ddof=1) / (len(person) - 1) for person in people]
    assert np.sqrt(sum(wider)) == pytest.approx(0.0496191205602, abs=1e-12)
    assert estimate.se[0] == pytest.approx(0.0496191205602, rel=1e-3)
    assert estimate.lower[0] == 0
    assert estimate.revealed.tolist() == [[19 / 624, 34 / 624]]


@given(groups)
@settings(max_examples=40)
def test_difference_and_variance_by_the_rows(told: tuple[list[int], list[int]]) -> None:
    control, treated = told
    estimate = item_count(ItemCounts(control, {"a": treated}))
    fs = [[F(y) for y, n in enumerate(row) for _ in range(n)] for row in told]
    means = [sum(item, F(0)) / len(item) for item in fs]
    spread = [
        sum(((y - mean) ** 2 for y in item), F(0)) / (len(item) - 1) / len(item)
        if len(item) > 1
        else 0
        for item, mean in zip(fs, means, strict=True)
    ]
    assert estimate.value[0] == pytest.approx(float(means[1] - means[0]), abs=1e-12)
    assert estimate.covariance[0, 0] == pytest.approx(float(sum(spread)), rel=1e-9)
    assert 0 <= estimate.lower[0] <= estimate.upper[0] <= 1


@given(groups)
@settings(max_examples=40)
def test_types_by_moments_give_back_what_was_seen(told: tuple[list[int], list[int]]) -> None:
    """Their sums are the counts' shares, exactly those, and the difference in means."""
    tally = ItemCounts(told[0], {"a": told[1]})
    types = item_count(tally).types()
    holds, others = types.value
    control = np.array(told[0]) / sum(told[0])
    treated = np.array(told[1]) / sum(told[1])
    np.testing.assert_allclose(holds + others, control, atol=1e-12)
    np.testing.assert_allclose(np.append(0, holds) + np.append(others, 0), treated, atol=1e-12)
    assert types.share == pytest.approx(item_count(tally).value[0], abs=1e-12)


@given(groups)
@settings(max_examples=30, deadline=None)
def test_likely_types_are_on_the_simplex_and_nothing_is_likelier(
    told: tuple[list[int], list[int]],
) -> None:
    """By moments where they can be, and the slope towards no type is uphill."""
    estimate = item_count(ItemCounts(told[0], {"a": told[1]}))
    likely, moments = estimate.likely_types(), estimate.types()
    assert likely.value.min() >= 0
    assert likely.value.sum() == pytest.approx(1)
    k = len(told[0])
    control, treated = likely.value.sum(0), np.append(0, likely.value[0])
    treated[:-1] += likely.value[1]
    slopes = [
        told[0][y] / control[y] + told[1][y + z] / treated[y + z]
        for z, y in product((0, 1), range(k))
    ]
    n = sum(told[0]) + sum(told[1])
    assert max(slopes) <= n * (1 + 1e-7)
    if moments.value.min() > 0:
        np.testing.assert_allclose(likely.value, moments.value, atol=1e-6)
        np.testing.assert_allclose(likely.se, moments.se)
    else:
        assert likely.convergence is Convergence.ON_BOUNDARY
        assert np.isnan(likely.se).all()


def test_errors_of_types_are_those_of_differences_of_shares() -> None:
    """As R's ict.test prints them, to four digits."""
    types_result = item_count(AFFIRM).types()
    value = [[-0.0019, 0.0882, 0.1696, 0.2388], [0.0155, 0.1359, 0.2073, 0.1466]]
    se = [[0.0070, 0.0229, 0.0287, 0.0177], [0.0051, 0.0155, 0.0271, 0.0267]]
    np.testing.assert_allclose(types_result.value, value, atol=6e-5)
    np.testing.assert_allclose(types_result.se, se, atol=6e-5)


def test_weights_of_one_size_say_the_same() -> None:
    replies, arms = rows(RACE)
    estimate = item_count(count_items(replies, arms, items=3))
    three = item_count(count_items(replies, arms, items=3, weights=[3.0] * len(replies)))
    np.testing.assert_allclose(three.value, estimate.value)
    np.testing.assert_allclose(three.covariance, estimate.covariance)
    assert estimate.tally.counts.tolist() == RACE.counts.tolist()


def test_weighted_variance_by_linearisation() -> None:
    """Σ w² (y − ȳ)² / (Σ w)², and n/(n − 1) with n = (Σ w)²/Σ w²."""
    rng = np.random.default_rng(7)
    numbers, arms, weights = rng.integers(0, 3, 60), np.arange(60) % 2, rng.uniform(0.5, 4, 60)
    estimate = item_count(count_items(numbers, arms, items=2, weights=weights))
    mean, variance = [], 0.0
    for arm in (0, 1):
        y, w = numbers[arms == arm], weights[arms == arm]
        mean.append((w @ y) / w.sum())
        n = w.sum() ** 2 / (w @ w)
        variance += (w**2 @ (y - mean[-1]) ** 2) / w.sum() ** 2 * n / (n - 1)
    assert estimate.value[0] == pytest.approx(mean[1] - mean[0])
    assert estimate.covariance[0, 0] == pytest.approx(variance)


def test_several_items_share_the_control_group() -> None:
    item_counts = ItemCounts(
        CONTROL, {"a": RACE.counts[1].tolist(), "b": AFFIRM.counts[1].tolist()}
    )
    estimate, separate = item_count(item_counts), [item_count(RACE), item_count(AFFIRM)]
    assert estimate.value.tolist() == [item.value[0] for item in separate]
    np.testing.assert_allclose(estimate.se, [element.se[0] for element in separate])
    y = np.arange(4)
    share = np.array(CONTROL) / 589
    noise = (share @ y**2 - (share @ y) ** 2) / 588
    assert estimate.covariance[0, 1] == pytest.approx(noise)
    assert estimate.types("b").value.tolist() == separate[1].types().value.tolist()
    with pytest.raises(ak.errors.InputError, match="did you mean"):
        estimate.types("bb")


def test_no_design_effect_as_r_tests_it() -> None:
    """R's list 9.2.6, ict.test(…, gms = FALSE); one condition alone is left to Welch's t there."""
    test = design_effect_test(RACE, select=False)
    assert test.p_value[0] == pytest.approx(0.153858917484, abs=1e-10)
    assert design_effect_test(AFFIRM, select=False).p_value[0] == 1
    chosen = design_effect_test(AFFIRM)
    assert chosen.conditions.tolist() == [[1, 0]]
    assert chosen.p_value[0] == pytest.approx(0.788112836801, abs=5e-4)


def test_a_list_that_changes_answers_is_found_out() -> None:
    """Half of those with two items say one as soon as the sensitive one is there."""
    broken = ItemCounts([100, 300, 400, 200], {"a": [100, 600, 200, 60, 40]})
    assert design_effect_test(broken).p_value[0] < 1e-6
    fine = ItemCounts([100, 300, 400, 200], {"a": [80, 260, 380, 240, 40]})
    assert design_effect_test(fine).p_value[0] == 1


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("items", [2, 3, 5])
def test_weights_of_the_test_are_those_of_projected_draws(items: int, seed: int) -> None:
    """The p-value is how often a normal vector without a mean lies as far from the cone."""
    from scipy.optimize import nnls

    rng = np.random.default_rng(seed)
    control = rng.integers(20, 60, items + 1)
    treated = rng.integers(20, 60, items + 2) + np.arange(items + 2)[::-1] * 8
    tally = ItemCounts(control.tolist(), {"a": treated.tolist()})
    test = design_effect_test(tally, select=False)
    k = items + 1
    covariance = np.zeros((items, items))
    for row in (control, treated):
        share = np.cumsum(row / row.sum())[:items]
        covariance += (np.minimum.outer(share, share) - np.outer(share, share)) / row.sum()
    root = np.linalg.cholesky(covariance)
    draws = rng.normal(size=(4000, items)) @ root.T
    inside = np.linalg.inv(root)
    away = [nnls(inside, inside @ draw)[1] ** 2 for draw in draws]
    share = np.mean(np.array(away) >= test.statistic[0, 0] - 1e-12)
    assert test.conditions[0, 0] == k - 1
    assert test.p_values[0, 0] == pytest.approx(share, abs=5 * np.sqrt(0.25 / 4000))


def test_with_a_direct_question_as_published() -> None:
    """List 1 of Aronow, Coppock, Crawford and Green (2015), as R's list 9.2.6 combines it."""
    table = {  # (direct answer, saw the sensitive item): people who said 0, 1, …
        (0, 0): [0, 3, 30, 36, 27, 0],
        (0, 1): [0, 0, 26, 31, 17, 2],
        (1, 0): [0, 2, 35, 69, 53, 0],
        (1, 1): [0, 0, 7, 42, 40, 80],
    }
    people = [
        (direct, arm, index)
        for (direct, arm), row in table.items()
        for index, n in enumerate(row)
        for _ in range(n)
    ]
    direct, arms, replies = (list(column) for column in zip(*people, strict=True))
    count = item_count_with_direct(
        "said", "arm", "yes", data={"said": replies, "arm": arms, "yes": direct}
    )
    value = [0.6656184210526, 0.656, 0.7477390956383]
    se = [0.0484034315117, 0.0212657580380, 0.0844101001122]
    np.testing.assert_allclose(count.shares.value, value, atol=1e-12)
    np.testing.assert_allclose(count.shares.se, se, atol=1e-12)
    np.testing.assert_allclose(count.statistic, [1.05396151985, 0.0662665066026], atol=1e-11)
    np.testing.assert_allclose(count.se, [0.0945273379852, 0.0424397471855], atol=1e-12)
    np.testing.assert_allclose(count.p_value, [0.568097102604, 0.118423371726], atol=1e-11)
    assert count.people == 500


def test_two_lists_are_better_than_one() -> None:
    """Where people answer both alike, what they answer falls out of the difference."""
    rng = np.random.default_rng(3)
    taste, holds, arm = rng.binomial(4, 0.5, 400), rng.random(400) < 0.3, np.arange(400) % 2
    first, second = taste + holds * arm, taste + holds * (1 - arm)
    count = double_item_count(first, second, arm)
    assert count.shares.se[0] < count.shares.se[1:].min() / 3
    assert count.shares.value[0] == pytest.approx(count.shares.value[1:].mean())
    by_hand = (first - second)[arm == 1].mean() / 2 - (first - second)[arm == 0].mean() / 2
    assert count.shares.value[0] == pytest.approx(by_hand)
    spread = [np.var((first - second)[arm == number], ddof=1) / 200 for number in (0, 1)]
    assert count.shares.covariance[0, 0] == pytest.approx(sum(spread) / 4)
    assert count.p_value[0] > 0.01


def test_tallies_add_and_are_written() -> None:
    twice = RACE + RACE
    assert item_count(twice).value == item_count(RACE).value
    written = json.loads(json.dumps(twice.to_dict(), allow_nan=False))
    assert ItemCounts.from_dict(written) == twice
    assert hash(ItemCounts.from_dict(written)) == hash(twice)
    with pytest.raises(ak.errors.InputError, match="3 control items"):
        RACE + AFFIRM
    for odd in ({}, {"askance": "tally-1"}, written | {"counts": [[1], [2, 3]]}):
        with pytest.raises(ak.errors.DocumentError):
            ItemCounts.from_dict(odd)


def test_what_is_written_and_drawn() -> None:
    from matplotlib import pyplot

    estimate = item_count(ItemCounts(CONTROL, {"<größer>": RACE.counts[1].tolist()}))
    assert "&lt;größer&gt;" in estimate._repr_html_()
    assert "no local differential privacy" in repr(estimate)
    assert json.loads(json.dumps(estimate.to_dict(), allow_nan=False))["items"] == ["<größer>"]
    assert estimate.to_frame().shape == (1, 5)
    assert estimate.types().to_frame()["share"].sum() == pytest.approx(1)
    assert RACE.to_frame()["people"].sum() == 1213
    assert (
        json.loads(json.dumps(estimate.likely_types().to_dict(), allow_nan=False))["se"][0][0]
        is None
    )
    ax = estimate.plot()
    assert [yticklabel.get_text() for yticklabel in ax.get_yticklabels()] == ["<größer>"]
    pyplot.close(ax.figure)


@pytest.mark.parametrize(
    ("given", "told"),
    [
        ({"reports": [0, 3, 1, 2]}, r"reports\[1\]: got 3.0; allowed: a whole number in \[0, 2\]"),
        ({"reports": [0, 1, 1, 4]}, r"reports\[3\].*\[0, 3\]"),
        ({"reports": [0, None, 1, 2]}, r"reports\[1\]: got 'nothing'"),
        ({"reports": [0, 0.5, 1, 2]}, r"reports\[1\]"),
        ({"reports": [0, 1]}, "one per arm"),
        ({"arms": [0, 0, None, 1]}, r"arms\[2\]: got 'nothing'"),
        ({"arms": [0, 0, 0, 0]}, "one or more others"),
        ({"arms": ["a", "b", "a", "b"]}, "is the control group"),
        ({"weights": [1, 1, 1, -1]}, r"weights\[3\]: got -1.0"),
        ({"weights": [1, 1, 1e200, 1]}, r"weights\[2\]"),
        ({"weights": [1, 1]}, "one per arm"),
        ({"arms": [0, "1", 1, 1]}, "names that differ when written"),
        ({"items": 0}, "a number of control items"),
    ],
)
def test_what_cannot_be_is_refused(given: dict[str, object], told: str) -> None:
    row = {"reports": [0, 1, 1, 2], "arms": [0, 0, 1, 1], "items": 2} | given
    with pytest.raises(ak.errors.InputError, match=told):
        count_items(**row)


def test_nearly_nobody_is_refused() -> None:
    with pytest.raises(ak.errors.InputError, match="two or more"):
        item_count(ItemCounts([1, 0], {"a": [2, 3, 1]}))
    with pytest.raises(ak.errors.InputError, match="got 'nobody'"):
        ItemCounts([0, 0], {"a": [2, 3, 1]})
    with pytest.raises(ak.errors.InputError, match="3: for 0 to 2 items"):
        ItemCounts([1, 1], {"a": [2, 3]})
    with pytest.raises(ak.errors.NotIdentified, match="said no"):
        item_count_with_direct([1, 2, 1, 2], [0, 0, 1, 1], [1, 1, 1, 0])


def test_log_likelihood_of_types_is_that_of_the_counts() -> None:
    types = item_count(AFFIRM).likely_types()
    holds, others = types.value
    by_hand = sum(n * log(share) for n, share in zip(CONTROL, holds + others, strict=True))
    replies = np.append(0, holds) + np.append(others, 0)
    by_hand += sum(n * log(share) for n, share in zip(AFFIRM.counts[1], replies, strict=True))
    assert types.log_likelihood == pytest.approx(by_hand)


def test_types_at_the_edge_are_told_without_an_interval_that_is_not_there() -> None:
    text = str(
        item_count(ItemCounts([8, 132, 222, 227], {"a": [19, 123, 229, 219, 34]})).likely_types()
    )
    assert "at the edge, 0 or 1" in text
    assert "interval" not in text


def test_a_count_that_nobody_gave_leaves_the_test_as_it_is() -> None:
    """Two shares then differ by a constant: the smaller one says what both say."""
    empty = ItemCounts([10, 0, 40, 20], {"a": [20, 0, 30, 10, 5]})
    test = design_effect_test(empty, select=False)
    assert test.conditions.tolist() == [[2, 3]]
    assert 0 < test.p_value[0] <= 1
    control, treated = np.array([10, 50]) / 70, np.array([20, 50]) / 65
    covariance = sum(
        (np.minimum.outer(item, item) - np.outer(item, item)) / n
        for item, n in ((control, 70), (treated, 65))
    )
    below = control - treated
    assert (below[0] < 0) & (below[1] < 0)
    from scipy.optimize import minimize

    def far(t: np.ndarray) -> float:
        return float((below - t) @ np.linalg.solve(covariance, below - t))

    nearest = minimize(far, np.zeros(2), bounds=[(0, None)] * 2, tol=1e-12)
    assert test.statistic[0, 0] == pytest.approx(nearest.fun, rel=1e-6)


def test_shares_that_no_normal_test_can_judge_are_refused() -> None:
    """A share of −1 without an error was once left out of the test, which then found nothing."""
    for select in (True, False):
        with pytest.raises(ak.errors.InputError, match="below 0 whose error"):
            design_effect_test(ItemCounts([3, 0, 0], {"a": [0, 0, 0, 3]}), select=select)
    fine = design_effect_test(ItemCounts([3, 0, 0, 4], {"a": [0, 5, 0, 0, 3]}), select=False)
    assert 0 < fine.p_value[0] <= 1
    bound = ItemCounts([5, 0, 5, 0], {"a": [0, 6, 0, 4, 0]})
    with pytest.raises(ak.errors.NotIdentified, match="determine each other"):
        design_effect_test(bound, select=False)


@pytest.mark.parametrize("wrong", [-1, 0.5, np.inf, 1e200, np.nan])
def test_counts_beside_other_questions_are_whole_numbers(wrong: float) -> None:
    replies, arms = [1, wrong, 1, 2], [0, 0, 1, 1]
    with pytest.raises(ak.errors.InputError, match=r"reports\[1\]"):
        item_count_with_direct(replies, arms, [0, 1, 0, 0])
    with pytest.raises(ak.errors.InputError, match=r"second\[1\]"):
        double_item_count([1, 2, 1, 2], replies, arms)


def sampled() -> tuple[Any, Any, ak.inference.SamplingDesign]:
    """Give counts and lists of people of 30 villages in three regions, with weights."""
    rng, village = np.random.default_rng(3), np.repeat(np.arange(30), 12)
    arm, often = rng.integers(0, 2, 360), rng.beta(2, 3, 30)[village]
    replies = rng.binomial(3, 0.3 + 0.4 * often) + arm * (rng.random(360) < often)
    sampling = ak.inference.SamplingDesign(
        weights=rng.uniform(1, 3, 360), strata=village // 10, clusters=village, fpc=[20] * 360
    )
    return replies, arm, sampling


def test_a_complex_sample_is_that_of_two_ratios() -> None:
    """The difference in weighted means, linearised by hand, as if drawn with replacement."""
    replies, arm, sampling = sampled()
    estimate = item_count(count_items(replies, arm, items=3, sampling=sampling))
    w = sampling.weights
    mean = [np.average(replies[arm == number], weights=w[arm == number]) for number in (0, 1)]
    assert estimate.value[0] == pytest.approx(mean[1] - mean[0])
    score = np.zeros(len(replies))
    for item, sign in ((0, -1), (1, 1)):
        own = arm == item
        score[own] = sign * (replies[own] - mean[item]) / w[own].sum()
    variance = sampling.with_replacement().covariance(score[:, None])
    np.testing.assert_allclose(estimate.covariance, variance, rtol=1e-10)
    assert (estimate.upper - estimate.value)[0] == pytest.approx(
        2.051831 * estimate.se[0], rel=1e-6
    )
    assert "27 degrees of freedom" in repr(estimate)
    types = estimate.types()
    assert types.share == pytest.approx(estimate.value[0])
    assert types.se.shape == (2, 4)
    again = ak.inference.jackknife(sampling.with_replacement())
    left_out = item_count(count_items(replies, arm, items=3, sampling=again))
    np.testing.assert_allclose(left_out.se, estimate.se, rtol=0.01)

    def difference(weights):
        means = [
            np.average(replies[arm == number], weights=weights[arm == number]) for number in (0, 1)
        ]
        return means[1] - means[0]

    itself = ak.inference.replicated(again, difference)
    np.testing.assert_allclose(left_out.se, itself.se, rtol=1e-9)


def test_counts_of_a_complex_sample_are_written_and_not_added() -> None:
    replies, arm, sampling = sampled()
    result = count_items(replies, arm, items=3, sampling=sampling)
    written = json.loads(json.dumps(result.to_dict(), allow_nan=False))
    assert written["askance"] == "item-counts-2"
    again = ItemCounts.from_dict(written)
    assert again == result
    np.testing.assert_allclose(item_count(again).se, item_count(result).se)
    assert "complex sample, 27 degrees of freedom" in repr(result)
    with pytest.raises(ak.errors.InputError, match="count all rows together"):
        result + result
    with pytest.raises(ak.errors.InputError, match="the sampling design says it"):
        count_items(replies, arm, items=3, sampling=sampling, weights=[1.0] * 360)
    with pytest.raises(ak.errors.InputError, match=r"ItemCounts\.covariance"):
        ItemCounts([5, 5], {"a": [2, 5, 3]}, covariance=np.eye(2), df=3)


def test_random_people_as_a_design_have_the_errors_of_random_people() -> None:
    replies, arm, _ = sampled()
    alone = ak.inference.SamplingDesign(weights=[1.0] * 360)
    plain = item_count(count_items(replies, arm, items=3))
    estimate = item_count(count_items(replies, arm, items=3, sampling=alone))
    np.testing.assert_allclose(estimate.value, plain.value)
    np.testing.assert_allclose(estimate.se, plain.se, rtol=0.01)


def test_a_sample_without_a_degree_of_freedom_leaves_every_share_open() -> None:
    alone = ak.inference.SamplingDesign(
        clusters=[1, 1, 1, 1, 2, 2, 2, 2], strata=[1, 1, 1, 1, 2, 2, 2, 2], lonely="certainty"
    )
    questions = count_items([1, 0, 1, 2, 0, 1, 1, 2], [0, 0, 1, 1] * 2, items=2, sampling=alone)
    estimate = item_count(questions)
    assert (estimate.lower.tolist(), estimate.upper.tolist()) == ([0], [1])


def test_a_covariance_without_degrees_of_freedom_is_written_and_read() -> None:
    counts = ItemCounts([5, 5], {"a": [2, 5, 3]}, covariance=np.eye(6))
    assert ItemCounts.from_dict(json.loads(json.dumps(counts.to_dict()))) == counts
    with pytest.raises(ak.errors.InputError, match="negative eigenvalue"):
        ItemCounts([5, 5], {"a": [2, 5, 3]}, covariance=np.ones((6, 6)) - np.eye(6))


def asked_twice(n: int = 400) -> tuple[np.ndarray, ...]:
    """Two lists and a direct question, with people of one school alike."""
    rng = np.random.default_rng(8)
    school = np.arange(n) // 10
    holds = rng.random(n) < np.repeat(rng.uniform(0.1, 0.7, n // 10), 10)
    arm = rng.permutation(n) % 2
    first = rng.binomial(3, 0.5, n) + holds * (arm == 1)
    second = rng.binomial(3, 0.6, n) + holds * (arm == 0)
    direct = (holds & (rng.random(n) < 0.5)).astype(float)
    return first, second, arm, direct, school, rng.uniform(0.5, 2, n)


def both_kinds(sampling: Any, rows: Any = None) -> tuple[CombinedShares, CombinedShares]:
    first, second, arm, direct, *_ = (
        column if rows is None else column[rows] for column in asked_twice()
    )
    return (
        double_item_count(first, second, arm, sampling=sampling),
        item_count_with_direct(first, arm, direct, sampling=sampling),
    )


def test_lists_joined_of_people_drawn_alone_are_those_of_no_design() -> None:
    for plain, kind in zip(
        both_kinds(None), both_kinds(SamplingDesign(weights=np.ones(400))), strict=True
    ):
        np.testing.assert_allclose(kind.shares.value, plain.shares.value, atol=1e-12)
        np.testing.assert_allclose(kind.shares.se, plain.shares.se, rtol=0.01)
        np.testing.assert_allclose(kind.statistic, plain.statistic, atol=1e-12)
        np.testing.assert_allclose(kind.se, plain.se, rtol=0.03)
        assert kind.df == 399
        assert "df" in kind.to_dict()
        assert "df" not in plain.to_dict()


def test_copies_of_a_person_in_a_cluster_are_one_person() -> None:
    w = asked_twice()[-1]
    alone = both_kinds(SamplingDesign(weights=w))
    times = np.repeat(np.arange(400), 3)
    copies = both_kinds(SamplingDesign(weights=w[times] / 3, clusters=times), times)
    for item, copied in zip(alone, copies, strict=True):
        np.testing.assert_allclose(copied.shares.covariance, item.shares.covariance, rtol=1e-9)
        np.testing.assert_allclose(copied.p_value, item.p_value, rtol=1e-9)


@pytest.mark.long
def test_lists_joined_of_clusters_are_those_of_schools_left_out() -> None:
    """The jackknife of the weighted estimates themselves; errors of people alone are too small."""
    first, second, arm, direct, school, w = asked_twice()
    sampling = SamplingDesign(weights=w, clusters=school)

    def estimates(weights: np.ndarray) -> np.ndarray:
        def apart(column: np.ndarray, rows: Any = True) -> float:
            high, low = ((arm == g) & rows for g in (1, 0))
            return np.average(column[high], weights=weights[high]) - np.average(
                column[low], weights=weights[low]
            )

        openly = np.average(direct, weights=weights)
        return np.array(
            [
                (apart(first) - apart(second)) / 2,
                openly + (1 - openly) * apart(first, direct == 0),
                apart(direct),
            ]
        )

    replicated_result = replicated(jackknife(sampling), estimates)
    lists, combined = both_kinds(sampling)
    value = [lists.shares.value[0], combined.shares.value[0], combined.statistic[1]]
    np.testing.assert_allclose(value, replicated_result.value, atol=1e-12)
    se = [lists.shares.se[0], combined.shares.se[0], combined.se[1]]
    np.testing.assert_allclose(se, replicated_result.se, rtol=0.03)
    alone = both_kinds(SamplingDesign(weights=w))
    assert lists.shares.se[0] > 1.1 * alone[0].shares.se[0]
    assert lists.df == 39
    of_columns = double_item_count(
        "a",
        "b",
        "arm",
        data={"a": first, "b": second, "arm": arm, "w": w, "school": school},
        sampling=SamplingColumns(weights="w", clusters="school"),
    )
    np.testing.assert_allclose(of_columns.shares.se, lists.shares.se)


def test_a_design_that_leaves_nobody_is_refused() -> None:
    first, second, arm, *_ = asked_twice()
    with pytest.raises(ak.errors.InputError, match="fewer than two people"):
        double_item_count(first, second, arm, sampling=SamplingDesign(weights=arm))
    with pytest.raises(ak.errors.InputError, match="400"):
        double_item_count(first, second, arm, sampling=SamplingDesign(weights=np.ones(3)))
    design = SamplingDesign(weights=np.ones(400), clusters=np.zeros(400), lonely="certainty")
    with pytest.raises(ak.errors.InputError, match="0 degrees of freedom"):
        double_item_count(first, second, arm, sampling=design)


def below(control: int, observed: int) -> ItemCounts:
    """Two groups of 100, of whom so many count one item and the others none."""
    return ItemCounts([100 - control, control], {"x": [100 - observed, observed, 0]})


def test_an_estimate_outside_0_and_1_keeps_an_interval_as_long_as_its_reach():
    """It once ended as the point [0, 0]. What is more impossible is no more precise."""
    uppers = []
    for number in (50, 40, 30, 20):
        estimate = item_count(below(50, number))
        value = F(number - 50, 100)
        error = (0.25 + float(F(number, 100) * F(100 - number, 100))) / 99
        reach = 1.959963984540054 * error**0.5
        assert (estimate.lower[0], estimate.upper[0]) == pytest.approx((0, reach))
        assert estimate.value[0] == pytest.approx(float(value))
        uppers.append(estimate.upper[0])
    assert min(uppers) > 0.9 * max(uppers)
    above = item_count(ItemCounts([60, 40], {"x": [0, 40, 60]}))  # 1.6 − .4: 1.2
    assert above.value[0] == pytest.approx(1.2)
    assert (above.lower[0], above.upper[0]) == pytest.approx((1 - 1.96 * above.se[0], 1), abs=1e-4)


def test_where_all_say_the_same_the_interval_is_no_point():
    estimate = item_count(ItemCounts([0, 9], {"x": [0, 9, 0]}))
    assert (estimate.value[0], estimate.se[0]) == (0, 0)
    assert (estimate.lower[0], estimate.upper[0]) == (0, 1)


@pytest.mark.parametrize("sampling", [None, SamplingDesign(weights=np.ones(40))])
def test_shares_of_joined_lists_stay_inside_0_and_1(sampling):
    arms = [0] * 20 + [1] * 20
    first = [1] * 18 + [2] * 2 + [0] * 18 + [1] * 2
    twice = double_item_count(first, first[::-1], arms, sampling=sampling).shares
    direct = item_count_with_direct(first, arms, [0, 1] * 20, sampling=sampling).shares
    for shares in (twice, direct):
        assert ((shares.lower >= 0) & (shares.upper <= 1)).all()
        assert (shares.upper - shares.lower >= np.minimum(1.9 * shares.se, 1)).all()
    assert twice.value[0] < -2 * twice.se[0]
    assert twice.lower[0] == 0
    if sampling is None:
        reach = 1.959964 / 2 / np.sqrt(40 + 1.959964**2)  # Wilson's, at ½
        ends = direct.lower[1], direct.upper[1]
        assert ends == pytest.approx((0.5 - reach, 0.5 + reach), abs=1e-6)
