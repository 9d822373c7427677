"""How often 95 % intervals hold beside steps of F, and what that costs where F is smooth.

    python benchmarks/npmle/heaped.py [surveys] [--people N ...] [--kinds KIND ...] [--shapes S ...]
                                       [--quantiles | --bands] [--default]
    python benchmarks/npmle/heaped.py --bound [surveys]

Numbers are on [0, 1]: even; heaped as incomes are (on 0, .1, .2, .3, .5 and 1); in four lumps; in
two, at the first of them; a third at 0 and the rest even; a step of .12 or .2 of F that ends a
slope and begins a flat. One cut a person or two, even over the line or on 40 ticks. ``any`` is the
share of surveys in which the interval of `cdf_intervals` holds F(t), ``smooth`` that of those with
``smooth=True``, which take F to have a density, and ``wider`` the mean width of the first over that
of the second.

With ``--quantiles`` the quartiles are looked at instead, and with ``--bands`` whether
`simultaneous_band` holds F at all its points. With ``--default`` only those of any F are measured.

``--bound`` prints what no interval can do (after Pratt, 1961). At F(t) = t and one even cut a
person an interval leaves out θ > F(t) where a test of the level does, of all F with F(t) = θ. The
hardest of these to tell from the truth is max(F, θ) from t on: a step, then a flat. Against it no
test has more power than the likelihood ratio of the two, whose squared length is n (θ − t)³ / 3σ²
at t, σ² = t(1 − t). So the mean distance of either end from the truth is at least

.. math:: (σ²/n)^{1/3} \\int_0^\\infty \\Phi(z_α − (x^3/3)^{1/2})\\,dx

for any interval that holds 1 − α everywhere. It is set beside that of the intervals for a smooth F.
"""

import argparse
import sys
from collections.abc import Iterator

import numpy as np
from scipy.optimize import brentq
from scipy.special import ndtr, ndtri

import askance as ak

TICKS, LEVEL = 40, 0.95
HEAPS = {
    "heaped": ((0, 0.1, 0.2, 0.3, 0.5, 1), (0.15, 0.2, 0.25, 0.2, 0.1, 0.1)),
    "lumps": ((0.15, 0.525, 0.725, 0.85), (0.3, 0.2, 0.3, 0.2)),
    "first": ((0.15, 0.85), (0.3, 0.7)),
}
CURVES = {
    "even": ((0, 0, 1), (0, 0, 1)),
    "zeros": ((0, 0, 1), (0, 1 / 3, 1)),
    "step .12": ((0, 0.5, 0.5, 0.62, 1), (0, 0.38, 0.5, 0.5, 1)),
    "step .2": ((0, 0.5, 0.5, 0.7, 1), (0, 0.3, 0.5, 0.5, 1)),
}
"""Places and shares up to them, between which F is straight."""

POINTS = {
    "even": (0.3, 0.5),
    "heaped": (0.1, 0.15, 0.2, 0.3, 0.4, 0.5),
    "lumps": (0.15, 0.3, 0.5, 0.525, 0.725),
    "zeros": (0.05, 0.1, 0.3),
    "step .12": (0.475, 0.5, 0.55),
    "step .2": (0.475, 0.5, 0.6),
    "first": (0.15,),
}
KINDS = ("one cut", "two cuts", "one cut, ticks", "two cuts, ticks")
QUARTILES = (0.25, 0.5, 0.75)

Laws = tuple[bool, ...]
"""Whether F is taken to be smooth, of each kind of interval."""


def upto(shape: str, points: np.ndarray) -> np.ndarray:
    """Give F, and at steps the larger value."""
    if shape in HEAPS:
        places, shares = HEAPS[shape]
        return np.append(0.0, np.cumsum(shares))[np.searchsorted(places, points, side="right")]
    places, shares = (np.array(column, dtype=float) for column in CURVES[shape])
    after = np.searchsorted(places, points, side="right").clip(1, len(places) - 1)
    low, high = places[after - 1], places[after]
    part = (np.asarray(points) - low) / (high - low)
    return shares[after - 1] + part * (shares[after] - shares[after - 1])


def quantile(shape: str, share: float) -> tuple[float, float]:
    """Give the least and the largest number up to which the share is just reached."""
    line = np.arange(100_001) / 100_000
    curve = upto(shape, line)
    low = line[np.searchsorted(curve, share - 1e-9)]
    return float(low), float(line[min(np.searchsorted(curve, share + 1e-9), len(line) - 1)])


def survey(shape: str, kind: str, people: int, rng: np.random.Generator) -> ak.Ranges:
    """Ask so many people about their cuts."""
    line = np.arange(100_001) / 100_000
    numbers = line[np.searchsorted(upto(shape, line), rng.random(people)).clip(0, len(line) - 1)]
    cuts = rng.random((people, 1 + kind.startswith("two")))
    if kind.endswith("ticks"):
        cuts = np.ceil(cuts * (TICKS - 1)) / TICKS
    cuts = np.sort(cuts, axis=1)
    ends = np.hstack([np.full((people, 1), -np.inf), cuts, np.full((people, 1), np.inf)])
    piece, every = (numbers[:, None] > cuts).sum(axis=1), np.arange(people)
    return ak.Ranges(ends[every, piece], ends[every, piece + 1])


def surveys(shape: str, kind: str, people: int, number: int) -> Iterator[ak.Ranges]:
    """Ask one survey after the other."""
    seed = [2026, list(POINTS).index(shape), KINDS.index(kind), people]
    for stream in np.random.default_rng(seed).spawn(number):
        yield survey(shape, kind, people, stream)


