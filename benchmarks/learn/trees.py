"""Regressions of ranges by trees and lines, against XGBoost, CatBoost and lifelines, by the truth.

    python benchmarks/learn/trees.py [--rows N] [--seed S]

Ten even covariates, logistic noise, two normal cuts a person; the truth is a line, or four fifths
of Friedman's first function. Every side learns from the same ranges in the same run, on one thread,
with nothing tuned; the error is the root mean square distance to the truth at 20,000 fresh points.
The peers know positive numbers alone and take exponentials. XGBoost and CatBoost are told the scale
of the noise; lifelines and ours find it. The last row learns from the numbers nobody would have.
"""

import argparse
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

for threads in ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ[threads] = "1"

import numpy as np  # noqa: E402  after the threads are set

sys.path.append(str(Path(__file__).parents[1]))
from peers import peers  # noqa: E402

FOLDER, SCALE, FRESH = Path(__file__).parent, 0.75, 20_000
UNIT = 4.0
RIVALS = f"""
import sys, time, warnings
import catboost, lifelines, pandas, xgboost  # outside the times
import numpy as np
warnings.simplefilter("ignore")
held = np.load(sys.argv[1])
low, high, X, Z = (held[one] for one in ("low", "high", "X", "Z"))
middle, unit = np.median(np.r_[low[np.isfinite(low)], high[np.isfinite(high)]]), {UNIT}
least, most = np.exp((low - middle) / unit), np.exp((high - middle) / unit)

def xgboost():
    from xgboost import DMatrix, train
    rows = DMatrix(X, label_lower_bound=least, label_upper_bound=most)
    told = dict(objective="survival:aft", aft_loss_distribution="logistic", nthread=1,
                aft_loss_distribution_scale={SCALE} / unit, max_depth=4, eta=0.1)
    return np.log(train(told, rows, 300).predict(DMatrix(Z)))

def catboost():
    from catboost import CatBoostRegressor
    loss = f"SurvivalAft:dist=Logistic;scale={{{SCALE} / unit}}"
    model = CatBoostRegressor(iterations=300, depth=4, loss_function=loss, thread_count=1,
                              verbose=0, allow_writing_files=False)
    ends = np.column_stack([np.maximum(least, 1e-9), np.where(np.isinf(most), -1, most)])
    return model.fit(X, ends).predict(Z, prediction_type="RawFormulaVal")

def lifelines():
    import pandas as pd
    from lifelines import LogLogisticAFTFitter
    rows = pd.DataFrame(X).add_prefix("x").assign(low=least, high=most)
    fit = LogLogisticAFTFitter().fit_interval_censoring(rows, "low", "high")
    return np.log(fit.predict_median(pd.DataFrame(Z).add_prefix("x"))).to_numpy()

found = {{}}
for rival in (xgboost, catboost, lifelines):
    began = time.perf_counter()
    values = middle + unit * rival()
    found[rival.__name__] = np.r_[time.perf_counter() - began, values]
np.savez(sys.argv[2], **found)
"""


def straight(X: np.ndarray) -> np.ndarray:
    """Give a line."""
    return X @ np.linspace(1, 5, 10) - 10


def friedman(X: np.ndarray) -> np.ndarray:
    """Give four fifths of Friedman's first function."""
    bent = 10 * np.sin(np.pi * X[:, 0] * X[:, 1]) + 20 * (X[:, 2] - 0.5) ** 2
    return 0.82 * (bent + 10 * X[:, 3] + 5 * X[:, 4])


def draw_sample(
    truth: Callable[[np.ndarray], np.ndarray], n: int, seed: int
) -> dict[str, np.ndarray]:
    """Draw covariates, numbers, ranges, and fresh covariates."""
    rng = np.random.default_rng(seed)
    X = rng.random((n, 10))
    means = truth(X)
    y = means + rng.logistic(0, SCALE, n)
    cuts = np.sort(rng.normal(means.mean(), means.std(), (n, 2)), axis=1)
    ends = np.column_stack([np.full(n, -np.inf), cuts, np.full(n, np.inf)])
    cell, row = (y[:, None] > cuts).sum(axis=1), np.arange(n)
    low, high = ends[row, cell], ends[row, cell + 1]
    return {"X": X, "y": y, "low": low, "high": high, "Z": rng.random((FRESH, 10))}


def learners() -> dict[str, Any]:
    """Give ours."""
    from sklearn.ensemble import HistGradientBoostingRegressor
    from sklearn.linear_model import Ridge
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import PolynomialFeatures, SplineTransformer

    from askance.learn import IntervalBooster, IntervalRegressor

    trees = HistGradientBoostingRegressor(early_stopping=False, random_state=0)
    bent = make_pipeline(
        SplineTransformer(6, degree=2),
        PolynomialFeatures(2, interaction_only=True, include_bias=False),
        Ridge(1.0),
    )
    return {
        "line, by likelihood": IntervalRegressor(response="likelihood"),
        "pairs of splines, by likelihood": IntervalRegressor(
            bent, response="likelihood", max_iter=12, tol=1e-2
        ),
        "boosted likelihood": IntervalBooster(random_state=0),
        "boosted trees, in folds": IntervalRegressor(
            trees, response="likelihood", folds=2, random_state=0
        ),
        "boosted trees, numbers": trees,
    }


def ours(sample: dict[str, np.ndarray]) -> dict[str, np.ndarray]:
    """Learn; give seconds, then values at the fresh points."""
    from askance import Ranges

    ranges, errors = Ranges(sample["low"], sample["high"]), {}
    for name, learner in learners().items():
        target = sample["y"] if name.endswith("numbers") else ranges
        began = time.perf_counter()
        values = learner.fit(sample["X"], target).predict(sample["Z"])
        errors[name] = np.r_[time.perf_counter() - began, values]
    return errors


def theirs(sample: dict[str, np.ndarray]) -> dict[str, np.ndarray]:
    """Let the peers learn in an interpreter of their own."""
    with tempfile.TemporaryDirectory() as folder:
        inputs, back = Path(folder) / "given.npz", Path(folder) / "back.npz"
        np.savez(inputs, **sample)
        subprocess.run([str(peers(FOLDER)), "-c", RIVALS, str(inputs), str(back)], check=True)
        with np.load(back) as predictions:
            return dict(predictions)


def main() -> None:
    """Print a row for each program and each truth."""
    words = argparse.ArgumentParser(description=__doc__)
    words.add_argument("--rows", type=int, default=10_000)
    words.add_argument("--seed", type=int, default=1)
    options = words.parse_args()
    print(f"{options.rows:,} rows\n{'truth':<10}{'program':<34}{'seconds':>9}{'error':>8}")
    for truth in (straight, friedman):
        sample = draw_sample(truth, options.rows, options.seed)
        goal = truth(sample["Z"])
        for name, (spent, *values) in (theirs(sample) | ours(sample)).items():
            error = np.sqrt(np.mean((np.array(values) - goal) ** 2))
            print(f"{truth.__name__:<10}{name:<34}{spent:>9.2f}{error:>8.3f}", flush=True)


if __name__ == "__main__":
    main()
