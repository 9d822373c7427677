"""Linear regression of ranges between two cuts, against R's survreg and lifelines' AFT.

One thread, 10 covariates. Every side fits the same rows in the same run; times are the least of
three fits. lifelines knows positive numbers alone: it takes the exponentials with log-logistic
noise, so its log-likelihood is the same. Where R or its survival is not installed, no ratio to
survreg is printed.
"""

import json
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

for threads in ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ[threads] = "1"

import numpy as np  # noqa: E402  after the threads are set

sys.path.append(str(Path(__file__).parents[1]))
from peers import peers  # noqa: E402

FOLDER = Path(__file__).parent
LIFELINES = """
import json, sys, time, warnings
import numpy as np, pandas as pd
from lifelines import LogLogisticAFTFitter
warnings.simplefilter("ignore")
rows = np.exp(pd.read_csv(sys.argv[1])[["lower", "upper"]]).fillna({"lower": 0, "upper": np.inf})
rows = rows.join(pd.read_csv(sys.argv[1]).iloc[:, 2:])
for _ in range(3):
    began = time.perf_counter()
    fit = LogLogisticAFTFitter().fit_interval_censoring(rows, "lower", "upper")
    spent = time.perf_counter() - began
    print(json.dumps({"time": spent, "log_likelihood": float(fit.log_likelihood_)}))
"""


def rows(n: int, seed: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Give lower ends, upper ends and covariates; logistic noise, two cuts a person."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, 10))
    y = 1 + X @ rng.normal(size=10) / 3 + 0.7 * rng.logistic(size=n)
    cuts = np.sort(rng.normal(1, 2, (n, 2)), axis=1)
    cell = (y[:, None] > cuts).sum(axis=1)
    ends = np.column_stack([np.full(n, -np.inf), cuts, np.full(n, np.inf)])
    return ends[np.arange(n), cell], ends[np.arange(n), cell + 1], X


def ours(low: np.ndarray, high: np.ndarray, X: np.ndarray) -> list[dict[str, float]]:
    """Time three fits."""
    import askance as ak

    ranges, rows = ak.Ranges(low, high), []
    for _ in range(3):
        began = time.perf_counter()
        fit = ak.censored_regression(ranges, X, "logistic")
        rows.append({"time": time.perf_counter() - began, "log_likelihood": fit.log_likelihood})
    return rows


def theirs(command: list[str]) -> list[dict[str, float]]:
    """Read what another program tells of its three fits; nothing if it is not installed."""
    try:
        output = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    except (OSError, subprocess.CalledProcessError) as fault:
        print(f"{command[0]} did not run: {getattr(fault, 'stderr', None) or fault}")
        return []
    return [json.loads(line) for line in output.splitlines()]


def main() -> None:
    """Print a row for each number of rows and each program."""
    python = peers(FOLDER)
    print(f"{'rows':>8}  {'program':<10}{'seconds':>9}{'ratio':>8}  log-likelihood")
    for n in (10_000, 100_000):
        low, high, X = rows(n, 1)
        with tempfile.TemporaryDirectory() as folder:
            table = Path(folder) / "rows.csv"
            columns_of_table = np.column_stack([low, high, X])
            head = ",".join(["lower", "upper", *(f"x{i}" for i in range(1, 11))])
            text = "\n".join(",".join(map(repr, row)) for row in columns_of_table.tolist())
            for infinite in ("-inf", "inf"):
                text = text.replace(infinite, "")
            table.write_text(f"{head}\n{text}\n")
            fits_by_program = {
                "askance": ours(low, high, X),
                "survreg": theirs(["Rscript", str(FOLDER / "survreg.R"), str(table), "logistic"]),
                "lifelines": theirs([str(python), "-c", LIFELINES, str(table)]),
            }
        least = min(fit["time"] for fit in fits_by_program["askance"])
        for name, fits in fits_by_program.items():
            if fits:
                spent, best = min(fit["time"] for fit in fits), fits[0]["log_likelihood"]
                print(f"{n:>8}  {name:<10}{spent:>9.3f}{spent / least:>8.1f}  {best:.4f}")


if __name__ == "__main__":
    main()
