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

from askance.arguments import checked
from askance.errors import InputError
from askance.inference.climb import Convergence
from askance.inference.domains import DomainEstimates, LineDomains
from askance.inference.line.cells import LineEstimate
from askance.inference.regression.coefficients import Margins
from askance.inference.shares.information import Estimate
from askance.results import Cell, Cells, Listing, Row, listed
from askance.typing import Json
from askance.wire.spelling import guard

_COUNTS = ("plain", "reports", "received", "effective")
_SHOWN = {
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
        table.writerow(map(guard, self.head))
        table.writerows([[_spelt(cell) for cell in row] for row in self.rows])
        return out.getvalue()

    def to_latex(self) -> str:
        """Write the table for LaTeX, with the rules of its package booktabs."""
        _, head, rows, notes = self._table()
        sides = "".join("l" if self._is_name(at) else "r" for at in range(len(head)))
        lines = [" & ".join(map(in_latex, row)) + r" \\" for row in rows]
        below = (
            [r"\par\smallskip\footnotesize " + r"\\ ".join(map(in_latex, notes))] if notes else []
        )
        return "\n".join(
            [
                r"\begin{table}",
                r"\centering",
                rf"\caption{{{in_latex(self.title)}}}",
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

    def to_html(self) -> str:
        """Write the table as HTML that pastes into a page, a notebook or a text document."""
        _, head, rows, notes = self._table()
        top = "".join(
            f'<th scope="col" style="{_HEAD}{self._side(at)}">{escape(cell)}</th>'
            for at, cell in enumerate(head)
        )
        body = "\n".join(f"<tr>{self._cells(row)}</tr>" for row in rows)
        foot = "".join(f"<div>{escape(note)}</div>" for note in notes)
        below = f'<tfoot><tr><td colspan="{len(head)}" style="{_FOOT}">{foot}</td></tr></tfoot>'
        return (
            f'<table style="{_TABLE}">\n<caption style="{_CAPTION}">{escape(self.title)}</caption>'
            f"\n<thead><tr>{top}</tr></thead>\n<tbody>\n{body}\n</tbody>\n"
            f"{below if notes else ''}</table>"
        )

    def _cells(self, row: Row) -> str:
        first, *others = row
        told = "".join(
            f'<td style="{_CELL}{self._side(at)}">{escape(cell)}</td>'
            for at, cell in enumerate(others, start=1)
        )
        style = f"{_CELL}font-weight:normal;text-align:left"
        return f'<th scope="row" style="{style}">{escape(first)}</th>{told}'

    def _side(self, at: int) -> str:
        return f"text-align:{'left' if self._is_name(at) else 'right'}"

    def _is_name(self, at: int) -> bool:
        return all(isinstance(row[at], str) or row[at] is None for row in self.rows)

    def _table(self) -> Listing:
        level = f"{100 * self.level:g} %"
        shown = {**_SHOWN, "lower": f"{level} from"}
        head = [shown.get(name, name) for name in self.head]
        places = [self._places(at) for at in range(len(head))]
        shown_rows = [row for at, row in enumerate(self.rows) if at not in set(self.mirrored)]
        rows = [
            [self._cell(cell, at, places[at]) for at, cell in enumerate(row)] for row in shown_rows
        ]
        return self.title, head, rows, list(self.notes)

    def _places(self, at: int) -> int:
        """Two digits of the least standard error, at least three places, in all such columns."""
        if self.head[at] in (*_COUNTS, "z", "t"):
            return 0 if self.head[at] in _COUNTS else 2
        where = self.head.index("se") if "se" in self.head else at
        held = [row[where] for row in self.rows]
        sizes = [one for one in held if isinstance(one, float) and math.isfinite(one) and one > 0]
        return 3 if not sizes else min(max(3, 1 - math.floor(math.log10(min(sizes)))), 8)

    def _cell(self, cell: Cell, at: int, places: int) -> str:
        if isinstance(cell, str):
            return cell
        if cell is None or math.isnan(cell):
            return "–"
        if self.head[at] == "p":
            return "< 0.001" if cell < 0.001 else f"{cell:.3f}"
        return f"{cell:,.{places}f}".replace("-", "−")


_RULE = "1px solid currentColor"
_TABLE = f"border-collapse:collapse;margin:0 0 1.2em;border-top:{_RULE};border-bottom:{_RULE}"
_CAPTION = "text-align:left;padding:.3em 0"
_CELL = "padding:.2em .7em;font-variant-numeric:tabular-nums;"
_HEAD = f"padding:.2em .7em;border-bottom:{_RULE};"
_FOOT = f"padding:.4em .7em;border-top:{_RULE};font-size:85%;text-align:left"


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class MethodsParagraph:
    """What a methods section says, and whom it cites.

    Attributes
    ----------
    text : str
        A paragraph.
    references : tuple of str
        Its sources, in the order of their names.
    """

    text: str
    references: tuple[str, ...]

    def to_dict(self) -> Json:
        """Write both for JSON."""
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
        return _of_cells(result, named)
    if not isinstance(result, Fitted):
        raise InputError(
            "result_table.result",
            got=type(result).__name__,
            allowed="an Estimate, estimates of groups, bounds, a comparison, a regression, Margins",
        )
    return _of_regression(result, named)


def _of_cells(found: "Tabled", named: str) -> ResultTable:
    """What sets its own rows; those without intervals have no level."""
    (head, rows), (title, _, _, notes) = found.columns(), found._table()
    return ResultTable(
        title=f"{named}{title}",
        head=tuple(head),
        rows=tuple(map(tuple, rows)),
        level=getattr(found, "level", 0.95),
        notes=tuple(notes),
    )


def _of_shares(found: Estimate, named: str) -> ResultTable:
    columns = (found.value, found.se, found.lower, found.upper)
    worth, n = found.effective_sample_size, found.reports
    mirrors = _mirrors(found)
    what = _of_one(found.what, found.labels[0]) if mirrors else found.what
    return ResultTable(
        title=f"{named}{what}",
        head=("answer", "share", "se", "lower", "upper", "plain", "reports"),
        rows=tuple(
            (label, *(float(column[at]) for column in columns), float(worth[at]), n)
            for at, label in enumerate(found.labels)
        ),
        level=found.level,
        notes=(f"{found.reports:,} reports; {found.method}", *found.goodness_of_fit.misfit),
        mirrored=(1,) if mirrors else (),
    )


def _mirrors(found: Estimate) -> bool:
    """Whether there are two answers, whose shares are one: the second says nothing new."""
    return len(found.labels) == 2 and math.isclose(float(found.value.sum()), 1, abs_tol=1e-6)


def _of_one(title: str, answer: str) -> str:
    """The title of shares of which the first alone is shown."""
    return title.replace("each answer", answer, 1)


def _of_domains(found: DomainEstimates | LineDomains, named: str) -> ResultTable:
    head, rows = found.columns()
    told = [one.level for one in found.estimates if one is not None]
    title = found.title
    second: tuple[int, ...] = ()
    shares = [one for one in found.estimates if isinstance(one, Estimate)]
    if shares and all(map(_mirrors, shares)):
        answer, (first, last) = head.index("answer"), shares[0].labels
        title = _of_one(title, first)
        second = tuple(at for at, row in enumerate(rows) if row[answer] == last)
    return ResultTable(
        title=f"{named}{title}",
        head=tuple(head),
        rows=tuple(map(tuple, rows)),
        level=told[0] if told else 0.95,
        notes=found.notes,
        mirrored=second,
    )


def _of_line(found: LineEstimate, named: str) -> ResultTable:
    """The average and the quantiles; a number in a step lies anywhere in it."""
    middle = (found.mean_low + found.mean_high) / 2
    step = f"the average lies between {found.mean_low:.6g} and {found.mean_high:.6g}; "
    return ResultTable(
        title=f"{named}{found.what}{f' ({found.unit})' if found.unit else ''}",
        head=("what", "estimate", "se", "lower", "upper"),
        rows=(
            ("average", middle, found.se, found.lower, found.upper),
            *(
                (f"quantile {share:g}", at, None, lower, upper)
                for share, (lower, at, upper) in found.quantiles.items()
            ),
        ),
        level=found.level,
        notes=(
            f"{step if found.mean_high > found.mean_low else ''}{found.reports:,} reports; "
            f"{found.method}",
        ),
    )


def _of_margins(found: Margins, named: str) -> ResultTable:
    columns = (found.value, found.se, found.lower, found.upper)
    return ResultTable(
        title=f"{named}{found.what}",
        head=("term", "value", "se", "lower", "upper"),
        rows=tuple(
            (label, *(float(column[at]) for column in columns))
            for at, label in enumerate(found.labels)
        ),
        level=found.level,
    )


def _of_regression(fit: Any, named: str) -> ResultTable:
    told, (title, _, _, notes) = fit.coefficients(), fit._table()
    columns = (told.value, told.se, told.value / told.se, fit.p_value, told.lower, told.upper)
    test = "z" if math.isinf(getattr(fit, "freedom", math.inf)) else "t"
    formula = getattr(fit, "formula", None)
    return ResultTable(
        title=f"{named}{_title(title, formula)}",
        head=("term", "estimate", "se", test, "p", "lower", "upper"),
        rows=tuple(
            (name, *(float(column[at]) for column in columns))
            for at, name in enumerate(told.labels)
        ),
        level=told.level,
        notes=tuple(
            one for one in notes if one not in _AT_THE_TOP and not one.startswith(_SET_BESIDE)
        ),
    )


_AT_THE_TOP = {
    one.value for one in (Convergence.EXACT, Convergence.CONVERGED, Convergence.STATIONARY)
}
_SET_BESIDE = ("mean share and its se", "share of each")
"""How the notes of a regression begin which say what a table of its own, or none, does."""


def _title(title: str, formula: Any) -> str:
    """What the coefficients are of: a formula that does not name it stands after it."""
    if formula is None:
        return title
    return f"{title}: {formula.text}" if formula.text.startswith("~") else formula.text


_KINDS: tuple[tuple[Any, Callable[[Any, str], ResultTable]], ...] = (
    (Estimate, _of_shares),
    (DomainEstimates | LineDomains, _of_domains),
    (LineEstimate, _of_line),
    (Margins, _of_margins),
)


def _nothing(cell: Cell) -> bool:
    return cell is None or (isinstance(cell, float) and math.isnan(cell))


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
    told = _LIGATURE.sub("{}", "".join(_LATEX.get(sign, sign) for sign in plain))
    return f"{{{told[0]}}}{told[1:]}" if told.startswith(tuple(_BEGINS)) else told


def named_rows(table: ResultTable, names: Mapping[str, str]) -> ResultTable:
    """Say in every row whose it is, in columns of their own: for a program that reads several.

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


def _spelt(cell: Cell) -> Cell:
    """Write a cell for a spreadsheet: a missing one empty, and no text as a formula."""
    if _nothing(cell):
        return ""
    return guard(cell) if isinstance(cell, str) else cell


def joined(tables: Sequence[ResultTable], how: str) -> str:
    """Write several tables one below the other; in CSV those of one head are one table.

    >>> joined([], "csv")
    ''
    """
    if how == "csv":
        heads: dict[tuple[str, ...], list[ResultTable]] = {}
        for one in tables:
            heads.setdefault(one.head, []).append(one)
        alike = [
            replace(held[0], rows=tuple(row for one in held for row in one.rows))
            for held in heads.values()
        ]
        return "\n".join(one.to_csv() for one in alike).rstrip("\n")
    write = {"latex": ResultTable.to_latex, "html": ResultTable.to_html}
    return "\n\n".join(write[how](one) for one in tables)
