"""What a survey file declares of risk: proofs it accepts, an innocent answer, a population."""

import pytest

from askance.analysis import check
from askance.privacy import declared_population, posteriors
from askance.survey import parse_survey, publish
from askance_collect.errors import SurveyError

HEAD = 'askance = "survey-1"\ntitle = "T"\nconsent = "C"\n[[question]]\nname = "q"\ntext = "Q?"\n'
YN, ABC = 'answers = ["yes", "no"]\n', 'answers = ["a", "b", "c"]\n'
LINE = 'line = { lower = 0, upper = 50, whole = true, unit = "times" }\n'
NEVER_LIES = YN + 'mechanism = { name = "abstain", truth = "3/5", lie = 0 }\n'
FORCED = YN + 'mechanism = { name = "forced", forced = { yes = "1/2" } }\n'
ONE_SIDED = YN + 'mechanism = { name = "one_sided", forced_yes = "1/5" }\n'
ONE_CUT = LINE + 'mechanism = { name = "cuts", number = 1, between = [1, 49] }\n'
TRUE_PAIRS = (
    ABC
    + """innocent = "a"
mechanism.name = "table"
mechanism.reports = { ab = ["a", "b"], ac = ["a", "c"], bc = ["b", "c"] }
mechanism.rows = [["1/2", "1/2", 0], ["1/2", 0, "1/2"], [0, "1/2", "1/2"]]
"""
)
REASON = 'proves = "accepted"\nproves_reason = "The page says so."\n'


def published(rest):
    return publish(parse_survey((HEAD + rest).encode()))


def refused(rest):
    with pytest.raises(SurveyError) as caught:
        published(rest)
    return caught.value


@pytest.mark.parametrize(
    ("rest", "proof", "remedy"),
    [
        (NEVER_LIES, "“yes” proves the answer “yes”", "lie above 0"),
        (ABC + 'mechanism = { name = "runs" }', "“a” proves the answer “a”", 'name = "kary"'),
        (
            FORCED,
            "“no” proves",
            "innocent",
        ),
        (ONE_SIDED + 'innocent = "yes"\n', "“no” proves the answer “no”", "kary"),
        (LINE + 'mechanism = { name = "cuts" }', "proves the answer 0 times", "between = [1, 49]"),
        (LINE + 'mechanism = { name = "cuts", number = 3 }', "proves the answer 0", "progressive"),
        (ONE_CUT + "innocent = 0\n", "“2 times or more” proves that the answer is not 0", "kary"),
        (
            LINE + 'mechanism = { name = "ring", floor = "1/4" }\ninnocent = 0\n',
            "proves that the answer is not 0",
            "kary",
        ),
        (TRUE_PAIRS, "“bc” proves that the answer is not “a”", "kary"),
    ],
)
def test_a_question_whose_report_proves_is_refused_with_the_report_and_the_remedy(
    rest, proof, remedy
):
    error = refused(rest)
    assert error.where == "question[0].mechanism"
    assert proof in error.got
    assert remedy in error.remedy
    assert 'proves = "accepted"' in error.remedy


@pytest.mark.parametrize(
    "rest",
    [
        ONE_SIDED,
        ONE_SIDED + 'innocent = "no"\n',
        YN + 'mechanism = { name = "mangat", truth_if_no = "2/3" }\n',
        YN + 'mechanism = { name = "triangular", harmless = "1/4" }\n',
        NEVER_LIES + REASON,
        TRUE_PAIRS + REASON,
        ONE_CUT + "innocent = 0\n" + REASON,
        ONE_CUT,
        YN + 'mechanism = { name = "abstain", truth = 1, lie = 0 }\n',
        LINE + 'mechanism = { name = "cuts", between = [1, 38], open = [[40, 50]] }\n',
    ],
)
def test_proofs_of_what_harms_nobody_and_those_that_are_accepted_are_published(rest):
    assert published(rest).questions[0].name == "q"


