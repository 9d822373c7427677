"""Information of reports on shares: identified contrasts, precision, informative reports.

A channel determines some contrasts of shares (`identified`), each with a precision that the Fisher
information bounds. Of a tally only the reports whose chance depends on the answer speak
(`Informative`); of two answers told by two such reports they are a binomial count. What is learnt
from them is an `Estimate`.
"""

import math
from dataclasses import dataclass, field, replace
from enum import Enum
from typing import ClassVar, final, overload

import numpy as np
import numpy.typing as npt

from askance.channels.channel import Channel, has_independent_rows
from askance.chart import Axis, Chart, chart_frame, draw_result, rows_chart
from askance.inference.fit_result import Convergence, DesignVariance, GoodnessOfFit
from askance.inference.provenance import Computation
from askance.inference.shares.share_profiles import symmetric
from askance.results import (
    Listing,
    counted,
    doubles,
    json_of,
    listed,
    number,
    read_only,
    result_frame,
    result_stream,
)
from askance.typing import Booleans, Floats, Integers, Json
from askance_collect.arguments import checked
from askance_collect.errors import InputError, NotIdentified

RANK = 1e-11
"""A singular value this much smaller than the largest counts as zero."""
_ROUNDING = 1e-9  # an answer's part in a contrast that is none


@final
@listed
@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class Identification:
    """Which shares, and which contrasts of shares, a channel's reports determine.

    Attributes
    ----------
    answers : tuple of str
        The k answers.
    rank : int
        How many combinations of the shares the reports determine; k if all.
    condition : float
        Largest over smallest singular value of the channel: how much inversion can magnify chance
        error; infinite if the rank is short.
    null_contrasts : array, shape (k − rank, k)
        Contrasts wᵀQ = 0: changes of the shares that change the chance of no report.
    weakest_contrast : array, shape (k,)
        Of the changes of length one that the reports do see, the one they see least.
    """

    answers: tuple[str, ...]
    rank: int
    condition: float
    null_contrasts: Floats
    weakest_contrast: Floats

    @property
    def complete(self) -> bool:
        """Whether every share is determined."""
        return self.rank == len(self.answers)

    @property
    def identified(self) -> tuple[str, ...]:
        """The answers whose own share is determined."""
        still = np.abs(self.null_contrasts).max(axis=0, initial=0.0) <= _ROUNDING
        return tuple(np.array(self.answers)[still].tolist())

    @property
    def indistinguishable(self) -> tuple[str, ...]:
        """For each unidentified contrast, the answers that it confuses."""
        return tuple(self._describe_contrast(contrast) for contrast in self.null_contrasts)

    def to_dict(self) -> Json:
        """Write the diagnosis for JSON."""
        return json_of(
            self,
            "answers rank condition unseen=null_contrasts faintest=weakest_contrast complete "
            "identified confused=indistinguishable",
        )

    def _describe_contrast(self, contrast: Floats) -> str:
        sides = [
            " and ".join(np.array(self.answers)[sign * contrast > _ROUNDING].tolist())
            for sign in (1, -1)
        ]
        return f"{sides[0]} from {sides[1]}"

    def _table(self) -> Listing:
        rows = [
            [answer, "yes" if answer in self.identified else "no", number(float(faint))]
            for answer, faint in zip(self.answers, self.weakest_contrast, strict=True)
        ]
        notes = [f"rank {self.rank} of {len(self.answers)}; condition {self.condition:.4g}"]
        notes += [f"the reports cannot tell {contrast}" for contrast in self.indistinguishable]
        head = ["answer", "share identified", "faintest change"]
        return "what the reports can distinguish", head, rows, notes

    to_frame = result_frame
    __arrow_c_stream__ = result_stream


