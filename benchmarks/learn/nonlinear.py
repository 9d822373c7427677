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

HERE = Path(__file__).parent
sys.path.extend([str(HERE.parent), str(HERE)])
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
from trees import SCALE, UNIT, drawn, friedman  # noqa: E402

from askance import Ranges  # noqa: E402
from askance.inference.regression.censored_likelihood import slopes_at  # noqa: E402
from askance.inference.regression.error_laws import noise_of  # noqa: E402
from askance.learn import IntervalBooster, IntervalRegressor  # noqa: E402
from askance.learn.targets import log_chances  # noqa: E402

sys.path.extend(map(str, (peers(HERE).parents[1] / "lib").glob("python*/site-packages")))

Held = dict[str, np.ndarray]
Means = Callable[[np.ndarray], np.ndarray]
ITERATIONS = 16
TREES = [(300, 4, 0.1), (600, 4, 0.05), (600, 4, 0.03), (1000, 4, 0.02), (600, 3, 0.05)]


def exponentials(held: Held) -> tuple[float, np.ndarray, np.ndarray]:
    """Give the middle of the cuts, and the ends as the peers take them."""
    ends = np.r_[held["low"], held["high"]]
    middle = float(np.median(ends[np.isfinite(ends)]))
    return middle, *(np.exp((held[end] - middle) / UNIT) for end in ("low", "high"))


def catboost(trees: int, depth: int, rate: float, **more: Any) -> Any:
    """Give CatBoost with the settings that every use of it shares."""
    from catboost import CatBoostRegressor

    told = {"iterations": trees, "depth": depth, "learning_rate": rate, "thread_count": 1}
    return CatBoostRegressor(**told, verbose=0, allow_writing_files=False, **more)


def catboost_aft(setting: tuple[int, int, float], held: Held) -> tuple[Means, float]:
    """Learn by CatBoost's own likelihood; give what tells the means, and the scale."""
    middle, least, most = exponentials(held)
    model = catboost(*setting, loss_function=f"SurvivalAft:dist=Logistic;scale={SCALE / UNIT}")
    model.fit(
        held["X"], np.column_stack([np.maximum(least, 1e-9), np.where(np.isinf(most), -1, most)])
    )
    return lambda X: middle + UNIT * model.predict(X, prediction_type="RawFormulaVal"), SCALE


def xgboost_aft(setting: tuple[int, int, float], held: Held) -> tuple[Means, float]:
    """Learn by XGBoost's own likelihood."""
    from xgboost import DMatrix, train

    middle, least, most = exponentials(held)
    told = {"objective": "survival:aft", "aft_loss_distribution": "logistic", "nthread": 1}
    told |= {"aft_loss_distribution_scale": SCALE / UNIT}
    told |= {"max_depth": setting[1], "eta": setting[2]}
    rows = DMatrix(held["X"], label_lower_bound=least, label_upper_bound=most)
    model = train(told, rows, setting[0])
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
            IntervalRegressor(histogram(*one), max_iter=ITERATIONS)
            for one in ((100, 31, 0.1), (200, 8, 0.1))
        ],
    }


def of_ours(model: Any, held: Held) -> tuple[Means, float]:
    """Learn by one of ours."""
    model.fit(held["X"], Ranges(held["low"], held["high"]))
    return model.predict, model.scale_


def error(means: np.ndarray, held: Held) -> float:
    return float(np.sqrt(np.mean((means - friedman(held["Z"])) ** 2)))


def best(learns: list[Any], held: Held, further: Held) -> tuple[int, float, float]:
    """Give the place, the error and the seconds of the setting that makes further people likely."""
    tried, told = [], Ranges(further["low"], further["high"])
    for learn in learns:
        sys.stderr.write(".")
        sys.stderr.flush()
        began = time.perf_counter()
        means, scale = learn(held)
        spent = time.perf_counter() - began
        likely = log_chances(noise_of("logistic"), means(further["X"]), scale, told).mean()
        tried.append((likely, error(means(held["Z"]), held), spent))
    place = max(range(len(tried)), key=lambda at: tried[at][0])
    return place, *tried[place][1:]


def asked(named: dict[str, Any], kinds: list[str]) -> list[tuple[str, Any]]:
    """Choose those whose name holds one of the words."""
    return [(name, one) for name, one in named.items() if any(kind in name for kind in kinds)]


def compared(n: int, seed: int, kinds: list[str]) -> dict[str, tuple[float, float, float]]:
    """Give the error, the seconds, and the error on numbers of each kind."""
    held, further = drawn(friedman, n, seed), drawn(friedman, 5_000, seed + 1_000_000)
    found = {}
    rivals = {"CatBoost SurvivalAft": catboost_aft, "XGBoost aft": xgboost_aft}
    for name, rival in asked(rivals, kinds):
        _, *told = best([partial(rival, one) for one in TREES], held, further)
        found[name] = (*told, float("nan"))
    for name, models in asked(ours(n), kinds):
        place, *told = best([partial(of_ours, one) for one in models], held, further)
        plain = clone(models[place].estimator)
        if isinstance(models[place], IntervalRegressor):
            found[name] = (*told, error(plain.fit(held["X"], held["y"]).predict(held["Z"]), held))
        else:
            found[name] = (*told, float("nan"))
    return found


def kept(held: Held, truth: Means = friedman) -> float:
    """Give the share of the numbers' information on the means that is left in the ranges."""
    told, logistic = Ranges(held["low"], held["high"]), noise_of("logistic")
    seen, means = Ranges(held["y"], held["y"], closed="both"), truth(held["X"])
    bends = (slopes_at(logistic, one, means, SCALE).second[0].mean() for one in (told, seen))
    return float(next(bends) / next(bends))


def main() -> None:
    """Print a row for each kind."""
    words = argparse.ArgumentParser(description=__doc__)
    words.add_argument("--rows", type=int, default=10_000)
    words.add_argument("--seeds", type=int, nargs="+", default=[1])
    words.add_argument("--kinds", nargs="+", default=[""])
    told = words.parse_args()
    warnings.simplefilter("ignore")
    runs = [compared(told.rows, seed, told.kinds) for seed in told.seeds]
    print(f"{told.rows:,} rows, medians over the seeds {told.seeds}")
    print(f"{'kind':<38}{'error':>8}{'on numbers':>12}{'seconds':>9}  errors")
    for name in runs[0]:
        found, spent, plain = (
            statistics.median(one) for one in zip(*(run[name] for run in runs), strict=True)
        )
        each = " ".join(f"{run[name][0]:.3f}" for run in runs)
        print(f"{name:<38}{found:>8.3f}{plain:>12.3f}{spent:>9.1f}  {each}")
    held = drawn(friedman, told.rows, told.seeds[0])
    share = kept(held)
    print(f"\nThe ranges hold {share:.2f} of the numbers' information on the means:")
    print(f"a curve of known form is {share**-0.5:.2f} times as far off as on numbers")


if __name__ == "__main__":
    main()
