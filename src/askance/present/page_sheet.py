"""Parts of every analysts' page: template, style sheet and dot plots on one scale.

A table's rows are drawn as dots on one scale: each beside its own words, so that nothing is named
twice. Places are per cent of the width, whatever it is: type and marks keep their size on a phone.
A dot is the estimate and nothing else, a level line its interval, an upright one the truth in the
data.
"""

import hashlib
import math
from base64 import b64encode
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from importlib.resources import files
from typing import Any, final

from askance.present.figures import DARK, LIGHT, PRINT
from askance.present.findings import Quantity
from askance.present.sentences import load_sentences
from askance.survey.report_preview import ReportKind
from askance_collect.errors import MissingExtra

LIMITS = tuple(map(str, load_sentences("notes.toml")["limits"].values()))

HOW = {ReportKind[name]: str(how) for name, how in load_sentences("notes.toml")["how"].items()}

_SPARE = 1.06  # of the widest share
_ROOM, _LETTER, _GAP = 300, 8, 16  # pixels: a plot on a phone, a letter, between two labels
_MOST_TICKS = 5

Stretch = tuple[float, float]


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class Drawing:
    """A figure as inline SVG, with its caption."""

    svg: str
    caption: str


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class Mark:
    """Where the marks of one row stand, in per cent of the width; None where there is no number.

    Attributes
    ----------
    estimate : tuple of float, or None
        Both ends: apart where the reports only fix a range for it.
    interval : tuple of float, or None
    truth : float or None
    """

    estimate: Stretch | None
    interval: Stretch | None
    truth: float | None


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class DotPlot:
    """The marks of all rows, and the ticks below them: a place in per cent, and what it says."""

    marks: tuple[Mark, ...]
    ticks: tuple[tuple[float, str], ...]


def render_template(template: str, *, sheet: str = "", **values: Any) -> str:
    """Fill one of the templates of a page, which brings its own style and allows no other.

    A page may have a style sheet beside the one of all pages.

    Raises
    ------
    MissingExtra
        If Jinja2 is not installed.

    >>> page = render_template("groups.html", title="A <b>", language="en", prints=(), command="",
    ...     limits=(), findings=(), notes=(), reports="0", by="", interval="95 % interval")
    >>> "A &lt;b&gt;" in page, "<script" in page
    (True, False)
    """
    try:
        from jinja2 import Environment, FunctionLoader, StrictUndefined
        from markupsafe import Markup
    except ImportError:
        raise MissingExtra("jinja2", "plot") from None
    environment = Environment(
        autoescape=True,
        trim_blocks=True,
        lstrip_blocks=True,
        undefined=StrictUndefined,
        loader=FunctionLoader(_read_template),
    )
    environment.filters["tie"] = _tie_percent
    style = _write_style() + (_read_template(sheet) if sheet else "")
    return environment.get_template(template).render(
        style=Markup(style),  # noqa: S704  the project's own file
        style_hash=b64encode(hashlib.sha256(style.encode()).digest()).decode(),
        svg=Markup,
        **values,
    )


def list_fingerprints(form: str, data: str) -> list[tuple[str, str]]:
    """Name the fingerprints that there are.

    >>> list_fingerprints("", "9f86")
    [('Reports, SHA-256', '9f86')]
    """
    named = [("Form, SHA-256", form), ("Reports, SHA-256", data)]
    return [(name, value) for name, value in named if value]


def _tie_percent(text: str) -> str:
    """Keep a percent sign on the line of its number."""
    return text.replace(" %", "\N{NO-BREAK SPACE}%")


def _read_template(name: str) -> str:
    return (files("askance.present") / "templates" / name).read_text(encoding="utf-8")


def _write_style() -> str:
    light, dark, paper = (palette.declarations() for palette in (LIGHT, DARK, PRINT))
    return (
        f":root {{ color-scheme: light dark; {light} }}\n"
        f"@media (prefers-color-scheme: dark) {{ :root {{ {dark} }} }}\n"
        f"@media print {{ :root {{ {paper} }} }}\n" + _read_template("analysis.css")
    )


