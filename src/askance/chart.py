"""Charts: the figure of a result as series of marks, and how Matplotlib draws them.

A result describes its figure by `Chart`; its ``plot`` is `draw_result`, its ``plot_data`` is
`chart_frame`. Colours are those of Okabe and Ito (2008), which people of any colour vision tell
apart; in grey, series differ by line, marker and hatch too. Words are set as they are, never as
mathematics.
"""

import unicodedata
import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import Enum
from functools import lru_cache
from typing import Any, Protocol, cast, final
from weakref import WeakKeyDictionary

import numpy as np

from askance.results import fold, in_xml, result_frame
from askance.typing import Floats
from askance_collect.arguments import checked
from askance_collect.errors import InputError, MissingExtra


@final
class MarkKind(Enum):
    """The kind of mark of a series.

    In a chart of rows `BAR`, `BOX`, `INTERVAL` and `POINT` lie along the row. In others an interval
    is upright, and a box is as wide as what it stands for.

    >>> MarkKind("interval")
    <MarkKind.INTERVAL: 'interval'>
    """

    BAND = "band"
    BAR = "bar"
    BOX = "box"
    HEATMAP = "heatmap"
    HISTOGRAM = "histogram"
    INTERVAL = "interval"
    LINE = "line"
    POINT = "point"
    RULE = "rule"
    STEP = "step"


@final
@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Series:
    """Marks of one kind.

    Attributes
    ----------
    mark : MarkKind
    label : str
        What the legend calls it; no entry if empty.
    names : tuple of str
        The row of each mark; empty where marks have a place ``x`` instead.
    x, x_end : array
        Where each mark is, or where it begins and ends.
    value, low, high : array
        A value, and what an interval, box or band spans. A step whose inside is unknown is a box;
        where its ends agree, it is flat.
    notes : tuple of str
        What is written behind each bar.
    columns : mapping of str to array
        What else the table says of each mark.
    continues : bool
        Whether it has the colour of the series before it.
    is_reference : bool
        Whether it is what results are compared with: grey, and drawn once on the same axes.

    >>> Series(mark=MarkKind.LINE, x=np.array([0.0, 1.0]), value=np.array([1.0, 0.0])).label
    ''
    """

    mark: MarkKind
    label: str = ""
    names: tuple[str, ...] = ()
    x: Floats = field(default_factory=lambda: np.zeros(0))
    x_end: Floats = field(default_factory=lambda: np.zeros(0))
    value: Floats = field(default_factory=lambda: np.zeros(0))
    low: Floats = field(default_factory=lambda: np.zeros(0))
    high: Floats = field(default_factory=lambda: np.zeros(0))
    notes: tuple[str, ...] = ()
    columns: Mapping[str, Floats] = field(default_factory=dict)
    continues: bool = False
    is_reference: bool = False


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class Axis:
    """One axis of a chart.

    Attributes
    ----------
    name : str
        What is along it, as the column of the table is called.
    label : str
        What is written along it, with its unit; the name if empty.
    limits : (float, float)
        How far it may reach.
    fits : bool
        Whether it ends, inside these, where the data end.
    ticks : tuple of str
        What 0, 1, … along it are called, if they have names.

    >>> Axis(name="share", limits=(0, 1)).text
    'share'
    """

    name: str
    label: str = ""
    limits: tuple[float, float] = (-np.inf, np.inf)
    fits: bool = True
    ticks: tuple[str, ...] = ()

    @property
    def text(self) -> str:
        """The label of the axis."""
        return self.label or self.name


SHARE = Axis(name="share", limits=(0, 1))
CUMULATIVE = Axis(name="share up to here", limits=(0, 1), fits=False)


@final
@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Chart:
    """The figure of a result.

    Attributes
    ----------
    series : tuple of Series
    x, y : Axis
        Of a chart of rows x holds the values, and y is what the rows are.
    is_square : bool
        Whether both axes have one scale.

    >>> Chart(series=(), x=SHARE, y=Axis(name="answer")).has_rows
    False
    """

    series: tuple[Series, ...]
    x: Axis
    y: Axis
    is_square: bool = False

    @property
    def has_rows(self) -> bool:
        """Whether marks lie in rows that have names."""
        return any(series.names for series in self.series)

    @property
    def kind(self) -> str:
        """The kind of chart; only charts of one kind share axes."""
        if any(series.mark is MarkKind.HEATMAP for series in self.series):
            return "a heat map"
        return "rows" if self.has_rows else "curves"

    def _frame(self) -> dict[str, list[Any]]:
        """List the columns of all that is drawn; one that no series has is left out.

        A line without a name, such as that at 0, is left out too.
        """
        axis, value = (self.y, self.x) if self.has_rows else (self.x, self.y)
        rows: list[dict[str, Any]] = []
        for series in self.series:
            if series.is_reference and not series.label:
                continue
            is_across = self.has_rows and series.mark is MarkKind.RULE
            columns: dict[str, Any] = {axis.name: () if is_across else series.names or series.x}
            columns |= {
                f"{axis.name} to": series.x_end,
                value.name: series.x if is_across else series.value,
            }
            columns |= {"lower": series.low, "upper": series.high, **series.columns}
            filled = {
                name: np.asarray(column).tolist() for name, column in columns.items() if len(column)
            }
            for i in range(max(map(len, filled.values()), default=0)):
                cells = {name: column[i] for name, column in filled.items()}
                rows.append({"series": series.label} | cells)
        names = dict.fromkeys(name for row in rows for name in row)
        gaps = {"series": "", axis.name: "" if self.has_rows else np.nan}
        table = {name: [row.get(name, gaps.get(name, np.nan)) for row in rows] for name in names}
        return {
            name: column
            for name, column in table.items()
            if name in gaps or not all(entry != entry for entry in column)
        }


