"""Tallies of list experiments: how many people of each group counted how many items."""

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from numbers import Real
from typing import Any, final

import numpy as np

from askance.channels.channel import listed_column
from askance.channels.sampled_counts import is_covariance
from askance.inference.ranges.sampled import replicates_of
from askance.inference.regression.formula import column_or_values, columns_of
from askance.inference.replicate_weights import ratio_covariance
from askance.inference.sampling_columns import SamplingColumns, read_counts, read_sampling
from askance.inference.sampling_design import AbstractSamplingDesign
from askance.results import (
    Listing,
    counted,
    doubles,
    figure_rows,
    is_missing,
    json_of,
    listed,
    over_replicates,
    read_only,
    result_frame,
    result_stream,
)
from askance.typing import Floats, Integers, Json
from askance_collect.arguments import checked, same_rows
from askance_collect.errors import DocumentError, InputError
from askance_collect.exact.ratio import read_integer

VERSION = "item-counts-1"
SAMPLED = "item-counts-2"
"""With the covariance of a complex sample."""

MOST_ITEMS = 50
_SINGLE_ITEM = "sensitive item"
_FEW, _MANY = 1e-100, 1e100  # weights beyond have no squares


@final
@listed
@dataclass(frozen=True, slots=True, init=False, eq=False, repr=False)
class ItemCounts:
    """How many people of each group of a list experiment counted how many items.

    Parameters
    ----------
    control : sequence of number, length J + 1
        How many people who saw the J control items alone said 0, 1, …, J.
    treated : mapping of str to sequence of number, each of length J + 2
        For each sensitive item: how many who saw it too said 0, 1, …, J + 1.
    squares : sequence of sequences, shape (1 + M, J + 2), optional
        Sums of squared weights, the control group first, where the numbers are sums of weights.
    covariance : array_like, shape (m, m), optional
        Of the m = (1 + M)(J + 2) numbers, row by row, where people are a complex sample.
    df : float, optional
        Degrees of freedom of that sample.
    replicates : int, optional
        Over how many replicates the covariance was found; 0 if over none.

    Attributes
    ----------
    sensitive : tuple of str
        The M sensitive items.
    counts : array, shape (1 + M, J + 2)
        People, or sums of their weights; the control group first, whose last number is 0.
    squares : array, shape (1 + M, J + 2)
        Sums of the squares of weights; ``counts`` where there are none.
    covariance : array, shape (m, m), or None
    df : float
        Infinite where there is no covariance.
    replicates : int

    Raises
    ------
    InputError
        If a group is empty, numbers are negative or too few, or two items have one name.

    >>> from askance.inference import ItemCounts
    >>> tally = ItemCounts([8, 132, 222, 227], {"neighbours": [19, 123, 229, 219, 34]})
    >>> tally
    people who said that so many items hold
                0    1    2    3   4
    control     8  132  222  227   0
    neighbours  19  123  229  219  34
    1,213 people; 3 control items
    """

    sensitive: tuple[str, ...]
    counts: Floats
    squares: Floats
    covariance: Floats | None
    df: float
    replicates: int

    @checked
    def __init__(
        self,
        control: Sequence[float],
        treated: Mapping[str, Sequence[float]],
        *,
        squares: Any = None,
        covariance: Any = None,
        df: float = math.inf,
        replicates: int = 0,
    ) -> None:
        first = _numbers(control, "ItemCounts.control", 2)
        if not treated:
            raise InputError("ItemCounts.treated", got="no group", allowed="one or more")
        rows = [np.append(first, 0.0)]
        for name, numbers in treated.items():
            where = f"ItemCounts.treated[{name!r}]"
            row = _numbers(numbers, where, 1)
            if len(row) != len(first) + 1:
                allowed = f"{len(first) + 1}: for 0 to {len(first)} items"
                raise InputError(where, got=f"{len(row)} numbers", allowed=allowed)
            rows.append(row)
        counts = np.array(rows)
        sums = counts if squares is None else doubles(squares, "ItemCounts.squares")
        fits = sums.shape == counts.shape and ((sums > 0) == (counts > 0)).all()
        if not (fits and np.isfinite(sums).all() and (sums >= 0).all()):
            raise InputError(
                "ItemCounts.squares",
                got=f"numbers of shape {sums.shape}",
                allowed=f"sums of squared weights, shape {counts.shape}, above 0 where people are",
            )
        if replicates < 0:
            raise InputError("ItemCounts.replicates", got=replicates, allowed="0, 1, 2, …")
        spread = None if covariance is None else _covariance(covariance, df, counts.size)
        object.__setattr__(self, "sensitive", _named("ItemCounts.treated", treated))
        object.__setattr__(self, "counts", read_only(counts))
        object.__setattr__(self, "squares", read_only(sums))
        object.__setattr__(self, "covariance", spread)
        object.__setattr__(self, "df", math.inf if spread is None else float(df))
        object.__setattr__(self, "replicates", 0 if spread is None else replicates)

    @property
    def items(self) -> int:
        """J, how many control items there are."""
        return int(self.counts.shape[1]) - 2

    def __add__(self, other: "ItemCounts") -> "ItemCounts":
        """Put the counts of one experiment together that were made in two places."""
        if not isinstance(other, ItemCounts):
            return NotImplemented
        if (self.sensitive, self.items) != (other.sensitive, other.items):
            raise InputError(
                "ItemCounts.__add__",
                got=f"{other.items} control items and {', '.join(other.sensitive)}",
                allowed=f"{self.items} control items and {', '.join(self.sensitive)}",
            )
        if self.covariance is not None or other.covariance is not None:
            raise InputError(
                "ItemCounts.__add__",
                got="a complex sample",
                allowed="people who were drawn at random",
                remedy="count all rows together with one sampling design",
            )
        return _of_table(self.sensitive, self.counts + other.counts, self.squares + other.squares)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, ItemCounts):
            return NotImplemented
        return self.to_dict() == other.to_dict()

    def __hash__(self) -> int:
        return hash((self.sensitive, self.counts.tobytes(), self.squares.tobytes()))

    def to_dict(self) -> Json:
        """Write the counts for JSON."""
        plain = json_of(self, "sensitive counts squares")
        if self.covariance is None:
            return {"askance": VERSION} | plain
        sample = plain | json_of(self, "covariance df")
        more = {"replicates": self.replicates} if self.replicates else {}
        return {"askance": SAMPLED} | sample | more

    @classmethod
    @checked
    def from_dict(cls, written: Any) -> "ItemCounts":
        """Read what `to_dict` wrote.

        Raises
        ------
        DocumentError
            If it is something else.

        >>> from askance.inference import ItemCounts
        >>> tally = ItemCounts([5, 5], {"a": [2, 5, 3]})
        >>> ItemCounts.from_dict(tally.to_dict()) == tally
        True
        """
        parts = {"askance", "sensitive", "counts", "squares"}
        sampled = {"covariance", "df"}
        more = {VERSION: [set[str]()], SAMPLED: [sampled, sampled | {"replicates"}]}
        version = written.get("askance") if isinstance(written, dict) else None
        if version not in more or set(written) not in [parts | extra for extra in more[version]]:
            raise DocumentError(
                "item counts",
                got=type(written).__name__,
                allowed=f'an object with "askance": "{VERSION}", sensitive, counts, squares; '
                f'or "{SAMPLED}", and covariance and df too, perhaps replicates',
            )
        try:
            control, *treated = written["counts"]
            named = dict(zip(written["sensitive"], treated, strict=True))
            sample = {name: written[name] for name in set(written) - parts}
            if "df" in sample and sample["df"] is None:  # JSON has no infinity
                sample["df"] = math.inf
            return cls(control[:-1], named, squares=written["squares"], **sample)
        except (InputError, TypeError, ValueError) as error:
            raise DocumentError(
                "item counts", got=str(error), allowed="what to_dict wrote"
            ) from error

    def _frame(self) -> Any:
        return [
            {"group": name, "count": count, "people": float(people)}
            for name, row in zip(("control", *self.sensitive), self.counts, strict=True)
            for count, people in enumerate(row)
            if count <= self.items or name != "control"
        ]

    def _table(self) -> Listing:
        head = ["", *map(str, range(self.items + 2))]
        rows = figure_rows(("control", *self.sensitive), *self.counts.T)
        people = counted(self.counts.sum(), "person", "people")
        notes = [f"{people}; {self.items} control items"]
        if self.covariance is not None:
            over = over_replicates(self.replicates)
            notes.append(f"a complex sample{over}, {self.df:g} degrees of freedom")
        return "people who said that so many items hold", head, rows, notes

    to_frame = result_frame
    __arrow_c_stream__ = result_stream


