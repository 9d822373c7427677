"""How weighted frequencies of reports vary with who was drawn, and what follows from that.

Ends of bounds are linearised in the frequencies; deviances are sums of squares that count as their
design effects say (Rao & Scott, 1984).
"""

import math
from dataclasses import dataclass
from typing import Any, final

import numpy as np

from askance.channels.sampled_counts import correlation
from askance.results import keep_read_only, normal_quantile, student_quantile
from askance.typing import Booleans, Floats, Integers

_RANK = 1e-10


@final
@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class SampledLaw:
    """The law of the weighted frequencies f_j = W_j / W of n reports of a sample.

    Attributes
    ----------
    frequency : array, shape (m,)
    covariance : array, shape (m, m)
        Of the W_j, over W²: who was drawn.
    repeated : array, shape (m,)
        Σ f w² over those who sent each report, over W²: what a finite-population correction took
        of what the channel draws.
    counts : array of int, shape (m,)
        People who sent each report.
    squares : array, shape (m,)
        Their Σ w², over W².
    n : int
    kish : float
        Reports of equal weight that would vary as much as these weights do: (Σ w)² / Σ w².
    df : float
        Degrees of freedom; infinite with weights alone, of people drawn with replacement, but 0 of
        one report by itself, which does not tell how reports vary.
    is_design_based : bool
        Whether more than weights is known.
    replicates : int
        Over how many replicates the covariance was found; 0 if over none.
    """

    frequency: Floats
    covariance: Floats
    repeated: Floats
    counts: Integers
    squares: Floats
    n: int
    kish: float
    df: float
    is_design_based: bool
    replicates: int

    def __post_init__(self) -> None:
        keep_read_only(self, "frequency covariance repeated counts squares")

    @classmethod
    def of(cls, tally: Any) -> "SampledLaw | None":
        """Read the law from a tally; None without weights, or without a report that counts."""
        weights, squares, n = tally.weights, tally.squares, tally.total
        if weights is None or squares is None or not weights.sum():
            return None
        total = float(weights.sum())
        sample = tally.sample
        if sample is None:
            covariance = np.diag(squares) * (n / (n - 1) if n > 1 else 0.0)
        else:
            covariance = sample.covariance
        back = np.zeros(len(weights)) if sample is None else sample.fpc_squares
        return cls(
            frequency=weights / total,
            covariance=covariance / total**2,
            repeated=back / total**2,
            counts=tally.counts,
            squares=squares / total**2,
            n=n,
            kish=total**2 / float(squares.sum()),
            df=(math.inf if n > 1 else 0.0) if sample is None else sample.df,
            is_design_based=sample is not None,
            replicates=0 if sample is None else sample.replicates,
        )

    def end(self, rows: Floats, shares: Floats, slope: Floats) -> tuple[float, float]:
        r"""Variance of an end of the identified set, and its design effect.

        The most likely chances P move with the frequencies of reports that say something, whose
        number is given, as :math:`B (B^T D^{-1} B)^{-1} B^T D'^{-1} df`, with B what changes of
        shares do to the chances, D' = diag(P) and D = diag(P²/f), by the information observed; the
        end moves with P by its slope. The effect is over the same variance of as many people drawn
        alike, so that it is 1 of these. Where the frequencies are none that shares can send they
        vary less than such: D is then diag(P), and the variance that of these, times the effect.
        With weights alone the effect is at least 1, and of one report by itself the variance is not
        a number.

        Parameters
        ----------
        rows : array, shape (m, k)
        shares : array, shape (k,)
            A maximiser. Where one is exactly 0, and the frequencies are none that shares can
            send, it is taken as in `fisher_covariance`.
        slope : array, shape (m,)

        >>> import askance as ak
        >>> q = ak.KAry(truth=1).channel(ak.Frame(["yes", "no"]))
        >>> twice = {"yes": 40.0, "no": 160.0}
        >>> t = ak.Tally(q, {"yes": 20, "no": 80}, weights=twice, squares={"yes": 80, "no": 320})
        >>> law = SampledLaw.of(t)
        >>> variance, effect = law.end(q.matrix.T, np.array([0.2, 0.8]), np.array([1.0, 0.0]))
        >>> round(variance * 99, 9), round(effect, 6)  # 0.2 · 0.8
        (0.16, 1.0)
        """
        speaks = np.ptp(rows, axis=1) > _SAME * rows.max(axis=1)
        part, n = float(self.frequency[speaks].sum()), float(self.counts[speaks].sum())
        if not part:
            return 0.0, 1.0
        fits = bool(shares.min() > 0) or self._fits(rows @ shares, speaks)
        inner = shares if fits else (n * shares + 0.5) / (n + len(shares) / 2)
        can = np.flatnonzero(speaks & (rows @ inner > 0))
        chance, frequency = rows[can] @ inner, self.frequency[can] / part
        often = frequency if fits else chance / chance.sum()
        unit = tangent(rows)[can] / chance[:, None]
        moves = np.linalg.lstsq((unit * often[:, None]).T @ unit, unit.T @ (slope[can] * chance))[0]
        scores = unit @ moves
        plain = float(scores**2 @ often) / n
        scores = scores - float(frequency @ scores)
        back = channel_covariance(self.repeated, rows.T, inner)
        block = (self.covariance + back)[np.ix_(can, can)] / part**2
        variance = max(float(scores @ block @ scores), 0.0)
        simple = float(scores**2 @ frequency) / max(n - 1, 1.0)
        effect = n * float(self.squares[speaks].sum()) / part**2
        if simple > _NOTHING * max(plain, 1 / n) and variance > 0:
            effect = variance / simple
        if not self.is_design_based:
            effect = max(effect, 1.0)
        variance = variance if fits else plain * effect
        return variance if self.is_design_based or n > 1 else math.nan, effect

    def _fits(self, chance: Floats, speaks: Booleans) -> bool:
        """Whether the frequencies of the informative reports equal their fitted chances."""
        observed, due = self.frequency[speaks], chance[speaks]
        due = due * (observed.sum() / due.sum())
        return bool(np.abs(observed - due).max() <= _MISFIT * observed.sum())

    def worth(self, level: float, events: Floats | None = None) -> Floats:
        """Effective sample size of each frequency, in equally weighted reports, shape (e,).

        Student's law is wider than the normal one: as if there were fewer (Korn & Graubard, 1998).
        What a finite population took of the channel's draws is given back whole.

        Parameters
        ----------
        level : float
        events : array, shape (e, m), optional
            Ones for the reports that are counted together; each by itself if left out.
        """
        events = np.eye(len(self.frequency)) if events is None else events
        if self.df < 1:
            return np.zeros(len(events))
        frequency = events @ self.frequency
        deviations = events - frequency[:, None]
        variance = np.diag(deviations @ self.covariance @ deviations.T) + events @ self.repeated
        spread = frequency * (1 - frequency)
        worth = np.full(len(spread), self.kish)
        is_known = (spread > 0) & (variance > 0)
        worth[is_known] = spread[is_known] / variance[is_known]
        if not self.is_design_based:
            worth = np.minimum(worth, self.n)
        narrow = normal_quantile(level) / student_quantile(level, self.df)
        return np.asarray(worth * narrow**2, dtype=np.float64)

    def correlation(self, events: Integers) -> Floats:
        """How the frequencies of some reports go together, shape (e, e).

        What a finite population took of the channel's draws is given back whole, as in `worth`.
        """
        deviations = np.eye(len(self.frequency))[events] - self.frequency[events][:, None]
        covariance = deviations @ self.covariance @ deviations.T + np.diag(self.repeated[events])
        return correlation(np.asarray(covariance, dtype=np.float64))

    def spoken(self, chance: Floats, speaks: Booleans, group: Integers) -> Floats:
        """Observed over expected frequency of each kind of report, shape (m,).

        Reports that say something in one group together, others one by one: their number is given.
        What is multiplied by it has the model's chances given that.

        Parameters
        ----------
        chance : array, shape (m,)
        speaks : array of bool, shape (m,)
        group : array of int, shape (m,)
        """
        m = len(chance)
        kind = np.where(speaks, group, group.max(initial=0) + 1 + np.arange(m))
        came, due = np.bincount(kind, self.frequency), np.bincount(kind, chance)
        return np.divide(came, due, out=np.zeros(len(due)), where=due > 0)[kind]

    def effects(self, chance: Floats, fitted: Floats, wide: Floats | None = None) -> Floats:
        """Design effects of a deviance: λ of Σ λ χ², by which it is distributed if the model holds.

        Parameters
        ----------
        chance : array, shape (m,)
            Of the reports by the model.
        fitted : array, shape (m, d)
            The directions in which the model's chances move, and the sizes of groups.
        wide : array, shape (m, e), optional
            Those of the model with which it is compared; anything if left out.
        """
        can = chance > 0
        root = np.sqrt(chance[can])
        small = _projection(fitted[can] / root[:, None])
        large = np.eye(int(can.sum()))
        if wide is not None:
            large = _projection(np.concatenate([fitted, wide], axis=1)[can] / root[:, None])
        difference = large - small
        scaled = self.covariance[np.ix_(can, can)] / np.outer(root, root)
        eigenvalues = np.linalg.eigvalsh(difference @ scaled @ difference) * self.n
        many = round(float(np.trace(difference)))
        least = (
            0.0 if self.is_design_based else 1.0
        )  # as of an end: weights alone tell no more than counts
        return np.asarray(eigenvalues[len(eigenvalues) - many :].clip(least), dtype=np.float64)


