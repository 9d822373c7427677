"""A share where nobody knows how vague reports were resolved: an interval, and its uncertainty."""

import math
from dataclasses import dataclass
from typing import Any, final

import numpy as np
from scipy.special import ndtr

from askance.arguments import checked
from askance.channels.channel import Channel, Tally
from askance.errors import InputError, NotIdentified
from askance.inference.shares.share_intervals import normal_quantile, wilson
from askance.results import Listing, axes, json_of, listed, number
from askance.typing import Json


@final
@listed
@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class WalleyInterval:
    """All shares of one answer that fit the reports, with what chance adds at either end.

    Attributes
    ----------
    label : str
        The answer.
    low, high : float
        The identified set, estimated: more reports do not make it narrower.
    lower, upper : float
        Holds the true share this often, wherever in the set it lies.
    outer_lower, outer_upper : float
        Holds the whole set this often.
    level : float
    reports : int
    """

    label: str
    low: float
    high: float
    lower: float
    upper: float
    outer_lower: float
    outer_upper: float
    level: float
    reports: int

    def to_dict(self) -> Json:
        """Write the interval for JSON."""
        return json_of(self)

    def _table(self) -> Listing:
        percent = f"{100 * self.level:g} %"
        ends = {
            "what fits the reports": (self.low, self.high),
            f"share, {percent}": (self.lower, self.upper),
            f"whole set, {percent}": (self.outer_lower, self.outer_upper),
        }
        rows = [[name, number(low), number(high)] for name, (low, high) in ends.items()]
        notes = [f"{self.reports:,} reports; how vague ones were resolved is not known"]
        return f"share of {self.label}", ["", "from", "to"], rows, notes

    def plot(self, ax: Any = None) -> Any:
        """Draw the identified set as a bar and the interval for the share as a line.

        Raises
        ------
        MissingExtra
            If no axes are given and matplotlib is not installed.
        """
        ax = axes(ax)
        ax.barh([0], [self.high - self.low], left=[self.low], height=0.5, alpha=0.35)
        ax.hlines([0], [self.lower], [self.upper], linewidth=2)
        ax.set_yticks([0], [self.label])
        ax.set_ylim(-1, 1)
        ax.set_xlim(0, 1)
        ax.set_xlabel(f"all shares that fit, and {100 * self.level:g} % interval")
        return ax


@final
@dataclass(frozen=True, slots=True)
class _Lines:
    """The least and greatest chance of a report that names the answer, as lines in its share."""

    belief: tuple[float, float]
    plausibility: tuple[float, float]

    def low(self, frequency: float) -> float:
        """Give the least share that fits: every vague report was resolved towards the answer."""
        without, given = self.plausibility
        return (frequency - without) / (given - without)

    def high(self, frequency: float) -> float:
        """Give the greatest share that fits: every one was resolved away from it."""
        without, given = self.belief
        return (frequency - without) / (given - without)

    @property
    def slope(self) -> float:
        """How fast the slower of the two rises."""
        return min(self.belief[1] - self.belief[0], self.plausibility[1] - self.plausibility[0])


