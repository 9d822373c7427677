"""How people were drawn: weights, strata, clusters and stages; the variance of totals follows.

A `SamplingDesign` is handed to every estimator. Only `covariance` knows of strata: whatever is
estimated is linearised to a total of scores, one a person, and the design says how sure that is.
"""

import hashlib
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal, final

import numpy as np
import numpy.typing as npt

from askance.arguments import checked
from askance.errors import InputError, nearest
from askance.results import Listing, is_missing, keep_read_only, listed, number, numbers, read_only
from askance.typing import Booleans, Floats, Integers

Lonely = Literal["refuse", "certainty", "adjust", "average"]
"""What is done with a stratum of which a single cluster was drawn."""


class AbstractDesign(ABC):
    """What an estimator asks of a sample: its weights, and the covariance of weighted totals."""

    __slots__ = ()

    @property
    @abstractmethod
    def weights(self) -> Floats:
        """How many of the population each row stands for, shape (n,); 0 outside the domain."""

    @property
    @abstractmethod
    def sampled(self) -> Floats:
        """What part of its stratum was drawn with each row, all stages together, shape (n,)."""

    @property
    @abstractmethod
    def freedom(self) -> float:
        """Degrees of freedom of the variance, for intervals by Student's t."""

    @property
    @abstractmethod
    def mark(self) -> str:
        """Tells samples apart: the SHA-256 of how the people were drawn."""

    @abstractmethod
    def covariance(self, scores: Floats) -> Floats:
        """Covariance of the weighted totals of scores, shapes (n, p) and (p, p)."""

    @abstractmethod
    def domain(self, members: npt.ArrayLike) -> "AbstractDesign":
        """Keep the design and count only some of its people, such as the women."""

    @abstractmethod
    def with_replacement(self) -> "AbstractDesign":
        """Leave the finite-population corrections out, to ask of the process behind the people."""


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

    def drawn(self) -> Floats:
        """How many clusters of each stratum were drawn."""
        return np.asarray(np.bincount(self.stratum, self.people), dtype=np.float64)

    def lonely(self) -> Booleans:
        """Which strata have one cluster only, which is not all that there is; by stratum."""
        whole = np.zeros(len(self.drawn()), dtype=bool)
        whole[self.stratum] = self.part >= 1
        return np.asarray((self.drawn() == 1) & ~whole)

    def covariance(self, weighed: Floats, lonely: Lonely) -> Floats:
        """What this stage adds to the covariance of totals of weighed scores."""
        totals = np.column_stack(
            [np.bincount(self.unit, one, len(self.stratum)) for one in weighed.T]
        ).reshape(-1, weighed.shape[1])
        sums = [np.bincount(self.stratum, one) / self.drawn() for one in totals.T]
        means = np.column_stack(sums)
        if lonely == "adjust":
            means[self.lonely()] = 0.0
        times = self.times(lonely)
        apart = totals - means[self.stratum]
        held: Floats = (apart * times[:, None]).T @ apart
        return held

    def times(self, lonely: Lonely) -> Floats:
        """What the squares of each cluster count: (1 − f) n/(n − 1), shape (units,)."""
        size, single = self.drawn()[self.stratum], self.lonely()
        times = self.before * (1 - self.part)
        times = times * np.where(size > 1, size / np.maximum(size - 1, 1), 1.0)
        if lonely == "average" and single.any():
            times = times * self._spread_over(single)
        return np.asarray(times, dtype=np.float64)

    def _spread_over(self, single: Booleans) -> Floats:
        """Let the other strata of the same cluster stand in for those with one cluster."""
        first = np.zeros(len(single), dtype=np.int64)
        first[self.stratum] = self.parent
        all_of = np.bincount(first)
        known = np.bincount(first, ~single, len(all_of))
        return np.asarray((all_of / np.maximum(known, 1))[self.parent], dtype=np.float64)


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
        keep_read_only(self, "basis scale")

    def residual(self, weighed: Floats) -> Floats:
        """Scores less what the auxiliary variables explain, times the weights after."""
        plain = weighed / self.scale[:, None]
        held: Floats = (plain - self.basis @ (self.basis.T @ plain)) * self.scale[:, None]
        return held