class Charted(Protocol):
    """A result that describes its figure."""

    def _chart(self) -> Chart: ...


@checked
def draw_result(self: Charted, ax: Any = None, *, label: str = "", color: Any = None) -> Any:
    """Draw the result: its series with a legend, and axes with names and units.

    Several results on the same axes are several series with one legend, each with a colour, a line
    and a marker of its own. Rows of the same name are set beside each other.

    Parameters
    ----------
    ax : matplotlib Axes, optional
        New ones if left out. A figure without a layout gets Matplotlib's constrained one.
    label : str
        What the legend calls this result.
    color : color, optional
        As Matplotlib takes it; if left out, the next one of Okabe and Ito's, or of your own style.

    Returns
    -------
    matplotlib Axes

    Raises
    ------
    InputError
        If the axes have marks of another kind, or what is given is no axes, or no colour.
    MissingExtra
        If matplotlib is not installed.
    """
    return draw(self._chart(), ax, label=label, color=color)


@checked
def draw_in_unit(
    self: Charted, ax: Any = None, *, label: str = "", color: Any = None, unit: str = ""
) -> Any:
    """Draw the result, with the unit of its numbers along x: ranges carry none.

    Parameters
    ----------
    ax, label, color
        As for any other result's ``plot``.
    unit : str
        What is written along x, such as "hours"; "value" if left out.

    Returns
    -------
    matplotlib Axes

    Raises
    ------
    InputError
        If the axes have marks of another kind, or what is given is no axes, or no colour.
    MissingExtra
        If matplotlib is not installed.
    """
    chart = self._chart()
    x = replace(chart.x, label=chart.x.text.replace(chart.x.name, unit, 1)) if unit else chart.x
    return draw(replace(chart, x=x), ax, label=label, color=color)


@checked
def chart_frame(self: Charted, backend: str = "pandas") -> Any:
    """Return what `plot` draws as a data frame: series by series, in columns that have names.

    Parameters
    ----------
    backend : str
        ``"pandas"``, ``"polars"`` or ``"pyarrow"``.

    Raises
    ------
    MissingExtra
        If that is not installed.
    """
    return result_frame(self._chart(), backend)


def rows_chart(
    names: Sequence[str],
    value: Floats,
    ends: tuple[Floats, Floats],
    *,
    level: float,
    x: Axis,
    y: str,
    label: str = "estimate",
    before: Sequence[Series] = (),
    after: Sequence[Series] = (),
) -> Chart:
    """Describe a row for each name: a dot where there is a value, and a line for its interval.

    Parameters
    ----------
    names, value, ends : sequences
    level : float
        How often the intervals hold the true value.
    x : Axis
    y : str
        What a row is.
    label : str
    before, after : sequences of Series
        What lies in the same rows, below the intervals and above them.

    >>> ends = np.array([0.1, 0.6]), np.array([0.4, 0.9])
    >>> value = np.array([0.25, 0.75])
    >>> chart = rows_chart(["yes", "no"], value, ends, level=0.95, x=SHARE, y="answer")
    >>> chart.series[0].label, draw(chart).get_xlabel()
    ('estimate', 'share, 95 % interval')
    """
    intervals = Series(
        mark=MarkKind.INTERVAL,
        label=label,
        names=tuple(names),
        value=np.asarray(value),
        low=np.asarray(ends[0]),
        high=np.asarray(ends[1]),
        continues=any(not series.is_reference for series in before),
    )
    x = replace(x, label=f"{x.text}, {100 * level:g} % interval")
    return Chart(series=(*before, intervals, *after), x=x, y=Axis(name=y))


