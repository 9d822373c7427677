"""The trade-off function of one question: exact here, wrong and silent about it in riskcal 1.5.1.

Prints the type II error at six type I errors from both, and the ratio of the two times in this run.
The truth is one sort: Warner's question told truly with chance .75 has β = 1 − 3α up to α = 1/4.
"""

import json
import subprocess
import sys
import time
from fractions import Fraction
from pathlib import Path
from statistics import median

sys.path.insert(0, str(Path(__file__).parents[1]))

from peers import peers

import askance as ak

ALPHAS = (0.01, 0.05, 0.1, 0.2, 0.37, 0.5)
ROWS = {"Warner, truth .75": ((75, 25), (25, 75)), "B": ((42, 37, 21), (38, 43, 19))}
PASSES = 5
PEER = """
import json, math, sys, time, warnings
warnings.simplefilter("ignore")
import numpy as np
from dp_accounting.pld import privacy_loss_distribution as pld
from riskcal.analysis import get_beta_from_pld
first, second, alphas, passes = json.loads(sys.argv[1])
one, two = ({at: math.log(p / 100) for at, p in enumerate(row)} for row in (first, second))
times = []
for _ in range(passes):
    start = time.perf_counter()
    law = pld.from_two_probability_mass_functions(one, two)
    beta = get_beta_from_pld(law, alpha=np.array(alphas))
    times.append(time.perf_counter() - start)
print(json.dumps([np.asarray(beta).tolist(), times]))
"""


def ours(rows: tuple[tuple[int, ...], ...]) -> tuple[list[float], float]:
    """Give β, and the seconds from the channel to it."""
    reports = {str(i): ["yes"] if i % 2 else ["no"] for i in range(len(rows[0]))}
    exact = [[Fraction(mass, 100) for mass in row] for row in rows]
    q = ak.Channel(ak.Frame(["yes", "no"]), reports, exact)
    times, beta = [], []
    for _ in range(PASSES):
        start = time.perf_counter()
        beta = (
            ak.privacy.tradeoff(q, "yes", "no", view=ak.privacy.View.REPORTS).beta(ALPHAS).tolist()
        )
        times.append(time.perf_counter() - start)
    return beta, median(times)


def theirs(python: Path, rows: tuple[tuple[int, ...], ...]) -> tuple[list[float], float]:
    """Ask riskcal the same."""
    query = json.dumps([*rows, ALPHAS, PASSES])
    run = subprocess.run(
        [str(python), "-c", PEER, query], capture_output=True, text=True, check=True
    )
    beta, times = json.loads(run.stdout)
    return beta, median(times)


def main() -> None:
    """Compare both questions."""
    python = peers(Path(__file__).parent)
    print(f"{'type I error':<28}" + "".join(f"{alpha:>8}" for alpha in ALPHAS))
    for name, rows in ROWS.items():
        beta, took = ours(rows)
        its, longer = theirs(python, rows)
        for who, values in (("exact", beta), ("riskcal", its)):
            print(f"{name + ', ' + who:<28}" + "".join(f"{value:8.3f}" for value in values))
        print(
            f"{'':<28}{1e3 * took:.2f} ms against {1e3 * longer:.2f} ms: {longer / took:.0f} times"
        )


if __name__ == "__main__":
    main()
