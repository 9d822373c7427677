"""Values and standard errors beside closed forms, and beside likelihoods written out by hand."""

from collections import Counter
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy.special import comb
from scipy.stats import sem

import askance as ak
from askance.inference import SupportLaw

lab = ak.inference
YN, ABC = ak.Frame(["yes", "no"]), ak.Frame(["a", "b", "c"])
VAGUE = ak.Channel(
    ABC,
    {"a": ["a"], "b": ["b"], "c": ["c"], "?": ["a", "b", "c"]},
    [[0.7, 0.1, 0.1, 0.1], [0.1, 0.6, 0.1, 0.2], [0.1, 0.1, 0.7, 0.1]],
)
ABSTAIN = ak.Abstain(truth="7/10", lie="1/10").channel(YN)


def climbed(log_likelihood: Callable[[Any], Any], start: Any) -> tuple[Any, Any]:
    """The maximum and the inverse of the curvature there, by complex steps and Newton's method."""
    values = np.asarray(start, dtype=float)
    steps = np.eye(len(values))

    def slope(local: Any) -> Any:
        return np.array([log_likelihood(local + 1e-30j * step).imag for step in steps]) / 1e-30

    for _ in range(8):
        bend = np.array(
            [(slope(values - 1e-5 * step) - slope(values + 1e-5 * step)) / 2e-5 for step in steps]
        )
        covariance = np.linalg.inv((bend + bend.T) / 2)
        values = values + covariance @ slope(values)
    return values, covariance


def expit(eta: Any) -> Any:
    """As scipy's, of complex numbers too."""
    return 1 / (1 + np.exp(-eta))


@pytest.mark.checked(
    "maximum_likelihood",
    "estimate",
    by="numerical Hessian by complex steps",
    value=1e-9,
    errors=1e-7,
)
def test_shares_through_a_vague_channel(within: Any) -> None:
    counts = np.array([310, 240, 270, 180])

    def told(index: Any) -> Any:
        return counts @ np.log(
            np.array([index[0], index[1], 1 - index[0] - index[1]]) @ VAGUE.matrix
        )

    value, covariance = climbed(told, [1 / 3, 1 / 3])
    spread = np.array([[1, 0], [0, 1], [-1, -1]])
    errors = np.sqrt(np.diag(spread @ covariance @ spread.T))
    tally = ak.Tally(VAGUE, dict(zip(VAGUE.reports, counts.tolist(), strict=True)))
    for method in (lab.maximum_likelihood, ak.estimate):
        method_result = method(tally)
        assert_allclose(method_result.value, [*value, 1 - value.sum()], rtol=within.value)
        assert_allclose(method_result.se, errors, rtol=within.errors)


@pytest.mark.checked(
    "moment_estimate",
    "estimate_frequencies",
    by="the closed form of k-ary response",
    value=1e-11,
    errors=1e-11,
)
def test_frequencies_turned_round(within: Any) -> None:
    channel = ak.KAry(truth="3/5").channel(ABC)
    tally = ak.Tally(channel, {"a": 500, "b": 310, "c": 240})
    frequency = np.array([500, 310, 240]) / 1050
    for result in (lab.moment_estimate(tally), lab.estimate_frequencies(tally)):
        assert_allclose(result.value, (frequency - 0.2) / 0.4, rtol=within.value)
        errors = np.sqrt(frequency * (1 - frequency) / 1050) / 0.4
        assert_allclose(result.se, errors, rtol=within.errors)


@pytest.mark.checked(
    "estimate_supports", by="the closed form of Wang et al. (2017)", value=1e-11, errors=1e-11
)
def test_supports_of_a_unary_encoding(within: Any) -> None:
    law = SupportLaw(
        true_positive_rate="1/2", false_positive_rate="1/3", both_inside="1/6", both_outside="1/9"
    )
    counts, n = np.array([4200, 3900, 3500, 3400]), 10_000
    estimate = lab.estimate_supports(counts, n, law)
    assert_allclose(estimate.value, (counts / n - 1 / 3) * 6, rtol=within.value)
    errors = 6 * np.sqrt(counts / n * (1 - counts / n) / n)
    assert_allclose(estimate.se, errors, rtol=within.errors)


