"""A column of reports in whatever holds it: read as positions, written as one of the same kind.

Lists, tuples and NumPy arrays are read here; columns of pandas, polars and pyarrow are recognised
by narwhals, which is an extra. Nothing is imported for a column that is of another library.

An oracle's report may be no name: it is the number of a row, of a hyperplane, of a seed with its
cell, or one bit for each answer. Numbers stand in a column of integers, in which −1 is a blank
where the column cannot miss a value; bits stand as `numpy.packbits` packs them, in an array of
shape (n, ⌈k/8⌉) or as one text of bytes for each row.
"""

import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import repeat
from numbers import Real
from typing import Any, TypeAlias, final

import numpy as np
import numpy.typing as npt

from askance.channels.abstract_oracle import AbstractOracle
from askance.channels.channel import BLANK
from askance.results import is_missing
from askance.typing import Booleans, Integers
from askance_collect.errors import Fault, InputError, MissingExtra, nearest

Places: TypeAlias = npt.NDArray[np.signedinteger[Any]]
"""For each row the position of its name, or `BLANK`."""

WritePlaces: TypeAlias = Callable[[Places, Sequence[str]], Any]

_UNKNOWN = -2
_PART = 1 << 16  # rows that are taken out of an array at a time
_TEXTS = 1 << 13  # rows of text that stay in a fast cache
_FEW = 8  # names for each value, from which on the names are sought and not the values
_MANY = 1_000  # rows, from which on a hash of the names is worth its making
_MOST_HASHED = 1_024  # names
_TRIES = 64  # multipliers
_LISTED = 20  # names in a message
_COLUMN = (
    "one column: a list, a one-dimensional NumPy array, or a column of pandas, polars or pyarrow"
)


@final
@dataclass(frozen=True, slots=True)
class ExpectedNames:
    """Which names a column may hold, and how a message speaks of it.

    Attributes
    ----------
    names : tuple of str
    where : str
    show_values : bool
        Whether a message may repeat what stands in the column.
    """

    names: tuple[str, ...]
    where: str
    show_values: bool = True

    def no_name(self, row: int, value: Any) -> InputError:
        """Make the error for a value that is not one of the names."""
        remedy = nearest(value, self.names) if isinstance(value, str) and self.show_values else ""
        if isinstance(value, bytes):
            remedy = "names are text: decode bytes first"
        if isinstance(value, Real | np.bool_):
            first = f"{{{value!r}: {self.names[0]!r}, …}}" if self.show_values else "by a mapping"
            remedy = f"numbers and truth values are no positions: name them first, {first}"
        more = ", …" if len(self.names) > _LISTED else ""
        return InputError(
            f"{self.where}[{row}]",
            got=value if self.show_values else None,
            allowed=f"{', '.join(self.names[:_LISTED])}{more}, or None for a blank",
            remedy=remedy,
            fault=Fault.NOT_A_REPORT,
        )


@final
@dataclass(frozen=True, slots=True)
class NamedColumn:
    """A column read by position, and how to write another of its kind.

    Attributes
    ----------
    places : array of int
        The position of each name, or `BLANK`.
    written : callable
        Writes positions among other names; a `BLANK` is what is missing in such a column.
    """

    places: Places
    written: WritePlaces


def named_column(column: Any, expected: ExpectedNames) -> NamedColumn:
    """Read a column of names, whatever holds it.

    Raises
    ------
    InputError
        If it is no column, or a value is neither a name nor missing; the message names the row.

    >>> column = named_column(("no", None), ExpectedNames(("yes", "no"), "column"))
    >>> column.places.tolist(), column.written(column.places, ["J", "N"])
    ([1, -1], ('N', None))
    """
    if isinstance(column, list | tuple):
        kind = type(column) if type(column) in (list, tuple) else list
        return NamedColumn(
            _find_positions(column, expected),
            lambda places, names: kind(_write_objects(places, names).tolist()),
        )
    if isinstance(column, np.ndarray):
        return _read_array(column, expected)
    arrow = sys.modules.get("pyarrow")
    if arrow is not None and isinstance(column, arrow.Array):
        named = _read_arrow(arrow.chunked_array([column]), expected, arrow)
        return NamedColumn(
            named.places, lambda places, names: _single_chunk(named.written(places, names))
        )
    return _read_library(column, expected)


