import re
from xml.etree import ElementTree

from matplotlib.figure import Figure

from askance.present.figures import house_style, inline, shares_figure

HOSTILE = "<script>alert('$x$')</script> & \"שלום\" 🙂"


def drawn(name="one", label=HOSTILE):
    with house_style():
        figure = Figure()
        ax = figure.add_subplot()
        ax.plot([0, 1], [0, 1])
        ax.set_xlabel(label)
        return inline(figure, name, label, label)


def test_text_stays_text_and_is_escaped():
    svg = drawn()
    assert "<script" not in svg
    texts = [element.text for element in ElementTree.fromstring(svg).iter("text")]
    assert HOSTILE in texts


def test_a_screen_reader_is_told_title_and_text():
    root = ElementTree.fromstring(drawn("q1a"))
    assert root.get("role") == "img"
    named = [root.find(f"*[@id='{name}']") for name in root.get("aria-labelledby").split()]
    assert [(one.tag, one.text) for one in named] == [("title", HOSTILE), ("desc", HOSTILE)]


def test_no_style_attribute_no_fixed_colour_no_address():
    svg = drawn(label="plain")
    assert "style" not in svg
    assert "http" not in svg
    assert not re.search(r'"#[0-9a-f]{6}"', svg)
    assert "var(--accent)" in svg


def test_equal_figures_give_equal_bytes_and_names_keep_ids_apart():
    assert drawn("a") == drawn("a")
    ids = [set(re.findall(r' id="([^"]+)"', drawn(name))) for name in ("a", "b")]
    assert ids[0]
    assert not ids[0] & ids[1]


def test_every_reference_is_met():
    svg = drawn("a")
    met = set(re.findall(r' id="([^"]+)"', svg))
    asked = set(re.findall(r'(?:href="|url\()#([^")]+)', svg))
    assert asked
    assert asked <= met


def test_shapes_survive(analysis):
    """The interval drawn is the interval estimated, to a tenth of a pixel."""
    estimate = analysis.findings[1].estimate
    with house_style():
        figure = shares_figure(estimate)
        svg = inline(figure, "a", "t", "d")
        ax = figure.axes[0]
        ends = [
            ax.transData.transform((float(x), 0))[0] for x in (estimate.lower[0], estimate.upper[0])
        ]
    paths = [element.get("d") for element in ElementTree.fromstring(svg).iter("path")]
    spans = [tuple(map(float, re.findall(r"[ML] ([\d.]+) ", path))) for path in paths]
    assert any(
        len(span) == 2 and all(abs(a - b) < 0.11 for a, b in zip(span, ends, strict=True))
        for span in spans
    )
