"""How often 95 % intervals from ranges on a line cover, and how wide they are beside the least.

    python benchmarks/npmle/calibration.py [surveys [kind ...]] [--people N ...]
                                           [--numbers TRUTH ...] [--every]

A line of 24 steps; one even cut a person, two, or a ring. Numbers are even on the line, skewed, or
in four lumps with hardly anybody between. Every survey is read as any number, and as whole ones.
The figures are those of `estimate_line`, as a survey's page shows them: the mean, the three
quartiles and the shares up to four ticks.

``covers`` is how often an interval holds all that the truth leaves open, the least and the most of
the figures of a kind: both bounds of the mean; the whole step that a quantile is in; both steps
beside a tick up to which the share is exactly the quantile's, of which any number is a quantile.

``width`` is the mean width beside 2 · 1.96 standard deviations of the estimate and, of the mean and
of quantiles of any number, the step that is open.

``least`` is the mean reach of the interval's two ends beyond the truth over the least reach of any
interval each of whose ends misses at most 2.5 % of the time, whatever the numbers are (after Pratt,
1961). An end cannot be nearer to the truth than a test of 2.5 % allows: that it leaves q out is a
test of all distributions of which q is the figure, and none has more power against the truth than
the most powerful test of one of them. That one is the nearest by likelihood, which a crowd moves
there; the log ratio of two surveys is taken for normal. A normal estimate whose variance is known
has 1. Less than 1 is had by who does not hold for all numbers: the law of 𝔻 is one of numbers that
are spread over several cuts.

With ``--every`` the share up to each of the 23 inner ticks is looked at and nothing else: how often
the worst of their intervals holds, at which tick, and all of them on average, with the mean width.
"""

import argparse
import sys
from collections.abc import Iterator
from functools import cache
from itertools import pairwise

import numpy as np
from scipy.stats import norm

import askance as ak
from askance.channels import RangeChannel, RingChannel
from askance.inference import estimate_line

STEPS = 24
PEOPLE = (200, 1_000, 5_000, 20_000, 100_000)
TICKS, SHARES = (4, 12, 18, 22), (0.25, 0.5, 0.75)
LUMPS, LUMPS_OF = (3, 12, 17, 20), (0.3, 0.2, 0.3, 0.2)
KINDS = ("mean", "quartiles", "F(t)", "mean, whole", "quartiles, whole")
COLUMNS = np.repeat(np.arange(5), (1, len(SHARES), len(TICKS), 1, len(SHARES)))
"""To which kind each figure belongs."""

OPEN = (1.0, 1.0, 0.0, 0.0, 0.0)
"""The step that a figure of each kind leaves open."""

REPORTED = (("width",), ("width", "least"), ("width", "least"), ("width",), ("least",))
"""What is told of each kind: an estimated value may be the same in all surveys."""

Z, END, ROUNDING = 1.959964, 0.025, 1e-9
CROWDS = np.logspace(-1.5, 1.5, 25)
"""People who move a share, beside the square root of all."""

TRUTHS = ("even", "skewed", "lumps")
DESIGNS = {
    "one cut": ("cuts", 1),
    "two cuts": ("cuts", 2),
    "ring": ("ring", 2),
}


@cache
def channel(kind: str, *, integers: bool = False) -> RangeChannel | RingChannel:
    """Ask on 24 steps."""
    line = ak.Line(int(integers), STEPS, 1, integer=integers)
    name, number = DESIGNS[kind]
    if name == "ring":
        return ak.Ring(floor="1/5", number=number).channel(line)
    return ak.Cuts(number=number).channel(line)


@cache
def numbers(truth: str) -> np.ndarray:
    """Give the share of each step."""
    middles = (np.arange(STEPS) + 0.5) / STEPS
    laws = {
        "even": np.ones(STEPS),
        "skewed": middles * np.exp(-5 * middles),
        "lumps": np.full(STEPS, 1e-4),
    }
    laws["lumps"][list(LUMPS)] = LUMPS_OF
    return laws[truth] / laws[truth].sum()


def left_open(truth: str) -> np.ndarray:
    """Give what the truth of each figure leaves open, shape (2, f)."""
    mass = numbers(truth)
    upto = np.append(0.0, np.cumsum(mass))
    mean = mass @ np.arange(STEPS)
    first = np.array([np.flatnonzero(upto < share - ROUNDING)[-1] for share in SHARES])
    last = np.array([np.flatnonzero(upto > share + ROUNDING)[0] for share in SHARES])
    shares = upto[list(TICKS)]
    low = np.concatenate([[mean], first, shares, [mean + 1], first + 1])
    high = np.concatenate([[mean + 1], last, shares, [mean + 1], last])
    return np.stack([low, high])


