"""What every result shares: arrays that cannot be changed, JSON, tables as text and HTML.

Also what a confidence level means in standard errors, and Wilson's interval.
"""

import copyreg
import math
import re
import sys
from array import array
from collections.abc import (
    Callable,
    Collection,
    Hashable,
    ItemsView,
    Iterable,
    Iterator,
    Mapping,
    Sequence,
)
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import fields
from enum import Enum
from fractions import Fraction
from functools import wraps
from html import escape
from importlib import import_module
from itertools import repeat, zip_longest
from textwrap import wrap
from types import MappingProxyType, NoneType
from typing import Any, Protocol, TypeVar
from unicodedata import category as sign_category
from unicodedata import east_asian_width

import numpy as np
import numpy.typing as npt

from askance.typing import Booleans, Floats, Json
from askance_collect.errors import InputError, MissingExtra

Key = TypeVar("Key")
Value = TypeVar("Value")


def read_only(values: npt.ArrayLike) -> Floats:
    """Copy values into an array of doubles that refuses to be written to.

    >>> read_only([0.25, 0.75]).flags.writeable
    False
    """
    copied = np.array(values, dtype=np.float64)
    copied.setflags(write=False)
    return copied


def keep_read_only(result: object, names: str) -> None:
    """Copy arrays that a frozen result was given, so that nobody else can change them."""
    for name in names.split():
        object.__setattr__(result, name, read_only(getattr(result, name)))


def keep_doubles(result: Any) -> None:
    """Copy the arrays of doubles that a frozen result was given, so that nobody can change them.

    They are its fields of the type `Floats`, and of `Floats | None` where it has one.
    """
    for field in fields(result):
        if field.type in _DOUBLES_OR_NONE and (values := getattr(result, field.name)) is not None:
            object.__setattr__(result, field.name, read_only(values))


_DOUBLES_OR_NONE = Floats, Floats | None


def kept_mapping(mapping: Mapping[Key, Value]) -> Mapping[Key, Value]:
    """Copy a mapping that a frozen result was given, so that nobody else can change it.

    >>> kept_mapping({"yes": 1})
    mappingproxy({'yes': 1})
    """
    return MappingProxyType(dict(mapping))


def _reduce_mapping(mapping: MappingProxyType[Any, Any]) -> tuple[Any, ...]:
    return kept_mapping, (dict(mapping),)


copyreg.pickle(MappingProxyType, _reduce_mapping)  # results cross processes and are copied


def doubles(values: object, where: str) -> Floats:
    """Read an array of doubles; what is missing (None, NaN, NA, a masked number) is NaN.

    Raises
    ------
    InputError
        If it holds anything but numbers (texts, dates and complex ones are none), or rows of
        unequal length.

    >>> doubles("half", "prevalence")
    Traceback (most recent call last):
    askance_collect.errors.InputError: prevalence: got 'half'; allowed: numbers
    >>> doubles(np.ma.array([1.0, 2.0], mask=[False, True]), "outcome").tolist()
    [1.0, nan]
    """
    try:
        entries = values if isinstance(values, np.ndarray) else np.asarray(values)
        if entries.dtype.kind == "O":
            entries = np.array([_number(entry) for entry in entries.ravel()]).reshape(entries.shape)
        if entries.dtype.kind in "biuf":
            floats = _widen(entries)
            masked = isinstance(entries, np.ma.MaskedArray) and np.ma.getmaskarray(entries).any()
            return np.where(np.ma.getmaskarray(entries), np.nan, floats) if masked else floats
    except (TypeError, ValueError) as error:
        raise InputError(where, got=values, allowed="numbers") from error
    dates = entries.dtype.kind in "mM"
    remedy = "turn dates into numbers, such as years since one of them" if dates else ""
    offender = values if entries.size < 10 and not dates else f"an array of {entries.dtype}"
    raise InputError(where, got=offender, allowed="numbers", remedy=remedy)


def _widen(entries: npt.NDArray[Any]) -> Floats:
    """Write numbers as doubles, those of 32 bits with the digits that were written: 0.1 is 0.1."""
    if not holds_singles(entries):
        return np.asarray(entries, dtype=np.float64)
    distinct, positions = np.unique(np.asarray(entries, dtype=np.float32), return_inverse=True)
    widened: Floats = distinct.astype(str).astype(np.float64)[positions.reshape(entries.shape)]
    return widened


