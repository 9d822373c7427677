"""Recipes for a number on a line, as deployed: every draw enumerated, with fractions."""

import itertools
import json
import re
from collections import Counter
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from askance import Cuts, Line, Progressive, Ring, parse_survey, publish
from askance.channels import CutLaw
from askance.mechanisms import Runs, Selective, range_mechanism
from askance.privacy import coverage
from askance.survey import deployed
from askance_collect.errors import InputError, SurveyError
from askance_collect.respond import draw_bounds, encode

ORACLES = json.loads((Path(__file__).parents[1] / "oracles/interval.json").read_text("utf-8"))
LINE = Line(0, 12, 2, "hours")
RECIPES = {
    "case 1": Cuts(number=1),
    "case 2": Cuts(number=2, law=[1, 2, 0, 2, 1]),
    "cuts": Cuts(number=3, law=["1/2", 1, "1/3", 0, 1], between=[2, 10]),
    "open": Cuts(number=2, open=[(0, 2), (8, 12)]),
    "ring": Ring(floor="1/3", sizes=[1, 2, 1, 2, 1, 2]),
    "ring of half": Ring(floor="1/2", law=[1, 2, 3, 4, 5]),
    "selective": Selective(floor="2/5", send_chance="4/5", number=2, law=[1, 2, 3, 2, 1]),
    "selective, open": Selective(floor="1/2", send_chance=1, open=[[10, 12]]),
    "progressive": Progressive(number=3, floor="1/3", law=[1, 2, 1, 1, 2]),
    "progressive, open": Progressive(number=2, floor="1/4", open=[(4, 6)]),
}


def asked_by(recipe):
    """Publish a recipe by its own words, as a survey file would hold them."""
    written = ", ".join(f"{key} = {_toml(value)}" for key, value in recipe.parameters().items())
    text = f"""askance = "survey-1"
title = "T"
consent = "C"
[[question]]
name = "q"
text = "Q?"
line = {{ lower = 0, upper = 12, step = 2, unit = "hours" }}
mechanism = {{ name = "{recipe.name}", {written} }}"""
    return publish(parse_survey(text.encode())).questions[0]


def _toml(value):
    if value.startswith("["):
        return re.sub(r"\d+/\d+", r'"\g<0>"', value)
    return value if value.isdigit() else json.dumps(value)


def draw_sent(question, step):
    """Give the exact chance of each value from an answer in a step, every draw counted."""
    draws = itertools.product(*map(range, draw_bounds(question)))
    counts = Counter(encode(question, step, draw) for draw in draws)
    return {value: Fraction(count, counts.total()) for value, count in counts.items()}


@pytest.mark.long
@pytest.mark.parametrize("name", RECIPES)
def test_every_deployable_recipe_is_true_flat_and_as_wide_as_printed(name):
    recipe = RECIPES[name]
    question = asked_by(recipe)
    channel, blank = recipe.channel(LINE), Fraction(*question.blank)
    as_deployed = deployed(question).channel
    assert as_deployed == channel
    rows = [draw_sent(question, step) for step in range(LINE.ticks)]
    mean = Fraction(0)
    for step, row in enumerate(rows):
        assert sum(row.values()) == 1
        assert row.get(None, 0) == blank + (1 - blank) * channel.null_chance(step)
    for cell in set().union(*rows) - {None}:
        inside = [index for low, high in channel.pieces(*cell) for index in range(low, high)]
        assert [index for index, row in enumerate(rows) if row.get(cell)] == inside
        assert {row[cell] for row in rows if row.get(cell)} == {
            (1 - blank) * channel.cell_chance(*cell)
        }
        mean += channel.cell_chance(*cell) * len(inside) ** 2
    silent = sum(channel.null_chance(step) for step in range(LINE.ticks))
    printed = mean / LINE.ticks**2 + silent / LINE.ticks
    assert float(coverage(channel).value) == pytest.approx(float(printed), abs=1e-9)


@pytest.mark.parametrize(
    ("name", "exact"),
    [("open", {0, 4, 5}), ("selective, open", {5}), ("progressive, open", {2}), ("cuts", set())],
)
def test_an_answer_in_an_acceptable_stretch_is_sent_as_it_is(name, exact):
    question = asked_by(RECIPES[name])
    blank = Fraction(*question.blank)
    always = [draw_sent(question, step).get((step, step + 1), 0) == 1 - blank for step in range(6)]
    assert {step for step in range(6) if always[step]} == exact


@pytest.mark.parametrize("name", ["ring", "ring of half", "selective", "progressive"])
def test_what_is_sent_keeps_the_floor(name):
    recipe = RECIPES[name]
    channel = recipe.channel(LINE)
    sizes = channel.floor.sizes
    probabilities = channel.range_probabilities(channel.cells()[0], np.array(sizes) / sum(sizes))
    assert probabilities.min() >= float(recipe.floor) - 1e-12


