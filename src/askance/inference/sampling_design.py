"""How people were drawn: weights, strata, clusters and stages; the variance of totals follows.

A `SamplingDesign` is handed to every estimator. Only `covariance` knows of strata: whatever is
estimated is linearised to a total of scores, one a person, and the sampling design says how sure
that is.
"""

import hashlib
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal, final

import numpy as np
import numpy.typing as npt

from askance.results import (
    Listing,
    is_missing,
    keep_doubles,
    listed,
    number,
    numbers,
    plain_json,
    read_only,
    result_frame,
    result_stream,
)
from askance.typing import Booleans, Floats, Integers, Json
from askance_collect.arguments import checked
from askance_collect.errors import InputError, nearest

Lonely = Literal["refuse", "certainty", "adjust", "average"]
"""What is done with a stratum of which a single cluster was drawn."""


class AbstractSamplingDesign(ABC):
    """A sample as estimators use it: its weights, and the covariance of weighted totals."""

    __slots__ = ()

    @property
    @abstractmethod
    def weights(self) -> Floats:
        """How many of the population each row stands for, shape (n,); 0 outside the domain."""

    @property
    def n(self) -> int:
        """How many rows there are, those outside the domain included."""
        return len(self.weights)

    @property
    @abstractmethod
    def sampling_fraction(self) -> Floats:
        """What part of its stratum was drawn with each row, all stages together, shape (n,)."""

    @property
    @abstractmethod
    def df(self) -> float:
        """Degrees of freedom of the variance, for intervals by Student's t."""

    @property
    @abstractmethod
    def mark(self) -> str:
        """SHA-256 of how the people were drawn, which identifies the sample."""

    @abstractmethod
    def covariance(self, scores: Floats) -> Floats:
        """Covariance of the weighted totals of scores, shapes (n, p) and (p, p)."""

    @abstractmethod
    def domain(self, members: npt.ArrayLike) -> "AbstractSamplingDesign":
        """Keep the sampling design and count only some of its people, such as the women."""

    @abstractmethod
    def with_replacement(self) -> "AbstractSamplingDesign":
        """Drop the finite-population corrections, for inference about the underlying process."""


@final
@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Stage:
    """One stage of drawing.

    Attributes
    ----------
    unit : array of int, shape (n,)
        The number of the cluster that each row was drawn with.
    stratum, parent : array of int, shape (units,)
        Of each cluster its stratum, and the stratum's cluster of the stage before, both numbered.
    part : array, shape (units,)
        The fraction of the stratum's clusters that were drawn; 0 if with replacement, or of very
        many.
    before : array, shape (units,)
        The product of the fractions of the stages before.
    people : array, shape (units,)
        How many clusters each stands for: 1, but for people who are counted in groups.
    """

    unit: Integers
    stratum: Integers
    parent: Integers
    part: Floats
    before: Floats
    people: Floats

    def __post_init__(self) -> None:
        for name in self.__slots__:
            getattr(self, name).setflags(write=False)

    def sample_sizes(self) -> Floats:
        """How many clusters of each stratum were drawn."""
        return np.asarray(np.bincount(self.stratum, self.people), dtype=np.float64)

    def lonely(self) -> Booleans:
        """Mask of strata with a single sampled cluster out of several."""
        is_census = np.zeros(len(self.sample_sizes()), dtype=bool)
        is_census[self.stratum] = self.part >= 1
        return np.asarray((self.sample_sizes() == 1) & ~is_census)

    def covariance(self, weighed: Floats, lonely: Lonely) -> Floats:
        """Contribution of this stage to the covariance of totals of weighted scores."""
        totals = np.column_stack(
            [np.bincount(self.unit, column, len(self.stratum)) for column in weighed.T]
        ).reshape(-1, weighed.shape[1])
        sums = [np.bincount(self.stratum, column) / self.sample_sizes() for column in totals.T]
        means = np.column_stack(sums)
        if lonely == "adjust":
            means[self.lonely()] = 0.0
        times = self.times(lonely)
        deviations = totals - means[self.stratum]
        return (deviations * times[:, None]).T @ deviations

    def times(self, lonely: Lonely) -> Floats:
        """What the squares of each cluster count: (1 − f) n/(n − 1), shape (units,)."""
        size, single = self.sample_sizes()[self.stratum], self.lonely()
        times = self.before * (1 - self.part)
        times = times * np.where(size > 1, size / np.maximum(size - 1, 1), 1.0)
        if lonely == "average" and single.any():
            times = times * self._spread_over(single)
        return np.asarray(times, dtype=np.float64)

    def _spread_over(self, single: Booleans) -> Floats:
        """Let the other strata of the same cluster stand in for strata with one cluster."""
        first = np.zeros(len(single), dtype=np.int64)
        first[self.stratum] = self.parent
        all_of = np.bincount(first)
        several = np.bincount(first, ~single, len(all_of))
        return np.asarray((all_of / np.maximum(several, 1))[self.parent], dtype=np.float64)