def sets_chart(
    names: Sequence[str],
    fitting: tuple[Floats, Floats],
    ends: tuple[Floats, Floats],
    *,
    level: float,
    x: Axis,
    y: str = "answer",
) -> Chart:
    """Describe identified sets: a box for each set, a dot where it is a point, and its interval.

    Parameters
    ----------
    names : sequence of str
    fitting, ends : (array, array)
        Ends of the set, and of the interval.
    level : float
        How often the intervals hold what they are for.
    x : Axis
    y : str
        What a row is.

    >>> ends = np.array([0.1]), np.array([0.5])
    >>> chart = sets_chart(["yes"], (ends[0] + 0.1, ends[1] - 0.1), ends, level=0.95, x=SHARE)
    >>> [series.label for series in chart.series]
    ['all that fits', 'interval']
    """
    low, high = fitting
    is_point = np.isclose(low, high, rtol=0, atol=1e-9)
    boxes = Series(
        mark=MarkKind.BOX,
        label="all that fits",
        names=tuple(names),
        low=np.where(is_point, np.nan, low),
        high=np.where(is_point, np.nan, high),
    )
    before = () if is_point.all() else (boxes,)
    points, label = np.where(is_point, low, np.nan), "interval" if before else "estimate"
    return rows_chart(names, points, ends, level=level, x=x, y=y, label=label, before=before)


def zero_line() -> Series:
    """An upright line at 0, which intervals are compared with.

    >>> zero_line().x.tolist()
    [0.0]
    """
    return Series(mark=MarkKind.RULE, x=np.zeros(1), is_reference=True)


def bars_chart(
    names: Sequence[str], value: Sequence[float], notes: Sequence[str], x: Axis, rule: float = 0.0
) -> Chart:
    """Describe a bar for each name, with its value behind it, and a line at what it is compared to.

    >>> len(bars_chart(["a", "b"], [1.0, 2.0], ["1", "2"], Axis(name="cost"), 1.0).series)
    2
    """
    bars = Series(
        mark=MarkKind.BAR,
        names=tuple(names),
        value=np.array(value, dtype=float),
        notes=tuple(notes),
    )
    line = Series(mark=MarkKind.RULE, x=np.array([rule]), is_reference=True)
    return Chart(series=(bars, line)[: 1 + bool(rule)], x=x, y=Axis(name="mechanism"))


def histogram(values: Floats, weights: Floats, mean: float, y: Axis) -> Chart:
    """Describe shares of the population as a histogram in steps of 0.05, with its mean.

    >>> chart = histogram(np.array([0.3, 1.0]), np.array([2.0, 1.0]), 0.53, Axis(name="reports"))
    >>> float(chart.series[0].value.sum())
    3.0
    """
    height, edges = np.histogram(values, bins=np.linspace(0, 1, 21), weights=weights)
    bars = Series(
        mark=MarkKind.HISTOGRAM, label=y.name, x=edges[:-1], x_end=edges[1:], value=height
    )
    triangle = Series(
        mark=MarkKind.POINT,
        label=f"average: {mean:.3g}",
        x=np.array([mean]),
        value=np.zeros(1),
        continues=True,
    )
    label = "share of people that a report leaves possible"
    x = Axis(name="coverage", label=label, limits=(0, 1), fits=False)
    return Chart(series=(bars, triangle), x=x, y=y)


@final
@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class _AxesChart:
    """A chart that was drawn on axes, and what it consists of there."""

    chart: Chart
    label: str
    color: Any
    artists: list[Any] = field(default_factory=list)


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class _Style:
    """How a series differs from others: in colour, and in grey too."""

    color: Any
    line: Any
    marker: str
    hatch: str


_CHARTS: WeakKeyDictionary[Any, list[_AxesChart]] = WeakKeyDictionary()
_SIZED: WeakKeyDictionary[Any, bool] = WeakKeyDictionary()
"""What was drawn on which axes, and the figures whose height is ours."""

_MARKER = 5.5
_ROW = 1.8  # lines of text: the height of a row whose name is in one line
_OKABE_ITO = "#0072B2", "#D55E00", "#009E73", "#CC79A7", "#000000", "#E69F00", "#56B4E9"
_LINES = "-", (0, (5, 1.5)), (0, (1, 1.2)), (0, (6, 1.5, 1, 1.5)), (0, (9, 2)), (0, (3, 3))
_MARKERS = "os^DvPX*"  # an arrow to one side is an end at infinity
_HATCHES = "", "////", "....", "\\\\\\\\", "xxxx", "||||", "----", "++++"


