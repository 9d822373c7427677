"""A finite channel: chances of reports given answers, what each means, and columns of reports."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from fractions import Fraction
from itertools import repeat
from typing import Any, final

import numpy as np
import numpy.typing as npt

from askance.channels.abstract_oracle import ORACLE_MODULES, AbstractOracle, registered_oracle
from askance.channels.frame import Frame, Mass, Names, mask_of
from askance.channels.mass_functions import (
    MassFunction,
    channel_opened,
    numbers_read,
    numbers_written,
    opened,
    strings,
)
from askance.results import holds_singles, is_missing, list_singles
from askance.typing import Floats, Integers, Json
from askance_collect.arguments import checked
from askance_collect.errors import (
    DocumentError,
    Fault,
    InputError,
    listed_names,
    nearest,
    refuse_unknown,
)
from askance_collect.exact.ratio import Table
from askance_collect.exact.whole_tables import tabulate

_TOLERANCE = 1e-9
_WHOLE_DOUBLES = 1 << 53  # whole numbers up to this are doubles


@final
@dataclass(frozen=True, slots=True, init=False, eq=False, repr=False)
class Channel:
    """A row-stochastic matrix, answers by reports, whose columns each mean a set of answers.

    Parameters
    ----------
    frame : Frame
        The k admissible answers: the rows.
    reports : mapping of str to (iterable of str, or mask)
        For each of the m reports, in column order, the answers that it leaves possible on its face.
    matrix : array_like of shape (k, m), nested fractions, or Table
        Chances of each report given each answer. Tables and fractions are kept exactly, beside
        which 0 and 1 may be whole numbers, so that guarantees can be computed on them; anything
        else is read as doubles.
    output : Frame, optional
        The frame that reports are about, where it is not the frame of the answers.

    Attributes
    ----------
    reports : tuple of str
        The names of the reports.
    meanings : tuple of int
        Their meanings as masks.
    matrix : array, shape (k, m)
    table : Table or None
        The exact integers, where the matrix was given exactly.
    oracle : AbstractOracle or None
        The rule of a channel for many answers. Reports, meanings, matrix and table of such a one
        are written when they are first asked for, and refused beyond 2^22 chances; losses, draws,
        tallies and estimates need none of them.

    Raises
    ------
    InputError
        If a row has a negative, infinite or missing chance or does not sum to one, if the shape
        does not fit, or if a report means nothing.

    >>> yn = Frame(["yes", "no"])
    >>> q = Channel(yn, {"yes": ["yes"], "no": ["no"]}, [[0.75, 0.25], [0.25, 0.75]])
    >>> q.may_be_untrue, q.is_vague
    (True, False)
    """

    frame: Frame
    output: Frame
    oracle: AbstractOracle | None
    _parts: "_WrittenChannel | None"

    @checked
    def __init__(
        self,
        frame: Frame,
        reports: Mapping[str, Names],
        matrix: npt.ArrayLike | Sequence[Sequence[Fraction]] | Table,
        *,
        output: Frame | None = None,
    ) -> None:
        about = output or frame
        meanings = tuple(
            mask_of(about, meaning, f"Channel.reports[{report!r}]")
            for report, meaning in reports.items()
        )
        for report, meaning in zip(reports, meanings, strict=True):
            if not meaning:
                raise InputError(
                    f"Channel.reports[{report!r}]",
                    got="no answer",
                    allowed="at least one answer",
                )
        table = _read_table(matrix)
        values = _read_doubles(matrix if table is None else table, (len(frame), len(meanings)))
        self._set_attributes(
            frame, about, None, _WrittenChannel(tuple(reports), meanings, values, table)
        )

    def _set_attributes(
        self,
        frame: Frame,
        output: Frame,
        oracle: AbstractOracle | None,
        parts: "_WrittenChannel | None",
    ) -> None:
        attributes = (("frame", frame), ("output", output), ("oracle", oracle), ("_parts", parts))
        for name, value in attributes:
            object.__setattr__(self, name, value)

    @classmethod
    @checked
    def from_oracle(cls, frame: Frame, oracle: AbstractOracle) -> "Channel":
        """Make the channel of a frequency oracle, without its matrix.

        Parameters
        ----------
        frame : Frame
            The k answers.
        oracle : AbstractOracle

        Raises
        ------
        InputError
            If the oracle is for another number of answers.

        >>> from askance.channels.oracles import KAryOracle
        >>> many = Frame([f"page {i}" for i in range(1_000_000)])
        >>> q = Channel.from_oracle(many, KAryOracle(answers=1_000_000, truth="1/2"))
        >>> q.oracle.ratio
        Fraction(999999, 1)
        """
        if oracle.answers != len(frame):
            raise InputError(
                "Channel.from_oracle",
                got=f"an oracle of {oracle.answers} answers",
                allowed=f"one of {len(frame)}, as the frame has",
            )
        channel = object.__new__(cls)
        channel._set_attributes(frame, frame, oracle, None)
        return channel

    def _written(self) -> "_WrittenChannel":
        if self._parts is None:
            assert self.oracle is not None
            object.__setattr__(self, "_parts", _written_out(self.frame, self.oracle))
        assert self._parts is not None
        return self._parts

    @property
    def reports(self) -> tuple[str, ...]:
        """The names of the reports."""
        names = self.oracle is not None and self.oracle.coded == "names"
        return self.frame.answers if names else self._written().reports

    @property
    def meanings(self) -> tuple[int, ...]:
        """The set of answers that each report leaves possible, as a mask."""
        return self._written().meanings

    @property
    def matrix(self) -> Floats:
        """The chances, answers by reports; read-only."""
        return self._written().matrix

    @property
    def table(self) -> Table | None:
        """The chances as integers, where they were given exactly."""
        return self._written().table

    def __repr__(self) -> str:
        if self.oracle is not None:
            return f"Channel of {len(self.frame):,} answers by {self.oracle}"
        texts = (f"{name}={getattr(self, name)!r}" for name in _REPR_FIELDS)
        return f"Channel({', '.join(texts)})"

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Channel) or self.frame != other.frame:
            return False
        if self.oracle is not None and other.oracle is not None:
            return self.oracle == other.oracle
        if len(self.reports) != len(other.reports):
            return False
        return (
            (self.output, self.reports, self.meanings, self.table)
            == (other.output, other.reports, other.meanings, other.table)
        ) and np.array_equal(self.matrix, other.matrix)

    def __hash__(self) -> int:
        return hash((self.frame, self.output))

    def column(self, report: str) -> int:
        """The position of a report."""
        refuse_unknown("report", report, self.reports)
        return self.reports.index(report)

    def mass(self, answer: str) -> MassFunction:
        """Read one answer's row by meaning: a mass function on the output frame.

        Its masses are Fractions where the channel is exact.
        """
        answer_index = self.frame.index(answer)
        row = (
            self.matrix[answer_index].tolist()
            if self.table is None
            else self.table.row(answer_index)
        )
        masses: dict[int, Mass] = {}
        for meaning, chance in zip(self.meanings, row, strict=True):
            masses[meaning] = masses.get(meaning, 0) + chance
        return MassFunction(self.output, masses)

    @classmethod
    def from_masses(cls, rows: Mapping[str, MassFunction]) -> "Channel":
        """Make the mechanism that sends sets of answers with these masses.

        Parameters
        ----------
        rows : mapping of str to MassFunction
            For each admissible answer, the mass function of its reports, all on one frame. A report
            is named for its focal set.

        Raises
        ------
        InputError
            If there is no row, or the rows are on different frames.

        >>> yn = Frame(["yes", "no"])
        >>> truthful = MassFunction(yn, {("yes",): Fraction(3, 5), ("yes", "no"): Fraction(2, 5)})
        >>> silent = MassFunction(yn, {("yes", "no"): 1})
        >>> Channel.from_masses({"yes": truthful, "no": silent}).reports
        ('yes', 'yes or no')
        """
        outputs = {mass.frame for mass in rows.values()}
        if len(outputs) != 1:
            raise InputError(
                "Channel.from_masses",
                got=f"{len(outputs)} different frames",
                allowed="one or more mass functions on one frame",
            )
        output = outputs.pop()
        focal = sorted({mask for mass in rows.values() for mask in mass.masses})
        matrix: Any = [[mass.masses.get(mask, 0) for mask in focal] for mass in rows.values()]
        if all(mass.exact for mass in rows.values()):
            matrix = [[Fraction(entry) for entry in row] for row in matrix]
        reports = dict(zip(output.wordings(focal), focal, strict=True))
        return cls(Frame(rows), reports, matrix, output=output)

    def to_dict(self) -> Json:
        """Write the channel for JSON; exact chances become strings such as "3/5".

        A frequency oracle is written by its parameters.
        """
        if self.oracle is not None:
            oracle = {"name": self.oracle.name, **self.oracle.parameters()}
            return {"frame": list(self.frame.answers), "oracle": oracle}
        rows = self.matrix.tolist()
        if self.table is not None:
            rows = [self.table.row(answer) for answer in range(len(self.frame))]
        return {
            "frame": list(self.frame.answers),
            "output": list(self.output.answers),
            "reports": [
                {"name": name, "means": list(self.output.names(meaning))}
                for name, meaning in zip(self.reports, self.meanings, strict=True)
            ],
            "matrix": [numbers_written(row) for row in rows],
        }

    @classmethod
    def from_dict(cls, written: Any) -> "Channel":
        """Read what `to_dict` wrote; chances given as strings or integers are kept exactly.

        Raises
        ------
        DocumentError
            If a part is missing, unknown, twice there or of the wrong kind.
        """
        if isinstance(written, dict) and "oracle" in written:
            answers, oracle = opened(written, "channel", ("frame", "oracle"))
            frame = Frame(strings(answers, "frame"))
            return cls.from_oracle(frame, _read_oracle(oracle, len(frame)))
        frame, output, reports, rows = channel_opened(written)
        return cls(frame, reports, rows, output=output)

    def to_json(self) -> str:
        """Write the channel as JSON text, as in `to_dict`."""
        return json.dumps(self.to_dict(), ensure_ascii=False, indent=1)

    @classmethod
    def from_json(cls, text: str) -> "Channel":
        """Read what `to_json` wrote.

        Raises
        ------
        DocumentError
            If it is no JSON, or as in `from_dict`.

        >>> yn = Frame(["yes", "no"])
        >>> thirds = [[Fraction(1, 3), Fraction(2, 3)], [Fraction(2, 3), Fraction(1, 3)]]
        >>> q = Channel(yn, {"yes": ["yes"], "no": ["no"]}, thirds)
        >>> Channel.from_json(q.to_json()) == q
        True
        """
        try:
            return cls.from_dict(json.loads(text))
        except json.JSONDecodeError as error:
            raise DocumentError("channel", got=str(error), allowed="JSON") from error

    @property
    def may_be_untrue(self) -> bool:
        """Whether some answer can send a report whose meaning excludes it."""
        if self.output != self.frame:
            raise InputError(
                "Channel.may_be_untrue",
                got=f"reports about {', '.join(self.output.answers)}",
                allowed="reports about the answers themselves",
            )
        return any(
            possible_senders & ~meaning
            for possible_senders, meaning in zip(senders(self), self.meanings, strict=True)
        )

    @property
    def is_vague(self) -> bool:
        """Whether some report that can be sent leaves more than one answer possible."""
        return any(
            possible_senders and meaning.bit_count() > 1
            for possible_senders, meaning in zip(senders(self), self.meanings, strict=True)
        )


@final
@dataclass(frozen=True, slots=True, eq=False)
class _WrittenChannel:
    """A channel written out."""

    reports: tuple[str, ...]
    meanings: tuple[int, ...]
    matrix: Floats
    table: Table | None


_REPR_FIELDS = ("frame", "output", "reports", "meanings", "table")


def _written_out(frame: Frame, oracle: AbstractOracle) -> _WrittenChannel:
    """Write the channel of an oracle; an empty set says nothing, and means every answer."""
    sets, rows = oracle.written()
    meanings = tuple(mask or frame.full_mask for mask in sets)
    names: dict[str, None] = {}
    for name in frame.wordings(meanings):
        names[fresh(name, names)] = None
    table = tabulate(rows)
    return _WrittenChannel(
        tuple(names), meanings, _read_doubles(table, (len(frame), len(sets))), table
    )


def _read_oracle(document: Any, answers: int) -> AbstractOracle:
    """Read an oracle for so many answers from its name and parameters in a channel's document."""
    name = document.get("name") if isinstance(document, dict) else None
    if not isinstance(name, str) or name not in ORACLE_MODULES:
        allowed = f"a name: {', '.join(ORACLE_MODULES)}; parameters"
        raise DocumentError("oracle", got=document, allowed=allowed)
    kind: Any = registered_oracle(name)
    parameters = {part.name: part.type for part in fields(kind) if part.name != "answers"}
    written = {key: value for key, value in document.items() if key != "name"}
    values = opened(written, "oracle", tuple(parameters))
    read = {
        parameter: _read_parameter(value, f"oracle.{parameter}", kind_of_number is int)
        for (parameter, kind_of_number), value in zip(parameters.items(), values, strict=True)
    }
    oracle: AbstractOracle = kind(answers=answers, **read)
    return oracle


