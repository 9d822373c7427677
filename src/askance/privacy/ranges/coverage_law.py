"""How wide the single ranges are: the law of the individual coverage, and what it averages to."""

from dataclasses import dataclass
from typing import Any, final

import numpy as np
import numpy.typing as npt

from askance.arguments import checked
from askance.channels.canvas import axes
from askance.channels.continuous import continuous_law
from askance.channels.cut_law import CutLaw
from askance.channels.line_channel import AbstractRangeChannel
from askance.channels.listing import Listing, counted, listed, number
from askance.channels.ranges import Ranges
from askance.channels.readonly import doubles, json_of, read_only
from askance.errors import InputError
from askance.privacy.ranges.line_coverage import step_chances
from askance.privacy.ranges.quantile_grid import cells_of
from askance.typing import Floats, Json

_SHOWN = (0.0, 0.05, 0.25, 0.5, 0.75, 0.95)


@final
@listed
@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class CoverageLaw:
    """How likely each individual coverage is: the share of the population inside one's range.

    Attributes
    ----------
    values, chances : array, shape (c,)
        Individual coverages, ascending, and how likely each is.
    n : float
        How many reports it was counted from; 0 if it was computed from a mechanism.

    >>> CoverageLaw(values=[0.25, 0.75], chances=[0.25, 0.75], n=0)
    individual coverage
    share of people  coverage at most
    least                        0.25
    5 %                          0.25
    25 %                         0.25
    50 %                         0.75
    75 %                         0.75
    95 %                         0.75
    mean 0.625
    """

    values: Floats
    chances: Floats
    n: float

    def __post_init__(self) -> None:
        order = np.argsort(self.values, kind="stable")
        for name in ("values", "chances"):
            object.__setattr__(self, name, read_only(np.asarray(getattr(self, name))[order]))

    @property
    def mean(self) -> float:
        """The coverage τ; 1 − τ is the leakage."""
        return float(self.values @ self.chances)

    @property
    def least(self) -> float:
        """The least individual coverage that can occur: the floor."""
        return float(self.values[self.chances > 0][0])

    @property
    def se(self) -> float:
        r"""A standard error of the mean, if counted from reports; NaN otherwise.

        .. math:: 2\,\mathrm{sd} / \sqrt n

        Twice the usual: the distribution was fitted to the same reports. The efficient influence
        of the fitted distribution is a projection of F(R) − τ, so it can at most double the error.
        """
        spread = float(self.chances @ (self.values - self.mean) ** 2)
        return 2 * float(np.sqrt(spread / self.n)) if self.n > 0 else float("nan")

    def quantile(self, share: npt.ArrayLike) -> Floats:
        """Give the individual coverage that this share of people do not exceed.

        Raises
        ------
        InputError
            If a share is outside [0, 1].
        """
        asked = doubles(share, "CoverageLaw.quantile.share")
        if not ((asked >= 0) & (asked <= 1)).all():
            raise InputError("CoverageLaw.quantile.share", got=share, allowed="shares in [0, 1]")
        possible = self.chances > 0
        upto = np.cumsum(self.chances[possible])
        at = np.searchsorted(upto, asked - 1e-12)
        return read_only(self.values[possible][np.minimum(at, len(upto) - 1)])

    def plot(self, ax: Any = None) -> Any:
        """Draw the histogram, with the mean as a triangle on the axis.

        Raises
        ------
        MissingExtra
            If no axes are given and matplotlib is not installed.
        """
        ax = axes(ax)
        ax.hist(self.values, bins=np.linspace(0, 1, 21).tolist(), weights=self.chances)
        ax.plot(self.mean, 0, "^", color="black", clip_on=False, zorder=5)
        ax.set(
            xlim=(0, 1),
            ylim=(0, None),
            xlabel="share of all people inside one's range (triangle: mean)",
            ylabel="chance",
        )
        return ax

    def to_dict(self) -> Json:
        """Write the law for JSON; None is a number that is not known."""
        return json_of(self, "values chances n mean least se")

    def _table(self) -> Listing:
        found = self.quantile(_SHOWN)
        names = ["least", *(f"{100 * share:g} %" for share in _SHOWN[1:])]
        rows = [[name, number(float(at))] for name, at in zip(names, found, strict=True)]
        mean = f"mean {number(self.mean)}"
        note = (
            f"{mean} ± {number(self.se, 2)} (s.e.), {counted(self.n, 'report')}" if self.n else mean
        )
        return "individual coverage", ["share of people", "coverage at most"], rows, [note]


@checked
def coverage_law(
    reports: AbstractRangeChannel | CutLaw | Ranges, distribution: Any = None
) -> CoverageLaw:
    """Give the law of the individual coverage: how much of the population single ranges hold.

    Parameters
    ----------
    reports : RangeChannel, RingChannel, OpenCellChannel, CutLaw or Ranges
        A mechanism before it is used, or reports that were received. For a law of cuts, answers
        are told apart by 512 quantiles.
    distribution : sequence of float, distribution or fit, optional
        Of the answers, as for `coverage`; of reports, anything with a ``cdf``, such as the
        `Distribution` that `npmle` fitted to them: the mean then estimates the coverage
        consistently. With few reports it comes out too high, since the fit favours the ranges sent.

    Raises
    ------
    InputError
        If there is no report, or the distribution is none.

    References
    ----------
    Ding & Ding (2022), Implication 3 of Definition 1, and the estimator below Theorem 1.

    >>> from scipy import stats
    >>> law = coverage_law(CutLaw(stats.uniform()), stats.uniform())
    >>> round(law.mean, 3), law.quantile(0.5).round(2).tolist()
    (0.667, 0.71)
    >>> sent = Ranges([-np.inf, 0.2], [0.2, np.inf], weights=[1, 3])
    >>> round(coverage_law(sent, stats.uniform()).mean, 12)
    0.65
    """
    if isinstance(reports, Ranges):
        return _received(reports, distribution)
    if isinstance(reports, CutLaw):
        law = continuous_law(distribution, "coverage_law.distribution")
        values, chances = cells_of(reports, law)
        return CoverageLaw(values=values, chances=chances, n=0.0)
    return _deployed(reports, step_chances(reports.line, distribution))


def _deployed(channel: AbstractRangeChannel, p: Floats) -> CoverageLaw:
    ends, chances = channel.cells()
    values, silent = channel.inside(ends, p), float(p @ (1 - channel.heard()))
    return CoverageLaw(
        values=np.append(values, 1.0), chances=np.append(chances * values, silent), n=0.0
    )


def _received(ranges: Ranges, distribution: Any) -> CoverageLaw:
    if not ranges.total > 0:
        raise InputError("Ranges", got="no range", allowed="at least one with a positive weight")
    cdf = getattr(distribution, "cdf", None)
    if cdf is None:
        cdf = continuous_law(distribution, "coverage_law.distribution").cdf
    low, high = (
        np.where(np.isneginf(end), 0.0, np.where(np.isposinf(end), 1.0, cdf(end)))
        for end in (ranges.lower, ranges.upper)
    )
    held = np.add.reduceat(high - low, ranges.starts[:-1])
    return CoverageLaw(values=held, chances=ranges.weights / ranges.total, n=ranges.total)