def holds_singles(column: Any) -> bool:
    """Say whether a column of any library holds numbers of 32 bits, or of 16.

    >>> holds_singles(np.float32([0.1])), holds_singles([0.1])
    (True, False)
    """
    kind = str(getattr(column, "dtype", getattr(column, "type", "")))
    return kind.lower().partition("[")[0] in ("float32", "float", "float16", "halffloat")


def list_singles(cells: Iterable[Any]) -> list[Any]:
    """List cells of numbers of 32 bits as the numbers that were written.

    >>> list_singles([np.float32(0.1), None])
    [0.1, None]
    """
    return [None if is_missing(cell) else float(str(np.float32(cell))) for cell in cells]


def numbers(values: object, where: str) -> Floats:
    """Read an array of doubles; a missing value is refused.

    Raises
    ------
    InputError
        As in `doubles`, or if one is missing.

    >>> numbers([1, None], "at")
    Traceback (most recent call last):
    askance_collect.errors.InputError: at[1]: got 'nothing'; allowed: numbers, none missing
    """
    floats = doubles(values, where)
    if np.isnan(floats).any():
        index = np.unravel_index(int(np.argmax(np.isnan(floats))), floats.shape)
        suffix = f"[{', '.join(map(str, index))}]" if index else ""
        raise InputError(f"{where}{suffix}", got="nothing", allowed="numbers, none missing")
    return floats


def function_values(function: Callable[[Any], Any], points: Floats, where: str) -> Floats:
    """Evaluate a function on an array of doubles; values that are not numbers become NaN.

    Raises
    ------
    InputError
        If it gives anything else.

    >>> function_values(lambda t: 0.5, np.zeros(3), "phi")
    Traceback (most recent call last):
    askance_collect.errors.InputError: phi: got 'shape () for shape (3,)'; allowed: a function of...
    """
    with np.errstate(all="ignore"):
        images = doubles(function(points), where)
    if images.shape != np.shape(points):
        raise InputError(
            where,
            got=f"shape {images.shape} for shape {np.shape(points)}",
            allowed="a function of an array that gives as many numbers",
        )
    return images


def is_missing(value: Any) -> bool:
    """Say whether a value is missing: None, NaN, NaT, NA or masked.

    >>> values = None, float("nan"), np.datetime64("NaT"), np.ma.masked, 0, ""
    >>> [is_missing(value) for value in values]
    [True, True, True, True, False, False]
    """
    if value is None or value is np.ma.masked:
        return True
    try:
        return bool(value != value)
    except TypeError:  # of NA no one can say whether it is itself
        return value is getattr(sys.modules.get("pandas"), "NA", None)
    except ValueError:
        return False


def which_missing(values: Collection[Any]) -> Booleans:
    """Say which values are missing, as `is_missing` does for one value.

    Columns of doubles, of texts or of whole numbers are asked at once; an array of doubles is not
    even listed.

    >>> which_missing([1.0, None, float("nan")]), which_missing(["", "no"])
    (array([False,  True,  True]), array([False, False]))
    """
    kinds = kinds_in(values)
    if kinds <= _NEVER_MISSING:
        return np.zeros(len(values), dtype=bool)
    if kinds <= _DOUBLES:
        entries = values if isinstance(values, array) else tuple(values)
        missing: Booleans = np.isnan(np.asarray(entries, dtype=float))
        return missing
    return np.array([is_missing(value) for value in values], dtype=bool)


def kinds_in(values: Collection[Any]) -> set[type]:
    """Name the types of values; those of an array of doubles are known without a look.

    >>> kinds_in(array("d", [1.0])), kinds_in([1, 2])
    ({<class 'float'>}, {<class 'int'>})
    """
    doubles = isinstance(values, array) and values.typecode == "d"
    return {float} if doubles else set(map(type, values))


_NEVER_MISSING = {str, int, bool}
_DOUBLES = {float, bool, type(None), np.float64}


def _number(value: Any) -> float:
    if isinstance(value, str | bytes):
        raise TypeError("a text")
    return math.nan if is_missing(value) else float(value)