def shares(shape: str, kind: str, people: int, number: int, laws: Laws) -> Iterator[str]:
    """Measure the intervals of F at each point of a shape."""
    points = np.array(POINTS[shape])
    truth, ends = upto(shape, points), []
    for ranges in surveys(shape, kind, people, number):
        intervals = [ak.inference.cdf_intervals(ranges, points, smooth=law) for law in laws]
        ends.append([(interval.lower, interval.upper) for interval in intervals])
    low, high = np.moveaxis(np.array(ends), 2, 0)
    covered = ((low <= truth + 1e-9) & (truth - 1e-9 <= high)).mean(axis=0)
    wide = (high - low).mean(axis=0)
    for column, point in enumerate(points.tolist()):
        yield row(shape, kind, people, f"F({point:g})", covered[:, column], wide[:, column])


def quantiles(shape: str, kind: str, people: int, number: int, laws: Laws) -> Iterator[str]:
    """Measure intervals of quartiles; of a whole stretch of them, its end that is held less."""
    low, high = np.array([quantile(shape, share) for share in QUARTILES]).T
    ends = []
    for ranges in surveys(shape, kind, people, number):
        intervals = [ak.inference.quantile_intervals(ranges, QUARTILES, smooth=law) for law in laws]
        ends.append(
            [(interval.lower.clip(0, 1), interval.upper.clip(0, 1)) for interval in intervals]
        )
    lower, upper = np.moveaxis(np.array(ends), 2, 0)
    covered = np.minimum(
        *(((lower <= bound + 1e-4) & (bound - 1e-4 <= upper)).mean(axis=0) for bound in (low, high))
    )
    wide = (upper - lower).mean(axis=0)
    for column, share in enumerate(QUARTILES):
        yield row(shape, kind, people, f"Q({share:g})", covered[:, column], wide[:, column])


def bands(shape: str, kind: str, people: int, number: int, laws: Laws) -> Iterator[str]:
    """Measure how often a band holds F at all its points."""
    covered, wide = np.zeros(len(laws)), np.zeros(len(laws))
    for ranges in surveys(shape, kind, people, number):
        for column, law in enumerate(laws):
            band = ak.inference.simultaneous_band(ranges, smooth=law)
            truth = upto(shape, band.points)
            covered[column] += ((band.lower <= truth + 1e-9) & (truth - 1e-9 <= band.upper)).all()
            wide[column] += (band.upper - band.lower).mean()
    yield row(shape, kind, people, "band", covered / number, wide)


def row(shape: str, kind: str, people: int, of: str, covered: np.ndarray, wide: np.ndarray) -> str:
    """Write one line."""
    cells = "".join(f"{share:>8.3f}" for share in covered)
    wider = "".join(f"{wide[0] / width:>8.2f}" for width in wide[1:])
    return f"{kind:<16}{shape:<9}{people:>7} {of:<9}{cells}{wider}"


def reach(level: float) -> float:
    """The least mean distance of an end from the truth, in (σ²/n)^(1/3)."""
    far = np.linspace(0, 8, 80_001)
    return float(np.trapezoid(ndtr(ndtri(level) - np.sqrt(far**3 / 3)), far))


def bound(number: int) -> Iterator[str]:
    """Print what no interval can do beside what those for a smooth F do."""
    heads = "of smooth", "× for .95", "for .935", "1 × holds", "1.1 × holds"
    yield "people" + "".join(f"{head:>12}" for head in heads)
    for people in (500, 2_000, 10_000):
        far = smooth_reach(people, number)
        figures = far, reach(0.95) / far, reach(0.935) / far, held_by(far), held_by(1.1 * far)
        yield f"{people:>6}" + "".join(f"{figure:>12.3f}" for figure in figures)


def smooth_reach(people: int, number: int) -> float:
    """Measure half the mean width of intervals for a smooth F, in (σ²/n)^(1/3)."""
    width = 0.0
    for ranges in surveys("even", "one cut", people, number):
        intervals = ak.inference.cdf_intervals(ranges, [0.5], smooth=True)
        width += float((intervals.upper - intervals.lower)[0]) / number
    return width / 2 / (0.25 / people) ** (1 / 3)


def held_by(far: float) -> float:
    """The most that intervals of this reach hold everywhere."""
    return float(brentq(lambda level: reach(level) - far, 0.5, 0.9999))


def main() -> None:
    """Print the table, or the bound."""
    parser = argparse.ArgumentParser()
    parser.add_argument("surveys", nargs="?", type=int, default=400)
    parser.add_argument("--people", nargs="+", type=int, default=[200, 500, 2_000, 10_000])
    parser.add_argument("--kinds", nargs="+", default=list(KINDS))
    parser.add_argument("--shapes", nargs="+", default=list(POINTS))
    parser.add_argument("--quantiles", action="store_true")
    parser.add_argument("--bands", action="store_true")
    parser.add_argument("--default", action="store_true")
    parser.add_argument("--bound", action="store_true")
    options = parser.parse_args()
    if options.bound:
        for line in bound(options.surveys):
            sys.stdout.write(line + "\n")
            sys.stdout.flush()
        return
    measure = quantiles if options.quantiles else bands if options.bands else shares
    laws, heads = (False, True), f"{'any':>33}{'smooth':>8}{'wider':>8}"
    if options.default:
        laws, heads = laws[:1], heads[:33]
    sys.stdout.write(f"{options.surveys} surveys each{heads}\n")
    for kind in options.kinds:
        for people in options.people:
            for shape in options.shapes:
                for line in measure(shape, kind, people, options.surveys, laws):
                    sys.stdout.write(line + "\n")
                    sys.stdout.flush()


if __name__ == "__main__":
    main()
