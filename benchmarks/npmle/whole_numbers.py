"""How much narrower whole numbers make the interval of a mean.

    python benchmarks/npmle/whole_numbers.py [surveys]

Even answers on 24 steps, by one random cut and by two. Both columns read the same surveys: once as
any number, of which half a step stays open on either side, and once as whole ones. ``step`` is the
part of the interval that the step makes. The truth of any number is anywhere in its step, so its
interval must hold the whole of it. There are 60 surveys if not so many as are given.
"""

import sys

import numpy as np

import askance as ak

STEPS, SIZES = 24, (200, 2_000, 20_000)


def widths(number: int, n: int, surveys: int) -> np.ndarray:
    """Give of each survey the width as any number, its step, the width as a whole one, and hits."""
    lines = ak.Line(0, STEPS, 1), ak.Line(1, STEPS, 1, integer=True)
    channels = [ak.Cuts(number=number).channel(line) for line in lines]
    rng, truth, results = np.random.default_rng([number, n]), (STEPS + 1) / 2, []
    for _ in range(surveys):
        reports = ak.privatise(channels[0], rng.integers(1, STEPS + 1, n), rng=rng)
        other, integers = (ak.estimate_line(channel, reports) for channel in channels)
        spans = other.upper - other.lower, other.mean_high - other.mean_low
        hits = (
            other.lower <= truth - 1 and truth <= other.upper,
            integers.lower <= truth <= integers.upper,
        )
        results.append(
            [*spans, integers.upper - integers.lower, integers.mean_high - integers.mean_low, *hits]
        )
    return np.mean(results, axis=0)


def main(surveys: int) -> None:
    head = ("cuts", "people", "any number", "step", "covers", "whole", "step", "covers", "ratio")
    print(f"{surveys} surveys each: mean width of the 95 % interval of the mean, {STEPS} steps")
    print("".join(f"{name:>11}" for name in head))
    for number in (1, 2):
        for n in SIZES:
            width, step, narrow, missed_below, hit, also = widths(number, n, surveys)
            row = (f"{width:.3f}", f"{step / width:.0%}", f"{hit:.2f}")
            row += (
                f"{narrow:.3f}",
                f"{missed_below / narrow:.0%}",
                f"{also:.2f}",
                f"{narrow / width:.2f}",
            )
            print(f"{number:>11}{n:>11,}" + "".join(f"{figure:>11}" for figure in row))


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 60)
