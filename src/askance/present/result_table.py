"""What was estimated as a table for a paper, a page or another program: LaTeX, HTML and CSV.

Written here in a few lines, since what is set is one small table of names and numbers: a table
that pastes into any document, without a style sheet, a script or another library.
"""

import csv
import io
import math
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from html import escape
from typing import Any, Protocol, final, runtime_checkable

from askance.inference.domains import DomainEstimates, LineDomains
from askance.inference.line.cells import LineEstimate
from askance.inference.regression.coefficients import Margins
from askance.inference.shares.information import Estimate
from askance.results import (
    Cell,
    Cells,
    Listing,
    Row,
    counted,
    is_missing,
    json_of,
    listed,
    result_frame,
    result_stream,
)
from askance.typing import Json
from askance_collect.arguments import checked
from askance_collect.errors import InputError
from askance_collect.wire.canonical_json import escape_formula

_COUNTS = ("plain", "reports", "received", "effective")
_HEADINGS = {
    "upper": "to",
    "plain": "plain answers",
    "small": "",
    "low": "from",
    "high": "to",
    "direct": "by itself",
    "noncompliant": "do not comply",
}
_LATEX = {
    **{sign: f"\\{sign}" for sign in "&%$#_{}"},
    "\\": r"\textbackslash{}",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "−": "$-$",
    "<": "$<$",
    ">": "$>$",
    "|": r"\textbar{}",
    "ε": r"$\varepsilon$",
    "×": r"$\times$",
    "≤": r"$\le$",
    "≥": r"$\ge$",
    "∞": r"$\infty$",
    "²": "$^2$",
    "→": r"$\to$",
    "π": r"$\pi$",
    "σ": r"$\sigma$",
    "χ": r"$\chi$",
    "±": r"$\pm$",
}
_UNPRINTED = re.compile("[\0-\x1f\x7f-\x9f]")  # an empty line would end a caption
_LIGATURE = re.compile("(?<=-)(?=-)|(?<=`)(?=`)|(?<=')(?=')|(?<=,)(?=,)|(?<=[?!])(?=`)")
_BEGINS = "[*"  # what LaTeX would take for an argument of the line before it


@final
@listed
@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class ResultTable:
    """A table of results.

    Attributes
    ----------
    title : str
    head : tuple of str
        What a program calls each column.
    rows : tuple of tuple
        Names, and numbers as they are.
    level : float
        Of the intervals.
    notes : tuple of str
        What is said below it.
    mirrored : tuple of int
        Rows that say nothing which the others do not, such as the second of two shares: they stand
        in CSV alone.
    """

    title: str
    head: tuple[str, ...]
    rows: tuple[tuple[Cell, ...], ...]
    level: float
    notes: tuple[str, ...] = ()
    mirrored: tuple[int, ...] = ()

    def to_csv(self) -> str:
        """Write the table as CSV, every number to its last digit; an empty cell is missing."""
        out = io.StringIO()
        table = csv.writer(out, lineterminator="\n")
        table.writerow(map(escape_formula, self.head))
        table.writerows([[_spell_cell(cell) for cell in row] for row in self.rows])
        return out.getvalue()

    def to_latex(self) -> str:
        """Write the table for LaTeX, with the rules of its package booktabs."""
        return write_latex(self._table(), is_name=self._is_name)

    def to_html(self) -> str:
        """Write the table as HTML that pastes into a page, a notebook or a text document."""
        return write_html(self._table(), is_name=self._is_name)

    def _is_name(self, column: int) -> bool:
        return all(isinstance(row[column], str) or row[column] is None for row in self.rows)

    def to_dict(self) -> Json:
        """Write the table for JSON, numbers as they are."""
        return json_of(self, "title head rows level notes")

    def _frame(self) -> dict[str, Any]:
        return {name: [row[i] for row in self.rows] for i, name in enumerate(self.head)}

    def _table(self) -> Listing:
        level = f"{100 * self.level:g} %"
        headings = {**_HEADINGS, "lower": f"{level} from"}
        head = [headings.get(name, name) for name in self.head]
        places = [self._choose_decimals(i) for i in range(len(head))]
        shown_rows = [row for i, row in enumerate(self.rows) if i not in set(self.mirrored)]
        rows = [
            [self._write_cell(cell, i, places[i]) for i, cell in enumerate(row)]
            for row in shown_rows
        ]
        return self.title, head, rows, list(self.notes)

    def _choose_decimals(self, column: int) -> int:
        """Two digits of the least standard error, at least three places, in all such columns."""
        if self.head[column] in (*_COUNTS, "z", "t"):
            return 0 if self.head[column] in _COUNTS else 2
        where = self.head.index("se") if "se" in self.head else column
        values = [row[where] for row in self.rows]
        sizes = [
            value
            for value in values
            if isinstance(value, float) and math.isfinite(value) and value > 0
        ]
        return 3 if not sizes else min(max(3, 1 - math.floor(math.log10(min(sizes)))), 8)

    def _write_cell(self, cell: Cell, column: int, places: int) -> str:
        if isinstance(cell, str):
            return cell
        if cell is None or math.isnan(cell):
            return "–"
        if self.head[column] == "p":
            return "< 0.001" if cell < 0.001 else f"{cell:.3f}"
        return f"{cell:,.{places}f}".replace("-", "−")

    to_frame = result_frame
    __arrow_c_stream__ = result_stream


