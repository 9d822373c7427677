"""Variance by replicates: the jackknife, balanced halves, the bootstrap, or columns as given.

A replicate is another set of weights for the same people. What is estimated with each of them says
how sure it is; of totals that is a sum of squares, and no stratum need be known.
"""

import hashlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from fnmatch import fnmatchcase
from types import MappingProxyType
from typing import Any, final

import numpy as np
import numpy.typing as npt

from askance.inference.sampling_design import (
    AbstractSamplingDesign,
    SamplingDesign,
    Stage,
    read_membership,
    score_table,
)
from askance.random_streams import random_stream
from askance.results import (
    Listing,
    listed,
    number,
    numbers,
    plain_json,
    read_only,
    result_frame,
    result_stream,
)
from askance.typing import Floats, Json
from askance_collect.arguments import checked
from askance_collect.errors import InputError, NotIdentified, refuse_unknown


@final
@listed
@dataclass(frozen=True, slots=True, init=False, eq=False, repr=False)
class ReplicateWeights(AbstractSamplingDesign):
    r"""Replicate weights: variance by weights that were perturbed R times.

    .. math:: \hat V = a \sum_r a_r (\hat\theta_r - \bar\theta)(\hat\theta_r - \bar\theta)^T

    Parameters
    ----------
    weights : array_like, shape (n,)
    replicates : array_like, shape (n, R)
        The weights of each replicate.
    scale : float
        a.
    rscales : array_like, shape (R,), optional
        a_r; 1 if left out.
    mse : bool
        Whether θ̄ is the estimate from all, or the mean over the replicates.
    df : float, optional
        Degrees of freedom; the rank of the replicates less one, if left out.
    sampling_fraction : array_like, shape (n,), optional
        The fraction of the population that was drawn, if the replicates allow for it; else 0.

    Raises
    ------
    InputError
        If shapes differ, or a weight or scale is missing, or negative.

    >>> import askance as ak
    >>> sampling = ak.inference.SamplingDesign(clusters=["a", "b", "b", "c"])
    >>> ak.inference.jackknife(sampling)
    replicate weights
    rows  weights  replicates  degrees of freedom
    4           4           3                   2
    >>> score = [[1.0], [0.0], [1.0], [3.0]]
    >>> ak.inference.jackknife(sampling).covariance(score).round(9).tolist()
    [[4.0]]
    >>> sampling.covariance(score).round(9).tolist()
    [[4.0]]
    """

    weights: Floats
    replicates: Floats
    scale: float
    rscales: Floats
    mse: bool
    df: float
    sampling_fraction: Floats

    @checked
    def __init__(
        self,
        *,
        weights: npt.ArrayLike,
        replicates: npt.ArrayLike,
        scale: float,
        rscales: npt.ArrayLike | None = None,
        mse: bool = False,
        df: float | None = None,
        sampling_fraction: npt.ArrayLike | None = None,
    ) -> None:
        full_weights = numbers(weights, "ReplicateWeights.weights")
        table = numbers(replicates, "ReplicateWeights.replicates")
        n = len(full_weights) if full_weights.ndim == 1 else 0
        if table.ndim != 2 or len(table) != n or not n or table.shape[1] < 2:
            raise InputError(
                "ReplicateWeights.replicates",
                got=f"shape {table.shape}",
                allowed=f"{n} rows, and a column for each of two replicates or more",
            )
        factors = np.ones(table.shape[1])
        if rscales is not None:
            factors = numbers(rscales, "ReplicateWeights.rscales")
        part = (
            np.zeros(n)
            if sampling_fraction is None
            else numbers(sampling_fraction, "ReplicateWeights.sampling_fraction")
        )
        _refuse_invalid(n, table, factors, scale, part, full_weights, df)
        degrees = _count_rank(table) - 1.0 if df is None else df
        values = full_weights, table, scale, factors, mse, degrees, part
        for name, value in zip(self.__slots__, values, strict=True):
            field_value = read_only(value) if isinstance(value, np.ndarray) else value
            object.__setattr__(self, name, field_value)

    @property
    def mark(self) -> str:
        """SHA-256 of the replicates, which identifies the sample."""
        return hashlib.sha256(np.ascontiguousarray(self.replicates).tobytes()).hexdigest()

    def covariance(self, scores: npt.ArrayLike) -> Floats:
        """Estimate the covariance of the weighted totals of scores.

        Parameters
        ----------
        scores : array_like, shape (n, p)
            Of each row, not weighted.

        Returns
        -------
        array, shape (p, p)
        """
        table = score_table(scores, self.n)
        return replicate_covariance(self, self.replicates.T @ table, self.weights @ table)

    def domain(self, members: npt.ArrayLike) -> "ReplicateWeights":
        """Count only some of the people, in every replicate.

        Parameters
        ----------
        members : array_like of bool, shape (n,)
        """
        is_member = read_membership(members, self.n)
        return reweight(self, lambda weights: weights * is_member)

    def with_replacement(self) -> "ReplicateWeights":
        """Give the same replicates, if they allow for no finite population.

        Raises
        ------
        InputError
            If they do.
        """
        if (self.sampling_fraction > 0).any():
            raise InputError(
                "ReplicateWeights.with_replacement",
                got="replicates that allow for a finite population",
                allowed="replicates of a sample with replacement",
                remedy="make them of sampling.with_replacement()",
            )
        return self

    def to_dict(self) -> Json:
        """Write the size of the sample for JSON."""
        return dict(plain_json(self._frame()[0]))

    def _frame(self) -> list[dict[str, Any]]:
        row = {"rows": self.n, "weights": float(self.weights.sum())}
        return [row | {"replicates": self.replicates.shape[1], "df": float(self.df)}]

    def _table(self) -> Listing:
        row = [f"{self.n:,}", number(float(self.weights.sum()), 6)]
        row += [f"{self.replicates.shape[1]:,}", number(self.df)]
        head = ["rows", "weights", "replicates", "degrees of freedom"]
        return "replicate weights", head, [row], []

    to_frame = result_frame
    __arrow_c_stream__ = result_stream


