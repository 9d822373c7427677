"""How wide intervals of a number on a line come out, beside what a plan foretells.

    python benchmarks/npmle/foretold.py [surveys]

Lines of 24 and 60 steps, one even cut a person or two, even and skewed numbers. For each of the
mean and three quantiles the mean half-width of so many surveys over the half-width foretold by
`line_half_width`, of these shares, or by `quantile_half_width`.
"""

import sys
from collections.abc import Iterator

import numpy as np

import askance as ak
from askance.design import quantile_half_width, sample_size

STEPS, CUTS, PEOPLE = (24, 60), (1, 2), (200, 1_000, 5_000, 20_000)
QUANTILES = (0.1, 0.25, 0.5, 0.75)


def numbers(name: str, steps: int) -> np.ndarray:
    """Give the share of each step."""
    middles = (np.arange(steps) + 0.5) / steps
    shares = np.ones(steps) if name == "even" else middles * np.exp(-5 * middles)
    return shares / shares.sum()


def row(steps: int, cuts: int, name: str, people: int, surveys: int) -> str:
    """Measure one design."""
    shares, channel = numbers(name, steps), ak.Cuts(number=cuts).channel(ak.Line(0, steps, 1))
    cells, chances = channel.cells()
    expected = chances * channel.range_probabilities(cells, shares)
    rng, widths = np.random.default_rng([steps, cuts, people]), []
    for _ in range(surveys):
        counts = rng.multinomial(people, expected / expected.sum())
        estimate = ak.estimate_line(channel, channel.ranges(cells[counts > 0], counts[counts > 0]))
        ends = [(estimate.lower, estimate.upper)]
        ends += [(estimate.quantiles[q][0], estimate.quantiles[q][2]) for q in QUANTILES]
        widths.append(np.diff(ends)[:, 0] / 2)
    measured = np.mean(widths, axis=0)
    planned = sample_size(channel, prevalence=shares, half_width=float(measured[0]))
    ratios = [(planned.reports / people) ** 0.5]
    pairs = zip(QUANTILES, measured[1:], strict=True)
    ratios += [
        wide / quantile_half_width(channel, people, q, prevalence=shares) for q, wide in pairs
    ]
    figures = "".join(f"{ratio:9.2f}" for ratio in ratios)
    return f"{steps:>5}{cuts:>6}  {name:<8}{people:>7}{figures}"


def table(surveys: int) -> Iterator[str]:
    """Give one line for each design."""
    yield f"{surveys} surveys each: mean half-width over that foretold; of the mean the root of"
    yield "how many people its plan asks over how many were asked"
    yield f"steps  cuts  numbers  people     mean{''.join(f'{q:9g}' for q in QUANTILES)}"
    designs = [
        (s, c, t, n) for s in STEPS for c in CUTS for t in ("even", "skewed") for n in PEOPLE
    ]
    yield from (row(*design, surveys) for design in designs)


if __name__ == "__main__":
    for line in table(int(sys.argv[1]) if len(sys.argv) > 1 else 40):
        sys.stdout.write(line + "\n")
        sys.stdout.flush()