@final
@listed
@dataclass(frozen=True, slots=True, init=False, eq=False, repr=False)
class SamplingDesign(AbstractDesign):
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
    sampled : array, shape (n,)
        The fraction drawn, all stages multiplied: 0 if with replacement.
    freedom : float
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
    >>> asked = ak.inference.SamplingDesign(
    ...     strata=["town"] * 3 + ["country"] * 2, fpc=[30, 30, 30, 40, 40]
    ... )
    >>> asked
    sampling design
             rows  weights  strata  clusters  degrees of freedom
    stage 1     5       70       2         5                   3
    >>> asked.covariance([[1], [0], [1], [1], [0]]).round(6).tolist()  # of the total
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
        told = {"strata": strata, "clusters": clusters, "fpc": fpc}
        levels = {name: _columns(one, data, name) for name, one in told.items()}
        given = {"weights": weights, "probabilities": probabilities}
        single = {name: _columns(one, data, name) for name, one in given.items()}
        for name, found in single.items():
            if len(found) > 1:
                raise InputError(
                    f"SamplingDesign.{name}", got=f"{len(found)} columns", allowed="one column"
                )
        if single["weights"] and single["probabilities"]:
            raise InputError(
                "SamplingDesign.probabilities", got="weights too", allowed="one of the two"
            )
        n = _length({**levels, **single})
        stages = stages_of(n, levels, nest=nest)
        refuse_lonely(stages, lonely)
        held = _weights(single, stages, n)
        for name, value in (
            ("weights", read_only(held)),
            ("stages", stages),
            ("calibrations", ()),
            ("lonely", lonely),
        ):
            object.__setattr__(self, name, value)

    @property
    def n(self) -> int:
        """How many rows there are, those outside the domain included."""
        return len(self.weights)

    @property
    def sampled(self) -> Floats:
        """What part of the population was drawn with each row, all stages together, shape (n,)."""
        last = self.stages[-1]
        return read_only((last.before * last.part)[last.unit])

    @property
    def freedom(self) -> float:
        """Degrees of freedom: clusters less strata of the first stage, where weights are."""
        first = self.stages[0]
        units = np.unique(first.unit[self.weights > 0])
        return float(len(units) - len(np.unique(first.stratum[units])))

    @property
    def mark(self) -> str:
        """The SHA-256 of the clusters, strata and fractions: of one sample, whatever the domain."""
        held = hashlib.sha256(str(self.n).encode())
        for stage in self.stages:
            for part in (stage.unit, stage.stratum, stage.part):
                held.update(np.ascontiguousarray(part).tobytes())
        return held.hexdigest()

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
        for one in self.calibrations:
            weighed = one.residual(weighed)
        held = sum(
            (stage.covariance(weighed, self.lonely) for stage in self.stages),
            start=np.zeros((weighed.shape[1],) * 2),
        )
        return np.asarray((held + held.T) / 2, dtype=np.float64)

    def domain(self, members: npt.ArrayLike) -> "SamplingDesign":
        """Keep the design and count only some of its people; all strata and clusters stay.

        Parameters
        ----------
        members : array_like of bool, shape (n,)

        >>> import askance as ak
        >>> asked = ak.inference.SamplingDesign(clusters=["a", "a", "b", "c"])
        >>> asked.domain([True, False, True, False]).weights.tolist()
        [1.0, 0.0, 1.0, 0.0]
        """
        return with_weights(self, self.weights * membership(members, self.n))

    def with_replacement(self) -> "SamplingDesign":
        """Leave the finite-population corrections out: the process behind the people is asked of.

        >>> import askance as ak
        >>> ak.inference.SamplingDesign(fpc=[2, 2]).with_replacement().sampled.tolist()
        [0.0, 0.0]
        """
        first = self.stages[0]
        held = replace(first, part=np.zeros(len(first.part)))
        return made(self.weights, (held,), self.calibrations, self.lonely)

    def _table(self) -> Listing:
        rows = [
            [
                f"stage {at}",
                f"{self.n:,}" if at == 1 else "",
                number(float(self.weights.sum()), 6) if at == 1 else "",
                f"{len(stage.drawn()):,}",
                f"{len(stage.stratum):,}",
                number(self.freedom) if at == 1 else "",
            ]
            for at, stage in enumerate(self.stages, start=1)
        ]
        told = len(self.calibrations)
        notes = [f"calibrated {told} time{'' if told == 1 else 's'}"] if told else []
        head = ["", "rows", "weights", "strata", "clusters", "degrees of freedom"]
        return "sampling design", head, rows, notes