def replicate_covariance(sampling: ReplicateWeights, values: Floats, full: Floats) -> Floats:
    """Covariance of estimates by replicate, shape (R, p), and by the full sample, shape (p,)."""
    deviations = values - _replicate_centre(sampling, values, full)
    covariance: Floats = (deviations * (sampling.scale * sampling.rscales)[:, None]).T @ deviations
    return (covariance + covariance.T) / 2


def replicate_variances(sampling: ReplicateWeights, values: Floats, full: Floats) -> Floats:
    """Variances alone, shape (p,), where a covariance matrix would be too large."""
    deviations = values - _replicate_centre(sampling, values, full)
    return (sampling.scale * sampling.rscales) @ np.square(deviations, out=deviations)


def _replicate_centre(sampling: ReplicateWeights, values: Floats, full: Floats) -> Floats:
    return full if sampling.mse else values[sampling.rscales > 0].mean(axis=0)


def fits_to_replicates(
    sampling: ReplicateWeights,
    fit: Callable[[Floats], Floats | None],
    full: Floats,
    missing: tuple[str, str, str],
    *,
    signed: bool = False,
) -> Floats:
    """Refit to each replicate, shape (R, p); uncounted replicates get the full-sample fit.

    Parameters
    ----------
    sampling : ReplicateWeights
    fit : callable
        Gives p numbers for weights of shape (n,), or None if these say none.
    full : array, shape (p,)
        What all weights say.
    missing : tuple of str
        Where a replicate says nothing: what was got, what is allowed, and what to do.
    signed : bool
        Whether weights may be negative.

    Raises
    ------
    InputError
        If a replicate has negative weights, which no likelihood takes.
    NotIdentified
        If a replicate says nothing.

    >>> import askance as ak
    >>> halves = ReplicateWeights(weights=[1, 1], replicates=[[2, 0], [0, 2]], scale=0.5)
    >>> y, missing = np.array([1.0, 3.0]), ("nothing", "a mean", "")
    >>> fits_to_replicates(halves, lambda w: (w @ y / w.sum())[None], np.array([2.0]), missing)
    array([[1.],
           [3.]])
    """
    values, report_progress = np.tile(full, (sampling.replicates.shape[1], 1)), _PROGRESS.get()
    counted = np.flatnonzero(sampling.rscales > 0).tolist()
    for done, column in enumerate(counted, start=1):
        weights, where = sampling.replicates[:, column], f"sampling.replicates[:, {column}]"
        if not signed and (weights < 0).any():
            raise InputError(
                where,
                got="negative weights",
                allowed="none negative, for a likelihood",
                remedy='calibrate with bounds or by "raking", or hand over a SamplingDesign',
            )
        estimate = fit(weights)
        if estimate is None:
            problem, allowed, remedy = missing
            raise NotIdentified(where, got=problem, allowed=allowed, remedy=remedy)
        values[column] = estimate
        report_progress(done, len(counted))
    return values


