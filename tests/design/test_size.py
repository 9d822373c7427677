"""How many people: against textbooks, full enumeration and laws."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.special import ndtr, ndtri
from scipy.stats import binom, multinomial

from askance import Abstain, Channel, Cuts, Frame, KAry, Line, Tally, Warner, estimate
from askance.channels import RangeChannel, RingChannel
from askance.design import (
    effective_sample_size,
    expected_half_width,
    line_half_width,
    power,
    sample_size,
)
from askance_collect.errors import InputError, NotIdentified
from askance_collect.exact import Floor

YES_NO = Frame(["yes", "no"])
PLAIN = Warner(truth=1).channel(YES_NO)
FORCED = Warner(truth="5/6").channel(YES_NO)
"""Truth with chance 2/3, otherwise a forced "yes" or "no" with 1/6 each."""
SILENT = Abstain(truth=0.6, lie=0.1).channel(YES_NO)
Z = float(ndtri(0.975))

SHARES = st.floats(0.02, 0.98)
TRUTHS = st.floats(0.6, 1.0)


def normal_power(channel, n, true, null, alpha):
    """Φ((|π − π₀| − z √V(π₀)) / √V(π)), with V from the effective sample size."""
    spreads = [
        math.sqrt(index * (1 - index) / effective_sample_size(channel, n, prevalence=index))
        for index in (null, true)
    ]
    return ndtr((abs(true - null) + ndtri(alpha) * spreads[0]) / spreads[1])


@pytest.mark.parametrize(
    ("channel", "question", "short", "enough"),
    [
        (FORCED, (0.2, 0.1, 0.8, 1), 256, 264),
        (Warner(truth="0.85").channel(YES_NO), (0.15, 0.1, 0.9, 2), 1_481, 1_534),
        (Warner(truth="0.7").channel(YES_NO), (0.15, 0.1, 0.9, 2), 5_755, 5_957),
    ],
    ids=["forced response", "unrelated question", "mirrored question"],
)
def test_a_search_that_stops_near_the_power_stops_too_early(channel, question, short, enough):
    """One that stops within .01 of it, as an R package's does, stops at the first of the sizes.

    An unrelated question, asked of three in ten and answered yes by half, is Warner's with .85.
    """
    share, null, chance, sides = question
    size = sample_size(channel, prevalence=share, null_prevalence=null, power=chance, sides=sides)
    powers = {
        n: normal_power(channel, n, share, null, 0.05 / sides)
        for n in (short - 1, short, enough - 1, enough)
    }
    assert powers[short - 1] < chance - 0.01 <= powers[short] < chance
    assert size.approximate == enough
    assert powers[enough - 1] < chance <= powers[enough]


@pytest.mark.long
def test_the_exact_test_takes_more_than_the_normal_law_says():
    """At 264 the test that never errs more than one time in twenty has a power of .777."""
    size = sample_size(FORCED, prevalence=0.2, null_prevalence=0.1, sides=1)
    assert (size.approximate, size.reports, size.exact) == (264, 291, True)
    chances = [_binomial_power(n, 1 / 6 + 2 / 3 * 0.1, 1 / 6 + 2 / 3 * 0.2) for n in (264, 290)]
    assert round(chances[0], 3) == 0.777
    assert chances[1] < 0.8
    assert all(
        _binomial_power(n, 1 / 6 + 2 / 3 * 0.1, 1 / 6 + 2 / 3 * 0.2) >= 0.8 for n in range(291, 400)
    )


def _binomial_power(n, null, true, alpha=0.05):
    least = next(c for c in range(n + 2) if binom.sf(c - 1, n, null) <= alpha)
    return binom.sf(least - 1, n, true)


@pytest.mark.long
@given(SHARES, SHARES, TRUTHS, st.sampled_from([0.5, 0.8, 0.9, 0.99]), st.sampled_from([1, 2]))
@settings(max_examples=60, deadline=None)
def test_the_normal_size_is_the_least_that_reaches_the_power(true, null, truth, chance, sides):
    if abs(true - null) < 0.01:
        return
    channel = Warner(truth=truth).channel(YES_NO)
    size = sample_size(channel, prevalence=true, null_prevalence=null, power=chance, sides=sides)
    n, alpha = size.approximate, 0.05 / sides
    assert normal_power(channel, n, true, null, alpha) >= chance - 1e-9
    assert n == 1 or normal_power(channel, n - 1, true, null, alpha) < chance + 1e-9


@pytest.mark.parametrize(("true", "null"), [(0.3, 0.1), (0.1, 0.4)])
def test_power_with_silence_is_the_sum_over_all_counts(true, null):
    """Given N reports that name an answer, the exact binomial test; N is binomial."""
    n, slope, base = 25, 5 / 7, 1 / 7
    total = 0.0
    for index in range(n + 1):
        first, second = base + slope * null, base + slope * true
        if second < first:
            first, second = 1 - first, 1 - second
        total += binom.pmf(index, n, 0.7) * _binomial_power(index, first, second)
    assert power(SILENT, n, prevalence=true, null_prevalence=null, sides=1) == pytest.approx(
        total, 1e-10
    )


def test_reports_that_tell_alike_are_one_report():
    """A report split in two halves has no other power."""
    channel = Channel(YES_NO, {"yes": ["yes"], "no": ["no"]}, [[0.6, 0.4], [0.4, 0.6]])
    halves = {"yes": ["yes"], "oh yes": ["yes"], "no": ["no"]}
    split = Channel(YES_NO, halves, [[0.3, 0.3, 0.4], [0.2, 0.2, 0.6]])
    for n in (1, 7, 30):
        expected = power(channel, n, prevalence=0.9, null_prevalence=0.1)
        assert power(split, n, prevalence=0.9, null_prevalence=0.1) == pytest.approx(
            expected, abs=1e-12
        )


@pytest.mark.parametrize("n", [3, 4, 9, 16])
def test_counts_with_one_likelihood_ratio_stay_together(n):
    """With ratios 4, 2 and 1/4 of three reports (0, 4, 0) weighs as much as (3, 0, 1)."""
    null = np.array([0.1, 3 / 14, 9.6 / 14])
    true = null * [4, 2, 1 / 4]
    rows = [(9 * true - null) / 8, (9 * null - true) / 8]
    channel = Channel(YES_NO, {"a": ["yes"], "b": ["yes"], "c": ["no"]}, rows)
    errs, finds = {}, {}
    for a in range(n + 1):
        for b in range(n + 1 - a):
            variant, weight = (a, b, n - a - b), 2 * a + b - 2 * (n - a - b)
            errs[weight] = errs.get(weight, 0) + multinomial.pmf(variant, n, null)
            finds[weight] = finds.get(weight, 0) + multinomial.pmf(variant, n, true)
    ranked = sorted(errs, reverse=True)
    allowed = np.cumsum([errs[weight] for weight in ranked]) <= 0.05
    expected = sum(finds[weight] for weight, may in zip(ranked, allowed, strict=True) if may)
    power_result = power(channel, n, prevalence=0.9, null_prevalence=0.1, sides=1)
    assert power_result == pytest.approx(expected, abs=1e-9)


def test_three_reports_are_gone_through_one_by_one():
    reports = {"yes": ["yes"], "maybe": ["yes", "no"], "no": ["no"]}
    channel = Channel(YES_NO, reports, [[0.55, 0.35, 0.1], [0.2, 0.3, 0.5]])
    null, true = (np.array([share, 1 - share]) @ channel.matrix for share in (0.2, 0.8))
    ways = [(a, b, 8 - a - b) for a in range(9) for b in range(9 - a)]
    ranked = sorted(
        (
            (multinomial.pmf(variant, 8, true), multinomial.pmf(variant, 8, null))
            for variant in ways
        ),
        key=lambda pair: -pair[0] / pair[1],
    )
    errs = np.cumsum([pair[1] for pair in ranked])
    finds = np.cumsum([pair[0] for pair in ranked])
    expected = finds[np.flatnonzero(errs <= 0.05)[-1]]
    assert power(channel, 8, prevalence=0.8, null_prevalence=0.2, sides=1) == pytest.approx(
        expected, 1e-9
    )


@pytest.mark.long
@pytest.mark.parametrize("channel", [PLAIN, FORCED, SILENT])
def test_the_exact_test_never_errs_more_than_it_may(channel):
    for n in range(1, 200):
        assert (
            power(channel, n, prevalence=0.3 + 1e-12, null_prevalence=0.3, sides=1) <= 0.05 + 1e-9
        )


def wilson(x, n):
    centre, spread = (x + Z * Z / 2) / (n + Z * Z), np.sqrt(x * (n - x) / n + Z * Z / 4)
    reach = Z * spread / (n + Z * Z)
    return np.clip(centre - reach, 0, 1), np.clip(centre + reach, 0, 1)


@pytest.mark.parametrize(
    ("channel", "base", "slope", "share"),
    [(FORCED, 1 / 6, 2 / 3, 1.0), (SILENT, 1 / 7, 5 / 7, 0.7), (PLAIN, 0.0, 1.0, 1.0)],
)
def test_the_mean_half_width_is_the_sum_over_all_counts(channel, base, slope, share):
    n, chance, total = 30, base + slope * 0.3, 0.0
    for index in range(n + 1):
        weight = binom.pmf(index, n, share)
        if index == 0:
            total += weight / 2 / slope
            continue
        counts = np.arange(index + 1)
        low, high = wilson(counts, index)
        widths = (high - low) / 2 / slope
        total += weight * binom.pmf(counts, index, chance) @ widths
    assert expected_half_width(channel, n, prevalence=0.3) == pytest.approx(total, rel=1e-10)


@pytest.mark.long
def test_intervals_of_simulated_reports_are_as_wide_as_planned():
    result = sample_size(SILENT, prevalence=0.4, half_width=0.05)
    rng = np.random.default_rng(5)
    chances = np.array([0.4, 0.6]) @ SILENT.matrix
    multinomial_result = rng.multinomial(result.reports, chances, size=200)
    ends = [
        estimate(Tally(SILENT, dict(zip(SILENT.reports, n, strict=True))))
        for n in multinomial_result
    ]
    mean = np.mean([(end.upper[0] - end.lower[0]) / 2 for end in ends])
    assert mean == pytest.approx(0.05, rel=0.005)


@pytest.mark.long
@given(SHARES, TRUTHS, st.integers(1, 300), st.integers(1, 100))
@settings(max_examples=80, deadline=None)
def test_more_people_never_widen(share, truth, n, more):
    channel = Warner(truth=truth).channel(YES_NO)
    few, many = (expected_half_width(channel, index, prevalence=share) for index in (n, n + more))
    assert many <= few + 1e-12


@given(st.floats(0.3, 4), st.floats(0.1, 3), SHARES, st.floats(0.02, 0.2))
@settings(max_examples=30, deadline=None)
@pytest.mark.long
def test_a_larger_loss_never_needs_more_reports(epsilon, more, share, width):
    few, many = (
        sample_size(
            Warner.at_epsilon(loss).channel(YES_NO), prevalence=share, half_width=width
        ).approximate
        for loss in (epsilon + more, epsilon)
    )
    assert few <= many


@given(SHARES, st.floats(0.01, 0.2), st.integers(500, 100_000))
@settings(max_examples=60, deadline=None)
def test_a_plain_survey_of_a_finite_population_is_cochrans(share, width, population):
    size = sample_size(PLAIN, prevalence=share, half_width=width, population=population)
    endless = share * (1 - share) * (Z / width) ** 2
    assert size.reports == max(math.ceil(endless / (1 + (endless - 1) / population) - 1e-9), 1)


def test_asking_everyone_leaves_the_noise():
    """Only what sampling leaves open shrinks: of 1,000 people, Warner's noise stays."""
    warner = Warner(truth=0.75).channel(YES_NO)
    with pytest.raises(InputError, match=r"at least 0\.0536\d in a population of 1,000") as caught:
        sample_size(warner, half_width=0.02, population=1_000)
    least = Z * math.sqrt((0.25 / 0.5**2 - 0.25) / 1_000)
    assert f"{math.ceil(1e5 * least) / 1e5:g}" in str(caught.value)
    size = sample_size(warner, half_width=0.0537, population=1_000)
    assert 990 < size.reports <= 1_000


