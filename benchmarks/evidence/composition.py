"""k-fold composition of two questions with three reports: exact here, on a grid in dp-accounting.

Prints ε at δ = 1e-6, the seconds (median of the passes, worst of both directions included), and the
ratio of the two times in this run.
"""

import argparse
import json
import subprocess
import sys
import time
from fractions import Fraction
from pathlib import Path
from statistics import median

sys.path.insert(0, str(Path(__file__).parents[1]))

from peers import peers

from askance import Channel, Frame
from askance.privacy import Ledger
from askance.privacy import ledger as ledgers

DELTA = 1e-6
ROWS = {
    "A": ((55, 20, 25), (22, 58, 20)),
    "B": ((42, 37, 21), (38, 43, 19)),
    "truth 3/5, lie 1/10": ((60, 10, 30), (10, 60, 30)),
}
PEER = """
import json, math, sys, time, warnings
warnings.simplefilter("ignore")
from dp_accounting.pld import privacy_loss_distribution as pld
first, second, k, passes, step = json.loads(sys.argv[1])
one, two = ({at: math.log(p / 100) for at, p in enumerate(row)} for row in (first, second))
times = []
for _ in range(passes):
    start = time.perf_counter()
    law = pld.from_two_probability_mass_functions(
        one, two, value_discretization_interval=step, symmetric=False
    )
    epsilon = law.self_compose(k).get_epsilon_for_delta(1e-6)
    times.append(time.perf_counter() - start)
print(json.dumps([epsilon, times]))
"""


def ours(
    rows: tuple[tuple[int, ...], ...], k: int, passes: int
) -> tuple[float, list[float], float]:
    """Give ε, the times of law and ε in both directions, and the time of one curve."""
    frame = Frame(["yes", "no"])
    named = {"yes": ["yes"], "no": ["no"], "either": ["yes", "no"]}
    channel = Channel(frame, named, [[Fraction(mass, 100) for mass in row] for row in rows])
    times, epsilon, seconds_drawn = [], 0.0, 0.0
    for _ in range(passes):
        ledgers._law.cache_clear()
        start = time.perf_counter()
        ledger = Ledger().spend(channel, k)
        epsilon = ledger.epsilon(DELTA)
        times.append(time.perf_counter() - start)
        start = time.perf_counter()
        ledger.tradeoff()
        seconds_drawn = time.perf_counter() - start
    return epsilon, times, seconds_drawn


def theirs(
    python: Path, rows: tuple[tuple[int, ...], ...], k: int, passes: int, step: float
) -> tuple[float, list[float]]:
    order = json.dumps([*rows, k, passes, step])
    run = subprocess.run(
        [str(python), "-c", PEER, order], capture_output=True, text=True, check=True
    )
    epsilon, times = json.loads(run.stdout)
    return epsilon, times


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--passes", type=int, default=3)
    parser.add_argument("--step", type=float, default=1e-4, help="the grid of dp-accounting")
    options = parser.parse_args()
    python = peers(Path(__file__).parent)
    for name, rows in ROWS.items():
        for k in (10, 100, 1000, 10_000):
            epsilon, times, seconds_drawn = ours(rows, k, options.passes)
            line = f"{name}, k = {k:6,}: ε = {epsilon:11.6f} in {median(times):.4f} s"
            line += f" (curve {seconds_drawn:.4f} s)"
            if k <= 1000:
                far, spent = theirs(python, rows, k, options.passes, options.step)
                line += f"; dp-accounting {far:.4f} (+{far - epsilon:.4f}) in {median(spent):.4f} s"
                line += f"; ratio {median(spent) / median(times):.0f}"
            print(line)
