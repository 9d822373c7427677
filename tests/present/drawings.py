"""Reads the figures of a page as a person does: bars, lines and words, at their places."""

import re
from dataclasses import dataclass, replace
from xml.etree import ElementTree

import numpy as np
from matplotlib.textpath import TextPath

from askance.present import render_analysis


def spelt(analysis, *findings):
    """Give the figures of a page on some findings, as they are written in it."""
    page = render_analysis(replace(analysis, findings=findings))
    return re.findall(r"<svg viewBox.*?</svg>", page, re.DOTALL)


@dataclass(frozen=True)
class Dots:
    """The dot plot of a page: its words, and where marks stand, from 0 to 100."""

    words: list[list[str]]
    marks: list[dict[str, list[float]]]
    ticks: list[tuple[float, float]]

    def at(self, value):
        """Say where a number stands, by the words below the plot."""
        (low, start), (high, end) = self.ticks[0], self.ticks[-1]
        return low + (np.asarray(value) - start) / (end - start) * (high - low)

    def each(self, mark):
        """Give the places of one kind of mark, row by row."""
        return np.array([row[mark] for row in self.marks])


def dots(analysis, finding):
    """Read the dot plot of one finding from its page."""
    page = render_analysis(replace(analysis, findings=(finding,)))
    table = ElementTree.fromstring(re.search(r'<table class="dots".*?</table>', page, re.S)[0])
    rows = [
        [cell for cell in row if cell.get("class") != "plot"] for row in table.findall("tbody/tr")
    ]
    draws = [
        {
            mark.get("class"): [
                float(mark.get(end)[:-1]) for end in ("x1", "x2", "cx") if end in mark.attrib
            ]
            for mark in row.iter()
            if mark.get("class") in ("dot", "interval", "stretch", "true")
            and "role" not in mark.attrib
        }
        for row in table.findall("tbody/tr")
    ]
    ticks = [
        (float(character.get("x")[:-1]), number(character.text))
        for character in table.find("tfoot").iter("text")
    ]
    return Dots([[cell.text or "" for cell in row] for row in rows], draws, ticks)


def figures(analysis, *findings):
    """Give the figures of a page on some findings."""
    return [ElementTree.fromstring(item) for item in spelt(analysis, *findings)]


def texts(figure):
    return [character.text for character in figure.iter("text")]


def drawn(figure):
    """Give the corners and the colour of every line and bar that is drawn, marks aside."""
    for parent in list(figure.iter()):
        for child in parent.findall("defs"):
            parent.remove(child)
    for path in figure.iter("path"):
        corners = re.findall(r"[ML] (-?[\d.]+) (-?[\d.]+)", path.get("d"))
        yield np.array(corners, dtype=float), path


def bars(figure):
    """Give left, right, top and bottom of every bar."""
    closed = [ends for ends, path in drawn(figure) if path.get("d").endswith("z")]
    return np.array([[*ends[:, 0][[0, 1]], *np.sort(ends[:, 1])[[0, -1]]] for ends in closed])


def segments(figure, colour):
    """Give the two ends of every straight line in a colour."""
    return [
        ends
        for ends, path in drawn(figure)
        if len(ends) == 2 and path.get("stroke") == f"var(--{colour})"
    ]


def uprights(figure):
    """Give every line of a figure that stands upright, axes aside."""
    result = [*segments(figure, "mark"), *segments(figure, "accent"), *segments(figure, "ink")]
    return [ends for ends in result if ends[0, 0] == ends[1, 0]]


def labels(figure, anchor):
    """Give the words, places and widths of what stands along an axis."""
    along = [
        character for character in figure.iter("text") if character.get("text-anchor") == anchor
    ]
    plain = [
        item
        for item in along
        if item.get("fill") == "var(--quiet)" and number(item.text) is not None
    ]
    return [(item, float(item.get("x")), float(item.get("y")), width(item.text)) for item in plain]


def number(text):
    match = re.fullmatch(r"([\d,.]+)( %)?", text or "")
    return match and float(match[1].replace(",", "")) / (100 if match[2] else 1)


def width(text):
    return TextPath((0, 0), text, size=14.5).get_extents().width


def across(figure):
    """Say where a number stands across a figure, by the words below its axis."""
    expected = [(number(item.text), x) for item, x, _, _ in labels(figure, "middle")]
    slope, start = np.polyfit(*zip(*expected, strict=True), 1)
    return lambda value: start + slope * np.asarray(value)


def upwards(figure):
    """Say how far a number stands above nought, by the words beside its axis."""
    expected = [(number(item.text), y) for item, _, y, _ in labels(figure, "end")]
    return -np.polyfit(*zip(*expected, strict=True), 1)[0]
