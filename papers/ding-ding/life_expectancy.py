"""Life expectancy learnt from ranges (Ding & Ding 2022, Section IV-D).

python papers/ding-ding/life_expectancy.py FILE [--folds 5] [--seed 1] [--repetitions 1]

FILE holds the WHO's table as it is distributed, 2,938 rows. What is missing of a covariate is
replaced by its mean in the rows learnt from; rows without a life expectancy are left out. The
oracle learns from the numbers. M1, M2, M3 learn from ranges: two cuts, one, and one at random
quantiles of a normal law declared beforehand, spread so that the coverage under that law is .57,
.76, .94.
"""

import argparse
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any, final

import numpy as np
import pandas as pd
from scipy.stats import norm
from sklearn.ensemble import GradientBoostingRegressor, RandomForestRegressor
from sklearn.impute import SimpleImputer
from sklearn.linear_model import LinearRegression
from sklearn.metrics import mean_absolute_error, r2_score
from sklearn.model_selection import KFold
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

import askance as ak
from askance.learn import IntervalRegressor

Y = "Life expectancy"
DECLARED = norm(70, 10)
DESIGNS = {"M1": ("57/100", 2), "M2": ("76/100", 1), "M3": ("94/100", 1)}
LEARNERS = {
    "linear": (LinearRegression(), 100),
    "gradient boosting": (GradientBoostingRegressor(subsample=0.5, random_state=0), 12),
    "random forest": (
        RandomForestRegressor(60, min_samples_leaf=3, max_features=0.4, random_state=0),
        12,
    ),
}


@final
@dataclass(frozen=True, slots=True)
class Cell:
    """What a learner reached on the folds left out, repetition after repetition."""

    r2: np.ndarray
    mae: np.ndarray

    def __str__(self) -> str:
        return f"{self.r2.mean():.2f}, {self.mae.mean():.2f}"


def table(path: Path) -> tuple[np.ndarray, np.ndarray]:
    """Give covariates, the year and the status among them, and life expectancies."""
    rows = pd.read_csv(path).rename(columns=str.strip).dropna(subset=[Y])
    numbers = rows.assign(Status=rows["Status"] == "Developed").drop(columns=["Country", Y])
    return numbers.to_numpy(float), rows[Y].to_numpy(float)


def law(name: str) -> Any:
    """Give the law of the cuts of a design."""
    coverage, number = DESIGNS[name]
    return ak.cuts_with_coverage(coverage, DECLARED, number)


def cuts(name: str, n: int, rng: np.random.Generator) -> np.ndarray:
    """Draw the cuts of each row, in order."""
    drawn = law(name)
    return np.sort(drawn.law.ppf(rng.random((n, drawn.number))), axis=1)


def told(y: np.ndarray, cut: np.ndarray) -> ak.Ranges:
    """Say between which of its cuts each number is."""
    ends = np.column_stack([np.full(len(y), -np.inf), cut, np.full(len(y), np.inf)])
    at = (y[:, None] > cut).sum(axis=1)
    return ak.Ranges(np.take_along_axis(ends, at[:, None] + [[0, 1]], axis=1))


def covered(name: str, y: np.ndarray, rng: np.random.Generator) -> float:
    """Give the coverage among these numbers: the chance that another lies in a report."""
    share = np.searchsorted(np.sort(y), cuts(name, 20_000, rng), side="right") / len(y)
    held = np.diff(share, axis=1, prepend=0, append=1)
    return float(np.mean((held**2).sum(axis=1)))


def model(learner: str, name: str) -> Any:
    """Give what learns, from numbers or from ranges."""
    base, most = LEARNERS[learner]
    plain = make_pipeline(SimpleImputer(), StandardScaler(), base)
    if name == "oracle":
        return plain
    step = 1.0 if learner == "linear" else "average"
    return IntervalRegressor(plain, step=step, max_iter=most, tol=1e-3)


def cell(
    learner: str, name: str, X: np.ndarray, y: np.ndarray, seed: int, folds: int
) -> tuple[float, float]:
    """Learn without each fold in turn; give R² and the mean absolute error of all predictions."""
    rng, found = np.random.default_rng([seed, 57]), np.full(len(y), np.nan)
    target = y if name == "oracle" else told(y, cuts(name, len(y), rng))
    for kept, left in list(KFold(5, shuffle=True, random_state=seed).split(X))[:folds]:
        found[left] = model(learner, name).fit(X[kept], target[kept]).predict(X[left])
    seen = ~np.isnan(found)
    return r2_score(y[seen], found[seen]), mean_absolute_error(y[seen], found[seen])


def experiment(
    X: np.ndarray, y: np.ndarray, folds: int = 5, repetitions: int = 1, seed: int = 1
) -> dict[tuple[str, str], Cell]:
    """Give every cell of the table."""
    from rich.console import Console
    from rich.progress import track

    found, cells = {}, [(learner, name) for learner in LEARNERS for name in ("oracle", *DESIGNS)]
    for learner, name in track(cells, console=Console(stderr=True), transient=True):
        runs = [cell(learner, name, X, y, seed + at, folds) for at in range(repetitions)]
        found[learner, name] = Cell(*np.array(runs).T)
    return found


def printed(found: dict[tuple[str, str], Cell], coverages: dict[str, float]) -> str:
    """Write the table: R², mean absolute error in years."""
    heads = ["oracle", *(f"{name}, coverage {tau:.2f}" for name, tau in coverages.items())]
    rows = [f"| learner | {' | '.join(heads)} |", "|---|---|---|---|---|"]
    for learner in LEARNERS:
        cells = (str(found[learner, name]) for name in ("oracle", *DESIGNS))
        rows.append(f"| {learner} | {' | '.join(cells)} |")
    return "\n".join(rows)


def main() -> None:
    """Print the table."""
    words = argparse.ArgumentParser(description=__doc__)
    words.add_argument("file", type=Path)
    for name, usual in (("--folds", 5), ("--repetitions", 1), ("--seed", 1)):
        words.add_argument(name, type=int, default=usual)
    asked = words.parse_args()
    X, y = table(asked.file)
    rng = np.random.default_rng(asked.seed)
    coverages = {name: covered(name, y, rng) for name in DESIGNS}
    found = experiment(X, y, asked.folds, asked.repetitions, asked.seed)
    sys.stdout.write(f"{printed(found, coverages)}\n")


if __name__ == "__main__":
    main()
