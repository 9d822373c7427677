"""A column of names in whatever holds it: read as positions, written as a column of the same kind.

Lists, tuples and NumPy arrays are read here; columns of pandas, polars and pyarrow are recognised
by narwhals, which is an extra. Nothing is imported for a column that is of another library.
"""

import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import repeat
from numbers import Real
from typing import Any, TypeAlias, final

import numpy as np
import numpy.typing as npt

from askance.channels.channel import BLANK
from askance.errors import InputError, MissingExtra, nearest
from askance.results import is_missing
from askance.typing import Booleans

Places: TypeAlias = npt.NDArray[np.signedinteger[Any]]
"""For each row the position of its name, or `BLANK`."""

Written: TypeAlias = Callable[[Places, Sequence[str]], Any]

_UNKNOWN = -2
_PART = 1 << 16  # rows that are taken out of an array at a time
_LISTED = 20  # names in a message
_COLUMN = (
    "one column: a list, a one-dimensional NumPy array, or a column of pandas, polars or pyarrow"
)


@final
@dataclass(frozen=True, slots=True)
class Asked:
    """Which names a column may hold, and how a message speaks of it.

    Attributes
    ----------
    names : tuple of str
    where : str
    shown : bool
        Whether a message may repeat what stands in the column.
    """

    names: tuple[str, ...]
    where: str
    shown: bool = True

    def no_name(self, row: int, value: Any) -> InputError:
        """Say that a value is none of the names."""
        remedy = nearest(value, self.names) if isinstance(value, str) and self.shown else ""
        if isinstance(value, Real | np.bool_):
            first = f"{{{value!r}: {self.names[0]!r}, …}}" if self.shown else "by a mapping"
            remedy = f"numbers and truth values are no positions: name them first, {first}"
        more = ", …" if len(self.names) > _LISTED else ""
        return InputError(
            f"{self.where}[{row}]",
            got=value if self.shown else None,
            allowed=f"{', '.join(self.names[:_LISTED])}{more}, or None for a blank",
            remedy=remedy,
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
    written: Written


def named_column(column: Any, asked: Asked) -> NamedColumn:
    """Read a column of names, whatever holds it.

    Raises
    ------
    InputError
        If it is no column, or a value is neither a name nor missing; the message names the row.

    >>> held = named_column(("no", None), Asked(("yes", "no"), "column"))
    >>> held.places.tolist(), held.written(held.places, ["J", "N"])
    ([1, -1], ('N', None))
    """
    if isinstance(column, list | tuple):
        kind = type(column) if type(column) in (list, tuple) else list
        return NamedColumn(
            _looked_up(column, asked),
            lambda places, names: kind(_objects(places, names).tolist()),
        )
    if isinstance(column, np.ndarray):
        return _of_array(column, asked)
    arrow = sys.modules.get("pyarrow")
    if arrow is not None and isinstance(column, arrow.Array):
        held = _of_arrow(arrow.chunked_array([column]), asked, arrow)
        return NamedColumn(
            held.places, lambda places, names: held.written(places, names).combine_chunks()
        )
    return _of_library(column, asked)


def no_column(column: Any, where: str, remedy: str = "") -> InputError:
    """Say that something is no column of names."""
    shape = getattr(column, "shape", None)
    told = f" of shape {shape}" if isinstance(shape, tuple) else ""
    return InputError(where, got=f"{type(column).__name__}{told}", allowed=_COLUMN, remedy=remedy)


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


def _looked_up(values: Any, asked: Asked) -> Places:
    """Find values in any order among the names, some at a time."""
    known: dict[Any, int] = {name: at for at, name in enumerate(asked.names)}
    known |= {None: BLANK, np.nan: BLANK}
    found = np.empty(len(values), dtype=np.int32)
    for start in range(0, len(values), _PART):
        part = values[start : start + _PART]
        part = part.tolist() if isinstance(part, np.ndarray) else part
        places = _places(part, known)
        for at in np.flatnonzero(places == _UNKNOWN).tolist():
            if not is_missing(part[at]):
                raise asked.no_name(start + at, part[at])
            places[at] = BLANK
        found[start : start + _PART] = places
    return found


def _places(values: Sequence[Any], known: dict[Any, int]) -> Places:
    try:
        return np.fromiter(map(known.get, values, repeat(_UNKNOWN)), np.int32, len(values))
    except TypeError:  # what cannot be looked up is no name
        names = (one if isinstance(one, str) else None for one in values)
        blank = np.array([is_missing(one) for one in values], dtype=bool)
        found = np.fromiter(map(known.get, names, repeat(_UNKNOWN)), np.int32, len(values))
        found[(found == BLANK) & ~blank] = _UNKNOWN
        return found


def _from_dictionary(codes: npt.NDArray[Any], values: Sequence[Any], asked: Asked) -> Places:
    """Find codes of a dictionary among the names; what no row uses may be there."""
    if list(values) == list(asked.names) and codes.dtype.kind == "i":
        return np.asarray(codes, dtype=codes.dtype)
    known: dict[Any, int] = {name: at for at, name in enumerate(asked.names)}
    texts = (one if isinstance(one, str) else None for one in values)
    found = [known.get(one, _UNKNOWN) for one in texts]
    found = [BLANK if is_missing(one) else at for one, at in zip(values, found, strict=True)]
    narrow = np.int16 if len(asked.names) < 1 << 15 else np.int32
    table: Places = np.array([*found, BLANK], dtype=narrow)
    places = table.take(codes, mode="wrap")  # −1 leads to the last, the blank
    unknown = _UNKNOWN in found and places == _UNKNOWN
    if np.any(unknown):
        row = int(np.argmax(unknown))
        raise asked.no_name(row, values[int(codes[row])])
    return places


def _objects(places: Places, names: Sequence[str]) -> npt.NDArray[Any]:
    return np.array([*names, None], dtype=object).take(places, mode="wrap")


def _of_array(column: npt.NDArray[Any], asked: Asked) -> NamedColumn:
    if column.ndim != 1:
        raise no_column(column, asked.where)
    places, kind = _looked_up(column, asked), column.dtype.kind
    dtype: Any = column.dtype

    def written(places: Places, names: Sequence[str]) -> npt.NDArray[Any]:
        blank = places == BLANK
        if kind == "U":
            found = np.array(names).take(places, mode="clip")
        elif kind == "T":
            found = np.array(names, dtype=dtype).take(places, mode="clip")
            if blank.any():
                found[blank] = dtype.na_object
        else:
            found = _objects(places, names)
        return np.ma.array(found, mask=blank) if isinstance(column, np.ma.MaskedArray) else found

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
        remedy = "list the names first" if isinstance(column, str) else remedy
        raise no_column(column, where, remedy) from error
    kind = series.implementation
    if not (kind.is_pandas() or kind.is_polars() or kind.is_pyarrow()):
        raise no_column(column, where, "give its .to_numpy()")
    return kind, series.__native_namespace__()


def _of_library(column: Any, asked: Asked) -> NamedColumn:
    kind, library = series_of(column, asked.where)
    if kind.is_pandas():
        return _of_pandas(column, asked, library)
    return (_of_polars if kind.is_polars() else _of_arrow)(column, asked, library)


def _of_pandas(column: Any, asked: Asked, pandas: Any) -> NamedColumn:
    index, name, dtype = column.index, column.name, column.dtype
    if isinstance(dtype, pandas.CategoricalDtype):
        values = column.cat.categories.tolist()
        places = _from_dictionary(column.cat.codes.to_numpy(), values, asked)

        def categories(places: Places, names: Sequence[str]) -> Any:
            ordered = bool(dtype.ordered) and list(names) == values
            held = pandas.Categorical.from_codes(places, categories=list(names), ordered=ordered)
            return pandas.Series(held, index=index, name=name)

        return NamedColumn(places, categories)
    arrow = sys.modules.get("pyarrow")
    if arrow is not None and hasattr(dtype, "__from_arrow__"):
        array = arrow.array(column.array)
        chunks = array.chunks if isinstance(array, arrow.ChunkedArray) else [array]
        text = _of_arrow(arrow.chunked_array(chunks, array.type), asked, arrow)
        return NamedColumn(
            text.places,
            lambda places, names: pandas.Series(
                dtype.__from_arrow__(text.written(places, names)), index=index, name=name
            ),
        )
    places = _looked_up(column.tolist(), asked)
    if pandas.api.types.is_numeric_dtype(dtype):
        return NamedColumn(places, lambda *_: column.copy())
    return NamedColumn(
        places,
        lambda places, names: pandas.Series(
            _objects(places, names), index=index, name=name, dtype=dtype
        ),
    )


def _of_polars(column: Any, asked: Asked, polars: Any) -> NamedColumn:
    if column.dtype not in (polars.String, polars.Categorical, polars.Enum):
        places = _looked_up(column.to_list(), asked)
        return NamedColumn(places, lambda *_: column.clone())
    if column.dtype == polars.Enum:
        codes = column.to_physical().cast(polars.Int32).fill_null(-1).to_numpy()
        places = _from_dictionary(codes, column.dtype.categories.to_list(), asked)
    else:
        known = column.cast(polars.Enum(list(asked.names)), strict=False)
        _refuse_new(known.is_null().to_numpy() & column.is_not_null().to_numpy(), column, asked)
        places = known.to_physical().cast(polars.Int32).fill_null(BLANK).to_numpy()

    def written(places: Places, names: Sequence[str]) -> Any:
        enum = column.dtype == polars.Enum
        dtype = polars.Enum(list(names)) if enum else column.dtype
        held = polars.Series(column.name, [*names, None], dtype=polars.String).cast(dtype)
        return held.gather(np.where(places == BLANK, len(names), places))

    return NamedColumn(places, written)


def _of_arrow(column: Any, asked: Asked, arrow: Any) -> NamedColumn:
    types, kind = arrow.types, column.type
    if types.is_dictionary(kind):
        whole = column.unify_dictionaries().combine_chunks()
        codes = whole.indices.fill_null(-1).to_numpy(zero_copy_only=False)
        places = _from_dictionary(codes, whole.dictionary.to_pylist(), asked)
    elif str(kind) in ("string", "large_string", "string_view"):
        known = arrow.compute.index_in(
            column.cast(arrow.large_string()),
            value_set=arrow.array(asked.names, arrow.large_string()),
        )
        unknown = arrow.compute.and_(known.is_null(), column.is_valid())
        _refuse_new(unknown.to_numpy().astype(bool), column, asked)
        places = known.fill_null(BLANK).to_numpy()
    else:
        return NamedColumn(_looked_up(column.to_pylist(), asked), lambda *_: column)
    return NamedColumn(places, lambda places, names: _arrow_column(places, names, kind, arrow))


def _arrow_column(places: Places, names: Sequence[str], kind: Any, arrow: Any) -> Any:
    """Write text, or a dictionary whose codes are widened where there are more names than fit."""
    held = arrow.types.is_dictionary(kind)
    codes = kind.index_type.to_pandas_dtype() if held else np.int32
    codes = codes if len(names) - 1 <= np.iinfo(codes).max else np.int32
    at = arrow.array(np.maximum(places, 0).astype(codes), mask=places == BLANK)
    if held:
        known = arrow.array(list(names), kind.value_type)
        array = arrow.DictionaryArray.from_arrays(at, known, ordered=kind.ordered)
    else:
        array = arrow.array(list(names), arrow.large_string()).take(at).cast(kind)
    return arrow.chunked_array([array])


def _refuse_new(unknown: Booleans, column: Any, asked: Asked) -> None:
    """Name the first row that holds what is no name."""
    if unknown.any():
        row = int(unknown.argmax())
        value = column[row]
        raise asked.no_name(row, value.as_py() if hasattr(value, "as_py") else value)
