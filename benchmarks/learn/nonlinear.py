"""Curved regressions of ranges, every side tuned alike, against CatBoost and XGBoost, by the truth.

    python benchmarks/learn/nonlinear.py [--rows N] [--seeds S ...] [--kinds WORD ...]

The truth, the noise and the cuts of trees.py. Of each kind the settings below are learnt, and that
is taken to which the ranges of 5,000 further people are likeliest; nobody looks at the truth. The
error is the root mean square distance to the truth at 20,000 fresh points. CatBoost and XGBoost are
told the scale of the noise; ours find it. "on numbers" is the error of the same learner with the
same settings where the numbers themselves are seen. Then, how much of what numbers tell is left in
the ranges. 100,000 rows take an hour: --kinds chooses those whose name holds one of the words.
"""

import argparse
import os
import statistics
import sys
import time
import warnings
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

for threads in ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ[threads] = "1"

FOLDER = Path(__file__).parent
sys.path.extend([str(FOLDER.parent), str(FOLDER)])
import numpy as np  # noqa: E402
from peers import peers  # noqa: E402  after the threads are set
from sklearn.base import clone  # noqa: E402
from sklearn.ensemble import HistGradientBoostingRegressor  # noqa: E402
from sklearn.linear_model import Lasso, Ridge  # noqa: E402
from sklearn.pipeline import make_pipeline  # noqa: E402
from sklearn.preprocessing import (  # noqa: E402
    PolynomialFeatures,
    SplineTransformer,
    StandardScaler,
)
from trees import SCALE, UNIT, draw_sample, friedman  # noqa: E402

from askance import Ranges  # noqa: E402
from askance.inference.regression.censored_likelihood import slopes_at  # noqa: E402
from askance.inference.regression.error_laws import noise_of  # noqa: E402
from askance.learn import IntervalBooster, IntervalRegressor  # noqa: E402
from askance.learn.targets import log_chances  # noqa: E402

sys.path.extend(map(str, (peers(FOLDER).parents[1] / "lib").glob("python*/site-packages")))

Sample = dict[str, np.ndarray]
Means = Callable[[np.ndarray], np.ndarray]
ITERATIONS = 16
TREES = [(300, 4, 0.1), (600, 4, 0.05), (600, 4, 0.03), (1000, 4, 0.02), (600, 3, 0.05)]


def exponentials(sample: Sample) -> tuple[float, np.ndarray, np.ndarray]:
    """Give the middle of the cuts, and the ends as the peers take them."""
    ends = np.r_[sample["low"], sample["high"]]
    middle = float(np.median(ends[np.isfinite(ends)]))
    return middle, *(np.exp((sample[end] - middle) / UNIT) for end in ("low", "high"))


def catboost(trees: int, depth: int, rate: float, **more: Any) -> Any:
    """Give CatBoost with the settings that every use of it shares."""
    from catboost import CatBoostRegressor

    options = {"iterations": trees, "depth": depth, "learning_rate": rate, "thread_count": 1}
    return CatBoostRegressor(**options, verbose=0, allow_writing_files=False, **more)


def catboost_aft(setting: tuple[int, int, float], sample: Sample) -> tuple[Means, float]:
    """Learn by CatBoost's own likelihood; give what tells the means, and the scale."""
    middle, least, most = exponentials(sample)
    model = catboost(*setting, loss_function=f"SurvivalAft:dist=Logistic;scale={SCALE / UNIT}")
    model.fit(
        sample["X"], np.column_stack([np.maximum(least, 1e-9), np.where(np.isinf(most), -1, most)])
    )
    return lambda X: middle + UNIT * model.predict(X, prediction_type="RawFormulaVal"), SCALE


def xgboost_aft(setting: tuple[int, int, float], sample: Sample) -> tuple[Means, float]:
    """Learn by XGBoost's own likelihood."""
    from xgboost import DMatrix, train

    middle, least, most = exponentials(sample)
    options = {"objective": "survival:aft", "aft_loss_distribution": "logistic", "nthread": 1}
    options |= {"aft_loss_distribution_scale": SCALE / UNIT}
    options |= {"max_depth": setting[1], "eta": setting[2]}
    rows = DMatrix(sample["X"], label_lower_bound=least, label_upper_bound=most)
    model = train(options, rows, setting[0])
    return lambda X: middle + UNIT * np.log(model.predict(DMatrix(X))), SCALE


def histogram(trees: int, leaves: int, rate: float) -> Any:
    """Give scikit-learn's boosted trees."""
    return HistGradientBoostingRegressor(
        max_iter=trees,
        max_leaf_nodes=leaves,
        learning_rate=rate,
        early_stopping=False,
        random_state=0,
    )


def splines(last: Any) -> Any:
    """Give products of splines in pairs."""
    pairs = PolynomialFeatures(2, interaction_only=True, include_bias=False)
    return make_pipeline(SplineTransformer(3), pairs, *last)


def powers(degree: int, alpha: float) -> Any:
    """Give few of the products of powers."""
    sparse = Lasso(alpha, tol=1e-2)
    products = PolynomialFeatures(degree, include_bias=False)
    return make_pipeline(StandardScaler(), products, StandardScaler(), sparse)


