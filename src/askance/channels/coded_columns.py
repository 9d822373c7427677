"""Columns of reports that are numbers or packed bits, in whatever holds the answers.

An oracle's report is no name: it is the number of a row, of a hyperplane, of a seed with its cell,
or one bit for each answer. Numbers stand in a column of integers, in which −1 is a blank where the
column cannot miss a value; bits stand as `numpy.packbits` packs them, in an array of shape
(n, ⌈k/8⌉) or as one text of bytes for each row.
"""

import sys
from collections.abc import Sequence
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from askance.channels.channel import BLANK
from askance.channels.named_columns import no_column, series_of
from askance.channels.oracles import AbstractOracle
from askance.errors import InputError
from askance.results import is_missing
from askance.typing import Booleans, Integers

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
        return kind(_values(reports, blank))
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
    return _of_library(column, reports, blank, where)


def _of_library(column: Any, reports: Coded, blank: Booleans, where: str) -> Any:
    arrow = sys.modules.get("pyarrow")
    if arrow is not None and isinstance(column, arrow.Array | arrow.ChunkedArray):
        held = _arrow(reports, blank, arrow)
        return held if isinstance(column, arrow.Array) else arrow.chunked_array([held])
    kind, library = series_of(column, where)
    if kind.is_polars():
        if reports.ndim == 1:
            held = library.Series(column.name, reports, dtype=library.Int64)
            return held.zip_with(~library.Series(blank), library.Series([None], dtype=held.dtype))
        return library.Series(column.name, _values(reports, blank), dtype=library.Binary)
    if reports.ndim == 1:
        held = library.Series(reports, index=column.index, name=column.name)
        return held.astype("Int64").mask(blank) if blank.any() else held
    values = _values(reports, blank)
    return library.Series(values, index=column.index, name=column.name, dtype=object)


def _values(reports: Coded, blank: Booleans) -> list[Any]:
    if reports.ndim == 1:
        found: list[Any] = reports.tolist()
    else:
        width = reports.shape[1]
        whole = reports.tobytes()
        found = [whole[at : at + width] for at in range(0, len(whole), width)]
    for at in np.flatnonzero(blank).tolist():
        found[at] = None
    return found


def _arrow(reports: Coded, blank: Booleans, arrow: Any) -> Any:
    if reports.ndim == 1:
        return arrow.array(reports, mask=blank)
    held = [None, arrow.py_buffer(np.ascontiguousarray(reports))]
    if blank.any():
        held[0] = arrow.array(~blank).buffers()[1]
    kind = arrow.binary(reports.shape[1])
    return arrow.FixedSizeBinaryArray.from_buffers(kind, len(reports), held)


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
    askance.errors.InputError: reports[0]: got '81'; allowed: 1 byte with no bit after that o...
    """
    values = _listed(column, where)
    if oracle.coded == "bits":
        return _bits(values, oracle.answers, where)
    assert oracle.reports is not None
    return _numbers(values, oracle.reports, where)


def _numbers(values: Any, count: int, where: str) -> tuple[Integers, int]:
    if isinstance(values, np.ndarray) and values.dtype.kind in "iu" and values.ndim == 1:
        found = values.astype(np.int64)
        bad = (found < BLANK) | (found >= count)
    else:
        found, bad = _numbers_one_by_one(values, count)
    if bad.any():
        at = int(bad.argmax())
        raise InputError(
            f"{where}[{at}]",
            got=values[at],
            allowed=f"whole numbers in [0, {count - 1}], or None for a blank",
        )
    given = found != BLANK
    return found[given], int((~given).sum())


def _numbers_one_by_one(values: Sequence[Any], count: int) -> tuple[Integers, Booleans]:
    found = np.full(len(values), BLANK, dtype=np.int64)
    bad = np.zeros(len(values), dtype=bool)
    for at, value in enumerate(values):
        whole = isinstance(value, int | np.integer) or (
            isinstance(value, float) and value.is_integer()
        )
        if whole and not isinstance(value, bool | np.bool_) and 0 <= value < count:
            found[at] = int(value)
        else:
            bad[at] = not is_missing(value)
    return found, bad


def _bits(values: Any, answers: int, where: str) -> tuple[npt.NDArray[np.uint8], int]:
    width = -(-answers // 8)
    if isinstance(values, np.ndarray) and values.dtype == np.uint8 and values.ndim == 2:
        found, rows = values, list(range(len(values)))
    else:
        given = [at for at, value in enumerate(values) if not is_missing(value)]
        for at in given:
            if not isinstance(values[at], bytes) or len(values[at]) != width:
                raise _no_bits(f"{where}[{at}]", values[at], answers)
        joined = b"".join(values[at] for at in given)
        found, rows = np.frombuffer(joined, dtype=np.uint8).reshape(len(given), width), given
    if found.shape[1] != width:
        raise _no_bits(where, f"shape {found.shape}", answers)
    beyond = (found[:, -1] & ((1 << (-answers % 8)) - 1)) != 0
    if beyond.any():
        at = int(beyond.argmax())
        raise _no_bits(f"{where}[{rows[at]}]", found[at].tobytes(), answers)
    return found, len(values) - len(found)


def _no_bits(where: str, got: Any, answers: int) -> InputError:
    width = -(-answers // 8)
    return InputError(
        where,
        got=got.hex() if isinstance(got, bytes) else got,
        allowed=f"{width} byte{'s' if width > 1 else ''} with no bit after that of the last answer",
        remedy="bits stand as numpy.packbits packs them, the first answer in the highest bit",
    )


def _listed(column: Any, where: str) -> Any:
    """Take the values out of whatever holds them; what is missing is None, or −1."""
    if isinstance(column, list | tuple | np.ndarray):
        return column
    arrow = sys.modules.get("pyarrow")
    if arrow is not None and isinstance(column, arrow.Array | arrow.ChunkedArray):
        return _from_arrow(column, arrow)
    kind, _ = series_of(column, where)
    if kind.is_polars():
        whole = column.dtype.is_integer()
        return column.cast(int).fill_null(BLANK).to_numpy() if whole else column.to_list()
    if column.dtype.kind in "iu" and not column.hasnans:
        return column.to_numpy(dtype=np.int64)
    return column.tolist()


def _from_arrow(column: Any, arrow: Any) -> Any:
    types, kind = arrow.types, column.type
    if types.is_integer(kind):
        return column.cast(arrow.int64()).fill_null(BLANK).to_numpy(zero_copy_only=False)
    if types.is_fixed_size_binary(kind) and not column.null_count:
        whole = column.combine_chunks() if isinstance(column, arrow.ChunkedArray) else column
        held = np.frombuffer(whole.buffers()[1], dtype=np.uint8)
        width = kind.byte_width
        return held[whole.offset * width :][: len(whole) * width].reshape(len(whole), width)
    if types.is_binary(kind) or types.is_large_binary(kind) or types.is_fixed_size_binary(kind):
        return column.to_pylist()
    raise no_column(column, f"a column of {kind}", "numbers or bytes")