def _named(where: str, labels: Iterable[Any]) -> tuple[str, ...]:
    names = tuple(map(str, labels))
    if len(set(names)) < len(names):
        raise InputError(where, got=", ".join(names), allowed="names that differ when written")
    return names


def _numbers(values: Any, where: str, least: int) -> Floats:
    numbers = doubles(list(values), where)
    if numbers.ndim != 1 or len(numbers) < least:
        raise InputError(where, got=f"shape {numbers.shape}", allowed=f"{least} or more numbers")
    if not ((numbers == 0) | ((numbers >= _FEW) & (numbers <= _MANY))).all():
        allowed = "0, or numbers in [1e-100, 1e100]"
        raise InputError(where, got=numbers.tolist(), allowed=allowed)
    if not numbers.any():
        raise InputError(where, got="nobody", allowed="a group of people")
    return numbers


def _covariance(values: Any, df: float, size: int) -> Floats:
    matrix = doubles(values, "ItemCounts.covariance")
    if not (matrix.shape == (size, size) and is_covariance(matrix) and df >= 0):
        raise InputError(
            "ItemCounts.covariance",
            got=f"shape {matrix.shape}, {df:g} degrees of freedom",
            allowed=f"finite numbers of shape {(size, size)}, symmetric, without a negative "
            "eigenvalue, and degrees of freedom in [0, ∞]",
        )
    return read_only(matrix)


