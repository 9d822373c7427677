"""Surveys of two groups: a harmless share that nobody knows, and people whom invitations assign."""

import numpy as np
import pytest
from budget import Watch, alarm, dice, settle
from designs import NARROWED, Reading

from askance.analysis import prepare_analysis
from askance.survey import deployed, parse_survey, publish

pytestmark = pytest.mark.odds

NULL, DEFECTS = (0.92, 0.98), (0.83, 0.999)
"""Intervals that are narrowed cover .80: few surveys find them out."""
SURVEY = """
askance = "survey-1"
title = "Tea"
consent = "Say it or leave."
[[question]]
name = "q"
text = "Did you?"
answers = ["yes", "no"]
"""
BY_RULES = (
    SURVEY
    + """
coin = "a die"
mechanism = { name = "unrelated", asked = ["7/10", "3/10"] }
"""
)
IN_GROUPS = (
    SURVEY
    + """
group = [
  { name = "few", SHARE mechanism = { name = "forced", forced = { yes = "1/5", no = "1/5" } } },
  { name = "many", SHARE mechanism = { name = "forced", forced = { yes = "2/5", no = "1/5" } } },
]
"""
)


def asked(survey):
    (question,) = publish(parse_survey(survey.encode())).questions
    return deployed(question)


def read(result, truth):
    ends = float(result.lower[0]), float(result.upper[0])
    return Reading(ends, (float(result.value[0]),) * 2, (truth, truth))


def judged(name, draw, ways):
    watches = {key: (Watch(NULL, DEFECTS, alarm(name)), hit) for key, hit in ways.items()}
    return settle(draw, watches)


def test_the_share_is_covered_where_nobody_knows_the_harmless_one():
    """Greenberg's two samples; the two answers of a person hang together."""
    name, share, harmless = "two rules", 0.15, 0.4
    pairs = np.array([share, 0, harmless - share, 1 - harmless])
    item, rng = asked(BY_RULES), dice(name)

    def draw():
        tolist_result = rng.multinomial(900, pairs @ item.channel.matrix).tolist()
        return read(prepare_analysis(item).estimate(dict(enumerate(tolist_result)), 0.95), share)

    ways = {1.0: Reading.covers, NARROWED: lambda draws: draws.covers(NARROWED)}
    assert judged(name, draw, ways) == {1.0: "holds", NARROWED: "too low"}


@pytest.mark.wide
def test_people_whom_invitations_assign_may_differ_and_pooled_ones_may_not():
    """A quarter of all are invited into the other group, and thrice as many of them did it."""
    name, people, shares = "invited groups", (450, 150), (0.15, 0.45)
    truth = float(np.dot(people, shares) / sum(people))
    alone = asked(IN_GROUPS.replace("SHARE", "") + 'assigned = "invitation"\n')
    pooled = asked(IN_GROUPS.replace("SHARE", 'share = "1/2",'))
    rng = dice(name)

    def draw():
        reports = {}
        for index, (n, share) in enumerate(zip(people, shares, strict=True)):
            law = np.array([share, 1 - share]) @ alone.channel.matrix[:, 2 * index : 2 * index + 2]
            counts = rng.multinomial(n, law / law.sum()).tolist()
            reports |= {2 * index + column: count for column, count in enumerate(counts)}
        return reports

    ways = {
        "alone": lambda messages: read(
            prepare_analysis(alone).estimate(messages, 0.95), truth
        ).covers(),
        "narrowed": lambda sent: read(prepare_analysis(alone).estimate(sent, 0.95), truth).covers(
            NARROWED
        ),
        "pooled": lambda sent: read(prepare_analysis(pooled).estimate(sent, 0.95), truth).covers(),
    }
    expected = {"alone": "holds", "narrowed": "too low", "pooled": "too low"}
    assert judged(name, draw, ways) == expected