@checked
def identified(channel: Channel) -> Identification:
    """Identifiability: which shares a channel's reports determine, and which changes they miss.

    The shares are determined exactly if the channel's rows are linearly independent. Otherwise the
    left null space is given in reduced form, so that each contrast names as few answers as it can.

    Parameters
    ----------
    channel : Channel

    >>> from askance.channels.frame import Frame
    >>> reports = {"a": ["a"], "b or c": ["b", "c"]}
    >>> q = Channel(Frame(["a", "b", "c"]), reports, [[0.9, 0.1], [0.2, 0.8], [0.2, 0.8]])
    >>> identified(q)
    what the reports can distinguish
    answer  share identified  faintest change
    a                    yes           0.8165
    b                     no          -0.4082
    c                     no          -0.4082
    rank 2 of 3; condition inf
    the reports cannot tell b from c
    """
    k = len(channel.frame)
    triangle = np.linalg.qr(channel.matrix.T, mode="r")
    _, sizes, right = np.linalg.svd(triangle)
    rank = int(np.sum(sizes > RANK * sizes.max()))
    changes = np.linalg.svd(np.ones((1, k)))[2][1:]
    directions = np.linalg.svd(triangle @ changes.T)[2] if rank > 1 else np.zeros((0, k - 1))
    return Identification(
        answers=channel.frame.answers,
        rank=rank,
        condition=float(sizes[0] / sizes[-1]) if rank == k else float("inf"),
        null_contrasts=_reduce_basis(right[rank:]),
        weakest_contrast=_orient_contrast(directions[rank - 2] @ changes)
        if rank > 1
        else np.zeros(k),
    )


def _reduce_basis(basis: Floats) -> Floats:
    """Bring a basis to reduced echelon form, largest pivots first, and scale it to ±1."""
    rows = np.array(basis)
    for i in range(len(rows)):
        row, column = divmod(int(np.argmax(np.abs(rows[i:]))), rows.shape[1])
        rows[[i, i + row]] = rows[[i + row, i]]
        rows[i] /= rows[i, column]
        for other in range(len(rows)):
            if other != i:
                rows[other] -= rows[other, column] * rows[i]
    rows[np.abs(rows) < _ROUNDING] = 0.0
    return np.array([_orient_contrast(row) for row in rows]).reshape(rows.shape)


def _orient_contrast(contrast: Floats) -> Floats:
    """Orient a contrast so that its first answer gains."""
    first = contrast[np.argmax(np.abs(contrast) > _ROUNDING)]
    return contrast * (-1 if first < 0 else 1)


_SAME = 1e-12  # chances of a report that are equal but for rounding


@final
@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Informative:
    """Reports whose chance depends on the answer, with how often each was received.

    Attributes
    ----------
    labels : tuple of str
        The k answers.
    rows : array, shape (m, k)
        Chance of each informative report given each answer.
    counts : array, shape (m,)
    share : float
        Chance that a report is informative; it is the same for every answer.
    columns : array of int, shape (m,)
        Which of the channel's reports these are.
    group : array of int, shape (m,), or None
        Of which group each report is. Chances are then those given how many reports of each group
        say something, and groups of which none does are left out.
    """

    labels: tuple[str, ...]
    rows: Floats
    counts: Floats
    share: float
    columns: Integers
    group: Integers | None = None

    @property
    def total(self) -> float:
        """How many informative reports were received."""
        return float(self.counts.sum())


def identifying(
    channel: Channel, counts: Floats | None = None, group: Integers | None = None
) -> Informative:
    """Select the informative reports, with their counts (zero by default).

    Raises
    ------
    NotIdentified
        If some change of the shares would not change the chance of any report, or of none of those
        groups of which a report says something.
    """
    identify(channel)
    speaks = np.flatnonzero(speaking(channel))
    data = Informative(
        labels=channel.frame.answers,
        rows=channel.matrix[:, speaks].T,
        counts=np.zeros(len(speaks)) if counts is None else counts[speaks],
        share=min(float(channel.matrix[0, speaks].sum()), 1.0),
        columns=speaks,
        group=None if group is None else group[speaks],
    )
    return data if data.group is None or not data.total else _given_sizes(data, data.group)


def _given_sizes(data: Informative, group: Integers) -> Informative:
    """Condition the chances on the number of informative reports of each group (ancillary)."""
    sizes = np.bincount(group, data.counts)
    chances = np.bincount(group, data.rows[:, 0])
    is_received = sizes[group] > 0
    scale = sizes[group] / (chances[group] * data.total)
    rows = (data.rows * scale[:, None])[is_received]
    if np.linalg.matrix_rank(rows, tol=RANK) < rows.shape[1]:
        raise NotIdentified(
            "tally",
            got="groups none of whose reports says anything",
            allowed="groups that distinguish the answers",
        )
    return replace(
        data,
        rows=rows,
        counts=data.counts[is_received],
        share=1.0,
        columns=data.columns[is_received],
        group=group[is_received],
    )


