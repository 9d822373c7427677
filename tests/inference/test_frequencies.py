"""Shares of many answers from support counts, beside every sequence of reports there is."""

import itertools
import json
import pickle
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import askance as ak
from askance.inference import (
    FrequencyCovariance,
    SupportLaw,
    estimate_frequencies,
    estimate_supports,
    find_heavy_hitters,
    simultaneous_frequencies,
)
from askance_collect.errors import InputError, NotIdentified

THIRD = Fraction(1, 3)


def kary(k):
    """Send the answer twice as often as any other one."""
    return [(frozenset([y]), [Fraction(1 + (y == x), k + 1) for x in range(k)]) for y in range(k)]


def unary(k):
    """Name the answer by one toss in two, each other one by one in three."""
    result = []
    for bits in itertools.product([0, 1], repeat=k):
        chances = [
            np.prod(
                [Fraction(1, 2) if a == x else (THIRD if bits[a] else 1 - THIRD) for a in range(k)]
            )
            for x in range(k)
        ]
        result.append((frozenset(a for a in range(k) if bits[a]), chances))
    return result


def subsets(k):
    """Name two answers, pairs with the true one three times as often."""
    pairs = [frozenset(pair) for pair in itertools.combinations(range(k), 2)]
    total = 3 * (k - 1) + (k - 1) * (k - 2) // 2
    return [(pair, [Fraction(3 if x in pair else 1, total) for x in range(k)]) for pair in pairs]


RULES = {"k-ary": kary, "unary": unary, "subsets": subsets}


def law_of(sets):
    """Read the law of supports off the chances of all sets."""

    def chance(true, *content):
        return sum((row[true] for names, row in sets if names.issuperset(content)), Fraction(0))

    law = SupportLaw(
        true_positive_rate=chance(0, 0),
        false_positive_rate=chance(0, 1),
        both_inside=chance(0, 0, 1),
        both_outside=chance(0, 1, 2),
    )
    for a, b, c in itertools.permutations(range(3)):
        assert (chance(a, a), chance(a, b)) == (law.true_positive_rate, law.false_positive_rate)
        assert (chance(a, a, b), chance(a, b, c)) == (law.both_inside, law.both_outside)
    return law


