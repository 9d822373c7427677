"""Partition of reports into few cells to count, chosen on half of the draws.

Reports of which there are few are their own cells. Numbers are parted by their size, and by how
many of the last binary digits of their significand are zero: floating-point noise tells the answer
there (Mironov, 2012). The significand is that of the narrowest format that holds them: half, single
or double. Rows of equal length over few signs, such as bits, are read at the two places
that differ most between two answers.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import final

import numpy as np
import numpy.typing as npt

from askance.channels.channel import Channel
from askance.typing import Booleans, Floats, Integers
from askance_collect.errors import InputError

_FEW = 5  # draws that a cell of its own was seen in
_MOST_CELLS = 4_096
_MOST_ROWS = 64  # of signs, that are cells of their own
_NAMED = 2  # reports of an event that are named
_SIZES = 32  # cells of numbers by their size
_ZEROS = (1, 2, 4, 8, 16)  # cells of numbers by how many last digits are zero
_NARROW = ((np.float16, 11), (np.float32, 24))
_DIGITS = 53
_SIGN = 256
_SIGNS = 4  # in rows that are read place by place
OTHERS = "any other report"

Letters = npt.NDArray[np.uint8]


@final
@dataclass(frozen=True, slots=True, eq=False)
class ReportCells:
    """The cell of every report, and what each cell is called.

    Attributes
    ----------
    index : array of int, shape (n,)
        The cell of each report.
    names : tuple of str
    single : int
        How many cells, the first ones, hold one report each.
    """

    index: Integers
    names: tuple[str, ...]
    single: int = 0

    def counts(self, answers: Integers, among: Booleans, size: int) -> Integers:
        """Count each answer's reports by cell, of some draws: shape (size, cells)."""
        many = len(self.names)
        flat = answers[among] * many + self.index[among]
        return np.bincount(flat, minlength=size * many).reshape(size, many)

    def describe(self, chosen: Booleans) -> str:
        """Describe an event: the reports in it, or those outside it, whichever are fewer."""
        inside = [name for name, is_chosen in zip(self.names, chosen, strict=True) if is_chosen]
        outside = [
            name for name, is_chosen in zip(self.names, chosen, strict=True) if not is_chosen
        ]
        if outside and len(outside) < len(inside):
            return f"none of {listed_names(outside)}"
        return listed_names(inside)


def listed_names(names: Sequence[str]) -> str:
    """Name reports in quotes: two at the most, and how many others.

    >>> listed_names(["yes", "no", "don't know"])
    '“yes”, “no” or 1 other'
    """
    quoted, others = [f"“{name}”" for name in names[:_NAMED]], len(names) - _NAMED
    if others > 0:
        return f"{', '.join(quoted)} or {others:,} other{'s' * (others > 1)}"
    return " or ".join(quoted)


@final
@dataclass(frozen=True, slots=True, eq=False)
class CellScheme:
    """How reports become cells: for any two answers.

    Attributes
    ----------
    every : Cells
        The cells that do not depend on the answers.
    letters : array of int, shape (n, places), or None
        Rows of signs, where reports are such.
    means : array of float, shape (answers, places)
        Of the letters on the first half.
    """

    every: ReportCells
    letters: Letters | None = None
    means: Floats | None = None

    def between(self, first: int, other: int) -> ReportCells:
        """The cells that distinguish two answers."""
        if self.letters is None or self.means is None:
            return self.every
        differences = np.abs(self.means[first] - self.means[other])
        places = np.sort(np.argsort(-differences, kind="stable")[:2])
        pair = self.letters[:, places].astype(np.int64) @ np.array([_SIGN, 1])
        observed = np.flatnonzero(np.bincount(pair))
        names = [
            f"{chr(code // _SIGN)} at {places[0] + 1}, {chr(code % _SIGN)} at {places[1] + 1}"
            for code in observed.tolist()
        ]
        return ReportCells(np.searchsorted(observed, pair), tuple(names))


def read_stated(reports: Sequence[str], stated: Channel) -> ReportCells:
    """Match reports to those of a channel byte by byte; any other report is the last cell."""
    positions = {name: i for i, name in enumerate(stated.reports)}
    cell = np.array([positions.get(report, len(positions)) for report in reports], dtype=np.int64)
    odd = Counter(report for report in reports if report not in positions).most_common(1)
    others = f"{OTHERS}, such as {odd[0][0]}" if odd else OTHERS
    return ReportCells(cell, (*stated.reports, others), len(positions))


def read_cells(reports: Sequence[str], answers: Integers, first: Booleans, size: int) -> CellScheme:
    """Choose cells for reports that no channel names, on the first half of the draws.

    >>> reports = ["yes", "no"] * 10
    >>> half = np.arange(20) < 10
    >>> read_cells(reports, np.zeros(20, dtype=np.int64), half, 2).every.names
    ('no', 'yes', 'any other report')
    """
    counts = Counter(
        report for report, is_first in zip(reports, first.tolist(), strict=True) if is_first
    )
    own = sorted(name for name, count in counts.items() if count >= _FEW)
    covered = sum(counts[name] for name in own)
    rows = len(own) > _MOST_ROWS and _read_letters(reports) is not None
    if not rows and len(own) <= _MOST_CELLS and 10 * covered >= 9 * max(counts.total(), 1):
        return CellScheme(_read_named(reports, own))
    letters, numbers = _read_letters(reports), _parse_numbers(reports)
    if letters is None and numbers is not None:
        return CellScheme(_partition_numbers(numbers, first))
    every = _read_named(reports, own[:_MOST_CELLS])
    if letters is None:
        return CellScheme(every)
    means = np.array([letters[first & (answers == answer)].mean(axis=0) for answer in range(size)])
    return CellScheme(every, letters, means)