def no_column(column: Any, where: str, remedy: str = "") -> InputError:
    """Make the error for something that is not a column of names."""
    shape = getattr(column, "shape", None)
    shape_text = f" of shape {shape}" if isinstance(shape, tuple) else ""
    return InputError(
        where, got=f"{type(column).__name__}{shape_text}", allowed=_COLUMN, remedy=remedy
    )


def column_name(column: Any) -> str | None:
    """Give the name that a column has in its data frame, or None.

    >>> import pandas as pd
    >>> column_name(pd.Series(["no"], name="tea")), column_name(["no"])
    ('tea', None)
    """
    name = getattr(column, "name", None)
    names = getattr(getattr(column, "schema", None), "names", None)
    if isinstance(names, list) and len(names) == 1:
        (name,) = names
    return str(name) if isinstance(name, str | int | tuple) and name != "" else None


def record_columns(source: Any, where: str) -> Iterator[Any] | None:
    """List the one column of a pyarrow record-batch reader, batch by batch; None for all else.

    Raises
    ------
    InputError
        If its batches have several columns.
    """
    arrow = sys.modules.get("pyarrow")
    if arrow is None or not isinstance(source, arrow.RecordBatchReader):
        return None
    if len(source.schema.names) != 1:
        raise InputError(
            where,
            got=f"batches with the columns {', '.join(source.schema.names[:_LISTED])}",
            allowed="batches of one column",
            remedy='read that column alone, or give (batch["drink"] for batch in reader)',
        )
    return (batch.column(0) for batch in source)


def record_reader(source: Any, empty: Callable[[Any], Any], columns: Iterator[Any]) -> Any:
    """Write columns as a record-batch reader like one that was given.

    Parameters
    ----------
    source : RecordBatchReader
    empty : callable
        Does with a column without rows what was done with all.
    columns : iterator of Array
    """
    arrow = sys.modules["pyarrow"]
    (field,) = source.schema
    schema = arrow.schema([field.with_type(empty(arrow.array([], field.type)).type)])
    batches = (arrow.record_batch([column], schema=schema) for column in columns)
    return arrow.RecordBatchReader.from_batches(schema, batches)


def _find_positions(values: Any, expected: ExpectedNames) -> Places:
    """Find values in any order among the names, some at a time."""
    position_of = _index_names(values, expected.names)
    position_of |= {None: BLANK, np.nan: BLANK}
    positions = np.empty(len(values), dtype=np.int32)
    for start in range(0, len(values), _PART):
        part = values[start : start + _PART]
        part = part.tolist() if isinstance(part, np.ndarray) else part
        places = _positions_of(part, position_of)
        for row in np.flatnonzero(places == _UNKNOWN).tolist():
            if not is_missing(part[row]):
                raise expected.no_name(start + row, part[row])
            places[row] = BLANK
        positions[start : start + _PART] = places
    return positions


@final
@dataclass(frozen=True, slots=True)
class _FixedWidthNames:
    """A hash of fixed-width text under which no two names share a slot.

    Numbers modulo 2³² multiply the characters; the high bits of the sum are the slot. Those before
    the first and after the last in which names differ are left out of it.
    """

    characters: npt.NDArray[np.uint32]
    differing: slice
    multipliers: npt.NDArray[np.uint32]
    shift: np.uint32
    positions: Places

    @classmethod
    def of(cls, names: Sequence[str], width: int) -> "_FixedWidthNames | None":
        """Search for multipliers; None where there are too many names for a small table."""
        is_few = 0 < len(names) <= _MOST_HASHED
        if not is_few or max(map(len, names)) > width or any("\0" in name for name in names):
            return None
        characters = np.array(names, dtype=f"<U{width}").view(np.uint32).reshape(-1, width)
        differ = np.flatnonzero((characters != characters[0]).any(axis=0))
        differing = slice(int(differ.min(initial=width - 1)), int(differ.max(initial=0)) + 1)
        bits = max(8, 2 * (len(names) - 1).bit_length())  # by which half of all multipliers do
        shift, dice = np.uint32(32 - bits), np.random.default_rng(0)
        for _ in range(_TRIES):
            multipliers = dice.integers(0, 1 << 32, width, dtype=np.uint32) | np.uint32(1)
            multipliers = multipliers[differing]
            slots = (characters[:, differing] @ multipliers) >> shift
            positions = np.zeros(1 << bits, dtype=np.int16)
            positions[slots] = np.arange(len(names))
            if (positions[slots] == np.arange(len(names))).all():
                return cls(characters, differing, multipliers, shift, positions)
        return None

    def find(self, texts: npt.NDArray[np.str_]) -> Places | None:
        """Find texts among the names; None where a text is not a name."""
        characters = texts.view(np.uint32).reshape(len(texts), -1)
        slots = (characters[:, self.differing] @ self.multipliers) >> self.shift
        places = self.positions.take(slots)
        found = np.array_equal(self.characters.take(places, axis=0), characters)
        return places if found else None