def draw(chart: Chart, ax: Any = None, *, label: str = "", color: Any = None) -> Any:
    """Draw a chart on axes that may already hold other charts.

    Parameters
    ----------
    chart : Chart
    ax, label, color
        As in `draw_result`.

    Raises
    ------
    InputError, MissingExtra
        As in `draw_result`.

    >>> dots = Series(mark=MarkKind.POINT, label="a", x=np.array([1.0]), value=np.array([2.0]))
    >>> ax = draw(Chart(series=(dots,), x=Axis(name="years"), y=Axis(name="people")), label="$5$")
    >>> ax.get_xlabel(), ax.get_legend().get_texts()[0].get_text()
    ('years', '$5$')
    """
    ax = _find_axes(chart, ax, color)
    charts = [old for old in _CHARTS.get(ax, []) if any(part.axes is ax for part in old.artists)]
    kinds = [part.kind for part in (chart, *(old.chart for old in charts))]
    if len(set(kinds)) > 1 or kinds[1:] == ["a heat map"]:
        raise InputError("plot.ax", got=f"axes of {kinds[1]}", allowed=f"new axes for {kinds[0]}")
    for old in charts:
        for part in old.artists:
            if part.axes is ax:
                part.remove()
        old.artists.clear()
    charts.append(_AxesChart(chart=chart, label=label, color=color))
    _CHARTS[ax] = charts
    limits = [_find_limits([old.chart for old in charts], axis) for axis in "xy"]
    rows, end = _place_rows(ax, charts)
    if _SIZED.get(ax.figure):
        ax.figure.set_size_inches(*_size(charts, end))
    entries = list(_draw_all(ax, charts, rows, limits[0]))
    named = max((old.chart for old in charts), key=lambda part: bool(part.x.label))
    _write_axes(ax, named, rows, [limits[0], (end + 0.05, -0.55)] if chart.has_rows else limits)
    _write_legend(ax, entries)
    return ax


def figure_of(chart: Chart) -> Any:
    """Draw a chart in a figure of its own, as high as it needs, which no window shows.

    Raises
    ------
    MissingExtra
        If matplotlib is not installed.

    >>> figure_of(bars_chart(["a"], [1.0], ["1"], Axis(name="cost"))).axes[0].get_xlabel()
    'cost'
    """
    try:
        from matplotlib.figure import Figure
    except ImportError as error:
        raise MissingExtra("matplotlib", "plot") from error
    figure = Figure(layout="constrained")
    _SIZED[figure] = chart.has_rows
    draw(chart, figure.add_subplot())
    return figure


def _find_axes(chart: Chart, ax: Any, color: Any) -> Any:
    """Return the axes given, or new ones."""
    try:
        from matplotlib import pyplot
        from matplotlib.axes import Axes
        from matplotlib.colors import is_color_like
        from matplotlib.figure import Figure
    except ImportError as error:
        raise MissingExtra("matplotlib", "plot") from error
    if color is not None and not is_color_like(color):
        allowed = "a colour that Matplotlib knows, such as '#0072B2'"
        raise InputError("plot.color", got=color, allowed=allowed)
    if ax is None:
        figure, ax = pyplot.subplots(layout="constrained")
        ax.spines[["top", "right"]].set_visible(False)
        _SIZED[figure] = chart.has_rows
    elif not isinstance(ax, Axes):
        raise InputError("plot.ax", got=type(ax).__name__, allowed="Matplotlib axes, or None")
    elif ax.get_subplotspec() is not None and ax.figure.get_layout_engine() is None:
        cast(Figure, ax.figure).set_layout_engine("constrained")  # a part asks its figure's
    return ax


def _place_rows(
    ax: Any, charts: Sequence[_AxesChart]
) -> tuple[dict[tuple[str, int], float], float]:
    """Place the rows of all charts, one for all of the same name, and say where they end.

    Rows are 1 apart, or more where names take several lines or charts stand beside each other.
    """
    keys = dict.fromkeys(
        key for old in charts for series in old.chart.series for key in _row_keys(series)
    )
    columns = _columns(_width(ax), 0.4)
    most = _most_lines(ax, 0.6, len(keys))
    lines = np.array([_wrap(name, columns, most).count("\n") + 1.0 for name, _ in keys])
    height = (np.maximum(lines, _count_slots(charts)) + _ROW - 1) / _ROW
    ends = np.cumsum(height) - 0.5
    return dict(zip(keys, (ends - height / 2).tolist(), strict=True)), float(ends[-1:].sum())


def _count_slots(charts: Sequence[_AxesChart]) -> int:
    """Count the series that are dodged within one row."""
    return max(sum(len(list(_leaders(old.chart))) for old in charts), 1)


def _width(ax: Any) -> float:
    """How wide the part of the figure is that axes and their labels have, in inches."""
    spec, inches = ax.get_subplotspec(), float(ax.figure.bbox.width / ax.figure.dpi)
    return inches * len(spec.colspan) / spec.get_gridspec().ncols if spec else inches


def _row_keys(series: Series) -> list[tuple[str, int]]:
    """Name the rows of a series; a name that comes again is another row."""
    if series.mark is MarkKind.HEATMAP:
        return [(name, 0) for name in series.names]
    return [(name, series.names[:i].count(name)) for i, name in enumerate(series.names)]