def plain_json(value: Any) -> Any:
    """Write arrays as lists, enums by their values, fractions as texts, what is not finite as None.

    A result in it is written as its `to_dict` writes it.

    >>> plain_json({"ends": np.array([-np.inf, 2.0])})
    {'ends': [None, 2.0]}
    """
    if isinstance(value, Mapping):
        return {str(name): plain_json(entry) for name, entry in value.items()}
    if isinstance(value, np.ndarray | list | tuple):
        return [plain_json(entry) for entry in value]
    if isinstance(value, np.integer):
        return int(value)
    if isinstance(value, Fraction):
        return str(value)
    if isinstance(value, float | np.floating):
        return float(value) if math.isfinite(value) or _IN_FRAME.get() else None
    if isinstance(value, Enum):
        return value.value
    return value.to_dict() if hasattr(value, "to_dict") else value


_IN_FRAME = ContextVar("in_frame", default=False)
"""Whether numbers are listed for a data frame, which holds those that JSON does not have."""


def json_of(result: Any, names: str = "", keys: Mapping[str, str] | None = None) -> Json:
    """Write attributes of a result for JSON: those named, or all that it was made of.

    >>> json_of(np.float64(0.5), "real other=imag")  # written under another name
    {'real': 0.5, 'other': 0.0}
    >>> json_of(np.float64(0.5), "real imag", {"imag": "other"})  # by a table of such names
    {'real': 0.5, 'other': 0.0}
    """
    written = [name.partition("=") for name in names.split() or result.__slots__]
    renamed = keys or {}
    return {
        renamed.get(key, key): plain_json(getattr(result, name or key)) for key, _, name in written
    }


Cell = str | float | None
"""What stands in a table: a name, a number that is still whole, or nothing."""

Cells = tuple[list[str], list[list[Cell]]]
"""What a program calls each column, and the rows below."""


def cells_of(labels: Sequence[str], *columns: npt.ArrayLike) -> list[list[Cell]]:
    """Build the rows of a table: a label, then its number in each column.

    >>> cells_of(["yes", "no"], [0.25, 0.75], [0.1, 0.6])
    [['yes', 0.25, 0.1], ['no', 0.75, 0.6]]
    """
    numbers = np.array(columns, dtype=np.float64).T.tolist()
    return [[label, *row] for label, row in zip(labels, numbers, strict=True)]


def figure_rows(labels: Sequence[str], *columns: npt.ArrayLike, digits: int = 4) -> list[list[str]]:
    """Format the rows of a table for people: a label, then its number in each column.

    >>> figure_rows(["yes", "no"], [0.25, 0.75], [0.1, np.nan])
    [['yes', '0.25', '0.1'], ['no', '0.75', '–']]
    """
    figures = np.array(columns, dtype=np.float64).T.tolist()
    return [
        [label, *(number(figure, digits) for figure in row)]
        for label, row in zip(labels, figures, strict=True)
    ]


Row = Sequence[str]

Listing = tuple[str, Row, Sequence[Row], Sequence[str]]
"""A title, the heads of columns, rows below them, and notes below all."""


class _Listed(Protocol):
    def _table(self) -> Listing: ...


_Result = TypeVar("_Result", bound=_Listed)


def number(value: float, digits: int = 4) -> str:
    """Format a number for people: a dash for NaN, powers of ten for very large ones.

    >>> number(0.321049), number(float("nan")), number(1234567.0), number(1e300)
    ('0.321', '–', '1,234,567', '1e+300')
    """
    if math.isnan(value):
        return "–"
    is_plain = 10**digits <= abs(value) < 1e15
    return f"{value:,.0f}" if is_plain else f"{value:.{digits}g}"


def counted(total: float, noun: str, plural: str = "") -> str:
    """Say how many, counting weights; beyond reading, in powers of ten.

    >>> counted(1, "range"), counted(2000, "range"), counted(1e300, "report")
    ('1 range', '2,000 ranges', '1e+300 reports')
    """
    figure = f"{total:,.0f}" if total < 1e15 else number(total)
    return f"{figure} {noun if figure == '1' else plural or f'{noun}s'}"


def listing(title: str, head: Row, rows: Sequence[Row], notes: Sequence[str] = ()) -> str:
    """Set rows in aligned columns: the first to the left, figures to the right.

    >>> print(listing("shares", ["answer", "value"], [["yes", "0.3"], ["no", "0.7"]]))
    shares
    answer  value
    yes       0.3
    no        0.7
    """
    return "\n".join([title, *map(_line, [head, *rows], repeat(_widest([head, *rows]))), *notes])