def _find_fixed_width(column: npt.NDArray[Any], names: Sequence[str]) -> Places | None:
    """Find text of NumPy's fixed width without making objects; None where that cannot be done."""
    width = column.dtype.itemsize // 4
    is_plain = type(column) is np.ndarray and column.dtype == f"<U{width}" and width > 0
    hashed = _FixedWidthNames.of(names, width) if is_plain and len(column) >= _MANY else None
    if hashed is None:
        return None
    places = np.empty(len(column), dtype=np.int32)
    for start in range(0, len(column), _TEXTS):
        part = hashed.find(np.ascontiguousarray(column[start : start + _TEXTS]))
        if part is None:
            return None
        places[start : start + _TEXTS] = part
    return places


def _index_names(values: Any, names: tuple[str, ...]) -> dict[Any, int]:
    """Lay out the positions of names; of millions, those alone that a few values ask for."""
    if len(values) < len(names) // _FEW:
        wanted = {value for value in values if isinstance(value, str)}
        return {name: position for position, name in enumerate(names) if name in wanted}
    return dict(zip(names, range(len(names)), strict=True))


def _positions_of(values: Sequence[Any], position_of: dict[Any, int]) -> Places:
    try:
        return np.fromiter(map(position_of.get, values, repeat(_UNKNOWN)), np.int32, len(values))
    except TypeError:  # what cannot be looked up is no name
        names = (value if isinstance(value, str) else None for value in values)
        blank = np.array([is_missing(value) for value in values], dtype=bool)
        positions = np.fromiter(
            map(position_of.get, names, repeat(_UNKNOWN)), np.int32, len(values)
        )
        positions[(positions == BLANK) & ~blank] = _UNKNOWN
        return positions


def _recode_dictionary(
    codes: npt.NDArray[Any], values: Sequence[Any], expected: ExpectedNames
) -> Places:
    """Find codes of a dictionary among the names; what no row uses may be there."""
    if list(values) == list(expected.names) and codes.dtype.kind == "i":
        return np.asarray(codes, dtype=codes.dtype)
    position_of: dict[Any, int] = {name: position for position, name in enumerate(expected.names)}
    texts = (value if isinstance(value, str) else None for value in values)
    positions = [position_of.get(value, _UNKNOWN) for value in texts]
    positions = [
        BLANK if is_missing(value) else position
        for value, position in zip(values, positions, strict=True)
    ]
    narrow = np.int16 if len(expected.names) < 1 << 15 else np.int32
    table: Places = np.array([*positions, BLANK], dtype=narrow)
    places = table.take(codes, mode="wrap")  # −1 leads to the last, the blank
    unknown = _UNKNOWN in positions and places == _UNKNOWN
    if np.any(unknown):
        row = int(np.argmax(unknown))
        raise expected.no_name(row, values[int(codes[row])])
    return places


def _write_objects(places: Places, names: Sequence[str]) -> npt.NDArray[Any]:
    return np.array([*names, None], dtype=object).take(places, mode="wrap")


def _read_array(column: npt.NDArray[Any], expected: ExpectedNames) -> NamedColumn:
    if column.ndim != 1:
        raise no_column(column, expected.where)
    places = _find_fixed_width(column, expected.names)
    if places is None:
        places = _find_positions(column, expected)
    kind = column.dtype.kind
    dtype: Any = column.dtype

    def written(places: Places, names: Sequence[str]) -> npt.NDArray[Any]:
        blank = places == BLANK
        if kind == "U":
            values = np.array(names).take(places, mode="clip")
        elif kind == "T":
            values = np.array(names, dtype=dtype).take(places, mode="clip")
            if blank.any():
                values[blank] = dtype.na_object
        else:
            values = _write_objects(places, names)
        return np.ma.array(values, mask=blank) if isinstance(column, np.ma.MaskedArray) else values

    if kind in "UOT":
        return NamedColumn(places, written)
    return NamedColumn(places, lambda *_: column.copy())  # all of it is missing


