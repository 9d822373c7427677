"""Li, Zhou, Qin and Xu (2022): every figure is drawn, surveys are simulated as they are told."""

from fractions import Fraction

import pytest

import askance as ak

FOLDER = "li-zhou-qin-xu-2022"
YES_NO = ak.Frame(["yes", "no"])
FIGURES = {
    "Figure 1": ("tradeoffs:figure_1", "U² as printed"),
    "Figure 2": ("estimation:figure_2", "c = 1: Warner"),
    "Figure 3": ("estimation:figure_3", "N = 500"),
    "Figure 4": ("tradeoffs:figure_4", "U² as printed"),
    "Figure 5": ("estimation:figure_5", "all Q_λ"),
    "Corollary 11": ("estimation:corollary_11", "as printed"),
}


@pytest.fixture(scope="module")
def estimation(script):
    return script(FOLDER, "estimation")


@pytest.mark.long
@pytest.mark.parametrize("number", FIGURES)
def test_the_figure_is_drawn(run, number):
    function, replies = FIGURES[number]
    assert replies in run(FOLDER, function, number)[1]


def test_the_printed_constant_is_too_small(script):
    tradeoffs = script(FOLDER, "tradeoffs")
    sound = ak.privacy.error_ceiling(1, times=2).beta(tradeoffs.ALPHAS)
    assert (sound - tradeoffs.printed_ceiling(1.0)).max() == pytest.approx(0.692, abs=5e-4)


def test_the_printed_variance_is_too_small_and_the_approximation_too_large(estimation):
    assert estimation.printed_variance(0.1, 1) == pytest.approx(0.7 * 0.45)
    assert estimation.approximate_variance(0.1, 1) == pytest.approx(2.5 * 0.45)


@pytest.mark.long
def test_simulated_surveys_are_estimated_as_the_library_does(estimation):
    channel = estimation.recipe(1.0).channel(YES_NO)
    assert channel.table.chance(0, 2) == Fraction(1, 10)
    distinct = set(estimation.estimates(1.0, 10).round(9))
    possible = {
        round(float(ak.inference.moment_estimate(tally(channel, yes, no)).value[0]), 9)
        for yes in range(11)
        for no in range(11 - yes)
        if yes + no
    }
    assert len(distinct) > 20
    assert distinct <= possible


def tally(channel, yes, no):
    return ak.Tally(channel, {"yes": yes, "no": no, "don't know": 10 - yes - no})