@given(
    st.lists(st.integers(0, 3), min_size=4, max_size=4).filter(any),
    st.integers(1, 3),
    st.fractions("1/5", "1/2"),
)
@settings(max_examples=30, deadline=None)
def test_the_side_blind_rule_is_flat_and_the_printed_one_is_not(weights, number, floor):
    line = Line(0, 5, 1)
    blind = Progressive(number=number, floor=floor, law=weights)
    try:
        channel = blind.channel(line)
    except InputError:
        return
    final = blind.final_law(line)
    for column, meaning in enumerate(final.meanings):
        inside = [row[column] for index, row in enumerate(final.table.rows) if meaning >> index & 1]
        assert len(set(inside)) == 1
    listed = {tuple(cell) for cell in channel.cells()[0].tolist()}
    assert listed == {
        tuple(int(end) for end in report.strip("(]").split(", ")) for report in final.reports
    }


def test_the_printed_rule_leaves_numbers_out_of_the_range_it_names():
    """U at the 20 % quantile and a floor of 30 %: to stop tells that the answer is below."""
    line = Line(0, 10, 1)
    leaky = Progressive(
        number=1, floor="3/10", law=[0, 1, 0, 0, 0, 0, 0, 0, 0], stopping="example-4"
    )
    final = leaky.final_law(line)
    entire = final.matrix[:, final.column("(0, 10]")]
    assert entire.tolist() == [1, 1] + [0] * 8
    with pytest.raises(InputError, match=r"stopping there reveals what the range hides"):
        leaky.channel(line)


@pytest.mark.long
@pytest.mark.parametrize("case", ORACLES["selective_null"]["cases"], ids=lambda case: case["tau"])
def test_what_is_withheld_is_as_the_oracle_has_it(case):
    """A fine line comes as near as its step to the oracle's continuous one."""
    line = Line(0, 1, "1/1000")
    recipe = Selective(floor=case["tau"], send_chance=case["rho"])
    channel = recipe.channel(line)
    for y, expected in zip(case["y"], case["prob_null_given_y"], strict=True):
        number = float(
            1 - recipe.send_chance + recipe.send_chance * channel.null_chance(line.cell(y))
        )
        assert number == pytest.approx(expected, abs=2e-3)


def test_coverage_on_a_fine_line_is_that_of_the_oracle():
    line, prior = Line(-8, 8, "1/50"), stats.norm()
    normal = [case for case in ORACLES["coverage"]["cases"] if case["Y"] == "normal(0,1)"]
    laws = {
        "logistic(0,1)": stats.logistic(),
        "two iid logistic(0,0.5), sorted": stats.logistic(0, 0.5),
    }
    result = 0
    for case in normal:
        if case["U"] in laws:
            number = 1 if case["mechanism"] == "case1" else 2
            channel = Cuts(number=number, law=laws[case["U"]]).channel(line)
            assert float(coverage(channel, prior).value) == pytest.approx(
                case["coverage"], abs=2e-3
            )
            result += 1
    assert result == 2


def test_laws_may_be_written_in_every_way():
    line = Line(0, 4, 1)
    assert Cuts(law=np.array([1, 2, 1])).channel(line).cut_weights == (1, 2, 1)
    assert Cuts(law=["1/2", "1/3", 0]).channel(line).cut_weights == (3, 2, 0)
    even = Cuts(law=lambda x: np.clip(x / 4, 0, 1)).channel(line).cut_weights
    assert even == Cuts(law={"name": "uniform", "lower": 0, "upper": 4}).channel(line).cut_weights
    assert len(set(even)) <= 2
    named = {"name": "normal", "mean": 2, "sd": 1}
    assert Cuts(law=named).channel(line) == Cuts(law=stats.norm(2, 1)).channel(line)
    skewed = Ring(floor="1/4", sizes={"name": "lognormal", "median": 2, "spread": 3}).channel(line)
    assert sum(skewed.floor.sizes) == 1_000_000
    assert skewed.floor.sizes[0] + skewed.floor.sizes[1] == 500_000
    assert Cuts(law=stats.norm(2, 1)).parameters()["law"] == "norm(2, 1)"
    assert Cuts(law=named) == Cuts(law=named)


