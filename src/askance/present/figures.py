"""Figures in the one house style, as matplotlib draws them and as inline SVG for the page.

Each is the figure of the result's own ``plot``, in the house style and laid out for a narrow page.
An upright mark is the truth in the data and nothing else; an average is a triangle on the axis.
"""

import math
import re
import warnings
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import asdict, dataclass, replace
from io import StringIO
from pathlib import Path
from textwrap import wrap
from typing import TYPE_CHECKING, Any, final
from xml.etree import ElementTree

from askance.analysis import Check
from askance.chart import draw
from askance.inference.line.cells import SHARES, LineEstimate
from askance.present.findings import share
from askance.results import in_xml
from askance_collect.arguments import checked
from askance_collect.errors import InputError, MissingExtra

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from askance.survey.report_preview import ReportPreview


_MARGIN, _LETTERS = 16, 54
_LINE, _BAR, _HISTOGRAM, _AXIS, _GAP = 19, 26, 96, 48, 30
_BARS = 2 * _BAR + _LINE + 8


@checked
def outlook_picture(check: Check) -> str:
    """Draw the distribution of the coverage of every truthful question, and two of its reports.

    Below each question stand the typical report and the worst.

    Parameters
    ----------
    check : Check

    Returns
    -------
    str
        An SVG file, light or dark as its reader's screen is.

    Raises
    ------
    InputError
        If reports to every question may lie, or are the answers themselves.
    MissingExtra
        If matplotlib is not installed.

    >>> import askance as ak
    >>> form = ak.publish(ak.load_survey("examples/income.toml"))
    >>> outlook_picture(ak.check(form))[:70]
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 420 ...'
    """
    previews = [
        (question.text, question.preview)
        for question in check.questions
        if question.preview is not None
    ]
    if not previews:
        raise InputError(
            "picture",
            got="no question whose reports rule answers out and never lie",
            allowed="a survey that asks something by ranges or sets",
        )
    blocks = [
        (_wrap_lines(text, 44), [_wrap_lines(sentence) for sentence in preview.sentences], preview)
        for text, preview in previews
    ]
    heights = [
        _LINE * (len(title) + sum(map(len, reports))) + _BARS + _HISTOGRAM + _AXIS + _GAP
        for title, reports, _ in blocks
    ]
    with house_style():
        from matplotlib.figure import Figure

        figure = Figure(figsize=(WIDTH / 72, (sum(heights) + _MARGIN) / 72))
        top = sum(heights) + _MARGIN
        for (title, reports, preview), height in zip(blocks, heights, strict=True):
            _draw_block(figure, top - _MARGIN, title, reports, preview)
            top -= height
        description = " ".join(
            f"{text} {' '.join(preview.sentences)}" for text, preview in previews
        )
        svg = inline(figure, "outlook", f"What reports will look like: {check.title}", description)
    return make_standalone(svg)


def _wrap_lines(text: str, letters: int = _LETTERS) -> list[str]:
    return wrap(text, letters) or [""]


def _draw_block(
    figure: "Figure",
    top: float,
    title: list[str],
    reports: list[list[str]],
    preview: "ReportPreview",
) -> None:
    """Draw one question below a height: its text, two reports and the histogram."""
    for line in title:
        top -= _LINE
        _write_line(figure, top, line, weight="bold")
    _, full_height = figure.get_size_inches() * 72
    stretch_sets = preview.typical_held, preview.worst_held
    for lines, stretches, colour in zip(
        reports, stretch_sets, (LIGHT.accent, LIGHT.mark), strict=True
    ):
        for line in lines:
            top -= _LINE
            _write_line(figure, top, line)
        top -= _BAR
        ax = figure.add_axes(
            (_MARGIN / WIDTH, (top + 6) / full_height, 1 - 2 * _MARGIN / WIDTH, 12 / full_height)
        )
        ax.set(xlim=(0, 1), ylim=(0, 1))
        ax.axis("off")
        ax.hlines(0.5, 0, 1, color=LIGHT.rule, linewidth=2, zorder=0)
        for low, high in stretches:
            ax.axvspan(low, high, facecolor=colour)
    top -= _LINE
    _write_line(figure, top, preview.ends[0], color=LIGHT.quiet)
    _write_line(figure, top, preview.ends[1], right=True, color=LIGHT.quiet)
    _draw_law(figure, (top - 8 - _HISTOGRAM) / full_height, _HISTOGRAM / full_height, preview)


