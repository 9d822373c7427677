"""Design-based variances of a tally's weighted counts in a complex sample."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, final

import numpy as np
import numpy.typing as npt

from askance.results import json_of, keep_read_only, numbers, over_replicates
from askance.typing import Floats, Json
from askance_collect.arguments import checked
from askance_collect.errors import DocumentError, InputError, refuse_unknown
from askance_collect.exact.ratio import read_integer

_SAME = 1e-9
"""How far a covariance may be from one, of its size, by rounding."""
_COUNT = "a whole number of replicates"
_MOST = 10**9


@final
@dataclass(frozen=True, slots=True, init=False, eq=False)
class SampledCounts:
    """Design-based covariance of the weighted counts of reports.

    Parameters
    ----------
    covariance : array_like, shape (m, m)
        Of Σ w over those who sent each report.
    df : float
        Its degrees of freedom.
    fpc_squares : array_like, shape (m,)
        Σ f w² over those who sent each report, with f the fraction of the population that was
        drawn with them: 0 if with replacement. A finite population leaves less to chance in who is
        drawn, but nothing less in what the channel draws; this is what has to be given back.
    samples : sequence of str
        Marks of the samples. Groups of one sample are not independent, and are not added.
    replicates : int
        Over how many replicates the covariance was found, those of all samples; 0 if linearised.

    Raises
    ------
    InputError
        If shapes differ, or a number is missing, or negative where it cannot be.

    >>> from askance.channels import SampledCounts
    >>> first = SampledCounts([[2, -1], [-1, 2]], df=9, fpc_squares=[0, 0], samples=["first"])
    >>> others = SampledCounts([[1, 0], [0, 1]], df=5, fpc_squares=[0, 0], samples=["second"])
    >>> total = first + others
    >>> total.covariance.tolist(), total.df, total.samples
    ([[3.0, -1.0], [-1.0, 3.0]], 14.0, ('first', 'second'))
    """

    covariance: Floats
    df: float
    fpc_squares: Floats
    samples: tuple[str, ...]
    replicates: int

    @checked
    def __init__(
        self,
        covariance: npt.ArrayLike,
        *,
        df: float,
        fpc_squares: npt.ArrayLike,
        samples: Sequence[str],
        replicates: int = 0,
    ) -> None:
        matrix = numbers(covariance, "SampledCounts.covariance")
        repeats = numbers(fpc_squares, "SampledCounts.fpc_squares")
        size = len(repeats) if repeats.ndim == 1 else -1
        if matrix.shape != (size, size):
            raise InputError(
                "SampledCounts.covariance",
                got=f"shape {matrix.shape}",
                allowed=f"shape ({max(size, 0)}, {max(size, 0)}), as fpc_squares has it",
            )
        if not is_covariance(matrix):
            raise InputError(
                "SampledCounts.covariance",
                got="what is no covariance",
                allowed="finite numbers, symmetric, without a negative eigenvalue",
            )
        fits = np.isfinite(repeats) & (repeats >= 0)
        if not fits.all():
            row = int(np.argmin(fits))
            raise InputError(
                f"SampledCounts.fpc_squares[{row}]", got=repeats[row], allowed="[0, ∞)"
            )
        if not df >= 0:
            raise InputError("SampledCounts.df", got=df, allowed="[0, ∞]")
        if replicates < 0:
            raise InputError("SampledCounts.replicates", got=replicates, allowed="0, 1, 2, …")
        values = matrix, float(df), repeats, tuple(sorted(samples)), replicates
        for name, value in zip(self.__slots__, values, strict=True):
            object.__setattr__(self, name, value)
        keep_read_only(self, "covariance fpc_squares")

    def __add__(self, other: "SampledCounts") -> "SampledCounts":
        """Put independent samples together."""
        if not isinstance(other, SampledCounts):
            return NotImplemented
        if set(self.samples) & set(other.samples):
            raise InputError(
                "Tally.__add__",
                got="two groups of one sample, which are not independent",
                allowed="samples that were drawn apart",
                remedy="tally both groups together",
            )
        return SampledCounts(
            self.covariance + other.covariance,
            df=self.df + other.df,
            fpc_squares=self.fpc_squares + other.fpc_squares,
            samples=self.samples + other.samples,
            replicates=self.replicates + other.replicates,
        )

    @checked
    def of(self, places: npt.ArrayLike) -> "SampledCounts":
        """Take the sums of some reports, in this order.

        Raises
        ------
        InputError
            If a place is none of them.

        >>> sums = SampledCounts([[2, -1], [-1, 3]], df=9, fpc_squares=[0, 1], samples=["a"])
        >>> sums.of([1]).covariance.tolist(), sums.of([1]).fpc_squares.tolist()
        ([[3.0]], [1.0])
        """
        listed, m = numbers(places, "places"), len(self.fpc_squares)
        if listed.ndim != 1 or not np.isin(listed, np.arange(m)).all():
            raise InputError("places", got=places, allowed=f"whole numbers in [0, {m - 1}]")
        positions = listed.astype(np.int64)
        return SampledCounts(
            self.covariance[np.ix_(positions, positions)],
            df=self.df,
            fpc_squares=self.fpc_squares[positions],
            samples=self.samples,
            replicates=self.replicates,
        )

    @property
    def description(self) -> str:
        """The source of the covariance, in words."""
        over = over_replicates(self.replicates)
        return f"a complex sample{over}, {self.df:g} degrees of freedom"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, SampledCounts) and self._parts() == other._parts()

    def __hash__(self) -> int:
        return hash(self._parts())

    def _parts(self) -> tuple[Any, ...]:
        buffers = (self.covariance.tobytes(), self.fpc_squares.tobytes())
        return (*buffers, self.df, self.samples, self.replicates)


def side_by_side(parts: Sequence[SampledCounts]) -> SampledCounts | None:
    """Put the reports of samples that were drawn apart side by side; None of none.

    >>> first = SampledCounts([[2]], df=9, fpc_squares=[0], samples=["first"])
    >>> other = SampledCounts([[3]], df=5, fpc_squares=[1], samples=["other"])
    >>> joint = side_by_side([first, other])
    >>> joint.covariance.tolist(), joint.df, joint.fpc_squares.tolist()
    ([[2.0, 0.0], [0.0, 3.0]], 14.0, [0.0, 1.0])
    """
    if not parts:
        return None
    sizes = [len(part.fpc_squares) for part in parts]
    covariance, first = np.zeros((sum(sizes), sum(sizes))), 0
    for part, size in zip(parts, sizes, strict=True):
        covariance[first : first + size, first : first + size] = part.covariance
        first += size
    return SampledCounts(
        covariance,
        df=sum(part.df for part in parts),
        fpc_squares=np.concatenate([part.fpc_squares for part in parts]),
        samples=[mark for part in parts for mark in part.samples],
        replicates=sum(part.replicates for part in parts),
    )


def written(sums: SampledCounts, reports: Sequence[str], received: Sequence[int]) -> Json:
    """Write a sampling design's sums for JSON, by the names of the reports that were received."""
    document: Json = {
        "df": sums.df,
        "samples": list(sums.samples),
        "repeated": {reports[i]: sums.fpc_squares[i].item() for i in received},
        "covariance": {
            reports[i]: {reports[j]: sums.covariance[i, j].item() for j in received}
            for i in received
        },
    }
    return document | ({"replicates": sums.replicates} if sums.replicates else {})