@pytest.mark.parametrize("k", [3, 4])
@pytest.mark.parametrize("rule", RULES)
def test_mean_and_covariance_are_those_of_every_sequence_of_reports(rule, k):
    sets, people = RULES[rule](k), 2
    law = law_of(sets)
    shares = [Fraction(a + 1, k * (k + 1) // 2) for a in range(k)]
    totals = [sum(p * q for p, q in zip(shares, row, strict=True)) for _, row in sets]
    assert sum(totals) == 1
    mean, square = np.zeros(k), np.zeros((k, k))
    for reports in itertools.product(range(len(sets)), repeat=people):
        chance = float(np.prod([totals[y] for y in reports]))
        counts = [sum(a in sets[y][0] for y in reports) for a in range(k)]
        result = estimate_supports(counts, people, law).value
        mean += chance * result
        square += chance * np.outer(result, result)
    truth = np.array(shares, dtype=float)
    covariance = FrequencyCovariance(law=law, shares=truth, reports=people)
    exact = square - np.outer(mean, mean)
    assert mean == pytest.approx(truth, abs=1e-12)
    assert covariance.toarray() == pytest.approx(exact, abs=1e-12)
    assert covariance.diagonal() == pytest.approx(np.diag(exact), abs=1e-12)
    contrast = np.arange(k) - 1.5
    assert covariance @ contrast == pytest.approx(exact @ contrast, abs=1e-12)
    assert covariance.variance(contrast) == pytest.approx(contrast @ exact @ contrast, abs=1e-12)


def laws():
    """Draw laws of unary encodings, whose pairs are independent."""

    def unary_law(parts):
        p, q = Fraction(max(parts), 20), Fraction(min(parts), 20)
        return SupportLaw(
            true_positive_rate=p, false_positive_rate=q, both_inside=p * q, both_outside=q * q
        )

    parts = st.tuples(st.integers(0, 20), st.integers(0, 20)).filter(lambda two: two[0] != two[1])
    return parts.map(unary_law)


METHODS = ["clipped", "projected", "posterior", "shrunk"]


@pytest.mark.long
@settings(max_examples=60, deadline=None)
@given(law=laws(), method=st.sampled_from(METHODS), data=st.data())
def test_every_method_gives_shares_and_every_interval_holds_something(law, method, data):
    reports = data.draw(st.sampled_from([1, 7, 1000, 10**9]))
    k = data.draw(st.integers(2, 6))
    counts = data.draw(st.lists(st.integers(0, reports), min_size=k, max_size=k))
    estimate = estimate_supports(counts, reports, law, method=method)
    assert estimate.value.min() >= 0
    assert estimate.value.sum() == pytest.approx(1)
    assert estimate.covariance.diagonal().min() >= 0
    for ends in (estimate, simultaneous_frequencies(estimate)):
        assert np.all((ends.lower >= 0) & (ends.lower < ends.upper) & (ends.upper <= 1))
        assert np.all(ends.lower <= estimate.unbiased.clip(0, 1) + 1e-9)
        assert np.all(ends.upper >= estimate.unbiased.clip(0, 1) - 1e-9)
    same = find_heavy_hitters(estimate, false_discovery_rate=1 - estimate.level)
    assert estimate.above_noise.tolist() == same.selected.tolist()


@pytest.mark.long
def test_the_projection_is_the_nearest_point_of_the_simplex():
    steps = 200
    grid = [
        np.array([a, b, steps - a - b]) / steps
        for a in range(steps + 1)
        for b in range(steps + 1 - a)
    ]
    law = SupportLaw(true_positive_rate="1/2", false_positive_rate="1/3")
    for counts in ([450, 420, 300], [600, 340, 200], [340, 335, 330], [360, 420, 410]):
        estimate = estimate_supports(counts, 1000, law, method="projected")
        raw = estimate.unbiased
        least = min(((point - raw) ** 2).sum() for point in grid)
        own = ((estimate.value - raw) ** 2).sum()
        assert least - 2e-2 <= own <= least + 1e-12


@settings(max_examples=30, deadline=None)
@given(st.lists(st.integers(0, 400), min_size=3, max_size=6).filter(any))
def test_the_most_likely_shares_are_those_of_the_channel(counts):
    k = len(counts)
    names = [f"answer {index}" for index in range(k)]
    truth = Fraction(2, 3)
    other = (1 - truth) / (k - 1)
    law = SupportLaw(
        true_positive_rate=truth, false_positive_rate=other, both_inside=0, both_outside=0
    )
    estimate = estimate_supports(counts, sum(counts), law, method="most likely", labels=names)
    channel = ak.KAry(truth=truth).channel(ak.Frame(names))
    climbed = ak.inference.most_likely(ak.Tally(channel, dict(zip(names, counts, strict=True))))
    assert estimate.value == pytest.approx(climbed.value, abs=1e-7)


def dirichlet_mean(counts, truth, prior):
    """The exact posterior mean of k-ary shares: mix over how many reports told the truth.

    Up to a constant a share π of c reports weighs (β + απ)^c, a mixture of Beta kernels π^z; the
    Dirichlet integral of all couples them through Γ(kα + Σz) alone, so that sums convolve.
    """
    from scipy.special import gammaln

    k = len(counts)
    base = (1 - truth) / (k - 1)
    slope = truth - base
    total = sum(counts)
    kernels = []
    for count in counts:
        z = np.arange(count + 1)
        log = gammaln(count + 1) - gammaln(z + 1) - gammaln(count - z + 1)
        log += z * np.log(slope / base / total) + gammaln(prior + z)
        kernels.append(log)
    sums = np.arange(total + 1)

    def convolved(parts):
        log = parts[0]
        for part in parts[1:]:
            peak = log.max() + part.max()
            log = np.log(np.convolve(np.exp(log - log.max()), np.exp(part - part.max())) + 1e-300)
            log += peak
        return log

    entire = convolved(kernels) - gammaln(k * prior + sums) + sums * np.log(total)
    means = []
    for index, count in enumerate(counts):
        risen = [*kernels]
        risen[index] = kernels[index] + np.log(prior + np.arange(count + 1))
        up = convolved(risen) - gammaln(k * prior + sums + 1) + sums * np.log(total)
        means.append(np.exp(up - entire.max()).sum() / np.exp(entire - entire.max()).sum())
    return np.array(means)


@pytest.mark.parametrize("prior", [0.5, 1.0, 2.0])
def test_the_posterior_mean_is_near_the_exact_one_and_nearer_with_more_reports(prior):
    truth = 0.6
    law = SupportLaw(
        true_positive_rate="3/5", false_positive_rate="1/10", both_inside=0, both_outside=0
    )
    separate = []
    for people in (50, 200, 800):
        counts = (np.array([0.4, 0.3, 0.1, 0.1, 0.1]) * people).astype(int).tolist()
        exact = dirichlet_mean(counts, truth, prior)
        assert exact.sum() == pytest.approx(1, abs=1e-9)
        estimate = estimate_supports(counts, people, law, method="posterior", prior=prior)
        separate.append(np.abs(estimate.value - exact).max() / estimate.se.max())
    assert separate[0] < 0.13
    assert separate[2] < 0.06
    assert separate[2] < separate[0]


def test_shrinking_gives_equal_shares_to_noise_and_leaves_what_is_known():
    law = SupportLaw(true_positive_rate="1/2", false_positive_rate="1/4")
    noise = np.random.default_rng(1).binomial(1000, 0.25 + 0.25 / 500, 500)
    far = np.abs(estimate_supports(noise, 1000, law).value - 1 / 500).max()
    near = np.abs(estimate_supports(noise, 1000, law, method="shrunk").value - 1 / 500).max()
    assert near < far / 10
    expected = [3 * 10**8, 4 * 10**8, 3 * 10**8]
    raw = estimate_supports(expected, 10**9, law)
    assert estimate_supports(expected, 10**9, law, method="shrunk").value == pytest.approx(
        raw.value, abs=1e-6
    )


def test_a_share_of_plain_answers_has_wilsons_interval():
    plain = SupportLaw(true_positive_rate=1, false_positive_rate=0, both_inside=0, both_outside=0)
    estimate = estimate_supports([0, 10], 10, plain)
    assert estimate.upper[0] == pytest.approx(0.277533, abs=1e-6)  # z²/(n + z²)
    assert estimate.lower[1] == pytest.approx(1 - 0.277533, abs=1e-6)
    assert estimate.above_noise.tolist() == [False, True]
    several = simultaneous_frequencies(estimate)
    assert several.upper[0] == pytest.approx(1 - 0.0125**0.1, abs=1e-9)  # α/(2k) is .0125


def test_counts_that_no_share_sends_do_not_feign_certainty():
    law = SupportLaw(true_positive_rate="1/2", false_positive_rate="1/4")
    estimate = estimate_supports([0, 10_000, 2500, 5000], 10_000, law)
    assert estimate.upper[0] >= estimate.upper[2]
    assert estimate.lower[1] <= estimate.lower[3]
    several = simultaneous_frequencies(estimate)
    assert several.upper[0] == pytest.approx(several.upper[2])
    assert several.lower[1] == pytest.approx(several.lower[3])


def test_discoveries_are_those_of_the_step_up_rule():
    from scipy.stats import binom

    law = SupportLaw(true_positive_rate="1/2", false_positive_rate="1/4")
    counts = np.array([260, 340, 249, 274, 301, 262, 250, 248, 290, 266])
    estimate = estimate_supports(counts, 1000, law)
    exact = binom.sf(counts - 1, 1000, 0.25)
    for dependence, price in (("positive", 1.0), ("any", (1 / np.arange(1, 11)).sum())):
        heavy_hitters = find_heavy_hitters(
            estimate, dependence=dependence, false_discovery_rate=0.1
        )
        assert heavy_hitters.p_values == pytest.approx(exact, rel=1e-9)
        ranked = np.sort(exact)
        passed = np.flatnonzero(ranked <= 0.1 * np.arange(1, 11) / (10 * price))
        bar = ranked[passed[-1]]
        assert heavy_hitters.selected.tolist() == (exact <= bar).tolist()
        assert heavy_hitters.labels == tuple(
            str(index) for index in np.argsort(-counts) if exact[index] <= bar
        )
    assert not find_heavy_hitters(estimate, threshold=0.9).selected.any()


def test_common_answers_are_told_from_those_below_the_noise():
    law = SupportLaw(true_positive_rate="1/2", false_positive_rate="1/4")
    estimate = estimate_supports([2500] * 30 + [4000], 10_000, law)
    text = repr(find_heavy_hitters(estimate))
    assert "below the noise: 30 answers" in text
    assert text.count("below the noise") == 20
    assert "the commonest 20 of 31 answers" in repr(estimate)
    assert "not told from a share of 0: 30 answers" in repr(estimate)
    assert repr(estimate).count("\n") == 23
    assert estimate._repr_html_().count("<tr>") == 21


@pytest.mark.long
def test_of_many_answers_none_is_above_the_noise_by_chance():
    law, n, k = SupportLaw(true_positive_rate="1/2", false_positive_rate="1/4"), 10_000, 100_000
    counts = np.random.default_rng(7).binomial(n, 0.25, k)
    noise = estimate_supports(counts, n, law)
    assert (noise.lower > 0).sum() > 2_000  # one interval in forty leaves out 0
    assert not noise.above_noise.any()
    assert f"not told from a share of 0: {k:,} answers (false-discovery rate 5 %)" in repr(noise)
    assert "yes" not in repr(noise)
    counts[77] = n * (0.25 + 0.25 * 0.2)
    planted = estimate_supports(counts, n, law)
    assert np.flatnonzero(planted.above_noise).tolist() == [77]
    assert planted.to_frame()["above_noise"].sum() == sum(planted.to_dict()["above_noise"]) == 1
    assert repr(planted).count("yes") == 1


def test_what_is_above_the_noise_is_wrong_as_rarely_as_is_said():
    law, n, dice = (
        SupportLaw(true_positive_rate="1/2", false_positive_rate="1/4"),
        10_000,
        np.random.default_rng(8),
    )
    wrong, result = [], 0
    for _ in range(200):
        counts = dice.binomial(n, np.repeat([0.25, 0.27], [400, 100]))
        above = estimate_supports(counts, n, law, level=0.5).above_noise
        wrong.append(above[:400].sum() / max(above.sum(), 1))
        result += above[400:].sum()
    assert 0.02 < np.mean(wrong) < 0.5 * 400 / 500 / 6.79 + 0.01  # 1 + ½ + … + 1/500 is 6.79
    assert result > 200 * 90


def test_without_a_report_nothing_is_learnt():
    law = SupportLaw(
        true_positive_rate="1/2", false_positive_rate="1/4", both_inside="1/8", both_outside="1/16"
    )
    estimate = estimate_supports([0, 0, 0], 0, law, method="posterior")
    assert np.isnan(estimate.value).all()
    assert np.isnan(estimate.se).all()
    assert (estimate.lower.tolist(), estimate.upper.tolist()) == ([0] * 3, [1] * 3)
    assert not estimate.above_noise.any()
    assert simultaneous_frequencies(estimate).upper.tolist() == [1] * 3
    json.dumps(estimate.to_dict(), allow_nan=False)
    assert repr(estimate)
    with pytest.raises(InputError, match="no report"):
        find_heavy_hitters(estimate)
    with pytest.raises(InputError, match="no report"):
        _ = estimate.covariance


UNARY = {"true_positive_rate": "1/2", "false_positive_rate": "1/4"}


@pytest.mark.parametrize(
    ("counts", "reports", "more", "message"),
    [
        ([1, 11], 10, {}, r"counts\[1\]: got 11.0; allowed: a whole number in \[0, 10\]"),
        ([1, -1], 10, {}, r"counts\[1\]"),
        ([1.5, 1], 10, {}, r"counts\[0\]"),
        ([1, float("nan")], 10, {}, r"counts\[1\]"),
        ([1, float("inf")], 10, {}, r"counts\[1\]"),
        ([1], 10, {}, "shape"),
        ([[1, 2]], 10, {}, "shape"),
        ([1, 2], -1, {}, "reports"),
        ([1, 2], 10, {"labels": ["a"]}, "labels"),
        ([1, 2], 10, {"prior": 1.0}, 'unless method="posterior"'),
        ([1, 2], 10, {"method": "posterior", "prior": 2.5}, r"\(0, 2\]"),
        ([1, 2], 10, {"method": "most likely"}, "k-ary response"),
        ([1, 2], 10, {"method": "best"}, "method"),
        ([1, 2], 10, {"level": 1.0}, "level"),
    ],
)
def test_what_cannot_be_is_refused(counts, reports, more, message):
    with pytest.raises(InputError, match=message):
        estimate_supports(counts, reports, SupportLaw(**UNARY), **more)


def test_most_likely_shares_need_all_reports():
    law = SupportLaw(
        true_positive_rate="1/2", false_positive_rate="1/4", both_inside=0, both_outside=0
    )
    with pytest.raises(InputError, match="a sum of 9"):
        estimate_supports([3, 3, 3], 10, law, method="most likely")


@pytest.mark.parametrize(
    ("chances", "message"),
    [
        (
            {"true_positive_rate": "1/4", "false_positive_rate": "1/2"},
            "true_positive_rate above false_positive_rate",
        ),
        ({"true_positive_rate": 2, "false_positive_rate": 0}, "true_positive_rate"),
        ({"true_positive_rate": None, "false_positive_rate": 0}, "true_positive_rate"),
        ({**UNARY, "both_inside": "1/3"}, "both_inside"),
        ({**UNARY, "both_outside": "1/3"}, "both_outside"),
        (
            {"true_positive_rate": 1, "false_positive_rate": "3/4", "both_outside": "1/4"},
            "both_outside",
        ),
    ],
)
def test_a_law_that_cannot_be_is_refused(chances, message):
    with pytest.raises(InputError, match=message):
        SupportLaw(**chances)


def test_a_set_that_says_nothing_is_refused():
    with pytest.raises(NotIdentified, match="distinguishes the answers"):
        SupportLaw(true_positive_rate="1/2", false_positive_rate=0.5)


def test_pairs_that_are_not_alike_have_no_covariance():
    result = estimate_supports([40, 30, 30], 100, SupportLaw(**UNARY)).covariance
    assert result.diagonal().shape == (3,)
    for ask in (lambda: result @ [1, 0, 0], lambda: result.variance([1, 0, 0]), result.toarray):
        with pytest.raises(InputError, match="both_outside"):
            ask()


def test_weights_of_another_length_are_refused():
    law = SupportLaw(**UNARY, both_inside="1/8", both_outside="1/16")
    result = estimate_supports([40, 30, 30], 100, law).covariance
    for ask in (lambda: result @ [1, 0], lambda: result.variance([[1, 0, 0]])):
        with pytest.raises(InputError, match="3 weights"):
            ask()


@pytest.mark.long
def test_a_million_answers_keep_no_square():
    k, law = 10**6, SupportLaw(**UNARY, both_inside="1/8", both_outside="1/16")
    estimate = estimate_supports(np.full(k, 260), 1000, law, method="projected")
    assert estimate.covariance.variance(np.eye(1, k)[0]) == pytest.approx(estimate.se[0] ** 2)
    with pytest.raises(InputError, match="1,000,000 answers"):
        estimate.covariance.toarray()


def test_results_cross_processes_and_become_frames():
    law = SupportLaw(**UNARY)
    estimate = estimate_supports([40, 30, 30], 100, law, labels=["tea", "milk", "wine"])
    again = pickle.loads(pickle.dumps(estimate))
    assert again.to_dict() == estimate.to_dict()
    json.dumps(estimate.to_dict(), allow_nan=False)
    json.dumps(find_heavy_hitters(estimate).to_dict(), allow_nan=False)
    json.dumps(simultaneous_frequencies(estimate).to_dict(), allow_nan=False)
    frame = estimate.to_frame().set_index("answer")
    assert frame.loc["tea", "value"] == pytest.approx(0.6)
    with pytest.raises(ValueError, match="read-only"):
        estimate.counts[0] = 3


def test_the_commonest_are_drawn():
    import matplotlib as mpl

    mpl.use("agg")
    estimate = estimate_supports([40, 30, 30] * 10, 100, SupportLaw(**UNARY))
    axes = find_heavy_hitters(estimate).plot()
    assert len(axes.get_yticks()) == 20


@pytest.mark.parametrize("reports", [10**3, 10**6, 10**9])
def test_simultaneous_intervals_are_exact_for_rare_answers_of_many_reports(reports):
    """SciPy's own inverse is off by a factor of two there."""
    from scipy.stats import binom

    counts = [0, 1, 10, 100, 1000]
    estimate = estimate_supports(
        counts, reports, SupportLaw(true_positive_rate=1, false_positive_rate=0)
    )
    ends = simultaneous_frequencies(estimate, 0.9)
    tail = 0.1 / 10
    assert binom.sf(np.array(counts)[1:] - 1, reports, ends.lower[1:]) == pytest.approx(
        np.full(4, tail), rel=1e-6
    )
    inside = ends.upper < 1
    assert binom.cdf(np.array(counts)[inside], reports, ends.upper[inside]) == pytest.approx(
        np.full(inside.sum(), tail), rel=1e-6
    )


ORACLES = {
    "unary": ak.mechanisms.UnaryEncoding.at_epsilon(2),
    "subset": ak.mechanisms.SubsetSelection.at_epsilon(2),
    "hadamard": ak.mechanisms.HadamardResponse.at_epsilon(2),
    "projective": ak.mechanisms.ProjectiveGeometry.at_epsilon(2),
    "hash": ak.mechanisms.LocalHashing.at_epsilon(2),
    "k-ary": ak.KAry.at_epsilon(4),
}


@pytest.mark.long
@pytest.mark.parametrize("oracle", ORACLES)
def test_reports_of_every_oracle_estimate_back(oracle):
    k, people = 70, 100_000
    shares = np.arange(k, 0, -1) / np.arange(k + 1).sum()
    q = ORACLES[oracle].channel(ak.Frame([f"answer {position}" for position in range(k)]))
    column = np.repeat(q.frame.answers, np.round(people * shares).astype(int))
    tally = ak.tally(q, ak.privatise(q, column, rng=1, name="said"))
    result = estimate_frequencies(tally)
    assert result.reports == len(column)
    assert result.labels == q.frame.answers
    missed = (result.value - shares) / result.se
    assert np.abs(missed).max() < 5
    assert 0.6 < (missed**2).mean() < 1.5
    if oracle != "k-ary":
        assert ak.estimate(tally).to_dict() == result.to_dict()
    projected = estimate_frequencies(tally, method="projected")
    assert projected.value.sum() == pytest.approx(1)


def test_k_ary_tallies_are_read_from_matrix_table_and_rule_alike():
    counts = {"a": 500, "b": 300, "c": 200}
    frame = ak.Frame(list(counts))
    exact = ak.KAry(truth="3/5").channel(frame)
    named = {"third": ["c"], "first": ["a"], "second": ["b"]}
    rows = [[0.2, 0.6, 0.2], [0.2, 0.2, 0.6], [0.6, 0.2, 0.2]]
    doubles = ak.Channel(frame, named, rows)
    mapping = dict(zip(named, (200, 500, 300), strict=True))
    item = estimate_frequencies(ak.Tally(exact, counts), method="most likely")
    other = estimate_frequencies(ak.Tally(doubles, mapping), method="most likely")
    assert item.law == other.law
    assert item.to_dict() == other.to_dict()
    assert item.value == pytest.approx(ak.estimate(ak.Tally(exact, counts)).value, abs=1e-9)


def test_k_ary_response_over_ten_thousand_answers_needs_no_matrix():
    q = ak.KAry(truth="1/2").channel(ak.Frame([str(index) for index in range(10_000)]))
    tally = ak.Tally(q, {"7": 60, "9": 40})
    assert estimate_frequencies(tally, method="most likely").value[7] == pytest.approx(
        0.6, abs=1e-3
    )
    with pytest.raises(InputError, match="estimate_frequencies"):
        ak.estimate(tally)


def test_tallies_that_tell_no_supports_are_refused():
    frame = ak.Frame(["a", "b", "c"])
    uneven = ak.Channel(
        frame, {"x": ["a"], "y": ["b"], "z": ["c"]}, [[0.8, 0.1, 0.1], [0.3, 0.4, 0.3], [0, 0, 1]]
    )
    with pytest.raises(InputError, match=r"ak\.estimate"):
        estimate_frequencies(ak.Tally(uneven, {"x": 3}))


@pytest.mark.parametrize("oracle", sorted(set(ORACLES) - {"hash"}))
def test_the_law_of_every_oracle_is_that_of_all_its_sets(oracle):
    """Those of local hashing, one for each seed and cell, are too many to write."""
    k = 5
    q = ORACLES[oracle].channel(ak.Frame([f"answer {index}" for index in range(k)]))
    sets, rows = (q.meanings, q.matrix) if q.oracle is None else q.oracle.written()
    holds = np.array([[item >> index & 1 for index in range(k)] for item in sets])
    shares = np.arange(1, k + 1) / 15
    pairs = holds.T @ ((shares @ np.array(rows, dtype=float))[:, None] * holds)
    named = np.diag(pairs)
    if q.oracle is None:
        law = estimate_frequencies(ak.Tally(q, {"answer 0": 1})).law
    else:
        oracle = q.oracle
        pair = {"both_inside": oracle.both_inside, "both_outside": oracle.both_outside}
        law = SupportLaw(
            true_positive_rate=oracle.true_positive_rate,
            false_positive_rate=oracle.false_positive_rate,
            **pair,
        )
    covariance = FrequencyCovariance(law=law, shares=shares, reports=1)
    exact = (pairs - np.outer(named, named)) / float(law.gain) ** 2
    assert law.named(shares) == pytest.approx(named, abs=1e-12)
    assert covariance.diagonal() == pytest.approx(np.diag(exact), rel=1e-12)
    if law.both_outside is not None:
        assert covariance.toarray() == pytest.approx(exact, abs=1e-10)
