"""Whole numbers from a survey file to what is learnt: what is asked, sent, counted and planned."""

import json
import re
from io import StringIO
from random import Random

import numpy as np
import pytest
from click.testing import CliRunner
from rich.console import Console
from scipy.stats import norm

import askance as ak
from askance.cli import verbs
from askance.engines import Counts, count_reports
from askance.study import invent_answers, operating_characteristics
from askance.survey import parse_survey, publish
from askance_collect.errors import DocumentError, FormError, InputError, SurveyError
from askance_collect.respond import draw_bounds, encode
from askance_collect.wire import Form

FILE = """
askance = "survey-1"
title = "Drinking"
consent = "Taking part is up to you."
[[question]]
name = "drinks"
text = "How many drinks did you have?"
line = {{ lower = 0, upper = 8, unit = "drinks"{more} }}
{mechanism}
"""
ACCEPTED = 'proves = "accepted"\nproves_reason = "tried"\n'
CUT = 'mechanism = { name = "cuts", number = 1 }'


def written(more=", whole = true", mechanism=CUT):
    if more == ", whole = true" and mechanism:
        mechanism = ACCEPTED + mechanism
    return parse_survey(FILE.format(more=more, mechanism=mechanism).encode())


def test_the_form_says_so_where_it_is_so_and_nowhere_else():
    (entire,) = publish(written()).document["questions"]
    (other,) = publish(written(more=", whole = false")).document["questions"]
    (left_out,) = publish(written(more="")).document["questions"]
    assert entire["line"] == {
        "lower": "-1",
        "step": "1",
        "ticks": 9,
        "unit": {"en": "drinks"},
        "one": {"en": "drink"},
        "whole": True,
    }
    assert other == left_out
    assert other["line"] == {
        "lower": "0",
        "step": "1",
        "ticks": 8,
        "unit": {"en": "drinks"},
        "one": {"en": "drink"},
    }


def test_a_form_is_read_as_it_was_published():
    form = publish(written())
    read = Form.read(form.bytes)
    assert read.fingerprint == form.fingerprint
    assert read.questions[0].line == ak.Line(0, 8, 1, integer=True)


@pytest.mark.parametrize(
    ("more", "mechanism", "wrong"),
    [
        (", whole = 1", CUT, "question[0].line.whole"),
        (', step = "1/2", whole = true', CUT, "question[0].line.step"),
        (", step = 2, whole = true", CUT, "question[0].line"),
        (", step = 3, whole = true", "", "question[0].line.step"),
    ],
)
def test_what_has_no_whole_numbers_is_refused_with_its_place(more, mechanism, wrong):
    with pytest.raises(SurveyError, match=re.escape(wrong)):
        publish(written(more, mechanism))


def test_plain_whole_numbers_begin_at_the_first_tick():
    form = publish(written(mechanism=""))
    (question,) = form.questions
    assert [question.allows(tick) for tick in (0, 1, 9, 10)] == [False, True, True, False]
    document = form.document | {"questions": [dict(form.document["questions"][0])]}
    document["questions"][0]["line"] = {**document["questions"][0]["line"], "step": "2"}
    with pytest.raises(FormError, match="steps of 1"):
        Form.read(document)


def test_what_is_learnt_are_points():
    form = publish(written())
    (question,) = form.questions
    upto = 1 - 0.6 * 0.5 ** np.arange(8)  # 40 % had none
    reports = {(0, tick): int(8000 * upto[tick - 1]) for tick in range(1, 9)}
    reports |= {(tick, 9): 8000 - reports[0, tick] for tick in range(1, 9)}
    analysis = ak.analyse(form, Counts(64_000, {question.name: reports}))
    result = analysis.findings[0].estimate
    assert result.integer
    assert [result.quantiles[share] for share in (0.1, 0.5)] == [(0, 0, 0), (1, 1, 1)]
    assert result.mean_low == result.mean_high
    assert result.mean == pytest.approx(0.6 * sum(0.5 ** np.arange(8)), abs=0.01)
    console = Console(width=100, file=StringIO())
    console.print(ak.present.estimate_table(analysis))
    output = {line.split(",")[0].strip(): line.split()[-4:] for line in read_lines(console)}
    assert output["10th percentile"] == ["0", "0", "to", "0"]
    assert output["median"] == ["1", "1", "to", "1"]


def read_lines(console):
    return console.file.getvalue().splitlines()


def test_a_plan_says_how_many_people_whole_numbers_save():
    channel = ak.Cuts(number=1).channel(ak.Line(0, 8, 1, integer=True))
    other = ak.Cuts(number=1).channel(ak.Line(-1, 8, 1))
    for aim in ({"half_width": 0.8}, {"half_width": 0.8, "response": 0.5, "blank": "1/20"}):
        entire, without = (ak.sample_size(item, **aim) for item in (channel, other))
        assert entire.saved_by_integers == without.people - entire.people > entire.people
        assert entire.to_dict()["saved"] == entire.saved_by_integers
        assert "saved" not in without.to_dict()
    finest = ak.sample_size(channel, half_width=0.3)
    assert finest.saved_by_integers == np.inf
    assert "without, no number would do" in repr(finest)
    assert finest.to_dict()["saved"] is None
    few = ak.sample_size(channel, half_width=0.6, population=1000)
    assert few.people < 1000
    assert few.saved_by_integers == np.inf