@final
@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Calibration:
    """Weights that were changed so that totals of auxiliary variables are those known.

    Attributes
    ----------
    basis : array, shape (n, q)
        Orthonormal: what the auxiliary variables span, times the root of the weights before.
    scale : array, shape (n,)
        The weights after, over the root of those before; 1 where both are 0.
    """

    basis: Floats
    scale: Floats

    def __post_init__(self) -> None:
        keep_doubles(self)

    def residual(self, weighed: Floats) -> Floats:
        """Scores less what the auxiliary variables explain, times the weights after."""
        plain = weighed / self.scale[:, None]
        return (plain - self.basis @ (self.basis.T @ plain)) * self.scale[:, None]


@final
@listed
@dataclass(frozen=True, slots=True, init=False, eq=False, repr=False)
class SamplingDesign(AbstractSamplingDesign):
    r"""Complex sampling design: weights, strata, clusters in stages, finite-population corrections.

    .. math:: \hat V = \sum_h (1 - f_h) \frac{n_h}{n_h - 1}
              \sum_{c \in h} (t_c - \bar t_h)(t_c - \bar t_h)^T

    t_c = Σ w s of the people of cluster c, its mean over the n_h clusters of stratum h, and f_h the
    fraction of the stratum's clusters that were drawn. Where every stage has its fraction, the
    stages below add theirs, times the fractions above; else the first stage alone counts, as if it
    were drawn with replacement (the ultimate cluster).

    Parameters
    ----------
    weights : array_like, shape (n,), or str, optional
        How many of the population each person stands for. Left out: the inverse of the
        probabilities or fractions, or 1 where no fraction is known.
    probabilities : array_like, shape (n,), or str, optional
        Inclusion probabilities, in place of weights.
    strata, clusters, fpc : column, or sequence of columns, optional
        One for each stage: labels of strata and of clusters; finite populations as numbers of
        clusters in the stratum, or as fractions of them. Without clusters each row is one.
    data : data frame or mapping, optional
        Where texts name columns.
    nest : bool
        Whether clusters bear the same label in several strata; otherwise that is refused.
    lonely : {"refuse", "certainty", "adjust", "average"}
        What a stratum with a single cluster adds to the variance: nothing, the square of its total
        (of scores that sum to 0, its distance from the mean of all), or as much as the other strata
        on average.

    Attributes
    ----------
    weights : array, shape (n,)
    sampling_fraction : array, shape (n,)
        The fraction drawn, all stages multiplied: 0 if with replacement.
    df : float
        Clusters less strata, of the first stage, among people of positive weight.
    calibrations : tuple
        How weights were calibrated, which its variances account for.

    Raises
    ------
    InputError
        If columns differ in length, a weight is negative or missing, a cluster is in two strata, a
        population is smaller than its sample, or a stratum has one cluster only.

    References
    ----------
    Särndal, Swensson & Wretman (1992); Horvitz & Thompson (1952). `lonely` as in R's survey
    (Lumley, 2004).

    >>> import askance as ak
    >>> sampling = ak.inference.SamplingDesign(
    ...     strata=["town"] * 3 + ["country"] * 2, fpc=[30, 30, 30, 40, 40]
    ... )
    >>> sampling
    sampling design
             rows  weights  strata  clusters  degrees of freedom
    stage 1     5       70       2         5                   3
    >>> sampling.covariance([[1], [0], [1], [1], [0]]).round(6).tolist()  # of the total
    [[470.0]]
    """

    weights: Floats
    stages: tuple[Stage, ...]
    calibrations: tuple[Calibration, ...]
    lonely: Lonely

    @checked
    def __init__(
        self,
        *,
        weights: Any = None,
        probabilities: Any = None,
        strata: Any = None,
        clusters: Any = None,
        fpc: Any = None,
        data: Any = None,
        nest: bool = False,
        lonely: Lonely = "refuse",
    ) -> None:
        stage_columns = {"strata": strata, "clusters": clusters, "fpc": fpc}
        levels = {name: _read_columns(column, data, name) for name, column in stage_columns.items()}
        row_columns = {"weights": weights, "probabilities": probabilities}
        single = {name: _read_columns(column, data, name) for name, column in row_columns.items()}
        for name, columns in single.items():
            if len(columns) > 1:
                raise InputError(
                    f"SamplingDesign.{name}", got=f"{len(columns)} columns", allowed="one column"
                )
        if single["weights"] and single["probabilities"]:
            raise InputError(
                "SamplingDesign.probabilities", got="weights too", allowed="one of the two"
            )
        n = _common_length({**levels, **single})
        stages = read_stages(n, levels, nest=nest)
        refuse_lonely(stages, lonely)
        row_weights = _read_weights(single, stages, n)
        for name, value in (
            ("weights", read_only(row_weights)),
            ("stages", stages),
            ("calibrations", ()),
            ("lonely", lonely),
        ):
            object.__setattr__(self, name, value)

    @property
    def sampling_fraction(self) -> Floats:
        """What part of the population was drawn with each row, all stages together, shape (n,)."""
        last = self.stages[-1]
        return read_only((last.before * last.part)[last.unit])

    @property
    def df(self) -> float:
        """Degrees of freedom: clusters less strata of the first stage, where weights are."""
        first = self.stages[0]
        units = np.unique(first.unit[self.weights > 0])
        return float(len(units) - len(np.unique(first.stratum[units])))

    @property
    def mark(self) -> str:
        """The SHA-256 of the clusters, strata and fractions: of one sample, whatever the domain."""
        digest = hashlib.sha256(str(self.n).encode())
        for stage in self.stages:
            for part in (stage.unit, stage.stratum, stage.part):
                digest.update(np.ascontiguousarray(part).tobytes())
        return digest.hexdigest()

    def covariance(self, scores: npt.ArrayLike) -> Floats:
        """Estimate the covariance of the weighted totals of scores, linearised.

        Parameters
        ----------
        scores : array_like, shape (n, p)
            Of each row, not weighted. Of those outside the domain they do not matter.

        Returns
        -------
        array, shape (p, p)
        """
        weighed = score_table(scores, self.n) * self.weights[:, None]
        for calibration in self.calibrations:
            weighed = calibration.residual(weighed)
        covariance = sum(
            (stage.covariance(weighed, self.lonely) for stage in self.stages),
            start=np.zeros((weighed.shape[1],) * 2),
        )
        return np.asarray((covariance + covariance.T) / 2, dtype=np.float64)

    def domain(self, members: npt.ArrayLike) -> "SamplingDesign":
        """Keep the sampling design and count only some of its people; all strata and clusters stay.

        Parameters
        ----------
        members : array_like of bool, shape (n,)

        >>> import askance as ak
        >>> sampling = ak.inference.SamplingDesign(clusters=["a", "a", "b", "c"])
        >>> sampling.domain([True, False, True, False]).weights.tolist()
        [1.0, 0.0, 1.0, 0.0]
        """
        return with_weights(self, self.weights * read_membership(members, self.n))

    def with_replacement(self) -> "SamplingDesign":
        """Drop the finite-population corrections, for inference about the underlying process.

        >>> import askance as ak
        >>> ak.inference.SamplingDesign(fpc=[2, 2]).with_replacement().sampling_fraction.tolist()
        [0.0, 0.0]
        """
        first = self.stages[0]
        stage = replace(first, part=np.zeros(len(first.part)))
        return build_sampling_design(self.weights, (stage,), self.calibrations, self.lonely)

    def to_dict(self) -> Json:
        """Write the size of the sample, stage by stage, for JSON."""
        return {"stages": plain_json(self._frame())}

    def _frame(self) -> list[dict[str, Any]]:
        return [
            {
                "stage": position,
                "rows": self.n,
                "weights": float(self.weights.sum()),
                "strata": len(stage.sample_sizes()),
                "clusters": len(stage.stratum),
                "df": float(self.df),
            }
            for position, stage in enumerate(self.stages, start=1)
        ]

    def _table(self) -> Listing:
        rows = [
            [
                f"stage {position}",
                f"{self.n:,}" if position == 1 else "",
                number(float(self.weights.sum()), 6) if position == 1 else "",
                f"{len(stage.sample_sizes()):,}",
                f"{len(stage.stratum):,}",
                number(self.df) if position == 1 else "",
            ]
            for position, stage in enumerate(self.stages, start=1)
        ]
        count = len(self.calibrations)
        notes = [f"calibrated {count} time{'' if count == 1 else 's'}"] if count else []
        head = ["", "rows", "weights", "strata", "clusters", "degrees of freedom"]
        return "sampling design", head, rows, notes

    to_frame = result_frame
    __arrow_c_stream__ = result_stream


