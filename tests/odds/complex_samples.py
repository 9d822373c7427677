"""Print how often 95 % intervals from complex samples cover: python tests/odds/complex_samples.py.

Villages are drawn in four strata, some strata more densely than others, and in them people, of
whom those with the trait are found twice as often. Villagers share a covariate and what else makes
them say yes. The share and the slope of the log-odds are asked of everybody, through a channel.
"""

import sys
from collections.abc import Callable

import numpy as np
from designs import Reading
from scipy.special import expit, ndtr

from askance.channels import Frame
from askance.engines import tally
from askance.inference import (
    Estimate,
    Margins,
    SamplingDesign,
    estimate,
    response_regression,
)
from askance.mechanisms import KAry

CHANNEL = KAry(truth="9/10").channel(Frame(["yes", "no"]))
FOUND = np.array([0.8, 0.4])  # with the trait, and without
INTERCEPT, SLOPE = -0.6, 0.5
MEANS = np.array([-0.6, -0.2, 0.2, 0.6])  # of the covariate in each stratum
PARTS = np.array([0.4, 0.3, 0.2, 0.1])  # of everybody
ALIKE = 0.6  # the correlation of two villagers, of the covariate and of the rest
SIZES = (200, 1000, 5000)
NODES, MASSES = np.polynomial.hermite_e.hermegauss(60)
SHARE = float(PARTS @ expit(INTERCEPT + SLOPE * (MEANS[:, None] + NODES)) @ MASSES / MASSES.sum())

Sample = dict[str, np.ndarray]


def village_numbers(rng: np.random.Generator, villages: int, item: int) -> np.ndarray:
    """Standard normal numbers of people, two of one village correlated."""
    shared, own = rng.normal(size=(villages, 1)), rng.normal(size=(villages, item))
    return np.asarray((ALIKE**0.5 * shared + (1 - ALIKE) ** 0.5 * own).ravel())


def asked(rng: np.random.Generator, n: int) -> Sample:
    """Ask about n people, 10 a village, as many villages in each stratum."""
    villages, candidates = n // 10, 18
    stratum = np.repeat(np.arange(4), villages // 4)
    people = np.repeat(np.arange(villages), candidates)
    x = MEANS[stratum[people]] + village_numbers(rng, villages, candidates)
    rest = ndtr(village_numbers(rng, villages, candidates))
    answer = np.where(rest < expit(INTERCEPT + SLOPE * x), 0, 1)
    is_met = rng.random(len(people)) < FOUND[answer]
    lies = rng.random(len(people)) < CHANNEL.matrix[0, 1]
    value = np.array(CHANNEL.reports)[np.where(lies, 1 - answer, answer)]
    weight = PARTS[stratum[people]] / FOUND[answer]
    columns = {
        "said": value,
        "x": x,
        "weight": weight,
        "village": people,
        "stratum": stratum[people],
    }
    return {name: column[is_met] for name, column in columns.items()}


def designs(sample: Sample) -> dict[str, SamplingDesign]:
    """The sample as it was drawn, and two that pass over a part of it."""
    weights, strata, clusters = (sample[name] for name in ("weight", "stratum", "village"))
    return {
        "as drawn": SamplingDesign(weights=weights, strata=strata, clusters=clusters),
        "clusters ignored": SamplingDesign(weights=weights, strata=strata),
        "weights ignored": SamplingDesign(strata=strata, clusters=clusters),
    }


def share(sample: Sample, sampling: SamplingDesign) -> Reading:
    """Read the interval of the share."""
    return _read(estimate(tally(CHANNEL, sample["said"], sampling=sampling)), 0, SHARE)


def slope(sample: Sample, sampling: SamplingDesign) -> Reading:
    """Read the interval of the slope."""
    fit = response_regression(sample["said"], sample["x"][:, None], CHANNEL, sampling=sampling)
    return _read(fit.coefficients(), 1, SLOPE)


def _read(result: Estimate | Margins, index: int, truth: float) -> Reading:
    value = float(result.value[index])
    return Reading(
        (float(result.lower[index]), float(result.upper[index])), (value, value), (truth, truth)
    )


TARGETS: dict[str, Callable[[Sample, SamplingDesign], Reading]] = {"share": share, "slope": slope}


def table(surveys: int) -> list[str]:
    """Give one line for each target and number of people."""
    names = ("as drawn", "clusters ignored", "weights ignored")
    lines = [f"{'target':<8}{'people':>7}" + "".join(f"{name:>18}" for name in names)]
    for target, read in TARGETS.items():
        for n in SIZES:
            rng, content = np.random.default_rng([1965, n]), []
            for _ in range(surveys):
                sample = asked(rng, n)
                content.append([read(sample, value).covers() for value in designs(sample).values()])
            text = "".join(f"{item:>18.3f}" for item in np.mean(content, axis=0))
            lines.append(f"{target:<8}{n:>7}{text}")
    return [*lines, f"of {surveys} surveys"]


if __name__ == "__main__":
    sys.stdout.write("\n".join([*table(int(sys.argv[1]) if sys.argv[1:] else 1000), ""]))