def speaking(channel: Channel | Floats) -> Booleans:
    """Mask of the informative reports: those whose chance depends on the answer."""
    matrix = channel.matrix if isinstance(channel, Channel) else channel
    return np.asarray(np.ptp(matrix, axis=0) > _SAME * matrix.max(axis=0))


def identify(channel: Channel) -> None:
    """Make sure that different shares give different chances of the reports.

    Raises
    ------
    NotIdentified
        Naming the answers that the reports cannot tell apart.
    """
    if has_independent_rows(channel):
        return
    identification = identified(channel)
    if identification.complete:
        return
    raise NotIdentified(
        "channel",
        got=f"{len(identification.null_contrasts)} contrast(s) that change no report",
        allowed="rows that are linearly independent",
        remedy="; ".join(
            f"the reports cannot tell {contrast}"
            for contrast in identification.indistinguishable[:3]
        ),
    )


_SUM = 1e-9  # how far shares may sum from one


@overload
def fisher_information(channel: Channel, prevalence: float) -> float: ...


@overload
def fisher_information(channel: Channel, prevalence: npt.ArrayLike) -> Floats: ...


@checked
def fisher_information(channel: Channel, prevalence: float | npt.ArrayLike) -> float | Floats:
    r"""Fisher information of one report on the shares of the answers.

    .. math:: I_{xx'} = \sum_y \frac{Q(y \mid x)\, Q(y \mid x')}{P(y)}, \qquad
              J = \sum_y \frac{(Q(y \mid 1) - Q(y \mid 2))^2}{P(y)}

    with P the chance of a report at these shares. For two answers and one number, J: the
    information on the share of the first, whose inverse over n is the least variance of an unbiased
    estimate. For all shares, the matrix I; on changes that sum to zero it is what
    `maximum_likelihood` inverts for its standard errors.

    Parameters
    ----------
    channel : Channel
    prevalence : float, or array of shape (k,)
        The share of the first of two answers, or the shares of all.

    Returns
    -------
    float, or array of shape (k, k)
        Per report; infinite where a report proves an answer whose share is zero.

    Raises
    ------
    InputError
        If the shares are not probabilities that sum to one, or one number is given for more than
        two answers.

    References
    ----------
    Yoshida, Yung & Hayashi (2019), Section II, for two answers.

    >>> from askance.channels.frame import Frame
    >>> q = Channel(Frame(["yes", "no"]), {"yes": ["yes"], "no": ["no"]}, [[.75, .25], [.25, .75]])
    >>> fisher_information(q, 0.5)  # 1 / Warner's variance: 1 / (1/(4 · 0.5²) − 0)
    1.0
    >>> fisher_information(q, [0.5, 0.5]).round(9).tolist()
    [[1.25, 0.75], [0.75, 1.25]]
    """
    shares = doubles(prevalence, "prevalence")
    if shares.ndim == 0:
        first = float(shares)
        if len(channel.frame) != 2:
            raise InputError(
                "prevalence",
                got=f"one share for {len(channel.frame)} answers",
                allowed="one share for two answers, or a share for each answer",
            )
        rows, chance = _possible(channel, np.array([first, 1 - first]))
        return float(_divide((rows[0] - rows[1]) ** 2, chance).sum())
    rows, chance = _possible(channel, shares)
    if np.all(chance > 0):
        scaled = rows / np.sqrt(chance)
        return scaled @ scaled.T
    return np.asarray(_divide(rows[:, None, :] * rows[None, :, :], chance).sum(axis=2))


def _divide(part: Floats, chance: Floats) -> Floats:
    """Divide with 0/0 = 0, for reports without information on the answers present."""
    with np.errstate(divide="ignore", invalid="ignore"):
        divided: Floats = np.where(part > 0, part / chance, 0.0)
    return divided