def ours(n: int) -> dict[str, list[Any]]:
    """Give our models of each kind, each with every setting; a lasso's falls with the noise."""
    likely, less = {"response": "likelihood", "tol": 1e-2}, (10_000 / n) ** 0.5
    sparse = [splines([StandardScaler(), Lasso(a * less, tol=1e-2)]) for a in (0.02, 0.04)]
    return {
        "few of splines in pairs, likelihood": [IntervalRegressor(e, **likely) for e in sparse],
        "few of powers to 4, likelihood": [
            IntervalRegressor(powers(4, a * less), **likely) for a in (0.03, 0.05)
        ],
        "splines in pairs, ridge, likelihood": [
            IntervalRegressor(splines([Ridge(alpha)]), **likely) for alpha in (0.03, 0.1)
        ],
        "CatBoost in Algorithm 1": [
            IntervalRegressor(catboost(*setting), max_iter=ITERATIONS)
            for setting in ((300, 4, 0.1), (300, 4, 0.05))
        ],
        "CatBoost, boosted likelihood": [
            IntervalBooster(catboost(20, 4, rate), random_state=0) for rate in (0.05, 0.03)
        ],
        "histogram trees in Algorithm 1": [
            IntervalRegressor(histogram(*settings), max_iter=ITERATIONS)
            for settings in ((100, 31, 0.1), (200, 8, 0.1))
        ],
    }


def of_ours(model: Any, sample: Sample) -> tuple[Means, float]:
    """Learn by one of ours."""
    model.fit(sample["X"], Ranges(sample["low"], sample["high"]))
    return model.predict, model.scale_


def error(means: np.ndarray, sample: Sample) -> float:
    return float(np.sqrt(np.mean((means - friedman(sample["Z"])) ** 2)))


def best(learns: list[Any], sample: Sample, further: Sample) -> tuple[int, float, float]:
    """Give the place, the error and the seconds of the setting that makes further people likely."""
    tried, ranges = [], Ranges(further["low"], further["high"])
    for learn in learns:
        sys.stderr.write(".")
        sys.stderr.flush()
        began = time.perf_counter()
        means, scale = learn(sample)
        spent = time.perf_counter() - began
        likely = log_chances(noise_of("logistic"), means(further["X"]), scale, ranges).mean()
        tried.append((likely, error(means(sample["Z"]), sample), spent))
    best_index = max(range(len(tried)), key=lambda index: tried[index][0])
    return best_index, *tried[best_index][1:]


def select_rivals(named: dict[str, Any], kinds: list[str]) -> list[tuple[str, Any]]:
    """Choose those whose name holds one of the words."""
    return [(name, rival) for name, rival in named.items() if any(kind in name for kind in kinds)]


def compared(n: int, seed: int, kinds: list[str]) -> dict[str, tuple[float, float, float]]:
    """Give the error, the seconds, and the error on numbers of each kind."""
    sample, further = draw_sample(friedman, n, seed), draw_sample(friedman, 5_000, seed + 1_000_000)
    results = {}
    rivals = {"CatBoost SurvivalAft": catboost_aft, "XGBoost aft": xgboost_aft}
    for name, rival in select_rivals(rivals, kinds):
        _, *results_of_best = best(
            [partial(rival, settings) for settings in TREES], sample, further
        )
        results[name] = (*results_of_best, float("nan"))
    for name, models in select_rivals(ours(n), kinds):
        best_index, *results_of_best = best(
            [partial(of_ours, model) for model in models], sample, further
        )
        plain = clone(models[best_index].estimator)
        if isinstance(models[best_index], IntervalRegressor):
            results[name] = (
                *results_of_best,
                error(plain.fit(sample["X"], sample["y"]).predict(sample["Z"]), sample),
            )
        else:
            results[name] = (*results_of_best, float("nan"))
    return results


def retained_information(sample: Sample, truth: Means = friedman) -> float:
    """Give the share of the numbers' information on the means that is left in the ranges."""
    ranges, logistic = Ranges(sample["low"], sample["high"]), noise_of("logistic")
    exact, means = Ranges(sample["y"], sample["y"], closed="both"), truth(sample["X"])
    bends = (
        slopes_at(logistic, targets, means, SCALE).second[0].mean() for targets in (ranges, exact)
    )
    return float(next(bends) / next(bends))


def main() -> None:
    """Print a row for each kind."""
    words = argparse.ArgumentParser(description=__doc__)
    words.add_argument("--rows", type=int, default=10_000)
    words.add_argument("--seeds", type=int, nargs="+", default=[1])
    words.add_argument("--kinds", nargs="+", default=[""])
    options = words.parse_args()
    warnings.simplefilter("ignore")
    runs = [compared(options.rows, seed, options.kinds) for seed in options.seeds]
    print(f"{options.rows:,} rows, medians over the seeds {options.seeds}")
    print(f"{'kind':<38}{'error':>8}{'on numbers':>12}{'seconds':>9}  errors")
    for name in runs[0]:
        error_median, spent, plain = (
            statistics.median(column) for column in zip(*(run[name] for run in runs), strict=True)
        )
        errors_by_seed = " ".join(f"{run[name][0]:.3f}" for run in runs)
        print(f"{name:<38}{error_median:>8.3f}{plain:>12.3f}{spent:>9.1f}  {errors_by_seed}")
    sample = draw_sample(friedman, options.rows, options.seeds[0])
    share = retained_information(sample)
    print(f"\nThe ranges hold {share:.2f} of the numbers' information on the means:")
    print(f"a curve of known form is {share**-0.5:.2f} times as far off as on numbers")


if __name__ == "__main__":
    main()