def test_the_catalogue_takes_what_may_be_left_out():
    assert range_mechanism("ring", {"floor": "1/4"}) == Ring(floor="1/4")
    mechanism = range_mechanism("selective", {"floor": 0.2, "sent": 0.5, "number": 2})
    assert mechanism == Selective(floor="1/5", send_chance="1/2", number=2)
    with pytest.raises(InputError, match="floor and sent"):
        range_mechanism("selective", {"floor": 0.2})
    with pytest.raises(InputError, match="did you mean 'sizes'"):
        range_mechanism("ring", {"floor": 0.2, "size": "even"})


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: Ring(floor="0.51"), r"\(0, 1/2\]"),
        (lambda: Ring(floor=float("nan")), "a number such as"),
        (lambda: Ring(floor=0), r"\(0, 1/2\]"),
        (lambda: Ring(floor="1/2").channel(Line(0, 3, 1)), "up to half"),
        (lambda: Ring(floor="1/4").channel(Line(0, 2, 1)), "some pair keeps"),
        (lambda: Progressive(number=2, floor="2/3"), r"\(0, 1/2\]"),
        (lambda: Progressive(number=2, floor="1/2").channel(Line(0, 3, 1)), "both sides"),
        (lambda: Progressive(number=17, floor="1/2"), r"\[1, 16\]"),
        (lambda: Progressive(number=2, floor="1/4", stopping="mine"), "side-blind or example-4"),
        (lambda: Progressive(number=2, floor="1/4").final_law(Line(0, 61, 1)), "at most 60"),
        (lambda: Selective(floor=1, send_chance="1/2"), r"\(0, 1\)"),
        (lambda: Selective(floor="1/2", send_chance=0), r"\(0, 1\]"),
        (lambda: Selective(floor="1/2", send_chance="3/2"), r"\[0, 1\]"),
        (lambda: Cuts(law=[1, 2]).channel(Line(0, 4, 1)), "3 non-negative numbers"),
        (lambda: Cuts(law=[0, 0, 0]).channel(Line(0, 4, 1)), "not all zero"),
        (lambda: Cuts(law=[1, -1, 1]).channel(Line(0, 4, 1)), "non-negative"),
        (lambda: Cuts(law=[1, float("inf"), 1]).channel(Line(0, 4, 1)), "a number such as"),
        (lambda: Cuts(law="evn").channel(Line(0, 4, 1)), '"even"'),
        (lambda: Cuts(law=3).channel(Line(0, 4, 1)), "a distribution"),
        (lambda: Cuts(law=stats.norm(900, 1)).channel(Line(0, 4, 1)), "mass on the line"),
        (lambda: Cuts(law=np.sin).channel(Line(0, 4, 1)), "never falls"),
        (lambda: Cuts(law={"name": "normal", "mean": 1}), "name, mean, sd"),
        (lambda: Cuts(law={"name": "normal", "mean": 1, "sd": 0}), "sd above 0"),
        (lambda: Cuts(law={"name": "cauchy"}), "normal, logistic, lognormal, uniform"),
        (lambda: Ring(floor="1/4", sizes=[1, 1]).channel(Line(0, 4, 1)), "4 non-negative"),
        (lambda: Cuts(open=[0, 1]), "pairs of numbers"),
        (lambda: Cuts(open=[(0, 1, 2)]), "pairs of numbers"),
        (lambda: Cuts(open=["01"]), "pairs of numbers"),
        (lambda: Cuts(open="01"), "pairs of numbers"),
        (lambda: Cuts(open=3), "pairs of numbers"),
        (lambda: Cuts(open=[(1, 1)]), "ascend"),
        (lambda: Cuts(open=[(0, 1), (1, 2)]), "do not touch"),
        (lambda: Cuts(open=[(0, "1/2")]).channel(Line(0, 4, 1)), "by steps of 1"),
        (lambda: Cuts(open=[(0, 4)]).channel(Line(0, 4, 1)), "not the whole line"),
        (lambda: Cuts(open=[(2, 5)]).channel(Line(0, 4, 1)), "ends from 0 to 4"),
        (lambda: Line(0, 1, 1), "at least two whole steps"),
    ],
)
def test_what_no_range_recipe_can_mean_is_refused(make, message):
    with pytest.raises(InputError, match=message):
        make()


@pytest.mark.parametrize("answer", [-1, 12, 0.5, True, "5", float("nan"), float("inf")])
def test_an_answer_outside_the_line_is_refused_without_being_repeated(answer):
    question = asked_by(RECIPES["progressive"])
    with pytest.raises(InputError, match=r"an integer in \[0, 6\)") as caught:
        encode(question, answer, tuple(bound - 1 for bound in draw_bounds(question)))
    assert caught.value.got is None


def test_counts_may_come_from_arrays():
    two = np.arange(3)[2]
    assert Cuts(number=two) == Cuts(number=2)
    assert Progressive(number=two, floor="1/4") == Progressive(number=2, floor="1/4")
    assert Runs(number=two) == Runs(number=2)
    assert CutLaw(stats.norm(), two).number == 2


@pytest.mark.parametrize("number", [float("nan"), float("inf"), -float("inf"), "x", None])
def test_what_is_no_number_falls_in_no_step(number):
    with pytest.raises(InputError, match="a number such as"):
        LINE.cell(number)


def test_an_answer_on_a_tick_is_in_the_step_below():
    assert [LINE.cell(number) for number in (-9, 0, 2, 4, 12, 99)] == [0, 0, 0, 1, 5, 5]


def test_a_selective_question_brings_its_own_blank():
    text = """askance = "survey-1"
title = "T"
consent = "C"
[[question]]
name = "q"
text = "Q?"
line = { lower = 0, upper = 12 }
blank = 0.1
mechanism = { name = "selective", floor = 0.2, sent = 0.9 }"""
    with pytest.raises(SurveyError, match=r"question\[0\]\.blank"):
        publish(parse_survey(text.encode()))
    form = publish(parse_survey(text.replace("blank = 0.1\n", "").encode()))
    assert form.questions[0].blank == (1, 10)
