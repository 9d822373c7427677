"""A complex sample that is counted where it lies: by the names of its columns, group by group.

What leaves the engine are sums of weights by stratum, cluster and report. Totals of clusters are
all that the variance asks; of people who were drawn one by one it asks for squares too.
"""

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, final

import numpy as np

from askance.inference.replicate_weights import ratio_covariance
from askance.inference.sampling_design import (
    AbstractSamplingDesign,
    Lonely,
    SamplingDesign,
    build_sampling_design,
    read_stages,
    refuse_lonely,
    weights_by_fractions,
)
from askance.results import doubles, numbers, read_only
from askance.typing import Booleans, Floats, Integers
from askance_collect.arguments import checked
from askance_collect.errors import InputError


@final
@dataclass(frozen=True, slots=True, init=False)
class SamplingColumns:
    """Names of the columns that hold a sampling design: weights, strata, clusters, populations.

    Parameters
    ----------
    weights : str, optional
        Left out: the inverse of the fractions, or 1.
    strata, clusters, fpc : str or sequence of str, optional
        One for each stage, as in `SamplingDesign`.
    nest : bool
    lonely : {"refuse", "certainty", "adjust", "average"}

    >>> import askance as ak
    >>> plan = ak.inference.SamplingColumns(strata="town", fpc="people")
    >>> plan.of({"town": ["a", "a", "b", "b"], "people": [4, 4, 6, 6]}).weights.tolist()
    [2.0, 2.0, 3.0, 3.0]
    """

    weights: str | None
    strata: tuple[str, ...]
    clusters: tuple[str, ...]
    fpc: tuple[str, ...]
    nest: bool
    lonely: Lonely

    @checked
    def __init__(
        self,
        *,
        weights: str | None = None,
        strata: str | Sequence[str] | None = None,
        clusters: str | Sequence[str] | None = None,
        fpc: str | Sequence[str] | None = None,
        nest: bool = False,
        lonely: Lonely = "refuse",
    ) -> None:
        columns = {"strata": strata, "clusters": clusters, "fpc": fpc}
        named = {name: _read_names(column, name) for name, column in columns.items()}
        _read_names(weights, "weights")
        if weights is None and not any(named.values()):
            raise InputError("SamplingColumns", got="no column", allowed="at least one")
        for name in ("strata", "fpc"):
            if len(named[name]) > max(len(named["clusters"]), 1):
                raise InputError(
                    f"SamplingColumns.{name}",
                    got=f"{len(named[name])} stages",
                    allowed="at most as many as clusters",
                )
        fields = {"weights": weights, **named, "nest": nest, "lonely": lonely}
        for name, value in fields.items():
            object.__setattr__(self, name, value)

    @property
    def keys(self) -> tuple[str, ...]:
        """The columns by which rows are grouped, weights aside."""
        return (*self.strata, *self.clusters, *self.fpc)

    @checked
    def of(self, data: Any) -> SamplingDesign:
        """Read the columns of a data frame, or of a mapping, as a sampling design of its rows.

        Raises
        ------
        InputError
            As in `SamplingDesign`.
        """
        return SamplingDesign(
            weights=self.weights,
            strata=list(self.strata) or None,
            clusters=list(self.clusters) or None,
            fpc=list(self.fpc) or None,
            data=data,
            nest=self.nest,
            lonely=self.lonely,
        )


def _read_names(columns: Any, where: str) -> tuple[str, ...]:
    names = (columns,) if isinstance(columns, str) else tuple(columns or ())
    if not all(names):
        raise InputError(f"SamplingColumns.{where}", got=columns, allowed="names of columns")
    return names


def read_sampling(
    sampling: AbstractSamplingDesign | SamplingColumns | None, data: Any, n: int, **instead: Any
) -> AbstractSamplingDesign | None:
    """Read a sampling design of so many rows, that stands in for weights and clusters.

    Sampling weights without a sampling design are one: of rows, or clusters, drawn with
    replacement.

    Parameters
    ----------
    sampling : SamplingDesign, ReplicateWeights, SamplingColumns or None
    data : data frame or None
        Where names of columns are looked up.
    n : int
    **instead
        What may not be given beside a sampling design, None where it is not: weights and clusters,
        and counts of repeated rows, which may not stand beside weights either.

    Raises
    ------
    InputError
        If rows are more or fewer, names have no data, or something else is given beside it.

    >>> read_sampling(None, None, 2, weights=[2.0, 3.0], counts=None).weights
    array([2., 3.])
    """
    if sampling is None:
        return _sampling_from_weights(data, n, **instead)
    for name, argument in instead.items():
        if argument is not None:
            raise InputError(
                name,
                got=f"{name} beside a sampling design",
                allowed="none: the sampling design says it",
            )
    if isinstance(sampling, SamplingColumns):
        if data is None:
            raise InputError(
                "sampling",
                got="names of columns without data",
                allowed="names beside data=, or a SamplingDesign",
            )
        sampling = sampling.of(data)
    if len(sampling.weights) != n:
        raise InputError("sampling", got=f"{len(sampling.weights):,} rows", allowed=f"{n:,}")
    return sampling


