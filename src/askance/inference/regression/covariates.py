"""What is known of each respondent, as arrays: covariates, the report, and its channel."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Any, final

import numpy as np

from askance.channels.channel import Channel, listed_column, report_columns
from askance.inference.fit_result import GoodnessOfFit, Untested, joined_fits
from askance.inference.frequency_tests import fit_of_rows
from askance.inference.shares.information import identify
from askance.results import doubles, read_only
from askance.typing import Booleans, Floats, Integers
from askance_collect.errors import InputError, NotIdentified, refuse_unknown

_DEPENDENT = 1e-10  # smallest eigenvalue of correlations
_LISTED = 5  # names or rows in a message


@final
@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Covariates:
    """Covariates after a column of ones, with the weights of their rows.

    Attributes
    ----------
    terms : tuple of str
        The c covariates.
    matrix : array, shape (n, c + 1)
    weights : array, shape (n,)
    mean, spread : array, shape (c,)
        Of each covariate.
    """

    terms: tuple[str, ...]
    matrix: Floats
    weights: Floats
    mean: Floats
    spread: Floats

    def standard(self) -> Floats:
        """The model matrix with covariates of mean 0 and spread 1; 0 in rows without weight."""
        standardised: Floats = self.matrix - np.append(0.0, self.mean)
        standardised *= np.append(1.0, 1 / self.spread)
        standardised[self.weights == 0, 1:] = 0.0
        return standardised

    def back(self, *, before: int = 0, after: int = 0) -> Floats:
        """What turns coefficients of `standard` into those of the matrix, shape (c + 1, c + 1).

        So many other columns may stand before the covariates, after the ones, or after them: their
        coefficients stay.
        """
        own = np.arange(1 + before, 1 + before + len(self.spread))
        matrix = np.eye(1 + before + len(own) + after)
        matrix[own, own] = 1 / self.spread
        matrix[0, own] = -self.mean / self.spread
        return matrix


def covariates_of(
    covariates: Any, n: int, terms: Sequence[str] | None = None, weights: Any = None
) -> Covariates:
    """Check covariates, if any, and the weights or counts of their rows.

    Raises
    ------
    InputError
        If their shape does not fit the reports, or something is missing or constant.
    NotIdentified
        If some covariates determine another one.

    >>> covariates_of([[1.0], [3.0]], 2).standard().tolist()
    [[1.0, -1.0], [1.0, 1.0]]
    """
    matrix = build_model_matrix(np.empty((n, 0)) if covariates is None else covariates, terms)
    names = tuple(terms) if terms is not None else names_of(matrix.shape[1] - 1)
    if len(matrix) != n:
        raise InputError("covariates", got=f"{len(matrix)} rows", allowed=f"{n}: one per report")
    row_weights = _weights(weights, n)
    total = row_weights.sum()
    mean = row_weights @ matrix[:, 1:] / total
    moments = gram(matrix[:, 1:] - mean, row_weights) / total
    spread = np.sqrt(np.diag(moments))
    constant = spread <= 1e-12 * (np.abs(mean) + np.finfo(float).tiny)
    if constant.any():
        raise InputError(
            "covariates",
            got=f"no variation in {_list_names(names, constant)}",
            allowed="covariates that vary; an intercept is there already",
        )
    _refuse_dependent(names, moments / np.outer(spread, spread))
    return Covariates(terms=names, matrix=matrix, weights=row_weights, mean=mean, spread=spread)


def covariate_spreads(terms: Sequence[str], matrix: Floats, weights: Floats) -> dict[str, float]:
    """The standard deviation of each covariate; 1 of one that is 0 or 1.

    Parameters
    ----------
    terms : sequence of str
    matrix : array, shape (n, c + 1)
        Covariates, after a column of ones.
    weights : array, shape (n,)

    >>> matrix = np.array([[1.0, 0.0, 1.0], [1.0, 1.0, 5.0]])
    >>> covariate_spreads(["urban", "age"], matrix, np.ones(2))
    {'urban': 1.0, 'age': 2.0}
    """
    columns = matrix[:, 1:]
    mean = weights @ columns / weights.sum()
    spreads = np.sqrt(weights @ (columns - mean) ** 2 / weights.sum())
    is_switch = np.isin(columns, (0.0, 1.0)).all(axis=0)
    return dict(zip(terms, np.where(is_switch, 1.0, spreads).tolist(), strict=True))


def names_of(c: int) -> tuple[str, ...]:
    """Name covariates that have no names.

    >>> names_of(2)
    ('x1', 'x2')
    """
    return tuple(f"x{i + 1}" for i in range(c))


def build_model_matrix(
    covariates: Any, terms: Sequence[str] | None = None, where: str = "covariates"
) -> Floats:
    """Put a column of ones before covariates that are all there, which the caller names ``where``.

    Raises
    ------
    InputError
        If they are no table of finite numbers with one name per column.

    >>> build_model_matrix([[2.0]]).tolist(), build_model_matrix([2.0, 3.0]).tolist()
    ([[1.0, 2.0]], [[1.0, 2.0], [1.0, 3.0]])
    """
    array = doubles(covariates, where)
    array = array[:, None] if array.ndim == 1 else array
    if terms is not None and not all(isinstance(term, str) for term in terms):
        raise InputError("terms", got=terms, allowed="names of the covariates")
    width = array.shape[1] if array.ndim == 2 else -1
    if width < 0 or (terms is not None and len(terms) != width):
        raise InputError(
            where,
            got=f"shape {array.shape}",
            allowed="a table, one row per respondent, or one covariate"
            + (f" and one column for each of {len(terms)} terms" if terms is not None else ""),
        )
    if not np.isfinite(array).all():
        missing = ~np.isfinite(array)
        names = tuple(terms) if terms is not None else names_of(width)
        rows = np.flatnonzero(missing.any(axis=1))
        raise InputError(
            where,
            got=f"{_list_names(names, missing.any(axis=0))} missing or infinite in row "
            f"{', '.join(map(str, rows[:_LISTED]))}{' …' if len(rows) > _LISTED else ''}",
            allowed="finite numbers",
            remedy="leave these rows out, or fill them in",
        )
    matrix = np.empty((len(array), width + 1), order="F")
    matrix[:, 0], matrix[:, 1:] = 1.0, array
    matrix.setflags(write=False)
    return matrix


def _weights(weights: Any, n: int) -> Floats:
    row_weights = read_only(np.ones(n) if weights is None else doubles(weights, "weights"))
    if not row_weights.any():
        fault = "weights that are all 0" if n else "no rows"
        raise InputError("weights" if n else "reports", got=fault, allowed="a row that counts")
    return row_weights


def _refuse_dependent(names: Sequence[str], correlation: Floats) -> None:
    values, axes = np.linalg.eigh(correlation)
    if len(values) == 0 or values[0] > _DEPENDENT:
        return
    part = np.abs(axes[:, 0])
    raise NotIdentified(
        "covariates",
        got=f"{_list_names(names, part > 0.05)} that are each determined by the others",
        allowed="covariates that vary on their own, fewer than there are rows",
        remedy="leave one of them out",
    )


def _list_names(names: Sequence[str], chosen: Any) -> str:
    chosen_names = [name for name, is_chosen in zip(names, chosen, strict=True) if is_chosen]
    return ", ".join(chosen_names[:_LISTED]) + (" …" if len(chosen_names) > _LISTED else "")


@final
@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Received:
    """One report for each row, under the channel of that row.

    Attributes
    ----------
    answers : tuple of str
        The k answers.
    matrices : tuple of array, each of shape (k, m)
        The channels.
    chances : array, shape (columns, k)
        Every report of every channel, a row each; the last says nothing, and stands for a blank.
    index : array of int, shape (n,)
        Which row of ``chances`` each report is.
    group : array of int, shape (n,)
        Which channel each report came through.
    names : tuple of str, length columns
        What each row of ``chances`` is called.
    source : array of int, shape (columns,)
        Which channel each row of ``chances`` is of; −1 of a blank.
    """

    answers: tuple[str, ...]
    matrices: tuple[Floats, ...]
    chances: Floats
    index: Integers
    group: Integers
    names: tuple[str, ...]
    source: Integers

    def __post_init__(self) -> None:
        for array in (self.chances, self.index, self.group, self.source):
            array.setflags(write=False)

    def __len__(self) -> int:
        return len(self.index)

    @property
    def is_answered(self) -> Booleans:
        """Which rows are no blanks."""
        return self.index < len(self.chances) - 1

    def goodness_of_fit(self, people: Floats) -> GoodnessOfFit:
        """Test that the channels can have sent these reports, whatever the covariates.

        Each channel is tested by itself; everybody counts once.

        Parameters
        ----------
        people : array, shape (n,)
            How many people each row is: sampling weights are none of it.
        """
        counts = np.bincount(self.index, people, minlength=len(self.chances)).astype(float)
        fits = {}
        for channel in range(int(self.source.max()) + 1):
            own = np.flatnonzero(self.source == channel)
            reports = [self.names[row] for row in own]
            fit = fit_of_rows(self.chances[own].T, counts[own], reports)
            if fit.untested is not Untested.NO_REPORTS:
                fits[f"channel {channel + 1}"] = fit
        return joined_fits(fits) if len(fits) != 1 else next(iter(fits.values()))


def received(
    reports: Any,
    channel: Channel | Sequence[Channel],
    group: Any = None,
    *,
    codes: Mapping[Any, str | None] | None = None,
    where: str = "reports",
    identified: bool = True,
) -> Received:
    """Read reports by name; what is missing is a blank, sent with a chance that told nothing.

    Whether the channels tell all answers apart is looked at unless a model is to tell them.

    Raises
    ------
    InputError
        If a report is not the channel's, or no answer can send it; the message names the row.
    NotIdentified
        If the channels together cannot tell some answers apart.

    >>> from askance.channels.frame import Frame
    >>> q = Channel(Frame(["yes", "no"]), {"yes": ["yes"], "no": ["no"]}, [[.75, .25], [.25, .75]])
    >>> received(["no", "yes", None], q).index.tolist()
    [1, 0, 2]
    """
    channels = [channel] if isinstance(channel, Channel) else list(channel)
    if not channels or len({channel.frame for channel in channels}) != 1:
        raise InputError(
            "channel", got=f"{len(channels)} channels", allowed="one or more on one frame"
        )
    _refuse_codes(channels, codes)
    values = listed_column(reports, where)
    groups = _groups(group, len(values), len(channels))
    if identified:
        _identify(channels)
    chances = np.concatenate(
        [channel.matrix.T for channel in channels] + [np.ones((1, len(channels[0].frame)))]
    )
    blank = len(chances) - 1
    first = np.cumsum([0] + [len(channel.reports) for channel in channels])
    index = np.full(len(values), blank)
    for number, of in enumerate(channels):
        rows = np.flatnonzero(groups == number)
        own = codes and {code: to for code, to in codes.items() if to is None or to in of.reports}
        column = report_columns(of, values, where, own, rows=rows if len(channels) > 1 else None)
        index[rows] = np.where(column < 0, blank, column + first[number])
    _refuse_impossible(chances, index, where)
    return Received(
        answers=channels[0].frame.answers,
        matrices=tuple(channel.matrix for channel in channels),
        chances=chances,
        index=index.astype(np.int64),
        group=groups,
        names=(*chain.from_iterable(channel.reports for channel in channels), ""),
        source=np.append(np.repeat(np.arange(len(channels)), np.diff(first)), -1),
    )


def _refuse_impossible(chances: Floats, index: Integers, where: str) -> None:
    possible = chances.max(axis=1) > 0
    if not possible[index].all():
        row = int(np.argmin(possible[index]))
        raise InputError(
            f"{where}[{row}]",
            got="a report that no answer can send",
            allowed="what the channel sends",
            remedy="check that the reports belong to this channel",
        )


def _groups(group: Any, n: int, channels: int) -> Integers:
    if group is None:
        if channels > 1:
            raise InputError("group", got="none", allowed="the number of its channel for each row")
        return np.zeros(n, dtype=np.int64)
    listed = listed_column(group, "group")
    try:
        groups = np.array(listed)
    except ValueError as error:
        raise InputError("group", got=str(error), allowed=f"{n} whole numbers") from error
    if groups.shape != (n,) or groups.dtype.kind not in "iu":
        raise InputError(
            "group", got=f"{groups.dtype} of shape {groups.shape}", allowed=f"{n} whole numbers"
        )
    wrong = (groups < 0) | (groups >= channels)
    if wrong.any():
        row = int(np.argmax(wrong))
        raise InputError(
            f"group[{row}]",
            got=int(groups[row]),
            allowed=f"0 to {channels - 1}: one of the channels",
        )
    return groups.astype(np.int64)


def _identify(channels: Sequence[Channel]) -> None:
    if len(channels) == 1:
        return identify(channels[0])
    k = len(channels[0].frame)
    if np.linalg.matrix_rank(np.concatenate([channel.matrix for channel in channels], axis=1)) < k:
        raise NotIdentified(
            "channel",
            got=f"{len(channels)} channels whose reports cannot tell some answers apart",
            allowed="rows that are linearly independent, all channels side by side",
        )
    return None


def _refuse_codes(channels: Sequence[Channel], codes: Any) -> None:
    if codes is not None and not isinstance(codes, Mapping):
        raise InputError("codes", got=codes, allowed='a mapping such as {1: "yes", 0: "no"}')
    names = tuple(dict.fromkeys(name for channel in channels for name in channel.reports))
    for code, report in (codes or {}).items():
        if report is not None:
            refuse_unknown(f"codes[{code!r}]", report, names)


_ROWS = 1 << 11
"""So many at once stay in the processor's cache."""


def gram(table: Floats, weights: Floats) -> Floats:
    """Σ_i w_i x_i x_iᵀ over the rows of a table.

    >>> gram(np.array([[1.0, 2.0], [1.0, 0.0]]), np.array([3.0, 1.0])).tolist()
    [[4.0, 6.0], [6.0, 12.0]]
    >>> sums = [gram(np.ones((n, 1)), np.arange(n))[0, 0] for n in (0, 2047, 2048, 5001)]
    >>> [int(total) for total in sums] == [sum(range(n)) for n in (0, 2047, 2048, 5001)]
    True
    """
    sums = np.zeros((table.shape[1], table.shape[1]))
    for first in range(0, len(table), _ROWS):
        part = table[first : first + _ROWS]
        sums += (part * weights[first : first + _ROWS, None]).T @ part
    return sums