def _size(charts: Sequence[_AxesChart], end: float) -> tuple[float, float]:
    """How large a figure of our own is, in inches: as high as its rows need."""
    from matplotlib import rcParams

    width, height = rcParams["figure.figsize"]
    line = rcParams["font.size"] * 1.25 / 72
    columns = _columns(width, 0.7)
    words = [_entry(old, series) for old in charts for series in old.chart.series]
    lines = sum(len(fold(entry, columns)) for entry in words if entry)
    return width, max(0.5 * height, min((end + 0.5) * _ROW * line + 1.0 + lines * line, 600))


def _columns(inches: float, share: float) -> int:
    """How many signs stand in a share of a width."""
    from matplotlib import rcParams

    return max(12, int(inches * 72 * share / (0.6 * rcParams["font.size"])))


def _leaders(chart: Chart) -> Iterator[Series]:
    """List the series that have a colour of their own."""
    return (series for series in chart.series if not series.continues and not series.is_reference)


def _find_limits(charts: Sequence[Chart], which: str) -> tuple[float, float]:
    """Where an axis begins and ends: with a margin, but not beyond what is possible."""
    axes: list[Axis] = [getattr(chart, which) for chart in charts]
    lows, highs = zip(*(axis.limits for axis in axes), strict=True)
    least, most = min(lows), max(highs)
    values = np.concatenate([np.zeros(0), *(_extent(chart, which) for chart in charts)])
    values = values[np.isfinite(values)]
    start, end = (float(values.min()), float(values.max())) if len(values) else (0.0, 1.0)
    margin = 0.05 * (end - start) or 0.05 * abs(end) or 0.5
    if not all(axis.fits for axis in axes) and np.isfinite([least, most]).all():
        margin = 0.01 * (most - least)
        return least - margin, most + margin
    bars = MarkKind.BAR, MarkKind.HISTOGRAM
    if any(series.mark in bars and start == 0 for chart in charts for series in chart.series):
        least = 0.0
    return max(start - margin, least), min(end + margin, most)


def _extent(chart: Chart, which: str) -> Floats:
    """Every number of a chart along one of its axes."""
    parts = []
    for series in chart.series:
        along: tuple[Floats, ...] = series.value, series.low, series.high
        if series.mark is MarkKind.RULE:
            along = (series.value, series.value) if which == "y" else (series.x, series.x)
        elif which == "x" and not chart.has_rows:
            along = series.x, series.x_end
        parts += [np.zeros(1)] if series.mark is MarkKind.BAR else []
        parts += [np.ravel(part) for part in along]
    return np.concatenate([np.zeros(0), *parts])


def _draw_all(
    ax: Any,
    charts: Sequence[_AxesChart],
    rows: Mapping[tuple[str, int], float],
    limits: tuple[float, float],
) -> Iterator[tuple[tuple[Any, ...], str]]:
    """Draw all charts, and give the parts and the words of each entry of the legend."""
    slots = _count_slots(charts)
    spread = 0.8 * (slots + _ROW - 1) / _ROW / slots
    slot, keys, names = -1, set[bytes](), list[str]()
    style = _style(0, None)
    for old in charts:
        for series in old.chart.series:
            if series.is_reference:
                key = series.x.tobytes() + series.value.tobytes()
                if key in keys:
                    continue
                keys.add(key)
            elif not series.continues:
                slot += 1
                style = _style(slot, old.color)
            places = np.array([rows[key] for key in _row_keys(series)], dtype=float)
            places += spread * (max(slot, 0) - (slots - 1) / 2)
            room = _Room(ax=ax, limits=limits, places=places, height=spread)
            parts = _PAINTERS[series.mark](
                room, series, _reference() if series.is_reference else style
            )
            old.artists.extend(parts)
            if words := _entry(old, series):
                again = names.count(words)
                names.append(words)
                kinds = {type(part): part for part in reversed(parts)}
                yield tuple(kinds.values()), f"{words} ({again + 1})" if again else words


def _entry(old: _AxesChart, series: Series) -> str:
    """What the legend calls a series: by the word given, if one is."""
    if not old.label or series.is_reference or not series.label:
        return series.label
    leaders = list(_leaders(old.chart))
    is_only = len(leaders) == 1 and series.label == next(
        other.label for other in old.chart.series if other.label and not other.is_reference
    )
    return old.label if is_only else f"{old.label}: {series.label}"


def _reference() -> _Style:
    from matplotlib import rcParams

    return _Style(color=rcParams["axes.edgecolor"], line=":", marker="|", hatch="")


def _style(index: int, color: Any) -> _Style:
    from matplotlib import rcParams, rcParamsDefault

    own = rcParams["axes.prop_cycle"].by_key().get("color", ())
    palette = own if rcParams["axes.prop_cycle"] != rcParamsDefault["axes.prop_cycle"] else ()
    colors = palette or _OKABE_ITO
    return _Style(
        color=colors[index % len(colors)] if color is None else color,
        line=_LINES[index % len(_LINES)],
        marker=_MARKERS[index % len(_MARKERS)],
        hatch=_HATCHES[index % len(_HATCHES)],
    )


