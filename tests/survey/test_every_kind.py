"""From a form's exact law to its estimate: what every kind of range question lets be learnt."""

from collections import Counter
from fractions import Fraction
from itertools import product

import numpy as np
import pytest

from askance import analyse
from askance.engines import Counts
from askance.inference import Convergence
from askance.present import estimate_table, render_analysis
from askance.survey import parse_survey, publish
from askance_collect.respond import draw_bounds, encode, next_cut

HEAD = 'askance = "survey-1"\ntitle = "T"\nconsent = "C"\nminimum = 1\n'
LINE = "line = { lower = 0, upper = 8, step = 1 }"
SHARES = [Fraction(part, 20) for part in (1, 2, 4, 5, 3, 2, 2, 1)]
CDF = np.concatenate([[0.0], np.cumsum([float(share) for share in SHARES])])
RULES = {
    "cuts": '"cuts", number = 2',
    "ring": '"ring", floor = "1/8"',
    "steps": '"progressive", number = 2, floor = "1/8"',
    "held": '"selective", number = 2, floor = "1/4", sent = "3/4"',
    "thirds": '"two_cuts", number = 3',
    "some": '"cuts", number = 1, open = [[3, 5]]',
}


def published(rule):
    text = f'[[question]]\nname = "q"\ntext = "Q?"\n{LINE}\nmechanism = {{ name = {rule} }}\n'
    return publish(parse_survey((HEAD + text).encode()))


def agreeing(question, draws, step):
    """Narrow while the range is wider than three steps: a choice the ranges themselves tell."""
    cell, chosen = (0, 8), 0
    while cell[1] - cell[0] > 3 and (tick := next_cut(question, draws, cell)) is not None:
        cell, chosen = ((tick, cell[1]) if tick <= step else (cell[0], tick)), chosen + 1
    return encode(question, step, draws, chosen)


def expected(question, answer, n=100_000):
    """Count what n people send, each draw as often as it is expected."""
    counts, draws = Counter(), list(product(*map(range, draw_bounds(question))))
    for draw in draws:
        for step, share in enumerate(SHARES):
            counts[answer(question, draw, step)] += share * n / len(draws)
    return {value: float(count) for value, count in counts.items()}


def plainly(question, draws, step):
    return encode(question, step, draws)


def finding(name, answer=plainly):
    form = published(RULES[name])
    counts = expected(form.questions[0], answer)
    return form, analyse(form, Counts(100_000, {"q": counts})).findings[0]


@pytest.mark.long
@pytest.mark.parametrize("name", RULES)
def test_expected_reports_give_the_truth_back(name):
    _, result = finding(name)
    estimate = result.estimate
    mean = sum(float(share) * (step + 0.5) for step, share in enumerate(SHARES))
    assert estimate.mean_low - 1e-6 <= mean <= estimate.mean_high + 1e-6
    assert np.all(estimate.band_lower <= CDF + 1e-9)
    assert np.all(estimate.band_upper >= CDF - 1e-9)
    inner = slice(3, 6) if name == "thirds" else slice(2, 7)  # no cut leaves less than three steps
    if name != "ring":
        assert estimate.cdf[inner] == pytest.approx(CDF[inner], abs=1e-6)
    assert estimate.se < 0.05


@pytest.mark.long
def test_people_who_stop_by_the_range_alone_leave_the_truth():
    _, result = finding("steps", agreeing)
    _, all_steps = finding("steps")
    estimate = result.estimate
    assert estimate.cdf[1:8] == pytest.approx(CDF[1:8], abs=1e-6)
    assert all_steps.estimate.se < estimate.se < 2 * all_steps.estimate.se
    assert "If stopping depended on more of the answer" in result.left_open[-1]


def test_people_who_never_take_a_step_tell_nothing():
    form = published(RULES["steps"])
    result = analyse(form, Counts(9, {"q": {(0, 8): 9}})).findings[0]
    assert result.estimate.convergence is Convergence.NO_REPORTS


@pytest.mark.long
def test_rings_and_selection_say_what_stays_open():
    _, result = finding("ring")
    assert result.estimate.convergence is Convergence.PARTLY_IDENTIFIED
    assert "ends of the line" in result.left_open[0]
    _, result = finding("held")
    assert "form's law" in result.left_open[0]
    _, result = finding("cuts")
    assert result.left_open == ()


def test_a_law_that_settles_nothing_spoils_only_its_own_question():
    """One cut and a floor above half: the two sides never meet."""
    first = published('"selective", number = 1, floor = "3/4", sent = "1/2"')
    counts = expected(first.questions[0], plainly, 80)
    analysis = analyse(first, Counts(80, {"q": counts}))
    (result,) = analysis.findings
    assert result.estimate.convergence is Convergence.PARTLY_IDENTIFIED
    assert (result.estimate.mean_low, result.estimate.mean_high) == (0.0, 8.0)
    assert result.estimate.reports == int(sum(counts.values()) - counts[None])
    assert "Nothing is learnt inside 0 to 8" in result.left_open[0]
    page = render_analysis(analysis)
    assert "Nothing is learnt inside 0 to 8" in page
    assert "How much was revealed" not in page
    assert "up to a step of the scale" not in page
    assert estimate_table(analysis)


@pytest.mark.parametrize("name", RULES)
@pytest.mark.long
def test_every_kind_has_its_page(name):
    form, _ = finding(name)
    counts = expected(form.questions[0], plainly, 500)
    page = render_analysis(analyse(form, Counts(500, {"q": counts})))
    for message in ("mean", "median", "How much was revealed", "with a band of 95"):
        assert message in page