@pytest.mark.checked("compare_groups", by="two binomials in closed form", value=1e-9, errors=1e-7)
def test_a_difference_of_two_groups(within: Any) -> None:
    warner = ak.Warner(truth="3/4").channel(YN)
    questions = {"plainly": (ak.KAry(truth="1").channel(YN), 20, 200), "coin": (warner, 400, 1000)}
    tallies = {
        name: ak.Tally(channel, {"yes": yes, "no": n - yes})
        for name, (channel, yes, n) in questions.items()
    }
    comparison = lab.compare_groups(ak.channels.GroupedTally(tallies))
    assert_allclose(comparison.difference[0], [0.2, -0.2], rtol=within.value)
    variance = 0.1 * 0.9 / 200 + 0.4 * 0.6 / 1000 / 0.5**2
    assert_allclose(comparison.se[0], [variance**0.5] * 2, rtol=within.errors)


@pytest.mark.checked("estimate_line", by="a binomial share at each cut", value=1e-8, errors=1e-4)
def test_a_mean_from_one_cut_each(within: Any) -> None:
    """Bounds of the mean add the shares above the cuts, which are those of apart samples."""
    channel = ak.channels.RangeChannel(ak.Line(0, 4, 1), [1, 2, 1])
    up_to, values = np.array([90, 230, 210]), np.array([300, 500, 300])
    cells = [[(0, cut)] * up_to[cut - 1] for cut in (1, 2, 3)]
    cells += [[(cut, 4)] * (values - up_to)[cut - 1] for cut in (1, 2, 3)]
    estimate = lab.estimate_line(channel, channel.ranges(np.concatenate(cells)))
    share = up_to / values
    low = (1 - share).sum()
    assert_allclose([estimate.mean_low, estimate.mean_high], [low, low + 1], rtol=within.value)
    assert_allclose(estimate.se, np.sqrt((share * (1 - share) / values).sum()), rtol=within.errors)


@pytest.mark.checked(
    "estimate_plain", by="numpy.mean and scipy.stats.sem", value=1e-12, errors=1e-12
)
def test_numbers_asked_plainly(within: Any) -> None:
    numbers = [1, 1, 4, 10, 3, 8, 8, 2]
    estimate = lab.estimate_plain(ak.Line(0, 10, 1), Counter(numbers))
    assert_allclose(estimate.mean, np.mean(numbers), rtol=within.value)
    assert_allclose(estimate.se, sem(numbers), rtol=within.errors)


def people(n: int = 600) -> tuple[Any, Any]:
    """One covariate, and a coin beside it."""
    rng = np.random.default_rng(5)
    return rng, rng.normal(size=n)


@pytest.mark.checked(
    "paired_regression", by="numerical Hessian by complex steps", value=1e-6, errors=1e-6
)
def test_two_protected_answers_together(within: Any) -> None:
    rng, x = people()
    first = (rng.random(600) > expit(0.5 * x)).astype(int)
    second = np.where(rng.random(600) < 0.4, first, rng.integers(0, 3, 600))
    totals = [
        (rng.random(600)[:, None] > channel.matrix[true].cumsum(axis=1)[:, :-1]).sum(axis=1)
        for channel, true in ((ABSTAIN, first), (VAGUE, second))
    ]
    channels = {"x": ABSTAIN, "y": VAGUE}
    replies = {
        name: np.array(channel.reports)[codes]
        for (name, channel), codes in zip(channels.items(), totals, strict=True)
    }
    fit = lab.paired_regression(replies, x, channels)

    def told(index: Any) -> Any:
        own = [index[0] + index[1] * x, 0 * x]
        other = [index[2] + index[3] * x, index[4] + index[5] * x, 0 * x]
        mass = {
            (i, j): np.exp(own[i] + other[j] + (index[6 + j] if i == 0 and j < 2 else 0))
            for i in range(2)
            for j in range(3)
        }
        likely = sum(
            item * ABSTAIN.matrix[i, totals[0]] * VAGUE.matrix[j, totals[1]]
            for (i, j), item in mass.items()
        )
        return np.log(likely / sum(mass.values())).sum()

    value, covariance = climbed(told, np.round(fit.value, 1))
    assert_allclose(fit.value, value, rtol=within.value)
    assert_allclose(fit.se, np.sqrt(np.diag(covariance)), rtol=within.errors)


