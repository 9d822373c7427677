"""Shares of up to 10^5 answers are covered at their level, one by one and together, and few of
those found are wrong.

Support counts are drawn straight from their law, which is exact: k-ary response sends one
multinomial of its reports; a unary encoding's bits are tossed one by one given the answer, so that
an answer's count is one binomial of those who hold it and one of those who do not. One answer by
itself has a binomial count: many surveys of it are judged in one call, as if they were answers.
"""

from fractions import Fraction

import numpy as np
import pytest
from budget import Watch, alarm, dice, settle

from askance.inference import (
    SupportLaw,
    estimate_supports,
    find_heavy_hitters,
    simultaneous_frequencies,
)

pytestmark = [pytest.mark.odds, pytest.mark.timeout(600)]

REPORTS = 1_000_000
AT_ONCE = 1_000
HALF, THIRD = Fraction(1, 2), Fraction(1, 3)
UNARY = SupportLaw(
    true_positive_rate=HALF,
    false_positive_rate=THIRD,
    both_inside=HALF * THIRD,
    both_outside=THIRD * THIRD,
)


def kary(k):
    """Send the answer thirty times as often as each other one."""
    return SupportLaw(
        true_positive_rate=Fraction(30, k + 29),
        false_positive_rate=Fraction(1, k + 29),
        both_inside=0,
        both_outside=0,
    )


def zipf(k):
    shares = 1 / np.arange(1, k + 1)
    return shares / shares.sum()


def unary_counts(rng, shares):
    multinomial_result = rng.multinomial(REPORTS, shares)
    return rng.binomial(multinomial_result, float(HALF)) + rng.binomial(
        REPORTS - multinomial_result, float(THIRD)
    )


def kary_counts(rng, shares):
    return rng.multinomial(REPORTS, kary(len(shares)).named(shares))


SIZES = (16, 1_000, 100_000)
ONE = [
    (kind, law, k, index)
    for k in SIZES
    for kind, law in (("k-ary", kary(k)), ("unary", UNARY))
    for index in (0, k // 2)
]


@pytest.mark.parametrize(("kind", "law", "k", "index"), ONE)
def test_a_share_is_covered_at_its_level(kind, law, k, index):
    """Beside 0 only the lower end can miss, since no upper one lies below that of the share 0."""
    name = "many answers, one"
    share, rng = float(zipf(k)[index]), dice(f"{name}, {kind}, {k}, {index}")
    chance, null = float(law.named(share)), (0.93, 0.985)

    def verdict(level):
        watch = Watch(null, (0.85, 0.995), alarm(name) / len(ONE))
        while watch.verdict is None:
            counts = rng.binomial(REPORTS, chance, AT_ONCE)
            estimate = estimate_supports(counts, REPORTS, law, level=level)
            hits = int(((estimate.lower <= share) & (share <= estimate.upper)).sum())
            watch.see(hits, AT_ONCE)
        return watch.verdict

    assert [verdict(level) for level in (0.95, 0.5, 0.9999)] == ["holds", "too low", "too high"]


ALL = [("k-ary", kary_counts, kary), ("unary", unary_counts, lambda k: UNARY)]
DEAR = [ALL[0], pytest.param(*ALL[1], marks=pytest.mark.wide)]


@pytest.mark.parametrize(("kind", "draw", "rule"), DEAR)
def test_all_shares_are_covered_together(kind, draw, rule):
    name, k = "many answers, together", 100_000
    law, shares, rng = rule(k), zipf(k), dice(f"many answers, together, {kind}")

    def survey():
        return estimate_supports(draw(rng, shares), REPORTS, law)

    def held(result):
        together = simultaneous_frequencies(result, 0.9)
        return bool(np.all((together.lower <= shares) & (shares <= together.upper)))

    def held_one_by_one(outcome):
        return bool(np.all((outcome.lower <= shares) & (shares <= outcome.upper)))

    def watch():
        return Watch((0.9, 1.0), (0.7,), alarm(name) / len(ALL))

    output = settle(survey, {"together": (watch(), held), "one by one": (watch(), held_one_by_one)})
    assert output == {"together": "holds", "one by one": "too low"}


@pytest.mark.parametrize(("kind", "draw", "rule"), ALL)
def test_few_of_the_answers_found_are_wrong(kind, draw, rule):
    """One of those found is looked at each time, so that a miss is as likely as the rate says."""
    name, k, common, rate = "many answers, found", 1_000, 20, 0.1
    bar = 1 / 2_000
    shares = np.full(k, bar)
    shares[:common] = (1 - bar * (k - common)) / common
    law, rng = rule(k), dice(f"many answers, found, {kind}")

    def survey():
        counts = draw(rng, shares)
        return find_heavy_hitters(
            estimate_supports(counts, REPORTS, law), threshold=bar, false_discovery_rate=rate
        ), rng.random()

    def wrong(places, index):
        return bool(len(places) and places[int(index * len(places))] >= common)

    watches = {
        "found": lambda draws: wrong(draws[0].places, draws[1]),
        "uncorrected": lambda sample: wrong(np.flatnonzero(sample[0].p_values <= rate), sample[1]),
    }
    outcome = settle(
        survey,
        {
            key: (Watch((0.0, rate), (2 * rate,), alarm(name) / len(ALL)), hit)
            for key, hit in watches.items()
        },
    )
    assert outcome == {"found": "holds", "uncorrected": "too high"}