def series_of(column: Any, where: str) -> tuple[Any, Any]:
    """Recognise a column of pandas, polars or pyarrow: which of them it is, and the library.

    Raises
    ------
    InputError
        If it is none.
    """
    try:
        import narwhals as nw
    except ModuleNotFoundError as error:
        raise MissingExtra("narwhals", "engines") from error
    try:
        series = nw.from_native(column, series_only=True)
    except TypeError as error:
        table = any(hasattr(type(column), name) for name in ("columns", "column_names"))
        remedy = 'pick one of its columns: table["drink"]' if table else ""
        if hasattr(type(column), "collect") or hasattr(type(column), "fetchall"):
            remedy = "bring it here first, as a data frame, and pick one of its columns"
        elif type(column).__module__.startswith("pandas") and hasattr(type(column), "tolist"):
            remedy = "make it a column first: pandas.Series(…)"
        remedy = "list the names first" if isinstance(column, str) else remedy
        raise no_column(column, where, remedy) from error
    kind = series.implementation
    if not (kind.is_pandas() or kind.is_polars() or kind.is_pyarrow()):
        raise no_column(column, where, "give its .to_numpy()")
    return kind, series.__native_namespace__()


def _read_library(column: Any, expected: ExpectedNames) -> NamedColumn:
    kind, library = series_of(column, expected.where)
    if kind.is_pandas():
        return _read_pandas(column, expected, library)
    return (_read_polars if kind.is_polars() else _read_arrow)(column, expected, library)


def _read_pandas(column: Any, expected: ExpectedNames, pandas: Any) -> NamedColumn:
    index, name, dtype = column.index, column.name, column.dtype
    if isinstance(dtype, pandas.CategoricalDtype):
        values = column.cat.categories.tolist()
        places = _recode_dictionary(column.cat.codes.to_numpy(), values, expected)

        def categories(places: Places, names: Sequence[str]) -> Any:
            ordered = bool(dtype.ordered) and list(names) == values
            categorical = pandas.Categorical.from_codes(
                places, categories=list(names), ordered=ordered
            )
            return pandas.Series(categorical, index=index, name=name)

        return NamedColumn(places, categories)
    arrow = sys.modules.get("pyarrow")
    if arrow is not None and hasattr(dtype, "__from_arrow__"):
        array = arrow.array(column.array)
        chunks = array.chunks if isinstance(array, arrow.ChunkedArray) else [array]
        text = _read_arrow(arrow.chunked_array(chunks, array.type), expected, arrow)
        return NamedColumn(
            text.places,
            lambda places, names: pandas.Series(
                dtype.__from_arrow__(text.written(places, names)), index=index, name=name
            ),
        )
    places = _find_positions(column.tolist(), expected)
    if pandas.api.types.is_numeric_dtype(dtype):
        return NamedColumn(places, lambda *_: column.copy())
    return NamedColumn(
        places,
        lambda places, names: pandas.Series(
            _write_objects(places, names), index=index, name=name, dtype=dtype
        ),
    )


def _read_polars(column: Any, expected: ExpectedNames, polars: Any) -> NamedColumn:
    if column.dtype not in (polars.String, polars.Categorical, polars.Enum):
        places = _find_positions(column.to_list(), expected)
        return NamedColumn(places, lambda *_: column.clone())
    if column.dtype == polars.Enum:
        codes = column.to_physical().cast(polars.Int32).fill_null(-1).to_numpy()
        places = _recode_dictionary(codes, column.dtype.categories.to_list(), expected)
    else:
        enumerated = column.cast(polars.Enum(list(expected.names)), strict=False)
        _refuse_new(
            enumerated.is_null().to_numpy() & column.is_not_null().to_numpy(), column, expected
        )
        places = enumerated.to_physical().cast(polars.Int32).fill_null(BLANK).to_numpy()

    def written(places: Places, names: Sequence[str]) -> Any:
        enum = column.dtype == polars.Enum
        dtype = polars.Enum(list(names)) if enum else column.dtype
        series = polars.Series(column.name, [*names, None], dtype=polars.String).cast(dtype)
        return series.gather(np.where(places == BLANK, len(names), places))

    return NamedColumn(places, written)


