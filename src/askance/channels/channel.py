"""A finite channel: chances of reports given answers, and what each report means."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, final

import numpy as np
import numpy.typing as npt

from askance.channels.evidence import MassFunction
from askance.channels.frame import Frame
from askance.errors import InputError, nearest
from askance.exact.table import Table, tabulate
from askance.typing import Floats

_TOLERANCE = 1e-9


@final
@dataclass(frozen=True, slots=True, init=False, eq=False)
class Channel:
    """A row-stochastic matrix, answers by reports, whose columns each mean a set of answers.

    Parameters
    ----------
    frame : Frame
        The k admissible answers: the rows.
    reports : mapping of str to iterable of str
        For each of the m reports, in column order, the answers that it leaves possible on its face.
    matrix : array_like of shape (k, m), nested fractions, or Table
        Chances of each report given each answer. Fractions and tables are kept exactly, so that
        guarantees can be computed on them; anything else is read as doubles.
    output : Frame, optional
        The frame that reports are about, where it is not the frame of the answers.

    Attributes
    ----------
    meanings : tuple of int
        The reports' meanings as masks.
    table : Table or None
        The exact integers, where the matrix was given exactly.

    Raises
    ------
    InputError
        If a row has a negative, infinite or missing chance or does not sum to one, if the shape
        does not fit, or if a report means nothing.

    >>> yn = Frame(["yes", "no"])
    >>> q = Channel(yn, {"yes": ["yes"], "no": ["no"]}, [[0.75, 0.25], [0.25, 0.75]])
    >>> q.lies, q.vague
    (True, False)
    """

    frame: Frame
    output: Frame
    reports: tuple[str, ...]
    meanings: tuple[int, ...]
    matrix: Floats = field(repr=False)
    table: Table | None

    def __init__(
        self,
        frame: Frame,
        reports: Mapping[str, Sequence[str]],
        matrix: npt.ArrayLike | Sequence[Sequence[Fraction]] | Table,
        *,
        output: Frame | None = None,
    ) -> None:
        about = output or frame
        meanings = tuple(about.mask(meaning) for meaning in reports.values())
        for report, meaning in zip(reports, meanings, strict=True):
            if not meaning:
                raise InputError(
                    f"Channel.reports[{report!r}]",
                    got="no answer",
                    allowed="at least one answer",
                )
        table = _exactly(matrix)
        values = _doubles(matrix if table is None else table, (len(frame), len(meanings)))
        for name, value in (
            ("frame", frame),
            ("output", about),
            ("reports", tuple(reports)),
            ("meanings", meanings),
            ("matrix", values),
            ("table", table),
        ):
            object.__setattr__(self, name, value)

    def __eq__(self, other: object) -> bool:
        return (
            isinstance(other, Channel)
            and (self.frame, self.output, self.reports, self.meanings, self.table)
            == (other.frame, other.output, other.reports, other.meanings, other.table)
            and np.array_equal(self.matrix, other.matrix)
        )

    def __hash__(self) -> int:
        return hash((self.frame, self.reports, self.meanings, self.matrix.tobytes()))

    def column(self, report: str) -> int:
        """Give the position of a report."""
        if report not in self.reports:
            raise InputError(
                "report",
                got=report,
                allowed=", ".join(self.reports),
                remedy=nearest(report, self.reports),
            )
        return self.reports.index(report)

    def mass(self, answer: str) -> MassFunction:
        """Read one answer's row by meaning: a mass function on the output frame."""
        masses: dict[int, float] = {}
        row = self.matrix[self.frame.index(answer)]
        for meaning, chance in zip(self.meanings, row, strict=True):
            masses[meaning] = masses.get(meaning, 0.0) + float(chance)
        named = {self.output.names(mask): mass for mask, mass in masses.items() if mass > 0}
        return MassFunction(self.output, named)

    @property
    def lies(self) -> bool:
        """Whether some answer can send a report whose meaning excludes it."""
        if self.output != self.frame:
            raise InputError(
                "Channel.lies",
                got=f"reports about {', '.join(self.output.answers)}",
                allowed="reports about the answers themselves",
            )
        return any(
            self.matrix[at, column] > 0 and not meaning >> at & 1
            for column, meaning in enumerate(self.meanings)
            for at in range(len(self.frame))
        )

    @property
    def vague(self) -> bool:
        """Whether some report that can be sent leaves more than one answer possible."""
        sent = self.matrix.max(axis=0) > 0
        return any(sent[at] and meaning.bit_count() > 1 for at, meaning in enumerate(self.meanings))


def _exactly(matrix: Any) -> Table | None:
    if isinstance(matrix, Table):
        return matrix
    exact = isinstance(matrix, list | tuple) and all(
        isinstance(entry, Fraction) for row in matrix for entry in row
    )
    return tabulate(matrix) if exact and matrix else None


def _doubles(matrix: Any, shape: tuple[int, int]) -> Floats:
    if isinstance(matrix, Table):
        matrix = [[entry / matrix.total for entry in row] for row in matrix.rows]
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
    for at, row in enumerate(values):
        if not np.all(row >= 0) or not abs(row.sum() - 1) <= _TOLERANCE:
            raise InputError(
                f"Channel.matrix[{at}]",
                got=row.tolist(),
                allowed="chances in [0, 1] that sum to one",
            )
    values.setflags(write=False)
    return values