def in_terminal(result: object) -> str:
    """Say a result as it says itself, its notes on lines of 80 signs at most.

    >>> @listed
    ... class Shares:
    ...     def _table(self):
    ...         return "shares", ["answer", "value"], [["yes", "0.3"]], ["by a method " * 9]
    >>> print(in_terminal(Shares()).splitlines()[-1])
    method by a method by a method
    >>> in_terminal("as it is")
    'as it is'
    """
    text, table = str(result), getattr(result, "_table", None)
    notes = list(table()[3]) if table is not None else []
    below = "\n".join(notes)
    if not notes or not text.endswith(below):
        return text
    return text.removesuffix(below) + in_lines(notes)


def in_lines(notes: Sequence[str]) -> str:
    """Write notes below each other, on lines of 80 signs at most.

    >>> print(in_lines(["a", "by a method, " * 7]))
    a
    by a method, by a method, by a method, by a method, by a method, by a method,
    by a method,
    """
    lines = (wrap(note, _WIDE, break_long_words=False, break_on_hyphens=False) for note in notes)
    return "\n".join(line for note in lines for line in note)


def folded_listing(title: str, head: Row, rows: Sequence[Row], notes: Sequence[str] = ()) -> str:
    """Set the same rows, and fold names between their words where that is wider than 80 signs.

    Every row keeps its figures on one line.

    >>> many = ["no, " + "never, " * 12 + "or only once", "0.7"]
    >>> print(folded_listing("shares", ["answer", "value"], [["yes", "0.3"], many]))
    shares
    answer                                                                     value
    yes                                                                          0.3
    no, never, never, never, never, never, never, never, never, never, never,    0.7
    never, never, or only once
    """
    table = [head, *rows]
    widths = _fit_widths([list(column) for column in zip(*table, strict=True)])
    folded = [list(map(fold, row, widths)) for row in table]
    tall = max(map(len, folded[0]), default=0)
    folded[0] = [[""] * (tall - len(cell)) + cell for cell in folded[0]]  # heads stand on figures
    lines = [_line(line, widths) for row in folded for line in zip_longest(*row, fillvalue="")]
    return "\n".join([title, *lines, *notes])


def _line(row: Row, widths: Sequence[int]) -> str:
    """Set one line: the first cell to the left, the others to the right."""
    cells = enumerate(zip(row, widths, strict=True))
    sides = (_pad_cell(cell, width, right=column > 0) for column, (cell, width) in cells)
    return "  ".join(sides).rstrip()


def _pad_cell(cell: str, width: int, *, right: bool) -> str:
    blank = " " * (width - columns_of(cell))
    return blank + cell if right else cell + blank


def columns_of(text: str) -> int:
    """How many columns of a terminal a text takes: two for each wide sign, none for an accent.

    >>> columns_of("north"), columns_of("東京"), columns_of("e\u0301")
    (5, 4, 1)
    """
    if text.isascii():
        return len(text)
    return sum(_columns(sign) for sign in text)


def _columns(sign: str) -> int:
    if sign_category(sign) in ("Mn", "Me", "Cf"):
        return 0
    return 2 if east_asian_width(sign) in "WF" else 1


def _widest(table: Sequence[Row]) -> list[int]:
    return [max(map(columns_of, column)) for column in zip(*table, strict=True)]


_WIDE = 80
_UNBROKEN = 20
_UNFOLDED = 16, 10
"""Up to how many signs a cell stays whole, and where that is still too wide; a word, unbroken."""


def _fit_widths(columns: Sequence[list[str]]) -> list[int]:
    """Make the widest columns narrower, as far as 80 signs need it and names and heads bear it."""
    widths = [max(map(columns_of, column)) for column in columns]
    for limit in _UNFOLDED:
        min_widths = [
            max(
                _min_width(cell, limit if row_index else 0) for row_index, cell in enumerate(column)
            )
            for column in columns
        ]
        over = sum(widths) + 2 * (sum(map(bool, widths)) - 1) - _WIDE
        while over > 0 and (spare := _reducible_widths(widths, min_widths)):
            widths[max(spare)[1]] -= 1
            over -= 1
    return widths