def read(document: Any, reports: Sequence[str]) -> SampledCounts:
    """Read what `written` wrote.

    Raises
    ------
    DocumentError, InputError
        If it is something else.
    """
    parts = {"df", "samples", "repeated", "covariance"}
    if not isinstance(document, Mapping) or set(document) - {"replicates"} != parts:
        raise DocumentError("tally.design", allowed=f"an object with {', '.join(sorted(parts))}")
    places = {report: i for i, report in enumerate(reports)}
    rows = _row(document["covariance"], places, "tally.design.covariance")
    covariance = np.zeros((len(places), len(places)))
    for i, row in rows.items():
        where = f"tally.design.covariance[{reports[i]!r}]"
        for j, value in _row(row, places, where).items():
            covariance[i, j] = _number(value, where)
    repeats = np.zeros(len(places))
    for i, value in _row(document["repeated"], places, "tally.design.repeated").items():
        repeats[i] = _number(value, "tally.design.repeated")
    samples = document["samples"]
    if not isinstance(samples, list) or not all(isinstance(sample, str) for sample in samples):
        raise DocumentError("tally.design.samples", allowed="a list of texts")
    df = _number(document["df"], "tally.design.df")
    again = read_integer(document.get("replicates", 0), "tally.design.replicates", _COUNT, 0, _MOST)
    return SampledCounts(covariance, df=df, fpc_squares=repeats, samples=samples, replicates=again)


