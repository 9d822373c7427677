"""Whether reports can have been drawn by their channel: exact sizes, and what is found."""

from itertools import product
from math import comb, exp, log, prod

import numpy as np
import pytest

import askance as ak
from askance.inference import GoodnessOfFit
from askance.inference.range_tests import range_fit
from askance_collect.errors import InputError
from askance_collect.exact import Floor

YES_NO = ak.Frame(["yes", "no"])
LEVELS = (0.5, 0.1, 0.01, 0.001)
WARNER = ak.Warner(truth="3/4").channel(YES_NO)
ABSTAIN = ak.Abstain(truth="3/5", lie="1/10").channel(YES_NO)
KARY = ak.KAry.at_epsilon(1).channel(ak.Frame(["a", "b", "c"]))


def compositions(n, m):
    """List all ways to send n reports of m kinds."""
    if m == 1:
        return [(n,)]
    return [(first, *rest) for first in range(n + 1) for rest in compositions(n - first, m - 1)]


def chance(counts, law):
    """Give the multinomial chance of counts."""
    total, ways = sum(counts), 1
    for count in counts:
        ways, total = ways * comb(total, count), total - count
    return ways * prod(p**count for p, count in zip(law, counts, strict=True))


@pytest.mark.parametrize("channel", [WARNER, ABSTAIN, KARY], ids=["warner", "abstain", "k-ary"])
def test_no_honest_population_is_doubted_more_often_than_stated(channel):
    """Every tally of twelve reports, under every population on a grid: exact sizes."""
    n, m, k = 12, len(channel.reports), len(channel.frame)
    all_counts = compositions(n, m)
    p_values = np.array(
        [
            ak.inference.goodness_of_fit(
                ak.Tally(channel, dict(zip(channel.reports, c, strict=True)))
            ).p_value
            for c in all_counts
        ]
    )
    for shares in product(np.linspace(0, 1, 6), repeat=k - 1):
        if sum(shares) > 1:
            continue
        law = np.array([*shares, 1 - sum(shares)]) @ channel.matrix
        chances = np.array([chance(c, law) for c in all_counts])
        for level in LEVELS:
            assert chances[p_values <= level].sum() <= level + 1e-12


def test_people_who_are_not_sampled_are_doubted_no_more():
    """Three say yes and three no, always: counts vary less than sampling makes them."""

    def sent(row):
        return [(c, chance(c, row)) for c in compositions(3, 3)]

    sizes = dict.fromkeys(LEVELS, 0.0)
    for (first, item), (second, other) in product(*map(sent, ABSTAIN.matrix)):
        counts = [a + b for a, b in zip(first, second, strict=True)]
        goodness = ak.inference.goodness_of_fit(
            ak.Tally(ABSTAIN, dict(zip(ABSTAIN.reports, counts, strict=True)))
        )
        for level in LEVELS:
            sizes[level] += item * other * (goodness.p_value <= level)
    assert all(size <= level for level, size in sizes.items())


def test_the_hundred_thousand_reports_of_one_client_are_found():
    honest, invented = 10_000, 100_000
    yes = round(honest * (0.3 * 0.75 + 0.7 * 0.25)) + invented
    goodness = ak.inference.goodness_of_fit(
        ak.Tally(WARNER, {"yes": yes, "no": honest + invented - yes})
    )
    assert goodness.doubted
    assert (
        "“yes” is 94.5 % of the reports; of honest ones it is 25.0 to 75.0 %"
        in goodness.findings[0]
    )


def test_two_reports_have_their_exact_binomial_p_value():
    tally = ak.Tally(WARNER, {"yes": 19, "no": 1})
    tail = sum(comb(20, x) * 0.75**x * 0.25 ** (20 - x) for x in (19, 20))
    assert ak.inference.goodness_of_fit(tally).p_value == pytest.approx(2 * tail, rel=1e-6)


def test_the_likelihood_ratio_has_chernoffs_bound_of_a_gamma_law():
    """All of 90 reports "don't know": n D = 90 ln(1/.3), with m − 1 = 2."""
    goodness = ak.inference.goodness_of_fit(ak.Tally(ABSTAIN, {"don't know": 90}))
    t = 90 * log(1 / 0.3)
    assert goodness.tests[1].p_value == pytest.approx(exp(2 - t) * (t / 2) ** 2, rel=1e-6)


def test_a_perfect_fit_names_the_same_report_whatever_the_last_digits_are():
    rng = np.random.default_rng(5)
    kary = ak.KAry(truth="3/5").channel(ak.Frame(list("abcd")))
    for _ in range(20):
        counts = dict(zip("abcd", rng.integers(95, 105, 4).tolist(), strict=True))
        (_, mixture) = ak.inference.goodness_of_fit(ak.Tally(kary, counts)).tests
        assert (mixture.event, mixture.p_value) == ("“a”", 1.0)


