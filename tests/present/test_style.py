"""The colours of the page, read from the page: light, dark and on paper."""

import re

import pytest

from askance.present import house_style

NAMES = {"light": "", "dark": "@media (prefers-color-scheme: dark) {", "print": "@media print {"}


@pytest.fixture(scope="module")
def palettes(page):
    """The colours by what they are for, as the page's style sets them for each ground."""
    result = {}
    for name, before in NAMES.items():
        block = page[page.index(f"{before} :root {{" if before else ":root {") :].split("}")[0]
        result[name] = dict(re.findall(r"--(\w+): (#[0-9a-f]{6});", block))
    return result


def contrast(first, second):
    """The contrast ratio of two colours, as WCAG 2.2 defines it."""
    dim, bright = sorted(map(luminance, (first, second)))
    return (bright + 0.05) / (dim + 0.05)


def luminance(colour):
    parts = [int(colour[number : number + 2], 16) / 255 for number in (1, 3, 5)]
    linear = [
        part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts
    ]
    return sum(weight * item for weight, item in zip((0.2126, 0.7152, 0.0722), linear, strict=True))


@pytest.mark.parametrize("name", NAMES)
def test_text_can_be_read_on_every_ground(name, palettes):
    palette = palettes[name]
    for ground in (palette["paper"], palette["panel"]):
        for text in (palette["ink"], palette["quiet"], palette["accent"], palette["mark"]):
            assert contrast(text, ground) >= 4.5


@pytest.mark.parametrize("name", NAMES)
def test_marks_stand_out_from_paper_and_from_the_bars_they_lie_on(name, palettes):
    palette = palettes[name]
    for mark in (palette["accent"], palette["mark"]):
        for ground in (palette["paper"], palette["panel"], palette["tint"]):
            assert contrast(mark, ground) >= 3


def test_contrast_is_that_of_the_guideline():
    # the grey that WCAG's own material gives as the lightest that passes on white
    assert contrast("#767676", "#ffffff") == pytest.approx(4.54, abs=0.005)
    assert contrast("#777777", "#ffffff") < 4.5


def test_light_dark_and_paper_each_have_all_colours_of_the_page(palettes, page):
    used = set(re.findall(r"var\(--(\w+)\)", page))
    assert {frozenset(palette) for palette in palettes.values()} == {frozenset(palettes["light"])}
    assert used <= set(palettes["light"])
    assert len({str(palette) for palette in palettes.values()}) == 3


def test_every_colour_of_a_palette_is_different(palettes):
    """Figures are recoloured by value, so two roles may not share one."""
    assert len(set(palettes["light"].values())) == len(palettes["light"]) == 8


def test_the_style_is_taken_off_again():
    import matplotlib as mpl

    before = dict(mpl.rcParams)
    with house_style():
        assert mpl.rcParams["svg.fonttype"] == "none"
    assert dict(mpl.rcParams) == before