@final
@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class SampledSupports:
    r"""How often reports of a sample leave each answer possible, and how that varies.

    .. math:: f_a = N_a / H_a, \qquad \hat V(f_a) = (V_N - 2 f_a C + f_a^2 V_H + F_a) / H_a^2

    with N_a the sum of weights of those whose report leaves the answer possible, and H_a of those
    whose report tells of it. Answers may be very many: how two of them vary together is kept
    of 50 at most,

    .. math:: \widehat{\mathrm{Cov}}(f_a, f_b) = \frac{C(N_a - f_a H_a,\, N_b - f_b H_b) + F_{ab}}
              {H_a H_b}

    Attributes
    ----------
    support_weights, informative_weights : array, shape (k,)
        N and H: sums of weights.
    covariances : array, shape (k, 3)
        The variance of N, its covariance with H, and the variance of H: by the sampling design;
        with weights alone of people drawn with replacement.
    fpc_squares : array, shape (k,)
        F, Σ f w² over those who name the answer, as in `SampledCounts`.
    squared_weights : float
        Σ w² over all reports.
    df : float
        Degrees of freedom; infinite with weights alone.
    samples : tuple of str
        Marks of the samples; none with weights alone.
    replicates : int
        Over how many replicates the covariances were found; 0 if linearised.
    joint_covariance : array, shape (2k, 2k), or None
        The covariance C of all N, and then of all H, with F_ab, Σ f w² over those who name both,
        added to that of two N; None where it is not kept.

    Raises
    ------
    InputError
        If shapes differ, a number is missing, or a sum is negative or larger than it can be.

    >>> supports = SampledSupports(
    ...     support_weights=[6, 2],
    ...     informative_weights=[8, 8],
    ...     covariances=[[2, 2, 3], [1, 1, 3]],
    ...     fpc_squares=[0, 0],
    ...     squared_weights=9,
    ... )
    >>> supports.frequency.tolist(), supports.variance.round(4).tolist()
    ([0.75, 0.25], [0.0107, 0.0107])
    """

    support_weights: Floats
    informative_weights: Floats
    covariances: Floats
    fpc_squares: Floats
    squared_weights: float
    df: float = math.inf
    samples: tuple[str, ...] = ()
    replicates: int = 0
    joint_covariance: Floats | None = None

    def __post_init__(self) -> None:
        for name in ("support_weights", "informative_weights", "covariances", "fpc_squares"):
            object.__setattr__(self, name, numbers(getattr(self, name), f"SampledSupports.{name}"))
        some, most = self.support_weights, self.informative_weights * (1 + _SAME)
        k = len(some)
        fits = {
            "informative_weights": most.shape == (k,),
            "support_weights": most.shape == (k,) and bool(((some >= 0) & (some <= most)).all()),
            "covariances": self.covariances.shape == (k, 3)
            and bool((self.covariances[:, [0, 2]] >= 0).all()),
            "fpc_squares": self.fpc_squares.shape == (k,) and bool((self.fpc_squares >= 0).all()),
            "squared_weights": self.squared_weights >= 0,
            "df": self.df >= 0,
            "replicates": self.replicates >= 0,
        }
        if self.joint_covariance is not None:
            joint = numbers(self.joint_covariance, "SampledSupports.joint_covariance")
            object.__setattr__(self, "joint_covariance", joint)
            fits["joint_covariance"] = joint.shape == (2 * k, 2 * k) and _is_symmetric(joint)
            keep_read_only(self, "joint_covariance")
        finite = (some, most, self.covariances, self.fpc_squares, np.array(self.squared_weights))
        if not all(np.isfinite(array).all() for array in finite) or not all(fits.values()):
            wrong = next((name for name, right in fits.items() if not right), "support_weights")
            raise InputError(
                f"SampledSupports.{wrong}",
                got="others",
                allowed=f"finite sums of {k} answers, none negative; at most informative_weights",
            )
        object.__setattr__(self, "samples", tuple(sorted(self.samples)))
        keep_read_only(self, "support_weights informative_weights covariances fpc_squares")

    @property
    def frequency(self) -> Floats:
        """Weighted support frequency of each answer; NaN without informative reports."""
        return _quotient(self.support_weights, self.informative_weights, np.nan)

    @property
    def variance(self) -> Floats:
        """The variance of each frequency."""
        f, (named_moment, cross_moment, total_moment) = self.frequency, self.covariances.T
        squared_error: Floats = (named_moment - 2 * f * cross_moment + f**2 * total_moment).clip(
            0
        ) + self.fpc_squares
        return _quotient(squared_error, self.informative_weights**2, np.nan)

    @property
    def correlation(self) -> Floats | None:
        """Correlation of the frequencies, shape (k, k); None if it is not kept."""
        if self.joint_covariance is None:
            return None
        own = np.eye(len(self.support_weights))
        slope = np.hstack([own, -own * np.nan_to_num(self.frequency)[:, None]])
        return correlation(slope @ self.joint_covariance @ slope.T)

    @property
    def effective_sample_size(self) -> Floats:
        """Effective numbers of reports, shape (k,): f(1 − f) over the variance.

        Where all reports say the same they are as many as their weights allow (Kish, 1965).
        """
        f, variance = self.frequency, self.variance
        kish_size = (
            self.informative_weights.max(initial=0.0) ** 2 / self.squared_weights
            if self.squared_weights
            else 0.0
        )
        informative = np.where((f > 0) & (f < 1), variance, 0.0)
        return _quotient(f * (1 - f), informative, kish_size)

    def __add__(self, other: "SampledSupports") -> "SampledSupports":
        """Add up independent samples."""
        if not isinstance(other, SampledSupports):
            return NotImplemented
        if set(self.samples) & set(other.samples) or bool(self.samples) != bool(other.samples):
            raise InputError(
                "SupportTally.__add__",
                got="two groups of one sample, or a sampling design beside weights alone",
                allowed="samples that were drawn apart, with sampling designs or without",
                remedy="tally both together",
            )
        matrix, other_matrix = self.joint_covariance, other.joint_covariance
        return SampledSupports(
            support_weights=self.support_weights + other.support_weights,
            informative_weights=self.informative_weights + other.informative_weights,
            covariances=self.covariances + other.covariances,
            fpc_squares=self.fpc_squares + other.fpc_squares,
            squared_weights=self.squared_weights + other.squared_weights,
            df=self.df + other.df,
            samples=self.samples + other.samples,
            replicates=self.replicates + other.replicates,
            joint_covariance=None
            if matrix is None or other_matrix is None
            else matrix + other_matrix,
        )

    def __eq__(self, other: object) -> bool:
        return isinstance(other, SampledSupports) and self.to_dict() == other.to_dict()

    def __hash__(self) -> int:
        return hash((self.support_weights.tobytes(), self.squared_weights, self.df, self.samples))

    def to_dict(self) -> Json:
        """Write the sums for JSON; infinite degrees of freedom become None."""
        written = json_of(self, keys=_KEYS)
        return {name: value for name, value in written.items() if name not in _LATER or value}

    @classmethod
    @checked
    def from_dict(cls, written: Any) -> "SampledSupports":
        """Read what `to_dict` wrote.

        Raises
        ------
        DocumentError
            If it is something else.
        """
        names = {_KEYS.get(name, name): name for name in cls.__slots__}
        needed = set(names) - set(_LATER)
        if not isinstance(written, dict) or set(written) - set(_LATER) != needed:
            parts = ", ".join(names)
            raise DocumentError("tally.sample", allowed=f"an object with {parts}")
        marks = written["samples"]
        if not isinstance(marks, list) or not all(isinstance(mark, str) for mark in marks):
            raise DocumentError("tally.sample.samples", allowed="a list of texts")
        attributes = {names[key]: value for key, value in written.items()}
        attributes["samples"] = tuple(marks)
        for name in ("squared_weights", "df"):
            value = math.inf if (name, attributes[name]) == ("df", None) else attributes[name]
            attributes[name] = _number(value, f"tally.sample.{_KEYS.get(name, name)}")
        again, where = attributes.get("replicates", 0), "tally.sample.replicates"
        attributes["replicates"] = read_integer(again, where, _COUNT, 0, _MOST)
        try:
            return cls(**attributes)
        except InputError as error:
            name = error.where.rpartition(".")[2]
            where = f"tally.sample.{_KEYS.get(name, name)}"
            raise DocumentError(where, got=error.got, allowed=error.allowed) from error