@checked
def walley_interval(tally: Tally, level: float = 0.95) -> WalleyInterval:
    r"""Give all shares of the first of two answers that fit resolved reports.

    .. math:: \frac{f - q - r}{p - q} \le \pi \le \frac{f - q}{p - q}, \qquad r = 1 - p - q

    cut to [0, 1], for truth p, lie q and f the frequency of reports that name the answer, where
    every "don't know" was resolved to one of the answers and nobody knows how. In general f lies
    between the beliefs' and the plausibilities' average. The interval for the share takes the
    quantile of Imbens & Manski (2004), between one-sided and two-sided as the set is wide or
    narrow, with Wilson's interval of f. Both ends move with the same f, so that their order is
    certain and the quantile holds uniformly (Stoye 2009).

    Parameters
    ----------
    tally : Tally
        Of the vague channel, with every report resolved: only those that name one answer.
    level : float

    Raises
    ------
    InputError
        If there are not two answers, a vague report was left, or the level is not in (0, 1).
    NotIdentified
        If even knowing how vague reports were resolved would not tell the answers apart.

    References
    ----------
    Li, Zhou, Qin & Xu (2022), the last section, for Walley's reading of their mechanism.

    >>> from askance.channels.frame import Frame
    >>> reports = {"yes": ["yes"], "no": ["no"], "don't know": ["yes", "no"]}
    >>> q = Channel(Frame(["yes", "no"]), reports, [[0.6, 0.1, 0.3], [0.1, 0.6, 0.3]])
    >>> walley_interval(Tally(q, {"yes": 500, "no": 500}))
    share of yes
                             from      to
    what fits the reports     0.2     0.8
    share, 95 %            0.1481  0.8519
    whole set, 95 %        0.1381  0.8619
    1,000 reports; how vague ones were resolved is not known
    """
    z = normal_quantile(level)
    named, n = _named(tally)
    lines, mirrored = _lines(tally.channel)
    found = inner = outer = 0.0, 1.0
    if n:
        seen = 1 - named / n if mirrored else named / n
        frequency = min(max(seen, lines.belief[0]), lines.plausibility[1])
        found = _cut(lines.low(frequency)), _cut(lines.high(frequency))
        inner = _ends(lines, frequency, n, _quantile(lines, frequency, n, level))
        outer = _ends(lines, frequency, n, z)
    return WalleyInterval(
        label=tally.channel.frame.answers[0],
        low=found[0],
        high=found[1],
        lower=inner[0],
        upper=inner[1],
        outer_lower=outer[0],
        outer_upper=outer[1],
        level=level,
        reports=n,
    )


def _named(tally: Tally) -> tuple[int, int]:
    """Count the reports that name the first answer, and all."""
    channel = tally.channel
    if len(channel.frame) != 2 or channel.output != channel.frame:
        raise InputError(
            "walley_interval",
            got=f"{len(channel.frame)} answers, reports about {len(channel.output)}",
            allowed="two answers and reports about them",
        )
    meanings = np.array(channel.meanings)
    vague = int(tally.counts[meanings == channel.frame.everything].sum())
    if vague:
        raise InputError(
            "walley_interval",
            got=f"{vague} vague reports",
            allowed="reports that were resolved to one answer each",
            remedy="where vague reports arrive as such, use estimate: it loses nothing",
        )
    return int(tally.counts[meanings == 1].sum()), tally.total


def _lines(channel: Channel) -> tuple[_Lines, bool]:
    """Read belief and plausibility of the first answer; if lies prevail, of the second."""
    meanings = np.array(channel.meanings)
    belief = channel.matrix[:, meanings == 1].sum(axis=1)[::-1]
    plausibility = channel.matrix[:, (meanings & 1) == 1].sum(axis=1)[::-1]
    lines = _Lines(tuple(belief.tolist()), tuple(plausibility.tolist()))
    if lines.slope > 0:
        return lines, False
    mirrored = _Lines(tuple((1 - plausibility).tolist()), tuple((1 - belief).tolist()))
    if mirrored.slope > 0:
        return mirrored, True
    first, second = channel.frame.answers
    raise NotIdentified(
        "walley_interval",
        got="a vague report can make up for every difference between the answers",
        allowed="belief and plausibility that both rise, or both fall, with the answer",
        remedy=f"the reports cannot tell {first} from {second}",
    )


def _quantile(lines: _Lines, frequency: float, n: int, level: float) -> float:
    """Solve Φ(c + Δ/σ) − Φ(−c) = level (Imbens & Manski, 2004, equation 7)."""
    z = normal_quantile(level)
    kept = (n * frequency + z * z / 2) / (n + z * z)
    width = lines.high(frequency) - lines.low(frequency)
    ratio = width * lines.slope / math.sqrt(kept * (1 - kept) / n)
    low, high = 0.0, z
    for _ in range(60):
        middle = (low + high) / 2
        covered = ndtr(middle + ratio) - ndtr(-middle)
        low, high = (middle, high) if covered < level else (low, middle)
    return high


def _ends(lines: _Lines, frequency: float, n: int, z: float) -> tuple[float, float]:
    low, high = wilson(np.array([frequency]), np.array([float(n)]), z)
    return _cut(lines.low(float(low[0]))), _cut(lines.high(float(high[0])))


def _cut(share: float) -> float:
    return min(max(share, 0.0), 1.0)
