"""Samples drawn with unequal chances: the variance of totals by joint inclusion probabilities.

Where it is known how likely any two people were to be drawn together, the variance needs no strata
and no clusters. Where only each one's own chance is known, and as many are drawn each time, it is
nearly that of the residuals of one regression.
"""

import hashlib
from dataclasses import dataclass
from typing import Any, Literal, final

import numpy as np
import numpy.typing as npt

from askance.inference.sampling_design import (
    AbstractSamplingDesign,
    SamplingDesign,
    read_membership,
    score_table,
    with_weights,
)
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
from askance.typing import Booleans, Floats, Json
from askance_collect.arguments import checked
from askance_collect.errors import InputError

_TOLERANCE = 1e-9  # chances that are equal but for rounding
_ROUNDED = 1e-12  # of what is added up: a variance that is 0 but for rounding


@final
@listed
@dataclass(frozen=True, slots=True, init=False, eq=False, repr=False)
class JointInclusion(AbstractSamplingDesign):
    r"""Unequal probability sampling: the variance of Horvitz–Thompson totals.

    .. math:: \hat V = -\tfrac12 \sum_{i,j} \frac{\pi_{ij} - \pi_i \pi_j}{\pi_{ij}}
              (z_i - z_j)(z_i - z_j)^T, \qquad z_i = s_i / \pi_i

    by Yates and Grundy, where as many are drawn each time; by Horvitz and Thompson the sum of the
    same fractions times z_i z_jᵀ, π_ii = π_i. Without joint probabilities Hájek's approximation:

    .. math:: \hat V = \frac{n}{n - 1} \sum_i (1 - \pi_i)(z_i - B)(z_i - B)^T, \qquad
              B = \frac{\sum_i (1 - \pi_i) z_i}{\sum_i (1 - \pi_i)}

    Parameters
    ----------
    probabilities : array_like, shape (n,)
        π_i, how likely each person was to be drawn.
    joint : array_like, shape (n, n), optional
        π_ij, how likely two were to be drawn together; the diagonal is π_i. Hájek's approximation
        if left out, for samples of high entropy and of a size that is fixed.
    by : {"yates-grundy", "horvitz-thompson"}
        Which variance; the second is for samples whose size is drawn too.

    Attributes
    ----------
    weights : array, shape (n,)
        1/π_i; 0 outside the domain.
    sampling_fraction : array, shape (n,)
        π_i.
    df : float
        People of positive weight, less one.

    Raises
    ------
    InputError
        If a chance is not in (0, 1], two people have none to be drawn together, or a joint chance
        is larger than one of the two.

    References
    ----------
    Horvitz & Thompson (1952); Yates & Grundy (1953); Hájek (1964).

    >>> import askance as ak
    >>> three = ak.inference.JointInclusion([0.5, 0.5, 0.5], [[0.5, 0.2, 0.2]] * 3)
    Traceback (most recent call last):
    askance_collect.errors.InputError: JointInclusion.joint: got 'another diagonal, or sides that...
    >>> joint = [[0.5, 0.2, 0.2], [0.2, 0.5, 0.2], [0.2, 0.2, 0.5]]  # three of six
    >>> three = ak.inference.JointInclusion([0.5, 0.5, 0.5], joint)
    >>> three.covariance([[1], [2], [6]]).round(6).tolist()
    [[42.0]]
    >>> simple = ak.inference.SamplingDesign(fpc=[6, 6, 6])
    >>> simple.covariance([[1], [2], [6]]).round(6).tolist()
    [[42.0]]
    """

    weights: Floats
    sampling_fraction: Floats
    joint: Floats | None
    by: Literal["yates-grundy", "horvitz-thompson"]

    @checked
    def __init__(
        self,
        probabilities: npt.ArrayLike,
        joint: npt.ArrayLike | None = None,
        *,
        by: Literal["yates-grundy", "horvitz-thompson"] = "yates-grundy",
    ) -> None:
        own = numbers(probabilities, "JointInclusion.probabilities")
        if own.ndim != 1 or len(own) < 2 or not ((own > 0) & (own <= 1)).all():
            raise InputError(
                "JointInclusion.probabilities",
                got=f"shape {own.shape}, or chances outside",
                allowed="a chance in (0, 1] for each of two people or more",
            )
        if joint is None and by == "horvitz-thompson":
            raise InputError(
                "JointInclusion.by", got=by, allowed="joint probabilities beside it, or the other"
            )
        together = None if joint is None else read_only(_read_joint(joint, own))
        values = read_only(1 / own), read_only(own), together, by
        for name, value in zip(self.__slots__, values, strict=True):
            object.__setattr__(self, name, value)

    @property
    def df(self) -> float:
        """Degrees of freedom: people of positive weight, less one."""
        return float(np.count_nonzero(self.weights) - 1)

    @property
    def mark(self) -> str:
        """SHA-256 of the inclusion probabilities, which identifies the sample."""
        digest = hashlib.sha256(np.ascontiguousarray(self.sampling_fraction).tobytes())
        if self.joint is not None:
            digest.update(np.ascontiguousarray(self.joint).tobytes())
        return digest.hexdigest()

    def covariance(self, scores: npt.ArrayLike) -> Floats:
        """Estimate the covariance of the weighted totals of scores.

        Parameters
        ----------
        scores : array_like, shape (n, p)
            Of each row, not weighted.

        Returns
        -------
        array, shape (p, p)

        Raises
        ------
        InputError
            If some total's variance comes out negative, as estimates by joint chances may.
        """
        weighed = score_table(scores, self.n) * self.weights[:, None]
        if self.joint is None:
            unsampled = 1 - self.sampling_fraction
            total = unsampled.sum()
            deviations = weighed - (unsampled @ weighed / total if total else 0.0)
            return (deviations * unsampled[:, None]).T @ deviations * (self.n / (self.n - 1))
        factors = pair_factors(self)
        spread: Floats = weighed.T @ factors @ weighed
        size = float(np.abs(factors).sum(axis=1).max() * (weighed**2).sum())
        spread = (spread + spread.T) / 2
        refuse_negative(self, np.asarray(np.linalg.eigvalsh(spread), dtype=np.float64), size)
        return spread

    def domain(self, members: npt.ArrayLike) -> "JointInclusion":
        """Count only some of the people; all stay in the sample.

        Parameters
        ----------
        members : array_like of bool, shape (n,)
        """
        is_member: Booleans = read_membership(members, self.n)
        sampling = object.__new__(JointInclusion)
        values = read_only(self.weights * is_member), self.sampling_fraction, self.joint, self.by
        for name, value in zip(self.__slots__, values, strict=True):
            object.__setattr__(sampling, name, value)
        return sampling

    def with_replacement(self) -> SamplingDesign:
        """The same weights, as if people had been drawn with replacement.

        >>> import askance as ak
        >>> ak.inference.JointInclusion([0.5, 0.2]).with_replacement().weights.tolist()
        [2.0, 5.0]
        """
        return with_weights(SamplingDesign(weights=1 / self.sampling_fraction), self.weights)

    def to_dict(self) -> Json:
        """Write the size of the sample for JSON."""
        return dict(plain_json(self._frame()[0]))

    def _frame(self) -> list[dict[str, Any]]:
        return [{"rows": self.n, "weights": float(self.weights.sum()), "df": float(self.df)}]

    def _table(self) -> Listing:
        note = "joint probabilities, " + self.by if self.joint is not None else "Hájek's variance"
        row = [f"{self.n:,}", number(float(self.weights.sum()), 6), number(self.df)]
        return "unequal probabilities", ["rows", "weights", "degrees of freedom"], [row], [note]

    to_frame = result_frame
    __arrow_c_stream__ = result_stream


