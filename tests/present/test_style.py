from dataclasses import asdict

import pytest

from askance.present.figures import DARK, LIGHT, PRINT, contrast, house_style

PALETTES = {"light": LIGHT, "dark": DARK, "print": PRINT}


@pytest.mark.parametrize("name", PALETTES)
def test_text_can_be_read_on_every_ground(name):
    palette = PALETTES[name]
    for ground in (palette.paper, palette.panel):
        for text in (palette.ink, palette.quiet, palette.accent, palette.mark):
            assert contrast(text, ground) >= 4.5


@pytest.mark.parametrize("name", PALETTES)
def test_marks_stand_out_from_paper_and_from_the_bars_they_lie_on(name):
    palette = PALETTES[name]
    for mark in (palette.accent, palette.mark):
        for ground in (palette.paper, palette.panel, palette.tint):
            assert contrast(mark, ground) >= 3


def test_contrast_is_that_of_the_guideline():
    # the grey that WCAG's own material gives as the lightest that passes on white
    assert contrast("#767676", "#ffffff") == pytest.approx(4.54, abs=0.005)
    assert contrast("#777777", "#ffffff") < 4.5


def test_every_colour_of_a_palette_is_different():
    """Figures are recoloured by value, so two roles may not share one."""
    assert len(set(asdict(LIGHT).values())) == len(asdict(LIGHT))


def test_the_style_is_taken_off_again():
    import matplotlib as mpl

    before = dict(mpl.rcParams)
    with house_style():
        assert mpl.rcParams["svg.fonttype"] == "none"
    assert dict(mpl.rcParams) == before