_PROGRESS: ContextVar[Callable[[int, int], None]] = ContextVar("progress", default=lambda *_: None)


@contextmanager
@checked
def track_replicates(progress: Callable[[int, int], Any]) -> Iterator[None]:
    """Call a function after each fitted replicate, inside ``with``: for a progress bar.

    Parameters
    ----------
    progress : callable
        Called with how many replicates are fitted, and how many there are.

    >>> import askance as ak
    >>> q, reports = ak.Warner(truth=1).channel(ak.Frame(["yes", "no"])), ["yes", "no", "no"] * 4
    >>> sampling = ak.inference.jackknife(ak.inference.SamplingDesign(clusters=["a", "b"] * 6))
    >>> with ak.inference.track_replicates(lambda done, many: print(f"{done} of {many}")):
    ...     fit = ak.response_regression(reports, None, q, sampling=sampling)
    1 of 2
    2 of 2
    """
    token = _PROGRESS.set(progress)
    try:
        yield
    finally:
        _PROGRESS.reset(token)


def ratio_covariance(
    sampling: AbstractSamplingDesign, scores: Floats, people: npt.ArrayLike
) -> Floats:
    r"""Covariance of weighted totals of scores that are asked as shares, or means, of some people.

    Of replicates each gives a ratio to its own sum of weights,

    .. math:: v_r = W \frac{t_r}{W_r} + t \frac{W_r - W}{W}

    with t and W from all. So what is linear in :math:`t/W` has the variance of what the replicates
    say of it themselves, and :math:`\sum v_r` over the reports is :math:`W_r`. Of any other
    sampling design it is the linearised covariance, from which that of ratios follows.

    Parameters
    ----------
    sampling : AbstractSamplingDesign
    scores : array, shape (n, p)
        Of each row, not weighted; 0 outside the people.
    people : array_like of bool, shape (n, 1) or (n, p)
        Of whom each column is a share.

    >>> import askance as ak
    >>> twice = ak.inference.jackknife(ak.inference.SamplingDesign(clusters=["a", "b", "b"]))
    >>> scores = np.array([[1.0, 0.0], [0.0, 1.0], [1.0, 0.0]])  # two of three, yes and no
    >>> covariance = ratio_covariance(twice, scores, [[True]] * 3)
    >>> share = np.array([1 / 3, -2 / 3]) / 3  # linearised: (1 − p, −p)/W
    >>> round(float(share @ covariance @ share), 9)  # 1/2 without a, 1 without b
    0.0625
    >>> ak.inference.replicated(twice, lambda w: w @ scores[:, 0] / w.sum()).covariance.tolist()
    [[0.0625]]
    """
    if not isinstance(sampling, ReplicateWeights):
        return sampling.covariance(scores)
    members = np.asarray(people, dtype=np.float64)
    size, sizes = sampling.weights @ members, sampling.replicates.T @ members
    total, totals = sampling.weights @ scores, sampling.replicates.T @ scores
    share = np.divide(total, size, out=np.zeros(len(total)), where=size > 0)
    is_defined = np.broadcast_to(sizes > 0, totals.shape)
    shares = np.divide(
        totals, sizes, out=np.broadcast_to(share, totals.shape).copy(), where=is_defined
    )
    return replicate_covariance(sampling, size * shares + share * (sizes - size), total)


def reweight(sampling: ReplicateWeights, change: Callable[[Floats], Floats]) -> ReplicateWeights:
    """Change the weights, and those of every replicate in the same way."""
    return ReplicateWeights(
        weights=change(sampling.weights),
        replicates=np.column_stack([change(weights) for weights in sampling.replicates.T]),
        scale=sampling.scale,
        rscales=sampling.rscales,
        mse=sampling.mse,
        df=sampling.df,
        sampling_fraction=sampling.sampling_fraction,
    )


def _refuse_invalid(
    n: int,
    table: Floats,
    factors: Floats,
    scale: float,
    part: Floats,
    full_weights: Floats,
    df: float | None,
) -> None:
    fits = {
        "weights": bool(
            np.isfinite(full_weights).all() and (full_weights >= 0).all() and full_weights.sum() > 0
        ),
        "replicates": bool(np.isfinite(table).all()),
        "rscales": factors.shape == (table.shape[1],)
        and bool((factors >= 0).all() and factors.sum() > 0),
        "scale": 0 < scale < np.inf,
        "df": df is None or df >= 0,
        "sampling_fraction": part.shape == (n,) and bool(((part >= 0) & (part <= 1)).all()),
    }
    for name, right in fits.items():
        if not right:
            raise InputError(
                f"ReplicateWeights.{name}",
                got="others",
                allowed="finite numbers, none negative, as many as rows or replicates",
            )


