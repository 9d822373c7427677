"""Named mechanisms: their chances, paths, published estimators and variances, their surveys."""

import math
from fractions import Fraction
from itertools import product
from math import comb

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from askance import Abstain, Channel, Frame, KAry, Tally, Warner, estimate, local_loss, mechanisms
from askance.analysis import check
from askance.design import effective_sample_size
from askance.inference import moment_estimate
from askance.mechanisms import (
    Blocks,
    Christofides,
    Crosswise,
    Diagonal,
    Draw,
    ForcedResponse,
    HiddenSensitivity,
    Kuk,
    Mangat,
    OneSided,
    OwnAnswer,
    Redistribute,
    SentReport,
    Triangular,
    UnrelatedQuestion,
    answer_mechanism,
    respondent_path,
)
from askance.survey import deployed, parse_survey, publish
from askance_collect.errors import InputError, SurveyError
from named_mechanisms import FOUR, MECHANISMS, YN

CHANCES = st.fractions(0, 1, max_denominator=60)
INNER = st.fractions("1/20", "19/20", max_denominator=60)
TWO = {mechanism.recipe.name: mechanism.recipe for mechanism in MECHANISMS if mechanism.frame == YN}
ALL = [(mechanism.recipe, mechanism.frame) for mechanism in MECHANISMS]
HIDDEN = next(recipe for recipe, frame in ALL if frame == FOUR)
IDS = [item.name for item, _ in ALL]


def rows(recipe, frame=YN):
    table = recipe.channel(frame).table
    return [list(table.row(index)) for index in range(len(frame))]


def walked(path, answer):
    """Add up the chances of the leaves that an answer can come to."""
    if isinstance(path, SentReport):
        return {path.report: Fraction(1)}
    if isinstance(path, OwnAnswer):
        return walked(dict(path.next_steps)[answer], answer)
    result = {}
    for outcome in path.outcomes:
        for report, part in walked(outcome.next_step, answer).items():
            result[report] = result.get(report, 0) + outcome.chance * part
    return result


@given(CHANCES, CHANCES)
def test_chances_are_those_of_the_literature(p, h):
    assert rows(Mangat(truth_if_no=p)) == [[1, 0], [1 - p, p]]
    assert rows(OneSided(forced_yes=p)) == [[1, 0], [p, 1 - p]]
    yes = p + (1 - p) * h, (1 - p) * h
    assert rows(UnrelatedQuestion(sensitive_chance=p, harmless=h)) == [
        [item, 1 - item] for item in yes
    ]
    assert rows(Crosswise(harmless=h)) == [[h, 1 - h], [1 - h, h]]
    assert rows(Triangular(harmless=h)) == [[1, 0], [h, 1 - h]]
    assert rows(Kuk(red_if_yes=p, red_if_no=h)) == [[p, 1 - p], [h, 1 - h]]
    assert rows(Christofides(marks=[1 - p, p])) == rows(Warner(truth=p))
    assert rows(HiddenSensitivity(harmless=[h, 1 - h])) == rows(Triangular(harmless=h))


@given(CHANCES, CHANCES, st.integers(2, 6))
def test_kuk_counts_red_cards(p, h, m):
    rows_result = rows(Kuk(red_if_yes=p, red_if_no=h, draws=m))
    for row, share in zip(rows_result, (p, h), strict=True):
        assert row == [comb(m, r) * share**r * (1 - share) ** (m - r) for r in range(m + 1)]


@given(st.integers(2, 5), st.data())
def test_forced_chances_are_said_of_all_or_of_those_who_are_forced(k, data):
    frame = Frame([f"a{index}" for index in range(k)])
    weights = data.draw(st.lists(st.integers(0, 9), min_size=k + 1, max_size=k + 1).filter(any))
    law = [Fraction(weight, sum(weights)) for weight in weights]
    response = ForcedResponse(forced=dict(zip(frame.answers, law[1:], strict=True)))
    assert response.truth == law[0]
    wanted = [[law[0] * (x == y) + law[1 + y] for y in range(k)] for x in range(k)]
    assert rows(response, frame) == wanted
    if law[0] < 1:
        inputs = {
            name: part / (1 - law[0]) for name, part in zip(frame.answers, law[1:], strict=True)
        }
        assert ForcedResponse(truth=law[0], if_forced=inputs) == response


