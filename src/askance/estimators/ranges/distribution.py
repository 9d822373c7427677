"""The distribution of an unseen number, known only up to where its mass lies inside intervals."""

from dataclasses import dataclass
from typing import Any, final

import numpy as np

from askance.channels.canvas import axes
from askance.channels.identified_range import told
from askance.channels.listing import counted, html_listing, listing, number
from askance.channels.readonly import json_of, keep_read_only, read_only
from askance.errors import InputError
from askance.estimators.outcome import Outcome
from askance.typing import Floats, Json

_ROUNDING = 1e-12


@final
@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class Distribution:
    """Masses on disjoint intervals ``(lower, upper]``; where inside them is not known.

    Attributes
    ----------
    lower, upper : array, shape (m,)
        Ends of the intervals in ascending order; infinite where no cut was drawn.
    mass : array, shape (m,)
        The mass of each, positive, summing to one.
    n : float
        How many numbers were observed, counting weights.
    gap : float
        At most this much mean log-likelihood is missing to the maximum.
    method : str
    outcome : Outcome
    unseen : tuple of (float, float)
        Parts of the line that no report can come from: the masses are shares of the rest.
    confounded : tuple of (float, float)
        Intervals of which only sums of masses can be learnt, however many reports there are; how
        they are divided here is one choice of many.
    """

    lower: Floats
    upper: Floats
    mass: Floats
    n: float
    gap: float
    method: str
    outcome: Outcome
    unseen: tuple[tuple[float, float], ...] = ()
    confounded: tuple[tuple[float, float], ...] = ()

    def __post_init__(self) -> None:
        keep_read_only(self, "lower upper mass")

    def cdf_bounds(self, at: Any) -> tuple[Floats, Floats]:
        """Bound the share of numbers up to each point.

        Parameters
        ----------
        at : array_like

        Returns
        -------
        low, high : arrays of the shape of ``at``
            Low counts the intervals that end by then, high those that have begun.
        """
        points, upto = np.asarray(at, dtype=float), np.concatenate([[0.0], np.cumsum(self.mass)])
        upto = np.minimum(upto / max(upto[-1], _ROUNDING), 1.0)
        low = upto[np.searchsorted(self.upper, points, side="right")]
        high = upto[np.searchsorted(self.lower, points, side="left")]
        return read_only(low), read_only(high)

    def cdf(self, at: Any) -> Floats:
        """Give the share of numbers up to each point, masses spread evenly over their intervals.

        A mass on an unbounded interval counts half inside it. The truth lies anywhere between
        `cdf_bounds`; this is one line through the middle, for a figure.
        """
        points = np.asarray(at, dtype=float)
        low, high = self.cdf_bounds(points)
        cell = np.searchsorted(self.upper, points, side="left").clip(0, len(self.upper) - 1)
        start, end = self.lower[cell], self.upper[cell]
        bounded = np.isfinite(start) & np.isfinite(end)
        width = np.where(bounded, end - start, 1.0)
        near = np.clip(points, start, end)
        part = np.where(bounded, (near - np.where(bounded, start, 0.0)) / width, 0.5)
        return read_only(low + (high - low) * part)

    def quantile(self, share: float) -> tuple[float, float]:
        """Bound the number that this share of the population does not exceed: ``(low, high]``.

        Raises
        ------
        InputError
            If the share is not in (0, 1].
        """
        if not 0 < share <= 1:
            raise InputError("quantile", got=share, allowed="a share in (0, 1]")
        upto = np.cumsum(self.mass)
        at = int(np.searchsorted(upto, share * upto[-1] * (1 - _ROUNDING)))
        at = min(at, len(self.mass) - 1)
        return float(self.lower[at]), float(self.upper[at])

    def mean_bounds(self, support: tuple[float, float] | None = None) -> tuple[float, float]:
        """Bound the mean: every mass at the lower end of its interval, then at the upper.

        Parameters
        ----------
        support : (float, float), optional
            Declared bounds of the number, which make unbounded intervals finite. Without them a
            mass on an unbounded interval makes the bound infinite.
        """
        low, high = support if support is not None else (-np.inf, np.inf)
        return (
            float(self.mass @ np.maximum(self.lower, low)),
            float(self.mass @ np.minimum(self.upper, high)),
        )

    def to_dict(self) -> Json:
        """Write the distribution for JSON; None is an end that is infinite."""
        names = "lower upper mass n gap method unseen confounded"
        return json_of(self, names) | self.outcome.to_dict()

    def __repr__(self) -> str:
        return listing(*self._table())

    def _repr_html_(self) -> str:
        return html_listing(*self._table())

    def _table(self) -> tuple[str, list[str], list[list[str]], list[str]]:
        upto = np.cumsum(self.mass)
        rows = [
            [told((low, high)), number(mass), number(share)]
            for low, high, mass, share in zip(self.lower, self.upper, self.mass, upto, strict=True)
        ]
        if len(rows) > 24:
            rows = [*rows[:12], ["…", "", ""], *rows[-11:]]
        notes = [
            f"{counted(self.n, 'range')}; {self.method}; gap {self.gap:.1e}; {self.outcome.value}"
        ]
        if self.unseen:
            notes.append(f"shares of the rest: nobody is heard of from {_listed(self.unseen)}")
        if self.confounded:
            notes.append(f"only sums are learnt of the shares in {_listed(self.confounded)}")
        return "distribution of an unseen number", ["interval", "mass", "up to"], rows, notes

    def plot(self, ax: Any = None) -> Any:
        """Draw the cumulative share, and shaded all that the ranges leave open.

        Intervals go on top: ``cdf_intervals(…).plot(fit.plot())``.

        Raises
        ------
        MissingExtra
            If no axes are given and matplotlib is not installed.
        """
        ax = axes(ax)
        ends = np.unique(np.concatenate([self.lower, self.upper]))
        ends = ends[np.isfinite(ends)]
        edges = self._framed(ends)
        low, high = self.cdf_bounds(edges)[0], self.cdf_bounds(np.append(edges[1:], edges[-1]))[1]
        ax.fill_between(edges, low, high, step="post", alpha=0.25, linewidth=0)
        ax.plot(ends, self.cdf(ends), linewidth=1.5)
        ax.set_xlim(edges[0], edges[-1])
        ax.set_ylim(0, 1)
        ax.set_ylabel("share up to here")
        return ax

    def _framed(self, ends: Floats) -> Floats:
        """Add a margin at both sides, in which masses without an end are seen."""
        first, last = (ends[0], ends[-1]) if len(ends) else (0.0, 1.0)
        margin = 0.05 * (last - first) or 0.5
        return np.concatenate([[first - margin], ends, [last + margin]])


def _listed(pieces: tuple[tuple[float, float], ...]) -> str:
    names = [told(piece) for piece in pieces]
    return ", ".join(names if len(names) <= 8 else [*names[:4], "…", *names[-3:]])