def _count_rank(table: Floats) -> float:
    size = np.sqrt((table**2).sum(axis=0))
    scaled = table / np.where(size > 0, size, 1.0)
    return float(np.linalg.matrix_rank(scaled.T @ scaled, tol=_SAME, hermitian=True))


_SAME = 1e-9  # of the length of a replicate: what is no direction of its own


@checked
def jackknife(sampling: SamplingDesign, *, mse: bool = False) -> ReplicateWeights:
    """Jackknife replicates of a sampling design: each leaves one cluster out (JK1, or JKn).

    The other n_h − 1 clusters of its stratum weigh n_h/(n_h − 1) times as much; its square counts
    (1 − f_h)(n_h − 1)/n_h times. Stages below the first are carried along; what they add of their
    own where f_h is not 0 is left out.

    Parameters
    ----------
    sampling : SamplingDesign
        Not calibrated: calibrate the replicates, so that each is calibrated by itself.
    mse : bool
        As in `ReplicateWeights`.

    Raises
    ------
    InputError
        If the sampling design is calibrated, or a stratum has one cluster only.

    References
    ----------
    Särndal, Swensson & Wretman (1992).

    >>> import askance as ak
    >>> sampling = ak.inference.SamplingDesign(strata=["a", "a", "b", "b", "b"])
    >>> ak.inference.jackknife(sampling).replicates[:, 0].tolist()
    [0.0, 2.0, 1.0, 1.0, 1.0]
    """
    first = _first_stage(sampling, "jackknife")
    _refuse_many(sampling, len(first.stratum), "jackknife")
    count = first.sample_sizes()[first.stratum]
    factors = np.where(first.stratum[:, None] == first.stratum, count / (count - 1.0), 1.0)
    np.fill_diagonal(factors, 0.0)
    rscales = (1 - first.part) * (count - 1) / count
    return _build_replicates(sampling, first, factors, rscales, scale=1.0, mse=mse)


@checked
def balanced_replicates(
    sampling: SamplingDesign, *, fay: float = 0.0, mse: bool = False
) -> ReplicateWeights:
    """Balanced repeated replication: of two clusters in each stratum one counts more (BRR).

    One weighs 2 − d times as much and the other d times, by the columns of a Hadamard matrix, so
    that strata are balanced over the replicates; squares count 1/(R(1 − d)²) times.

    Parameters
    ----------
    sampling : SamplingDesign
        With two clusters in every stratum, without fractions, not calibrated.
    fay : float
        d of Fay's method, in [0, 1).
    mse : bool
        As in `ReplicateWeights`.

    Raises
    ------
    InputError
        If a stratum has more or fewer than two clusters, or a fraction; or d is not in [0, 1).

    References
    ----------
    McCarthy (1969).

    >>> import askance as ak
    >>> sampling = ak.inference.SamplingDesign(strata=["a", "a", "b", "b"])
    >>> halves = ak.inference.balanced_replicates(sampling)
    >>> halves.covariance([[1], [3], [2], [5]]).tolist(), sampling.covariance([[1], [3], [2], [5]])
    ([[13.0]], array([[13.]]))
    """
    first = _first_stage(sampling, "balanced_replicates")
    if (first.sample_sizes() != 2).any() or (first.part > 0).any():
        raise InputError(
            "balanced_replicates.sampling",
            got="strata of other numbers of clusters, or finite populations",
            allowed="two clusters in every stratum, drawn with replacement",
            remedy="use jackknife",
        )
    if not 0 <= fay < 1:
        raise InputError("balanced_replicates.fay", got=fay, allowed="[0, 1)")
    strata = len(first.sample_sizes())
    signs = _hadamard(strata)
    second = np.zeros(len(first.stratum), dtype=bool)
    order = np.argsort(first.stratum, kind="stable")
    second[order[1::2]] = True
    side = np.where(second[:, None], -1.0, 1.0) * signs[:, 1 : strata + 1].T[first.stratum]
    times = 1 + side * (1 - fay)
    scale = 1 / (len(signs) * (1 - fay) ** 2)
    return _build_replicates(sampling, first, times, np.ones(len(signs)), scale=scale, mse=mse)