def test_the_published_die_is_not_what_its_conditional_chance_would_make_it():
    """A six forces "no", one to four the truth, five "yes": 1/6 of all, 1/2 of the forced."""
    of_all = ForcedResponse(forced={"yes": "1/6", "no": "1/6"})
    of_forced = ForcedResponse(truth="2/3", if_forced={"yes": "1/2", "no": "1/2"})
    mistaken = ForcedResponse(truth="2/3", if_forced={"yes": "1/6", "no": "5/6"})
    assert of_all == of_forced != mistaken
    assert rows(of_all) == [[Fraction(5, 6), Fraction(1, 6)], [Fraction(1, 6), Fraction(5, 6)]]
    assert rows(mistaken)[1][0] == Fraction(1, 18)


@given(st.fractions("11/10", 1000, max_denominator=100), st.integers(2, 7))
def test_a_level_is_met_exactly(ratio, k):
    frame = Frame([f"a{index}" for index in range(k)])
    forced = ForcedResponse.at_epsilon(ratio=ratio).channel(frame)
    assert local_loss(forced).value == ratio
    assert forced == KAry.at_epsilon(ratio=ratio).channel(frame)
    assert local_loss(Crosswise.at_epsilon(ratio=ratio).channel(YN)).value == ratio


RECIPES = [
    *ALL,
    (Warner(truth="3/4"), YN),
    (Warner(truth=1), YN),
    (Abstain(truth="1/2", lie="1/5"), FOUR),
    (KAry(truth="2/5"), FOUR),
    (Redistribute(truth="1/2", lie="1/5", share="1/2"), YN),
    (Blocks(number=2), FOUR),
    (ForcedResponse(truth="1/2"), FOUR),
]


@pytest.mark.parametrize(("recipe", "frame"), RECIPES, ids=[item.name for item, _ in RECIPES])
def test_the_branches_of_a_path_are_the_chances_of_the_channel(recipe, frame):
    path, channel = respondent_path(recipe, frame), recipe.channel(frame)
    for index, answer in enumerate(frame.answers):
        row = dict(zip(channel.reports, channel.table.row(index), strict=True))
        assert walked(path, answer) == {report: part for report, part in row.items() if part}
    assert_coins_are_whole(path)


def assert_coins_are_whole(path):
    if isinstance(path, Draw):
        assert sum(item.chance for item in path.outcomes) == 1
        assert all(item.chance for item in path.outcomes)
        for outcome in path.outcomes:
            assert_coins_are_whole(outcome.next_step)
    if isinstance(path, OwnAnswer):
        for _, then in path.next_steps:
            assert_coins_are_whole(then)


def test_a_report_that_is_no_answer_means_those_who_send_it_most():
    assert Crosswise(harmless="1/4").channel(YN).meanings == (2, 1)
    assert Crosswise(harmless="3/4").channel(YN).meanings == (1, 2)
    assert Kuk(red_if_yes="4/5", red_if_no="1/5", draws=2).channel(YN).meanings == (2, 3, 1)
    assert Christofides(marks=["1/2", "1/3", "1/6"]).channel(YN).meanings == (2, 3, 1)
    assert Triangular(harmless="1/4").channel(YN).meanings == (1, 2)