def test_half_widths_of_many_answers_come_from_the_information():
    channel = KAry.at_epsilon(2).channel(Frame(["a", "b", "c", "d"]))
    size = sample_size(channel, prevalence=[0.1, 0.2, 0.3, 0.4], half_width=0.03)
    assert not size.exact
    truth, other = channel.matrix[0, :2]
    chance = other + (truth - other) * 0.4
    variance = chance * (1 - chance) / (truth - other) ** 2
    assert size.reports == math.ceil(variance * (Z / 0.03) ** 2)


def test_what_is_too_much_to_go_through_is_told_by_the_normal_law():
    """Three answers are not, nor three reports of more than a few hundred people."""
    three = KAry.at_epsilon(2).channel(Frame(["a", "b", "c"]))
    truth, other = three.matrix[0, :2]
    chance = (truth + 2 * other) / 3
    error = math.sqrt(chance * (1 - chance) / 400) / (truth - other)
    assert expected_half_width(three, 400) == pytest.approx(Z * error)
    assert expected_half_width(three, 1) == 0.5
    reports = {"yes": ["yes"], "maybe": ["yes", "no"], "no": ["no"]}
    channel = Channel(YES_NO, reports, [[0.55, 0.35, 0.1], [0.2, 0.3, 0.5]])
    size = sample_size(channel, prevalence=0.5, null_prevalence=0.45)
    short, enough = (
        normal_power(channel, size.reports - less, 0.5, 0.45, 0.025) for less in (1, 0)
    )
    assert not size.exact
    assert short < 0.8 <= enough == pytest.approx(size.attained, rel=1e-12)


