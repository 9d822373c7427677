"""Tables I and IV at their printed laws: life expectancy learnt from ranges.

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

import json
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from remaking import Results, Run
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
ITERATIONS, FOLDS, DRAWINGS, SEED = 20, 5, 30, 1
CUTS = {"Table I": (1.0, 2), "M2": (2.0, 2), "M3": (5.0, 1)}
HALVES = {"M1": 1.0, "M1 with U ± 1/2": 0.5}
MECHANISMS = ("oracle", "M1", "M1 with U ± 1/2", "M2", "M3")
LEARNERS = {
    "LR": LinearRegression(),
    "GB": GradientBoostingRegressor(max_depth=2, random_state=0),
    "RF": RandomForestRegressor(100, max_depth=3, random_state=0),
}
ORACLES = Path(__file__).parents[2] / "tests" / "oracles" / "life_expectancy.json"
ORACLE: dict[str, Any] = json.loads(ORACLES.read_text(encoding="ascii"))["life_expectancy"]
"""What the file adds up to."""


def read_covariates() -> tuple[np.ndarray, np.ndarray]:
    """Give life expectancies as whole years, in standard deviations, and how many rows each.

    The numbers of a year are .0 to .9, .0 a little more often, so that their mean is .4 above.
    """
    years = {int(year): count for year, count in ORACLE["by_whole_years"].items()}
    counts = np.array(list(years.values()), dtype=float)
    return standard(np.array(list(years)) + 0.4, counts), counts


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


def censor(name: str, z: np.ndarray, cut: np.ndarray) -> ak.Ranges:
    """Say between which of its cuts each number is; between the two of M1, the number."""
    none = np.full((len(z), 1), np.inf)
    piece = (z[:, None] > cut).sum(axis=1)
    ends = np.take_along_axis(np.hstack([-none, cut, none]), piece[:, None] + [[0, 1]], axis=1)
    if name in HALVES:
        ends[piece == 1] = z[piece == 1, None]
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
    z, rng, predictions = standard(y), np.random.default_rng([seed, 57]), []
    target = z if name == "oracle" else censor(name, z, cuts(name, len(z), rng))
    folds = KFold(FOLDS, shuffle=shuffled, random_state=seed if shuffled else None)
    for train, test in folds.split(X):
        ready = make_pipeline(SimpleImputer(), StandardScaler()).fit(X[train])
        model: Any = LEARNERS[learner]
        if name != "oracle":
            model = IntervalRegressor(model, max_iter=ITERATIONS, tol=1e-3)
        predicted = model.fit(ready.transform(X[train]), target[train]).predict(
            ready.transform(X[test])
        )
        predicted = y.mean() + y.std() * predicted
        predictions.append((r2_score(y[test], predicted), mean_absolute_error(y[test], predicted)))
    return np.array(predictions)


def table_1(run: Run) -> Results:
    """Say how far the mean share in the reports goes, one drawing a row; the file is not needed."""
    z, counts = read_covariates()
    z = np.repeat(z, counts.astype(int))
    rng, shares, ordered = np.random.default_rng(1), [], np.sort(z)
    for _ in range(run.times(10 * DRAWINGS, 10)):
        cut = cuts("Table I", len(z), rng)
        share = np.searchsorted(ordered, cut, side="right") / len(z)
        chances, piece = np.diff(share, axis=1, prepend=0, append=1), (z[:, None] > cut).sum(axis=1)
        shares.append(np.take_along_axis(chances, piece[:, None], axis=1).mean())
    return {"one cut pair drawn for each row": ([float(np.mean(shares))], [float(np.std(shares))])}


def lines(run: Run) -> Results:
    """Give the rows of Table IV of linear regression."""
    return _learnt(run, "LR")


def boosted_trees(run: Run) -> Results:
    """Give the rows of Table IV of gradient boosting."""
    return _learnt(run, "GB")


def forests(run: Run) -> Results:
    """Give the rows of Table IV of random forests."""
    return _learnt(run, "RF")


def _learnt(run: Run, learner: str) -> Results:
    if run.data is None:
        return {}
    X, y = table(run.data)
    cells = [cell(learner, name, X, y, SEED) for name in MECHANISMS]
    scores = np.array(
        [(cell_scores.mean(axis=0), cell_scores.std(axis=0) / FOLDS**0.5) for cell_scores in cells]
    )
    return {
        f"{learner}, {of}": (scores[:, 0, column].tolist(), scores[:, 1, column].tolist())
        for column, of in enumerate(("R²", "MAE"))
    }


def drawings(run: Run) -> Results:
    """Say how far R² of LR goes from one drawing of the cuts to another."""
    if run.data is None:
        return {}
    X, y = table(run.data)
    errors = np.array(
        [
            [cell("LR", name, X, y, seed)[:, 0].mean() for seed in range(run.times(DRAWINGS))]
            for name in MECHANISMS[1:]
        ]
    )
    spread = errors.std(axis=1, ddof=1)
    return {
        "mean": (errors.mean(axis=1).tolist(), (spread / errors.shape[1] ** 0.5).tolist()),
        "standard deviation": (spread.tolist(), (spread / (2 * errors.shape[1]) ** 0.5).tolist()),
    }


def shuffled(run: Run) -> Results:
    """Give R² of the oracle where years of one country lie on both sides of a fold."""
    if run.data is None:
        return {}
    X, y = table(run.data)
    cells = [cell(learner, "oracle", X, y, SEED, shuffled=True)[:, 0] for learner in LEARNERS]
    row = (
        [float(cell_scores.mean()) for cell_scores in cells],
        [float(cell_scores.std() / FOLDS**0.5) for cell_scores in cells],
    )
    return {"R² of the oracle": row}