@cache
def reports(kind: str, truth: str) -> tuple[np.ndarray, np.ndarray]:
    """Give the cells, and the chance of each report."""
    cells, chances = channel(kind).cells()
    expected = chances * channel(kind).range_probabilities(cells, numbers(truth))
    return cells, expected / expected.sum()


def survey(kind: str, truth: str, people: int, number: int) -> np.ndarray:
    """Ask one survey: of each figure the ends of its interval about the estimate, shape (3, f)."""
    cells, expected = reports(kind, truth)
    rng = np.random.default_rng([2026, list(DESIGNS).index(kind), people, number])
    counts = rng.multinomial(people, expected)
    curves = []
    for integers in (False, True):
        law = channel(kind, integers=integers)
        line = estimate_line(law, law.ranges(cells[counts > 0], counts[counts > 0]))
        curves.append((line.lower, line.mean, line.upper))
        curves += [line.quantiles[share] for share in SHARES]
        if not integers:
            curves += [
                (line.band_lower[tick], line.cdf[tick], line.band_upper[tick]) for tick in TICKS
            ]
    return np.array(curves).T


@cache
def _shift_by_crowd(
    kind: str, truth: str, people: int, tick: int, up: bool
) -> tuple[np.ndarray, np.ndarray]:
    """Move the share up to a tick: where to, and how often a test of 2.5 % does not notice it.

    The expected reports of the truth, and a crowd that says it is up to the tick, or above it, have
    the most likely distribution that is nearest of all with the share to which it moves.
    """
    law, (cells, expected) = channel(kind), reports(kind, truth)
    ranges, ends = law.ranges(cells, people * expected), (-np.inf, tick) if up else (tick, np.inf)
    places, missed = [float(np.cumsum(numbers(truth))[tick - 1])], [1 - END]
    for crowd in CROWDS * people**0.5:
        crowd_range = ak.Ranges([ends[0]], [ends[1]], counts=[crowd])
        cdf = ak.npmle(_join_crowd(ranges, crowd_range), (0, STEPS), tol=1e-12).cdf(
            np.arange(STEPS + 1)
        )
        away = law.cells()[1] * law.range_probabilities(cells, np.diff(cdf))
        places.append(float(cdf[tick]))
        missed.append(unnoticed(expected, away / away.sum(), people))
    return np.array(places), np.minimum.accumulate(missed)


def _join_crowd(ranges: ak.Ranges, crowd: ak.Ranges) -> ak.Ranges:
    """Add a crowd, whose range is of one piece."""
    pieces = np.append(np.diff(ranges.starts), 1)
    lower, upper = np.append(ranges.lower, crowd.lower), np.append(ranges.upper, crowd.upper)
    return ak.Ranges(lower, upper, np.append(ranges.weights, crowd.weights), pieces=pieces)


def unnoticed(true: np.ndarray, null: np.ndarray, people: int) -> float:
    """How often the most powerful test of 2.5 % lets another law of reports pass."""
    some = true > 0
    ratio = np.log(true[some] / np.maximum(null[some], 1e-300))
    laws = np.array([null[some], true[some]])
    means = laws @ ratio
    spreads = (laws * (ratio - means[:, None]) ** 2).sum(axis=1)
    error = np.sqrt(np.maximum(spreads, 1e-300) * people)
    critical = people * means[0] + norm.isf(END) * error[0]
    return float(norm.cdf((critical - people * means[1]) / error[1]))


def least_reach(kind: str, truth: str, people: int) -> np.ndarray:
    """Give the least reach of an interval of each figure; not a number for the mean."""
    upto, reaches = np.append(0.0, np.cumsum(numbers(truth))), []
    shares = [_reach_of_a_share(kind, truth, people, tick) for tick in TICKS]
    for integers in (False, True):
        quantiles = [_reach_of_a_quantile((kind, truth, people), upto, q, integers) for q in SHARES]
        reaches += [np.nan, *quantiles, *([] if integers else shares)]
    return np.array(reaches)


def _reach_of_a_share(kind: str, truth: str, people: int, tick: int) -> float:
    sides = [_shift_by_crowd(kind, truth, people, tick, up) for up in (False, True)]
    return float(
        sum(np.trapezoid(missed, np.abs(positions - positions[0])) for positions, missed in sides)
    )


