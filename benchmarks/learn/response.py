"""Regressions of protected answers, against GLMMRR, rr, RRreg, and the logit of the answers.

    OPENBLAS_NUM_THREADS=1 python benchmarks/learn/response.py [--rows N] [GLMMRR [RR [RRREG]]]

Answers to a forced-response question of people with six covariates, drawn afresh; the
same reports go to every side in one run, to ours also through its door for R: a first call, which
starts the program, and each call after it (R's jsonlite, generics and processx must be there). The
three are on no shelf that Python installs from: name the folders of their sources, and R must be
there. RRreg is let off its tests, and begins once.
statsmodels (from the extra `test`) fits the ordinary logit to the answers that nobody would have:
it says what protection costs in time. Seconds are those of a processor, so that whatever else the
machine does is left out.
"""

import argparse
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np

import askance as ak

BETA = np.array([-0.4, 0.08, -0.3, 0.2, -0.1, 0.05, -0.5])
FORCED = ak.Channel(
    ak.Frame(["yes", "no"]), {"yes": ["yes"], "no": ["no"]}, [[5 / 6, 1 / 6], [1 / 6, 5 / 6]]
)


def invented(n: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Draw covariates, true answers (1 is yes) and reports."""
    rng = np.random.default_rng(2025)
    X = np.column_stack([rng.normal(size=(n, 4)), rng.integers(0, 2, (n, 2))])
    true = rng.random(n) < 1 / (1 + np.exp(-BETA[0] - X @ BETA[1:]))
    return X, true * 1.0, np.where(rng.random(n) < 1 / 3, rng.integers(0, 2, n), true) * 1.0


def timed(work: Callable[[], object]) -> float:
    """Take the median of three rounds, or of one if it is slow."""
    spent: list[float] = []
    while len(spent) < 3 and sum(spent) < 20:
        began = time.process_time()
        work()
        spent.append(time.process_time() - began)
    return statistics.median(spent)


def rivals(X: np.ndarray, reports: np.ndarray, sources: list[Path]) -> dict[str, list[float]]:
    """Give seconds, log-likelihood and coefficients of each."""
    if not sources:
        print("(the packages of R are left out: name the folders of their sources)")
        return {}
    if shutil.which("Rscript") is None:
        raise SystemExit("no Rscript on the path; on Debian: apt-get install r-base-core")
    with tempfile.TemporaryDirectory() as scratch:
        reports.tofile(Path(scratch) / "said")
        X.T.copy().tofile(Path(scratch) / "X")
        script = str(Path(__file__).with_suffix(".R"))
        command = ["Rscript", script, scratch, *map(str, sources)]
        door = {
            "ASKANCE": str(Path(sys.executable).with_name("askance")),
            "DOOR": str(Path(__file__).parents[2] / "r" / "R"),
        }
        ran = subprocess.run(
            command, capture_output=True, text=True, check=True, env=os.environ | door
        )
    rows = [line.split("\t") for line in ran.stdout.splitlines()]
    return {name: [float(cell) for cell in cells] for name, *cells in rows}


def main() -> None:
    words = argparse.ArgumentParser(description=__doc__)
    words.add_argument("--rows", type=int, default=100_000)
    words.add_argument("sources", type=Path, nargs="*")
    options = words.parse_args()
    X, true, reports = invented(options.rows)
    codes = {1: "yes", 0: "no"}
    fit = ak.response_regression(reports, X, FORCED, codes=codes)
    ours = timed(lambda: ak.response_regression(reports, X, FORCED, codes=codes))
    print(f"{options.rows:,} rows, 7 coefficients, medians")
    print(f"{'':<28}{'seconds':>9}{'× ours':>8}{'log-likelihood':>18}{'furthest from ours':>20}")
    print(f"{'askance':<28}{ours:>9.3f}{1:>8.1f}{fit.log_likelihood:>18.4f}{0:>20.1e}")
    for name, (spent, total, *beta) in rivals(X, reports, options.sources).items():
        distance = np.abs((np.array(beta) - fit.value) / fit.se).max()
        print(f"{name:<28}{spent:>9.3f}{spent / ours:>8.1f}{total:>18.4f}{distance:>17.1e} se")
    from statsmodels.api import GLM, families

    model_matrix = np.column_stack([np.ones(len(X)), X])
    plain = timed(lambda: GLM(true, model_matrix, family=families.Binomial()).fit())
    print(f"{'statsmodels, on the answers':<28}{plain:>9.3f}{plain / ours:>8.1f}")


if __name__ == "__main__":
    main()