def weights_alone(sampling: AbstractSamplingDesign) -> bool:
    """Whether a sampling design is weights alone: rows drawn one by one, with replacement.

    >>> weights_alone(SamplingDesign(weights=[1, 2])), weights_alone(SamplingDesign(fpc=[4, 4]))
    (True, False)
    """
    if (
        not isinstance(sampling, SamplingDesign)
        or sampling.calibrations
        or len(sampling.stages) > 1
    ):
        return False
    (stage,) = sampling.stages
    is_unclustered = len(stage.stratum) == sampling.n and len(stage.sample_sizes()) == 1
    return is_unclustered and not stage.part.any() and bool((stage.people == 1).all())


def with_weights(
    sampling: SamplingDesign, weights: Floats, calibration: Calibration | None = None
) -> SamplingDesign:
    """Give the same sampling design other weights, and say what they were calibrated to."""
    more = () if calibration is None else (calibration,)
    calibrations = (*sampling.calibrations, *more)
    return build_sampling_design(read_only(weights), sampling.stages, calibrations, sampling.lonely)


def build_sampling_design(
    weights: Floats,
    stages: tuple[Stage, ...],
    calibrations: tuple[Calibration, ...],
    lonely: Lonely,
) -> SamplingDesign:
    """Build a sampling design from validated parts."""
    sampling = object.__new__(SamplingDesign)
    values = (weights, stages, calibrations, lonely)
    for name, value in zip(SamplingDesign.__slots__, values, strict=True):
        object.__setattr__(sampling, name, value)
    return sampling