def _possible(channel: Channel, shares: Floats) -> tuple[Floats, Floats]:
    k = len(channel.frame)
    fits = shares.shape == (k,) and bool(np.all(shares >= 0)) and abs(shares.sum() - 1) <= _SUM
    if not fits:
        raise InputError(
            "prevalence", got=shares.tolist(), allowed=f"{k} shares in [0, 1] that sum to one"
        )
    rows = channel.matrix[:, channel.matrix.max(axis=0) > 0]
    return rows, shares @ rows


def observed_covariance(data: Informative, shares: Floats) -> Floats:
    r"""Covariance of the most likely shares: the inverse of the observed information.

    .. math:: \hat V = Z \Bigl(Z^\top \sum_j n_j\, \frac{q_j q_j^\top}{P_j^2}\, Z\Bigr)^{-1} Z^\top

    with n_j how often report j came, q_j its chances given each answer, P_j its chance at the
    estimate and Z a basis of the changes that sum to zero. This is the one rule for every
    likelihood of shares. How many reports say something, how many people are in each group and
    which cuts were drawn are ancillary: their law does not depend on the shares. The observed
    information is conditional on them, where the expected information averages over values that
    did not occur (Efron & Hinkley, 1978). Reports that say nothing add nothing.

    Two cases take the expected information instead, of as many informative reports of each group as
    came (`fisher_covariance`): a share that is estimated as exactly 0, where the curvature is not
    the whole story of the likelihood, and reports of so few kinds that the observed information is
    singular.

    Parameters
    ----------
    data : Informative
        With at least one informative report.
    shares : array, shape (k,)
        The most likely shares.

    Returns
    -------
    array, shape (k, k)

    References
    ----------
    Efron & Hinkley (1978).

    >>> from askance.channels.frame import Frame
    >>> reports = {"yes": ["yes"], "no": ["no"], "don't know": ["yes", "no"]}
    >>> q = Channel(Frame(["yes", "no"]), reports, [[0.6, 0.1, 0.3], [0.1, 0.6, 0.3]])
    >>> share = (310 / 700 - 1 / 7) * 7 / 5
    >>> for unknown in (0, 300, 900):  # √(f(1 − f)/700) · 7/5, whatever the third is
    ...     data = identifying(q, np.array([310.0, 390.0, unknown]))
    ...     print(round(observed_covariance(data, np.array([share, 1 - share]))[0, 0] ** 0.5, 6))
    0.026284
    0.026284
    0.026284
    """
    shares = np.where(shares < _NOTHING, 0.0, shares)
    if shares.min() > 0:
        is_observed = data.counts > 0
        rows, counts = data.rows[is_observed], data.counts[is_observed]
        covariance = _invert_information(rows, counts / (rows @ shares) ** 2)
        if covariance is not None:
            return covariance
    return fisher_covariance(data.rows / data.share, shares, data.total)


_NOTHING = 1e-9  # a share of 0, to which the maximisation came from inside


def fisher_covariance(rows: Floats, shares: Floats, n: float) -> Floats:
    """Invert the expected information on the shares that sum to one: before reports are seen.

    Cov = Z (Zᵀ n Σ_j q_j q_jᵀ / P_j Z)⁻¹ Zᵀ with q_j a report's chances, P_j its chance at the
    estimate and Z a basis of the changes that sum to zero. Where a share is exactly 0 the chances
    are taken half an answer `interior_shares`, since there the information can be infinite.

    Parameters
    ----------
    rows : array, shape (m, k)
        Chance of each report given each answer; those that say nothing may be left out.
    shares : array, shape (k,)
    n : float
        How many reports are expected to come with these chances.

    Returns
    -------
    array, shape (k, k)

    >>> variance = fisher_covariance(np.eye(2), np.array([0.2, 0.8]), 100)[0, 0]
    >>> print(round(variance, 9))  # 0.2 · 0.8 / 100
    0.0016
    """
    covariance = _invert_information(rows, n / (rows @ interior_shares(shares, n)))
    if covariance is None:
        raise NotIdentified(
            "channel",
            got="reports whose chances hardly differ at these shares",
            allowed="reports that distinguish the answers",
        )
    return covariance


DENSE = 64
"""The most answers of which a matrix is as quick as a closed form."""