def test_a_handful_of_people_is_gone_through_too():
    size = sample_size(PLAIN, prevalence=0.99, null_prevalence=0.01, sides=1)
    assert (size.reports, size.exact) == (1, True)
    assert size.attained == pytest.approx(0.99)
    assert expected_half_width(PLAIN, 1) <= 0.4 < 0.45
    assert [sample_size(PLAIN, half_width=h).reports for h in (0.45, 0.35)] == [1, 3]


@pytest.mark.parametrize(
    ("true", "null", "chance", "near"),
    [(0.02, 0.001, 0.5, 8), (0.3, 0.01, 0.5, 1), (0.02, 0.002, 0.9, 198)],
)
@pytest.mark.long
def test_the_search_widens_until_it_holds_the_last_that_falls_short(true, null, chance, near):
    """A rare answer makes the normal law miss by far: it says 8 where it takes over 30."""
    size = sample_size(PLAIN, prevalence=true, null_prevalence=null, power=chance, sides=1)
    reached = [_binomial_power(n, null, true) >= chance for n in range(1, 600)]
    least = len(reached) - reached[::-1].index(False) + 1
    assert (size.approximate, size.reports) == (near, least)


def test_half_of_a_population_is_drawn_without_replacement():
    width = Z * math.sqrt((0.25 * 51 / 100 + 0.75) / 50)
    warner = Warner(truth=0.75).channel(YES_NO)
    size = sample_size(warner, half_width=width * (1 + 1e-9), population=101)
    assert size.reports == 50
    assert size.attained == pytest.approx(width)