@final
@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class _Room:
    """Where a series is charts: its axes, their ends along x, and the middle of its rows."""

    ax: Any
    limits: tuple[float, float]
    places: Floats
    height: float


def _paint_intervals(room: _Room, series: Series, style: _Style) -> list[Any]:
    """Draw intervals as lines and values as markers; an end at infinity is an arrow."""
    look = {"color": style.color, "linewidth": 2}
    dots = {
        "color": style.color,
        "marker": style.marker,
        "linestyle": "none",
        "markersize": _MARKER,
    }
    if not series.names:
        bars = room.ax.vlines(series.x, series.low, series.high, **look)
        return [bars, *room.ax.plot(series.x, series.value, **dots)]
    low, high = np.clip([series.low, series.high], *room.limits)
    bars = room.ax.hlines(room.places, low, high, **look)
    dots["clip_on"] = False  # at an end of the axis half a marker lies beyond it
    is_inside = (series.value >= room.limits[0]) & (series.value <= room.limits[1])
    parts = [bars, *room.ax.plot(np.where(is_inside, series.value, np.nan), room.places, **dots)]
    for marker, ends, end in (("<", series.low, low), (">", series.high, high)):
        if (is_open := np.isinf(ends)).any():
            arrows = dots | {"marker": marker}
            parts += room.ax.plot(end[is_open], room.places[is_open], **arrows)
    return parts


def _paint_points(room: _Room, series: Series, style: _Style) -> list[Any]:
    """Draw values without intervals: crosses if their colour is shared, else triangles."""
    across, up = (series.value, room.places) if series.names else (series.x, series.value)
    marker, size = ("x", 10) if series.names else ("^", 6)  # seen behind the dot of an interval
    look = {"marker": marker, "linestyle": "none", "markersize": size, "zorder": 5}
    return list(room.ax.plot(across, up, color=style.color, clip_on=False, **look))


def _paint_bars(room: _Room, series: Series, style: _Style) -> list[Any]:
    """Draw bars from 0, or from one end to the other, and what is written behind them."""
    is_box = series.mark is MarkKind.BOX
    low, high = (series.low, series.high) if is_box else (0 * series.value, series.value)
    low, high = np.clip(np.nan_to_num([low, high]), *room.limits)
    thick = (0.62 if is_box else 0.75) * room.height
    bars = room.ax.barh(room.places, high - low, left=low, height=thick, **_fill(style))
    notes: list[Any] = []
    for place, end, words in zip(room.places, high, series.notes, strict=False):
        text = room.ax.annotate("", (end, place), (4, 0), textcoords="offset points", va="center")
        _set_words(text, words)
        notes.append(text)
    return [*bars, *notes]


def _fill(style: _Style, alpha: float = 0.25) -> dict[str, Any]:
    """How an area looks: light, with an edge and a hatch that are seen in grey."""
    from matplotlib.colors import to_rgba

    face, edge = to_rgba(style.color, alpha), to_rgba(style.color, 0.9)
    return {"facecolor": face, "edgecolor": edge, "hatch": style.hatch, "linewidth": 0.8}


def _paint_line(room: _Room, series: Series, style: _Style) -> list[Any]:
    look = {"color": style.color, "linestyle": style.line, "linewidth": 1.8}
    return list(room.ax.plot(series.x, series.value, **look))


def _paint_band(room: _Room, series: Series, style: _Style) -> list[Any]:
    """Draw a band between two curves, or between the steps of two where places have ends."""
    look = _fill(style, 0.12 if series.continues else 0.3) | {"linestyle": style.line, "hatch": ""}
    if not len(series.x_end):
        return [room.ax.fill_between(series.x, series.low, series.high, **look)]
    edges = np.append(series.x, series.x_end[-1:])
    low, high = (np.append(ends, ends[-1:]) for ends in (series.low, series.high))
    return [room.ax.fill_between(edges, low, high, step="post", **look)]


def _paint_steps(room: _Room, series: Series, style: _Style) -> list[Any]:
    """Draw each step as a box as high as what is unknown; where nothing is, as a line."""
    from matplotlib.patches import PathPatch
    from matplotlib.path import Path

    is_flat = series.high - series.low <= 1e-9
    boxes = [
        Path(corners, closed=True) for corners in _corners(series)[~is_flat][:, [0, 1, 2, 3, 0]]
    ]
    area = PathPatch(Path.make_compound_path(*boxes), **_fill(style))
    room.ax.add_patch(area)
    across = np.column_stack([series.x, series.x_end, series.x_end]).ravel()
    level = np.where(is_flat, series.low, np.nan)
    up = np.column_stack([level, level, np.append(level[1:], np.nan)]).ravel()
    look = {"color": style.color, "linestyle": style.line, "linewidth": 1.8}
    return [area, *room.ax.plot(across, up, **look)]