def _read_parameter(written: Any, where: str, is_whole: bool) -> Any:
    (number,) = numbers_read([written], where)
    return int(number) if is_whole and number == int(number) else number


def senders(channel: Channel) -> tuple[int, ...]:
    """For each report the answers that can send it, as a mask: exactly, where chances are.

    >>> rare = Fraction(1, 10**400)  # no double holds it
    >>> senders(Channel(Frame(["a"]), {"a": ["a"], "b": ["a"]}, [[1 - rare, rare]]))
    (1, 1)
    """
    table = channel.table
    positive = channel.matrix > 0 if table is None else np.array(table.rows, dtype=object) > 0
    columns = np.packbits(positive.astype(bool).T, axis=1, bitorder="little")
    return tuple(int.from_bytes(column.tobytes(), "little") for column in columns)


def _read_table(matrix: Any) -> Table | None:
    if isinstance(matrix, Table):
        return matrix
    if not isinstance(matrix, list | tuple) or not all(
        isinstance(row, list | tuple) for row in matrix
    ):
        return None
    kinds = {kind for row in matrix for kind in {*map(type, row)}}
    fractions = {kind for kind in kinds if issubclass(kind, Fraction)}
    return tabulate(matrix) if fractions and kinds <= fractions | {int} else None


def _read_doubles(matrix: Any, shape: tuple[int, int]) -> Floats:
    if isinstance(matrix, Table):
        fits = matrix.total <= _WHOLE_DOUBLES
        matrix = (
            np.array(matrix.rows, dtype=np.int64) / matrix.total
            if fits
            else [[entry / matrix.total for entry in row] for row in matrix.rows]
        )
    try:
        values = np.array(matrix, dtype=np.float64)
    except (TypeError, ValueError) as error:
        raise InputError("Channel.matrix", got=str(error), allowed="numbers") from error
    if values.shape != shape:
        raise InputError(
            "Channel.matrix",
            got=f"shape {values.shape}",
            allowed=f"shape {shape}: one row per answer, one column per report",
        )
    right = (values >= 0).all(axis=1) & (np.abs(values.sum(axis=1) - 1) <= _TOLERANCE)
    if not right.all():
        row = int(np.argmin(right))
        raise InputError(
            f"Channel.matrix[{row}]",
            got=values[row].tolist(),
            allowed="chances in [0, 1] that sum to one",
        )
    values.setflags(write=False)
    return values