def test_a_line_is_planned_by_its_mean():
    ranges = Cuts(number=1).channel(Line(0, 50, 1, "years"))
    size = sample_size(ranges, half_width=1.5)
    assert line_half_width(ranges, size.reports) <= 1.5 < line_half_width(ranges, size.reports - 1)
    assert "years" in size.aim
    assert size.attained == pytest.approx(1.5, abs=0.01)
    assert effective_sample_size(ranges, size.reports) == pytest.approx(
        size.reports / size.design_effect
    )
    with pytest.raises(InputError, match=r"0\.5, 25"):
        sample_size(ranges, half_width=0.5)


LINE = Line(0, 8, 1)
LAWS = {
    "two cuts": RangeChannel(LINE, [1, 2, 1, 3, 1, 0, 1], 2),
    "passed over": RangeChannel(LINE, [1] * 7, 2, floor=Floor([1] * 8, 2)),
    "withheld": RangeChannel(LINE, [1] * 7, 2, floor=Floor([1] * 8, 2), withhold=True),
    "part exact": RangeChannel(LINE, [1] * 7, open=[(2, 5)]),
}


@pytest.mark.parametrize("name", LAWS)
def test_every_law_of_ranges_is_planned(name):
    """The variance is that of the likelihood's curvature, differenced over the pieces' shares."""
    channel, shares = LAWS[name], np.arange(1.0, 9) / 36
    ends = np.array([0, *channel.cut_ticks(), 8])
    reduceat_result = np.add.reduceat(shares, ends[:-1])
    cells, chances = channel.cells()

    def sent(pieces):
        inner = np.repeat(pieces / reduceat_result, np.diff(ends)) * shares
        law = channel.range_probabilities(cells, inner) * chances
        return law / law.sum()

    assert sent(reduceat_result).sum() == pytest.approx(1)
    moves = np.eye(len(reduceat_result))[:-1] - np.eye(len(reduceat_result))[-1]
    slope = np.array(
        [(sent(reduceat_result + 1e-6 * move) - sent(reduceat_result)) / 1e-6 for move in moves]
    )
    covariance = np.linalg.inv((slope / sent(reduceat_result)) @ slope.T)
    bound = [moves @ numbers for numbers in (ends[:-1], ends[1:])]
    expected = max(shift @ covariance @ shift for shift in bound)
    widths = np.diff(ends)
    even, reference = np.average(widths, weights=widths), widths @ reduceat_result
    size = sample_size(channel, prevalence=shares, half_width=even / 2 + 0.5)
    assert ((size.attained - reference / 2) / Z) ** 2 * size.reports == pytest.approx(
        expected, rel=1e-4
    )
    assert size.reports >= size.effective_sample_size > 0
    assert effective_sample_size(channel, size.reports, prevalence=shares) == pytest.approx(
        size.effective_sample_size, abs=1
    )


