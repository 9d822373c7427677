"""Time a regression of 10^6 reports with weights, strata and clusters beside the plain one.

python benchmarks/sampling/regression.py [rows]
"""

import math
import sys
import time
from collections.abc import Callable
from typing import Any

import numpy as np

import askance as ak
from askance.inference import SamplingDesign

TIMES = 5


def people(rows: int) -> dict[str, Any]:
    """Invent reports to one question, two covariates, and a sample of clusters in strata."""
    rng = np.random.default_rng(1965)
    cluster = rng.integers(0, rows // 100, rows)
    x = rng.normal(size=(rows, 2))
    likely = 1 / (1 + np.exp(1 - x @ [0.5, -0.3] - 0.3 * rng.normal(size=rows // 100)[cluster]))
    truth = np.where(rng.random(rows) < likely, "yes", "no")
    channel = ak.Warner(truth="3/4").channel(ak.Frame(["yes", "no"]))
    return {
        "channel": channel,
        "said": ak.privatise(channel, truth, rng=rng),
        "x": x,
        "cluster": cluster,
        "stratum": cluster % 50,
        "weight": rng.uniform(1, 3, rows),
    }


def least(ways: dict[str, Callable[[], Any]]) -> dict[str, float]:
    """The least processor time of each way, in seconds: they take turns, whatever else runs."""
    spent: dict[str, float] = dict.fromkeys(ways, math.inf)
    for _ in range(TIMES):
        for name, fit in ways.items():
            start = time.process_time()
            fit()
            spent[name] = min(spent[name], time.process_time() - start)
    return spent


def table(rows: int) -> list[str]:
    """Give one line for each way, with its time over that of the plain regression."""
    sample = people(rows)
    arguments = sample["said"], sample["x"], sample["channel"]
    columns = {"strata": sample["stratum"], "clusters": sample["cluster"]}

    def design_of_sample(**more: Any) -> SamplingDesign:
        return SamplingDesign(weights=sample["weight"], **columns, **more)

    sampling = design_of_sample()
    ways: dict[str, Callable[[], Any]] = {
        "plain": lambda: ak.response_regression(*arguments),
        "weights, robust": lambda: ak.response_regression(
            *arguments, weights=sample["weight"], errors="robust"
        ),
        "a sample at hand": lambda: ak.response_regression(*arguments, sampling=sampling),
        "and reading the sample": lambda: ak.response_regression(
            *arguments, sampling=design_of_sample()
        ),
    }
    spent = least(ways)
    lines = [f"{rows:,} reports, {rows // 100:,} clusters in 50 strata", f"{'':24}seconds   ratio"]
    lines += [
        f"{name:<24}{seconds_spent:>7.2f}{seconds_spent / spent['plain']:>8.2f}"
        for name, seconds_spent in spent.items()
    ]
    lines.append("goal: a sample within 1.5 of the plain regression")
    return lines


if __name__ == "__main__":
    number = int(sys.argv[1]) if len(sys.argv) > 1 else 10**6
    sys.stdout.write("\n".join([*table(number), ""]))