def _sampling_from_weights(
    data: Any, n: int, weights: Any = None, counts: Any = None, clusters: Any = None
) -> SamplingDesign | None:
    if weights is None:
        return None
    if counts is not None:
        raise InputError(
            "counts",
            got="counts of repeated rows beside sampling weights",
            allowed="one of the two",
            remedy="repeat the rows, each with its weight",
        )
    row_weights = doubles(weights, "weights")
    if row_weights.shape != (n,):
        raise InputError(
            "weights", got=f"shape {row_weights.shape}", allowed=f"{n}: one per report"
        )
    wrong = np.flatnonzero(~(np.isfinite(row_weights) & (row_weights >= 0)))
    if len(wrong):
        raise InputError(
            f"weights[{wrong[0]}]",
            got=float(row_weights[wrong[0]]),
            allowed="finite sampling weights of at least 0",
        )
    if not row_weights.any():
        raise InputError("weights", got="weights that are all 0", allowed="a row that counts")
    if (row_weights > 0).all():
        return SamplingDesign(weights=row_weights, clusters=clusters, data=data)
    labels = np.arange(n) if clusters is None else np.array(clusters, dtype=object)
    if len(labels) == n:  # who has no weight is as good as not there: no cluster is theirs alone
        labels[row_weights == 0] = labels[int(np.argmax(row_weights > 0))]
    return SamplingDesign(weights=row_weights, clusters=labels)


@final
@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class CountedSample:
    """Rows, or groups of rows, of a complex sample by the report that they sent.

    Attributes
    ----------
    sampling : AbstractSamplingDesign
        Of the rows; of groups each is a row, whose weight is the group's sum.
    report : array of int, shape (n,)
        The report, −1 for a blank.
    rows : array, shape (n,)
        How many people of weight above 0 each stands for.
    square : array, shape (n,)
        Their Σ w².
    alone : bool
        Whether people were drawn one by one and are counted in groups.
    """

    sampling: AbstractSamplingDesign
    report: Integers
    rows: Floats
    square: Floats
    alone: bool = False

    def counted(self, members: Booleans, reports: int) -> tuple[Floats, Floats, Floats, Floats]:
        """Count people, weights and squares by report, and Σ f w², among some of the rows."""
        selected = members & (self.report >= 0)
        report = self.report[selected]
        weight, square = self.sampling.weights[selected], self.square[selected]
        measures = (
            self.rows[selected],
            weight,
            square,
            square * self.sampling.sampling_fraction[selected],
        )
        counts, sums, squares, back = (
            np.bincount(report, measure, reports).astype(float) for measure in measures
        )
        return counts, sums, squares, back

    @property
    def mark(self) -> str:
        """SHA-256 of how people were drawn and what they sent, which identifies the sample."""
        digest = hashlib.sha256(self.sampling.mark.encode())
        digest.update(np.ascontiguousarray(self.report).tobytes())
        digest.update(np.ascontiguousarray(self.rows).tobytes())
        return digest.hexdigest()

    def covariance(self, members: Booleans, reports: int) -> Floats:
        """Covariance of the weighted counts of reports, asked as shares, among some of the rows."""
        selected = members & (self.report >= 0)
        if self.alone and isinstance(self.sampling, SamplingDesign):
            return self._independent_covariance(self.sampling, selected, reports)
        if len(selected) * reports > _MOST:
            raise InputError(
                "tally.sampling",
                got=f"{len(selected):,} rows of {reports:,} reports",
                allowed=f"at most {_MOST:,} cells",
                remedy="name the columns of the sampling design, so that rows are grouped first",
            )
        scores = np.zeros((len(selected), reports))
        scores[np.flatnonzero(selected), self.report[selected]] = 1.0
        return ratio_covariance(self.sampling, scores, selected[:, None])

    def df(self, members: Booleans) -> float:
        """Degrees of freedom among those who sent something."""
        selected = members & (self.report >= 0) & (self.sampling.weights > 0)
        if not (self.alone and isinstance(self.sampling, SamplingDesign)):
            return self.sampling.domain(selected).df
        return float(
            self.rows[selected].sum() - len(np.unique(self.sampling.stages[0].stratum[selected]))
        )

    def _independent_covariance(
        self, sampling: SamplingDesign, selected: Booleans, reports: int
    ) -> Floats:
        """Σ_h (1 − f) n/(n − 1) (diag S − W Wᵀ/n): each person is a cluster of one report."""
        first = sampling.stages[0]
        people, strata = first.sample_sizes(), len(first.sample_sizes())
        times = np.zeros(strata)
        times[first.stratum] = first.times(sampling.lonely)
        cell = first.stratum[selected] * reports + self.report[selected]
        weight, square = (
            np.bincount(cell, amounts[selected], strata * reports).reshape(strata, reports)
            for amounts in (sampling.weights, self.square)
        )
        centred = times / people
        if sampling.lonely == "adjust":
            centred[first.lonely()] = 0.0
        covariance = np.diag(times @ square) - (weight * centred[:, None]).T @ weight
        return np.asarray(covariance, dtype=np.float64)