def test_what_no_report_divides_counts_by_the_people_in_it():
    """One cut after the first step: who is above it is known within nine steps."""
    channel = RangeChannel(Line(0, 10, 1), [1, *[0] * 8])
    shares = [0.9, *[0.1 / 9] * 9]
    assert line_half_width(channel, 10**18) == pytest.approx((1 + 9 * 9) / 10 / 2)
    with pytest.raises(InputError, match=r"a number in \(0\.9\d*, 5\)"):
        sample_size(channel, prevalence=shares, half_width=0.9)
    assert sample_size(channel, prevalence=shares, half_width=1).attained <= 1
    with pytest.raises(InputError, match=r"a number in \(4\.1\d*, 5\)"):
        sample_size(channel, half_width=1)


def test_a_long_line_is_planned():
    long = Line(0, 400, 1)
    assert sample_size(RangeChannel(long, [1] * 399), half_width=20).reports > 100
    assert sample_size(RangeChannel(long, [1] * 399, open=[(20, 40)]), half_width=20).reports > 100
    with pytest.raises(InputError, match="line"):
        sample_size(LAWS["withheld"], null_prevalence=0.1)


def test_a_ring_joins_both_ends_of_the_line():
    ring = RingChannel(LINE, [1] * 7, Floor([1] * 8, 2))
    assert line_half_width(ring, 10**18) == pytest.approx((6 * 1 + 2 * 8) / 8 / 2)
    size = sample_size(ring, half_width=2)
    assert line_half_width(ring, size.reports) <= 2 < line_half_width(ring, size.reports - 1)
    with pytest.raises(InputError, match=r"1\.375, 4"):
        sample_size(ring, half_width=1.375)
    with pytest.raises(NotIdentified, match="two pieces"):
        sample_size(RingChannel(Line(0, 6, 1), [1] * 5, Floor([1] * 6, 3)), half_width=2.9)


def test_those_whose_ranges_are_withheld_are_asked_for():
    size = sample_size(LAWS["withheld"], half_width=1, blank="1/2")
    average = LAWS["withheld"].inclusion_probability().mean()
    assert size.people == pytest.approx(2 * size.reports / average, abs=1)


def test_those_who_say_nothing_are_asked_for():
    bare = sample_size(FORCED, prevalence=0.1, half_width=0.05)
    size = sample_size(FORCED, prevalence=0.1, half_width=0.05, response="3/5", blank="1/20")
    assert size.reports == bare.reports
    assert size.people == math.ceil(bare.reports / 0.57)
    with pytest.raises(InputError, match="allows 570 reports"):
        sample_size(FORCED, half_width=0.05, response=0.6, blank=0.05, population=1_000)