def _read_arrow(column: Any, expected: ExpectedNames, arrow: Any) -> NamedColumn:
    types, kind = arrow.types, column.type
    if types.is_dictionary(kind):
        chunk = _single_chunk(column.unify_dictionaries())
        codes = chunk.indices.fill_null(BLANK) if chunk.null_count else chunk.indices
        codes = codes.to_numpy(zero_copy_only=False)
        same_names = chunk.dictionary.equals(_dictionary(expected.names, kind.value_type))
        if same_names and codes.dtype.kind == "i":
            places = codes
        else:
            places = _recode_dictionary(codes, chunk.dictionary.to_pylist(), expected)

        def coded(places: Places, names: Sequence[str]) -> Any:
            dictionary = chunk.dictionary if same_names and tuple(names) == expected.names else None
            return _arrow_column(places, names, kind, arrow, dictionary)

        return NamedColumn(places, coded)
    if _is_text(kind):
        positions = arrow.compute.index_in(
            column.cast(arrow.large_string()),
            value_set=arrow.array(expected.names, arrow.large_string()),
        )
        unknown = arrow.compute.and_(positions.is_null(), column.is_valid())
        _refuse_new(unknown.to_numpy().astype(bool), column, expected)
        places = positions.fill_null(BLANK).to_numpy()
    else:
        return NamedColumn(_find_positions(column.to_pylist(), expected), lambda *_: column)
    return NamedColumn(places, lambda places, names: _arrow_column(places, names, kind, arrow))


def _is_text(kind: Any) -> bool:
    return str(kind) in ("string", "large_string", "string_view")


@lru_cache(maxsize=2)
def _dictionary(names: tuple[str, ...], kind: Any) -> Any:
    """Write names as the dictionary of a column of text; cached, for columns in many parts."""
    return sys.modules["pyarrow"].array(names if _is_text(kind) else [], kind)


def _single_chunk(column: Any) -> Any:
    """Join the chunks of a column; what is one already is not copied."""
    return column.chunk(0) if column.num_chunks == 1 else column.combine_chunks()


def _arrow_column(
    places: Places, names: Sequence[str], kind: Any, arrow: Any, dictionary: Any = None
) -> Any:
    """Write text, or a dictionary whose codes are widened where there are more names than fit.

    Names may be known as a dictionary already.
    """
    is_dictionary = arrow.types.is_dictionary(kind)
    codes = kind.index_type.to_pandas_dtype() if is_dictionary else np.int32
    codes = codes if len(names) - 1 <= np.iinfo(codes).max else np.int32
    if places.min(initial=0) == BLANK:
        indices = arrow.array(np.maximum(places, 0).astype(codes), mask=places == BLANK)
    else:
        indices = arrow.array(places.astype(codes, copy=False))
    if is_dictionary:
        dictionary = arrow.array(list(names), kind.value_type) if dictionary is None else dictionary
        array = arrow.DictionaryArray.from_arrays(
            indices, dictionary, ordered=kind.ordered, safe=False
        )
    else:
        array = arrow.array(list(names), arrow.large_string()).take(indices).cast(kind)
    return arrow.chunked_array([array])


def _refuse_new(unknown: Booleans, column: Any, expected: ExpectedNames) -> None:
    """Name the first row that holds what is no name."""
    if unknown.any():
        row = int(unknown.argmax())
        value = column[row]
        raise expected.no_name(row, value.as_py() if hasattr(value, "as_py") else value)


Coded: TypeAlias = npt.NDArray[Any]
"""Numbers, shape (n,), or packed bits, shape (n, ⌈k/8⌉)."""