def _of_table(
    sensitive: Sequence[str], counts: Floats, squares: Floats, **sample: Any
) -> ItemCounts:
    treated = {name: row.tolist() for name, row in zip(sensitive, counts[1:], strict=True)}
    return ItemCounts(counts[0, :-1].tolist(), treated, squares=squares, **sample)


@checked
def count_items(
    reports: Any,
    arms: Any,
    *,
    items: int,
    control: Any = 0,
    data: Any = None,
    weights: Any = None,
    counts: Any = None,
    sampling: AbstractSamplingDesign | SamplingColumns | None = None,
) -> ItemCounts:
    """Tally the answers of a list experiment, one row per respondent.

    Parameters
    ----------
    reports : array_like of int, length n, or str
        How many items hold, as each respondent said; or the column of ``data`` that says so.
    arms : array_like, length n, or str
        Which list each saw: ``control``, or else the name of the sensitive item that was added.
        Of 0 and 1 (or False and True), 1 is the only sensitive item.
    items : int
        J, the number of control items.
    control : value, optional
        What stands for the control group among ``arms``.
    data : data frame or mapping of str to sequence, optional
    weights : array_like, length n, or str, optional
        Sampling weights.
    counts : array_like of int, length n, or str, optional
        How often each row is there, where rows that are alike are given once.
    sampling : SamplingDesign, ReplicateWeights or SamplingColumns, optional
        How people were drawn, in place of weights. Which list each saw was drawn too: that is why
        finite populations, which it takes no account of, are left out of the variance.

    Raises
    ------
    InputError
        If a value is missing, a report is larger than the list, a group is empty, or counts of
        repeated rows stand beside weights or a sampling design.

    >>> import askance as ak
    >>> ak.inference.count_items([2, 0, 1, 3], [0, 0, 1, 1], items=2).counts.tolist()
    [[1.0, 0.0, 1.0, 0.0], [0.0, 1.0, 0.0, 1.0]]
    """
    options = {"items": items, "control": control, "data": data, "weights": weights}
    if weights is not None and counts is None and sampling is None:  # sums of squares say all
        answers, sample = answers_of(reports, arms, **options), None
    else:
        answers, sample = sampled_answers(reports, arms, sampling, counts=counts, **options)
    table = np.zeros((len(answers.sensitive) + 1, items + 2))
    squares = np.zeros_like(table)
    np.add.at(table, (answers.arm, answers.count), answers.weights)
    squared = answers.weights**2 if counts is None else answers.weights
    np.add.at(squares, (answers.arm, answers.count), squared)
    if sample is None:
        return _of_table(answers.sensitive, table, squares)
    cell = answers.arm * table.shape[1] + answers.count
    groups = np.repeat(np.eye(len(table)), table.shape[1], axis=1)[answers.arm]
    covariance = ratio_covariance(sample, np.eye(table.size)[cell], groups)
    precision = {"df": sample.df, "replicates": replicates_of(sample)}
    return _of_table(answers.sensitive, table, squares, covariance=covariance, **precision)


@final
@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class ListAnswers:
    """What each respondent of a list experiment said.

    Attributes
    ----------
    items : int
    sensitive : tuple of str
        The M sensitive items.
    arm : array of int, shape (n,)
        0 for the control group, else which sensitive item was added.
    count : array of int, shape (n,)
    weights : array, shape (n,)
        Of a sample; or how often each row is there.
    """

    items: int
    sensitive: tuple[str, ...]
    arm: Integers
    count: Integers
    weights: Floats

    def __post_init__(self) -> None:
        for array in (self.arm, self.count, self.weights):
            array.setflags(write=False)