def dot_plot(rows: Sequence[Quantity], room: int = _ROOM) -> DotPlot:
    """Place a dot and an interval for each row of a table, on one scale.

    Shares begin at nought; other numbers where the lowest interval does.

    Parameters
    ----------
    rows : sequence of Quantity
        All shares, or all in one unit; at least one.
    room : int
        How many pixels wide the plot is where it is narrowest.

    >>> def yes(low, lower, upper):
    ...     return Quantity(label="yes", low=low, high=low, lower=lower, upper=upper, error=0.1,
    ...                     plain=9.0, unit=None, truth=None)
    >>> plot = dot_plot([yes(0.25, 0.2, 0.5), yes(0.5, 0.4, 1.0)])
    >>> plot.marks[0].estimate, plot.marks[1].interval
    ((25.0, 25.0), (40.0, 100.0))
    >>> [label for _, label in plot.ticks]
    ['0 %', '20 %', '40 %', '60 %', '80 %', '100 %']
    """
    shares = all(row.unit is None for row in rows)
    finite = [value for row in rows for value in _list_numbers(row) if math.isfinite(value)]
    if shares:
        low, high = 0.0, min(1.0, _SPARE * max(finite, default=1.0)) or 1.0
    else:
        low, high = min(finite, default=0.0), max(finite, default=1.0)
        high = high if high > low else low + 1
    ticks = _choose_ticks(low, high, room, shares=shares)
    low = min(low, ticks[0])

    def locate(value: float) -> float:
        return round(100 * (min(max(value, low), high) - low) / (high - low), 2)

    marks = tuple(
        Mark(
            estimate=_locate_ends(row.low, row.high, locate),
            interval=_locate_ends(row.lower, row.upper, locate),
            truth=None if row.truth is None else locate(row.truth),
        )
        for row in rows
    )
    return DotPlot(
        marks=marks, ticks=tuple((locate(tick), _tick_label(tick, shares)) for tick in ticks)
    )


def _list_numbers(row: Quantity) -> Iterable[float]:
    """What the scale has to hold; an end of an interval that no cut bounds is not drawn."""
    numbers = (row.low, row.high, row.lower, row.upper)
    return numbers if row.truth is None else (*numbers, row.truth)


def _locate_ends(low: float, high: float, locate: Callable[[float], float]) -> Stretch | None:
    return None if math.isnan(low) or math.isnan(high) else (locate(low), locate(high))


def _choose_ticks(low: float, high: float, room: int, *, shares: bool) -> list[float]:
    """Round numbers from just below the lowest to the highest, as many as stand apart."""
    letters = len("100 %") if shares else max(len(f"{end:,.0f}") for end in (low, high))
    max_ticks = min(_MOST_TICKS, max(1, room // (_LETTER * letters + _GAP)))
    rounds: tuple[float, ...] = 1, 2, 5, 10
    for _ in range(2):
        step = _round_step((high - low) / (max_ticks + 1), rounds)
        while math.floor(high / step + 1e-9) - math.floor(low / step + 1e-9) > max_ticks:
            step = _round_step(1.01 * step, rounds)
        first, last = math.floor(low / step + 1e-9), math.floor(high / step + 1e-9)
        if last - first > 1:
            break
        rounds = 1, 1.5, 2, 3, 4, 5, 6, 8, 10  # so that a third number has its room
    return [round(i * step, 12) for i in range(first, last + 1)]


def _round_step(least: float, rounds: Sequence[float]) -> float:
    """The least of some numbers times a power of ten that is no less."""
    power = 10.0 ** math.floor(math.log10(least))
    return next(times * power for times in rounds if times * power >= least * (1 - 1e-9))


def _tick_label(value: float, shares: bool) -> str:
    return f"{100 * value:.10g} %" if shares else f"{value:,.10g}"
