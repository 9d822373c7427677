"""What a report will look like is what reports of the form do look like, counted one by one."""

import io
import re
from collections import Counter
from dataclasses import replace
from fractions import Fraction
from itertools import product

import numpy as np
import pytest
from rich.console import Console

from askance.analysis import check
from askance.present import risk_tables
from askance.privacy import CoverageLaw, Notion
from askance.survey import deployed, parse_survey, publish
from askance_collect.respond import draw_bounds, encode

HEAD = 'askance = "survey-1"\ntitle = "T"\nconsent = "C"\nlanguages = ["en", "de"]\n'
LINE = 'line = { lower = 0, upper = 6000, step = 1000, unit = { en = "euros", de = "Euro" } }'
RULES = {
    "cuts": '"cuts", number = 2',
    "ring": '"ring", floor = "1/3"',
    "narrow": '"progressive", number = 2, floor = "1/3"',
    "held": '"selective", number = 2, floor = "1/3", sent = "3/4"',
    "some": '"cuts", number = 1, open = [[2000, 4000]]',
}


def question_block(rule):
    return f'[[question]]\nname = "q"\ntext = "Q?"\n{LINE}\nmechanism = {{ name = {rule} }}\n'


def published(rule, languages='["en", "de"]'):
    head = HEAD.replace('["en", "de"]', languages)
    return publish(parse_survey((head + question_block(rule)).encode()))


def coverages(question):
    """Count what a report of each answer leaves possible, over every draw but the blank."""
    counts, n = Counter(), question.line.ticks
    channel = deployed(question).channel
    for draws in product([question.blank[1] - 1], *map(range, draw_bounds(question)[1:])):
        for step in range(n):
            value = encode(question, step, draws)
            left_total = n if value is None else sum(b - a for a, b in channel.pieces(*value))
            counts[left_total / n] += 1
    return {name: count / counts.total() for name, count in counts.items()}


@pytest.mark.parametrize("name", RULES)
def test_the_law_is_that_of_the_device(name):
    question = published(RULES[name]).questions[0]
    preview_result, expected = deployed(question).preview(), coverages(question)
    law = Counter()
    for value, chance in zip(preview_result.law.values, preview_result.law.chances, strict=True):
        law[round(float(value), 9)] += float(chance)
    assert {value for value, chance in law.items() if chance > 1e-12} == {
        round(value, 9) for value in expected
    }
    for value, chance in expected.items():
        assert law[round(value, 9)] == pytest.approx(chance)
    upto = np.cumsum([expected[value] for value in sorted(expected)])
    median = sorted(expected)[int(np.argmax(upto >= 0.5 - 1e-12))]
    assert preview_result.law.quantile(0.5) == pytest.approx(median)


def test_the_typical_and_the_worst_report_are_named():
    question = published(RULES["ring"]).questions[0]
    english = deployed(question).preview()
    german = deployed(published(RULES["ring"], '["de", "en"]').questions[0]).preview()
    assert english.sentences == (
        "Typically: between 1,000 and 4,000 euros. Of 100 people, if answers were spread evenly, "
        "50 would fit.",
        "At worst: between 1,000 and 3,000 euros. That would fit 33.3 of 100.",
    )
    assert german.typical == "between 1,000 and 4,000 Euro"


def test_ranges_around_what_is_sent_exactly_say_so():
    question = published(RULES["some"]).questions[0]
    preview_result = deployed(question).preview()
    assert "33.3 of 100 people would be sent exactly" in preview_result.learnt[1]
    assert preview_result.notes == ("what is sent exactly fits its step",)


def test_sizes_in_the_form_are_what_people_are_counted_by():
    sizes = ", sizes = [1, 1, 1, 1, 1, 5]"
    question = published(RULES["ring"] + sizes).questions[0]
    preview_result = deployed(question).preview()
    assert preview_result.assumed_population == "by the sizes in the form"
    channel = deployed(question).channel
    inside = channel.range_probabilities(channel.cells()[0], np.array([1, 1, 1, 1, 1, 5]) / 10)
    assert preview_result.law.minimum == pytest.approx(inside.min())