@pytest.mark.parametrize(
    ("rest", "where", "message"),
    [
        (NEVER_LIES + 'proves = "accepted"\n', "proves", "proves_reason"),
        (NEVER_LIES + 'proves = "accepted"\nproves_reason = " "\n', "proves", "a reason"),
        (NEVER_LIES + 'proves = "yes"\nproves_reason = "x"\n', "proves", "accepted"),
        (NEVER_LIES + 'proves_reason = "x"\n', "proves", "accepted"),
        (ONE_SIDED + 'innocent = "nein"\n', "innocent", "yes, no"),
        (ONE_CUT + "innocent = 51\n", "innocent", "from 0 to 50"),
        (ONE_CUT + 'innocent = "1/2"\n', "innocent", "from 0 to 50"),
        (ONE_SIDED + 'expect = { yes = "1/10", no = "8/10" }\n', "expect", "sum to 1"),
        (ONE_SIDED + 'expect = { yes = "1/10" }\n', "expect", "a share for each of yes, no"),
        (ONE_SIDED + "expect = { yes = 2, no = -1 }\n", "expect.yes", "a probability"),
        (ONE_CUT + REASON + 'expect = { lump = "1/2" }\n', "expect", "innocent"),
        (ONE_CUT + REASON + "expect = { mean = 0 }\n", "expect", "spread"),
        (ONE_CUT + REASON + "expect = { spread = [1, 2] }\n", "expect", "51"),
        (YN + 'innocent = "no"\n', "innocent", "mechanism"),
        (YN + 'expect = { yes = "1/2", no = "1/3" }\n', "expect", "sum to 1"),
    ],
)
def test_what_is_wrong_with_what_is_declared_is_said_by_its_place(rest, where, message):
    error = refused(rest)
    assert error.where == f"question[0].{where}"
    assert message in str(error)


def test_the_check_says_what_proves_and_gives_the_reason():
    judged = check(published(NEVER_LIES + REASON))
    (question,) = judged.questions
    assert question.accepted == "The page says so."
    assert question.risks[0] == "“yes” proves the answer “yes”; “no” proves the answer “no”."
    assert not judged.warnings
    idle = check(published(YN + 'mechanism = { name = "warner", truth = "3/4" }\n' + REASON))
    assert idle.questions[0].accepted == ""
    assert "remove proves and the reason" in idle.warnings[-1]


def test_a_reason_for_proofs_where_nothing_is_protected_is_warned_of_as_such():
    bare = check(published(YN + 'mechanism = { name = "warner", truth = 1 }\n' + REASON))
    assert "q: reports reveal every answer" in bare.warnings[0]
    assert not any("no report proves" in warning for warning in bare.warnings)


def test_the_worst_case_of_a_question_with_an_innocent_answer_is_of_who_has_another():
    four = 'answers = ["both", "A", "B", "none"]\n'
    harmless = '["1/4", "1/4", "1/4", "1/4"]'
    hidden = four + f'mechanism = {{ name = "hidden", harmless = {harmless} }}\n'
    (question,) = check(published(hidden)).questions
    # If all others have "A", "both" proves itself; of guilt it tells no more than of one in four:
    gains = [4 * p / (4 * p + 100 - p) - p / 100 for p in range(1, 100)]
    assert question.risk.posteriors[0].gain == pytest.approx(max(gains))
    assert question.worst_case.startswith("For answers other than “none”, ")
    (named,) = check(published(hidden.replace("none", "C") + 'innocent = "A"\n' + REASON)).questions
    assert "answers other than “A”" in named.worst_case


def test_a_posterior_of_several_answers_is_not_read_as_that_of_the_report():
    """Of 100 who send “A”, so many “have it” was read as the answer “A”."""
    three = 'answers = ["A", "B", "none"]\nmechanism = { name = "kary", truth = "1/2" }\n'
    declared = 'innocent = "none"\nexpect = { A = "1/10", B = "1/10", none = "8/10" }\n'
    (question,) = check(published(three + declared)).questions
    assert question.risks[0] == (
        "If 20 of 100 people have an answer other than “none”, as the survey expects, then 27.3 of "
        "100 who send “A” have such an answer."
    )


LIST = """items = ["A", "B"]
sensitive = "C"
blank = "1/5"
expect = { yes = "1/4", no = "3/4", control = ["1/10", "4/10", "5/10"] }
"""


def test_people_whom_chance_leaves_blank_send_no_proof():
    (question,) = check(published(LIST + REASON)).questions
    # Half of all are asked the longer list; 0 is sent by the innocent with none, 3 by the others.
    hit = 0.8 * (0.5 * (0.75 * 0.1 + 0.25 * 0.5))
    assert float(question.risk.hit) == pytest.approx(hit)
    assert "The survey expects 8 of 100 people to send a number that proves an answer" in " ".join(
        question.risks
    )
    population = declared_population(question.risk.question)
    sent = sum(report.sent for report in posteriors(question.risk.question, population))
    assert float(sent) == pytest.approx(0.8)


def test_a_form_that_was_published_without_a_reason_is_read_and_warned_of():
    form = published(NEVER_LIES + REASON)
    document = form.document["questions"][0]["about"]
    assert document["proves"] == "The page says so."
    assert published(YN + 'mechanism = { name = "warner", truth = "3/4" }\n').document["questions"][
        0
    ]["about"].keys() == {"guarantees", "mechanism", "trait"}
