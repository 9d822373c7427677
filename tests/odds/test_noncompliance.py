"""Shares are covered where some people do not comply; to take it that all do is found out.

Two groups with forced chances that lie far apart, as cheating detection and the lie detector ask
them; inside, and where nobody is of one class.
"""

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from typing import final

import numpy as np
import pytest
from budget import Watch, alarm, dice, each, settle
from complex_samples import village_numbers
from designs import INTERIOR, Reading
from scipy.special import ndtr

import askance as ak
from askance.channels import GroupedTally
from askance.engines import tally_groups
from askance.inference import (
    ComplianceRegression,
    Noncompliers,
    PartialEstimate,
    SamplingDesign,
    cheating_detection,
    compliance_regression,
    estimate_compliance,
    stochastic_lie_detector,
    with_noncompliers,
)

pytestmark = [pytest.mark.odds, pytest.mark.long, pytest.mark.timeout(600)]

PEOPLE = 400  # in each group
ASKED = {
    name: ak.Channel(
        ak.Frame(["yes", "no"]), {"yes": ["yes"], "no": ["no"]}, [[1, 0], [forced, 1 - forced]]
    )
    for name, forced in (("few", Fraction(1, 6)), ("many", Fraction(5, 6)))
}
FULL = "as if all complied"
NARROWED, WIDENED = 0.6, 1.7
NARROW_COVERS, WIDE_COVERS = 0.82, 0.998
"""What the twins cover, at most and at least: Φ gives 0.76 and 0.999 for a normal estimate."""


@final
@dataclass(frozen=True, slots=True)
class Target:
    """People who comply with "yes" and "no", and who do not; the answer that is read, its truth."""

    kind: Noncompliers
    people: tuple[float, float, float]
    answer: int
    truth: tuple[float, float]


TARGETS = {
    "compliance, cheats": Target(cheating_detection(), (0.2, 0.6, 0.2), 0, (0.2, 0.4)),
    "compliance, lies": Target(stochastic_lie_detector(), (0.2, 0.6, 0.2), 0, (0.4, 0.4)),
    "compliance, all lie": Target(stochastic_lie_detector(), (0.0, 0.8, 0.2), 1, (0.8, 0.8)),
    "compliance, nobody lies": Target(stochastic_lie_detector(), (0.3, 0.7, 0.0), 0, (0.3, 0.3)),
}


Counts = tuple[tuple[int, ...], ...]
"""How often each report came from each group."""


def surveys(target: Target, rng: np.random.Generator) -> Callable[[], Counts]:
    questions = [
        target.people @ with_noncompliers(channel, target.kind).matrix for channel in ASKED.values()
    ]
    return lambda: tuple(
        tuple(rng.multinomial(PEOPLE, question).tolist()) for question in questions
    )


def tallied(counts: Counts) -> GroupedTally:
    pairs = zip(ASKED.items(), counts, strict=True)
    return GroupedTally(
        {
            name: ak.Tally(channel, dict(zip(channel.reports, of, strict=True)))
            for (name, channel), of in pairs
        }
    )


def read(target: Target, estimate: PartialEstimate) -> Reading:
    low, high, lower, upper = (
        float(ends[target.answer])
        for ends in (estimate.low, estimate.high, estimate.lower, estimate.upper)
    )
    return Reading((lower, upper), (low, high), target.truth)


@pytest.mark.parametrize("name", each(TARGETS))
def test_shares_are_covered_where_some_do_not_comply(name):
    """The bounds of cheating detection hold the whole set; all are refused narrowed or widened."""
    target, rng = TARGETS[name], dice(name)
    expected = {1.0: "holds", NARROWED: "too low", WIDENED: "too high"}

    @cache  # small surveys repeat their counts
    def told(counts: Counts, kinds: Noncompliers | tuple[()]) -> Reading:
        return read(target, estimate_compliance(tallied(counts), kinds).answers)

    hits = {
        stretch: lambda draws, stretch=stretch: told(draws, target.kind).covers(stretch)
        for stretch in expected
    }
    if target.people[2]:
        expected[FULL] = "too low"
        hits[FULL] = lambda sample: told(sample, ()).covers()
    defects = NARROW_COVERS, WIDE_COVERS
    watches = {key: (Watch(INTERIOR, defects, alarm(name)), hit) for key, hit in hits.items()}
    assert settle(surveys(target, rng), watches) == expected


