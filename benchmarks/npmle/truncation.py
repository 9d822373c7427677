"""How often 95 % intervals cover of interval-censored and truncated numbers.

`python benchmarks/npmle/truncation.py [surveys] [seed] [entries8]`. Weibull numbers (shape 1.5,
scale 4 e^{x/2}) of 150 people whom three visits divide. Half enter at 0, the others later, and
nobody is heard of whose number is up to her entry; or half may be heard of up to an exit only. For
each probability of not being heard of: F(2), F(4) and the median by likelihood ratio, of people
with x = 0, for any F, and F(2) and F(4) for a smooth one; in as many other surveys the scale of
their law, and the slope on x. The 200 surveys take some 500 s of processor time.
"""

import sys

import numpy as np
from scipy.stats import norm, weibull_min

import askance as ak

PEOPLE, SHAPE, SCALE, SLOPE = 150, 1.5, 4.0, 0.5
WINDOWS = {"none": 0.0, "entries": (2.5, 8.0), "exits": (12.0, 6.0)}
COLUMNS = ("F(2)", "F(4)", "median", "smooth F(2)", "F(4)", "scale", "slope")


def windows(rng, kind, size, count):
    """Draw entries and exits, half of them open."""
    is_open, some = rng.random(count) < 0.5, rng.exponential(size, count) if size else 0.0
    entry = np.where(is_open | (kind != "entries"), 0.0, some)
    return entry, np.where(is_open | (kind != "exits"), np.inf, some)


def survey(rng, kind, size, slope):
    """Draw people until enough are heard of: ranges, covariates, and how many were not, of all."""
    count = 8 * PEOPLE
    x = rng.normal(size=count)
    y = rng.weibull(SHAPE, count) * SCALE * np.exp(slope * x)
    entry, exit_ = windows(rng, kind, size, count)
    is_observed = (entry < y) & (y <= exit_)
    some = np.flatnonzero(is_observed)[:PEOPLE]
    x, y, entry, exit_ = x[some], y[some], entry[some], exit_[some]
    visits = np.sort(rng.uniform(0, 10, (PEOPLE, 3)), axis=1)
    edges = np.column_stack([np.zeros(PEOPLE), visits, np.full(PEOPLE, np.inf)])
    cell, row = (y[:, None] > visits).sum(axis=1), np.arange(PEOPLE)
    low, high = np.maximum(edges[row, cell], entry), np.minimum(edges[row, cell + 1], exit_)
    return ak.Ranges(low, high, entry=entry, exit=exit_), x, 1 - is_observed.mean()


LAW = weibull_min(SHAPE, scale=SCALE)


def by_likelihood(rng, kind, size):
    """Say which intervals by likelihood ratio hold, and which share was not heard of."""
    ranges, _, missed = survey(rng, kind, size, 0.0)
    middle = ak.inference.quantile_intervals(ranges, [0.5])
    held, truth = [], LAW.cdf([2, 4])
    for smooth in (False, True):
        shares = ak.inference.cdf_intervals(ranges, [2, 4], smooth=smooth)
        held.append((shares.lower <= truth) & (truth <= shares.upper))
    return [*held[0], middle.lower[0] <= LAW.median() <= middle.upper[0], *held[1], missed]


def by_standard_errors(rng, kind, size):
    """Say which intervals of parameters hold."""
    ranges, _, _ = survey(rng, kind, size, 0.0)
    fit = ak.inference.fit_family(ranges, weibull_min, fixed={"loc": 0})
    scale, z = fit.names.index("scale"), norm.ppf(0.975)
    ranges, x, _ = survey(rng, kind, size, SLOPE)
    slope = ak.inference.censored_regression(ranges, x, "gumbel", log=True)
    return [
        abs(fit.value[scale] - SCALE) <= z * fit.covariance[scale, scale] ** 0.5,
        abs(slope.value[1] - SLOPE) <= z * slope.se[1],
    ]


def main(surveys=200, seed=1, only=""):
    surveys, seed = int(surveys), int(seed)
    print(f"{surveys} surveys of {PEOPLE} people" + "".join(f"{name:>13}" for name in COLUMNS))
    for kind, sizes in WINDOWS.items():
        for size in np.atleast_1d(sizes).tolist():
            if only not in ("", f"{kind}{size:g}"):
                continue
            rng = np.random.default_rng([seed, round(10 * size)])
            columns = by_likelihood, by_standard_errors
            results = [[f(rng, kind, size) for _ in range(surveys)] for f in columns]
            (*some, missed), rest = (np.mean(result, axis=0) for result in results)
            row = "".join(f"{share:13.3f}" for share in [*some, *rest])
            print(f"{kind:>8}, {missed:4.0%} not heard of{row}", flush=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