def score_table(scores: npt.ArrayLike, n: int) -> Floats:
    """Read scores of n people, a column for each total.

    Raises
    ------
    InputError
        If there are more or fewer rows, or a number is missing.

    >>> score_table([1, 2], 2).shape
    (2, 1)
    """
    table = numbers(scores, "scores")
    table = table[:, None] if table.ndim == 1 else table
    if table.ndim != 2 or len(table) != n or not np.isfinite(table).all():
        raise InputError(
            "scores", got=f"shape {table.shape}", allowed=f"{n} rows of finite numbers"
        )
    return table


def read_membership(members: npt.ArrayLike, n: int) -> Booleans:
    """Read who is in a domain.

    Raises
    ------
    InputError
        If these are not n truth values.

    >>> read_membership([True, False], 2).tolist()
    [True, False]
    """
    try:
        is_member = np.asarray(members)
    except ValueError:
        is_member = np.empty(0)
    if is_member.shape != (n,) or is_member.dtype != bool:
        raise InputError(
            "domain.members",
            got=f"{is_member.dtype} of shape {is_member.shape}",
            allowed=f"{n} truth values: who is in it",
        )
    return is_member


def number_labels(values: Any, where: str) -> Integers:
    """Number labels in the order in which they first appear; texts, numbers or dates.

    Raises
    ------
    InputError
        If one is missing.

    >>> number_labels(["b", "a", "b"], "strata").tolist()
    [0, 1, 0]
    """
    array = np.asarray(values) if hasattr(values, "dtype") else None
    if array is not None and array.dtype.kind in "iub":
        return _number_integers(array.astype(np.int64))
    converters = (getattr(values, name, None) for name in ("to_pylist", "tolist"))
    listed_values = next((convert() for convert in converters if convert is not None), values)
    numbering: dict[Any, int] = {}
    try:
        codes = [numbering.setdefault(label, len(numbering)) for label in listed_values]
    except TypeError as error:
        raise InputError(where, got="lists", allowed="texts, numbers or dates") from error
    missing = next((label for label in numbering if is_missing(label)), numbering)
    if missing is not numbering:
        row = next(row for row, label in enumerate(listed_values) if is_missing(label))
        raise InputError(f"{where}[{row}]", got="nothing", allowed="a label for every row")
    return np.array(codes, dtype=np.int64)


def _read_columns(columns: Any, data: Any, where: str) -> list[Any]:
    """Read one column, or one for each stage; texts name columns of the data."""
    if columns is None:
        return []
    if isinstance(columns, list | tuple) and columns:
        named = isinstance(columns[0], str) and data is not None
        if named or np.ndim(columns[0]) == 1:
            return [_read_column(column, data, f"{where}[{i}]") for i, column in enumerate(columns)]
    if getattr(columns, "ndim", 1) == 2:
        table = np.asarray(columns)
        return [table[:, i] for i in range(table.shape[1])]
    return [_read_column(columns, data, where)]