DONT_KNOW = "don't know"
"""The report that leaves every answer possible."""

BLANK = -1
"""Where a report is missing."""

_UNKNOWN = -2
_LISTED = 20  # names in a message


def meant(channel: Channel) -> dict[str, tuple[str, ...]]:
    """Each report with the answers that it leaves possible.

    >>> from askance.mechanisms.randomised_response import Abstain
    >>> meant(Abstain(truth=0.6, lie=0.2).channel(Frame(["a", "b"])))
    {'a': ('a',), 'b': ('b',), "don't know": ('a', 'b')}
    """
    return dict(zip(channel.reports, map(channel.output.names, channel.meanings), strict=True))


def fresh(name: str, names: Mapping[str, Any]) -> str:
    """A name as it is, or numbered if it is taken.

    >>> fresh("yes", {"yes": ("yes",)})
    'yes (2)'
    """
    number, tried = 2, name
    while tried in names:
        tried, number = f"{name} ({number})", number + 1
    return tried


def report_columns(
    channel: Channel,
    reports: Any,
    where: str = "reports",
    codes: Mapping[Any, str | None] | None = None,
    *,
    rows: Integers | None = None,
    blanks: bool = True,
) -> Integers:
    """Find the column of each report by its name; a missing one (None, NaN, NA) is a `BLANK`.

    Numbers and truth values are never taken for positions: 1 may be "yes" where the first report
    is "no". What they stand for is said by ``codes``.

    Parameters
    ----------
    channel : Channel
    reports : sequence, array or column of a data frame, length n
    where : str
        For messages.
    codes : mapping to str or None, optional
        What values stand for that are no names of reports: ``{1: "yes", 0: "no", 9: None}``.
    rows : array of int, optional
        Read these only.
    blanks : bool
        Whether a report may be missing.

    Raises
    ------
    InputError
        If a value is no report of the channel, or is missing where none may be; the message names
        the row.

    >>> from askance.channels.frame import Frame
    >>> q = Channel(Frame(["yes", "no"]), {"yes": ["yes"], "no": ["no"]}, [[1, 0], [0, 1]])
    >>> report_columns(q, ["no", "yes", None]).tolist()
    [1, 0, -1]
    >>> report_columns(q, [1, 0, 1], codes={1: "yes", 0: "no"}).tolist()
    [0, 1, 0]
    >>> report_columns(q, [1, 0])
    Traceback (most recent call last):
    askance_collect.errors.InputError: reports[0]: got 1; allowed: yes, no, or None for a blank;...
    """
    column_of: dict[Any, int] = {name: column for column, name in enumerate(channel.reports)}
    column_of |= {None: BLANK} | _read_codes(channel, codes)
    listed = listed_column(reports, where)
    listed = listed if rows is None else [listed[row] for row in rows.tolist()]
    try:
        columns = np.fromiter(map(column_of.get, listed, repeat(_UNKNOWN)), np.int64, len(listed))
    except TypeError:  # what cannot be looked up
        columns = np.array([_look_up_column(column_of, value) for value in listed], dtype=np.int64)
    for position in np.flatnonzero(columns == _UNKNOWN).tolist():
        if not is_missing(listed[position]):
            row = position if rows is None else rows[position]
            raise _no_report(f"{where}[{row}]", listed[position], channel.reports, codes, blanks)
        columns[position] = BLANK
    if not blanks and (missing := np.flatnonzero(columns == BLANK)).size:
        row = missing[0] if rows is None else rows[missing[0]]
        raise _no_report(f"{where}[{row}]", None, channel.reports, codes, blanks)
    return columns


