"""The most likely distribution of range-valued data, against SurPyval, icenReg and a plain sort.

One thread. Each row is one kind and size: medians over data sets of fresh seeds, which every side
fits in a fresh process in the same run. SurPyval has an environment of its own (Turnbull by
Kaplan-Meier, the only one of its estimators that maximises the likelihood); icenReg takes part
where `icenreg.py` has built it. The gap of all sides is taken by one evaluator over every
elementary cell. Times are medians of fits; "first" is the first fit in its process. Memory
is the peak of the process, data and libraries included. No rival takes rings or other unions: they
are compared with plain intervals, as many as they are and as many as their pieces. One cut a person
is compared with a sort and scipy's isotonic regression besides, which is right where no two cuts
are equal, and with the same after equal cuts are pooled. Of "mixed" 30 % are exact numbers, of
"mixed:0.01" 1 %.
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
import icenreg
from kinds import KINDS, make
from peers import peers

MANY = ("ring", "unions")  # kinds of more than one piece


def find_function(function: str) -> str:
    """Let through a kind, and mixed with a share of exact numbers."""
    name, _, share = function.partition(":")
    if name not in KINDS or (share and not (name == "mixed" and 0 <= float(share) <= 1)):
        raise argparse.ArgumentTypeError(f"{function}: not of {', '.join(KINDS)}, mixed:SHARE")
    return function


def draw_ranges(kind: str, n: int, seed: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    name, _, share = kind.partition(":")
    return make(name, n, seed, float(share or 0.3))


def timed(*works: Callable[[], object], most: float = 10.0) -> list[list[float]]:
    """Time five rounds of fits, fewer where they are slow and more where they are short."""
    rounds: list[list[float]] = []
    total = 0.0
    while total < (most if len(rounds) < 5 else 0.05):
        spent = []
        for work in works:
            began = time.process_time()
            work()
            spent.append(time.process_time() - began)
        rounds.append(spent)
        total += sum(spent)
    return [list(fits) for fits in zip(*rounds, strict=True)]


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

    low, high, pieces = draw_ranges(kind, n, seed)
    ranges = ak.Ranges(low, high, closed="survival", pieces=pieces if kind in MANY else None)
    (spent,) = timed(lambda: ak.npmle(ranges))
    measurements = {"first": spent[0], "time": statistics.median(spent)}
    measurements["memory"] = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    fit = ak.npmle(ranges)
    measurements["gap"] = (
        fit.gap if kind in MANY else gap(low, high, fit.upper, np.cumsum(fit.mass))
    )
    if kind in MANY:
        for label, size in (("of as many ranges", n), ("of as many pieces", len(ranges.lower))):
            plain = ak.Ranges(*make("case2", size, seed)[:2])
            both_fits = timed(lambda: ak.npmle(ranges), lambda plain=plain: ak.npmle(plain))
            measurements[label] = statistics.median(both_fits[0]) / statistics.median(both_fits[1])
    if kind == "case1":
        measurements |= of_sorting(low, high, lambda: ak.npmle(ranges))
    return measurements


def of_sorting(low: np.ndarray, high: np.ndarray, fit: Callable[[], object]) -> dict[str, float]:
    """Compare one cut a person with what any fit of it has to do, equal cuts pooled or not."""
    from scipy.optimize import isotonic_regression

    below = np.isinf(low)
    cuts, share = np.where(below, high, low), below.astype(float)

    def plainly() -> object:
        return isotonic_regression(share[np.argsort(cuts)])

    def pooled() -> object:
        _, inverse, people = np.unique(cuts, return_inverse=True, return_counts=True)
        return isotonic_regression(np.bincount(inverse, share) / people, weights=people)

    spent, *sorts = map(statistics.median, timed(fit, plainly, pooled))
    return {
        "of sort and isotonic regression": spent / sorts[0],
        "of the same with equal cuts pooled": spent / sorts[1],
    }


def theirs(kind: str, n: int, seed: int) -> dict[str, float]:
    import surpyval

    low, high, _ = draw_ranges(kind, n, seed)
    exact = low == high
    cens = np.where(exact, 0, np.where(np.isinf(low), -1, np.where(np.isinf(high), 1, 2)))
    x = np.column_stack([np.where(np.isinf(low), high, low), np.where(np.isinf(high), low, high)])

    def fit() -> Any:
        return surpyval.Turnbull.fit(x=x, c=cens, turnbull_estimator="Kaplan-Meier")

    (spent,) = timed(fit)
    fitted = fit()
    measurements = {"first": spent[0], "time": statistics.median(spent)}
    measurements["memory"] = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    measurements["gap"] = gap(low, high, fitted.x, np.asarray(fitted.F))
    return measurements


def in_cpp(kind: str, n: int, seed: int) -> dict[str, float]:
    low, high, _ = draw_ranges(kind, n, seed)
    masses, ends, mass = icenreg.fitted(low, high)
    return masses | {"gap": gap(low, high, ends, np.cumsum(mass))}


def alone(python: str, side: str, kind: str, n: int, seed: int) -> dict[str, float]:
    """Measure one side in a fresh process."""
    command = [python, __file__, "--side", side, kind, str(n), str(seed)]
    ran = subprocess.run(
        command, capture_output=True, text=True, check=False, env=os.environ | icenreg.THREADS
    )
    if ran.returncode:
        raise SystemExit(ran.stderr[-2000:])
    answer: dict[str, float] = json.loads(ran.stdout.splitlines()[-1])
    return answer


def sides(kind: str, n: int, seed: int, python: str) -> dict[str, dict[str, float]]:
    """Measure everyone who takes this kind on one data set."""
    measurements = {"own": alone(sys.executable, "ours", kind, n, seed)}
    if kind not in MANY:
        measurements["SurPyval"] = alone(python, "theirs", kind, n, seed)
        if icenreg.present():
            measurements["icenReg"] = in_cpp(kind, n, seed)
    return measurements


def row(kind: str, n: int, seeds: list[int], python: str) -> str:
    sets = [sides(kind, n, seed, python) for seed in seeds]

    def middle(side: str, measure: str) -> float:
        return statistics.median(runs[side][measure] for runs in sets)

    def times(rivals: list[str], measure: str) -> float:
        return statistics.median(
            min(runs[rival][measure] for rival in rivals) / runs["own"][measure] for runs in sets
        )

    own = sets[0]["own"]
    line = f"{kind:12}{n:>10,} {middle('own', 'time') * 1e3:8.1f} ms "
    line += f"(first {middle('own', 'first') * 1e3:7.1f})  "
    line += f"gap {max(runs['own']['gap'] for runs in sets):7.0e} {middle('own', 'memory'):4.0f} MB"
    rivals = [side for side in sets[0] if side != "own"]
    for rival in rivals:
        line += f" | {rival} {times([rival], 'time'):5.1f} times"
        line += f" (first {times([rival], 'first'):4.1f}),"
        line += f" gap {max(runs[rival]['gap'] for runs in sets):7.0e}"
        line += f" {middle(rival, 'memory'):4.0f} MB"
    if len(rivals) > 1:
        line += f" | the faster {times(rivals, 'time'):5.1f} (first {times(rivals, 'first'):4.1f})"
    for measure in own:
        if measure.startswith("of "):
            line += f" | {middle('own', measure):4.2f} {measure}"
    return line


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--kinds", nargs="+", default=KINDS, type=find_function)
    parser.add_argument("--sizes", nargs="+", type=int, default=[1_000, 10_000, 100_000])
    parser.add_argument("--seeds", type=int, default=3, help="how many fresh data sets")
    parser.add_argument("--side", nargs=4, metavar=("SIDE", "KIND", "N", "SEED"))
    options = parser.parse_args()
    if options.side:
        side, kind, n, seed = options.side
        print(json.dumps({"ours": ours, "theirs": theirs}[side](kind, int(n), int(seed))))
        return
    python = str(peers(Path(__file__).parent))
    seeds = [int.from_bytes(os.urandom(2), "big") for _ in range(options.seeds)]
    print(f"seeds {seeds}, one thread; the gap is taken over every elementary cell")
    for n in options.sizes:
        for kind in options.kinds:
            print(row(kind, n, seeds, python), flush=True)


if __name__ == "__main__":
    main()