def _hadamard(strata: int) -> Floats:
    """A Hadamard matrix with a column for each stratum after the first (Sylvester's)."""
    matrix = np.ones((1, 1))
    while len(matrix) <= strata:
        matrix = np.block([[matrix, matrix], [matrix, -matrix]])
    return matrix


@checked
def bootstrap(
    sampling: SamplingDesign, replicates: int = 200, *, rng: Any, mse: bool = False
) -> ReplicateWeights:
    """Rescaled bootstrap replicates: n_h − 1 clusters of each stratum drawn again.

    A cluster drawn k times weighs 1 + √(1 − f_h) (k n_h/(n_h − 1) − 1) times as much, so that the
    variance of a total is, on average, that of the sampling design.

    Parameters
    ----------
    sampling : SamplingDesign
        Not calibrated.
    replicates : int
        How many, at least 2.
    rng : int or numpy Generator
        The analyst's dice.
    mse : bool
        As in `ReplicateWeights`.

    Raises
    ------
    InputError
        If the sampling design is calibrated, or a stratum has one cluster only.

    References
    ----------
    Rao & Wu (1988).

    >>> import askance as ak
    >>> sampling = ak.inference.SamplingDesign(weights=[1.0] * 50)
    >>> ak.inference.bootstrap(sampling, 100, rng=1).replicates.sum(axis=0).round(9).min().item()
    50.0
    """
    first = _first_stage(sampling, "bootstrap")
    if not 2 <= replicates <= _MOST:
        raise InputError("bootstrap.replicates", got=replicates, allowed=f"2 to {_MOST:,}")
    _refuse_many(sampling, replicates, "bootstrap")
    dice = random_stream(rng, "bootstrap")
    times = np.zeros((len(first.stratum), replicates))
    for stratum, count in enumerate(first.sample_sizes().astype(int).tolist()):
        inside = np.flatnonzero(first.stratum == stratum)
        again = dice.multinomial(count - 1, np.full(count, 1 / count), size=replicates).T
        root = np.sqrt(1 - first.part[inside])[:, None]
        times[inside] = 1 + root * (again * (count / (count - 1)) - 1)
    scale = 1 / (replicates - 1)
    return _build_replicates(sampling, first, times, np.ones(replicates), scale=scale, mse=mse)


_MOST = 100_000


def _refuse_many(sampling: SamplingDesign, replicates: int, where: str) -> None:
    if sampling.n * replicates > _CELLS:
        raise InputError(
            f"{where}.sampling",
            got=f"{sampling.n:,} rows and {replicates:,} replicates",
            allowed=f"at most {_CELLS:,} weights",
            remedy="use the linearised variance of SamplingDesign, or fewer replicates",
        )


_CELLS = 200_000_000


def _first_stage(sampling: SamplingDesign, where: str) -> Stage:
    """The first stage of the sampling design, whose clusters are perturbed."""
    if sampling.calibrations:
        raise InputError(
            f"{where}.sampling",
            got="a calibrated sampling design",
            allowed="the sampling design as it was drawn",
            remedy="make the replicates first and calibrate them",
        )
    first = sampling.stages[0]
    if (first.sample_sizes() < 2).any():
        raise InputError(
            f"{where}.sampling",
            got="a stratum with one cluster",
            allowed="two clusters or more in every stratum",
            remedy="join strata, or use the linearised variance of SamplingDesign",
        )
    return first


def _build_replicates(
    sampling: SamplingDesign,
    first: Stage,
    times: Floats,
    rscales: Floats,
    *,
    scale: float,
    mse: bool,
) -> ReplicateWeights:
    """Multiply the weights of all people of each cluster."""
    return ReplicateWeights(
        weights=sampling.weights,
        replicates=sampling.weights[:, None] * times[first.unit],
        scale=scale,
        rscales=rscales,
        mse=mse,
        df=sampling.df,
        sampling_fraction=first.part[first.unit],
    )


_SCALES: Mapping[str, Callable[[int, float], float]] = MappingProxyType(
    {
        "brr": lambda count, _: 1 / count,
        "fay": lambda count, fay: 1 / (count * (1 - fay) ** 2),
        "jk1": lambda count, _: (count - 1) / count,
        "jk2": lambda _, __: 1.0,
        "jkn": lambda _, __: 1.0,
        "bootstrap": lambda count, _: 1 / (count - 1),
        "sdr": lambda count, _: 4 / count,
    }
)
"""What squares count for, by the rule that made the replicates and how many there are."""