def _draw_law(figure: "Figure", bottom: float, height: float, preview: "ReportPreview") -> None:
    ax = figure.add_axes((_MARGIN / WIDTH, bottom, 1 - 2 * _MARGIN / WIDTH, height))
    preview.law.plot(ax=ax)
    dress_histogram(ax)
    mean = f"{100 * preview.law.mean:.0f} of 100"
    ax.set(xlabel=f"people a report fits (triangle: on average {mean})", ylabel="", yticks=[])
    ax.set_xticks([0, 0.25, 0.5, 0.75, 1], ["0", "25", "50", "75", "100"])
    for label, side in zip(ax.get_xticklabels()[::4], ("left", "right"), strict=True):
        label.set(horizontalalignment=side)
    ax.spines["left"].set_visible(False)
    ax.tick_params(length=0, pad=4)


def _write_line(
    figure: "Figure", y: float, text: str, *, right: bool = False, **style: Any
) -> None:
    full_height = figure.get_size_inches()[1] * 72
    x = 1 - _MARGIN / WIDTH if right else _MARGIN / WIDTH
    figure.text(x, (y + 4) / full_height, text, ha="right" if right else "left", **style)


def make_standalone(svg: str) -> str:
    """Make the figure self-contained: with its name space, its colours and its background."""
    colours = (
        f"svg {{ {LIGHT.declarations()} background: var(--paper); font-family: sans-serif }} "
        f"@media (prefers-color-scheme: dark) {{ svg {{ {DARK.declarations()} }} }}"
    )
    named = svg.replace("<svg ", '<svg xmlns="http://www.w3.org/2000/svg" ', 1)
    head, _, rest = in_xml(named).partition(">")
    return f"{head}><style>{colours}</style>{rest}\n"


WIDTH = 420
"""Width of a figure in pixels: legible on a phone, natural beside the text on a desk."""


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class Palette:
    """The colours of a page, by what they are for.

    Attributes
    ----------
    paper, ink, quiet : str
        Ground, text, and text that steps back.
    rule, tint, panel : str
        Hairlines, the body of bars and bands, and the ground of boxes: they carry no meaning alone.
    accent, mark : str
        What was estimated, and what it is compared with.
    """

    paper: str
    ink: str
    quiet: str
    rule: str
    tint: str
    panel: str
    accent: str
    mark: str

    def declarations(self) -> str:
        """Spell the palette as CSS custom properties.

        >>> LIGHT.declarations()[:17]
        '--paper: #fbfaf7;'
        """
        return " ".join(f"--{name}: {colour};" for name, colour in asdict(self).items())


LIGHT = Palette(
    paper="#fbfaf7",
    ink="#1d2426",
    quiet="#566063",
    rule="#d9d8d1",
    tint="#cce3de",
    panel="#f2f1ec",
    accent="#0b6259",
    mark="#a8440f",
)

DARK = Palette(
    paper="#14191a",
    ink="#e9ece9",
    quiet="#a5b0af",
    rule="#333d3e",
    tint="#224a45",
    panel="#1c2324",
    accent="#74cdbd",
    mark="#f0a06a",
)

PRINT = Palette(
    paper="#ffffff",
    ink="#000000",
    quiet="#4a4a4a",
    rule="#c8c8c8",
    tint="#d3e6e2",
    panel="#ffffff",
    accent="#08504a",
    mark="#8c3507",
)


@checked
@contextmanager
def house_style() -> Iterator[None]:
    """Apply the house style to every matplotlib figure drawn inside, on pages and in notebooks.

    Raises
    ------
    MissingExtra
        If matplotlib is not installed.

    >>> import matplotlib
    >>> with house_style():
    ...     matplotlib.rcParams["svg.fonttype"]
    'none'
    """
    try:
        import matplotlib as mpl
    except ImportError:
        raise MissingExtra("matplotlib", "plot") from None
    with mpl.rc_context(rc=_settings(mpl)):
        yield


@contextmanager
def page_style() -> Iterator[None]:
    """Apply the style of a page's figures: text stays text, in the reader's fonts."""
    with house_style(), warnings.catch_warnings():
        warnings.simplefilter("ignore", UnicodeWarning)
        yield