SCORES = {
    "mangat": lambda q: {"yes": Fraction(1), "no": 1 - 1 / q.truth_if_no},
    "one_sided": lambda q: {"yes": Fraction(1), "no": -q.forced_yes / (1 - q.forced_yes)},
    "forced": lambda q: {
        "yes": (1 - q.forced(YN)[0]) / q.truth,
        "no": -q.forced(YN)[0] / q.truth,
    },
    "unrelated": lambda q: {
        "yes": (1 - (1 - q.sensitive_chance) * q.harmless) / q.sensitive_chance,
        "no": -(1 - q.sensitive_chance) * q.harmless / q.sensitive_chance,
    },
    "kuk": lambda q: {
        f"{r} red": (Fraction(r, q.draws) - q.red_if_no) / (q.red_if_yes - q.red_if_no)
        for r in range(q.draws + 1)
    },
    "crosswise": lambda q: {
        "both or neither": q.harmless / (2 * q.harmless - 1),
        "just one": (q.harmless - 1) / (2 * q.harmless - 1),
    },
    "triangular": lambda q: {
        "one or both": Fraction(1),
        "neither": -q.harmless / (1 - q.harmless),
    },
    "christofides": lambda q: {
        str(z): (z - marks_mean(q)) / (len(q.marks) + 1 - 2 * marks_mean(q))
        for z in range(1, len(q.marks) + 1)
    },
}
"""The published unbiased estimate, as what one report adds to it."""


def marks_mean(q):
    return sum(index * part for index, part in enumerate(q.marks, 1))


VARIANCES = {
    "mangat": lambda q, pi: pi * (1 - pi) + (1 - pi) * (1 - q.truth_if_no) / q.truth_if_no,
    "one_sided": lambda q, pi: pi * (1 - pi) + (1 - pi) * q.forced_yes / (1 - q.forced_yes),
    "forced": lambda q, pi: of_yes(q.truth * pi + q.forced(YN)[0]) / q.truth**2,
    "unrelated": lambda q, pi: (
        of_yes(q.sensitive_chance * pi + (1 - q.sensitive_chance) * q.harmless)
        / q.sensitive_chance**2
    ),
    "kuk": lambda q, pi: (
        of_yes(pi * q.red_if_yes + (1 - pi) * q.red_if_no)
        / (q.draws * (q.red_if_yes - q.red_if_no) ** 2)
        + (1 - Fraction(1, q.draws)) * pi * (1 - pi)
    ),
    "crosswise": lambda q, pi: (
        pi * (1 - pi) + q.harmless * (1 - q.harmless) / (2 * q.harmless - 1) ** 2
    ),
    "triangular": lambda q, pi: pi * (1 - pi) + (1 - pi) * q.harmless / (1 - q.harmless),
    "christofides": lambda q, pi: (
        pi * (1 - pi) + marks_variance(q) / ((len(q.marks) + 1 - 2 * marks_mean(q)) ** 2)
    ),
}
"""The published variance of that estimate, times the number of people."""


def of_yes(share):
    return share * (1 - share)


def marks_variance(q):
    return sum(index * index * part for index, part in enumerate(q.marks, 1)) - marks_mean(q) ** 2


@pytest.mark.parametrize("name", SCORES)
@pytest.mark.parametrize("pi", [Fraction(0), Fraction(1, 10), Fraction(1, 2), Fraction(1)])
def test_the_published_estimate_is_unbiased_with_the_published_variance(name, pi):
    recipe = TWO[name]
    scores, channel = SCORES[name](recipe), recipe.channel(YN)
    chances = [
        pi * yes + (1 - pi) * no
        for yes, no in zip(channel.table.row(0), channel.table.row(1), strict=True)
    ]
    values = [scores[report] for report in channel.reports]
    mean = sum(p * value for p, value in zip(chances, values, strict=True))
    spread = sum(p * value**2 for p, value in zip(chances, values, strict=True)) - mean**2
    assert mean == pi
    assert spread == VARIANCES[name](recipe, pi)


@pytest.mark.parametrize("name", SCORES)
def test_ours_is_the_published_estimate_or_more_precise(name):
    recipe = TWO[name]
    channel, pi = recipe.channel(YN), Fraction(1, 5)
    n = 1_000_000
    messages = {
        report: n * float(pi * yes + (1 - pi) * no)
        for report, yes, no in zip(
            channel.reports, channel.table.row(0), channel.table.row(1), strict=True
        )
    }
    result = moment_estimate(Tally(channel, {key: round(count) for key, count in messages.items()}))
    assert result.value[0] == pytest.approx(float(pi), abs=5e-6)
    ours = pi * (1 - pi) / Fraction(effective_sample_size(channel, prevalence=float(pi)))
    published = VARIANCES[name](recipe, pi)
    if len(channel.reports) == 2:
        assert float(ours) == pytest.approx(float(published), rel=1e-9)
    else:
        assert ours < published * (1 + Fraction(1, 10**9))