@final
@dataclass(frozen=True, slots=True, init=False)
class ReplicateColumns:
    r"""Names of the columns of replicate weights, as a statistical office gives them.

    Parameters
    ----------
    weights : str
    replicates : str or sequence of str
        Columns, or patterns of their names: ``"rep*"``.
    kind : {"brr", "fay", "jk1", "jk2", "jkn", "bootstrap", "sdr"}, optional
        By which rule they were made. Squares of R replicates then count a times, as in
        `ReplicateWeights`: balanced half-samples 1/R; Fay's 1/(R (1 − d)²); the jackknife of single
        clusters (R − 1)/R, and of pairs 1; the jackknife by strata as ``rscales`` say; the
        bootstrap 1/(R − 1); successive differences 4/R, about the estimate from all.
    scale : float, optional
        a, in the place of a kind.
    fay : float
        d of Fay's kind, in [0, 1).
    rscales : sequence of float, optional
        a_r, one for each replicate in the order of their columns; 1 if left out. The jackknife by
        strata, "jkn", needs them: (n_h − 1)/n_h for a stratum of n_h clusters.

    Raises
    ------
    InputError
        If there is no column, or not one of a kind and a scale.

    References
    ----------
    Lumley (2004), whose names of kinds these are.

    >>> import askance as ak
    >>> plan = ak.inference.ReplicateColumns(weights="w", replicates="r*", kind="jk1")
    >>> sampling = plan.of({"w": [1, 1], "r1": [0, 2], "r2": [2, 0]})
    >>> sampling.scale, sampling.replicates.tolist()
    (0.5, [[0.0, 2.0], [2.0, 0.0]])
    """

    weights: str
    replicates: tuple[str, ...]
    kind: str | None
    scale: float | None
    fay: float
    rscales: tuple[float, ...] | None

    @checked
    def __init__(
        self,
        *,
        weights: str,
        replicates: str | Sequence[str],
        kind: str | None = None,
        scale: float | None = None,
        fay: float = 0.0,
        rscales: Sequence[float] | None = None,
    ) -> None:
        named = (replicates,) if isinstance(replicates, str) else tuple(replicates)
        if not (weights and named and all(named)):
            raise InputError(
                "ReplicateColumns.replicates", got=named, allowed="names of columns, or patterns"
            )
        if (kind is None) is (scale is None):
            raise InputError(
                "ReplicateColumns.kind",
                got="neither a kind nor a scale" if kind is None else "both a kind and a scale",
                allowed=f"one of {', '.join(_SCALES)}, or a scale",
            )
        if kind is not None:
            refuse_unknown("ReplicateColumns.kind", kind, _SCALES)
        if not 0 <= fay < 1 or (fay and kind != "fay"):
            raise InputError(
                "ReplicateColumns.fay", got=fay, allowed='[0, 1), and 0 unless kind is "fay"'
            )
        if kind == "jkn" and rscales is None:
            raise InputError(
                "ReplicateColumns.rscales", got="nothing", allowed="a number for each replicate"
            )
        factors = None
        if rscales is not None:
            factors = tuple(numbers(list(rscales), "ReplicateColumns.rscales").tolist())
        values = {"weights": weights, "replicates": named, "kind": kind, "scale": scale, "fay": fay}
        for name, value in (values | {"rscales": factors}).items():
            object.__setattr__(self, name, value)

    @checked
    def of(self, data: Any) -> ReplicateWeights:
        """Read the columns of a data frame, or of a mapping.

        Raises
        ------
        InputError
            If a column is missing, fewer than two replicates fit, or as in `ReplicateWeights`.
        """
        names = list(data) if isinstance(data, Mapping) else list(getattr(data, "columns", ()))
        columns: dict[str, None] = {}
        for pattern in self.replicates:
            fits = [name for name in names if fnmatchcase(str(name), pattern)]
            columns |= dict.fromkeys(name for name in fits if name != self.weights)
            if not fits or self.weights not in names:
                raise InputError(
                    "ReplicateColumns",
                    got=f"no column {pattern if not fits else self.weights!r}",
                    allowed=f"columns of the data: {', '.join(map(str, names[:_LISTED]))}",
                )
        table = np.column_stack([numbers(list(data[name]), f"column {name!r}") for name in columns])
        count = table.shape[1]
        scale = self.scale if self.kind is None else _SCALES[self.kind](max(count, 2), self.fay)
        return ReplicateWeights(
            weights=numbers(list(data[self.weights]), f"column {self.weights!r}"),
            replicates=table,
            scale=1.0 if scale is None else scale,
            rscales=self.rscales,
            mse=self.kind == "sdr",
        )


_LISTED = 20