def _settings(mpl: Any) -> Any:
    return {
        "figure.figsize": (WIDTH / 72, WIDTH / 72 * 0.6),
        "figure.dpi": 72,
        "figure.facecolor": LIGHT.paper,
        "savefig.facecolor": "none",
        "axes.facecolor": "none",
        "axes.edgecolor": LIGHT.quiet,
        "axes.labelcolor": LIGHT.quiet,
        "axes.labelsize": 14.5,
        "axes.labelpad": 6,
        "axes.linewidth": 0.8,
        "axes.spines.top": False,
        "axes.spines.right": False,
        "axes.prop_cycle": mpl.cycler(color=[LIGHT.accent, LIGHT.mark, LIGHT.quiet]),
        "axes.axisbelow": True,
        "grid.color": LIGHT.rule,
        "grid.linewidth": 0.8,
        "xtick.color": LIGHT.quiet,
        "ytick.color": LIGHT.quiet,
        "xtick.major.pad": 9,
        "xtick.labelsize": 14.5,
        "ytick.labelsize": 14.5,
        "text.color": LIGHT.ink,
        "font.size": 14.5,
        "font.family": "sans-serif",
        "font.sans-serif": ["DejaVu Sans"],
        "lines.linewidth": 2,
        "lines.markersize": 7,
        "patch.linewidth": 0,
        "legend.frameon": False,
        "pdf.fonttype": 42,
        "ps.fonttype": 42,
        "svg.fonttype": "none",
        "svg.hashsalt": "askance",
        "text.parse_math": False,
    }


TRUTH = "the truth in the data"
"""What an upright mark is, in every figure and table."""

_KEY = 26
_TRIANGLE = 9
_TRUE: Mapping[str, Any] = {"color": LIGHT.mark, "lw": 2.4, "zorder": 6}
_WIDE, _DIGIT = 340, 9


def _place_numbers(ax: Any, most: int) -> None:
    """Write so many numbers along an axis at most, and two at least."""
    low, high = ax.get_xlim()
    for bins in range(most, most + 3):
        ax.locator_params(axis="x", nbins=bins)
        if sum(low <= place <= high for place in ax.get_xticks()) > 1:
            break


