"""Tables I and IV at their printed laws: life expectancy learnt from ranges.

python papers/ding-ding/life_expectancy.py FILE [--repetitions 1] [--seed 1]

Ding & Ding (2022), Section IV-D. FILE holds the WHO's table as it is distributed, 2,938 rows, 2,928
with a life expectancy. Cuts are logistic about 0, in standard deviations of the life expectancies
about their mean: that is not printed, but then the printed coverages come out. M1 tells the number
if it is within U ± 1, and otherwise on which side it is; M2 has two cuts of scale 2, M3 has one of
scale 5; Table I has two of scale 1.

Not printed either, and chosen as the printed oracle comes out: folds are five runs of the file's
rows, which go by country; a missing covariate is the mean of the rows learnt from; boosted trees
have depth 2. Forests are those of Section IV-B, 100 trees of depth 3. All ranges go through twenty
iterations of Algorithm 1 with logistic noise whose scale is fitted, as Remark 5 advises.
"""

import argparse
import sys
import tomllib
from dataclasses import dataclass
from pathlib import Path
from typing import Any, final

import numpy as np
import pandas as pd
from scipy.stats import logistic
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
ITERATIONS, FOLDS, DRAWINGS = 20, 5, 30
ROUNDING = 0.005
CUTS = {"Table I": (1.0, 2), "M2": (2.0, 2), "M3": (5.0, 1)}
HALVES = {"M1": 1.0, "M1 with U ± 1/2": 0.5}
MECHANISMS = ("oracle", "M1", "M1 with U ± 1/2", "M2", "M3")
PRINTED = (0, 1, 1, 2, 3)  # which printed column stands beside each of them
LEARNERS = {
    "LR": LinearRegression(),
    "GB": GradientBoostingRegressor(max_depth=2, random_state=0),
    "RF": RandomForestRegressor(100, max_depth=3, random_state=0),
}
SNAPSHOT = ((-np.inf, 82.2), (-np.inf, 85.4), (64.2, np.inf), (46.9, 72.0))
ROWS = tomllib.loads((Path(__file__).parent / "table-4.toml").read_text(encoding="utf-8"))["row"]


@final
@dataclass(frozen=True, slots=True)
class Cell:
    """What a learner reached on each fold, of every repetition."""

    r2: np.ndarray
    mae: np.ndarray

    def told(self, of: str) -> tuple[float, float]:
        """Give the mean over folds, and its standard error."""
        found = self.r2 if of == "R²" else self.mae
        return float(found.mean()), float(found.std() / FOLDS**0.5)


def table(path: Path) -> tuple[np.ndarray, np.ndarray]:
    """Give covariates, the year and the status among them, and life expectancies."""
    rows = pd.read_csv(path).rename(columns=str.strip).dropna(subset=[Y])
    numbers = rows.assign(Status=rows["Status"] == "Developed").drop(columns=["Country", Y])
    return numbers.to_numpy(float), rows[Y].to_numpy(float)


def standard(y: np.ndarray, weights: np.ndarray | None = None) -> np.ndarray:
    """Give numbers in standard deviations about their mean."""
    mean = np.average(y, weights=weights)
    return (y - mean) / np.average((y - mean) ** 2, weights=weights) ** 0.5


def cuts(name: str, n: int, rng: np.random.Generator) -> np.ndarray:
    """Draw the cuts of each row, in order: shape (n, cuts)."""
    if name in HALVES:
        return rng.logistic(size=(n, 1)) + HALVES[name] * np.array([-1, 1])
    spread, number = CUTS[name]
    return np.sort(rng.logistic(0, spread, (n, number)), axis=1)


def told(name: str, z: np.ndarray, cut: np.ndarray) -> ak.Ranges:
    """Say between which of its cuts each number is; between the two of M1, the number."""
    none = np.full((len(z), 1), np.inf)
    at = (z[:, None] > cut).sum(axis=1)
    ends = np.take_along_axis(np.hstack([-none, cut, none]), at[:, None] + [[0, 1]], axis=1)
    if name in HALVES:
        ends[at == 1] = z[at == 1, None]
    return ak.Ranges(ends, closed="survival")


def covered(name: str, z: np.ndarray, weights: np.ndarray | None = None) -> float:
    """Give the coverage, exactly: the chance that a report leaves another number possible."""
    share = np.ones(len(z)) if weights is None else weights
    share = share / share.sum()
    if name in HALVES:
        low, high = np.minimum.outer(z, z), np.maximum.outer(z, z)
        same = logistic.cdf(low - HALVES[name]) + logistic.sf(high + HALVES[name])
    else:
        spread, number = CUTS[name]
        below = logistic.cdf(z / spread)
        same = (1 - np.abs(np.subtract.outer(below, below))) ** number
    return float(share @ same @ share)