def _invert_information(rows: Floats, weights: Floats) -> Floats | None:
    """Invert Σ_j w_j q_j q_jᵀ on changes that sum to zero; None if it is singular.

    Where all answers are protected alike, q_j = β + α e_j, what all chances have in common adds
    nothing to such a change: the inverse is D − D11ᵀD / 1ᵀD1 with D = diag(1 / α² w_j).
    """
    root = rows * np.sqrt(weights)[:, None]
    law = symmetric(rows, weights) if rows.shape[1] > DENSE else None
    if law is None:
        return inverse_on_simplex(root)
    variances = 1 / (law.slope**2 * law.counts)
    if RANK * float(np.linalg.norm(root)) * math.sqrt(variances.sum()) > 1:
        return None
    covariance: Floats = np.diag(variances) - np.outer(variances, variances) / variances.sum()
    return covariance


def inverse_on_simplex(root: Floats) -> Floats | None:
    """Invert an information matrix on changes of shares that sum to zero; None if it is singular.

    Parameters
    ----------
    root : array, shape (m, k)
        R, where the information is RᵀR.

    >>> inverse_on_simplex(np.sqrt(np.diag([5.0, 1.25]))).round(9).tolist()  # shares .2 and .8
    [[0.16, -0.16], [-0.16, 0.16]]
    >>> inverse_on_simplex(np.ones((2, 2))) is None
    True
    """
    k = root.shape[1]
    basis = np.linalg.svd(np.ones((1, k)))[2][1:].T
    triangle = np.linalg.qr(root @ basis, mode="r")
    if len(triangle) < k - 1:
        return None
    try:
        inverse = np.linalg.inv(triangle)
    except np.linalg.LinAlgError:
        return None
    if RANK * np.linalg.norm(root) * np.linalg.norm(inverse) > 1:
        return None
    half: Floats = basis @ inverse
    return half @ half.T


def interior_shares(shares: Floats, n: float) -> Floats:
    """Shares, moved into the interior if one is exactly 0: (n π + ½)/(n + k/2).

    >>> interior_shares(np.array([0.0, 1.0]), 9).tolist()
    [0.05, 0.95]
    """
    return shares if shares.min() > 0 else (n * shares + 0.5) / (n + len(shares) / 2)


def answers_worth(shares: Floats, covariance: Floats, reports: float) -> Floats:
    r"""The effective sample size of each share: how many direct answers would be as precise.

    .. math:: n^* = \pi (1 - \pi) / \hat V, \qquad 0 \le n^* \le m

    with π the estimate and V its variance there, both half an answer inside where the estimate is 0
    or 1, so that direct answers are always worth as many as they are. Given how many reports say
    something, n* is a function of the estimate alone: its median is right wherever the true share
    lies. Its mean is too large where the share is smaller than its standard error.

    Parameters
    ----------
    shares : array, shape (k,)
    covariance : array, shape (k, k)
    reports : float
        m, how many reports say something.

    Returns
    -------
    array, shape (k,)

    >>> half = np.array([0.5, 0.5])
    >>> answers_worth(half, np.eye(2) / 100, 80).tolist()  # 0.25 · 100
    [25.0, 25.0]
    """
    inner = np.clip(shares, 0.5 / (reports + 1), (reports + 0.5) / (reports + 1))
    spread, variance = inner * (1 - inner), np.diag(covariance)
    worth = np.where(variance > 0, spread / np.where(variance > 0, variance, 1.0), reports)
    return np.clip(worth, 0, reports)


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class BinomialShare:
    """The share of the first answer, seen through a binomial count.

    Attributes
    ----------
    base, slope : float
        Given that a report is informative it is the first one with chance
        base + slope · share.
    first, total : float
        First reports, and informative reports.
    share : float
        Chance that a report is informative.
    """

    base: float
    slope: float
    first: float
    total: float
    share: float

    @property
    def raw(self) -> float:
        """The unbiased estimate, which can leave [0, 1]; not a number without a report."""
        return (self.first / self.total - self.base) / self.slope if self.total else float("nan")


def binomial_share(data: Informative) -> BinomialShare | None:
    """Read two answers with exactly two informative reports as a binomial share; else None."""
    if len(data.labels) != 2 or len(data.counts) != 2 or data.group is not None:
        return None
    base, top = data.rows[0, 1] / data.share, data.rows[0, 0] / data.share
    return BinomialShare(
        base=float(base),
        slope=float(top - base),
        first=float(data.counts[0]),
        total=data.total,
        share=data.share,
    )


