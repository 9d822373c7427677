"""What page and terminal say of each finding: the figure to say first, and all that it holds."""

import io
import re
from dataclasses import replace

import pytest
from rich.console import Console

from askance.inference import estimate_plain
from askance.present import rehearsal_table, render_analysis
from askance_collect.exact import Line

CELL = re.compile(r"<t[dh][^>]*>(.*?)</t[dh]>", re.DOTALL)


def rows(page, heading):
    """Give the rows of the first table below a heading, as texts."""
    table = page[page.index(heading) :].split("</table>")[0]
    cells = [CELL.findall(row) for row in table.split("<tr")[1:]]
    return [[re.sub(r"\s*<[^>]+>\s*", " ", cell).strip() for cell in row] for row in cells]


def glance(analysis, *findings):
    """Give what the page says first of each finding: answer, estimate and interval."""
    page = render_analysis(replace(analysis, findings=findings))
    return [" ".join(" ".join(row).split()) for row in rows(page, "At a glance")[1:]]


def read_terminal(analysis, finding):
    """Give what the terminal says of a finding, name by name."""
    console = Console(width=100, file=io.StringIO())
    console.print(rehearsal_table(replace(analysis, findings=(finding,))))
    lines = [line for line in console.file.getvalue().splitlines() if line.startswith("  ")]
    return [re.split(r" {2,}", line.strip()) for line in lines][1:]


def test_the_headline_is_the_first_of_two_answers_and_the_commonest_of_more(analysis):
    glance_result = glance(analysis, analysis.findings[1], analysis.findings[2])
    assert "? yes 33.1 %" in glance_result[0]
    assert "? fairly 38.2 %" in glance_result[1]


def test_the_headline_of_a_number_is_its_mean_as_bounds(analysis):
    (result,) = glance(analysis, analysis.findings[3])
    assert "? mean, years 28.6 to 29.6 28.2 to 30.0" in result


@pytest.mark.long
def test_a_mean_that_is_one_number_is_told_as_one(analysis):
    finding = analysis.findings[3]
    sharp = replace(finding, estimate=replace(finding.estimate, mean_low=29.1, mean_high=29.1))
    assert read_terminal(analysis, sharp)[0][2] == "29.1"
    assert "mean, years 29.1" in glance(analysis, sharp)[0]


def test_nothing_is_held_of_what_is_withheld(analysis):
    assert read_terminal(analysis, analysis.findings[5]) == []
    assert "withheld" in glance(analysis, analysis.findings[5])[0]


def test_quantiles_have_names_and_no_worth(analysis):
    assert read_terminal(analysis, analysis.findings[3]) == [
        ["mean, years", "29.1", "28.6 to 29.6", "28.2 to 30.0", "1,502"],
        ["10th percentile, years", "20.0", "19.0 to 21.0"],
        ["median, years", "27.0", "28.0", "27.0 to 29.0"],
        ["90th percentile, years", "39.0", "38.0 to 41.0"],
    ]


def test_a_number_of_which_nothing_was_learnt_is_said_to_be_so(analysis):
    finding = analysis.findings[3]
    estimate = estimate_plain(Line(17, 70, 1), {}, unit="years")
    result = read_terminal(analysis, replace(finding, estimate=estimate, truth=None))
    first, *quantiles = [tuple(item[1:3]) for item in result]
    assert first == ("nothing learnt", "not known")
    assert set(quantiles) == {("not known", "not known")}
