"""Figures inside the page: text stays text, colours are the page's, and ids never meet."""

import re
from dataclasses import replace

import pytest
from drawings import figures, spelt, texts

HOSTILE = "<script>alert('$x$')</script> & \"שלום\" 🙂"


@pytest.fixture
def hostile(analysis):
    """A number whose question and unit are written to harm."""
    finding = analysis.findings[3]
    return replace(finding, text=HOSTILE, estimate=replace(finding.estimate, unit=HOSTILE))


@pytest.mark.long
def test_text_stays_text_and_is_escaped(analysis, hostile):
    for written in spelt(analysis, hostile):
        assert "<script" not in written
    assert HOSTILE in texts(figures(analysis, hostile)[0])


@pytest.mark.long
def test_a_screen_reader_is_told_title_and_text(analysis, hostile):
    for root in figures(analysis, hostile):
        assert root.get("role") == "img"
        named = [root.find(f"*[@id='{name}']") for name in root.get("aria-labelledby").split()]
        assert [item.tag for item in named] == ["title", "desc"]
        assert all(item.text for item in named)
    assert figures(analysis, hostile)[0].find("title").text == HOSTILE


@pytest.mark.long
def test_no_style_attribute_no_fixed_colour_no_address(analysis):
    for written in spelt(analysis, *analysis.findings):
        assert "style" not in written
        assert "http" not in written
        assert not re.search(r'"#[0-9a-f]{6}"', written)
        assert "var(--accent)" in written


def test_equal_figures_give_equal_bytes_and_names_keep_ids_apart(analysis):
    finding, other = analysis.findings[4], replace(analysis.findings[4], name="again")
    first, second = spelt(analysis, finding, other)
    ids = [set(re.findall(r' id="([^"]+)"', figure)) for figure in (first, second)]
    assert ids[0]
    assert not ids[0] & ids[1]
    assert re.sub("q1a-", "q2a-", first) == second


@pytest.mark.long
def test_every_reference_is_met(analysis):
    for written in spelt(analysis, *analysis.findings):
        distinct = set(re.findall(r' id="([^"]+)"', written))
        questions = set(re.findall(r'(?:href="|url\()#([^")]+)', written))
        assert questions
        assert questions <= distinct