def regressed(rng: np.random.Generator) -> ComplianceRegression:
    """A thousand people; carriers deny the more often the larger z is."""
    x, z, group = rng.permutation(1000) % 2, rng.permutation(1000) % 2, np.arange(1000) % 2
    carries = rng.random(1000) < np.where(x, 0.6, 0.4)
    denies = rng.random(1000) < np.where(z, 0.4, 0.2)
    yes = np.where(carries, ~denies, rng.random(1000) < np.where(group, 5 / 6, 1 / 6))
    tolist_result = np.where(yes, "yes", "no").tolist()
    kind, channels = stochastic_lie_detector(), list(ASKED.values())
    return compliance_regression(tolist_result, x, channels, kind, compliance=z, group=group)


def covers_half(fit: ComplianceRegression) -> bool:
    share = fit.prevalence()
    return bool(share.lower[0] <= 0.5 <= share.upper[0])


def covers_too_seldom(fit: ComplianceRegression) -> bool:
    """The broken twin: errors of six tenths."""
    share = fit.prevalence()
    return bool(abs(share.value[0] - 0.5) <= NARROWED * 1.959964 * share.se[0])


def test_a_share_by_regression_is_covered():
    name = "compliance, share by regression"
    rng = dice(name)
    watches = {
        judged: (Watch((0.92, 0.98), (NARROW_COVERS, WIDE_COVERS), alarm(name)), judged)
        for judged in (covers_half, covers_too_seldom)
    }
    outcome = settle(lambda: regressed(rng), watches)
    assert outcome == {covers_half: "holds", covers_too_seldom: "too low"}


VILLAGES, EACH = 50, 24
SAMPLES = {"compliance of a sample, cheats": 2, "compliance of a sample, one group": 1}


def villagers(rng: np.random.Generator, groups: int) -> Callable[[str], Reading]:
    """Villagers are alike, and who carries or cheats is found the oftener; two tenths are either.

    Read as drawn, and with a part of the sampling design passed over. One group leaves bounds
    alone, of which one end is open.
    """
    u = ndtr(village_numbers(rng, VILLAGES, EACH))
    is_met = rng.random(len(u)) < np.where(u < 0.4, 0.9, 0.45)
    u, village = u[is_met], np.repeat(np.arange(VILLAGES), EACH)[is_met]
    numbers = rng.integers(0, groups, len(u))
    forced = rng.random(len(u)) < np.where(numbers, 5 / 6, 1 / 6)
    selected = np.where((u < 0.2) | ((u >= 0.4) & forced), "yes", "no")
    names = list(ASKED)
    reports = selected, np.array(names)[numbers]
    weights = 1 / np.where(u < 0.4, 0.9, 0.45)
    ways = {
        "as drawn": {"weights": weights, "clusters": village},
        "clusters ignored": {"weights": weights},
        "weights ignored": {"clusters": village},
    }

    @cache
    def read_so(passed: str) -> Reading:
        questions = {name: ASKED[name] for name in names[:groups]}
        tally = tally_groups(questions, *reports, sampling=SamplingDesign(**ways[passed]))
        result = estimate_compliance(tally, cheating_detection()).answers
        return read(Target(cheating_detection(), (), 0, WHOLE[groups]), result)

    return read_so


def whole_set(groups: int) -> tuple[float, float]:
    """The shares of yes that fit: of the frequencies of one group alone, or of two."""
    if groups == 2:
        return 0.2, 0.4
    replies = 0.2 + 0.6 / 6  # of which as many as are not forced carry, and all others may
    return (replies - 1 / 6) / (5 / 6), 1.0


WHOLE = {groups: whole_set(groups) for groups in (1, 2)}


@pytest.mark.parametrize("name", each(SAMPLES))
def test_bounds_know_how_people_were_drawn(name):
    """The whole set of a complex sample; narrowed, or with a part passed over, it is found out."""
    rng, groups = dice(name), SAMPLES[name]
    verdicts = {("as drawn", 1.0): "holds", ("as drawn", NARROWED): "too low"}
    verdicts["clusters ignored", 1.0] = "too low"
    if groups == 2:
        verdicts["weights ignored", 1.0] = "too low"
    null, defect = {2: ((0.92, 0.98), NARROW_COVERS), 1: ((0.955, 0.995), 0.91)}[groups]
    watches = {
        (passed, stretch): (
            Watch(null, (defect,), alarm(name)),
            lambda draws, passed=passed, stretch=stretch: draws(passed).covers(stretch),
        )
        for passed, stretch in verdicts
    }
    assert settle(lambda: villagers(rng, groups), watches) == verdicts