def weights_alone(design: AbstractDesign) -> bool:
    """Say whether nothing but weights is known: rows drawn one by one, with replacement.

    >>> weights_alone(SamplingDesign(weights=[1, 2])), weights_alone(SamplingDesign(fpc=[4, 4]))
    (True, False)
    """
    if not isinstance(design, SamplingDesign) or design.calibrations or len(design.stages) > 1:
        return False
    (stage,) = design.stages
    apart = len(stage.stratum) == design.n and len(stage.drawn()) == 1
    return apart and not stage.part.any() and bool((stage.people == 1).all())


def with_weights(
    design: SamplingDesign, weights: Floats, calibration: Calibration | None = None
) -> SamplingDesign:
    """Give the same design other weights, and say what they were calibrated to."""
    more = () if calibration is None else (calibration,)
    held = (*design.calibrations, *more)
    return made(read_only(weights), design.stages, held, design.lonely)


def made(
    weights: Floats,
    stages: tuple[Stage, ...],
    calibrations: tuple[Calibration, ...],
    lonely: Lonely,
) -> SamplingDesign:
    """Make a design of what is known to be right."""
    held = object.__new__(SamplingDesign)
    values = (weights, stages, calibrations, lonely)
    for name, value in zip(SamplingDesign.__slots__, values, strict=True):
        object.__setattr__(held, name, value)
    return held


def score_table(scores: npt.ArrayLike, n: int) -> Floats:
    """Read scores of n people, a column for each total.

    Raises
    ------
    InputError
        If there are more or fewer rows, or a number is missing.

    >>> score_table([1, 2], 2).shape
    (2, 1)
    """
    held = numbers(scores, "scores")
    held = held[:, None] if held.ndim == 1 else held
    if held.ndim != 2 or len(held) != n or not np.isfinite(held).all():
        raise InputError("scores", got=f"shape {held.shape}", allowed=f"{n} rows of finite numbers")
    return held


def membership(members: npt.ArrayLike, n: int) -> Booleans:
    """Read who is in a domain.

    Raises
    ------
    InputError
        If these are not n truth values.

    >>> membership([True, False], 2).tolist()
    [True, False]
    """
    try:
        held = np.asarray(members)
    except ValueError:
        held = np.empty(0)
    if held.shape != (n,) or held.dtype != bool:
        raise InputError(
            "domain.members",
            got=f"{held.dtype} of shape {held.shape}",
            allowed=f"{n} truth values: who is in it",
        )
    return held


def labels(values: Any, where: str) -> Integers:
    """Number labels in the order in which they first appear; texts, numbers or dates.

    Raises
    ------
    InputError
        If one is missing.

    >>> labels(["b", "a", "b"], "strata").tolist()
    [0, 1, 0]
    """
    held = np.asarray(values) if hasattr(values, "dtype") else None
    if held is not None and held.dtype.kind in "iub":
        return _numbered(held.astype(np.int64))
    ways = (getattr(values, name, None) for name in ("to_pylist", "tolist"))
    listed_values = next((way() for way in ways if way is not None), values)
    known: dict[Any, int] = {}
    try:
        found = [known.setdefault(one, len(known)) for one in listed_values]
    except TypeError as error:
        raise InputError(where, got="lists", allowed="texts, numbers or dates") from error
    missing = next((one for one in known if is_missing(one)), known)
    if missing is not known:
        at = next(at for at, one in enumerate(listed_values) if is_missing(one))
        raise InputError(f"{where}[{at}]", got="nothing", allowed="a label for every row")
    return np.array(found, dtype=np.int64)


