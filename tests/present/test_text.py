import io
import re
from dataclasses import replace
from fractions import Fraction

import pytest
from rich.console import Console

from askance import load_survey, parse_survey, publish
from askance.analysis import Check, CheckedQuestion, CheckedTrait, check
from askance.present import estimate_table, rehearsal_table, risk_tables, summary_table
from askance.privacy import Guarantee, Notion

GUARANTEE = Guarantee(Notion.LOCAL, Fraction(6), "")


def printed(table, width):
    console = Console(width=width, file=io.StringIO())
    console.print(table)
    return console.file.getvalue()


def judged(text="Have you?", questions=1):
    sentences = tuple(f"Of 100 people whose answer is {n}, 60 send {n}." for n in range(9))
    question = CheckedQuestion(
        "affair",
        text,
        "table",
        sentences,
        (GUARANTEE,),
        ((100, "± 19.2 points"), (1000, "± 6.1 points")),
        by_answer=True,
        answer_sentences=sentences,
    )
    trait = CheckedTrait("fidelity", ("affair", "desire"), (GUARANTEE,))
    return Check("Marriage", "f" * 64, (question,) * questions, (trait,), ("Asked plainly: age.",))


@pytest.mark.parametrize("width", [80, 120])
def test_no_number_is_lost_or_broken(analysis, width):
    text = printed(rehearsal_table(analysis), width)
    for message in ("33.1 %", "32.2 %", "30.8 to 35.4 %", "1,591", "28.6 to 29.6", "29.1", "6,048"):
        assert message in text
    assert max(map(len, text.splitlines())) <= width
    assert "…" not in text


def test_figures_stay_near_their_names_in_a_wide_terminal(analysis):
    assert max(map(len, printed(estimate_table(analysis), 200).splitlines())) <= 80


@pytest.mark.parametrize("width", [80, 120])
def test_the_truth_is_in_a_rehearsal_alone(analysis, width):
    assert "32.2 %" not in printed(estimate_table(analysis), width)
    assert "Truth" in printed(rehearsal_table(analysis), width)


def test_the_effective_sample_size_is_explained_below_its_column(analysis):
    for table in (rehearsal_table(analysis), estimate_table(analysis)):
        assert printed(table, 80).count("Effective n: the number of direct, truthful answers") == 1
    plain = replace(analysis, findings=analysis.findings[:1])
    assert "Effective n:" not in printed(estimate_table(plain), 80)


def test_what_is_withheld_is_not_printed(analysis):
    text = printed(rehearsal_table(analysis), 100)
    assert "withheld: fewer than the minimum of the survey, 1" in text
    assert "12.3 %" not in text
    assert "5.0 %" not in text.replace("35.0 %", "").replace("15.0 %", "")


def test_the_promise_is_told_with_what_it_means(analysis):
    text = printed(rehearsal_table(analysis), 120)
    assert "Of 100 people whose answer is yes, 60 send yes, 10 send no" in text
    assert "No report is more than 6 times as likely from one answer as from another." in text


def test_no_markup_is_read_and_no_escape_reaches_the_terminal(invent):
    invent_result = invent()
    odd = replace(invent_result.findings[0], text="[red]odd[/red] \x1b[2J\x9b title")
    text = printed(estimate_table(replace(invent_result, findings=(odd,))), 120)
    assert "[red]odd[/red]" in text
    assert "\x1b" not in text
    assert "\x9b" not in text


@pytest.mark.parametrize("width", [80, 120])
def test_risks_are_set_out_per_question_and_per_trait(width):
    text = printed(risk_tables(judged()), width)
    assert text.count("ε = 1.791760 (ratio 6)") == 2
    assert "Together, about fidelity: affair, desire" in text
    assert "± 6.1 points from 1,000" in " ".join(text.split())
    assert "and so for 5 more" in text
    assert "Asked plainly: age." in text


def test_ten_thousand_answers_are_not_all_told():
    assert printed(risk_tables(judged()), 80).count("Of 100 people") == 4


