"""A matplotlib figure as inline SVG: text stays text, colours are the page's."""

import re
import warnings
from dataclasses import asdict
from io import StringIO
from pathlib import Path
from typing import TYPE_CHECKING
from xml.etree import ElementTree

from askance.present.style import LIGHT

if TYPE_CHECKING:
    from matplotlib.figure import Figure

_SVG = "{http://www.w3.org/2000/svg}"
_HREF = "{http://www.w3.org/1999/xlink}href"
_COLOURS = {colour: f"var(--{name})" for name, colour in asdict(LIGHT).items()}
_KEPT = {
    "fill",
    "fill-opacity",
    "opacity",
    "stroke",
    "stroke-dasharray",
    "stroke-opacity",
    "stroke-width",
    "text-anchor",
    "font-size",
    "font-weight",
}
_UPRIGHT = re.compile(r"rotate\(-?0 [^)]*\)")
_LONG = re.compile(r"-?\d+\.\d+")
_ID = re.compile(r"#([\w-]+)")
_SIZE = re.compile(r"([\d.]+)px")
_WEIGHT = re.compile(r"(^|\s)(bold|[5-9]00)\s")


def save(figure: "Figure", path: Path) -> None:
    """Write a figure as an SVG file whose bytes depend on nothing but what is drawn.

    Text stays text.

    >>> from tempfile import TemporaryDirectory
    >>> from matplotlib.figure import Figure
    >>> with TemporaryDirectory() as folder:
    ...     save(Figure(), Path(folder, "empty.svg"))
    ...     "date" in Path(folder, "empty.svg").read_text()
    False
    """
    from matplotlib import rc_context

    about = dict.fromkeys(["Creator", "Date", "Format", "Type"])
    with rc_context({"svg.hashsalt": "askance", "svg.fonttype": "none"}):
        figure.savefig(path, format="svg", metadata=about)


def inline(figure: "Figure", name: str, title: str, description: str) -> str:
    """Spell a figure as one ``<svg>`` element to be set inside a page.

    The same figure gives the same bytes. Colours of the house palette become CSS variables, so that
    the figure follows the page into the dark and onto paper. Styles become plain attributes, which
    a strict content policy lets pass.

    Parameters
    ----------
    figure : matplotlib Figure
        Drawn inside `house_style`.
    name : str
        Set before every id: unique in the page.
    title, description : str
        What a screen reader says.

    >>> from matplotlib.figure import Figure
    >>> inline(Figure(), "empty", "Nothing", "An empty figure")
    '<svg viewBox="0 0 ... aria-labelledby="empty-title empty-text"><title id="empty-title">Noth...'

    """
    buffer = StringIO()
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", "Glyph", UserWarning)  # the reader's own fonts draw it
        figure.savefig(buffer, format="svg")
    root = ElementTree.fromstring(buffer.getvalue())  # noqa: S314  matplotlib wrote it just now
    used = set(_ID.findall(buffer.getvalue()))
    for parent in list(root.iter()):
        for child in list(parent):
            if child.tag in {_SVG + "metadata", _SVG + "style"} or "{" not in str(child.tag):
                parent.remove(child)
    for element in root.iter():
        element.tag = element.tag.removeprefix(_SVG)
        element.attrib = _attributes(element.attrib, name, used)
    _announce(root, name, title, description)
    return re.sub(r">\s+<", "><", ElementTree.tostring(root, encoding="unicode"))


def _attributes(old: dict[str, str], name: str, used: set[str]) -> dict[str, str]:
    new = {key: value for key, value in old.items() if key not in {"style", "id", _HREF, "version"}}
    new |= _declared(old.get("style", ""))
    if old.get("id") in used:
        new["id"] = f"{name}-{old['id']}"
    if _HREF in old:
        new["href"] = f"#{name}-{old[_HREF][1:]}"
    if "clip-path" in new:
        new["clip-path"] = new["clip-path"].replace("#", f"#{name}-")
    for key in ("d", "x", "y", "width", "height", "transform", "points"):
        if key in new:
            new[key] = " ".join(_LONG.sub(_short, new[key]).split())
    if _UPRIGHT.fullmatch(new.get("transform", "")):
        del new["transform"]
    return {key: _COLOURS.get(value, value) for key, value in new.items()}


def _short(number: re.Match[str]) -> str:
    return f"{round(float(number[0]), 1) + 0.0:.1f}".removesuffix(".0")


def _declared(style: str) -> dict[str, str]:
    pairs = (part.partition(":") for part in style.split(";") if part.strip())
    declared = {key.strip(): value.strip() for key, _, value in pairs}
    font = declared.get("font", "")
    if size := _SIZE.search(font):
        declared["font-size"] = size[1]
    if weight := _WEIGHT.search(font):
        declared["font-weight"] = weight[2]
    return {key: value for key, value in declared.items() if key in _KEPT}


def _announce(root: ElementTree.Element, name: str, title: str, description: str) -> None:
    for key in ("width", "height"):
        root.attrib.pop(key, None)
    root.set("role", "img")
    root.set("aria-labelledby", f"{name}-title {name}-text")
    for tag, ending, text in (("desc", "text", description), ("title", "title", title)):
        element = ElementTree.Element(tag, {"id": f"{name}-{ending}"})
        element.text = text
        root.insert(0, element)