@pytest.mark.checked(
    "compliance_regression", by="numerical Hessian by complex steps", value=1e-6, errors=1e-6
)
def test_carriers_who_deny(within: Any) -> None:
    rng, x = people(1200)
    z, group = rng.integers(0, 2, 1200), np.arange(1200) % 2
    forced = np.where(group, 5 / 6, 1 / 6)
    carries, denies = rng.random(1200) < expit(0.4 + 0.8 * x), rng.random(1200) < expit(0.9 * z - 1)
    yes = np.where(carries, ~denies, rng.random(1200) < forced)
    channel_results = [ak.mechanisms.OneSided(forced_yes=p).channel(YN) for p in ("1/6", "5/6")]
    liars = lab.stochastic_lie_detector()
    tolist_result = np.where(yes, "yes", "no").tolist()
    fit = lab.compliance_regression(
        tolist_result, x, channel_results, liars, compliance=z, group=group
    )

    def told(index: Any) -> Any:
        carrier, denial = expit(index[0] + index[1] * x), expit(index[2] + index[3] * z)
        chance = carrier * (1 - denial) + (1 - carrier) * forced
        return np.log(np.where(yes, chance, 1 - chance)).sum()

    value, covariance = climbed(told, np.round(fit.value, 1))
    assert_allclose(fit.value, value, rtol=within.value)
    assert_allclose(fit.se, np.sqrt(np.diag(covariance)), rtol=within.errors)


@pytest.mark.checked(
    "item_count_regression", by="numerical Hessian by complex steps", value=1e-6, errors=1e-6
)
def test_a_list_and_a_covariate(within: Any) -> None:
    rng, x = people(900)
    arm = np.arange(900) % 2
    replies = rng.binomial(3, expit(0.4 + 0.3 * x)) + arm * (rng.random(900) < expit(0.9 * x - 0.5))
    fit = lab.item_count_regression(replies, arm, x, items=3)

    def told(index: Any) -> Any:
        holds, expit_result = expit(index[0] + index[1] * x), expit(index[2] + index[3] * x)

        def binomial(count: Any) -> Any:
            return comb(3, count) * expit_result**count * (1 - expit_result) ** (3 - count)

        other = np.where((replies >= 0) & (replies <= 3), binomial(np.clip(replies, 0, 3)), 0)
        holder = np.where(replies >= arm, binomial(np.clip(replies - arm, 0, 3)), 0)
        return np.log(holds * holder + (1 - holds) * other).sum()

    value, covariance = climbed(told, np.round(fit.value, 1))
    assert_allclose(fit.value, value, rtol=within.value)
    assert_allclose(fit.se, np.sqrt(np.diag(covariance)), rtol=within.errors)


@pytest.mark.checked(
    "response_regression", by="numerical Hessian by complex steps", value=1e-6, errors=1e-6
)
def test_three_protected_answers(within: Any) -> None:
    rng, x = people()
    odds = np.exp(np.column_stack([0.5 * x, 0.3 - 0.4 * x, 0 * x]))
    shares = (odds / odds.sum(axis=1, keepdims=True)) @ VAGUE.matrix
    total = (rng.random((600, 1)) > shares.cumsum(axis=1)[:, :-1]).sum(axis=1)
    fit = ak.response_regression(np.array(VAGUE.reports)[total], x, VAGUE)

    def told(index: Any) -> Any:
        mass = np.exp(np.array([index[0] + index[1] * x, index[2] + index[3] * x, 0 * x]))
        return np.log((mass * VAGUE.matrix[:, total]).sum(axis=0) / mass.sum(axis=0)).sum()

    value, covariance = climbed(told, np.round(fit.value, 1))
    assert_allclose(fit.value, value, rtol=within.value)
    assert_allclose(fit.se, np.sqrt(np.diag(covariance)), rtol=within.errors)


@pytest.mark.checked(
    "estimate_joint", by="numerical Hessian by complex steps", value=1e-6, errors=1e-6
)
def test_two_questions_of_the_same_people(within: Any) -> None:
    counts = np.array([[310, 240], [230, 260], [160, 150]])
    warner = ak.Warner(truth="3/4").channel(YN)
    estimate = lab.estimate_joint({"vague": ABSTAIN, "coin": warner}, counts)
    kron_result = np.kron(ABSTAIN.matrix, warner.matrix)

    def told(index: Any) -> Any:
        return counts.ravel() @ np.log(np.append(index, 1 - index.sum()) @ kron_result)

    value, covariance = climbed(told, [0.25] * 3)
    spread = np.vstack([np.eye(3), [-1, -1, -1]])
    errors = np.sqrt(np.diag(spread @ covariance @ spread.T))
    assert_allclose(estimate.value.ravel(), [*value, 1 - value.sum()], rtol=within.value)
    assert_allclose(np.sqrt(np.diag(estimate.covariance)), errors, rtol=within.errors)