def _reducible_widths(widths: Sequence[int], least: Sequence[int]) -> list[tuple[int, int]]:
    """Give the widths that can be less, and where they are."""
    return [(width, column) for column, width in enumerate(widths) if width > least[column]]


def _min_width(cell: str, limit: int) -> int:
    """How narrow a cell may be: one of few signs stays whole, a word longer than that in one."""
    longest = max(map(columns_of, _WORDS.split(cell)))
    return min(columns_of(cell), max(limit, min(longest, _UNBROKEN)))


_WORDS = re.compile(r"\s|(?<=-)")


def fold(cell: str, width: int) -> list[str]:
    """Set a cell in lines of so many signs, between its words where it has any.

    >>> fold("more than once", 9)
    ['more than', 'once']
    """
    if columns_of(cell) <= width:
        return [cell]
    lines = [""]
    for word in re.findall(r"\s*(?:[^\s-]*-+|[^\s-]+(?: %)?)", cell):
        fits = columns_of(lines[-1] + word) <= width
        lines += [] if fits else [""]
        for sign in word if fits else word.lstrip():
            lines += [] if columns_of(lines[-1] + sign) <= width else [""]
            lines[-1] += sign
    return [line for line in lines if line]


def in_xml(text: str) -> str:
    r"""Write a text for XML and SVG: a character that no such file can hold is replaced.

    >>> in_xml("a\x01b\ufffe\n"), in_xml("<b>")
    ('a\ufffdb\ufffd\n', '<b>')
    """
    return _NOT_IN_XML.sub("\N{REPLACEMENT CHARACTER}", text)


_NOT_IN_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def html_listing(title: str, head: Row, rows: Sequence[Row], notes: Sequence[str] = ()) -> str:
    """Set the same rows as an HTML table: names to the left, every text escaped.

    >>> html_listing("<b>", ["answer"], [["yes"]])
    '<table><caption>&lt;b&gt;</caption><thead><tr><th scope="col" style="text-align: left">...'
    """
    top = "".join(
        f'<th scope="col"{_side(column)}>{escape(cell)}</th>' for column, cell in enumerate(head)
    )
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


def _side(column: int) -> str:
    return f' style="text-align: {"right" if column else "left"}"'