@pytest.mark.parametrize("name", RULES)
def test_the_form_carries_guarantees_and_outlook_for_people(name):
    form = published(RULES[name])
    about = form.document["questions"][0]["about"]
    last = "silence" if name == "held" else "flatness"
    assert set(about["guarantees"]) == {"coverage", "floor", last}
    assert about["expected"]["typical"] == deployed(form.questions[0]).preview().typical
    if name != "held":
        assert about["guarantees"]["flatness"]["value"] == "1"
        assert "enumerated" in about["guarantees"]["flatness"]["attained"]


def test_silence_is_bounded_and_told():
    (question,) = check(published(RULES["held"])).questions
    text = " ".join(question.preview.learnt)
    assert "Of 100 people with one answer" in text
    assert "Of 100 who send nothing" in text
    last = question.guarantees[-1]
    assert last.notion is Notion.SILENCE
    assert last.epsilon <= np.log(4) + 1e-6
    assert "Where nothing is sent" in last.promise


def test_a_blank_too_small_to_hide_behind_is_warned_of():
    rule = '"selective", number = 1, floor = "2/3", sent = "99/100"'
    judged = check(published(rule))
    assert (
        "sending nothing is due to a narrow range more often than to chance"
    ) in judged.warnings[0]
    assert "no number of reports identifies the mean" in judged.warnings[1]
    assert judged.questions[0].precision == ()
    assert check(published(RULES["narrow"])).warnings == ()


def test_named_answers_that_are_never_untrue_are_judged_as_ranges_are():
    rule = 'answers = ["a", "b", "c"]\nmechanism = { name = "blocks", number = 2 }\n'
    rule += 'proves = "accepted"\nproves_reason = "tried"\n'
    form = publish(parse_survey((HEAD + '[[question]]\nname = "q"\ntext = "Q?"\n' + rule).encode()))
    (question,) = check(form).questions
    assert [guarantee.notion.label for guarantee in question.guarantees] == [
        "coverage",
        "least coverage",
        "worst density ratio inside a report",
        "advantage over guessing",
    ]
    channel = form.questions[0]
    fractions = [Fraction(len(means), 3) for means in channel.meanings]
    tau = sum(
        channel.table.row(x)[y] / 3 * fractions[y]
        for x in range(3)
        for y in range(len(channel.meanings))
    )
    assert question.preview.law.mean == pytest.approx(float(tau))
    assert question.guarantees[0].printed(4) == f"{int(tau * 10_000) / 10_000:.4f}"


def test_what_may_be_untrue_or_is_plain_has_no_outlook():
    rule = 'answers = ["a", "b"]\nmechanism = { name = "warner", truth = "3/4" }\n'
    plain = '[[question]]\nname = "r"\ntext = "Q?"\nanswers = ["a", "b"]\n'
    first = '[[question]]\nname = "q"\ntext = "Q?"\n'
    form = publish(parse_survey((HEAD + first + rule + plain).encode()))
    assert [deployed(question).preview() for question in form.questions] == [None, None]


def test_histograms_keep_to_their_columns_and_count_all():
    law = CoverageLaw(
        values=[0.001, 0.1, 0.1001, 0.9, 1], chances=[0.001, 0.2, 0.3, 0.4, 0.099], n=0
    )
    judged = check(published(RULES["cuts"]))
    (question,) = judged.questions
    text = replace(question, preview=replace(question.preview, law=law))
    console = Console(width=80, file=io.StringIO())
    console.print(risk_tables(replace(judged, questions=(text,)), details=True))
    lines = re.findall(r"^ *\d+ to \d+ % .*$", console.file.getvalue(), re.MULTILINE)
    assert len(lines) == 10
    assert max(map(len, lines)) <= 70
    assert [line.split()[4] for line in lines] == ["20", "30", *["0"] * 6, "40", "10"]