def _read_named(reports: Sequence[str], own: Sequence[str]) -> ReportCells:
    positions = {name: i for i, name in enumerate(own)}
    cell = np.array([positions.get(report, len(positions)) for report in reports], dtype=np.int64)
    return ReportCells(cell, (*own, OTHERS), len(positions))


def _parse_numbers(reports: Sequence[str]) -> Floats | None:
    try:
        numbers = np.array([float(report) for report in reports])
    except ValueError:
        return None
    return numbers


def _partition_numbers(numbers: Floats, first: Booleans) -> ReportCells:
    """Partition numbers by size and by the trailing zeros of their significand."""
    finite = numbers[first & np.isfinite(numbers)]
    parts = np.linspace(0, 1, _SIZES + 1)[1:-1]
    edges = np.unique(np.quantile(finite, parts)) if len(finite) else finite
    size = np.where(np.isnan(numbers), len(edges) + 1, np.searchsorted(edges, numbers))
    digits = _find_significant_digits(numbers)
    ends = (*(count for count in _ZEROS if count < digits), digits)
    zeros = np.searchsorted(ends, _count_last_zeros(numbers, digits), side="right")
    kinds, cell = np.unique(np.column_stack([size, zeros]), axis=0, return_inverse=True)
    names = [
        f"{_describe_interval(edges, size)} {_describe_ending(zeros, ends)}".strip()
        for size, zeros in kinds.tolist()
    ]
    return ReportCells(cell.reshape(-1).astype(np.int64), tuple(names))


def _describe_interval(edges: Floats, index: int) -> str:
    if index > len(edges):
        return "no number"
    low = "(−∞" if index == 0 else f"({edges[index - 1]:.4g}"
    return f"{low}, ∞)" if index == len(edges) else f"{low}, {edges[index]:.4g}]"


def _describe_ending(index: int, ends: tuple[int, ...]) -> str:
    """Say how many zeros a significand ends in."""
    if index == 0:
        return "ending in 1"
    if index == len(ends):
        return "exactly 0"
    low, high = ends[index - 1], ends[index] - 1
    return f"ending in {low}{f' to {high}' if high > low else ''} zero bits"


def _find_significant_digits(numbers: Floats) -> int:
    """Give the binary digits of the narrowest format that holds nearly all numbers as written.

    A single is written as its shortest decimal, or as the double that equals it.

    >>> numbers = 0.25, 0.1, float(np.float32(0.3)), 1 / 3
    >>> [_find_significant_digits(np.array([number])) for number in numbers]
    [11, 11, 24, 53]
    """
    finite = numbers[np.isfinite(numbers)]
    for kind, digits in _NARROW:
        with np.errstate(over="ignore"):
            narrow = finite.astype(kind)
        written = np.array([float(str(number)) for number in narrow])
        is_exact = (narrow.astype(np.float64) == finite) | (written == finite)
        if np.mean(is_exact) > _NEARLY_ALL:
            return digits
    return _DIGITS


_NEARLY_ALL = 0.99


def _count_last_zeros(numbers: Floats, digits: int) -> Integers:
    """Count the zero bits at the end of each significand of so many digits; all for 0 itself.

    >>> _count_last_zeros(np.array([0.0, 1.0, 3.0, 0.1]), 53).tolist()
    [53, 52, 51, 1]
    """
    parts, _ = np.frexp(np.where(np.isfinite(numbers), numbers, 0.0))
    significands = np.abs(np.rint(np.ldexp(parts, digits))).astype(np.int64)
    lowest = significands & -significands
    return np.where(significands == 0, digits, np.log2(np.maximum(lowest, 1)).astype(np.int64))


def _read_letters(reports: Sequence[str]) -> Letters | None:
    """Read rows of equal length over few signs."""
    lengths, signs = set(map(len, reports)), set().union(*reports)
    if (
        len(lengths) != 1
        or lengths == {1}
        or len(signs) > _SIGNS
        or not all(map(str.isascii, signs))
    ):
        return None
    return np.frombuffer("".join(reports).encode(), dtype=np.uint8).reshape(len(reports), -1)


def need_draws(draws: int, size: int) -> int:
    """Compute how many draws each answer gets.

    Raises
    ------
    InputError
        If that is less than 100 times.
    """
    repetitions = draws // size
    if repetitions < _LEAST:
        allowed = f"{_LEAST * size:,} or more, of {size:,} answers"
        raise InputError("audit.draws", got=draws, allowed=allowed)
    return repetitions


_LEAST = 100
