"""Print how often intervals of quantiles cover, from rings and from ranges of which some fail.

    python tests/odds/quantiles.py [surveys]

Numbers have a hill on a line of some steps. A quantile is one step, and its interval must hold that
step whole, so it covers more often than it says. The width is a share of the line.
"""

import sys
from collections.abc import Iterator

import numpy as np
from budget import dice

from askance.channels import RangeChannel, RingChannel
from askance.inference import estimate_line
from askance.mechanisms import Ring, Selective
from askance_collect.exact import Floor, Line

PEOPLE = 500
SHARES = (0.1, 0.25, 0.5, 0.75, 0.9)
STEPS = (20, 60)


def channels(steps: int) -> dict[str, RangeChannel | RingChannel]:
    """Ask on a line of so many steps."""
    line, third = Line(0, steps, 1), Floor([1] * steps, steps // 3)
    return {
        "ring": Ring(floor="1/5").channel(line),
        "selective": Selective(floor="1/5", send_chance="4/5", number=2).channel(line),
        "two cuts, narrow ranges withheld": RangeChannel(
            line, [1] * (steps - 1), 2, floor=third, withhold=True
        ),
    }


def hill(steps: int) -> np.ndarray:
    """Give the shares of the steps: most people a little below the middle."""
    mass = np.exp(-(((np.arange(steps) - 0.4 * steps) / (0.2 * steps)) ** 2) / 2)
    return mass / mass.sum()


def line(name: str, steps: int, surveys: int) -> str:
    """Measure one channel: coverage and mean width of the interval of each quantile."""
    channel, mass = channels(steps)[name], hill(steps)
    ends, chances = channel.cells()
    observed = chances * channel.range_probabilities(ends, mass)
    step = np.searchsorted(np.cumsum(mass), SHARES)
    rng, hits, widths = dice(f"quantiles, {name}, {steps}"), np.zeros(5), np.zeros(5)
    for _ in range(surveys):
        counts = rng.multinomial(PEOPLE, observed / observed.sum())
        estimate = estimate_line(channel, channel.ranges(ends[counts > 0], counts[counts > 0]))
        assert tuple(estimate.quantiles) == SHARES
        low, _, high = np.array(list(estimate.quantiles.values())).T
        hits += (low <= step) & (step + 1 <= high)
        widths += (high - low) / steps
    pairs = zip(hits / surveys, widths / surveys, strict=True)
    return f"{name:<34}{steps:>6}" + "".join(f"{hit:>8.3f}{wide:>6.2f}" for hit, wide in pairs)


def table(surveys: int) -> Iterator[str]:
    """Give one line for each channel and each line of steps."""
    yield f"{PEOPLE} people, {surveys} surveys each: how often the 95 % interval covers, its width"
    yield f"{'':<34}{'steps':>6}" + "".join(f"{share:>14g}" for share in SHARES)
    for steps in STEPS:
        for name in channels(steps):
            yield line(name, steps, surveys)


if __name__ == "__main__":
    for row in table(int(sys.argv[1]) if len(sys.argv) > 1 else 100):
        sys.stdout.write(row + "\n")
        sys.stdout.flush()