_KEYS = {
    "support_weights": "named",
    "informative_weights": "heard",
    "covariances": "moments",
    "fpc_squares": "repeated",
    "squared_weights": "squares",
    "joint_covariance": "together",
}
"""Attributes that documents have under another key."""

_LATER = ("replicates", "together")
"""What documents lack that were written before, or that have none."""


def correlation(covariance: Floats) -> Floats:
    """Turn a covariance into correlations; 0 where a variance is 0.

    >>> correlation(np.array([[4.0, -1.0, 0.0], [-1.0, 1.0, 0.0], [0.0, 0.0, 0.0]])).tolist()
    [[1.0, -0.5, 0.0], [-0.5, 1.0, 0.0], [0.0, 0.0, 1.0]]
    """
    sd = np.sqrt(np.diag(covariance).clip(0))
    size = np.where(sd > 0, sd, np.inf)
    correlations = (covariance / size / size[:, None]).clip(-1, 1)
    np.fill_diagonal(correlations, 1.0)
    return correlations


def _quotient(above: Floats, below: Floats, otherwise: float) -> Floats:
    is_positive = below > 0
    quotient: Floats = np.divide(
        above, below, out=np.full(len(above), otherwise), where=is_positive
    )
    return quotient


def is_covariance(matrix: Floats) -> bool:
    """Say whether a matrix is finite, symmetric and positive semidefinite.

    >>> is_covariance(np.eye(2)), is_covariance(np.array([[1.0, 2.0], [2.0, 1.0]]))
    (True, False)
    """
    return _is_symmetric(matrix) and bool(
        np.linalg.eigvalsh(matrix).min(initial=0.0) >= -_rounding_error(matrix)
    )


def _is_symmetric(matrix: Floats) -> bool:
    """Say whether a matrix is finite and symmetric."""
    even = np.isfinite(matrix).all() and np.abs(matrix - matrix.T).max(
        initial=0.0
    ) <= _rounding_error(matrix)
    return bool(even)


def _rounding_error(matrix: Floats) -> float:
    return _SAME * len(matrix) * float(np.abs(matrix).max(initial=0.0))


def _row(written: Any, places: Mapping[str, int], where: str) -> dict[int, Any]:
    if not isinstance(written, Mapping):
        raise DocumentError(where, allowed="an object of numbers by report")
    for report in written:
        refuse_unknown(where, report, places)
    return {places[report]: value for report, value in written.items()}


def _number(value: Any, where: str) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise DocumentError(where, got=value, allowed="a number")
    return float(value)