_RULE = "1px solid currentColor"
_TABLE = f"border-collapse:collapse;margin:0 0 1.2em;border-top:{_RULE};border-bottom:{_RULE}"
_CAPTION = "text-align:left;padding:.3em 0"
_CELL = "padding:.2em .7em;font-variant-numeric:tabular-nums;"
_HEAD = f"padding:.2em .7em;border-bottom:{_RULE};"
_FOOT = f"padding:.4em .7em;border-top:{_RULE};font-size:85%;text-align:left"


def write_latex(table: Listing, *, is_name: Callable[[int], bool], foot: int = 0) -> str:
    r"""Write a table for LaTeX, with the rules of its package booktabs.

    Parameters
    ----------
    table : (str, sequence of str, sequence of sequence of str, sequence of str)
        Title, head, rows and notes.
    is_name : function of int to bool
        Whether a column has names, which stand to the left.
    foot : int
        The first row of the foot, above which there is a rule; 0 where there is no foot.

    >>> listing = "shares", ["answer", "value"], [["yes", "0.3"]], []
    >>> print(write_latex(listing, is_name=lambda i: i == 0).splitlines()[3])
    \begin{tabular}{lr}
    """
    title, head, rows, notes = table
    sides = "".join("l" if is_name(i) else "r" for i in range(len(head)))
    lines = [" & ".join(map(in_latex, row)) + r" \\" for row in rows]
    if foot:
        lines.insert(foot, r"\midrule")
    below = [r"\par\smallskip\footnotesize " + r"\\ ".join(map(in_latex, notes))] if notes else []
    return "\n".join(
        [
            r"\begin{table}",
            r"\centering",
            rf"\caption{{{in_latex(title)}}}",
            rf"\begin{{tabular}}{{{sides}}}",
            r"\toprule",
            " & ".join(map(in_latex, head)) + r" \\",
            r"\midrule",
            *lines,
            r"\bottomrule",
            r"\end{tabular}",
            *below,
            r"\end{table}",
        ]
    )


