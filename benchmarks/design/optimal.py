"""Optimal channels: here, and the same programmes in cvxpy with its default solver.

Prints seconds (median of the passes), the certified relative gap, and the ratio of the two times in
this run. The goals: two answers in microseconds, 8 answers below 0.1 s, 64 answers below 30 s with
a gap below 1e-6, and at least 10 times as fast as cvxpy. Ours includes rounding to integers, the
exact guarantee and the certificate; cvxpy's time is that of stating and solving the programme.
"""

import os

os.environ["OPENBLAS_NUM_THREADS"] = "1"

import argparse
import json
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from statistics import median
from typing import Any

import numpy as np

sys.path.insert(0, str(Path(__file__).parents[1]))

from peers import peers

import askance as ak

UNEVEN = (np.arange(1, 9) / 36).tolist()
PEER = """
import json, math, sys, time, warnings
warnings.simplefilter("ignore")
import cvxpy as cp
import numpy as np
kind, k, prior, passes = json.loads(sys.argv[1])
prior, e = np.array(prior), math.e
masks = np.arange(1, 2**k - 1)
columns = np.where((masks[:, None] >> np.arange(k)) & 1, e, 1.0)
chance = columns @ prior
basis = np.linalg.svd(np.ones((1, k)))[2][1:].T
rows = (columns @ basis) / np.sqrt(chance)[:, None]
times, value = [], 0.0
for _ in range(passes):
    start = time.perf_counter()
    z = cp.Variable(len(columns), nonneg=True)
    moment = rows.T @ cp.diag(z) @ rows
    if kind == "MutualInformation":
        told = (columns * np.log(columns)) @ prior - chance * np.log(chance)
        wanted = cp.Maximize(told @ z)
    elif kind == "AOptimal":
        wanted = cp.Minimize(cp.tr_inv(moment))
    elif kind == "DOptimal":
        wanted = cp.Maximize(cp.log_det(moment))
    else:
        wanted = cp.Maximize(cp.lambda_min(moment))
    programme = cp.Problem(wanted, [columns.T @ z == 1])
    programme.solve()
    times.append(time.perf_counter() - start)
value = programme.value
if kind == "DOptimal":
    value = math.exp(-value / (k - 1))
if kind == "EOptimal":
    value = 1 / value
print(json.dumps([float(value), times]))
"""


def frame(k: int) -> ak.Frame:
    """Name k answers."""
    return ak.Frame([f"answer {at}" for at in range(k)])


def timed(call: Callable[[], Any], passes: int) -> tuple[float, Any]:
    """Give the median time and the last result."""
    times, found = [], None
    for _ in range(passes):
        start = time.perf_counter()
        found = call()
        times.append(time.perf_counter() - start)
    return median(times), found


def two_answers(passes: int) -> None:
    """Time the closed forms."""
    for name, call in (
        ("bounded advantage", lambda: ak.yoshida_pair("1/4", weight="2/5")),
        ("bounded loss", lambda: ak.joint_pair(epsilon=1)),
        ("both", lambda: ak.joint_pair("1/4", 1)),
    ):
        seconds, _ = timed(call, 200 * passes)
        print(f"two answers, {name:18} {1e6 * seconds:8.1f} µs")


def eight_answers(passes: int, python: Path | None) -> None:
    """Time all 254 staircase columns at unequal shares, beside cvxpy."""
    for utility in (ak.MutualInformation, ak.AOptimal, ak.DOptimal, ak.EOptimal):
        wanted = utility(UNEVEN)
        seconds, design = timed(
            lambda wanted=wanted: ak.optimal_channel(frame(8), ak.LocalPrivacy(1), utility=wanted),
            passes,
        )
        line = f"8 answers, {wanted.name:19} {seconds:8.4f} s, gap {design.gap:.1e}"
        if python is not None:
            asked = json.dumps([utility.__name__, 8, UNEVEN, passes])
            run = subprocess.run(
                [str(python), "-c", PEER, asked], capture_output=True, text=True, check=True
            )
            value, times = json.loads(run.stdout)
            line += f"; cvxpy {median(times):7.3f} s, {abs(value / design.value - 1):.0e} apart"
            line += f"; ratio {median(times) / seconds:.0f}"
        print(line)


def many_answers() -> None:
    """Time 64 answers: alike, of two sizes, all unlike, and under two bounds."""
    prior = np.random.default_rng(1).dirichlet(np.full(64, 2.0))
    two = np.repeat([2, 1], 32) / 96
    bound = ak.LocalPrivacy(1)
    for name, constraints, utility in (
        ("A-optimality, alike", (bound,), ak.AOptimal()),
        ("D-optimality, alike", (bound,), ak.DOptimal()),
        ("E-optimality, alike", (bound,), ak.EOptimal()),
        ("advantage too", (bound, ak.Advantage("1/5")), ak.AOptimal()),
        ("two sizes", (bound,), ak.AOptimal(two)),
        ("mutual information, all unlike", (bound,), ak.MutualInformation(prior)),
    ):
        seconds, design = timed(
            lambda c=constraints, u=utility: ak.optimal_channel(frame(64), *c, utility=u), 1
        )
        reports = len(design.channel.reports)
        print(f"64 answers, {name:31} {seconds:6.2f} s, gap {design.gap:.1e}, {reports} reports")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--passes", type=int, default=3)
    parser.add_argument("--alone", action="store_true", help="do not compare with cvxpy")
    given = parser.parse_args()
    two_answers(given.passes)
    eight_answers(given.passes, None if given.alone else peers(Path(__file__).parent))
    many_answers()