@pytest.mark.long
def test_a_rehearsal_invents_whole_numbers_covers_their_mean_and_says_what_they_save():
    form = publish(written())
    people = invent_answers(form, {"drinks": norm(3, 1)})
    assert people.truth["drinks"]["median"] == int(people.truth["drinks"]["median"])
    (result,) = operating_characteristics(form, people, people=100, repetitions=20, rng=5)
    (questions,) = result.collections
    mean = questions.accuracy[0]
    assert mean.covered >= 0.8
    assert abs(mean.bias) < 4 * mean.rmse / 20**0.5
    narrow = mean.half_width
    assert questions.saved_by_integers == pytest.approx(100 * ((narrow / (narrow - 0.5)) ** 2 - 1))
    assert "without whole numbers" in repr(result)


def test_even_people_have_every_whole_number_alike():
    people = invent_answers(publish(written()), people=900)
    answers = [person["drinks"] for person in people.people]
    assert np.bincount(answers).tolist() == [100] * 9


def test_recorded_numbers_that_are_not_whole_are_refused():
    form = publish(written(mechanism=""))
    for law in ([0.5], ["x"]):
        with pytest.raises(InputError):
            invent_answers(form, {"drinks": law})


def test_a_law_with_a_density_tells_the_nearest_whole_number():
    ring = """[question.mechanism]
    name = "ring"
    floor = "1/10"
    sizes = { name = "normal", mean = 4, sd = 1 }"""
    (question,) = publish(written(mechanism=ring)).questions
    sizes = np.array(question.floor.sizes)
    assert sizes.argmax() == 4
    assert sizes[::-1].tolist() == pytest.approx(sizes.tolist(), abs=1)
    assert sizes[4] / sizes.sum() == pytest.approx(norm.cdf(0.5) - norm.cdf(-0.5), abs=1e-5)


@pytest.mark.long
def test_a_table_of_whole_numbers_is_counted_as_it_was_sent(tmp_path):
    form, table = publish(written()), tmp_path / "drinks.csv"
    table.write_text("drinks_above,drinks_upto\n,0\n0,\n4,\n,\n", encoding="utf-8")
    counts = count_reports(table, form)
    assert counts.values["drinks"] == {(0, 1): 1, (1, 9): 1, (5, 9): 1, None: 1}
    plain = publish(written(mechanism=""))
    table.write_text("drinks\n0\n8\n", encoding="utf-8")
    assert count_reports(table, plain).values["drinks"] == {1: 1, 9: 1}
    table.write_text("drinks\n-1\n", encoding="utf-8")
    with pytest.raises(DocumentError, match="drinks"):
        count_reports(table, plain)


DRINKS = [0] * 240 + [1, 2, 3, 4, 5, 6, 7, 7] * 45
"""Of 600 people."""


@pytest.fixture(params=[True, False], ids=["whole numbers", "any numbers"])
def estimates_of_both(request, tmp_path):
    """Ask the same people of whole numbers, and of any: from a file to what each device sent."""
    whole_param, survey = request.param, tmp_path / "drinks.toml"
    more = f", whole = {str(whole_param).lower()}"
    mechanism = ACCEPTED * ("true" in more) + CUT
    survey.write_text(FILE.format(more=more, mechanism=mechanism), encoding="utf-8")
    typed("publish", survey)
    form = Form.read((tmp_path / "drinks.form.json").read_bytes())
    (question,), dice = form.questions, Random(4)
    messages = []
    for number in DRINKS:
        draws = tuple(dice.randrange(bound) for bound in draw_bounds(question))
        messages.append(json.dumps({question.name: encode(question, number, draws)}) + "\n")
    reports = tmp_path / "sent.jsonl"
    reports.write_text("".join(messages), encoding="utf-8")
    return whole_param, survey, tmp_path / "drinks.form.json", reports


def typed(*words):
    result = CliRunner().invoke(verbs, [str(word) for word in words], env={"COLUMNS": "80"})
    if result.exception:
        raise result.exception
    return result.stdout


@pytest.mark.long
def test_from_a_file_to_a_page_and_a_plan_nothing_is_left_open_inside_a_step(
    estimates_of_both, tmp_path
):
    entire, survey, form, reports = estimates_of_both
    page = tmp_path / "learnt.html"
    (result,) = json.loads(typed("estimate", form, reports, "--json", "--page", page))["findings"]
    estimate = result["estimate"]
    open_ = 0 if entire else 1
    assert estimate["mean_high"] - estimate["mean_low"] == pytest.approx(open_, abs=1e-12)
    assert estimate["lower"] <= np.mean(DRINKS) <= estimate["upper"] + open_
    points = np.array(list(estimate["quantiles"].values()))
    assert (points % 1 == 0).all() == entire
    for (low, _, high), share in zip(points, estimate["quantiles"], strict=True):
        assert low <= np.quantile(DRINKS, float(share), method="inverted_cdf") <= high
    text = re.sub(r"\s+", " ", re.sub("<[^>]+>", " ", page.read_text(encoding="utf-8")))
    mean = r"mean \d\.\d \d\.\d to" if entire else r"mean \d\.\d to \d\.\d \d\.\d to"
    median = r"median \d \d to \d " if entire else r"median \d\.\d \d\.\d to"
    assert re.search(mean, text)
    assert re.search(median, text)
    assert ("given as a range" in text) is not entire
    assert (
        bool(re.search(r"mean, drinks +\d\.\d +\d\.\d to", typed("estimate", form, reports)))
        == entire
    )
    if entire:
        assert json.loads(typed("plan", survey, "--json"))["drinks"]["saved"] is None
        assert "without, no number would do" in typed("plan", survey)
    else:  # half a step is .5
        with pytest.raises(InputError, match="smaller step"):
            typed("plan", survey, "--json")
    planned = json.loads(typed("plan", survey, "--half-width", "0.1", "--json"))["drinks"]
    assert planned.get("saved", 0) > planned["people"] if entire else "saved" not in planned
