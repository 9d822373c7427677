"""How much farther from the truth trees come by ranges than the same trees by the numbers.

    python benchmarks/learn/beside_numbers.py [--rows N] [--seeds S ...] [--learners WORD ...]
        [--truths WORD ...]

The truths, the noise and the cuts of trees.py; nothing is tuned. Every figure but the first is the
root mean square distance to the truth at 20,000 fresh points as a multiple of the first, that of
the learner fitted once to the numbers themselves; medians over the seeds.

    alone    IntervalRegressor, ten iterations of means, as Algorithm 1 is printed
    likely   IntervalRegressor(response="likelihood", folds=2)
    alike    IntervalRegressor(response="score", folds=2)
    halves   the learner fitted to the numbers of ten random halves, and averaged: what averaging
             alone would gain
    fewer    the learner fitted to the numbers of so few people that they tell as much of the means
             as all the ranges do: a floor for one fit; averaging may go below it
    scale    what alike finds the scale of the noise to be, beside 0.75; it holds what the learner
             errs too

The booster learns ranges and numbers by itself: its figure stands under "alone".
"""

import argparse
import os
import statistics
import sys
from pathlib import Path
from typing import Any

for threads in ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ[threads] = "1"

FOLDER = Path(__file__).parent
sys.path.extend([str(FOLDER.parent), str(FOLDER)])
import numpy as np  # noqa: E402  after the threads are set
from nonlinear import Means, retained_information  # noqa: E402
from sklearn.base import clone  # noqa: E402
from sklearn.ensemble import (  # noqa: E402
    ExtraTreesRegressor,
    GradientBoostingRegressor,
    HistGradientBoostingRegressor,
    RandomForestRegressor,
)
from trees import draw_sample, friedman, straight  # noqa: E402

from askance import Ranges  # noqa: E402
from askance.learn import IntervalBooster, IntervalRegressor  # noqa: E402

HALVES, ALONE = 10, 10
TRUTHS = {"straight": straight, "friedman": friedman}
COLUMNS = ("numbers", "alone", "likely", "alike", "halves", "fewer", "scale")


def learners() -> dict[str, Any]:
    """Give the learners, as scikit-learn has them."""
    return {
        "histogram": HistGradientBoostingRegressor(
            max_iter=300, early_stopping=False, random_state=0
        ),
        "gradient": GradientBoostingRegressor(random_state=0),
        "forest": RandomForestRegressor(random_state=0),
        "extra": ExtraTreesRegressor(random_state=0),
        "booster": IntervalBooster(random_state=0),
    }


def averaged(learner: Any, X: np.ndarray, y: np.ndarray, Z: np.ndarray) -> np.ndarray:
    """Average the learner over random halves of the people."""
    rng, lines = np.random.default_rng(0), []
    for _ in range(HALVES):
        rows = rng.permutation(len(y))[: len(y) // 2]
        lines.append(clone(learner).fit(X[rows], y[rows]).predict(Z))
    return np.mean(lines, axis=0)


def compared(learner: Any, truth: Means, n: int, seed: int) -> list[float]:
    """Give the columns of one learner on one draw."""
    sample = draw_sample(truth, n, seed)
    X, y, Z, ranges = sample["X"], sample["y"], sample["Z"], Ranges(sample["low"], sample["high"])
    few = round(n * retained_information(sample, truth))

    def off(means: np.ndarray) -> float:
        return float(np.sqrt(np.mean((means - truth(Z)) ** 2)))

    numbers = off(clone(learner).fit(X, y).predict(Z))
    fewer = off(clone(learner).fit(X[:few], y[:few]).predict(Z)) / numbers
    if isinstance(learner, IntervalBooster):
        ours = clone(learner).fit(X, ranges)
        return [numbers, off(ours.predict(Z)) / numbers, *[np.nan] * 3, fewer, ours.scale_]
    alone = IntervalRegressor(learner, max_iter=ALONE)
    likely = IntervalRegressor(learner, response="likelihood", folds=2, random_state=0)
    by_score = clone(likely).set_params(response="score")
    ours = [
        off(learner.fit(X, ranges).predict(Z)) / numbers for learner in (alone, likely, by_score)
    ]
    return [numbers, *ours, off(averaged(learner, X, y, Z)) / numbers, fewer, by_score.scale_]


def main() -> None:
    """Print a row for each learner and each truth."""
    words = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    words.add_argument("--rows", type=int, default=10_000)
    words.add_argument("--seeds", type=int, nargs="+", default=[1])
    words.add_argument("--learners", nargs="+", choices=learners(), default=list(learners()))
    words.add_argument("--truths", nargs="+", choices=TRUTHS, default=list(TRUTHS))
    options = words.parse_args()
    print(f"{options.rows:,} rows, medians over the seeds {options.seeds}")
    print(f"{'truth':<10}{'learner':<11}{''.join(f'{column:>9}' for column in COLUMNS)}")
    for name in options.learners:
        for truth in map(TRUTHS.__getitem__, options.truths):
            rows = [compared(learners()[name], truth, options.rows, seed) for seed in options.seeds]
            medians = map(statistics.median, zip(*rows, strict=True))
            figures = "".join(f"{median:>9.2f}" for median in medians)
            print(f"{truth.__name__:<10}{name:<11}{figures}", flush=True)


if __name__ == "__main__":
    main()