def _reach_of_a_quantile(
    design: tuple[str, str, int], upto: np.ndarray, share: float, integers: bool
) -> float:
    """Add up the steps, or values, that an interval must hold so often."""
    reach = 0.0
    for low, high in pairwise(range(STEPS + 1)):
        if upto[high] < share - ROUNDING:
            reach += _unmoved(design, high, share, up=True)
        elif upto[low] > share + ROUNDING:
            reach += _unmoved(design, low, share, up=False)
        else:
            reach += 1 - END
    return reach - integers * (1 - END)


def _unmoved(design: tuple[str, str, int], tick: int, share: float, *, up: bool) -> float:
    places, missed = _shift_by_crowd(*design, tick, up)
    far = np.abs(places - places[0])
    return float(np.interp(abs(share - places[0]), far, missed, right=0.0))


def row(kind: str, truth: str, people: int, surveys: int) -> str:
    """Measure one design: by kind of figure, how often intervals cover and their widths."""
    figures = np.array([survey(kind, truth, people, number) for number in range(surveys)])
    lower, value, upper = figures.transpose(1, 0, 2)
    low, high = left_open(truth)
    covers = ((lower <= low + ROUNDING) & (high - ROUNDING <= upper)).mean(axis=0)
    spread_of_ends = 2 * Z * value.std(axis=0) + np.array(OPEN)[COLUMNS]
    middle = (low + high) / 2
    reach = (np.maximum(middle - lower, 0) + np.maximum(upper - middle, 0)).mean(axis=0)
    columns = {
        "width": (upper - lower).mean(axis=0) / np.maximum(spread_of_ends, ROUNDING),
        "least": reach / least_reach(kind, truth, people),
    }
    cells = []
    for number, measures in enumerate(REPORTED):
        some = number == COLUMNS
        ratios = "".join(f" {columns[name][some].mean():.2f}" for name in measures)
        cells.append(f"{covers[some].min():.3f}-{covers[some].max():.3f}{ratios}")
    return f"{kind:<10}{truth:<8}{people:>7} " + "".join(f"{cell:>23}" for cell in cells)


def every_share(kind: str, truth: str, people: int, surveys: int) -> str:
    """Measure the intervals of F at all inner ticks."""
    cells, expected = reports(kind, truth)
    upto = np.cumsum(numbers(truth))[:-1]
    covered, width = np.zeros(STEPS - 1), 0.0
    for number in range(surveys):
        rng = np.random.default_rng([2026, list(DESIGNS).index(kind), people, number])
        counts = rng.multinomial(people, expected)
        line = estimate_line(channel(kind), channel(kind).ranges(cells, counts))
        low, high = line.band_lower[1:-1], line.band_upper[1:-1]
        covered += (low <= upto + ROUNDING) & (upto - ROUNDING <= high)
        width += float((high - low).mean()) / surveys
    covered /= surveys
    worst = f"{covered.min():.3f} at {covered.argmin() + 1}"
    return f"{kind:<10}{truth:<8}{people:>7} {worst:>14}{covered.mean():>9.3f}{width:>9.4f}"


def shares(surveys: int, designs: list[tuple[str, str, int]]) -> Iterator[str]:
    """Give one line for each design, of all shares."""
    yield f"{surveys} surveys each: 95 % intervals of F at all ticks hold, least and mean; width"
    yield from (every_share(*design, surveys) for design in designs)


def table(surveys: int, designs: list[tuple[str, str, int]]) -> Iterator[str]:
    """Give one line for each design."""
    yield f"{surveys} surveys each: 95 % intervals cover (least-most), width, over the least reach"
    yield f"{'asked':<10}{'numbers':<8}{'people':>7} " + "".join(f"{kind:>23}" for kind in KINDS)
    yield from (row(*design, surveys) for design in designs)


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("surveys", nargs="?", type=int, default=100)
    parser.add_argument("kinds", nargs="*", default=list(DESIGNS)[:2])
    parser.add_argument("--people", nargs="+", type=int, default=list(PEOPLE))
    parser.add_argument("--numbers", nargs="+", choices=TRUTHS, default=TRUTHS)
    parser.add_argument("--every", action="store_true")
    options = parser.parse_args()
    designs = [(k, t, n) for k in options.kinds for t in options.numbers for n in options.people]
    for line in (shares if options.every else table)(options.surveys, designs):
        sys.stdout.write(line + "\n")
        sys.stdout.flush()