def write_html(table: Listing, *, is_name: Callable[[int], bool], foot: int = 0) -> str:
    """Write a table as HTML that pastes into a page; what it takes is as of `write_latex`.

    >>> listing = "shares", ["answer", "value"], [["yes", "0.3"]], []
    >>> write_html(listing, is_name=lambda i: i == 0)[:6]
    '<table'
    """
    title, head, rows, notes = table
    sides = [f"text-align:{'left' if is_name(i) else 'right'}" for i in range(len(head))]
    top = "".join(
        f'<th scope="col" style="{_HEAD}{side}">{escape(cell)}</th>'
        for side, cell in zip(sides, head, strict=True)
    )
    lines = [f"<tr>{_write_cells(row, sides, _CELL)}</tr>" for row in rows]
    if foot and foot < len(rows):
        lines[foot] = f"<tr>{_write_cells(rows[foot], sides, f'{_CELL}border-top:{_RULE};')}</tr>"
    body = "\n".join(lines)
    last = "".join(f"<div>{escape(note)}</div>" for note in notes)
    below = f'<tfoot><tr><td colspan="{len(head)}" style="{_FOOT}">{last}</td></tr></tfoot>'
    return (
        f'<table style="{_TABLE}">\n<caption style="{_CAPTION}">{escape(title)}</caption>'
        f"\n<thead><tr>{top}</tr></thead>\n<tbody>\n{body}\n</tbody>\n"
        f"{below if notes else ''}</table>"
    )


def _write_cells(row: Row, sides: Sequence[str], style: str) -> str:
    first, *others = row
    cells = "".join(
        f'<td style="{style}{side}">{escape(cell)}</td>'
        for side, cell in zip(sides[1:], others, strict=True)
    )
    name = f"{style}font-weight:normal;text-align:left"
    return f'<th scope="row" style="{name}">{escape(first)}</th>{cells}'


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class MethodsParagraph:
    """A methods paragraph and its references.

    Attributes
    ----------
    text : str
        A paragraph.
    references : tuple of str
        Its sources, in the order of their names.
    parts : tuple of str
        What the paragraph consists of: on the question, the promise, people, the computation and so
        on; empty where it is not known.
    """

    text: str
    references: tuple[str, ...]
    parts: tuple[str, ...] = ()

    def to_dict(self) -> Json:
        """Write the paragraph and its references for JSON."""
        return {"text": self.text, "references": list(self.references)}

    def __str__(self) -> str:
        return "\n".join([self.text, "", "References", *self.references])


@runtime_checkable
class Tabled(Protocol):
    """A result that gives the rows of its table, numbers as they are."""

    def columns(self) -> Cells:
        """What a program calls each column, and the rows."""
        ...

    def _table(self) -> Listing: ...


@runtime_checkable
class Fitted(Protocol):
    """A regression, as far as it is set in a table."""

    @property
    def p_value(self) -> Any:
        """Of each coefficient."""
        ...

    def coefficients(self) -> Any:
        """The coefficients with their intervals."""
        ...

    def notes(self, *, is_brief: bool = False) -> list[str]:
        """Describe the model, the respondents, and how the fit ended."""
        ...

    def _table(self) -> Listing: ...


@checked
def result_table(result: Any, group: str = "") -> ResultTable:
    r"""Set an estimate of shares, of groups, or a regression as a table.

    Parameters
    ----------
    result : Estimate, DomainEstimates, LineEstimate, PartialEstimate, ComplianceEstimate and its
        test, Sensitivity, ContaminationBounds, GroupComparison, SmallAreaEstimates,
        FayHerriotEstimates, a regression, or Margins: its averages
    group : str
        Whose it is, where several tables stand together.

    Raises
    ------
    InputError
        If it is anything else.

    >>> import askance as ak
    >>> q = ak.Warner(truth="3/4").channel(ak.Frame(["yes", "no"]))
    >>> table: ak.present.ResultTable = ak.present.result_table(
    ...     ak.estimate(ak.Tally(q, {"yes": 40, "no": 60})))
    >>> table.to_csv().splitlines()[0]
    'answer,share,se,lower,upper,plain,reports'
    >>> r"\toprule" in table.to_latex(), table.to_html()[:6]
    (True, '<table')
    """
    named = f"{group}: " if group else ""
    for kind, make in _KINDS:
        if isinstance(result, kind):
            return make(result, named)
    if isinstance(result, Tabled):
        return _tabulate_cells(result, named)
    if not isinstance(result, Fitted):
        raise InputError(
            "result_table.result",
            got=type(result).__name__,
            allowed="an Estimate, estimates of groups, bounds, a comparison, a regression, Margins",
        )
    return _tabulate_regression(result, named)


