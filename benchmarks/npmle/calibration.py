"""How often 95 % intervals from ranges on a line cover, and how wide they are beside their error.

    python benchmarks/npmle/calibration.py [surveys [people ...]]

A line of 24 steps, one and two even cuts a person; numbers even on it, or skewed. Width is told
beside 2 · 1.96 standard deviations of the estimate from survey to survey, and a step where the
figure is known only up to one (the average, quantiles). The shares up to four ticks and the three
quartiles are those of `estimate_line`, as a survey's page shows them; the last two columns are the
shares of `cdf_intervals`. ``covers`` is the least and the most of the figures of a kind, ``width``
the mean of their ratios.
"""

import sys
from collections.abc import Iterator
from functools import cache

import numpy as np

from askance.channels import RangeChannel
from askance.exact import Line
from askance.inference import cdf_intervals, estimate_line

STEPS = 24
PEOPLE = (200, 1_000, 5_000, 20_000, 100_000)
AT, SHARES = (4, 12, 18, 22), (0.25, 0.5, 0.75)
KINDS = ("mean", "quantiles", "F(t)", "F(t) by cdf_intervals")
COLUMNS = np.repeat(np.arange(4), (1, len(SHARES), len(AT), len(AT)))
"""To which kind each figure belongs."""

Z = 1.959964


@cache
def numbers(truth: str) -> np.ndarray:
    """Give the share of each step."""
    at = (np.arange(STEPS) + 0.5) / STEPS
    mass = np.ones(STEPS) if truth == "even" else at * np.exp(-5 * at)
    return mass / mass.sum()


def truths(mass: np.ndarray) -> np.ndarray:
    """Give the mean, quantiles and shares of numbers that are even within each step, shape (f,)."""
    upto, ticks = np.append(0.0, np.cumsum(mass)), np.arange(STEPS + 1)
    cdf = upto[list(AT)]
    return np.concatenate([[mass @ (ticks[:-1] + 0.5)], np.interp(SHARES, upto, ticks), cdf, cdf])


def survey(cuts: int, truth: str, people: int, number: int) -> np.ndarray:
    """Ask one survey: of each figure the estimate and the ends of its interval, shape (3, f)."""
    channel = RangeChannel(Line(0, STEPS, 1), [1] * (STEPS - 1), cuts)
    cells, chances = channel.cells()
    seen = chances * channel.inside(cells, numbers(truth))
    rng = np.random.default_rng([2026, cuts, people, number])
    counts = rng.multinomial(people, seen / seen.sum())
    ranges = channel.ranges(cells[counts > 0], counts[counts > 0])
    line = estimate_line(channel, ranges)
    told = cdf_intervals(ranges, AT)
    rows = [(line.mean, line.lower, line.upper)]
    rows += [(line.quantiles[share][1], *line.quantiles[share][::2]) for share in SHARES]
    rows += [(line.cdf[at], line.band_lower[at], line.band_upper[at]) for at in AT]
    rows += zip(told.value, told.lower, told.upper, strict=True)
    return np.array(rows).T


def row(cuts: int, truth: str, people: int, surveys: int) -> str:
    """Measure one design: by kind, how often the interval covers and its width."""
    found = np.array([survey(cuts, truth, people, number) for number in range(surveys)])
    value, lower, upper = found.transpose(1, 0, 2)
    true = truths(numbers(truth))
    covers = ((lower <= true + 1e-9) & (true - 1e-9 <= upper)).mean(axis=0)
    open_ = np.where(COLUMNS < 2, 1.0, 0.0)
    ratio = (upper - lower).mean(axis=0) / (2 * Z * value.std(axis=0) + open_)
    cells = [
        f"{covers[some].min():.3f}-{covers[some].max():.3f} {ratio[some].mean():.2f}"
        for some in (kind == COLUMNS for kind in range(len(KINDS)))
    ]
    return f"{cuts:<5}{truth:<8}{people:>7}  " + "".join(f"{cell:>24}" for cell in cells)


def table(surveys: int, people: list[int]) -> Iterator[str]:
    """Give one line for each design."""
    yield f"{surveys} surveys each: how often the 95 % interval covers (least-most), and its width"
    yield f"{'cuts':<5}{'numbers':<8}{'people':>7}  " + "".join(f"{kind:>24}" for kind in KINDS)
    designs = [(c, t, n, surveys) for c in (1, 2) for t in ("even", "skewed") for n in people]
    yield from (row(*design) for design in designs)


if __name__ == "__main__":
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 100
    for line in table(count, [int(one) for one in sys.argv[2:]] or list(PEOPLE)):
        sys.stdout.write(line + "\n")
        sys.stdout.flush()