def coded_like(column: Any, reports: Coded, blank: Booleans, where: str) -> Any:
    r"""Write reports into a column like one of answers.

    Parameters
    ----------
    column : column of answers
        Whose kind is to be kept.
    reports : array
    blank : array of bool, shape (n,)
        Where the answer is missing.
    where : str
        For messages.

    Raises
    ------
    InputError
        If bits are asked in a NumPy array and an answer is missing.

    >>> none = np.array([False, True])
    >>> coded_like(("a", None), np.array([5, 7]), none, "column")
    (5, None)
    >>> coded_like(["a", "b"], np.array([[128], [64]], dtype=np.uint8), none, "column")
    [b'\x80', None]
    """
    if isinstance(column, list | tuple):
        kind = type(column) if type(column) in (list, tuple) else list
        return kind(_list_reports(reports, blank))
    if isinstance(column, np.ndarray):
        if reports.ndim == 1:
            return np.where(blank, BLANK, reports)
        if blank.any():
            raise InputError(
                f"{where}[{int(blank.argmax())}]",
                got="a missing answer",
                allowed="in a NumPy array, whose bits have no blank, answers only",
                remedy="leave out what is missing, or give a list or a column of a data frame",
            )
        return reports
    return _write_library_column(column, reports, blank, where)


def _write_library_column(column: Any, reports: Coded, blank: Booleans, where: str) -> Any:
    arrow = sys.modules.get("pyarrow")
    if arrow is not None and isinstance(column, arrow.Array | arrow.ChunkedArray):
        written = _write_arrow(reports, blank, arrow)
        return written if isinstance(column, arrow.Array) else arrow.chunked_array([written])
    kind, library = series_of(column, where)
    if kind.is_polars():
        if reports.ndim == 1:
            written = library.Series(column.name, reports, dtype=library.Int64)
            return written.zip_with(
                ~library.Series(blank), library.Series([None], dtype=written.dtype)
            )
        return library.Series(column.name, _list_reports(reports, blank), dtype=library.Binary)
    if reports.ndim == 1:
        written = library.Series(reports, index=column.index, name=column.name)
        return written.astype("Int64").mask(blank) if blank.any() else written
    values = _list_reports(reports, blank)
    return library.Series(values, index=column.index, name=column.name, dtype=object)


def _list_reports(reports: Coded, blank: Booleans) -> list[Any]:
    if reports.ndim == 1:
        values: list[Any] = reports.tolist()
    else:
        width = reports.shape[1]
        buffer = reports.tobytes()
        values = [buffer[start : start + width] for start in range(0, len(buffer), width)]
    for row in np.flatnonzero(blank).tolist():
        values[row] = None
    return values


def _write_arrow(reports: Coded, blank: Booleans, arrow: Any) -> Any:
    if reports.ndim == 1:
        return arrow.array(reports, mask=blank)
    buffers = [None, arrow.py_buffer(np.ascontiguousarray(reports))]
    if blank.any():
        buffers[0] = arrow.array(~blank).buffers()[1]
    kind = arrow.binary(reports.shape[1])
    return arrow.FixedSizeBinaryArray.from_buffers(kind, len(reports), buffers)


def read_coded(column: Any, oracle: AbstractOracle, where: str) -> tuple[Coded, int]:
    r"""Read the reports of an oracle that are numbers or packed bits, and count blanks.

    Raises
    ------
    InputError
        If a value is no report; the message names the row.

    >>> from askance.channels.oracles import UnaryOracle
    >>> bits = UnaryOracle(answers=3, truth="1/2", lie="1/4")
    >>> read_coded([b"\x80", None], bits, "reports")
    (array([[128]], dtype=uint8), 1)
    >>> read_coded([b"\x81"], bits, "reports")
    Traceback (most recent call last):
    askance_collect.errors.InputError: reports[0]: got '81'; allowed: 1 byte with no bit after th...
    """
    reports, is_present = read_rows(column, oracle, where)
    return reports, int((~is_present).sum())


def read_rows(column: Any, oracle: AbstractOracle, where: str) -> tuple[Coded, Booleans]:
    r"""Read reports as `read_coded` does, and say for each row whether there is one.

    >>> from askance.channels.oracles import UnaryOracle
    >>> bits = UnaryOracle(answers=3, truth="1/2", lie="1/4")
    >>> read_rows([None, b"\x80"], bits, "reports")
    (array([[128]], dtype=uint8), array([False,  True]))
    """
    values = _list_values(column, where)
    if oracle.coded == "bits":
        return _read_bits(values, oracle, where)
    assert oracle.reports is not None
    return _read_numbers(values, oracle.reports, where)