def cell(
    learner: str, name: str, X: np.ndarray, y: np.ndarray, seed: int, *, shuffled: bool = False
) -> np.ndarray:
    """Learn without each fold in turn; give R² and the mean absolute error of each: (folds, 2)."""
    z, rng, made = standard(y), np.random.default_rng([seed, 57]), []
    target = z if name == "oracle" else told(name, z, cuts(name, len(z), rng))
    folds = KFold(FOLDS, shuffle=shuffled, random_state=seed if shuffled else None)
    for kept, left in folds.split(X):
        ready = make_pipeline(SimpleImputer(), StandardScaler()).fit(X[kept])
        model: Any = LEARNERS[learner]
        if name != "oracle":
            model = IntervalRegressor(model, max_iter=ITERATIONS, tol=1e-3)
        found = model.fit(ready.transform(X[kept]), target[kept]).predict(ready.transform(X[left]))
        found = y.mean() + y.std() * found
        made.append((r2_score(y[left], found), mean_absolute_error(y[left], found)))
    return np.array(made)


def experiment(
    X: np.ndarray, y: np.ndarray, repetitions: int = 1, seed: int = 1
) -> dict[tuple[str, str], Cell]:
    """Give every cell of the table."""
    from rich.console import Console
    from rich.progress import track

    found, cells = {}, [(learner, name) for learner in LEARNERS for name in MECHANISMS]
    for learner, name in track(cells, console=Console(stderr=True), transient=True):
        runs = [cell(learner, name, X, y, seed + at) for at in range(repetitions)]
        found[learner, name] = Cell(*np.mean(runs, axis=0).T)
    return found


def agrees(ours: float, se: float, theirs: float, their_se: float) -> bool:
    """Say whether rounding and two standard errors explain a difference."""
    return abs(ours - theirs) <= ROUNDING + 2 * float(np.hypot(se, their_se))


def line(row: dict[str, Any], ours: list[float], se: list[float]) -> str:
    """Write a row for a page: ours (its standard error); printed; ≠ where they differ."""
    cells = []
    for one, spread, at in zip(ours, se, PRINTED, strict=True):
        theirs, their_se = row["theirs"][at], row["their_se"][at]
        mark = "" if agrees(one, spread, theirs, their_se) else " ≠"
        cells.append(f"{one:.2f} ({spread:.2f}); {theirs:.2f} ({their_se:.2f}){mark}")
    return f"| {row['learner']}, {row['of']} | {' | '.join(cells)} |"


def drawn(X: np.ndarray, y: np.ndarray, times: int) -> str:
    """Say how far R² of LR goes from one drawing of the cuts to another."""
    told = []
    for name in MECHANISMS[1:]:
        found = [cell("LR", name, X, y, seed)[:, 0].mean() for seed in range(times)]
        told.append(f"{name} {np.mean(found):.2f}, {min(found):.2f} to {max(found):.2f}")
    return f"R² of LR over {times} drawings of the cuts: {'; '.join(told)}"


def known_again(X: np.ndarray, y: np.ndarray) -> str:
    """Say R² of the oracle where years of one country lie on both sides of a fold."""
    found = (cell(one, "oracle", X, y, 1, shuffled=True)[:, 0].mean() for one in LEARNERS)
    cells = (f"{name} {r2:.2f}" for name, r2 in zip(LEARNERS, found, strict=True))
    return f"R² of the oracle with rows shuffled: {', '.join(cells)}"


def once(z: np.ndarray, times: int) -> str:
    """Say how far the mean share in the reports of Table I goes, one drawing a row."""
    rng, found, ordered = np.random.default_rng(1), [], np.sort(z)
    for _ in range(times):
        cut = cuts("Table I", len(z), rng)
        share = np.searchsorted(ordered, cut, side="right") / len(z)
        held, at = np.diff(share, axis=1, prepend=0, append=1), (z[:, None] > cut).sum(axis=1)
        found.append(np.take_along_axis(held, at[:, None], axis=1).mean())
    return f"{np.mean(found):.3f} ± {np.std(found):.4f} over {times} drawings"


def main() -> None:
    """Print both tables."""
    words = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    words.add_argument("file", type=Path)
    for name in ("--repetitions", "--seed"):
        words.add_argument(name, type=int, default=1)
    asked = words.parse_args()
    X, y = table(asked.file)
    z = standard(y)
    held = [np.mean((y > low) & (y <= high)) for low, high in SNAPSHOT]
    shown = ", ".join(f"{one:.0%}" for one in held)
    tau = covered("Table I", z)
    sys.stdout.write(f"Table I: coverage {tau:.3f}, {once(z, 300)}; the four rows: {shown}\n\n")
    taus = ["0.00", *(f"{covered(name, z):.3f}" for name in MECHANISMS[1:])]
    sys.stdout.write(f"| | {' | '.join(MECHANISMS)} |\n{'|---' * 6}|\n")
    sys.stdout.write(f"| coverage | {' | '.join(taus)} |\n")
    found = experiment(X, y, asked.repetitions, asked.seed)
    for row in ROWS:
        cells = [found[row["learner"], name].told(row["of"]) for name in MECHANISMS]
        ours, se = ([pair[at] for pair in cells] for at in (0, 1))
        sys.stdout.write(line(row, ours, se) + "\n")
    sys.stdout.write(f"\n{drawn(X, y, DRAWINGS)}\n{known_again(X, y)}\n")


if __name__ == "__main__":
    main()
