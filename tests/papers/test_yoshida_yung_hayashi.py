"""Yoshida, Yung and Hayashi: every figure is drawn."""

import pytest

import askance as ak

FOLDER = "yoshida-yung-hayashi"
FIGURES = {
    "Figure 1": ("maxima:figure_1", "share θ"),
    "Figure 2": ("maxima:figure_2", "w = 2/5"),
    "Figure 3": ("maxima:figure_3", "w = 2/5"),
    "Chernoff": ("maxima:chernoff", "truth or silence"),
}


@pytest.mark.long
@pytest.mark.parametrize("number", FIGURES)
def test_the_figure_is_drawn(run, number):
    function, replies = FIGURES[number]
    assert replies in run(FOLDER, function, number)[1]


def test_the_maxima_lie_above_the_rivals(script):
    maxima = script(FOLDER, "maxima")
    best, pair, warner = (
        recipe.channel(maxima.FRAME)
        for recipe in (
            ak.design.yoshida_pair("1/4"),
            ak.design.joint_pair("1/4", 1),
            ak.Warner(truth="5/8"),
        )
    )
    for share in (0.05, 0.5, 0.9):
        exponent_results = [
            maxima.exponent(channel, 0.2, share) for channel in (best, pair, warner)
        ]
        assert exponent_results == sorted(exponent_results, reverse=True)
