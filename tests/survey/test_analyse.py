"""Reports that do not fit their form: told wherever an estimate is, and no interval beside it."""

import numpy as np
import pytest

from askance import analyse
from askance.engines import Counts
from askance.present import estimate_table, render_analysis
from askance.survey import parse_survey, publish

FORM = publish(
    parse_survey(b"""
askance = "survey-1"
title = "T"
consent = "C"
[[question]]
name = "affair"
text = "Had one?"
answers = ["yes", "no"]
mechanism = { name = "warner", truth = "3/4" }
blank = "1/20"
[[question]]
name = "age"
text = "How old?"
line = { lower = 0, upper = 10, step = 1 }
mechanism = { name = "cuts", number = 1 }
[[question]]
name = "tea"
text = "Tea?"
answers = ["yes", "no"]
""")
)


def fair(invented=0, oldest=0, blank=526):
    """Give 10,000 honest reports, as expected, and so many that were invented."""
    age = {(0, cut): 1_111 * cut // 10 for cut in range(1, 10)}
    age |= {(cut, 10): 1_111 - 1_111 * cut // 10 for cut in range(1, 10)}
    age[9, 10] += oldest
    affair = {0: 4_000 + invented, 1: 6_000, None: blank}
    return Counts(10_000, {"affair": affair, "age": age, "tea": {0: 10_000}})


def print_analysis(analysis):
    from io import StringIO

    from rich.console import Console

    out = StringIO()
    Console(file=out, width=80).print(estimate_table(analysis))
    return " ".join(out.getvalue().split())


@pytest.mark.long
def test_honest_reports_are_not_doubted():
    analysis = analyse(FORM, fair())
    assert not any(finding.fit.doubted for finding in analysis.findings)
    assert "do not fit" not in print_analysis(analysis) + render_analysis(analysis)
    assert analysis.to_dict()["findings"][0]["fit"]["doubted"] is False
    assert analysis.to_dict()["findings"][2]["fit"]["tests"] == []


@pytest.mark.long
def test_the_poisoned_share_is_doubted_in_words_and_has_no_interval():
    analysis = analyse(FORM, fair(invented=100_000))
    finding = analysis.findings[0]
    assert finding.fit.doubted
    assert finding.estimate.value[0] == 1
    assert (finding.estimate.lower[0], finding.estimate.upper[0]) == (0, 1)
    for result in (print_analysis(analysis), render_analysis(analysis)):
        assert "These reports do not fit the form" in result
        assert "“yes” is 94.5" in result
        assert "100.0 to 100.0" not in result
        assert "0.0 to 100.0" in result
    written = analysis.to_dict()["findings"][0]
    assert written["fit"]["doubted"] is True
    assert "yes" in written["fit"]["tests"][0]["found"]


@pytest.mark.long
def test_the_poisoned_number_is_doubted_in_words_and_has_no_interval():
    analysis = analyse(FORM, fair(oldest=100_000))
    finding = analysis.findings[1]
    assert finding.fit.doubted
    assert (finding.estimate.lower, finding.estimate.upper) == (0, 10)
    assert np.all(finding.estimate.band_lower[:-1] == 0)
    assert {(low, high) for low, _, high in finding.estimate.quantiles.values()} == {(0, 10)}
    assert "The range (9, 10] is 91.0 % of the reports" in print_analysis(analysis)
    assert "These reports do not fit the form" in render_analysis(analysis)


def test_invented_reports_without_blanks_are_doubted():
    finding = analyse(FORM, fair(blank=300)).findings[0]
    assert finding.fit.doubted
    assert finding.fit.findings == (
        "Blank is 2.9 % of the reports; of honest ones it is at least 5.0 % on average.",
    )


def test_people_who_leave_a_question_out_are_not_doubted():
    assert not analyse(FORM, fair(blank=5_000)).findings[0].fit.doubted


def test_what_is_withheld_says_nothing_of_its_fit():
    counts = Counts(9, {"affair": {0: 9}, "age": {}, "tea": {}})
    analysis = analyse(FORM, counts)
    assert analysis.to_dict()["findings"][0]["fit"] is None
    assert "do not fit" not in print_analysis(analysis) + render_analysis(analysis)


NARROWED = publish(
    parse_survey(b"""
askance = "survey-1"
title = "T"
consent = "C"
[[question]]
name = "pay"
text = "How much?"
line = { lower = 0, upper = 10, step = 1 }
mechanism = { name = "progressive", number = 3, floor = "1/5" }
""")
)


@pytest.mark.parametrize(("invented", "doubted"), [(0, False), (3_000, True)])
def test_narrow_ranges_that_nobody_came_to_are_doubted(invented, doubted):
    reports = {(0, 10): 3_000, (0, 5): 500, (5, 10): 500, (3, 10): 300, (8, 10): 60 + invented}
    analysis = analyse(NARROWED, Counts(sum(reports.values()), {"pay": reports}))
    assert analysis.findings[0].fit.doubted is doubted
    assert analysis.findings[0].manipulation.population == "if people are as estimated"


def test_a_single_report_is_analysed():
    analysis = analyse(FORM, Counts(1, {"affair": {0: 1}, "age": {(0, 4): 1}, "tea": {1: 1}}))
    assert render_analysis(analysis)
    assert "Tea?" in print_analysis(analysis)


def test_what_is_known_to_be_true_cannot_be_changed_afterwards():
    expected = {"affair": {"yes": 0.2, "no": 0.8}}
    finding = analyse(FORM, fair(), truth=expected).findings[0]
    expected["affair"]["yes"] = 0.9
    assert finding.truth == {"yes": 0.2, "no": 0.8}
    for content in (finding.truth, finding.wording):
        with pytest.raises(TypeError):
            content["yes"] = 0