def answers_of(
    reports: Any,
    arms: Any,
    *,
    items: int,
    control: Any,
    data: Any,
    weights: Any,
    counts: Any = None,
) -> ListAnswers:
    """Check what each respondent said, and which list each saw.

    >>> answers_of([1, 2], ["none", "tea"], items=1, control="none", data=None, weights=None).arm
    array([0, 1])
    """
    allowed = f"a number of control items in [1, {MOST_ITEMS}]"
    items = read_integer(items, "items", allowed, 1, MOST_ITEMS)
    same_rows(data=data, reports=reports, arms=arms, weights=weights, counts=counts)
    if data is not None:
        table, columns = columns_of(data), (reports, arms, weights, counts)
        reports, arms, weights, counts = (column_or_values(table, column) for column in columns)
    names, arm = arms_of(arms, control)
    count = doubles(reports, "reports")
    if count.shape != arm.shape:
        raise InputError("reports", got=f"shape {count.shape}", allowed=f"{len(arm)}: one per arm")
    most = items + (arm > 0)
    wrong = np.flatnonzero(~((count >= 0) & (count <= most) & (count == np.floor(count))))
    if len(wrong):
        row = int(wrong[0])
        group = "the control group" if arm[row] == 0 else "this group"
        raise InputError(
            f"reports[{row}]",
            got="nothing" if np.isnan(count[row]) else float(count[row]),
            allowed=f"a whole number in [0, {most[row]}] in {group}",
            remedy="leave rows without an answer out" if np.isnan(count[row]) else "",
        )
    times = read_counts(counts, len(arm))
    row_weights = _weights_of(weights, len(arm)) if times is None else times
    return ListAnswers(
        items=items,
        sensitive=names,
        arm=arm,
        count=count.astype(np.int64),
        weights=row_weights.copy(),
    )


def _weights_of(weights: Any, n: int) -> Floats:
    row_weights = np.ones(n) if weights is None else doubles(weights, "weights")
    if row_weights.shape != (n,):
        raise InputError("weights", got=f"shape {row_weights.shape}", allowed=f"{n}: one per arm")
    odd = np.flatnonzero(~((row_weights == 0) | ((row_weights >= _FEW) & (row_weights <= _MANY))))
    if len(odd):
        raise InputError(
            f"weights[{odd[0]}]",
            got=float(row_weights[odd[0]]),
            allowed="0, or a number in [1e-100, 1e100]",
        )
    return row_weights


def sampled_answers(
    reports: Any,
    arms: Any,
    sampling: Any,
    clusters: Any = None,
    *,
    counts: Any = None,
    **options: Any,
) -> tuple[ListAnswers, AbstractSamplingDesign | None]:
    """Check what each respondent said, weighed as a sampling design says, or sampling weights.

    >>> from askance.inference import SamplingDesign
    >>> options = {"items": 1, "control": 0, "data": None, "weights": None}
    >>> sampled_answers([1, 2], [0, 1], SamplingDesign(weights=[2, 3]), **options)[0].weights
    array([2., 3.])
    """
    answers = answers_of(reports, arms, counts=counts, **options)
    instead = {"weights": options["weights"], "counts": counts, "clusters": clusters}
    sample = read_sampling(sampling, options["data"], len(answers.arm), **instead)
    if sample is None:
        return answers, None
    return replace(answers, weights=sample.weights.copy()), sample.with_replacement()


def arms_of(arms: Any, control: Any) -> tuple[tuple[str, ...], Integers]:
    """Number the lists that respondents saw, the control group 0, and name the others.

    >>> arms_of(["b", "none", "a"], "none")
    (('a', 'b'), array([2, 0, 1]))
    """
    if not isinstance(control, str | Real):
        raise InputError("control", got=control, allowed="a text or a number")
    listed_arms = listed_column(arms, "arms")
    holes = [row for row, arm in enumerate(listed_arms) if is_missing(arm)]
    if holes:
        raise InputError(
            f"arms[{holes[0]}]",
            got="nothing",
            allowed="the list that each respondent saw",
            remedy="leave rows without one out",
        )
    odd = [row for row, arm in enumerate(listed_arms) if not isinstance(arm, str | Real)]
    if odd:
        kind = type(listed_arms[odd[0]]).__name__
        raise InputError(f"arms[{odd[0]}]", got=kind, allowed="a text or a number")
    others = sorted({arm for arm in listed_arms if arm != control}, key=str)
    if not others or len(others) == len(set(listed_arms)):
        raise InputError(
            "arms",
            got=", ".join(map(str, others[:5])) or f"{control} alone",
            allowed=f"the control group ({control!r}) and one or more others",
            remedy="say which of them is the control group",
        )
    places = {control: 0} | {arm: number for number, arm in enumerate(others, start=1)}
    names = (_SINGLE_ITEM,) if others in ([1], [True]) else _named("arms", others)
    return names, np.array([places[arm] for arm in listed_arms], dtype=np.int64)
