"""Results of any kind on one page: of each its table, its plot and its notes."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Protocol, final

from askance.chart import Chart, figure_of
from askance.present.figures import inline, page_style
from askance.present.page_sheet import Drawing, render_template
from askance.results import Listing, Row
from askance_collect.arguments import checked
from askance_collect.errors import InputError


class Plotted(Protocol):
    """A result that sets itself as a table and draws itself."""

    def _table(self) -> Listing: ...

    def _chart(self) -> Chart: ...


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class _ResultSection:
    """One result, ready for the page."""

    title: str
    head: Row
    rows: Sequence[Row]
    notes: tuple[str, ...]
    drawing: Drawing


@checked
def render_results(
    title: str,
    results: Sequence[Any],
    *,
    kind: str,
    lead: str,
    caption: str,
    command: str = "",
    limits: Sequence[str] = (),
) -> str:
    """Render results as one self-contained HTML page: of each its table, its plot and its notes.

    One file without a script and without a request, in light, in dark and on paper. Equal results
    give equal bytes.

    Parameters
    ----------
    title : str
    results : sequence
        Each has a table, as it prints itself, and a ``plot``.
    kind : str
        What they are together, in a word: "audit".
    lead : str
        What the page is about, in a sentence.
    caption : str
        Below each plot.
    command : str
        What was typed to make the page.
    limits : sequence of str
        What the page does not say.

    Raises
    ------
    InputError
        If there is no result, or one without a table or a plot.
    MissingExtra
        If Jinja2 or matplotlib is not installed.

    >>> import askance as ak
    >>> q = ak.Warner(truth="3/4").channel(ak.Frame(["yes", "no"]))
    >>> result = ak.audit.audit(ak.audit.ChannelSubject(q, rng=1), draws=2000, rng=1)
    >>> page = render_results("Ours", [result], kind="audit", lead="Once.", caption="Losses.")
    >>> page[:15], "<script" in page, result.verdict in page
    ('<!doctype html>', False, True)
    """
    plotted = [hasattr(result, "_table") and hasattr(result, "_chart") for result in results]
    if not plotted or not all(plotted):
        allowed = "one or more results that have a table and a plot"
        raise InputError("render_results.results", got=len(plotted), allowed=allowed)
    if not all(isinstance(limit, str) for limit in limits):
        raise InputError("render_results.limits", got=limits, allowed="sentences")
    return render_template(
        "results.html",
        title=title,
        language="en",
        kind=kind,
        lead=lead,
        findings=[_set_section(result, i, caption) for i, result in enumerate(results, 1)],
        command=command,
        limits=limits,
        prints=(),
    )


def _set_section(result: Plotted, index: int, caption: str) -> _ResultSection:
    title, head, rows, notes = result._table()
    with page_style():
        figure = figure_of(result._chart())
        svg = inline(figure, f"r{index}", title, f"{caption} The table says the same.")
    sentences = tuple(filter(None, notes))
    drawing = Drawing(svg=svg, caption=caption)
    return _ResultSection(title=title, head=head, rows=rows, notes=sentences, drawing=drawing)