def _columns(given: Any, data: Any, where: str) -> list[Any]:
    """Read one column, or one for each stage; texts name columns of the data."""
    if given is None:
        return []
    if isinstance(given, list | tuple) and given:
        named = isinstance(given[0], str) and data is not None
        if named or np.ndim(given[0]) == 1:
            return [_column(one, data, f"{where}[{at}]") for at, one in enumerate(given)]
    if getattr(given, "ndim", 1) == 2:
        table = np.asarray(given)
        return [table[:, at] for at in range(table.shape[1])]
    return [_column(given, data, where)]


def _column(given: Any, data: Any, where: str) -> Any:
    if not isinstance(given, str):
        if np.ndim(given) == 1:
            return given
        raise InputError(f"SamplingDesign.{where}", got=given, allowed="a column")
    if data is None:
        raise InputError(
            f"SamplingDesign.{where}",
            got=given,
            allowed="a column, or its name beside data",
            remedy="give the data frame too: data=…",
        )
    names = list(data) if isinstance(data, Mapping) else list(getattr(data, "column_names", ()))
    names = names or list(getattr(data, "columns", ()))
    if given not in names:
        raise InputError(
            f"SamplingDesign.{where}",
            got=f"no column {given!r}",
            allowed=", ".join(map(str, names[:20])) or "a data frame or a mapping of columns",
            remedy=nearest(given, tuple(map(str, names))),
        )
    return data[given]


def _length(columns: dict[str, list[Any]]) -> int:
    sizes = {name: len(one) for name, found in columns.items() for one in found}
    if not sizes:
        raise InputError(
            "SamplingDesign",
            got="no column",
            allowed="weights, probabilities, strata, clusters or fpc",
            remedy="a simple random sample needs no design",
        )
    every = {len(one) for found in columns.values() for one in found}
    if len(every) > 1 or every == {0}:
        told = ", ".join(f"{name} {size:,}" for name, size in sizes.items())
        raise InputError("SamplingDesign", got=f"rows: {told}", allowed="columns of one length")
    return every.pop()


def stages_of(
    n: int, given: Mapping[str, list[Any]], *, nest: bool, people: Floats | None = None
) -> tuple[Stage, ...]:
    """Number clusters and strata stage by stage; go on while all fractions are known.

    Parameters
    ----------
    n : int
    given : mapping of str to list of columns
        The strata, clusters and fpc of each stage.
    nest : bool
    people : array, shape (n,), optional
        How many people each row stands for, where there are no clusters.
    """
    depth = max(len(given["clusters"]), 1)
    for name in ("strata", "fpc"):
        if len(given[name]) > depth:
            raise InputError(
                f"SamplingDesign.{name}",
                got=f"{len(given[name])} stages",
                allowed=f"at most {depth}: as many as clusters",
                remedy="of a last stage of people, give their numbers as its clusters",
            )
    parent, before = np.zeros(n, dtype=np.int64), np.ones(n)
    held: list[Stage] = []
    for at in range(depth):
        told = {name: found[at] if at < len(found) else None for name, found in given.items()}
        stage, parent, before = _stage(n, told, parent, before, nest=nest, people=people)
        held.append(stage)
        if not (before > 0).any():
            break
    return tuple(held)


def _stage(
    n: int,
    given: Mapping[str, Any],
    parent: Integers,
    before: Floats,
    *,
    nest: bool,
    people: Floats | None,
) -> tuple[Stage, Integers, Floats]:
    strata = given["strata"]
    held = np.zeros(n) if strata is None else strata
    stratum = _within(parent, labels(held, "SamplingDesign.strata"))
    if given["clusters"] is None:
        unit = np.arange(n)
    else:
        named = labels(given["clusters"], "SamplingDesign.clusters")
        unit = _within(stratum, named)
        if not nest and unit.max() > _within(parent, named).max():
            raise InputError(
                "SamplingDesign.clusters",
                got="a cluster that is in two strata",
                allowed="clusters inside strata",
                remedy="say nest=True if labels begin anew in every stratum",
            )
    first = np.zeros(int(unit.max()) + 1, dtype=np.int64)
    first[unit] = np.arange(n)  # some row of each
    of_unit = stratum[first]
    each = np.ones(len(first)) if people is None else people
    part = np.zeros(len(first))
    if given["fpc"] is not None:
        part = _fractions(given["fpc"], unit, first, of_unit, each)
    stage = Stage(
        unit=unit,
        stratum=of_unit,
        parent=parent[first],
        part=part,
        before=before[first],
        people=each,
    )
    return stage, unit, before * part[unit]