def listed_column(values: Any, where: str) -> Sequence[Any]:
    """List a column of values as plain Python values, whatever holds it.

    Raises
    ------
    InputError
        If it is a single value, a mapping, a table, or in no order.

    >>> listed_column(np.array(["yes", "no"]), "reports")
    ['yes', 'no']
    """
    single = isinstance(values, str | bytes | Mapping | set | frozenset)
    for name in ("tolist", "to_list", "to_pylist"):
        method = getattr(values, name, None)
        if callable(method) and not single and getattr(values, "ndim", 1) == 1:
            return list_singles(method()) if holds_singles(values) else list(method())
    if single or hasattr(values, "shape") or not hasattr(values, "__iter__"):
        shape = getattr(values, "shape", None)
        raise InputError(
            where,
            got=f"{type(values).__name__}{f' of shape {shape}' if shape is not None else ''}",
            allowed="one column: a list, a one-dimensional array, or a column of a data frame",
        )
    return values if isinstance(values, list | tuple) else list(values)


def _read_codes(channel: Channel, codes: Any) -> dict[Any, int]:
    if codes is None:
        return {}
    if not isinstance(codes, Mapping):
        raise InputError("codes", got=codes, allowed='a mapping such as {1: "yes", 0: "no"}')
    return {
        code: BLANK if report is None else channel.column(report) for code, report in codes.items()
    }