def _tabulate_cells(result: "Tabled", named: str) -> ResultTable:
    """Tabulate a result by its own columns."""
    (head, rows), (title, _, _, notes) = result.columns(), result._table()
    return ResultTable(
        title=f"{named}{title}",
        head=tuple(head),
        rows=tuple(map(tuple, rows)),
        level=getattr(result, "level", 0.95),
        notes=tuple(notes),
    )


def _tabulate_shares(estimate: Estimate, named: str) -> ResultTable:
    columns = (estimate.value, estimate.se, estimate.lower, estimate.upper)
    worth, n = estimate.effective_sample_size, estimate.reports
    mirrors = _is_mirrored(estimate)
    title = f"share of {estimate.labels[0]}" if mirrors else estimate.title
    return ResultTable(
        title=f"{named}{title}",
        head=("answer", "share", "se", "lower", "upper", "plain", "reports"),
        rows=tuple(
            (label, *(float(column[i]) for column in columns), float(worth[i]), n)
            for i, label in enumerate(estimate.labels)
        ),
        level=estimate.level,
        notes=(
            f"{counted(estimate.reports, 'report')}; {estimate.method}",
            *estimate.goodness_of_fit.misfit,
        ),
        mirrored=(1,) if mirrors else (),
    )


def _is_mirrored(estimate: Estimate) -> bool:
    """Whether there are only two answers whose shares sum to one."""
    return len(estimate.labels) == 2 and math.isclose(float(estimate.value.sum()), 1, abs_tol=1e-6)


def _tabulate_domains(domains: DomainEstimates | LineDomains, named: str) -> ResultTable:
    head, rows = domains.columns()
    levels = [estimate.level for estimate in domains.estimates if estimate is not None]
    title = domains.title
    second: tuple[int, ...] = ()
    shares = [estimate for estimate in domains.estimates if isinstance(estimate, Estimate)]
    if isinstance(domains, DomainEstimates) and shares and all(map(_is_mirrored, shares)):
        answer, (first, last) = head.index("answer"), shares[0].labels
        title = domains.title_of(first)
        second = tuple(i for i, row in enumerate(rows) if row[answer] == last)
    return ResultTable(
        title=f"{named}{title}",
        head=tuple(head),
        rows=tuple(map(tuple, rows)),
        level=levels[0] if levels else 0.95,
        notes=domains.notes,
        mirrored=second,
    )


def _tabulate_line(estimate: LineEstimate, named: str) -> ResultTable:
    """The average and the quantiles; a number in a step lies anywhere in it."""
    middle = (estimate.mean_low + estimate.mean_high) / 2
    step = f"the average lies between {estimate.mean_low:.6g} and {estimate.mean_high:.6g}; "
    return ResultTable(
        title=f"{named}{estimate.title}{f' ({estimate.unit})' if estimate.unit else ''}",
        head=("what", "estimate", "se", "lower", "upper"),
        rows=(
            ("average", middle, estimate.se, estimate.lower, estimate.upper),
            *(
                (f"quantile {share:g}", value, None, lower, upper)
                for share, (lower, value, upper) in estimate.quantiles.items()
            ),
        ),
        level=estimate.level,
        notes=(
            f"{step if estimate.mean_high > estimate.mean_low else ''}{estimate.reports:,} "
            f"reports; {estimate.method}",
        ),
    )


def _tabulate_margins(margins: Margins, named: str) -> ResultTable:
    columns = (margins.value, margins.se, margins.lower, margins.upper)
    return ResultTable(
        title=f"{named}{margins.title}",
        head=("term", "value", "se", "lower", "upper"),
        rows=tuple(
            (label, *(float(column[i]) for column in columns))
            for i, label in enumerate(margins.labels)
        ),
        level=margins.level,
    )