def test_hidden_sensitivity_is_undone_in_closed_form():
    channel, counts = HIDDEN.channel(FOUR), {"both": 90, "drugs": 130, "theft": 70, "neither": 60}
    result = estimate(Tally(channel, counts))
    last = counts["neither"] / 350 / float(HIDDEN.harmless[-1])
    shares = [
        counts[name] / 350 - float(part) * last
        for name, part in zip(FOUR.answers[:-1], HIDDEN.harmless, strict=False)
    ]
    assert result.value == pytest.approx([*shares, last], abs=1e-9)


def test_one_sided_mechanisms_are_one_channel():
    rows_result = rows(OneSided(forced_yes="1/4"))
    assert rows_result == rows(Mangat(truth_if_no="3/4")) == rows(Triangular(harmless="1/4"))
    loss = local_loss(OneSided(forced_yes="1/4").channel(YN))
    assert math.isinf(loss.value)


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: ForcedResponse(), "forced, told of everybody"),
        (lambda: ForcedResponse(forced={"yes": 0.1}, truth=0.9), "both or neither"),
        (lambda: ForcedResponse(forced={"yes": 0.1}, if_forced={"yes": 1}), "forced and if_forced"),
        (lambda: ForcedResponse(forced={"yes": 0.6, "no": 0.5}), "a sum of 11/10"),
        (lambda: ForcedResponse(truth=0.5, if_forced={"yes": 0.5}), "a sum of 1/2"),
        (lambda: ForcedResponse(forced=["1/6"]), "a chance for each answer"),
        (lambda: ForcedResponse(forced={}), "a chance for each answer"),
        (lambda: ForcedResponse(forced={"yes": float("nan")}), "forced: got nan"),
        (lambda: ForcedResponse(forced={"yse": 0.1}).channel(YN), "did you mean 'yes'"),
        (lambda: ForcedResponse(truth=-1), "a probability"),
        (lambda: OneSided(forced_yes=float("inf")), "OneSided.forced_yes"),
        (lambda: OneSided(forced_yes=0.1).channel(FOUR), "two answers, the first with"),
        (lambda: Mangat(truth_if_no=2), "a probability"),
        (lambda: Mangat(truth_if_no=0.7).channel(FOUR), "two answers"),
        (lambda: UnrelatedQuestion(sensitive_chance=0.7, harmless=17), "write 75 % as 0.75"),
        (
            lambda: UnrelatedQuestion(sensitive_chance=0.7, harmless=0.1).channel(FOUR),
            "two answers",
        ),
        (lambda: Kuk(red_if_yes=0.7, red_if_no=0.3, draws=0), "a whole number of cards"),
        (lambda: Kuk(red_if_yes=0.7, red_if_no=0.3, draws=101), "a whole number of cards"),
        (lambda: Kuk(red_if_yes=0.7, red_if_no=0.3).channel(FOUR), "two answers"),
        (lambda: Crosswise(harmless="one"), "a number such as"),
        (lambda: Crosswise(harmless=0.3).channel(FOUR), "two answers"),
        (lambda: Crosswise.at_epsilon(1).on(FOUR), "two answers"),
        (lambda: Triangular(harmless=0.3).channel(FOUR), "two answers"),
        (lambda: HiddenSensitivity(harmless=[0.5, 0.6]), "a sum of 11/10"),
        (lambda: HiddenSensitivity(harmless=0.3), "a list of 2 to"),
        (lambda: HiddenSensitivity(harmless=[0.5, 0.5]).channel(FOUR), "one for each answer"),
        (lambda: Diagonal(harmless=[0.5, 0.6]), "a sum of 11/10"),
        (lambda: Diagonal(harmless=[0.5, 0.5]).channel(FOUR), "one for each answer"),
        (lambda: Christofides(marks=[1]), "a list of 2 to"),
        (lambda: Christofides(marks=[0.1, 0.2]), "a sum of 3/10"),
        (lambda: Christofides(marks=[0.4, 0.6]).channel(FOUR), "two answers"),
    ],
)
def test_what_no_mechanism_can_mean_is_refused(make, message):
    with pytest.raises(InputError, match=message):
        make()