def _look_up_column(column_of: Mapping[Any, int], value: Any) -> int:
    try:
        return column_of.get(value, _UNKNOWN)
    except TypeError:
        return _UNKNOWN


def _no_report(
    where: str, value: Any, names: Sequence[str], codes: Mapping[Any, Any] | None, blanks: bool
) -> InputError:
    remedy = nearest(value, tuple(names)) if isinstance(value, str) else ""
    if value is None:
        remedy = "leave rows without a report out"
    elif not remedy and not isinstance(value, str):
        remedy = f"say what each value stands for, by the name of a report: codes={{{value!r}: …}}"
    listed_codes = [code for code, name in (codes or {}).items() if blanks or name is not None]
    others = f"; by codes: {', '.join(map(repr, listed_codes[:_LISTED]))}" if listed_codes else ""
    blank = ", or None for a blank" if blanks else ""
    offender = "nothing" if value is None else value
    return InputError(
        where,
        got=offender,
        allowed=f"{listed_names(names[:_LISTED])}{blank}{others}",
        remedy=remedy,
        fault=Fault.NOT_A_REPORT,
    )


def has_independent_rows(channel: Channel) -> bool:
    """Check quickly, and sufficiently, that the rows of a channel are linearly independent.

    Then its reports determine every share. Chances sum to one, so that what is least in a column
    can be taken from it: where what is left is larger on a diagonal than all beside it, the rows
    are independent (Horn & Johnson, 2013, theorem 6.1.10), as those of k-ary response are.
    """
    if _is_dominated_by_diagonal(channel.matrix):
        return True
    sizes = np.linalg.eigvalsh(channel.matrix @ channel.matrix.T)
    return bool(sizes[0] > 1e-12 * sizes[-1])


def _is_dominated_by_diagonal(matrix: Floats) -> bool:
    if matrix.shape[0] != matrix.shape[1]:
        return False
    own = matrix.argmax(axis=1)
    rest = matrix - matrix.min(axis=0)
    diagonal = rest[np.arange(len(own)), own]
    margin = 2 * diagonal - rest.sum(axis=1)
    return bool(np.bincount(own).max() == 1 and margin.min() > 1e-6 * matrix.max())