def test_a_result_is_a_table_and_json():
    size = sample_size(FORCED, prevalence=0.1, half_width=0.05)
    assert "people to ask" in repr(size)
    assert "<table>" in size._repr_html_()
    assert size.to_dict()["reports"] == size.reports
    assert size.effective_sample_size == math.ceil(
        effective_sample_size(FORCED, size.reports, prevalence=0.1)
    )


@pytest.mark.parametrize(
    ("given", "told"),
    [
        ({"prevalence": 0, "half_width": 0.1}, "strictly between 0 and 1"),
        ({"prevalence": 1, "half_width": 0.1}, "strictly between 0 and 1"),
        ({"prevalence": [0.2, 0.9], "half_width": 0.1}, "strictly between"),
        ({"half_width": 0}, "a number in \\(0, 0.5\\)"),
        ({"half_width": 0.5}, "a number in \\(0, 0.5\\)"),
        ({"half_width": float("nan")}, "a number in"),
        ({"half_width": 0.1, "level": 1}, "level"),
        ({"half_width": 0.1, "population": 1}, "population"),
        ({"half_width": 0.1, "response": 0}, "response"),
        ({"half_width": 0.1, "blank": 1}, "blank"),
        ({}, "either half_width or null_prevalence"),
        ({"half_width": 0.1, "null_prevalence": 0.3}, "either half_width or null_prevalence"),
        ({"prevalence": 0.3, "null_prevalence": 0.3}, "another share"),
        ({"prevalence": 0.3, "null_prevalence": 0}, "strictly between"),
        ({"prevalence": 0.3, "null_prevalence": 0.2, "power": 1}, "power"),
        ({"prevalence": 0.3, "null_prevalence": 0.2, "sides": 3}, "1 or 2"),
        ({"prevalence": 0.3, "null_prevalence": 0.29, "population": 500}, "at most 0.0"),
    ],
)
def test_what_cannot_be_is_refused(given, told):
    with pytest.raises(InputError, match=told):
        sample_size(FORCED, **given)


def test_the_shape_of_the_question_matters():
    three = KAry(truth=0.7).channel(Frame(["a", "b", "c"]))
    with pytest.raises(InputError, match="two answers"):
        sample_size(three, null_prevalence=0.1)
    with pytest.raises(InputError, match="one share for 3 answers"):
        sample_size(three, prevalence=0.2, half_width=0.1)
    with pytest.raises(InputError, match="above 0"):
        sample_size(three, prevalence=[0.5, 0.5, 0], half_width=0.1)
    with pytest.raises(InputError, match="line"):
        sample_size(Cuts().channel(Line(0, 5)), null_prevalence=0.1)
    with pytest.raises(InputError, match="two or more answers"):
        sample_size(Channel(Frame(["only"]), {"only": ["only"]}, [[1]]), half_width=0.1)
    with pytest.raises(NotIdentified):
        sample_size(Warner(truth="1/2").channel(YES_NO), half_width=0.1)


@pytest.mark.parametrize("wrong", [0, 1, 1.2, math.nan, "half"])
def test_an_alternative_that_is_no_share_is_refused_by_its_name(wrong):
    with pytest.raises(InputError, match=r"^null_prevalence: "):
        sample_size(Warner(truth="3/4").channel(YES_NO), prevalence=0.2, null_prevalence=wrong)


@pytest.mark.parametrize("wrong", [0, -1, math.nan, "many", None])
def test_numbers_of_reports_are_checked(wrong):
    q = Warner(truth="3/4").channel(YES_NO)
    for ask in (power_at, expected_half_width, effective_sample_size):
        with pytest.raises(InputError, match=r"^n: "):
            ask(q, wrong)


@pytest.mark.parametrize("wrong", [0, 1, math.nan, "most", None])
def test_levels_are_checked(wrong):
    q = Warner(truth="3/4").channel(YES_NO)
    for more in ({"half_width": 0.1}, {"null_prevalence": 0.1}):
        with pytest.raises(InputError, match=r"^level: "):
            sample_size(q, prevalence=0.2, level=wrong, **more)


def power_at(channel, n):
    return power(channel, n, prevalence=0.2, null_prevalence=0.1)