@pytest.fixture(scope="module")
def nine(income):
    """The nine questions of both examples, as if in one survey."""
    first, second = check(publish(load_survey("examples/affairs.toml"))), income
    return replace(
        first,
        questions=first.questions + second.questions,
        warnings=first.warnings + second.warnings,
    )


@pytest.mark.long
def test_a_summary_of_nine_questions_fits_a_screen_and_stands_first(nine):
    text = printed(summary_table(nine), 80)
    lines = text.splitlines()
    assert len(lines) <= 30
    assert max(map(len, lines)) <= 80
    for question in nine.questions:
        assert f"({question.name})" in text
        assert question.protection in text
        assert question.precision[1][1] in text
    assert "by the sizes in the form (income)" in " ".join(text.split())
    assert printed(risk_tables(nine), 80).startswith(text)


def test_what_holds_of_several_questions_is_said_once(nine):
    short, full = (
        " ".join(printed(risk_tables(nine, details=details), 80).split())
        for details in (False, True)
    )
    once = "learns for certain that the answer fits it, and nothing more."
    result = "years, age, income, household, savings, getting_by: Whoever sees a report " + once
    for text in (short, full):
        assert text.count(once) == 1
        assert result in text
    assert short.count("local privacy") == 1 + 2  # once explained
    assert "local privacy, Shafer's loss: ε = 1.791760 (ratio 6)" in short
    assert "Walley's loss: the same, if" in short
    assert "coverage: 0.6527, least coverage: 0.0416, if answers were spread evenly" in short
    assert "coverage: 0.4059, least coverage: 0.2022, by the sizes in the form" in short
    assert "No report is more than 6 times" in full
    assert "20 to 30 %" in full
    assert "20 to 30 %" not in short
    assert len(short) < 0.8 * len(full)
    assert len(printed(risk_tables(nine), 80).splitlines()) < 190


def test_a_sign_is_not_parted_from_its_number(nine):
    lines = printed(risk_tables(nine), 80).splitlines()
    assert not [line for line in lines if line.rstrip().endswith("±")]


def test_every_figure_has_a_gloss():
    displayed = set(Notion) - {Notion.BELIEF, Notion.PLAUSIBILITY, Notion.INFORMATION}
    for notion in Notion:
        trait = CheckedTrait(
            "fidelity", ("affair", "desire"), (Guarantee(notion, Fraction(1), ""),)
        )
        text = " ".join(printed(risk_tables(replace(judged(), traits=(trait,))), 80).split())
        glossed = re.search(rf"\b{re.escape(notion.label)}: (how|the) ", text) is not None
        assert glossed == (notion in displayed), notion


def test_questions_that_nothing_bounds_together_say_so():
    trait = CheckedTrait("fidelity", ("affair", "desire"), ())
    printed_result = printed(risk_tables(replace(judged(), traits=(trait,))), 80)
    assert "Nothing bounds what they reveal together." in printed_result


def test_what_each_group_sends_is_told_below_its_name():
    """Though another question's reports come about as those of one group do."""
    ways = [f'mechanism = {{ name = "crosswise", harmless = "{of}" }}' for of in ("1/4", "3/4")]
    few, many = (
        f'{{ name = "{name}", share = "1/2", {variant} }}'
        for name, variant in zip(("few", "many"), ways, strict=True)
    )
    text = 'text = "Cheated?"\nanswers = ["yes", "no"]\n'
    survey = f"""
askance = "survey-1"
title = "T"
consent = "C"
[[question]]
name = "cheated"
{text}group = [{few}, {many}]
[[question]]
name = "alike"
{text}{ways[0]}
"""
    form = publish(parse_survey(survey.encode()))
    lines = printed(risk_tables(check(form)), 200).splitlines()
    for group, reports in (("few", 25), ("many", 75)):
        index_result = lines.index(f"Chance puts 50 of 100 people into group “{group}”.")
        replies = f"Of 100 people whose answer is “yes”, {reports} send “both or neither”"
        assert lines[index_result + 1].startswith(replies)
