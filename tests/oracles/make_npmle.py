"""Make npmle.json: data sets of many kinds, and the maximum that two other programs find on each.

SurPyval fits here; npsurv fits in make_npmle.R, which this script calls. Neither shares code with
the library or with the other. Each log-likelihood is taken from the program's own distribution.

pip install surpyval==0.25 lifelines==0.30.3
apt-get install r-cran-npsurv r-cran-jsonlite
python tests/oracles/make_npmle.py
"""

import csv
import json
import subprocess
import sys
import warnings
from collections import Counter
from importlib.metadata import version
from pathlib import Path
from typing import Any

import numpy as np

FOLDER = Path(__file__).parent
ROOT = FOLDER.parents[1]
sys.path.append(str(ROOT / "benchmarks" / "npmle"))

from kinds import KINDS, make  # noqa: E402  beside the benchmarks, not on the path

Rows = list[tuple[float, float]]
SEED, SIZE = 2_025, 150


def invented() -> dict[str, tuple[str, Rows]]:
    """Draw one data set of every kind that peers take, and some more."""
    wanted = {kind: (kind, SIZE, 0.3) for kind in KINDS if kind not in ("ring", "unions")}
    wanted |= {"few": ("case2", 12, 0.3), "more": ("case2", 500, 0.3)}
    wanted |= {"hardly mixed": ("mixed", 300, 0.02), "mostly exact": ("mixed", 100, 0.8)}
    draws = {}
    for name, (kind, n, exact) in wanted.items():
        low, high, _ = make(kind, n, SEED, exact)
        text = f"benchmarks/npmle/kinds.py: make({kind!r}, {n}, {SEED}, {exact}), to 3 decimals"
        draws[name] = text, list(zip(low.round(3), high.round(3), strict=True))
    return draws


def observed() -> dict[str, tuple[str, Rows]]:
    """Read the real data sets: beside the examples, and of lifelines."""
    import lifelines.datasets

    result: dict[str, Rows] = {}
    for row in _example("breast-cosmesis"):
        ends = float(row["after"]) or -np.inf, float(row["by"] or np.inf)
        result.setdefault(f"breast-cosmesis, {row['treatment']}", []).append(ends)
    for row in _example("mouse-tumours"):
        age, tumour = float(row["age"]), row["tumour"] == "yes"
        ends = (-np.inf, age) if tumour else (age, np.inf)
        result.setdefault(f"mouse-tumours, {row['environment']}", []).append(ends)
    read = {name: (f"examples/{name.split(',')[0]}.csv", rows) for name, rows in result.items()}
    diabetes = lifelines.datasets.load_diabetes()[["left", "right"]].to_numpy(dtype=float)
    read["diabetes"] = "lifelines.datasets.load_diabetes", [(a, b) for a, b in diabetes]
    return read


def _example(name: str) -> list[dict[str, str]]:
    with (ROOT / "examples" / f"{name}.csv").open(encoding="ascii", newline="") as file:
        return list(csv.DictReader(file))


def surpyval_loglik(case: dict[str, Any]) -> float:
    """Fit by SurPyval and evaluate its distribution."""
    import surpyval

    low, high, weights = _columns(case)
    exact = low == high
    cens = np.where(exact, 0, np.where(np.isinf(low), -1, np.where(np.isinf(high), 1, 2)))
    x = np.column_stack([np.where(np.isinf(low), high, low), np.where(np.isinf(high), low, high)])
    fit = surpyval.Turnbull.fit(x=x, c=cens, n=weights, turnbull_estimator="Kaplan-Meier")
    upto = np.append(0.0, np.asarray(fit.F))
    below = upto[np.searchsorted(fit.x, np.where(exact, np.nextafter(low, -np.inf), low), "right")]
    above = np.where(np.isinf(high), 1.0, upto[np.searchsorted(fit.x, high, "right")])
    return float(weights @ np.log(above - below) / weights.sum())


def npsurv_loglik(cases: list[dict[str, Any]]) -> list[float]:
    """Fit by npsurv, in R."""
    ran = subprocess.run(
        ["Rscript", str(FOLDER / "make_npmle.R")],
        input=json.dumps(cases),
        capture_output=True,
        text=True,
        check=True,
    )
    document: list[float] = json.loads(ran.stdout)
    return document


def _columns(case: dict[str, Any]) -> tuple[Any, Any, Any]:
    low = np.array([-np.inf if end is None else end for end in case["lower"]])
    high = np.array([np.inf if end is None else end for end in case["upper"]])
    return low, high, np.array(case["count"])


def written(name: str, text: str, rows: Rows) -> dict[str, Any]:
    """Write a data set as distinct ranges with counts; null is an end that is infinite."""
    counts = sorted(Counter(rows).items())
    ends = [[float(end) if np.isfinite(end) else None for end in row] for row, _ in counts]
    lower, upper = (list(column) for column in zip(*ends, strict=True))
    count = [times for _, times in counts]
    return {"name": name, "made": text, "lower": lower, "upper": upper, "count": count}


def main() -> None:
    """Write the table beside this script."""
    warnings.simplefilter("ignore")
    sets = invented() | observed()
    cases = [written(name, created, rows) for name, (created, rows) in sets.items()]
    for case, other in zip(cases, npsurv_loglik(cases), strict=True):
        case["mean_loglik"] = {"surpyval": surpyval_loglik(case), "npsurv": other}
        sys.stdout.write(f"{case['name']}: {sum(case['count'])}, {case['mean_loglik']}\n")
    table = {"programs": {"surpyval": version("surpyval"), "npsurv": "0.5-0"}, "cases": cases}
    lines = json.dumps(table, separators=(",", ":")).replace('{"name"', '\n{"name"')
    (FOLDER / "npmle.json").write_text(lines + "\n", encoding="ascii")


if __name__ == "__main__":
    main()