SURVEY = """
askance = "survey-1"
title = "T"
consent = "C"
[[question]]
name = "q"
text = "Q?"
answers = {answers}
mechanism = {mechanism}
"""


def written(recipe, frame):
    """Write a recipe as a survey file would: lists and tables as they are, the rest in quotes."""
    pairs = recipe.parameters().items()
    cells = [f"{key} = {_toml(value)}" for key, value in pairs]
    mechanism = f'{{ name = "{recipe.name}", {", ".join(cells)} }}'
    return SURVEY.format(answers=list(frame.answers), mechanism=mechanism).encode()


def _toml(value):
    return value.replace(":", " =") if value[:1] in {"[", "{"} else f'"{value}"'


@pytest.mark.parametrize(("recipe", "frame"), ALL, ids=IDS)
def test_a_survey_file_asks_by_the_name(recipe, frame):
    form = publish(parse_survey(written(recipe, frame)))
    deployed_question = deployed(form.question("q"))
    assert deployed_question.channel == recipe.channel(frame)
    assert deployed_question.rounding_note == ""
    assert form.question("q").about["mechanism"] == {"name": recipe.name, **recipe.parameters()}
    result = check(form).questions[0]
    assert result.sentences
    assert result.protection
    assert [width for _, width in result.precision]


@pytest.mark.parametrize("mechanism", MECHANISMS, ids=IDS)
def test_the_catalogue_knows_the_recipe_by_its_parameters(mechanism):
    recipe = mechanism.recipe
    assert answer_mechanism(recipe.name, mechanism.parameters, mechanism.frame) == recipe


def test_every_mechanism_is_tried():
    public = (getattr(mechanisms, name) for name in mechanisms.__all__)
    paths = {kind.__name__ for kind in public if hasattr(kind, "path")}
    tried = {type(mechanism.recipe).__name__ for mechanism in MECHANISMS}
    assert paths - tried == set(), "write each of these into MECHANISMS in named_mechanisms.py"


def test_a_mechanism_that_tells_nothing_is_not_published():
    for word in ('"crosswise", harmless = 0.5', '"forced", truth = 0', '"mangat", truth_if_no = 0'):
        survey = SURVEY.format(answers='["yes", "no"]', mechanism=f"{{ name = {word} }}")
        with pytest.raises(SurveyError, match="tells only 1 of 2 answers apart"):
            publish(parse_survey(survey.encode()))


def test_answers_in_another_script_are_carried():
    frame = Frame(["はい", "いいえ"])
    channel = ForcedResponse(forced={"はい": "1/6"}).channel(frame)
    assert channel.reports == frame.answers
    assert ForcedResponse(forced={"はい": "1/6"}).parameters() == {"forced": '{"はい": "1/6"}'}


def test_estimates_stay_in_range_for_one_report_and_for_none_of_a_kind():
    for recipe, frame in ALL:
        channel = recipe.channel(frame)
        for counts in ({channel.reports[0]: 1}, {channel.reports[-1]: 5}):
            result = estimate(Tally(channel, counts))
            assert np.all((result.value >= 0) & (result.value <= 1))
            assert isinstance(channel, Channel)


@given(st.integers(2, 6), st.data())
def test_diagonal_has_the_chances_of_the_literature(k, data):
    """Each class sends ((w - x) mod k) + 1, and with two answers it is the crosswise model."""
    weights = data.draw(st.lists(st.integers(0, 9), min_size=k, max_size=k).filter(any))
    shares = [Fraction(weight, sum(weights)) for weight in weights]
    reports = [[Fraction(0)] * k for _ in range(k)]
    for x, w in product(range(1, k + 1), repeat=2):
        reports[x - 1][(w - x) % k] += shares[w - 1]
    mechanism = Diagonal(harmless=shares)
    assert rows(mechanism, Frame([f"a{x}" for x in range(k)])) == reports
    if k == 2:
        assert rows(mechanism) == rows(Crosswise(harmless=shares[0]))