def _read_column(column: Any, data: Any, where: str) -> Any:
    if not isinstance(column, str):
        if np.ndim(column) == 1:
            return column
        raise InputError(f"SamplingDesign.{where}", got=column, allowed="a column")
    if data is None:
        raise InputError(
            f"SamplingDesign.{where}",
            got=column,
            allowed="a column, or its name beside data",
            remedy="give the data frame too: data=…",
        )
    names = list(data) if isinstance(data, Mapping) else list(getattr(data, "column_names", ()))
    names = names or list(getattr(data, "columns", ()))
    if column not in names:
        raise InputError(
            f"SamplingDesign.{where}",
            got=f"no column {column!r}",
            allowed=", ".join(map(str, names[:20])) or "a data frame or a mapping of columns",
            remedy=nearest(column, tuple(map(str, names))),
        )
    return data[column]


def _common_length(columns: dict[str, list[Any]]) -> int:
    sizes = {name: len(column) for name, parts in columns.items() for column in parts}
    if not sizes:
        raise InputError(
            "SamplingDesign",
            got="no column",
            allowed="weights, probabilities, strata, clusters or fpc",
            remedy="a simple random sample needs no sampling design",
        )
    every = {len(column) for parts in columns.values() for column in parts}
    if len(every) > 1 or every == {0}:
        lengths = ", ".join(f"{name} {size:,}" for name, size in sizes.items())
        raise InputError("SamplingDesign", got=f"rows: {lengths}", allowed="columns of one length")
    return every.pop()


def read_stages(
    n: int, levels: Mapping[str, list[Any]], *, nest: bool, people: Floats | None = None
) -> tuple[Stage, ...]:
    """Number clusters and strata stage by stage; go on while all fractions are known.

    Parameters
    ----------
    n : int
    levels : mapping of str to list of columns
        The strata, clusters and fpc of each stage.
    nest : bool
    people : array, shape (n,), optional
        How many people each row stands for, where there are no clusters.
    """
    depth = max(len(levels["clusters"]), 1)
    for name in ("strata", "fpc"):
        if len(levels[name]) > depth:
            raise InputError(
                f"SamplingDesign.{name}",
                got=f"{len(levels[name])} stages",
                allowed=f"at most {depth}: as many as clusters",
                remedy="of a last stage of people, give their numbers as its clusters",
            )
    parent, before = np.zeros(n, dtype=np.int64), np.ones(n)
    stages: list[Stage] = []
    for i in range(depth):
        columns = {name: parts[i] if i < len(parts) else None for name, parts in levels.items()}
        stage, parent, before = _read_stage(n, columns, parent, before, nest=nest, people=people)
        stages.append(stage)
        if not (before > 0).any():
            break
    return tuple(stages)


def _read_stage(
    n: int,
    columns: Mapping[str, Any],
    parent: Integers,
    before: Floats,
    *,
    nest: bool,
    people: Floats | None,
) -> tuple[Stage, Integers, Floats]:
    strata = columns["strata"]
    stratum_labels = np.zeros(n) if strata is None else strata
    stratum = _number_pairs(parent, number_labels(stratum_labels, "SamplingDesign.strata"))
    if columns["clusters"] is None:
        unit = np.arange(n)
    else:
        named = number_labels(columns["clusters"], "SamplingDesign.clusters")
        unit = _number_pairs(stratum, named)
        if not nest and unit.max() > _number_pairs(parent, named).max():
            raise InputError(
                "SamplingDesign.clusters",
                got="a cluster that is in two strata",
                allowed="clusters inside strata",
                remedy="say nest=True if labels start again in every stratum",
            )
    first = np.zeros(int(unit.max()) + 1, dtype=np.int64)
    first[unit] = np.arange(n)  # some row of each
    of_unit = stratum[first]
    people_counts = np.ones(len(first)) if people is None else people
    part = np.zeros(len(first))
    if columns["fpc"] is not None:
        part = _read_fractions(columns["fpc"], unit, first, of_unit, people_counts)
    stage = Stage(
        unit=unit,
        stratum=of_unit,
        parent=parent[first],
        part=part,
        before=before[first],
        people=people_counts,
    )
    return stage, unit, before * part[unit]


def _number_pairs(outer: Integers, inner: Integers) -> Integers:
    """Number the pairs of two labels."""
    return _number_integers(outer * (int(inner.max(initial=0)) + 1) + inner)