def _read_numbers(values: Any, count: int, where: str) -> tuple[Integers, Booleans]:
    if isinstance(values, np.ndarray) and values.dtype.kind in "iu" and values.ndim == 1:
        numbers = values.astype(np.int64)
        bad = (numbers < BLANK) | (numbers >= count)
    else:
        numbers, bad = _read_mixed_numbers(values, count)
    if bad.any():
        row = int(bad.argmax())
        raise InputError(
            f"{where}[{row}]",
            got=values[row],
            allowed=f"whole numbers in [0, {count - 1}], or None for a blank",
            fault=Fault.NOT_A_REPORT,
        )
    is_present = numbers != BLANK
    return numbers[is_present], is_present


def _read_mixed_numbers(values: Sequence[Any], count: int) -> tuple[Integers, Booleans]:
    numbers = np.full(len(values), BLANK, dtype=np.int64)
    bad = np.zeros(len(values), dtype=bool)
    for row, value in enumerate(values):
        is_integer = isinstance(value, int | np.integer) or (
            isinstance(value, float) and value.is_integer()
        )
        if is_integer and not isinstance(value, bool | np.bool_) and 0 <= value < count:
            numbers[row] = int(value)
        else:
            bad[row] = not is_missing(value)
    return numbers, bad


def _read_bits(
    values: Any, oracle: AbstractOracle, where: str
) -> tuple[npt.NDArray[np.uint8], Booleans]:
    width = oracle.width
    if isinstance(values, np.ndarray) and values.dtype == np.uint8 and values.ndim == 2:
        bits, rows = values, list(range(len(values)))
    else:
        present_rows = [row for row, value in enumerate(values) if not is_missing(value)]
        for row in present_rows:
            if not isinstance(values[row], bytes) or len(values[row]) != width:
                raise _bits_error(f"{where}[{row}]", values[row], oracle)
        buffer = b"".join(values[row] for row in present_rows)
        bits, rows = (
            np.frombuffer(buffer, dtype=np.uint8).reshape(len(present_rows), width),
            present_rows,
        )
    if bits.shape[1] != width:
        raise _bits_error(where, f"shape {bits.shape}", oracle)
    wrong = oracle.misspelt(bits)
    if wrong.any():
        row = int(wrong.argmax())
        raise _bits_error(f"{where}[{rows[row]}]", bits[row].tobytes(), oracle)
    is_present = np.zeros(len(values), dtype=np.bool_)
    is_present[rows] = True
    return bits, is_present


def _bits_error(where: str, value: Any, oracle: AbstractOracle) -> InputError:
    return InputError(
        where,
        got=value.hex() if isinstance(value, bytes) else value,
        allowed=oracle.spelling,
        remedy="bits stand as numpy.packbits packs them, the first answer in the highest bit",
    )


def _list_values(column: Any, where: str) -> Any:
    """Read the values of a column of any library; missing ones become None, or −1."""
    if isinstance(column, list | tuple | np.ndarray):
        return column
    arrow = sys.modules.get("pyarrow")
    if arrow is not None and isinstance(column, arrow.Array | arrow.ChunkedArray):
        return _list_arrow_values(column, arrow, where)
    kind, _ = series_of(column, where)
    if kind.is_polars():
        is_integer = column.dtype.is_integer()
        return column.cast(int).fill_null(BLANK).to_numpy() if is_integer else column.to_list()
    if column.dtype.kind in "iu" and not column.hasnans:
        return column.to_numpy(dtype=np.int64)
    return column.tolist()


def _list_arrow_values(column: Any, arrow: Any, where: str) -> Any:
    types, kind = arrow.types, column.type
    if types.is_integer(kind):
        return column.cast(arrow.int64()).fill_null(BLANK).to_numpy(zero_copy_only=False)
    if types.is_fixed_size_binary(kind) and not column.null_count:
        array = column.combine_chunks() if isinstance(column, arrow.ChunkedArray) else column
        octets = np.frombuffer(array.buffers()[1], dtype=np.uint8)
        width = kind.byte_width
        return octets[array.offset * width :][: len(array) * width].reshape(len(array), width)
    if types.is_binary(kind) or types.is_large_binary(kind) or types.is_fixed_size_binary(kind):
        return column.to_pylist()
    raise InputError(where, got=f"a column of {kind}", allowed="a column of numbers or bytes")
