"""What a survey file declares of the crowd, what the check says of it, and what is refused."""

import pytest

import askance as ak
from askance.present import board_facts, write_assessment
from askance_collect.errors import SurveyError

HEAD = 'askance = "survey-1"\ntitle = "T"\nconsent = "C"\n'
SPORT = """[[question]]
name = "sport"
text = "Sport?"
answers = ["running", "judo"]
"""
SHARES = 'expect = { judo = "1/4", running = "3/4" }\n'
AGE = '[[question]]\nname = "age"\ntext = "Age?"\nline = { lower = 0, upper = 3 }\n'
RANGE = """[[question]]
name = "pay"
text = "Pay?"
line = { lower = 0, upper = 4 }
mechanism = { name = "ring", floor = "1/2" }
"""
VAGUE = """[[question]]
name = "doped"
text = "Doped?"
answers = ["a", "b", "c"]
mechanism.name = "table"
mechanism.reports = { ab = ["a", "b"], ac = ["a", "c"], bc = ["b", "c"] }
mechanism.rows = [["1/2", "1/2", 0], ["1/2", 0, "1/2"], [0, "1/2", "1/2"]]
"""
TEA = "[[question]]\nname = 'tea'\ntext = 'Tea?'\nanswers = ['yes', 'no']\n"
WARNER = TEA + 'mechanism = { name = "warner", truth = "3/4" }\n'


def published(*parts, crowd=""):
    return ak.publish(ak.parse_survey("".join([HEAD, crowd, *parts]).encode()))


def test_declared_shares_and_ranges_multiply_and_what_excludes_nobody_does_not_count():
    form = published(SPORT, SHARES, RANGE, VAGUE, WARNER, crowd="crowd = { people = 801 }\n")
    check = ak.check(form)
    crowd = check.crowd
    assert [factor.name for factor in crowd.factors] == ["sport", "pay", "doped"]
    sport, pay, doped = (float(factor.mean_share) for factor in crowd.factors)
    assert (sport, doped) == (5 / 8, 2 / 3)
    (coverage,) = (
        float(guarantee.value)
        for guarantee in check.questions[1].guarantees
        if guarantee.notion.name == "COVERAGE"
    )
    assert pay == coverage < 1
    assert crowd.mean == pytest.approx(1 + 800 * sport * pay * doped)


def test_a_range_fits_the_share_of_people_that_its_declared_population_has_in_it():
    lump = 'innocent = 0\nproves = "accepted"\nproves_reason = "R"\nexpect = { lump = "9/10" }\n'
    asked = RANGE.replace('"ring", floor = "1/2"', '"cuts", number = 1').replace(
        "4 }", "4 }\n" + lump
    )
    form = published(asked, crowd="crowd = { people = 101 }\n")
    check = ak.check(form)
    steps = [9 / 10 + 1 / 40, 1 / 40, 1 / 40, 1 / 40]  # the lump is in the first of four even steps
    sides = [(sum(steps[:cut]), sum(steps[cut:])) for cut in (1, 2, 3)]
    mean = sum(low**2 + high**2 for low, high in sides) / 3
    (pay,) = check.crowd.factors
    assert (pay.mean_share, pay.min_share) == (pytest.approx(mean), pytest.approx(1 / 40))
    assert check.crowd.mean == pytest.approx(1 + 100 * mean)
    assert board_facts(form, check).narrowest_share == pytest.approx(1 / 40)
    form = published(asked, SPORT, SHARES, crowd="apart = true\ncrowd = { people = 101 }\n")
    assert board_facts(form, ak.check(form)).narrowest_share == pytest.approx(1 / 40)


def test_a_plain_number_has_a_share_for_each_number_that_can_be_given():
    crowd = ak.check(published(AGE, "expect = { spread = [1, 1, 1, 1] }\n")).crowd
    assert float(crowd.factors[0].mean_share) == 1 / 4  # 0, 1, 2 and 3
    with pytest.raises(SurveyError, match=r"question\[0\]\.expect"):
        published(AGE, "expect = { spread = [1, 1, 1] }\n")


@pytest.mark.parametrize(
    ("parts", "crowd", "where"),
    [
        ([SPORT], "crowd = { people = 5, minimum = 6 }\n", "crowd.minimum"),
        ([SPORT], "crowd = { people = 0 }\n", "crowd.people"),
        ([SPORT], "crowd = { minimum = 0 }\n", "crowd.minimum"),
        ([SPORT, 'expect = { running = "3/4" }\n'], "", "question[0].expect"),
        ([AGE, 'expect = { lump = "1/2" }\n'], "", "question[0].expect"),
    ],
)
def test_what_cannot_be_is_refused_by_its_place_and_with_a_remedy(parts, crowd, where):
    with pytest.raises(SurveyError) as refused:
        published(*parts, crowd=crowd)
    assert refused.value.where == where
    assert refused.value.allowed


def test_the_check_counts_warns_and_says_what_nobody_declared():
    form = published(SPORT)
    unknown = ak.check(form)
    summary = " ".join(unknown.warnings)
    assert "at least 500 of each 1,000 people on average (see `crowd`, `expect`)" in summary
    assert "single people out" not in summary
    described = write_assessment(form, unknown)
    assert "does not say how many people could answer" in described
    assert "The survey does not say how common the answers to sport are" in described
    assert "may single people out: a row may fit as few as 6.5 of 12 people" in " ".join(
        ak.check(published(SPORT, crowd="crowd.people = 12\n")).warnings
    )
    few = " ".join(ak.check(published(SPORT, SHARES, crowd="crowd.people = 12\n")).warnings)
    assert "Whole rows single people out: a row fits 7.8 of 12 people on average" in few
    assert "Of 100 people, at most 100 give plain answers that fewer than 10 people" in few
    many = ak.check(published(SPORT, SHARES, crowd="crowd.people = 1_000\n"))
    assert not any("single people out" in warning for warning in many.warnings)


def test_a_text_is_its_writer_s_whatever_the_crowd():
    text = '[[question]]\nname = "why"\ntext = "Why?"\nfree_text = { limit = 100 }\n'
    result = " ".join(ak.check(published(SPORT, SHARES, text)).warnings)
    assert "Texts can identify their writers, whatever the crowd: why." in result


def test_forms_that_say_nothing_of_a_crowd_are_as_they_were():
    assert "crowd" not in published(SPORT).document["about"]