def _number_integers(labels: Integers) -> Integers:
    """Number whole numbers in their order, without sorting where they lie close together."""
    low = int(labels.min(initial=0))
    span = int(labels.max(initial=0)) - low + 1
    if span > _SPARSE * (len(labels) + 1):
        return np.asarray(np.unique(labels, return_inverse=True)[1], dtype=np.int64)
    is_present = np.zeros(span, dtype=bool)
    is_present[labels - low] = True
    return np.asarray((np.cumsum(is_present) - 1)[labels - low], dtype=np.int64)


_SPARSE = 16


def _read_fractions(
    column: Any, unit: Integers, first: Integers, stratum: Integers, people: Floats
) -> Floats:
    """Read sizes of populations, or fractions, as the fraction drawn of each cluster's stratum."""
    where = "SamplingDesign.fpc"
    populations = numbers(column, where)
    if not (populations > 0).all():
        index = int(np.argmin(populations > 0))
        raise InputError(
            f"{where}[{index}]", got=populations[index], allowed="a positive size or fraction"
        )
    if (populations < 1).any() and (populations > 1).any():
        raise InputError(where, got="sizes and fractions", allowed="one of the two throughout")
    size = populations[first]
    largest, smallest = np.full(stratum.max() + 1, -np.inf), np.full(stratum.max() + 1, np.inf)
    np.maximum.at(largest, stratum, size)
    np.minimum.at(smallest, stratum, size)
    if (largest > smallest).any() or (size[unit] != populations).any():
        raise InputError(
            where, got="several values in one stratum", allowed="one for each stratum of a stage"
        )
    if (populations <= 1).all():
        return size
    drawn = np.bincount(stratum, people)[stratum]
    if (drawn > size).any():
        index = int(np.argmax(drawn > size))
        raise InputError(
            f"{where}[{int(first[index])}]",
            got=f"a population of {size[index]:g}, with {drawn[index]:g} drawn",
            allowed="as many as were drawn, or more",
        )
    return np.asarray(np.where(np.isinf(size), 0.0, drawn / size), dtype=np.float64)


def refuse_lonely(stages: Sequence[Stage], lonely: Lonely) -> None:
    """Refuse strata with one cluster, unless it was said what they add.

    Raises
    ------
    InputError
        If there are any; or, where they add the average, if there are no others.
    """
    for position, stage in enumerate(stages, start=1):
        single = stage.lonely()
        if lonely == "average" and single.all():
            lonely = "refuse"
        if lonely == "refuse" and single.any():
            raise InputError(
                f"SamplingDesign.strata, stage {position}",
                got=f"{int(single.sum())} of {len(single)} strata with one cluster",
                allowed="two clusters or more in every stratum",
                remedy='join strata, or say lonely="certainty", "adjust" or "average"',
            )


def _read_weights(single: dict[str, list[Any]], stages: Sequence[Stage], n: int) -> Floats:
    if single["probabilities"]:
        where, allowed = "SamplingDesign.probabilities", "chances in (0, 1]"
        column = numbers(single["probabilities"][0], where)
        fits = (column > 0) & (column <= 1)
    elif single["weights"]:
        where, allowed = "SamplingDesign.weights", "finite weights in [0, ∞), not all 0"
        column = numbers(single["weights"][0], where)
        fits = np.isfinite(column) & (column >= 0) & bool((column > 0).any())
    else:
        return weights_by_fractions(stages)
    if column.shape != (n,) or not fits.all():
        row = int(np.argmin(fits)) if column.shape == (n,) else 0
        wrong = column[row] if column.shape == (n,) else f"shape {column.shape}"
        raise InputError(f"{where}[{row}]", got=wrong, allowed=allowed)
    return 1 / column if single["probabilities"] else column


def weights_by_fractions(stages: Sequence[Stage]) -> Floats:
    """The weights that follow from the fractions: their inverse, or 1 if none is known.

    Raises
    ------
    InputError
        If some fractions are known, of some strata or of the first stages, and others are not.
    """
    last = stages[-1]
    part = (last.before * last.part)[last.unit]
    if (part > 0).all():
        return np.asarray(1 / part, dtype=np.float64)
    if any((stage.part > 0).any() for stage in stages):
        raise InputError(
            "SamplingDesign.weights",
            got="no weights, and fractions of some strata or stages alone",
            allowed="weights, or a fraction in every stratum of every stage",
            remedy="give weights",
        )
    return np.ones(len(part))