_MOST = 200_000_000


def sample_of_groups(
    plan: SamplingColumns,
    cells: Mapping[str, list[Any]],
    report: Integers,
    sums: tuple[Floats, Floats, Floats, Floats],
) -> CountedSample:
    """Read groups of rows that are equal in the sampling design's columns and in their report.

    Parameters
    ----------
    plan : SamplingColumns
    cells : mapping of str to list
        Each column of the sampling design, by group; texts where a file has nothing else.
    report : array of int, shape (groups,)
    sums : rows, weights, squares and rows of weight 0, each of shape (groups,)
        Without a column of weights all but the first follow from the fractions. Rows of weight 0
        were drawn, and are outside the domain.

    Raises
    ------
    InputError
        As in `SamplingDesign`.
    """
    rows, weight, square, weightless = sums
    alone = not plan.clusters
    levels: dict[str, list[Any]] = {
        "strata": [cells[name] for name in plan.strata],
        "clusters": [cells[name] for name in plan.clusters],
        "fpc": [_read_sizes(cells[name], name) for name in plan.fpc],
    }
    stages = read_stages(len(rows), levels, nest=plan.nest, people=rows if alone else None)
    refuse_lonely(stages, plan.lonely)
    if plan.weights is None:
        share = weights_by_fractions(stages)
        weight, square = rows * share, rows * share**2
    if not weight.any():
        raise InputError(f"column {plan.weights!r}", got="weights of 0 alone", allowed="others too")
    sampling = build_sampling_design(read_only(weight), stages, (), plan.lonely)
    counted = rows - weightless
    return CountedSample(sampling=sampling, report=report, rows=counted, square=square, alone=alone)


def _read_sizes(values: list[Any], name: str) -> Floats:
    """Read numbers that a file may have as texts."""
    try:
        plain = [float(value) if isinstance(value, str) else value for value in values]
    except ValueError as error:
        raise InputError(f"column {name!r}", got=str(error), allowed="numbers") from error
    return numbers(plain, f"column {name!r}")


def read_counts(counts: Any, n: int) -> Floats | None:
    """How often each row is there; None where each is there once.

    Raises
    ------
    InputError
        If they are not n whole numbers.

    >>> read_counts([2, 0], 2).tolist()
    [2.0, 0.0]
    """
    if counts is None:
        return None
    row_counts = doubles(counts, "counts")
    if row_counts.shape != (n,):
        raise InputError("counts", got=f"shape {row_counts.shape}", allowed=f"{n}: one per row")
    wrong = np.flatnonzero(
        ~(np.isfinite(row_counts) & (row_counts >= 0) & (row_counts == np.floor(row_counts)))
    )
    if len(wrong):
        raise InputError(
            f"counts[{wrong[0]}]",
            got=float(row_counts[wrong[0]]),
            allowed="whole numbers in [0, ∞): how often the row is there",
            remedy="give sampling weights as weights=",
        )
    if not row_counts.any():
        raise InputError("counts", got="counts that are all 0", allowed="a row that is there")
    return row_counts