def _corners(series: Series) -> Floats:
    """The four corners of each box, shape (n, 4, 2)."""
    across = np.column_stack([series.x, series.x_end, series.x_end, series.x])
    up = np.column_stack([series.low, series.low, series.high, series.high])
    return np.stack([across, up], axis=2)


def _paint_heatmap(room: _Room, series: Series, _: _Style) -> list[Any]:
    """Draw a shade for each cell, with its number where there are few."""
    across, up = np.arange(series.x.max() + 2) - 0.5, np.unique(room.places)
    table = series.value.reshape(len(up), -1)
    look = {"vmin": 0, "vmax": 1, "cmap": "Blues"}
    edges = np.concatenate([[-0.5], (up[1:] + up[:-1]) / 2, up[-1:] + 0.5])
    mesh = room.ax.pcolormesh(across, edges, table, **look)
    room.ax.figure.colorbar(mesh, ax=room.ax, label="chance")
    cells = zip(series.x, room.places, series.value, strict=True) if table.size <= 60 else ()
    centred = {"ha": "center", "va": "center"}
    texts = [
        room.ax.text(x, y, f"{chance:.2g}", color="white" if chance > 0.6 else "black", **centred)
        for x, y, chance in cells
    ]
    return [mesh, *texts]


def _paint_histogram(room: _Room, series: Series, style: _Style) -> list[Any]:
    wide = series.x_end - series.x
    return list(room.ax.bar(series.x, series.value, wide, align="edge", **_fill(style)))


def _paint_rule(room: _Room, series: Series, style: _Style) -> list[Any]:
    """Draw a line across the axes, upright at x or level at a value."""
    look = {"color": style.color, "linestyle": style.line, "linewidth": 1, "zorder": 1}
    upright = [room.ax.axvline(float(x), **look) for x in series.x]
    return upright + [room.ax.axhline(float(y), **look) for y in series.value]


_PAINTERS: Mapping[MarkKind, Callable[[_Room, Series, _Style], list[Any]]] = {
    MarkKind.BAND: _paint_band,
    MarkKind.BAR: _paint_bars,
    MarkKind.BOX: _paint_bars,
    MarkKind.HEATMAP: _paint_heatmap,
    MarkKind.HISTOGRAM: _paint_histogram,
    MarkKind.INTERVAL: _paint_intervals,
    MarkKind.LINE: _paint_line,
    MarkKind.POINT: _paint_points,
    MarkKind.RULE: _paint_rule,
    MarkKind.STEP: _paint_steps,
}


