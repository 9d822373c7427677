"""Trade-off curves: how few misses a test can have at each chance of a false alarm."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, final

import numpy as np
import numpy.typing as npt

from askance.channels.canvas import axes
from askance.channels.listing import Listing, listed, number
from askance.channels.readonly import read_only
from askance.errors import InputError
from askance.exact.ratio import chance
from askance.privacy.tradeoffs.piecewise import (
    Exact,
    Number,
    Point,
    ascending,
    lower_hull,
    together,
    values_at,
)
from askance.typing import Floats, Json

_SHOWN = 24
_LINE = {"linewidth": 1.5, "clip_on": False, "zorder": 3}


@final
@listed
@dataclass(frozen=True, slots=True, init=False, eq=False, repr=False)
class Curve:
    """The type II error β that goes with each type I error α, linear between knots.

    Someone who must tell from a report whether the answer is x or x′ accuses wrongly with chance α
    and misses with chance β. The curve need not be convex. A higher curve is more private; 1 − α is
    blind guessing.

    Parameters
    ----------
    knots : sequence of pairs, or array of shape (m, 2)
        Points (α, β): α ascending from 0 to 1, β never rising, both chances. Where all numbers are
        fractions or integers they are kept exactly.

    Attributes
    ----------
    knots : array, shape (m, 2)
    exact : tuple of pairs of Fraction, or None
        The same, exactly, with no knot that a straight line makes needless.

    Raises
    ------
    InputError
        If there are fewer than two knots, or they are not such a curve.

    References
    ----------
    Dong, Roth & Su (2022), Definition 2.1.

    >>> curve = Curve([(0, 1), (Fraction(1, 4), Fraction(1, 4)), (1, 0)])
    >>> curve.beta(0.05), curve.exactly("1/20"), curve.advantage
    (0.85, Fraction(17, 20), Fraction(1, 2))
    """

    knots: Floats
    exact: Exact | None

    def __init__(self, knots: Sequence[Point] | npt.ArrayLike) -> None:
        pairs = _pairs(knots)
        wrong = _fault(pairs)
        if wrong:
            raise InputError(
                "Curve.knots",
                got=wrong,
                allowed="two or more pairs (α, β): α strictly ascending from 0 to 1, "
                "β in [0, 1] and never rising",
            )
        exact = _bare(pairs)
        values = pairs if exact is None else np.array(exact, dtype=np.float64)
        object.__setattr__(self, "knots", read_only(values))
        object.__setattr__(self, "exact", exact)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Curve):
            return NotImplemented
        return self.exact == other.exact and np.array_equal(self.knots, other.knots)

    def __hash__(self) -> int:
        return hash(self.knots.tobytes())

    def beta(self, alpha: npt.ArrayLike) -> Any:
        """Give the type II error at a type I error.

        Parameters
        ----------
        alpha : float or array_like
            Chances.

        Returns
        -------
        float or array of the shape of ``alpha``

        Raises
        ------
        InputError
            If a number is not in [0, 1].
        """
        at = np.asarray(alpha, dtype=np.float64)
        if not np.all((at >= 0) & (at <= 1)):
            raise InputError("Curve.beta", got=alpha, allowed="chances in [0, 1]")
        found = np.interp(at, self.knots[:, 0], self.knots[:, 1])
        return found if at.ndim else float(found)

    def exactly(self, alpha: object) -> Fraction:
        """Give the type II error of the knots as they are, in exact arithmetic.

        Raises
        ------
        InputError
            If α is not a number in [0, 1].
        """
        return Fraction(values_at(self.points(), [chance(alpha, "Curve.exactly")])[0])

    def points(self) -> Exact:
        """List the knots as fractions: those given, or the doubles as they are."""
        if self.exact is not None:
            return self.exact
        return tuple((Fraction(a), Fraction(b)) for a, b in self.knots.tolist())

    @property
    def advantage(self) -> Number:
        """The most that 1 − α − β reaches: the total variation distance on a convex curve.

        References
        ----------
        Dong, Roth & Su (2022), section 2.
        """
        if self.exact is not None:
            return max(1 - a - b for a, b in self.exact)
        return float((1 - self.knots.sum(axis=1)).max())

    @property
    def convex(self) -> bool:
        """Whether no mixture of two tests would beat the curve."""
        return self.hull().at_least(self)

    def at_least(self, other: "Curve") -> bool:
        """Say whether this curve lies nowhere below another: it is at least as private.

        Compared exactly, on the knots of both as they are stored.
        """
        return all(mine >= its for _, mine, its in together(self.points(), other.points()))

    def minimum(self, other: "Curve") -> "Curve":
        """Give the lower of two curves at each α: what holds when either test may be used."""
        return self._with(other, min)

    def maximum(self, other: "Curve") -> "Curve":
        """Give the higher of two curves at each α: two bounds that both hold."""
        return self._with(other, max)

    def _with(self, other: "Curve", pick: Callable[..., Any]) -> "Curve":
        points = [(a, pick(b, c)) for a, b, c in together(self.points(), other.points())]
        if self.exact is None or other.exact is None:
            return Curve(ascending((float(a), float(b)) for a, b in points))
        return Curve(points)

    def turned(self) -> "Curve":
        """Give 1 − β(1 − α): a bound on errors, turned into a bound from the other side."""
        turned = [(1 - a, 1 - b) for a, b in reversed(self.exact or self.knots.tolist())]
        return Curve(turned)

    def hull(self) -> "Curve":
        """Give the greatest convex curve that is nowhere above: what mixing tests attains."""
        return Curve(lower_hull(self.exact or [(a, b) for a, b in self.knots.tolist()]))

    def to_dict(self) -> Json:
        """Write the curve for JSON; fractions as strings where it is exact."""
        exact = None if self.exact is None else [[str(a), str(b)] for a, b in self.exact]
        return {"knots": self.knots.tolist(), "exact": exact}

    def _table(self) -> Listing:
        written = self.exact or self.knots.tolist()
        rows = [[number(float(a)), number(float(b))] for a, b in written]
        if len(rows) > _SHOWN:
            rows = [*rows[: _SHOWN // 2], ["…", ""], *rows[1 - _SHOWN // 2 :]]
        notes = [f"advantage {number(float(self.advantage))}"]
        return "trade-off curve", ["false alarm α", "miss β"], rows, notes

    def plot(self, ax: Any = None, **style: Any) -> Any:
        """Draw the curve, and blind guessing on axes that are still empty.

        Parameters
        ----------
        ax : matplotlib axes, optional
        **style
            How the line looks and what it is called, as for ``ax.plot``.

        Raises
        ------
        MissingExtra
            If no axes are given and matplotlib is not installed.
        """
        ax = axes(ax)
        if not ax.lines:
            ax.plot([0, 1], [1, 0], linestyle=":", linewidth=1, color="grey")
            ax.set(xlim=(0, 1), ylim=(0, 1.005), aspect="equal")
            ax.set_xlabel("type I error α: false alarm")
            ax.set_ylabel("type II error β: miss")
        ax.plot(self.knots[:, 0], self.knots[:, 1], **_LINE | style)
        return ax


def _pairs(knots: Any) -> npt.NDArray[Any]:
    """Hold exact numbers as objects, all others as doubles."""
    if isinstance(knots, np.ndarray):
        return knots.astype(np.float64)
    pairs = [tuple(pair) for pair in knots]
    exact = all(isinstance(value, Fraction | int) for pair in pairs for value in pair)
    return np.array(pairs, dtype=object if exact else np.float64)


def _fault(knots: npt.NDArray[Any]) -> str:
    if knots.ndim != 2 or knots.shape[1] != 2 or len(knots) < 2:
        return f"shape {knots.shape}"
    alpha, beta = knots.T
    if not (alpha[0] == 0 and alpha[-1] == 1 and (np.diff(alpha) > 0).all()):
        return f"α from {alpha[0]} to {alpha[-1]}, ascending or not"
    if not ((beta >= 0) & (beta <= 1)).all():
        return "β outside [0, 1]"
    return "" if (np.diff(beta) <= 0).all() else "β that rises"


def _bare(knots: npt.NDArray[Any]) -> Exact | None:
    """Drop the knots that lie on the straight line between their neighbours."""
    if knots.dtype != object:
        return None
    kept: list[tuple[Fraction, Fraction]] = []
    for a, b in knots.tolist():
        while len(kept) > 1:
            (a0, b0), (a1, b1) = kept[-2:]
            if (b1 - b0) * (a - a0) != (b - b0) * (a1 - a0):
                break
            kept.pop()
        kept.append((Fraction(a), Fraction(b)))
    return tuple(kept)
