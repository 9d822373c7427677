"""Answers are named as the form words them, on page and terminal."""

import io
from dataclasses import replace

from drawings import dots
from rich.console import Console

from askance.present import rehearsal_table


def named(analysis, finding):
    """Give the answers' names in the table and in the figure, with what is told of their truth."""
    console = Console(width=100, file=io.StringIO())
    console.print(rehearsal_table(replace(analysis, findings=(finding,))))
    lines = [line for line in console.file.getvalue().splitlines() if line.startswith("  ")][1:]
    table = [(line[:30].strip(), line[30:].split("%")[0].strip()) for line in lines]
    return table, [row[0] for row in dots(analysis, finding).words]


def reworded(finding, words):
    return replace(finding, wording=dict(zip(("yes", "no"), words, strict=True)))


def test_answers_are_named_as_the_form_words_them(analysis):
    words = ["Yes, I have", "No, never"]
    table, figure = named(analysis, reworded(analysis.findings[1], words))
    assert table == list(zip(words, ("32.2", "67.8"), strict=True))
    assert figure == words


def test_names_stay_where_two_wordings_are_equal(analysis):
    table, figure = named(analysis, reworded(analysis.findings[1], ("same", "same")))
    assert [name for name, _ in table] == figure == ["yes", "no"]


def test_foreign_labels_stay(analysis):
    finding = reworded(analysis.findings[1], ("Yes, I have", "No, never"))
    other = replace(finding, estimate=replace(finding.estimate, labels=("once", "twice")))
    table, figure = named(analysis, replace(other, truth={"once": 0.3, "twice": 0.7}))
    assert [name for name, _ in table] == figure == ["once", "twice"]