_SUMMED = 100.0  # mean count up to which terms are few
_CLOSE = 1e-18  # of the sum: where the series is cut


@checked
def mean_inverse(n: int, share: float) -> float:
    """E[1/N | N > 0] for N ~ Binomial(n, share), the price of an uncertain sample size.

    Up to a mean count of 100 the sum over the probability mass function: 14 standard deviations and
    60 values either side of the mode, which leaves out less than e^−90 of the mass. Beyond, the
    factorial series of `inverse_series`, whose error is bounded.

    Parameters
    ----------
    n : int
        How many trials, at least one.
    share : float
        Chance of each, in (0, 1].

    Raises
    ------
    InputError
        If n is no whole number of at least one, or the share is outside its range.

    >>> mean_inverse(2, 0.7)  # (2 · 0.7 · 0.3 + 0.49 / 2) / 0.91
    0.730769230769...
    """
    refuse_trials("mean_inverse", n, share)
    if share == 1:
        return 1 / n
    return inverse_series(n, share)[0] if n * share > _SUMMED else inverse_sum(n, share)


def inverse_sum(n: int, share: float) -> float:
    """Sum 1/N over the bulk of the binomial law.

    >>> inverse_sum(1, 0.25)
    1.0
    """
    reach = 14 * math.sqrt(n * share * (1 - share)) + 60
    mode = (n + 1) * share
    count = np.arange(max(1, int(mode - reach)), min(n, int(mode + reach)) + 1, dtype=float)
    ratio = np.log((n - count[:-1]) / (count[:-1] + 1)) + math.log(share / (1 - share))
    log = np.concatenate([[0.0], np.cumsum(ratio)])
    mass = np.exp(log - log.max())
    return float((mass / count).sum() / mass.sum())


def inverse_series(n: int, share: float) -> tuple[float, float]:
    """Σ_i (i − 1)! / ((n + 1)…(n + i) share^i) (Stephan, 1945), and a bound on its error.

    After t terms 1/N is short by t!/(N (N + 1)…(N + t)), at most (t + 2) t!/((N + 1)…(N + t + 1))
    for N ≥ 1, whose mean is at most (t + 2) t!/((n + 1)…(n + t + 1) share^(t+1)). The series is cut
    where this is below 10^−18 of its first term. Taking N = 0 in adds less than P(N = 0) (1 + t)
    and a lower tail of the shifted binomials; with a mean count above 100 both are below 10^−20.

    Returns
    -------
    value, bound : float

    >>> value, bound = inverse_series(10**9, 0.5)
    >>> value * 10**9, bound < 1e-25
    (2.000000002..., True)
    """
    value, term, size = 0.0, 1 / ((n + 1) * share), 1.0
    for i in range(1, 40):
        value += term
        term *= i / ((n + i + 1) * share)
        size = (i + 2) * term
        if size <= _CLOSE * value:
            break
    return value, size


def refuse_trials(where: str, n: int, share: float) -> None:
    """Refuse an invalid number of trials or an invalid chance.

    Raises
    ------
    InputError
        If n is below one or the share is not in (0, 1].

    >>> refuse_trials("mean_inverse", 3, 0.5)
    """
    if n < 1 or not 0 < share <= 1:
        raise InputError(where, got=(n, share), allowed="n in [1, ∞) and a share in (0, 1]")


def right_inverse(matrix: Floats) -> Floats:
    """G with matrix · G = 1, weighted so that estimated shares always sum to one.

    G = W⁻¹Qᵀ(QW⁻¹Qᵀ)⁻¹ with W the mean chance of each report: weighted least squares at equal
    shares.

    Parameters
    ----------
    matrix : array, shape (k, m)
        Of full row rank, without impossible reports.

    >>> right_inverse(np.array([[0.75, 0.25], [0.25, 0.75]])).round(9).tolist()
    [[1.5, -0.5], [-0.5, 1.5]]
    """
    weighted = matrix.T / matrix.mean(axis=0)[:, None]
    return np.linalg.solve((matrix @ weighted).T, weighted.T).T