def pair_factors(sampling: JointInclusion) -> Floats:
    """Coefficients of products of two people's weighted scores, shape (n, n).

    >>> pair_factors(JointInclusion([0.5, 0.5], [[0.5, 0.2], [0.2, 0.5]])).round(9).tolist()
    [[0.25, -0.25], [-0.25, 0.25]]
    """
    assert sampling.joint is not None
    factors: Floats = (
        1 - np.outer(sampling.sampling_fraction, sampling.sampling_fraction) / sampling.joint
    )
    if sampling.by == "yates-grundy":
        factors[np.diag_indices(sampling.n)] -= factors.sum(axis=1)
    return factors


def refuse_negative(sampling: JointInclusion, variances: Floats, size: float) -> None:
    """Refuse a negative variance estimate.

    Parameters
    ----------
    sampling : JointInclusion
    variances : array
    size : float
        Of what was added up.

    Raises
    ------
    InputError
        If one is negative, not by rounding alone.
    """
    if variances.min(initial=0.0) >= -_ROUNDED * size:
        return
    other = ", or take by='yates-grundy'" if sampling.by == "horvitz-thompson" else ""
    raise InputError(
        "JointInclusion.covariance",
        got=f"a negative variance by {sampling.by}",
        allowed="scores whose variance these joint chances estimate to be 0 or more",
        remedy=f"leave joint out for Hájek's variance{other}",
    )


def _read_joint(joint: Any, own: Floats) -> Floats:
    """Read joint inclusion probabilities, and refuse impossible ones."""
    where, n = "JointInclusion.joint", len(own)
    table = numbers(joint, where)
    if table.shape != (n, n):
        raise InputError(where, got=f"shape {table.shape}", allowed=f"{(n, n)}")
    if (
        np.abs(table - table.T).max() > _TOLERANCE
        or np.abs(np.diag(table) - own).max() > _TOLERANCE
    ):
        raise InputError(
            where,
            got="another diagonal, or sides that differ",
            allowed="a symmetric table with each one's own chance on the diagonal",
        )
    wrong = ~((table > 0) & (table <= np.minimum.outer(own, own) + _TOLERANCE))
    if wrong.any():
        first, second = np.argwhere(wrong)[0].tolist()
        raise InputError(
            f"{where}[{first}, {second}]",
            got=float(table[first, second]),
            allowed="more than 0, and no more than either one's own chance",
            remedy="where two could not be drawn together no variance can be estimated",
        )
    return table
