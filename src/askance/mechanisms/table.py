"""Any channel at all, written out: every report with its meaning, every chance as a fraction."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar, final

from askance.arguments import checked
from askance.channels.algebra import meant
from askance.channels.channel import Channel
from askance.channels.frame import Frame
from askance.errors import InputError
from askance.exact.ratio import chance
from askance.mechanisms.base import AbstractMechanism


@final
@dataclass(frozen=True, slots=True, init=False)
class Written(AbstractMechanism):
    """Send each report with the chance that the answer's row gives it.

    For a channel that no recipe names, such as one that was computed for its purpose.

    Parameters
    ----------
    reports : mapping of str to sequence of str
        Each report, with the answers that it leaves possible on its face.
    rows : sequence of sequences of probabilities
        For each answer, in the order of the question, the chance of each report.

    >>> half = Written(
    ...     reports={"yes": ["yes"], "either": ["yes", "no"]}, rows=[["1/2", "1/2"], [0, 1]]
    ... )
    >>> half.channel(Frame(["yes", "no"])).table.rows
    ((1, 1), (0, 2))
    """

    name: ClassVar[str] = "table"
    reports: tuple[tuple[str, tuple[str, ...]], ...]
    rows: tuple[tuple[Fraction, ...], ...]

    def __init__(self, *, reports: object, rows: object) -> None:
        object.__setattr__(self, "reports", _reports(reports))
        object.__setattr__(self, "rows", _rows(rows, len(self.reports)))

    @classmethod
    @checked
    def of(cls, channel: Channel) -> "Written":
        """Write a channel out, integer by integer.

        Raises
        ------
        InputError
            If the channel was not given exactly.

        >>> from askance.mechanisms.warner import Warner
        >>> Written.of(Warner(truth="3/4").channel(Frame(["yes", "no"]))).rows[0]
        (Fraction(3, 4), Fraction(1, 4))
        """
        if channel.table is None:
            raise InputError(
                "Written.of", got="a channel of doubles", allowed="a channel with exact chances"
            )
        rows = [channel.table.row(at) for at in range(len(channel.frame))]
        return cls(reports=meant(channel), rows=rows)

    @checked
    def channel(self, frame: Frame) -> Channel:
        """Yield the channel over these answers, one row for each."""
        if len(self.rows) != len(frame):
            raise InputError(
                "Written.rows",
                got=f"{len(self.rows)} rows",
                allowed=f"{len(frame)} rows, one for each answer",
            )
        return Channel(frame, dict(self.reports), [list(row) for row in self.rows])

    def parameters(self) -> dict[str, str]:
        """Write the parameters as a survey file would."""
        rows = [[str(entry) for entry in row] for row in self.rows]
        reports = {report: list(means) for report, means in self.reports}
        return {
            "reports": json.dumps(reports, ensure_ascii=False),
            "rows": json.dumps(rows),
        }


def _reports(given: object) -> tuple[tuple[str, tuple[str, ...]], ...]:
    fits = isinstance(given, Mapping) and all(
        report and isinstance(means, list | tuple) and all(isinstance(one, str) for one in means)
        for report, means in given.items()
    )
    if not isinstance(given, Mapping) or not fits or len(given) < 2:
        raise InputError(
            "Written.reports",
            got=given,
            allowed='two or more reports with what they mean: { yes = ["yes"], … }',
        )
    return tuple((str(report), tuple(means)) for report, means in given.items())


def _rows(given: object, width: int) -> tuple[tuple[Fraction, ...], ...]:
    if not isinstance(given, Sequence) or not all(isinstance(row, list | tuple) for row in given):
        raise InputError("Written.rows", got=given, allowed='lists of chances: [["3/5", "2/5"], …]')
    rows = tuple(tuple(chance(entry, "Written.rows") for entry in row) for row in given)
    for at, row in enumerate(rows):
        if len(row) != width or sum(row) != 1:
            raise InputError(
                f"Written.rows[{at}]",
                got=", ".join(map(str, row)),
                allowed=f"{width} chances, one for each report, that sum to one",
            )
    return rows