def test_no_finding_says_that_reports_which_fit_do_not():
    kary = ak.KAry(truth="3/5").channel(ak.Frame(list("abcd")))
    fitting = ak.Tally(kary, {"a": 110, "b": 102, "c": 96, "d": 92})
    (_, mixture) = ak.inference.goodness_of_fit(fitting).tests
    assert mixture.p_value == 1.0
    assert mixture.finding == (
        "All frequencies together are G² = 0.0 from the nearest that honest people can produce; at "
        "most 100 of 100 honest surveys deviate so far."
    )


def test_too_few_who_do_not_know_are_found_although_yes_and_no_fit():
    goodness = ak.inference.goodness_of_fit(
        ak.Tally(ABSTAIN, {"yes": 350, "no": 500, "don't know": 150})
    )
    assert goodness.doubted
    assert not ak.inference.goodness_of_fit(
        ak.Tally(ABSTAIN, {"yes": 300, "no": 400, "don't know": 300})
    ).doubted


def test_nothing_to_test_is_never_doubted():
    plain = ak.Warner(truth=1).channel(YES_NO)
    assert np.isnan(GoodnessOfFit().p_value)
    assert not GoodnessOfFit().doubted
    assert ak.inference.goodness_of_fit(ak.Tally(WARNER, {})).tests == ()
    assert ak.inference.goodness_of_fit(ak.Tally(plain, {"yes": 10**6})).p_value == 1


def test_a_report_that_nobody_can_send_is_refused():
    padded = ak.Channel(YES_NO, {"a": ["yes"], "b": ["no"], "c": ["no"]}, [[0.7, 0.3, 0]] * 2)
    with pytest.raises(InputError, match="no answer can send"):
        ak.inference.goodness_of_fit(ak.Tally(padded, {"c": 1}))


LINE = ak.Line(0, 6, 1)
RANGES = {
    "one cut": ak.RangeChannel(LINE, [1, 2, 3, 2, 1]),
    "two cuts": ak.RangeChannel(LINE, [1, 2, 3, 2, 1], 2),
    "floor": ak.RangeChannel(LINE, [1, 2, 3, 2, 1], 2, floor=Floor([1] * 6, 2)),
    "withheld": ak.RangeChannel(LINE, [1, 2, 3, 2, 1], 2, floor=Floor([1] * 6, 2), withhold=True),
    "open": ak.RangeChannel(LINE, [1, 2, 3, 2, 1], 2, open=[(2, 4)]),
    "ring": ak.channels.RingChannel(LINE, [1, 2, 3, 2, 1], Floor([1] * 6, 1)),
}


def law_of(channel, step):
    """Give the chance of each range that somebody sends, heard of or not."""
    ends, chances = channel.cells()
    holds = np.array([any(a <= step < b for a, b in channel.pieces(*cell)) for cell in ends])
    law = np.where(holds, chances, 0)
    return ends, law / law.sum()


@pytest.mark.parametrize("name", RANGES)
def test_the_exact_law_of_ranges_is_never_doubted(name):
    """As often as expected, whatever all people answer; and every p-value is one."""
    channel = RANGES[name]
    for step in range(6):
        ends, law = law_of(channel, step)
        for n in (100, 10**6):
            is_sent = law > 0
            tests = range_fit(channel, ends[is_sent], n * law[is_sent])
            assert len(tests) == 3
            assert min(test.p_value for test in tests) > 0.3


@pytest.mark.parametrize("name", RANGES)
def test_a_range_sent_a_hundred_thousand_times_is_found(name):
    channel = RANGES[name]
    ends, law = law_of(channel, 1)
    counts = 10_000 * law
    counts[np.argmin(np.where(law > 0, law, 1))] += 100_000
    is_sent = counts > 0
    tests = range_fit(channel, ends[is_sent], counts[is_sent])
    assert min(test.p_value for test in tests) < 1e-9


@pytest.mark.parametrize("name", RANGES)
@pytest.mark.long
def test_single_small_surveys_are_doubted_no_more_often_than_stated(name):
    """Every pair of reports of two people, exactly."""
    channel = RANGES[name]
    for steps in ((0, 0), (0, 5), (2, 3)):
        laws = [law_of(channel, step) for step in steps]
        sizes = dict.fromkeys(LEVELS, 0.0)
        for (index, p), (other, q) in product(*(enumerate(law) for _, law in laws)):
            if not p * q:
                continue
            cells, counts = np.unique(
                np.stack([laws[0][0][index], laws[1][0][other]]), axis=0, return_counts=True
            )
            tests = GoodnessOfFit(tests=range_fit(channel, cells, counts))
            for level in LEVELS:
                sizes[level] += p * q * (tests.p_value <= level)
        assert all(size <= level + 1e-12 for level, size in sizes.items())


def test_no_range_came_means_no_test():
    assert range_fit(RANGES["one cut"], [], []) == ()