def curve_figure(
    estimate: LineEstimate,
    truth: Mapping[str, float] | None = None,
    everybody: LineEstimate | None = None,
) -> "Figure":
    """Draw the share of people at or below each number, with its band.

    The true quantiles of a rehearsal are lines across the curve; of a group, that of everybody is
    dashed.

    >>> import askance as ak
    >>> from askance.present.figures import house_style
    >>> ages = ak.RangeChannel(ak.Line(17, 21, 1, "years"), [0, 1, 0])  # one cut, at 19
    >>> sent = ak.Ranges([-float("inf"), 19], [19, float("inf")], counts=[60, 40])
    >>> with house_style():
    ...     curve_figure(ak.estimate_line(ages, sent)).axes[0].get_xlabel()
    'years'
    """
    true_quantiles = {p: truth[name] for p, name in SHARES.items() if truth and name in truth}
    figure, ax = sheet(270, left_margin=58, bottom_margin=52, key=TRUTH if true_quantiles else "")
    estimate.plot(ax)
    if everybody is not None:
        chart = everybody._chart()
        draw(replace(chart, series=chart.series[:1]), ax, color=LIGHT.quiet)
    _remove_legend(ax)
    ax.set(ylim=(0, 1.02), xlabel=estimate.unit, ylabel="")
    ax.xaxis.set_major_formatter(lambda value, _: f"{value:,.12g}")
    ax.yaxis.set_major_formatter(percent)
    ax.set_yticks([0, 0.25, 0.5, 0.75, 1])
    longest = max(len(f"{end:,.12g}") for end in ax.get_xlim())
    _place_numbers(ax, min(6, _WIDE // (_DIGIT * longest + 14)))
    ax.grid(axis="y")
    for p, value in true_quantiles.items():
        ax.vlines(value, p - 0.06, p + 0.06, **_TRUE)
    return figure


def coverage_figure(estimate: LineEstimate) -> "Figure":
    """Draw how many reports left how large a share of all people possible.

    A report far to the left says much about its sender; one far to the right says little. The
    triangle is the average.

    >>> import askance as ak
    >>> from askance.present.figures import house_style
    >>> ages = ak.RangeChannel(ak.Line(17, 21, 1, "years"), [0, 1, 0])  # one cut, at 19
    >>> sent = ak.Ranges([-float("inf"), 19], [19, float("inf")], counts=[60, 40])
    >>> with house_style():
    ...     bars = coverage_figure(ak.estimate_line(ages, sent)).axes[0].patches
    >>> [int(bar.get_height()) for bar in bars if bar.get_height()]
    [40, 60]
    """
    most = f"{estimate.coverage_counts.sum():,.0f}"
    average = f"average: {share(estimate.average_coverage)}"
    left_margin = max(58, _DIGIT * len(most) + 10)
    figure, ax = sheet(190, left_margin=left_margin, bottom_margin=52, key=average, marker="^")
    estimate.plot_coverage(ax)
    dress_histogram(ax)
    ax.set(xlabel="share of people the report leaves possible", ylabel="")
    ax.xaxis.set_major_formatter(percent)
    ax.yaxis.set_major_formatter(lambda value, _: f"{value:,.0f}")
    ax.locator_params(axis="y", nbins=4, integer=True)
    ax.grid(axis="y")
    return figure


def dress_histogram(ax: "Axes") -> None:
    """Colour bars by the estimate's tint, and the mean by the text's colour."""
    _remove_legend(ax)
    for bar in ax.patches:
        bar.set(facecolor=LIGHT.tint, edgecolor=LIGHT.accent, linewidth=1)
    for line in ax.lines:
        line.set(color=LIGHT.ink, markersize=_TRIANGLE)


def _remove_legend(ax: "Axes") -> None:
    if (legend := ax.get_legend()) is not None:
        legend.remove()


def percent(value: float, _: object) -> str:
    """Word a tick of shares, as matplotlib asks for it."""
    return f"{round(100 * value, 6):g} %"


def sheet(
    height: int, left_margin: int, bottom_margin: int, *, key: str = "", marker: str = "|"
) -> tuple["Figure", "Axes"]:
    """Lay out a figure: the axes, and above them what its mark means."""
    from matplotlib.figure import Figure

    full_height = height + _KEY * bool(key)
    figure = Figure(figsize=(WIDTH / 72, full_height / 72))
    figure.patch.set_visible(False)
    ax = figure.add_axes(
        (
            left_margin / WIDTH,
            bottom_margin / full_height,
            1 - (left_margin + 22) / WIDTH,
            (height - bottom_margin - 8) / full_height,
        )
    )
    ax.patch.set_visible(False)
    ax.tick_params(length=0)
    if key:
        _draw_key(figure, key, marker, left_margin / WIDTH, 1 - _KEY / 2 / full_height)
    return figure, ax


def _draw_key(figure: "Figure", key: str, marker: str, x: float, y: float) -> None:
    from matplotlib.lines import Line2D

    mark = Line2D([x + 6 / WIDTH], [y], marker=marker, color=LIGHT.ink, markersize=_TRIANGLE)
    if marker == "|":
        mark.set(color=LIGHT.mark, markersize=15, markeredgewidth=2.4)
    figure.add_artist(mark)
    figure.text(x + 18 / WIDTH, y, key, va="center_baseline", color=LIGHT.quiet)


_SVG = "{http://www.w3.org/2000/svg}"
_HREF = "{http://www.w3.org/1999/xlink}href"
_COLOURS = {colour: f"var(--{name})" for name, colour in asdict(LIGHT).items()}
_SVG_ATTRIBUTES = {
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


@checked
def save_figure(figure: Any, path: str | Path, *, dpi: float = 300) -> None:
    """Write a figure as a file for print: in PDF and SVG text stays text, which can be searched.

    The same figure gives the same bytes.

    Parameters
    ----------
    figure : matplotlib Figure or Axes
    path : str or Path
        Its ending says what is written: .pdf, .svg, .png, or another that Matplotlib knows.
    dpi : float
        Dots per inch, where it consists of dots.

    Raises
    ------
    InputError
        If what is given is no figure, or Matplotlib writes no such file, or not there.
    MissingExtra
        If matplotlib is not installed.

    >>> from tempfile import TemporaryDirectory
    >>> from matplotlib.figure import Figure
    >>> with TemporaryDirectory() as folder:
    ...     save_figure(Figure(), Path(folder, "empty.svg"))
    ...     "date" in Path(folder, "empty.svg").read_text()
    False
    """
    try:
        from matplotlib import rc_context
        from matplotlib.artist import Artist
    except ImportError:
        raise MissingExtra("matplotlib", "plot") from None
    root = figure.get_figure(root=True) if isinstance(figure, Artist) else None
    if root is None:
        allowed = "a figure of Matplotlib, or axes in one"
        raise InputError("save_figure.figure", got=type(figure).__name__, allowed=allowed)
    if not 0 < dpi < math.inf:
        raise InputError("save_figure.dpi", got=dpi, allowed="a positive number of dots per inch")
    allowed = "a .svg, .png or .pdf file, in a folder that is there"
    if not Path(path).suffix:
        raise InputError("save_figure.path", got=str(path), allowed=allowed)
    text: Any = {"svg.fonttype": "none", "svg.hashsalt": "askance", "pdf.fonttype": 42}
    about = {".svg": ("Creator", "Date", "Format", "Type"), ".pdf": ("CreationDate",)}
    metadata = dict.fromkeys(about.get(Path(path).suffix, ()))
    with rc_context(text | {"ps.fonttype": 42}):
        try:
            root.savefig(path, dpi=dpi, metadata=metadata)
        except (OSError, ValueError) as error:
            raise InputError(
                "save_figure.path", got=str(path), allowed=allowed, remedy=str(error)
            ) from error


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
    root = ElementTree.fromstring(in_xml(buffer.getvalue()))  # noqa: S314  matplotlib wrote it just now
    used = set(_ID.findall(buffer.getvalue()))
    for parent in list(root.iter()):
        for child in list(parent):
            if child.tag in {_SVG + "metadata", _SVG + "style"} or "{" not in str(child.tag):
                parent.remove(child)
    for element in root.iter():
        element.tag = element.tag.removeprefix(_SVG)
        element.attrib = _translate_attributes(element.attrib, name, used)
    _add_title(root, name, title, description)
    return re.sub(r">\s+<", "><", ElementTree.tostring(root, encoding="unicode"))


def _translate_attributes(old: dict[str, str], name: str, used: set[str]) -> dict[str, str]:
    new = {key: value for key, value in old.items() if key not in {"style", "id", _HREF, "version"}}
    new |= _parse_style(old.get("style", ""))
    if old.get("id") in used:
        new["id"] = f"{name}-{old['id']}"
    if _HREF in old:
        new["href"] = f"#{name}-{old[_HREF][1:]}"
    for key in new.keys() & {"clip-path", "fill"}:
        new[key] = new[key].replace("url(#", f"url(#{name}-")
    for key in ("d", "x", "y", "width", "height", "transform", "points"):
        if key in new:
            new[key] = " ".join(_LONG.sub(_shorten, new[key]).split())
    if _UPRIGHT.fullmatch(new.get("transform", "")):
        del new["transform"]
    return {key: _COLOURS.get(value, value) for key, value in new.items()}


def _shorten(number: re.Match[str]) -> str:
    return f"{round(float(number[0]), 1) + 0.0:.1f}".removesuffix(".0")


def _parse_style(style: str) -> dict[str, str]:
    pairs = (part.partition(":") for part in style.split(";") if part.strip())
    declared = {key.strip(): value.strip() for key, _, value in pairs}
    font = declared.get("font", "")
    if size := _SIZE.search(font):
        declared["font-size"] = size[1]
    if weight := _WEIGHT.search(font):
        declared["font-weight"] = weight[2]
    return {key: value for key, value in declared.items() if key in _SVG_ATTRIBUTES}


def _add_title(root: ElementTree.Element, name: str, title: str, description: str) -> None:
    for key in ("width", "height"):
        root.attrib.pop(key, None)
    root.set("role", "img")
    root.set("aria-labelledby", f"{name}-title {name}-text")
    for tag, ending, text in (("desc", "text", description), ("title", "title", title)):
        element = ElementTree.Element(tag, {"id": f"{name}-{ending}"})
        element.text = text
        root.insert(0, element)