def listed(result: type[_Result]) -> type[_Result]:
    """Let a class show the listing that its `_table` gives, and keep its arrays of doubles.

    They are shown in a terminal and in a notebook, and kept as by `keep_doubles`.

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

    methods = (
        ("__repr__", in_text),
        ("_repr_html_", in_html),
    )
    for name, method in methods:
        method.__name__, method.__qualname__ = name, f"{result.__qualname__}.{name}"
        setattr(result, name, method)
    made_of = getattr(result, "__dataclass_fields__", {})
    if any(field.type in _DOUBLES_OR_NONE for field in made_of.values()):
        _keep_doubles_made(result)
    return result


def _keep_doubles_made(result: type[_Result]) -> None:
    """Let a class copy the arrays of doubles that it is made of."""
    make = result.__init__

    @wraps(make)
    def make_and_keep(self: _Result, *args: Any, **kwargs: Any) -> None:
        make(self, *args, **kwargs)
        keep_doubles(self)

    setattr(result, "__init__", make_and_keep)  # noqa: B010 mypy refuses to assign a method


def folded(result: type[_Result]) -> type[_Result]:
    """Let a listed class fold its names in a terminal: those of groups may be of any length.

    >>> @folded
    ... @listed
    ... class Shares:
    ...     def _table(self):
    ...         return "shares", ["group", "value"], [["mostly " * 12, "0.3"]], []
    >>> Shares()
    shares
    group                                                                      value
    mostly mostly mostly mostly mostly mostly mostly mostly mostly mostly        0.3
    mostly mostly
    """

    def in_text(self: _Result) -> str:
        return folded_listing(*self._table())

    setattr(result, "__repr__", in_text)  # noqa: B010 mypy refuses to assign a method
    return result


def result_columns(result: Any) -> dict[str, list[Any]]:
    """List the columns of a result's table, numbers as they are.

    They are those that its ``_frame`` or its ``columns`` gives; else, of its JSON, the first list
    of records, or the lists that are as long as the first one, or its numbers in one row.

    >>> result_columns(np.float64(0.5))
    Traceback (most recent call last):
    askance_collect.errors.InputError: result: got 'float64'; allowed: a result with to_dict
    """
    before = _IN_FRAME.set(True)
    try:
        return _list_columns(result)
    finally:
        _IN_FRAME.reset(before)


def _list_columns(result: Any) -> dict[str, list[Any]]:
    if (own := getattr(result, "_frame", None)) is not None:
        table = own()
        return _columns_of_records(table) if isinstance(table, list) else _plain_columns(table)
    if (cells := getattr(result, "columns", None)) is not None:
        head, rows = cells()
        return _plain_columns({name: [row[i] for row in rows] for i, name in enumerate(head)})
    if not hasattr(result, "to_dict"):
        allowed = "a result with to_dict"
        raise InputError("result", got=type(result).__name__, allowed=allowed)
    return _columns_of_json(result.to_dict())


def _plain_columns(columns: Mapping[str, Any]) -> dict[str, list[Any]]:
    return {
        name: column.tolist() if isinstance(column, np.ndarray) else list(column)
        for name, column in columns.items()
    }


def _columns_of_json(document: Json) -> dict[str, list[Any]]:
    """List the columns of a result from its JSON."""
    lists = {name: entry for name, entry in document.items() if isinstance(entry, list) and entry}
    for entries in lists.values():
        if all(isinstance(entry, dict) for entry in entries):
            return _columns_of_records(entries)
    flat = {
        name: entries
        for name, entries in lists.items()
        if not any(isinstance(entry, list | dict) for entry in entries)
    }
    if flat:
        length = len(next(iter(flat.values())))
        return {name: entries for name, entries in flat.items() if len(entries) == length}
    return _columns_of_records([document])


def _columns_of_records(records: Sequence[Mapping[str, Any]]) -> dict[str, list[Any]]:
    """List the columns of records: what lies deeper has a path; lists of numbers are left out."""
    rows = [dict(_flatten(record)) for record in records]
    names = dict.fromkeys(name for row in rows for name in row)
    return {name: [row.get(name) for row in rows] for name in names}


def _flatten(record: Mapping[str, Any], above: str = "") -> Iterator[tuple[str, Any]]:
    for name, entry in record.items():
        if isinstance(entry, Mapping):
            yield from _flatten(entry, f"{above}{name}.")
        elif not isinstance(entry, list | tuple):
            yield f"{above}{name}", entry.value if isinstance(entry, Enum) else entry
        elif entry and all(isinstance(part, str) for part in entry):
            yield f"{above}{name}", ", ".join(entry)


def result_frame(self: Any, backend: str = "pandas") -> Any:
    """Return the table of the result as a data frame: its numbers, not rounded.

    A number that is missing is null in Polars and Arrow; one that is infinite stays so.

    Parameters
    ----------
    backend : str
        ``"pandas"``, ``"polars"`` or ``"pyarrow"``.

    Raises
    ------
    InputError
        If the backend is another.
    MissingExtra
        If it is not installed.

    >>> result_frame(np.float64(0.5), "excel")
    Traceback (most recent call last):
    askance_collect.errors.InputError: backend: got 'excel'; allowed: pandas, polars, pyarrow
    """
    if str(backend) not in _BACKENDS:
        raise InputError("backend", got=backend, allowed=", ".join(_BACKENDS))
    columns = result_columns(self)
    if backend == "pandas":
        return data_frame(columns)
    try:
        module = import_module(backend)
    except ModuleNotFoundError as error:
        raise MissingExtra(backend, "frames") from error
    if backend == "polars":
        return module.DataFrame(columns, strict=False).fill_nan(None)
    types = {name: module.float64() for name, column in columns.items() if _has_doubles(column)}
    return module.table(
        {
            name: module.array(column, types.get(name), from_pandas=True)
            for name, column in columns.items()
        }
    )


def _has_doubles(column: Collection[Any]) -> bool:
    """Say whether a column has numbers alone, some of them doubles, be they all missing."""
    kinds = kinds_in(column)
    is_number = all(issubclass(kind, float | int | NoneType) for kind in kinds)
    return is_number and any(issubclass(kind, float) for kind in kinds)


_BACKENDS = "pandas", "polars", "pyarrow"


def result_stream(self: Any, requested_schema: object = None) -> object:
    """Hand the table over to any program that takes Arrow's stream of C structures.

    >>> class Shares:
    ...     def to_dict(self):
    ...         return {"share": [0.25, 0.75]}
    ...     __arrow_c_stream__ = result_stream
    >>> import pyarrow
    >>> pyarrow.table(Shares())["share"].to_pylist()
    [0.25, 0.75]
    """
    return result_frame(self, "pyarrow").__arrow_c_stream__(requested_schema)


_Estimated = TypeVar("_Estimated", covariant=True)


class Grouped(Protocol[_Estimated]):
    """A result that holds an estimate of each of several groups."""

    def _by_group(self) -> Mapping[Any, _Estimated]: ...


def group_names(self: Grouped[Any]) -> Iterator[Any]:
    """Iterate over the groups, as a mapping does.

    >>> class Towns:
    ...     def _by_group(self):
    ...         return {"a": 0.25, "b": 0.75}
    ...     __iter__ = group_names
    >>> list(Towns())
    ['a', 'b']
    """
    return iter(self._by_group())


def group_count(self: Grouped[Any]) -> int:
    """How many groups there are.

    >>> class Towns:
    ...     def _by_group(self):
    ...         return {"a": 0.25, "b": 0.75}
    ...     __len__ = group_count
    >>> len(Towns())
    2
    """
    return len(self._by_group())


def group_estimate(self: Grouped[_Estimated], group: Any) -> _Estimated:
    """The estimate of one group; None where it is withheld.

    Parameters
    ----------
    group : str or other value, or tuple of them
        Its name; of groups by several columns, a value of each.

    Raises
    ------
    InputError
        If there is no such group.

    >>> class Towns:
    ...     def _by_group(self):
    ...         return {"a": 0.25, "b": 0.75}
    ...     __getitem__ = group_estimate
    >>> Towns()["b"]
    0.75
    """
    groups = self._by_group()
    key = group[0] if isinstance(group, tuple) and len(group) == 1 else group
    if not isinstance(key, Hashable) or key not in groups:
        named = ", ".join(map(str, list(groups)[:_GROUPS_NAMED]))
        more = ", …" if len(groups) > _GROUPS_NAMED else ""
        raise InputError(f"{type(self).__name__}[…]", got=group, allowed=f"{named}{more}")
    return groups[key]


_GROUPS_NAMED = 20


def group_items(self: Grouped[_Estimated]) -> ItemsView[Any, _Estimated]:
    """Iterate over the groups with their estimates; None where one is withheld.

    >>> class Towns:
    ...     def _by_group(self):
    ...         return {"a": 0.25, "b": 0.75}
    ...     items = group_items
    >>> dict(Towns().items())
    {'a': 0.25, 'b': 0.75}
    """
    return self._by_group().items()


def data_frame(table: object, index: Sequence[Any] | None = None) -> Any:
    """A pandas data frame of columns by their names, or of rows that name their cells.

    Raises
    ------
    MissingExtra
        If pandas is not installed.

    >>> data_frame([{"answer": "yes", "value": 0.25}])["value"].tolist()
    [0.25]
    """
    try:
        import pandas as pd
    except ModuleNotFoundError as error:
        raise MissingExtra("pandas", "learn") from error
    return pd.DataFrame(table, index=index)


def normal_quantile(level: float) -> float:
    """The quantile z such that a standard normal lies within ±z this often.

    Raises
    ------
    InputError
        If the level is not strictly between 0 and 1.

    >>> round(normal_quantile(0.95), 6)
    1.959964
    """
    from scipy.special import ndtri

    if not 0 < doubles(level, "level") < 1:
        raise InputError("level", got=level, allowed="a probability strictly between 0 and 1")
    return float(ndtri((1 + level) / 2))


def student_quantile(level: float, df: float) -> float:
    """The quantile t such that Student's law of so many degrees of freedom lies within ±t so often.

    Normal for infinitely many; not a number for none.

    Raises
    ------
    InputError
        As in `normal_quantile`.

    >>> round(student_quantile(0.95, 10), 6), round(student_quantile(0.95, math.inf), 6)
    (2.228139, 1.959964)
    """
    from scipy.special import stdtrit

    normal = normal_quantile(level)
    if math.isinf(df):
        return normal
    return float(stdtrit(df, (1 + level) / 2)) if df > 0 else math.nan


def over_replicates(replicates: int) -> str:
    """Say by how many replicates a variance was found; nothing where it is linearised.

    >>> over_replicates(1200), over_replicates(0)
    (' over 1,200 replicates', '')
    """
    return f" over {replicates:,} replicates" if replicates else ""


def describe_variance(replicates: int, of: str = "") -> str:
    """Name the variance of a complex sample: over replicates, or linearised if there are none.

    Parameters
    ----------
    replicates : int
    of : str
        Whose variance is taken over replicates, where the estimate is linearised in it.

    >>> describe_variance(80), describe_variance(80, " of counts")[:38]
    ('variance over 80 replicates of a complex sample', 'variance of counts over 80 replicates ')
    """
    how = f"variance{of} over {replicates:,} replicates" if replicates else "linearised variance"
    return f"{how} of a complex sample"


def describe_freedom(df: float) -> str:
    """Say degrees of freedom in words, and where there are none that no interval is known.

    >>> describe_freedom(5)
    '5 degrees of freedom'
    >>> describe_freedom(0)
    '0 degrees of freedom, so no interval is known: ask more clusters than strata'
    """
    none = "" if df > 0 else ", so no interval is known: ask more clusters than strata"
    return f"{df:g} degrees of freedom{none}"


def wilson(frequency: Floats, n: Floats, z: float) -> tuple[Floats, Floats]:
    """The shares that a score test does not reject (Wilson, 1927).

    (f + z²/2n ± z √(f(1 − f)/n + z²/4n²)) / (1 + z²/n)

    Parameters
    ----------
    frequency : array
    n : array
        Observations behind each, not necessarily whole; 0 gives [0, 1].
    z : float

    >>> low, high = wilson(np.array([0.0]), np.array([10.0]), 1.959964)
    >>> low.round(6).tolist(), high.round(6).tolist()
    ([0.0], [0.277533])
    """
    penalty = z * z / np.maximum(n, 1e-300)
    centre = (frequency + penalty / 2) / (1 + penalty)
    spread = np.sqrt(frequency * (1 - frequency) / penalty + 0.25) * penalty / (1 + penalty)
    return np.clip(centre - spread, 0, 1), np.clip(centre + spread, 0, 1)


def noisy_wilson(
    share: Floats, variance: Floats, sampling: Floats, z: float
) -> tuple[Floats, Floats]:
    """The shares π that a score test does not reject, where protection adds to the variance.

    (π̂ − π)² ≤ z² [V + s (π(1 − π) − π̂(1 − π̂))]

    The sampling of people varies with the share as π(1 − π); what protection adds stays, also where
    the share is 0. With V = s π̂(1 − π̂) and s = 1/n it is Wilson's (1927) interval.

    Parameters
    ----------
    share, variance : array
        π̂ and V, its variance there.
    sampling : array
        s: one over the plain answers of as many people.
    z : float

    >>> low, high = noisy_wilson(np.array([0.0]), np.array([0.01]), np.array([0.001]), 1.959964)
    >>> low.tolist(), high.round(4).tolist()
    ([0.0], [0.1975])
    """
    penalty = z * z * np.asarray(sampling)
    noise = np.maximum(variance - sampling * share * (1 - share), 0)
    centre = (share + penalty / 2) / (1 + penalty)
    spread = penalty * share * (1 - share) + penalty**2 / 4 + (1 + penalty) * z * z * noise
    reach = np.sqrt(spread) / (1 + penalty)
    return np.clip(centre - reach, 0, share), np.clip(centre + reach, share, 1)


TableNotes = dict[tuple[Any, str], None]
"""Tables, each with a note on how it is read."""

_HEARD: ContextVar[TableNotes | None] = ContextVar("_HEARD", default=None)


@contextmanager
def hearing_notes() -> Iterator[TableNotes]:
    """Collect notes on how tables are read, each once, in the place of warnings.

    >>> with hearing_notes() as notes:
    ...     list_heard() is notes
    True
    >>> list_heard() is None
    True
    """
    notes: TableNotes = {}
    token = _HEARD.set(notes)
    try:
        yield notes
    finally:
        _HEARD.reset(token)


def list_heard() -> TableNotes | None:
    """List what `hearing_notes` collects now; None outside it.

    >>> list_heard()
    """
    return _HEARD.get()
