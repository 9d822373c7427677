"""The most likely distribution of range-valued data, against SurPyval and isotonic regression.

One thread. Each row is one data set; the rival (Turnbull by Kaplan-Meier, the only one of its
estimators that maximises the likelihood) fits it in an environment of its own in the same run.
The gap of both is taken by one evaluator over every elementary cell. Times are medians of fits;
"first" is the first fit in a fresh process. No rival takes rings.
"""

import argparse
import json
import os
import resource
import statistics
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

sys.path.append(str(Path(__file__).parents[1]))
from kinds import KINDS, make
from peers import peers


def timed(work: Callable[[], object], most: float = 10.0) -> list[float]:
    """Time up to five fits, fewer where they are slow."""
    spent: list[float] = []
    while len(spent) < 5 and sum(spent) < most:
        began = time.perf_counter()
        work()
        spent.append(time.perf_counter() - began)
    return spent


def gap(low: np.ndarray, high: np.ndarray, ends: np.ndarray, upto: np.ndarray) -> float:
    """Bound what is missing to the mean log-likelihood, F being ``upto`` at and after ``ends``."""
    exact = low == high
    low = np.where(exact, np.nextafter(low, -np.inf), low)
    levels = np.append(0.0, upto)
    chance = (
        levels[np.searchsorted(ends, high, "right")] - levels[np.searchsorted(ends, low, "right")]
    )
    places = np.unique(np.concatenate([low, high]))
    pull = 1 / chance
    m = len(places) + 1
    steps = np.bincount(np.searchsorted(places, low), pull, m)
    steps -= np.bincount(np.searchsorted(places, high), pull, m)
    return float(np.cumsum(steps).max() / len(low) - 1)


def ours(kind: str, n: int, seed: int) -> dict[str, float]:
    import askance as ak

    low, high, pieces = make(kind, n, seed)
    ranges = ak.Ranges(low, high, closed="survival", pieces=None if kind != "ring" else pieces)
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    spent = timed(lambda: ak.npmle(ranges))
    told = {"first": spent[0], "time": statistics.median(spent)}
    told["memory"] = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    told["more"] = told["memory"] - before / 1024
    fit = ak.npmle(ranges)
    told["gap"] = fit.gap if kind == "ring" else gap(low, high, fit.upper, np.cumsum(fit.mass))
    if kind == "case1":
        from scipy.optimize import isotonic_regression

        below = np.isinf(low)
        cuts, share = np.where(below, high, low), below.astype(float)
        told["isotonic"] = statistics.median(
            timed(lambda: isotonic_regression(share[np.argsort(cuts)]))
        )
    return told


def theirs(kind: str, n: int, seed: int) -> dict[str, float]:
    import surpyval

    low, high, _ = make(kind, n, seed)
    exact = low == high
    cens = np.where(exact, 0, np.where(np.isinf(low), -1, np.where(np.isinf(high), 1, 2)))
    x = np.column_stack([np.where(np.isinf(low), high, low), np.where(np.isinf(high), low, high)])

    def fit() -> Any:
        return surpyval.Turnbull.fit(x=x, c=cens, turnbull_estimator="Kaplan-Meier")

    spent = timed(fit)
    fitted = fit()
    told = {"first": spent[0], "time": statistics.median(spent)}
    told["memory"] = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    told["gap"] = gap(low, high, fitted.x, np.asarray(fitted.F))
    return told


def alone(python: str, side: str, kind: str, n: int, seed: int) -> dict[str, float]:
    """Measure one side in a fresh process."""
    command = [python, __file__, "--side", side, kind, str(n), str(seed)]
    threads = dict.fromkeys(("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS"), "1")
    ran = subprocess.run(
        command, capture_output=True, text=True, check=False, env=os.environ | threads
    )
    if ran.returncode:
        raise SystemExit(ran.stderr[-2000:])
    answer: dict[str, float] = json.loads(ran.stdout.splitlines()[-1])
    return answer


def row(kind: str, n: int, seed: int, rival: str) -> str:
    own = alone(sys.executable, "ours", kind, n, seed)
    told = f"{kind:12}{n:>9,} {own['time'] * 1e3:9.1f} ms (first {own['first'] * 1e3:8.1f})"
    told += f"  gap {own['gap']:8.1e}  {own['memory']:5.0f} MB"
    if kind != "ring":
        peer = alone(rival, "theirs", kind, n, seed)
        told += f"  SurPyval {peer['time'] * 1e3:9.1f} ms, gap {peer['gap']:8.1e}, "
        told += f"{peer['memory']:5.0f} MB:"
        told += (
            f" {peer['time'] / own['time']:5.1f} times (first {peer['first'] / own['first']:.1f})"
        )
    if "isotonic" in own:
        told += f"; {own['time'] / own['isotonic']:.2f} of sort and isotonic regression"
    return told


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--kinds", nargs="+", default=KINDS, choices=KINDS)
    parser.add_argument("--sizes", nargs="+", type=int, default=[1_000, 10_000, 100_000])
    parser.add_argument("--seed", type=int, default=int.from_bytes(os.urandom(2), "big"))
    parser.add_argument("--side", nargs=4, metavar=("SIDE", "KIND", "N", "SEED"))
    asked = parser.parse_args()
    if asked.side:
        side, kind, n, seed = asked.side
        print(json.dumps({"ours": ours, "theirs": theirs}[side](kind, int(n), int(seed))))
        return
    rival = str(peers(Path(__file__).parent))
    print(f"seed {asked.seed}, one thread; the gap is taken over every elementary cell")
    for n in asked.sizes:
        for kind in asked.kinds:
            print(row(kind, n, asked.seed, rival), flush=True)


if __name__ == "__main__":
    main()
