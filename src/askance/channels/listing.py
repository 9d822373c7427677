"""Results as plain text and as HTML tables, for a terminal and for a notebook."""

import math
from collections.abc import Sequence
from html import escape
from typing import Protocol, TypeVar

Row = Sequence[str]

Listing = tuple[str, Row, Sequence[Row], Sequence[str]]
"""A title, the heads of columns, rows below them, and notes below all."""


class _Listed(Protocol):
    def _table(self) -> Listing: ...


_Result = TypeVar("_Result", bound=_Listed)


def number(value: float, digits: int = 4) -> str:
    """Write a number for reading: a dash where there is none, powers of ten beyond reading.

    >>> number(0.321049), number(float("nan")), number(1234567.0), number(1e300)
    ('0.321', '–', '1,234,567', '1e+300')
    """
    if math.isnan(value):
        return "–"
    whole = 10**digits <= abs(value) < 1e15
    return f"{value:,.0f}" if whole else f"{value:.{digits}g}"


def counted(total: float, what: str) -> str:
    """Say how many, counting weights; beyond reading, in powers of ten.

    >>> counted(1, "range"), counted(2000, "range"), counted(1e300, "report")
    ('1 range', '2,000 ranges', '1e+300 reports')
    """
    told = f"{total:,.0f}" if total < 1e15 else number(total)
    return f"{told} {what}{'' if told == '1' else 's'}"


def listing(title: str, head: Row, rows: Sequence[Row], notes: Sequence[str] = ()) -> str:
    """Set rows in aligned columns: the first to the left, figures to the right.

    >>> print(listing("shares", ["answer", "value"], [["yes", "0.3"], ["no", "0.7"]]))
    shares
    answer  value
    yes       0.3
    no        0.7
    """
    table = [head, *rows]
    widths = [max(len(row[at]) for row in table) for at in range(len(head))]
    lines = [
        "  ".join(
            cell.rjust(width) if at else cell.ljust(width)
            for at, (cell, width) in enumerate(zip(row, widths, strict=True))
        ).rstrip()
        for row in table
    ]
    return "\n".join([title, *lines, *notes])


def html_listing(title: str, head: Row, rows: Sequence[Row], notes: Sequence[str] = ()) -> str:
    """Set the same rows as an HTML table: names to the left, every text escaped.

    >>> html_listing("<b>", ["answer"], [["yes"]])
    '<table><caption>&lt;b&gt;</caption><thead><tr><th scope="col" style="text-align: left">...'
    """
    top = "".join(f'<th scope="col"{_side(at)}>{escape(cell)}</th>' for at, cell in enumerate(head))
    body = "".join(
        f'<tr><th scope="row"{_side(0)}>{escape(name)}</th>'
        + "".join(f"<td{_side(1)}>{escape(cell)}</td>" for cell in cells)
        + "</tr>"
        for name, *cells in rows
    )
    foot = "".join(f"<p>{escape(note)}</p>" for note in notes)
    return (
        f"<table><caption>{escape(title)}</caption><thead><tr>{top}</tr></thead>"
        f"<tbody>{body}</tbody></table>{foot}"
    )


def _side(at: int) -> str:
    return f' style="text-align: {"right" if at else "left"}"'


def listed(result: type[_Result]) -> type[_Result]:
    """Let a class show the listing that its `_table` gives, in a terminal and in a notebook.

    >>> @listed
    ... class Shares:
    ...     def _table(self):
    ...         return "shares", ["answer", "value"], [["yes", "0.3"]], []
    >>> Shares()
    shares
    answer  value
    yes       0.3
    >>> Shares()._repr_html_()[:32]
    '<table><caption>shares</caption>'
    """

    def in_text(self: _Result) -> str:
        return listing(*self._table())

    def in_html(self: _Result) -> str:
        return html_listing(*self._table())

    for name, method in (("__repr__", in_text), ("_repr_html_", in_html)):
        setattr(result, name, method)
    return result