def _write_axes(
    ax: Any,
    chart: Chart,
    rows: Mapping[tuple[str, int], float],
    limits: Sequence[tuple[float, float]],
) -> None:
    """Set the ends of the axes, what they are called, and the names of rows."""
    from matplotlib.ticker import MaxNLocator

    width = _width(ax)
    ax.set_xlim(*limits[0])
    if isinstance(ax.xaxis.get_major_locator(), MaxNLocator):
        ax.locator_params(axis="x", nbins=_columns(width, 0.7) // 8 + 1)  # numbers have their room
    if chart.x.ticks:
        ticks = [_wrap(name, 16) for name in chart.x.ticks]
        is_wide = sum(map(len, ticks)) > _columns(width, 0.5)
        ax.set_xticks(range(len(ticks)), ticks, rotation=90 if is_wide else 0)
        for tick, words in zip(ax.get_xticklabels(), ticks, strict=True):
            _set_words(tick, words)
    ax.set_xlabel(" ")
    _set_words(ax.xaxis.label, chart.x.text, _columns(width, 0.6))
    ax.set_ylim(*limits[1])
    if not chart.has_rows:
        ax.set_ylabel(" ")
        _set_words(ax.yaxis.label, chart.y.text, _columns(width, 0.5))
        ax.set_aspect("equal" if chart.is_square else "auto")
        return
    ax.tick_params(axis="y", length=0, pad=_MARKER + 1)  # half a marker lies beyond the axis
    columns = _columns(width, 0.4)
    most = _most_lines(ax, 0.6, len(rows))
    wrapped = [_wrap(name, columns, most) for name, _ in rows]
    ax.set_yticks(list(rows.values()), wrapped)
    for tick, words in zip(ax.get_yticklabels(), wrapped, strict=True):
        _set_words(tick, words)


def _write_legend(ax: Any, entries: Sequence[tuple[tuple[Any, ...], str]]) -> None:
    """Set the legend above the axes, where it covers nothing."""
    if not entries:
        return
    parts = [parts for parts, _ in entries]
    side = "right" if any(ax.get_yticklabels()) and _CHARTS[ax][0].chart.has_rows else "left"
    legend = ax.legend(
        parts,
        ["x"] * len(parts),  # its own words may begin with "_", which Matplotlib leaves out
        loc=f"lower {side}",
        bbox_to_anchor=(float(side == "right"), 1.0),
        frameon=False,
        borderaxespad=0.2,
    )
    for text, (_, words) in zip(legend.get_texts(), entries, strict=True):
        _set_words(text, words, _columns(_width(ax), 0.7), _most_lines(ax, 0.3, len(entries)))


def _wrap(words: str, columns: int, most: int | None = None) -> str:
    """Break words into lines, at most so many; what is empty is a pair of quotes."""
    lines = fold(" ".join(in_xml(words).split()) or "“”", columns)
    if most is not None and len(lines) > most:
        lines = [*lines[: most - 1], f"{lines[most - 1]}…"]
    return "\n".join(_isolate_lines(lines))


def _isolate_lines(lines: Sequence[str]) -> Sequence[str]:
    """Set every line of right-to-left words in the direction of them all, by Unicode isolates.

    Each line has a direction of its own otherwise: a bracket that closes behind it stands before.
    """
    strong = [
        kind for sign in "".join(lines) if (kind := unicodedata.bidirectional(sign)) in _STRONG
    ]
    if len(lines) < 2 or {*strong} <= {"L"}:
        return lines
    begin = "\N{LEFT-TO-RIGHT ISOLATE}" if strong[0] == "L" else "\N{RIGHT-TO-LEFT ISOLATE}"
    return [f"{begin}{line}\N{POP DIRECTIONAL ISOLATE}" for line in lines]


_STRONG = ("L", "R", "AL")


def _most_lines(ax: Any, share: float, entries: int) -> int | None:
    """How many lines each of some words may take in a share of the figure, unless it grows."""
    from matplotlib import rcParams

    if _SIZED.get(ax.figure):
        return None
    height = float(ax.figure.bbox.height / ax.figure.dpi)
    spec = ax.get_subplotspec()
    height *= len(spec.rowspan) / spec.get_gridspec().nrows if spec else 1
    return max(1, int(share * height * 72 / (1.25 * rcParams["font.size"]) / max(entries, 1)))


def _set_words(text: Any, words: str, columns: int | None = None, most: int | None = None) -> None:
    """Write words as they are, never as mathematics, in fonts that have their signs."""
    words = in_xml(_wrap(words, columns, most) if columns else words)
    text.set(text=words, parse_math=False, usetex=False)
    missing = sorted(set(words) - _signs(tuple(text.get_fontfamily()), text.get_fontweight()))
    fonts = {sign: font for sign in missing if (font := _font_with(sign))}
    if fonts:
        text.set_fontfamily([*text.get_fontfamily(), *dict.fromkeys(fonts.values())])
    _warn_of_signs([sign for sign in missing if sign not in fonts])
    if any(unicodedata.bidirectional(sign) in ("R", "AL") for sign in words):
        _warn_of_direction()


@lru_cache(maxsize=64)
def _signs(families: tuple[str, ...], weight: Any) -> frozenset[str]:
    """List the signs of a font, and those that need none."""
    from matplotlib.font_manager import FontProperties, findfont, get_font

    path = findfont(FontProperties(family=list(families), weight=weight))
    blank = "\n\t\r\u00a0\u200b\u200c\u200d\u200e\u200f\u2066\u2067\u2069\ufe0e\ufe0f"
    return frozenset(map(chr, get_font(path).get_charmap())) | frozenset(blank)


@lru_cache(maxsize=4096)
def _font_with(sign: str) -> str:
    """Find an installed font that has a sign: one without serifs if there is one."""
    from matplotlib.font_manager import fontManager, get_font

    fonts = {font.fname: font.name for font in fontManager.ttflist if font.style == "normal"}
    for path, name in sorted(fonts.items(), key=lambda font: ("Sans" not in font[1], font[1])):
        if name.startswith("Last Resort"):  # boxes that say what is missing
            continue
        try:
            font = get_font(path)
        except (OSError, RuntimeError):
            continue
        if font.scalable and font.get_char_index(ord(sign)):
            return str(name)
    return ""


def _warn_of_signs(signs: Sequence[str]) -> None:
    if not signs:
        return
    titles = [f"“{sign}” ({unicodedata.name(sign, f'U+{ord(sign):04X}')})" for sign in signs[:4]]
    more = f" and {len(signs) - 4} more" if len(signs) > 4 else ""
    warnings.warn(
        f"no installed font has {', '.join(titles)}{more}: install one that has, such as a Noto "
        "font; to open an SVG file with text, its reader needs one too",
        UnicodeWarning,
        stacklevel=2,
    )


def _warn_of_direction() -> None:
    from matplotlib import ft2font

    if not hasattr(ft2font, "__libraqm_version__"):
        warnings.warn(
            "this Matplotlib writes Hebrew and Arabic in the wrong order: pip install "
            "'matplotlib>=3.11'",
            UserWarning,
            stacklevel=2,
        )
