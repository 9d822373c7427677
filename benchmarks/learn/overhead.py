"""What an iteration of Algorithm 1 costs, as a multiple of one fit of the learner to numbers.

    python benchmarks/learn/overhead.py [--rows N ...]

The truth, the noise and the cuts of trees.py, on one thread. A fit to ranges, from the first guess
to the likelihood of the last, takes turns with as many fits to numbers as it has iterations; of
each the least of a few counts.
"""

import argparse
import os
import sys
import time
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

for threads in ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ[threads] = "1"

FOLDER = Path(__file__).parent
sys.path.extend([str(FOLDER.parent), str(FOLDER)])
from sklearn.base import clone  # noqa: E402  after the threads are set
from sklearn.ensemble import HistGradientBoostingRegressor, RandomForestRegressor  # noqa: E402
from sklearn.linear_model import LinearRegression, Ridge  # noqa: E402
from trees import draw_sample, friedman  # noqa: E402

from askance import Ranges  # noqa: E402
from askance.learn import IntervalRegressor  # noqa: E402

LEARNERS: list[tuple[Any, dict[str, Any], int]] = [
    (LinearRegression(), {}, 15),
    (Ridge(), {}, 15),
    (HistGradientBoostingRegressor(early_stopping=False, random_state=0), {"max_iter": 3}, 2),
    (RandomForestRegressor(20, max_features=0.4, random_state=0), {"max_iter": 2}, 1),
]


def seconds(work: Callable[[], Any]) -> float:
    began = time.perf_counter()
    work()
    return time.perf_counter() - began


def cost(learner: Any, more: dict[str, Any], times: int, n: int) -> tuple[float, float, int]:
    """Give the seconds of a fit to numbers and of an iteration, and how many there are."""
    sample = draw_sample(friedman, n, 1)
    ranges, plain, counted = Ranges(sample["low"], sample["high"]), [], []
    model = IntervalRegressor(learner, **more).fit(sample["X"], ranges)
    count = model.n_iter_
    for _ in range(times):
        plain.append(
            seconds(lambda: [clone(learner).fit(sample["X"], sample["y"]) for _ in range(count)])
        )
        counted.append(seconds(lambda: model.fit(sample["X"], ranges)))
    return min(plain) / count, min(counted) / count, count


def main() -> None:
    """Print a row for each number of rows and each learner."""
    words = argparse.ArgumentParser(description=__doc__)
    words.add_argument("--rows", type=int, nargs="+", default=[10_000, 100_000])
    warnings.simplefilter("ignore")
    print(f"{'rows':>8}  {'learner':<30}{'a fit':>9}{'an iteration':>14}{'ratio':>7}  iterations")
    for n in words.parse_args().rows:
        for learner, more, times in LEARNERS:
            fit, per_fit, count = cost(learner, more, times, n)
            figures = f"{fit * 1e3:>7.1f}ms{per_fit * 1e3:>12.1f}ms{per_fit / fit:>7.2f}{count:>12}"
            print(f"{n:>8}  {type(learner).__name__:<30}{figures}", flush=True)


if __name__ == "__main__":
    main()