def _tabulate_regression(fit: Any, named: str) -> ResultTable:
    coefficients, (title, *_) = fit.coefficients(), fit._table()
    columns = (
        coefficients.value,
        coefficients.se,
        coefficients.value / coefficients.se,
        fit.p_value,
        coefficients.lower,
        coefficients.upper,
    )
    test = "z" if math.isinf(getattr(fit, "df", math.inf)) else "t"
    formula = getattr(fit, "formula", None)
    return ResultTable(
        title=f"{named}{title_regression(title, formula)}",
        head=("term", "estimate", "se", test, "p", "lower", "upper"),
        rows=tuple(
            (name, *(float(column[i]) for column in columns))
            for i, name in enumerate(coefficients.labels)
        ),
        level=coefficients.level,
        notes=tuple(fit.notes(is_brief=True)),
    )


def title_regression(title: str, formula: Any) -> str:
    """The title of a regression table: its formula, after the title if it has no left side.

    >>> title_regression("logit of the share of yes", None)
    'logit of the share of yes'
    """
    if formula is None:
        return title
    return f"{title}: {formula.text}" if formula.text.startswith("~") else formula.text


_KINDS: tuple[tuple[Any, Callable[[Any, str], ResultTable]], ...] = (
    (Estimate, _tabulate_shares),
    (DomainEstimates | LineDomains, _tabulate_domains),
    (LineEstimate, _tabulate_line),
    (Margins, _tabulate_margins),
)


def in_latex(text: str) -> str:
    r"""Write a text so that LaTeX prints it as it is.

    >>> print(in_latex("95 % of {a_b}"))
    95 \% of \{a\_b\}
    >>> print(in_latex("[none]"), in_latex("ε = 1"))
    {[}none] $\varepsilon$ = 1
    >>> print(in_latex("--by town"))
    -{}-by town
    """
    plain = _UNPRINTED.sub(" ", text)
    written = _LIGATURE.sub("{}", "".join(_LATEX.get(sign, sign) for sign in plain))
    return f"{{{written[0]}}}{written[1:]}" if written.startswith(tuple(_BEGINS)) else written


def named_rows(table: ResultTable, names: Mapping[str, str]) -> ResultTable:
    """Prepend columns that name the group of every row.

    >>> import askance as ak
    >>> q = ak.Warner(truth="3/4").channel(ak.Frame(["yes", "no"]))
    >>> table = result_table(ak.estimate(ak.Tally(q, {"yes": 40, "no": 60})))
    >>> named_rows(table, {"town": "a"}).head[:2], named_rows(table, {"town": "a"}).rows[0][:2]
    (('town', 'answer'), ('a', 'yes'))
    """
    return replace(
        table,
        head=(*names, *table.head),
        rows=tuple((*names.values(), *row) for row in table.rows),
    )


def _spell_cell(cell: Cell) -> Cell:
    """Write a cell for a spreadsheet: a missing one empty, and no text as a formula."""
    if is_missing(cell):
        return ""
    return escape_formula(cell) if isinstance(cell, str) else cell


def join_tables(tables: Sequence[ResultTable], how: str) -> str:
    """Write several tables one below the other; in CSV those of one head are one table.

    >>> join_tables([], "csv")
    ''
    """
    if how == "csv":
        heads: dict[tuple[str, ...], list[ResultTable]] = {}
        for table in tables:
            heads.setdefault(table.head, []).append(table)
        merged = [
            replace(group[0], rows=tuple(row for table in group for row in table.rows))
            for group in heads.values()
        ]
        return "\n".join(table.to_csv() for table in merged).rstrip("\n")
    write = {"latex": ResultTable.to_latex, "html": ResultTable.to_html}
    return "\n\n".join(write[how](table) for table in tables)