_NOTHING = 1e-9  # of a variance: rounding
_SAME = 1e-12  # chances of a report that are equal but for rounding
_MISFIT = 1e-9  # of all reports: frequencies that are equal but for rounding


def tangent(rows: Floats) -> Floats:
    """Orthonormal basis of the changes of chances with shares that sum to one, shape (m, d).

    >>> tangent(np.array([[0.75, 0.25], [0.25, 0.75]])).shape
    (2, 1)
    """
    centred = rows - rows.mean(axis=1, keepdims=True)
    vectors, size, _ = np.linalg.svd(centred, full_matrices=False)
    return np.asarray(vectors[:, size > _RANK], dtype=np.float64)


def _projection(columns: Floats) -> Floats:
    vectors, size, _ = np.linalg.svd(columns, full_matrices=False)
    basis = vectors[:, size > _RANK * max(float(size.max(initial=0.0)), 1.0)]
    projection: Floats = basis @ basis.T
    return projection


def channel_covariance(repeated: Floats, rows: Floats, shares: Floats) -> Floats:
    """Covariance of the channel's randomisation that a finite-population correction removed.

    Σ_i f_i w_i² (diag q_i − q_i q_iᵀ) with q_i the chances of person i's reports: who is drawn is
    known better where a large part f of the population was, what the channel draws is not. Answers
    are taken as likely as the reports make them.

    Parameters
    ----------
    repeated : array, shape (m,)
        Σ f w² over those who sent each report.
    rows : array, shape (k, m)
    shares : array, shape (k,)

    >>> channel_covariance(np.array([1.0, 1.0]), np.array([[1.0, 0.0], [0.0, 1.0]]), np.ones(2) / 2)
    array([[0., 0.],
           [0., 0.]])
    """
    chance = shares @ rows
    back = np.divide(repeated, chance, out=np.zeros(len(chance)), where=chance > 0)
    people = shares * (rows @ back)
    return np.diag(people @ rows) - (rows * people[:, None]).T @ rows