def _within(outer: Integers, inner: Integers) -> Integers:
    """Number the pairs of two labels."""
    return _numbered(outer * (int(inner.max(initial=0)) + 1) + inner)


def _numbered(labels: Integers) -> Integers:
    """Number whole numbers in their order, without sorting where they lie close together."""
    low = int(labels.min(initial=0))
    span = int(labels.max(initial=0)) - low + 1
    if span > _SPARSE * (len(labels) + 1):
        return np.asarray(np.unique(labels, return_inverse=True)[1], dtype=np.int64)
    there = np.zeros(span, dtype=bool)
    there[labels - low] = True
    return np.asarray((np.cumsum(there) - 1)[labels - low], dtype=np.int64)


_SPARSE = 16


def _fractions(
    given: Any, unit: Integers, first: Integers, stratum: Integers, people: Floats
) -> Floats:
    """Read sizes of populations, or fractions, as the fraction drawn of each cluster's stratum."""
    where = "SamplingDesign.fpc"
    told = numbers(given, where)
    if not (told > 0).all():
        at = int(np.argmin(told > 0))
        raise InputError(f"{where}[{at}]", got=told[at], allowed="a positive size or fraction")
    if (told < 1).any() and (told > 1).any():
        raise InputError(where, got="sizes and fractions", allowed="one of the two throughout")
    size = told[first]
    most, least = np.full(stratum.max() + 1, -np.inf), np.full(stratum.max() + 1, np.inf)
    np.maximum.at(most, stratum, size)
    np.minimum.at(least, stratum, size)
    if (most > least).any() or (size[unit] != told).any():
        raise InputError(
            where, got="several values in one stratum", allowed="one for each stratum of a stage"
        )
    if (told <= 1).all():
        return size
    drawn = np.bincount(stratum, people)[stratum]
    if (drawn > size).any():
        at = int(np.argmax(drawn > size))
        raise InputError(
            f"{where}[{int(first[at])}]",
            got=f"a population of {size[at]:g}, of which {drawn[at]:g} were drawn",
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
    for at, stage in enumerate(stages, start=1):
        single = stage.lonely()
        if lonely == "average" and single.all():
            lonely = "refuse"
        if lonely == "refuse" and single.any():
            raise InputError(
                f"SamplingDesign.strata, stage {at}",
                got=f"{int(single.sum())} of {len(single)} strata with one cluster",
                allowed="two clusters or more in every stratum",
                remedy='join strata, or say lonely="certainty", "adjust" or "average"',
            )


def _weights(single: dict[str, list[Any]], stages: Sequence[Stage], n: int) -> Floats:
    if single["probabilities"]:
        where, allowed = "SamplingDesign.probabilities", "chances in (0, 1]"
        told = numbers(single["probabilities"][0], where)
        fits = (told > 0) & (told <= 1)
    elif single["weights"]:
        where, allowed = "SamplingDesign.weights", "finite weights in [0, ∞), not all 0"
        told = numbers(single["weights"][0], where)
        fits = np.isfinite(told) & (told >= 0) & bool((told > 0).any())
    else:
        return by_fractions(stages)
    if told.shape != (n,) or not fits.all():
        at = int(np.argmin(fits)) if told.shape == (n,) else 0
        got = told[at] if told.shape == (n,) else f"shape {told.shape}"
        raise InputError(f"{where}[{at}]", got=got, allowed=allowed)
    return 1 / told if single["probabilities"] else told


def by_fractions(stages: Sequence[Stage]) -> Floats:
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