@final
class ShareEstimator(Enum):
    """How shares of answers are estimated from reports.

    >>> import askance as ak
    >>> q = ak.Warner(truth="3/4").channel(ak.Frame(["yes", "no"]))
    >>> fit = ak.estimate(ak.Tally(q, {"yes": 40, "no": 60}))
    >>> fit.estimator is ak.inference.ShareEstimator.CLIPPED_INVERSION
    True
    """

    CLIPPED_INVERSION = "clipped inversion, the most likely shares"
    UNBIASED_INVERSION = "unbiased inversion of the channel"
    MAXIMUM_LIKELIHOOD = "maximum likelihood, Newton on the active set"
    PSEUDO_LIKELIHOOD = "weighted pseudo-likelihood"
    LIKELIHOOD_OF_SETS = "likelihood of the answers behind replies"
    BY_GROUP = "each group by itself, weighted by its size"
    NONE = "none"


@final
@listed
@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class Estimate:
    """The estimated share of each answer in the population that answered.

    Attributes
    ----------
    title : str
        What the shares are of.
    labels : tuple of str
        The k answers.
    value : array, shape (k,)
        Estimated shares; not a number where nothing was learnt.
    covariance : array, shape (k, k)
        Their estimated covariance.
    lower, upper : array, shape (k,)
        Ends of the interval of each share, inside [0, 1] and never empty.
    level : float
        How often such an interval holds the true share.
    reports : int
        Reports that say anything: those whose chance depends on the answer.
    effective_sample_size : array, shape (k,)
        The number of direct, truthful answers with the same precision; at most ``reports``.
    estimator : ShareEstimator
    design_variance : DesignVariance, optional
        What design-based errors rest on: with sampling weights.
    convergence : Convergence
    gap : float
        At most this much mean log-likelihood per report is missing to the maximum; not a number
        for closed forms.
    goodness_of_fit : GoodnessOfFit
        Whether the channel can have sent these reports at all.
    """

    computation: ClassVar[Computation] = Computation.SHARES
    title: str = "share of each answer"
    labels: tuple[str, ...]
    value: Floats
    covariance: Floats
    lower: Floats
    upper: Floats
    level: float
    reports: int
    effective_sample_size: Floats
    estimator: ShareEstimator
    design_variance: DesignVariance | None = None
    convergence: Convergence
    gap: float = field(default=float("nan"))
    goodness_of_fit: GoodnessOfFit

    @property
    def se(self) -> Floats:
        """Standard error of each share, shape (k,)."""
        return read_only(np.sqrt(np.diag(self.covariance).clip(0)))  # below 0 by rounding

    @property
    def method(self) -> str:
        """The estimator and the source of design-based errors, in words."""
        if self.design_variance is None:
            return self.estimator.value
        return f"{self.estimator.value}, {self.design_variance.describe(' of counts')}"

    def to_dict(self) -> Json:
        """Write the estimate for JSON: lists for arrays, None where there is no number."""
        names = (
            "title labels value se covariance lower upper level reports "
            "plain=effective_sample_size method gap"
        )
        return json_of(self, names) | self.convergence.to_dict() | json_of(self, "goodness_of_fit")

    def _table(self) -> Listing:
        percent = f"{100 * self.level:g} %"
        head = ["answer", "share", "se", f"{percent} from", "to", "plain answers"]
        columns = (self.value, self.se, self.lower, self.upper)
        rows = [
            [
                label,
                *(number(column[i]) for column in columns),
                f"{self.effective_sample_size[i]:,.0f}",
            ]
            for i, label in enumerate(self.labels)
        ]
        notes = [f"{counted(self.reports, 'report')}; {self.method}; {self.convergence.value}"]
        return self.title, head, rows, [*notes, *self.goodness_of_fit.misfit]

    def _chart(self) -> Chart:
        """Describe the share of each answer with its interval, the first answer on top."""
        return rows_chart(
            self.labels,
            self.value,
            (self.lower, self.upper),
            level=self.level,
            x=Axis(name=self.title, limits=(0, 1)),
            y="answer",
        )

    plot = draw_result
    plot_data = chart_frame
    to_frame = result_frame
    __arrow_c_stream__ = result_stream
