"""Repeated questions: shares are covered and unbiased in every round of what is kept.

Intervals are those of one round. Rounds of the same people hang together, by what was kept: whoever
adds their reports up as if they were of other people covers too seldom, which is found out.
"""

import math
from fractions import Fraction

import numpy as np
import pytest
from budget import Watch, alarm, dice, settle

import askance as ak
from askance.inference import estimate_frequencies
from askance.mechanisms import DBitFlip, MemoisedHashing, MemoisedKAry, Rappor

pytestmark = [pytest.mark.odds, pytest.mark.long]

FRAME = ak.Frame(["a", "b", "c"])
SHARES = np.array([0.5, 0.3, 0.2])
PEOPLE, SURVEYS, CHANGED = 500, 100, 0.1


def asked_again(recipe, answers, rng):
    """Send two rounds; answers that change draw anew, and all others send from what was kept."""
    before, now = answers
    if isinstance(recipe, DBitFlip):
        memo = recipe.memoise(FRAME, len(before), rng=rng)
        return [recipe.report(FRAME, memo, answer.tolist()) for answer in answers]
    if isinstance(recipe, MemoisedHashing):
        memo = recipe.memoise(len(before), rng=rng)
        return [recipe.report(FRAME, memo, answer, rng=rng) for answer in answers]
    first, second = (recipe.memoise(FRAME, answer, rng=rng) for answer in answers)
    same = (before == now).reshape(-1, *[1] * (first.ndim - 1))
    memo = (first, np.where(same, first, second))
    return [recipe.report(FRAME, item, rng=rng) for item in memo]


def answered(rng, people):
    """Answers of two rounds with the same shares; some people's change."""
    before, other = rng.choice(np.array(FRAME.answers), (2, people), p=SHARES)
    return before, np.where(rng.random(people) < CHANGED, other, before)


def rounds_of(recipe, rng):
    """Tally many surveys of two rounds at once."""
    people = PEOPLE * SURVEYS
    survey, channel = np.repeat(np.arange(SURVEYS), PEOPLE), recipe.channel(FRAME)
    again = asked_again(recipe, answered(rng, people), rng)
    first, second = (ak.tally(channel, item, by=survey) for item in again)
    return [(first[index], second[index]) for index in range(SURVEYS)]


def covered(tally, level=0.95):
    estimate = estimate_frequencies(tally, level=level)
    return bool(estimate.lower[0] <= SHARES[0] <= estimate.upper[0])


def make_recipes(scale):
    """The recipes at a level; each report is nearly as telling as what is kept."""
    lasting, item = 8 * Fraction(scale), 7 * Fraction(scale)
    return {
        "RAPPOR": Rappor.at_epsilon(lasting_ratio=lasting, per_report_ratio=item),
        "k-ary": MemoisedKAry(lasting=lasting, per_report=item),
        "hashing": MemoisedHashing(lasting=lasting, per_report=item, cells=3),
        "dBitFlip": DBitFlip.at_epsilon(ratio=lasting, answers_asked=2),
    }


RECIPES = make_recipes(1)
WAYS = {
    "first": (lambda item: covered(item[0]), "holds"),
    "second": (lambda element: covered(element[1]), "holds"),
    "both as if of other people": (lambda one: covered(one[0] + one[1]), "too low"),
    "too wide": (lambda one: covered(one[1], 0.9999), "too high"),
}


@pytest.mark.parametrize("kind", RECIPES)
def test_shares_are_covered_in_every_round(kind):
    name, waiting = "rounds, covered", []
    rng = dice(f"{name}, {kind}")

    def survey():
        if not waiting:
            waiting.extend(rounds_of(RECIPES[kind], rng))
        return waiting.pop()

    spend = alarm(name) / len(RECIPES) / 2  # two of the ways should hold
    watches = {
        key: (Watch((0.93, 0.97), (0.88, 0.997), spend), hit) for key, (hit, _) in WAYS.items()
    }
    assert settle(survey, watches) == {key: result for key, (_, result) in WAYS.items()}


def missed(kind, sent_by):
    """By how much more than chance allows each round's share is off, with its sign."""
    name, people = "rounds, unbiased", 500_000
    recipe, rng = RECIPES[kind], dice(f"rounds, unbiased, {kind}")
    channel = recipe.channel(FRAME)
    oracle = channel.oracle
    truth, lie = oracle.informative_chances
    spend = alarm(name) / len(RECIPES) / 2
    result = []
    for reports in asked_again(sent_by, answered(rng, people), rng):
        tally = ak.tally(channel, reports)
        number = people if isinstance(tally, ak.Tally) else int(tally.informative_counts[2])
        allowed = math.sqrt(math.log(2 / spend) / (2 * number)) / float(truth - lie)  # Hoeffding
        off = estimate_frequencies(tally).value[2] - SHARES[2]
        result.append(off / allowed)
    return result


@pytest.mark.wide
@pytest.mark.parametrize("kind", RECIPES)
def test_shares_are_unbiased_in_every_round(kind):
    """Too little truth and too much of it are found out, on either side."""
    assert max(map(abs, missed(kind, RECIPES[kind]))) <= 1
    less, more = (missed(kind, make_recipes(scale)[kind]) for scale in ("2/5", 3))
    assert min(map(abs, [*less, *more])) > 1
    assert {math.copysign(1, item) for item in less} == {-math.copysign(1, item) for item in more}
